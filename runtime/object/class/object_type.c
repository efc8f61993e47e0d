/* Type objects as values: their text, their attributes, and calling them. A builtin type's special
   methods are functions made of its slots, so that super().__setitem__(…) and list.__len__(x) work.

   Invariant: a type has the special method exactly when it has the slot. */
#include <string.h>

#include "runtime/object/class/hooks.h"
#include "runtime/object/class/parameters.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/heap.h"
#include "runtime/object/native.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/operators.h"
#include "runtime/object/text/str.h"
#include "runtime/object/types.h"

/* --- members ---------------------------------------------------------------------------------- */

bool gx_type_repr_own(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const gx_type *t = gx_as_type(v);
    if (!t->heap) return gx_buf_printf(out, "<class '%s'>", t->name);
    const char *module = gx_sym_text(rt, gx_class_of(t)->module);
    const char *name = gx_sym_text(rt, gx_class_qualname(gx_class_of(t)));
    if (strcmp(module, "builtins") == 0) return gx_buf_printf(out, "<class '%s'>", name);
    return gx_buf_printf(out, "<class '%s.%s'>", module, name);
}

static bool type_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_try own = gx_meta_text(rt, v, GX_HOOK_repr, "__repr__", out);
    return own == GX_TRY_NO ? gx_type_repr_own(rt, v, out) : own == GX_TRY_YES;
}

static bool type_str(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_try own = gx_meta_text(rt, v, GX_HOOK_str, "__str__", out);
    return own == GX_TRY_NO ? type_repr(rt, v, out) : own == GX_TRY_YES;
}

static bool type_format(gx_rt *rt, gx_borrowed v, const char *spec, size_t length, gx_buf *out) {
    gx_value text, r;
    if (!gx_str_new(rt, spec, length, &text)) return false;
    gx_try own = gx_meta_call(rt, v, GX_HOOK_format, 1, &text, &r);
    gx_drop(text);
    if (own == GX_TRY_ERROR) return false;
    if (own == GX_TRY_NO && length == 0) return gx_str_into(rt, v, out);
    if (own == GX_TRY_NO)
        return gx_fail(rt, GX_TypeError, "format.unsupported",
                       "unsupported format string passed to %s.__format__", gx_type_name(v));
    bool ok = r.tag == GX_STR;
    if (ok) ok = gx_str_into(rt, r, out);
    else
        gx_fail(rt, GX_TypeError, "class.text", "__format__ must return a str, not %s",
                gx_type_name(r));
    gx_drop(r);
    return ok;
}

