/* Statements: blocks, assignments, conditions, loops' plain companions, def, return, assert, del.
   An executor returns a gx_flow. rt->here names the statement that runs, for warnings. */
#include "interp/eval/record.h"

#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/object.h"
#include "runtime/object/operators.h"
#include "runtime/op/ufunc.h"

/* Operations that may fail by their data are checked before a handler loses sight of them, and what
   a slot left pending is told while it is known where. */
static __attribute__((noinline)) int checkpoint(gx_frame *f, const gx_node *n) {
    if (gx_error_settle(f->rt, true, "a statement") && gx_lazy_checkpoint(f->rt))
        return GX_FLOW_NEXT;
    gx_locate(f, n);
    return GX_FLOW_ERROR;
}

static inline int block_(gx_frame *f, const gx_node *n, bool resumes) {
    gx_node *const *list = n->list;
    gx_record *s = NULL;
    if (resumes && !(s = gx_record_enter(f))) return GX_FLOW_ERROR;
    for (int32_t i = s ? s->at : 0; i < n->n; i++) {
        const gx_node *part = list[i];
        if (s) s->at = i;
        f->rt->here = part->at;
        int flow = part->exec(f, part);
        if (GX_UNLIKELY(flow != GX_FLOW_NEXT)) {
            if (flow == GX_FLOW_ERROR) gx_locate(f, part);
            return gx_record_leave(f, s, flow);
        }
        if (GX_UNLIKELY(f->rt->dying)) gx_last_words(f->rt);
        if (GX_UNLIKELY(f->guards) && checkpoint(f, part))
            return gx_record_leave(f, s, GX_FLOW_ERROR);
    }
    return gx_record_leave(f, s, GX_FLOW_NEXT);
}
GX_COMPOUND(block)

int gx_exec_expr(gx_frame *f, const gx_node *n) {
    gx_value v;
    if (!gx_eval(f, n->a, &v)) return GX_FLOW_ERROR;
    if (GX_UNLIKELY(f->echo)) {
        gx_drop(f->result);
        f->result = v;
        return gx_echo(f) ? GX_FLOW_NEXT : GX_FLOW_ERROR;
    }
    gx_drop(v);
    return GX_FLOW_NEXT;
}

int gx_exec_assign_local(gx_frame *f, const gx_node *n) {
    gx_value v;
    if (!gx_eval(f, n->a, &v)) return GX_FLOW_ERROR;
    gx_value *place = &f->slots[n->list[0]->slot], old = *place;
    *place = v;
    gx_drop(old);
    return GX_FLOW_NEXT;
}

/* xs[i] = v for locals xs and i, a list and an int in range; false: the general way. */
static inline bool store_fast(gx_frame *f, const gx_node *target, gx_value v) {
    const gx_node *na = target->a, *nb = target->b;
    if (na->eval != gx_eval_local || nb->eval != gx_eval_local) return false;
    gx_value a = f->slots[na->slot], key = f->slots[nb->slot];
    if (a.tag != GX_LIST || key.tag != GX_INT || a.obj->type != &gx_type_list) return false;
    gx_list *list = gx_as_list(a);
    if ((uint64_t)key.i >= (uint64_t)list->count) return false;
    gx_value *place = &list->items[key.i], old = *place;
    *place = gx_keep(v);
    gx_drop(old);
    return true;
}

int gx_exec_assign_index(gx_frame *f, const gx_node *n) {
    gx_value v;
    bool own;
    if (!gx_peek(f, n->a, &v, &own)) return GX_FLOW_ERROR;
    if (GX_LIKELY(store_fast(f, n->list[0], v))) {
        gx_release(v, own);
        return GX_FLOW_NEXT;
    }
    bool ok = gx_assign_index(f, n->list[0], v);
    gx_release(v, own);
    return ok ? GX_FLOW_NEXT : GX_FLOW_ERROR;
}

int gx_exec_assign_attr(gx_frame *f, const gx_node *n) {
    const gx_node *target = n->list[0];
    gx_value v, a;
    bool own_v, own_a;
    if (!gx_peek(f, n->a, &v, &own_v)) return GX_FLOW_ERROR;
    bool ok = gx_peek(f, target->a, &a, &own_a);
    if (ok) {
        ok = gx_store_attr(f, target, a, v);
        gx_release(a, own_a);
    }
    gx_release(v, own_v);
    return ok ? GX_FLOW_NEXT : GX_FLOW_ERROR;
}

