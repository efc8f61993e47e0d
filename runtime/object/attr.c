/* Attributes and calls. What a name means on a type is looked up once through the type's rows, its
   bases' rows and the rows that upper layers added, and then kept in a small cache by (type, name).

   Invariant: the cache never outlives a gx_type_extend, which empties it. */
#include <string.h>

#include "runtime/object/class/hooks.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/exception.h"
#include "runtime/object/heap.h"
#include "runtime/object/module.h"
#include "runtime/object/native.h"
#include "runtime/object/text/str.h"
#include "runtime/object/types.h"

/* --- rows of types ---------------------------------------------------------------------------- */

static bool extend(gx_rt *rt, gx_extension rows) {
    gx_heap *h = rt->heap;
    if (h->extension_count == h->extension_room) {
        size_t room = h->extension_room ? h->extension_room * 2 : 16;
        gx_extension *list = gx_realloc(rt, h->extensions, room * sizeof *list);
        if (!list) return false;
        h->extensions = list;
        h->extension_room = room;
    }
    h->extensions[h->extension_count++] = rows;
    if (h->attrs_used) memset(h->attrs, 0, sizeof h->attrs);
    h->attrs_used = false;
    return true;
}

bool gx_type_extend(gx_rt *rt, const gx_type *type, const gx_native *methods,
                    const gx_member *members) {
    return extend(rt, (gx_extension){.type = type, .methods = methods, .members = members});
}

bool gx_type_extend_statics(gx_rt *rt, const gx_type *type, const gx_native *statics) {
    return extend(rt, (gx_extension){.type = type, .statics = statics});
}

/* NumPy's scalars have their own. */
const gx_native *gx_type_statics(const gx_rt *rt, const gx_type *t) {
    const gx_heap *h = rt->heap;
    for (; t && t->dtype == GX_NO_DTYPE; t = t->base)
        for (size_t i = 0; i < h->extension_count; i++)
            if (h->extensions[i].type == t && h->extensions[i].statics)
                return h->extensions[i].statics;
    return NULL;
}

static const gx_native *method_in(const gx_native *rows, const char *name) {
    for (; rows && rows->name; rows++)
        if (strcmp(rows->name, name) == 0) return rows;
    return NULL;
}

static const gx_member *member_in(const gx_member *rows, const char *name) {
    for (; rows && rows->name; rows++)
        if (strcmp(rows->name, name) == 0) return rows;
    return NULL;
}

static void find_rows(gx_heap *h, gx_attr_entry *e, const char *name) {
    for (const gx_type *t = e->type; t; t = gx_type_parent(t)) {
        e->member = member_in(t->members, name);
        e->method = method_in(t->methods, name);
        for (size_t i = h->extension_count; i-- > 0 && !e->member && !e->method;)
            if (h->extensions[i].type == t) {
                e->member = member_in(h->extensions[i].members, name);
                e->method = method_in(h->extensions[i].methods, name);
            }
        if (e->member || e->method) return;
    }
}

static const gx_attr_entry *look_up(gx_rt *rt, const gx_type *type, gx_sym name) {
    gx_heap *h = rt->heap;
    if (GX_UNLIKELY(type->heap)) type = gx_plain_type(type);
    size_t at = (((uintptr_t)type >> 5) * 31 + name * 7u) % GX_ATTR_CACHE;
    gx_attr_entry *e = &h->attrs[at];
    if (GX_LIKELY(e->type == type && e->name == name)) return e;
    *e = (gx_attr_entry){.type = type, .name = name};
    h->attrs_used = true;
    find_rows(h, e, gx_sym_text(rt, name));
    return e;
}

const gx_native *gx_type_method(gx_rt *rt, const gx_type *type, gx_sym name) {
    const gx_attr_entry *e = look_up(rt, type, name);
    return e->member ? NULL : e->method;
}

const gx_member *gx_type_member(gx_rt *rt, const gx_type *type, gx_sym name) {
    return look_up(rt, type, name)->member;
}

static void each_row(const gx_native *methods, const gx_member *members,
                     void (*fn)(const char *name, void *ctx), void *ctx) {
    for (; methods && methods->name; methods++) fn(methods->name, ctx);
    for (; members && members->name; members++) fn(members->name, ctx);
}

