/* Names, first half: walks the tree once and notes for each scope which names it binds, uses and
   declares. List, set and dict comprehensions are scopes within their function's frame; generator
   expressions are functions. Left-deep chains and elif chains are walked in loops, everything else
   is as deep as the parser allowed. */
#include "parser/scope_int.h"

#include <string.h>

static bool walk(gx_resolver *r, gx_scope_info *s, gx_node *n);

int32_t gx_scope_var(gx_resolver *r, gx_scope_info *s, gx_sym name) {
    int32_t i;
    if (gx_map_get(&s->names, name, &i)) return i;
    i = (int32_t)s->vars.count;
    gx_var v = {.name = name, .slot = -1, .free_slot = -1};
    if (!gx_vec_push(r->rt, &s->vars, v) || !gx_map_set(r->rt, &s->names, name, i)) return -1;
    return i;
}

static gx_scope_info *new_scope(gx_resolver *r, gx_scope_info *parent, gx_scope_kind kind) {
    gx_scope_info *s = gx_alloc_zero(r->rt, sizeof *s);
    if (!s) return NULL;
    s->kind = kind;
    s->parent = parent;
    s->frame = kind == GX_SCOPE_OF_COMP ? parent->frame : s;
    s->function = kind == GX_SCOPE_OF_COMP ? parent->function : NULL;
    if (r->last)
        r->last->next = s;
    else
        r->first = s;
    r->last = s;
    return s;
}

static bool refer(gx_resolver *r, gx_scope_info *s, gx_node *n, uint8_t flags) {
    int32_t var = gx_scope_var(r, s, n->name);
    if (var < 0) return false;
    s->vars.items[var].flags |= flags;
    gx_name_ref ref = {n, var};
    return gx_vec_push(r->rt, &s->refs, ref);
}

/* Binds what a target names; walks what it evaluates. */
static bool bind(gx_resolver *r, gx_scope_info *s, gx_node *n) {
    if (n->kind == GX_NODE_NAME) return refer(r, s, n, GX_VAR_BOUND);
    if (n->kind == GX_NODE_STARRED) return bind(r, s, n->a);
    if (n->kind != GX_NODE_TUPLE && n->kind != GX_NODE_LIST) return walk(r, s, n);
    for (int32_t i = 0; i < n->n; i++)
        if (!bind(r, s, n->list[i])) return false;
    return true;
}

static bool bind_list(gx_resolver *r, gx_scope_info *s, gx_node *n) {
    for (int32_t i = 0; i < n->n; i++)
        if (!bind(r, s, n->list[i])) return false;
    return true;
}

static bool walk_list(gx_resolver *r, gx_scope_info *s, gx_node *n) {
    for (int32_t i = 0; i < n->n; i++)
        if (n->list[i] && !walk(r, s, n->list[i])) return false;
    return true;
}

/* Is it the function of a generator expression itself, not one that only returns such a thing? */
static bool is_genexp(const gx_function *f) {
    return f->body->kind == GX_NODE_GENEXP && f->body->function == f;
}

/* A statement's type parameters have a scope of their own: s where it has none. NULL: memory. */
static gx_scope_info *walk_types(gx_resolver *r, gx_scope_info *s, gx_node *types) {
    if (!types) return s;
    gx_scope_info *inner = new_scope(r, s, GX_SCOPE_OF_COMP);
    if (!inner) return NULL;
    inner->comp = types;
    return walk_list(r, inner, types) && walk(r, inner, types->a) ? inner : NULL;
}

/* A function's defaults belong to the scope around it, its body to a new one. */
static bool walk_function_in(gx_resolver *r, gx_scope_info *s, gx_node *types, gx_function *f) {
    for (int32_t i = 0; i < f->param_count; i++)
        if (f->params[i].fallback && !walk(r, s, f->params[i].fallback)) return false;
    gx_scope_info *around = walk_types(r, s, types);
    gx_scope_info *inner = around ? new_scope(r, around, GX_SCOPE_OF_FUNCTION) : NULL;
    if (!inner) return false;
    inner->function = f;
    for (int32_t i = 0; i < f->param_count; i++) {
        int32_t var = gx_scope_var(r, inner, f->params[i].name);
        if (var < 0) return false;
        inner->vars.items[var].flags |= GX_VAR_BOUND | GX_VAR_PARAM;
    }
    if (!is_genexp(f)) return walk(r, inner, f->body);
    gx_node *gen = f->body;
    for (int32_t i = 0; i < gen->n; i++) {
        gx_node *clause = gen->list[i];
        if (!walk(r, inner, clause->b) || !bind(r, inner, clause->a) ||
            !walk_list(r, inner, clause))
            return false;
    }
    return walk(r, inner, gen->b);
}

