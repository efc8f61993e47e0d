/* The module math's functions of ints of any size and of iterables: gcd lcm factorial comb perm
   isqrt prod fsum dist hypot sumprod. */
#include <math.h>

#include "runtime/object/container/list.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/operators.h"
#include "stdlib/python/math_int.h"

/* The argument as an int value, owned. */
static bool int_value(gx_call *c, gx_borrowed v, gx_value *out) {
    int64_t i;
    if (gx_is_int(v)) {
        *out = v.tag == GX_BOOL ? gx_int(v.b) : gx_keep(v);
        return true;
    }
    gx_try is = gx_as_index(c->rt, v, &i);
    if (is == GX_TRY_NO)
        return gx_fail(c->rt, GX_TypeError, "call.index",
                       "'%s' object cannot be interpreted as an integer", gx_type_name(v));
    if (is == GX_TRY_YES) *out = gx_int(i);
    return is == GX_TRY_YES;
}

/* *a = *a op b; *a is owned and replaced. */
static bool step(gx_rt *rt, gx_binop op, gx_value *a, gx_borrowed b) {
    gx_value next;
    if (!gx_int_binary(rt, op, *a, b, &next)) return false;
    gx_drop(*a);
    *a = next;
    return true;
}

/* gcd of |a| and |b|; both are consumed. */
static bool gcd_take(gx_rt *rt, gx_value a, gx_value b, gx_value *out) {
    gx_value r;
    bool ok = true;
    while (ok && !(b.tag == GX_INT && b.i == 0)) {
        ok = gx_int_binary(rt, GX_MOD, a, b, &r);
        if (!ok) break;
        gx_drop(a);
        a = b;
        b = r;
    }
    ok = ok && gx_int_abs(rt, a, out);
    gx_drop(a);
    gx_drop(b);
    return ok;
}

static bool math_gcd(gx_call *c, gx_value *out) {
    const gx_tuple *t = gx_as_tuple(c->argv[0]);
    gx_value total = gx_int(0), next;
    for (int64_t i = 0; i < t->count; i++) {
        if (!int_value(c, t->items[i], &next)) {
            gx_drop(total);
            return false;
        }
        if (!gcd_take(c->rt, total, next, &total)) return false;
    }
    *out = total;
    return true;
}

/* *total = lcm(*total, next); next is consumed, *total too on failure. */
static bool lcm_step(gx_rt *rt, gx_value *total, gx_value next) {
    gx_value g;
    if (!gcd_take(rt, gx_keep(*total), gx_keep(next), &g)) goto fail;
    bool zero = g.tag == GX_INT && g.i == 0;
    bool ok = zero || (step(rt, GX_FLOORDIV, total, g) && step(rt, GX_MUL, total, next));
    gx_drop(g);
    if (!ok) goto fail;
    gx_drop(next);
    if (gx_int_abs(rt, *total, &g)) {
        gx_drop(*total);
        *total = g;
        return true;
    }
    gx_drop(*total);
    return false;
fail:
    gx_drop(next);
    gx_drop(*total);
    return false;
}

static bool math_lcm(gx_call *c, gx_value *out) {
    const gx_tuple *t = gx_as_tuple(c->argv[0]);
    gx_value total = gx_int(1), next;
    for (int64_t i = 0; i < t->count; i++) {
        if (!int_value(c, t->items[i], &next)) {
            gx_drop(total);
            return false;
        }
        if (!lcm_step(c->rt, &total, next)) return false;
    }
    *out = total;
    return true;
}

/* first * (first + 1) * … * last, by halves so that factors stay balanced. */
static bool product(gx_rt *rt, int64_t first, int64_t last, gx_value *out) {
    if (last - first < 8) {
        gx_value total = gx_int(1);
        for (int64_t i = 0; i <= last - first; i++) /* last may be the largest int */
            if (!step(rt, GX_MUL, &total, gx_int(first + i))) {
                gx_drop(total);
                return false;
            }
        *out = total;
        return true;
    }
    gx_value low, high;
    int64_t middle = first + (last - first) / 2;
    if (!product(rt, first, middle, &low)) return false;
    bool ok = product(rt, middle + 1, last, &high);
    if (ok) {
        ok = step(rt, GX_MUL, &low, high);
        gx_drop(high);
    }
    if (ok)
        *out = low;
    else
        gx_drop(low);
    return ok;
}

