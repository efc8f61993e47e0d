/* The state of warnings, shared by warn.c and float_warn.c. */
#ifndef GX_RUNTIME_OBJECT_WARN_INT_H
#define GX_RUNTIME_OBJECT_WARN_INT_H

#include "runtime/object/warn.h"

enum { GX_SEEN_WARNINGS = 1024, GX_WAITING_CALLS = 16 };

/* A condition whose function is to be called once nothing is being computed. */
typedef struct gx_waiting_call {
    uint8_t kind, flags;
    char op[40];
} gx_waiting_call;

/* A place and text that has been shown: their hash. */
struct gx_fpstate {
    gx_warn_state state;
    gx_value record; /* a list, or UNDEF: warnings are printed */
    gx_value types;  /* a list of a script's classes that filters have named, or UNDEF */
    uint64_t seen[GX_SEEN_WARNINGS];
    int count;
    gx_value call; /* of modes "call" and "log", or None */
    int depth;     /* computations that are going on */
    int n_waiting;
    gx_waiting_call waiting[GX_WAITING_CALLS];
};

/* A warning about the code at a place. */
GX_CHECK bool gx_warn_at(gx_rt *rt, gx_error_kind kind, gx_span at, const char *text);

#endif
