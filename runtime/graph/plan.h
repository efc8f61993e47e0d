/* Scratch of a plan: what it has emitted already. */
#ifndef GX_RUNTIME_GRAPH_PLAN_H
#define GX_RUNTIME_GRAPH_PLAN_H

#include "runtime/graph/lazy.h"

typedef struct gx_memo_entry {
    const gx_data *data;
    int64_t offset;
    uint16_t step;
    uint8_t dtype;
    int64_t strides[GX_MAX_DIMS];
} gx_memo_entry;

typedef struct gx_memo {
    int count;
    gx_memo_entry entry[GX_TAPE_STEPS];
} gx_memo;

/* Dims of a value by descending layout stride: order[0] is the outermost in memory. */
void gx_layout_order(int ndim, const int64_t *layout, int *order);

#endif
