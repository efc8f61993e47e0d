/* Figures in a terminal: a frame of characters, and in it dots, eight a character by braille
   patterns (or one a character where only ASCII is shown). Colours are the terminal's own sixteen.
   Without colours several lines are told apart by their dashes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/terminal.h"
#include "stdlib/plot/plot_int.h"

gx_terminal gx_terminal_now(gx_rt *rt) {
    gx_terminal t = {.columns = 72, .rows = 24};
    const char *no = getenv("NO_COLOR"), *force = getenv("FORCE_COLOR");
    const char *term = getenv("TERM"), *deep = getenv("COLORTERM"), *images = getenv("GX_IMAGES");
    bool screen = gx_is_terminal(rt, GX_OUT);
    if (!term) term = "";
    if (screen) {
        int columns, rows;
        if (gx_terminal_size(rt, GX_OUT, &columns, &rows)) {
            t.columns = columns < 100 ? columns : 100;
            t.rows = rows;
        }
        const char *locale = getenv("LC_ALL");
        if (!locale || !*locale) locale = getenv("LC_CTYPE");
        if (!locale || !*locale) locale = getenv("LANG");
        const char *set = locale ? strchr(locale, '.') : NULL;
        bool other = set && strncasecmp(set, ".utf", 4) != 0;
        t.ascii = other || strcmp(term, "dumb") == 0 || strcmp(term, "linux") == 0;
    }
    if (t.columns < 20) t.columns = 20;
    if (images && *images) t.ascii = strcmp(images, "ascii") == 0;
    bool plain = (no && *no) || !*term || strcmp(term, "dumb") == 0;
    if ((screen && !plain) || (force && *force && !(no && *no)))
        t.colors = deep && (strcmp(deep, "truecolor") == 0 || strcmp(deep, "24bit") == 0) ? 1 << 24
                   : strstr(term, "256color") ? 256 : 16;
    return t;
}

bool gx_term_color(const gx_terminal *t, int code, gx_buf *out) {
    return !t->colors || gx_buf_printf(out, "\x1b[%dm", code);
}

/* What one axes is drawn into. */
typedef struct pad {
    gx_rt *rt;
    const gx_terminal *t;
    const gx_panel *ax;
    int w, h;         /* characters */
    int across, down; /* dots a character */
    uint8_t *dots;    /* of each character */
    uint8_t *ink;     /* its colour, 0: none */
    uint32_t *over;   /* a character instead, 0: none */
    double low[2], high[2];
    int color; /* of what is drawn now */
    char sign; /* ASCII */
    int pattern, phase;
} pad;

