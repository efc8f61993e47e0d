/* while and for. Loops over ranges, lists and tuples make no iterator; every back edge looks for an
   interrupt. */
#include "interp/eval/loop/hot_loop.h"
#include "interp/eval/record.h"

#include "runtime/object/number/number.h"

enum { BEGIN, BODY, ELSE };

static inline int while_(gx_frame *f, const gx_node *n, bool resumes) {
    gx_record *s = NULL;
    if (resumes && !(s = gx_record_enter(f))) return GX_FLOW_ERROR;
    bool yes = s && s->phase == BODY; /* the test was true */
    while (!s || s->phase != ELSE) {
        int hot;
        if (!s && gx_is_hot(f, n) && gx_hot_run(f, n, NULL, &hot))
            return hot == GX_FLOW_BREAK ? GX_FLOW_NEXT : hot;
        if (!yes && !gx_test(f, n->a, &yes)) return gx_record_leave(f, s, GX_FLOW_ERROR);
        if (!yes) break;
        if (s) s->phase = BODY;
        int flow = gx_exec(f, n->b);
        if (flow == GX_FLOW_BREAK) return gx_record_leave(f, s, GX_FLOW_NEXT);
        if (flow >= GX_FLOW_RETURN) return gx_record_leave(f, s, flow);
        if (gx_must_stop(f->rt)) return gx_record_leave(f, s, gx_loop_interrupted(f, n));
        yes = false;
    }
    if (s) s->phase = ELSE;
    return gx_record_leave(f, s, n->c ? gx_exec(f, n->c) : GX_FLOW_NEXT);
}
GX_COMPOUND(while)

/* Runs the body over an open loop: NEXT when it is exhausted, BREAK, or what leaves the loop. The
   record, if there is one, may stand in the body. */
static inline int run_loop(gx_frame *f, const gx_node *n, gx_iteration *l, gx_record *s) {
    const gx_node *target = n->a, *body = n->b;
    const gx_node *only = body->n == 1 ? body->list[0] : NULL;
    bool local = target->kind == GX_NODE_NAME && target->scope == GX_SCOPE_LOCAL;
    bool inside = s && s->phase == BODY;
    if (!s && target->kind == GX_NODE_NAME && target->scope != GX_SCOPE_NAMED &&
        l->over.tag == GX_RANGE) {
        const gx_range *range = (const gx_range *)l->over.obj;
        return gx_exec_rounds(f, n, (gx_rounds){range->start, range->count, range->step});
    }
    for (;;) {
        gx_value v;
        bool more = true;
        if (!inside && !gx_loop_next(f->rt, l, &v, &more)) {
            gx_locate(f, n->list[0]);
            return GX_FLOW_ERROR;
        }
        if (!more) return GX_FLOW_NEXT;
        if (inside)
            inside = false;
        else if (local)
            gx_rebind(&f->slots[target->slot], v);
        else if (!gx_assign_take(f, target, v))
            return GX_FLOW_ERROR;
        if (s) s->phase = BODY;
        int flow = gx_exec_body(f, body, only);
        if (flow != GX_FLOW_NEXT && flow != GX_FLOW_CONTINUE) return flow;
        if (gx_must_stop(f->rt)) return gx_loop_interrupted(f, n);
    }
}

static inline int for_(gx_frame *f, const gx_node *n, bool resumes) {
    gx_record *s = NULL;
    gx_iteration own, *l = &own;
    if (resumes) {
        if (!(s = gx_record_enter(f))) return GX_FLOW_ERROR;
        l = &s->loop;
    }
    if ((!s || s->phase == BEGIN) && !gx_loop_start(f, n->list[0], l))
        return gx_record_leave(f, s, GX_FLOW_ERROR);
    int flow = s && s->phase == ELSE ? GX_FLOW_NEXT : run_loop(f, n, l, s);
    if (flow == GX_FLOW_YIELD) return flow;
    gx_loop_end(l);
    if (flow == GX_FLOW_BREAK) return gx_record_leave(f, s, GX_FLOW_NEXT);
    if (s) s->phase = ELSE;
    if (flow == GX_FLOW_NEXT && n->c) flow = gx_exec(f, n->c);
    return gx_record_leave(f, s, flow);
}
GX_COMPOUND(for)
