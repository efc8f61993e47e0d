/* Plots: what the files of this folder share. A figure holds axes, axes hold marks (lines, bars,
   images …), all of them counted objects with their data as plain doubles; nothing is drawn before
   somebody looks. Three ends draw them: the terminal (plot_term*.c), and by way of a layout and a
   canvas SVG (svg.c) and pixels (raster.c). */
#ifndef GX_STDLIB_PLOT_PLOT_INT_H
#define GX_STDLIB_PLOT_PLOT_INT_H

#include "runtime/base/vec.h"
#include "stdlib/common.h"
#include "stdlib/numpy/base/scope.h"

typedef struct gx_rgba {
    uint8_t r, g, b, a;
} gx_rgba;

/* --- colours (colors.c, maps.c) --- */

/* The i-th colour of the cycle that lines without a colour take. */
gx_rgba gx_color_cycle(int i);
/* A colour from 'red', 'C1', '#1f77b4', '0.5', (r, g, b) or (r, g, b, a); ValueError otherwise. */
GX_CHECK bool gx_color_of(gx_rt *rt, gx_borrowed v, gx_rgba *out);
/* A colour map by name; NULL: ValueError is pending. */
typedef struct gx_color_map gx_color_map;
const gx_color_map *gx_color_map_of(gx_rt *rt, const char *name);
const char *gx_color_map_name(const gx_color_map *m);
/* The colour at t between 0 and 1; NaN: transparent. */
gx_rgba gx_color_map_at(const gx_color_map *m, double t);
/* The one of the 16 terminal colours that is nearest in hue: 30 … 37 or 90. */
int gx_color_ansi(gx_rgba c);

/* --- marks --- */

typedef enum gx_line_kind { GX_LINE_NONE, GX_LINE_SOLID, GX_LINE_DASHED, GX_LINE_DOTTED,
                            GX_LINE_DASHDOT } gx_line_kind;

typedef struct gx_style {
    gx_rgba color, edge;       /* edge: of markers, bars, areas */
    double width, size, alpha; /* points; alpha 0 … 1 */
    gx_line_kind line;
    char marker; /* one of "o.sv^<>D+x*|_p,", or 0 */
    bool has_color, has_edge, has_line, has_marker, has_width, has_size;
    char *label; /* owned */
} gx_style;

typedef enum gx_mark_kind {
    GX_MARK_LINE,     /* x, y: a line, markers, or both */
    GX_MARK_BARS,     /* x … x2, y … y2: rectangles */
    GX_MARK_AREA,     /* between y and y2 over x */
    GX_MARK_SEGMENTS, /* (x, y) to (x2, y2) each */
    GX_MARK_RULE,     /* one line across: at x[0] (upright) or at y[0] */
    GX_MARK_BAND,     /* from x[0] to x2[0] (upright), or from y[0] to y2[0] */
    GX_MARK_TEXT,     /* text at x[0], y[0] */
    GX_MARK_IMAGE
} gx_mark_kind;

/* Elements of an image: values that a colour map shows, or colours. */
typedef struct gx_raster_data {
    int64_t rows, columns;
    float *values;   /* NULL: colours */
    gx_rgba *pixels; /* NULL: values */
    const gx_color_map *map;
    double low, high; /* the values at the ends of the map */
    bool lower;       /* row 0 is at the bottom */
    bool smooth;
} gx_raster_data;

typedef struct gx_mark {
    gx_obj obj;
    gx_mark_kind kind;
    int64_t n;
    double *x, *y, *x2, *y2; /* each NULL or n numbers */
    gx_rgba *colors;         /* NULL, or n: one a point */
    double *sizes;           /* NULL, or n: one a point */
    bool upright, hidden_x, hidden_y; /* hidden: does not count for the limits */
    bool sticky;                      /* its base takes no margin */
    bool whole;                       /* extent counts for the limits, without margins */
    double extent[4];                 /* left, right, bottom, top */
    gx_style style;
    char *text;
    int h_align, v_align; /* -1, 0, 1 */
    const gx_color_map *map;
    double low, high; /* what colours of points stand for, when map is not NULL */
    gx_raster_data image;
} gx_mark;

