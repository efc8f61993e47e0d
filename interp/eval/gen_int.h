/* Generator functions: a suspended one is its slots and one record a statement that it stands in.
   Shared by gen_object.c (what scripts see) and gen_exec.c (running). */
#ifndef GX_INTERP_EVAL_GEN_INT_H
#define GX_INTERP_EVAL_GEN_INT_H

#include "interp/eval/evaluator.h"

/* Where a compound statement, or a yield, stands. */
typedef struct gx_gen_step {
    const gx_node *node; /* the part being run, where the statement has a choice */
    int32_t at;          /* which statement, clause or item */
    int32_t phase;
    bool asks;       /* a yield from: value is what it asks */
    int flow;        /* a finally block runs: how the statement is left afterwards */
    gx_iteration loop;    /* for */
    gx_value value;  /* the exception handled, the manager of a with, what yield from asks */
    gx_value result; /* finally: the value of a return on its way */
} gx_gen_step;

typedef struct gx_yielder {
    gx_container head;
    gx_func *fn;
    const gx_function *code; /* of fn, also when that is gone */
    gx_span at;              /* of the last yield */
    gx_value *slots;
    int32_t slot_count;
    GX_VEC(gx_gen_step) steps;
    size_t level;      /* of the records: those below it are being run */
    gx_value sent;     /* what the yield answers */
    gx_value thrown;   /* an exception to raise at the yield, or UNDEF */
    gx_value yielded;  /* on its way out */
    gx_value returned; /* by the function, once it has ended */
    bool running, started, done;
    bool parted; /* its last words were queued */
} gx_yielder;

extern const gx_type gx_type_yielder;
static inline bool gx_is_yielder(gx_borrowed v) {
    return v.tag == GX_OBJECT && v.obj->type == &gx_type_yielder;
}
/* Runs the function on to its next yield: GX_FLOW_YIELD, GX_FLOW_NEXT at its end (the value is in
   `returned`), or GX_FLOW_ERROR. `sent` is borrowed; `thrown` UNDEF: nothing is thrown. */
int gx_yielder_resume(gx_rt *rt, gx_yielder *g, gx_borrowed sent, gx_borrowed thrown);
/* Runs a statement that has a yield inside; as an executor, or GX_FLOW_YIELD. */
int gx_gen_run(gx_frame *f, gx_yielder *g, const gx_node *n);
/* Drops what a record holds. */
void gx_step_drop(gx_gen_step *s);

/* The exception that throw(type, value, traceback) is about, owned. */
GX_CHECK bool gx_thrown(gx_call *c, gx_value *out);

/* exec_try.c */
gx_try gx_try_matches(gx_frame *f, const gx_node *clause);
void gx_try_context(gx_rt *rt, gx_borrowed handled);
/* The pending error as an object that knows what was being handled; nothing is pending then. */
GX_CHECK bool gx_try_catch(gx_frame *f, gx_value *exc);
/* Evaluates a with item and enters it; *out is its __exit__, bound. NO: what failed behind `as` was
   swallowed by it, and the body is left out. */
gx_try gx_with_enter(gx_frame *f, const gx_node *item, gx_value *out);
/* Leaves a context by its __exit__ after `flow`: the flow that results. */
int gx_with_leave(gx_frame *f, const gx_node *item, gx_borrowed exit, int flow);
/* exec_match.c: the block of the case that fits, its names bound; NULL in *block: none does. */
GX_CHECK bool gx_match_choose(gx_frame *f, const gx_node *n, const gx_node **block);

#endif
