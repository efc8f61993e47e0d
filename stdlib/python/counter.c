/* collections.Counter: a dict of counts, 0 where a key is missing. */
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/operators.h"
#include "runtime/object/still.h"
#include "runtime/object/text/str.h"
#include "stdlib/python/builtins.h"
#include "stdlib/python/walk.h"
#include "stdlib/stdlib.h"

extern const gx_type gx_type_counter;

static void free_counter(gx_rt *rt, gx_obj *o) {
    gx_type_dict.free(rt, o);
}

static void traverse_counter(gx_obj *o, gx_visit visit, void *ctx) {
    gx_type_dict.traverse(o, visit, ctx);
}

static void clear_counter(gx_rt *rt, gx_obj *o) {
    gx_type_dict.clear(rt, o);
}

static bool new_counter(gx_rt *rt, gx_value *out) {
    gx_dict *d = gx_obj_new(rt, &gx_type_counter, sizeof *d);
    if (!d) return false;
    gx_container_track(rt, &d->head);
    *out = gx_object(&d->head.obj);
    return true;
}

static bool is_counter(gx_borrowed v) {
    return gx_isinstance(v, &gx_type_counter);
}

static bool counter_get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    gx_try r = gx_dict_find(rt, v, key, out);
    if (r == GX_TRY_NO) *out = gx_int(0);
    return r != GX_TRY_ERROR;
}

/* counter[key] = counter[key] op amount. */
static bool count(gx_rt *rt, gx_borrowed counter, gx_binop op, gx_borrowed key,
                  gx_borrowed amount) {
    gx_value now, next;
    if (!counter_get(rt, counter, key, &now)) return false;
    bool ok = gx_binary(rt, op, now, amount, &next);
    gx_drop(now);
    if (!ok) return false;
    ok = gx_dict_set(rt, counter, key, next);
    gx_drop(next);
    return ok;
}

/* Counts what an iterable yields, or adds the amounts of a mapping. */
static bool count_all(gx_rt *rt, gx_borrowed counter, gx_binop op, gx_borrowed from) {
    gx_value it, item;
    gx_entry *e;
    int64_t at = 0;
    bool ok = true, more;
    if (from.tag == GX_NONE) return true;
    if (from.tag == GX_DICT) {
        gx_value list;
        if (from.obj == counter.obj) {
            if (!gx_list_of(rt, from, &list)) return false;
            for (int64_t i = 0; ok && i < gx_as_list(list)->count; i++) {
                gx_value amount;
                if (!(ok = counter_get(rt, from, gx_as_list(list)->items[i], &amount))) break;
                ok = count(rt, counter, op, gx_as_list(list)->items[i], amount);
                gx_drop(amount);
            }
            gx_drop(list);
            return ok;
        }
        /* As in Python: nothing is added where nothing was counted before. */
        const bool empty = op == GX_ADD && gx_as_dict(counter)->count == 0;
        while (ok && (e = gx_dict_next(gx_as_dict(from), &at))) {
            gx_value key = gx_keep(e->key), amount = gx_keep(e->value);
            ok = empty ? gx_dict_set(rt, counter, key, amount)
                       : count(rt, counter, op, key, amount);
            gx_drop(key);
            gx_drop(amount);
        }
        return ok;
    }
    if (!gx_iter(rt, from, &it)) return false;
    while ((ok = gx_next(rt, it, &item, &more)) && more) {
        ok = count(rt, counter, op, item, gx_int(1));
        gx_drop(item);
        if (!ok) break;
    }
    gx_drop(it);
    return ok;
}

static bool make_counter(gx_call *c, gx_value *out) {
    gx_value v;
    if (!new_counter(c->rt, &v)) return false;
    if (count_all(c->rt, v, GX_ADD, c->argv[0]) && count_all(c->rt, v, GX_ADD, c->argv[1])) {
        *out = v;
        return true;
    }
    gx_drop(v);
    return false;
}

static bool update(gx_call *c, gx_binop op, gx_value *out) {
    if (!count_all(c->rt, c->argv[0], op, c->argv[1]) ||
        !count_all(c->rt, c->argv[0], op, c->argv[2]))
        return false;
    *out = gx_none();
    return true;
}

static bool counter_update(gx_call *c, gx_value *out) {
    return update(c, GX_ADD, out);
}

static bool counter_subtract(gx_call *c, gx_value *out) {
    return update(c, GX_SUB, out);
}

