/* Numbers of choices: comb and binom. Floats elementwise, or exact integers of any size
   for exact=True. */
#include <math.h>

#include "runtime/object/operators.h"
#include "stdlib/scipy/special/special_int.h"

extern const gx_native gx_sp_counts_functions[];

/* product of (n - k + i) / i for i = 1 … k; whole after each step. */
static bool exact_product(gx_rt *rt, int64_t first, int64_t count, gx_value *out) {
    gx_value r = gx_int(1), next;
    for (int64_t i = 1; i <= count; i++) {
        bool ok = gx_binary(rt, GX_MUL, r, gx_int(first + i), &next);
        gx_drop(r);
        if (!ok) return false;
        r = next;
        ok = gx_binary(rt, GX_FLOORDIV, r, gx_int(i), &next);
        gx_drop(r);
        if (!ok) return false;
        r = next;
    }
    *out = r;
    return true;
}

/* What Stirling's formula lacks of log gamma, for x >= 16. */
static long double stirling(long double x) {
    static const long double terms[] = {0.0833333333333333333333L,   -0.00277777777777777777778L,
                                        0.000793650793650793650794L, -0.000595238095238095238095L,
                                        0.000841750841750841750842L, -0.00191752691752691752692L,
                                        0.00641025641025641025641L,  -0.0295506535947712418301L,
                                        0.179644372368830573165L,    -1.39243221690590111643L};
    long double z = 1 / (x * x), p = 0;
    for (int i = 9; i >= 0; i--) p = p * z + terms[i];
    return p / x;
}

/* log |gamma(a + d) / gamma(a)|, without the difference of two large numbers; *sign changes with
   the sign of the ratio. */
static long double log_ratio(long double a, long double d, int *sign) {
    if (a >= 16 && a + d >= 16) {
        long double s = a + d;
        return (a - 0.5L) * log1pl(d / a) + d * logl(s) - d + stirling(s) - stirling(a);
    }
    int up = 1, down = 1;
    long double r = lgammal_r(a + d, &up) - lgammal_r(a, &down);
    *sign *= up * down;
    return r;
}

static bool is_pole(long double x) {
    return x <= 0 && x == floorl(x);
}

/* gamma(n + 1) / (gamma(k + 1) gamma(n - k + 1)) through logarithms, in the widest type. */
static double choose_far(double n, double k) {
    const long double pi = 3.14159265358979323846L;
    long double a = (long double)k + 1, b = (long double)n - (long double)k + 1;
    if (is_pole(a) || is_pole(b)) return 0;
    long double high = a > b ? a : b, low = a > b ? b : a;
    int sign = 1, one = 1;
    if (low < -16 && high > 0) {
        /* The gamma far below zero is reflected; x is -k, or k - n. */
        long double x = low == a ? -(long double)k : (long double)k - (long double)n;
        long double r = lgammal_r((long double)n + 1, &one);
        r = expl(r + log_ratio(high, -(long double)n - 1, &sign)) * sinl(pi * fmodl(x, 2)) / pi;
        return (double)((long double)(sign * one) * r);
    }
    long double r = log_ratio(high, low - 1, &sign) - lgammal_r(low, &one);
    return (double)((long double)(sign * one) * expl(r));
}

static double choose(double n, double k) {
    if (k == -INFINITY && !(n < 0 && n == floor(n)) && n == n) return 0;
    if (n != n || k != k || isinf(k) || (n < 0 && n == floor(n))) return NAN;
    if (k == floor(k)) {
        double whole = floor(n), small = k;
        if (whole == n && small > n / 2 && n > 0) small = n - k;
        if (small >= 0 && small < 20) {
            double up = 1, down = 1;
            for (int i = 1; i <= (int)small; i++) {
                up *= (i - small) + n;
                down *= i;
                if (fabs(up) > 1e50) {
                    up /= down;
                    down = 1;
                }
            }
            return up / down;
        }
    }
    return choose_far(n, k);
}

double gx_sp_binom(double n, double k) {
    return choose(n, k);
}

static void comb_of(const double *in, double *out) {
    double n = in[0], k = in[1];
    *out = k <= n && n >= 0 && k >= 0 ? choose(n, k) : 0;
}
static void repeated_of(const double *in, double *out) {
    *out = in[0] == 0 && in[1] == 0 ? 1 : choose(in[0] + in[1] - 1, in[1]);
}
static void binom_of(const double *in, double *out) {
    *out = choose(in[0], in[1]);
}

static bool comb_fn(gx_call *c, gx_value *out) {
    bool exact = false, repeat = false;
    int64_t n, k;
    if ((gx_arg_some(c, 2) && !gx_arg_bool(c, 2, &exact)) ||
        (gx_arg_some(c, 3) && !gx_arg_bool(c, 3, &repeat)))
        return false;
    if (!exact) {
        static const gx_sp_loops once = {"ff dd", GX_SP_HOST(comb_of), GX_SP_HOST(NULL), true};
        static const gx_sp_loops often = {"dd", GX_SP_HOST(repeated_of), GX_SP_HOST(NULL), true};
        return gx_sp_each(c, 2, repeat ? &often : &once, out);
    }
    if (!gx_arg_int(c, 0, &n) || !gx_arg_int(c, 1, &k)) return false;
    if (repeat && n == 0 && k == 0) n = 1;
    if (repeat) n = n + k - 1;
    if (k < 0 || n < 0 || k > n) {
        *out = gx_int(0);
        return true;
    }
    if (k > n - k) k = n - k;
    return exact_product(c->rt, n - k, k, out);
}

static const gx_sp_row rows[] = {
    GX_SP_HOST_UFUNC(binom, "ff dd", 2, 1, binom_of, NULL),
    {.name = NULL},
};

GX_SP_TABLE(counts)

const gx_native gx_sp_counts_functions[] = {
    {"comb", "comb(N, k, *, exact=False, repetition=False)",
     "Number of combinations of N things taken k at a time; exact=True gives integers, else "
     "float64.",
     "comb(5, 2, exact=True)  # 10", comb_fn, 0, 0},
    GX_SP_ONE("binom", "n, k", "Binomial coefficient n over k, for real n and k too.",
              "(5, 2)  # 10.0"),
    {.name = NULL},
};