typedef struct gx_scale {
    double low, high;
    bool low_given, high_given, log, inverted, grid;
    char *label;
    double *ticks; /* NULL: chosen */
    char **names;  /* NULL: the numbers */
    int count;
    bool ticks_given;
} gx_scale;

struct gx_figure;
typedef struct gx_panel {
    gx_obj obj;
    struct gx_figure *figure; /* NULL once it is gone */
    gx_scale scale[2];
    char *title;
    GX_VEC(gx_mark *) marks;
    gx_mark *bar_of; /* the colour bar's mark; owned */
    char *bar_label;
    int legend;     /* 0: none; else gx_legend_place + 1 */
    bool equal, off;
    int colors;     /* how many of the cycle were taken */
    int rows, columns, at, wide, high; /* its cell of a grid */
} gx_panel;

typedef struct gx_figure {
    gx_obj obj;
    GX_VEC(gx_panel *) axes;
    gx_panel *current; /* borrowed from axes; NULL: none yet */
    double width, height; /* inches */
    double dpi;
    int number;
    bool shown;
    char *title;
} gx_figure;

extern const gx_type gx_type_figure, gx_type_axes, gx_type_artist, gx_type_axes_grid;

static inline bool gx_is_figure(gx_borrowed v) {
    return v.tag == GX_OBJECT && v.obj->type == &gx_type_figure;
}
static inline bool gx_is_axes(gx_borrowed v) {
    return v.tag == GX_OBJECT && v.obj->type == &gx_type_axes;
}
static inline bool gx_is_artist(gx_borrowed v) {
    return v.tag == GX_OBJECT && v.obj->type == &gx_type_artist;
}
static inline gx_panel *gx_as_axes(gx_borrowed v) {
    return (gx_panel *)v.obj;
}
static inline gx_figure *gx_as_figure(gx_borrowed v) {
    return (gx_figure *)v.obj;
}
static inline gx_mark *gx_as_mark(gx_borrowed v) {
    return (gx_mark *)v.obj;
}

/* --- the model (figure.c, limits.c) --- */

void gx_figure_free(gx_rt *rt, gx_obj *o);
void gx_axes_free(gx_rt *rt, gx_obj *o);
void gx_artist_free(gx_rt *rt, gx_obj *o);

GX_CHECK bool gx_figure_new(gx_rt *rt, gx_figure **out);
/* The axes in a cell of a rows x columns grid, made when there are none; *out is borrowed. */
GX_CHECK bool gx_figure_axes(gx_rt *rt, gx_figure *f, int rows, int columns, int at,
                             gx_panel **out);
/* The axes that plots go to, made when there are none; borrowed. */
GX_CHECK bool gx_figure_current(gx_rt *rt, gx_figure *f, gx_panel **out);
/* A mark of n points, x and y to be filled (with x2 and y2, when four); owned by the caller. */
GX_CHECK bool gx_mark_new(gx_rt *rt, gx_mark_kind kind, int64_t n, bool four, gx_mark **out);
/* Takes the mark over, also on failure. The style's colour is chosen from the cycle if need be. */
GX_CHECK bool gx_axes_add_take(gx_rt *rt, gx_panel *ax, gx_mark *m);
void gx_axes_clear(gx_rt *rt, gx_panel *ax);
/* Replaces an owned text by a copy; text may be NULL. */
GX_CHECK bool gx_plot_text(gx_rt *rt, char **slot, const char *text);
/* What is shown along an axis (0: x, 1: y): low < high, margins included. */
void gx_axes_limits(const gx_panel *ax, int axis, double *low, double *high);
/* The image that fills the axes, or NULL. */
gx_mark *gx_axes_image(const gx_panel *ax);
/* Where a value lies between the limits: 0 … 1 from left or bottom. */
double gx_scale_place(const gx_scale *s, double low, double high, double v);
/* The colour that an image's pixel has; a mean over the rows and columns that it stands for. */
gx_rgba gx_image_at(const gx_raster_data *im, double row0, double row1, double col0, double col1);

