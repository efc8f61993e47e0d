/* Metaclasses: the types of classes. A class remembers its metaclass, whose special methods the
   slots of type ask with the class as their self; and type.__new__, which makes the classes.

   Invariant: a class holds its metaclass, which is never below those of its bases. */
#include <string.h>

#include "runtime/object/class/hooks.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/heap.h"
#include "runtime/object/text/str.h"

void gx_class_set_meta(gx_class *cls, const gx_type *meta) {
    const gx_type *old = cls->meta;
    if (meta && meta->heap) gx_obj_keep(&gx_class_of(meta)->head.obj);
    cls->meta = meta == &gx_type_type ? NULL : meta;
    if (old && old->heap) gx_obj_drop(&gx_class_of(old)->head.obj);
}

void gx_class_inherit_meta(gx_class *cls) {
    const gx_value *bases;
    const gx_type *best = &gx_type_type;
    int64_t n = gx_sequence_items(cls->bases, &bases);
    for (int64_t i = 0; i < n; i++)
        if (gx_type_is(gx_metaclass(bases[i]), best)) best = gx_metaclass(bases[i]);
    gx_class_set_meta(cls, best);
}

bool gx_metaclass_of(gx_rt *rt, const gx_type *meta, gx_borrowed bases, const gx_type **out) {
    const gx_value *items;
    int64_t n = gx_sequence_items(bases, &items);
    for (int64_t i = 0; i < n; i++) {
        const gx_type *other = gx_metaclass(items[i]);
        if (gx_type_is(meta, other)) continue;
        if (!gx_type_is(other, meta))
            return gx_fail(rt, GX_TypeError, "class.metaclass",
                           "metaclass conflict: the metaclass of a derived class must be a "
                           "(non-strict) subclass of the metaclasses of all its bases");
        meta = other;
    }
    *out = meta;
    return true;
}

/* --- special methods -------------------------------------------------------------------------- */

/* --- type's own methods ----------------------------------------------------------------------- */

static bool prepare(gx_call *c, gx_value *out) {
    return gx_dict_new(c->rt, out);
}

static bool check(gx_call *c, const gx_type *subject, gx_value *out) {
    bool yes;
    const gx_type *t = gx_as_type(c->argv[0]);
    if (!t || !subject)
        return gx_fail(c->rt, GX_TypeError, "class.type", "%s() needs a class, not '%s'",
                       c->fn->name, gx_type_name(c->argv[t ? 1 : 0]));
    if (!gx_abc_says(c->rt, t, subject, &yes)) return false;
    *out = gx_bool(yes);
    return true;
}

static bool instance_check(gx_call *c, gx_value *out) {
    const gx_type *t = gx_as_type(c->argv[0]);
    if (!t || !gx_isinstance(c->argv[1], t)) return check(c, gx_type_of(c->argv[1]), out);
    *out = gx_bool(true);
    return true;
}

static bool subclass_check(gx_call *c, gx_value *out) {
    return check(c, gx_as_type(c->argv[1]), out);
}

static const gx_native own_methods[] = {
    {"__prepare__", "__prepare__(*args, **kwds)", "The dict that a class's body fills.", NULL,
     prepare, 0, 0},
    {"__instancecheck__", "__instancecheck__(cls, instance, /)", "Is it an instance of the class?",
     NULL, instance_check, 0, 0},
    {"__subclasscheck__", "__subclasscheck__(cls, subclass, /)", "Is it a class below the class?",
     NULL, subclass_check, 0, 0},
    {0},
};

const gx_native *gx_metaclass_native(const gx_type *type, const char *name) {
    const gx_native *row = gx_type_is(type, &gx_type_type) ? own_methods : &own_methods[3];
    while (row->name && strcmp(row->name, name) != 0) row++;
    return row->name ? row : NULL;
}

/* --- type.__new__ ----------------------------------------------------------------------------- */

gx_class_cell gx_class_cell_swap(gx_rt *rt, gx_class_cell cell) {
    gx_classes *classes = gx_classes_of(rt);
    gx_class_cell old = {0};
    if (!classes) return old;
    old = classes->cell;
    classes->cell = cell;
    return old;
}

static bool is_name(gx_rt *rt, gx_sym name, const char *text) {
    return strcmp(gx_sym_text(rt, name), text) == 0;
}

