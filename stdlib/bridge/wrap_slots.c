/* What Python does with a value of gx: each slot of its class calls gx. */
#include <string.h>

#include "runtime/object/class/hooks.h"
#include "runtime/object/number/number.h"
#include "runtime/object/operators.h"
#include "runtime/object/text/str.h"
#include "stdlib/bridge/wrap_int.h"

/* --- entering gx ------------------------------------------------------------------------------ */

/* The bridge of a wrapped value that may be used here; NULL: Python has an exception pending. */
static gx_bridge *enter(PyObject *self) {
    gx_bridge *b = ((gx_wrap *)self)->bridge;
    if (!b)
        py.PyErr_SetString(*py.PyExc_RuntimeError, "the gx that this value is of has ended");
    else if (!pthread_equal(pthread_self(), b->thread) || !b->inside)
        py.PyErr_SetString(*py.PyExc_RuntimeError,
                           "values of gx can be used by gx's own thread only, not by a thread of "
                           "Python's");
    else
        return b;
    return NULL;
}

static PyObject *give(gx_bridge *b, bool ok, gx_value v) {
    PyObject *o = ok ? gx_to_python(b, v) : NULL;
    if (ok) gx_drop(v);
    return o ? o : gx_raise_in_python(b);
}

static gx_borrowed own(PyObject *self) {
    return ((gx_wrap *)self)->value;
}

/* A reference of the caller's stays the caller's. */
static bool take(gx_bridge *b, PyObject *o, gx_value *out) {
    return gx_from_python(b, gx_py_keep(o), out);
}

/* --- slots ------------------------------------------------------------------------------------ */

static PyObject *text_of(PyObject *self, bool (*fn)(gx_rt *, gx_borrowed, gx_buf *)) {
    gx_bridge *b = enter(self);
    if (!b) return NULL;
    gx_buf text = gx_buf_new(b->rt);
    bool ok = fn(b->rt, own(self), &text);
    PyObject *o = ok ? py.PyUnicode_FromStringAndSize(gx_buf_text(&text), (Py_ssize_t)text.length)
                     : gx_raise_in_python(b);
    gx_buf_free(&text);
    return o;
}

PyObject *gx_wrap_repr(PyObject *self) {
    return text_of(self, gx_repr);
}
PyObject *gx_wrap_str(PyObject *self) {
    return text_of(self, gx_str_into);
}

Py_hash_t gx_wrap_hash(PyObject *self) {
    gx_bridge *b = enter(self);
    uint64_t h;
    if (!b) return -1;
    if (!gx_hash(b->rt, own(self), &h)) {
        gx_raise_in_python(b);
        return -1;
    }
    return (Py_hash_t)h == -1 ? -2 : (Py_hash_t)h;
}

/* A special method of the value's class with one argument; NotImplemented where it has none. */
static PyObject *special(gx_bridge *b, gx_borrowed v, const char *name, gx_borrowed other) {
    gx_value out;
    gx_try has = gx_special(b->rt, v, name, 1, &other, &out);
    if (has == GX_TRY_NO) return gx_py_keep(py._Py_NotImplementedStruct);
    return give(b, has == GX_TRY_YES, out);
}

PyObject *gx_wrap_compare(PyObject *self, PyObject *with, int op) {
    static const gx_cmpop ops[] = {[GX_PY_LT] = GX_LT, [GX_PY_LE] = GX_LE, [GX_PY_EQ] = GX_EQ,
                                   [GX_PY_NE] = GX_NE, [GX_PY_GT] = GX_GT, [GX_PY_GE] = GX_GE};
    static const char *const names[] = {"__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__"};
    gx_bridge *b = enter(self);
    gx_value other, out;
    PyObject *o;
    if (!b) return NULL;
    if (!take(b, with, &other)) return gx_raise_in_python(b);
    if (gx_is_instance(own(self))) {
        o = special(b, own(self), names[op], other);
    } else if (gx_is_proxy(other)) {
        o = gx_py_keep(py._Py_NotImplementedStruct);
    } else {
        gx_try has = gx_slot_compare(b->rt, ops[op], own(self), other, &out);
        if (has == GX_TRY_NO && (op == GX_PY_EQ || op == GX_PY_NE)) {
            bool same = gx_is_object(other) && own(self).obj == other.obj;
            o = py.PyBool_FromLong(same == (op == GX_PY_EQ));
        } else if (has == GX_TRY_NO) {
            o = gx_py_keep(py._Py_NotImplementedStruct);
        } else {
            o = give(b, has == GX_TRY_YES, out);
        }
    }
    gx_drop(other);
    return o;
}

