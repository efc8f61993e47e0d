/* Names that nothing binds, attributes that the library's modules have not, calls whose arguments
   do not fit: what is wrong wherever it stands, whatever the program computes. */
#include <string.h>

#include "interp/check/check_int.h"
#include "stdlib/stdlib.h"

static bool found_at(gx_careful *c, gx_span at) {
    gx_frame f;
    gx_error e;
    gx_error_save(c->rt, &e);
    bool ok = gx_check_frame(c, c->unit->main, &f);
    if (ok) {
        gx_error_restore(c->rt, &e);
        (void)gx_locate_at(&f, at);
        return gx_check_found(c);
    }
    gx_error_free(&e);
    return false;
}

static bool check_name(gx_careful *c, const gx_function *code, const gx_node *n) {
    gx_frame f;
    gx_value v;
    if (n->scope != GX_SCOPE_GLOBAL || c->globals[n->slot].count || c->open_names) return true;
    if (c->module->values[n->slot].tag != GX_UNDEF) return true;
    if (strncmp(gx_sym_text(c->rt, n->name), "__", 2) == 0) return true;
    gx_try found = gx_builtin(c->rt, n->name, &v);
    if (found == GX_TRY_YES) gx_drop(v);
    if (found != GX_TRY_NO) return found == GX_TRY_YES;
    if (!gx_check_frame(c, code, &f)) return false;
    (void)gx_locate_name(&f, n);
    return gx_check_found(c);
}

static bool check_attribute(gx_careful *c, const gx_function *code, const gx_node *n) {
    gx_value base, v;
    gx_frame f;
    int32_t said;
    if (gx_map_get(&c->said, n->name, &said)) return true;
    base = gx_check_resolve(c, n->a);
    bool ok = true;
    if (base.tag == GX_MODULE && gx_as_module(base)->builtin) {
        ok = gx_check_frame(c, code, &f);
        if (ok && gx_get_attr(c->rt, base, n->name, &v)) {
            gx_drop(v);
        } else if (ok) {
            (void)gx_locate_part(&f, n, n->a, base);
            ok = gx_check_found(c);
        }
    }
    gx_drop(base);
    return ok;
}

enum { MOST = 24 };

bool gx_check_arguments(gx_careful *c, const gx_node *call, const gx_function *fn, int selves) {
    gx_sym kw[MOST];
    gx_value given[2 * MOST], defaults[MOST], slots[MOST];
    int argc = selves, kwc = 0;
    if (call->n + selves > MOST || fn->param_count > MOST) return true;
    for (int32_t i = 0; i < call->n; i++) {
        const gx_node *a = call->list[i];
        if (a->kind == GX_NODE_STARRED || a->kind == GX_NODE_DOUBLESTAR) return true;
        if (a->kind == GX_NODE_KEYWORD) kw[kwc++] = a->name;
        else argc++;
    }
    for (int i = 0; i < argc + kwc; i++) given[i] = gx_none();
    for (int32_t i = 0; i < fn->param_count; i++) {
        defaults[i] = fn->params[i].fallback ? gx_none() : gx_undef();
        slots[i] = gx_undef();
    }
    gx_func made = {.code = (gx_function *)(uintptr_t)fn,
                    .globals = c->module,
                    .fallbacks = defaults,
                    .fallback_count = fn->param_count,
                    .simple = -1};
    if (!gx_bind(c->rt, &made, argc, given, kwc, kw, slots)) return false;
    for (int32_t i = 0; i < fn->param_count; i++) gx_drop(slots[i]);
    return true;
}

/* The function that calling a class runs, where the text alone says: its own __init__. */
static const gx_function *init_of(const gx_careful *c, const gx_node *cls) {
    const gx_node *body = cls->function->body;
    const gx_function *found = NULL;
    if (cls->n || (cls->b && cls->b->n)) return NULL;
    for (int32_t i = 0; i < body->n; i++) {
        const gx_node *s = body->list[i];
        if (s->kind != GX_NODE_DEF) continue;
        const char *name = gx_sym_text(c->rt, s->a->name);
        if (strcmp(name, "__new__") == 0 || s->n) return NULL;
        if (strcmp(name, "__init__") == 0) found = s->function;
    }
    return found;
}

