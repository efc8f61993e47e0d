/* Complex numbers: arithmetic as Python's, text, methods. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/heap.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/operators.h"
#include "runtime/object/text/format_int.h"
#include "runtime/object/text/str_int.h"

static gx_complex *as_complex(gx_borrowed v) {
    return (gx_complex *)v.obj;
}

bool gx_complex_new(gx_rt *rt, double re, double im, gx_value *out) {
    gx_complex *z = gx_obj_raw(rt, gx_core_types[GX_COMPLEX], sizeof *z);
    if (!z) return false;
    z->re = re;
    z->im = im;
    *out = gx_object(&z->obj);
    return true;
}

/* --- arithmetic ------------------------------------------------------------------------------- */

static bool divide(gx_rt *rt, double ar, double ai, double br, double bi, gx_value *out) {
    if (br == 0 && bi == 0)
        return gx_fail(rt, GX_ZeroDivisionError, "number.zero", "complex division by zero");
    /* Smith's way: divides by the larger part first, so that nothing overflows early. */
    if (fabs(br) >= fabs(bi)) {
        double ratio = bi / br, d = br + bi * ratio;
        return gx_complex_new(rt, (ar + ai * ratio) / d, (ai - ar * ratio) / d, out);
    }
    if (fabs(bi) >= fabs(br)) {
        double ratio = br / bi, d = br * ratio + bi;
        return gx_complex_new(rt, (ar * ratio + ai) / d, (ai * ratio - ar) / d, out);
    }
    return gx_complex_new(rt, NAN, NAN, out);
}

/* A small whole power by repeated squaring, as exact as the products are. */
static bool whole_power(gx_rt *rt, double ar, double ai, int64_t n, gx_value *out) {
    double rr = 1, ri = 0;
    for (uint64_t k = (uint64_t)(n < 0 ? -n : n); k; k >>= 1) {
        double t;
        if (k & 1) {
            t = rr * ar - ri * ai;
            ri = rr * ai + ri * ar;
            rr = t;
        }
        t = ar * ar - ai * ai;
        ai = ar * ai + ai * ar;
        ar = t;
    }
    if (n < 0) return divide(rt, 1, 0, rr, ri, out);
    return gx_complex_new(rt, rr, ri, out);
}

static bool power(gx_rt *rt, double ar, double ai, double br, double bi, gx_value *out) {
    if (br == 0 && bi == 0) return gx_complex_new(rt, 1, 0, out);
    if (ar == 0 && ai == 0) {
        if (bi != 0 || br < 0)
            return gx_fail(rt, GX_ZeroDivisionError, "number.zero",
                           "0.0 to a negative or complex power");
        return gx_complex_new(rt, 0, 0, out);
    }
    if (bi == 0 && br == floor(br) && fabs(br) <= 100)
        return whole_power(rt, ar, ai, (int64_t)br, out);
    double size = hypot(ar, ai), length = pow(size, br), at = atan2(ai, ar), phase = at * br;
    if (bi != 0) {
        length /= exp(at * bi);
        phase += bi * log(size);
    }
    if (isinf(phase)) /* cos and sin have no answer, which Python says so */
        return gx_fail(rt, GX_ZeroDivisionError, "number.zero",
                       "0.0 to a negative or complex power");
    double re = length * cos(phase), im = length * sin(phase);
    if ((isinf(re) || isinf(im)) && isfinite(size) && isfinite(br) && isfinite(bi))
        return gx_fail(rt, GX_OverflowError, "number.overflow", "complex exponentiation");
    return gx_complex_new(rt, re, im, out);
}

bool gx_complex_binary(gx_rt *rt, gx_binop op, double ar, double ai, double br, double bi,
                       gx_value *out) {
    switch ((int)op) {
    case GX_ADD: return gx_complex_new(rt, ar + br, ai + bi, out);
    case GX_SUB: return gx_complex_new(rt, ar - br, ai - bi, out);
    case GX_MUL: return gx_complex_new(rt, ar * br - ai * bi, ar * bi + ai * br, out);
    case GX_DIV: return divide(rt, ar, ai, br, bi, out);
    default: return power(rt, ar, ai, br, bi, out);
    }
}

