/* Expressions of a loop with their types. An expression that the code cannot compute is NULL: its
   statement is left to the tree. The rules are those of interp/eval/eval_op.c and of NumPy's
   scalars; where their answer is rare (an overflow, inf, a divisor of 0) the code leaves. */
#include "interp/loops/lower_int.h"

#include <math.h>

#include "runtime/object/container/list.h"
#include "runtime/object/number/int_ops.h"

static gx_loop_expr *new_code(gx_lowered *l, gx_loop_op op, gx_num type) {
    gx_loop_expr *c = gx_arena_alloc(&l->arena, sizeof *c);
    if (!c || ++l->code_count > GX_LOOP_CODES) {
        l->failed = true;
        return NULL;
    }
    c->op = (uint8_t)op;
    c->type = (uint8_t)type;
    return c;
}

static gx_loop_expr *unary(gx_lowered *l, gx_loop_op op, gx_num type, gx_loop_expr *a) {
    gx_loop_expr *c = a ? new_code(l, op, type) : NULL;
    if (c) c->a = a;
    return c;
}

static gx_loop_expr *binary(gx_lowered *l, gx_loop_op op, gx_num type, gx_loop_expr *a,
                            gx_loop_expr *b) {
    gx_loop_expr *c = a && b ? new_code(l, op, type) : NULL;
    if (c) {
        c->a = a;
        c->b = b;
    }
    return c;
}

static gx_loop_expr *constant_int(gx_lowered *l, int64_t i, gx_num type) {
    gx_loop_expr *c = new_code(l, GX_CODE_CONST, type);
    if (c) c->i = i;
    return c;
}

bool gx_num_is_float(gx_num t) {
    return t == GX_NUM_FLOAT || t == GX_NUM_NFLOAT;
}

static bool is_int(gx_num t) { /* that arithmetic takes */
    return t == GX_NUM_INT || t == GX_NUM_BOOL || t == GX_NUM_NINT;
}

static bool is_numpy(gx_num t) {
    return t == GX_NUM_NBOOL || t == GX_NUM_NINT || t == GX_NUM_NFLOAT;
}

bool gx_num_is_truth(gx_num t) {
    return t == GX_NUM_BOOL || t == GX_NUM_NBOOL;
}

/* NumPy's floats warn of inf and nan that arithmetic makes: the code leaves. Sums and products pass
   them on, so it is enough to look where the result is used otherwise. */
static gx_loop_expr *settled(gx_lowered *l, gx_loop_expr *c) {
    if (!c || c->type != GX_NUM_NFLOAT || c->op < GX_CODE_ADD || c->op > GX_CODE_DIV) return c;
    return unary(l, GX_CODE_FINITE, c->type, c);
}

static gx_loop_expr *as_float(gx_lowered *l, gx_loop_expr *a, bool exact) {
    if (!a || gx_num_is_float((gx_num)a->type)) return a;
    if (!is_int((gx_num)a->type)) return NULL;
    gx_num type = a->type == GX_NUM_NINT ? GX_NUM_NFLOAT : GX_NUM_FLOAT;
    if (a->op == GX_CODE_CONST) {
        const int64_t limit = (int64_t)1 << 53;
        if (exact && (a->i >= limit || a->i <= -limit)) return NULL;
        gx_loop_expr *c = new_code(l, GX_CODE_CONST, type);
        if (c) c->f = (double)a->i;
        return c;
    }
    gx_loop_expr *c = unary(l, GX_CODE_FLOAT, type, a);
    if (c) c->exact = exact;
    return c;
}

/* --- names and what they hold ----------------------------------------------------------------- */
static bool same_name(const gx_node *a, const gx_node *b) {
    return a->scope == b->scope && a->slot == b->slot;
}

static bool plain_scope(const gx_node *n) {
    return n->kind == GX_NODE_NAME && (n->scope == GX_SCOPE_LOCAL || n->scope == GX_SCOPE_GLOBAL ||
                                       n->scope == GX_SCOPE_BOXED || n->scope == GX_SCOPE_FREE);
}

