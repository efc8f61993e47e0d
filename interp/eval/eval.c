/* Evaluators of names, constants, displays, subscripts and attributes. Each writes *out last and
   stamps a failure with its own node unless an inner node has done so. */
#include "interp/eval/evaluator.h"

#include <string.h>

#include "runtime/object/class/class.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/number/number.h"
#include "runtime/object/object.h"
#include "runtime/object/text/str.h"
#include "stdlib/stdlib.h"

bool gx_eval_constant(gx_frame *f, const gx_node *n, gx_value *out) {
    (void)f;
    *out = gx_keep(n->constant);
    return true;
}

bool gx_eval_local(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value v = f->slots[n->slot];
    if (GX_UNLIKELY(v.tag == GX_UNDEF)) return gx_locate_name(f, n);
    *out = gx_keep(v);
    return true;
}

/* A global that the module does not bind is a builtin; the answer is kept in the node, since
   builtins never change. */
static __attribute__((noinline)) bool find_builtin(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value v;
    gx_try found = gx_builtin(f->rt, n->name, &v);
    if (found == GX_TRY_ERROR) return gx_locate(f, n);
    if (found == GX_TRY_NO) return gx_locate_name(f, n);
    ((gx_node *)(uintptr_t)n)->constant = gx_keep(v);
    *out = v;
    return true;
}

static inline bool eval_builtin(gx_frame *f, const gx_node *n, gx_value *out) {
    if (GX_UNLIKELY(n->constant.tag == GX_UNDEF)) return find_builtin(f, n, out);
    *out = gx_keep(n->constant);
    return true;
}

bool gx_eval_global(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value v = f->globals->values[n->slot];
    if (v.tag == GX_UNDEF) return eval_builtin(f, n, out);
    *out = gx_keep(v);
    return true;
}

static bool eval_named(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_try found = gx_name_get(f, n, out);
    if (found == GX_TRY_NO) return gx_locate_name(f, n);
    return found == GX_TRY_YES || gx_locate(f, n);
}

/* Names of any scope; link.c gives locals and globals evaluators of their own. */
bool gx_eval_name(gx_frame *f, const gx_node *n, gx_value *out) {
    if (n->scope == GX_SCOPE_GLOBAL) return gx_eval_global(f, n, out);
    if (n->scope == GX_SCOPE_NAMED) return eval_named(f, n, out);
    gx_value v = *gx_name_place(f, n);
    if (v.tag == GX_BOX) v = ((gx_box *)v.obj)->value; /* a class body's __class__ */
    if (v.tag == GX_UNDEF && n->scope == GX_SCOPE_CLASS) {
        if (n->constant.tag == GX_STR) return eval_named(f, n, out);
        v = f->globals->values[n->length];
        if (v.tag == GX_UNDEF) return eval_builtin(f, n, out);
    }
    if (v.tag == GX_UNDEF) return gx_locate_name(f, n);
    *out = gx_keep(v);
    return true;
}

/* Appends everything that *a yields to a list. */
static bool extend(gx_frame *f, gx_borrowed list, const gx_node *star) {
    gx_iteration l;
    gx_value item, over;
    bool more;
    if (!gx_eval(f, star->a, &over)) return false;
    if (!gx_loop_over(f->rt, gx_keep(over), &l)) {
        gx_drop(over);
        gx_suggest_range(f, star->a);
        return gx_locate(f, star->a);
    }
    bool heard = gx_length_heard(f->rt, over);
    gx_drop(over);
    while (heard) {
        if (!gx_loop_next(f->rt, &l, &item, &more)) break;
        if (!more) {
            gx_loop_end(&l);
            return true;
        }
        if (!gx_list_push_take(f->rt, list, item)) break;
    }
    gx_loop_end(&l);
    return gx_locate(f, star);
}

static bool fill_list(gx_frame *f, const gx_node *n, gx_borrowed list) {
    for (int32_t i = 0; i < n->n; i++) {
        const gx_node *item = n->list[i];
        gx_value v;
        if (item->kind == GX_NODE_STARRED) {
            if (!extend(f, list, item)) return false;
        } else {
            if (!gx_eval(f, item, &v)) return false;
            if (!gx_list_push_take(f->rt, list, v)) return gx_locate(f, n);
        }
    }
    return true;
}

