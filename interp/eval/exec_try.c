/* Exceptions: try, raise and with. The pending error is moved aside while a handler's pattern or a
   finally block runs, so that nothing is ever evaluated with an error pending. */
#include "interp/eval/record.h"

#include <string.h>

#include "runtime/array/array.h"
#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"

bool gx_raise_with(gx_rt *rt, gx_error_kind kind, gx_borrowed argument) {
    gx_value exc;
    if (!gx_exception_new(rt, &gx_exception_types[kind], 1, &argument, &exc)) return false;
    gx_exception_raise(rt, exc);
    gx_drop(exc);
    return false;
}

/* Does the pending error match an except clause? */
static gx_try matches(gx_frame *f, const gx_node *clause) {
    gx_rt *rt = f->rt;
    gx_error saved;
    gx_value pattern;
    if (!clause->a) return GX_TRY_YES;
    gx_error_save(rt, &saved);
    if (!gx_eval(f, clause->a, &pattern)) {
        gx_error_free(&saved);
        return GX_TRY_ERROR;
    }
    gx_error_restore(rt, &saved);
    gx_try answer = gx_exception_matches(rt, pattern);
    gx_drop(pattern);
    if (answer == GX_TRY_ERROR) gx_locate(f, clause->a);
    return answer;
}

/* What fails while an exception is handled remembers it. */
static void add_context(gx_rt *rt, gx_borrowed handled) {
    gx_value exc = rt->error.exception;
    if (exc.tag == GX_EXCEPTION) {
        gx_exception *e = gx_as_exception(exc);
        if (exc.obj != handled.obj && e->context.tag == GX_UNDEF) e->context = gx_keep(handled);
        return;
    }
    if (rt->error.kind == GX_MemoryError || !gx_exception_from_error(rt, &exc)) return;
    gx_as_exception(exc)->context = gx_keep(handled);
    gx_exception_raise(rt, exc);
    gx_drop(exc);
}

/* Does a chain of contexts lead to an exception? Then it gets none: no ring is made. */
static bool leads_to(gx_value from, const gx_obj *exc) {
    while (from.tag == GX_EXCEPTION && from.obj != exc) from = gx_as_exception(from)->context;
    return from.tag == GX_EXCEPTION;
}

static bool catch(gx_frame *f, gx_value *exc) {
    if (!gx_exception_from_error(f->rt, exc)) return false;
    gx_exception *e = gx_as_exception(*exc);
    e->where = f->code->name;
    if (f->vm->handled && e->context.tag == GX_UNDEF &&
        !leads_to(f->vm->handled->exception, exc->obj))
        e->context = gx_keep(f->vm->handled->exception);
    return true;
}

enum { BODY, HANDLER, ELSE, FINALLY };

/* Runs the body of an except clause; the pending error becomes the handled one. `again`: a yield in
   the body is resumed. */
static inline int handle(gx_frame *f, const gx_node *clause, gx_record *s, bool again) {
    gx_rt *rt = f->rt;
    gx_value exc;
    if (again) exc = gx_keep(s->value);
    else if (!catch(f, &exc)) return GX_FLOW_ERROR;
    if (s && !again) {
        s->phase = HANDLER;
        s->node = clause;
        s->value = gx_keep(exc);
    }
    gx_handled here = {.exception = exc, .outer = f->vm->handled};
    int flow;
    f->vm->handled = &here;
    if (!again && clause->b && !gx_assign(f, clause->b, exc)) {
        flow = GX_FLOW_ERROR;
    } else {
        flow = gx_exec(f, clause->c);
        if (clause->b && flow != GX_FLOW_YIELD) gx_unbind(f, clause->b);
    }
    f->vm->handled = here.outer;
    if (flow == GX_FLOW_ERROR) add_context(rt, exc);
    gx_drop(exc);
    return flow;
}

/* The body and its handlers; what is left is for finally. */
static inline int run_handlers(gx_frame *f, const gx_node *n, gx_record *s) {
    if (s && s->phase == HANDLER) return handle(f, s->node, s, true);
    if (s && s->phase == ELSE) return gx_exec(f, n->b);
    f->guards++;
    int flow = gx_exec(f, n->a);
    f->guards--;
    if (flow == GX_FLOW_NEXT && n->b) {
        if (s) s->phase = ELSE;
        return gx_exec(f, n->b);
    }
    if (flow != GX_FLOW_ERROR) return flow;
    gx_lazy_first_error(f->rt);
    for (int32_t i = 0; i < n->n; i++) {
        gx_try match = matches(f, n->list[i]);
        if (match == GX_TRY_ERROR) return GX_FLOW_ERROR;
        if (match == GX_TRY_YES) return handle(f, n->list[i], s, false);
    }
    return flow;
}

