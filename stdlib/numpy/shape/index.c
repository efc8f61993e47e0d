/* Choosing elements: where, nonzero, take, put, diagonal, trace, extract, copyto … Results in C
   order; indices are checked unless a mode says to wrap or clip them. */
#include <string.h>

#include "runtime/op/whole.h"
#include "runtime/array/kind/kind.h"
#include "stdlib/numpy/base/scope.h"

extern const gx_native gx_np_index_functions[];

/* --- where, nonzero --- */

/* The coordinates are columns of one array, as NumPy's. */
static bool give_nonzero(gx_np *s, gx_array *a, gx_value *out) {
    gx_array *rows, *r[GX_MAX_DIMS];
    if (!a) return gx_np_end(s, false);
    if (a->ndim == 0) {
        gx_fail(s->rt, GX_ValueError, "nonzero.dims",
                "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() "
                "instead.");
        return gx_np_end(s, false);
    }
    if (!gx_places(s->rt, a, false, &rows) || !gx_np_own(s, rows)) return gx_np_end(s, false);
    if (rows->count == 0) { /* a column of none has the step of one of many */
        const int64_t step = 8 * (int64_t)a->ndim, none = 0;
        gx_array *column;
        if (!gx_array_view(s->rt, rows, GX_i64, 1, &none, &step, rows->offset, &column) ||
            !gx_np_own(s, column))
            return gx_np_end(s, false);
        for (int i = 0; i < a->ndim; i++) r[i] = column;
        return gx_np_give_tuple(s, a->ndim, r, out);
    }
    for (int i = 0; i < a->ndim; i++)
        if (!(r[i] = gx_np_at(s, rows, 1, i))) return gx_np_end(s, false);
    return gx_np_give_tuple(s, a->ndim, r, out);
}

static bool where_fn(gx_call *c, gx_value *out) {
    bool x = gx_arg_given(c, 1), y = gx_arg_given(c, 2);
    if (x != y)
        return gx_fail(c->rt, GX_ValueError, "where.args",
                       "either both or neither of x and y should be given");
    gx_np s = gx_np_begin(c);
    if (!x) return give_nonzero(&s, gx_np_arr(&s, c->argv[0]), out);
    gx_value v, args[3]; /* a list becomes an array of this namespace */
    for (int i = 0; i < 3; i++) {
        gx_array *list = NULL;
        if (gx_operand_kind(c->argv[i]) == GX_OPERAND_NONE && !(list = gx_np_arr(&s, c->argv[i])))
            return gx_np_end(&s, false);
        args[i] = list ? gx_np_value(list) : c->argv[i];
    }
    if (gx_is_array(args[0]) && gx_is_kind(gx_as_array(args[0])->dtype)) {
        gx_array *truth = gx_np_cast(&s, gx_np_arr(&s, args[0]), GX_bool);
        if (!truth) return gx_np_end(&s, false);
        args[0] = gx_np_value(truth);
    }
    for (int i = 1; i < 3; i++)
        if (gx_is_array(args[i]) && gx_is_kind(gx_as_array(args[i])->dtype))
            return gx_np_give_array(&s,
                                    gx_np_where(&s, gx_np_arr(&s, args[0]), gx_np_arr(&s, args[1]),
                                                gx_np_arr(&s, args[2])),
                                    out);
    if (!gx_where(c->rt, args[0], args[1], args[2], &v) || !gx_np_hold(&s, v))
        return gx_np_end(&s, false);
    if (gx_is_array(v)) {
        *out = gx_keep(v);
        return gx_np_end(&s, true);
    }
    return gx_np_give_array(&s, gx_np_arr(&s, v), out); /* np.where never gives a scalar */
}

static bool nonzero_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    return give_nonzero(&s, gx_np_arr(&s, c->argv[0]), out);
}

