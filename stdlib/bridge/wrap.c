/* gx's values in Python: an object whose class is made for the value's gx type and has just the
   slots that the type has, so that Python sees a callable where gx has one, an iterable where gx
   has one. They lie in a ring of their context, which takes its values back at its end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/class/hooks.h"
#include "runtime/object/exception.h"
#include "runtime/object/number/number.h"
#include "runtime/object/operators.h"
#include "runtime/object/text/str.h"
#include "stdlib/bridge/bridge_int.h"

/* --- entering gx ------------------------------------------------------------------------------ */

/* The bridge of a wrapped value that may be used here; NULL: an exception of Python's is pending. */
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

static void wrap_dealloc(PyObject *self) {
    gx_wrap *w = (gx_wrap *)self;
    PyTypeObject *type = gx_py_type(self);
    gx_bridge *b = w->bridge;
    if (b) {
        w->prev->next = w->next;
        w->next->prev = w->prev;
        if (pthread_equal(pthread_self(), b->thread) && b->inside) {
            gx_drop(w->value);
        } else if (gx_is_object(w->value)) { /* another thread's: its own will drop it */
            if (b->late_count == b->late_room) {
                size_t room = b->late_room ? b->late_room * 2 : 16;
                gx_value *list = realloc(b->late, room * sizeof *list);
                if (list) {
                    b->late = list;
                    b->late_room = room;
                }
            }
            if (b->late_count < b->late_room) b->late[b->late_count++] = w->value;
        }
    }
    py.PyObject_Free(self);
    py.Py_DecRef((PyObject *)(void *)type);
}

void gx_wraps_drop_late(gx_bridge *b) {
    while (b->late_count) {
        gx_value v = b->late[--b->late_count];
        gx_drop(v);
    }
}

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

static PyObject *wrap_repr(PyObject *self) {
    return text_of(self, gx_repr);
}
static PyObject *wrap_str(PyObject *self) {
    return text_of(self, gx_str_into);
}

