/* Selections x[mask]: the tape's mask and elements are computed, then those that are true moved
   together. */
#include <string.h>

#include "runtime/backend/cpu/cpu_int.h"
#include "runtime/backend/loop.h"

/* Memory for output k of the tape, in C order. */
static bool give_room(gx_device *d, gx_tape *t, int k, int64_t total, gx_buffer **out) {
    int64_t step = gx_dtypes[t->step[t->out[k].step].dtype].bytes;
    if (!gx_pool_alloc(d, total * step, out)) return false;
    t->out[k].buf = *out;
    t->out[k].offset = 0;
    for (int i = t->ndim - 1; i >= 0; i--) {
        t->out[k].strides[i] = step;
        step *= t->shape[i];
    }
    return true;
}

#define MOVE(T)                                                                                    \
    do {                                                                                           \
        const T *x = from;                                                                         \
        T *y = to;                                                                                 \
        GX_LONG_LOOP(rt, i, 0, n) y[i] = x[at[i]];                                                 \
    } while (0)

static void move_items(const gx_rt *rt, int item, const int64_t *at, int64_t n, const void *from,
                       void *to) {
    switch (item) {
    case 1: MOVE(uint8_t); break;
    case 2: MOVE(uint16_t); break;
    case 4: MOVE(uint32_t); break;
    case 8: MOVE(uint64_t); break;
    default: MOVE(gx_c128);
    }
}

static bool select_true(gx_device *d, gx_tape *t, gx_buffer *part[3], gx_buffer **out,
                        int64_t *count, int *fp) {
    int64_t total = 1;
    for (int i = 0; i < t->ndim; i++) total *= t->shape[i];
    const int item = gx_dtypes[t->step[t->out[1].step].dtype].bytes;
    if (!give_room(d, t, 0, total, &part[0]) || !give_room(d, t, 1, total, &part[1]) ||
        !gx_run_tape(d, t, fp) || !gx_take_nonzero(d, part[0], 0, total, &part[2], count) ||
        !gx_pool_alloc(d, *count * item, out))
        return false;
    move_items(d->rt, item, (const int64_t *)(const void *)part[2]->data, *count, part[1]->data,
               (*out)->data);
    if (gx_work_end(d->rt)) return true;
    gx_buffer_drop(*out);
    return false;
}

bool gx_take_select(gx_device *d, const gx_tape *t, gx_buffer **out, int64_t *count, int *fp) {
    gx_buffer *part[3] = {NULL, NULL, NULL};
    gx_tape *own = gx_alloc(d->rt, sizeof *own);
    if (!own) return false;
    *own = *t;
    own->whole = false;
    *fp = 0;
    bool ok = select_true(d, own, part, out, count, fp);
    for (int i = 0; i < 3; i++) gx_buffer_drop(part[i]);
    gx_free(d->rt, own);
    return ok;
}
