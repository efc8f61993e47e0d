/* An order of the variables of a symmetric pattern that keeps factors sparse: always a variable of
   the least degree next. Eliminated variables are elements, whose neighbours are listed once; a
   variable's degree is an upper bound (that of Amestoy, Davis and Duff), variables with the same
   neighbours become one. */
#include <string.h>

#include "stdlib/sparse/lu_int.h"

typedef struct graph {
    gx_rt *rt;
    int32_t n, left;
    int64_t tag;
    int32_t *list, *spare; /* all lists, and as much room to move them to */
    int64_t room, used;
    int64_t *start;
    int32_t *count, *elements; /* of a list: its length, and how many at its front are elements */
    int32_t *weight;           /* variables in one; 0: it went into another, or is an element */
    int32_t *degree, *head, *next, *before; /* variables by degree */
    int64_t *seen;                          /* of an element: tag + what is outside the new one */
    int32_t *size;                          /* variables that an element has */
    int32_t *bucket, *same;                 /* variables by hash */
    int32_t *member, *last;                 /* eliminated with a variable: a chain, its end */
    uint8_t *is_element;                    /* 1; 2: one that went into another */
    int32_t least;
} graph;

static void take_out(graph *g, int32_t i) {
    if (g->next[i] >= 0) g->before[g->next[i]] = g->before[i];
    if (g->before[i] >= 0) g->next[g->before[i]] = g->next[i];
    else g->head[g->degree[i]] = g->next[i];
}

static void put_in(graph *g, int32_t i, int32_t degree) {
    g->degree[i] = degree;
    g->before[i] = -1;
    g->next[i] = g->head[degree];
    if (g->next[i] >= 0) g->before[g->next[i]] = i;
    g->head[degree] = i;
    if (degree < g->least) g->least = degree;
}

/* j is eliminated with i. */
static void join(graph *g, int32_t i, int32_t j) {
    g->member[g->last[i]] = j;
    g->last[i] = g->last[j];
    g->weight[j] = 0;
}

/* Room for a list of n at the end: the lists in use move together. */
static void make_room(graph *g, int64_t n) {
    if (g->used + n <= g->room) return;
    int64_t to = 0;
    for (int32_t i = 0; i < g->n; i++) {
        const bool live = g->is_element[i] ? g->is_element[i] == 1 : g->weight[i] != 0;
        if (!live) continue;
        memcpy(g->spare + to, g->list + g->start[i], (size_t)g->count[i] * sizeof *g->list);
        g->start[i] = to;
        to += g->count[i];
    }
    int32_t *was = g->list;
    g->list = g->spare;
    g->spare = was;
    g->used = to;
}

/* The neighbours of p, whose weight is marked by its sign, at the end of the lists. */
static int32_t gather(graph *g, int32_t p, int32_t *weight) {
    int64_t most = 0;
    for (int32_t k = 0; k < g->count[p]; k++) {
        const int32_t e = g->list[g->start[p] + k];
        if (k >= g->elements[p]) most++;
        else if (g->is_element[e] == 1) most += g->count[e];
    }
    make_room(g, most);
    int32_t *to = g->list + g->used, count = 0, sum = 0;
    for (int32_t k = 0; k <= g->elements[p]; k++) {
        const bool own = k == g->elements[p];
        const int32_t e = own ? p : g->list[g->start[p] + k];
        const int32_t from = own ? g->elements[p] : 0;
        if (!own && g->is_element[e] != 1) continue;
        for (int32_t q = from; q < g->count[e]; q++) {
            const int32_t i = g->list[g->start[e] + q];
            if (g->weight[i] <= 0) continue;
            sum += g->weight[i];
            g->weight[i] = -g->weight[i];
            to[count++] = i;
            take_out(g, i);
        }
        if (!own) g->is_element[e] = 2;
    }
    *weight = sum;
    return count;
}

