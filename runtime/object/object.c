/* The operations that every kind of value answers, through the slots of its gx_type: text, truth,
   hash, equality, items, iteration. Attributes and calls are in attr.c, operators in operators.c.

   The commonest types are answered here directly; a slot that is NULL becomes Python's TypeError.

   Invariant: an operand that may run code of a script lives until the operation is over, whatever
   that code drops (gx_hold): the slots need not keep what they were given. */
#include <math.h>
#include <string.h>

#include "runtime/object/class/parameters.h"
#include "runtime/object/class/hooks.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/heap.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/number/number.h"
#include "runtime/object/operators.h"
#include "runtime/object/text/str.h"
#include "runtime/object/types.h"

/* --- text ------------------------------------------------------------------------------------- */

bool gx_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const gx_type *t = gx_type_of(v);
    if (v.tag == GX_INT || (v.tag == GX_BIGINT && !t->heap)) return gx_int_text(rt, v, 10, out);
    if (v.tag == GX_FLOAT) return gx_repr_double(out, v.f);
    for (; t; t = t->base)
        if (t->repr) {
            gx_value held = gx_hold(v);
            bool ok = t->repr(rt, v, out);
            gx_drop(held);
            return ok;
        }
    if (!gx_is_object(v)) return gx_buf_printf(out, "<%s object>", gx_type_name(v));
    return gx_buf_printf(out, "<%s object at %p>", gx_type_name(v), (void *)v.obj);
}

bool gx_str_into(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    if (v.tag == GX_STR && !v.obj->type->heap)
        return gx_buf_add(out, gx_as_str(v)->text, gx_as_str(v)->length);
    if (gx_is_instance(v)) {
        gx_value held = gx_keep(v);
        const gx_type *t = v.obj->type;
        while (t && !t->str) t = t->base;
        bool ok = t ? t->str(rt, v, out) : gx_repr(rt, v, out);
        gx_drop(held);
        return ok;
    }
    for (const gx_type *t = gx_type_of(v); t; t = t->base)
        if (t->str) {
            gx_value held = gx_hold(v);
            bool ok = t->str(rt, v, out);
            gx_drop(held);
            return ok;
        }
    return gx_repr(rt, v, out);
}

bool gx_format(gx_rt *rt, gx_borrowed v, const char *spec, size_t length, gx_buf *out) {
    const gx_type *t = gx_type_of(v);
    if (length == 0 && (t->heap ? !t->format : v.tag != GX_OBJECT)) return gx_str_into(rt, v, out);
    for (; t; t = t->base)
        if (t->format) {
            gx_value held = gx_hold(v);
            bool ok = t->format(rt, v, spec, length, out);
            gx_drop(held);
            return ok;
        }
    if (length == 0) return gx_str_into(rt, v, out);
    return gx_fail(rt, GX_TypeError, "format.unsupported",
                   "unsupported format string passed to %s.__format__", gx_type_name(v));
}

/* --- truth, length ---------------------------------------------------------------------------- */

bool gx_truth(gx_rt *rt, gx_borrowed v, bool *out) {
    switch (gx_is_instance(v) ? GX_OBJECT : (int)v.tag) {
    case GX_BOOL: *out = v.b; return true;
    case GX_NONE: *out = false; return true;
    case GX_INT: *out = v.i != 0; return true;
    case GX_FLOAT: *out = v.f != 0; return true;
    case GX_STR:
    case GX_BYTES: *out = gx_as_str(v)->length != 0; return true;
    case GX_LIST: *out = gx_as_list(v)->count != 0; return true;
    case GX_TUPLE: *out = gx_as_tuple(v)->count != 0; return true;
    case GX_DICT:
    case GX_SET: *out = gx_as_dict(v)->count != 0; return true;
    default: break;
    }
    for (const gx_type *t = gx_type_of(v); t; t = t->base) {
        if (t->truth) {
            gx_value held = gx_hold(v);
            bool ok = t->truth(rt, v, out);
            gx_drop(held);
            return ok;
        }
        if (t->length) {
            int64_t n;
            if (!gx_length(rt, v, &n)) return false;
            *out = n != 0;
            return true;
        }
    }
    gx_value plain = gx_plain_number(v);
    if (plain.tag != v.tag) return gx_truth(rt, plain, out);
    *out = true;
    return true;
}

