/* round with decimals, clip with open ends, angle in degrees, conj, divmod: operations of ops.def
   with arguments of their own, as functions and methods. The elements are the operations'. */
#include <math.h>

#include "runtime/object/container/list.h"
#include "runtime/object/number/number.h"
#include "stdlib/numpy/base/scope.h"

extern const gx_native gx_np_round_functions[], gx_np_round_methods[];

/* The view that attribute `name`, real or imag, gives; held by s. */
static gx_array *part_of(gx_np *s, gx_array *a, const char *name) {
    gx_sym sym = gx_sym_c(s->rt, name);
    gx_value v;
    if (!sym || !gx_get_attr(s->rt, gx_np_value(a), sym, &v) || !gx_np_hold(s, v)) return NULL;
    return gx_np_arr(s, v);
}

static gx_array *scaled_round(gx_np *s, gx_array *a, int64_t decimals);

/* Part by part: dividing complex numbers would round once more, and spoil zeros and infinities. */
static gx_array *round_parts(gx_np *s, gx_array *a, int64_t decimals) {
    static const char *const names[] = {"real", "imag"};
    gx_array *r = gx_np_empty(s, (gx_dtype)a->dtype, a->ndim, gx_shape(a));
    for (int k = 0; k < 2; k++) {
        gx_array *to = r ? part_of(s, r, names[k]) : NULL, *from = part_of(s, a, names[k]);
        gx_array *part = from ? scaled_round(s, from, decimals) : NULL;
        if (!to || !part || !gx_array_store(s->rt, to, part)) return NULL;
    }
    return r ? gx_np_laid_like(s, r, a) : NULL;
}

/* Results are scalars where the operand was no array, or by NumPy's rule for 0-d. */
static gx_array *scaled_round(gx_np *s, gx_array *a, int64_t decimals) {
    if (!a) return NULL;
    gx_dtype d = (gx_dtype)a->dtype;
    bool inexact = gx_np_is_float(d);
    if (d == GX_bool && decimals != 0) {
        gx_fail(s->rt, GX_TypeError, "round.bool", "bools have no decimals to round");
        return NULL;
    }
    if (decimals == 0 || (!inexact && decimals > 0)) return gx_np_op1(s, GX_OP_round, a);
    if (gx_dtype_kind(d) == GX_KIND_CPLX) return round_parts(s, a, decimals);
    double p = 1;
    for (int64_t k = decimals < 0 ? -decimals : decimals; k > 0 && p < 1e308; k--) p *= 10;
    if (!inexact && !(a = gx_np_cast(s, a, GX_f64))) return NULL;
    gx_dtype work = inexact ? d : GX_f64;
    gx_opcode out = decimals > 0 ? GX_OP_multiply : GX_OP_divide;
    gx_opcode back = decimals > 0 ? GX_OP_divide : GX_OP_multiply;
    gx_array *by = gx_np_weak(s, gx_real_dtype(work), p);
    gx_array *r = gx_np_op2(s, back, gx_np_op1(s, GX_OP_round, gx_np_op2(s, out, a, by)), by);
    return r ? gx_np_as_fortran(s, gx_np_cast(s, r, d), a) : NULL;
}

static bool round_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int64_t decimals;
    if (!gx_arg_int(c, 1, &decimals)) return false;
    if (decimals != (int32_t)decimals)
        return gx_fail(c->rt, GX_OverflowError, "round.decimals",
                       "Python int too large to convert to C int");
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    if (!a || !gx_is_array(c->argv[2]))
        return gx_np_give_out(&s, scaled_round(&s, a, decimals), c->argv[2], out);
    const gx_array *to = gx_as_array(c->argv[2]);
    if (to->count != a->count)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "round.out", "invalid output shape"));
    const bool exact = !gx_np_is_float(a->dtype) && a->dtype != GX_bool && decimals >= 0;
    if (!gx_np_is_float(a->dtype) && decimals != 0 && !exact) a = gx_np_cast(&s, a, GX_f64);
    gx_array *r = scaled_round(&s, a, decimals);
    if (exact) r = gx_np_less_axes(&s, r, to->ndim);
    return gx_np_give_spread(&s, r, 0, c->argv[2], out);
}

/* The bounds as operands, None where open. min and max are their newer names; names of both kinds
   do not go together. */
static bool bounds(gx_call *c, gx_borrowed *low, gx_borrowed *high) {
    const bool a_min = gx_arg_given(c, 1), a_max = gx_arg_given(c, 2);
    const bool newer = gx_arg_given(c, 4) || gx_arg_given(c, 5);
    if (a_min != a_max)
        return gx_fail(c->rt, GX_TypeError, "clip.bounds",
                       "clip() got %s, but not %s: give a_min and a_max, or min and max",
                       a_min ? "a_min" : "a_max", a_min ? "a_max" : "a_min");
    if (newer && a_min)
        return gx_fail(c->rt, GX_ValueError, "clip.bounds",
                       "Passing `min` or `max` keyword argument when `a_min` and `a_max` are "
                       "provided is forbidden.");
    *low = c->argv[newer ? 4 : 1];
    *high = c->argv[newer ? 5 : 2];
    if (low->tag == GX_UNDEF) *low = gx_none();
    if (high->tag == GX_UNDEF) *high = gx_none();
    return true;
}

