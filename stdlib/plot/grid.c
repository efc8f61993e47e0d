/* What subplots(2, 3) gives: axes in rows and columns, indexed as an array of them would be:
   axes[0, 1], axes[1], axes[:, 0], for ax in axes.flat. Knows no drawing. */
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/number/number.h"
#include "stdlib/plot/plot_int.h"

typedef struct grid {
    gx_obj obj;
    int ndim;
    int64_t shape[2]; /* 1-d: shape[1] is 1 */
    gx_panel *items[];
} grid;

static grid *as_grid(gx_borrowed v) {
    return (grid *)v.obj;
}

static void free_grid(gx_rt *rt, gx_obj *o) {
    grid *g = (grid *)o;
    for (int64_t i = 0; i < g->shape[0] * g->shape[1]; i++)
        if (g->items[i]) gx_obj_drop(&g->items[i]->obj);
    gx_free(rt, o);
}

/* A grid with room for its axes; the caller fills it. */
static bool new_grid(gx_rt *rt, int ndim, int64_t rows, int64_t columns, grid **out) {
    grid *g = gx_obj_new(rt, &gx_type_axes_grid,
                         sizeof *g + (size_t)(rows * columns) * sizeof *g->items);
    if (!g) return false;
    g->ndim = ndim;
    g->shape[0] = rows;
    g->shape[1] = columns;
    *out = g;
    return true;
}

bool gx_axes_grid_new(gx_rt *rt, gx_figure *f, int64_t rows, int64_t columns, gx_value *out) {
    grid *g;
    bool line = rows == 1 || columns == 1;
    if (!new_grid(rt, line ? 1 : 2, line ? rows * columns : rows, line ? 1 : columns, &g))
        return false;
    for (int64_t i = 0; i < rows * columns; i++) {
        if (!gx_figure_axes(rt, f, (int)rows, (int)columns, (int)i, &g->items[i])) {
            gx_obj_drop(&g->obj);
            return false;
        }
        gx_obj_keep(&g->items[i]->obj);
    }
    *out = gx_object(&g->obj);
    return true;
}

/* One index of an axis: an int or a slice. *kept: the axis stays. */
static bool one_key(gx_rt *rt, gx_borrowed key, int64_t n, int64_t *start, int64_t *step,
                    int64_t *count, bool *kept) {
    *kept = key.tag == GX_SLICE;
    if (*kept) return gx_slice_indices(rt, key, n, start, step, count);
    gx_try got = gx_as_index(rt, key, start);
    if (got == GX_TRY_ERROR) return false;
    if (got == GX_TRY_NO)
        return gx_fail(rt, GX_TypeError, "plot.index", "axes are indexed by integers and slices, "
                                                       "not %s", gx_type_name(key));
    if (*start < 0) *start += n;
    *step = *count = 1;
    if (*start >= 0 && *start < n) return true;
    return gx_fail(rt, GX_IndexError, "plot.index", "there are %lld axes along this direction",
                   (long long)n);
}

static bool get_grid(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    grid *g = as_grid(v), *part;
    const gx_value *keys = &key;
    int64_t start[2] = {0, 0}, step[2] = {1, 1}, count[2] = {g->shape[0], g->shape[1]};
    bool kept[2] = {true, true};
    int64_t n = key.tag == GX_TUPLE ? gx_sequence_items(key, &keys) : 1;
    if (n > g->ndim)
        return gx_fail(rt, GX_IndexError, "plot.index", "%lld indices for axes in %d direction%s",
                       (long long)n, g->ndim, g->ndim == 1 ? "" : "s");
    for (int k = 0; k < n; k++)
        if (!one_key(rt, keys[k], g->shape[k], &start[k], &step[k], &count[k], &kept[k]))
            return false;
    bool row = kept[0], column = g->ndim == 2 && kept[1];
    if (!row && !column) {
        *out = gx_plot_value(&g->items[start[0] * g->shape[1] + start[1]]->obj);
        return true;
    }
    bool both = row && column;
    if (!new_grid(rt, both ? 2 : 1, both ? count[0] : count[0] * count[1], both ? count[1] : 1,
                  &part))
        return false;
    for (int64_t i = 0; i < count[0]; i++)
        for (int64_t j = 0; j < count[1]; j++) {
            int64_t from = (start[0] + i * step[0]) * g->shape[1] + start[1] + j * step[1];
            part->items[i * count[1] + j] = g->items[from];
            gx_obj_keep(&g->items[from]->obj);
        }
    *out = gx_object(&part->obj);
    return true;
}

static bool length_grid(gx_rt *rt, gx_borrowed v, int64_t *out) {
    (void)rt;
    *out = as_grid(v)->shape[0];
    return true;
}

/* All axes, row by row; or (rows) what each index of the first direction gives. */
static bool list_grid(gx_rt *rt, gx_borrowed v, bool rows, gx_value *out) {
    grid *g = as_grid(v);
    gx_value list, item;
    bool ok = gx_list_new(rt, 0, NULL, &list);
    if (!ok) return false;
    int64_t n = rows ? g->shape[0] : g->shape[0] * g->shape[1];
    for (int64_t i = 0; ok && i < n; i++) {
        if (rows)
            ok = get_grid(rt, v, gx_int(i), &item);
        else
            item = gx_plot_value(&g->items[i]->obj);
        ok = ok && gx_list_push_take(rt, list, item);
    }
    if (ok)
        *out = list;
    else
        gx_drop(list);
    return ok;
}

static bool iter_grid(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_value list;
    if (!list_grid(rt, v, true, &list)) return false;
    bool ok = gx_iter(rt, list, out);
    gx_drop(list);
    return ok;
}

static bool repr_grid(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_value list;
    if (!list_grid(rt, v, true, &list)) return false;
    bool ok = gx_repr(rt, list, out);
    gx_drop(list);
    return ok;
}

static bool get_flat(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return list_grid(rt, self, false, out);
}
static bool get_shape(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_tuple_ints(rt, as_grid(self)->ndim, as_grid(self)->shape, out);
}
static bool get_size(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(as_grid(self)->shape[0] * as_grid(self)->shape[1]);
    return true;
}
static bool grid_ravel(gx_call *c, gx_value *out) {
    return list_grid(c->rt, c->argv[0], false, out);
}

static const gx_native grid_methods[] = {
    {"ravel", "ravel(self)", "All axes, row by row.", NULL, grid_ravel, 0, 0},
    {"flatten", "flatten(self)", "All axes, row by row.", NULL, grid_ravel, 0, 0},
    {.name = NULL},
};
static const gx_member grid_members[] = {
    {"flat", get_flat, NULL, "All axes, row by row."},
    {"shape", get_shape, NULL, "Rows and columns."},
    {"size", get_size, NULL, "How many axes there are."},
    {NULL, NULL, NULL, NULL},
};

const gx_type gx_type_axes_grid = {
    .name = "AxesGrid", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE,
    .doc = "Axes in rows and columns: axes[0, 1].", .free = free_grid, .repr = repr_grid,
    .length = length_grid, .get = get_grid, .iter = iter_grid, .methods = grid_methods,
    .members = grid_members,
};
