/* What Python does with a value of gx: each slot of its class calls gx. */
#include <string.h>

#include "runtime/object/class/hooks.h"
#include "runtime/object/number/number.h"
#include "runtime/object/operators.h"
#include "runtime/object/text/str.h"
#include "stdlib/bridge/wrap_int.h"
#include "stdlib/stdlib.h"

/* --- entering gx ------------------------------------------------------------------------------ */

/* The bridge of a wrapped value that may be used here; NULL: Python has an exception pending. What
   has entered leaves. */
static gx_bridge *enter(PyObject *self) {
    gx_bridge *b = ((gx_wrap *)self)->bridge;
    if (!b)
        py.PyErr_SetString(*py.PyExc_RuntimeError, "the gx that this value is of has ended");
    else if (b->host)
        gx_host_enter(b->rt);
    else if (!pthread_equal(pthread_self(), b->thread) || !b->inside)
        py.PyErr_SetString(*py.PyExc_RuntimeError,
                           "values of gx can be used by gx's own thread only, not by a thread of "
                           "Python's");
    else
        return b;
    return b && b->host ? b : NULL;
}

static void leave(gx_bridge *b) {
    if (b->host) gx_host_leave(b->rt);
}

/* Begins and ends what computes: other threads of Python's may run meanwhile. */
static bool begin(gx_bridge *b, gx_freed *f) {
    return !b->host || gx_host_begin(b->rt, f);
}
static void end(gx_bridge *b, gx_freed *f) {
    if (b->host) gx_host_end(b->rt, f);
}
#define COMPUTE(b, ok, call)                                                                       \
    do {                                                                                           \
        gx_freed freed;                                                                            \
        ok = begin(b, &freed);                                                                     \
        if (ok) ok = call;                                                                         \
        end(b, &freed);                                                                            \
    } while (0)
/* The same for what answers with a gx_try. */
#define COMPUTE_TRY(b, has, call)                                                                  \
    do {                                                                                           \
        gx_freed freed;                                                                            \
        has = begin(b, &freed) ? call : GX_TRY_ERROR;                                              \
        end(b, &freed);                                                                            \
    } while (0)

