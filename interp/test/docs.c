/* The examples of the documentation: every row of a builtin function has one, "expr  # text", which
   must print that text. They run where all bare names, np and cp are defined. */
#include "interp/test/gxtest_int.h"

#include <stdio.h>
#include <string.h>

#include "stdlib/stdlib.h"

typedef struct docs {
    gx_tests *t;
    gx_module *m;
    char module[64]; /* whose names m has */
} docs;

/* A fresh module for the examples of one module, with that module's names in it. */
static bool begin_module(gx_rt *rt, docs *d, const char *name) {
    gx_value main_module, from;
    char top[64];
    if (d->m && strcmp(d->module, name) == 0) return true;
    snprintf(d->module, sizeof d->module, "%s", name);
    if (!gx_main_module(rt, "__main__", &main_module)) return false;
    d->m = gx_as_module(main_module);
    gx_drop(main_module); /* the list of modules keeps it */
    if (!gx_repl_predefine(rt, d->m)) return false;
    if (!name[0] || strcmp(name, "builtins") == 0) return true;
    if (!gx_import(rt, name, &from)) {
        gx_error_clear(rt); /* names that belong to a type: their examples need no import */
        return true;
    }
    bool ok = gx_import_all(rt, gx_as_module(from), d->m);
    gx_drop(from);
    snprintf(top, sizeof top, "%.*s", (int)strcspn(name, "."), name);
    if (!ok || !gx_import(rt, top, &from)) return false;
    ok = gx_globals_set_c(rt, d->m, top, from);
    gx_drop(from);
    return ok;
}

/* Evaluates the code and gives what print would show of its last value. */
static bool show_value(gx_rt *rt, gx_module *m, const char *code, size_t length, gx_buf *out) {
    gx_parse_errors errors = {0};
    gx_unit *unit;
    uint32_t source;
    gx_value v;
    if (!gx_source_add(rt, "<example>", code, length, &source)) return false;
    bool ok = gx_load(rt, source, m, false, &unit, &errors) == GX_PARSE_OK;
    gx_parse_errors_free(&errors);
    gx_capture_output c;
    if (!ok) return false;
    gx_capture_begin(rt, &c);
    ok = gx_run_value(rt, unit, m, &v);
    gx_unit_drop(unit);
    if (!gx_capture_end(&c, out) || !ok) return false;
    /* An example that prints shows what it printed. */
    if (v.tag != GX_NONE || !out->length) ok = gx_str_into(rt, v, out);
    while (out->length && out->data[out->length - 1] == '\n') out->data[--out->length] = '\0';
    gx_drop(v);
    return ok;
}

/* Does an example reach its function through the module ("fft.fft(x)")? Then it needs no import. */
static bool names_module(const char *example, const char *module) {
    char last[64];
    const char *dot = strrchr(module, '.');
    snprintf(last, sizeof last, "%s.", dot ? dot + 1 : module);
    return module[0] && strstr(example, last) != NULL;
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
    bool reached = strncmp(module, "numpy.", 6) == 0 && names_module(row->example, module);
    if (!begin_module(rt, d, reached ? "" : module) ||
        !show_value(rt, d->m, row->example, length, &text)) {
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
    docs d = {.t = t};
    if (!gx_stdlib_each_native(rt, test_row, &d)) gx_error_clear(rt);
}