static const char *last_part(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

static bool type_name(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_c(rt, last_part(gx_as_type(self)->name), out);
}

static bool type_module(gx_rt *rt, gx_borrowed self, gx_value *out) {
    if (gx_is_class(self)) return gx_str_of_sym(rt, gx_as_class(self)->module, out);
    const char *name = self.type->name, *last = last_part(name);
    if (last == name) return gx_str_c(rt, "builtins", out);
    return gx_str_new(rt, name, (size_t)(last - name - 1), out);
}

static bool type_doc(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_type *t = gx_as_type(self);
    if (t->heap) {
        gx_value *own =
            gx_named_find(&gx_as_class(self)->attrs, rt->heap->classes->names[GX_HOOK_doc]);
        if (own) {
            *out = gx_keep(*own);
            return true;
        }
    }
    if (t->doc) return gx_str_c(rt, t->doc, out);
    *out = gx_none();
    return true;
}

static bool type_base(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    const gx_type *t = gx_as_type(self);
    if (t->heap) {
        const gx_value *items;
        int64_t n = gx_sequence_items(gx_as_class(self)->bases, &items);
        *out = n > 0 ? gx_keep(items[0]) : gx_type_value(&gx_type_object);
        return true;
    }
    t = gx_type_parent(t);
    *out = t ? gx_type_value(t) : gx_none();
    return true;
}

/* The one builtin type with two parents: numpy's AxisError is a ValueError and an IndexError. */
static bool is_axis_error(const gx_type *t) {
    return t == &gx_exception_types[GX_AxisError];
}

static bool type_bases(gx_rt *rt, gx_borrowed self, gx_value *out) {
    if (gx_is_class(self) &&
        gx_sequence_items(gx_as_class(self)->bases, &(const gx_value *){0}) > 0) {
        *out = gx_keep(gx_as_class(self)->bases);
        return true;
    }
    if (is_axis_error(self.type)) {
        gx_value both[2] = {gx_type_value(&gx_exception_types[GX_ValueError]),
                            gx_type_value(&gx_exception_types[GX_IndexError])};
        return gx_tuple_take(rt, 2, both, out);
    }
    gx_value base;
    if (!type_base(rt, self, &base)) return false;
    return gx_tuple_take(rt, base.tag == GX_NONE ? 0 : 1, &base, out);
}

static bool type_mro(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_value list;
    bool ok = gx_list_new(rt, 0, NULL, &list);
    if (!ok) return false;
    if (gx_is_class(self)) {
        const gx_class *cls = gx_as_class(self);
        for (int32_t i = 0; ok && i < cls->order_count; i++)
            ok = gx_list_push_take(rt, list, gx_type_value(cls->order[i]));
    } else {
        for (const gx_type *t = self.type; ok && t; t = gx_type_parent(t)) {
            ok = gx_list_push_take(rt, list, gx_type_value(t));
            if (!is_axis_error(self.type) || t->error != GX_ValueError) continue;
            ok = ok &&
                 gx_list_push_take(rt, list, gx_type_value(&gx_exception_types[GX_IndexError])) &&
                 gx_list_push_take(rt, list, gx_type_value(&gx_exception_types[GX_LookupError]));
        }
    }
    ok = ok && gx_tuple_of(rt, list, out);
    gx_drop(list);
    return ok;
}

static bool set_doc(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    if (!gx_is_class(self))
        return gx_fail(rt, GX_TypeError, "attr.type",
                       "cannot set '__doc__' attribute of immutable type '%s'", self.type->name);
    return gx_class_set(rt, self, rt->heap->classes->names[GX_HOOK_doc], value);
}

static bool check_text(gx_rt *rt, gx_borrowed self, const char *attr, gx_borrowed value) {
    const char *name = gx_as_type(self)->name;
    if (!gx_is_class(self))
        return gx_fail(rt, GX_TypeError, "attr.type",
                       "cannot set '%s' attribute of immutable type '%s'", attr, name);
    return value.tag == GX_STR ||
           gx_fail(rt, GX_TypeError, "attr.type", "can only assign string to %s.%s, not '%s'", name,
                   attr, gx_type_name(value));
}

static bool set_name(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    if (!check_text(rt, self, "__name__", value)) return false;
    gx_sym name = gx_str_sym(rt, value);
    if (!name) return false;
    gx_as_class(self)->qualname = gx_class_qualname(gx_as_class(self));
    gx_as_class(self)->name = name;
    gx_as_class(self)->type.name = gx_sym_text(rt, name);
    return true;
}

static bool set_module(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    if (!check_text(rt, self, "__module__", value)) return false;
    gx_sym module = gx_str_sym(rt, value);
    if (module) gx_as_class(self)->module = module;
    return module != 0;
}

static bool type_qualname(gx_rt *rt, gx_borrowed self, gx_value *out) {
    if (!gx_is_class(self)) return type_name(rt, self, out);
    return gx_str_of_sym(rt, gx_class_qualname(gx_as_class(self)), out);
}

static bool set_qualname(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    if (!check_text(rt, self, "__qualname__", value)) return false;
    gx_sym name = gx_str_sym(rt, value);
    if (name) gx_as_class(self)->qualname = name;
    return name != 0;
}

static bool type_params(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_sym name = gx_sym_c(rt, "__type_params__");
    gx_value *own = gx_is_class(self) ? gx_named_find(&gx_as_class(self)->attrs, name) : NULL;
    if (!own) return gx_tuple_new(rt, 0, NULL, out);
    *out = gx_keep(*own);
    return true;
}

static const gx_member type_members[] = {
    {"__name__", type_name, set_name, "The name."},
    {"__qualname__", type_qualname, set_qualname, "The name with what is around it."},
    {"__module__", type_module, set_module, "Where it belongs."},
    {"__doc__", type_doc, set_doc, "What it is for."},
    {"__base__", type_base, NULL, "The parent type."},
    {"__bases__", type_bases, NULL, "The parent types."},
    {"__mro__", type_mro, NULL, "The type and its ancestors."},
    {"__type_params__", type_params, NULL, "The type parameters of its class statement."},
    {0},
};

static bool mro_list(gx_call *c, gx_value *out) {
    gx_value all;
    if (!gx_as_type(c->argv[0]))
        return gx_fail(c->rt, GX_TypeError, "class.type", "mro() needs a type, not '%s'",
                       gx_type_name(c->argv[0]));
    if (!type_mro(c->rt, c->argv[0], &all)) return false;
    bool ok = gx_list_of(c->rt, all, out);
    gx_drop(all);
    return ok;
}

static bool subclasses(gx_call *c, gx_value *out) {
    gx_value list;
    if (!gx_list_new(c->rt, 0, NULL, &list)) return false;
    bool ok = true;
    if (gx_is_class(c->argv[0])) {
        const gx_class *cls = gx_as_class(c->argv[0]);
        for (int32_t i = 0; ok && i < cls->below_count; i++)
            ok = gx_list_push_take(c->rt, list, gx_type_value(&cls->below[i]->type));
    }
    if (ok)
        *out = list;
    else
        gx_drop(list);
    return ok;
}

static const gx_native type_methods[] = {
    {"mro", "mro(self, /)", "The type and its ancestors, as a list.", NULL, mro_list, 0, 0},
    {"__subclasses__", "__subclasses__(self, /)", "The classes right below.", NULL, subclasses, 0,
     0},
    {0},
};

/* --- attributes ------------------------------------------------------------------------------- */

/* A dict of a class's own attributes. */
static bool class_dict(gx_rt *rt, gx_class *cls, gx_value *out) {
    gx_value dict, key;
    if (!gx_dict_new(rt, &dict)) return false;
    bool ok = true;
    for (int32_t i = 0; ok && i < cls->attrs.count; i++) {
        ok = gx_str_of_sym(rt, cls->attrs.names[i], &key);
        if (!ok) break;
        ok = gx_dict_set(rt, dict, key, cls->attrs.values[i]);
        gx_drop(key);
    }
    if (ok)
        *out = dict;
    else
        gx_drop(dict);
    return ok;
}

gx_try gx_class_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    gx_class *cls = gx_as_class(v);
    gx_value found = gx_class_find(rt, cls, name);
    if (found.tag != GX_UNDEF)
        return gx_bind_found(rt, found, gx_undef(), &cls->type, out) ? GX_TRY_YES : GX_TRY_ERROR;
    if (name == rt->heap->classes->names[GX_HOOK_dict])
        return class_dict(rt, cls, out) ? GX_TRY_YES : GX_TRY_ERROR;
    return GX_TRY_NO;
}

