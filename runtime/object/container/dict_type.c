/* The type dict: what the operations on values do with a dict. */
#include "runtime/device/work.h"
#include "runtime/object/container/dict_int.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/heap.h"
#include "runtime/object/types.h"

static gx_try dict_inplace(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    if (op != GX_BITOR) return GX_TRY_NO;
    if (!gx_dict_update(rt, a, b)) return GX_TRY_ERROR;
    *out = gx_keep(a);
    return GX_TRY_YES;
}

static bool construct(gx_call *c, gx_value *out) {
    gx_value d;
    if (!gx_dict_new(c->rt, &d)) return false;
    bool ok = (!gx_arg_given(c, 0) || gx_dict_update(c->rt, d, c->argv[0])) &&
              gx_dict_update(c->rt, d, c->argv[1]);
    if (!ok) {
        gx_drop(d);
        return false;
    }
    *out = d;
    return true;
}

static const gx_native dict_construct = {
    "dict", "dict(iterable=<no value>, /, **kwargs)",
    "A dict from a mapping, an iterable of pairs, or keywords.", "dict(a=1)  # {'a': 1}",
    construct, 0, 0,
};

static bool dict_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    bool again, ok = true;
    if (!gx_repr_enter(rt, v.obj, &again)) return false;
    if (again) return gx_buf_puts(out, "{...}");
    ok = gx_buf_char(out, '{');
    int64_t at = 0, n = 0;
    for (gx_entry *e; ok && (e = gx_dict_next(gx_as_dict(v), &at)); n++) {
        gx_value key = gx_keep(e->key), value = gx_keep(e->value);
        ok = (n == 0 || gx_buf_puts(out, ", ")) && gx_repr(rt, key, out) &&
             gx_buf_puts(out, ": ") && gx_repr(rt, value, out);
        gx_drop(key);
        gx_drop(value);
    }
    ok = ok && gx_buf_char(out, '}');
    gx_repr_leave(rt);
    return ok;
}

static gx_try dict_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    if (a.tag != GX_DICT || b.tag != GX_DICT || (op != GX_EQ && op != GX_NE)) return GX_TRY_NO;
    bool equal = gx_as_dict(a)->count == gx_as_dict(b)->count;
    if (!gx_stack_check(rt)) return GX_TRY_ERROR;
    int64_t at = 0, steps = 0;
    for (gx_entry *e; equal && (e = gx_dict_next(gx_as_dict(a), &at));) {
        if (++steps % 4096 == 0 && !gx_work_end(rt)) return GX_TRY_ERROR;
        gx_value key = gx_keep(e->key), value = gx_keep(e->value), other;
        gx_try r = gx_dict_find(rt, b, key, &other);
        if (r == GX_TRY_YES) {
            if (!gx_equal(rt, value, other, &equal)) r = GX_TRY_ERROR;
            gx_drop(other);
        }
        gx_drop(key);
        gx_drop(value);
        if (r == GX_TRY_ERROR) return r;
        equal = equal && r == GX_TRY_YES;
    }
    *out = gx_bool(equal == (op == GX_EQ));
    return GX_TRY_YES;
}

static bool dict_get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    gx_try r = gx_dict_find(rt, v, key, out);
    return r == GX_TRY_NO ? gx_key_error(rt, key) : r == GX_TRY_YES;
}

static bool dict_set(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_borrowed item) {
    return gx_dict_set(rt, v, key, item);
}

static bool dict_del(gx_rt *rt, gx_borrowed v, gx_borrowed key) {
    gx_try r = gx_dict_remove(rt, v, key, NULL);
    return r == GX_TRY_NO ? gx_key_error(rt, key) : r == GX_TRY_YES;
}

static gx_try dict_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    if (op != GX_BITOR || a.tag != GX_DICT || b.tag != GX_DICT) return GX_TRY_NO;
    gx_value d;
    if (!gx_dict_new(rt, &d)) return GX_TRY_ERROR;
    if (!gx_table_copy(rt, a, d) || !gx_table_copy(rt, b, d)) {
        gx_drop(d);
        return GX_TRY_ERROR;
    }
    *out = d;
    return GX_TRY_YES;
}

const gx_type gx_type_dict = {
    .name = "dict", .tag = GX_DICT, .dtype = GX_NO_DTYPE, .container = true,
    .doc = "Values found by their keys, in the order of insertion.",
    .free = gx_table_free, .traverse = gx_table_traverse, .clear = gx_table_clear,
    .repr = dict_repr, .compare = dict_compare, .binary = dict_binary, .length = gx_table_length,
    .get = dict_get, .set = dict_set, .del = dict_del, .contains = gx_table_contains,
    .iter = gx_dict_iter, .inplace = dict_inplace, .construct = &dict_construct,
};
