/* Augmented assignment. The target's parts are evaluated once, and its value is read before the
   right side runs. A name gives its value away only while an operator runs that calls no code of a
   script: text that nobody else holds grows in place. */
#include "interp/eval/evaluator.h"

#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/operators.h"

/* The int and float cases of a op= b; false: the general operator is needed. */
static inline bool fast(unsigned op, gx_value a, gx_value b, gx_value *out) {
    int64_t r;
    if (a.tag == GX_INT && b.tag == GX_INT) {
        bool lost = op == GX_ADD   ? __builtin_add_overflow(a.i, b.i, &r)
                    : op == GX_SUB ? __builtin_sub_overflow(a.i, b.i, &r)
                    : op == GX_MUL ? __builtin_mul_overflow(a.i, b.i, &r)
                                   : true;
        if (lost) return gx_quick_bits(op, a.i, b.i, out);
        *out = gx_int(r);
        return true;
    }
    double x, y;
    if (a.tag == GX_FLOAT)
        x = a.f;
    else if (a.tag == GX_INT)
        x = (double)a.i;
    else
        return false;
    if (b.tag == GX_FLOAT)
        y = b.f;
    else if (b.tag == GX_INT && a.tag == GX_FLOAT)
        y = (double)b.i;
    else
        return false;
    switch (op) {
    case GX_ADD: *out = gx_float(x + y); return true;
    case GX_SUB: *out = gx_float(x - y); return true;
    case GX_MUL: *out = gx_float(x * y); return true;
    default: return false;
    }
}

/* Does a op= b run without any code of a script, so that nobody can look at a meanwhile? */
static inline bool closed(gx_value a, gx_value b) {
    if (a.tag == GX_STR) return b.tag == GX_STR && !gx_is_instance(a) && !gx_is_instance(b);
    return a.tag == GX_ARRAY && (b.tag < GX_LIST || b.tag == GX_ARRAY) && !gx_is_instance(b);
}

/* n's target op= b; `old`, what the target held before b was evaluated, is taken over. */
static bool update_take(gx_frame *f, const gx_node *n, gx_value old, gx_borrowed b) {
    gx_value r, *place = gx_name_place(f, n->a);
    bool still = place->tag == old.tag && place->u == old.u;
    bool given = still && closed(old, b);
    if (given) {
        gx_drop(old);
        old = gx_steal(place);
    }
    bool ok = gx_inplace(f->rt, (gx_binop)n->op, old, b, &r);
    if (!ok) gx_locate_binary(f, n, n->a, n->b, old, b);
    if (given) *gx_name_place(f, n->a) = ok ? r : old;
    else if (ok) ok = gx_assign_take(f, n->a, r);
    if (ok || !given) gx_drop(old);
    return ok;
}

/* A local that holds an object, or nothing yet. */
static int aug_object(gx_frame *f, const gx_node *n) {
    gx_value b, *place = &f->slots[n->a->slot];
    if (place->tag == GX_UNDEF) {
        gx_locate_name(f, n->a);
        return GX_FLOW_ERROR;
    }
    gx_value old = gx_keep(*place);
    if (!gx_eval(f, n->b, &b)) {
        gx_drop(old);
        return GX_FLOW_ERROR;
    }
    bool ok = update_take(f, n, old, b);
    gx_drop(b);
    return ok ? GX_FLOW_NEXT : GX_FLOW_ERROR;
}

int gx_exec_aug_local(gx_frame *f, const gx_node *n) {
    gx_value b, r, *place = &f->slots[n->a->slot], old = *place;
    bool own;
    if (old.tag >= GX_FIRST_OBJECT || GX_UNLIKELY(old.tag == GX_UNDEF)) return aug_object(f, n);
    if (!gx_peek(f, n->b, &b, &own)) return GX_FLOW_ERROR;
    if (GX_LIKELY(fast(n->op, old, b, &r))) { /* neither holds an object */
        gx_drop(*place);
        *place = r;
        return GX_FLOW_NEXT;
    }
    bool ok = gx_inplace(f->rt, (gx_binop)n->op, old, b, &r);
    if (GX_LIKELY(ok)) {
        place = &f->slots[n->a->slot];
        gx_drop(*place);
        *place = r;
    } else {
        gx_locate_binary(f, n, n->a, n->b, old, b);
    }
    gx_release(b, own);
    return ok ? GX_FLOW_NEXT : GX_FLOW_ERROR;
}

