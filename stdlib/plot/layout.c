/* From a figure to a canvas: how much room titles, labels and numbers need, where the data goes,
   frames, ticks, grids and colour bars. What is inside a frame is marks.c's. */
#include <math.h>
#include <string.h>

#include "stdlib/plot/plot_int.h"

static const double tick_size = 10, label_size = 10, title_size = 12, tick_length = 3.5;
static const double bar_width = 11, bar_gap = 9;
static const gx_rgba ink = {0x22, 0x22, 0x22, 255}, grid_ink = {0xd4, 0xd4, 0xd4, 255};

/* Room around the data, in points. */
typedef struct margins {
    double left, right, top, bottom;
} margins;

typedef struct cell {
    gx_panel *ax;
    double x, y, w, h; /* all of it */
    gx_frame_box box;  /* where the data is */
    gx_ticks ticks[2], bar_ticks;
    bool turned; /* the numbers below stand upright: they are names too long to lie */
} cell;

static const char *tick_text(const gx_tick *t) {
    return t->name ? t->name : t->text;
}

static double widest(const gx_ticks *t) {
    double w = 0;
    for (int i = 0; i < t->count; i++)
        w = fmax(w, gx_font_width(tick_text(&t->items[i]), tick_size));
    return w;
}

static int between(double v, int low, int high) {
    return v < low ? low : v > high ? high : (int)v;
}

static bool has_bar(const gx_panel *ax) {
    return ax->bar_of != NULL;
}

static void bar_range(const gx_mark *m, double *low, double *high) {
    *low = m->kind == GX_MARK_IMAGE ? m->image.low : m->low;
    *high = m->kind == GX_MARK_IMAGE ? m->image.high : m->high;
    if (!(*high > *low)) {
        *low -= 0.5;
        *high += 0.5;
    }
}

static void make_ticks(cell *c) {
    gx_scale plain = {0};
    double low, high;
    for (int k = 0; k < 2; k++) {
        gx_axes_limits(c->ax, k, &c->box.low[k], &c->box.high[k]);
        int target = k ? between(c->h / 36, 2, 9) : between(c->w / 52, 2, 9);
        gx_ticks_of(&c->ax->scale[k], c->box.low[k], c->box.high[k], target, false, &c->ticks[k]);
    }
    if (!has_bar(c->ax)) return;
    bar_range(c->ax->bar_of, &low, &high);
    gx_ticks_of(&plain, low, high, between(c->h / 36, 2, 9), false, &c->bar_ticks);
}

static double names_width(const gx_ticks *t) {
    double w = 0;
    for (int i = 0; i < t->count; i++)
        if (t->items[i].name) w += gx_font_width(t->items[i].name, tick_size) + 6;
    return w;
}

/* Room that one axes needs; m grows to it. */
static void need_room(cell *c, margins *m) {
    const gx_panel *ax = c->ax;
    double left = 8, right = 10, top = 9, bottom = 8;
    if (!ax->off) {
        const gx_ticks *x = &c->ticks[0], *y = &c->ticks[1];
        left += tick_length + 3 + widest(y) + (ax->scale[1].label ? label_size + 5 : 0);
        c->turned = names_width(x) > 0.8 * c->w;
        bottom += tick_length + 3 + (c->turned ? widest(x) : tick_size);
        if (ax->scale[0].label || x->factor[0]) bottom += label_size + 4;
        if (y->factor[0]) top += tick_size + 2;
        if (x->count && !c->turned)
            right =
                fmax(right, 4 + gx_font_width(tick_text(&x->items[x->count - 1]), tick_size) / 2);
    }
    if (ax->title) top += title_size + 4;
    if (has_bar(ax)) {
        right += bar_gap + bar_width + 6 + widest(&c->bar_ticks);
        if (ax->bar_label) right += label_size + 6;
        if (c->bar_ticks.factor[0] && !c->ticks[1].factor[0]) top += tick_size + 2;
    }
    m->left = fmax(m->left, left);
    m->right = fmax(m->right, right);
    m->top = fmax(m->top, top);
    m->bottom = fmax(m->bottom, bottom);
}

/* The cell less the margins; squeezed when a unit is to be as long both ways. */
static void place_box(cell *c, const margins *m) {
    gx_frame_box *b = &c->box;
    b->x = c->x + m->left;
    b->y = c->y + m->top;
    b->w = fmax(c->w - m->left - m->right, 8);
    b->h = fmax(c->h - m->top - m->bottom, 8);
    if (!c->ax->equal || c->ax->scale[0].log || c->ax->scale[1].log) return;
    double ratio = (b->high[1] - b->low[1]) / (b->high[0] - b->low[0]);
    double h = b->w * ratio, w = b->w;
    if (h > b->h) {
        h = b->h;
        w = h / ratio;
    }
    /* A long row of values stays visible. */
    w = fmax(w, 8);
    h = fmax(h, 8);
    b->x += (b->w - w) / 2;
    b->y += (b->h - h) / 2;
    b->w = w;
    b->h = h;
}

