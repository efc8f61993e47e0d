/* The canvas as an object: its methods check and convert what they are given, and split it into
   what the ends draw: lines without gaps, areas, letters, pixels. */
#include "stdlib/plot/canvas_int.h"

#include <math.h>
#include <string.h>

static gx_canvas *self_of(const gx_call *c) {
    return (gx_canvas *)c->argv[0].obj;
}

static void canvas_free(gx_rt *rt, gx_obj *o) {
    gx_canvas *c = (gx_canvas *)o;
    if (c->end) c->end->free(c);
    gx_buf_free(&c->out);
    for (size_t i = 0; i < c->images.count; i++) gx_drop(c->images.items[i]);
    gx_vec_free(rt, &c->images);
    gx_free(rt, o);
}

/* --- arguments --- */

bool gx_plot_numbers(gx_np *s, gx_call *c, int i, int64_t columns, const double **data,
                     int64_t *n) {
    gx_array *a = gx_np_arr(s, c->argv[i]);
    if (!a) return false;
    if (a->ndim != (columns ? 2 : 1) || (columns && gx_shape(a)[1] != columns))
        return gx_arg_wrong(c, i, columns == 2   ? "an array of rows (x, y)"
                                  : columns == 4 ? "an array of rows (r, g, b, a)"
                                                 : "an array with one axis");
    *n = gx_shape(a)[0];
    *data = gx_np_data(s, gx_np_contiguous(s, gx_np_cast(s, a, GX_f64)));
    return *data != NULL;
}

static uint8_t byte_of(double v) {
    return v > 0 ? (uint8_t)lround(v < 1 ? v * 255 : 255) : 0;
}

gx_rgba gx_rgba_of(const double *v) {
    return (gx_rgba){byte_of(v[0]), byte_of(v[1]), byte_of(v[2]), byte_of(v[3])};
}

static bool color_arg(gx_np *s, gx_call *c, int i, gx_rgba *out) {
    const double *v;
    int64_t n;
    if (!gx_plot_numbers(s, c, i, 0, &v, &n)) return false;
    if (n != 4) return gx_arg_wrong(c, i, "(r, g, b, a)");
    *out = gx_rgba_of(v);
    return true;
}

static bool pen_dashes(gx_np *s, gx_call *c, int i, gx_pen *pen) {
    const double *v;
    int64_t n;
    double sum = 0;
    if (!gx_arg_some(c, i)) return true;
    if (!gx_plot_numbers(s, c, i, 0, &v, &n)) return false;
    if (n > GX_DASHES || n % 2) return gx_arg_wrong(c, i, "up to 16 lengths: on, off, …");
    for (int64_t k = 0; k < n; k++) {
        if (!(v[k] >= 0)) return gx_arg_wrong(c, i, "lengths that are not negative");
        pen->dashes[k] = v[k];
        sum += v[k];
    }
    pen->dash_count = sum > 1e-3 ? (int)n : 0;
    return true;
}

/* Passes ok on, after what the canvas itself met. */
static bool done(gx_canvas *c, gx_np *s, bool ok, gx_value *out) {
    *out = gx_none();
    return gx_np_end(s, ok && c->ok) && gx_interrupt_check(c->rt);
}

/* --- drawing --- */

static bool broken(const double *p) {
    return !isfinite(p[0]) || !isfinite(p[1]);
}

static void stroke_runs(gx_canvas *c, const double *xy, int64_t n, const gx_pen *pen) {
    for (int64_t from = 0, to; from < n && c->ok; from = to + 1) {
        to = from;
        while (to < n && !broken(xy + 2 * to)) to++;
        if (to - from > 1) c->end->stroke(c, xy + 2 * from, to - from, pen);
    }
}

static bool canvas_stroke(gx_call *c, gx_value *out) {
    gx_canvas *to = self_of(c);
    gx_np s = gx_np_begin(c);
    gx_pen pen = {0};
    const double *xy;
    int64_t n, cap;
    bool ok = gx_plot_numbers(&s, c, 1, 2, &xy, &n) && color_arg(&s, c, 2, &pen.color) &&
              gx_arg_float(c, 3, &pen.width) && pen_dashes(&s, c, 4, &pen) &&
              gx_arg_float(c, 5, &pen.dash_start) && gx_arg_int(c, 6, &cap) &&
              gx_arg_bool(c, 7, &pen.snap);
    if (ok && pen.color.a && pen.width > 0) {
        pen.cap = cap == 1 ? GX_CAP_ROUND : cap == 2 ? GX_CAP_SQUARE : GX_CAP_BUTT;
        stroke_runs(to, xy, n, &pen);
    }
    return done(to, &s, ok, out);
}

