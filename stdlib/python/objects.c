/* Python's builtins about objects of any kind: len id hash repr ascii format type tests,
   attributes, callable, dir. */
#include "runtime/array/array.h"
#include "runtime/object/class/class.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/module.h"
#include "runtime/object/text/str.h"
#include "runtime/object/use.h"
#include "stdlib/common.h"
#include "stdlib/python/alias.h"
#include "stdlib/python/builtins.h"

static bool core_len(gx_call *c, gx_value *out) {
    int64_t n;
    if (!gx_length(c->rt, c->argv[0], &n)) return false;
    *out = gx_int(n);
    return true;
}

static bool core_id(gx_call *c, gx_value *out) {
    gx_borrowed v = c->argv[0];
    uint64_t at = gx_is_object(v) ? (uint64_t)(uintptr_t)v.obj
                                  : (v.u * 64 + (uint64_t)v.tag * 2 + 1) & INT64_MAX;
    *out = gx_int((int64_t)at);
    return true;
}

static bool core_hash(gx_call *c, gx_value *out) {
    uint64_t h;
    if (!gx_hash(c->rt, c->argv[0], &h)) return false;
    *out = gx_int((int64_t)h);
    return true;
}

static bool core_repr(gx_call *c, gx_value *out) {
    gx_buf b = gx_buf_new(c->rt);
    if (gx_repr(c->rt, c->argv[0], &b)) return gx_str_take(&b, out);
    gx_buf_free(&b);
    return false;
}

static bool escape(gx_buf *b, uint32_t code) {
    if (code < 0x100) return gx_buf_printf(b, "\\x%02x", code);
    if (code < 0x10000) return gx_buf_printf(b, "\\u%04x", code);
    return gx_buf_printf(b, "\\U%08x", code);
}

static bool core_ascii(gx_call *c, gx_value *out) {
    gx_buf text = gx_buf_new(c->rt), b = gx_buf_new(c->rt);
    bool ok = gx_repr(c->rt, c->argv[0], &text);
    for (size_t i = 0; ok && i < text.length;) {
        int n = 1;
        if ((unsigned char)text.data[i] < 0x80)
            ok = gx_buf_char(&b, text.data[i]);
        else
            ok = escape(&b, gx_utf8_decode(text.data + i, &n));
        i += (size_t)n;
    }
    gx_buf_free(&text);
    if (ok) return gx_str_take(&b, out);
    gx_buf_free(&b);
    return false;
}

static bool core_format(gx_call *c, gx_value *out) {
    const char *spec;
    size_t n;
    if (!gx_arg_str(c, 1, &spec, &n)) return false;
    gx_buf b = gx_buf_new(c->rt);
    if (gx_format(c->rt, c->argv[0], spec, n, &b)) return gx_str_take(&b, out);
    gx_buf_free(&b);
    return false;
}

/* --- types --- */

/* numpy.ndarray, cupy.ndarray and gx.ndarray are one class to isinstance. */
static const gx_type *plain(const gx_type *t) {
    return !t->heap && gx_type_is(t, &gx_type_array) ? &gx_type_array : t;
}

/* Does fn hold for the type, or for one in a tuple of them? */
static bool any_type(gx_call *c, gx_borrowed classes, int depth, bool in_union, bool *out) {
    gx_borrowed v = c->argv[0];
    bool instance = c->fn->name[2] == 'i';
    const gx_foreign *foreign = gx_type_of(classes)->foreign;
    if (!foreign && classes.tag != GX_TUPLE) foreign = gx_type_of(v)->foreign;
    if (foreign) return foreign->is_a(c->rt, v, classes, !instance, out);
    if (gx_as_type(classes)) {
        const gx_type *t = plain(gx_as_type(classes));
        gx_value said;
        gx_try asked = GX_TRY_NO;
        if (t->heap && !(instance && gx_type_of(v) == t))
            asked = gx_meta_special(c->rt, classes,
                                    instance ? "__instancecheck__" : "__subclasscheck__", 1, &v,
                                    &said);
        if (asked == GX_TRY_ERROR) return false;
        if (asked == GX_TRY_YES) {
            bool ok = gx_truth(c->rt, said, out);
            gx_drop(said);
            return ok;
        }
        *out = instance ? gx_isinstance(v, t) : gx_type_is(gx_as_type(v), t);
        if (*out || !t->heap) return true;
        return gx_abc_says(c->rt, t, instance ? gx_type_of(v) : gx_as_type(v), out);
    }
    if (classes.tag == GX_NONE && in_union) {
        *out = instance ? v.tag == GX_NONE : gx_as_type(v) == &gx_type_none;
        return true;
    }
    if (gx_is_alias(classes))
        return gx_fail(c->rt, GX_TypeError, "class.type",
                       "%s() argument 2 cannot be a parameterized generic", c->fn->name);
    if (gx_is_union(classes)) {
        const gx_tuple *members = gx_as_tuple(gx_as_alias(classes)->args);
        for (int64_t i = 0; i < members->count; i++)
            if (gx_is_alias(members->items[i]))
                return any_type(c, members->items[i], depth, true, out);
        return any_type(c, gx_as_alias(classes)->args, depth, true, out);
    }
    if (classes.tag != GX_TUPLE || depth > 100)
        return gx_fail(c->rt, GX_TypeError, "class.type",
                       "%s() arg 2 must be a type, a tuple of types, or a union", c->fn->name);
    *out = false;
    const gx_tuple *t = gx_as_tuple(classes);
    for (int64_t i = 0; i < t->count && !*out; i++)
        if (!any_type(c, t->items[i], depth + 1, in_union, out)) return false;
    return true;
}

