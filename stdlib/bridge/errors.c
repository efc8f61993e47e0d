/* Exceptions that cross. A class that both sides have is itself; another one gets a class of its
   name on the other side, below those that stand for its bases, made once. What crossed is the same
   when it comes back: gx's exception names Python's (__python__), and Python's gx's (__gx__). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/text/str.h"
#include "stdlib/bridge/bridge_int.h"

/* What classes made for Python's have of their own. */
static const char raised_text[] =
    "class Raised:\n"
    "    def __new__(cls, *args, **keywords):\n"
    "        make = cls.__dict__.get('__python_class__')\n"
    "        return make(*args, **keywords) if make else super().__new__(cls, *args)\n"
    "    def __init__(self, *args, **keywords):\n"
    "        if '__python_class__' not in type(self).__dict__:\n"
    "            super().__init__(*args)\n"
    "    def __str__(self):\n"
    "        return str(self.__python__)\n"
    "    def __getattr__(self, name):\n"
    "        if name == '__python__':\n"
    "            raise AttributeError(name)\n"
    "        return getattr(self.__python__, name)\n";

/* --- classes ---------------------------------------------------------------------------------- */

static bool add_pair(gx_bridge *b, gx_borrowed cls, const gx_type *t, PyObject *o) {
    gx_pairs *p = &b->errors;
    if (p->count == p->room) {
        size_t room = p->room ? p->room * 2 : 16;
        gx_class_pair *list = gx_realloc(b->rt, p->items, room * sizeof *list);
        if (!list) return false;
        p->items = list;
        p->room = room;
    }
    p->items[p->count++] = (gx_class_pair){gx_keep(cls), t, gx_py_keep(o)};
    return true;
}

void gx_errors_end(gx_bridge *b) {
    for (size_t i = 0; i < b->errors.count; i++) {
        gx_drop(b->errors.items[i].held);
        py.Py_DecRef(b->errors.items[i].py);
    }
    gx_free(b->rt, b->errors.items);
    b->errors = (gx_pairs){.items = NULL};
}

/* A text attribute; "" where there is none. */
static void attr_text(PyObject *o, const char *name, char *out, size_t room) {
    PyObject *v = py.PyObject_GetAttrString(o, name);
    const char *text = v ? py.PyUnicode_AsUTF8AndSize(v, NULL) : NULL;
    snprintf(out, room, "%s", text ? text : "");
    if (v) py.Py_DecRef(v);
    py.PyErr_Clear();
}

/* The builtin class, or numpy's, of that name. */
static gx_error_kind builtin_kind(PyObject *cls) {
    char module[64], name[64];
    attr_text(cls, "__module__", module, sizeof module);
    attr_text(cls, "__name__", name, sizeof name);
    if (strcmp(module, "builtins") != 0 && strncmp(module, "numpy", 5) != 0) return GX_NO_ERROR;
    for (int k = GX_NO_ERROR + 1; k < GX_ERROR_COUNT; k++)
        if (strcmp(gx_error_name((gx_error_kind)k), name) == 0) return (gx_error_kind)k;
    return GX_NO_ERROR;
}

static bool raised_class(gx_rt *rt, gx_value *out) {
    const size_t length = sizeof raised_text - 1;
    const gx_compressed text = {(const unsigned char *)raised_text, length, length};
    gx_value module;
    gx_sym name = gx_sym_c(rt, "Raised");
    if (!name || !gx_library_module(rt, "<python>", &text, GX_NS_NUMPY, &module))
        return false;
    bool ok = gx_get_attr(rt, module, name, out);
    gx_drop(module);
    return ok;
}

/* The classes of a class's bases that are exceptions; Raised comes first where all are builtin. */
static bool bases_of(gx_bridge *b, PyObject *cls, gx_value *out) {
    gx_value list, v;
    PyObject *bases = py.PyObject_GetAttrString(cls, "__bases__");
    if (!bases) return gx_python_raised(b);
    bool ok = gx_list_new(b->rt, 0, NULL, &list), heap = false;
    Py_ssize_t n = py.PyTuple_Size(bases);
    if (!ok) {
        py.Py_DecRef(bases);
        return false;
    }
    for (int pass = 0; ok && pass < 2; pass++) {
        if (pass && !heap && !gx_as_list(list)->count) break;
        for (Py_ssize_t i = 0; ok && i < n; i++) {
            PyObject *base = py.PyTuple_GetItem(bases, i);
            if (!py.PyType_IsSubtype((PyTypeObject *)(void *)base,
                                     (PyTypeObject *)(void *)*py.PyExc_BaseException))
                continue;
            ok = gx_error_class_from_python(b, base, &v);
            if (!ok) break;
            if (pass) {
                ok = gx_list_push_take(b->rt, list, v);
                continue;
            }
            heap = heap || gx_as_type(v)->heap;
            gx_drop(v);
        }
        if (ok && !pass && !heap)
            ok = raised_class(b->rt, &v) && gx_list_push_take(b->rt, list, v);
    }
    py.Py_DecRef(bases);
    if (ok) ok = gx_tuple_of(b->rt, list, out);
    gx_drop(list);
    return ok;
}

