/* What axes say about themselves: titles, labels, limits, scales, ticks, grids, legends, texts. */
#include <math.h>
#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/still.h"
#include "stdlib/plot/plot_int.h"

static bool put_text(gx_call *c, char **slot, gx_borrowed v) {
    gx_value text;
    if (!gx_str_of(c->rt, v, &text)) return false;
    bool ok = gx_plot_text(c->rt, slot, gx_as_str(text)->text);
    gx_drop(text);
    return ok;
}

bool gx_plot_title(gx_call *c, gx_value *out) {
    gx_panel *ax;
    int i;
    *out = gx_none();
    return gx_verb_axes(c, &ax, &i) && put_text(c, &ax->title, c->argv[i]);
}
bool gx_plot_xlabel(gx_call *c, gx_value *out) {
    gx_panel *ax;
    int i;
    *out = gx_none();
    return gx_verb_axes(c, &ax, &i) && put_text(c, &ax->scale[0].label, c->argv[i]);
}
bool gx_plot_ylabel(gx_call *c, gx_value *out) {
    gx_panel *ax;
    int i;
    *out = gx_none();
    return gx_verb_axes(c, &ax, &i) && put_text(c, &ax->scale[1].label, c->argv[i]);
}

/* --- limits, scales, ticks --- */

static bool limit_of(gx_call *c, gx_borrowed v, double *to, bool *given) {
    double x;
    if (v.tag == GX_UNDEF || v.tag == GX_NONE) return true;
    if (!gx_plot_number(c->rt, v, "a limit", &x)) return false;
    if (!isfinite(x))
        return gx_fail(c->rt, GX_ValueError, "plot.limit", "Axis limits cannot be NaN or Inf");
    *to = x;
    *given = true;
    return true;
}

/* Ends of an axis; the larger first turns it around. */
static bool set_limits(gx_call *c, gx_scale *s, gx_borrowed low, gx_borrowed high) {
    bool both = low.tag != GX_NONE && high.tag != GX_NONE;
    if (!limit_of(c, low, &s->low, &s->low_given) || !limit_of(c, high, &s->high, &s->high_given))
        return false;
    if (both && s->low_given && s->high_given) {
        s->inverted = s->low > s->high;
        if (s->inverted) {
            double t = s->low;
            s->low = s->high;
            s->high = t;
        }
    }
    return true;
}

static bool limits(gx_call *c, int axis, gx_value *out) {
    gx_panel *ax;
    int i;
    double ends[2];
    const gx_value *items;
    if (!gx_verb_axes(c, &ax, &i)) return false;
    gx_value low = c->argv[i], high = c->argv[i + 1];
    gx_value kw_low = gx_kwarg(c->rt, c->argv[i + 2], axis ? "ymin" : "xmin");
    gx_value kw_high = gx_kwarg(c->rt, c->argv[i + 2], axis ? "ymax" : "xmax");
    if (kw_low.tag != GX_UNDEF) low = kw_low;
    if (kw_high.tag != GX_UNDEF) high = kw_high;
    int64_t n;
    GX_STILL(own);
    if (!gx_still_items(c->rt, low, &own, &items, &n)) return false;
    if (n == 2 && high.tag == GX_NONE) {
        low = items[0];
        high = items[1];
    } else if (gx_is_array(low) && gx_as_array(low)->count == 2 && high.tag == GX_NONE) {
        gx_points p;
        if (!gx_points_of(c, low, "limits", 1, &p)) return false;
        low = gx_float(p.data[0]);
        high = gx_float(p.data[1]);
        gx_points_free(c->rt, &p);
    }
    if (!set_limits(c, &ax->scale[axis], low, high)) return false;
    gx_axes_limits(ax, axis, &ends[0], &ends[1]);
    bool turned = ax->scale[axis].inverted;
    const gx_value both[2] = {gx_float(ends[turned]), gx_float(ends[!turned])};
    return gx_tuple_new(c->rt, 2, both, out);
}

bool gx_plot_xlim(gx_call *c, gx_value *out) {
    return limits(c, 0, out);
}
bool gx_plot_ylim(gx_call *c, gx_value *out) {
    return limits(c, 1, out);
}

static bool set_scale(gx_call *c, gx_scale *s, gx_borrowed v) {
    const char *text = v.tag == GX_STR ? gx_as_str(v)->text : gx_type_name(v);
    bool log = strcmp(text, "log") == 0;
    if (!log && strcmp(text, "linear") != 0)
        return gx_fail(c->rt, GX_ValueError, "plot.scale",
                       "a scale is 'linear' or 'log', not '%.30s'", text);
    s->log = log;
    return true;
}

