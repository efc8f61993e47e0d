/* Statements, one after the other: both ways where a condition is not known, loops until nothing
   changes any more. */
#include <string.h>

#include "interp/check/guess_int.h"

enum { MOST_STEPS = 200000, MOST_ROUNDS = 4 };

static void run_statement(gx_guesses *r, const gx_node *n);

typedef struct state {
    gx_guess **globals, **slots;
    bool returned;
} state;

static state save(gx_guesses *r) {
    state s = {.returned = r->returned};
    size_t g = (size_t)r->c->slots + 1, l = (size_t)r->code->slots + 1;
    s.globals = gx_arena_alloc(&r->c->arena, g * sizeof *s.globals);
    s.slots = gx_arena_alloc(&r->c->arena, l * sizeof *s.slots);
    if (!s.globals || !s.slots) {
        r->failed = true;
        return (state){0};
    }
    memcpy(s.globals, r->globals, (g - 1) * sizeof *s.globals);
    memcpy(s.slots, r->slots, (l - 1) * sizeof *s.slots);
    return s;
}

static void restore(gx_guesses *r, const state *s) {
    if (r->failed) return;
    memcpy(r->globals, s->globals, (size_t)r->c->slots * sizeof *s->globals);
    memcpy(r->slots, s->slots, (size_t)r->code->slots * sizeof *s->slots);
    r->returned = s->returned;
}

/* What holds after either; a way that has left does not count. False: it is what holds now. */
static bool join(gx_guesses *r, const state *other, bool forget) {
    bool changed = false;
    if (r->failed || other->returned) return false;
    if (r->returned) {
        restore(r, other);
        return true;
    }
    for (int k = 0; k < 2; k++) {
        gx_guess **mine = k ? r->slots : r->globals, **theirs = k ? other->slots : other->globals;
        int32_t n = k ? r->code->slots : r->c->slots;
        for (int32_t i = 0; i < n; i++) {
            if (gx_guess_same(mine[i], theirs[i])) continue;
            mine[i] = forget ? NULL : gx_guess_join(r, mine[i], theirs[i]);
            changed = true;
        }
    }
    return changed;
}

static void branch(gx_guesses *r, const gx_node *n) {
    int truth = gx_guess_truth(r, gx_guess_eval(r, n->a));
    if (truth >= 0) {
        run_statement(r, truth ? n->b : n->c);
        return;
    }
    state before = save(r);
    run_statement(r, n->b);
    state one = save(r);
    restore(r, &before);
    run_statement(r, n->c);
    (void)join(r, &one, false);
}

/* What an iteration over it yields. */
static gx_guess *element(gx_guesses *r, const gx_guess *over) {
    gx_guess *g = NULL;
    if (!over || over->lost) return NULL;
    if (over->kind == GX_GUESS_VALUE && over->value.tag == GX_RANGE) {
        g = gx_guess_new(r, GX_GUESS_NUMBER);
        if (g) g->tag = GX_INT;
    } else if (over->kind == GX_GUESS_ARRAY && over->n > 1) {
        g = gx_guess_new(r, GX_GUESS_ARRAY);
        if (!g) return NULL;
        *g = *over;
        g->n--;
        memmove(g->dims, g->dims + 1, (size_t)g->n * sizeof *g->dims);
    } else if (over->kind == GX_GUESS_ITEMS && over->n > 0) {
        g = over->items[0];
        for (int i = 1; i < over->n; i++) g = gx_guess_join(r, g, over->items[i]);
    }
    return g;
}

static void once(gx_guesses *r, const gx_node *n, gx_guess *item) {
    if (n->kind == GX_NODE_FOR) gx_guess_bind(r, n->a, item);
    else (void)gx_guess_eval(r, n->a);
    run_statement(r, n->b);
    r->returned = false; /* break, continue: what follows is joined with what was before */
}

static bool leaves_early(const gx_node *n) {
    if (!n) return false;
    if (n->kind == GX_NODE_BREAK || n->kind == GX_NODE_CONTINUE || n->kind == GX_NODE_RETURN)
        return true;
    if (n->kind == GX_NODE_DEF || n->kind == GX_NODE_CLASS || n->kind == GX_NODE_LAMBDA)
        return false;
    if (leaves_early(n->a) || leaves_early(n->b) || leaves_early(n->c)) return true;
    for (int32_t i = 0; i < n->n; i++)
        if (leaves_early(n->list[i])) return true;
    return false;
}

static void forget_bound(gx_guesses *r, const gx_node *n);

static void loop(gx_guesses *r, const gx_node *n) {
    gx_guess *item = n->kind == GX_NODE_FOR ? element(r, gx_guess_eval(r, n->list[0])) : NULL;
    state before = save(r);
    r->muted++;
    bool changed = true;
    for (int round = 0; changed && round < MOST_ROUNDS && !r->failed; round++) {
        once(r, n, item);
        changed = join(r, &before, round > 0);
        if (leaves_early(n->b)) forget_bound(r, n->b);
        before = save(r);
    }
    if (changed) forget_bound(r, n->b);
    before = save(r);
    r->muted--;
    once(r, n, item);
    (void)join(r, &before, false);
    if (leaves_early(n->b)) forget_bound(r, n->b);
    run_statement(r, n->c);
}