static bool is_special(const char *name) {
    size_t n = strlen(name);
    return n > 4 && strncmp(name, "__", 2) == 0 && strcmp(name + n - 2, "__") == 0;
}

static PyObject *own_signature(PyObject *self) {
    PyObject *fn = gx_py_helper("signature"), *args = py.PyTuple_New(2), *o = NULL;
    if (args && py.PyTuple_SetItem(args, 0, gx_py_keep(self)) == 0 &&
        py.PyTuple_SetItem(args, 1, py.PyBool_FromLong(own(self).tag == GX_METHOD)) == 0)
        o = py.PyObject_CallObject(fn, args);
    if (args) py.Py_DecRef(args);
    return o;
}

PyObject *gx_wrap_getattro(PyObject *self, PyObject *name) {
    gx_bridge *b = enter(self);
    Py_ssize_t n;
    gx_value out;
    const char *text = py.PyUnicode_AsUTF8AndSize(name, &n);
    if (!b || !text) return NULL;
    if (is_special(text)) {
        gx_borrowed v = own(self);
        if (strcmp(text, "__class__") == 0) return py.PyObject_GenericGetAttr(self, name);
        if (strcmp(text, "__signature__") == 0 && (v.tag == GX_FUNC || v.tag == GX_METHOD))
            return own_signature(self);
    }
    gx_sym sym = gx_sym_of(b->rt, text, (size_t)n);
    gx_try has = sym ? gx_try_attr(b->rt, own(self), sym, &out) : GX_TRY_ERROR;
    if (has == GX_TRY_NO) return py.PyObject_GenericGetAttr(self, name);
    return give(b, has == GX_TRY_YES, out);
}

static int done(gx_bridge *b, bool ok) {
    if (ok) return 0;
    gx_raise_in_python(b);
    return -1;
}

int gx_wrap_setattro(PyObject *self, PyObject *name, PyObject *value) {
    gx_bridge *b = enter(self);
    Py_ssize_t n;
    gx_value v = gx_undef();
    const char *text = py.PyUnicode_AsUTF8AndSize(name, &n);
    if (!b || !text) return -1;
    gx_sym sym = gx_sym_of(b->rt, text, (size_t)n);
    bool ok = sym && (!value || take(b, value, &v)) && gx_set_attr(b->rt, own(self), sym, v);
    gx_drop(v);
    return done(b, ok);
}

/* Calls a value with what Python passes. */
static PyObject *call_with(gx_bridge *b, gx_borrowed fn, PyObject *args, PyObject *keywords) {
    enum { NEAR = 12 };
    gx_value near[NEAR], *argv = near, out;
    gx_sym near_names[NEAR], *names = near_names;
    PyObject *key, *value;
    Py_ssize_t argc = py.PyTuple_Size(args), at = 0;
    Py_ssize_t kwc = keywords ? py.PyDict_Size(keywords) : 0, n = 0, named = 0;
    bool ok = true;
    if (argc + kwc > NEAR) {
        argv = gx_alloc(b->rt, (size_t)(argc + kwc) * sizeof *argv);
        names = argv ? gx_alloc(b->rt, (size_t)(argc + kwc) * sizeof *names) : NULL;
        if (!names) {
            gx_free(b->rt, argv);
            return gx_raise_in_python(b);
        }
    }
    while (ok && n < argc) {
        ok = take(b, py.PyTuple_GetItem(args, n), &argv[n]);
        if (ok) n++;
    }
    while (ok && named < kwc && py.PyDict_Next(keywords, &at, &key, &value)) {
        Py_ssize_t length;
        const char *text = py.PyUnicode_AsUTF8AndSize(key, &length);
        names[named] = text ? gx_sym_of(b->rt, text, (size_t)length) : 0;
        ok = names[named] && take(b, value, &argv[n]);
        if (ok) n++, named++;
    }
    if (ok) ok = gx_call_value(b->rt, fn, (int)argc, argv, (int)named, names, &out);
    else if (!gx_failed(&b->rt->error)) gx_python_raised(b);
    while (n) gx_drop(argv[--n]);
    if (argv != near) {
        gx_free(b->rt, argv);
        gx_free(b->rt, names);
    }
    return give(b, ok, out);
}

