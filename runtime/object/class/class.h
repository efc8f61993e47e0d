/* Classes of the script and their instances. A class is an object that holds the gx_type of its
   instances, so that everything that asks a value's type works on instances as on any other value;
   the type's slots call the script's special methods. Not here: how a class statement is run
   (interp/eval/exec_class.c).

   Invariant: a class outlives its instances, since each holds a reference to it. */
#ifndef GX_RUNTIME_OBJECT_CLASS_CLASS_H
#define GX_RUNTIME_OBJECT_CLASS_CLASS_H

#include "runtime/object/native.h"

/* Named values in the order in which they were set; both arrays are one block. */
typedef struct gx_named {
    gx_sym *names;
    gx_value *values;
    int32_t count, room;
    uint64_t bits; /* gx_name_bit of each name, and of some that are gone */
} gx_named;
/* Most names that are not there are known by this. */
static inline uint64_t gx_name_bit(gx_sym name) {
    return (uint64_t)1 << (name & 63);
}

enum { GX_CLASS_CACHE = 32 };
/* What an instance shows under a name of which its class says this. */
typedef enum gx_shows {
    GX_SHOWS_ASKED, /* whatever a descriptor answers */
    GX_SHOWS_FIELD, /* the class says nothing */
    GX_SHOWS_VALUE, /* its own field, then the class's value as it is */
    GX_SHOWS_SLOT,  /* the field under a hidden name */
} gx_shows;
typedef struct gx_found {
    gx_sym name;
    gx_sym field; /* the name of the field that holds it */
    uint8_t shows; /* gx_shows */
    bool stored; /* setting the attribute stores it in the field: nothing else has a say */
    bool direct; /* the same, and the class has no __setattr__ */
    uint64_t version;
    gx_value value; /* borrowed from the class that has it; UNDEF: none has */
} gx_found;

typedef struct gx_class {
    gx_container head;
    gx_type type; /* of the instances */
    gx_sym name, module;
    char *doc;            /* owned, as type.doc; NULL: none */
    gx_sym qualname; /* 0: the name */
    int32_t slots;   /* how many __slots__ of its own the class has */
    bool closed;     /* its instances have no __dict__ */
    gx_named attrs;
    gx_value bases;        /* a tuple */
    const gx_type *meta;   /* what the class is an instance of, held; NULL: type */
    const gx_type **order; /* the class, then its ancestors by C3 */
    int32_t order_count;
    const gx_type *builtin;  /* the builtin type whose data instances begin with */
    size_t part;             /* where an instance's gx_part lies; 0: behind data of any length */
    struct gx_class **below; /* subclasses, not owned */
    int32_t below_count, below_room;
    gx_found cache[GX_CLASS_CACHE];
    struct {
        uint64_t version;
        bool plain;    /* a call makes an object of fields, then runs __init__ */
        gx_value init; /* borrowed: __init__; UNDEF: object's */
        int32_t room;  /* for so many fields instances are made */
    } making;
} gx_class;

/* What every instance has behind its builtin data. */
typedef struct gx_part {
    gx_named fields;
    gx_value dict; /* once __dict__ was asked for: the attributes are there, fields is empty */
} gx_part;

/* What a place in a program remembers of the attribute that it reads or stores: objects of the type
   have it in that field while no class has changed. */
typedef struct gx_field_memo {
    const gx_type *type; /* not owned; NULL: nothing is known */
    uint64_t version;
    size_t part; /* where the gx_part lies in the object */
    gx_sym field;
    int32_t place; /* among the fields */
    bool direct;   /* storing goes there too */
} gx_field_memo;
/* The field that a memo speaks of, of an object; NULL: ask. */
static inline gx_value *gx_memo_field(const gx_rt *rt, const gx_field_memo *m, gx_borrowed v) {
    if (v.obj->type != m->type || rt->class_version != m->version) return NULL;
    gx_named *f = &((gx_part *)((char *)v.obj + m->part))->fields;
    return m->place < f->count && f->names[m->place] == m->field ? &f->values[m->place] : NULL;
}

static inline bool gx_is_class(gx_borrowed v) {
    return v.tag == GX_OBJECT && v.obj->type->tag == GX_TYPE;
}
static inline gx_class *gx_as_class(gx_borrowed v) {
    return (gx_class *)v.obj;
}
/* type, or the metaclass, of a value that gx_as_type takes. */
const gx_type *gx_metaclass(gx_borrowed v);
static inline bool gx_is_instance(gx_borrowed v) {
    return v.tag >= GX_FIRST_OBJECT && v.obj->type->heap;
}

/* A class without attributes; `bases` is a tuple of types. */
GX_CHECK bool gx_class_new(gx_rt *rt, gx_sym name, gx_sym module, const char *doc,
                           gx_borrowed bases, gx_value *out);
/* Sets an attribute of a class. */
/* Its name with what is around it. */
static inline gx_sym gx_class_qualname(const gx_class *cls) {
    return cls->qualname ? cls->qualname : cls->name;
}
GX_CHECK bool gx_class_set(gx_rt *rt, gx_borrowed cls, gx_sym name, gx_borrowed value);
/* After the body's attributes are set: the rules that hold for the class as a whole, __set_name__
   and __init_subclass__ (with keywords). */
GX_CHECK bool gx_class_finish(gx_rt *rt, gx_borrowed cls, int kwc, const gx_sym *kw,
                              const gx_borrowed *values);
/* The function of the script that v.name(...) calls with v before the arguments, owned. NO: look
   the attribute up. */
gx_try gx_class_method(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out);
/* Calls a special method of an instance that its class defines: "__abs__". NO: v is no instance of
   a script's class, or the class has none. */
gx_try gx_special(gx_rt *rt, gx_borrowed v, const char *name, int argc, const gx_borrowed *argv,
                  gx_value *out);
