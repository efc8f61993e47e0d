/* Python in this process: starting it once, its lock, its streams. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/array/memory.h"
#include "stdlib/bridge/bridge_int.h"
#include "stdlib/bridge/find_int.h"

extern const char gx_py_helper_text[]; /* helper.py, as the build has it */

/* Of the process; under the lock until it is open. */
static struct {
    pthread_mutex_t lock;
    enum { UNKNOWN, OPEN, FAILED } state;
    gx_py_found found;
    PyObject *helper; /* the names of helper.py: a dict */
    pthread_t main;   /* where Python has started: signals are its business */
} process = {.lock = PTHREAD_MUTEX_INITIALIZER};

PyObject *gx_py_helper(const char *name) {
    return py.PyDict_GetItemString(process.helper, name);
}

gx_py_frames gx_py_frame;

PyObject *gx_py_call_three(PyObject *fn, PyObject *a, PyObject *b, PyObject *c) {
    PyObject *args = py.PyTuple_New(3), *all[] = {a, b, c}, *o = NULL;
    bool ok = args != NULL;
    for (int i = 0; ok && i < 3; i++) ok = py.PyTuple_SetItem(args, i, gx_py_keep(all[i])) == 0;
    if (ok) o = py.PyObject_CallObject(fn, args);
    if (args) py.Py_DecRef(args);
    return o;
}

bool gx_py_set_helper(const char *name, PyObject *o) {
    return py.PyDict_SetItemString(process.helper, name, o) == 0;
}

/* The bridge of the context that runs Python on this thread now. */
static _Thread_local gx_bridge *here;

const char *gx_py_which(void) {
    return *process.found.executable ? process.found.executable : process.found.library;
}

/* --- starting --------------------------------------------------------------------------------- */

static bool take_streams(void);

static void on_wake(int number) {
    (void)number; /* that a call of the system ends is all */
}

/* Python's own handler of SIGINT is there for what it does when it is told, by PyErr_SetInterrupt,
   that somebody asks to stop; the signal itself stays gx's. SIGURG wakes a thread that sleeps. */
static bool take_signals(void) {
    struct sigaction before, wake = {.sa_handler = on_wake};
    sigemptyset(&wake.sa_mask);
    if (sigaction(SIGINT, NULL, &before) != 0) return false;
    PyObject *fn = gx_py_helper("take_interrupts");
    PyObject *done = fn ? py.PyObject_CallObject(fn, NULL) : NULL;
    sigaction(SIGINT, &before, NULL);
    sigaction(SIGURG, &wake, NULL);
    if (done) py.Py_DecRef(done);
    return done != NULL;
}

/* `alone`: Python is there for gx, which then has its streams and signals. */
static bool run_helper(bool alone) {
    PyObject *module = py.PyImport_AddModule("_gx_bridge");
    if (!module) return false;
    PyObject *names = py.PyModule_GetDict(module);
    PyObject *code = py.Py_CompileString(gx_py_helper_text, "<gx>", GX_PY_FILE_INPUT);
    bool ok = code && py.PyDict_SetItemString(names, "__builtins__", py.PyEval_GetBuiltins()) == 0;
    PyObject *done = ok ? py.PyEval_EvalCode(code, names, names) : NULL;
    if (code) py.Py_DecRef(code);
    if (done) py.Py_DecRef(done);
    process.helper = gx_py_keep(names);
    gx_py_frame = (gx_py_frames){gx_py_helper("call"), gx_py_helper("set_item"),
                                 gx_py_helper("set_attr")};
    return done && (!alone || (take_signals() && take_streams()));
}

static bool start(void) {
    static wchar_t name[1024]; /* Python keeps it */
    gx_py_found *f = &process.found;
    if (!gx_py_load(f, false)) return false;
    if (py.Py_IsInitialized()) { /* the program that embeds gx has a Python of its own */
        PyGILState_STATE state = py.PyGILState_Ensure();
        bool ok = run_helper(true);
        if (!ok) py.PyErr_Clear();
        py.PyGILState_Release(state);
        return ok;
    }
    if (*f->executable && mbstowcs(name, f->executable, sizeof name / sizeof *name) < 1024)
        py.Py_SetProgramName(name);
    py.Py_InitializeEx(0);
    process.main = pthread_self();
    bool ok = run_helper(true);
    if (!ok) py.PyErr_Clear();
    py.PyEval_SaveThread();
    if (!ok) snprintf(f->why, sizeof f->why, "it does not start");
    return ok;
}

