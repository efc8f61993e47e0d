/* Ufuncs as objects: reduce, accumulate, reduceat, outer, at, in the meaning of
   NumPy. A fold that reductions.def states is the runtime's; all others run here, element
   after element, on host data, with the loops of the operation. */
#include <string.h>

#include "runtime/array/kind/kind.h"
#include "runtime/device/work.h"
#include "runtime/object/container/dict.h"
#include "runtime/op/whole.h"
#include "stdlib/numpy/base/reduce.h"
#include "stdlib/numpy/base/scope.h"
#include "stdlib/numpy/ufunc/there_int.h"
#include "stdlib/numpy/ufunc/ufunc_int.h"

extern const gx_native gx_np_ufunc_methods[];

static gx_opcode op_of(gx_borrowed self) {
    return (gx_opcode)self.native->op;
}

/* reduce, accumulate and reduceat are for operations on two operands. */
static bool need_binary(gx_call *c, gx_opcode op) {
    if (op == GX_OP_ldexp && strcmp(c->fn->name, "reduce") != 0)
        return gx_fail(c->rt, GX_TypeError, "dtype.signature",
                       "the resolved dtypes are not compatible with ldexp.%s: results are floats, "
                       "exponents integers",
                       c->fn->name);
    return gx_ops[op].arity == 2 || gx_fail(c->rt, GX_ValueError, "ufunc.binary",
                                            "%s only supported for binary functions", c->fn->name);
}

/* The reduction that folds with op, or GX_RED_COUNT. */
static gx_redcode fold_of(gx_opcode op) {
    for (int r = 0; r < GX_RED_COUNT; r++)
        if (gx_reds[r].ufunc == op && gx_reds[r].rule != GX_REDRULE_INDEX) return (gx_redcode)r;
    return GX_RED_COUNT;
}

bool gx_np_ufunc_identity(gx_opcode op, double *out) {
    switch ((int)op) {
    case GX_OP_multiply:
    case GX_OP_logical_and:
        *out = 1;
        return true;
    case GX_OP_add:
    case GX_OP_logical_or:
    case GX_OP_logical_xor:
    case GX_OP_bitwise_or:
    case GX_OP_bitwise_xor:
    case GX_OP_hypot:
    case GX_OP_gcd:
        *out = 0;
        return true;
    case GX_OP_bitwise_and:
        *out = -1;
        return true;
    case GX_OP_logaddexp:
    case GX_OP_logaddexp2:
        *out = -__builtin_inf();
        return true;
    default:
        return false;
    }
}

/* Can several axes be folded at once? */
static bool reorderable(gx_opcode op) {
    double x;
    return gx_np_ufunc_identity(op, &x) || op == GX_OP_maximum || op == GX_OP_minimum ||
           op == GX_OP_fmax || op == GX_OP_fmin;
}

/* Is every result of op a bool, whatever the operands? */
static bool gives_truth(gx_opcode op) {
    gx_dtype compute, result;
    return gx_op_dtypes(op, GX_f64, &compute, &result) && result == GX_bool;
}

/* The same of ldexp, whose elements are integers and whose result is a float: the least that has
   all elements, or the one asked for. */
static bool ldexp_dtype(gx_rt *rt, gx_dtype d, gx_dtype asked, gx_dtype *out) {
    *out = asked != GX_NO_DTYPE ? asked
           : gx_dtype_size(d) == 1 ? GX_f16
           : gx_dtype_size(d) == 2 ? GX_f32
                                   : GX_f64;
    return (gx_dtype_kind(d) <= GX_KIND_UINT && d != GX_u64 &&
            gx_dtype_kind(*out) == GX_KIND_FLOAT) ||
           gx_fail(rt, GX_TypeError, "dtype.signature",
                   "ldexp.reduce folds integers (not uint64) into a float: %s into %s is not "
                   "possible",
                   gx_dtypes[d].name, gx_dtypes[*out].name);
}

