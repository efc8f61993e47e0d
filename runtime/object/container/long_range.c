/* Ranges of ints beyond int64: four ints of any size. A range whose numbers and count fit is one of
   range.c's; both are `range` to a script. */
#include "runtime/object/container/long_range.h"

#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/heap.h"
#include "runtime/object/native.h"
#include "runtime/object/number/number.h"

typedef struct long_range {
    gx_obj obj;
    gx_value start, stop, step, count; /* owned */
} long_range;

static const gx_type type_long_range, type_iterator;

static long_range *as_long(gx_borrowed v) {
    return (long_range *)v.obj;
}
static bool is_long(gx_borrowed v) {
    return v.tag == GX_OBJECT && v.obj->type == &type_long_range;
}

/* Arithmetic whose results are dropped together. */
typedef struct sums {
    gx_rt *rt;
    gx_value made[24];
    int n;
    bool ok;
} sums;

static gx_value sum(sums *s, gx_binop op, gx_borrowed a, gx_borrowed b) {
    gx_value *r = &s->made[s->n];
    s->ok = s->ok && gx_int_binary(s->rt, op, a, b, r);
    if (!s->ok) return gx_int(0);
    s->n++;
    return *r;
}

static bool done(sums *s) {
    while (s->n > 0) gx_drop(s->made[--s->n]);
    return s->ok;
}

static int sign(gx_borrowed v) {
    return gx_int_compare(v, gx_int(0));
}

/* start + i * step */
static gx_value element(sums *s, gx_borrowed start, gx_borrowed step, gx_borrowed i) {
    return sum(s, GX_ADD, start, sum(s, GX_MUL, i, step));
}
static gx_value item(sums *s, const long_range *r, gx_borrowed i) {
    return element(s, r->start, r->step, i);
}

bool gx_range_of_ints(gx_rt *rt, gx_borrowed start, gx_borrowed stop, gx_borrowed step,
                      gx_value *out) {
    if (start.tag == GX_INT && stop.tag == GX_INT && step.tag == GX_INT)
        return gx_range_new(rt, start.i, stop.i, step.i, out);
    return gx_long_range_new(rt, start, stop, step, out);
}

bool gx_long_range_new(gx_rt *rt, gx_borrowed start, gx_borrowed stop, gx_borrowed step,
                       gx_value *out) {
    sums s = {.rt = rt, .ok = true};
    const int way = sign(step);
    if (way == 0) return gx_fail(rt, GX_ValueError, "range.step", "range() arg 3 must not be zero");
    gx_value span = sum(&s, GX_SUB, way > 0 ? stop : start, way > 0 ? start : stop);
    gx_value by = way > 0 ? step : sum(&s, GX_SUB, gx_int(0), step);
    gx_value count = gx_int(0);
    if (sign(span) > 0) { /* 1 + (span - 1) // by */
        count = sum(&s, GX_FLOORDIV, sum(&s, GX_SUB, span, gx_int(1)), by);
        count = sum(&s, GX_ADD, count, gx_int(1));
    }
    long_range *r = s.ok ? gx_obj_raw(rt, &type_long_range, sizeof *r) : NULL;
    if (r) {
        r->start = gx_keep(start);
        r->stop = gx_keep(stop);
        r->step = gx_keep(step);
        r->count = gx_keep(count);
        *out = gx_object(&r->obj);
    }
    return done(&s) && r;
}

static void range_free(gx_rt *rt, gx_obj *obj) {
    long_range *r = (long_range *)obj;
    gx_drop(r->start);
    gx_drop(r->stop);
    gx_drop(r->step);
    gx_drop(r->count);
    gx_obj_release(rt, obj);
}

static bool range_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const long_range *r = as_long(v);
    return gx_buf_puts(out, "range(") && gx_int_text(rt, r->start, 10, out) &&
           gx_buf_puts(out, ", ") && gx_int_text(rt, r->stop, 10, out) &&
           (gx_int_compare(r->step, gx_int(1)) == 0 ||
            (gx_buf_puts(out, ", ") && gx_int_text(rt, r->step, 10, out))) &&
           gx_buf_char(out, ')');
}

