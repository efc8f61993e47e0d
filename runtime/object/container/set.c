/* set and frozenset: the table of set_table.c, whose order is CPython's for numbers. */
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/object/class/hooks.h"
#include "runtime/object/container/dict_int.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/heap.h"

bool gx_set_new(gx_rt *rt, bool frozen, gx_value *out) {
    return gx_table_new(rt, frozen ? &gx_type_frozenset : gx_core_types[GX_SET], out);
}

bool gx_set_update(gx_rt *rt, gx_borrowed set, gx_borrowed iterable) {
    if (iterable.tag == GX_SET ||
        (gx_is_object(iterable) && iterable.obj->type == gx_core_types[GX_DICT]))
        return set.obj == iterable.obj || gx_set_merge(rt, gx_as_dict(iterable), set);
    gx_value it, x;
    if (!gx_iter(rt, iterable, &it)) return false;
    bool ok, more;
    while ((ok = gx_next(rt, it, &x, &more)) && more) {
        ok = gx_set_add(rt, set, x);
        gx_drop(x);
        if (!ok) break;
    }
    gx_drop(it);
    return ok;
}

/* A new set of a type with what an iterable yields. */
static bool make(gx_rt *rt, const gx_type *type, gx_borrowed iterable, gx_value *out) {
    gx_value s;
    if (!gx_table_new(rt, type, &s)) return false;
    if (!gx_set_update(rt, s, iterable)) {
        gx_drop(s);
        return false;
    }
    *out = s;
    return true;
}

bool gx_set_of(gx_rt *rt, gx_borrowed iterable, gx_value *out) {
    if (iterable.tag == GX_SET) {
        *out = gx_keep(iterable);
        return true;
    }
    return make(rt, &gx_type_set, iterable, out);
}

/* --- algebra ---------------------------------------------------------------------------------- */

/* Adds to `to` the items of a whose presence in b is `present`. */
static bool add_where(gx_rt *rt, gx_borrowed to, gx_borrowed a, gx_borrowed b, bool present) {
    int64_t at = 0, steps = 0;
    for (gx_entry *e; (e = gx_dict_next(gx_as_dict(a), &at));) {
        if (++steps % 4096 == 0 && !gx_work_end(rt)) return false;
        gx_value item = gx_keep(e->key);
        gx_try r = gx_set_has(rt, b, item);
        bool ok = r != GX_TRY_ERROR && ((r == GX_TRY_YES) != present || gx_set_add(rt, to, item));
        gx_drop(item);
        if (!ok) return false;
    }
    return true;
}

bool gx_set_combine(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_value s;
    if (!gx_table_new(rt, gx_plain_type(a.obj->type), &s)) return false;
    bool ok;
    int64_t an = gx_as_dict(a)->count, bn = gx_as_dict(b)->count;
    if (op == GX_BITOR || (op == GX_BITAND && a.obj == b.obj))
        ok = gx_table_copy(rt, a, s) && (op == GX_BITAND || gx_table_copy(rt, b, s));
    else if (op == GX_BITAND) /* the smaller one is walked */
        ok = bn > an ? add_where(rt, s, a, b, true) : add_where(rt, s, b, a, true);
    else if (op == GX_BITXOR)
        ok = gx_table_copy(rt, b, s) && gx_set_remove_all(rt, s, a, true);
    else if (an >> 2 > bn)
        ok = gx_table_copy(rt, a, s) && gx_set_remove_all(rt, s, b, false);
    else
        ok = add_where(rt, s, a, b, false);
    if (!ok) {
        gx_drop(s);
        return false;
    }
    *out = s;
    return true;
}

