/* Units, the parsed programs: how long they live, and a walk over what they hold. Invariant: every
   unit that is alive hangs on the interpreter's list, by whose end its constants are dropped. */
#include "interp/eval/evaluator.h"
#include "interp/loops/loops.h"

static bool walk(gx_rt *rt, gx_node *n, gx_node_fn visit, gx_function_fn enter);

bool gx_unit_visit(gx_rt *rt, gx_function *fn, gx_node_fn visit, gx_function_fn enter) {
    if (enter) enter(fn);
    for (int32_t i = 0; i < fn->param_count; i++)
        if (!walk(rt, fn->params[i].fallback, visit, enter)) return false;
    return walk(rt, fn->body, visit, enter);
}

/* Visits children first. A generator expression is its own function's body. */
static bool walk(gx_rt *rt, gx_node *n, gx_node_fn visit, gx_function_fn enter) {
    if (!n) return true;
    if (!gx_stack_check(rt)) return false;
    if (!walk(rt, n->a, visit, enter) || !walk(rt, n->b, visit, enter) ||
        !walk(rt, n->c, visit, enter))
        return false;
    for (int32_t i = 0; i < n->n; i++)
        if (!walk(rt, n->list[i], visit, enter)) return false;
    if ((n->kind == GX_NODE_LAMBDA || n->kind == GX_NODE_DEF || n->kind == GX_NODE_CLASS) &&
        !gx_unit_visit(rt, n->function, visit, enter))
        return false;
    return visit(rt, n);
}

static bool unlink_node(gx_rt *rt, gx_node *n) {
    if (n->kind == GX_NODE_FOR || n->kind == GX_NODE_WHILE) gx_hot_free(rt, n);
    gx_drop(gx_steal(&n->constant));
    return true;
}

static void unlink(gx_rt *rt, gx_unit *unit) {
    /* Cannot fail: the same walk has fitted the stack when the unit was linked. */
    if (!gx_unit_visit(rt, unit->main, unlink_node, NULL)) gx_error_clear(rt);
}

void gx_unit_add(gx_rt *rt, gx_unit *unit) {
    gx_interp *vm = rt->interp;
    unit->users = 1;
    unit->next = vm->units;
    unit->place = &vm->units;
    if (unit->next) unit->next->place = &unit->next;
    vm->units = unit;
}

void gx_unit_drop(gx_unit *unit) {
    gx_rt *rt = unit->arena.rt;
    if (--unit->users > 0) return;
    if (unit->place) *unit->place = unit->next;
    if (unit->next) unit->next->place = unit->place;
    unlink(rt, unit);
    gx_source_retire(rt, unit->source);
    gx_unit_free(unit);
}

/* Constants may hold functions of the library's own texts, and so their units themselves. */
void gx_units_unlink(gx_rt *rt) {
    gx_interp *vm = rt->interp;
    for (gx_unit *unit = vm->units, *next; unit; unit = next) {
        gx_unit_keep(unit);
        unlink(rt, unit);
        next = unit->next;
        gx_unit_drop(unit);
    }
}