bool gx_length(gx_rt *rt, gx_borrowed v, int64_t *out) {
    for (const gx_type *t = gx_type_of(v); t; t = t->base)
        if (t->length) {
            gx_value held = gx_hold(v);
            bool ok = t->length(rt, v, out);
            gx_drop(held);
            return ok;
        }
    return gx_fail(rt, GX_TypeError, "type.length", "object of type '%s' has no len()",
                   gx_type_name(v));
}

/* --- hash, equality, order -------------------------------------------------------------------- */

static uint64_t hash_pointer(const void *p) {
    uint64_t x = (uint64_t)(uintptr_t)p;
    return (x >> 4) | (x << 60);
}

bool gx_hash(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    switch ((int)v.tag) {
    case GX_STR:
        if (v.obj->type->heap) break;
        *out = gx_str_hash(gx_as_str(v));
        return true;
    case GX_BOOL: *out = v.b; return true;
    case GX_INT: *out = gx_hash_int(v.i); return true;
    case GX_FLOAT: *out = gx_hash_double(v.f); return true;
    case GX_NONE: *out = 0xfca86420; return true;
    case GX_ELLIPSIS: *out = 0x5ca1ab1e; return true;
    case GX_TYPE:
    case GX_NATIVE: *out = hash_pointer(v.type); return true;
    case GX_DTYPE: *out = 0x9e3779b97f4a7c15u * (v.dtype + 1u); return true;
    default: break;
    }
    const gx_type *t = gx_type_of(v);
    bool compares = false;
    for (; t; t = t->base) {
        if (t->hash) {
            gx_value held = gx_hold(v);
            bool ok = gx_stack_check(rt) && t->hash(rt, v, out);
            gx_drop(held);
            return ok;
        }
        compares = compares || t->compare;
    }
    gx_value plain = gx_plain_number(v);
    if (plain.tag != v.tag) return gx_hash(rt, plain, out);
    if (compares || v.tag == GX_LIST || v.tag == GX_DICT)
        return gx_fail(rt, GX_TypeError, "hash.unhashable", "unhashable type: '%s'",
                       gx_type_name(v));
    *out = hash_pointer(v.obj);
    return true;
}

static bool same(gx_borrowed a, gx_borrowed b) {
    if (a.tag != b.tag) return false;
    if (a.tag == GX_SCALAR) return a.dtype == b.dtype && a.u == b.u;
    if (a.tag == GX_DTYPE) return a.dtype == b.dtype;
    if (a.tag == GX_NONE || a.tag == GX_ELLIPSIS || a.tag == GX_UNDEF) return true;
    return a.u == b.u;
}

bool gx_is(gx_borrowed a, gx_borrowed b) {
    if (a.tag == GX_OBJECT && b.tag == GX_OBJECT && a.obj->type->foreign &&
        a.obj->type == b.obj->type)
        return a.obj->type->foreign->same(a, b);
    return same(a, b);
}

/* Equality without calling anything; GX_TRY_NO: ask the slots. */
static gx_try equal_fast(gx_borrowed a, gx_borrowed b, bool *out) {
    if (a.tag == GX_INT && b.tag == GX_INT) {
        *out = a.i == b.i;
        return GX_TRY_YES;
    }
    if (a.tag == GX_STR && b.tag == GX_STR && !a.obj->type->heap && !b.obj->type->heap) {
        *out = gx_str_equal(gx_as_str(a), gx_as_str(b));
        return GX_TRY_YES;
    }
    if (a.tag == GX_FLOAT && b.tag == GX_FLOAT) {
        /* Identity first, as in Python's containers: the same nan object is equal to itself. */
        *out = a.f == b.f || a.u == b.u;
        return GX_TRY_YES;
    }
    if (same(a, b)) {
        *out = true;
        return GX_TRY_YES;
    }
    return GX_TRY_NO;
}

bool gx_equal(gx_rt *rt, gx_borrowed a, gx_borrowed b, bool *out) {
    if (equal_fast(a, b, out) == GX_TRY_YES) return true;
    gx_value r;
    if (!gx_compare(rt, GX_EQ, a, b, &r)) return false;
    bool ok = gx_truth(rt, r, out);
    gx_drop(r);
    return ok;
}

