/* The module _gx, on which the package gx (the folder beside this) stands: states of gx as
   capsules, and the calls of include/gx.h on them. It is built without Python's headers: the
   functions of its stable interface are found in the process that loads it
   (stdlib/bridge/python_int.h), so one file serves CPython 3.9 to 3.14. What crosses, how, and all
   locks are the bridge's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/gx.h"
#include "interp/embed/inside.h"
#include "runtime/object/object.h"
#include "stdlib/bridge/host.h"

enum { MOST_STREAMS = 3 };

typedef struct session {
    gx_state *state;
    gx_rt *rt;
    PyObject *write, *picture, *ask; /* None: there is none */
    gx_value evaluate;               /* lambda text, names */
    uint32_t moves;                  /* of gx_host_moves */
} session;

static const char capsule_name[] = "gx.session";

static PyObject *keep(PyObject *o) {
    py.Py_IncRef(o);
    return o;
}

static PyObject *none(void) {
    return keep(py._Py_NoneStruct);
}

static PyObject *text_object(const char *text) {
    return py.PyUnicode_FromStringAndSize(text, (Py_ssize_t)strlen(text));
}

/* --- what gx writes and asks ------------------------------------------------------------------ */

/* Calls a function of the program's; NULL: it has raised, which ends what runs where it was Ctrl-C.
   The arguments are taken over. */
static PyObject *tell(session *s, PyObject *fn, PyObject *a, PyObject *b) {
    PyObject *args = a ? py.PyTuple_New(b ? 2 : 1) : NULL, *o = NULL;
    if (args && py.PyTuple_SetItem(args, 0, a) == 0 && (!b || py.PyTuple_SetItem(args, 1, b) == 0))
        o = py.PyObject_CallObject(fn, args);
    if (args) py.Py_DecRef(args);
    if (o) return o;
    PyObject *stop = py.PyDict_GetItemString(py.PyEval_GetBuiltins(), "KeyboardInterrupt");
    if (stop && py.PyErr_ExceptionMatches(stop)) s->rt->interrupted = 1;
    py.PyErr_Clear();
    return NULL;
}

static bool write_text(void *self, int stream, const char *text, size_t length) {
    session *s = self;
    PyGILState_STATE lock = gx_host_lock(s->rt);
    PyObject *o = tell(s, s->write, py.PyLong_FromLongLong(stream),
                       py.PyUnicode_FromStringAndSize(text, (Py_ssize_t)length));
    if (o) py.Py_DecRef(o);
    gx_host_unlock(s->rt, lock);
    return o != NULL;
}

static bool show_picture(void *self, const char *mime, const void *data, size_t length) {
    session *s = self;
    PyGILState_STATE lock = gx_host_lock(s->rt);
    PyObject *o = tell(s, s->picture, text_object(mime),
                       py.PyBytes_FromStringAndSize(data, (Py_ssize_t)length));
    bool taken = o && py.PyObject_IsTrue(o) > 0;
    if (o) py.Py_DecRef(o);
    gx_host_unlock(s->rt, lock);
    return taken;
}

static char *ask_line(void *self, const char *prompt) {
    session *s = self;
    PyGILState_STATE lock = gx_host_lock(s->rt);
    PyObject *o = tell(s, s->ask, text_object(prompt), NULL);
    const char *text = o ? py.PyUnicode_AsUTF8AndSize(o, NULL) : NULL;
    char *line = text ? strdup(text) : NULL;
    if (!text) py.PyErr_Clear();
    if (o) py.Py_DecRef(o);
    gx_host_unlock(s->rt, lock);
    return line;
}

/* --- arguments -------------------------------------------------------------------------------- */

static bool no_memory(void) {
    py.PyErr_SetString(*py.PyExc_MemoryError, "");
    return false;
}

static bool wrong(const char *text) {
    py.PyErr_SetString(*py.PyExc_TypeError, text);
    return false;
}

static session *session_of(PyObject *capsule) {
    session *s = py.PyCapsule_GetPointer(capsule, capsule_name);
    if (s && !s->state) {
        py.PyErr_SetString(*py.PyExc_RuntimeError, "this session of gx was closed");
        return NULL;
    }
    return s;
}

