/* Lists: storage, items and slices, operators. Methods are in list_methods.c, sorting in
   list_sort.c. Invariant: items[0 … count-1] are owned; a list is consistent whenever code of a
   script can run (dropping an item, comparing two). */
#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"

#include <string.h>

#include "runtime/device/work.h"
#include "runtime/object/container/list_int.h"
#include "runtime/object/heap.h"
#include "runtime/object/iter.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str.h"
#include "runtime/object/types.h"

enum { FIRST_ROOM = 4 };
static const int64_t largest = INT64_MAX / 64;

bool gx_list_reserve(gx_rt *rt, gx_list *l, int64_t room) {
    if (room <= l->room) return true;
    if (room > largest) return gx_no_memory(rt);
    gx_value *items = gx_realloc(rt, l->items, (size_t)room * sizeof *items);
    if (!items) return false;
    l->items = items;
    l->room = room;
    return true;
}

static bool grow(gx_rt *rt, gx_list *l) {
    int64_t room = l->room + (l->room >> 1);
    return gx_list_reserve(rt, l, room < FIRST_ROOM ? FIRST_ROOM : room);
}

bool gx_list_new(gx_rt *rt, int64_t n, const gx_borrowed *items, gx_value *out) {
    gx_list *l = gx_obj_new(rt, gx_core_types[GX_LIST], sizeof *l);
    if (!l) return false;
    if (n > 0) {
        if (!gx_list_reserve(rt, l, n)) {
            gx_obj_drop(&l->head.obj);
            return false;
        }
        GX_LONG_LOOP(rt, i, 0, n) {
            l->items[i] = gx_keep(items[i]);
            l->count = i + 1;
        }
        if (!gx_work_end(rt)) {
            gx_obj_drop(&l->head.obj);
            return false;
        }
    }
    gx_container_track(rt, &l->head);
    *out = gx_object(&l->head.obj);
    return true;
}

bool gx_list_push(gx_rt *rt, gx_borrowed list, gx_borrowed item) {
    gx_list *l = gx_as_list(list);
    if (GX_UNLIKELY(l->count == l->room) && !grow(rt, l)) return false;
    l->items[l->count++] = gx_keep(item);
    return true;
}

bool gx_list_push_take(gx_rt *rt, gx_borrowed list, gx_value item) {
    gx_list *l = gx_as_list(list);
    if (GX_UNLIKELY(l->count == l->room) && !grow(rt, l)) {
        gx_drop(item);
        return false;
    }
    l->items[l->count++] = item;
    return true;
}

void gx_list_empty(gx_rt *rt, gx_list *l) {
    gx_value *items = l->items;
    int64_t n = l->count;
    l->items = NULL;
    l->count = l->room = 0;
    for (int64_t i = 0; i < n; i++) gx_drop(items[i]);
    gx_free(rt, items);
}

int64_t gx_sequence_items(gx_borrowed v, const gx_value **items) {
    if (v.tag == GX_LIST) {
        *items = gx_as_list(v)->items;
        return gx_as_list(v)->count;
    }
    if (v.tag == GX_TUPLE) {
        *items = gx_as_tuple(v)->items;
        return gx_as_tuple(v)->count;
    }
    return -1;
}

bool gx_iterates_plainly(gx_borrowed v) {
    return !gx_is_instance(v) || !gx_type_of(v)->iter;
}

bool gx_length_heard(gx_rt *rt, gx_borrowed v) {
    int64_t n;
    gx_value said;
    if (!gx_is_instance(v)) return true;
    const gx_type *t = gx_type_of(v);
    while (t && !t->length) t = t->base;
    if (t) {
        if (gx_length(rt, v, &n)) return true;
        if (rt->error.kind != GX_TypeError) return false;
        gx_error_clear(rt);
    }
    gx_try has = gx_special(rt, v, "__length_hint__", 0, NULL, &said);
    if (has == GX_TRY_ERROR && rt->error.kind == GX_TypeError) {
        gx_error_clear(rt);
        return true;
    }
    if (has != GX_TRY_YES) return has == GX_TRY_NO;
    bool ok = true;
    gx_value plain = gx_plain_number(said), none;
    if (gx_not_implemented(rt, &none)) {
        if (gx_is(none, said)) plain = gx_int(0);
        gx_drop(none);
    }
    if (!gx_is_int(plain) && plain.tag != GX_BOOL)
        ok = gx_fail(rt, GX_TypeError, "class.type", "__length_hint__ must be an integer, not %s",
                     gx_type_name(said));
    else if (plain.tag == GX_INT && plain.i < 0)
        ok = gx_fail(rt, GX_ValueError, "class.length", "__length_hint__() should return >= 0");
    gx_drop(said);
    return ok;
}