static bool make_class(gx_bridge *b, PyObject *cls, gx_value *out) {
    gx_rt *rt = b->rt;
    char name[128], module[128];
    gx_value bases;
    if (!bases_of(b, cls, &bases)) return false;
    attr_text(cls, "__name__", name, sizeof name);
    attr_text(cls, "__module__", module, sizeof module);
    gx_sym n = gx_sym_c(rt, name), m = gx_sym_c(rt, module);
    bool ok = n && m && gx_class_new(rt, n, m, NULL, bases, out);
    gx_value proxy;
    gx_sym own = gx_sym_c(rt, "__python_class__");
    gx_drop(bases);
    if (!ok) return false;
    if (own && gx_proxy_take(b, gx_py_keep(cls), &proxy)) {
        ok = gx_class_set(rt, *out, own, proxy) && gx_class_finish(rt, *out, 0, NULL, NULL);
        gx_drop(proxy);
        if (ok) return true;
    }
    gx_drop(*out);
    return false;
}

bool gx_error_class_from_python(gx_bridge *b, PyObject *cls, gx_value *out) {
    for (size_t i = 0; i < b->errors.count; i++)
        if (b->errors.items[i].py == cls) {
            *out = gx_type_value(b->errors.items[i].type);
            return true;
        }
    gx_error_kind kind = builtin_kind(cls);
    if (kind != GX_NO_ERROR) {
        *out = gx_type_value(&gx_exception_types[kind]);
        return add_pair(b, gx_none(), &gx_exception_types[kind], cls);
    }
    if (!make_class(b, cls, out)) return false;
    if (add_pair(b, *out, gx_as_type(*out), cls)) return true;
    gx_drop(*out);
    return false;
}

/* Python's class of a builtin one: of builtins, or of numpy where that is loaded. */
static PyObject *find_builtin(gx_error_kind kind) {
    static const char *const homes[] = {"exceptions", "linalg", "_core._exceptions"};
    const char *name = gx_error_name(kind);
    PyObject *o = py.PyDict_GetItemString(py.PyEval_GetBuiltins(), name);
    if (o) return gx_py_keep(o);
    PyObject *numpy = gx_py_numpy(false);
    for (size_t i = 0; numpy && !o && i < sizeof homes / sizeof *homes; i++) {
        PyObject *home = py.PyObject_GetAttrString(numpy, homes[i]);
        o = home ? py.PyObject_GetAttrString(home, name) : NULL;
        if (home) py.Py_DecRef(home);
        if (!o) py.PyErr_Clear();
    }
    return o;
}

/* The class above that is an exception. */
static const gx_type *above(const gx_type *t) {
    if (!t->heap) return &gx_exception_types[gx_error_parent((gx_error_kind)t->error)];
    const gx_class *cls = (const gx_class *)(const void *)((const char *)t -
                                                           offsetof(gx_class, type));
    for (int32_t i = 1; i < cls->order_count; i++)
        if (cls->order[i]->tag == GX_EXCEPTION) return cls->order[i];
    return &gx_exception_types[GX_Exception];
}

PyObject *gx_error_class_to_python(gx_bridge *b, const gx_type *t) {
    for (size_t i = 0; i < b->errors.count; i++)
        if (b->errors.items[i].type == t) return b->errors.items[i].py;
    PyObject *o = t->heap ? NULL : find_builtin((gx_error_kind)t->error), *base, *args, *make;
    if (!o && !(base = gx_error_class_to_python(b, above(t)))) return NULL;
    if (!o && !t->heap) return base; /* numpy's, and that is not loaded */
    if (!o) {
        args = py.PyTuple_New(3);
        make = gx_py_helper("new_error");
        if (args) {
            (void)py.PyTuple_SetItem(args, 0, py.PyUnicode_FromString(t->name));
            (void)py.PyTuple_SetItem(args, 1, gx_py_keep(base));
            (void)py.PyTuple_SetItem(args, 2, py.PyUnicode_FromString("__main__"));
            o = py.PyObject_CallObject(make, args);
            py.Py_DecRef(args);
        }
    }
    if (!o) {
        gx_python_raised(b);
        return NULL;
    }
    bool ok = add_pair(b, t->heap ? gx_type_value(t) : gx_none(), t, o);
    if (ok && t->heap) gx_drop(b->errors.items[b->errors.count - 1].held); /* kept twice */
    py.Py_DecRef(o); /* the pair holds it */
    return ok ? o : NULL;
}

