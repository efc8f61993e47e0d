/* collections.namedtuple: a callable that makes tuples with field names. What it makes are tuples
   of the runtime (gx_tuple with fields); the maker itself is a walk: a the name, b a tuple of field
   names, c a tuple of defaults for the last fields. */
#include <ctype.h>
#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"
#include "stdlib/python/builtins.h"
#include "stdlib/python/walk.h"
#include "stdlib/stdlib.h"
#include "stdlib/library/texts.h"

enum { MAX_FIELDS = 64 };

static bool field_syms(gx_rt *rt, const gx_walk *w, gx_sym *fields) {
    const gx_tuple *names = gx_as_tuple(w->b);
    for (int64_t i = 0; i < names->count; i++)
        if (!(fields[i] = gx_str_sym(rt, names->items[i]))) return false;
    return true;
}

static bool make_named(gx_rt *rt, const gx_walk *w, const gx_value *items, gx_value *out) {
    gx_sym fields[MAX_FIELDS];
    /* The type's name lives as long as the context: interned names do. */
    gx_sym name = gx_str_sym(rt, w->a);
    if (!name || !field_syms(rt, w, fields)) return false;
    return gx_tuple_named(rt, gx_sym_text(rt, name), gx_as_tuple(w->b)->count, fields, items, out);
}

static bool maker_call(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                       const gx_sym *kw, gx_value *out) {
    gx_walk *w = gx_as_walk(self);
    int n = (int)gx_as_tuple(w->b)->count;
    const gx_tuple *defaults = gx_as_tuple(w->c);
    const char *name = gx_as_str(w->a)->text;
    gx_sym fields[MAX_FIELDS];
    gx_value items[MAX_FIELDS];
    if (!field_syms(rt, w, fields)) return false;
    if (argc > n)
        return gx_fail(rt, GX_TypeError, "call.arguments",
                       "%s.__new__() takes %d positional arguments but %d were given", name, n + 1,
                       argc + 1);
    for (int i = 0; i < n; i++) items[i] = i < argc ? argv[i] : gx_undef();
    for (int k = 0; k < kwc; k++) {
        int i = 0;
        while (i < n && fields[i] != kw[k]) i++;
        if (i == n)
            return gx_fail(rt, GX_TypeError, "call.keyword",
                           "%s.__new__() got an unexpected keyword argument '%s'", name,
                           gx_sym_text(rt, kw[k]));
        if (items[i].tag != GX_UNDEF)
            return gx_fail(rt, GX_TypeError, "call.keyword",
                           "%s.__new__() got multiple values for argument '%s'", name,
                           gx_sym_text(rt, kw[k]));
        items[i] = argv[argc + k];
    }
    for (int i = 0; i < n; i++) {
        int64_t d = i - (n - defaults->count);
        if (items[i].tag != GX_UNDEF) continue;
        if (d < 0)
            return gx_fail(rt, GX_TypeError, "call.arguments",
                           "%s.__new__() missing required positional argument: '%s'", name,
                           gx_sym_text(rt, fields[i]));
        items[i] = defaults->items[d];
    }
    return make_named(rt, w, items, out);
}

static bool maker_make(gx_call *c, gx_value *out) {
    gx_walk *w = gx_as_walk(c->argv[0]);
    gx_value items;
    if (!gx_tuple_of(c->rt, c->argv[1], &items)) return false;
    int64_t n = gx_as_tuple(w->b)->count, given = gx_as_tuple(items)->count;
    bool ok =
        n == given || gx_fail(c->rt, GX_TypeError, "call.arguments",
                              "Expected %lld arguments, got %lld", (long long)n, (long long)given);
    ok = ok && make_named(c->rt, w, gx_as_tuple(items)->items, out);
    gx_drop(items);
    return ok;
}

static bool get_fields(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(gx_as_walk(self)->b);
    return true;
}

static bool get_name(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(gx_as_walk(self)->a);
    return true;
}

static bool repr_maker(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    return gx_buf_printf(out, "<class '%s'>", gx_as_str(gx_as_walk(v)->a)->text);
}

/* (C,): the class to inherit from for `class P(namedtuple(…))`. */
static bool mro_entries(gx_call *c, gx_value *out) {
    const gx_walk *w = gx_as_walk(c->argv[0]);
    const gx_value parts[3] = {w->a, w->b, w->c};
    gx_value module, fn, cls;
    gx_sym base = gx_sym_c(c->rt, "base");
    if (!base || !gx_library_module(c->rt, "<namedtuple>", gx_library_text_python_namedtuple,
                                    GX_NS_NUMPY, &module))
        return false;
    bool ok = gx_module_get(c->rt, gx_as_module(module), base, &fn) == GX_TRY_YES;
    gx_drop(module);
    if (!ok) return false;
    ok = gx_call_value(c->rt, fn, 3, parts, 0, NULL, &cls);
    gx_drop(fn);
    return ok && gx_tuple_take(c->rt, 1, &cls, out);
}

