/* Exception objects. The runtime raises through gx_fail, which makes no object; one is made only
   when a script looks at it (`except E as e`), and it keeps what the report knew (position, trace,
   help), so that raising it again reports the first place. */
#ifndef GX_RUNTIME_OBJECT_EXCEPTION_H
#define GX_RUNTIME_OBJECT_EXCEPTION_H

#include "runtime/object/object.h"

/* The most that a class has, apart from args: SyntaxError's. */
enum { GX_EXCEPTION_FIELDS = 8 };

typedef struct gx_exception {
    gx_container head;
    gx_value args;    /* a tuple */
    gx_value cause;   /* `raise e from cause`; UNDEF: none */
    gx_value context; /* what was being handled; UNDEF: none */
    gx_value dict;    /* what a script has set on an exception of a builtin class; UNDEF: nothing */
    gx_value trace;   /* __traceback__, once it was asked for or set; UNDEF: the report has it */
    gx_value *fields; /* name, errno and the like, where args do not tell; NULL: they do */
    gx_error *report; /* position, trace, notes and help of the raise; NULL: never raised */
    gx_sym where;     /* the function that has caught it */
    bool literal;     /* args hold the finished text of an error that the runtime raised */
    bool silent;      /* __suppress_context__ */
    char code[32];    /* gx's code, or "" */
} gx_exception;

static inline gx_exception *gx_as_exception(gx_borrowed v) {
    return (gx_exception *)v.obj;
}
/* An exception of a type (one of gx_exception_types or below) with its arguments. */
GX_CHECK bool gx_exception_new(gx_rt *rt, const gx_type *type, int argc, const gx_borrowed *argv,
                               gx_value *out);
/* What __init__ of the builtin classes does: args, and what the class makes of them. */
GX_CHECK bool gx_exception_init(gx_rt *rt, gx_borrowed exc, int argc, const gx_borrowed *argv,
                                int kwc, const gx_sym *kw);
/* Whose fields and text an exception has that is of two unrelated types; NULL: both have fields, or
   one is no exception. */
const gx_type *gx_exceptions_joined(const gx_type *a, const gx_type *b);
/* What __new__ does: args as they are. */
GX_CHECK bool gx_exception_new_args(gx_rt *rt, gx_borrowed exc, int argc, const gx_borrowed *argv);
/* Moves the pending error into an exception object; nothing is pending afterwards. False: no memory
   for the object, and the MemoryError is pending. */
GX_CHECK bool gx_exception_from_error(gx_rt *rt, gx_value *out);
/* Tells the pending error's exception a field of its class ("name", "obj"). Always false. */
bool gx_exception_tell(gx_rt *rt, const char *field, gx_borrowed value);
bool gx_exception_tell_text(gx_rt *rt, const char *field, const char *text);
/* Raises an exception object or type (any other value: TypeError). Always returns false. */
bool gx_exception_raise(gx_rt *rt, gx_borrowed value);
/* str(exc), malloc'd, "" where it fails; no error may be pending: a script's __str__ runs. */
char *gx_exception_message(gx_rt *rt, gx_borrowed exc);
/* Raises KeyError whose argument is the key itself. Always returns false. */
bool gx_key_error(gx_rt *rt, gx_borrowed key);
/* Raises StopIteration carrying a generator's return value. Always returns false. */
bool gx_stop_iteration(gx_rt *rt, gx_borrowed value);
/* Raises UnicodeDecodeError or UnicodeEncodeError about what is at..end. Always false. */
bool gx_unicode_error(gx_rt *rt, gx_error_kind kind, const char *coding, gx_borrowed object,
                      size_t at, size_t end, const char *why);
/* Is v an exception type (a class that `except` may name)? */
static inline bool gx_is_exception_type(gx_borrowed v) {
    const gx_type *t = gx_as_type(v);
    return t && t->tag == GX_EXCEPTION;
}
/* Does the pending error match an exception type, or a tuple of them? GX_TRY_ERROR: the pattern is
   neither (a TypeError replaces the pending error). */
gx_try gx_exception_matches(gx_rt *rt, gx_borrowed pattern);
/* e.__notes__, a list or whatever the script has put there; NO: there are none. */
gx_try gx_exception_notes(gx_rt *rt, gx_borrowed exc, gx_value *out);
/* e.__traceback__: a traceback or None. */
GX_CHECK bool gx_exception_trace(gx_rt *rt, gx_borrowed exc, gx_value *out);
/* A copy: class, arguments, attributes. */
GX_CHECK bool gx_exception_copy(gx_rt *rt, gx_borrowed exc, gx_value *out);
/* The same into a fresh exception of the same class, but for what instances have. */
GX_CHECK bool gx_exception_copy_into(gx_rt *rt, gx_borrowed from, gx_borrowed to);

#endif
