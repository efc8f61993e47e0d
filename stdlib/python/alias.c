/* list[int] and int | None: what their parts are, how they print and compare, and the parameters
   that are left to be filled in, as in list[T][int]. A parameter is what has __typing_subst__. */
#include "stdlib/python/alias.h"

#include <string.h>

#include "runtime/object/class/hooks.h"
#include "runtime/object/container/list.h"
#include "runtime/object/heap.h"
#include "runtime/object/text/str.h"
#include "runtime/object/types.h"
#include "stdlib/stdlib.h"

static bool alias_make(gx_rt *rt, const gx_type *type, gx_borrowed origin, gx_borrowed args,
                       gx_borrowed title, gx_value *out) {
    gx_alias *a = gx_obj_new(rt, type, sizeof *a);
    if (!a) return false;
    a->origin = gx_keep(origin);
    a->args = gx_keep(args);
    a->title = gx_keep(title);
    gx_container_track(rt, &a->head);
    *out = gx_object(&a->head.obj);
    return true;
}

/* A tuple of what stands between the brackets. */
static bool key_items(gx_rt *rt, gx_borrowed key, gx_value *out) {
    if (key.tag == GX_TUPLE && !gx_is_instance(key)) {
        *out = gx_keep(key);
        return true;
    }
    return gx_tuple_new(rt, 1, &key, out);
}

/* origin[args], where args that are no tuple are one argument. */
static bool alias_new(gx_rt *rt, gx_borrowed origin, gx_borrowed args, gx_value *out) {
    gx_value items;
    if (!key_items(rt, args, &items)) return false;
    bool ok = alias_make(rt, &gx_type_alias, origin, items, gx_none(), out);
    gx_drop(items);
    return ok;
}

/* --- repr ------------------------------------------------------------------------------------- */

static gx_try text_attr(gx_rt *rt, gx_borrowed v, const char *name, gx_value *out) {
    gx_sym sym = gx_sym_c(rt, name);
    return sym ? gx_try_attr(rt, v, sym, out) : GX_TRY_ERROR;
}

/* int, collections.deque, __main__.C; NO: it has no such name. */
static gx_try name_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_value name, module;
    gx_try has = text_attr(rt, v, "__qualname__", &name);
    if (has != GX_TRY_YES) return has;
    has = text_attr(rt, v, "__module__", &module);
    if (has == GX_TRY_YES) {
        bool plain = module.tag != GX_STR || strcmp(gx_as_str(module)->text, "builtins") == 0;
        bool ok = (plain || (gx_str_into(rt, module, out) && gx_buf_char(out, '.'))) &&
                  gx_str_into(rt, name, out);
        if (!ok) has = GX_TRY_ERROR;
        gx_drop(module);
    }
    gx_drop(name);
    return has;
}

static bool items_repr(gx_rt *rt, gx_borrowed items, const char *between, gx_buf *out);

static bool item_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    if (v.tag == GX_ELLIPSIS) return gx_buf_puts(out, "...");
    if (gx_as_type(v) == &gx_type_none) return gx_buf_puts(out, "None");
    if (v.tag == GX_LIST)
        return gx_buf_char(out, '[') && items_repr(rt, v, ", ", out) && gx_buf_char(out, ']');
    gx_try named = gx_as_type(v) || v.tag == GX_FUNC ? name_repr(rt, v, out) : GX_TRY_NO;
    return named == GX_TRY_NO ? gx_repr(rt, v, out) : named == GX_TRY_YES;
}

static bool items_repr(gx_rt *rt, gx_borrowed items, const char *between, gx_buf *out) {
    const gx_value *list;
    bool ok = true;
    for (int64_t i = 0; ok && i < gx_sequence_items(items, &list); i++) {
        gx_value item = gx_keep(list[i]);
        ok = (i == 0 || gx_buf_puts(out, between)) && item_repr(rt, item, out);
        gx_drop(item);
    }
    return ok;
}

