/* Operators: arithmetic, comparisons, and conditions. Ints and floats are computed here, inline;
   everything else goes through runtime/object/operators.h. The inline results are exactly those of
   gx_binary and gx_compare: whatever could overflow, round or raise is left to them. */
#include "interp/eval/evaluator.h"

#include "runtime/object/container/dict.h"
#include "runtime/object/operators.h"
#include "runtime/object/text/str.h"

/* The general case of a binary node, with both operands at hand. Consumes nothing. */
static __attribute__((noinline)) bool binary_slow(gx_frame *f, const gx_node *n, gx_value a,
                                                  gx_value b, gx_value *out) {
    if (GX_LIKELY(gx_binary(f->rt, (gx_binop)n->op, a, b, out))) return true;
    return gx_locate_binary(f, n, n->a, n->b, a, b);
}

/* Reads both operands of a node; false: nothing is owned. */
static inline bool operands(gx_frame *f, const gx_node *n, gx_value *a, bool *own_a, gx_value *b,
                            bool *own_b) {
    if (!gx_peek(f, n->a, a, own_a)) return false;
    if (GX_LIKELY(gx_peek(f, n->b, b, own_b))) return true;
    gx_release(*a, *own_a);
    return false;
}

static inline bool finish(gx_frame *f, const gx_node *n, gx_value a, bool own_a, gx_value b,
                          bool own_b, gx_value *out) {
    gx_value r;
    bool ok = binary_slow(f, n, a, b, &r);
    gx_release(a, own_a);
    gx_release(b, own_b);
    if (ok) *out = r;
    return ok;
}

bool gx_eval_binary(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value a, b;
    bool own_a, own_b;
    if (!gx_stack_ok(f->rt) && !gx_stack_check(f->rt)) return gx_locate(f, n);
    if (!operands(f, n, &a, &own_a, &b, &own_b)) return false;
    if (a.tag == GX_INT && b.tag == GX_INT && gx_quick_bits(n->op, a.i, b.i, out)) return true;
    return finish(f, n, a, own_a, b, own_b, out);
}

/* One evaluator for + - *: ints that do not overflow, floats, and an int with a float. */
#define ARITHMETIC(fn, overflow, op)                                                               \
    bool fn(gx_frame *f, const gx_node *n, gx_value *out) {                                        \
        gx_value a, b;                                                                             \
        bool own_a, own_b;                                                                         \
        if (GX_UNLIKELY(!gx_stack_ok(f->rt)) && !gx_stack_check(f->rt)) return gx_locate(f, n);    \
        if (!operands(f, n, &a, &own_a, &b, &own_b)) return false;                                 \
        if (a.tag == GX_INT) {                                                                     \
            int64_t r;                                                                             \
            if (b.tag == GX_INT && !overflow(a.i, b.i, &r)) {                                      \
                *out = gx_int(r);                                                                  \
                return true;                                                                       \
            }                                                                                      \
            if (b.tag == GX_FLOAT) {                                                               \
                *out = gx_float((double)a.i op b.f);                                               \
                return true;                                                                       \
            }                                                                                      \
        } else if (a.tag == GX_FLOAT) {                                                            \
            if (b.tag == GX_FLOAT) {                                                               \
                *out = gx_float(a.f op b.f);                                                       \
                return true;                                                                       \
            }                                                                                      \
            if (b.tag == GX_INT) {                                                                 \
                *out = gx_float(a.f op(double) b.i);                                               \
                return true;                                                                       \
            }                                                                                      \
        }                                                                                          \
        return finish(f, n, a, own_a, b, own_b, out);                                              \
    }
ARITHMETIC(gx_eval_add, __builtin_add_overflow, +)
ARITHMETIC(gx_eval_sub, __builtin_sub_overflow, -)
ARITHMETIC(gx_eval_mul, __builtin_mul_overflow, *)

bool gx_eval_div(gx_frame *f, const gx_node *n, gx_value *out) {
    const int64_t exact = (int64_t)1 << 53; /* larger ints need one rounding, not two */
    gx_value a, b;
    bool own_a, own_b;
    if (GX_UNLIKELY(!gx_stack_ok(f->rt)) && !gx_stack_check(f->rt)) return gx_locate(f, n);
    if (!operands(f, n, &a, &own_a, &b, &own_b)) return false;
    double x, y;
    if (a.tag == GX_FLOAT)
        x = a.f;
    else if (a.tag == GX_INT && a.i < exact && a.i > -exact)
        x = (double)a.i;
    else
        return finish(f, n, a, own_a, b, own_b, out);
    if (b.tag == GX_FLOAT)
        y = b.f;
    else if (b.tag == GX_INT && b.i < exact && b.i > -exact)
        y = (double)b.i;
    else
        return finish(f, n, a, own_a, b, own_b, out);
    if (y == 0) return finish(f, n, a, own_a, b, own_b, out);
    *out = gx_float(x / y);
    return true;
}

