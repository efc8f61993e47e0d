/* Runs compiled loops: moves names into cells and back, executes the statements that the code
   leaves to the tree, and goes on in the tree where a name no longer fits the code. Invariant:
   while the tree executes anything, every name holds its value. */
#include "interp/eval/loop/hot_loop.h"

#include <string.h>

#include "interp/eval/debug/debugger.h"
#include "stdlib/stdlib.h"

/* --- what the compiler asks ------------------------------------------------------------------- */
static gx_borrowed value_of(void *frame, const gx_node *n) {
    return *gx_name_place(frame, n);
}

static gx_value inline_only(gx_value v) { /* consumes v */
    if (!gx_is_object(v)) return v;
    gx_drop(v);
    return gx_undef();
}

static gx_value name_callee(gx_frame *f, const gx_node *n) {
    gx_value v;
    if (n->scope == GX_SCOPE_NAMED || n->scope == GX_SCOPE_CLASS) return gx_undef();
    v = *gx_name_place(f, n);
    if (v.tag != GX_UNDEF) return inline_only(gx_keep(v));
    if (n->scope != GX_SCOPE_GLOBAL) return v;
    if (n->constant.tag != GX_UNDEF) return inline_only(gx_keep(n->constant));
    if (gx_builtin(f->rt, n->name, &v) == GX_TRY_YES) return inline_only(v);
    gx_error_clear(f->rt);
    return gx_undef();
}

static gx_value callee_of(void *frame, const gx_node *n) {
    gx_frame *f = frame;
    if (n->kind == GX_NODE_NAME) return name_callee(f, n);
    const gx_node *module = n->a;
    if (module->scope == GX_SCOPE_NAMED || module->scope == GX_SCOPE_CLASS) return gx_undef();
    gx_borrowed m = *gx_name_place(f, module);
    gx_value v;
    if (m.tag != GX_MODULE || !gx_as_module(m)->builtin) return gx_undef();
    if (gx_module_get(f->rt, gx_as_module(m), n->name, &v) == GX_TRY_YES) return inline_only(v);
    gx_error_clear(f->rt);
    return gx_undef();
}

static gx_try find_function(gx_rt *rt, const char *module, const char *name, gx_value *out) {
    gx_sym sym;
    if (!(sym = gx_sym_c(rt, name))) return GX_TRY_ERROR;
    if (!module) return gx_builtin(rt, sym, out);
    gx_value m;
    gx_try found = gx_module_import(rt, module, &m);
    if (found != GX_TRY_YES) return found;
    found = gx_module_get(rt, gx_as_module(m), sym, out);
    gx_drop(m);
    return found;
}

static bool is_function(gx_rt *rt, gx_borrowed v, const char *module, const char *name) {
    gx_value known;
    if (v.tag == GX_NATIVE && strcmp(v.native->name, name) != 0) return false;
    if (find_function(rt, module, name, &known) != GX_TRY_YES) {
        gx_error_clear(rt);
        return false;
    }
    known = inline_only(known);
    return known.tag == v.tag && known.u == v.u && known.ns == v.ns;
}

/* --- names and cells -------------------------------------------------------------------------- */
static bool fits(const gx_loop_name *name, const gx_loop_name *now) {
    if (name->type != now->type) return false;
    return name->type != GX_NUM_ARRAY || (name->ndim == now->ndim && name->dtype == now->dtype &&
                                          (now->dense || !name->dense));
}

/* False: it cannot be stored to, or is not computed yet (*pending): the tree will do that when an
   element is read, with what there is to warn of. */
static bool load_array(gx_rt *rt, const gx_loop_name *name, gx_array *a, int64_t *cells,
                       bool *pending) {
    const char *data;
    char *own;
    if (!gx_array_is_ready(a)) {
        *pending = true;
        return false;
    }
    if (name->stored) {
        if ((a->flags & GX_ARRAY_READONLY) || !gx_array_write(rt, a, &own)) return false;
        data = own;
    } else if (!gx_array_read(rt, a, &data)) {
        return false;
    }
    cells[name->cell] = (int64_t)(intptr_t)data;
    for (int i = 0; i < a->ndim; i++) {
        cells[name->dims + i] = gx_shape(a)[i];
        cells[name->strides + i] = gx_strides(a)[i];
    }
    return true;
}

/* Fills the cells of names; false: one does not fit, or (*pending) is not computed yet. Arrays that
   are stored to come first: the others may be views of them. */
