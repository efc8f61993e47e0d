/* Elements repeated, shifted, inserted, deleted, differenced: new arrays from positions of old
   ones. Positions are host indices; the gathering is the runtime's. */
#include <string.h>

#include "runtime/device/work.h"
#include "stdlib/numpy/base/scope.h"
#include "stdlib/numpy/order/order.h"

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

/* --- diff, delete, insert --- */

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

/* Positions along an axis of n from an index argument: int, slice, list, mask. */
static gx_array *positions(gx_np *s, gx_borrowed key, int64_t n) {
    gx_value picked;
    if (key.tag == GX_ARRAY && gx_dtype_kind(gx_as_array(key)->dtype) <= GX_KIND_UINT &&
        gx_as_array(key)->dtype != GX_bool) {
        gx_array *k = gx_np_fresh(s, gx_np_flat(s, gx_as_array(key)), GX_i64);
        int64_t *at = gx_np_data_write(s, k), i = 0;
        for (; at && i < k->count && at[i] >= -n && at[i] < n; i++) at[i] += at[i] < 0 ? n : 0;
        if (!at) return NULL;
        if (i == k->count) return k; /* else the general way says what is wrong */
    }
    gx_array *all = gx_np_iota(s, n);
    if (!all) return NULL;
    if (key.tag == GX_LIST || key.tag == GX_TUPLE) {
        gx_array *k = gx_np_arr(s, key);
        if (!k) return NULL;
        if (k->count == 0 && k->dtype != GX_bool) k = gx_np_cast(s, k, GX_i64);
        if (!k || !gx_array_get(s->rt, all, gx_np_value(k), &picked)) return NULL;
    } else if (!gx_array_get(s->rt, all, key, &picked))
        return NULL;
    if (!gx_np_hold(s, picked)) return NULL;
    return gx_np_flat(s, gx_np_arr1(s, picked));
}

/* The `kept` positions along an axis that are not gone, a stretch at a time. */
static gx_array *without(gx_np *s, gx_array *a, int axis, const char *gone, int64_t kept) {
    int64_t n = gx_shape(a)[axis], inner = 1, shape[GX_MAX_DIMS];
    for (int i = axis + 1; i < a->ndim; i++) inner *= gx_shape(a)[i];
    memcpy(shape, gx_shape(a), (size_t)a->ndim * sizeof *shape);
    shape[axis] = kept;
    a = gx_np_contiguous(s, a);
    const char *from = gx_np_data(s, a);
    gx_array *r = gx_np_empty(s, a ? (gx_dtype)a->dtype : GX_f64, a ? a->ndim : 0, shape);
    char *to = gx_np_data_write(s, r);
    if (!from || !to) return NULL;
    int64_t item = inner * gx_dtype_size(a->dtype), rows = r->count ? a->count / inner / n : 0;
    for (int64_t row = 0; row < rows; row++, from += n * item)
        for (int64_t i = 0; i < n && !gx_work_stops(s->rt);) {
            const char *next = gone[i] ? gone + i : memchr(gone + i, 1, (size_t)(n - i));
            int64_t stop = next ? next - gone : n;
            gx_work_copy(s->rt, to, from + i * item, (size_t)((stop - i) * item));
            to += (stop - i) * item;
            i = stop + 1;
        }
    return r;
}

/* Bools that tell what is deleted are one for each position. */
static bool is_mask_of(gx_np *s, gx_borrowed key, int64_t n) {
    if (key.tag == GX_SLICE || key.tag == GX_INT) return true;
    gx_array *k = gx_np_arr(s, key);
    if (!k) return false;
    return k->dtype != GX_bool || (k->ndim == 1 && k->count == n) ||
           gx_fail(s->rt, GX_ValueError, "index.mask",
                   "boolean array argument obj to delete must be one-dimensional and match the "
                   "axis length of %lld",
                   (long long)n);
}

