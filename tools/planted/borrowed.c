/* What tools/borrowed.py must find, each by the rule that begins its name, and what it must not. */
#include "runtime/object/container/list.h"
#include "runtime/object/still.h"

bool pointer_in_loop(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const gx_value *items;
    int64_t n = gx_sequence_items(v, &items);
    for (int64_t i = 0; i < n; i++)
        if (!gx_repr(rt, items[i], out)) return false;
    return true;
}

bool pointer_of_field(gx_rt *rt, gx_borrowed v, gx_borrowed x, bool *same) {
    const gx_value *first = gx_as_list(v)->items;
    return gx_equal(rt, x, x, same) && gx_equal(rt, first[0], x, same);
}

bool pointer_of_entry(gx_rt *rt, gx_dict *d, gx_buf *out) {
    int64_t at = 0;
    for (gx_entry *e; (e = gx_dict_next(d, &at));)
        if (!gx_repr(rt, e->key, out) || !gx_repr(rt, e->value, out)) return false;
    return true;
}

static bool sound_all(gx_rt *rt, const gx_value *items, int64_t n, gx_buf *out) {
    for (int64_t i = 0; i < n; i++)
        if (!gx_repr(rt, items[i], out)) return false;
    return true;
}

bool pointer_handed_on(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    return sound_all(rt, gx_as_list(v)->items, gx_as_list(v)->count, out);
}

bool index_by_old_count(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const gx_list *l = gx_as_list(v);
    for (int64_t i = 0, n = l->count; i < n; i++)
        if (!gx_repr(rt, l->items[i], out)) return false;
    return true;
}

bool item_not_kept(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_value x = gx_as_list(v)->items[0];
    return gx_repr(rt, v, out) && gx_list_push(rt, v, x);
}

static bool sound_twice(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    return gx_repr(rt, v, out) && gx_repr(rt, v, out);
}

bool item_handed_on(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    return sound_twice(rt, gx_as_list(v)->items[0], out);
}

bool sound_counted_again(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const gx_list *l = gx_as_list(v);
    for (int64_t i = 0; i < l->count; i++)
        if (!gx_repr(rt, l->items[i], out)) return false;
    return true;
}

bool sound_tuple(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const gx_value *items;
    int64_t n = v.tag == GX_TUPLE ? gx_sequence_items(v, &items) : 0;
    for (int64_t i = 0; i < n; i++)
        if (!sound_twice(rt, items[i], out)) return false;
    return true;
}

bool sound_held(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const gx_value *items;
    int64_t n;
    GX_STILL(own);
    if (!gx_still_items(rt, v, &own, &items, &n)) return false;
    for (int64_t i = 0; i < n; i++)
        if (!sound_twice(rt, items[i], out)) return false;
    return true;
}

bool sound_own(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_value list;
    if (!gx_list_of(rt, v, &list)) return false;
    bool ok = sound_all(rt, gx_as_list(list)->items, gx_as_list(list)->count, out);
    gx_drop(list);
    return ok;
}

bool sound_no_code_runs(gx_rt *rt, gx_borrowed v, gx_borrowed list) {
    const gx_value *items;
    int64_t n = gx_sequence_items(v, &items);
    for (int64_t i = 0; i < n; i++)
        if (!gx_list_push(rt, list, items[i])) return false;
    return true;
}
