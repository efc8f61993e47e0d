/* Loops over anything, and comprehensions. Lists, tuples and ranges are walked by index, without an
   iterator object; a list that grows while it is walked is seen, as in Python. */
#include "interp/eval/evaluator.h"

#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str.h"

bool gx_loop_over(gx_rt *rt, gx_value v, gx_iteration *l) {
    l->at = 0;
    bool own_iter = gx_is_object(v) && v.obj->type->heap && v.obj->type->iter;
    if (!own_iter &&
        (v.tag == GX_RANGE || v.tag == GX_LIST || v.tag == GX_TUPLE || v.tag == GX_STR)) {
        l->over = v;
        return true;
    }
    gx_value it;
    bool ok = gx_iter(rt, v, &it);
    gx_drop(v);
    if (ok) l->over = it;
    return ok;
}

bool gx_loop_start(gx_frame *f, const gx_node *iterable, gx_iteration *l) {
    gx_value v;
    if (!gx_eval(f, iterable, &v)) return false;
    if (GX_LIKELY(gx_loop_over(f->rt, v, l))) return true;
    gx_suggest_range(f, iterable);
    return gx_locate(f, iterable);
}

/* The next code point of a text as a str; `at` counts bytes. */
static bool next_char(gx_rt *rt, gx_iteration *l, gx_value *out, bool *more) {
    const gx_str *s = gx_as_str(l->over);
    int bytes = 1;
    *more = (size_t)l->at < s->length;
    if (!*more) return true;
    const char *p = s->text + l->at;
    if ((unsigned char)*p >= 0x80) gx_utf8_decode(p, &bytes);
    l->at += bytes;
    return gx_str_new(rt, p, (size_t)bytes, out);
}

bool gx_loop_next(gx_rt *rt, gx_iteration *l, gx_value *out, bool *more) {
    const gx_value *items;
    int64_t count;
    switch (l->over.tag) {
    case GX_RANGE: {
        const gx_range *r = (const gx_range *)l->over.obj;
        *more = l->at < r->count;
        if (*more)
            *out = gx_int((int64_t)((uint64_t)r->start + (uint64_t)l->at++ * (uint64_t)r->step));
        return true;
    }
    case GX_LIST:
        items = gx_as_list(l->over)->items;
        count = gx_as_list(l->over)->count;
        break;
    case GX_TUPLE:
        items = gx_as_tuple(l->over)->items;
        count = gx_as_tuple(l->over)->count;
        break;
    case GX_STR: return next_char(rt, l, out, more);
    default: return gx_next(rt, l->over, out, more);
    }
    *more = l->at < count;
    if (*more) *out = gx_keep(items[l->at++]);
    return true;
}

bool gx_reset_slots(gx_frame *f, const gx_node *n, bool start) {
    for (size_t i = 0; i < n->length; i++) {
        gx_value *slot = &f->slots[n->slot + (int32_t)i];
        gx_drop(gx_steal(slot));
        if (start && n->boxed && n->boxed[i] && !gx_box_new(f->rt, gx_undef(), slot)) return false;
    }
    return true;
}

static bool emit(gx_frame *f, const gx_node *n, gx_borrowed into) {
    gx_value v, key;
    if (n->kind == GX_NODE_LISTCOMP) {
        if (!gx_eval(f, n->a, &v)) return false;
        gx_list *list = gx_as_list(into);
        if (GX_LIKELY(list->count < list->room)) {
            list->items[list->count++] = v;
            return true;
        }
        return gx_list_push_take(f->rt, into, v) || gx_locate(f, n);
    }
    if (!gx_eval(f, n->a, &key)) return false;
    bool ok;
    if (n->kind == GX_NODE_SETCOMP) {
        ok = gx_set_add(f->rt, into, key) || gx_locate(f, n->a);
    } else {
        ok = gx_eval(f, n->b, &v);
        if (ok) {
            ok = gx_dict_set(f->rt, into, key, v) || gx_locate(f, n->a);
            gx_drop(v);
        }
    }
    gx_drop(key);
    return ok;
}

static bool poll_failed(gx_frame *f, const gx_node *n) {
    gx_stop(f->rt);
    return gx_locate(f, n);
}

/* Are all conditions of a clause true? */
static bool passes(gx_frame *f, const gx_node *clause, bool *yes) {
    *yes = true;
    for (int32_t i = 0; *yes && i < clause->n; i++)
        if (!gx_test(f, clause->list[i], yes)) return false;
    return true;
}

static bool run_clause(gx_frame *f, const gx_node *n, int32_t level, gx_borrowed into) {
    const gx_node *clause = n->list[level];
    gx_iteration l;
    gx_value v;
    bool more, yes, ok = false;
    if (!gx_stack_check(f->rt)) return gx_locate(f, n);
    if (!gx_loop_start(f, clause->b, &l)) return false;
    for (;;) {
        if (gx_must_stop(f->rt)) {
            poll_failed(f, clause);
            break;
        }
        if (!gx_loop_next(f->rt, &l, &v, &more)) {
            gx_locate(f, clause->b);
            break;
        }
        if (!more) {
            ok = true;
            break;
        }
        if (!gx_assign_take(f, clause->a, v)) break;
        if (clause->n) {
            if (!passes(f, clause, &yes)) break;
            if (!yes) continue;
        }
        if (level + 1 < n->n ? !run_clause(f, n, level + 1, into) : !emit(f, n, into)) break;
    }
    gx_loop_end(&l);
    return ok;
}

static bool run_comp(gx_frame *f, const gx_node *n, gx_value into, gx_value *out) {
    bool ok = (gx_reset_slots(f, n, true) || gx_locate(f, n)) && run_clause(f, n, 0, into);
    if (!gx_reset_slots(f, n, false)) ok = false;
    if (ok)
        *out = into;
    else
        gx_drop(into);
    return ok;
}

bool gx_eval_listcomp(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value into;
    if (!gx_list_new(f->rt, 0, NULL, &into)) return gx_locate(f, n);
    return run_comp(f, n, into, out);
}

bool gx_eval_setcomp(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value into;
    if (!gx_set_new(f->rt, false, &into)) return gx_locate(f, n);
    return run_comp(f, n, into, out);
}

bool gx_eval_dictcomp(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value into;
    if (!gx_dict_new(f->rt, &into)) return gx_locate(f, n);
    return run_comp(f, n, into, out);
}
