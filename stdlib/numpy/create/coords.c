/* Positions: unravel_index and ravel_multi_index, the indices of triangles. All results are int64
   arrays, one an axis. */
#include <string.h>

#include "runtime/array/shape.h"
#include "runtime/device/work.h"
#include "runtime/object/still.h"
#include "stdlib/numpy/base/call.h"

extern const gx_native gx_np_coords_functions[];

/* --- flat positions and back --- */

static bool index_array(gx_np *s, gx_borrowed v, gx_array **out) {
    gx_array *a = gx_np_arr(s, v);
    if (!a) return false;
    if (gx_np_is_float(a->dtype) && a->count == 0 && !gx_is_array(v))
        return gx_fail(s->rt, GX_TypeError, "index.dtype",
                       "indices must be integral: the provided empty sequence was inferred as "
                       "float. Wrap it with 'np.array(indices, dtype=np.intp)'");
    if (gx_np_is_float(a->dtype))
        return gx_fail(s->rt, GX_TypeError, "index.dtype", "only int indices permitted");
    *out = gx_np_cast(s, a, GX_i64);
    return *out != NULL;
}

/* n arrays of one shape with the axes in the order of an elementwise result, and that order. */
static bool walk_order(gx_np *s, int n, gx_array **a, int *order) {
    const int64_t *strides[GX_MAX_DIMS];
    for (int k = 0; k < n; k++) strides[k] = gx_strides(a[k]);
    gx_order_of_operands(n ? a[0]->ndim : 0, n, strides, order);
    for (int k = 0; k < n; k++) {
        gx_array *turned;
        if (!gx_transpose(s->rt, a[k], order, &turned)) return false;
        if (!(a[k] = gx_np_contiguous(s, gx_np_own(s, turned)))) return false;
    }
    return true;
}

/* n results: arrays, or scalars where they are 0-d, in a tuple. */
static bool give_coords(gx_np *s, int n, gx_array *const *a, bool scalars, gx_value *out) {
    gx_value items[GX_MAX_DIMS];
    bool ok = true;
    int made = 0;
    if (!scalars) return gx_np_give_tuple(s, n, a, out);
    for (; ok && made < n; made++) {
        if (!a[made]) return gx_np_end(s, false);
        gx_array_keep(a[made]);
        ok = gx_array_result_take(s->rt, a[made], &items[made]);
        if (!ok) break;
    }
    if (ok) return gx_np_end(s, gx_tuple_take(s->rt, n, items, out));
    for (int i = 0; i < made; i++) gx_drop(items[i]);
    return gx_np_end(s, false);
}

static bool fail_outside(gx_np *s, int64_t at, int64_t size) {
    return gx_fail(s->rt, GX_ValueError, "index.range",
                   "index %lld is out of bounds for array with size %lld", (long long)at,
                   (long long)size);
}

enum { FEW = 256 }; /* positions: a loop over them takes less time than operations on arrays */

/* The coordinates of few positions, side by side. */
static bool unravel_few(gx_np *s, gx_array *index, int n, const int64_t *shape, int64_t size,
                        bool first_fastest, gx_array *rows) {
    const int64_t *at = gx_np_data(s, index);
    int64_t *to = gx_np_data_write(s, rows);
    if (!at || !to) return false;
    for (int64_t i = 0; i < index->count; i++) {
        int64_t rest = at[i];
        if (rest < 0 || rest >= size) return fail_outside(s, rest, size);
        for (int k = 0; k < n; k++) {
            int d = first_fastest ? k : n - 1 - k;
            to[i * n + d] = rest % shape[d];
            rest /= shape[d];
        }
    }
    return true;
}

static gx_array *logical_or(gx_np *s, gx_array *a, gx_array *b) {
    return gx_np_op2(s, GX_OP_logical_or, a, b);
}

/* Where numbers are not in 0 … n - 1. */
static gx_array *outside(gx_np *s, gx_array *a, int64_t n) {
    return logical_or(s, gx_np_op2(s, GX_OP_less, a, gx_np_i64(s, 0)),
                      gx_np_op2(s, GX_OP_greater_equal, a, gx_np_i64(s, n)));
}

/* The first true element's position, -1: there is none. */
static bool first_true(gx_np *s, gx_array *a, int64_t *out) {
    gx_scalar any, first;
    gx_array *r = a ? gx_np_reduce(s, GX_RED_any, a, gx_np_all(a), false, GX_NO_DTYPE) : NULL;
    *out = -1;
    if (!r || !gx_array_item(s->rt, r, &any)) return false;
    if (!any.b) return true;
    r = gx_np_reduce(s, GX_RED_argmax, gx_np_flat(s, a), 1, false, GX_NO_DTYPE);
    if (!r || !gx_array_item(s->rt, r, &first)) return false;
    *out = first.i64;
    return true;
}

