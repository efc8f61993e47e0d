/* gx inside a running Python: contexts that Python has made, and their values. Who computes and who
   waits is host_lock.c's. */
#include "runtime/array/memory.h"
#include "stdlib/bridge/bridge_int.h"

/* --- opening ---------------------------------------------------------------------------------- */

bool gx_host_open(gx_rt *rt, bool closed, bool (*tell)(gx_rt *rt, gx_buf *out)) {
    gx_hosted *h = gx_alloc_zero(rt, sizeof *h);
    gx_bridge *b = h ? gx_bridge_new(rt) : NULL;
    if (!b) {
        gx_free(rt, h);
        return false;
    }
    *h = (gx_hosted){.closed = closed, .tell = tell};
    pthread_mutex_init(&h->lock, NULL);
    b->host = h;
    return true;
}

/* --- values ----------------------------------------------------------------------------------- */

PyObject *gx_host_give(gx_rt *rt, bool ok, gx_value v) {
    gx_bridge *b = rt->bridge;
    PyObject *o = NULL;
    if (ok) {
        /* Python's code may change what is still to be read. */
        if (gx_lazy_outside(rt)) {
            b->host->giving++;
            o = gx_to_python(b, v);
            b->host->giving--;
        }
        gx_drop(v);
    }
    return o ? o : gx_raise_in_python(b);
}

bool gx_host_take(gx_rt *rt, PyObject *o, bool copies, gx_value *out) {
    return copies ? gx_copy_from_python(rt->bridge, o, out)
                  : gx_from_python(rt->bridge, gx_py_keep(o), out);
}

PyObject *gx_host_raise(gx_rt *rt) {
    return gx_raise_in_python(rt->bridge);
}

bool gx_host_raised(gx_rt *rt) {
    return gx_python_raised(rt->bridge);
}

bool gx_host_from_dlpack(gx_rt *rt, PyObject *capsule, gx_value *out) {
    return gx_array_from_dlpack(rt->bridge, capsule, out);
}
