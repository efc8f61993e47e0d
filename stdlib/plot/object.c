/* Figure, Axes and Artist as types of the language: their methods, members and how they print. A
   figure's text is its picture: the prompt shows it by echoing it. */
#include <math.h>
#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/still.h"
#include "stdlib/io/files.h"
#include "stdlib/io/image.h"
#include "stdlib/plot/plot_int.h"
#include "stdlib/stdlib.h"

/* --- saving and showing --- */

static bool ends_with(const char *s, size_t n, const char *end) {
    size_t k = strlen(end);
    return n >= k && strcasecmp(s + n - k, end) == 0;
}

/* dpi and size within what can be made; SVG needs no dpi. */
static bool picture_of(gx_call *c, gx_figure *f, bool svg, gx_borrowed dpi, gx_buf *out) {
    gx_rt *rt = c->rt;
    double d = f->dpi;
    if (dpi.tag != GX_UNDEF && dpi.tag != GX_NONE && dpi.tag != GX_STR &&
        !gx_plot_number(rt, dpi, "dpi", &d))
        return false;
    return svg ? gx_figure_svg(rt, f, out) : gx_figure_png(rt, f, d, out);
}

static bool bad_format(gx_rt *rt, const char *what) {
    return gx_fail(rt, GX_ValueError, "plot.format",
                   "savefig writes .png and .svg files, not '%.20s'", what);
}

bool gx_figure_save(gx_call *c, gx_figure *f, gx_borrowed path, gx_borrowed dpi,
                    gx_borrowed format) {
    gx_rt *rt = c->rt;
    bool svg = false;
    const char *suffix = NULL;
    if (path.tag == GX_STR && format.tag != GX_STR) {
        const gx_str *s = gx_as_str(path);
        svg = ends_with(s->text, s->length, ".svg");
        const char *name = strrchr(s->text, '/') ? strrchr(s->text, '/') + 1 : s->text;
        const char *dot = strrchr(name, '.');
        if (!svg && !ends_with(s->text, s->length, ".png")) {
            if (dot && dot != name) return bad_format(rt, dot);
            suffix = ".png";
        }
    } else if (format.tag == GX_STR) {
        svg = strcmp(gx_as_str(format)->text, "svg") == 0;
        if (!svg && strcmp(gx_as_str(format)->text, "png") != 0)
            return bad_format(rt, gx_as_str(format)->text);
    }
    gx_buf b = gx_buf_new(rt);
    gx_outfile file;
    bool ok = picture_of(c, f, svg, dpi, &b) && gx_outfile_open(rt, path, suffix, false, &file);
    if (ok) ok = gx_outfile_done(&file, gx_outfile_write(&file, b.data, b.length));
    gx_buf_free(&b);
    return ok;
}

bool gx_figure_png(gx_rt *rt, gx_figure *f, double dpi, gx_buf *out) {
    int width, height;
    gx_rgba *pixels;
    if (!gx_figure_pixels(rt, f, dpi, &width, &height, &pixels)) return false;
    bool ok = gx_png_write(rt, (const uint8_t *)pixels, width, height, 4, dpi, true, out);
    gx_free(rt, pixels);
    return ok;
}

