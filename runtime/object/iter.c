/* Iterators over sequences, and what lists, tuples, texts and ranges share: comparison item by
   item, repetition, index checks. Iterators over dicts and sets are in dict_views.c. */
#include "runtime/object/class/class.h"
#include "runtime/object/iter.h"

#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/heap.h"
#include "runtime/object/native.h"
#include "runtime/object/number/number.h"
#include "runtime/object/operators.h"
#include "runtime/object/text/str.h"

static void iter_free(gx_rt *rt, gx_obj *o) {
    gx_seq_iterator *it = (gx_seq_iterator *)o;
    gx_container_untrack(rt, &it->head);
    gx_drop(it->over);
    gx_obj_release(rt, o);
}

static void iter_traverse(gx_obj *o, gx_visit visit, void *ctx) {
    gx_seq_iterator *it = (gx_seq_iterator *)o;
    if (gx_is_object(it->over)) visit(it->over.obj, ctx);
}

static void iter_clear(gx_rt *rt, gx_obj *o) {
    (void)rt;
    gx_drop(gx_steal(&((gx_seq_iterator *)o)->over));
}

static bool finish(gx_seq_iterator *it, bool *more) {
    gx_drop(gx_steal(&it->over));
    *more = false;
    return true;
}

static bool str_next(gx_rt *rt, gx_seq_iterator *it, gx_value *out, bool *more) {
    gx_str *s = gx_as_str(it->over);
    size_t at = (size_t)it->at, end = at;
    if (it->step > 0) {
        if (at >= s->length) return finish(it, more);
        do end++;
        while (((unsigned char)s->text[end] & 0xC0) == 0x80);
        it->at = (int64_t)end;
    } else {
        if (it->at <= 0) return finish(it, more);
        do at--;
        while (((unsigned char)s->text[at] & 0xC0) == 0x80);
        it->at = (int64_t)at;
    }
    *more = true;
    return gx_str_new(rt, s->text + at, end - at, out);
}

static bool iter_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_seq_iterator *it = (gx_seq_iterator *)self.obj;
    gx_borrowed over = it->over;
    int64_t at = it->at, n;
    switch ((int)over.tag) {
    case GX_UNDEF: *more = false; return true;
    case GX_STR: return str_next(rt, it, out, more);
    case GX_LIST:
        if (at < 0 || at >= gx_as_list(over)->count) return finish(it, more);
        *out = gx_keep(gx_as_list(over)->items[at]);
        break;
    case GX_TUPLE:
        if (at < 0 || at >= gx_as_tuple(over)->count) return finish(it, more);
        *out = gx_keep(gx_as_tuple(over)->items[at]);
        break;
    case GX_RANGE: {
        gx_range *r = (gx_range *)over.obj;
        if (at < 0 || at >= r->count) return finish(it, more);
        *out = gx_int(r->start + at * r->step);
        break;
    }
    case GX_BYTES:
        if (at < 0 || at >= (int64_t)gx_as_str(over)->length) return finish(it, more);
        *out = gx_int((unsigned char)gx_as_str(over)->text[at]);
        break;
    default:
        if (!gx_length(rt, over, &n)) return false;
        if (at < 0 || at >= n) return finish(it, more);
        if (!gx_get_item(rt, over, gx_int(at), out)) return false;
    }
    it->at += it->step;
    *more = true;
    return true;
}

static bool iter_length(gx_rt *rt, gx_borrowed self, int64_t *out) {
    gx_seq_iterator *it = (gx_seq_iterator *)self.obj;
    *out = 0;
    int64_t n;
    if (it->over.tag == GX_UNDEF || it->over.tag == GX_STR) return true;
    if (!gx_length(rt, it->over, &n)) return false;
    *out = it->step > 0 ? n - it->at : it->at + 1;
    if (*out < 0) *out = 0;
    return true;
}

static bool length_hint(gx_call *c, gx_value *out) {
    int64_t n;
    if (!iter_length(c->rt, c->argv[0], &n)) return false;
    *out = gx_int(n);
    return true;
}

static const gx_native iter_methods[] = {
    {"__length_hint__", "__length_hint__(self, /)", "How many items are left.", NULL, length_hint,
     0, 0},
    {0},
};

