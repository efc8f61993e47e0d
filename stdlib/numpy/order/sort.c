/* sort, argsort, partition, lexsort, searchsorted and the sets: unique, isin, union1d … Sorting is
   always stable, whatever kind= asks for; nan comes last. */
#include <math.h>
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/array/kind/record.h"
#include "runtime/object/text/str.h"
#include "stdlib/numpy/base/scope.h"
#include "stdlib/numpy/base/call.h"
#include "stdlib/numpy/order/order.h"

extern const gx_native gx_np_sort_functions[], gx_np_sort_methods[];

/* --- sorting --- */

/* The array and axis of sort(a, axis=-1): None flattens. */
static gx_array *sort_operand(gx_np *s, gx_call *c, int axis_arg, int *axis) {
    gx_array *a = gx_np_arr(s, c->argv[0]);
    const bool all = gx_arg_given(c, axis_arg) && c->argv[axis_arg].tag == GX_NONE;
    *axis = 0;
    if (all) return gx_np_flat(s, a);
    return a && gx_np_axis_arg(c, axis_arg, a->ndim, -1, axis) ? a : NULL;
}

/* The same for positions, which a 0-d array has as an array of one element does. */
static gx_array *argsort_operand(gx_np *s, gx_call *c, int axis_arg, int *axis) {
    gx_array *a = gx_np_arr(s, c->argv[0]);
    if (!a || a->ndim) return sort_operand(s, c, axis_arg, axis);
    *axis = 0;
    const bool all = gx_arg_given(c, axis_arg) && c->argv[axis_arg].tag == GX_NONE;
    return all || gx_np_axis_arg(c, axis_arg, 1, 0, axis) ? gx_np_flat(s, a) : NULL;
}

/* Only records have fields to be put in order by. */
static bool has_order(gx_call *c, int order) {
    const gx_value a = c->argv[0];
    return !gx_arg_some(c, order) || (gx_is_array(a) && gx_record_of(gx_as_array(a)->dtype)) ||
           gx_fail(c->rt, GX_ValueError, "sort.order",
                   "Cannot specify order when the array has no fields.");
}

/* kind, order and stable say nothing here, every sort being stable: they are only checked. Of kind
   NumPy reads the first letter. */
static bool kind_args(gx_call *c, int kind) {
    const char *name;
    size_t length;
    bool truth;
    if (gx_arg_some(c, kind)) {
        if (!gx_arg_str(c, kind, &name, &length)) return false;
        if (!length || !strchr("qhmsQHMS", *name))
            return gx_fail(c->rt, GX_ValueError, "sort.kind",
                           "sort kind must be one of 'quick', 'heap', or 'stable' (got '%s')",
                           name);
    }
    if (!has_order(c, kind + 1)) return false;
    for (int i = kind + 2; i < kind + 4; i++) {
        if (!gx_arg_some(c, i)) continue;
        if (!gx_arg_bool(c, i, &truth)) return false;
        if (gx_arg_some(c, kind))
            return gx_fail(c->rt, GX_ValueError, "sort.stable",
                           "`kind` and keyword parameters can't be provided at the same time. Use "
                           "only one of them.");
    }
    return true;
}

/* kind and order of the partitions. */
static bool select_args(gx_call *c, int kind) {
    const char *name;
    size_t length;
    if (!gx_arg_str(c, kind, &name, &length)) return false;
    if (strcmp(name, "introselect") != 0)
        return gx_fail(c->rt, GX_ValueError, "sort.kind",
                       "select kind must be 'introselect' (got '%s')", name);
    return has_order(c, kind + 1);
}

