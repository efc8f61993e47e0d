/* Slice objects, and the one rule that turns a slice and a length into positions. */
#include <string.h>

#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/heap.h"
#include "runtime/object/iter.h"
#include "runtime/object/native.h"
#include "runtime/object/number/number.h"
#include "runtime/object/types.h"

static gx_slice *as_slice(gx_borrowed v) {
    return (gx_slice *)v.obj;
}

bool gx_slice_new(gx_rt *rt, gx_borrowed start, gx_borrowed stop, gx_borrowed step, gx_value *out) {
    gx_slice *s = gx_obj_new(rt, gx_core_types[GX_SLICE], sizeof *s);
    if (!s) return false;
    s->start = gx_keep(start);
    s->stop = gx_keep(stop);
    s->step = gx_keep(step);
    if (gx_is_object(start) || gx_is_object(stop) || gx_is_object(step))
        gx_container_track(rt, &s->head);
    *out = gx_object(&s->head.obj);
    return true;
}

bool gx_slice_refused(gx_rt *rt) {
    return gx_fail(rt, GX_TypeError, "slice.type",
                   "slice indices must be integers or None or have an __index__ method");
}

/* A bound of a slice; big integers count as the largest or smallest int. */
static bool bound(gx_rt *rt, gx_borrowed v, int64_t *out) {
    gx_try r = gx_as_bound(rt, v, out);
    return r == GX_TRY_NO ? gx_slice_refused(rt) : r == GX_TRY_YES;
}

static int64_t clamp(int64_t i, int64_t n, int64_t low, int64_t high) {
    if (i < 0) i = i < -n ? low : i + n;
    return i < low ? low : i > high ? high : i;
}

/* A bound as a value that nothing runs for. */
static bool plain_bound(gx_rt *rt, gx_borrowed v, gx_value *out) {
    int64_t i;
    if (!gx_lively(v)) {
        *out = gx_keep(v);
        return true;
    }
    if (!bound(rt, v, &i)) return false;
    *out = gx_int(i);
    return true;
}

bool gx_slice_plain(gx_rt *rt, gx_borrowed slice, gx_value *out) {
    gx_slice *s = as_slice(slice);
    gx_value part[3] = {gx_undef(), gx_undef(), gx_undef()};
    if (!gx_lively(s->start) && !gx_lively(s->stop) && !gx_lively(s->step)) {
        *out = gx_keep(slice);
        return true;
    }
    bool ok = plain_bound(rt, s->step, &part[2]) && plain_bound(rt, s->start, &part[0]) &&
              plain_bound(rt, s->stop, &part[1]) &&
              gx_slice_new(rt, part[0], part[1], part[2], out);
    for (int i = 0; i < 3; i++) gx_drop(part[i]);
    return ok;
}

bool gx_slice_bounds(gx_rt *rt, gx_borrowed slice, int64_t n, int64_t *start, int64_t *stop,
                     int64_t *step) {
    gx_slice *s = as_slice(slice);
    int64_t by = 1;
    if (s->step.tag != GX_NONE && !bound(rt, s->step, &by)) return false;
    if (by == 0) return gx_fail(rt, GX_ValueError, "slice.step", "slice step cannot be zero");
    if (by == INT64_MIN) by = -INT64_MAX;
    int64_t low = by < 0 ? -1 : 0, high = by < 0 ? n - 1 : n;
    int64_t from = by < 0 ? high : low, to = by < 0 ? low : high;
    if (s->start.tag != GX_NONE) {
        if (!bound(rt, s->start, &from)) return false;
        from = clamp(from, n, low, high);
    }
    if (s->stop.tag != GX_NONE) {
        if (!bound(rt, s->stop, &to)) return false;
        to = clamp(to, n, low, high);
    }
    *start = from;
    *stop = to;
    *step = by;
    return true;
}

bool gx_slice_indices(gx_rt *rt, gx_borrowed slice, int64_t n, int64_t *start, int64_t *step,
                      int64_t *count) {
    int64_t to;
    if (!gx_slice_bounds(rt, slice, n, start, &to, step)) return false;
    *count = 0;
    if (*step > 0 && *start < to) *count = (to - *start - 1) / *step + 1;
    if (*step < 0 && *start > to) *count = (*start - to - 1) / -*step + 1;
    return true;
}

