/* Operators where at least one operand is an instance of a script's class: Python's order of asking
   (the left operand, then the right one's reflected method; a subclass on the right that has a
   method of its own first), and what arrays leave to an instance.

   Invariant: a method that answers NotImplemented counts as missing. */
#include "runtime/object/class/hooks.h"
#include "runtime/object/operators.h"

/* self.hook(other). */
static gx_try ask(gx_rt *rt, gx_borrowed self, int hook, gx_borrowed other, gx_value *out) {
    gx_value r;
    if (!gx_stack_check(rt)) return GX_TRY_ERROR;
    gx_value found = gx_class_hook(rt, gx_type_of(self), (gx_hook)hook);
    if (found.tag == GX_UNDEF) return GX_TRY_NO;
    if (!gx_call_found(rt, found, self, 1, &other, 0, NULL, &r)) return GX_TRY_ERROR;
    if (gx_is_not_implemented(r)) {
        gx_drop(r);
        return GX_TRY_NO;
    }
    *out = r;
    return GX_TRY_YES;
}

/* As gx_special, with an answer NotImplemented as missing. */
static gx_try ask_by_name(gx_rt *rt, gx_borrowed self, const char *name, gx_borrowed other,
                          gx_value *out) {
    gx_try r = gx_special(rt, self, name, 1, &other, out);
    if (r != GX_TRY_YES || !gx_is_not_implemented(*out)) return r;
    gx_drop(*out);
    return GX_TRY_NO;
}

gx_try gx_special_pair(gx_rt *rt, const char *left, const char *right, gx_borrowed a, gx_borrowed b,
                       gx_value *out) {
    const gx_type *ta = gx_type_of(a), *tb = gx_type_of(b);
    bool first = ta != tb && gx_type_is(tb, ta);
    gx_try r = first ? ask_by_name(rt, b, right, a, out) : GX_TRY_NO;
    if (r == GX_TRY_NO) r = ask_by_name(rt, a, left, b, out);
    if (r == GX_TRY_NO && !first && ta != tb) r = ask_by_name(rt, b, right, a, out);
    return r;
}

static bool is_numpy(gx_borrowed v) {
    return v.tag == GX_ARRAY || v.tag == GX_SCALAR || v.tag == GX_SCALAR_BOX;
}

/* A NumPy scalar or an array of no class of the script. */
static bool is_plain_numpy(gx_borrowed v) {
    return is_numpy(v) && !gx_is_instance(v);
}

/* An instance below a type of numbers. */
static bool is_number(gx_borrowed v) {
    return gx_is_instance(v) && (v.tag == GX_COMPLEX || gx_plain_type(v.obj->type)->tag == GX_INT ||
                                 gx_plain_type(v.obj->type)->tag == GX_FLOAT);
}

/* An array or NumPy scalar with such an instance: with its number. */
static gx_try plain_numbers(gx_rt *rt, gx_borrowed *a, gx_borrowed *b, gx_value *own) {
    gx_borrowed *v = is_numpy(*a) && is_number(*b) ? b : is_numpy(*b) && is_number(*a) ? a : NULL;
    if (!v) return GX_TRY_NO;
    if (!gx_plain_value(rt, *v, own)) return GX_TRY_ERROR;
    *v = *own;
    return GX_TRY_YES;
}

/* The array that an instance's __array__ gives, to go on with; NO: it has none. */
static gx_try as_array(gx_rt *rt, gx_borrowed v, gx_value *out) {
    return gx_call_hook(rt, v, GX_HOOK_array, 0, NULL, out);
}

