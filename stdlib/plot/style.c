/* Styles from arguments: colour, line and marker as keywords (color=, lw=, '--') and as one short
   text ('r--o'). Knows no axes. */
#include <string.h>

#include "runtime/object/container/dict.h"
#include "stdlib/plot/plot_int.h"

gx_value gx_kwarg(gx_rt *rt, gx_borrowed kwargs, const char *name) {
    int64_t at = 0;
    (void)rt;
    if (kwargs.tag != GX_DICT) return gx_undef();
    for (gx_entry *e; (e = gx_dict_next(gx_as_dict(kwargs), &at));)
        if (e->key.tag == GX_STR && strcmp(gx_as_str(e->key)->text, name) == 0) return e->value;
    return gx_undef();
}

bool gx_plot_number(gx_rt *rt, gx_borrowed v, const char *what, double *out) {
    gx_try got = GX_TRY_NO;
    if (gx_is_array(v) && gx_as_array(v)->count == 1) {
        gx_scalar s;
        gx_array *a = gx_as_array(v);
        if (gx_dtypes[a->dtype].kind != GX_KIND_CPLX) {
            if (!gx_array_item(rt, a, &s)) return false;
            *out = gx_scalar_cast((gx_dtype)a->dtype, GX_f64, &s).f64;
            return true;
        }
    } else {
        got = gx_as_double(rt, v, out);
    }
    if (got == GX_TRY_NO)
        gx_fail(rt, GX_TypeError, "plot.number", "%s must be a real number, not %s", what,
                gx_type_name(v));
    return got == GX_TRY_YES;
}

bool gx_kwarg_number(gx_call *c, gx_borrowed kwargs, const char *name, double *io) {
    gx_value v = gx_kwarg(c->rt, kwargs, name);
    if (v.tag == GX_UNDEF || v.tag == GX_NONE) return true;
    return gx_plot_number(c->rt, v, name, io);
}

/* --- lines and markers --- */

static const struct line_name {
    const char *name;
    gx_line_kind kind;
} line_names[] = {{"-", GX_LINE_SOLID},   {"--", GX_LINE_DASHED},  {":", GX_LINE_DOTTED},
                  {"-.", GX_LINE_DASHDOT}, {"solid", GX_LINE_SOLID}, {"dashed", GX_LINE_DASHED},
                  {"dotted", GX_LINE_DOTTED}, {"dashdot", GX_LINE_DASHDOT}, {"none", GX_LINE_NONE},
                  {"None", GX_LINE_NONE}, {"", GX_LINE_NONE},      {" ", GX_LINE_NONE}};

bool gx_line_kind_of(gx_rt *rt, gx_borrowed v, gx_line_kind *out) {
    if (v.tag == GX_NONE) {
        *out = GX_LINE_SOLID;
        return true;
    }
    for (size_t i = 0; v.tag == GX_STR && i < sizeof line_names / sizeof *line_names; i++)
        if (strcmp(gx_as_str(v)->text, line_names[i].name) == 0) {
            *out = line_names[i].kind;
            return true;
        }
    if (v.tag != GX_STR)
        return gx_fail(rt, GX_TypeError, "plot.line", "linestyle must be text, not %s",
                       gx_type_name(v));
    return gx_fail(rt, GX_ValueError, "plot.line",
                   "'%.20s' is not a line style; there are '-', '--', ':', '-.' and 'none'",
                   gx_as_str(v)->text);
}

static const char marker_kinds[] = "o.,sv^<>Dd+x*|_phH";

