/* The special methods of builtin types as functions: list.__len__, super().__setitem__(k, v). Each
   does what the builtin type does, also for an instance of a script's class below it. And abc: the
   mark of abstract methods.

   Invariant: none of these calls a special method of the script. */
#include <stddef.h>
#include <string.h>

#include "runtime/object/class/hooks.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/heap.h"
#include "runtime/object/native.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/operators.h"
#include "runtime/object/text/str.h"
#include "runtime/object/use.h"
#include "runtime/object/types.h"

static const gx_type *plain(gx_call *c) {
    return gx_plain_type(gx_type_of(c->argv[0]));
}

#define FIND(t, slot)                                                                              \
    while (t && !t->slot) t = t->base;

static bool text_out(gx_buf *b, bool ok, gx_value *out) {
    if (ok) return gx_str_take(b, out);
    gx_buf_free(b);
    return false;
}

static bool call_repr(gx_call *c, gx_value *out) {
    const gx_type *t = plain(c);
    gx_buf b = gx_buf_new(c->rt);
    if (gx_is_class(c->argv[0]))
        return text_out(&b, gx_type_repr_own(c->rt, c->argv[0], &b), out);
    FIND(t, repr)
    if (t) return text_out(&b, t->repr(c->rt, c->argv[0], &b), out);
    bool instance = gx_is_instance(c->argv[0]);
    const char *module =
        instance ? gx_sym_text(c->rt, gx_class_of(gx_type_of(c->argv[0]))->module) : "";
    bool ok = gx_buf_printf(&b, "<%s%s%s object at %p>", module, instance ? "." : "",
                            gx_type_name(c->argv[0]), (void *)c->argv[0].obj);
    return text_out(&b, ok, out);
}

static bool call_str(gx_call *c, gx_value *out) {
    const gx_type *t = plain(c);
    gx_buf b = gx_buf_new(c->rt);
    FIND(t, str)
    if (gx_is_class(c->argv[0])) t = NULL;
    bool ok = t ? t->str(c->rt, c->argv[0], &b) : gx_repr(c->rt, c->argv[0], &b);
    return text_out(&b, ok, out);
}

static bool call_format(gx_call *c, gx_value *out) {
    const char *spec;
    size_t n;
    gx_buf b = gx_buf_new(c->rt);
    const gx_type *t = plain(c);
    if (!gx_arg_str(c, 1, &spec, &n)) return false;
    FIND(t, format)
    bool ok = t        ? t->format(c->rt, c->argv[0], spec, n, &b)
              : n == 0 ? gx_str_into(c->rt, c->argv[0], &b)
                       : gx_fail(c->rt, GX_TypeError, "format.unsupported",
                                 "unsupported format string passed to %s.__format__",
                                 gx_type_name(c->argv[0]));
    return text_out(&b, ok, out);
}

static bool call_hash(gx_call *c, gx_value *out) {
    uint64_t h = (uint64_t)(uintptr_t)c->argv[0].obj >> 4;
    const gx_type *t = plain(c);
    FIND(t, hash)
    if (t && !t->hash(c->rt, c->argv[0], &h)) return false;
    if (!t && !gx_is_instance(c->argv[0]) && !gx_hash(c->rt, c->argv[0], &h)) return false;
    *out = gx_int((int64_t)h);
    return true;
}

/* a's own comparison, without asking b: int knows ints, float ints and floats. */
static gx_try own_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    const bool whole = gx_is_int(b);
    if (gx_is_int(a) && !whole) return GX_TRY_NO;
    if (a.tag == GX_FLOAT && !whole && b.tag != GX_FLOAT) return GX_TRY_NO;
    if (gx_is_int(a) || a.tag == GX_FLOAT) return gx_slot_compare(rt, op, a, b, out);
    for (const gx_type *t = gx_type_of(a); t; t = t->base)
        if (t->compare) return t->compare(rt, op, a, b, out);
    return gx_slot_compare(rt, op, a, b, out);
}

