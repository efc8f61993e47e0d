/* What a variable holds: 16 bytes, passed by value. None, bool, int, float, NumPy scalars up to
   8 bytes, builtin functions, types and dtypes are held inline; the rest is a counted object.

   Ownership: parameters are borrowed (gx_borrowed), results are owned by the caller, a function
   that takes ownership ends in _take, keep/drop pair within a function. */
#ifndef GX_RUNTIME_BASE_VALUE_H
#define GX_RUNTIME_BASE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gx_rt gx_rt;
typedef struct gx_type gx_type;     /* runtime/object/object.h */
typedef struct gx_native gx_native; /* runtime/object/native.h */

/* Inline kinds first, then counted objects (tag >= GX_FIRST_OBJECT). GX_OBJECT is any object type
   that needs no tag of its own: its gx_type says what it is. */
typedef enum gx_tag {
    GX_UNDEF, /* an unbound slot or a missing argument; never seen by a script */
    GX_NONE,
    GX_ELLIPSIS,
    GX_BOOL,
    GX_INT,
    GX_FLOAT,
    GX_SCALAR, /* a NumPy scalar of at most 8 bytes; its dtype is in .dtype, its bits in .u */
    GX_DTYPE,  /* numpy.dtype: .dtype */
    GX_TYPE,   /* a type object: .type */
    GX_NATIVE, /* a builtin function: .native, and in .namespace the module family it came from */
    GX_FIRST_OBJECT,
    GX_COMPLEX = GX_FIRST_OBJECT,
    GX_BIGINT, /* an int outside int64 */
    GX_SCALAR_BOX, /* a NumPy scalar of 16 bytes (complex128) */
    GX_STR,
    GX_BYTES,
    GX_LIST,
    GX_TUPLE,
    GX_DICT,
    GX_SET, /* also frozenset */
    GX_RANGE,
    GX_SLICE,
    GX_ARRAY,
    GX_FUNC,   /* a function of the script */
    GX_METHOD, /* a function bound to its first argument */
    GX_MODULE,
    GX_EXCEPTION,
    GX_BOX, /* a variable captured by a closure; never seen by a script */
    GX_OBJECT,
    GX_TAGS
} gx_tag;

/* The namespace through which an array was made, or a function was reached: bare names, numpy,
 * cupy. */
typedef enum gx_namespace { GX_NS_GX, GX_NS_NUMPY, GX_NS_CUPY } gx_namespace;

/* The head of every counted object. */
typedef struct gx_obj {
    const gx_type *type;
    uint32_t refs;
    uint8_t tag; /* the gx_tag of values that hold it */
    uint8_t flags;
    uint16_t spare;
} gx_obj;

typedef struct gx_value {
    uint8_t tag;   /* gx_tag */
    uint8_t ns;  /* GX_NATIVE, GX_TYPE: the gx_namespace */
    uint16_t dtype; /* GX_SCALAR, GX_DTYPE: the gx_dtype (kernels/dtypes.h) */
    uint32_t aux;
    union {
        bool b;
        int64_t i;
        uint64_t u;
        double f;
        gx_obj *obj;
        const gx_type *type;
        const gx_native *native;
    };
} gx_value;

/* A parameter that is only looked at. The same type, except in the ownership-checking build. */
#ifndef GX_CHECK_OWNERSHIP
typedef gx_value gx_borrowed;
#endif

/* Frees an object whose count fell to zero (runtime/object/object.c). Deep structures are freed
   without recursion. */
void gx_obj_free(gx_obj *obj);

static inline bool gx_is_object(gx_value v) {
    return v.tag >= GX_FIRST_OBJECT;
}
/* One more owner; returns v. */
static inline gx_value gx_keep(gx_value v) {
    if (v.tag >= GX_FIRST_OBJECT) v.obj->refs++;
    return v;
}
/* One owner fewer; frees at zero. */
static inline void gx_drop(gx_value v) {
    if (v.tag >= GX_FIRST_OBJECT && --v.obj->refs == 0) gx_obj_free(v.obj);
}
static inline void gx_obj_keep(gx_obj *o) {
    o->refs++;
}
static inline void gx_obj_drop(gx_obj *o) {
    if (o && --o->refs == 0) gx_obj_free(o);
}

static inline gx_value gx_undef(void) {
    return (gx_value){.tag = GX_UNDEF};
}
static inline gx_value gx_none(void) {
    return (gx_value){.tag = GX_NONE};
}
static inline gx_value gx_bool(bool b) {
    return (gx_value){.tag = GX_BOOL, .u = b};
}
static inline gx_value gx_int(int64_t i) {
    return (gx_value){.tag = GX_INT, .i = i};
}
static inline gx_value gx_float(double f) {
    return (gx_value){.tag = GX_FLOAT, .f = f};
}
/* The value that holds an object; takes over the caller's reference. */
static inline gx_value gx_object(gx_obj *o) {
    return (gx_value){.tag = o->tag, .obj = o};
}
/* Moves v out of a variable, leaving it undefined: for `*out = gx_steal(&result)`. */
static inline gx_value gx_steal(gx_value *v) {
    gx_value r = *v;
    *v = gx_undef();
    return r;
}

#endif