static void line(gx_canvas *c, double x0, double y0, double x1, double y1, gx_rgba color,
                 double width) {
    const double xy[4] = {x0, y0, x1, y1};
    const gx_pen pen = {.color = color, .width = width, .kind = GX_LINE_SOLID, .snap = true};
    c->stroke(c, xy, 2, &pen);
}

static void text(gx_canvas *c, double x, double y, double size, gx_anchor anchor, const char *s) {
    if (s && *s) c->text(c, x, y, size, anchor, false, ink, s);
}

static void draw_grid(cell *c, gx_canvas *canvas) {
    const gx_frame_box *b = &c->box;
    for (int k = 0; k < 2; k++) {
        const gx_scale *s = &c->ax->scale[k];
        for (int i = 0; s->grid && i < c->ticks[k].count; i++) {
            double t = gx_scale_place(s, b->low[k], b->high[k], c->ticks[k].items[i].at);
            if (c->ticks[k].items[i].minor || !(t >= 0 && t <= 1)) continue;
            if (k)
                line(canvas, b->x, b->y + b->h * (1 - t), b->x + b->w, b->y + b->h * (1 - t),
                     grid_ink, 0.8);
            else
                line(canvas, b->x + b->w * t, b->y, b->x + b->w * t, b->y + b->h, grid_ink, 0.8);
        }
    }
}

static void draw_x_ticks(cell *c, gx_canvas *canvas) {
    const gx_frame_box *b = &c->box;
    double bottom = b->y + b->h;
    for (int i = 0; i < c->ticks[0].count; i++) {
        const gx_tick *t = &c->ticks[0].items[i];
        double at = gx_scale_place(&c->ax->scale[0], b->low[0], b->high[0], t->at);
        if (!(at >= -1e-9 && at <= 1 + 1e-9)) continue;
        double x = b->x + b->w * at;
        line(canvas, x, bottom, x, bottom + tick_length * (t->minor ? 0.6 : 1), ink,
             t->minor ? 0.6 : 0.8);
        if (c->turned)
            canvas->text(canvas, x + tick_size * 0.35, bottom + tick_length + 3, tick_size,
                         GX_ANCHOR_END, true, ink, tick_text(t));
        else
            text(canvas, x, bottom + tick_length + 3 + tick_size * 0.76, tick_size,
                 GX_ANCHOR_MIDDLE, tick_text(t));
    }
    double below = bottom + tick_length + 3 + (c->turned ? widest(&c->ticks[0]) : tick_size);
    text(canvas, b->x + b->w / 2, below + label_size * 0.9 + 2, label_size, GX_ANCHOR_MIDDLE,
         c->ax->scale[0].label);
    text(canvas, b->x + b->w, below + label_size * 0.9 + 2, tick_size, GX_ANCHOR_END,
         c->ticks[0].factor);
}

static void draw_y_ticks(cell *c, gx_canvas *canvas) {
    const gx_frame_box *b = &c->box;
    for (int i = 0; i < c->ticks[1].count; i++) {
        const gx_tick *t = &c->ticks[1].items[i];
        double at = gx_scale_place(&c->ax->scale[1], b->low[1], b->high[1], t->at);
        if (!(at >= -1e-9 && at <= 1 + 1e-9)) continue;
        double y = b->y + b->h * (1 - at);
        line(canvas, b->x - tick_length * (t->minor ? 0.6 : 1), y, b->x, y, ink,
             t->minor ? 0.6 : 0.8);
        text(canvas, b->x - tick_length - 3, y + tick_size * 0.36, tick_size, GX_ANCHOR_END,
             tick_text(t));
    }
    text(canvas, b->x, b->y - 4, tick_size, GX_ANCHOR_START, c->ticks[1].factor);
    const char *label = c->ax->scale[1].label;
    double x = b->x - tick_length - 3 - widest(&c->ticks[1]) - 7;
    if (label && *label)
        canvas->text(canvas, x, b->y + b->h / 2, label_size, GX_ANCHOR_MIDDLE, true, ink, label);
}

static void draw_frame(cell *c, gx_canvas *canvas) {
    const gx_frame_box *b = &c->box;
    line(canvas, b->x, b->y, b->x + b->w, b->y, ink, 0.8);
    line(canvas, b->x, b->y + b->h, b->x + b->w, b->y + b->h, ink, 0.8);
    line(canvas, b->x, b->y, b->x, b->y + b->h, ink, 0.8);
    line(canvas, b->x + b->w, b->y, b->x + b->w, b->y + b->h, ink, 0.8);
}

