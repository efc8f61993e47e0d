/* random: permutation, shuffle and choice, as functions and as methods of generators. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "runtime/device/work.h"
#include "stdlib/numpy/base/reduce.h"
#include "stdlib/numpy/order/order.h"
#include "stdlib/random/random_int.h"

/* --- order --- */

/* The axis of a Generator's method; functions have none. */
static bool axis_arg(gx_draw *d, int i, int ndim, int *out) {
    *out = 0;
    return d->c->argc <= d->at + i || gx_np_axis_arg(d->c, d->at + i, ndim, 0, out);
}

bool gx_random_permutation(gx_call *c, gx_value *out) {
    gx_draw d;
    int64_t n;
    if (!gx_draw_begin(&d, c)) return false;
    const bool array = gx_draw_arg(&d, 0).tag == GX_ARRAY; /* one without axes is no number */
    gx_try is = array ? GX_TRY_NO : gx_as_index(c->rt, gx_draw_arg(&d, 0), &n);
    if (is == GX_TRY_ERROR) return gx_np_end(&d.s, false);
    if (is == GX_TRY_YES) {
        return gx_draw_finish(&d, gx_rng_permutation(&d.s, d.r, n < 0 ? 0 : n), out);
    }
    gx_array *a = gx_np_arr(&d.s, gx_draw_arg(&d, 0));
    int axis = 0;
    if (a && a->ndim == 0)
        return gx_np_end(&d.s, gx_fail(c->rt, d.r->legacy ? GX_IndexError : GX_AxisError,
                                       "random.permutation",
                                       "x must be an integer or at least 1-dimensional"));
    if (!a || !axis_arg(&d, 1, a->ndim, &axis)) return gx_np_end(&d.s, false);
    gx_array *order = gx_rng_permutation(&d.s, d.r, gx_shape(a)[axis]);
    gx_array *r = gx_np_take(&d.s, a, order, axis);
    return gx_draw_finish(&d, gx_np_laid_picked(&d.s, r, a, axis), out);
}

static bool shuffle_list(gx_draw *d, gx_borrowed list) {
    gx_list *l = gx_as_list(list);
    int64_t n = l->count;
    gx_array *p = gx_rng_permutation(&d->s, d->r, n);
    const int64_t *order = gx_np_data(&d->s, p);
    gx_value *old = gx_np_room(&d->s, n + 1, sizeof *old);
    if (!order || !old) return false;
    if (l->count != n)
        return gx_fail(d->s.rt, GX_RuntimeError, "random.changed",
                       "the list changed its length while it was shuffled");
    if (n) memcpy(old, l->items, (size_t)n * sizeof *old);
    for (int64_t i = 0; i < n; i++) l->items[i] = old[order[i]];
    return true;
}

/* Of anything that has a length: its items by number; fewer than two stay where they are. */
static bool shuffle_items(gx_draw *d, gx_borrowed x) {
    int64_t n;
    gx_rt *rt = d->s.rt;
    const bool sequence = x.tag == GX_TUPLE || x.tag == GX_STR || x.tag == GX_BYTES ||
                          x.tag == GX_RANGE || x.tag == GX_OBJECT;
    if (!gx_length(rt, x, &n)) return false;
    if (!sequence &&
        !gx_warn(rt, GX_UserWarning,
                 "you are shuffling a '%s' object which is not a subclass of 'Sequence'; `shuffle` "
                 "is not guaranteed to behave correctly. E.g., non-numpy array/tensor objects with "
                 "view semantics may contain duplicates after shuffling.",
                 gx_type_name(x)))
        return false;
    if (n < 2) return true;
    gx_array *p = gx_rng_permutation(&d->s, d->r, n);
    const int64_t *order = gx_np_data(&d->s, p);
    gx_value items;
    if (!order || !gx_list_new(rt, 0, NULL, &items)) return false;
    bool ok = gx_np_hold(&d->s, items);
    for (int64_t i = 0; ok && i < n; i++) {
        gx_value item;
        ok = gx_get_item(rt, x, gx_int(i), &item) && gx_list_push_take(rt, items, item);
    }
    for (int64_t i = 0; ok && i < n; i++) {
        gx_value item = gx_keep(gx_as_list(items)->items[order[i]]);
        ok = gx_set_item(rt, x, gx_int(i), item);
        gx_drop(item);
    }
    return ok;
}

