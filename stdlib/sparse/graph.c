/* scipy.sparse.csgraph's loops: graphs as rows of a csr matrix, whose elements are lengths. */
#include <math.h>
#include <string.h>

#include "stdlib/sparse/sparse_int.h"

extern const gx_native gx_sparse_graph_functions[];

enum { NONE = -9999 };

static inline int64_t from_of(const gx_rows *a, int64_t i) {
    return gx_index_at(a->ptr, a->wide, i);
}
static inline int64_t to_of(const gx_rows *a, int64_t k) {
    return gx_index_at(a->idx, a->wide, k);
}

static bool graph_arg(gx_np *s, gx_call *c, int at, gx_rows *a) {
    gx_array *p = gx_np_arr(s, c->argv[at]);
    return p && gx_rows_arg(s, c, at, p->count - 1, a);
}

/* Nodes are marked when they are met, by their predecessor. */
static int64_t walk_breadth(const gx_rows *a, int64_t start, int32_t *order, int32_t *before) {
    int64_t n = 1;
    order[0] = (int32_t)start;
    for (int64_t at = 0; at < n; at++)
        for (int64_t k = from_of(a, order[at]); k < from_of(a, order[at] + 1); k++) {
            const int64_t j = to_of(a, k);
            if (j == start || before[j] != NONE) continue;
            before[j] = order[at];
            order[n++] = (int32_t)j;
        }
    return n;
}

static int64_t walk_depth(const gx_rows *a, int64_t start, int32_t *order, int32_t *before,
                          int32_t *stack, int64_t *next) {
    int64_t n = 1, depth = 0;
    order[0] = stack[0] = (int32_t)start;
    next[start] = from_of(a, start);
    while (depth >= 0) {
        const int64_t i = stack[depth];
        if (next[i] == from_of(a, i + 1)) {
            depth--;
            continue;
        }
        const int64_t j = to_of(a, next[i]++);
        if (j == start || before[j] != NONE) continue;
        before[j] = (int32_t)i;
        order[n++] = stack[++depth] = (int32_t)j;
        next[j] = from_of(a, j);
    }
    return n;
}

/* walk(indptr, indices, start, depth): nodes in the order in which they are met from one, and the
   node that each was met from. */
static bool walk_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_rows a;
    int64_t start;
    bool depth;
    void *order, *before, *to;
    if (!graph_arg(&s, c, 0, &a) || !gx_arg_int(c, 2, &start) || !gx_arg_bool(c, 3, &depth))
        return gx_np_end(&s, false);
    if (start < 0 || start >= a.m || a.m > INT32_MAX)
        return gx_np_end(&s, gx_arg_wrong(c, 2, "a node"));
    gx_array *r[2], *all = gx_new_line(&s, GX_i32, a.m, &order);
    if (!all || !(r[1] = gx_new_line(&s, GX_i32, a.m, &before))) return gx_np_end(&s, false);
    for (int64_t i = 0; i < a.m; i++) ((int32_t *)before)[i] = NONE;
    int32_t *stack = gx_np_room(&s, a.m, sizeof *stack);
    int64_t *next = gx_np_room(&s, a.m, sizeof *next);
    if (!stack || !next) return gx_np_end(&s, false);
    const int64_t n = depth ? walk_depth(&a, start, order, before, stack, next)
                            : walk_breadth(&a, start, order, before);
    if (!(r[0] = gx_new_line(&s, GX_i32, n, &to))) return gx_np_end(&s, false);
    memcpy(to, order, (size_t)n * sizeof(int32_t));
    return gx_np_give_tuple(&s, 2, r, out);
}

/* Strongly connected parts (Tarjan's search without recursion), numbered as they are complete. */
static int32_t strong_parts(const gx_rows *a, int32_t *label, int32_t *low, int32_t *stack,
                            int32_t *kept, int64_t *next) {
    int32_t parts = 0, time = 0;
    int64_t held = 0;
    for (int64_t i = 0; i < a->m; i++) label[i] = -1, low[i] = -1;
    for (int64_t root = 0; root < a->m; root++) {
        int64_t depth = 0;
        if (low[root] >= 0) continue;
        stack[0] = (int32_t)root;
        next[root] = -1;
        int32_t *first = stack + a->m; /* when a node was met */
        while (depth >= 0) {
            const int32_t i = stack[depth];
            if (next[i] < 0) {
                first[i] = low[i] = time++;
                kept[held++] = i;
                next[i] = from_of(a, i);
            }
            if (next[i] < from_of(a, i + 1)) {
                const int64_t j = to_of(a, next[i]++);
                if (low[j] < 0) {
                    stack[++depth] = (int32_t)j;
                    next[j] = -1;
                } else if (label[j] < 0 && first[j] < low[i]) {
                    low[i] = first[j];
                }
                continue;
            }
            if (low[i] == first[i]) {
                int32_t j;
                do {
                    j = kept[--held];
                    label[j] = parts;
                } while (j != i);
                parts++;
            }
            depth--;
            if (depth >= 0 && low[i] < low[stack[depth]]) low[stack[depth]] = low[i];
        }
    }
    return parts;
}

