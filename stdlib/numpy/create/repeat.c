/* Elements repeated, shifted, differenced: new arrays from positions of old
   ones. Positions are host indices; the gathering is the runtime's. */
#include <string.h>

#include "runtime/device/work.h"
#include "stdlib/numpy/base/scope.h"

extern const gx_native gx_np_repeat_functions[];

/* --- tile, repeat --- */

static bool tile_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    int n;
    int64_t reps[GX_MAX_DIMS], wide[GX_MAX_DIMS * 2], both[GX_MAX_DIMS * 2], flat[GX_MAX_DIMS];
    if (!a || !gx_shape_of(c->rt, c->argv[1], GX_SIZES_SIGNED | GX_SIZES_BOOLS | GX_SIZES_ITERABLE,
                           "tile", &n, reps))
        return gx_np_end(&s, false);
    int nd = a->ndim > n ? a->ndim : n;
    bool once = true;
    for (int i = 0; i < n; i++) once = once && reps[i] == 1;
    if (once && nd == a->ndim) return gx_np_give_array(&s, gx_np_copy(&s, a, 'K'), out);
    if (2 * nd > GX_MAX_DIMS)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "tile.dims", "tile: too many axes"));
    /* Each axis becomes (repeats, size); the first is broadcast and both are merged. */
    for (int i = 0; i < nd; i++) {
        int64_t size = i < nd - a->ndim ? 1 : gx_shape(a)[i - (nd - a->ndim)];
        int64_t times = i < nd - n ? 1 : reps[i - (nd - n)];
        both[2 * i] = 1;
        wide[2 * i] = times < 0 ? 0 : times;
        both[2 * i + 1] = wide[2 * i + 1] = size;
        if (times < 0 && size)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "shape.negative",
                                         "tile: negative dimensions are not allowed"));
        flat[i] = size ? gx_size_times(times, size) : 0;
    }
    int64_t total;
    if (!gx_shape_count(c->rt, nd, flat, gx_dtype_size(a->dtype), &total))
        return gx_np_end(&s, false);
    if (a->count == 0) /* a view, as NumPy's is */
        return gx_np_give_array(&s, gx_np_reshape(&s, a, nd, flat), out);
    gx_array *w = gx_np_broadcast(&s, gx_np_reshape(&s, a, 2 * nd, both), 2 * nd, wide);
    gx_array *r = gx_np_reshape(&s, gx_np_copy(&s, w, 'C'), nd, flat);
    return gx_np_give_array(&s, once ? gx_np_settled(&s, r) : r, out);
}

/* Rows of `n` items of `item` bytes; item i of each row goes out k[i] times (`one`: k[0] times). */
typedef struct repeat_job {
    const gx_rt *rt;
    const char *from;
    char *to;
    const int64_t *k;
    int64_t rows, n, item, total; /* total: items of a row that go out */
    int64_t tasks;
    bool one;
} repeat_job;

typedef struct item16 {
    uint64_t half[2];
} item16;

/* As repeat_item for items of one size: four at once, as long as there is room for four. */
#define FEW_COPIES(T, name)                                                                        \
    static char *repeat_##name(char *to, const char *end, const char *from, int64_t times) {       \
        T v, four[4];                                                                              \
        memcpy(&v, from, sizeof v);                                                                \
        if (times <= 4 && end - to >= (int64_t)sizeof four) {                                      \
            for (int k = 0; k < 4; k++) four[k] = v;                                               \
            memcpy(to, four, sizeof four);                                                         \
        } else {                                                                                   \
            for (int64_t j = 0; j < times; j++)                                                    \
                memcpy(to + j * (int64_t)sizeof v, &v, sizeof v);                                  \
        }                                                                                          \
        return to + times * (int64_t)sizeof v;                                                     \
    }
FEW_COPIES(item16, 16)
FEW_COPIES(uint64_t, 8)
FEW_COPIES(uint32_t, 4)
FEW_COPIES(uint16_t, 2)
FEW_COPIES(uint8_t, 1)

static char *repeat_item(char *to, const char *from, int64_t item, int64_t times) {
    for (int64_t j = 0; j < times; j++) memcpy(to + j * item, from, (size_t)item);
    return to + times * item;
}

static int64_t sum(const int64_t *k, int64_t from, int64_t to) {
    int64_t total = 0;
    for (int64_t i = from; i < to; i++) total += k[i];
    return total;
}

