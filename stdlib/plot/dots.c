/* Characters of a terminal to draw on: dots, eight a character by braille patterns (or one a
   character where only ASCII is shown), in the terminal's own sixteen colours. */
#include <math.h>
#include <string.h>

#include "stdlib/plot/canvas_int.h"

typedef struct dots {
    gx_obj obj;
    int w, h;         /* characters */
    int across, down; /* dots a character */
    bool colors;
    uint8_t *bits;  /* the dots of each character */
    uint8_t *ink;   /* its colour, 0: none */
    uint32_t *over; /* a character instead, 0: none */
    int color;      /* of what is drawn now */
    char sign;      /* the same, in ASCII */
    int pattern, phase;
} dots;

static dots *self_of(const gx_call *c) {
    return (dots *)c->argv[0].obj;
}

static void dots_free(gx_rt *rt, gx_obj *o) {
    dots *d = (dots *)o;
    gx_free(rt, d->bits);
    gx_free(rt, d->ink);
    gx_free(rt, d->over);
    gx_free(rt, o);
}

static void dot(dots *d, int x, int y) {
    static const uint8_t bits[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
    if (x < 0 || y < 0 || x >= d->w * d->across || y >= d->h * d->down) return;
    size_t at = (size_t)(y / d->down) * (size_t)d->w + (size_t)(x / d->across);
    d->bits[at] |= d->across == 1 ? 1 : bits[y % 4][x % 2];
    d->ink[at] = (uint8_t)d->color;
    if (d->across == 1) d->over[at] = (uint32_t)d->sign;
}

/* Is the next dot of a dashed line drawn? */
static bool drawn(dots *d) {
    static const uint16_t patterns[4] = {0xffff, 0x5555, 0x0f0f, 0x4f4f};
    return patterns[d->pattern] >> (d->phase++ & 15) & 1;
}

static void segment(dots *d, double x0, double y0, double x1, double y1) {
    const double high[2] = {d->w * d->across, d->h * d->down};
    double a[2] = {x0, y0}, go[2] = {x1 - x0, y1 - y0}, t0 = 0, t1 = 1;
    if (!isfinite(x0 + y0 + x1 + y1)) return;
    for (int k = 0; k < 2; k++) {
        if (go[k] == 0) {
            if (a[k] < -1 || a[k] > high[k]) return;
            continue;
        }
        double from = (-1 - a[k]) / go[k], to = (high[k] - a[k]) / go[k];
        t0 = fmax(t0, fmin(from, to));
        t1 = fmin(t1, fmax(from, to));
    }
    if (!(t0 <= t1)) return;
    int steps = (int)ceil(fmax(fabs(go[0]), fabs(go[1])) * (t1 - t0));
    for (int i = 0; i <= steps; i++) {
        double t = steps ? t0 + (t1 - t0) * i / steps : t0;
        if (drawn(d)) dot(d, (int)lround(a[0] + t * go[0]), (int)lround(a[1] + t * go[1]));
    }
}

static int held(double v, int most) {
    return !(v > 0) ? 0 : v > most ? most : (int)lround(v);
}

/* Everything between two corners; thin: every other dot. */
static void block(dots *d, double x0, double y0, double x1, double y1, bool thin) {
    int w = d->w * d->across - 1, h = d->h * d->down - 1;
    if (!isfinite(x0 + y0 + x1 + y1)) return;
    if (fmax(x0, x1) < 0 || fmin(x0, x1) > w || fmax(y0, y1) < 0 || fmin(y0, y1) > h) return;
    int left = held(fmin(x0, x1), w), right = held(fmax(x0, x1), w);
    int top = held(fmin(y0, y1), h), bottom = held(fmax(y0, y1), h);
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++)
            if (!thin || (x + y) % 2 == 0) dot(d, x, y);
}

/* --- methods: coordinates are dots, from the upper left --- */

static bool dots_look(gx_call *c, gx_value *out) {
    dots *d = self_of(c);
    int64_t color, pattern;
    const char *sign;
    size_t length;
    *out = gx_none();
    if (!gx_arg_int(c, 1, &color) || !gx_arg_int(c, 2, &pattern) ||
        !gx_arg_str(c, 3, &sign, &length))
        return false;
    d->color = (int)color;
    d->pattern = (int)(pattern & 3);
    d->sign = *sign;
    return true;
}

