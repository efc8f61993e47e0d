/* Arithmetic and comparison of dates and spans: that of int64 in a common step, where NaT stays
   NaT. */
#include <math.h>
#include <string.h>

#include "runtime/array/kind/date.h"
#include "runtime/array/shape.h"
#include "runtime/device/work.h"
#include "runtime/graph/lazy.h"
#include "runtime/object/class/class.h"

typedef enum sort { OTHER, DATE, SPAN, WHOLE, REAL } sort; /* what an operand holds */

static sort sort_of(const gx_array *a) {
    if (gx_is_date(a->dtype)) return DATE;
    if (gx_is_span(a->dtype)) return SPAN;
    if (gx_is_kind(a->dtype)) return OTHER;
    const int kind = gx_dtype_kind(a->dtype);
    return kind <= GX_KIND_UINT ? WHOLE : kind == GX_KIND_FLOAT ? REAL : OTHER;
}

/* An operand over the result's shape as d's elements, one after the other. */
static bool lay_out(gx_rt *rt, gx_array *a, gx_dtype d, int ndim, const int64_t *shape,
                    gx_array **out, const char **data) {
    gx_array *cast, *wide;
    if (!gx_array_cast(rt, a, d, false, &cast)) return false;
    bool ok = gx_broadcast_to(rt, cast, ndim, shape, &wide);
    gx_array_drop(cast);
    if (!ok) return false;
    ok = gx_array_contiguous(rt, wide, out);
    gx_array_drop(wide);
    return ok && gx_array_read(rt, *out, data);
}

/* How an operation is computed: the dtypes of the operands and of the result. */
typedef struct rule {
    gx_dtype a, b, result;
    bool real; /* with doubles */
} rule;

static bool fail_operands(gx_rt *rt, const char *name, const gx_array *a, const gx_array *b) {
    gx_buf x = gx_buf_new(rt), y = gx_buf_new(rt);
    bool ok = gx_repr(rt, gx_dtype_value(a->dtype), &x) &&
              (!b || gx_repr(rt, gx_dtype_value(b->dtype), &y));
    if (ok && b)
        gx_fail(rt, GX_UFuncTypeError, "date.operands",
                "ufunc '%s' cannot use operands with types %s and %s", name, gx_buf_text(&x),
                gx_buf_text(&y));
    else if (ok)
        gx_fail(rt, GX_UFuncTypeError, "date.operands",
                "ufunc '%s' did not contain a loop with signature matching types (%s) -> None",
                name, gx_buf_text(&x));
    if (ok && b && gx_is_date(a->dtype) && gx_is_date(b->dtype))
        gx_note(rt, "the difference of two dates is a span; their sum means nothing");
    gx_buf_free(&x);
    gx_buf_free(&y);
    return false;
}

/* Dates take spans of their own sort: months to what counts months. */
static bool check_months(gx_rt *rt, const char *name, const gx_array *date, const gx_array *span,
                         int place) {
    const gx_period a = gx_step_of(date->dtype), b = gx_step_of(span->dtype);
    if (b.unit > GX_UNIT_M || a.unit <= GX_UNIT_M || a.unit == GX_UNIT_NONE) return true;
    gx_buf x = gx_buf_new(rt), y = gx_buf_new(rt);
    if (gx_repr(rt, gx_dtype_value(span->dtype), &x) &&
        gx_repr(rt, gx_dtype_value(date->dtype), &y)) {
        gx_fail(rt, GX_UFuncTypeError, "date.months",
                "Cannot cast ufunc '%s' input %d from %s to %s with casting rule 'same_kind'",
                name, place, gx_buf_text(&x), gx_buf_text(&y));
        gx_note(rt, "a month has no fixed number of days: x.astype('M8[M]') + months counts in "
                    "months");
    }
    gx_buf_free(&x);
    gx_buf_free(&y);
    return false;
}

/* Both operands in one step; numbers count in the other's. */
static bool common_step(gx_rt *rt, const gx_array *a, const gx_array *b, sort p, sort q,
                        gx_period *out) {
    const gx_period none = {GX_UNIT_NONE, 1};
    const gx_period x = p == DATE || p == SPAN ? gx_step_of(a->dtype) : none;
    const gx_period y = q == DATE || q == SPAN ? gx_step_of(b->dtype) : none;
    return gx_step_common(rt, p != DATE && q != DATE, x, y, out) == GX_TRY_YES;
}

static bool is_rounded(gx_opcode op) {
    return op == GX_OP_floor_divide || op == GX_OP_remainder || op == GX_OP_fmod;
}