/* Python's floored division of ints; the divisor is positive or below -1, so nothing overflows. */
static inline int64_t floor_div(int64_t a, int64_t b) {
    int64_t q = a / b;
    return q - (a % b != 0 && (a < 0) != (b < 0));
}

bool gx_eval_mod(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value a, b;
    bool own_a, own_b;
    if (GX_UNLIKELY(!gx_stack_ok(f->rt)) && !gx_stack_check(f->rt)) return gx_locate(f, n);
    if (!operands(f, n, &a, &own_a, &b, &own_b)) return false;
    if (a.tag == GX_INT && b.tag == GX_INT && b.i > 0) {
        int64_t r = a.i % b.i;
        *out = gx_int(r < 0 ? r + b.i : r);
        return true;
    }
    return finish(f, n, a, own_a, b, own_b, out);
}

bool gx_eval_floordiv(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value a, b;
    bool own_a, own_b;
    if (GX_UNLIKELY(!gx_stack_ok(f->rt)) && !gx_stack_check(f->rt)) return gx_locate(f, n);
    if (!operands(f, n, &a, &own_a, &b, &own_b)) return false;
    if (a.tag == GX_INT && b.tag == GX_INT && b.i > 0) {
        *out = gx_int(floor_div(a.i, b.i));
        return true;
    }
    return finish(f, n, a, own_a, b, own_b, out);
}

bool gx_eval_unary(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value a, r;
    bool own;
    if (!gx_stack_check(f->rt)) return gx_locate(f, n);
    if (!gx_peek(f, n->a, &a, &own)) return false;
    if (n->op == GX_NEG) {
        if (a.tag == GX_FLOAT) {
            *out = gx_float(-a.f);
            return true;
        }
        if (a.tag == GX_INT && a.i != INT64_MIN) {
            *out = gx_int(-a.i);
            return true;
        }
    }
    bool ok = gx_unary(f->rt, (gx_unop)n->op, a, &r);
    if (!ok) gx_locate_part(f, n, n->a, a);
    gx_release(a, own);
    if (ok) *out = r;
    return ok;
}

/* The answer of a comparison of two ints or two floats; false when it is neither. */
static inline bool compare_fast(unsigned op, gx_value a, gx_value b, bool *out) {
#define ANSWER(x, y)                                                                               \
    switch (op) {                                                                                  \
    case GX_EQ: *out = (x) == (y); return true;                                                    \
    case GX_NE: *out = (x) != (y); return true;                                                    \
    case GX_LT: *out = (x) < (y); return true;                                                     \
    case GX_LE: *out = (x) <= (y); return true;                                                    \
    case GX_GT: *out = (x) > (y); return true;                                                     \
    case GX_GE: *out = (x) >= (y); return true;                                                    \
    default: return false;                                                                         \
    }
    if (a.tag == GX_INT && b.tag == GX_INT) { ANSWER(a.i, b.i) }
    if (a.tag == GX_FLOAT && b.tag == GX_FLOAT) { ANSWER(a.f, b.f) }
#undef ANSWER
    if (a.tag == GX_STR && b.tag == GX_STR && op <= GX_NE && !a.obj->type->heap &&
        !b.obj->type->heap) {
        bool same = a.obj == b.obj || gx_str_equal(gx_as_str(a), gx_as_str(b));
        *out = same == (op == GX_EQ);
        return true;
    }
    if (op == GX_IS && (a.tag == GX_NONE || b.tag == GX_NONE)) {
        *out = a.tag == b.tag;
        return true;
    }
    if (op == GX_IS_NOT && (a.tag == GX_NONE || b.tag == GX_NONE)) {
        *out = a.tag != b.tag;
        return true;
    }
    return false;
}

/* a in b, or not, for a plain set or dict and a key that can be hashed. NO: the general way. */
static gx_try contains_fast(gx_rt *rt, unsigned op, gx_value a, gx_value b, gx_value *out) {
    if (!(a.tag == GX_INT || a.tag == GX_TUPLE || (a.tag == GX_STR && !a.obj->type->heap)) ||
        !(b.tag == GX_SET || b.tag == GX_DICT) || b.obj->type->heap)
        return GX_TRY_NO;
    if (b.tag == GX_DICT && b.obj->type != &gx_type_dict) return GX_TRY_NO;
    gx_keep(b);
    gx_try has = gx_set_has(rt, b, a);
    gx_drop(b);
    if (has != GX_TRY_ERROR) *out = gx_bool((has == GX_TRY_YES) == (op == GX_IN));
    return has == GX_TRY_ERROR ? has : GX_TRY_YES;
}

static bool compare_nodes(gx_frame *f, const gx_node *n, const gx_node *na, const gx_node *nb,
                          unsigned op, gx_value a, gx_value b, gx_value *out) {
    if (op == GX_IN || op == GX_NOT_IN) {
        gx_try done = contains_fast(f->rt, op, a, b, out);
        if (done == GX_TRY_YES) return true;
        if (done == GX_TRY_ERROR) return gx_locate_binary(f, n, na, nb, a, b);
    }
    if (GX_LIKELY(gx_compare(f->rt, (gx_cmpop)op, a, b, out))) return true;
    return gx_locate_binary(f, n, na, nb, a, b);
}

