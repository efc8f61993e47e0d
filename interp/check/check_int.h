/* What the parts of the checker share. */
#ifndef GX_INTERP_CHECK_CHECK_INT_H
#define GX_INTERP_CHECK_CHECK_INT_H

#include "interp/check/check.h"

/* What is known of a global name from the text alone. */
typedef struct gx_binding {
    int count;           /* statements that bind it */
    bool shared;         /* a function declares it global */
    const gx_node *made; /* the DEF or CLASS that does */
    gx_value value;      /* what an import of the library binds it to; owned; or UNDEF */
} gx_binding;

typedef struct gx_careful {
    gx_rt *rt;
    gx_module *module; /* its names are those of the text; nothing runs in it */
    gx_unit *unit;
    gx_findings *out;
    gx_arena arena;
    gx_binding *globals; /* by slot */
    int32_t slots;       /* so many: an import * may make more in the module */
    bool open_names;     /* names may come from elsewhere: exec, import * of a file */
    gx_map suspects;     /* functions that are called where a failure is expected */
    gx_map said;         /* attributes that the text stores or asks for by name */
    gx_reading *more;    /* what an editor asks, or NULL */
} gx_careful;

/* bindings.c: what the text binds. */
GX_CHECK bool gx_check_bindings(gx_careful *c);
void gx_check_bindings_free(gx_careful *c);
/* Is a failure in this statement's body expected? */
bool gx_check_expects(const gx_careful *c, const gx_node *n);
/* The library's value that an expression stands for wherever it is evaluated, owned; or UNDEF. */
gx_value gx_check_resolve(gx_careful *c, const gx_node *n);

/* names.c: names, attributes of modules, arguments of calls: anywhere in the text. */
GX_CHECK bool gx_check_names(gx_careful *c);
/* The values of a call's arguments are of no interest: UNDEF for each; false when there are stars.
   The error that the call would raise is pending when *ok is false. */
bool gx_check_arguments(gx_careful *c, const gx_node *call, const gx_function *fn, int selves);

/* guess_run.c: shapes and dtypes, by running over the text with what is known of values. */
GX_CHECK bool gx_check_shapes(gx_careful *c);

/* mentions.c: more->names. */
GX_CHECK bool gx_check_mentions(gx_careful *c);

/* findings.c: the pending error becomes a finding, unless there is one at its place. */
GX_CHECK bool gx_check_found(gx_careful *c);
/* A frame in which an error of a function's text can be located: its names are bound. */
GX_CHECK bool gx_check_frame(gx_careful *c, const gx_function *code, gx_frame *f);

#endif
