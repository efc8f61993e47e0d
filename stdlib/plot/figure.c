/* Figures, axes and marks as objects: making, owning, freeing. Nothing is drawn here. A mark
   belongs to its axes and to whoever holds it; axes belong to their figure, and know it only while
   it lives. */
#include <math.h>
#include <string.h>

#include "stdlib/plot/plot_int.h"

bool gx_plot_text(gx_rt *rt, char **slot, const char *text) {
    char *copy = NULL;
    if (text) {
        gx_buf b = gx_buf_new(rt);
        if (!gx_label_plain(rt, text, &b) || !gx_buf_char(&b, '\0')) {
            gx_buf_free(&b);
            return false;
        }
        copy = b.data;
    }
    gx_free(rt, *slot);
    *slot = copy;
    return true;
}

void gx_image_free(gx_rt *rt, gx_raster_data *im) {
    gx_free(rt, im->values);
    gx_free(rt, im->pixels);
    im->values = NULL;
    im->pixels = NULL;
}

void gx_style_free(gx_rt *rt, gx_style *st) {
    gx_free(rt, st->label);
    st->label = NULL;
}

void gx_artist_free(gx_rt *rt, gx_obj *o) {
    gx_mark *m = (gx_mark *)o;
    gx_free(rt, m->x);
    gx_free(rt, m->y);
    gx_free(rt, m->x2);
    gx_free(rt, m->y2);
    gx_free(rt, m->colors);
    gx_free(rt, m->sizes);
    gx_free(rt, m->text);
    gx_style_free(rt, &m->style);
    gx_image_free(rt, &m->image);
    gx_free(rt, o);
}

bool gx_mark_new(gx_rt *rt, gx_mark_kind kind, int64_t n, bool four, gx_mark **out) {
    gx_mark *m = gx_obj_new(rt, &gx_type_artist, sizeof *m);
    if (!m) return false;
    size_t bytes = (size_t)(n > 0 ? n : 1) * sizeof(double);
    m->kind = kind;
    m->n = n;
    m->style = (gx_style){.width = 1.5, .size = 6, .alpha = 1, .line = GX_LINE_SOLID};
    m->x = gx_alloc_zero(rt, bytes);
    m->y = gx_alloc_zero(rt, bytes);
    if (four) {
        m->x2 = gx_alloc_zero(rt, bytes);
        m->y2 = gx_alloc_zero(rt, bytes);
    }
    if (!m->x || !m->y || (four && (!m->x2 || !m->y2))) {
        gx_obj_drop(&m->obj);
        return false;
    }
    *out = m;
    return true;
}

bool gx_axes_add_take(gx_rt *rt, gx_panel *ax, gx_mark *m) {
    gx_style *st = &m->style;
    if (!st->has_color && m->kind != GX_MARK_IMAGE && m->kind != GX_MARK_TEXT && !m->colors) {
        st->color = gx_color_cycle(ax->colors++);
        st->has_color = true;
    }
    if (gx_vec_push(rt, &ax->marks, m)) return true;
    gx_obj_drop(&m->obj);
    return false;
}

static void clear_scale(gx_rt *rt, gx_scale *s) {
    gx_free(rt, s->label);
    gx_free(rt, s->ticks);
    for (int i = 0; s->names && i < s->count; i++) gx_free(rt, s->names[i]);
    gx_free(rt, s->names);
    *s = (gx_scale){0};
}

void gx_axes_clear(gx_rt *rt, gx_panel *ax) {
    for (size_t i = 0; i < ax->marks.count; i++) gx_obj_drop(&ax->marks.items[i]->obj);
    gx_vec_free(rt, &ax->marks);
    clear_scale(rt, &ax->scale[0]);
    clear_scale(rt, &ax->scale[1]);
    gx_free(rt, ax->title);
    gx_free(rt, ax->bar_label);
    if (ax->bar_of) gx_obj_drop(&ax->bar_of->obj);
    ax->title = ax->bar_label = NULL;
    ax->bar_of = NULL;
    ax->legend = ax->colors = 0;
    ax->equal = ax->off = false;
}

