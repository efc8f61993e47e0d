/* Resampling: each element of the output is a sum of the spline's coefficients near its place in
   the input. Where the place depends on each axis alone, weights are made once an axis. Rows of the
   output are tasks on the threads. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "stdlib/ndimage/warp_int.h"

enum { PIECE = 1024, MANY = GX_WARP_ORDER + 1 };

/* The coefficients near a coordinate of one axis: offsets and weights. */
typedef struct taps {
    bool inside;      /* else the result is cval */
    int64_t at[MANY]; /* -1: cval */
    double weight[MANY];
} taps;

typedef struct job {
    const gx_warp *w;
    const double *x;
    int64_t shape[GX_MAX_DIMS], step[GX_MAX_DIMS], pad;
    taps *table[GX_MAX_DIMS]; /* by the output's coordinate; NULL: made for each element */
    gx_dtype to;
    char *out;
} job;

/* A coordinate beyond the ends brought inside as the mode says; below -0.5: it stays outside. */
static double inside(double x, int64_t n, gx_warp_mode mode) {
    double length = (double)n, period;
    if (x >= 0 && x <= length - 1) return x;
    switch (mode) {
    case GX_WARP_MIRROR:
        period = 2 * length - 2;
        if (n <= 1) return 0;
        if (x < 0) {
            x = period * trunc(-x / period) + x;
            return x <= 1 - length ? x + period : -x;
        }
        x -= period * trunc(x / period);
        return x >= length ? period - x : x;
    case GX_WARP_REFLECT:
        period = 2 * length;
        if (n <= 1) return 0;
        if (x < 0) {
            if (x < -period) x = period * trunc(-x / period) + x;
            return x < -length ? x + period : (x > -DBL_EPSILON ? 1e-15 : -x) - 1;
        }
        x -= period * trunc(x / period);
        return x >= length ? period - x - 1 : x;
    case GX_WARP_WRAP:
        if (n <= 1) return 0;
        period = length - 1;
        return x < 0 ? x + period * (trunc(-x / period) + 1) : x - period * trunc(x / period);
    case GX_WARP_GRID_WRAP:
        if (n <= 1) return 0;
        return x < 0 ? x + length * (trunc((-1 - x) / length) + 1) : x - length * trunc(x / length);
    case GX_WARP_NEAREST:
        return x < 0 ? 0 : length - 1;
    case GX_WARP_CONSTANT:
        return -1;
    case GX_WARP_GRID_CONSTANT:
        break;
    }
    return x;
}

/* The B-splines of an order at a fraction of a step. */
static void weights(int order, double x, double *out) {
    out[0] = 1;
    for (int j = 1; j <= order; j++) {
        double saved = 0;
        for (int r = 0; r < j; r++) {
            double part = out[r] / j;
            out[r] = saved + ((double)(r + 1) - x) * part;
            saved = (x + (double)(j - r - 1)) * part;
        }
        out[j] = saved;
    }
}

static void taps_at(const job *j, int d, double x, taps *t) {
    const gx_warp *w = j->w;
    int64_t n = j->shape[d];
    bool grid = w->mode == GX_WARP_GRID_CONSTANT;
    x += (double)j->pad;
    if (w->mode == GX_WARP_NEAREST) /* the coefficients' edges go on, not the spline's end */
        x = fmax(-8, fmin(x, (double)n + 7));
    else
        x = inside(x, n, w->mode);
    t->inside = (x > -1 || grid || w->mode == GX_WARP_NEAREST) && fabs(x) < 0x1p52;
    if (!t->inside) return;
    double floor_of = w->order % 2 ? floor(x) : floor(x + 0.5);
    int64_t start = (int64_t)floor_of - w->order / 2;
    weights(w->order, x - floor_of + (w->order % 2 ? 0 : 0.5), t->weight);
    if (w->order == 0) t->weight[0] = 1;
    gx_warp_mode edge =
        w->mode == GX_WARP_CONSTANT || w->mode == GX_WARP_WRAP ? GX_WARP_MIRROR : w->mode;
    for (int k = 0; k <= w->order; k++) {
        int64_t at = start + k;
        if (at < 0 || at >= n) at = grid ? -1 : (int64_t)inside((double)at, n, edge);
        t->at[k] = at < 0 || at >= n ? -1 : at * j->step[d];
    }
}

