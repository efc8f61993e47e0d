/* numpy.fft: the arguments of the transforms, and transforms along several axes as one after the
   other. Computed in the input's precision: float16 and float32 give complex64, as NumPy 2's do.
   The transforms themselves are the backend's: one axis after the other, or, where it joins
   several, by device.c. */
#include <math.h>
#include <string.h>

#include "runtime/device/work.h"
#include "stdlib/fft/fft_int.h"

extern const gx_native gx_np_fft_functions[];

/* Columns of more points are copied to lines first. */
enum { TALL = 4096 };

typedef struct request {
    gx_call *c;
    gx_np *s;
    gx_fft_kind kind;
    bool inverse, swapped; /* swapped: norm means the other direction (hfft, ihfft) */
    int norm;              /* argument number */
} request;

static bool norm_scale(const request *q, double n, double *scale) {
    gx_call *c = q->c;
    const char *norm = "backward";
    if (gx_arg_some(c, q->norm))
        norm = c->argv[q->norm].tag == GX_STR ? gx_as_str(c->argv[q->norm])->text
                                              : gx_type_name(c->argv[q->norm]);
    bool forward = strcmp(norm, "forward") == 0;
    if (strcmp(norm, "ortho") == 0)
        *scale = 1 / sqrt(n);
    else if (forward || strcmp(norm, "backward") == 0)
        *scale = forward != (q->inverse != q->swapped) ? 1 / n : 1;
    else
        return gx_fail(c->rt, GX_ValueError, "fft.norm",
                       "Invalid norm value %s; should be \"backward\", \"ortho\" or \"forward\".",
                       norm);
    return true;
}

static bool is_complex(const gx_array *a) {
    return gx_dtype_kind(a->dtype) == GX_KIND_CPLX;
}

/* The dtype of the lines that go into a transform. */
static gx_dtype input_dtype(const gx_array *a, gx_fft_kind kind) {
    bool single = gx_is_half(a->dtype) || a->dtype == GX_f32 || a->dtype == GX_c64;
    bool real = kind == GX_FFT_REAL_IN || kind == GX_FFT_REAL_FULL;
    return real ? (single ? GX_f32 : GX_f64) : (single ? GX_c64 : GX_c128);
}

/* One axis of a contiguous array of a transform's dtype. `mine`: a may be overwritten. */
static gx_array *transform(const request *q, gx_array *a, int axis, int64_t n, double scale,
                           gx_fft_kind kind, bool mine) {
    gx_fourier_lines j = {.kind = (uint8_t)kind, .inverse = q->inverse, .scale = scale, .n = n};
    int64_t shape[GX_MAX_DIMS];
    gx_dtype d = (gx_dtype)a->dtype, to = d;
    j.outer = j.inner = 1;
    memcpy(shape, gx_shape(a), a->ndim * sizeof *shape);
    for (int i = 0; i < a->ndim; i++) {
        if (i < axis) j.outer *= shape[i];
        if (i > axis) j.inner *= shape[i];
    }
    j.from = shape[axis];
    j.to = shape[axis] = kind == GX_FFT_REAL_IN ? n / 2 + 1 : n;
    bool single = d == GX_f32 || d == GX_c64;
    if (kind == GX_FFT_REAL_IN || kind == GX_FFT_REAL_FULL) to = single ? GX_c64 : GX_c128;
    if (kind == GX_FFT_REAL_OUT) to = gx_real_dtype(d);
    bool same = mine && to == d && j.from == j.to;
    gx_array *r = same ? a : gx_np_empty(q->s, to, a->ndim, shape);
    j.single = single;
    return r && gx_array_fourier_lines(q->s->rt, a, &j, r) ? r : NULL;
}

static bool bad_length(gx_rt *rt, int64_t n) {
    return gx_fail(rt, GX_ValueError, "fft.length",
                   "Invalid number of FFT data points (%lld) specified.", (long long)n);
}

static bool good_length(const request *q, int64_t n) {
    if (n < 1) return bad_length(q->c->rt, n);
    return n <= INT64_C(1) << 40 ||
           gx_fail(q->c->rt, GX_MemoryError, "fft.length",
                   "a transform of %lld points does not fit", (long long)n);
}