/* An array with an instance that has __array__ and no operator of its own. */
static gx_try by_array(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_value x;
    bool left = gx_is_instance(a);
    if (!is_numpy(left ? b : a)) return GX_TRY_NO;
    gx_try is = as_array(rt, left ? a : b, &x);
    if (is != GX_TRY_YES) return is;
    bool ok = gx_is_instance(x) ? gx_fail(rt, GX_ValueError, "class.array",
                                          "object __array__ method not producing an array")
                                : gx_binary(rt, op, left ? x : a, left ? b : x, out);
    gx_drop(x);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

/* Does an array leave the operation to the instance, as NumPy's __array_ufunc__ and
   __array_priority__ say? Without __array__ there is nothing else an array could do. */
static bool takes_over(gx_rt *rt, gx_borrowed v) {
    const gx_type *t = v.obj->type;
    int ufunc = gx_class_hook(rt, t, GX_HOOK_array_ufunc).tag;
    if (ufunc == GX_NONE) return true;
    if (ufunc != GX_UNDEF) return false; /* the operator's ufunc will ask it */
    if (is_number(v)) return false;
    gx_value priority = gx_class_hook(rt, t, GX_HOOK_array_priority);
    if (priority.tag == GX_FLOAT && priority.f > 0) return true;
    if (priority.tag == GX_INT && priority.i > 0) return true;
    return gx_class_hook(rt, t, GX_HOOK_array).tag == GX_UNDEF;
}

/* Is `hook` of the one class another method than that of the other? */
static bool overridden(gx_rt *rt, const gx_type *ta, const gx_type *tb, int hook) {
    gx_value x = gx_class_hook(rt, ta, (gx_hook)hook), y = gx_class_hook(rt, tb, (gx_hook)hook);
    return x.tag != y.tag || x.u != y.u;
}

/* Sequences join and repeat only what no method on the right takes: [1] + A() is A's __radd__. */
static bool joins(const gx_type *plain, gx_binop op) {
    if ((op != GX_ADD && op != GX_MUL) || plain->tag == GX_ARRAY) return false;
    if (plain->tag == GX_SET || plain->tag == GX_DICT) return false;
    while (plain && !plain->length) plain = plain->base;
    return plain != NULL;
}

/* The special methods of both operands, and between them the left one's builtin slot. */
static gx_try by_methods(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    const gx_type *ta = gx_type_of(a), *tb = gx_type_of(b);
    int left = GX_HOOK_op_add + (int)op, right = GX_HOOK_radd + (int)op;
    bool own = gx_class_hook(rt, ta, (gx_hook)left).tag != GX_UNDEF;
    bool reflected = tb->heap && ta != tb, leaves = is_plain_numpy(a) && b.tag != GX_ARRAY;
    gx_try r = GX_TRY_NO;
    if (reflected && leaves && !takes_over(rt, b)) reflected = leaves = false;
    if (reflected && (leaves || (gx_type_is(tb, ta) && overridden(rt, ta, tb, right)))) {
        r = ask(rt, b, right, a, out);
        if (r != GX_TRY_NO) return r;
        reflected = false;
    }
    if (own)
        r = ask(rt, a, left, b, out);
    else if (!joins(gx_plain_type(ta), op))
        r = gx_slot_binary(rt, gx_plain_type(ta), op, a, b, out);
    if (r == GX_TRY_NO && reflected) r = ask(rt, b, right, a, out);
    return r;
}

gx_try gx_class_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    const gx_type *plain = gx_plain_type(gx_type_of(a));
    gx_try r = by_methods(rt, op, a, b, out);
    if (r == GX_TRY_NO && joins(plain, op)) r = gx_slot_binary(rt, plain, op, a, b, out);
    if (r == GX_TRY_NO && gx_type_of(a) != gx_type_of(b)) /* of one class it was asked above */
        r = gx_slot_binary(rt, gx_plain_type(gx_type_of(b)), op, a, b, out);
    if (r != GX_TRY_NO) return r;
    gx_value own;
    r = plain_numbers(rt, &a, &b, &own);
    if (r == GX_TRY_NO) return by_array(rt, op, a, b, out);
    if (r == GX_TRY_ERROR) return r;
    r = gx_binary(rt, op, a, b, out) ? GX_TRY_YES : GX_TRY_ERROR;
    gx_drop(own);
    return r;
}

