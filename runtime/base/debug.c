/* Reads the switches that tests and debugging use from the environment. A switch that is set to
   something unreadable counts as not set: a stray variable never stops a script. */
#include "runtime/base/debug.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* "", "0" and unset are off; anything else is on. */
static bool read_flag(const char *name, bool otherwise) {
    const char *text = getenv(name);
    if (!text) return otherwise;
    return text[0] != '\0' && strcmp(text, "0") != 0;
}

static int64_t read_number(const char *name, int64_t low, int64_t high) {
    const char *text = getenv(name);
    if (!text || !text[0]) return 0;
    char *end = NULL;
    errno = 0;
    long long n = strtoll(text, &end, 10);
    if (errno || *end || n < low || n > high) return 0;
    return (int64_t)n;
}

void gx_debug_init(gx_debug *d) {
#ifdef NDEBUG
    const bool verify = false;
#else
    const bool verify = true;
#endif
    const char *trace = getenv("GX_TRACE");
    *d = (gx_debug){
        .eager = read_flag("GX_EAGER", false),
        .nofuse = read_flag("GX_NOFUSE", false),
        .leaks = read_flag("GX_LEAKS", false),
        .poison = read_flag("GX_POISON", false),
        .small = read_flag("GX_SMALL", true),
        .verify = read_flag("GX_VERIFY", verify),
        .trace_tape = trace && strcmp(trace, "tape") == 0,
        .block = read_number("GX_BLOCK", 1, 1 << 24),
        .fail_alloc = read_number("GX_FAIL_ALLOC", 1, INT64_MAX),
        .threads = (int)read_number("GX_THREADS", 1, 4096),
        .gc_threshold = read_number("GX_GC", 1, INT64_MAX),
        .max_steps = read_number("GX_MAX_STEPS", 1, INT64_MAX),
        .max_seconds = read_number("GX_MAX_SECONDS", 1, INT32_MAX),
        .max_memory = read_number("GX_MAX_MEMORY", 1, INT64_MAX),
        .safe = read_flag("GX_SAFE", false),
    };
}
