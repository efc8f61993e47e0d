/* The module python, and imports of Python's modules. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/exception.h"
#include "runtime/object/text/str.h"
#include "stdlib/bridge/bridge_int.h"

/* --- imports ---------------------------------------------------------------------------------- */

/* Is the pending exception of Python's that this module, or a package above it, is not there? */
static bool is_missing(const char *name) {
    PyObject *type, *e, *trace;
    if (!py.PyErr_ExceptionMatches(*py.PyExc_ModuleNotFoundError)) return false;
    py.PyErr_Fetch(&type, &e, &trace);
    py.PyErr_NormalizeException(&type, &e, &trace);
    PyObject *which = e ? py.PyObject_GetAttrString(e, "name") : NULL;
    const char *text = which ? py.PyUnicode_AsUTF8AndSize(which, NULL) : NULL;
    size_t n = text ? strlen(text) : 0;
    bool is = n && strncmp(text, name, n) == 0 && (name[n] == '.' || !name[n]);
    if (which) py.Py_DecRef(which);
    py.PyErr_Restore(type, e, trace);
    return is;
}

gx_try gx_python_import(gx_rt *rt, const char *name, gx_value *out) {
    const char *why;
    gx_bridge *b = gx_bridge_open(rt, &why);
    if (!b) return GX_TRY_NO;
    PyGILState_STATE state = gx_py_enter(b);
    PyObject *m = py.PyImport_ImportModule(name);
    gx_try r = GX_TRY_NO;
    if (m) r = gx_from_python(b, m, out) ? GX_TRY_YES : GX_TRY_ERROR;
    else if (is_missing(name)) py.PyErr_Clear();
    else gx_python_raised(b), r = GX_TRY_ERROR;
    gx_py_leave(b, state);
    return r;
}

/* Modules that have no brother of their name in Python, or one whose state is another. */
static bool stands_alone(const gx_module *m, const char *name) {
    static const char *const own[] = {"sys", "warnings", "numpy.random"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(own[i], name) == 0) return true;
    return m->ns == GX_NS_CUPY || strncmp(name, "gx.", 3) == 0;
}

gx_try gx_python_further(gx_rt *rt, const gx_module *m, const char *name, gx_value *out) {
    const char *module = gx_sym_text(rt, m->name);
    gx_value brother;
    if (*name == '_') return GX_TRY_NO;
    if (strcmp(module, "python") == 0) return gx_python_import(rt, name, out);
    if (stands_alone(m, module)) return GX_TRY_NO;
    gx_try found = gx_python_import(rt, module, &brother);
    if (found != GX_TRY_YES) return found;
    gx_sym sym = gx_sym_c(rt, name);
    found = sym ? gx_try_attr(rt, brother, sym, out) : GX_TRY_ERROR;
    gx_drop(brother);
    return found;
}

/* What pip calls a module, where the names differ. */
static const char *package(const char *name, char *room, size_t n) {
    static const char *const other[][2] = {{"sklearn", "scikit-learn"}, {"skimage", "scikit-image"},
                                           {"PIL", "pillow"},           {"cv2", "opencv-python"},
                                           {"yaml", "pyyaml"},          {"bs4", "beautifulsoup4"},
                                           {"mpl_toolkits", "matplotlib"}};
    snprintf(room, n, "%.*s", (int)strcspn(name, "."), name);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (strcmp(other[i][0], room) == 0) return other[i][1];
    return room;
}

bool gx_python_missing(gx_rt *rt, const char *name) {
    const char *why, *named = getenv("GX_PYTHON");
    char room[128];
    if (rt->debug.safe || (named && strcmp(named, "none") == 0)) return false;
    if (!gx_bridge_open(rt, &why))
        return gx_note(rt, "gx has no such module, and no Python that might have it: %s", why);
    gx_note(rt, "neither gx has it nor the Python that it uses, %s", gx_py_which());
    return gx_help(rt, "if it is a package of Python: %s -m pip install %s", gx_py_which(),
                   package(name, room, sizeof room));
}

static PyObject *call_helper(gx_bridge *b, const char *name, PyObject *first, PyObject *second) {
    PyObject *fn = gx_py_helper(name), *args = py.PyTuple_New(second ? 2 : 1), *o = NULL;
    (void)b;
    if (args && py.PyTuple_SetItem(args, 0, gx_py_keep(first)) == 0 &&
        (!second || py.PyTuple_SetItem(args, 1, gx_py_keep(second)) == 0))
        o = py.PyObject_CallObject(fn, args);
    if (args) py.Py_DecRef(args);
    return o;
}

bool gx_python_member(gx_rt *rt, gx_borrowed m, gx_sym name, gx_value *out) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    PyObject *n = gx_name_to_python(b, name);
    PyObject *o = n ? call_helper(b, "member", gx_proxy_py(m), n) : NULL;
    bool ok = o ? gx_from_python(b, o, out) : n ? gx_python_raised(b) : false;
    gx_py_leave(b, state);
    return ok;
}