/* The dtype a fold over elements of d works in, so that its result can be the next operand. */
static bool fold_dtype(gx_rt *rt, gx_opcode op, gx_dtype d, gx_dtype asked, gx_dtype *out) {
    gx_dtype compute, result;
    bool sums = op == GX_OP_add || op == GX_OP_multiply;
    if (op == GX_OP_ldexp) return ldexp_dtype(rt, d, asked, out);
    if (asked != GX_NO_DTYPE)
        d = asked;
    else if (sums && gx_dtype_kind(d) <= GX_KIND_UINT)
        d = gx_dtype_kind(d) == GX_KIND_UINT ? GX_u64 : GX_i64;
    if (op == GX_OP_logical_and || op == GX_OP_logical_or || op == GX_OP_logical_xor) {
        if (asked != GX_NO_DTYPE && asked != GX_bool)
            return gx_fail(rt, GX_TypeError, "dtype.signature",
                           "%s gives bool: dtype=%s is not compatible with it", gx_ops[op].name,
                           gx_dtypes[asked].name);
        d = GX_bool;
    }
    if (!gx_op_dtypes(op, d, &compute, &result))
        return gx_fail(rt, GX_TypeError, "ufunc.dtype",
                       "ufunc '%s' not supported for the input types, and the inputs could not be "
                       "safely coerced to any supported types according to the casting rule "
                       "''safe''",
                       gx_ops[op].name);
    if (compute != result || (asked != GX_NO_DTYPE && result != asked))
        return gx_fail(rt, GX_TypeError, "dtype.signature",
                       "No loop matching the specified signature and casting was found for ufunc "
                       "%s",
                       gx_ops[op].name);
    *out = result;
    return true;
}

/* The dtype asked for, or that of an out in which the operation is defined. */
static gx_dtype dtype_for(gx_opcode op, const gx_array *a, gx_dtype asked, gx_borrowed dest) {
    const gx_dtype d = gx_np_out_dtype(a, asked, dest);
    gx_dtype compute, result;
    if (asked != GX_NO_DTYPE || d == GX_NO_DTYPE || gx_np_is_float(d)) return d;
    return gx_op_dtypes(op, d, &compute, &result) && compute == result && result == d ? d : asked;
}

/* --- the loops --- */

/* Rows of `inner` elements of one dtype, `n` of them one after another. */
typedef struct rows {
    gx_rt *rt;
    gx_opcode op;
    gx_dtype d;
    int64_t inner, bytes; /* of a row */
    char *spare;          /* a row */
    int fp;
} rows;

/* to = to op from, elementwise. */
static bool fold_row(rows *w, char *to, const char *from) {
    if (!gx_op_elements(w->rt, w->op, w->d, w->spare, to, from, w->inner, &w->fp)) return false;
    memcpy(to, w->spare, (size_t)w->bytes);
    return true;
}

static bool fold_rows(rows *w, char *to, const char *from, int64_t n) {
    for (int64_t k = 0; k < n; k++) {
        if ((k & 1023) == 1023 && !gx_interrupt_check(w->rt)) return false;
        if (!fold_row(w, to, from + k * w->bytes)) return false;
    }
    return true;
}

static bool rows_begin(gx_np *s, gx_opcode op, gx_array *a, int axis, rows *w) {
    *w = (rows){.rt = s->rt, .op = op, .d = (gx_dtype)a->dtype};
    w->inner = gx_np_size(a->ndim - axis - 1, gx_shape(a) + axis + 1);
    w->bytes = w->inner * gx_dtype_size(a->dtype);
    w->spare = gx_np_scratch(s, (size_t)w->bytes + 1);
    return w->spare != NULL;
}

static bool rows_end(rows *w) {
    return gx_op_met(w->rt, w->op, w->fp);
}

