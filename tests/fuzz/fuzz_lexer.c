/* Any bytes as a source text: cut into tokens, and every literal decoded. Checked: the promises of
   lexer/lexer.h about positions and ends, and that all memory comes back. */
#include <string.h>

#include "lexer/lexer.h"
#include "tests/fuzz/fuzz_int.h"

static void decode(gx_rt *rt, const gx_source *s, const gx_token *t) {
    gx_buf b = gx_buf_new(rt);
    gx_literal_error error = {0};
    double x;
    bool ok = true;
    if (t->kind == GX_TOKEN_STRING || t->kind == GX_TOKEN_FSTRING_TEXT) {
        ok = gx_literal_string(rt, s->text, t, &b, &error);
        if (!ok && !gx_failed(&rt->error))
            GX_FUZZ_CHECK(error.message[0] && error.start <= error.end && error.end <= s->length);
    } else if (t->kind == GX_TOKEN_INT) {
        ok = gx_literal_int(s->text, t, &b);
        GX_FUZZ_CHECK(!ok || b.length > 0);
    } else if (t->kind == GX_TOKEN_FLOAT || t->kind == GX_TOKEN_IMAG) {
        ok = gx_literal_float(rt, s->text, t, &x);
        GX_FUZZ_CHECK(!ok || x >= 0);
    }
    gx_error_clear(rt);
    gx_buf_free(&b);
}

static void check(gx_rt *rt, const gx_tokens *t) {
    gx_span whole = {t->source, 0, 1};
    const gx_source *s = gx_source_of(rt, whole);
    uint32_t at = 0;
    int indents = 0;
    GX_FUZZ_CHECK(t->count > 0 && t->items[t->count - 1].kind == GX_TOKEN_END);
    for (size_t i = 0; i < t->count; i++) {
        const gx_token *token = &t->items[i];
        GX_FUZZ_CHECK(token->kind < GX_TOKEN_KINDS && token->start <= token->end);
        GX_FUZZ_CHECK(token->end <= s->length);
        if (token->kind == GX_TOKEN_ERROR) {
            GX_FUZZ_CHECK(token->error < t->error_count);
            GX_FUZZ_CHECK(t->errors[token->error].message != NULL);
            continue;
        }
        GX_FUZZ_CHECK(token->start >= at);
        at = token->start;
        indents += token->kind == GX_TOKEN_INDENT;
        indents -= token->kind == GX_TOKEN_DEDENT;
        GX_FUZZ_CHECK(indents >= 0);
        decode(rt, s, token);
    }
    GX_FUZZ_CHECK(indents == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gx_rt *rt = gx_rt_new();
    uint32_t source;
    if (!rt) return 0;
    if (gx_source_add(rt, "fuzz", (const char *)data, size, &source)) {
        for (unsigned flags = 0; flags <= GX_LEX_COMMENTS; flags++) {
            gx_tokens tokens = {0};
            if (gx_lex(rt, source, flags, &tokens)) check(rt, &tokens);
            gx_tokens_free(&tokens);
        }
    }
    gx_error_clear(rt);
    gx_sources_free(rt);
    gx_symtab_free(rt);
    GX_FUZZ_CHECK(rt->stats.live_blocks == 0);
    gx_rt_free(rt);
    return 0;
}