gx_try gx_picture_file(gx_rt *rt, gx_borrowed v, const char *type, gx_buf *out) {
    if (!gx_is_figure(v)) return GX_TRY_NO;
    gx_figure *f = gx_as_figure(v);
    bool ok = strcmp(type, "image/png") == 0 ? gx_figure_png(rt, f, f->dpi, out)
                                             : gx_figure_svg(rt, f, out);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

/* The program that runs gx shows it; NO: it does not take pictures. */
static gx_try show_outside(gx_rt *rt, gx_figure *f) {
    const gx_output *o = &rt->output;
    gx_buf png = gx_buf_new(rt);
    gx_try done = GX_TRY_NO;
    if (!o->picture) return done;
    if (!gx_figure_png(rt, f, f->dpi, &png)) done = GX_TRY_ERROR;
    else if (o->picture(o->self, "image/png", png.data, png.length)) done = GX_TRY_YES;
    gx_buf_free(&png);
    return done;
}

bool gx_figure_show(gx_rt *rt, gx_figure *f) {
    gx_try outside = show_outside(rt, f);
    if (outside == GX_TRY_YES) f->shown = true;
    if (outside != GX_TRY_NO) return outside == GX_TRY_YES;
    gx_terminal t = gx_terminal_now(rt);
    gx_buf b = gx_buf_new(rt);
    bool ok = gx_figure_text(rt, f, &t, &b) && gx_stdout_write(rt, gx_buf_text(&b), b.length);
    gx_buf_free(&b);
    if (ok) f->shown = true;
    return ok;
}

/* --- figures --- */

static bool figure_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_figure *f = gx_as_figure(v);
    gx_terminal t = gx_terminal_now(rt);
    if (f->axes.count == 0)
        return gx_buf_printf(out, "<Figure %.4g x %.4g inches, empty>", f->width, f->height);
    if (!gx_figure_text(rt, f, &t, out)) return false;
    out->data[--out->length] = '\0'; /* whoever prints it ends the line */
    return true;
}

static gx_figure *self_figure(gx_call *c) {
    return gx_as_figure(c->argv[0]);
}

static bool figure_savefig(gx_call *c, gx_value *out) {
    *out = gx_none();
    return gx_figure_save(c, self_figure(c), c->argv[1], c->argv[2], c->argv[3]);
}

static bool figure_show(gx_call *c, gx_value *out) {
    *out = gx_none();
    return gx_figure_show(c->rt, self_figure(c));
}

static bool figure_gca(gx_call *c, gx_value *out) {
    gx_panel *ax;
    if (!gx_figure_current(c->rt, self_figure(c), &ax)) return false;
    *out = gx_plot_value(&ax->obj);
    return true;
}

static bool grid_numbers(gx_call *c, int64_t rows, int64_t columns, int64_t index) {
    if (rows >= 1 && columns >= 1 && rows <= 50 && columns <= 50 && index >= 1 &&
        index <= rows * columns)
        return true;
    return gx_fail(c->rt, GX_ValueError, "plot.grid",
                   "a grid has 1 to 50 rows and columns, and its cells count from 1 to their "
                   "product; got (%lld, %lld, %lld)", (long long)rows, (long long)columns,
                   (long long)index);
}

bool gx_figure_subplot(gx_call *c, gx_figure *f, gx_borrowed args, gx_value *out) {
    const gx_value *items;
    int64_t v[3] = {1, 1, 1}, n;
    gx_panel *ax;
    GX_STILL(own);
    if (!gx_still_items(c->rt, args, &own, &items, &n)) return false;
    if (n == 1 && items[0].tag == GX_INT && items[0].i >= 111 && items[0].i <= 999) {
        v[0] = items[0].i / 100;
        v[1] = items[0].i / 10 % 10;
        v[2] = items[0].i % 10;
    } else if (n == 3) {
        for (int i = 0; i < 3; i++) {
            gx_try got = gx_as_index(c->rt, items[i], &v[i]);
            if (got == GX_TRY_ERROR) return false;
            if (got == GX_TRY_NO) n = -1;
        }
    }
    bool one =
        n == 1 && v[0] > 0 && items[0].tag == GX_INT && items[0].i >= 111 && items[0].i <= 999;
    if (n != 0 && n != 3 && !one)
        return gx_fail(c->rt, GX_TypeError, "plot.subplot",
                       "subplot takes (rows, columns, index), or three figures as in 211");
    if (!grid_numbers(c, v[0], v[1], v[2]) ||
        !gx_figure_axes(c->rt, f, (int)v[0], (int)v[1], (int)v[2] - 1, &ax))
        return false;
    *out = gx_plot_value(&ax->obj);
    return true;
}

static bool figure_add_subplot(gx_call *c, gx_value *out) {
    return gx_figure_subplot(c, self_figure(c), c->argv[1], out);
}

