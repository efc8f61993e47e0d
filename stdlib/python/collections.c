/* The module collections' dicts: defaultdict, Counter, OrderedDict. They are dicts (isinstance,
   tag, methods) whose types override what differs. deque is in deque.c, namedtuple in
   namedtuple.c. */
#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/operators.h"
#include "runtime/object/text/str.h"
#include "stdlib/python/builtins.h"
#include "stdlib/python/walk.h"
#include "stdlib/stdlib.h"
#include "stdlib/library/texts.h"

typedef struct gx_defaultdict {
    gx_dict dict;
    gx_value factory; /* callable or None */
} gx_defaultdict;

static void free_dict(gx_rt *rt, gx_obj *o) {
    gx_type_dict.free(rt, o);
}

static void traverse_dict(gx_obj *o, gx_visit visit, void *ctx) {
    gx_type_dict.traverse(o, visit, ctx);
}

static void clear_dict(gx_rt *rt, gx_obj *o) {
    gx_type_dict.clear(rt, o);
}

/* A new empty dict of one of the types here. */
static bool new_dict(gx_rt *rt, const gx_type *type, size_t bytes, gx_value *out) {
    gx_dict *d = gx_obj_new(rt, type, bytes);
    if (!d) return false;
    gx_container_track(rt, &d->head);
    *out = gx_object(&d->head.obj);
    return true;
}

/* to.update(dict(from)). */
static bool add_mapping(gx_rt *rt, gx_borrowed to, int argc, const gx_borrowed *argv,
                        gx_borrowed kw) {
    gx_value plain;
    gx_entry *e;
    int64_t at = 0;
    if (!gx_call_value(rt, gx_type_value(&gx_type_dict), argc, argv, 0, NULL, &plain)) return false;
    bool ok = true;
    while (ok && (e = gx_dict_next(gx_as_dict(plain), &at)))
        ok = gx_dict_set(rt, to, e->key, e->value);
    gx_drop(plain);
    at = 0;
    while (ok && (e = gx_dict_next(gx_as_dict(kw), &at)))
        ok = gx_dict_set(rt, to, e->key, e->value);
    return ok;
}

/* "name(" and the dict's own repr and ")". */
static bool repr_as(gx_rt *rt, const char *name, gx_borrowed v, gx_buf *out) {
    return gx_buf_puts(out, name) && gx_type_dict.repr(rt, v, out) && gx_buf_char(out, ')');
}

static bool copy_entries(gx_rt *rt, gx_borrowed from, gx_borrowed to) {
    gx_entry *e;
    int64_t at = 0;
    while ((e = gx_dict_next(gx_as_dict(from), &at)))
        if (!gx_dict_set(rt, to, e->key, e->value)) return false;
    return true;
}

/* a | b of two dicts in `into`, a new and empty one, which is taken. */
static gx_try united(gx_rt *rt, gx_borrowed a, gx_borrowed b, gx_value into, gx_value *out) {
    if (copy_entries(rt, a, into) && copy_entries(rt, b, into)) {
        *out = into;
        return GX_TRY_YES;
    }
    gx_drop(into);
    return GX_TRY_ERROR;
}

/* --- defaultdict --- */

static const gx_type defaultdict_type;

static gx_value *factory_of(gx_borrowed v) {
    return &((gx_defaultdict *)v.obj)->factory;
}

static bool defaultdict_missing(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    gx_value made;
    if (!gx_call_value(rt, *factory_of(v), 0, NULL, 0, NULL, &made)) return false;
    if (!gx_dict_set(rt, v, key, made)) {
        gx_drop(made);
        return false;
    }
    *out = made;
    return true;
}

static bool defaultdict_get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    if (factory_of(v)->tag == GX_NONE) return gx_type_dict.get(rt, v, key, out);
    gx_try r = gx_dict_find(rt, v, key, out);
    if (r == GX_TRY_NO) return defaultdict_missing(rt, v, key, out);
    return r == GX_TRY_YES;
}

static bool defaultdict_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    return gx_buf_puts(out, "defaultdict(") && gx_repr(rt, *factory_of(v), out) &&
           repr_as(rt, ", ", v, out);
}

static void defaultdict_free(gx_rt *rt, gx_obj *o) {
    gx_drop(((gx_defaultdict *)o)->factory);
    gx_type_dict.free(rt, o);
}

static void defaultdict_traverse(gx_obj *o, gx_visit visit, void *ctx) {
    gx_value factory = ((gx_defaultdict *)o)->factory;
    if (gx_is_object(factory)) visit(factory.obj, ctx);
    gx_type_dict.traverse(o, visit, ctx);
}

