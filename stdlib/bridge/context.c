/* A context's side of Python: its beginning and its end. Python is never finalized, as extension
   modules do not survive it: where the context ends that has started it, what Python has for the
   end of a program is run, and the operating system does the rest. */
#include <stdlib.h>
#include <string.h>

#include "runtime/object/heap.h"
#include "stdlib/bridge/bridge_int.h"
#include "stdlib/bridge/find_int.h"

gx_bridge *gx_bridge_open(gx_rt *rt, const char **why) {
    bool started;
    const char *named = getenv("GX_PYTHON");
    *why = "";
    if (rt->bridge && !(rt->bridge->host && rt->bridge->host->closed)) return rt->bridge;
    if (rt->debug.safe) *why = "GX_SAFE allows no Python";
    else if (named && strcmp(named, "none") == 0) *why = "GX_PYTHON=none turns Python off";
    if (**why) return NULL;
    const char *fault = gx_py_start(&started);
    if (fault) {
        *why = fault;
        return NULL;
    }
    gx_bridge *b = gx_bridge_new(rt);
    if (!b) {
        gx_error_clear(rt);
        *why = "out of memory";
        return NULL;
    }
    b->starter = started;
    return b;
}

gx_bridge *gx_bridge_new(gx_rt *rt) {
    gx_bridge *b = gx_alloc_zero(rt, sizeof *b);
    if (!b) return NULL;
    b->rt = rt;
    b->thread = pthread_self();
    b->wrap_class = gx_wrap_class;
    b->wraps.next = b->wraps.prev = &b->wraps;
    rt->bridge = b;
    rt->heap->overrides = true; /* of NumPy's functions, by objects of Python's */
    return b;
}

/* --- the end ---------------------------------------------------------------------------------- */

void gx_python_end(gx_rt *rt) {
    gx_bridge *b = rt->bridge;
    if (!b || !b->starter) return;
    b->starter = false;
    PyGILState_STATE state = gx_py_enter(b);
    PyObject *fn = gx_py_helper("end"), *done = fn ? py.PyObject_CallObject(fn, NULL) : NULL;
    if (done) py.Py_DecRef(done);
    else py.PyErr_Clear();
    gx_py_leave(b, state);
    gx_error_clear(rt);
}

void gx_python_free(gx_rt *rt) {
    gx_bridge *b = rt->bridge;
    if (!b) return;
    gx_python_end(rt);
    PyGILState_STATE state = gx_py_enter(b);
    gx_wraps_end(b);
    gx_errors_end(b);
    for (size_t i = 0; i < b->name_room; i++)
        if (b->names[i]) py.Py_DecRef(b->names[i]);
    gx_free(rt, b->names);
    gx_py_leave(b, state);
    gx_free(rt, b->host);
    gx_free(rt, b);
    rt->bridge = NULL;
}

/* --- gx --doctor ------------------------------------------------------------------------------ */

bool gx_python_doctor(gx_rt *rt, gx_buf *out) {
    gx_py_found f;
    const char *named = getenv("GX_PYTHON");
    if (rt->debug.safe) return gx_buf_puts(out, "Python: GX_SAFE allows none\n");
    if (named && strcmp(named, "none") == 0)
        return gx_buf_puts(out, "Python: turned off by GX_PYTHON=none\n");
    if (!gx_py_find(&f)) return gx_buf_printf(out, "Python: none can be used: %s\n", f.why);
    return gx_buf_printf(out, "Python: %s%s%s, %s\n", f.version, *f.version ? " " : "",
                         *f.executable ? f.executable : "named by its library", f.library);
}
