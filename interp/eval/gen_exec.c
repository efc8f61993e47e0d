/* Running the statements of a generator function. Statements without a yield inside are run by
   their ordinary executors; the others keep a record each, so that a yield can leave them all and a
   resumption walk down into them again. Nothing is on the C stack or the value stack meanwhile.

   Invariant: records stand in the order of nesting; a statement that ends has dropped its own. */
#include "interp/eval/gen_int.h"

#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"

void gx_step_drop(gx_gen_step *s) {
    gx_gen_step old = *s;
    *s = (gx_gen_step){0};
    gx_loop_end(&old.loop);
    gx_drop(old.value);
    gx_drop(old.result);
}

/* The record of the statement about to run; *fresh: it begins. NULL: memory. Records may move. */
static gx_gen_step *enter(gx_frame *f, gx_yielder *g) {
    if (g->level == g->steps.count) {
        gx_gen_step empty = {0};
        if (!gx_vec_push(f->rt, &g->steps, empty)) return NULL;
    }
    return &g->steps.items[g->level++];
}

static inline gx_gen_step *step_at(gx_yielder *g, size_t level) {
    return &g->steps.items[level];
}

/* The statement at `level` has ended. */
static int leave(gx_yielder *g, size_t level, int flow) {
    while (g->steps.count > level) gx_step_drop(&g->steps.items[--g->steps.count]);
    g->level = level;
    return flow;
}

/* Runs a part of the statement at `level`, and makes it the innermost again. */
static int run_part(gx_frame *f, gx_yielder *g, size_t level, const gx_node *n) {
    g->level = level + 1;
    return gx_gen_run(f, g, n);
}

static int stop(gx_frame *f, const gx_node *n) {
    gx_stop(f->rt);
    gx_locate_at(f, f->rt->here.end ? f->rt->here : n->at);
    return GX_FLOW_ERROR;
}

static int run_block(gx_frame *f, gx_yielder *g, const gx_node *n) {
    size_t level = g->level;
    gx_gen_step *s = enter(f, g);
    if (!s) return GX_FLOW_ERROR;
    for (int32_t i = s->at; i < n->n; i++) {
        const gx_node *part = n->list[i];
        step_at(g, level)->at = i;
        f->rt->here = part->at;
        int flow = run_part(f, g, level, part);
        if (flow == GX_FLOW_YIELD) return flow;
        if (flow == GX_FLOW_ERROR) gx_locate(f, part);
        if (flow != GX_FLOW_NEXT) return leave(g, level, flow);
    }
    return leave(g, level, GX_FLOW_NEXT);
}

static int run_if(gx_frame *f, gx_yielder *g, const gx_node *n) {
    size_t level = g->level;
    gx_gen_step *s = enter(f, g);
    if (!s) return GX_FLOW_ERROR;
    if (s->phase == 0) {
        const gx_node *body = n;
        while (body && body->kind == GX_NODE_IF) {
            bool yes;
            if (!gx_test(f, body->a, &yes)) return leave(g, level, GX_FLOW_ERROR);
            body = yes ? body->b : body->c;
            if (yes) break;
        }
        if (!body) return leave(g, level, GX_FLOW_NEXT);
        s = step_at(g, level);
        s->node = body;
        s->phase = 1;
    }
    int flow = run_part(f, g, level, s->node);
    return flow == GX_FLOW_YIELD ? flow : leave(g, level, flow);
}

enum { FETCH, BODY, ELSE };

/* One round of a loop's body is over with `flow`. True: the loop goes on. */
static bool goes_on(gx_frame *f, const gx_node *n, int *flow) {
    if (*flow == GX_FLOW_BREAK) {
        *flow = GX_FLOW_NEXT;
        return false;
    }
    if (*flow != GX_FLOW_NEXT && *flow != GX_FLOW_CONTINUE) return false;
    if (!gx_must_stop(f->rt)) return true;
    *flow = stop(f, n);
    return false;
}

/* Has the loop another round? Fetches the target of a for. */
static bool next_round(gx_frame *f, gx_yielder *g, const gx_node *n, size_t level, bool *more) {
    gx_value v;
    if (n->kind == GX_NODE_WHILE) return gx_test(f, n->a, more);
    gx_iteration l = step_at(g, level)->loop;
    bool ok = gx_loop_next(f->rt, &l, &v, more);
    step_at(g, level)->loop.at = l.at;
    if (!ok) return gx_locate(f, n->list[0]);
    return !*more || gx_assign_take(f, n->a, v);
}

