/* The inside of the bridge. PyObject * results are owned by the caller, arguments are borrowed;
   NULL means that an error is pending: on gx's side for functions of gx (gx_to_python), on Python's
   for functions of Python. All of it runs with Python's lock held (gx_py_enter). */
#ifndef GX_STDLIB_BRIDGE_BRIDGE_INT_H
#define GX_STDLIB_BRIDGE_BRIDGE_INT_H

#include <pthread.h>

#include "runtime/array/array.h"
#include "runtime/object/class/class.h"
#include "stdlib/bridge/bridge.h"
#include "stdlib/bridge/host.h"
#include "stdlib/bridge/python_int.h"
#include "stdlib/common.h"

/* What gx holds of Python's. */
typedef struct gx_proxy {
    gx_container head;
    PyObject *py; /* owned; NULL: given back before the last owner */
} gx_proxy;
extern const gx_type gx_type_python;
extern const gx_foreign gx_python_foreign; /* foreign.c */
/* Has the object's class a special method? */
bool gx_has_special(PyObject *o, const char *name);
static inline bool gx_is_proxy(gx_borrowed v) {
    return v.tag == GX_OBJECT && v.obj->type == &gx_type_python;
}
static inline PyObject *gx_proxy_py(gx_borrowed v) {
    return ((gx_proxy *)v.obj)->py;
}

/* What Python holds of gx's: an object of Python's in a list of its context. */
typedef struct gx_wrap {
    PyObject head;
    struct gx_bridge *bridge; /* NULL: the context has ended */
    struct gx_wrap *next, *prev;
    gx_value value;
} gx_wrap;

/* A type of gx's that Python has met, and the class that stands for it there. */
typedef struct gx_class_pair {
    gx_value held;       /* of a script's class */
    const gx_type *type;
    PyObject *py;
} gx_class_pair;

typedef struct gx_pairs {
    gx_class_pair *items;
    size_t count, room;
} gx_pairs;

/* Of a context that Python has made (host.c). */
typedef struct gx_hosted {
    pthread_mutex_t lock; /* held by the thread that uses the context */
    int depth;            /* how often it has entered */
    uint32_t moves;       /* times the context has come to another thread */
    volatile int begun;   /* computations that have begun, inside each other */
    int giving;           /* values for Python's code are made: arrays stay gx's */
    bool closed;          /* scripts reach nothing of Python by themselves */
    bool (*tell)(gx_rt *rt, gx_buf *out);
} gx_hosted;

/* Of a context. */
typedef struct gx_bridge {
    gx_rt *rt;
    pthread_t thread;  /* that uses the context now */
    PyObject **names;  /* by gx_sym: texts that Python has interned */
    size_t name_room;
    gx_wrap wraps;     /* the head of the ring of what Python holds */
    gx_wrap *late;     /* given back by another thread, or where nothing may run: a chain by next */
    gx_pairs types;    /* classes of values */
    PyObject *(*wrap_class)(struct gx_bridge *b, gx_borrowed v); /* gx_wrap_class */
    gx_pairs errors;   /* classes of exceptions */
    bool starter;      /* this context has started Python */
    bool attached;     /* the thread has a thread state of Python's of its own */
    struct gx_bridge *outer; /* of the context that this one runs in, on the same thread */
    volatile int inside; /* Python code that this context runs now */
    struct gx_hosted *host; /* Python runs gx, not gx Python (host.c); or NULL */
} gx_bridge;

/* --- context.c: a context's side --- */
/* The context's bridge, Python started if need be; NULL: there is none to use, and *why says so. */
gx_bridge *gx_bridge_open(gx_rt *rt, const char **why);
/* An empty one; NULL: no memory, a gx error is pending. */
gx_bridge *gx_bridge_new(gx_rt *rt);

/* --- open.c: the process's Python, and the lock --- */
/* Starts Python, or finds it started. NULL: it can be used; else why not. */
const char *gx_py_start(bool *started);
/* The Python that runs already is the process's. NULL: it can be used; else why not. */
const char *gx_py_running(void);
/* Every use of Python stands between these two. */
PyGILState_STATE gx_py_enter(gx_bridge *b);
void gx_py_leave(gx_bridge *b, PyGILState_STATE state);
/* Drops what could not be dropped where Python gave it back. */
void gx_wraps_drop_late(gx_bridge *b);
/* What the helper (helper.py) has under a name; borrowed. */
PyObject *gx_py_helper(const char *name);
/* Those that are needed often: call(f, *args, **kw), set_item(o, key, x), set_attr(o, name, x). */
typedef struct gx_py_frames {
    PyObject *call, *set_item, *set_attr;
} gx_py_frames;
extern gx_py_frames gx_py_frame;
PyObject *gx_py_call_three(PyObject *fn, PyObject *a, PyObject *b, PyObject *c);
bool gx_py_set_helper(const char *name, PyObject *o);
/* Which Python runs: its executable or library. */
const char *gx_py_which(void);

