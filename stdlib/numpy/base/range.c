/* Evenly spaced numbers: arange, linspace. Lengths and dtypes are NumPy's; the
   elements are pending, so that a huge range costs nothing until it is looked at. */
#include <math.h>

#include "runtime/object/number/number.h"
#include "runtime/array/kind/date.h"
#include "stdlib/numpy/base/range.h"
#include "stdlib/numpy/base/scope.h"

extern const gx_native gx_np_range_functions[];

/* --- arange --- */

/* An integer argument as int64; false without an error when it is none. */
static bool whole(gx_rt *rt, gx_borrowed v, int64_t *out) {
    gx_try t = v.tag == GX_FLOAT ? GX_TRY_NO : gx_as_index(rt, v, out);
    if (t == GX_TRY_ERROR) gx_error_clear(rt);
    return t == GX_TRY_YES;
}

static bool real_arg(gx_rt *rt, gx_borrowed v, double *out) {
    gx_try t = gx_as_double(rt, v, out);
    if (t == GX_TRY_NO && gx_is_array(v) && gx_as_array(v)->count == 1) {
        gx_scalar e;
        if (!gx_array_item(rt, gx_as_array(v), &e)) return false;
        *out = gx_scalar_cast((gx_dtype)gx_as_array(v)->dtype, GX_f64, &e).f64;
        return true;
    }
    if (t == GX_TRY_NO)
        gx_fail(rt, GX_TypeError, "arg.number",
                "arange: start, stop and step must be numbers, not %s", gx_type_name(v));
    return t == GX_TRY_YES;
}

static bool length_of_ints(gx_rt *rt, int64_t start, int64_t stop, int64_t step, int64_t *n) {
    if (step == 0) return gx_fail(rt, GX_ZeroDivisionError, "number.zero", "division by zero");
    *n = 0;
    if (step > 0 ? start >= stop : start <= stop) return true;
    uint64_t span = step > 0 ? (uint64_t)stop - (uint64_t)start : (uint64_t)start - (uint64_t)stop;
    uint64_t by = step > 0 ? (uint64_t)step : -(uint64_t)step;
    uint64_t count = (span - 1) / by + 1;
    if (count > INT64_MAX)
        return gx_fail(rt, GX_ValueError, "array.size", "Maximum allowed size exceeded");
    *n = (int64_t)count;
    return true;
}

static bool length_of_reals(gx_rt *rt, double start, double stop, double step, int64_t *n) {
    if (step == 0)
        return gx_fail(rt, GX_ZeroDivisionError, "number.zero", "float division by zero");
    double count = ceil((stop - start) / step);
    if (isnan(count))
        return gx_fail(rt, GX_ValueError, "arange.nan", "arange: cannot compute length");
    if (count >= 9.2e18)
        return gx_fail(rt, GX_ValueError, "array.size", "Maximum allowed size exceeded");
    if (count < -0x1p63)
        return gx_fail(rt, GX_ValueError, "array.size", "Maximum allowed size exceeded");
    *n = count <= 0 ? 0 : (int64_t)count;
    return true;
}

static gx_array *iota(gx_np *s, gx_dtype d, int64_t n, const gx_scalar *first,
                      const gx_scalar *step) {
    gx_array *r = NULL;
    return gx_array_iota(s->rt, d, n, first, step, s->ns, &r) ? gx_np_own(s, r) : NULL;
}

/* NumPy derives the step from the first two elements, both rounded to the dtype. */
static gx_array *real_range(gx_np *s, gx_dtype d, double start, double step, int64_t n) {
    double second = start + step;
    gx_scalar first, by;
    if (gx_dtype_kind(d) == GX_KIND_FLOAT) {
        gx_scalar a = {.f64 = start}, b = {.f64 = second};
        a = gx_scalar_cast(GX_f64, d, &a);
        b = gx_scalar_cast(GX_f64, d, &b);
        first = a;
        double low = gx_scalar_cast(d, GX_f64, &a).f64, next = gx_scalar_cast(d, GX_f64, &b).f64;
        gx_scalar delta = {.f64 = d == GX_f64 ? next - low : (double)((float)next - (float)low)};
        by = gx_scalar_cast(GX_f64, d, &delta);
    } else {
        gx_scalar a = {.f64 = start}, b = {.f64 = second};
        gx_dtype to = gx_dtype_kind(d) == GX_KIND_CPLX ? GX_c128 : GX_i64;
        a = gx_scalar_cast(GX_f64, to, &a);
        b = gx_scalar_cast(GX_f64, to, &b);
        gx_scalar delta = {.i64 = b.i64 - a.i64};
        if (to == GX_c128) delta = (gx_scalar){.c128 = {b.c128.re - a.c128.re, 0}};
        first = gx_scalar_cast(to, d, &a);
        by = gx_scalar_cast(to, d, &delta);
    }
    return iota(s, d, n, &first, &by);
}

