/* LU of a sparse square matrix, a column after the other (Gilbert and Peierls): what a column meets
   is found by a search through the columns of L, which symmetric pruning keeps short. Rows are
   swapped by partial pivoting; columns come in an order that keeps the factors sparse. */
#include <math.h>
#include <string.h>

#include "stdlib/sparse/lu_int.h"

extern const gx_native gx_sparse_lu_functions[];

/* A factor that grows, in columns. */
typedef struct factor {
    int64_t *ptr;
    int32_t *idx;
    void *x;
    int64_t room;
} factor;

typedef struct lu {
    gx_rt *rt;
    int32_t n;
    const int64_t *ap; /* the matrix, in columns */
    const int32_t *ai;
    const void *ax;
    const int32_t *order; /* its column that comes k-th */
    double threshold; /* a diagonal element is taken if it is at least this part of the greatest */
    double drop;      /* elements below this part of a column's greatest are left out */
    int32_t *place;       /* of a row: its number as a pivot, or -1 */
    factor l, u;
    void *work;           /* the column that is computed, by rows */
    int32_t *stack, *at_stack, *found, *mark;
    int64_t *pruned;      /* where the part of a column of L ends that searches look at; -1: all */
    int32_t singular;     /* the first column without a pivot, or -1 */
} lu;

static bool grow(lu *f, factor *p, int64_t need, size_t bytes) {
    if (need <= p->room) return true;
    const int64_t room = 2 * p->room + need;
    int32_t *idx = gx_realloc(f->rt, p->idx, (size_t)room * sizeof *idx);
    if (!idx) return false;
    p->idx = idx;
    void *x = gx_realloc(f->rt, p->x, (size_t)room * bytes);
    if (!x) return false;
    p->x = x;
    p->room = room;
    return true;
}

/* Rows that column k of A meets, through L, behind `top` of found, each before those that it is
   subtracted from. */
static int32_t reach(lu *f, int32_t column, int32_t k) {
    int32_t top = f->n;
    for (int64_t q = f->ap[column]; q < f->ap[column + 1]; q++) {
        int32_t depth = 0;
        if (f->mark[f->ai[q]] == k) continue;
        f->stack[0] = f->ai[q];
        f->mark[f->ai[q]] = k;
        f->at_stack[0] = 0;
        while (depth >= 0) {
            const int32_t row = f->stack[depth], j = f->place[row];
            int64_t at = 0, end = 0;
            if (j >= 0) {
                at = f->l.ptr[j] + f->at_stack[depth];
                end = f->pruned[j] >= 0 ? f->pruned[j] : f->l.ptr[j + 1];
            }
            while (at < end && f->mark[f->l.idx[at]] == k) at++;
            if (at < end) {
                const int32_t next = f->l.idx[at];
                f->at_stack[depth] = (int32_t)(at + 1 - f->l.ptr[j]);
                f->mark[next] = k;
                f->stack[++depth] = next;
                f->at_stack[depth] = 0;
            } else {
                f->found[--top] = row;
                depth--;
            }
        }
    }
    return top;
}

#define T double
#define IN(name) name##_real
#define SIZE(a) fabs(a)
#define LESS(to, a, b) ((to) -= (a) * (b))
#define PLUS(to, a) ((to) += (a))
#define OVER(a, b) ((a) / (b))
#define IS_ZERO(a) ((a) == 0)
#define ONE 1
#include "stdlib/sparse/lu.inc"
#undef T
#undef IN
#undef SIZE
#undef LESS
#undef PLUS
#undef OVER
#undef IS_ZERO
#undef ONE

typedef struct pair {
    double re, im;
} pair;

static inline pair over(pair a, pair b) {
    const double r = fabs(b.re) >= fabs(b.im) ? b.im / b.re : b.re / b.im;
    const double d = fabs(b.re) >= fabs(b.im) ? b.re + b.im * r : b.re * r + b.im;
    return fabs(b.re) >= fabs(b.im) ? (pair){(a.re + a.im * r) / d, (a.im - a.re * r) / d}
                                    : (pair){(a.re * r + a.im) / d, (a.im * r - a.re) / d};
}

#define T pair
#define IN(name) name##_cplx
#define SIZE(a) hypot((a).re, (a).im)
#define LESS(to, a, b)                                                                             \
    ((to).re -= (a).re * (b).re - (a).im * (b).im, (to).im -= (a).re * (b).im + (a).im * (b).re)
#define PLUS(to, a) ((to).re += (a).re, (to).im += (a).im)
#define OVER(a, b) over(a, b)
#define IS_ZERO(a) ((a).re == 0 && (a).im == 0)
#define ONE {1, 0}
#include "stdlib/sparse/lu.inc"

/* The pattern of A + A' without its diagonal. */
typedef struct pattern {
    int64_t *ptr;
    int32_t *idx;
} pattern;

