/* The context: its birth and death, script memory, and the C stack's limit.

   All memory of a script passes through here, so that it can be counted and so that GX_FAIL_ALLOC
   can make any one allocation fail. Array buffers have pools of their own in the backends. Only
   the interpreter's thread allocates; worker threads of a backend never call these functions.
   Invariant: stats.live_blocks is 0 when everything has been given back. */
#include "runtime/base/rt.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_RESERVE = 256 * 1024, STACK_GUESS = 1024 * 1024, CALL_DEPTH = 1000 };

/* The lowest address that the current thread's stack may reach, with a reserve for C code that
   does not check and for reporting the error itself. */
static char *find_stack_limit(void) {
    char here;
    /* Through a volatile copy: the address is only compared, never followed. */
    char *volatile top = &here;
    pthread_attr_t attr;
    if (pthread_getattr_np(pthread_self(), &attr) != 0) return top - STACK_GUESS;
    void *low = NULL;
    size_t size = 0;
    int failed = pthread_attr_getstack(&attr, &low, &size);
    pthread_attr_destroy(&attr);
    if (failed || !low || size == 0) return top - STACK_GUESS;
    size_t reserve = size / 4 < STACK_RESERVE ? size / 4 : STACK_RESERVE;
    return (char *)low + reserve;
}

gx_rt *gx_rt_new(void) {
    gx_rt *rt = calloc(1, sizeof *rt);
    if (!rt) return NULL;
    gx_debug_init(&rt->debug);
    rt->stack_limit = find_stack_limit();
    rt->max_depth = CALL_DEPTH;
    return rt;
}

void gx_rt_free(gx_rt *rt) {
    if (!rt) return;
    gx_error_clear(rt);
    gx_sources_free(rt);
    gx_symtab_free(rt);
    free(rt);
}

/* True when GX_FAIL_ALLOC has chosen this allocation. */
static bool must_fail(gx_rt *rt) {
    return rt->debug.fail_alloc > 0 && --rt->debug.fail_alloc == 0;
}

static void count_new(gx_rt *rt, void *p) {
    gx_stats *s = &rt->stats;
    s->live_blocks++;
    s->live_bytes += (int64_t)malloc_usable_size(p);
    if (s->live_bytes > s->peak_bytes) s->peak_bytes = s->live_bytes;
}

void *gx_alloc(gx_rt *rt, size_t n) {
    void *p = GX_UNLIKELY(must_fail(rt)) ? NULL : malloc(n ? n : 1);
    if (GX_UNLIKELY(!p)) {
        gx_no_memory(rt);
        return NULL;
    }
    count_new(rt, p);
    return p;
}

void *gx_alloc_zero(gx_rt *rt, size_t n) {
    void *p = GX_UNLIKELY(must_fail(rt)) ? NULL : calloc(1, n ? n : 1);
    if (GX_UNLIKELY(!p)) {
        gx_no_memory(rt);
        return NULL;
    }
    count_new(rt, p);
    return p;
}

void *gx_realloc(gx_rt *rt, void *p, size_t n) {
    if (!p) return gx_alloc(rt, n);
    int64_t before = (int64_t)malloc_usable_size(p);
    void *q = GX_UNLIKELY(must_fail(rt)) ? NULL : realloc(p, n ? n : 1);
    if (GX_UNLIKELY(!q)) {
        gx_no_memory(rt);
        return NULL;
    }
    gx_stats *s = &rt->stats;
    s->live_bytes += (int64_t)malloc_usable_size(q) - before;
    if (s->live_bytes > s->peak_bytes) s->peak_bytes = s->live_bytes;
    return q;
}

void gx_free(gx_rt *rt, void *p) {
    if (!p) return;
    rt->stats.live_blocks--;
    rt->stats.live_bytes -= (int64_t)malloc_usable_size(p);
    free(p);
}

bool gx_stack_check(gx_rt *rt) {
    if (GX_LIKELY(gx_stack_ok(rt))) return true;
    return gx_fail(rt, GX_RecursionError, "stack.depth",
                   "maximum recursion depth exceeded: the C stack is used up");
}
