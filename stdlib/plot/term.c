/* Images in a terminal: two pixels a character by half blocks in colour, characters by darkness
   where there are no colours, and sixels. What the terminal is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/terminal.h"
#include "stdlib/plot/canvas_int.h"

bool gx_terminal_facts(gx_call *c, gx_value *out) {
    const char *no = getenv("NO_COLOR"), *force = getenv("FORCE_COLOR");
    const char *term = getenv("TERM"), *deep = getenv("COLORTERM");
    bool screen = gx_is_terminal(c->rt, GX_OUT);
    int columns = 72, rows = 24, colors = 0;
    if (!term) term = "";
    if (screen && gx_terminal_size(c->rt, GX_OUT, &columns, &rows) && columns > 100) columns = 100;
    bool plain = (no && *no) || !*term || strcmp(term, "dumb") == 0;
    if ((screen && !plain) || (force && *force && !(no && *no)))
        colors = deep && (strcmp(deep, "truecolor") == 0 || strcmp(deep, "24bit") == 0) ? 1 << 24
                 : strstr(term, "256color") ? 256 : 16;
    const gx_value facts[4] = {gx_int(columns < 20 ? 20 : columns), gx_int(rows), gx_int(colors),
                               gx_bool(screen)};
    return gx_tuple_new(c->rt, 4, facts, out);
}

typedef struct view {
    const gx_rgba *data;
    int64_t rows, columns;
    int w, h; /* pixels shown; h is even */
    int64_t colors;
    bool ascii;
} view;

static bool image_arg(gx_np *s, gx_call *c, view *v) {
    gx_array *a = gx_np_arr(s, c->argv[0]);
    if (!a) return false;
    if (a->dtype != GX_u8 || a->ndim != 3 || gx_shape(a)[2] != 4)
        return gx_arg_wrong(c, 0, "an array of uint8 (rows, columns, 4)");
    v->rows = gx_shape(a)[0];
    v->columns = gx_shape(a)[1];
    v->data = gx_np_data(s, gx_np_contiguous(s, a));
    return v->data != NULL;
}

/* The mean colour of what one shown pixel stands for. */
static gx_rgba pixel(const view *v, int row, int column) {
    int64_t y0 = row * v->rows / v->h, y1 = ((row + 1) * v->rows + v->h - 1) / v->h;
    int64_t x0 = column * v->columns / v->w, x1 = ((column + 1) * v->columns + v->w - 1) / v->w;
    double sum[4] = {0}, n = (double)((y1 - y0) * (x1 - x0));
    for (int64_t y = y0; y < y1; y++)
        for (int64_t x = x0; x < x1; x++) {
            gx_rgba p = v->data[y * v->columns + x];
            sum[0] += p.r * p.a, sum[1] += p.g * p.a, sum[2] += p.b * p.a, sum[3] += p.a;
        }
    if (!(sum[3] > 0)) return (gx_rgba){0, 0, 0, 0};
    return (gx_rgba){(uint8_t)lround(sum[0] / sum[3]), (uint8_t)lround(sum[1] / sum[3]),
                     (uint8_t)lround(sum[2] / sum[3]), (uint8_t)lround(sum[3] / n)};
}

static bool put_color(const view *v, gx_rgba c, bool below, gx_buf *out) {
    if (c.a < 128) return gx_buf_puts(out, below ? "\x1b[49m" : "\x1b[39m");
    if (v->colors > 256)
        return gx_buf_printf(out, "\x1b[%d;2;%d;%d;%dm", below ? 48 : 38, c.r, c.g, c.b);
    int code = 16 + 36 * ((c.r * 5 + 127) / 255) + 6 * ((c.g * 5 + 127) / 255) +
               (c.b * 5 + 127) / 255;
    return gx_buf_printf(out, "\x1b[%d;5;%dm", below ? 48 : 38, code);
}

static bool same(gx_rgba a, gx_rgba b) {
    return a.r == b.r && a.g == b.g && a.b == b.b && a.a == b.a;
}

static bool row_of_blocks(const view *v, int row, gx_buf *out) {
    gx_rgba last_up = {0}, last_down = {0};
    for (int i = 0; i < v->w; i++) {
        gx_rgba up = pixel(v, row, i), down = pixel(v, row + 1, i);
        if ((i == 0 || !same(up, last_up)) && !put_color(v, up, false, out)) return false;
        if ((i == 0 || !same(down, last_down)) && !put_color(v, down, true, out)) return false;
        if (!gx_buf_puts(out, up.a < 128 && down.a < 128 ? " " : "▀")) return false;
        last_up = up;
        last_down = down;
    }
    return gx_buf_puts(out, "\x1b[0m\n");
}

static double lightness(gx_rgba c) {
    return c.a ? (0.299 * c.r + 0.587 * c.g + 0.114 * c.b) / 255 : 0;
}

