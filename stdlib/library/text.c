/* Calls of functions that are written in gx. A text is parsed when one of its functions is first
   called, once for numpy and once for cupy, and costs nothing before. Mistakes are told at the
   script's call (interp/errors/locate.c). */
#include "stdlib/library/text.h"

#include <stdio.h>
#include <string.h>

#include "runtime/array/array.h"
#include "runtime/object/exception.h"
#include "runtime/object/use.h"
#include "stdlib/stdlib.h"

static gx_namespace namespace_of(const gx_call *c) {
    for (int i = 0; i < c->argc; i++)
        if (gx_is_array(c->argv[i])) {
            gx_namespace ns = (gx_namespace)gx_as_array(c->argv[i])->ns;
            return ns == GX_NS_NUMPY ? ns : GX_NS_CUPY;
        }
    return c->ns == GX_NS_NUMPY ? GX_NS_NUMPY : GX_NS_CUPY;
}

bool gx_library_name(gx_rt *rt, const char *title, const char *text, gx_namespace ns,
                     const char *name, gx_value *out) {
    gx_value module;
    gx_sym sym = gx_sym_c(rt, name);
    if (!sym || !gx_library_module(rt, title, text, ns, &module)) return false;
    gx_try found = gx_module_get(rt, gx_as_module(module), sym, out);
    gx_drop(module);
    return found == GX_TRY_YES ||
           (found == GX_TRY_NO &&
            gx_fail(rt, GX_RuntimeError, "internal.library", "%s has no %s", title, name));
}

/* argc < 0: with the call's own arguments. */
static bool run_named(gx_call *c, const char *name, const char *text, const char *function,
                      int argc, const gx_borrowed *argv, gx_value *out) {
    gx_value fn;
    char title[64];
    gx_span here = c->rt->here;
    gx_namespace ns = namespace_of(c);
    snprintf(title, sizeof title, "<%s%s>", name, ns == GX_NS_NUMPY ? "" : ", for cupy");
    if (!gx_library_name(c->rt, title, text, ns, function, &fn)) return false;
    gx_use_hands_on(c);
    bool ok = argc < 0 ? gx_native_forward(c, fn, out)
                       : gx_call_value(c->rt, fn, argc, argv, 0, NULL, out);
    gx_drop(fn);
    c->rt->here = here;
    return ok;
}

bool gx_library_call(gx_call *c, const char *name, const char *text, gx_value *out) {
    return run_named(c, name, text, c->fn->name, -1, NULL, out);
}

bool gx_library_pass(gx_call *c, const char *name, const char *text, const char *function, int argc,
                     const gx_borrowed *argv, gx_value *out) {
    return run_named(c, name, text, function, argc, argv, out);
}

static bool coded_fn(gx_call *c, gx_value *out) {
    const char *code;
    size_t length;
    if (!gx_arg_str(c, 0, &code, &length)) return false;
    if (c->argv[1].tag != GX_EXCEPTION) return gx_arg_wrong(c, 1, "an exception");
    gx_exception *e = gx_as_exception(c->argv[1]);
    snprintf(e->code, sizeof e->code, "%s", code);
    *out = gx_keep(c->argv[1]);
    return true;
}

const gx_native gx_library_natives[] = {
    {"coded", "coded(code, exception, /)", "The exception, with gx's stable code of the error.",
     NULL, coded_fn, 0, 0},
    {.name = NULL},
};
