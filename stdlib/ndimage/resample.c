/* Resampling: each element of the output is a sum of the spline's coefficients near its place in
   the input. Where the place depends on each axis alone, weights are made once an axis. Rows of the
   output are tasks on the threads. */
#include <math.h>
#include <string.h>

#include "kernels/each_side.h"
#include "runtime/op/whole.h"
#include "stdlib/numpy/base/each.h"
#include "stdlib/ndimage/ndimage_text_int.h"
#include "stdlib/ndimage/warp_int.h"

#include "stdlib/ndimage/warp_real.h"

enum { PIECE = 1024 };

typedef struct job {
    const gx_warp *w;
    const double *x, *points;
    warp_axis axis[GX_MAX_DIMS];
    int64_t pad;
    warp_taps *table[GX_MAX_DIMS]; /* by the output's coordinate; NULL: made for each element */
    gx_dtype to;
    char *out;
} job;

static double element(const job *j, int64_t i, const int64_t *place) {
    const gx_warp *w = j->w;
    warp_taps own[GX_MAX_DIMS];
    const warp_taps *t[GX_MAX_DIMS];
    int at[GX_MAX_DIMS];
    for (int d = 0; d < w->nd; d++) {
        t[d] = &own[d];
        if (j->table[d]) {
            t[d] = &j->table[d][place[d]];
        } else if (w->still[d]) {
            warp_tap_still(&j->axis[d], place[d], &own[d]);
        } else {
            double x = 0;
            if (j->points) {
                x = j->points[d * w->count + i];
            } else {
                for (int e = 0; e < w->out_nd; e++)
                    x += (double)place[e] * w->matrix[d * w->out_nd + e];
                x += w->offset[d];
            }
            warp_taps_at(&j->axis[d], x, &own[d]);
        }
        if (!t[d]->inside) return w->cval;
    }
    return w->nd ? warp_sum(j->x, w->nd, t, at, w->cval) : j->x[0];
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
    a = gx_np_cast(s, a, GX_f64);
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
    return gx_nd_splines(s, a, -1, w->still, w->order, w->mode);
}

/* Weights of one axis, for every coordinate of the output. */
static bool table(job *j, int d) {
    const gx_warp *w = j->w;
    warp_taps *t = gx_np_room(w->s, w->out_shape[d] + 1, sizeof *t);
    if (!t) return false;
    j->table[d] = t;
    for (int64_t k = 0; k < w->out_shape[d]; k++) {
        const double x = warp_scaled(k, w->offset[d], w->scale[d], w->grid);
        if (w->still[d])
            warp_tap_still(&j->axis[d], k, &t[k]);
        else
            warp_taps_at(&j->axis[d], x, &t[k]);
    }
    return true;
}

/* --- on a GPU */

static const char *const texts[] = {gx_ndimage_text_warp_mode, gx_ndimage_text_warp_real, NULL};
const gx_each_function gx_ndimage_warped[GX_WARP_AXES] = {{NULL, "warped_1", texts, warped_1},
                                                          {NULL, "warped_2", texts, warped_2},
                                                          {NULL, "warped_3", texts, warped_3},
                                                          {NULL, "warped_4", texts, warped_4}};

/* Has a GPU the image or the points, and the function? Not all of uint64 fit into a double. */
static bool is_there(const gx_warp *w, gx_array *a, gx_dtype to) {
    gx_array *const both[2] = {a, w->points};
    return w->nd >= 1 && w->nd <= GX_WARP_AXES && to != GX_u64 &&
           gx_array_looks(w->s->rt, &gx_ndimage_warped[w->nd - 1], w->points ? 2 : 1, both);
}

/* What becomes of values of the dtype. */
static void set_stored(double *p, gx_dtype to) {
    const int bits = 8 * (int)gx_dtypes[to].bytes;
    const gx_dkind kind = gx_dtype_kind(to);
    p[WARP_STORED] = kind == GX_KIND_FLOAT  ? WARP_AS_FLOAT
                     : kind == GX_KIND_BOOL ? WARP_AS_BOOL
                     : kind == GX_KIND_UINT ? WARP_AS_UNSIGNED
                                            : WARP_AS_INT;
    p[WARP_LOW] = kind == GX_KIND_UINT ? 0 : -ldexp(1, bits - 1);
    p[WARP_HIGH] = kind == GX_KIND_UINT ? ldexp(1, bits) - 1
                   : bits == 64         ? 0x1.fffffffffffffp62
                                        : ldexp(1, bits - 1) - 1;
}

