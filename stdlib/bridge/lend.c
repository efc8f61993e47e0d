/* Arrays that others look at where they are: the buffer protocol, DLPack, and the dicts and structs
   of NumPy's and CUDA's array interfaces; and those that come by these ways without numpy. What is
   lent is a view of a storage whose bytes stay where they are (gx_array_lendable). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/gx_dlpack.h"
#include "runtime/array/dtype.h"
#include "runtime/array/memory.h"
#include "stdlib/bridge/bridge_int.h"

/* --- the buffer protocol ---------------------------------------------------------------------- */

static const char *format_of(gx_dtype d) {
    static const char *const formats[] = {
        [GX_bool] = "?", [GX_i8] = "b",  [GX_i16] = "h", [GX_i32] = "i",  [GX_i64] = "l",
        [GX_u8] = "B",   [GX_u16] = "H", [GX_u32] = "I", [GX_u64] = "L",  [GX_f16] = "e",
        [GX_f32] = "f",  [GX_f64] = "d", [GX_c64] = "Zf", [GX_c128] = "Zd", [GX_bf16] = NULL};
    return gx_is_number_dtype(d) ? formats[d] : NULL;
}

static bool asks(int flags, int what) {
    return (flags & what) == what;
}

/* Where the elements of a steady view lie. Bools over others' bytes are not read as these are. */
static bool address(gx_rt *rt, gx_array *a, const char **data) {
    char *own;
    if (a->dtype != GX_bool || a->flags & GX_ARRAY_READONLY) return gx_array_read(rt, a, data);
    if (!gx_array_write(rt, a, &own)) return false;
    *data = own;
    return true;
}

/* A wrapped view of an array whose elements stay where they are; NULL: an error of Python's. */
static gx_wrap *steady(gx_bridge *b, gx_array *a) {
    gx_array *view = NULL;
    gx_freed freed;
    const char *data;
    PyObject *o = NULL;
    bool ok = !b->host || gx_host_begin(b->rt, &freed);
    ok = ok && gx_array_lendable(b->rt, a, &view) && address(b->rt, view, &data);
    if (b->host) gx_host_end(b->rt, &freed);
    if (ok) o = gx_wrap_new(b, gx_array_value(view));
    if (view) gx_array_drop(view);
    if (!o) gx_raise_in_python(b);
    return (gx_wrap *)o;
}

static int fill(gx_wrap *w, Py_buffer *view, int flags) {
    gx_array *a = gx_as_array(w->value);
    const char *data;
    if (!address(w->bridge->rt, a, &data)) {
        gx_raise_in_python(w->bridge);
        return -1;
    }
    _Static_assert(sizeof(Py_ssize_t) == sizeof(int64_t), "the sizes are handed on as they are");
    view->obj = gx_py_keep(&w->head);
    view->buf = (void *)(uintptr_t)data;
    view->len = gx_array_nbytes(a);
    view->itemsize = gx_dtype_size(a->dtype);
    view->readonly = (a->flags & GX_ARRAY_READONLY) != 0;
    view->ndim = a->ndim;
    view->format = asks(flags, PyBUF_FORMAT) ? (char *)(uintptr_t)format_of((gx_dtype)a->dtype)
                                             : NULL;
    view->shape = asks(flags, PyBUF_ND) ? (Py_ssize_t *)(uintptr_t)gx_shape(a) : NULL;
    view->strides = asks(flags, PyBUF_STRIDES) ? (Py_ssize_t *)(uintptr_t)gx_strides(a) : NULL;
    view->suboffsets = NULL;
    view->internal = NULL;
    return 0;
}