bool gx_python_all(gx_rt *rt, gx_borrowed m, gx_module *into) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    PyObject *names = call_helper(b, "public", gx_proxy_py(m), NULL);
    bool ok = names || gx_python_raised(b);
    for (Py_ssize_t i = 0; ok && i < py.PyList_Size(names); i++) {
        gx_value v;
        const char *text = py.PyUnicode_AsUTF8AndSize(py.PyList_GetItem(names, i), NULL);
        gx_sym sym = text ? gx_sym_c(rt, text) : 0;
        ok = sym ? gx_get_attr(rt, m, sym, &v) : text ? false : gx_python_raised(b);
        if (!ok) break;
        ok = gx_module_set(rt, into, sym, v);
        gx_drop(v);
    }
    if (names) py.Py_DecRef(names);
    gx_py_leave(b, state);
    return ok;
}

bool gx_python_class_maker(gx_rt *rt, gx_value *out) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    bool ok = gx_proxy_take(b, gx_py_keep(gx_py_helper("new_class")), out);
    gx_py_leave(b, state);
    return ok;
}

/* --- the module python ------------------------------------------------------------------------ */

static bool no_python(gx_rt *rt, const char *why) {
    gx_fail(rt, GX_ImportError, "python.none", "there is no Python to use: %s", why);
    return gx_help(rt, "GX_PYTHON names an installed one; gx --doctor tells what was found");
}

/* The names that texts of python.eval and python.exec share: those of Python's __main__. */
static PyObject *main_names(void) {
    PyObject *m = py.PyImport_AddModule("__main__");
    return m ? py.PyModule_GetDict(m) : NULL;
}

/* What the text has bound, in the dict that it was given. */
static bool bind_back(gx_bridge *b, gx_borrowed dict, PyObject *names) {
    PyObject *builtins = py.PyUnicode_FromString("__builtins__"), *nothing = py.PyDict_New();
    bool ok = builtins && nothing && (py.PyObject_DelItem(names, builtins) == 0 ||
                                      gx_python_raised(b)) &&
              gx_write_back(b, dict, names, nothing);
    if (builtins) py.Py_DecRef(builtins);
    if (nothing) py.Py_DecRef(nothing);
    return ok;
}

static bool run_text(gx_call *c, const char *how, gx_value *out) {
    const char *why;
    gx_bridge *b = gx_bridge_open(c->rt, &why);
    if (!b) return no_python(c->rt, why);
    PyGILState_STATE state = gx_py_enter(b);
    PyObject *text = gx_to_python(b, c->argv[0]), *names = main_names(), *o = NULL;
    bool own = gx_arg_some(c, 1);
    if (own) names = gx_to_python(b, c->argv[1]);
    if (text && names) o = call_helper(b, how, text, names);
    bool ok = o ? gx_from_python(b, o, out) : text && names ? gx_python_raised(b) : false;
    if (ok && own && c->argv[1].tag == GX_DICT) ok = bind_back(b, c->argv[1], names);
    if (text) py.Py_DecRef(text);
    if (own && names) py.Py_DecRef(names);
    gx_py_leave(b, state);
    return ok;
}

static bool python_eval(gx_call *c, gx_value *out) {
    return run_text(c, "evaluate", out);
}
static bool python_exec(gx_call *c, gx_value *out) {
    return run_text(c, "execute", out);
}

static bool python_version(gx_rt *rt, gx_namespace ns, gx_value *out) {
    const char *why;
    gx_value sys;
    gx_sym name = gx_sym_c(rt, "version");
    (void)ns;
    if (!gx_bridge_open(rt, &why)) return no_python(rt, why);
    if (!name || gx_python_import(rt, "sys", &sys) != GX_TRY_YES) return false;
    bool ok = gx_get_attr(rt, sys, name, out);
    gx_drop(sys);
    return ok;
}

const gx_native gx_python_functions[] = {
    {"eval", "eval(text, names=None, /)",
     "The value of an expression in Python; names: a dict of what it may use.", NULL, python_eval,
     0, 0},
    {"exec", "exec(text, names=None, /)",
     "Runs statements in Python; names: a dict of what they may use and bind.", NULL, python_exec,
     0, 0},
    {.name = NULL}};
const gx_constant gx_python_constants[] = {
    {.name = "version", .kind = GX_CONST_MAKE, .make = python_version}, {.kind = GX_CONST_END}};
/* `python` without an import. */
const gx_constant gx_python_bare_constants[] = {
    {.name = "python", .kind = GX_CONST_MODULE, .text = "python"}, {.kind = GX_CONST_END}};