/* --- ticks (ticks.c) --- */

enum { GX_TICKS = 64, GX_TICK_TEXT = 32 };
typedef struct gx_tick {
    double at;
    const char *name; /* NULL: text */
    char text[GX_TICK_TEXT];
    bool minor;
} gx_tick;
typedef struct gx_ticks {
    int count;
    char factor[GX_TICK_TEXT]; /* what all labels are to be multiplied by, or "" */
    gx_tick items[GX_TICKS];
} gx_ticks;
/* Ticks of an axis between limits, about `target` of them. plain: ASCII only. */
void gx_ticks_of(const gx_scale *s, double low, double high, int target, bool plain,
                 gx_ticks *out);

/* --- canvases --- */

typedef struct gx_pen {
    gx_rgba color;
    double width; /* points */
    gx_line_kind kind;
    bool snap; /* upright and level lines fall onto whole pixels */
} gx_pen;

typedef enum gx_anchor { GX_ANCHOR_START, GX_ANCHOR_MIDDLE, GX_ANCHOR_END } gx_anchor;

/* What pictures are drawn on, in points, y downwards. An error is kept in rt and ok. */
typedef struct gx_canvas gx_canvas;
struct gx_canvas {
    gx_rt *rt;
    bool ok;
    double width, height;
    void (*stroke)(gx_canvas *c, const double *xy, int64_t n, const gx_pen *pen);
    void (*fill)(gx_canvas *c, const double *xy, int64_t n, gx_rgba color);
    void (*box)(gx_canvas *c, double x, double y, double w, double h, gx_rgba color);
    void (*disc)(gx_canvas *c, double x, double y, double r, gx_rgba color);
    /* y is the baseline; turned: reads upwards */
    void (*text)(gx_canvas *c, double x, double y, double size, gx_anchor anchor, bool turned,
                 gx_rgba color, const char *text);
    void (*image)(gx_canvas *c, double x, double y, double w, double h, const gx_raster_data *im);
    /* Until it is called with w = 0, nothing is drawn outside. */
    void (*clip)(gx_canvas *c, double x, double y, double w, double h);
};

/* Draws a figure; false: an error is pending (layout.c). */
GX_CHECK bool gx_figure_draw(gx_figure *f, gx_canvas *c);
/* The legend and the marks of one of its axes inside a rectangle (marks.c). */
typedef struct gx_frame_box {
    double x, y, w, h; /* of the data area, points */
    double low[2], high[2];
} gx_frame_box;
void gx_marks_draw(gx_panel *ax, const gx_frame_box *b, gx_canvas *c);
void gx_legend_draw(gx_panel *ax, const gx_frame_box *b, gx_canvas *c);
/* A figure as SVG text (svg.c). */
GX_CHECK bool gx_figure_svg(gx_rt *rt, gx_figure *f, gx_buf *out);
/* A figure as a PNG file. */
GX_CHECK bool gx_figure_png(gx_rt *rt, gx_figure *f, double dpi, gx_buf *out);
/* A figure as pixels of RGBA, rows from the top; *out from gx_alloc (raster.c). */
GX_CHECK bool gx_figure_pixels(gx_rt *rt, gx_figure *f, double dpi, int *width, int *height,
                               gx_rgba **out);

/* --- text (font.c) --- */

/* How wide a text of a size is. */
double gx_font_width(const char *text, double size);
/* Calls stroke for each line of a text's glyphs, from (x, y) on; y downwards. */
typedef void (*gx_font_stroke)(void *ctx, const double *xy, int n);
void gx_font_draw(const char *text, double size, double x, double y, bool turned,
                  gx_font_stroke stroke, void *ctx);