gx_try gx_class_inplace(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_try r = gx_is_instance(a) ? ask(rt, a, GX_HOOK_iadd + (int)op, b, out) : GX_TRY_NO;
    /* A class below list has list's own __iadd__ and __imul__. */
    if (gx_is_instance(a) && a.tag == GX_LIST) return r;
    if (r == GX_TRY_NO && op == GX_MUL && gx_is_instance(a) && !is_numpy(a) &&
        !joins(gx_plain_type(gx_type_of(a)), op) && joins(gx_plain_type(gx_type_of(b)), op)) {
        /* `*=` of an instance repeats no sequence on the right, as `*` does */
        r = by_methods(rt, op, a, b, out);
        if (r == GX_TRY_NO) gx_binary_refused(rt, "*", "=", a, b);
        return r == GX_TRY_YES ? r : GX_TRY_ERROR;
    }
    if (r != GX_TRY_NO || is_numpy(a) || !joins(gx_plain_type(gx_type_of(a)), op)) return r;
    return by_methods(rt, op, a, b, out);
}

/* The hook of the comparison that b does with a. */
static int mirrored(gx_cmpop op) {
    return GX_HOOK_eq + (int)gx_cmpop_mirrored(op);
}

/* Does a class of the script say how its instances compare? Then its builtin ancestor has no say.
 */
static bool says(gx_rt *rt, const gx_type *t, int hook) {
    return t->heap && gx_class_hook(rt, t, (gx_hook)hook).tag != GX_UNDEF;
}

/* a != b is the opposite of a == b where there is no __ne__, not even the builtin ancestor's. */
static gx_try ask_order(gx_rt *rt, gx_borrowed self, int hook, gx_borrowed other, gx_value *out) {
    gx_value r;
    bool yes;
    gx_try done = ask(rt, self, hook, other, out);
    if (done != GX_TRY_NO || hook != GX_HOOK_ne) return done;
    const gx_type *plain = gx_plain_type(gx_type_of(self));
    if (plain->compare || gx_is_value_type(plain)) return GX_TRY_NO; /* it has a __ne__ */
    if (says(rt, gx_type_of(self), hook)) return GX_TRY_NO;          /* which does not know */
    done = ask(rt, self, GX_HOOK_eq, other, &r);
    if (done != GX_TRY_YES) return done;
    bool ok = gx_truth(rt, r, &yes);
    gx_drop(r);
    if (ok) *out = gx_bool(!yes);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

gx_try gx_class_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    const gx_type *ta = gx_type_of(a), *tb = gx_type_of(b);
    bool first = tb->heap && ((ta != tb && gx_type_is(tb, ta)) || is_numpy(a));
    gx_try r = GX_TRY_NO;
    if (first) r = ask_order(rt, b, mirrored(op), a, out);
    /* The class below goes first with what it has from its builtin ancestor, too. */
    if (r == GX_TRY_NO && first && ta->heap && !says(rt, tb, mirrored(op)) &&
        (gx_plain_type(tb)->compare || gx_is_value_type(gx_plain_type(tb))))
        r = gx_slot_compare_of(rt, gx_cmpop_mirrored(op), b, a, true, false, out);
    if (r == GX_TRY_NO && ta->heap) r = ask_order(rt, a, GX_HOOK_eq + (int)op, b, out);
    const gx_type *own_type = gx_plain_type(ta);
    bool compares = gx_is_value_type(own_type) || own_type->tag == GX_LIST ||
                    own_type->tag == GX_DICT || own_type->tag == GX_SET;
    const bool left = !says(rt, ta, GX_HOOK_eq + (int)op), right = !says(rt, tb, mirrored(op));
    if (r == GX_TRY_NO && ta->heap && compares && left && !is_numpy(b))
        r = gx_slot_compare_of(rt, op, a, b, left, right, out);
    if (r == GX_TRY_NO && tb->heap && !first) r = ask_order(rt, b, mirrored(op), a, out);
    if (r != GX_TRY_NO) return r;
    bool plain =
        (is_plain_numpy(a) && b.tag != GX_ARRAY) || (is_plain_numpy(b) && a.tag != GX_ARRAY);
    if (!plain) return gx_slot_compare_of(rt, op, a, b, left, right, out);
    gx_value own;
    r = plain_numbers(rt, &a, &b, &own);
    if (r != GX_TRY_YES) return r;
    r = gx_compare(rt, op, a, b, out) ? GX_TRY_YES : GX_TRY_ERROR;
    gx_drop(own);
    return r;
}