/* One axes, or the grid of them. */
bool gx_figure_subplots(gx_call *c, gx_figure *f, int64_t rows, int64_t columns, gx_value *out) {
    gx_panel *ax;
    if (!grid_numbers(c, rows, columns, 1)) return false;
    if (rows == 1 && columns == 1) {
        if (!gx_figure_axes(c->rt, f, 1, 1, 0, &ax)) return false;
        *out = gx_plot_value(&ax->obj);
        return true;
    }
    if (!gx_axes_grid_new(c->rt, f, rows, columns, out)) return false;
    f->current = f->axes.items[0];
    return true;
}

static bool figure_subplots(gx_call *c, gx_value *out) {
    int64_t rows, columns;
    return gx_arg_int(c, 1, &rows) && gx_arg_int(c, 2, &columns) &&
           gx_figure_subplots(c, self_figure(c), rows, columns, out);
}

static bool figure_suptitle(gx_call *c, gx_value *out) {
    const char *text;
    size_t n;
    *out = gx_none();
    return gx_arg_str(c, 1, &text, &n) && gx_plot_text(c->rt, &self_figure(c)->title, text);
}

static bool figure_colorbar(gx_call *c, gx_value *out) {
    gx_panel *ax;
    *out = gx_none();
    if (gx_is_axes(c->argv[2]))
        ax = gx_as_axes(c->argv[2]);
    else if (!gx_figure_current(c->rt, self_figure(c), &ax))
        return false;
    if (!gx_is_axes(c->argv[2]) && gx_is_artist(c->argv[1])) /* the axes that hold it */
        for (size_t i = 0; i < self_figure(c)->axes.count; i++)
            for (size_t k = 0; k < self_figure(c)->axes.items[i]->marks.count; k++)
                if (self_figure(c)->axes.items[i]->marks.items[k] == gx_as_mark(c->argv[1]))
                    ax = self_figure(c)->axes.items[i];
    return gx_axes_colorbar(c, ax, c->argv[1], c->argv[3]);
}

static bool set_size(gx_call *c, gx_figure *f, gx_borrowed w, gx_borrowed h) {
    double width, height;
    if (!gx_plot_number(c->rt, w, "a width", &width) ||
        !gx_plot_number(c->rt, h, "a height", &height))
        return false;
    if (!(width >= 0.5 && height >= 0.5 && width <= 200 && height <= 200))
        return gx_fail(c->rt, GX_ValueError, "plot.size",
                       "a figure is 0.5 to 200 inches wide and high, not %g x %g", width, height);
    f->width = width;
    f->height = height;
    return true;
}

bool gx_figure_size(gx_call *c, gx_figure *f, gx_borrowed size) {
    const gx_value *items;
    if (size.tag == GX_UNDEF || size.tag == GX_NONE) return true;
    int64_t n;
    GX_STILL(own);
    if (!gx_still_items(c->rt, size, &own, &items, &n)) return false;
    if (n == 2) return set_size(c, f, items[0], items[1]);
    return gx_fail(c->rt, GX_TypeError, "plot.size", "figsize is (width, height) in inches, not %s",
                   gx_type_name(size));
}

static bool figure_set_size(gx_call *c, gx_value *out) {
    *out = gx_none();
    if (c->argv[2].tag == GX_NONE) return gx_figure_size(c, self_figure(c), c->argv[1]);
    return set_size(c, self_figure(c), c->argv[1], c->argv[2]);
}

static bool figure_layout(gx_call *c, gx_value *out) {
    (void)c;
    *out = gx_none(); /* room is always made */
    return true;
}