PyObject *gx_wrap_call(PyObject *self, PyObject *args, PyObject *keywords) {
    gx_bridge *b = enter(self);
    if (!b) return NULL;
    gx_value fn = gx_keep(own(self));
    PyObject *o = call_with(b, fn, args, keywords);
    gx_drop(fn);
    return o;
}

/* helper.py's forward: (self, name, args, keywords). */
PyObject *gx_call_named(PyObject *self, PyObject *all) {
    PyObject *of = py.PyTuple_GetItem(all, 0), *name = of ? py.PyTuple_GetItem(all, 1) : NULL;
    gx_bridge *b = of ? enter(of) : NULL;
    const char *text = b ? py.PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    gx_value fn;
    (void)self;
    if (!text) return NULL;
    gx_sym sym = gx_sym_c(b->rt, text);
    if (!sym || !gx_get_attr(b->rt, own(of), sym, &fn)) return gx_raise_in_python(b);
    PyObject *o = call_with(b, fn, py.PyTuple_GetItem(all, 2), py.PyTuple_GetItem(all, 3));
    gx_drop(fn);
    return o;
}

/* A function of the script in a class of Python's is a method there. */
PyObject *gx_wrap_descr_get(PyObject *self, PyObject *instance, PyObject *type) {
    (void)type;
    if (!instance || instance == py._Py_NoneStruct) return gx_py_keep(self);
    PyObject *args = py.PyTuple_New(2), *o = NULL;
    if (args && py.PyTuple_SetItem(args, 0, gx_py_keep(self)) == 0 &&
        py.PyTuple_SetItem(args, 1, gx_py_keep(instance)) == 0)
        o = py.PyObject_CallObject(gx_py_helper("bind"), args);
    if (args) py.Py_DecRef(args);
    return o;
}

Py_ssize_t gx_wrap_length(PyObject *self) {
    gx_bridge *b = enter(self);
    int64_t n;
    if (!b) return -1;
    if (gx_length(b->rt, own(self), &n)) return n;
    gx_raise_in_python(b);
    return -1;
}

PyObject *gx_wrap_subscript(PyObject *self, PyObject *key) {
    gx_bridge *b = enter(self);
    gx_value k, out = gx_undef();
    if (!b) return NULL;
    if (!take(b, key, &k)) return gx_raise_in_python(b);
    bool ok = gx_get_item(b->rt, own(self), k, &out);
    gx_drop(k);
    return give(b, ok, out);
}

int gx_wrap_ass_subscript(PyObject *self, PyObject *key, PyObject *value) {
    gx_bridge *b = enter(self);
    gx_value k = gx_undef(), v = gx_undef();
    if (!b) return -1;
    bool ok = take(b, key, &k) && (!value || take(b, value, &v));
    if (ok && value) ok = gx_set_item(b->rt, own(self), k, v);
    else if (ok) ok = gx_del_item(b->rt, own(self), k);
    gx_drop(k);
    gx_drop(v);
    return done(b, ok);
}

int gx_wrap_contains(PyObject *self, PyObject *item) {
    gx_bridge *b = enter(self);
    gx_value v;
    bool in = false;
    if (!b) return -1;
    bool ok = take(b, item, &v);
    if (ok) {
        ok = gx_contains(b->rt, own(self), v, &in);
        gx_drop(v);
    }
    return ok ? in : done(b, false);
}

PyObject *gx_wrap_iter(PyObject *self) {
    gx_bridge *b = enter(self);
    gx_value out = gx_undef();
    if (!b) return NULL;
    bool ok = gx_iter(b->rt, own(self), &out);
    if (ok && !gx_is_proxy(out)) { /* an iterator of gx's, whatever crosses otherwise */
        PyObject *o = gx_wrap_new(b, out);
        gx_drop(out);
        return o ? o : gx_raise_in_python(b);
    }
    return give(b, ok, out);
}