static bool core_isinstance(gx_call *c, gx_value *out) {
    bool is;
    if (!any_type(c, c->argv[1], 0, false, &is)) return false;
    *out = gx_bool(is);
    return true;
}

static bool core_issubclass(gx_call *c, gx_value *out) {
    bool is;
    if (!gx_as_type(c->argv[0]) && !gx_type_of(c->argv[0])->foreign &&
        !(c->argv[1].tag == GX_TUPLE && gx_as_tuple(c->argv[1])->count == 0))
        return gx_fail(c->rt, GX_TypeError, "class.type", "issubclass() arg 1 must be a class");
    if (!any_type(c, c->argv[1], 0, false, &is)) return false;
    *out = gx_bool(is);
    return true;
}

static bool core_callable(gx_call *c, gx_value *out) {
    *out = gx_bool(gx_callable(c->argv[0]));
    return true;
}

/* --- attributes --- */

static gx_sym attr_name(gx_call *c) {
    if (c->argv[1].tag != GX_STR) {
        gx_fail(c->rt, GX_TypeError, "attr.name", "attribute name must be string, not '%s'",
                gx_type_name(c->argv[1]));
        return 0;
    }
    return gx_str_sym(c->rt, c->argv[1]);
}

/* Any AttributeError says that there is none. */
static gx_try find_attr(gx_call *c, gx_sym name, gx_value *out) {
    gx_try found = gx_try_attr(c->rt, c->argv[0], name, out);
    if (found != GX_TRY_ERROR || c->rt->error.kind != GX_AttributeError) return found;
    gx_error_clear(c->rt);
    return GX_TRY_NO;
}

static bool core_getattr(gx_call *c, gx_value *out) {
    gx_sym name = attr_name(c);
    if (!name) return false;
    if (!gx_arg_given(c, 2)) return gx_get_attr(c->rt, c->argv[0], name, out);
    gx_try found = find_attr(c, name, out);
    if (found == GX_TRY_NO) *out = gx_keep(c->argv[2]);
    return found != GX_TRY_ERROR;
}

static bool core_hasattr(gx_call *c, gx_value *out) {
    gx_value v;
    gx_sym name = attr_name(c);
    if (!name) return false;
    gx_try found = find_attr(c, name, &v);
    if (found == GX_TRY_ERROR) return false;
    if (found == GX_TRY_YES) gx_drop(v);
    *out = gx_bool(found == GX_TRY_YES);
    return true;
}

static bool core_setattr(gx_call *c, gx_value *out) {
    gx_sym name = attr_name(c);
    gx_use_hands_on(c);
    if (!name || !gx_set_attr(c->rt, c->argv[0], name, c->argv[2])) return false;
    *out = gx_none();
    return true;
}

static bool core_delattr(gx_call *c, gx_value *out) {
    gx_sym name = attr_name(c);
    if (!name || !gx_set_attr(c->rt, c->argv[0], name, gx_undef())) return false;
    *out = gx_none();
    return true;
}

typedef struct name_set {
    gx_rt *rt;
    gx_value set;
    bool ok;
} name_set;

static void add_name(const char *name, void *ctx) {
    name_set *s = ctx;
    gx_value v;
    if (!s->ok) return;
    s->ok = gx_str_c(s->rt, name, &v);
    if (!s->ok) return;
    s->ok = gx_set_add(s->rt, s->set, v);
    gx_drop(v);
}

