/* scipy.signal's filters: lfilter, lfilter_zi, filtfilt, sosfilt, butter. Coefficients are real;
   signals may be complex, whose two parts are filtered side by side. Lines lie along one axis,
   which is moved to the end first. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "stdlib/np_call_int.h"

extern const gx_native gx_sp_filter_functions[];

/* A quotient of polynomials in 1/z, by the first coefficient of a; n: the longer one's length. */
typedef struct filter {
    double *b, *a;
    int64_t n;
    gx_dtype dtype; /* of both */
} filter;

static const double *coefficients(gx_np *s, gx_borrowed v, int64_t *n, gx_dtype *d) {
    gx_array *p = gx_np_arr1(s, v);
    if (p) *d = gx_promote(*d, (gx_dtype)p->dtype);
    if (p && gx_dtype_kind(p->dtype) == GX_KIND_CPLX) {
        gx_fail(s->rt, GX_TypeError, "filter.complex", "the coefficients of a filter must be real");
        return NULL;
    }
    p = gx_np_contiguous(s, gx_np_cast(s, p, GX_f64));
    if (p && (p->ndim != 1 || !p->count)) {
        gx_fail(s->rt, GX_ValueError, "filter.dims",
                "the coefficients of a filter are an array of one axis with at least one number");
        return NULL;
    }
    if (p) *n = p->count;
    return gx_np_data(s, p);
}

static bool filter_of(gx_np *s, gx_borrowed b, gx_borrowed a, filter *f) {
    int64_t nb = 0, na = 0;
    f->dtype = GX_bool;
    const double *from_b = coefficients(s, b, &nb, &f->dtype), *from_a = NULL;
    if (!from_b || !(from_a = coefficients(s, a, &na, &f->dtype))) return false;
    if (from_a[0] == 0) return gx_fail(s->rt, GX_ValueError, "filter.first", "a[0] must not be 0");
    f->n = nb > na ? nb : na;
    f->b = gx_np_scratch(s, 2 * (size_t)f->n * sizeof(double));
    if (!f->b) return false;
    memset(f->b, 0, 2 * (size_t)f->n * sizeof(double));
    f->a = f->b + f->n;
    for (int64_t i = 0; i < nb; i++) f->b[i] = from_b[i] / from_a[0];
    for (int64_t i = 0; i < na; i++) f->a[i] = from_a[i] / from_a[0];
    return true;
}

/* n numbers in place, every step-th; z holds what the filter remembers, n - 1 numbers. */
static void run(const filter *f, double *x, int64_t n, int64_t step, double *z) {
    int64_t m = f->n - 1;
    for (int64_t i = 0; i < n; i++) {
        double in = x[i * step], y = f->b[0] * in + (m ? z[0] : 0);
        for (int64_t k = 0; k < m; k++)
            z[k] = (k + 1 < m ? z[k + 1] : 0) + f->b[k + 1] * in - f->a[k + 1] * y;
        x[i * step] = y;
    }
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
    bool cplx = gx_dtype_kind(x->dtype) == GX_KIND_CPLX;
    l->axis = axis;
    l->lanes = cplx ? 2 : 1;
    l->dtype = gx_promote((gx_dtype)x->dtype, with);
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
    double *own = gx_np_scratch(s, (size_t)(m + 1) * sizeof *own);
    if (!own) return false;
    for (int64_t i = 0; i < l->count; i++) {
        if (!gx_interrupt_check(s->rt)) return false;
        for (int k = 0; k < l->lanes; k++) {
            double *mine = z + i * m * l->lanes + k;
            for (int64_t j = 0; j < m; j++) own[j] = mine[j * l->lanes];
            run(f, l->data + i * l->n * l->lanes + k, l->n, l->lanes, own);
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
    if (!filter_of(&s, c->argv[0], c->argv[1], &f) || !signal_arg(&s, c, 2, 3, &x, &axis) ||
        !lines_of(&s, x, axis, f.dtype, &l))
        return gx_np_end(&s, false);
    double *z = memory_of(&s, c, 4, &l, f.n - 1, &zi);
    if (!z || !filter_lines(&s, &f, &l, z)) return gx_np_end(&s, false);
    if (!gx_arg_some(c, 4)) return gx_np_give_array(&s, lines_back(&s, &l), out);
    gx_array *const both[2] = {lines_back(&s, &l), gx_np_moveaxis(&s, zi, zi->ndim - 1, l.axis)};
    return gx_np_give_tuple(&s, 2, both, out);
}

static bool lfilter_zi_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    filter f;
    if (!filter_of(&s, c->argv[0], c->argv[1], &f)) return gx_np_end(&s, false);
    int64_t m = f.n - 1;
    gx_array *r = gx_np_empty(&s, GX_f64, 1, &m);
    double *z = gx_np_data_write(&s, r);
    return z && steady(&s, &f, z) ? gx_np_give_array(&s, r, out) : gx_np_end(&s, false);
}

static bool sosfilt_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    lines l;
    gx_array *x, *sos = gx_np_arr(&s, c->argv[0]);
    int axis;
    if (sos && (sos->ndim != 2 || gx_shape(sos)[1] != 6))
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "filter.sos",
                                     "sos array must be shape (n_sections, 6)"));
    gx_dtype given = sos ? (gx_dtype)sos->dtype : GX_f64;
    sos = gx_np_contiguous(&s, gx_np_cast(&s, sos, GX_f64));
    const double *rows = gx_np_data(&s, sos);
    if (!rows || !signal_arg(&s, c, 1, 2, &x, &axis) || !lines_of(&s, x, axis, given, &l))
        return gx_np_end(&s, false);
    double *z = gx_np_scratch(&s, (size_t)(2 * l.lanes * l.count + 1) * sizeof *z);
    for (int64_t i = 0; z && i < gx_shape(sos)[0]; i++, rows += 6) {
        double b[3] = {rows[0], rows[1], rows[2]}, a[3] = {rows[3], rows[4], rows[5]};
        const filter f = {b, a, 3, given};
        if (a[0] != 1)
            return gx_np_end(
                &s, gx_fail(c->rt, GX_ValueError, "filter.sos", "sos[:, 3] should be all ones"));
        memset(z, 0, (size_t)(2 * l.lanes * l.count) * sizeof *z);
        if (!filter_lines(&s, &f, &l, z)) return gx_np_end(&s, false);
    }
    return z ? gx_np_give_array(&s, lines_back(&s, &l), out) : gx_np_end(&s, false);
}