bool gx_random_shuffle(gx_call *c, gx_value *out) {
    gx_draw d;
    if (!gx_draw_begin(&d, c)) return false;
    gx_borrowed x = gx_draw_arg(&d, 0);
    *out = gx_none();
    int axis = 0;
    if (x.tag == GX_LIST) {
        int64_t asked = 0;
        if (c->argc > d.at + 1 && !gx_arg_int(c, d.at + 1, &asked)) return gx_np_end(&d.s, false);
        if (asked != 0)
            return gx_np_end(&d.s, gx_fail(c->rt, GX_NotImplementedError, "random.axis",
                                           "Axis argument is only supported on ndarray objects"));
        return gx_np_end(&d.s, shuffle_list(&d, x));
    }
    if (!gx_is_array(x)) return gx_np_end(&d.s, shuffle_items(&d, x));
    if (gx_as_array(x)->ndim == 0)
        return gx_np_end(&d.s, gx_arg_wrong(c, d.at, "an array or a list"));
    gx_array *a = gx_as_array(x);
    if (!axis_arg(&d, 1, a->ndim, &axis)) return gx_np_end(&d.s, false);
    gx_array *order = gx_rng_permutation(&d.s, d.r, gx_shape(a)[axis]);
    gx_array *r = gx_np_take(&d.s, a, order, axis);
    return gx_np_end(&d.s, r && gx_array_store(c->rt, a, r));
}

/* --- choice --- */

/* The last element of a line, or 0. */
static bool last_of(gx_draw *d, gx_array *a, double *out) {
    gx_scalar e = {.f64 = 0};
    gx_array *last = a->count ? gx_np_at(&d->s, a, 0, a->count - 1) : NULL;
    if (a->count && (!last || !gx_array_item(d->c->rt, last, &e))) return false;
    *out = e.f64;
    return true;
}

static bool any_below_0(gx_draw *d, gx_array *a, bool *out) {
    gx_scalar e;
    gx_array *below = gx_np_op2(&d->s, GX_OP_less, a, gx_np_weak(&d->s, (gx_dtype)a->dtype, 0));
    below = below ? gx_np_reduce(&d->s, GX_RED_any, below, gx_np_all(below), false, GX_NO_DTYPE)
                  : NULL;
    if (!below || !gx_array_item(d->c->rt, below, &e)) return false;
    *out = e.b;
    return true;
}

/* The running sum of the weights, scaled to end at 1. */
static gx_array *distribution(gx_draw *d, gx_borrowed p, int64_t n) {
    gx_array *w = gx_np_arr(&d->s, p);
    if (!w) return NULL;
    if (w->ndim == 0) {
        gx_fail(d->c->rt, GX_TypeError, "choice.p",
                "p must be a probability for each of %lld items", (long long)n);
        return NULL;
    }
    const char *wrong = w->ndim != 1 ? "'p' must be 1-dimensional" : "";
    if (w->ndim == 1 && w->count != n) wrong = "'a' and 'p' must have same size";
    const bool real = gx_dtype_kind(w->dtype) == GX_KIND_FLOAT;
    const double eps = ldexp(1, -(real ? gx_dtypes[w->dtype].fraction : DBL_MANT_DIG - 1));
    gx_array *cdf =
        *wrong ? NULL : gx_np_scan(&d->s, gx_np_cast(&d->s, w, GX_f64), 0, false, GX_f64);
    double total = 0;
    bool negative = false;
    if (!*wrong && (!cdf || !last_of(d, cdf, &total) || !any_below_0(d, w, &negative))) return NULL;
    if (isnan(total))
        wrong = d->r->legacy ? "probabilities contain NaN" : "Probabilities contain NaN";
    else if (negative)
        wrong = "Probabilities are not non-negative";
    else if (!*wrong && fabs(total - 1) > sqrt(eps))
        wrong = "Probabilities do not sum to 1";
    if (*wrong) {
        gx_fail(d->c->rt, GX_ValueError, "choice.p", "%s", wrong);
        return NULL;
    }
    return gx_np_op2(&d->s, GX_OP_divide, cdf, gx_np_f64(&d->s, total));
}

/* k of n without repeats by weight, of the Philox stream: those whose waiting times, exponential
   with their weight as the rate, are the shortest. */
