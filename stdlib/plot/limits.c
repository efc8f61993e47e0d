/* What part of the plane axes show: all their marks and a margin, unless the script said; and where
   in it a value lies. */
#include <math.h>

#include "stdlib/plot/plot_int.h"

typedef struct extent {
    double low, high;
    bool log, floor_sticky, ceiling_sticky, tight;
} extent;

static void include(extent *e, double v) {
    if (!isfinite(v) || (e->log && v <= 0)) return;
    if (v < e->low) e->low = v;
    if (v > e->high) e->high = v;
}

static void include_all(extent *e, const double *v, int64_t n) {
    for (int64_t i = 0; v && i < n; i++) include(e, v[i]);
}

/* Bars stand on their base: no margin there. */
static void include_base(extent *e, const gx_mark *m, int axis) {
    const double *base = axis ? m->y : m->x;
    bool along = m->upright ? axis == 1 : axis == 0;
    if (!m->sticky || !along) return;
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < m->n; i++) {
        if (base[i] < low) low = base[i];
        if (base[i] > high) high = base[i];
    }
    if (low <= e->low) e->floor_sticky = true;
    if (high >= e->high) e->ceiling_sticky = true;
}

static void include_mark(extent *e, const gx_mark *m, int axis) {
    if (axis ? m->hidden_y : m->hidden_x) return;
    if (m->whole) {
        include_all(e, m->extent + 2 * axis, 2);
        e->tight = true;
    }
    include_all(e, axis ? m->y : m->x, m->n);
    if (m->kind == GX_MARK_AREA ? axis == 1 : true) include_all(e, axis ? m->y2 : m->x2, m->n);
    if (m->kind == GX_MARK_IMAGE) e->tight = true;
}

void gx_axes_limits(const gx_panel *ax, int axis, double *low, double *high) {
    const gx_scale *s = &ax->scale[axis];
    extent e = {.low = INFINITY, .high = -INFINITY, .log = s->log};
    for (size_t i = 0; i < ax->marks.count; i++) include_mark(&e, ax->marks.items[i], axis);
    for (size_t i = 0; i < ax->marks.count; i++) include_base(&e, ax->marks.items[i], axis);
    if (!(e.low <= e.high)) {
        e.low = s->log ? 1 : 0;
        e.high = s->log ? 10 : 1;
        e.tight = true;
    } else if (e.low == e.high) {
        double by = s->log ? 1 : fabs(e.low) > 0 ? fabs(e.low) * 0.05 : 0.05;
        e.low = s->log ? e.low / 10 : e.low - by;
        e.high = s->log ? e.high * 10 : e.high + by;
    } else if (!e.tight) {
        double a = s->log ? log10(e.low) : e.low, b = s->log ? log10(e.high) : e.high;
        double by = (b - a) * 0.05;
        if (!e.floor_sticky) e.low = s->log ? pow(10, a - by) : a - by;
        if (!e.ceiling_sticky) e.high = s->log ? pow(10, b + by) : b + by;
    }
    if (s->low_given && (!s->log || s->low > 0)) e.low = s->low;
    if (s->high_given && (!s->log || s->high > 0)) e.high = s->high;
    if (e.low > e.high) {
        double t = e.low;
        e.low = e.high;
        e.high = t;
    }
    /* Spans below what doubles can tell apart, or beyond their range. */
    if (!(e.high - e.low > 1e-12 * fmax(fabs(e.low), fabs(e.high)))) {
        double by = fmax(fabs(e.low), fabs(e.high)) * 1e-9;
        e.low -= by > 0 ? by : 0.5;
        e.high += by > 0 ? by : 0.5;
    }
    if (!isfinite(e.high - e.low)) {
        e.low /= 4;
        e.high /= 4;
    }
    *low = e.low;
    *high = e.high;
}