bool gx_list_extend(gx_rt *rt, gx_borrowed list, gx_borrowed iterable) {
    gx_list *l = gx_as_list(list);
    const gx_value *items;
    int64_t n = gx_iterates_plainly(iterable) ? gx_sequence_items(iterable, &items) : -1;
    if (n >= 0) {
        if (iterable.obj != list.obj) {
            if (!gx_length_heard(rt, iterable)) return false;
            n = gx_sequence_items(iterable, &items);
        }
        if (l->count + n > l->room && !gx_list_reserve(rt, l, l->count + n + (l->count >> 1)))
            return false;
        gx_sequence_items(iterable, &items); /* it may be the list itself, which moved */
        GX_LONG_LOOP(rt, i, 0, n) l->items[l->count++] = gx_keep(items[i]);
        return gx_work_end(rt);
    }
    gx_value it, x;
    if (!gx_iter(rt, iterable, &it)) return false;
    bool ok = gx_length_heard(rt, iterable), more;
    if (ok && (n = gx_seq_left(rt, it)) > 0) { /* one too long for memory fails at once */
        if (n > largest - l->count)
            ok = gx_no_memory(rt);
        else if (l->count + n > l->room)
            ok = gx_list_reserve(rt, l, l->count + n + (l->count >> 1));
    }
    while (ok && (ok = gx_next(rt, it, &x, &more)) && more) ok = gx_list_push_take(rt, list, x);
    gx_drop(it);
    return ok;
}

bool gx_list_of(gx_rt *rt, gx_borrowed iterable, gx_value *out) {
    gx_value list;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    if (!gx_list_extend(rt, list, iterable)) {
        gx_drop(list);
        return false;
    }
    *out = list;
    return true;
}

bool gx_list_walked(gx_rt *rt, gx_borrowed iterable, gx_value *out) {
    gx_value it;
    if (!gx_is_instance(iterable)) return gx_list_of(rt, iterable, out);
    if (!gx_iter(rt, iterable, &it)) return false;
    bool ok = gx_list_of(rt, it, out);
    gx_drop(it);
    return ok;
}

/* --- splicing --------------------------------------------------------------------------------- */

/* What is found by comparing may be gone: the bounds are those of the list as it is now. */
bool gx_list_splice(gx_rt *rt, gx_list *l, int64_t start, int64_t count, int64_t n,
                    const gx_value *items) {
    gx_value *old = NULL;
    if (start > l->count) start = l->count;
    if (count > l->count - start) count = l->count - start;
    if (l->count - count + n > l->room &&
        !gx_list_reserve(rt, l, l->count - count + n + l->count / 2))
        return false;
    if (count > 0) {
        if (!(old = gx_alloc(rt, (size_t)count * sizeof *old))) return false;
        memcpy(old, l->items + start, (size_t)count * sizeof *old);
    }
    if (l->count > start + count) /* an empty list has no items to point at */
        memmove(l->items + start + n, l->items + start + count,
                (size_t)(l->count - start - count) * sizeof *old);
    for (int64_t i = 0; i < n; i++) l->items[start + i] = gx_keep(items[i]);
    l->count += n - count;
    for (int64_t i = 0; i < count; i++) gx_drop(old[i]);
    gx_free(rt, old);
    return true;
}

/* A list made by a loop that may have ended early. */
static bool give(gx_rt *rt, gx_value list, gx_value *out) {
    if (!gx_work_end(rt)) {
        gx_drop(list);
        return false;
    }
    *out = list;
    return true;
}