static bool dots_line(gx_call *c, gx_value *out) {
    dots *d = self_of(c);
    gx_np s = gx_np_begin(c);
    const double *p;
    int64_t n;
    double x = NAN, y = NAN;
    *out = gx_none();
    if (!gx_plot_numbers(&s, c, 1, 2, &p, &n)) return gx_np_end(&s, false);
    d->phase = 0;
    for (int64_t i = 0; i < n; i++) {
        double x1 = p[2 * i], y1 = p[2 * i + 1];
        if (i && (fabs(x1 - x) >= 0.5 || fabs(y1 - y) >= 0.5 || !isfinite(x + y + x1 + y1)))
            segment(d, x, y, x1, y1);
        else if (i && i + 1 < n)
            continue; /* no further than a dot: the next one goes on from there */
        x = x1;
        y = y1;
        if (i % 65536 == 65535 && !gx_interrupt_check(c->rt)) return gx_np_end(&s, false);
    }
    return gx_np_end(&s, true);
}

/* Dots at points, in a colour each (0: the one of look); large: four a point. */
static bool dots_points(gx_call *c, gx_value *out) {
    dots *d = self_of(c);
    gx_np s = gx_np_begin(c);
    const double *p, *colors;
    int64_t n, k;
    bool large;
    *out = gx_none();
    if (!gx_plot_numbers(&s, c, 1, 2, &p, &n) || !gx_plot_numbers(&s, c, 2, 0, &colors, &k) ||
        !gx_arg_bool(c, 3, &large))
        return gx_np_end(&s, false);
    for (int64_t i = 0; i < n; i++) {
        double x = p[2 * i], y = p[2 * i + 1];
        if (!isfinite(x + y) || fabs(x) > 1e6 || fabs(y) > 1e6) continue;
        if (k) d->color = (int)colors[i % k];
        int px = (int)lround(x), py = (int)lround(y);
        dot(d, px, py);
        if (!large) continue;
        dot(d, px + 1, py);
        dot(d, px, py + 1);
        dot(d, px + 1, py + 1);
    }
    return gx_np_end(&s, true);
}

static bool dots_block(gx_call *c, gx_value *out) {
    double v[4];
    bool thin;
    *out = gx_none();
    for (int i = 0; i < 4; i++)
        if (!gx_arg_float(c, i + 1, &v[i])) return false;
    if (!gx_arg_bool(c, 5, &thin)) return false;
    block(self_of(c), v[0], v[1], v[2], v[3], thin);
    return true;
}

/* The inside of rings (even-odd), every other dot if thin. */
static bool dots_area(gx_call *c, gx_value *out) {
    dots *d = self_of(c);
    gx_np s = gx_np_begin(c);
    const double *p;
    int64_t n;
    bool thin;
    *out = gx_none();
    if (!gx_plot_numbers(&s, c, 1, 2, &p, &n) || !gx_arg_bool(c, 2, &thin))
        return gx_np_end(&s, false);
    const int w = d->w * d->across, h = d->h * d->down;
    uint8_t *inside = gx_np_room(&s, w + 1, 1);
    if (!inside) return gx_np_end(&s, false);
    for (int y = 0; y < h; y++) {
        memset(inside, 0, (size_t)w + 1);
        for (int64_t from = 0, to; from < n; from = to + 1) {
            for (to = from; to < n && isfinite(p[2 * to] + p[2 * to + 1]); to++) {}
            for (int64_t i = from; i < to; i++) {
                const double *a = p + 2 * i, *b = p + 2 * (i + 1 < to ? i + 1 : from);
                if ((a[1] <= y) == (b[1] <= y)) continue;
                double x = ceil(a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) - 1e-9);
                inside[x < 0 ? 0 : x > w ? w : (int)x] ^= 1;
            }
        }
        for (int x = 0, in = 0; x < w; x++) {
            in ^= inside[x];
            if (in && (!thin || (x + y) % 2 == 0)) dot(d, x, y);
        }
        if (!gx_interrupt_check(c->rt)) return gx_np_end(&s, false);
    }
    return gx_np_end(&s, true);
}

