/* \alpha and Tab: Greek letters, which may stand in names, by TeX's names. */
#include <string.h>

#include "interp/session/session.h"

static const struct {
    const char *name, *letter;
} letters[] = {
    {"alpha", "α"},   {"beta", "β"},    {"gamma", "γ"},   {"delta", "δ"},      {"epsilon", "ε"},
    {"zeta", "ζ"},    {"eta", "η"},     {"theta", "θ"},   {"iota", "ι"},       {"kappa", "κ"},
    {"lambda", "λ"},  {"mu", "μ"},      {"nu", "ν"},      {"xi", "ξ"},         {"omicron", "ο"},
    {"pi", "π"},      {"rho", "ρ"},     {"sigma", "σ"},   {"tau", "τ"},        {"upsilon", "υ"},
    {"phi", "φ"},     {"chi", "χ"},     {"psi", "ψ"},     {"omega", "ω"},      {"Gamma", "Γ"},
    {"Delta", "Δ"},   {"Theta", "Θ"},   {"Lambda", "Λ"},  {"Xi", "Ξ"},         {"Pi", "Π"},
    {"Sigma", "Σ"},   {"Upsilon", "Υ"}, {"Phi", "Φ"},     {"Psi", "Ψ"},        {"Omega", "Ω"},
    {"hbar", "ħ"},    {"ell", "ℓ"},     {"aleph", "ℵ"},   {"varsigma", "ς"},   {"imath", "ı"},
};

const char *gx_session_letter(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        if (strlen(letters[i].name) == length && memcmp(letters[i].name, name, length) == 0)
            return letters[i].letter;
    }
    return NULL;
}

void gx_session_each_letter(void (*fn)(const char *name, void *ctx), void *ctx) {
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) fn(letters[i].name, ctx);
}
