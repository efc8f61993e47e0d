/* The bare names: plot(y) makes a figure of its own and returns it, so that the prompt shows it by
   echoing it and a script prints or saves it. spark and show are for the terminal alone. */
#include <math.h>
#include <string.h>

#include "stdlib/plot/plot_int.h"

/* A new figure with axes. */
static bool begin(gx_call *c, gx_figure **f, gx_panel **ax) {
    return gx_plots_new(c->rt, f) && gx_figure_current(c->rt, *f, ax);
}

static bool finish(gx_call *c, gx_figure *f, gx_panel *ax, gx_borrowed kwargs, gx_value *out) {
    if (!gx_axes_options(c, ax, kwargs)) return false;
    *out = gx_plot_value(&f->obj);
    f->shown = true; /* what comes next is another picture */
    return true;
}

/* The result of a verb, of which only the drawing is wanted. */
static bool ignored(bool ok, gx_value *v) {
    if (ok) gx_drop(*v);
    return ok;
}

static bool bare_plot(gx_call *c, gx_value *out) {
    gx_figure *f;
    gx_panel *ax;
    return begin(c, &f, &ax) && gx_plot_lines_in(c, ax, c->argv[0], c->argv[1]) &&
           finish(c, f, ax, c->argv[1], out);
}

static bool bare_scatter(gx_call *c, gx_value *out) {
    static const char *const own[] = {"vmin", "vmax", "title", "xlabel", "ylabel", "xlim", "ylim",
                                      "logx", "logy", "grid", NULL};
    gx_figure *f;
    gx_panel *ax;
    gx_value v;
    return begin(c, &f, &ax) && ignored(gx_scatter_in(c, ax, 0, own, &v), &v) &&
           finish(c, f, ax, c->argv[6], out);
}

static bool bare_bar(gx_call *c, gx_value *out) {
    gx_figure *f;
    gx_panel *ax;
    gx_value v;
    return begin(c, &f, &ax) && ignored(gx_bar_in(c, ax, 0, gx_plot_options, true, &v), &v) &&
           finish(c, f, ax, c->argv[5], out);
}

static bool bare_hist(gx_call *c, gx_value *out) {
    static const char *const own[] = {"log", "histtype", "title", "xlabel", "ylabel", "xlim",
                                      "ylim", "logx", "logy", "grid", NULL};
    gx_figure *f;
    gx_panel *ax;
    gx_value v;
    return begin(c, &f, &ax) && ignored(gx_hist_in(c, ax, 0, own, &v), &v) &&
           finish(c, f, ax, c->argv[6], out);
}

static bool bare_imshow(gx_call *c, gx_value *out) {
    static const char *const own[] = {"origin", "aspect", "extent", "interpolation", "title",
                                      "xlabel", "ylabel", "xlim", "ylim", "logx", "logy", "grid",
                                      NULL};
    gx_figure *f;
    gx_panel *ax;
    gx_value v;
    return begin(c, &f, &ax) && ignored(gx_imshow_in(c, ax, 0, own, &v), &v) &&
           finish(c, f, ax, c->argv[4], out);
}

/* The last picture's file. */
static bool bare_savefig(gx_call *c, gx_value *out) {
    gx_figure *f;
    *out = gx_none();
    if (!gx_plots_current(c->rt, false, &f)) return false;
    if (f->axes.count == 0)
        return gx_fail(c->rt, GX_RuntimeError, "plot.empty",
                       "savefig: nothing has been drawn yet; plot(x, y) comes first");
    return gx_figure_save(c, f, c->argv[0], c->argv[1], c->argv[2]);
}

static bool bare_show(gx_call *c, gx_value *out) {
    gx_raster_data im;
    gx_figure *f;
    *out = gx_none();
    if (gx_is_figure(c->argv[0])) return gx_figure_show(c->rt, gx_as_figure(c->argv[0]));
    if (c->argv[0].tag == GX_NONE)
        return gx_plots_current(c->rt, false, &f) && (!f->axes.count || gx_figure_show(c->rt, f));
    if (!gx_image_of(c, c->argv[0], &im)) return false;
    if (im.values && c->argv[1].tag == GX_STR) {
        im.map = gx_color_map_of(c->rt, gx_as_str(c->argv[1])->text);
        if (!im.map) {
            gx_image_free(c->rt, &im);
            return false;
        }
    }
    gx_terminal t = gx_terminal_now(c->rt);
    gx_buf b = gx_buf_new(c->rt);
    bool ok = gx_image_text(c->rt, &im, &t, &b) &&
              gx_stdout_write(c->rt, gx_buf_text(&b), b.length);
    gx_buf_free(&b);
    gx_image_free(c->rt, &im);
    return ok;
}

