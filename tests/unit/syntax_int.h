/* What the tests of lexer, parser and scopes share: a context that must not leak, a parse from a C
   string, and a tree as one line: "BINARY + (a: NAME x global 0, b: INT 1)". */
#ifndef GX_TESTS_SYNTAX_INT_H
#define GX_TESTS_SYNTAX_INT_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lexer/lexer.h"
#include "parser/parser.h"
#include "runtime/base/buf.h"

typedef struct syntax {
    gx_rt *rt;
    uint32_t source;
    gx_map globals;
    gx_unit *unit; /* NULL unless the parse was GX_PARSE_OK */
    gx_parse_errors errors;
    gx_parse_status status;
} syntax;

static inline syntax parse_bytes(const char *text, size_t length, bool interactive) {
    syntax s = {.rt = gx_rt_new()};
    cr_assert_not_null(s.rt);
    cr_assert(gx_source_add(s.rt, "test.gx", text, length, &s.source));
    s.status = gx_parse(s.rt, s.source, &s.globals, interactive, &s.unit, &s.errors);
    return s;
}

static inline syntax parse_text(const char *text) {
    return parse_bytes(text, strlen(text), false);
}

/* Frees everything; what is left is a leak. */
static inline void done(syntax *s) {
    gx_unit_free(s->unit);
    gx_parse_errors_free(&s->errors);
    gx_error_clear(s->rt);
    gx_map_free(s->rt, &s->globals);
    gx_sources_free(s->rt);
    gx_symtab_free(s->rt);
    cr_assert_eq(s->rt->stats.live_blocks, 0, "%ld blocks leak", (long)s->rt->stats.live_blocks);
    gx_rt_free(s->rt);
}

/* The dump on one line; the caller frees it. */
static inline char *one_line(gx_rt *rt, const gx_node *n) {
    gx_buf dump = gx_buf_new(rt);
    cr_assert(gx_ast_dump(rt, n, &dump));
    char *out = malloc(dump.length * 3 + 1), *to = out;
    cr_assert_not_null(out);
    int depth = 0;
    for (const char *line = dump.data; *line;) {
        int d = (int)strspn(line, " ") / 2;
        const char *text = line + 2 * d, *end = strchr(text, '\n');
        if (line != dump.data) {
            for (int i = d; i < depth; i++) *to++ = ')';
            memcpy(to, d > depth ? " (" : ", ", 2);
            to += 2;
        }
        memcpy(to, text, (size_t)(end - text));
        to += end - text;
        depth = d;
        line = end + 1;
    }
    for (int i = 0; i < depth; i++) *to++ = ')';
    *to = 0;
    gx_buf_free(&dump);
    return out;
}

/* The text must parse to this tree: the whole BLOCK, or its only statement's expression. */
static inline void expect_tree(const char *text, const char *tree, bool expression) {
    syntax s = parse_text(text);
    cr_assert_eq(s.status, GX_PARSE_OK, "%s: %s", text,
                 s.errors.count ? s.errors.list[0].message : "no message");
    const gx_node *n = s.unit->main->body;
    if (expression) n = n->list[0]->a;
    char *got = one_line(s.rt, n);
    cr_expect_str_eq(got, tree, "%s\n  is       %s\n  expected %s", text, got, tree);
    free(got);
    done(&s);
}

#endif