/* The same of many, where they live. */
static bool unravel_many(gx_np *s, gx_array *index, int n, const int64_t *shape, int64_t size,
                         bool first_fastest, gx_array *rows) {
    int64_t wrong, below = 1;
    if (!first_true(s, outside(s, index, size), &wrong)) return false;
    if (wrong >= 0) {
        gx_scalar at;
        gx_array *flat = gx_np_flat(s, index), *one = flat ? gx_np_at(s, flat, 0, wrong) : NULL;
        return one && gx_array_item(s->rt, one, &at) && fail_outside(s, at.i64, size);
    }
    for (int k = 0; k < n; k++) {
        const int d = first_fastest ? k : n - 1 - k;
        gx_array *x = index, *to = gx_np_at(s, rows, index->ndim, d);
        if (below > 1) x = gx_np_op2(s, GX_OP_floor_divide, x, gx_np_i64(s, below));
        if (k < n - 1) x = gx_np_op2(s, GX_OP_remainder, x, gx_np_i64(s, shape[d]));
        if (!x || !to || !gx_array_store(s->rt, to, x)) return false;
        below *= shape[d];
    }
    return true;
}

static bool unravel_index_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *index, *rows, *r[GX_MAX_DIMS];
    int64_t shape[GX_MAX_DIMS], room[GX_MAX_DIMS + 1], size;
    int n, walk[GX_MAX_DIMS + 1];
    char order;
    if (!gx_np_new_order_arg(c, 2, &order) || !index_array(&s, c->argv[0], &index) ||
        !gx_shape_of(c->rt, c->argv[1], GX_SIZES_SIGNED, "unravel_index", &n, shape))
        return gx_np_end(&s, false);
    if (n == 0 && index->ndim)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "index.range",
                                     "multiple indices are not supported for 0d arrays"));
    if (!walk_order(&s, 1, &index, walk)) return gx_np_end(&s, false);
    if (n == 1 && shape[0] < 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "shape.negative",
                                     "unravel_index: negative dimensions are not allowed"));
    size = 1;
    for (int k = 0; k < n; k++) /* a size beyond 64 bits is read as the largest one */
        if (shape[k] == INT64_MAX || __builtin_mul_overflow(size, shape[k], &size))
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "index.dims",
                                         "dimensions are too large; arrays and shapes with a "
                                         "total size greater than 'intp' are not supported."));
    memcpy(room, gx_shape(index), index->ndim * sizeof *room);
    room[index->ndim] = n; /* the coordinates of an element lie side by side */
    walk[index->ndim] = index->ndim;
    rows = gx_np_empty_near(&s, index, GX_i64, index->ndim + 1, room);
    if (!rows || !(index->count > FEW ? unravel_many : unravel_few)(&s, index, n, shape, size,
                                                                   order == 'F', rows))
        return gx_np_end(&s, false);
    rows = gx_np_laid_back(&s, rows, walk);
    for (int k = 0; k < n; k++)
        if (!(r[k] = gx_np_at(&s, rows, index->ndim, k))) return gx_np_end(&s, false);
    return give_coords(&s, n, r, index->ndim == 0, out);
}

/* A coordinate brought into 0 … n - 1 as a mode says; false: it is outside. */
static bool fit(char mode, int64_t n, int64_t *x) {
    if (*x >= 0 && *x < n) return true;
    if (mode == 'r' || n <= 0) return false;
    if (mode == 'c')
        *x = *x < 0 ? 0 : n - 1;
    else
        *x = (*x % n + n) % n;
    return true;
}

/* One mode for all axes, or a tuple of one an axis. */
static bool modes_arg(gx_call *c, int i, int n, char *modes) {
    const gx_value *items;
    int64_t many = gx_sequence_items(c->argv[i], &items);
    GX_STILL(own);
    if (many == n && !gx_still_items(c->rt, c->argv[i], &own, &items, &many)) return false;
    for (int k = 0; k < n; k++) {
        gx_borrowed v = many == n ? items[k] : c->argv[i];
        if (!gx_np_clip_mode(c->rt, v, &modes[k])) return false;
    }
    return true;
}

/* Sets have no first item. */
static bool in_order(gx_call *c, int i) {
    return c->argv[i].tag != GX_SET ||
           gx_fail(c->rt, GX_ValueError, "index.count",
                   "parameter multi_index must be a sequence, not a set");
}

static bool fail_entry(gx_np *s, int n, const int64_t *dims) {
    for (int k = 0; k < n; k++)
        if (!dims[k])
            return gx_fail(s->rt, GX_ValueError, "index.range",
                           "cannot unravel if shape has zero entries (is empty).");
    return gx_fail(s->rt, GX_ValueError, "index.range", "invalid entry in coordinates array");
}

