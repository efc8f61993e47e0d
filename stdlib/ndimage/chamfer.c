/* Distances in steps to the nearest zero element, and where that is: two walks over the image, one
   from each end, in which an element takes the least of the neighbours behind it and one step. */
#include <string.h>

#include "stdlib/ndimage/ndimage_int.h"

extern const gx_native gx_nd_chamfer_functions[];

/* The neighbours before the middle of a structure of 3 along every axis. */
typedef struct neighbours {
    int8_t (*step)[GX_MAX_DIMS]; /* -1, 0 or 1 along each axis */
    int64_t *far, count;         /* distances in elements */
} neighbours;

static bool no_metric(gx_rt *rt, const char *why) {
    return gx_fail(rt, GX_ValueError, "ndimage.metric", "%s", why);
}

/* The structure as bools: argument 1, its name or itself. */
static gx_array *structure_of(gx_np *s, gx_call *c, int ndim) {
    const char *name;
    size_t length;
    gx_borrowed v = gx_arg_given(c, 1) ? c->argv[1] : gx_none();
    if (gx_arg_given(c, 1) && v.tag != GX_STR) {
        gx_array *a = gx_np_contiguous(s, gx_np_arr_as(s, v, GX_bool));
        for (int d = 0; a && d < a->ndim; d++)
            if (gx_shape(a)[d] != 3 && !no_metric(s->rt, "metric sizes must be equal to 3"))
                return NULL;
        if (a && a->ndim != ndim && !no_metric(s->rt, "metric and input must have equal rank"))
            return NULL;
        return a;
    }
    bool wide = true;
    if (gx_arg_given(c, 1)) {
        if (!gx_arg_str(c, 1, &name, &length)) return NULL;
        wide = strcmp(name, "chessboard") == 0;
        if (!wide && strcmp(name, "taxicab") != 0 && strcmp(name, "cityblock") != 0 &&
            strcmp(name, "manhattan") != 0 && !no_metric(s->rt, "invalid metric provided"))
            return NULL;
    }
    return gx_nd_cross(s, ndim, wide ? ndim : 1);
}

static bool neighbours_of(gx_np *s, const gx_array *in, gx_array *structure, neighbours *b) {
    const uint8_t *x = gx_np_data(s, structure);
    const int64_t half = x ? structure->count / 2 : 0;
    b->step = gx_np_room(s, half + 1, sizeof *b->step);
    b->far = gx_np_room(s, half + 1, sizeof *b->far);
    b->count = 0;
    if (!x || !b->step || !b->far) return false;
    for (int64_t i = 0; i < half; i++) {
        if (!x[i]) continue;
        int64_t rest = i, size = 1, far = 0;
        for (int d = in->ndim - 1; d >= 0; d--, rest /= 3) {
            b->step[b->count][d] = (int8_t)(rest % 3 - 1);
            far += (rest % 3 - 1) * size;
            size *= gx_shape(in)[d];
        }
        b->far[b->count++] = far;
    }
    return true;
}

static bool is_inside(const gx_array *in, const int64_t *at, const int8_t *step, int way) {
    for (int d = 0; d < in->ndim; d++) {
        int64_t i = at[d] + way * step[d];
        if (i < 0 || i >= gx_shape(in)[d]) return false;
    }
    return true;
}

/* way 1: from the first element to the last; -1: back. -1 stands for no distance yet. */
static void walk(const gx_rt *rt, const gx_array *in, const neighbours *b, int way, int32_t *steps,
                 int64_t *nearest) {
    int64_t at[GX_MAX_DIMS];
    for (int d = 0; d < in->ndim; d++) at[d] = way > 0 ? 0 : gx_shape(in)[d] - 1;
    GX_LONG_LOOP(rt, j, 0, in->count) {
        const int64_t i = way > 0 ? j : in->count - 1 - j;
        for (int64_t k = 0; steps[i] && k < b->count; k++) {
            if (!is_inside(in, at, b->step[k], way)) continue;
            const int64_t from = i + way * b->far[k];
            if (steps[from] < 0 || (steps[i] >= 0 && steps[from] + 1 >= steps[i])) continue;
            steps[i] = steps[from] + 1;
            nearest[i] = nearest[from];
        }
        for (int d = in->ndim - 1; d >= 0; d--) {
            at[d] += way;
            if (at[d] >= 0 && at[d] < gx_shape(in)[d]) break;
            at[d] = way > 0 ? 0 : gx_shape(in)[d] - 1;
        }
    }
}