/* How a statement was left, while its finally block runs. */
typedef struct left {
    int flow;
    gx_value exception, result; /* the pending error, or UNDEF; what return gives */
} left;

/* Puts it aside, so that the block runs in peace; false: no memory for the exception. */
static inline bool put_aside(gx_frame *f, gx_record *s, left *l) {
    l->result = gx_steal(&f->result);
    l->exception = gx_undef();
    f->result = gx_none();
    if (l->flow == GX_FLOW_ERROR && !catch(f, &l->exception)) {
        gx_drop(l->result);
        return false;
    }
    if (!s) return true;
    s->phase = FINALLY;
    gx_drop(gx_steal(&s->value));
    s->value = gx_keep(l->exception);
    s->result = gx_keep(l->result);
    s->flow = l->flow;
    return true;
}

/* Runs the finally block; its own way of leaving wins over that of the statement. */
static inline int run_finally(gx_frame *f, const gx_node *n, gx_record *s, int flow) {
    left l = {.flow = flow};
    if (!s && flow == GX_FLOW_NEXT) return gx_exec(f, n->c);
    if (s && s->phase == FINALLY) l = (left){s->flow, gx_keep(s->value), gx_keep(s->result)};
    else if (!put_aside(f, s, &l)) return flow;
    gx_handled here = {.exception = l.exception, .outer = f->vm->handled};
    if (l.flow == GX_FLOW_ERROR) f->vm->handled = &here;
    int after = gx_exec(f, n->c);
    f->vm->handled = here.outer;
    if (after == GX_FLOW_NEXT) {
        gx_drop(f->result);
        f->result = gx_steal(&l.result);
        if (l.flow == GX_FLOW_ERROR) gx_exception_raise(f->rt, l.exception);
        after = l.flow;
    } else if (after == GX_FLOW_ERROR && l.flow == GX_FLOW_ERROR) {
        add_context(f->rt, l.exception);
    }
    gx_drop(l.result);
    gx_drop(l.exception);
    return after;
}

static inline int try_(gx_frame *f, const gx_node *n, bool resumes) {
    gx_record *s = NULL;
    if (!gx_stack_check(f->rt)) {
        gx_locate(f, n);
        return GX_FLOW_ERROR;
    }
    if (resumes && !(s = gx_record_enter(f))) return GX_FLOW_ERROR;
    int flow = s && s->phase == FINALLY ? GX_FLOW_NEXT : run_handlers(f, n, s);
    if (n->c && flow != GX_FLOW_YIELD) flow = run_finally(f, n, s, flow);
    return gx_record_leave(f, s, flow);
}
GX_COMPOUND(try)

/* The exception object of `raise X` and `raise X(...)`: a class is called without arguments. */
static bool make_exception(gx_frame *f, gx_value *v) {
    if (!gx_is_exception_type(*v)) return true;
    gx_value exc;
    if (!gx_call_value(f->rt, *v, 0, NULL, 0, NULL, &exc)) return false;
    gx_drop(*v);
    *v = exc;
    return true;
}

static bool set_cause(gx_frame *f, const gx_node *n, gx_borrowed exc) {
    gx_value cause;
    if (!gx_eval(f, n->b, &cause)) return false;
    if (!make_exception(f, &cause)) {
        gx_drop(cause);
        return false;
    }
    gx_exception *e = gx_as_exception(exc);
    if (cause.tag != GX_NONE && cause.tag != GX_EXCEPTION) {
        gx_drop(cause);
        return gx_fail(f->rt, GX_TypeError, "raise.cause",
                       "exception causes must derive from BaseException");
    }
    gx_drop(gx_steal(&e->cause));
    e->silent = true;
    if (cause.tag == GX_EXCEPTION) e->cause = cause;
    return true;
}

/* Raises; for its traceback, one that was caught before goes through here from now on. A bare
   `raise` where it was caught leaves no trace. */
static void raise_again(gx_frame *f, const gx_node *n, gx_borrowed exc) {
    bool caught = exc.tag == GX_EXCEPTION && gx_as_exception(exc)->report;
    gx_sym where = caught ? gx_as_exception(exc)->where : 0;
    gx_exception_raise(f->rt, exc);
    if (caught && f->rt->error.at.end && (n->a || where != f->code->name))
        gx_trace_add_quiet(f->rt, where, n->at);
}

