/* Images in a terminal: two pixels a character by half blocks in colour; characters by darkness
   where there are no colours. */
#include <math.h>
#include <string.h>

#include "stdlib/plot/plot_int.h"

static bool put_color(const gx_terminal *t, gx_rgba c, bool below, gx_buf *out) {
    if (c.a < 128) return gx_buf_puts(out, below ? "\x1b[49m" : "\x1b[39m");
    if (t->colors > 256)
        return gx_buf_printf(out, "\x1b[%d;2;%d;%d;%dm", below ? 48 : 38, c.r, c.g, c.b);
    int code = 16 + 36 * ((c.r * 5 + 127) / 255) + 6 * ((c.g * 5 + 127) / 255) +
               (c.b * 5 + 127) / 255;
    return gx_buf_printf(out, "\x1b[%d;5;%dm", below ? 48 : 38, code);
}

static bool same(gx_rgba a, gx_rgba b) {
    return a.r == b.r && a.g == b.g && a.b == b.b && a.a == b.a;
}

/* How much ink stands for a pixel: a value's place in its range, a colour's lightness. */
static double lightness(const gx_raster_data *im, gx_rgba c) {
    (void)im;
    return c.a ? (0.299 * c.r + 0.587 * c.g + 0.114 * c.b) / 255 : 0;
}

typedef struct grid {
    int w, h; /* pixels shown; h is even */
} grid;

/* As large as the terminal allows; small images are enlarged by whole numbers. */
static grid fit(const gx_raster_data *im, const gx_terminal *t) {
    double w = (double)im->columns, h = (double)im->rows;
    double most_w = t->columns - 2, most_h = 2 * (t->rows > 8 ? t->rows - 4 : 4);
    if (most_h > 48) most_h = 48;
    double k = fmin(most_w / w, most_h / h);
    if (k > 1) k = fmin(floor(k), 8);
    grid g = {(int)fmax(1, round(w * k)), (int)fmax(1, round(h * k))};
    g.h += g.h % 2;
    return g;
}

static gx_rgba pixel(const gx_raster_data *im, const grid *g, int row, int column) {
    double y = (double)im->rows / g->h, x = (double)im->columns / g->w;
    return gx_image_at(im, row * y, (row + 1) * y, column * x, (column + 1) * x);
}

static bool row_of_blocks(const gx_raster_data *im, const grid *g, int row, const gx_terminal *t,
                          gx_buf *out) {
    gx_rgba last_up = {0}, last_down = {0};
    for (int i = 0; i < g->w; i++) {
        gx_rgba up = pixel(im, g, row, i), down = pixel(im, g, row + 1, i);
        if ((i == 0 || !same(up, last_up)) && !put_color(t, up, false, out)) return false;
        if ((i == 0 || !same(down, last_down)) && !put_color(t, down, true, out)) return false;
        if (!gx_buf_puts(out, up.a < 128 && down.a < 128 ? " " : "▀")) return false;
        last_up = up;
        last_down = down;
    }
    return gx_buf_puts(out, "\x1b[0m\n");
}

static bool row_of_signs(const gx_raster_data *im, const grid *g, int row, bool ascii,
                         gx_buf *out) {
    static const char ramp[] = " .:-=+*#%@";
    static const char *const shades[] = {" ", "░", "▒", "▓", "█"};
    for (int i = 0; i < g->w; i++) {
        double v =
            (lightness(im, pixel(im, g, row, i)) + lightness(im, pixel(im, g, row + 1, i))) / 2;
        if (ascii ? !gx_buf_char(out, ramp[(int)(v * 9.999)])
                  : !gx_buf_puts(out, shades[(int)(v * 4.999)]))
            return false;
    }
    while (out->length && out->data[out->length - 1] == ' ') out->data[--out->length] = 0;
    return gx_buf_char(out, '\n');
}

bool gx_image_text(gx_rt *rt, const gx_raster_data *im, const gx_terminal *t, gx_buf *out) {
    gx_raster_data shown = *im;
    if (im->rows < 1 || im->columns < 1) return gx_buf_puts(out, "(an empty image)\n");
    grid g = fit(im, t);
    bool colors = t->colors >= 256 && !t->ascii;
    /* Without colours a value is shown by its place in the range alone. */
    if (!colors && im->values) {
        shown.map = gx_color_map_of(rt, "gray");
        if (!shown.map) return false;
    }
    for (int row = 0; row < g.h; row += 2) {
        if (!gx_interrupt_check(rt)) return false;
        if (!(colors ? row_of_blocks(&shown, &g, row, t, out)
                     : row_of_signs(&shown, &g, row, t->ascii, out)))
            return false;
    }
    if (!im->values) return gx_buf_printf(out, "%lld x %lld pixels\n", (long long)im->columns,
                                          (long long)im->rows);
    return gx_buf_printf(out, "%lld x %lld   %.4g to %.4g   %s\n", (long long)im->rows,
                         (long long)im->columns, im->low, im->high, gx_color_map_name(im->map));
}
