/* Values that cross. By value, both ways: None, bool, int of any size, float, complex, str, bytes,
   tuple, frozenset, slice, range, Ellipsis, builtin types, exceptions, NumPy's scalars, dtypes. To
   Python also list, dict, set; from Python these where nobody there holds them any more, so that
   nobody can tell the copy from the original: a fresh result. One that Python keeps comes as a
   proxy, whose changes both sides see. */
#include <string.h>

#include "runtime/array/dtype.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/number/number.h"
#include "runtime/object/operators.h"
#include "runtime/object/text/str.h"
#include "stdlib/bridge/bridge_int.h"

/* --- kinds of Python's types ------------------------------------------------------------------ */

typedef enum kind { NEW, PROXY, WRAP, ARRAY, SCALAR, DTYPE, EXCEPTION, CLASS } kind;

/* What has been found out about a type that is none of the builtin ones. Of the process, under
   Python's lock; the types are held. */
enum { KNOWN = 1024 };
static struct known {
    PyTypeObject *type;
    kind kind;
    gx_dtype dtype; /* SCALAR */
} known[KNOWN];

static bool is_sub(PyTypeObject *t, PyObject *module, const char *name) {
    PyObject *base = py.PyObject_GetAttrString(module, name);
    if (!base) {
        py.PyErr_Clear();
        return false;
    }
    bool is = py.PyType_IsSubtype(t, (PyTypeObject *)(void *)base);
    py.Py_DecRef(base);
    return is;
}

/* The dtype of an object that has one, a scalar of NumPy's. */
static gx_dtype dtype_of(PyObject *o) {
    gx_dtype d = GX_NO_DTYPE;
    PyObject *own = py.PyObject_GetAttrString(o, "dtype");
    PyObject *str = own ? py.PyObject_GetAttrString(own, "str") : NULL;
    const char *text = str ? py.PyUnicode_AsUTF8AndSize(str, NULL) : NULL;
    if (text) d = gx_dtype_of_text(text);
    if (str) py.Py_DecRef(str);
    if (own) py.Py_DecRef(own);
    py.PyErr_Clear();
    return d;
}

static kind find_out(PyObject *o, PyTypeObject *t, gx_dtype *d) {
    *d = GX_NO_DTYPE;
    if (py.PyType_IsSubtype(t, (PyTypeObject *)(void *)*py.PyExc_BaseException)) return EXCEPTION;
    if (py.PyType_IsSubtype(t, py.PyType_Type)) return CLASS;
    PyObject *base = gx_py_helper("Wrap");
    if (base && py.PyType_IsSubtype(t, (PyTypeObject *)(void *)base)) return WRAP;
    PyObject *numpy = gx_py_numpy(false);
    if (!numpy) return PROXY;
    PyObject *array = py.PyObject_GetAttrString(numpy, "ndarray");
    if (!array) py.PyErr_Clear();
    else py.Py_DecRef(array);
    if ((PyTypeObject *)(void *)array == t) return ARRAY;
    if (is_sub(t, numpy, "dtype")) return DTYPE;
    if (!is_sub(t, numpy, "generic")) return PROXY;
    *d = dtype_of(o);
    return *d == GX_NO_DTYPE ? PROXY : SCALAR;
}

static kind kind_of(PyObject *o, PyTypeObject *t, gx_dtype *d) {
    size_t at = ((uintptr_t)t >> 4) * 0x9E3779B97F4A7C15u >> 54;
    for (int tries = 0; tries < 8; tries++, at = (at + 1) % KNOWN) {
        struct known *k = &known[at];
        if (k->type == t) {
            *d = k->dtype;
            return k->kind;
        }
        if (k->type) continue;
        kind is = find_out(o, t, d);
        *k = (struct known){(PyTypeObject *)(void *)gx_py_keep((PyObject *)(void *)t), is, *d};
        return is;
    }
    return find_out(o, t, d);
}

