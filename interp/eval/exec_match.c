/* match statements: the first case whose pattern and guard hold is run. The names of a pattern are
   bound when the whole pattern has fitted, before the guard is asked. */
#include "interp/eval/record.h"

#include <string.h>

#include "runtime/object/class/class.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/operators.h"
#include "runtime/object/text/str.h"

/* What the pattern that is tried would bind so far. */
enum { NEAR = 6 };
typedef struct captures {
    gx_frame *f;
    gx_rt *rt;
    struct captured {
        const gx_node *name;
        gx_value value;
    } near[NEAR], *list; /* NULL: near */
    int64_t count, room; /* room of list */
} captures;

static gx_try fits(captures *f, const gx_node *p, gx_borrowed v);

static inline struct captured *captured(captures *f) {
    return f->list ? f->list : f->near;
}

static gx_try answer(bool ok, bool yes) {
    return !ok ? GX_TRY_ERROR : yes ? GX_TRY_YES : GX_TRY_NO;
}

/* More names than near has room for. */
static bool capture_far(captures *f) {
    if (f->list && f->count < f->room) return true;
    const int64_t room = f->count * 2;
    struct captured *list = gx_realloc(f->rt, f->list, (size_t)room * sizeof *list);
    if (!list) return false;
    if (!f->list) memcpy(list, f->near, sizeof f->near);
    f->list = list;
    f->room = room;
    return true;
}

static gx_try capture_take(captures *f, const gx_node *name, gx_value v) {
    if (f->count >= NEAR && !capture_far(f)) {
        gx_drop(v);
        return GX_TRY_ERROR;
    }
    captured(f)[f->count++] = (struct captured){name, v};
    return GX_TRY_YES;
}

static gx_try capture(captures *f, const gx_node *name, gx_borrowed v) {
    return name ? capture_take(f, name, gx_keep(v)) : GX_TRY_YES;
}

/* Forgets what was captured after the first `count`. */
static void forget(captures *f, int64_t count) {
    while (f->count > count) gx_drop(captured(f)[--f->count].value);
}

/* Binds the names; an assignment runs no code of a script. */
static bool bind(captures *f) {
    for (int64_t i = 0; i < f->count; i++)
        if (!gx_assign(f->f, captured(f)[i].name, captured(f)[i].value)) return false;
    forget(f, 0);
    return true;
}

static gx_try fits_value(captures *f, const gx_node *p, gx_borrowed v) {
    gx_value want, r;
    bool yes = false;
    if (!gx_eval(f->f, p->a, &want)) return GX_TRY_ERROR;
    if (v.tag == GX_INT && want.tag == GX_INT) return answer(true, v.i == want.i);
    gx_cmpop op = p->op == GX_PATTERN_IS ? GX_IS : GX_EQ;
    bool ok = gx_compare(f->rt, op, v, want, &r);
    gx_drop(want);
    if (!ok) return GX_TRY_ERROR;
    ok = gx_truth(f->rt, r, &yes);
    gx_drop(r);
    return answer(ok, yes);
}

/* Does it count as a sequence (text does not)? */
static bool is_sequence(gx_borrowed v) {
    if (v.tag == GX_OBJECT && !gx_is_instance(v)) return strstr(gx_type_name(v), "deque") != NULL;
    return v.tag == GX_LIST || v.tag == GX_TUPLE || v.tag == GX_RANGE || v.tag == GX_ARRAY;
}

/* Items from `from` on, as a new list: what *rest takes. */
static bool many_items(gx_rt *rt, gx_borrowed v, int64_t from, int64_t count, gx_value *out) {
    gx_value list, item;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    for (int64_t i = 0; i < count; i++) {
        if (gx_interrupt_check(rt) && gx_get_item(rt, v, gx_int(from + i), &item) &&
            gx_list_push_take(rt, list, item))
            continue;
        gx_drop(list);
        return false;
    }
    *out = list;
    return true;
}

/* Items are fetched one by one: of a long range only those that the pattern names. */
static gx_try fits_list(captures *f, const gx_node *p, gx_borrowed v) {
    gx_value item;
    int32_t star = -1;
    int64_t count;
    gx_try r = GX_TRY_YES;
    if (!is_sequence(v)) return GX_TRY_NO;
    if (!gx_length(f->rt, v, &count)) return GX_TRY_ERROR;
    for (int32_t i = 0; i < p->n; i++)
        if (p->list[i]->op == GX_PATTERN_REST) star = i;
    if (star < 0 ? count != p->n : count < p->n - 1) r = GX_TRY_NO;
    int64_t many = count - (p->n - 1), at = 0;
    for (int32_t i = 0; r == GX_TRY_YES && i < p->n; i++) {
        if (i != star) {
            if (!gx_get_item(f->rt, v, gx_int(at++), &item)) return GX_TRY_ERROR;
            r = fits(f, p->list[i], item);
            gx_drop(item);
            continue;
        }
        if (p->list[i]->a) {
            if (!many_items(f->rt, v, at, many, &item)) return GX_TRY_ERROR;
            r = capture_take(f, p->list[i]->a, item);
        }
        at += many;
    }
    return r;
}

