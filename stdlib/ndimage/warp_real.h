/* How images are resampled by splines of order 0 to 5, an element at a time; see
   kernels/each_side.h. */

enum { GX_WARP_TAPS = 6 };

/* The coefficients near a coordinate of one axis: offsets and weights. */
typedef struct warp_taps {
    bool inside; /* else the result is cval */
    int width;
    int64_t at[GX_WARP_TAPS]; /* -1: cval */
    double weight[GX_WARP_TAPS];
} warp_taps;

/* An axis of n coefficients, `step` elements apart, the first `pad` of them beyond the edge. */
typedef struct warp_axis {
    int order;
    gx_warp_mode mode;
    int64_t n, step, pad;
} warp_axis;

/* A coordinate beyond the ends brought inside as the mode says; below -0.5: it stays outside. */
GX_EACH_FN double warp_inside(double x, int64_t n, gx_warp_mode mode) {
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
            return x < -length ? x + period : (x > -2.220446049250313e-16 ? 1e-15 : -x) - 1;
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
GX_EACH_FN void warp_weights(int order, double x, double *out) {
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

GX_EACH_FN void warp_taps_at(const warp_axis *a, double x, warp_taps *t) {
    const int64_t n = a->n;
    const bool grid = a->mode == GX_WARP_GRID_CONSTANT;
    x += (double)a->pad;
    if (a->mode == GX_WARP_NEAREST) /* the coefficients' edges go on, not the spline's end */
        x = fmax(-8.0, fmin(x, (double)n + 7));
    else
        x = warp_inside(x, n, a->mode);
    t->inside = (x > -1 || grid || a->mode == GX_WARP_NEAREST) && fabs(x) < 4503599627370496.0;
    t->width = a->order + 1;
    if (!t->inside) return;
    double floor_of = a->order % 2 ? floor(x) : floor(x + 0.5);
    int64_t start = (int64_t)floor_of - a->order / 2;
    warp_weights(a->order, x - floor_of + (a->order % 2 ? 0 : 0.5), t->weight);
    if (a->order == 0) t->weight[0] = 1;
    gx_warp_mode edge =
        a->mode == GX_WARP_CONSTANT || a->mode == GX_WARP_WRAP ? GX_WARP_MIRROR : a->mode;
    for (int k = 0; k <= a->order; k++) {
        int64_t at = start + k;
        if (at < 0 || at >= n) at = grid ? -1 : (int64_t)warp_inside((double)at, n, edge);
        t->at[k] = at < 0 || at >= n ? -1 : at * a->step;
    }
}

/* Coordinate k of an axis that stays as it is. */
GX_EACH_FN void warp_tap_still(const warp_axis *a, int64_t k, warp_taps *t) {
    t->inside = true;
    t->width = 1;
    t->at[0] = (k + a->pad) * a->step;
    t->weight[0] = 1;
}

/* The sum over the taps of nd axes, in SciPy's order: numbers halfway between integers round
   alike. `at` has room for nd numbers. */
GX_EACH_FN double warp_sum(const double *x, int nd, const warp_taps *const *t, int *at,
                           double cval) {
    const int last = nd - 1;
    double sum = 0;
    for (int d = 0; d < nd; d++) at[d] = 0;
    for (;;) {
        int64_t far = 0;
        bool known = true;
        for (int d = 0; d < last; d++) {
            known = known && t[d]->at[at[d]] >= 0;
            far += t[d]->at[at[d]];
        }
        for (int k = 0; k < t[last]->width; k++) {
            bool here = known && t[last]->at[k] >= 0;
            double v = here ? x[far + t[last]->at[k]] : cval;
            for (int d = 0; d < last; d++) v *= t[d]->weight[at[d]];
            sum += v * t[last]->weight[k];
        }
        int d = last - 1;
        for (; d >= 0 && ++at[d] == t[d]->width; d--) at[d] = 0;
        if (d < 0) return sum;
    }
}

/* Where coordinate k of an output comes from that depends on its axis alone. */
GX_EACH_FN double warp_scaled(int64_t k, double offset, double scale, bool grid) {
    const double x = (double)k + offset;
    return grid ? (x + 0.5) * scale - 0.5 : x * scale;
}

/* A call as a line of numbers: these, then nd of sizes, of steps, of offsets, of scales and of axes
   that are still, out_nd sizes of the output, and the matrix. */
enum {
    WARP_ORDER, WARP_MODE, WARP_CVAL, WARP_PAD, WARP_GRID, WARP_FORM, WARP_STORED, WARP_LOW,
    WARP_HIGH, WARP_OUT_ND, WARP_COUNT, WARP_HEAD
};
/* How coordinates are given, and what becomes of a value that is stored. */
enum { WARP_BY_AXIS, WARP_BY_MATRIX, WARP_BY_POINTS };
enum { WARP_AS_FLOAT, WARP_AS_INT, WARP_AS_UNSIGNED, WARP_AS_BOOL };

/* Integers are rounded, and cut to the dtype's range. */
GX_EACH_FN double warp_stored(const double *p, double x) {
    const int as = (int)p[WARP_STORED];
    if (as == WARP_AS_FLOAT) return x;
    if (x != x) x = 0;
    if (as == WARP_AS_BOOL) return x >= 1 || x <= -1;
    x = x > 0 ? x + 0.5 : as == WARP_AS_UNSIGNED ? 0 : x - 0.5;
    return x > p[WARP_HIGH] ? p[WARP_HIGH] : x < p[WARP_LOW] ? p[WARP_LOW] : trunc(x);
}

/* Element i of the output of an input of nd axes. Lines: the coefficients, the call, the points. */
GX_EACH_FN inline double warp_value(int64_t i, int nd, const double *const *line, warp_taps *own,
                                    const warp_taps **t, int *at, int64_t *place) {
    const double *p = line[1], *shape = p + WARP_HEAD, *step = shape + nd, *offset = step + nd,
                 *scale = offset + nd, *still = scale + nd, *out_shape = still + nd;
    const int out_nd = (int)p[WARP_OUT_ND], form = (int)p[WARP_FORM];
    const double *matrix = out_shape + out_nd;
    int64_t rest = i;
    for (int d = nd - 1; d >= 0 && form == WARP_BY_AXIS; d--) {
        place[d] = rest % (int64_t)out_shape[d];
        rest /= (int64_t)out_shape[d];
    }
    for (int d = 0; d < nd; d++) {
        const warp_axis a = {(int)p[WARP_ORDER], (gx_warp_mode)(int)p[WARP_MODE],
                             (int64_t)shape[d], (int64_t)step[d], (int64_t)p[WARP_PAD]};
        double x = 0;
        t[d] = &own[d];
        if (form == WARP_BY_POINTS) {
            x = line[2][d * (int64_t)p[WARP_COUNT] + i];
        } else if (form == WARP_BY_AXIS) {
            x = warp_scaled(place[d], offset[d], scale[d], p[WARP_GRID] != 0);
        } else {
            int64_t left = i, before = 1, own_place = 0;
            for (int e = 0; e < out_nd; e++) before *= (int64_t)out_shape[e];
            for (int e = 0; e < out_nd; e++) { /* the host's order of additions */
                before /= (int64_t)out_shape[e];
                const int64_t k = left / before;
                left -= k * before;
                x += (double)k * matrix[d * out_nd + e];
                if (e == d) own_place = k;
            }
            x += offset[d];
            place[d] = own_place;
        }
        if (still[d] != 0) warp_tap_still(&a, place[d], &own[d]);
        else warp_taps_at(&a, x, &own[d]);
        if (!own[d].inside) return p[WARP_CVAL];
    }
    return warp_sum(line[0], nd, t, at, p[WARP_CVAL]);
}

/* One for each number of axes, whose loops over them are then written out. */
#define GX_WARP_OF(nd)                                                                             \
    GX_EACH_FN void warped_##nd(int64_t i, const double *in, double *out,                          \
                                const double *const *line, const int64_t *size) {                  \
        warp_taps own[nd];                                                                         \
        const warp_taps *t[nd];                                                                    \
        int at[nd];                                                                                \
        int64_t place[nd];                                                                         \
        (void)in;                                                                                  \
        (void)size;                                                                                \
        *out = warp_stored(line[1], warp_value(i, nd, line, own, t, at, place));                   \
    }
GX_WARP_OF(1)
GX_WARP_OF(2)
GX_WARP_OF(3)
GX_WARP_OF(4)