/* The call as a line of numbers, and the points where it has any. */
static gx_array *call_of(const job *j) {
    const gx_warp *w = j->w;
    const int nd = w->nd;
    const int64_t n = WARP_HEAD + 5 * nd + w->out_nd + (w->matrix ? nd * w->out_nd : 0);
    gx_array *line = gx_np_empty(w->s, GX_f64, 1, &n);
    double *p = gx_np_data_write(w->s, line);
    if (!p) return NULL;
    p[WARP_ORDER] = w->order;
    p[WARP_MODE] = w->mode;
    p[WARP_CVAL] = w->cval;
    p[WARP_PAD] = (double)j->pad;
    p[WARP_GRID] = w->grid;
    p[WARP_FORM] = w->points ? WARP_BY_POINTS : w->matrix ? WARP_BY_MATRIX : WARP_BY_AXIS;
    p[WARP_OUT_ND] = w->out_nd;
    p[WARP_COUNT] = (double)w->count;
    set_stored(p, j->to);
    double *q = p + WARP_HEAD;
    for (int d = 0; d < nd; d++, q++) {
        q[0] = (double)j->axis[d].n;
        q[nd] = (double)j->axis[d].step;
        q[2 * nd] = w->offset[d];
        q[3 * nd] = w->scale[d];
        q[4 * nd] = w->still[d];
    }
    for (int d = 0; d < w->out_nd; d++) q[4 * nd + d] = (double)w->out_shape[d];
    q += 4 * nd + w->out_nd;
    for (int e = 0; w->matrix && e < nd * w->out_nd; e++) q[e] = w->matrix[e];
    return line;
}

static gx_array *resample_there(const job *j, gx_array *a) {
    const gx_warp *w = j->w;
    gx_array *lines[3] = {a, call_of(j), w->points}, *r;
    const gx_each_function *f = &gx_ndimage_warped[w->nd - 1];
    if (!lines[1] || !gx_array_look(w->s->rt, f, NULL, w->points ? 3 : 2, lines, w->out_nd,
                                    w->out_shape, &r))
        return NULL;
    return gx_np_cast(w->s, gx_np_own(w->s, r), j->to);
}

/* --- */

gx_array *gx_nd_resample(const gx_warp *w, gx_array *a, gx_dtype to) {
    job j = {.w = w, .to = to};
    bool filter = w->prefilter && w->order > 1;
    if (filter && (w->mode == GX_WARP_NEAREST || w->mode == GX_WARP_GRID_CONSTANT))
        j.pad = GX_WARP_PAD;
    if (!a) return NULL;
    if (w->count == 0) return gx_np_empty(w->s, to, w->out_nd, w->out_shape);
    if (a->count == 0) {
        gx_fail(w->s->rt, GX_ValueError, "ndimage.empty", "an empty image cannot be resampled");
        return NULL;
    }
    const bool there = is_there(w, a, to);
    a = filter ? coefficients(w, a, j.pad) : gx_np_contiguous(w->s, gx_np_cast(w->s, a, GX_f64));
    int64_t step = 1;
    for (int d = w->nd - 1; a && d >= 0; d--) {
        j.axis[d] = (warp_axis){w->order, w->mode, gx_shape(a)[d], step, j.pad};
        step *= gx_shape(a)[d];
    }
    if (a && there) return resample_there(&j, a);
    gx_array *out = gx_np_empty(w->s, to, w->out_nd, w->out_shape);
    j.x = gx_np_data(w->s, a);
    j.out = gx_np_data_write(w->s, out);
    if (w->points) j.points = gx_np_data(w->s, w->points);
    if (!j.x || !j.out || (w->points && !j.points)) return NULL;
    for (int d = 0; !w->points && !w->matrix && d < w->nd; d++)
        if (!table(&j, d)) return NULL;
    return gx_work_long(w->s->rt, (w->count + PIECE - 1) / PIECE, piece_task, &j) ? out : NULL;
}
