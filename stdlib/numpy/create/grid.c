/* Matrices and grids by rule: eye, diag, tri, vander, meshgrid, indices, mgrid, ogrid. Made of
   pending ranges and comparisons; mgrid and ogrid are objects that are indexed. */
#include <math.h>
#include <string.h>

#include "runtime/array/kind/kind.h"
#include "stdlib/numpy/base/range.h"
#include "stdlib/numpy/base/reduce.h"
#include "stdlib/numpy/base/scope.h"
#include "stdlib/stdlib.h"

extern const gx_native gx_np_grid_functions[];
extern const gx_constant gx_np_grid_constants[];

/* --- matrices --- */

/* Compares row number + k with column number. */
static gx_array *compare_positions(gx_np *s, int64_t n, int64_t m, int64_t k, gx_opcode op) {
    gx_array *row = gx_np_expand(s, gx_np_iota(s, n), 2, 2);
    gx_array *column = gx_np_expand(s, gx_np_iota(s, m), 2, 1);
    return gx_np_op2(s, op, gx_np_op2(s, GX_OP_add, row, gx_np_i64(s, k)), column);
}

/* Rows, and columns if they are given: a size, which no bool is. */
static bool size_arg(gx_call *c, int at, int64_t *n) {
    if (c->argv[at].tag == GX_BOOL) return gx_arg_wrong(c, at, "an integer, not a bool");
    if (!gx_arg_int(c, at, n)) return false;
    return *n >= 0 || gx_fail(c->rt, GX_ValueError, "shape.negative",
                              "negative dimensions are not allowed");
}

/* Ones at some places; texts beside them are empty. */
static gx_array *ones_at(gx_np *s, gx_array *places, gx_dtype d) {
    if (d == GX_NO_DTYPE) d = GX_f64;
    if (!gx_is_kind(d)) return gx_np_cast(s, places, d);
    return gx_np_where(s, places, gx_np_cast(s, gx_np_i64(s, 1), d), gx_np_zeros(s, d, 0, NULL));
}

static bool eye_fn(gx_call *c, gx_value *out) {
    int64_t n, m, k;
    gx_dtype d;
    char order;
    if (!gx_np_dtype_arg(c, 3, &d) || !gx_np_new_order_arg(c, 4, &order) ||
        !gx_np_device_arg(c, 5) || !size_arg(c, 0, &n))
        return false;
    m = n;
    if ((gx_arg_some(c, 1) && !size_arg(c, 1, &m)) || !gx_np_diagonal_arg(c, 2, &k)) return false;
    gx_np s = gx_np_begin(c);
    gx_array *r =
        ones_at(&s, compare_positions(&s, n, m, k, GX_OP_equal), d);
    return gx_np_give_array(&s, order == 'F' ? gx_np_copy(&s, r, 'F') : r, out);
}

static bool identity_fn(gx_call *c, gx_value *out) {
    int64_t n;
    gx_dtype d;
    if (!size_arg(c, 0, &n) || !gx_np_dtype_arg(c, 1, &d)) return false;
    gx_np s = gx_np_begin(c);
    return gx_np_give_array(&s, ones_at(&s, compare_positions(&s, n, n, 0, GX_OP_equal), d), out);
}

static bool tri_fn(gx_call *c, gx_value *out) {
    int64_t n, m, k;
    gx_dtype d;
    if (!gx_arg_int(c, 0, &n)) return false;
    m = n;
    if ((gx_arg_some(c, 1) && !gx_arg_int(c, 1, &m)) || !gx_np_diagonal_arg(c, 2, &k) ||
        !gx_np_dtype_arg(c, 3, &d))
        return false;
    n = n < 0 ? 0 : n; /* ranges, which are empty below zero */
    m = m < 0 ? 0 : m;
    gx_np s = gx_np_begin(c);
    return gx_np_give_array(&s,
                            gx_np_cast(&s, compare_positions(&s, n, m, k, GX_OP_greater_equal),
                                       d == GX_NO_DTYPE ? GX_f64 : d),
                            out);
}