static bool walk_function(gx_resolver *r, gx_scope_info *s, gx_function *f) {
    return walk_function_in(r, s, NULL, f);
}

static bool walk_comprehension(gx_resolver *r, gx_scope_info *s, gx_node *n) {
    if (!walk(r, s, n->list[0]->b)) return false;
    gx_scope_info *inner = new_scope(r, s, GX_SCOPE_OF_COMP);
    if (!inner) return false;
    inner->comp = n;
    for (int32_t i = 0; i < n->n; i++) {
        gx_node *clause = n->list[i];
        if (i && !walk(r, inner, clause->b)) return false;
        if (!bind(r, inner, clause->a) || !walk_list(r, inner, clause)) return false;
    }
    return walk(r, inner, n->a) && (!n->b || walk(r, inner, n->b));
}

/* global, nonlocal: must come before any other mention of the name in the scope. */
static bool declare(gx_resolver *r, gx_scope_info *s, gx_node *n) {
    bool global = n->op == 1;
    const char *word = global ? "global" : "nonlocal";
    for (int32_t i = 0; i < n->n; i++) {
        gx_node *name = n->list[i];
        int32_t var = gx_scope_var(r, s, name->name);
        if (var < 0) return false;
        gx_var *v = &s->vars.items[var];
        const char *text = gx_sym_text(r->rt, name->name);
        uint8_t other = global ? GX_VAR_NONLOCAL : GX_VAR_GLOBAL;
        if (v->flags & GX_VAR_PARAM)
            gx_parser_syntax(r->p, name->at, "name '%s' is parameter and %s", text, word);
        else if (v->flags & other)
            gx_parser_syntax(r->p, name->at, "name '%s' is nonlocal and global", text);
        else if (v->flags & GX_VAR_BOUND)
            gx_parser_syntax(r->p, name->at, "name '%s' is assigned to before %s declaration", text,
                             word);
        else if (v->flags & GX_VAR_USED)
            gx_parser_syntax(r->p, name->at, "name '%s' is used prior to %s declaration", text,
                             word);
        v->at = name->at;
        if (!refer(r, s, name, global ? GX_VAR_GLOBAL : GX_VAR_NONLOCAL)) return false;
    }
    return true;
}

static bool annotate(gx_resolver *r, gx_scope_info *s, gx_node *n) {
    gx_node *name = n->list[0];
    if (!refer(r, s, name, GX_VAR_BOUND)) return false;
    uint8_t flags = s->vars.items[s->refs.items[s->refs.count - 1].var].flags;
    if (flags & (GX_VAR_GLOBAL | GX_VAR_NONLOCAL))
        gx_parser_syntax(r->p, name->at, "annotated name '%s' cannot be %s",
                         gx_sym_text(r->rt, name->name),
                         flags & GX_VAR_GLOBAL ? "global" : "nonlocal");
    return true;
}

/* __module__ and __qualname__ are bound when a class body begins: where it asks for them. */
static bool own_name(gx_resolver *r, gx_scope_info *s, const char *text) {
    int32_t var;
    gx_sym name = gx_sym_c(r->rt, text);
    if (!name || !gx_map_get(&s->names, name, &var)) return name != 0;
    gx_var *v = &s->vars.items[var];
    if (!(v->flags & (GX_VAR_GLOBAL | GX_VAR_NONLOCAL))) v->flags |= GX_VAR_BOUND;
    return true;
}

