/* plot, scatter and what else is made of points and lines. Each function finds its axes, turns its
   arguments into marks, and returns them. */
#include <math.h>
#include <string.h>

#include "runtime/object/still.h"
#include "stdlib/plot/plot_int.h"

bool gx_verb_axes(gx_call *c, gx_panel **ax, int *first) {
    gx_figure *f;
    *first = 0;
    if (gx_is_axes(c->argv[0])) {
        *ax = gx_as_axes(c->argv[0]);
        *first = 1;
        return true;
    }
    return gx_plots_current(c->rt, true, &f) && gx_figure_current(c->rt, f, ax);
}

static bool same_length(gx_call *c, int64_t n, int64_t m) {
    if (n == m) return true;
    return gx_fail(c->rt, GX_ValueError, "plot.length",
                   "x and y must have same first dimension, but have shapes (%lld,) and (%lld,)",
                   (long long)n, (long long)m);
}

/* A copy of a style: its label is copied too. */
static bool copy_style(gx_rt *rt, const gx_style *from, gx_style *to) {
    char *label = NULL;
    if (from->label && !gx_plot_text(rt, &label, from->label)) return false;
    gx_style_free(rt, to);
    *to = *from;
    to->label = label;
    return true;
}

/* One line from a column of y (and of x, when it has as many; x NULL: 0, 1, …). */
static bool add_column(gx_call *c, gx_panel *ax, const gx_points *x, const gx_points *y,
                       int64_t column, const gx_style *st, gx_borrowed list) {
    gx_mark *m;
    if (!gx_mark_new(c->rt, GX_MARK_LINE, y->n, false, &m)) return false;
    for (int64_t i = 0; i < y->n; i++) {
        m->y[i] = y->data[i * y->columns + column];
        m->x[i] = x ? x->data[i * x->columns + (x->columns > 1 ? column : 0)] : (double)i;
    }
    gx_value v = gx_plot_value(&m->obj);
    bool ok = copy_style(c->rt, st, &m->style);
    if (ok)
        ok = gx_axes_add_take(c->rt, ax, m);
    else
        gx_obj_drop(&m->obj);
    return gx_list_push_take(c->rt, list, v) && ok;
}

/* x (or UNDEF), y and a format: lines, one a column of y. */
static bool add_group(gx_call *c, gx_panel *ax, gx_borrowed xv, gx_borrowed yv, const char *fmt,
                      const gx_style *base, gx_borrowed kwargs, const char *const *own,
                      gx_borrowed list) {
    gx_points x = {0}, y = {0};
    gx_style st = *base;
    st.label = NULL;
    bool given = xv.tag != GX_UNDEF;
    bool ok = (!fmt || gx_style_format(c->rt, fmt, &st)) && gx_style_read(c, kwargs, own, &st) &&
              (!given || gx_points_of(c, xv, "x", 2, &x)) && gx_points_of(c, yv, "y", 2, &y) &&
              (!given || same_length(c, x.n, y.n));
    if (ok && given && x.columns > 1 && y.columns > 1 && x.columns != y.columns)
        ok = gx_fail(c->rt, GX_ValueError, "plot.columns", "x has %lld and y has %lld columns",
                     (long long)x.columns, (long long)y.columns);
    if (ok && x.columns > 1 && y.columns == 1 && given)
        ok = gx_fail(c->rt, GX_ValueError, "plot.columns", "x has %lld columns and y has one",
                     (long long)x.columns);
    ok = ok && gx_scale_names_take(c->rt, &ax->scale[0], &x) &&
         gx_scale_names_take(c->rt, &ax->scale[1], &y);
    for (int64_t k = 0; ok && k < y.columns; k++)
        ok = add_column(c, ax, given ? &x : NULL, &y, k, &st, list);
    gx_points_free(c->rt, &x);
    gx_points_free(c->rt, &y);
    gx_style_free(c->rt, &st);
    return ok;
}

/* plot's *args: groups of y, x y, y format, or x y format. */
static bool add_lines(gx_call *c, gx_panel *ax, gx_borrowed args, gx_borrowed kwargs,
                      const char *const *own, gx_value *out) {
    const gx_style base = {.width = 1.5, .size = 6, .alpha = 1, .line = GX_LINE_SOLID};
    const gx_value *items;
    gx_value list;
    int64_t n;
    GX_STILL(held);
    if (!gx_still_items(c->rt, args, &held, &items, &n)) return false;
    if (n < 1)
        return gx_fail(c->rt, GX_TypeError, "plot.nothing",
                       "%s() needs something to draw: %s(y) or %s(x, y)", c->fn->name, c->fn->name,
                       c->fn->name);
    if (!gx_list_new(c->rt, 0, NULL, &list)) return false;
    bool ok = true;
    for (int64_t i = 0; ok && i < n;) {
        gx_value x = gx_undef(), y = items[i++];
        if (i < n && items[i].tag != GX_STR) {
            x = y;
            y = items[i++];
        }
        const char *fmt = i < n && items[i].tag == GX_STR ? gx_as_str(items[i++])->text : NULL;
        ok = add_group(c, ax, x, y, fmt, &base, kwargs, own, list);
    }
    if (ok)
        *out = list;
    else
        gx_drop(list);
    return ok;
}