/* A Python int at or beyond the end of an integer dtype bounds nothing. */
static bool bounds_nothing(gx_borrowed v, gx_dtype d, bool low) {
    int kind = gx_dtype_kind(d), bits = gx_dtypes[d].bytes * 8;
    if ((kind != GX_KIND_INT && kind != GX_KIND_UINT) || (v.tag != GX_INT && v.tag != GX_BIGINT))
        return false;
    if (v.tag == GX_BIGINT) {
        uint64_t u;
        bool huge = gx_bigint_u64(v, &u) ? d != GX_u64 || u == UINT64_MAX : false;
        bool negative = ((gx_bigint *)(void *)v.obj)->negative;
        return low ? negative : huge || (!negative && !gx_bigint_u64(v, &u));
    }
    if (kind == GX_KIND_UINT) return low ? v.i <= 0 : bits < 64 && v.i >= (INT64_C(1) << bits) - 1;
    int64_t most = bits == 64 ? INT64_MAX : (INT64_C(1) << (bits - 1)) - 1;
    return low ? v.i <= -most - 1 : v.i >= most;
}

static bool clip(gx_call *c, gx_borrowed low, gx_borrowed high, int dtype, gx_value *out) {
    gx_op_options options = {.ns = c->ns, .has_dtype = gx_arg_some(c, dtype)};
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    gx_value r;
    if (!a || !gx_np_dtype_arg(c, dtype, &options.dtype)) return gx_np_end(&s, false);
    bool keeps;
    if (!gx_op_out_arg(c, 3, true, &options.out, &keeps)) return gx_np_end(&s, false);
    if (bounds_nothing(low, (gx_dtype)a->dtype, true)) low = gx_none();
    if (bounds_nothing(high, (gx_dtype)a->dtype, false)) high = gx_none();
    const gx_borrowed x = gx_is_array(c->argv[0]) ? c->argv[0] : gx_np_value(a);
    const gx_borrowed one_end[2] = {x, low.tag == GX_NONE ? high : low};
    bool ok;
    if (low.tag == GX_NONE && high.tag == GX_NONE)
        ok = gx_op(c->rt, GX_OP_positive, &x, &options, &r);
    else if (high.tag == GX_NONE)
        ok = gx_op(c->rt, GX_OP_maximum, one_end, &options, &r);
    else if (low.tag == GX_NONE)
        ok = gx_op(c->rt, GX_OP_minimum, one_end, &options, &r);
    else {
        const gx_borrowed all[3] = {x, low, high};
        ok = gx_op(c->rt, GX_OP_clip, all, &options, &r);
    }
    if (ok && keeps && !gx_is_array(r)) {
        if (!gx_np_hold(&s, r)) return gx_np_end(&s, false);
        return gx_np_give_array(&s, gx_np_arr(&s, r), out);
    }
    if (ok) *out = r;
    return gx_np_end(&s, ok);
}

static bool clip_fn(gx_call *c, gx_value *out) {
    gx_borrowed low, high;
    return bounds(c, &low, &high) && clip(c, low, high, 6, out);
}
static bool clip_method(gx_call *c, gx_value *out) {
    return clip(c, c->argv[1], c->argv[2], 4, out);
}

static bool angle_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    bool deg;
    gx_array *z = gx_np_arr(&s, c->argv[0]);
    if (z && z->dtype == GX_bool) z = gx_np_cast(&s, z, GX_f64);
    gx_array *a = gx_np_op1(&s, GX_OP_angle, z);
    if (!a || !gx_arg_bool(c, 1, &deg)) return gx_np_end(&s, false);
    if (deg) {
        gx_dtype d = (gx_dtype)a->dtype;
        a = gx_np_op2(&s, GX_OP_multiply, a, gx_np_weak(&s, d, 180 / 3.14159265358979323846));
    }
    return gx_np_give(&s, a, out);
}

/* The attribute of that name: a view of an array's parts, a Python number of a Python number. */
static bool part_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_borrowed v = c->argv[0];
    bool direct = gx_is_array(v) || gx_operand_kind(v) != GX_OPERAND_NONE;
    gx_array *a = direct ? NULL : gx_np_arr(&s, v);
    gx_sym name = gx_sym_c(c->rt, c->fn->name);
    if (!name || (!direct && !a)) return gx_np_end(&s, false);
    return gx_np_end(&s, gx_get_attr(c->rt, direct ? v : gx_np_value(a), name, out));
}

#define BOTH GX_NATIVE_METHOD
const gx_native gx_np_round_functions[] = {
    {"round", "round(a, decimals=0, out=None)",
     "Rounds to so many decimals; halves go to the even neighbour. Negative decimals round to "
     "tens, hundreds …",
     "round(array([1.25, 2.5]), 1)  # [1.2 2.5]", round_fn, BOTH, 0},
    {"clip",
     "clip(a, a_min=<no value>, a_max=<no value>, out=None, *, min=<no value>, max=<no value>, "
     "dtype=None)",
     "The elements limited to the interval from min to max; None leaves a side open.",
     "clip([1, 5, 9], 2, 6)  # [2 5 6]", clip_fn, 0, 0},
    {"angle", "angle(z, deg=False)",
     "Angle of complex numbers, in radians from -pi to pi, or in degrees.",
     "angle(1j, deg=True)  # 90.0", angle_fn, 0, 0},
    {"real", "real(val)", "The real part of each element; of an array, a view.",
     "real([1 + 2j])  # [1.]", part_fn, 0, 0},
    {"imag", "imag(val)", "The imaginary part of each element; of a complex array, a view.",
     "imag([1 + 2j])  # [2.]", part_fn, 0, 0},
    {.name = NULL},
};

const gx_native gx_np_round_methods[] = {
    {"clip", "clip(self, min=None, max=None, out=None, *, dtype=None)",
     "The elements limited to the interval from min to max; None leaves a side open.",
     "array([1, 5, 9]).clip(2, 6)  # [2 5 6]", clip_method, 0, 0},
    {.name = NULL},
};
