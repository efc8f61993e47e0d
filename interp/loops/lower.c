/* From the tree of a loop to typed steps. Each name has one type throughout; passes over the loop
   are repeated until they agree. A statement that does not fit is a TREE step. */
#include "interp/loops/lower_int.h"

static gx_loop_stmt *new_step(gx_lowered *l, gx_loop_stmt_kind kind, const gx_node *n,
                              gx_loop_stmt *parent) {
    gx_loop_stmt *s = gx_arena_alloc(&l->arena, sizeof *s);
    if (!s || l->site_count == GX_LOOP_SITES) {
        l->failed = true;
        return NULL;
    }
    s->kind = (uint8_t)kind;
    s->node = n;
    s->parent = parent;
    s->site = l->site_count++;
    s->depth = l->depth;
    return s;
}

static int16_t new_cell(gx_lowered *l, bool is_float) {
    if (l->cell_count == GX_LOOP_CELLS) {
        l->failed = true;
        return 0;
    }
    l->is_float[l->cell_count] = is_float;
    l->weight[l->cell_count] = 0;
    return (int16_t)l->cell_count++;
}

/* A name is bound to something of a type; false: not to one that it can have in the code. */
static bool bind(gx_lowered *l, const gx_node *n, gx_num type, int16_t *out) {
    int i = type >= GX_NUM_LIST ? -1 : gx_loop_find_name(l, n, true);
    if (i < 0) return false;
    gx_loop_name *name = &l->names[i];
    if (name->type == type) {
        name->assigned = true;
        *out = (int16_t)i;
        return true;
    }
    if (!name->loose) l->changed = true;
    name->loose = true;
    if (name->type < type) { /* the wider one is the one that stays, as in s = 0; s += x[i] */
        name->type = (uint8_t)type;
        l->changed = true;
    }
    return false;
}

static gx_loop_expr *target(gx_lowered *l, const gx_node *n, const gx_loop_expr *value) {
    if (!value) return NULL;
    gx_loop_expr *c;
    if (n->kind == GX_NODE_NAME) {
        int16_t name;
        if (!bind(l, n, (gx_num)value->type, &name)) return NULL;
        c = gx_arena_alloc(&l->arena, sizeof *c);
        if (!c) {
            l->failed = true;
            return NULL;
        }
        c->op = GX_CODE_NAME;
        c->type = value->type;
        c->name = name;
        return c;
    }
    if (n->kind != GX_NODE_INDEX || value->type >= GX_NUM_LIST) return NULL;
    c = gx_loop_place(l, n);
    if (!c || c->op != GX_CODE_ELEMENT) return c;
    /* Elements of arrays take what needs no look at the value. */
    l->names[c->name].stored = true;
    bool is_float = gx_num_is_float((gx_num)value->type),
         truth = gx_num_is_truth((gx_num)value->type);
    switch (l->names[c->name].dtype) {
    case GX_f64: return truth ? NULL : c;
    case GX_i64: return is_float || truth ? NULL : c;
    default: return truth ? c : NULL;
    }
}

static bool sequence(const gx_node *n) {
    return n->kind == GX_NODE_TUPLE || n->kind == GX_NODE_LIST;
}

/* Pairs of targets and values; false: the tree's. */
static bool pair(gx_lowered *l, gx_loop_stmt *s, const gx_node *to, const gx_node *from) {
    if (s->n == GX_STMT_TARGETS) return false;
    gx_loop_expr *value = gx_loop_value(l, from), *place = target(l, to, value);
    if (!place) return false;
    s->values[s->n] = value;
    s->targets[s->n++] = place;
    return true;
}

static bool assign(gx_lowered *l, gx_loop_stmt *s, const gx_node *n) {
    if (n->b) return false;
    if (n->n == 1 && sequence(n->list[0])) {
        const gx_node *to = n->list[0], *from = n->a;
        if (!sequence(from) || to->n != from->n) return false;
        int names = 0;
        for (int32_t i = 0; i < to->n; i++) {
            if (!pair(l, s, to->list[i], from->list[i])) return false;
            names += to->list[i]->kind == GX_NODE_NAME;
        }
        return names == 0 || names == to->n; /* no place depends on a name bound before it */
    }
    for (int32_t i = 0; i < n->n; i++)
        if ((n->n > 1 && n->list[i]->kind != GX_NODE_NAME) || !pair(l, s, n->list[i], n->a))
            return false;
    return true;
}

