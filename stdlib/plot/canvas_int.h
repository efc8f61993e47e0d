/* What pictures are drawn on: what the files of this folder share. The library's texts (axes/,
   text/) lay pictures out and know all about axes and figures; what they hand over here are lines,
   areas, marks, images and texts in points, y downwards. Three ends draw them: pixels (raster.c),
   SVG (svg.c) and a page of a PDF file (pdf.c). */
#ifndef GX_STDLIB_PLOT_CANVAS_INT_H
#define GX_STDLIB_PLOT_CANVAS_INT_H

#include "runtime/base/vec.h"
#include "stdlib/common.h"
#include "stdlib/numpy/base/scope.h"

typedef struct gx_rgba {
    uint8_t r, g, b, a;
} gx_rgba;

enum { GX_DASHES = 16 };
typedef enum gx_cap { GX_CAP_BUTT, GX_CAP_ROUND, GX_CAP_SQUARE } gx_cap;
typedef struct gx_pen {
    gx_rgba color;
    double width;             /* points */
    double dashes[GX_DASHES]; /* on, off, … in points */
    int dash_count;
    double dash_start; /* how far into the pattern a line begins */
    gx_cap cap;
    bool snap; /* upright and level lines fall onto whole pixels */
} gx_pen;

enum { GX_TEXT_BOLD = 1, GX_TEXT_ITALIC = 2 };
typedef struct gx_letters {
    double x, y, size, angle; /* of the baseline's begin; degrees, anticlockwise */
    int style;
    gx_rgba color;
    const char *text;
} gx_letters;

/* Pixels of RGBA, rows from the top, and where they are shown. */
typedef struct gx_pixels {
    const gx_rgba *data;
    int64_t width, height;
    double x, y, w, h;
    bool smooth;
} gx_pixels;

struct gx_canvas;
typedef struct gx_canvas_end {
    void (*stroke)(struct gx_canvas *c, const double *xy, int64_t n, const gx_pen *pen);
    /* Rings one after the other, each behind a row of NaN. crisp: a pixel is inside or outside. */
    void (*fill)(struct gx_canvas *c, const double *xy, int64_t n, gx_rgba color, bool crisp);
    void (*text)(struct gx_canvas *c, const gx_letters *t);
    void (*image)(struct gx_canvas *c, const gx_pixels *im);
    /* Until the next call nothing is drawn outside; w < 0: everything is. */
    void (*clip)(struct gx_canvas *c, double x, double y, double w, double h);
    void (*finish)(struct gx_canvas *c); /* the rest of the text */
    void (*free)(struct gx_canvas *c);
} gx_canvas_end;

/* A canvas that scripts of the library hold. An error is kept in rt and ok. */
typedef struct gx_canvas {
    gx_obj obj;
    gx_rt *rt;
    bool ok;
    const gx_canvas_end *end;
    double width, height; /* points */
    gx_buf out;           /* SVG, PDF */
    int clips;
    bool clipped;
    int alphas[256]; /* PDF: which were used */
    GX_VEC(gx_value) images; /* PDF: tuples of width, height, colours, alphas */
    struct raster *raster;
} gx_canvas;

extern const gx_canvas_end gx_svg_end, gx_pdf_end, gx_raster_end;
/* Pixels for a canvas of its size, filled with a colour; dpi is kept for the file. */
GX_CHECK bool gx_raster_begin(gx_canvas *c, double dpi, gx_rgba face);
GX_CHECK bool gx_raster_png(gx_canvas *c, gx_buf *out);
GX_CHECK bool gx_raster_array(gx_canvas *c, gx_value *out);
GX_CHECK bool gx_svg_begin(gx_canvas *c, gx_rgba face);
GX_CHECK bool gx_pdf_begin(gx_canvas *c, gx_rgba face);

/* --- text of files (svg.c) --- */
void gx_canvas_puts(gx_canvas *c, const char *text);
/* A number without needless zeros, and what stands before and behind it. */
void gx_canvas_number(gx_canvas *c, const char *before, double v, const char *behind);

/* --- letters (font.c) --- */
/* How wide a text of a size is. */
double gx_font_width(const char *text, double size, int style);
/* Calls stroke for each line of a text's glyphs; y downwards. */
typedef void (*gx_font_stroke)(void *ctx, const double *xy, int n);
void gx_font_draw(const gx_letters *t, gx_font_stroke stroke, void *ctx);
/* How thick its strokes are. */
double gx_font_weight(double size, int style);

/* --- arguments (canvas.c) --- */
/* Numbers of argument i as doubles in a scope: rows of `columns` (0: any one-dimensional). */
GX_CHECK bool gx_plot_numbers(gx_np *s, gx_call *c, int i, int64_t columns, const double **data,
                              int64_t *n);
gx_rgba gx_rgba_of(const double *v);

extern const gx_type gx_type_canvas, gx_type_dots;
bool gx_dots_new(gx_call *c, gx_value *out);
bool gx_sixels(gx_call *c, gx_value *out);
bool gx_half_blocks(gx_call *c, gx_value *out);
bool gx_terminal_facts(gx_call *c, gx_value *out);
bool gx_contour_lines(gx_call *c, gx_value *out);
bool gx_contour_areas(gx_call *c, gx_value *out);

#endif