bool gx_plot_xscale(gx_call *c, gx_value *out) {
    gx_panel *ax;
    int i;
    *out = gx_none();
    return gx_verb_axes(c, &ax, &i) && set_scale(c, &ax->scale[0], c->argv[i]);
}
bool gx_plot_yscale(gx_call *c, gx_value *out) {
    gx_panel *ax;
    int i;
    *out = gx_none();
    return gx_verb_axes(c, &ax, &i) && set_scale(c, &ax->scale[1], c->argv[i]);
}

/* Names of ticks: any values, as many as there are ticks. */
static bool tick_names(gx_call *c, gx_scale *s, gx_borrowed labels) {
    gx_value list;
    if (labels.tag == GX_NONE || labels.tag == GX_UNDEF) return true;
    if (!gx_list_of(c->rt, labels, &list)) return false;
    int64_t n = gx_as_list(list)->count;
    bool ok = n == s->count ||
              gx_fail(c->rt, GX_ValueError, "plot.ticks", "%lld labels for %d ticks", (long long)n,
                      s->count);
    if (ok) {
        s->names = gx_alloc_zero(c->rt, (size_t)(n > 0 ? n : 1) * sizeof *s->names);
        ok = s->names != NULL;
    }
    for (int64_t i = 0; ok && i < n; i++)
        ok = put_text(c, &s->names[i], gx_as_list(list)->items[i]);
    gx_drop(list);
    return ok;
}

static bool set_ticks(gx_call *c, int axis, gx_value *out) {
    gx_panel *ax;
    gx_points p;
    int i;
    *out = gx_none();
    if (!gx_verb_axes(c, &ax, &i)) return false;
    gx_scale *s = &ax->scale[axis];
    if (c->argv[i].tag == GX_NONE) return true;
    if (!gx_points_of(c, c->argv[i], "ticks", 1, &p)) return false;
    gx_scale_clear_ticks(c->rt, s);
    if (p.n > GX_TICKS) {
        gx_fail(c->rt, GX_ValueError, "plot.ticks", "%lld ticks; at most %d can be shown",
                (long long)p.n, GX_TICKS);
        gx_points_free(c->rt, &p);
        return false;
    }
    s->ticks = p.data;
    s->count = (int)p.n;
    s->ticks_given = true;
    p.data = NULL;
    bool ok = true;
    if (p.names) { /* texts alone: names at 0, 1, 2 … */
        s->names = p.names;
        p.names = NULL;
    } else {
        ok = tick_names(c, s, c->argv[i + 1]);
    }
    gx_points_free(c->rt, &p);
    if (!ok) gx_scale_clear_ticks(c->rt, s);
    return ok;
}

bool gx_plot_xticks(gx_call *c, gx_value *out) {
    return set_ticks(c, 0, out);
}
bool gx_plot_yticks(gx_call *c, gx_value *out) {
    return set_ticks(c, 1, out);
}

bool gx_plot_grid(gx_call *c, gx_value *out) {
    gx_panel *ax;
    int i;
    bool on = true;
    const char *axis;
    size_t n;
    *out = gx_none();
    if (!gx_verb_axes(c, &ax, &i) || !gx_arg_str(c, i + 2, &axis, &n)) return false;
    if (gx_arg_some(c, i) && !gx_arg_bool(c, i, &on)) return false;
    if (strcmp(axis, "y") != 0) ax->scale[0].grid = on;
    if (strcmp(axis, "x") != 0) ax->scale[1].grid = on;
    return true;
}

/* --- legend, axis --- */