/* The axis of a (host data, its dtype folds) folded; `first`, if any, stands before its rows. */
static gx_array *fold_axis(gx_np *s, gx_opcode op, gx_array *a, int axis, gx_array *first) {
    int64_t shape[GX_MAX_DIMS];
    rows w;
    double one;
    if (a && gx_np_folds_there(s, op, a)) {
        gx_array *folded = gx_np_fold_there(s, op, a, axis);
        return folded && first ? gx_np_op2(s, op, first, folded) : folded;
    }
    a = gx_np_contiguous(s, a);
    const char *from = gx_np_data(s, a);
    if (!from || !rows_begin(s, op, a, axis, &w)) return NULL;
    int64_t n = gx_shape(a)[axis], outer = gx_np_size(axis, gx_shape(a));
    memcpy(shape, gx_shape(a), (size_t)a->ndim * sizeof *shape);
    memmove(shape + axis, shape + axis + 1, (size_t)(a->ndim - axis - 1) * sizeof *shape);
    if (!first && n == 0 && outer * w.inner > 0) {
        if (!gx_np_ufunc_identity(op, &one)) {
            gx_fail(s->rt, GX_ValueError, "reduce.empty",
                    "zero-size array to reduction operation %s which has no identity",
                    gx_ops[op].name);
            return NULL;
        }
        first = gx_np_cast(s, gx_np_f64(s, one), w.d);
    }
    gx_array *r = gx_np_empty(s, w.d, a->ndim - 1, shape);
    if (first && (!r || !gx_array_store(s->rt, r, first))) return NULL;
    char *to = gx_np_data_write(s, r);
    if (!to) return NULL;
    for (int64_t o = 0; o < outer && w.inner; o++, to += w.bytes, from += n * w.bytes) {
        if (!first) memcpy(to, from, (size_t)w.bytes);
        if (!fold_rows(&w, to, first ? from : from + w.bytes, first ? n : n - 1)) return NULL;
    }
    return rows_end(&w) ? r : NULL;
}

/* The same where a mask leaves elements out: by whole rows of pending operations. */
static gx_array *fold_masked(gx_np *s, gx_opcode op, gx_array *a, int axis, gx_array *first,
                             gx_array *where) {
    gx_array *r = first;
    for (int64_t k = 0; r && k < gx_shape(a)[axis]; k++) {
        gx_array *next = gx_np_op2(s, op, r, gx_np_at(s, a, axis, k));
        r = gx_np_op3(s, GX_OP_where, gx_np_at(s, where, axis, k), next, r);
    }
    return r;
}

/* What is folded. Texts and times have only a truth. */
static gx_array *fold_operand(gx_np *s, gx_opcode op, gx_borrowed v) {
    const bool truth = op == GX_OP_logical_and || op == GX_OP_logical_or || op == GX_OP_logical_xor;
    gx_array *a;
    if (!truth || (gx_is_array(v) && !gx_is_kind(gx_as_array(v)->dtype))) return gx_np_arr(s, v);
    if (!gx_asarray(s->rt, v, GX_NO_DTYPE, s->ns, false, &a)) return NULL;
    const bool known = gx_is_text(a->dtype) || gx_of_family(a->dtype, GX_FAMILY_DATE) ||
                       gx_of_family(a->dtype, GX_FAMILY_SPAN);
    a = gx_np_own(s, a);
    return known ? gx_np_cast(s, a, GX_bool) : gx_np_arr(s, v);
}

/* --- reduce --- */

typedef struct fold_call {
    uint64_t mask;
    bool keep, has_initial;
    gx_dtype dtype;
    gx_array *where;
    gx_scalar initial;
    gx_borrowed out;
} fold_call;

/* r in the memory order of the axes of a that are left. */
static gx_array *folded_as(gx_np *s, gx_array *r, gx_array *a, uint64_t mask) {
    int64_t strides[GX_MAX_DIMS];
    const int64_t *left = strides;
    int order[GX_MAX_DIMS], n = 0;
    if (!r || r->ndim < 2 || r->count == 0) return r;
    for (int i = 0; i < a->ndim; i++)
        if (!(mask >> i & 1)) strides[n++] = gx_strides(a)[i];
    gx_order_of_operands(n, 1, &left, order);
    return gx_np_laid_in(s, r, order);
}