/* What the metaclass has under the name, bound to the class: data descriptors come before the
   class's own, everything else and __getattr__ after. */
static gx_try meta_attr(gx_rt *rt, gx_borrowed v, gx_sym name, bool data, gx_value *out) {
    const gx_type *meta = gx_is_class(v) ? gx_as_class(v)->meta : NULL;
    gx_value text;
    if (!meta || !meta->heap) return GX_TRY_NO;
    gx_value found = gx_class_find(rt, gx_class_of(meta), name);
    bool first = found.tag == GX_OBJECT && gx_is_data_descriptor(rt, found);
    if (found.tag != GX_UNDEF && first == data)
        return gx_bind_found(rt, found, v, meta, out) ? GX_TRY_YES : GX_TRY_ERROR;
    if (data || gx_meta_hook(rt, v, GX_HOOK_getattr).tag == GX_UNDEF) return GX_TRY_NO;
    if (!gx_str_of_sym(rt, name, &text)) return GX_TRY_ERROR;
    gx_try r = gx_meta_call(rt, v, GX_HOOK_getattr, 1, &text, out);
    gx_drop(text);
    return r;
}

/* Is v a class of the script with a metaclass other than type? */
static inline bool has_meta(gx_borrowed v) {
    return gx_is_class(v) && GX_UNLIKELY(gx_as_class(v)->meta != NULL);
}