static void repeat_task(void *arg, int64_t task, int thread) {
    const repeat_job *j = arg;
    int64_t all = j->rows * j->n, end = all * (task + 1) / j->tasks;
    (void)thread;
    for (int64_t i = all * task / j->tasks; i < end;) {
        int64_t row = i / j->n, at = i % j->n, stop = (row + 1) * j->n < end ? j->n : at + end - i;
        int64_t before = j->one ? at * j->k[0] : sum(j->k, 0, at);
        int64_t here = j->one ? (stop - at) * j->k[0] : sum(j->k, at, stop);
        char *to = j->to + (row * j->total + before) * j->item, *room = to + here * j->item;
        const char *from = j->from + i * j->item;
        const int64_t *k = j->k + (j->one ? 0 : at), next = !j->one, count = stop - at;
        i += count;
#define REPEAT(size)                                                                               \
    case size:                                                                                     \
        GX_LONG_LOOP(j->rt, q, 0, count) {                                                         \
            to = repeat_##size(to, room, from + q * size, *k);                                     \
            k += next;                                                                             \
        }                                                                                          \
        break;
        switch (j->item) {
            REPEAT(1)
            REPEAT(2)
            REPEAT(4)
            REPEAT(8)
            REPEAT(16)
        default:
            for (int64_t q = 0; q < count && !gx_work_stops(j->rt); q++, k += next)
                to = repeat_item(to, from + q * j->item, j->item, *k);
        }
#undef REPEAT
    }
}

/* How many items go out in all; negative: wrong counts, the error is set. */
static int64_t repeat_total(gx_np *s, const int64_t *k, int64_t count, int64_t n) {
    int64_t total = 0;
    bool one = count == 1;
    if (!one && count != n) {
        gx_fail(s->rt, GX_ValueError, "repeat.shape",
                "operands could not be broadcast together with shape (%lld,) (%lld,)", (long long)n,
                (long long)count);
        return -1;
    }
    GX_LONG_LOOP(s->rt, i, 0, one ? n > 0 : n) {
        if (k[i] < 0) {
            gx_fail(s->rt, GX_ValueError, "repeat.negative",
                    "repeats may not contain negative values.");
            return -1;
        }
        if (__builtin_add_overflow(total, k[i], &total)) total = INT64_MAX;
    }
    if (one && n && __builtin_mul_overflow(total, n, &total)) total = INT64_MAX;
    if (total < INT64_MAX) return total;
    gx_fail(s->rt, GX_ValueError, "array.size", "array is too big");
    return -1;
}

/* Each part along an axis k times, as a copy of a view that has them side by side: as fast as the
   loop where there are many, and done where the array is. */
static gx_array *spread_parts(gx_np *s, gx_array *a, int axis, int64_t k) {
    int64_t shape[GX_MAX_DIMS];
    gx_array *wide;
    const int n = a->ndim;
    if (!gx_expand_dims(s->rt, a, n + 1, UINT64_C(2) << axis, &wide)) return NULL;
    wide = gx_np_own(s, wide);
    memcpy(shape, gx_shape(wide), (size_t)(n + 1) * sizeof *shape);
    shape[axis + 1] = k;
    wide = gx_np_copy(s, gx_np_broadcast(s, wide, n + 1, shape), 'C');
    memcpy(shape, gx_shape(a), (size_t)n * sizeof *shape);
    shape[axis] *= k;
    return gx_np_settled(s, gx_np_reshape(s, wide, n, shape));
}

