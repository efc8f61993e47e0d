/* numpy.pad: an array with borders. Every mode but constant and linear_ramp says for each new place
   which old element it shows, so a border is a gather along one axis after the other. */
#include <string.h>

#include "runtime/dict.h"
#include "stdlib/np_int.h"

extern const gx_native gx_np_pad_functions[];

static gx_try keyword(gx_call *c, int kwargs, const char *name, gx_value *out) {
    gx_value key;
    if (!gx_str_c(c->rt, name, &key)) return GX_TRY_ERROR;
    gx_try t = gx_dict_get(c->rt, c->argv[kwargs], key, out);
    gx_drop(key);
    return t;
}

/* Old position shown at distance `i` (negative: before the start) from an axis of n elements. */
static int64_t reflected(int64_t i, int64_t n, bool edge) {
    if (n == 1) return 0;
    int64_t period = edge ? 2 * n : 2 * (n - 1);
    i %= period;
    if (i < 0) i += period;
    return i < n ? i : edge ? period - 1 - i : period - i;
}

static gx_array *gathered(gx_np *s, gx_array *a, int axis, const int64_t w[2], const char *mode) {
    int64_t n = gx_shape(a)[axis], total = n + w[0] + w[1];
    if (w[0] == 0 && w[1] == 0) return a;
    if (n == 0) {
        gx_fail(s->rt, GX_ValueError, "pad.empty",
                "can't extend empty axis %d using modes other than 'constant' or 'empty'", axis);
        return NULL;
    }
    gx_array *at = gx_np_empty(s, GX_i64, 1, &total);
    int64_t *p = gx_np_data_write(s, at);
    if (!p) return NULL;
    for (int64_t i = 0; i < total; i++) {
        int64_t k = i - w[0];
        if (strcmp(mode, "edge") == 0)
            p[i] = k < 0 ? 0 : k >= n ? n - 1 : k;
        else if (strcmp(mode, "wrap") == 0)
            p[i] = ((k % n) + n) % n;
        else
            p[i] = reflected(k, n, strcmp(mode, "symmetric") == 0);
    }
    return gx_np_take(s, a, at, axis);
}

/* The layer that fills one side: a reduction of the axis, or a constant. */
static gx_array *side_layer(gx_np *s, gx_array *a, int axis, const char *mode) {
    uint64_t mask = UINT64_C(1) << axis;
    if (strcmp(mode, "maximum") == 0)
        return gx_np_reduce(s, GX_RED_max, a, mask, true, GX_NO_DTYPE);
    if (strcmp(mode, "minimum") == 0)
        return gx_np_reduce(s, GX_RED_min, a, mask, true, GX_NO_DTYPE);
    gx_array *total =
        gx_np_reduce(s, GX_RED_sum, a, mask, true, gx_np_is_float(a->dtype) ? GX_NO_DTYPE : GX_f64);
    gx_array *mean = gx_np_op2(s, GX_OP_divide, total, gx_np_i64(s, gx_shape(a)[axis]));
    if (mean && !gx_np_is_float(a->dtype)) mean = gx_np_op1(s, GX_OP_rint, mean);
    return gx_np_cast(s, mean, (gx_dtype)a->dtype);
}

static gx_array *with_sides(gx_np *s, gx_array *a, int axis, const int64_t w[2],
                            gx_array *const sides[2]) {
    gx_array *parts[3];
    int64_t shape[GX_MAX_DIMS];
    memcpy(shape, gx_shape(a), a->ndim * sizeof *shape);
    for (int k = 0; k < 2; k++) {
        shape[axis] = w[k];
        parts[2 * k] = gx_np_broadcast(s, sides[k], a->ndim, shape);
        if (!parts[2 * k]) return NULL;
    }
    parts[1] = a;
    return gx_np_concat(s, 3, parts, axis, (gx_dtype)a->dtype);
}

/* From the end value to the edge in equal steps. */
static gx_array *ramp(gx_np *s, gx_array *a, int axis, int64_t n, gx_array *end, bool after) {
    if (n == 0) return gx_np_slice(s, a, axis, 0, 1, 0);
    int64_t shape[GX_MAX_DIMS];
    for (int i = 0; i < a->ndim; i++) shape[i] = i == axis ? n : 1;
    gx_array *i = gx_np_reshape(s, gx_np_iota(s, n), a->ndim, shape);
    if (after) i = gx_np_op2(s, GX_OP_subtract, gx_np_i64(s, n - 1), i);
    gx_array *edge = gx_np_slice(s, a, axis, after ? gx_shape(a)[axis] - 1 : 0, 1, 1);
    gx_array *step =
        gx_np_op2(s, GX_OP_divide, gx_np_op2(s, GX_OP_subtract, edge, end), gx_np_i64(s, n));
    gx_array *r = gx_np_op2(s, GX_OP_add, gx_np_op2(s, GX_OP_multiply, i, step), end);
    return gx_np_cast(s, r, (gx_dtype)a->dtype);
}

/* (ndim, 2) numbers from an int, a pair, or pairs. */
static gx_array *pairs(gx_np *s, gx_borrowed v, int ndim, gx_dtype d) {
    gx_array *a = gx_np_arr(s, v);
    const int64_t shape[2] = {ndim, 2};
    return gx_np_contiguous(s, gx_np_cast(s, gx_np_broadcast(s, a, 2, shape), d));
}

