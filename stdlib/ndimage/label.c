/* Connected parts of an image: numbered (label), and the box around each (find_objects). Two passes
   with a forest of provisional numbers in which every root is the smallest of its tree: parts are
   numbered in the order of their first elements. */
#include <string.h>

#include "stdlib/ndimage/ndimage_int.h"

extern const gx_native gx_nd_label_functions[];

/* --- the forest */

static int64_t root_of(int64_t *parent, int64_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static int64_t join(int64_t *parent, int64_t a, int64_t b) {
    a = root_of(parent, a);
    b = root_of(parent, b);
    if (a < b) return parent[b] = a;
    return parent[a] = b;
}

/* --- label */

typedef struct parts {
    const gx_rt *rt;
    int nd;
    int64_t shape[GX_MAX_DIMS], step[GX_MAX_DIMS]; /* steps among cells, which have a border of 1 */
    int64_t rows, room, count, taps, *at;          /* distances of neighbours that come before */
    int64_t *cells, *parent;
    const uint8_t *image;
} parts;

static int64_t row_start(const parts *p, int64_t i) {
    int64_t far = 1;
    for (int d = p->nd - 2; d >= 0; d--) {
        far += (i % p->shape[d] + 1) * p->step[d];
        i /= p->shape[d];
    }
    return far;
}

/* Provisional numbers; the count of them. */
static int64_t scan(const parts *p) {
    int64_t next = 1, n = p->shape[p->nd - 1];
    for (int64_t r = 0; r < p->rows && !gx_work_stops(p->rt); r++) {
        const uint8_t *x = p->image + r * n;
        int64_t *cell = p->cells + row_start(p, r);
        GX_LONG_LOOP(p->rt, i, 0, n) {
            int64_t number = 0;
            if (!x[i]) continue;
            for (int64_t t = 0; t < p->taps; t++) {
                int64_t other = cell[i + p->at[t]];
                if (other && other != number)
                    number = number ? join(p->parent, number, other) : other;
            }
            if (!number) {
                p->parent[next] = next;
                number = next++;
            }
            cell[i] = number;
        }
    }
    return next;
}

/* Final numbers in place of the forest; the count of parts. */
static int64_t renumber(const gx_rt *rt, int64_t *parent, int64_t end) {
    int64_t count = 0;
    GX_LONG_LOOP(rt, i, 1, end) parent[i] = parent[i] == i ? ++count : parent[parent[i]];
    return count;
}

static bool check_width(gx_rt *rt, const gx_array *a) {
    for (int d = 0; a && d < a->ndim; d++)
        if (gx_shape(a)[d] != 3)
            return gx_fail(rt, GX_ValueError, "ndimage.structure",
                           "structure dimensions must be equal to 3");
    return a != NULL;
}

/* A structure looks the same from both sides. */
static bool check_sides(gx_rt *rt, const gx_array *a, const uint8_t *x) {
    for (int64_t i = 0; i < a->count; i++)
        if (x[i] != x[a->count - 1 - i])
            return gx_fail(rt, GX_ValueError, "ndimage.structure",
                           "structuring element is not symmetric");
    return true;
}

static bool prepare(gx_nd *k, parts *p, gx_array *image, gx_array *structure) {
    const uint8_t *s = gx_np_data(&k->s, structure);
    if (!s || !check_sides(k->c->rt, structure, s)) return false;
    p->nd = image->ndim ? image->ndim : 1;
    p->room = p->rows = 1;
    for (int d = p->nd - 1; d >= 0; d--) {
        p->shape[d] = image->ndim ? gx_shape(image)[d] : 1;
        p->step[d] = p->room;
        p->room *= p->shape[d] + 2;
        if (d < p->nd - 1) p->rows *= p->shape[d];
    }
    p->at = gx_np_room(&k->s, structure->count + 1, sizeof *p->at);
    if (!p->at) return false;
    for (int64_t i = 0; i < structure->count / 2; i++) {
        int64_t far = 0, rest = i;
        if (!s[i]) continue;
        for (int d = image->ndim - 1; d >= 0; d--, rest /= 3) far += (rest % 3 - 1) * p->step[d];
        p->at[p->taps++] = far;
    }
    int64_t most = image->count + 2;
    p->cells = gx_np_data_write(&k->s, gx_np_zeros(&k->s, GX_i64, 1, &p->room));
    p->parent = gx_np_data_write(&k->s, gx_np_empty(&k->s, GX_i64, 1, &most));
    p->image = gx_np_data(&k->s, image);
    return p->cells && p->parent && p->image;
}

/* The numbered image as int32 (int64 where that may not do), and the count. */
static gx_array *numbered(gx_nd *k, gx_array *image, gx_array *structure, int64_t *count) {
    parts p = {0};
    *count = 0;
    if (!image || !structure) return NULL;
    bool wide = image->count >= INT32_MAX - 1;
    gx_array *out = gx_np_empty(&k->s, wide ? GX_i64 : GX_i32, image->ndim, gx_shape(image));
    if (!out || image->count == 0) return out;
    void *to = gx_np_data_write(&k->s, out);
    if (!to || !prepare(k, &p, image, structure)) return NULL;
    p.rt = k->s.rt;
    *count = renumber(p.rt, p.parent, scan(&p));
    p.parent[0] = 0;
    int64_t n = p.shape[p.nd - 1];
    for (int64_t r = 0; r < p.rows && !gx_work_stops(p.rt); r++) {
        const int64_t *cell = p.cells + row_start(&p, r);
        if (wide)
            GX_LONG_LOOP(p.rt, i, 0, n) ((int64_t *)to)[r * n + i] = p.parent[cell[i]];
        else
            GX_LONG_LOOP(p.rt, i, 0, n) ((int32_t *)to)[r * n + i] = (int32_t)p.parent[cell[i]];
    }
    return gx_work_end(k->s.rt) ? out : NULL;
}

static bool label_fn(gx_call *c, gx_value *out) {
    gx_nd k;
    int64_t count;
    if (!gx_nd_open(c, &k, 2, -1, -1, -1)) return false;
    if (k.in->ndim && k.in->count && !gx_nd_no_half(&k)) return gx_np_end(&k.s, false);
    if (gx_dtype_kind(k.in->dtype) == GX_KIND_CPLX)
        return gx_np_end(
            &k.s, gx_fail(c->rt, GX_TypeError, "ndimage.complex", "Complex type not supported"));
    gx_array *image = gx_np_contiguous(&k.s, gx_np_cast(&k.s, k.in, GX_bool));
    gx_array *structure = gx_nd_structure(&k, 1);
    if (!check_width(c->rt, structure)) return gx_np_end(&k.s, false);
    gx_array *r = numbered(&k, image, structure, &count);
    if (!r) return gx_np_end(&k.s, false);
    if (k.output >= 0) {
        if (!gx_np_store_out(&k.s, r, c->argv[2])) return gx_np_end(&k.s, false);
        *out = gx_int(count);
        return gx_np_end(&k.s, true);
    }
    if (gx_arg_some(c, 2)) r = gx_np_cast(&k.s, r, k.to);
    if (!r) return gx_np_end(&k.s, false);
    gx_value items[2] = {gx_np_value(r), gx_int(count)};
    return gx_np_end(&k.s, gx_tuple_new(c->rt, 2, items, out));
}

/* --- find_objects */

/* The box low[] … high[] as a tuple of slices, or None when it is empty. */
static bool box(gx_rt *rt, int nd, const int64_t *low, const int64_t *high, gx_value *out) {
    gx_value sides[GX_MAX_DIMS];
    int made = 0;
    bool ok = true;
    *out = gx_none();
    if (high[0] == 0) return true;
    for (; ok && made < nd; made += ok)
        ok = gx_slice_new(rt, gx_int(low[made]), gx_int(high[made]), gx_none(), &sides[made]);
    ok = ok && gx_tuple_new(rt, nd, sides, out);
    for (int d = 0; d < made; d++) gx_drop(sides[d]);
    return ok;
}

/* Widens the boxes (nd lows, nd highs each) of all labels up to `most`. */
static void widen(const gx_rt *rt, const int64_t *x, int nd, const int64_t *shape, int64_t total,
                  int64_t most, int64_t *boxes) {
    int64_t at[GX_MAX_DIMS] = {0};
    GX_LONG_LOOP(rt, i, 0, total) {
        if (x[i] > 0 && x[i] <= most) {
            int64_t *low = boxes + (x[i] - 1) * 2 * nd, *high = low + nd;
            bool fresh = high[0] == 0;
            for (int d = 0; d < nd; d++) {
                if (fresh || at[d] < low[d]) low[d] = at[d];
                if (fresh || at[d] >= high[d]) high[d] = at[d] + 1;
            }
        }
        for (int d = nd - 1; d >= 0 && ++at[d] == shape[d]; d--) at[d] = 0;
    }
}

static bool find_objects_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    int64_t most = 0;
    if (a && gx_dtype_kind(a->dtype) > GX_KIND_UINT)
        return gx_np_end(
            &s, gx_fail(c->rt, GX_TypeError, "ndimage.labels", "input must be of integer type"));
    a = a ? gx_np_contiguous(&s, gx_np_cast(&s, a, GX_i64)) : NULL;
    if (!a || (gx_arg_given(c, 1) && !gx_arg_int(c, 1, &most))) return gx_np_end(&s, false);
    const int64_t *x = gx_np_data(&s, a);
    if (!x) return gx_np_end(&s, false);
    if (most < 1 && a->count == 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "ndimage.empty",
                                     "find_objects: there is no element, and no max_label"));
    if (most < 1) {
        most = 0;
        GX_LONG_LOOP(c->rt, i, 0, a->count) most = x[i] > most ? x[i] : most;
    }
    if (most > INT64_C(1) << 32)
        return gx_np_end(&s, gx_fail(c->rt, GX_MemoryError, "ndimage.labels",
                                     "labels up to %lld are too many", (long long)most));
    int nd = a->ndim ? a->ndim : 1; /* one element: its box has no sides, but is there */
    size_t side = (size_t)(2 * nd) * sizeof(int64_t);
    int64_t *boxes = gx_np_scratch(&s, (size_t)most * side);
    gx_value *list = gx_np_room(&s, most, sizeof *list);
    if (!boxes || !list) return gx_np_end(&s, false);
    gx_work_fill(c->rt, boxes, 0, (size_t)most * side);
    if (!gx_work_end(c->rt)) return gx_np_end(&s, false);
    const int64_t one = 1;
    widen(c->rt, x, nd, a->ndim ? gx_shape(a) : &one, a->count, most, boxes);
    int64_t made = 0;
    bool ok = true;
    for (; ok && made < most && !gx_work_stops(c->rt); made += ok) {
        const int64_t *low = boxes + made * 2 * nd;
        ok = box(c->rt, a->ndim, low, low + nd, &list[made]);
    }
    ok = ok && gx_work_end(c->rt) && gx_list_new(c->rt, most, list, out);
    for (int64_t i = 0; i < made; i++) gx_drop(list[i]);
    return gx_np_end(&s, ok);
}

const gx_native gx_nd_label_functions[] = {
    {"label", "label(input, structure=None, output=None)",
     "Labels connected nonzero elements 1, 2 …: (labelled image, number of labels); structure says "
     "what connects.",
     "label([1, 1, 0, 5])[0]  # [1 1 0 2]", label_fn, 0, 0},
    {"find_objects", "find_objects(input, max_label=0)",
     "Bounding box of each label 1, 2 …, as a list of tuples of slices; None for a label that is "
     "missing.",
     "find_objects([0, 1, 1, 0])  # [(slice(1, 3, None),)]", find_objects_fn, 0, 0},
    {.name = NULL},
};