bool gx_eval_compare(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value a, b, r;
    bool own_a, own_b, yes;
    if (GX_UNLIKELY(!gx_stack_ok(f->rt)) && !gx_stack_check(f->rt)) return gx_locate(f, n);
    if (!operands(f, n, &a, &own_a, &b, &own_b)) return false;
    bool ok = true;
    if (compare_fast(n->op, a, b, &yes))
        r = gx_bool(yes);
    else
        ok = compare_nodes(f, n, n->a, n->b, n->op, a, b, &r);
    gx_release(a, own_a);
    gx_release(b, own_b);
    if (ok) *out = r;
    return ok;
}

bool gx_eval_chain(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value a, b, r = gx_undef();
    if (!gx_eval(f, n->list[0], &a)) return false;
    for (int32_t i = 1; i < n->n; i++) {
        if (!gx_eval(f, n->list[i], &b)) goto failed;
        gx_value next;
        bool yes = true;
        bool ok = compare_nodes(f, n, n->list[i - 1], n->list[i], n->ops[i - 1], a, b, &next);
        gx_drop(a);
        a = b;
        if (!ok) goto failed;
        gx_drop(r);
        r = next;
        if (i == n->n - 1) break;
        if (!gx_truth(f->rt, r, &yes)) {
            gx_suggest_truth(f, n, r);
            gx_locate(f, n);
            goto failed;
        }
        if (!yes) break;
    }
    gx_drop(a);
    *out = r;
    return true;
failed:
    gx_drop(a);
    gx_drop(r);
    return false;
}

static bool truth_of(gx_frame *f, const gx_node *n, gx_value v, bool *out) {
    if (v.tag == GX_BOOL) {
        *out = v.b;
        return true;
    }
    bool ok = gx_truth(f->rt, v, out);
    if (!ok) {
        gx_suggest_truth(f, n, v);
        gx_locate(f, n);
    }
    gx_drop(v);
    return ok;
}

static bool test_other(gx_frame *f, const gx_node *n, bool *out) {
    switch (n->kind) {
    case GX_NODE_NOT:
        if (!gx_test(f, n->a, out)) return false;
        *out = !*out;
        return true;
    case GX_NODE_AND:
        if (!gx_test(f, n->a, out)) return false;
        return *out ? gx_test(f, n->b, out) : true;
    case GX_NODE_OR:
        if (!gx_test(f, n->a, out)) return false;
        return *out ? true : gx_test(f, n->b, out);
    default: break;
    }
    gx_value v;
    if (!gx_eval(f, n, &v)) return false;
    return truth_of(f, n, v, out);
}

bool gx_test(gx_frame *f, const gx_node *n, bool *out) {
    if (GX_UNLIKELY(!gx_stack_ok(f->rt)) && !gx_stack_check(f->rt)) return gx_locate(f, n);
    if (n->kind != GX_NODE_COMPARE) return test_other(f, n, out);
    gx_value a, b, r;
    bool own_a, own_b;
    if (!operands(f, n, &a, &own_a, &b, &own_b)) return false;
    if (GX_LIKELY(compare_fast(n->op, a, b, out))) {
        gx_release(a, own_a);
        gx_release(b, own_b);
        return true;
    }
    bool ok = compare_nodes(f, n, n->a, n->b, n->op, a, b, &r);
    gx_release(a, own_a);
    gx_release(b, own_b);
    return ok && truth_of(f, n, r, out);
}

bool gx_eval_not(gx_frame *f, const gx_node *n, gx_value *out) {
    bool yes;
    if (!gx_test(f, n->a, &yes)) return false;
    *out = gx_bool(!yes);
    return true;
}

static bool either(gx_frame *f, const gx_node *n, bool stop, gx_value *out) {
    gx_value a;
    bool yes;
    if (!gx_stack_check(f->rt)) return gx_locate(f, n);
    if (!gx_eval(f, n->a, &a)) return false;
    if (!gx_truth(f->rt, a, &yes)) {
        gx_suggest_truth(f, n->a, a);
        gx_drop(a);
        return gx_locate(f, n->a);
    }
    if (yes == stop) {
        *out = a;
        return true;
    }
    gx_drop(a);
    return gx_eval(f, n->b, out);
}

bool gx_eval_and(gx_frame *f, const gx_node *n, gx_value *out) {
    return either(f, n, false, out);
}

bool gx_eval_or(gx_frame *f, const gx_node *n, gx_value *out) {
    return either(f, n, true, out);
}

bool gx_eval_ifexp(gx_frame *f, const gx_node *n, gx_value *out) {
    bool yes;
    if (!gx_test(f, n->a, &yes)) return false;
    return gx_eval(f, yes ? n->b : n->c, out);
}
