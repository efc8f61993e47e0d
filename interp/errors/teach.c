/* Notes that teach (--errors=teach): evaluators that stand in for the general ones, do exactly what
   they do, and look at operands and results afterwards. They are put in when a unit is linked, so
   that a program without them pays nothing. */
#include "interp/errors/teach_int.h"

#include <stdio.h>
#include <string.h>

#include "interp/errors/codes.h"
#include "interp/eval/evaluator.h"
#include "interp/errors/suggest_int.h"
#include "runtime/backend/cost.h"
#include "runtime/object/operators.h"

enum { SEEN = 256 };

struct gx_teach {
    uint64_t seen[SEEN]; /* places and codes that have been noted: their hashes */
    int count;
};

static struct gx_teach *state_of(gx_frame *f) {
    if (!f->vm->teach) f->vm->teach = gx_alloc_zero(f->rt, sizeof *f->vm->teach);
    if (!f->vm->teach) gx_error_clear(f->rt);
    return f->vm->teach;
}

void gx_teach_free(gx_rt *rt, gx_interp *vm) {
    gx_free(rt, vm->teach);
    vm->teach = NULL;
}

/* `about`: not the place tells notes of a code from each other, but this. */
static uint64_t hash_of(const gx_node *n, const char *code, const char *about) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    bool once = about || strcmp(code, "teach.star") == 0; /* in a session */
    for (; *code; code++) h = (h ^ (unsigned char)*code) * UINT64_C(0x100000001b3);
    for (; about && *about; about++) h = (h ^ (unsigned char)*about) * UINT64_C(0x100000001b3);
    return once ? h : (h ^ ((uint64_t)n->at.source << 32 | n->at.start)) * 31 + n->at.end;
}

static bool was_seen(const struct gx_teach *t, uint64_t h) {
    if (!t || t->count == SEEN) return true;
    for (int i = 0; i < t->count; i++)
        if (t->seen[i] == h) return true;
    return false;
}

bool gx_teach_was_noted(gx_frame *f, const gx_node *n, const char *code) {
    return was_seen(state_of(f), hash_of(n, code, NULL));
}

static void note_about(gx_frame *f, const gx_node *n, const char *code, const char *about,
                       const char *text, const char *help) {
    struct gx_teach *t = state_of(f);
    uint64_t h = hash_of(n, code, about);
    if (was_seen(t, h)) return;
    t->seen[t->count++] = h;
    gx_report_note(f->rt, "note", n->at, code, text, help);
}

void gx_teach_note(gx_frame *f, const gx_node *n, const char *code, const char *text,
                   const char *help) {
    note_about(f, n, code, NULL, text, help);
}

/* --- evaluators ---------------------------------------------------------------------------- */

static bool is_array(gx_borrowed v) {
    return v.tag == GX_ARRAY;
}

static bool teach_binary(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value a, b, r;
    bool own_a, own_b;
    if (!gx_stack_check(f->rt)) return gx_locate(f, n);
    if (!gx_peek(f, n->a, &a, &own_a)) return false;
    bool ok = gx_peek(f, n->b, &b, &own_b);
    if (ok) {
        ok =
            gx_binary(f->rt, (gx_binop)n->op, a, b, &r) || gx_locate_binary(f, n, n->a, n->b, a, b);
        if (ok && is_array(r)) gx_teach_binary(f, n, a, b, r);
        gx_release(b, own_b);
    }
    gx_release(a, own_a);
    if (ok) *out = r;
    return ok;
}

static bool teach_compare(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value a, b, r;
    bool own_a, own_b;
    if (!gx_stack_check(f->rt)) return gx_locate(f, n);
    if (!gx_peek(f, n->a, &a, &own_a)) return false;
    bool ok = gx_peek(f, n->b, &b, &own_b);
    if (ok) {
        ok = gx_compare(f->rt, (gx_cmpop)n->op, a, b, &r) ||
             gx_locate_binary(f, n, n->a, n->b, a, b);
        if (ok) gx_teach_compare(f, n, a, b, r);
        gx_release(b, own_b);
    }
    gx_release(a, own_a);
    if (ok) *out = r;
    return ok;
}

static bool is_clock(gx_rt *rt, const gx_node *callee) {
    static const char *const clocks[] = {"perf_counter", "time", "monotonic", "perf_counter_ns",
                                         "time_ns"};
    if (callee->kind != GX_NODE_NAME && callee->kind != GX_NODE_ATTR) return false;
    const char *name = gx_sym_text(rt, callee->name);
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++)
        if (strcmp(name, clocks[i]) == 0) return true;
    return false;
}

/* What a call of the script has fetched from the GPU to work on the host: once a function. */
static void tell_host_work(gx_frame *f, const gx_node *n, bool ok) {
    gx_gpu_stats *s = &f->rt->gpu_stats;
    const gx_source *from = gx_source_of(f->rt, n->at);
    if (!s->at_work || (from && from->library)) return; /* the script's call will tell */
    if (ok) {
        char bytes[32], text[160];
        gx_put_scaled(bytes, sizeof bytes, (double)s->fetched, "B");
        snprintf(text, sizeof text, "%s ran on the host: %s moved", s->at_work, bytes);
        note_about(f, n, "perf.host", s->at_work, text,
                   "docs/gpu.md lists what works on the host, and why");
    }
    s->at_work = NULL;
    s->fetched = 0;
}