/* operator.itemgetter(1), the key of a pair's count. */
static bool count_key(gx_rt *rt, gx_value *out) {
    gx_value module, maker;
    gx_sym name = gx_sym_c(rt, "itemgetter");
    if (!name || gx_module_import(rt, "operator", &module) != GX_TRY_YES) return false;
    bool ok = gx_get_attr(rt, module, name, &maker) && gx_call1(rt, maker, gx_int(1), out);
    gx_drop(module);
    return ok;
}

/* Pairs as a list, the largest counts first; equal ones in order of insertion. */
static bool by_count(gx_rt *rt, gx_borrowed counter, gx_value *out) {
    gx_value list, key;
    gx_entry *e;
    int64_t at = 0;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    bool ok = true;
    while (ok && (e = gx_dict_next(gx_as_dict(counter), &at))) {
        gx_value pair[2] = {gx_keep(e->key), gx_keep(e->value)}, tuple;
        ok = gx_tuple_take(rt, 2, pair, &tuple) && gx_list_push_take(rt, list, tuple);
    }
    ok = ok && count_key(rt, &key);
    if (ok) {
        ok = gx_list_sort(rt, list, key, true);
        gx_drop(key);
    }
    if (ok)
        *out = list;
    else
        gx_drop(list);
    return ok;
}

static bool counter_most_common(gx_call *c, gx_value *out) {
    gx_value list;
    int64_t n = INT64_MAX;
    if (gx_arg_some(c, 1) && !gx_arg_bound(c, 1, &n)) return false;
    if (n <= 0) return gx_list_new(c->rt, 0, NULL, out);
    if (!by_count(c->rt, c->argv[0], &list)) return false;
    if (n >= gx_as_list(list)->count) {
        *out = list;
        return true;
    }
    bool ok = gx_list_new(c->rt, n, gx_as_list(list)->items, out);
    gx_drop(list);
    return ok;
}

static bool counter_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_value list;
    if (gx_as_dict(v)->count == 0) return gx_buf_puts(out, "Counter()");
    if (!by_count(rt, v, &list)) {
        if (rt->error.kind != GX_TypeError) return false;
        gx_error_clear(rt); /* counts without an order: as they were inserted */
        return gx_buf_puts(out, "Counter(") && gx_type_dict.repr(rt, v, out) &&
               gx_buf_char(out, ')');
    }
    bool ok = gx_buf_puts(out, "Counter({");
    for (int64_t i = 0; ok && i < gx_as_list(list)->count; i++) {
        const gx_tuple *pair = gx_as_tuple(gx_as_list(list)->items[i]);
        ok = (i == 0 || gx_buf_puts(out, ", ")) && gx_repr(rt, pair->items[0], out) &&
             gx_buf_puts(out, ": ") && gx_repr(rt, pair->items[1], out);
    }
    gx_drop(list);
    return ok && gx_buf_puts(out, "})");
}

static bool counter_elements(gx_call *c, gx_value *out) {
    gx_value list;
    gx_entry *e;
    int64_t at = 0, n;
    if (!gx_list_new(c->rt, 0, NULL, &list)) return false;
    bool ok = true;
    while (ok && (e = gx_dict_next(gx_as_dict(c->argv[0]), &at))) {
        GX_STILL(key);
        key = gx_keep(e->key);
        gx_try is = gx_as_index(c->rt, e->value, &n);
        ok = is == GX_TRY_YES;
        if (is == GX_TRY_NO) gx_fail(c->rt, GX_TypeError, "iter.count", "counts must be integers");
        for (int64_t i = 0; ok && i < n; i++) ok = gx_list_push(c->rt, list, key);
    }
    ok = ok && gx_iter(c->rt, list, out);
    gx_drop(list);
    return ok;
}

static bool counter_total(gx_call *c, gx_value *out) {
    gx_value total = gx_int(0), next;
    gx_entry *e;
    int64_t at = 0;
    while ((e = gx_dict_next(gx_as_dict(c->argv[0]), &at))) {
        if (!gx_binary(c->rt, GX_ADD, total, e->value, &next)) {
            gx_drop(total);
            return false;
        }
        gx_drop(total);
        total = next;
    }
    *out = total;
    return true;
}

static bool counter_copy(gx_call *c, gx_value *out) {
    gx_value v;
    if (!new_counter(c->rt, &v)) return false;
    if (count_all(c->rt, v, GX_ADD, c->argv[0])) {
        *out = v;
        return true;
    }
    gx_drop(v);
    return false;
}

/* The smaller or larger of two counts, owned. */
static bool choose(gx_rt *rt, bool smaller, gx_borrowed a, gx_borrowed b, gx_value *out) {
    bool less;
    if (!gx_less(rt, a, b, &less)) return false;
    *out = gx_keep(less == smaller ? a : b);
    return true;
}