/* The dtype of a class of NumPy's scalars. */
static gx_dtype dtype_of_class(PyObject *o) {
    PyObject *numpy = gx_py_numpy(false), *args, *text = NULL;
    gx_dtype d = GX_NO_DTYPE;
    if (!numpy || !is_sub((PyTypeObject *)(void *)o, numpy, "generic")) return GX_NO_DTYPE;
    args = py.PyTuple_New(1);
    if (args && py.PyTuple_SetItem(args, 0, gx_py_keep(o)) == 0)
        text = py.PyObject_CallObject(gx_py_helper("dtype_text"), args);
    const char *s = text ? py.PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    if (s) d = gx_dtype_of_text(s);
    if (args) py.Py_DecRef(args);
    if (text) py.Py_DecRef(text);
    py.PyErr_Clear();
    return d;
}

static bool class_from_python(gx_bridge *b, PyObject *o, gx_value *out) {
    const gx_type *builtin = gx_type_from_python(o);
    if (builtin) {
        *out = gx_type_value(builtin);
        py.Py_DecRef(o);
        return true;
    }
    if (py.PyType_IsSubtype((PyTypeObject *)(void *)o,
                            (PyTypeObject *)(void *)*py.PyExc_BaseException)) {
        bool ok = gx_error_class_from_python(b, o, out);
        py.Py_DecRef(o);
        return ok;
    }
    gx_dtype d = dtype_of_class(o);
    if (d == GX_NO_DTYPE) return gx_proxy_take(b, o, out);
    *out = gx_type_value(gx_scalar_type(d));
    py.Py_DecRef(o);
    return true;
}

/* --- from Python ------------------------------------------------------------------------------ */

static bool int_from_python(gx_bridge *b, PyObject *o, gx_value *out) {
    int overflow;
    long long n = py.PyLong_AsLongLongAndOverflow(o, &overflow);
    if (!overflow) {
        *out = gx_int(n);
        return true;
    }
    PyObject *digits = py.PyNumber_ToBase(o, 16); /* "-0x…" */
    Py_ssize_t length;
    const char *text = digits ? py.PyUnicode_AsUTF8AndSize(digits, &length) : NULL;
    bool ok, negative = text && *text == '-';
    gx_value v;
    if (!text) {
        ok = gx_python_raised(b);
    } else {
        int skip = negative ? 3 : 2;
        ok = gx_int_parse(b->rt, text + skip, (size_t)(length - skip), 16, &v);
        if (ok && negative) {
            ok = gx_unary(b->rt, GX_NEG, v, out);
            gx_drop(v);
        } else if (ok) {
            *out = v;
        }
    }
    if (digits) py.Py_DecRef(digits);
    return ok;
}

static bool take(gx_bridge *b, PyObject *o, bool sole, gx_value *out);

/* An item that its container holds. */
static bool item(gx_bridge *b, PyObject *o, bool sole, gx_value *out) {
    sole = sole && gx_py_refs(o) == 1;
    return take(b, gx_py_keep(o), sole, out);
}

static bool tuple_from_python(gx_bridge *b, PyObject *o, bool sole, gx_value *out) {
    enum { NEAR = 16 };
    gx_value near[NEAR], *items = near;
    Py_ssize_t n = py.PyTuple_Size(o), i = 0;
    if (n > NEAR && !(items = gx_alloc(b->rt, (size_t)n * sizeof *items))) return false;
    while (i < n && item(b, py.PyTuple_GetItem(o, i), sole, &items[i])) i++;
    bool ok = i == n;
    if (ok) ok = gx_tuple_take(b->rt, n, items, out);
    else
        while (i) gx_drop(items[--i]);
    if (items != near) gx_free(b->rt, items);
    return ok;
}

bool gx_list_from_python(gx_bridge *b, PyObject *o, gx_value *out) {
    gx_value list, v;
    Py_ssize_t n = py.PyList_Size(o);
    if (!gx_list_new(b->rt, 0, NULL, &list)) return false;
    bool ok = gx_list_reserve(b->rt, gx_as_list(list), n);
    for (Py_ssize_t i = 0; ok && i < n; i++)
        ok = item(b, py.PyList_GetItem(o, i), true, &v) && gx_list_push_take(b->rt, list, v);
    if (ok) *out = list;
    else gx_drop(list);
    return ok;
}