/* A name of a text that eval or exec runs. */
static bool aug_named(gx_frame *f, const gx_node *n) {
    gx_value a, b, r;
    if (!gx_eval(f, n->a, &a)) return false;
    bool ok = gx_eval(f, n->b, &b);
    if (ok) {
        ok = gx_inplace(f->rt, (gx_binop)n->op, a, b, &r) ||
             gx_locate_binary(f, n, n->a, n->b, a, b);
        gx_drop(b);
    }
    gx_drop(a);
    return ok && gx_assign_take(f, n->a, r);
}

static bool aug_name(gx_frame *f, const gx_node *n) {
    if (n->a->scope == GX_SCOPE_NAMED) return aug_named(f, n);
    gx_value b, a, r;
    gx_value *place = gx_name_place(f, n->a);
    if (place->tag == GX_UNDEF) {
        /* A global that is a builtin: `sum += 1` reads the builtin, as in Python. */
        if (!gx_eval(f, n->a, &a)) return false;
    } else {
        a = gx_keep(*place);
    }
    bool ok = gx_eval(f, n->b, &b);
    if (!ok) {
        gx_drop(a);
        return false;
    }
    place = gx_name_place(f, n->a);
    if (fast(n->op, a, b, &r)) {
        gx_drop(*place);
        *place = r;
        return true;
    }
    ok = update_take(f, n, a, b);
    gx_drop(b);
    return ok;
}

static bool aug_attr(gx_frame *f, const gx_node *n) {
    gx_value a, old, b, r;
    bool own;
    if (!gx_peek(f, n->a->a, &a, &own)) return false;
    bool ok = gx_read_attr(f, n->a, a, &old);
    if (ok) {
        ok = gx_eval(f, n->b, &b);
        if (ok) {
            ok = fast(n->op, old, b, &r) || gx_inplace(f->rt, (gx_binop)n->op, old, b, &r) ||
                 gx_locate_binary(f, n, n->a, n->b, old, b);
            gx_drop(b);
        }
        gx_drop(old);
    }
    if (ok) {
        ok = gx_store_attr(f, n->a, a, r);
        gx_drop(r);
    }
    gx_release(a, own);
    return ok;
}

static bool aug_item(gx_frame *f, const gx_node *n, gx_borrowed a, gx_borrowed key) {
    gx_value old, b, r;
    if (a.tag == GX_LIST && a.obj->type == &gx_type_list && key.tag == GX_INT && key.i >= 0 &&
        key.i < gx_as_list(a)->count) {
        old = gx_keep(gx_as_list(a)->items[key.i]);
    } else if (!gx_get_item(f->rt, a, key, &old)) {
        return gx_locate_part(f, n->a, n->a->a, a);
    }
    bool ok = gx_eval(f, n->b, &b);
    if (ok) {
        ok = fast(n->op, old, b, &r) || gx_inplace(f->rt, (gx_binop)n->op, old, b, &r) ||
             gx_locate_binary(f, n, n->a, n->b, old, b);
        gx_drop(b);
    }
    gx_drop(old);
    if (!ok) return false;
    ok = gx_set_item(f->rt, a, key, r) || gx_locate_part(f, n->a, n->a->a, a);
    gx_drop(r);
    return ok;
}

int gx_exec_augassign(gx_frame *f, const gx_node *n) {
    gx_value a, key;
    bool own_a, own_key, ok;
    if (n->a->kind == GX_NODE_NAME) {
        ok = aug_name(f, n);
    } else if (n->a->kind == GX_NODE_ATTR) {
        ok = aug_attr(f, n);
    } else {
        if (!gx_peek(f, n->a->a, &a, &own_a)) return GX_FLOW_ERROR;
        ok = gx_peek(f, n->a->b, &key, &own_key);
        if (ok) {
            ok = aug_item(f, n, a, key);
            gx_release(key, own_key);
        }
        gx_release(a, own_a);
    }
    return ok ? GX_FLOW_NEXT : GX_FLOW_ERROR;
}
