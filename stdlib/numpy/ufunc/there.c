/* Methods of ufuncs whose arrays live on a GPU, composed of operations there. An operation of which
   any part may be done first folds halves, makes running results by steps of 1, 2, 4 …, and changes
   positions after their operands were sorted and folded by position. Where each result needs the
   one before, up to a few turns are made, and more are the host's. */
#include "stdlib/numpy/base/call.h"
#include "stdlib/numpy/base/reduce.h"
#include "stdlib/numpy/base/scope.h"
#include "stdlib/numpy/ufunc/there_int.h"

#include "runtime/op/whole.h"

enum { MOST_TURNS = 32, WIDE = 4 };

bool gx_np_folds_there(gx_np *s, gx_opcode op, const gx_array *a) {
    switch ((int)op) {
    case GX_OP_add:
    case GX_OP_multiply:
    case GX_OP_maximum:
    case GX_OP_minimum:
    case GX_OP_fmax:
    case GX_OP_fmin:
    case GX_OP_bitwise_and:
    case GX_OP_bitwise_or:
    case GX_OP_bitwise_xor:
    case GX_OP_logical_and:
    case GX_OP_logical_or:
    case GX_OP_logical_xor:
    case GX_OP_gcd:
    case GX_OP_lcm:
        return a->count > 0 && gx_array_is_away(s->rt, a);
    case GX_OP_hypot: /* rounding shows in few bits */
    case GX_OP_logaddexp:
    case GX_OP_logaddexp2:
        return a->count > 0 && gx_dtypes[a->dtype].bytes >= 4 && gx_array_is_away(s->rt, a);
    default:
        return false;
    }
}

gx_array *gx_np_fold_there(gx_np *s, gx_opcode op, gx_array *a, int axis) {
    while (a && gx_shape(a)[axis] > 1) {
        const int64_t n = gx_shape(a)[axis], half = n / 2;
        gx_array *r = gx_np_op2(s, op, gx_np_slice(s, a, axis, 0, 1, half),
                                gx_np_slice(s, a, axis, half, 1, half));
        if (r && n % 2) { /* the one that is left over goes into the first */
            gx_array *to = gx_np_slice(s, r, axis, 0, 1, 1);
            gx_array *v = gx_np_op2(s, op, to, gx_np_slice(s, a, axis, n - 1, 1, 1));
            if (!to || !v || !gx_array_store(s->rt, to, v)) return NULL;
        }
        a = r;
    }
    return a ? gx_np_at(s, a, axis, 0) : NULL;
}

/* Numbers 0 … n - 1 along an axis of an array with so many. */
static gx_array *along(gx_np *s, gx_array *line, int ndim, int axis) {
    int64_t shape[GX_MAX_DIMS];
    if (!line) return NULL;
    for (int d = 0; d < ndim; d++) shape[d] = d == axis ? line->count : 1;
    return gx_np_reshape(s, line, ndim, shape);
}

/* Running results along an axis: of each part that begins at `start` of its positions (NULL: of the
   whole axis), the longest of which has so many. */
static gx_array *running(gx_np *s, gx_opcode op, gx_array *a, int axis, gx_array *start,
                         int64_t longest) {
    for (int64_t step = 1; a && step < longest; step *= 2) {
        const int64_t left = gx_shape(a)[axis] - step;
        gx_array *high = gx_np_slice(s, a, axis, step, 1, left);
        gx_array *v = gx_np_op2(s, op, gx_np_slice(s, a, axis, 0, 1, left), high);
        if (start) {
            gx_array *same = gx_np_op2(s, GX_OP_less_equal, gx_np_slice(s, start, 0, step, 1, left),
                                       gx_np_iota(s, left));
            v = gx_np_op3(s, GX_OP_where, along(s, same, a->ndim, axis), v, high);
        }
        gx_array *r = gx_np_copy(s, a, 'C');
        gx_array *to = r ? gx_np_slice(s, r, axis, step, 1, left) : NULL;
        if (!to || !v || !gx_array_store(s->rt, to, v)) return NULL;
        a = r;
    }
    return a;
}