/* --- forwards and backwards --- */

/* A line of one lane with `edge` numbers before and behind: 'o'dd, 'e'ven, 'c'onstant. */
static void extend(const double *x, int64_t n, int64_t step, int64_t edge, char kind, double *to) {
    double first = x[0], last = x[(n - 1) * step];
    for (int64_t i = 0; i < n; i++) to[edge + i] = x[i * step];
    for (int64_t i = 1; i <= edge; i++) {
        double low = kind == 'c' ? first : x[i * step];
        double high = kind == 'c' ? last : x[(n - 1 - i) * step];
        to[edge - i] = kind == 'o' ? 2 * first - low : low;
        to[edge + n - 1 + i] = kind == 'o' ? 2 * last - high : high;
    }
}

static void both_ways(const filter *f, const double *zi, double *x, int64_t n, double *z) {
    for (int way = 0; way < 2; way++) {
        double *from = way ? x + n - 1 : x;
        for (int64_t k = 0; k < f->n - 1; k++) z[k] = zi[k] * *from;
        if (n) run(f, from, n, way ? -1 : 1, z);
    }
}

static bool edge_arg(gx_call *c, const filter *f, int64_t n, char *kind, int64_t *edge) {
    const char *text = "";
    size_t length;
    *kind = 'n';
    *edge = 0;
    if (c->argv[4].tag == GX_NONE) return true;
    if (!gx_arg_str(c, 4, &text, &length)) return false;
    if (strcmp(text, "odd") != 0 && strcmp(text, "even") != 0 && strcmp(text, "constant") != 0)
        return gx_fail(c->rt, GX_ValueError, "filter.padtype",
                       "Unknown value '%s' given to padtype. padtype must be 'even', 'odd', "
                       "'constant', or None.",
                       text);
    *kind = text[0];
    *edge = 3 * f->n;
    if (gx_arg_some(c, 5) && !gx_arg_int(c, 5, edge)) return false;
    if (*edge < 0)
        return gx_fail(c->rt, GX_ValueError, "filter.padlen", "padlen must not be negative");
    return n > *edge || gx_fail(c->rt, GX_ValueError, "filter.padlen",
                                "The length of the input vector x must be greater than padlen, "
                                "which is %lld.",
                                (long long)*edge);
}