static bool row_of_signs(const view *v, int row, gx_buf *out) {
    static const char ramp[] = " .:-=+*#%@";
    static const char *const shades[] = {" ", "░", "▒", "▓", "█"};
    for (int i = 0; i < v->w; i++) {
        double t = (lightness(pixel(v, row, i)) + lightness(pixel(v, row + 1, i))) / 2;
        if (v->ascii ? !gx_buf_char(out, ramp[(int)(t * 9.999)])
                     : !gx_buf_puts(out, shades[(int)(t * 4.999)]))
            return false;
    }
    while (out->length && out->data[out->length - 1] == ' ') out->data[--out->length] = 0;
    return gx_buf_char(out, '\n');
}

/* As large as the terminal allows; small images are enlarged by whole numbers. */
static void fit(view *v, int64_t columns, int64_t rows) {
    double w = (double)v->columns, h = (double)v->rows;
    double most_w = (double)columns - 2, most_h = 2 * (rows > 8 ? (double)rows - 4 : 4);
    if (most_h > 48) most_h = 48;
    double k = fmin(most_w / w, most_h / h);
    if (k > 1) k = fmin(floor(k), 8);
    v->w = (int)fmax(1, round(w * k));
    v->h = (int)fmax(1, round(h * k));
    v->h += v->h % 2;
}

bool gx_half_blocks(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    view v = {0};
    int64_t columns, rows;
    bool ok = image_arg(&s, c, &v) && gx_arg_int(c, 1, &columns) && gx_arg_int(c, 2, &rows) &&
              gx_arg_int(c, 3, &v.colors) && gx_arg_bool(c, 4, &v.ascii);
    gx_buf b = gx_buf_new(c->rt);
    if (ok && v.rows && v.columns) {
        fit(&v, columns, rows);
        bool colors = v.colors >= 256 && !v.ascii;
        for (int row = 0; ok && row < v.h; row += 2)
            ok = gx_interrupt_check(c->rt) &&
                 (colors ? row_of_blocks(&v, row, &b) : row_of_signs(&v, row, &b));
    }
    if (ok) ok = gx_str_take(&b, out);
    else gx_buf_free(&b);
    return gx_np_end(&s, ok);
}

/* --- sixels: bands of six rows, a pass for each of 216 colours --- */

static int sixel_color(gx_rgba p) {
    if (p.a < 128) return -1;
    return 36 * ((p.r * 5 + 127) / 255) + 6 * ((p.g * 5 + 127) / 255) + (p.b * 5 + 127) / 255;
}

static bool put_run(int bits, int64_t n, gx_buf *out) {
    if (n > 3) return gx_buf_printf(out, "!%lld%c", (long long)n, 63 + bits);
    while (n-- > 0)
        if (!gx_buf_char(out, (char)(63 + bits))) return false;
    return true;
}

static bool put_band(const view *v, int64_t top, const int16_t *colors, int color, gx_buf *out) {
    int last = 0;
    int64_t run = 0;
    for (int64_t x = 0; x < v->columns; x++) {
        int bits = 0;
        for (int64_t y = top; y < top + 6 && y < v->rows; y++)
            if (colors[(y - top) * v->columns + x] == color) bits |= 1 << (y - top);
        if (bits != last && !put_run(last, run, out)) return false;
        run = bits == last ? run + 1 : 1;
        last = bits;
    }
    return last == 0 || put_run(last, run, out);
}

bool gx_sixels(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    view v = {0};
    bool ok = image_arg(&s, c, &v);
    gx_buf b = gx_buf_new(c->rt);
    int16_t *colors = ok ? gx_np_room(&s, 6 * v.columns + 1, sizeof *colors) : NULL;
    ok = colors && gx_buf_puts(&b, "\x1bPq");
    for (int i = 0; ok && i < 216; i++)
        ok = gx_buf_printf(&b, "#%d;2;%d;%d;%d", i, i / 36 * 20, i / 6 % 6 * 20, i % 6 * 20);
    for (int64_t top = 0; ok && top < v.rows; top += 6) {
        bool used[216] = {false};
        for (int64_t y = top; y < top + 6 && y < v.rows; y++)
            for (int64_t x = 0; x < v.columns; x++) {
                int color = sixel_color(v.data[y * v.columns + x]);
                colors[(y - top) * v.columns + x] = (int16_t)color;
                if (color >= 0) used[color] = true;
            }
        for (int i = 0; ok && i < 216; i++)
            if (used[i])
                ok = gx_buf_printf(&b, "#%d", i) && put_band(&v, top, colors, i, &b) &&
                     gx_buf_char(&b, '$');
        ok = ok && gx_buf_char(&b, '-') && gx_interrupt_check(c->rt);
    }
    ok = ok && gx_buf_puts(&b, "\x1b\\");
    if (ok) ok = gx_str_take(&b, out);
    else gx_buf_free(&b);
    return gx_np_end(&s, ok);
}
