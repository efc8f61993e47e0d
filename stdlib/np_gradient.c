/* gradient: differences of second order inside, one-sided ones at the ends. */
#include <string.h>

#include "stdlib/np_int.h"

extern const gx_native gx_np_gradient_functions[];

/* a[from:from + count] along the axis. */
static gx_array *part(gx_np *s, gx_array *a, int axis, int64_t from, int64_t count) {
    return gx_np_slice(s, a, axis, from, 1, count);
}

static gx_array *minus(gx_np *s, gx_array *a, gx_array *b) {
    return gx_np_op2(s, GX_OP_subtract, a, b);
}
static gx_array *plus(gx_np *s, gx_array *a, gx_array *b) {
    return gx_np_op2(s, GX_OP_add, a, b);
}
static gx_array *times(gx_np *s, gx_array *a, gx_array *b) {
    return gx_np_op2(s, GX_OP_multiply, a, b);
}
static gx_array *over(gx_np *s, gx_array *a, gx_array *b) {
    return gx_np_op2(s, GX_OP_divide, a, b);
}
static gx_array *number(gx_np *s, gx_array *like, double x) {
    return like ? gx_np_weak(s, (gx_dtype)like->dtype, x) : NULL;
}

/* h (n - 1 differences, or one number) at k, as numbers along nothing. */
static gx_array *gap(gx_np *s, gx_array *h, int64_t k) {
    return h && h->ndim ? gx_np_at(s, h, 0, k) : h;
}

/* Inside, where the points are not evenly spaced. */
static gx_array *uneven(gx_np *s, gx_array *f, int axis, gx_array *h) {
    int64_t n = gx_shape(f)[axis], shape[GX_MAX_DIMS];
    for (int i = 0; i < f->ndim; i++) shape[i] = i == axis ? n - 2 : 1;
    gx_array *d1 = gx_np_reshape(s, part(s, h, 0, 0, n - 2), f->ndim, shape);
    gx_array *d2 = gx_np_reshape(s, part(s, h, 0, 1, n - 2), f->ndim, shape);
    gx_array *sum = plus(s, d1, d2);
    gx_array *a = over(s, gx_np_op1(s, GX_OP_negative, d2), times(s, d1, sum));
    gx_array *b = over(s, minus(s, d2, d1), times(s, d1, d2));
    gx_array *c = over(s, d1, times(s, d2, sum));
    gx_array *r =
        plus(s, times(s, a, part(s, f, axis, 0, n - 2)), times(s, b, part(s, f, axis, 1, n - 2)));
    return plus(s, r, times(s, c, part(s, f, axis, 2, n - 2)));
}

/* The derivative at an end by three points: p the end, q and r inward, d1 and d2 the gaps. */
static gx_array *end_of_second_order(gx_np *s, gx_array *p, gx_array *q, gx_array *r, gx_array *d1,
                                     gx_array *d2, bool last) {
    gx_array *two = number(s, d1, 2), *sum = plus(s, d1, d2);
    gx_array *a = over(s, plus(s, times(s, two, d1), d2), times(s, d1, sum));
    gx_array *b = over(s, sum, times(s, d1, d2));
    gx_array *c = over(s, d1, times(s, d2, sum));
    gx_array *x = times(s, a, p), *y = times(s, b, q), *z = times(s, c, r);
    /* At the front the signs are turned around one by one: a result of 0 is no -0. */
    return last ? plus(s, minus(s, x, y), z) : minus(s, minus(s, y, x), z);
}

static bool put(gx_np *s, gx_array *to, int axis, int64_t at, int64_t count, gx_array *v) {
    gx_array *place = part(s, to, axis, at, count);
    return place && v && gx_array_store(s->rt, place, v);
}

static gx_array *along(gx_np *s, gx_array *f, int axis, gx_array *h, int64_t order) {
    int64_t n = gx_shape(f)[axis];
    if (n < order + 1) {
        gx_fail(s->rt, GX_ValueError, "gradient.size",
                "Shape of array too small to calculate a numerical gradient, at least (edge_order "
                "+ 1) elements are required.");
        return NULL;
    }
    gx_array *r = gx_np_empty(s, (gx_dtype)f->dtype, f->ndim, gx_shape(f)), *inner;
    if (!r || !h) return NULL;
    if (n > 2) {
        inner = minus(s, part(s, f, axis, 2, n - 2), part(s, f, axis, 0, n - 2));
        inner = h->ndim ? uneven(s, f, axis, h) : over(s, inner, times(s, number(s, h, 2), h));
        if (!put(s, r, axis, 1, n - 2, inner)) return NULL;
    }
    gx_array *first = part(s, f, axis, 0, 1), *last = part(s, f, axis, n - 1, 1), *v[2];
    if (order == 1) {
        v[0] = over(s, minus(s, part(s, f, axis, 1, 1), first), gap(s, h, 0));
        v[1] = over(s, minus(s, last, part(s, f, axis, n - 2, 1)), gap(s, h, n - 2));
    } else {
        v[0] = end_of_second_order(s, first, part(s, f, axis, 1, 1), part(s, f, axis, 2, 1),
                                   gap(s, h, 0), gap(s, h, 1), false);
        v[1] = end_of_second_order(s, last, part(s, f, axis, n - 2, 1), part(s, f, axis, n - 3, 1),
                                   gap(s, h, n - 2), gap(s, h, n - 3), true);
    }
    return put(s, r, axis, 0, 1, v[0]) && put(s, r, axis, n - 1, 1, v[1]) ? r : NULL;
}

