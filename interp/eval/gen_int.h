/* Generator functions: a suspended one is its slots and a record for each statement that it stands
   in (record.h). Shared by gen_object.c (what scripts see) and exec_yield.c (yield, yield from). */
#ifndef GX_INTERP_EVAL_GEN_INT_H
#define GX_INTERP_EVAL_GEN_INT_H

#include "interp/eval/record.h"

typedef struct gx_yielder {
    gx_container head;
    gx_func *fn;
    const gx_function *code; /* of fn, also when that is gone */
    gx_span at;              /* of the last yield */
    gx_value *slots;
    int32_t slot_count;
    gx_record base;          /* base.inner is the function body's */
    gx_record *stands;    /* suspended: the yield's */
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
/* The exception that throw(type, value, traceback) is about, owned. */
GX_CHECK bool gx_thrown(gx_call *c, gx_value *out);

#endif