static bool compare(gx_call *c, gx_cmpop op, gx_value *out) {
    gx_value a = c->argv[0], b = c->argv[1];
    gx_try r = gx_is_instance(a) || gx_is_instance(b) ? gx_slot_compare(c->rt, op, a, b, out)
                                                      : own_compare(c->rt, op, a, b, out);
    if (r != GX_TRY_NO) return r == GX_TRY_YES;
    if (gx_is(a, b) && (op == GX_EQ || op == GX_NE)) {
        *out = gx_bool(op == GX_EQ);
        return true;
    }
    return gx_not_implemented(c->rt, out);
}

static bool call_eq(gx_call *c, gx_value *out) {
    return compare(c, GX_EQ, out);
}
static bool call_ne(gx_call *c, gx_value *out) {
    return compare(c, GX_NE, out);
}
static bool call_lt(gx_call *c, gx_value *out) {
    return compare(c, GX_LT, out);
}
static bool call_le(gx_call *c, gx_value *out) {
    return compare(c, GX_LE, out);
}
static bool call_gt(gx_call *c, gx_value *out) {
    return compare(c, GX_GT, out);
}
static bool call_ge(gx_call *c, gx_value *out) {
    return compare(c, GX_GE, out);
}

static bool call_bool(gx_call *c, gx_value *out) {
    bool yes;
    if (!gx_truth(c->rt, c->argv[0], &yes)) return false;
    *out = gx_bool(yes);
    return true;
}

static bool call_len(gx_call *c, gx_value *out) {
    int64_t n;
    const gx_type *t = plain(c);
    FIND(t, length)
    if (!t || !t->length(c->rt, c->argv[0], &n)) return false;
    *out = gx_int(n);
    return true;
}

static bool no_slot(gx_call *c) {
    return gx_fail(c->rt, GX_TypeError, "call.self", "%s() does not fit a '%s' object", c->fn->name,
                   gx_type_name(c->argv[0]));
}

static bool call_getitem(gx_call *c, gx_value *out) {
    const gx_type *t = plain(c);
    FIND(t, get)
    return t ? t->get(c->rt, c->argv[0], c->argv[1], out) : no_slot(c);
}

static bool call_setitem(gx_call *c, gx_value *out) {
    const gx_type *t = plain(c);
    FIND(t, set)
    *out = gx_none();
    return t ? t->set(c->rt, c->argv[0], c->argv[1], c->argv[2]) : no_slot(c);
}

static bool call_delitem(gx_call *c, gx_value *out) {
    const gx_type *t = plain(c);
    FIND(t, del)
    *out = gx_none();
    return t ? t->del(c->rt, c->argv[0], c->argv[1]) : no_slot(c);
}

static bool call_contains(gx_call *c, gx_value *out) {
    bool yes;
    const gx_type *t = plain(c);
    FIND(t, contains)
    if (!t) return no_slot(c);
    if (!t->contains(c->rt, c->argv[0], c->argv[1], &yes)) return false;
    *out = gx_bool(yes);
    return true;
}

static bool call_iter(gx_call *c, gx_value *out) {
    const gx_type *t = plain(c);
    FIND(t, iter)
    if (t) return t->iter(c->rt, c->argv[0], out);
    return gx_iter(c->rt, c->argv[0], out);
}

static bool call_next(gx_call *c, gx_value *out) {
    bool more;
    gx_value v;
    const gx_type *t = plain(c);
    FIND(t, next)
    if (!t) return no_slot(c);
    if (!t->next(c->rt, c->argv[0], &v, &more)) return false;
    if (!more) return gx_stop_iteration(c->rt, gx_none());
    *out = v;
    return true;
}

/* --- objects ---------------------------------------------------------------------------------- */

typedef bool maker(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                   const gx_sym *kw, gx_value *out);

/* fn with *args and **kwargs of places 1 and 2. */
static bool spread(gx_call *c, maker *fn, gx_value *out) {
    gx_tuple *args = gx_as_tuple(c->argv[1]);
    gx_dict *kwargs = gx_as_dict(c->argv[2]);
    int n = (int)args->count, k = 0;
    if (!kwargs->count) return fn(c->rt, c->argv[0], n, args->items, 0, NULL, out);
    size_t total = (size_t)n + (size_t)kwargs->count;
    gx_value *all = gx_alloc(c->rt, total * sizeof *all);
    gx_sym *names = gx_alloc(c->rt, (size_t)kwargs->count * sizeof *names);
    bool ok = all && names;
    int64_t at = 0;
    gx_entry *e;
    for (int i = 0; ok && i < n; i++) all[i] = args->items[i];
    while (ok && (e = gx_dict_next(kwargs, &at))) {
        names[k] = gx_str_sym(c->rt, e->key);
        ok = names[k] != 0;
        all[n + k++] = e->value;
    }
    ok = ok && fn(c->rt, c->argv[0], n, all, k, names, out);
    gx_free(c->rt, names);
    gx_free(c->rt, all);
    return ok;
}