int gx_wrap_get_buffer(PyObject *self, Py_buffer *view, int flags) {
    gx_wrap *w = (gx_wrap *)self;
    const gx_array *a = gx_as_array(w->value);
    const char *why = NULL;
    view->obj = NULL;
    if (!w->bridge) why = "the gx that this array is of has ended";
    else if (a->flags & GX_ARRAY_READONLY && asks(flags, PyBUF_WRITABLE))
        why = "the array is read-only";
    else if (!asks(flags, PyBUF_STRIDES) && !gx_array_is_contiguous(a, 'C'))
        why = "the array is not contiguous";
    else if (asks(flags, PyBUF_C_CONTIGUOUS) && !gx_array_is_contiguous(a, 'C'))
        why = "the array is not in C order";
    else if (asks(flags, PyBUF_F_CONTIGUOUS) && !gx_array_is_contiguous(a, 'F'))
        why = "the array is not in Fortran order";
    else if (!format_of((gx_dtype)a->dtype)) why = "its dtype has no format in Python";
    if (why) {
        py.PyErr_SetString(*py.PyExc_BufferError, why);
        return -1;
    }
    if (!w->bridge->host) return fill(w, view, flags); /* gx_array_to_python has made it steady */
    gx_rt *rt = w->bridge->rt;
    gx_host_enter(rt);
    gx_wrap *memory = steady(w->bridge, gx_as_array(w->value));
    int done = memory ? fill(memory, view, flags) : -1;
    if (memory) py.Py_DecRef(&memory->head); /* view->obj holds it */
    gx_host_leave(rt);
    return done;
}

void gx_wrap_release_buffer(PyObject *self, Py_buffer *view) {
    (void)self, (void)view; /* the object that view->obj names keeps all of it */
}

/* --- DLPack ----------------------------------------------------------------------------------- */

/* Before DLPack 1.0. */
typedef struct old_tensor {
    DLTensor tensor;
    void *context;
    void (*deleter)(struct old_tensor *self);
} old_tensor;

typedef struct lending {
    union {
        DLManagedTensorVersioned now;
        old_tensor old;
    } as;
    PyObject *memory; /* keeps the elements */
    PyObject *self;   /* the bytes that all of this lies in: it may outlive the context */
    int64_t dims[];   /* shape, then strides in elements */
} lending;

static void end_lending(lending *l) {
    PyGILState_STATE state = py.PyGILState_Ensure();
    py.Py_DecRef(l->memory);
    py.Py_DecRef(l->self);
    py.PyGILState_Release(state);
}
static void delete_now(DLManagedTensorVersioned *t) {
    end_lending(t->manager_ctx);
}
static void delete_old(old_tensor *t) {
    end_lending(t->context);
}

static const char name_now[] = "dltensor_versioned", name_old[] = "dltensor";

/* A capsule that nobody has taken. */
static void drop_now(PyObject *capsule) {
    if (!py.PyCapsule_IsValid(capsule, name_now)) return;
    DLManagedTensorVersioned *t = py.PyCapsule_GetPointer(capsule, name_now);
    t->deleter(t);
}
static void drop_old(PyObject *capsule) {
    if (!py.PyCapsule_IsValid(capsule, name_old)) return;
    old_tensor *t = py.PyCapsule_GetPointer(capsule, name_old);
    t->deleter(t);
}

/* x.__dlpack__(*, stream=None, max_version=None, dl_device=None, copy=None) */
static PyObject *dlpack(PyObject *self, PyObject *args, PyObject *keywords) {
    gx_wrap *w = (gx_wrap *)self;
    PyObject *version = keywords ? py.PyDict_GetItemString(keywords, "max_version") : NULL;
    const bool now = version && version != py._Py_NoneStruct;
    (void)args;
    gx_host_enter(w->bridge->rt);
    gx_wrap *memory = steady(w->bridge, gx_as_array(w->value));
    gx_host_leave(w->bridge->rt);
    if (!memory) return NULL;
    gx_array *a = gx_as_array(memory->value);
    const bool readonly = a->flags & GX_ARRAY_READONLY;
    const int64_t item = gx_dtype_size(a->dtype);
    const char *data, *why = NULL;
    char *room = NULL;
    Py_ssize_t length;
    PyObject *own = py.PyBytes_FromStringAndSize(
        NULL, (Py_ssize_t)(sizeof(lending) + 2 * a->ndim * sizeof(int64_t)));
    if (own && py.PyBytes_AsStringAndSize(own, &room, &length) != 0) room = NULL;
    lending *l = (lending *)(void *)room;
    if (!l || !address(w->bridge->rt, a, &data)) why = "out of memory";
    else if (!gx_is_number_dtype(a->dtype)) why = "DLPack has no such dtype";
    else if (readonly && !now) why = "the array is read-only, which DLPack before 1.0 cannot say";
    for (int i = 0; !why && i < a->ndim; i++)
        if (gx_strides(a)[i] % item) why = "the strides are no multiples of the elements' size";
    if (why) {
        if (own) py.Py_DecRef(own);
        py.Py_DecRef(&memory->head);
        py.PyErr_SetString(*py.PyExc_BufferError, why);
        return NULL;
    }
    memcpy(l->dims, gx_shape(a), a->ndim * sizeof *l->dims);
    for (int i = 0; i < a->ndim; i++) l->dims[a->ndim + i] = gx_strides(a)[i] / item;
    l->memory = &memory->head;
    l->self = own;
    const DLTensor tensor = {.data = (void *)(uintptr_t)data,
                             .device = {kDLCPU, 0},
                             .ndim = a->ndim,
                             .dtype = gx_dlpack_of_dtype((gx_dtype)a->dtype),
                             .shape = l->dims,
                             .strides = l->dims + a->ndim};
    if (now)
        l->as.now = (DLManagedTensorVersioned){
            .version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION},
            .manager_ctx = l,
            .deleter = delete_now,
            .flags = readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0,
            .dl_tensor = tensor};
    else
        l->as.old = (old_tensor){.tensor = tensor, .context = l, .deleter = delete_old};
    PyObject *o = py.PyCapsule_New(&l->as, now ? name_now : name_old, now ? drop_now : drop_old);
    if (!o) end_lending(l);
    return o;
}

