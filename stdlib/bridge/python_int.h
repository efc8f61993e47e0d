/* Python's C interface as far as gx uses it: types that are part of its stable ABI, and the struct
   of its functions, which symbols.def lists. The library is opened at the first need (find.c); gx
   is built without Python's headers, and tools/checks/13-python compares the rows with those. */
#ifndef GX_STDLIB_BRIDGE_PYTHON_INT_H
#define GX_STDLIB_BRIDGE_PYTHON_INT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <wchar.h>

typedef ssize_t Py_ssize_t;
typedef Py_ssize_t Py_hash_t;
typedef struct _object PyObject;
typedef struct _typeobject PyTypeObject;
typedef struct _ts PyThreadState;
typedef enum { PyGILState_LOCKED, PyGILState_UNLOCKED } PyGILState_STATE;

/* The head of every object. Of the count only the lower half is a number in all versions. */
struct _object {
    union {
        Py_ssize_t whole;
        uint32_t low;
    } refs;
    PyTypeObject *type;
};
static inline PyTypeObject *gx_py_type(const PyObject *o) {
    return o->type;
}
static inline uint32_t gx_py_refs(const PyObject *o) {
    return o->refs.low;
}

typedef PyObject *(*PyCFunction)(PyObject *self, PyObject *args);
typedef struct PyMethodDef {
    const char *ml_name;
    PyCFunction ml_meth;
    int ml_flags;
    const char *ml_doc;
} PyMethodDef;
enum { METH_VARARGS = 1, METH_KEYWORDS = 2, METH_NOARGS = 4, METH_O = 8 };
typedef void (*PyCapsule_Destructor)(PyObject *capsule);
/* What a module of C begins with. */
typedef struct PyModuleDef {
    struct {
        PyObject head;
        PyObject *(*init)(void);
        Py_ssize_t index;
        PyObject *copy;
    } base;
    const char *name, *doc;
    Py_ssize_t size;
    PyMethodDef *methods;
    void *slots, *traverse, *clear, *free;
} PyModuleDef;
enum { GX_PY_ABI = 3 /* PYTHON_ABI_VERSION */ };

typedef struct {
    int slot;
    void *pfunc;
} PyType_Slot;
typedef struct {
    const char *name;
    int basicsize;
    int itemsize;
    unsigned int flags;
    PyType_Slot *slots;
} PyType_Spec;
enum { GX_PY_TPFLAGS = 1 << 10 /* BASETYPE */ | 1 << 18 /* HAVE_VERSION_TAG */ };

/* Numbers of slots, which stay as they are. */
enum {
    Py_bf_getbuffer = 1,
    Py_bf_releasebuffer = 2,
    Py_mp_ass_subscript = 3,
    Py_mp_length = 4,
    Py_mp_subscript = 5,
    Py_nb_absolute = 6,
    Py_nb_add = 7,
    Py_nb_and = 8,
    Py_nb_bool = 9,
    Py_nb_float = 11,
    Py_nb_floor_divide = 12,
    Py_nb_index = 13,
    Py_nb_inplace_add = 14,
    Py_nb_inplace_and = 15,
    Py_nb_inplace_floor_divide = 16,
    Py_nb_inplace_lshift = 17,
    Py_nb_inplace_multiply = 18,
    Py_nb_inplace_or = 19,
    Py_nb_inplace_power = 20,
    Py_nb_inplace_remainder = 21,
    Py_nb_inplace_rshift = 22,
    Py_nb_inplace_subtract = 23,
    Py_nb_inplace_true_divide = 24,
    Py_nb_inplace_xor = 25,
    Py_nb_invert = 27,
    Py_nb_lshift = 28,
    Py_nb_multiply = 29,
    Py_nb_negative = 30,
    Py_nb_or = 31,
    Py_nb_positive = 32,
    Py_nb_power = 33,
    Py_nb_remainder = 34,
    Py_nb_rshift = 35,
    Py_nb_subtract = 36,
    Py_nb_true_divide = 37,
    Py_nb_xor = 38,
    Py_sq_contains = 41,
    Py_tp_base = 48,
    Py_tp_call = 50,
    Py_tp_dealloc = 52,
    Py_tp_descr_get = 54,
    Py_tp_doc = 56,
    Py_tp_getattro = 58,
    Py_tp_hash = 59,
    Py_tp_iter = 62,
    Py_tp_iternext = 63,
    Py_tp_methods = 64,
    Py_tp_repr = 66,
    Py_tp_richcompare = 67,
    Py_tp_setattro = 69,
    Py_tp_str = 70,
    Py_nb_matrix_multiply = 75,
    Py_nb_inplace_matrix_multiply = 76
};

typedef struct {
    void *buf;
    PyObject *obj;
    Py_ssize_t len, itemsize;
    int readonly, ndim;
    char *format;
    Py_ssize_t *shape, *strides, *suboffsets;
    void *internal;
} Py_buffer;
enum { PyBUF_WRITABLE = 1, PyBUF_FORMAT = 4, PyBUF_ND = 8, PyBUF_STRIDES = 0x18 };
enum { PyBUF_C_CONTIGUOUS = 0x38, PyBUF_F_CONTIGUOUS = 0x58, PyBUF_ANY_CONTIGUOUS = 0x98 };

enum { GX_PY_LT, GX_PY_LE, GX_PY_EQ, GX_PY_NE, GX_PY_GT, GX_PY_GE };
enum { GX_PY_FILE_INPUT = 257, GX_PY_EVAL_INPUT = 258 };

typedef struct gx_py_api {
#define PY(type, name, params) type(*name) params;
#define PY_LATE(type, name, params) type(*name) params;
#define PY_TYPE(name) PyTypeObject *name;
#define PY_OBJECT(name) PyObject *name;
#define PY_POINTER(name) PyObject **name;
#include "stdlib/bridge/symbols.def"
} gx_py_api;

/* Filled once a process, under a lock. */
extern gx_py_api py;

#endif