/* The transform along one axis. */
static gx_array *one_axis(const request *q, gx_array *a, int axis, int64_t n, gx_fft_kind kind,
                          bool mine) {
    gx_np *s = q->s;
    double scale = 1;
    if (!a || !norm_scale(q, (double)(n > 0 ? n : 1), &scale) || !good_length(q, n)) return NULL;
    int64_t inner = 1;
    for (int i = axis + 1; i < a->ndim; i++) inner *= gx_shape(a)[i];
    if (kind == GX_FFT_COMPLEX && !is_complex(a) && inner == 1) kind = GX_FFT_REAL_FULL;
    gx_array *x = gx_np_cast(s, a, input_dtype(a, kind));
    bool turn = inner > 1 && (n > TALL || inner < 4);
    if (turn) x = gx_np_moveaxis(s, x, axis, a->ndim - 1);
    gx_array *lines = gx_np_contiguous(s, x);
    if (!lines) return NULL;
    gx_array *r = transform(q, lines, turn ? a->ndim - 1 : axis, n, scale, kind,
                            mine || lines->storage != a->storage);
    return turn ? gx_np_contiguous(s, gx_np_moveaxis(s, r, a->ndim - 1, axis)) : r;
}

/* The transforms along `count` axes, at once where a's device joins them. */
static gx_array *all_axes(const request *q, gx_array *a, int count, const int *axes,
                          const int64_t *n) {
    const bool out = q->kind == GX_FFT_REAL_OUT;
    if (a && count > 0 && gx_fourier_joins(q->s->rt, a)) {
        gx_fft_many m = {q->s, q->kind, q->inverse, 1, count, axes, n};
        for (int i = count; i-- > 0;) {
            double scale;
            if (!norm_scale(q, (double)(n[i] > 0 ? n[i] : 1), &scale) || !good_length(q, n[i]))
                return NULL;
            m.scale *= scale;
        }
        return gx_fft_device(&m, gx_np_cast(q->s, a, input_dtype(a, q->kind)), a);
    }
    /* The halved axis is the first of a forward transform and the last of an inverse one. */
    for (int k = 0; a && k < count; k++) {
        int i = out ? k : count - 1 - k;
        a = one_axis(q, a, axes[i], n[i], i == count - 1 ? q->kind : GX_FFT_COMPLEX, k > 0);
    }
    return a;
}

static bool real_input(gx_call *c, gx_array *a) {
    return !a || !is_complex(a) ||
           gx_fail(c->rt, GX_TypeError, "fft.real", "%s takes real input; got %s", c->fn->name,
                   gx_dtypes[a->dtype].name);
}

/* Ends a call: the result goes to out= where that is given. */
static bool give(const request *q, gx_array *r, const gx_array *a, bool one_axis, gx_value *out) {
    r = q->swapped && q->inverse ? gx_np_laid_like(q->s, r, a) : gx_np_laid_as(q->s, r, a);
    const gx_value *items, to = q->c->argv[4];
    const bool one = to.tag == GX_TUPLE && gx_sequence_items(to, &items) == 1; /* as a ufunc's */
    const gx_value dest = gx_keep(one ? items[0] : to);
    /* The other axes are those of a ufunc. */
    const bool spread = r && one_axis && gx_is_array(dest) && gx_as_array(dest)->ndim == r->ndim;
    if (spread) r = gx_np_spread_to(q->s, r, 1, gx_as_array(dest));
    const bool ok = gx_np_give_out(q->s, r, dest, out);
    gx_drop(dest);
    return ok;
}

/* irfft of halves stays half; what other axes were transformed before is of floats. */
static gx_array *as_given(const request *q, gx_array *r, gx_dtype from) {
    return gx_is_half(from) && q->kind == GX_FFT_REAL_OUT ? gx_np_cast(q->s, r, from) : r;
}

static bool fft_call(gx_call *c, bool inverse, gx_fft_kind kind, bool hermitian, gx_value *out) {
    gx_np s = gx_np_begin(c);
    request q = {c, &s, kind, inverse, hermitian, 3};
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    int axis;
    int64_t n;
    if (!a || (gx_arg_some(c, 1) && !gx_arg_int(c, 1, &n)) ||
        !gx_np_axis_arg(c, 2, a->ndim, -1, &axis) ||
        (kind == GX_FFT_REAL_IN && !real_input(c, a)))
        return gx_np_end(&s, false);
    const gx_array *given = a;
    gx_dtype from = (gx_dtype)a->dtype;
    if (!gx_arg_some(c, 1)) {
        n = gx_shape(a)[axis];
        if (kind == GX_FFT_REAL_OUT) n = 2 * (n - 1);
    }
    if (hermitian && kind == GX_FFT_REAL_OUT && is_complex(a))
        a = gx_np_op1(&s, GX_OP_conjugate, a);
    gx_array *r = all_axes(&q, a, 1, &axis, &n);
    if (hermitian && kind == GX_FFT_REAL_IN) r = gx_np_op1(&s, GX_OP_conjugate, r);
    return give(&q, as_given(&q, r, from), given, true, out);
}