static gx_try set_inplace(gx_rt *rt, gx_binop op, gx_borrowed set, gx_borrowed other,
                          gx_value *out) {
    gx_value r;
    bool ok;
    if (other.tag != GX_SET) return GX_TRY_NO;
    if (op == GX_BITOR) {
        ok = gx_set_update(rt, set, other);
    } else if (op == GX_SUB) {
        ok = gx_set_remove_all(rt, set, other, false);
    } else if (op == GX_BITXOR) {
        ok = gx_set_remove_all(rt, set, other, true);
    } else if (op == GX_BITAND) {
        ok = gx_set_combine(rt, op, set, other, &r);
        if (ok) {
            gx_set_become(set, r);
            gx_drop(r);
        }
    } else {
        return GX_TRY_NO;
    }
    if (ok) *out = gx_keep(set);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

void gx_set_become(gx_borrowed set, gx_borrowed other) {
    gx_dict *d = gx_as_dict(set), *s = gx_as_dict(other), old = *d;
    d->entries = s->entries;
    d->index = s->index;
    d->count = s->count;
    d->used = s->used;
    d->filled = s->filled;
    d->first = s->first;
    d->room = s->room;
    d->index_size = s->index_size;
    d->finger = s->finger;
    d->version += s->version + 1;
    s->entries = old.entries;
    s->index = old.index;
    s->count = old.count;
    s->used = old.used;
    s->filled = old.filled;
    s->first = old.first;
    s->room = old.room;
    s->index_size = old.index_size;
    s->finger = old.finger;
}

/* Is every item of a in b? */
static bool subset(gx_rt *rt, gx_borrowed a, gx_borrowed b, bool *out) {
    int64_t at = 0;
    *out = false;
    if (gx_as_dict(a)->count > gx_as_dict(b)->count) return true;
    int64_t steps = 0;
    for (gx_entry *e; (e = gx_dict_next(gx_as_dict(a), &at));) {
        if (++steps % 4096 == 0 && !gx_work_end(rt)) return false;
        gx_value item = gx_keep(e->key);
        gx_try r = gx_set_has(rt, b, item);
        gx_drop(item);
        if (r != GX_TRY_YES) return r == GX_TRY_NO;
    }
    *out = true;
    return true;
}

bool gx_set_relation(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, bool *out) {
    int64_t n = gx_as_dict(a)->count, m = gx_as_dict(b)->count;
    bool swap = op == GX_GT || op == GX_GE, r;
    if (!(swap ? subset(rt, b, a, &r) : subset(rt, a, b, &r))) return false;
    if (op == GX_EQ || op == GX_LT || op == GX_GT || op == GX_NE) {
        bool equal = r && n == m;
        r = op == GX_EQ ? equal : op == GX_NE ? !equal : r && n != m;
    }
    *out = r;
    return true;
}

static gx_try set_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    bool r;
    if (a.tag != GX_SET || b.tag != GX_SET) return GX_TRY_NO;
    if (!gx_set_relation(rt, op, a, b, &r)) return GX_TRY_ERROR;
    *out = gx_bool(r);
    return GX_TRY_YES;
}

static gx_try set_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    if (a.tag != GX_SET || b.tag != GX_SET) return GX_TRY_NO;
    if (op != GX_BITOR && op != GX_BITAND && op != GX_SUB && op != GX_BITXOR) return GX_TRY_NO;
    return gx_set_combine(rt, op, a, b, out) ? GX_TRY_YES : GX_TRY_ERROR;
}

/* Equal sets hash equal: the order of the items must not matter. The steps are CPython's. */
static bool set_hash(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    if (gx_plain_type(v.obj->type) != &gx_type_frozenset)
        return gx_fail(rt, GX_TypeError, "hash.unhashable", "unhashable type: '%s'",
                       gx_type_name(v));
    uint64_t h = 0;
    int64_t at = 0;
    for (gx_entry *e; (e = gx_dict_next(gx_as_dict(v), &at));)
        h ^= (e->hash ^ (e->hash << 16) ^ 89869747u) * 3644798167u;
    h ^= ((uint64_t)gx_as_dict(v)->count + 1) * 1927868237u;
    h ^= (h >> 11) ^ (h >> 25);
    h = h * 69069u + 907133923u;
    *out = h == UINT64_MAX ? 590923713u : h;
    return true;
}

