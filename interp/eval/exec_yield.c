/* yield and yield from: the statements that leave a generator function, and go on where it is
   resumed. The records of the statements around them stay (record.h). */
#include "interp/eval/gen_int.h"

#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"

gx_record *gx_record_fresh(gx_frame *f) {
    gx_record *now = f->record, *made = gx_alloc_zero(f->rt, sizeof *made);
    if (!made) return NULL;
    made->outer = now;
    return f->record = now->inner = made;
}

void gx_record_drop(gx_record *s) {
    const gx_value over = s->loop.over, value = s->value, result = s->result;
    s->loop.over = s->value = s->result = gx_undef();
    gx_drop(over);
    gx_drop(value);
    gx_drop(result);
}

static void answer(gx_frame *f, const gx_node *n, gx_value v) {
    gx_value *place = gx_name_place(f, n), old = *place;
    *place = v;
    gx_drop(old);
}

static int run_yield(gx_frame *f, gx_yielder *g, gx_record *s, const gx_node *n) {
    if (s->phase == 0) {
        gx_value v = gx_none();
        if (n->a && !gx_eval(f, n->a, &v)) return GX_FLOW_ERROR;
        g->yielded = v;
        g->at = n->at;
        s->phase = 1;
        return GX_FLOW_YIELD;
    }
    gx_value thrown = gx_steal(&g->thrown);
    if (thrown.tag != GX_UNDEF) {
        gx_exception_raise(f->rt, thrown);
        gx_drop(thrown);
        gx_locate(f, n);
        return GX_FLOW_ERROR;
    }
    answer(f, n, gx_steal(&g->sent));
    return GX_FLOW_NEXT;
}

/* The pending StopIteration's value; false: another error is pending. */
static bool stopped(gx_rt *rt, gx_value *out) {
    gx_value exc;
    if (rt->error.kind != GX_StopIteration) return false;
    if (!gx_exception_from_error(rt, &exc)) return false;
    const gx_value *args;
    int64_t n = gx_sequence_items(gx_as_exception(exc)->args, &args);
    *out = n > 0 ? gx_keep(args[0]) : gx_none();
    gx_drop(exc);
    return true;
}

/* Calls v.name(argument) if there is such a method; NO: there is none. */
static gx_try call_if(gx_rt *rt, gx_borrowed v, const char *name, int argc,
                      const gx_borrowed *argument, gx_value *out) {
    gx_value fn;
    gx_sym sym = gx_sym_c(rt, name);
    gx_try has = sym ? gx_try_attr(rt, v, sym, &fn) : GX_TRY_ERROR;
    if (has != GX_TRY_YES) return has;
    bool ok = gx_call_value(rt, fn, argc, argument, 0, NULL, out);
    gx_drop(fn);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

/* Throws into what yield from asks. */
static gx_try throw_on(gx_rt *rt, gx_borrowed over, gx_borrowed thrown, gx_value *out) {
    if (!gx_isinstance(thrown, &gx_exception_types[GX_GeneratorExit]))
        return call_if(rt, over, "throw", 1, &thrown, out);
    gx_value r;
    gx_try closed = call_if(rt, over, "close", 0, NULL, &r);
    if (closed == GX_TRY_YES) gx_drop(r);
    return closed == GX_TRY_ERROR ? closed : GX_TRY_NO;
}

/* Asks the iterator of a yield from: YIELD with an item, NEXT with its value, or ERROR. */
static int ask(gx_rt *rt, gx_yielder *g, gx_borrowed over, gx_value *out) {
    gx_value sent = gx_steal(&g->sent), thrown = gx_steal(&g->thrown);
    bool more = true, throws = thrown.tag != GX_UNDEF;
    gx_try done = GX_TRY_NO;
    int flow = GX_FLOW_ERROR;
    bool exits = throws && gx_isinstance(thrown, &gx_exception_types[GX_GeneratorExit]);
    if (gx_is_yielder(over) && !exits) {
        gx_yielder *inner = (gx_yielder *)over.obj;
        flow = gx_yielder_resume(rt, inner, sent, thrown);
        if (flow == GX_FLOW_YIELD) *out = gx_steal(&inner->yielded);
        if (flow == GX_FLOW_NEXT) *out = gx_keep(inner->returned);
        goto done;
    }
    if (throws) {
        done = throw_on(rt, over, thrown, out);
        if (done == GX_TRY_NO) {
            gx_exception_raise(rt, thrown);
            if (!exits && stopped(rt, out)) flow = GX_FLOW_NEXT;
            goto done;
        }
    } else if (sent.tag != GX_NONE) {
        done = call_if(rt, over, "send", 1, &sent, out);
        if (done == GX_TRY_NO) {
            gx_fail(rt, GX_AttributeError, "attr.missing", "'%s' object has no attribute 'send'",
                    gx_type_name(over));
            goto done;
        }
    }
    if (done == GX_TRY_NO) {
        if (!gx_next(rt, over, out, &more)) goto done;
        if (!more) *out = gx_none();
        flow = more ? GX_FLOW_YIELD : GX_FLOW_NEXT;
    } else if (done == GX_TRY_YES) {
        flow = GX_FLOW_YIELD;
    } else if (stopped(rt, out)) {
        flow = GX_FLOW_NEXT;
    }
done:
    gx_drop(sent);
    gx_drop(thrown);
    return flow;
}

static int run_yield_from(gx_frame *f, gx_yielder *g, gx_record *s, const gx_node *n) {
    gx_value v;
    if (s->phase == 0) {
        gx_value over;
        if (!gx_eval(f, n->a, &over)) return GX_FLOW_ERROR;
        bool ok = gx_iter(f->rt, over, &v);
        gx_drop(over);
        if (!ok) {
            gx_locate(f, n->a);
            return GX_FLOW_ERROR;
        }
        s->value = v;
        s->asks = true;
        s->phase = 1;
        g->at = n->at;
        gx_drop(gx_steal(&g->sent));
        g->sent = gx_none();
    }
    gx_value over = gx_keep(s->value);
    int flow = ask(f->rt, g, over, &v);
    gx_drop(over);
    if (flow == GX_FLOW_YIELD) {
        g->yielded = v;
        return flow;
    }
    if (flow == GX_FLOW_NEXT)
        answer(f, n, v);
    else
        gx_locate(f, n);
    return flow;
}

/* The answer, moved out of its hidden slot. */
bool gx_eval_yield(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value v = gx_steal(gx_name_place(f, n));
    *out = v.tag == GX_UNDEF ? gx_none() : v;
    return true;
}

int gx_exec_yielded(gx_frame *f, const gx_node *n) {
    gx_record *s;
    if (!f->yielder) { /* the parser lets a yield stand in functions only, which are generators */
        gx_fail(f->rt, GX_RuntimeError, "yield.outside", "'yield' outside function");
        gx_locate(f, n);
        return GX_FLOW_ERROR;
    }
    if (!(s = gx_record_enter(f))) return GX_FLOW_ERROR;
    gx_yielder *g = f->yielder;
    int flow = n->op ? run_yield_from(f, g, s, n) : run_yield(f, g, s, n);
    if (flow == GX_FLOW_YIELD) g->stands = s;
    return gx_record_leave(f, s, flow);
}
