/* A bump allocator: AST nodes and scratch that die together. Memory is cleared, 16-byte aligned. */
#ifndef GX_RUNTIME_BASE_ARENA_H
#define GX_RUNTIME_BASE_ARENA_H

#include "runtime/base/rt.h"

typedef struct gx_arena_block gx_arena_block;
typedef struct gx_arena {
    gx_rt *rt;
    gx_arena_block *blocks;
    char *next, *end;
} gx_arena;

static inline gx_arena gx_arena_new(gx_rt *rt) {
    return (gx_arena){.rt = rt};
}
/* Cleared memory, or NULL with MemoryError pending. */
GX_CHECK void *gx_arena_alloc(gx_arena *a, size_t bytes);
/* A NUL-terminated copy. */
GX_CHECK char *gx_arena_copy(gx_arena *a, const char *text, size_t length);
void gx_arena_free(gx_arena *a);

#endif