/* --- instances -------------------------------------------------------------------------------- */

/* Attributes of Python's builtin classes that args do not tell. */
static bool take_fields(gx_bridge *b, PyObject *o, gx_borrowed exc) {
    static const char *const names[] = {"errno", "strerror", "filename", "filename2", "name",
                                        "path",  "msg",      "lineno",   "offset",    "text"};
    gx_error_kind kind = (gx_error_kind)exc.obj->type->error;
    if (!gx_error_is(kind, GX_OSError) && !gx_error_is(kind, GX_ImportError) &&
        !gx_error_is(kind, GX_SyntaxError) && !gx_error_is(kind, GX_NameError) &&
        !gx_error_is(kind, GX_AttributeError))
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        gx_value v, has;
        gx_sym name = gx_sym_c(b->rt, names[i]);
        if (!name) return false;
        gx_try own = gx_try_attr(b->rt, exc, name, &has);
        if (own == GX_TRY_ERROR) return false;
        if (own == GX_TRY_NO) continue;
        gx_drop(has);
        PyObject *x = py.PyObject_GetAttrString(o, names[i]);
        if (!x) {
            py.PyErr_Clear();
            continue;
        }
        if (!gx_from_python(b, x, &v)) return false;
        bool ok = v.tag == GX_NONE || gx_set_attr(b->rt, exc, name, v);
        gx_drop(v);
        if (!ok) return false;
    }
    return true;
}

static bool new_exception(gx_bridge *b, PyObject *o, gx_borrowed cls, gx_value *out) {
    gx_value args = gx_undef();
    PyObject *own = py.PyObject_GetAttrString(o, "args");
    if (!own) return gx_python_raised(b);
    if (!gx_from_python(b, own, &args)) return false;
    const gx_value *items;
    int64_t n = gx_sequence_items(args, &items);
    const gx_type *t = gx_as_type(cls);
    bool ok = t->heap ? gx_instance_new(b->rt, cls, 0, NULL, out)
                      : gx_exception_new(b->rt, t, 0, NULL, out);
    if (ok && n > 0 && !gx_exception_new_args(b->rt, *out, (int)n, items)) {
        gx_drop(*out);
        ok = false;
    }
    gx_drop(args);
    return ok;
}

bool gx_exception_from_python(gx_bridge *b, PyObject *o, gx_value *out) {
    gx_value cls, proxy;
    gx_sym name = gx_sym_c(b->rt, "__python__");
    PyObject *own = py.PyObject_GetAttrString(o, "__gx__");
    if (!own) py.PyErr_Clear();
    const gx_value *v = own ? gx_wrapped(b, own) : NULL;
    if (v) *out = gx_keep(*v);
    if (own) py.Py_DecRef(own);
    if (v) return true;
    if (!name ||
        !gx_error_class_from_python(b, (PyObject *)(void *)gx_py_type(o), &cls))
        return false;
    bool ok = new_exception(b, o, cls, out);
    gx_drop(cls);
    if (!ok) return false;
    ok = take_fields(b, o, *out) && gx_proxy_take(b, gx_py_keep(o), &proxy);
    if (ok) {
        ok = gx_set_attr(b->rt, *out, name, proxy);
        gx_drop(proxy);
    }
    if (!ok) gx_drop(*out);
    return ok;
}

/* OSError's file, which its args do not have. */
static PyObject *arguments(gx_bridge *b, gx_borrowed v) {
    const gx_exception *e = gx_as_exception(v);
    gx_value file = gx_undef();
    gx_sym name = gx_sym_c(b->rt, "filename");
    if (!name) return NULL;
    if (gx_error_is((gx_error_kind)v.obj->type->error, GX_OSError) &&
        gx_as_tuple(e->args)->count == 2 && gx_try_attr(b->rt, v, name, &file) != GX_TRY_YES)
        gx_error_clear(b->rt);
    PyObject *args = NULL;
    if (file.tag == GX_STR) {
        gx_value items[3] = {gx_as_tuple(e->args)->items[0], gx_as_tuple(e->args)->items[1], file};
        gx_value all;
        if (gx_tuple_new(b->rt, 3, items, &all)) {
            args = gx_to_python(b, all);
            gx_drop(all);
        }
    } else {
        args = gx_to_python(b, e->args);
    }
    gx_drop(file);
    return args;
}

