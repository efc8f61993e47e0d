/* scipy.signal's filters: lfilter, lfilter_zi. Where coefficients are real, the two parts
   of a complex signal are filtered side by side. Lines lie along one axis, which is moved to the
   end first. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "runtime/device/work.h"
#include "stdlib/numpy/base/call.h"

extern const gx_native gx_sp_filter_functions[];

/* A quotient of polynomials in 1/z, by the first coefficient of a; n: the longer one's length. */
typedef struct filter {
    double *b, *a;           /* real coefficients */
    double complex *cb, *ca; /* complex ones instead, or NULL */
    int64_t n;
    gx_dtype dtype; /* of both */
    bool alone;     /* a is one number: what went out does not come back */
} filter;

static gx_array *coefficients(gx_np *s, gx_borrowed v) {
    gx_array *p = gx_np_arr1(s, v);
    if (p && (p->ndim != 1 || !p->count)) {
        gx_fail(s->rt, GX_ValueError, "filter.dims",
                "the coefficients of a filter are an array of one axis with at least one number");
        return NULL;
    }
    return p;
}

static bool real_filter(gx_np *s, gx_array *b, gx_array *a, bool lone_zero, filter *f) {
    b = gx_np_contiguous(s, gx_np_cast(s, b, GX_f64));
    a = gx_np_contiguous(s, gx_np_cast(s, a, GX_f64));
    const double *from_b = gx_np_data(s, b), *from_a = from_b ? gx_np_data(s, a) : NULL;
    if (!from_a || !(f->b = gx_np_room(s, 2 * f->n, sizeof *f->b))) return false;
    f->a = f->b + f->n;
    for (int64_t i = 0; i < f->n; i++) {
        f->b[i] = i < b->count ? from_b[i] / from_a[0] : 0;
        f->a[i] = i < a->count ? from_a[i] / from_a[0] : 0;
    }
    return from_a[0] != 0 || lone_zero ||
           gx_fail(s->rt, GX_ValueError, "filter.first", "a[0] must not be 0");
}

static bool complex_filter(gx_np *s, gx_array *b, gx_array *a, bool lone_zero, filter *f) {
    b = gx_np_contiguous(s, gx_np_cast(s, b, GX_c128));
    a = gx_np_contiguous(s, gx_np_cast(s, a, GX_c128));
    const double complex *from_b = gx_np_data(s, b), *from_a = from_b ? gx_np_data(s, a) : NULL;
    if (!from_a || !(f->cb = gx_np_room(s, 2 * f->n, sizeof *f->cb))) return false;
    f->ca = f->cb + f->n;
    for (int64_t i = 0; i < f->n; i++) {
        f->cb[i] = i < b->count ? from_b[i] / from_a[0] : 0;
        f->ca[i] = i < a->count ? from_a[i] / from_a[0] : 0;
    }
    return from_a[0] != 0 || lone_zero ||
           gx_fail(s->rt, GX_ValueError, "filter.first", "a[0] must not be 0");
}

/* divides: a lone zero in a is divided by, as in SciPy; otherwise it is refused. */
static bool filter_of(gx_np *s, gx_borrowed b, gx_borrowed a, bool divides, filter *f) {
    gx_array *pb = coefficients(s, b), *pa = pb ? coefficients(s, a) : NULL;
    if (!pa) return false;
    *f = (filter){.n = pb->count > pa->count ? pb->count : pa->count,
                  .dtype = gx_promote((gx_dtype)pb->dtype, (gx_dtype)pa->dtype),
                  .alone = pa->count == 1};
    divides = divides && f->alone;
    return gx_dtype_kind(f->dtype) == GX_KIND_CPLX ? complex_filter(s, pb, pa, divides, f)
                                                   : real_filter(s, pb, pa, divides, f);
}

/* n numbers in place, every step-th; z holds what the filter remembers, n - 1 numbers. */
static void run_filter(const gx_rt *rt, const filter *f, double *x, int64_t n, int64_t step,
                       double *z) {
    int64_t m = f->n - 1;
    GX_LONG_LOOP(rt, i, 0, n) {
        double in = x[i * step], y = f->b[0] * in + (m ? z[0] : 0);
        if (f->alone) { /* an infinite y times a coefficient of 0 would be nan */
            for (int64_t k = 0; k < m; k++) z[k] = (k + 1 < m ? z[k + 1] : 0) + f->b[k + 1] * in;
            x[i * step] = y;
            continue;
        }
        for (int64_t k = 0; k < m; k++)
            z[k] = (k + 1 < m ? z[k + 1] : 0) + f->b[k + 1] * in - f->a[k + 1] * y;
        x[i * step] = y;
    }
}