/* Plain text of a label: $…$, \alpha, ^2 and _i become characters. */
GX_CHECK bool gx_label_plain(gx_rt *rt, const char *text, gx_buf *out);

/* --- the terminal (term.c, term_image.c) --- */

typedef struct gx_terminal {
    int columns, rows;
    bool ascii;  /* no other characters */
    int colors;  /* 0, 16, 256 or 1 << 24 */
} gx_terminal;
gx_terminal gx_terminal_now(gx_rt *rt);
/* A figure as text. */
GX_CHECK bool gx_figure_text(gx_rt *rt, gx_figure *f, const gx_terminal *t, gx_buf *out);
/* Rows of half blocks (or characters by darkness) that show an image. */
GX_CHECK bool gx_image_text(gx_rt *rt, const gx_raster_data *im, const gx_terminal *t,
                            gx_buf *out);
/* A colour for what follows; code 0 ends it. Nothing without colours. */
GX_CHECK bool gx_term_color(const gx_terminal *t, int code, gx_buf *out);

/* --- arguments (style.c, data.c) --- */

/* The one state: figures by age, and which is current; made at first use. */
typedef struct gx_plots {
    GX_VEC(gx_figure *) figures;
    gx_figure *current; /* borrowed from figures */
    int numbers;
} gx_plots;
/* NULL: MemoryError. */
GX_CHECK gx_plots *gx_plots_of(gx_rt *rt);
/* The current figure, made when there is none or (renew) the current one was shown; borrowed. */
GX_CHECK bool gx_plots_current(gx_rt *rt, bool renew, gx_figure **out);
/* A new current figure; borrowed. */
GX_CHECK bool gx_plots_new(gx_rt *rt, gx_figure **out);

/* Reads **kwargs: styles go to st; names in `own` (ends with NULL) are the caller's; others are a
   TypeError with the nearest name. st holds defaults before. */
GX_CHECK bool gx_style_read(gx_call *c, gx_borrowed kwargs, const char *const *own, gx_style *st);
void gx_style_free(gx_rt *rt, gx_style *st);
/* 'r--o': colour, line and marker. */
GX_CHECK bool gx_style_format(gx_rt *rt, const char *fmt, gx_style *st);
/* A linestyle argument ('--', 'dashed', 'none' …). */
GX_CHECK bool gx_line_kind_of(gx_rt *rt, gx_borrowed v, gx_line_kind *out);
/* The value of a keyword in **kwargs, or UNDEF; borrowed. */
gx_value gx_kwarg(gx_rt *rt, gx_borrowed kwargs, const char *name);
/* A keyword's number, flag or text, when it is given. */
GX_CHECK bool gx_kwarg_number(gx_call *c, gx_borrowed kwargs, const char *name, double *io);
/* Any real number; TypeError naming what it is. */
GX_CHECK bool gx_plot_number(gx_rt *rt, gx_borrowed v, const char *what, double *out);

/* Numbers of an argument as doubles, in memory of gx_alloc; names: when they are texts, their
   copies, and the numbers 0, 1, …; else NULL. ndim > limit: ValueError. */
typedef struct gx_points {
    double *data;
    char **names;
    int64_t n, columns; /* columns: 1, or of a 2-d argument */
} gx_points;
GX_CHECK bool gx_points_of(gx_call *c, gx_borrowed v, const char *what, int most_dims,
                           gx_points *out);
void gx_points_free(gx_rt *rt, gx_points *p);
/* Numbers one a point: a single one is repeated. */
GX_CHECK bool gx_points_spread(gx_call *c, gx_borrowed v, const char *what, int64_t n,
                               double **out);
