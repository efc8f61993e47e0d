/* The module `lazy`: what is still pending, what computing it would run, what has been run so
   far. It only looks and counts; when something is computed is the runtime's policy.

   Invariant: nothing here computes a value but flush(), and tape() what must be ready first. */
#include "runtime/inspect/explain.h"
#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"
#include "runtime/op/ufunc.h"
#include "stdlib/stdlib.h"

static bool lazy_tape(gx_call *c, gx_value *out) {
    if (!gx_is_array(c->argv[0])) return gx_arg_wrong(c, 0, "an array");
    gx_buf text = gx_buf_new(c->rt);
    bool ok = gx_explain_tape(c->rt, gx_as_array(c->argv[0]), &text);
    if (ok && text.length && text.data[text.length - 1] == '\n') text.length--;
    ok = ok && gx_str_new(c->rt, text.length ? text.data : "", text.length, out);
    gx_buf_free(&text);
    return ok;
}

static bool lazy_kernels(gx_call *c, gx_value *out) {
    *out = gx_int(c->rt->stats.kernels);
    return true;
}

static bool lazy_forced(gx_call *c, gx_value *out) {
    *out = gx_int(c->rt->stats.forced);
    return true;
}

static bool lazy_memory(gx_call *c, gx_value *out) {
    *out = gx_int(c->rt->stats.array_bytes);
    return true;
}

static bool lazy_peak(gx_call *c, gx_value *out) {
    bool reset;
    if (!gx_arg_bool(c, 0, &reset)) return false;
    *out = gx_int(c->rt->stats.array_peak);
    if (reset) c->rt->stats.array_peak = c->rt->stats.array_bytes;
    return true;
}

static bool lazy_flush(gx_call *c, gx_value *out) {
    *out = gx_none();
    return gx_lazy_flush(c->rt);
}

const gx_native gx_lazy_functions[] = {
    {"tape", "tape(x, /)",
     "The steps (the tape) that computing a pending array would run, as text.", NULL, lazy_tape, 0,
     0},
    {"kernels", "kernels()", "Number of fused kernels run so far.", NULL, lazy_kernels, 0, 0},
    {"forced", "forced()", "Number of pending arrays computed so far.", NULL, lazy_forced, 0, 0},
    {"memory", "memory()", "Bytes of memory that live arrays hold.", NULL, lazy_memory, 0, 0},
    {"peak", "peak(reset=False)",
     "The most bytes that arrays held at once; reset=True restarts the count.", NULL, lazy_peak, 0,
     0},
    {"flush", "flush()", "Computes all pending arrays now.", NULL, lazy_flush, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};

/* The bare name. */
const gx_constant gx_lazy_constants[] = {
    {.name = "lazy", .kind = GX_CONST_MODULE, .text = "gx.lazy"},
    {.kind = GX_CONST_END},
};