static bool is_choice(gx_opcode op) {
    return op == GX_OP_maximum || op == GX_OP_minimum || op == GX_OP_fmax || op == GX_OP_fmin;
}

static bool find_rule(gx_rt *rt, gx_opcode op, const gx_array *a, const gx_array *b, rule *r) {
    const char *name = gx_ops[op].name;
    const sort p = sort_of(a), q = sort_of(b);
    gx_period step;
    bool date = p == DATE || q == DATE;
    const bool adds = op == GX_OP_add || op == GX_OP_subtract || is_choice(op);
    if (p == OTHER || q == OTHER) return fail_operands(rt, name, a, b);
    if (adds && p != REAL && q != REAL) {
        if (date && p == SPAN && !check_months(rt, name, b, a, 0)) return false;
        if (date && q == SPAN && !check_months(rt, name, a, b, 1)) return false;
        if (p == DATE && q == DATE && op == GX_OP_add) return fail_operands(rt, name, a, b);
        if (q == DATE && p != DATE && op == GX_OP_subtract) return fail_operands(rt, name, a, b);
        if (is_choice(op) && (p == DATE) != (q == DATE)) return fail_operands(rt, name, a, b);
        if (!common_step(rt, a, b, p, q, &step)) return false;
        const gx_dtype whole = gx_time_dtype(rt, false, step), span = gx_time_dtype(rt, true, step);
        if (whole == GX_NO_DTYPE || span == GX_NO_DTYPE) return false;
        r->a = p == DATE ? whole : span;
        r->b = q == DATE ? whole : span;
        r->result = date && !(p == DATE && q == DATE && op == GX_OP_subtract) ? whole : span;
        return true;
    }
    if (date) return fail_operands(rt, name, a, b);
    if (op == GX_OP_multiply && p != q) {
        r->result = (gx_dtype)(p == SPAN ? a : b)->dtype;
        r->real = p == REAL || q == REAL;
        r->a = p == SPAN ? r->result : r->real ? GX_f64 : GX_i64;
        r->b = q == SPAN ? r->result : r->real ? GX_f64 : GX_i64;
        return true;
    }
    const bool divides = op == GX_OP_divide || is_rounded(op);
    if (!divides || p != SPAN) return fail_operands(rt, name, a, b);
    if (q == SPAN) {
        if (!common_step(rt, a, b, p, q, &step)) return false;
        const gx_dtype span = gx_time_dtype(rt, true, step);
        r->a = r->b = span;
        r->result = op == GX_OP_divide ? GX_f64 : op == GX_OP_floor_divide ? GX_i64 : span;
        return span != GX_NO_DTYPE;
    }
    if (op != GX_OP_divide && op != GX_OP_floor_divide) return fail_operands(rt, name, a, b);
    r->real = q == REAL;
    r->a = r->result = (gx_dtype)a->dtype;
    r->b = r->real ? GX_f64 : GX_i64;
    return true;
}

static int64_t floor_of(int64_t x, int64_t y) {
    return x / y - (x % y != 0 && (x < 0) != (y < 0));
}

static int64_t of_double(double x) {
    return x != x || x >= 9.2233720368547758e18 || x <= -9.2233720368547758e18 ? GX_NAT
                                                                               : (int64_t)x;
}

/* One element; x is a time, y one or a whole number. */
static int64_t compute(gx_opcode op, int64_t x, int64_t y, bool whole) {
    const bool nat = x == GX_NAT || (!whole && y == GX_NAT);
    switch ((int)op) {
    case GX_OP_add: return nat ? GX_NAT : (int64_t)((uint64_t)x + (uint64_t)y);
    case GX_OP_subtract: return nat ? GX_NAT : (int64_t)((uint64_t)x - (uint64_t)y);
    case GX_OP_multiply: return nat ? GX_NAT : (int64_t)((uint64_t)x * (uint64_t)y);
    case GX_OP_maximum: return nat ? GX_NAT : x > y ? x : y;
    case GX_OP_minimum: return nat ? GX_NAT : x < y ? x : y;
    case GX_OP_fmax: return x == GX_NAT ? y : y == GX_NAT ? x : x > y ? x : y;
    case GX_OP_fmin: return x == GX_NAT ? y : y == GX_NAT ? x : x < y ? x : y;
    case GX_OP_divide: return nat || y == 0 ? GX_NAT : x / y;
    case GX_OP_floor_divide: return nat || y == 0 ? (whole ? GX_NAT : 0) : floor_of(x, y);
    case GX_OP_remainder: return nat || y == 0 ? GX_NAT : x - floor_of(x, y) * y;
    case GX_OP_fmod: return nat || y == 0 ? GX_NAT : x % y;
    default: return GX_NAT;
    }
}