gx_array *gx_np_accumulate_there(gx_np *s, gx_opcode op, gx_array *a, int axis) {
    return running(s, op, a, axis, NULL, gx_shape(a)[axis]);
}

/* Sorted positions of parts: where each begins, how long it is, and the longest. */
typedef struct parts {
    gx_array *starts, *lengths;
    int64_t n, longest;
} parts;

static bool measure(gx_np *s, parts *p) {
    const int64_t m = p->starts->count;
    gx_array *end = gx_np_reshape(s, gx_np_i64(s, p->n), 1, (const int64_t[]){1});
    gx_array *const next[2] = {gx_np_slice(s, p->starts, 0, 1, 1, m - 1), end};
    gx_array *ends = gx_np_concat(s, 2, next, 0, GX_i64);
    p->lengths = gx_np_op2(s, GX_OP_subtract, ends, p->starts);
    gx_array *most = p->lengths ? gx_np_reduce(s, GX_RED_max, p->lengths, 1, false, GX_i64) : NULL;
    gx_scalar longest;
    if (!most || !gx_array_item(s->rt, most, &longest)) return false;
    p->longest = longest.i64;
    return true;
}

/* The fold of each part along an axis. */
static gx_array *fold_parts(gx_np *s, gx_opcode op, gx_array *a, int axis, const parts *p) {
    const int64_t n = p->n;
    gx_array *mark = gx_np_zeros(s, GX_i64, 1, &n), *one = gx_np_i64(s, 1);
    if (!mark || !one || !gx_array_set(s->rt, mark, gx_np_value(p->starts), gx_np_value(one)))
        return NULL;
    gx_array *part = gx_np_op2(s, GX_OP_subtract, gx_np_scan(s, mark, 0, false, GX_i64), one);
    part = gx_np_op2(s, GX_OP_maximum, part, gx_np_i64(s, 0)); /* what is before the first */
    gx_array *start = part ? gx_np_take(s, p->starts, part, 0) : NULL;
    a = start ? running(s, op, a, axis, start, p->longest) : NULL;
    gx_array *last = gx_np_op2(s, GX_OP_subtract,
                               gx_np_op2(s, GX_OP_add, p->starts, p->lengths), one);
    return a && last ? gx_np_take(s, a, last, axis) : NULL;
}

gx_array *gx_np_reduceat_there(gx_np *s, gx_opcode op, gx_array *a, int axis, gx_array *indices,
                               bool *done) {
    parts p = {.n = gx_shape(a)[axis], .starts = indices};
    const int64_t m = indices->count;
    gx_scalar ordered, low, high;
    *done = false;
    if (m == 0) return NULL;
    gx_array *up = gx_np_op2(s, GX_OP_less, gx_np_slice(s, indices, 0, 0, 1, m - 1),
                             gx_np_slice(s, indices, 0, 1, 1, m - 1));
    up = up ? gx_np_reduce(s, GX_RED_all, up, 1, false, GX_bool) : NULL;
    if (!up || !gx_array_item(s->rt, up, &ordered) || !gx_array_item_at(s->rt, indices, 0, &low) ||
        !gx_array_item_at(s->rt, indices, m - 1, &high))
        return NULL;
    *done = ordered.b && low.i64 >= 0 && high.i64 < p.n;
    return *done && measure(s, &p) ? fold_parts(s, op, a, axis, &p) : NULL;
}

/* --- at --- */

typedef struct at_job {
    gx_np *s;
    gx_opcode op;
    gx_dtype compute;
    gx_array *work, *index, *b; /* one axis each; b NULL: a function of one number */
} at_job;

/* work[index] = op(work[index], b), for positions of which none comes twice. */
static bool change(const at_job *j, gx_array *index, gx_array *b) {
    gx_np *s = j->s;
    gx_array *x = index ? gx_np_cast(s, gx_np_take(s, j->work, index, 0), j->compute) : NULL;
    gx_array *r = !x ? NULL : j->b ? gx_np_op2(s, j->op, x, b) : gx_np_op1(s, j->op, x);
    r = r ? gx_np_cast(s, r, (gx_dtype)j->work->dtype) : NULL;
    return r && gx_array_set(s->rt, j->work, gx_np_value(index), gx_np_value(r));
}

