/* What values can do. Every kind of value has a gx_type: a struct of slots; a NULL slot means that
   the operation is a TypeError. Core types are in str.h list.h dict.h …; a new object type of a
   stdlib module defines a gx_type of its own and uses tag GX_OBJECT.

   Also here: the heap of containers with cycle collection (trial deletion through `traverse`), and
   the generic operations that everything else calls: repr, truth, iteration, attributes, calls. */
#ifndef GX_RUNTIME_OBJECT_OBJECT_H
#define GX_RUNTIME_OBJECT_OBJECT_H

#include "kernels/dtypes.h"
#include "runtime/base/buf.h"
#include "runtime/base/operator.h"
#include "runtime/base/rt.h"

typedef void (*gx_visit)(gx_obj *child, void *ctx);

/* One attribute that is computed: x.shape. set NULL: read-only. */
typedef struct gx_member {
    const char *name;
    bool (*get)(gx_rt *, gx_borrowed self, gx_value *out);
    bool (*set)(gx_rt *, gx_borrowed self, gx_borrowed value);
    const char *doc;
} gx_member;

/* Result of a slot that may not know the answer. */
typedef enum gx_try { GX_TRY_ERROR = -1, GX_TRY_NO = 0, GX_TRY_YES = 1 } gx_try;

/* What a builtin type does itself for a script's classes below it, as their attributes lie behind
   its own data (ndarray). */
typedef struct gx_subclassing {
    /* Calls the class: the new instance, whose __init__ has not run. */
    bool (*make)(gx_rt *, const gx_type *cls, int argc, const gx_borrowed *argv, int kwc,
                 const gx_sym *kw, gx_value *out);
    bool (*copy)(gx_rt *, gx_borrowed self, gx_value *out);
    /* A value that a member of self gave, taken, as the class shows it. */
    bool (*like_take)(gx_rt *, gx_borrowed self, gx_value result, gx_value *out);
    size_t (*bytes)(const gx_obj *); /* of the builtin type's data */
} gx_subclassing;

/* Objects of another language, which know themselves what gx asks of types, classes and special
   methods (stdlib/bridge). Their operators come before those of any other operand but instances. */
typedef struct gx_foreign {
    /* isinstance(v, cls) or issubclass, where v or cls is one. */
    bool (*is_a)(gx_rt *, gx_borrowed v, gx_borrowed cls, bool subclass, bool *out);
    gx_try (*special)(gx_rt *, gx_borrowed v, const char *name, int argc, const gx_borrowed *argv,
                      gx_value *out);
    gx_try (*elements)(gx_rt *, gx_borrowed v, gx_value *out); /* as an array */
    /* Calls of NumPy's functions with v among the arguments: NO: gx's does them. */
    gx_try (*numpy)(gx_rt *, gx_borrowed v, gx_borrowed fn, int argc, const gx_borrowed *argv,
                    int kwc, const gx_sym *kw, gx_value *out);
    bool (*type_of)(gx_rt *, gx_borrowed v, gx_value *out);
    bool (*same)(gx_borrowed a, gx_borrowed b); /* a is b, both of the type */
    bool (*callable)(gx_borrowed v);
    void (*each_attr)(gx_rt *, gx_borrowed v, void (*fn)(const char *name, void *ctx), void *ctx);
    bool (*super)(gx_rt *, gx_borrowed cls, gx_borrowed self, gx_value *out); /* super(cls, self) */
    bool (*help)(gx_rt *, gx_borrowed v, gx_buf *out); /* what help(v) says */
    bool (*no_attr)(gx_rt *, gx_borrowed v, gx_sym name); /* raises; always false */
} gx_foreign;

struct gx_type {
    const char *name;    /* "int", "list", "numpy.float64", "ValueError" */
    const gx_type *base; /* for isinstance; NULL: object */
    uint8_t tag;         /* of the instances */
    uint8_t dtype;       /* NumPy scalar types; else GX_NO_DTYPE */
    uint8_t error;       /* exception types: the gx_error_kind */
    bool container;      /* instances begin with gx_container and have traverse and clear */
    bool heap;           /* of a class of the script: lies in a gx_class (class.h) */
    bool apart;          /* containers whose gx_container lies behind their data
                            (runtime/object/class/hooks.h) */
    const char *doc;
    const gx_type *meta;       /* what the builtin type is an instance of; NULL: type */
    const gx_foreign *foreign; /* NULL: the type is gx's */