static void draw_bar(cell *c, gx_canvas *canvas) {
    enum { STEPS = 256 };
    const gx_frame_box *b = &c->box;
    const gx_mark *m = c->ax->bar_of;
    gx_scale plain = {0};
    double low, high, x = b->x + b->w + bar_gap, right = x + bar_width;
    float values[STEPS];
    bar_range(m, &low, &high);
    for (int i = 0; i < STEPS; i++) values[i] = (float)((STEPS - 0.5 - i) / STEPS);
    const gx_raster_data im = {.rows = STEPS, .columns = 1, .values = values, .low = 0, .high = 1,
                               .map = m->kind == GX_MARK_IMAGE ? m->image.map : m->map,
                               .smooth = true};
    if (!im.map) return;
    canvas->image(canvas, x, b->y, bar_width, b->h, &im);
    line(canvas, x, b->y, right, b->y, ink, 0.8);
    line(canvas, x, b->y + b->h, right, b->y + b->h, ink, 0.8);
    line(canvas, x, b->y, x, b->y + b->h, ink, 0.8);
    line(canvas, right, b->y, right, b->y + b->h, ink, 0.8);
    for (int i = 0; i < c->bar_ticks.count; i++) {
        const gx_tick *t = &c->bar_ticks.items[i];
        double y = b->y + b->h * (1 - gx_scale_place(&plain, low, high, t->at));
        line(canvas, right, y, right + tick_length, y, ink, 0.8);
        text(canvas, right + tick_length + 3, y + tick_size * 0.36, tick_size, GX_ANCHOR_START,
             tick_text(t));
    }
    text(canvas, x, b->y - 4, tick_size, GX_ANCHOR_START, c->bar_ticks.factor);
    if (c->ax->bar_label)
        canvas->text(canvas, right + tick_length + 3 + widest(&c->bar_ticks) + 5 + label_size * 0.8,
                     b->y + b->h / 2, label_size, GX_ANCHOR_MIDDLE, true, ink, c->ax->bar_label);
}

static void draw_cell(cell *c, gx_canvas *canvas) {
    const gx_frame_box *b = &c->box;
    if (!c->ax->off) draw_grid(c, canvas);
    canvas->clip(canvas, b->x, b->y, b->w, b->h);
    gx_marks_draw(c->ax, b, canvas);
    canvas->clip(canvas, 0, 0, 0, 0);
    if (!c->ax->off) {
        draw_frame(c, canvas);
        draw_x_ticks(c, canvas);
        draw_y_ticks(c, canvas);
    }
    if (has_bar(c->ax)) draw_bar(c, canvas);
    double above = c->ticks[1].factor[0] && !c->ax->off ? tick_size + 2 : 0;
    text(canvas, b->x + b->w / 2, b->y - 7 - above, title_size, GX_ANCHOR_MIDDLE, c->ax->title);
    gx_legend_draw(c->ax, b, canvas);
}

static void place_cell(gx_panel *ax, double top, const gx_canvas *canvas, cell *c) {
    double w = canvas->width / ax->columns, h = (canvas->height - top) / ax->rows;
    c->ax = ax;
    c->x = w * (ax->at % ax->columns);
    c->y = top + h * (ax->at / ax->columns);
    c->w = w * ax->wide;
    c->h = h * ax->high;
}

/* Cells of one column have the same room left and right, those of one row above and below, so that
   frames stand in line. */
static margins room_of(const cell *cells, const margins *needs, size_t n, size_t i) {
    const gx_panel *a = cells[i].ax;
    margins m = needs[i];
    for (size_t k = 0; k < n; k++) {
        const gx_panel *b = cells[k].ax;
        if (a->rows != b->rows || a->columns != b->columns) continue;
        if (a->at % a->columns == b->at % b->columns) {
            m.left = fmax(m.left, needs[k].left);
            m.right = fmax(m.right, needs[k].right);
        }
        if (a->at / a->columns == b->at / b->columns) {
            m.top = fmax(m.top, needs[k].top);
            m.bottom = fmax(m.bottom, needs[k].bottom);
        }
    }
    return m;
}

bool gx_figure_draw(gx_figure *f, gx_canvas *canvas) {
    gx_rt *rt = canvas->rt;
    double top = f->title ? title_size + 8 : 0;
    size_t n = f->axes.count;
    cell *cells = gx_alloc_zero(rt, (n ? n : 1) * sizeof *cells);
    margins *needs = gx_alloc_zero(rt, (n ? n : 1) * sizeof *needs);
    canvas->ok = canvas->ok && cells && needs;
    for (size_t i = 0; i < n && canvas->ok; i++) {
        place_cell(f->axes.items[i], top, canvas, &cells[i]);
        make_ticks(&cells[i]);
        need_room(&cells[i], &needs[i]);
    }
    for (size_t i = 0; i < n && canvas->ok; i++) {
        const margins m = room_of(cells, needs, n, i);
        place_box(&cells[i], &m);
        draw_cell(&cells[i], canvas);
        if (!gx_interrupt_check(rt)) canvas->ok = false;
    }
    text(canvas, canvas->width / 2, title_size + 5, title_size, GX_ANCHOR_MIDDLE, f->title);
    gx_free(rt, cells);
    gx_free(rt, needs);
    return canvas->ok;
}
