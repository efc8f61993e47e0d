/* Text of floating-point numbers as NumPy writes them in arrays: one format for all numbers of an
   array, positional or scientific, digits as few as tell each number apart, cut at a precision.
   The digits themselves are gx_shortest_digits' or, beyond those, the exact value's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/array/print.h"
#include "runtime/object/text/str.h"

/* Text without a sign in two parts: before the point and behind it. */
typedef struct digits {
    gx_buf whole, fraction;
    int exponent;
} digits;

static void digits_free(digits *d) {
    gx_buf_free(&d->whole);
    gx_buf_free(&d->fraction);
}

/* Exactly rounded decimals of |x|, `precision` behind the point. */
static bool exact(digits *d, double x, int precision, bool scientific) {
    gx_buf text = gx_buf_new(d->whole.rt);
    bool ok = gx_buf_printf(&text, scientific ? "%.*e" : "%.*f", precision, fabs(x));
    if (ok) {
        const char *at = gx_buf_text(&text);
        size_t n = strcspn(at, ".e");
        ok = gx_buf_add(&d->whole, at, n);
        at += n;
        if (*at == '.') {
            n = strcspn(++at, "e");
            ok = ok && gx_buf_add(&d->fraction, at, n);
            at += n;
        }
        if (*at == 'e') d->exponent = (int)strtol(at + 1, NULL, 10);
    }
    gx_buf_free(&text);
    return ok;
}

/* How many digits behind the point: the shortest's, at least min_digits, at most precision. */
static int fraction_wanted(int shortest, int precision, int min_digits) {
    int n = shortest > min_digits ? shortest : min_digits;
    return precision >= 0 && n > precision ? precision : n;
}

static bool positional_digits(digits *d, double x, int bytes, int precision, int min_digits) {
    char text[24];
    int exponent = 0, n = gx_shortest_digits(x, bytes, text, &exponent);
    int fraction = n > exponent ? n - exponent : 0;
    int want = fraction_wanted(fraction, precision, min_digits);
    if (n == 0) return gx_buf_char(&d->whole, '0');
    if (want != fraction) return exact(d, x, want, false);
    if (exponent <= 0)
        return gx_buf_char(&d->whole, '0') && gx_buf_fill(&d->fraction, '0', (size_t)-exponent) &&
               gx_buf_add(&d->fraction, text, (size_t)n);
    int whole = n < exponent ? n : exponent;
    return gx_buf_add(&d->whole, text, (size_t)whole) &&
           gx_buf_fill(&d->whole, '0', (size_t)(exponent - whole)) &&
           gx_buf_add(&d->fraction, text + whole, (size_t)(n - whole));
}

static bool scientific_digits(digits *d, double x, int bytes, int precision, int min_digits) {
    char text[24];
    int exponent = 0, n = gx_shortest_digits(x, bytes, text, &exponent);
    if (n == 0) return gx_buf_char(&d->whole, '0');
    int want = fraction_wanted(n - 1, precision, min_digits);
    if (want != n - 1) return exact(d, x, want, true);
    d->exponent = exponent - 1;
    return gx_buf_char(&d->whole, text[0]) && gx_buf_add(&d->fraction, text + 1, (size_t)(n - 1));
}

/* Zeros behind the last digit are added or removed as `trim` says: 'k' keeps them, '.' removes
   them, '0' leaves one, '-' removes the point too. */
static bool trim_zeros(digits *d, char trim, int fill) {
    gx_buf *f = &d->fraction;
    if (trim == 'k') {
        if (fill > 0 && f->length < (size_t)fill)
            return gx_buf_fill(f, '0', (size_t)fill - f->length);
        return true;
    }
    while (f->length > 0 && f->data[f->length - 1] == '0') f->data[--f->length] = '\0';
    return trim != '0' || f->length > 0 || gx_buf_char(f, '0');
}

static bool add_left(gx_buf *out, const digits *d, double x, bool plus, int pad_left) {
    char sign = signbit(x) ? '-' : plus ? '+' : 0;
    int width = (int)d->whole.length + (sign != 0);
    if (pad_left > width && !gx_buf_fill(out, ' ', (size_t)(pad_left - width))) return false;
    return (!sign || gx_buf_char(out, sign)) && gx_buf_puts(out, gx_buf_text(&d->whole));
}

