/* What a test has written, and what is said when it fails. */
#include "interp/test/gxtest_int.h"

#include <stdio.h>

bool gx_test_take(void *self, int stream, const char *text, size_t length) {
    gx_kept_output *c = self;
    if (stream == 1 && c->on) return gx_pad_add(&c->text, text, length);
    return fwrite(text, 1, length, stream == 2 ? stderr : stdout) == length;
}

void gx_capture_begin(gx_kept_output *c) {
    gx_pad_free(&c->text);
    c->on = true;
}

void gx_capture_end(gx_kept_output *c, gx_pad *out) {
    c->on = false;
    *out = c->text;
    c->text = (gx_pad){0};
}

void gx_test_head(gx_state *s, gx_pad *out) {
    const gx_failure *f = gx_state_failure(s);
    bool ok = f && gx_pad_puts(out, f->kind);
    if (ok && f->message[0]) ok = gx_pad_printf(out, ": %s", f->message);
    if (ok && f->code[0]) (void)gx_pad_printf(out, "  [%s]", f->code);
}

void gx_tests_fail(gx_tests *t, const char *path, uint32_t line, const char *what,
                   const char *expected, const char *actual) {
    bool kept = gx_pad_printf(&t->said, "%s:%u: %s\n", path, line, what);
    if (expected) kept = kept && gx_pad_printf(&t->said, "    expected: %s\n", expected);
    if (actual) kept = kept && gx_pad_printf(&t->said, "    actual:   %s\n", actual);
    t->incomplete = t->incomplete || !kept;
    if (t->quiet) return;
    fprintf(t->log, "%s:%u: %s\n", path, line, what);
    if (expected) fprintf(t->log, "    expected: %s\n", expected);
    if (actual) fprintf(t->log, "    actual:   %s\n", actual);
    fflush(t->log);
}
