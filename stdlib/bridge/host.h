/* gx as a module of a running Python (interp/python): the other direction of the bridge. Values and
   arrays cross as bridge.h says, but what Python's code gets of gx's arrays are these themselves,
   lazy as they are, and not ndarrays. Any thread of Python's may come; each context has a lock,
   and Python's is given back while gx computes. */
#ifndef GX_STDLIB_BRIDGE_HOST_H
#define GX_STDLIB_BRIDGE_HOST_H

#include "stdlib/bridge/bridge.h"
#include "stdlib/bridge/python_int.h"

/* The Python that has loaded gx becomes the bridge's. NULL: it does; else why not. Its lock is
   held. */
const char *gx_host_start(void);
/* Opens the bridge of a context that Python has made; `tell` gives the whole message of a pending
   exception. False: there is no memory. `closed`: scripts reach nothing of Python by themselves. */
GX_CHECK bool gx_host_open(gx_rt *rt, bool closed, bool (*tell)(gx_rt *rt, gx_buf *out));

/* Every use of a context stands between these two, with Python's lock held. */
void gx_host_enter(gx_rt *rt);
void gx_host_leave(gx_rt *rt);
/* How often a context has come to another thread. */
uint32_t gx_host_moves(const gx_rt *rt);

/* What computes stands between these two, without Python's lock; Ctrl-C stops it. False: an
   exception of Python's is pending, and only the end may follow. */
typedef struct gx_freed {
    PyThreadState *state;
    struct gx_bridge *outer;
} gx_freed;
GX_CHECK bool gx_host_begin(gx_rt *rt, gx_freed *f);
void gx_host_end(gx_rt *rt, gx_freed *f);
/* Python's lock for what gx calls while it computes: output, questions. */
PyGILState_STATE gx_host_lock(gx_rt *rt);
void gx_host_unlock(gx_rt *rt, PyGILState_STATE state);

/* A value for Python's code, which is dropped; NULL: Python's exception is pending. */
PyObject *gx_host_give(gx_rt *rt, bool ok, gx_value v);
/* A value of an object; what only that holds is copied. False: gx's error is pending. */
GX_CHECK bool gx_host_take(gx_rt *rt, PyObject *o, bool copies, gx_value *out);
/* An array over the memory of a capsule of DLPack's. False: gx's error is pending. */
GX_CHECK bool gx_host_from_dlpack(gx_rt *rt, PyObject *capsule, gx_value *out);
/* Turns gx's pending error into Python's exception. Always NULL. */
PyObject *gx_host_raise(gx_rt *rt);
/* Python's pending exception is the error of what gx has called. Always false. */
bool gx_host_raised(gx_rt *rt);

#endif
