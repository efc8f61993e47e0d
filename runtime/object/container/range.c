/* Ranges: three numbers and a count. Invariant: count is exact, so that every position is found by
   arithmetic and a range of any length is made at once. */
#include <string.h>

#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/container/long_range.h"
#include "runtime/object/heap.h"
#include "runtime/object/iter.h"
#include "runtime/object/native.h"
#include "runtime/object/number/int_ops.h"

static gx_range *as_range(gx_borrowed v) {
    return (gx_range *)v.obj;
}

static bool make(gx_rt *rt, int64_t start, int64_t stop, int64_t step, int64_t count,
                 gx_value *out) {
    gx_range *r = gx_obj_raw(rt, gx_core_types[GX_RANGE], sizeof *r);
    if (!r) return false;
    r->start = start;
    r->stop = stop;
    r->step = step;
    r->count = count;
    *out = gx_object(&r->obj);
    return true;
}

bool gx_range_new(gx_rt *rt, int64_t start, int64_t stop, int64_t step, gx_value *out) {
    if (step == 0)
        return gx_fail(rt, GX_ValueError, "range.step", "range() arg 3 must not be zero");
    uint64_t n = 0;
    if (step > 0 && start < stop)
        n = ((uint64_t)stop - (uint64_t)start - 1) / (uint64_t)step + 1;
    else if (step < 0 && start > stop)
        n = ((uint64_t)start - (uint64_t)stop - 1) / (0 - (uint64_t)step) + 1;
    if (n > INT64_MAX)
        return gx_long_range_new(rt, gx_int(start), gx_int(stop), gx_int(step), out);
    return make(rt, start, stop, step, (int64_t)n, out);
}

/* An item in range never overflows: it lies between start and stop. */
static int64_t item(const gx_range *r, int64_t i) {
    return (int64_t)((uint64_t)r->start + (uint64_t)i * (uint64_t)r->step);
}

static bool range_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    gx_range *r = as_range(v);
    if (!gx_buf_printf(out, "range(%lld, %lld", (long long)r->start, (long long)r->stop))
        return false;
    return r->step == 1 ? gx_buf_char(out, ')') : gx_buf_printf(out, ", %lld)", (long long)r->step);
}

static bool range_length(gx_rt *rt, gx_borrowed v, int64_t *out) {
    (void)rt;
    *out = as_range(v)->count;
    return true;
}

static bool range_get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    const gx_range *r = as_range(v);
    int64_t i;
    if (key.tag == GX_SLICE)
        return gx_range_slice(rt, gx_int(r->start), gx_int(r->step), gx_int(r->count), key, out);
    if (gx_plain_number(key).tag == GX_BIGINT)
        return gx_fail(rt, GX_IndexError, "index.range", "range object index out of range");
    if (!gx_sequence_index(rt, key, r->count, "range object index", "range", &i)) return false;
    *out = gx_int(item(r, i));
    return true;
}

/* The position of an int, or -1. */
static int64_t find(const gx_range *r, int64_t x) {
    bool inside = r->step > 0 ? x >= r->start && x < r->stop : x <= r->start && x > r->stop;
    if (!inside || r->count == 0) return -1;
    uint64_t distance =
        r->step > 0 ? (uint64_t)x - (uint64_t)r->start : (uint64_t)r->start - (uint64_t)x;
    uint64_t by = r->step > 0 ? (uint64_t)r->step : 0 - (uint64_t)r->step;
    return distance % by ? -1 : (int64_t)(distance / by);
}

static bool locate(gx_rt *rt, gx_borrowed v, gx_borrowed x, int64_t *out) {
    *out = -1;
    x = gx_plain_number(x);
    if (x.tag == GX_INT || x.tag == GX_BOOL) {
        *out = find(as_range(v), gx_small_int(x));
        return true;
    }
    if (x.tag == GX_COMPLEX) {
        gx_complex *z = (gx_complex *)x.obj;
        return z->im != 0 || locate(rt, v, gx_float(z->re), out);
    }
    if (x.tag == GX_FLOAT) {
        if (x.f >= -9.2e18 && x.f <= 9.2e18 && (double)(int64_t)x.f == x.f)
            *out = find(as_range(v), (int64_t)x.f);
        return true;
    }
    if (x.tag == GX_STR || x.tag == GX_NONE || x.tag == GX_BIGINT || x.tag == GX_ARRAY) return true;
    int64_t i;
    gx_try r = gx_as_index(rt, x, &i);
    if (r == GX_TRY_YES) *out = find(as_range(v), i);
    return r != GX_TRY_ERROR;
}