/* Nothing is known any more of what a statement binds. */
static void forget_bound(gx_guesses *r, const gx_node *n) {
    if (!n) return;
    if (n->kind == GX_NODE_ASSIGN)
        for (int32_t i = 0; i < n->n; i++)
            if (n->list[i]->kind != GX_NODE_INDEX && n->list[i]->kind != GX_NODE_ATTR)
                gx_guess_bind(r, n->list[i], NULL);
    bool binds = n->kind == GX_NODE_AUGASSIGN || n->kind == GX_NODE_FOR ||
                 n->kind == GX_NODE_WALRUS || n->kind == GX_NODE_DEF || n->kind == GX_NODE_CLASS ||
                 n->kind == GX_NODE_ALIAS;
    if (binds && n->a->kind != GX_NODE_INDEX && n->a->kind != GX_NODE_ATTR)
        gx_guess_bind(r, n->a, NULL);
    if (n->kind == GX_NODE_WITHITEM && n->b) gx_guess_bind(r, n->b, NULL);
    if (n->kind == GX_NODE_EXCEPT && n->b) gx_guess_bind(r, n->b, NULL);
    if (n->kind == GX_NODE_PATTERN && n->a && n->op == GX_PATTERN_CAPTURE)
        gx_guess_bind(r, n->a, NULL);
    if (n->kind == GX_NODE_DEL)
        for (int32_t i = 0; i < n->n; i++)
            if (n->list[i]->kind == GX_NODE_NAME) gx_guess_bind(r, n->list[i], NULL);
    forget_bound(r, n->a);
    forget_bound(r, n->b);
    forget_bound(r, n->c);
    for (int32_t i = 0; i < n->n; i++) forget_bound(r, n->list[i]);
}

/* Statements of which only parts may run: what stands in them is looked at, then forgotten. */
static void apart(gx_guesses *r, const gx_node *n, bool muted) {
    forget_bound(r, n);
    r->muted += muted;
    if (n->a && n->a->kind == GX_NODE_BLOCK) run_statement(r, n->a);
    r->muted -= muted;
    r->returned = false;
    forget_bound(r, n);
}

static void bind_import(gx_guesses *r, const gx_node *n) {
    for (int32_t i = 0; n->op != 1 && i < n->n; i++) {
        const gx_node *target = n->list[i]->a;
        gx_value v = target->scope == GX_SCOPE_GLOBAL ? r->c->globals[target->slot].value
                                                      : gx_undef();
        gx_guess_bind(r, target, v.tag == GX_UNDEF ? NULL : gx_guess_value(r, gx_keep(v)));
    }
}

static void run_statement(gx_guesses *r, const gx_node *n) {
    if (!n || r->failed || r->returned || --r->steps < 0) return;
    if (!gx_stack_check(r->rt)) {
        gx_error_clear(r->rt);
        r->failed = true;
        return;
    }
    gx_guess *v;
    switch ((int)n->kind) {
    case GX_NODE_BLOCK:
        for (int32_t i = 0; i < n->n; i++) run_statement(r, n->list[i]);
        break;
    case GX_NODE_EXPRSTMT:
        (void)gx_guess_eval(r, n->a);
        break;
    case GX_NODE_ASSIGN:
        v = gx_guess_eval(r, n->a);
        for (int32_t i = 0; i < n->n; i++) gx_guess_bind(r, n->list[i], v);
        break;
    case GX_NODE_AUGASSIGN:
        v = gx_guess_inplace(r, n);
        if (n->a->kind == GX_NODE_NAME) gx_guess_bind(r, n->a, v);
        break;
    case GX_NODE_IF:
        branch(r, n);
        break;
    case GX_NODE_WHILE:
    case GX_NODE_FOR:
        loop(r, n);
        break;
    case GX_NODE_RETURN:
        v = gx_guess_eval(r, n->a);
        /* Only a function with one return has a known result. */
        r->result = v;
        r->returned = true;
        break;
    case GX_NODE_RAISE:
    case GX_NODE_BREAK:
    case GX_NODE_CONTINUE:
        r->returned = true;
        break;
    case GX_NODE_WITH:
        apart(r, n, gx_check_expects(r->c, n));
        break;
    case GX_NODE_TRY:
        apart(r, n, n->n > 0);
        if (!n->n) run_statement(r, n->c);
        break;
    case GX_NODE_DEF:
        v = n->n || n->c ? NULL : gx_guess_new(r, GX_GUESS_CODE);
        if (v) v->code = n->function;
        gx_guess_bind(r, n->a, v);
        break;
    case GX_NODE_IMPORT:
    case GX_NODE_FROM:
        bind_import(r, n);
        break;
    case GX_NODE_ASSERT:
        (void)gx_guess_eval(r, n->a);
        break;
    case GX_NODE_PASS:
        break;
    default:
        forget_bound(r, n);
        break;
    }
}

static void run_body(gx_guesses *r, const gx_node *n) {
    int returns = 0;
    for (int32_t i = 0; i < n->n; i++) returns += leaves_early(n->list[i]);
    run_statement(r, n);
    bool last = n->n > 0 && n->list[n->n - 1]->kind == GX_NODE_RETURN;
    if (returns != 1 || !last) r->result = NULL;
}

bool gx_check_shapes(gx_careful *c) {
    gx_guesses r = {.c = c, .rt = c->rt, .code = c->unit->main, .steps = MOST_STEPS,
                    .run_body = run_body};
    r.globals = gx_arena_alloc(&c->arena, ((size_t)c->slots + 1) * sizeof *r.globals);
    r.slots = gx_arena_alloc(&c->arena, ((size_t)r.code->slots + 1) * sizeof *r.slots);
    if (!r.globals || !r.slots) return false;
    if (!c->open_names) run_body(&r, c->unit->main->body);
    bool ok = gx_guess_tell(&r);
    for (size_t i = 0; i < r.owned.count; i++) gx_drop(r.owned.items[i]);
    gx_vec_free(c->rt, &r.owned);
    if (ok) gx_error_clear(c->rt);
    return ok;
}