static bool range_length(gx_rt *rt, gx_borrowed v, int64_t *out) {
    gx_value n = as_long(v)->count;
    *out = n.tag == GX_INT ? n.i : 0;
    return n.tag == GX_INT || gx_fail(rt, GX_OverflowError, "range.length",
                                      "Python int too large to convert to C ssize_t");
}

static bool range_truth(gx_rt *rt, gx_borrowed v, bool *out) {
    (void)rt;
    *out = sign(as_long(v)->count) > 0;
    return true;
}

/* A bound of a slice: what is left out, or an int from the end where it is below 0, within
   [low, high]. */
static gx_value bound(sums *s, gx_borrowed v, gx_borrowed count, gx_borrowed low, gx_borrowed high,
                      gx_borrowed left_out) {
    if (v.tag == GX_NONE) return left_out;
    if (sign(v) < 0) v = sum(s, GX_ADD, v, count);
    return gx_int_compare(v, low) < 0 ? low : gx_int_compare(v, high) > 0 ? high : v;
}

/* A part of a slice as an integer of any size, or None. */
static bool slice_part(gx_rt *rt, gx_borrowed v, gx_value *out) {
    *out = gx_none();
    if (v.tag == GX_NONE) return true;
    gx_try is = gx_as_integer(rt, v, out);
    if (is == GX_TRY_YES) return true;
    *out = gx_none();
    return is == GX_TRY_NO && gx_slice_refused(rt);
}

bool gx_range_slice(gx_rt *rt, gx_borrowed start, gx_borrowed step, gx_borrowed count,
                    gx_borrowed key, gx_value *out) {
    const gx_slice *k = (const gx_slice *)(const void *)key.obj;
    gx_value by, first = gx_none(), last = gx_none();
    if (!slice_part(rt, k->step, &by)) return false;
    if (by.tag == GX_NONE) by = gx_int(1);
    sums s = {.rt = rt, .ok = true};
    bool ok =
        sign(by) != 0 || gx_fail(rt, GX_ValueError, "slice.step", "slice step cannot be zero");
    ok = ok && slice_part(rt, k->start, &first) && slice_part(rt, k->stop, &last);
    if (ok) {
        const bool back = sign(by) < 0;
        const gx_value low = gx_int(back ? -1 : 0);
        const gx_value high = back ? sum(&s, GX_SUB, count, gx_int(1)) : count;
        gx_value from = bound(&s, first, count, low, high, back ? high : low);
        gx_value to = bound(&s, last, count, low, high, back ? low : high);
        from = element(&s, start, step, from);
        to = element(&s, start, step, to);
        ok = s.ok && gx_range_of_ints(rt, from, to, sum(&s, GX_MUL, step, by), out);
    }
    gx_drop(by);
    gx_drop(first);
    gx_drop(last);
    return done(&s) && ok;
}

static bool range_get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    const long_range *r = as_long(v);
    gx_value i;
    if (key.tag == GX_SLICE) return gx_range_slice(rt, r->start, r->step, r->count, key, out);
    gx_try is = gx_as_integer(rt, key, &i);
    if (is == GX_TRY_ERROR) return false;
    if (is == GX_TRY_NO)
        return gx_fail(rt, GX_TypeError, "index.type",
                       "range indices must be integers or slices, not %s", gx_type_name(key));
    sums s = {.rt = rt, .ok = true};
    gx_value at = sign(i) < 0 ? sum(&s, GX_ADD, i, r->count) : i;
    bool ok = s.ok;
    if (ok && (sign(at) < 0 || gx_int_compare(at, r->count) >= 0))
        ok = gx_fail(rt, GX_IndexError, "index.range", "range object index out of range");
    if (ok) *out = gx_keep(item(&s, r, at));
    gx_drop(i);
    return done(&s) && ok;
}