static bool range_contains(gx_rt *rt, gx_borrowed v, gx_borrowed x, bool *out) {
    int64_t i;
    if (!locate(rt, v, x, &i)) return false;
    *out = i >= 0;
    return true;
}

static bool equal(const gx_range *a, const gx_range *b) {
    if (a->count != b->count) return false;
    return a->count == 0 || (a->start == b->start && (a->count == 1 || a->step == b->step));
}

static gx_try range_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    (void)rt;
    if (a.tag != GX_RANGE || b.tag != GX_RANGE || (op != GX_EQ && op != GX_NE)) return GX_TRY_NO;
    *out = gx_bool(equal(as_range(a), as_range(b)) == (op == GX_EQ));
    return GX_TRY_YES;
}

static bool range_hash(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    gx_range *r = as_range(v);
    gx_value parts, items[] = {gx_int(r->count), r->count > 0 ? gx_int(r->start) : gx_none(),
                               r->count > 1 ? gx_int(r->step) : gx_none()};
    if (!gx_tuple_new(rt, 3, items, &parts)) return false;
    bool ok = gx_hash(rt, parts, out);
    gx_drop(parts);
    return ok;
}

static bool get_start(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(as_range(self)->start);
    return true;
}
static bool get_stop(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(as_range(self)->stop);
    return true;
}
static bool get_step(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(as_range(self)->step);
    return true;
}

static const gx_member members[] = {
    {"start", get_start, NULL, "The first value."},
    {"stop", get_stop, NULL, "The value before which the range ends."},
    {"step", get_step, NULL, "The distance."},
    {0},
};

static bool index_of(gx_call *c, gx_value *out) {
    int64_t i;
    if (!locate(c->rt, c->argv[0], c->argv[1], &i)) return false;
    if (i < 0) {
        gx_buf b = gx_buf_new(c->rt);
        if (gx_repr(c->rt, c->argv[1], &b))
            gx_fail(c->rt, GX_ValueError, "range.missing", "%s is not in range", gx_buf_text(&b));
        gx_buf_free(&b);
        return false;
    }
    *out = gx_int(i);
    return true;
}

static bool count_of(gx_call *c, gx_value *out) {
    int64_t i;
    if (!locate(c->rt, c->argv[0], c->argv[1], &i)) return false;
    *out = gx_int(i >= 0);
    return true;
}

static bool reversed(gx_call *c, gx_value *out) {
    return gx_seq_reversed(c->rt, c->argv[0], out);
}

static const gx_native methods[] = {
    {"index", "index(self, value, /)", "The position of a value.", "range(2, 9, 2).index(4)  # 1",
     index_of, 0, 0},
    {"count", "count(self, value, /)", "1 when the value is in the range, else 0.", NULL, count_of,
     0, 0},
    {"__reversed__", "__reversed__(self, /)", "An iterator from the end.", NULL, reversed, 0, 0},
    {0},
};

/* An argument of range(), owned: an int of any size. */
static bool argument(gx_call *c, int i, gx_value *out) {
    gx_try r = gx_as_integer(c->rt, c->argv[i], out);
    if (r == GX_TRY_NO) {
        gx_fail(c->rt, GX_TypeError, "range.type",
                "'%s' object cannot be interpreted as an integer", gx_type_name(c->argv[i]));
        if (c->argv[i].tag == GX_FLOAT)
            gx_help(c->rt, "write range(int(x)), or arange(...) for floats");
    }
    return r == GX_TRY_YES;
}

static bool construct(gx_call *c, gx_value *out) {
    gx_value start = gx_int(0), stop = gx_int(0), step = gx_int(1);
    bool ok = gx_arg_given(c, 1) ? argument(c, 0, &start) && argument(c, 1, &stop) &&
                                       (!gx_arg_given(c, 2) || argument(c, 2, &step))
                                 : argument(c, 0, &stop);
    ok = ok && gx_range_of_ints(c->rt, start, stop, step, out);
    gx_drop(start);
    gx_drop(stop);
    gx_drop(step);
    return ok;
}

static const gx_native range_construct = {
    "range", "range(start, stop=<no value>, step=<no value>, /)",
    "The ints from start (0) to stop, stop excluded.", "list(range(1, 6, 2))  # [1, 3, 5]",
    construct, 0, 0,
};

const gx_type gx_type_range = {
    .name = "range", .tag = GX_RANGE, .dtype = GX_NO_DTYPE, .doc = "Ints at equal distances.",
    .repr = range_repr, .compare = range_compare, .hash = range_hash, .length = range_length,
    .get = range_get, .contains = range_contains, .iter = gx_seq_iter,
    .construct = &range_construct, .methods = methods, .members = members,
};