static bool math_factorial(gx_call *c, gx_value *out) {
    int64_t n;
    if (c->argv[0].tag == GX_FLOAT)
        return gx_fail(c->rt, GX_TypeError, "call.index",
                       "'float' object cannot be interpreted as an integer");
    if (!gx_arg_int(c, 0, &n)) return false;
    if (n < 0)
        return gx_fail(c->rt, GX_ValueError, "math.range",
                       "factorial() not defined for negative values");
    if (n > 2000000)
        return gx_fail(c->rt, GX_OverflowError, "math.range",
                       "factorial() argument should not exceed %d", 2000000);
    return product(c->rt, 2, n, out);
}

static bool two_counts(gx_call *c, int64_t *n, int64_t *k) {
    if (!gx_arg_int(c, 0, n)) return false;
    if (*n < 0)
        return gx_fail(c->rt, GX_ValueError, "math.range", "n must be a non-negative integer");
    *k = *n;
    if (gx_arg_some(c, 1) && !gx_arg_int(c, 1, k)) return false;
    if (*k < 0)
        return gx_fail(c->rt, GX_ValueError, "math.range", "k must be a non-negative integer");
    return true;
}

static bool math_perm(gx_call *c, gx_value *out) {
    int64_t n, k;
    if (!two_counts(c, &n, &k)) return false;
    if (k > n) {
        *out = gx_int(0);
        return true;
    }
    if (k == 0) {
        *out = gx_int(1);
        return true;
    }
    if (k > 2000000)
        return gx_fail(c->rt, GX_OverflowError, "math.range", "k must not exceed 2000000");
    return product(c->rt, n - k + 1, n, out);
}

static bool math_comb(gx_call *c, gx_value *out) {
    int64_t n, k;
    if (c->argv[1].tag == GX_NONE)
        return gx_fail(c->rt, GX_TypeError, "call.index",
                       "'NoneType' object cannot be interpreted as an integer");
    if (!two_counts(c, &n, &k)) return false;
    if (k > n) {
        *out = gx_int(0);
        return true;
    }
    if (n - k < k) k = n - k;
    if (k > 2000000)
        return gx_fail(c->rt, GX_OverflowError, "math.range",
                       "min(n - k, k) must not exceed 2000000");
    if (k == 0) {
        *out = gx_int(1);
        return true;
    }
    gx_value top, bottom;
    if (!product(c->rt, n - k + 1, n, &top)) return false;
    bool ok = product(c->rt, 2, k, &bottom);
    if (ok) {
        ok = step(c->rt, GX_FLOORDIV, &top, bottom);
        gx_drop(bottom);
    }
    if (ok)
        *out = top;
    else
        gx_drop(top);
    return ok;
}

/* Newton's method from above: x = (x + n / x) / 2 until it stops falling. */
static bool big_isqrt(gx_rt *rt, gx_borrowed n, gx_value *out) {
    gx_value x, y;
    if (!gx_int_binary(rt, GX_LSHIFT, gx_int(1), gx_int((gx_int_bits(n) + 1) / 2), &x))
        return false;
    for (;;) {
        if (!gx_int_binary(rt, GX_FLOORDIV, n, x, &y)) break;
        if (!step(rt, GX_ADD, &y, x) || !step(rt, GX_RSHIFT, &y, gx_int(1))) {
            gx_drop(y);
            break;
        }
        if (gx_int_compare(y, x) >= 0) {
            gx_drop(y);
            *out = x;
            return true;
        }
        gx_drop(x);
        x = y;
    }
    gx_drop(x);
    return false;
}

static bool math_isqrt(gx_call *c, gx_value *out) {
    gx_value n;
    if (!int_value(c, c->argv[0], &n)) return false;
    bool ok = gx_int_compare(n, gx_int(0)) >= 0;
    if (!ok)
        gx_fail(c->rt, GX_ValueError, "math.range", "isqrt() argument must be nonnegative");
    else if (n.tag == GX_INT && n.i < ((int64_t)1 << 52))
        *out = gx_int((int64_t)sqrt((double)n.i));
    else
        ok = big_isqrt(c->rt, n, out);
    gx_drop(n);
    return ok;
}

static bool math_prod(gx_call *c, gx_value *out) {
    gx_value it, item, next, total = gx_keep(c->argv[1]);
    bool ok = gx_iter(c->rt, c->argv[0], &it), more;
    if (!ok) {
        gx_drop(total);
        return false;
    }
    while ((ok = gx_next(c->rt, it, &item, &more)) && more) {
        ok = gx_binary(c->rt, GX_MUL, total, item, &next);
        gx_drop(item);
        if (!ok) break;
        gx_drop(total);
        total = next;
    }
    gx_drop(it);
    if (ok)
        *out = total;
    else
        gx_drop(total);
    return ok;
}

