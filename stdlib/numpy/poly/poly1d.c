/* numpy.poly1d: a polynomial as a value, coefficients with the highest power first. Arithmetic is
   that of the functions in poly.c on its coefficients; its text is in poly1d_text.c. The
   coefficients are one 1-d array without zeros at its front, except where an item was stored. */
#include <string.h>

#include "stdlib/numpy/base/call.h"
#include "stdlib/numpy/poly/poly.h"

static gx_np_poly1d *self_of(gx_borrowed v) {
    return (gx_np_poly1d *)v.obj;
}

gx_np_poly1d *gx_np_poly1d_of(gx_borrowed v) {
    return v.tag == GX_OBJECT && v.obj->type == &gx_type_np_poly1d ? self_of(v) : NULL;
}

static void free_poly1d(gx_rt *rt, gx_obj *o) {
    gx_np_poly1d *p = (gx_np_poly1d *)o;
    gx_array_drop(p->c);
    gx_drop(p->variable);
    gx_free(rt, o);
}

/* --- making --- */

/* a as coefficients: 1-d, zeros at the front away, but never nothing at all. NULL: an error. */
static gx_array *trimmed(gx_np *s, gx_array *a) {
    const int64_t one = 1;
    if (!a) return NULL;
    if (a->ndim == 0) a = gx_np_expand(s, a, 1, 1);
    if (a && a->ndim > 1) {
        gx_fail(s->rt, GX_ValueError, "poly.dims", "Polynomial must be 1d only.");
        return NULL;
    }
    gx_array *r = gx_np_poly_trim(s, a, false);
    return r && !r->count ? gx_np_zeros(s, (gx_dtype)a->dtype, 1, &one) : r;
}

/* The variable may be UNDEF: 'x'. */
static bool make(gx_np *s, gx_array *a, gx_borrowed variable, gx_value *out) {
    gx_value name;
    a = trimmed(s, a);
    if (!a) return false;
    if (variable.tag == GX_UNDEF) {
        if (!gx_str_c(s->rt, "x", &name)) return false;
    } else
        name = gx_keep(variable);
    gx_np_poly1d *p = gx_obj_new(s->rt, &gx_type_np_poly1d, sizeof *p);
    if (!p) {
        gx_drop(name);
        return false;
    }
    gx_array_keep(a);
    p->c = a;
    p->variable = name;
    *out = gx_object(&p->obj);
    return true;
}

bool gx_np_give_poly1d(gx_np *s, gx_array *a, gx_value *out) {
    return gx_np_end(s, a && make(s, a, gx_undef(), out));
}

static bool construct(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    const gx_np_poly1d *from = gx_np_poly1d_of(c->argv[0]);
    gx_value variable = gx_arg_some(c, 2) ? c->argv[2] : gx_undef();
    bool roots;
    if (variable.tag != GX_UNDEF && variable.tag != GX_STR)
        return gx_np_end(&s, gx_arg_wrong(c, 2, "a str"));
    if (from) {
        if (variable.tag == GX_UNDEF) variable = from->variable;
        return gx_np_end(&s, make(&s, from->c, variable, out));
    }
    if (!gx_arg_bool(c, 1, &roots)) return gx_np_end(&s, false);
    gx_array *a = roots ? gx_np_call_values(&s, "poly", 1, c->argv) : gx_np_arr(&s, c->argv[0]);
    return gx_np_end(&s, a && make(&s, a, variable, out));
}

/* --- arithmetic --- */

static bool is_number(gx_borrowed v) {
    gx_operand kind = gx_operand_kind(v);
    return v.tag == GX_BOOL || kind == GX_OPERAND_WEAK || kind == GX_OPERAND_SCALAR;
}

/* What polyadd, polymul … give for two operands, each a poly1d or coefficients. */
static bool call_two(gx_np *s, const char *name, gx_borrowed a, gx_borrowed b, gx_value *out) {
    const gx_value argv[2] = {a, b};
    return gx_np_end(s, gx_np_call(s, name, 2, argv, out));
}