/* --- text ------------------------------------------------------------------------------------- */

static bool complex_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_complex *z = as_complex(v);
    gx_spec part = {.type = GX_SPEC_SHORTEST, .width = -1, .precision = -1};
    if (z->re == 0 && !signbit(z->re))
        return gx_format_double(rt, z->im, &part, out) && gx_buf_char(out, 'j');
    if (!gx_buf_char(out, '(') || !gx_format_double(rt, z->re, &part, out)) return false;
    part.sign = '+';
    return gx_format_double(rt, z->im, &part, out) && gx_buf_puts(out, "j)");
}

static bool complex_format(gx_rt *rt, gx_borrowed v, const char *text, size_t length, gx_buf *out) {
    gx_complex *z = as_complex(v);
    gx_spec spec;
    if (!gx_spec_parse_for(rt, text, length, "complex", &spec)) return false;
    if (spec.type && !strchr("eEfFgGn", spec.type))
        return gx_format_unknown(rt, spec.type, "complex");
    if (spec.fill == '0')
        return gx_fail(rt, GX_ValueError, "format.complex",
                       "Zero padding is not allowed in complex format specifier");
    if (spec.align == '=')
        return gx_fail(rt, GX_ValueError, "format.complex",
                       "'=' alignment flag is not allowed in complex format specifier");
    gx_spec part = spec;
    part.width = -1;
    bool bare = !spec.type, skip = bare && z->re == 0 && !signbit(z->re);
    if (bare) part.type = spec.precision < 0 ? GX_SPEC_SHORTEST : 'g';
    gx_buf b = gx_buf_new(rt);
    bool ok = !bare || skip || gx_buf_char(&b, '(');
    ok = ok && (skip || gx_format_double(rt, z->re, &part, &b));
    if (!skip) part.sign = '+';
    ok = ok && gx_format_double(rt, z->im, &part, &b) && gx_buf_char(&b, 'j') &&
         (!bare || skip || gx_buf_char(&b, ')'));
    gx_spec whole = {.fill = spec.fill, .align = spec.align ? spec.align : '>', .width = spec.width,
                     .precision = -1};
    ok = ok && gx_format_text(rt, gx_buf_text(&b), b.length, &whole, out);
    gx_buf_free(&b);
    return ok;
}

/* The end of a float that begins at p (as far as one can read). */
static const char *number_end(const char *p, const char *end) {
    if (p < end && (*p == '+' || *p == '-')) p++;
    while (p < end && *p != '+' && *p != '-' && *p != 'j' && *p != 'J') {
        if ((*p == 'e' || *p == 'E') && p + 1 < end && (p[1] == '+' || p[1] == '-')) p++;
        p++;
    }
    return p;
}

static gx_try parse(gx_rt *rt, const char *p, const char *end, double *re, double *im) {
    *re = *im = 0;
    while (p < end && isspace((unsigned char)*p)) p++;
    while (end > p && isspace((unsigned char)end[-1])) end--;
    if (end - p > 1 && *p == '(' && end[-1] == ')') {
        p++;
        end--;
    }
    while (p < end && isspace((unsigned char)*p)) p++;
    while (end > p && isspace((unsigned char)end[-1])) end--;
    const char *q = number_end(p, end);
    if (q == end) return gx_float_parse(rt, p, end, re);
    if (*q == '+' || *q == '-') {
        gx_try r = gx_float_parse(rt, p, q, re);
        if (r != GX_TRY_YES) return r;
        p = q;
        q = number_end(p, end);
    }
    if (q + 1 != end || (*q | 0x20) != 'j') return GX_TRY_NO;
    if (q == p || (q == p + 1 && (*p == '+' || *p == '-'))) {
        *im = q > p && *p == '-' ? -1 : 1;
        return GX_TRY_YES;
    }
    return gx_float_parse(rt, p, q, im);
}