bool gx_eval_list(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value list;
    if (!gx_stack_check(f->rt)) return gx_locate(f, n);
    if (!gx_list_new(f->rt, 0, NULL, &list)) return gx_locate(f, n);
    if (!gx_list_reserve(f->rt, gx_as_list(list), n->n)) {
        gx_drop(list);
        return gx_locate(f, n);
    }
    if (!fill_list(f, n, list)) {
        gx_drop(list);
        return false;
    }
    *out = list;
    return true;
}

static bool has_star(const gx_node *n) {
    for (int32_t i = 0; i < n->n; i++)
        if (n->list[i]->kind == GX_NODE_STARRED) return true;
    return false;
}

/* Evaluates the items onto the value stack; on success they stand at *items. */
static bool eval_items(gx_frame *f, const gx_node *n, gx_value **items) {
    gx_interp *vm = f->vm;
    gx_value *base = vm->top;
    if (!gx_stack_room(vm, f->rt, base, n->n)) return gx_locate(f, n);
    for (int32_t i = 0; i < n->n; i++) {
        gx_value v;
        vm->top = base + i;
        if (!gx_eval_key(f, n->list[i], &v)) {
            while (i > 0) gx_drop(base[--i]);
            vm->top = base;
            return false;
        }
        base[i] = v;
    }
    vm->top = base;
    *items = base;
    return true;
}

bool gx_eval_tuple(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value list, *items = NULL;
    if (!gx_stack_check(f->rt)) return gx_locate(f, n);
    if (!has_star(n)) {
        if (!eval_items(f, n, &items)) return false;
        return gx_tuple_take(f->rt, n->n, items, out) || gx_locate(f, n);
    }
    if (!gx_eval_list(f, n, &list)) return false;
    bool ok = gx_tuple_of(f->rt, list, out);
    gx_drop(list);
    return ok || gx_locate(f, n);
}

static bool fill_set(gx_frame *f, const gx_node *n, gx_borrowed set) {
    for (int32_t i = 0; i < n->n; i++) {
        const gx_node *item = n->list[i];
        gx_iteration l = {0};
        gx_value v;
        bool more = true;
        if (item->kind != GX_NODE_STARRED) {
            if (!gx_eval(f, item, &v)) return false;
            bool ok = gx_set_add(f->rt, set, v);
            gx_drop(v);
            if (!ok) return gx_locate(f, item);
            continue;
        }
        if (!gx_loop_start(f, item->a, &l)) return false;
        while (gx_loop_next(f->rt, &l, &v, &more) && more) {
            bool ok = gx_set_add(f->rt, set, v);
            gx_drop(v);
            if (!ok) break;
        }
        gx_loop_end(&l);
        if (gx_failed(&f->rt->error)) return gx_locate(f, item);
    }
    return true;
}

bool gx_eval_set(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value set;
    if (!gx_stack_check(f->rt)) return gx_locate(f, n);
    if (!gx_set_new(f->rt, false, &set)) return gx_locate(f, n);
    bool constant = n->constant.tag == GX_SET; /* of constants alone: link.c has made one */
    if (constant ? !gx_set_update(f->rt, set, n->constant) : !fill_set(f, n, set)) {
        if (constant) gx_locate(f, n);
        gx_drop(set);
        return false;
    }
    *out = set;
    return true;
}

bool gx_as_mapping(gx_rt *rt, gx_value *v) {
    gx_value keys, dict;
    gx_sym name = gx_sym_c(rt, "keys");
    if (v->tag == GX_DICT && gx_iterates_plainly(*v)) return true;
    gx_try has = name ? gx_try_attr(rt, *v, name, &keys) : GX_TRY_ERROR;
    if (has != GX_TRY_YES) return has == GX_TRY_NO;
    gx_drop(keys);
    if (!gx_call_value(rt, gx_type_value(&gx_type_dict), 1, v, 0, NULL, &dict)) return false;
    gx_drop(*v);
    *v = dict;
    return true;
}