/* A view of records whose fields stand in the order that the argument names; the others follow. */
static gx_array *in_order(gx_np *s, gx_call *c, int order, gx_array *a) {
    if (!a || !gx_arg_some(c, order)) return a;
    const gx_record_row *r = gx_record_of(a->dtype);
    const gx_value *names = &c->argv[order];
    const int64_t n = names->tag == GX_STR ? 1 : gx_sequence_items(*names, &names);
    gx_field_row *fields = gx_alloc(s->rt, (size_t)r->count * sizeof *fields);
    bool *used = gx_alloc_zero(s->rt, (size_t)r->count + 1), ok = fields && used;
    int count = 0;
    if (ok && n < 0) ok = gx_arg_wrong(c, order, "a field's name or a list of names");
    for (int64_t i = 0; ok && i < n; i++) {
        const int at = names[i].tag == GX_STR
                           ? gx_field_find(s->rt, (gx_dtype)a->dtype, gx_as_str(names[i])->text)
                           : -1;
        if (names[i].tag != GX_STR) ok = gx_arg_wrong(c, order, "names of fields");
        else if (at < 0) ok = false;
        else if (used[at])
            ok = gx_fail(s->rt, GX_ValueError, "sort.order", "duplicate field name: %s",
                         r->fields[at].name);
        if (!ok) break;
        used[at] = true;
        fields[count++] = r->fields[at];
    }
    for (int i = 0; ok && i < r->count; i++)
        if (!used[i]) fields[count++] = r->fields[i];
    gx_dtype d;
    gx_array *view = NULL;
    ok = ok && gx_record_make(s->rt, count, fields, gx_dtype_size(a->dtype), false, false, &d) &&
         gx_array_view(s->rt, a, d, a->ndim, gx_shape(a), gx_strides(a), a->offset, &view);
    gx_free(s->rt, fields);
    gx_free(s->rt, used);
    return ok ? gx_np_own(s, view) : NULL;
}

/* Records are moved, not made anew of their ranks: equal ones may differ (0.0 and -0.0). */
static gx_array *taken_along(gx_np *s, gx_array *a, gx_array *places, int axis) {
    gx_value argv[3] = {gx_np_value(a), gx_np_value(places), gx_int(axis)};
    return places ? gx_np_call_values(s, "take_along_axis", 3, argv) : NULL;
}

/* For descending=True: the elements, or sorted ones, in the opposite order; nan stays nan. */
static gx_array *opposite(gx_np *s, gx_call *c, gx_array *a) {
    enum { DESCENDING = 5 };
    bool yes = false;
    if (!a || !gx_arg_some(c, DESCENDING)) return a;
    if (!gx_arg_bool(c, DESCENDING, &yes)) return NULL;
    if (!yes) return a;
    return gx_np_op1(s, gx_np_is_float(a->dtype) ? GX_OP_negative : GX_OP_invert, a);
}

static bool sort_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int axis;
    if (!kind_args(c, 2)) return gx_np_end(&s, false);
    gx_array *given = sort_operand(&s, c, 1, &axis), *values = NULL, *whole = given;
    given = in_order(&s, c, 3, given);
    if (!given || !gx_np_ranked(&s, 1, &given, &values)) return gx_np_end(&s, false);
    if (values && gx_is_void(whole->dtype)) {
        gx_array *places = gx_np_argsort(&s, opposite(&s, c, given), axis);
        return gx_np_give_array(&s, taken_along(&s, whole, places, axis), out);
    }
    gx_array *r = opposite(&s, c, gx_np_sorted(&s, opposite(&s, c, given), axis));
    if (values) return gx_np_give_array(&s, r ? gx_np_take(&s, values, r, 0) : NULL, out);
    return gx_np_give_array(&s, r ? gx_np_laid_as(&s, r, given) : NULL, out);
}

static bool argsort_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int axis = 0;
    if (!kind_args(c, 2)) return gx_np_end(&s, false);
    gx_array *given = in_order(&s, c, 3, argsort_operand(&s, c, 1, &axis)), *values;
    if (!given || !gx_np_ranked(&s, 1, &given, &values)) return gx_np_end(&s, false);
    gx_array *r = gx_np_argsort(&s, opposite(&s, c, given), axis);
    return gx_np_give_array(&s, gx_np_settled(&s, gx_np_contiguous(&s, r)), out);
}

