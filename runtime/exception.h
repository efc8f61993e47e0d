/* Exception objects. The runtime raises through gx_fail, which makes no object; one is made only
   when a script looks at it (`except E as e`), and it keeps what the report knew (position, trace,
   help), so that raising it again reports the first place. */
#ifndef GX_RUNTIME_EXCEPTION_H
#define GX_RUNTIME_EXCEPTION_H

#include "runtime/object.h"

typedef struct gx_exception {
    gx_container head;
    gx_value args;    /* a tuple */
    gx_value cause;   /* `raise e from cause`; UNDEF: none */
    gx_value context; /* what was being handled; UNDEF: none */
    gx_value notes;   /* a list, or UNDEF */
    bool literal;     /* args hold the finished text of an error that the runtime raised */
    gx_error *report; /* position, trace, notes and help of the raise; NULL: never raised */
    char code[32];    /* gx's code, or "" */
    bool silent;      /* `from None` */
} gx_exception;

static inline gx_exception *gx_as_exception(gx_borrowed v) {
    return (gx_exception *)v.obj;
}
/* An exception of a type (one of gx_exception_types or below) with its arguments. */
GX_CHECK bool gx_exception_new(gx_rt *rt, const gx_type *type, int argc, const gx_borrowed *argv,
                               gx_value *out);
/* Moves the pending error into an exception object; nothing is pending afterwards. False: no memory
   for the object, and the MemoryError is pending. */
GX_CHECK bool gx_exception_from_error(gx_rt *rt, gx_value *out);
/* Raises an exception object or type (any other value: TypeError). Always returns false. */
bool gx_exception_raise(gx_rt *rt, gx_borrowed value);
/* Raises KeyError whose argument is the key itself. Always returns false. */
bool gx_key_error(gx_rt *rt, gx_borrowed key);
/* Raises StopIteration carrying a generator's return value. Always returns false. */
bool gx_stop_iteration(gx_rt *rt, gx_borrowed value);
/* Is v an exception type (a class that `except` may name)? */
static inline bool gx_is_exception_type(gx_borrowed v) {
    const gx_type *t = gx_as_type(v);
    return t && gx_type_is(t, &gx_exception_types[GX_BaseException]);
}
/* Does the pending error match an exception type, or a tuple of them? GX_TRY_ERROR: the pattern is
   neither (a TypeError replaces the pending error). */
gx_try gx_exception_matches(gx_rt *rt, gx_borrowed pattern);

#endif
