/* Selections x[mask]: one launch of the SELECT form. Its memory is a word for what was found in
   all and a word for each tile. A tile waits for those before it: blocks start in their order. */
#include "runtime/cuda/emit_int.h"

typedef struct select_room {
    gx_space space;
    gx_params params;
} select_room;

static bool run(gx_cuda *c, const gx_tape *t, select_room *room, int64_t *count) {
    gx_buffer *words;
    uint64_t found;
    gx_space_select(&room->space, t);
    int64_t bytes = (room->space.blocks + 1) * 8;
    if (!gx_cuda_scratch(c, bytes, &words)) return false;
    gx_cuda_ptr at = gx_cuda_address(words);
    gx_params_space(&room->params, &room->space);
    gx_params_i64(&room->params, (int64_t)at);
    bool ok = gx_cuda_fill_bytes(c, at, 0, bytes) &&
              gx_cuda_launch_space(c, &room->space, &room->params) &&
              gx_cuda_download(c, &found, at, sizeof found);
    gx_buffer_drop(words);
    if (ok) *count = (int64_t)found;
    return ok;
}

GX_CHECK bool gx_cuda_select(gx_device *d, const gx_tape *t, gx_buffer *to, int64_t *count) {
    gx_tape *own = gx_alloc(d->rt, sizeof *own);
    select_room *room = gx_alloc(d->rt, sizeof *room);
    bool ok = own && room;
    if (ok) {
        *own = *t;
        own->out[0].buf = own->out[1].buf = to;
        ok = run(gx_cuda_of(d), own, room, count);
    }
    gx_free(d->rt, room);
    gx_free(d->rt, own);
    return ok;
}
