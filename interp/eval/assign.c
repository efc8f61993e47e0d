/* Binding targets: names, attributes, subscripts, and unpacking. Invariant: a target that cannot be
   bound leaves the earlier ones of the same statement bound, as in Python. */
#include "interp/eval/evaluator.h"

#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"

gx_value *gx_name_place(gx_frame *f, const gx_node *name) {
    switch ((gx_scope)name->scope) {
    case GX_SCOPE_LOCAL:
    case GX_SCOPE_CLASS: return &f->slots[name->slot];
    case GX_SCOPE_BOXED: return &((gx_box *)f->slots[name->slot].obj)->value;
    case GX_SCOPE_FREE: return &f->boxes[name->slot]->value;
    case GX_SCOPE_NAMED:
    case GX_SCOPE_GLOBAL: break;
    }
    return &f->globals->values[name->slot];
}

void gx_unbind(gx_frame *f, const gx_node *name) {
    if (name->scope != GX_SCOPE_NAMED)
        gx_drop(gx_steal(gx_name_place(f, name)));
    else if (gx_name_remove(f, name) == GX_TRY_ERROR)
        gx_error_clear(f->rt); /* the table was too large to grow: nothing is lost */
}

static bool assign_attr(gx_frame *f, const gx_node *n, gx_borrowed v) {
    gx_value a;
    bool own;
    if (!gx_peek(f, n->a, &a, &own)) return false;
    bool ok = gx_store_attr(f, n, a, v);
    gx_release(a, own);
    return ok;
}

bool gx_assign_index(gx_frame *f, const gx_node *n, gx_borrowed v) {
    gx_value a, key;
    bool own_a, own_key;
    if (!gx_peek(f, n->a, &a, &own_a)) return false;
    if (!gx_peek(f, n->b, &key, &own_key)) {
        gx_release(a, own_a);
        return false;
    }
    bool ok = true;
    if (a.tag == GX_LIST && a.obj->type == &gx_type_list && key.tag == GX_INT && key.i >= 0 &&
        key.i < gx_as_list(a)->count) {
        gx_value *place = &gx_as_list(a)->items[key.i], old = *place;
        *place = gx_keep(v);
        gx_drop(old);
    } else if (a.tag == GX_DICT && a.obj->type == &gx_type_dict) {
        ok = gx_dict_set(f->rt, a, key, v) || gx_locate_part(f, n, n->a, a);
    } else {
        ok = gx_set_item(f->rt, a, key, v) || gx_locate_part(f, n, n->a, a);
    }
    gx_release(a, own_a);
    gx_release(key, own_key);
    return ok;
}

static int32_t find_star(const gx_node *n) {
    for (int32_t i = 0; i < n->n; i++)
        if (n->list[i]->kind == GX_NODE_STARRED) return i;
    return -1;
}

static bool too_few(gx_frame *f, const gx_node *n, int32_t star, int64_t got) {
    if (star >= 0)
        gx_fail(f->rt, GX_ValueError, "unpack.count",
                "not enough values to unpack (expected at least %d, got %lld)", n->n - 1,
                (long long)got);
    else
        gx_fail(f->rt, GX_ValueError, "unpack.count",
                "not enough values to unpack (expected %d, got %lld)", n->n, (long long)got);
    return gx_locate(f, n);
}

static bool too_many(gx_frame *f, const gx_node *n) {
    gx_fail(f->rt, GX_ValueError, "unpack.count", "too many values to unpack (expected %d)", n->n);
    return gx_locate(f, n);
}

/* Binds n's targets to items that somebody keeps alive. */
static bool assign_items(gx_frame *f, const gx_node *n, const gx_value *items, int64_t count) {
    int32_t star = find_star(n);
    if (star < 0 && count > n->n) return too_many(f, n);
    if (count < n->n - (star >= 0)) return too_few(f, n, star, count);
    int64_t rest = count - (n->n - 1), at = 0;
    for (int32_t i = 0; i < n->n; i++) {
        if (i != star) {
            if (!gx_assign(f, n->list[i], items[at++])) return false;
            continue;
        }
        gx_value list;
        if (!gx_list_new(f->rt, rest, items + at, &list)) return gx_locate(f, n);
        at += rest;
        if (!gx_assign_take(f, n->list[i]->a, list)) return false;
    }
    return true;
}