static bool argwhere_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *r;
    if (!a) return gx_np_end(&s, false);
    if (a->ndim == 0) {
        gx_array *one = gx_np_cast(&s, a, GX_bool);
        gx_scalar is;
        if (!one || !gx_array_item(c->rt, one, &is)) return gx_np_end(&s, false);
        const int64_t shape[2] = {0, is.b ? 1 : 0};
        gx_array *none = gx_np_settled(&s, gx_np_empty(&s, GX_i64, 2, shape));
        return gx_np_give_array(&s, gx_np_transposed(&s, none), out);
    }
    if (!gx_places(c->rt, a, true, &r)) return gx_np_end(&s, false);
    gx_array *columns = gx_np_settled(&s, gx_np_transposed(&s, gx_np_own(&s, r)));
    return gx_np_give_array(&s, gx_np_transposed(&s, columns), out);
}

static bool flatnonzero_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_flat(&s, gx_np_arr(&s, c->argv[0]));
    return gx_np_give_array(&s, gx_np_places(&s, a), out);
}

/* --- take, put --- */

/* Indices as int64, wrapped or clipped when the mode says so. */
static gx_array *index_array(gx_np *s, gx_call *c, int arg, int mode_arg, int64_t n) {
    const bool array = gx_is_array(c->argv[arg]); /* else numbers, each taken as int() takes it */
    gx_array *i = array ? gx_np_arr(s, c->argv[arg]) : gx_np_values(s, c->argv[arg], GX_i64);
    char mode;
    if (!i || !gx_np_clip_mode(s->rt, c->argv[mode_arg], &mode)) return NULL;
    if (array && gx_np_is_float(i->dtype)) {
        gx_fail(c->rt, GX_TypeError, "index.type",
                "Cannot cast array data from dtype('%s') to dtype('int64') according to the rule "
                "'safe'",
                gx_dtypes[i->dtype].name);
        return NULL;
    }
    i = gx_np_cast(s, i, GX_i64);
    if (mode == 'r') return i;
    if (mode == 'w') return gx_np_op2(s, GX_OP_remainder, i, gx_np_i64(s, n));
    return gx_np_op3(s, GX_OP_clip, i, gx_np_i64(s, 0), gx_np_i64(s, n - 1));
}

/* Along an axis; places are not looked at where the axes before it leave nothing to take. */
static gx_array *take(gx_np *s, gx_array *a, gx_array *i, int axis) {
    int64_t shape[GX_MAX_DIMS], others = 1;
    if (!a || !i) return NULL;
    for (int k = 0; k < axis; k++) others *= gx_shape(a)[k];
    if (others || i->ndim + a->ndim - 1 > GX_MAX_DIMS) return gx_np_take(s, a, i, axis);
    memcpy(shape, gx_shape(a), (size_t)axis * sizeof *shape);
    memcpy(shape + axis, gx_shape(i), (size_t)i->ndim * sizeof *shape);
    memcpy(shape + axis + i->ndim, gx_shape(a) + axis + 1,
           (size_t)(a->ndim - axis - 1) * sizeof *shape);
    return gx_np_zeros(s, (gx_dtype)a->dtype, a->ndim - 1 + i->ndim, shape);
}

static bool take_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr1(&s, c->argv[0]); /* a number has one axis here */
    int axis = 0;
    if (!a) return gx_np_end(&s, false);
    if (!gx_arg_some(c, 2))
        a = gx_np_flat(&s, a);
    else if (!gx_np_axis_arg(c, 2, a->ndim, 0, &axis))
        return gx_np_end(&s, false);
    gx_array *i = a ? index_array(&s, c, 1, 4, gx_shape(a)[axis]) : NULL;
    return gx_np_give_out(&s, take(&s, a, i, axis), c->argv[3], out);
}