static void describe_array(gx_rt *rt, const gx_array *a, gx_loop_name *name) {
    bool numbers = a->dtype == GX_f64 || a->dtype == GX_i64 || a->dtype == GX_bool;
    if (!numbers || a->ndim < 1 || a->ndim > GX_LOOP_AXES || a->obj.type->heap || rt->gpu ||
        gx_array_is_mapped(a))
        return;
    name->type = GX_NUM_ARRAY;
    name->ndim = a->ndim;
    name->dtype = a->dtype;
    name->dense = gx_strides(a)[a->ndim - 1] == (a->dtype == GX_bool ? 1 : 8);
}

void gx_loop_describe(gx_rt *rt, gx_borrowed v, gx_loop_name *name) {
    name->type = GX_NUM_NONE;
    if (v.tag == GX_BOOL) name->type = GX_NUM_BOOL;
    if (v.tag == GX_INT) name->type = GX_NUM_INT;
    if (v.tag == GX_FLOAT) name->type = GX_NUM_FLOAT;
    if (v.tag == GX_SCALAR && v.dtype == GX_bool) name->type = GX_NUM_NBOOL;
    if (v.tag == GX_SCALAR && v.dtype == GX_i64) name->type = GX_NUM_NINT;
    if (v.tag == GX_SCALAR && v.dtype == GX_f64) name->type = GX_NUM_NFLOAT;
    if (v.tag == GX_LIST && v.obj->type == &gx_type_list) name->type = GX_NUM_LIST;
    if (v.tag == GX_ARRAY) describe_array(rt, gx_as_array(v), name);
}

int gx_loop_find_name(gx_lowered *l, const gx_node *n, bool add) {
    if (!plain_scope(n)) return -1;
    for (int i = 0; i < l->name_count; i++)
        if (same_name(l->names[i].node, n)) return i;
    if (!add) return -1;
    if (l->name_count == GX_LOOP_NAMES) {
        l->failed = true;
        return -1;
    }
    gx_borrowed v = l->view->value(l->view->frame, n);
    gx_loop_name *name = &l->names[l->name_count];
    *name = (gx_loop_name){.node = n, .cell = -1, .flag = -1};
    gx_loop_describe(l->view->rt, v, name);
    if (name->type == GX_NUM_NONE) name->loose = true;
    for (const gx_loop_name *old = l->older, *end = l->older_end; old < end; old++)
        if (same_name(old->node, n) && old->type != name->type) name->loose = true;
    l->changed = true;
    return l->name_count++;
}

static gx_loop_expr *name_code(gx_lowered *l, const gx_node *n) {
    int i = gx_loop_find_name(l, n, false);
    if (i < 0) {
        if (!plain_scope(n) || l->view->value(l->view->frame, n).tag == GX_UNDEF) return NULL;
        i = gx_loop_find_name(l, n, true);
    }
    if (i < 0 || l->names[i].type == GX_NUM_NONE) return NULL;
    gx_loop_expr *c = new_code(l, GX_CODE_NAME, (gx_num)l->names[i].type);
    if (c) c->name = (int16_t)i;
    return c;
}

/* What an expression holds now, where that can be seen without running anything; else UNDEF. */
static gx_borrowed peek(gx_lowered *l, const gx_node *n) {
    if (n->kind == GX_NODE_NAME)
        return plain_scope(n) ? l->view->value(l->view->frame, n) : gx_undef();
    if (n->kind == GX_NODE_INT) return n->constant;
    if (n->kind != GX_NODE_INDEX) return gx_undef();
    gx_borrowed base = peek(l, n->a), key = peek(l, n->b);
    if (base.tag != GX_LIST) return gx_undef();
    const gx_list *list = gx_as_list(base);
    int64_t i = key.tag == GX_INT && key.i >= 0 && key.i < list->count ? key.i : 0;
    return i < list->count ? list->items[i] : gx_undef();
}