/* The positions of a slice of a list; its bounds' code may change the list, which is counted after
   it has run. */
static bool slice_of(gx_rt *rt, gx_list *l, gx_borrowed key, int64_t *start, int64_t *step,
                     int64_t *count) {
    gx_value plain;
    if (!gx_slice_plain(rt, key, &plain)) return false;
    bool ok = gx_slice_indices(rt, plain, l->count, start, step, count);
    gx_drop(plain);
    return ok;
}

static bool get_slice(gx_rt *rt, gx_list *l, gx_borrowed key, gx_value *out) {
    int64_t start, step, count;
    if (!slice_of(rt, l, key, &start, &step, &count)) return false;
    if (step == 1) return gx_list_new(rt, count, l->items + start, out);
    gx_value list;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    gx_list *r = gx_as_list(list);
    if (!gx_list_reserve(rt, r, count)) {
        gx_drop(list);
        return false;
    }
    GX_LONG_LOOP(rt, i, 0, count) {
        r->items[i] = gx_keep(l->items[start + i * step]);
        r->count = i + 1;
    }
    return give(rt, list, out);
}

static bool list_get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    gx_list *l = gx_as_list(v);
    if (key.tag == GX_SLICE) return get_slice(rt, l, key, out);
    int64_t i;
    if (!gx_items_index(rt, v, key, "list index", "list", &i)) return false;
    *out = gx_keep(l->items[i]);
    return true;
}

static bool set_slice(gx_rt *rt, gx_list *l, gx_borrowed key, gx_borrowed item) {
    int64_t start, step, count;
    gx_value from, plain;
    if (!gx_slice_plain(rt, key, &plain)) return false;
    if (!gx_slice_bounds(rt, plain, 0, &start, &count, &step)) { /* before the items are asked */
        gx_drop(plain);
        return false;
    }
    if (!gx_list_walked(rt, item, &from)) {
        gx_drop(plain);
        if (rt->error.kind == GX_TypeError) {
            gx_error_clear(rt);
            gx_fail(rt, GX_TypeError, "list.slice", "can only assign an iterable");
        }
        return false;
    }
    gx_list *f = gx_as_list(from);
    bool ok = slice_of(rt, l, plain, &start, &step, &count);
    gx_drop(plain);
    if (ok && step == 1) {
        ok = gx_list_splice(rt, l, start, count, f->count, f->items);
    } else if (ok && f->count != count) {
        ok = gx_fail(rt, GX_ValueError, "list.slice",
                     "attempt to assign sequence of size %lld to extended slice of size %lld",
                     (long long)f->count, (long long)count);
    } else if (ok) {
        for (int64_t i = 0; i < count; i++) {
            gx_value *place = &l->items[start + i * step], old = *place;
            *place = f->items[i];
            f->items[i] = old; /* dropped with the temporary list */
        }
    }
    gx_drop(from);
    return ok;
}

static bool list_set(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_borrowed item) {
    gx_list *l = gx_as_list(v);
    if (key.tag == GX_SLICE) return set_slice(rt, l, key, item);
    int64_t i;
    if (!gx_items_index(rt, v, key, "list assignment index", "list", &i)) return false;
    gx_value old = l->items[i];
    l->items[i] = gx_keep(item);
    gx_drop(old);
    return true;
}

static bool list_del(gx_rt *rt, gx_borrowed v, gx_borrowed key) {
    gx_list *l = gx_as_list(v);
    int64_t start, step = 1, count = 1;
    if (key.tag != GX_SLICE) {
        if (!gx_items_index(rt, v, key, "list assignment index", "list", &start))
            return false;
    } else if (!slice_of(rt, l, key, &start, &step, &count)) {
        return false;
    }
    if (step == 1) return gx_list_splice(rt, l, start, count, 0, NULL);
    if (count == 0) return true;
    if (step < 0) {
        start += (count - 1) * step;
        step = -step;
    }
    gx_value gone;
    if (!gx_list_new(rt, 0, NULL, &gone)) return false;
    gx_list *g = gx_as_list(gone);
    bool ok = gx_list_reserve(rt, g, count);
    if (ok) {
        int64_t to = start;
        for (int64_t i = start; i < l->count; i++) {
            if ((i - start) % step == 0 && g->count < count)
                g->items[g->count++] = l->items[i];
            else
                l->items[to++] = l->items[i];
        }
        l->count = to;
    }
    gx_drop(gone);
    return ok;
}