/* What a mapping pattern has not named, as a dict. */
static gx_try bind_rest(captures *f, const gx_node *p, gx_value rest) {
    gx_value key, none;
    bool ok = true;
    for (int32_t i = 0; ok && i < p->n; i += 2) {
        ok = gx_eval(f->f, p->list[i], &key);
        if (!ok) break;
        gx_try done = gx_dict_remove(f->rt, rest, key, &none);
        if (done == GX_TRY_YES) gx_drop(none);
        ok = done != GX_TRY_ERROR;
        gx_drop(key);
    }
    if (ok) return capture_take(f, p->b, rest);
    gx_drop(rest);
    return GX_TRY_ERROR;
}

static gx_try fits_dict(captures *f, const gx_node *p, gx_borrowed v) {
    gx_value key, item, rest;
    if (v.tag != GX_DICT) return GX_TRY_NO;
    gx_try r = GX_TRY_YES;
    for (int32_t i = 0; r == GX_TRY_YES && i < p->n; i += 2) {
        if (!gx_eval(f->f, p->list[i], &key)) return GX_TRY_ERROR;
        r = gx_dict_find(f->rt, v, key, &item);
        gx_drop(key);
        if (r != GX_TRY_YES) break;
        r = fits(f, p->list[i + 1], item);
        gx_drop(item);
    }
    if (r != GX_TRY_YES || !p->b) return r;
    if (!gx_call_value(f->rt, gx_type_value(&gx_type_dict), 1, &v, 0, NULL, &rest))
        return GX_TRY_ERROR;
    return bind_rest(f, p, rest);
}

/* v.name against a pattern; NO without the attribute. */
static gx_try fits_attr(captures *f, const gx_node *p, gx_borrowed v, gx_sym name) {
    gx_value item;
    gx_try r = gx_try_attr(f->rt, v, name, &item);
    if (r == GX_TRY_ERROR && f->rt->error.kind == GX_AttributeError) {
        gx_error_clear(f->rt);
        return GX_TRY_NO;
    }
    if (r != GX_TRY_YES) return r;
    r = fits(f, p, item);
    gx_drop(item);
    return r;
}

/* Types whose one positional pattern is the value itself: int(x). */
static bool is_own_value(const gx_type *t) {
    return t == &gx_type_int || t == &gx_type_float || t == &gx_type_str || t == &gx_type_bool ||
           t == &gx_type_list || t == &gx_type_tuple || t == &gx_type_dict || t == &gx_type_set ||
           t == &gx_type_bytes || t == &gx_type_frozenset;
}

/* The positional patterns of a class: attributes named by __match_args__. */
static gx_try fits_positional(captures *f, const gx_node *p, gx_borrowed cls, gx_borrowed v,
                              int32_t count) {
    gx_value names;
    gx_sym sym = gx_sym_c(f->rt, "__match_args__");
    if (is_own_value(gx_as_type(cls)) && count == 1) return fits(f, p->list[0], v);
    gx_try r = sym ? gx_try_attr(f->rt, cls, sym, &names) : GX_TRY_ERROR;
    if (r == GX_TRY_ERROR) return r;
    if (r == GX_TRY_YES && names.tag != GX_TUPLE) {
        gx_fail(f->rt, GX_TypeError, "match.names", "%s.__match_args__ must be a tuple (got %s)",
                gx_as_type(cls)->name, gx_type_name(names));
        gx_drop(names);
        return GX_TRY_ERROR;
    }
    const gx_value *items = r == GX_TRY_YES ? gx_as_tuple(names)->items : NULL;
    int64_t known = r == GX_TRY_YES ? gx_as_tuple(names)->count : 0;
    if (known < count) {
        gx_fail(f->rt, GX_TypeError, "match.positional",
                "%s() accepts %lld positional sub-patterns (%d given)", gx_as_type(cls)->name,
                (long long)known, (int)count);
        if (r == GX_TRY_YES) gx_drop(names);
        return GX_TRY_ERROR;
    }
    for (int32_t i = 0; r == GX_TRY_YES && i < count; i++) {
        gx_sym name = items[i].tag == GX_STR ? gx_str_sym(f->rt, items[i]) : 0;
        r = name ? fits_attr(f, p->list[i], v, name) : GX_TRY_ERROR;
        if (!name && !gx_failed(&f->rt->error))
            gx_fail(f->rt, GX_TypeError, "match.names", "__match_args__ elements must be strings");
    }
    gx_drop(names);
    return r;
}