/* --- elements --------------------------------------------------------------------------------- */
static gx_loop_expr *index_code(gx_lowered *l, const gx_node *n) {
    gx_loop_expr *c = gx_loop_expression(l, n);
    return c && (c->type == GX_NUM_INT || c->type == GX_NUM_NINT) ? c : NULL;
}

/* Collects the subscripts of a[i, j] and a[i][j], outermost last; the innermost operand. */
static const gx_node *subscripts(const gx_node *n, const gx_node **keys, int *count) {
    if (n->kind != GX_NODE_INDEX) return n;
    const gx_node *base = subscripts(n->a, keys, count);
    const gx_node *key = n->b;
    if (key->kind == GX_NODE_TUPLE) {
        for (int32_t i = 0; i < key->n; i++)
            if ((*count)++ < GX_LOOP_AXES) keys[*count - 1] = key->list[i];
    } else if ((*count)++ < GX_LOOP_AXES) {
        keys[*count - 1] = key;
    }
    return base;
}

static gx_loop_expr *element(gx_lowered *l, const gx_node *n) {
    const gx_node *keys[GX_LOOP_AXES];
    int count = 0;
    const gx_node *base = subscripts(n, keys, &count);
    int i = gx_loop_find_name(l, base, false);
    if (i < 0 && plain_scope(base) && l->view->value(l->view->frame, base).tag == GX_ARRAY)
        i = gx_loop_find_name(l, base, true);
    if (i < 0 || l->names[i].type != GX_NUM_ARRAY || l->names[i].ndim != count) return NULL;
    uint16_t d = l->names[i].dtype;
    gx_loop_expr *c = new_code(l, GX_CODE_ELEMENT,
                          d == GX_f64 ? GX_NUM_NFLOAT : d == GX_i64 ? GX_NUM_NINT : GX_NUM_NBOOL);
    if (!c) return NULL;
    c->name = (int16_t)i;
    c->n = (int16_t)count;
    for (int k = 0; k < count; k++)
        if (!(c->list[k] = index_code(l, keys[k]))) return NULL;
    return c;
}

gx_loop_expr *gx_loop_place(gx_lowered *l, const gx_node *n) {
    gx_loop_expr *c = element(l, n);
    if (c) return c;
    gx_loop_expr *base = gx_loop_expression(l, n->a);
    if (!base || base->type != GX_NUM_LIST) return NULL;
    gx_loop_name item;
    gx_loop_describe(l->view->rt, peek(l, n), &item);
    if (item.type == GX_NUM_NONE || item.type == GX_NUM_ARRAY) return NULL;
    return binary(l, GX_CODE_ITEM, (gx_num)item.type, base, index_code(l, n->b));
}

/* --- arithmetic ------------------------------------------------------------------------------- */
static gx_loop_expr *power(gx_lowered *l, gx_loop_expr *a, gx_loop_expr *b) {
    bool square = b->op == GX_CODE_CONST && b->type == GX_NUM_INT && b->i >= 1 && b->i <= 3;
    if (a->type == GX_NUM_INT && square) {
        gx_loop_expr *r = a;
        for (int64_t i = 1; i < b->i; i++) r = binary(l, GX_CODE_MUL, GX_NUM_INT, r, a);
        return r;
    }
    if (a->type != GX_NUM_FLOAT || (b->type != GX_NUM_FLOAT && b->type != GX_NUM_INT)) return NULL;
    gx_loop_expr *c = binary(l, GX_CODE_CALL2, GX_NUM_FLOAT, a, as_float(l, b, true));
    if (c) c->call2 = pow;
    return unary(l, GX_CODE_FINITE, GX_NUM_FLOAT, c);
}

static double float_mod(double x, double y) {
    double q, r;
    gx_float_divmod(x, y, &q, &r);
    return r;
}

static double float_floordiv(double x, double y) {
    double q, r;
    gx_float_divmod(x, y, &q, &r);
    return q;
}