static PyObject *dlpack_device(PyObject *self, PyObject *nothing) {
    (void)self, (void)nothing;
    PyObject *o = py.PyTuple_New(2);
    for (int i = 0; o && i < 2; i++)
        (void)py.PyTuple_SetItem(o, i, py.PyLong_FromLongLong(i == 0 ? kDLCPU : 0));
    return o;
}

static void release_now(void *owner) {
    DLManagedTensorVersioned *t = owner;
    if (t->deleter) t->deleter(t);
}
static void release_old(void *owner) {
    old_tensor *t = owner;
    if (t->deleter) t->deleter(t);
}

bool gx_array_from_dlpack(gx_bridge *b, PyObject *capsule, gx_value *out) {
    gx_rt *rt = b->rt;
    const bool now = py.PyCapsule_IsValid(capsule, name_now);
    void *owner = now || py.PyCapsule_IsValid(capsule, name_old)
                      ? py.PyCapsule_GetPointer(capsule, now ? name_now : name_old)
                      : NULL;
    if (!owner) return gx_fail(rt, GX_TypeError, "dlpack.version", "this is no tensor of DLPack");
    const DLTensor *t = now ? &((DLManagedTensorVersioned *)owner)->dl_tensor
                            : &((old_tensor *)owner)->tensor;
    gx_dtype d;
    if (now && ((DLManagedTensorVersioned *)owner)->version.major != DLPACK_MAJOR_VERSION)
        return gx_fail(rt, GX_BufferError, "dlpack.version", "DLPack %u is not understood, %d is",
                       ((DLManagedTensorVersioned *)owner)->version.major, DLPACK_MAJOR_VERSION);
    if (t->device.device_type != kDLCPU && t->device.device_type != kDLCUDAHost &&
        t->device.device_type != kDLCUDAManaged)
        return gx_fail(rt, GX_BufferError, "dlpack.device",
                       "a tensor of the host is taken, not of DLPack's device %d",
                       (int)t->device.device_type);
    if (!gx_dtype_of_dlpack(rt, t->dtype, &d)) return false;
    if (t->ndim < 0 || t->ndim > GX_MAX_DIMS)
        return gx_fail(rt, GX_ValueError, "shape.dims", "an array has 0 to %d axes, not %d",
                       GX_MAX_DIMS, (int)t->ndim);
    int64_t strides[GX_MAX_DIMS], step = gx_dtype_size(d);
    for (int i = t->ndim; i-- > 0;) {
        strides[i] = t->strides ? t->strides[i] * gx_dtype_size(d) : step;
        step *= t->shape[i];
    }
    const bool readonly =
        now && ((DLManagedTensorVersioned *)owner)->flags & DLPACK_FLAG_BITMASK_READ_ONLY;
    gx_memory memory = {.data = (char *)t->data + t->byte_offset,
                        .writable = !readonly,
                        .owner = owner,
                        .release = now ? release_now : release_old};
    gx_array *a;
    /* From now on the tensor is gx's to delete. */
    (void)py.PyCapsule_SetName(capsule, now ? "used_dltensor_versioned" : "used_dltensor");
    if (!gx_array_outside(rt, &memory, d, t->ndim, t->shape, strides, GX_NS_NUMPY, &a))
        return false;
    *out = gx_array_value(a);
    return true;
}