static bool load(gx_frame *f, const gx_number_loop *loop, int64_t *cells, bool *pending) {
    for (int i = 0; i < loop->watched_count; i++) {
        const gx_loop_watch *w = &loop->watched[i];
        gx_value now = callee_of(f, w->node);
        if (now.tag != w->value.tag || now.u != w->value.u || now.ns != w->value.ns) return false;
    }
    for (int stored = 1; stored >= 0; stored--) {
        for (int i = 0; i < loop->name_count; i++) {
            const gx_loop_name *name = &loop->names[i];
            if (name->stored != (stored == 1)) continue;
            gx_borrowed v = *gx_name_place(f, name->node);
            gx_loop_name now = {.type = GX_NUM_NONE};
            gx_loop_describe(f->rt, v, &now);
            bool good = fits(name, &now);
            if (good && name->type == GX_NUM_ARRAY &&
                !load_array(f->rt, name, gx_as_array(v), cells, pending)) {
                gx_error_clear(f->rt);
                good = false;
            } else if (good && name->type != GX_NUM_ARRAY) {
                bool truth = name->type == GX_NUM_BOOL || name->type == GX_NUM_NBOOL;
                cells[name->cell] = truth ? v.b : v.i;
            }
            if (name->loose) cells[name->flag] = good;
            else if (!good) return false;
        }
    }
    return true;
}

static gx_value value_of_cell(gx_num type, int64_t bits) {
    gx_value v = {.i = bits};
    v.tag = type == GX_NUM_BOOL    ? GX_BOOL
            : type == GX_NUM_INT   ? GX_INT
            : type == GX_NUM_FLOAT ? GX_FLOAT
                                   : GX_SCALAR;
    if (type == GX_NUM_NBOOL) v.dtype = GX_bool;
    if (type == GX_NUM_NINT) v.dtype = GX_i64;
    if (type == GX_NUM_NFLOAT) v.dtype = GX_f64;
    return v;
}

static void write_back(gx_frame *f, const gx_number_loop *loop, const int64_t *cells) {
    for (int i = 0; i < loop->name_count; i++) {
        const gx_loop_name *name = &loop->names[i];
        if (!name->assigned || (name->loose && !cells[name->flag])) continue;
        gx_value *place = gx_name_place(f, name->node), old = *place;
        *place = value_of_cell((gx_num)name->type, cells[name->cell]);
        gx_drop(old);
    }
    if (GX_UNLIKELY(f->rt->dying)) gx_last_words(f->rt);
}

int gx_loop_interrupted(gx_frame *f, const gx_node *n) {
    gx_stop(f->rt);
    gx_locate_at(f, f->rt->here.end ? f->rt->here : n->at);
    return GX_FLOW_ERROR;
}

/* --- what is left to the tree ----------------------------------------------------------------- */
/* The statement of a site has ended by `flow`: the tree goes on behind it, up to the end of the
   round of the loop itself. */
static int finish_round(gx_frame *f, const gx_number_loop *loop, const int64_t *cells,
                        const gx_loop_site *s, int flow) {
    for (;;) {
        for (int32_t i = s->index + 1; flow == GX_FLOW_NEXT && s->block && i < s->block->n; i++)
            flow = gx_exec_one(f, s->block->list[i]);
        s = &loop->sites[s->parent];
        if (s->parent < 0) return flow;
        if (s->node->kind == GX_NODE_IF) continue;
        if (flow == GX_FLOW_NEXT || flow == GX_FLOW_CONTINUE) {
            if (gx_must_stop(f->rt)) return gx_loop_interrupted(f, s->node);
            if (s->is_range) {
                gx_rounds r = {cells[s->at] + s->step, cells[s->left] - 1, s->step};
                flow = gx_exec_rounds(f, s->node, r);
            } else {
                flow = gx_exec_one(f, s->node);
            }
        }
        if (flow == GX_FLOW_BREAK) flow = GX_FLOW_NEXT;
        if (flow == GX_FLOW_ERROR) gx_locate(f, s->node);
    }
}

/* The round of the loop itself has ended by `flow` in the tree; true: so has the loop. */
static bool end_round(gx_frame *f, const gx_node *n, gx_rounds *r, int *flow) {
    if (*flow != GX_FLOW_NEXT && *flow != GX_FLOW_CONTINUE) return true;
    if (gx_must_stop(f->rt)) {
        *flow = gx_loop_interrupted(f, n);
        return true;
    }
    if (!r) return false;
    r->at = (int64_t)((uint64_t)r->at + (uint64_t)r->step);
    *flow = GX_FLOW_NEXT;
    return --r->left == 0;
}

