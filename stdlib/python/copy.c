/* The modules copy, string, contextlib: copies of values, constants of characters, small context
   managers. A deep copy follows lists, tuples, dicts and deques; shared parts stay shared. */
#include <string.h>

#include "runtime/object/class/class.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/text/str.h"
#include "stdlib/python/builtins.h"
#include "stdlib/python/walk.h"
#include "stdlib/stdlib.h"

/* __copy__, or a new instance with the same attributes. */
static bool copy_instance(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_try own = gx_special(rt, v, "__copy__", 0, NULL, out);
    if (own != GX_TRY_NO) return own == GX_TRY_YES;
    return gx_instance_copy(rt, v, out);
}

/* What stands for a place in a run, in a file or in another object has no copy. */
static bool may_copy(gx_rt *rt, gx_borrowed v) {
    static const char *const none[] = {"generator",  "dict_keys",      "dict_values",
                                       "dict_items", "memoryview",     "_io.TextIOWrapper",
                                       "module",     "_io.BufferedIO", "mappingproxy"};
    const char *name = gx_type_name(v);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (strcmp(name, none[i]) == 0)
            return gx_fail(rt, GX_TypeError, "copy.type", "cannot copy a '%s' object", name);
    return true;
}

/* v.copy(); what has no such method is copied by keeping it. */
static bool shallow(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_value method;
    if (gx_is_instance(v)) return copy_instance(rt, v, out);
    if (v.tag >= GX_FIRST_OBJECT && !may_copy(rt, v)) return false;
    if (v.tag == GX_EXCEPTION) return gx_exception_copy(rt, v, out);
    if (v.tag < GX_FIRST_OBJECT || v.tag == GX_STR || v.tag == GX_TUPLE || v.tag == GX_MODULE) {
        *out = gx_keep(v);
        return true;
    }
    gx_sym name = gx_sym_c(rt, "copy");
    gx_try has = name ? gx_try_attr(rt, v, name, &method) : GX_TRY_ERROR;
    if (has == GX_TRY_ERROR) return false;
    if (has == GX_TRY_NO) {
        *out = gx_keep(v);
        return true;
    }
    bool ok = gx_call_value(rt, method, 0, NULL, 0, NULL, out);
    gx_drop(method);
    return ok;
}

static bool copy_copy(gx_call *c, gx_value *out) {
    return shallow(c->rt, c->argv[0], out);
}

static bool deep(gx_rt *rt, gx_borrowed v, gx_borrowed memo, gx_value *out);

/* Each item of a list or anything with get and set, in place. */
static bool deepen_items(gx_rt *rt, gx_borrowed copy, gx_borrowed memo) {
    int64_t n;
    gx_value item, fresh;
    if (!gx_length(rt, copy, &n)) return false;
    for (int64_t i = 0; i < n; i++) {
        if (!gx_get_item(rt, copy, gx_int(i), &item)) return false;
        bool ok = deep(rt, item, memo, &fresh);
        gx_drop(item);
        if (!ok) return false;
        ok = gx_set_item(rt, copy, gx_int(i), fresh);
        gx_drop(fresh);
        if (!ok) return false;
    }
    return true;
}

static bool deepen_dict(gx_rt *rt, gx_borrowed copy, gx_borrowed memo) {
    gx_entry *e;
    int64_t at = 0;
    while ((e = gx_dict_next(gx_as_dict(copy), &at))) {
        gx_value key = gx_keep(e->key), value = gx_keep(e->value), fresh;
        bool ok = deep(rt, value, memo, &fresh);
        gx_drop(value);
        if (ok) {
            ok = gx_dict_set(rt, copy, key, fresh);
            gx_drop(fresh);
        }
        gx_drop(key);
        if (!ok) return false;
    }
    return true;
}

static bool deep_tuple(gx_rt *rt, gx_borrowed v, gx_borrowed memo, gx_value *out) {
    const gx_tuple *t = gx_as_tuple(v);
    gx_value list, item;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    bool ok = true, changed = false;
    for (int64_t i = 0; ok && i < t->count; i++) {
        ok = deep(rt, t->items[i], memo, &item);
        if (!ok) break;
        changed |= gx_is_object(item) && item.obj != t->items[i].obj;
        ok = gx_list_push_take(rt, list, item);
    }
    if (ok && !changed)
        *out = gx_keep(v);
    else if (ok)
        ok = t->fields ? gx_tuple_named(rt, t->type_name, t->count, t->fields,
                                        gx_as_list(list)->items, out)
                       : gx_tuple_of(rt, list, out);
    gx_drop(list);
    return ok;
}

