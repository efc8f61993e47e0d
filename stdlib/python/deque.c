/* collections.deque: a ring of values, quick at both ends, optionally of a largest length. */
#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"
#include "stdlib/python/builtins.h"
#include "stdlib/python/walk.h"
#include "stdlib/stdlib.h"

typedef struct gx_deque {
    gx_container head;
    gx_value *ring;
    int64_t first, count, room; /* item i is ring[(first + i) % room] */
    int64_t limit;              /* -1: none */
    uint64_t version;           /* changes with every change of length */
} gx_deque;

extern const gx_type gx_type_deque;

static gx_deque *as_deque(gx_borrowed v) {
    return (gx_deque *)v.obj;
}

static bool is_deque(gx_borrowed v) {
    return gx_isinstance(v, &gx_type_deque);
}

static gx_value *item_at(gx_deque *d, int64_t i) {
    return &d->ring[(d->first + i) % d->room];
}

static bool grow(gx_rt *rt, gx_deque *d) {
    int64_t room = d->room ? d->room * 2 : 8;
    gx_value *ring = gx_alloc(rt, (size_t)room * sizeof *ring);
    if (!ring) return false;
    for (int64_t i = 0; i < d->count; i++) ring[i] = *item_at(d, i);
    gx_free(rt, d->ring);
    d->ring = ring;
    d->room = room;
    d->first = 0;
    return true;
}

/* Takes an item off an end; the deque is not empty. */
static gx_value take(gx_deque *d, bool left) {
    gx_value v = *item_at(d, left ? 0 : d->count - 1);
    if (left) d->first = (d->first + 1) % d->room;
    d->count--;
    d->version++;
    return v;
}

static bool push(gx_rt *rt, gx_deque *d, bool left, gx_borrowed v) {
    if (d->limit == 0) return true;
    gx_keep(v); /* it may be what falls out at the other end */
    if (d->limit > 0 && d->count >= d->limit) gx_drop(take(d, !left));
    if (d->count == d->room && !grow(rt, d)) {
        gx_drop(v);
        return false;
    }
    if (left) d->first = (d->first + d->room - 1) % d->room;
    d->count++;
    d->version++;
    *item_at(d, left ? 0 : d->count - 1) = v;
    return true;
}

static void clear_deque(gx_rt *rt, gx_obj *o) {
    (void)rt;
    gx_deque *d = (gx_deque *)o;
    while (d->count) gx_drop(take(d, false));
}

static void free_deque(gx_rt *rt, gx_obj *o) {
    gx_container_untrack(rt, (gx_container *)o);
    clear_deque(rt, o);
    gx_free(rt, ((gx_deque *)o)->ring);
    gx_free(rt, o);
}

static void traverse_deque(gx_obj *o, gx_visit visit, void *ctx) {
    gx_deque *d = (gx_deque *)o;
    for (int64_t i = 0; i < d->count; i++)
        if (gx_is_object(*item_at(d, i))) visit(item_at(d, i)->obj, ctx);
}

static bool new_deque(gx_rt *rt, int64_t limit, gx_value *out) {
    gx_deque *d = gx_obj_new(rt, &gx_type_deque, sizeof *d);
    if (!d) return false;
    d->limit = limit;
    gx_container_track(rt, &d->head);
    *out = gx_object(&d->head.obj);
    return true;
}

static bool extend_with(gx_rt *rt, gx_borrowed self, gx_borrowed iterable, bool left) {
    gx_value it, item, list;
    bool ok, more;
    if (iterable.tag == GX_OBJECT && iterable.obj == self.obj) {
        if (!gx_list_of(rt, iterable, &list)) return false;
        ok = extend_with(rt, self, list, left);
        gx_drop(list);
        return ok;
    }
    if (!gx_iter(rt, iterable, &it)) return false;
    while ((ok = gx_next(rt, it, &item, &more)) && more) {
        ok = push(rt, as_deque(self), left, item);
        gx_drop(item);
        if (!ok) break;
    }
    gx_drop(it);
    return ok;
}