static bool add_pattern(gx_np *s, int32_t n, const int64_t *ap, const int32_t *ai, pattern *out) {
    int64_t *count = gx_np_room(s, n + 1, sizeof *count);
    int64_t *tp = gx_np_room(s, n + 2, sizeof *tp);
    int32_t *ti = gx_np_room(s, ap[n] + 1, sizeof *ti), *mark = gx_np_room(s, n + 1, sizeof *mark);
    out->ptr = gx_np_room(s, n + 2, sizeof *out->ptr);
    out->idx = gx_np_room(s, 2 * ap[n] + 1, sizeof *out->idx);
    if (!count || !tp || !ti || !mark || !out->ptr || !out->idx) return false;
    memset(tp, 0, (size_t)(n + 2) * sizeof *tp);
    for (int64_t q = 0; q < ap[n]; q++) tp[ai[q] + 2]++;
    for (int32_t i = 0; i < n; i++) tp[i + 2] += tp[i + 1];
    for (int32_t j = 0; j < n; j++)
        for (int64_t q = ap[j]; q < ap[j + 1]; q++) ti[tp[ai[q] + 1]++] = j;
    memset(mark, -1, (size_t)(n + 1) * sizeof *mark);
    int64_t at = 0;
    for (int32_t j = 0; j < n; j++) {
        out->ptr[j] = at;
        mark[j] = j;
        for (int64_t q = ap[j]; q < ap[j + 1]; q++)
            if (mark[ai[q]] != j) {
                mark[ai[q]] = j;
                out->idx[at++] = ai[q];
            }
        for (int64_t q = tp[j]; q < tp[j + 1]; q++)
            if (mark[ti[q]] != j) {
                mark[ti[q]] = j;
                out->idx[at++] = ti[q];
            }
    }
    out->ptr[n] = at;
    return true;
}

/* order(n, indptr, indices): columns of a symmetric pattern in an order of least degree. */
static bool order_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int64_t n;
    gx_rows a;
    pattern g;
    void *to;
    if (!gx_arg_int(c, 0, &n) || !gx_rows_arg(&s, c, 1, n, &a)) return gx_np_end(&s, false);
    if (a.m != n || n > INT32_MAX / 16) return gx_np_end(&s, gx_arg_wrong(c, 1, "a square matrix"));
    int64_t *ptr = gx_np_room(&s, n + 1, sizeof *ptr);
    int32_t *idx = gx_np_room(&s, a.count + 1, sizeof *idx);
    if (!ptr || !idx) return gx_np_end(&s, false);
    for (int64_t i = 0; i <= n; i++) ptr[i] = gx_index_at(a.ptr, a.wide, i);
    for (int64_t i = 0; i < a.count; i++) idx[i] = (int32_t)gx_index_at(a.idx, a.wide, i);
    gx_array *r = gx_new_line(&s, GX_i32, n, &to);
    if (!r || !add_pattern(&s, (int32_t)n, ptr, idx, &g) ||
        !gx_least_degree(&s, (int32_t)n, g.ptr, g.idx, to))
        return gx_np_end(&s, false);
    return gx_np_give_array(&s, r, out);
}

static bool give_factor(gx_np *s, lu *f, const factor *p, gx_dtype d, gx_array **out) {
    void *to[3];
    const int64_t count = p->ptr[f->n], n = f->n;
    if (!(out[0] = gx_new_line(s, GX_i32, n + 1, &to[0])) ||
        !(out[1] = gx_new_line(s, GX_i32, count, &to[1])) ||
        !(out[2] = gx_new_line(s, d, count, &to[2])))
        return false;
    for (int64_t i = 0; i <= n; i++) ((int32_t *)to[0])[i] = (int32_t)p->ptr[i];
    if (count == 0) return true;
    memcpy(to[1], p->idx, (size_t)count * sizeof *p->idx);
    memcpy(to[2], p->x, (size_t)count * (size_t)gx_dtype_size(d));
    return true;
}

static bool open_lu(gx_np *s, lu *f, size_t bytes) {
    const int64_t n = f->n;
    int32_t *all = gx_np_room(s, 5 * n + 1, sizeof *all);
    if (!all || !(f->work = gx_np_room(s, n + 1, bytes)) ||
        !(f->pruned = gx_np_room(s, n + 1, sizeof *f->pruned)) ||
        !(f->l.ptr = gx_np_room(s, n + 1, sizeof *f->l.ptr)) ||
        !(f->u.ptr = gx_np_room(s, n + 1, sizeof *f->u.ptr)))
        return false;
    f->place = all;
    f->stack = all + n;
    f->at_stack = all + 2 * n;
    f->found = all + 3 * n;
    f->mark = all + 4 * n;
    memset(f->place, -1, (size_t)n * sizeof *f->place);
    memset(f->mark, -1, (size_t)n * sizeof *f->mark);
    memset(f->work, 0, (size_t)(n + 1) * bytes);
    f->singular = -1;
    const int64_t room = 4 * f->ap[n] + n + 1;
    return grow(f, &f->l, room, bytes) && grow(f, &f->u, room, bytes);
}

/* factor(n, indptr, indices, data, order, threshold, drop): of a csc matrix of float64 or
   complex128: L and U by columns, and the number of each row as a pivot; or the number of a column
   that has no pivot. */