static void dot(pad *p, int x, int y) {
    static const uint8_t bits[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
    if (x < 0 || y < 0 || x >= p->w * p->across || y >= p->h * p->down) return;
    size_t at = (size_t)(y / p->down) * (size_t)p->w + (size_t)(x / p->across);
    p->dots[at] |= p->across == 1 ? 1 : bits[y % 4][x % 2];
    p->ink[at] = (uint8_t)p->color;
    if (p->across == 1) p->over[at] = (uint32_t)p->sign;
}

static double dot_x(const pad *p, double v) {
    return gx_scale_place(&p->ax->scale[0], p->low[0], p->high[0], v) * (p->w * p->across - 1);
}
static double dot_y(const pad *p, double v) {
    return (1 - gx_scale_place(&p->ax->scale[1], p->low[1], p->high[1], v)) * (p->h * p->down - 1);
}

/* Is the next dot of a dashed line drawn? */
static bool drawn(pad *p) {
    static const uint16_t patterns[4] = {0xffff, 0x5555, 0x0f0f, 0x4f4f};
    return patterns[p->pattern] >> (p->phase++ & 15) & 1;
}

static void segment(pad *p, double x0, double y0, double x1, double y1) {
    const double high[2] = {p->w * p->across, p->h * p->down};
    double a[2] = {x0, y0}, d[2] = {x1 - x0, y1 - y0}, t0 = 0, t1 = 1;
    if (!isfinite(x0 + y0 + x1 + y1)) return;
    for (int k = 0; k < 2; k++) {
        if (d[k] == 0) {
            if (a[k] < -1 || a[k] > high[k]) return;
            continue;
        }
        double from = (-1 - a[k]) / d[k], to = (high[k] - a[k]) / d[k];
        t0 = fmax(t0, fmin(from, to));
        t1 = fmin(t1, fmax(from, to));
    }
    if (!(t0 <= t1)) return;
    int steps = (int)ceil(fmax(fabs(d[0]), fabs(d[1])) * (t1 - t0));
    for (int i = 0; i <= steps; i++) {
        double t = steps ? t0 + (t1 - t0) * i / steps : t0;
        if (drawn(p)) dot(p, (int)lround(a[0] + t * d[0]), (int)lround(a[1] + t * d[1]));
    }
}

static void draw_points(pad *p, const gx_mark *m) {
    bool large = m->n <= 150 && p->across > 1 && m->style.marker != '.' && m->style.marker != ',';
    for (int64_t i = 0; i < m->n; i++) {
        double x = dot_x(p, m->x[i]), y = dot_y(p, m->y[i]);
        if (!isfinite(x) || !isfinite(y) || fabs(x) > 1e6 || fabs(y) > 1e6) continue;
        if (m->colors) p->color = gx_color_ansi(m->colors[i]);
        int px = (int)lround(x), py = (int)lround(y);
        dot(p, px, py);
        if (!large) continue;
        dot(p, px + 1, py);
        dot(p, px, py + 1);
        dot(p, px + 1, py + 1);
    }
}

static void draw_line(pad *p, const gx_mark *m) {
    double x = NAN, y = NAN;
    p->phase = 0;
    for (int64_t i = 0; i < m->n; i++) {
        double x1 = dot_x(p, m->x[i]), y1 = dot_y(p, m->y[i]);
        if (i && (fabs(x1 - x) >= 0.5 || fabs(y1 - y) >= 0.5 || !isfinite(x + y + x1 + y1))) {
            segment(p, x, y, x1, y1);
        } else if (i && i + 1 < m->n) {
            continue; /* no further than a dot: the next one goes on from there */
        }
        x = x1;
        y = y1;
        if (i % 65536 == 65535 && p->rt->interrupted) return;
    }
    if (m->n == 1 && !m->style.marker) draw_points(p, m);
}

static int held(double v, int most) {
    return !(v > 0) ? 0 : v > most ? most : (int)lround(v);
}

/* Everything between two corners; thin: every other dot. */
static void block(pad *p, double x0, double y0, double x1, double y1, bool thin) {
    int w = p->w * p->across - 1, h = p->h * p->down - 1;
    int left = held(fmin(x0, x1), w), right = held(fmax(x0, x1), w);
    int top = held(fmin(y0, y1), h), bottom = held(fmax(y0, y1), h);
    if (fmax(x0, x1) < 0 || fmin(x0, x1) > w || fmax(y0, y1) < 0 || fmin(y0, y1) > h) return;
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++)
            if (!thin || (x + y) % 2 == 0) dot(p, x, y);
}

static void draw_bars(pad *p, const gx_mark *m) {
    for (int64_t i = 0; i < m->n; i++) {
        double x0 = dot_x(p, fmin(m->x[i], m->x2[i])), x1 = dot_x(p, fmax(m->x[i], m->x2[i]));
        double y0 = dot_y(p, fmin(m->y[i], m->y2[i])), y1 = dot_y(p, fmax(m->y[i], m->y2[i]));
        if (isnan(y0)) y0 = p->h * p->down;
        if (isnan(x0)) x0 = -1;
        if (m->y[i] == m->y2[i] || m->x[i] == m->x2[i]) continue; /* nothing to see */
        if (!isfinite(x0 + x1 + y0 + y1)) continue;
        if (m->colors) p->color = gx_color_ansi(m->colors[i]);
        if (m->upright && x1 - x0 > 3) x1 -= 2; /* a gap between neighbours */
        if (!m->upright && y0 - y1 > 3) y0 -= 2;
        block(p, x0, y0, x1, y1, false);
    }
}

