/* A host for tests of include/gx.h. */
#ifndef GX_TESTS_UNIT_HOST_INT_H
#define GX_TESTS_UNIT_HOST_INT_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "include/gx.h"

/* --- a host that keeps what it is given --- */

typedef struct host {
    char out[4096], err[4096];
    int pictures;
    size_t picture_bytes;
    bool broken;
} host;

static inline bool take(void *self, int stream, const char *text, size_t length) {
    host *h = self;
    char *to = stream == 2 ? h->err : h->out;
    size_t n = strlen(to);
    if (h->broken || n + length >= sizeof h->out) return false;
    memcpy(to + n, text, length);
    to[n + length] = '\0';
    return true;
}

static inline bool picture(void *self, const char *mime, const void *data, size_t length) {
    host *h = self;
    cr_expect_str_eq(mime, "image/png");
    cr_expect(length > 8 && memcmp(data, "\x89PNG", 4) == 0);
    h->pictures++;
    return true;
}

static inline char *ask(void *self, const char *prompt) {
    (void)self;
    return strcmp(prompt, "name? ") == 0 ? strdup("Ada\n") : NULL;
}

static inline gx_state *open_state(host *h) {
    gx_config config = {.api = GX_API, .self = h, .device = "cpu"};
    char why[200];
    memset(h, 0, sizeof *h);
    config.write = take;
    config.picture = picture;
    config.ask = ask;
    gx_state *s = gx_state_open(&config, why, sizeof why);
    cr_assert_not_null(s, "%s", why);
    return s;
}

static inline gx_ref *run_text(gx_state *s, const char *text) {
    gx_ref *value = NULL;
    bool ok = gx_state_run(s, text, strlen(text), "<cell>", &value);
    cr_expect(ok, "%s: %s", text, ok ? "" : gx_state_failure(s)->text);
    cr_expect(!ok || !gx_state_failure(s));
    return value;
}

static inline const gx_failure *fails(gx_state *s, const char *text) {
    cr_expect_not(gx_state_run(s, text, strlen(text), "<cell>", NULL), "%s", text);
    const gx_failure *f = gx_state_failure(s);
    cr_assert_not_null(f);
    return f;
}

#endif