static bool triangle(gx_call *c, bool upper, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    int64_t k;
    if (!a || !gx_np_diagonal_arg(c, 1, &k)) return gx_np_end(&s, false);
    if (a->ndim == 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "tri.dims",
                                     "%s needs an array of at least one dimension", c->fn->name));
    if (a->ndim == 1) {
        const int64_t shape[2] = {a->count, a->count};
        a = gx_np_broadcast(&s, a, 2, shape);
        if (!a) return gx_np_end(&s, false);
    }
    gx_array *low = compare_positions(&s, gx_shape(a)[a->ndim - 2], gx_shape(a)[a->ndim - 1],
                                      upper ? k - 1 : k, GX_OP_greater_equal);
    gx_array *zero = gx_np_zeros(&s, (gx_dtype)a->dtype, 0, NULL);
    return gx_np_give_array(&s, gx_np_where(&s, low, upper ? zero : a, upper ? a : zero), out);
}

static bool tril_fn(gx_call *c, gx_value *out) {
    return triangle(c, false, out);
}
static bool triu_fn(gx_call *c, gx_value *out) {
    return triangle(c, true, out);
}

static gx_array *matrix_of_diagonal(gx_np *s, gx_array *v, int64_t k) {
    if (!v) return NULL;
    int64_t n = v->count + (k < 0 ? -k : k);
    const int64_t shape[2] = {n, n};
    gx_array *r = gx_np_zeros(s, (gx_dtype)v->dtype, 2, shape), *d = NULL;
    if (!r || !gx_diagonal(s->rt, r, k, 0, 1, &d)) return NULL;
    d = gx_np_own(s, d);
    if (!d) return NULL;
    d->flags &= (uint8_t)~GX_ARRAY_READONLY;
    return gx_array_store(s->rt, d, v) ? r : NULL;
}

static bool diag_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *d = NULL;
    int64_t k;
    if (!a) return gx_np_end(&s, false);
    if (a->ndim == 0)
        return gx_np_end(&s,
                         gx_fail(c->rt, GX_ValueError, "diag.dims", "Input must be 1- or 2-d."));
    if (!gx_arg_int(c, 1, &k)) return gx_np_end(&s, false);
    if (a->ndim == 1) return gx_np_give_array(&s, matrix_of_diagonal(&s, a, k), out);
    if (a->ndim != 2)
        return gx_np_end(&s,
                         gx_fail(c->rt, GX_ValueError, "diag.dims", "Input must be 1- or 2-d."));
    if (!gx_diagonal(c->rt, a, k, 0, 1, &d)) return gx_np_end(&s, false);
    return gx_np_give_array(&s, gx_np_own(&s, d), out);
}

static bool diagflat_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_flat(&s, gx_np_arr(&s, c->argv[0]));
    int64_t k;
    if (!gx_arg_int(c, 1, &k)) return gx_np_end(&s, false);
    return gx_np_give_array(&s, matrix_of_diagonal(&s, a, k), out);
}

static bool vander_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *x = gx_np_arr(&s, c->argv[0]);
    bool increasing;
    if (!x || !gx_arg_bool(c, 2, &increasing)) return gx_np_end(&s, false);
    if (x->ndim != 1)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "vander.dims",
                                     "x must be a one-dimensional array or sequence."));
    int64_t n = x->count;
    if (gx_arg_some(c, 1) && !gx_arg_int(c, 1, &n)) return gx_np_end(&s, false);
    if (n < 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "shape.negative",
                                     "negative dimensions are not allowed"));
    gx_dtype d = gx_promote((gx_dtype)x->dtype, GX_i64);
    const int64_t m = x->count, shape[2] = {m, n}, powers[2] = {m, n - 1}, column[2] = {m, 1};
    gx_array *r = gx_np_empty_near(&s, x, d, 2, shape);
    gx_array *to = increasing ? r : gx_np_slice(&s, r, 1, n - 1, -1, n);
    if (n == 0 || !r) return gx_np_give_array(&s, r, out);
    gx_array *ones = gx_np_at(&s, to, 1, 0), *one = gx_np_weak_int(&s, d, 1);
    if (!ones || !one || !gx_array_store(c->rt, ones, one)) return gx_np_end(&s, false);
    if (n == 1) return gx_np_give_array(&s, r, out);
    gx_array *each = gx_np_reshape(&s, gx_np_cast(&s, x, d), 2, column);
    each = gx_np_scan(&s, gx_np_broadcast(&s, each, 2, powers), 1, true, d);
    to = gx_np_slice(&s, to, 1, 1, 1, n - 1);
    if (!each || !to || !gx_array_store(c->rt, to, each)) return gx_np_end(&s, false);
    return gx_np_give_array(&s, r, out);
}