/* The body of a class: a scope whose names the functions in it do not see, but for __class__. */
static bool walk_class(gx_resolver *r, gx_scope_info *s, const gx_node *n) {
    gx_scope_info *inner = new_scope(r, s, GX_SCOPE_OF_CLASS);
    gx_function *f = n->function;
    if (!inner) return false;
    inner->function = f;
    inner->prepared = n->b->n > 0;
    gx_sym name = gx_sym_c(r->rt, "__class__");
    int32_t var = name ? gx_scope_var(r, inner, name) : -1;
    if (var < 0) return false;
    inner->vars.items[var].flags |= GX_VAR_BOUND;
    return walk(r, inner, f->body) && own_name(r, inner, "__module__") &&
           own_name(r, inner, "__qualname__");
}

static bool in_class(const gx_scope_info *s) {
    for (; s; s = s->parent)
        if (s->kind == GX_SCOPE_OF_CLASS) return true;
    return false;
}

static gx_node *name_node(gx_resolver *r, const gx_node *at, gx_sym name) {
    gx_node *n = gx_parser_node(r->p, GX_NODE_NAME, at->at.start);
    if (!n || !name) return NULL;
    n->name = name;
    n->at = at->at;
    return n;
}

/* super() in a method means super(__class__, its first parameter). */
static bool complete_super(gx_resolver *r, gx_scope_info *s, gx_node *n) {
    const gx_node *callee = n->a;
    if (n->n || callee->kind != GX_NODE_NAME) return true;
    if (strcmp(gx_sym_text(r->rt, callee->name), "super") != 0) return true;
    const gx_function *f = s->frame->function;
    if (s->frame->kind != GX_SCOPE_OF_FUNCTION || !f->param_count || !in_class(s->frame))
        return true;
    gx_node **list = gx_arena_alloc(&r->p->unit->arena, 2 * sizeof *list);
    if (!list) return false;
    list[0] = name_node(r, callee, gx_sym_c(r->rt, "__class__"));
    list[1] = name_node(r, callee, f->params[0].name);
    if (!list[0] || !list[1]) return false;
    n->list = list;
    n->n = 2;
    return true;
}

/* A comprehension's := binds in the scope around it. */
static bool bind_walrus(gx_resolver *r, gx_scope_info *s, gx_node *n) {
    gx_scope_info *t = s;
    while (t->kind == GX_SCOPE_OF_COMP ||
           (t->kind == GX_SCOPE_OF_FUNCTION && is_genexp(t->function)))
        t = t->parent;
    if (t == s) return bind(r, s, n->a);
    int32_t var = gx_scope_var(r, t, n->a->name);
    if (var < 0) return false;
    t->vars.items[var].flags |= GX_VAR_BOUND;
    return refer(r, s, n->a, GX_VAR_USED);
}

/* A pattern binds its captures and evaluates its values, keys and classes. */
static bool walk_pattern(gx_resolver *r, gx_scope_info *s, gx_node *n) {
    gx_pattern op = (gx_pattern)n->op;
    bool captures = op == GX_PATTERN_CAPTURE || op == GX_PATTERN_REST;
    if (n->a && !(captures ? bind(r, s, n->a) : walk(r, s, n->a))) return false;
    if (n->b && !bind(r, s, n->b)) return false;
    return walk_list(r, s, n);
}

static bool walk_children(gx_resolver *r, gx_scope_info *s, gx_node *n) {
    return (!n->a || walk(r, s, n->a)) && (!n->b || walk(r, s, n->b)) &&
           (!n->c || walk(r, s, n->c)) && walk_list(r, s, n);
}

