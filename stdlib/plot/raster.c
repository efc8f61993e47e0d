/* Figures as pixels: lines by their distance to each pixel's middle, areas by the share of a pixel
   that they cover, so that edges are smooth. All that is drawn is first gathered in a mask, then
   mixed into the picture once, so that a line that meets itself is not darker there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stdlib/plot/plot_int.h"

typedef struct raster {
    gx_canvas base;
    double scale; /* pixels a point */
    int width, height;
    gx_rgba *pixels;
    float *mask; /* width x height; zero outside the box below */
    float *row;  /* one row of an area */
    int x0, y0, x1, y1; /* what of the mask is in use */
    int clip[4];        /* left, top, right, bottom; exclusive right and bottom */
} raster;

static int least(int a, int b) {
    return a < b ? a : b;
}
static int most(int a, int b) {
    return a > b ? a : b;
}
static int whole(double v) { /* anything as an int, without overflow */
    return v < -1e6 ? -1000000 : v > 1e6 ? 1000000 : (int)floor(v);
}

static void mix(gx_rgba *to, gx_rgba c, double cover) {
    double a = cover * c.a / 255;
    to->r = (uint8_t)lround(to->r + (c.r - to->r) * a);
    to->g = (uint8_t)lround(to->g + (c.g - to->g) * a);
    to->b = (uint8_t)lround(to->b + (c.b - to->b) * a);
    to->a = (uint8_t)lround(to->a + (255 - to->a) * a);
}

static void use(raster *r, int x0, int y0, int x1, int y1) {
    r->x0 = least(r->x0, x0);
    r->y0 = least(r->y0, y0);
    r->x1 = most(r->x1, x1);
    r->y1 = most(r->y1, y1);
}

/* The mask into the picture; it is empty again afterwards. */
static void flush_mask(raster *r, gx_rgba color) {
    for (int y = r->y0; y < r->y1; y++)
        for (int x = r->x0; x < r->x1; x++) {
            float *m = &r->mask[(size_t)y * (size_t)r->width + (size_t)x];
            if (*m > 0) mix(&r->pixels[(size_t)y * (size_t)r->width + (size_t)x], color, *m);
            *m = 0;
        }
    r->x0 = r->width;
    r->y0 = r->height;
    r->x1 = r->y1 = 0;
}

/* A line with round ends, in pixels: each pixel is covered as near as it is. */
static void capsule(raster *r, const double p[4], double width) {
    double half = width / 2 < 0.5 ? 0.5 : width / 2, strength = width < 1 ? width : 1;
    double dx = p[2] - p[0], dy = p[3] - p[1], len2 = dx * dx + dy * dy;
    int x0 = most(whole(fmin(p[0], p[2]) - half - 1), r->clip[0]);
    int x1 = least(whole(fmax(p[0], p[2]) + half + 2), r->clip[2]);
    int y0 = most(whole(fmin(p[1], p[3]) - half - 1), r->clip[1]);
    int y1 = least(whole(fmax(p[1], p[3]) + half + 2), r->clip[3]);
    if (x0 >= x1 || y0 >= y1) return;
    use(r, x0, y0, x1, y1);
    for (int y = y0; y < y1; y++) {
        int from = x0, to = x1;
        if (fabs(dy) > 1e-9 && fabs(dx) > fabs(dy)) { /* the part of the row that may be near */
            double reach = (half + 1.5) * sqrt(len2) / fabs(dy);
            double at = p[0] + dx * (y + 0.5 - p[1]) / dy;
            from = most(from, whole(at - reach));
            to = least(to, whole(at + reach) + 1);
        }
        for (int x = from; x < to; x++) {
            double px = x + 0.5 - p[0], py = y + 0.5 - p[1];
            double t = len2 > 0 ? (px * dx + py * dy) / len2 : 0;
            t = t < 0 ? 0 : t > 1 ? 1 : t;
            double d = hypot(px - t * dx, py - t * dy), cover = half + 0.5 - d;
            if (cover <= 0) continue;
            float c = (float)((cover > 1 ? 1 : cover) * strength);
            float *m = &r->mask[(size_t)y * (size_t)r->width + (size_t)x];
            if (c > *m) *m = c;
        }
    }
}