/* --- entering --------------------------------------------------------------------------------- */
/* The loop asks again after `times` as many rounds as at first. */
static bool later(gx_frame *f, const gx_node *n, int64_t times) {
    int64_t first = f->rt->debug.loops;
    ((gx_node *)(uintptr_t)n)->length = (size_t)(first - times * first);
    return false;
}
enum { NEVER = 1 << 24 };

static bool give_up(gx_frame *f, const gx_node *n, gx_hot *hot) {
    hot->dead = true;
    return later(f, n, NEVER);
}

static bool compile(gx_frame *f, const gx_node *n, gx_hot *hot) {
    gx_loop_view view = {f->rt, value_of, callee_of, is_function, f};
    gx_number_loop *loop =
        hot->versions++ < GX_LOOP_VERSIONS ? gx_loop_compile(&view, n, hot->loop) : NULL;
    if (loop) hot->loop = loop;
    return loop != NULL;
}

static gx_hot *hot_of(gx_frame *f, const gx_node *n) {
    gx_node *node = (gx_node *)(uintptr_t)n;
    if (!node->memo && !(node->memo = gx_alloc_zero(f->rt, sizeof(gx_hot)))) gx_error_clear(f->rt);
    return node->memo;
}

/* Finds a version that fits and fills its cells; false: none does now. */
static bool begin(gx_frame *f, const gx_node *n, gx_hot *hot, int64_t *cells) {
    enum { TRIES = 3 };
    bool pending = false;
    if (hot->loop) {
        if (load(f, hot->loop, cells, &pending)) return true;
        if (pending || ++hot->misses % TRIES != 0) return false; /* it may fit in the next round */
    }
    return compile(f, n, hot) && load(f, hot->loop, cells, &pending);
}

bool gx_hot_run(gx_frame *f, const gx_node *n, gx_rounds *r, int *flow) {
    gx_rt *rt = f->rt;
    int64_t cells[GX_LOOP_CELLS];
    if (f->guards || n->c) return later(f, n, NEVER);
    if (rt->profile || rt->interp->teach || rt->explaining || gx_is_debugged(rt))
        return later(f, n, 1);
    gx_hot *hot = hot_of(f, n);
    if (!hot || hot->dead) return later(f, n, NEVER);
    if (!begin(f, n, hot, cells)) {
        if (hot->versions > GX_LOOP_VERSIONS) return give_up(f, n, hot);
        return hot->loop ? false : later(f, n, 3);
    }
    const gx_number_loop *loop = hot->loop;
    int64_t steps = rt->steps, exits = 0;
    bool pending;
    if (r) {
        cells[loop->at] = r->at;
        cells[loop->left] = r->left;
        cells[loop->step] = r->step;
    }
    for (uint32_t from = loop->start;;) {
        int64_t at = gx_loop_run(loop, cells, from);
        write_back(f, loop, cells);
        if (r) {
            r->at = cells[loop->at];
            r->left = cells[loop->left];
        }
        if (at == GX_LOOP_DONE) {
            *flow = GX_FLOW_NEXT;
            return true;
        }
        if (at < GX_LOOP_DONE) {
            *flow = gx_loop_interrupted(f, loop->sites[GX_LOOP_STOP - at].node);
            return true;
        }
        const gx_loop_site *s = &loop->sites[at];
        bool often = ++exits > 256 && steps - rt->steps < 2 * exits;
        if (often) give_up(f, n, hot);
        if (s->parent < 0) return later(f, n, 1); /* a test that the tree is to do */
        *flow = gx_exec_one(f, s->node);
        if (*flow != GX_FLOW_NEXT || often || gx_is_debugged(rt) ||
            !load(f, loop, cells, &pending)) {
            *flow = finish_round(f, loop, cells, s, *flow);
            return end_round(f, n, r, flow);
        }
        from = s->resume;
    }
}

int gx_exec_rounds(gx_frame *f, const gx_node *n, gx_rounds r) {
    const gx_node *body = n->b, *only = body->n == 1 ? body->list[0] : NULL;
    for (; r.left > 0; r.left--, r.at = (int64_t)((uint64_t)r.at + (uint64_t)r.step)) {
        int flow;
        if (gx_is_hot(f, n)) {
            if (gx_hot_run(f, n, &r, &flow)) return flow;
            if (r.left <= 0) break;
        }
        gx_rebind(gx_name_place(f, n->a), gx_int(r.at));
        flow = gx_exec_body(f, body, only);
        if (GX_UNLIKELY(flow != GX_FLOW_NEXT) && flow != GX_FLOW_CONTINUE) return flow;
        if (gx_must_stop(f->rt)) return gx_loop_interrupted(f, n);
    }
    return GX_FLOW_NEXT;
}
