/* Pictures as pixels: lines by their distance to each pixel's middle, areas by the share of a pixel
   that they cover, so that edges are smooth. All of a line is first gathered in a mask, then mixed
   into the picture once, so that a line that meets itself is not darker there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stdlib/io/image.h"
#include "stdlib/plot/canvas_int.h"

typedef struct raster {
    double scale, dpi; /* pixels a point, an inch */
    int width, height;
    gx_rgba *pixels;
    float *mask; /* width x height; zero outside the box below */
    float *area; /* (width + 2) x height; zero between two areas */
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
    double a = cover * c.a / 255, below = to->a / 255.0 * (1 - a), all = a + below;
    if (a <= 0) return;
    to->r = (uint8_t)lround((c.r * a + to->r * below) / all);
    to->g = (uint8_t)lround((c.g * a + to->g * below) / all);
    to->b = (uint8_t)lround((c.b * a + to->b * below) / all);
    to->a = (uint8_t)lround(all * 255);
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

/* A line in pixels: each pixel is covered as near as it is. Its ends are round, but for those that
   are cut off: bit 1 its begin, bit 2 its end. */
static void capsule(raster *r, const double p[4], double width, int flat) {
    double half = width / 2 < 0.5 ? 0.5 : width / 2, strength = width < 1 ? width : 1;
    double dx = p[2] - p[0], dy = p[3] - p[1], len2 = dx * dx + dy * dy, length = sqrt(len2);
    int x0 = most(whole(fmin(p[0], p[2]) - half - 1), r->clip[0]);
    int x1 = least(whole(fmax(p[0], p[2]) + half + 2), r->clip[2]);
    int y0 = most(whole(fmin(p[1], p[3]) - half - 1), r->clip[1]);
    int y1 = least(whole(fmax(p[1], p[3]) + half + 2), r->clip[3]);
    if (x0 >= x1 || y0 >= y1) return;
    use(r, x0, y0, x1, y1);
    for (int y = y0; y < y1; y++) {
        int from = x0, to = x1;
        if (fabs(dy) > 1e-9 && fabs(dx) > fabs(dy)) { /* the part of the row that may be near */
            double reach = (half + 1.5) * length / fabs(dy);
            double at = p[0] + dx * (y + 0.5 - p[1]) / dy;
            from = most(from, whole(at - reach));
            to = least(to, whole(at + reach) + 1);
        }
        for (int x = from; x < to; x++) {
            double px = x + 0.5 - p[0], py = y + 0.5 - p[1];
            double along = length > 0 ? (px * dx + py * dy) / length : 0, share = 1;
            double t = along < 0 ? 0 : along > length ? length : along;
            if (length > 0 && flat) {
                if (flat & 1) share = fmin(share, along + 0.5);
                if (flat & 2) share = fmin(share, length - along + 0.5);
                if (share <= 0) continue;
                t = (flat & 1 && along < 0) || (flat & 2 && along > length) ? along : t;
            }
            if (length > 0) t /= length;
            double d = hypot(px - t * dx, py - t * dy), cover = half + 0.5 - d;
            if (cover <= 0) continue;
            float c = (float)((cover > 1 ? 1 : cover) * strength * share);
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

typedef struct dashing {
    const gx_pen *pen;
    int at;      /* which length of the pattern */
    double left; /* of it */
} dashing;

static dashing dash_begin(const gx_pen *pen, double scale) {
    dashing d = {pen, 0, pen->dashes[0] * scale};
    double sum = 0;
    for (int i = 0; i < pen->dash_count; i++) sum += pen->dashes[i];
    for (double skip = fmod(fabs(pen->dash_start), sum) * scale; skip > d.left;) {
        skip -= d.left;
        d.at = (d.at + 1) % pen->dash_count;
        d.left = pen->dashes[d.at] * scale;
        if (skip <= d.left) {
            d.left -= skip;
            break;
        }
    }
    return d;
}

static void dashes(raster *r, const double p[4], double width, dashing *d) {
    double length = hypot(p[2] - p[0], p[3] - p[1]);
    int flat = d->pen->cap == GX_CAP_ROUND ? 0 : 3;
    for (double at = 0; at < length;) {
        double step = fmin(d->left, length - at);
        if (d->at % 2 == 0 && (step > 0 || flat == 0)) {
            const double a = at / length, b = (at + step) / length;
            const double piece[4] = {p[0] + (p[2] - p[0]) * a, p[1] + (p[3] - p[1]) * a,
                                     p[0] + (p[2] - p[0]) * b, p[1] + (p[3] - p[1]) * b};
            capsule(r, piece, width, flat);
        }
        at += step;
        d->left -= step;
        if (d->left <= 1e-9) {
            d->at = (d->at + 1) % d->pen->dash_count;
            d->left = fmax(d->pen->dashes[d->at] * r->scale, 1e-3);
        }
    }
}

static void raster_stroke(gx_canvas *c, const double *xy, int64_t n, const gx_pen *pen) {
    raster *r = c->raster;
    double width = pen->width * r->scale;
    bool closed = n > 2 && xy[0] == xy[2 * n - 2] && xy[1] == xy[2 * n - 1];
    dashing d = {0};
    if (pen->snap) width = fmax(1, round(width));
    if (pen->dash_count) d = dash_begin(pen, r->scale);
    for (int64_t i = 0; i + 1 < n; i++) {
        double p[4];
        for (int k = 0; k < 4; k++) p[k] = xy[2 * i + k] * r->scale;
        bool upright = fabs(p[0] - p[2]) < 1e-3, level = fabs(p[1] - p[3]) < 1e-3;
        double shift = fmod(width, 2) == 0 ? 0 : 0.5; /* the middle of a pixel, or its edge */
        for (int k = 0; pen->snap && (upright || level) && k < 4; k++)
            p[k] = round(p[k] - shift) + shift;
        int flat = pen->cap == GX_CAP_ROUND || closed ? 0 : (i == 0) | (i + 2 == n) << 1;
        if (flat && pen->cap == GX_CAP_SQUARE) {
            double length = hypot(p[2] - p[0], p[3] - p[1]), more = width / 2 / fmax(length, 1e-9);
            double ex = (p[2] - p[0]) * more, ey = (p[3] - p[1]) * more;
            if (flat & 1) p[0] -= ex, p[1] -= ey;
            if (flat & 2) p[2] += ex, p[3] += ey;
        }
        if (!cut(r, p)) continue;
        if (pen->dash_count)
            dashes(r, p, width, &d);
        else
            capsule(r, p, width, flat);
        if (i % 65536 == 65535 && c->rt->interrupted) break;
    }
    flush_mask(r, pen->color);
}

/* --- areas --- */

/* One edge's share of the pixels of a row: what lies to the right of it, as differences. */
static void edge_row(float *row, double x, double next, double d, int width) {
    double left = fmin(x, next), right = fmax(x, next);
    left = left < 0 ? 0 : left > width ? width : left;
    right = right < 0 ? 0 : right > width ? width : right;
    int a = (int)left, b = (int)ceil(right);
    if (b <= a + 1) {
        double rest = (left + right) / 2 - a;
        row[a] += (float)(d - d * rest);
        row[a + 1] += (float)(d * rest);
        return;
    }
    double s = 1 / (right - left), first = 1 - (left - a), last = right - b + 1;
    double before = 0.5 * s * first * first; /* how much of the edge's height has passed */
    row[a] += (float)(d * before);
    double passed = before;
    for (int i = a + 1; i < b - 1; i++) {
        double here = s * (i - left + 0.5);
        row[i] += (float)(d * (here - passed));
        passed = here;
    }
    double end = 1 - 0.5 * s * last * last;
    row[b - 1] += (float)(d * (end - passed));
    row[b] += (float)(d * (1 - end));
}

typedef struct window {
    int x0, y0, x1, y1;
} window;

static void edge(raster *r, const window *w, double x0, double y0, double x1, double y1,
                 bool crisp) {
    double turn = 1;
    if (y0 == y1) return;
    if (y0 > y1) {
        double x = x0, y = y0;
        x0 = x1, y0 = y1, x1 = x, y1 = y, turn = -1;
    }
    x0 -= w->x0, x1 -= w->x0;
    y0 -= w->y0, y1 -= w->y0;
    int width = w->x1 - w->x0, high = w->y1 - w->y0;
    double slope = (x1 - x0) / (y1 - y0);
    int from = most(whole(y0), 0), to = least(whole(y1) + 1, high);
    for (int y = from; y < to; y++) {
        float *row = r->area + (size_t)y * (size_t)(r->width + 2);
        if (crisp) {
            double at = y + 0.5;
            if (at < y0 || at >= y1) continue;
            double x = ceil(x0 + slope * (at - y0) - 0.5);
            row[x < 0 ? 0 : x > width ? width : (int)x] += (float)turn;
            continue;
        }
        double top = fmax(y, y0), bottom = fmin(y + 1, y1);
        if (bottom <= top) continue;
        edge_row(row, x0 + slope * (top - y0), x0 + slope * (bottom - y0), (bottom - top) * turn,
                 width);
    }
}

static void raster_fill(gx_canvas *c, const double *xy, int64_t n, gx_rgba color, bool crisp) {
    raster *r = c->raster;
    const double k = r->scale;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int64_t i = 0; i < 2 * n; i++)
        if (isfinite(xy[i])) {
            low[i % 2] = fmin(low[i % 2], xy[i] * k);
            high[i % 2] = fmax(high[i % 2], xy[i] * k);
        }
    if (!(low[0] <= high[0] && low[1] <= high[1])) return;
    window w = {most(whole(low[0]), r->clip[0]), most(whole(low[1]), r->clip[1]),
                least(whole(high[0]) + 1, r->clip[2]), least(whole(high[1]) + 1, r->clip[3])};
    if (w.x0 >= w.x1 || w.y0 >= w.y1) return;
    for (int64_t from = 0, to; from < n; from = to + 1) {
        for (to = from; to < n && isfinite(xy[2 * to] + xy[2 * to + 1]); to++) {}
        for (int64_t i = from; i < to; i++) {
            int64_t j = i + 1 < to ? i + 1 : from;
            edge(r, &w, xy[2 * i] * k, xy[2 * i + 1] * k, xy[2 * j] * k, xy[2 * j + 1] * k, crisp);
        }
    }
    for (int y = w.y0; y < w.y1; y++) {
        float *row = r->area + (size_t)(y - w.y0) * (size_t)(r->width + 2);
        gx_rgba *to = r->pixels + (size_t)y * (size_t)r->width;
        double sum = 0;
        for (int x = w.x0; x < w.x1; x++) {
            sum += row[x - w.x0];
            double cover = fabs(sum);
            if (cover > 1.0 / 512) mix(&to[x], color, cover > 1 ? 1 : cover);
        }
        memset(row, 0, (size_t)(w.x1 - w.x0 + 2) * sizeof *row);
    }
}

/* --- text, images --- */

typedef struct text_pen {
    raster *r;
    double width;
} text_pen;

static void text_stroke(void *ctx, const double *xy, int n) {
    const text_pen *t = ctx;
    for (int i = 0; i + 1 < n; i++) {
        double p[4] = {xy[2 * i], xy[2 * i + 1], xy[2 * i + 2], xy[2 * i + 3]};
        if (cut(t->r, p)) capsule(t->r, p, t->width, 0);
    }
}

static void raster_text(gx_canvas *c, const gx_letters *given) {
    raster *r = c->raster;
    gx_letters t = *given;
    t.size *= r->scale;
    t.x *= r->scale;
    t.y *= r->scale;
    /* Feet of letters on whole pixels are sharp. */
    if (t.angle == 90)
        t.x = round(t.x - 0.5) + 0.5;
    else if (t.angle == 0)
        t.y = round(t.y - 0.5) + 0.5;
    text_pen pen = {r, fmax(1, gx_font_weight(t.size, t.style))};
    gx_font_draw(&t, text_stroke, &pen);
    flush_mask(r, t.color);
}

static double clamped(double v, double high) {
    return v < 0 ? 0 : v > high ? high : v;
}

/* The mean of what a pixel shows of an image, or between its four neighbours (smooth). */
static gx_rgba image_at(const gx_pixels *im, double x0, double y0, double x1, double y1) {
    double sum[4] = {0}, weight = 0;
    if (x1 - x0 <= 1 && y1 - y0 <= 1) {
        double x = (x0 + x1) / 2, y = (y0 + y1) / 2;
        if (!im->smooth) {
            int64_t i = (int64_t)clamped(floor(x), (double)im->width - 1);
            int64_t j = (int64_t)clamped(floor(y), (double)im->height - 1);
            return im->data[j * im->width + i];
        }
        double fx = clamped(x - 0.5, (double)im->width - 1);
        double fy = clamped(y - 0.5, (double)im->height - 1);
        for (int k = 0; k < 4; k++) {
            int64_t i = (int64_t)fx + k % 2, j = (int64_t)fy + k / 2;
            double w = (k % 2 ? fx - floor(fx) : 1 - fx + floor(fx)) *
                       (k / 2 ? fy - floor(fy) : 1 - fy + floor(fy));
            if (w <= 0 || i >= im->width || j >= im->height) continue;
            gx_rgba p = im->data[j * im->width + i];
            double a = w * p.a;
            sum[0] += p.r * a, sum[1] += p.g * a, sum[2] += p.b * a, sum[3] += a;
            weight += w;
        }
    } else {
        int64_t i0 = (int64_t)clamped(floor(x0), (double)im->width - 1);
        int64_t j0 = (int64_t)clamped(floor(y0), (double)im->height - 1);
        int64_t i1 = (int64_t)clamped(ceil(x1), (double)im->width);
        int64_t j1 = (int64_t)clamped(ceil(y1), (double)im->height);
        for (int64_t j = j0; j < most((int)j1, (int)j0 + 1); j++)
            for (int64_t i = i0; i < most((int)i1, (int)i0 + 1); i++) {
                gx_rgba p = im->data[j * im->width + i];
                sum[0] += p.r * p.a, sum[1] += p.g * p.a, sum[2] += p.b * p.a, sum[3] += p.a;
                weight += 1;
            }
    }
    if (!(sum[3] > 0)) return (gx_rgba){0, 0, 0, 0};
    return (gx_rgba){(uint8_t)lround(sum[0] / sum[3]), (uint8_t)lround(sum[1] / sum[3]),
                     (uint8_t)lround(sum[2] / sum[3]), (uint8_t)lround(sum[3] / weight)};
}

static void raster_image(gx_canvas *c, const gx_pixels *im) {
    raster *r = c->raster;
    double left = im->x * r->scale, top = im->y * r->scale;
    double kx = (double)im->width / (im->w * r->scale);
    double ky = (double)im->height / (im->h * r->scale);
    int x0 = most(whole(left + 0.5), r->clip[0]);
    int x1 = least(whole(left + im->w * r->scale + 0.5), r->clip[2]);
    int y0 = most(whole(top + 0.5), r->clip[1]);
    int y1 = least(whole(top + im->h * r->scale + 0.5), r->clip[3]);
    for (int y = y0; y < y1; y++) {
        gx_rgba *to = r->pixels + (size_t)y * (size_t)r->width;
        if (!gx_interrupt_check(c->rt)) {
            c->ok = false;
            return;
        }
        for (int x = x0; x < x1; x++)
            mix(&to[x],
                image_at(im, (x - left) * kx, (y - top) * ky, (x + 1 - left) * kx,
                         (y + 1 - top) * ky),
                1);
    }
}

static void raster_clip(gx_canvas *c, double x, double y, double w, double h) {
    raster *r = c->raster;
    bool all = w < 0;
    r->clip[0] = all ? 0 : least(most(0, whole(x * r->scale + 0.5)), r->width);
    r->clip[1] = all ? 0 : least(most(0, whole(y * r->scale + 0.5)), r->height);
    r->clip[2] = all ? r->width : least(r->width, whole((x + w) * r->scale + 0.5));
    r->clip[3] = all ? r->height : least(r->height, whole((y + h) * r->scale + 0.5));
}

static void raster_finish(gx_canvas *c) {
    (void)c;
}

static void raster_free(gx_canvas *c) {
    raster *r = c->raster;
    if (!r) return;
    gx_free(c->rt, r->pixels);
    gx_free(c->rt, r->mask);
    gx_free(c->rt, r->area);
    gx_free(c->rt, r);
}

const gx_canvas_end gx_raster_end = {
    .stroke = raster_stroke, .fill = raster_fill, .text = raster_text, .image = raster_image,
    .clip = raster_clip, .finish = raster_finish, .free = raster_free,
};

bool gx_raster_begin(gx_canvas *c, double dpi, gx_rgba face) {
    double w = floor(c->width * dpi / 72 + 1e-6), h = floor(c->height * dpi / 72 + 1e-6);
    if (!(w >= 1 && h >= 1 && w <= 32767 && h <= 32767 && w * h <= 4e8))
        return gx_fail(c->rt, GX_ValueError, "plot.size",
                       "a picture of %.0f x %.0f pixels cannot be made: 1 to 32767 each way", w, h);
    raster *r = gx_alloc_zero(c->rt, sizeof *r);
    if (!r) return false;
    c->raster = r;
    c->end = &gx_raster_end;
    *r = (raster){.scale = dpi / 72, .dpi = dpi, .width = (int)w, .height = (int)h};
    size_t n = (size_t)r->width * (size_t)r->height;
    r->pixels = gx_alloc(c->rt, n * sizeof *r->pixels);
    r->mask = gx_alloc_zero(c->rt, n * sizeof *r->mask);
    r->area = gx_alloc_zero(c->rt, (n + 2 * (size_t)r->height) * sizeof *r->area);
    if (!r->pixels || !r->mask || !r->area) return false;
    for (size_t i = 0; i < n; i++) r->pixels[i] = face;
    raster_clip(c, 0, 0, -1, -1);
    r->x0 = r->width;
    r->y0 = r->height;
    return true;
}

bool gx_raster_png(gx_canvas *c, gx_buf *out) {
    const raster *r = c->raster;
    return gx_png_write(c->rt, (const uint8_t *)r->pixels, r->width, r->height, 4, r->dpi, true,
                        out);
}

bool gx_raster_array(gx_canvas *c, gx_value *out) {
    const raster *r = c->raster;
    const int64_t shape[3] = {r->height, r->width, 4};
    gx_array *a;
    char *data;
    if (!gx_array_empty(c->rt, GX_u8, 3, shape, GX_NS_NUMPY, &a)) return false;
    if (!gx_array_write(c->rt, a, &data)) {
        gx_array_drop(a);
        return false;
    }
    memcpy(data, r->pixels, (size_t)r->width * (size_t)r->height * 4);
    *out = gx_array_value(a);
    return true;
}