/* The operation that folds what is done to one position: a - x - y is a - (x + y). */
static gx_opcode folding(gx_opcode op, gx_dtype d) {
    if (op == GX_OP_subtract) return GX_OP_add;
    return op == GX_OP_divide && gx_np_is_float(d) ? GX_OP_multiply : op;
}

/* Sums of float64 by position, where there are not many more positions than sums. */
static bool add_bins(const at_job *j) {
    gx_np *s = j->s;
    gx_array *n = gx_np_i64(s, j->work->count);
    gx_array *sums = gx_np_call_arrays(s, "bincount", 3, j->index, j->b, n);
    sums = sums ? gx_np_op2(s, j->op, j->work, sums) : NULL;
    return sums && gx_array_store(s->rt, j->work, sums);
}

/* The k-th change of each position that has one. */
static bool turn(const at_job *j, gx_array *order, const parts *p, int64_t k) {
    gx_np *s = j->s;
    gx_array *has = gx_np_places(s, gx_np_op2(s, GX_OP_greater, p->lengths, gx_np_i64(s, k)));
    gx_array *at = has ? gx_np_op2(s, GX_OP_add, gx_np_take(s, p->starts, has, 0), gx_np_i64(s, k))
                       : NULL;
    gx_array *which = at ? gx_np_take(s, order, at, 0) : NULL;
    return which && change(j, gx_np_take(s, j->index, which, 0),
                           j->b ? gx_np_take(s, j->b, which, 0) : NULL);
}

bool gx_np_at_there(gx_np *s, gx_opcode op, gx_dtype compute, gx_dtype result, gx_array *work,
                    gx_array *index, gx_array *b, bool *done) {
    at_job j = {s, op, compute, gx_np_flat(s, work), gx_np_flat(s, index),
                b ? gx_np_flat(s, b) : NULL};
    parts p = {.n = index->count};
    const bool sums = op == GX_OP_add || op == GX_OP_subtract;
    *done = true;
    if (p.n == 0) return true;
    if (!j.work || !j.index || (b && !j.b)) return false;
    if (sums && compute == GX_f64 && j.work->dtype == GX_f64 && j.work->count / WIDE <= p.n)
        return add_bins(&j);
    gx_array *order = gx_np_call_arrays(s, "argsort", 1, j.index);
    gx_array *sorted = order ? gx_np_take(s, j.index, order, 0) : NULL;
    if (!sorted) return false;
    gx_array *differ = gx_np_op2(s, GX_OP_not_equal, gx_np_slice(s, sorted, 0, 0, 1, p.n - 1),
                                 gx_np_slice(s, sorted, 0, 1, 1, p.n - 1));
    gx_array *first = gx_np_reshape(s, gx_np_cast(s, gx_np_i64(s, 1), GX_bool), 1,
                                    (const int64_t[]){1});
    gx_array *const heads[2] = {first, differ};
    if (!first || !differ) return false;
    p.starts = gx_np_places(s, gx_np_concat(s, 2, heads, 0, GX_bool));
    if (!p.starts) return false;
    if (p.starts->count == p.n) return change(&j, j.index, j.b);
    if (!measure(s, &p)) return false;
    const gx_opcode fold = folding(op, compute);
    /* What is rounded to the array's dtype each time is done each time. */
    if (b && compute == result && compute == j.work->dtype && gx_np_folds_there(s, fold, j.work)) {
        gx_array *r = fold_parts(s, fold, gx_np_take(s, j.b, order, 0), 0, &p);
        return r && change(&j, gx_np_take(s, sorted, p.starts, 0), r);
    }
    *done = p.longest <= MOST_TURNS;
    for (int64_t k = 0; *done && k < p.longest; k++)
        if (!turn(&j, order, &p, k)) return false;
    return true;
}
