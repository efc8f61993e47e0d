/* The inside of classes, shared by the files of this folder: the names of special
   methods, lookups through the order of a class, and the operators' dispatch. */
#ifndef GX_RUNTIME_OBJECT_CLASS_HOOKS_H
#define GX_RUNTIME_OBJECT_CLASS_HOOKS_H

#include <stddef.h>

#include "runtime/object/class/class.h"
#include "runtime/object/heap.h"

/* X(id, "name"): special methods that the runtime calls. The binary operators stand in the order
   of gx_binop, thrice; the comparisons in that of gx_cmpop. */
#define GX_BINARY_HOOKS(X, p, q)                                                                   \
    X(p##add, "__" q "add__")                                                                      \
    X(p##sub, "__" q "sub__") X(p##mul, "__" q "mul__") X(p##matmul, "__" q "matmul__")            \
        X(p##truediv, "__" q "truediv__") X(p##floordiv, "__" q "floordiv__")                      \
            X(p##mod, "__" q "mod__") X(p##pow, "__" q "pow__") X(p##lshift, "__" q "lshift__")    \
                X(p##rshift, "__" q "rshift__") X(p##and, "__" q "and__")                          \
                    X(p## xor, "__" q "xor__") X(p## or, "__" q "or__")
#define GX_HOOKS(X)                                                                                \
    GX_BINARY_HOOKS(X, op_, "") GX_BINARY_HOOKS(X, r, "r") GX_BINARY_HOOKS(X, i, "i")              \
    X(eq, "__eq__") X(ne, "__ne__") X(lt, "__lt__") X(le, "__le__") X(gt, "__gt__")                \
    X(ge, "__ge__") X(neg, "__neg__") X(pos, "__pos__") X(invert, "__invert__")                    \
    X(repr, "__repr__") X(str, "__str__") X(format, "__format__") X(hash, "__hash__")              \
    X(bool, "__bool__") X(len, "__len__") X(getitem, "__getitem__") X(setitem, "__setitem__")      \
    X(delitem, "__delitem__") X(contains, "__contains__") X(iter, "__iter__")                      \
    X(next, "__next__") X(call, "__call__") X(init, "__init__") X(new, "__new__")                  \
    X(getattr, "__getattr__") X(setattr, "__setattr__") X(delattr, "__delattr__")                  \
    X(get, "__get__") X(set, "__set__") X(delete, "__delete__") X(set_name, "__set_name__")        \
    X(array, "__array__") X(array_ufunc, "__array_ufunc__")                                        \
    X(array_function, "__array_function__") X(array_priority, "__array_priority__")                \
    X(missing, "__missing__") X(index, "__index__") X(init_subclass, "__init_subclass__")          \
    X(dict, "__dict__") X(class_getitem, "__class_getitem__") X(del, "__del__")                    \
    X(doc, "__doc__") X(abstract, "__isabstractmethod__") X(class, "__class__")                    \
    X(module, "__module__") X(qualname, "__qualname__") X(getattribute, "__getattribute__")        \
    X(enter, "__enter__") X(exit, "__exit__")

typedef enum gx_hook {
#define X(id, text) GX_HOOK_##id,
    GX_HOOKS(X)
#undef X
        GX_HOOK_COUNT
} gx_hook;

typedef struct gx_classes {
    gx_sym names[GX_HOOK_COUNT];
    gx_class_cell cell; /* of the class that a metaclass makes */
    gx_value not_implemented;
} gx_classes;

/* What operations on values ask of the files of classes, which lie above them (class.c). */
typedef struct gx_class_ops {
    /* Operators where an operand is an instance; a op= b as gx_class_inplace says. */
    gx_try (*binary)(gx_rt *, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out);
    gx_try (*inplace)(gx_rt *, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out);
    gx_try (*compare)(gx_rt *, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out);
    /* T[key] of a type. */
    bool (*item)(gx_rt *, gx_borrowed type, gx_borrowed key, gx_value *out);
    /* An attribute found in a class, as an instance or the class shows it. */
    bool (*bind)(gx_rt *, gx_borrowed found, gx_borrowed self, const gx_type *cls, gx_value *out);
    /* Does a builtin type have the name, which object has not? */
    bool (*defines)(gx_rt *, const gx_type *builtin, gx_sym name);
    /* The attr slot of instances, by __getattribute__ where their class has one. */
    gx_try (*attr)(gx_rt *, gx_borrowed v, gx_sym name, gx_value *out);
    gx_try (*attr_asked)(gx_rt *, gx_borrowed v, gx_sym name, gx_value *out);
} gx_class_ops;
extern const gx_class_ops gx_class_operations;

/* The shared state, made when new; NULL: memory. */
gx_classes *gx_classes_of(gx_rt *rt);

/* The class that a heap type lies in. */
static inline gx_class *gx_class_of(const gx_type *t) {
    return (gx_class *)((char *)(uintptr_t)t - offsetof(gx_class, type));
}
/* Behind the data of builtin types that are no containers themselves: what the collector knows such
   an instance by. A gx_part follows. */
typedef struct gx_apart {
    gx_container head; /* its type is gx_type_apart; its count of references means nothing */
    gx_obj *owner;
} gx_apart;
extern const gx_type gx_type_apart;

/* An instance of a class below float: a float is never an object elsewhere. */
typedef struct gx_float_object {
    gx_obj obj;
    double f;
} gx_float_object;

/* Where a gx_part begins behind so many bytes of data. */
size_t gx_part_behind(size_t data, bool apart);
size_t gx_part_place(const gx_obj *obj);
static inline gx_part *gx_part_of(gx_obj *obj) {
    size_t at = gx_class_of(obj->type)->part;
    return (gx_part *)((char *)obj + (at ? at : gx_part_place(obj)));
}
static inline gx_container *gx_container_of(gx_obj *obj) {
    if (!obj->type->apart) return (gx_container *)obj;
    return &((gx_apart *)gx_part_of(obj) - 1)->head;
}
static inline gx_obj *gx_contained(gx_container *c) {
    return c->obj.type == &gx_type_apart ? ((gx_apart *)c)->owner : &c->obj;
}
/* The nearest builtin type. */
static inline const gx_type *gx_plain_type(const gx_type *t) {
    return t->heap ? gx_class_of(t)->builtin : t;
}

gx_value *gx_named_find(gx_named *f, gx_sym name);
/* Room for a first name, and `room` of them. */
GX_CHECK bool gx_named_reserve(gx_rt *rt, gx_named *f, int32_t room);
GX_CHECK bool gx_named_set(gx_rt *rt, gx_named *f, gx_sym name, gx_borrowed value);
/* Removes and drops; false: there is none. */
bool gx_named_remove(gx_named *f, gx_sym name);
void gx_named_free(gx_rt *rt, gx_named *f);
void gx_named_visit(gx_named *f, gx_visit visit, void *ctx);

/* class.c: the slots of class objects. */
void gx_class_free(gx_rt *rt, gx_obj *obj);
void gx_class_traverse(gx_obj *obj, gx_visit visit, void *ctx);
void gx_class_clear(gx_rt *rt, gx_obj *obj);

/* order.c: cls->order and cls->builtin from its bases. */
GX_CHECK bool gx_class_order(gx_rt *rt, gx_class *cls);
/* What a script's class in the order says about a name; the entry holds until any class changes. */
gx_found *gx_class_look_up(gx_rt *rt, gx_class *cls, gx_sym name);
static inline gx_found *gx_class_entry(gx_rt *rt, gx_class *cls, gx_sym name) {
    gx_found *e = &cls->cache[name % GX_CLASS_CACHE];
    if (GX_LIKELY(e->name == name && e->version == rt->class_version)) return e;
    return gx_class_look_up(rt, cls, name);
}
/* The same, borrowed; UNDEF: nothing. */
static inline gx_value gx_class_find(gx_rt *rt, gx_class *cls, gx_sym name) {
    return gx_class_entry(rt, cls, name)->value;
}
static inline gx_value gx_class_hook(gx_rt *rt, const gx_type *t, gx_hook hook) {
    if (!t->heap) return gx_undef();
    return gx_class_find(rt, gx_class_of(t), rt->heap->classes->names[hook]);
}
/* As gx_class_find, behind the type `after` in the order of cls; *builtin: the first builtin type
   met when no class has it. */
gx_value gx_class_find_after(gx_rt *rt, gx_class *cls, const gx_type *after, gx_sym name,
                             const gx_type **builtin);
bool gx_class_is(const gx_type *t, const gx_type *ancestor);
/* Calls fn for the attributes of a class and its ancestors of the script. */
void gx_class_each(gx_rt *rt, const gx_type *t, void (*fn)(const char *name, void *ctx), void *ctx);
/* Calls what a lookup has found as a method of self. */
GX_CHECK bool gx_call_found(gx_rt *rt, gx_borrowed found, gx_borrowed self, int argc,
                            const gx_borrowed *argv, int kwc, const gx_sym *kw, gx_value *out);
/* Calls a special method of self; NO: its class has none. */
gx_try gx_call_hook(gx_rt *rt, gx_borrowed self, gx_hook hook, int argc, const gx_borrowed *argv,
                    gx_value *out);
/* Points the slots of a class, and of those below it, at the special methods that are there. */
void gx_class_slots(gx_rt *rt, gx_class *cls);

/* value.c: instances that begin with a value that never changes. */
bool gx_is_value_type(const gx_type *builtin);
/* Where the parts of such instances lie, 0 when their data have any length. */
size_t gx_value_part(const gx_type *builtin);
GX_CHECK bool gx_instance_of_value(gx_rt *rt, gx_class *cls, gx_borrowed plain, gx_value *out);

/* A builtin type's own constructor, as float.fromhex, reached through a class below it. */
GX_CHECK bool gx_class_static(gx_rt *rt, gx_borrowed cls, const gx_native *row, gx_value *out);

/* descriptor.c: an attribute found in a class, as an instance (or UNDEF: the class) shows it. */
GX_CHECK bool gx_bind_found(gx_rt *rt, gx_borrowed found, gx_borrowed self, const gx_type *cls,
                            gx_value *out);
/* Does it have its say before an instance's own attribute of the name? */
bool gx_is_data_descriptor(gx_rt *rt, gx_borrowed found);
/* members.c: __slots__. */
extern const gx_type gx_type_slot_member;
/* members.c: int.real, an attribute of a builtin type as an object. NO: it has no such one. */
extern const gx_type gx_type_attribute;
gx_try gx_attribute_of(gx_rt *rt, const gx_type *type, gx_sym name, gx_value *out);
GX_CHECK bool gx_attribute_read(gx_rt *rt, gx_borrowed found, gx_borrowed self, gx_value *out);
/* UNDEF deletes. */
GX_CHECK bool gx_attribute_write(gx_rt *rt, gx_borrowed found, gx_borrowed self, gx_borrowed value);
/* Makes descriptors of a class's __slots__, once its attributes are set. */
GX_CHECK bool gx_class_take_slots(gx_rt *rt, gx_borrowed cls);
/* May one class inherit from all of them? */
GX_CHECK bool gx_class_check_slots(gx_rt *rt, gx_borrowed bases);
/* The name of the field that holds its value. */
gx_sym gx_slot_field(gx_borrowed found);
GX_CHECK bool gx_slot_read(gx_rt *rt, gx_borrowed found, gx_borrowed self, gx_value *out);
GX_CHECK bool gx_slot_write(gx_rt *rt, gx_borrowed found, gx_borrowed self, gx_borrowed value);
/* __get__ of what binds, and with it __set__ and __delete__. */
extern const gx_native gx_descriptor_methods[], gx_data_descriptor_methods[];

/* classmethod(fn). */
GX_CHECK bool gx_classmethod_new(gx_rt *rt, gx_borrowed fn, gx_value *out);
/* cached_property.__set_name__; a second name is an error. */
GX_CHECK bool gx_cached_set_name(gx_rt *rt, gx_borrowed v, gx_borrowed name);
/* Tells a property, of any value, its name. */
void gx_property_name(gx_borrowed v, gx_sym name);
/* The getter of a property, in its place. */
const gx_value *gx_property_getter(gx_borrowed property);
gx_try gx_set_descriptor(gx_rt *rt, gx_borrowed found, gx_borrowed self, gx_borrowed value);

/* bound.c: the slots of gx_bound, for other types of its shape. */
void gx_bound_free(gx_rt *rt, gx_obj *o);
void gx_bound_traverse(gx_obj *o, gx_visit visit, void *ctx);
void gx_bound_clear(gx_rt *rt, gx_obj *o);

/* instance.c */
void gx_instance_free(gx_rt *rt, gx_obj *obj);
/* The `parting` slot: __del__. */
bool gx_instance_parting(gx_rt *rt, gx_obj *obj);
void gx_instance_traverse(gx_obj *obj, gx_visit visit, void *ctx);
void gx_instance_clear(gx_rt *rt, gx_obj *obj);
gx_try gx_instance_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out);
/* The attr slot of a class with a __getattribute__ of its own; what object's finds, by itself. */
gx_try gx_instance_attr_asked(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out);
gx_try gx_instance_attr_own(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out);
gx_try gx_instance_set_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value);
/* object.__setattr__: descriptors are asked; without them: the instance's own attributes. */
gx_try gx_instance_set_default(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value);
/* An attribute that was set on the instance; to set one. */
gx_try gx_instance_find_plain(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out);
gx_try gx_instance_set_plain(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value);
/* Calls fn for an instance's own attributes. */
void gx_instance_each(gx_rt *rt, gx_borrowed v, void (*fn)(const char *name, void *ctx), void *ctx);
/* What the builtin ancestor says about a name. */
gx_try gx_instance_builtin_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out);
/* Calling a class. */
GX_CHECK bool gx_class_call(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                            const gx_sym *kw, gx_value *out);
/* What the builtin ancestor's own __init__ does. */
GX_CHECK bool gx_builtin_init(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv,
                              int kwc, const gx_sym *kw);

/* instance_ops.c: operators where an operand is an instance. */
bool gx_is_not_implemented(gx_borrowed v);
gx_try gx_class_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out);
/* What stands before a builtin type's own a op= b: a.__iop__(b), and for sequences all methods. */
gx_try gx_class_inplace(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out);
gx_try gx_class_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out);

/* builtin.c: C.register of a class below abc.ABC. */
extern const gx_native gx_abc_register;

/* object_type.c: attributes of class objects, and the special methods of builtin types as
   functions: dict.__setitem__. */
gx_try gx_class_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out);
/* T[key]: what __class_getitem__ gives, or a type with parameters. */
GX_CHECK bool gx_type_item(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out);
gx_try gx_class_set_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value);
const gx_native *gx_slot_native(const gx_type *type, const char *name);
/* Does a builtin type have a method, member or special method of its own, which object has not? */
bool gx_builtin_defines(gx_rt *rt, const gx_type *t, gx_sym name);
/* The __dict__ of a builtin type: what it has that its ancestors have not. */
GX_CHECK bool gx_builtin_dict(gx_rt *rt, gx_borrowed type, gx_value *out);
void gx_slot_each(const gx_type *type, void (*fn)(const char *name, void *ctx), void *ctx);
/* operator_methods.c: the operators among them. */
const gx_native *gx_operator_native(const gx_type *type, const char *name);
void gx_operator_each(const gx_type *type, void (*fn)(const char *name, void *ctx), void *ctx);
/* operators.c: what the slots of builtin types say, of instances those of their ancestors. */
gx_try gx_slot_binary(gx_rt *rt, const gx_type *t, gx_binop op, gx_borrowed a, gx_borrowed b,
                      gx_value *out);
