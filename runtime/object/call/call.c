/* Calls of anything, by the call slot of its type. */
#include "runtime/object/heap.h"
#include "runtime/object/object.h"

static inline bool call_held(gx_rt *rt, gx_borrowed fn, int argc, const gx_borrowed *argv, int kwc,
                  const gx_sym *kw, gx_value *out) {
    if (GX_UNLIKELY(gx_failed(&rt->error))) return false;
    if (fn.tag != GX_NATIVE && !gx_stack_check(rt)) return false;
    for (const gx_type *t = gx_type_of(fn); t; t = t->base)
        if (t->call) return t->call(rt, fn, argc, argv, kwc, kw, out);
    return gx_fail(rt, GX_TypeError, "call.type", "'%s' object is not callable", gx_type_name(fn));
}

bool gx_call_held(gx_rt *rt, gx_borrowed fn, int argc, const gx_borrowed *argv, int kwc,
                  const gx_sym *kw, gx_value *out) {
    return call_held(rt, fn, argc, argv, kwc, kw, out);
}

/* The function and the arguments live until it is over, whatever its code drops. Arguments beyond
   the first few are kept on the heap. Nothing is called while an error is pending: steps of a scope
   go on after one that failed. */
bool gx_call_value(gx_rt *rt, gx_borrowed fn, int argc, const gx_borrowed *argv, int kwc,
                   const gx_sym *kw, gx_value *out) {
    enum { NEAR = 8 };
    gx_value near[NEAR], *args = near;
    int n = argc + kwc;
    if (GX_UNLIKELY(n > NEAR) && !(args = gx_alloc(rt, (size_t)n * sizeof *args))) return false;
    for (int i = 0; i < n; i++) args[i] = gx_keep(argv[i]);
    gx_value held = gx_hold(fn);
    bool ok = call_held(rt, fn, argc, args, kwc, kw, out);
    gx_drop(held);
    for (int i = 0; i < n; i++) gx_drop(args[i]);
    if (args != near) gx_free(rt, args);
    return ok;
}

bool gx_callable(gx_borrowed v) {
    if (gx_type_of(v)->foreign) return gx_type_of(v)->foreign->callable(v);
    for (const gx_type *t = gx_type_of(v); t; t = t->base)
        if (t->call) return true;
    return false;
}