/* --- from_python.c --- */
GX_CHECK bool gx_list_from_python(gx_bridge *b, PyObject *o, gx_value *out);
GX_CHECK bool gx_dict_from_python(gx_bridge *b, PyObject *o, gx_value *out);
GX_CHECK bool gx_set_from_python(gx_bridge *b, PyObject *o, bool frozen, gx_value *out);
/* A value of gx for an object of Python's, whose reference is taken. False: a gx error. */
GX_CHECK bool gx_from_python(gx_bridge *b, PyObject *o, gx_value *out);
/* The same; lists, dicts and sets are copied, whoever holds them. The reference is the caller's. */
GX_CHECK bool gx_copy_from_python(gx_bridge *b, PyObject *o, gx_value *out);
/* The proxy of an object, whose reference is taken. */
GX_CHECK bool gx_proxy_take(gx_bridge *b, PyObject *o, gx_value *out);
/* --- to_python.c --- */
/* An object of Python's for a value. NULL: a gx error is pending. */
PyObject *gx_to_python(gx_bridge *b, gx_borrowed v);
PyObject *gx_name_to_python(gx_bridge *b, gx_sym name); /* borrowed */
/* A list, dict or set is given to Python as a copy: what a call changes in that comes back. The
   snapshot is how the copy was before the call; NULL: none could be made. */
static inline bool gx_is_copied(gx_borrowed v) {
    return (v.tag == GX_LIST || v.tag == GX_DICT || v.tag == GX_SET) && !v.obj->type->heap &&
           v.obj->type != &gx_type_frozenset;
}
PyObject *gx_snapshot(PyObject *o);
GX_CHECK bool gx_write_back(gx_bridge *b, gx_borrowed v, PyObject *o, PyObject *before);
/* The class of Python's for a builtin type or a script's class of exceptions; borrowed, NULL: none,
   or (gx_failed) an error. */
PyObject *gx_type_to_python(gx_bridge *b, const gx_type *t);
const gx_type *gx_type_from_python(PyObject *o); /* the builtin one, or NULL */
static inline PyObject *gx_py_keep(PyObject *o) {
    py.Py_IncRef(o);
    return o;
}

/* --- wrap.c: gx's values in Python --- */
PyObject *gx_wrap_new(gx_bridge *b, gx_borrowed v);
/* The value that an object of Python's wraps; NULL: it wraps none of this context. */
const gx_value *gx_wrapped(gx_bridge *b, PyObject *o);
void gx_wraps_end(gx_bridge *b);

/* --- wrap_class.c --- */
/* The class of a value's type in Python; borrowed. NULL: a gx error is pending. */
PyObject *gx_wrap_class(gx_bridge *b, gx_borrowed v);

/* --- host_lock.c --- */
/* As gx_host_enter, but false where the context is another thread's now, or was last. */
bool gx_host_try_enter(gx_bridge *b);
/* The whole message of the pending error; NULL: there is none to be had. */
PyObject *gx_host_text(gx_bridge *b);
/* Adds a message to an exception; NULL: none. */
void gx_host_tell(PyObject *exception, PyObject *text);

/* --- errors.c --- */
/* Turns Python's pending exception into gx's pending error. Always false. */
bool gx_python_raised(gx_bridge *b);
/* Turns gx's pending error into Python's pending exception. Always NULL. */
PyObject *gx_raise_in_python(gx_bridge *b);
/* An exception object, and a class of exceptions. */
GX_CHECK bool gx_exception_from_python(gx_bridge *b, PyObject *o, gx_value *out);
GX_CHECK bool gx_error_class_from_python(gx_bridge *b, PyObject *cls, gx_value *out);
PyObject *gx_exception_to_python(gx_bridge *b, gx_borrowed exception);
PyObject *gx_error_class_to_python(gx_bridge *b, const gx_type *t); /* borrowed */
void gx_errors_end(gx_bridge *b);

/* --- memory.c: arrays --- */
/* An array over an ndarray's memory. NO: gx has no such elements. */
gx_try gx_array_from_python(gx_bridge *b, PyObject *o, gx_value *out);
/* What __array__ or __array_interface__ of an object gives. */
gx_try gx_elements_from_python(gx_bridge *b, PyObject *o, gx_value *out);
PyObject *gx_array_to_python(gx_bridge *b, gx_borrowed v);
/* What an object with the buffer protocol holds. NO: it has none, or other elements than gx. */
gx_try gx_array_from_buffer(gx_bridge *b, PyObject *o, gx_value *out);
/* The dtype that numpy's text "<f8" names; GX_NO_DTYPE: gx has none. */
gx_dtype gx_dtype_of_text(const char *text);
/* --- lend.c: arrays by the buffer protocol, DLPack and dicts of their interfaces --- */
GX_CHECK bool gx_array_from_dlpack(gx_bridge *b, PyObject *capsule, gx_value *out);
/* __dlpack__ and its like of an array; NULL without an exception: it is another name. */
PyObject *gx_array_protocol(gx_bridge *b, PyObject *self, gx_array *a, const char *name);
int gx_wrap_get_buffer(PyObject *self, Py_buffer *view, int flags);
void gx_wrap_release_buffer(PyObject *self, Py_buffer *view);
/* numpy's module, imported if Python has it; borrowed, NULL: it has not. */
PyObject *gx_py_numpy(bool import);
/* NumPy's class of a dtype's scalars; owned, NULL: none. */
PyObject *gx_scalar_class(gx_dtype d);

#endif
