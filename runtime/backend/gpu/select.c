/* Selections x[mask]: two launches of the SELECT form. The first leaves a bit for each element and
   counts them, for each tile, for each group of 256 tiles and in all; then the result has its
   memory, and the second puts the elements there. */
#include "runtime/backend/gpu/emit_int.h"

enum { GROUP = 256 };

typedef struct select_room {
    gx_tape tape;
    gx_space space;
    gx_params params;
} select_room;

/* What both passes share (gx_found in kernels/device.cu). */
typedef struct select_words {
    gx_buffer *sums, *tiles, *marks; /* sums: of all, then of groups */
} select_words;

static bool run_pass(gx_gpu *g, select_room *room, const select_words *w, int pass) {
    gx_params *p = &room->params;
    room->space.recipe.split = (uint8_t)pass;
    gx_params_space(p, &room->space);
    gx_params_i64(p, (int64_t)gx_gpu_address(w->sums));
    gx_params_i64(p, (int64_t)gx_gpu_address(w->sums) + 8);
    gx_params_i64(p, (int64_t)gx_gpu_address(w->tiles));
    gx_params_i64(p, (int64_t)gx_gpu_address(w->marks));
    return gx_gpu_launch_space(g, &room->space, p);
}

static bool run_select(gx_device *d, select_room *room, select_words *w, gx_buffer **out,
                       int64_t *count) {
    gx_gpu *g = gx_gpu_of(d);
    gx_space *s = &room->space;
    const gx_tape *t = &room->tape;
    uint64_t found;
    const int item = gx_dtypes[t->step[t->out[1].step].dtype].bytes;
    int64_t groups = (s->blocks + GROUP - 1) / GROUP;
    int64_t marks = s->blocks * GX_GPU_THREADS * ((GX_SELECT_PACKS * s->recipe.width + 7) / 8);
    if (!gx_gpu_scratch(g, (1 + groups) * 8, &w->sums) ||
        !gx_gpu_scratch(g, s->blocks * 4, &w->tiles) || !gx_gpu_scratch(g, marks, &w->marks))
        return false;
    if (!gx_gpu_fill(g, gx_gpu_address(w->sums), 0, (1 + groups) * 8) ||
        !run_pass(g, room, w, 0) ||
        !gx_gpu_download(g, &found, gx_gpu_address(w->sums), sizeof found) ||
        !d->backend->alloc(d, (int64_t)found * item, out))
        return false;
    s->port[t->n_leaf + 1].base = (int64_t)gx_gpu_address(*out);
    if (found > 0 && !run_pass(g, room, w, 1)) {
        gx_buffer_drop(*out);
        return false;
    }
    *count = (int64_t)found;
    return true;
}

GX_CHECK bool gx_gpu_select(gx_device *d, const gx_tape *t, gx_buffer **out, int64_t *count,
                            int *fp) {
    *fp = 0;
    select_room *room = gx_alloc(d->rt, sizeof *room);
    select_words w = {NULL, NULL, NULL};
    gx_buffer *place = NULL;
    bool ok = room && gx_gpu_scratch(gx_gpu_of(d), 64, &place);
    if (ok) {
        room->tape = *t;
        room->tape.out[0].buf = room->tape.out[1].buf = place; /* the result is made later */
        gx_space_select(&room->space, &room->tape);
        ok = run_select(d, room, &w, out, count);
    }
    gx_buffer_drop(w.sums);
    gx_buffer_drop(w.tiles);
    gx_buffer_drop(w.marks);
    gx_buffer_drop(place);
    gx_free(d->rt, room);
    return ok;
}
