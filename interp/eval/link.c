/* Linking: gives every node of a parsed unit its evaluator and its constant, and picks special
   evaluators where the tree alone allows it. Invariant: specialising never changes what a program
   does; the general evaluator of ast.def would give the same answer. */
#include "interp/eval/debug/debugger.h"
#include "interp/eval/evaluator.h"

#include "runtime/object/container/list.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str.h"

static bool make_int(gx_rt *rt, gx_node *n) {
    const char *text = n->text;
    size_t length = n->length;
    int base = 10;
    if (length > 2 && text[0] == '0') {
        char mark = (char)(text[1] | 0x20);
        base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
        if (base != 10) {
            text += 2;
            length -= 2;
        }
    }
    return gx_int_parse(rt, text, length, base, &n->constant);
}

static bool make_constant(gx_rt *rt, gx_node *n) {
    switch (n->kind) {
    case GX_NODE_NONE: n->constant = gx_none(); return true;
    case GX_NODE_TRUE: n->constant = gx_bool(true); return true;
    case GX_NODE_FALSE: n->constant = gx_bool(false); return true;
    case GX_NODE_ELLIPSIS: n->constant = (gx_value){.tag = GX_ELLIPSIS}; return true;
    case GX_NODE_INT: return make_int(rt, n);
    case GX_NODE_FLOAT: n->constant = gx_float(n->number); return true;
    case GX_NODE_IMAG: return gx_complex_new(rt, 0, n->number, &n->constant);
    case GX_NODE_STR: return gx_str_new(rt, n->text, n->length, &n->constant);
    case GX_NODE_BYTES: return gx_bytes_new(rt, n->text, n->length, &n->constant);
    default: return true;
    }
}

static gx_eval_fn binary_evaluator(gx_binop op) {
    switch (op) {
    case GX_ADD: return gx_eval_add;
    case GX_SUB: return gx_eval_sub;
    case GX_MUL: return gx_eval_mul;
    case GX_DIV: return gx_eval_div;
    case GX_MOD: return gx_eval_mod;
    case GX_FLOORDIV: return gx_eval_floordiv;
    case GX_MATMUL:
    case GX_POW:
    case GX_LSHIFT:
    case GX_RSHIFT:
    case GX_BITAND:
    case GX_BITXOR:
    case GX_BITOR:
    case GX_BINOPS: break;
    }
    return gx_eval_binary;
}

static bool plain_arguments(const gx_node *n) {
    for (int32_t i = 0; i < n->n; i++) {
        unsigned kind = n->list[i]->kind;
        if (kind == GX_NODE_STARRED || kind == GX_NODE_KEYWORD || kind == GX_NODE_DOUBLESTAR)
            return false;
    }
    return true;
}

/* {1, 2, 3}: the set of constants that its evaluator copies. CPython makes it of the constants, and
   again of what that set yields; the order of the items is that of the second one. */
static bool set_twice(gx_rt *rt, gx_node *n) {
    gx_value type = gx_type_value(&gx_type_set), first, list, tuple = n->constant;
    n->constant = gx_undef();
    bool ok = gx_call_value(rt, type, 1, &tuple, 0, NULL, &first);
    gx_drop(tuple);
    if (!ok) { /* the display itself says what cannot be hashed */
        gx_error_clear(rt);
        return true;
    }
    ok = gx_list_of(rt, first, &list);
    gx_drop(first);
    if (!ok) return false;
    ok = gx_call_value(rt, type, 1, &list, 0, NULL, &n->constant);
    gx_drop(list);
    return ok;
}

/* -1 and (1, 2): as good as written out. */
static bool fold(gx_rt *rt, gx_node *n) {
    if (n->kind == GX_NODE_UNARY) {
        gx_value a = n->a->constant;
        if (n->op != GX_NEG || n->a->eval != gx_eval_constant) return true;
        if (a.tag == GX_INT && a.i != INT64_MIN)
            n->constant = gx_int(-a.i);
        else if (a.tag == GX_FLOAT)
            n->constant = gx_float(-a.f);
        else
            return true;
        n->eval = gx_eval_constant;
        return true;
    }
    if (n->kind == GX_NODE_SET && n->n < 3) return true;
    for (int32_t i = 0; i < n->n; i++)
        if (n->list[i]->kind == GX_NODE_STARRED || n->list[i]->eval != gx_eval_constant)
            return true;
    gx_value *items = gx_alloc(rt, (size_t)n->n * sizeof *items);
    if (!items) return false;
    for (int32_t i = 0; i < n->n; i++) items[i] = n->list[i]->constant;
    bool ok = gx_tuple_new(rt, n->n, items, &n->constant);
    gx_free(rt, items);
    if (n->kind == GX_NODE_SET) return ok && set_twice(rt, n);
    n->eval = gx_eval_constant;
    return ok;
}

static bool has_star(const gx_node *n) {
    for (int32_t i = 0; i < n->n; i++)
        if (n->list[i]->kind == GX_NODE_STARRED) return true;
    return false;
}

/* Is there one target for each value? */
static bool is_match(const gx_node *targets, const gx_node *values) {
    return (targets->kind == GX_NODE_TUPLE || targets->kind == GX_NODE_LIST) &&
           targets->n == values->n && !has_star(targets) && !has_star(values);
}