static Py_hash_t wrap_hash(PyObject *self) {
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

static PyObject *wrap_compare(PyObject *self, PyObject *with, int op) {
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

static PyObject *wrap_getattro(PyObject *self, PyObject *name) {
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

static int wrap_setattro(PyObject *self, PyObject *name, PyObject *value) {
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

static PyObject *wrap_call(PyObject *self, PyObject *args, PyObject *keywords) {
    gx_bridge *b = enter(self);
    if (!b) return NULL;
    gx_value fn = gx_keep(own(self));
    PyObject *o = call_with(b, fn, args, keywords);
    gx_drop(fn);
    return o;
}

/* helper.py's forward: (self, name, args, keywords). */
static PyObject *call_named(PyObject *self, PyObject *all) {
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
static PyObject *wrap_descr_get(PyObject *self, PyObject *instance, PyObject *type) {
    (void)type;
    if (!instance || instance == py._Py_NoneStruct) return gx_py_keep(self);
    PyObject *args = py.PyTuple_New(2), *o = NULL;
    if (args && py.PyTuple_SetItem(args, 0, gx_py_keep(self)) == 0 &&
        py.PyTuple_SetItem(args, 1, gx_py_keep(instance)) == 0)
        o = py.PyObject_CallObject(gx_py_helper("bind"), args);
    if (args) py.Py_DecRef(args);
    return o;
}

static Py_ssize_t wrap_length(PyObject *self) {
    gx_bridge *b = enter(self);
    int64_t n;
    if (!b) return -1;
    if (gx_length(b->rt, own(self), &n)) return n;
    gx_raise_in_python(b);
    return -1;
}

static PyObject *wrap_subscript(PyObject *self, PyObject *key) {
    gx_bridge *b = enter(self);
    gx_value k, out = gx_undef();
    if (!b) return NULL;
    if (!take(b, key, &k)) return gx_raise_in_python(b);
    bool ok = gx_get_item(b->rt, own(self), k, &out);
    gx_drop(k);
    return give(b, ok, out);
}

static int wrap_ass_subscript(PyObject *self, PyObject *key, PyObject *value) {
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

static int wrap_contains(PyObject *self, PyObject *item) {
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

static PyObject *wrap_iter(PyObject *self) {
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

static PyObject *wrap_iternext(PyObject *self) {
    gx_bridge *b = enter(self);
    gx_value out = gx_undef();
    bool more = true;
    if (!b) return NULL;
    bool ok = gx_next(b->rt, own(self), &out, &more);
    if (ok && !more) return NULL;
    return give(b, ok, out);
}

static int wrap_bool(PyObject *self) {
    gx_bridge *b = enter(self);
    bool is;
    if (!b) return -1;
    return gx_truth(b->rt, own(self), &is) ? is : done(b, false);
}

static PyObject *wrap_float(PyObject *self) {
    gx_bridge *b = enter(self);
    double x = 0;
    if (!b) return NULL;
    gx_try is = gx_as_double(b->rt, own(self), &x);
    if (is == GX_TRY_NO)
        gx_fail(b->rt, GX_TypeError, "number.type", "'%s' is no number", gx_type_name(own(self)));
    return give(b, is == GX_TRY_YES, gx_float(x));
}
static PyObject *wrap_index(PyObject *self) {
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
    static PyObject *wrap_##id(PyObject *a, PyObject *b) {                                         \
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
static PyObject *wrap_pow(PyObject *a, PyObject *b, PyObject *modulus) {
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
static PyObject *wrap_neg(PyObject *self) {
    return unary(self, GX_NEG);
}
static PyObject *wrap_pos(PyObject *self) {
    return unary(self, GX_POS);
}
static PyObject *wrap_invert(PyObject *self) {
    return unary(self, GX_INVERT);
}

/* --- the classes ------------------------------------------------------------------------------ */

typedef void (*slot_fn)(void);
typedef struct slot {
    int number;
    slot_fn fn;
} slot;
#define SLOT(number, fn) {number, (slot_fn)fn}

static const slot always[] = {
    SLOT(Py_tp_dealloc, wrap_dealloc),   SLOT(Py_tp_repr, wrap_repr),
    SLOT(Py_tp_str, wrap_str),           SLOT(Py_tp_hash, wrap_hash),
    SLOT(Py_tp_richcompare, wrap_compare), SLOT(Py_tp_getattro, wrap_getattro),
    SLOT(Py_tp_setattro, wrap_setattro),
};
static const slot numbers[] = {
    SLOT(Py_nb_add, wrap_add),           SLOT(Py_nb_subtract, wrap_sub),
    SLOT(Py_nb_multiply, wrap_mul),      SLOT(Py_nb_matrix_multiply, wrap_matmul),
    SLOT(Py_nb_true_divide, wrap_div),   SLOT(Py_nb_floor_divide, wrap_floordiv),
    SLOT(Py_nb_remainder, wrap_mod),     SLOT(Py_nb_lshift, wrap_lshift),
    SLOT(Py_nb_rshift, wrap_rshift),     SLOT(Py_nb_and, wrap_and),
    SLOT(Py_nb_xor, wrap_xor),           SLOT(Py_nb_or, wrap_or),
    SLOT(Py_nb_power, wrap_pow),
};
enum { MOST_SLOTS = 64 };

typedef struct slots {
    PyType_Slot items[MOST_SLOTS];
    int count;
} slots;

static void add(slots *s, const slot *row) {
    PyType_Slot *to = &s->items[s->count++];
    to->slot = row->number;
    memcpy(&to->pfunc, &row->fn, sizeof to->pfunc);
}
#define ADD_IF(has, number, fn)                                                                    \
    do {                                                                                           \
        if (has) add(&s, &(slot)SLOT(number, fn));                                                 \
    } while (0)
/* A slot of the type or of one above it. */
#define HAS(field) has_slot(t, offsetof(gx_type, field))

static bool has_slot(const gx_type *t, size_t at) {
    void *fn;
    for (; t; t = t->base) {
        memcpy(&fn, (const char *)t + at, sizeof fn);
        if (fn) return true;
    }
    return false;
}

static PyObject *new_class(gx_bridge *b, gx_borrowed v, PyObject *base) {
    const gx_type *t = gx_type_of(v);
    slots s = {.count = 0};
    bool instance = gx_is_instance(v), callable = base && gx_callable(v);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) add(&s, &always[i]);
    if (base) {
        ADD_IF(callable, Py_tp_call, wrap_call);
        ADD_IF(v.tag == GX_FUNC, Py_tp_descr_get, wrap_descr_get);
        ADD_IF(HAS(length), Py_mp_length, wrap_length);
        ADD_IF(HAS(get), Py_mp_subscript, wrap_subscript);
        ADD_IF(HAS(set) || HAS(del), Py_mp_ass_subscript, wrap_ass_subscript);
        ADD_IF(HAS(contains), Py_sq_contains, wrap_contains);
        ADD_IF(HAS(iter) || HAS(next), Py_tp_iter, wrap_iter);
        ADD_IF(HAS(next), Py_tp_iternext, wrap_iternext);
        ADD_IF(HAS(truth), Py_nb_bool, wrap_bool);
        for (size_t i = 0; (HAS(binary) || instance) && i < sizeof numbers / sizeof *numbers; i++)
            add(&s, &numbers[i]);
        ADD_IF(HAS(unary), Py_nb_negative, wrap_neg);
        ADD_IF(HAS(unary), Py_nb_positive, wrap_pos);
        ADD_IF(HAS(unary), Py_nb_invert, wrap_invert);
        bool floats = HAS(number) || gx_special_find(b->rt, v, "__float__").tag != GX_UNDEF;
        bool ints = HAS(index) || gx_special_find(b->rt, v, "__index__").tag != GX_UNDEF;
        ADD_IF(floats, Py_nb_float, wrap_float);
        ADD_IF(ints, Py_nb_index, wrap_index);
        ADD_IF(v.tag == GX_ARRAY, Py_bf_getbuffer, gx_wrap_get_buffer);
        ADD_IF(v.tag == GX_ARRAY, Py_bf_releasebuffer, gx_wrap_release_buffer);
    }
    s.items[s.count] = (PyType_Slot){0, NULL};
    size_t room = strlen(t->name) + 8;
    char *name = malloc(room); /* older versions of Python keep it */
    if (!name) return NULL;
    snprintf(name, room, base ? "gx.%s" : "gx.value", t->name);
    PyType_Spec spec = {name, sizeof(gx_wrap), 0, GX_PY_TPFLAGS, s.items};
    PyObject *bases = base ? py.PyTuple_New(1) : NULL;
    if (base && (!bases || py.PyTuple_SetItem(bases, 0, gx_py_keep(base)) != 0)) return NULL;
    PyObject *cls = py.PyType_FromSpecWithBases(&spec, bases);
    if (bases) py.Py_DecRef(bases);
    return cls;
}

/* Special methods without a slot that the value has. */
static bool add_methods(gx_bridge *b, gx_borrowed v, PyObject *cls) {
    static const char *const names[] = {"__enter__",    "__exit__",        "__array__",
                                        "__fspath__",   "__reversed__",    "__round__",
                                        "__format__",   "__complex__",     "__int__",
                                        "__array_ufunc__", "__array_function__", "__dir__",
                                        "__abs__",      "__next__",        "__divmod__",
                                        "__copy__",     "__deepcopy__"};
    static PyMethodDef row = {"call", call_named, METH_VARARGS, NULL};
    PyObject *args = py.PyTuple_New(3), *list = py.PyList_New(0), *call, *done = NULL;
    if (!args || !list) return false;
    PyObject *append = py.PyObject_GetAttrString(list, "append");
    for (size_t i = 0; append && i < sizeof names / sizeof *names; i++) {
        gx_value has;
        gx_sym name = gx_sym_c(b->rt, names[i]);
        if (!name) return false;
        bool is = gx_is_instance(v) ? gx_special_find(b->rt, v, names[i]).tag != GX_UNDEF
                                    : false;
        if (!is && !gx_is_instance(v) && i < 2 && gx_try_attr(b->rt, v, name, &has) == GX_TRY_YES) {
            is = true;
            gx_drop(has);
        }
        if (!is) continue;
        PyObject *one = py.PyTuple_New(1), *none = NULL;
        if (one && py.PyTuple_SetItem(one, 0, py.PyUnicode_FromString(names[i])) == 0)
            none = py.PyObject_CallObject(append, one);
        if (one) py.Py_DecRef(one);
        if (none) py.Py_DecRef(none);
    }
    if (append) py.Py_DecRef(append);
    call = py.PyCFunction_NewEx(&row, NULL, NULL);
    if (py.PyTuple_SetItem(args, 0, gx_py_keep(cls)) == 0 &&
        py.PyTuple_SetItem(args, 1, list) == 0 && py.PyTuple_SetItem(args, 2, call) == 0)
        done = py.PyObject_CallObject(gx_py_helper("forward"), args);
    py.Py_DecRef(args);
    if (!done) return gx_python_raised(b);
    py.Py_DecRef(done);
    return true;
}

/* The class of wrapped values that all others are below: of the process. */
static PyObject *base_class(gx_bridge *b) {
    PyObject *base = gx_py_helper("Wrap");
    if (base) return base;
    base = new_class(b, gx_none(), NULL);
    if (base && gx_py_set_helper("Wrap", base)) {
        py.Py_DecRef(base); /* the helper's names hold it */
        return base;
    }
    gx_python_raised(b);
    return NULL;
}

static PyObject *class_for(gx_bridge *b, gx_borrowed v) {
    const gx_type *t = gx_type_of(v);
    gx_pairs *p = &b->types;
    for (size_t i = p->count; i-- > 0;)
        if (p->items[i].type == t) return p->items[i].py;
    PyObject *base = base_class(b), *cls;
    if (!base) return NULL;
    if (p->count == p->room) {
        size_t room = p->room ? p->room * 2 : 16;
        gx_class_pair *list = gx_realloc(b->rt, p->items, room * sizeof *list);
        if (!list) return NULL;
        p->items = list;
        p->room = room;
    }
    if (!(cls = new_class(b, v, base))) {
        gx_python_raised(b);
        return NULL;
    }
    if (!add_methods(b, v, cls)) {
        py.Py_DecRef(cls);
        return NULL;
    }
    gx_value held = t->heap ? gx_class_value(t) : gx_none();
    p->items[p->count++] = (gx_class_pair){held, t, cls};
    return cls;
}

PyObject *gx_wrap_new(gx_bridge *b, gx_borrowed v) {
    PyObject *cls = class_for(b, v);
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