/* --- exact sums --- */

enum { PARTIALS = 64 };

/* Adds x to a sum kept as floats that do not overlap, smallest first (Shewchuk). */
static int add_exact(double *p, int n, double x) {
    int to = 0;
    for (int i = 0; i < n; i++) {
        double y = p[i];
        if (fabs(x) < fabs(y)) {
            double t = x;
            x = y;
            y = t;
        }
        volatile double high = x + y;
        volatile double low = y - (high - x);
        if (low != 0 && to < PARTIALS - 1) p[to++] = low;
        x = high;
    }
    p[to++] = x;
    return to;
}

/* The partials' sum, rounded once. */
static double round_exact(const double *p, int n) {
    if (n == 0) return 0;
    double high = p[--n], low = 0;
    while (n > 0) {
        double x = high, y = p[--n];
        high = x + y;
        low = y - (high - x);
        if (low != 0) break;
    }
    if (n > 0 && ((low < 0 && p[n - 1] < 0) || (low > 0 && p[n - 1] > 0))) {
        double y = low * 2, x = high + y;
        if (y == x - high) high = x;
    }
    return high;
}

static bool math_fsum(gx_call *c, gx_value *out) {
    double p[PARTIALS], special = 0, x;
    int n = 0;
    bool ok, more, odd = false;
    gx_value it, item;
    if (!gx_iter(c->rt, c->argv[0], &it)) return false;
    while ((ok = gx_next(c->rt, it, &item, &more)) && more) {
        ok = gx_math_number(c, item, &x);
        gx_drop(item);
        if (!ok) break;
        if (isfinite(x)) {
            n = add_exact(p, n, x);
        } else {
            if (isinf(x) && isinf(special) && (x > 0) != (special > 0)) odd = true;
            special += x;
        }
    }
    gx_drop(it);
    if (!ok) return false;
    if (odd) return gx_fail(c->rt, GX_ValueError, "math.range", "-inf + inf in fsum");
    double total = round_exact(p, n);
    if (!isfinite(total) && special == 0)
        return gx_fail(c->rt, GX_OverflowError, "math.range", "intermediate overflow in fsum");
    *out = gx_float(special != 0 ? special : total);
    return true;
}

/* The length of a vector, scaled by its largest item so that nothing overflows early. */
static double length_of(const double *v, int64_t n) {
    double largest = 0, p[PARTIALS];
    int count = 0;
    bool nan = false;
    for (int64_t i = 0; i < n; i++) {
        if (isinf(v[i])) return INFINITY;
        if (isnan(v[i])) nan = true;
        if (fabs(v[i]) > largest) largest = fabs(v[i]);
    }
    if (nan) return NAN;
    if (largest == 0) return 0;
    if (n == 2) return hypot(v[0], v[1]);
    int e;
    frexp(largest, &e);
    for (int64_t i = 0; i < n; i++) {
        double x = ldexp(v[i], -e), square = x * x;
        count = add_exact(p, count, square);
        count = add_exact(p, count, fma(x, x, -square));
    }
    return ldexp(sqrt(round_exact(p, count)), e);
}

static bool length_of_items(gx_call *c, const gx_value *a, const gx_value *b, int64_t n,
                            gx_value *out) {
    double *v = gx_alloc(c->rt, (size_t)(n ? n : 1) * sizeof *v), x, y = 0;
    if (!v) return false;
    for (int64_t i = 0; i < n; i++) {
        if (!gx_math_number(c, a[i], &x) || (b && !gx_math_number(c, b[i], &y))) {
            gx_free(c->rt, v);
            return false;
        }
        v[i] = x - y;
    }
    *out = gx_float(length_of(v, n));
    gx_free(c->rt, v);
    return true;
}

static bool math_hypot(gx_call *c, gx_value *out) {
    const gx_tuple *t = gx_as_tuple(c->argv[0]);
    return length_of_items(c, t->items, NULL, t->count, out);
}

/* fn of the items of both arguments. */
static bool of_both(gx_call *c,
                    bool (*fn)(gx_call *c, const gx_tuple *a, const gx_tuple *b, gx_value *out),
                    gx_value *out) {
    gx_value p, q;
    if (!gx_tuple_of(c->rt, c->argv[0], &p)) return false;
    bool ok = gx_tuple_of(c->rt, c->argv[1], &q);
    if (ok) {
        ok = fn(c, gx_as_tuple(p), gx_as_tuple(q), out);
        gx_drop(q);
    }
    gx_drop(p);
    return ok;
}

