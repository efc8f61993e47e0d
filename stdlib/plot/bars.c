/* bar, barh and hist, stem and errorbar: marks that stand on something. */
#include <math.h>
#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/still.h"
#include "stdlib/plot/plot_int.h"

/* Places, lengths, widths and bases as rectangles. */
static bool make_bars(gx_call *c, int i, bool upright, const gx_points *at, gx_mark **out) {
    double *length = NULL, *width = NULL, *base = NULL;
    const char *align;
    size_t k;
    gx_mark *m = NULL;
    int64_t n = at->n;
    const gx_value none = gx_int(0), from = gx_arg_some(c, i + 3) ? c->argv[i + 3] : none;
    bool ok = gx_arg_str(c, i + 4, &align, &k) &&
              gx_points_spread(c, c->argv[i + 1], upright ? "height" : "width", n, &length) &&
              gx_points_spread(c, c->argv[i + 2], upright ? "width" : "height", n, &width) &&
              gx_points_spread(c, from, upright ? "bottom" : "left", n, &base) &&
              gx_mark_new(c->rt, GX_MARK_BARS, n, true, &m);
    for (int64_t j = 0; ok && j < n; j++) {
        double low = at->data[j] - (strcmp(align, "edge") == 0 ? 0 : width[j] / 2);
        double *x = upright ? &m->x[j] : &m->y[j], *x2 = upright ? &m->x2[j] : &m->y2[j];
        double *y = upright ? &m->y[j] : &m->x[j], *y2 = upright ? &m->y2[j] : &m->x2[j];
        *x = low;
        *x2 = low + width[j];
        *y = base[j];
        *y2 = base[j] + length[j];
    }
    gx_free(c->rt, length);
    gx_free(c->rt, width);
    gx_free(c->rt, base);
    if (!ok) return false;
    m->upright = upright;
    m->sticky = true;
    m->style.width = 1;
    *out = m;
    return true;
}

/* color=['r', 'g', …]: one a bar. The keyword is read here when it is a list as long as there are
   bars. */
static bool bar_colors(gx_call *c, gx_mark *m, gx_borrowed kwargs) {
    const gx_value *items;
    gx_value v = gx_kwarg(c->rt, kwargs, "color");
    int64_t n;
    GX_STILL(own);
    if (!gx_still_items(c->rt, v, &own, &items, &n)) return false;
    if (n < 1 || n != m->n || (items[0].tag != GX_STR && items[0].tag != GX_TUPLE)) return true;
    m->colors = gx_alloc(c->rt, (size_t)n * sizeof *m->colors);
    if (!m->colors) return false;
    for (int64_t i = 0; i < n; i++)
        if (!gx_color_of(c->rt, items[i], &m->colors[i])) return false;
    m->style.has_color = true;
    m->style.color = m->colors[0];
    return true;
}

bool gx_bar_in(gx_call *c, gx_panel *ax, int i, const char *const *own, bool upright,
               gx_value *out) {
    gx_points at;
    gx_mark *m = NULL;
    if (!gx_points_of(c, c->argv[i], upright ? "x" : "y", 1, &at)) return false;
    bool ok = make_bars(c, i, upright, &at, &m);
    if (ok && !gx_scale_names_take(c->rt, &ax->scale[!upright], &at)) {
        gx_obj_drop(&m->obj);
        ok = false;
    }
    gx_points_free(c->rt, &at);
    if (!ok) return false;
    gx_borrowed kwargs = c->argv[i + 5];
    const char *names[24];
    int n = 0;
    ok = bar_colors(c, m, kwargs);
    for (; own[n] && n < 20; n++) names[n] = own[n];
    if (m->colors) names[n++] = "color";
    names[n] = NULL;
    ok = ok && gx_style_read(c, kwargs, names, &m->style);
    return gx_verb_finish(c, ax, m, ok, out);
}

static const char *const bar_own[] = {"log", "tick_label", NULL};