/* The ranks of partition's kth, checked; *one: the rank, or -1 when there are several. */
static bool ranks_arg(gx_np *s, gx_call *c, const gx_array *a, int axis, int64_t *one) {
    gx_array *k = gx_np_arr(s, c->argv[1]);
    if (!a || !k) return false;
    if (k->ndim > 1)
        return gx_fail(c->rt, GX_ValueError, "partition.dims",
                       "kth is a number or a list of numbers, not of %d dimensions", k->ndim);
    if (k->dtype == GX_bool)
        return gx_fail(c->rt, GX_ValueError, "partition.kth",
                       "Booleans unacceptable as partition index");
    if (gx_np_is_float(k->dtype))
        return gx_fail(c->rt, GX_TypeError, "partition.kth", "Partition index must be integer");
    k = gx_np_contiguous(s, gx_np_cast(s, k, GX_i64));
    const int64_t *rank = gx_np_data(s, k);
    if (!rank) return false;
    int64_t n = gx_shape(a)[axis];
    for (int64_t i = 0; i < k->count; i++)
        if ((rank[i] < -n || rank[i] >= n) && a->count)
            return gx_fail(c->rt, GX_ValueError, "partition.range",
                           "kth(=%lld) out of bounds (%lld)",
                           (long long)(rank[i] < 0 ? rank[i] + n : rank[i]), (long long)n);
    *one = k->count != 1 ? -1 : rank[0] < 0 ? rank[0] + n : rank[0];
    return true;
}

/* One rank is looked for; a full sort serves several. */
static gx_array *partitioned(gx_np *s, gx_call *c, gx_array *a, int axis) {
    int64_t rank;
    if (!ranks_arg(s, c, a, axis, &rank)) return NULL;
    return rank < 0 ? gx_np_sorted(s, a, axis) : gx_np_partitioned(s, a, axis, rank);
}

static bool partition_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int axis;
    gx_array *a = select_args(c, 3) ? sort_operand(&s, c, 2, &axis) : NULL, *values = NULL;
    a = in_order(&s, c, 4, a);
    gx_array *by = a;
    if (!a || !gx_np_ranked(&s, 1, &by, &values)) return gx_np_end(&s, false);
    if (values) { /* which are equal does not show, but in records */
        int64_t rank;
        gx_array *at = ranks_arg(&s, c, by, axis, &rank) ? gx_np_argsort(&s, by, axis) : NULL;
        return gx_np_give_array(&s, taken_along(&s, a, at, axis), out);
    }
    gx_array *r = partitioned(&s, c, a, axis);
    return gx_np_give_array(&s, r ? gx_np_laid_as(&s, r, a) : NULL, out);
}

static bool argpartition_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int axis;
    int64_t rank;
    gx_array *a = select_args(c, 3) ? argsort_operand(&s, c, 2, &axis) : NULL, *values;
    a = in_order(&s, c, 4, a);
    if (!a || !gx_np_ranked(&s, 1, &a, &values) || !ranks_arg(&s, c, a, axis, &rank))
        return gx_np_end(&s, false);
    gx_array *r = rank < 0 ? gx_np_argsort(&s, a, axis) : gx_np_argpartitioned(&s, a, axis, rank);
    return gx_np_give_array(&s, gx_np_settled(&s, gx_np_contiguous(&s, r)), out);
}

static bool sort_in_place(gx_call *c, int axis_arg, bool part, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int axis;
    if (!gx_is_array(c->argv[0])) return gx_np_end(&s, gx_arg_wrong(c, 0, "an array"));
    if (gx_arg_given(c, axis_arg) && c->argv[axis_arg].tag == GX_NONE)
        return gx_np_end(&s, gx_arg_wrong(c, axis_arg, "an integer"));
    gx_array *a = sort_operand(&s, c, axis_arg, &axis), *r = NULL, *values;
    gx_array *by = in_order(&s, c, part ? 4 : 3, a);
    if (!by || !gx_np_ranked(&s, 1, &by, &values)) return gx_np_end(&s, false);
    if (values && gx_is_void(a->dtype)) {
        r = taken_along(&s, a, gx_np_argsort(&s, opposite(&s, c, by), axis), axis);
        values = NULL;
    } else
        r = part ? partitioned(&s, c, by, axis)
                 : opposite(&s, c, gx_np_sorted(&s, opposite(&s, c, by), axis));
    if (r && values) r = gx_np_take(&s, values, r, 0);
    *out = gx_none();
    return gx_np_end(&s, r && gx_work_end(c->rt) && gx_array_store(c->rt, a, r));
}

static bool sort_method(gx_call *c, gx_value *out) {
    if (!kind_args(c, 2)) return false;
    return sort_in_place(c, 1, false, out);
}
static bool partition_method(gx_call *c, gx_value *out) {
    return select_args(c, 3) && sort_in_place(c, 2, true, out);
}