/* The position of x, owned, or UNDEF. */
static bool find(gx_rt *rt, const long_range *r, gx_borrowed x, gx_value *out) {
    gx_value whole = gx_undef();
    *out = gx_undef();
    x = gx_plain_number(x);
    if (x.tag == GX_COMPLEX) {
        const gx_complex *z = (const gx_complex *)(const void *)x.obj;
        if (z->im != 0) return true;
        x = gx_float(z->re);
    }
    if (x.tag == GX_FLOAT) {
        if (!(x.f - x.f == 0) || __builtin_floor(x.f) != x.f) return true;
        if (!gx_int_from_double(rt, x.f, &whole)) return false;
    } else if (x.tag == GX_STR || x.tag == GX_NONE || x.tag == GX_ARRAY) {
        return true;
    } else {
        gx_try is = gx_as_integer(rt, x, &whole);
        if (is != GX_TRY_YES) return is == GX_TRY_NO;
    }
    sums s = {.rt = rt, .ok = true};
    gx_value distance = sum(&s, GX_SUB, whole, r->start);
    gx_value at = sum(&s, GX_FLOORDIV, distance, r->step);
    bool inside = s.ok && sign(sum(&s, GX_MOD, distance, r->step)) == 0 && sign(at) >= 0 &&
                  gx_int_compare(at, r->count) < 0;
    if (inside && s.ok) *out = gx_keep(at);
    gx_drop(whole);
    return done(&s);
}

static bool range_contains(gx_rt *rt, gx_borrowed v, gx_borrowed x, bool *out) {
    gx_value at;
    if (!find(rt, as_long(v), x, &at)) return false;
    *out = at.tag != GX_UNDEF;
    gx_drop(at);
    return true;
}

/* start, step and count of either kind of range, borrowed. */
static bool parts_of(gx_borrowed v, gx_value parts[3]) {
    if (v.tag == GX_RANGE) {
        const gx_range *r = (const gx_range *)(const void *)v.obj;
        parts[0] = gx_int(r->start), parts[1] = gx_int(r->step), parts[2] = gx_int(r->count);
        return true;
    }
    if (!is_long(v)) return false;
    parts[0] = as_long(v)->start, parts[1] = as_long(v)->step, parts[2] = as_long(v)->count;
    return true;
}

static gx_try range_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_value x[3], y[3];
    (void)rt;
    if ((op != GX_EQ && op != GX_NE) || !parts_of(a, x) || !parts_of(b, y)) return GX_TRY_NO;
    bool same = gx_int_compare(x[2], y[2]) == 0;
    if (same && sign(x[2]) > 0) same = gx_int_compare(x[0], y[0]) == 0;
    if (same && gx_int_compare(x[2], gx_int(1)) > 0) same = gx_int_compare(x[1], y[1]) == 0;
    *out = gx_bool(same == (op == GX_EQ));
    return GX_TRY_YES;
}

static bool range_hash(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    const long_range *r = as_long(v);
    gx_value parts, items[] = {r->count, sign(r->count) > 0 ? r->start : gx_none(),
                               gx_int_compare(r->count, gx_int(1)) > 0 ? r->step : gx_none()};
    if (!gx_tuple_new(rt, 3, items, &parts)) return false;
    bool ok = gx_hash(rt, parts, out);
    gx_drop(parts);
    return ok;
}

/* --- its iterator ----------------------------------------------------------------------------- */

typedef struct iterator {
    gx_obj obj;
    gx_value at, step, left; /* owned */
} iterator;

static bool iterate(gx_rt *rt, gx_borrowed start, gx_borrowed step, gx_borrowed count,
                    gx_value *out) {
    iterator *it = gx_obj_raw(rt, &type_iterator, sizeof *it);
    if (!it) return false;
    it->at = gx_keep(start);
    it->step = gx_keep(step);
    it->left = gx_keep(count);
    *out = gx_object(&it->obj);
    return true;
}