static bool make_deque(gx_call *c, gx_value *out) {
    int64_t limit = -1;
    gx_value v;
    if (gx_arg_some(c, 1)) {
        if (!gx_arg_int(c, 1, &limit)) return false;
        if (limit < 0)
            return gx_fail(c->rt, GX_ValueError, "iter.count", "maxlen must be non-negative");
    }
    if (!new_deque(c->rt, limit, &v)) return false;
    if (extend_with(c->rt, v, c->argv[0], false)) {
        *out = v;
        return true;
    }
    gx_drop(v);
    return false;
}

static bool repr_deque(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_deque *d = as_deque(v);
    bool ok = gx_stack_check(rt) && gx_buf_puts(out, "deque([");
    for (int64_t i = 0; ok && i < d->count; i++) {
        gx_value item = *item_at(d, i);
        ok = i == 0 || gx_buf_puts(out, ", ");
        if (ok && item.tag == GX_OBJECT && item.obj == v.obj)
            ok = gx_buf_puts(out, "[...]");
        else
            ok = ok && gx_repr(rt, item, out);
    }
    if (ok && d->limit >= 0) return gx_buf_printf(out, "], maxlen=%lld)", (long long)d->limit);
    return ok && gx_buf_puts(out, "])");
}

static bool length_deque(gx_rt *rt, gx_borrowed v, int64_t *out) {
    (void)rt;
    *out = as_deque(v)->count;
    return true;
}

static bool find_index(gx_rt *rt, gx_borrowed v, gx_borrowed key, int64_t *out) {
    gx_deque *d = as_deque(v);
    gx_try is = gx_as_index(rt, key, out);
    if (is == GX_TRY_ERROR && rt->error.kind == GX_OverflowError) {
        gx_error_clear(rt);
        return gx_fail(rt, GX_IndexError, "index.large",
                       "cannot fit '%s' into an index-sized integer", gx_type_name(key));
    }
    if (is == GX_TRY_NO)
        return gx_fail(rt, GX_TypeError, "index.type", "sequence index must be integer, not '%s'",
                       gx_type_name(key));
    if (is == GX_TRY_ERROR) return false;
    if (*out < 0) *out += d->count;
    return (*out >= 0 && *out < d->count) ||
           gx_fail(rt, GX_IndexError, "index.range", "deque index out of range");
}

static bool get_deque(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    int64_t i;
    if (!find_index(rt, v, key, &i)) return false;
    *out = gx_keep(*item_at(as_deque(v), i));
    return true;
}

static bool set_deque(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_borrowed item) {
    int64_t i;
    if (!find_index(rt, v, key, &i)) return false;
    gx_value old = *item_at(as_deque(v), i);
    *item_at(as_deque(v), i) = gx_keep(item);
    gx_drop(old);
    return true;
}

static void remove_at(gx_deque *d, int64_t i) {
    gx_value old = *item_at(d, i);
    for (; i + 1 < d->count; i++) *item_at(d, i) = *item_at(d, i + 1);
    d->count--;
    d->version++;
    gx_drop(old);
}

static bool del_deque(gx_rt *rt, gx_borrowed v, gx_borrowed key) {
    int64_t i;
    if (!find_index(rt, v, key, &i)) return false;
    remove_at(as_deque(v), i);
    return true;
}

/* Iterators: a the deque, i the next index, j the version seen at the start. */
static bool deque_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    gx_deque *d = as_deque(w->a);
    if ((uint64_t)w->j != d->version)
        return gx_fail(rt, GX_RuntimeError, "iter.changed", "deque mutated during iteration");
    *more = w->i < d->count;
    if (*more) *out = gx_keep(*item_at(d, w->i++));
    return true;
}
static GX_WALK_TYPE(deque_iterator_type, "_collections._deque_iterator", deque_next, NULL);

static bool deque_before(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    gx_deque *d = as_deque(w->a);
    if ((uint64_t)w->j != d->version)
        return gx_fail(rt, GX_RuntimeError, "iter.changed", "deque mutated during iteration");
    *more = w->i > 0;
    if (*more) *out = gx_keep(*item_at(d, --w->i));
    return true;
}
static GX_WALK_TYPE(deque_reverse_iterator_type, "_collections._deque_reverse_iterator",
                    deque_before, NULL);

static bool iter_deque(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_walk *w = gx_walk_new(rt, &deque_iterator_type, 0);
    if (!w) return false;
    w->a = gx_keep(v);
    w->j = (int64_t)as_deque(v)->version;
    return gx_walk_done(rt, w, out);
}

