/* Positions of elements as coordinates: computed where the positions are. */
#include "runtime/array/shape.h"
#include "runtime/device/backends.h"
#include "runtime/graph/lazy.h"
#include "runtime/op/ufunc.h"
#include "runtime/op/whole.h"

/* op(a, number), which takes the reference to a. */
static bool with_number_take(gx_rt *rt, gx_opcode op, gx_array *a, int64_t number,
                             gx_array **out) {
    const gx_scalar n = {.i64 = number};
    gx_array *in[2] = {a, NULL};
    bool ok = gx_array_scalar(rt, GX_i64, &n, (gx_namespace)a->ns, &in[1]);
    if (ok) {
        ok = gx_op_arrays(rt, op, 2, in, out);
        gx_array_drop(in[1]);
    }
    gx_array_drop(a);
    return ok;
}

/* (linear / below) % size into a column; size 0: the first axis, which nothing wraps. */
static bool put_axis(gx_rt *rt, gx_array *linear, int64_t below, int64_t size, gx_array *rows,
                     int axis) {
    gx_array *x = linear, *column;
    gx_array_keep(x);
    if (below != 1 && !with_number_take(rt, GX_OP_floor_divide, x, below, &x)) return false;
    if (size && !with_number_take(rt, GX_OP_remainder, x, size, &x)) return false;
    const int64_t stride = gx_strides(rows)[0];
    bool ok = gx_array_view(rt, rows, GX_i64, 1, &linear->count, &stride,
                            rows->offset + axis * gx_strides(rows)[1], &column);
    if (ok) {
        ok = gx_array_store(rt, column, x);
        gx_array_drop(column);
    }
    gx_array_drop(x);
    return ok;
}

GX_CHECK bool gx_coordinates(gx_rt *rt, gx_array *linear, int ndim, const int64_t *shape,
                             bool columns, gx_array **out) {
    static const int by_columns[2] = {1, 0}, by_rows[2] = {0, 1};
    const int64_t size[2] = {linear->count, ndim};
    gx_array *rows;
    if (!gx_array_empty_in(rt, gx_array_place(linear), GX_i64, 2, size,
                           columns ? by_columns : by_rows, (gx_namespace)linear->ns, &rows))
        return false;
    int64_t below = 1;
    for (int i = ndim - 1; i >= 0; i--) {
        if (!put_axis(rt, linear, below, i ? shape[i] : 0, rows, i)) {
            gx_array_drop(rows);
            return false;
        }
        below *= shape[i];
    }
    *out = rows;
    return true;
}

GX_CHECK bool gx_places(gx_rt *rt, gx_array *a, bool columns, gx_array **out) {
    gx_array *flat, *found = NULL, *linear = NULL;
    if (a->ndim < 2 || a->count == 0 || gx_place_device(rt, gx_array_place(a))->backend->host)
        return gx_nonzero(rt, a, columns ? 'F' : 'C', out);
    if (!gx_reshape(rt, a, 1, &a->count, 'C', &flat)) return false;
    bool ok = gx_nonzero(rt, flat, 'C', &found) &&
              gx_reshape(rt, found, 1, &found->count, 'C', &linear) &&
              gx_coordinates(rt, linear, a->ndim, gx_shape(a), columns, out);
    gx_array_drop(flat);
    if (found) gx_array_drop(found);
    if (linear) gx_array_drop(linear);
    return ok;
}