/* --- spark --- */

/* The mean of the finite values that one character stands for; NaN: there is none. */
static double mean_of(const double *v, int64_t from, int64_t to) {
    double sum = 0;
    int64_t n = 0;
    for (int64_t i = from; i < to; i++)
        if (isfinite(v[i])) sum += v[i], n++;
    return n ? sum / (double)n : NAN;
}

static bool bare_spark(gx_call *c, gx_value *out) {
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char signs[] = "_.-=+*%#";
    gx_points p;
    int64_t width;
    double means[512], low = INFINITY, high = -INFINITY;
    if (!gx_arg_int(c, 1, &width)) return false;
    if (width < 1 || width > 512)
        return gx_fail(c->rt, GX_ValueError, "plot.width", "spark: width is 1 to 512, not %lld",
                       (long long)width);
    if (!gx_points_of(c, c->argv[0], "x", 1, &p)) return false;
    int64_t n = p.n < width ? p.n : width;
    for (int64_t i = 0; i < n; i++) {
        means[i] = mean_of(p.data, i * p.n / n, (i + 1) * p.n / n);
        if (means[i] < low) low = means[i];
        if (means[i] > high) high = means[i];
    }
    bool ascii = gx_terminal_now(c->rt).ascii, ok = true;
    gx_buf b = gx_buf_new(c->rt);
    for (int64_t i = 0; ok && i < n; i++) {
        double t = high > low ? (means[i] - low) / (high - low) : 0.5;
        int level = t > 0.999 ? 7 : (int)(t * 8);
        if (isnan(means[i]))
            ok = gx_buf_char(&b, ' ');
        else
            ok = ascii ? gx_buf_char(&b, signs[level]) : gx_buf_puts(&b, blocks[level]);
    }
    gx_points_free(c->rt, &p);
    if (ok) return gx_str_take(&b, out);
    gx_buf_free(&b);
    return false;
}

#define OPTIONS " title=, xlabel=, ylabel=, xlim=, ylim=, logx=, logy= and grid= go with it."
const gx_native gx_plot_functions[] = {
    {"plot", "plot(*args, **kwargs)",
     "A picture of lines: plot(y), plot(x, y), plot(x, y, 'r--o', label='data')." OPTIONS,
     "plot([1, 3, 2]).axes  # [<Axes with 1 mark>]", bare_plot, 0, 0},
    {"scatter", "scatter(x, y, s=None, c=None, marker=None, cmap=None, **kwargs)",
     "A picture of points." OPTIONS, "scatter([1, 2], [3, 4]).axes  # [<Axes with 1 mark>]",
     bare_scatter, 0, 0},
    {"bar", "bar(x, height, width=0.8, bottom=None, align='center', **kwargs)",
     "A picture of bars at x, which may be names." OPTIONS,
     "bar(['a', 'b'], [3, 4]).axes  # [<Axes with 1 mark>]", bare_bar, 0, 0},
    {"hist",
     "hist(x, bins=10, range=None, density=False, weights=None, cumulative=False, **kwargs)",
     "A picture of how often values fall into bins." OPTIONS,
     "hist([1, 2, 2, 3]).axes  # [<Axes with 1 mark>]", bare_hist, 0, 0},
    {"imshow", "imshow(X, cmap=None, vmin=None, vmax=None, **kwargs)",
     "A picture of an array: values by a colour map, or (rows, columns, 3) as colours." OPTIONS,
     "imshow(eye(3)).axes  # [<Axes with 1 mark>]", bare_imshow, 0, 0},
    {"show", "show(x=None, cmap=None)",
     "Prints an array as an image, a figure, or the last picture, in the terminal.", NULL,
     bare_show, 0, 0},
    {"savefig", "savefig(fname, dpi=None, format=None)", "Writes the last picture: .png or .svg.",
     NULL, bare_savefig, 0, 0},
    {"spark", "spark(x, width=60)", "Values as a line of small bars.",
     "spark([1, 2, 3, 4])  # ▁▃▆█", bare_spark, 0, 0},
    {.name = NULL},
};