bool gx_plot_bar(gx_call *c, gx_value *out) {
    gx_panel *ax;
    int i;
    return gx_verb_axes(c, &ax, &i) && gx_bar_in(c, ax, i, bar_own, true, out);
}
bool gx_plot_barh(gx_call *c, gx_value *out) {
    gx_panel *ax;
    int i;
    return gx_verb_axes(c, &ax, &i) && gx_bar_in(c, ax, i, bar_own, false, out);
}

/* --- hist --- */

/* numpy.histogram of the values: counts and edges, both float64. */
static bool count_bins(gx_call *c, int i, gx_value *counts, gx_value *edges) {
    gx_rt *rt = c->rt;
    const gx_native *fn = gx_numpy_function(rt, "histogram");
    const gx_sym names[3] = {gx_sym_c(rt, "range"), gx_sym_c(rt, "density"),
                             gx_sym_c(rt, "weights")};
    gx_value result, bins = gx_arg_some(c, i + 1) ? c->argv[i + 1] : gx_int(10);
    const gx_borrowed argv[5] = {c->argv[i], bins, c->argv[i + 2], c->argv[i + 3], c->argv[i + 4]};
    if (!fn || !names[0] || !names[1] || !names[2]) return false;
    if (!gx_native_call(rt, fn, c->ns, NULL, 2, argv, 3, names, &result)) return false;
    const gx_tuple *both = gx_as_tuple(result);
    gx_array *a = NULL, *b = NULL;
    bool ok = gx_asarray(rt, both->items[0], GX_f64, c->ns, false, &a) &&
              gx_asarray(rt, both->items[1], GX_f64, c->ns, false, &b);
    gx_drop(result);
    if (!ok) {
        gx_array_drop(a);
        return false;
    }
    *counts = gx_array_value(a);
    *edges = gx_array_value(b);
    return true;
}

/* Bars, or the outline of their tops. */
static bool hist_mark(gx_call *c, const gx_points *n, const gx_points *e, bool outline,
                      gx_mark **out) {
    gx_mark *m;
    if (!outline) {
        if (!gx_mark_new(c->rt, GX_MARK_BARS, n->n, true, &m)) return false;
        for (int64_t i = 0; i < n->n; i++) {
            m->x[i] = e->data[i];
            m->x2[i] = e->data[i + 1];
            m->y2[i] = n->data[i];
        }
    } else {
        if (!gx_mark_new(c->rt, GX_MARK_LINE, 2 * n->n + 2, false, &m)) return false;
        for (int64_t i = 0; i <= n->n; i++) {
            m->x[2 * i] = m->x[2 * i + 1] = e->data[i];
            m->y[2 * i] = i ? n->data[i - 1] : 0;
            m->y[2 * i + 1] = i < n->n ? n->data[i] : 0;
        }
    }
    m->sticky = m->upright = true;
    *out = m;
    return true;
}

bool gx_hist_in(gx_call *c, gx_panel *ax, int i, const char *const *own, gx_value *out) {
    gx_rt *rt = c->rt;
    gx_value counts, edges, mark, log = gx_kwarg(rt, c->argv[i + 6], "log");
    gx_value type = gx_kwarg(rt, c->argv[i + 6], "histtype");
    gx_points n = {0}, e = {0};
    gx_mark *m = NULL;
    bool cumulative, log_y = false;
    if (!gx_arg_bool(c, i + 5, &cumulative)) return false;
    if (log.tag != GX_UNDEF && !gx_truth(rt, log, &log_y)) return false;
    if (!count_bins(c, i, &counts, &edges)) return false;
    bool outline = type.tag == GX_STR && strncmp(gx_as_str(type)->text, "step", 4) == 0;
    bool ok = gx_points_of(c, counts, "counts", 1, &n) && gx_points_of(c, edges, "edges", 1, &e);
    for (int64_t k = 1; ok && cumulative && k < n.n; k++) n.data[k] += n.data[k - 1];
    ok = ok && hist_mark(c, &n, &e, outline, &m);
    gx_points_free(rt, &n);
    gx_points_free(rt, &e);
    if (ok) {
        m->style.width = outline ? 1.5 : 0.6;
        if (!outline) { /* a thin light line between bars */
            m->style.edge = (gx_rgba){255, 255, 255, 255};
            m->style.has_edge = true;
        }
        ok = gx_verb_finish(c, ax, m, gx_style_read(c, c->argv[i + 6], own, &m->style), &mark);
    }
    if (!ok) {
        gx_drop(counts);
        gx_drop(edges);
        return false;
    }
    if (log_y) ax->scale[1].log = true;
    gx_value three[3] = {counts, edges, mark};
    return gx_tuple_take(rt, 3, three, out);
}