/* Folds axes one after the other, the last first. */
static gx_array *fold_axes(gx_np *s, gx_opcode op, gx_array *a, fold_call *f) {
    gx_dtype d;
    double x;
    gx_array *first = NULL;
    if (!fold_dtype(s->rt, op, (gx_dtype)a->dtype, f->dtype, &d)) return NULL;
    int times = __builtin_popcountll(f->mask);
    if (times > 1 && !reorderable(op)) {
        gx_fail(s->rt, GX_ValueError, "reduce.axes",
                "reduction operation '%s' is not reorderable, so at most one axis may be specified",
                gx_ops[op].name);
        return NULL;
    }
    gx_array *r = times ? gx_np_cast(s, a, d) : gx_np_fresh(s, a, d); /* a result is no view */
    if (f->has_initial) {
        gx_array *t = NULL;
        if (!gx_array_scalar(s->rt, d, &f->initial, s->ns, &t)) return NULL;
        first = gx_np_own(s, t);
    } else if ((f->where || op == GX_OP_hypot || op == GX_OP_gcd) &&
               gx_np_ufunc_identity(op, &x)) {
        /* hypot(0, x) and gcd(0, x) are not x: an identity in name only */
        first = gx_np_cast(s, gx_np_f64(s, x), d);
    }
    bool neutral = gx_np_ufunc_identity(op, &x);
    if (op == GX_OP_power) { /* an exponent of 1 changes nothing */
        neutral = true;
        x = 1;
    }
    if (f->where && neutral) /* what is left out changes nothing */
        r = gx_np_op3(s, GX_OP_where, f->where, r, gx_np_cast(s, gx_np_f64(s, x), d));
    if (r && !times && first) {
        r = gx_np_op2(s, op, first, r);
        if (f->where && !neutral) r = gx_np_op3(s, GX_OP_where, f->where, r, first);
    }
    for (int axis = a->ndim - 1; r && axis >= 0; axis--) {
        if (!(f->mask >> axis & 1)) continue;
        if (f->where && !neutral)
            r = fold_masked(s, op, r, axis, first, f->where);
        else
            r = fold_axis(s, op, r, axis, --times ? NULL : first);
    }
    r = folded_as(s, r, a, f->mask);
    return r && f->keep ? gx_np_settled(s, gx_np_expand(s, r, a->ndim, f->mask)) : r;
}

static bool read_fold(gx_np *s, gx_call *c, gx_opcode op, gx_array *a, fold_call *f) {
    double x;
    *f = (fold_call){.mask = a->ndim > 0, .dtype = GX_NO_DTYPE};
    if (!gx_np_method_out_arg(c, 4, &f->out) ||
        (gx_arg_given(c, 2) && !gx_np_ufunc_axes_arg(c, 2, a->ndim, &f->mask)) ||
        !gx_np_dtype_arg(c, 3, &f->dtype) || !gx_np_keepdims_arg(c, 5, &f->keep))
        return false;
    if (!gives_truth(op)) f->dtype = dtype_for(op, a, f->dtype, f->out);
    f->has_initial = gx_arg_some(c, 6);
    if (f->has_initial) {
        gx_dtype d;
        if (!fold_dtype(c->rt, op, (gx_dtype)a->dtype, f->dtype, &d) ||
            !gx_np_initial_arg(c, 6, d, &f->has_initial, &f->initial))
            return false;
    }
    if (!gx_arg_given(c, 7) || (c->argv[7].tag == GX_BOOL && c->argv[7].b)) return true;
    f->where = gx_np_broadcast(s, gx_np_mask_arg(s, c, 7), a->ndim, gx_shape(a));
    if (!f->where) return false;
    return f->has_initial || (!gx_arg_given(c, 6) && gx_np_ufunc_identity(op, &x)) ||
           gx_fail(c->rt, GX_ValueError, "reduce.where",
                   "reduction operation '%s' does not have an identity, so to use a where mask one "
                   "has to specify 'initial'",
                   gx_ops[op].name);
}

static bool reduce_fn(gx_call *c, gx_value *out) {
    gx_opcode op = op_of(c->argv[0]);
    gx_redcode red = fold_of(op);
    gx_np s = gx_np_begin(c);
    fold_call f;
    gx_array *r = NULL, *a;
    bool ok;
    if (gx_np_ufunc_refused(c)) return false;
    if (gx_np_ufunc_in_text(c, "reduce_rows", 8, out, &ok)) return ok;
    if (!need_binary(c, op)) return false;
    a = fold_operand(&s, op, c->argv[1]);
    if (!a || !read_fold(&s, c, op, a, &f)) return gx_np_end(&s, false);
    gx_dtype checked;
    if (f.dtype != GX_NO_DTYPE && !fold_dtype(c->rt, op, (gx_dtype)a->dtype, f.dtype, &checked))
        return gx_np_end(&s, false);
    if (gx_arg_given(c, 6) && !f.has_initial && red != GX_RED_COUNT &&
        !gx_np_folds_some(c->rt, a, f.mask, gx_ops[op].name))
        return gx_np_end(&s, false);
    if (red == GX_RED_COUNT || f.dtype == GX_bool)
        r = fold_axes(&s, op, a, &f);
    else if (gx_reduce(c->rt, red, a, f.mask, f.keep, f.dtype, f.has_initial ? &f.initial : NULL,
                       f.where, &r))
        r = gx_np_own(&s, r);
    else
        r = NULL;
    return gx_np_give_method(&s, r, f.out, out);
}

