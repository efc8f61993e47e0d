/* Attributes: reading, setting, and what is said where there is none. */
#include <string.h>

#include "runtime/object/class/hooks.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/exception.h"
#include "runtime/object/heap.h"
#include "runtime/object/module.h"
#include "runtime/object/native.h"
#include "runtime/object/text/str.h"
#include "runtime/object/types.h"


void gx_each_attr(gx_rt *rt, gx_borrowed v, void (*fn)(const char *name, void *ctx), void *ctx) {
    const gx_type *as_type = gx_as_type(v), *first = as_type ? as_type : gx_type_of(v);
    if (first->foreign) {
        first->foreign->each_attr(rt, v, fn, ctx);
        return;
    }
    if (first->heap) {
        gx_class_each(rt, first, fn, ctx);
        if (!as_type) gx_instance_each(rt, v, fn, ctx);
        first = gx_plain_type(first);
    }
    for (const gx_type *t = first; t; t = gx_type_parent(t)) gx_type_each(rt, t, fn, ctx);
    if (as_type) gx_each_row(gx_type_statics(rt, first), gx_type_type.members, fn, ctx);
    if (v.tag != GX_MODULE) gx_slot_each(first, fn, ctx);
    if (v.tag == GX_TUPLE) gx_tuple_each_field(rt, v, fn, ctx);
    if (v.tag == GX_MODULE) gx_module_each(rt, gx_as_module(v), fn, ctx);
}

/* --- getting ---------------------------------------------------------------------------------- */

static gx_try try_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    const gx_type *type = gx_type_of(v);
    if (GX_UNLIKELY(type->foreign)) return type->attr(rt, v, name, out);
    if (type->heap) {
        gx_try own = gx_instance_attr(rt, v, name, out);
        /* A property or __getattr__ that raises AttributeError says that there is none. */
        if (own != GX_TRY_ERROR || rt->error.kind != GX_AttributeError) return own;
        gx_error_clear(rt);
        return GX_TRY_NO;
    }
    const gx_attr_entry *e = gx_type_look_up(rt, type, name);
    if (e->member) return e->member->get(rt, v, out) ? GX_TRY_YES : GX_TRY_ERROR;
    if (e->method) {
        bool ok = gx_bound_new(rt, v, gx_native_value(e->method, GX_NS_GX), out);
        return ok ? GX_TRY_YES : GX_TRY_ERROR;
    }
    for (const gx_type *t = type; t; t = t->base)
        if (t->attr) {
            gx_try r = t->attr(rt, v, name, out);
            if (r != GX_TRY_NO) return r;
        }
    const char *text = gx_sym_text(rt, name);
    const gx_native *fixed = gx_type_statics(rt, gx_plain_type(type));
    for (; type != &gx_type_type && fixed && fixed->name; fixed++)
        if (strcmp(fixed->name, text) == 0) {
            *out = gx_native_value(fixed, GX_NS_GX);
            return GX_TRY_YES;
        }
    /* Special methods of builtin types, by their slots: [].__len__(). */
    bool special = text[0] == '_' && type != &gx_type_type;
    const gx_native *row = special ? gx_slot_native(type, text) : NULL;
    if (!row) return GX_TRY_NO;
    return gx_bound_new(rt, v, gx_native_value(row, GX_NS_GX), out) ? GX_TRY_YES : GX_TRY_ERROR;
}

gx_try gx_try_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    gx_value held = gx_hold(v);
    gx_try r = try_attr(rt, v, name, out);
    gx_drop(held);
    if (r == GX_TRY_ERROR && (gx_is_class(v) || v.tag == GX_MODULE) &&
        rt->error.kind == GX_AttributeError) {
        gx_error_clear(rt); /* a metaclass's or a module's __getattr__ says that there is none */
        return GX_TRY_NO;
    }
    return r;
}

typedef struct nearest {
    const char *wanted, *best;
    int distance;
} nearest;

static void consider(const char *name, void *ctx) {
    nearest *n = ctx;
    if (name[0] == '_' && n->wanted[0] != '_') return;
    if (strcmp(name, n->wanted) == 0) return; /* another namespace's */
    int d = gx_name_distance(n->wanted, name, n->distance);
    if (d < n->distance) {
        n->distance = d;
        n->best = name;
    }
}

/* What lists can do and arrays do otherwise. */
static const char *of_arrays(const char *name) {
    static const char *const says[][2] = {
        {"append", "an array keeps its size; np.append(a, x) makes a longer copy"},
        {"push", "an array keeps its size; np.append(a, x) makes a longer copy"},
        {"extend", "an array keeps its size; np.concatenate([a, b]) joins two"},
        {"insert", "an array keeps its size; np.insert(a, i, x) makes a longer copy"},
        {"remove", "an array keeps its size; np.delete(a, i) makes a shorter copy"},
        {"pop", "an array keeps its size; np.delete(a, i) makes a shorter copy"},
        {"count", "(a == x).sum() counts equal elements"},
        {"index", "np.flatnonzero(a == x) gives their positions"},
    };
    for (size_t i = 0; i < sizeof says / sizeof *says; i++)
        if (strcmp(says[i][0], name) == 0) return says[i][1];
    return NULL;
}