/* How much of each element lies outside the new one. */
static void measure(graph *g, const int32_t *of, int32_t count) {
    for (int32_t k = 0; k < count; k++) {
        const int32_t i = of[k], w = -g->weight[i];
        const int32_t *at = g->list + g->start[i];
        for (int32_t q = 0; q < g->elements[i]; q++) {
            const int32_t e = at[q];
            if (g->is_element[e] != 1) continue;
            if (g->seen[e] >= g->tag) g->seen[e] -= w;
            else g->seen[e] = g->size[e] + g->tag - w;
        }
    }
}

/* The list of i without what the new element p stands for; its degree, and a hash. False: nothing
   is left beside p. */
static bool shorten(graph *g, int32_t i, int32_t p, int32_t *degree, uint32_t *hash) {
    int32_t *at = g->list + g->start[i], d = 0, kept = 0;
    const int32_t elements = g->elements[i], count = g->count[i];
    uint32_t h = (uint32_t)p;
    for (int32_t q = 0; q < elements; q++) {
        const int32_t e = at[q];
        if (g->is_element[e] != 1) continue;
        const int32_t outside = (int32_t)(g->seen[e] - g->tag);
        if (outside <= 0) {
            g->is_element[e] = 2;
            continue;
        }
        d += outside;
        h += (uint32_t)e;
        at[kept++] = e;
    }
    int32_t to_var = kept;
    for (int32_t q = elements; q < count; q++) {
        const int32_t j = at[q];
        if (j == p || g->is_element[j] || g->weight[j] <= 0) continue;
        d += g->weight[j];
        h += (uint32_t)j;
        at[to_var++] = j;
    }
    if (to_var == 0) return false;
    /* p comes first: the first variable makes room for the first element. */
    if (to_var > kept) at[to_var] = at[kept];
    else at[to_var] = 0;
    if (kept > 0) at[kept] = at[0];
    at[0] = p;
    g->elements[i] = kept + 1;
    g->count[i] = to_var + 1;
    *degree = d;
    *hash = h;
    return true;
}

/* Do two variables have the same lists? Entries of i's are marked by tag. */
static bool alike(const graph *g, int32_t i, int32_t j) {
    if (g->count[i] != g->count[j] || g->elements[i] != g->elements[j]) return false;
    const int32_t *at = g->list + g->start[j];
    for (int32_t q = 0; q < g->count[j]; q++)
        if (g->seen[at[q]] != g->tag) return false;
    return true;
}

static void merge_alike(graph *g, const int32_t *of, int32_t count) {
    for (int32_t k = 0; k < count; k++) {
        int32_t i = of[k];
        if (g->weight[i] >= 0) continue;
        const int32_t b = g->size[i]; /* its bucket: size is an element's otherwise */
        for (i = g->bucket[b]; i >= 0; i = g->same[i]) {
            if (g->weight[i] >= 0) continue;
            g->tag++;
            const int32_t *at = g->list + g->start[i];
            for (int32_t q = 0; q < g->count[i]; q++) g->seen[at[q]] = g->tag;
            for (int32_t j = g->same[i]; j >= 0; j = g->same[j])
                if (g->weight[j] < 0 && alike(g, i, j)) {
                    g->weight[i] += g->weight[j];
                    join(g, i, j);
                }
        }
        g->bucket[b] = -1;
    }
}