PyObject *gx_exception_to_python(gx_bridge *b, gx_borrowed v) {
    gx_value proxy;
    gx_sym name = gx_sym_c(b->rt, "__python__");
    if (!name) return NULL;
    gx_try has = gx_try_attr(b->rt, v, name, &proxy);
    if (has == GX_TRY_ERROR) gx_error_clear(b->rt);
    if (has == GX_TRY_YES && gx_is_proxy(proxy)) {
        PyObject *o = gx_py_keep(gx_proxy_py(proxy));
        gx_drop(proxy);
        return o;
    }
    if (has == GX_TRY_YES) gx_drop(proxy);
    PyObject *cls = gx_error_class_to_python(b, v.obj->type), *args = cls ? arguments(b, v) : NULL;
    if (!args) return NULL;
    PyObject *o = py.PyObject_CallObject(cls, args), *own;
    py.Py_DecRef(args);
    if (!o) { /* it takes other arguments */
        py.PyErr_Clear();
        o = py.PyObject_CallObject(*py.PyExc_RuntimeError, NULL);
    }
    if (o && (own = gx_wrap_new(b, v))) {
        if (py.PyObject_SetAttrString(o, "__gx__", own) != 0) py.PyErr_Clear();
        py.Py_DecRef(own);
    }
    if (!o) gx_python_raised(b);
    return o;
}

/* --- raising ---------------------------------------------------------------------------------- */

/* Python's traceback, as notes: the innermost places first. */
static void tell_trace(gx_bridge *b, PyObject *exception) {
    PyObject *fn = gx_py_helper("trace_lines"), *args = py.PyTuple_New(1), *lines = NULL;
    if (args && fn && py.PyTuple_SetItem(args, 0, gx_py_keep(exception)) == 0)
        lines = py.PyObject_CallObject(fn, args);
    if (args) py.Py_DecRef(args);
    Py_ssize_t n = lines ? py.PyList_Size(lines) : 0;
    enum { MOST = 4 };
    for (Py_ssize_t i = 0; i < n && i < MOST; i++) {
        const char *text = py.PyUnicode_AsUTF8AndSize(py.PyList_GetItem(lines, i), NULL);
        if (text && i == MOST - 1 && n > MOST)
            gx_note(b->rt, "Python: %s, called through %d more", text, (int)(n - MOST));
        else if (text)
            gx_note(b->rt, "Python: %s", text);
    }
    if (lines) py.Py_DecRef(lines);
    py.PyErr_Clear();
}

bool gx_python_raised(gx_bridge *b) {
    PyObject *type, *exception, *trace;
    gx_value v;
    if (gx_failed(&b->rt->error)) { /* it was gx's, and Python's code has not dealt with it */
        py.PyErr_Clear();
        return false;
    }
    py.PyErr_Fetch(&type, &exception, &trace);
    if (!type)
        return gx_fail(b->rt, GX_SystemError, "python.silent",
                       "Python reports an error without an exception");
    py.PyErr_NormalizeException(&type, &exception, &trace);
    if (trace && exception) (void)py.PyException_SetTraceback(exception, trace);
    if (b->rt->interrupted && type == py.PyDict_GetItemString(py.PyEval_GetBuiltins(),
                                                              "KeyboardInterrupt"))
        gx_stop(b->rt);
    else if (exception && gx_exception_from_python(b, exception, &v)) {
        gx_exception_raise(b->rt, v);
        bool own = gx_as_exception(v)->report != NULL;
        gx_drop(v);
        if (!own) tell_trace(b, exception);
    }
    py.Py_DecRef(type);
    if (exception) py.Py_DecRef(exception);
    if (trace) py.Py_DecRef(trace);
    return gx_failed(&b->rt->error)
               ? false
               : gx_fail(b->rt, GX_SystemError, "python.silent", "Python's exception is lost");
}

PyObject *gx_raise_in_python(gx_bridge *b) {
    gx_value v;
    /* Ctrl-C has stopped gx and is Python's to tell. */
    if (!py.PyErr_Occurred() && b->host && b->rt->error.kind == GX_KeyboardInterrupt)
        (void)py.PyErr_CheckSignals();
    if (py.PyErr_Occurred()) {
        gx_error_clear(b->rt);
        return NULL;
    }
    PyObject *o = NULL, *text = b->host ? gx_host_text(b) : NULL;
    if (gx_exception_from_error(b->rt, &v)) {
        o = gx_exception_to_python(b, v);
        gx_drop(v);
    }
    if (o && text) gx_host_tell(o, text);
    if (text) py.Py_DecRef(text);
    if (o) {
        py.PyErr_SetObject((PyObject *)(void *)gx_py_type(o), o);
        py.Py_DecRef(o);
    } else {
        py.PyErr_SetString(*py.PyExc_MemoryError, "");
    }
    gx_error_clear(b->rt);
    return NULL;
}
