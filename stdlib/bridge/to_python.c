/* Values of gx for Python. Which cross by value is said in from_python.c. Lists, dicts and sets are
   copied, as most of Python's libraries ask for just these; what a call changes in its copy comes
   back into the original. */
#include <string.h>

#include "runtime/array/dtype.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/number/number.h"
#include "runtime/object/still.h"
#include "runtime/object/text/bytearray.h"
#include "runtime/object/text/str.h"
#include "stdlib/bridge/bridge_int.h"

/* --- builtin types ---------------------------------------------------------------------------- */

static const struct {
    const gx_type *gx;
    size_t at; /* of the pointer in py */
} builtin_types[] = {
    {&gx_type_object, offsetof(gx_py_api, PyBaseObject_Type)},
    {&gx_type_type, offsetof(gx_py_api, PyType_Type)},
    {&gx_type_bool, offsetof(gx_py_api, PyBool_Type)},
    {&gx_type_int, offsetof(gx_py_api, PyLong_Type)},
    {&gx_type_float, offsetof(gx_py_api, PyFloat_Type)},
    {&gx_type_complex, offsetof(gx_py_api, PyComplex_Type)},
    {&gx_type_str, offsetof(gx_py_api, PyUnicode_Type)},
    {&gx_type_bytes, offsetof(gx_py_api, PyBytes_Type)},
    {&gx_type_bytearray, offsetof(gx_py_api, PyByteArray_Type)},
    {&gx_type_tuple, offsetof(gx_py_api, PyTuple_Type)},
    {&gx_type_list, offsetof(gx_py_api, PyList_Type)},
    {&gx_type_dict, offsetof(gx_py_api, PyDict_Type)},
    {&gx_type_set, offsetof(gx_py_api, PySet_Type)},
    {&gx_type_frozenset, offsetof(gx_py_api, PyFrozenSet_Type)},
    {&gx_type_range, offsetof(gx_py_api, PyRange_Type)},
    {&gx_type_slice, offsetof(gx_py_api, PySlice_Type)},
};
enum { BUILTIN_TYPES = sizeof builtin_types / sizeof *builtin_types };

static PyObject *builtin_type(int i) {
    PyObject *o;
    memcpy(&o, (char *)&py + builtin_types[i].at, sizeof o);
    return o;
}

const gx_type *gx_type_from_python(PyObject *o) {
    for (int i = 0; i < BUILTIN_TYPES; i++)
        if (builtin_type(i) == o) return builtin_types[i].gx;
    return NULL;
}

PyObject *gx_type_to_python(gx_bridge *b, const gx_type *t) {
    for (int i = 0; i < BUILTIN_TYPES; i++)
        if (builtin_types[i].gx == t) return builtin_type(i);
    return t->tag == GX_EXCEPTION ? gx_error_class_to_python(b, t) : NULL;
}

/* --- to Python -------------------------------------------------------------------------------- */

PyObject *gx_name_to_python(gx_bridge *b, gx_sym name) {
    if (name >= b->name_room) {
        size_t room = (size_t)name + 256;
        PyObject **list = gx_realloc(b->rt, b->names, room * sizeof *list);
        if (!list) return NULL;
        memset(list + b->name_room, 0, (room - b->name_room) * sizeof *list);
        b->names = list;
        b->name_room = room;
    }
    if (!b->names[name])
        b->names[name] = py.PyUnicode_InternFromString(gx_sym_text(b->rt, name));
    if (!b->names[name]) gx_python_raised(b);
    return b->names[name];
}

static PyObject *from_int(gx_bridge *b, gx_borrowed v) {
    gx_buf text = gx_buf_new(b->rt);
    PyObject *o = NULL;
    if (gx_int_text(b->rt, v, 16, &text)) {
        o = py.PyLong_FromString(gx_buf_text(&text), NULL, 16);
        if (!o) gx_python_raised(b);
    }
    gx_buf_free(&text);
    return o;
}

static PyObject *from_items(gx_bridge *b, gx_borrowed v) {
    const gx_value *items;
    int64_t n;
    bool tuple = v.tag == GX_TUPLE;
    GX_STILL(own);
    if (!gx_still_items(b->rt, v, &own, &items, &n)) return NULL;
    PyObject *o = tuple ? py.PyTuple_New(n) : py.PyList_New(n);
    if (!o) gx_python_raised(b);
    for (int64_t i = 0; o && i < n; i++) {
        PyObject *x = gx_to_python(b, items[i]);
        if (x && (tuple ? py.PyTuple_SetItem(o, i, x) : py.PyList_SetItem(o, i, x)) == 0) continue;
        if (x) gx_python_raised(b);
        py.Py_DecRef(o);
        return NULL;
    }
    return o;
}