static bool check_bool(gx_rt *rt, gx_dtype d, int64_t n) {
    return d != GX_bool || n <= 2 ||
           gx_fail(rt, GX_TypeError, "arange.bool",
                   "arange() is only supported for booleans when the result has at most length 2.");
}

/* An int that only uint64 holds? */
static int beyond(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    gx_scalar s;
    if (v.tag == GX_BIGINT) return gx_bigint_u64(v, out);
    if (!gx_is_scalar(v) || gx_scalar_dtype(v) != GX_u64) return 0;
    if (!gx_scalar_read(rt, v, &s)) return 0; /* the next read fails, too */
    *out = s.u64;
    return *out > INT64_MAX;
}

static bool whole_u64(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    int64_t i;
    if (beyond(rt, v, out)) return true;
    if (!whole(rt, v, &i) || i < 0) return false;
    *out = (uint64_t)i;
    return true;
}

/* The first two elements, which the others are derived from, must be numbers of an integer dtype.
 */
static bool first_fit(gx_rt *rt, gx_dtype d, int64_t n, gx_value first, gx_value second) {
    gx_scalar unused;
    if (gx_dtype_kind(d) != GX_KIND_INT && gx_dtype_kind(d) != GX_KIND_UINT) return true;
    return (n < 1 || gx_scalar_from(rt, first, d, &unused)) &&
           (n < 2 || gx_scalar_from(rt, second, d, &unused));
}

gx_array *gx_np_range(gx_np *s, gx_borrowed start, gx_borrowed stop, gx_borrowed step, gx_dtype d) {
    gx_rt *rt = s->rt;
    int64_t a = 0, b = 0, by = 1, n = 0;
    double fa, fb, fby;
    gx_dtype found = GX_i64, one;
    const gx_borrowed all[3] = {start, stop, step};
    const bool ints = start.tag == GX_INT && stop.tag == GX_INT && step.tag == GX_INT;
    for (int i = 0; i < 3 && !ints; i++) {
        if (all[i].tag == GX_STR) { /* no dtype's name here */
            gx_fail(rt, GX_TypeError, "arg.number",
                    "arange: start, stop and step must be numbers, not str");
            return NULL;
        }
        if (all[i].tag == GX_INT) continue;
        if (all[i].tag == GX_FLOAT) one = GX_f64;
        else if (!gx_np_result_type(rt, 1, &all[i], &one)) return NULL;
        found = gx_promote(found, one);
    }
    bool weak = true;
    for (int i = 0; i < 3; i++) weak = weak && gx_operand_kind(all[i]) == GX_OPERAND_WEAK;
    if (!weak && gx_operand_kind(step) != GX_OPERAND_NONE) { /* NumPy's quotient is infinite */
        double zero = 1;
        if (gx_as_double(rt, step, &zero) == GX_TRY_ERROR) return NULL;
        if (zero == 0) {
            gx_fail(rt, GX_ValueError, "array.size", "Maximum allowed size exceeded");
            return NULL;
        }
    }
    if (d == GX_NO_DTYPE) d = found;
    uint64_t ua, ub;
    if (d == GX_u64 && beyond(rt, start, &ua) + beyond(rt, stop, &ub) > 0 &&
        whole_u64(rt, start, &ua) && whole_u64(rt, stop, &ub) && whole(rt, step, &by) && by > 0) {
        gx_scalar first = {.u64 = ua}, delta = {.i64 = by};
        return iota(s, d, ub > ua ? (int64_t)((ub - ua - 1) / (uint64_t)by) + 1 : 0, &first,
                    &delta);
    }
    if (whole(rt, start, &a) && whole(rt, stop, &b) && whole(rt, step, &by)) {
        if (!length_of_ints(rt, a, b, by, &n)) return NULL;
        if (!check_bool(rt, d, n) ||
            !first_fit(rt, d, n, gx_int(a), gx_int(n < 2 ? a : a + by)))
            return NULL;
        if (gx_dtype_kind(d) == GX_KIND_FLOAT || d == GX_bool)
            return gx_np_cast(s, real_range(s, d == GX_bool ? GX_i64 : d, (double)a, (double)by, n),
                              d);
        gx_scalar first = {.i64 = a}, delta = {.i64 = by};
        first = gx_scalar_cast(GX_i64, d, &first);
        delta = gx_scalar_cast(GX_i64, d, &delta);
        return iota(s, d, n, &first, &delta);
    }
    if (!real_arg(rt, start, &fa) || !real_arg(rt, stop, &fb) || !real_arg(rt, step, &fby))
        return NULL;
    if (!length_of_reals(rt, fa, fb, fby, &n) || !check_bool(rt, d, n) ||
        !first_fit(rt, d, n, gx_float(fa), gx_float(fa + fby)))
        return NULL;
    return real_range(s, d, fa, fby, n);
}

