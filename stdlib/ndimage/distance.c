/* Exact Euclidean distances to the nearest zero element, and where that is: along each axis in
   turn, the lower envelope of the parabolas that the lines before gave. Lines are tasks on the
   threads. */
#include <math.h>
#include <string.h>

#include "kernels/each_side.h"
#include "runtime/op/whole.h"
#include "stdlib/numpy/base/each.h"
#include "stdlib/ndimage/ndimage_int.h"
#include "stdlib/ndimage/ndimage_text_int.h"

#include "stdlib/ndimage/distance_real.h"

extern const gx_native gx_nd_distance_functions[];

enum { TASK = 4096 };

typedef struct job {
    int64_t n, inner, lines, per;
    double scale;     /* the square of the sampling */
    double *square;   /* distances squared */
    int64_t *nearest; /* the flat place of the nearest zero, or -1 */
    char *memory;
    size_t each;
} job;

/* One line: element i takes the least of square[q] + scale * (i - q)^2. */
static void envelope(const job *j, int64_t line, char *memory) {
    int64_t n = j->n, step = j->inner, count = 0;
    int64_t base = line / step * n * step + line % step;
    double *from = (void *)memory, *start = from + n;
    int64_t *apex = (void *)(start + n + 1), *place = apex + n;
    for (int64_t q = 0; q < n; q++) {
        from[q] = j->square[base + q * step];
        place[q] = j->nearest[base + q * step];
        if (place[q] < 0) continue;
        double meet = -INFINITY;
        while (count) {
            int64_t p = apex[count - 1];
            double a = from[q] + j->scale * (double)q * (double)q;
            double b = from[p] + j->scale * (double)p * (double)p;
            meet = (a - b) / (2 * j->scale * (double)(q - p));
            if (meet > start[count - 1]) break;
            count--;
            meet = -INFINITY;
        }
        start[count] = meet;
        apex[count++] = q;
    }
    if (!count) return;
    start[count] = INFINITY;
    for (int64_t i = 0, k = 0; i < n; i++) {
        while (start[k + 1] < (double)i) k++;
        double far = (double)(i - apex[k]);
        j->square[base + i * step] = from[apex[k]] + j->scale * far * far;
        j->nearest[base + i * step] = place[apex[k]];
    }
}

static void lines_task(void *arg, int64_t task, int thread) {
    const job *j = arg;
    int64_t end = (task + 1) * j->per < j->lines ? (task + 1) * j->per : j->lines;
    for (int64_t i = task * j->per; i < end; i++)
        envelope(j, i, j->memory + (size_t)thread * j->each);
}

/* All axes; squares and places are those of the zeros at first. */
static bool transform(gx_np *s, const gx_array *a, const double *sampling, double *square,
                      int64_t *nearest) {
    for (int d = 0; d < a->ndim; d++) {
        job j = {.n = gx_shape(a)[d], .inner = 1, .scale = sampling[d] * sampling[d]};
        j.square = square;
        j.nearest = nearest;
        for (int e = d + 1; e < a->ndim; e++) j.inner *= gx_shape(a)[e];
        j.lines = a->count / j.n;
        j.per = 1 + TASK / j.n;
        j.each = (size_t)(4 * j.n + 8) * sizeof(double);
        j.memory = gx_np_scratch(s, j.each * (size_t)gx_work_threads(s->rt));
        if (!j.memory || !gx_interrupt_check(s->rt)) return false;
        if (!gx_work_long(s->rt, (j.lines + j.per - 1) / j.per, lines_task, &j)) return false;
    }
    return true;
}