static void draw_area(pad *p, const gx_mark *m) {
    for (int64_t i = 0; i + 1 < m->n; i++) {
        double x0 = dot_x(p, m->x[i]), x1 = dot_x(p, m->x[i + 1]);
        if (!isfinite(x0 + x1) || x1 < x0 || x0 > 1e6 || x1 < 0) continue;
        for (double x = ceil(fmax(x0, 0)); x <= x1 && x < p->w * p->across; x++) {
            double t = x1 > x0 ? (x - x0) / (x1 - x0) : 0;
            double a = dot_y(p, m->y[i] + (m->y[i + 1] - m->y[i]) * t);
            double b = dot_y(p, m->y2[i] + (m->y2[i + 1] - m->y2[i]) * t);
            if (isfinite(a + b)) block(p, x, a, x, b, true);
        }
    }
}

static void draw_text(pad *p, const gx_mark *m) {
    double x = dot_x(p, m->x[0]) / p->across, y = dot_y(p, m->y[0]) / p->down;
    if (!(x >= 0 && x < p->w && y >= 0 && y < p->h)) return;
    int column = (int)x, bytes, n = (int)gx_utf8_width(m->text, strlen(m->text));
    column -= m->h_align == 0 ? n / 2 : m->h_align > 0 ? n : 0;
    for (const char *s = m->text; *s; s += bytes, column++) {
        uint32_t code = gx_utf8_decode(s, &bytes);
        size_t at = (size_t)(int)y * (size_t)p->w + (size_t)(column < 0 ? 0 : column);
        if (column < 0 || column >= p->w) continue;
        p->over[at] = p->t->ascii && code > 126 ? '?' : code;
        p->ink[at] = 0;
    }
}

static void draw_mark(pad *p, const gx_mark *m) {
    double x = m->n ? dot_x(p, m->x[0]) : 0, y = m->n ? dot_y(p, m->y[0]) : 0;
    switch (m->kind) {
    case GX_MARK_LINE:
        if (m->style.line != GX_LINE_NONE) draw_line(p, m);
        if (m->style.marker) draw_points(p, m);
        break;
    case GX_MARK_BARS: draw_bars(p, m); break;
    case GX_MARK_AREA: draw_area(p, m); break;
    case GX_MARK_SEGMENTS:
        for (int64_t i = 0; i < m->n; i++) {
            if (m->colors) p->color = gx_color_ansi(m->colors[i]);
            segment(p, dot_x(p, m->x[i]), dot_y(p, m->y[i]), dot_x(p, m->x2[i]),
                    dot_y(p, m->y2[i]));
        }
        break;
    case GX_MARK_RULE:
        if (m->upright)
            segment(p, x, 0, x, p->h * p->down);
        else
            segment(p, 0, y, p->w * p->across, y);
        break;
    case GX_MARK_BAND:
        if (m->upright)
            block(p, x, 0, dot_x(p, m->x2[0]), p->h * p->down, true);
        else
            block(p, 0, y, p->w * p->across, dot_y(p, m->y2[0]), true);
        break;
    case GX_MARK_TEXT: draw_text(p, m); break;
    case GX_MARK_IMAGE: break;
    }
}

/* --- the frame around it --- */

/* How a mark looks that is the i-th: its colour, its sign, its dashes. */
static void choose_look(pad *p, const gx_mark *m, int i) {
    static const char signs[] = "*+ox#@%&";
    p->color = gx_color_ansi(m->style.color);
    p->sign = m->kind == GX_MARK_AREA || m->kind == GX_MARK_BAND ? ':' : signs[i % 8];
    switch (m->style.line) {
    case GX_LINE_DASHED: p->pattern = 2; break;
    case GX_LINE_DOTTED: p->pattern = 1; break;
    case GX_LINE_DASHDOT: p->pattern = 3; break;
    case GX_LINE_SOLID:
    case GX_LINE_NONE: p->pattern = p->t->colors || p->across == 1 ? 0 : i % 4; break;
    }
    if (m->kind == GX_MARK_RULE) p->pattern = p->pattern ? p->pattern : 1;
}

static int look_of(const gx_panel *ax, const gx_mark *m) {
    int i = 0;
    for (size_t k = 0; k < ax->marks.count && ax->marks.items[k] != m; k++)
        i += ax->marks.items[k]->kind == GX_MARK_LINE;
    return i;
}

