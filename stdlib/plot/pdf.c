/* The page of a PDF file: the operators that draw it, in PDF's own language. What stands around
   them, objects and fonts, the library's text writes (axes/files.gx). Letters of Latin-1 are text
   in Helvetica, whose widths are stretched to what was laid out; others are drawn as lines. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stdlib/plot/canvas_int.h"

static void put_color(gx_canvas *c, gx_rgba color, const char *op) {
    char text[64];
    c->alphas[color.a] = 1;
    snprintf(text, sizeof text, "/A%d gs %.3f %.3f %.3f %s\n", color.a, color.r / 255.0,
             color.g / 255.0, color.b / 255.0, op);
    gx_canvas_puts(c, text);
}

static void put_points(gx_canvas *c, const double *xy, int64_t n, const char *end) {
    bool begins = true;
    for (int64_t i = 0; i < n; i++) {
        if (!isfinite(xy[2 * i] + xy[2 * i + 1])) {
            if (!begins) gx_canvas_puts(c, "h\n");
            begins = true;
            continue;
        }
        gx_canvas_number(c, "", xy[2 * i], " ");
        gx_canvas_number(c, "", xy[2 * i + 1], begins ? " m\n" : " l\n");
        begins = false;
    }
    gx_canvas_puts(c, end);
}

static void pdf_stroke(gx_canvas *c, const double *xy, int64_t n, const gx_pen *pen) {
    bool closed = n > 2 && xy[0] == xy[2 * n - 2] && xy[1] == xy[2 * n - 1];
    put_color(c, pen->color, "RG");
    gx_canvas_number(c, "", pen->width, pen->cap == GX_CAP_ROUND    ? " w 1 J 1 j "
                                        : pen->cap == GX_CAP_SQUARE ? " w 2 J 1 j "
                                                                    : " w 0 J 1 j ");
    gx_canvas_puts(c, "[");
    for (int i = 0; i < pen->dash_count; i++) gx_canvas_number(c, "", pen->dashes[i], " ");
    gx_canvas_number(c, "] ", pen->dash_count ? pen->dash_start : 0, " d\n");
    put_points(c, xy, n - closed, closed ? "s\n" : "S\n");
}

static void pdf_fill(gx_canvas *c, const double *xy, int64_t n, gx_rgba color, bool crisp) {
    (void)crisp;
    put_color(c, color, "rg");
    put_points(c, xy, n, "f\n");
}

/* Helvetica's widths of the characters from blank to ~, in thousandths. */
static const short widths[95] = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584};

/* The text in the encoding of PDF's fonts; false: it has other characters. */
static bool encoded(gx_canvas *c, const char *text, gx_buf *out, double *width) {
    int bytes;
    *width = 0;
    for (; *text && c->ok; text += bytes) {
        uint32_t code = gx_utf8_decode(text, &bytes);
        char octal[8];
        if (code == 0x2212 || code == 0x2013) code = 0x96; /* minus: as wide as a figure */
        else if (code == 0x2026) code = 0x85;
        else if (code < 32 || (code > 126 && code < 161) || code > 255) return false;
        *width += code < 127 ? widths[code - 32] : 556;
        if (code > 126 || code == '(' || code == ')' || code == '\\')
            snprintf(octal, sizeof octal, "\\%03o", (unsigned)code);
        else
            snprintf(octal, sizeof octal, "%c", (char)code);
        c->ok = c->ok && gx_buf_puts(out, octal);
    }
    return true;
}

typedef struct line_pen {
    gx_canvas *c;
    gx_pen pen;
} line_pen;

static void letter_line(void *ctx, const double *xy, int n) {
    const line_pen *l = ctx;
    pdf_stroke(l->c, xy, n, &l->pen);
}