/* What other languages, and older Pythons, call it. */
static const char *of_values(gx_borrowed v, const char *name) {
    static const struct {
        gx_tag tag;
        const char *name, *says;
    } rows[] = {
        {GX_LIST, "push", "x.append(value) adds one"},
        {GX_LIST, "add", "x.append(value) adds one"},
        {GX_LIST, "contains", "value in x tells it"},
        {GX_LIST, "shape", "array(x) has a shape; a list has len(x)"},
        {GX_LIST, "mean", "mean(x) works on lists, too"},
        {GX_LIST, "sum", "sum(x) adds them"},
        {GX_LIST, "dtype", "array(x) has a dtype"},
        {GX_LIST, "reshape", "array(x) has it"},
        {GX_DICT, "has_key", "key in x tells it"},
        {GX_DICT, "contains", "key in x tells it"},
        {GX_DICT, "iteritems", "x.items()"},
        {GX_DICT, "add", "x[key] = value adds one"},
        {GX_DICT, "append", "x[key] = value adds one"},
        {GX_SET, "append", "x.add(value) adds one"},
        {GX_SET, "push", "x.add(value) adds one"},
        {GX_STR, "contains", "part in x tells it"},
        {GX_STR, "trim", "x.strip()"},
        {GX_STR, "toUpperCase", "x.upper()"},
        {GX_STR, "toLowerCase", "x.lower()"},
        {GX_STR, "substring", "x[start:stop]"},
        {GX_STR, "substr", "x[start:stop]"},
        {GX_STR, "append", "x + text"},
        {GX_TUPLE, "append", "x + (value,) is a longer one"},
    };
    static const char *const lengths[] = {"length", "lenght", "len", "size", "Length"};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        if (strcmp(name, lengths[i]) == 0 && gx_type_of(v)->length) return "len(x) gives it";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].tag == v.tag && strcmp(rows[i].name, name) == 0) return rows[i].says;
    return v.tag == GX_ARRAY ? of_arrays(name) : NULL;
}

/* The exception's name and obj. Always false. */
static bool tell(gx_rt *rt, gx_borrowed v, gx_sym name) {
    gx_exception_tell(rt, "obj", v);
    return gx_exception_tell_text(rt, "name", gx_sym_text(rt, name));
}

static bool no_attr(gx_rt *rt, gx_borrowed v, gx_sym name) {
    const char *text = gx_sym_text(rt, name);
    const gx_type *t = gx_type_of(v);
    if (t->foreign) return t->foreign->no_attr(rt, v, name);
    if (gx_as_type(v))
        gx_fail(rt, GX_AttributeError, "attr.unknown", "type object '%s' has no attribute '%s'",
                gx_as_type(v)->name, text);
    else if (v.tag == GX_MODULE)
        gx_fail(rt, GX_AttributeError, "attr.unknown", "module '%s' has no attribute '%s'",
                gx_sym_text(rt, gx_as_module(v)->name), text);
    else
        gx_fail(rt, GX_AttributeError, "attr.unknown", "'%s' object has no attribute '%s'",
                t->shown ? t->shown(v)->name : gx_type_name(v), text);
    if (v.tag == GX_MODULE && gx_as_module(v)->absent &&
        gx_as_module(v)->absent(rt, gx_as_module(v), text))
        return tell(rt, v, name);
    int limit = (int)(strlen(text) / 3);
    nearest n = {text, NULL, (limit < 1 ? 1 : limit) + 1};
    gx_each_attr(rt, v, consider, &n);
    const char *instead = of_values(v, text);
    if (instead) gx_help(rt, "%s", instead);
    else if (n.best) gx_help(rt, "did you mean '%s'?", n.best);
    return tell(rt, v, name);
}

bool gx_get_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    if (gx_is_instance(v) && gx_instance_get_quick(rt, v, name, NULL, out)) return true;
    gx_value held = gx_hold(v);
    gx_try r = gx_is_instance(v) ? gx_instance_attr(rt, v, name, out) : try_attr(rt, v, name, out);
    if (r == GX_TRY_NO) no_attr(rt, v, name);
    gx_drop(held);
    return r == GX_TRY_YES;
}

static bool set_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value) {
    const gx_type *type = gx_type_of(v);
    if (type->heap) {
        gx_try done = gx_instance_set_attr(rt, v, name, value);
        return done == GX_TRY_YES || (done == GX_TRY_NO && no_attr(rt, v, name));
    }
    if (gx_is_class(v)) {
        gx_try done = gx_class_set_attr(rt, v, name, value);
        return done == GX_TRY_YES || (done == GX_TRY_NO && no_attr(rt, v, name));
    }
    if (GX_UNLIKELY(type->foreign)) return type->set_attr(rt, v, name, value) == GX_TRY_YES;
    const gx_attr_entry *e = gx_type_look_up(rt, type, name);
    const char *text = gx_sym_text(rt, name);
    if (e->member) {
        if (e->member->set && value.tag != GX_UNDEF) return e->member->set(rt, v, value);
        if (e->member->set)
            return gx_fail(rt, GX_TypeError, "attr.readonly",
                           "attribute '%s' of '%s' objects may not be deleted", text, type->name);
        return gx_fail(rt, GX_AttributeError, "attr.readonly",
                       "attribute '%s' of '%s' objects is not writable", text, type->name);
    }
    for (const gx_type *t = type; t; t = t->base)
        if (t->set_attr) {
            gx_try r = t->set_attr(rt, v, name, value);
            if (r != GX_TRY_NO) return r == GX_TRY_YES;
        }
    if (e->method)
        return gx_fail(rt, GX_AttributeError, "attr.readonly",
                       "'%s' object attribute '%s' is read-only", type->name, text);
    if (v.tag == GX_TYPE)
        return gx_fail(rt, GX_TypeError, "attr.type",
                       "cannot set '%s' attribute of immutable type '%s'", text, v.type->name);
    return no_attr(rt, v, name);
}

bool gx_set_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value) {
    bool held = gx_hold2(v, value);
    bool ok = set_attr(rt, v, name, value);
    gx_release2(held, v, value);
    return ok;
}