/* What one node does to names; *next: the child to go on with in a loop, or NULL. */
static bool walk_one(gx_resolver *r, gx_scope_info *s, gx_node *n, gx_node **next) {
    gx_scope_info *around;
    switch ((int)n->kind) {
    case GX_NODE_NAME:
        return refer(r, s, n, GX_VAR_USED);
    case GX_NODE_BINARY:
    case GX_NODE_COMPARE:
    case GX_NODE_AND:
    case GX_NODE_OR:
    case GX_NODE_INDEX:
        *next = n->a;
        return walk(r, s, n->b);
    case GX_NODE_ATTR:
        *next = n->a;
        return true;
    case GX_NODE_CALL:
        *next = n->a;
        return complete_super(r, s, n) && walk_list(r, s, n);
    case GX_NODE_IF:
        *next = n->c;
        return walk(r, s, n->a) && walk(r, s, n->b);
    case GX_NODE_LAMBDA:
        return walk_function(r, s, n->function);
    case GX_NODE_DEF:
        return walk_list(r, s, n) && bind(r, s, n->a) && walk_function_in(r, s, n->c, n->function);
    case GX_NODE_CLASS:
        return walk_list(r, s, n) && (around = walk_types(r, s, n->c)) && walk(r, around, n->b) &&
               bind(r, s, n->a) && walk_class(r, around, n);
    case GX_NODE_TYPE:
        return bind(r, s, n->a) && (around = walk_types(r, s, n->c)) && walk(r, around, n->b);
    case GX_NODE_WALRUS:
        return walk(r, s, n->b) && bind_walrus(r, s, n);
    case GX_NODE_YIELD:
        return refer(r, s, n, GX_VAR_BOUND);
    case GX_NODE_YIELDED:
        return (!n->a || walk(r, s, n->a)) && refer(r, s, n, GX_VAR_BOUND);
    case GX_NODE_PATTERN:
        return walk_pattern(r, s, n);
    case GX_NODE_GENEXP:
        return walk(r, s, n->a) && walk_function(r, s, n->function);
    case GX_NODE_LISTCOMP:
    case GX_NODE_SETCOMP:
    case GX_NODE_DICTCOMP:
        return walk_comprehension(r, s, n);
    case GX_NODE_ASSIGN:
        return walk(r, s, n->a) && bind_list(r, s, n);
    case GX_NODE_AUGASSIGN:
        *next = n->b;
        return bind(r, s, n->a);
    case GX_NODE_DEL:
        return bind_list(r, s, n);
    case GX_NODE_FOR:
        *next = n->c;
        return walk_list(r, s, n) && bind(r, s, n->a) && walk(r, s, n->b);
    case GX_NODE_WITHITEM:
        return walk(r, s, n->a) && (!n->b || bind(r, s, n->b));
    case GX_NODE_WITH:
        *next = n->a;
        return walk_list(r, s, n);
    case GX_NODE_TRY:
        return walk(r, s, n->a) && walk_list(r, s, n) && (!n->b || walk(r, s, n->b)) &&
               (!n->c || walk(r, s, n->c));
    case GX_NODE_EXCEPT:
        return (!n->a || walk(r, s, n->a)) && (!n->b || bind(r, s, n->b)) && walk(r, s, n->c);
    case GX_NODE_ALIAS:
        return bind(r, s, n->a);
    case GX_NODE_PASS:
        if (n->op == 3) return annotate(r, s, n);
        return n->op == 0 || declare(r, s, n);
    default:
        return walk_children(r, s, n);
    }
}

static bool walk(gx_resolver *r, gx_scope_info *s, gx_node *n) {
    while (n) {
        gx_node *next = NULL;
        if (!walk_one(r, s, n, &next)) return false;
        n = next;
    }
    return true;
}

static void free_scopes(gx_resolver *r) {
    for (gx_scope_info *s = r->first, *next; s; s = next) {
        next = s->next;
        gx_map_free(r->rt, &s->names);
        gx_vec_free(r->rt, &s->vars);
        gx_vec_free(r->rt, &s->refs);
        gx_vec_free(r->rt, &s->captures);
        gx_free(r->rt, s);
    }
}

bool gx_scope_resolve(gx_parser *p, gx_map *globals) {
    gx_resolver r = {.p = p, .rt = p->rt, .globals = globals};
    gx_scope_info *module = new_scope(&r, NULL, GX_SCOPE_OF_MODULE);
    bool ok = false;
    if (module) {
        module->function = p->unit->main;
        ok = walk(&r, module, p->unit->main->body);
    }
    /* Nothing is assigned, and no global made, for a unit that is wrong. */
    if (ok && p->errors->count == 0) ok = gx_scope_assign(&r);
    free_scopes(&r);
    return ok;
}