static bool put_cell(const pad *p, size_t at, int *ink, gx_buf *out) {
    uint32_t code = p->over[at] ? p->over[at] : p->dots[at] ? 0x2800u + p->dots[at] : ' ';
    int color = code == ' ' ? *ink : p->ink[at];
    if (color != *ink && !gx_term_color(p->t, color ? color : 0, out)) return false;
    *ink = color;
    return gx_buf_code(out, code);
}

static bool put_row(const pad *p, int row, gx_buf *out) {
    int last = p->w - 1, ink = 0;
    size_t at = (size_t)row * (size_t)p->w;
    while (last >= 0 && !p->dots[at + (size_t)last] && !p->over[at + (size_t)last]) last--;
    for (int i = 0; i <= last; i++)
        if (!put_cell(p, at + (size_t)i, &ink, out)) return false;
    return (ink == 0 || gx_term_color(p->t, 0, out)) && gx_buf_char(out, '\n');
}

static const char *tick_text(const gx_tick *t) {
    return t->name ? t->name : t->text;
}
static int text_width(const char *s) {
    return (int)gx_utf8_width(s, strlen(s));
}

/* Text in the middle of `width` columns, behind `left` blanks. */
static bool centred(const char *s, int left, int width, gx_buf *out) {
    int blank = left + (width - text_width(s)) / 2;
    return gx_buf_fill(out, ' ', (size_t)(blank > 0 ? blank : 0)) && gx_buf_puts(out, s) &&
           gx_buf_char(out, '\n');
}

static bool put_rows(const pad *p, const gx_ticks *y, int margin, gx_buf *out) {
    bool ok = true;
    for (int row = 0; ok && row < p->h; row++) {
        const gx_tick *here = NULL;
        for (int i = 0; i < y->count; i++) {
            double at = dot_y(p, y->items[i].at);
            if (!y->items[i].minor && at > -0.5 && (int)(lround(at) / p->down) == row)
                here = &y->items[i];
        }
        const char *s = here ? tick_text(here) : "";
        ok = gx_buf_fill(out, ' ', (size_t)(margin - text_width(s))) && gx_buf_puts(out, s) &&
             gx_buf_puts(out, p->t->ascii ? (here ? " +" : " |") : here ? " ┤" : " │") &&
             put_row(p, row, out);
    }
    return ok;
}

/* The line below, its marks, and their numbers where there is room. */
static bool put_foot(const pad *p, const gx_ticks *x, int margin, gx_buf *out) {
    int free_from = 0, column = 0;
    gx_buf labels = gx_buf_new(p->rt);
    bool ok =
        gx_buf_fill(out, ' ', (size_t)margin + 1) && gx_buf_puts(out, p->t->ascii ? "+" : "└");
    for (int i = 0; ok && i < p->w; i++) {
        const gx_tick *here = NULL;
        for (int k = 0; k < x->count; k++)
            if (!x->items[k].minor && lround(dot_x(p, x->items[k].at)) / p->across == i)
                here = &x->items[k];
        ok = gx_buf_puts(out, p->t->ascii ? (here ? "+" : "-") : here ? "┬" : "─");
        if (!here || !ok) continue;
        int n = text_width(tick_text(here)), from = margin + 2 + i - n / 2;
        if (from < free_from) continue;
        ok = gx_buf_fill(&labels, ' ', (size_t)(from - column)) &&
             gx_buf_puts(&labels, tick_text(here));
        column = from + n;
        free_from = column + 1;
    }
    ok = ok && gx_buf_char(out, '\n') && (!labels.length || gx_buf_puts(out, labels.data)) &&
         gx_buf_char(out, '\n');
    gx_buf_free(&labels);
    return ok;
}

static bool put_legend(pad *p, int margin, gx_buf *out) {
    static const char *const samples[] = {"⠤⠤⠤", "⠄⠄⠄", "⠤⠄⠤", "⠤⠠⠤"};
    bool any = false, ok = true;
    for (size_t i = 0; ok && p->ax->legend && i < p->ax->marks.count; i++) {
        const gx_mark *m = p->ax->marks.items[i];
        const char sign[2] = {0, 0}, *sample = sign;
        char one[2] = {0, 0};
        if (!m->style.label || m->style.label[0] == '_') continue;
        choose_look(p, m, look_of(p->ax, m));
        one[0] = p->sign;
        sample = p->t->ascii ? one : m->kind != GX_MARK_LINE && m->kind != GX_MARK_RULE ? "⣿⣿"
                 : m->style.line == GX_LINE_NONE ? "⠶" : samples[p->pattern];
        ok = gx_buf_fill(out, ' ', any ? 3 : (size_t)margin + 2) &&
             gx_term_color(p->t, p->color, out) && gx_buf_puts(out, sample) &&
             gx_term_color(p->t, 0, out) && gx_buf_char(out, ' ') &&
             gx_buf_puts(out, m->style.label);
        any = true;
    }
    return ok && (!any || gx_buf_char(out, '\n'));
}