/* The same of keys with more axes: each line along an axis by itself. */
static gx_array *lexsort_lines(gx_np *s, gx_call *c, int n, gx_array **keys) {
    gx_array *index = NULL;
    int axis;
    const int ndim = keys[0]->ndim ? keys[0]->ndim : 1;
    if (!gx_np_axis_arg(c, 1, ndim, ndim - 1, &axis)) return NULL;
    if (!keys[0]->ndim) return gx_np_i64(s, 0);
    for (int i = 0; i < n; i++) {
        gx_value argv[3] = {gx_np_value(keys[i]), gx_np_value(index), gx_int(axis)};
        gx_array *key = i ? gx_np_call_values(s, "take_along_axis", 3, argv) : keys[0];
        gx_array *o = gx_np_argsort(s, key, axis);
        if (!o) return NULL;
        argv[0] = argv[1];
        argv[1] = gx_np_value(o);
        index = i ? gx_np_call_values(s, "take_along_axis", 3, argv) : o;
        if (!index) return NULL;
    }
    return gx_np_contiguous(s, index);
}

static bool lexsort_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int n;
    int64_t number; /* what is no axis at all is reported first */
    gx_array **keys;
    if (gx_arg_some(c, 1) && !gx_arg_int(c, 1, &number)) return gx_np_end(&s, false);
    if (!gx_np_arrays(&s, c->argv[0], "lexsort", &n, &keys)) return gx_np_end(&s, false);
    if (n == 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "lexsort.keys",
                                     "need sequence of keys with len > 0 in lexsort"));
    for (int i = 1; i < n; i++)
        if (keys[i]->ndim != keys[0]->ndim ||
            memcmp(gx_shape(keys[i]), gx_shape(keys[0]), (size_t)keys[0]->ndim * 8) != 0)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "lexsort.shape",
                                         "all keys need to be the same shape"));
    for (int i = 0; i < n; i++) {
        gx_array *values;
        if (!gx_np_ranked(&s, 1, &keys[i], &values)) return gx_np_end(&s, false);
    }
    gx_array *index = NULL;
    if (keys[0]->ndim != 1) return gx_np_give(&s, lexsort_lines(&s, c, n, keys), out);
    int axis;
    if (!gx_np_axis_arg(c, 1, 1, 0, &axis)) return gx_np_end(&s, false);
    /* Each pass is stable: the last key, the most important one, comes last. */
    for (int i = 0; i < n; i++) {
        gx_array *o = gx_np_argsort(&s, i ? gx_np_take(&s, keys[i], index, 0) : keys[0], 0);
        index = i ? gx_np_take(&s, index, o, 0) : o;
        if (!index) return gx_np_end(&s, false);
    }
    return gx_np_give_array(&s, index, out);
}

/* NumPy's order of complex numbers: by the real part, then the imaginary; nan last. */
static bool complex_less(gx_c128 a, gx_c128 b) {
    if (a.re < b.re) return !isnan(a.im) || isnan(b.im);
    if (a.re > b.re) return isnan(b.im) && !isnan(a.im);
    if (a.re == b.re || (isnan(a.re) && isnan(b.re)))
        return a.im < b.im || (isnan(b.im) && !isnan(a.im));
    return isnan(b.re);
}

static gx_array *complex_search(gx_np *s, gx_array *a, gx_array *v, bool right) {
    a = gx_np_contiguous(s, gx_np_cast(s, a, GX_c128));
    v = gx_np_contiguous(s, gx_np_cast(s, v, GX_c128));
    const gx_c128 *from = gx_np_data(s, a), *what = gx_np_data(s, v);
    gx_array *r = from && what ? gx_np_empty(s, GX_i64, v->ndim, gx_shape(v)) : NULL;
    int64_t *to = gx_np_data_write(s, r);
    if (!to) return NULL;
    GX_LONG_LOOP(s->rt, i, 0, v->count) {
        int64_t low = 0, high = a->count;
        while (low < high) {
            const int64_t mid = low + (high - low) / 2;
            if (right ? !complex_less(what[i], from[mid]) : complex_less(from[mid], what[i]))
                low = mid + 1;
            else
                high = mid;
        }
        to[i] = low;
    }
    return r;
}