static PyObject *from_dict(gx_bridge *b, gx_borrowed v) {
    PyObject *o = py.PyDict_New();
    gx_entry *e;
    if (!o) gx_python_raised(b);
    for (int64_t at = 0; o && (e = gx_dict_next(gx_as_dict(v), &at));) {
        gx_value key = gx_keep(e->key), value = gx_keep(e->value);
        PyObject *k = gx_to_python(b, key), *x = k ? gx_to_python(b, value) : NULL;
        bool ok = x && (py.PyDict_SetItem(o, k, x) == 0 || gx_python_raised(b));
        gx_drop(key);
        gx_drop(value);
        if (k) py.Py_DecRef(k);
        if (x) py.Py_DecRef(x);
        if (ok) continue;
        py.Py_DecRef(o);
        return NULL;
    }
    return o;
}

static PyObject *from_set(gx_bridge *b, gx_borrowed v) {
    bool frozen = v.obj->type == &gx_type_frozenset;
    PyObject *o = py.PySet_New(NULL);
    gx_entry *e;
    if (!o) gx_python_raised(b);
    for (int64_t at = 0; o && (e = gx_dict_next(gx_as_dict(v), &at));) {
        gx_value key = gx_keep(e->key);
        PyObject *k = gx_to_python(b, key);
        bool ok = k && (py.PySet_Add(o, k) == 0 || gx_python_raised(b));
        gx_drop(key);
        if (k) py.Py_DecRef(k);
        if (ok) continue;
        py.Py_DecRef(o);
        return NULL;
    }
    if (!o || !frozen) return o;
    PyObject *whole = py.PyFrozenSet_New(o);
    py.Py_DecRef(o);
    if (!whole) gx_python_raised(b);
    return whole;
}

static PyObject *from_three(gx_bridge *b, gx_borrowed start, gx_borrowed stop, gx_borrowed step,
                            bool range) {
    PyObject *p[3] = {gx_to_python(b, start), NULL, NULL}, *o = NULL, *args;
    if (p[0]) p[1] = gx_to_python(b, stop);
    if (p[1]) p[2] = gx_to_python(b, step);
    if (p[2] && !range) {
        o = py.PySlice_New(p[0], p[1], p[2]);
        if (!o) gx_python_raised(b);
    } else if (p[2]) {
        args = py.PyTuple_New(3);
        for (int i = 0; args && i < 3; i++) (void)py.PyTuple_SetItem(args, i, gx_py_keep(p[i]));
        o = args ? py.PyObject_CallObject((PyObject *)(void *)py.PyRange_Type, args) : NULL;
        if (args) py.Py_DecRef(args);
        if (!o) gx_python_raised(b);
    }
    for (int i = 0; i < 3; i++)
        if (p[i]) py.Py_DecRef(p[i]);
    return o;
}

static PyObject *from_scalar(gx_bridge *b, gx_borrowed v) {
    gx_dtype d = gx_scalar_dtype(v);
    gx_scalar s;
    gx_value plain;
    if (!gx_scalar_read(b->rt, v, &s) || !gx_scalar_item(b->rt, d, &s, &plain)) return NULL;
    PyObject *o = gx_to_python(b, plain), *cls = o ? gx_scalar_class(d) : NULL;
    gx_drop(plain);
    if (!cls) return o;
    PyObject *args = py.PyTuple_New(1);
    if (args && py.PyTuple_SetItem(args, 0, o) == 0) o = py.PyObject_CallObject(cls, args);
    else o = NULL;
    if (args) py.Py_DecRef(args);
    py.Py_DecRef(cls);
    if (!o) gx_python_raised(b);
    return o;
}

static PyObject *from_dtype(gx_bridge *b, gx_dtype d) {
    PyObject *cls = gx_scalar_class(d), *numpy = cls ? gx_py_numpy(false) : NULL, *o = NULL;
    PyObject *make = numpy ? py.PyObject_GetAttrString(numpy, "dtype") : NULL;
    PyObject *args = make ? py.PyTuple_New(1) : NULL;
    if (args && py.PyTuple_SetItem(args, 0, gx_py_keep(cls)) == 0)
        o = py.PyObject_CallObject(make, args);
    if (args) py.Py_DecRef(args);
    if (make) py.Py_DecRef(make);
    if (cls) py.Py_DecRef(cls);
    if (o) return o;
    py.PyErr_Clear();
    return gx_wrap_new(b, gx_dtype_value(d));
}

