/* Arrays that both sides see. An ndarray of Python's becomes an array over its memory, which it
   keeps alive; an array of gx becomes an ndarray over its storage's bytes, which from then on stay
   where they are, as those of a memory map do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/array/memory.h"
#include "stdlib/bridge/bridge_int.h"

/* What the capsule of __array_struct__ points to: part of NumPy's array interface, version 3. */
typedef struct interface {
    int two, ndim;
    char kind;
    int itemsize, flags;
    intptr_t *shape, *strides;
    void *data;
    PyObject *descr;
} interface;
enum { ALIGNED = 0x100, NOT_SWAPPED = 0x200, WRITABLE = 0x400 };

static gx_dtype dtype_of(char kind, int64_t size) {
    for (int d = 0; d < GX_DTYPES; d++) {
        static const char kinds[] = {[GX_KIND_BOOL] = 'b', [GX_KIND_INT] = 'i',
                                     [GX_KIND_UINT] = 'u', [GX_KIND_FLOAT] = 'f',
                                     [GX_KIND_CPLX] = 'c'};
        if (!gx_is_extension((gx_dtype)d) && kinds[gx_dtype_kind(d)] == kind &&
            gx_dtype_size(d) == size)
            return (gx_dtype)d;
    }
    return GX_NO_DTYPE;
}

gx_dtype gx_dtype_of_text(const char *text) {
    if (*text == '>' || !*text) return GX_NO_DTYPE;
    return strlen(text) < 3 ? GX_NO_DTYPE : dtype_of(text[1], atoi(text + 2));
}

PyObject *gx_py_numpy(bool import) {
    static bool missing;
    PyObject *module = py.PyDict_GetItemString(py.PyImport_GetModuleDict(), "numpy");
    if (module || !import || missing) return module;
    module = py.PyImport_ImportModule("numpy");
    if (!module) {
        py.PyErr_Clear();
        missing = true; /* in this process */
        return NULL;
    }
    py.Py_DecRef(module); /* sys.modules holds it */
    return module;
}

PyObject *gx_scalar_class(gx_dtype d) {
    PyObject *numpy = gx_py_numpy(false);
    const char *name = d == GX_bool ? "bool_" : gx_dtypes[d].name;
    PyObject *cls = numpy ? py.PyObject_GetAttrString(numpy, name) : NULL;
    if (!cls) py.PyErr_Clear();
    return cls;
}

/* --- from Python ------------------------------------------------------------------------------ */

/* Gives back the ndarray that the memory is of. */
static void release(void *owner) {
    PyGILState_STATE state = py.PyGILState_Ensure();
    py.Py_DecRef(owner);
    py.PyGILState_Release(state);
}

static bool over_memory(gx_bridge *b, PyObject *o, const interface *a, gx_dtype d, gx_value *out) {
    int64_t shape[GX_MAX_DIMS], strides[GX_MAX_DIMS];
    gx_array *array;
    for (int i = 0; i < a->ndim; i++) {
        shape[i] = a->shape[i];
        strides[i] = a->strides[i];
    }
    gx_memory memory = {.data = a->data,
                         .writable = (a->flags & WRITABLE) != 0,
                         .owner = gx_py_keep(o),
                         .release = release};
    if (!gx_array_outside(b->rt, &memory, d, a->ndim, shape, strides, GX_NS_NUMPY, &array))
        return false;
    *out = gx_array_value(array);
    return true;
}

gx_try gx_array_from_python(gx_bridge *b, PyObject *o, gx_value *out) {
    PyObject *capsule = py.PyObject_GetAttrString(o, "__array_struct__");
    const interface *a = capsule ? py.PyCapsule_GetPointer(capsule, NULL) : NULL;
    gx_dtype d = GX_NO_DTYPE;
    gx_try done = GX_TRY_NO;
    if (a && a->two == 2 && a->flags & NOT_SWAPPED && a->flags & ALIGNED && a->ndim <= GX_MAX_DIMS)
        d = dtype_of(a->kind, a->itemsize);
    if (d != GX_NO_DTYPE) done = over_memory(b, o, a, d, out) ? GX_TRY_YES : GX_TRY_ERROR;
    py.PyErr_Clear();
    if (capsule) py.Py_DecRef(capsule);
    return done;
}