/* Parts of a graph whose edges go both ways, numbered by their first nodes. */
static int32_t weak_parts(const gx_rows *a, int32_t *label, int32_t *queue) {
    int32_t parts = 0;
    for (int64_t i = 0; i < a->m; i++) label[i] = -1;
    for (int64_t root = 0; root < a->m; root++) {
        int64_t n = 0;
        if (label[root] >= 0) continue;
        queue[n++] = (int32_t)root;
        label[root] = parts;
        for (int64_t at = 0; at < n; at++)
            for (int64_t k = from_of(a, queue[at]); k < from_of(a, queue[at] + 1); k++) {
                const int64_t j = to_of(a, k);
                if (label[j] >= 0) continue;
                label[j] = parts;
                queue[n++] = (int32_t)j;
            }
        parts++;
    }
    return parts;
}

/* parts(indptr, indices, strong): how many parts, and the part of each node. */
static bool parts_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_rows a;
    bool strong;
    void *label;
    if (!graph_arg(&s, c, 0, &a) || !gx_arg_bool(c, 2, &strong)) return gx_np_end(&s, false);
    if (a.m > INT32_MAX) return gx_np_end(&s, gx_arg_wrong(c, 0, "fewer nodes"));
    gx_array *r = gx_new_line(&s, GX_i32, a.m, &label);
    int32_t *room = gx_np_room(&s, 4 * a.m + 1, sizeof *room);
    int64_t *next = gx_np_room(&s, a.m + 1, sizeof *next);
    if (!r || !room || !next) return gx_np_end(&s, false);
    const int32_t parts =
        strong ? strong_parts(&a, label, room, room + a.m, room + 3 * a.m, next)
               : weak_parts(&a, label, room);
    const gx_value pair[2] = {gx_int(parts), gx_np_value(r)};
    return gx_np_end(&s, gx_tuple_new(s.rt, 2, pair, out));
}

/* A heap of nodes by their distance. */
typedef struct heap {
    double *distance;
    int64_t *node, *place, count;
} heap;

static void settle_up(heap *h, int64_t at) {
    const int64_t node = h->node[at];
    const double d = h->distance[node];
    while (at > 0 && h->distance[h->node[(at - 1) / 2]] > d) {
        h->node[at] = h->node[(at - 1) / 2];
        h->place[h->node[at]] = at;
        at = (at - 1) / 2;
    }
    h->node[at] = node;
    h->place[node] = at;
}

static int64_t take_least(heap *h) {
    const int64_t least = h->node[0], node = h->node[--h->count];
    const double d = h->distance[node];
    int64_t at = 0;
    for (int64_t child = 1; child < h->count; child = 2 * at + 1) {
        if (child + 1 < h->count &&
            h->distance[h->node[child + 1]] < h->distance[h->node[child]])
            child++;
        if (h->distance[h->node[child]] >= d) break;
        h->node[at] = h->node[child];
        h->place[h->node[at]] = at;
        at = child;
    }
    h->node[at] = node;
    h->place[node] = at;
    h->place[least] = -2;
    return least;
}

static void reach_out(const gx_rows *a, const double *length, heap *h, double limit,
                      int32_t *before, int32_t *source) {
    while (h->count > 0) {
        const int64_t i = take_least(h);
        for (int64_t k = from_of(a, i); k < from_of(a, i + 1); k++) {
            const int64_t j = to_of(a, k);
            const double d = h->distance[i] + length[k];
            if (h->place[j] == -2 || d > limit || !(d < h->distance[j])) continue;
            h->distance[j] = d;
            before[j] = (int32_t)i;
            if (source) source[j] = source[i];
            if (h->place[j] == -1) {
                h->place[j] = h->count;
                h->node[h->count++] = j;
            }
            settle_up(h, h->place[j]);
        }
    }
}

