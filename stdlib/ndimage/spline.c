/* Coefficients of interpolating splines of order 2 to 5: a recursive filter forwards and backwards
   along each line, once for each pole. Lines are taken in bundles side by side, on the threads; on
   a GPU the recursions are written out as sums, so that all elements are made at once. */
#include <math.h>
#include <string.h>

#include "runtime/op/whole.h"
#include "stdlib/ndimage/warp_int.h"

enum { BUNDLE = 8, TASK = 16384 };

typedef struct job {
    double *data, *memory;
    int64_t n, inner, bundles, blocks, per;
    int poles;
    double pole[2], gain;
    gx_warp_mode mode;
} job;

static int poles_of(int order, double *pole) {
    switch (order) {
    case 2:
        pole[0] = sqrt(8.0) - 3.0;
        return 1;
    case 3:
        pole[0] = sqrt(3.0) - 2.0;
        return 1;
    case 4:
        pole[0] = sqrt(664.0 - sqrt(438976.0)) + sqrt(304.0) - 19.0;
        pole[1] = sqrt(664.0 + sqrt(438976.0)) - sqrt(304.0) - 19.0;
        return 2;
    case 5:
        pole[0] = sqrt(67.5 - sqrt(4436.25)) + sqrt(26.25) - 6.5;
        pole[1] = sqrt(67.5 + sqrt(4436.25)) - sqrt(26.25) - 6.5;
        return 2;
    default:
        return 0;
    }
}

/* The first coefficient of the forward filter, from all elements as the edges continue them; x[i]
   is element i, w apart. */
static double first(const double *x, int64_t n, int64_t w, double z, gx_warp_mode mode) {
    double power = z, sum = x[0];
    if (mode == GX_WARP_GRID_WRAP) {
        for (int64_t i = 1; i < n; i++, power *= z) sum += power * x[(n - i) * w];
        return sum / (1 - power);
    }
    if (mode == GX_WARP_REFLECT || mode == GX_WARP_NEAREST) {
        double last = pow(z, (double)n);
        sum = x[0] + last * x[(n - 1) * w];
        for (int64_t i = 1; i < n; i++, power *= z)
            sum += power * (x[i * w] + last * x[(n - 1 - i) * w]);
        return sum * (z / (1 - last * last)) + x[0];
    }
    double last = pow(z, (double)(n - 1));
    sum = x[0] + last * x[(n - 1) * w];
    for (int64_t i = 1; i < n - 1; i++, power *= z)
        sum += power * (x[i * w] + last * x[(n - 1 - i) * w]);
    return sum / (1 - last * last);
}

/* The last coefficient of the backward filter. */
static double last(const double *x, int64_t n, int64_t w, double z, gx_warp_mode mode) {
    double power = z, end = x[(n - 1) * w];
    if (mode == GX_WARP_GRID_WRAP) {
        for (int64_t i = 0; i < n - 1; i++, power *= z) end += power * x[i * w];
        return end * (z / (power - 1));
    }
    if (mode == GX_WARP_REFLECT || mode == GX_WARP_NEAREST) return end * (z / (z - 1));
    return (z * x[(n - 2) * w] + end) * z / (z * z - 1);
}

static void recursions(const job *j, double *x, int64_t w) {
    int64_t n = j->n;
    for (int64_t p = 0; p < n * w; p++) x[p] *= j->gain;
    for (int k = 0; k < j->poles; k++) {
        double z = j->pole[k];
        for (int64_t q = 0; q < w; q++) x[q] = first(x + q, n, w, z, j->mode);
        for (int64_t p = w; p < n * w; p++) x[p] += z * x[p - w];
        for (int64_t q = 0; q < w; q++) x[(n - 1) * w + q] = last(x + q, n, w, z, j->mode);
        for (int64_t p = (n - 1) * w - 1; p >= 0; p--) x[p] = z * (x[p + w] - x[p]);
    }
}

/* Element i of line q of the array, for the bundle that begins at `base`. */
static void bundle(const job *j, int64_t b, double *x) {
    int64_t outer = b / j->blocks, q = b % j->blocks * BUNDLE, lines = j->inner - q;
    int64_t along = j->inner, aside = 1;
    double *base = j->data + outer * j->n * j->inner + q;
    if (j->inner == 1) { /* of the last axis: neighbouring lines */
        lines = j->bundles - b * BUNDLE;
        base = j->data + b * BUNDLE * j->n;
        along = 1;
        aside = j->n;
    }
    if (lines > BUNDLE) lines = BUNDLE;
    for (int64_t i = 0; i < j->n; i++)
        for (int64_t l = 0; l < lines; l++) x[i * lines + l] = base[i * along + l * aside];
    recursions(j, x, lines);
    for (int64_t i = 0; i < j->n; i++)
        for (int64_t l = 0; l < lines; l++) base[i * along + l * aside] = x[i * lines + l];
}