static void loop(gx_opcode op, const rule *r, const char *a, const char *b, char *to, int64_t i) {
    int64_t x, y, n;
    double d;
    memcpy(&x, a + 8 * i, 8);
    memcpy(&y, b + 8 * i, 8);
    if (r->result == GX_f64) {
        d = x == GX_NAT || y == GX_NAT ? NAN : (double)x / (double)y;
        memcpy(to + 8 * i, &d, 8);
        return;
    }
    if (r->real) {
        const bool first = gx_is_span(r->a);
        memcpy(&d, (first ? b : a) + 8 * i, 8);
        const int64_t t = first ? x : y;
        const double q = op == GX_OP_multiply ? (double)t * d : (double)t / d;
        n = t == GX_NAT ? GX_NAT : of_double(op == GX_OP_floor_divide ? floor(q) : q);
    } else if (op == GX_OP_multiply && gx_is_span(r->b)) {
        n = compute(op, y, x, true);
    } else {
        n = compute(op, x, y, r->b == GX_i64);
    }
    memcpy(to + 8 * i, &n, 8);
}

/* Sums or differences, of which compilers make vectors. */
static void add_all(const int64_t *a, const int64_t *b, bool minus, int64_t *to, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        const uint64_t y = (uint64_t)b[i], r = (uint64_t)a[i] + (minus ? -y : y);
        to[i] = a[i] == GX_NAT || b[i] == GX_NAT ? GX_NAT : (int64_t)r;
    }
}

static bool two(gx_rt *rt, gx_opcode op, gx_array *a, gx_array *b, gx_array **out) {
    gx_array *both[2] = {a, b}, *x = NULL, *y = NULL, *r = NULL;
    int64_t shape[GX_MAX_DIMS];
    int ndim;
    rule how = {0};
    const char *p, *q;
    char *to;
    if (!find_rule(rt, op, a, b, &how) || !gx_broadcast_shapes(rt, 2, both, &ndim, shape))
        return false;
    bool ok = lay_out(rt, a, how.a, ndim, shape, &x, &p) &&
              lay_out(rt, b, how.b, ndim, shape, &y, &q) &&
              gx_array_empty(rt, how.result, ndim, shape, (gx_namespace)a->ns, &r) &&
              (r->count == 0 || gx_array_write(rt, r, &to));
    if (ok) {
        const bool plain = !how.real && (op == GX_OP_add || op == GX_OP_subtract);
        if (plain) add_all((const int64_t *)(const void *)p, (const int64_t *)(const void *)q,
                           op == GX_OP_subtract, (int64_t *)(void *)to, r->count);
        else GX_LONG_LOOP(rt, i, 0, r->count) loop(op, &how, p, q, to, i);
        ok = gx_work_end(rt);
    }
    gx_array_drop(x);
    gx_array_drop(y);
    if (ok) *out = r;
    else gx_array_drop(r);
    return ok;
}

/* Where a time is NaT, or is not; none is infinite. */
static bool is_truth(gx_opcode op) {
    return op == GX_OP_isnan || op == GX_OP_isfinite || op == GX_OP_isinf;
}

static void fill_one(gx_opcode op, const char *from, gx_dtype d, char *to, int64_t i) {
    int64_t n;
    memcpy(&n, from + 8 * i, 8);
    if (d == GX_bool) {
        to[i] = op == GX_OP_isnan ? n == GX_NAT : op == GX_OP_isfinite && n != GX_NAT;
    } else if (d == GX_f64) {
        const double sign = n == GX_NAT ? NAN : (double)((n > 0) - (n < 0));
        memcpy(to + 8 * i, &sign, 8);
    } else {
        if (n != GX_NAT && (op == GX_OP_negative || (op == GX_OP_absolute && n < 0))) n = -n;
        memcpy(to + 8 * i, &n, 8);
    }
}

static bool one(gx_rt *rt, gx_opcode op, gx_array *a, gx_array **out) {
    gx_array *x = NULL, *r = NULL;
    const char *p;
    char *to;
    const bool known = op == GX_OP_sign || op == GX_OP_negative || op == GX_OP_positive ||
                       op == GX_OP_absolute;
    const gx_dtype d = is_truth(op) ? GX_bool : op == GX_OP_sign ? GX_f64 : (gx_dtype)a->dtype;
    if (!is_truth(op) && (!known || !gx_is_span(a->dtype)))
        return fail_operands(rt, gx_ops[op].name, a, NULL);
    bool ok = gx_array_contiguous(rt, a, &x) && gx_array_read(rt, x, &p) &&
              gx_array_empty(rt, d, a->ndim, gx_shape(a), (gx_namespace)a->ns, &r) &&
              (r->count == 0 || gx_array_write(rt, r, &to));
    if (ok) {
        GX_LONG_LOOP(rt, i, 0, r->count) fill_one(op, p, d, to, i);
        ok = gx_work_end(rt);
    }
    gx_array_drop(x);
    if (ok) *out = r;
    else gx_array_drop(r);
    return ok;
}