/* int.from_bytes, str.upper unbound, and what a script's class has. */
static gx_try type_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    const char *text = gx_sym_text(rt, name);
    gx_namespace ns = GX_NS_GX;
    if (gx_is_class(v)) {
        gx_try own = has_meta(v) ? meta_attr(rt, v, name, true, out) : GX_TRY_NO;
        if (own == GX_TRY_NO) own = gx_class_attr(rt, v, name, out);
        if (own != GX_TRY_NO) return own;
    } else {
        ns = (gx_namespace)v.ns;
    }
    const gx_type *t = gx_plain_type(gx_as_type(v));
    for (const gx_native *row = gx_type_statics(rt, t); row && row->name; row++)
        if (strcmp(row->name, text) == 0) {
            if (gx_is_class(v))
                return gx_class_static(rt, v, row, out) ? GX_TRY_YES : GX_TRY_ERROR;
            *out = gx_native_value(row, ns);
            return GX_TRY_YES;
        }
    const gx_native *method = gx_type_method(rt, t, name);
    if (!method) method = gx_slot_native(t, text);
    if (!method && strcmp(text, "register") == 0 && gx_is_class(v) &&
        gx_class_is_abstract(gx_as_type(v))) {
        const gx_value fn = gx_native_value(&gx_abc_register, GX_NS_GX);
        return gx_bound_new(rt, v, fn, out) ? GX_TRY_YES : GX_TRY_ERROR;
    }
    if (!method && !gx_is_class(v) && strcmp(text, "__dict__") == 0)
        return gx_builtin_dict(rt, v, out) ? GX_TRY_YES : GX_TRY_ERROR;
    if (!method) {
        gx_try meta = meta_attr(rt, v, name, false, out);
        return meta == GX_TRY_NO ? gx_attribute_of(rt, t, name, out) : meta;
    }
    *out = gx_native_value(method, ns);
    return GX_TRY_YES;
}

/* --- setting ---------------------------------------------------------------------------------- */

gx_try gx_class_set_own(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value) {
    const gx_type *meta = gx_as_class(v)->meta;
    gx_value found = meta && meta->heap ? gx_class_find(rt, gx_class_of(meta), name) : gx_undef();
    if (found.tag == GX_OBJECT && gx_is_data_descriptor(rt, found)) {
        gx_try done = gx_set_descriptor(rt, found, v, value);
        if (done != GX_TRY_NO) return done;
    }
    const gx_member *m = gx_type_member(rt, &gx_type_type, name);
    if (m && m->set && value.tag != GX_UNDEF)
        return m->set(rt, v, value) ? GX_TRY_YES : GX_TRY_ERROR;
    if (value.tag == GX_UNDEF && !gx_named_find(&gx_as_class(v)->attrs, name)) return GX_TRY_NO;
    return gx_class_set(rt, v, name, value) ? GX_TRY_YES : GX_TRY_ERROR;
}

gx_try gx_class_set_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value) {
    bool removes = value.tag == GX_UNDEF;
    gx_hook hook = removes ? GX_HOOK_delattr : GX_HOOK_setattr;
    gx_value args[2] = {gx_undef(), value}, r;
    if (gx_meta_hook(rt, v, hook).tag == GX_UNDEF) return gx_class_set_own(rt, v, name, value);
    if (!gx_str_of_sym(rt, name, &args[0])) return GX_TRY_ERROR;
    gx_try said = gx_meta_call(rt, v, hook, removes ? 1 : 2, args, &r);
    gx_drop(args[0]);
    if (said == GX_TRY_YES) gx_drop(r);
    return said;
}

