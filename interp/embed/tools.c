/* What gx's own tools ask. */
#include "interp/embed/tools.h"

#include <string.h>

#include "interp/check/check.h"
#include "interp/embed/state_int.h"
#include "runtime/base/amount.h"
#include "runtime/base/lock.h"
#include "stdlib/bridge/bridge.h"
#include "stdlib/stdlib.h"

typedef struct visit {
    bool (*fn)(void *self, const gx_documented *f);
    void *self;
} visit;

static bool visit_row(gx_rt *rt, const char *module, const gx_native *row, void *ctx) {
    const visit *v = ctx;
    const gx_documented f = {module, row->name, row->example};
    (void)rt;
    return v->fn(v->self, &f);
}

void gx_state_each_function(gx_state *s, bool (*fn)(void *self, const gx_documented *f),
                            void *self) {
    visit v = {fn, self};
    gx_rt *rt = gx_state_enter(s);
    if (!gx_stdlib_each_native(rt, visit_row, &v)) gx_error_clear(rt);
    gx_state_leave(s);
}

char *gx_state_doctor(gx_state *s) {
    gx_rt *rt = gx_state_enter(s);
    gx_buf text = gx_buf_new(rt);
    char *own = NULL;
    bool ok = gx_gpu_doctor(rt, &text) && gx_python_doctor(rt, &text);
    if (ok && !(own = strndup(gx_buf_text(&text), text.length))) ok = gx_no_memory(rt);
    gx_buf_free(&text);
    return gx_state_done(s, ok) ? own : NULL;
}

char *gx_state_format(gx_state *s, const char *text, size_t length, const char *name) {
    gx_program *code = gx_state_compile(s, text, length, name);
    if (!code) return NULL;
    gx_program_drop(code);
    gx_rt *rt = gx_state_enter(s);
    gx_buf out = gx_buf_new(rt);
    char *own = NULL;
    bool ok = gx_session_format(rt, text, length, &out);
    if (ok && !(own = strndup(gx_buf_text(&out), out.length))) ok = gx_no_memory(rt);
    gx_buf_free(&out);
    return gx_state_done(s, ok) ? own : NULL;
}

char *gx_state_check(gx_state *s, const char *text, size_t length, const char *name, bool json,
                     int *count) {
    gx_rt *rt = gx_state_enter(s);
    gx_buf out = gx_buf_new(rt);
    gx_findings found = {.rt = rt};
    char *own = NULL;
    uint32_t source;
    bool ok =
        gx_source_add(rt, name, text, length, &source) && gx_check_source(rt, source, &found, NULL);
    ok = ok && (json ? gx_findings_json : gx_findings_text)(&found, &out);
    if (ok && !(own = strndup(gx_buf_text(&out), out.length))) ok = gx_no_memory(rt);
    *count = (int)found.items.count;
    gx_findings_free(&found);
    gx_buf_free(&out);
    return gx_state_done(s, ok) ? own : NULL;
}

const char *gx_tool_near(const char *name, const char *const *names, size_t n) {
    return gx_near_name(name, names, n);
}

const char *gx_tool_amount(const char *name, const char *text) {
    const gx_amount kind = strcmp(name, "GX_MAX_SECONDS") == 0 ? GX_AMOUNT_SECONDS
                           : strcmp(name, "GX_MAX_STEPS") == 0 ? GX_AMOUNT_COUNT
                                                               : GX_AMOUNT_BYTES;
    double n;
    if (gx_amount_read(text, kind, kind == GX_AMOUNT_SECONDS ? INT32_MAX : 0x1p62, &n)) return NULL;
    return gx_amount_words(kind);
}

int gx_tool_fence(const char *const *paths, int n) {
    int held = gx_lock_process(paths, n);
    return (held & GX_LOCK_FILES ? GX_FENCE_FILES : 0) |
           (held & GX_LOCK_CALLS ? GX_FENCE_CALLS : 0);
}

size_t gx_tool_utf8(const char *text, size_t length) {
    return gx_utf8_valid(text, length);
}

size_t gx_tool_width(const char *text, size_t length) {
    return gx_utf8_width(text, length);
}

uint32_t gx_tool_decode(const char *text, int *bytes) {
    return gx_utf8_decode(text, bytes);
}