/* --- accumulate and reduceat --- */

/* What is said of a 0-d array, and the one axis. */
static bool one_axis(gx_call *c, int at, const gx_array *a, int *axis) {
    if (a->ndim == 0)
        return gx_fail(c->rt, GX_TypeError, "ufunc.scalar", "cannot %s on a scalar", c->fn->name);
    if (c->argv[at].tag == GX_NONE && a->ndim == 1) {
        *axis = 0;
        return true;
    }
    uint64_t axes; /* those that are none are told first */
    if (c->argv[at].tag == GX_TUPLE && !gx_np_ufunc_axes_arg(c, at, a->ndim, &axes)) return false;
    if (c->argv[at].tag == GX_NONE ||
        (c->argv[at].tag == GX_TUPLE && gx_as_tuple(c->argv[at])->count != 1))
        return gx_fail(c->rt, GX_ValueError, "ufunc.axes", "%s does not allow multiple axes",
                       c->fn->name);
    int64_t k;
    if (c->argv[at].tag != GX_TUPLE) return gx_np_axis_arg(c, at, a->ndim, 0, axis);
    gx_try is = gx_as_index(c->rt, gx_as_tuple(c->argv[at])->items[0], &k);
    if (is == GX_TRY_NO) return gx_arg_wrong(c, at, "an integer");
    return is == GX_TRY_YES && gx_axis(c->rt, k, a->ndim, axis);
}

static gx_array *laid(gx_np *s, gx_array *r, const gx_array *a) {
    return r ? gx_np_laid_like(s, r, a) : NULL;
}

static bool accumulate_fn(gx_call *c, gx_value *out) {
    gx_opcode op = op_of(c->argv[0]);
    gx_np s = gx_np_begin(c);
    gx_dtype asked, d;
    gx_borrowed dest;
    int axis = 0;
    rows w;
    bool ok;
    if (gx_np_ufunc_refused(c)) return false;
    if (gx_np_ufunc_in_text(c, "accumulate_rows", 5, out, &ok)) return ok;
    if (!need_binary(c, op)) return false;
    gx_array *a = fold_operand(&s, op, c->argv[1]);
    if (!a || !gx_np_method_out_arg(c, 4, &dest) || !one_axis(c, 2, a, &axis) ||
        !gx_np_dtype_arg(c, 3, &asked) ||
        !fold_dtype(c->rt, op, (gx_dtype)a->dtype,
                    gives_truth(op) ? asked : dtype_for(op, a, asked, dest), &d))
        return gx_np_end(&s, false);
    if ((op == GX_OP_add || op == GX_OP_multiply) && d != GX_bool)
        return gx_np_give_method(&s, laid(&s, gx_np_scan(&s, a, axis, op == GX_OP_multiply, d), a),
                                 dest, out);
    if (gx_np_folds_there(&s, op, a)) {
        gx_array *runs = gx_np_accumulate_there(&s, op, gx_np_fresh(&s, a, d), axis);
        return gx_np_give_method(&s, laid(&s, runs, a), dest, out);
    }
    gx_array *r = gx_np_fresh(&s, a, d);
    char *to = gx_np_data_write(&s, r);
    if (!to || !rows_begin(&s, op, r, axis, &w)) return gx_np_end(&s, false);
    int64_t n = gx_shape(r)[axis], outer = gx_np_size(axis, gx_shape(r));
    for (int64_t o = 0; o < outer && w.inner; o++, to += n * w.bytes)
        for (int64_t k = 1; k < n; k++) {
            char *row = to + k * w.bytes;
            if (((k & 1023) == 1023 && !gx_interrupt_check(c->rt)) ||
                !gx_op_elements(c->rt, op, d, w.spare, row - w.bytes, row, w.inner, &w.fp))
                return gx_np_end(&s, false);
            memcpy(row, w.spare, (size_t)w.bytes);
        }
    if (!rows_end(&w)) return gx_np_end(&s, false);
    return gx_np_give_method(&s, laid(&s, r, a), dest, out);
}