bool gx_dict_from_python(gx_bridge *b, PyObject *o, gx_value *out) {
    gx_value dict, k, v;
    PyObject *key, *value;
    Py_ssize_t at = 0;
    if (!gx_dict_new(b->rt, &dict)) return false;
    bool ok = true;
    while (ok && py.PyDict_Next(o, &at, &key, &value)) {
        ok = item(b, key, false, &k);
        if (!ok) break;
        ok = item(b, value, true, &v);
        if (ok) {
            ok = gx_dict_set(b->rt, dict, k, v);
            gx_drop(v);
        }
        gx_drop(k);
    }
    if (ok) *out = dict;
    else gx_drop(dict);
    return ok;
}

bool gx_set_from_python(gx_bridge *b, PyObject *o, bool frozen, gx_value *out) {
    gx_value set, v;
    PyObject *iterator = py.PyObject_GetIter(o), *next;
    if (!iterator) return gx_python_raised(b);
    bool ok = gx_set_new(b->rt, frozen, &set);
    if (!ok) {
        py.Py_DecRef(iterator);
        return false;
    }
    while (ok && (next = py.PyIter_Next(iterator))) {
        ok = take(b, next, false, &v) && gx_set_add(b->rt, set, v);
        if (ok) gx_drop(v);
    }
    py.Py_DecRef(iterator);
    if (ok) *out = set;
    else gx_drop(set);
    return ok;
}

static bool part_from_python(gx_bridge *b, PyObject *o, const char *name, gx_value *out) {
    PyObject *part = py.PyObject_GetAttrString(o, name);
    return part ? gx_from_python(b, part, out) : gx_python_raised(b);
}

/* slice(start, stop, step) and range(start, stop, step). */
static bool three_from_python(gx_bridge *b, PyObject *o, bool range, gx_value *out) {
    gx_value p[3] = {gx_undef(), gx_undef(), gx_undef()};
    bool ok = part_from_python(b, o, "start", &p[0]) && part_from_python(b, o, "stop", &p[1]) &&
              part_from_python(b, o, "step", &p[2]);
    if (ok && range) {
        ok = p[0].tag == GX_INT && p[1].tag == GX_INT && p[2].tag == GX_INT
                 ? gx_range_new(b->rt, p[0].i, p[1].i, p[2].i, out)
                 : gx_proxy_take(b, gx_py_keep(o), out);
    } else if (ok) {
        ok = gx_slice_new(b->rt, p[0], p[1], p[2], out);
    }
    for (int i = 0; i < 3; i++) gx_drop(p[i]);
    return ok;
}

static bool scalar_from_python(gx_bridge *b, PyObject *o, gx_dtype d, gx_value *out) {
    Py_buffer view;
    gx_scalar s;
    if (py.PyObject_GetBuffer(o, &view, PyBUF_FORMAT) != 0) return gx_python_raised(b);
    memset(&s, 0, sizeof s);
    memcpy(&s, view.buf, (size_t)gx_dtype_size(d));
    py.PyBuffer_Release(&view);
    return gx_scalar_new(b->rt, d, &s, out);
}

static bool dtype_from_python(gx_bridge *b, PyObject *o, gx_value *out) {
    PyObject *str = py.PyObject_GetAttrString(o, "str");
    const char *text = str ? py.PyUnicode_AsUTF8AndSize(str, NULL) : NULL;
    gx_dtype d = text ? gx_dtype_of_text(text) : GX_NO_DTYPE;
    if (str) py.Py_DecRef(str);
    py.PyErr_Clear();
    if (d == GX_NO_DTYPE) return gx_proxy_take(b, gx_py_keep(o), out);
    *out = gx_dtype_value(d);
    return true;
}

/* The gx value that Python has had wrapped, or a proxy of another context's. */
static bool unwrap(gx_bridge *b, PyObject *o, gx_value *out) {
    const gx_value *v = gx_wrapped(b, o);
    if (!v) {
        gx_try memory = gx_array_from_buffer(b, o, out); /* of another context's array */
        return memory == GX_TRY_NO ? gx_proxy_take(b, gx_py_keep(o), out) : memory == GX_TRY_YES;
    }
    *out = gx_keep(*v);
    return true;
}