static gx_try class_item(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    gx_value r, found = gx_class_hook(rt, gx_as_type(v), GX_HOOK_class_getitem);
    if (found.tag == GX_UNDEF) return GX_TRY_NO;
    if (gx_is_object(found) && found.obj->type == &gx_type_classmethod)
        found = ((gx_bound *)found.obj)->fn;
    gx_keep(found);
    gx_value args[2] = {v, key};
    bool ok = gx_call_value(rt, found, 2, args, 0, NULL, &r);
    gx_drop(found);
    if (ok) *out = r;
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

/* Types that are of nothing, and instances of classes below them: int[str] means nothing in an
   annotation. Containers may be subscripted, and what is below them. */
static bool is_indivisible(const gx_type *t) {
    switch ((int)gx_plain_type(t)->tag) {
    case GX_INT: case GX_FLOAT: case GX_COMPLEX: case GX_BOOL: case GX_STR: case GX_BYTES:
    case GX_RANGE: case GX_NONE: case GX_EXCEPTION:
        return true;
    case GX_SLICE: return !t->heap;
    default: return gx_plain_type(t) == &gx_type_object;
    }
}

bool gx_type_item(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    const gx_type *type = gx_as_type(v);
    gx_try own = type->heap ? gx_meta_call(rt, v, GX_HOOK_getitem, 1, &key, out) : GX_TRY_NO;
    if (own == GX_TRY_NO && type->heap) own = class_item(rt, v, key, out);
    if (own != GX_TRY_NO) return own == GX_TRY_YES;
    const gx_parameters *p = gx_parameters_of(rt);
    if (!p || is_indivisible(type))
        return gx_fail(rt, GX_TypeError, "type.subscript", "type '%s' is not subscriptable",
                       type->name);
    return p->alias(rt, v, key, out);
}

/* --- type() ----------------------------------------------------------------------------------- */

static bool type_construct(gx_call *c, gx_value *out) {
    if (gx_arg_given(c, 2)) {
        gx_value cls, r;
        if (!gx_class_make(c->rt, &gx_type_type, 3, c->argv, 0, NULL, &cls)) return false;
        gx_try told = gx_meta_call(c->rt, cls, GX_HOOK_init, 3, c->argv, &r);
        if (told == GX_TRY_YES) gx_drop(r);
        if (told == GX_TRY_ERROR) gx_drop(cls);
        else *out = cls;
        return told != GX_TRY_ERROR;
    }
    if (gx_arg_given(c, 1))
        return gx_fail(c->rt, GX_TypeError, "class.type", "type() takes 1 or 3 arguments");
    gx_borrowed v = c->argv[0];
    const gx_type *t = gx_type_of(v);
    if (t->foreign) return t->foreign->type_of(c->rt, v, out);
    *out = gx_type_value(t->shown ? t->shown(v) : t);
    return true;
}

static const gx_native type_native = {
    "type",
    "type(object, bases=<no value>, dict=<no value>, /)",
    "The type of a value; with bases and dict: a new class.",
    "type(1)  # <class 'int'>",
    type_construct,
    0,
    0,
};

static bool type_iter(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_value r;
    gx_try has = gx_meta_call(rt, v, GX_HOOK_iter, 0, NULL, &r);
    if (has == GX_TRY_NO)
        gx_fail(rt, GX_TypeError, "type.iterate", "'%s' object is not iterable",
                gx_metaclass(v)->name);
    if (has != GX_TRY_YES) return false;
    bool ok = gx_iter(rt, r, out);
    gx_drop(r);
    return ok;
}

static bool type_length(gx_rt *rt, gx_borrowed v, int64_t *out) {
    gx_value r;
    gx_try has = gx_meta_call(rt, v, GX_HOOK_len, 0, NULL, &r);
    if (has == GX_TRY_NO)
        gx_fail(rt, GX_TypeError, "type.length", "object of type '%s' has no len()",
                gx_metaclass(v)->name);
    if (has != GX_TRY_YES) return false;
    gx_try is = gx_as_index(rt, r, out);
    if (is == GX_TRY_NO)
        gx_fail(rt, GX_TypeError, "class.length", "'%s' object cannot be interpreted as an integer",
                gx_type_name(r));
    gx_drop(r);
    if (is != GX_TRY_YES) return false;
    return *out >= 0 ||
           gx_fail(rt, GX_ValueError, "class.length", "__len__() should return >= 0");
}

static bool type_contains(gx_rt *rt, gx_borrowed v, gx_borrowed item, bool *out) {
    gx_value r;
    gx_try has = gx_meta_call(rt, v, GX_HOOK_contains, 1, &item, &r);
    if (has == GX_TRY_NO)
        gx_fail(rt, GX_TypeError, "type.contains", "argument of type '%s' is not iterable",
                gx_metaclass(v)->name);
    if (has != GX_TRY_YES) return false;
    bool ok = gx_truth(rt, r, out);
    gx_drop(r);
    return ok;
}

static bool type_truth(gx_rt *rt, gx_borrowed v, bool *out) {
    gx_value r;
    gx_try has = gx_meta_call(rt, v, GX_HOOK_bool, 0, NULL, &r);
    *out = true;
    if (has != GX_TRY_YES) return has == GX_TRY_NO;
    bool ok = gx_truth(rt, r, out);
    gx_drop(r);
    return ok;
}

/* A metaclass's own operator; an answer NotImplemented counts as missing. */
static gx_try meta_binary(gx_rt *rt, int hook, gx_borrowed self, gx_borrowed other,
                          gx_value *out) {
    gx_try r = gx_meta_call(rt, self, (gx_hook)hook, 1, &other, out);
    if (r != GX_TRY_YES || !gx_is_not_implemented(*out)) return r;
    gx_drop(*out);
    return GX_TRY_NO;
}

/* Of two types the metaclasses' own comparison, or identity. */
static gx_try type_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    if (op > GX_GE || (!has_meta(a) && !has_meta(b))) return GX_TRY_NO;
    gx_try own = meta_binary(rt, GX_HOOK_eq + (int)op, a, b, out);
    const int back = GX_HOOK_eq + (int)gx_cmpop_mirrored(op);
    return own == GX_TRY_NO ? meta_binary(rt, back, b, a, out) : own;
}