/* The same of complex coefficients. */
static void run_complex(const gx_rt *rt, const filter *f, double complex *x, int64_t n,
                        double complex *z) {
    const int64_t m = f->n - 1;
    GX_LONG_LOOP(rt, i, 0, n) {
        const double complex in = x[i], y = f->cb[0] * in + (m ? z[0] : 0);
        for (int64_t k = 0; k < m; k++) {
            z[k] = (k + 1 < m ? z[k + 1] : 0) + f->cb[k + 1] * in;
            if (!f->alone) z[k] -= f->ca[k + 1] * y;
        }
        x[i] = y;
    }
}

static bool steady_complex(gx_np *s, const filter *f, double complex *z) {
    double complex up = 0, down = 0;
    for (int64_t i = 0; i < f->n; i++) {
        up += f->cb[i];
        down += f->ca[i];
    }
    if (down == 0) return gx_fail(s->rt, GX_LinAlgError, "filter.steady", "Singular matrix");
    for (int64_t k = f->n - 2; k >= 0; k--)
        z[k] = (k + 2 < f->n ? z[k + 1] : 0) + f->cb[k + 1] - f->ca[k + 1] * (up / down);
    return true;
}

/* What is remembered after a step of height 1 that has gone on for ever. */
static bool steady(gx_np *s, const filter *f, double *z) {
    double up = 0, down = 0;
    for (int64_t i = 0; i < f->n; i++) {
        up += f->b[i];
        down += f->a[i];
    }
    if (down == 0) return gx_fail(s->rt, GX_LinAlgError, "filter.steady", "Singular matrix");
    for (int64_t k = f->n - 2; k >= 0; k--)
        z[k] = (k + 2 < f->n ? z[k + 1] : 0) + f->b[k + 1] - f->a[k + 1] * (up / down);
    return true;
}

/* Lines of an array in the host's memory: a copy, the axis last. lanes: 2 for complex numbers. */
typedef struct lines {
    gx_array *a;
    double *data;
    int64_t n, count;
    int axis, lanes;
    gx_dtype dtype; /* of the result */
} lines;

static bool lines_of(gx_np *s, gx_array *x, int axis, gx_dtype with, lines *l) {
    if (!x) return false;
    l->dtype = gx_promote((gx_dtype)x->dtype, with);
    const bool cplx = gx_dtype_kind(l->dtype) == GX_KIND_CPLX;
    l->axis = axis;
    l->lanes = cplx ? 2 : 1;
    if (l->dtype != GX_f32 && l->dtype != GX_c64) l->dtype = cplx ? GX_c128 : GX_f64;
    x = gx_np_moveaxis(s, x, axis, x->ndim - 1);
    l->a = gx_np_fresh(s, x, cplx ? GX_c128 : GX_f64);
    l->data = gx_np_data_write(s, l->a);
    if (!l->data) return false;
    l->n = gx_shape(l->a)[l->a->ndim - 1];
    l->count = gx_np_size(l->a->ndim - 1, gx_shape(l->a));
    return true;
}

static gx_array *lines_back(gx_np *s, const lines *l) {
    return gx_np_cast(s, gx_np_moveaxis(s, l->a, l->a->ndim - 1, l->axis), l->dtype);
}

static bool signal_arg(gx_np *s, gx_call *c, int at, int axis_at, gx_array **x, int *axis) {
    *x = gx_np_arr(s, c->argv[at]);
    if (*x && (*x)->ndim == 0)
        return gx_fail(c->rt, GX_ValueError, "filter.dims",
                       "object of too small depth for desired array");
    return *x && gx_np_axis_arg(c, axis_at, (*x)->ndim, (*x)->ndim - 1, axis);
}

/* What each line remembers, from zi or nothing; lines->lanes times n - 1 numbers a line. */
static double *memory_of(gx_np *s, gx_call *c, int at, const lines *l, int64_t m, gx_array **zi) {
    int64_t shape[GX_MAX_DIMS];
    int last = l->a->ndim - 1;
    memcpy(shape, gx_shape(l->a), (size_t)last * sizeof *shape);
    shape[last] = m;
    gx_array *z = NULL;
    if (gx_arg_some(c, at)) {
        z = gx_np_arr(s, c->argv[at]);
        if (z && (z->ndim != l->a->ndim || gx_shape(z)[l->axis] != m)) {
            gx_fail(s->rt, GX_ValueError, "filter.zi",
                    "zi must have the signal's axes, with %lld along the filter's", (long long)m);
            return NULL;
        }
        z = z ? gx_np_broadcast(s, gx_np_moveaxis(s, z, l->axis, last), last + 1, shape) : NULL;
    } else {
        z = gx_np_zeros(s, GX_f64, last + 1, shape);
    }
    *zi = z ? gx_np_fresh(s, z, l->lanes == 2 ? GX_c128 : GX_f64) : NULL;
    return gx_np_data_write(s, *zi);
}