static bool augassign(gx_lowered *l, gx_loop_stmt *s, const gx_node *n) {
    gx_loop_expr *old = gx_loop_expression(l, n->a), *b = gx_loop_expression(l, n->b);
    gx_loop_expr *value = gx_loop_settled(l, gx_loop_arithmetic(l, (gx_binop)n->op, old, b));
    gx_loop_expr *place = target(l, n->a, value);
    if (!place) return false;
    s->values[0] = value;
    s->targets[0] = place;
    s->n = 1;
    return true;
}

static gx_loop_stmt *statement(gx_lowered *l, const gx_node *n, gx_loop_stmt *parent);

/* The statements of a BLOCK (or of an `elif`, which is none), linked; the first. */
static gx_loop_stmt *block(gx_lowered *l, const gx_node *n, gx_loop_stmt *parent) {
    gx_loop_stmt *first = NULL, **next = &first;
    bool is_block = n->kind == GX_NODE_BLOCK;
    for (int32_t i = 0; i < (is_block ? n->n : 1); i++) {
        gx_loop_stmt *s = statement(l, is_block ? n->list[i] : n, parent);
        if (!s) return NULL;
        s->block = is_block ? n : NULL;
        s->index = i;
        *next = s;
        next = &s->next;
    }
    return first;
}

static bool body(gx_lowered *l, gx_loop_stmt *s, const gx_node *n) {
    l->depth++;
    s->body = block(l, n, s);
    l->depth--;
    return s->body != NULL;
}

/* for NAME in range(…) with a constant step. */
static bool range(gx_lowered *l, gx_loop_stmt *s, const gx_node *n) {
    const gx_node *call = n->list[0];
    if (n->c || call->kind != GX_NODE_CALL || call->a->kind != GX_NODE_NAME || call->n < 1 ||
        call->n > 3)
        return false;
    gx_value f = l->view->callee(l->view->frame, call->a);
    if (f.tag != GX_TYPE || !l->view->is_function(l->view->rt, f, NULL, "range")) return false;
    if (!gx_loop_watch_call(l, call->a, f)) return false;
    gx_loop_expr *part[3] = {NULL, NULL, NULL};
    for (int32_t i = 0; i < call->n; i++) {
        part[i] = gx_loop_expression(l, call->list[i]);
        if (!part[i] || part[i]->type != GX_NUM_INT) return false;
    }
    if (call->n == 3 && (part[2]->op != GX_CODE_CONST || part[2]->i == 0 ||
                         part[2]->i > 1 << 20 || part[2]->i < -(1 << 20)))
        return false;
    s->step = call->n == 3 ? part[2]->i : 1;
    s->values[0] = call->n == 1 ? NULL : part[0];
    s->values[1] = part[call->n == 1 ? 0 : 1];
    return true;
}

static bool for_target(gx_lowered *l, gx_loop_stmt *s, const gx_node *n) {
    const gx_loop_expr value = {.type = GX_NUM_INT};
    s->targets[0] = n->a->kind == GX_NODE_NAME ? target(l, n->a, &value) : NULL;
    if (!s->targets[0]) return false;
    s->at = new_cell(l, false);
    s->left = new_cell(l, false);
    return true;
}

static void count(gx_lowered *l, const gx_loop_stmt *s, bool native) {
    double w = 1;
    for (int i = 1; i < s->depth; i++) w *= 8;
    bool rare = s->parent && s->parent->kind == GX_STMT_IF;
    if (native) l->fast += w;
    else if (s->node->kind != GX_NODE_RETURN && s->node->kind != GX_NODE_RAISE)
        l->slow += rare ? w / 4 : w;
}