static PyObject *give(gx_bridge *b, bool ok, gx_value v) {
    if (b->host) return gx_host_give(b->rt, ok, v);
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

static bool pass(gx_bridge *b, bool copies, PyObject *o, gx_value *out) {
    return copies ? gx_copy_from_python(b, o, out) : take(b, o, out);
}

/* Does the object take lists for the elements in them, as an array does? */
static bool elementwise(const gx_bridge *b, PyObject *self) {
    return b->host && own(self).tag == GX_ARRAY;
}

/* --- slots ------------------------------------------------------------------------------------ */

static PyObject *text_of(PyObject *self, bool (*fn)(gx_rt *, gx_borrowed, gx_buf *)) {
    gx_bridge *b = enter(self);
    bool ok;
    if (!b) return NULL;
    gx_buf text = gx_buf_new(b->rt);
    COMPUTE(b, ok, fn(b->rt, own(self), &text));
    PyObject *o = ok ? py.PyUnicode_FromStringAndSize(gx_buf_text(&text), (Py_ssize_t)text.length)
                     : gx_raise_in_python(b);
    gx_buf_free(&text);
    leave(b);
    return o;
}

PyObject *gx_wrap_repr(PyObject *self) {
    return text_of(self, gx_repr);
}
PyObject *gx_wrap_str(PyObject *self) {
    return text_of(self, gx_str_into);
}

static Py_hash_t hash_of(gx_bridge *b, PyObject *self) {
    uint64_t h;
    if (!gx_hash(b->rt, own(self), &h)) {
        gx_raise_in_python(b);
        return -1;
    }
    return (Py_hash_t)h == -1 ? -2 : (Py_hash_t)h;
}

/* A special method of the value's class with one argument; NotImplemented where it has none. */
static PyObject *special(gx_bridge *b, gx_borrowed v, const char *name, gx_borrowed other) {
    gx_value out;
    gx_try has;
    COMPUTE_TRY(b, has, gx_special(b->rt, v, name, 1, &other, &out));
    if (has == GX_TRY_NO) return gx_py_keep(py._Py_NotImplementedStruct);
    return give(b, has == GX_TRY_YES, out);
}

static PyObject *compare_of(gx_bridge *b, PyObject *self, PyObject *with, int op) {
    static const gx_cmpop ops[] = {[GX_PY_LT] = GX_LT, [GX_PY_LE] = GX_LE, [GX_PY_EQ] = GX_EQ,
                                   [GX_PY_NE] = GX_NE, [GX_PY_GT] = GX_GT, [GX_PY_GE] = GX_GE};
    static const char *const names[] = {"__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__"};
    gx_value other, out;
    PyObject *o;
    if (!pass(b, elementwise(b, self), with, &other)) return gx_raise_in_python(b);
    if (gx_is_instance(own(self))) {
        o = special(b, own(self), names[op], other);
    } else if (gx_is_proxy(other)) {
        o = gx_py_keep(py._Py_NotImplementedStruct);
    } else {
        gx_try has;
        COMPUTE_TRY(b, has, gx_slot_compare(b->rt, ops[op], own(self), other, &out));
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

static PyObject *getattro_of(gx_bridge *b, PyObject *self, PyObject *name) {
    Py_ssize_t n;
    gx_value out;
    const char *text = py.PyUnicode_AsUTF8AndSize(name, &n);
    if (!text) return NULL;
    if (is_special(text)) {
        gx_borrowed v = own(self);
        if (strcmp(text, "__class__") == 0) return py.PyObject_GenericGetAttr(self, name);
        if (strcmp(text, "__signature__") == 0 && (v.tag == GX_FUNC || v.tag == GX_METHOD))
            return own_signature(self);
        PyObject *o = v.tag == GX_ARRAY ? gx_array_protocol(b, self, gx_as_array(v), text) : NULL;
        if (o || py.PyErr_Occurred()) return o;
        /* Other functions of numpy's make ndarrays of an array. */
        if (elementwise(b, self) && strcmp(text, "__array_wrap__") == 0)
            return py.PyObject_GenericGetAttr(self, name);
    }
    gx_sym sym = gx_sym_of(b->rt, text, (size_t)n);
    gx_try has = GX_TRY_ERROR;
    if (sym && gx_is_instance(own(self)))
        COMPUTE_TRY(b, has, gx_try_attr(b->rt, own(self), sym, &out));
    else if (sym)
        has = gx_try_attr(b->rt, own(self), sym, &out);
    if (has == GX_TRY_NO) return py.PyObject_GenericGetAttr(self, name);
    return give(b, has == GX_TRY_YES, out);
}

static int done(gx_bridge *b, bool ok) {
    if (ok) return 0;
    gx_raise_in_python(b);
    return -1;
}

static int setattro_of(gx_bridge *b, PyObject *self, PyObject *name, PyObject *value) {
    Py_ssize_t n;
    gx_value v = gx_undef();
    const char *text = py.PyUnicode_AsUTF8AndSize(name, &n);
    if (!text) return -1;
    gx_sym sym = gx_sym_of(b->rt, text, (size_t)n);
    bool ok = sym && (!value || take(b, value, &v)) && gx_set_attr(b->rt, own(self), sym, v);
    gx_drop(v);
    return done(b, ok);
}

/* Does a function of the library only read the lists and dicts that it is given? Then they go to it
   as copies; to others as what they are. */
static bool reads_only(gx_borrowed fn) {
    static const char *const changing[] = {"shuffle", "heap", "insort", "setattr", "setitem"};
    if (fn.tag == GX_METHOD) fn = ((const gx_bound *)fn.obj)->fn;
    if (fn.tag != GX_NATIVE) return fn.tag == GX_TYPE;
    for (size_t i = 0; i < sizeof changing / sizeof *changing; i++)
        if (strncmp(fn.native->name, changing[i], strlen(changing[i])) == 0) return false;
    return true;
}

/* Calls a value with what Python passes. */
static PyObject *call_with(gx_bridge *b, gx_borrowed fn, PyObject *args, PyObject *keywords) {
    enum { NEAR = 12 };
    gx_value near[NEAR], *argv = near, out = gx_undef();
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
    const bool copies = b->host && reads_only(fn);
    while (ok && n < argc) {
        ok = pass(b, copies, py.PyTuple_GetItem(args, n), &argv[n]);
        if (ok) n++;
    }
    while (ok && named < kwc && py.PyDict_Next(keywords, &at, &key, &value)) {
        Py_ssize_t length;
        const char *text = py.PyUnicode_AsUTF8AndSize(key, &length);
        names[named] = text ? gx_sym_of(b->rt, text, (size_t)length) : 0;
        ok = names[named] && pass(b, copies, value, &argv[n]);
        if (ok) n++, named++;
    }
    if (ok)
        COMPUTE(b, ok,
                gx_call_value(b->rt, fn, (int)argc, argv, (int)named, names, &out));
    else if (!gx_failed(&b->rt->error)) gx_python_raised(b);
    while (n) gx_drop(argv[--n]);
    if (argv != near) {
        gx_free(b->rt, argv);
        gx_free(b->rt, names);
    }
    return give(b, ok, out);
}

static PyObject *call(gx_bridge *b, PyObject *self, PyObject *args, PyObject *keywords) {
    gx_value fn = gx_keep(own(self));
    PyObject *o = call_with(b, fn, args, keywords);
    gx_drop(fn);
    return o;
}

/* isinstance(o, cls) of a type of gx's. */
static PyObject *is_instance(gx_bridge *b, gx_borrowed cls, PyObject *o) {
    gx_value fn, out = gx_undef(), in[2] = {gx_undef(), cls};
    gx_sym name = gx_sym_c(b->rt, "isinstance");
    bool ok = false;
    if (!o || !name || gx_builtin(b->rt, name, &fn) != GX_TRY_YES) return gx_raise_in_python(b);
    if (take(b, o, &in[0])) COMPUTE(b, ok, gx_call_value(b->rt, fn, 2, in, 0, NULL, &out));
    gx_drop(in[0]);
    gx_drop(fn);
    return give(b, ok, out);
}

/* helper.py's forward: (self, name, args, keywords). */
PyObject *gx_call_named(PyObject *self, PyObject *all) {
    PyObject *of = py.PyTuple_GetItem(all, 0), *name = of ? py.PyTuple_GetItem(all, 1) : NULL;
    const char *text = name ? py.PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    gx_bridge *b = text ? enter(of) : NULL;
    PyObject *o;
    gx_value fn;
    (void)self;
    if (!b) return NULL;
    gx_sym sym = gx_sym_c(b->rt, text);
    if (strcmp(text, "__instancecheck__") == 0) {
        o = is_instance(b, own(of), py.PyTuple_GetItem(py.PyTuple_GetItem(all, 2), 0));
    } else if (sym && gx_get_attr(b->rt, own(of), sym, &fn)) {
        o = call_with(b, fn, py.PyTuple_GetItem(all, 2), py.PyTuple_GetItem(all, 3));
        gx_drop(fn);
    } else {
        o = gx_raise_in_python(b);
    }
    leave(b);
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

static Py_ssize_t length_of(gx_bridge *b, PyObject *self) {
    int64_t n;
    bool ok;
    COMPUTE(b, ok, gx_length(b->rt, own(self), &n));
    if (ok) return n;
    gx_raise_in_python(b);
    return -1;
}

static PyObject *subscript_of(gx_bridge *b, PyObject *self, PyObject *key) {
    gx_value k, out = gx_undef();
    if (!pass(b, elementwise(b, self), key, &k)) return gx_raise_in_python(b);
    bool ok;
    COMPUTE(b, ok, gx_get_item(b->rt, own(self), k, &out));
    gx_drop(k);
    return give(b, ok, out);
}

static int ass_subscript_of(gx_bridge *b, PyObject *self, PyObject *key, PyObject *value) {
    gx_value k = gx_undef(), v = gx_undef();
    const bool copies = elementwise(b, self);
    bool ok = pass(b, copies, key, &k) && (!value || pass(b, copies, value, &v));
    if (ok)
        COMPUTE(b, ok, value ? gx_set_item(b->rt, own(self), k, v)
                             : gx_del_item(b->rt, own(self), k));
    gx_drop(k);
    gx_drop(v);
    return done(b, ok);
}

static int contains_of(gx_bridge *b, PyObject *self, PyObject *item) {
    gx_value v;
    bool in = false;
    bool ok = take(b, item, &v);
    if (ok) {
        COMPUTE(b, ok, gx_contains(b->rt, own(self), v, &in));
        gx_drop(v);
    }
    return ok ? in : done(b, false);
}

static PyObject *iterator(gx_bridge *b, PyObject *self) {
    gx_value out = gx_undef();
    bool ok;
    COMPUTE(b, ok, gx_iter(b->rt, own(self), &out));
    if (ok && !gx_is_proxy(out)) { /* an iterator of gx's, whatever crosses otherwise */
        PyObject *o = gx_wrap_new(b, out);
        gx_drop(out);
        return o ? o : gx_raise_in_python(b);
    }
    return give(b, ok, out);
}

static PyObject *next_of(gx_bridge *b, PyObject *self) {
    gx_value out = gx_undef();
    bool more = true;
    bool ok;
    COMPUTE(b, ok, gx_next(b->rt, own(self), &out, &more));
    if (ok && !more) return NULL;
    return give(b, ok, out);
}

static int truth(gx_bridge *b, PyObject *self) {
    bool is, ok;
    COMPUTE(b, ok, gx_truth(b->rt, own(self), &is));
    return ok ? is : done(b, false);
}

static PyObject *as_float(gx_bridge *b, PyObject *self) {
    double x = 0;
    gx_try is;
    COMPUTE_TRY(b, is, gx_as_double(b->rt, own(self), &x));
    if (is == GX_TRY_NO)
        gx_fail(b->rt, GX_TypeError, "number.type", "'%s' is no number", gx_type_name(own(self)));
    return give(b, is == GX_TRY_YES, gx_float(x));
}
static PyObject *as_index(gx_bridge *b, PyObject *self) {
    gx_value n = gx_undef();
    gx_try is;
    COMPUTE_TRY(b, is, gx_as_integer(b->rt, own(self), &n));
    if (is == GX_TRY_NO)
        gx_fail(b->rt, GX_TypeError, "number.type", "'%s' is no integer", gx_type_name(own(self)));
    return give(b, is == GX_TRY_YES, n);
}

/* --- operators -------------------------------------------------------------------------------- */

static bool is_wrap(PyObject *o) {
    PyObject *base = gx_py_helper("Wrap");
    return py.PyType_IsSubtype(gx_py_type(o), (PyTypeObject *)(void *)base);
}

/* The value of what stays the same object is that object. */
static PyObject *give_or(gx_bridge *b, PyObject *same, bool ok, gx_value v) {
    if (!ok || v.tag != own(same).tag || !gx_is_object(v) || v.obj != own(same).obj)
        return give(b, ok, v);
    gx_drop(v);
    return gx_py_keep(same);
}

static PyObject *operate(gx_bridge *b, PyObject *left, PyObject *right, bool mine, gx_binop op,
                         const char *name, const char *swapped) {
    gx_value l, r, out = gx_undef();
    PyObject *o;
    bool ok;
    const bool copies = elementwise(b, mine ? left : right);
    if (!pass(b, copies, left, &l)) return gx_raise_in_python(b);
    if (!pass(b, copies, right, &r)) {
        gx_drop(l);
        return gx_raise_in_python(b);
    }
    gx_borrowed v = mine ? l : r;
    if (gx_is_proxy(l) || gx_is_proxy(r)) {
        o = gx_is_instance(v) ? special(b, v, mine ? name : swapped, mine ? r : l)
                              : gx_py_keep(py._Py_NotImplementedStruct);
    } else if (!swapped) {
        COMPUTE(b, ok, gx_inplace(b->rt, op, l, r, &out));
        o = give_or(b, left, ok, out);
    } else {
        COMPUTE(b, ok, gx_binary(b->rt, op, l, r, &out));
        o = give(b, ok, out);
    }
    gx_drop(l);
    gx_drop(r);
    return o;
}

static PyObject *binary(PyObject *left, PyObject *right, gx_binop op, const char *name,
                        const char *swapped) {
    const bool mine = is_wrap(left);
    gx_bridge *b = enter(mine ? left : right);
    if (!b) return NULL;
    PyObject *o = operate(b, left, right, mine, op, name, swapped);
    leave(b);
    return o;
}

#define BINARY(id, op, name)                                                                       \
    PyObject *gx_wrap_##id(PyObject *a, PyObject *b) {                                             \
        return binary(a, b, op, "__" name "__", "__r" name "__");                                  \
    }                                                                                              \
    PyObject *gx_wrap_i##id(PyObject *a, PyObject *b) {                                            \
        return binary(a, b, op, "__i" name "__", NULL);                                            \
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
PyObject *gx_wrap_ipow(PyObject *a, PyObject *b, PyObject *modulus) {
    (void)modulus;
    return binary(a, b, GX_POW, "__ipow__", NULL);
}

static PyObject *unary(PyObject *self, gx_unop op) {
    gx_bridge *b = enter(self);
    gx_value out = gx_undef();
    bool ok;
    if (!b) return NULL;
    COMPUTE(b, ok, gx_unary(b->rt, op, own(self), &out));
    PyObject *o = give(b, ok, out);
    leave(b);
    return o;
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

/* --- the slots of a value: each enters its context and leaves it ------------------------------ */

#define ENTERED(type, bad, id, fn, params, args)                                                   \
    type gx_wrap_##id params {                                                                     \
        gx_bridge *b = enter(self);                                                                \
        if (!b) return bad;                                                                        \
        type o = fn args;                                                                          \
        leave(b);                                                                                  \
        return o;                                                                                  \
    }
ENTERED(Py_hash_t, -1, hash, hash_of, (PyObject *self), (b, self))
ENTERED(PyObject *, NULL, compare, compare_of, (PyObject *self, PyObject *with, int op),
        (b, self, with, op))
ENTERED(PyObject *, NULL, getattro, getattro_of, (PyObject *self, PyObject *name), (b, self, name))
ENTERED(int, -1, setattro, setattro_of, (PyObject *self, PyObject *name, PyObject *value),
        (b, self, name, value))
ENTERED(PyObject *, NULL, call, call, (PyObject *self, PyObject *args, PyObject *keywords),
        (b, self, args, keywords))
ENTERED(Py_ssize_t, -1, length, length_of, (PyObject *self), (b, self))
ENTERED(PyObject *, NULL, subscript, subscript_of, (PyObject *self, PyObject *key), (b, self, key))
ENTERED(int, -1, ass_subscript, ass_subscript_of,
        (PyObject *self, PyObject *key, PyObject *value), (b, self, key, value))
ENTERED(int, -1, contains, contains_of, (PyObject *self, PyObject *item), (b, self, item))
ENTERED(PyObject *, NULL, iter, iterator, (PyObject *self), (b, self))
ENTERED(PyObject *, NULL, iternext, next_of, (PyObject *self), (b, self))
ENTERED(int, -1, bool, truth, (PyObject *self), (b, self))
ENTERED(PyObject *, NULL, float, as_float, (PyObject *self), (b, self))
ENTERED(PyObject *, NULL, index, as_index, (PyObject *self), (b, self))