static bool locals_only(const gx_node *n) {
    for (int32_t i = 0; i < n->n; i++)
        if (n->list[i]->kind != GX_NODE_NAME || n->list[i]->scope != GX_SCOPE_LOCAL) return false;
    return n->n > 0;
}

static bool specialise(gx_rt *rt, gx_node *n) {
    if ((n->kind == GX_NODE_TUPLE || n->kind == GX_NODE_LIST) && locals_only(n))
        n->op = GX_TARGETS_LOCAL;
    switch (n->kind) {
    case GX_NODE_NAME:
        if (rt->interp->linking->named &&
            (n->scope == GX_SCOPE_GLOBAL || n->scope == GX_SCOPE_CLASS)) {
            if (n->scope == GX_SCOPE_GLOBAL) n->scope = GX_SCOPE_NAMED;
            return gx_str_of_sym(rt, n->name, &n->constant);
        }
        if (n->scope == GX_SCOPE_LOCAL) n->eval = gx_eval_local;
        if (n->scope == GX_SCOPE_GLOBAL) n->eval = gx_eval_global;
        return true;
    case GX_NODE_ATTR:
        n->memo = gx_arena_alloc(&rt->interp->linking->arena, sizeof(gx_field_memo));
        return n->memo != NULL;
    case GX_NODE_BINARY: n->eval = binary_evaluator((gx_binop)n->op); return true;
    case GX_NODE_COMPARE: /* x in {1, 2}: nobody else sees the set, so no copy is needed */
        if ((n->op == GX_IN || n->op == GX_NOT_IN) && n->b->constant.tag == GX_SET)
            n->b->eval = gx_eval_constant;
        return true;
    case GX_NODE_UNARY:
    case GX_NODE_SET:
    case GX_NODE_TUPLE: return fold(rt, n);
    case GX_NODE_CALL:
        if (!plain_arguments(n)) return true;
        n->eval = n->a->kind == GX_NODE_ATTR ? gx_eval_call_method : gx_eval_call_plain;
        return true;
    case GX_NODE_ASSIGN:
        if (n->n == 1 && n->list[0]->kind == GX_NODE_NAME && n->list[0]->scope == GX_SCOPE_LOCAL)
            n->exec = gx_exec_assign_local;
        else if (n->n == 1 && n->list[0]->kind == GX_NODE_INDEX)
            n->exec = gx_exec_assign_index;
        else if (n->n == 1 && n->list[0]->kind == GX_NODE_ATTR)
            n->exec = gx_exec_assign_attr;
        else if (n->n == 1 && n->a->eval == gx_eval_tuple && is_match(n->list[0], n->a))
            n->exec = gx_exec_assign_parts;
        return true;
    case GX_NODE_AUGASSIGN:
        if (n->a->kind == GX_NODE_NAME && n->a->scope == GX_SCOPE_LOCAL)
            n->exec = gx_exec_aug_local;
        return true;
    default: return true;
    }
}

/* The executor of a statement with a yield inside. */
static gx_exec_fn resumable(const gx_node *n) {
    switch ((gx_kind)n->kind) {
#define COMPOUND(kind, fn, doc) case GX_NODE_##kind: return n->scope ? gx_##fn##_resumed : NULL;
#define STMT(kind, fn, doc) case GX_NODE_##kind: return NULL;
#define EXPR(kind, fn, doc) case GX_NODE_##kind: return NULL;
#define PART(kind, doc) case GX_NODE_##kind: return NULL;
#include "parser/ast.def"
    case GX_NODE_KINDS: break;
    }
    return NULL;
}

static bool link_node(gx_rt *rt, gx_node *n) {
    switch ((gx_kind)n->kind) {
#define EXPR(kind, fn, doc) case GX_NODE_##kind: n->eval = gx_##fn; break;
#define STMT(kind, fn, doc) case GX_NODE_##kind: n->exec = gx_##fn; break;
#define PART(kind, doc) case GX_NODE_##kind: break;
#include "parser/ast.def"
    case GX_NODE_KINDS: break;
    }
    if (!make_constant(rt, n) || !specialise(rt, n)) return false;
    gx_quicken(n);
    gx_exec_fn resumed = resumable(n);
    if (resumed) n->exec = resumed;
    if (GX_UNLIKELY(rt->interp->messages == GX_MESSAGES_TEACH)) gx_teach_link(n);
    return true;
}

/* What a call of the function does once its arguments are bound. */
static void link_function(gx_function *fn) {
    fn->begin = fn->is_generator ? gx_yielder_new : NULL;
}

static bool link_unit(gx_rt *rt, gx_unit *unit) {
    gx_unit *before = rt->interp->linking;
    rt->interp->linking = unit;
    bool ok = gx_unit_visit(rt, unit->main, link_node, link_function);
    rt->interp->linking = before;
    return ok;
}

bool gx_unit_begin(gx_rt *rt, gx_unit *unit) {
    gx_unit_add(rt, unit);
    if (link_unit(rt, unit)) {
        if (GX_UNLIKELY(rt->interp->debugger != NULL)) rt->interp->debugger->link(rt, unit);
        return true;
    }
    gx_unit_drop(unit);
    return false;
}
