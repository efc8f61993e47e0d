/* scipy.fft beside numpy.fft: cosine and sine transforms of the types 1 to 4 and next_fast_len. All
   eight transforms are one formula, Re(fft(x * before, L)[first : first + n] * after). Its factors
   are turns: numbers made in a loop where they are few, else expressions of positions, computed
   where x is. The transform is numpy.fft's. */
#include <math.h>
#include <string.h>

#include "stdlib/numpy/base/call.h"
#include "stdlib/numpy/object/methods.h"

extern const gx_native gx_sp_fft_functions[];

/* One transform of n numbers. */
typedef struct wave {
    int type; /* 1 … 4 */
    bool sine, inverse, orthogonal;
    char norm; /* 'b'ackward, 'o'rtho, 'f'orward */
    int64_t n, length, first;
} wave;

static const double pi = 3.14159265358979323846;

/* What the first and last numbers are multiplied by, going in and coming out. */
static void ends_of(const wave *w, double in[2], double out[2]) {
    double root = sqrt(2);
    bool ortho = w->orthogonal;
    in[0] = in[1] = out[0] = out[1] = 1;
    if (w->type == 1 && !w->sine) {
        in[0] = in[1] = ortho ? root / 2 : 0.5;
        if (ortho) out[0] = out[1] = 1 / root;
    }
    if (w->type == 2 && ortho) out[w->sine] = 1 / root;
    if (w->type == 3) in[w->sine] = ortho ? root / 2 : 0.5;
}

static double scale_of(const wave *w) {
    double n = (double)w->n, m = 2 * n;
    if (w->type == 1) m = w->sine ? 2 * (n + 1) : 2 * (n - 1);
    if (w->norm == 'o') return 2 / sqrt(m);
    return (w->norm == 'f') != w->inverse ? 2 / m : 2;
}

static gx_array *times(gx_np *s, gx_array *a, gx_array *b) {
    return gx_np_op2(s, GX_OP_multiply, a, b);
}
static gx_array *plus(gx_np *s, gx_array *a, gx_array *b) {
    return gx_np_op2(s, GX_OP_add, a, b);
}
static gx_array *minus(gx_np *s, gx_array *a, gx_array *b) {
    return gx_np_op2(s, GX_OP_subtract, a, b);
}

/* x with its first and last numbers (of n, at positions k) multiplied. */
static gx_array *with_ends(gx_np *s, gx_array *x, gx_array *k, int64_t n, const double ends[2]) {
    for (int i = 0; i < 2; i++) {
        if (ends[i] == 1) continue;
        gx_array *at = gx_np_op2(s, GX_OP_equal, k, gx_np_f64(s, i ? (double)(n - 1) : 0));
        x = times(s, x, gx_np_op3(s, GX_OP_where, at, gx_np_f64(s, ends[i]), gx_np_f64(s, 1)));
    }
    return x;
}

/* The angles after the transform over pi: (step * position + start) / of. */
static void angles_of(const wave *w, double *step, double *start, double *of) {
    const double n = (double)w->n;
    const bool halves = w->type == 4 || (w->type == 3 && w->sine);
    *step = halves ? 2 : w->type == 2 || w->sine ? 1 : 0;
    *start = *step * (double)w->first + halves;
    *of = w->type == 4 ? 4 * n : w->type == 1 ? n + 1 : 2 * n;
}

/* The last axis cut or filled with zeros to n. */
static gx_array *fitted(gx_np *s, gx_array *x, int64_t n) {
    int last = x->ndim - 1;
    int64_t have = gx_shape(x)[last], shape[GX_MAX_DIMS];
    if (n <= have) return gx_np_slice(s, x, last, 0, 1, n);
    memcpy(shape, gx_shape(x), (size_t)x->ndim * sizeof *shape);
    shape[last] = n - have;
    gx_array *const both[2] = {x, gx_np_zeros(s, (gx_dtype)x->dtype, x->ndim, shape)};
    return both[1] ? gx_np_concat(s, 2, both, last, GX_NO_DTYPE) : NULL;
}

enum { FEW = 256 };

static gx_c128 turn(double size, double angle) {
    return (gx_c128){size * cos(angle), size * sin(angle)};
}