static bool marker_of(gx_rt *rt, gx_borrowed v, gx_style *st) {
    const char *text = v.tag == GX_STR ? gx_as_str(v)->text : "";
    if (v.tag == GX_NONE || (v.tag == GX_STR && (!*text || strcmp(text, "none") == 0 ||
                                                 strcmp(text, "None") == 0 || *text == ' '))) {
        st->marker = 0;
        return true;
    }
    if (text[0] == 'X' && !text[1]) text = "x";
    if (text[0] == 'P' && !text[1]) text = "+";
    if (!*text || text[1] || !strchr(marker_kinds, *text))
        return gx_fail(rt, v.tag == GX_STR ? GX_ValueError : GX_TypeError, "plot.marker",
                       "'%.20s' is not a marker; there are o . , s v ^ < > D d + x * | _ p h",
                       v.tag == GX_STR ? gx_as_str(v)->text : gx_type_name(v));
    st->marker = *text;
    st->has_marker = true;
    return true;
}

bool gx_style_format(gx_rt *rt, const char *fmt, gx_style *st) {
    bool line = false, marker = false, color = false;
    gx_value name;
    /* A text that is a colour as a whole: 'red', 'C1', '#ff0000'. */
    if (strlen(fmt) > 1 && fmt[0] != '-' && (strlen(fmt) > 3 || fmt[0] == 'C')) {
        if (!gx_str_c(rt, fmt, &name)) return false;
        bool whole = gx_color_of(rt, name, &st->color);
        gx_drop(name);
        if (whole) {
            st->has_color = true;
            return true;
        }
        if (rt->error.kind != GX_ValueError) return false;
        gx_error_clear(rt);
    }
    for (const char *p = fmt; *p;) {
        if (*p == '-' || *p == ':') {
            st->line = *p == ':' ? GX_LINE_DOTTED : p[1] == '-' ? GX_LINE_DASHED
                       : p[1] == '.' ? GX_LINE_DASHDOT : GX_LINE_SOLID;
            p += st->line == GX_LINE_DASHED || st->line == GX_LINE_DASHDOT ? 2 : 1;
            line = true;
        } else if (strchr("bgrcmykw", *p) && !color) {
            const char text[2] = {*p++, 0};
            color = true;
            if (!gx_str_c(rt, text, &name)) return false;
            bool ok = gx_color_of(rt, name, &st->color);
            gx_drop(name);
            if (!ok) return false;
            st->has_color = true;
        } else if (*p == 'C' && p[1] >= '0' && p[1] <= '9' && !color) {
            st->color = gx_color_cycle(p[1] - '0');
            st->has_color = color = true;
            p += 2;
        } else if (strchr(marker_kinds, *p) && !marker) {
            st->marker = *p++;
            st->has_marker = marker = true;
        } else {
            gx_fail(rt, GX_ValueError, "plot.format", "'%.20s' is not a format: '%c' is unknown",
                    fmt, *p);
            return gx_note(rt, "a format is a colour letter, a line and a marker, each optional: "
                               "'r--o'");
        }
    }
    if (marker && !line) st->line = GX_LINE_NONE;
    st->has_line = st->has_line || line || marker;
    return true;
}

/* --- keywords --- */

typedef enum style_key { KEY_COLOR, KEY_EDGE, KEY_FACE, KEY_WIDTH, KEY_LINE, KEY_MARKER, KEY_SIZE,
                         KEY_ALPHA, KEY_LABEL, KEY_IGNORED } style_key;

static const struct key_name {
    const char *name;
    style_key key;
} key_names[] = {
    {"color", KEY_COLOR}, {"c", KEY_COLOR}, {"facecolor", KEY_FACE}, {"fc", KEY_FACE},
    {"facecolors", KEY_FACE}, {"markerfacecolor", KEY_FACE}, {"mfc", KEY_FACE},
    {"colors", KEY_COLOR}, {"edgecolor", KEY_EDGE}, {"edgecolors", KEY_EDGE}, {"ec", KEY_EDGE},
    {"markeredgecolor", KEY_EDGE}, {"mec", KEY_EDGE}, {"linewidth", KEY_WIDTH},
    {"lw", KEY_WIDTH}, {"linewidths", KEY_WIDTH}, {"linestyle", KEY_LINE}, {"ls", KEY_LINE},
    {"linestyles", KEY_LINE}, {"marker", KEY_MARKER}, {"markersize", KEY_SIZE}, {"ms", KEY_SIZE},
    {"alpha", KEY_ALPHA}, {"label", KEY_LABEL}, {"zorder", KEY_IGNORED},
    {"clip_on", KEY_IGNORED}, {"antialiased", KEY_IGNORED}, {"rasterized", KEY_IGNORED},
    {"markeredgewidth", KEY_IGNORED}, {"mew", KEY_IGNORED}, {"solid_capstyle", KEY_IGNORED},
    {"data", KEY_IGNORED}, {"hatch", KEY_IGNORED},
};
enum { KEYS = sizeof key_names / sizeof *key_names };

