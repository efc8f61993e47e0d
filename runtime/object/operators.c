/* The operators of the language on values: Python's numbers first, then the slots of the operands'
   types, else TypeError. The numbers' meaning is in int_ops.c, float_ops.c and complex.c. */
#include "runtime/object/operators.h"

#include <math.h>
#include <string.h>

#include "runtime/object/class/hooks.h"
#include "runtime/object/container/dict_int.h"
#include "runtime/object/container/list_int.h"
#include "runtime/object/heap.h"
#include "runtime/object/iter.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/text/bytearray.h"
#include "runtime/object/text/str.h"
#include "runtime/object/types.h"

const char *gx_binop_text(gx_binop op) {
    static const char *const text[GX_BINOPS] = {
        [GX_ADD] = "+",       [GX_SUB] = "-",     [GX_MUL] = "*",     [GX_MATMUL] = "@",
        [GX_DIV] = "/",       [GX_FLOORDIV] = "//", [GX_MOD] = "%",   [GX_POW] = "**",
        [GX_LSHIFT] = "<<",   [GX_RSHIFT] = ">>", [GX_BITAND] = "&",  [GX_BITXOR] = "^",
        [GX_BITOR] = "|",
    };
    return text[op];
}

const char *gx_cmpop_text(gx_cmpop op) {
    static const char *const text[] = {
        [GX_EQ] = "==", [GX_NE] = "!=", [GX_LT] = "<",       [GX_LE] = "<=", [GX_GT] = ">",
        [GX_GE] = ">=", [GX_IS] = "is", [GX_IS_NOT] = "is not", [GX_IN] = "in",
        [GX_NOT_IN] = "not in",
    };
    return text[op];
}

/* --- numbers ---------------------------------------------------------------------------------- */

enum { RANK_NONE, RANK_INT, RANK_FLOAT, RANK_COMPLEX };

static int rank(gx_borrowed v) {
    if (gx_is_int(v)) return RANK_INT;
    return v.tag == GX_FLOAT ? RANK_FLOAT : v.tag == GX_COMPLEX ? RANK_COMPLEX : RANK_NONE;
}

/* Operations that a kind of number has. */
static bool has_op(int kind, gx_binop op) {
    if (op == GX_MATMUL) return false;
    if (kind == RANK_INT) return true;
    if (op == GX_ADD || op == GX_SUB || op == GX_MUL || op == GX_DIV || op == GX_POW) return true;
    return kind == RANK_FLOAT && (op == GX_FLOORDIV || op == GX_MOD);
}

static inline bool float_binary(gx_rt *rt, gx_binop op, double a, double b, gx_value *out) {
    if (GX_UNLIKELY(op == GX_POW) && gx_float_power_is_complex(a, b))
        return gx_complex_binary(rt, op, a, 0, b, 0, out);
    return gx_float_binary(rt, op, a, b, out);
}

static gx_try two_numbers(gx_rt *rt, int kind, gx_binop op, gx_borrowed a, gx_borrowed b,
                          gx_value *out) {
    if (kind == RANK_INT) return gx_int_binary(rt, op, a, b, out) ? GX_TRY_YES : GX_TRY_ERROR;
    double ar, ai, br, bi;
    if (gx_as_complex(rt, a, &ar, &ai) != GX_TRY_YES ||
        gx_as_complex(rt, b, &br, &bi) != GX_TRY_YES)
        return GX_TRY_ERROR;
    bool ok = kind == RANK_FLOAT ? float_binary(rt, op, ar, br, out)
                                 : gx_complex_binary(rt, op, ar, ai, br, bi, out);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

static inline gx_try number_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b,
                                   gx_value *out) {
    int ra = rank(a), rb = rank(b), kind = ra > rb ? ra : rb;
    if (!ra || !rb || !has_op(kind, op)) return GX_TRY_NO;
    return two_numbers(rt, kind, op, a, b, out);
}

