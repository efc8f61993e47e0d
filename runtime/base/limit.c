/* GX_MAX_MEMORY: everything that a program makes grow, counted together. What is counted: script
   memory (held), pages of arrays (mapped), memory of tasks on threads (outside), and the C stack as
   deep as it stands. As the stack's pages stay behind when it shrinks, they are given back before
   anything else takes their place. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/rt.h"

enum { PAGE = 4096, BELOW = 16 * PAGE, HEAD = 32, LEAST = 256 << 10 /* of C stack */ };

static size_t without_stack(const gx_rt *rt) {
    return rt->held + rt->mapped + __atomic_load_n(&rt->outside, __ATOMIC_RELAXED);
}

/* Pages below the part of the stack that is in use. */
static void give_back_stack(gx_rt *rt, char *here) {
    char *low = rt->stack_low, *end = here - BELOW;
    size_t over = (size_t)end % PAGE;
    low += (PAGE - (size_t)low % PAGE) % PAGE;
    end -= over;
    if (end > low) (void)madvise(low, (size_t)(end - low), MADV_DONTNEED);
}

bool gx_memory_allows(gx_rt *rt, size_t n) {
    char here;
    char *volatile at = &here; /* only compared, never followed */
    if (GX_LIKELY(!rt->debug.max_memory)) return true;
    size_t stack = rt->stack_top > at ? (size_t)(rt->stack_top - at) : 0;
    size_t used = without_stack(rt) + stack;
    if (used > rt->most || n > rt->most - used) return false;
    give_back_stack(rt, at);
    return true;
}

void gx_memory_moved(gx_rt *rt) {
    if (GX_LIKELY(!rt->debug.max_memory)) return;
    size_t used = without_stack(rt);
    size_t whole = (size_t)(rt->stack_top - rt->stack_low);
    size_t left = rt->most > used + LEAST ? rt->most - used : LEAST;
    rt->stack_limit = left >= whole ? rt->stack_low : rt->stack_top - left;
}

void gx_memory_mapped(gx_rt *rt, int64_t n) {
    rt->mapped += (size_t)n; /* modulo 2^64: n may be negative */
    gx_memory_moved(rt);
}

static bool claim(gx_rt *rt, size_t n) {
    size_t now = __atomic_add_fetch(&rt->outside, n, __ATOMIC_RELAXED);
    if (n < SIZE_MAX / 2 && rt->held + rt->mapped + now <= rt->most) return true;
    __atomic_sub_fetch(&rt->outside, n, __ATOMIC_RELAXED);
    return false;
}

/* The size stands in the head. */
static void *begin(gx_rt *rt, char *block, size_t n) {
    if (block) {
        memcpy(block, &n, sizeof n);
        return block + HEAD;
    }
    __atomic_sub_fetch(&rt->outside, n, __ATOMIC_RELAXED);
    return NULL;
}

void *gx_outside_alloc(gx_rt *rt, size_t n) {
    return claim(rt, n) ? begin(rt, aligned_alloc(HEAD, (HEAD + n + HEAD - 1) / HEAD * HEAD), n)
                        : NULL;
}

void *gx_outside_zero(gx_rt *rt, size_t n) {
    return claim(rt, n) ? begin(rt, calloc(1, HEAD + n), n) : NULL;
}

void gx_outside_free(gx_rt *rt, void *p) {
    size_t n;
    if (!p) return;
    char *block = (char *)p - HEAD;
    memcpy(&n, block, sizeof n);
    __atomic_sub_fetch(&rt->outside, n, __ATOMIC_RELAXED);
    free(block);
}