    void (*free)(gx_rt *, gx_obj *); /* drops children, then gx_free */
    void (*traverse)(gx_obj *, gx_visit, void *ctx);
    void (*clear)(gx_rt *, gx_obj *); /* drops children, stays valid and empty */

    /* Does the object leave code of the script to run before it goes? Then that is queued, once in
       its life, by gx_last_words_later. NULL: never. */
    bool (*parting)(gx_rt *, gx_obj *);

    bool (*repr)(gx_rt *, gx_borrowed, gx_buf *out);
    bool (*str)(gx_rt *, gx_borrowed, gx_buf *out); /* NULL: repr */
    bool (*format)(gx_rt *, gx_borrowed, const char *spec, size_t length, gx_buf *out);
    bool (*truth)(gx_rt *, gx_borrowed, bool *out); /* NULL: length, else true */
    bool (*hash)(gx_rt *, gx_borrowed, uint64_t *out);
    gx_try (*compare)(gx_rt *, gx_cmpop, gx_borrowed a, gx_borrowed b, gx_value *out); /* EQ … GE */
    gx_try (*binary)(gx_rt *, gx_binop, gx_borrowed a, gx_borrowed b,
                     gx_value *out); /* a or b is ours */
    gx_try (*unary)(gx_rt *, gx_unop, gx_borrowed a, gx_value *out);
    /* a op= b, where a changes in place; NULL or NO: a op b. */
    gx_try (*inplace)(gx_rt *, gx_binop, gx_borrowed a, gx_borrowed b, gx_value *out);
    /* Values that stand for one number, as NumPy's scalars: the int, of any size, that an integer
       is; the parts of any number; the bytes in memory. NO: it is none. */
    gx_try (*index)(gx_rt *, gx_borrowed, gx_value *out);
    gx_try (*number)(gx_rt *, gx_borrowed, double *re, double *im);
    gx_try (*bytes)(gx_rt *, gx_borrowed, gx_value *out);
    bool (*length)(gx_rt *, gx_borrowed, int64_t *out);
    bool (*get)(gx_rt *, gx_borrowed, gx_borrowed key, gx_value *out);
    bool (*set)(gx_rt *, gx_borrowed, gx_borrowed key, gx_borrowed item);
    bool (*del)(gx_rt *, gx_borrowed, gx_borrowed key);
    bool (*contains)(gx_rt *, gx_borrowed, gx_borrowed item, bool *out);
    gx_try (*attr)(gx_rt *, gx_borrowed, gx_sym name, gx_value *out);
    gx_try (*set_attr)(gx_rt *, gx_borrowed, gx_sym name,
                       gx_borrowed value); /* value UNDEF: delete */
    bool (*iter)(gx_rt *, gx_borrowed, gx_value *out);
    bool (*next)(gx_rt *, gx_borrowed, gx_value *out,
                 bool *more); /* iterators; more = false: end */
    /* argv: argc positional values, then kwc keyword values named by kw. */
    bool (*call)(gx_rt *, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                 const gx_sym *kw, gx_value *out);
    /* What type(v) shows; NULL: the type. */
    const gx_type *(*shown)(gx_borrowed);
    /* The value that an instance of a class below begins with, where it is an object
       (gx_plain_value). */
    bool (*plain)(gx_rt *, gx_borrowed, gx_value *out);
    const gx_subclassing *subclassing; /* NULL: instance.c does it */
    const gx_native *construct; /* what calling the type does; its gx_call has .type */
    const gx_native *methods;   /* ends with a row whose name is NULL; first parameter is self */
    const gx_member *members;   /* likewise */
};

/* The head of a container: known to the cycle collector from gx_container_track on. */
typedef struct gx_container {
    gx_obj obj;
    struct gx_container *gc_next, *gc_prev; /* NULL: not tracked */
    int64_t gc_refs;                        /* scratch of the collector */
} gx_container;

