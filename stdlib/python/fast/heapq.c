/* heapq's steps on lists, and bisect. Comparisons may run code of a script, which may change the
   list: its length is looked at after each. */
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str.h"
#include "stdlib/stdlib.h"

/* Of two tuples that begin with different numbers these tell which is less. */
static inline bool first_tells(const gx_tuple *a, const gx_tuple *b, bool *out) {
    if (!a->count || !b->count || a->head.obj.type->heap || b->head.obj.type->heap) return false;
    const gx_value x = a->items[0], y = b->items[0];
    if (x.tag == GX_INT && y.tag == GX_INT) {
        *out = x.i < y.i;
        return x.i != y.i;
    }
    if (x.tag != GX_FLOAT || y.tag != GX_FLOAT) return false;
    *out = x.f < y.f;
    return x.f < y.f || x.f > y.f;
}

/* Is a < b? For numbers without going around. */
static inline bool below(gx_rt *rt, gx_borrowed a, gx_borrowed b, bool *out) {
    if (a.tag == GX_INT && b.tag == GX_INT) {
        *out = a.i < b.i;
        return true;
    }
    if (a.tag == GX_FLOAT && b.tag == GX_FLOAT) {
        *out = a.f < b.f;
        return true;
    }
    if (a.tag == GX_TUPLE && b.tag == GX_TUPLE && first_tells(gx_as_tuple(a), gx_as_tuple(b), out))
        return true;
    gx_keep(a);
    gx_keep(b);
    bool ok = gx_less(rt, a, b, out);
    gx_drop(a);
    gx_drop(b);
    return ok;
}

static bool heap_arg(gx_call *c, gx_list **out) {
    if (c->argv[0].tag != GX_LIST)
        return gx_fail(c->rt, GX_TypeError, "heap.type", "%s() argument 1 must be list, not %s",
                       c->fn->name, gx_type_name(c->argv[0]));
    *out = gx_as_list(c->argv[0]);
    return true;
}

/* items[i] < items[k], of a list that still has n items afterwards. */
static bool item_below(gx_rt *rt, const gx_list *l, int64_t n, int64_t i, int64_t k, bool *out) {
    if (!below(rt, l->items[i], l->items[k], out)) return false;
    return l->count == n || gx_fail(rt, GX_RuntimeError, "iter.changed",
                                    "list changed size during iteration");
}

static void swap(gx_list *l, int64_t i, int64_t k) {
    gx_value v = l->items[i];
    l->items[i] = l->items[k];
    l->items[k] = v;
}

/* Moves an item up to where its parent is no greater. */
static bool rise(gx_rt *rt, gx_list *l, int64_t start, int64_t at) {
    const int64_t n = l->count;
    while (at > start) {
        const int64_t parent = (at - 1) >> 1;
        bool less;
        if (!item_below(rt, l, n, at, parent, &less)) return false;
        if (!less) break;
        swap(l, at, parent);
        at = parent;
    }
    return true;
}

/* Moves an item down along the smaller children to a leaf, and from there up again. */
static bool sink(gx_rt *rt, gx_list *l, int64_t at) {
    const int64_t n = l->count, start = at;
    while (at < n / 2) {
        int64_t child = 2 * at + 1;
        bool less;
        if (child + 1 < n) {
            if (!item_below(rt, l, n, child, child + 1, &less)) return false;
            if (!less) child++;
        }
        swap(l, at, child);
        at = child;
    }
    return rise(rt, l, start, at);
}

/* Puts an owned value to the top; gives what was there. */
static gx_value change_top(gx_list *l, gx_value v) {
    gx_value top = l->items[0];
    l->items[0] = v;
    return top;
}

static bool none(gx_value *out) {
    *out = gx_none();
    return true;
}

static bool heap_push(gx_call *c, gx_value *out) {
    gx_list *l;
    return heap_arg(c, &l) && gx_list_push(c->rt, c->argv[0], c->argv[1]) &&
           rise(c->rt, l, 0, l->count - 1) && none(out);
}

