/* The heap's inside, shared by the object files of runtime/ only: the list of containers, shared
   small strings, and the cache of type attributes. */
#ifndef GX_RUNTIME_OBJECT_HEAP_H
#define GX_RUNTIME_OBJECT_HEAP_H

#include "runtime/object/object.h"

enum { GX_ATTR_CACHE = 1024, GX_SHARED_CHARS = 128, GX_TEXTS_WITH_PLACES = 8 };

/* Bits of gx_obj.flags. */
enum { GX_PRINTING = 1, GX_FINALIZED = 2, GX_HAS_PLACES = 4, GX_WATCHED = 8 };

/* Every 64th place of a text (text/places.c). */
typedef struct gx_text_places {
    const struct gx_str *s; /* borrowed; NULL: free */
    size_t *at;
} gx_text_places;

/* What a name means on a type: a method, a member, or neither (both NULL). */
typedef struct gx_attr_entry {
    const gx_type *type; /* NULL: free */
    gx_sym name;
    const gx_native *method;
    const gx_member *member;
} gx_attr_entry;

typedef struct gx_extension {
    const gx_type *type;
    const gx_native *methods;
    const gx_member *members;
    const gx_native *statics; /* of the type object itself */
} gx_extension;

typedef struct gx_heap {
    gx_container all; /* sentinel of the ring of tracked containers */
    int64_t live;     /* counted objects */
    int64_t tracked, fresh, threshold;
    bool collecting;
    bool closed; /* the interpreter is gone: nothing has last words any more */
    int free_depth;
    gx_container *pending; /* containers whose count fell to zero deep inside another free */
    gx_value chars[GX_SHARED_CHARS]; /* one-character strings, made at first use */
    gx_value empty_str, empty_tuple, empty_bytes;
    gx_value lent_bytes; /* what a bytearray's methods work on (bytearray_methods.c), or UNDEF */
    gx_text_places places[GX_TEXTS_WITH_PLACES];
    unsigned next_places;
    void *bytearray_rows; /* bytearray.c: methods of bytes that serve bytearrays */
    gx_extension *extensions;
    size_t extension_count, extension_room;
    gx_attr_entry attrs[GX_ATTR_CACHE];
    bool attrs_used; /* something is in it */
    bool overrides; /* a class of the script may take over calls of NumPy's functions */
    struct gx_weak_table {  /* container/weak.c: the targets of weak references */
        struct gx_weak **slots; /* a target's first; NULL: free. `room` is a power of two, or 0 */
        size_t count, room;
        void (*end)(gx_rt *, gx_obj *); /* an object that is watched ends */
    } weak;
    struct gx_classes *classes; /* class/lookup.c: made with the first class */
    const struct gx_class_ops *ops; /* what operations ask of classes */
    struct gx_last {
        gx_obj *obj; /* owned */
        void (*fn)(gx_rt *, gx_obj *);
    } *dying; /* objects that wait for their last words, in the order of their ends */
    size_t dying_count, dying_room;
    gx_obj **printing; /* containers whose repr is under way */
    size_t printing_count, printing_room;
} gx_heap;

/* Operands have one more owner for the time of an operation that may run code of a script, which
   may drop them everywhere else. Only what begins with gx_container can lead to such code. Arrays
   by themselves stay out of it: their number of owners says what may be computed in place. */
static inline bool gx_lively(gx_borrowed v) {
    return gx_is_object(v) && v.obj->type->container;
}
static inline gx_value gx_hold(gx_borrowed v) {
    return gx_lively(v) ? gx_keep(v) : gx_undef();
}
/* Both, if one of them is lively; the answer is for gx_release2. */
static inline bool gx_hold2(gx_borrowed a, gx_borrowed b) {
    if (!gx_lively(a) && !gx_lively(b)) return false;
    gx_keep(a);
    gx_keep(b);
    return true;
}
static inline void gx_release2(bool held, gx_value a, gx_value b) {
    if (!held) return;
    gx_drop(a);
    gx_drop(b);
}

/* Gives the memory of an object back; every free slot of a core type ends with it. */
void gx_obj_release(gx_rt *rt, void *obj);
/* A new object that is not cleared beyond its head. */
GX_CHECK void *gx_obj_raw(gx_rt *rt, const gx_type *type, size_t bytes);
/* Marks a container as being printed; *again is true when it already is. */
GX_CHECK bool gx_repr_enter(gx_rt *rt, gx_obj *obj, bool *again);
void gx_repr_leave(gx_rt *rt);

#endif