/* x // y and x % y of Python's floats; both must be finite, and y not 0: checked by the result. */
static gx_loop_expr *float_parts(gx_lowered *l, gx_binop op, gx_loop_expr *a, gx_loop_expr *b) {
    if (a->type == GX_NUM_NFLOAT || b->type == GX_NUM_NFLOAT) return NULL;
    gx_loop_expr *c =
        binary(l, GX_CODE_CALL2, GX_NUM_FLOAT, as_float(l, a, true), as_float(l, b, true));
    if (c) c->call2 = op == GX_MOD ? float_mod : float_floordiv;
    return unary(l, GX_CODE_FINITE, GX_NUM_FLOAT, c);
}

static gx_loop_op int_op(gx_binop op) {
    switch (op) {
    case GX_ADD: return GX_CODE_ADD;
    case GX_SUB: return GX_CODE_SUB;
    case GX_MUL: return GX_CODE_MUL;
    case GX_FLOORDIV: return GX_CODE_FLOORDIV;
    case GX_MOD: return GX_CODE_MOD;
    case GX_LSHIFT: return GX_CODE_SHL;
    case GX_RSHIFT: return GX_CODE_SHR;
    case GX_BITAND: return GX_CODE_AND;
    case GX_BITXOR: return GX_CODE_XOR;
    case GX_BITOR: return GX_CODE_OR;
    case GX_MATMUL:
    case GX_DIV:
    case GX_POW:
    case GX_BINOPS: break;
    }
    return GX_CODE_CONST;
}

static gx_loop_expr *int_arithmetic(gx_lowered *l, gx_binop op, gx_loop_expr *a, gx_loop_expr *b) {
    bool numpy = a->type == GX_NUM_NINT || b->type == GX_NUM_NINT;
    gx_loop_op code = int_op(op);
    if (code == GX_CODE_CONST) return NULL;
    if (numpy && (a->type == GX_NUM_BOOL || b->type == GX_NUM_BOOL)) return NULL;
    if (numpy && (op == GX_LSHIFT || op == GX_RSHIFT)) return NULL;
    bool truths = a->type == GX_NUM_BOOL && b->type == GX_NUM_BOOL &&
                  (op == GX_BITAND || op == GX_BITOR || op == GX_BITXOR);
    return binary(l, code, truths ? GX_NUM_BOOL : numpy ? GX_NUM_NINT : GX_NUM_INT, a, b);
}

gx_loop_expr *gx_loop_arithmetic(gx_lowered *l, gx_binop op, gx_loop_expr *a, gx_loop_expr *b) {
    if (!a || !b) return NULL;
    gx_num ta = (gx_num)a->type, tb = (gx_num)b->type;
    bool fa = gx_num_is_float(ta), fb = gx_num_is_float(tb);
    if (!(fa || is_int(ta)) || !(fb || is_int(tb))) return NULL;
    if (op == GX_POW) return power(l, a, b);
    if (!fa && !fb && op != GX_DIV) return int_arithmetic(l, op, a, b);
    bool numpy = is_numpy(ta) || is_numpy(tb);
    if (numpy && (ta == GX_NUM_BOOL || tb == GX_NUM_BOOL)) return NULL;
    if (op == GX_FLOORDIV || op == GX_MOD) return float_parts(l, op, a, b);
    if (op != GX_ADD && op != GX_SUB && op != GX_MUL && op != GX_DIV) return NULL;
    bool exact = op == GX_DIV && !numpy;
    gx_loop_expr *x = as_float(l, a, exact), *y = as_float(l, b, exact);
    if (op == GX_DIV) y = settled(l, y);
    gx_num type = numpy ? GX_NUM_NFLOAT : GX_NUM_FLOAT;
    gx_loop_op code = op == GX_ADD   ? GX_CODE_ADD
                      : op == GX_SUB ? GX_CODE_SUB
                      : op == GX_MUL ? GX_CODE_MUL
                                     : GX_CODE_DIV;
    return binary(l, code, type, x, y);
}