static gx_try compare_deque(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    if (!is_deque(a) || !is_deque(b)) return GX_TRY_NO;
    gx_value x, y;
    if (!gx_list_of(rt, a, &x)) return GX_TRY_ERROR;
    gx_try r = GX_TRY_ERROR;
    if (gx_list_of(rt, b, &y)) {
        r = gx_type_list.compare(rt, op, x, y, out);
        gx_drop(y);
    }
    gx_drop(x);
    return r;
}

/* --- + and * --- */

static bool copy_of(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_value made;
    if (!new_deque(rt, as_deque(v)->limit, &made)) return false;
    if (extend_with(rt, made, v, false)) {
        *out = made;
        return true;
    }
    gx_drop(made);
    return false;
}

/* Appends self's items until they stand n times in it. */
static bool multiply(gx_rt *rt, gx_borrowed self, int64_t n) {
    gx_deque *d = as_deque(self);
    const int64_t count = d->count;
    if (n <= 0) {
        clear_deque(rt, self.obj);
        return true;
    }
    if (count == 0) return true;
    if (d->limit >= 0 && n > d->limit / count + 2) n = d->limit / count + 2;
    if (n > INT64_MAX / 16 / count) return gx_no_memory(rt);
    gx_value list;
    if (!gx_list_of(rt, self, &list)) return false;
    bool ok = true;
    for (int64_t i = 0; ok && i < (n - 1) * count; i++) {
        ok = push(rt, d, false, gx_as_list(list)->items[i % count]);
        if (i % 4096 == 0) ok = ok && gx_interrupt_check(rt);
    }
    gx_drop(list);
    return ok;
}

/* The count of a repetition: NO for what is no int. */
static gx_try times(gx_rt *rt, gx_borrowed v, int64_t *out) {
    if (v.tag == GX_ARRAY) return GX_TRY_NO;
    gx_try is = gx_as_index(rt, v, out);
    if (is == GX_TRY_ERROR && rt->error.kind == GX_OverflowError) {
        gx_error_clear(rt);
        gx_fail(rt, GX_OverflowError, "int.index", "cannot fit '%s' into an index-sized integer",
                gx_type_name(v));
    }
    if (is == GX_TRY_NO) {
        gx_fail(rt, GX_TypeError, "sequence.repeat",
                "can't multiply sequence by non-int of type '%s'", gx_type_name(v));
        is = GX_TRY_ERROR;
    }
    return is;
}

static gx_try binary_deque(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_value made;
    int64_t n = 0;
    if (op != GX_ADD && op != GX_MUL) return GX_TRY_NO;
    gx_borrowed self = is_deque(a) ? a : b, other = is_deque(a) ? b : a;
    if (op == GX_ADD && self.obj != a.obj) return GX_TRY_NO;
    if (op == GX_ADD && !is_deque(other)) {
        gx_fail(rt, GX_TypeError, "operator.types",
                "can only concatenate deque (not \"%s\") to deque", gx_type_name(other));
        return GX_TRY_ERROR;
    }
    if (op == GX_MUL) {
        gx_try is = times(rt, other, &n);
        if (is != GX_TRY_YES) return is;
    }
    if (!copy_of(rt, self, &made)) return GX_TRY_ERROR;
    if (op == GX_ADD ? extend_with(rt, made, other, false) : multiply(rt, made, n)) {
        *out = made;
        return GX_TRY_YES;
    }
    gx_drop(made);
    return GX_TRY_ERROR;
}

static gx_try inplace_deque(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    int64_t n;
    if (op != GX_ADD && op != GX_MUL) return GX_TRY_NO;
    if (op == GX_MUL) {
        gx_try is = times(rt, b, &n);
        if (is != GX_TRY_YES) return is;
    }
    if (!(op == GX_ADD ? extend_with(rt, a, b, false) : multiply(rt, a, n))) return GX_TRY_ERROR;
    *out = gx_keep(a);
    return GX_TRY_YES;
}

/* --- methods --- */

static gx_deque *self_of(gx_call *c) {
    return as_deque(c->argv[0]);
}

static bool none(gx_value *out) {
    *out = gx_none();
    return true;
}

static bool deque_append(gx_call *c, gx_value *out) {
    return push(c->rt, self_of(c), false, c->argv[1]) && none(out);
}

