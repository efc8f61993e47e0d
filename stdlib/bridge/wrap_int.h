/* The slots of the classes that stand for gx's types in Python (wrap_slots.c, wrap.c). */
#ifndef GX_STDLIB_BRIDGE_WRAP_INT_H
#define GX_STDLIB_BRIDGE_WRAP_INT_H

#include "stdlib/bridge/bridge_int.h"

void gx_wrap_dealloc(PyObject *self); /* wrap.c */
PyObject *gx_wrap_repr(PyObject *self);
PyObject *gx_wrap_str(PyObject *self);
Py_hash_t gx_wrap_hash(PyObject *self);
PyObject *gx_wrap_compare(PyObject *self, PyObject *with, int op);
PyObject *gx_wrap_getattro(PyObject *self, PyObject *name);
int gx_wrap_setattro(PyObject *self, PyObject *name, PyObject *value);
PyObject *gx_wrap_call(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *gx_call_named(PyObject *self, PyObject *all);
PyObject *gx_wrap_descr_get(PyObject *self, PyObject *instance, PyObject *type);
Py_ssize_t gx_wrap_length(PyObject *self);
PyObject *gx_wrap_subscript(PyObject *self, PyObject *key);
int gx_wrap_ass_subscript(PyObject *self, PyObject *key, PyObject *value);
int gx_wrap_contains(PyObject *self, PyObject *item);
PyObject *gx_wrap_iter(PyObject *self);
PyObject *gx_wrap_iternext(PyObject *self);
int gx_wrap_bool(PyObject *self);
PyObject *gx_wrap_float(PyObject *self);
PyObject *gx_wrap_index(PyObject *self);
PyObject *gx_wrap_pow(PyObject *a, PyObject *b, PyObject *modulus);
PyObject *gx_wrap_ipow(PyObject *a, PyObject *b, PyObject *modulus);
PyObject *gx_wrap_neg(PyObject *self);
PyObject *gx_wrap_pos(PyObject *self);
PyObject *gx_wrap_invert(PyObject *self);
PyObject *gx_wrap_add(PyObject *a, PyObject *b);
PyObject *gx_wrap_iadd(PyObject *a, PyObject *b);
PyObject *gx_wrap_sub(PyObject *a, PyObject *b);
PyObject *gx_wrap_isub(PyObject *a, PyObject *b);
PyObject *gx_wrap_mul(PyObject *a, PyObject *b);
PyObject *gx_wrap_imul(PyObject *a, PyObject *b);
PyObject *gx_wrap_matmul(PyObject *a, PyObject *b);
PyObject *gx_wrap_imatmul(PyObject *a, PyObject *b);
PyObject *gx_wrap_div(PyObject *a, PyObject *b);
PyObject *gx_wrap_idiv(PyObject *a, PyObject *b);
PyObject *gx_wrap_floordiv(PyObject *a, PyObject *b);
PyObject *gx_wrap_ifloordiv(PyObject *a, PyObject *b);
PyObject *gx_wrap_mod(PyObject *a, PyObject *b);
PyObject *gx_wrap_imod(PyObject *a, PyObject *b);
PyObject *gx_wrap_lshift(PyObject *a, PyObject *b);
PyObject *gx_wrap_ilshift(PyObject *a, PyObject *b);
PyObject *gx_wrap_rshift(PyObject *a, PyObject *b);
PyObject *gx_wrap_irshift(PyObject *a, PyObject *b);
PyObject *gx_wrap_and(PyObject *a, PyObject *b);
PyObject *gx_wrap_iand(PyObject *a, PyObject *b);
PyObject *gx_wrap_xor(PyObject *a, PyObject *b);
PyObject *gx_wrap_ixor(PyObject *a, PyObject *b);
PyObject *gx_wrap_or(PyObject *a, PyObject *b);
PyObject *gx_wrap_ior(PyObject *a, PyObject *b);

#endif
