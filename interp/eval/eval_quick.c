/* Shortcuts that link.c picks where the tree allows: arithmetic and comparison of a local with a
   constant int or of two locals, and functions whose body is one `return`. Each does the common
   case of ints and floats without a call, and leaves everything else to the general evaluator of
   its kind. */
#include "interp/eval/evaluator.h"

#include "runtime/array/array.h"
#include "runtime/object/container/list.h"

/* Int arithmetic without overflow, or float arithmetic; false: the general way. */
static inline bool quick_add(gx_value a, gx_value b, gx_value *out) {
    if (a.tag == GX_INT && b.tag == GX_INT) {
        int64_t r;
        if (__builtin_add_overflow(a.i, b.i, &r)) return false;
        *out = gx_int(r);
        return true;
    }
    if (a.tag != GX_FLOAT || b.tag != GX_FLOAT) return false;
    *out = gx_float(a.f + b.f);
    return true;
}

static inline bool quick_sub(gx_value a, gx_value b, gx_value *out) {
    if (a.tag == GX_INT && b.tag == GX_INT) {
        int64_t r;
        if (__builtin_sub_overflow(a.i, b.i, &r)) return false;
        *out = gx_int(r);
        return true;
    }
    if (a.tag != GX_FLOAT || b.tag != GX_FLOAT) return false;
    *out = gx_float(a.f - b.f);
    return true;
}

static inline bool quick_mul(gx_value a, gx_value b, gx_value *out) {
    if (a.tag == GX_INT && b.tag == GX_INT) {
        int64_t r;
        if (__builtin_mul_overflow(a.i, b.i, &r)) return false;
        *out = gx_int(r);
        return true;
    }
    if (a.tag != GX_FLOAT || b.tag != GX_FLOAT) return false;
    *out = gx_float(a.f * b.f);
    return true;
}