/* --- grids --- */

static bool meshgrid_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int n;
    gx_array **x;
    bool copy, sparse;
    const char *indexing;
    size_t length;
    int64_t full[GX_MAX_DIMS];
    if (!gx_np_arrays(&s, c->argv[0], "meshgrid", &n, &x) || !gx_arg_bool(c, 1, &copy) ||
        !gx_arg_bool(c, 2, &sparse) || !gx_arg_str(c, 3, &indexing, &length))
        return gx_np_end(&s, false);
    bool xy = strcmp(indexing, "xy") == 0;
    if ((!xy && strcmp(indexing, "ij") != 0) || n > GX_MAX_DIMS)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "meshgrid.indexing",
                                     "Valid values for `indexing` are 'xy' and 'ij'."));
    for (int i = 0; i < n; i++) {
        int axis = xy && n > 1 && i < 2 ? 1 - i : i;
        int64_t shape[GX_MAX_DIMS];
        for (int k = 0; k < n; k++) shape[k] = k == axis ? x[i]->count : 1;
        full[axis] = x[i]->count;
        if (!(x[i] = gx_np_reshape(&s, x[i], n, shape))) return gx_np_end(&s, false);
    }
    for (int i = 0; i < n; i++) {
        if (!sparse) x[i] = gx_np_spread(&s, x[i], n, full);
        if (copy) x[i] = gx_np_copy(&s, x[i], 'C');
    }
    return gx_np_give_tuple(&s, n, x, out);
}

/* Position numbers along one axis of a grid, with size 1 elsewhere. */
static gx_array *open_axis(gx_np *s, gx_array *x, int axis, int ndim) {
    int64_t shape[GX_MAX_DIMS];
    if (!x) return NULL;
    for (int i = 0; i < ndim; i++) shape[i] = i == axis ? x->count : 1;
    return gx_np_reshape(s, x, ndim, shape);
}

/* All axes' numbers stacked: shape (n, …). */
static gx_array *dense(gx_np *s, int n, gx_array **axes, gx_dtype d) {
    int64_t shape[GX_MAX_DIMS] = {n};
    if (n + 1 > GX_MAX_DIMS) {
        gx_fail(s->rt, GX_ValueError, "grid.dims", "too many axes");
        return NULL;
    }
    for (int i = 0; i < n; i++) shape[i + 1] = axes[i]->count;
    gx_array *r = n ? gx_np_empty_near(s, axes[0], d, n + 1, shape) : gx_np_empty(s, d, 1, shape);
    for (int i = 0; r && i < n; i++) {
        gx_array *to = gx_np_at(s, r, 0, i), *from = open_axis(s, axes[i], i, n);
        if (!to || !from || !gx_array_store(s->rt, to, from)) return NULL;
    }
    return r;
}

/* dense: no size may be below 0; else there are no indices then. */
static bool index_axes(gx_np *s, gx_borrowed dims, bool dense, int *n, gx_array **axes,
                       gx_dtype d) {
    int64_t shape[GX_MAX_DIMS];
    if (gx_np_is_number(dims))
        return gx_fail(s->rt, GX_TypeError, "shape.indices",
                       "'%s' object is not iterable: indices takes a tuple of sizes",
                       gx_type_name(dims));
    const gx_sizes which =
        GX_SIZES_ITERABLE | (dense ? GX_SIZES_PLAIN : GX_SIZES_SIGNED | GX_SIZES_BOOLS);
    if (!gx_shape_of(s->rt, dims, which, "indices", n, shape)) return false;
    for (int i = 0; i < *n; i++)
        if (!(axes[i] = gx_np_cast(s, gx_np_iota(s, shape[i] < 0 ? 0 : shape[i]), d)))
            return false;
    return true;
}

