/* Exceptions whose classes are written in gx, raised from C. */
#include <stdarg.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/exception.h"
#include "runtime/object/module.h"
#include "runtime/object/still.h"
#include "stdlib/python/fast/bytes_int.h"
#include "stdlib/stdlib.h"

/* The class, as the loaded module has it: only its functions raise it. */
static bool class_of(gx_rt *rt, const char *module, const char *name, gx_value *out) {
    GX_STILL(modules);
    GX_STILL(key);
    GX_STILL(m);
    const gx_running *running = gx_stdlib_running(rt);
    gx_sym sym = gx_sym_c(rt, name);
    if (!sym || !running->modules(rt, &modules) || !gx_str_c(rt, module, &key)) return false;
    gx_try found = gx_dict_find(rt, modules, key, &m);
    if (found == GX_TRY_YES && m.tag == GX_MODULE)
        found = gx_module_get(rt, gx_as_module(m), sym, out);
    else if (found == GX_TRY_YES)
        found = GX_TRY_NO;
    return found == GX_TRY_YES ||
           (found == GX_TRY_NO &&
            gx_fail(rt, GX_RuntimeError, "internal.library", "%s has no %s", module, name));
}

bool gx_raise_of(gx_rt *rt, const char *module, const char *name, const char *fmt, ...) {
    GX_STILL(cls);
    GX_STILL(text);
    GX_STILL(e);
    va_list args;
    gx_buf b = gx_buf_new(rt);
    va_start(args, fmt);
    bool ok = gx_buf_vprintf(&b, fmt, args);
    va_end(args);
    if (!ok) gx_buf_free(&b);
    if (!ok || !gx_str_take(&b, &text) || !class_of(rt, module, name, &cls)) return false;
    if (gx_call_value(rt, cls, 1, &text, 0, NULL, &e)) gx_exception_raise(rt, e);
    return false;
}
