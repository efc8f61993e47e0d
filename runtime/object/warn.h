/* Warnings' state: filters (warnings.simplefilter …), what floating-point conditions do (errstate,
   seterr), and the list that records warnings instead of printing them. */
#ifndef GX_RUNTIME_OBJECT_WARN_H
#define GX_RUNTIME_OBJECT_WARN_H

#include "runtime/object/object.h"

typedef enum gx_warn_action {
    GX_WARN_DEFAULT, /* once a source line and text */
    GX_WARN_IGNORE,
    GX_WARN_ERROR,
    GX_WARN_ALWAYS,
    GX_WARN_ONCE
} gx_warn_action;

/* Floating-point conditions in the order of gx_warn_state.fp, and what is done about them. */
typedef enum gx_fp_condition {
    GX_COND_DIVIDE,
    GX_COND_OVER,
    GX_COND_UNDER,
    GX_COND_INVALID,
    GX_CONDS
} gx_fp_condition;
typedef enum gx_fp_mode {
    GX_MODE_WARN,
    GX_MODE_IGNORE,
    GX_MODE_RAISE,
    GX_MODE_PRINT,
    GX_MODE_CALL, /* the function of gx_warn_set_call is called */
    GX_MODE_LOG   /* its write method is */
} gx_fp_mode;

enum { GX_WARN_FILTERS = 24, GX_WARN_TEXT = 60 };

typedef struct gx_warn_filter {
    const gx_type *type;       /* this and what is below it; gx_warn_hold_type has it */
    uint8_t action;            /* gx_warn_action */
    bool anywhere;             /* message may stand anywhere, not only at the start */
    char message[GX_WARN_TEXT]; /* "": any */
} gx_warn_filter;

typedef struct gx_warn_state {
    gx_warn_filter filters[GX_WARN_FILTERS]; /* the first that fits decides */
    int count;
    uint8_t fp[GX_CONDS]; /* gx_fp_mode */
} gx_warn_state;

/* The state, made at first use; NULL: MemoryError. */
GX_CHECK gx_warn_state *gx_warn_state_of(gx_rt *rt);
/* Replaces the whole state; warnings shown already may be shown again. */
GX_CHECK bool gx_warn_set_state(gx_rt *rt, const gx_warn_state *state);
/* Keeps a class of the script for filters that name it, as long as the context lives. */
GX_CHECK bool gx_warn_hold_type(gx_rt *rt, const gx_type *type);
/* Warnings go to this list as (message, category, filename, lineno) until it is UNDEF again; *old
   owns the list before. */
GX_CHECK bool gx_warn_record(gx_rt *rt, gx_borrowed list, gx_value *old);
/* What modes "call" and "log" call: a function, an object with a write method, or None; *old owns
   what was there before. */
GX_CHECK bool gx_warn_set_call(gx_rt *rt, gx_borrowed call, gx_value *old);
/* The same, borrowed: None when there is none. */
gx_borrowed gx_warn_get_call(const gx_rt *rt);
/* Does somebody want to know of results too small for their dtype? */
bool gx_warn_of_underflow(const gx_rt *rt);
/* Between these no function of a script is called: pending work is being computed. gx_warn_hold
   says whether gx_warn_release has to follow, which calls what had to wait. */
bool gx_warn_hold(gx_rt *rt);
GX_CHECK bool gx_warn_release(gx_rt *rt, bool ok);
/* What errstate says of an operation that met overflow or an invalid value: nothing, a warning, or
   an error. */
GX_CHECK bool gx_warn_met(gx_rt *rt, bool overflow, bool invalid, const char *op);
/* Forgets which warnings have been shown. */
void gx_warn_free(gx_rt *rt);

/* What floating-point conditions (GX_FP_…, runtime/backend/tape.h) of an operation mean. */
GX_CHECK bool gx_fp_warn(gx_rt *rt, int conditions, const char *op, gx_span origin);
/* Warnings: queued here with the place of the current statement, shown by
   gx_warnings_show once a source line. NumPy's texts. */
GX_CHECK bool gx_warn(gx_rt *rt, gx_error_kind kind, const char *fmt, ...) GX_PRINTF(3, 4);

/* The same of any class below Warning; `message`: an instance of it, or UNDEF for a new one of the
   text. */
GX_CHECK bool gx_warn_as(gx_rt *rt, const gx_type *type, gx_borrowed message, const char *text);

#endif
