/* Iterators over dicts and sets, and the views keys(), values(), items(). An iterator remembers the
   number of entries and refuses to go on when it has changed. */
#include <string.h>

#include "runtime/object/container/dict_int.h"
#include "runtime/object/container/list.h"
#include "runtime/object/heap.h"

typedef struct table_iterator {
    gx_container head;
    gx_value table; /* UNDEF: exhausted */
    gx_value pair;  /* the last one of items(), or UNDEF */
    int64_t at, count, seen;
    int what;
    bool backwards, ordered;
} table_iterator;

static void iter_free(gx_rt *rt, gx_obj *o) {
    table_iterator *it = (table_iterator *)o;
    gx_container_untrack(rt, &it->head);
    gx_drop(it->table);
    gx_drop(it->pair);
    gx_obj_release(rt, o);
}

static void iter_traverse(gx_obj *o, gx_visit visit, void *ctx) {
    table_iterator *it = (table_iterator *)o;
    if (gx_is_object(it->table)) visit(it->table.obj, ctx);
    if (gx_is_object(it->pair)) visit(it->pair.obj, ctx);
}

static void iter_clear(gx_rt *rt, gx_obj *o) {
    (void)rt;
    gx_drop(gx_steal(&((table_iterator *)o)->table));
    gx_drop(gx_steal(&((table_iterator *)o)->pair));
}

static gx_entry *step(table_iterator *it, gx_dict *d) {
    if (!it->backwards) return gx_dict_next(d, &it->at);
    while (it->at > 0) {
        gx_entry *e = &d->entries[--it->at];
        if (e->key.tag != GX_UNDEF) return e;
    }
    return NULL;
}

static bool iter_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    table_iterator *it = (table_iterator *)self.obj;
    *more = false;
    if (it->table.tag == GX_UNDEF) return true;
    gx_dict *d = gx_as_dict(it->table);
    if (it->ordered && it->seen == it->count) { /* it knows the next key before it is asked */
        gx_drop(gx_steal(&it->table));
        return true;
    }
    if (d->count != it->count) {
        it->count = -1;
        return gx_fail(rt, GX_RuntimeError, "dict.changed",
                       it->table.tag == GX_SET ? "Set changed size during iteration"
                       : it->ordered           ? "OrderedDict changed size during iteration"
                                               : "dictionary changed size during iteration");
    }
    gx_entry *e = step(it, d);
    it->seen++;
    if (!e) {
        gx_drop(gx_steal(&it->table));
        return true;
    }
    if (it->what == GX_VIEW_ITEMS) {
        gx_value pair[2] = {gx_keep(e->key), gx_keep(e->value)};
        if (!gx_tuple_again(rt, &it->pair, 2, pair, out)) return false;
    } else {
        *out = gx_keep(it->what == GX_VIEW_KEYS ? e->key : e->value);
    }
    *more = true;
    return true;
}

static bool length_hint(gx_call *c, gx_value *out) {
    table_iterator *it = (table_iterator *)c->argv[0].obj;
    int64_t n = it->table.tag == GX_UNDEF ? 0 : gx_as_dict(it->table)->count - it->seen;
    *out = gx_int(n < 0 ? 0 : n);
    return true;
}

static const gx_native iter_methods[] = {
    {"__length_hint__", "__length_hint__(self, /)", "How many items are left.", NULL, length_hint,
     0, 0},
    {0},
};

#define ITERATOR(id, text)                                                                         \
    static const gx_type id = {                                                                    \
        .name = text, .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .container = true,                   \
        .free = iter_free, .traverse = iter_traverse, .clear = iter_clear, .next = iter_next,      \
        .methods = iter_methods,                                                                   \
    }
ITERATOR(key_iterator, "dict_keyiterator");
ITERATOR(value_iterator, "dict_valueiterator");
ITERATOR(item_iterator, "dict_itemiterator");
ITERATOR(set_iterator, "set_iterator");
ITERATOR(ordered_iterator, "odict_iterator");

bool gx_table_iter(gx_rt *rt, gx_borrowed table, int what, bool backwards, gx_value *out) {
    const gx_type *types[] = {&key_iterator, &value_iterator, &item_iterator};
    const gx_type *type = table.tag == GX_SET      ? &set_iterator
                          : what & GX_VIEW_ORDERED ? &ordered_iterator
                                                   : types[what];
    table_iterator *it = gx_obj_new(rt, type, sizeof *it);
    if (!it) return false;
    it->ordered = what & GX_VIEW_ORDERED;
    it->table = gx_keep(table);
    it->count = gx_as_dict(table)->count;
    it->at = backwards ? gx_as_dict(table)->used : 0;
    it->what = what & ~GX_VIEW_ORDERED;
    it->backwards = backwards;
    gx_container_track(rt, &it->head);
    *out = gx_object(&it->head.obj);
    return true;
}