static gx_try number_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    int ra = rank(a), rb = rank(b);
    (void)rt;
    if (!ra || !rb) return GX_TRY_NO;
    if (ra == RANK_COMPLEX || rb == RANK_COMPLEX) {
        if (op != GX_EQ && op != GX_NE) return GX_TRY_NO;
        gx_borrowed z = ra == RANK_COMPLEX ? a : b, other = ra == RANK_COMPLEX ? b : a;
        gx_complex *x = (gx_complex *)z.obj;
        bool equal;
        if (other.tag == GX_COMPLEX)
            equal =
                x->re == ((gx_complex *)other.obj)->re && x->im == ((gx_complex *)other.obj)->im;
        else if (other.tag == GX_FLOAT)
            equal = x->im == 0 && x->re == other.f;
        else
            equal = x->im == 0 && !isnan(x->re) && gx_int_compare_double(other, x->re) == 0;
        *out = gx_bool(equal == (op == GX_EQ));
        return GX_TRY_YES;
    }
    bool nan = (a.tag == GX_FLOAT && isnan(a.f)) || (b.tag == GX_FLOAT && isnan(b.f));
    if (nan) {
        *out = gx_bool(op == GX_NE);
        return GX_TRY_YES;
    }
    int order;
    if (ra == RANK_INT && rb == RANK_INT) order = gx_int_compare(a, b);
    else if (ra == RANK_INT) order = gx_int_compare_double(a, b.f);
    else if (rb == RANK_INT) order = -gx_int_compare_double(b, a.f);
    else order = a.f < b.f ? -1 : a.f > b.f;
    *out = gx_bool(gx_order_result(op, order));
    return GX_TRY_YES;
}

/* --- binary ----------------------------------------------------------------------------------- */

static gx_try by_slot(gx_rt *rt, const gx_type *t, gx_binop op, gx_borrowed a, gx_borrowed b,
                      gx_value *out) {
    for (; t; t = t->base)
        if (t->binary) return t->binary(rt, op, a, b, out);
    return GX_TRY_NO;
}

gx_try gx_slot_binary(gx_rt *rt, const gx_type *t, gx_binop op, gx_borrowed a, gx_borrowed b,
                      gx_value *out) {
    gx_try r = number_binary(rt, op, gx_plain_number(a), gx_plain_number(b), out);
    if (r != GX_TRY_NO) return r;
    return by_slot(rt, t, op, a, b, out);
}

bool gx_binary_refused(gx_rt *rt, const char *text, const char *mark, gx_borrowed a,
                       gx_borrowed b) {
    gx_fail(rt, GX_TypeError, "operator.types",
            "unsupported operand type(s) for %s%s: '%s' and '%s'", text, mark, gx_type_name(a),
            gx_type_name(b));
    if (strcmp(text, "** or pow()") == 0) return false;
    if (a.tag == GX_STR && (b.tag == GX_INT || b.tag == GX_FLOAT))
        gx_help(rt, "convert the text first: int(x) or float(x)");
    if (b.tag == GX_STR && (a.tag == GX_INT || a.tag == GX_FLOAT))
        gx_help(rt, strcmp(text, "+") == 0 ? "make both text, str(x), or both numbers, float(x)"
                                           : "convert the text first: int(x) or float(x)");
    if (a.tag == GX_LIST && b.tag == GX_LIST)
        gx_help(rt, "lists have no arithmetic; make arrays first: array(x)");
    return false;
}

static gx_try try_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_try r;
    if (GX_UNLIKELY(gx_is_instance(a) || gx_is_instance(b)))
        return rt->heap->ops->binary(rt, op, a, b, out);
    r = number_binary(rt, op, a, b, out);
    if (r != GX_TRY_NO) return r;
    const gx_type *ta = gx_type_of(a), *tb = gx_type_of(b);
    if (GX_UNLIKELY(ta->foreign || tb->foreign))
        return (ta->foreign ? ta : tb)->binary(rt, op, a, b, out);
    /* Arrays and polynomials take over what sequences would refuse: [1, 2] + array. */
    bool sequence = a.tag == GX_LIST || a.tag == GX_TUPLE;
    if ((b.tag == GX_ARRAY && a.tag != GX_ARRAY) || (b.tag == GX_OBJECT && sequence)) {
        r = by_slot(rt, tb, op, a, b, out);
        return r != GX_TRY_NO ? r : by_slot(rt, ta, op, a, b, out);
    }
    if (tb->base && tb->base == ta) { /* the right operand's kind is the narrower one */
        r = by_slot(rt, tb, op, a, b, out);
        if (r != GX_TRY_NO) return r;
    }
    r = by_slot(rt, ta, op, a, b, out);
    if (r != GX_TRY_NO || ta == tb) return r;
    return by_slot(rt, tb, op, a, b, out);
}

