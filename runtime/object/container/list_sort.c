/* Sorting lists: a stable merge sort that finds runs already in order, with insertion sort for
   short ones. Ctrl-C leaves the same items in some order. Keys are computed once. While a sort runs
   the list looks empty, so that a comparison that looks at it sees no half-sorted state. */
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/object/class/hooks.h"
#include "runtime/object/container/list_int.h"
#include "runtime/object/heap.h"
#include "runtime/object/text/str.h"

enum { SHORT_RUN = 24 };

typedef struct pair {
    gx_value key, item;
} pair;

typedef enum how { BY_INT, BY_FLOAT, BY_STR, BY_CLASS, BY_ANY } how;

typedef struct sorter {
    gx_rt *rt;
    pair *at, *spare;
    how how;
    bool reverse, failed;
} sorter;

/* The __lt__ of keys of one class; NO: it has none, or that said NotImplemented, and both are asked
   as `<` asks them, as Python does. */
static gx_try own_less(gx_rt *rt, gx_borrowed a, gx_borrowed b, bool *less) {
    gx_value r, left = gx_keep(a), right = gx_keep(b);
    gx_try is = gx_call_hook(rt, left, GX_HOOK_lt, 1, &right, &r);
    if (is == GX_TRY_YES) {
        if (gx_is_not_implemented(r)) is = GX_TRY_NO;
        else if (!gx_truth(rt, r, less)) is = GX_TRY_ERROR;
        gx_drop(r);
    }
    gx_drop(left);
    gx_drop(right);
    return is;
}

/* b < a, where the keys are asked. */
static __attribute__((noinline)) bool asked_before(sorter *s, const pair *b, const pair *a) {
    bool less = false;
    if (s->how == BY_CLASS && !s->failed) {
        gx_try own = own_less(s->rt, b->key, a->key, &less);
        if (own == GX_TRY_ERROR) s->failed = true;
        if (own != GX_TRY_NO) return less && !s->failed;
    }
    if (!s->failed && !gx_less(s->rt, b->key, a->key, &less)) s->failed = true;
    return less && !s->failed;
}

/* Is b strictly before a? (Then they must change places.) */
static inline bool before(sorter *s, const pair *b, const pair *a) {
    if (s->reverse) {
        const pair *t = a;
        a = b;
        b = t;
    }
    switch (s->how) {
    case BY_INT: return b->key.i < a->key.i;
    case BY_FLOAT: return b->key.f < a->key.f;
    case BY_STR: return gx_str_order(gx_as_str(b->key), gx_as_str(a->key)) < 0;
    case BY_CLASS:
    case BY_ANY: break;
    }
    return asked_before(s, b, a);
}

static void insertion(sorter *s, pair *p, int64_t sorted, int64_t n) {
    for (int64_t i = sorted; i < n; i++) {
        pair x = p[i];
        int64_t low = 0, high = i;
        while (low < high) {
            int64_t middle = (low + high) / 2;
            if (before(s, &x, &p[middle])) high = middle;
            else low = middle + 1;
        }
        memmove(p + low + 1, p + low, (size_t)(i - low) * sizeof *p);
        p[low] = x;
    }
}

/* The length of the run at p; a strictly falling one is turned round. */
static int64_t find_run(sorter *s, pair *p, int64_t n) {
    if (n < 2) return n;
    int64_t i = 2;
    if (before(s, &p[1], &p[0])) {
        while (i < n && before(s, &p[i], &p[i - 1])) i++;
        for (int64_t a = 0, b = i - 1; a < b; a++, b--) {
            pair t = p[a];
            p[a] = p[b];
            p[b] = t;
        }
    } else {
        while (i < n && !before(s, &p[i], &p[i - 1])) i++;
    }
    return i;
}