/* The flat positions of few coordinates. */
static gx_array *ravel_few(gx_np *s, int n, gx_array *const *x, const int64_t *dims,
                           const char *modes, bool first_fastest, int ndim, const int64_t *shape) {
    const int64_t *at[GX_MAX_DIMS];
    gx_array *r = gx_np_empty(s, GX_i64, ndim, shape);
    int64_t *to = gx_np_data_write(s, r);
    for (int k = 0; k < n; k++)
        if (!(at[k] = gx_np_data(s, x[k]))) return NULL;
    if (!to) return NULL;
    for (int64_t i = 0; i < r->count; i++) {
        to[i] = 0;
        for (int k = 0; k < n; k++) {
            int d = first_fastest ? n - 1 - k : k;
            int64_t v = at[d][i];
            if (!fit(modes[d], dims[d], &v)) {
                (void)fail_entry(s, n, dims);
                return NULL;
            }
            to[i] = to[i] * dims[d] + v;
        }
    }
    return r;
}

/* The same of many, where they live. */
static gx_array *ravel_many(gx_np *s, int n, gx_array *const *x, const int64_t *dims,
                            const char *modes, bool first_fastest) {
    gx_array *r = NULL, *wrong = NULL;
    int64_t first;
    for (int k = 0; k < n; k++) {
        const int d = first_fastest ? n - 1 - k : k;
        gx_array *v = x[d];
        if (modes[d] == 'r' || dims[d] <= 0) {
            gx_array *out = outside(s, v, dims[d]);
            wrong = wrong ? logical_or(s, wrong, out) : out;
            if (!wrong) return NULL;
        } else if (modes[d] == 'w') {
            v = gx_np_op2(s, GX_OP_remainder, v, gx_np_i64(s, dims[d]));
        } else {
            v = gx_np_op3(s, GX_OP_clip, v, gx_np_i64(s, 0), gx_np_i64(s, dims[d] - 1));
        }
        if (r) r = gx_np_op2(s, GX_OP_multiply, r, gx_np_i64(s, dims[d]));
        r = r ? gx_np_op2(s, GX_OP_add, r, v) : v;
        if (!r) return NULL;
    }
    if (wrong && !first_true(s, wrong, &first)) return NULL;
    if (wrong && first >= 0) {
        (void)fail_entry(s, n, dims);
        return NULL;
    }
    return r == x[0] || r == x[n - 1] ? gx_np_copy(s, r, 'C') : r;
}

static bool ravel_multi_index_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *x[GX_MAX_DIMS];
    int64_t dims[GX_MAX_DIMS], shape[GX_MAX_DIMS];
    int n, ndim, walk[GX_MAX_DIMS];
    char order, modes[GX_MAX_DIMS];
    gx_value t;
    if (!gx_np_new_order_arg(c, 3, &order) ||
        !gx_shape_of(c->rt, c->argv[1], GX_SIZES_SIGNED, "ravel_multi_index", &n, dims) ||
        !modes_arg(c, 2, n, modes) || !in_order(c, 0) || !gx_tuple_of(c->rt, c->argv[0], &t) ||
        !gx_np_hold(&s, t))
        return gx_np_end(&s, false);
    int64_t size = 1;
    for (int k = 0; k < n; k++)
        if (__builtin_mul_overflow(size, dims[k], &size))
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "index.dims",
                                         "invalid dims: array size defined by dims is larger than "
                                         "the maximum possible size."));
    if (gx_as_tuple(t)->count != n)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "index.count",
                                     "parameter multi_index must be a sequence of length %d", n));
    for (int k = 0; k < n; k++)
        if (!index_array(&s, gx_as_tuple(t)->items[k], &x[k])) return gx_np_end(&s, false);
    if (!gx_broadcast_shapes(c->rt, n, x, &ndim, shape)) return gx_np_end(&s, false);
    for (int k = 0; k < n; k++)
        if (!(x[k] = gx_np_broadcast(&s, x[k], ndim, shape))) return gx_np_end(&s, false);
    if (!walk_order(&s, n, x, walk)) return gx_np_end(&s, false);
    const bool many = gx_np_size(ndim, shape) > FEW;
    gx_array *r = many ? ravel_many(&s, n, x, dims, modes, order == 'F')
                       : ravel_few(&s, n, x, dims, modes, order == 'F', ndim,
                                   n ? gx_shape(x[0]) : shape);
    if (!r) return gx_np_end(&s, false);
    return gx_np_give(&s, ndim ? gx_np_laid_back(&s, r, walk) : r, out);
}

/* --- triangles --- */

