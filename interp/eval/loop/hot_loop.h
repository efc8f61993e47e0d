/* Loops that have run for a while go on as machine code (interp/loops). */
#ifndef GX_INTERP_EVAL_HOT_LOOP_H
#define GX_INTERP_EVAL_HOT_LOOP_H

#include "interp/eval/evaluator.h"
#include "interp/loops/loops.h"

/* The rounds of a range that are left, with the one that begins. */
typedef struct gx_rounds {
    int64_t at, left, step;
} gx_rounds;

/* Has the loop n run for so many rounds that gx_hot_run is worth asking? Asked as each round
   begins; the count, which may be negative, stands in the node's `length`. */
static inline bool gx_is_hot(const gx_frame *f, const gx_node *n) {
    return GX_UNLIKELY((int64_t)++((gx_node *)(uintptr_t)n)->length >= f->rt->debug.loops);
}
/* Runs the rest of a loop as machine code; r: of a for over a range, else NULL. True: the loop has
   ended by *flow. False: the evaluators are to go on with what *r then says, as before. */
bool gx_hot_run(gx_frame *f, const gx_node *n, gx_rounds *r, int *flow);
/* The error of a program that must stop in a loop. */
int gx_loop_interrupted(gx_frame *f, const gx_node *n);
/* The rest of a for over a range whose target is a plain name: the count is all the state there
   is. */
int gx_exec_rounds(gx_frame *f, const gx_node *n, gx_rounds r);

static inline void gx_rebind(gx_value *slot, gx_value v) {
    gx_value old = *slot;
    *slot = v;
    gx_drop(old);
}
/* Executes one statement, as a block does without a guard. */
static inline int gx_exec_one(gx_frame *f, const gx_node *n) {
    f->rt->here = n->at;
    int flow = gx_exec(f, n);
    if (GX_UNLIKELY(flow == GX_FLOW_ERROR)) gx_locate(f, n);
    if (GX_UNLIKELY(f->rt->dying)) gx_last_words(f->rt);
    return flow;
}
/* The loop's body; one statement is executed without its block. */
static inline int gx_exec_body(gx_frame *f, const gx_node *body, const gx_node *only) {
    return !only || f->guards ? gx_exec(f, body) : gx_exec_one(f, only);
}

#endif