static bool indices_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int n;
    gx_array *axes[GX_MAX_DIMS];
    gx_dtype d;
    bool sparse;
    if (!gx_np_dtype_arg(c, 1, &d) || !gx_arg_bool(c, 2, &sparse)) return false;
    if (d == GX_NO_DTYPE) d = gx_arg_given(c, 1) ? GX_f64 : GX_i64; /* None is float64's name */
    if (!index_axes(&s, c->argv[0], !sparse, &n, axes, d)) return gx_np_end(&s, false);
    if (!sparse) return gx_np_give_array(&s, dense(&s, n, axes, d), out);
    for (int i = 0; i < n; i++) axes[i] = open_axis(&s, axes[i], i, n);
    return gx_np_give_tuple(&s, n, axes, out);
}

/* --- mgrid, ogrid --- */

typedef struct grid {
    gx_obj obj;
    bool open;
    gx_namespace ns;
} grid;

gx_array *gx_np_slice_numbers(gx_np *s, gx_borrowed key) {
    double re, im;
    if (key.tag != GX_SLICE) {
        gx_fail(s->rt, GX_TypeError, "grid.slice", "a grid is indexed by slices, not %s",
                gx_type_name(key));
        return NULL;
    }
    gx_slice *k = (gx_slice *)key.obj;
    gx_value start = k->start.tag == GX_NONE ? gx_int(0) : k->start;
    gx_value step = k->step.tag == GX_NONE ? gx_int(1) : k->step;
    if (k->stop.tag == GX_NONE) {
        gx_fail(s->rt, GX_ValueError, "grid.stop", "a grid's slice needs a stop");
        return NULL;
    }
    if (step.tag != GX_COMPLEX) return gx_np_range(s, start, k->stop, step, GX_NO_DTYPE);
    double a, b;
    if (gx_as_complex(s->rt, step, &re, &im) != GX_TRY_YES ||
        gx_as_double(s->rt, start, &a) != GX_TRY_YES ||
        gx_as_double(s->rt, k->stop, &b) != GX_TRY_YES) {
        gx_fail(s->rt, GX_TypeError, "grid.slice", "a grid's start and stop must be numbers");
        return NULL;
    }
    int64_t n = (int64_t)hypot(re, im);
    gx_array *i = gx_np_cast(s, gx_np_iota(s, n), GX_f64);
    double by = n > 1 ? (b - a) / (double)(n - 1) : 1;
    return gx_np_op2(s, GX_OP_add, gx_np_op2(s, GX_OP_multiply, i, gx_np_f64(s, by)),
                     gx_np_f64(s, a));
}

static bool grid_get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    grid *g = (grid *)v.obj;
    gx_np s = gx_np_begin_at(rt, g->ns);
    gx_array *axes[GX_MAX_DIMS];
    if (key.tag != GX_TUPLE) return gx_np_give_array(&s, gx_np_slice_numbers(&s, key), out);
    gx_tuple *t = gx_as_tuple(key);
    int n = (int)t->count;
    gx_dtype d = GX_i64;
    if (t->count > GX_MAX_DIMS - 1) return gx_fail(rt, GX_ValueError, "grid.dims", "too many axes");
    for (int i = 0; i < n; i++) {
        if (!(axes[i] = gx_np_slice_numbers(&s, t->items[i]))) return gx_np_end(&s, false);
        d = gx_promote(d, (gx_dtype)axes[i]->dtype);
    }
    if (!g->open) return gx_np_give_array(&s, dense(&s, n, axes, d), out);
    for (int i = 0; i < n; i++) axes[i] = gx_np_cast(&s, open_axis(&s, axes[i], i, n), d);
    return gx_np_give_tuple(&s, n, axes, out);
}

static void grid_free(gx_rt *rt, gx_obj *o) {
    gx_free(rt, o);
}

static bool grid_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    return gx_buf_puts(out, ((grid *)v.obj)->open ? "<ogrid: index it by slices, ogrid[0:3, 0:4]>"
                                                  : "<mgrid: index it by slices, mgrid[0:3, 0:4]>");
}