/* Into the array of argument `arg`, of int32, where that is one; else onto the list. */
static bool deliver(gx_np *s, gx_call *c, gx_array *r, int arg, int *count, gx_array **list) {
    if (!r) return false;
    if (!gx_arg_some(c, arg) || !gx_is_array(c->argv[arg])) {
        list[(*count)++] = r;
        return true;
    }
    const gx_array *to = gx_as_array(c->argv[arg]);
    const char *name = arg == 4 ? "distances" : "indices";
    if (to->dtype != GX_i32)
        return gx_fail(s->rt, GX_ValueError, "ndimage.output", "%s must be of int32 type", name);
    if (to->ndim != r->ndim || memcmp(gx_shape(to), gx_shape(r), r->ndim * sizeof(int64_t)) != 0)
        return gx_fail(s->rt, GX_ValueError, "ndimage.output", "%s has wrong shape", name);
    return gx_np_store_out(s, r, c->argv[arg]);
}

static bool asked(gx_call *c, bool *distances, bool *indices) {
    *distances = true;
    *indices = false;
    if ((gx_arg_given(c, 2) && !gx_arg_bool(c, 2, distances)) ||
        (gx_arg_given(c, 3) && !gx_arg_bool(c, 3, indices)))
        return false;
    if (!*distances && !*indices)
        return gx_fail(c->rt, GX_RuntimeError, "ndimage.nothing",
                       "at least one of return_distances/return_indices must be True");
    for (int i = 0; i < 2; i++)
        if (gx_arg_some(c, 4 + i) && gx_is_array(c->argv[4 + i]) && !(i ? *indices : *distances))
            return gx_fail(c->rt, GX_RuntimeError, "ndimage.unasked",
                           "return_%s must be True if %s is supplied", i ? "indices" : "distances",
                           i ? "indices" : "distances");
    return true;
}

static bool distance_transform_cdt_fn(gx_call *c, gx_value *out) {
    bool distances, indices;
    neighbours b;
    gx_array *list[2];
    int count = 0;
    if (!asked(c, &distances, &indices)) return false;
    gx_np s = gx_np_begin(c);
    const gx_array *given = gx_np_arr(&s, c->argv[0]);
    gx_array *in = given ? gx_np_cast(&s, gx_np_arr(&s, c->argv[0]), GX_bool) : NULL;
    in = gx_np_contiguous(&s, in);
    gx_array *structure = in ? structure_of(&s, c, in->ndim) : NULL;
    if (!structure || !neighbours_of(&s, in, structure, &b)) return gx_np_end(&s, false);
    gx_array *r = gx_np_empty(&s, GX_i32, in->ndim, gx_shape(in));
    const uint8_t *x = gx_np_data(&s, in);
    int32_t *steps = gx_np_data_write(&s, r);
    int64_t *nearest = gx_np_room(&s, in->count + 1, sizeof *nearest);
    if (!x || !steps || !nearest) return gx_np_end(&s, false);
    GX_LONG_LOOP(c->rt, i, 0, in->count) {
        steps[i] = x[i] ? -1 : 0;
        nearest[i] = i;
    }
    for (int way = 1; way >= -1; way -= 2) walk(c->rt, in, &b, way, steps, nearest);
    if (!gx_work_end(c->rt)) return gx_np_end(&s, false);
    bool ok = !distances || deliver(&s, c, gx_np_laid_as(&s, r, given), 4, &count, list);
    ok = ok && (!indices || deliver(&s, c, gx_nd_places(&s, in, nearest), 5, &count, list));
    if (!ok) return gx_np_end(&s, false);
    if (count == 2) return gx_np_give_tuple(&s, 2, list, out);
    if (count == 1) return gx_np_give_array(&s, list[0], out);
    *out = gx_none();
    return gx_np_end(&s, true);
}

const gx_native gx_nd_chamfer_functions[] = {
    {"distance_transform_cdt",
     "distance_transform_cdt(input, metric='chessboard', return_distances=True, "
     "return_indices=False, distances=None, indices=None)",
     "Distance to the nearest zero in steps to neighbours: metric is 'chessboard', 'taxicab' or a "
     "structure of size 3.",
     "distance_transform_cdt([0, 1, 1, 1, 0])  # [0 1 2 1 0]", distance_transform_cdt_fn, 0, 0},
    {.name = NULL},
};
