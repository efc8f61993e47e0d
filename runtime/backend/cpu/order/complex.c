/* Rows of complex numbers in order: real parts first, then imaginary ones; those with a nan last,
   by where the nan is. Long rows are ordered by passes over the keys of their parts, short ones by
   insertion; a part of a row is looked for by division around an element. */
#include <string.h>

#include "runtime/backend/cpu/order/order_int.h"
#include "runtime/backend/cpu/order/radix_int.h"
#include "runtime/backend/keys.h"

enum { SHORT = 24 };

typedef struct complex_item {
    gx_c128 value;
    int64_t at;
} complex_item;

/* What the rows are ordered with: room for one of them. */
typedef struct complex_rows {
    gx_rt *rt;
    gx_dtype d;
    int64_t n;
    complex_item *items;
    uint64_t *keys, *classes, *ordered; /* of long rows: n, n and 4 n */
} complex_rows;

/* nan in the real part, in the imaginary part. */
static int class_of(gx_c128 x) {
    return (x.re != x.re) * 2 + (x.im != x.im);
}

static int compare(gx_c128 a, gx_c128 b) {
    const int c = class_of(a), d = class_of(b);
    if (c != d) return c < d ? -1 : 1;
    if (a.re < b.re || (a.im < b.im && !(b.re < a.re))) return -1;
    return a.re > b.re || a.im > b.im;
}

static void swap(complex_item *a, complex_item *b) {
    const complex_item kept = *a;
    *a = *b;
    *b = kept;
}

static void insert(complex_item *x, int64_t n) {
    for (int64_t i = 1; i < n; i++) {
        const complex_item moved = x[i];
        int64_t to = i;
        for (; to > 0 && compare(moved.value, x[to - 1].value) < 0; to--) x[to] = x[to - 1];
        x[to] = moved;
    }
}

static gx_c128 middle_of(gx_c128 a, gx_c128 b, gx_c128 c) {
    if (compare(b, a) < 0) {
        const gx_c128 kept = a;
        a = b;
        b = kept;
    }
    return compare(c, a) < 0 ? a : compare(c, b) < 0 ? c : b;
}

/* Brings the item of rank kth to its place, smaller ones before it, larger ones behind. False: the
   elements chosen divide the row badly. */
static bool divide(gx_rt *rt, complex_item *x, int64_t n, int64_t kth) {
    int64_t low = 0, high = n, most = 16 * n;
    while (high - low > SHORT && !gx_work_stops(rt)) {
        most -= high - low;
        if (most < 0) return false;
        const gx_c128 pivot = middle_of(x[low].value, x[low + (high - low) / 2].value,
                                        x[high - 1].value);
        int64_t below = low, above = high;
        for (int64_t i = low; i < above;) {
            const int c = compare(x[i].value, pivot);
            if (c < 0) swap(&x[i++], &x[below++]);
            else if (c > 0) swap(&x[i], &x[--above]);
            else i++;
        }
        if (kth < below) high = below;
        else if (kth >= above) low = above;
        else return true;
    }
    insert(x + low, high - low);
    return true;
}

static void read_items(const complex_rows *r, const char *data) {
    for (int64_t i = 0; i < r->n; i++) {
        complex_item *x = &r->items[i];
        x->at = i;
        if (r->d == GX_c128) {
            memcpy(&x->value, data + i * 16, 16);
        } else {
            gx_c64 v;
            memcpy(&v, data + i * 8, 8);
            x->value = (gx_c128){v.re, v.im};
        }
    }
}

/* Reorders index so that keys[index[i]] ascends; equal ones keep their order. */
static bool sort_keys(const complex_rows *r, const uint64_t *keys, int64_t *index) {
    gx_rt *rt = r->rt;
    const int64_t n = r->n;
    uint64_t *ordered = r->ordered;
    int64_t *order = (int64_t *)(ordered + n), *moved = (int64_t *)ordered;
    GX_LONG_LOOP(rt, i, 0, n) ordered[i] = keys[index[i]];
    gx_cpu_radix_order(rt, false, ordered, n, order, ordered + 2 * n);
    if (!gx_work_stops(rt)) { /* else `order` is none, and `moved` would not be */
        GX_LONG_LOOP(rt, i, 0, n) moved[i] = index[order[i]];
    }
    if (!gx_work_stops(rt)) gx_work_copy(rt, index, moved, (size_t)n * sizeof *index);
    return gx_work_end(rt);
}

/* Stable passes from the least important part on. */
static bool order_long(const complex_rows *r, const char *data, int64_t *index) {
    const gx_dtype part = r->d == GX_c64 ? GX_f32 : GX_f64;
    const int64_t half = gx_dtypes[part].bytes;
    uint64_t any = 0;
    GX_LONG_LOOP(r->rt, i, 0, r->n) index[i] = i;
    gx_order_keys(r->rt, part, data + half, 2 * half, r->n, r->keys);
    if (!gx_work_end(r->rt) || !sort_keys(r, r->keys, index)) return false;
    GX_LONG_LOOP(r->rt, i, 0, r->n) r->classes[i] = r->keys[i] == UINT64_MAX;
    gx_order_keys(r->rt, part, data, 2 * half, r->n, r->keys);
    GX_LONG_LOOP(r->rt, i, 0, r->n) any |= r->classes[i] += r->keys[i] == UINT64_MAX ? 2 : 0;
    return sort_keys(r, r->keys, index) && (!any || sort_keys(r, r->classes, index));
}

/* kth: the rank that is wanted in its place; -1: all are. */
static bool order_row(const complex_rows *r, const char *data, int64_t kth, int64_t *index) {
    if (r->n > SHORT && kth < 0) return order_long(r, data, index);
    read_items(r, data);
    if (kth < 0) insert(r->items, r->n);
    else if (!divide(r->rt, r->items, r->n, kth)) return order_long(r, data, index);
    for (int64_t i = 0; i < r->n; i++) index[i] = r->items[i].at;
    return gx_work_end(r->rt);
}

bool gx_cpu_complex_order(gx_rt *rt, gx_dtype d, const char *data, int64_t rows, int64_t n,
                          int64_t kth, int64_t *index) {
    const size_t each = sizeof(complex_item) + 6 * sizeof(uint64_t);
    complex_rows r = {.rt = rt, .d = d, .n = n};
    r.items = gx_alloc(rt, (size_t)(n + 1) * each);
    if (!r.items) return false;
    r.keys = (uint64_t *)(void *)(r.items + n + 1);
    r.classes = r.keys + n;
    r.ordered = r.classes + n;
    bool ok = true;
    for (int64_t row = 0; ok && row < rows; row++)
        ok = order_row(&r, data + row * n * gx_dtypes[d].bytes, kth, index + row * n);
    gx_free(rt, r.items);
    return ok;
}