/* What + - & | make of the counts of one key. */
static bool combine_counts(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    if (op == GX_ADD || op == GX_SUB) return gx_binary(rt, op, a, b, out);
    return choose(rt, op == GX_BITAND, a, b, out);
}

/* Puts key's combined count into r if it is positive. */
static bool combine_key(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_borrowed key,
                        gx_borrowed r) {
    gx_value x, y, both;
    bool positive;
    if (!counter_get(rt, a, key, &x)) return false;
    bool ok = counter_get(rt, b, key, &y);
    if (ok) {
        ok = combine_counts(rt, op, x, y, &both);
        gx_drop(y);
    }
    gx_drop(x);
    if (!ok) return false;
    ok = gx_less(rt, gx_int(0), both, &positive) &&
         (!positive || gx_dict_set(rt, r, key, both));
    gx_drop(both);
    return ok;
}

static gx_try counter_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_value r;
    gx_entry *e;
    if (op != GX_ADD && op != GX_SUB && op != GX_BITAND && op != GX_BITOR) return GX_TRY_NO;
    if (!is_counter(a) || !is_counter(b)) return GX_TRY_NO;
    if (!new_counter(rt, &r)) return GX_TRY_ERROR;
    bool ok = true;
    for (int side = 0; ok && side < 2; side++) {
        int64_t at = 0;
        while (ok && (e = gx_dict_next(gx_as_dict(side ? b : a), &at))) {
            GX_STILL(key);
            key = gx_keep(e->key);
            ok = combine_key(rt, op, a, b, key, r);
        }
    }
    if (ok) {
        *out = r;
        return GX_TRY_YES;
    }
    gx_drop(r);
    return GX_TRY_ERROR;
}

/* + and -: the positive counts, or the negative ones turned round. */
static gx_try counter_unary(gx_rt *rt, gx_unop op, gx_borrowed a, gx_value *out) {
    gx_value none, r;
    if (op == GX_INVERT) return GX_TRY_NO;
    if (!new_counter(rt, &none)) return GX_TRY_ERROR;
    gx_try is = op == GX_POS ? counter_binary(rt, GX_ADD, a, none, &r)
                             : counter_binary(rt, GX_SUB, none, a, &r);
    gx_drop(none);
    if (is == GX_TRY_YES) *out = r;
    return is;
}

/* Drops what is not above zero. */
static bool keep_positive(gx_rt *rt, gx_borrowed counter) {
    gx_value keys;
    if (!gx_list_of(rt, counter, &keys)) return false;
    bool ok = true;
    for (int64_t i = 0; ok && i < gx_as_list(keys)->count; i++) {
        gx_borrowed key = gx_as_list(keys)->items[i];
        gx_value amount;
        bool positive = true;
        if (!(ok = counter_get(rt, counter, key, &amount))) break;
        ok = gx_less(rt, gx_int(0), amount, &positive) &&
             (positive || gx_dict_remove(rt, counter, key, NULL) != GX_TRY_ERROR);
        gx_drop(amount);
    }
    gx_drop(keys);
    return ok;
}

/* counter[key] becomes the larger count (of |=) or the smaller (of &=). */
static bool settle(gx_rt *rt, gx_binop op, gx_borrowed counter, gx_borrowed key,
                   gx_borrowed amount) {
    gx_value now;
    bool other;
    if (!counter_get(rt, counter, key, &now)) return false;
    bool ok = op == GX_BITAND ? gx_less(rt, amount, now, &other) : gx_less(rt, now, amount, &other);
    gx_drop(now);
    return ok && (!other || gx_dict_set(rt, counter, key, amount));
}

/* counter op= other, by the pairs of other.items() (of &=: by the counter's own keys). */
static gx_try counter_inplace(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b,
                              gx_value *out) {
    gx_value fn, items, list;
    if (op != GX_ADD && op != GX_SUB && op != GX_BITAND && op != GX_BITOR) return GX_TRY_NO;
    gx_sym name = gx_sym_c(rt, "items");
    if (!name || !gx_get_attr(rt, op == GX_BITAND ? a : b, name, &fn)) return GX_TRY_ERROR;
    bool ok = gx_call_value(rt, fn, 0, NULL, 0, NULL, &items);
    gx_drop(fn);
    if (!ok) return GX_TRY_ERROR;
    ok = gx_list_of(rt, items, &list);
    gx_drop(items);
    if (!ok) return GX_TRY_ERROR;
    for (int64_t i = 0; ok && i < gx_as_list(list)->count; i++) {
        gx_value pair, amount;
        if (!(ok = gx_tuple_of(rt, gx_as_list(list)->items[i], &pair))) break;
        ok = gx_as_tuple(pair)->count == 2 ||
             gx_fail(rt, GX_ValueError, "dict.update", "items() of a mapping are pairs");
        if (ok) {
            const gx_value *both = gx_as_tuple(pair)->items;
            if (op == GX_ADD || op == GX_SUB) {
                ok = count(rt, a, op, both[0], both[1]);
            } else if (op == GX_BITOR) {
                ok = settle(rt, op, a, both[0], both[1]);
            } else if ((ok = gx_get_item(rt, b, both[0], &amount))) {
                ok = settle(rt, op, a, both[0], amount);
                gx_drop(amount);
            }
        }
        gx_drop(pair);
    }
    gx_drop(list);
    if (!ok || !keep_positive(rt, a)) return GX_TRY_ERROR;
    *out = gx_keep(a);
    return GX_TRY_YES;
}