static bool delete_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    int axis = 0;
    if (!a) return gx_np_end(&s, false);
    if (!gx_arg_some(c, 2))
        a = gx_np_flat(&s, a);
    else if (!gx_np_axis_arg(c, 2, a->ndim, 0, &axis))
        return gx_np_end(&s, false);
    if (!a) return gx_np_end(&s, false);
    if (c->argv[1].tag == GX_NONE)
        return gx_np_end(&s, gx_fail(c->rt, GX_IndexError, "index.type",
                                     "obj is an integer, a slice or an array of integers or bools, "
                                     "not None"));
    int64_t n = gx_shape(a)[axis];
    if (!is_mask_of(&s, c->argv[1], n)) return gx_np_end(&s, false);
    gx_array *drop = gx_np_contiguous(&s, positions(&s, c->argv[1], n));
    const int64_t *d = gx_np_data(&s, drop);
    char *gone = gx_np_scratch(&s, (size_t)n + 1);
    if (!d || !gone) return gx_np_end(&s, false);
    memset(gone, 0, (size_t)n + 1);
    int64_t kept = n;
    GX_LONG_LOOP(c->rt, i, 0, drop->count) {
        kept -= !gone[d[i]];
        gone[d[i]] = 1;
    }
    gx_array *r = without(&s, a, axis, gone, kept);
    if (c->argv[1].tag == GX_SLICE || drop->count == 1)
        return gx_np_give_array(&s, gx_np_as_fortran(&s, r, a), out);
    return gx_np_give_array(&s, gx_np_laid_picked(&s, r, a, axis), out);
}

/* insert: where each of the new layers goes, counted in the old array. */
typedef struct place {
    int64_t at, from;
} place;

enum { FEW_PLACES = 32 };

static void sort_few_places(place *p, int64_t n) {
    for (int64_t i = 1; i < n; i++)
        for (int64_t k = i; k > 0 && p[k - 1].at > p[k].at; k--) {
            place t = p[k];
            p[k] = p[k - 1];
            p[k - 1] = t;
        }
}

/* A few places: stretches of the old array and of the new layers are joined. */
static gx_array *insert_few(gx_np *s, gx_array *a, gx_array *v, int axis, place *p, int64_t m) {
    gx_array *parts[2 * FEW_PLACES + 1];
    int64_t n = gx_shape(a)[axis], done = 0;
    int count = 0;
    sort_few_places(p, m);
    for (int64_t k = 0; k < m;) {
        int64_t first = k++;
        while (k < m && p[k].at == p[first].at && p[k].from == p[k - 1].from + 1) k++;
        parts[count++] = gx_np_slice(s, a, axis, done, 1, p[first].at - done);
        parts[count++] = gx_np_slice(s, v, axis, p[first].from, 1, k - first);
        done = p[first].at;
    }
    parts[count++] = gx_np_slice(s, a, axis, done, 1, n - done);
    for (int i = 0; i < count; i++)
        if (!parts[i]) return NULL;
    return gx_np_concat(s, count, parts, axis, (gx_dtype)a->dtype);
}

/* Those of the same place stay in their order. */
static GX_CHECK bool sort_places(gx_np *s, place *p, int64_t n) {
    uint64_t *keys = gx_np_room(s, n, sizeof *keys);
    int64_t *order = gx_np_room(s, n, sizeof *order);
    place *sorted = gx_np_room(s, n, sizeof *sorted);
    if (!keys || !order || !sorted) return false;
    GX_LONG_LOOP(s->rt, i, 0, n) {
        keys[i] = (uint64_t)p[i].at;
        order[i] = i;
    }
    if (!gx_work_end(s->rt) || !gx_np_sort_keys(s, keys, n, order)) return false;
    GX_LONG_LOOP(s->rt, i, 0, n) sorted[i] = p[order[i]];
    gx_work_copy(s->rt, p, sorted, (size_t)n * sizeof *p);
    return gx_work_end(s->rt);
}