/* Whether the other one of typing.Optional's two is None: its place, or -1. */
static int optional_at(const gx_tuple *args) {
    if (args->count != 2) return -1;
    return gx_as_type(args->items[1]) == &gx_type_none   ? 0
           : gx_as_type(args->items[0]) == &gx_type_none ? 1
                                                         : -1;
}

static bool alias_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const gx_alias *a = gx_as_alias(v);
    bool again, ok;
    if (!gx_repr_enter(rt, v.obj, &again)) return false;
    if (again) return gx_buf_puts(out, "...");
    if (v.obj->type == &gx_type_union) {
        ok = items_repr(rt, a->args, " | ", out);
    } else if (v.obj->type == &gx_type_typing_union) {
        int at = optional_at(gx_as_tuple(a->args));
        ok = at >= 0 ? gx_buf_puts(out, "typing.Optional[") &&
                           item_repr(rt, gx_as_tuple(a->args)->items[at], out)
                     : gx_buf_puts(out, "typing.Union[") && items_repr(rt, a->args, ", ", out);
        ok = ok && gx_buf_char(out, ']');
    } else {
        ok = (!a->starred || gx_buf_char(out, '*')) &&
             (a->title.tag == GX_STR ? gx_str_into(rt, a->title, out)
                                     : item_repr(rt, a->origin, out)) &&
             gx_buf_char(out, '[') &&
             (gx_as_tuple(a->args)->count ? items_repr(rt, a->args, ", ", out)
                                          : gx_buf_puts(out, "()")) &&
             gx_buf_char(out, ']');
    }
    gx_repr_leave(rt);
    return ok;
}

/* --- comparing -------------------------------------------------------------------------------- */

static bool holds(gx_rt *rt, gx_borrowed items, gx_borrowed v, bool *out) {
    const gx_tuple *t = gx_as_tuple(items);
    *out = false;
    for (int64_t i = 0; i < t->count && !*out; i++)
        if (!gx_equal(rt, t->items[i], v, out)) return false;
    return true;
}

/* Unions are sets. */
static bool same_members(gx_rt *rt, gx_borrowed a, gx_borrowed b, bool *out) {
    const gx_tuple *x = gx_as_tuple(a);
    *out = x->count == gx_as_tuple(b)->count;
    for (int64_t i = 0; i < x->count && *out; i++)
        if (!holds(rt, b, x->items[i], out)) return false;
    return true;
}

static gx_try alias_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    bool same = false;
    if (op != GX_EQ && op != GX_NE) return GX_TRY_NO;
    if (gx_is_union(a) && gx_is_union(b)) {
        if (!same_members(rt, gx_as_alias(a)->args, gx_as_alias(b)->args, &same))
            return GX_TRY_ERROR;
    } else if (gx_is_alias(a) && gx_is_alias(b)) {
        const gx_alias *x = gx_as_alias(a), *y = gx_as_alias(b);
        if (x->starred == y->starred &&
            (!gx_equal(rt, x->origin, y->origin, &same) ||
             (same && !gx_equal(rt, x->args, y->args, &same))))
            return GX_TRY_ERROR;
    } else {
        return GX_TRY_NO;
    }
    *out = gx_bool(same == (op == GX_EQ));
    return GX_TRY_YES;
}

static bool alias_hash(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    const gx_alias *a = gx_as_alias(v);
    uint64_t origin = 0, item, all = 0;
    if (!gx_is_union(v))
        return gx_hash(rt, a->origin, &origin) && gx_hash(rt, a->args, &all) &&
               ((*out = origin ^ all), true);
    for (int64_t i = 0; i < gx_as_tuple(a->args)->count; i++) {
        if (!gx_hash(rt, gx_as_tuple(a->args)->items[i], &item)) return false;
        all += item * 0x9E3779B185EBCA87u;
    }
    *out = all;
    return true;
}

/* --- parameters ------------------------------------------------------------------------------- */