static bool legend_place(gx_call *c, gx_borrowed v, int *out) {
    static const char *const names[] = {
        "best",        "upper right",  "upper left",   "lower left",   "lower right", "right",
        "center left", "center right", "lower center", "upper center", "center"};
    enum { PLACES = sizeof names / sizeof *names };
    for (int i = 0; v.tag == GX_STR && i < PLACES; i++)
        if (strcmp(gx_as_str(v)->text, names[i]) == 0) {
            *out = i;
            return true;
        }
    if (v.tag == GX_INT && v.i >= 0 && v.i < PLACES) {
        *out = (int)v.i;
        return true;
    }
    const char *near = v.tag == GX_STR ? gx_near_name(gx_as_str(v)->text, names, PLACES) : NULL;
    return gx_fail(c->rt, GX_ValueError, "plot.legend",
                   "loc must be 'best', 'upper right', 'lower left', 'center' or so%s%s%s",
                   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

bool gx_plot_legend(gx_call *c, gx_value *out) {
    gx_panel *ax;
    int i, place = 0;
    const gx_value *items, *names;
    *out = gx_none();
    if (!gx_verb_axes(c, &ax, &i) || !legend_place(c, c->argv[i + 1], &place)) return false;
    int64_t n = gx_rest_items(c->argv[i], &items);
    if (n > 0) { /* legend(['a', 'b']): names of the marks in their order */
        int64_t many;
        GX_STILL(own);
        if (!gx_still_items(c->rt, items[n - 1], &own, &names, &many)) return false;
        for (int64_t k = 0; k < many && k < (int64_t)ax->marks.count; k++)
            if (!put_text(c, &ax->marks.items[k]->style.label, names[k])) return false;
    }
    ax->legend = place + 1;
    return true;
}

bool gx_plot_axis(gx_call *c, gx_value *out) {
    gx_panel *ax;
    int i;
    double e[4];
    const gx_value *items;
    if (!gx_verb_axes(c, &ax, &i)) return false;
    gx_value v = c->argv[i];
    const char *text = v.tag == GX_STR ? gx_as_str(v)->text : NULL;
    if (text && strcmp(text, "off") == 0) {
        ax->off = true;
    } else if (text && strcmp(text, "on") == 0) {
        ax->off = false;
    } else if (text && (strcmp(text, "equal") == 0 || strcmp(text, "scaled") == 0 ||
                        strcmp(text, "image") == 0 || strcmp(text, "square") == 0)) {
        ax->equal = true;
    } else if (text && strcmp(text, "auto") == 0) {
        ax->equal = false;
    } else if (v.tag == GX_STR && strcmp(text, "tight") != 0) {
        return gx_fail(c->rt, GX_ValueError, "plot.axis",
                       "axis takes 'on', 'off', 'equal', 'tight', 'auto' or four limits, not "
                       "'%.20s'", text);
    } else {
        int64_t n;
        GX_STILL(own);
        if (!gx_still_items(c->rt, v, &own, &items, &n)) return false;
        if (n == 4 && (!set_limits(c, &ax->scale[0], items[0], items[1]) ||
                       !set_limits(c, &ax->scale[1], items[2], items[3])))
            return false;
    }
    gx_axes_limits(ax, 0, &e[0], &e[1]);
    gx_axes_limits(ax, 1, &e[2], &e[3]);
    for (int k = 0; text && strcmp(text, "tight") == 0 && k < 2; k++) {
        double low = INFINITY, high = -INFINITY; /* no margins: the marks' own ends */
        for (size_t j = 0; j < ax->marks.count; j++) {
            const gx_mark *m = ax->marks.items[j];
            const double *p = k ? m->y : m->x;
            for (int64_t n = 0; n < m->n && !(k ? m->hidden_y : m->hidden_x); n++) {
                if (p[n] < low) low = p[n];
                if (p[n] > high) high = p[n];
            }
        }
        if (low < high) {
            ax->scale[k].low = e[2 * k] = low;
            ax->scale[k].high = e[2 * k + 1] = high;
            ax->scale[k].low_given = ax->scale[k].high_given = true;
        }
    }
    const gx_value four[4] = {gx_float(e[0]), gx_float(e[1]), gx_float(e[2]), gx_float(e[3])};
    return gx_tuple_new(c->rt, 4, four, out);
}

bool gx_plot_clear(gx_call *c, gx_value *out) {
    gx_panel *ax;
    int i;
    *out = gx_none();
    if (!gx_verb_axes(c, &ax, &i)) return false;
    gx_axes_clear(c->rt, ax);
    return true;
}

/* --- texts --- */

static bool text_mark(gx_call *c, gx_panel *ax, gx_borrowed x, gx_borrowed y, gx_borrowed text,
                      gx_borrowed kwargs, gx_value *out) {
    static const char *const own[] = {"fontsize", "size", "ha", "va", "horizontalalignment",
                                      "verticalalignment", "rotation", "arrowprops", "bbox",
                                      "weight", "fontweight", "xycoords", "textcoords", NULL};
    gx_mark *m;
    gx_rt *rt = c->rt;
    if (!gx_mark_new(rt, GX_MARK_TEXT, 1, false, &m)) return false;
    m->h_align = m->v_align = -1;
    m->hidden_x = m->hidden_y = true;
    m->style.size = 10;
    m->style.color = (gx_rgba){0x22, 0x22, 0x22, 255};
    m->style.has_color = true;
    bool ok = gx_plot_number(rt, x, "x", &m->x[0]) && gx_plot_number(rt, y, "y", &m->y[0]) &&
              put_text(c, &m->text, text) && gx_style_read(c, kwargs, own, &m->style);
    if (ok && gx_kwarg(rt, kwargs, "fontsize").tag != GX_STR)
        ok = gx_kwarg_number(c, kwargs, "fontsize", &m->style.size);
    if (ok && gx_kwarg(rt, kwargs, "size").tag != GX_STR)
        ok = gx_kwarg_number(c, kwargs, "size", &m->style.size);
    static const char *const keys[] = {"ha", "horizontalalignment", "va", "verticalalignment"};
    for (int k = 0; ok && k < 4; k++) {
        gx_value v = gx_kwarg(rt, kwargs, keys[k]);
        if (v.tag != GX_STR) continue;
        const char *t = gx_as_str(v)->text;
        int align = strcmp(t, "center") == 0 ? 0 : strcmp(t, "right") == 0 || strcmp(t, "top") == 0;
        if (align == 0 && strcmp(t, "center") != 0) align = -1;
        *(k < 2 ? &m->h_align : &m->v_align) = align;
    }
    return gx_verb_finish(c, ax, m, ok, out);
}

bool gx_plot_text_verb(gx_call *c, gx_value *out) {
    gx_panel *ax;
    int i;
    return gx_verb_axes(c, &ax, &i) &&
           text_mark(c, ax, c->argv[i], c->argv[i + 1], c->argv[i + 2], c->argv[i + 3], out);
}

bool gx_plot_annotate(gx_call *c, gx_value *out) {
    gx_panel *ax;
    gx_mark *m;
    int i;
    const gx_value *xy, *at;
    if (!gx_verb_axes(c, &ax, &i)) return false;
    bool aside = gx_arg_some(c, i + 2);
    int64_t n, places;
    GX_STILL(point);
    GX_STILL(place);
    if (!gx_still_items(c->rt, c->argv[i + 1], &point, &xy, &n) ||
        !gx_still_items(c->rt, c->argv[i + 2], &place, &at, &places))
        return false;
    if (n != 2 || (aside && places != 2))
        return gx_fail(c->rt, GX_TypeError, "plot.place", "annotate: xy and xytext are (x, y)");
    gx_value arrow = gx_kwarg(c->rt, c->argv[i + 3], "arrowprops");
    if (aside && (arrow.tag == GX_UNDEF || arrow.tag == GX_NONE))
        return text_mark(c, ax, at[0], at[1], c->argv[i], c->argv[i + 3], out);
    if (!aside) return text_mark(c, ax, xy[0], xy[1], c->argv[i], c->argv[i + 3], out);
    gx_value line;
    if (!gx_mark_new(c->rt, GX_MARK_SEGMENTS, 1, true, &m)) return false;
    m->style.color = (gx_rgba){0x55, 0x55, 0x55, 255};
    m->style.has_color = true;
    m->style.width = 0.8;
    bool ok = gx_plot_number(c->rt, xy[0], "x", &m->x[0]) &&
              gx_plot_number(c->rt, xy[1], "y", &m->y[0]) &&
              gx_plot_number(c->rt, at[0], "x", &m->x2[0]) &&
              gx_plot_number(c->rt, at[1], "y", &m->y2[0]);
    if (!gx_verb_finish(c, ax, m, ok, &line)) return false;
    gx_drop(line);
    return text_mark(c, ax, at[0], at[1], c->argv[i], c->argv[i + 3], out);
}

/* --- options of a whole plot --- */

const char *const gx_plot_options[] = {"title", "xlabel", "ylabel", "xlim", "ylim", "logx", "logy",
                                       "grid", NULL};

bool gx_axes_options(gx_call *c, gx_panel *ax, gx_borrowed kwargs) {
    gx_rt *rt = c->rt;
    gx_value v = gx_kwarg(rt, kwargs, "title");
    bool on, ok = v.tag == GX_UNDEF || put_text(c, &ax->title, v);
    for (int k = 0; ok && k < 2; k++) {
        const gx_value *items;
        v = gx_kwarg(rt, kwargs, k ? "ylabel" : "xlabel");
        ok = v.tag == GX_UNDEF || put_text(c, &ax->scale[k].label, v);
        v = gx_kwarg(rt, kwargs, k ? "logy" : "logx");
        if (ok && v.tag != GX_UNDEF && (ok = gx_truth(rt, v, &on))) ax->scale[k].log = on;
        v = gx_kwarg(rt, kwargs, "grid");
        if (ok && v.tag != GX_UNDEF && (ok = gx_truth(rt, v, &on))) ax->scale[k].grid = on;
        v = gx_kwarg(rt, kwargs, k ? "ylim" : "xlim");
        if (!ok || v.tag == GX_UNDEF || v.tag == GX_NONE) continue;
        int64_t n;
        GX_STILL(own);
        if (!gx_still_items(rt, v, &own, &items, &n)) return false;
        ok = n == 2
                 ? set_limits(c, &ax->scale[k], items[0], items[1])
                 : gx_fail(rt, GX_TypeError, "plot.limit", "%s must be (low, high)",
                           k ? "ylim" : "xlim");
    }
    for (size_t i = 0; ok && i < ax->marks.count; i++)
        if (ax->marks.items[i]->style.label && !ax->legend) ax->legend = 1;
    return ok;
}