/* --- the interface's dict --------------------------------------------------------------------- */

static PyObject *sizes(int n, const int64_t *values) {
    PyObject *o = py.PyTuple_New(n);
    for (int i = 0; o && i < n; i++)
        (void)py.PyTuple_SetItem(o, i, py.PyLong_FromLongLong(values[i]));
    return o;
}

static bool set(PyObject *dict, const char *key, PyObject *value) {
    if (!value) return false;
    bool ok = py.PyDict_SetItemString(dict, key, value) == 0;
    py.Py_DecRef(value);
    return ok;
}

/* __array_interface__, or __cuda_array_interface__ with an address on the GPU. */
static PyObject *interface_of(const gx_array *a, const void *data, bool cuda) {
    static const char kinds[] = {[GX_KIND_BOOL] = 'b', [GX_KIND_INT] = 'i', [GX_KIND_UINT] = 'u',
                                 [GX_KIND_FLOAT] = 'f', [GX_KIND_CPLX] = 'c'};
    char text[16];
    const int size = (int)gx_dtype_size(a->dtype);
    snprintf(text, sizeof text, "%c%c%d", size == 1 ? '|' : '<', kinds[gx_dtype_kind(a->dtype)],
             size);
    PyObject *o = py.PyDict_New(), *where = py.PyTuple_New(2);
    if (where) {
        (void)py.PyTuple_SetItem(where, 0, py.PyLong_FromVoidPtr((void *)(uintptr_t)data));
        (void)py.PyTuple_SetItem(where, 1,
                                 py.PyBool_FromLong((a->flags & GX_ARRAY_READONLY) != 0));
    }
    if (o && where && set(o, "shape", sizes(a->ndim, gx_shape(a))) &&
        set(o, "strides", sizes(a->ndim, gx_strides(a))) &&
        set(o, "typestr", py.PyUnicode_FromString(text)) && set(o, "data", where) &&
        set(o, "version", py.PyLong_FromLongLong(3)) &&
        (!cuda || set(o, "stream", gx_py_keep(py._Py_NoneStruct))))
        return o;
    if (o) py.Py_DecRef(o);
    return NULL;
}

static PyObject *array_interface(gx_bridge *b, const gx_wrap *w) {
    gx_wrap *memory = steady(b, gx_as_array(w->value));
    if (!memory) return NULL;
    gx_array *a = gx_as_array(memory->value);
    const char *data;
    /* The bytes stay where they are for as long as the storage, which the array holds. */
    PyObject *o = address(b->rt, a, &data) ? interface_of(a, data, false)
                                                 : gx_raise_in_python(b);
    py.Py_DecRef(&memory->head);
    return o;
}

/* The address is that of the array's value: it holds until something is stored into the array. */
static PyObject *cuda_interface(gx_bridge *b, gx_array *a) {
    gx_freed freed;
    gx_lent lent;
    bool ok = gx_host_begin(b->rt, &freed) && gx_array_lend(b->rt, a, &lent);
    gx_host_end(b->rt, &freed);
    if (!ok) return gx_raise_in_python(b);
    PyObject *o = interface_of(a, lent.data, true);
    gx_lent_drop(&lent);
    return o;
}

PyObject *gx_array_protocol(gx_bridge *b, PyObject *self, gx_array *a, const char *name) {
    static PyMethodDef rows[] = {
        {"__dlpack__", (PyCFunction)(void (*)(void))dlpack, METH_VARARGS | METH_KEYWORDS, NULL},
        {"__dlpack_device__", dlpack_device, METH_NOARGS, NULL}};
    if (!b->host) return NULL;
    if (!gx_is_number_dtype(a->dtype)) return NULL;
    int64_t device[2];
    gx_array_dlpack_device(b->rt, a, device);
    if (device[0] == GX_DLPACK_CUDA && strcmp(name, "__cuda_array_interface__") == 0)
        return cuda_interface(b, a);
    if (strcmp(name, "__array_interface__") == 0 && !gx_is_extension((gx_dtype)a->dtype))
        return array_interface(b, (gx_wrap *)self);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].ml_name, name) == 0) return py.PyCFunction_NewEx(&rows[i], self, NULL);
    return NULL;
}
