/* Fourier transforms of arrays on a GPU. Neighbouring axes, up to three, are one transform of the
   library, which reads a longer axis only as far as it is wanted; a shorter one is filled up with
   zeros first. Axes with many arrays before them and elements behind them are moved to the end.
   Lengths of 1 are only cut. Nothing here waits for the GPU. */
#include <string.h>

#include "stdlib/fft/fft_int.h"

/* MANY: runs of a plan, one for each of the outer arrays, before the axes are moved instead.
   FAR: points from which lines whose elements are apart take longer than two copies. */
enum { MANY = 16, FAR = 8192 };

/* One transform of the library: axes first … first + rank - 1. */
typedef struct group {
    gx_fft_kind kind;
    int first, rank;
    int64_t n[GX_FOURIER_AXES]; /* points of each axis */
    double scale;
} group;

static gx_dtype complex_of(const gx_array *a) {
    return a->dtype == GX_f32 || a->dtype == GX_c64 ? GX_c64 : GX_c128;
}

/* How many elements of the k-th axis of a group are read. */
static int64_t wanted(const group *g, int k) {
    return g->kind == GX_FFT_REAL_OUT && k == g->rank - 1 ? g->n[k] / 2 + 1 : g->n[k];
}

/* Axes shorter than wanted, followed by zeros; then the others are cut, too. */
static gx_array *padded(gx_np *s, gx_array *x, const group *g) {
    int64_t shape[GX_MAX_DIMS];
    bool shorter = false;
    memcpy(shape, gx_shape(x), x->ndim * sizeof *shape);
    for (int k = 0; k < g->rank; k++) {
        shape[g->first + k] = wanted(g, k);
        shorter = shorter || gx_shape(x)[g->first + k] < wanted(g, k);
    }
    if (!shorter) return x;
    gx_array *r = gx_np_copy(s, gx_np_zeros(s, (gx_dtype)x->dtype, x->ndim, shape), 'C'), *to = r;
    for (int k = 0; to && x && k < g->rank; k++) {
        int axis = g->first + k;
        int64_t n = gx_shape(x)[axis] < shape[axis] ? gx_shape(x)[axis] : shape[axis];
        to = gx_np_slice(s, to, axis, 0, 1, n);
        x = gx_np_slice(s, x, axis, 0, 1, n);
    }
    return to && x && gx_array_store(s->rt, to, x) ? r : NULL;
}

static gx_array *run_group(const gx_fft_many *m, gx_array *x, const group *g,
                           const gx_array *given) {
    gx_np *s = m->s;
    x = gx_np_contiguous(s, x);
    if (x && given && g->kind == GX_FFT_REAL_OUT && x->storage == given->storage)
        x = gx_np_copy(s, x, 'C');
    if (!x) return NULL;
    gx_fourier job = {.inverse = m->inverse, .scale = g->scale, .rank = g->rank};
    int64_t shape[GX_MAX_DIMS];
    gx_array *r;
    job.from = (uint8_t)x->dtype;
    job.outer = job.inner = 1;
    memcpy(shape, gx_shape(x), x->ndim * sizeof *shape);
    for (int i = 0; i < x->ndim; i++) {
        int k = i - g->first;
        if (k < 0) job.outer *= shape[i];
        if (k >= g->rank) job.inner *= shape[i];
        if (k < 0 || k >= g->rank) continue;
        job.n[k] = job.out_shape[k] = g->n[k];
        job.in_shape[k] = shape[i];
        if (g->kind == GX_FFT_REAL_IN && k == g->rank - 1) job.out_shape[k] = g->n[k] / 2 + 1;
        shape[i] = job.out_shape[k];
    }
    job.to = (uint8_t)(g->kind == GX_FFT_REAL_OUT ? gx_real_dtype((gx_dtype)x->dtype)
                                                  : complex_of(x));
    return gx_array_fourier(s->rt, x, &job, x->ndim, shape, &r) ? gx_np_own(s, r) : NULL;
}

/* Can the library read and write where the elements of a group are apart? The lines of real numbers
   of each run have to begin where complex ones may. */
static bool works_apart(const group *g, const gx_array *x, int64_t outer, int64_t inner) {
    const int last = g->rank - 1;
    int64_t real = g->kind == GX_FFT_REAL_IN    ? gx_shape(x)[g->first + last]
                   : g->kind == GX_FFT_REAL_OUT ? g->n[last]
                                                : 0;
    for (int k = 0; k < last; k++)
        real *= g->kind == GX_FFT_REAL_IN ? gx_shape(x)[g->first + k] : g->n[k];
    if (g->rank == 1 && g->n[0] >= FAR) return false;
    return outer == 1 || (outer <= MANY && real * inner % 2 == 0);
}