/* The names that are in scope. */
static bool add_scope(gx_call *c, name_set *s) {
    gx_value names, list;
    const gx_value *items;
    if (!gx_stdlib_running(c->rt)->locals(c, &names)) return false;
    bool ok = gx_list_of(c->rt, names, &list);
    gx_drop(names);
    if (!ok) return false;
    int64_t n = gx_sequence_items(list, &items);
    for (int64_t i = 0; ok && i < n; i++) ok = gx_set_add(c->rt, s->set, items[i]);
    gx_drop(list);
    return ok;
}

static bool core_dir(gx_call *c, gx_value *out) {
    name_set s = {.rt = c->rt, .ok = true};
    gx_value list;
    gx_value names;
    gx_try own = gx_arg_given(c, 0) ? gx_special(c->rt, c->argv[0], "__dir__", 0, NULL, &names)
                                    : GX_TRY_NO;
    if (own == GX_TRY_ERROR) return false;
    if (own == GX_TRY_YES) { /* what a class of the script says */
        bool ok = gx_list_of(c->rt, names, &list);
        gx_drop(names);
        if (!ok) return false;
        if ((ok = gx_list_sort(c->rt, list, gx_none(), false))) *out = list;
        else gx_drop(list);
        return ok;
    }
    if (!gx_set_new(c->rt, false, &s.set)) return false;
    if (gx_arg_given(c, 0))
        gx_each_attr(c->rt, c->argv[0], add_name, &s);
    else
        s.ok = add_scope(c, &s);
    bool ok = s.ok && gx_list_of(c->rt, s.set, &list);
    gx_drop(s.set);
    if (!ok) return false;
    if (!gx_list_sort(c->rt, list, gx_none(), false)) {
        gx_drop(list);
        return false;
    }
    *out = list;
    return true;
}

static bool core_vars(gx_call *c, gx_value *out) {
    if (!gx_arg_given(c, 0)) return gx_stdlib_running(c->rt)->locals(c, out);
    gx_sym name = gx_sym_c(c->rt, "__dict__");
    gx_try has = name ? gx_try_attr(c->rt, c->argv[0], name, out) : GX_TRY_ERROR;
    if (has == GX_TRY_NO)
        gx_fail(c->rt, GX_TypeError, "attr.dict", "vars() argument must have __dict__ attribute");
    return has == GX_TRY_YES;
}

const gx_native gx_core_object_functions[] = {
    {"len", "len(object, /)", "How many items it has.", "len([5, 6])  # 2", core_len, 0, 0},
    {"id", "id(object, /)", "A number that no other living object has.", NULL, core_id, 0, 0},
    {"hash", "hash(object, /)", "Equal objects have equal hashes.", "hash(1) == hash(1.0)  # True",
     core_hash, 0, 0},
    {"repr", "repr(object, /)", "The text of a value as a program would write it.",
     "repr('a')  # 'a'", core_repr, GX_NATIVE_HOST, 0},
    {"ascii", "ascii(object, /)", "repr() with everything beyond ASCII escaped.",
     "ascii('π')  # '\\u03c0'", core_ascii, 0, 0},
    {"format", "format(value, format_spec='', /)", "The value as text, by a format spec.",
     "format(3.14159, '.2f')  # 3.14", core_format, 0, 0},
    {"isinstance", "isinstance(object, class_or_tuple, /)",
     "Is the object of the type, or of one of the types?", "isinstance(1, (int, str))  # True",
     core_isinstance, 0, 0},
    {"issubclass", "issubclass(cls, class_or_tuple, /)", "Is the type below the other one?",
     "issubclass(bool, int)  # True", core_issubclass, 0, 0},
    {"callable", "callable(object, /)", "Can it be called?", "callable(len)  # True", core_callable,
     0, 0},
    {"getattr", "getattr(object, name, default=<no value>, /)", "object.name, by its text.",
     "getattr(3 + 4j, 'imag')  # 4.0", core_getattr, 0, 0},
    {"hasattr", "hasattr(object, name, /)", "Does object.name exist?",
     "hasattr([], 'append')  # True", core_hasattr, 0, 0},
    {"setattr", "setattr(object, name, value, /)", "object.name = value.", NULL, core_setattr, 0,
     0},
    {"delattr", "delattr(object, name, /)", "del object.name.", NULL, core_delattr, 0, 0},
    {"vars", "vars(object=<no value>, /)",
     "The dict of an object's attributes; without one as locals().", NULL, core_vars, 0, 0},
    {"dir", "dir(object=<no value>, /)",
     "The names of an object's attributes; without one the names in scope.", NULL, core_dir, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
