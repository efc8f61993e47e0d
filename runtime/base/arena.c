/* The bump allocator. Blocks grow with use, so a one-line REPL entry costs one small block and a
   long file few large ones. Nothing is given back before gx_arena_free. Invariant: next and end
   are 16-byte aligned and lie in one block, or both are NULL. */
#include "runtime/base/arena.h"

#include <string.h>

enum { ALIGN = 16, FIRST_BLOCK = 4096, LAST_BLOCK = 256 * 1024 };

struct gx_arena_block {
    gx_arena_block *next;
    size_t bytes; /* after this head */
};

_Static_assert(sizeof(gx_arena_block) % ALIGN == 0, "what follows a block's head is aligned");

static gx_arena_block *add_block(gx_arena *a, size_t bytes) {
    gx_arena_block *block = gx_alloc(a->rt, sizeof *block + bytes);
    if (!block) return NULL;
    block->bytes = bytes;
    block->next = a->blocks;
    a->blocks = block;
    return block;
}

void *gx_arena_alloc(gx_arena *a, size_t bytes) {
    if (bytes > PTRDIFF_MAX / 2) {
        gx_no_memory(a->rt);
        return NULL;
    }
    size_t n = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    if (n == 0) n = ALIGN;
    char *p = a->next;
    if ((size_t)(a->end - a->next) < n) {
        size_t size = a->blocks ? a->blocks->bytes * 2 : FIRST_BLOCK;
        if (size > LAST_BLOCK) size = LAST_BLOCK;
        /* A big piece gets a block of its own; the current one stays in use. */
        bool own = n > size / 4;
        gx_arena_block *block = add_block(a, own ? n : size);
        if (!block) return NULL;
        p = (char *)(block + 1);
        if (own) return memset(p, 0, n);
        a->end = p + size;
    }
    a->next = p + n;
    return memset(p, 0, n);
}

char *gx_arena_copy(gx_arena *a, const char *text, size_t length) {
    char *copy = gx_arena_alloc(a, length + 1);
    if (copy && length) memcpy(copy, text, length);
    return copy;
}

void gx_arena_free(gx_arena *a) {
    gx_arena_block *block = a->blocks;
    while (block) {
        gx_arena_block *next = block->next;
        gx_free(a->rt, block);
        block = next;
    }
    a->blocks = NULL;
    a->next = a->end = NULL;
}
