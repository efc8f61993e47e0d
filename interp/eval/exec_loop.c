/* while and for. Loops over ranges, lists and tuples make no iterator; every back edge looks for an
   interrupt. */
#include "interp/eval/evaluator.h"

#include "runtime/object/number/number.h"

static int interrupted(gx_frame *f, const gx_node *n) {
    gx_stop(f->rt);
    gx_locate_at(f, f->rt->here.end ? f->rt->here : n->at);
    return GX_FLOW_ERROR;
}

int gx_exec_while(gx_frame *f, const gx_node *n) {
    bool yes;
    for (;;) {
        if (!gx_test(f, n->a, &yes)) return GX_FLOW_ERROR;
        if (!yes) break;
        int flow = gx_exec(f, n->b);
        if (flow == GX_FLOW_BREAK) return GX_FLOW_NEXT;
        if (flow >= GX_FLOW_RETURN) return flow;
        if (gx_must_stop(f->rt)) return interrupted(f, n);
    }
    return n->c ? gx_exec(f, n->c) : GX_FLOW_NEXT;
}

static inline void set_local(gx_value *slot, gx_value v) {
    gx_value old = *slot;
    *slot = v;
    gx_drop(old);
}

/* The loop's body; one statement is executed without its block. */
static inline int run_body(gx_frame *f, const gx_node *body, const gx_node *only) {
    if (!only || f->guards) return gx_exec(f, body);
    f->rt->here = only->at;
    int flow = gx_exec(f, only);
    if (GX_UNLIKELY(flow == GX_FLOW_ERROR)) gx_locate(f, only);
    if (GX_UNLIKELY(f->rt->dying)) gx_last_words(f->rt);
    return flow;
}

/* A range with a local target: the count is all the state there is. */
static int run_range(gx_frame *f, const gx_node *n, const gx_range *r) {
    const gx_node *body = n->b, *only = body->n == 1 ? body->list[0] : NULL;
    int32_t slot = n->a->slot;
    uint64_t at = (uint64_t)r->start, step = (uint64_t)r->step;
    for (int64_t left = r->count; left > 0; left--, at += step) {
        set_local(&f->slots[slot], gx_int((int64_t)at));
        int flow = run_body(f, body, only);
        if (GX_UNLIKELY(flow != GX_FLOW_NEXT) && flow != GX_FLOW_CONTINUE) return flow;
        if (gx_must_stop(f->rt)) return interrupted(f, n);
    }
    return GX_FLOW_NEXT;
}

/* Runs the body over an open loop: NEXT when it is exhausted, BREAK, or what leaves the loop. */
static int run_loop(gx_frame *f, const gx_node *n, gx_iteration *l) {
    const gx_node *target = n->a, *body = n->b, *only = body->n == 1 ? body->list[0] : NULL;
    bool local = target->kind == GX_NODE_NAME && target->scope == GX_SCOPE_LOCAL;
    if (local && l->over.tag == GX_RANGE) return run_range(f, n, (const gx_range *)l->over.obj);
    for (;;) {
        gx_value v;
        bool more;
        if (!gx_loop_next(f->rt, l, &v, &more)) {
            gx_locate(f, n->list[0]);
            return GX_FLOW_ERROR;
        }
        if (!more) return GX_FLOW_NEXT;
        if (local)
            set_local(&f->slots[target->slot], v);
        else if (!gx_assign_take(f, target, v))
            return GX_FLOW_ERROR;
        int flow = run_body(f, body, only);
        if (flow != GX_FLOW_NEXT && flow != GX_FLOW_CONTINUE) return flow;
        if (gx_must_stop(f->rt)) return interrupted(f, n);
    }
}

int gx_exec_for(gx_frame *f, const gx_node *n) {
    gx_iteration l;
    if (!gx_loop_start(f, n->list[0], &l)) return GX_FLOW_ERROR;
    int flow = run_loop(f, n, &l);
    gx_loop_end(&l);
    if (flow == GX_FLOW_BREAK) return GX_FLOW_NEXT;
    if (flow == GX_FLOW_NEXT && n->c) return gx_exec(f, n->c);
    return flow;
}