static bool range_iter(gx_rt *rt, gx_borrowed v, gx_value *out) {
    const long_range *r = as_long(v);
    return iterate(rt, r->start, r->step, r->count, out);
}

static void iterator_free(gx_rt *rt, gx_obj *obj) {
    iterator *it = (iterator *)obj;
    gx_drop(it->at);
    gx_drop(it->step);
    gx_drop(it->left);
    gx_obj_release(rt, obj);
}

static bool iterator_self(gx_rt *rt, gx_borrowed v, gx_value *out) {
    (void)rt;
    *out = gx_keep(v);
    return true;
}

static bool iterator_next(gx_rt *rt, gx_borrowed v, gx_value *out, bool *more) {
    iterator *it = (iterator *)v.obj;
    gx_value next, left;
    *more = sign(it->left) > 0;
    if (!*more) return true;
    if (!gx_int_binary(rt, GX_SUB, it->left, gx_int(1), &left)) return false;
    if (!gx_int_binary(rt, GX_ADD, it->at, it->step, &next)) {
        gx_drop(left);
        return false;
    }
    *out = it->at;
    it->at = next;
    gx_drop(it->left);
    it->left = left;
    return true;
}

static const gx_type type_iterator = {
    .name = "longrange_iterator",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .free = iterator_free,
    .iter = iterator_self,
    .next = iterator_next,
};

/* --- as a script sees it ---------------------------------------------------------------------- */

static bool get_start(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(as_long(self)->start);
    return true;
}
static bool get_stop(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(as_long(self)->stop);
    return true;
}
static bool get_step(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(as_long(self)->step);
    return true;
}

static const gx_member members[] = {
    {"start", get_start, NULL, "The first value."},
    {"stop", get_stop, NULL, "The value before which the range ends."},
    {"step", get_step, NULL, "The distance."},
    {0},
};

static bool index_of(gx_call *c, gx_value *out) {
    if (!find(c->rt, as_long(c->argv[0]), c->argv[1], out)) return false;
    if (out->tag != GX_UNDEF) return true;
    gx_buf b = gx_buf_new(c->rt);
    if (gx_repr(c->rt, c->argv[1], &b))
        gx_fail(c->rt, GX_ValueError, "range.missing", "%s is not in range", gx_buf_text(&b));
    gx_buf_free(&b);
    return false;
}

static bool count_of(gx_call *c, gx_value *out) {
    bool has;
    if (!range_contains(c->rt, c->argv[0], c->argv[1], &has)) return false;
    *out = gx_int(has);
    return true;
}

static bool reversed(gx_call *c, gx_value *out) {
    const long_range *r = as_long(c->argv[0]);
    sums s = {.rt = c->rt, .ok = true};
    gx_value last = item(&s, r, sum(&s, GX_SUB, r->count, gx_int(1)));
    gx_value back = sum(&s, GX_SUB, gx_int(0), r->step);
    bool ok = s.ok && iterate(c->rt, last, back, r->count, out);
    return done(&s) && ok;
}

static const gx_native methods[] = {
    {"index", "index(self, value, /)", "The position of a value.", NULL, index_of, 0, 0},
    {"count", "count(self, value, /)", "1 when the value is in the range, else 0.", NULL, count_of,
     0, 0},
    {"__reversed__", "__reversed__(self, /)", "An iterator from the end.", NULL, reversed, 0, 0},
    {0},
};

static const gx_type *shown(gx_borrowed v) {
    (void)v;
    return &gx_type_range;
}

static const gx_type type_long_range = {
    .name = "range",
    .base = &gx_type_range,
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .doc = "Ints at equal distances.",
    .free = range_free,
    .shown = shown,
    .repr = range_repr,
    .truth = range_truth,
    .compare = range_compare,
    .hash = range_hash,
    .length = range_length,
    .get = range_get,
    .contains = range_contains,
    .iter = range_iter,
    .methods = methods,
    .members = members,
};