/* The heap: made after gx_rt_new, freed last. */
GX_CHECK bool gx_heap_new(gx_rt *rt);
void gx_heap_free(gx_rt *rt);
/* A new object of `bytes` bytes with one reference, the rest of it cleared. */
GX_CHECK void *gx_obj_new(gx_rt *rt, const gx_type *type, size_t bytes);
/* Makes a container known to the collector (once its fields are valid); may collect cycles. */
void gx_container_track(gx_rt *rt, gx_container *c);
/* Unlinks; every container's free calls it first. */
void gx_container_untrack(gx_rt *rt, gx_container *c);
/* Collects unreachable cycles now; returns how many objects were freed. Those with last words are
   only queued, with all that hangs on them, and go at the next collection. */
int64_t gx_collect(gx_rt *rt);
/* Last words, that is __del__ and the finally of a generator dropped midway, never run while
   something is freed: the object waits, with one owner more, for the next statement or call of the
   script (gx_last_words, where rt->dying). So dropping a value runs no code. False: no memory. */
bool gx_last_words_later(gx_rt *rt, gx_obj *obj, void (*fn)(gx_rt *, gx_obj *));
/* Runs what waits; errors in it are dropped, a pending one is kept. */
void gx_last_words(gx_rt *rt);
/* Runs what waits for the last time: from here on objects go without. */
void gx_last_words_end(gx_rt *rt);
/* How many counted objects are alive (GX_LEAKS). */
int64_t gx_live_objects(const gx_rt *rt);

/* The type of any value; never NULL. */
const gx_type *gx_type_of_inline(gx_borrowed v); /* of one that is no object */
static inline const gx_type *gx_type_of(gx_borrowed v) {
    return GX_LIKELY(gx_is_object(v)) ? v.obj->type : gx_type_of_inline(v);
}
/* The value of a script's class, one reference more (class.c). */
gx_value gx_class_value(const gx_type *t);
/* The type object as a value. */
static inline gx_value gx_type_value(const gx_type *t) {
    return t->heap ? gx_class_value(t) : (gx_value){.tag = GX_TYPE, .type = t};
}
/* The type that a value is, builtin or a script's class; NULL: it is no type. */
const gx_type *gx_as_type(gx_borrowed v);
/* "int", "list", "numpy.ndarray": for messages. */
static inline const char *gx_type_name(gx_borrowed v) {
    return gx_type_of(v)->name;
}
bool gx_type_is(const gx_type *t, const gx_type *ancestor);
/* Adds rows to a type of a lower layer (ndarray's methods live in stdlib). Rows are static. */
GX_CHECK bool gx_type_extend(gx_rt *rt, const gx_type *type, const gx_native *methods,
                             const gx_member *members);
/* The method or member a type (or its bases) has under a name; NULL: none. Cached by name. */
const gx_native *gx_type_method(gx_rt *rt, const gx_type *type, gx_sym name);
const gx_member *gx_type_member(gx_rt *rt, const gx_type *type, gx_sym name);
/* Calls fn for every attribute name of a value (near names, completion, dir). */
void gx_each_attr(gx_rt *rt, gx_borrowed v, void (*fn)(const char *name, void *ctx), void *ctx);

/* --- generic operations ---------------------------------------------------------------------- */
GX_CHECK bool gx_repr(gx_rt *rt, gx_borrowed v, gx_buf *out);
GX_CHECK bool gx_str_into(gx_rt *rt, gx_borrowed v, gx_buf *out);
/* format(v, spec). */
GX_CHECK bool gx_format(gx_rt *rt, gx_borrowed v, const char *spec, size_t length, gx_buf *out);
GX_CHECK bool gx_truth(gx_rt *rt, gx_borrowed v, bool *out);
/* Python's hash as 64 bits; equal values hash equal, 1 == 1.0 == True included. */
GX_CHECK bool gx_hash(gx_rt *rt, gx_borrowed v, uint64_t *out);
/* a == b as a bool (identity first), for containers and `in`. */
GX_CHECK bool gx_equal(gx_rt *rt, gx_borrowed a, gx_borrowed b, bool *out);
/* a < b as a bool: sorting. */
GX_CHECK bool gx_less(gx_rt *rt, gx_borrowed a, gx_borrowed b, bool *out);
GX_CHECK bool gx_length(gx_rt *rt, gx_borrowed v, int64_t *out);
GX_CHECK bool gx_get_item(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out);
GX_CHECK bool gx_set_item(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_borrowed item);
GX_CHECK bool gx_del_item(gx_rt *rt, gx_borrowed v, gx_borrowed key);
GX_CHECK bool gx_contains(gx_rt *rt, gx_borrowed v, gx_borrowed item, bool *out);
/* v.name: members, methods (bound), then the attr slot; AttributeError with near names. */
GX_CHECK bool gx_get_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out);
/* As gx_get_attr, but a missing name is GX_TRY_NO, no error. */
gx_try gx_try_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out);
GX_CHECK bool gx_set_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value);
/* Are there items to ask for by gx_iter; are they reached by numbers, too (no dict, no set)? Of an
   instance, its class's special methods say so when they are called. */