static void merge(sorter *s, pair *p, int64_t n1, int64_t n) {
    if (gx_work_stops(s->rt) || !before(s, &p[n1], &p[n1 - 1])) return; /* in order already */
    memcpy(s->spare, p, (size_t)n1 * sizeof *p);
    pair *a = s->spare, *a_end = a + n1, *b = p + n1, *b_end = p + n, *to = p;
    while (a < a_end && b < b_end && !gx_work_stops(s->rt)) {
        const pair *look = a_end - a > GX_WORK_LOOK ? a + GX_WORK_LOOK : a_end;
        const pair *end = b_end - b > GX_WORK_LOOK ? b + GX_WORK_LOOK : b_end;
        while (a < look && b < end) *to++ = before(s, b, a) ? *b++ : *a++;
    }
    memcpy(to, a, (size_t)(a_end - a) * sizeof *p);
}

static void sort_pairs(sorter *s, pair *p, int64_t n) {
    int64_t run = find_run(s, p, n < SHORT_RUN ? n : n);
    if (run == n) return;
    if (n <= SHORT_RUN) {
        insertion(s, p, run, n);
        return;
    }
    /* A long run is kept whole; what is left is halved. */
    int64_t left = run >= n / 2 ? run : n / 2;
    if (gx_work_stops(s->rt)) return;
    if (left != run) sort_pairs(s, p, left);
    sort_pairs(s, p + left, n - left);
    merge(s, p, left, n);
}

static how choose(gx_rt *rt, const pair *p, int64_t n) {
    int tag = p[0].key.tag;
    if (gx_is_instance(p[0].key)) {
        int64_t same = 1;
        while (same < n && gx_type_of(p[same].key) == gx_type_of(p[0].key)) same++;
        gx_value own = gx_class_hook(rt, gx_type_of(p[0].key), GX_HOOK_lt);
        return same == n && own.tag != GX_UNDEF ? BY_CLASS : BY_ANY;
    }
    for (int64_t i = 0; i < n; i++)
        if (p[i].key.tag != tag || (tag == GX_STR && p[i].key.obj->type->heap)) return BY_ANY;
    return tag == GX_INT ? BY_INT : tag == GX_FLOAT ? BY_FLOAT : tag == GX_STR ? BY_STR : BY_ANY;
}

/* Fills in the keys; false: an error, with *made keys owned so far. */
static bool make_keys(gx_rt *rt, pair *p, int64_t n, gx_borrowed key, int64_t *made) {
    bool plain = key.tag == GX_UNDEF || key.tag == GX_NONE;
    for (*made = 0; *made < n; (*made)++) {
        pair *x = &p[*made];
        if (plain)
            x->key = gx_keep(x->item);
        else if (!gx_call_value(rt, key, 1, &x->item, 0, NULL, &x->key))
            return false;
    }
    return true;
}

bool gx_list_sort(gx_rt *rt, gx_borrowed list, gx_borrowed key, bool reverse) {
    gx_list *l = gx_as_list(list);
    int64_t n = l->count, made = 0;
    if (n < 1) return true;
    pair *work = gx_alloc(rt, (size_t)n * 2 * sizeof *work);
    if (!work) return false;
    gx_value *items = l->items;
    int64_t room = l->room;
    for (int64_t i = 0; i < n; i++) work[i].item = items[i];
    l->items = NULL;
    l->count = l->room = 0;
    bool ok = make_keys(rt, work, n, key, &made);
    if (ok && n > 1) {
        sorter s = {rt, work, work + n, choose(rt, work, n), reverse, false};
        sort_pairs(&s, work, n);
        ok = !s.failed && gx_work_end(rt);
    }
    for (int64_t i = 0; i < made; i++) gx_drop(work[i].key);
    bool changed = l->items != NULL;
    gx_list_empty(rt, l);
    for (int64_t i = 0; i < n; i++) items[i] = work[i].item;
    l->items = items;
    l->count = n;
    l->room = room;
    gx_free(rt, work);
    if (ok && changed)
        return gx_fail(rt, GX_ValueError, "list.sort", "list modified during sort");
    return ok;
}