static bool filtfilt_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    filter f;
    lines l;
    gx_array *x;
    int axis;
    char kind;
    int64_t edge;
    if (!filter_of(&s, c->argv[0], c->argv[1], &f) || !signal_arg(&s, c, 2, 3, &x, &axis) ||
        !lines_of(&s, x, axis, GX_f64, &l) || !edge_arg(c, &f, l.n, &kind, &edge))
        return gx_np_end(&s, false);
    int64_t wide = l.n + 2 * edge;
    double *line = gx_np_scratch(&s, (size_t)(wide + 2 * f.n) * sizeof *line);
    if (!line || !steady(&s, &f, line + wide)) return gx_np_end(&s, false);
    for (int64_t i = 0; i < l.count * l.lanes; i++) {
        double *at = l.data + i / l.lanes * l.n * l.lanes + i % l.lanes;
        if (!gx_interrupt_check(c->rt)) return gx_np_end(&s, false);
        if (!l.n) continue;
        extend(at, l.n, l.lanes, edge, kind, line);
        both_ways(&f, line + wide, line, wide, line + wide + f.n);
        for (int64_t k = 0; k < l.n; k++) at[k * l.lanes] = line[edge + k];
    }
    return gx_np_give_array(&s, lines_back(&s, &l), out);
}

/* --- Butterworth's filters --- */

enum { MOST_ORDER = 200 };
typedef double complex number;

static number complex_of(double re, double im) {
    const double parts[2] = {re, im};
    number z;
    memcpy(&z, parts, sizeof z);
    return z;
}

typedef struct design {
    int n, zeros, poles; /* the order; how many of each */
    double low, high;    /* edges as angles of the analogue filter */
    bool analog;
    char kind; /* 'l'owpass, 'h'ighpass, 'p' bandpass, 's' bandstop */
    number z[2 * MOST_ORDER], p[2 * MOST_ORDER];
    double gain;
} design;

/* The poles on the unit half circle, then moved to the edges. */
static void analogue(design *d) {
    double wo = d->low, bw = d->high - d->low;
    bool band = d->kind == 'p' || d->kind == 's';
    if (band) wo = sqrt(d->low * d->high);
    d->gain = 1;
    d->zeros = d->kind == 'l' ? 0 : d->kind == 's' ? 2 * d->n : d->n;
    d->poles = band ? 2 * d->n : d->n;
    for (int i = 0; i < d->n; i++) {
        double angle = 3.14159265358979323846 * (2 * i - d->n + 1) / (2 * d->n);
        number p = -complex_of(cos(angle), sin(angle));
        if (!band) {
            d->p[i] = d->kind == 'l' ? wo * p : wo / p;
        } else {
            number half = d->kind == 'p' ? p * (bw / 2) : (bw / 2) / p;
            number root = csqrt(half * half - wo * wo);
            d->p[i] = half + root;
            d->p[i + d->n] = half - root;
        }
        d->z[i] = d->kind == 's' ? complex_of(0, wo) : 0;
        if (d->kind == 's') d->z[i + d->n] = complex_of(0, -wo);
        if (d->kind == 'l') d->gain *= wo;
        if (d->kind == 'p') d->gain *= bw;
    }
}

/* The bilinear transform at a rate of 2. */
static void digital(design *d) {
    number by = d->gain;
    for (int i = 0; i < d->poles; i++) {
        by /= 4 - d->p[i];
        if (i < d->zeros) by *= 4 - d->z[i];
        d->p[i] = (4 + d->p[i]) / (4 - d->p[i]);
        d->z[i] = i < d->zeros ? (4 + d->z[i]) / (4 - d->z[i]) : -1;
    }
    d->zeros = d->poles;
    d->gain = creal(by);
}

static gx_array *numbers(gx_np *s, const number *x, int n) {
    const int64_t count = n;
    gx_array *a = gx_np_empty(s, GX_c128, 1, &count);
    void *to = gx_np_data_write(s, a);
    if (to) memcpy(to, x, (size_t)n * sizeof *x);
    return to ? a : NULL;
}

/* The polynomial with these roots, times a factor; roots come in conjugate pairs. */
static gx_array *polynomial(gx_np *s, const number *roots, int n, double by) {
    const int64_t count = n + 1;
    number c[2 * MOST_ORDER + 1] = {1};
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k > 0; k--) c[k] -= roots[i] * c[k - 1];
    gx_array *a = gx_np_empty(s, GX_f64, 1, &count);
    double *to = gx_np_data_write(s, a);
    for (int i = 0; to && i <= n; i++) to[i] = by * creal(c[i]);
    return to ? a : NULL;
}

static bool kind_arg(gx_call *c, design *d) {
    static const char *const names[] = {"lowpass",  "low",  "highpass", "high",
                                        "bandpass", "band", "bandstop", "stop"};
    const char *text;
    size_t length;
    if (!gx_arg_str(c, 2, &text, &length)) return false;
    for (int i = 0; i < 8; i++)
        if (strcmp(text, names[i]) == 0) {
            d->kind = "lhps"[i / 2];
            return true;
        }
    return gx_fail(c->rt, GX_ValueError, "filter.btype",
                   "'%s' is an invalid bandtype for filter: lowpass, highpass, bandpass or "
                   "bandstop",
                   text);
}