static gx_array *first_to_come(gx_draw *d, gx_borrowed p, int64_t n, int64_t k) {
    gx_np *s = &d->s;
    gx_scalar positive;
    gx_array *w = gx_np_arr_as(s, p, GX_f64);
    gx_array *is = w ? gx_np_op2(s, GX_OP_greater, w, gx_np_f64(s, 0)) : NULL;
    gx_array *sum =
        is ? gx_np_reduce(s, GX_RED_sum, is, gx_np_all(is), false, GX_NO_DTYPE) : NULL;
    if (!sum || !gx_array_item(s->rt, sum, &positive)) return NULL;
    if (positive.i64 < k) {
        gx_fail(s->rt, GX_ValueError, "choice.p", "Fewer non-zero entries in p than size");
        return NULL;
    }
    gx_array *time = gx_rng_exponentials(s, d->r, 1, &n);
    w = gx_np_op3(s, GX_OP_where, is, w, gx_np_f64(s, 1));
    time = gx_np_op3(s, GX_OP_where, is, gx_np_op2(s, GX_OP_divide, time, w),
                     gx_np_f64(s, INFINITY));
    return gx_np_slice(s, gx_np_argsort(s, time, 0), 0, 0, 1, k);
}

/* k of n without repeats by weight: draws again with the found ones' weight at zero. */
static gx_array *weighted_once(gx_draw *d, gx_borrowed p, int64_t n, int64_t k) {
    gx_array *w = gx_np_fresh(&d->s, gx_np_arr_as(&d->s, p, GX_f64), GX_f64);
    gx_array *r = gx_np_empty(&d->s, GX_i64, 1, &k);
    double *weight = gx_np_data_write(&d->s, w);
    int64_t *found = gx_np_data_write(&d->s, r), have = 0, positive = 0;
    double *cdf = gx_np_room(&d->s, n + 1, sizeof *cdf);
    if (!weight || !found || !cdf) return NULL;
    for (int64_t i = 0; i < n; i++) positive += weight[i] > 0;
    if (positive < k) {
        gx_fail(d->c->rt, GX_ValueError, "choice.p", "Fewer non-zero entries in p than size");
        return NULL;
    }
    while (have < k) {
        int64_t want = k - have, first = have;
        gx_array *u = gx_np_contiguous(&d->s, gx_rng_uniforms(&d->s, d->r, GX_f64, 1, &want));
        const double *x = gx_np_data(&d->s, u);
        if (!x) return NULL;
        for (int64_t i = 0; i < first; i++) weight[found[i]] = 0;
        double total = 0;
        for (int64_t i = 0; i < n; i++) cdf[i] = total += weight[i];
        for (int64_t j = 0; j < want; j++) {
            int64_t low = 0, high = n;
            while (low < high) {
                int64_t mid = low + (high - low) / 2;
                if (cdf[mid] / total <= x[j])
                    low = mid + 1;
                else
                    high = mid;
            }
            bool seen = low >= n;
            for (int64_t i = first; i < have && !seen; i++) seen = found[i] == low;
            if (!seen) found[have++] = low;
        }
    }
    return r;
}

/* At element i of many: has Ctrl-C ended the draw? KeyboardInterrupt is pending then. */
static bool is_over(const gx_np *s, int64_t i) {
    return (i & (GX_WORK_LOOK - 1)) == 0 && !gx_work_end(s->rt);
}

/* PCG64's k of n: the end of a partial shuffle, or Floyd's algorithm and a shuffle. */
static gx_array *few_of_many(gx_draw *d, int64_t n, int64_t k, bool shuffle) {
    gx_np *s = &d->s;
    if (n > 10000 && k > n / (shuffle ? 50 : 20)) {
        gx_array *all = gx_np_copy(s, gx_np_iota(s, n), 'C');
        int64_t *x = gx_np_data_write(s, all);
        if (!x) return NULL;
        for (int64_t i = n - 1, least = n - k > 1 ? n - k : 1; i >= least; i--) {
            if (is_over(s, i)) return NULL;
            int64_t j = (int64_t)gx_rng_bounded(d->r, (uint64_t)i), t = x[i];
            x[i] = x[j];
            x[j] = t;
        }
        return gx_np_slice(s, all, 0, n - k, 1, k);
    }
    uint64_t mask = (uint64_t)(1.2 * (double)k);
    for (int b = 1; b < 64; b *= 2) mask |= mask >> b;
    gx_array *r = gx_np_empty(s, GX_i64, 1, &k);
    int64_t *found = gx_np_data_write(s, r);
    int64_t *set = gx_np_room(s, mask + 1, sizeof *set);
    if (!found || !set) return NULL;
    for (uint64_t i = 0; i <= mask; i++) set[i] = -1;
    for (int64_t j = n - k; j < n; j++) {
        if (is_over(s, j)) return NULL;
        int64_t v = (int64_t)gx_rng_bounded(d->r, (uint64_t)j);
        uint64_t at = (uint64_t)v & mask;
        while (set[at] != -1 && set[at] != v) at = (at + 1) & mask;
        if (set[at] == v) {
            v = j;
            at = (uint64_t)j & mask;
            while (set[at] != -1) at = (at + 1) & mask;
        }
        set[at] = v;
        found[j - n + k] = v;
    }
    for (int64_t i = k - 1; i > 0 && shuffle; i--) {
        if (is_over(s, i)) return NULL;
        int64_t j = (int64_t)gx_rng_bounded(d->r, (uint64_t)i), t = found[i];
        found[i] = found[j];
        found[j] = t;
    }
    return r;
}

