/* Tuples, and the named tuples that functions such as linalg.svd return. A tuple is made whole and
   never changes. Only tuples that hold containers are tracked by the collector. */
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/object/container/list_int.h"
#include "runtime/object/heap.h"
#include "runtime/object/iter.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str.h"
#include "runtime/object/types.h"

static gx_tuple *raw(gx_rt *rt, int64_t n) {
    if (n > INT64_MAX / 64) {
        gx_no_memory(rt);
        return NULL;
    }
    gx_tuple *t = gx_obj_raw(rt, gx_core_types[GX_TUPLE], sizeof *t + (size_t)n * sizeof(gx_value));
    if (!t) return NULL;
    t->head.gc_next = t->head.gc_prev = NULL;
    t->head.gc_refs = 0;
    t->count = n;
    t->fields = NULL;
    t->type_name = NULL;
    return t;
}

static void finish(gx_rt *rt, gx_tuple *t, gx_value *out) {
    for (int64_t i = 0; i < t->count; i++)
        if (gx_is_object(t->items[i]) && t->items[i].obj->type->container) {
            gx_container_track(rt, &t->head);
            break;
        }
    *out = gx_object(&t->head.obj);
}

static bool empty(gx_rt *rt, gx_value *out) {
    gx_heap *h = rt->heap;
    if (h->empty_tuple.tag == GX_UNDEF) {
        gx_tuple *t = raw(rt, 0);
        if (!t) return false;
        finish(rt, t, &h->empty_tuple);
    }
    *out = gx_keep(h->empty_tuple);
    return true;
}

/* The items from place `from` on become references to these; false, and t is gone: Ctrl-C. */
static bool fill(gx_rt *rt, gx_tuple *t, int64_t from, int64_t n, const gx_borrowed *items) {
    int64_t made = 0;
    GX_LONG_LOOP(rt, i, 0, n) {
        t->items[from + i] = gx_keep(items[i]);
        made = i + 1;
    }
    if (gx_work_end(rt)) return true;
    t->count = from + made;
    gx_obj_drop(&t->head.obj);
    return false;
}

bool gx_tuple_new(gx_rt *rt, int64_t n, const gx_borrowed *items, gx_value *out) {
    if (n == 0) return empty(rt, out);
    gx_tuple *t = raw(rt, n);
    if (!t || !fill(rt, t, 0, n, items)) return false;
    finish(rt, t, out);
    return true;
}

bool gx_tuple_take(gx_rt *rt, int64_t n, gx_value *items, gx_value *out) {
    if (n == 0) return empty(rt, out);
    gx_tuple *t = raw(rt, n);
    if (!t) {
        for (int64_t i = 0; i < n; i++) gx_drop(items[i]);
        return false;
    }
    memcpy(t->items, items, (size_t)n * sizeof *items);
    finish(rt, t, out);
    return true;
}

bool gx_tuple_again(gx_rt *rt, gx_value *kept, int64_t n, gx_value *items, gx_value *out) {
    if (kept->tag != GX_TUPLE || kept->obj->refs != 1) {
        if (!gx_tuple_take(rt, n, items, out)) return false;
        gx_drop(*kept);
        *kept = gx_keep(*out);
        return true;
    }
    gx_tuple *t = gx_as_tuple(*kept);
    gx_keep(*kept);
    for (int64_t i = 0; i < n; i++) {
        gx_value old = t->items[i];
        t->items[i] = items[i];
        gx_drop(old);
    }
    if (!t->head.gc_next) {
        finish(rt, t, out);
        return true;
    }
    *out = gx_object(&t->head.obj);
    return true;
}

bool gx_tuple_ints(gx_rt *rt, int n, const int64_t *items, gx_value *out) {
    if (n == 0) return empty(rt, out);
    gx_tuple *t = raw(rt, n);
    if (!t) return false;
    for (int i = 0; i < n; i++) t->items[i] = gx_int(items[i]);
    *out = gx_object(&t->head.obj);
    return true;
}

bool gx_tuple_of(gx_rt *rt, gx_borrowed iterable, gx_value *out) {
    if (iterable.tag == GX_TUPLE && !iterable.obj->type->heap) {
        *out = gx_keep(iterable);
        return true;
    }
    if (iterable.tag == GX_LIST && !iterable.obj->type->heap)
        return gx_tuple_new(rt, gx_as_list(iterable)->count, gx_as_list(iterable)->items, out);
    gx_value list;
    if (!gx_list_of(rt, iterable, &list)) return false;
    bool ok = gx_tuple_new(rt, gx_as_list(list)->count, gx_as_list(list)->items, out);
    gx_drop(list);
    return ok;
}

bool gx_tuple_named(gx_rt *rt, const char *type_name, int64_t n, const gx_sym *fields,
                    const gx_borrowed *items, gx_value *out) {
    /* The names stand behind the items: four syms fit into one more value. */
    gx_tuple *t = raw(rt, n + n / 4 + 1);
    if (!t) return false;
    gx_sym *names = (gx_sym *)(void *)&t->items[n];
    memcpy(names, fields, (size_t)n * sizeof *names);
    t->count = n;
    for (int64_t i = 0; i < n; i++) t->items[i] = gx_keep(items[i]);
    t->fields = names;
    t->type_name = type_name;
    finish(rt, t, out);
    return true;
}