static gx_try has_attr(gx_rt *rt, gx_borrowed v, const char *name) {
    gx_value found;
    if (!gx_is_instance(v)) return GX_TRY_NO;
    gx_try has = text_attr(rt, v, name, &found);
    if (has == GX_TRY_YES) gx_drop(found);
    return has;
}

/* Adds the parameters in v to a list, each once. */
static bool collect(gx_rt *rt, gx_borrowed v, gx_borrowed list) {
    const gx_value *items;
    if (!gx_stack_check(rt)) return false;
    if (gx_is_alias(v) || gx_is_union(v)) return collect(rt, gx_as_alias(v)->args, list);
    if (v.tag == GX_TUPLE || v.tag == GX_LIST) {
        bool ok = true;
        for (int64_t i = 0; ok && i < gx_sequence_items(v, &items); i++) {
            gx_value item = gx_keep(items[i]);
            ok = collect(rt, item, list);
            gx_drop(item);
        }
        return ok;
    }
    gx_try is = has_attr(rt, v, "__typing_subst__");
    if (is != GX_TRY_YES) return is == GX_TRY_NO;
    int64_t n = gx_sequence_items(list, &items);
    for (int64_t i = 0; i < n; i++)
        if (gx_is(items[i], v)) return true;
    return gx_list_push(rt, list, v);
}

static bool parameters_of(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_value list;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    bool ok = collect(rt, v, list) && gx_tuple_of(rt, list, out);
    gx_drop(list);
    return ok;
}

typedef struct filling {
    gx_borrowed names, values; /* tuples */
    int64_t many;              /* the one of names that takes any number of values, or -1 */
} filling;

static bool fill(gx_rt *rt, const filling *f, gx_borrowed v, gx_value *out);

static bool fill_items(gx_rt *rt, const filling *f, gx_borrowed items, gx_value *out) {
    const gx_tuple *t = gx_as_tuple(items), *values = gx_as_tuple(f->values);
    int64_t extra = values->count - gx_as_tuple(f->names)->count;
    gx_value list, v;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    bool ok = true;
    for (int64_t i = 0; ok && i < t->count; i++) {
        gx_value inside;
        ok = parameters_of(rt, t->items[i], &inside);
        if (!ok) break;
        /* *Ts: as many as there are. */
        bool many = f->many >= 0 && gx_is_alias(t->items[i]) && gx_as_tuple(inside)->count == 1 &&
                    gx_is(gx_as_tuple(inside)->items[0], gx_as_tuple(f->names)->items[f->many]) &&
                    gx_as_alias(t->items[i])->title.tag == GX_STR;
        gx_drop(inside);
        if (!many) {
            ok = fill(rt, f, t->items[i], &v) && gx_list_push_take(rt, list, v);
            continue;
        }
        for (int64_t k = 0; ok && k <= extra; k++)
            ok = gx_list_push(rt, list, values->items[f->many + k]);
    }
    ok = ok && gx_tuple_of(rt, list, out);
    gx_drop(list);
    return ok;
}

static bool union_make(gx_rt *rt, const gx_type *type, gx_borrowed members, gx_value *out);

/* v with values in the place of parameters. */
static bool fill(gx_rt *rt, const filling *f, gx_borrowed v, gx_value *out) {
    const gx_tuple *names = gx_as_tuple(f->names);
    int64_t extra = gx_as_tuple(f->values)->count - names->count;
    gx_value args;
    if (!gx_stack_check(rt)) return false;
    for (int64_t i = 0; i < names->count; i++)
        if (gx_is(names->items[i], v)) {
            int64_t at = f->many >= 0 && i > f->many ? i + extra : i;
            *out = gx_keep(gx_as_tuple(f->values)->items[at]);
            return true;
        }
    if (v.tag == GX_LIST) {
        if (!gx_tuple_of(rt, v, &args)) return false;
        gx_value made;
        bool ok = fill_items(rt, f, args, &made);
        gx_drop(args);
        if (!ok) return false;
        ok = gx_list_of(rt, made, out);
        gx_drop(made);
        return ok;
    }
    if (!gx_is_alias(v) && !gx_is_union(v)) {
        *out = gx_keep(v);
        return true;
    }
    const gx_alias *a = gx_as_alias(v);
    if (!fill_items(rt, f, a->args, &args)) return false;
    bool ok = gx_is_union(v) ? union_make(rt, v.obj->type, args, out)
                             : alias_make(rt, v.obj->type, a->origin, args, a->title, out);
    gx_drop(args);
    return ok;
}