static bool is_complex(gx_borrowed v) {
    return v.tag == GX_COMPLEX ||
           (gx_is_scalar(v) && gx_dtype_kind(gx_scalar_dtype(v)) == GX_KIND_CPLX) ||
           (gx_is_array(v) && gx_dtype_kind(gx_as_array(v)->dtype) == GX_KIND_CPLX);
}

static bool is_wide(gx_borrowed v) {
    return v.tag == GX_COMPLEX || (gx_is_scalar(v) && gx_scalar_dtype(v) == GX_c128) ||
           (gx_is_array(v) && gx_as_array(v)->dtype == GX_c128);
}

/* start + k * step; as many as both parts of (stop - start) / step have room for. */
static gx_array *complex_range(gx_np *s, gx_borrowed start, gx_borrowed stop, gx_borrowed step) {
    gx_array *from = gx_np_arr_as(s, start, GX_c128), *by = gx_np_arr_as(s, step, GX_c128);
    gx_array *room = gx_np_op2(s, GX_OP_subtract, gx_np_arr_as(s, stop, GX_c128), from);
    room = gx_np_op2(s, GX_OP_divide, room, by);
    gx_scalar x;
    if (!room || !gx_array_item(s->rt, room, &x)) return NULL;
    const bool real = !is_wide(start) && !is_wide(stop) && !is_wide(step); /* no Python complex */
    const double count = real ? ceil(x.c128.re) : fmin(ceil(x.c128.re), ceil(x.c128.im));
    if (!(count < 0x1p62)) {
        gx_fail(s->rt, GX_ValueError, "array.size", "Maximum allowed size exceeded");
        return NULL;
    }
    by = gx_np_op2(s, GX_OP_subtract, gx_np_op2(s, GX_OP_add, from, by), from);
    gx_array *k = gx_np_cast(s, gx_np_iota(s, count > 0 ? (int64_t)count : 0), GX_c128);
    return gx_np_op2(s, GX_OP_add, from, gx_np_op2(s, GX_OP_multiply, k, by));
}

/* Arrays with dims are no ends of a range. */
static bool check_end(gx_rt *rt, gx_borrowed v) {
    if (!gx_is_array(v) || gx_as_array(v)->ndim == 0) return true;
    const int64_t n = gx_as_array(v)->count;
    return gx_fail(rt, n == 1 ? GX_TypeError : GX_ValueError, "arange.end",
                   "arange() takes numbers, not an array of %lld element%s", (long long)n,
                   n == 1 ? "" : "s");
}