/* A line's lanes are filtered one after the other; z lies as the numbers do. */
static bool filter_lines(gx_np *s, const filter *f, const lines *l, double *z) {
    int64_t m = f->n - 1;
    double *own = gx_np_room(s, m + 1, sizeof *own);
    if (!own) return false;
    for (int64_t i = 0; i < l->count; i++) {
        if (!gx_interrupt_check(s->rt)) return false;
        if (f->cb)
            run_complex(s->rt, f, (double complex *)l->data + i * l->n, l->n,
                        (double complex *)z + i * m);
        for (int k = 0; k < l->lanes && !f->cb; k++) {
            double *mine = z + i * m * l->lanes + k;
            for (int64_t j = 0; j < m; j++) own[j] = mine[j * l->lanes];
            run_filter(s->rt, f, l->data + i * l->n * l->lanes + k, l->n, l->lanes, own);
            for (int64_t j = 0; j < m; j++) mine[j * l->lanes] = own[j];
        }
    }
    return true;
}

static bool lfilter_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    filter f;
    lines l;
    gx_array *x, *zi;
    int axis;
    if (!filter_of(&s, c->argv[0], c->argv[1], true, &f) || !signal_arg(&s, c, 2, 3, &x, &axis))
        return gx_np_end(&s, false);
    gx_dtype with = f.dtype;
    if (gx_arg_some(c, 4)) {
        if (!(zi = gx_np_arr(&s, c->argv[4]))) return gx_np_end(&s, false);
        with = gx_promote(with, (gx_dtype)zi->dtype);
    }
    if (!lines_of(&s, x, axis, with, &l)) return gx_np_end(&s, false);
    if (f.alone && !x->count)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "lfilter.empty",
                                     "a filter without feedback needs a signal of numbers"));
    double *z = memory_of(&s, c, 4, &l, f.n - 1, &zi);
    if (!z || !filter_lines(&s, &f, &l, z)) return gx_np_end(&s, false);
    if (!gx_arg_some(c, 4)) return gx_np_give_array(&s, lines_back(&s, &l), out);
    gx_array *const both[2] = {lines_back(&s, &l), gx_np_moveaxis(&s, zi, zi->ndim - 1, l.axis)};
    return gx_np_give_tuple(&s, 2, both, out);
}

/* The same numbers, which lie in memory from the last one along the axis to the first. */
static gx_array *backwards(gx_np *s, gx_array *a, int axis) {
    if (!a) return NULL;
    const int64_t n = gx_shape(a)[axis];
    a = gx_np_slice(s, a, axis, n - 1, -1, n);
    a = a ? gx_np_copy(s, a, 'C') : NULL;
    return a ? gx_np_slice(s, a, axis, n - 1, -1, n) : NULL;
}

static bool lfilter_zi_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    filter f;
    if (!filter_of(&s, c->argv[0], c->argv[1], false, &f)) return gx_np_end(&s, false);
    int64_t m = f.n - 1;
    gx_array *r = gx_np_empty(&s, f.cb ? GX_c128 : GX_f64, 1, &m);
    void *z = gx_np_data_write(&s, r);
    if (!z || !(f.cb ? steady_complex(&s, &f, z) : steady(&s, &f, z))) return gx_np_end(&s, false);
    if (gx_np_is_float(f.dtype)) r = gx_np_cast(&s, r, f.dtype);
    return gx_np_give_array(&s, backwards(&s, r, 0), out);
}

const gx_native gx_sp_filter_functions[] = {
    {"lfilter", "lfilter(b, a, x, axis=-1, zi=None)",
     "Filters x along an axis by the digital filter b / a; with zi: (filtered signal, final "
     "state).",
     "scipy.signal.lfilter([1], [1, -0.5], [1.0, 0, 0])  # [1.   0.5  0.25]", lfilter_fn, 0, 0},
    {"lfilter_zi", "lfilter_zi(b, a)",
     "State zi for lfilter: that of the steady response to a step of height 1.",
     "scipy.signal.lfilter_zi([1], [1, -0.5])  # [1.]", lfilter_zi_fn, 0, 0},
    {.name = NULL},
};
