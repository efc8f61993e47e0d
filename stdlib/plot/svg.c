/* Figures as SVG: lines, areas and text stay what they are, so that a report can scale them and
   its reader can search them. Numbers have two decimals. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stdlib/io/image.h"
#include "stdlib/plot/plot_int.h"

typedef struct svg {
    gx_canvas base;
    gx_buf *out;
    int clips;
    bool clipped;
} svg;

static void put_text(svg *s, const char *text) {
    s->base.ok = s->base.ok && gx_buf_puts(s->out, text);
}

/* A number without needless zeros. */
static void put_number(svg *s, double v) {
    char text[40];
    if (!isfinite(v)) v = 0;
    v = v < -1e5 ? -1e5 : v > 1e5 ? 1e5 : v;
    snprintf(text, sizeof text, "%.2f", v);
    char *end = text + strlen(text);
    while (end[-1] == '0') *--end = '\0';
    if (end[-1] == '.') *--end = '\0';
    put_text(s, strcmp(text, "-0") == 0 ? "0" : text);
}

static void put_attribute(svg *s, const char *name, double v) {
    put_text(s, " ");
    put_text(s, name);
    put_text(s, "=\"");
    put_number(s, v);
    put_text(s, "\"");
}

static void put_color(svg *s, const char *name, gx_rgba c) {
    char text[64];
    snprintf(text, sizeof text, " %s=\"#%02x%02x%02x\"", name, c.r, c.g, c.b);
    put_text(s, text);
    if (c.a == 255) return;
    snprintf(text, sizeof text, "%s-opacity", name);
    put_attribute(s, text, c.a / 255.0);
}

static void put_escaped(svg *s, const char *text) {
    for (; *text; text++) {
        const char one[2] = {*text, 0};
        put_text(s, *text == '<'   ? "&lt;"
               : *text == '>' ? "&gt;"
               : *text == '&' ? "&amp;"
               : *text == '"' ? "&quot;"
                              : one);
    }
}

static void put_points(svg *s, const double *xy, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        put_text(s, i == 0 ? "M" : i == 1 ? "L" : " ");
        put_number(s, xy[2 * i]);
        put_text(s, " ");
        put_number(s, xy[2 * i + 1]);
    }
}

static void svg_stroke(gx_canvas *c, const double *xy, int64_t n, const gx_pen *pen) {
    static const double patterns[][4] = {{3.7, 1.6, 3.7, 1.6}, {0, 1.9, 0, 1.9}, {5, 1.7, 0, 1.7}};
    svg *s = (svg *)c;
    if (n < 2) return;
    put_text(s, "<path d=\"");
    put_points(s, xy, n);
    put_text(s, "\" fill=\"none\"");
    put_color(s, "stroke", pen->color);
    put_attribute(s, "stroke-width", pen->width);
    if (!pen->snap) put_text(s, " stroke-linejoin=\"round\"");
    if (pen->kind > GX_LINE_SOLID) {
        const double *p = patterns[pen->kind - GX_LINE_DASHED];
        put_text(s, pen->kind == GX_LINE_DASHED ? "" : " stroke-linecap=\"round\"");
        put_text(s, " stroke-dasharray=\"");
        for (int i = 0; i < 4; i++) {
            if (i) put_text(s, " ");
            put_number(s, p[i] * pen->width);
        }
        put_text(s, "\"");
    }
    put_text(s, "/>\n");
}

static void svg_fill(gx_canvas *c, const double *xy, int64_t n, gx_rgba color) {
    svg *s = (svg *)c;
    if (n < 3) return;
    put_text(s, "<path d=\"");
    put_points(s, xy, n);
    put_text(s, "Z\"");
    put_color(s, "fill", color);
    put_text(s, "/>\n");
}

static void svg_box(gx_canvas *c, double x, double y, double w, double h, gx_rgba color) {
    svg *s = (svg *)c;
    put_text(s, "<rect");
    put_attribute(s, "x", x);
    put_attribute(s, "y", y);
    put_attribute(s, "width", w);
    put_attribute(s, "height", h);
    put_color(s, "fill", color);
    put_text(s, "/>\n");
}

static void svg_disc(gx_canvas *c, double x, double y, double r, gx_rgba color) {
    svg *s = (svg *)c;
    put_text(s, "<circle");
    put_attribute(s, "cx", x);
    put_attribute(s, "cy", y);
    put_attribute(s, "r", r);
    put_color(s, "fill", color);
    put_text(s, "/>\n");
}