/* One type a kind of sequence, so that an iterator's name says what it walks over. */
#define ITERATOR(id, text)                                                                         \
    static const gx_type id = {                                                                    \
        .name = text, .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .container = true,                   \
        .free = iter_free, .traverse = iter_traverse, .clear = iter_clear, .next = iter_next,      \
        .methods = iter_methods,                                                                   \
    }
ITERATOR(list_iterator, "list_iterator");
ITERATOR(tuple_iterator, "tuple_iterator");
ITERATOR(str_iterator, "str_iterator");
ITERATOR(bytes_iterator, "bytes_iterator");
ITERATOR(range_iterator, "range_iterator");
ITERATOR(other_iterator, "iterator");
ITERATOR(backward_iterator, "reversed");

static const gx_type *iterator_type(gx_borrowed v) {
    switch ((int)v.tag) {
    case GX_LIST: return &list_iterator;
    case GX_TUPLE: return &tuple_iterator;
    case GX_STR: return &str_iterator;
    case GX_BYTES: return &bytes_iterator;
    case GX_RANGE: return &range_iterator;
    default: return &other_iterator;
    }
}

static bool make(gx_rt *rt, const gx_type *type, gx_borrowed v, int64_t at, int64_t step,
                 gx_value *out) {
    gx_seq_iterator *it = gx_obj_new(rt, type, sizeof *it);
    if (!it) return false;
    it->over = gx_keep(v);
    it->at = at;
    it->step = step;
    if (gx_is_object(v) && v.obj->type->container) gx_container_track(rt, &it->head);
    *out = gx_object(&it->head.obj);
    return true;
}

bool gx_seq_iter(gx_rt *rt, gx_borrowed v, gx_value *out) {
    return make(rt, iterator_type(v), v, 0, 1, out);
}

bool gx_seq_reversed(gx_rt *rt, gx_borrowed v, gx_value *out) {
    int64_t n;
    if (v.tag == GX_STR)
        n = (int64_t)gx_as_str(v)->length + 1;
    else if (v.tag == GX_LIST) /* whatever a class below says of its length */
        n = gx_as_list(v)->count;
    else if (!gx_length(rt, v, &n))
        return false;
    return make(rt, &backward_iterator, v, n - 1, -1, out);
}

int64_t gx_seq_left(gx_rt *rt, gx_borrowed iterator) {
    int64_t n;
    if (!gx_is_object(iterator) || iterator.obj->type->next != iter_next) return 0;
    gx_borrowed over = ((gx_seq_iterator *)iterator.obj)->over;
    if (over.tag == GX_UNDEF || gx_type_of(over)->heap) return 0;
    return iter_length(rt, iterator, &n) ? n : 0;
}

/* --- what sequences share --------------------------------------------------------------------- */

gx_try gx_sequence_repeat(gx_rt *rt, gx_borrowed a, gx_borrowed b,
                          bool (*repeat)(gx_rt *, gx_borrowed v, int64_t n, gx_value *out),
                          gx_value *out) {
    bool first = a.tag == GX_STR || a.tag == GX_BYTES || a.tag == GX_LIST || a.tag == GX_TUPLE;
    gx_borrowed sequence = first ? a : b, count = first ? b : a;
    count = gx_plain_number(count);
    if (count.tag == GX_BIGINT) {
        gx_fail(rt, GX_OverflowError, "int.index", "cannot fit 'int' into an index-sized integer");
        return GX_TRY_ERROR;
    }
    if (count.tag == GX_ARRAY) return GX_TRY_NO;
    int64_t n;
    gx_try r = gx_as_index(rt, count, &n);
    if (r == GX_TRY_NO) {
        gx_fail(rt, GX_TypeError, "sequence.repeat",
                "can't multiply sequence by non-int of type '%s'", gx_type_name(count));
        return GX_TRY_ERROR;
    }
    if (r == GX_TRY_ERROR) return r;
    return repeat(rt, sequence, n, out) ? GX_TRY_YES : GX_TRY_ERROR;
}