bool gx_plot_hist(gx_call *c, gx_value *out) {
    static const char *const own[] = {"log", "histtype", "align", "rwidth", "stacked", NULL};
    gx_panel *ax;
    int i;
    return gx_verb_axes(c, &ax, &i) && gx_hist_in(c, ax, i, own, out);
}

/* --- stem, errorbar --- */

bool gx_plot_stem(gx_call *c, gx_value *out) {
    static const char *const own[] = {"basefmt", "linefmt", "markerfmt", "bottom", NULL};
    gx_panel *ax;
    gx_mark *dots, *m = NULL;
    gx_value v, xs = gx_undef();
    const gx_value *items;
    int i;
    double bottom = 0;
    if (!gx_verb_axes(c, &ax, &i) || !gx_kwarg_number(c, c->argv[i + 1], "bottom", &bottom))
        return false;
    int64_t n = gx_rest_items(c->argv[i], &items), count;
    if (n != 1 && n != 2)
        return gx_fail(c->rt, GX_TypeError, "plot.stem", "stem takes y, or x and y");
    if (n == 1 && (!gx_length(c->rt, items[0], &count) || !gx_range_new(c->rt, 0, count, 1, &xs)))
        return false;
    bool ok =
        gx_points_mark(c, ax, n == 1 ? xs : items[0], items[n - 1], GX_MARK_LINE, false, &dots);
    if (n == 1) gx_drop(xs);
    if (!ok) return false;
    ok = gx_mark_new(c->rt, GX_MARK_SEGMENTS, dots->n, true, &m) &&
         gx_style_read(c, c->argv[i + 1], own, &dots->style);
    dots->style.line = GX_LINE_NONE;
    if (!dots->style.marker) dots->style.marker = 'o';
    for (int64_t k = 0; ok && k < dots->n; k++) {
        m->x[k] = m->x2[k] = dots->x[k];
        m->y[k] = bottom;
        m->y2[k] = dots->y[k];
    }
    if (!gx_verb_finish(c, ax, dots, ok, &v)) {
        if (m) gx_obj_drop(&m->obj);
        return false;
    }
    m->style.color = dots->style.color;
    m->style.has_color = true;
    m->style.width = 1.2;
    *out = v;
    if (gx_axes_add_take(c->rt, ax, m)) return true;
    gx_drop(v);
    return false;
}

/* How far an error bar reaches down and up: one number, one a point, or two rows. */
static bool error_reach(gx_call *c, gx_borrowed v, const char *what, int64_t n, double **down,
                        double **up) {
    gx_points p;
    if (!gx_points_of(c, v, what, 2, &p)) return false;
    bool rows = p.n == 2 && p.columns == n;
    bool ok = rows || (p.columns == 1 && (p.n == 1 || p.n == n));
    if (!ok)
        gx_fail(c->rt, GX_ValueError, "plot.length",
                "errorbar: %s must be one number, one a point, or two rows of them", what);
    *down = ok ? gx_alloc(c->rt, (size_t)(n > 0 ? n : 1) * sizeof **down) : NULL;
    *up = *down ? gx_alloc(c->rt, (size_t)(n > 0 ? n : 1) * sizeof **up) : NULL;
    for (int64_t i = 0; *up && i < n; i++) {
        (*down)[i] = p.data[rows ? i : p.n == 1 ? 0 : i];
        (*up)[i] = rows ? p.data[n + i] : (*down)[i];
    }
    gx_points_free(c->rt, &p);
    return *up != NULL;
}