/* An axis that stays as it is. */
static void tap_still(const job *j, int d, int64_t k, taps *t) {
    t->inside = true;
    t->at[0] = (k + j->pad) * j->step[d];
    t->weight[0] = 1;
}

static int width(const job *j, int d) {
    return j->w->still[d] ? 1 : j->w->order + 1;
}

/* The sum over the taps of all axes, in SciPy's order: numbers halfway between integers round
 * alike. */
static double sum_of(const job *j, const taps *const *t) {
    int last = j->w->nd - 1, at[GX_MAX_DIMS] = {0};
    double sum = 0;
    for (;;) {
        int64_t far = 0;
        bool known = true;
        for (int d = 0; d < last; d++) {
            known = known && t[d]->at[at[d]] >= 0;
            far += t[d]->at[at[d]];
        }
        for (int k = 0; k < width(j, last); k++) {
            bool here = known && t[last]->at[k] >= 0;
            double x = here ? j->x[far + t[last]->at[k]] : j->w->cval;
            for (int d = 0; d < last; d++) x *= t[d]->weight[at[d]];
            sum += x * t[last]->weight[k];
        }
        int d = last - 1;
        for (; d >= 0 && ++at[d] == width(j, d); d--) at[d] = 0;
        if (d < 0) return sum;
    }
}

static double element(const job *j, int64_t i, const int64_t *place) {
    const gx_warp *w = j->w;
    taps own[GX_MAX_DIMS];
    const taps *t[GX_MAX_DIMS];
    for (int d = 0; d < w->nd; d++) {
        t[d] = &own[d];
        if (j->table[d]) {
            t[d] = &j->table[d][place[d]];
        } else if (w->still[d]) {
            tap_still(j, d, place[d], &own[d]);
        } else {
            double x = 0;
            if (w->coordinates) {
                x = w->coordinates[d * w->count + i];
            } else {
                for (int e = 0; e < w->out_nd; e++)
                    x += (double)place[e] * w->matrix[d * w->out_nd + e];
                x += w->offset[d];
            }
            taps_at(j, d, x, &own[d]);
        }
        if (!t[d]->inside) return w->cval;
    }
    return w->nd ? sum_of(j, t) : j->x[0];
}

/* --- storing: integers are rounded, and cut to the dtype's range */

#define PUT_INT(id, type, low, high)                                                               \
    case GX_##id:                                                                                  \
        x = x > 0 ? x + 0.5 : x - 0.5;                                                             \
        ((type *)out)[i] = x > (high) ? (type)(high) : x < (low) ? (type)(low) : (type)x;          \
        return;
#define PUT_UNSIGNED(id, type, high)                                                               \
    case GX_##id:                                                                                  \
        x = x > 0 ? x + 0.5 : 0;                                                                   \
        ((type *)out)[i] = x > (high) ? (type) ~(type)0 : (type)x;                                 \
        return;

static void put_pixel(gx_dtype d, void *out, int64_t i, double x) {
    if (x != x && d != GX_f32 && d != GX_f64) x = 0;
    switch ((int)d) {
        PUT_INT(i8, int8_t, -128.0, 127.0)
        PUT_INT(i16, int16_t, -32768.0, 32767.0)
        PUT_INT(i32, int32_t, -2147483648.0, 2147483647.0)
        PUT_INT(i64, int64_t, -0x1p63, 0x1.fffffffffffffp62)
        PUT_UNSIGNED(u8, uint8_t, 255.0)
        PUT_UNSIGNED(u16, uint16_t, 65535.0)
        PUT_UNSIGNED(u32, uint32_t, 4294967295.0)
        PUT_UNSIGNED(u64, uint64_t, 0x1.fffffffffffffp63)
    case GX_bool:
        ((uint8_t *)out)[i] = x >= 1 || x <= -1;
        return;
    case GX_f32:
        ((float *)out)[i] = (float)x;
        return;
    case GX_f64:
        ((double *)out)[i] = x;
        return;
    default:
        return;
    }
}