static bool dots_put(gx_call *c, gx_value *out) {
    dots *d = self_of(c);
    int64_t row, column;
    const char *text;
    size_t length;
    int bytes;
    *out = gx_none();
    if (!gx_arg_int(c, 1, &row) || !gx_arg_int(c, 2, &column) || !gx_arg_str(c, 3, &text, &length))
        return false;
    if (row < 0 || row >= d->h) return true;
    for (; *text; text += bytes, column++) {
        uint32_t code = gx_utf8_decode(text, &bytes);
        if (column < 0 || column >= d->w) continue;
        size_t at = (size_t)row * (size_t)d->w + (size_t)column;
        d->over[at] = d->across == 1 && code > 126 ? '?' : code;
        d->ink[at] = 0;
    }
    return true;
}

static bool put_row(const dots *d, int row, gx_buf *out) {
    int last = d->w - 1, ink = 0;
    size_t at = (size_t)row * (size_t)d->w;
    while (last >= 0 && !d->bits[at + (size_t)last] && !d->over[at + (size_t)last]) last--;
    for (int i = 0; i <= last; i++, at++) {
        uint32_t code = d->over[at] ? d->over[at] : d->bits[at] ? 0x2800u + d->bits[at] : ' ';
        int color = !d->colors ? 0 : code == ' ' ? ink : d->ink[at];
        if (color != ink && !gx_buf_printf(out, "\x1b[%dm", color)) return false;
        ink = color;
        if (!gx_buf_code(out, code)) return false;
    }
    return ink == 0 || gx_buf_puts(out, "\x1b[0m");
}

static bool dots_rows(gx_call *c, gx_value *out) {
    const dots *d = self_of(c);
    gx_value list, text;
    if (!gx_list_new(c->rt, 0, NULL, &list)) return false;
    for (int row = 0; row < d->h; row++) {
        gx_buf b = gx_buf_new(c->rt);
        bool ok = put_row(d, row, &b);
        if (ok) ok = gx_str_take(&b, &text);
        else gx_buf_free(&b);
        if (!ok || !gx_list_push_take(c->rt, list, text)) {
            gx_drop(list);
            return false;
        }
    }
    *out = list;
    return true;
}

#define ROW(n, sig, text) {#n, #n sig, text, NULL, dots_##n, 0, 0}
static const gx_native methods[] = {
    ROW(look, "(self, color, pattern, sign, /)", "How what follows is drawn."),
    ROW(line, "(self, xy, /)", "A line through points; NaN parts it."),
    ROW(points, "(self, xy, colors, large, /)", "Dots."),
    ROW(block, "(self, x0, y0, x1, y1, thin, /)", "All between two corners."),
    ROW(area, "(self, xy, thin, /)", "The inside of rings, parted by NaN."),
    ROW(put, "(self, row, column, text, /)", "Characters over the dots."),
    ROW(rows, "(self, /)", "The lines of text."),
    {.name = NULL},
};
#undef ROW

const gx_type gx_type_dots = {
    .name = "Dots", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE,
    .doc = "Characters of a terminal to draw on.", .free = dots_free, .methods = methods,
};

bool gx_dots_new(gx_call *c, gx_value *out) {
    int64_t w, h;
    bool ascii, colors;
    if (!gx_arg_int(c, 0, &w) || !gx_arg_int(c, 1, &h) || !gx_arg_bool(c, 2, &ascii) ||
        !gx_arg_bool(c, 3, &colors))
        return false;
    if (w < 1 || h < 1 || w > 1000 || h > 1000) return gx_arg_wrong(c, 0, "1 to 1000");
    dots *d = gx_obj_new(c->rt, &gx_type_dots, sizeof *d);
    if (!d) return false;
    d->w = (int)w;
    d->h = (int)h;
    d->across = ascii ? 1 : 2;
    d->down = ascii ? 1 : 4;
    d->colors = colors;
    d->sign = '*';
    size_t cells = (size_t)w * (size_t)h;
    d->bits = gx_alloc_zero(c->rt, cells);
    d->ink = gx_alloc_zero(c->rt, cells);
    d->over = gx_alloc_zero(c->rt, cells * sizeof *d->over);
    if (!d->bits || !d->ink || !d->over) {
        gx_obj_drop(&d->obj);
        return false;
    }
    *out = gx_object(&d->obj);
    return true;
}