static bool init_only(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                      const gx_sym *kw, gx_value *out) {
    *out = gx_none();
    if (!gx_is_instance(self) && self.tag != GX_EXCEPTION) return true;
    return gx_builtin_init(rt, self, argc, argv, kwc, kw);
}

static bool call_init(gx_call *c, gx_value *out) {
    return spread(c, init_only, out);
}

static bool call_new(gx_call *c, gx_value *out) {
    if (!gx_as_type(c->argv[0]))
        return gx_fail(c->rt, GX_TypeError, "class.type", "__new__(X): X is not a type object (%s)",
                       gx_type_name(c->argv[0]));
    return spread(c, gx_is_class(c->argv[0]) ? gx_instance_make : gx_call_value, out);
}

static bool call_call(gx_call *c, gx_value *out) {
    return spread(c, gx_is_class(c->argv[0]) ? gx_class_call_own : gx_call_value, out);
}

static bool call_init_subclass(gx_call *c, gx_value *out) {
    *out = gx_none();
    if (!gx_as_dict(c->argv[1])->count) return true;
    const gx_type *t = gx_as_type(c->argv[0]);
    return gx_fail(c->rt, GX_TypeError, "class.keyword",
                   "%s.__init_subclass__() takes no keyword arguments",
                   !t        ? "object"
                   : t->heap ? gx_sym_text(c->rt, gx_class_qualname(gx_class_of(t)))
                             : t->name);
}

static gx_sym name_arg(gx_call *c) {
    if (c->argv[1].tag == GX_STR) return gx_str_sym(c->rt, c->argv[1]);
    gx_fail(c->rt, GX_TypeError, "attr.name", "attribute name must be string, not '%s'",
            gx_type_name(c->argv[1]));
    return 0;
}

static bool set_attr(gx_call *c, gx_borrowed value, gx_value *out) {
    gx_sym name = name_arg(c);
    *out = gx_none();
    if (!name) return false;
    bool class = gx_is_class(c->argv[0]);
    if (!class && !gx_is_instance(c->argv[0]))
        return gx_set_attr(c->rt, c->argv[0], name, value);
    gx_try done = (class ? gx_class_set_own : gx_instance_set_default)(c->rt, c->argv[0], name,
                                                                       value);
    if (done == GX_TRY_NO)
        gx_fail(c->rt, GX_AttributeError, "attr.unknown", "'%s' object has no attribute '%s'",
                gx_type_name(c->argv[0]), gx_sym_text(c->rt, name));
    return done == GX_TRY_YES;
}

static bool call_setattr(gx_call *c, gx_value *out) {
    gx_use_hands_on(c);
    return set_attr(c, c->argv[2], out);
}
static bool call_delattr(gx_call *c, gx_value *out) {
    return set_attr(c, gx_undef(), out);
}
static bool call_getattribute(gx_call *c, gx_value *out) {
    gx_sym name = name_arg(c);
    if (!name) return false;
    if (!gx_is_instance(c->argv[0])) return gx_get_attr(c->rt, c->argv[0], name, out);
    gx_try has = gx_instance_attr_own(c->rt, c->argv[0], name, out);
    if (has == GX_TRY_NO)
        gx_fail(c->rt, GX_AttributeError, "attr.unknown", "'%s' object has no attribute '%s'",
                gx_type_name(c->argv[0]), gx_sym_text(c->rt, name));
    return has == GX_TRY_YES;
}

/* --- the table -------------------------------------------------------------------------------- */

/* A special method, and the slot that a type must have for it. */
typedef struct slot_row {
    gx_native row;
    size_t slot;
} slot_row;