static bool distance(gx_call *c, const gx_tuple *a, const gx_tuple *b, gx_value *out) {
    if (a->count != b->count)
        return gx_fail(c->rt, GX_ValueError, "math.range",
                       "both points must have the same number of dimensions");
    return length_of_items(c, a->items, b->items, a->count, out);
}

static bool math_dist(gx_call *c, gx_value *out) {
    return of_both(c, distance, out);
}

/* The sum of a[i] * b[i] for floats, and ints that floats hold, rounded once; NO: other numbers. */
static gx_try float_products(const gx_tuple *a, const gx_tuple *b, gx_value *out) {
    double p[PARTIALS], special = 0;
    int n = 0;
    bool any = false;
    for (int64_t i = 0; i < 2 * a->count; i++) {
        const gx_value v = (i & 1 ? b : a)->items[i / 2];
        any = any || v.tag == GX_FLOAT;
        bool small = v.tag == GX_BOOL ||
                     (v.tag == GX_INT && v.i >= -(INT64_C(1) << 53) && v.i <= INT64_C(1) << 53);
        if (v.tag != GX_FLOAT && !small) return GX_TRY_NO;
    }
    if (!any) return GX_TRY_NO;
    for (int64_t i = 0; i < a->count; i++) {
        const gx_value v = a->items[i], w = b->items[i];
        double x = v.tag == GX_FLOAT ? v.f : (double)gx_small_int(v);
        double y = w.tag == GX_FLOAT ? w.f : (double)gx_small_int(w), xy = x * y;
        if (!isfinite(xy) || n + 2 > PARTIALS) {
            special += xy;
            continue;
        }
        n = add_exact(p, n, xy);
        n = add_exact(p, n, fma(x, y, -xy));
    }
    *out = gx_float(special != 0 ? special : round_exact(p, n));
    return GX_TRY_YES;
}

/* That two sequences are unlike in length shows behind the products of the shorter's items. */
static bool products(gx_rt *rt, const gx_tuple *a, const gx_tuple *b, gx_value *out) {
    gx_value total = gx_int(0), xy, next;
    for (int64_t i = 0; i < a->count && i < b->count; i++) {
        if (!gx_binary(rt, GX_MUL, a->items[i], b->items[i], &xy)) goto fail;
        bool ok = gx_binary(rt, GX_ADD, total, xy, &next);
        gx_drop(xy);
        if (!ok) goto fail;
        gx_drop(total);
        total = next;
    }
    *out = total;
    if (a->count == b->count) return true;
    gx_fail(rt, GX_ValueError, "math.range", "Inputs are not the same length");
fail:
    gx_drop(total);
    return false;
}

static bool all_products(gx_call *c, const gx_tuple *a, const gx_tuple *b, gx_value *out) {
    return (a->count == b->count && float_products(a, b, out) == GX_TRY_YES) ||
           products(c->rt, a, b, out);
}

static bool math_sumprod(gx_call *c, gx_value *out) {
    return of_both(c, all_products, out);
}

#define ROW(n, sig, text, example) {#n, #n sig, text, example, math_##n, 0, 0}

const gx_native gx_py_math_int_functions[] = {
    ROW(gcd, "(*integers)", "The greatest common divisor.", "math.gcd(12, 18)  # 6"),
    ROW(lcm, "(*integers)", "The least common multiple.", "math.lcm(4, 6)  # 12"),
    ROW(factorial, "(n, /)", "1 * 2 * … * n.", "math.factorial(5)  # 120"),
    ROW(perm, "(n, k=None, /)", "Ways to choose k of n items in order.", "math.perm(5, 2)  # 20"),
    ROW(comb, "(n, k, /)", "Ways to choose k of n items.", "math.comb(5, 2)  # 10"),
    ROW(isqrt, "(n, /)", "The whole part of the square root.", "math.isqrt(17)  # 4"),
    ROW(prod, "(iterable, /, *, start=1)", "The product of the items.",
        "math.prod([2, 3, 4])  # 24"),
    ROW(fsum, "(seq, /)", "The sum, rounded only once.", "math.fsum([0.1] * 10)  # 1.0"),
    ROW(dist, "(p, q, /)", "The distance of two points.", "math.dist([0, 0], [3, 4])  # 5.0"),
    ROW(sumprod, "(p, q, /)", "The sum of the products of two sequences' items.",
        "math.sumprod([1, 2, 3], [4, 5, 6])  # 32"),
    ROW(hypot, "(*coordinates)", "The length of a vector.", "math.hypot(3, 4)  # 5.0"),
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