/* Positions i[k] … i[k + 1] of the axis; the last reaches to the end, a run that goes backwards is
   its first row alone. */
static gx_array *fold_parts(gx_np *s, gx_opcode op, gx_array *a, int axis, gx_array *indices) {
    int64_t n = gx_shape(a)[axis], count = indices->count, shape[GX_MAX_DIMS];
    const int64_t *index = gx_np_data(s, indices);
    rows w;
    memcpy(shape, gx_shape(a), (size_t)a->ndim * sizeof *shape);
    shape[axis] = count;
    const char *from = gx_np_data(s, a);
    gx_array *r = gx_np_empty(s, (gx_dtype)a->dtype, a->ndim, shape);
    char *to = gx_np_data_write(s, r);
    if (!index || !from || !to || !rows_begin(s, op, a, axis, &w)) return NULL;
    for (int64_t k = 0; k < count; k++)
        if (index[k] < 0 || index[k] >= n) {
            gx_fail(s->rt, GX_IndexError, "ufunc.reduceat",
                    "index %lld out-of-bounds in %s.reduceat [0, %lld)", (long long)index[k],
                    gx_ops[op].name, (long long)n);
            return NULL;
        }
    int64_t outer = gx_np_size(axis, gx_shape(a));
    for (int64_t o = 0; o < outer && w.inner; o++, from += n * w.bytes)
        for (int64_t k = 0; k < count; k++, to += w.bytes) {
            if (k % 1024 == 0 && !gx_work_end(s->rt)) return NULL;
            int64_t at = index[k], end = k + 1 < count ? index[k + 1] : n;
            memcpy(to, from + at * w.bytes, (size_t)w.bytes);
            if (!fold_rows(&w, to, from + (at + 1) * w.bytes, end - at - 1)) return NULL;
        }
    return rows_end(&w) ? r : NULL;
}

/* In the order of a's other axes: along this one the result is not walked with a. */
static gx_array *laid_parts(gx_np *s, gx_array *r, const gx_array *a, int axis) {
    int64_t strides[GX_MAX_DIMS];
    const int64_t *others = strides;
    int order[GX_MAX_DIMS];
    memcpy(strides, gx_strides(a), a->ndim * sizeof *strides);
    strides[axis] = 0;
    gx_order_of_operands(a->ndim, 1, &others, order);
    return gx_np_laid_in(s, r, order);
}

static bool reduceat_fn(gx_call *c, gx_value *out) {
    gx_opcode op = op_of(c->argv[0]);
    gx_np s = gx_np_begin(c);
    gx_dtype asked, d;
    gx_borrowed dest;
    int axis = 0;
    bool ok;
    if (gx_np_ufunc_refused(c)) return false;
    if (gx_np_ufunc_in_text(c, "reduceat_rows", 6, out, &ok)) return ok;
    if (!need_binary(c, op) || !gx_np_method_out_arg(c, 5, &dest)) return false;
    gx_array *a = fold_operand(&s, op, c->argv[1]);
    gx_array *i = gx_np_contiguous(&s, gx_np_cast(&s, gx_np_arr1(&s, c->argv[2]), GX_i64));
    if (!a || !i || !one_axis(c, 3, a, &axis) || !gx_np_dtype_arg(c, 4, &asked) ||
        !fold_dtype(c->rt, op, (gx_dtype)a->dtype, asked, &d))
        return gx_np_end(&s, false);
    if (i->ndim != 1)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "ufunc.indices",
                                     "reduceat: indices must have one dimension, not %d", i->ndim));
    gx_array *flat = gx_np_contiguous(&s, gx_np_cast(&s, a, d));
    gx_array *r = NULL;
    bool done = false;
    if (flat && gx_np_folds_there(&s, op, a)) {
        r = gx_np_reduceat_there(&s, op, flat, axis, i, &done);
        if (!r && gx_failed(&c->rt->error)) return gx_np_end(&s, false);
    }
    if (flat && !done) r = fold_parts(&s, op, flat, axis, i);
    return gx_np_give_method(&s, r ? laid_parts(&s, r, a, axis) : NULL, dest, out);
}