enum { ALWAYS = 0 };
#define ROW(name, params, fn, at)                                                                  \
    { {name, name "(object" params, NULL, NULL, fn, 0, 0}, at }
#define AT(slot) offsetof(gx_type, slot)
static const slot_row slot_rows[] = {
    ROW("__init__", ", /, *args, **kwargs)", call_init, ALWAYS),
    ROW("__new__", ", /, *args, **kwargs)", call_new, ALWAYS),
    ROW("__init_subclass__", ", /, **kwargs)", call_init_subclass, ALWAYS),
    ROW("__repr__", ", /)", call_repr, ALWAYS),
    ROW("__str__", ", /)", call_str, ALWAYS),
    ROW("__format__", ", format_spec, /)", call_format, ALWAYS),
    ROW("__hash__", ", /)", call_hash, ALWAYS),
    ROW("__eq__", ", value, /)", call_eq, ALWAYS),
    ROW("__ne__", ", value, /)", call_ne, ALWAYS),
    ROW("__lt__", ", value, /)", call_lt, ALWAYS),
    ROW("__le__", ", value, /)", call_le, ALWAYS),
    ROW("__gt__", ", value, /)", call_gt, ALWAYS),
    ROW("__ge__", ", value, /)", call_ge, ALWAYS),
    ROW("__bool__", ", /)", call_bool, AT(truth)),
    ROW("__call__", ", /, *args, **kwargs)", call_call, AT(call)),
    ROW("__len__", ", /)", call_len, AT(length)),
    ROW("__getitem__", ", key, /)", call_getitem, AT(get)),
    ROW("__setitem__", ", key, value, /)", call_setitem, AT(set)),
    ROW("__delitem__", ", key, /)", call_delitem, AT(del)),
    ROW("__contains__", ", key, /)", call_contains, AT(contains)),
    ROW("__iter__", ", /)", call_iter, AT(iter)),
    ROW("__iter__", ", /)", call_iter, AT(next)),
    ROW("__next__", ", /)", call_next, AT(next)),
    ROW("__setattr__", ", name, value, /)", call_setattr, ALWAYS),
    ROW("__delattr__", ", name, /)", call_delattr, ALWAYS),
    ROW("__getattribute__", ", name, /)", call_getattribute, ALWAYS),
};

static bool has_slot(const gx_type *t, size_t at) {
    /* Numbers have their operators in operators.c. */
    bool number = t->tag == GX_INT || t->tag == GX_BOOL || t->tag == GX_FLOAT ||
                  t->tag == GX_COMPLEX;
    if ((number || t->tag == GX_RANGE) && at == AT(truth)) return true;
    if (at == AT(call) && (t->tag == GX_NATIVE || t->tag == GX_METHOD || t->tag == GX_FUNC))
        return true;
    for (; t; t = t->base) {
        void (*slot)(void);
        memcpy(&slot, (const char *)t + at, sizeof slot);
        if (slot) return true;
    }
    return false;
}

const gx_native *gx_slot_native(const gx_type *type, const char *name) {
    if (name[0] != '_' || name[1] != '_') return NULL;
    for (size_t i = 0; i < sizeof slot_rows / sizeof *slot_rows; i++)
        if (strcmp(slot_rows[i].row.name, name) == 0 &&
            (slot_rows[i].slot == ALWAYS || has_slot(type, slot_rows[i].slot)))
            return &slot_rows[i].row;
    const gx_native *row = gx_metaclass_native(type, name);
    return row ? row : gx_operator_native(type, name);
}

static bool is_among(const char *name, const char *const *names) {
    while (*names && strcmp(*names, name) != 0) names++;
    return *names != NULL;
}

static const size_t ordering = AT(compare), texting = AT(str), formatting = AT(format);

