/* gx inside a running Python: the locks, who computes, Ctrl-C; messages for Python's exceptions.

   A context's lock is taken while Python's is not held, so that whoever has the context can always
   get Python's. A thread that has both gives Python's back while it computes (gx_host_begin);
   Python code that gx calls takes it again (gx_py_enter). So gx's code runs exactly where a
   context has begun more often than it has entered Python. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/array/memory.h"
#include "runtime/object/exception.h"
#include "stdlib/bridge/bridge_int.h"
#include "stdlib/bridge/find_int.h"

/* --- Ctrl-C ----------------------------------------------------------------------------------- */

/* Python's handler only notes that the signal came; who computes without it has to be told. */
static struct {
    pthread_t main;                /* signals are its business */
    gx_bridge *volatile computing; /* the context that it computes with, or NULL */
    struct sigaction before;       /* what else happens: Python's own handler */
} host;

static void on_interrupt(int number, siginfo_t *info, void *context) {
    gx_bridge *b = host.computing;
    if (b && b->host->begun > b->inside) b->rt->interrupted = 1;
    if (host.before.sa_flags & SA_SIGINFO) host.before.sa_sigaction(number, info, context);
    else host.before.sa_handler(number);
}

/* Puts the handler before the one that is there, if Python or somebody else has set one since. */
static void watch(void) {
    struct sigaction now, own = {.sa_sigaction = on_interrupt};
    if (sigaction(SIGINT, NULL, &now) != 0) return;
    bool siginfo = now.sa_flags & SA_SIGINFO;
    if (siginfo && now.sa_sigaction == on_interrupt) return;
    if (!siginfo && (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN)) return;
    host.before = now;
    own.sa_mask = now.sa_mask;
    own.sa_flags = now.sa_flags | SA_SIGINFO;
    sigaction(SIGINT, &own, NULL);
}

const char *gx_host_start(void) {
    const char *why = gx_py_running();
    if (why) return why;
    PyObject *fn = gx_py_helper("main_thread"), *ident = py.PyObject_CallObject(fn, NULL);
    int overflow;
    if (!ident) return "Python does not tell its main thread";
    host.main = (pthread_t)py.PyLong_AsLongLongAndOverflow(ident, &overflow);
    py.Py_DecRef(ident);
    return NULL;
}

/* --- the locks -------------------------------------------------------------------------------- */

void gx_host_enter(gx_rt *rt) {
    gx_bridge *b = rt->bridge;
    gx_hosted *h = b->host;
    const pthread_t self = pthread_self();
    if (h->depth && pthread_equal(b->thread, self)) {
        h->depth++;
        return;
    }
    if (pthread_mutex_trylock(&h->lock) != 0) {
        PyThreadState *state = py.PyEval_SaveThread();
        pthread_mutex_lock(&h->lock);
        py.PyEval_RestoreThread(state);
    }
    if (!pthread_equal(b->thread, self)) {
        b->thread = self;
        h->moves++;
        gx_stack_here(rt);
    }
    h->depth = 1;
    if (GX_UNLIKELY(b->late != NULL)) gx_wraps_drop_late(b);
}

bool gx_host_try_enter(gx_bridge *b) {
    gx_hosted *h = b->host;
    if (h->depth && pthread_equal(b->thread, pthread_self())) {
        h->depth++;
        return true;
    }
    if (!pthread_equal(b->thread, pthread_self()) || pthread_mutex_trylock(&h->lock) != 0)
        return false;
    h->depth = 1;
    return true;
}

void gx_host_leave(gx_rt *rt) {
    gx_hosted *h = rt->bridge->host;
    if (--h->depth == 0) pthread_mutex_unlock(&h->lock);
}

uint32_t gx_host_moves(const gx_rt *rt) {
    return rt->bridge->host->moves;
}

bool gx_host_begin(gx_rt *rt, gx_freed *f) {
    gx_bridge *b = rt->bridge;
    const bool main = pthread_equal(pthread_self(), host.main);
    *f = (gx_freed){.outer = host.computing};
    if (main) {
        watch();
        host.computing = b;
    }
    b->host->begun++;
    if (!rt->late) rt->interrupted = 0;
    /* What came before that is Python's to tell; what comes now is heard. */
    if (main && py.PyErr_CheckSignals() != 0) return false;
    f->state = py.PyEval_SaveThread();
    return true;
}

void gx_host_end(gx_rt *rt, gx_freed *f) {
    gx_bridge *b = rt->bridge;
    if (f->state) py.PyEval_RestoreThread(f->state);
    b->host->begun--;
    if (pthread_equal(pthread_self(), host.main)) host.computing = f->outer;
}

PyGILState_STATE gx_host_lock(gx_rt *rt) {
    return gx_py_enter(rt->bridge);
}
void gx_host_unlock(gx_rt *rt, PyGILState_STATE state) {
    gx_py_leave(rt->bridge, state);
}

/* --- messages --------------------------------------------------------------------------------- */

PyObject *gx_host_text(gx_bridge *b) {
    gx_buf text = gx_buf_new(b->rt);
    PyObject *o = NULL;
    if (b->host->tell(b->rt, &text))
        o = py.PyUnicode_FromStringAndSize(gx_buf_text(&text), (Py_ssize_t)text.length);
    if (!o) py.PyErr_Clear();
    gx_buf_free(&text);
    return o;
}

void gx_host_tell(PyObject *exception, PyObject *text) {
    PyObject *fn = gx_py_helper("tell"), *args = text ? py.PyTuple_New(2) : NULL, *done = NULL;
    if (args && py.PyTuple_SetItem(args, 0, gx_py_keep(exception)) == 0 &&
        py.PyTuple_SetItem(args, 1, gx_py_keep(text)) == 0)
        done = py.PyObject_CallObject(fn, args);
    if (done) py.Py_DecRef(done);
    else py.PyErr_Clear();
    if (args) py.Py_DecRef(args);
}
