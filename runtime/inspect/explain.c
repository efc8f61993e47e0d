/* What computing an array would run, as text: golden tests and explain() read it. Nothing is
   computed but what must be ready first. */
#include "runtime/inspect/explain.h"

#include "runtime/graph/lazy.h"

GX_CHECK bool gx_explain_tape(gx_rt *rt, gx_array *a, gx_buf *out) {
    gx_data *d = a->storage->data;
    if (d->kind == GX_DATA_READY) return gx_buf_puts(out, "ready: nothing to compute\n");
    for (int step = 0;; step++) {
        gx_plan plan;
        gx_planned planned = gx_plan_make(rt, d, &plan);
        if (planned == GX_PLAN_ERROR) return false;
        if (planned == GX_PLAN_OK) return gx_tape_text(gx_engine_of(rt)->tape, out);
        gx_data *first = plan.blocker;
        if (!gx_buf_puts(out, "first, computed apart:\n")) return false;
        gx_plan inner;
        if (gx_plan_make(rt, first, &inner) == GX_PLAN_OK &&
            !gx_tape_text(gx_engine_of(rt)->tape, out))
            return false;
        if (!gx_data_force(rt, first)) return false;
    }
}