/* The session of a call whose arguments begin with it, entered; NULL: an exception. */
static session *enter(PyObject *args) {
    session *s = py.PyTuple_Size(args) ? session_of(py.PyTuple_GetItem(args, 0)) : NULL;
    if (!s) return NULL;
    gx_host_enter(s->rt);
    if (s->moves != gx_host_moves(s->rt)) {
        s->moves = gx_host_moves(s->rt);
        gx_state_moved(s->state);
    }
    return s;
}

static PyObject *leave(session *s, PyObject *o) {
    gx_host_leave(s->rt);
    return o;
}

static const char *text_arg(PyObject *args, int i, Py_ssize_t *n) {
    PyObject *o = py.PyTuple_GetItem(args, i);
    return o ? py.PyUnicode_AsUTF8AndSize(o, n) : NULL;
}

/* What a call of gx.h has failed with, as an exception of Python's. Always NULL. */
static PyObject *failed(session *s) {
    if (!py.PyErr_Occurred()) gx_state_raise_again(s->state);
    /* The limits of a run are over with it. */
    s->rt->late = s->rt->interrupted = 0;
    s->rt->steps = s->rt->debug.max_steps ? s->rt->debug.max_steps : INT64_MAX;
    return gx_host_raise(s->rt);
}

/* A reference's value for Python's code; NULL is None. The reference is dropped. */
static PyObject *give(session *s, gx_ref *r) {
    if (!r) return none();
    gx_value v = gx_ref_value(r);
    gx_ref_drop(r);
    return gx_host_give(s->rt, true, v);
}

/* --- sessions --------------------------------------------------------------------------------- */

static bool evaluator(session *s) {
    static const char text[] =
        "lambda text, names: eval(text, {**globals(), **names} if names else globals())";
    gx_ref *r = NULL;
    gx_program *p = gx_state_compile(s->state, text, sizeof text - 1, "<gx>");
    bool ok = p && gx_program_run(p, GX_RUN_PLAIN, &r) && r;
    if (ok) s->evaluate = gx_ref_value(r);
    gx_ref_drop(r);
    gx_program_drop(p);
    return ok;
}

static double number(PyObject *o) {
    return o == py._Py_NoneStruct ? 0 : py.PyFloat_AsDouble(o);
}

/* open(write, picture, ask, device, threads, max_bytes, max_seconds, safe, file) */
static PyObject *open_session(PyObject *self, PyObject *args) {
    char why[300];
    (void)self;
    if (py.PyTuple_Size(args) != 9 && !wrong("open() takes nine arguments")) return NULL;
    session *s = calloc(1, sizeof *s);
    if (!s && !no_memory()) return NULL;
    PyObject *const *none_at = &py._Py_NoneStruct, *fn[MOST_STREAMS];
    for (int i = 0; i < MOST_STREAMS; i++) fn[i] = py.PyTuple_GetItem(args, i);
    PyObject *device = py.PyTuple_GetItem(args, 3), *file = py.PyTuple_GetItem(args, 8);
    const bool safe = py.PyObject_IsTrue(py.PyTuple_GetItem(args, 7)) > 0;
    s->write = keep(fn[0]);
    s->picture = keep(fn[1]);
    s->ask = keep(fn[2]);
    gx_config config = {
        .api = GX_API,
        .self = s,
        .write = fn[0] == *none_at ? NULL : write_text,
        .picture = fn[1] == *none_at ? NULL : show_picture,
        .ask = fn[2] == *none_at ? NULL : ask_line,
        .device = device == *none_at ? NULL : py.PyUnicode_AsUTF8AndSize(device, NULL),
        .threads = (int)number(py.PyTuple_GetItem(args, 4)),
        .max_bytes = (int64_t)number(py.PyTuple_GetItem(args, 5)),
        .max_seconds = number(py.PyTuple_GetItem(args, 6)),
        .safe = safe,
        .file = file == *none_at ? NULL : py.PyUnicode_AsUTF8AndSize(file, NULL)};
    bool ok = !py.PyErr_Occurred();
    if (ok && !(s->state = gx_state_open(&config, why, sizeof why))) {
        PyObject *cls = py.PyDict_GetItemString(py.PyEval_GetBuiltins(), "ValueError");
        py.PyErr_SetString(cls, why);
        ok = false;
    }
    if (ok) {
        s->rt = gx_state_rt(s->state);
        ok = gx_host_open(s->rt, safe, gx_state_message) || no_memory();
    }
    if (ok && !evaluator(s)) {
        failed(s);
        ok = false;
    }
    PyObject *capsule = ok ? py.PyCapsule_New(s, capsule_name, NULL) : NULL;
    if (capsule) return capsule;
    if (s->state) gx_state_close(s->state);
    for (int i = 0; i < MOST_STREAMS; i++) py.Py_DecRef(fn[i]);
    free(s);
    return NULL;
}

