/* Pictures as SVG: lines, areas and text stay what they are, so that a report can scale them and
   its reader can search them. Numbers have two decimals. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stdlib/io/image.h"
#include "stdlib/plot/canvas_int.h"

void gx_canvas_puts(gx_canvas *c, const char *text) {
    c->ok = c->ok && gx_buf_puts(&c->out, text);
}

void gx_canvas_number(gx_canvas *c, const char *before, double v, const char *behind) {
    char text[40];
    if (!isfinite(v)) v = 0;
    v = v < -1e5 ? -1e5 : v > 1e5 ? 1e5 : v;
    snprintf(text, sizeof text, "%.2f", v);
    char *end = text + strlen(text);
    while (end[-1] == '0') *--end = '\0';
    if (end[-1] == '.') *--end = '\0';
    gx_canvas_puts(c, before);
    gx_canvas_puts(c, strcmp(text, "-0") == 0 ? "0" : text);
    gx_canvas_puts(c, behind);
}

static void put_attribute(gx_canvas *c, const char *name, double v) {
    gx_canvas_puts(c, " ");
    gx_canvas_puts(c, name);
    gx_canvas_number(c, "=\"", v, "\"");
}

static void put_color(gx_canvas *c, const char *name, gx_rgba color) {
    char text[64];
    snprintf(text, sizeof text, " %s=\"#%02x%02x%02x\"", name, color.r, color.g, color.b);
    gx_canvas_puts(c, text);
    if (color.a == 255) return;
    snprintf(text, sizeof text, "%s-opacity", name);
    put_attribute(c, text, color.a / 255.0);
}

static void put_escaped(gx_canvas *c, const char *text) {
    for (; *text; text++) {
        const char one[2] = {(unsigned char)*text < 32 || *text == 127 ? ' ' : *text, 0};
        gx_canvas_puts(c, *text == '<'   ? "&lt;"
                          : *text == '>' ? "&gt;"
                          : *text == '&' ? "&amp;"
                          : *text == '"' ? "&quot;"
                                         : one);
    }
}

static void svg_stroke(gx_canvas *c, const double *xy, int64_t n, const gx_pen *pen) {
    static const char *const caps[] = {"", " stroke-linecap=\"round\"",
                                       " stroke-linecap=\"square\""};
    bool closed = n > 2 && xy[0] == xy[2 * n - 2] && xy[1] == xy[2 * n - 1];
    gx_canvas_puts(c, "<path d=\"");
    for (int64_t i = 0; i < n - closed; i++) {
        gx_canvas_number(c, i == 0 ? "M" : i == 1 ? "L" : " ", xy[2 * i], " ");
        gx_canvas_number(c, "", xy[2 * i + 1], "");
    }
    gx_canvas_puts(c, closed ? "Z\" fill=\"none\"" : "\" fill=\"none\"");
    put_color(c, "stroke", pen->color);
    put_attribute(c, "stroke-width", pen->width);
    if (n > 2 && !closed) gx_canvas_puts(c, " stroke-linejoin=\"round\"");
    gx_canvas_puts(c, caps[pen->cap]);
    for (int i = 0; i < pen->dash_count; i++)
        gx_canvas_number(c, i ? " " : " stroke-dasharray=\"", pen->dashes[i], "");
    gx_canvas_puts(c, pen->dash_count ? "\"" : "");
    if (pen->dash_count && pen->dash_start != 0)
        put_attribute(c, "stroke-dashoffset", pen->dash_start);
    gx_canvas_puts(c, "/>\n");
}

static void svg_fill(gx_canvas *c, const double *xy, int64_t n, gx_rgba color, bool crisp) {
    bool begins = true;
    gx_canvas_puts(c, "<path d=\"");
    for (int64_t i = 0; i < n; i++) {
        if (!isfinite(xy[2 * i] + xy[2 * i + 1])) {
            if (!begins) gx_canvas_puts(c, "Z");
            begins = true;
            continue;
        }
        gx_canvas_number(c, begins ? "M" : " ", xy[2 * i], " ");
        gx_canvas_number(c, "", xy[2 * i + 1], "");
        begins = false;
    }
    gx_canvas_puts(c, begins ? "\"" : "Z\"");
    put_color(c, "fill", color);
    gx_canvas_puts(c, crisp ? " shape-rendering=\"crispEdges\"/>\n" : "/>\n");
}

static void svg_text(gx_canvas *c, const gx_letters *t) {
    gx_canvas_puts(c, "<text");
    if (t->angle != 0) {
        gx_canvas_number(c, " transform=\"translate(", t->x, " ");
        gx_canvas_number(c, "", t->y, ") rotate(");
        gx_canvas_number(c, "", -t->angle, ")\"");
    } else {
        put_attribute(c, "x", t->x);
        put_attribute(c, "y", t->y);
    }
    put_attribute(c, "font-size", t->size);
    if (t->style & GX_TEXT_BOLD) gx_canvas_puts(c, " font-weight=\"bold\"");
    if (t->style & GX_TEXT_ITALIC) gx_canvas_puts(c, " font-style=\"italic\"");
    /* As wide as it was laid out, whatever letters the reader has. */
    put_attribute(c, "textLength", gx_font_width(t->text, t->size, t->style));
    if (strchr(t->text, ' ')) gx_canvas_puts(c, " xml:space=\"preserve\"");
    put_color(c, "fill", t->color);
    gx_canvas_puts(c, ">");
    put_escaped(c, t->text);
    gx_canvas_puts(c, "</text>\n");
}