static bool accepts(gx_careful *c, const gx_node *n, const gx_native *fn) {
    gx_sym kw[MOST];
    int argc = 0, kwc = 0;
    if (n->n > MOST) return true;
    for (int32_t i = 0; i < n->n; i++) {
        const gx_node *a = n->list[i];
        if (a->kind == GX_NODE_STARRED || a->kind == GX_NODE_DOUBLESTAR) return true;
        if (a->kind == GX_NODE_KEYWORD) kw[kwc++] = a->name;
        else argc++;
    }
    return gx_native_accepts(c->rt, fn, argc, kwc, kw, 0);
}

/* Does the text give its functions other defaults or code than they are written with? */
static bool rewrites(const gx_careful *c) {
    static const char *const parts[] = {"__defaults__", "__kwdefaults__", "__code__", "__init__"};
    int32_t said;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (gx_map_get(&c->said, gx_sym_find(c->rt, parts[i], strlen(parts[i])), &said))
            return true;
    return false;
}

static bool check_call(gx_careful *c, const gx_node *n) {
    const gx_binding *b = n->a->kind == GX_NODE_NAME && n->a->scope == GX_SCOPE_GLOBAL
                              ? &c->globals[n->a->slot]
                              : NULL;
    bool ok = true;
    if (b && b->count == 1 && b->made && !rewrites(c)) {
        const gx_node *made = b->made;
        const gx_function *fn = made->kind == GX_NODE_CLASS ? init_of(c, made)
                                : made->n                   ? NULL
                                                            : made->function;
        ok = !fn || gx_check_arguments(c, n, fn, made->kind == GX_NODE_CLASS);
    } else {
        gx_value fn = gx_check_resolve(c, n->a);
        if (fn.tag == GX_NATIVE) ok = accepts(c, n, fn.native);
        gx_drop(fn);
    }
    if (ok) return true;
    return found_at(c, n->at);
}

static bool walk(gx_careful *c, const gx_function *code, const gx_node *n, bool expected);

static bool walk_function(gx_careful *c, const gx_function *outer, const gx_node *n,
                          bool expected) {
    int32_t suspect;
    const gx_function *fn = n->function;
    if (n->kind == GX_NODE_LAMBDA || n->kind == GX_NODE_DEF)
        expected = expected || gx_map_get(&c->suspects, fn->name, &suspect);
    for (int32_t i = 0; i < fn->param_count; i++)
        if (!walk(c, outer, fn->params[i].fallback, expected)) return false;
    return walk(c, fn, fn->body, expected);
}

/* `expected`: a failure may be what is wanted, and is not told. */
static bool walk(gx_careful *c, const gx_function *code, const gx_node *n, bool expected) {
    if (!n) return true;
    if (!gx_stack_check(c->rt)) return false;
    if (n->kind == GX_NODE_GENEXP) {
        if (!walk(c, code, n->a, expected)) return false;
        for (int32_t i = 0; i < n->n; i++)
            if (!walk(c, n->function, n->list[i], expected)) return false;
        return walk(c, n->function, n->b, expected);
    }
    bool inside = expected || gx_check_expects(c, n);
    if (!walk(c, code, n->a, inside) || !walk(c, code, n->b, expected) ||
        !walk(c, code, n->c, expected))
        return false;
    for (int32_t i = 0; i < n->n; i++) {
        const gx_node *part = n->list[i];
        bool handed = part && part->kind == GX_NODE_LAMBDA && n->kind != GX_NODE_ASSIGN;
        if (!walk(c, code, part, expected || handed)) return false;
    }
    if (n->kind == GX_NODE_DEF || n->kind == GX_NODE_CLASS || n->kind == GX_NODE_LAMBDA)
        return walk_function(c, code, n, expected);
    if (expected) return true;
    if (n->kind == GX_NODE_NAME) return check_name(c, code, n);
    if (n->kind == GX_NODE_ATTR) return check_attribute(c, code, n);
    if (n->kind == GX_NODE_CALL) return check_call(c, n);
    return true;
}

bool gx_check_names(gx_careful *c) {
    return walk(c, c->unit->main, c->unit->main->body, false);
}