static bool add_errors(gx_call *c, gx_panel *ax, const gx_mark *line, gx_borrowed v, bool upright,
                       const gx_style *st, double cap) {
    double *down = NULL, *up = NULL;
    gx_mark *m = NULL, *caps = NULL;
    if (v.tag == GX_NONE || v.tag == GX_UNDEF) return true;
    bool ok = error_reach(c, v, upright ? "yerr" : "xerr", line->n, &down, &up) &&
              gx_mark_new(c->rt, GX_MARK_SEGMENTS, line->n, true, &m) &&
              gx_mark_new(c->rt, GX_MARK_LINE, 2 * line->n, false, &caps);
    for (int64_t i = 0; ok && i < line->n; i++) {
        m->x[i] = line->x[i] - (upright ? 0 : down[i]);
        m->x2[i] = line->x[i] + (upright ? 0 : up[i]);
        m->y[i] = line->y[i] - (upright ? down[i] : 0);
        m->y2[i] = line->y[i] + (upright ? up[i] : 0);
        caps->x[2 * i] = m->x[i];
        caps->x[2 * i + 1] = m->x2[i];
        caps->y[2 * i] = m->y[i];
        caps->y[2 * i + 1] = m->y2[i];
    }
    gx_free(c->rt, down);
    gx_free(c->rt, up);
    if (ok) {
        m->style.color = caps->style.color = st->color;
        m->style.has_color = caps->style.has_color = true;
        m->style.width = st->width;
        caps->style.line = GX_LINE_NONE;
        caps->style.marker = upright ? '_' : '|';
        caps->style.size = 2 * cap;
    }
    bool added = ok && gx_axes_add_take(c->rt, ax, m); /* taken, also on failure */
    if (!ok && m) gx_obj_drop(&m->obj);
    if (added && cap > 0) return gx_axes_add_take(c->rt, ax, caps);
    if (caps) gx_obj_drop(&caps->obj);
    return added;
}

bool gx_plot_errorbar(gx_call *c, gx_value *out) {
    static const char *const own[] = {"capsize", "ecolor", "elinewidth", "capthick", NULL};
    gx_panel *ax;
    gx_mark *m;
    int i;
    const char *fmt;
    size_t n;
    double cap = 3;
    if (!gx_verb_axes(c, &ax, &i) || !gx_arg_str(c, i + 4, &fmt, &n)) return false;
    if (!gx_points_mark(c, ax, c->argv[i], c->argv[i + 1], GX_MARK_LINE, false, &m)) return false;
    gx_borrowed kwargs = c->argv[i + 5];
    gx_value ecolor = gx_kwarg(c->rt, kwargs, "ecolor");
    bool ok = (!*fmt || strcmp(fmt, "none") == 0 || gx_style_format(c->rt, fmt, &m->style)) &&
              gx_style_read(c, kwargs, own, &m->style) &&
              gx_kwarg_number(c, kwargs, "capsize", &cap);
    if (strcmp(fmt, "none") == 0) m->style.line = GX_LINE_NONE;
    if (!gx_verb_finish(c, ax, m, ok, out)) return false;
    gx_style bars = m->style;
    bars.width = 1.2;
    ok = (ecolor.tag == GX_UNDEF || ecolor.tag == GX_NONE ||
          gx_color_of(c->rt, ecolor, &bars.color)) &&
         gx_kwarg_number(c, kwargs, "elinewidth", &bars.width) &&
         add_errors(c, ax, m, c->argv[i + 2], true, &bars, cap) &&
         add_errors(c, ax, m, c->argv[i + 3], false, &bars, cap);
    if (!ok) gx_drop(*out);
    return ok;
}