static bool plot_on(gx_call *c, bool log_x, bool log_y, gx_value *out) {
    static const char *const own[] = {"drawstyle", "scalex", "scaley", "base", NULL};
    gx_panel *ax;
    int i;
    if (!gx_verb_axes(c, &ax, &i)) return false;
    if (!add_lines(c, ax, c->argv[i], c->argv[i + 1], own, out)) return false;
    if (log_x) ax->scale[0].log = true;
    if (log_y) ax->scale[1].log = true;
    return true;
}

bool gx_plot_plot(gx_call *c, gx_value *out) {
    return plot_on(c, false, false, out);
}
bool gx_plot_semilogy(gx_call *c, gx_value *out) {
    return plot_on(c, false, true, out);
}
bool gx_plot_semilogx(gx_call *c, gx_value *out) {
    return plot_on(c, true, false, out);
}
bool gx_plot_loglog(gx_call *c, gx_value *out) {
    return plot_on(c, true, true, out);
}

bool gx_plot_lines_in(gx_call *c, gx_panel *ax, gx_borrowed args, gx_borrowed kwargs) {
    gx_value list;
    if (!add_lines(c, ax, args, kwargs, gx_plot_options, &list)) return false;
    gx_drop(list);
    return true;
}

/* A line of steps has two points for each. */
static bool make_steps(gx_rt *rt, gx_mark *m, char where) {
    int64_t n = m->n, k = 0;
    double *x = gx_alloc(rt, (size_t)(n > 0 ? 2 * n : 1) * sizeof *x);
    double *y = gx_alloc(rt, (size_t)(n > 0 ? 2 * n : 1) * sizeof *y);
    if (!x || !y) {
        gx_free(rt, x);
        gx_free(rt, y);
        return false;
    }
    for (int64_t i = 0; i < n; i++) {
        double before = i ? m->x[i - 1] : m->x[i], after = i + 1 < n ? m->x[i + 1] : m->x[i];
        x[k] = where == 'o' ? m->x[i] : where == 'm' ? (before + m->x[i]) / 2 : before;
        y[k++] = m->y[i];
        x[k] = where == 'o' ? after : where == 'm' ? (m->x[i] + after) / 2 : m->x[i];
        y[k++] = m->y[i];
    }
    gx_free(rt, m->x);
    gx_free(rt, m->y);
    m->x = x;
    m->y = y;
    m->n = k;
    return true;
}

bool gx_plot_step(gx_call *c, gx_value *out) {
    static const char *const own[] = {NULL};
    gx_panel *ax;
    int i;
    const char *fmt, *where;
    size_t n;
    gx_value list;
    if (!gx_verb_axes(c, &ax, &i) || !gx_arg_str(c, i + 2, &fmt, &n) ||
        !gx_arg_str(c, i + 3, &where, &n))
        return false;
    if (strcmp(where, "pre") != 0 && strcmp(where, "post") != 0 && strcmp(where, "mid") != 0)
        return gx_fail(c->rt, GX_ValueError, "plot.step",
                       "step: where must be 'pre', 'post' or 'mid', not '%.20s'", where);
    const gx_style base = {.width = 1.5, .size = 6, .alpha = 1, .line = GX_LINE_SOLID};
    if (!gx_list_new(c->rt, 0, NULL, &list)) return false;
    bool ok = add_group(c, ax, c->argv[i], c->argv[i + 1], *fmt ? fmt : NULL, &base,
                        c->argv[i + 4], own, list);
    gx_list *l = gx_as_list(list);
    for (int64_t k = 0; ok && k < l->count; k++)
        ok = make_steps(c->rt, gx_as_mark(l->items[k]), where[1]);
    if (ok)
        *out = list;
    else
        gx_drop(list);
    return ok;
}

/* --- scatter --- */