/* least(indptr, indices, lengths, sources, limit, together): distances from each source, or from
   the nearest of all, the node before each on its way, and its source. Lengths are not negative. */
static bool least_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_rows a;
    const void *length, *from;
    double limit;
    bool together;
    if (!graph_arg(&s, c, 0, &a) || !gx_typed_arg(&s, c, 2, GX_f64, a.count, &length))
        return gx_np_end(&s, false);
    gx_array *sources = gx_index_arg(&s, c, 3, true, a.m, &from);
    if (!sources || !gx_arg_float(c, 4, &limit) || !gx_arg_bool(c, 5, &together))
        return gx_np_end(&s, false);
    const int64_t runs = together ? 1 : sources->count, n = a.m, shape[2] = {runs, n};
    gx_array *r[3] = {gx_np_empty(&s, GX_f64, 2, shape), gx_np_empty(&s, GX_i32, 2, shape),
                      gx_np_empty(&s, GX_i32, 2, shape)};
    double *distance = r[0] ? gx_np_data_write(&s, r[0]) : NULL;
    int32_t *before = r[1] ? gx_np_data_write(&s, r[1]) : NULL;
    int32_t *source = r[2] ? gx_np_data_write(&s, r[2]) : NULL;
    heap h = {.node = gx_np_room(&s, n + 1, sizeof *h.node),
              .place = gx_np_room(&s, n + 1, sizeof *h.place)};
    if (!r[0] || !r[1] || !r[2] || !h.node || !h.place) return gx_np_end(&s, false);
    for (int64_t run = 0; n && run < runs && !gx_work_stops(s.rt); run++) {
        h.distance = distance + run * n;
        h.count = 0;
        for (int64_t i = 0; i < n; i++) {
            h.distance[i] = INFINITY;
            h.place[i] = -1;
            before[run * n + i] = source[run * n + i] = NONE;
        }
        for (int64_t k = together ? 0 : run; k < (together ? sources->count : run + 1); k++) {
            const int64_t i = ((const int64_t *)from)[k];
            if (h.place[i] >= 0) continue;
            h.distance[i] = 0;
            source[run * n + i] = (int32_t)i;
            h.place[i] = h.count;
            h.node[h.count++] = i;
            settle_up(&h, h.count - 1);
        }
        reach_out(&a, length, &h, limit, before + run * n, source + run * n);
    }
    return gx_np_give_tuple(&s, 3, r, out);
}

/* relaxed(indptr, indices, lengths, sources): distances from each source, and the node before each;
   lengths may be negative. Then None for the distances: a cycle has a negative length. */
static bool relaxed_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_rows a;
    const void *x, *from;
    if (!graph_arg(&s, c, 0, &a) || !gx_typed_arg(&s, c, 2, GX_f64, a.count, &x))
        return gx_np_end(&s, false);
    const double *length = x;
    gx_array *sources = gx_index_arg(&s, c, 3, true, a.m, &from);
    if (!sources) return gx_np_end(&s, false);
    const int64_t n = a.m, shape[2] = {sources->count, n};
    gx_array *r[2] = {gx_np_empty(&s, GX_f64, 2, shape), gx_np_empty(&s, GX_i32, 2, shape)};
    double *distance = r[0] ? gx_np_data_write(&s, r[0]) : NULL;
    int32_t *before = r[1] ? gx_np_data_write(&s, r[1]) : NULL;
    bool negative = false;
    if (!r[0] || !r[1]) return gx_np_end(&s, false);
    for (int64_t run = 0; n && run < sources->count && !gx_work_stops(s.rt); run++) {
        double *d = distance + run * n;
        int32_t *b = before + run * n;
        bool more = true;
        for (int64_t i = 0; i < n; i++) {
            d[i] = INFINITY;
            b[i] = NONE;
        }
        d[((const int64_t *)from)[run]] = 0;
        for (int64_t round = 0; more && round <= n && !gx_work_stops(s.rt); round++) {
            more = false;
            for (int64_t i = 0; i < n; i++)
                for (int64_t k = from_of(&a, i); d[i] < INFINITY && k < from_of(&a, i + 1); k++) {
                    const int64_t j = to_of(&a, k);
                    if (!(d[i] + length[k] < d[j])) continue;
                    d[j] = d[i] + length[k];
                    b[j] = (int32_t)i;
                    more = true;
                }
            if (more && round == n) negative = true;
        }
    }
    if (!negative) return gx_np_give_tuple(&s, 2, r, out);
    *out = gx_none();
    return gx_np_end(&s, true);
}