/* Cuts a segment to a window that is wider than the picture, so that huge coordinates cost
   nothing; false: it is outside. */
static bool cut(const raster *r, double p[4]) {
    const double edge = 64, low[2] = {r->clip[0] - edge, r->clip[1] - edge};
    const double high[2] = {r->clip[2] + edge, r->clip[3] + edge};
    double t0 = 0, t1 = 1, d[2] = {p[2] - p[0], p[3] - p[1]};
    for (int k = 0; k < 2; k++) {
        if (d[k] == 0) {
            if (p[k] < low[k] || p[k] > high[k]) return false;
            continue;
        }
        double a = (low[k] - p[k]) / d[k], b = (high[k] - p[k]) / d[k];
        t0 = fmax(t0, fmin(a, b));
        t1 = fmin(t1, fmax(a, b));
    }
    if (!(t0 <= t1)) return false;
    double x = p[0], y = p[1];
    p[0] = x + t0 * d[0];
    p[1] = y + t0 * d[1];
    p[2] = x + t1 * d[0];
    p[3] = y + t1 * d[1];
    return true;
}

/* A dashed segment; *phase: how far into the pattern it begins. */
static void dashes(raster *r, const double p[4], double width, gx_line_kind kind, double *phase) {
    static const double patterns[][4] = {{3.7, 1.6, 3.7, 1.6}, {0.01, 1.9, 0.01, 1.9},
                                         {5, 1.7, 0.01, 1.7}};
    const double *pattern = patterns[kind - GX_LINE_DASHED];
    double length = hypot(p[2] - p[0], p[3] - p[1]), unit = width < 1 ? 1 : width;
    for (double at = 0; at < length;) {
        double in = *phase;
        int k = 0;
        while (in >= pattern[k] * unit && k < 3) in -= pattern[k++] * unit;
        double step = fmin(pattern[k] * unit - in, length - at);
        if (step < 1e-3) step = 1e-3;
        if (k % 2 == 0) {
            const double a = at / length, b = (at + step) / length;
            const double piece[4] = {p[0] + (p[2] - p[0]) * a, p[1] + (p[3] - p[1]) * a,
                                     p[0] + (p[2] - p[0]) * b, p[1] + (p[3] - p[1]) * b};
            capsule(r, piece, width);
        }
        at += step;
        *phase = fmod(*phase + step, (pattern[0] + pattern[1] + pattern[2] + pattern[3]) * unit);
    }
}

static void raster_stroke(gx_canvas *c, const double *xy, int64_t n, const gx_pen *pen) {
    raster *r = (raster *)c;
    double width = pen->width * r->scale, phase = 0;
    if (pen->snap) width = fmax(1, round(width));
    for (int64_t i = 0; i + 1 < n; i++) {
        double p[4];
        for (int k = 0; k < 4; k++) p[k] = xy[2 * i + k] * r->scale;
        if (pen->snap) { /* the middle of a pixel, or its edge when the width is even */
            double shift = fmod(width, 2) == 0 ? 0 : 0.5;
            for (int k = 0; k < 4; k++) p[k] = round(p[k] - shift) + shift;
        }
        if (!cut(r, p)) continue;
        if (pen->kind <= GX_LINE_SOLID)
            capsule(r, p, width);
        else
            dashes(r, p, width, pen->kind, &phase);
    }
    flush_mask(r, pen->color);
}

static void raster_disc(gx_canvas *c, double x, double y, double radius, gx_rgba color) {
    raster *r = (raster *)c;
    const double p[4] = {x * r->scale, y * r->scale, x * r->scale, y * r->scale};
    capsule(r, p, 2 * radius * r->scale);
    flush_mask(r, color);
}

