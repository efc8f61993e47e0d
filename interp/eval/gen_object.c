/* Generators of generator functions as scripts see them: next, send, throw, close. One that is
   dropped midway inside a try or with is closed, so that its finally blocks run. */
#include "interp/eval/gen_int.h"

#include "runtime/object/class/class.h"
#include "runtime/object/exception.h"
#include "runtime/object/native.h"
#include "runtime/object/text/str.h"
#include "runtime/object/traceback.h"
#include "runtime/object/use.h"

/* --- birth and death -------------------------------------------------------------------------- */

static void release(gx_rt *rt, gx_yielder *g) {
    gx_record *s = &g->base;
    while (s->inner) s = s->inner;
    while (s != &g->base) { /* innermost first */
        gx_record *outer = s->outer;
        gx_record_empty(s);
        gx_free(rt, s);
        s = outer;
    }
    g->base.inner = g->stands = NULL;
    for (int32_t i = 0; i < g->slot_count; i++) gx_drop(gx_steal(&g->slots[i]));
    g->slot_count = 0;
    gx_free(rt, g->slots);
    g->slots = NULL;
    gx_drop(gx_steal(&g->sent));
    gx_drop(gx_steal(&g->thrown));
    gx_drop(gx_steal(&g->yielded));
    gx_func *fn = g->fn;
    g->fn = NULL;
    if (fn) gx_obj_drop(&fn->head.obj);
    g->done = true;
}

/* Does it stand where leaving runs code of the script? */
static bool is_guarded(const gx_yielder *g) {
    return g->started && !g->done && !g->running;
}

static bool close_now(gx_rt *rt, gx_yielder *g) {
    gx_value exc;
    if (g->running)
        return gx_fail(rt, GX_ValueError, "generator.running", "generator already executing");
    if (!is_guarded(g)) {
        release(rt, g);
        return true;
    }
    if (!gx_exception_new(rt, &gx_exception_types[GX_GeneratorExit], 0, NULL, &exc)) return false;
    int flow = gx_yielder_resume(rt, g, gx_none(), exc);
    gx_drop(exc);
    if (flow == GX_FLOW_YIELD) {
        gx_drop(gx_steal(&g->yielded));
        return gx_fail(rt, GX_RuntimeError, "generator.exit", "generator ignored GeneratorExit");
    }
    if (flow == GX_FLOW_ERROR) {
        if (!gx_error_is(rt->error.kind, GX_GeneratorExit) &&
            !gx_error_is(rt->error.kind, GX_StopIteration))
            return false;
        gx_error_clear(rt);
    }
    return true;
}

static void close_last(gx_rt *rt, gx_obj *obj) {
    if (!close_now(rt, (gx_yielder *)obj)) gx_error_clear(rt);
}

static bool parting(gx_rt *rt, gx_obj *obj) {
    gx_yielder *g = (gx_yielder *)obj;
    if (g->parted || !is_guarded(g) || !rt->interp || rt->interp->leaving) return false;
    g->parted = true;
    return gx_last_words_later(rt, obj, close_last);
}

static void free_yielder(gx_rt *rt, gx_obj *obj) {
    gx_yielder *g = (gx_yielder *)obj;
    gx_container_untrack(rt, &g->head);
    release(rt, g);
    gx_drop(gx_steal(&g->returned));
    if (g->code) gx_unit_drop(g->code->unit);
    gx_free(rt, g);
}

static void traverse_yielder(gx_obj *obj, gx_visit visit, void *ctx) {
    gx_yielder *g = (gx_yielder *)obj;
    const gx_value own[] = {g->sent, g->thrown, g->yielded, g->returned};
    for (int i = 0; i < 4; i++)
        if (gx_is_object(own[i])) visit(own[i].obj, ctx);
    for (int32_t i = 0; i < g->slot_count; i++)
        if (gx_is_object(g->slots[i])) visit(g->slots[i].obj, ctx);
    for (const gx_record *s = g->base.inner; s; s = s->inner) {
        const gx_value held[] = {s->loop.over, s->value, s->result};
        for (int k = 0; k < 3; k++)
            if (gx_is_object(held[k])) visit(held[k].obj, ctx);
    }
    if (g->fn) visit(&g->fn->head.obj, ctx);
}

static void clear_yielder(gx_rt *rt, gx_obj *obj) {
    release(rt, (gx_yielder *)obj);
    gx_drop(gx_steal(&((gx_yielder *)obj)->returned));
}

bool gx_yielder_new(gx_rt *rt, gx_func *fn, gx_value *slots, gx_value *out) {
    gx_yielder *g = gx_obj_new(rt, &gx_type_yielder, sizeof *g);
    if (!g) return false;
    int32_t count = fn->code->slots;
    g->slots = gx_alloc(rt, (size_t)(count ? count : 1) * sizeof *g->slots);
    if (!g->slots) {
        gx_obj_drop(&g->head.obj);
        return false;
    }
    for (int32_t i = 0; i < count; i++) g->slots[i] = gx_steal(&slots[i]);
    g->slot_count = count;
    g->fn = fn;
    g->code = fn->code;
    gx_unit_keep(fn->code->unit);
    gx_obj_keep(&fn->head.obj);
    gx_container_track(rt, &g->head);
    *out = gx_object(&g->head.obj);
    return true;
}