static gx_try fits_class(captures *f, const gx_node *p, gx_borrowed v) {
    gx_value cls;
    int32_t positional = 0;
    if (!gx_eval(f->f, p->a, &cls)) return GX_TRY_ERROR;
    const gx_type *t = gx_as_type(cls);
    if (!t) {
        gx_fail(f->rt, GX_TypeError, "match.class", "called match pattern must be a class");
        gx_drop(cls);
        return GX_TRY_ERROR;
    }
    if (!t->heap && gx_type_is(t, &gx_type_array)) t = &gx_type_array;
    bool is = gx_isinstance(v, t);
    if (!is && t->heap && !gx_abc_says(f->rt, t, gx_type_of(v), &is)) {
        gx_drop(cls);
        return GX_TRY_ERROR;
    }
    gx_try r = is ? GX_TRY_YES : GX_TRY_NO;
    while (positional < p->n && p->list[positional]->kind != GX_NODE_KEYWORD) positional++;
    if (r == GX_TRY_YES && positional) r = fits_positional(f, p, cls, v, positional);
    for (int32_t i = positional; r == GX_TRY_YES && i < p->n; i++)
        r = fits_attr(f, p->list[i]->a, v, p->list[i]->name);
    gx_drop(cls);
    return r;
}

static gx_try fits(captures *f, const gx_node *p, gx_borrowed v) {
    gx_try r = GX_TRY_NO;
    if (!gx_stack_check(f->rt)) return GX_TRY_ERROR;
    switch ((gx_pattern)p->op) {
    case GX_PATTERN_VALUE:
    case GX_PATTERN_IS:
        return fits_value(f, p, v);
    case GX_PATTERN_CAPTURE:
        return capture(f, p->a, v);
    case GX_PATTERN_LIST:
        return fits_list(f, p, v);
    case GX_PATTERN_REST:
        break;
    case GX_PATTERN_DICT:
        return fits_dict(f, p, v);
    case GX_PATTERN_CLASS:
        return fits_class(f, p, v);
    case GX_PATTERN_OR:
        for (int32_t i = 0; r == GX_TRY_NO && i < p->n; i++) {
            int64_t before = f->count;
            r = fits(f, p->list[i], v);
            if (r == GX_TRY_NO) forget(f, before);
        }
        return r;
    case GX_PATTERN_AS:
        r = fits(f, p->a, v);
        return r == GX_TRY_YES ? capture(f, p->b, v) : r;
    }
    return r;
}

static bool choose(gx_frame *f, const gx_node *n, const gx_node **block) {
    gx_value v;
    captures all = {.f = f, .rt = f->rt};
    if (!gx_eval(f, n->a, &v)) return false;
    *block = NULL;
    gx_try r = GX_TRY_NO;
    for (int32_t i = 0; r == GX_TRY_NO && i < n->n; i++) {
        const gx_node *one = n->list[i];
        bool yes = true;
        r = fits(&all, one->a, v);
        if (r == GX_TRY_YES && !bind(&all)) r = GX_TRY_ERROR;
        forget(&all, 0);
        if (r == GX_TRY_YES && one->b) {
            bool ok = gx_test(f, one->b, &yes);
            r = answer(ok, yes);
        }
        if (r == GX_TRY_YES) *block = one->c;
        if (r == GX_TRY_ERROR) gx_locate(f, one->a);
    }
    gx_free(f->rt, all.list);
    gx_drop(v);
    return r != GX_TRY_ERROR;
}

static inline int match_(gx_frame *f, const gx_node *n, bool resumes) {
    gx_record *s = NULL;
    const gx_node *block = NULL;
    if (resumes && !(s = gx_record_enter(f))) return GX_FLOW_ERROR;
    if (s && s->node) block = s->node;
    else if (!choose(f, n, &block)) return gx_record_leave(f, s, GX_FLOW_ERROR);
    if (!block) return gx_record_leave(f, s, GX_FLOW_NEXT);
    if (s) s->node = block;
    return gx_record_leave(f, s, gx_exec(f, block));
}
GX_COMPOUND(match)