static void defaultdict_clear(gx_rt *rt, gx_obj *o) {
    gx_value factory = ((gx_defaultdict *)o)->factory;
    ((gx_defaultdict *)o)->factory = gx_none();
    gx_drop(factory);
    gx_type_dict.clear(rt, o);
}

static bool new_defaultdict(gx_rt *rt, gx_borrowed factory, gx_value *out) {
    if (!new_dict(rt, &defaultdict_type, sizeof(gx_defaultdict), out)) return false;
    *factory_of(*out) = gx_keep(factory);
    return true;
}

static bool make_defaultdict(gx_call *c, gx_value *out) {
    gx_value v;
    const gx_tuple *rest = gx_as_tuple(c->argv[1]);
    if (c->argv[0].tag != GX_NONE && !gx_callable(c->argv[0]))
        return gx_fail(c->rt, GX_TypeError, "call.type", "first argument must be callable or None");
    if (!new_defaultdict(c->rt, c->argv[0], &v)) return false;
    if (add_mapping(c->rt, v, (int)rest->count, rest->items, c->argv[2])) {
        *out = v;
        return true;
    }
    gx_drop(v);
    return false;
}

static bool defaultdict_copy(gx_call *c, gx_value *out) {
    gx_value v;
    if (!new_defaultdict(c->rt, *factory_of(c->argv[0]), &v)) return false;
    if (copy_entries(c->rt, c->argv[0], v)) {
        *out = v;
        return true;
    }
    gx_drop(v);
    return false;
}

static bool get_factory(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(*factory_of(self));
    return true;
}

static bool set_factory(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    (void)rt;
    gx_value old = *factory_of(self);
    *factory_of(self) = gx_keep(value);
    gx_drop(old);
    return true;
}

static gx_try defaultdict_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b,
                                 gx_value *out) {
    gx_value into;
    if (op != GX_BITOR || a.tag != GX_DICT || b.tag != GX_DICT) return GX_TRY_NO;
    gx_borrowed ours = gx_isinstance(a, &defaultdict_type) ? a : b;
    if (!new_defaultdict(rt, *factory_of(ours), &into)) return GX_TRY_ERROR;
    return united(rt, a, b, into, out);
}

static bool defaultdict_missing_row(gx_call *c, gx_value *out) {
    if (factory_of(c->argv[0])->tag == GX_NONE) return gx_key_error(c->rt, c->argv[1]);
    return defaultdict_missing(c->rt, c->argv[0], c->argv[1], out);
}

static const gx_native defaultdict_row = {
    "defaultdict", "defaultdict(default_factory=None, /, *args, **kwargs)",
    "A dict that makes the value of a missing key.", "collections.defaultdict(int)['a']  # 0",
    make_defaultdict, 0, 0};