/* --- running ---------------------------------------------------------------------------------- */

/* A StopIteration that leaves the body would look like its end. */
static void no_stop(gx_rt *rt) {
    gx_value exc;
    if (rt->error.kind != GX_StopIteration || !gx_exception_from_error(rt, &exc)) return;
    gx_fail(rt, GX_RuntimeError, "generator.stop", "generator raised StopIteration");
    gx_exception *e = gx_as_exception(exc);
    if (e->report) rt->error.at = e->report->at;
    gx_value made;
    if (gx_exception_from_error(rt, &made)) {
        e = gx_as_exception(made);
        e->cause = gx_keep(exc);
        e->context = gx_keep(exc);
        e->silent = true;
        gx_exception_raise(rt, made);
        gx_drop(made);
    }
    gx_drop(exc);
}

/* The start or the end of a life, where there is no yield to answer. True: *flow is the outcome. */
static bool at_edge(gx_rt *rt, gx_yielder *g, gx_borrowed thrown, int *flow) {
    if (g->done) {
        *flow = GX_FLOW_NEXT;
        if (thrown.tag != GX_UNDEF) {
            gx_exception_raise(rt, thrown);
            *flow = GX_FLOW_ERROR;
        }
        return true;
    }
    if (g->started || thrown.tag == GX_UNDEF) return false;
    release(rt, g);
    gx_exception_raise(rt, thrown);
    *flow = GX_FLOW_ERROR;
    return true;
}

int gx_yielder_resume(gx_rt *rt, gx_yielder *g, gx_borrowed sent, gx_borrowed thrown) {
    int flow = GX_FLOW_ERROR;
    if (g->running) {
        gx_fail(rt, GX_ValueError, "generator.running", "generator already executing");
        return flow;
    }
    if (g->done) gx_drop(gx_steal(&g->returned)); /* given once, and by the end alone */
    if (at_edge(rt, g, thrown, &flow)) return flow;
    if (rt->depth >= rt->max_depth || !gx_stack_ok(rt)) {
        gx_fail(rt, GX_RecursionError, "stack.depth", "maximum recursion depth exceeded");
        return flow;
    }
    gx_frame f = {.slots = g->slots,
                  .globals = g->fn->globals,
                  .rt = rt,
                  .vm = rt->interp,
                  .boxes = g->fn->boxes,
                  .code = g->fn->code,
                  .result = gx_none(),
                  .yielder = g,
                  .record = &g->base,
                  .outer = rt->interp->frame,
                  .caller = rt->here};
    gx_obj_keep(&g->head.obj);
    gx_drop(g->sent);
    g->sent = gx_keep(sent);
    gx_drop(g->thrown);
    g->thrown = gx_keep(thrown);
    g->running = g->started = true;
    rt->depth++;
    f.vm->frame = &f;
    const gx_span here = rt->here;
    flow = gx_exec(&f, f.code->body);
    f.vm->frame = f.outer;
    rt->depth--;
    g->running = false;
    if (flow != GX_FLOW_YIELD) {
        if (flow == GX_FLOW_ERROR) gx_trace_add_quiet(rt, f.code->name, here);
        if (flow == GX_FLOW_ERROR)
            no_stop(rt);
        else
            flow = GX_FLOW_NEXT;
        gx_value old = g->returned;
        g->returned = gx_steal(&f.result);
        gx_drop(old);
        release(rt, g);
    }
    gx_drop(f.result);
    gx_obj_drop(&g->head.obj);
    return flow;
}

static bool next_yielder(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_yielder *g = (gx_yielder *)self.obj;
    int flow = gx_yielder_resume(rt, g, gx_none(), gx_undef());
    *more = flow == GX_FLOW_YIELD;
    if (*more) *out = gx_steal(&g->yielded);
    return flow != GX_FLOW_ERROR;
}

/* --- methods ---------------------------------------------------------------------------------- */

/* What a resumption gives to a caller that expects an item. */
static bool item(gx_rt *rt, gx_borrowed self, int flow, gx_value *out) {
    gx_yielder *g = (gx_yielder *)self.obj;
    if (flow == GX_FLOW_ERROR) return false;
    if (flow == GX_FLOW_YIELD) {
        *out = gx_steal(&g->yielded);
        return true;
    }
    gx_value v = g->returned;
    g->returned = gx_none();
    gx_stop_iteration(rt, v.tag == GX_UNDEF ? gx_none() : v);
    gx_drop(v);
    return false;
}

static bool gen_send(gx_call *c, gx_value *out) {
    gx_yielder *g = (gx_yielder *)c->argv[0].obj;
    if (!g->started && !g->done && c->argv[1].tag != GX_NONE)
        return gx_fail(c->rt, GX_TypeError, "generator.send",
                       "can't send non-None value to a just-started generator");
    gx_use_hands_on(c);
    gx_keep(c->argv[0]);
    bool ok = item(c->rt, c->argv[0], gx_yielder_resume(c->rt, g, c->argv[1], gx_undef()), out);
    gx_drop(c->argv[0]);
    return ok;
}

