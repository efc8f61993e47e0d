/* Stacks of matrices: functions of scipy.linalg that are told for one matrix are called for each
   matrix of a stack (the leading axes of their operands, broadcast together), and what they give is
   stacked again. A table says which arguments are arrays and how many axes of each belong to one
   call. The functions themselves never see a stack. */
#include <string.h>

#include "runtime/object/container/list.h"
#include "stdlib/numpy/base/batch.h"
#include "stdlib/numpy/base/call.h"

/* cores, an argument a letter: 0, 1 or 2 axes; v: a vector or, of more axes, a matrix; -: no array;
   (..): a tuple of such. whole: a stack may be empty, and many results are a tuple, not a list. */
typedef struct stacked {
    const char *name, *cores;
    bool whole;
} stacked;

static const stacked rows[] = {
    {"bandwidth", "2", true},
    {"cho_factor", "2", true},
    {"cho_solve", "(20)v", false},
    {"cholesky", "2", false},
    {"circulant", "1", true},
    {"companion", "1", true},
    {"convolution_matrix", "1", true},
    {"coshm", "2", false},
    {"cosm", "2", false},
    {"diagsvd", "1", false},
    {"eig", "22", true},
    {"eig_banded", "2", false},
    {"eigh", "22", false},
    {"eigh_tridiagonal", "11", false},
    {"eigvals", "22", false},
    {"eigvals_banded", "2", false},
    {"eigvalsh", "22", false},
    {"eigvalsh_tridiagonal", "11", false},
    {"expm", "2", true},
    {"fiedler", "1", true},
    {"fractional_matrix_power", "2", false},
    {"funm", "2", false},
    {"ishermitian", "2", false},
    {"issymmetric", "2", false},
    {"khatri_rao", "22", false},
    {"leslie", "11", false},
    {"logm", "2", false},
    {"lstsq", "2v", true},
    {"lu", "2", true},
    {"lu_factor", "2", false},
    {"lu_solve", "(21)v", false},
    {"null_space", "2", false},
    {"orth", "2", false},
    {"orthogonal_procrustes", "22", false},
    {"pinv", "2", true},
    {"pinvh", "2", false},
    {"polar", "2", false},
    {"qr", "2", true},
    {"rq", "2", false},
    {"rsf2csf", "22", false},
    {"signm", "2", false},
    {"sinhm", "2", false},
    {"sinm", "2", false},
    {"solve_banded", "-2v", false},
    {"solve_continuous_lyapunov", "22", false},
    {"solve_discrete_lyapunov", "22", false},
    {"solve_sylvester", "222", false},
    {"solve_triangular", "2v", false},
    {"solveh_banded", "2v", false},
    {"sqrtm", "2", true},
    {"subspace_angles", "22", false},
    {"svdvals", "2", true},
    {"tanhm", "2", false},
    {"tanm", "2", false},
    {"toeplitz", "11", false},
};

enum { MOST = 4, MOST_ARGS = 32 };

/* An operand: where it stands, and how many of its axes go into one call. */
typedef struct part {
    gx_array *a;
    int arg, item, core; /* item: in the tuple that the argument is, or -1 */
} part;

typedef struct batch {
    gx_call *c;
    const stacked *row;
    gx_native_fn fn;
    gx_np s;
    part parts[MOST];
    int count, ndim;
    int64_t shape[GX_MAX_DIMS];
    int64_t first; /* results in a tuple of their own ahead of the others, or 0 */
    bool several;  /* results are a tuple */
} batch;

static const stacked *row_of(const char *name) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    return NULL;
}

static bool add_part(batch *b, gx_borrowed v, int arg, int item, char code) {
    if (code == '-' || v.tag == GX_NONE || v.tag == GX_UNDEF) return true;
    gx_array *a = gx_np_arr(&b->s, v);
    if (!a || b->count == MOST) return a != NULL;
    int core = code == 'v' ? (a->ndim >= 2 ? 2 : 1) : code - '0';
    if (core > a->ndim) core = a->ndim; /* the function says what is wrong with it */
    b->parts[b->count++] = (part){a, arg, item, core};
    return true;
}