static bool fill(gx_lowered *l, gx_loop_stmt *s, const gx_node *n) {
    switch (n->kind) {
    case GX_NODE_PASS: s->kind = GX_STMT_NOTHING; return n->op == 0;
    case GX_NODE_EXPRSTMT:
        s->kind = GX_STMT_NOTHING; /* a text that says what comes */
        return n->a->kind == GX_NODE_STR;
    case GX_NODE_ASSIGN: s->kind = GX_STMT_ASSIGN; return assign(l, s, n);
    case GX_NODE_AUGASSIGN: s->kind = GX_STMT_ASSIGN; return augassign(l, s, n);
    case GX_NODE_BREAK: s->kind = GX_STMT_BREAK; return true;
    case GX_NODE_CONTINUE: s->kind = GX_STMT_CONTINUE; return true;
    case GX_NODE_ASSERT: s->kind = GX_STMT_ASSERT; return (s->test = gx_loop_test(l, n->a)) != NULL;
    case GX_NODE_IF:
        s->kind = GX_STMT_IF;
        if (!(s->test = gx_loop_test(l, n->a))) return false;
        if (!(s->body = block(l, n->b, s))) return false;
        return !n->c || (s->other = block(l, n->c, s)) != NULL;
    case GX_NODE_WHILE:
        s->kind = GX_STMT_WHILE;
        return !n->c && (s->test = gx_loop_test(l, n->a)) != NULL && body(l, s, n->b);
    case GX_NODE_FOR:
        s->kind = GX_STMT_FOR;
        return range(l, s, n) && for_target(l, s, n) && body(l, s, n->b);
    default: return false;
    }
}

static gx_loop_stmt *statement(gx_lowered *l, const gx_node *n, gx_loop_stmt *parent) {
    gx_loop_stmt *s = new_step(l, GX_STMT_TREE, n, parent);
    if (!s) return NULL;
    double fast = l->fast, slow = l->slow;
    bool native = fill(l, s, n);
    if (l->failed) return NULL;
    if (!native) {
        l->fast = fast;
        l->slow = slow;
        *s = (gx_loop_stmt){.kind = GX_STMT_TREE, .node = n, .parent = parent, .site = s->site,
                       .depth = s->depth};
    }
    count(l, s, native);
    return s;
}

/* The loop itself: a for's iterable stands outside. */
static bool outermost(gx_lowered *l, const gx_node *n) {
    gx_loop_stmt *s = new_step(l, n->kind == GX_NODE_FOR ? GX_STMT_FOR : GX_STMT_WHILE, n, NULL);
    l->loop = s;
    if (!s || n->c) return false;
    if (n->kind == GX_NODE_WHILE) {
        s->test = gx_loop_test(l, n->a);
        return s->test && body(l, s, n->b);
    }
    if (!for_target(l, s, n)) return false;
    s->stride = new_cell(l, false);
    return body(l, s, n->b);
}

static void place_names(gx_lowered *l) {
    for (int i = 0; i < l->name_count; i++) {
        gx_loop_name *name = &l->names[i];
        name->cell = new_cell(l, gx_num_is_float((gx_num)name->type));
        if (name->loose) name->flag = new_cell(l, false);
        if (name->type != GX_NUM_ARRAY) continue;
        for (int k = 0; k < 2 * name->ndim; k++) {
            int16_t cell = new_cell(l, false);
            if (k == 0) name->dims = cell;
            if (k == name->ndim) name->strides = cell;
        }
    }
}

bool gx_loop_lower(gx_lowered *l, const gx_node *node, const gx_number_loop *older) {
    l->older = older ? older->names : NULL;
    l->older_end = older ? older->names + older->name_count : NULL;
    enum { PASSES = 8 };
    for (int pass = 0;; pass++) {
        gx_arena_free(&l->arena);
        l->arena = gx_arena_new(l->view->rt);
        l->site_count = l->cell_count = l->code_count = l->watched_count = l->depth = 0;
        l->fast = l->slow = 0;
        l->changed = false;
        for (int i = 0; i < l->name_count; i++) l->names[i].assigned = l->names[i].stored = false;
        if (pass > 0) place_names(l); /* the cells of what is known; one more pass if that grows */
        if (!outermost(l, node) || l->failed || pass == PASSES) return false;
        if (pass > 0 && !l->changed) return l->fast > 3 * l->slow;
    }
}