static bool deque_appendleft(gx_call *c, gx_value *out) {
    return push(c->rt, self_of(c), true, c->argv[1]) && none(out);
}

static bool pop_end(gx_call *c, bool left, gx_value *out) {
    if (!self_of(c)->count)
        return gx_fail(c->rt, GX_IndexError, "iter.empty", "pop from an empty deque");
    *out = take(self_of(c), left);
    return true;
}

static bool deque_pop(gx_call *c, gx_value *out) {
    return pop_end(c, false, out);
}

static bool deque_popleft(gx_call *c, gx_value *out) {
    return pop_end(c, true, out);
}

static bool deque_extend(gx_call *c, gx_value *out) {
    return extend_with(c->rt, c->argv[0], c->argv[1], false) && none(out);
}

static bool deque_extendleft(gx_call *c, gx_value *out) {
    return extend_with(c->rt, c->argv[0], c->argv[1], true) && none(out);
}

static bool deque_clear(gx_call *c, gx_value *out) {
    clear_deque(c->rt, c->argv[0].obj);
    return none(out);
}

static bool deque_rotate(gx_call *c, gx_value *out) {
    gx_deque *d = self_of(c);
    int64_t n;
    if (!gx_arg_int(c, 1, &n)) return false;
    if (d->count < 2) return none(out);
    n %= d->count;
    if (n < 0) n += d->count;
    for (; n > 0; n--) {
        gx_value v = take(d, false);
        d->first = (d->first + d->room - 1) % d->room;
        d->count++;
        *item_at(d, 0) = v;
    }
    return none(out);
}

static bool deque_reverse(gx_call *c, gx_value *out) {
    gx_deque *d = self_of(c);
    for (int64_t i = 0, k = d->count - 1; i < k; i++, k--) {
        gx_value t = *item_at(d, i);
        *item_at(d, i) = *item_at(d, k);
        *item_at(d, k) = t;
    }
    return none(out);
}

/* The first index of an item, or -1; *total counts all when not NULL. A comparison must not change
   the deque's length. */
static bool search(gx_call *c, int64_t from, int64_t to, int64_t *at, int64_t *total) {
    gx_deque *d = self_of(c);
    uint64_t version = d->version;
    *at = -1;
    for (int64_t i = from; i < to && i < d->count; i++) {
        bool same;
        gx_value item = gx_keep(*item_at(d, i));
        bool ok = gx_equal(c->rt, item, c->argv[1], &same);
        gx_drop(item);
        if (ok && d->version != version && (total || !same))
            ok = gx_fail(c->rt, GX_RuntimeError, "iter.changed",
                         "deque mutated during iteration");
        if (!ok) return false;
        if (same && *at < 0) *at = i;
        if (same && total) ++*total;
        if (same && !total) break;
    }
    return true;
}

static bool deque_count(gx_call *c, gx_value *out) {
    int64_t at, total = 0;
    if (!search(c, 0, INT64_MAX, &at, &total)) return false;
    *out = gx_int(total);
    return true;
}

static bool deque_index(gx_call *c, gx_value *out) {
    int64_t at;
    int64_t n = self_of(c)->count, from = 0, to = n;
    if (gx_arg_given(c, 2) && !gx_arg_bound(c, 2, &from)) return false;
    if (gx_arg_given(c, 3) && !gx_arg_bound(c, 3, &to)) return false;
    if (from < 0) from = from < -n ? 0 : from + n;
    if (to < 0) to = to < -n ? 0 : to + n;
    if (!search(c, from, to, &at, NULL)) return false;
    if (at < 0) {
        gx_buf text = gx_buf_new(c->rt);
        bool ok = gx_repr(c->rt, c->argv[1], &text);
        if (ok)
            gx_fail(c->rt, GX_ValueError, "iter.missing", "%s is not in deque", gx_buf_text(&text));
        gx_buf_free(&text);
        return false;
    }
    *out = gx_int(at);
    return true;
}

static bool deque_remove(gx_call *c, gx_value *out) {
    int64_t at;
    uint64_t version = self_of(c)->version;
    if (!search(c, 0, INT64_MAX, &at, NULL)) return false;
    if (at < 0)
        return gx_fail(c->rt, GX_ValueError, "iter.missing", "deque.remove(x): x not in deque");
    if (self_of(c)->version != version)
        return gx_fail(c->rt, GX_IndexError, "iter.changed", "deque mutated during remove()");
    remove_at(self_of(c), at);
    return none(out);
}