/* --- outer --- */

/* Calls the ufunc itself with the keywords of a dict. */
static bool call_self(gx_rt *rt, gx_borrowed fn, gx_borrowed a, gx_borrowed b, gx_borrowed keywords,
                      gx_value *out) {
    enum { MOST = 8 };
    gx_value argv[2 + MOST] = {a, b};
    gx_sym names[MOST];
    int n = 0;
    int64_t at = 0;
    gx_entry *e;
    while ((e = gx_dict_next(gx_as_dict(keywords), &at))) {
        if (n == MOST)
            return gx_fail(rt, GX_TypeError, "ufunc.outer", "outer() got too many keywords");
        names[n] = gx_str_sym(rt, e->key);
        if (!names[n]) return false;
        argv[2 + n++] = e->value;
    }
    return gx_call_value(rt, fn, 2, argv, n, names, out);
}

static bool outer_fn(gx_call *c, gx_value *out) {
    gx_opcode op = op_of(c->argv[0]);
    if (gx_np_ufunc_refused(c)) return false;
    if (op && gx_ops[op].arity != 2)
        return gx_fail(c->rt, GX_ValueError, "ufunc.binary",
                       "outer product only supported for binary functions");
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[1]), *b = gx_np_arr(&s, c->argv[2]);
    int64_t shape[GX_MAX_DIMS];
    if (!a || !b) return gx_np_end(&s, false);
    if (a->ndim + b->ndim > GX_MAX_DIMS)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "ufunc.outer",
                                     "outer: the result would have %d dimensions, more than %d",
                                     a->ndim + b->ndim, GX_MAX_DIMS));
    memcpy(shape, gx_shape(a), (size_t)a->ndim * sizeof *shape);
    for (int i = 0; i < b->ndim; i++) shape[a->ndim + i] = 1;
    gx_array *wide = gx_np_reshape(&s, a, a->ndim + b->ndim, shape);
    if (!wide) return gx_np_end(&s, false);
    /* A Python number stays one: it is weak. */
    gx_operand kind = gx_operand_kind(c->argv[1]), other = gx_operand_kind(c->argv[2]);
    gx_value x = kind == GX_OPERAND_WEAK ? c->argv[1] : gx_np_value(wide);
    gx_value y = other == GX_OPERAND_WEAK ? c->argv[2] : gx_np_value(b);
    gx_value fn = gx_native_value(c->argv[0].native, c->ns);
    return gx_np_end(&s, call_self(c->rt, fn, x, y, c->argv[3], out));
}

const gx_native gx_np_ufunc_methods[] = {
    {"reduce",
     "reduce(self, array, axis=0, dtype=None, out=None, keepdims=False, initial=<no value>, "
     "where=True)",
     "An axis folded with the operation.", "add.reduce([1, 2, 3])  # 6", reduce_fn, 0, 0},
    {"accumulate", "accumulate(self, array, axis=0, dtype=None, out=None)",
     "What the fold has after each element of an axis.",
     "multiply.accumulate([1, 2, 3])  # [1 2 6]", accumulate_fn, 0, 0},
    {"reduceat", "reduceat(self, array, indices, axis=0, dtype=None, out=None)",
     "Folds of the parts of an axis that start at the indices.",
     "add.reduceat([1, 2, 3, 4], [0, 2])  # [3 7]", reduceat_fn, 0, 0},
    {"outer", "outer(self, A, B, /, **kwargs)", "The operation on all pairs of elements.",
     "add.outer([1, 2], [10, 20]).tolist()  # [[11, 21], [12, 22]]", outer_fn, 0, 0},
    {"at", "at(self, a, indices, b=<no value>, /)",
     "The operation in place at positions; one that comes twice is changed twice.", NULL,
     gx_np_ufunc_at, 0, 0},
    {.name = NULL},
};