/* Takes from an iterator only as many items as there are targets, and one more. */
static bool collect(gx_frame *f, const gx_node *n, gx_borrowed v, gx_value *list) {
    gx_iteration l;
    gx_value item;
    bool more = true, open = find_star(n) >= 0;
    if (!gx_list_new(f->rt, 0, NULL, list)) return gx_locate(f, n);
    if (!gx_loop_over(f->rt, gx_keep(v), &l)) {
        if (f->rt->error.kind == GX_TypeError) {
            gx_error_clear(f->rt);
            gx_fail(f->rt, GX_TypeError, "unpack.type", "cannot unpack non-iterable %s object",
                    gx_type_name(v));
        }
        goto failed;
    }
    while (open || gx_as_list(*list)->count <= n->n) {
        if (!gx_interrupt_check(f->rt) || !gx_loop_next(f->rt, &l, &item, &more)) break;
        if (!more || !gx_list_push_take(f->rt, *list, item)) break;
    }
    gx_loop_end(&l);
    if (!gx_failed(&f->rt->error)) return true;
failed:
    gx_drop(*list);
    return gx_locate(f, n);
}

/* u, w = v with locals and as many items in a plain tuple or list: binding them runs no code that
   could change it. NO: the general way. */
static inline bool assign_locals(gx_frame *f, const gx_node *n, gx_borrowed v) {
    const gx_value *items;
    if (v.tag == GX_TUPLE && !v.obj->type->heap) {
        if (gx_as_tuple(v)->count != n->n) return false;
        items = gx_as_tuple(v)->items;
    } else if (v.tag == GX_LIST && v.obj->type == &gx_type_list) {
        if (gx_as_list(v)->count != n->n) return false;
        items = gx_as_list(v)->items;
    } else {
        return false;
    }
    gx_keep(v); /* one of the locals may hold it */
    for (int32_t i = 0; i < n->n; i++) {
        gx_value *place = &f->slots[n->list[i]->slot], old = *place;
        *place = gx_keep(items[i]);
        gx_drop(old);
    }
    gx_drop(v);
    return true;
}

static bool assign_sequence(gx_frame *f, const gx_node *n, gx_borrowed v) {
    const gx_value *items;
    gx_value list;
    if (n->op == GX_TARGETS_LOCAL && GX_LIKELY(assign_locals(f, n, v))) return true;
    if (!gx_stack_check(f->rt)) return gx_locate(f, n);
    if (v.tag == GX_TUPLE && gx_iterates_plainly(v)) {
        int64_t count = gx_sequence_items(v, &items);
        gx_keep(v);
        bool ok = assign_items(f, n, items, count);
        gx_drop(v);
        return ok;
    }
    if (!collect(f, n, v, &list)) return false;
    bool ok = assign_items(f, n, gx_as_list(list)->items, gx_as_list(list)->count);
    gx_drop(list);
    return ok;
}

bool gx_assign(gx_frame *f, const gx_node *target, gx_borrowed v) {
    switch (target->kind) {
    case GX_NODE_NAME: {
        if (GX_UNLIKELY(target->scope == GX_SCOPE_NAMED))
            return gx_name_set(f, target, v) || gx_locate(f, target);
        gx_value *place = gx_name_place(f, target), old = *place;
        *place = gx_keep(v);
        gx_drop(old);
        return true;
    }
    case GX_NODE_ATTR: return assign_attr(f, target, v);
    case GX_NODE_INDEX: return gx_assign_index(f, target, v);
    case GX_NODE_STARRED: return assign_sequence(f, target, v);
    default: return assign_sequence(f, target, v);
    }
}

bool gx_assign_take(gx_frame *f, const gx_node *target, gx_value v) {
    if (target->kind == GX_NODE_NAME && GX_LIKELY(target->scope != GX_SCOPE_NAMED)) {
        gx_value *place = gx_name_place(f, target), old = *place;
        *place = v;
        gx_drop(old);
        return true;
    }
    bool ok = gx_assign(f, target, v);
    gx_drop(v);
    return ok;
}

int gx_exec_assign_parts(gx_frame *f, const gx_node *n) {
    const gx_node *from = n->a, *to = n->list[0];
    gx_interp *vm = f->vm;
    gx_value *base = vm->top;
    int32_t made = 0, used = 0;
    if (!gx_stack_room(vm, f->rt, base, from->n)) {
        gx_locate(f, n);
        return GX_FLOW_ERROR;
    }
    for (gx_value v; made < from->n && gx_eval(f, from->list[made], &v); vm->top = base + made)
        base[made++] = v;
    bool ok = made == from->n;
    while (ok && used < made) {
        ok = gx_assign_take(f, to->list[used], base[used]);
        used++;
    }
    while (made > used) gx_drop(base[--made]);
    vm->top = base;
    return ok ? GX_FLOW_NEXT : GX_FLOW_ERROR;
}
