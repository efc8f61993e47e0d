/* The examples of the documentation: every row of a builtin function has one, "expr  # text", which
   must print that text. They run where all bare names, np and cp are defined. */
#include "interp/gxtest_int.h"

#include <stdio.h>
#include <string.h>

#include "stdlib/stdlib.h"

typedef struct docs {
    gx_tests *t;
    gx_module *m;
} docs;

/* Evaluates the code and gives what print would show of its last value. */
static bool show_value(gx_rt *rt, gx_module *m, const char *code, size_t length, gx_buf *out) {
    gx_parse_errors errors = {0};
    gx_unit *unit;
    uint32_t source;
    gx_value v;
    if (!gx_source_add(rt, "<example>", code, length, &source)) return false;
    bool ok = gx_load(rt, source, m, false, &unit, &errors) == GX_PARSE_OK;
    gx_parse_errors_free(&errors);
    if (!ok || !gx_run_value(rt, unit, m, &v)) return false;
    ok = gx_str_into(rt, v, out);
    gx_drop(v);
    return ok;
}

static bool test_row(gx_rt *rt, const char *module, const gx_native *row, void *ctx) {
    docs *d = ctx;
    if (!row->example || !row->example[0]) return true;
    const char *mark = strstr(row->example, "  # ");
    size_t length = mark ? (size_t)(mark - row->example) : strlen(row->example);
    const char *expected = mark ? mark + 4 : NULL;
    char name[160];
    snprintf(name, sizeof name, "%s%s%s", module, module[0] ? "." : "", row->name);
    gx_buf text = gx_buf_new(rt);
    if (!show_value(rt, d->m, row->example, length, &text)) {
        gx_buf head = gx_buf_new(rt);
        if (gx_report_head(rt, &head) && head.length) head.data[head.length - 1] = '\0';
        gx_error_clear(rt);
        d->t->failed++;
        gx_tests_fail(d->t, name, 0, row->example, expected, gx_buf_text(&head));
        gx_buf_free(&head);
    } else if (expected && strcmp(expected, gx_buf_text(&text)) != 0) {
        d->t->failed++;
        gx_tests_fail(d->t, name, 0, row->example, expected, gx_buf_text(&text));
    } else {
        d->t->passed++;
    }
    gx_buf_free(&text);
    return !rt->interrupted;
}

void gx_test_docs(gx_tests *t, gx_rt *rt) {
    gx_value main_module;
    if (!gx_main_module(rt, "__main__", &main_module)) {
        gx_report(rt);
        t->failed++;
        return;
    }
    docs d = {.t = t, .m = gx_as_module(main_module)};
    if (!gx_repl_predefine(rt, d.m) || !gx_stdlib_each_native(rt, test_row, &d)) gx_error_clear(rt);
    gx_drop(main_module);
}