/* close(session): its values end. Nobody else uses it. */
static PyObject *close_session(PyObject *self, PyObject *args) {
    session *s = enter(args);
    (void)self;
    if (!s) return NULL;
    gx_drop(gx_steal(&s->evaluate));
    gx_state *state = s->state;
    s->state = NULL;
    gx_state_close(state); /* its lock goes with it */
    py.Py_DecRef(s->write);
    py.Py_DecRef(s->picture);
    py.Py_DecRef(s->ask);
    return none();
}

/* end(session): the program ends; files are closed. */
static PyObject *end_session(PyObject *self, PyObject *args) {
    session *s = enter(args);
    (void)self;
    if (!s) return NULL;
    gx_drop(gx_steal(&s->evaluate));
    gx_state_end(s->state);
    return leave(s, none());
}

/* run(session, text, name): the value of a last expression. */
static PyObject *run_text(PyObject *self, PyObject *args) {
    session *s = enter(args);
    Py_ssize_t n;
    gx_ref *value = NULL;
    gx_freed freed;
    (void)self;
    if (!s) return NULL;
    const char *text = text_arg(args, 1, &n), *name = text ? text_arg(args, 2, NULL) : NULL;
    if (!name) return leave(s, NULL);
    bool ok = gx_host_begin(s->rt, &freed) &&
              gx_state_run(s->state, text, (size_t)n, name, &value);
    gx_host_end(s->rt, &freed);
    return leave(s, ok ? give(s, value) : failed(s));
}

/* run_file(session, path) */
static PyObject *run_file(PyObject *self, PyObject *args) {
    session *s = enter(args);
    gx_freed freed;
    (void)self;
    if (!s) return NULL;
    const char *path = text_arg(args, 1, NULL);
    if (!path) return leave(s, NULL);
    gx_program *program = NULL;
    bool ok = gx_host_begin(s->rt, &freed) &&
              (program = gx_state_compile_file(s->state, path)) &&
              gx_program_run(program, GX_RUN_PLAIN, NULL);
    gx_host_end(s->rt, &freed);
    PyObject *o = ok ? none() : failed(s);
    gx_program_drop(program);
    return leave(s, o);
}

/* evaluate(session, text, names): an expression, with the names of a dict. */
static PyObject *evaluate(PyObject *self, PyObject *args) {
    session *s = enter(args);
    gx_value in[2] = {gx_undef(), gx_undef()}, out = gx_undef();
    gx_freed freed;
    (void)self;
    if (!s) return NULL;
    if (py.PyTuple_Size(args) != 3 && !wrong("evaluate() takes three arguments"))
        return leave(s, NULL);
    bool ok = gx_host_take(s->rt, py.PyTuple_GetItem(args, 1), false, &in[0]) &&
              gx_host_take(s->rt, py.PyTuple_GetItem(args, 2), true, &in[1]);
    if (ok) {
        ok = gx_host_begin(s->rt, &freed) &&
             gx_call_value(s->rt, s->evaluate, 2, in, 0, NULL, &out);
        gx_host_end(s->rt, &freed);
    }
    gx_drop(in[0]);
    gx_drop(in[1]);
    return leave(s, gx_host_give(s->rt, ok, out));
}

/* --- what notebooks and editors ask ----------------------------------------------------------- */

static PyObject *words_object(const gx_words *w) {
    PyObject *o = py.PyTuple_New((Py_ssize_t)w->count);
    for (size_t i = 0; o && i < w->count; i++)
        (void)py.PyTuple_SetItem(o, (Py_ssize_t)i, text_object(w->word[i]));
    return o;
}