static bool fft_fn(gx_call *c, gx_value *out) {
    return fft_call(c, false, GX_FFT_COMPLEX, false, out);
}
static bool ifft_fn(gx_call *c, gx_value *out) {
    return fft_call(c, true, GX_FFT_COMPLEX, false, out);
}
static bool rfft_fn(gx_call *c, gx_value *out) {
    return fft_call(c, false, GX_FFT_REAL_IN, false, out);
}
static bool irfft_fn(gx_call *c, gx_value *out) {
    return fft_call(c, true, GX_FFT_REAL_OUT, false, out);
}
static bool hfft_fn(gx_call *c, gx_value *out) {
    return fft_call(c, true, GX_FFT_REAL_OUT, true, out);
}
static bool ihfft_fn(gx_call *c, gx_value *out) {
    return fft_call(c, false, GX_FFT_REAL_IN, true, out);
}

/* --- several axes */

static bool axes_and_sizes(gx_call *c, gx_array *a, int *count, int *axes, int64_t *n) {
    gx_rt *rt = c->rt;
    int given = -1;
    int64_t list[GX_MAX_DIMS];
    *count = a->ndim;
    if (a->ndim == 0 && gx_arg_some(c, 2) && c->argv[2].tag == GX_INT && !gx_arg_some(c, 1))
        return gx_axis(rt, c->argv[2].i, 0, axes);
    if (gx_arg_some(c, 1)) {
        int64_t one;
        gx_try number = gx_as_index(rt, c->argv[1], &one);
        if (number == GX_TRY_ERROR) return false;
        if (number == GX_TRY_YES)
            return gx_fail(rt, GX_TypeError, "fft.shape",
                           "'%s' object is not iterable: s has a size for each axis",
                           gx_type_name(c->argv[1]));
        const gx_sizes which = GX_SIZES_SIGNED | GX_SIZES_ITERABLE | GX_SIZES_NONE;
        if (!gx_shape_of(rt, c->argv[1], which, "s", &given, n))
            return false;
        *count = given;
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
        if (given < 0 || n[i] == GX_SIZE_NONE) n[i] = -1; /* what is usual */
        else if (n[i] == -1) n[i] = gx_shape(a)[axes[i]];
        else if (n[i] < 1) return bad_length(rt, n[i]);
    }
    return true;
}

static bool fftn_call(gx_call *c, bool inverse, gx_fft_kind kind, gx_value *out) {
    gx_np s = gx_np_begin(c);
    request q = {c, &s, kind, inverse, false, 3};
    gx_array *a = gx_np_arr(&s, c->argv[0]), *r;
    int count, axes[GX_MAX_DIMS];
    int64_t n[GX_MAX_DIMS];
    if (!a || !axes_and_sizes(c, a, &count, axes, n) ||
        (kind == GX_FFT_REAL_IN && !real_input(c, a)))
        return gx_np_end(&s, false);
    if (count == 0 && kind != GX_FFT_COMPLEX)
        return gx_np_end(&s, gx_fail(c->rt, GX_IndexError, "fft.axes", "%s needs at least one axis",
                                     c->fn->name));
    if (count == 0) return gx_np_give_array(&s, a, out); /* as it is, wherever it was to go */
    for (int i = 0; i < count; i++)
        if (n[i] < 0)
            n[i] = kind == GX_FFT_REAL_OUT && i == count - 1 ? 2 * (gx_shape(a)[axes[i]] - 1)
                                                             : gx_shape(a)[axes[i]];
    r = all_axes(&q, a, count, axes, n);
    return give(&q, count > 1 ? r : as_given(&q, r, (gx_dtype)a->dtype), a, false, out);
}

static bool fft2_fn(gx_call *c, gx_value *out) {
    return fftn_call(c, false, GX_FFT_COMPLEX, out);
}
static bool ifft2_fn(gx_call *c, gx_value *out) {
    return fftn_call(c, true, GX_FFT_COMPLEX, out);
}
static bool fftn_fn(gx_call *c, gx_value *out) {
    return fftn_call(c, false, GX_FFT_COMPLEX, out);
}
static bool ifftn_fn(gx_call *c, gx_value *out) {
    return fftn_call(c, true, GX_FFT_COMPLEX, out);
}
static bool rfft2_fn(gx_call *c, gx_value *out) {
    return fftn_call(c, false, GX_FFT_REAL_IN, out);
}
static bool irfft2_fn(gx_call *c, gx_value *out) {
    return fftn_call(c, true, GX_FFT_REAL_OUT, out);
}
static bool rfftn_fn(gx_call *c, gx_value *out) {
    return fftn_call(c, false, GX_FFT_REAL_IN, out);
}
static bool irfftn_fn(gx_call *c, gx_value *out) {
    return fftn_call(c, true, GX_FFT_REAL_OUT, out);
}