/* all_pairs(distances): every distance by way of every node, from an (n, n) float64; the node
   before each, int32. */
static bool all_pairs_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *x = gx_np_arr(&s, c->argv[0]);
    if (!x || x->ndim != 2 || gx_shape(x)[0] != gx_shape(x)[1])
        return gx_np_end(&s, x && gx_arg_wrong(c, 0, "a square array"));
    const int64_t n = gx_shape(x)[0];
    gx_array *r[2] = {gx_np_fresh(&s, x, GX_f64), gx_np_empty(&s, GX_i32, 2, gx_shape(x))};
    double *d = r[0] ? gx_np_data_write(&s, r[0]) : NULL;
    int32_t *b = r[1] ? gx_np_data_write(&s, r[1]) : NULL;
    if (!r[0] || !r[1]) return gx_np_end(&s, false);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            if (i == j && !(d[i * n + j] < 0)) d[i * n + j] = 0;
            b[i * n + j] = i != j && d[i * n + j] < INFINITY ? (int32_t)i : NONE;
        }
    for (int64_t k = 0; k < n && !gx_work_stops(s.rt); k++)
        for (int64_t i = 0; i < n; i++) {
            const double way = d[i * n + k];
            if (!(way < INFINITY)) continue;
            for (int64_t j = 0; j < n; j++)
                if (way + d[k * n + j] < d[i * n + j]) {
                    d[i * n + j] = way + d[k * n + j];
                    b[i * n + j] = b[k * n + j];
                }
        }
    return gx_np_give_tuple(&s, 2, r, out);
}

static int64_t root_of(int32_t *up, int64_t i) {
    while (up[i] != i) {
        up[i] = up[up[i]];
        i = up[i];
    }
    return i;
}

/* tree(n, row, col): edges that join two parts when they are taken in their order, as bools. */
static bool tree_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int64_t n;
    const void *row, *col;
    void *to;
    if (!gx_arg_int(c, 0, &n) || n < 0 || n > INT32_MAX)
        return gx_np_end(&s, gx_arg_wrong(c, 0, "a number of nodes"));
    gx_array *a = gx_index_arg(&s, c, 1, true, n, &row);
    gx_array *b = a ? gx_index_arg(&s, c, 2, true, n, &col) : NULL;
    gx_array *r = b ? gx_new_line(&s, GX_bool, a->count, &to) : NULL;
    int32_t *up = gx_np_room(&s, n + 1, sizeof *up);
    if (!r || !up) return gx_np_end(&s, false);
    if (a->count != b->count) return gx_np_end(&s, gx_arg_wrong(c, 2, "as many as rows"));
    for (int64_t i = 0; i < n; i++) up[i] = (int32_t)i;
    GX_LONG_LOOP(s.rt, k, 0, a->count) {
        const int64_t i = root_of(up, ((const int64_t *)row)[k]);
        const int64_t j = root_of(up, ((const int64_t *)col)[k]);
        ((uint8_t *)to)[k] = i != j;
        up[i] = (int32_t)j;
    }
    return gx_np_give_array(&s, r, out);
}

const gx_native gx_sparse_graph_functions[] = {
    {"walk", "walk(indptr, indices, start, depth, /)",
     "Nodes as they are met from one, and the node before each.", NULL, walk_fn, 0, 0},
    {"parts", "parts(indptr, indices, strong, /)", "How many parts, and the part of each node.",
     NULL, parts_fn, 0, 0},
    {"least", "least(indptr, indices, lengths, sources, limit, together, /)",
     "Distances from sources, the node before each, and its source.", NULL, least_fn, 0, 0},
    {"relaxed", "relaxed(indptr, indices, lengths, sources, /)",
     "Distances from sources, where lengths may be negative.", NULL, relaxed_fn, 0, 0},
    {"all_pairs", "all_pairs(distances, /)", "All distances, by way of every node.", NULL,
     all_pairs_fn, 0, 0},
    {"tree", "tree(n, row, col, /)", "Edges that join two parts when they are taken in order.",
     NULL, tree_fn, 0, 0},
    {.name = NULL},
};