/* --- areas --- */

typedef struct crossing {
    double x;
    int turn;
} crossing;

static int by_x(const void *a, const void *b) {
    double x = ((const crossing *)a)->x, y = ((const crossing *)b)->x;
    return (x > y) - (x < y);
}

/* Adds the share of each pixel between two places of a row. */
static void cover_span(raster *r, double from, double to, float weight) {
    from = fmax(from, r->clip[0]);
    to = fmin(to, r->clip[2]);
    if (!(from < to)) return;
    int a = whole(from), b = whole(to);
    if (a == b) {
        r->row[a] += (float)(to - from) * weight;
        return;
    }
    r->row[a] += (float)(a + 1 - from) * weight;
    for (int x = a + 1; x < b; x++) r->row[x] += weight;
    if (b < r->clip[2]) r->row[b] += (float)(to - b) * weight;
}

/* One row of a polygon: what lies inside by the nonzero rule, on a few lines within the row. */
static void area_row(raster *r, const double *xy, int64_t n, int y, crossing *list) {
    enum { LINES = 5 };
    for (int line = 0; line < LINES; line++) {
        double at = y + (line + 0.5) / LINES;
        size_t count = 0;
        for (int64_t i = 0; i < n; i++) {
            int64_t j = i + 1 == n ? 0 : i + 1;
            double ya = xy[2 * i + 1] * r->scale, yb = xy[2 * j + 1] * r->scale;
            if ((ya <= at) == (yb <= at)) continue;
            double xa = xy[2 * i] * r->scale, xb = xy[2 * j] * r->scale;
            list[count++] = (crossing){xa + (xb - xa) * (at - ya) / (yb - ya), ya < yb ? 1 : -1};
        }
        qsort(list, count, sizeof *list, by_x);
        int inside = 0;
        for (size_t i = 0; i + 1 < count; i++) {
            inside += list[i].turn;
            if (inside) cover_span(r, list[i].x, list[i + 1].x, 1.0f / LINES);
        }
    }
}

static void raster_fill(gx_canvas *c, const double *xy, int64_t n, gx_rgba color) {
    raster *r = (raster *)c;
    double low = INFINITY, high = -INFINITY;
    if (n < 3 || !c->ok) return;
    crossing *list = gx_alloc(c->rt, (size_t)n * sizeof *list);
    if (!list) {
        c->ok = false;
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        low = fmin(low, xy[2 * i + 1] * r->scale);
        high = fmax(high, xy[2 * i + 1] * r->scale);
    }
    int y0 = most(whole(low), r->clip[1]), y1 = least(whole(high) + 1, r->clip[3]);
    for (int y = y0; y < y1; y++) {
        memset(r->row, 0, (size_t)(r->width + 1) * sizeof *r->row);
        area_row(r, xy, n, y, list);
        gx_rgba *to = r->pixels + (size_t)y * (size_t)r->width;
        for (int x = r->clip[0]; x < r->clip[2]; x++)
            if (r->row[x] > 0) mix(&to[x], color, r->row[x] > 1 ? 1 : r->row[x]);
    }
    gx_free(c->rt, list);
}

static void raster_box(gx_canvas *c, double x, double y, double w, double h, gx_rgba color) {
    const double xy[8] = {x, y, x + w, y, x + w, y + h, x, y + h};
    raster_fill(c, xy, 4, color);
}

/* --- text, images --- */

typedef struct text_pen {
    raster *r;
    double width;
} text_pen;

static void text_stroke(void *ctx, const double *xy, int n) {
    const text_pen *t = ctx;
    for (int i = 0; i + 1 < n; i++) capsule(t->r, xy + 2 * i, t->width);
}