int gx_exec_assign(gx_frame *f, const gx_node *n) {
    gx_value v;
    if (!gx_eval(f, n->a, &v)) return GX_FLOW_ERROR;
    if (n->n == 1) return gx_assign_take(f, n->list[0], v) ? GX_FLOW_NEXT : GX_FLOW_ERROR;
    bool ok = true;
    for (int32_t i = 0; ok && i < n->n; i++) ok = gx_assign(f, n->list[i], v);
    gx_drop(v);
    return ok ? GX_FLOW_NEXT : GX_FLOW_ERROR;
}

static inline int if_(gx_frame *f, const gx_node *n, bool resumes) {
    gx_record *s = NULL;
    bool yes = false;
    if (resumes && !(s = gx_record_enter(f))) return GX_FLOW_ERROR;
    if (s && s->node) return gx_record_leave(f, s, gx_exec(f, s->node));
    while (!yes && n->kind == GX_NODE_IF) {
        if (!gx_test(f, n->a, &yes)) return gx_record_leave(f, s, GX_FLOW_ERROR);
        n = yes ? n->b : n->c;
        if (!n) return gx_record_leave(f, s, GX_FLOW_NEXT);
    }
    if (s) s->node = n;
    return gx_record_leave(f, s, gx_exec(f, n));
}
GX_COMPOUND(if)

int gx_exec_def(gx_frame *f, const gx_node *n) {
    gx_value fn;
    if (n->n || n->c) return gx_exec_decorated(f, n, n->c ? gx_make_generic : gx_func_new);
    if (!gx_func_new(f, n, &fn)) return GX_FLOW_ERROR;
    return gx_assign_take(f, n->a, fn) ? GX_FLOW_NEXT : GX_FLOW_ERROR;
}

int gx_exec_return(gx_frame *f, const gx_node *n) {
    gx_value v = gx_none();
    if (n->a && !gx_eval(f, n->a, &v)) return GX_FLOW_ERROR;
    gx_drop(f->result);
    f->result = v;
    return GX_FLOW_RETURN;
}

int gx_exec_break(gx_frame *f, const gx_node *n) {
    (void)f;
    (void)n;
    return GX_FLOW_BREAK;
}

int gx_exec_continue(gx_frame *f, const gx_node *n) {
    (void)f;
    (void)n;
    return GX_FLOW_CONTINUE;
}

int gx_exec_pass(gx_frame *f, const gx_node *n) {
    (void)f;
    (void)n;
    return GX_FLOW_NEXT;
}

int gx_exec_assert(gx_frame *f, const gx_node *n) {
    bool yes;
    gx_value v;
    if (!gx_test(f, n->a, &yes)) return GX_FLOW_ERROR;
    if (yes) return GX_FLOW_NEXT;
    if (!n->b) {
        gx_fail(f->rt, GX_AssertionError, "", "%s", "");
        gx_locate(f, n->a);
        return GX_FLOW_ERROR;
    }
    if (!gx_eval(f, n->b, &v)) return GX_FLOW_ERROR;
    gx_raise_with(f->rt, GX_AssertionError, v);
    gx_drop(v);
    gx_locate(f, n->a);
    return GX_FLOW_ERROR;
}

static bool delete_one(gx_frame *f, const gx_node *n) {
    gx_value a, key;
    bool own_a, own_key, ok = true;
    switch (n->kind) {
    case GX_NODE_NAME: {
        if (n->scope == GX_SCOPE_NAMED) {
            gx_try gone = gx_name_remove(f, n);
            if (gone == GX_TRY_NO) return gx_locate_name(f, n);
            return gone == GX_TRY_YES || gx_locate(f, n);
        }
        gx_value *place = gx_name_place(f, n);
        if (place->tag == GX_UNDEF) return gx_locate_name(f, n);
        gx_drop(gx_steal(place));
        return true;
    }
    case GX_NODE_ATTR:
        if (!gx_peek(f, n->a, &a, &own_a)) return false;
        ok = gx_set_attr(f->rt, a, n->name, gx_undef()) || gx_locate_at(f, n->op_at);
        gx_release(a, own_a);
        return ok;
    case GX_NODE_INDEX:
        if (!gx_peek(f, n->a, &a, &own_a)) return false;
        ok = gx_peek(f, n->b, &key, &own_key);
        if (ok) {
            ok = gx_del_item(f->rt, a, key) || gx_locate_part(f, n, n->a, a);
            gx_release(key, own_key);
        }
        gx_release(a, own_a);
        return ok;
    default:
        for (int32_t i = 0; ok && i < n->n; i++) ok = delete_one(f, n->list[i]);
        return ok;
    }
}

int gx_exec_del(gx_frame *f, const gx_node *n) {
    for (int32_t i = 0; i < n->n; i++)
        if (!delete_one(f, n->list[i])) return GX_FLOW_ERROR;
    return GX_FLOW_NEXT;
}