static bool deep(gx_rt *rt, gx_borrowed v, gx_borrowed memo, gx_value *out) {
    gx_value copy;
    bool instance = gx_is_instance(v);
    bool sequence =
        v.tag == GX_LIST || (v.tag == GX_OBJECT && gx_type_of(v)->set && !instance);
    if (!gx_stack_check(rt)) return false;
    gx_try own = gx_special(rt, v, "__deepcopy__", 1, &memo, out);
    if (own != GX_TRY_NO) return own == GX_TRY_YES;
    if (v.tag == GX_TUPLE) return deep_tuple(rt, v, memo, out);
    if (!sequence && !instance && v.tag != GX_DICT && v.tag != GX_SET && v.tag != GX_ARRAY) {
        if (v.tag >= GX_FIRST_OBJECT && !may_copy(rt, v)) return false;
        *out = gx_keep(v);
        return true;
    }
    gx_value id = gx_int((int64_t)(uintptr_t)v.obj);
    gx_try seen = gx_dict_find(rt, memo, id, out);
    if (seen != GX_TRY_NO) return seen == GX_TRY_YES;
    if (!shallow(rt, v, &copy)) return false;
    bool ok = gx_dict_set(rt, memo, id, copy);
    if (ok && sequence) ok = deepen_items(rt, copy, memo);
    if (ok && v.tag == GX_DICT) ok = deepen_dict(rt, copy, memo);
    for (int32_t i = 0; ok && instance && gx_instance_field(copy, i); i++) {
        gx_value held = gx_keep(*gx_instance_field(copy, i)), fresh;
        ok = deep(rt, held, memo, &fresh);
        gx_drop(held);
        if (!ok) break;
        gx_value *place = gx_instance_field(copy, i), old = place ? *place : fresh;
        if (place) *place = fresh;
        gx_drop(old);
    }
    if (ok && instance && gx_instance_asked_dict(copy).tag == GX_DICT)
        ok = deepen_dict(rt, gx_instance_asked_dict(copy), memo);
    if (ok)
        *out = copy;
    else
        gx_drop(copy);
    return ok;
}

static bool copy_deepcopy(gx_call *c, gx_value *out) {
    gx_value memo;
    if (!gx_dict_new(c->rt, &memo)) return false;
    bool ok = deep(c->rt, c->argv[0], memo, out);
    gx_drop(memo);
    return ok;
}

const gx_native gx_py_copy_functions[] = {
    {"copy", "copy(x)", "A copy that shares the parts.", "copy.copy([1, 2])  # [1, 2]", copy_copy,
     0, 0},
    {"deepcopy", "deepcopy(x)", "A copy whose parts are copies too.",
     "copy.deepcopy([[1], [2]])  # [[1], [2]]", copy_deepcopy, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};

/* --- string --- */

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define PUNCTUATION "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
#define SPACE " \t\n\r\v\f"
#define TEXT(n, t) {.name = n, .kind = GX_CONST_STR, .text = t}

const gx_constant gx_py_string_constants[] = {
    TEXT("ascii_lowercase", LOWER),
    TEXT("ascii_uppercase", UPPER),
    TEXT("ascii_letters", LOWER UPPER),
    TEXT("digits", "0123456789"),
    TEXT("hexdigits", "0123456789abcdefABCDEF"),
    TEXT("octdigits", "01234567"),
    TEXT("punctuation", PUNCTUATION),
    TEXT("whitespace", SPACE),
    TEXT("printable", "0123456789" LOWER UPPER PUNCTUATION SPACE),
    {.name = NULL},
};

/* --- contextlib: a the value of nullcontext, or the exception types that suppress swallows --- */

static bool enter(gx_call *c, gx_value *out) {
    *out = gx_keep(gx_as_walk(c->argv[0])->a);
    return true;
}

static bool leave_null(gx_call *c, gx_value *out) {
    (void)c;
    *out = gx_none();
    return true;
}

static bool leave_suppress(gx_call *c, gx_value *out) {
    const gx_tuple *wanted = gx_as_tuple(gx_as_walk(c->argv[0])->a);
    const gx_tuple *args = gx_as_tuple(c->argv[1]);
    bool yes = false;
    const gx_type *raised = args->count ? gx_as_type(args->items[0]) : NULL;
    for (int64_t i = 0; raised && i < wanted->count; i++) {
        const gx_type *t = gx_as_type(wanted->items[i]);
        yes |= t && gx_type_is(raised, t);
    }
    *out = gx_bool(yes);
    return true;
}

#define MANAGER(id, text, leave_fn)                                                                \
    static const gx_native id##_methods[] = {                                                      \
        {"__enter__", "__enter__(self, /)", "Begins.", NULL, enter, 0, 0},                         \
        {"__exit__", "__exit__(self, *args)", "Ends.", NULL, leave_fn, 0, 0},                      \
        {NULL, NULL, NULL, NULL, NULL, 0, 0},                                                      \
    };                                                                                             \
    static const gx_type id = {                                                                    \
        .name = text, .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .container = true,                   \
        .free = gx_walk_free, .traverse = gx_walk_traverse, .clear = gx_walk_clear,                \
        .methods = id##_methods,                                                                   \
    }
MANAGER(null_type, "contextlib.nullcontext", leave_null);
MANAGER(suppress_type, "contextlib.suppress", leave_suppress);

static bool manager(gx_call *c, const gx_type *type, gx_value *out) {
    gx_walk *w = gx_walk_new(c->rt, type, 0);
    if (!w) return false;
    w->a = gx_keep(c->argv[0]);
    return gx_walk_done(c->rt, w, out);
}

static bool contextlib_nullcontext(gx_call *c, gx_value *out) {
    return manager(c, &null_type, out);
}

static bool contextlib_suppress(gx_call *c, gx_value *out) {
    return manager(c, &suppress_type, out);
}

const gx_native gx_py_contextlib_functions[] = {
    {"nullcontext", "nullcontext(enter_result=None)", "A context manager that does nothing.", NULL,
     contextlib_nullcontext, 0, 0},
    {"suppress", "suppress(*exceptions)", "A context manager that swallows those exceptions.", NULL,
     contextlib_suppress, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