static bool canvas_fill(gx_call *c, gx_value *out) {
    gx_canvas *to = self_of(c);
    gx_np s = gx_np_begin(c);
    gx_rgba color;
    const double *xy;
    int64_t n;
    bool crisp;
    bool ok = gx_plot_numbers(&s, c, 1, 2, &xy, &n) && color_arg(&s, c, 2, &color) &&
              gx_arg_bool(c, 3, &crisp);
    if (ok && color.a && n > 2) to->end->fill(to, xy, n, color, crisp);
    return done(to, &s, ok, out);
}

/* What each of many shapes looks like: row i of a table that begins again at its end. */
typedef struct looks {
    const double *fill, *edge, *width;
    int64_t fills, edges, widths;
    bool crisp;
} looks;

static bool looks_of(gx_np *s, gx_call *c, int i, looks *l) {
    return gx_plot_numbers(s, c, i, 4, &l->fill, &l->fills) &&
           gx_plot_numbers(s, c, i + 1, 4, &l->edge, &l->edges) &&
           gx_plot_numbers(s, c, i + 2, 0, &l->width, &l->widths) &&
           gx_arg_bool(c, i + 3, &l->crisp);
}

static void shape(gx_canvas *c, const double *xy, int64_t n, const looks *l, int64_t i) {
    if (l->fills) {
        gx_rgba color = gx_rgba_of(l->fill + 4 * (i % l->fills));
        if (color.a) c->end->fill(c, xy, n, color, l->crisp);
    }
    if (l->edges && l->widths) {
        gx_pen pen = {.color = gx_rgba_of(l->edge + 4 * (i % l->edges)),
                      .width = l->width[i % l->widths], .cap = GX_CAP_ROUND};
        if (pen.color.a && pen.width > 0) stroke_runs(c, xy, n, &pen);
    }
}

static bool canvas_marks(gx_call *c, gx_value *out) {
    gx_canvas *to = self_of(c);
    gx_np s = gx_np_begin(c);
    looks l;
    const double *xy, *unit, *sizes;
    int64_t n, m, k;
    bool ok = gx_plot_numbers(&s, c, 1, 2, &xy, &n) && gx_plot_numbers(&s, c, 2, 2, &unit, &m) &&
              gx_plot_numbers(&s, c, 3, 0, &sizes, &k) && looks_of(&s, c, 4, &l);
    double *at = ok ? gx_np_room(&s, 2 * m + 1, sizeof *at) : NULL;
    ok = ok && at != NULL;
    for (int64_t i = 0; ok && k && i < n && to->ok; i++) {
        if (broken(xy + 2 * i) || fabs(xy[2 * i]) > 1e6 || fabs(xy[2 * i + 1]) > 1e6) continue;
        for (int64_t j = 0; j < m; j++) {
            at[2 * j] = xy[2 * i] + unit[2 * j] * sizes[i % k];
            at[2 * j + 1] = xy[2 * i + 1] - unit[2 * j + 1] * sizes[i % k];
        }
        shape(to, at, m, &l, i);
        if (i % 1024 == 1023) ok = gx_interrupt_check(c->rt);
    }
    return done(to, &s, ok, out);
}

static bool canvas_polygons(gx_call *c, gx_value *out) {
    gx_canvas *to = self_of(c);
    gx_np s = gx_np_begin(c);
    looks l;
    const double *xy;
    int64_t n, corners;
    bool ok = gx_plot_numbers(&s, c, 1, 2, &xy, &n) && gx_arg_int(c, 2, &corners) &&
              looks_of(&s, c, 3, &l);
    if (ok && corners < 2) ok = gx_arg_wrong(c, 2, "at least 2");
    for (int64_t i = 0; ok && i < n / corners && to->ok; i++) {
        bool gap = false;
        for (int64_t j = 0; j < corners; j++) gap = gap || broken(xy + 2 * (i * corners + j));
        if (!gap) shape(to, xy + 2 * i * corners, corners, &l, i);
        if (i % 1024 == 1023) ok = gx_interrupt_check(c->rt);
    }
    return done(to, &s, ok, out);
}