/* The names of an axis's ticks at 0, 1, …: taken from the points. */
GX_CHECK bool gx_scale_names_take(gx_rt *rt, gx_scale *s, gx_points *p);
/* An image from a 2-d array or one of colours. */
GX_CHECK bool gx_image_of(gx_call *c, gx_borrowed v, gx_raster_data *out);
void gx_image_free(gx_rt *rt, gx_raster_data *im);
/* cmap=, vmin=, vmax= of an image or of coloured points; low and high are the data's before. */
GX_CHECK bool gx_map_arguments(gx_call *c, gx_borrowed kwargs, const gx_color_map **map,
                               double *low, double *high);

/* --- verbs (lines.c …): functions of pyplot and methods of Axes alike --- */

/* The axes that a call is about: argv[0] of a method, else pyplot's current ones; *first: where
   the arguments begin. */
GX_CHECK bool gx_verb_axes(gx_call *c, gx_panel **ax, int *first);

/* A mark of the points x and y, and the end of a verb with one mark: into the axes and out (ok), or
   dropped. */
GX_CHECK bool gx_points_mark(gx_call *c, gx_panel *ax, gx_borrowed x, gx_borrowed y,
                             gx_mark_kind kind, bool four, gx_mark **out);
GX_CHECK bool gx_verb_finish(gx_call *c, gx_panel *ax, gx_mark *m, bool ok, gx_value *out);
/* plot and scatter on given axes; their keywords may be plot options too. */
GX_CHECK bool gx_plot_lines_in(gx_call *c, gx_panel *ax, gx_borrowed args, gx_borrowed kwargs);
GX_CHECK bool gx_scatter_in(gx_call *c, gx_panel *ax, int i, const char *const *own, gx_value *out);
GX_CHECK bool gx_bar_in(gx_call *c, gx_panel *ax, int i, const char *const *own, bool upright,
                        gx_value *out);
GX_CHECK bool gx_hist_in(gx_call *c, gx_panel *ax, int i, const char *const *own, gx_value *out);
GX_CHECK bool gx_imshow_in(gx_call *c, gx_panel *ax, int i, const char *const *own, gx_value *out);

#define VERB(function, name, method, params, doc)                                                  \
    bool gx_plot_##function(gx_call *c, gx_value *out);
#include "stdlib/plot/verbs.def"

/* savefig for a figure: the kind of file is what format= says, else the path's ending. */
GX_CHECK bool gx_figure_save(gx_call *c, gx_figure *f, gx_borrowed path, gx_borrowed dpi,
                             gx_borrowed format);
/* fig.add_subplot's and fig.subplots's work, and figsize=. */
GX_CHECK bool gx_figure_subplot(gx_call *c, gx_figure *f, gx_borrowed args, gx_value *out);
GX_CHECK bool gx_figure_subplots(gx_call *c, gx_figure *f, int64_t rows, int64_t columns,
                                 gx_value *out);
/* The axes of a grid's cells, as they are indexed (grid.c). */
GX_CHECK bool gx_axes_grid_new(gx_rt *rt, gx_figure *f, int64_t rows, int64_t columns,
                               gx_value *out);
GX_CHECK bool gx_figure_size(gx_call *c, gx_figure *f, gx_borrowed size);
/* Writes a figure's picture to standard output, and notes that it was shown. */
GX_CHECK bool gx_figure_show(gx_rt *rt, gx_figure *f);
/* A new reference to an object as a value. */
static inline gx_value gx_plot_value(gx_obj *o) {
    gx_obj_keep(o);
    return gx_object(o);
}
/* The scale of an axis as a script names it. */
void gx_scale_clear_ticks(gx_rt *rt, gx_scale *s);
/* The colour bar of axes: of a mark, or of the last one that has a colour map. */
GX_CHECK bool gx_axes_colorbar(gx_call *c, gx_panel *ax, gx_borrowed mark, gx_borrowed kwargs);
/* Options of a whole plot in **kwargs, of the bare functions: title=, xlabel=, ylabel=, xlim=,
   ylim=, logx=, logy=, grid=. */
extern const char *const gx_plot_options[];
GX_CHECK bool gx_axes_options(gx_call *c, gx_panel *ax, gx_borrowed kwargs);

#endif
