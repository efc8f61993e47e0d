/* Warnings: NumPy's texts, on stderr, once a source line and text. A warning is about the statement that
   made the value, which may be above the one that computed it. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "runtime/lazy_int.h"
#include "runtime/warn.h"

enum { SEEN_LIMIT = 1024 };

/* A place and text that has been shown: their hash. */
struct gx_fpstate {
    uint64_t seen[SEEN_LIMIT];
    int count;
};

void gx_warn_free(gx_rt *rt) {
    gx_free(rt, rt->fp);
    rt->fp = NULL;
}

static uint64_t hash_text(const char *text, uint64_t h) {
    for (; *text; text++) h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return h;
}

static bool first_time(gx_rt *rt, gx_span at, const char *text) {
    if (!rt->fp) rt->fp = gx_alloc_zero(rt, sizeof *rt->fp);
    if (!rt->fp) {
        gx_error_clear(rt); /* a warning is no reason to fail */
        return true;
    }
    uint32_t line = 0, column = 0;
    if (at.end) gx_source_place(rt, at, &line, &column);
    uint64_t h = hash_text(text, UINT64_C(0xcbf29ce484222325) ^ ((uint64_t)at.source << 32 | line));
    for (int i = 0; i < rt->fp->count; i++) {
        if (rt->fp->seen[i] == h) return false;
    }
    if (rt->fp->count < SEEN_LIMIT) rt->fp->seen[rt->fp->count++] = h;
    return true;
}

static void show(gx_rt *rt, gx_error_kind kind, gx_span at, const char *text) {
    const gx_source *s = at.end ? gx_source_of(rt, at) : NULL;
    uint32_t line = 0, column = 0;
    fflush(stdout);
    if (s) gx_source_place(rt, at, &line, &column);
    if (s) fprintf(stderr, "%s:%u: ", s->name, line);
    fprintf(stderr, "%s: %s\n", gx_error_name(kind), text);
}

static bool warn_at(gx_rt *rt, gx_error_kind kind, gx_span at, const char *text) {
    if (first_time(rt, at, text)) show(rt, kind, at, text);
    return true;
}

GX_CHECK bool gx_warn(gx_rt *rt, gx_error_kind kind, const char *fmt, ...) {
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return warn_at(rt, kind, rt->here, text);
}

GX_CHECK bool gx_fp_warn(gx_rt *rt, int conditions, const char *op, gx_span origin) {
    static const struct {
        int flag;
        const char *text;
    } kinds[] = {{GX_FP_DIVIDE | GX_FP_INTDIV, "divide by zero"}, {GX_FP_OVERFLOW, "overflow"}, {GX_FP_INVALID, "invalid value"}};
    char text[256];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!(conditions & kinds[i].flag)) continue;
        snprintf(text, sizeof text, "%s encountered in %s", kinds[i].text, op);
        if (!warn_at(rt, GX_RuntimeWarning, origin.end ? origin : rt->here, text)) return false;
    }
    return true;
}