bool gx_thrown(gx_call *c, gx_value *out) {
    gx_value exc = gx_keep(c->argv[1]);
    if (gx_is_exception_type(exc)) {
        bool given = gx_arg_some(c, 2);
        if (given && gx_isinstance(c->argv[2], gx_as_type(exc)))
            exc = gx_keep(c->argv[2]);
        else if (!gx_call_value(c->rt, c->argv[1], given, c->argv + 2, 0, NULL, &exc))
            return false;
    }
    if (exc.tag != GX_EXCEPTION) {
        gx_fail(c->rt, GX_TypeError, "generator.throw",
                "exceptions must be classes or instances deriving from BaseException, not %s",
                gx_type_name(exc));
        gx_drop(exc);
        return false;
    }
    *out = exc;
    return true;
}

static bool gen_throw(gx_call *c, gx_value *out) {
    gx_value exc;
    if (!gx_thrown(c, &exc)) return false;
    gx_keep(c->argv[0]);
    int flow = gx_yielder_resume(c->rt, (gx_yielder *)c->argv[0].obj, gx_none(), exc);
    bool ok = item(c->rt, c->argv[0], flow, out);
    gx_drop(c->argv[0]);
    gx_drop(exc);
    return ok;
}

/* What the function returned on its way out is close()'s value. */
static bool gen_close(gx_call *c, gx_value *out) {
    gx_yielder *g = (gx_yielder *)c->argv[0].obj;
    gx_keep(c->argv[0]);
    gx_drop(gx_steal(&g->returned));
    bool ok = close_now(c->rt, g);
    gx_value v = gx_steal(&g->returned);
    gx_drop(c->argv[0]);
    if (ok)
        *out = v.tag == GX_UNDEF ? gx_none() : v;
    else
        gx_drop(v);
    return ok;
}

static bool iter_yielder(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(self);
    return true;
}

static bool repr_yielder(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const gx_yielder *g = (const gx_yielder *)v.obj;
    const char *name = g->code->qualname;
    (void)rt;
    return gx_buf_printf(out, "<generator object %s at %p>", name, (void *)v.obj);
}

/* What the function returned, for next() to put into its StopIteration. */
static bool get_value(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    gx_yielder *g = (gx_yielder *)self.obj;
    gx_value v = gx_steal(&g->returned);
    *out = v.tag == GX_UNDEF ? gx_none() : v;
    return true;
}

static const gx_native methods[] = {
    {"send", "send(self, value, /)", "Goes on with the yield's answer; the next item.", NULL,
     gen_send, 0, 0},
    {"throw", "throw(self, type, value=None, traceback=None, /)",
     "Goes on by raising at the yield; the next item.", NULL, gen_throw, 0, 0},
    {"close", "close(self, /)", "Ends it by GeneratorExit at the yield.", NULL, gen_close, 0, 0},
    {0},
};
static bool get_running(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_bool(((gx_yielder *)self.obj)->running);
    return true;
}

static bool get_suspended(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_yielder *g = (gx_yielder *)self.obj;
    (void)rt;
    *out = gx_bool(g->started && !g->running && !g->done);
    return true;
}

static bool get_code(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_code_new(rt, ((gx_yielder *)self.obj)->code, out);
}

static bool get_frame(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_yielder *g = (gx_yielder *)self.obj;
    *out = gx_none();
    return g->done || gx_trace_frame(rt, g->code->name, g->at.end ? g->at : g->code->at, out);
}

/* What a yield from asks. */
static bool get_inner(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_yielder *g = (gx_yielder *)self.obj;
    (void)rt;
    *out = gx_none();
    if (g->stands && g->stands->asks && !g->running) *out = gx_keep(g->stands->value);
    return true;
}

static bool get_name(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_of_sym(rt, ((gx_yielder *)self.obj)->code->name, out);
}
static bool get_qualname(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_c(rt, ((gx_yielder *)self.obj)->code->qualname, out);
}

static const gx_member members[] = {
    {"gi_running", get_running, NULL, "Is its function running?"},
    {"gi_suspended", get_suspended, NULL, "Does it stand at a yield?"},
    {"gi_code", get_code, NULL, "The function's code."},
    {"gi_frame", get_frame, NULL, "Where it stands; None once it has ended."},
    {"gi_yieldfrom", get_inner, NULL, "What its yield from asks, or None."},
    {"__name__", get_name, NULL, "The function's name."},
    {"__qualname__", get_qualname, NULL, "The name with what is around it."},
    {"gi_return", get_value, NULL, "What the function has returned; it is given once."},
    {0},
};

const gx_type gx_type_yielder = {
    .name = "generator",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .container = true,
    .doc = "A function with yield that is being run item by item.",
    .free = free_yielder,
    .parting = parting,
    .traverse = traverse_yielder,
    .clear = clear_yielder,
    .repr = repr_yielder,
    .iter = iter_yielder,
    .next = next_yielder,
    .methods = methods,
    .members = members,
};
