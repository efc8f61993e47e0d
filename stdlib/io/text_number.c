/* Elements from text, without locale and without a copy where that is possible. Decimal numbers of
   few digits are exact in double arithmetic; strtod gets the rest after their form was checked. */
#include <stdlib.h>
#include <string.h>

#include "runtime/array/dtype.h"
#include "stdlib/io/text_int.h"

enum { EXACT_DIGITS = 15, EXACT_POWER = 22, SHORT = 400 };

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_word(const char *p, const char *end, const char *word) {
    size_t n = strlen(word);
    if ((size_t)(end - p) != n) return false;
    for (size_t i = 0; i < n; i++)
        if ((p[i] | 32) != word[i]) return false;
    return true;
}

/* inf, infinity, nan behind a sign. */
static bool special(const char *p, const char *end, bool negative, double *out) {
    if (is_word(p, end, "nan"))
        *out = __builtin_nan("");
    else if (is_word(p, end, "inf") || is_word(p, end, "infinity"))
        *out = __builtin_inf();
    else
        return false;
    if (negative) *out = -*out;
    return true;
}

/* The form was checked; the text ends at a byte that belongs to no number. */
static double slow(const char *start, const char *end) {
    char text[SHORT + 1];
    size_t n = (size_t)(end - start);
    if (n > SHORT) { /* strtod stops at the blank, delimiter or NUL behind the number */
        return strtod(start, NULL);
    }
    memcpy(text, start, n);
    text[n] = 0;
    return strtod(text, NULL);
}

/* A decimal number at p; *stop: what follows. False: there is none. */
static bool decimal(const char *p, const char *end, double *out, const char **stop) {
    static const double powers[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *start = p;
    bool negative = p < end && *p == '-';
    int digits = 0, seen = 0, exponent = 0, given = 0;
    int64_t m = 0;
    if (p < end && (*p == '-' || *p == '+')) p++;
    for (bool point = false; p < end && (is_digit(*p) || (*p == '.' && !point)); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        seen = 1;
        if (point && exponent > -100000) exponent--;
        if (digits <= EXACT_DIGITS) m = m * 10 + (*p - '0');
        if (m) digits++;
    }
    if (!seen) return false;
    if (p < end && (*p | 32) == 'e') {
        const char *e = p + 1;
        bool down = e < end && *e == '-';
        if (e < end && (*e == '-' || *e == '+')) e++;
        if (e < end && is_digit(*e)) {
            for (; e < end && is_digit(*e); e++)
                if (given < 100000) given = given * 10 + (*e - '0');
            exponent += down ? -given : given;
            p = e;
        }
    }
    *stop = p;
    if (digits <= EXACT_DIGITS && exponent >= -EXACT_POWER && exponent <= EXACT_POWER) {
        double x = (double)m;
        x = exponent < 0 ? x / powers[-exponent] : x * powers[exponent];
        *out = negative ? -x : x;
    } else {
        *out = slow(start, p);
    }
    return true;
}

static bool real_number(const char *p, const char *end, double *out) {
    const char *stop;
    bool sign = p < end && (*p == '-' || *p == '+');
    if (special(p + sign, end, sign && *p == '-', out)) return true;
    return decimal(p, end, out, &stop) && stop == end;
}

/* 1, 2j, 1+2j, (1+2j). */
static bool complex_number(const char *p, const char *end, double *re, double *im) {
    const char *stop;
    *im = 0;
    if (end - p >= 2 && *p == '(' && end[-1] == ')') {
        p++;
        end--;
    }
    if (real_number(p, end, re)) return true;
    if (p == end || (end[-1] | 32) != 'j') return false;
    end--;
    if (real_number(p, end, im)) {
        *re = 0;
        return true;
    }
    for (stop = end - 1; stop > p; stop--) /* the sign between the parts is the last one but e's */
        if ((*stop == '+' || *stop == '-') && (stop[-1] | 32) != 'e') break;
    return stop > p && real_number(p, stop, re) && real_number(stop, end, im);
}

/* Digits with a sign as magnitude. */
static bool integer(const char *p, const char *end, bool *negative, uint64_t *out) {
    *negative = p < end && *p == '-';
    *out = 0;
    if (p < end && (*p == '-' || *p == '+')) p++;
    if (p == end) return false;
    for (; p < end; p++)
        if (!is_digit(*p) || __builtin_mul_overflow(*out, 10u, out) ||
            __builtin_add_overflow(*out, (unsigned)(*p - '0'), out))
            return false;
    return true;
}

static bool whole(const char *p, const char *end, gx_dtype d, gx_scalar *out) {
    bool negative;
    uint64_t m;
    if (!integer(p, end, &negative, &m)) return false;
    gx_scalar wide = {.u64 = m};
    if (d == GX_bool) {
        *out = (gx_scalar){.b = m != 0};
        return true;
    }
    int bits = 8 * (int)gx_dtype_size(d);
    if (gx_dtype_kind(d) == GX_KIND_UINT) {
        if (negative && m) return false;
        if (bits < 64 && m >> bits) return false;
        *out = gx_scalar_cast(GX_u64, d, &wide);
        return true;
    }
    uint64_t limit = (UINT64_C(1) << (bits - 1)) - !negative;
    if (m > limit) return false;
    wide.i64 = negative ? (int64_t)(0 - m) : (int64_t)m;
    *out = gx_scalar_cast(GX_i64, d, &wide);
    return true;
}

bool gx_text_number(const char *text, size_t n, gx_dtype d, gx_scalar *out) {
    const char *p = text, *end = text + n;
    gx_scalar s = {0};
    while (p < end && is_blank(*p)) p++;
    while (p < end && is_blank(end[-1])) end--;
    switch ((gx_dkind)gx_dtype_kind(d)) {
    case GX_KIND_BOOL:
    case GX_KIND_INT:
    case GX_KIND_UINT:
        return whole(p, end, d, out);
    case GX_KIND_FLOAT:
        if (!real_number(p, end, &s.f64)) return false;
        *out = gx_scalar_cast(GX_f64, d, &s);
        return true;
    case GX_KIND_CPLX:
        if (!complex_number(p, end, &s.c128.re, &s.c128.im)) return false;
        *out = gx_scalar_cast(GX_c128, d, &s);
        return true;
    }
    return false;
}