static int run_loop(gx_frame *f, gx_yielder *g, const gx_node *n) {
    size_t level = g->level;
    gx_gen_step *s = enter(f, g);
    if (!s) return GX_FLOW_ERROR;
    if (n->kind == GX_NODE_FOR && s->loop.over.tag == GX_UNDEF && s->phase == FETCH) {
        gx_iteration l;
        if (!gx_loop_start(f, n->list[0], &l)) return leave(g, level, GX_FLOW_ERROR);
        step_at(g, level)->loop = l;
    }
    for (;;) {
        int flow;
        bool more;
        s = step_at(g, level);
        if (s->phase == FETCH) {
            if (!next_round(f, g, n, level, &more)) return leave(g, level, GX_FLOW_ERROR);
            step_at(g, level)->phase = more ? BODY : ELSE;
        } else if (s->phase == BODY) {
            flow = run_part(f, g, level, n->b);
            if (flow == GX_FLOW_YIELD) return flow;
            if (!goes_on(f, n, &flow)) return leave(g, level, flow);
            step_at(g, level)->phase = FETCH;
        } else {
            flow = n->c ? run_part(f, g, level, n->c) : GX_FLOW_NEXT;
            return flow == GX_FLOW_YIELD ? flow : leave(g, level, flow);
        }
    }
}

/* --- try -------------------------------------------------------------------------------------- */

enum { TRY_BODY, TRY_HANDLER, TRY_ELSE, TRY_FINALLY };

/* The clause that takes the pending error; *flow when something fails meanwhile. */
static const gx_node *find_handler(gx_frame *f, const gx_node *n, gx_gen_step *s) {
    for (int32_t i = 0; i < n->n; i++) {
        gx_try match = gx_try_matches(f, n->list[i]);
        if (match == GX_TRY_ERROR) return NULL;
        if (match == GX_TRY_NO) continue;
        if (!gx_try_catch(f, &s->value)) return NULL;
        s->at = i;
        return n->list[i];
    }
    return NULL;
}

static int run_handler(gx_frame *f, gx_yielder *g, const gx_node *n, size_t level, bool fresh) {
    gx_gen_step *s = step_at(g, level);
    const gx_node *clause = n->list[s->at];
    gx_value exc = gx_keep(s->value);
    gx_handled here = {.exception = exc, .outer = f->vm->handled};
    int flow = GX_FLOW_ERROR;
    f->vm->handled = &here;
    if (!fresh || !clause->b || gx_assign(f, clause->b, exc))
        flow = run_part(f, g, level, clause->c);
    f->vm->handled = here.outer;
    if (flow != GX_FLOW_YIELD && clause->b) gx_unbind(f, clause->b);
    if (flow == GX_FLOW_ERROR) gx_try_context(f->rt, exc);
    gx_drop(exc);
    return flow;
}

/* The body, its handlers and else; FLOW_YIELD, or how it ended. */
static int run_guarded(gx_frame *f, gx_yielder *g, const gx_node *n, size_t level) {
    bool fresh = false;
    if (step_at(g, level)->phase == TRY_BODY) {
        f->guards++;
        int flow = run_part(f, g, level, n->a);
        f->guards--;
        if (flow == GX_FLOW_NEXT && n->b) {
            step_at(g, level)->phase = TRY_ELSE;
        } else if (flow == GX_FLOW_ERROR) {
            if (!find_handler(f, n, step_at(g, level))) return flow;
            step_at(g, level)->phase = TRY_HANDLER;
            fresh = true;
        } else {
            return flow;
        }
    }
    if (step_at(g, level)->phase == TRY_ELSE) return run_part(f, g, level, n->b);
    return run_handler(f, g, n, level, fresh);
}

/* Puts aside how the statement was left, for the finally block to run in peace. */
static bool put_aside(gx_frame *f, gx_gen_step *s, int flow) {
    gx_drop(gx_steal(&s->value));
    s->flow = flow;
    s->phase = TRY_FINALLY;
    s->result = f->result;
    f->result = gx_none();
    return flow != GX_FLOW_ERROR || gx_try_catch(f, &s->value);
}

static int run_try(gx_frame *f, gx_yielder *g, const gx_node *n) {
    size_t level = g->level;
    if (!enter(f, g)) return GX_FLOW_ERROR;
    if (step_at(g, level)->phase != TRY_FINALLY) {
        int flow = run_guarded(f, g, n, level);
        if (flow == GX_FLOW_YIELD) return flow;
        leave(g, level + 1, flow);
        if (!n->c) return leave(g, level, flow);
        if (!put_aside(f, step_at(g, level), flow)) return leave(g, level, GX_FLOW_ERROR);
    }
    gx_value exc = gx_keep(step_at(g, level)->value);
    bool failed = step_at(g, level)->flow == GX_FLOW_ERROR;
    gx_handled here = {.exception = exc, .outer = f->vm->handled};
    if (failed) f->vm->handled = &here;
    int after = run_part(f, g, level, n->c);
    f->vm->handled = here.outer;
    if (failed && after == GX_FLOW_ERROR) gx_try_context(f->rt, exc);
    gx_drop(exc);
    if (after == GX_FLOW_YIELD) return after;
    gx_gen_step *s = step_at(g, level);
    if (after == GX_FLOW_NEXT) {
        after = s->flow;
        gx_drop(f->result);
        f->result = gx_steal(&s->result);
        if (after == GX_FLOW_ERROR) gx_exception_raise(f->rt, s->value);
    }
    return leave(g, level, after);
}

/* --- with, match ------------------------------------------------------------------------------ */

