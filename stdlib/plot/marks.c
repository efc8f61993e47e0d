/* Marks on a canvas: lines, markers, bars, areas, images, texts, inside the frame that the layout
   chose; and the legend that names them. Long lines are thinned to what a picture can show. */
#include <math.h>
#include <string.h>

#include "stdlib/plot/plot_int.h"

typedef struct view {
    gx_panel *ax;
    const gx_frame_box *b;
    gx_canvas *c;
} view;

static double place_x(const view *v, double x) {
    return v->b->x + v->b->w * gx_scale_place(&v->ax->scale[0], v->b->low[0], v->b->high[0], x);
}
static double place_y(const view *v, double y) {
    return v->b->y +
           v->b->h * (1 - gx_scale_place(&v->ax->scale[1], v->b->low[1], v->b->high[1], y));
}

static gx_rgba with_alpha(gx_rgba c, double alpha) {
    c.a = (uint8_t)lround(c.a * (alpha < 0 ? 0 : alpha > 1 ? 1 : alpha));
    return c;
}

static gx_pen pen_of(const gx_style *st) {
    return (gx_pen){
        .color = with_alpha(st->color, st->alpha), .width = st->width, .kind = st->line};
}

/* --- markers --- */

static void polygon(gx_canvas *c, double x, double y, double r, int corners, double turn,
                    gx_rgba color) {
    double xy[2 * 10];
    for (int i = 0; i < corners; i++) {
        double a = (turn + 360.0 * i / corners) * 3.14159265358979323846 / 180;
        xy[2 * i] = x + r * cos(a);
        xy[2 * i + 1] = y - r * sin(a);
    }
    c->fill(c, xy, corners, color);
}

static void star(gx_canvas *c, double x, double y, double r, gx_rgba color) {
    double xy[20];
    for (int i = 0; i < 10; i++) {
        double a = (90 + 36.0 * i) * 3.14159265358979323846 / 180, s = i % 2 ? r * 0.4 : r;
        xy[2 * i] = x + s * cos(a);
        xy[2 * i + 1] = y - s * sin(a);
    }
    c->fill(c, xy, 10, color);
}

static void cross(gx_canvas *c, double x, double y, double r, bool slanted, bool across, bool up,
                  gx_rgba color) {
    const gx_pen pen = {.color = color, .width = fmax(1, r * 0.3), .kind = GX_LINE_SOLID};
    const double d = r * 0.8;
    const double a[4] = {x - (slanted ? d : r), y + (slanted ? d : 0), x + (slanted ? d : r),
                         y - (slanted ? d : 0)};
    const double b[4] = {x - (slanted ? d : 0), y - (slanted ? d : r), x + (slanted ? d : 0),
                         y + (slanted ? d : r)};
    if (across) c->stroke(c, a, 2, &pen);
    if (up) c->stroke(c, b, 2, &pen);
}

static void one_marker(gx_canvas *c, char kind, double x, double y, double size, gx_rgba color) {
    double r = size / 2;
    switch (kind) {
    case '.': c->disc(c, x, y, r / 2, color); break;
    case ',': c->disc(c, x, y, 0.4, color); break;
    case 's': c->box(c, x - r, y - r, size, size, color); break;
    case '^': polygon(c, x, y, r * 1.15, 3, 90, color); break;
    case 'v': polygon(c, x, y, r * 1.15, 3, -90, color); break;
    case '<': polygon(c, x, y, r * 1.15, 3, 180, color); break;
    case '>': polygon(c, x, y, r * 1.15, 3, 0, color); break;
    case 'D': case 'd': polygon(c, x, y, r * 1.2, 4, 90, color); break;
    case 'p': polygon(c, x, y, r * 1.1, 5, 90, color); break;
    case 'h': case 'H': polygon(c, x, y, r * 1.1, 6, 90, color); break;
    case '*': star(c, x, y, r * 1.3, color); break;
    case '+': cross(c, x, y, r, false, true, true, color); break;
    case 'x': cross(c, x, y, r, true, true, true, color); break;
    case '|': cross(c, x, y, r, false, false, true, color); break;
    case '_': cross(c, x, y, r, false, true, false, color); break;
    default: c->disc(c, x, y, r, color); break;
    }
}

static void marker(gx_canvas *c, const gx_style *st, double x, double y, double size,
                   gx_rgba color) {
    if (st->has_edge && st->edge.a) {
        one_marker(c, st->marker, x, y, size + 1, with_alpha(st->edge, st->alpha));
        size = size > 1 ? size - 1 : 0;
    }
    if (color.a) one_marker(c, st->marker, x, y, size, color);
}

