/* The legend: a sample of each labelled mark beside its label, in a box where the script wants it,
   or in the corner that hides the fewest points. */
#include <math.h>

#include "stdlib/plot/plot_int.h"

static const double size = 10, row_height = 14.5, sample = 20, pad = 5, away = 6;

typedef struct legend {
    int rows;
    double x, y, w, h;
} legend;

static bool named(const gx_mark *m) {
    return m->style.label && m->style.label[0] && m->style.label[0] != '_';
}

/* How many points of lines lie inside a box. */
static int64_t hidden(gx_panel *ax, const gx_frame_box *b, const legend *l) {
    int64_t n = 0;
    for (size_t i = 0; i < ax->marks.count; i++) {
        const gx_mark *m = ax->marks.items[i];
        int64_t step = m->n > 2000 ? m->n / 2000 : 1;
        if (m->kind == GX_MARK_IMAGE || m->kind == GX_MARK_RULE || m->kind == GX_MARK_BAND)
            continue;
        bool top = m->kind == GX_MARK_BARS && m->upright;
        for (int64_t k = 0; k < m->n; k += step) {
            double vx = top ? (m->x[k] + m->x2[k]) / 2 : m->x[k], vy = top ? m->y2[k] : m->y[k];
            double x = b->x + b->w * gx_scale_place(&ax->scale[0], b->low[0], b->high[0], vx);
            double y = b->y + b->h * (1 - gx_scale_place(&ax->scale[1], b->low[1], b->high[1], vy));
            bool beside = x < l->x - 3 || x > l->x + l->w + 3;
            n += !beside && y <= l->y + l->h + 3 && (top || y >= l->y - 3);
        }
    }
    return n;
}

/* Places as matplotlib numbers them: 1 upper right, 2 upper left, 3 lower left, 4 lower right, 5
   and 7 right, 6 left, 8 below, 9 above, 10 in the middle. */
static void put_at(const gx_frame_box *b, int place, legend *l) {
    static const signed char where[11][2] = {{1, 1}, {1, 1},  {-1, 1}, {-1, -1}, {1, -1}, {1, 0},
                                             {-1, 0}, {1, 0}, {0, -1}, {0, 1},   {0, 0}};
    int dx = where[place][0], dy = where[place][1];
    l->x = dx < 0 ? b->x + away : dx > 0 ? b->x + b->w - l->w - away : b->x + (b->w - l->w) / 2;
    l->y = dy > 0 ? b->y + away : dy < 0 ? b->y + b->h - l->h - away : b->y + (b->h - l->h) / 2;
}

static void choose_place(gx_panel *ax, const gx_frame_box *b, legend *l) {
    static const int order[] = {1, 2, 3, 4, 9, 8, 6, 7};
    int best = 1;
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        put_at(b, order[i], l);
        int64_t n = hidden(ax, b, l);
        if (n < least) {
            least = n;
            best = order[i];
        }
    }
    put_at(b, best, l);
}

static void draw_sample(const gx_mark *m, double x, double y, gx_canvas *c) {
    const gx_frame_box box = {
        .x = x, .y = y - 4, .w = sample, .h = 8, .low = {0, 0}, .high = {1, 1}};
    double at_x[2] = {0, 1}, middle[1] = {0.5}, at_y[2] = {0.5, 0.5}, far[2] = {1, 1},
           low[2] = {0, 0};
    gx_mark one = {.kind = GX_MARK_LINE, .n = 2, .x = at_x, .y = at_y, .x2 = far, .y2 = far,
                   .style = m->style};
    gx_panel frame = {0};
    gx_mark *list[2] = {&one, NULL};
    frame.marks.items = list;
    frame.marks.count = 1;
    gx_mark dot = one;
    if (m->colors && m->n) one.style.color = dot.style.color = m->colors[m->n / 2];
    if (m->kind == GX_MARK_BARS || m->kind == GX_MARK_AREA || m->kind == GX_MARK_BAND) {
        one.kind = GX_MARK_BARS;
        one.n = 1;
        one.y = low;
    } else {
        one.style.marker = 0;
        if (m->style.marker) { /* one marker in the middle */
            dot.n = 1;
            dot.x = middle;
            dot.style.line = GX_LINE_NONE;
            dot.style.size = fmin(m->style.size, 8);
            list[frame.marks.count++] = &dot;
        }
    }
    gx_marks_draw(&frame, &box, c);
}

void gx_legend_draw(gx_panel *ax, const gx_frame_box *b, gx_canvas *c) {
    static const gx_rgba paper = {255, 255, 255, 215}, rim = {0xcc, 0xcc, 0xcc, 255},
                         ink = {0x22, 0x22, 0x22, 255};
    legend l = {0};
    double widest = 0;
    if (!ax->legend) return;
    for (size_t i = 0; i < ax->marks.count; i++) {
        if (!named(ax->marks.items[i])) continue;
        l.rows++;
        /* Fonts of a viewer may be a little wider than ours. */
        widest = fmax(widest, 1.06 * gx_font_width(ax->marks.items[i]->style.label, size));
    }
    if (!l.rows) return;
    l.w = pad + sample + 6 + widest + pad + 1;
    l.h = l.rows * row_height + pad;
    if (ax->legend - 1 == 0)
        choose_place(ax, b, &l);
    else
        put_at(b, ax->legend - 1, &l);
    c->box(c, l.x, l.y, l.w, l.h, paper);
    const double frame[10] = {l.x, l.y, l.x + l.w, l.y, l.x + l.w, l.y + l.h, l.x, l.y + l.h,
                              l.x, l.y};
    c->stroke(c, frame, 5,
              &(gx_pen){.color = rim, .width = 0.8, .kind = GX_LINE_SOLID, .snap = true});
    double y = l.y + pad / 2 + row_height / 2;
    for (size_t i = 0; i < ax->marks.count; i++) {
        const gx_mark *m = ax->marks.items[i];
        if (!named(m)) continue;
        draw_sample(m, l.x + pad, y, c);
        c->text(c, l.x + pad + sample + 6, y + size * 0.36, size, GX_ANCHOR_START, false, ink,
                m->style.label);
        y += row_height;
    }
}