/* Few numbers: what each is multiplied by before the transform and after it. */
static bool factors(gx_np *s, const wave *w, gx_array **before, gx_array **after) {
    double in[2], out[2], step, start, of;
    *before = gx_np_empty(s, GX_c128, 1, &w->n);
    *after = gx_np_empty(s, GX_c128, 1, &w->n);
    gx_c128 *x = gx_np_data_write(s, *before), *y = gx_np_data_write(s, *after);
    if (!x || !y) return false;
    ends_of(w, in, out);
    angles_of(w, &step, &start, &of);
    for (int64_t i = 0; i < w->n; i++) {
        const double k = (double)i;
        const bool first = i == 0, last = i == w->n - 1;
        x[i] = turn((first ? in[0] : 1) * (last ? in[1] : 1),
                    w->type > 2 ? -pi * k / (double)(2 * w->n) : 0);
        y[i] = turn(scale_of(w) * (first ? out[0] : 1) * (last ? out[1] : 1),
                    (w->sine ? pi / 2 : 0) - pi * ((step * k + start) / of));
    }
    return true;
}

static gx_array *few_wave(gx_np *s, gx_array *x, const wave *w) {
    gx_array *before, *after;
    if (!x || !factors(s, w, &before, &after)) return NULL;
    gx_array *z = times(s, gx_np_cast(s, x, GX_f64), before);
    const gx_value argv[3] = {gx_np_value(z), gx_int(w->length), gx_int(-1)};
    z = z ? gx_np_call_values(s, "fft.fft", 3, argv) : NULL;
    z = z ? gx_np_slice(s, z, z->ndim - 1, w->first, 1, w->n) : NULL;
    return gx_np_cast(s, gx_np_real(s, times(s, z, after)), (gx_dtype)x->dtype);
}

/* The wanted numbers of the transform of real ones, filled with zeros. */
static gx_array *transformed(gx_np *s, gx_array *x, const wave *w) {
    const gx_value argv[3] = {gx_np_value(x), gx_int(w->length), gx_int(-1)};
    gx_array *z = x ? gx_np_call_values(s, "fft.rfft", 3, argv) : NULL;
    return z ? gx_np_slice(s, z, z->ndim - 1, w->first, 1, w->n) : NULL;
}

static gx_array *imag(gx_np *s, gx_array *z) {
    return gx_np_op1(s, GX_OP_imag, z);
}

/* Along the last axis; x is real. The types 3 and 4 have half a step between their frequencies: x
   is turned before, and its two parts are transformed each. */
static gx_array *real_wave(gx_np *s, gx_array *x, wave *w) {
    double in[2], out[2], step, start, of;
    w->first = w->sine && w->type < 3 ? 1 : 0;
    w->length = w->type == 1 ? (w->sine ? 2 * (w->n + 1) : 2 * (w->n - 1)) : 2 * w->n;
    if (w->n <= FEW) return few_wave(s, x, w);
    ends_of(w, in, out);
    angles_of(w, &step, &start, &of);
    const gx_dtype d = x ? (gx_dtype)x->dtype : GX_f64;
    gx_array *k = gx_np_cast(s, gx_np_iota(s, w->n), GX_f64), *re, *im;
    x = with_ends(s, gx_np_cast(s, x, GX_f64), k, w->n, in);
    if (w->type > 2) {
        gx_array *angle = times(s, k, gx_np_f64(s, pi / (double)(2 * w->n)));
        gx_array *a = transformed(s, times(s, x, gx_np_op1(s, GX_OP_cos, angle)), w);
        gx_array *b = transformed(s, times(s, x, gx_np_op1(s, GX_OP_sin, angle)), w);
        re = plus(s, gx_np_real(s, a), imag(s, b));
        im = minus(s, imag(s, a), gx_np_real(s, b));
    } else {
        gx_array *a = transformed(s, x, w);
        re = gx_np_real(s, a);
        im = imag(s, a);
    }
    if (step != 0) { /* sines are minus the imaginary part: the real one after a quarter turn */
        gx_array *turn = plus(s, times(s, k, gx_np_f64(s, step)), gx_np_f64(s, start));
        turn = times(s, gx_np_f64(s, pi), gx_np_op2(s, GX_OP_divide, turn, gx_np_f64(s, of)));
        turn = minus(s, gx_np_f64(s, w->sine ? pi / 2 : 0), turn);
        re = minus(s, times(s, re, gx_np_op1(s, GX_OP_cos, turn)),
                   times(s, im, gx_np_op1(s, GX_OP_sin, turn)));
    }
    re = with_ends(s, times(s, re, gx_np_f64(s, scale_of(w))), k, w->n, out);
    return gx_np_cast(s, re, d);
}

static gx_array *imag_of(gx_np *s, gx_array *x) {
    const gx_value argv[1] = {gx_np_value(x)};
    return gx_np_call_values(s, "imag", 1, argv);
}

