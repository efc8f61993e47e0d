/* round with decimals, clip with open ends, angle in degrees, conj, divmod: operations of ops.def
   with arguments of their own, as functions and methods. The elements are the operations'. */
#include <math.h>

#include "runtime/list.h"
#include "stdlib/np_int.h"

extern const gx_native gx_np_round_functions[];

/* Results are scalars where the operand was no array, or by NumPy's rule for 0-d. */
static gx_array *scaled_round(gx_np *s, gx_array *a, int64_t decimals) {
    if (!a) return NULL;
    gx_dtype d = (gx_dtype)a->dtype;
    bool inexact = gx_np_is_float(d);
    if (decimals == 0 || (!inexact && decimals > 0)) return gx_np_op1(s, GX_OP_round, a);
    double p = 1;
    for (int64_t k = decimals < 0 ? -decimals : decimals; k > 0 && p < 1e308; k--) p *= 10;
    if (!inexact) a = gx_np_cast(s, a, GX_f64);
    gx_dtype work = inexact ? d : GX_f64;
    gx_opcode out = decimals > 0 ? GX_OP_multiply : GX_OP_divide;
    gx_opcode back = decimals > 0 ? GX_OP_divide : GX_OP_multiply;
    gx_array *by = gx_np_weak(s, gx_real_dtype(work), p);
    gx_array *r = gx_np_op2(s, back, gx_np_op1(s, GX_OP_round, gx_np_op2(s, out, a, by)), by);
    return gx_np_cast(s, r, d);
}

static bool round_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int64_t decimals;
    if (!gx_arg_int(c, 1, &decimals)) return false;
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    return gx_np_give_out(&s, scaled_round(&s, a, decimals), c->argv[2], out);
}

/* A bound as an operand; NULL: open. min and max are its newer names. */
static bool bound(gx_call *c, int i, int newer, gx_borrowed *out) {
    bool old = gx_arg_some(c, i), new = gx_arg_some(c, newer);
    if (old && new)
        return gx_fail(c->rt, GX_ValueError, "clip.bounds",
                       "Passing `min` or `max` keyword argument when `a_min` and `a_max` are "
                       "provided is forbidden.");
    *out = old ? c->argv[i] : new ? c->argv[newer] : gx_none();
    return true;
}

static bool clip_fn(gx_call *c, gx_value *out) {
    gx_borrowed low, high;
    if (!bound(c, 1, 4, &low) || !bound(c, 2, 5, &high)) return false;
    gx_op_options options = {.door = c->door};
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    gx_value r;
    if (!a) return gx_np_end(&s, false);
    const gx_borrowed x = gx_is_array(c->argv[0]) ? c->argv[0] : gx_np_value(a);
    bool ok;
    if (low.tag == GX_NONE && high.tag == GX_NONE)
        ok = gx_op(c->rt, GX_OP_positive, &x, &options, &r);
    else if (high.tag == GX_NONE)
        ok = gx_op2(c->rt, GX_OP_maximum, x, low, &r);
    else if (low.tag == GX_NONE)
        ok = gx_op2(c->rt, GX_OP_minimum, x, high, &r);
    else {
        const gx_borrowed all[3] = {x, low, high};
        ok = gx_op(c->rt, GX_OP_clip, all, &options, &r);
    }
    if (!ok || !gx_np_hold(&s, r)) return gx_np_end(&s, false);
    if (!gx_arg_some(c, 3)) {
        *out = gx_keep(r);
        return gx_np_end(&s, true);
    }
    return gx_np_give_out(&s, gx_np_arr(&s, r), c->argv[3], out);
}

static bool angle_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    bool deg;
    gx_array *a = gx_np_op1(&s, GX_OP_angle, gx_np_arr(&s, c->argv[0]));
    if (!a || !gx_arg_bool(c, 1, &deg)) return gx_np_end(&s, false);
    if (deg) {
        gx_dtype d = (gx_dtype)a->dtype;
        a = gx_np_op2(&s, GX_OP_multiply, a, gx_np_weak(&s, d, 180 / 3.14159265358979323846));
    }
    return gx_np_give(&s, a, out);
}

static bool conj_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_op1(&s, GX_OP_conjugate, gx_np_arr(&s, c->argv[0]));
    return gx_np_give_out(&s, a, c->argv[1], out);
}

static bool divmod_fn(gx_call *c, gx_value *out) {
    gx_value pair[2];
    gx_op_options options = {.door = c->door};
    if (!gx_op(c->rt, GX_OP_floor_divide, c->argv, &options, &pair[0])) return false;
    if (!gx_op(c->rt, GX_OP_remainder, c->argv, &options, &pair[1])) {
        gx_drop(pair[0]);
        return false;
    }
    return gx_tuple_take(c->rt, 2, pair, out);
}

#define BOTH GX_NATIVE_METHOD
const gx_native gx_np_round_functions[] = {
    {"round", "round(a, decimals=0, out=None)", "Rounded to decimals digits; halves go to even.",
     "round(array([1.25, 2.5]), 1)  # [1.2 2.5]", round_fn, BOTH, 0},
    {"clip", "clip(a, a_min=None, a_max=None, out=None, *, min=None, max=None)",
     "The elements, limited to an interval.", "clip([1, 5, 9], 2, 6)  # [2 5 6]", clip_fn, BOTH, 0},
    {"angle", "angle(z, deg=False)", "The angle of complex numbers.", "angle(1j, deg=True)  # 90.0",
     angle_fn, 0, 0},
    {"conj", "conj(x, /, out=None)", "Complex conjugate.", "conj([1j])  # [0.-1.j]", conj_fn, BOTH,
     0},
    {"conjugate", "conjugate(x, /, out=None)", "Complex conjugate.", "conjugate([1j])  # [0.-1.j]",
     conj_fn, BOTH, 0},
    {"divmod", "divmod(x1, x2, /)", "The pair (x1 // x2, x1 % x2), element by element.",
     "divmod([7, -7], 2)  # (array([ 3, -4]), array([1, 1]))", divmod_fn, 0, 0},
    {.name = NULL},
};
