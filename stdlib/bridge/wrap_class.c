/* The classes of gx's values in Python: each is made for a gx type and has just the slots that the
   type has, so that Python sees a callable where gx has one, an iterable where gx has one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stdlib/bridge/wrap_int.h"

typedef void (*slot_fn)(void);
typedef struct slot {
    int number;
    slot_fn fn;
} slot;
#define SLOT(number, fn) {number, (slot_fn)fn}

static const slot always[] = {
    SLOT(Py_tp_dealloc, gx_wrap_dealloc),   SLOT(Py_tp_repr, gx_wrap_repr),
    SLOT(Py_tp_str, gx_wrap_str),           SLOT(Py_tp_hash, gx_wrap_hash),
    SLOT(Py_tp_richcompare, gx_wrap_compare), SLOT(Py_tp_getattro, gx_wrap_getattro),
    SLOT(Py_tp_setattro, gx_wrap_setattro),
};
static const slot numbers[] = {
    SLOT(Py_nb_add, gx_wrap_add),           SLOT(Py_nb_subtract, gx_wrap_sub),
    SLOT(Py_nb_multiply, gx_wrap_mul),      SLOT(Py_nb_matrix_multiply, gx_wrap_matmul),
    SLOT(Py_nb_true_divide, gx_wrap_div),   SLOT(Py_nb_floor_divide, gx_wrap_floordiv),
    SLOT(Py_nb_remainder, gx_wrap_mod),     SLOT(Py_nb_lshift, gx_wrap_lshift),
    SLOT(Py_nb_rshift, gx_wrap_rshift),     SLOT(Py_nb_and, gx_wrap_and),
    SLOT(Py_nb_xor, gx_wrap_xor),           SLOT(Py_nb_or, gx_wrap_or),
    SLOT(Py_nb_power, gx_wrap_pow),
};
static const slot inplace[] = {
    SLOT(Py_nb_inplace_add, gx_wrap_iadd),
    SLOT(Py_nb_inplace_subtract, gx_wrap_isub),
    SLOT(Py_nb_inplace_multiply, gx_wrap_imul),
    SLOT(Py_nb_inplace_matrix_multiply, gx_wrap_imatmul),
    SLOT(Py_nb_inplace_true_divide, gx_wrap_idiv),
    SLOT(Py_nb_inplace_floor_divide, gx_wrap_ifloordiv),
    SLOT(Py_nb_inplace_remainder, gx_wrap_imod),
    SLOT(Py_nb_inplace_lshift, gx_wrap_ilshift),
    SLOT(Py_nb_inplace_rshift, gx_wrap_irshift),
    SLOT(Py_nb_inplace_and, gx_wrap_iand),
    SLOT(Py_nb_inplace_xor, gx_wrap_ixor),
    SLOT(Py_nb_inplace_or, gx_wrap_ior),
    SLOT(Py_nb_inplace_power, gx_wrap_ipow),
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
        ADD_IF(callable, Py_tp_call, gx_wrap_call);
        ADD_IF(v.tag == GX_FUNC, Py_tp_descr_get, gx_wrap_descr_get);
        ADD_IF(HAS(length), Py_mp_length, gx_wrap_length);
        ADD_IF(HAS(get), Py_mp_subscript, gx_wrap_subscript);
        ADD_IF(HAS(set) || HAS(del), Py_mp_ass_subscript, gx_wrap_ass_subscript);
        ADD_IF(HAS(contains), Py_sq_contains, gx_wrap_contains);
        ADD_IF(HAS(iter) || HAS(next), Py_tp_iter, gx_wrap_iter);
        ADD_IF(HAS(next), Py_tp_iternext, gx_wrap_iternext);
        ADD_IF(HAS(truth), Py_nb_bool, gx_wrap_bool);
        for (size_t i = 0; (HAS(binary) || instance) && i < sizeof numbers / sizeof *numbers; i++)
            add(&s, &numbers[i]);
        for (size_t i = 0; v.tag == GX_ARRAY && i < sizeof inplace / sizeof *inplace; i++)
            add(&s, &inplace[i]);
        ADD_IF(HAS(unary), Py_nb_negative, gx_wrap_neg);
        ADD_IF(HAS(unary), Py_nb_positive, gx_wrap_pos);
        ADD_IF(HAS(unary), Py_nb_invert, gx_wrap_invert);
        bool floats = HAS(number) || gx_special_find(b->rt, v, "__float__").tag != GX_UNDEF;
        bool ints = HAS(index) || gx_special_find(b->rt, v, "__index__").tag != GX_UNDEF;
        ADD_IF(floats, Py_nb_float, gx_wrap_float);
        ADD_IF(ints, Py_nb_index, gx_wrap_index);
        ADD_IF(v.tag == GX_ARRAY, Py_bf_getbuffer, gx_wrap_get_buffer);
        ADD_IF(v.tag == GX_ARRAY, Py_bf_releasebuffer, gx_wrap_release_buffer);
    }
    s.items[s.count] = (PyType_Slot){0, NULL};
    char text[128];
    snprintf(text, sizeof text, base ? "gx.%s" : "gx.value", t->name);
    PyObject *kept = py.PyUnicode_InternFromString(text); /* older versions keep the pointer */
    const char *name = kept ? py.PyUnicode_AsUTF8AndSize(kept, NULL) : NULL;
    if (!name) return NULL;
    PyType_Spec spec = {name, sizeof(gx_wrap), 0, GX_PY_TPFLAGS, s.items};
    PyObject *bases = base ? py.PyTuple_New(1) : NULL;
    if (base && (!bases || py.PyTuple_SetItem(bases, 0, gx_py_keep(base)) != 0)) return NULL;
    PyObject *cls = py.PyType_FromSpecWithBases(&spec, bases);
    if (bases) py.Py_DecRef(bases);
    return cls;
}

