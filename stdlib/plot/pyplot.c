/* matplotlib.pyplot's functions: those that Axes have too (verbs.def), and those about the
   figures of the session. */
#include <string.h>

#include "stdlib/plot/plot_int.h"

static bool current(gx_call *c, gx_figure **f) {
    return gx_plots_current(c->rt, false, f);
}

static bool plt_figure(gx_call *c, gx_value *out) {
    gx_plots *p = gx_plots_of(c->rt);
    gx_figure *f = NULL;
    int64_t number = 0;
    if (!p) return false;
    if (c->argv[0].tag == GX_INT) number = c->argv[0].i;
    for (size_t i = 0; number && i < p->figures.count; i++)
        if (p->figures.items[i]->number == number) p->current = f = p->figures.items[i];
    if (!f && !gx_plots_new(c->rt, &f)) return false;
    if (number > 0 && number < 1000000) f->number = (int)number;
    if (gx_arg_some(c, 2) && !gx_plot_number(c->rt, c->argv[2], "dpi", &f->dpi)) return false;
    if (!gx_figure_size(c, f, c->argv[1])) return false;
    *out = gx_plot_value(&f->obj);
    return true;
}

static bool plt_subplots(gx_call *c, gx_value *out) {
    gx_figure *f;
    int64_t rows, columns;
    gx_value axes;
    if (!gx_arg_int(c, 0, &rows) || !gx_arg_int(c, 1, &columns) || !gx_plots_new(c->rt, &f) ||
        !gx_figure_size(c, f, gx_kwarg(c->rt, c->argv[2], "figsize")) ||
        !gx_kwarg_number(c, c->argv[2], "dpi", &f->dpi) ||
        !gx_figure_subplots(c, f, rows, columns, &axes))
        return false;
    gx_value both[2] = {gx_plot_value(&f->obj), axes};
    return gx_tuple_take(c->rt, 2, both, out);
}

static bool plt_subplot(gx_call *c, gx_value *out) {
    gx_figure *f;
    return gx_plots_current(c->rt, true, &f) && gx_figure_subplot(c, f, c->argv[0], out);
}

static bool plt_gcf(gx_call *c, gx_value *out) {
    gx_figure *f;
    if (!current(c, &f)) return false;
    *out = gx_plot_value(&f->obj);
    return true;
}

static bool plt_gca(gx_call *c, gx_value *out) {
    gx_figure *f;
    gx_panel *ax;
    if (!gx_plots_current(c->rt, true, &f) || !gx_figure_current(c->rt, f, &ax)) return false;
    *out = gx_plot_value(&ax->obj);
    return true;
}

static bool plt_sca(gx_call *c, gx_value *out) {
    gx_plots *p = gx_plots_of(c->rt);
    *out = gx_none();
    if (!p) return false;
    if (!gx_is_axes(c->argv[0])) return gx_arg_wrong(c, 0, "Axes");
    gx_panel *ax = gx_as_axes(c->argv[0]);
    for (size_t i = 0; i < p->figures.count; i++)
        if (p->figures.items[i] == ax->figure) {
            p->current = ax->figure;
            ax->figure->current = ax;
        }
    return true;
}

static bool plt_savefig(gx_call *c, gx_value *out) {
    gx_figure *f;
    *out = gx_none();
    if (!current(c, &f)) return false;
    if (f->axes.count == 0)
        return gx_fail(c->rt, GX_RuntimeError, "plot.empty",
                       "savefig: nothing has been drawn yet; plot(x, y) comes first");
    return gx_figure_save(c, f, c->argv[0], c->argv[1], c->argv[2]);
}

/* All pictures that were not shown yet. */
static bool plt_show(gx_call *c, gx_value *out) {
    gx_plots *p = gx_plots_of(c->rt);
    *out = gx_none();
    if (!p) return false;
    for (size_t i = 0; i < p->figures.count; i++) {
        gx_figure *f = p->figures.items[i];
        if (!f->shown && f->axes.count && !gx_figure_show(c->rt, f)) return false;
    }
    return true;
}