void gx_axes_free(gx_rt *rt, gx_obj *o) {
    gx_axes_clear(rt, (gx_panel *)o);
    gx_free(rt, o);
}

void gx_figure_free(gx_rt *rt, gx_obj *o) {
    gx_figure *f = (gx_figure *)o;
    for (size_t i = 0; i < f->axes.count; i++) {
        f->axes.items[i]->figure = NULL;
        gx_obj_drop(&f->axes.items[i]->obj);
    }
    gx_vec_free(rt, &f->axes);
    gx_free(rt, f->title);
    gx_free(rt, o);
}

bool gx_figure_new(gx_rt *rt, gx_figure **out) {
    gx_figure *f = gx_obj_new(rt, &gx_type_figure, sizeof *f);
    if (!f) return false;
    f->width = 6.4;
    f->height = 4.8;
    f->dpi = 100;
    *out = f;
    return true;
}

bool gx_figure_axes(gx_rt *rt, gx_figure *f, int rows, int columns, int at, gx_panel **out) {
    for (size_t i = 0; i < f->axes.count; i++) {
        gx_panel *ax = f->axes.items[i];
        if (ax->rows == rows && ax->columns == columns && ax->at == at) {
            f->current = *out = ax;
            return true;
        }
    }
    gx_panel *ax = gx_obj_new(rt, &gx_type_axes, sizeof *ax);
    if (!ax) return false;
    ax->figure = f;
    ax->rows = rows;
    ax->columns = columns;
    ax->at = at;
    ax->wide = ax->high = 1;
    if (!gx_vec_push(rt, &f->axes, ax)) {
        gx_obj_drop(&ax->obj);
        return false;
    }
    f->current = *out = ax;
    return true;
}

bool gx_figure_current(gx_rt *rt, gx_figure *f, gx_panel **out) {
    if (!f->current) return gx_figure_axes(rt, f, 1, 1, 0, out);
    *out = f->current;
    return true;
}

gx_mark *gx_axes_image(const gx_panel *ax) {
    for (size_t i = ax->marks.count; i-- > 0;)
        if (ax->marks.items[i]->kind == GX_MARK_IMAGE) return ax->marks.items[i];
    return NULL;
}

/* --- the figures of a session --- */

gx_plots *gx_plots_of(gx_rt *rt) {
    void **slot = gx_stdlib_plots(rt);
    if (!*slot) *slot = gx_alloc_zero(rt, sizeof(gx_plots));
    return *slot;
}

void gx_plots_free(gx_rt *rt, void *state) {
    gx_plots *p = state;
    if (!p) return;
    for (size_t i = 0; i < p->figures.count; i++) gx_obj_drop(&p->figures.items[i]->obj);
    gx_vec_free(rt, &p->figures);
    gx_free(rt, p);
}

/* Pictures that were shown and are no longer the current one are nobody's but the script's. */
static void forget_shown(gx_plots *p) {
    size_t kept = 0;
    for (size_t i = 0; i < p->figures.count; i++) {
        gx_figure *f = p->figures.items[i];
        if (f->shown && f != p->current)
            gx_obj_drop(&f->obj);
        else
            p->figures.items[kept++] = f;
    }
    p->figures.count = kept;
}

bool gx_plots_new(gx_rt *rt, gx_figure **out) {
    gx_plots *p = gx_plots_of(rt);
    gx_figure *f;
    if (!p || !gx_figure_new(rt, &f)) return false;
    f->number = ++p->numbers;
    if (!gx_vec_push(rt, &p->figures, f)) {
        gx_obj_drop(&f->obj);
        return false;
    }
    p->current = *out = f;
    forget_shown(p);
    return true;
}

bool gx_plots_current(gx_rt *rt, bool renew, gx_figure **out) {
    gx_plots *p = gx_plots_of(rt);
    if (!p) return false;
    if (!p->current || (renew && p->current->shown)) return gx_plots_new(rt, out);
    *out = p->current;
    return true;
}
