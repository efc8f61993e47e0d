/* Compiled loops: making and freeing them. */
#include "interp/loops/code.h"

#include <string.h>
#include <sys/mman.h>

bool gx_loops_possible(void) {
#if defined(__x86_64__)
    return true;
#else
    return false;
#endif
}

static bool copy(gx_rt *rt, const void *from, size_t bytes, void *out) {
    void *p = gx_alloc(rt, bytes ? bytes : 1);
    if (!p) return false;
    memcpy(p, from, bytes);
    memcpy(out, &p, sizeof p);
    return true;
}

static gx_number_loop *make(gx_lowered *l, gx_number_loop *older) {
    gx_rt *rt = l->view->rt;
    gx_number_loop *loop = gx_alloc_zero(rt, sizeof *loop);
    if (!loop) return NULL;
    loop->name_count = l->name_count;
    loop->watched_count = l->watched_count;
    loop->site_count = l->site_count;
    loop->sites = gx_alloc_zero(rt, (size_t)l->site_count * sizeof *loop->sites);
    bool ok = loop->sites && gx_loop_write(l, loop) &&
              copy(rt, l->names, (size_t)l->name_count * sizeof *l->names, &loop->names) &&
              copy(rt, l->watched, (size_t)l->watched_count * sizeof *l->watched, &loop->watched);
    if (!ok) {
        gx_loop_free(rt, loop);
        return NULL;
    }
    loop->older = older;
    return loop;
}

gx_number_loop *gx_loop_compile(const gx_loop_view *view, const gx_node *node,
                                gx_number_loop *older) {
    gx_rt *rt = view->rt;
    if (!gx_loops_possible()) return NULL;
    gx_lowered *l = gx_alloc_zero(rt, sizeof *l);
    gx_number_loop *loop = NULL;
    if (l) {
        l->view = view;
        l->arena = gx_arena_new(rt);
        if (gx_loop_lower(l, node, older)) loop = make(l, older);
        gx_arena_free(&l->arena);
        gx_free(rt, l);
    }
    if (!loop) gx_error_clear(rt);
    return loop;
}

void gx_loop_free(gx_rt *rt, gx_number_loop *loop) {
    while (loop) {
        gx_number_loop *older = loop->older;
        if (loop->code) {
            munmap(loop->code, loop->size);
            gx_memory_mapped(rt, -(int64_t)loop->size);
        }
        gx_free(rt, loop->names);
        gx_free(rt, loop->watched);
        gx_free(rt, loop->sites);
        gx_free(rt, loop);
        loop = older;
    }
}

void gx_hot_free(gx_rt *rt, gx_node *n) {
    gx_hot *hot = n->memo;
    if (!hot) return;
    gx_loop_free(rt, hot->loop);
    gx_free(rt, hot);
    n->memo = NULL;
}