static bool put_axes(pad *p, gx_buf *out) {
    const gx_panel *ax = p->ax;
    gx_ticks x, y;
    int margin = 0;
    for (int k = 0; k < 2; k++) gx_axes_limits(ax, k, &p->low[k], &p->high[k]);
    gx_ticks_of(&ax->scale[1], p->low[1], p->high[1], p->h / 3, true, &y);
    for (int i = 0; i < y.count; i++) {
        int n = text_width(tick_text(&y.items[i]));
        if (!y.items[i].minor && n > margin) margin = n;
    }
    p->w = p->t->columns - margin - 4;
    if (p->w < 8) p->w = 8;
    size_t cells = (size_t)p->w * (size_t)p->h;
    p->dots = gx_alloc_zero(p->rt, cells);
    p->ink = gx_alloc_zero(p->rt, cells);
    p->over = gx_alloc_zero(p->rt, cells * sizeof *p->over);
    bool ok = p->dots && p->ink && p->over;
    gx_ticks_of(&ax->scale[0], p->low[0], p->high[0], p->w / 9, true, &x);
    for (size_t i = 0; ok && i < ax->marks.count; i++) {
        choose_look(p, ax->marks.items[i], look_of(ax, ax->marks.items[i]));
        draw_mark(p, ax->marks.items[i]);
        ok = gx_interrupt_check(p->rt);
    }
    const char *name = ax->scale[0].label ? ax->scale[0].label : "";
    if (ok && ax->title) ok = centred(ax->title, margin + 2, p->w, out);
    if (ok && (ax->scale[1].label || y.factor[0]))
        ok = gx_buf_printf(out, "%s%s%s\n", ax->scale[1].label ? ax->scale[1].label : "",
                           ax->scale[1].label && y.factor[0] ? " " : "", y.factor);
    ok = ok && put_rows(p, &y, margin, out) && put_foot(p, &x, margin, out);
    if (ok && x.factor[0])
        ok = gx_buf_fill(out, ' ', (size_t)(margin + 2 + p->w) - strlen(x.factor)) &&
             gx_buf_printf(out, "%s\n", x.factor);
    if (ok && *name) ok = centred(name, margin + 2, p->w, out);
    ok = ok && put_legend(p, margin, out);
    gx_free(p->rt, p->dots);
    gx_free(p->rt, p->ink);
    gx_free(p->rt, p->over);
    return ok;
}

static bool put_image_axes(gx_rt *rt, const gx_panel *ax, const gx_mark *m, const gx_terminal *t,
                           gx_buf *out) {
    gx_raster_data im = m->image;
    bool ok = !ax->title || gx_buf_printf(out, "%s\n", ax->title);
    return ok && gx_image_text(rt, &im, t, out);
}

bool gx_figure_text(gx_rt *rt, gx_figure *f, const gx_terminal *t, gx_buf *out) {
    bool ok = !f->title || centred(f->title, 0, t->columns, out);
    int h = t->rows - 9 < 6 ? 6 : t->rows - 9 > 15 ? 15 : t->rows - 9;
    for (size_t i = 0; ok && i < f->axes.count; i++) {
        const gx_panel *ax = f->axes.items[i];
        const gx_mark *m = gx_axes_image(ax);
        pad p = {.rt = rt, .t = t, .ax = ax, .h = f->axes.count > 1 ? h * 2 / 3 : h,
                 .across = t->ascii ? 1 : 2, .down = t->ascii ? 1 : 4};
        if (i) ok = gx_buf_char(out, '\n');
        ok = ok && (m ? put_image_axes(rt, ax, m, t, out) : put_axes(&p, out));
    }
    return ok;
}