static void raster_text(gx_canvas *c, double x, double y, double size, gx_anchor anchor,
                        bool turned, gx_rgba color, const char *text) {
    raster *r = (raster *)c;
    double pixels = size * r->scale;
    text_pen t = {r, fmax(1, pixels * 0.085)};
    double shift = gx_font_width(text, size) * (int)anchor / 2;
    double px = (turned ? x : x - shift) * r->scale, py = (turned ? y + shift : y) * r->scale;
    /* Feet of letters on whole pixels are sharp. */
    if (turned)
        px = round(px - 0.5) + 0.5;
    else
        py = round(py - 0.5) + 0.5;
    gx_font_draw(text, pixels, px, py, turned, text_stroke, &t);
    flush_mask(r, color);
}

static void raster_image(gx_canvas *c, double x, double y, double w, double h,
                         const gx_raster_data *im) {
    raster *r = (raster *)c;
    double left = x * r->scale, top = y * r->scale, wide = w * r->scale, high = h * r->scale;
    int x0 = most(whole(left + 0.5), r->clip[0]), x1 = least(whole(left + wide + 0.5), r->clip[2]);
    int y0 = most(whole(top + 0.5), r->clip[1]), y1 = least(whole(top + high + 0.5), r->clip[3]);
    for (int py = y0; py < y1; py++) {
        double a = (py - top) / high * (double)im->rows,
               b = (py + 1 - top) / high * (double)im->rows;
        gx_rgba *to = r->pixels + (size_t)py * (size_t)r->width;
        if (!gx_interrupt_check(c->rt)) {
            c->ok = false;
            return;
        }
        for (int px = x0; px < x1; px++)
            mix(&to[px],
                gx_image_at(im, a, b, (px - left) / wide * (double)im->columns,
                            (px + 1 - left) / wide * (double)im->columns),
                1);
    }
}

static void raster_clip(gx_canvas *c, double x, double y, double w, double h) {
    raster *r = (raster *)c;
    if (w <= 0) {
        r->clip[0] = r->clip[1] = 0;
        r->clip[2] = r->width;
        r->clip[3] = r->height;
        return;
    }
    r->clip[0] = most(0, whole(x * r->scale));
    r->clip[1] = most(0, whole(y * r->scale));
    r->clip[2] = least(r->width, whole((x + w) * r->scale) + 1);
    r->clip[3] = least(r->height, whole((y + h) * r->scale) + 1);
}

bool gx_figure_pixels(gx_rt *rt, gx_figure *f, double dpi, int *width, int *height,
                      gx_rgba **out) {
    double w = round(f->width * dpi), h = round(f->height * dpi);
    if (!(w >= 1 && h >= 1 && w <= 20000 && h <= 20000))
        return gx_fail(rt, GX_ValueError, "plot.size",
                       "a picture of %.0f x %.0f pixels cannot be made: 1 to 20000 each way", w, h);
    raster r = {.base = {.rt = rt, .ok = true, .width = f->width * 72, .height = f->height * 72,
                         .stroke = raster_stroke, .fill = raster_fill, .box = raster_box,
                         .disc = raster_disc, .text = raster_text, .image = raster_image,
                         .clip = raster_clip},
                .scale = dpi / 72, .width = (int)w, .height = (int)h};
    size_t n = (size_t)r.width * (size_t)r.height;
    r.pixels = gx_alloc(rt, n * sizeof *r.pixels);
    r.mask = gx_alloc_zero(rt, n * sizeof *r.mask);
    r.row = gx_alloc(rt, (size_t)(r.width + 1) * sizeof *r.row);
    bool ok = r.pixels && r.mask && r.row;
    if (ok) {
        for (size_t i = 0; i < n; i++) r.pixels[i] = (gx_rgba){255, 255, 255, 255};
        raster_clip(&r.base, 0, 0, 0, 0);
        r.x0 = r.width;
        r.y0 = r.height;
        ok = gx_figure_draw(f, &r.base);
    }
    gx_free(rt, r.mask);
    gx_free(rt, r.row);
    if (!ok) {
        gx_free(rt, r.pixels);
        return false;
    }
    *width = r.width;
    *height = r.height;
    *out = r.pixels;
    return true;
}