static void eliminate(graph *g, int32_t p) {
    int32_t around;
    const int32_t own = g->weight[p];
    g->weight[p] = -own;
    const int32_t count = gather(g, p, &around);
    int32_t *of = g->list + g->used;
    g->weight[p] = 0;
    g->is_element[p] = 1;
    g->left -= own;
    measure(g, of, count);
    for (int32_t k = 0; k < count; k++) {
        const int32_t i = of[k];
        int32_t d;
        uint32_t hash;
        if (!shorten(g, i, p, &d, &hash)) { /* it can be eliminated at once */
            g->left += g->weight[i];
            around += g->weight[i];
            join(g, p, i);
            continue;
        }
        if (d < g->degree[i]) g->degree[i] = d;
        const int32_t b = (int32_t)(hash % (uint32_t)g->n);
        g->size[i] = b;
        g->same[i] = g->bucket[b];
        g->bucket[b] = i;
    }
    g->tag += g->n + 1;
    merge_alike(g, of, count);
    g->tag += 1;
    int32_t kept = 0;
    for (int32_t k = 0; k < count; k++) {
        const int32_t i = of[k];
        if (g->weight[i] >= 0) continue;
        g->weight[i] = -g->weight[i];
        int32_t d = g->degree[i] + around - g->weight[i];
        if (d > g->left - g->weight[i]) d = g->left - g->weight[i];
        put_in(g, i, d < 0 ? 0 : d);
        of[kept++] = i;
    }
    g->start[p] = g->used;
    g->count[p] = kept;
    g->size[p] = around;
    g->used += kept;
}

/* Rows with very many elements come last, and count for nothing before. */
static int32_t set_dense_aside(graph *g, int32_t *dense) {
    int32_t found = 0, limit = 16;
    while ((int64_t)limit * limit < 100 * (int64_t)g->n) limit++;
    for (int32_t i = 0; i < g->n; i++)
        if (g->count[i] > limit) {
            dense[found++] = i;
            g->weight[i] = 0;
            g->is_element[i] = 2;
        }
    return found;
}

static void find_order(graph *g, int32_t *order, int32_t *dense) {
    const int32_t n_dense = set_dense_aside(g, dense);
    int32_t at = 0;
    g->left = g->n - n_dense;
    g->least = g->n;
    for (int32_t i = g->n - 1; i >= 0; i--)
        if (g->weight[i]) put_in(g, i, g->count[i]);
    while (g->left > 0 && !gx_work_stops(g->rt)) {
        while (g->head[g->least] < 0) g->least++;
        const int32_t p = g->head[g->least];
        take_out(g, p);
        eliminate(g, p);
        for (int32_t i = p; i >= 0; i = g->member[i]) order[at++] = i;
    }
    for (int32_t k = 0; k < n_dense; k++) order[at++] = dense[k];
}

bool gx_least_degree(gx_np *s, int32_t n, const int64_t *ptr, const int32_t *idx, int32_t *order) {
    const int64_t count = ptr[n];
    graph g = {.rt = s->rt, .n = n, .tag = 1, .room = count + count / 4 + 2 * (int64_t)n + 16};
    int32_t *all = gx_np_room(s, 14 * (int64_t)n + 2, sizeof *all);
    if (!all || !(g.list = gx_np_room(s, g.room, sizeof *g.list)) ||
        !(g.spare = gx_np_room(s, g.room, sizeof *g.spare)) ||
        !(g.start = gx_np_room(s, n, sizeof *g.start)) ||
        !(g.seen = gx_np_room(s, n, sizeof *g.seen)) ||
        !(g.is_element = gx_np_room(s, n, 1)))
        return false;
    int32_t **parts[] = {&g.count, &g.elements, &g.weight, &g.degree, &g.next, &g.before, &g.size,
                         &g.bucket, &g.same,    &g.member, &g.last};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) *parts[k] = all + k * (size_t)n;
    int32_t *dense = all + 11 * (size_t)n;
    g.head = all + 12 * (size_t)n; /* degrees 0 … n */
    memset(g.is_element, 0, (size_t)n);
    for (int32_t i = 0; i < n; i++) {
        g.start[i] = ptr[i];
        g.count[i] = (int32_t)(ptr[i + 1] - ptr[i]);
        g.weight[i] = 1;
        g.elements[i] = g.size[i] = 0;
        g.seen[i] = 0;
        g.bucket[i] = g.same[i] = g.member[i] = g.head[i] = -1;
        g.last[i] = i;
    }
    g.head[n] = -1;
    memcpy(g.list, idx, (size_t)count * sizeof *idx);
    g.used = count;
    find_order(&g, order, dense);
    return gx_work_end(s->rt);
}