/* The positions of an n by m matrix on and below (upper: above) the k-th diagonal. */
static bool give_triangle(gx_np *s, int64_t n, int64_t m, int64_t k, bool upper, gx_value *out) {
    int64_t count = 0;
    const int64_t sizes[2] = {n < 0 ? 0 : n, m < 0 ? 0 : m};
    if (!gx_shape_count(s->rt, 2, sizes, sizeof(int64_t), &count)) return gx_np_end(s, false);
    count = 0;
    n = sizes[0];
    m = sizes[1];
    k = k < -n ? -n : k > m ? m : k;
    gx_array *r[2];
    int64_t *row = NULL, *column = NULL;
    for (int pass = 0; pass < 2; pass++) {
        int64_t at = 0;
        GX_LONG_LOOP(s->rt, i, 0, n) {
            int64_t edge = i + k + (upper ? 0 : 1); /* columns before it are below */
            edge = edge < 0 ? 0 : edge > m ? m : edge;
            int64_t from = upper ? edge : 0, end = upper ? m : edge;
            for (int64_t j = from; row && j < end; j++, at++) {
                row[at] = i;
                column[at] = j;
            }
            count += pass ? 0 : end - from;
        }
        if (!gx_work_end(s->rt)) return gx_np_end(s, false);
        if (pass) break;
        for (int i = 0; i < 2; i++) r[i] = gx_np_empty(s, GX_i64, 1, &count);
        row = gx_np_data_write(s, r[0]);
        column = gx_np_data_write(s, r[1]);
        if (!row || !column) return gx_np_end(s, false);
    }
    return gx_np_give_tuple(s, 2, r, out);
}

static bool triangle_args(gx_call *c, bool upper, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int64_t n, k, m;
    if (!gx_arg_int(c, 0, &n) || !gx_np_diagonal_arg(c, 1, &k)) return gx_np_end(&s, false);
    m = n;
    if (gx_arg_some(c, 2) && !gx_arg_int(c, 2, &m)) return gx_np_end(&s, false);
    return give_triangle(&s, n, m, k, upper, out);
}

static bool triangle_from(gx_call *c, bool upper, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    int64_t k;
    if (!a || !gx_np_diagonal_arg(c, 1, &k)) return gx_np_end(&s, false);
    if (a->ndim != 2)
        return gx_np_end(&s,
                         gx_fail(c->rt, GX_ValueError, "index.dims", "input array must be 2-d"));
    return give_triangle(&s, gx_shape(a)[0], gx_shape(a)[1], k, upper, out);
}

static bool tril_indices_fn(gx_call *c, gx_value *out) {
    return triangle_args(c, false, out);
}
static bool triu_indices_fn(gx_call *c, gx_value *out) {
    return triangle_args(c, true, out);
}
static bool tril_indices_from_fn(gx_call *c, gx_value *out) {
    return triangle_from(c, false, out);
}
static bool triu_indices_from_fn(gx_call *c, gx_value *out) {
    return triangle_from(c, true, out);
}

const gx_native gx_np_coords_functions[] = {
    {"unravel_index", "unravel_index(indices, shape, order='C')",
     "The index arrays, one for each axis, of flat indices in an array of a shape.",
     "unravel_index(22, (7, 6))  # (3, 4)", unravel_index_fn, 0, 0},
    {"ravel_multi_index", "ravel_multi_index(multi_index, dims, mode='raise', order='C')",
     "Flat indices of coordinates, one index array for each axis, in an array of shape dims.",
     "ravel_multi_index((3, 4), (7, 6))  # 22", ravel_multi_index_fn, 0, 0},
    {"tril_indices", "tril_indices(n, k=0, m=None)",
     "Row and column indices of the lower triangle of an n by m matrix, up to the k-th diagonal.",
     "tril_indices(2)  # (array([0, 1, 1]), array([0, 0, 1]))", tril_indices_fn, 0, 0},
    {"triu_indices", "triu_indices(n, k=0, m=None)",
     "Row and column indices of the upper triangle of an n by m matrix, from the k-th diagonal on.",
     "triu_indices(2)  # (array([0, 0, 1]), array([0, 1, 1]))", triu_indices_fn, 0, 0},
    {"tril_indices_from", "tril_indices_from(arr, k=0)",
     "Row and column indices of a matrix's lower triangle, up to the k-th diagonal.",
     "tril_indices_from([[1, 2], [3, 4]])[1]  # [0 0 1]", tril_indices_from_fn, 0, 0},
    {"triu_indices_from", "triu_indices_from(arr, k=0)",
     "Row and column indices of a matrix's upper triangle, from the k-th diagonal on.",
     "triu_indices_from([[1, 2], [3, 4]])[1]  # [0 1 1]", triu_indices_from_fn, 0, 0},
    {.name = NULL},
};
