/* The examples of the documentation: every row of a builtin function has one, "expr  # text", whose
   value is printed so, or shown so at a prompt. They run where all bare names, np and cp are
   defined. */
#include "interp/test/gxtest_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/embed/tools.h"
#include "interp/host/signals.h"

typedef struct docs {
    gx_tests *t;
    gx_state *s;
    gx_kept_output *capture;
    bool begun;
    char module[64]; /* whose names are bound */
} docs;

/* Runs a line that binds names. False: a failure. */
static bool run_line(docs *d, const char *line) {
    return gx_state_run(d->s, line, strlen(line), "<example>", NULL);
}

/* A fresh module for the examples of one module, with that module's names in it. */
static bool begin_module(docs *d, const char *name) {
    char line[160];
    if (d->begun && strcmp(d->module, name) == 0) return true;
    d->begun = false;
    snprintf(d->module, sizeof d->module, "%s", name);
    if (!run_line(d, "%reset")) return false;
    d->begun = true;
    if (!name[0] || strcmp(name, "builtins") == 0) return true;
    /* Of a part of a part (scipy.sparse.linalg) the names above it too. */
    const char *first = strchr(name, '.'), *last = strrchr(name, '.');
    if (first != last) {
        snprintf(line, sizeof line, "from %.*s import *", (int)(last - name), name);
        if (!run_line(d, line)) return false;
    }
    snprintf(line, sizeof line, "from %s import *", name);
    if (!run_line(d, line)) return true; /* names of a type: their examples need no import */
    snprintf(line, sizeof line, "import %.*s", (int)strcspn(name, "."), name);
    return run_line(d, line);
}

/* What a prompt shows of a value, when that is what is expected. */
static bool is_repr(docs *d, gx_ref *value, const char *expected) {
    gx_ref *repr = gx_state_get(d->s, "repr");
    gx_ref *made = repr ? gx_ref_call(repr, 1, &value) : NULL;
    const char *text;
    size_t length;
    bool same = made && gx_ref_to_text(made, &text, &length) && strcmp(text, expected) == 0;
    gx_ref_drop(made);
    gx_ref_drop(repr);
    return same;
}

/* Evaluates the code and gives what print would show of its last value, or a prompt, if that is
   expected. */
static bool show_value(docs *d, const char *text, size_t length, const char *expected,
                       gx_pad *out) {
    gx_program *code = gx_state_compile(d->s, text, length, "<example>");
    gx_ref *value = NULL;
    char *shown = NULL;
    if (!code) return false;
    gx_capture_begin(d->capture);
    bool ok = gx_program_run(code, GX_RUN_PLAIN, &value);
    gx_program_drop(code);
    gx_capture_end(d->capture, out);
    if (!ok) return false;
    /* An example that prints shows what it printed. */
    if (value) ok = (shown = gx_ref_str(value)) && gx_pad_puts(out, shown);
    else if (!out->length) ok = gx_pad_puts(out, "None");
    gx_string_free(shown);
    while (out->length && out->data[out->length - 1] == '\n') out->data[--out->length] = '\0';
    if (ok && value && expected && strcmp(gx_pad_text(out), expected) != 0 &&
        is_repr(d, value, expected)) {
        gx_pad_free(out);
        ok = gx_pad_puts(out, expected);
    }
    if (ok) gx_ref_drop(value);
    return ok;
}

/* Does an example reach its function through the module ("fft.fft(x)")? Then it needs no import. */
static bool names_module(const char *example, const char *module) {
    char last[64];
    const char *dot = strrchr(module, '.');
    snprintf(last, sizeof last, "%s.", dot ? dot + 1 : module);
    return module[0] && strstr(example, last) != NULL;
}

static bool test_function(void *self, const gx_documented *f) {
    docs *d = self;
    if (!f->example || !f->example[0]) return true;
    const char *mark = strstr(f->example, "  # ");
    size_t length = mark ? (size_t)(mark - f->example) : strlen(f->example);
    const char *expected = mark ? mark + 4 : NULL;
    char name[160];
    snprintf(name, sizeof name, "%s%s%s", f->module, f->module[0] ? "." : "", f->name);
    gx_pad text = {0};
    bool reached = strncmp(f->module, "numpy.", 6) == 0 && names_module(f->example, f->module);
    if (!begin_module(d, reached ? "" : f->module) ||
        !show_value(d, f->example, length, expected, &text)) {
        gx_pad head = {0};
        gx_test_head(d->s, &head);
        d->t->failed++;
        gx_tests_fail(d->t, name, 0, f->example, expected, gx_pad_text(&head));
        gx_pad_free(&head);
    } else if (expected && strcmp(expected, gx_pad_text(&text)) != 0) {
        d->t->failed++;
        gx_tests_fail(d->t, name, 0, f->example, expected, gx_pad_text(&text));
    } else {
        d->t->passed++;
    }
    gx_pad_free(&text);
    return !gx_interrupted();
}

void gx_test_docs(gx_tests *t, gx_state *s, gx_kept_output *capture) {
    docs d = {.t = t, .s = s, .capture = capture};
    gx_state_each_function(s, test_function, &d);
}