static bool canvas_image(gx_call *c, gx_value *out) {
    gx_canvas *to = self_of(c);
    gx_np s = gx_np_begin(c);
    gx_pixels im = {0};
    gx_array *a = gx_np_arr(&s, c->argv[1]);
    bool ok = a != NULL;
    if (ok && (a->dtype != GX_u8 || a->ndim != 3 || gx_shape(a)[2] != 4))
        ok = gx_arg_wrong(c, 1, "an array of uint8 (rows, columns, 4)");
    ok = ok && gx_arg_float(c, 2, &im.x) && gx_arg_float(c, 3, &im.y) &&
         gx_arg_float(c, 4, &im.w) && gx_arg_float(c, 5, &im.h) && gx_arg_bool(c, 6, &im.smooth);
    if (ok) {
        im.height = gx_shape(a)[0];
        im.width = gx_shape(a)[1];
        im.data = gx_np_data(&s, gx_np_contiguous(&s, a));
        ok = im.data != NULL;
        if (ok && im.width && im.height && isfinite(im.x + im.y) && im.w > 0 && im.h > 0)
            to->end->image(to, &im);
    }
    return done(to, &s, ok, out);
}

static bool canvas_text(gx_call *c, gx_value *out) {
    gx_canvas *to = self_of(c);
    gx_np s = gx_np_begin(c);
    gx_letters t = {0};
    int64_t style;
    size_t length;
    bool ok = gx_arg_float(c, 1, &t.x) && gx_arg_float(c, 2, &t.y) &&
              gx_arg_float(c, 3, &t.size) && gx_arg_float(c, 4, &t.angle) &&
              gx_arg_int(c, 5, &style) && color_arg(&s, c, 6, &t.color) &&
              gx_arg_str(c, 7, &t.text, &length);
    t.style = ok ? (int)style : 0;
    if (ok && length && t.color.a && t.size > 0 && isfinite(t.x + t.y + t.angle))
        to->end->text(to, &t);
    return done(to, &s, ok, out);
}

static bool canvas_clip(gx_call *c, gx_value *out) {
    gx_canvas *to = self_of(c);
    double b[4] = {0, 0, -1, -1};
    *out = gx_none();
    for (int i = 0; gx_arg_some(c, 1) && i < 4; i++)
        if (!gx_arg_float(c, i + 1, &b[i])) return false;
    to->end->clip(to, b[0], b[1], b[2], b[3]);
    return to->ok;
}

/* --- what came of it --- */

static bool canvas_data(gx_call *c, gx_value *out) {
    gx_canvas *from = self_of(c);
    gx_buf png = gx_buf_new(c->rt);
    bool ok;
    if (from->raster) {
        ok = gx_raster_png(from, &png) && gx_bytes_new(c->rt, gx_buf_text(&png), png.length, out);
    } else {
        from->end->finish(from);
        ok = from->ok && gx_bytes_new(c->rt, gx_buf_text(&from->out), from->out.length, out);
    }
    gx_buf_free(&png);
    return ok;
}

static bool canvas_pixels(gx_call *c, gx_value *out) {
    gx_canvas *from = self_of(c);
    if (from->raster) return gx_raster_array(from, out);
    return gx_fail(c->rt, GX_TypeError, "plot.pixels", "only a canvas of pixels has pixels");
}

static bool canvas_parts(gx_call *c, gx_value *out) {
    gx_canvas *from = self_of(c);
    gx_value both[2];
    if (!gx_list_new(c->rt, (int64_t)from->images.count, from->images.items, &both[0]))
        return false;
    if (!gx_list_new(c->rt, 0, NULL, &both[1])) {
        gx_drop(both[0]);
        return false;
    }
    bool ok = true;
    for (int i = 0; ok && i < 256; i++)
        if (from->alphas[i]) ok = gx_list_push_take(c->rt, both[1], gx_int(i));
    if (ok) return gx_tuple_take(c->rt, 2, both, out);
    gx_drop(both[0]);
    gx_drop(both[1]);
    return false;
}