static gx_array *pad_axis(gx_np *s, gx_array *a, int axis, const int64_t w[2], const char *mode,
                          gx_array *values) {
    if (strcmp(mode, "edge") == 0 || strcmp(mode, "wrap") == 0 || strcmp(mode, "reflect") == 0 ||
        strcmp(mode, "symmetric") == 0)
        return gathered(s, a, axis, w, mode);
    gx_array *sides[2];
    if (strcmp(mode, "linear_ramp") == 0) {
        gx_array *row = gx_np_at(s, values, 0, axis);
        sides[0] = ramp(s, a, axis, w[0], gx_np_at(s, row, 0, 0), false);
        sides[1] = ramp(s, a, axis, w[1], gx_np_at(s, row, 0, 1), true);
        gx_array *parts[3] = {sides[0], a, sides[1]};
        return gx_np_concat(s, 3, parts, axis, (gx_dtype)a->dtype);
    }
    sides[0] = sides[1] = side_layer(s, a, axis, mode);
    return sides[0] ? with_sides(s, a, axis, w, sides) : NULL;
}

/* Constant sides: the array goes into the middle of the result, then each axis's sides are stored,
   so that those of later axes have the corners. */
static gx_array *bordered(gx_np *s, gx_array *a, const int64_t *w, gx_array *values) {
    int64_t shape[GX_MAX_DIMS];
    for (int i = 0; i < a->ndim; i++)
        if (__builtin_add_overflow(gx_shape(a)[i], w[2 * i], &shape[i]) ||
            __builtin_add_overflow(shape[i], w[2 * i + 1], &shape[i]))
            shape[i] = INT64_MAX;
    gx_array *r = gx_np_empty(s, (gx_dtype)a->dtype, a->ndim, shape), *middle = r;
    for (int i = 0; i < a->ndim; i++)
        middle = gx_np_slice(s, middle, i, w[2 * i], 1, gx_shape(a)[i]);
    if (!middle || !gx_array_store(s->rt, middle, a)) return NULL;
    for (int i = 0; i < 2 * a->ndim; i++) {
        int64_t from = i % 2 ? shape[i / 2] - w[i] : 0;
        gx_array *side = gx_np_slice(s, r, i / 2, from, 1, w[i]);
        gx_array *value = gx_np_at(s, gx_np_at(s, values, 0, i / 2), 0, i % 2);
        if (!side || !value || !gx_array_store(s->rt, side, value)) return NULL;
    }
    return r;
}

static bool mode_known(gx_rt *rt, const char *mode) {
    static const char *const modes[] = {"constant", "edge",    "linear_ramp", "maximum", "mean",
                                        "minimum",  "reflect", "symmetric",   "wrap",    "empty"};
    enum { MODES = sizeof modes / sizeof *modes };
    for (int i = 0; i < MODES; i++)
        if (strcmp(mode, modes[i]) == 0) return true;
    gx_fail(rt, GX_ValueError, "pad.mode", "mode '%s' is not supported", mode);
    const char *near = gx_near_name(mode, modes, MODES);
    return near ? gx_help(rt, "mode='%s'", near) : false;
}

static bool pad_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    const char *mode;
    size_t length;
    gx_value given;
    if (!a || !gx_arg_str(c, 2, &mode, &length) || !mode_known(c->rt, mode))
        return gx_np_end(&s, false);
    gx_array *widths = pairs(&s, c->argv[1], a->ndim, GX_i64);
    const int64_t *w = gx_np_data(&s, widths);
    if (!w) return gx_np_end(&s, false);
    for (int i = 0; i < 2 * a->ndim; i++)
        if (w[i] < 0)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "pad.width",
                                         "index can't contain negative values"));
    bool is_ramp = strcmp(mode, "linear_ramp") == 0;
    gx_try t = keyword(c, 3, is_ramp ? "end_values" : "constant_values", &given);
    if (t == GX_TRY_ERROR) return gx_np_end(&s, false);
    gx_array *values = pairs(&s, t == GX_TRY_YES ? given : gx_int(0), a->ndim, (gx_dtype)a->dtype);
    if (!values) return gx_np_end(&s, false);
    gx_array *r = a;
    if (strcmp(mode, "constant") == 0 || strcmp(mode, "empty") == 0)
        return gx_np_give_array(&s, bordered(&s, a, w, values), out);
    for (int i = 0; r && i < a->ndim; i++)
        if (w[2 * i] || w[2 * i + 1]) r = pad_axis(&s, r, i, w + 2 * i, mode, values);
    return gx_np_give_array(&s, r == a ? gx_np_copy(&s, a, 'C') : r, out);
}

const gx_native gx_np_pad_functions[] = {
    {"pad", "pad(array, pad_width, mode='constant', **kwargs)",
     "The array with a border, filled as mode says (constant, edge, reflect, symmetric, wrap, "
     "linear_ramp, maximum, minimum, mean).",
     "pad([1, 2], 1)  # [0 1 2 0]", pad_fn, 0, 0},
    {.name = NULL},
};
