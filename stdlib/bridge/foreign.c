/* What types, classes, special methods and NumPy's functions of gx ask an object of Python's. */
#include "runtime/object/exception.h"
#include "stdlib/bridge/bridge_int.h"

/* --- attributes --- */

static void each_attr(gx_rt *rt, gx_borrowed v, void (*fn)(const char *name, void *ctx),
                      void *ctx) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    PyObject *names = py.PyObject_Dir(gx_proxy_py(v));
    Py_ssize_t n = names ? py.PyList_Size(names) : 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        const char *text = py.PyUnicode_AsUTF8AndSize(py.PyList_GetItem(names, i), NULL);
        if (text) fn(text, ctx);
        else py.PyErr_Clear();
    }
    if (names) py.Py_DecRef(names);
    else py.PyErr_Clear();
    gx_py_leave(b, state);
}

/* Python's words for a missing attribute. Always false. */
static bool no_attr(gx_rt *rt, gx_borrowed v, gx_sym name) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    PyObject *n = gx_name_to_python(b, name), *x = n ? py.PyObject_GetAttr(gx_proxy_py(v), n) : n;
    if (x) py.Py_DecRef(x);
    else if (n) gx_python_raised(b);
    gx_py_leave(b, state);
    return gx_failed(&rt->error)
               ? false
               : gx_fail(rt, GX_AttributeError, "attr.unknown",
                         "the object of Python's has no attribute '%s'", gx_sym_text(rt, name));
}

/* --- what other rooms ask (gx_foreign) -------------------------------------------------------- */

static bool is_a(gx_rt *rt, gx_borrowed v, gx_borrowed cls, bool subclass, bool *out) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    PyObject *c = gx_to_python(b, cls), *o = c ? gx_to_python(b, v) : NULL;
    int is = !o         ? -1
             : subclass ? py.PyObject_IsSubclass(o, c)
                        : py.PyObject_IsInstance(o, c);
    bool ok = is >= 0 || (o && gx_python_raised(b));
    *out = is > 0;
    if (c) py.Py_DecRef(c);
    if (o) py.Py_DecRef(o);
    gx_py_leave(b, state);
    return ok;
}

static gx_try special(gx_rt *rt, gx_borrowed v, const char *name, int argc,
                      const gx_borrowed *argv, gx_value *out) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    bool has = gx_has_special(gx_proxy_py(v), name);
    gx_py_leave(b, state);
    gx_sym sym = has ? gx_sym_c(rt, name) : 0;
    gx_value fn;
    if (!has) return GX_TRY_NO;
    if (!sym || !gx_get_attr(rt, v, sym, &fn)) return GX_TRY_ERROR;
    bool ok = gx_call_value(rt, fn, argc, argv, 0, NULL, out);
    gx_drop(fn);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

static gx_try elements(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    gx_try r = gx_elements_from_python(b, gx_proxy_py(v), out);
    gx_py_leave(b, state);
    return r;
}

/* Python's numpy calls what the object's class has for it. */
static gx_try numpy(gx_rt *rt, gx_borrowed v, gx_borrowed fn, int argc, const gx_borrowed *argv,
                    int kwc, const gx_sym *kw, gx_value *out) {
    gx_bridge *b = rt->bridge;
    gx_value own;
    PyGILState_STATE state = gx_py_enter(b);
    PyObject *o = gx_proxy_py(v), *f = NULL;
    if (gx_has_special(o, "__array_ufunc__") || gx_has_special(o, "__array_function__"))
        f = gx_to_python(b, fn);
    if (f && gx_wrapped(b, f)) { /* numpy has no such function */
        py.Py_DecRef(f);
        f = NULL;
    }
    bool ok = f && gx_proxy_take(b, f, &own);
    gx_py_leave(b, state);
    if (!f) return gx_failed(&rt->error) ? GX_TRY_ERROR : GX_TRY_NO;
    ok = ok && gx_call_value(rt, own, argc, argv, kwc, kw, out);
    gx_drop(own);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

static bool type_of(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    PyObject *t = (PyObject *)(void *)gx_py_type(gx_proxy_py(v));
    bool ok = gx_from_python(b, gx_py_keep(t), out);
    gx_py_leave(b, state);
    return ok;
}

static bool same(gx_borrowed a, gx_borrowed b) {
    return gx_proxy_py(a) == gx_proxy_py(b);
}

static bool callable(gx_borrowed v) {
    PyGILState_STATE state = py.PyGILState_Ensure();
    bool is = py.PyCallable_Check(gx_proxy_py(v)) != 0;
    py.PyGILState_Release(state);
    return is;
}

static bool super_of(gx_rt *rt, gx_borrowed cls, gx_borrowed self, gx_value *out) {
    gx_bridge *b = rt->bridge;
    gx_value fn, args[2] = {cls, self};
    PyGILState_STATE state = gx_py_enter(b);
    PyObject *o = py.PyDict_GetItemString(py.PyEval_GetBuiltins(), "super");
    bool ok = o ? gx_proxy_take(b, gx_py_keep(o), &fn) : gx_python_raised(b);
    gx_py_leave(b, state);
    if (!ok) return false;
    ok = gx_call_value(rt, fn, 2, args, 0, NULL, out);
    gx_drop(fn);
    return ok;
}

static bool help(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    PyObject *args = py.PyTuple_New(1), *text = NULL;
    if (args && py.PyTuple_SetItem(args, 0, gx_py_keep(gx_proxy_py(v))) == 0)
        text = py.PyObject_CallObject(gx_py_helper("describe"), args);
    Py_ssize_t n;
    const char *said = text ? py.PyUnicode_AsUTF8AndSize(text, &n) : NULL;
    bool ok = said ? gx_buf_add(out, said, (size_t)n) : gx_python_raised(b);
    if (args) py.Py_DecRef(args);
    if (text) py.Py_DecRef(text);
    gx_py_leave(b, state);
    return ok;
}

const gx_foreign gx_python_foreign = {.is_a = is_a,
                                   .special = special,
                                   .elements = elements,
                                   .numpy = numpy,
                                   .type_of = type_of,
                                   .same = same,
                                   .callable = callable,
                                   .each_attr = each_attr,
                                   .super = super_of,
                                   .help = help,
                                   .no_attr = no_attr};
