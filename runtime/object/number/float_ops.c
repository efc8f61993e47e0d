/* Python's arithmetic on floats: division that rounds down, powers that stay real, rounding
   half to even. Functions of math are in stdlib. */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/number/int_ops.h"
#include "runtime/object/text/str.h"

void gx_float_divmod(double x, double y, double *quotient, double *remainder) {
    double mod = fmod(x, y), div = (x - mod) / y;
    if (mod != 0) {
        if ((y < 0) != (mod < 0)) {
            mod += y;
            div -= 1;
        }
    } else {
        mod = copysign(0.0, y);
    }
    double floored;
    if (div != 0) {
        floored = floor(div);
        if (div - floored > 0.5) floored += 1;
    } else {
        floored = copysign(0.0, x / y);
    }
    *quotient = floored;
    *remainder = mod;
}

static bool power(gx_rt *rt, double a, double b, gx_value *out) {
    if (a == 0 && b < 0 && isfinite(b))
        return gx_fail(rt, GX_ZeroDivisionError, "number.zero",
                       "0.0 cannot be raised to a negative power");
    double r = pow(a, b);
    if (isinf(r) && isfinite(a) && isfinite(b))
        return gx_fail(rt, GX_OverflowError, "number.overflow",
                       "(34, 'Numerical result out of range')");
    *out = gx_float(r);
    return true;
}

bool gx_float_power_is_complex(double a, double b) {
    return a < 0 && isfinite(a) && isfinite(b) && b != floor(b);
}

bool gx_float_binary(gx_rt *rt, gx_binop op, double a, double b, gx_value *out) {
    double q, r;
    switch ((int)op) {
    case GX_ADD: *out = gx_float(a + b); return true;
    case GX_SUB: *out = gx_float(a - b); return true;
    case GX_MUL: *out = gx_float(a * b); return true;
    case GX_POW: return power(rt, a, b, out);
    case GX_DIV:
        if (b == 0)
            return gx_fail(rt, GX_ZeroDivisionError, "number.zero", "float division by zero");
        *out = gx_float(a / b);
        return true;
    default: break;
    }
    if (b == 0)
        return gx_fail(rt, GX_ZeroDivisionError, "number.zero",
                       op == GX_MOD ? "float modulo by zero" : "float floor division by zero");
    gx_float_divmod(a, b, &q, &r);
    *out = gx_float(op == GX_MOD ? r : q);
    return true;
}

bool gx_float_round(gx_rt *rt, double x, int64_t digits, double *out) {
    /* Beyond these the value is exact already, or rounds to nothing. */
    if (!isfinite(x) || digits > 323) {
        *out = x;
        return true;
    }
    if (digits < -308) {
        *out = copysign(0.0, x);
        return true;
    }
    char text[400];
    if (digits >= 0) {
        char *big = NULL;
        int n = snprintf(text, sizeof text, "%.*f", (int)digits, x);
        if (n >= (int)sizeof text) {
            if (!(big = gx_alloc(rt, (size_t)n + 1))) return false;
            snprintf(big, (size_t)n + 1, "%.*f", (int)digits, x);
        }
        *out = strtod(big ? big : text, NULL);
        gx_free(rt, big);
    } else {
        /* Whole tens, hundreds …: exact digits, rounded half to even by hand. */
        int cut = (int)-digits;
        int n = snprintf(text, sizeof text, "%.0f", fabs(trunc(x)));
        if (cut > n) {
            *out = copysign(0.0, x);
            return true;
        }
        char *p = text + n - cut;
        bool rest = fabs(x) != fabs(trunc(x));
        for (int i = 1; i < cut; i++) rest = rest || p[i] != '0';
        bool odd = cut < n && (p[-1] - '0') % 2;
        bool up = *p > '5' || (*p == '5' && (rest || odd));
        memset(p, '0', (size_t)cut);
        double r = strtod(text, NULL);
        if (up) {
            /* The sum of two decimal texts is formed exactly by carrying in the digits. */
            int i = n - cut - 1;
            while (i >= 0 && text[i] == '9') text[i--] = '0';
            if (i >= 0) {
                text[i]++;
                r = strtod(text, NULL);
            } else {
                memmove(text + 1, text, (size_t)n + 1);
                text[0] = '1';
                r = strtod(text, NULL);
            }
        }
        *out = copysign(r, x);
    }
    if (isinf(*out))
        return gx_fail(rt, GX_OverflowError, "number.overflow",
                       "rounded value too large to represent");
    return true;
}