/* An operand as an array: Python's timedelta and date as spans and dates in the other's step. */
static bool operand(gx_rt *rt, gx_borrowed v, gx_borrowed other, gx_array **out) {
    const bool known = other.tag == GX_ARRAY && gx_is_time(gx_as_array(other)->dtype);
    gx_period step = {GX_UNIT_NONE, 1};
    if (known) step = gx_step_of(gx_as_array(other)->dtype);
    gx_value scalar;
    int64_t n;
    if (gx_is_instance(v) && v.tag != GX_ARRAY) {
        for (int span = 0; span < 2; span++) {
            if (gx_time_read(rt, span, v, &step, &n)) {
                const gx_dtype d = gx_time_dtype(rt, span, step);
                if (d == GX_NO_DTYPE || !gx_time_scalar(rt, d, n, &scalar)) return false;
                *out = gx_as_array(scalar);
                return true;
            }
            if (rt->error.kind == GX_MemoryError) return false;
            gx_error_clear(rt);
        }
    }
    return gx_asarray(rt, v, GX_NO_DTYPE, GX_NS_NUMPY, false, out);
}

/* Is it an object that has its own operators, and is none of Python's dates? */
static bool is_foreign(gx_rt *rt, gx_borrowed v) {
    return gx_is_instance(v) && v.tag != GX_ARRAY && !gx_is_python_time(rt, v);
}

static bool is_time(gx_borrowed v) {
    return v.tag == GX_ARRAY && gx_is_time(gx_as_array(v)->dtype);
}

gx_try gx_time_op(gx_rt *rt, gx_opcode op, const gx_borrowed *v, gx_value *out) {
    const int n = gx_ops[op].arity;
    gx_array *a = NULL, *b = NULL, *r;
    if (n > 2 || !(is_time(v[0]) || (n == 2 && is_time(v[1])))) return GX_TRY_NO;
    if (is_foreign(rt, v[0]) || (n == 2 && is_foreign(rt, v[1]))) return GX_TRY_NO;
    bool ok = operand(rt, v[0], v[n - 1], &a) && (n == 1 || operand(rt, v[1], v[0], &b));
    ok = ok && (n == 1 ? one(rt, op, a, &r) : two(rt, op, a, b, &r));
    gx_array_drop(a);
    gx_array_drop(b);
    return ok && gx_array_result_take(rt, r, out) ? GX_TRY_YES : GX_TRY_ERROR;
}

GX_CHECK bool gx_time_compare(gx_rt *rt, gx_cmpop op, gx_array *a, gx_array *b, gx_value *out) {
    gx_array *both[2] = {a, b}, *x = NULL, *y = NULL, *r = NULL;
    int64_t shape[GX_MAX_DIMS];
    int ndim;
    gx_dtype d;
    const char *p, *q;
    char *to;
    if (!gx_promote_any(rt, (gx_dtype)a->dtype, (gx_dtype)b->dtype, &d) ||
        !gx_broadcast_shapes(rt, 2, both, &ndim, shape))
        return false;
    bool ok = lay_out(rt, a, d, ndim, shape, &x, &p) && lay_out(rt, b, d, ndim, shape, &y, &q) &&
              gx_array_empty(rt, GX_bool, ndim, shape, (gx_namespace)a->ns, &r) &&
              (r->count == 0 || gx_array_write(rt, r, &to));
    if (ok) {
        GX_LONG_LOOP(rt, i, 0, r->count) {
            int64_t m, n;
            memcpy(&m, p + 8 * i, 8);
            memcpy(&n, q + 8 * i, 8);
            const bool nat = m == GX_NAT || n == GX_NAT;
            to[i] = nat           ? op == GX_NE
                    : op == GX_EQ ? m == n
                    : op == GX_NE ? m != n
                    : op == GX_LT ? m < n
                    : op == GX_LE ? m <= n
                    : op == GX_GT ? m > n
                                  : m >= n;
        }
        ok = gx_work_end(rt);
    }
    gx_array_drop(x);
    gx_array_drop(y);
    if (!ok) {
        gx_array_drop(r);
        return false;
    }
    return gx_array_result_take(rt, r, out);
}