static void slice_free(gx_rt *rt, gx_obj *o) {
    gx_slice *s = (gx_slice *)o;
    gx_container_untrack(rt, &s->head);
    gx_drop(s->start);
    gx_drop(s->stop);
    gx_drop(s->step);
    gx_obj_release(rt, o);
}

static void slice_traverse(gx_obj *o, gx_visit visit, void *ctx) {
    gx_slice *s = (gx_slice *)o;
    if (gx_is_object(s->start)) visit(s->start.obj, ctx);
    if (gx_is_object(s->stop)) visit(s->stop.obj, ctx);
    if (gx_is_object(s->step)) visit(s->step.obj, ctx);
}

static void slice_clear(gx_rt *rt, gx_obj *o) {
    (void)rt;
    gx_slice *s = (gx_slice *)o;
    gx_value parts[] = {s->start, s->stop, s->step};
    s->start = s->stop = s->step = gx_none();
    for (int i = 0; i < 3; i++) gx_drop(parts[i]);
}

static bool slice_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_slice *s = as_slice(v);
    return gx_buf_puts(out, "slice(") && gx_repr(rt, s->start, out) && gx_buf_puts(out, ", ") &&
           gx_repr(rt, s->stop, out) && gx_buf_puts(out, ", ") && gx_repr(rt, s->step, out) &&
           gx_buf_char(out, ')');
}

static gx_try slice_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    if (a.tag != GX_SLICE || b.tag != GX_SLICE) return GX_TRY_NO;
    gx_value x, y;
    if (!gx_tuple_new(rt, 3, &as_slice(a)->start, &x)) return GX_TRY_ERROR;
    gx_try r = GX_TRY_ERROR;
    if (gx_tuple_new(rt, 3, &as_slice(b)->start, &y)) {
        r = gx_items_compare(rt, op, x, y, out);
        gx_drop(y);
    }
    gx_drop(x);
    return r;
}

/* As the tuple of its parts, but another value. */
static bool slice_hash(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    gx_value parts;
    if (!gx_tuple_new(rt, 3, &as_slice(v)->start, &parts)) return false;
    bool ok = gx_hash(rt, parts, out);
    gx_drop(parts);
    *out = ok ? ~*out : 0;
    return ok;
}

static bool get_start(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(as_slice(self)->start);
    return true;
}
static bool get_stop(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(as_slice(self)->stop);
    return true;
}
static bool get_step(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(as_slice(self)->step);
    return true;
}

static const gx_member members[] = {
    {"start", get_start, NULL, "The first position, or None."},
    {"stop", get_stop, NULL, "The position behind the last, or None."},
    {"step", get_step, NULL, "The distance, or None."},
    {0},
};

static bool indices(gx_call *c, gx_value *out) {
    int64_t n, start, stop, step;
    if (!gx_arg_bound(c, 1, &n)) return false;
    if (n < 0)
        return gx_fail(c->rt, GX_ValueError, "slice.length", "length should not be negative");
    if (!gx_slice_bounds(c->rt, c->argv[0], n, &start, &stop, &step)) return false;
    return gx_tuple_ints(c->rt, 3, (int64_t[]){start, stop, step}, out);
}

static const gx_native methods[] = {
    {"indices", "indices(self, length, /)", "start, stop and step for a sequence of a length.",
     "slice(1, None).indices(4)  # (1, 4, 1)", indices, 0, 0},
    {0},
};

static bool construct(gx_call *c, gx_value *out) {
    gx_borrowed none = gx_none();
    if (!gx_arg_given(c, 1)) return gx_slice_new(c->rt, none, c->argv[0], none, out);
    return gx_slice_new(c->rt, c->argv[0], c->argv[1], gx_arg_given(c, 2) ? c->argv[2] : none, out);
}

static const gx_native slice_construct = {
    "slice",
    "slice(start, stop=<no value>, step=<no value>, /)",
    "What x[start:stop:step] passes.",
    "slice(1, 2)  # slice(1, 2, None)",
    construct,
    0,
    0,
};

const gx_type gx_type_slice = {
    .name = "slice",
    .tag = GX_SLICE,
    .dtype = GX_NO_DTYPE,
    .container = true,
    .doc = "The positions that x[start:stop:step] takes.",
    .free = slice_free,
    .traverse = slice_traverse,
    .clear = slice_clear,
    .repr = slice_repr,
    .hash = slice_hash,
    .compare = slice_compare,
    .construct = &slice_construct,
    .methods = methods,
    .members = members,
};