static bool factor_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int64_t n;
    gx_rows a;
    const void *order;
    lu f = {.rt = s.rt};
    gx_array *r[7];
    void *to;
    if (!gx_arg_int(c, 0, &n) || !gx_rows_arg(&s, c, 1, n, &a)) return gx_np_end(&s, false);
    if (a.m != n || n > INT32_MAX / 16) return gx_np_end(&s, gx_arg_wrong(c, 1, "a square matrix"));
    gx_array *v = gx_values_arg(&s, c, 3, a.count, &f.ax);
    if (!v || !gx_index_arg(&s, c, 4, false, n, &order)) return gx_np_end(&s, false);
    if ((v->dtype != GX_f64 && v->dtype != GX_c128) || gx_as_array(c->argv[4])->count != n)
        return gx_np_end(&s, gx_arg_wrong(c, 3, "float64 or complex128, with an order of columns"));
    if (!gx_arg_float(c, 5, &f.threshold) || !gx_arg_float(c, 6, &f.drop))
        return gx_np_end(&s, false);
    int64_t *ptr = gx_np_room(&s, n + 1, sizeof *ptr);
    int32_t *idx = gx_np_room(&s, a.count + 1, sizeof *idx);
    if (!ptr || !idx) return gx_np_end(&s, false);
    for (int64_t i = 0; i <= n; i++) ptr[i] = gx_index_at(a.ptr, a.wide, i);
    for (int64_t i = 0; i < a.count; i++) idx[i] = (int32_t)gx_index_at(a.idx, a.wide, i);
    f.n = (int32_t)n;
    f.ap = ptr;
    f.ai = idx;
    f.order = order;
    const gx_dtype d = (gx_dtype)v->dtype;
    bool ok = open_lu(&s, &f, (size_t)gx_dtype_size(d)) &&
              (d == GX_f64 ? decompose_real(&f) : decompose_cplx(&f));
    ok = ok && gx_work_end(s.rt);
    if (ok && f.singular >= 0) *out = gx_int(f.singular);
    else
        ok = ok && give_factor(&s, &f, &f.l, d, r) && give_factor(&s, &f, &f.u, d, r + 3) &&
             (r[6] = gx_new_line(&s, GX_i32, n, &to));
    if (ok && f.singular < 0 && n) memcpy(to, f.place, (size_t)n * sizeof *f.place);
    gx_free(s.rt, f.l.idx);
    gx_free(s.rt, f.l.x);
    gx_free(s.rt, f.u.idx);
    gx_free(s.rt, f.u.x);
    if (!ok || f.singular >= 0) return gx_np_end(&s, ok);
    return gx_np_give_tuple(&s, 7, r, out);
}

/* triangle(n, indptr, indices, data, b, lower, unit, turn): the solution of a triangular system
   whose matrix is csc; turn: of its transpose. b is (n,) or (n, k), and the diagonal is there.
   None: it is singular. */
static bool triangle_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int64_t n;
    gx_rows a;
    const void *x, *b;
    bool lower, unit, turn;
    if (!gx_arg_int(c, 0, &n) || !gx_rows_arg(&s, c, 1, n, &a)) return gx_np_end(&s, false);
    gx_array *v = gx_values_arg(&s, c, 3, a.count, &x);
    gx_array *y = v ? gx_values_arg(&s, c, 4, 0, &b) : NULL;
    if (!y || !gx_arg_bool(c, 5, &lower) || !gx_arg_bool(c, 6, &unit) || !gx_arg_bool(c, 7, &turn))
        return gx_np_end(&s, false);
    if (a.m != n || a.wide || (v->dtype != GX_f64 && v->dtype != GX_c128) || y->dtype != v->dtype ||
        y->ndim < 1 || y->ndim > 2 || gx_shape(y)[0] != n)
        return gx_np_end(&s, gx_arg_wrong(c, 4, "the right side of a triangular system"));
    gx_array *r = gx_np_fresh(&s, y, (gx_dtype)y->dtype);
    void *to = r ? gx_np_data_write(&s, r) : NULL;
    if (!r || (!to && r->count)) return gx_np_end(&s, false);
    const int64_t k = y->ndim == 2 ? gx_shape(y)[1] : 1;
    const bool ok = v->dtype == GX_f64 ? solve_real(n, k, a.ptr, a.idx, x, to, lower, unit, turn)
                                       : solve_cplx(n, k, a.ptr, a.idx, x, to, lower, unit, turn);
    if (ok) return gx_np_give_array(&s, r, out);
    *out = gx_none();
    return gx_np_end(&s, true);
}

const gx_native gx_sparse_lu_functions[] = {
    {"order", "order(n, indptr, indices, /)", "An order of columns that keeps factors sparse.",
     NULL, order_fn, 0, 0},
    {"factor", "factor(n, indptr, indices, data, order, threshold, drop, /)",
     "L and U of a csc matrix, and the number of each row as a pivot.", NULL, factor_fn, 0, 0},
    {"triangle", "triangle(n, indptr, indices, data, b, lower, unit, turn, /)",
     "The solution of a triangular system.", NULL, triangle_fn, 0, 0},
    {.name = NULL},
};