static gx_array *along(gx_np *s, gx_array *a, int axis, int64_t n, wave w) {
    if (n < 1 || (w.type == 1 && !w.sine && n < 2)) {
        gx_fail(s->rt, GX_ValueError, "fft.points",
                "Invalid number of data points (%lld) specified for type %d", (long long)n, w.type);
        return NULL;
    }
    a = gx_np_moveaxis(s, a, axis, a->ndim - 1);
    a = a ? fitted(s, a, n) : NULL;
    if (!a) return NULL;
    w.n = n;
    gx_array *r;
    if (gx_dtype_kind(a->dtype) == GX_KIND_CPLX) {
        gx_array *i = gx_np_cast(s, real_wave(s, imag_of(s, a), &w), (gx_dtype)a->dtype);
        gx_array *quarter = gx_np_op1(s, GX_OP_sqrt, gx_np_cast(s, gx_np_f64(s, -1), GX_c128));
        r = gx_np_op2(s, GX_OP_add, real_wave(s, gx_np_real(s, a), &w),
                      gx_np_op2(s, GX_OP_multiply, i, gx_np_cast(s, quarter, (gx_dtype)a->dtype)));
    } else {
        r = real_wave(s, a, &w);
    }
    return r ? gx_np_moveaxis(s, r, r->ndim - 1, axis) : NULL;
}

/* --- the functions --- */

/* SciPy asks orthogonalize= of real numbers only. */
static bool read_wave(gx_call *c, const gx_array *a, wave *w) {
    int64_t type;
    const char *text = "backward", *name = c->fn->name;
    size_t length;
    w->inverse = name[0] == 'i';
    w->sine = name[w->inverse + 1] == 's';
    if (!gx_arg_int(c, 1, &type) || (gx_arg_some(c, 4) && !gx_arg_str(c, 4, &text, &length)))
        return false;
    if (type < 1 || type > 4)
        return gx_fail(c->rt, GX_ValueError, "fft.type", "type must be 1, 2, 3 or 4, not %lld",
                       (long long)type);
    if (strcmp(text, "backward") != 0 && strcmp(text, "ortho") != 0 && strcmp(text, "forward") != 0)
        return gx_fail(c->rt, GX_ValueError, "fft.norm",
                       "Invalid norm value '%s'; should be \"backward\", \"ortho\" or \"forward\"",
                       text);
    w->norm = text[0];
    w->orthogonal = w->norm == 'o';
    if (gx_dtype_kind(a->dtype) != GX_KIND_CPLX && gx_arg_some(c, 7) &&
        !gx_arg_bool(c, 7, &w->orthogonal))
        return false;
    /* The types 2 and 3 undo each other, 1 and 4 themselves. */
    w->type = (int)(w->inverse && type == 2 ? 3 : w->inverse && type == 3 ? 2 : type);
    return true;
}

static gx_array *operand(gx_np *s, gx_call *c, int least) {
    gx_array *a = gx_np_arr(s, c->argv[0]);
    int64_t workers = 1;
    if (gx_arg_some(c, 6) && !gx_arg_int(c, 6, &workers)) return NULL;
    if (workers == 0) {
        gx_fail(s->rt, GX_ValueError, "fft.workers", "workers must not be zero");
        return NULL;
    }
    if (!a || a->ndim >= least) {
        if (a && gx_is_half(a->dtype)) return gx_np_cast(s, a, GX_f32);
        return a && !gx_np_is_float(a->dtype) ? gx_np_cast(s, a, GX_f64) : a;
    }
    gx_fail(s->rt, GX_ValueError, "fft.dims", "%s needs an array of at least one axis",
            c->fn->name);
    return NULL;
}

/* Where the argument is complex, or had to be converted, the result lies as it does, else in C
   order. */
static gx_array *laid_out(gx_np *s, gx_call *c, gx_array *a, gx_array *r) {
    const gx_array *given = gx_is_array(c->argv[0]) ? gx_as_array(c->argv[0]) : NULL;
    int perm[GX_MAX_DIMS];
    gx_array *turned;
    const bool own = given && given->dtype == a->dtype && gx_dtype_kind(a->dtype) != GX_KIND_CPLX;
    if (!r || !given || own || r->ndim != a->ndim)
        return r ? gx_np_contiguous(s, r) : NULL;
    gx_np_memory_order(given, perm);
    if (!gx_transpose(s->rt, r, perm, &turned)) return NULL;
    return gx_np_laid_back(s, gx_np_contiguous(s, gx_np_own(s, turned)), perm);
}

static bool wave_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = operand(&s, c, 1);
    wave w;
    int axis;
    int64_t n;
    if (!a || !read_wave(c, a, &w) || !gx_np_axis_arg(c, 3, a->ndim, a->ndim - 1, &axis))
        return gx_np_end(&s, false);
    n = gx_shape(a)[axis];
    if (gx_arg_some(c, 2) && !gx_arg_int(c, 2, &n)) return gx_np_end(&s, false);
    return gx_np_give_array(&s, laid_out(&s, c, a, along(&s, a, axis, n, w)), out);
}