/* The items at i of two lists or two tuples, borrowed; false: one of the two has ended. */
static inline bool pair_at(gx_borrowed a, gx_borrowed b, int64_t i, gx_value *x, gx_value *y) {
    if (a.tag == GX_LIST) {
        if (i >= gx_as_list(a)->count || i >= gx_as_list(b)->count) return false;
        *x = gx_as_list(a)->items[i];
        *y = gx_as_list(b)->items[i];
    } else {
        if (i >= gx_as_tuple(a)->count || i >= gx_as_tuple(b)->count) return false;
        *x = gx_as_tuple(a)->items[i];
        *y = gx_as_tuple(b)->items[i];
    }
    return true;
}

/* Two items that differ decide; *ends tells. */
static inline bool compare_pair(gx_rt *rt, gx_cmpop op, gx_borrowed x, gx_borrowed y, bool *ends,
                                gx_value *out) {
    bool equal;
    *ends = false;
    if (!gx_equal(rt, x, y, &equal)) return false;
    if (equal) return true;
    *ends = true;
    if (op != GX_EQ && op != GX_NE) return gx_compare(rt, op, x, y, out);
    *out = gx_bool(op == GX_NE);
    return true;
}

gx_try gx_items_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    const gx_value *items;
    gx_value x, y;
    int64_t an = gx_sequence_items(a, &items), bn = gx_sequence_items(b, &items);
    if ((op == GX_EQ || op == GX_NE) && an != bn) {
        *out = gx_bool(op == GX_NE);
        return GX_TRY_YES;
    }
    if (!gx_interrupt_check(rt)) return GX_TRY_ERROR;
    for (int64_t i = 0; pair_at(a, b, i, &x, &y); i++) {
        bool ends, ok;
        if (x.tag == GX_INT && y.tag == GX_INT && x.i == y.i) continue;
        gx_keep(x);
        gx_keep(y);
        ok = compare_pair(rt, op, x, y, &ends, out);
        gx_drop(x);
        gx_drop(y);
        if (!ok) return GX_TRY_ERROR;
        if (ends) return GX_TRY_YES;
    }
    an = gx_sequence_items(a, &items), bn = gx_sequence_items(b, &items);
    *out = gx_bool(gx_order_result(op, an < bn ? -1 : an > bn));
    return GX_TRY_YES;
}

/* The integer that a key is. */
static bool key_int(gx_rt *rt, gx_borrowed key, const char *type, int64_t *out) {
    gx_try r = key.tag == GX_INT ? (*out = key.i, GX_TRY_YES) : gx_as_index(rt, key, out);
    if (r == GX_TRY_ERROR && rt->error.kind == GX_OverflowError) {
        gx_error_clear(rt);
        return gx_fail(rt, GX_IndexError, "index.large",
                       "cannot fit '%s' into an index-sized integer", gx_type_name(key));
    }
    if (r != GX_TRY_NO) return r == GX_TRY_YES;
    gx_fail(rt, GX_TypeError, "index.type", "%s indices must be integers or slices, not %s", type,
            gx_type_name(key));
    if (key.tag == GX_TUPLE) gx_help(rt, "write x[i][j] for nested lists, or make an array first");
    return false;
}

static bool in_range(gx_rt *rt, int64_t i, int64_t n, const char *what, int64_t *out) {
    *out = i < 0 ? i + n : i;
    if (*out >= 0 && *out < n) return true;
    gx_fail(rt, GX_IndexError, "index.range", "%s out of range", what);
    if (n > 0) gx_note(rt, "index %lld, length %lld", (long long)i, (long long)n);
    return false;
}

bool gx_items_index(gx_rt *rt, gx_borrowed owner, gx_borrowed key, const char *what,
                    const char *type, int64_t *out) {
    const gx_value *items;
    int64_t i;
    return key_int(rt, key, type, &i) &&
           in_range(rt, i, gx_sequence_items(owner, &items), what, out);
}

bool gx_sequence_index(gx_rt *rt, gx_borrowed key, int64_t n, const char *what, const char *type,
                       int64_t *out) {
    int64_t i;
    return key_int(rt, key, type, &i) && in_range(rt, i, n, what, out);
}