static bool teach_call(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value r, x = n->n == 1 ? gx_name_value(f, n->list[0]) : gx_undef();
    int64_t kernels = f->rt->stats.kernels;
    bool ok = gx_eval_call(f, n, &r);
    tell_host_work(f, n, ok);
    kernels = f->rt->stats.kernels - kernels;
    if (ok && kernels > 0 && is_clock(f->rt, n->a)) {
        char text[120];
        snprintf(text, sizeof text,
                 "the clock first computed what was pending (%lld loop%s): the "
                 "time is that of the work",
                 (long long)kernels, kernels == 1 ? "" : "s");
        gx_teach_note(f, n, "teach.clock", text, "%time and %timeit do the same at the prompt");
    }
    if (ok && is_array(r) && is_array(x)) gx_teach_result(f, n, x, r);
    gx_drop(x);
    if (ok) *out = r;
    return ok;
}

/* x[key] = v */
static int teach_assign(gx_frame *f, const gx_node *n) {
    const gx_node *target = n->list[0];
    gx_value v;
    if (!gx_eval(f, n->a, &v)) return GX_FLOW_ERROR;
    gx_value x = gx_name_value(f, target->a);
    if (is_array(x)) gx_teach_store(f, n, x, v);
    gx_drop(x);
    return gx_assign_take(f, target, v) ? GX_FLOW_NEXT : GX_FLOW_ERROR;
}

/* Has evaluating an expression again no effects? Names, constants, slices of them. */
static bool is_pure(const gx_node *n) {
    if (!n) return true;
    switch ((int)n->kind) {
    case GX_NODE_NAME:
    case GX_NODE_INT:
    case GX_NODE_NONE:
    case GX_NODE_ELLIPSIS:
        return true;
    case GX_NODE_UNARY:
        return is_pure(n->a);
    case GX_NODE_SLICE:
        return is_pure(n->a) && is_pure(n->b) && is_pure(n->c);
    case GX_NODE_INDEX:
        return n->a->kind == GX_NODE_NAME && is_pure(n->b);
    case GX_NODE_TUPLE:
        for (int32_t i = 0; i < n->n; i++)
            if (!is_pure(n->list[i])) return false;
        return true;
    default:
        return false;
    }
}

/* x[1:] += x[:-1]: the two are different parts of the same memory. */
static void look_at_overlap(gx_frame *f, const gx_node *n) {
    const char *text[2];
    size_t length[2];
    gx_value a = gx_undef(), b = gx_undef();
    if (n->a->kind != GX_NODE_INDEX || n->b->kind != GX_NODE_INDEX || !is_pure(n->a) ||
        !is_pure(n->b) || n->a->a->name != n->b->a->name ||
        gx_teach_was_noted(f, n, "teach.overlap"))
        return;
    if (!gx_source_words(f->rt, n->a, &text[0], &length[0]) ||
        !gx_source_words(f->rt, n->b, &text[1], &length[1]) ||
        (length[0] == length[1] && memcmp(text[0], text[1], length[0]) == 0))
        return;
    bool ok = gx_eval(f, n->a, &a) && gx_eval(f, n->b, &b);
    if (ok && is_array(a) && is_array(b) && gx_as_array(a)->storage == gx_as_array(b)->storage &&
        gx_arrays_share(gx_as_array(a), gx_as_array(b)))
        gx_teach_note(f, n, "teach.overlap",
                      "the two overlap; the right side is read as it was before the statement",
                      n->op == GX_ADD ? "cumsum makes a running total" : NULL);
    if (!ok) gx_error_clear(f->rt); /* the statement itself will tell */
    gx_drop(a);
    gx_drop(b);
}

static int teach_augassign(gx_frame *f, const gx_node *n) {
    const gx_node *base = n->a->kind == GX_NODE_INDEX ? n->a->a : n->a;
    look_at_overlap(f, n);
    gx_value x = base->kind == GX_NODE_NAME ? gx_name_value(f, base) : gx_undef();
    if (is_array(x)) gx_teach_store(f, n, x, gx_undef());
    gx_drop(x);
    return gx_exec_augassign(f, n);
}

void gx_teach_link(gx_node *n) {
    switch ((int)n->kind) {
    case GX_NODE_BINARY:
        n->eval = teach_binary;
        break;
    case GX_NODE_COMPARE:
        if (n->op == GX_EQ || n->op == GX_NE) n->eval = teach_compare;
        break;
    case GX_NODE_CALL:
        n->eval = teach_call;
        break;
    case GX_NODE_ASSIGN:
        if (n->n == 1 && n->list[0]->kind == GX_NODE_INDEX && n->list[0]->a->kind == GX_NODE_NAME)
            n->exec = teach_assign;
        break;
    case GX_NODE_AUGASSIGN:
        n->exec = teach_augassign;
        break;
    default:
        break;
    }
}