static bool construct(gx_call *c, gx_value *out) {
    double re = 0, im = 0, re2 = 0, im2 = 0;
    gx_borrowed a = c->argv[0], b = c->argv[1];
    if (a.tag == GX_STR) {
        if (gx_arg_given(c, 1))
            return gx_fail(c->rt, GX_TypeError, "complex.type",
                           "complex() can't take second arg if first is a string");
        gx_try r =
            parse(c->rt, gx_as_str(a)->text, gx_as_str(a)->text + gx_as_str(a)->length, &re, &im);
        if (r == GX_TRY_YES) return gx_complex_new(c->rt, re, im, out);
        if (r == GX_TRY_ERROR) return false;
        return gx_fail(c->rt, GX_ValueError, "complex.literal",
                       "complex() arg is a malformed string");
    }
    gx_try r = gx_arg_given(c, 0) ? gx_as_complex(c->rt, a, &re, &im) : GX_TRY_YES;
    if (r == GX_TRY_NO)
        return gx_fail(c->rt, GX_TypeError, "complex.type",
                       "complex() first argument must be a string or a number, not '%s'",
                       gx_type_name(a));
    if (r == GX_TRY_YES && gx_arg_given(c, 1)) {
        r = gx_as_complex(c->rt, b, &re2, &im2);
        if (r == GX_TRY_NO)
            return gx_fail(c->rt, GX_TypeError, "complex.type",
                           "complex() second argument must be a number, not '%s'", gx_type_name(b));
    }
    if (r == GX_TRY_ERROR) return false;
    if (gx_arg_given(c, 1)) {
        re -= im2;
        im = im == 0 ? re2 : im + re2;
    }
    return gx_complex_new(c->rt, re, im, out);
}

const gx_native gx_complex_construct = {
    "complex", "complex(real=<no value>, imag=<no value>)", "A complex number.",
    "complex(1, 2)  # (1+2j)", construct, 0, 0,
};

/* --- the type --------------------------------------------------------------------------------- */

static bool complex_truth(gx_rt *rt, gx_borrowed v, bool *out) {
    (void)rt;
    *out = as_complex(v)->re != 0 || as_complex(v)->im != 0;
    return true;
}

static bool complex_hash(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    (void)rt;
    uint64_t h = gx_hash_double(as_complex(v)->re) + 1000003u * gx_hash_double(as_complex(v)->im);
    *out = h == UINT64_MAX ? h - 1 : h;
    return true;
}

static bool get_real(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_float(as_complex(self)->re);
    return true;
}
static bool get_imag(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_float(as_complex(self)->im);
    return true;
}

const gx_member gx_complex_members[] = {
    {"real", get_real, NULL, "The real part."},
    {"imag", get_imag, NULL, "The imaginary part."},
    {0},
};

static bool conjugate(gx_call *c, gx_value *out) {
    gx_complex *z = as_complex(c->argv[0]);
    return gx_complex_new(c->rt, z->re, -z->im, out);
}

const gx_native gx_complex_methods[] = {
    {"conjugate", "conjugate(self, /)", "The complex conjugate.", "(1+2j).conjugate()  # (1-2j)",
     conjugate, 0, 0},
    {0},
};

static bool complex_plain(gx_rt *rt, gx_borrowed v, gx_value *out) {
    const gx_complex *z = (const gx_complex *)v.obj;
    return gx_complex_new(rt, z->re, z->im, out);
}

const gx_type gx_type_complex = {
    .name = "complex", .tag = GX_COMPLEX, .dtype = GX_NO_DTYPE, .doc = "A complex number.",
    .repr = complex_repr, .format = complex_format, .truth = complex_truth, .hash = complex_hash,
    .construct = &gx_complex_construct, .plain = complex_plain, .methods = gx_complex_methods,
    .members = gx_complex_members,
};