bool gx_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    if (a.tag == GX_FLOAT && b.tag == GX_FLOAT && has_op(RANK_FLOAT, op))
        return float_binary(rt, op, a.f, b.f, out);
    bool held = gx_hold2(a, b);
    gx_try r = try_binary(rt, op, a, b, out);
    if (r == GX_TRY_NO)
        gx_binary_refused(rt, op == GX_POW ? "** or pow()" : gx_binop_text(op), "", a, b);
    gx_release2(held, a, b);
    return r == GX_TRY_YES;
}

gx_try gx_slot_inplace(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_try r = GX_TRY_NO;
    for (const gx_type *t = gx_plain_type(gx_type_of(a)); t && r == GX_TRY_NO; t = t->base)
        if (t->inplace) r = t->inplace(rt, op, a, b, out);
    return r;
}

static bool inplace(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_try r = GX_TRY_NO;
    if (GX_UNLIKELY(gx_is_instance(a) || gx_is_instance(b))) {
        r = rt->heap->ops->inplace(rt, op, a, b, out);
        if (r != GX_TRY_NO) return r == GX_TRY_YES;
    }
    if (a.tag == GX_STR && b.tag == GX_STR && op == GX_ADD && !a.obj->type->heap &&
        !b.obj->type->heap)
        return gx_str_concat(rt, a, b, true, out);
    if (gx_is_object(a)) r = gx_slot_inplace(rt, op, a, b, out);
    if (r != GX_TRY_NO) return r == GX_TRY_YES;
    r = try_binary(rt, op, a, b, out);
    if (r != GX_TRY_NO) return r == GX_TRY_YES;
    return gx_binary_refused(rt, gx_binop_text(op), "=", a, b);
}

bool gx_inplace(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    bool held = gx_hold2(a, b);
    bool ok = inplace(rt, op, a, b, out);
    gx_release2(held, a, b);
    return ok;
}

/* --- unary ------------------------------------------------------------------------------------ */

static bool bad_unary(gx_rt *rt, gx_unop op, gx_borrowed a) {
    static const char *const text[] = {[GX_NEG] = "-", [GX_POS] = "+", [GX_INVERT] = "~"};
    return gx_fail(rt, GX_TypeError, "operator.types", "bad operand type for unary %s: '%s'",
                   text[op], gx_type_name(a));
}

/* The operator of a class's metaclass. */
static gx_try metaclass_unary(gx_rt *rt, gx_unop op, gx_borrowed a, gx_value *out) {
    static const char *const name[] = {
        [GX_NEG] = "__neg__", [GX_POS] = "__pos__", [GX_INVERT] = "__invert__"};
    return gx_meta_special(rt, a, name[op], 0, NULL, out);
}

/* The special method, then what the builtin ancestor does. */
static bool instance_unary(gx_rt *rt, gx_unop op, gx_borrowed a, gx_value *out) {
    gx_value plain;
    for (const gx_type *t = a.obj->type; t; t = t->base)
        if (t->unary) {
            gx_try r = t->unary(rt, op, a, out);
            if (r != GX_TRY_NO) return r == GX_TRY_YES;
        }
    if (!gx_is_value_type(gx_plain_type(a.obj->type))) return bad_unary(rt, op, a);
    if (!gx_plain_value(rt, a, &plain)) return false;
    bool ok = gx_unary(rt, op, plain, out);
    gx_drop(plain);
    return ok;
}

