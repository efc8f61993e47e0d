/* The method at of ufuncs: an operation in place, element after element. */
#include "runtime/array/kind/kind.h"
#include "runtime/device/work.h"
#include "runtime/op/whole.h"
#include "stdlib/numpy/base/reduce.h"
#include "stdlib/numpy/base/scope.h"
#include "stdlib/numpy/ufunc/there_int.h"
#include "stdlib/numpy/ufunc/ufunc_int.h"

/* The flat positions that an index means, broadcast as it is. */
static gx_array *positions(gx_np *s, gx_array *a, gx_borrowed key) {
    gx_value v;
    int64_t n = a->count;
    gx_array *all = gx_np_reshape(s, gx_np_iota(s, n), a->ndim, gx_shape(a));
    if (!all || !gx_array_get(s->rt, all, key, &v)) return NULL;
    if (!gx_np_hold(s, v)) return NULL;
    return gx_np_contiguous(s, gx_np_arr(s, v));
}

/* One element after another: an element that comes twice is changed twice. Ctrl-C leaves the first
   of them changed. */
static bool apply_at(gx_np *s, gx_opcode op, gx_dtype compute, gx_dtype result, gx_array *work,
                     gx_array *index, gx_array *b) {
    gx_dtype d = (gx_dtype)work->dtype;
    const int64_t *at = gx_np_data(s, index);
    const void *other = b ? gx_np_data(s, b) : NULL;
    void *to = gx_np_data_write(s, work);
    if (!at || !to || (b && !other)) return false;
    if (op != GX_OP_add || compute != d || (d != GX_f64 && d != GX_f32))
        return gx_op_at(s->rt, op, compute, result, d, to, at, other, index->count);
    if (d == GX_f64)
        GX_LONG_LOOP(s->rt, i, 0, index->count)
            ((double *)to)[at[i]] += ((const double *)other)[i];
    else
        GX_LONG_LOOP(s->rt, i, 0, index->count)
            ((float *)to)[at[i]] += ((const float *)other)[i];
    return gx_work_end(s->rt);
}

/* The dtype that `at` works in, and that of its results, which are cast as they may. A number
   beside the array is an array of its own dtype, and no weaker than it. */
static bool at_dtype(gx_rt *rt, gx_opcode op, const gx_array *a, const gx_array *b, gx_dtype *out,
                     gx_dtype *result) {
    gx_dtype common = (gx_dtype)a->dtype;
    if (b && op == GX_OP_ldexp) {
        if (gx_dtype_kind(b->dtype) >= GX_KIND_FLOAT)
            return gx_fail(rt, GX_TypeError, "ufunc.dtype",
                           "ldexp: exponents are integers, not %s", gx_dtypes[b->dtype].name);
    } else if (b && !gx_promote_any(rt, common, (gx_dtype)b->dtype, &common)) {
        return false;
    }
    return gx_op_dtypes(op, common, out, result) ||
           gx_fail(rt, GX_TypeError, "ufunc.dtype", "ufunc '%s' not supported for the input types",
                   gx_ops[op].name);
}

bool gx_np_ufunc_at(gx_call *c, gx_value *out) {
    const gx_opcode op = (gx_opcode)c->argv[0].native->op;
    bool two = gx_ops[op].arity == 2, given = gx_arg_given(c, 3);
    gx_dtype compute, result;
    bool ok;
    if (gx_np_ufunc_refused(c)) return false;
    if (gx_np_ufunc_in_text(c, "at_places", given ? 4 : 3, out, &ok)) return ok;
    if (!gx_is_array(c->argv[1]))
        return gx_fail(c->rt, GX_TypeError, "ufunc.at", "first operand must be array");
    if (two != given)
        return gx_fail(c->rt, GX_ValueError, "ufunc.at", "second operand %s",
                       two ? "needed for ufunc" : "provided when ufunc is unary");
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[1]), *b = NULL;
    if (a && given) b = gx_np_arr(&s, c->argv[3]);
    if (!a || !gx_array_writable(c->rt, a) || (given && !b) ||
        !at_dtype(c->rt, op, a, b, &compute, &result))
        return gx_np_end(&s, false);
    gx_array *index = positions(&s, a, c->argv[2]);
    if (index && two) {
        b = gx_np_cast(&s, b, compute);
        b = gx_np_contiguous(&s, gx_np_broadcast(&s, b, index->ndim, gx_shape(index)));
    }
    if (!index || (two && !b)) return gx_np_end(&s, false);
    if (b && b->storage == a->storage)
        b = gx_np_fresh(&s, b, GX_NO_DTYPE); /* read before it changes */
    if (two && !b) return gx_np_end(&s, false);
    bool direct = gx_array_is_contiguous(a, 'C');
    gx_array *work = direct ? a : gx_np_fresh(&s, a, GX_NO_DTYPE);
    bool done = false;
    ok = work != NULL;
    if (ok && gx_array_is_away(c->rt, a))
        ok = gx_np_at_there(&s, op, compute, result, work, index, b, &done);
    ok = ok && (done || apply_at(&s, op, compute, result, work, index, b)) &&
              (direct || gx_array_store(c->rt, a, work));
    if (ok) *out = gx_none();
    return gx_np_end(&s, ok);
}