static bool plt_close(gx_call *c, gx_value *out) {
    gx_plots *p = gx_plots_of(c->rt);
    gx_borrowed v = c->argv[0];
    *out = gx_none();
    if (!p) return false;
    bool all = v.tag == GX_STR && strcmp(gx_as_str(v)->text, "all") == 0;
    size_t kept = 0;
    gx_figure *now = p->current;
    for (size_t i = 0; i < p->figures.count; i++) {
        gx_figure *f = p->figures.items[i];
        bool this = v.tag == GX_NONE ? f == now
                    : v.tag == GX_INT ? f->number == v.i : gx_is_figure(v) && gx_as_figure(v) == f;
        if (!all && !this) {
            p->figures.items[kept++] = f;
            continue;
        }
        if (f == p->current) p->current = NULL;
        gx_obj_drop(&f->obj);
    }
    p->figures.count = kept;
    if (!p->current && kept) p->current = p->figures.items[kept - 1];
    return true;
}

static bool plt_clf(gx_call *c, gx_value *out) {
    gx_figure *f;
    *out = gx_none();
    if (!current(c, &f)) return false;
    for (size_t i = 0; i < f->axes.count; i++) {
        f->axes.items[i]->figure = NULL;
        gx_obj_drop(&f->axes.items[i]->obj);
    }
    f->axes.count = 0;
    f->current = NULL;
    f->shown = false;
    return gx_plot_text(c->rt, &f->title, NULL);
}

static bool plt_suptitle(gx_call *c, gx_value *out) {
    gx_figure *f;
    const char *text;
    size_t n;
    *out = gx_none();
    return gx_plots_current(c->rt, true, &f) && gx_arg_str(c, 0, &text, &n) &&
           gx_plot_text(c->rt, &f->title, text);
}

static bool plt_colorbar(gx_call *c, gx_value *out) {
    gx_figure *f;
    gx_panel *ax;
    *out = gx_none();
    if (!current(c, &f) || !gx_figure_current(c->rt, f, &ax)) return false;
    if (gx_is_axes(c->argv[1])) ax = gx_as_axes(c->argv[1]);
    return gx_axes_colorbar(c, ax, c->argv[0], c->argv[2]);
}

static bool plt_nothing(gx_call *c, gx_value *out) {
    (void)c;
    *out = gx_none();
    return true;
}

#define VERB(function, name, method, params, doc)                                                  \
    {name, name "(" params ")", doc, NULL, gx_plot_##function, 0, 0},
#define ROW(n, sig, text) {#n, #n sig, text, NULL, plt_##n, 0, 0}
const gx_native gx_plot_pyplot_functions[] = {
#include "stdlib/plot/verbs.def"
    ROW(figure, "(num=None, figsize=None, dpi=None, **kwargs)",
        "A new figure, now the current one."),
    ROW(subplots, "(nrows=1, ncols=1, **kwargs)",
        "A new figure and its axes: fig, ax = subplots()."),
    ROW(subplot, "(*args, **kwargs)", "The axes in a cell of a grid: subplot(2, 1, 1)."),
    ROW(gcf, "()", "The current figure."),
    ROW(gca, "()", "The current axes."),
    ROW(sca, "(ax)", "Makes axes the current ones."),
    ROW(savefig, "(fname, dpi=None, format=None, **kwargs)",
        "Writes the current figure: .png or .svg."),
    ROW(show, "(**kwargs)", "Prints the figures that were not shown yet in the terminal."),
    ROW(close, "(fig=None)", "Closes the current figure, a given one, or 'all'."),
    ROW(clf, "()", "Clears the current figure."),
    ROW(suptitle, "(t, **kwargs)", "A title above all axes of the figure."),
    ROW(colorbar, "(mappable=None, ax=None, **kwargs)", "A scale of an image's colours."),
    {"tight_layout", "tight_layout(**kwargs)", "Does nothing: labels always have room.", NULL,
     plt_nothing, 0, 0},
    {"ion", "ion()", "Does nothing: pictures appear when they are shown.", NULL, plt_nothing, 0, 0},
    {"ioff", "ioff()", "Does nothing.", NULL, plt_nothing, 0, 0},
    {.name = NULL},
};

const gx_constant gx_matplotlib_constants[] = {
    {.name = "pyplot", .kind = GX_CONST_MODULE, .text = "matplotlib.pyplot"},
    {.name = NULL},
};