/* Is every place that the searches look at one of a's? Those that none looks at may be any. */
static bool sorter_fits(gx_np *s, gx_array *a, gx_array *v, bool right, gx_array *sorter) {
    const int64_t *at = gx_np_data(s, sorter), n = a->count;
    bool fits = at != NULL;
    for (int64_t i = 0; fits && i < n; i++) fits = at[i] >= 0 && at[i] < n;
    if (!at || fits) return at != NULL;
    gx_array *keys = gx_np_contiguous(s, gx_np_cast(s, gx_np_real(s, v), GX_f64));
    gx_array *values = gx_np_contiguous(s, gx_np_cast(s, gx_np_real(s, a), GX_f64));
    const double *key = gx_np_data(s, keys), *x = gx_np_data(s, values);
    if (!key || !x) return false;
    int64_t low = 0, high = n;
    GX_LONG_LOOP(s->rt, i, 0, keys->count) { /* a larger key begins where the last one ended */
        const bool up = i && (right ? key[i - 1] <= key[i] : key[i - 1] < key[i]);
        if (i && !up) high = high < n ? high + 1 : n;
        if (!up) low = 0;
        else high = n;
        while (low < high) {
            const int64_t mid = low + (high - low) / 2, k = at[mid];
            if (k < 0 || k >= n)
                return gx_fail(s->rt, GX_ValueError, "search.sorter",
                               "Sorter index out of range.");
            if (right ? x[k] <= key[i] : x[k] < key[i]) low = mid + 1;
            else high = mid;
        }
    }
    return gx_work_end(s->rt);
}

static bool searchsorted_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *v = gx_np_arr(&s, c->argv[1]);
    const char *side;
    size_t length;
    gx_array *both[2] = {a, v}, *values;
    if (!a || !v || !gx_np_ranked(&s, 2, both, &values) || !gx_arg_str(c, 2, &side, &length))
        return gx_np_end(&s, false);
    a = both[0];
    v = both[1];
    bool right = strcmp(side, "right") == 0;
    if (!right && strcmp(side, "left") != 0)
        return gx_np_end(&s,
                         gx_fail(c->rt, GX_ValueError, "search.side",
                                 "search side must be one of 'left' or 'right' (got '%s')", side));
    if (a->ndim != 1)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "search.dims",
                                     "object of too small depth for desired array"));
    if (gx_arg_some(c, 3)) {
        gx_array *sorter = gx_np_arr(&s, c->argv[3]);
        if (sorter && sorter->ndim == 0)
            return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "search.sorter",
                                         "could not parse sorter argument: a row of integers is "
                                         "needed"));
        if (sorter && gx_np_is_float(sorter->dtype))
            return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "search.sorter",
                                         "sorter must only contain integers"));
        if (sorter && sorter->count != a->count)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "search.sorter",
                                         "sorter.size must equal keys.size"));
        sorter = gx_np_contiguous(&s, gx_np_cast(&s, sorter, GX_i64));
        if (!sorter || !sorter_fits(&s, a, v, right, sorter)) return gx_np_end(&s, false);
        sorter = gx_np_op3(&s, GX_OP_clip, sorter, gx_np_i64(&s, 0), gx_np_i64(&s, a->count - 1));
        a = a->count ? gx_np_take(&s, a, sorter, 0) : a;
    }
    if (a && (gx_dtype_kind(a->dtype) == GX_KIND_CPLX || gx_dtype_kind(v->dtype) == GX_KIND_CPLX))
        return gx_np_give(&s, complex_search(&s, a, v, right), out);
    return gx_np_give(&s, gx_np_search(&s, a, v, right), out);
}