double gx_scale_place(const gx_scale *s, double low, double high, double v) {
    double t;
    if (s->log)
        t = v > 0 ? (log10(v) - log10(low)) / (log10(high) - log10(low)) : NAN;
    else
        t = (v - low) / (high - low);
    if (s->inverted) t = 1 - t;
    return t;
}

static gx_rgba value_color(const gx_raster_data *im, double v) {
    if (isnan(v)) return (gx_rgba){0, 0, 0, 0};
    double span = im->high - im->low;
    return gx_color_map_at(im->map, span > 0 ? (v - im->low) / span : 0.5);
}

/* Between the middles of the four values around a place. */
static gx_rgba smooth_at(const gx_raster_data *im, double row, double col) {
    double r = fmin(fmax(row - 0.5, 0), (double)im->rows - 1);
    double c = fmin(fmax(col - 0.5, 0), (double)im->columns - 1);
    int64_t r0 = (int64_t)r, c0 = (int64_t)c;
    int64_t r1 = r0 + 1 < im->rows ? r0 + 1 : r0, c1 = c0 + 1 < im->columns ? c0 + 1 : c0;
    if (im->lower) {
        r0 = im->rows - 1 - r0;
        r1 = im->rows - 1 - r1;
    }
    double fr = r - floor(r), fc = c - floor(c);
    const float *v = im->values;
    double top = v[r0 * im->columns + c0] * (1 - fc) + v[r0 * im->columns + c1] * fc;
    double bottom = v[r1 * im->columns + c0] * (1 - fc) + v[r1 * im->columns + c1] * fc;
    return value_color(im, top * (1 - fr) + bottom * fr);
}

gx_rgba gx_image_at(const gx_raster_data *im, double row0, double row1, double col0,
                    double col1) {
    double middle_r = (row0 + row1) / 2, middle_c = (col0 + col1) / 2;
    if (im->rows < 1 || im->columns < 1) return (gx_rgba){0, 0, 0, 0};
    if (im->smooth && im->values && row1 - row0 < 1.5) return smooth_at(im, middle_r, middle_c);
    int64_t r0 = (int64_t)(row1 - row0 > 1.5 ? floor(row0 + 0.5) : floor(middle_r));
    int64_t c0 = (int64_t)(col1 - col0 > 1.5 ? floor(col0 + 0.5) : floor(middle_c));
    int64_t r1 = row1 - row0 > 1.5 ? (int64_t)floor(row1 + 0.5) : r0 + 1;
    int64_t c1 = col1 - col0 > 1.5 ? (int64_t)floor(col1 + 0.5) : c0 + 1;
    if (r0 < 0) r0 = 0;
    if (c0 < 0) c0 = 0;
    if (r0 >= im->rows) r0 = im->rows - 1;
    if (c0 >= im->columns) c0 = im->columns - 1;
    r1 = r1 > im->rows ? im->rows : r1 > r0 ? r1 : r0 + 1;
    c1 = c1 > im->columns ? im->columns : c1 > c0 ? c1 : c0 + 1;
    double sum = 0, parts[4] = {0};
    int64_t n = 0;
    for (int64_t i = r0; i < r1; i++)
        for (int64_t j = c0; j < c1; j++) {
            int64_t at = (im->lower ? im->rows - 1 - i : i) * im->columns + j;
            if (im->values && isnan(im->values[at])) continue;
            n++;
            if (im->values) {
                sum += (double)im->values[at];
                continue;
            }
            const gx_rgba p = im->pixels[at];
            parts[0] += p.r;
            parts[1] += p.g;
            parts[2] += p.b;
            parts[3] += p.a;
        }
    if (n == 0) return (gx_rgba){0, 0, 0, 0};
    double k = (double)n;
    if (im->values) return value_color(im, sum / k);
    return (gx_rgba){(uint8_t)lround(parts[0] / k), (uint8_t)lround(parts[1] / k),
                     (uint8_t)lround(parts[2] / k), (uint8_t)lround(parts[3] / k)};
}
