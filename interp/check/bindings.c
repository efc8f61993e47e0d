/* What a text binds, before anything is judged: how often each global name, by which statement, and
   to what where that is the library's. Imports of the library are executed, in a module of their
   own; nothing else of the text is. */
#include <string.h>

#include "interp/check/check_int.h"
#include "stdlib/library/python_modules.h"
#include "stdlib/stdlib.h"

static gx_binding *binding_of(gx_careful *c, const gx_node *name) {
    if (name->scope == GX_SCOPE_GLOBAL) return &c->globals[name->slot];
    return NULL;
}

static void bind(gx_careful *c, const gx_node *target, const gx_node *made) {
    if (!target) return;
    if (target->kind == GX_NODE_NAME) {
        gx_binding *b = binding_of(c, target);
        if (b) {
            b->count++;
            b->made = made;
        }
    } else if (target->kind == GX_NODE_STARRED) {
        bind(c, target->a, NULL);
    } else if (target->kind == GX_NODE_TUPLE || target->kind == GX_NODE_LIST) {
        for (int32_t i = 0; i < target->n; i++) bind(c, target->list[i], NULL);
    }
}

static bool is_library(gx_rt *rt, const char *name) {
    gx_value v;
    if (gx_text_module_find(name)) return true;
    gx_try found = gx_module_import(rt, name, &v);
    if (found == GX_TRY_YES) gx_drop(v);
    gx_error_clear(rt);
    return found == GX_TRY_YES;
}

static void take_value(gx_careful *c, int32_t slot) {
    gx_drop(c->globals[slot].value);
    c->globals[slot].value = gx_keep(c->module->values[slot]);
}

/* All names of an import of the library; an error stays pending where it fails. */
static bool import_now(gx_careful *c, const gx_node *n, bool *ok) {
    gx_frame f;
    *ok = true;
    if (n->kind == GX_NODE_FROM && !is_library(c->rt, gx_sym_text(c->rt, n->name))) {
        c->open_names = c->open_names || n->op == 1;
        return true;
    }
    for (int32_t i = 0; i < n->n; i++) {
        const gx_node *alias = n->list[i];
        if (alias->a->scope != GX_SCOPE_GLOBAL) return true;
        if (n->kind == GX_NODE_IMPORT && !is_library(c->rt, gx_sym_text(c->rt, alias->name)))
            return true;
    }
    if (!gx_check_frame(c, c->unit->main, &f)) return false;
    *ok = gx_exec(&f, n) != GX_FLOW_ERROR;
    for (int32_t i = 0; *ok && i < n->n; i++) take_value(c, n->list[i]->a->slot);
    return true;
}

static const char *callee_name(const gx_careful *c, const gx_node *n) {
    bool named = n->kind == GX_NODE_CALL &&
                 (n->a->kind == GX_NODE_NAME || n->a->kind == GX_NODE_ATTR);
    return named ? gx_sym_text(c->rt, n->a->name) : "";
}

static bool is_one_of(const char *name, const char *const *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, list[i]) == 0) return true;
    return false;
}

bool gx_check_expects(const gx_careful *c, const gx_node *n) {
    static const char *const plain[] = {"open",       "errstate",      "printoptions",
                                        "closing",    "Timer",         "TemporaryDirectory",
                                        "perf_timer", "catch_warnings"};
    if (n->kind == GX_NODE_TRY) return n->n > 0;
    if (n->kind != GX_NODE_WITH) return false;
    for (int32_t i = 0; i < n->n; i++)
        if (!is_one_of(callee_name(c, n->list[i]->a), plain, sizeof plain / sizeof *plain))
            return true;
    return false;
}

static bool add_sym(gx_careful *c, gx_map *set, gx_sym name) {
    return gx_map_set(c->rt, set, name, 1);
}

/* Functions that are handed on, or mentioned where a failure is expected: who calls them may want
   them to fail. */
static bool note_suspects(gx_careful *c, const gx_node *n, bool expected) {
    if (!n) return true;
    if (!gx_stack_check(c->rt)) return false;
    if (n->kind == GX_NODE_NAME && expected && !add_sym(c, &c->suspects, n->name)) return false;
    if (n->kind == GX_NODE_CALL && !note_suspects(c, n->a, expected)) return false;
    bool handed = expected || n->kind == GX_NODE_CALL || n->kind == GX_NODE_DEF;
    bool inside = expected || gx_check_expects(c, n);
    if (n->kind == GX_NODE_DEF || n->kind == GX_NODE_CLASS || n->kind == GX_NODE_LAMBDA) {
        for (int32_t i = 0; i < n->n; i++) /* decorators */
            if (!note_suspects(c, n->list[i], true)) return false;
        return note_suspects(c, n->function->body, expected);
    }
    if (n->kind != GX_NODE_CALL && !note_suspects(c, n->a, inside)) return false;
    if (!note_suspects(c, n->b, expected) || !note_suspects(c, n->c, expected)) return false;
    for (int32_t i = 0; i < n->n; i++)
        if (!note_suspects(c, n->list[i], handed && n->kind == GX_NODE_CALL ? true : expected))
            return false;
    return true;
}

