/* Lines of equal value over a grid: each square is cut into straight pieces where the value
   passes a level; a saddle is decided by the mean of its corners. */
#include <math.h>
#include <string.h>

#include "runtime/object/still.h"
#include "stdlib/plot/plot_int.h"

typedef struct field {
    gx_points x, y, z; /* x, y: data NULL: 0, 1, 2, … */
    int64_t rows, columns;
} field;

typedef struct piece {
    double x, y, x2, y2;
} piece;

typedef struct pieces {
    GX_VEC(piece) list;
} pieces;

static double coordinate(const gx_points *p, int64_t row, int64_t column, bool down) {
    int64_t i = down ? row : column;
    if (!p->data) return (double)i;
    return p->columns > 1 ? p->data[row * p->columns + column] : p->data[i];
}

/* Where the value passes the level on an edge of a square: 0 top, 1 right, 2 bottom, 3 left. */
static void crossing(const field *f, int64_t r, int64_t c, int edge, double level, double *x,
                     double *y) {
    static const signed char ends[4][4] = {{0, 0, 0, 1}, {0, 1, 1, 1}, {1, 0, 1, 1}, {0, 0, 1, 0}};
    const signed char *e = ends[edge];
    int64_t r0 = r + e[0], c0 = c + e[1], r1 = r + e[2], c1 = c + e[3];
    double a = f->z.data[r0 * f->columns + c0], b = f->z.data[r1 * f->columns + c1];
    double t = (level - a) / (b - a);
    double x0 = coordinate(&f->x, r0, c0, false), x1 = coordinate(&f->x, r1, c1, false);
    double y0 = coordinate(&f->y, r0, c0, true), y1 = coordinate(&f->y, r1, c1, true);
    *x = x0 + (x1 - x0) * t;
    *y = y0 + (y1 - y0) * t;
}

static bool add_piece(gx_rt *rt, const field *f, int64_t r, int64_t c, int from, int to,
                      double level, pieces *out) {
    piece p;
    crossing(f, r, c, from, level, &p.x, &p.y);
    crossing(f, r, c, to, level, &p.x2, &p.y2);
    return gx_vec_push(rt, &out->list, p);
}

static bool square(gx_rt *rt, const field *f, int64_t r, int64_t c, double level, pieces *out) {
    /* by which corners are above (1: upper left, 2: upper right, 4: lower right, 8: lower left) */
    static const signed char edges[16][4] = {
        {-1, -1, -1, -1}, {3, 0, -1, -1}, {0, 1, -1, -1}, {3, 1, -1, -1}, {1, 2, -1, -1},
        {3, 0, 1, 2},     {0, 2, -1, -1}, {3, 2, -1, -1}, {2, 3, -1, -1}, {2, 0, -1, -1},
        {0, 1, 2, 3},     {2, 1, -1, -1}, {1, 3, -1, -1}, {1, 0, -1, -1}, {0, 3, -1, -1},
        {-1, -1, -1, -1}};
    const double *z = f->z.data + r * f->columns + c;
    const double corner[4] = {z[0], z[1], z[f->columns + 1], z[f->columns]};
    int above = 0;
    for (int i = 0; i < 4; i++) {
        if (!isfinite(corner[i])) return true;
        above |= (corner[i] >= level) << i;
    }
    double mean = (corner[0] + corner[1] + corner[2] + corner[3]) / 4;
    if ((above == 5 || above == 10) && mean >= level) above = 15 - above;
    const signed char *e = edges[above];
    return (e[0] < 0 || add_piece(rt, f, r, c, e[0], e[1], level, out)) &&
           (e[2] < 0 || add_piece(rt, f, r, c, e[2], e[3], level, out));
}

/* Levels: as given, or round numbers between the least and the largest value. */
static bool choose_levels(gx_call *c, gx_borrowed v, const field *f, gx_ticks *out) {
    double low = INFINITY, high = -INFINITY;
    gx_points p;
    int64_t count = 7, got = -1;
    for (int64_t i = 0; i < f->rows * f->columns; i++) {
        if (!isfinite(f->z.data[i])) continue;
        low = fmin(low, f->z.data[i]);
        high = fmax(high, f->z.data[i]);
    }
    out->count = 0;
    if (v.tag == GX_INT) {
        count = v.i < 1 ? 1 : v.i > 40 ? 40 : v.i;
    } else if (v.tag != GX_UNDEF && v.tag != GX_NONE) {
        if (!gx_points_of(c, v, "levels", 1, &p)) return false;
        for (got = 0; got < p.n && got < GX_TICKS; got++) out->items[got].at = p.data[got];
        out->count = (int)got;
        gx_points_free(c->rt, &p);
    }
    if (got < 0 && low < high)
        gx_ticks_of(&(gx_scale){0}, low, high, (int)count, true, out);
    return true;
}