static void pdf_text(gx_canvas *c, const gx_letters *t) {
    static const char *const fonts[] = {"BT /F0 ", "BT /F1 ", "BT /F2 ", "BT /F3 "};
    gx_buf b = gx_buf_new(c->rt);
    double width, wanted = gx_font_width(t->text, t->size, t->style);
    if (!encoded(c, t->text, &b, &width) || !(width > 0)) {
        line_pen l = {c, {.color = t->color, .width = gx_font_weight(t->size, t->style),
                          .cap = GX_CAP_ROUND}};
        gx_font_draw(t, letter_line, &l);
    } else {
        double angle = t->angle * 3.14159265358979323846 / 180, co = cos(angle), si = sin(angle);
        char matrix[160];
        put_color(c, t->color, "rg");
        gx_canvas_number(c, fonts[t->style & 3], t->size, " Tf ");
        gx_canvas_number(c, "", 100 * wanted / (width * t->size / 1000), " Tz ");
        /* y points downwards on the page: letters are turned over again. */
        snprintf(matrix, sizeof matrix, "%.5f %.5f %.5f %.5f %.2f %.2f Tm (", co, -si, -si, -co,
                 t->x, t->y);
        gx_canvas_puts(c, matrix);
        gx_canvas_puts(c, gx_buf_text(&b));
        gx_canvas_puts(c, ") Tj ET\n");
    }
    gx_buf_free(&b);
}

/* Colours and alphas apart, as PDF wants them. */
static void pdf_image(gx_canvas *c, const gx_pixels *im) {
    size_t n = (size_t)im->width * (size_t)im->height;
    gx_buf colors = gx_buf_new(c->rt), alphas = gx_buf_new(c->rt);
    gx_value parts[4] = {gx_int(im->width), gx_int(im->height), gx_none(), gx_none()}, tuple;
    bool ok = c->ok && gx_buf_reserve(&colors, 3 * n) && gx_buf_reserve(&alphas, n);
    for (size_t i = 0; ok && i < n; i++) {
        const char rgb[3] = {(char)im->data[i].r, (char)im->data[i].g, (char)im->data[i].b};
        ok = gx_buf_add(&colors, rgb, 3) && gx_buf_char(&alphas, (char)im->data[i].a);
    }
    ok = ok && gx_bytes_new(c->rt, gx_buf_text(&colors), colors.length, &parts[2]) &&
         gx_bytes_new(c->rt, gx_buf_text(&alphas), alphas.length, &parts[3]);
    gx_buf_free(&colors);
    gx_buf_free(&alphas);
    if (!ok || !gx_tuple_new(c->rt, 4, parts, &tuple)) ok = false;
    gx_drop(parts[2]);
    gx_drop(parts[3]);
    if (ok && !gx_vec_push(c->rt, &c->images, tuple)) {
        gx_drop(tuple);
        ok = false;
    }
    c->ok = ok;
    c->alphas[255] = 1;
    gx_canvas_number(c, "q /A255 gs ", im->w, " 0 0 ");
    gx_canvas_number(c, "", -im->h, " ");
    gx_canvas_number(c, "", im->x, " ");
    gx_canvas_number(c, "", im->y + im->h, " cm /I");
    gx_canvas_number(c, "", (double)c->images.count - 1, " Do Q\n");
}

static void pdf_clip(gx_canvas *c, double x, double y, double w, double h) {
    if (c->clipped) gx_canvas_puts(c, "Q\n");
    c->clipped = w >= 0;
    if (w < 0) return;
    gx_canvas_number(c, "q ", x, " ");
    gx_canvas_number(c, "", y, " ");
    gx_canvas_number(c, "", w, " ");
    gx_canvas_number(c, "", h, " re W n\n");
}

static void pdf_finish(gx_canvas *c) {
    pdf_clip(c, 0, 0, -1, -1);
}

static void pdf_free(gx_canvas *c) {
    (void)c;
}

const gx_canvas_end gx_pdf_end = {
    .stroke = pdf_stroke, .fill = pdf_fill, .text = pdf_text, .image = pdf_image,
    .clip = pdf_clip, .finish = pdf_finish, .free = pdf_free,
};

bool gx_pdf_begin(gx_canvas *c, gx_rgba face) {
    const double all[8] = {0, 0, c->width, 0, c->width, c->height, 0, c->height};
    c->end = &gx_pdf_end;
    gx_canvas_number(c, "1 0 0 -1 0 ", c->height, " cm\n");
    if (face.a) pdf_fill(c, all, 4, face, false);
    return c->ok;
}
