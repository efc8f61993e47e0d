/* The data of plots from arguments: arrays, lists, texts and images as plain numbers. */
#include <math.h>
#include <string.h>

#include "stdlib/plot/plot_int.h"

void gx_points_free(gx_rt *rt, gx_points *p) {
    gx_free(rt, p->data);
    for (int64_t i = 0; p->names && i < p->n; i++) gx_free(rt, p->names[i]);
    gx_free(rt, p->names);
    *p = (gx_points){0};
}

/* A list of texts: names at 0, 1, 2 … */
static bool names_of(gx_rt *rt, const gx_value *items, int64_t n, const char *what,
                     gx_points *out) {
    gx_points p = {.n = n, .columns = 1};
    p.data = gx_alloc(rt, (size_t)n * sizeof *p.data);
    p.names = gx_alloc_zero(rt, (size_t)n * sizeof *p.names);
    bool ok = p.data && p.names;
    for (int64_t i = 0; ok && i < n; i++) {
        p.data[i] = (double)i;
        if (items[i].tag != GX_STR)
            ok = gx_fail(rt, GX_TypeError, "plot.names", "%s mixes text and other values", what);
        else
            ok = gx_plot_text(rt, &p.names[i], gx_as_str(items[i])->text);
    }
    if (ok)
        *out = p;
    else
        gx_points_free(rt, &p);
    return ok;
}

bool gx_points_of(gx_call *c, gx_borrowed v, const char *what, int most_dims, gx_points *out) {
    const gx_value *items;
    gx_rt *rt = c->rt;
    int64_t n = gx_sequence_items(v, &items);
    if (n > 0 && items[0].tag == GX_STR) return names_of(rt, items, n, what, out);
    if (v.tag == GX_STR || v.tag == GX_NONE || v.tag == GX_UNDEF)
        return gx_fail(rt, GX_TypeError, "plot.data", "%s: %s must be numbers, not %s",
                       c->fn->name, what, gx_type_name(v));
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, v);
    gx_points p = {.columns = 1};
    if (!a) return gx_np_end(&s, false);
    if (gx_dtypes[a->dtype].kind == GX_KIND_CPLX) {
        gx_fail(rt, GX_TypeError, "plot.complex", "%s: %s is complex", c->fn->name, what);
        gx_note(rt, "plot its .real, its .imag or its abs()");
        return gx_np_end(&s, false);
    }
    if (a->ndim > most_dims)
        return gx_np_end(&s, gx_fail(rt, GX_ValueError, "plot.dims",
                                     "%s: %s has %d dimensions, at most %d can be drawn",
                                     c->fn->name, what, a->ndim, most_dims));
    p.n = a->ndim ? gx_shape(a)[0] : 1;
    if (a->ndim == 2) p.columns = gx_shape(a)[1];
    const double *data = gx_np_data(&s, gx_np_contiguous(&s, gx_np_cast(&s, a, GX_f64)));
    size_t bytes = (size_t)(p.n * p.columns) * sizeof(double);
    if (!data) return gx_np_end(&s, false);
    p.data = gx_alloc(rt, bytes ? bytes : 1);
    if (!p.data) return gx_np_end(&s, false);
    if (bytes) memcpy(p.data, data, bytes);
    *out = p;
    return gx_np_end(&s, true);
}

bool gx_points_spread(gx_call *c, gx_borrowed v, const char *what, int64_t n, double **out) {
    gx_points p;
    if (!gx_points_of(c, v, what, 1, &p)) return false;
    if (p.n != 1 && p.n != n) {
        gx_fail(c->rt, GX_ValueError, "plot.length",
                "%s: %s has %lld values for %lld points; one, or as many, are needed",
                c->fn->name, what, (long long)p.n, (long long)n);
        gx_points_free(c->rt, &p);
        return false;
    }
    double *all = gx_alloc(c->rt, (size_t)(n > 0 ? n : 1) * sizeof *all);
    for (int64_t i = 0; all && i < n; i++) all[i] = p.data[p.n == 1 ? 0 : i];
    gx_points_free(c->rt, &p);
    if (!all) return false;
    *out = all;
    return true;
}

void gx_scale_clear_ticks(gx_rt *rt, gx_scale *s) {
    for (int i = 0; s->names && i < s->count; i++) gx_free(rt, s->names[i]);
    gx_free(rt, s->names);
    gx_free(rt, s->ticks);
    s->names = NULL;
    s->ticks = NULL;
    s->count = 0;
    s->ticks_given = false;
}