static bool figure_to_rgba(gx_call *c, gx_value *out) {
    gx_figure *f = self_figure(c);
    double dpi = f->dpi;
    int w, h;
    gx_rgba *pixels;
    char *data;
    gx_array *a;
    if (gx_arg_some(c, 1) && !gx_plot_number(c->rt, c->argv[1], "dpi", &dpi)) return false;
    if (!gx_figure_pixels(c->rt, f, dpi, &w, &h, &pixels)) return false;
    const int64_t shape[3] = {h, w, 4};
    bool ok = gx_array_empty(c->rt, GX_u8, 3, shape, GX_NS_NUMPY, &a);
    if (ok) {
        ok = gx_array_write(c->rt, a, &data);
        if (ok) memcpy(data, pixels, (size_t)w * (size_t)h * 4);
        if (ok)
            *out = gx_array_value(a);
        else
            gx_array_drop(a);
    }
    gx_free(c->rt, pixels);
    return ok;
}

static bool figure_to_svg(gx_call *c, gx_value *out) {
    gx_buf b = gx_buf_new(c->rt);
    if (gx_figure_svg(c->rt, self_figure(c), &b)) return gx_str_take(&b, out);
    gx_buf_free(&b);
    return false;
}

static bool figure_axes_member(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_figure *f = gx_as_figure(self);
    gx_value list;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    for (size_t i = 0; i < f->axes.count; i++)
        if (!gx_list_push_take(rt, list, gx_plot_value(&f->axes.items[i]->obj))) {
            gx_drop(list);
            return false;
        }
    *out = list;
    return true;
}

#define ROW(n, sig, text) {#n, #n sig, text, NULL, figure_##n, 0, 0}
static const gx_native figure_methods[] = {
    ROW(savefig, "(self, fname, dpi=None, format=None, **kwargs)",
        "Writes the picture: .png or .svg."),
    ROW(show, "(self)", "Prints the picture in the terminal."),
    ROW(gca, "(self)", "The axes that plots go to."),
    ROW(add_subplot, "(self, *args, **kwargs)", "Axes in a cell of a grid: rows, columns, index."),
    ROW(subplots, "(self, nrows=1, ncols=1, **kwargs)", "Axes in all cells of a grid."),
    ROW(suptitle, "(self, t, **kwargs)", "A title above all axes."),
    ROW(colorbar, "(self, mappable=None, ax=None, **kwargs)", "A scale of an image's colours."),
    {"set_size_inches", "set_size_inches(self, w, h=None)", "Sets width and height.", NULL,
     figure_set_size, 0, 0},
    {"tight_layout", "tight_layout(self, **kwargs)", "Does nothing: labels always have room.", NULL,
     figure_layout, 0, 0},
    ROW(to_rgba, "(self, dpi=None)", "The picture as an array of uint8 (rows, columns, 4)."),
    ROW(to_svg, "(self)", "The picture as the text of an SVG file."),
    {.name = NULL},
};
#undef ROW
static const gx_member figure_members[] = {
    {"axes", figure_axes_member, NULL, "All axes, a list."},
    {NULL, NULL, NULL, NULL},
};

const gx_type gx_type_figure = {
    .name = "Figure", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .doc = "A picture of plots.",
    .free = gx_figure_free, .repr = figure_repr, .methods = figure_methods,
    .members = figure_members,
};

/* --- axes --- */

static bool axes_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    const gx_panel *ax = gx_as_axes(v);
    return gx_buf_printf(out, "<Axes with %zu mark%s>", ax->marks.count,
                         ax->marks.count == 1 ? "" : "s");
}

static bool axes_figure(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    gx_figure *f = gx_as_axes(self)->figure;
    *out = f ? gx_plot_value(&f->obj) : gx_none();
    return true;
}

/* set(xlabel=…, title=…): calls set_xlabel and so on. */
static bool axes_set(gx_call *c, gx_value *out) {
    int64_t at = 0;
    *out = gx_none();
    for (gx_entry *e; (e = gx_dict_next(gx_as_dict(c->argv[1]), &at));) {
        char name[64];
        gx_value method, result;
        snprintf(name, sizeof name, "set_%.50s", gx_as_str(e->key)->text);
        gx_sym sym = gx_sym_c(c->rt, name);
        if (!sym || !gx_get_attr(c->rt, c->argv[0], sym, &method)) return false;
        bool ok = gx_call_value(c->rt, method, 1, &e->value, 0, NULL, &result);
        gx_drop(method);
        if (!ok) return false;
        gx_drop(result);
    }
    return true;
}

