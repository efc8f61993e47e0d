/* Names, first half: walks the tree once and notes for each scope which names it binds, uses and
   declares. List, set and dict comprehensions are scopes within their function's frame; generator
   expressions are functions. Left-deep chains and elif chains are walked in loops, everything else
   is as deep as the parser allowed. */
#include "parser/scope_int.h"

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

/* A function's defaults belong to the scope around it, its body to a new one. */
static bool walk_function(gx_resolver *r, gx_scope_info *s, gx_function *f) {
    for (int32_t i = 0; i < f->param_count; i++)
        if (f->params[i].fallback && !walk(r, s, f->params[i].fallback)) return false;
    gx_scope_info *inner = new_scope(r, s, GX_SCOPE_OF_FUNCTION);
    if (!inner) return false;
    inner->function = f;
    for (int32_t i = 0; i < f->param_count; i++) {
        int32_t var = gx_scope_var(r, inner, f->params[i].name);
        if (var < 0) return false;
        inner->vars.items[var].flags |= GX_VAR_BOUND | GX_VAR_PARAM;
    }
    if (f->body->kind != GX_NODE_GENEXP) return walk(r, inner, f->body);
    gx_node *gen = f->body;
    for (int32_t i = 0; i < gen->n; i++) {
        gx_node *clause = gen->list[i];
        if (!walk(r, inner, clause->b) || !bind(r, inner, clause->a) ||
            !walk_list(r, inner, clause))
            return false;
    }
    return walk(r, inner, gen->b);
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

static bool walk_children(gx_resolver *r, gx_scope_info *s, gx_node *n) {
    return (!n->a || walk(r, s, n->a)) && (!n->b || walk(r, s, n->b)) &&
           (!n->c || walk(r, s, n->c)) && walk_list(r, s, n);
}

/* What one node does to names; *next: the child to go on with in a loop, or NULL. */
static bool walk_one(gx_resolver *r, gx_scope_info *s, gx_node *n, gx_node **next) {
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
        return walk_list(r, s, n);
    case GX_NODE_IF:
        *next = n->c;
        return walk(r, s, n->a) && walk(r, s, n->b);
    case GX_NODE_LAMBDA:
        return walk_function(r, s, n->function);
    case GX_NODE_DEF:
        return bind(r, s, n->a) && walk_function(r, s, n->function);
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
