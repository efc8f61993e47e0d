/* Compound statements are written once, for functions and for generators. In a generator function a
   statement that a yield stands in has a record of where it is, so that the yield can leave it and
   a resumption walk down into it again: its executor's body is an inline function whose last
   parameter `resumes` is constant, and without a record what it says of one is no code.

   Invariant: records stand in the order of nesting; a statement that ends has emptied its own. */
#ifndef GX_INTERP_EVAL_RECORD_H
#define GX_INTERP_EVAL_RECORD_H

#include "interp/eval/evaluator.h"

typedef struct gx_record {
    struct gx_record *outer, *inner; /* inner: kept for the next statement there */
    const gx_node *node; /* the part being run, where the statement has a choice */
    int32_t at;          /* which statement, clause or item */
    int32_t phase;       /* 0: the statement begins */
    int flow;            /* a finally block runs: how the statement is left afterwards */
    bool asks;           /* a yield from: value is what it asks */
    gx_iteration loop;   /* for */
    gx_value value;      /* the exception handled, the manager of a with, what yield from asks */
    gx_value result;     /* finally: the value of a return on its way */
} gx_record;

/* The record of the statement that begins or is resumed; NULL: no memory. */
gx_record *gx_record_fresh(gx_frame *f);
static inline gx_record *gx_record_enter(gx_frame *f) {
    gx_record *inner = f->record->inner;
    return GX_LIKELY(inner != NULL) ? (f->record = inner) : gx_record_fresh(f);
}
/* Empties a record; drops the values that it holds. */
void gx_record_drop(gx_record *s);
static inline void gx_record_empty(gx_record *s) {
    s->node = NULL;
    s->at = s->phase = s->flow = 0;
    s->asks = false;
    s->loop.at = 0;
    if (s->loop.over.tag != GX_UNDEF || s->value.tag != GX_UNDEF || s->result.tag != GX_UNDEF)
        gx_record_drop(s);
}
/* The statement has ended by `flow`, which it gives back. */
static inline int gx_record_leave(gx_frame *f, gx_record *s, int flow) {
    if (s && flow != GX_FLOW_YIELD) {
        f->record = s->outer;
        gx_record_empty(s);
    }
    return flow;
}

/* The two executors of a statement, of one body: name_(f, n, resumes). */
#define GX_COMPOUND(name)                                                                          \
    int gx_exec_##name(gx_frame *f, const gx_node *n) {                                            \
        return name##_(f, n, false);                                                               \
    }                                                                                              \
    int gx_exec_##name##_resumed(gx_frame *f, const gx_node *n) {                                  \
        return name##_(f, n, true);                                                                \
    }

#endif