static bool edges_arg(gx_np *s, gx_call *c, design *d) {
    gx_array *w = gx_np_contiguous(s, gx_np_cast(s, gx_np_arr1(s, c->argv[1]), GX_f64));
    const double *at = gx_np_data(s, w);
    double fs = 2, edges[2];
    bool band = d->kind == 'p' || d->kind == 's';
    if (!at || (gx_arg_some(c, 5) && !gx_arg_float(c, 5, &fs))) return false;
    if (w->count != (band ? 2 : 1))
        return gx_fail(c->rt, GX_ValueError, "filter.edges",
                       band ? "Wn must specify start and stop frequencies for bandpass or bandstop "
                              "filter"
                            : "Must specify a single critical frequency Wn for lowpass or highpass "
                              "filter");
    for (int i = 0; i < w->count; i++) {
        double x = d->analog ? at[i] : 2 * at[i] / fs;
        if (!(x > 0) || (!d->analog && !(x < 1)))
            return gx_fail(c->rt, GX_ValueError, "filter.edges",
                           d->analog ? "Filter critical frequencies must be greater than 0"
                                     : "Digital filter critical frequencies must be 0 < Wn < %s",
                           gx_arg_some(c, 5) ? "fs/2" : "1");
        edges[i] = d->analog ? x : 4 * tan(3.14159265358979323846 * x / 2);
    }
    d->low = edges[0];
    d->high = band ? edges[1] : edges[0];
    return !band || d->low < d->high ||
           gx_fail(c->rt, GX_ValueError, "filter.edges", "Wn[0] must be less than Wn[1]");
}

static bool butter_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int64_t n;
    const char *text;
    size_t length;
    design *d = gx_np_scratch(&s, sizeof *d);
    if (!d || !gx_arg_int(c, 0, &n) || !kind_arg(c, d) || !gx_arg_bool(c, 3, &d->analog) ||
        !gx_arg_str(c, 4, &text, &length) || !edges_arg(&s, c, d))
        return gx_np_end(&s, false);
    if (n < 0 || n > MOST_ORDER)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "filter.order",
                                     "the order of a filter is 0 to %d, not %lld", MOST_ORDER,
                                     (long long)n));
    d->n = (int)n;
    analogue(d);
    if (!d->analog) digital(d);
    if (strcmp(text, "zpk") == 0) {
        gx_array *z = numbers(&s, d->z, d->zeros), *p = numbers(&s, d->p, d->poles);
        const gx_value three[3] = {gx_np_value(z), gx_np_value(p), gx_float(d->gain)};
        return gx_np_end(&s, z && p && gx_tuple_new(c->rt, 3, three, out));
    }
    if (strcmp(text, "ba") != 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "filter.output",
                                     "output must be 'ba' or 'zpk', not '%s'", text));
    gx_array *const both[2] = {polynomial(&s, d->z, d->zeros, d->gain),
                               polynomial(&s, d->p, d->poles, 1)};
    return gx_np_give_tuple(&s, 2, both, out);
}

const gx_native gx_sp_filter_functions[] = {
    {"lfilter", "lfilter(b, a, x, axis=-1, zi=None)",
     "A signal filtered by b / a, polynomials in 1/z; with zi also what the filter remembers.",
     "scipy.signal.lfilter([1], [1, -0.5], [1.0, 0, 0])  # [1.   0.5  0.25]", lfilter_fn, 0, 0},
    {"lfilter_zi", "lfilter_zi(b, a)", "What a filter remembers after an endless step of height 1.",
     "scipy.signal.lfilter_zi([1], [1, -0.5])  # [1.]", lfilter_zi_fn, 0, 0},
    {"filtfilt", "filtfilt(b, a, x, axis=-1, padtype='odd', padlen=None)",
     "A signal filtered forwards and backwards, which delays nothing.",
     "scipy.signal.filtfilt([0.5, 0.5], [1], [1.0, 3, 1, 3], padlen=2)  # [1. 2. 2. 3.]",
     filtfilt_fn, 0, 0},
    {"sosfilt", "sosfilt(sos, x, axis=-1)", "A signal filtered by second-order sections.",
     "scipy.signal.sosfilt([[1, 1, 0, 1, 0, 0]], [1.0, 2, 3])  # [1. 3. 5.]", sosfilt_fn, 0, 0},
    {"butter", "butter(N, Wn, btype='low', analog=False, output='ba', fs=None)",
     "Butterworth's filter of order N with the edge Wn, or two: (b, a), or zeros, poles and gain.",
     "scipy.signal.butter(1, 0.5)[0]  # [0.5 0.5]", butter_fn, 0, 0},
    {.name = NULL},
};