static bool set_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    bool frozen = v.obj->type != &gx_type_set, again, ok;
    gx_dict *d = gx_as_dict(v);
    const char *name = v.obj->type->name;
    if (d->count == 0) return gx_buf_printf(out, "%s()", name);
    if (!gx_repr_enter(rt, v.obj, &again)) return false;
    if (again) return gx_buf_printf(out, "%s(...)", name);
    ok = !frozen || gx_buf_printf(out, "%s(", name);
    int64_t at = 0, n = 0;
    for (gx_entry *e; ok && (e = gx_dict_next(d, &at)); n++)
        ok = gx_buf_puts(out, n ? ", " : "{") && gx_repr(rt, e->key, out); /* held there */
    ok = ok && gx_buf_puts(out, frozen ? "})" : "}");
    gx_repr_leave(rt);
    return ok;
}

/* --- types ------------------------------------------------------------------------------------ */

static bool construct(gx_call *c, gx_value *out) {
    const gx_type *type = c->type ? c->type : &gx_type_set;
    if (!gx_arg_given(c, 0)) return gx_table_new(c->rt, type, out);
    if (type == &gx_type_frozenset && c->argv[0].tag == GX_SET && c->argv[0].obj->type == type) {
        *out = gx_keep(c->argv[0]);
        return true;
    }
    return make(c->rt, type, c->argv[0], out);
}

static const gx_native set_construct = {
    "set", "set(iterable=<no value>, /)", "A set of what an iterable yields.",
    "set([1, 2, 1])  # {1, 2}", construct, 0, 0,
};
static const gx_native frozenset_construct = {
    "frozenset", "frozenset(iterable=<no value>, /)", "A set that never changes.",
    "frozenset([1, 1])  # frozenset({1})", construct, 0, 0,
};

gx_try gx_set_as_key(gx_rt *rt, gx_borrowed item, gx_value *out) {
    if (item.tag != GX_SET || rt->error.kind != GX_TypeError) return GX_TRY_NO;
    gx_error_clear(rt);
    if (!gx_table_new(rt, &gx_type_frozenset, out)) return GX_TRY_ERROR;
    if (gx_table_copy(rt, item, *out)) return GX_TRY_YES;
    gx_drop(*out);
    return GX_TRY_ERROR;
}

bool gx_set_contains(gx_rt *rt, gx_borrowed set, gx_borrowed item, bool *out) {
    gx_value key;
    gx_try r = gx_set_has(rt, set, item);
    if (r == GX_TRY_ERROR && gx_set_as_key(rt, item, &key) == GX_TRY_YES) {
        r = gx_set_has(rt, set, key);
        gx_drop(key);
    }
    *out = r == GX_TRY_YES;
    return r != GX_TRY_ERROR;
}

const gx_type gx_type_set = {
    .name = "set", .tag = GX_SET, .dtype = GX_NO_DTYPE, .container = true,
    .doc = "Distinct items.", .free = gx_table_free, .traverse = gx_table_traverse,
    .clear = gx_table_clear, .repr = set_repr, .hash = set_hash, .compare = set_compare,
    .binary = set_binary, .length = gx_table_length, .contains = gx_set_contains,
    .iter = gx_dict_iter, .inplace = set_inplace, .construct = &set_construct,
};
static bool frozenset_plain(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_value set;
    if (!gx_set_new(rt, true, &set)) return false;
    bool ok = gx_set_update(rt, set, v);
    if (ok) *out = set;
    else gx_drop(set);
    return ok;
}

const gx_type gx_type_frozenset = {
    .name = "frozenset", .tag = GX_SET, .dtype = GX_NO_DTYPE, .container = true,
    .doc = "Distinct items that never change.", .free = gx_table_free,
    .traverse = gx_table_traverse, .clear = gx_table_clear, .repr = set_repr, .hash = set_hash,
    .compare = set_compare, .binary = set_binary, .length = gx_table_length,
    .contains = gx_set_contains, .iter = gx_dict_iter, .construct = &frozenset_construct,
    .plain = frozenset_plain,
};
