/* Generator expressions. A suspended one is plain data: its slots and one open loop a clause;
   `next` continues the innermost loop. So it is lazy, costs no stack of its own, and dropping it
   midway unwinds nothing. Invariant: loops[0 … open-1] are started, the rest are empty. */
#include "interp/eval/gen_int.h"

#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/text/str.h"
#include "runtime/object/traceback.h"
#include "runtime/object/use.h"

typedef struct gx_generator {
    gx_container head;
    const gx_node *node;
    gx_module *globals;
    gx_box **boxes;
    gx_iteration *loops;
    gx_value *slots;
    int32_t box_count, slot_count, open;
    bool running, started;
} gx_generator;

static void release_parts(gx_rt *rt, gx_generator *g) {
    while (g->open > 0) gx_loop_end(&g->loops[--g->open]);
    for (int32_t i = 0; i < g->slot_count; i++) gx_drop(gx_steal(&g->slots[i]));
    for (int32_t i = 0; i < g->box_count; i++) gx_obj_drop(&g->boxes[i]->head.obj);
    g->slot_count = g->box_count = 0;
    gx_free(rt, g->boxes);
    gx_free(rt, g->slots);
    gx_free(rt, g->loops);
    g->boxes = NULL;
    g->slots = NULL;
    g->loops = NULL;
    gx_module *globals = g->globals;
    g->globals = NULL;
    if (globals) gx_obj_drop(&globals->head.obj);
}

static void free_generator(gx_rt *rt, gx_obj *obj) {
    gx_generator *g = (gx_generator *)obj;
    gx_container_untrack(rt, &g->head);
    release_parts(rt, g);
    if (g->node) gx_unit_drop(g->node->function->unit);
    gx_free(rt, g);
}

static void traverse_generator(gx_obj *obj, gx_visit visit, void *ctx) {
    gx_generator *g = (gx_generator *)obj;
    for (int32_t i = 0; i < g->open; i++)
        if (gx_is_object(g->loops[i].over)) visit(g->loops[i].over.obj, ctx);
    for (int32_t i = 0; i < g->slot_count; i++)
        if (gx_is_object(g->slots[i])) visit(g->slots[i].obj, ctx);
    for (int32_t i = 0; i < g->box_count; i++) visit(&g->boxes[i]->head.obj, ctx);
    if (g->globals) visit(&g->globals->head.obj, ctx);
}

static void clear_generator(gx_rt *rt, gx_obj *obj) {
    release_parts(rt, (gx_generator *)obj);
}

static bool repr_generator(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    return gx_buf_printf(out, "<generator object %s at %p>",
                         ((gx_generator *)v.obj)->node->function->qualname, (void *)v.obj);
}

/* Are all conditions of a clause true? */
static bool passes(gx_frame *f, const gx_node *clause, bool *yes) {
    *yes = true;
    for (int32_t i = 0; *yes && i < clause->n; i++)
        if (!gx_test(f, clause->list[i], yes)) return false;
    return true;
}

static inline bool put_take(gx_frame *f, const gx_node *target, gx_value v) {
    if (target->kind != GX_NODE_NAME || target->scope != GX_SCOPE_LOCAL)
        return gx_assign_take(f, target, v);
    gx_value old = f->slots[target->slot];
    f->slots[target->slot] = v;
    gx_drop(old);
    return true;
}

/* Moves on to the next element; *more false: all loops have ended. */
static bool advance(gx_frame *f, gx_generator *g, bool *more) {
    const gx_node *n = g->node;
    while (g->open > 0) {
        const gx_node *clause = n->list[g->open - 1];
        gx_iteration *l = &g->loops[g->open - 1];
        gx_value v;
        bool item, yes;
        if (gx_must_stop(f->rt)) {
            gx_stop(f->rt);
            return gx_locate(f, clause);
        }
        if (!gx_loop_next(f->rt, l, &v, &item)) return gx_locate(f, clause->b);
        if (!item) {
            gx_loop_end(l);
            g->open--;
            continue;
        }
        if (!put_take(f, clause->a, v) || !passes(f, clause, &yes)) return false;
        if (!yes) continue;
        if (g->open == n->n) {
            *more = true;
            return true;
        }
        if (!gx_loop_start(f, n->list[g->open]->b, &g->loops[g->open])) return false;
        g->open++;
    }
    *more = false;
    return true;
}

static bool next_generator(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_generator *g = (gx_generator *)self.obj;
    if (g->running)
        return gx_fail(rt, GX_ValueError, "generator.running", "generator already executing");
    if (!g->slots) {
        *more = false;
        return true;
    }
    if (rt->depth >= rt->max_depth || !gx_stack_ok(rt))
        return gx_fail(rt, GX_RecursionError, "stack.depth", "maximum recursion depth exceeded");
    gx_frame f = {.slots = g->slots, .globals = g->globals, .rt = rt, .vm = rt->interp,
                  .boxes = g->boxes, .code = g->node->function, .outer = rt->interp->frame,
                  .caller = rt->here};
    gx_value v = gx_undef();
    rt->depth++;
    g->running = g->started = true;
    gx_keep(self);
    bool item = false;
    f.vm->frame = &f;
    const gx_span here = rt->here;
    bool ok = advance(&f, g, &item) && (!item || gx_eval(&f, g->node->b, &v));
    if (!ok) gx_trace_add_quiet(rt, f.code->name, here);
    f.vm->frame = f.outer;
    g->running = false;
    rt->depth--;
    /* An error or the end finishes the generator: it yields nothing more. */
    if (!ok || !item) release_parts(rt, g);
    gx_drop(self);
    if (!ok) return false;
    *more = item;
    if (item) *out = v;
    return true;
}