static const gx_native defaultdict_methods[] = {
    {"copy", "copy(self, /)", "A copy that shares the values.", NULL, defaultdict_copy, 0, 0},
    {"__copy__", "__copy__(self, /)", "As copy.", NULL, defaultdict_copy, 0, 0},
    {"__missing__", "__missing__(self, key, /)", "Makes, keeps and returns a key's value.", NULL,
     defaultdict_missing_row, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
static const gx_member defaultdict_members[] = {
    {"default_factory", get_factory, set_factory, "What makes the value of a missing key."},
    {NULL, NULL, NULL, NULL},
};

static const gx_type defaultdict_type = {
    .name = "collections.defaultdict",
    .base = &gx_type_dict,
    .tag = GX_DICT,
    .dtype = GX_NO_DTYPE,
    .container = true,
    .doc = "A dict that makes the value of a missing key.",
    .free = defaultdict_free,
    .traverse = defaultdict_traverse,
    .clear = defaultdict_clear,
    .repr = defaultdict_repr,
    .get = defaultdict_get,
    .binary = defaultdict_binary,
    .construct = &defaultdict_row,
    .methods = defaultdict_methods,
    .members = defaultdict_members,
};

/* --- OrderedDict --- */

static bool ordered_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    if (gx_as_dict(v)->count == 0) return gx_buf_puts(out, "OrderedDict()");
    return repr_as(rt, "OrderedDict(", v, out);
}

static const gx_type ordered_type;

static bool make_ordered(gx_call *c, gx_value *out) {
    gx_value v;
    const gx_tuple *rest = gx_as_tuple(c->argv[0]);
    if (!new_dict(c->rt, &ordered_type, sizeof(gx_dict), &v)) return false;
    if (add_mapping(c->rt, v, (int)rest->count, rest->items, c->argv[1])) {
        *out = v;
        return true;
    }
    gx_drop(v);
    return false;
}

static bool ordered_copy(gx_call *c, gx_value *out) {
    gx_value v;
    if (!new_dict(c->rt, &ordered_type, sizeof(gx_dict), &v)) return false;
    if (copy_entries(c->rt, c->argv[0], v)) {
        *out = v;
        return true;
    }
    gx_drop(v);
    return false;
}

/* Moves every entry but `key` behind it. */
static bool to_front(gx_rt *rt, gx_borrowed dict, gx_borrowed key) {
    gx_value keys, value;
    if (!gx_list_of(rt, dict, &keys)) return false;
    bool ok = true;
    for (int64_t i = 0; ok && i < gx_as_list(keys)->count; i++) {
        gx_borrowed k = gx_as_list(keys)->items[i];
        bool same;
        ok = gx_equal(rt, k, key, &same);
        if (!ok || same) continue;
        gx_try had = gx_dict_remove(rt, dict, k, &value);
        ok = had == GX_TRY_YES || (had == GX_TRY_NO && gx_key_error(rt, k));
        if (!ok) break;
        ok = gx_dict_set(rt, dict, k, value);
        gx_drop(value);
    }
    gx_drop(keys);
    return ok;
}

static bool ordered_move(gx_call *c, gx_value *out) {
    gx_value key, value;
    bool last;
    if (!gx_arg_bool(c, 2, &last)) return false;
    gx_try had = gx_as_dict(c->argv[0])->count == 0
                     ? GX_TRY_NO
                     : gx_dict_own_key(c->rt, c->argv[0], c->argv[1], &key);
    if (had == GX_TRY_ERROR) return false;
    if (had == GX_TRY_NO) return gx_key_error(c->rt, c->argv[1]);
    bool ok = true;
    if (!last) {
        ok = to_front(c->rt, c->argv[0], key);
    } else {
        had = gx_dict_remove(c->rt, c->argv[0], key, &value);
        ok = had == GX_TRY_YES && gx_dict_set(c->rt, c->argv[0], key, value);
        if (had == GX_TRY_YES) gx_drop(value);
        if (had == GX_TRY_NO) ok = gx_key_error(c->rt, key);
    }
    gx_drop(key);
    if (ok) *out = gx_none();
    return ok;
}

static bool ordered_popitem(gx_call *c, gx_value *out) {
    gx_value pair[2];
    bool last;
    if (!gx_arg_bool(c, 1, &last)) return false;
    if (gx_as_dict(c->argv[0])->count == 0)
        return gx_fail(c->rt, GX_KeyError, "iter.empty", "'dictionary is empty'");
    gx_dict_pop_end(c->argv[0], last, pair);
    return gx_tuple_take(c->rt, 2, pair, out);
}

static gx_try ordered_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_value into;
    if (op != GX_BITOR || a.tag != GX_DICT || b.tag != GX_DICT) return GX_TRY_NO;
    if (!new_dict(rt, &ordered_type, sizeof(gx_dict), &into)) return GX_TRY_ERROR;
    return united(rt, a, b, into, out);
}

static bool ordered_iter(gx_rt *rt, gx_borrowed v, gx_value *out) {
    return gx_table_iter(rt, v, GX_VIEW_KEYS | GX_VIEW_ORDERED, false, out);
}

static bool ordered_keys(gx_call *c, gx_value *out) {
    return gx_view_new(c->rt, c->argv[0], GX_VIEW_KEYS | GX_VIEW_ORDERED, out);
}

static bool ordered_values(gx_call *c, gx_value *out) {
    return gx_view_new(c->rt, c->argv[0], GX_VIEW_VALUES | GX_VIEW_ORDERED, out);
}

static bool ordered_items(gx_call *c, gx_value *out) {
    return gx_view_new(c->rt, c->argv[0], GX_VIEW_ITEMS | GX_VIEW_ORDERED, out);
}

/* A key that cannot be hashed is refused, even where there are no entries. */
static bool ordered_pop(gx_call *c, gx_value *out) {
    uint64_t hash;
    if (!gx_hash(c->rt, c->argv[1], &hash)) return false;
    gx_try had = gx_dict_remove(c->rt, c->argv[0], c->argv[1], out);
    if (had != GX_TRY_NO) return had == GX_TRY_YES;
    if (!gx_arg_given(c, 2)) return gx_key_error(c->rt, c->argv[1]);
    *out = gx_keep(c->argv[2]);
    return true;
}