int gx_exec_raise(gx_frame *f, const gx_node *n) {
    gx_rt *rt = f->rt;
    gx_value v;
    if (!n->a) {
        if (f->vm->handled)
            raise_again(f, n, f->vm->handled->exception);
        else
            gx_fail(rt, GX_RuntimeError, "raise.none", "No active exception to reraise");
        gx_locate(f, n);
        return GX_FLOW_ERROR;
    }
    if (!gx_eval(f, n->a, &v)) return GX_FLOW_ERROR;
    bool ok = make_exception(f, &v);
    if (ok && n->b && v.tag == GX_EXCEPTION) ok = set_cause(f, n, v);
    if (ok && f->vm->handled && v.tag == GX_EXCEPTION) {
        gx_exception *e = gx_as_exception(v);
        gx_value context = f->vm->handled->exception;
        if (e->context.tag != GX_EXCEPTION && context.obj != v.obj) e->context = gx_keep(context);
    }
    if (ok) raise_again(f, n, v);
    gx_drop(v);
    gx_locate(f, n);
    return GX_FLOW_ERROR;
}

/* Calls a context manager's __exit__ after `flow`; a true answer of it swallows the error. */
static int leave(gx_frame *f, gx_borrowed exit, int flow) {
    gx_rt *rt = f->rt;
    gx_value argv[3] = {gx_none(), gx_none(), gx_none()}, r;
    bool swallowed = false;
    gx_handled here = {.exception = gx_undef(), .outer = f->vm->handled};
    if (flow == GX_FLOW_ERROR) {
        if (!catch(f, &argv[1])) return flow;
        if (!gx_exception_trace(rt, argv[1], &argv[2])) {
            gx_drop(argv[1]);
            return flow;
        }
        argv[0] = gx_type_value(gx_type_of(argv[1]));
        here.exception = argv[1];
        f->vm->handled = &here;
    }
    bool ok = gx_call_held(rt, exit, 3, argv, 0, NULL, &r);
    if (ok) {
        if (flow == GX_FLOW_ERROR) ok = gx_truth(rt, r, &swallowed);
        gx_drop(r);
    }
    f->vm->handled = here.outer;
    if (ok && flow == GX_FLOW_ERROR && !swallowed) gx_exception_raise(rt, argv[1]);
    if (!ok && flow == GX_FLOW_ERROR) add_context(rt, argv[1]);
    gx_drop(argv[0]);
    gx_drop(argv[1]);
    gx_drop(argv[2]);
    if (!ok) return GX_FLOW_ERROR;
    return swallowed ? GX_FLOW_NEXT : flow;
}

static int with_leave(gx_frame *f, const gx_node *item, gx_borrowed exit, int flow) {
    flow = leave(f, exit, flow);
    if (flow == GX_FLOW_ERROR) gx_locate(f, item->a);
    return flow;
}

static gx_try with_enter(gx_frame *f, const gx_node *item, gx_value *out) {
    gx_value manager, entered, exit;
    const char *lacks;
    if (!gx_eval(f, item->a, &manager)) return GX_TRY_ERROR;
    gx_try has = gx_context_enter(f->rt, manager, &entered, &exit, &lacks);
    if (has == GX_TRY_NO)
        gx_fail(f->rt, GX_TypeError, "with.protocol",
                "'%s' object does not support the context manager protocol%s",
                gx_type_name(manager),
                strcmp(lacks, "__exit__") == 0 ? " (missed __exit__ method)" : "");
    gx_drop(manager);
    if (has != GX_TRY_YES) {
        gx_locate(f, item->a);
        return GX_TRY_ERROR;
    }
    if (!item->b) {
        gx_drop(entered);
    } else if (!gx_assign_take(f, item->b, entered)) {
        int flow = with_leave(f, item, exit, GX_FLOW_ERROR);
        gx_drop(exit);
        return flow == GX_FLOW_ERROR ? GX_TRY_ERROR : GX_TRY_NO;
    }
    *out = exit;
    return GX_TRY_YES;
}

static int run_with(gx_frame *f, const gx_node *n, int32_t i, bool resumes) {
    gx_record *s = NULL;
    gx_value exit;
    if (i == n->n) return gx_exec(f, n->a);
    if (resumes && !(s = gx_record_enter(f))) return GX_FLOW_ERROR;
    if (s && s->phase) {
        exit = gx_keep(s->value);
    } else {
        gx_try in = with_enter(f, n->list[i], &exit);
        if (in != GX_TRY_YES)
            return gx_record_leave(f, s, in == GX_TRY_NO ? GX_FLOW_NEXT : GX_FLOW_ERROR);
        if (s) {
            s->phase = 1;
            s->value = gx_keep(exit);
        }
    }
    int flow = run_with(f, n, i + 1, resumes);
    if (flow != GX_FLOW_YIELD) flow = with_leave(f, n->list[i], exit, flow);
    gx_drop(exit);
    return gx_record_leave(f, s, flow);
}

static inline int with_(gx_frame *f, const gx_node *n, bool resumes) {
    if (!gx_stack_check(f->rt)) {
        gx_locate(f, n);
        return GX_FLOW_ERROR;
    }
    f->guards++;
    int flow = run_with(f, n, 0, resumes);
    f->guards--;
    return flow;
}
GX_COMPOUND(with)