bool gx_iterable(gx_borrowed v);
bool gx_is_sequence(gx_borrowed v);
/* An iterator over v; TypeError "'int' object is not iterable". */
GX_CHECK bool gx_iter(gx_rt *rt, gx_borrowed v, gx_value *out);
/* The next item of an iterator; *more false at the end (then *out is untouched). */
GX_CHECK bool gx_next(gx_rt *rt, gx_borrowed iterator, gx_value *out, bool *more);
/* Calls anything callable: functions of the script, builtins, bound methods, types. */
GX_CHECK bool gx_call_value(gx_rt *rt, gx_borrowed fn, int argc, const gx_borrowed *argv, int kwc,
                            const gx_sym *kw, gx_value *out);
/* The same where the caller owns fn and the arguments until it returns. */
GX_CHECK bool gx_call_held(gx_rt *rt, gx_borrowed fn, int argc, const gx_borrowed *argv, int kwc,
                           const gx_sym *kw, gx_value *out);
bool gx_callable(gx_borrowed v);
bool gx_isinstance(gx_borrowed v, const gx_type *type);

/* A method bound to self. */
typedef struct gx_bound {
    gx_container head;
    gx_value self, fn;
} gx_bound;
GX_CHECK bool gx_bound_new(gx_rt *rt, gx_borrowed self, gx_borrowed fn, gx_value *out);
/* A variable captured by closures. */
typedef struct gx_box {
    gx_container head;
    gx_value value;
} gx_box;
GX_CHECK bool gx_box_new(gx_rt *rt, gx_borrowed value, gx_value *out);

/* A NumPy scalar? And its dtype. */
static inline bool gx_is_scalar(gx_borrowed v) {
    return v.tag == GX_SCALAR || v.tag == GX_SCALAR_BOX;
}
static inline gx_dtype gx_scalar_dtype(gx_borrowed v) {
    return (gx_dtype)(v.tag == GX_SCALAR ? v.dtype : v.obj->type->dtype);
}
/* Types by tag, of instances of no script's class: what makes a value takes its type from here, so
   that the types, with their slots, lie above it. Named before there are values: by methods.c, and
   by the room of arrays the types of dtypes and arrays and those of scalars, by dtype. */
extern const gx_type *gx_core_types[GX_TAGS];
void gx_types_of_core(const gx_type *const by_tag[GX_TAGS], const gx_type *ufunc,
                      const gx_type exceptions[GX_ERROR_COUNT]);
void gx_types_of_arrays(const gx_type *dtype, const gx_type *array,
                        const gx_type scalars[GX_DTYPES]);
const gx_type *gx_scalar_type(gx_dtype d);
/* The class of a kind of error. */
const gx_type *gx_exception_type(gx_error_kind kind);

extern const gx_type gx_type_object, gx_type_type, gx_type_none, gx_type_ellipsis, gx_type_bool,
    gx_type_int, gx_type_float, gx_type_complex, gx_type_str, gx_type_bytes, gx_type_list,
    gx_type_tuple, gx_type_dict, gx_type_set, gx_type_frozenset, gx_type_range, gx_type_slice,
    gx_type_native, gx_type_ufunc, gx_type_bound, gx_type_module, gx_type_box, gx_type_dtype,
    gx_type_array;
/* numpy.float64 and its brothers, by dtype; abstract ones: numpy.generic, number, integer … */
extern const gx_type gx_scalar_types[GX_DTYPES];
extern const gx_type gx_type_generic, gx_type_number, gx_type_integer, gx_type_signedinteger,
    gx_type_unsignedinteger, gx_type_inexact, gx_type_floating, gx_type_complexfloating;
/* Exception classes by gx_error_kind; [GX_NO_ERROR] is unused. */
extern const gx_type gx_exception_types[GX_ERROR_COUNT];

#endif