static bool wrong_count(gx_rt *rt, gx_borrowed v, int64_t want, int64_t got) {
    gx_buf text = gx_buf_new(rt);
    if (gx_repr(rt, v, &text))
        gx_fail(rt, GX_TypeError, "type.subscript",
                "Too %s arguments for %s; actual %lld, expected %lld", got < want ? "few" : "many",
                gx_buf_text(&text), (long long)got, (long long)want);
    gx_buf_free(&text);
    return false;
}

static bool alias_get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    filling f = {.many = -1};
    gx_value names, values;
    if (!parameters_of(rt, gx_as_alias(v)->args, &names)) return false;
    int64_t n = gx_as_tuple(names)->count;
    bool ok = n > 0;
    if (!ok) {
        gx_buf text = gx_buf_new(rt);
        if (gx_repr(rt, v, &text))
            gx_fail(rt, GX_TypeError, "type.subscript", "%s is not a generic class",
                    gx_buf_text(&text));
        gx_buf_free(&text);
    }
    for (int64_t i = 0; ok && i < n; i++) {
        gx_try many = has_attr(rt, gx_as_tuple(names)->items[i], "__typing_many__");
        if (many == GX_TRY_YES) f.many = i;
        ok = many != GX_TRY_ERROR;
    }
    if (ok && (ok = key_items(rt, key, &values))) {
        int64_t got = gx_as_tuple(values)->count;
        if (f.many >= 0 ? got < n - 1 : got != n) {
            ok = wrong_count(rt, v, n - (f.many >= 0), got);
        } else {
            f.names = names;
            f.values = values;
            ok = fill(rt, &f, v, out);
        }
        gx_drop(values);
    }
    gx_drop(names);
    return ok;
}

/* --- unions ----------------------------------------------------------------------------------- */

/* Adds what a member of a union stands for to a list, each once; NO: it cannot be one. */
static gx_try add_member(gx_rt *rt, gx_borrowed list, gx_borrowed v, bool any) {
    const gx_value *items;
    gx_value member = v.tag == GX_NONE ? gx_type_value(&gx_type_none) : gx_keep(v);
    gx_try done = GX_TRY_YES;
    if (gx_is_union(v)) {
        const gx_tuple *t = gx_as_tuple(gx_as_alias(v)->args);
        for (int64_t i = 0; done == GX_TRY_YES && i < t->count; i++)
            done = add_member(rt, list, t->items[i], any);
    } else if (!any && !gx_as_type(member) && !gx_is_alias(member)) {
        done = has_attr(rt, member, "__typing_member__");
    }
    bool known = gx_is_union(v);
    for (int64_t i = 0; done == GX_TRY_YES && !known && i < gx_sequence_items(list, &items); i++)
        if (!gx_equal(rt, items[i], member, &known)) done = GX_TRY_ERROR;
    if (done == GX_TRY_YES && !known && !gx_list_push(rt, list, member)) done = GX_TRY_ERROR;
    gx_drop(member);
    return done;
}

static bool finish_union(gx_rt *rt, const gx_type *type, gx_borrowed list, gx_value *out) {
    gx_value args;
    if (gx_as_list(list)->count == 1) {
        *out = gx_keep(gx_as_list(list)->items[0]);
        return true;
    }
    if (!gx_tuple_of(rt, list, &args)) return false;
    bool ok = alias_make(rt, type, gx_none(), args, gx_none(), out);
    gx_drop(args);
    return ok;
}