static bool put_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    const bool scalar = gx_is_scalar(c->argv[0]); /* a copy of it is changed */
    if (!gx_is_array(c->argv[0]) && !scalar)
        return gx_np_end(&s, gx_arg_wrong(c, 0, "an array"));
    gx_array *a = scalar ? gx_np_fresh(&s, gx_np_arr(&s, c->argv[0]), GX_NO_DTYPE)
                         : gx_as_array(c->argv[0]);
    if (!a || !gx_array_writable(c->rt, a)) return gx_np_end(&s, false);
    gx_array *i = gx_np_flat(&s, index_array(&s, c, 1, 3, a->count));
    gx_array *v = gx_np_flat(&s, gx_np_values(&s, c->argv[2], (gx_dtype)a->dtype));
    *out = gx_none();
    if (!i || !v) return gx_np_end(&s, false);
    if (i->count && !a->count)
        return gx_np_end(&s, gx_fail(c->rt, GX_IndexError, "put.empty",
                                     "cannot replace elements of an empty array"));
    if (v->count == 0 || i->count == 0) return gx_np_end(&s, true);
    v = gx_np_cycled(&s, v, i->count);
    bool view = gx_array_is_contiguous(a, 'C');
    gx_array *flat = gx_np_flat(&s, view ? a : gx_np_copy(&s, a, 'C'));
    bool ok = v && flat && gx_array_set(c->rt, flat, gx_np_value(i), gx_np_value(v));
    if (ok && !view) {
        gx_array *back = gx_np_reshape(&s, flat, a->ndim, gx_shape(a));
        ok = back && gx_array_store(c->rt, a, back);
    }
    return gx_np_end(&s, ok);
}

/* --- diagonals --- */

static gx_array *diagonal_of(gx_np *s, gx_call *c) {
    gx_array *a = gx_np_arr(s, c->argv[0]), *r = NULL;
    int64_t offset, first, second;
    int i, j;
    if (!a || !gx_arg_int(c, 1, &offset) || !gx_arg_int(c, 2, &first) ||
        !gx_arg_int(c, 3, &second))
        return NULL;
    if (a->ndim < 2) {
        gx_fail(c->rt, GX_ValueError, "diagonal.dims",
                "diag requires an array of at least two dimensions");
        return NULL;
    }
    if (!gx_np_axis_arg(c, 2, a->ndim, 0, &i) || !gx_np_axis_arg(c, 3, a->ndim, 1, &j)) return NULL;
    if (i == j) {
        gx_fail(c->rt, GX_ValueError, "diagonal.axes", "axis1 and axis2 cannot be the same");
        return NULL;
    }
    return gx_diagonal(s->rt, a, offset, i, j, &r) ? gx_np_own(s, r) : NULL;
}

static bool diagonal_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    return gx_np_give_array(&s, diagonal_of(&s, c), out);
}

static bool trace_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *d = diagonal_of(&s, c);
    gx_dtype t;
    if (!d || !gx_np_dtype_arg(c, 4, &t)) return gx_np_end(&s, false);
    gx_array *r = gx_np_reduce(&s, GX_RED_sum, d, UINT64_C(1) << (d->ndim - 1), false, t);
    return gx_np_give_folded(&s, r, c->argv[5], out);
}

/* --- masks --- */

static bool extract_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *m = gx_np_flat(&s, gx_np_cast(&s, gx_np_arr(&s, c->argv[0]), GX_bool));
    gx_array *a = gx_np_flat(&s, gx_np_arr(&s, c->argv[1])), *at = gx_np_places(&s, m);
    return gx_np_give_array(&s, a && at ? gx_np_take(&s, a, at, 0) : NULL, out);
}

static bool compress_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *m = gx_np_cast(&s, gx_np_arr(&s, c->argv[0]), GX_bool),
             *a = gx_np_arr1(&s, c->argv[1]);
    int axis = 0;
    int64_t number; /* what is no axis at all is reported first */
    if (!a || !m || (gx_arg_some(c, 2) && !gx_arg_int(c, 2, &number))) return gx_np_end(&s, false);
    if (m->ndim != 1)
        return gx_np_end(
            &s, gx_fail(c->rt, GX_ValueError, "compress.dims", "condition must be a 1-d array"));
    if (!gx_arg_some(c, 2))
        a = gx_np_flat(&s, a);
    else if (!gx_np_axis_arg(c, 2, a->ndim, 0, &axis))
        return gx_np_end(&s, false);
    gx_value r;
    if (a && a->ndim == 1 && a->count == m->count) {
        bool ok = gx_array_get(c->rt, a, gx_np_value(m), &r) && gx_np_hold(&s, r);
        return gx_np_give_out(&s, ok ? gx_np_arr(&s, r) : NULL, c->argv[3], out);
    }
    gx_array *at = gx_np_places(&s, m);
    return gx_np_give_out(&s, a && at ? take(&s, a, at, axis) : NULL, c->argv[3], out);
}