static bool deque_insert(gx_call *c, gx_value *out) {
    gx_deque *d = self_of(c);
    int64_t at;
    if (!gx_arg_int(c, 1, &at)) return false;
    if (d->limit >= 0 && d->count >= d->limit)
        return gx_fail(c->rt, GX_IndexError, "iter.count", "deque already at its maximum size");
    if (at < 0) at += d->count;
    if (at < 0) at = 0;
    if (at > d->count) at = d->count;
    if (!push(c->rt, d, false, c->argv[2])) return false;
    gx_value v = *item_at(d, d->count - 1);
    for (int64_t i = d->count - 1; i > at; i--) *item_at(d, i) = *item_at(d, i - 1);
    *item_at(d, at) = v;
    return none(out);
}

static bool deque_copy(gx_call *c, gx_value *out) {
    return copy_of(c->rt, c->argv[0], out);
}

static bool deque_backwards(gx_call *c, gx_value *out) {
    gx_walk *w = gx_walk_new(c->rt, &deque_reverse_iterator_type, 0);
    if (!w) return false;
    w->a = gx_keep(c->argv[0]);
    w->i = self_of(c)->count;
    w->j = (int64_t)self_of(c)->version;
    return gx_walk_done(c->rt, w, out);
}

static bool get_maxlen(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = as_deque(self)->limit < 0 ? gx_none() : gx_int(as_deque(self)->limit);
    return true;
}

static bool contains_deque(gx_rt *rt, gx_borrowed v, gx_borrowed item, bool *out) {
    const gx_value argv[2] = {v, item};
    gx_call c = {.rt = rt, .argv = argv, .argc = 2};
    int64_t at;
    if (!search(&c, 0, INT64_MAX, &at, NULL)) return false;
    *out = at >= 0;
    return true;
}

static const gx_native deque_row = {"deque", "deque(iterable=(), maxlen=None)",
                                    "A queue with two ends.",
                                    "collections.deque([1, 2], 5)  # deque([1, 2], maxlen=5)",
                                    make_deque, 0, 0};

#define ROW(n, sig, text) {#n, #n sig, text, NULL, deque_##n, 0, 0}
static const gx_native deque_methods[] = {
    ROW(append, "(self, x, /)", "Adds at the right end."),
    ROW(appendleft, "(self, x, /)", "Adds at the left end."),
    ROW(pop, "(self)", "Takes from the right end."),
    ROW(popleft, "(self)", "Takes from the left end."),
    ROW(extend, "(self, iterable, /)", "Adds all at the right end."),
    ROW(extendleft, "(self, iterable, /)", "Adds all at the left end, one by one."),
    ROW(clear, "(self)", "Removes everything."),
    ROW(rotate, "(self, n=1, /)", "Moves n items from the right end to the left."),
    ROW(reverse, "(self)", "Turns the order around."),
    ROW(count, "(self, x, /)", "How often an item comes."),
    ROW(index, "(self, x, start=<no value>, stop=<no value>, /)", "Where an item comes first."),
    ROW(remove, "(self, x, /)", "Removes the first equal item."),
    ROW(insert, "(self, i, x, /)", "Puts an item before index i."),
    ROW(copy, "(self)", "A copy."),
    {"__copy__", "__copy__(self, /)", "A copy.", NULL, deque_copy, 0, 0},
    {"__reversed__", "__reversed__(self, /)", "From the right end.", NULL, deque_backwards, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
static const gx_member deque_members[] = {
    {"maxlen", get_maxlen, NULL, "The largest length, or None."},
    {NULL, NULL, NULL, NULL},
};

const gx_type gx_type_deque = {
    .name = "collections.deque", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .container = true,
    .doc = "A queue with two ends.", .free = free_deque, .traverse = traverse_deque,
    .clear = clear_deque, .repr = repr_deque, .length = length_deque, .get = get_deque,
    .set = set_deque, .del = del_deque, .compare = compare_deque, .binary = binary_deque,
    .inplace = inplace_deque, .contains = contains_deque, .iter = iter_deque,
    .construct = &deque_row, .methods = deque_methods, .members = deque_members,
};