bool gx_dict_iter(gx_rt *rt, gx_borrowed v, gx_value *out) {
    return gx_table_iter(rt, v, GX_VIEW_KEYS, false, out);
}

/* --- views ------------------------------------------------------------------------------------ */

typedef struct view {
    gx_container head;
    gx_value dict;
    int what, ordered; /* ordered: GX_VIEW_ORDERED or 0 */
} view;

static view *as_view(gx_borrowed v) {
    return (view *)v.obj;
}

static void view_free(gx_rt *rt, gx_obj *o) {
    gx_container_untrack(rt, (gx_container *)o);
    gx_drop(((view *)o)->dict);
    gx_obj_release(rt, o);
}

static void view_traverse(gx_obj *o, gx_visit visit, void *ctx) {
    view *w = (view *)o;
    if (gx_is_object(w->dict)) visit(w->dict.obj, ctx);
}

static void view_clear(gx_rt *rt, gx_obj *o) {
    /* An empty dict is not at hand: the view of nothing stays valid through its UNDEF check. */
    (void)rt;
    gx_drop(gx_steal(&((view *)o)->dict));
}

/* What the collector of cycles took apart, and a finalizer still sees. */
static bool gone(gx_rt *rt) {
    return gx_fail(rt, GX_RuntimeError, "dict.gone", "the dict of this view is gone");
}

static bool view_iter(gx_rt *rt, gx_borrowed v, gx_value *out) {
    if (as_view(v)->dict.tag == GX_UNDEF) return gone(rt);
    return gx_table_iter(rt, as_view(v)->dict, as_view(v)->what | as_view(v)->ordered, false, out);
}

static bool view_length(gx_rt *rt, gx_borrowed v, int64_t *out) {
    (void)rt;
    *out = as_view(v)->dict.tag == GX_UNDEF ? 0 : gx_as_dict(as_view(v)->dict)->count;
    return true;
}

static bool view_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_value list;
    bool again, ok;
    if (!gx_repr_enter(rt, v.obj, &again)) return false;
    if (again) return gx_buf_puts(out, "...");
    ok = gx_list_of(rt, v, &list);
    if (ok) {
        ok = gx_buf_printf(out, "%s(", gx_type_name(v)) && gx_repr(rt, list, out) &&
             gx_buf_char(out, ')');
        gx_drop(list);
    }
    gx_repr_leave(rt);
    return ok;
}

static bool items_contain(gx_rt *rt, view *w, gx_borrowed item, bool *out) {
    gx_value value;
    *out = false;
    if (item.tag != GX_TUPLE || gx_as_tuple(item)->count != 2) return true;
    gx_try r = gx_dict_find(rt, w->dict, gx_as_tuple(item)->items[0], &value);
    if (r != GX_TRY_YES) return r == GX_TRY_NO;
    bool ok = gx_equal(rt, value, gx_as_tuple(item)->items[1], out);
    gx_drop(value);
    return ok;
}

static bool view_contains(gx_rt *rt, gx_borrowed v, gx_borrowed item, bool *out) {
    view *w = as_view(v);
    *out = false;
    if (w->dict.tag == GX_UNDEF) return true;
    if (w->what == GX_VIEW_KEYS) return gx_table_contains(rt, w->dict, item, out);
    if (w->what == GX_VIEW_ITEMS) return items_contain(rt, w, item, out);
    int64_t at = 0;
    for (gx_entry *e; (e = gx_dict_next(gx_as_dict(w->dict), &at));) {
        gx_value value = gx_keep(e->value);
        bool ok = gx_equal(rt, value, item, out);
        gx_drop(value);
        if (!ok || *out) return ok;
    }
    return true;
}

/* The items as a set, whose operations give sets. */
static bool plain_set(gx_rt *rt, gx_borrowed v, gx_value *out) {
    if (v.tag != GX_SET || v.obj->type == &gx_type_set) return gx_set_of(rt, v, out);
    if (!gx_table_new(rt, &gx_type_set, out)) return false;
    if (gx_table_copy(rt, v, *out)) return true;
    gx_drop(*out);
    return false;
}