#define ONE "(a, n=None, axis=-1, norm=None, out=None)"
#define MANY "(a, s=None, axes=None, norm=None, out=None)"
#define TWO "(a, s=None, axes=(-2, -1), norm=None, out=None)"
const gx_native gx_np_fft_functions[] = {
    {"fft", "fft" ONE,
     "Discrete Fourier transform (DFT) of n points along an axis, complex; input is cut or "
     "zero-padded to n.",
     "fft.fft([1, 0, 0, 0]).real  # [1. 1. 1. 1.]", fft_fn, 0, 0},
    {"ifft", "ifft" ONE, "Inverse of fft, complex.", "fft.ifft([4, 0, 0, 0]).real  # [1. 1. 1. 1.]",
     ifft_fn, 0, 0},
    {"rfft", "rfft" ONE,
     "DFT of real input: the first n // 2 + 1 complex numbers; the rest are their conjugates.",
     "fft.rfft([1, 0, 0, 0]).shape  # (3,)", rfft_fn, 0, 0},
    {"irfft", "irfft" ONE,
     "Inverse of rfft: n real numbers along an axis (2 * (m - 1) by default).",
     "fft.irfft([1, 1, 1])  # [1. 0. 0. 0.]", irfft_fn, 0, 0},
    {"hfft", "hfft" ONE,
     "DFT of a Hermitian-symmetric signal, given by its first half; n real numbers (2 * (m - 1) by "
     "default).",
     "fft.hfft([1, 2, 3])  # [ 8. -2.  0. -2.]", hfft_fn, 0, 0},
    {"ihfft", "ihfft" ONE, "Inverse of hfft: the first n // 2 + 1 complex numbers, of real input.",
     "fft.ihfft([8, -2, 0, -2]).real  # [1. 2. 3.]", ihfft_fn, 0, 0},
    {"fft2", "fft2" TWO,
     "Two-dimensional discrete Fourier transform, over the last two axes or those given, complex.",
     "fft.fft2([[1, 0], [0, 0]]).shape  # (2, 2)", fft2_fn, 0, 0},
    {"ifft2", "ifft2" TWO, "Inverse of fft2, complex.",
     "fft.ifft2([[1, 0], [0, 0]]).shape  # (2, 2)", ifft2_fn, 0, 0},
    {"fftn", "fftn" MANY,
     "N-dimensional discrete Fourier transform, over all axes or those given, complex.",
     "fft.fftn([[1, 0], [0, 0]]).shape  # (2, 2)", fftn_fn, 0, 0},
    {"ifftn", "ifftn" MANY, "Inverse of fftn, complex.",
     "fft.ifftn([[1, 0], [0, 0]]).shape  # (2, 2)", ifftn_fn, 0, 0},
    {"rfft2", "rfft2" TWO,
     "Two-dimensional DFT of real input; the last axis keeps its n // 2 + 1 nonnegative "
     "frequencies.",
     "fft.rfft2([[1, 0], [0, 0]]).shape  # (2, 2)", rfft2_fn, 0, 0},
    {"irfft2", "irfft2" TWO, "Inverse of rfft2: real output.",
     "fft.irfft2([[1, 0], [0, 0]]).shape  # (2, 2)", irfft2_fn, 0, 0},
    {"rfftn", "rfftn" MANY,
     "N-dimensional DFT of real input; the last axis keeps its n // 2 + 1 nonnegative frequencies.",
     "fft.rfftn([[1, 0], [0, 0]]).shape  # (2, 2)", rfftn_fn, 0, 0},
    {"irfftn", "irfftn" MANY, "Inverse of rfftn: real output.",
     "fft.irfftn([[1, 0], [0, 0]]).shape  # (2, 2)", irfftn_fn, 0, 0},
    {"fftfreq", "fftfreq(n, d=1.0, *, device=None)",
     "The n frequencies of fft's output, in cycles per unit of the sample spacing d.",
     "fft.fftfreq(4)  # [ 0.    0.25 -0.5  -0.25]", gx_fft_fftfreq_fn, 0, 0},
    {"rfftfreq", "rfftfreq(n, d=1.0, *, device=None)",
     "The n // 2 + 1 frequencies of rfft's output, in cycles per unit of the sample spacing d.",
     "fft.rfftfreq(4)  # [0.   0.25 0.5 ]", gx_fft_rfftfreq_fn, 0, 0},
    {"fftshift", "fftshift(x, axes=None)",
     "Moves the zero frequency to the middle along all axes or those given.",
     "fft.fftshift([0, 1, 2, 3])  # [2 3 0 1]", gx_fft_fftshift_fn, 0, 0},
    {"ifftshift", "ifftshift(x, axes=None)", "Inverse of fftshift.",
     "fft.ifftshift([2, 3, 0, 1])  # [0 1 2 3]", gx_fft_ifftshift_fn, 0, 0},
    {.name = NULL},
};