/* The coefficients and a number, element by element. */
static bool with_number(gx_np *s, gx_opcode op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_value v, argv[2] = {a, b};
    for (int k = 0; k < 2; k++)
        if (gx_np_poly1d_of(argv[k])) argv[k] = gx_np_value(gx_np_poly1d_of(argv[k])->c);
    if (!gx_op(s->rt, op, argv, NULL, &v) || !gx_np_hold(s, v)) return gx_np_end(s, false);
    return gx_np_give_poly1d(s, gx_np_arr(s, v), out);
}

static bool power(gx_np *s, const gx_np_poly1d *p, gx_borrowed exponent, gx_value *out) {
    const int64_t one = 1;
    int64_t n = -1;
    gx_try is = is_number(exponent) ? gx_as_index(s->rt, exponent, &n) : GX_TRY_NO;
    if (is == GX_TRY_ERROR) return gx_np_end(s, false);
    if (is == GX_TRY_NO || n < 0)
        return gx_np_end(s, gx_fail(s->rt, GX_ValueError, "poly.power",
                                    "Power to non-negative integers only."));
    if ((p->c->count - 1) * (n < (1 << 24) ? n : 1 << 24) >= 1 << 24)
        return gx_np_end(s, gx_fail(s->rt, GX_ValueError, "poly.power",
                                    "the power %lld of a polynomial of order %lld has too many "
                                    "coefficients",
                                    (long long)n, (long long)p->c->count - 1));
    if (p->c->count == 1) { /* a number: no product by product */
        gx_value argv[2] = {gx_np_value(p->c), exponent}, v;
        if (!gx_op(s->rt, GX_OP_power, argv, NULL, &v) || !gx_np_hold(s, v))
            return gx_np_end(s, false);
        return gx_np_give_poly1d(s, gx_np_arr(s, v), out);
    }
    gx_array *r = gx_np_broadcast(s, gx_np_i64(s, 1), 1, &one);
    for (; r && n > 0; n--) {
        if (gx_must_stop(s->rt)) return gx_np_end(s, gx_stop(s->rt));
        r = gx_np_poly_times(s, p->c, r);
    }
    return gx_np_give_poly1d(s, r, out);
}

static gx_try binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    const gx_np_poly1d *p = gx_np_poly1d_of(a), *q = gx_np_poly1d_of(b);
    gx_borrowed other = p ? b : a;
    gx_np s = gx_np_begin_at(rt, (gx_namespace)(p ? p : q)->c->ns);
    bool number = is_number(other), ok;
    if (!number && !(p && q) && !gx_is_array(other) && other.tag != GX_LIST &&
        other.tag != GX_TUPLE && op != GX_POW)
        return gx_np_end(&s, true) ? GX_TRY_NO : GX_TRY_ERROR;
    if (op == GX_ADD)
        ok = call_two(&s, "polyadd", a, b, out);
    else if (op == GX_SUB)
        ok = call_two(&s, "polysub", a, b, out);
    else if (op == GX_MUL)
        ok = number ? with_number(&s, GX_OP_multiply, a, b, out)
                    : call_two(&s, "polymul", a, b, out);
    else if (op == GX_DIV)
        ok = number ? with_number(&s, GX_OP_divide, a, b, out)
                    : call_two(&s, "polydiv", a, b, out);
    else if (op == GX_POW && p)
        ok = power(&s, p, b, out);
    else
        return gx_np_end(&s, true) ? GX_TRY_NO : GX_TRY_ERROR;
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

static gx_try unary(gx_rt *rt, gx_unop op, gx_borrowed a, gx_value *out) {
    if (op == GX_INVERT) return GX_TRY_NO;
    if (op == GX_POS) {
        *out = gx_keep(a);
        return GX_TRY_YES;
    }
    gx_np s = gx_np_begin_at(rt, (gx_namespace)self_of(a)->c->ns);
    return gx_np_give_poly1d(&s, gx_np_op1(&s, GX_OP_negative, self_of(a)->c), out)
               ? GX_TRY_YES
               : GX_TRY_ERROR;
}