bool gx_less(gx_rt *rt, gx_borrowed a, gx_borrowed b, bool *out) {
    if (a.tag == GX_INT && b.tag == GX_INT) {
        *out = a.i < b.i;
        return true;
    }
    if (a.tag == GX_FLOAT && b.tag == GX_FLOAT) {
        *out = a.f < b.f;
        return true;
    }
    if (a.tag == GX_STR && b.tag == GX_STR && !a.obj->type->heap && !b.obj->type->heap) {
        *out = gx_str_order(gx_as_str(a), gx_as_str(b)) < 0;
        return true;
    }
    gx_value r;
    if (!gx_compare(rt, GX_LT, a, b, &r)) return false;
    bool ok = gx_truth(rt, r, out);
    gx_drop(r);
    return ok;
}

/* --- items ------------------------------------------------------------------------------------ */

bool gx_get_item(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    if (key.tag == GX_INT && v.tag == GX_LIST && !v.obj->type->heap) {
        gx_list *l = gx_as_list(v);
        int64_t i = key.i < 0 ? key.i + l->count : key.i;
        if (GX_LIKELY((uint64_t)i < (uint64_t)l->count)) {
            *out = gx_keep(l->items[i]);
            return true;
        }
    }
    for (const gx_type *t = gx_type_of(v); t; t = t->base)
        if (t->get) {
            if (!gx_lively(v) && !gx_lively(key)) return t->get(rt, v, key, out);
            bool held = gx_hold2(v, key), ok = t->get(rt, v, key, out);
            gx_release2(held, v, key);
            return ok;
        }
    if (gx_as_type(v)) return rt->heap->ops->item(rt, v, key, out);
    return gx_fail(rt, GX_TypeError, "type.subscript", "'%s' object is not subscriptable",
                   gx_type_name(v));
}

/* May code of a script run when this is an index? Slices and numbers in a tuple run none. */
static bool is_lively_key(gx_borrowed key) {
    if (key.tag == GX_SLICE) {
        const gx_slice *s = (const gx_slice *)key.obj;
        return gx_lively(s->start) || gx_lively(s->stop) || gx_lively(s->step);
    }
    if (key.tag != GX_TUPLE || gx_is_instance(key)) return gx_lively(key);
    const gx_value *items;
    int64_t n = gx_sequence_items(key, &items);
    for (int64_t i = 0; i < n; i++)
        if (items[i].tag == GX_SLICE ? is_lively_key(items[i]) : gx_lively(items[i])) return true;
    return false;
}

/* The metaclass's own method, whose answer nobody reads. */
static gx_try tell_metaclass(gx_rt *rt, gx_borrowed v, const char *name, int argc,
                             const gx_borrowed *argv) {
    gx_value r;
    gx_try told = gx_meta_special(rt, v, name, argc, argv, &r);
    if (told == GX_TRY_YES) gx_drop(r);
    return told;
}

bool gx_set_item(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_borrowed item) {
    for (const gx_type *t = gx_type_of(v); t; t = t->base)
        if (t->set) {
            if (item.tag < GX_FIRST_OBJECT && !gx_lively(v) &&
                (key.tag < GX_FIRST_OBJECT || !is_lively_key(key)))
                return t->set(rt, v, key, item);
            /* An array that is stored by no code of a script stays a temporary, which is fused. */
            gx_value mine = item.tag != GX_ARRAY || is_lively_key(key) ? gx_keep(item) : gx_undef();
            bool held = gx_hold2(v, key), ok = t->set(rt, v, key, item);
            gx_release2(held, v, key);
            gx_drop(mine);
            return ok;
        }
    gx_try told = tell_metaclass(rt, v, "__setitem__", 2, (gx_borrowed[]){key, item});
    if (told != GX_TRY_NO) return told == GX_TRY_YES;
    if (gx_special_find(rt, v, "__delitem__").tag != GX_UNDEF)
        return gx_fail(rt, GX_AttributeError, "attr.missing", "__setitem__");
    return gx_fail(rt, GX_TypeError, "type.assign", "'%s' object does not support item assignment",
                   gx_type_name(v));
}

