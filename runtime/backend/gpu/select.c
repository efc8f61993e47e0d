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

static bool select_tape(gx_device *d, const gx_tape *t, gx_buffer **out, int64_t *count) {
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

/* --- in two steps, while kernels are compiled --- */

/* Is there a kernel for each pass? Where not, it is asked for. */
static bool find_passes(gx_gpu *g, const gx_tape *t, bool *found) {
    select_room *room = gx_alloc(g->base.rt, sizeof *room);
    gx_gpu_kernel *k;
    gx_buffer place = {.data = (char *)(uintptr_t)4096}; /* an address as scratch memory's */
    bool ok = room != NULL;
    *found = true;
    for (int pass = 0; pass < 2 && ok; pass++) {
        room->tape = *t;
        room->tape.out[0].buf = room->tape.out[1].buf = &place;
        gx_space_select(&room->space, &room->tape);
        gx_recipe *r = &room->space.recipe;
        r->split = (uint8_t)pass;
        ok = gx_gpu_kernel_soon(g, gx_gpu_family_TAPE(), room->params.key,
                                gx_space_key(r, room->params.key), "gx_kernel", r, &k);
        *found = *found && k;
    }
    gx_free(g->base.rt, room);
    return ok;
}

/* A tape that loads a mask and values out of whole buffers. */
static void plain_tape(gx_tape *plain, const gx_tape *t, gx_buffer *mask, gx_buffer *values) {
    const gx_dtype d = (gx_dtype)t->step[t->out[1].step].dtype;
    gx_buffer *const from[] = {mask, values};
    const gx_dtype dtype[] = {GX_bool, d};
    int64_t total = 1;
    for (int k = 0; k < t->ndim; k++) total *= t->shape[k];
    *plain = (gx_tape){.ndim = 1, .n_leaf = 2, .n_step = 2, .n_out = 2, .shape = {total}};
    for (int i = 0; i < 2; i++) {
        const int item = gx_dtypes[dtype[i]].bytes;
        plain->leaf[i] = (gx_leaf){.kind = GX_LEAF_BUFFER, .dtype = (uint8_t)dtype[i],
                                   .buf = from[i], .strides = {item}};
        plain->step[i] = (gx_step){.kind = GX_STEP_LOAD, .dtype = (uint8_t)dtype[i],
                                   .compute = (uint8_t)dtype[i], .arg = (uint16_t)i};
        plain->out[i].step = (uint16_t)i;
        plain->out[i].buf = from[i];
        plain->out[i].strides[0] = item;
    }
}

/* The mask and the values by a map, which the general kernel runs at once, and a selection of
   those, whose kernels were compiled with gx. */
static bool select_twice(gx_device *d, const gx_tape *t, gx_buffer **out, int64_t *count) {
    gx_tape *map = gx_alloc(d->rt, sizeof *map);
    gx_tape *plain = map ? gx_alloc(d->rt, sizeof *plain) : NULL;
    gx_buffer *room[2] = {NULL, NULL};
    bool ok = plain != NULL, full = false;
    if (ok) *map = *t;
    for (int i = 0; i < 2 && ok; i++) {
        int64_t step = gx_dtypes[t->step[t->out[i].step].dtype].bytes;
        for (int k = t->ndim - 1; k >= 0; k--) {
            map->out[i].strides[k] = step;
            step *= t->shape[k];
        }
        ok = gx_gpu_scratch(gx_gpu_of(d), step, &room[i]);
        full = !ok && d->rt->error.kind == GX_MemoryError;
        map->out[i].buf = room[i];
        map->out[i].offset = 0;
    }
    int fp = 0;
    if (ok) plain_tape(plain, t, room[0], room[1]);
    ok = ok && gx_gpu_run(d, map, &fp) && select_tape(d, plain, out, count);
    for (int i = 0; i < 2; i++)
        if (room[i]) gx_buffer_drop(room[i]);
    gx_free(d->rt, plain);
    gx_free(d->rt, map);
    if (!full) return ok;
    gx_error_clear(d->rt); /* no room for both: their own kernel has none of it */
    return select_tape(d, t, out, count);
}

/* Does it load a mask and values, and nothing else? */
static bool is_plain(const gx_tape *t) {
    return t->n_step == 2 && t->ndim == 1 && t->step[0].kind == GX_STEP_LOAD &&
           t->step[1].kind == GX_STEP_LOAD && t->leaf[0].kind == GX_LEAF_BUFFER;
}

GX_CHECK bool gx_gpu_select(gx_device *d, const gx_tape *t, gx_buffer **out, int64_t *count,
                            int *fp) {
    const uint8_t which = d->rt->debug.kernels;
    bool found = which == GX_KERNELS_OWN || is_plain(t);
    *fp = 0;
    if (!found && which != GX_KERNELS_GENERAL && !find_passes(gx_gpu_of(d), t, &found))
        return false;
    return found ? select_tape(d, t, out, count) : select_twice(d, t, out, count);
}