static bool is_same_place(const gx_array *a, const gx_array *b) {
    if (a->storage != b->storage || a->offset != b->offset || a->dtype != b->dtype ||
        a->ndim != b->ndim)
        return false;
    for (int i = 0; i < a->ndim; i++)
        if (gx_shape(a)[i] != gx_shape(b)[i] || gx_strides(a)[i] != gx_strides(b)[i]) return false;
    return true;
}

static bool copyto_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    if (!gx_is_array(c->argv[0])) return gx_np_end(&s, gx_arg_wrong(c, 0, "an array"));
    gx_array *to = gx_as_array(c->argv[0]), *from = gx_np_arr(&s, c->argv[1]);
    gx_casting rule;
    *out = gx_none();
    if (from && is_same_place(to, from)) return gx_np_end(&s, true); /* nothing to write */
    if (!from || !gx_casting_of(c->rt, c->argv[2], &rule)) return gx_np_end(&s, false);
    /* A Python number of no higher kind is what it is stored as. */
    bool weak = gx_operand_kind(c->argv[1]) == GX_OPERAND_WEAK && c->argv[1].tag != GX_BOOL &&
                (gx_dtype_kind(from->dtype) <= gx_dtype_kind(to->dtype) ||
                 (rule == GX_CAST_UNSAFE && gx_dtype_kind(from->dtype) == GX_KIND_INT));
    if (c->argv[1].tag == GX_BIGINT && !gx_np_is_float(to->dtype))
        weak = true; /* it fits, or not */
    if (rule == GX_CAST_EQUIV) weak = weak && from->dtype == to->dtype;
    if (!weak && !gx_can_cast((gx_dtype)from->dtype, (gx_dtype)to->dtype, rule))
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "dtype.cast",
                                     "Cannot cast array data from dtype('%s') to dtype('%s') "
                                     "according to the rule 'same_kind'",
                                     gx_dtypes[from->dtype].name, gx_dtypes[to->dtype].name));
    if (weak && !(from = gx_np_values(&s, c->argv[1], (gx_dtype)to->dtype)))
        return gx_np_end(&s, false);
    if (!(c->argv[3].tag == GX_BOOL && c->argv[3].b)) {
        gx_array *m = gx_np_cast(&s, gx_np_arr(&s, c->argv[3]), GX_bool);
        m = gx_np_broadcast(&s, m, to->ndim, gx_shape(to));
        from = gx_np_op3(&s, GX_OP_where, m, gx_np_cast(&s, from, (gx_dtype)to->dtype), to);
    }
    *out = gx_none();
    return gx_np_end(&s, from && gx_array_store(c->rt, to, from));
}