static bool iter_generator(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(self);
    return true;
}

/* --- as a script sees it ---------------------------------------------------------------------- */

static bool gen_send(gx_call *c, gx_value *out) {
    gx_generator *g = (gx_generator *)c->argv[0].obj;
    bool more;
    if (!g->started && g->slots && c->argv[1].tag != GX_NONE)
        return gx_fail(c->rt, GX_TypeError, "generator.send",
                       "can't send non-None value to a just-started generator");
    gx_use_hands_on(c);
    if (!next_generator(c->rt, c->argv[0], out, &more)) return false;
    return more || gx_stop_iteration(c->rt, gx_none());
}

static bool end(gx_call *c) {
    gx_generator *g = (gx_generator *)c->argv[0].obj;
    if (g->running)
        return gx_fail(c->rt, GX_ValueError, "generator.running", "generator already executing");
    release_parts(c->rt, g);
    return true;
}

/* Nothing in it could catch the exception. */
static bool gen_throw(gx_call *c, gx_value *out) {
    gx_value exc;
    (void)out;
    if (!gx_thrown(c, &exc)) return false;
    if (end(c)) gx_exception_raise(c->rt, exc);
    gx_drop(exc);
    return false;
}

static bool gen_close(gx_call *c, gx_value *out) {
    *out = gx_none();
    return end(c);
}

static const gx_native methods[] = {
    {"send", "send(self, value, /)", "The next item.", NULL, gen_send, 0, 0},
    {"throw", "throw(self, type, value=None, traceback=None, /)", "Ends it by raising.", NULL,
     gen_throw, 0, 0},
    {"close", "close(self, /)", "Ends it.", NULL, gen_close, 0, 0},
    {0},
};

static bool get_running(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_bool(((gx_generator *)self.obj)->running);
    return true;
}
static bool get_suspended(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_generator *g = (gx_generator *)self.obj;
    (void)rt;
    *out = gx_bool(g->started && !g->running && g->slots);
    return true;
}
static bool get_code(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_code_new(rt, ((gx_generator *)self.obj)->node->function, out);
}
static bool get_frame(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_generator *g = (gx_generator *)self.obj;
    *out = gx_none();
    return !g->slots || gx_trace_frame(rt, g->node->function->name, g->node->at, out);
}
static bool get_inner(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    (void)self;
    *out = gx_none();
    return true;
}
static bool get_name(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_of_sym(rt, ((gx_generator *)self.obj)->node->function->name, out);
}
static bool get_qualname(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_c(rt, ((gx_generator *)self.obj)->node->function->qualname, out);
}

static const gx_member members[] = {
    {"gi_running", get_running, NULL, "Is it computing an item?"},
    {"gi_suspended", get_suspended, NULL, "Has it given an item, and not ended?"},
    {"gi_code", get_code, NULL, "Its code."},
    {"gi_frame", get_frame, NULL, "Where it stands; None once it has ended."},
    {"gi_yieldfrom", get_inner, NULL, "None."},
    {"__name__", get_name, NULL, "'<genexpr>'."},
    {"__qualname__", get_qualname, NULL, "The name with what is around it."},
    {0},
};

const gx_type gx_type_generator = {
    .name = "generator",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .container = true,
    .doc = "A generator expression: computes its elements one by one, when asked.",
    .free = free_generator,
    .traverse = traverse_generator,
    .clear = clear_generator,
    .repr = repr_generator,
    .iter = iter_generator,
    .next = next_generator,
    .methods = methods,
    .members = members,
};

static bool fill(gx_frame *f, gx_generator *g, gx_value *first) {
    const gx_function *code = g->node->function;
    gx_rt *rt = f->rt;
    g->slots = gx_alloc_zero(rt, (size_t)code->slots * sizeof *g->slots);
    if (!g->slots) return false;
    g->slot_count = code->slots;
    g->loops = gx_alloc_zero(rt, (size_t)g->node->n * sizeof *g->loops);
    if (!g->loops || !gx_capture_boxes(f, code, &g->boxes)) return false;
    g->box_count = code->capture_count;
    if (code->boxed_count && !gx_bind_boxes(rt, code, g->slots)) return false;
    if (!gx_loop_over(rt, gx_steal(first), &g->loops[0])) return false;
    g->open = 1;
    return true;
}

bool gx_eval_genexp(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value first;
    if (!gx_eval(f, n->a, &first)) return false;
    gx_generator *g = gx_obj_new(f->rt, &gx_type_generator, sizeof *g);
    if (!g) {
        gx_drop(first);
        return gx_locate(f, n);
    }
    g->node = n;
    gx_unit_keep(n->function->unit);
    g->globals = f->globals;
    gx_obj_keep(&g->globals->head.obj);
    if (!fill(f, g, &first)) {
        gx_drop(first);
        gx_obj_drop(&g->head.obj);
        return gx_locate(f, n->a);
    }
    gx_container_track(f->rt, &g->head);
    *out = gx_object(&g->head.obj);
    return true;
}