static gx_loop_expr *compare(gx_lowered *l, unsigned op, gx_loop_expr *a, gx_loop_expr *b) {
    if (!a || !b || op > GX_GE) return NULL;
    gx_num ta = (gx_num)a->type, tb = (gx_num)b->type;
    bool fa = gx_num_is_float(ta), fb = gx_num_is_float(tb);
    if (!(fa || is_int(ta)) || !(fb || is_int(tb))) return NULL;
    if (fa || fb) {
        a = settled(l, as_float(l, a, true));
        b = settled(l, as_float(l, b, true));
    }
    gx_num type = is_numpy(ta) || is_numpy(tb) ? GX_NUM_NBOOL : GX_NUM_BOOL;
    gx_loop_expr *c = binary(l, GX_CODE_COMPARE, type, a, b);
    if (c) c->order = (uint8_t)op;
    return c;
}

static gx_loop_expr *chain(gx_lowered *l, const gx_node *n) {
    gx_loop_expr *all = NULL;
    for (int32_t i = 0; i + 1 < n->n; i++) {
        gx_loop_expr *c = compare(l, n->ops[i], gx_loop_expression(l, n->list[i]),
                             gx_loop_expression(l, n->list[i + 1]));
        if (!c || (all && c->type != all->type)) return NULL;
        all = all ? binary(l, GX_CODE_BOTH, (gx_num)c->type, all, c) : c;
        if (!all) return NULL;
    }
    return all;
}

gx_loop_expr *gx_loop_test(gx_lowered *l, const gx_node *n) {
    if (n->kind == GX_NODE_NOT) return unary(l, GX_CODE_NOT, GX_NUM_BOOL, gx_loop_test(l, n->a));
    if (n->kind == GX_NODE_AND || n->kind == GX_NODE_OR)
        return binary(l, n->kind == GX_NODE_AND ? GX_CODE_BOTH : GX_CODE_EITHER, GX_NUM_BOOL,
                      gx_loop_test(l, n->a), gx_loop_test(l, n->b));
    gx_loop_expr *c = settled(l, gx_loop_expression(l, n));
    if (!c || gx_num_is_truth((gx_num)c->type)) return c;
    if (gx_num_is_float((gx_num)c->type)) {
        gx_loop_expr *zero = new_code(l, GX_CODE_CONST, GX_NUM_FLOAT);
        return compare(l, GX_NE, c, zero);
    }
    return is_int((gx_num)c->type) ? compare(l, GX_NE, c, constant_int(l, 0, GX_NUM_INT)) : NULL;
}

static gx_loop_expr *choose(gx_lowered *l, gx_loop_expr *test, gx_loop_expr *a, gx_loop_expr *b) {
    a = settled(l, a);
    b = settled(l, b);
    if (!test || !a || !b || a->type != b->type || a->type >= GX_NUM_LIST) return NULL;
    gx_loop_expr *c = binary(l, GX_CODE_CHOOSE, (gx_num)a->type, test, a);
    if (c) c->c = b;
    return c;
}

static gx_loop_expr *negative(gx_lowered *l, const gx_node *n) {
    gx_loop_expr *a = settled(l, gx_loop_expression(l, n->a));
    if (!a || !(is_int((gx_num)a->type) || gx_num_is_float((gx_num)a->type))) return NULL;
    bool is_bool = a->type == GX_NUM_BOOL;
    if (n->op == GX_POS) return is_bool ? NULL : a;
    if (n->op == GX_NEG) return unary(l, GX_CODE_NEG, is_bool ? GX_NUM_INT : (gx_num)a->type, a);
    if (!is_int((gx_num)a->type) || is_bool) return NULL;
    return binary(l, GX_CODE_XOR, (gx_num)a->type, a, constant_int(l, -1, GX_NUM_INT));
}

