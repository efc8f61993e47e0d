/* What the checker knows of a value without running the program. NULL: nothing. */
#ifndef GX_INTERP_CHECK_GUESS_INT_H
#define GX_INTERP_CHECK_GUESS_INT_H

#include "interp/check/check_int.h"
#include "runtime/array/array.h"

typedef enum gx_guess_kind {
    GX_GUESS_VALUE,  /* the value itself, which nothing changes */
    GX_GUESS_NUMBER, /* a number of a known type */
    GX_GUESS_ARRAY,  /* dtype and shape */
    GX_GUESS_ITEMS,  /* a list or tuple of guesses */
    GX_GUESS_CODE    /* a function of the text */
} gx_guess_kind;

typedef struct gx_guess {
    uint8_t kind, tag; /* tag: of a NUMBER, or GX_LIST or GX_TUPLE */
    uint16_t dtype;    /* of an ARRAY, and of a NUMBER that is a NumPy scalar */
    uint8_t ns;
    bool lost;         /* something may have changed it: nothing is known any more */
    int n;             /* items, or axes */
    gx_value value;    /* VALUE; owned by the run */
    int64_t dims[GX_MAX_DIMS]; /* -1: a size that is not known */
    struct gx_guess **items;
    const gx_function *code;
} gx_guess;

/* A run over the text. Each operation on what is known is done for real, twice, on arrays of the
   known shapes with other contents: where both fail alike the program will, and what both results
   have in common is known of the result. */
typedef struct gx_guesses {
    gx_careful *c;
    gx_rt *rt;
    GX_VEC(gx_value) owned;
    gx_guess **globals;    /* by slot */
    gx_guess **slots;      /* of the function that is run */
    const gx_function *code;
    gx_guess *result;      /* of a call: all its returns together */
    bool returned;
    int muted, depth;
    int64_t steps;         /* left */
    bool failed;           /* memory is gone */
    bool quiet;            /* for what an editor asks: functions that nothing calls */
    GX_VEC(gx_guess *) noted;
    gx_map places;         /* where a name stands, plus 1, to its entry in noted */
    /* Runs a function's or the text's body (guess_run.c). */
    void (*run_body)(struct gx_guesses *r, const gx_node *body);
} gx_guesses;

/* guess.c */
gx_guess *gx_guess_value(gx_guesses *r, gx_value v); /* takes it over */
gx_guess *gx_guess_new(gx_guesses *r, gx_guess_kind kind);
/* A value like a guess; `world` 0 or 1 decides what is not known. False: it cannot be made. */
bool gx_guess_make(gx_guesses *r, const gx_guess *g, int world, gx_value *out);
/* What two results have in common; `exact`: they come from values alone. Consumes both. */
gx_guess *gx_guess_common_take(gx_guesses *r, gx_value a, gx_value b, bool exact);
bool gx_guess_exact(const gx_guess *g);
gx_guess *gx_guess_join(gx_guesses *r, gx_guess *a, gx_guess *b);
bool gx_guess_same(const gx_guess *a, const gx_guess *b);
/* Somebody may change it. */
void gx_guess_lose(gx_guess *g);

/* guess_expr.c */
gx_guess *gx_guess_eval(gx_guesses *r, const gx_node *n);
bool gx_guess_call_code(gx_guesses *r, const gx_function *code, const gx_node *call,
                        gx_guess **args, int argc, gx_guess **out);
/* x[key] = v, x op= v. */
void gx_guess_store(gx_guesses *r, const gx_node *target, gx_guess *v);
gx_guess *gx_guess_inplace(gx_guesses *r, const gx_node *n);
void gx_guess_bind(gx_guesses *r, const gx_node *target, gx_guess *v);
int gx_guess_truth(gx_guesses *r, const gx_guess *g); /* -1: not known */

/* guess_tell.c: what an editor asks. A name or attribute that stands for g; an expression that was
   evaluated; whose owner, of an attribute, is known so; at the end. */
void gx_guess_note(gx_guesses *r, gx_span at, gx_guess *g);
void gx_guess_asked(gx_guesses *r, const gx_node *n, const gx_guess *g, const gx_guess *owner);
GX_CHECK bool gx_guess_tell(gx_guesses *r);

#endif