static bool heap_pop(gx_call *c, gx_value *out) {
    gx_list *l;
    if (!heap_arg(c, &l)) return false;
    if (!l->count) return gx_fail(c->rt, GX_IndexError, "index.range", "index out of range");
    gx_value last = l->items[--l->count];
    if (!l->count) {
        *out = last;
        return true;
    }
    gx_value first = change_top(l, last);
    if (sink(c->rt, l, 0)) {
        *out = first;
        return true;
    }
    gx_drop(first);
    return false;
}

static bool replace(gx_call *c, gx_list *l, gx_value *out) {
    gx_value first = change_top(l, gx_keep(c->argv[1]));
    if (sink(c->rt, l, 0)) {
        *out = first;
        return true;
    }
    gx_drop(first);
    return false;
}

static bool heap_replace(gx_call *c, gx_value *out) {
    gx_list *l;
    if (!heap_arg(c, &l)) return false;
    if (!l->count) return gx_fail(c->rt, GX_IndexError, "index.range", "index out of range");
    return replace(c, l, out);
}

static bool heap_pushpop(gx_call *c, gx_value *out) {
    gx_list *l;
    bool less = false;
    if (!heap_arg(c, &l)) return false;
    if (l->count && !below(c->rt, l->items[0], c->argv[1], &less)) return false;
    if (!less) {
        *out = gx_keep(c->argv[1]);
        return true;
    }
    if (!l->count) return gx_fail(c->rt, GX_IndexError, "index.range", "index out of range");
    return replace(c, l, out);
}

static bool heap_heapify(gx_call *c, gx_value *out) {
    gx_list *l;
    if (!heap_arg(c, &l)) return false;
    for (int64_t i = l->count / 2 - 1; i >= 0; i--)
        if (!gx_interrupt_check(c->rt) || !sink(c->rt, l, i)) return false;
    return none(out);
}

extern const gx_native gx_py_heapq_functions[];
const gx_native gx_py_heapq_functions[] = {
    {"heappush", "heappush(heap, item, /)", "Puts an item into a heap.", NULL, heap_push, 0, 0},
    {"heappop", "heappop(heap, /)", "Takes the smallest item off a heap.",
     "heapq.heappop([1, 5, 3])  # 1", heap_pop, 0, 0},
    {"heapify", "heapify(heap, /)", "Makes a list a heap, in place.", NULL, heap_heapify, 0, 0},
    {"heapreplace", "heapreplace(heap, item, /)", "Takes the smallest item, then puts one in.",
     "heapq.heapreplace([1, 5, 3], 0)  # 1", heap_replace, 0, 0},
    {"heappushpop", "heappushpop(heap, item, /)", "Puts an item in, then takes the smallest.",
     "heapq.heappushpop([1, 5, 3], 0)  # 0", heap_pushpop, 0, 0},
    {.name = NULL},
};

/* --- bisect --- */

/* A binary search's item, by key(item) where there is a key. */
static bool item_at(gx_call *c, gx_borrowed key, int64_t i, gx_value *out) {
    gx_value v;
    gx_borrowed a = c->argv[0];
    if (a.tag == GX_LIST && gx_iterates_plainly(a) && i < gx_as_list(a)->count)
        v = gx_keep(gx_as_list(a)->items[i]);
    else if (!gx_get_item(c->rt, a, gx_int(i), &v))
        return false;
    if (key.tag == GX_UNDEF || key.tag == GX_NONE) {
        *out = v;
        return true;
    }
    bool ok = gx_call_value(c->rt, key, 1, &v, 0, NULL, out);
    gx_drop(v);
    return ok;
}

