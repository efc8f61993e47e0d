/* Labels with a little mathematics: between $ signs, \alpha becomes its letter, ^2 and _1 small
   figures, braces vanish or become parentheses. What is not known stays as it was written. */
#include <ctype.h>
#include <string.h>

#include "stdlib/plot/plot_int.h"

static const struct word {
    const char *name;
    uint32_t code;
} words[] = {
    {"alpha", 0x3B1}, {"beta", 0x3B2}, {"gamma", 0x3B3}, {"delta", 0x3B4}, {"epsilon", 0x3B5},
    {"zeta", 0x3B6}, {"eta", 0x3B7}, {"theta", 0x3B8}, {"kappa", 0x3BA}, {"lambda", 0x3BB},
    {"mu", 0x3BC}, {"nu", 0x3BD}, {"xi", 0x3BE}, {"pi", 0x3C0}, {"rho", 0x3C1}, {"sigma", 0x3C3},
    {"tau", 0x3C4}, {"phi", 0x3C6}, {"chi", 0x3C7}, {"psi", 0x3C8}, {"omega", 0x3C9},
    {"Gamma", 0x393}, {"Delta", 0x394}, {"Theta", 0x398}, {"Lambda", 0x39B}, {"Pi", 0x3A0},
    {"Sigma", 0x3A3}, {"Phi", 0x3A6}, {"Psi", 0x3A8}, {"Omega", 0x3A9}, {"times", 0xD7},
    {"cdot", 0xB7}, {"pm", 0xB1}, {"degree", 0xB0}, {"infty", 0x221E}, {"le", 0x2264},
    {"leq", 0x2264}, {"ge", 0x2265}, {"geq", 0x2265}, {"ne", 0x2260}, {"approx", 0x2248},
    {"to", 0x2192}, {"sqrt", 0x221A}, {"sum", 0x2211}, {"int", 0x222B}, {"partial", 0x2202},
    {"nabla", 0x2207}, {"ldots", 0x2026},
};

/* \name at s (behind the backslash): how many bytes it takes. */
static size_t put_word(const char *s, gx_buf *out, bool *ok) {
    size_t n = 0;
    while (isalpha((unsigned char)s[n])) n++;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].name) == n && memcmp(words[i].name, s, n) == 0) {
            *ok = *ok && gx_buf_code(out, words[i].code);
            return n;
        }
    if (n) *ok = *ok && gx_buf_add(out, s, n); /* \sin is sin */
    return n;
}

/* One character raised or lowered; 0: there is none such. */
static uint32_t small_code(char c, bool raised) {
    if (c >= '0' && c <= '9') {
        if (!raised) return 0x2080 + (uint32_t)(c - '0');
        return c == '1' ? 0xB9 : c == '2' ? 0xB2 : c == '3' ? 0xB3 : 0x2070 + (uint32_t)(c - '0');
    }
    if (!raised) return 0;
    return c == '-' ? 0x207B : c == '+' ? 0x207A : c == 'n' ? 0x207F : c == 'i' ? 0x2071 : 0;
}

/* ^2, ^{-1}, _0 at s: how many bytes it takes; 0: it cannot be shown so. */
static size_t put_small(const char *s, gx_buf *out, bool *ok) {
    bool raised = *s == '^', braces = s[1] == '{';
    size_t from = braces ? 2 : 1, to = from;
    while (s[to] && (braces ? s[to] != '}' : to == from)) {
        if (!small_code(s[to], raised)) return 0;
        to++;
    }
    if (to == from || (braces && s[to] != '}')) return 0;
    for (size_t i = from; i < to; i++) *ok = *ok && gx_buf_code(out, small_code(s[i], raised));
    return to + braces;
}

/* A brace inside $…$: those behind ^ and _ whose content has no small characters become
   parentheses. Each bit of *open is a brace that is open: was it shown? */
static size_t put_brace(const char *s, bool shown, uint64_t *open, gx_buf *out, bool *ok) {
    if (*s == '{') {
        *open = *open << 1 | shown;
        if (shown) *ok = *ok && gx_buf_char(out, '(');
    } else {
        if (*open & 1) *ok = *ok && gx_buf_char(out, ')');
        *open >>= 1;
    }
    return 1;
}

bool gx_label_plain(gx_rt *rt, const char *text, gx_buf *out) {
    bool ok = true, inside = false;
    uint64_t open = 0;
    (void)rt;
    for (const char *s = text; ok && *s;) {
        size_t used = 0;
        if (*s == '$' && (inside || strchr(s + 1, '$'))) {
            inside = !inside;
            used = 1;
        } else if (inside && *s == '\\') {
            used = 1 + put_word(s + 1, out, &ok);
        } else if (inside && (*s == '^' || *s == '_')) {
            used = put_small(s, out, &ok);
        } else if (inside && (*s == '{' || *s == '}')) {
            bool shown = s > text && (s[-1] == '^' || s[-1] == '_') && s[1] && s[2] != '}';
            used = put_brace(s, shown, &open, out, &ok);
        }
        if (used) {
            s += used;
            continue;
        }
        /* Control characters would reach the terminal. */
        char c = (unsigned char)*s < 32 || *s == 127 ? ' ' : *s;
        ok = gx_buf_char(out, c);
        s++;
    }
    return ok;
}
