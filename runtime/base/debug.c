/* Reads the switches that tests, limits and debugging use from the environment. An amount that
   cannot be read is kept as `wrong`, and gx does not start: a limit that is silently none would be
   worse. */
#include "runtime/base/debug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/amount.h"

#define MOST 0x1p62
enum { LOOP_ROUNDS = 300 };

/* "", "0" and unset are off; anything else is on. */
static bool read_flag(const char *name, bool otherwise) {
    const char *text = getenv(name);
    if (!text) return otherwise;
    return text[0] != '\0' && strcmp(text, "0") != 0;
}

/* A switch's amount; 0: it is not set. What cannot be read is told by `wrong`, the first only. */
static double read_amount(gx_debug *d, const char *name, gx_amount kind, double most) {
    const char *text = getenv(name);
    double n;
    if (!text || !text[0]) return 0;
    if (gx_amount_read(text, kind, most, &n)) return n;
    if (!d->wrong[0])
        snprintf(d->wrong, sizeof d->wrong, "%s is %s, not '%.60s'", name, gx_amount_words(kind),
                 text);
    return 0;
}

static int64_t read_count(gx_debug *d, const char *name, double most) {
    return (int64_t)read_amount(d, name, GX_AMOUNT_COUNT, most);
}

static int64_t read_bytes(gx_debug *d, const char *name) {
    return (int64_t)read_amount(d, name, GX_AMOUNT_BYTES, MOST);
}

void gx_debug_init(gx_debug *d) {
#ifdef NDEBUG
    const bool verify = false;
#else
    const bool verify = true;
#endif
    const char *trace = getenv("GX_TRACE"), *device = getenv("GX_DEVICE");
    const char *checked = getenv("GX_CHECKED"), *kernels = getenv("GX_KERNELS");
    *d = (gx_debug){
        .eager = read_flag("GX_EAGER", false),
        .nofuse = read_flag("GX_NOFUSE", false),
        .leaks = read_flag("GX_LEAKS", false),
        .poison = read_flag("GX_POISON", false),
        .small = read_flag("GX_SMALL", true),
        .verify = read_flag("GX_VERIFY", verify),
        .trace_tape = trace && strcmp(trace, "tape") == 0,
        .unchecked = checked && strcmp(checked, "off") == 0,
        .checked_strict = getenv("GX_CHECKED_STRICT") != NULL,
        .safe = read_flag("GX_SAFE", false),
    };
    if (kernels && strcmp(kernels, "both") == 0) d->kernels = GX_KERNELS_BOTH;
    if (kernels && strcmp(kernels, "general") == 0) d->kernels = GX_KERNELS_GENERAL;
    if (kernels && strcmp(kernels, "own") == 0) d->kernels = GX_KERNELS_OWN;
    snprintf(d->device, sizeof d->device, "%s", device ? device : "");
    d->block = read_count(d, "GX_BLOCK", 1 << 24);
    d->fail_alloc = read_count(d, "GX_FAIL_ALLOC", MOST);
    const char *loops = getenv("GX_LOOPS");
    d->loops =
        loops && strcmp(loops, "0") == 0 ? INT64_MAX : read_count(d, "GX_LOOPS", INT32_MAX);
    if (d->loops == 0) d->loops = LOOP_ROUNDS;
    d->threads = (int)read_count(d, "GX_THREADS", 4096);
    d->gc_threshold = read_count(d, "GX_GC", MOST);
    d->max_steps = read_count(d, "GX_MAX_STEPS", MOST);
    d->max_seconds = read_amount(d, "GX_MAX_SECONDS", GX_AMOUNT_SECONDS, INT32_MAX);
    d->max_memory = read_bytes(d, "GX_MAX_MEMORY");
    d->gpu_memory = read_bytes(d, "GX_GPU_MEMORY");
}