static bool place(gx_call *c, bool right, gx_borrowed x, int64_t *out) {
    int64_t low = 0, high = -1;
    if (gx_arg_given(c, 2) && !gx_arg_int(c, 2, &low)) return false;
    if (low < 0)
        return gx_fail(c->rt, GX_ValueError, "index.range", "lo must be non-negative");
    if (gx_arg_some(c, 3) ? !gx_arg_int(c, 3, &high) : !gx_length(c->rt, c->argv[0], &high))
        return false;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        gx_value v;
        bool less;
        if (!gx_interrupt_check(c->rt) || !item_at(c, c->argv[4], middle, &v)) return false;
        bool ok = right ? below(c->rt, x, v, &less) : below(c->rt, v, x, &less);
        gx_drop(v);
        if (!ok) return false;
        if (less == right) high = middle;
        else low = middle + 1;
    }
    *out = low;
    return true;
}

static bool search(gx_call *c, bool right, gx_value *out) {
    int64_t at;
    if (!place(c, right, c->argv[1], &at)) return false;
    *out = gx_int(at);
    return true;
}

static bool search_left(gx_call *c, gx_value *out) {
    return search(c, false, out);
}
static bool search_right(gx_call *c, gx_value *out) {
    return search(c, true, out);
}

/* Into a list, before the item at `at`. */
static bool put_in(gx_rt *rt, gx_borrowed list, int64_t at, gx_borrowed v) {
    gx_list *l = gx_as_list(list);
    if (!gx_list_push(rt, list, v)) return false;
    if (at > l->count - 1) at = l->count - 1;
    gx_value last = l->items[l->count - 1];
    memmove(l->items + at + 1, l->items + at, (size_t)(l->count - 1 - at) * sizeof *l->items);
    l->items[at] = last;
    return true;
}

static bool insort(gx_call *c, bool right, gx_value *out) {
    gx_value x, insert;
    int64_t at;
    if (!gx_arg_some(c, 4)) x = gx_keep(c->argv[1]);
    else if (!gx_call_value(c->rt, c->argv[4], 1, &c->argv[1], 0, NULL, &x)) return false;
    bool ok = place(c, right, x, &at);
    gx_drop(x);
    if (!ok) return false;
    if (c->argv[0].tag == GX_LIST && !c->argv[0].obj->type->heap)
        return put_in(c->rt, c->argv[0], at, c->argv[1]) && none(out);
    gx_sym name = gx_sym_c(c->rt, "insert");
    if (!name || !gx_get_attr(c->rt, c->argv[0], name, &insert)) return false;
    const gx_borrowed argv[2] = {gx_int(at), c->argv[1]};
    ok = gx_call_value(c->rt, insert, 2, argv, 0, NULL, &x);
    gx_drop(insert);
    if (!ok) return false;
    gx_drop(x);
    return none(out);
}

static bool insort_left(gx_call *c, gx_value *out) {
    return insort(c, false, out);
}
static bool insort_right(gx_call *c, gx_value *out) {
    return insort(c, true, out);
}

extern const gx_native gx_py_bisect_functions[];
#define ROW(name, text, example, fn)                                                               \
    {name, name "(a, x, lo=0, hi=None, *, key=None)", text, example, fn, 0, 0}
const gx_native gx_py_bisect_functions[] = {
    ROW("bisect_left", "Where x goes into a sorted sequence, before items that equal it.",
        "bisect.bisect_left([1, 2, 2, 3], 2)  # 1", search_left),
    ROW("bisect_right", "Where x goes into a sorted sequence, behind items that equal it.",
        "bisect.bisect_right([1, 2, 2, 3], 2)  # 3", search_right),
    ROW("insort_left", "Puts x into a sorted list, before items that equal it.", NULL, insort_left),
    ROW("insort_right", "Puts x into a sorted list, behind items that equal it.", NULL,
        insort_right),
    {.name = NULL},
};
extern const gx_constant gx_py_bisect_constants[];
const gx_constant gx_py_bisect_constants[] = {
    {.name = "bisect", .kind = GX_CONST_ALIAS, .text = "bisect_right"},
    {.name = "insort", .kind = GX_CONST_ALIAS, .text = "insort_right"},
    {.name = NULL},
};
