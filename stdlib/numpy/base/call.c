/* Calling a function of the library by its name: for functions that are told in terms of others.
   The called one checks its arguments as if a script had called it. */
#include <stdarg.h>
#include <string.h>

#include "stdlib/numpy/base/call.h"
#include "stdlib/stdlib.h"

/* "linalg.svd": the function svd of a module below numpy; "sum": numpy's own. */
static bool find(gx_np *s, const char *path, gx_value *out) {
    const char *dot = strchr(path, '.');
    if (!dot) {
        const gx_native *fn = gx_numpy_function(s->rt, path);
        if (!fn)
            return gx_fail(s->rt, GX_AttributeError, "call.name", "numpy has no function %s", path);
        *out = gx_native_value(fn, s->ns);
        return true;
    }
    char module[40] = "numpy.";
    gx_value m;
    size_t n = (size_t)(dot - path);
    if (strncmp(path, "scipy", 5) == 0) module[0] = 0;
    strncat(module, path, n < 24 ? n : 24);
    gx_sym name = gx_sym_c(s->rt, dot + 1);
    if (!name || gx_module_import(s->rt, module, &m) != GX_TRY_YES) return false;
    bool ok = gx_get_attr(s->rt, m, name, out);
    gx_drop(m);
    return ok;
}

bool gx_np_call(gx_np *s, const char *path, int n, const gx_borrowed *argv, gx_value *out) {
    gx_value fn;
    if (!find(s, path, &fn)) return false;
    if (fn.tag == GX_NATIVE) fn.ns = (uint8_t)s->ns;
    bool ok = gx_call_value(s->rt, fn, n, argv, 0, NULL, out);
    gx_drop(fn);
    return ok;
}

gx_array *gx_np_call_values(gx_np *s, const char *path, int n, const gx_borrowed *argv) {
    gx_value v;
    if (gx_failed(&s->rt->error)) return NULL; /* of a step before, whose NULL is passed on */
    if (!gx_np_call(s, path, n, argv, &v) || !gx_np_hold(s, v)) return NULL;
    return gx_np_arr(s, v);
}

gx_array *gx_np_call_arrays(gx_np *s, const char *path, int n, ...) {
    gx_value argv[4];
    bool ok = true;
    va_list list;
    va_start(list, n);
    for (int i = 0; i < n; i++) {
        gx_array *a = va_arg(list, gx_array *);
        ok = ok && a != NULL;
        argv[i] = gx_np_value(a);
    }
    va_end(list);
    return ok ? gx_np_call_values(s, path, n, argv) : NULL;
}