gx_array *gx_nd_places(gx_np *s, const gx_array *a, const int64_t *nearest) {
    int64_t shape[GX_MAX_DIMS + 1];
    if (a->ndim + 1 > GX_MAX_DIMS) {
        gx_fail(s->rt, GX_ValueError, "ndimage.rank", "too many axes for indices");
        return NULL;
    }
    shape[0] = a->ndim;
    memcpy(shape + 1, gx_shape(a), a->ndim * sizeof *shape);
    gx_array *r = gx_np_empty(s, GX_i32, a->ndim + 1, shape);
    int32_t *y = gx_np_data_write(s, r);
    for (int64_t i = 0; y && i < a->count; i++) {
        int64_t rest = nearest[i] < 0 ? 0 : nearest[i];
        for (int d = a->ndim - 1; d >= 0; d--) {
            y[d * a->count + i] = (int32_t)(rest % gx_shape(a)[d]);
            rest /= gx_shape(a)[d];
        }
        if (nearest[i] < 0) y[i] = -1;
    }
    return r;
}

/* --- on a GPU: every element looks for the nearest along its line --- */

static const char *const texts[] = {gx_ndimage_text_distance_real, NULL};
const gx_each_function gx_ndimage_nearest = {NULL, "nearest_at", texts, nearest_at};

/* An int64 operation with a number. */
static gx_array *by(gx_np *s, gx_opcode op, gx_array *a, int64_t n) {
    return a ? gx_np_op2(s, op, a, gx_np_i64(s, n)) : NULL;
}

/* The places along an axis of flat positions. */
static gx_array *along(gx_np *s, gx_array *flat, int64_t n, int64_t inner) {
    return by(s, GX_OP_remainder, by(s, GX_OP_floor_divide, flat, inner), n);
}

/* One axis: squares and places (both flat) of what is nearest so far. */
static bool axis_there(gx_np *s, int64_t n, int64_t inner, double sampling, gx_array **square,
                       gx_array **nearest) {
    const int64_t three = 3, count = (*square)->count;
    gx_array *line = gx_np_empty(s, GX_f64, 1, &three), *found;
    double *p = gx_np_data_write(s, line);
    if (!p) return false;
    p[0] = (double)n;
    p[1] = (double)inner;
    p[2] = sampling * sampling;
    gx_array *lines[2] = {*square, line};
    if (!gx_array_look(s->rt, &gx_ndimage_nearest, NULL, 2, lines, 1, &count, &found)) return false;
    gx_array *all = gx_np_iota(s, count);
    gx_array *far = gx_np_op2(s, GX_OP_subtract, gx_np_own(s, found),
                              gx_np_cast(s, along(s, all, n, inner), GX_f64));
    gx_array *at = far ? gx_np_op2(s, GX_OP_add, all,
                                   by(s, GX_OP_multiply, gx_np_cast(s, far, GX_i64), inner))
                       : NULL;
    if (!at) return false;
    gx_array *steps = gx_np_op2(s, GX_OP_multiply, gx_np_op2(s, GX_OP_multiply, far,
                                                             gx_np_f64(s, sampling * sampling)),
                                far);
    *square = gx_np_op2(s, GX_OP_add, gx_np_take(s, *square, at, 0), steps);
    *nearest = gx_np_take(s, *nearest, at, 0);
    return *square && *nearest && (*square = gx_np_copy(s, *square, 'C')) != NULL;
}

/* Squares of the distances to the place before the first element. */
static gx_array *before_first_there(gx_np *s, const gx_array *in, const double *sampling) {
    gx_array *sum = NULL, *all = gx_np_iota(s, in->count);
    int64_t inner = in->count;
    for (int d = 0; d < in->ndim; d++) {
        inner /= gx_shape(in)[d];
        gx_array *x = along(s, all, gx_shape(in)[d], inner);
        x = x ? gx_np_cast(s, d ? x : by(s, GX_OP_add, x, 1), GX_f64) : NULL;
        x = gx_np_op2(s, GX_OP_multiply, x, gx_np_f64(s, sampling[d]));
        x = gx_np_op2(s, GX_OP_multiply, x, x);
        sum = sum ? gx_np_op2(s, GX_OP_add, sum, x) : x;
    }
    return sum;
}