static const gx_native maker_methods[] = {
    {"__mro_entries__", "__mro_entries__(self, bases, /)", "What a class inherits from instead.",
     NULL, mro_entries, 0, 0},
    {"_make", "_make(self, iterable, /)", "A tuple of what an iterable yields.", NULL, maker_make,
     0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
static const gx_member maker_members[] = {
    {"_fields", get_fields, NULL, "The field names."},
    {"__name__", get_name, NULL, "The type's name."},
    {NULL, NULL, NULL, NULL},
};
static const gx_type maker_type = {
    .name = "type", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .container = true,
    .free = gx_walk_free, .traverse = gx_walk_traverse, .clear = gx_walk_clear,
    .repr = repr_maker, .call = maker_call, .methods = maker_methods, .members = maker_members,
};

/* --- namedtuple(name, fields) --- */

/* "x y" or "x, y" as a list of names. */
static bool split_names(gx_rt *rt, const char *text, gx_value *out) {
    gx_value list, name;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    for (;;) {
        text += strspn(text, ", \t\n");
        size_t n = strcspn(text, ", \t\n");
        if (n == 0) break;
        if (!gx_str_new(rt, text, n, &name) || !gx_list_push_take(rt, list, name)) {
            gx_drop(list);
            return false;
        }
        text += n;
    }
    *out = list;
    return true;
}

static bool check_names(gx_call *c, const gx_tuple *names) {
    if (names->count > MAX_FIELDS)
        return gx_fail(c->rt, GX_ValueError, "namedtuple.fields",
                       "a namedtuple has at most %d fields", MAX_FIELDS);
    for (int64_t i = 0; i < names->count; i++) {
        if (names->items[i].tag != GX_STR)
            return gx_fail(c->rt, GX_TypeError, "namedtuple.fields",
                           "Type names and field names must be strings");
        const char *name = gx_as_str(names->items[i])->text;
        if (name[0] == '_')
            return gx_fail(c->rt, GX_ValueError, "namedtuple.fields",
                           "Field names cannot start with an underscore: '%s'", name);
        bool good = isalpha((unsigned char)name[0]) || (unsigned char)name[0] >= 0x80;
        for (const char *p = name; *p; p++)
            good = good && (isalnum((unsigned char)*p) || *p == '_' || (unsigned char)*p >= 0x80);
        if (!good)
            return gx_fail(c->rt, GX_ValueError, "namedtuple.fields",
                           "Type names and field names must be valid identifiers: '%s'", name);
        for (int64_t k = 0; k < i; k++)
            if (strcmp(gx_as_str(names->items[k])->text, name) == 0)
                return gx_fail(c->rt, GX_ValueError, "namedtuple.fields",
                               "Encountered duplicate field name: '%s'", name);
    }
    return true;
}

static bool make_maker(gx_call *c, gx_value *out) {
    const char *text;
    size_t length;
    gx_value names, list, defaults;
    if (!gx_arg_str(c, 0, &text, &length)) return false;
    if (c->argv[1].tag == GX_STR) {
        if (!split_names(c->rt, gx_as_str(c->argv[1])->text, &list)) return false;
    } else if (!gx_list_of(c->rt, c->argv[1], &list)) {
        return false;
    }
    bool ok = gx_tuple_of(c->rt, list, &names);
    gx_drop(list);
    if (!ok) return false;
    if (gx_arg_some(c, 2))
        ok = gx_tuple_of(c->rt, c->argv[2], &defaults);
    else
        ok = gx_tuple_new(c->rt, 0, NULL, &defaults);
    if (!ok) {
        gx_drop(names);
        return false;
    }
    ok = check_names(c, gx_as_tuple(names));
    if (ok && gx_as_tuple(defaults)->count > gx_as_tuple(names)->count)
        ok = gx_fail(c->rt, GX_TypeError, "namedtuple.fields",
                     "Got more default values than field names");
    gx_walk *w = ok ? gx_walk_new(c->rt, &maker_type, 0) : NULL;
    if (!w) {
        gx_drop(names);
        gx_drop(defaults);
        return false;
    }
    w->a = gx_keep(c->argv[0]);
    w->b = names;
    w->c = defaults;
    return gx_walk_done(c->rt, w, out);
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
     "A function that makes tuples with names for their items.",
     "collections.namedtuple('P', 'x y')(1, 2)  # P(x=1, y=2)", make_maker, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