/* Special methods that every type has: does this one have its own, or object's? */
static bool defines_common(const gx_type *t, const char *name) {
    static const char *const all[] = {"__new__", "__hash__", "__getattribute__", NULL};
    static const char *const orders[] = {"__eq__", "__ne__", "__lt__", "__le__",
                                         "__gt__", "__ge__", NULL};
    static const char *const stores[] = {"__setattr__", "__delattr__", NULL};
    const bool exception = gx_type_is(t, &gx_exception_types[GX_BaseException]);
    const bool number = t->tag == GX_INT || t->tag == GX_FLOAT || t->tag == GX_COMPLEX;
    if (is_among(name, all)) return !exception || strcmp(name, "__hash__") != 0;
    if (is_among(name, stores)) return exception;
    if (is_among(name, orders)) return number || has_slot(t, ordering);
    if (strcmp(name, "__repr__") == 0) return true;
    if (strcmp(name, "__str__") == 0) return exception || has_slot(t, texting);
    if (strcmp(name, "__format__") == 0) return number || has_slot(t, formatting);
    return strcmp(name, "__init__") == 0 &&
           (exception || t == gx_core_types[GX_LIST] || t == gx_core_types[GX_DICT] ||
            t == gx_core_types[GX_SET]);
}

bool gx_builtin_defines(gx_rt *rt, const gx_type *t, gx_sym name) {
    const char *text = gx_sym_text(rt, name);
    if (t == &gx_type_object) return false;
    const gx_native *method = gx_type_method(rt, t, name);
    if (gx_type_member(rt, t, name) ||
        (method && method != gx_type_method(rt, &gx_type_object, name)))
        return true;
    if (text[0] != '_' || text[1] != '_') return false;
    for (size_t i = 0; i < sizeof slot_rows / sizeof *slot_rows; i++) {
        if (strcmp(slot_rows[i].row.name, text) != 0) continue;
        if (slot_rows[i].slot == ALWAYS) return defines_common(t, text);
        if (has_slot(t, slot_rows[i].slot)) return true;
    }
    return gx_operator_native(t, text) != NULL;
}

void gx_slot_each(const gx_type *type, void (*fn)(const char *name, void *ctx), void *ctx) {
    for (size_t i = 0; i < sizeof slot_rows / sizeof *slot_rows; i++)
        if (slot_rows[i].slot == ALWAYS || has_slot(type, slot_rows[i].slot))
            fn(slot_rows[i].row.name, ctx);
    gx_operator_each(type, fn, ctx);
}

typedef struct own_names {
    gx_rt *rt;
    gx_borrowed type;
    gx_value dict;
    bool ok;
} own_names;

static void add_name(const char *name, void *ctx) {
    own_names *own = ctx;
    gx_value value;
    if (!own->ok || strcmp(name, "__dict__") == 0) return;
    gx_sym sym = gx_sym_c(own->rt, name);
    own->ok = sym != 0;
    gx_try has = sym ? gx_try_attr(own->rt, own->type, sym, &value) : GX_TRY_NO;
    if (has != GX_TRY_YES) {
        own->ok = own->ok && has == GX_TRY_NO;
        return;
    }
    own->ok = gx_dict_set_c_take(own->rt, own->dict, name, value);
}

static void add_own_name(const char *name, void *ctx) {
    own_names *own = ctx;
    const gx_type *t = gx_as_type(own->type);
    gx_sym sym = own->ok ? gx_sym_c(own->rt, name) : 0;
    if (!sym)
        own->ok = false;
    else if (t == &gx_type_object || gx_builtin_defines(own->rt, t, sym))
        add_name(name, own);
}

bool gx_builtin_dict(gx_rt *rt, gx_borrowed v, gx_value *out) {
    own_names own = {rt, v, gx_undef(), true};
    const gx_type *t = gx_as_type(v);
    if (!gx_dict_new(rt, &own.dict)) return false;
    gx_type_each(rt, t, add_own_name, &own);
    gx_slot_each(t, add_own_name, &own);
    const gx_native *statics = gx_type_statics(rt, t);
    if (statics) gx_each_row(statics, NULL, add_name, &own);
    if (own.ok)
        *out = own.dict;
    else
        gx_drop(own.dict);
    return own.ok;
}

/* --- abc -------------------------------------------------------------------------------------- */