static bool find_parts(batch *b) {
    const char *p = b->row->cores;
    for (int arg = 0; *p && arg < b->c->argc; arg++, p++) {
        const gx_value *items;
        if (*p != '(') {
            if (!add_part(b, b->c->argv[arg], arg, -1, *p)) return false;
            continue;
        }
        int64_t n;
        if (!gx_np_items(&b->s, b->c->argv[arg], &items, &n)) return false;
        for (int i = 0; *++p != ')'; i++)
            if (i < n && !add_part(b, items[i], arg, i, *p)) return false;
    }
    return true;
}

/* The leading axes, broadcast. */
static bool batch_shape(batch *b) {
    gx_array *heads[MOST];
    b->ndim = 0;
    for (int i = 0; i < b->count; i++) {
        const gx_array *a = b->parts[i].a;
        const int lead = a->ndim - b->parts[i].core;
        if (!(heads[i] = gx_np_empty(&b->s, GX_bool, 0, NULL))) return false;
        if (lead) heads[i] = gx_np_broadcast(&b->s, heads[i], lead, gx_shape(a));
        if (!heads[i]) return false;
        if (lead > b->ndim) b->ndim = lead;
    }
    return !b->ndim || gx_broadcast_shapes(b->c->rt, b->count, heads, &b->ndim, b->shape);
}

/* The operand's matrix number i of the stack; in an empty stack one that any function can take. */
static gx_array *matrix_at(batch *b, gx_np *s, const part *p, int64_t i, bool empty) {
    gx_array *a = p->a;
    const int lead = a->ndim - p->core;
    if (empty && lead) {
        gx_array *r =
            gx_np_copy(s, gx_np_zeros(s, (gx_dtype)a->dtype, p->core, gx_shape(a) + lead), 'C');
        const gx_value argv[2] = {gx_np_value(r), gx_int(1)};
        gx_value none;
        if (!r || p->core != 2) return r;
        if (!gx_np_call(s, "fill_diagonal", 2, argv, &none)) return NULL;
        gx_drop(none);
        return r;
    }
    for (int axis = b->ndim - 1; lead && axis >= 0; axis--) {
        const int own = axis - (b->ndim - lead);
        const int64_t k = i % b->shape[axis];
        i /= b->shape[axis];
        if (own >= 0) a = gx_np_at(s, a, own, gx_shape(a)[own] == 1 ? 0 : k);
        if (!a) return NULL;
    }
    return a;
}

/* The arguments of one call, operands in their places. */
static bool arguments(batch *b, gx_np *s, int64_t i, bool empty, gx_value *argv) {
    memcpy(argv, b->c->argv, (size_t)b->c->argc * sizeof *argv);
    for (int k = 0; k < b->count; k++) {
        const part *p = &b->parts[k];
        gx_array *a = matrix_at(b, s, p, i, empty);
        if (!a) return false;
        if (p->item < 0) {
            argv[p->arg] = gx_np_value(a);
            continue;
        }
        const gx_value *items;
        gx_value few[MOST], t;
        const int64_t n = gx_sequence_items(argv[p->arg], &items);
        if (n > MOST || n <= p->item)
            return gx_fail(s->rt, GX_ValueError, "linalg.tuple",
                           "%s: a result cannot be a tuple of %lld", b->c->fn->name, (long long)n);
        memcpy(few, items, (size_t)n * sizeof *few);
        few[p->item] = gx_np_value(a);
        if (!gx_tuple_new(s->rt, n, few, &t) || !gx_np_hold(s, t)) return false;
        argv[p->arg] = t;
    }
    return true;
}