/* --- the type --------------------------------------------------------------------------------- */

static void tuple_free(gx_rt *rt, gx_obj *o) {
    gx_tuple *t = (gx_tuple *)o;
    gx_container_untrack(rt, &t->head);
    for (int64_t i = 0; i < t->count; i++) gx_drop(t->items[i]);
    gx_obj_release(rt, o);
}

static void tuple_traverse(gx_obj *o, gx_visit visit, void *ctx) {
    gx_tuple *t = (gx_tuple *)o;
    for (int64_t i = 0; i < t->count; i++)
        if (gx_is_object(t->items[i])) visit(t->items[i].obj, ctx);
}

static void tuple_clear(gx_rt *rt, gx_obj *o) {
    (void)rt;
    gx_tuple *t = (gx_tuple *)o;
    for (int64_t i = 0; i < t->count; i++) {
        gx_value item = t->items[i];
        t->items[i] = gx_none();
        gx_drop(item);
    }
}

static bool named_repr(gx_rt *rt, const gx_tuple *t, gx_buf *out) {
    if (!gx_buf_printf(out, "%s(", t->type_name)) return false;
    for (int64_t i = 0; i < t->count; i++)
        if (!gx_buf_printf(out, "%s%s=", i ? ", " : "", gx_sym_text(rt, t->fields[i])) ||
            !gx_repr(rt, t->items[i], out))
            return false;
    return gx_buf_char(out, ')');
}

static bool tuple_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_tuple *t = gx_as_tuple(v);
    bool again, ok;
    if (!gx_repr_enter(rt, v.obj, &again)) return false;
    if (again) return gx_buf_puts(out, "(...)");
    if (t->fields && t->type_name)
        ok = named_repr(rt, t, out);
    else
        ok = gx_buf_char(out, '(') && gx_items_repr(rt, v, out) &&
             gx_buf_puts(out, t->count == 1 ? ",)" : ")");
    gx_repr_leave(rt);
    return ok;
}

/* As CPython's (xxHash's constants), so that sets of tuples have CPython's order. */
static bool tuple_hash(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    const uint64_t start = 0x27D4EB2F165667C5u;
    gx_tuple *t = gx_as_tuple(v);
    uint64_t h = start;
    for (int64_t i = 0; i < t->count; i++) {
        uint64_t item;
        if (!gx_hash(rt, t->items[i], &item)) return false;
        h += item * 0xC2B2AE3D27D4EB4Fu;
        h = ((h << 31) | (h >> 33)) * 0x9E3779B185EBCA87u;
    }
    h += (uint64_t)t->count ^ start ^ 3527539u;
    *out = h == UINT64_MAX ? 1546275796u : h;
    return true;
}

static gx_try tuple_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    if (a.tag != GX_TUPLE || b.tag != GX_TUPLE) return GX_TRY_NO;
    return gx_items_compare(rt, op, a, b, out);
}

static bool tuple_repeat(gx_rt *rt, gx_borrowed v, int64_t n, gx_value *out) {
    gx_tuple *s = gx_as_tuple(v);
    int64_t total;
    if (n < 0) n = 0;
    if (__builtin_mul_overflow(s->count, n, &total)) return gx_no_memory(rt);
    if (total == 0) return empty(rt, out);
    gx_tuple *t = raw(rt, total);
    if (!t) return false;
    for (int64_t i = 0; i < total; i += s->count)
        if (!fill(rt, t, i, s->count, s->items)) return false;
    finish(rt, t, out);
    return true;
}

static bool tuple_concat(gx_rt *rt, gx_tuple *a, gx_tuple *b, gx_value *out) {
    if (a->count + b->count == 0) return empty(rt, out);
    gx_tuple *t = raw(rt, a->count + b->count);
    if (!t || !fill(rt, t, 0, a->count, a->items) || !fill(rt, t, a->count, b->count, b->items))
        return false;
    finish(rt, t, out);
    return true;
}

static gx_try tuple_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    if (op == GX_ADD && a.tag == GX_TUPLE) {
        if (b.tag == GX_TUPLE)
            return tuple_concat(rt, gx_as_tuple(a), gx_as_tuple(b), out) ? GX_TRY_YES
                                                                         : GX_TRY_ERROR;
        if (b.tag == GX_ARRAY || gx_is_scalar(b)) return GX_TRY_NO;
        gx_fail(rt, GX_TypeError, "tuple.concat",
                "can only concatenate tuple (not \"%s\") to tuple", gx_type_name(b));
        return GX_TRY_ERROR;
    }
    if (op == GX_MUL) return gx_sequence_repeat(rt, a, b, tuple_repeat, out);
    return GX_TRY_NO;
}

