/* Names of token kinds, and the lookup of keywords, both from tokens.def. */
#include "lexer/lexer.h"

#include <string.h>

static const char *const names[GX_TOKEN_KINDS] = {
#define TOKEN(kind, text) [GX_TOKEN_##kind] = text,
#define KEYWORD(kind, text) [GX_TOKEN_##kind] = "'" text "'",
#define PUNCT(kind, text) [GX_TOKEN_##kind] = "'" text "'",
#include "lexer/tokens.def"
};

typedef struct keyword {
    const char *text;
    uint8_t length, kind;
} keyword;

static const keyword keywords[] = {
#define KEYWORD(kind, text) {text, sizeof text - 1, GX_TOKEN_##kind},
#include "lexer/tokens.def"
};

const char *gx_token_name(gx_token_kind kind) {
    return names[kind];
}

gx_token_kind gx_token_keyword(const char *text, size_t length) {
    if (length < 2 || length > 8) return GX_TOKEN_NAME;
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        const keyword *k = &keywords[i];
        if (k->text[0] == text[0] && k->length == length && memcmp(k->text, text, length) == 0)
            return (gx_token_kind)k->kind;
    }
    return GX_TOKEN_NAME;
}