/* The items of the namespace become the attributes. */
static bool fill(gx_rt *rt, gx_borrowed cls, gx_borrowed namespace) {
    int64_t at = 0;
    gx_entry *e;
    while ((e = gx_dict_next(gx_as_dict(namespace), &at))) {
        gx_sym key = e->key.tag == GX_STR ? gx_str_sym(rt, e->key) : 0;
        if (!key)
            return e->key.tag != GX_STR &&
                   gx_fail(rt, GX_TypeError, "class.type", "names of attributes are strings");
        gx_value v = e->value;
        if (v.tag == GX_STR && is_name(rt, key, "__module__")) {
            if (!(gx_as_class(cls)->module = gx_str_sym(rt, v))) return false;
        } else if (!gx_class_set(rt, cls, key, v)) {
            return false;
        }
    }
    return true;
}

static bool is_type_name(gx_borrowed v) {
    return v.tag == GX_STR && !memchr(gx_as_str(v)->text, 0, gx_as_str(v)->length);
}

/* The metaclass's own __new__, where it is more derived than the one that was asked. */
static gx_try make_below(gx_rt *rt, const gx_type *meta, const gx_borrowed *argv, gx_value *out) {
    gx_value fn = gx_class_hook(rt, meta, GX_HOOK_new), all[4], below;
    if (fn.tag == GX_UNDEF) return GX_TRY_NO;
    if (gx_is_object(fn) && fn.obj->type == &gx_type_staticmethod) fn = ((gx_bound *)fn.obj)->fn;
    gx_keep(fn);
    all[0] = below = gx_type_value(meta);
    for (int i = 0; i < 3; i++) all[i + 1] = argv[i];
    bool ok = gx_call_value(rt, fn, 4, all, 0, NULL, out);
    gx_drop(fn);
    gx_drop(below);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

bool gx_class_make(gx_rt *rt, const gx_type *meta, int argc, const gx_borrowed *argv, int kwc,
                   const gx_sym *kw, gx_value *out) {
    const gx_type *best;
    gx_value cls;
    gx_classes *classes = gx_classes_of(rt);
    if (!classes) return false;
    if (argc != 3)
        return gx_fail(rt, GX_TypeError, "class.type",
                       "type.__new__() takes exactly 3 arguments (%d given)", argc);
    if (argv[0].tag != GX_STR || argv[1].tag != GX_TUPLE || argv[2].tag != GX_DICT)
        return gx_fail(rt, GX_TypeError, "class.type",
                       "type() makes a class of a str, a tuple and a dict");
    if (!is_type_name(argv[0]))
        return gx_fail(rt, GX_ValueError, "class.type",
                       "type name must not contain null characters");
    if (!gx_metaclass_of(rt, meta, argv[1], &best)) return false;
    if (best != meta && !kwc) {
        gx_try made = make_below(rt, best, argv, out);
        if (made != GX_TRY_NO) return made == GX_TRY_YES;
    }
    gx_sym name = gx_str_sym(rt, argv[0]), module = gx_sym_c(rt, "__main__");
    if (!name || !module || !gx_class_new(rt, name, module, NULL, argv[1], &cls)) return false;
    gx_class_set_meta(gx_as_class(cls), best);
    bool ok = fill(rt, cls, argv[2]);
    if (ok && classes->cell.place && classes->cell.name == name) {
        gx_drop(*classes->cell.place);
        *classes->cell.place = gx_keep(cls);
        classes->cell = (gx_class_cell){0};
    }
    ok = ok && gx_class_finish(rt, cls, kwc, kw, argv + 3);
    if (ok)
        *out = cls;
    else
        gx_drop(cls);
    return ok;
}

static bool abcmeta_construct(gx_call *c, gx_value *out) {
    return gx_class_make(c->rt, &gx_type_abcmeta, 3, c->argv, 0, NULL, out);
}

static const gx_native abcmeta_native = {
    "ABCMeta",
    "ABCMeta(name, bases, namespace, /)",
    "The metaclass of classes that may have abstract methods.",
    NULL,
    abcmeta_construct,
    0,
    0,
};

const gx_type gx_type_abcmeta = {
    .name = "abc.ABCMeta",
    .base = &gx_type_type,
    .tag = GX_TYPE,
    .dtype = GX_NO_DTYPE,
    .construct = &abcmeta_native,
    .doc = "The metaclass of classes that may have abstract methods.",
};
