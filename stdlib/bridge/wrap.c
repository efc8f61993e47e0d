/* gx's values in Python: objects in a ring of their context, which takes its values back at its
   end. Their classes are wrap_class.c's. */
#include "stdlib/bridge/wrap_int.h"

/* --- dropping --------------------------------------------------------------------------------- */

void gx_wrap_dealloc(PyObject *self) {
    gx_wrap *w = (gx_wrap *)self;
    PyTypeObject *type = gx_py_type(self);
    gx_bridge *b = w->bridge;
    if (b) {
        w->prev->next = w->next;
        w->next->prev = w->prev;
        const bool may = b->host ? gx_host_try_enter(b)
                                 : pthread_equal(pthread_self(), b->thread) && b->inside;
        if (!may) {
            w->next = b->late;
            b->late = w;
            return;
        }
        gx_drop(w->value);
        if (b->host) gx_host_leave(b->rt);
    }
    py.PyObject_Free(self);
    py.Py_DecRef((PyObject *)(void *)type);
}

/* --- wrapping and unwrapping ---------------------------------------------------------------- */

PyObject *gx_wrap_new(gx_bridge *b, gx_borrowed v) {
    PyObject *cls = b->wrap_class(b, v);
    if (!cls) return NULL;
    gx_wrap *w = (gx_wrap *)py.PyType_GenericAlloc((PyTypeObject *)(void *)cls, 0);
    if (!w) {
        gx_python_raised(b);
        return NULL;
    }
    w->bridge = b;
    w->value = gx_keep(v);
    w->next = &b->wraps;
    w->prev = b->wraps.prev;
    w->prev->next = w;
    b->wraps.prev = w;
    return &w->head;
}

const gx_value *gx_wrapped(gx_bridge *b, PyObject *o) {
    PyObject *base = gx_py_helper("Wrap");
    if (!base || !py.PyType_IsSubtype(gx_py_type(o), (PyTypeObject *)(void *)base)) return NULL;
    gx_wrap *w = (gx_wrap *)o;
    return w->bridge == b ? &w->value : NULL;
}

void gx_wraps_end(gx_bridge *b) {
    while (b->wraps.next != &b->wraps) {
        gx_wrap *w = b->wraps.next;
        gx_value v = gx_steal(&w->value);
        w->bridge = NULL;
        w->next->prev = w->prev;
        w->prev->next = w->next;
        gx_drop(v);
    }
    gx_wraps_drop_late(b);
    for (size_t i = 0; i < b->types.count; i++) {
        gx_drop(b->types.items[i].held);
        py.Py_DecRef(b->types.items[i].py);
    }
    gx_free(b->rt, b->types.items);
    b->types = (gx_pairs){.items = NULL};
}