static bool type_hash(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    gx_value r, found = gx_meta_hook(rt, v, GX_HOOK_hash);
    if (found.tag == GX_NONE)
        return gx_fail(rt, GX_TypeError, "hash.unhashable", "unhashable type: '%s'",
                       gx_metaclass(v)->name);
    if (found.tag == GX_UNDEF) {
        *out = (uint64_t)(uintptr_t)v.obj >> 4;
        return true;
    }
    if (gx_meta_call(rt, v, GX_HOOK_hash, 0, NULL, &r) != GX_TRY_YES) return false;
    bool ok = gx_is_int(r) ? gx_hash(rt, gx_plain_number(r), out)
                           : gx_fail(rt, GX_TypeError, "class.hash",
                                     "__hash__ method should return an integer");
    gx_drop(r);
    return ok;
}

/* int | None, and a metaclass's operators. */
static gx_try type_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    const bool metas = has_meta(a) || has_meta(b);
    gx_try own = metas ? meta_binary(rt, GX_HOOK_op_add + (int)op, a, b, out) : GX_TRY_NO;
    if (metas && own == GX_TRY_NO) own = meta_binary(rt, GX_HOOK_radd + (int)op, b, a, out);
    if (own != GX_TRY_NO) return own;
    const gx_parameters *p = gx_parameters_of(rt);
    return op == GX_BITOR && p ? p->unite(rt, a, b, out) : GX_TRY_NO;
}

static bool call_builtin(gx_rt *rt, gx_borrowed fn, int argc, const gx_borrowed *argv, int kwc,
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

static bool type_call(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                      const gx_sym *kw, gx_value *out) {
    return (self.tag == GX_TYPE ? call_builtin : gx_class_call)(rt, self, argc, argv, kwc, kw, out);
}

const gx_type gx_type_type = {
    .name = "type",
    .tag = GX_TYPE,
    .dtype = GX_NO_DTYPE,
    .container = true,
    .repr = type_repr,
    .str = type_str,
    .format = type_format,
    .shown = gx_metaclass,
    .compare = type_compare,
    .hash = type_hash,
    .attr = type_attr,
    .members = type_members,
    .methods = type_methods,
    .construct = &type_native,
    .binary = type_binary,
    .doc = "The type of types.",
    .free = gx_class_free,
    .traverse = gx_class_traverse,
    .clear = gx_class_clear,
    .call = type_call,
    .iter = type_iter,
    .length = type_length,
    .contains = type_contains,
    .truth = type_truth,
};