static bool abstractmethod(gx_call *c, gx_value *out) {
    gx_value fn = c->argv[0];
    gx_classes *classes = gx_classes_of(c->rt);
    if (!classes) return false;
    while (gx_is_object(fn) &&
           (fn.obj->type == &gx_type_staticmethod || fn.obj->type == &gx_type_classmethod))
        fn = ((gx_bound *)fn.obj)->fn;
    if (gx_is_object(fn) && fn.obj->type == &gx_type_property) fn = *gx_property_getter(fn);
    if (!gx_set_attr(c->rt, fn, classes->names[GX_HOOK_abstract], gx_bool(true))) return false;
    *out = gx_keep(c->argv[0]);
    return true;
}

/* What `register` has added to, in the class's own attributes; NULL: nothing was. */
static gx_value *registry(gx_rt *rt, gx_class *cls) {
    gx_sym name = gx_sym_c(rt, "_abc_registry");
    return name ? gx_named_find(&cls->attrs, name) : NULL;
}

static bool add_to_registry(gx_call *c, gx_value *out) {
    gx_class *cls = gx_as_class(c->argv[0]);
    gx_value list;
    gx_sym name = gx_sym_c(c->rt, "_abc_registry");
    if (!name) return false;
    if (!gx_as_type(c->argv[1]))
        return gx_fail(c->rt, GX_TypeError, "abc.register", "Can only register classes");
    if (!registry(c->rt, cls)) {
        if (!gx_list_new(c->rt, 0, NULL, &list)) return false;
        bool ok = gx_class_set(c->rt, c->argv[0], name, list);
        gx_drop(list);
        if (!ok) return false;
    }
    gx_value *place = registry(c->rt, cls);
    if (!place || !gx_list_push(c->rt, *place, c->argv[1])) return false;
    *out = gx_keep(c->argv[1]);
    return true;
}

const gx_native gx_abc_register = {
    "register", "register(self, subclass, /)", "Counts a class among those below this one.", NULL,
    add_to_registry, 0, 0,
};

/* The hook's answer; NO: NotImplemented, or there is none. */
static gx_try ask_hook(gx_rt *rt, const gx_type *abc, const gx_type *subject, bool *out) {
    gx_value fn, r, cls = gx_type_value(abc), arg = gx_type_value(subject);
    gx_sym name = gx_sym_c(rt, "__subclasshook__");
    gx_try has = name ? gx_class_attr(rt, cls, name, &fn) : GX_TRY_ERROR;
    if (has == GX_TRY_YES) {
        bool ok = gx_call_value(rt, fn, 1, &arg, 0, NULL, &r);
        gx_drop(fn);
        if (!ok) has = GX_TRY_ERROR;
        else if (gx_is_not_implemented(r)) has = GX_TRY_NO;
        else if (!gx_truth(rt, r, out)) has = GX_TRY_ERROR;
        if (ok) gx_drop(r);
    }
    gx_drop(cls);
    gx_drop(arg);
    return has;
}

bool gx_abc_says(gx_rt *rt, const gx_type *abc, const gx_type *subject, bool *out) {
    *out = gx_type_is(subject, abc);
    if (*out || !gx_class_is_abstract(abc)) return true;
    if (!gx_stack_check(rt)) return false;
    gx_try said = ask_hook(rt, abc, subject, out);
    if (said != GX_TRY_NO) return said == GX_TRY_YES;
    gx_class *cls = gx_class_of(abc);
    gx_value *place = registry(rt, cls);
    gx_value list = place ? gx_keep(*place) : gx_undef(); /* a hook may register more */
    bool ok = true;
    for (int64_t i = 0; ok && !*out && place && i < gx_as_list(list)->count; i++)
        ok = gx_abc_says(rt, gx_as_type(gx_as_list(list)->items[i]), subject, out);
    gx_drop(list);
    for (int32_t i = 0; ok && !*out && i < cls->below_count; i++) {
        gx_value below = gx_type_value(&cls->below[i]->type);
        ok = gx_abc_says(rt, gx_as_type(below), subject, out);
        gx_drop(below);
    }
    return ok;
}

const gx_native gx_abc_functions[] = {
    {"abstractmethod", "abstractmethod(funcobj)",
     "Marks a method that a class to be instantiated must define.", NULL, abstractmethod, 0, 0},
    {0},
};

const gx_type gx_type_abc = {
    .name = "abc.ABC",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .meta = &gx_type_abcmeta,
    .doc = "The base of classes that may have abstract methods.",
};
