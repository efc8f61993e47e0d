/* numpy.pad: an array with borders. Every mode but constant and linear_ramp says for each new place
   which old element it shows, so a border is a gather along one axis after the other. */
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/still.h"
#include "stdlib/numpy/base/call.h"

extern const gx_native gx_np_pad_functions[];

static gx_try keyword(gx_call *c, int kwargs, const char *name, gx_value *out) {
    gx_value key;
    if (!gx_str_c(c->rt, name, &key)) return GX_TRY_ERROR;
    gx_try t = gx_dict_find(c->rt, c->argv[kwargs], key, out);
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

/* What a mode has to know beside the widths. */
typedef struct rule {
    const char *mode;
    gx_array *values;  /* (ndim, 2): constants or ends of ramps */
    gx_array *lengths; /* (ndim, 2): how many elements statistics look at; NULL: all */
    bool odd;          /* borders go on as the array came in: twice the edge less the mirror */
} rule;

static bool mode_is(const rule *m, const char *name) {
    return strcmp(m->mode, name) == 0;
}

/* As many elements as the padded axis has: their old positions, and how often the array was
   mirrored to come there. */
static bool places(gx_np *s, const rule *m, int64_t n, const int64_t w[2], gx_array **at,
                   gx_array **turns) {
    int64_t total = n + w[0] + w[1], period = mode_is(m, "symmetric") ? n : n - 1;
    *at = gx_np_empty(s, GX_i64, 1, &total);
    *turns = gx_np_empty(s, GX_i64, 1, &total);
    int64_t *p = gx_np_data_write(s, *at), *q = gx_np_data_write(s, *turns);
    if (!p || !q) return false;
    GX_LONG_LOOP(s->rt, i, 0, total) {
        int64_t k = i - w[0];
        q[i] = period == 0 ? 0 : k >= 0 ? k / period : -((period - 1 - k) / period);
        if (mode_is(m, "edge"))
            p[i] = k < 0 ? 0 : k >= n ? n - 1 : k;
        else if (mode_is(m, "wrap"))
            p[i] = ((k % n) + n) % n;
        else
            p[i] = reflected(k, n, mode_is(m, "symmetric"));
    }
    return true;
}

/* Mirrored oddly: after q turns x is q (last - first) higher, and for odd q first + last - x. */
static gx_array *oddly(gx_np *s, gx_array *a, int axis, gx_array *at, gx_array *turns) {
    int64_t n = gx_shape(a)[axis], shape[GX_MAX_DIMS];
    gx_dtype d = (gx_dtype)a->dtype;
    for (int i = 0; i < a->ndim; i++) shape[i] = i == axis ? turns->count : 1;
    gx_array *first = gx_np_slice(s, a, axis, 0, 1, 1);
    gx_array *last = gx_np_slice(s, a, axis, n - 1, 1, 1);
    gx_array *odd = gx_np_op2(s, GX_OP_bitwise_and, turns, gx_np_i64(s, 1));
    odd = gx_np_reshape(s, odd, a->ndim, shape);
    gx_array *q = gx_np_cast(s, gx_np_reshape(s, turns, a->ndim, shape), d);
    gx_array *up = gx_np_op2(s, GX_OP_multiply, q, gx_np_op2(s, GX_OP_subtract, last, first));
    gx_array *x = gx_np_take(s, a, at, axis);
    gx_array *turned = gx_np_op2(s, GX_OP_subtract, gx_np_op2(s, GX_OP_add, first, last), x);
    x = gx_np_op3(s, GX_OP_where, gx_np_cast(s, odd, GX_bool), turned, x);
    return gx_np_op2(s, GX_OP_add, x, up);
}

static gx_array *gathered(gx_np *s, gx_array *a, int axis, const int64_t w[2], const rule *m) {
    gx_array *at, *turns;
    int64_t n = gx_shape(a)[axis];
    if (n == 0) {
        gx_fail(s->rt, GX_ValueError, "pad.empty",
                "can't extend empty axis %d using modes other than 'constant' or 'empty'", axis);
        return NULL;
    }
    if (!places(s, m, n, w, &at, &turns)) return NULL;
    bool mirrored = mode_is(m, "reflect") || mode_is(m, "symmetric");
    return m->odd && mirrored && n > 1 ? oddly(s, a, axis, at, turns) : gx_np_take(s, a, at, axis);
}

/* --- statistics --- */

static gx_array *median_of(gx_np *s, gx_array *a, int axis) {
    const gx_value argv[5] = {gx_np_value(a), gx_int(axis), gx_none(), gx_bool(false),
                              gx_bool(true)};
    return gx_np_call_values(s, "median", 5, argv);
}

/* The layer that fills one side: a statistic of the elements next to it. */
static gx_array *side_layer(gx_np *s, gx_array *a, int axis, const rule *m, int side) {
    uint64_t mask = UINT64_C(1) << axis;
    int64_t n = gx_shape(a)[axis], near = n;
    bool extreme = mode_is(m, "maximum") || mode_is(m, "minimum"), real = gx_np_is_float(a->dtype);
    if (m->lengths) {
        const int64_t *lengths = gx_np_data(s, m->lengths);
        if (!lengths) return NULL;
        if (lengths[2 * axis + side] < n) near = lengths[2 * axis + side];
    }
    if (near == 0 && extreme) {
        gx_fail(s->rt, GX_ValueError, "pad.stat_length",
                "stat_length of 0 yields no value for padding");
        return NULL;
    }
    gx_array *part = gx_np_slice(s, a, axis, side ? n - near : 0, 1, near), *mean;
    if (extreme)
        return gx_np_reduce(s, mode_is(m, "maximum") ? GX_RED_max : GX_RED_min, part, mask, true,
                            GX_NO_DTYPE);
    if (mode_is(m, "median")) {
        mean = part ? median_of(s, part, axis) : NULL;
    } else {
        mean = gx_np_reduce(s, GX_RED_sum, part, mask, true, real ? GX_NO_DTYPE : GX_f64);
        mean = gx_np_op2(s, GX_OP_divide, mean, gx_np_i64(s, near));
    }
    if (mean && !real) mean = gx_np_op1(s, GX_OP_rint, mean);
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
    bool whole = !gx_np_is_float(a->dtype);
    if (whole) { /* differences of unsigned integers would wrap */
        edge = gx_np_cast(s, edge, GX_f64);
        end = gx_np_cast(s, end, GX_f64);
    }
    gx_array *step =
        gx_np_op2(s, GX_OP_divide, gx_np_op2(s, GX_OP_subtract, edge, end), gx_np_i64(s, n));
    gx_array *r = gx_np_op2(s, GX_OP_add, gx_np_op2(s, GX_OP_multiply, i, step), end);
    if (whole) r = gx_np_op1(s, GX_OP_floor, r);
    return gx_np_cast(s, r, (gx_dtype)a->dtype);
}

/* Widths from a dict of axes, each an int or a pair; other axes have none. */
static gx_array *pairs_by_axis(gx_np *s, gx_dict *d, int ndim) {
    const int64_t shape[2] = {ndim, 2}, two = 2;
    gx_array *r = gx_np_zeros(s, GX_i64, 2, shape);
    int64_t at = 0, axis;
    gx_entry *e;
    int i;
    while (r && (e = gx_dict_next(d, &at))) {
        GX_STILL(key);
        GX_STILL(width);
        key = gx_keep(e->key);
        width = gx_keep(e->value);
        gx_try is = gx_as_index(s->rt, key, &axis);
        if (is == GX_TRY_NO)
            gx_fail(s->rt, GX_TypeError, "pad.axis", "pad_width: an axis is an integer, not %s",
                    gx_type_name(key));
        if (is != GX_TRY_YES || !gx_axis(s->rt, axis, ndim, &i)) return NULL;
        gx_array *w = gx_np_broadcast(s, gx_np_arr_as(s, width, GX_i64), 1, &two);
        gx_array *row = gx_np_at(s, r, 0, i);
        if (!w || !row || !gx_array_store(s->rt, row, w)) return NULL;
    }
    return gx_np_contiguous(s, r);
}

/* (ndim, 2) numbers from an int, a pair, or pairs. */
static gx_array *pairs(gx_np *s, gx_borrowed v, int ndim, gx_dtype d) {
    const int64_t shape[2] = {ndim, 2};
    if (v.tag == GX_DICT) return pairs_by_axis(s, gx_as_dict(v), ndim);
    gx_array *a = gx_np_arr(s, v);
    return gx_np_contiguous(s, gx_np_cast(s, gx_np_broadcast(s, a, 2, shape), d));
}

static gx_array *pad_axis(gx_np *s, gx_array *a, int axis, const int64_t w[2], const rule *m) {
    if (mode_is(m, "edge") || mode_is(m, "wrap") || mode_is(m, "reflect") ||
        mode_is(m, "symmetric"))
        return gathered(s, a, axis, w, m);
    gx_array *sides[2];
    if (mode_is(m, "linear_ramp")) {
        gx_array *row = gx_np_at(s, m->values, 0, axis);
        sides[0] = ramp(s, a, axis, w[0], gx_np_at(s, row, 0, 0), false);
        sides[1] = ramp(s, a, axis, w[1], gx_np_at(s, row, 0, 1), true);
        gx_array *parts[3] = {sides[0], a, sides[1]};
        return gx_np_concat(s, 3, parts, axis, (gx_dtype)a->dtype);
    }
    for (int k = 0; k < 2; k++)
        if (!(sides[k] = side_layer(s, a, axis, m, k))) return NULL;
    return with_sides(s, a, axis, w, sides);
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
    static const char *const modes[] = {"constant", "edge",    "linear_ramp", "maximum",
                                        "mean",     "minimum", "reflect",     "symmetric",
                                        "wrap",     "empty",   "median"};
    enum { MODES = sizeof modes / sizeof *modes };
    for (int i = 0; i < MODES; i++)
        if (strcmp(mode, modes[i]) == 0) return true;
    gx_fail(rt, GX_ValueError, "pad.mode", "mode '%s' is not supported", mode);
    const char *near = gx_near_name(mode, modes, MODES);
    return near ? gx_help(rt, "mode='%s'", near) : false;
}

/* The one keyword that goes with a mode. */
static const char *keyword_of(const rule *m) {
    if (mode_is(m, "constant")) return "constant_values";
    if (mode_is(m, "linear_ramp")) return "end_values";
    if (mode_is(m, "reflect") || mode_is(m, "symmetric")) return "reflect_type";
    bool none = mode_is(m, "edge") || mode_is(m, "wrap") || mode_is(m, "empty");
    return none ? "" : "stat_length";
}

static bool read_odd(gx_call *c, gx_borrowed v, bool *odd) {
    const char *text = v.tag == GX_STR ? gx_as_str(v)->text : "";
    *odd = strcmp(text, "odd") == 0;
    return *odd || strcmp(text, "even") == 0 ||
           gx_fail(c->rt, GX_ValueError, "pad.reflect_type",
                   "reflect_type must be 'even' or 'odd', not %s",
                   v.tag == GX_STR ? text : gx_type_name(v));
}

static bool read_lengths(gx_np *s, gx_borrowed v, int ndim, rule *m) {
    if (v.tag == GX_NONE) return true;
    m->lengths = pairs(s, v, ndim, GX_i64);
    const int64_t *n = gx_np_data(s, m->lengths);
    for (int i = 0; n && i < 2 * ndim; i++)
        if (n[i] < 0)
            return gx_fail(s->rt, GX_ValueError, "pad.stat_length",
                           "index can't contain negative values");
    return n != NULL;
}

/* The keywords: the mode's own, and no other. */
static bool read_rule(gx_np *s, gx_call *c, const gx_array *a, rule *m) {
    const char *name = keyword_of(m);
    gx_value given = gx_undef();
    gx_try t = *name ? keyword(c, 3, name, &given) : GX_TRY_NO;
    int64_t at = 0;
    gx_entry *e;
    if (t == GX_TRY_ERROR) return false;
    gx_drop(given); /* the call holds it in its keywords */
    while ((e = gx_dict_next(gx_as_dict(c->argv[3]), &at)))
        if (strcmp(gx_as_str(e->key)->text, name) != 0) {
            gx_fail(c->rt, GX_ValueError, "pad.keyword",
                    "unsupported keyword argument for mode '%s': %s", m->mode,
                    gx_as_str(e->key)->text);
            return *name ? gx_help(c->rt, "mode '%s' takes %s", m->mode, name) : false;
        }
    if (strcmp(name, "reflect_type") == 0) return t == GX_TRY_NO || read_odd(c, given, &m->odd);
    if (strcmp(name, "stat_length") == 0)
        return t == GX_TRY_NO || read_lengths(s, given, a->ndim, m);
    m->values = pairs(s, t == GX_TRY_YES ? given : gx_int(0), a->ndim, (gx_dtype)a->dtype);
    return m->values != NULL;
}

/* A function as mode: it is given each line along each axis, to fill its ends. */
static gx_array *pad_by_function(gx_np *s, gx_call *c, gx_array *a, const int64_t *w) {
    gx_array *zeros = pairs(s, gx_int(0), a->ndim, (gx_dtype)a->dtype);
    gx_array *r = zeros ? bordered(s, a, w, zeros) : NULL;
    for (int axis = 0; r && axis < a->ndim; axis++) {
        gx_array *lines = gx_np_moveaxis(s, r, axis, a->ndim - 1);
        const int64_t outer = gx_shape(r)[axis] ? r->count / gx_shape(r)[axis] : 0;
        for (int64_t i = 0; lines && i < outer; i++) {
            gx_np t = gx_np_begin_at(s->rt, s->ns);
            gx_array *line = gx_np_keep(&t, lines);
            int64_t rest = i, below = outer;
            for (int k = 0; line && k < a->ndim - 1; k++) {
                below /= gx_shape(lines)[k];
                line = gx_np_at(&t, line, 0, rest / below);
                rest %= below;
            }
            gx_value width = gx_none(), none = gx_undef();
            bool ok = line && gx_tuple_ints(s->rt, 2, w + 2 * axis, &width) &&
                      gx_np_hold(&t, width);
            const gx_value argv[4] = {gx_np_value(line), width, gx_int(axis), c->argv[3]};
            ok = ok && gx_call_value(s->rt, c->argv[2], 4, argv, 0, NULL, &none);
            if (ok) gx_drop(none);
            if (!gx_np_end(&t, ok)) return NULL;
        }
    }
    return r;
}

static bool pad_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    const bool function = c->argv[2].tag != GX_STR && gx_callable(c->argv[2]);
    rule m = {0};
    size_t length;
    if (!a || (!function &&
               (!gx_arg_str(c, 2, &m.mode, &length) || !mode_known(c->rt, m.mode))))
        return gx_np_end(&s, false);
    if (c->argv[1].tag != GX_DICT) {
        gx_array *given = gx_np_arr(&s, c->argv[1]);
        if (!given) return gx_np_end(&s, false);
        if (gx_dtype_kind(given->dtype) != GX_KIND_INT)
            return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "pad.type",
                                         "`pad_width` must be of integral type, not %s",
                                         gx_dtypes[given->dtype].name));
        gx_array *low = given->count ? gx_np_reduce(&s, GX_RED_min, given, gx_np_all(given), false,
                                                    GX_NO_DTYPE)
                                     : NULL;
        gx_scalar least = {.i64 = 0};
        if (given->count &&
            (!(low = gx_np_cast(&s, low, GX_i64)) || !gx_array_item(c->rt, low, &least)))
            return gx_np_end(&s, false);
        if (least.i64 < 0)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "pad.width",
                                         "index can't contain negative values"));
    }
    gx_array *widths = pairs(&s, c->argv[1], a->ndim, GX_i64);
    const int64_t *w = gx_np_data(&s, widths);
    if (!w) return gx_np_end(&s, false);
    for (int i = 0; i < 2 * a->ndim; i++)
        if (w[i] < 0)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "pad.width",
                                         "index can't contain negative values"));
    if (function) return gx_np_give_array(&s, pad_by_function(&s, c, a, w), out);
    if (!read_rule(&s, c, a, &m)) return gx_np_end(&s, false);
    gx_array *r = a;
    if (mode_is(&m, "constant") || mode_is(&m, "empty"))
        return gx_np_give_array(&s, gx_np_as_fortran(&s, bordered(&s, a, w, m.values), a), out);
    for (int i = 0; r && i < a->ndim; i++)
        if (w[2 * i] || w[2 * i + 1]) r = pad_axis(&s, r, i, w + 2 * i, &m);
    if (r == a) r = gx_np_copy(&s, a, 'C');
    return gx_np_give_array(&s, gx_np_as_fortran(&s, r, a), out);
}

const gx_native gx_np_pad_functions[] = {
    {"pad", "pad(array, pad_width, mode='constant', **kwargs)",
     "The array with a border, filled as mode says (constant, edge, reflect, symmetric, wrap, "
     "linear_ramp, maximum, minimum, mean, median).",
     "pad([1, 2], 1)  # [0 1 2 0]", pad_fn, 0, 0},
    {.name = NULL},
};