/* Two of them are equal when their order is, too. */
static gx_try ordered_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_value x, y;
    gx_try r = gx_type_dict.compare(rt, op, a, b, out);
    if (r != GX_TRY_YES || out->b != (op == GX_EQ)) return r;
    if (!gx_isinstance(a, &ordered_type) || !gx_isinstance(b, &ordered_type)) return r;
    if (!gx_list_of(rt, a, &x)) return GX_TRY_ERROR;
    r = GX_TRY_ERROR;
    if (gx_list_of(rt, b, &y)) {
        r = gx_type_list.compare(rt, op, x, y, out);
        gx_drop(y);
    }
    gx_drop(x);
    return r;
}

static const gx_native ordered_row = {"OrderedDict", "OrderedDict(*args, **kwargs)",
                                      "A dict that knows how to move entries to an end.",
                                      "collections.OrderedDict(a=1)  # OrderedDict([('a', 1)])",
                                      make_ordered, 0, 0};
static const gx_native ordered_methods[] = {
    {"move_to_end", "move_to_end(self, key, last=True)", "Moves an entry to an end.", NULL,
     ordered_move, 0, 0},
    {"popitem", "popitem(self, last=True)", "Removes and returns the last or first pair.", NULL,
     ordered_popitem, 0, 0},
    {"copy", "copy(self, /)", "A copy that shares the values.", NULL, ordered_copy, 0, 0},
    {"keys", "keys(self, /)", "The keys, as they are now.", NULL, ordered_keys, 0, 0},
    {"values", "values(self, /)", "The values, as they are now.", NULL, ordered_values, 0, 0},
    {"items", "items(self, /)", "The pairs, as they are now.", NULL, ordered_items, 0, 0},
    {"pop", "pop(self, key, default=<no value>)", "Removes a key and returns its value.", NULL,
     ordered_pop, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
static const gx_type ordered_type = {
    .name = "collections.OrderedDict",
    .base = &gx_type_dict,
    .tag = GX_DICT,
    .dtype = GX_NO_DTYPE,
    .container = true,
    .doc = "A dict with an order of its own.",
    .free = free_dict,
    .traverse = traverse_dict,
    .clear = clear_dict,
    .repr = ordered_repr,
    .iter = ordered_iter,
    .binary = ordered_binary,
    .compare = ordered_compare,
    .construct = &ordered_row,
    .methods = ordered_methods,
};

extern const gx_type gx_type_counter, gx_type_deque;

/* collections.abc is written in gx. */
static bool make_abc(gx_rt *rt, gx_namespace ns, gx_value *out) {
    (void)ns;
    return gx_library_module(rt, "collections.abc", gx_library_text_python_collections_abc,
                             GX_NS_NUMPY, out);
}

/* A class that is written in gx. */
static bool make_user(gx_rt *rt, const char *name, gx_value *out) {
    gx_value module;
    gx_sym sym = gx_sym_c(rt, name);
    if (!sym || !gx_library_module(rt, "collections", gx_library_text_python_collections_user,
                                   GX_NS_NUMPY, &module))
        return false;
    bool ok = gx_get_attr(rt, module, sym, out);
    gx_drop(module);
    return ok;
}

#define USER(name)                                                                                 \
    static bool make_##name(gx_rt *rt, gx_namespace ns, gx_value *out) {                           \
        (void)ns;                                                                                  \
        return make_user(rt, #name, out);                                                          \
    }
USER(ChainMap)
USER(UserDict)
USER(UserList)
USER(UserString)

const gx_constant gx_py_collections_constants[] = {
    {.name = "ChainMap", .kind = GX_CONST_MAKE, .make = make_ChainMap},
    {.name = "UserDict", .kind = GX_CONST_MAKE, .make = make_UserDict},
    {.name = "UserList", .kind = GX_CONST_MAKE, .make = make_UserList},
    {.name = "UserString", .kind = GX_CONST_MAKE, .make = make_UserString},
    {.name = "abc", .kind = GX_CONST_MAKE, .make = make_abc},
    {.name = "defaultdict", .kind = GX_CONST_TYPE, .type = &defaultdict_type},
    {.name = "OrderedDict", .kind = GX_CONST_TYPE, .type = &ordered_type},
    {.name = "Counter", .kind = GX_CONST_TYPE, .type = &gx_type_counter},
    {.name = "deque", .kind = GX_CONST_TYPE, .type = &gx_type_deque},
    {.name = NULL},
};
