/* imshow and its kin, and colour bars. */
#include <math.h>
#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/still.h"
#include "stdlib/plot/plot_int.h"

static bool set_extent(gx_call *c, gx_mark *m, gx_borrowed v) {
    gx_points p;
    const gx_raster_data *im = &m->image;
    double top = im->lower ? (double)im->rows - 0.5 : -0.5;
    double bottom = im->lower ? -0.5 : (double)im->rows - 0.5;
    m->x[0] = -0.5;
    m->x[1] = (double)im->columns - 0.5;
    m->y[0] = top;
    m->y[1] = bottom;
    if (v.tag == GX_UNDEF || v.tag == GX_NONE) return true;
    if (!gx_points_of(c, v, "extent", 1, &p)) return false;
    bool ok = p.n == 4 && isfinite(p.data[0] + p.data[1] + p.data[2] + p.data[3]);
    if (ok) {
        m->x[0] = p.data[0];
        m->x[1] = p.data[1];
        m->y[0] = p.data[3];
        m->y[1] = p.data[2];
    } else {
        gx_fail(c->rt, GX_ValueError, "plot.extent", "extent is (left, right, bottom, top)");
    }
    gx_points_free(c->rt, &p);
    return ok;
}

/* One of two words; *second: it was the second. */
static bool choice(gx_call *c, gx_borrowed kwargs, const char *name, const char *first,
                   const char *other, bool *second) {
    gx_value v = gx_kwarg(c->rt, kwargs, name);
    if (v.tag == GX_UNDEF || v.tag == GX_NONE) return true;
    if (v.tag == GX_STR && strcmp(gx_as_str(v)->text, first) == 0)
        *second = false;
    else if (v.tag == GX_STR && strcmp(gx_as_str(v)->text, other) == 0)
        *second = true;
    else
        return gx_fail(c->rt, GX_ValueError, "plot.choice", "%s: %s must be '%s' or '%s'",
                       c->fn->name, name, first, other);
    return true;
}

/* cmap, vmin and vmax at argv[i]. */
static bool map_at(gx_call *c, int i, const gx_color_map **map, double *low, double *high) {
    const char *text;
    size_t n;
    if (gx_arg_some(c, i)) {
        if (!gx_arg_str(c, i, &text, &n)) return false;
        *map = gx_color_map_of(c->rt, text);
        if (!*map) return false;
    }
    return (!gx_arg_some(c, i + 1) || gx_plot_number(c->rt, c->argv[i + 1], "vmin", low)) &&
           (!gx_arg_some(c, i + 2) || gx_plot_number(c->rt, c->argv[i + 2], "vmax", high));
}

bool gx_imshow_in(gx_call *c, gx_panel *ax, int i, const char *const *own, gx_value *out) {
    gx_mark *m;
    bool auto_aspect = false;
    gx_borrowed kwargs = c->argv[i + 4];
    gx_value smooth = gx_kwarg(c->rt, kwargs, "interpolation");
    if (!gx_mark_new(c->rt, GX_MARK_IMAGE, 2, false, &m)) return false;
    gx_raster_data *im = &m->image;
    bool ok = gx_image_of(c, c->argv[i], im) &&
              map_at(c, i + 1, &im->map, &im->low, &im->high) &&
              choice(c, kwargs, "origin", "upper", "lower", &im->lower) &&
              choice(c, kwargs, "aspect", "equal", "auto", &auto_aspect) &&
              set_extent(c, m, gx_kwarg(c->rt, kwargs, "extent")) &&
              gx_style_read(c, kwargs, own, &m->style);
    if (smooth.tag == GX_STR)
        im->smooth = strcmp(gx_as_str(smooth)->text, "bilinear") == 0 ||
                     strcmp(gx_as_str(smooth)->text, "bicubic") == 0;
    bool upper = ok && m->y[1] > m->y[0]; /* rows count downwards */
    im->lower = false;                    /* the extent says which way it goes */
    if (ok && !upper) im->lower = true;
    if (!gx_verb_finish(c, ax, m, ok, out)) return false;
    ax->equal = !auto_aspect;
    ax->scale[1].inverted = upper;
    return true;
}

static const char *const image_own[] = {"origin", "aspect", "extent", "interpolation", "norm",
                                        "interpolation_stage", "filternorm", "resample", NULL};

bool gx_plot_imshow(gx_call *c, gx_value *out) {
    gx_panel *ax;
    int i;
    return gx_verb_axes(c, &ax, &i) && gx_imshow_in(c, ax, i, image_own, out);
}

