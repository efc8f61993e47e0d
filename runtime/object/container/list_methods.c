/* The methods of lists. */
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/object/container/list_int.h"
#include "runtime/object/heap.h"
#include "runtime/object/iter.h"

static gx_list *self(gx_call *c) {
    return gx_as_list(c->argv[0]);
}

static bool none(gx_value *out) {
    *out = gx_none();
    return true;
}

static bool append(gx_call *c, gx_value *out) {
    return gx_list_push(c->rt, c->argv[0], c->argv[1]) && none(out);
}

static bool extend(gx_call *c, gx_value *out) {
    return gx_list_extend(c->rt, c->argv[0], c->argv[1]) && none(out);
}

static bool insert(gx_call *c, gx_value *out) {
    gx_list *l = self(c);
    int64_t i;
    if (!gx_arg_int(c, 1, &i)) return false;
    if (i < 0) i = i + l->count < 0 ? 0 : i + l->count;
    if (i > l->count) i = l->count;
    return gx_list_splice(c->rt, l, i, 0, 1, &c->argv[2]) && none(out);
}

static bool pop(gx_call *c, gx_value *out) {
    gx_list *l = self(c);
    int64_t i = -1;
    if (gx_arg_given(c, 1) && !gx_arg_int(c, 1, &i)) return false;
    if (l->count == 0) return gx_fail(c->rt, GX_IndexError, "list.empty", "pop from empty list");
    if (i < 0) i += l->count;
    if (i < 0 || i >= l->count)
        return gx_fail(c->rt, GX_IndexError, "index.range", "pop index out of range");
    *out = l->items[i];
    memmove(l->items + i, l->items + i + 1, (size_t)(l->count - i - 1) * sizeof *l->items);
    l->count--;
    return true;
}

static bool remove_item(gx_call *c, gx_value *out) {
    gx_list *l = self(c);
    int64_t i;
    if (!gx_items_find(c->rt, c->argv[0], c->argv[1], 0, INT64_MAX, &i)) return false;
    if (i < 0)
        return gx_fail(c->rt, GX_ValueError, "list.missing", "list.remove(x): x not in list");
    return gx_list_splice(c->rt, l, i, 1, 0, NULL) && none(out);
}

static bool clear(gx_call *c, gx_value *out) {
    gx_list_empty(c->rt, self(c));
    return none(out);
}

static bool index_of(gx_call *c, gx_value *out) {
    int64_t from, to, i;
    if (!gx_find_bounds(c, 2, self(c)->count, &from, &to)) return false;
    if (!gx_items_find(c->rt, c->argv[0], c->argv[1], from, to, &i)) return false;
    if (i < 0) {
        gx_buf b = gx_buf_new(c->rt);
        if (gx_repr(c->rt, c->argv[1], &b))
            gx_fail(c->rt, GX_ValueError, "list.missing", "%s is not in list", gx_buf_text(&b));
        gx_buf_free(&b);
        return false;
    }
    *out = gx_int(i);
    return true;
}

static bool count(gx_call *c, gx_value *out) {
    int64_t n = 0;
    for (int64_t i = 0; i < self(c)->count; i++) {
        bool equal;
        if (GX_UNLIKELY(i % GX_WORK_LOOK == 0) && !gx_work_end(c->rt)) return false;
        gx_value item = gx_keep(self(c)->items[i]);
        bool ok = gx_equal(c->rt, item, c->argv[1], &equal);
        gx_drop(item);
        if (!ok) return false;
        n += equal;
    }
    *out = gx_int(n);
    return true;
}

static bool sort(gx_call *c, gx_value *out) {
    bool reverse;
    if (!gx_arg_bool(c, 2, &reverse)) return false;
    return gx_list_sort(c->rt, c->argv[0], c->argv[1], reverse) && none(out);
}

static bool reverse_items(gx_call *c, gx_value *out) {
    gx_list *l = self(c);
    for (int64_t i = 0, j = l->count - 1; i < j; i++, j--) {
        gx_value t = l->items[i];
        l->items[i] = l->items[j];
        l->items[j] = t;
    }
    return none(out);
}

static bool copy(gx_call *c, gx_value *out) {
    return gx_list_new(c->rt, self(c)->count, self(c)->items, out);
}

static bool reversed(gx_call *c, gx_value *out) {
    return gx_seq_reversed(c->rt, c->argv[0], out);
}

const gx_native gx_list_methods[] = {
    {"append", "append(self, object, /)", "Adds an item at the end.", NULL, append, 0, 0},
    {"extend", "extend(self, iterable, /)", "Adds all that an iterable yields.", NULL, extend, 0,
     0},
    {"insert", "insert(self, index, object, /)", "Inserts an item before an index.", NULL, insert,
     0, 0},
    {"pop", "pop(self, index=<no value>, /)", "Removes and returns an item, the last by default.",
     "[1, 2, 3].pop()  # 3", pop, 0, 0},
    {"remove", "remove(self, value, /)", "Removes the first item equal to value.", NULL,
     remove_item, 0, 0},
    {"clear", "clear(self, /)", "Removes all items.", NULL, clear, 0, 0},
    {"index", "index(self, value, start=<no value>, stop=<no value>, /)",
     "The first index of an item.", "[4, 5].index(5)  # 1", index_of, 0, 0},
    {"count", "count(self, value, /)", "How many items are equal to value.",
     "[1, 2, 1].count(1)  # 2", count, 0, 0},
    {"sort", "sort(self, *, key=None, reverse=False)", "Sorts in place, stably.", NULL, sort, 0, 0},
    {"reverse", "reverse(self, /)", "Reverses the order in place.", NULL, reverse_items, 0, 0},
    {"copy", "copy(self, /)", "A new list of the same items.", "[1].copy()  # [1]", copy, 0, 0},
    {"__reversed__", "__reversed__(self, /)", "An iterator from the end.", NULL, reversed, 0, 0},
    {0},
};