static gx_array *repeated(gx_np *s, gx_array *a, gx_array *times, int axis) {
    enum { MANY = 4096 };
    int64_t shape[GX_MAX_DIMS], inner = 1;
    gx_array *t = gx_np_fresh(s, gx_np_flat(s, times), GX_i64);
    repeat_job j = {.rt = s->rt, .k = gx_np_data(s, t)};
    if (!a || !j.k) return NULL;
    j.n = gx_shape(a)[axis];
    j.one = t->count == 1;
    j.total = repeat_total(s, j.k, t->count, j.n);
    if (j.total < 0) return NULL;
    if (j.one && a->count > MANY && j.k[0] > 1 && a->ndim < GX_MAX_DIMS)
        return spread_parts(s, a, axis, j.k[0]);
    a = gx_np_contiguous(s, a);
    if (!(j.from = gx_np_data(s, a))) return NULL;
    for (int i = axis + 1; i < a->ndim; i++) inner *= gx_shape(a)[i];
    j.item = inner * gx_dtype_size(a->dtype);
    memcpy(shape, gx_shape(a), (size_t)a->ndim * sizeof *shape);
    shape[axis] = j.total;
    gx_array *r = gx_np_empty(s, (gx_dtype)a->dtype, a->ndim, shape);
    j.to = gx_np_data_write(s, r);
    if (!j.to) return NULL;
    if (r->count == 0) return r;
    j.rows = a->count / inner / j.n;
    j.tasks = r->count < 65536 ? 1 : gx_work_tasks(j.rows * j.n, 8);
    if (!j.one) j.tasks = j.tasks < 64 ? j.tasks : 64; /* each adds up what comes before it */
    gx_work_run(s->rt, j.tasks, repeat_task, &j);
    return gx_work_end(s->rt) ? r : NULL;
}

static bool repeat_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr1(&s, c->argv[0]), *times = gx_np_arr(&s, c->argv[1]);
    int axis = 0;
    if (!a || !times) return gx_np_end(&s, false);
    if (gx_is_array(c->argv[1]) && gx_np_is_float(times->dtype))
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "repeat.type",
                                     "Cannot cast array data from dtype('%s') to dtype('int64') "
                                     "according to the rule 'safe'",
                                     gx_dtypes[times->dtype].name));
    if (times->ndim > 1)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "repeat.dims",
                                     "object too deep for desired array: the counts are a number "
                                     "or one-dimensional, not of %d dimensions",
                                     times->ndim));
    if (!gx_arg_some(c, 2))
        a = gx_np_flat(&s, a);
    else if (!gx_np_axis_arg(c, 2, a->ndim, 0, &axis))
        return gx_np_end(&s, false);
    return gx_np_give_array(&s, a ? repeated(&s, a, times, axis) : NULL, out);
}

/* --- roll --- */

static gx_array *rolled(gx_np *s, gx_array *a, int axis, int64_t shift) {
    if (!a) return NULL;
    int64_t n = gx_shape(a)[axis];
    if (n == 0) return a;
    shift %= n;
    if (shift < 0) shift += n;
    if (shift == 0) return a;
    gx_array *parts[2] = {gx_np_slice(s, a, axis, n - shift, 1, shift),
                          gx_np_slice(s, a, axis, 0, 1, n - shift)};
    return gx_np_concat(s, 2, parts, axis, (gx_dtype)a->dtype);
}

static bool int_list(gx_np *s, gx_borrowed v, const int64_t **data, int64_t *n) {
    gx_array *a = gx_np_fresh(s, gx_np_flat(s, gx_np_arr(s, v)), GX_i64);
    *data = gx_np_data(s, a);
    if (!*data) return false;
    *n = a->count;
    return true;
}

/* Floats as int() takes them: neither nan nor infinite. */
static bool are_whole(gx_np *s, gx_array *by) {
    gx_scalar x, whole;
    for (int64_t i = 0; gx_np_is_float(by->dtype) && i < by->count; i++)
        if (!gx_array_item_at(s->rt, by, i, &x) ||
            !gx_scalar_from(s->rt, gx_float(gx_scalar_cast((gx_dtype)by->dtype, GX_f64, &x).f64),
                            GX_i64, &whole))
            return false;
    return true;
}

static bool roll_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    const int64_t *shifts;
    int64_t n;
    int m, axes[GX_MAX_DIMS];
    gx_array *by = gx_np_arr(&s, c->argv[1]), *r = a;
    if (!a || !by || !are_whole(&s, by) || !int_list(&s, c->argv[1], &shifts, &n))
        return gx_np_end(&s, false);
    if (by->ndim > 1)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "roll.axes",
                                     "'shift' and 'axis' should be scalars or 1D sequences"));
    if (!gx_arg_some(c, 2)) {
        int64_t total = 0;
        for (int64_t i = 0; i < n; i++) total += shifts[i];
        gx_array *line = gx_np_flat(&s, r), *flat = rolled(&s, line, 0, total);
        if (flat == line) flat = gx_np_copy(&s, line, 'C');
        return gx_np_give_array(&s, gx_np_reshape(&s, flat, a->ndim, gx_shape(a)), out);
    }
    if (!gx_axis_list(c->rt, c->argv[2], a->ndim, true, &m, axes)) return gx_np_end(&s, false);
    if (n != m && n != 1 && m != 1)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "roll.axes",
                                     "'shift' and 'axis' should be scalars or 1D sequences"));
    for (int64_t i = 0; i < (n == 1 ? m : n); i++) { /* the two are broadcast: none leaves none */
        r = rolled(&s, r, axes[m == 1 ? 0 : i], shifts[n == 1 ? 0 : i]);
    }
    if (r == a) r = gx_np_copy(&s, a, 'K');
    return gx_np_give_array(&s, r ? gx_np_laid_as(&s, r, a) : NULL, out);
}