bool gx_plot_matshow(gx_call *c, gx_value *out) {
    return gx_plot_imshow(c, out);
}

/* The first and last of evenly spaced coordinates; a matrix of them gives its first row, or its
   first column. */
static bool spaced(gx_call *c, gx_borrowed v, bool down, int64_t n, double ends[2]) {
    gx_points p;
    if (!gx_points_of(c, v, down ? "Y" : "X", 2, &p)) return false;
    int64_t count = p.columns > 1 && !down ? p.columns : p.n;
    int64_t step = p.columns > 1 && down ? p.columns : 1;
    bool ok = count == n || count == n + 1;
    if (!ok)
        gx_fail(c->rt, GX_ValueError, "plot.length",
                "pcolormesh: %lld coordinates for %lld %s of C; as many, or one more, are needed",
                (long long)count, (long long)n, down ? "rows" : "columns");
    double first = ok && n ? p.data[0] : 0, last = ok && n ? p.data[(count - 1) * step] : 1;
    double half = count == n && n > 1 ? (last - first) / (double)(n - 1) / 2 : n == 1 ? 0.5 : 0;
    for (int64_t i = 1; ok && i < count; i++) {
        double even = first + (last - first) * (double)i / (double)(count - 1);
        if (fabs(p.data[i * step] - even) > 1e-3 * fabs(last - first))
            ok = gx_fail(c->rt, GX_ValueError, "plot.uneven",
                         "pcolormesh draws evenly spaced grids; %s is not", down ? "Y" : "X");
    }
    ends[0] = first - (count == n ? half : 0);
    ends[1] = last + (count == n ? half : 0);
    gx_points_free(c->rt, &p);
    return ok;
}

bool gx_plot_pcolormesh(gx_call *c, gx_value *out) {
    static const char *const own[] = {"shading", "norm", NULL};
    gx_panel *ax;
    gx_mark *m;
    const gx_value *items;
    int i;
    double ends[2];
    if (!gx_verb_axes(c, &ax, &i)) return false;
    int64_t n = gx_rest_items(c->argv[i], &items);
    if (n != 1 && n != 3)
        return gx_fail(c->rt, GX_TypeError, "plot.mesh", "pcolormesh takes C, or X, Y and C");
    if (!gx_mark_new(c->rt, GX_MARK_IMAGE, 2, false, &m)) return false;
    gx_raster_data *im = &m->image;
    bool ok = gx_image_of(c, items[n - 1], im) &&
              map_at(c, i + 1, &im->map, &im->low, &im->high) &&
              gx_style_read(c, c->argv[i + 4], own, &m->style);
    m->x[1] = (double)im->columns;
    m->y[0] = (double)im->rows;
    if (ok && n == 3) {
        ok = spaced(c, items[0], false, im->columns, ends);
        if (ok) memcpy(m->x, ends, sizeof ends);
        ok = ok && spaced(c, items[1], true, im->rows, ends);
        if (ok) m->y[0] = ends[1], m->y[1] = ends[0];
    }
    im->lower = true;
    return gx_verb_finish(c, ax, m, ok, out);
}

bool gx_axes_colorbar(gx_call *c, gx_panel *ax, gx_borrowed mark, gx_borrowed kwargs) {
    gx_mark *m = NULL;
    gx_value label = gx_kwarg(c->rt, kwargs, "label");
    if (gx_is_artist(mark)) {
        m = gx_as_mark(mark);
    } else if (mark.tag != GX_UNDEF && mark.tag != GX_NONE) {
        return gx_fail(c->rt, GX_TypeError, "plot.bar", "colorbar: what imshow or scatter returned "
                                                        "is needed, not %s", gx_type_name(mark));
    }
    for (size_t i = ax->marks.count; !m && i-- > 0;)
        if (ax->marks.items[i]->image.values || ax->marks.items[i]->map) m = ax->marks.items[i];
    if (!m || !(m->image.values || m->map))
        return gx_fail(c->rt, GX_RuntimeError, "plot.bar",
                       "colorbar: nothing here has a colour map; draw an image with imshow first");
    if (label.tag == GX_STR && !gx_plot_text(c->rt, &ax->bar_label, gx_as_str(label)->text))
        return false;
    gx_obj_keep(&m->obj);
    if (ax->bar_of) gx_obj_drop(&ax->bar_of->obj);
    ax->bar_of = m;
    return true;
}