static bool set_label(gx_rt *rt, gx_borrowed v, gx_style *st) {
    gx_value text;
    if (v.tag == GX_NONE) return true;
    if (!gx_str_of(rt, v, &text)) return false;
    bool ok = gx_plot_text(rt, &st->label, gx_as_str(text)->text);
    gx_drop(text);
    return ok;
}

static bool set_key(gx_rt *rt, style_key key, const char *name, gx_borrowed v, gx_style *st) {
    bool ok = true;
    if (v.tag == GX_NONE) return true;
    switch (key) {
    case KEY_COLOR:
    case KEY_FACE: ok = gx_color_of(rt, v, &st->color); st->has_color = true; break;
    case KEY_EDGE:
        if (v.tag == GX_STR && strcmp(gx_as_str(v)->text, "face") == 0) break;
        ok = gx_color_of(rt, v, &st->edge);
        st->has_edge = true;
        break;
    case KEY_WIDTH: ok = gx_plot_number(rt, v, name, &st->width); st->has_width = true; break;
    case KEY_LINE: ok = gx_line_kind_of(rt, v, &st->line); st->has_line = true; break;
    case KEY_MARKER: ok = marker_of(rt, v, st); break;
    case KEY_SIZE: ok = gx_plot_number(rt, v, name, &st->size); st->has_size = true; break;
    case KEY_ALPHA: ok = gx_plot_number(rt, v, name, &st->alpha); break;
    case KEY_LABEL: ok = set_label(rt, v, st); break;
    case KEY_IGNORED: break;
    }
    if (ok && (!(st->width >= 0 && st->width <= 1000) || !(st->size >= 0 && st->size <= 10000)))
        ok = gx_fail(rt, GX_ValueError, "plot.style", "%s must be between 0 and 1000", name);
    return ok;
}

static bool unknown_key(gx_call *c, const char *name, const char *const *own) {
    const char *names[KEYS + 32];
    size_t n = 0;
    for (int i = 0; i < KEYS; i++)
        if (key_names[i].key != KEY_IGNORED) names[n++] = key_names[i].name;
    for (; own && *own && n < KEYS + 32; own++) names[n++] = *own;
    const char *near = gx_near_name(name, names, n);
    return gx_fail(c->rt, GX_TypeError, "plot.keyword",
                   "%s() got an unexpected keyword argument '%.40s'%s%s%s", c->fn->name, name,
                   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

bool gx_style_read(gx_call *c, gx_borrowed kwargs, const char *const *own, gx_style *st) {
    int64_t at = 0;
    if (kwargs.tag != GX_DICT) return true;
    for (gx_entry *e; (e = gx_dict_next(gx_as_dict(kwargs), &at));) {
        const char *name = gx_as_str(e->key)->text;
        bool mine = false;
        int k = 0;
        for (int i = 0; own && own[i]; i++) mine = mine || strcmp(own[i], name) == 0;
        if (mine) continue;
        while (k < KEYS && strcmp(key_names[k].name, name) != 0) k++;
        if (k == KEYS) return unknown_key(c, name, own);
        if (!set_key(c->rt, key_names[k].key, name, e->value, st)) return false;
    }
    return true;
}