static bool arange_fn(gx_call *c, gx_value *out) {
    gx_dtype d;
    gx_borrowed start = c->argv[0], stop = c->argv[1], step = c->argv[2];
    if (!gx_arg_some(c, 0) && !gx_arg_some(c, 1))
        return gx_fail(c->rt, GX_TypeError, "arg.stop", "arange() requires stop to be specified.");
    if (!gx_np_dtype_arg(c, 3, &d) || !gx_np_device_arg(c, 4)) return false;
    bool times = d != GX_NO_DTYPE && gx_is_time(d);
    for (int i = 0; i < 3; i++)
        times = times || (c->argv[i].tag == GX_ARRAY && gx_is_time(gx_as_array(c->argv[i])->dtype));
    if (times) return gx_np_by_times(c, out) == GX_TRY_YES;
    if (!gx_arg_some(c, 1)) {
        stop = start;
        start = gx_int(0);
    } else if (!gx_arg_some(c, 0))
        start = gx_int(0);
    if (!gx_arg_some(c, 2)) step = gx_int(1);
    if (!check_end(c->rt, start) || !check_end(c->rt, stop) || !check_end(c->rt, step))
        return false;
    gx_np s = gx_np_begin(c);
    if (is_complex(start) || is_complex(stop) || is_complex(step))
        return gx_np_give_array(&s, gx_np_cast(&s, complex_range(&s, start, stop, step), d), out);
    return gx_np_give_array(&s, gx_np_range(&s, start, stop, step, d), out);
}

/* --- linspace --- */

typedef struct spaced {
    gx_array *y;    /* the samples along axis 0, floating */
    gx_array *step; /* their distance */
} spaced;

/* num samples from start to stop; the arrays' shapes are broadcast. dt: the dtype both have in
   common, where they were Python numbers; or GX_NO_DTYPE. */
static spaced space(gx_np *s, gx_array *start, gx_array *stop, gx_dtype dt, int64_t num,
                    bool endpoint) {
    spaced r = {NULL, NULL};
    if (!start || !stop) return r;
    if (dt == GX_NO_DTYPE) dt = gx_promote((gx_dtype)start->dtype, (gx_dtype)stop->dtype);
    dt = gx_promote_weak(dt, GX_KIND_FLOAT);
    if (gx_dtype_kind(dt) != GX_KIND_CPLX && gx_dtype_kind(dt) != GX_KIND_FLOAT) dt = GX_f64;
    start = gx_np_cast(s, start, dt);
    stop = gx_np_cast(s, stop, dt);
    gx_array *delta = gx_np_op2(s, GX_OP_subtract, stop, start);
    if (!delta) return r;
    int nd = delta->ndim;
    int64_t shape[GX_MAX_DIMS] = {num}, div = endpoint ? num - 1 : num;
    for (int i = 1; i <= nd && i < GX_MAX_DIMS; i++) shape[i] = 1; /* 65 dims are refused */
    gx_array *i = gx_np_reshape(s, gx_np_iota(s, num), nd + 1, shape);
    gx_array *y = gx_np_cast(s, i, gx_real_dtype(dt));
    if (!y) return r;
    if (div > 0) {
        gx_array *by = gx_np_weak(s, dt, (double)div);
        r.step = gx_np_op2(s, GX_OP_divide, delta, by);
        gx_array *zero = gx_np_op2(s, GX_OP_equal, r.step, gx_np_weak_int(s, dt, 0));
        gx_array *any =
            gx_np_reduce(s, GX_RED_any, zero, zero ? gx_np_all(zero) : 0, false, GX_NO_DTYPE);
        gx_scalar is_zero;
        if (!any || !gx_array_item(s->rt, any, &is_zero)) return r;
        if (is_zero.b)
            y = gx_np_op2(s, GX_OP_multiply, gx_np_op2(s, GX_OP_divide, y, by), delta);
        else
            y = gx_np_op2(s, GX_OP_multiply, y, r.step);
    } else {
        r.step = gx_np_weak(s, dt, NAN);
        y = gx_np_op2(s, GX_OP_multiply, y, delta);
    }
    y = gx_np_op2(s, GX_OP_add, y, start);
    if (endpoint && num > 1) {
        gx_array *last = gx_np_op2(s, GX_OP_equal, i, gx_np_i64(s, num - 1));
        y = gx_np_op3(s, GX_OP_where, last, stop, y);
    }
    r.y = y;
    return r;
}

static bool num_arg(gx_call *c, int i, int64_t *num) {
    if (!gx_arg_int(c, i, num)) return false;
    if (*num < 0)
        return gx_fail(c->rt, GX_ValueError, "arg.num",
                       "Number of samples, %lld, must be non-negative.", (long long)*num);
    return true;
}