static bool many_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = operand(&s, c, 0), *r;
    wave w;
    uint64_t mask;
    const gx_value *sizes = NULL;
    int64_t count = 0, k = 0;
    if (!a || !read_wave(c, a, &w) || !gx_axes(c->rt, c->argv[3], a->ndim, &mask))
        return gx_np_end(&s, false);
    if (gx_arg_some(c, 2)) {
        if (!gx_np_items(&s, c->argv[2], &sizes, &count)) return gx_np_end(&s, false);
        if (count < 0) { /* one size */
            sizes = &c->argv[2];
            count = 1;
        }
        if (!gx_arg_some(c, 3) && count < a->ndim) /* the last axes */
            mask = gx_np_all(a) & ~(gx_np_all(a) >> count);
        if (count != __builtin_popcountll(mask))
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "fft.shape",
                                         "when given, axes and shape arguments have to be of the "
                                         "same length"));
    }
    if (!mask) return gx_np_give_array(&s, gx_np_arr(&s, c->argv[0]), out);
    r = a;
    for (int axis = 0; r && axis < r->ndim; axis++) {
        if (!(mask >> axis & 1)) continue;
        int64_t n = gx_shape(r)[axis];
        if (sizes && gx_as_index(c->rt, sizes[k++], &n) != GX_TRY_YES)
            return gx_np_end(
                &s, gx_failed(&c->rt->error) ? false : gx_arg_wrong(c, 2, "a sequence of sizes"));
        r = along(&s, r, axis, n, w);
    }
    return gx_np_give_array(&s, laid_out(&s, c, a, r), out);
}

/* The least number from `target` on that has no prime factor above 11 (real: above 5). */
static bool next_fast_len_fn(gx_call *c, gx_value *out) {
    static const int primes[] = {2, 3, 5, 7, 11};
    int64_t target;
    bool real;
    if (!gx_arg_int(c, 0, &target) || !gx_arg_bool(c, 1, &real)) return false;
    if (target < 0)
        return gx_fail(c->rt, GX_ValueError, "fft.length", "Target length must be positive");
    if (target > INT64_C(1) << 48)
        return gx_fail(c->rt, GX_ValueError, "fft.length", "Target length is too large");
    for (int64_t n = target;; n++) {
        int64_t rest = n;
        for (int i = 0; n && i < (real ? 3 : 5); i++)
            while (rest % primes[i] == 0) rest /= primes[i];
        if (rest > 1) continue;
        *out = gx_int(n);
        return true;
    }
}

#define ONE "(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, " \
            "orthogonalize=None)"
#define MANY "(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, " \
            "orthogonalize=None)"
const gx_native gx_sp_fft_functions[] = {
    {"dct", "dct" ONE, "Discrete cosine transform (DCT) of a type from 1 to 4 along an axis.",
     "scipy.fft.dct([1, 2, 3]).round(6) + 0  # [12.       -3.464102  0.      ]", wave_fn, 0, 0},
    {"idct", "idct" ONE, "Inverse of dct.", "scipy.fft.idct([12, 0, 0])  # [2. 2. 2.]", wave_fn, 0,
     0},
    {"dst", "dst" ONE, "Discrete sine transform (DST) of a type from 1 to 4 along an axis.",
     "scipy.fft.dst([1, 1, 1]).round(6)  # [4. 0. 2.]", wave_fn, 0, 0},
    {"idst", "idst" ONE, "Inverse of dst.", "scipy.fft.idst([4, 0, 2]).round(6)  # [1. 1. 1.]",
     wave_fn, 0, 0},
    {"dctn", "dctn" MANY, "Discrete cosine transform (DCT) over all axes or those given.",
     "scipy.fft.dctn([[1, 0], [0, 0]])[0]  # [4.         2.82842712]", many_fn, 0, 0},
    {"idctn", "idctn" MANY, "Inverse of dctn.", "scipy.fft.idctn([[16, 0], [0, 0]])[0]  # [1. 1.]",
     many_fn, 0, 0},
    {"dstn", "dstn" MANY, "Discrete sine transform (DST) over all axes or those given.",
     "scipy.fft.dstn([[1, 0], [0, 0]]).shape  # (2, 2)", many_fn, 0, 0},
    {"idstn", "idstn" MANY, "Inverse of dstn.", "scipy.fft.idstn([[1, 0], [0, 0]]).shape  # (2, 2)",
     many_fn, 0, 0},
    {"next_fast_len", "next_fast_len(target, real=False)",
     "The smallest length of at least target that fft transforms fast, a product of small primes.",
     "scipy.fft.next_fast_len(97)  # 98", next_fast_len_fn, 0, 0},
    {.name = NULL},
};