static void draw_markers(const view *v, const gx_mark *m) {
    for (int64_t i = 0; i < m->n && v->c->ok; i++) {
        double x = place_x(v, m->x[i]), y = place_y(v, m->y[i]);
        if (!isfinite(x) || !isfinite(y)) continue;
        if (x < v->b->x - 50 || x > v->b->x + v->b->w + 50) continue;
        if (y < v->b->y - 50 || y > v->b->y + v->b->h + 50) continue;
        gx_rgba color = m->colors ? m->colors[i] : m->style.color;
        marker(v->c, &m->style, x, y, m->sizes ? m->sizes[i] : m->style.size,
               with_alpha(color, m->style.alpha));
        if (i % 4096 == 4095 && !gx_interrupt_check(v->c->rt)) v->c->ok = false;
    }
}

/* --- lines --- */

/* Of the points that fall into one column of the picture, the first, lowest, highest and last are
   all that can be seen. */
static int64_t thin(double *xy, int64_t n) {
    int64_t kept = 0;
    const double column = 0.25;
    for (int64_t i = 0; i < n;) {
        int64_t low = i, high = i, j = i;
        double at = floor(xy[2 * i] / column);
        for (; j < n && floor(xy[2 * j] / column) == at; j++) {
            if (xy[2 * j + 1] < xy[2 * low + 1]) low = j;
            if (xy[2 * j + 1] > xy[2 * high + 1]) high = j;
        }
        const int64_t four[4] = {i, low < high ? low : high, low < high ? high : low, j - 1};
        for (int k = 0; k < 4; k++) {
            if (k && four[k] == four[k - 1]) continue;
            memmove(&xy[2 * kept], &xy[2 * four[k]], 2 * sizeof *xy);
            kept++;
        }
        i = j;
    }
    return kept;
}

static bool rising(const double *xy, int64_t n) {
    for (int64_t i = 1; i < n; i++)
        if (xy[2 * i] < xy[2 * i - 2]) return false;
    return true;
}

static void draw_line(const view *v, const gx_mark *m) {
    gx_pen pen = pen_of(&m->style);
    double *xy = gx_alloc(v->c->rt, (size_t)(m->n > 0 ? m->n : 1) * 2 * sizeof *xy);
    if (!xy) v->c->ok = false;
    for (int64_t i = 0; v->c->ok && i < m->n;) {
        int64_t n = 0;
        for (; i < m->n; i++) {
            double x = place_x(v, m->x[i]), y = place_y(v, m->y[i]);
            if (!isfinite(x) || !isfinite(y)) break;
            xy[2 * n] = x;
            xy[2 * n++ + 1] = y;
        }
        if (n > 2000 && rising(xy, n)) n = thin(xy, n);
        if (n > 1) v->c->stroke(v->c, xy, n, &pen);
        while (i < m->n && !(isfinite(place_x(v, m->x[i])) && isfinite(place_y(v, m->y[i])))) i++;
    }
    gx_free(v->c->rt, xy);
}

static void draw_segments(const view *v, const gx_mark *m) {
    gx_pen pen = pen_of(&m->style);
    for (int64_t i = 0; i < m->n && v->c->ok; i++) {
        const double xy[4] = {place_x(v, m->x[i]), place_y(v, m->y[i]), place_x(v, m->x2[i]),
                              place_y(v, m->y2[i])};
        if (m->colors) pen.color = with_alpha(m->colors[i], m->style.alpha);
        if (isfinite(xy[0]) && isfinite(xy[1]) && isfinite(xy[2]) && isfinite(xy[3]))
            v->c->stroke(v->c, xy, 2, &pen);
    }
}

static void draw_rule(const view *v, const gx_mark *m) {
    gx_pen pen = pen_of(&m->style);
    double at = m->upright ? place_x(v, m->x[0]) : place_y(v, m->y[0]);
    const gx_frame_box *b = v->b;
    const double level[4] = {b->x, at, b->x + b->w, at}, upright[4] = {at, b->y, at, b->y + b->h};
    if (isfinite(at)) v->c->stroke(v->c, m->upright ? upright : level, 2, &pen);
}

static void draw_band(const view *v, const gx_mark *m) {
    const gx_frame_box *b = v->b;
    double a = m->upright ? place_x(v, m->x[0]) : place_y(v, m->y[0]);
    double z = m->upright ? place_x(v, m->x2[0]) : place_y(v, m->y2[0]);
    gx_rgba color = with_alpha(m->style.color, m->style.alpha);
    if (!isfinite(a) || !isfinite(z)) return;
    if (m->upright)
        v->c->box(v->c, fmin(a, z), b->y, fabs(z - a), b->h, color);
    else
        v->c->box(v->c, b->x, fmin(a, z), b->w, fabs(z - a), color);
}

/* --- areas --- */

static double held(double v, double low, double high) {
    return v < low ? low : v > high ? high : v;
}