static bool visit_targets(gx_careful *c, const gx_node *n, bool *ok) {
    switch ((int)n->kind) {
    case GX_NODE_ASSIGN:
        for (int32_t i = 0; i < n->n; i++) bind(c, n->list[i], NULL);
        break;
    case GX_NODE_AUGASSIGN:
    case GX_NODE_WALRUS:
    case GX_NODE_FOR:
    case GX_NODE_COMPFOR:
    case GX_NODE_TYPE:
        bind(c, n->a, NULL);
        break;
    case GX_NODE_EXCEPT:
    case GX_NODE_WITHITEM:
        bind(c, n->b, NULL);
        break;
    case GX_NODE_DEF:
    case GX_NODE_CLASS:
        bind(c, n->a, n);
        break;
    case GX_NODE_DEL:
        for (int32_t i = 0; i < n->n; i++) bind(c, n->list[i], NULL);
        break;
    case GX_NODE_PATTERN:
        if (n->op == GX_PATTERN_CAPTURE) bind(c, n->a, NULL);
        if (n->op == GX_PATTERN_AS || n->op == GX_PATTERN_DICT) bind(c, n->b, NULL);
        if (n->op == GX_PATTERN_REST) bind(c, n->a, NULL);
        break;
    case GX_NODE_PASS: /* global x; a bare annotation */
        for (int32_t i = 0; i < n->n; i++) {
            gx_binding *b = binding_of(c, n->list[i]);
            bind(c, n->list[i], NULL);
            if (b) b->shared = b->shared || n->op == 1;
        }
        break;
    case GX_NODE_IMPORT:
    case GX_NODE_FROM:
        for (int32_t i = 0; i < n->n; i++) bind(c, n->list[i]->a, NULL);
        return import_now(c, n, ok);
    default:
        break;
    }
    return true;
}

static bool visit(gx_careful *c, const gx_node *n, bool expected) {
    static const char *const dynamic[] = {"exec", "globals", "locals", "vars", "setattr",
                                          "__import__"};
    bool ok = true;
    if (!n) return true;
    if (!gx_stack_check(c->rt)) return false;
    if (!visit_targets(c, n, &ok)) return false;
    if (!ok && expected) gx_error_clear(c->rt);
    if (!ok && !expected && !gx_check_found(c)) return false;
    if (is_one_of(callee_name(c, n), dynamic, sizeof dynamic / sizeof *dynamic))
        c->open_names = true;
    if (n->kind == GX_NODE_STR && n->length < 64) {
        gx_sym name = gx_sym_of(c->rt, n->text, n->length);
        if (!name || !add_sym(c, &c->said, name)) return false;
    }
    if (n->kind == GX_NODE_ASSIGN || n->kind == GX_NODE_DEL)
        for (int32_t i = 0; i < n->n; i++)
            if (n->list[i]->kind == GX_NODE_ATTR && !add_sym(c, &c->said, n->list[i]->name))
                return false;
    bool inside = expected || gx_check_expects(c, n);
    if (!visit(c, n->a, inside) || !visit(c, n->b, expected) || !visit(c, n->c, expected))
        return false;
    for (int32_t i = 0; i < n->n; i++)
        if (!visit(c, n->list[i], expected)) return false;
    if (n->kind != GX_NODE_LAMBDA && n->kind != GX_NODE_DEF && n->kind != GX_NODE_CLASS)
        return true;
    for (int32_t i = 0; i < n->function->param_count; i++)
        if (!visit(c, n->function->params[i].fallback, expected)) return false;
    return visit(c, n->function->body, expected);
}

/* For suggestions: what the text binds to something unknown. */
static void bind_rest(gx_careful *c) {
    for (int32_t i = 0; i < c->slots; i++) {
        gx_value *v = &c->module->values[i];
        if (c->globals[i].count && v->tag == GX_UNDEF) *v = gx_none();
    }
}

bool gx_check_bindings(gx_careful *c) {
    c->slots = c->module->count;
    c->globals = gx_arena_alloc(&c->arena, ((size_t)c->slots + 1) * sizeof *c->globals);
    if (!c->globals) return false;
    for (int32_t i = 0; i < c->slots; i++) c->globals[i].value = gx_undef();
    if (!visit(c, c->unit->main->body, false)) return false;
    if (!note_suspects(c, c->unit->main->body, false)) return false;
    bind_rest(c);
    return true;
}

void gx_check_bindings_free(gx_careful *c) {
    for (int32_t i = 0; c->globals && i < c->slots; i++) gx_drop(gx_steal(&c->globals[i].value));
    gx_map_free(c->rt, &c->suspects);
    gx_map_free(c->rt, &c->said);
}

enum { MOST_DOTS = 16 };

/* A name with so many dots that it can be no module's, as in a text made to take long. */
static bool is_deep(const gx_node *n) {
    int dots = 0;
    for (; n->kind == GX_NODE_ATTR; n = n->a)
        if (++dots > MOST_DOTS) return true;
    return false;
}

gx_value gx_check_resolve(gx_careful *c, const gx_node *n) {
    gx_value v = gx_undef(), base;
    if (is_deep(n)) return v;
    gx_try found = GX_TRY_NO;
    int32_t said; /* hasattr(np, "cuda"): nothing is asked of np, which may look far for it */
    if (n->kind == GX_NODE_NAME && n->scope == GX_SCOPE_GLOBAL) {
        const gx_binding *b = &c->globals[n->slot];
        if (b->count == 1) return gx_keep(b->value);
        if (b->count) return v;
        v = gx_keep(c->module->values[n->slot]);
        if (v.tag != GX_UNDEF) return v;
        found = gx_builtin(c->rt, n->name, &v);
    } else if (n->kind == GX_NODE_ATTR && !gx_map_get(&c->said, n->name, &said)) {
        base = gx_check_resolve(c, n->a);
        if (base.tag == GX_MODULE && gx_as_module(base)->builtin)
            found = gx_module_attr(c->rt, gx_as_module(base), n->name, &v);
        gx_drop(base);
    }
    gx_error_clear(c->rt);
    return found == GX_TRY_YES ? v : gx_undef();
}