static gx_try compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    const gx_np_poly1d *p = gx_np_poly1d_of(a), *q = gx_np_poly1d_of(b);
    gx_value same = gx_bool(false);
    if (!p || !q || (op != GX_EQ && op != GX_NE)) return GX_TRY_NO;
    if (p->c->count == q->c->count) {
        gx_np s = gx_np_begin_at(rt, (gx_namespace)p->c->ns);
        gx_array *equal = gx_np_op2(&s, GX_OP_equal, p->c, q->c);
        equal = gx_np_reduce(&s, GX_RED_all, equal, 1, false, GX_NO_DTYPE);
        if (!gx_np_give(&s, equal, &same)) return GX_TRY_ERROR;
    }
    if (op == GX_NE) {
        bool truth, ok = gx_truth(rt, same, &truth);
        gx_drop(same);
        if (!ok) return GX_TRY_ERROR;
        same = gx_bool(!truth);
    }
    *out = same;
    return GX_TRY_YES;
}

/* --- values, items --- */

gx_array *gx_np_poly1d_at(gx_np *s, gx_array *p, gx_array *x) {
    const int64_t one = 1;
    gx_array *y = x ? gx_np_zeros(s, (gx_dtype)x->dtype, 1, &one) : NULL;
    for (int64_t i = 0; p && y && i < p->count; i++) {
        gx_array *const parts[2] = {NULL, gx_np_expand(s, gx_np_at(s, p, 0, i), 1, 1)};
        y = trimmed(s, gx_np_poly_times(s, y, x));
        y = y && parts[1] ? gx_np_poly_plus(s, y, parts[1]) : NULL;
        if (y && gx_must_stop(s->rt)) return gx_stop(s->rt) ? y : NULL;
    }
    return y;
}

static bool call(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                 const gx_sym *kw, gx_value *out) {
    gx_np s = gx_np_begin_at(rt, (gx_namespace)self_of(self)->c->ns);
    if (argc + kwc != 1 || (kwc && strcmp(gx_sym_text(rt, kw[0]), "val") != 0))
        return gx_fail(rt, GX_TypeError, "poly.call",
                       "a poly1d is called with one argument, what its variable is");
    return call_two(&s, "polyval", self, argv[0], out);
}

static bool length(gx_rt *rt, gx_borrowed v, int64_t *out) {
    (void)rt;
    *out = self_of(v)->c->count - 1;
    return true;
}

static bool iterate(gx_rt *rt, gx_borrowed v, gx_value *out) {
    return gx_iter(rt, gx_np_value(self_of(v)->c), out);
}

static bool power_of(gx_rt *rt, gx_borrowed key, int64_t *out) {
    gx_try is = gx_as_index(rt, key, out);
    if (is == GX_TRY_NO)
        return gx_fail(rt, GX_TypeError, "poly.index",
                       "a poly1d is indexed by a power, an integer, not %s", gx_type_name(key));
    return is == GX_TRY_YES;
}

static bool get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    const gx_np_poly1d *p = self_of(v);
    int64_t k;
    gx_scalar x = {.bits = {0, 0}};
    if (!power_of(rt, key, &k)) return false;
    if (k >= 0 && k < p->c->count && !gx_array_item_at(rt, p->c, p->c->count - 1 - k, &x))
        return false;
    return gx_scalar_new(rt, (gx_dtype)p->c->dtype, &x, out);
}