static bool union_make(gx_rt *rt, const gx_type *type, gx_borrowed members, gx_value *out) {
    gx_value list;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    bool ok = true;
    for (int64_t i = 0; ok && i < gx_as_tuple(members)->count; i++)
        ok = add_member(rt, list, gx_as_tuple(members)->items[i], true) == GX_TRY_YES;
    ok = ok && finish_union(rt, type, list, out);
    gx_drop(list);
    return ok;
}

static gx_try is_from_typing(gx_rt *rt, gx_borrowed v) {
    if (v.tag == GX_OBJECT &&
        (v.obj->type == &gx_type_typing_union || v.obj->type == &gx_type_typing_alias))
        return GX_TRY_YES;
    return has_attr(rt, v, "__typing_member__");
}

/* a | b; NO: one of them is nothing that a union is made of. */
static gx_try union_of(gx_rt *rt, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_value list;
    gx_try typing = is_from_typing(rt, a);
    if (typing == GX_TRY_NO) typing = is_from_typing(rt, b);
    if (typing == GX_TRY_ERROR || !gx_list_new(rt, 0, NULL, &list)) return GX_TRY_ERROR;
    bool texts = typing == GX_TRY_YES && (a.tag == GX_STR || b.tag == GX_STR);
    gx_try done = add_member(rt, list, a, texts);
    if (done == GX_TRY_YES) done = add_member(rt, list, b, texts);
    const gx_type *type = typing == GX_TRY_YES ? &gx_type_typing_union : &gx_type_union;
    if (done == GX_TRY_YES && !finish_union(rt, type, list, out)) done = GX_TRY_ERROR;
    gx_drop(list);
    return done;
}

static gx_try alias_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    return op == GX_BITOR ? union_of(rt, a, b, out) : GX_TRY_NO;
}

/* --- attributes, calls ------------------------------------------------------------------------ */

static bool get_origin(gx_rt *rt, gx_borrowed v, gx_value *out) {
    (void)rt;
    *out = gx_keep(gx_as_alias(v)->origin);
    return true;
}
static bool get_args(gx_rt *rt, gx_borrowed v, gx_value *out) {
    (void)rt;
    *out = gx_keep(gx_as_alias(v)->args);
    return true;
}
static bool get_parameters(gx_rt *rt, gx_borrowed v, gx_value *out) {
    return parameters_of(rt, gx_as_alias(v)->args, out);
}
static bool get_unpacked(gx_rt *rt, gx_borrowed v, gx_value *out) {
    (void)rt;
    *out = gx_bool(gx_as_alias(v)->starred);
    return true;
}

static gx_try alias_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    return gx_try_attr(rt, gx_as_alias(v)->origin, name, out);
}

static bool alias_call(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                       const gx_sym *kw, gx_value *out) {
    gx_value made;
    if (!gx_call_value(rt, gx_as_alias(self)->origin, argc, argv, kwc, kw, &made)) return false;
    gx_sym name = gx_is_instance(made) ? gx_sym_c(rt, "__orig_class__") : 0;
    if (name && !gx_set_attr(rt, made, name, self)) {
        if (rt->error.kind != GX_AttributeError && rt->error.kind != GX_TypeError) {
            gx_drop(made);
            return false;
        }
        gx_error_clear(rt);
    }
    *out = made;
    return true;
}

static bool alias_iter(gx_rt *rt, gx_borrowed v, gx_value *out) {
    const gx_alias *a = gx_as_alias(v);
    gx_value one, items;
    if (!alias_make(rt, v.obj->type, a->origin, a->args, a->title, &one)) return false;
    gx_as_alias(one)->starred = true;
    if (!gx_tuple_take(rt, 1, &one, &items)) return false;
    bool ok = gx_iter(rt, items, out);
    gx_drop(items);
    return ok;
}

static bool mro_entries(gx_call *c, gx_value *out) {
    return gx_tuple_new(c->rt, 1, &gx_as_alias(c->argv[0])->origin, out);
}