/* --- calls ------------------------------------------------------------------------------------ */
static const struct {
    const char *name;
    double (*fn)(double);
} functions[] = {{"cbrt", cbrt}, {"exp", exp},     {"exp2", exp2},   {"expm1", expm1},
                 {"sin", sin},   {"cos", cos},     {"tan", tan},     {"log1p", log1p},
                 {"asin", asin}, {"acos", acos},   {"atan", atan},   {"sinh", sinh},
                 {"cosh", cosh}, {"tanh", tanh},   {"asinh", asinh}, {"acosh", acosh},
                 {"erf", erf},   {"atanh", atanh}, {"erfc", erfc}};

static gx_loop_expr *maths(gx_lowered *l, gx_borrowed f, gx_loop_expr *a) {
    gx_rt *rt = l->view->rt;
    a = settled(l, a);
    if (!a) return NULL;
    bool whole = a->type == GX_NUM_INT;
    bool floor = l->view->is_function(rt, f, "math", "floor");
    if (floor || l->view->is_function(rt, f, "math", "ceil")) {
        if (whole) return a;
        if (!gx_num_is_float((gx_num)a->type)) return NULL;
        return unary(l, floor ? GX_CODE_FLOOR : GX_CODE_CEIL, GX_NUM_INT, a);
    }
    if (!(a = as_float(l, a, true))) return NULL;
    if (l->view->is_function(rt, f, "math", "sqrt")) return unary(l, GX_CODE_SQRT, GX_NUM_FLOAT, a);
    if (l->view->is_function(rt, f, "math", "fabs")) return unary(l, GX_CODE_ABS, GX_NUM_FLOAT, a);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (!l->view->is_function(rt, f, "math", functions[i].name)) continue;
        gx_loop_expr *c = unary(l, GX_CODE_CALL1, GX_NUM_FLOAT, a);
        if (c) c->call1 = functions[i].fn;
        return unary(l, GX_CODE_FINITE, GX_NUM_FLOAT, c);
    }
    return NULL;
}

static gx_loop_expr *builtin(gx_lowered *l, gx_borrowed f, const gx_node *n, gx_loop_expr *a) {
    gx_rt *rt = l->view->rt;
    if (l->view->is_function(rt, f, NULL, "len")) {
        bool array = a && a->type == GX_NUM_ARRAY && a->op == GX_CODE_NAME;
        return a && (array || a->type == GX_NUM_LIST) ? unary(l, GX_CODE_LENGTH, GX_NUM_INT, a)
                                                      : NULL;
    }
    a = settled(l, a);
    if (!a || a->type >= GX_NUM_LIST || a->type == GX_NUM_NBOOL) return NULL;
    bool is_float = gx_num_is_float((gx_num)a->type);
    if (l->view->is_function(rt, f, NULL, "abs"))
        return a->type == GX_NUM_BOOL ? NULL : unary(l, GX_CODE_ABS, (gx_num)a->type, a);
    if (l->view->is_function(rt, f, NULL, "float")) {
        gx_loop_expr *c = as_float(l, a, true); /* a copy, since the type may differ */
        if (!c || c->type == GX_NUM_FLOAT) return c;
        c = unary(l, GX_CODE_FINITE, GX_NUM_FLOAT, c);
        return c;
    }
    if (l->view->is_function(rt, f, NULL, "int"))
        return is_float ? unary(l, GX_CODE_INT, GX_NUM_INT, a)
                        : (a->type == GX_NUM_INT ? a : NULL);
    bool least = l->view->is_function(rt, f, NULL, "min");
    if (!least && !l->view->is_function(rt, f, NULL, "max")) return NULL;
    gx_loop_expr *best = a;
    for (int32_t i = 1; best && i < n->n; i++) {
        gx_loop_expr *b = settled(l, gx_loop_expression(l, n->list[i]));
        best = choose(l, compare(l, least ? GX_LT : GX_GT, b, best), b, best);
    }
    return n->n > 1 ? best : NULL;
}