/* --- operators -------------------------------------------------------------------------------- */

static bool list_repeat(gx_rt *rt, gx_borrowed v, int64_t n, gx_value *out) {
    gx_list *l = gx_as_list(v);
    int64_t total;
    if (n < 0) n = 0;
    if (__builtin_mul_overflow(l->count, n, &total) || total > largest) return gx_no_memory(rt);
    gx_value list;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    gx_list *r = gx_as_list(list);
    if (!gx_list_reserve(rt, r, total)) {
        gx_drop(list);
        return false;
    }
    while (r->count < total && !gx_work_stops(rt)) { /* not n times: it may be n times nothing */
        int64_t look = total - r->count > GX_WORK_LOOK ? r->count + GX_WORK_LOOK : total;
        while (r->count < look)
            for (int64_t i = 0; i < l->count; i++) r->items[r->count++] = gx_keep(l->items[i]);
    }
    return give(rt, list, out);
}

static bool list_concat(gx_rt *rt, gx_list *a, gx_list *b, gx_value *out) {
    gx_value list;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    gx_list *r = gx_as_list(list);
    if (!gx_list_reserve(rt, r, a->count + b->count)) {
        gx_drop(list);
        return false;
    }
    GX_LONG_LOOP(rt, i, 0, a->count) r->items[r->count++] = gx_keep(a->items[i]);
    GX_LONG_LOOP(rt, i, 0, b->count) r->items[r->count++] = gx_keep(b->items[i]);
    return give(rt, list, out);
}

static gx_try list_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    if (op == GX_ADD && a.tag == GX_LIST) {
        if (b.tag == GX_LIST)
            return list_concat(rt, gx_as_list(a), gx_as_list(b), out) ? GX_TRY_YES : GX_TRY_ERROR;
        if (b.tag == GX_ARRAY || gx_is_scalar(b)) return GX_TRY_NO;
        gx_fail(rt, GX_TypeError, "list.concat",
                "can only concatenate list (not \"%s\") to list", gx_type_name(b));
        return GX_TRY_ERROR;
    }
    if (op == GX_MUL) return gx_sequence_repeat(rt, a, b, list_repeat, out);
    return GX_TRY_NO;
}

static gx_try list_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    if (a.tag != GX_LIST || b.tag != GX_LIST) return GX_TRY_NO;
    return gx_items_compare(rt, op, a, b, out);
}

/* --- the type --------------------------------------------------------------------------------- */

bool gx_items_repr(gx_rt *rt, gx_borrowed owner, gx_buf *out) {
    const gx_value *items;
    for (int64_t i = 0; i < gx_sequence_items(owner, &items); i++) {
        if (i && !gx_buf_puts(out, ", ")) return false;
        if (!gx_repr(rt, items[i], out)) return false;
        if (GX_UNLIKELY(rt->interrupted) && !gx_interrupt_check(rt)) return false;
    }
    return true;
}

static bool list_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    bool again;
    if (!gx_repr_enter(rt, v.obj, &again)) return false;
    if (again) return gx_buf_puts(out, "[...]");
    bool ok = gx_buf_char(out, '[') &&
              gx_items_repr(rt, v, out) &&
              gx_buf_char(out, ']');
    gx_repr_leave(rt);
    return ok;
}

static bool list_length(gx_rt *rt, gx_borrowed v, int64_t *out) {
    (void)rt;
    *out = gx_as_list(v)->count;
    return true;
}