const char *gx_py_start(bool *started) {
    *started = false;
    pthread_mutex_lock(&process.lock);
    if (process.state == UNKNOWN) {
        *started = gx_py_find(&process.found) && start();
        process.state = *started ? OPEN : FAILED;
    }
    const char *why = process.state == OPEN ? NULL : process.found.why;
    pthread_mutex_unlock(&process.lock);
    return why;
}

const char *gx_py_running(void) {
    gx_py_found *f = &process.found;
    pthread_mutex_lock(&process.lock);
    if (process.state == UNKNOWN) {
        bool ok = gx_py_load(f, true) && run_helper(false);
        process.state = ok ? OPEN : FAILED;
        if (!ok && !*f->why) snprintf(f->why, sizeof f->why, "its part in Python does not run");
    }
    pthread_mutex_unlock(&process.lock);
    return process.state == OPEN ? NULL : f->why;
}

/* --- the lock --------------------------------------------------------------------------------- */

void gx_wraps_drop_late(gx_bridge *b) {
    while (b->late) {
        gx_wrap *w = b->late;
        PyTypeObject *type = gx_py_type(&w->head);
        b->late = w->next;
        gx_drop(w->value);
        py.PyObject_Free(w);
        py.Py_DecRef((PyObject *)(void *)type);
    }
}

/* Python's code may change memory that pending values read. A failure comes again where they are
   used. */
static void settle(gx_rt *rt) {
    if (gx_failed(&rt->error) || gx_lazy_outside(rt)) return;
    if (rt->error.kind == GX_KeyboardInterrupt) rt->interrupted = 1;
    gx_error_clear(rt);
}

PyGILState_STATE gx_py_enter(gx_bridge *b) {
    if (!b->inside && (!b->host || b->host->begun)) settle(b->rt);
    PyGILState_STATE state = py.PyGILState_Ensure();
    if (b->inside++ == 0) {
        b->outer = here;
        here = b;
    }
    if (GX_UNLIKELY(b->late != NULL)) gx_wraps_drop_late(b);
    return state;
}

void gx_py_leave(gx_bridge *b, PyGILState_STATE state) {
    if (--b->inside == 0) here = b->outer;
    if (!b->inside && GX_UNLIKELY(b->rt->interrupted) && !b->host) {
        /* gx itself ends with KeyboardInterrupt; Python need not do so again. */
        if (py.PyErr_CheckSignals() != 0) py.PyErr_Clear();
    }
    py.PyGILState_Release(state);
}

void gx_python_interrupt(gx_rt *rt) {
    gx_bridge *b = rt->bridge;
    if (!b || !b->inside) return;
    py.PyErr_SetInterrupt();
    pthread_kill(b->thread, SIGURG);
}

/* --- standard output and error ---------------------------------------------------------------- */

/* Python's write to the context that runs it; False where a thread of Python's writes, whose text
   goes to the process's own stream. */
static PyObject *stream_write(PyObject *text, gx_channel to) {
    Py_ssize_t n;
    const char *data = py.PyUnicode_AsUTF8AndSize(text, &n);
    if (!data) return NULL;
    int failed = here && n ? gx_write(here->rt, to, data, (size_t)n) : 0;
    if (!failed) return gx_py_keep(here ? py._Py_TrueStruct : py._Py_FalseStruct);
    py.PyErr_SetString(*py.PyExc_RuntimeError, strerror(failed));
    return NULL;
}

static PyObject *write_out(PyObject *self, PyObject *text) {
    (void)self;
    return stream_write(text, GX_OUT);
}
static PyObject *write_err(PyObject *self, PyObject *text) {
    (void)self;
    return stream_write(text, GX_ERR);
}

static PyObject *flush_out(PyObject *self, PyObject *nothing) {
    (void)self, (void)nothing;
    if (here) (void)gx_write_flush(here->rt, GX_OUT);
    return gx_py_keep(py._Py_NoneStruct);
}

static bool take_streams(void) {
    static PyMethodDef rows[] = {{"write_out", write_out, METH_O, NULL},
                                 {"write_err", write_err, METH_O, NULL},
                                 {"flush", flush_out, METH_NOARGS, NULL}};
    PyObject *fn[3] = {NULL, NULL, NULL}, *done = NULL;
    bool ok = true;
    for (int i = 0; ok && i < 3; i++)
        ok = (fn[i] = py.PyCFunction_NewEx(&rows[i], NULL, NULL)) != NULL;
    if (ok) done = gx_py_call_three(gx_py_helper("take_streams"), fn[0], fn[1], fn[2]);
    for (int i = 0; i < 3; i++)
        if (fn[i]) py.Py_DecRef(fn[i]);
    if (done) py.Py_DecRef(done);
    return done != NULL;
}