static gx_array *choose(gx_draw *d, int64_t n, bool replace, bool shuffle, gx_borrowed p) {
    const bool weights = p.tag != GX_NONE;
    gx_np *s = &d->s;
    int64_t k = gx_np_size(d->ndim, d->shape);
    if (n == 0 && k > 0) {
        gx_fail(d->c->rt, GX_ValueError, "choice.empty",
                "a cannot be empty unless no samples are taken");
        return NULL;
    }
    if (!replace && k > n) {
        gx_fail(d->c->rt, GX_ValueError, "choice.size",
                "Cannot take a larger sample than population when 'replace=False'");
        return NULL;
    }
    gx_array *cdf = weights ? distribution(d, p, n) : NULL, *i;
    if (weights && !cdf) return NULL;
    if (replace && weights)
        return gx_np_search(s, cdf, gx_rng_uniforms(s, d->r, GX_f64, d->ndim, d->shape), true);
    if (replace) return gx_rng_integers(s, d->r, 0, n ? (uint64_t)n - 1 : 0, d->ndim, d->shape);
    if (weights)
        i = d->r->kind == GX_RNG_PHILOX ? first_to_come(d, p, n, k) : weighted_once(d, p, n, k);
    else if (d->r->kind != GX_RNG_PHILOX && !d->r->legacy)
        i = few_of_many(d, n, k, shuffle);
    else
        i = gx_np_slice(s, gx_rng_permutation(s, d->r, n), 0, 0, 1, k);
    return gx_np_reshape(s, i, d->ndim, d->shape);
}

bool gx_random_choice(gx_call *c, gx_value *out) {
    gx_draw d;
    int64_t n;
    bool replace, shuffle = true;
    int axis = 0;
    gx_array *a = NULL;
    if (!gx_draw_begin(&d, c)) return false;
    if (!gx_draw_size(&d, 1, 0, 0, NULL) || !gx_arg_bool(c, d.at + 2, &replace) ||
        (c->argc > d.at + 5 && !gx_arg_bool(c, d.at + 5, &shuffle)))
        return gx_np_end(&d.s, false);
    gx_try is = gx_as_index(c->rt, gx_draw_arg(&d, 0), &n);
    if (is == GX_TRY_ERROR) return gx_np_end(&d.s, false);
    if (is == GX_TRY_YES && n < 0 && gx_np_size(d.ndim, d.shape) > 0)
        return gx_np_end(&d.s, gx_fail(c->rt, GX_ValueError, "choice.population",
                                       "a must be greater than 0 unless no samples are taken"));
    if (is == GX_TRY_NO) {
        if (!(a = gx_np_arr(&d.s, gx_draw_arg(&d, 0)))) return gx_np_end(&d.s, false);
        gx_scalar truth;
        if (a->ndim == 0 && a->dtype == GX_bool) { /* the number that it is */
            if (!gx_array_item(c->rt, a, &truth)) return gx_np_end(&d.s, false);
            is = GX_TRY_YES;
            n = truth.b;
            a = NULL;
        }
    }
    if (is == GX_TRY_NO) {
        if (a->ndim == 0 || (a->ndim != 1 && d.r->legacy))
            return gx_np_end(&d.s, gx_fail(c->rt, GX_ValueError, "choice.population",
                                           "a must be 1-dimensional"));
        if (!axis_arg(&d, 4, a->ndim, &axis)) return gx_np_end(&d.s, false);
        n = gx_shape(a)[axis];
    }
    gx_array *i = choose(&d, n, replace, shuffle, gx_draw_arg(&d, 3));
    if (!a) return gx_draw_finish(&d, i, out);
    d.one = false;
    const gx_borrowed size = gx_draw_arg(&d, 1);
    a = gx_np_take(&d.s, a, i, axis);
    return size.tag == GX_TUPLE ? gx_np_give_array(&d.s, a, out) : gx_np_give(&d.s, a, out);
}