static const gx_type keys_type, items_type, ordered_keys_type, ordered_items_type;

static bool set_like(gx_borrowed v) {
    const gx_type *t = gx_type_of(v);
    return v.tag == GX_SET || t == &keys_type || t == &items_type || t == &ordered_keys_type ||
           t == &ordered_items_type;
}

static gx_try view_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    if (op != GX_BITAND && op != GX_BITOR && op != GX_SUB && op != GX_BITXOR) return GX_TRY_NO;
    gx_value x, y;
    int64_t mine, its;
    if (op == GX_BITAND && b.tag == GX_SET) { /* the items are the view's where it is the smaller */
        if (!gx_length(rt, a, &mine) || !gx_length(rt, b, &its)) return GX_TRY_ERROR;
        if (set_like(a) && a.tag != GX_SET && mine <= its) {
            gx_borrowed keys = a;
            a = b;
            b = keys;
        }
    }
    if (!plain_set(rt, a, &x)) return GX_TRY_ERROR;
    bool ok = gx_set_of(rt, b, &y);
    if (ok) {
        ok = gx_set_combine(rt, op, x, y, out);
        gx_drop(y);
    }
    gx_drop(x);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

static gx_try view_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_value x, y;
    bool r;
    if (!set_like(a) || !set_like(b)) return GX_TRY_NO;
    if (!gx_set_of(rt, a, &x)) return GX_TRY_ERROR;
    bool ok = gx_set_of(rt, b, &y);
    if (ok) {
        ok = gx_set_relation(rt, op, x, y, &r);
        gx_drop(y);
    }
    gx_drop(x);
    if (!ok) return GX_TRY_ERROR;
    *out = gx_bool(r);
    return GX_TRY_YES;
}

static bool reversed(gx_call *c, gx_value *out) {
    if (as_view(c->argv[0])->dict.tag == GX_UNDEF) return gone(c->rt);
    const view *w = as_view(c->argv[0]);
    return gx_table_iter(c->rt, w->dict, w->what | w->ordered, true, out);
}

static bool is_disjoint(gx_call *c, gx_value *out) {
    gx_value it, x;
    if (!gx_iter(c->rt, c->argv[1], &it)) return false;
    bool ok, more, found = false;
    while ((ok = gx_next(c->rt, it, &x, &more)) && more) {
        ok = view_contains(c->rt, c->argv[0], x, &found);
        gx_drop(x);
        if (!ok || found) break;
    }
    gx_drop(it);
    if (ok) *out = gx_bool(!found);
    return ok;
}

static const gx_native view_methods[] = {
    {"isdisjoint", "isdisjoint(self, other, /)", "Has it nothing in common with other?", NULL,
     is_disjoint, 0, 0},
    {"__reversed__", "__reversed__(self, /)", "From the last entry.", NULL, reversed, 0, 0},
    {0},
};

#define VIEW(id, text, ...)                                                                        \
    static const gx_type id = {                                                                    \
        .name = text, .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .container = true,                   \
        .free = view_free, .traverse = view_traverse, .clear = view_clear, .repr = view_repr,      \
        .iter = view_iter, .length = view_length, .contains = view_contains,                       \
        .methods = view_methods, __VA_ARGS__                                                       \
    }
VIEW(keys_type, "dict_keys", .binary = view_binary, .compare = view_compare);
VIEW(values_type, "dict_values", .doc = NULL);
VIEW(items_type, "dict_items", .binary = view_binary, .compare = view_compare);
VIEW(ordered_keys_type, "odict_keys", .base = &keys_type);
VIEW(ordered_values_type, "odict_values", .base = &values_type);
VIEW(ordered_items_type, "odict_items", .base = &items_type);

bool gx_view_new(gx_rt *rt, gx_borrowed dict, int what, gx_value *out) {
    const gx_type *types[] = {&keys_type, &values_type, &items_type, NULL,
                              &ordered_keys_type, &ordered_values_type, &ordered_items_type};
    view *w = gx_obj_new(rt, types[what], sizeof *w);
    if (!w) return false;
    w->dict = gx_keep(dict);
    w->what = what & ~GX_VIEW_ORDERED;
    w->ordered = what & GX_VIEW_ORDERED;
    gx_container_track(rt, &w->head);
    *out = gx_object(&w->head.obj);
    return true;
}