/* --- diff --- */

/* The end piece of diff: a scalar becomes one layer. */
static gx_array *end_piece(gx_np *s, gx_borrowed v, gx_array *a, int axis) {
    gx_array *p = gx_np_arr(s, v);
    if (!p || !a || p->ndim > 0) return p;
    int64_t shape[GX_MAX_DIMS];
    memcpy(shape, gx_shape(a), a->ndim * sizeof *shape);
    shape[axis] = 1;
    return gx_np_broadcast(s, p, a->ndim, shape);
}

static bool diff_fn(gx_call *c, gx_value *out) {
    gx_try times = gx_np_of_times(c, out);
    if (times != GX_TRY_NO) return times == GX_TRY_YES;
    gx_np s = gx_np_begin(c);
    gx_array *a, *parts[3];
    int64_t n;
    int axis, k = 0;
    if (!gx_arg_int(c, 1, &n)) return gx_np_end(&s, false);
    if (n == 0) { /* whatever it is */
        *out = gx_keep(c->argv[0]);
        return gx_np_end(&s, true);
    }
    if (n < 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "diff.order",
                                     "order must be non-negative but got %lld", (long long)n));
    if (!(a = gx_np_arr(&s, c->argv[0]))) return gx_np_end(&s, false);
    if (a->ndim == 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "diff.dims",
                                     "diff requires input that is at least one dimensional"));
    if (!gx_np_axis_arg(c, 2, a->ndim, a->ndim - 1, &axis)) return gx_np_end(&s, false);
    if (gx_arg_some(c, 3)) parts[k++] = end_piece(&s, c->argv[3], a, axis);
    parts[k++] = a;
    if (gx_arg_some(c, 4)) parts[k++] = end_piece(&s, c->argv[4], a, axis);
    if (k > 1) a = gx_np_concat(&s, k, parts, axis, GX_NO_DTYPE);
    for (int64_t i = 0; a && i < n; i++) {
        int64_t size = gx_shape(a)[axis];
        if (i > 0 && size == 0) break; /* empty from here on */
        int64_t less = size > 0 ? size - 1 : 0;
        gx_array *high = gx_np_slice(&s, a, axis, size > 0, 1, less);
        gx_array *low = gx_np_slice(&s, a, axis, 0, 1, less);
        a = gx_np_op2(&s, a->dtype == GX_bool ? GX_OP_not_equal : GX_OP_subtract, high, low);
    }
    return gx_np_give_array(&s, a, out);
}

const gx_native gx_np_repeat_functions[] = {
    {"tile", "tile(A, reps)", "Repeats a whole array reps[i] times along each axis i.",
     "tile([1, 2], 2)  # [1 2 1 2]", tile_fn, 0, 0},
    {"repeat", "repeat(a, repeats, axis=None)",
     "Repeats each element along an axis, or of the flat array; repeats is a count or one for "
     "each.",
     "repeat([1, 2], 2)  # [1 1 2 2]", repeat_fn, GX_NATIVE_METHOD, 0},
    {"roll", "roll(a, shift, axis=None)",
     "Shifts elements along an axis (or of the flat array); those that leave one end enter at the "
     "other.",
     "roll([1, 2, 3], 1)  # [3 1 2]", roll_fn, 0, 0},
    {"diff", "diff(a, n=1, axis=-1, prepend=<no value>, append=<no value>)",
     "Differences of neighbours along an axis, taken n times; the axis gets n shorter.",
     "diff([1, 4, 9])  # [3 5]", diff_fn, 0, 0},
    {.name = NULL},
};