static bool tuple_length(gx_rt *rt, gx_borrowed v, int64_t *out) {
    (void)rt;
    *out = gx_as_tuple(v)->count;
    return true;
}

static bool tuple_get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    gx_tuple *t = gx_as_tuple(v);
    int64_t start, step, count;
    if (key.tag != GX_SLICE) {
        if (!gx_sequence_index(rt, key, t->count, "tuple index", "tuple", &start)) return false;
        *out = gx_keep(t->items[start]);
        return true;
    }
    if (!gx_slice_indices(rt, key, t->count, &start, &step, &count)) return false;
    if (step == 1) return gx_tuple_new(rt, count, t->items + start, out);
    if (count == 0) return empty(rt, out);
    gx_tuple *r = raw(rt, count);
    if (!r) return false;
    for (int64_t i = 0; i < count; i++) r->items[i] = gx_keep(t->items[start + i * step]);
    finish(rt, r, out);
    return true;
}

static bool tuple_contains(gx_rt *rt, gx_borrowed v, gx_borrowed item, bool *out) {
    int64_t i;
    if (!gx_items_find(rt, v, item, 0, INT64_MAX, &i)) return false;
    *out = i >= 0;
    return true;
}

static gx_try tuple_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    gx_tuple *t = gx_as_tuple(v);
    if (!t->fields) return GX_TRY_NO;
    for (int64_t i = 0; i < t->count; i++)
        if (t->fields[i] == name) {
            *out = gx_keep(t->items[i]);
            return GX_TRY_YES;
        }
    if (strcmp(gx_sym_text(rt, name), "_fields") != 0) return GX_TRY_NO;
    gx_value list;
    if (!gx_list_new(rt, 0, NULL, &list)) return GX_TRY_ERROR;
    bool ok = true;
    for (int64_t i = 0; ok && i < t->count; i++) {
        gx_value field;
        ok = gx_str_of_sym(rt, t->fields[i], &field) && gx_list_push_take(rt, list, field);
    }
    ok = ok && gx_tuple_of(rt, list, out);
    gx_drop(list);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

void gx_tuple_each_field(gx_rt *rt, gx_borrowed tuple, void (*fn)(const char *name, void *ctx),
                         void *ctx) {
    gx_tuple *t = gx_as_tuple(tuple);
    for (int64_t i = 0; t->fields && i < t->count; i++) fn(gx_sym_text(rt, t->fields[i]), ctx);
}

/* --- methods ---------------------------------------------------------------------------------- */

static bool index_of(gx_call *c, gx_value *out) {
    int64_t from, to, i;
    if (!gx_find_bounds(c, 2, gx_as_tuple(c->argv[0])->count, &from, &to)) return false;
    if (!gx_items_find(c->rt, c->argv[0], c->argv[1], from, to, &i)) return false;
    if (i < 0)
        return gx_fail(c->rt, GX_ValueError, "tuple.missing", "tuple.index(x): x not in tuple");
    *out = gx_int(i);
    return true;
}

static bool count_of(gx_call *c, gx_value *out) {
    gx_tuple *t = gx_as_tuple(c->argv[0]);
    int64_t n = 0;
    for (int64_t i = 0; i < t->count; i++) {
        bool equal;
        if (!gx_equal(c->rt, t->items[i], c->argv[1], &equal)) return false;
        n += equal;
    }
    *out = gx_int(n);
    return true;
}

const gx_native gx_tuple_methods[] = {
    {"index", "index(self, value, start=<no value>, stop=<no value>, /)",
     "The first index of an item.", "(4, 5).index(5)  # 1", index_of, 0, 0},
    {"count", "count(self, value, /)", "How many items are equal to value.",
     "(1, 2, 1).count(1)  # 2", count_of, 0, 0},
    {0},
};

static bool construct(gx_call *c, gx_value *out) {
    if (!gx_arg_given(c, 0)) return empty(c->rt, out);
    return gx_tuple_of(c->rt, c->argv[0], out);
}

static const gx_native tuple_construct = {
    "tuple", "tuple(iterable=<no value>, /)", "A tuple of what an iterable yields.",
    "tuple(range(3))  # (0, 1, 2)", construct, 0, 0,
};

static bool tuple_plain(gx_rt *rt, gx_borrowed v, gx_value *out) {
    return gx_tuple_new(rt, gx_as_tuple(v)->count, gx_as_tuple(v)->items, out);
}

const gx_type gx_type_tuple = {
    .name = "tuple", .tag = GX_TUPLE, .dtype = GX_NO_DTYPE, .container = true,
    .doc = "A sequence that never changes.",
    .free = tuple_free, .traverse = tuple_traverse, .clear = tuple_clear, .repr = tuple_repr,
    .hash = tuple_hash, .compare = tuple_compare, .binary = tuple_binary, .length = tuple_length,
    .get = tuple_get, .contains = tuple_contains, .attr = tuple_attr, .iter = gx_seq_iter,
    .construct = &tuple_construct, .plain = tuple_plain, .methods = gx_tuple_methods,
};