static const gx_member alias_members[] = {
    {"__origin__", get_origin, NULL, "The type that has the parameters."},
    {"__args__", get_args, NULL, "What stands between the brackets."},
    {"__parameters__", get_parameters, NULL, "The parameters that are left."},
    {"__unpacked__", get_unpacked, NULL, "Does a star stand before it?"},
    {0},
};
static const gx_member union_members[] = {
    {"__args__", get_args, NULL, "The types."},
    {"__parameters__", get_parameters, NULL, "The parameters in them."},
    {0},
};
static const gx_native alias_methods[] = {
    {"__mro_entries__", "__mro_entries__(self, bases, /)", "The base that it stands for.", NULL,
     mro_entries, 0, 0},
    {0},
};

static bool alias_construct(gx_call *c, gx_value *out) {
    return alias_new(c->rt, c->argv[0], c->argv[1], out);
}
static const gx_native alias_row = {
    "GenericAlias", "GenericAlias(origin, args, /)", "A type with parameters: list[int].", NULL,
    alias_construct, 0, 0,
};

static bool typing_alias(gx_call *c, gx_value *out) {
    gx_value args;
    if (!key_items(c->rt, c->argv[1], &args)) return false;
    bool ok = alias_make(c->rt, &gx_type_typing_alias, c->argv[0], args, c->argv[2], out);
    gx_drop(args);
    return ok;
}
static bool typing_union(gx_call *c, gx_value *out) {
    if (c->argv[0].tag != GX_TUPLE) return gx_arg_wrong(c, 0, "a tuple");
    return union_make(c->rt, &gx_type_typing_union, c->argv[0], out);
}
const gx_native gx_alias_natives[] = {
    {"typing_alias", "typing_alias(origin, args, title=None, /)",
     "origin[args], which prints with the title.", NULL, typing_alias, 0, 0},
    {"typing_union", "typing_union(args, /)", "typing.Union of a tuple.", NULL, typing_union, 0, 0},
    {.name = NULL},
};

/* --- the types -------------------------------------------------------------------------------- */

static void alias_free(gx_rt *rt, gx_obj *o) {
    gx_alias *a = (gx_alias *)o;
    gx_container_untrack(rt, &a->head);
    gx_drop(a->origin);
    gx_drop(a->args);
    gx_drop(a->title);
    gx_obj_release(rt, o);
}

static void alias_traverse(gx_obj *o, gx_visit visit, void *ctx) {
    const gx_alias *a = (const gx_alias *)o;
    if (gx_is_object(a->origin)) visit(a->origin.obj, ctx);
    if (gx_is_object(a->args)) visit(a->args.obj, ctx);
}

/* The tuple stays: it is part of every cycle through this, and clears itself. */
static void alias_clear(gx_rt *rt, gx_obj *o) {
    (void)rt;
    gx_alias *a = (gx_alias *)o;
    gx_value origin = a->origin;
    a->origin = gx_none();
    gx_drop(origin);
}

#define ALIAS(id, text, ...)                                                                       \
    const gx_type id = {                                                                           \
        .name = text, .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .container = true,                   \
        .free = alias_free, .traverse = alias_traverse, .clear = alias_clear, .repr = alias_repr,  \
        .compare = alias_compare, .hash = alias_hash, .binary = alias_binary, .get = alias_get,    \
        __VA_ARGS__}
ALIAS(gx_type_alias, "types.GenericAlias", .attr = alias_attr, .call = alias_call,
      .iter = alias_iter, .members = alias_members, .methods = alias_methods,
      .construct = &alias_row, .doc = "A type with parameters.");
ALIAS(gx_type_typing_alias, "typing._GenericAlias", .attr = alias_attr, .call = alias_call,
      .iter = alias_iter, .members = alias_members, .methods = alias_methods,
      .doc = "A type with parameters.");
ALIAS(gx_type_union, "types.UnionType", .members = union_members, .doc = "One type of several.");
ALIAS(gx_type_typing_union, "typing._UnionGenericAlias", .members = union_members,
      .doc = "One type of several.");

const gx_parameters gx_alias_parameters = {.alias = alias_new, .unite = union_of};