static bool set(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_borrowed item) {
    gx_np_poly1d *p = self_of(v);
    int64_t k;
    if (!power_of(rt, key, &k)) return false;
    if (k < 0)
        return gx_fail(rt, GX_ValueError, "poly.index", "Does not support negative powers.");
    if (k >= 1 << 24)
        return gx_fail(rt, GX_ValueError, "poly.index", "the power %lld is too large",
                       (long long)k);
    gx_np s = gx_np_begin_at(rt, (gx_namespace)p->c->ns);
    gx_array *c = p->c;
    int64_t more = k - (c->count - 1);
    if (more > 0) {
        gx_array *const parts[2] = {gx_np_zeros(&s, (gx_dtype)c->dtype, 1, &more), c};
        c = gx_np_concat(&s, 2, parts, 0, GX_NO_DTYPE);
    }
    if (!c || !gx_array_set(rt, c, gx_int(c->count - 1 - k), item)) return gx_np_end(&s, false);
    if (c != p->c) {
        gx_array_keep(c);
        gx_array_drop(p->c);
        p->c = c;
    }
    return gx_np_end(&s, true);
}

/* --- attributes and methods --- */

static bool get_c(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(gx_np_value(self_of(self)->c));
    return true;
}

/* p.c += 1 stores the array that is there. */
static bool set_c(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    if (gx_is_array(value) && gx_as_array(value) == self_of(self)->c) return true;
    return gx_fail(rt, GX_AttributeError, "poly.coeffs", "Cannot set attribute");
}

static bool get_roots(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_np s = gx_np_begin_at(rt, (gx_namespace)self_of(self)->c->ns);
    const gx_value c = gx_np_value(self_of(self)->c);
    return gx_np_end(&s, gx_np_call(&s, "roots", 1, &c, out));
}

static bool get_order(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(self_of(self)->c->count - 1);
    return true;
}

static bool get_variable(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(self_of(self)->variable);
    return true;
}

static bool deriv(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    return call_two(&s, "polyder", c->argv[0], c->argv[1], out);
}

static bool integ(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    return gx_np_end(&s, gx_np_call(&s, "polyint", 3, c->argv, out));
}

static const gx_member members[] = {
    {"c", get_c, set_c, "The coefficients, the highest power first."},
    {"coef", get_c, set_c, "The coefficients, the highest power first."},
    {"coeffs", get_c, set_c, "The coefficients, the highest power first."},
    {"coefficients", get_c, set_c, "The coefficients, the highest power first."},
    {"r", get_roots, NULL, "Where it is zero."},
    {"roots", get_roots, NULL, "Where it is zero."},
    {"o", get_order, NULL, "The highest power."},
    {"order", get_order, NULL, "The highest power."},
    {"variable", get_variable, NULL, "The name that its text has for x."},
    {NULL, NULL, NULL, NULL},
};

static const gx_native methods[] = {
    {"deriv", "deriv(self, m=1)", "The m-th derivative.", "poly1d([1, 2, 3]).deriv().c  # [2 2]",
     deriv, 0, 0},
    {"integ", "integ(self, m=1, k=0)", "The m-th integral, with constants k.",
     "poly1d([2, 2]).integ().c  # [1. 2. 0.]", integ, 0, 0},
    {.name = NULL},
};

static const gx_native construct_row = {"poly1d",
                                        "poly1d(c_or_r, r=False, variable=None)",
                                        "A polynomial from its coefficients, or with r=True from "
                                        "its roots.",
                                        "poly1d([1, 2, 3])(2)  # 11",
                                        construct,
                                        0,
                                        0};

const gx_type gx_type_np_poly1d = {
    .name = "numpy.poly1d",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .doc = "A polynomial: poly1d([1, 2, 3]) is x**2 + 2 x + 3. It can be called, added, "
           "multiplied, divided; c are its coefficients, r its roots, p[k] is that of x**k.",
    .free = free_poly1d,
    .repr = gx_np_poly1d_repr,
    .str = gx_np_poly1d_str,
    .compare = compare,
    .binary = binary,
    .unary = unary,
    .length = length,
    .get = get,
    .set = set,
    .iter = iterate,
    .call = call,
    .construct = &construct_row,
    .methods = methods,
    .members = members,
};