static void piece_task(void *arg, int64_t task, int thread) {
    const job *j = arg;
    const gx_warp *w = j->w;
    int64_t i = task * PIECE, end = i + PIECE < w->count ? i + PIECE : w->count;
    int64_t place[GX_MAX_DIMS], rest = i;
    (void)thread;
    for (int d = w->out_nd - 1; d >= 0; d--) {
        place[d] = rest % w->out_shape[d];
        rest /= w->out_shape[d];
    }
    for (; i < end; i++) {
        put_pixel(j->to, j->out, i, element(j, i, place));
        for (int d = w->out_nd - 1; d >= 0 && ++place[d] == w->out_shape[d]; d--) place[d] = 0;
    }
}

/* --- preparation */

/* The input as doubles, continued by `pad` elements where the mode needs it, and filtered. */
static gx_array *coefficients(const gx_warp *w, gx_array *a, int64_t pad) {
    gx_np *s = w->s;
    /* The value beyond the edge has the input's dtype, as SciPy's has. */
    gx_array *beyond = gx_np_cast(s, gx_np_cast(s, gx_np_f64(s, w->cval), a->dtype), GX_f64);
    a = gx_np_fresh(s, a, GX_f64);
    for (int d = 0; pad && a && d < w->nd; d++) {
        int64_t n = gx_shape(a)[d], shape[GX_MAX_DIMS];
        memcpy(shape, gx_shape(a), (size_t)w->nd * sizeof *shape);
        shape[d] = pad;
        gx_array *low = gx_np_slice(s, a, d, 0, 1, 1), *high = gx_np_slice(s, a, d, n - 1, 1, 1);
        if (w->mode == GX_WARP_GRID_CONSTANT) low = high = beyond;
        gx_array *parts[3] = {gx_np_broadcast(s, low, w->nd, shape), a,
                              gx_np_broadcast(s, high, w->nd, shape)};
        a = gx_np_concat(s, 3, parts, d, GX_f64);
    }
    for (int d = 0; a && d < w->nd; d++)
        if (!w->still[d] && !gx_nd_spline(s, a, d, w->order, w->mode)) return NULL;
    return a;
}

/* Weights of one axis, for every coordinate of the output. */
static bool table(job *j, int d) {
    const gx_warp *w = j->w;
    taps *t = gx_np_room(w->s, w->out_shape[d] + 1, sizeof *t);
    if (!t) return false;
    j->table[d] = t;
    for (int64_t k = 0; k < w->out_shape[d]; k++) {
        double x = (double)k + w->offset[d];
        if (w->grid)
            x = (x + 0.5) * w->scale[d] - 0.5;
        else
            x *= w->scale[d];
        if (w->still[d])
            tap_still(j, d, k, &t[k]);
        else
            taps_at(j, d, x, &t[k]);
    }
    return true;
}

gx_array *gx_nd_resample(const gx_warp *w, gx_array *a, gx_dtype to) {
    job j = {.w = w, .to = to};
    bool filter = w->prefilter && w->order > 1;
    if (filter && (w->mode == GX_WARP_NEAREST || w->mode == GX_WARP_GRID_CONSTANT))
        j.pad = GX_WARP_PAD;
    gx_array *out = gx_np_empty(w->s, to, w->out_nd, w->out_shape);
    if (!a || !out || w->count == 0) return a ? out : NULL;
    if (a->count == 0) {
        gx_fail(w->s->rt, GX_ValueError, "ndimage.empty", "an empty image cannot be resampled");
        return NULL;
    }
    a = filter ? coefficients(w, a, j.pad) : gx_np_contiguous(w->s, gx_np_cast(w->s, a, GX_f64));
    j.x = gx_np_data(w->s, a);
    j.out = gx_np_data_write(w->s, out);
    if (!j.x || !j.out) return NULL;
    int64_t step = 1;
    for (int d = w->nd - 1; d >= 0; d--) {
        j.shape[d] = gx_shape(a)[d];
        j.step[d] = step;
        step *= j.shape[d];
    }
    for (int d = 0; !w->coordinates && !w->matrix && d < w->nd; d++)
        if (!table(&j, d)) return NULL;
    return gx_work_long(w->s->rt, (w->count + PIECE - 1) / PIECE, piece_task, &j) ? out : NULL;
}