bool gx_float_positional(gx_buf *out, double x, int bytes, int precision, bool unique,
                         bool fractional, char trim, bool plus, int pad_left, int pad_right,
                         int min_digits) {
    digits d = {.whole = gx_buf_new(out->rt), .fraction = gx_buf_new(out->rt)};
    if (!fractional && isfinite(x)) {
        int e = x == 0 ? 1 : (int)floor(log10(fabs(x))) + 1; /* digits count from the first one */
        if (precision >= 0) precision = precision > e ? precision - e : 0;
        if (min_digits >= 0) min_digits = min_digits > e ? min_digits - e : 0;
    }
    bool ok = unique ? positional_digits(&d, x, bytes, precision, min_digits)
                     : exact(&d, x, precision < 0 ? 0 : precision, false);
    ok = ok && trim_zeros(&d, trim, unique ? min_digits : precision) &&
         add_left(out, &d, x, plus, pad_left);
    int have = (int)d.fraction.length;
    if (ok && (trim != '-' || have > 0))
        ok = gx_buf_char(out, '.');
    else if (ok && pad_right >= 0)
        ok = gx_buf_char(out, ' ');
    ok = ok && gx_buf_puts(out, gx_buf_text(&d.fraction));
    if (ok && pad_right > have) ok = gx_buf_fill(out, ' ', (size_t)(pad_right - have));
    digits_free(&d);
    return ok;
}

bool gx_float_scientific(gx_buf *out, double x, int bytes, int precision, bool unique, char trim,
                         bool plus, int pad_left, int exp_digits, int min_digits) {
    digits d = {.whole = gx_buf_new(out->rt), .fraction = gx_buf_new(out->rt)};
    bool ok = unique ? scientific_digits(&d, x, bytes, precision, min_digits)
                     : exact(&d, x, precision < 0 ? 0 : precision, true);
    ok = ok && trim_zeros(&d, trim, unique ? min_digits : precision) &&
         add_left(out, &d, x, plus, pad_left);
    if (ok && (trim != '-' || d.fraction.length > 0)) ok = gx_buf_char(out, '.');
    ok = ok && gx_buf_puts(out, gx_buf_text(&d.fraction)) &&
         gx_buf_printf(out, "e%c%0*d", d.exponent < 0 ? '-' : '+', exp_digits < 0 ? 2 : exp_digits,
                       abs(d.exponent));
    digits_free(&d);
    return ok;
}

/* --- one format for many numbers --- */

/* The parts of one number's text as lengths. */
static void measure(const gx_buf *text, int *whole, int *fraction, int *exponent) {
    const char *t = gx_buf_text(text);
    size_t w = strcspn(t, "."), rest = t[w] == '.' ? strcspn(t + w + 1, "e") : 0;
    *whole = (int)w;
    *fraction = (int)rest;
    size_t at = w + (t[w] == '.') + rest;
    *exponent = t[at] == 'e' ? (int)strlen(t + at + 1) : 0;
}

static bool widen(gx_float_format *f, const double *x, int64_t n, int stride) {
    int whole = 0, fraction = 0, exponent = 0;
    char trim = f->options->floatmode == GX_FLOAT_FIXED ? 'k' : '.';
    gx_buf text = gx_buf_new(f->rt);
    bool ok = true;
    for (int64_t i = 0; ok && i < n; i++) {
        double v = x[i * stride];
        if (!isfinite(v)) continue;
        text.length = 0;
        ok = f->exponent ? gx_float_scientific(&text, v, f->bytes, f->precision, f->unique, trim,
                                               f->sign == '+', -1, -1, -1)
                         : gx_float_positional(&text, v, f->bytes, f->precision, f->unique, true,
                                               trim, f->sign == '+', -1, -1, -1);
        int w, r, e;
        ok = ok && (!f->rt->interrupted || gx_interrupt_check(f->rt));
        measure(&text, &w, &r, &e);
        whole = w > whole ? w : whole;
        fraction = r > fraction ? r : fraction;
        exponent = e > exponent ? e : exponent;
    }
    gx_buf_free(&text);
    f->pad_left = whole;
    if (f->exponent) {
        f->exp_size = exponent - 1;
        f->keep_zeros = true;
        f->precision = f->min_digits = fraction;
        f->pad_right = f->exp_size + 2 + fraction;
        return ok;
    }
    f->pad_right = fraction;
    f->exp_size = -1;
    f->keep_zeros =
        f->options->floatmode == GX_FLOAT_FIXED || f->options->floatmode == GX_FLOAT_MAXPREC_EQUAL;
    f->min_digits = f->keep_zeros ? fraction : 0;
    if (f->keep_zeros) f->precision = fraction;
    return ok;
}