/* {**a}: copies the items of a mapping. */
static bool update(gx_frame *f, gx_borrowed dict, const gx_node *n) {
    gx_value other;
    if (!gx_eval(f, n, &other)) return false;
    if (!gx_as_mapping(f->rt, &other)) {
        gx_drop(other);
        return gx_locate(f, n);
    }
    bool ok = other.tag == GX_DICT;
    if (!ok)
        gx_fail(f->rt, GX_TypeError, "dict.unpack", "'%s' object is not a mapping",
                gx_type_name(other));
    int64_t at = 0;
    gx_entry *e;
    while (ok && (e = gx_dict_next(gx_as_dict(other), &at)))
        ok = gx_dict_set(f->rt, dict, e->key, e->value);
    gx_drop(other);
    return ok || gx_locate(f, n);
}

static bool fill_dict(gx_frame *f, const gx_node *n, gx_borrowed dict) {
    for (int32_t i = 0; i < n->n; i += 2) {
        gx_value key, value;
        if (!n->list[i]) {
            if (!update(f, dict, n->list[i + 1])) return false;
            continue;
        }
        if (!gx_eval(f, n->list[i], &key)) return false;
        if (!gx_eval(f, n->list[i + 1], &value)) {
            gx_drop(key);
            return false;
        }
        bool ok = gx_dict_set(f->rt, dict, key, value);
        gx_drop(key);
        gx_drop(value);
        if (!ok) return gx_locate(f, n->list[i]);
    }
    return true;
}

bool gx_eval_dict(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value dict;
    if (!gx_stack_check(f->rt)) return gx_locate(f, n);
    if (!gx_dict_new(f->rt, &dict)) return gx_locate(f, n);
    if (!fill_dict(f, n, dict)) {
        gx_drop(dict);
        return false;
    }
    *out = dict;
    return true;
}

/* Modules, classes and properties, without asking what else the name could mean. NO: the general
   way tells. */