/* The gaps given for an axis: a number, or those between coordinates (one number if even). */
static gx_array *gaps(gx_np *s, gx_borrowed v, const gx_array *f, int axis) {
    gx_array *x = gx_np_arr(s, v);
    if (!x) return NULL;
    if (x->ndim == 0) return gx_np_cast(s, x, gx_promote_weak((gx_dtype)x->dtype, GX_KIND_FLOAT));
    if (x->ndim != 1) {
        gx_fail(s->rt, GX_ValueError, "gradient.distances",
                "distances must be either scalars or 1d");
        return NULL;
    }
    int64_t n = gx_shape(f)[axis];
    if (x->count != n) {
        gx_fail(s->rt, GX_ValueError, "gradient.distances",
                "when 1d, distances must match the length of the corresponding dimension");
        return NULL;
    }
    if (!gx_np_is_float(x->dtype)) x = gx_np_cast(s, x, GX_f64);
    gx_array *h = n > 1 ? minus(s, part(s, x, 0, 1, n - 1), part(s, x, 0, 0, n - 1)) : x;
    gx_array *first = gx_np_at(s, h, 0, 0), *even;
    even = gx_np_reduce(s, GX_RED_all, gx_np_op2(s, GX_OP_equal, h, first), 1, false, GX_NO_DTYPE);
    gx_scalar is;
    if (!even || !gx_array_item(s->rt, even, &is)) return NULL;
    return is.b ? first : h;
}

static bool gradient_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *f = gx_np_arr(&s, c->argv[0]), *r[GX_MAX_DIMS];
    const gx_tuple *steps = gx_as_tuple(c->argv[1]);
    uint64_t mask;
    int64_t order;
    int axes[GX_MAX_DIMS], n = 0;
    if (!f || !gx_axes(c->rt, c->argv[2], f->ndim, &mask) || !gx_arg_int(c, 3, &order))
        return gx_np_end(&s, false);
    if (c->argv[2].tag == GX_TUPLE) { /* in the order given */
        const gx_tuple *t = gx_as_tuple(c->argv[2]);
        for (; n < t->count; n++) {
            int64_t axis;
            if (gx_as_index(c->rt, t->items[n], &axis) != GX_TRY_YES || /* gx_axes has seen it */
                !gx_axis(c->rt, axis, f->ndim, &axes[n]))
                return gx_np_end(&s, false);
        }
    } else {
        for (int i = 0; i < f->ndim; i++)
            if (mask >> i & 1) axes[n++] = i;
    }
    if (steps->count > 1 && steps->count != n)
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "gradient.args",
                                     "invalid number of "
                                     "arguments"));
    if (order < 1 || order > 2)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "gradient.order",
                                     "'edge_order' greater than 2 not supported"));
    if (f->dtype == GX_bool)
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "gradient.bool",
                                     "gradient takes differences, which bool has none of: "
                                     "convert it first, f.astype(float)"));
    if (!gx_np_is_float(f->dtype)) f = gx_np_cast(&s, f, GX_f64);
    for (int i = 0; f && i < n; i++) {
        gx_borrowed h = steps->count ? steps->items[steps->count > 1 ? i : 0] : gx_float(1);
        gx_array *by = gx_operand_kind(h) == GX_OPERAND_WEAK
                           ? gx_np_cast(&s, gx_np_arr(&s, h), gx_real_dtype((gx_dtype)f->dtype))
                           : gaps(&s, h, f, axes[i]);
        if (!by || !(r[i] = along(&s, f, axes[i], by, order))) return gx_np_end(&s, false);
    }
    if (!f) return gx_np_end(&s, false);
    if (n == 1) return gx_np_give_array(&s, r[0], out);
    return gx_np_give_tuple(&s, n, r, out);
}

const gx_native gx_np_gradient_functions[] = {
    {"gradient", "gradient(f, *varargs, axis=None, edge_order=1)",
     "Derivatives along the axes, by central differences.",
     "gradient([1.0, 2.0, 4.0, 7.0])  # [1.  1.5 2.5 3. ]", gradient_fn, 0, 0},
    {.name = NULL},
};