static void bundles_task(void *arg, int64_t task, int thread) {
    const job *j = arg;
    int64_t all = j->inner == 1 ? (j->bundles + BUNDLE - 1) / BUNDLE : j->bundles;
    for (int64_t b = task * j->per; b < all && b < (task + 1) * j->per; b++)
        bundle(j, b, j->memory + thread * j->n * BUNDLE);
}

/* In place, on the host. */
static bool spline_here(gx_np *s, gx_array *a, int axis, int order, gx_warp_mode mode) {
    job j = {.n = gx_shape(a)[axis], .inner = 1, .gain = 1, .mode = mode};
    int64_t outer = 1;
    j.poles = poles_of(order, j.pole);
    if (j.poles == 0 || j.n < 2 || a->count == 0) return true;
    for (int k = 0; k < j.poles; k++) j.gain *= (1 - j.pole[k]) * (1 - 1 / j.pole[k]);
    for (int d = 0; d < a->ndim; d++) {
        if (d < axis) outer *= gx_shape(a)[d];
        if (d > axis) j.inner *= gx_shape(a)[d];
    }
    j.blocks = (j.inner + BUNDLE - 1) / BUNDLE;
    j.bundles = j.inner == 1 ? outer : outer * j.blocks; /* inner 1: lines */
    j.per = 1 + TASK / (j.n * BUNDLE);
    int64_t all = j.inner == 1 ? (outer + BUNDLE - 1) / BUNDLE : j.bundles;
    j.data = gx_np_data_write(s, a);
    j.memory = gx_np_scratch(s, (size_t)(gx_work_threads(s->rt) * j.n * BUNDLE) * sizeof(double));
    if (!j.data || !j.memory) return false;
    return gx_work_long(s->rt, (all + j.per - 1) / j.per, bundles_task, &j);
}

/* --- on a GPU --- */

/* The two recursions of a pole are one sum of all elements, as the edges continue them, with
   weights z^|k|: a filter of as many taps as doubles can tell from 0. */
static gx_array *one_pole(gx_np *s, gx_array *a, int axis, double z, gx_filter_edge edge) {
    enum { MOST = 256 };
    const int far = (int)ceil(log(0x1p-60) / log(fabs(z)));
    double weights[2 * MOST + 1];
    gx_array *r = a ? gx_np_empty_near(s, a, GX_f64, a->ndim, gx_shape(a)) : NULL;
    if (!r) return NULL;
    for (int k = 0; k <= far && k <= MOST; k++)
        weights[far + k] = weights[far - k] = (1 - z) / (1 + z) * pow(z, k);
    gx_filter f = {.kind = GX_FILTER_WEIGHTS, .edge = edge, .outer = 1, .inner = 1, .symmetry = 1,
                   .n = gx_shape(a)[axis], .size = 2 * far + 1, .before = far, .weights = weights};
    for (int d = 0; d < a->ndim; d++) {
        if (d < axis) f.outer *= gx_shape(a)[d];
        if (d > axis) f.inner *= gx_shape(a)[d];
    }
    return gx_array_filter(s->rt, a, &f, r) ? r : NULL;
}

static gx_array *spline_there(gx_np *s, gx_array *a, int axis, int order, gx_warp_mode mode) {
    double pole[2];
    const int poles = poles_of(order, pole);
    const gx_filter_edge edge = mode == GX_WARP_GRID_WRAP ? GX_EDGE_WRAP
                                : mode == GX_WARP_REFLECT || mode == GX_WARP_NEAREST
                                    ? GX_EDGE_REFLECT
                                    : GX_EDGE_MIRROR;
    if (gx_shape(a)[axis] < 2) return a;
    for (int k = 0; a && k < poles; k++) a = one_pole(s, a, axis, pole[k], edge);
    return a;
}

gx_array *gx_nd_splines(gx_np *s, gx_array *a, int axis, const bool *still, int order,
                        gx_warp_mode mode) {
    const bool there = a && gx_array_is_away(s->rt, a);
    a = there ? gx_np_contiguous(s, gx_np_cast(s, a, GX_f64)) : gx_np_fresh(s, a, GX_f64);
    for (int d = 0; a && a->count > 0 && d < a->ndim; d++) {
        if ((axis >= 0 && d != axis) || (still && still[d])) continue;
        if (there) a = spline_there(s, a, d, order, mode);
        else if (!spline_here(s, a, d, order, mode)) return NULL;
    }
    return a;
}