static bool putmask_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    if (!gx_is_array(c->argv[0])) return gx_np_end(&s, gx_arg_wrong(c, 0, "an array"));
    gx_array *a = gx_as_array(c->argv[0]);
    if (!gx_array_writable(c->rt, a)) return gx_np_end(&s, false);
    gx_array *m = gx_np_cast(&s, gx_np_arr(&s, c->argv[1]), GX_bool);
    gx_array *v = gx_np_flat(&s, gx_np_values(&s, c->argv[2], (gx_dtype)a->dtype));
    *out = gx_none();
    if (m && m->count != a->count)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "index.mask",
                                     "putmask: mask and data must be the same size: %lld and %lld "
                                     "elements",
                                     (long long)m->count, (long long)a->count));
    if (m) m = gx_np_reshape(&s, m, a->ndim, gx_shape(a));
    if (m && v && gx_is_array(c->argv[2])) {
        const gx_dtype from = (gx_dtype)gx_as_array(c->argv[2])->dtype;
        if (!gx_can_cast(from, (gx_dtype)a->dtype, GX_CAST_SAFE))
            return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "dtype.cast",
                                         "Cannot cast array data from dtype('%s') to dtype('%s') "
                                         "according to the rule 'safe'",
                                         gx_dtypes[from].name, gx_dtypes[a->dtype].name));
    }
    if (!m || !v || v->count == 0) return gx_np_end(&s, m && v);
    gx_array *all = gx_np_reshape(&s, gx_np_cycled(&s, v, a->count), a->ndim, gx_shape(a));
    gx_array *r = gx_np_op3(&s, GX_OP_where, m, gx_np_cast(&s, all, (gx_dtype)a->dtype), a);
    return gx_np_end(&s, r && gx_array_store(c->rt, a, r));
}

#define BOTH GX_NATIVE_METHOD
const gx_native gx_np_index_functions[] = {
    {"where", "where(condition, x=<no value>, y=<no value>, /)",
     "Elements of x where the condition is true, of y elsewhere, all broadcast; of one argument, "
     "nonzero().",
     "where([True, False], 1, 2)  # [1 2]", where_fn, 0, 0},
    {"nonzero", "nonzero(a)",
     "Indices of the nonzero elements: a tuple of int64 arrays, one for each axis.",
     "nonzero([0, 5, 6])  # (array([1, 2]),)", nonzero_fn, BOTH, 0},
    {"argwhere", "argwhere(a)",
     "Indices of the nonzero elements, as an int64 array (elements, axes), one row for each.",
     "argwhere([0, 5, 6]).tolist()  # [[1], [2]]", argwhere_fn, 0, 0},
    {"flatnonzero", "flatnonzero(a)",
     "Indices of the nonzero elements in the flattened array, as int64.",
     "flatnonzero([0, 5, 6])  # [1 2]", flatnonzero_fn, 0, 0},
    {"take", "take(a, indices, axis=None, out=None, mode='raise')",
     "Elements at indices along an axis, or of the flat array; IndexError beyond it, unless mode "
     "says else.",
     "take([4, 5, 6], [0, 2])  # [4 6]", take_fn, BOTH, 0},
    {"put", "put(a, ind, v, mode='raise')",
     "Stores values in place at indices of the flattened array; IndexError beyond it, unless mode "
     "says else.",
     NULL, put_fn, BOTH, 0},
    {"diagonal", "diagonal(a, offset=0, axis1=0, axis2=1)",
     "The diagonals of the planes of axis1 and axis2, as a view; offset counts up from the main "
     "one.",
     "diagonal([[1, 2], [3, 4]])  # [1 4]", diagonal_fn, BOTH, 0},
    {"trace", "trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None)",
     "Sum of the diagonal in the plane of two axes; offset counts up from the main one.",
     "trace([[1, 2], [3, 4]])  # 5", trace_fn, BOTH, 0},
    {"extract", "extract(condition, arr)",
     "The elements of arr where the condition is true, as a 1-d array.",
     "extract([True, False], [4, 5])  # [4]", extract_fn, 0, 0},
    {"compress", "compress(condition, a, axis=None, out=None)",
     "The slices along an axis at which the 1-d condition is true.",
     "compress([0, 1], [4, 5])  # [5]", compress_fn, 0, 0},
    {"copyto", "copyto(dst, src, casting='same_kind', where=True)",
     "Stores src, broadcast, into dst where the mask `where` is true.", NULL, copyto_fn, 0, 0},
    {"putmask", "putmask(a, mask, values)",
     "Stores values in place where the mask is true; values of another size are repeated.", NULL,
     putmask_fn, 0, 0},
    {.name = NULL},
};
