/* The keywords of ufuncs that are no rows of ops.def. */
#include "stdlib/numpy/base/results.h"

#include <stdio.h>

#include "runtime/op/ufunc.h"

static bool read_out(gx_np_results *r, int k, gx_borrowed v) {
    gx_call *c = r->c;
    if (v.tag == GX_NONE) return true;
    if (!gx_is_array(v))
        return gx_fail(c->rt, GX_TypeError, "arg.out", "return arrays must be of ArrayType");
    r->outs[k] = gx_as_array(v);
    return gx_array_writable(c->rt, r->outs[k]);
}

static bool read_outs(gx_np_results *r) {
    gx_call *c = r->c;
    const gx_value *items = c->argv + r->nin, out = c->argv[r->nin + r->nout];
    if (out.tag != GX_NONE) {
        for (int k = 0; k < r->nout; k++)
            if (items[k].tag != GX_NONE)
                return gx_fail(c->rt, GX_TypeError, "arg.out",
                               "cannot specify 'out' as both a positional and keyword argument");
        r->keeps = out.tag == GX_ELLIPSIS;
        if (r->keeps) return true;
        if (out.tag != GX_TUPLE)
            return gx_fail(c->rt, GX_TypeError, "arg.out", "'out' must be a tuple of arrays");
        if (gx_sequence_items(out, &items) != r->nout)
            return gx_fail(c->rt, GX_ValueError, "arg.out",
                           "The 'out' tuple must have exactly one entry per ufunc output");
    }
    for (int k = 0; k < r->nout; k++)
        if (!read_out(r, k, items[k])) return false;
    return true;
}

/* The one out of a function with one result. */
static bool read_single(gx_np_results *r) {
    gx_call *c = r->c;
    return gx_op_out_arg(c, r->nin, c->by_position <= r->nin, &r->outs[0], &r->keeps);
}

bool gx_np_results_read(gx_np_results *r, gx_np *s, gx_call *c, int nin, int nout) {
    *r = (gx_np_results){
        .s = s, .c = c, .nin = nin, .nout = nout, .order = 'K', .dtype = GX_NO_DTYPE};
    const int at = nin + nout + (nout > 1);
    gx_value where = c->argv[at];
    if (c->argv[at + 4].tag != GX_BOOL) return gx_arg_wrong(c, at + 4, "a bool");
    if (!(nout == 1 ? read_single(r) : read_outs(r)) ||
        !gx_casting_of(c->rt, c->argv[at + 1], &r->casting) ||
        !gx_np_order_arg(c, at + 2, &r->order) || !gx_order_of_call(c, nin, &r->order) ||
        !gx_np_dtype_arg(c, at + 3, &r->dtype))
        return false;
    if (where.tag == GX_BOOL && where.b) return true;
    r->where = gx_np_mask_arg(s, c, at);
    return r->where != NULL;
}

/* The k-th result as it is stored, of its out's dtype and shape. NULL: an error. */
static gx_array *settled(gx_np_results *r, int k, gx_array *a) {
    gx_array *to = r->outs[k];
    char what[24] = "output";
    if (!a) return NULL;
    if (r->nout > 1) snprintf(what, sizeof what, "output %d", r->nin + k);
    if (to && !gx_ufunc_may_cast(r->s->rt, r->c->fn->name, (gx_dtype)a->dtype,
                                 (gx_dtype)to->dtype, r->casting, what))
        return NULL;
    if (to) a = gx_np_cast(r->s, a, (gx_dtype)to->dtype);
    if (a && r->where)
        a = gx_np_op3(r->s, GX_OP_where, r->where, a,
                      to ? to : gx_np_weak_int(r->s, (gx_dtype)a->dtype, 0));
    if (!a || !to) return a;
    if (a->ndim > to->ndim) {
        gx_fail(r->s->rt, GX_ValueError, "shape.out",
                "non-broadcastable output operand: the result has %d dimensions, out has %d",
                a->ndim, to->ndim);
        return NULL;
    }
    return gx_np_broadcast(r->s, a, to->ndim, gx_shape(to));
}

/* A result without an out is as wide as the widest out. */
static gx_array *as_wide(gx_np_results *r, int k, gx_array *a) {
    gx_array *widest = NULL;
    for (int i = 0; i < r->nout; i++)
        if (r->outs[i] && (!widest || r->outs[i]->ndim > widest->ndim)) widest = r->outs[i];
    if (!a || r->outs[k] || !widest || a->ndim >= widest->ndim) return a;
    return gx_np_copy(r->s, gx_np_broadcast(r->s, a, widest->ndim, gx_shape(widest)), 'C');
}

static bool give_one(gx_np_results *r, int k, gx_array *a, gx_value *out) {
    gx_rt *rt = r->s->rt;
    if (!a) return false;
    if (r->outs[k]) {
        if (!gx_array_store(rt, r->outs[k], a)) return false;
        *out = gx_keep(gx_np_value(r->outs[k]));
        return true;
    }
    if (r->order != 'K' && a->ndim > 1) a = gx_np_copy(r->s, a, r->order);
    if (!a) return false;
    gx_array_keep(a);
    if (!a->ndim && !r->keeps) return gx_array_result_take(rt, a, out);
    *out = gx_array_value(a);
    return true;
}

bool gx_np_results_give(gx_np_results *r, gx_array *const *made, gx_value *out) {
    gx_array *a[GX_NP_MOST_RESULTS];
    gx_value items[GX_NP_MOST_RESULTS];
    gx_np *s = r->s;
    bool ok = true;
    int given = 0;
    for (int k = 0; ok && k < r->nout; k++) ok = (a[k] = settled(r, k, made[k])) != NULL;
    for (; ok && given < r->nout; given += ok)
        ok = give_one(r, given, as_wide(r, given, a[given]), &items[given]);
    if (ok && r->nout > 1) return gx_np_end(s, gx_tuple_take(s->rt, r->nout, items, out));
    if (ok) *out = items[0];
    for (int k = 0; !ok && k < given; k++) gx_drop(items[k]);
    return gx_np_end(s, ok);
}