/* a op= b as the builtin types have it; NO: they do not. */
gx_try gx_slot_inplace(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out);
/* TypeError: no operator `text``mark` takes the two. Always false. */
bool gx_binary_refused(gx_rt *rt, const char *text, const char *mark, gx_borrowed a, gx_borrowed b);
gx_try gx_slot_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out);
/* The same by the slots of the operands that may be asked; numbers compare where either may. */
gx_try gx_slot_compare_of(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, bool left,
                          bool right, gx_value *out);

/* metaclass.c: what the metaclass of a class says, borrowed; UNDEF: nothing. */
static inline gx_value gx_meta_hook(gx_rt *rt, gx_borrowed v, gx_hook hook) {
    const gx_type *meta = gx_is_class(v) ? gx_as_class(v)->meta : NULL;
    return GX_UNLIKELY(meta != NULL) ? gx_class_hook(rt, meta, hook) : gx_undef();
}
/* Calls it; NO: there is none. */
gx_try gx_meta_call(gx_rt *rt, gx_borrowed v, gx_hook hook, int argc, const gx_borrowed *argv,
                    gx_value *out);
/* Its text, where the metaclass gives one. */
gx_try gx_meta_text(gx_rt *rt, gx_borrowed v, gx_hook hook, const char *name, gx_buf *out);
/* The metaclass that the bases have; of two that conflict, the first. */
void gx_class_inherit_meta(gx_class *cls);
/* Abstract classes are those of ABCMeta. */
static inline bool gx_class_is_abstract(const gx_type *t) {
    return t->heap && gx_class_of(t)->meta && gx_type_is(gx_class_of(t)->meta, &gx_type_abcmeta);
}
/* __prepare__, __instancecheck__ and __subclasscheck__ of type and the types below it, or NULL. */
const gx_native *gx_metaclass_native(const gx_type *type, const char *name);
/* What type itself does, whatever a metaclass says. */
GX_CHECK bool gx_type_repr_own(gx_rt *rt, gx_borrowed v, gx_buf *out);
gx_try gx_class_set_own(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value);
GX_CHECK bool gx_class_call_own(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv,
                                int kwc, const gx_sym *kw, gx_value *out);

#endif