/* c=: one colour, a list of them, or values for the colour map. */
static bool scatter_colors(gx_call *c, gx_mark *m, gx_borrowed v, gx_borrowed cmap,
                           gx_borrowed kwargs) {
    const gx_value *items;
    gx_points p;
    gx_rt *rt = c->rt;
    int64_t n;
    GX_STILL(own);
    if (!gx_still_items(rt, v, &own, &items, &n)) return false;
    if (v.tag == GX_UNDEF || v.tag == GX_NONE) return true;
    bool texts = n > 0 && items[0].tag == GX_STR && n == m->n;
    m->style.has_color = true;
    if (v.tag == GX_STR) return gx_color_of(rt, v, &m->style.color);
    if (!texts && (n == 3 || n == 4) && n != m->n) return gx_color_of(rt, v, &m->style.color);
    m->colors = gx_alloc(rt, (size_t)(m->n > 0 ? m->n : 1) * sizeof *m->colors);
    if (!m->colors) return false;
    for (int64_t i = 0; texts && i < n; i++)
        if (!gx_color_of(rt, items[i], &m->colors[i])) return false;
    if (texts) return true;
    if (!gx_points_of(c, v, "c", 1, &p)) return false;
    bool ok = p.n == m->n || gx_fail(rt, GX_ValueError, "plot.length",
                                     "scatter: c has %lld values for %lld points",
                                     (long long)p.n, (long long)m->n);
    m->low = INFINITY;
    m->high = -INFINITY;
    for (int64_t i = 0; ok && i < p.n; i++) {
        if (p.data[i] < m->low) m->low = p.data[i];
        if (p.data[i] > m->high) m->high = p.data[i];
    }
    if (!(m->low <= m->high)) m->low = 0, m->high = 1;
    m->map = gx_color_map_of(rt, cmap.tag == GX_STR ? gx_as_str(cmap)->text : "viridis");
    ok = ok && m->map && gx_map_arguments(c, kwargs, &m->map, &m->low, &m->high);
    for (int64_t i = 0; ok && i < p.n; i++)
        m->colors[i] = gx_color_map_at(
            m->map, m->high > m->low ? (p.data[i] - m->low) / (m->high - m->low) : 0.5);
    gx_points_free(rt, &p);
    return ok;
}

static bool scatter_sizes(gx_call *c, gx_mark *m, gx_borrowed v) {
    if (v.tag == GX_UNDEF || v.tag == GX_NONE) return true;
    if (!gx_points_spread(c, v, "s", m->n, &m->sizes)) return false;
    for (int64_t i = 0; i < m->n; i++) m->sizes[i] = m->sizes[i] > 0 ? sqrt(m->sizes[i]) : 0;
    if (m->n) m->style.size = m->sizes[0];
    return true;
}

/* A mark of the points x and y. */
bool gx_points_mark(gx_call *c, gx_panel *ax, gx_borrowed xv, gx_borrowed yv, gx_mark_kind kind,
                        bool four, gx_mark **out) {
    gx_points x = {0}, y = {0};
    gx_mark *m = NULL;
    bool ok = gx_points_of(c, xv, "x", 1, &x) && gx_points_of(c, yv, "y", 1, &y) &&
              same_length(c, x.n, y.n) && gx_scale_names_take(c->rt, &ax->scale[0], &x) &&
              gx_scale_names_take(c->rt, &ax->scale[1], &y) &&
              gx_mark_new(c->rt, kind, x.n, four, &m);
    if (ok && x.n) {
        memcpy(m->x, x.data, (size_t)x.n * sizeof(double));
        memcpy(m->y, y.data, (size_t)x.n * sizeof(double));
    }
    gx_points_free(c->rt, &x);
    gx_points_free(c->rt, &y);
    if (ok) *out = m;
    return ok;
}

/* The end of a verb with one mark: into the axes and out, or dropped. */
bool gx_verb_finish(gx_call *c, gx_panel *ax, gx_mark *m, bool ok, gx_value *out) {
    if (!ok) {
        gx_obj_drop(&m->obj);
        return false;
    }
    gx_value v = gx_plot_value(&m->obj);
    if (!gx_axes_add_take(c->rt, ax, m)) {
        gx_drop(v);
        return false;
    }
    *out = v;
    return true;
}

bool gx_scatter_in(gx_call *c, gx_panel *ax, int i, const char *const *own, gx_value *out) {
    gx_mark *m;
    if (!gx_points_mark(c, ax, c->argv[i], c->argv[i + 1], GX_MARK_LINE, false, &m)) return false;
    m->style.line = GX_LINE_NONE;
    m->style.marker = 'o';
    bool ok = gx_style_read(c, c->argv[i + 6], own, &m->style);
    m->style.line = GX_LINE_NONE;
    if (ok && gx_arg_some(c, i + 4)) {
        gx_style one = m->style;
        const char *text;
        size_t n;
        ok = gx_arg_str(c, i + 4, &text, &n) && gx_style_format(c->rt, text, &one);
        if (ok) m->style.marker = one.marker;
    }
    ok = ok && scatter_colors(c, m, c->argv[i + 3], c->argv[i + 5], c->argv[i + 6]) &&
         scatter_sizes(c, m, c->argv[i + 2]);
    return gx_verb_finish(c, ax, m, ok, out);
}