static gx_array *insert_at(gx_np *s, gx_array *a, gx_array *v, int axis, place *p, int64_t m) {
    if (m <= FEW_PLACES) return insert_few(s, a, v, axis, p, m);
    int64_t n = gx_shape(a)[axis], total = n + m, shape[GX_MAX_DIMS];
    gx_array *old = gx_np_empty(s, GX_i64, 1, &n), *new = gx_np_empty(s, GX_i64, 1, &m);
    int64_t *o = gx_np_data_write(s, old), *w = gx_np_data_write(s, new);
    if (!o || !w) return NULL;
    if (!sort_places(s, p, m)) return NULL;
    int64_t k = 0, next = 0;
    GX_LONG_LOOP(s->rt, i, 0, n + 1) {
        for (; k < m && p[k].at == i; k++) w[p[k].from] = next++;
        if (i < n) o[i] = next++;
    }
    if (!gx_work_end(s->rt)) return NULL;
    memcpy(shape, gx_shape(a), a->ndim * sizeof *shape);
    shape[axis] = total;
    gx_array *r = gx_np_zeros(s, (gx_dtype)a->dtype, a->ndim, shape);
    r = gx_np_moveaxis(s, r, axis, 0);
    a = gx_np_moveaxis(s, a, axis, 0);
    if (!r || !a) return NULL;
    v = gx_np_moveaxis(s, v, axis, 0);
    if (!v || !gx_array_set(s->rt, r, gx_np_value(old), gx_np_value(a)) ||
        !gx_array_set(s->rt, r, gx_np_value(new), gx_np_value(v)))
        return NULL;
    return gx_np_moveaxis(s, r, 0, axis);
}

static bool in_range(gx_call *c, int64_t k, int axis, int64_t n) {
    if (k >= -n && k <= n) return true;
    gx_fail(c->rt, GX_IndexError, "index.range",
            "index %lld is out of bounds for axis %d with size %lld", (long long)k, axis,
            (long long)n);
    return gx_about(c->rt, 3, (int64_t[]){k, axis, n});
}

/* Places that are no integers: of an array an IndexError; one number is compared with the size
   first. */
static bool places_fit(gx_np *s, gx_call *c, int64_t n) {
    gx_array *at = gx_np_arr(s, c->argv[1]);
    if (!at) return false;
    if (at->ndim > 1)
        return gx_fail(c->rt, GX_ValueError, "index.dims",
                       "index array argument obj to insert must be one dimensional or scalar");
    if (!gx_np_is_float(at->dtype) || at->count == 0) return true;
    const bool one = at->count == 1 && gx_dtype_kind(at->dtype) == GX_KIND_FLOAT;
    const double *x = gx_np_data(s, gx_np_contiguous(s, gx_np_cast(s, at, GX_f64)));
    if (!x) return false;
    if (one && x[0] >= -(double)n && x[0] <= (double)n)
        return gx_fail(c->rt, GX_TypeError, "index.type",
                       "slice indices must be integers or None or have an __index__ method");
    return gx_fail(c->rt, GX_IndexError, "index.type",
                   "arrays used as indices must be of integer (or boolean) type");
}

static bool is_mask(gx_borrowed v) {
    return gx_is_array(v) && gx_as_array(v)->dtype == GX_bool && gx_as_array(v)->ndim == 1;
}

