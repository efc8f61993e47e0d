/* numpy.fft: transforms of any length along any axes. A length with prime factors up to 13 is done
   by mixed radix; others by Bluestein's chirp, which turns them into a convolution of a power of
   two. Computed in double precision on host data; float32 and complex64 results are complex64. */
#include <math.h>
#include <string.h>

#include "stdlib/np_fft_int.h"

extern const gx_native gx_np_fft_functions[];

static gx_c128 mul(gx_c128 a, gx_c128 b) {
    return (gx_c128){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static gx_c128 plus(gx_c128 a, gx_c128 b) {
    return (gx_c128){a.re + b.re, a.im + b.im};
}

/* exp(-2 pi i k / n), by octants so that the axes are exact. */
static gx_c128 root(int64_t k, int64_t n) {
    const double tau = 6.283185307179586476925286766559;
    k %= n;
    int64_t k8 = 8 * k, octant = k8 / n;
    double c, s;
    int64_t rest = k8 - octant * n;
    double a = tau * (double)(octant & 1 ? n - rest : rest) / (double)(8 * n);
    c = cos(a);
    s = sin(a);
    double x = 0, y = 0;
    switch (octant) {
    case 0:
        x = c, y = s;
        break;
    case 1:
        x = s, y = c;
        break;
    case 2:
        x = -s, y = c;
        break;
    case 3:
        x = -c, y = s;
        break;
    case 4:
        x = -c, y = -s;
        break;
    case 5:
        x = -s, y = -c;
        break;
    case 6:
        x = s, y = -c;
        break;
    default:
        x = c, y = -s;
        break;
    }
    return (gx_c128){x, -y};
}

/* What transforms of one length need; made once for all rows. */
typedef struct plan {
    int64_t n;
    int count, factors[64];
    gx_c128 *roots;          /* n of them */
    gx_c128 *chirp, *kernel; /* Bluestein: n, and the transform of the chirp, m */
    struct plan *inner;      /* Bluestein: of length m */
    gx_c128 *work;           /* n, or 2m */
} plan;

static bool factorise(plan *p) {
    int64_t n = p->n;
    static const int primes[] = {4, 2, 3, 5, 7, 11, 13};
    for (int i = 0; i < 7; i++)
        while (n % primes[i] == 0 && n > 1) {
            p->factors[p->count++] = primes[i];
            n /= primes[i];
        }
    return n == 1;
}

/* Decimation in time: out[0 … n) from in[0], in[stride] …; work is not needed for small factors. */
static void mixed(const plan *p, int level, const gx_c128 *in, int64_t stride, gx_c128 *out,
                  int64_t n) {
    if (n == 1) {
        out[0] = in[0];
        return;
    }
    int r = p->factors[level];
    int64_t m = n / r, scale = p->n / n;
    for (int k = 0; k < r; k++) mixed(p, level + 1, in + k * stride, stride * r, out + k * m, m);
    for (int64_t i = 0; i < m; i++) {
        gx_c128 t[13], u;
        for (int k = 0; k < r; k++) t[k] = mul(out[k * m + i], p->roots[k * i * scale]);
        if (r == 2) {
            out[i] = plus(t[0], t[1]);
            out[m + i] = (gx_c128){t[0].re - t[1].re, t[0].im - t[1].im};
            continue;
        }
        if (r == 4) {
            gx_c128 a = plus(t[0], t[2]), b = {t[0].re - t[2].re, t[0].im - t[2].im};
            gx_c128 c = plus(t[1], t[3]), d = {t[1].im - t[3].im, t[3].re - t[1].re};
            out[i] = plus(a, c);
            out[m + i] = plus(b, d);
            out[2 * m + i] = (gx_c128){a.re - c.re, a.im - c.im};
            out[3 * m + i] = (gx_c128){b.re - d.re, b.im - d.im};
            continue;
        }
        for (int q = 0; q < r; q++) {
            u = t[0];
            for (int k = 1; k < r; k++)
                u = plus(u, mul(t[k], p->roots[(int64_t)(k * q % r) * (p->n / r)]));
            out[q * m + i] = u;
        }
    }
}

static void *scratch(gx_np *s, int64_t n) {
    return gx_np_scratch(s, (size_t)(n + 1) * sizeof(gx_c128));
}

static void transform(gx_rt *rt, const plan *p, gx_c128 *x);

static plan *plan_new(gx_np *s, int64_t n) {
    plan *p = gx_np_scratch(s, sizeof *p);
    if (!p) return NULL;
    memset(p, 0, sizeof *p);
    p->n = n;
    if (factorise(p)) {
        p->roots = scratch(s, n);
        p->work = scratch(s, n);
        if (!p->roots || !p->work) return NULL;
        gx_np_fft_roots(p->roots, n);
        return p;
    }
    int64_t m = 1;
    while (m < 2 * n - 1) m *= 2;
    p->inner = plan_new(s, m);
    p->chirp = scratch(s, n);
    p->kernel = scratch(s, m);
    p->work = scratch(s, m);
    if (!p->inner || !p->chirp || !p->kernel || !p->work) return NULL;
    memset(p->kernel, 0, (size_t)m * sizeof *p->kernel);
    for (int64_t k = 0; k < n; k++) {
        /* k*k mod 2n without overflow. */
        int64_t square = (int64_t)((unsigned __int128)k * (uint64_t)k % (uint64_t)(2 * n));
        p->chirp[k] = root(square, 2 * n);
        gx_c128 back = {p->chirp[k].re, -p->chirp[k].im};
        p->kernel[k] = back;
        if (k) p->kernel[m - k] = back;
    }
    transform(s->rt, p->inner, p->kernel);
    return p;
}

/* The forward transform of n numbers, in place. */
static void transform(gx_rt *rt, const plan *p, gx_c128 *x) {
    int64_t n = p->n;
    if (n >= 64 && (n & (n - 1)) == 0) {
        gx_np_fft_power(rt, p->roots, x, p->work, n);
        return;
    }
    if (!p->inner) {
        memcpy(p->work, x, (size_t)n * sizeof *x);
        mixed(p, 0, p->work, 1, x, n);
        return;
    }
    int64_t m = p->inner->n;
    gx_c128 *w = p->work;
    memset(w, 0, (size_t)m * sizeof *w);
    for (int64_t k = 0; k < n; k++) w[k] = mul(x[k], p->chirp[k]);
    transform(rt, p->inner, w);
    for (int64_t k = 0; k < m; k++) {
        w[k] = mul(w[k], p->kernel[k]);
        w[k].im = -w[k].im; /* the inverse is the conjugate of the transform of the conjugate */
    }
    transform(rt, p->inner, w);
    for (int64_t k = 0; k < n; k++) {
        gx_c128 v = {w[k].re / (double)m, -w[k].im / (double)m};
        x[k] = mul(v, p->chirp[k]);
    }
}

/* --- arrays
 * ---------------------------------------------------------------------------------------------
 */

static gx_dtype result_dtype(gx_dtype d) {
    return d == GX_f16 || d == GX_f32 || d == GX_c64 ? GX_c64 : GX_c128;
}

/* The axis cut or filled with zeros to n. */
static gx_array *sized(gx_np *s, gx_array *a, int axis, int64_t n) {
    if (!a || gx_shape(a)[axis] == n) return a;
    if (gx_shape(a)[axis] > n) return gx_np_slice(s, a, axis, 0, 1, n);
    int64_t shape[GX_MAX_DIMS];
    memcpy(shape, gx_shape(a), a->ndim * sizeof *shape);
    shape[axis] = n - gx_shape(a)[axis];
    gx_array *parts[2] = {a, gx_np_zeros(s, (gx_dtype)a->dtype, a->ndim, shape)};
    return parts[1] ? gx_np_concat(s, 2, parts, axis, (gx_dtype)a->dtype) : NULL;
}

/* One axis, complex128 to complex128; scale multiplies the result. */
static gx_array *along(gx_np *s, gx_array *a, int axis, int64_t n, bool inverse, double scale) {
    if (n < 1) {
        gx_fail(s->rt, GX_ValueError, "fft.length",
                "Invalid number of FFT data points (%lld) specified.", (long long)n);
        return NULL;
    }
    a = sized(s, a, axis, n);
    gx_array *rows = a ? gx_np_fresh(s, gx_np_moveaxis(s, a, axis, a->ndim - 1), GX_c128) : NULL;
    gx_c128 *x = gx_np_data_write(s, rows);
    plan *p = x ? plan_new(s, n) : NULL;
    if (!p) return NULL;
    for (int64_t at = 0; at < rows->count; at += n) {
        gx_c128 *row = x + at;
        for (int64_t i = 0; inverse && i < n; i++) row[i].im = -row[i].im;
        transform(s->rt, p, row);
        double im = inverse ? -scale : scale;
        for (int64_t i = 0; i < n; i++) /* + 0: no negative zeros */
            row[i] = (gx_c128){row[i].re * scale + 0.0, row[i].im * im + 0.0};
    }
    return gx_np_moveaxis(s, rows, rows->ndim - 1, axis);
}

static bool norm_scale(gx_call *c, int i, bool inverse, double n, double *scale) {
    const char *norm = "backward";
    size_t length;
    if (gx_arg_some(c, i) && !gx_arg_str(c, i, &norm, &length)) return false;
    bool forward = strcmp(norm, "forward") == 0;
    if (strcmp(norm, "ortho") == 0)
        *scale = 1 / sqrt(n);
    else if (forward || strcmp(norm, "backward") == 0)
        *scale = forward != inverse ? 1 / n : 1;
    else
        return gx_fail(c->rt, GX_ValueError, "fft.norm",
                       "Invalid norm value %s; should be \"backward\", \"ortho\" or \"forward\".",
                       norm);
    return true;
}

typedef enum shape_kind { WHOLE, HALF_OUT, HALF_IN } shape_kind;

/* The transform along one axis in the form `kind`: whole, real input (half the result), or half
   input (real result). */
static gx_array *one_axis(gx_call *c, gx_np *s, gx_array *a, int axis, int64_t n, int norm,
                          bool inverse, shape_kind kind) {
    double scale = 1;
    if (!a || !norm_scale(c, norm, inverse, (double)(n > 0 ? n : 1), &scale)) return NULL;
    if (kind == HALF_IN && n > 0) {
        /* The other half is the conjugate, mirrored. */
        int64_t half = n / 2 + 1;
        a = sized(s, gx_np_cast(s, a, GX_c128), axis, half);
        gx_array *head = a ? gx_np_copy(s, a, 'C') : NULL;
        gx_array *tail =
            head && n - half > 0
                ? gx_np_op1(s, GX_OP_conjugate, gx_np_slice(s, head, axis, n - half, -1, n - half))
                : NULL;
        gx_array *parts[2] = {head, tail};
        a = head && n > half ? gx_np_concat(s, 2, parts, axis, GX_c128) : head;
        /* The ends of a real signal's transform are real. */
        for (int e = 0; a && e < 2; e++) {
            int64_t at = e ? n / 2 : 0;
            if (e && n % 2) continue;
            gx_array *end = gx_np_slice(s, a, axis, at, 1, 1);
            gx_array *re = gx_np_op1(s, GX_OP_real, end);
            if (!re || !gx_array_store(s->rt, end, re)) return NULL;
        }
    }
    gx_array *r = along(s, a, axis, n, inverse, scale);
    if (kind == HALF_OUT) r = r ? gx_np_slice(s, r, axis, 0, 1, n / 2 + 1) : NULL;
    if (kind == HALF_IN) r = gx_np_op1(s, GX_OP_real, r);
    return r;
}

static gx_array * final(gx_np *s, gx_array *r, gx_dtype from, bool real) {
    gx_dtype d = result_dtype(from);
    return gx_np_contiguous(s, gx_np_cast(s, r, real ? gx_real_dtype(d) : d));
}

static bool real_input(gx_call *c, gx_array *a) {
    return !a || gx_dtype_kind(a->dtype) != GX_KIND_CPLX ||
           gx_fail(c->rt, GX_TypeError, "fft.real", "%s takes real input; got %s", c->fn->name,
                   gx_dtypes[a->dtype].name);
}

static bool fft_call(gx_call *c, bool inverse, shape_kind kind, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    int axis;
    int64_t n;
    if (!a || (kind == HALF_OUT && !real_input(c, a)) ||
        !gx_np_axis_arg(c, 2, a->ndim, a->ndim - 1, &axis))
        return gx_np_end(&s, false);
    if (a->ndim == 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_AxisError, "axis.range",
                                     "axis -1 is out of bounds for array of dimension 0"));
    n = kind == HALF_IN ? 2 * (gx_shape(a)[axis] - 1) : gx_shape(a)[axis];
    if (gx_arg_some(c, 1) && !gx_arg_int(c, 1, &n)) return gx_np_end(&s, false);
    gx_array *r = one_axis(c, &s, a, axis, n, 3, inverse, kind);
    return gx_np_give_out(&s, final(&s, r, (gx_dtype)a->dtype, kind == HALF_IN), c->argv[4], out);
}

static bool fft_fn(gx_call *c, gx_value *out) {
    return fft_call(c, false, WHOLE, out);
}
static bool ifft_fn(gx_call *c, gx_value *out) {
    return fft_call(c, true, WHOLE, out);
}
static bool rfft_fn(gx_call *c, gx_value *out) {
    return fft_call(c, false, HALF_OUT, out);
}
static bool irfft_fn(gx_call *c, gx_value *out) {
    return fft_call(c, true, HALF_IN, out);
}

/* --- several axes
 * ---------------------------------------------------------------------------------------------- */

static bool axes_and_sizes(gx_call *c, gx_array *a, bool two, int *count, int *axes, int64_t *n) {
    gx_rt *rt = c->rt;
    int given = -1;
    int64_t list[GX_MAX_DIMS];
    *count = two ? 2 : a->ndim;
    if (gx_arg_some(c, 1)) {
        if (!gx_shape_of(rt, c->argv[1], true, "s", &given, n)) return false;
        if (!two) *count = given;
    }
    for (int i = 0; i < *count; i++) list[i] = i - *count;
    if (gx_arg_some(c, 2)) {
        gx_value t;
        if (!gx_tuple_of(rt, c->argv[2], &t)) return false;
        *count = (int)gx_as_tuple(t)->count;
        bool ok = *count <= GX_MAX_DIMS;
        for (int i = 0; ok && i < *count; i++)
            ok = gx_as_index(rt, gx_as_tuple(t)->items[i], &list[i]) == GX_TRY_YES;
        gx_drop(t);
        if (!ok) return gx_fail(rt, GX_TypeError, "fft.axes", "axes must be integers");
    }
    if (given >= 0 && given != *count)
        return gx_fail(rt, GX_ValueError, "fft.shape", "Shape and axes have different lengths.");
    for (int i = 0; i < *count; i++) {
        if (!gx_axis(rt, list[i], a->ndim, &axes[i])) return false;
        if (given < 0 || n[i] == -1) n[i] = given < 0 ? -1 : gx_shape(a)[axes[i]];
    }
    return true;
}

static bool fftn_call(gx_call *c, bool two, bool inverse, shape_kind kind, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *r = a;
    int count, axes[GX_MAX_DIMS];
    int64_t n[GX_MAX_DIMS];
    if (!a || (kind == HALF_OUT && !real_input(c, a)) ||
        !axes_and_sizes(c, a, two, &count, axes, n))
        return gx_np_end(&s, false);
    for (int i = 0; i < count; i++)
        if (n[i] < 0)
            n[i] = kind == HALF_IN && i == count - 1 ? 2 * (gx_shape(a)[axes[i]] - 1)
                                                     : gx_shape(a)[axes[i]];
    /* The halved axis is the first of a forward transform and the last of an inverse one. */
    for (int k = 0; r && k < count; k++) {
        int i = kind == HALF_IN ? k : count - 1 - k;
        r = one_axis(c, &s, r, axes[i], n[i], 3, inverse, i == count - 1 ? kind : WHOLE);
    }
    return gx_np_give_out(&s, final(&s, r, (gx_dtype)a->dtype, kind == HALF_IN), c->argv[4], out);
}

static bool fft2_fn(gx_call *c, gx_value *out) {
    return fftn_call(c, true, false, WHOLE, out);
}
static bool ifft2_fn(gx_call *c, gx_value *out) {
    return fftn_call(c, true, true, WHOLE, out);
}
static bool fftn_fn(gx_call *c, gx_value *out) {
    return fftn_call(c, false, false, WHOLE, out);
}
static bool ifftn_fn(gx_call *c, gx_value *out) {
    return fftn_call(c, false, true, WHOLE, out);
}
static bool rfft2_fn(gx_call *c, gx_value *out) {
    return fftn_call(c, true, false, HALF_OUT, out);
}
static bool irfft2_fn(gx_call *c, gx_value *out) {
    return fftn_call(c, true, true, HALF_IN, out);
}
static bool rfftn_fn(gx_call *c, gx_value *out) {
    return fftn_call(c, false, false, HALF_OUT, out);
}
static bool irfftn_fn(gx_call *c, gx_value *out) {
    return fftn_call(c, false, true, HALF_IN, out);
}

/* --- frequencies, shifts
 * ---------------------------------------------------------------------------------------- */

static bool freq(gx_call *c, bool half, gx_value *out) {
    int64_t n;
    double d;
    if (!gx_arg_int(c, 0, &n) || !gx_arg_float(c, 1, &d)) return false;
    if (n < 1) return gx_fail(c->rt, GX_ValueError, "fft.length", "n should be a positive integer");
    gx_np s = gx_np_begin(c);
    int64_t count = half ? n / 2 + 1 : n;
    gx_array *i = gx_np_iota(&s, count);
    if (!half)
        i = gx_np_op3(&s, GX_OP_where,
                      gx_np_op2(&s, GX_OP_greater_equal, i, gx_np_i64(&s, (n + 1) / 2)),
                      gx_np_op2(&s, GX_OP_subtract, i, gx_np_i64(&s, n)), i);
    gx_array *scale = gx_np_f64(&s, 1.0 / ((double)n * d));
    return gx_np_give_array(&s, gx_np_op2(&s, GX_OP_multiply, i, scale), out);
}

static bool fftfreq_fn(gx_call *c, gx_value *out) {
    return freq(c, false, out);
}
static bool rfftfreq_fn(gx_call *c, gx_value *out) {
    return freq(c, true, out);
}

static bool shift(gx_call *c, bool back, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    uint64_t mask;
    if (!a || !gx_axes(c->rt, c->argv[1], a->ndim, &mask)) return gx_np_end(&s, false);
    for (int i = 0; a && i < a->ndim; i++) {
        int64_t n = gx_shape(a)[i], k = back ? n / 2 : n - n / 2;
        if (!(mask >> i & 1) || n < 2) continue;
        gx_array *parts[2] = {gx_np_slice(&s, a, i, k, 1, n - k), gx_np_slice(&s, a, i, 0, 1, k)};
        a = gx_np_concat(&s, 2, parts, i, (gx_dtype)a->dtype);
    }
    return gx_np_give_array(&s, a, out);
}

static bool fftshift_fn(gx_call *c, gx_value *out) {
    return shift(c, false, out);
}
static bool ifftshift_fn(gx_call *c, gx_value *out) {
    return shift(c, true, out);
}

#define ONE "(a, n=None, axis=-1, norm=None, out=None)"
#define MANY "(a, s=None, axes=None, norm=None, out=None)"
const gx_native gx_np_fft_functions[] = {
    {"fft", "fft" ONE, "Fourier transform along an axis.",
     "fft.fft([1, 0, 0, 0]).real  # [1. 1. 1. 1.]", fft_fn, 0, 0},
    {"ifft", "ifft" ONE, "Inverse Fourier transform along an axis.",
     "fft.ifft([4, 0, 0, 0]).real  # [1. 1. 1. 1.]", ifft_fn, 0, 0},
    {"rfft", "rfft" ONE,
     "Fourier transform of real input: half the result, as the rest mirrors it.",
     "fft.rfft([1, 0, 0, 0]).shape  # (3,)", rfft_fn, 0, 0},
    {"irfft", "irfft" ONE, "Inverse of rfft: real output.", "fft.irfft([1, 1, 1])  # [1. 0. 0. 0.]",
     irfft_fn, 0, 0},
    {"fft2", "fft2" MANY, "Fourier transform along two axes.",
     "fft.fft2([[1, 0], [0, 0]]).shape  # (2, 2)", fft2_fn, 0, 0},
    {"ifft2", "ifft2" MANY, "Inverse Fourier transform along two axes.",
     "fft.ifft2([[1, 0], [0, 0]]).shape  # (2, 2)", ifft2_fn, 0, 0},
    {"fftn", "fftn" MANY, "Fourier transform along all or several axes.",
     "fft.fftn([[1, 0], [0, 0]]).shape  # (2, 2)", fftn_fn, 0, 0},
    {"ifftn", "ifftn" MANY, "Inverse Fourier transform along all or several axes.",
     "fft.ifftn([[1, 0], [0, 0]]).shape  # (2, 2)", ifftn_fn, 0, 0},
    {"rfft2", "rfft2" MANY, "rfft along two axes.", "fft.rfft2([[1, 0], [0, 0]]).shape  # (2, 2)",
     rfft2_fn, 0, 0},
    {"irfft2", "irfft2" MANY, "Inverse of rfft2.", "fft.irfft2([[1, 0], [0, 0]]).shape  # (2, 2)",
     irfft2_fn, 0, 0},
    {"rfftn", "rfftn" MANY, "rfft along all or several axes.",
     "fft.rfftn([[1, 0], [0, 0]]).shape  # (2, 2)", rfftn_fn, 0, 0},
    {"irfftn", "irfftn" MANY, "Inverse of rfftn.", "fft.irfftn([[1, 0], [0, 0]]).shape  # (2, 2)",
     irfftn_fn, 0, 0},
    {"fftfreq", "fftfreq(n, d=1.0, *, device=None)", "The frequencies of fft's results.",
     "fft.fftfreq(4)  # [ 0.    0.25 -0.5  -0.25]", fftfreq_fn, 0, 0},
    {"rfftfreq", "rfftfreq(n, d=1.0, *, device=None)", "The frequencies of rfft's results.",
     "fft.rfftfreq(4)  # [0.   0.25 0.5 ]", rfftfreq_fn, 0, 0},
    {"fftshift", "fftshift(x, axes=None)", "The zero frequency moved to the middle.",
     "fft.fftshift([0, 1, 2, 3])  # [2 3 0 1]", fftshift_fn, 0, 0},
    {"ifftshift", "ifftshift(x, axes=None)", "Inverse of fftshift.",
     "fft.ifftshift([2, 3, 0, 1])  # [0 1 2 3]", ifftshift_fn, 0, 0},
    {.name = NULL},
};