static bool axes_set_aspect(gx_call *c, gx_value *out) {
    *out = gx_none();
    gx_as_axes(c->argv[0])->equal =
        c->argv[1].tag != GX_STR || strcmp(gx_as_str(c->argv[1])->text, "auto") != 0;
    return true;
}

static bool axes_invert_yaxis(gx_call *c, gx_value *out) {
    *out = gx_none();
    gx_as_axes(c->argv[0])->scale[1].inverted = !gx_as_axes(c->argv[0])->scale[1].inverted;
    return true;
}
static bool axes_invert_xaxis(gx_call *c, gx_value *out) {
    *out = gx_none();
    gx_as_axes(c->argv[0])->scale[0].inverted = !gx_as_axes(c->argv[0])->scale[0].inverted;
    return true;
}
static bool axes_set_axis_off(gx_call *c, gx_value *out) {
    *out = gx_none();
    gx_as_axes(c->argv[0])->off = true;
    return true;
}
static bool axes_nothing(gx_call *c, gx_value *out) {
    (void)c;
    *out = gx_none();
    return true;
}

#define VERB(function, name, method, params, doc)                                                  \
    {method, method "(self, " params ")", doc, NULL, gx_plot_##function, 0, 0},
#define ROW(n, sig, text) {#n, #n sig, text, NULL, axes_##n, 0, 0}
static const gx_native axes_methods[] = {
#include "stdlib/plot/verbs.def"
    ROW(set, "(self, **kwargs)", "Several settings at once: set(xlabel='t', title='…')."),
    ROW(set_aspect, "(self, aspect, **kwargs)", "'equal': a unit is as long both ways."),
    ROW(invert_xaxis, "(self)", "Turns the x axis around."),
    ROW(invert_yaxis, "(self)", "Turns the y axis around."),
    ROW(set_axis_off, "(self)", "Hides the frame, the marks and the labels."),
    {"tick_params", "tick_params(self, *args, **kwargs)", "Accepted; changes nothing.", NULL,
     axes_nothing, 0, 0},
    {.name = NULL},
};
#undef ROW
static const gx_member axes_members[] = {
    {"figure", axes_figure, NULL, "The figure that they belong to."},
    {NULL, NULL, NULL, NULL},
};

const gx_type gx_type_axes = {
    .name = "Axes", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .doc = "One plot of a figure.",
    .free = gx_axes_free, .repr = axes_repr, .methods = axes_methods, .members = axes_members,
};

/* --- artists --- */

static bool artist_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    static const char *const names[] = {"line", "bars", "area", "segments", "rule", "band", "text",
                                        "image"};
    const gx_mark *m = gx_as_mark(v);
    (void)rt;
    if (m->kind == GX_MARK_IMAGE)
        return gx_buf_printf(out, "<image (%lld, %lld)>", (long long)m->image.rows,
                             (long long)m->image.columns);
    return gx_buf_printf(out, "<%s of %lld>", names[m->kind], (long long)m->n);
}

static bool artist_set_label(gx_call *c, gx_value *out) {
    const char *text;
    size_t n;
    *out = gx_none();
    return gx_arg_str(c, 1, &text, &n) &&
           gx_plot_text(c->rt, &gx_as_mark(c->argv[0])->style.label, text);
}

static bool artist_set_color(gx_call *c, gx_value *out) {
    *out = gx_none();
    return gx_color_of(c->rt, c->argv[1], &gx_as_mark(c->argv[0])->style.color);
}

static const gx_native artist_methods[] = {
    {"set_label", "set_label(self, label)", "What the legend calls it.", NULL, artist_set_label, 0,
     0},
    {"set_color", "set_color(self, color)", "Changes its colour.", NULL, artist_set_color, 0, 0},
    {.name = NULL},
};

const gx_type gx_type_artist = {
    .name = "Artist", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE,
    .doc = "What a plotting function drew.", .free = gx_artist_free, .repr = artist_repr,
    .methods = artist_methods,
};