/* Does an array with these magnitudes need the scientific form? The quotient is rounded to the
   array's own precision, as NumPy's is. */
static bool needs_exponent(const gx_float_format *f, double low, double high) {
    double limit = f->bytes == 2 ? 1e3 : f->bytes == 4 ? 1e6 : 1e8, ratio = high / low;
    const gx_dtype d = f->bytes == 2 ? GX_f16 : f->bytes == 4 ? GX_f32 : GX_f64;
    const double small = gx_float_rounded(d, 0.0001);
    ratio = gx_float_rounded(d, ratio);
    return high >= limit || (!f->options->suppress && (low < small || ratio > 1000));
}

bool gx_float_format_new(gx_rt *rt, gx_float_format *f, const gx_printopts *o, char sign, int bytes,
                         const double *x, int64_t n, int stride) {
    double low = INFINITY, high = 0;
    bool finite = false, other = false, negative_inf = sign != '-', any_sign = false;
    *f = (gx_float_format){.rt = rt, .options = o, .bytes = bytes, .sign = sign, .unique = true};
    f->precision = o->floatmode == GX_FLOAT_UNIQUE ? -1 : (int)o->precision;
    for (int64_t i = 0; i < n; i++) {
        double v = x[i * stride], m = fabs(v);
        if (!isfinite(v)) {
            other = true;
            negative_inf = negative_inf || (isinf(v) && v < 0);
            continue;
        }
        finite = true;
        any_sign = any_sign || signbit(v);
        if (m > 0 && m < low) low = m;
        if (m > high) high = m;
    }
    f->exponent = high > 0 && needs_exponent(f, low, high);
    f->unique = o->floatmode != GX_FLOAT_FIXED;
    f->exp_size = -1;
    f->min_digits = -1;
    if (!finite)
        f->exponent = false;
    else if (!widen(f, x, n, stride))
        return false;
    if (sign == ' ' && !any_sign) f->pad_left++;
    if (other) {
        int offset = f->pad_right + 1;
        int nan = (int)strlen(o->nanstr) - offset;
        int inf = (int)strlen(o->infstr) + negative_inf - offset;
        f->pad_left = nan > f->pad_left ? nan : f->pad_left;
        f->pad_left = inf > f->pad_left ? inf : f->pad_left;
    }
    return true;
}

bool gx_float_format_write(const gx_float_format *f, double x, gx_buf *out) {
    bool plus = f->sign == '+';
    if (isfinite(x)) {
        char trim = f->keep_zeros ? 'k' : '.';
        if (f->exponent)
            return gx_float_scientific(out, x, f->bytes, f->precision, f->unique, trim, plus,
                                       f->pad_left, f->exp_size, f->min_digits);
        return gx_float_positional(out, x, f->bytes, f->precision, f->unique, true, trim, plus,
                                   f->pad_left, f->pad_right, f->min_digits);
    }
    const char *text = isnan(x) ? f->options->nanstr : f->options->infstr;
    const char *sign = !isnan(x) && x < 0 ? "-" : plus ? "+" : "";
    int width = (int)(strlen(text) + strlen(sign)), room = f->pad_left + f->pad_right + 1;
    if (room > width && !gx_buf_fill(out, ' ', (size_t)(room - width))) return false;
    return gx_buf_puts(out, sign) && gx_buf_puts(out, text);
}