/* The grid's corners. */
static void set_extent(const field *f, gx_mark *m) {
    if (f->rows < 1 || f->columns < 1) return;
    m->whole = true;
    m->extent[0] = coordinate(&f->x, 0, 0, false);
    m->extent[1] = coordinate(&f->x, f->rows - 1, f->columns - 1, false);
    m->extent[2] = coordinate(&f->y, 0, 0, true);
    m->extent[3] = coordinate(&f->y, f->rows - 1, f->columns - 1, true);
}

static bool trace(gx_call *c, gx_panel *ax, const field *f, const gx_ticks *levels,
                  const gx_color_map *map, gx_borrowed kwargs, gx_value *out) {
    static const char *const own[] = {"levels", "cmap", "colors", "vmin", "vmax", NULL};
    pieces all = {0};
    GX_VEC(int) level_of = {0};
    gx_mark *m = NULL;
    gx_rt *rt = c->rt;
    bool ok = true;
    for (int k = 0; ok && k < levels->count; k++)
        for (int64_t r = 0; ok && r + 1 < f->rows; r++) {
            ok = gx_interrupt_check(rt);
            for (int64_t j = 0; ok && j + 1 < f->columns; j++)
                ok = square(rt, f, r, j, levels->items[k].at, &all);
            while (ok && level_of.count < all.list.count) ok = gx_vec_push(rt, &level_of, k);
        }
    int64_t n = (int64_t)all.list.count;
    ok = ok && gx_mark_new(rt, GX_MARK_SEGMENTS, n, true, &m);
    if (ok) {
        gx_value colors = gx_kwarg(rt, kwargs, "colors");
        set_extent(f, m);
        m->low = levels->count ? levels->items[0].at : 0;
        m->high = levels->count ? levels->items[levels->count - 1].at : 1;
        ok = gx_style_read(c, kwargs, own, &m->style);
        if (ok && colors.tag == GX_STR) {
            ok = gx_color_of(rt, colors, &m->style.color);
            m->style.has_color = true;
        } else if (ok) {
            m->map = map;
            m->colors = gx_alloc(rt, (size_t)(n > 0 ? n : 1) * sizeof *m->colors);
            ok = m->colors != NULL;
        }
    }
    for (int64_t i = 0; ok && i < n; i++) {
        const piece *p = &all.list.items[i];
        double span = m->high - m->low, at = levels->items[level_of.items[i]].at;
        m->x[i] = p->x;
        m->y[i] = p->y;
        m->x2[i] = p->x2;
        m->y2[i] = p->y2;
        if (m->colors) m->colors[i] = gx_color_map_at(map, span > 0 ? (at - m->low) / span : 0.5);
    }
    gx_vec_free(rt, &all.list);
    gx_vec_free(rt, &level_of);
    if (!m) return false;
    return gx_verb_finish(c, ax, m, ok, out);
}

bool gx_plot_contour(gx_call *c, gx_value *out) {
    gx_panel *ax;
    const gx_value *items;
    int i;
    field f = {0};
    gx_ticks levels;
    if (!gx_verb_axes(c, &ax, &i)) return false;
    int64_t n = gx_rest_items(c->argv[i], &items);
    if (n < 1 || n > 4)
        return gx_fail(c->rt, GX_TypeError, "plot.contour",
                       "contour takes Z, or X, Y and Z, and optionally levels");
    bool grid = n >= 3;
    gx_borrowed kwargs = c->argv[i + 2];
    gx_value at = n == 2 || n == 4 ? items[n - 1] : gx_kwarg(c->rt, kwargs, "levels");
    const gx_color_map *map = gx_color_map_of(
        c->rt, c->argv[i + 1].tag == GX_STR ? gx_as_str(c->argv[i + 1])->text : "viridis");
    bool ok = map && gx_points_of(c, items[grid ? 2 : 0], "Z", 2, &f.z);
    f.rows = f.z.n;
    f.columns = f.z.columns;
    ok = ok && (!grid || (gx_points_of(c, items[0], "X", 2, &f.x) &&
                          gx_points_of(c, items[1], "Y", 2, &f.y)));
    if (ok && grid) {
        bool x = f.x.columns > 1 ? f.x.n == f.rows && f.x.columns == f.columns : f.x.n == f.columns;
        bool y = f.y.columns > 1 ? f.y.n == f.rows && f.y.columns == f.columns : f.y.n == f.rows;
        if (!x || !y)
            ok = gx_fail(c->rt, GX_ValueError, "plot.length",
                         "contour: X and Y must fit the %lld rows and %lld columns of Z",
                         (long long)f.rows, (long long)f.columns);
    }
    ok = ok && choose_levels(c, at, &f, &levels) &&
         trace(c, ax, &f, &levels, map, kwargs, out);
    gx_points_free(c->rt, &f.x);
    gx_points_free(c->rt, &f.y);
    gx_points_free(c->rt, &f.z);
    return ok;
}
