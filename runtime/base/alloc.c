/* Script memory. Each block has a 16-byte head {context, size}, so that an object finds its context
   and statistics are exact. Small blocks come from free lists by size class, carved out of slabs
   that live as long as the context; large ones from malloc. Under AddressSanitizer every block is
   its own malloc, so that it sees each use after free. Array data is not here:
   runtime/backend/backend.h.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/rt.h"
#include "runtime/base/vec.h"

#if defined(__SANITIZE_ADDRESS__)
#define NO_SLABS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NO_SLABS 1
#endif
#endif
#ifndef NO_SLABS
#define NO_SLABS 0
#endif

enum { HEAD = 16, GRAIN = 32, SLAB = 1 << 16, LARGEST = GRAIN * (GX_ALLOC_CLASSES - 1) };
/* Of a large block: what is done with them counts as a step of the program. */
enum { STEP_BYTES = 256 };

typedef struct head {
    gx_rt *rt;
    size_t size; /* of the payload, as asked for */
} head;

/* A free small block: the link stands where the payload was. */
typedef struct free_block {
    struct free_block *next;
} free_block;

bool gx_alloc_may_fail(gx_rt *rt) {
    return rt->debug.fail_alloc > 0 && --rt->debug.fail_alloc == 0;
}

static void count_bytes(gx_rt *rt, int64_t more) {
    gx_stats *s = &rt->stats;
    s->live_bytes += more;
    if (s->live_bytes > s->peak_bytes) s->peak_bytes = s->live_bytes;
}

/* The size class of a block of n payload bytes; only asked for n that fit a class. */
static size_t class_of(size_t n) {
    return (n + HEAD + GRAIN - 1) / GRAIN;
}

static bool is_small(size_t n) {
    return !NO_SLABS && n <= LARGEST - HEAD;
}

static bool has_room(gx_rt *rt, size_t n) {
    return rt->held < rt->most && n <= rt->most - rt->held && gx_memory_allows(rt, n);
}

/* Carves a fresh slab into blocks of one class. */
static bool refill(gx_rt *rt, size_t class) {
    char *slab = has_room(rt, SLAB) ? malloc(SLAB) : NULL;
    if (!slab) return false;
    rt->held += SLAB;
    gx_memory_moved(rt);
    *(void **)slab = rt->slabs;
    rt->slabs = slab;
    size_t bytes = class * GRAIN;
    for (size_t at = GRAIN; at + bytes <= SLAB; at += bytes) {
        free_block *b = (free_block *)(slab + at);
        b->next = rt->free_blocks[class];
        rt->free_blocks[class] = b;
    }
    return true;
}

static head *take_small(gx_rt *rt, size_t n) {
    size_t class = class_of(n);
    if (GX_UNLIKELY(!rt->free_blocks[class]) && !refill(rt, class)) return NULL;
    free_block *b = rt->free_blocks[class];
    rt->free_blocks[class] = b->next;
    return (head *)(void *)b;
}

void *gx_alloc(gx_rt *rt, size_t n) {
    head *h = NULL;
    if (GX_LIKELY(!gx_alloc_may_fail(rt))) {
        if (is_small(n)) h = take_small(rt, n);
        else if (has_room(rt, n) && (h = malloc(HEAD + n))) {
            rt->held += n;
            gx_memory_moved(rt);
            rt->steps -= (int64_t)(n / STEP_BYTES);
        }
    }
    if (GX_UNLIKELY(!h)) {
        gx_no_memory(rt);
        return NULL;
    }
    h->rt = rt;
    h->size = n;
    rt->stats.live_blocks++;
    count_bytes(rt, (int64_t)n);
    return (char *)h + HEAD;
}

void *gx_alloc_zero(gx_rt *rt, size_t n) {
    void *p = gx_alloc(rt, n);
    return p ? memset(p, 0, n) : NULL;
}

void *gx_realloc(gx_rt *rt, void *p, size_t n) {
    if (!p) return gx_alloc(rt, n);
    head *h = (head *)(void *)((char *)p - HEAD);
    size_t before = h->size;
    if (is_small(before) && is_small(n) && class_of(before) == class_of(n)) {
        h->size = n;
        count_bytes(rt, (int64_t)n - (int64_t)before);
        return p;
    }
    if (is_small(before) || is_small(n)) {
        void *q = gx_alloc(rt, n);
        if (!q) return NULL;
        memcpy(q, p, before < n ? before : n);
        gx_free(rt, p);
        return q;
    }
    bool fits = !gx_alloc_may_fail(rt) && (n <= before || has_room(rt, n - before));
    head *q = fits ? realloc(h, HEAD + n) : NULL;
    if (GX_UNLIKELY(!q)) {
        gx_no_memory(rt);
        return NULL;
    }
    q->size = n;
    rt->held += n - before; /* modulo 2^64: n may be the smaller */
    gx_memory_moved(rt);
    count_bytes(rt, (int64_t)n - (int64_t)before);
    return (char *)q + HEAD;
}

static __attribute__((noinline)) void free_large(gx_rt *rt, head *h) {
    rt->held -= h->size;
    gx_memory_moved(rt);
    free(h);
}

void gx_free(gx_rt *rt, void *p) {
    if (!p) return;
    head *h = (head *)(void *)((char *)p - HEAD);
    rt->stats.live_blocks--;
    rt->stats.live_bytes -= (int64_t)h->size;
    if (!is_small(h->size)) {
        free_large(rt, h);
        return;
    }
    size_t class = class_of(h->size);
    free_block *b = (free_block *)(void *)h;
    b->next = rt->free_blocks[class];
    rt->free_blocks[class] = b;
}

void gx_slabs_free(gx_rt *rt) {
    for (void *s = rt->slabs, *next; s; s = next) {
        next = *(void **)s;
        free(s);
    }
    rt->slabs = NULL;
}

/* --- lists grow by half more each time; a failure leaves them as they are ------------------- */

enum { FIRST_ROOM = 8 };

bool gx_vec_grow(gx_rt *rt, void **items, size_t *room, size_t want, size_t item_bytes) {
    if (want <= *room) return true;
    size_t wanted = *room + *room / 2;
    if (wanted < FIRST_ROOM) wanted = FIRST_ROOM;
    if (wanted < want) wanted = want;
    if (wanted > PTRDIFF_MAX / item_bytes) return gx_no_memory(rt);
    void *grown = gx_realloc(rt, *items, wanted * item_bytes);
    if (!grown) return false;
    *items = grown;
    *room = wanted;
    return true;
}