/* The coordinates of flat places; where there is none, the place before the first element. */
static gx_array *places_there(gx_np *s, const gx_array *in, gx_array *nearest) {
    int64_t shape[GX_MAX_DIMS + 1], inner = in->count;
    if (in->ndim + 1 > GX_MAX_DIMS) return gx_nd_places(s, in, NULL); /* says so */
    shape[0] = in->ndim;
    memcpy(shape + 1, gx_shape(in), in->ndim * sizeof *shape);
    gx_array *r = gx_np_empty_near(s, nearest, GX_i32, in->ndim + 1, shape);
    gx_array *none = by(s, GX_OP_less, nearest, 0);
    for (int d = 0; r && d < in->ndim; d++) {
        inner /= gx_shape(in)[d];
        gx_array *x = gx_np_op3(s, GX_OP_where, none, gx_np_i64(s, d ? 0 : -1),
                                along(s, nearest, gx_shape(in)[d], inner));
        x = x ? gx_np_reshape(s, gx_np_cast(s, x, GX_i32), in->ndim, gx_shape(in)) : NULL;
        gx_array *to = gx_np_at(s, r, 0, d);
        if (!x || !to || !gx_array_store(s->rt, to, x)) return NULL;
    }
    return r;
}

/* Squares in the image's shape, and flat places. */
static bool transform_there(gx_np *s, gx_array *in, const double *sampling, gx_array **square,
                            gx_array **nearest) {
    gx_array *flat = gx_np_flat(s, in), *all = gx_np_iota(s, in->count);
    gx_array *full = flat ? gx_np_reduce(s, GX_RED_all, flat, 1, false, GX_bool) : NULL;
    gx_scalar none;
    if (!full || !gx_array_item(s->rt, full, &none)) return false;
    *nearest = gx_np_op3(s, GX_OP_where, flat, gx_np_i64(s, -1), all);
    *square = none.b ? before_first_there(s, in, sampling)
                     : gx_np_op3(s, GX_OP_where, flat, gx_np_f64(s, INFINITY), gx_np_f64(s, 0));
    *nearest = *nearest ? gx_np_copy(s, *nearest, 'C') : NULL;
    *square = *square ? gx_np_copy(s, *square, 'C') : NULL;
    int64_t inner = in->count;
    for (int d = 0; d < in->ndim && !none.b; d++) {
        inner /= gx_shape(in)[d];
        if (!*square || !*nearest ||
            !axis_there(s, gx_shape(in)[d], inner, sampling[d], square, nearest))
            return false;
    }
    if (*square) *square = gx_np_reshape(s, *square, in->ndim, gx_shape(in));
    return *square && *nearest;
}

/* Into the array of argument `arg` where one is given: then that result is not returned. */
static bool deliver(gx_nd *k, gx_array *r, int arg, int *count, gx_array **list) {
    if (!r) return false;
    if (gx_arg_some(k->c, arg) && gx_is_array(k->c->argv[arg]) &&
        gx_as_array(k->c->argv[arg])->dtype != r->dtype)
        return gx_fail(k->c->rt, GX_RuntimeError, "ndimage.output", "%s array must be %s",
                       arg == 4 ? "distances" : "indices", gx_dtypes[r->dtype].name);
    if (gx_arg_some(k->c, arg)) return gx_np_store_out(&k->s, r, k->c->argv[arg]);
    list[(*count)++] = r;
    return true;
}

/* Without a zero SciPy measures from the place before the first element of the first axis. */
static void before_first(const gx_nd *k, const gx_array *in, const double *sampling,
                         double *square) {
    int64_t at[GX_MAX_DIMS] = {0};
    GX_LONG_LOOP(k->c->rt, i, 0, in->count) {
        double far = ((double)at[0] + 1) * sampling[0];
        square[i] = far * far;
        for (int d = 1; d < in->ndim; d++) {
            double part = (double)at[d] * sampling[d];
            square[i] += part * part;
        }
        for (int d = in->ndim - 1; d >= 0 && ++at[d] == gx_shape(in)[d]; d--) at[d] = 0;
    }
}