/* Does the class of an instance say `name = None`? */
bool gx_special_refused(gx_rt *rt, gx_borrowed v, const char *name);
/* a.left(b), else b.right(a), in Python's order; an answer NotImplemented counts as missing. */
gx_try gx_special_pair(gx_rt *rt, const char *left, const char *right, gx_borrowed a, gx_borrowed b,
                       gx_value *out);
/* Enters a context manager that the caller holds, by the methods that its type has: *entered is
   what __enter__ gives, *leave is __exit__, bound. NO: its type lacks the method named *lacks. */
gx_try gx_context_enter(gx_rt *rt, gx_borrowed manager, gx_value *entered, gx_value *leave,
                        const char **lacks);
/* What its class says under a special name, borrowed; UNDEF: v is no instance, or it says nothing.
 */
gx_value gx_special_find(gx_rt *rt, gx_borrowed v, const char *name);
/* A fresh instance whose __init__ has not run. */
GX_CHECK bool gx_instance_new(gx_rt *rt, gx_borrowed cls, int argc, const gx_borrowed *argv,
                              gx_value *out);
/* Sets an attribute of the instance itself, whatever its class says. */
GX_CHECK bool gx_instance_set_own(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value);
/* An instance's attribute, read or set without a look at its class again; false, and nothing is
   done: it takes the long way. Neither runs code of a script. */
bool gx_instance_get_quick(gx_rt *rt, gx_borrowed v, gx_sym name, gx_field_memo *m, gx_value *out);
bool gx_instance_set_quick(gx_rt *rt, gx_borrowed v, gx_sym name, gx_field_memo *m,
                           gx_borrowed value);
/* The __init__ of a class whose call is no more than a new object of fields and that function of
   the script, borrowed; UNDEF: a call is more. Such an object; what __init__ has returned, which
   must be None, consumed. */
gx_value gx_class_plain_init(gx_rt *rt, gx_borrowed cls);
GX_CHECK bool gx_class_plain_object(gx_rt *rt, gx_borrowed cls, gx_value *out);
GX_CHECK bool gx_class_init_done(gx_rt *rt, gx_borrowed made, gx_value returned);
/* The getter of the property that a name means on an instance, borrowed; UNDEF: it means none, or
   __getattr__ may have a say too. */
gx_value gx_instance_getter(gx_rt *rt, gx_borrowed v, gx_sym name);
/* As gx_instance_get_quick, for a class itself. */
bool gx_class_get_quick(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out);
/* Its __dict__ where it was asked for, borrowed; UNDEF: the attributes are values of its own. */
gx_value gx_instance_asked_dict(gx_borrowed v);
/* The i-th value that the instance holds itself, in its place; NULL: there is none. */
gx_value *gx_instance_field(gx_borrowed v, int32_t i);
/* The live dict of an instance's attributes. */
GX_CHECK bool gx_instance_dict(gx_rt *rt, gx_borrowed v, gx_value *out);
/* Calling a class without __new__ and __init__: what the builtin ancestor makes of the arguments,
   as an instance. */
GX_CHECK bool gx_instance_make(gx_rt *rt, gx_borrowed cls, int argc, const gx_borrowed *argv,
                               int kwc, const gx_sym *kw, gx_value *out);
/* v; of an instance below int, float, complex, str, bytes, tuple or frozenset the value of that
   type that it begins with, owned. */
GX_CHECK bool gx_plain_value(gx_rt *rt, gx_borrowed v, gx_value *out);
gx_value gx_plain_number_slow(gx_borrowed v);
/* The same for numbers, borrowed: an int that fits is inline, as everywhere. */
static inline gx_value gx_plain_number(gx_borrowed v) {
    return GX_UNLIKELY(gx_is_instance(v)) ? gx_plain_number_slow(v) : v;
}
/* A new instance of the same class with the same attributes and builtin data. */
GX_CHECK bool gx_instance_copy(gx_rt *rt, gx_borrowed v, gx_value *out);
/* What an abstract class says of a type that does not inherit from it: its __subclasshook__, what
   was registered with it or with a class below it. */
GX_CHECK bool gx_abc_says(gx_rt *rt, const gx_type *abc, const gx_type *subject, bool *out);
/* NotImplemented. */
GX_CHECK bool gx_not_implemented(gx_rt *rt, gx_value *out);

/* The most derived of `meta` and the metaclasses of the bases. */
GX_CHECK bool gx_metaclass_of(gx_rt *rt, const gx_type *meta, gx_borrowed bases,
                              const gx_type **out);
/* Makes a class one of `meta`, which is below type. */
void gx_class_set_meta(gx_class *cls, const gx_type *meta);
/* type.__new__(meta, name, bases, dict, **kw), of which argv is what follows meta. */
GX_CHECK bool gx_class_make(gx_rt *rt, const gx_type *meta, int argc, const gx_borrowed *argv,
                            int kwc, const gx_sym *kw, gx_value *out);
/* While a metaclass makes the class of a body: where methods find it under __class__. */
typedef struct gx_class_cell {
    gx_sym name;
    gx_value *place;
} gx_class_cell;
gx_class_cell gx_class_cell_swap(gx_rt *rt, gx_class_cell cell);
/* Calls a special method that the metaclass of the script has, with the class v as its self. NO: v
   has no such metaclass, or it has no such method. */
gx_try gx_meta_special(gx_rt *rt, gx_borrowed v, const char *name, int argc,
                       const gx_borrowed *argv, gx_value *out);

extern const gx_type gx_type_abcmeta;
extern const gx_type gx_type_property, gx_type_staticmethod, gx_type_classmethod, gx_type_super,
    gx_type_cached_property, gx_type_abc;
extern const gx_native gx_abc_functions[];

#endif