static void svg_text(gx_canvas *c, double x, double y, double size, gx_anchor anchor, bool turned,
                     gx_rgba color, const char *text) {
    static const char *const anchors[] = {"start", "middle", "end"};
    svg *s = (svg *)c;
    put_text(s, "<text");
    if (turned) {
        put_text(s, " transform=\"translate(");
        put_number(s, x);
        put_text(s, " ");
        put_number(s, y);
        put_text(s, ") rotate(-90)\"");
    } else {
        put_attribute(s, "x", x);
        put_attribute(s, "y", y);
    }
    put_attribute(s, "font-size", size);
    if (anchor != GX_ANCHOR_START) {
        put_text(s, " text-anchor=\"");
        put_text(s, anchors[anchor]);
        put_text(s, "\"");
    }
    put_color(s, "fill", color);
    put_text(s, ">");
    put_escaped(s, text);
    put_text(s, "</text>\n");
}

/* The image as a PNG inside: at most 1000 pixels a side. */
static void svg_image(gx_canvas *c, double x, double y, double w, double h,
                      const gx_raster_data *im) {
    enum { MOST = 1000 };
    svg *s = (svg *)c;
    int wide = im->columns < MOST ? (int)im->columns : MOST;
    int high = im->rows < MOST ? (int)im->rows : MOST;
    gx_rgba *pixels = gx_alloc(c->rt, (size_t)wide * (size_t)high * sizeof *pixels);
    gx_buf png = gx_buf_new(c->rt);
    if (!pixels) c->ok = false;
    for (int i = 0; c->ok && i < high; i++)
        for (int j = 0; j < wide; j++)
            pixels[(size_t)i * (size_t)wide + (size_t)j] =
                gx_image_at(im, (double)i * (double)im->rows / high,
                            (double)(i + 1) * (double)im->rows / high,
                            (double)j * (double)im->columns / wide,
                            (double)(j + 1) * (double)im->columns / wide);
    c->ok = c->ok && gx_png_write(c->rt, (const uint8_t *)pixels, wide, high, 4, 0, true, &png);
    put_text(s, "<image");
    put_attribute(s, "x", x);
    put_attribute(s, "y", y);
    put_attribute(s, "width", w);
    put_attribute(s, "height", h);
    put_text(s, " preserveAspectRatio=\"none\"");
    if (!im->smooth) put_text(s, " style=\"image-rendering:pixelated\"");
    put_text(s, " href=\"data:image/png;base64,");
    c->ok = c->ok && gx_base64(png.data, png.length, s->out);
    put_text(s, "\"/>\n");
    gx_buf_free(&png);
    gx_free(c->rt, pixels);
}

static void svg_clip(gx_canvas *c, double x, double y, double w, double h) {
    svg *s = (svg *)c;
    char id[32];
    if (s->clipped) put_text(s, "</g>\n");
    s->clipped = w > 0;
    if (w <= 0) return;
    snprintf(id, sizeof id, "c%d", ++s->clips);
    put_text(s, "<clipPath id=\"");
    put_text(s, id);
    put_text(s, "\"><rect");
    put_attribute(s, "x", x);
    put_attribute(s, "y", y);
    put_attribute(s, "width", w);
    put_attribute(s, "height", h);
    put_text(s, "/></clipPath>\n<g clip-path=\"url(#");
    put_text(s, id);
    put_text(s, ")\">\n");
}

bool gx_figure_svg(gx_rt *rt, gx_figure *f, gx_buf *out) {
    svg s = {.base = {.rt = rt, .ok = true, .width = f->width * 72, .height = f->height * 72,
                      .stroke = svg_stroke, .fill = svg_fill, .box = svg_box, .disc = svg_disc,
                      .text = svg_text, .image = svg_image, .clip = svg_clip},
             .out = out};
    put_text(&s, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"");
    put_number(&s, s.base.width);
    put_text(&s, "pt\" height=\"");
    put_number(&s, s.base.height);
    put_text(&s, "pt\" viewBox=\"0 0 ");
    put_number(&s, s.base.width);
    put_text(&s, " ");
    put_number(&s, s.base.height);
    put_text(&s, "\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\">\n");
    svg_box(&s.base, 0, 0, s.base.width, s.base.height, (gx_rgba){255, 255, 255, 255});
    bool ok = s.base.ok && gx_figure_draw(f, &s.base);
    put_text(&s, "</svg>\n");
    return ok && s.base.ok;
}