/* The others, by their kind; o is kept. */
static bool other(gx_bridge *b, PyObject *o, PyTypeObject *t, gx_value *out) {
    gx_dtype d;
    switch (kind_of(o, t, &d)) {
    case WRAP: return unwrap(b, o, out);
    case ARRAY: {
        gx_try is = gx_array_from_python(b, o, out);
        if (is != GX_TRY_NO) return is == GX_TRY_YES;
        break;
    }
    case SCALAR: return scalar_from_python(b, o, d, out);
    case DTYPE: return dtype_from_python(b, o, out);
    case EXCEPTION: return gx_exception_from_python(b, o, out);
    case CLASS: return class_from_python(b, gx_py_keep(o), out);
    case NEW:
    case PROXY: break;
    }
    return gx_proxy_take(b, gx_py_keep(o), out);
}

static bool text_from_python(gx_bridge *b, PyObject *o, gx_value *out) {
    Py_ssize_t length;
    const char *text = py.PyUnicode_AsUTF8AndSize(o, &length);
    if (text) return gx_str_new(b->rt, text, (size_t)length, out);
    py.PyErr_Clear(); /* halves of characters, which gx's texts cannot hold */
    return gx_proxy_take(b, gx_py_keep(o), out);
}

static bool bytes_from_python(gx_bridge *b, PyObject *o, gx_value *out) {
    char *data;
    Py_ssize_t length;
    if (py.PyBytes_AsStringAndSize(o, &data, &length) != 0) return gx_python_raised(b);
    return gx_bytes_new(b->rt, data, (size_t)length, out);
}

/* o is not consumed. sole: nobody but who converts can reach it. */
static bool convert(gx_bridge *b, PyObject *o, bool sole, gx_value *out) {
    PyTypeObject *t = gx_py_type(o);
    if (t == py.PyFloat_Type) {
        *out = gx_float(py.PyFloat_AsDouble(o));
        return true;
    }
    if (t == py.PyLong_Type) return int_from_python(b, o, out);
    if (o == py._Py_NoneStruct) {
        *out = gx_none();
        return true;
    }
    if (t == py.PyBool_Type) {
        *out = gx_bool(o == py._Py_TrueStruct);
        return true;
    }
    if (t == py.PyUnicode_Type) return text_from_python(b, o, out);
    if (t == py.PyTuple_Type) return tuple_from_python(b, o, sole, out);
    if (t == py.PyBytes_Type) return bytes_from_python(b, o, out);
    if (t == py.PyComplex_Type)
        return gx_complex_new(b->rt, py.PyComplex_RealAsDouble(o), py.PyComplex_ImagAsDouble(o),
                              out);
    if (t == py.PyFrozenSet_Type) return gx_set_from_python(b, o, true, out);
    if (sole && t == py.PyList_Type) return gx_list_from_python(b, o, out);
    if (sole && t == py.PyDict_Type) return gx_dict_from_python(b, o, out);
    if (sole && t == py.PySet_Type) return gx_set_from_python(b, o, false, out);
    if (t == py.PyList_Type || t == py.PyDict_Type || t == py.PySet_Type)
        return gx_proxy_take(b, gx_py_keep(o), out);
    if (t == py.PySlice_Type) return three_from_python(b, o, false, out);
    if (t == py.PyRange_Type) return three_from_python(b, o, true, out);
    if (o == py._Py_EllipsisObject) {
        *out = (gx_value){.tag = GX_ELLIPSIS};
        return true;
    }
    if (o == py._Py_NotImplementedStruct) return gx_not_implemented(b->rt, out);
    return other(b, o, t, out);
}

/* Takes a reference. */
static bool take(gx_bridge *b, PyObject *o, bool sole, gx_value *out) {
    bool ok = gx_stack_check(b->rt) && convert(b, o, sole, out);
    py.Py_DecRef(o);
    return ok;
}

bool gx_copy_from_python(gx_bridge *b, PyObject *o, gx_value *out) {
    return take(b, gx_py_keep(o), true, out);
}

bool gx_from_python(gx_bridge *b, PyObject *o, gx_value *out) {
    return take(b, o, gx_py_refs(o) == 1, out);
}