static PyObject *from_type(gx_bridge *b, gx_borrowed v) {
    const gx_type *t = gx_as_type(v);
    PyObject *o = gx_type_to_python(b, t);
    if (o) return gx_py_keep(o);
    if (gx_failed(&b->rt->error)) return NULL;
    if (!t->heap && t->dtype < GX_NO_DTYPE && (o = gx_scalar_class((gx_dtype)t->dtype))) return o;
    return gx_wrap_new(b, v);
}

/* A function of np that numpy has, too, is numpy's there. */
static PyObject *from_native(gx_bridge *b, gx_borrowed v) {
    const char *module = gx_stdlib_module_of(b->rt, v.native), *part;
    PyObject *o = module && strncmp(module, "numpy", 5) == 0 ? gx_py_numpy(true) : NULL;
    if (o && module[5] == '.') {
        part = module + 6;
        o = py.PyObject_GetAttrString(o, part);
    } else if (o) {
        gx_py_keep(o);
    }
    PyObject *fn = o ? py.PyObject_GetAttrString(o, v.native->name) : NULL;
    if (o) py.Py_DecRef(o);
    py.PyErr_Clear();
    return fn ? fn : gx_wrap_new(b, v);
}

static PyObject *checked(gx_bridge *b, PyObject *o) {
    if (!o) gx_python_raised(b);
    return o;
}

/* property, staticmethod and classmethod are Python's there, for classes below Python's; NULL where
   v is none of them, or an error is pending. */
static PyObject *from_descriptor(gx_bridge *b, gx_borrowed v) {
    static const char *const parts[] = {"fget", "fset", "fdel"};
    const gx_type *t = gx_type_of(v);
    const char *name = t == &gx_type_property       ? "property"
                       : t == &gx_type_staticmethod ? "staticmethod"
                       : t == &gx_type_classmethod  ? "classmethod"
                                                    : NULL;
    if (!name) return NULL;
    int n = t == &gx_type_property ? 3 : 1;
    PyObject *args = py.PyTuple_New(n), *o = NULL;
    bool ok = args != NULL;
    for (int i = 0; ok && i < n; i++) {
        gx_value part;
        gx_sym sym = gx_sym_c(b->rt, n == 3 ? parts[i] : "__func__");
        ok = sym && gx_get_attr(b->rt, v, sym, &part);
        if (!ok) break;
        PyObject *x = gx_to_python(b, part);
        gx_drop(part);
        ok = x && py.PyTuple_SetItem(args, i, x) == 0;
    }
    PyObject *cls = py.PyDict_GetItemString(py.PyEval_GetBuiltins(), name);
    if (ok && cls) o = py.PyObject_CallObject(cls, args);
    if (args) py.Py_DecRef(args);
    if (!o && !gx_failed(&b->rt->error)) gx_python_raised(b);
    return o;
}

/* Is the value for Python's code that uses gx, and not for a call of gx's? */
static bool gives(const gx_bridge *b) {
    return b->host && b->host->giving;
}

static PyObject *to_python(gx_bridge *b, gx_borrowed v) {
    const gx_str *s;
    if (gx_is_instance(v) && v.tag != GX_EXCEPTION) return gx_wrap_new(b, v);
    switch (v.tag) {
    case GX_NONE: return gx_py_keep(py._Py_NoneStruct);
    case GX_ELLIPSIS: return gx_py_keep(py._Py_EllipsisObject);
    case GX_BOOL: return py.PyBool_FromLong(v.b);
    case GX_INT: return checked(b, py.PyLong_FromLongLong(v.i));
    case GX_BIGINT: return from_int(b, v);
    case GX_FLOAT: return checked(b, py.PyFloat_FromDouble(v.f));
    case GX_COMPLEX: {
        const gx_complex *z = (const gx_complex *)v.obj;
        return checked(b, py.PyComplex_FromDoubles(z->re, z->im));
    }
    case GX_STR:
        s = gx_as_str(v);
        return checked(b, py.PyUnicode_FromStringAndSize(s->text, (Py_ssize_t)s->length));
    case GX_BYTES:
        if (v.obj->type != &gx_type_bytes) break;
        s = gx_as_str(v);
        return checked(b, py.PyBytes_FromStringAndSize(s->text, (Py_ssize_t)s->length));
    case GX_LIST:
    case GX_TUPLE: return from_items(b, v);
    case GX_DICT: return from_dict(b, v);
    case GX_SET: return from_set(b, v);
    case GX_SLICE: {
        const gx_slice *l = (const gx_slice *)v.obj;
        return from_three(b, l->start, l->stop, l->step, false);
    }
    case GX_RANGE: {
        const gx_range *r = (const gx_range *)v.obj;
        return from_three(b, gx_int(r->start), gx_int(r->stop), gx_int(r->step), true);
    }
    case GX_SCALAR:
    case GX_SCALAR_BOX: return from_scalar(b, v);
    case GX_DTYPE: return from_dtype(b, (gx_dtype)v.dtype);
    case GX_ARRAY: return gives(b) ? gx_wrap_new(b, v) : gx_array_to_python(b, v);
    case GX_NATIVE: return gives(b) ? gx_wrap_new(b, v) : from_native(b, v);
    case GX_TYPE: return from_type(b, v);
    case GX_EXCEPTION: return gx_exception_to_python(b, v);
    default: break;
    }
    if (gx_as_type(v)) return from_type(b, v);
    PyObject *o = from_descriptor(b, v);
    return o || gx_failed(&b->rt->error) ? o : gx_wrap_new(b, v);
}