#define QUICK(op)                                                                                  \
    bool gx_eval_##op##_const(gx_frame *f, const gx_node *n, gx_value *out) {                      \
        if (GX_LIKELY(quick_##op(f->slots[n->a->slot], n->b->constant, out))) return true;         \
        return gx_eval_##op(f, n, out);                                                            \
    }                                                                                              \
    bool gx_eval_##op##_locals(gx_frame *f, const gx_node *n, gx_value *out) {                     \
        if (GX_LIKELY(quick_##op(f->slots[n->a->slot], f->slots[n->b->slot], out))) return true;   \
        return gx_eval_##op(f, n, out);                                                            \
    }
QUICK(add)
QUICK(sub)
QUICK(mul)

bool gx_eval_ifexp_const(gx_frame *f, const gx_node *n, gx_value *out) {
    const gx_node *test = n->a;
    gx_value a = f->slots[test->a->slot];
    if (GX_UNLIKELY(a.tag != GX_INT)) return gx_eval_ifexp(f, n, out);
    bool yes = gx_compare_ints(test->op, a.i, test->b->constant.i);
    return gx_eval(f, yes ? n->b : n->c, out);
}

int gx_exec_if_const(gx_frame *f, const gx_node *n) {
    const gx_node *test = n->a;
    gx_value a = f->slots[test->a->slot];
    if (GX_UNLIKELY(a.tag != GX_INT)) return gx_exec_if(f, n);
    if (gx_compare_ints(test->op, a.i, test->b->constant.i)) return gx_exec(f, n->b);
    return n->c ? gx_exec(f, n->c) : GX_FLOW_NEXT;
}

/* The int that a local, a constant, or a local plus or minus a constant stands for. */
static inline bool quick_int(const gx_frame *f, const gx_node *n, int64_t *out) {
    gx_value v;
    if (n->eval == gx_eval_local)
        v = f->slots[n->slot];
    else if (n->eval == gx_eval_constant)
        v = n->constant;
    else if (n->eval == gx_eval_add_const) {
        if (!quick_add(f->slots[n->a->slot], n->b->constant, &v)) return false;
    } else if (!quick_sub(f->slots[n->a->slot], n->b->constant, &v)) {
        return false;
    }
    *out = v.i;
    return v.tag == GX_INT;
}

bool gx_eval_index_quick(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value a = f->slots[n->a->slot];
    const gx_value *items;
    int64_t i, count;
    if (a.tag == GX_LIST && a.obj->type == &gx_type_list) {
        count = gx_as_list(a)->count;
        items = gx_as_list(a)->items;
    } else if (a.tag == GX_TUPLE) {
        count = gx_as_tuple(a)->count;
        items = gx_as_tuple(a)->items;
    } else {
        return gx_eval_index(f, n, out);
    }
    if (!quick_int(f, n->b, &i)) return gx_eval_index(f, n, out);
    if (i < 0) i += count;
    if (GX_UNLIKELY(i < 0 || i >= count)) return gx_eval_index(f, n, out);
    *out = gx_keep(items[i]);
    return true;
}

bool gx_eval_slice_quick(gx_frame *f, const gx_node *n, gx_value *out) {
    const gx_node *from = n->a, *low = n->b->a, *high = n->b->b;
    gx_value a =
        from->eval == gx_eval_local ? f->slots[from->slot] : f->globals->values[from->slot];
    int64_t start = 0, stop = INT64_MAX;
    if (a.tag != GX_ARRAY || gx_as_array(a)->ndim == 0 || a.obj->type->heap)
        return gx_eval_index(f, n, out);
    if ((low && !quick_int(f, low, &start)) || (high && !quick_int(f, high, &stop)))
        return gx_eval_index(f, n, out);
    return gx_array_part(f->rt, gx_as_array(a), start, stop, out) || gx_locate(f, n);
}

static bool is_local(const gx_node *n) {
    return n->eval == gx_eval_local;
}

static bool is_int(const gx_node *n) {
    return n->eval == gx_eval_constant && n->constant.tag == GX_INT;
}

static gx_eval_fn quick_binary(const gx_node *n) {
    bool constant = is_local(n->a) && n->b->eval == gx_eval_constant &&
                    (n->b->constant.tag == GX_INT || n->b->constant.tag == GX_FLOAT);
    bool locals = is_local(n->a) && is_local(n->b);
    if (!constant && !locals) return NULL;
    switch (n->op) {
    case GX_ADD: return constant ? gx_eval_add_const : gx_eval_add_locals;
    case GX_SUB: return constant ? gx_eval_sub_const : gx_eval_sub_locals;
    case GX_MUL: return constant ? gx_eval_mul_const : gx_eval_mul_locals;
    default: return NULL;
    }
}

/* A comparison of a local with a constant int, of the six orders? */
static bool compares_const(const gx_node *n) {
    return n->kind == GX_NODE_COMPARE && n->op <= GX_GE && is_local(n->a) && is_int(n->b);
}

/* May quick_int read it? */
static bool is_quick_int(const gx_node *n) {
    return is_local(n) || is_int(n) || n->eval == gx_eval_add_const || n->eval == gx_eval_sub_const;
}

/* x[i:j] of a variable? Reading it twice does no harm. */
static bool is_quick_slice(const gx_node *n) {
    const gx_node *s = n->b;
    return s->kind == GX_NODE_SLICE && !s->c && (!s->a || is_quick_int(s->a)) &&
           (!s->b || is_quick_int(s->b)) && (is_local(n->a) || n->a->eval == gx_eval_global);
}

void gx_quicken(gx_node *n) {
    gx_eval_fn fn;
    switch (n->kind) {
    case GX_NODE_ATTR:
        if (is_local(n->a)) n->eval = gx_eval_attr_local;
        return;
    case GX_NODE_INDEX:
        if (is_quick_slice(n)) n->eval = gx_eval_slice_quick;
        if (is_local(n->a) && is_quick_int(n->b)) n->eval = gx_eval_index_quick;
        return;
    case GX_NODE_BINARY:
        fn = quick_binary(n);
        if (fn) n->eval = fn;
        return;
    case GX_NODE_IFEXP:
        if (compares_const(n->a)) n->eval = gx_eval_ifexp_const;
        return;
    case GX_NODE_IF:
        if (compares_const(n->a)) n->exec = gx_exec_if_const;
        return;
    default: return;
    }
}