bool gx_del_item(gx_rt *rt, gx_borrowed v, gx_borrowed key) {
    for (const gx_type *t = gx_type_of(v); t; t = t->base)
        if (t->del) {
            bool held = gx_hold2(v, key), ok = t->del(rt, v, key);
            gx_release2(held, v, key);
            return ok;
        }
    gx_try told = tell_metaclass(rt, v, "__delitem__", 1, &key);
    if (told != GX_TRY_NO) return told == GX_TRY_YES;
    if (gx_special_find(rt, v, "__setitem__").tag != GX_UNDEF)
        return gx_fail(rt, GX_AttributeError, "attr.missing", "__delitem__");
    return gx_fail(rt, GX_TypeError, "type.delete", "'%s' object does not support item deletion",
                   gx_type_name(v));
}

/* `in` by iterating. */
static bool contains_by_iter(gx_rt *rt, gx_borrowed v, gx_borrowed item, bool *out) {
    gx_value it, x;
    if (!gx_iter(rt, v, &it)) return false;
    bool ok, more, found = false;
    while ((ok = gx_next(rt, it, &x, &more)) && more) {
        ok = gx_equal(rt, x, item, &found);
        gx_drop(x);
        if (!ok || found) break;
    }
    gx_drop(it);
    if (ok) *out = found;
    return ok;
}

bool gx_contains(gx_rt *rt, gx_borrowed v, gx_borrowed item, bool *out) {
    bool iterates = false;
    for (const gx_type *t = gx_type_of(v); t; t = t->base) {
        if (t->contains) {
            bool held = gx_hold2(v, item), ok = t->contains(rt, v, item, out);
            gx_release2(held, v, item);
            return ok;
        }
        iterates = iterates || t->iter || (t->next && !t->heap);
    }
    if (iterates) {
        bool held = gx_hold2(v, item), ok = contains_by_iter(rt, v, item, out);
        gx_release2(held, v, item);
        return ok;
    }
    return gx_fail(rt, GX_TypeError, "type.contains", "argument of type '%s' is not iterable",
                   gx_type_name(v));
}

/* --- iteration -------------------------------------------------------------------------------- */

bool gx_iterable(gx_borrowed v) {
    for (const gx_type *t = gx_type_of(v); t; t = t->base)
        if (t->iter || (t->next && !t->heap)) return true;
    return false;
}

bool gx_is_sequence(gx_borrowed v) {
    for (const gx_type *t = gx_type_of(v); t; t = t->base) {
        if (t->tag == GX_DICT && !t->heap) return false;
        if (t->get) return true;
    }
    return false;
}

bool gx_iter(gx_rt *rt, gx_borrowed v, gx_value *out) {
    for (const gx_type *t = gx_type_of(v); t; t = t->base) {
        if (t->iter) {
            gx_value held = gx_hold(v);
            bool ok = t->iter(rt, v, out);
            gx_drop(held);
            return ok;
        }
        if (t->next && !t->heap) { /* a class of the script says so by __iter__ */
            *out = gx_keep(v);
            return true;
        }
    }
    gx_fail(rt, GX_TypeError, "type.iterate", "'%s' object is not iterable", gx_type_name(v));
    return gx_about(rt, 1, (int64_t[]){v.tag});
}

bool gx_next(gx_rt *rt, gx_borrowed iterator, gx_value *out, bool *more) {
    if (GX_UNLIKELY(gx_failed(&rt->error)) || !gx_interrupt_check(rt)) return false;
    for (const gx_type *t = gx_type_of(iterator); t; t = t->base)
        if (t->next) {
            gx_value held = gx_hold(iterator);
            bool ok = t->next(rt, iterator, out, more);
            gx_drop(held);
            if (GX_LIKELY(ok) || rt->error.kind != GX_StopIteration) return ok;
            gx_error_clear(rt); /* of what it called: the end, as next() cannot tell them apart */
            *more = false;
            return true;
        }
    return gx_fail(rt, GX_TypeError, "type.iterator", "'%s' object is not an iterator",
                   gx_type_name(iterator));
}

/* --- instances below types of values ---------------------------------------------------------- */

bool gx_plain_value(gx_rt *rt, gx_borrowed v, gx_value *out) {
    const gx_type *builtin = gx_is_instance(v) ? gx_plain_type(v.obj->type) : NULL;
    gx_value number = gx_plain_number(v);
    if (builtin && gx_is_value_type(builtin) && number.tag == v.tag)
        return builtin->plain(rt, v, out);
    *out = number.tag == v.tag ? gx_keep(v) : number;
    return true;
}