/* What NumPy's ufuncs do with arrays of gx's. */
static bool array_class(gx_bridge *b, PyObject *cls) {
    PyObject *args = py.PyTuple_New(1), *done = NULL;
    if (args && py.PyTuple_SetItem(args, 0, gx_py_keep(cls)) == 0)
        done = py.PyObject_CallObject(gx_py_helper("array_class"), args);
    if (args) py.Py_DecRef(args);
    if (!done) return gx_python_raised(b);
    py.Py_DecRef(done);
    return true;
}

/* Special methods without a slot that the value has. */
static bool add_methods(gx_bridge *b, gx_borrowed v, PyObject *cls) {
    static const char *const names[] = {"__enter__",    "__exit__",        "__array__",
                                        "__fspath__",   "__reversed__",    "__round__",
                                        "__format__",   "__complex__",     "__int__",
                                        "__array_ufunc__", "__array_function__", "__dir__",
                                        "__abs__",      "__next__",        "__divmod__",
                                        "__copy__",     "__deepcopy__",
                                        "__instancecheck__"};
    static PyMethodDef row = {"call", gx_call_named, METH_VARARGS, NULL};
    PyObject *args = py.PyTuple_New(3), *list = py.PyList_New(0), *call, *done = NULL;
    if (!args || !list) return false;
    PyObject *append = py.PyObject_GetAttrString(list, "append");
    for (size_t i = 0; append && i < sizeof names / sizeof *names; i++) {
        gx_value has;
        gx_sym name = gx_sym_c(b->rt, names[i]);
        if (!name) return false;
        bool is = gx_is_instance(v) && gx_special_find(b->rt, v, names[i]).tag != GX_UNDEF;
        bool asks = i < 2 || (v.tag == GX_ARRAY && strncmp(names[i], "__array", 7) != 0);
        if (strcmp(names[i], "__instancecheck__") == 0) is = v.tag == GX_TYPE;
        else if (!is && !gx_is_instance(v) && asks &&
                 gx_try_attr(b->rt, v, name, &has) == GX_TRY_YES) {
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
    return !b->host || v.tag != GX_ARRAY || array_class(b, cls);
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

PyObject *gx_wrap_class(gx_bridge *b, gx_borrowed v) {
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