bool gx_items_find(gx_rt *rt, gx_borrowed owner, gx_borrowed x, int64_t from, int64_t to,
                   int64_t *out) {
    for (int64_t i = from; i < to; i++) {
        const gx_value *items = NULL;
        bool equal;
        if (GX_UNLIKELY(i % GX_WORK_LOOK == 0) && !gx_work_end(rt)) return false;
        if (i >= gx_sequence_items(owner, &items)) break;
        gx_value item = gx_keep(items[i]);
        bool ok = gx_equal(rt, item, x, &equal);
        gx_drop(item);
        if (!ok) return false;
        if (equal) {
            *out = i;
            return true;
        }
    }
    *out = -1;
    return true;
}

static bool list_contains(gx_rt *rt, gx_borrowed v, gx_borrowed item, bool *out) {
    int64_t i;
    if (!gx_items_find(rt, v, item, 0, INT64_MAX, &i)) return false;
    *out = i >= 0;
    return true;
}

static void list_free(gx_rt *rt, gx_obj *o) {
    gx_list *l = (gx_list *)o;
    gx_container_untrack(rt, &l->head);
    for (int64_t i = 0; i < l->count; i++) gx_drop(l->items[i]);
    gx_free(rt, l->items);
    gx_obj_release(rt, o);
}

static void list_traverse(gx_obj *o, gx_visit visit, void *ctx) {
    gx_list *l = (gx_list *)o;
    for (int64_t i = 0; i < l->count; i++)
        if (gx_is_object(l->items[i])) visit(l->items[i].obj, ctx);
}

static void list_clear(gx_rt *rt, gx_obj *o) {
    gx_list_empty(rt, (gx_list *)o);
}

static bool construct(gx_call *c, gx_value *out) {
    if (!gx_arg_given(c, 0)) return gx_list_new(c->rt, 0, NULL, out);
    return gx_list_of(c->rt, c->argv[0], out);
}

static const gx_native list_construct = {
    "list", "list(iterable=<no value>, /)", "A list of what an iterable yields.",
    "list(range(3))  # [0, 1, 2]", construct, 0, 0,
};

static gx_try list_inplace(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    const bool of_numpy = b.tag == GX_ARRAY || b.tag == GX_SCALAR || b.tag == GX_SCALAR_BOX;
    if (op == GX_ADD && !of_numpy) { /* whose addition makes an array of the list */
        if (!gx_list_extend(rt, a, b)) return GX_TRY_ERROR;
    } else if (op == GX_MUL && gx_is_int(b)) {
        gx_value made;
        if (list_binary(rt, op, a, b, &made) != GX_TRY_YES) return GX_TRY_ERROR;
        gx_list *x = gx_as_list(a), *y = gx_as_list(made);
        gx_value *items = x->items;
        int64_t count = x->count, room = x->room;
        x->items = y->items;
        x->count = y->count;
        x->room = y->room;
        y->items = items;
        y->count = count;
        y->room = room;
        gx_drop(made);
    } else {
        return GX_TRY_NO;
    }
    *out = gx_keep(a);
    return GX_TRY_YES;
}

bool gx_find_bounds(gx_call *c, int at, int64_t n, int64_t *from, int64_t *to) {
    *from = 0;
    *to = n;
    if (gx_arg_given(c, at) && !gx_arg_bound(c, at, from)) return false;
    if (gx_arg_given(c, at + 1) && !gx_arg_bound(c, at + 1, to)) return false;
    if (*from < 0) *from = *from + n < 0 ? 0 : *from + n;
    if (*to < 0) *to = *to + n < 0 ? 0 : *to + n;
    if (*to > n) *to = n;
    return true;
}

const gx_type gx_type_list = {
    .name = "list",
    .tag = GX_LIST,
    .dtype = GX_NO_DTYPE,
    .container = true,
    .doc = "A sequence that can grow and change.",
    .free = list_free,
    .traverse = list_traverse,
    .clear = list_clear,
    .repr = list_repr,
    .compare = list_compare,
    .binary = list_binary,
    .inplace = list_inplace,
    .length = list_length,
    .get = list_get,
    .set = list_set,
    .del = list_del,
    .contains = list_contains,
    .iter = gx_seq_iter,
    .construct = &list_construct,
};