static const gx_type grid_type = {.name = "numpy.nd_grid",
                                  .tag = GX_OBJECT,
                                  .dtype = GX_NO_DTYPE,
                                  .doc = "Grids of numbers by slices.",
                                  .free = grid_free,
                                  .repr = grid_repr,
                                  .get = grid_get};

static bool make_grid(gx_rt *rt, gx_namespace ns, bool open, gx_value *out) {
    grid *g = gx_obj_new(rt, &grid_type, sizeof *g);
    if (!g) return false;
    g->open = open;
    g->ns = ns;
    *out = gx_object(&g->obj);
    return true;
}

static bool make_mgrid(gx_rt *rt, gx_namespace ns, gx_value *out) {
    return make_grid(rt, ns, false, out);
}
static bool make_ogrid(gx_rt *rt, gx_namespace ns, gx_value *out) {
    return make_grid(rt, ns, true, out);
}

const gx_constant gx_np_grid_constants[] = {
    {.name = "mgrid", .kind = GX_CONST_MAKE, .make = make_mgrid},
    {.name = "ogrid", .kind = GX_CONST_MAKE, .make = make_ogrid},
    {.name = NULL},
};

const gx_native gx_np_grid_functions[] = {
    {"eye", "eye(N, M=None, k=0, dtype=None, order='C', *, device=None, like=None)",
     "An N by M matrix with ones on the k-th diagonal and zeros elsewhere; float64 unless dtype is "
     "given.",
     "eye(2).tolist()  # [[1.0, 0.0], [0.0, 1.0]]", eye_fn, 0, 0},
    {"identity", "identity(n, dtype=None, *, like=None)",
     "The n by n identity matrix; float64 unless dtype is given.",
     "identity(2, int).tolist()  # [[1, 0], [0, 1]]", identity_fn, 0, 0},
    {"tri", "tri(N, M=None, k=0, dtype=None, *, like=None)",
     "An N by M matrix with ones on and below the k-th diagonal and zeros above.",
     "tri(2, dtype=int).tolist()  # [[1, 0], [1, 1]]", tri_fn, 0, 0},
    {"tril", "tril(m, k=0)", "A copy with zeros above the k-th diagonal (of the last two axes).",
     "tril([[1, 2], [3, 4]]).tolist()  # [[1, 0], [3, 4]]", tril_fn, 0, 0},
    {"triu", "triu(m, k=0)", "A copy with zeros below the k-th diagonal (of the last two axes).",
     "triu([[1, 2], [3, 4]]).tolist()  # [[1, 2], [0, 4]]", triu_fn, 0, 0},
    {"diag", "diag(v, k=0)",
     "The k-th diagonal of a matrix, or of a 1-d v the matrix that has v as its k-th diagonal.",
     "diag([[1, 2], [3, 4]])  # [1 4]", diag_fn, 0, 0},
    {"diagflat", "diagflat(v, k=0)",
     "The square matrix with the flattened elements as its k-th diagonal.",
     "diagflat([1, 2]).tolist()  # [[1, 0], [0, 2]]", diagflat_fn, 0, 0},
    {"vander", "vander(x, N=None, increasing=False)",
     "Vandermonde matrix: N columns of powers of x, the highest first unless increasing.",
     "vander([1, 2, 3]).tolist()  # [[1, 1, 1], [4, 2, 1], [9, 3, 1]]", vander_fn, 0, 0},
    {"meshgrid", "meshgrid(*xi, copy=True, sparse=False, indexing='xy')",
     "Coordinate arrays of the grid that 1-d axes span; indexing 'xy' puts x along the second "
     "axis.",
     "meshgrid([1, 2], [5, 6])[0].tolist()  # [[1, 2], [1, 2]]", meshgrid_fn, 0, 0},
    {"indices", "indices(dimensions, dtype=<no value>, sparse=False)",
     "The indices of a grid of a shape, int64, stacked along a new first axis; sparse gives a "
     "tuple.",
     "indices((2, 2))[0].tolist()  # [[0, 0], [1, 1]]", indices_fn, 0, 0},
    {.name = NULL},
};