gx_try gx_elements_from_python(gx_bridge *b, PyObject *o, gx_value *out) {
    static const char *const ways[] = {"__array__", "__array_interface__", "__array_struct__"};
    bool has = false;
    gx_try own = gx_array_from_buffer(b, o, out);
    if (own != GX_TRY_NO) return own;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && !has; i++) {
        PyObject *way = py.PyObject_GetAttrString((PyObject *)(void *)gx_py_type(o), ways[i]);
        if (way) py.Py_DecRef(way);
        else py.PyErr_Clear();
        has = way != NULL;
    }
    PyObject *numpy = has ? gx_py_numpy(true) : NULL;
    PyObject *fn = numpy ? py.PyObject_GetAttrString(numpy, "asarray") : NULL;
    PyObject *args = fn ? py.PyTuple_New(1) : NULL, *array = NULL;
    if (!has || !numpy) return GX_TRY_NO;
    if (args && py.PyTuple_SetItem(args, 0, gx_py_keep(o)) == 0)
        array = py.PyObject_CallObject(fn, args);
    if (args) py.Py_DecRef(args);
    if (fn) py.Py_DecRef(fn);
    if (!array) {
        gx_python_raised(b);
        return GX_TRY_ERROR;
    }
    gx_try done = gx_array_from_python(b, array, out);
    py.Py_DecRef(array);
    return done;
}

/* --- to Python -------------------------------------------------------------------------------- */

PyObject *gx_array_to_python(gx_bridge *b, gx_borrowed v) {
    gx_array *a;
    if (!gx_array_lendable(b->rt, gx_as_array(v), &a)) return NULL;
    gx_value view = gx_array_value(a);
    PyObject *memory = gx_wrap_new(b, view), *numpy = memory ? gx_py_numpy(true) : NULL;
    gx_drop(view);
    PyObject *fn = numpy ? py.PyObject_GetAttrString(numpy, "asarray") : NULL;
    PyObject *args = fn ? py.PyTuple_New(1) : NULL, *o = NULL;
    if (!numpy || a->dtype == GX_bf16) return memory; /* the buffer protocol is what Python gets */
    if (args && py.PyTuple_SetItem(args, 0, memory) == 0) o = py.PyObject_CallObject(fn, args);
    if (args) py.Py_DecRef(args);
    if (fn) py.Py_DecRef(fn);
    if (!o) gx_python_raised(b);
    return o;
}

/* --- the buffer protocol ---------------------------------------------------------------------- */

static void release_buffer(void *owner) {
    PyGILState_STATE state = py.PyGILState_Ensure();
    py.PyBuffer_Release(owner);
    py.PyGILState_Release(state);
    gx_free(gx_rt_of(owner), owner);
}

/* The dtype of a format of the struct module's, of native order; the size decides, as "l" has
   several. */
static gx_dtype dtype_of_format(const char *format, Py_ssize_t size) {
    if (!format) return GX_u8;
    if (*format == '@' || *format == '=' || *format == '<') format++;
    if (!*format || (format[1] && *format != 'Z')) return GX_NO_DTYPE;
    const char *kind = *format == '?'               ? "b"
                       : strchr("bhilqn", *format)  ? "i"
                       : strchr("BHILQN", *format)  ? "u"
                       : strchr("efd", *format)     ? "f"
                       : *format == 'Z'             ? "c"
                                                    : NULL;
    char text[8];
    if (!kind) return GX_NO_DTYPE;
    snprintf(text, sizeof text, "<%s%d", kind, (int)size);
    return gx_dtype_of_text(text);
}

gx_try gx_array_from_buffer(gx_bridge *b, PyObject *o, gx_value *out) {
    Py_buffer *view = gx_alloc(b->rt, sizeof *view);
    gx_array *a;
    if (!view) return GX_TRY_ERROR;
    if (py.PyObject_GetBuffer(o, view, PyBUF_STRIDES | PyBUF_FORMAT | PyBUF_WRITABLE) != 0) {
        py.PyErr_Clear();
        if (py.PyObject_GetBuffer(o, view, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
            py.PyErr_Clear();
            gx_free(b->rt, view);
            return GX_TRY_NO;
        }
    }
    gx_dtype d = dtype_of_format(view->format, view->itemsize);
    if (d == GX_NO_DTYPE || view->ndim > GX_MAX_DIMS || view->suboffsets ||
        (uintptr_t)view->buf % (uintptr_t)view->itemsize) {
        release_buffer(view);
        return GX_TRY_NO;
    }
    gx_memory memory = {.data = view->buf,
                        .writable = !view->readonly,
                        .owner = view,
                        .release = release_buffer};
    int64_t shape[GX_MAX_DIMS], strides[GX_MAX_DIMS];
    for (int i = 0; i < view->ndim; i++) {
        shape[i] = view->shape[i];
        strides[i] = view->strides[i];
    }
    if (!gx_array_outside(b->rt, &memory, d, view->ndim, shape, strides, GX_NS_NUMPY, &a))
        return GX_TRY_ERROR;
    *out = gx_array_value(a);
    return GX_TRY_YES;
}