bool gx_plot_scatter(gx_call *c, gx_value *out) {
    static const char *const own[] = {"vmin", "vmax", "norm", "plotnonfinite", NULL};
    gx_panel *ax;
    int i;
    return gx_verb_axes(c, &ax, &i) && gx_scatter_in(c, ax, i, own, out);
}

/* --- areas, errors, rules --- */

bool gx_plot_fill_between(gx_call *c, gx_value *out) {
    static const char *const own[] = {"interpolate", "step", NULL};
    gx_panel *ax;
    gx_mark *m;
    gx_points x;
    double *y1 = NULL, *y2 = NULL, *where = NULL;
    int i;
    if (!gx_verb_axes(c, &ax, &i) || !gx_points_of(c, c->argv[i], "x", 1, &x)) return false;
    bool ok = gx_points_spread(c, c->argv[i + 1], "y1", x.n, &y1) &&
              gx_points_spread(c, c->argv[i + 2], "y2", x.n, &y2) &&
              (!gx_arg_some(c, i + 3) ||
               gx_points_spread(c, c->argv[i + 3], "where", x.n, &where)) &&
              gx_mark_new(c->rt, GX_MARK_AREA, x.n, true, &m);
    for (int64_t k = 0; ok && k < x.n; k++) {
        m->x[k] = m->x2[k] = x.data[k];
        m->y[k] = where && where[k] == 0 ? NAN : y1[k];
        m->y2[k] = y2[k];
    }
    gx_points_free(c->rt, &x);
    gx_free(c->rt, y1);
    gx_free(c->rt, y2);
    gx_free(c->rt, where);
    if (!ok) return false;
    return gx_verb_finish(c, ax, m, gx_style_read(c, c->argv[i + 4], own, &m->style), out);
}

/* A rule or a band: the value(s) given, as a mark that counts for its own axis only. */
static bool rule(gx_call *c, bool upright, bool band, gx_value *out) {
    static const char *const own[] = {NULL};
    gx_panel *ax;
    gx_mark *m;
    int i;
    double a = 0, b = 0;
    if (!gx_verb_axes(c, &ax, &i) || !gx_plot_number(c->rt, c->argv[i], upright ? "x" : "y", &a))
        return false;
    if (band && !gx_plot_number(c->rt, c->argv[i + 1], upright ? "xmax" : "ymax", &b)) return false;
    if (!gx_mark_new(c->rt, band ? GX_MARK_BAND : GX_MARK_RULE, 1, band, &m)) return false;
    m->upright = upright;
    m->hidden_x = !upright;
    m->hidden_y = upright;
    m->x[0] = m->y[0] = a;
    if (band) m->x2[0] = m->y2[0] = b;
    return gx_verb_finish(c, ax, m, gx_style_read(c, c->argv[band ? i + 2 : i + 3], own, &m->style),
                          out);
}

bool gx_plot_axhline(gx_call *c, gx_value *out) {
    return rule(c, false, false, out);
}
bool gx_plot_axvline(gx_call *c, gx_value *out) {
    return rule(c, true, false, out);
}
bool gx_plot_axhspan(gx_call *c, gx_value *out) {
    return rule(c, false, true, out);
}
bool gx_plot_axvspan(gx_call *c, gx_value *out) {
    return rule(c, true, true, out);
}

/* hlines and vlines: places, and from where to where. */
static bool rules(gx_call *c, bool upright, gx_value *out) {
    static const char *const own[] = {NULL};
    gx_panel *ax;
    gx_mark *m;
    gx_points at;
    double *from = NULL, *to = NULL;
    int i;
    if (!gx_verb_axes(c, &ax, &i) || !gx_points_of(c, c->argv[i], upright ? "x" : "y", 1, &at))
        return false;
    bool ok = gx_points_spread(c, c->argv[i + 1], "from", at.n, &from) &&
              gx_points_spread(c, c->argv[i + 2], "to", at.n, &to) &&
              gx_mark_new(c->rt, GX_MARK_SEGMENTS, at.n, true, &m);
    for (int64_t k = 0; ok && k < at.n; k++) {
        *(upright ? &m->x[k] : &m->y[k]) = *(upright ? &m->x2[k] : &m->y2[k]) = at.data[k];
        *(upright ? &m->y[k] : &m->x[k]) = from[k];
        *(upright ? &m->y2[k] : &m->x2[k]) = to[k];
    }
    gx_points_free(c->rt, &at);
    gx_free(c->rt, from);
    gx_free(c->rt, to);
    if (!ok) return false;
    return gx_verb_finish(c, ax, m, gx_style_read(c, c->argv[i + 3], own, &m->style), out);
}

bool gx_plot_hlines(gx_call *c, gx_value *out) {
    return rules(c, false, out);
}
bool gx_plot_vlines(gx_call *c, gx_value *out) {
    return rules(c, true, out);
}
