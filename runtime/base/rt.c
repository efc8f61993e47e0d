/* The context: its birth and death, script memory, and the C stack's limit.

   Script memory is alloc.c. Array buffers have pools of their own in the backends. Only
   the interpreter's thread allocates; worker threads of a backend never call these functions.
   Invariant: stats.live_blocks is 0 when everything has been given back. */
#include "runtime/base/rt.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STACK_RESERVE = 256 * 1024, STACK_GUESS = 1024 * 1024, CALL_DEPTH = 1000 };

/* The lowest address that the current thread's stack may reach, with a reserve for C code that
   does not check and for reporting the error itself. */
static char *find_stack_limit(char *top) {
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

/* Script memory may take seven eighths of the machine's: a MemoryError can be caught, the kernel's
   choice of a victim cannot. */
static size_t most_memory(void) {
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (size_t)pages / 8 * 7 * (size_t)page : SIZE_MAX;
}

void gx_stack_here(gx_rt *rt) {
    char here;
    char *volatile top = &here; /* only compared, never followed */
    rt->stack_top = top;
    rt->stack_low = rt->stack_limit = find_stack_limit(top);
    gx_memory_moved(rt);
}

gx_rt *gx_rt_new(void) {
    return gx_rt_new_with(NULL, NULL);
}

gx_rt *gx_rt_new_with(void (*set_up)(gx_rt *rt, void *self), void *self) {
    gx_rt *rt = calloc(1, sizeof *rt);
    if (!rt) return NULL;
    gx_debug_init(&rt->debug);
    if (set_up) set_up(rt, self);
    rt->max_depth = CALL_DEPTH;
    rt->most = most_memory();
    if (rt->debug.max_memory && (size_t)rt->debug.max_memory < rt->most)
        rt->most = (size_t)rt->debug.max_memory;
    if (rt->debug.max_memory) mallopt(M_MMAP_THRESHOLD, 1 << 17); /* what is freed goes back */
    gx_stack_here(rt);
    rt->steps = rt->debug.max_steps ? rt->debug.max_steps : INT64_MAX;
    return rt;
}

void gx_rt_free(gx_rt *rt) {
    if (!rt) return;
    gx_error_clear(rt);
    gx_sources_free(rt);
    gx_symtab_free(rt);
    gx_slabs_free(rt);
    free(rt);
}

bool gx_stop(gx_rt *rt) {
    if (rt->late) {
        rt->steps = -1;
        gx_fail(rt, GX_KeyboardInterrupt, "limit.time", "stopped after %g seconds",
                rt->debug.max_seconds);
        return gx_note(rt, "GX_MAX_SECONDS allows no more");
    }
    rt->interrupted = 0;
    if (rt->map_lost) {
        rt->map_lost = 0;
        gx_fail(rt, GX_OSError, "map.lost", "a memory map's file has lost the bytes at this place");
        return gx_note(rt, "the file was made shorter, or its disk is full: what was written there "
                           "is lost, and zeros are read");
    }
    if (rt->steps >= 0) return gx_fail(rt, GX_KeyboardInterrupt, "", "%s", "");
    rt->steps = -1;
    gx_fail(rt, GX_KeyboardInterrupt, "limit.steps", "stopped after %lld steps",
            (long long)rt->debug.max_steps);
    return gx_note(rt, "GX_MAX_STEPS allows no more");
}

bool gx_interrupt_check(gx_rt *rt) {
    return GX_LIKELY(!gx_must_stop(rt)) || gx_stop(rt);
}

bool gx_stack_check(gx_rt *rt) {
    if (GX_LIKELY(gx_stack_ok(rt))) return true;
    gx_memory_moved(rt); /* what else was held may have been given back */
    if (gx_stack_ok(rt)) return true;
    gx_fail(rt, GX_RecursionError, "stack.depth",
            "maximum recursion depth exceeded: the C stack is used up");
    if (rt->stack_limit > rt->stack_low) gx_note(rt, "GX_MAX_MEMORY allows no more");
    return false;
}