/* complete(session, text, cursor): from where in the text's bytes, and the words. */
static PyObject *complete(PyObject *self, PyObject *args) {
    session *s = enter(args);
    Py_ssize_t n;
    (void)self;
    if (!s) return NULL;
    const char *text = text_arg(args, 1, &n);
    if (!text) return leave(s, NULL);
    gx_words *w = gx_state_complete(s->state, text, (size_t)n,
                                    (size_t)number(py.PyTuple_GetItem(args, 2)));
    if (!w) return leave(s, failed(s));
    PyObject *o = py.PyTuple_New(2);
    if (o) {
        (void)py.PyTuple_SetItem(o, 0, py.PyLong_FromLongLong((long long)w->from));
        (void)py.PyTuple_SetItem(o, 1, words_object(w));
    }
    gx_words_free(w);
    return leave(s, o);
}

/* inspect(session, name, source): what help() says, or the definition. */
static PyObject *inspect(PyObject *self, PyObject *args) {
    session *s = enter(args);
    (void)self;
    if (!s) return NULL;
    const char *name = text_arg(args, 1, NULL);
    if (!name) return leave(s, NULL);
    char *text = gx_state_inspect(s->state, name, py.PyObject_IsTrue(py.PyTuple_GetItem(args, 2)));
    if (!text) return leave(s, failed(s));
    PyObject *o = text_object(text);
    gx_string_free(text);
    return leave(s, o);
}

/* entry(session, text): 0 it is whole, 1 more is to come, 2 it is wrong. */
static PyObject *entry(PyObject *self, PyObject *args) {
    session *s = enter(args);
    Py_ssize_t n;
    (void)self;
    if (!s) return NULL;
    const char *text = text_arg(args, 1, &n);
    if (!text) return leave(s, NULL);
    return leave(s, py.PyLong_FromLongLong(gx_state_entry(s->state, text, (size_t)n)));
}

/* interrupt(session): what runs on another thread ends with KeyboardInterrupt. */
static PyObject *interrupt(PyObject *self, PyObject *args) {
    session *s = py.PyTuple_Size(args) ? session_of(py.PyTuple_GetItem(args, 0)) : NULL;
    (void)self;
    if (!s) return NULL;
    gx_state_interrupt(s->state);
    return none();
}

/* count(session): how many fused loops have run. */
static PyObject *count(PyObject *self, PyObject *args) {
    session *s = enter(args);
    (void)self;
    if (!s) return NULL;
    return leave(s, py.PyLong_FromLongLong(gx_state_count(s->state, GX_COUNT_KERNELS)));
}

/* from_dlpack(session, capsule) */
static PyObject *from_dlpack(PyObject *self, PyObject *args) {
    session *s = enter(args);
    gx_value out = gx_undef();
    (void)self;
    if (!s) return NULL;
    PyObject *capsule = py.PyTuple_GetItem(args, 1);
    bool ok = capsule && gx_host_from_dlpack(s->rt, capsule, &out);
    return leave(s, gx_host_give(s->rt, ok, out));
}

/* --- the module ------------------------------------------------------------------------------- */

static PyMethodDef functions[] = {
    {"open", open_session, METH_VARARGS, NULL},
    {"close", close_session, METH_VARARGS, NULL},
    {"end", end_session, METH_VARARGS, NULL},
    {"run", run_text, METH_VARARGS, NULL},
    {"run_file", run_file, METH_VARARGS, NULL},
    {"evaluate", evaluate, METH_VARARGS, NULL},
    {"complete", complete, METH_VARARGS, NULL},
    {"inspect", inspect, METH_VARARGS, NULL},
    {"entry", entry, METH_VARARGS, NULL},
    {"interrupt", interrupt, METH_VARARGS, NULL},
    {"count", count, METH_VARARGS, NULL},
    {"from_dlpack", from_dlpack, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyModuleDef module = {.base = {.head = {.refs = {.whole = 1}}},
                             .name = "_gx",
                             .doc = "The engine of the package gx.",
                             .size = -1,
                             .methods = functions};

GX_PUBLIC PyObject *PyInit__gx(void);
PyObject *PyInit__gx(void) {
    const char *why = gx_host_start();
    if (!why) return py.PyModule_Create2(&module, GX_PY_ABI);
    if (py.PyErr_SetString) {
        char text[1500];
        snprintf(text, sizeof text, "gx cannot be used by this Python: %s", why);
        PyObject *cls = py.PyDict_GetItemString(py.PyEval_GetBuiltins(), "ImportError");
        py.PyErr_SetString(cls, text);
    }
    return NULL;
}
