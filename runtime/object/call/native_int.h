/* Parsed signatures, shared by native.c (calls), signature.c (parsing) and native_args.c. */
#ifndef GX_RUNTIME_OBJECT_CALL_NATIVE_INT_H
#define GX_RUNTIME_OBJECT_CALL_NATIVE_INT_H

#include "runtime/object/class/parameters.h"
#include "runtime/object/native.h"

enum { GX_MAX_PARAMS = 32 };

typedef struct gx_native_arg {
    gx_sym name;
    bool required;
    gx_value fallback; /* owned; UNDEF for required and for <no value> */
} gx_native_arg;

enum { GX_FEW_PARAMS = 10 };
/* Parameters stand in declared order: argv[i] of a call is param[i]. */
typedef struct gx_signature {
    const gx_native *fn;
    const gx_native *numpy; /* GX_NATIVE_DUAL: NumPy's function; NULL: not looked up, or none */
    int count;             /* all of them, *args and **kwargs included */
    int positional;        /* the first so many may be given by position */
    int positional_only;   /* the first so many only by position */
    int required;          /* how many of the positional ones have no default */
    int fewest; /* so many arguments by position bind by copying defaults; INT_MAX: not so simple */
    int star, kwstar;      /* index of *args and **kwargs, or -1 */
    bool keyword_required; /* a keyword-only parameter has no default */
    bool method; /* the first parameter is self */
    gx_value body[2]; /* native_body.h; owned */
    bool plain; /* positional arguments alone bind without making a tuple or a dict */
    gx_native_arg param[];
} gx_signature;

/* A context's cache of signatures, and what calls ask of the files above. */
struct gx_natives {
    gx_signature **slots; /* open addressing by row address */
    uint32_t size, count; /* size is a power of two */
    const gx_native *(*numpy)(gx_rt *, const char *name);
    bool (*is_vector)(gx_borrowed array);
    gx_find_builtin builtin;
    gx_ask_override override;
    const gx_parameters *parameters; /* list[int], int | str */
};

/* Parses fn->sig; NULL with an error pending. Owned by the caller. */
GX_CHECK gx_signature *gx_signature_new(gx_rt *rt, const gx_native *fn);
void gx_signature_free(gx_rt *rt, gx_signature *s);
/* fn's signature, parsed at first use. */
GX_CHECK gx_signature *gx_signature_of(gx_rt *rt, const gx_native *fn);

#endif
