/* collections.namedtuple, whose classes are made by a text in gx, and what the named tuples of the
   runtime have (gx_tuple with fields: results such as linalg.svd's). */
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"
#include "stdlib/library/text.h"
#include "stdlib/library/texts.h"
#include "stdlib/python/builtins.h"
#include "stdlib/stdlib.h"

enum { MAX_FIELDS = 64 };

/* The name of the module whose code calls. */
static bool module_of_caller(gx_call *c, gx_value *out) {
    gx_value names, key;
    if (!gx_stdlib_running(c->rt)->globals(c, &names)) return false;
    bool ok = gx_str_c(c->rt, "__name__", &key);
    if (ok) {
        ok = gx_get_item(c->rt, names, key, out);
        gx_drop(key);
    }
    gx_drop(names);
    return ok;
}

static bool namedtuple(gx_call *c, gx_value *out) {
    gx_value module = gx_keep(c->argv[4]);
    if (!gx_arg_some(c, 4) && !module_of_caller(c, &module)) return false;
    const gx_value args[5] = {c->argv[0], c->argv[1], c->argv[3], c->argv[2], module};
    bool ok = gx_library_pass(c, "<namedtuple>", gx_library_text_python_namedtuple, "make", 5, args,
                              out);
    gx_drop(module);
    return ok;
}

/* --- methods of tuples with fields --- */

static bool has_fields(gx_call *c) {
    return gx_as_tuple(c->argv[0])->fields ||
           gx_fail(c->rt, GX_AttributeError, "attr.unknown", "'tuple' object has no attribute '%s'",
                   c->fn->name);
}

static bool tuple_asdict(gx_call *c, gx_value *out) {
    gx_value dict, key;
    if (!has_fields(c) || !gx_dict_new(c->rt, &dict)) return false;
    const gx_tuple *t = gx_as_tuple(c->argv[0]);
    bool ok = true;
    for (int64_t i = 0; ok && i < t->count; i++) {
        ok = gx_str_of_sym(c->rt, t->fields[i], &key);
        if (!ok) break;
        ok = gx_dict_set(c->rt, dict, key, t->items[i]);
        gx_drop(key);
    }
    if (ok)
        *out = dict;
    else
        gx_drop(dict);
    return ok;
}

static bool tuple_replace(gx_call *c, gx_value *out) {
    gx_value items[MAX_FIELDS];
    gx_entry *e;
    int64_t at = 0;
    if (!has_fields(c)) return false;
    const gx_tuple *t = gx_as_tuple(c->argv[0]);
    if (t->count > MAX_FIELDS)
        return gx_fail(c->rt, GX_ValueError, "namedtuple.fields",
                       "a namedtuple has at most %d fields", MAX_FIELDS);
    for (int64_t i = 0; i < t->count; i++) items[i] = t->items[i];
    while ((e = gx_dict_next(gx_as_dict(c->argv[1]), &at))) {
        gx_sym name = gx_str_sym(c->rt, e->key);
        int64_t i = 0;
        if (!name) return false;
        while (i < t->count && t->fields[i] != name) i++;
        if (i == t->count)
            return gx_fail(c->rt, GX_ValueError, "namedtuple.fields",
                           "Got unexpected field names: ['%s']", gx_sym_text(c->rt, name));
        items[i] = e->value;
    }
    return gx_tuple_named(c->rt, t->type_name, t->count, t->fields, items, out);
}

const gx_native gx_py_tuple_methods[] = {
    {"_asdict", "_asdict(self)", "The fields as a dict.", NULL, tuple_asdict, 0, 0},
    {"_replace", "_replace(self, **kwargs)", "A tuple with some fields changed.", NULL,
     tuple_replace, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};

const gx_native gx_py_collections_functions[] = {
    {"namedtuple", "namedtuple(typename, field_names, *, defaults=None, rename=False, module=None)",
     "A class of tuples with names for their items.",
     "collections.namedtuple('P', 'x y')(1, 2)  # P(x=1, y=2)", namedtuple, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