void gx_type_each(gx_rt *rt, const gx_type *t, void (*fn)(const char *name, void *ctx), void *ctx) {
    const gx_heap *h = rt->heap;
    each_row(t->methods, t->members, fn, ctx);
    for (size_t i = 0; i < h->extension_count; i++)
        if (h->extensions[i].type == t)
            each_row(h->extensions[i].methods, h->extensions[i].members, fn, ctx);
}

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
    if (as_type) each_row(gx_type_statics(rt, first), gx_type_type.members, fn, ctx);
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
    const gx_attr_entry *e = look_up(rt, type, name);
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
    if (r == GX_TRY_ERROR && gx_is_class(v) && rt->error.kind == GX_AttributeError) {
        gx_error_clear(rt); /* a metaclass's __getattr__ says that there is none */
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
    if (gx_type_of(v)->foreign) return gx_type_of(v)->foreign->no_attr(rt, v, name);
    if (gx_as_type(v))
        gx_fail(rt, GX_AttributeError, "attr.unknown", "type object '%s' has no attribute '%s'",
                gx_as_type(v)->name, text);
    else if (v.tag == GX_MODULE)
        gx_fail(rt, GX_AttributeError, "attr.unknown", "module '%s' has no attribute '%s'",
                gx_sym_text(rt, gx_as_module(v)->name), text);
    else
        gx_fail(rt, GX_AttributeError, "attr.unknown", "'%s' object has no attribute '%s'",
                gx_type_name(v), text);
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
    if (gx_is_instance(v) && gx_instance_field_get(rt, v, name, out)) return true;
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
    const gx_attr_entry *e = look_up(rt, type, name);
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

/* --- calls ------------------------------------------------------------------------------------ */

static bool call_type(gx_rt *rt, gx_borrowed fn, int argc, const gx_borrowed *argv, int kwc,
                      const gx_sym *kw, gx_value *out) {
    for (const gx_type *t = fn.type; t; t = t->base)
        if (t->construct)
            return gx_native_call(rt, t->construct, (gx_namespace)fn.ns, fn.type, argc, argv, kwc,
                                  kw, out);
    if (fn.type == &gx_type_object) {
        if (argc || kwc)
            return gx_fail(rt, GX_TypeError, "call.arguments", "object() takes no arguments");
        gx_obj *o = gx_obj_new(rt, &gx_type_object, sizeof *o);
        if (o) *out = gx_object(o);
        return o != NULL;
    }
    return gx_fail(rt, GX_TypeError, "type.construct", "cannot create '%s' instances",
                   fn.type->name);
}

/* A method bound to self: self goes before the arguments. */
static bool call_bound(gx_rt *rt, gx_borrowed fn, int argc, const gx_borrowed *argv, int kwc,
                       const gx_sym *kw, gx_value *out) {
    gx_bound *b = (gx_bound *)fn.obj;
    if (b->fn.tag == GX_NATIVE)
        return gx_native_call_method(rt, b->fn.native, b->self, argc, argv, kwc, kw, out);
    enum { NEAR = 8 };
    gx_value near[NEAR], *all = near;
    int n = argc + kwc;
    if (n + 1 > NEAR && !(all = gx_alloc(rt, (size_t)(n + 1) * sizeof *all))) return false;
    all[0] = b->self;
    for (int i = 0; i < n; i++) all[i + 1] = argv[i];
    bool ok = gx_call_held(rt, b->fn, argc + 1, all, kwc, kw, out);
    if (all != near) gx_free(rt, all);
    return ok;
}

static inline bool call_held(gx_rt *rt, gx_borrowed fn, int argc, const gx_borrowed *argv, int kwc,
                  const gx_sym *kw, gx_value *out) {
    if (GX_UNLIKELY(gx_failed(&rt->error))) return false;
    if (fn.tag == GX_NATIVE)
        return gx_native_call(rt, fn.native, (gx_namespace)fn.ns, NULL, argc, argv, kwc, kw, out);
    if (!gx_stack_check(rt)) return false;
    if (fn.tag == GX_TYPE) return call_type(rt, fn, argc, argv, kwc, kw, out);
    if (fn.tag == GX_METHOD) return call_bound(rt, fn, argc, argv, kwc, kw, out);
    for (const gx_type *t = gx_type_of(fn); t; t = t->base)
        if (t->call) return t->call(rt, fn, argc, argv, kwc, kw, out);
    return gx_fail(rt, GX_TypeError, "call.type", "'%s' object is not callable", gx_type_name(fn));
}

bool gx_call_held(gx_rt *rt, gx_borrowed fn, int argc, const gx_borrowed *argv, int kwc,
                  const gx_sym *kw, gx_value *out) {
    return call_held(rt, fn, argc, argv, kwc, kw, out);
}

/* The function and the arguments live until it is over, whatever its code drops. Arguments beyond
   the first few are kept on the heap. Nothing is called while an error is pending: steps of a scope
   go on after one that failed. */
bool gx_call_value(gx_rt *rt, gx_borrowed fn, int argc, const gx_borrowed *argv, int kwc,
                   const gx_sym *kw, gx_value *out) {
    enum { NEAR = 8 };
    gx_value near[NEAR], *args = near;
    int n = argc + kwc;
    if (GX_UNLIKELY(n > NEAR) && !(args = gx_alloc(rt, (size_t)n * sizeof *args))) return false;
    for (int i = 0; i < n; i++) args[i] = gx_keep(argv[i]);
    gx_value held = gx_hold(fn);
    bool ok = call_held(rt, fn, argc, args, kwc, kw, out);
    gx_drop(held);
    for (int i = 0; i < n; i++) gx_drop(args[i]);
    if (args != near) gx_free(rt, args);
    return ok;
}

bool gx_callable(gx_borrowed v) {
    if (v.tag == GX_NATIVE || v.tag == GX_TYPE || v.tag == GX_METHOD) return true;
    if (gx_type_of(v)->foreign) return gx_type_of(v)->foreign->callable(v);
    for (const gx_type *t = gx_type_of(v); t; t = t->base)
        if (t->call) return true;
    return false;
}