bool gx_scale_names_take(gx_rt *rt, gx_scale *s, gx_points *p) {
    if (!p->names || s->count >= p->n) return true;
    double *ticks = gx_alloc(rt, (size_t)p->n * sizeof *ticks);
    if (!ticks) return false;
    for (int64_t i = 0; i < p->n; i++) ticks[i] = (double)i;
    gx_scale_clear_ticks(rt, s);
    s->ticks = ticks;
    s->names = p->names;
    s->count = p->n < GX_TICKS ? (int)p->n : GX_TICKS;
    for (int64_t i = s->count; i < p->n; i++) gx_free(rt, p->names[i]);
    s->ticks_given = true;
    p->names = NULL;
    return true;
}

/* --- images --- */

static bool image_colors(gx_rt *rt, const float *v, int64_t n, int channels, bool bytes,
                         gx_raster_data *im) {
    im->pixels = gx_alloc(rt, (size_t)(n > 0 ? n : 1) * sizeof *im->pixels);
    if (!im->pixels) return false;
    for (int64_t i = 0; i < n; i++) {
        uint8_t p[4] = {0, 0, 0, 255};
        for (int k = 0; k < channels; k++) {
            double x = (double)v[i * channels + k] * (bytes ? 1 : 255);
            p[k] = x > 255 ? 255 : x > 0 ? (uint8_t)lround(x) : 0; /* NaN: black */
        }
        im->pixels[i] = (gx_rgba){p[0], p[1], p[2], p[3]};
    }
    return true;
}

static bool image_values(gx_rt *rt, const float *v, int64_t n, gx_raster_data *im) {
    double low = INFINITY, high = -INFINITY;
    im->values = gx_alloc(rt, (size_t)(n > 0 ? n : 1) * sizeof *im->values);
    if (!im->values) return false;
    for (int64_t i = 0; i < n; i++) {
        double x = (double)v[i];
        im->values[i] = v[i];
        if (!isfinite(x)) continue;
        if (x < low) low = x;
        if (x > high) high = x;
    }
    im->low = low <= high ? low : 0;
    im->high = low <= high ? high : 1;
    return true;
}

bool gx_image_of(gx_call *c, gx_borrowed v, gx_raster_data *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, v);
    gx_raster_data im = {0};
    if (!a) return gx_np_end(&s, false);
    int channels = a->ndim == 3 ? (int)(gx_shape(a)[2] < 9 ? gx_shape(a)[2] : 9) : 1;
    bool colors = channels == 3 || channels == 4;
    if ((a->ndim != 2 && a->ndim != 3) || (channels != 1 && !colors) ||
        gx_dtypes[a->dtype].kind == GX_KIND_CPLX) {
        gx_buf b = gx_buf_new(c->rt);
        if (gx_array_describe(a, &b))
            gx_fail(c->rt, GX_TypeError, "plot.image",
                    "%s: an image is a real array of shape (rows, columns), or (rows, columns, 3 "
                    "or 4) for colours; got %s", c->fn->name, gx_buf_text(&b));
        gx_buf_free(&b);
        return gx_np_end(&s, false);
    }
    bool bytes =
        gx_dtypes[a->dtype].kind != GX_KIND_FLOAT && gx_dtypes[a->dtype].kind != GX_KIND_BOOL;
    im.rows = gx_shape(a)[0];
    im.columns = gx_shape(a)[1];
    const float *data = gx_np_data(&s, gx_np_contiguous(&s, gx_np_cast(&s, a, GX_f32)));
    if (!data) return gx_np_end(&s, false);
    bool ok = colors ? image_colors(c->rt, data, im.rows * im.columns, channels, bytes, &im)
                     : image_values(c->rt, data, im.rows * im.columns, &im);
    if (ok) im.map = gx_color_map_of(c->rt, "viridis");
    if (ok)
        *out = im;
    else
        gx_image_free(c->rt, &im);
    return gx_np_end(&s, ok);
}

bool gx_map_arguments(gx_call *c, gx_borrowed kwargs, const gx_color_map **map, double *low,
                      double *high) {
    gx_value name = gx_kwarg(c->rt, kwargs, "cmap");
    if (name.tag == GX_STR) {
        *map = gx_color_map_of(c->rt, gx_as_str(name)->text);
        if (!*map) return false;
    } else if (name.tag != GX_UNDEF && name.tag != GX_NONE) {
        return gx_fail(c->rt, GX_TypeError, "plot.cmap", "cmap must be the name of a colour map, "
                                                         "not %s", gx_type_name(name));
    }
    return gx_kwarg_number(c, kwargs, "vmin", low) && gx_kwarg_number(c, kwargs, "vmax", high);
}