/* The image as a PNG inside. */
static void svg_image(gx_canvas *c, const gx_pixels *im) {
    gx_buf png = gx_buf_new(c->rt);
    c->ok = c->ok && gx_png_write(c->rt, (const uint8_t *)im->data, (int)im->width,
                                  (int)im->height, 4, 0, true, &png);
    gx_canvas_puts(c, "<image");
    put_attribute(c, "x", im->x);
    put_attribute(c, "y", im->y);
    put_attribute(c, "width", im->w);
    put_attribute(c, "height", im->h);
    gx_canvas_puts(c, " preserveAspectRatio=\"none\"");
    if (!im->smooth) gx_canvas_puts(c, " style=\"image-rendering:pixelated\"");
    gx_canvas_puts(c, " href=\"data:image/png;base64,");
    c->ok = c->ok && gx_base64(png.data, png.length, &c->out);
    gx_canvas_puts(c, "\"/>\n");
    gx_buf_free(&png);
}

static void svg_clip(gx_canvas *c, double x, double y, double w, double h) {
    char id[32];
    if (c->clipped) gx_canvas_puts(c, "</g>\n");
    c->clipped = w >= 0;
    if (w < 0) return;
    snprintf(id, sizeof id, "c%d", ++c->clips);
    gx_canvas_puts(c, "<clipPath id=\"");
    gx_canvas_puts(c, id);
    gx_canvas_puts(c, "\"><rect");
    put_attribute(c, "x", x);
    put_attribute(c, "y", y);
    put_attribute(c, "width", w);
    put_attribute(c, "height", h);
    gx_canvas_puts(c, "/></clipPath>\n<g clip-path=\"url(#");
    gx_canvas_puts(c, id);
    gx_canvas_puts(c, ")\">\n");
}

static void svg_finish(gx_canvas *c) {
    svg_clip(c, 0, 0, -1, -1);
    gx_canvas_puts(c, "</svg>\n");
}

static void svg_free(gx_canvas *c) {
    (void)c;
}

const gx_canvas_end gx_svg_end = {
    .stroke = svg_stroke, .fill = svg_fill, .text = svg_text, .image = svg_image,
    .clip = svg_clip, .finish = svg_finish, .free = svg_free,
};

bool gx_svg_begin(gx_canvas *c, gx_rgba face) {
    const double all[10] = {0, 0, c->width, 0, c->width, c->height, 0, c->height, 0, 0};
    c->end = &gx_svg_end;
    gx_canvas_number(c, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", c->width, "pt\"");
    gx_canvas_number(c, " height=\"", c->height, "pt\"");
    gx_canvas_number(c, " viewBox=\"0 0 ", c->width, " ");
    gx_canvas_number(c, "", c->height, "\" font-family=\"DejaVu Sans, Verdana, sans-serif\">\n");
    if (face.a) svg_fill(c, all, 4, face, false);
    return c->ok;
}