/* Do all keys of `keys` compare so in a and b, a missing key as 0? */
static bool all_counts(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_borrowed keys,
                       bool *out) {
    gx_value list;
    if (!gx_list_of(rt, keys, &list)) return false;
    bool ok = true, good = true;
    for (int64_t i = 0; ok && good && i < gx_as_list(list)->count; i++) {
        gx_borrowed key = gx_as_list(list)->items[i];
        gx_value x, y, r;
        if (!(ok = counter_get(rt, a, key, &x))) break;
        ok = counter_get(rt, b, key, &y);
        if (ok) {
            ok = gx_compare(rt, op, x, y, &r);
            gx_drop(y);
        }
        gx_drop(x);
        if (!ok) break;
        ok = gx_truth(rt, r, &good);
        gx_drop(r);
    }
    gx_drop(list);
    *out = good;
    return ok;
}

static gx_try counter_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b,
                              gx_value *out) {
    bool yes, equal;
    if (!is_counter(a) || !is_counter(b)) return gx_type_dict.compare(rt, op, a, b, out);
    gx_cmpop each = op == GX_LT ? GX_LE : op == GX_GT ? GX_GE : op == GX_NE ? GX_EQ : op;
    if (!all_counts(rt, each, a, b, a, &yes) || (yes && !all_counts(rt, each, a, b, b, &yes)))
        return GX_TRY_ERROR;
    if (op == GX_NE) yes = !yes;
    if (yes && (op == GX_LT || op == GX_GT)) {
        if (!all_counts(rt, GX_EQ, a, b, a, &equal) ||
            (equal && !all_counts(rt, GX_EQ, a, b, b, &equal)))
            return GX_TRY_ERROR;
        yes = !equal;
    }
    *out = gx_bool(yes);
    return GX_TRY_YES;
}

static bool counter_del(gx_rt *rt, gx_borrowed v, gx_borrowed key) {
    return gx_dict_remove(rt, v, key, NULL) != GX_TRY_ERROR;
}

static bool counter_missing(gx_call *c, gx_value *out) {
    (void)c;
    *out = gx_int(0);
    return true;
}

static const gx_native counter_row = {"Counter", "Counter(iterable=None, /, **kwds)",
                                      "How often each item comes.",
                                      "collections.Counter('aab')  # Counter({'a': 2, 'b': 1})",
                                      make_counter, 0, 0};
static const gx_native counter_methods[] = {
    {"most_common", "most_common(self, n=None)", "Pairs (item, count), the largest first.", NULL,
     counter_most_common, 0, 0},
    {"elements", "elements(self)", "Each item as often as it was counted.", NULL, counter_elements,
     0, 0},
    {"total", "total(self)", "The sum of the counts.", NULL, counter_total, 0, 0},
    {"update", "update(self, iterable=None, /, **kwds)", "Counts more items.", NULL, counter_update,
     0, 0},
    {"subtract", "subtract(self, iterable=None, /, **kwds)", "Takes counts away.", NULL,
     counter_subtract, 0, 0},
    {"copy", "copy(self)", "A copy.", NULL, counter_copy, 0, 0},
    {"__missing__", "__missing__(self, key)", "0, the count of a missing key.", NULL,
     counter_missing, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};

const gx_type gx_type_counter = {
    .name = "collections.Counter",
    .base = &gx_type_dict,
    .tag = GX_DICT,
    .dtype = GX_NO_DTYPE,
    .container = true,
    .doc = "How often each item comes.",
    .free = free_counter,
    .traverse = traverse_counter,
    .clear = clear_counter,
    .repr = counter_repr,
    .get = counter_get,
    .del = counter_del,
    .binary = counter_binary,
    .unary = counter_unary,
    .inplace = counter_inplace,
    .compare = counter_compare,
    .construct = &counter_row,
    .methods = counter_methods,
};