/* A group, its axes moved to the end for the while where that is better. */
static gx_array *transform(const gx_fft_many *m, gx_array *x, group g, const gx_array *given) {
    gx_np *s = m->s;
    int64_t outer = 1, inner = 1;
    x = padded(s, x, &g);
    if (!x) return NULL;
    const int last = x->ndim - 1, from = g.first, ends = g.first + g.rank;
    for (int i = 0; i < from; i++) outer *= gx_shape(x)[i];
    for (int i = ends; i <= last; i++) inner *= gx_shape(x)[i];
    if (inner == 1 || works_apart(&g, x, outer, inner)) return run_group(m, x, &g, given);
    for (int k = 0; k < g.rank; k++) x = gx_np_moveaxis(s, x, from, last);
    g.first = last + 1 - g.rank;
    x = run_group(m, x, &g, given);
    for (int k = 0; k < g.rank; k++) x = gx_np_moveaxis(s, x, last, from);
    return gx_np_contiguous(s, x);
}

/* The listed axes as one group where they are neighbours, few, and (`ordered`) the last is the
   last. */
static bool as_group(int count, const int *axes, const int64_t *n, bool ordered, group *g) {
    uint64_t mask = 0;
    if (count < 1 || count > GX_FOURIER_AXES) return false;
    g->first = axes[0];
    g->rank = count;
    for (int i = 0; i < count; i++) {
        if (mask >> axes[i] & 1) return false;
        mask |= UINT64_C(1) << axes[i];
        if (axes[i] < g->first) g->first = axes[i];
    }
    if (mask >> g->first != (UINT64_C(1) << count) - 1) return false;
    if (ordered && axes[count - 1] != g->first + count - 1) return false;
    for (int i = 0; i < count; i++) g->n[axes[i] - g->first] = n[i];
    return true;
}

/* Transforms of complex numbers along the listed axes. */
static gx_array *complex_axes(const gx_fft_many *m, gx_array *x, int count, const int *axes,
                              const int64_t *n, double scale, bool backwards) {
    group g = {.kind = GX_FFT_COMPLEX, .scale = scale};
    if (as_group(count, axes, n, false, &g)) return transform(m, x, g, NULL);
    for (int k = 0; k < count; k++) {
        int i = backwards ? count - 1 - k : k;
        g = (group){.kind = GX_FFT_COMPLEX, .first = axes[i], .rank = 1, .n = {n[i]},
                    .scale = k == count - 1 ? scale : 1};
        x = transform(m, x, g, NULL);
    }
    return x;
}

/* Cuts the axes of length 1 and takes them off the list. */
static gx_array *without_ones(const gx_fft_many *m, gx_array *x, int *count, int *axes,
                              int64_t *n, bool *real_side) {
    int kept = 0;
    *real_side = m->kind != GX_FFT_COMPLEX;
    for (int i = 0; i < m->count && x; i++) {
        axes[kept] = m->axes[i];
        n[kept] = m->n[i];
        if (n[kept] != 1) {
            kept++;
            continue;
        }
        if (i == m->count - 1) *real_side = false;
        group g = {.kind = GX_FFT_COMPLEX, .first = axes[kept], .rank = 1, .n = {1}};
        x = padded(m->s, x, &g);
        x = x ? gx_np_slice(m->s, x, axes[kept], 0, 1, 1) : NULL;
    }
    *count = kept;
    return x;
}

gx_array *gx_fft_device(const gx_fft_many *m, gx_array *x, const gx_array *given) {
    gx_np *s = m->s;
    int axes[GX_MAX_DIMS], count;
    int64_t n[GX_MAX_DIMS];
    bool real_side;
    double scale = m->scale;
    x = without_ones(m, x, &count, axes, n, &real_side);
    if (!x) return NULL;
    group g = {.scale = scale};
    if (!real_side) {
        const gx_dtype d = complex_of(x);
        if (count) x = complex_axes(m, gx_np_cast(s, x, d), count, axes, n, scale, true);
        if (x && m->kind == GX_FFT_REAL_OUT) x = gx_np_real(s, x);
        else x = gx_np_cast(s, x, d);
        if (count || !x) return x ? gx_np_copy(s, x, 'C') : NULL;
        return gx_np_op2(s, GX_OP_multiply, x, gx_np_weak(s, (gx_dtype)x->dtype, scale));
    }
    const int last = count - 1;
    if (m->kind == GX_FFT_REAL_IN) {
        g.kind = GX_FFT_REAL_IN;
        if (as_group(count, axes, n, true, &g)) return transform(m, x, g, NULL);
        g = (group){.kind = GX_FFT_REAL_IN, .first = axes[last], .rank = 1, .n = {n[last]},
                    .scale = 1};
        return complex_axes(m, transform(m, x, g, NULL), last, axes, n, scale, true);
    }
    /* What makes the halved side's first numbers complex is left out, as NumPy does: after the
       other axes. */
    if (last > 0) {
        x = complex_axes(m, x, last, axes, n, 1, false);
        given = NULL;
    }
    g = (group){.kind = GX_FFT_REAL_OUT, .first = axes[last], .rank = 1, .n = {n[last]},
                .scale = scale};
    return x ? transform(m, x, g, given) : NULL;
}