/* The samples in the given dtype, along the given axis. */
static gx_array *finish_space(gx_call *c, gx_np *s, gx_array *y, gx_dtype d, int axis_arg) {
    int to = 0;
    double x;
    if (!y) return NULL;
    const gx_try number = gx_as_double(c->rt, c->argv[axis_arg], &x);
    if (number == GX_TRY_ERROR) return NULL;
    const bool zero = number == GX_TRY_YES && x == 0; /* of whatever kind */
    if (!zero && !gx_np_target_axis(c, axis_arg, y->ndim, &to)) return NULL;
    y = gx_np_moveaxis(s, y, 0, to);
    if (d != GX_NO_DTYPE && !gx_np_is_float(d) && d != GX_bool && d < GX_NO_DTYPE)
        y = gx_np_op1(s, GX_OP_floor, y);
    return gx_np_cast(s, y, d);
}

static bool is_number(gx_borrowed v) {
    return v.tag == GX_INT || v.tag == GX_FLOAT || v.tag == GX_COMPLEX || v.tag == GX_BIGINT;
}

/* What the two ends have in common where Python's numbers are weak; GX_NO_DTYPE: neither is one. */
static bool common_dtype(gx_call *c, gx_array *start, gx_array *stop, gx_dtype *out) {
    *out = GX_NO_DTYPE;
    if (!start || !stop) return false;
    const bool weak[2] = {is_number(c->argv[0]), is_number(c->argv[1])};
    const gx_borrowed ends[2] = {weak[0] ? c->argv[0] : gx_np_value(start),
                                 weak[1] ? c->argv[1] : gx_np_value(stop)};
    return (!weak[0] && !weak[1]) || gx_np_result_type(c->rt, 2, ends, out);
}

static bool linspace_fn(gx_call *c, gx_value *out) {
    int64_t num;
    bool endpoint, retstep;
    gx_dtype d;
    if (!num_arg(c, 2, &num) || !gx_arg_bool(c, 3, &endpoint) || !gx_arg_bool(c, 4, &retstep) ||
        !gx_np_dtype_arg(c, 5, &d) || !gx_np_device_arg(c, 7))
        return false;
    gx_dtype common;
    gx_np s = gx_np_begin(c);
    gx_array *start = gx_np_arr(&s, c->argv[0]), *stop = gx_np_arr(&s, c->argv[1]);
    if (!common_dtype(c, start, stop, &common)) return gx_np_end(&s, false);
    spaced r = space(&s, start, stop, common, num, endpoint);
    gx_array *y = finish_space(c, &s, r.y, d, 6);
    if (!retstep) return gx_np_give_array(&s, y, out);
    if (!y || !r.step) return gx_np_end(&s, false);
    gx_value pair[2] = {gx_np_value(y), gx_undef()};
    if (num == 0 || (num == 1 && endpoint)) {
        pair[1] = gx_float(NAN);
        return gx_np_end(&s, gx_tuple_new(c->rt, 2, pair, out));
    }
    gx_array_keep(r.step);
    if (!gx_array_result_take(c->rt, r.step, &pair[1]) || !gx_np_hold(&s, pair[1]))
        return gx_np_end(&s, false);
    return gx_np_end(&s, gx_tuple_new(c->rt, 2, pair, out));
}

gx_array *gx_np_linspace(gx_np *s, double start, double stop, int64_t num, bool endpoint) {
    return space(s, gx_np_f64(s, start), gx_np_f64(s, stop), GX_f64, num, endpoint).y;
}

const gx_native gx_np_range_functions[] = {
    {"arange", "arange(start=None, stop=None, step=None, dtype=None, *, device=None, like=None)",
     "A 1-d array of numbers from start (0) up to but not including stop, step (1) apart.",
     "arange(3, 9, 2)  # [3 5 7]", arange_fn, 0, 0},
    {"linspace",
     "linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, "
     "device=None)",
     "num evenly spaced numbers from start to stop, both included unless endpoint=False.",
     "linspace(0, 1, 5)  # [0.   0.25 0.5  0.75 1.  ]", linspace_fn, 0, 0},
    {.name = NULL},
};