bool gx_unary(gx_rt *rt, gx_unop op, gx_borrowed a, gx_value *out) {
    if (GX_UNLIKELY(gx_is_instance(a))) {
        gx_value self = gx_keep(a);
        bool ok = instance_unary(rt, op, self, out);
        gx_drop(self);
        return ok;
    }
    if (gx_is_int(a)) {
        if (op == GX_NEG) return gx_int_neg(rt, a, out);
        if (op == GX_INVERT) return gx_int_invert(rt, a, out);
        *out = a.tag == GX_BOOL ? gx_int(a.b) : gx_keep(a);
        return true;
    }
    if (a.tag == GX_FLOAT && op != GX_INVERT) {
        *out = gx_float(op == GX_NEG ? -a.f : a.f);
        return true;
    }
    if (a.tag == GX_COMPLEX && op != GX_INVERT) {
        gx_complex *z = (gx_complex *)a.obj;
        if (op == GX_NEG) return gx_complex_new(rt, -z->re, -z->im, out);
        *out = gx_keep(a);
        return true;
    }
    gx_value held = gx_hold(a);
    const gx_type *t = gx_type_of(a);
    while (t && !t->unary) t = t->base;
    gx_try r = t ? t->unary(rt, op, a, out) : metaclass_unary(rt, op, a, out);
    if (r == GX_TRY_NO) bad_unary(rt, op, a);
    gx_drop(held);
    return r == GX_TRY_YES;
}

/* --- comparison ------------------------------------------------------------------------------- */

static gx_try compare_by_slots(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b,
                               gx_value *out) {
    const gx_type *ta = gx_type_of(a), *tb = gx_type_of(b);
    if (GX_UNLIKELY(ta->heap || tb->heap)) return rt->heap->ops->compare(rt, op, a, b, out);
    return gx_slot_compare(rt, op, a, b, out);
}

/* A type's compare slot gets its own kind as the first operand wherever it can. */
gx_try gx_slot_compare_of(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, bool left,
                          bool right, gx_value *out) {
    const gx_type *ta = gx_type_of(a), *tb = gx_type_of(b), *t;
    if (!left && !right) return GX_TRY_NO;
    if (ta == tb && left && (a.tag == GX_STR || a.tag == GX_LIST || a.tag == GX_TUPLE) &&
        GX_LIKELY(ta->compare))
        return ta->compare(rt, op, a, b, out);
    if (GX_UNLIKELY(tb->foreign && !ta->foreign && right))
        return tb->compare(rt, gx_cmpop_mirrored(op), b, a, out);
    gx_try numbers = number_compare(rt, op, gx_plain_number(a), gx_plain_number(b), out);
    if (numbers != GX_TRY_NO) return numbers;
    for (t = ta; t && !t->compare; t = t->base) {
    }
    if (t && left) {
        gx_try r = t->compare(rt, op, a, b, out);
        if (r != GX_TRY_NO || ta == tb) return r;
    }
    for (t = tb; t && !t->compare; t = t->base) {
    }
    return t && right ? t->compare(rt, gx_cmpop_mirrored(op), b, a, out) : GX_TRY_NO;
}

gx_try gx_slot_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    return gx_slot_compare_of(rt, op, a, b, true, true, out);
}

/* Comparing what containers hold counts as calls do: one that holds itself has no end. */
static gx_try compare_held(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    bool held = gx_hold2(a, b);
    gx_try r = GX_TRY_ERROR;
    if (rt->depth >= rt->max_depth)
        gx_fail(rt, GX_RecursionError, "stack.depth",
                "maximum recursion depth exceeded in comparison");
    else if (gx_stack_check(rt)) {
        rt->depth++;
        r = compare_by_slots(rt, op, a, b, out);
        rt->depth--;
    }
    if (r == GX_TRY_NO && (op == GX_EQ || op == GX_NE)) {
        *out = gx_bool(gx_is(a, b) == (op == GX_EQ));
        r = GX_TRY_YES;
    }
    if (r == GX_TRY_NO)
        gx_fail(rt, GX_TypeError, "compare.types",
                "'%s' not supported between instances of '%s' and '%s'", gx_cmpop_text(op),
                gx_type_name(a), gx_type_name(b));
    gx_release2(held, a, b);
    return r;
}

bool gx_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    bool yes;
    if (op == GX_IS || op == GX_IS_NOT) {
        *out = gx_bool(gx_is(a, b) == (op == GX_IS));
        return true;
    }
    if (op == GX_IN || op == GX_NOT_IN) {
        if (!gx_contains(rt, b, a, &yes)) return false;
        *out = gx_bool(yes == (op == GX_IN));
        return true;
    }
    gx_try r = GX_TRY_NO;
    if (!gx_is_object(a) && !gx_is_object(b)) r = number_compare(rt, op, a, b, out);
    if (r == GX_TRY_NO) r = compare_held(rt, op, a, b, out);
    return r == GX_TRY_YES;
}