static bool digitize_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *x = gx_np_arr(&s, c->argv[0]), *bins = gx_np_arr(&s, c->argv[1]);
    bool right;
    if (!x || !bins || !gx_arg_bool(c, 2, &right)) return gx_np_end(&s, false);
    if (gx_dtype_kind(x->dtype) == GX_KIND_CPLX)
        return gx_np_end(
            &s, gx_fail(c->rt, GX_TypeError, "digitize.complex", "x may not be complex"));
    if (bins->ndim != 1)
        return gx_np_end(
            &s, gx_fail(c->rt, GX_ValueError, "digitize.dims", "bins must be one-dimensional"));
    if (!gx_can_cast((gx_dtype)bins->dtype, GX_f64, GX_CAST_SAFE))
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "digitize.order",
                                     "bins are ordered as real numbers, not of this dtype"));
    gx_array *b = gx_np_contiguous(&s, gx_np_cast(&s, bins, GX_f64));
    gx_array *both[2] = {bins, x}, *values;
    const double *edge = gx_np_data(&s, b);
    if (!edge) return gx_np_end(&s, false);
    int64_t first = 1; /* the first two different ones say which way; nan is after all numbers */
    while (first < b->count && edge[first] == edge[first - 1]) first++;
    const bool up = first >= b->count || edge[first - 1] < edge[first];
    bool ordered = true;
    GX_LONG_LOOP(c->rt, i, first + 1, b->count)
        ordered = ordered && !(up ? edge[i - 1] > edge[i] : edge[i - 1] < edge[i]);
    if (!ordered)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "digitize.order",
                                     "bins must be monotonically increasing or decreasing"));
    if (!gx_np_ranked(&s, 2, both, &values)) return gx_np_end(&s, false);
    bins = both[0]; /* texts are compared as texts */
    x = both[1];
    if (up) return gx_np_give(&s, gx_np_search(&s, bins, x, !right), out);
    gx_array *flipped = gx_np_slice(&s, bins, 0, b->count - 1, -1, b->count);
    gx_array *i = gx_np_search(&s, flipped, x, !right);
    return gx_np_give(&s, gx_np_op2(&s, GX_OP_subtract, gx_np_i64(&s, b->count), i), out);
}

const gx_native gx_np_sort_functions[] = {
    {"sort", "sort(a, axis=-1, kind=None, order=None, *, stable=None, descending=None)",
     "A copy sorted along an axis; nan comes last.", "sort([3, 1, 2])  # [1 2 3]", sort_fn, 0, 0},
    {"argsort", "argsort(a, axis=-1, kind=None, order=None, *, stable=None, descending=None)",
     "The indices that sort an array along an axis, as int64; nan comes last.",
     "argsort([30, 10, 20])  # [1 2 0]", argsort_fn, GX_NATIVE_METHOD, 0},
    {"partition", "partition(a, kth, axis=-1, kind='introselect', order=None)",
     "A copy with the kth element in its sorted position: none larger before it, none smaller "
     "after.",
     "partition([3, 1, 2], 1)  # [1 2 3]", partition_fn, 0, 0},
    {"argpartition", "argpartition(a, kth, axis=-1, kind='introselect', order=None)",
     "The indices along an axis that partition would arrange the elements by, as int64.",
     "argpartition([30, 10, 20], 1)  # [1 2 0]", argpartition_fn, GX_NATIVE_METHOD, 0},
    {"lexsort", "lexsort(keys, axis=-1)",
     "The indices that sort by several keys, the last key being the primary one, as int64.",
     "lexsort(([1, 0, 2], [5, 5, 4]))  # [2 1 0]", lexsort_fn, 0, 0},
    {"searchsorted", "searchsorted(a, v, side='left', sorter=None)",
     "Indices at which to insert v into the sorted 1-d a to keep it sorted; side says where equal "
     "ones go.",
     "searchsorted([1, 2, 3], 2.5)  # 2", searchsorted_fn, GX_NATIVE_METHOD, 0},
    {"digitize", "digitize(x, bins, right=False)",
     "Index of the bin that each value falls into: i for bins[i-1] <= x < bins[i]; right=True "
     "swaps < and <=.",
     "digitize([0.5, 1.5], [0, 1, 2])  # [1 2]", digitize_fn, 0, 0},
    {.name = NULL},
};

const gx_native gx_np_sort_methods[] = {
    {"sort", "sort(self, axis=-1, kind=None, order=None, *, stable=None, descending=None)",
     "Sorts in place.", NULL, sort_method, 0, 0},
    {"partition", "partition(self, kth, axis=-1, kind='introselect', order=None)",
     "Partitions in place: the kth element gets its sorted position, none larger before it.", NULL,
     partition_method, 0, 0},
    {.name = NULL},
};