/* Calls the function for matrix i and appends what it gives to the lists, which it makes. */
static bool one_call(batch *b, int64_t i, bool empty, gx_value *lists, int *outputs) {
    gx_rt *rt = b->c->rt;
    gx_np s = gx_np_begin_at(rt, b->s.ns);
    gx_value argv[MOST_ARGS], r, flat[MOST];
    const gx_value *items = &r, *own;
    gx_call inner = *b->c;
    inner.argv = argv;
    if (!arguments(b, &s, i, empty, argv)) return gx_np_end(&s, false);
    if (!b->fn(&inner, &r)) return gx_np_end(&s, false);
    if (!gx_np_hold(&s, r)) return gx_np_end(&s, false);
    int64_t n = r.tag == GX_TUPLE ? gx_sequence_items(r, &items) : 1;
    b->several = r.tag == GX_TUPLE;
    if (b->several && n > 0 && items[0].tag == GX_TUPLE &&
        (b->first = gx_sequence_items(items[0], &own)) + n - 1 <= MOST) {
        memcpy(flat, own, (size_t)b->first * sizeof *flat);
        memcpy(flat + b->first, items + 1, (size_t)(n - 1) * sizeof *flat);
        items = flat;
        n += b->first - 1;
    }
    for (; *outputs < n && *outputs < MOST; (*outputs)++)
        if (!gx_list_new(rt, 0, NULL, &lists[*outputs]) || !gx_np_hold(&b->s, lists[*outputs]))
            return gx_np_end(&s, false);
    for (int k = 0; k < n && k < *outputs; k++)
        if (!gx_list_push_take(rt, lists[k], gx_keep(items[k]))) return gx_np_end(&s, false);
    return gx_np_end(&s, true);
}

static gx_array *joined(batch *b, gx_value list, bool empty) {
    int64_t shape[GX_MAX_DIMS];
    gx_array *r = gx_np_call_values(&b->s, "stack", 1, &list);
    if (!r) return NULL;
    const int core = r->ndim - 1;
    if (core + b->ndim > GX_MAX_DIMS) {
        gx_fail(b->s.rt, GX_ValueError, "linalg.axes", "%s: the result has too many axes",
                b->c->fn->name);
        return NULL;
    }
    memcpy(shape, b->shape, (size_t)b->ndim * sizeof *shape);
    memcpy(shape + b->ndim, gx_shape(r) + 1, (size_t)core * sizeof *shape);
    return empty ? gx_np_zeros(&b->s, (gx_dtype)r->dtype, b->ndim + core, shape)
                 : gx_np_reshape(&b->s, r, b->ndim + core, shape);
}

/* ((a, b), c, …) of the results. */
static bool give_nested(batch *b, int outputs, gx_array *const *results, gx_value *out) {
    gx_value items[MOST];
    const int first = (int)b->first;
    for (int k = 0; k < first; k++) items[k] = gx_np_value(results[k]);
    gx_value own;
    if (!gx_tuple_new(b->s.rt, first, items, &own) || !gx_np_hold(&b->s, own)) return false;
    items[0] = own;
    for (int k = first; k < outputs; k++) items[k - first + 1] = gx_np_value(results[k]);
    return gx_tuple_new(b->s.rt, outputs - first + 1, items, out);
}

static bool all_calls(batch *b, gx_value *out) {
    gx_rt *rt = b->c->rt;
    gx_value lists[MOST];
    gx_array *results[MOST];
    int outputs = 0;
    const int64_t n = gx_np_size(b->ndim, b->shape);
    if (!n && !b->row->whole)
        return gx_fail(rt, GX_ValueError, "linalg.stack",
                       "`%s` does not support zero-size batches.", b->c->fn->name);
    for (int64_t i = 0; i < n || (!n && !i); i++) {
        if (gx_must_stop(rt)) return gx_stop(rt);
        if (one_call(b, i, !n, lists, &outputs)) continue;
        if (n > 1) gx_note(rt, "in matrix %lld of a stack of %lld", (long long)i, (long long)n);
        return false;
    }
    for (int k = 0; k < outputs; k++)
        if (!(results[k] = joined(b, lists[k], !n))) return false;
    if (b->first) return give_nested(b, outputs, results, out);
    if (outputs == 1 && !(b->several && b->row->whole))
        return gx_np_give_array(&b->s, results[0], out);
    return b->row->whole ? gx_np_give_tuple(&b->s, outputs, results, out)
                         : gx_np_give_list(&b->s, outputs, results, out);
}

bool gx_sp_batch(gx_call *c, gx_native_fn fn, gx_value *out) {
    batch b = {.c = c, .row = row_of(c->fn->name), .fn = fn};
    if (!b.row || c->argc > MOST_ARGS) return fn(c, out);
    b.s = gx_np_begin_at(c->rt, c->ns);
    if (!find_parts(&b) || !batch_shape(&b)) return gx_np_end(&b.s, false);
    if (!b.ndim) return gx_np_end(&b.s, true) && fn(c, out);
    return gx_np_end(&b.s, all_calls(&b, out));
}