static bool give(gx_nd *k, bool ok, int count, gx_array **list, gx_value *out) {
    if (!ok) return gx_np_end(&k->s, false);
    if (count == 2) return gx_np_give_tuple(&k->s, 2, list, out);
    if (count == 1) return gx_np_give_array(&k->s, list[0], out);
    *out = gx_none();
    return gx_np_end(&k->s, true);
}

static bool distance_transform_edt_fn(gx_call *c, gx_value *out) {
    gx_nd k;
    double sampling[GX_MAX_DIMS];
    bool distances = true, indices = false;
    gx_array *list[2];
    int count = 0;
    if (!gx_nd_open(c, &k, -1, -1, -1, -1)) return false;
    const int64_t one = 1;
    if (k.in->ndim == 0) { /* a number is an image of one element */
        if (!(k.in = gx_np_reshape(&k.s, k.in, 1, &one))) return gx_np_end(&k.s, false);
        k.count = 1;
    }
    for (int i = 0; i < k.count; i++) sampling[i] = 1;
    bool ok = (!gx_arg_some(c, 1) || gx_nd_numbers(&k, 1, 1, sampling)) &&
              (!gx_arg_given(c, 2) || gx_arg_bool(c, 2, &distances)) &&
              (!gx_arg_given(c, 3) || gx_arg_bool(c, 3, &indices));
    if (ok && !distances && !indices)
        ok = gx_fail(c->rt, GX_RuntimeError, "ndimage.nothing",
                     "at least one of return_distances/return_indices must be True");
    if (ok && ((gx_arg_some(c, 4) && !distances) || (gx_arg_some(c, 5) && !indices)))
        ok = gx_fail(c->rt, GX_RuntimeError, "ndimage.unasked", "%s must be True if %s is supplied",
                     distances ? "return_indices" : "return_distances",
                     distances ? "indices" : "distances");
    gx_array *in = ok ? gx_np_contiguous(&k.s, gx_np_cast(&k.s, k.in, GX_bool)) : NULL;
    if (in && in->count && gx_array_looks(c->rt, &gx_ndimage_nearest, 1, &in)) {
        gx_array *squares, *at;
        ok = transform_there(&k.s, in, sampling, &squares, &at) &&
             (!distances ||
              deliver(&k, gx_np_op1(&k.s, GX_OP_sqrt, squares), 4, &count, list)) &&
             (!indices || deliver(&k, places_there(&k.s, in, at), 5, &count, list));
        return give(&k, ok, count, list, out);
    }
    gx_array *square = in ? gx_np_empty(&k.s, GX_f64, in->ndim, gx_shape(in)) : NULL;
    int64_t *nearest = in ? gx_np_room(&k.s, in->count + 1, sizeof *nearest) : NULL;
    const uint8_t *x = gx_np_data(&k.s, in);
    double *y = gx_np_data_write(&k.s, square);
    if (!x || !y || !nearest) return gx_np_end(&k.s, false);
    for (int64_t i = 0; i < in->count; i++) {
        y[i] = x[i] ? INFINITY : 0;
        nearest[i] = x[i] ? -1 : i;
    }
    bool zeros = memchr(x, 0, (size_t)in->count) != NULL;
    if (in->count && !zeros) before_first(&k, in, sampling, y);
    if (zeros && !transform(&k.s, in, sampling, y, nearest)) return gx_np_end(&k.s, false);
    if (distances) ok = deliver(&k, gx_np_op1(&k.s, GX_OP_sqrt, square), 4, &count, list);
    if (ok && indices) ok = deliver(&k, gx_nd_places(&k.s, in, nearest), 5, &count, list);
    return give(&k, ok, count, list, out);
}

const gx_native gx_nd_distance_functions[] = {
    {"distance_transform_edt",
     "distance_transform_edt(input, sampling=None, return_distances=True, return_indices=False, "
     "distances=None, indices=None)",
     "Euclidean distance of each element to the nearest zero, float64; return_indices adds its "
     "position.",
     "distance_transform_edt([0, 1, 1, 1, 0])  # [0. 1. 2. 1. 0.]", distance_transform_edt_fn, 0,
     0},
    {.name = NULL},
};