#define ROW(n, sig, text) {#n, #n sig, text, NULL, canvas_##n, 0, 0}
static const gx_native methods[] = {
    ROW(stroke, "(self, xy, color, width, dashes, start, cap, snap, /)",
        "A line through points; NaN parts it."),
    ROW(fill, "(self, xy, color, crisp, /)", "An area; NaN parts its rings."),
    ROW(marks, "(self, xy, unit, sizes, fill, edge, width, crisp, /)", "A shape at each point."),
    ROW(polygons, "(self, xy, corners, fill, edge, width, crisp, /)",
        "Polygons of equally many corners."),
    ROW(image, "(self, pixels, x, y, w, h, smooth, /)", "Pixels in a rectangle."),
    ROW(text, "(self, x, y, size, angle, style, color, text, /)", "Letters from a point on."),
    ROW(clip, "(self, x=None, y=0, w=0, h=0, /)", "The rectangle outside of which nothing shows."),
    ROW(data, "(self, /)", "The file's bytes: PNG or SVG; of PDF what draws the page."),
    ROW(pixels, "(self, /)", "An array of uint8 (rows, columns, 4)."),
    ROW(parts, "(self, /)", "PDF: the images of the page, and which alphas (0 to 255) it uses."),
    {.name = NULL},
};
#undef ROW

const gx_type gx_type_canvas = {
    .name = "Canvas", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE,
    .doc = "What a picture is drawn on.", .free = canvas_free, .methods = methods,
};

static bool new_canvas(gx_call *c, gx_value *out) {
    const char *kind;
    size_t length;
    double width, height, dpi;
    gx_rgba face;
    gx_np s = gx_np_begin(c);
    if (!gx_arg_str(c, 0, &kind, &length) || !gx_arg_float(c, 1, &width) ||
        !gx_arg_float(c, 2, &height) || !gx_arg_float(c, 3, &dpi) || !color_arg(&s, c, 4, &face))
        return gx_np_end(&s, false);
    gx_canvas *to = gx_obj_new(c->rt, &gx_type_canvas, sizeof *to);
    if (!to) return gx_np_end(&s, false);
    to->rt = c->rt;
    to->ok = true;
    to->width = width;
    to->height = height;
    to->out = gx_buf_new(c->rt);
    bool ok = strcmp(kind, "svg") == 0   ? gx_svg_begin(to, face)
              : strcmp(kind, "pdf") == 0 ? gx_pdf_begin(to, face)
                                         : gx_raster_begin(to, dpi, face);
    if (ok) *out = gx_object(&to->obj);
    else gx_obj_drop(&to->obj);
    return gx_np_end(&s, ok);
}

static bool text_width(gx_call *c, gx_value *out) {
    const char *text;
    size_t length;
    double size;
    int64_t style;
    if (!gx_arg_str(c, 0, &text, &length) || !gx_arg_float(c, 1, &size) ||
        !gx_arg_int(c, 2, &style))
        return false;
    *out = gx_float(gx_font_width(text, size, (int)style));
    return true;
}

/* The program that runs gx shows a picture, if it takes any. */
static bool outside(gx_call *c, gx_value *out) {
    const gx_output *o = &c->rt->output;
    bool takes = o->picture != NULL;
    if (takes && c->argv[0].tag == GX_BYTES) {
        const gx_str *png = gx_as_str(c->argv[0]);
        takes = o->picture(o->self, "image/png", png->text, png->length);
    }
    *out = gx_bool(takes);
    return true;
}

extern const gx_native gx_plot_module_functions[];
const gx_native gx_plot_module_functions[] = {
    {"canvas", "canvas(kind, width, height, dpi, face, /)",
     "A canvas of so many points: 'png', 'svg' or 'pdf'.", NULL, new_canvas, 0, 0},
    {"text_width", "text_width(text, size, style, /)", "How wide a text is.", NULL, text_width, 0,
     0},
    {"dots", "dots(width, height, ascii, colors, /)", "Characters of a terminal to draw on.", NULL,
     gx_dots_new, 0, 0},
    {"outside", "outside(png=None, /)",
     "Does the program that runs gx take pictures? Did it take this one?", NULL, outside, 0, 0},
    {"sixels", "sixels(pixels, /)", "An image as a terminal's sixels.", NULL, gx_sixels, 0, 0},
    {"blocks", "blocks(pixels, columns, rows, colors, ascii, /)",
     "An image as a terminal's half blocks, or as characters by darkness.", NULL, gx_half_blocks, 0,
     0},
    {"terminal", "terminal()",
     "(columns, rows, colors, screen): 0, 16, 256 or 2**24 colours; is it a terminal?", NULL,
     gx_terminal_facts, 0, 0},
    {"contour_lines", "contour_lines(x, y, z, level, /)",
     "The lines along which z is level: a list of arrays of (x, y).", NULL, gx_contour_lines, 0, 0},
    {"contour_areas", "contour_areas(x, y, z, low, high, /)",
     "Where z is between two levels: rings of (x, y), parted by NaN.", NULL, gx_contour_areas, 0,
     0},
    {.name = NULL},
};