PyObject *gx_to_python(gx_bridge *b, gx_borrowed v) {
    if (gx_is_proxy(v)) return gx_py_keep(gx_proxy_py(v));
    if (!gx_stack_check(b->rt)) return NULL;
    return to_python(b, v);
}

/* --- what a call has changed ------------------------------------------------------------------ */

PyObject *gx_snapshot(PyObject *o) {
    PyTypeObject *t = gx_py_type(o);
    PyObject *args = py.PyTuple_New(1), *copy = NULL;
    if (args && py.PyTuple_SetItem(args, 0, gx_py_keep(o)) == 0)
        copy = py.PyObject_CallObject((PyObject *)(void *)t, args);
    if (args) py.Py_DecRef(args);
    if (!copy) py.PyErr_Clear();
    return copy;
}

static bool same_lists(PyObject *a, PyObject *b) {
    Py_ssize_t n = py.PyList_Size(a);
    if (n != py.PyList_Size(b)) return false;
    for (Py_ssize_t i = 0; i < n; i++)
        if (py.PyList_GetItem(a, i) != py.PyList_GetItem(b, i)) return false;
    return true;
}

static bool same_dicts(PyObject *a, PyObject *b) {
    PyObject *ka, *kb, *va, *vb;
    Py_ssize_t at = 0, bt = 0;
    if (py.PyDict_Size(a) != py.PyDict_Size(b)) return false;
    while (py.PyDict_Next(a, &at, &ka, &va) && py.PyDict_Next(b, &bt, &kb, &vb))
        if (ka != kb || va != vb) return false;
    return true;
}

static bool same_sets(PyObject *a, PyObject *b) {
    PyObject *is = py.PyObject_RichCompare(a, b, GX_PY_EQ);
    bool same = is == py._Py_TrueStruct;
    if (is) py.Py_DecRef(is);
    else py.PyErr_Clear();
    return same;
}

/* The fresh copy's items take the place of the old ones. */
static bool renew(gx_rt *rt, gx_borrowed v, gx_borrowed fresh) {
    if (v.tag == GX_LIST) {
        gx_list *l = gx_as_list(v), *f = gx_as_list(fresh), kept = *l;
        l->items = f->items;
        l->count = f->count;
        l->room = f->room;
        f->items = kept.items;
        f->count = kept.count;
        f->room = kept.room;
        return true;
    }
    while (gx_as_dict(v)->count) {
        gx_value pair[2];
        gx_dict_pop_end(v, true, pair);
        gx_drop(pair[0]);
        gx_drop(pair[1]);
    }
    gx_entry *e;
    for (int64_t at = 0; (e = gx_dict_next(gx_as_dict(fresh), &at));)
        if (!(v.tag == GX_SET ? gx_set_add(rt, v, e->key) : gx_dict_set(rt, v, e->key, e->value)))
            return false;
    return true;
}

bool gx_write_back(gx_bridge *b, gx_borrowed v, PyObject *o, PyObject *before) {
    bool same = v.tag == GX_LIST ? same_lists(o, before)
                : v.tag == GX_DICT ? same_dicts(o, before) : same_sets(o, before);
    gx_value fresh;
    if (same) return true;
    bool ok = v.tag == GX_LIST   ? gx_list_from_python(b, o, &fresh)
              : v.tag == GX_DICT ? gx_dict_from_python(b, o, &fresh)
                                 : gx_set_from_python(b, o, false, &fresh);
    if (!ok) return false;
    ok = renew(b->rt, v, fresh);
    gx_drop(fresh);
    return ok;
}