bool gx_loop_watch_call(gx_lowered *l, const gx_node *n, gx_value v) {
    for (int i = 0; i < l->watched_count; i++)
        if (l->watched[i].value.u == v.u && l->watched[i].node->kind == n->kind &&
            l->watched[i].node->name == n->name)
            return true;
    if (gx_is_object(v) || l->watched_count == GX_LOOP_NAMES) return false;
    l->watched[l->watched_count++] = (gx_loop_watch){.node = n, .value = v};
    return true;
}

static gx_loop_expr *call(gx_lowered *l, const gx_node *n) {
    const gx_node *callee = n->a;
    bool plain = callee->kind == GX_NODE_NAME ||
                 (callee->kind == GX_NODE_ATTR && callee->a->kind == GX_NODE_NAME);
    if (!plain || n->n < 1 || n->n > 4) return NULL;
    for (int32_t i = 0; i < n->n; i++)
        if (n->list[i]->kind == GX_NODE_KEYWORD || n->list[i]->kind == GX_NODE_STARRED ||
            n->list[i]->kind == GX_NODE_DOUBLESTAR)
            return NULL;
    gx_value f = l->view->callee(l->view->frame, callee);
    if (f.tag != GX_NATIVE && f.tag != GX_TYPE) return NULL;
    gx_loop_expr *a = gx_loop_expression(l, n->list[0]), *r = builtin(l, f, n, a);
    if (n->n == 1 && !r) r = maths(l, f, a);
    return r && gx_loop_watch_call(l, callee, f) ? r : NULL;
}

gx_loop_expr *gx_loop_expression(gx_lowered *l, const gx_node *n) {
    gx_loop_expr *c;
    if (l->failed) return NULL;
    switch (n->kind) {
    case GX_NODE_NAME: return name_code(l, n);
    case GX_NODE_TRUE:
    case GX_NODE_FALSE: return constant_int(l, n->kind == GX_NODE_TRUE, GX_NUM_BOOL);
    case GX_NODE_INT:
        return n->constant.tag == GX_INT ? constant_int(l, n->constant.i, GX_NUM_INT) : NULL;
    case GX_NODE_FLOAT:
        c = new_code(l, GX_CODE_CONST, GX_NUM_FLOAT);
        if (c) c->f = n->number;
        return c;
    case GX_NODE_BINARY:
        return gx_loop_arithmetic(l, (gx_binop)n->op, gx_loop_expression(l, n->a),
                                  gx_loop_expression(l, n->b));
    case GX_NODE_UNARY: return negative(l, n);
    case GX_NODE_COMPARE:
        return compare(l, n->op, gx_loop_expression(l, n->a), gx_loop_expression(l, n->b));
    case GX_NODE_CHAIN: return chain(l, n);
    case GX_NODE_NOT: return gx_loop_test(l, n);
    case GX_NODE_AND:
    case GX_NODE_OR: {
        gx_loop_expr *a = gx_loop_expression(l, n->a), *b = gx_loop_expression(l, n->b);
        if (!a || !b || a->type != GX_NUM_BOOL || b->type != GX_NUM_BOOL) return NULL;
        return binary(l, n->kind == GX_NODE_AND ? GX_CODE_BOTH : GX_CODE_EITHER, GX_NUM_BOOL, a, b);
    }
    case GX_NODE_IFEXP:
        return choose(l, gx_loop_test(l, n->a), gx_loop_expression(l, n->b),
                      gx_loop_expression(l, n->c));
    case GX_NODE_INDEX: return gx_loop_place(l, n);
    case GX_NODE_CALL: return call(l, n);
    default: return NULL;
    }
}

gx_loop_expr *gx_loop_value(gx_lowered *l, const gx_node *n) {
    return settled(l, gx_loop_expression(l, n));
}

gx_loop_expr *gx_loop_settled(gx_lowered *l, gx_loop_expr *c) {
    return settled(l, c);
}