static void draw_bars(const view *v, const gx_mark *m) {
    const gx_frame_box *b = v->b;
    gx_pen edge = {.color = with_alpha(m->style.edge, m->style.alpha), .width = m->style.width,
                   .kind = GX_LINE_SOLID};
    for (int64_t i = 0; i < m->n && v->c->ok; i++) {
        double x[2] = {place_x(v, m->x[i]), place_x(v, m->x2[i])};
        double y[2] = {place_y(v, m->y[i]), place_y(v, m->y2[i])};
        for (int k = 0; k < 2; k++) {
            if (isnan(y[k])) y[k] = b->y + b->h + 9; /* zero on a logarithmic axis */
            if (isnan(x[k])) x[k] = b->x - 9;
            x[k] = held(x[k], b->x - 9, b->x + b->w + 9);
            y[k] = held(y[k], b->y - 9, b->y + b->h + 9);
        }
        double left = fmin(x[0], x[1]), top = fmin(y[0], y[1]);
        double w = fabs(x[1] - x[0]), h = fabs(y[1] - y[0]);
        gx_rgba color = m->colors ? m->colors[i] : m->style.color;
        if (color.a && w > 0 && h > 0)
            v->c->box(v->c, left, top, w, h, with_alpha(color, m->style.alpha));
        const double xy[10] = {left,    top,  left + w, top,  left + w,
                               top + h, left, top + h,  left, top};
        if (m->style.has_edge && edge.color.a) v->c->stroke(v->c, xy, 5, &edge);
    }
}

static void draw_area(const view *v, const gx_mark *m) {
    double *xy = gx_alloc(v->c->rt, (size_t)(m->n > 0 ? m->n : 1) * 4 * sizeof *xy);
    gx_rgba color = with_alpha(m->style.color, m->style.alpha);
    if (!xy) v->c->ok = false;
    for (int64_t i = 0; v->c->ok && i < m->n; i++) {
        int64_t from = i, n = 0;
        for (; i < m->n; i++) {
            double x = place_x(v, m->x[i]), y = place_y(v, m->y[i]), y2 = place_y(v, m->y2[i]);
            if (!isfinite(x) || !isfinite(y) || !isfinite(y2)) break;
        }
        for (int64_t j = from; j < i; j++, n++) {
            xy[2 * n] = place_x(v, m->x[j]);
            xy[2 * n + 1] = place_y(v, m->y[j]);
        }
        for (int64_t j = i; j-- > from; n++) {
            xy[2 * n] = place_x(v, m->x[j]);
            xy[2 * n + 1] = place_y(v, m->y2[j]);
        }
        if (n > 3) v->c->fill(v->c, xy, n, color);
    }
    gx_free(v->c->rt, xy);
}

static void draw_image(const view *v, const gx_mark *m) {
    double x0 = place_x(v, m->x[0]), x1 = place_x(v, m->x[1]);
    double y0 = place_y(v, m->y[0]), y1 = place_y(v, m->y[1]);
    gx_raster_data im = m->image;
    if (!isfinite(x0 + x1 + y0 + y1) || im.rows == 0 || im.columns == 0) return;
    /* y[0] is the value at the top row's edge; drawn from above always. */
    if (y0 > y1) im.lower = !im.lower;
    v->c->image(v->c, fmin(x0, x1), fmin(y0, y1), fabs(x1 - x0), fabs(y1 - y0), &im);
}

static void draw_text(const view *v, const gx_mark *m) {
    double x = place_x(v, m->x[0]), y = place_y(v, m->y[0]), size = m->style.size;
    if (!isfinite(x) || !isfinite(y)) return;
    y += m->v_align > 0 ? size * 0.74 : m->v_align == 0 ? size * 0.36 : 0;
    v->c->text(v->c, x, y, size, (gx_anchor)(m->h_align + 1), false, m->style.color, m->text);
}

/* What lies below what: images, areas, lines, texts. */
static int level_of(const gx_mark *m) {
    switch (m->kind) {
    case GX_MARK_IMAGE: return 0;
    case GX_MARK_BARS:
    case GX_MARK_AREA:
    case GX_MARK_BAND: return 1;
    case GX_MARK_LINE:
    case GX_MARK_SEGMENTS:
    case GX_MARK_RULE: return 2;
    case GX_MARK_TEXT: return 3;
    }
    return 2;
}

static void draw_mark(const view *v, const gx_mark *m) {
    switch (m->kind) {
    case GX_MARK_LINE:
        if (m->style.line != GX_LINE_NONE) draw_line(v, m);
        if (m->style.marker) draw_markers(v, m);
        break;
    case GX_MARK_BARS: draw_bars(v, m); break;
    case GX_MARK_AREA: draw_area(v, m); break;
    case GX_MARK_SEGMENTS: draw_segments(v, m); break;
    case GX_MARK_RULE: draw_rule(v, m); break;
    case GX_MARK_BAND: draw_band(v, m); break;
    case GX_MARK_TEXT: draw_text(v, m); break;
    case GX_MARK_IMAGE: draw_image(v, m); break;
    }
}

void gx_marks_draw(gx_panel *ax, const gx_frame_box *b, gx_canvas *c) {
    const view v = {ax, b, c};
    for (int level = 0; level < 4; level++)
        for (size_t i = 0; i < ax->marks.count && c->ok; i++)
            if (level_of(ax->marks.items[i]) == level) draw_mark(&v, ax->marks.items[i]);
}