static int run_with(gx_frame *f, gx_yielder *g, const gx_node *n, int32_t i) {
    size_t level = g->level;
    if (!enter(f, g)) return GX_FLOW_ERROR;
    if (step_at(g, level)->phase == 0) {
        gx_value exit;
        gx_try in = gx_with_enter(f, n->list[i], &exit);
        if (in != GX_TRY_YES)
            return leave(g, level, in == GX_TRY_NO ? GX_FLOW_NEXT : GX_FLOW_ERROR);
        step_at(g, level)->value = exit;
        step_at(g, level)->phase = 1;
    }
    g->level = level + 1;
    f->guards++;
    int flow = i + 1 < n->n ? run_with(f, g, n, i + 1) : gx_gen_run(f, g, n->a);
    f->guards--;
    if (flow == GX_FLOW_YIELD) return flow;
    gx_value exit = gx_steal(&step_at(g, level)->value);
    flow = gx_with_leave(f, n->list[i], exit, flow);
    gx_drop(exit);
    return leave(g, level, flow);
}

static int run_match(gx_frame *f, gx_yielder *g, const gx_node *n) {
    size_t level = g->level;
    if (!enter(f, g)) return GX_FLOW_ERROR;
    if (!step_at(g, level)->node) {
        const gx_node *block;
        if (!gx_match_choose(f, n, &block)) return leave(g, level, GX_FLOW_ERROR);
        if (!block) return leave(g, level, GX_FLOW_NEXT);
        step_at(g, level)->node = block;
    }
    int flow = run_part(f, g, level, step_at(g, level)->node);
    return flow == GX_FLOW_YIELD ? flow : leave(g, level, flow);
}

/* --- yield ------------------------------------------------------------------------------------ */

static void answer(gx_frame *f, const gx_node *n, gx_value v) {
    gx_value *place = gx_name_place(f, n), old = *place;
    *place = v;
    gx_drop(old);
}

static int run_yield(gx_frame *f, gx_yielder *g, const gx_node *n) {
    size_t level = g->level;
    if (!enter(f, g)) return GX_FLOW_ERROR;
    if (step_at(g, level)->phase == 0) {
        gx_value v = gx_none();
        if (n->a && !gx_eval(f, n->a, &v)) return leave(g, level, GX_FLOW_ERROR);
        g->yielded = v;
        g->at = n->at;
        step_at(g, level)->phase = 1;
        return GX_FLOW_YIELD;
    }
    gx_value thrown = gx_steal(&g->thrown);
    if (thrown.tag != GX_UNDEF) {
        gx_exception_raise(f->rt, thrown);
        gx_drop(thrown);
        gx_locate(f, n);
        return leave(g, level, GX_FLOW_ERROR);
    }
    answer(f, n, gx_steal(&g->sent));
    return leave(g, level, GX_FLOW_NEXT);
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

static int run_yield_from(gx_frame *f, gx_yielder *g, const gx_node *n) {
    size_t level = g->level;
    gx_value v;
    if (!enter(f, g)) return GX_FLOW_ERROR;
    if (step_at(g, level)->phase == 0) {
        gx_value over;
        if (!gx_eval(f, n->a, &over)) return leave(g, level, GX_FLOW_ERROR);
        bool ok = gx_iter(f->rt, over, &v);
        gx_drop(over);
        if (!ok) {
            gx_locate(f, n->a);
            return leave(g, level, GX_FLOW_ERROR);
        }
        step_at(g, level)->value = v;
        step_at(g, level)->asks = true;
        step_at(g, level)->phase = 1;
        g->at = n->at;
        gx_drop(gx_steal(&g->sent));
        g->sent = gx_none();
    }
    gx_value over = gx_keep(step_at(g, level)->value);
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
    return leave(g, level, flow);
}

int gx_gen_run(gx_frame *f, gx_yielder *g, const gx_node *n) {
    if (!n->scope) return gx_exec(f, n);
    if (!gx_stack_check(f->rt)) return GX_FLOW_ERROR;
    switch (n->kind) {
    case GX_NODE_BLOCK:
        return run_block(f, g, n);
    case GX_NODE_IF:
        return run_if(f, g, n);
    case GX_NODE_WHILE:
    case GX_NODE_FOR:
        return run_loop(f, g, n);
    case GX_NODE_TRY:
        return run_try(f, g, n);
    case GX_NODE_WITH:
        return run_with(f, g, n, 0);
    case GX_NODE_MATCH:
        return run_match(f, g, n);
    case GX_NODE_YIELDED:
        return n->op ? run_yield_from(f, g, n) : run_yield(f, g, n);
    default:
        return gx_exec(f, n);
    }
}

/* The answer, moved out of its hidden slot. */
bool gx_eval_yield(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value v = gx_steal(gx_name_place(f, n));
    *out = v.tag == GX_UNDEF ? gx_none() : v;
    return true;
}

/* The parser lets a yield stand in functions only, and those run as generators. */
int gx_exec_yielded(gx_frame *f, const gx_node *n) {
    gx_fail(f->rt, GX_RuntimeError, "yield.outside", "'yield' outside function");
    gx_locate(f, n);
    return GX_FLOW_ERROR;
}