PyObject *gx_wrap_iternext(PyObject *self) {
    gx_bridge *b = enter(self);
    gx_value out = gx_undef();
    bool more = true;
    if (!b) return NULL;
    bool ok = gx_next(b->rt, own(self), &out, &more);
    if (ok && !more) return NULL;
    return give(b, ok, out);
}

int gx_wrap_bool(PyObject *self) {
    gx_bridge *b = enter(self);
    bool is;
    if (!b) return -1;
    return gx_truth(b->rt, own(self), &is) ? is : done(b, false);
}

PyObject *gx_wrap_float(PyObject *self) {
    gx_bridge *b = enter(self);
    double x = 0;
    if (!b) return NULL;
    gx_try is = gx_as_double(b->rt, own(self), &x);
    if (is == GX_TRY_NO)
        gx_fail(b->rt, GX_TypeError, "number.type", "'%s' is no number", gx_type_name(own(self)));
    return give(b, is == GX_TRY_YES, gx_float(x));
}
PyObject *gx_wrap_index(PyObject *self) {
    gx_bridge *b = enter(self);
    gx_value n = gx_undef();
    if (!b) return NULL;
    gx_try is = gx_as_integer(b->rt, own(self), &n);
    if (is == GX_TRY_NO)
        gx_fail(b->rt, GX_TypeError, "number.type", "'%s' is no integer", gx_type_name(own(self)));
    return give(b, is == GX_TRY_YES, n);
}

/* --- operators -------------------------------------------------------------------------------- */

static PyObject *binary(PyObject *left, PyObject *right, gx_binop op, const char *name,
                        const char *swapped) {
    PyObject *base = gx_py_helper("Wrap");
    bool mine = py.PyType_IsSubtype(gx_py_type(left), (PyTypeObject *)(void *)base);
    gx_bridge *b = enter(mine ? left : right);
    gx_value l, r, out;
    PyObject *o;
    if (!b) return NULL;
    if (!take(b, left, &l)) return gx_raise_in_python(b);
    if (!take(b, right, &r)) {
        gx_drop(l);
        return gx_raise_in_python(b);
    }
    gx_borrowed v = mine ? l : r;
    if (gx_is_proxy(l) || gx_is_proxy(r)) {
        o = gx_is_instance(v) ? special(b, v, mine ? name : swapped, mine ? r : l)
                              : gx_py_keep(py._Py_NotImplementedStruct);
    } else {
        bool ok = gx_binary(b->rt, op, l, r, &out);
        o = give(b, ok, out);
    }
    gx_drop(l);
    gx_drop(r);
    return o;
}

#define BINARY(id, op, name)                                                                       \
    PyObject *gx_wrap_##id(PyObject *a, PyObject *b) {                                             \
        return binary(a, b, op, "__" name "__", "__r" name "__");                                  \
    }
BINARY(add, GX_ADD, "add")
BINARY(sub, GX_SUB, "sub")
BINARY(mul, GX_MUL, "mul")
BINARY(matmul, GX_MATMUL, "matmul")
BINARY(div, GX_DIV, "truediv")
BINARY(floordiv, GX_FLOORDIV, "floordiv")
BINARY(mod, GX_MOD, "mod")
BINARY(lshift, GX_LSHIFT, "lshift")
BINARY(rshift, GX_RSHIFT, "rshift")
BINARY(and, GX_BITAND, "and")
BINARY(xor, GX_BITXOR, "xor")
BINARY(or, GX_BITOR, "or")
#undef BINARY
PyObject *gx_wrap_pow(PyObject *a, PyObject *b, PyObject *modulus) {
    (void)modulus;
    return binary(a, b, GX_POW, "__pow__", "__rpow__");
}

static PyObject *unary(PyObject *self, gx_unop op) {
    gx_bridge *b = enter(self);
    gx_value out;
    if (!b) return NULL;
    bool ok = gx_unary(b->rt, op, own(self), &out);
    return give(b, ok, out);
}
PyObject *gx_wrap_neg(PyObject *self) {
    return unary(self, GX_NEG);
}
PyObject *gx_wrap_pos(PyObject *self) {
    return unary(self, GX_POS);
}
PyObject *gx_wrap_invert(PyObject *self) {
    return unary(self, GX_INVERT);
}