static gx_try read_quick(gx_frame *f, const gx_node *n, gx_borrowed a, gx_value *out) {
    gx_rt *rt = f->rt;
    if (a.tag == GX_MODULE) return gx_module_get(rt, gx_as_module(a), n->name, out);
    if (gx_is_class(a)) return gx_class_get_quick(rt, a, n->name, out) ? GX_TRY_YES : GX_TRY_NO;
    if (!gx_is_instance(a)) return GX_TRY_NO;
    gx_value getter = gx_instance_getter(rt, a, n->name);
    if (getter.tag != GX_FUNC) return GX_TRY_NO;
    bool ok = gx_func_call(rt, gx_as_func(getter), 1, &a, 0, NULL, NULL, out);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

bool gx_read_other(gx_frame *f, const gx_node *n, gx_borrowed a, gx_value *out) {
    if (gx_is_instance(a) && gx_instance_get_quick(f->rt, a, n->name, n->memo, out)) return true;
    gx_try done = read_quick(f, n, a, out);
    if (done == GX_TRY_NO && gx_get_attr(f->rt, a, n->name, out)) return true;
    return done == GX_TRY_YES || gx_locate_at(f, n->op_at);
}

bool gx_store_other(gx_frame *f, const gx_node *n, gx_borrowed a, gx_borrowed v) {
    return (gx_is_instance(a) && gx_instance_set_quick(f->rt, a, n->name, n->memo, v)) ||
           gx_set_attr(f->rt, a, n->name, v) || gx_locate_at(f, n->op_at);
}

/* As most attributes are read: a field of a local. */
bool gx_eval_attr_local(gx_frame *f, const gx_node *n, gx_value *out) {
    const gx_value a = f->slots[n->a->slot];
    const gx_value *place = gx_is_object(a) ? gx_memo_field(f->rt, n->memo, a) : NULL;
    if (!place) return gx_eval_attr(f, n, out);
    *out = gx_keep(*place);
    return true;
}

bool gx_eval_attr(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value a, r;
    bool own;
    if (GX_UNLIKELY(!gx_stack_ok(f->rt)) && !gx_stack_check(f->rt)) return gx_locate(f, n);
    if (!gx_peek(f, n->a, &a, &own)) return false;
    bool ok = gx_read_attr(f, n, a, &r);
    gx_release(a, own);
    if (ok) *out = r;
    return ok;
}

static bool slice_part(gx_frame *f, const gx_node *n, gx_value *out) {
    if (n) return gx_eval(f, n, out);
    *out = gx_none();
    return true;
}

/* A slice of plain values. Mostly nobody keeps it: then the next one is made in its place. */
static bool plain_slice(gx_frame *f, const gx_value v[3], gx_value *out) {
    gx_value *spare = &f->vm->slice;
    gx_slice *s = (gx_slice *)spare->obj;
    if (spare->tag == GX_SLICE && s->head.obj.refs == 1) {
        s->start = v[0];
        s->stop = v[1];
        s->step = v[2];
        *out = gx_keep(*spare);
        return true;
    }
    if (!gx_slice_new(f->rt, v[0], v[1], v[2], out)) return false;
    gx_value old = *spare;
    *spare = gx_keep(*out);
    gx_drop(old);
    return true;
}

bool gx_eval_slice(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value v[3];
    const gx_node *part[3] = {n->a, n->b, n->c};
    int i = 0;
    bool plain = true;
    for (; i < 3 && slice_part(f, part[i], &v[i]); i++) plain = plain && !gx_is_object(v[i]);
    bool ok = i == 3 && ((plain ? plain_slice(f, v, out)
                                : gx_slice_new(f->rt, v[0], v[1], v[2], out)) ||
                         gx_locate(f, n));
    while (i > 0) gx_drop(v[--i]);
    return ok;
}

bool gx_eval_key(gx_frame *f, const gx_node *n, gx_value *out) {
    return gx_eval(f, n, out);
}

/* list[int] and dict[key] without a call through the type. */
static inline bool index_fast(gx_value a, gx_value key, gx_value *out) {
    if (key.tag != GX_INT) return false;
    int64_t i = key.i, count;
    const gx_value *items;
    if (a.tag == GX_LIST && a.obj->type == &gx_type_list) {
        count = gx_as_list(a)->count;
        items = gx_as_list(a)->items;
    } else if (a.tag == GX_TUPLE) {
        count = gx_as_tuple(a)->count;
        items = gx_as_tuple(a)->items;
    } else {
        return false;
    }
    if (i < 0) i += count;
    if (i < 0 || i >= count) return false;
    *out = gx_keep(items[i]);
    return true;
}

/* A dict's value without a call through its type; NO: the general way says what is wrong. */
static inline gx_try index_dict(gx_frame *f, gx_value a, gx_value key, gx_value *out) {
    if (a.tag != GX_DICT || a.obj->type != &gx_type_dict) return GX_TRY_NO;
    return gx_dict_find(f->rt, a, key, out);
}

/* A letter of a text in ASCII, likewise. */
static gx_try index_text(gx_frame *f, gx_value a, gx_value key, gx_value *out) {
    const gx_str *s = gx_as_str(a);
    if (key.tag != GX_INT || a.obj->type->heap || !gx_str_ascii(s)) return GX_TRY_NO;
    int64_t i = key.i < 0 ? key.i + (int64_t)s->length : key.i;
    if (i < 0 || i >= (int64_t)s->length) return GX_TRY_NO;
    return gx_str_new(f->rt, s->text + i, 1, out) ? GX_TRY_YES : GX_TRY_ERROR;
}

bool gx_eval_index(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value a, key, r;
    bool own_a, own_key, ok = true;
    if (GX_UNLIKELY(!gx_stack_ok(f->rt)) && !gx_stack_check(f->rt)) return gx_locate(f, n);
    if (!gx_peek(f, n->a, &a, &own_a)) return false;
    if (!gx_peek(f, n->b, &key, &own_key)) {
        gx_release(a, own_a);
        return false;
    }
    if (!index_fast(a, key, &r)) {
        gx_try found = a.tag == GX_STR ? index_text(f, a, key, &r) : index_dict(f, a, key, &r);
        ok = found == GX_TRY_YES || (found == GX_TRY_NO && gx_get_item(f->rt, a, key, &r));
        if (!ok) gx_locate_part(f, n, n->a, a);
        if (GX_UNLIKELY(f->rt->gpu != NULL) && ok && a.tag == GX_ARRAY && r.tag != GX_ARRAY)
            gx_element_read(f, n, a);
    }
    gx_release(a, own_a);
    gx_release(key, own_key);
    if (ok) *out = r;
    return ok;
}