static bool insert_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    int axis = 0;
    int64_t m, shape[GX_MAX_DIMS], one;
    if (!a) return gx_np_end(&s, false);
    if (!gx_arg_some(c, 3))
        a = gx_np_flat(&s, a);
    else if (!gx_np_axis_arg(c, 3, a->ndim, 0, &axis))
        return gx_np_end(&s, false);
    if (!a) return gx_np_end(&s, false);
    gx_try scalar = gx_as_index(c->rt, c->argv[1], &one);
    if (scalar == GX_TRY_ERROR) return gx_np_end(&s, false);
    int64_t n = gx_shape(a)[axis];
    if (scalar == GX_TRY_NO && c->argv[1].tag != GX_SLICE && !places_fit(&s, c, n))
        return gx_np_end(&s, false);
    gx_array *where =
        scalar == GX_TRY_YES         ? gx_np_reshape(&s, gx_np_i64(&s, one), 1, (int64_t[]){1})
        : c->argv[1].tag == GX_SLICE ? positions(&s, c->argv[1], n)
        : is_mask(c->argv[1])        ? gx_np_places(&s, gx_np_arr(&s, c->argv[1]))
                                     : gx_np_flat(&s, gx_np_arr_as(&s, c->argv[1], GX_i64));
    where = gx_np_contiguous(&s, where);
    const int64_t *first = gx_np_data(&s, where);
    if (!first || (where->count == 1 && !in_range(c, first[0], axis, n)))
        return gx_np_end(&s, false);
    gx_array *v = gx_np_values(&s, c->argv[2], (gx_dtype)a->dtype);
    const int64_t *at = v ? gx_np_data(&s, where) : NULL;
    if (!at) return gx_np_end(&s, false);
    /* One place may take several layers: as many as the values have. */
    if (v->ndim < a->ndim)
        v = gx_np_expand(&s, v, a->ndim, gx_np_first(a->ndim - v->ndim));
    if (v && where->count == 1 && scalar == GX_TRY_YES) v = gx_np_moveaxis(&s, v, 0, axis);
    m = where->count;
    if (v && m == 1) m = gx_shape(v)[axis];
    memcpy(shape, gx_shape(a), a->ndim * sizeof *shape);
    shape[axis] = m;
    while (v && v->ndim > a->ndim && gx_shape(v)[0] == 1) v = gx_np_squeeze(&s, v, 1);
    const bool nothing = v && v->count == 0 && a->ndim == 1 && m == 0; /* of any shape */
    v = nothing ? gx_np_empty(&s, (gx_dtype)a->dtype, a->ndim, shape)
                : gx_np_broadcast(&s, v, a->ndim, shape);
    place *p = gx_np_room(&s, m + 1, sizeof *p);
    if (!v || !p) return gx_np_end(&s, false);
    for (int64_t i = 0; i < m; i++) {
        int64_t k = at[where->count == 1 ? 0 : i];
        if (!in_range(c, k, axis, n)) return gx_np_end(&s, false);
        p[i] = (place){k < 0 ? k + n : k, i};
    }
    return gx_np_give_array(&s, gx_np_as_fortran(&s, insert_at(&s, a, v, axis, p, m), a), out);
}

const gx_native gx_np_repeat_functions[] = {
    {"tile", "tile(A, reps)", "An array repeated reps times along each axis.",
     "tile([1, 2], 2)  # [1 2 1 2]", tile_fn, 0, 0},
    {"repeat", "repeat(a, repeats, axis=None)", "Each element repeated.",
     "repeat([1, 2], 2)  # [1 1 2 2]", repeat_fn, GX_NATIVE_METHOD, 0},
    {"roll", "roll(a, shift, axis=None)",
     "Elements shifted along an axis; those that leave one end return at the other.",
     "roll([1, 2, 3], 1)  # [3 1 2]", roll_fn, 0, 0},
    {"diff", "diff(a, n=1, axis=-1, prepend=<no value>, append=<no value>)",
     "Differences of neighbours.", "diff([1, 4, 9])  # [3 5]", diff_fn, 0, 0},
    {"delete", "delete(arr, obj, axis=None)", "A copy without the positions given.",
     "delete([1, 2, 3], 1)  # [1 3]", delete_fn, 0, 0},
    {"insert", "insert(arr, obj, values, axis=None)", "A copy with values put before positions.",
     "insert([1, 3], 1, 2)  # [1 2 3]", insert_fn, 0, 0},
    {.name = NULL},
};
