/* Products of csr matrices with vectors, and with each other, rows spread over the threads. Values
   are float32, float64, complex64, complex128, or int64, which others are converted to. */
#include <string.h>

#include "stdlib/sparse/sparse_int.h"

extern const gx_native gx_sparse_product_functions[];

typedef struct pair_f32 {
    float re, im;
} pair_f32;
typedef struct pair_f64 {
    double re, im;
} pair_f64;

/* y = A x: a task is a run of rows. */
typedef struct apply_job {
    gx_rows a;
    const void *data, *x;
    void *y;
    int64_t k, tasks; /* columns of x */
    bool *outside;
} apply_job;

/* C = A B: rows of C are first counted, then filled. */
typedef struct multiply_job {
    gx_rows a, b;
    const void *ax, *bx;
    void *ptr, *idx, *y, *room; /* room: for every thread, next and sums of B's columns */
    int64_t tasks;
    size_t each; /* bytes of a thread's room */
    bool fill;
} multiply_job;

static inline void task_rows(int64_t m, int64_t tasks, int64_t task, int64_t *from, int64_t *to) {
    const int64_t each = (m + tasks - 1) / tasks;
    *from = task * each < m ? task * each : m;
    *to = *from + each < m ? *from + each : m;
}

#define I int32_t
#define IN(name) name##_32
#include "stdlib/sparse/product.inc"
#undef I
#undef IN
#define I int64_t
#define IN(name) name##_64
#include "stdlib/sparse/product.inc"
#undef I
#undef IN

static int kind_of(int d) {
    static const gx_dtype kinds[] = {GX_f64, GX_f32, GX_c128, GX_c64, GX_i64};
    for (int k = 0; k < 5; k++)
        if ((gx_dtype)d == kinds[k]) return k;
    return -1;
}

static bool kinds_fit(gx_call *c, int i, gx_array *a, gx_array *b) {
    return (kind_of(a->dtype) >= 0 && a->dtype == b->dtype) ||
           gx_arg_wrong(c, i, "values of one dtype that products are computed in");
}

/* Little work is one task; the rows of much work differ, so there are more tasks than threads. */
static int64_t tasks_of(gx_rt *rt, int64_t work) {
    return work < (1 << 16) ? 1 : gx_work_tasks(work, 4 * gx_work_threads(rt));
}

#define OF_INDEX(name)                                                                             \
    {name##_f64_32, name##_f32_32, name##_c128_32, name##_c64_32, name##_i64_32},                  \
        {name##_f64_64, name##_f32_64, name##_c128_64, name##_c64_64, name##_i64_64}
static const gx_work_fn apply_fns[2][5] = {OF_INDEX(apply)};
static const gx_work_fn spread_fns[2][5] = {OF_INDEX(spread)};
static const gx_work_fn multiply_fns[2][5] = {OF_INDEX(multiply)};

/* apply(n, indptr, indices, data, x): A x of a csr matrix with n columns; x is (n,) or (n, k). */
/* spread(n, indptr, indices, data, x): A x of a csc matrix with n rows. */
static bool apply_with(gx_call *c, bool by_rows, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int64_t n;
    apply_job j = {.k = 1};
    if (!gx_arg_int(c, 0, &n) || !gx_rows_shape(&s, c, 1, n, &j.a)) return gx_np_end(&s, false);
    gx_array *v = gx_values_arg(&s, c, 3, j.a.count, &j.data);
    gx_array *x = v ? gx_values_arg(&s, c, 4, 0, &j.x) : NULL;
    if (!x || !kinds_fit(c, 4, v, x)) return gx_np_end(&s, false);
    const int64_t length = by_rows ? n : j.a.m;
    if (x->ndim < 1 || x->ndim > 2 || gx_shape(x)[0] != length)
        return gx_np_end(&s, gx_arg_wrong(c, 4, "a vector, or a matrix, that fits"));
    if (x->ndim == 2) j.k = gx_shape(x)[1];
    const int64_t shape[2] = {by_rows ? j.a.m : n, j.k};
    gx_array *y = gx_np_empty(&s, (gx_dtype)x->dtype, x->ndim, shape);
    if (y && y->count == 0) return gx_np_give_array(&s, y, out);
    if (!y || !(j.y = gx_np_data_write(&s, y))) return gx_np_end(&s, false);
    j.tasks = by_rows ? tasks_of(s.rt, j.a.count * (j.k ? j.k : 1) + j.a.m) : 1;
    bool outside = false;
    j.outside = &outside;
    if (!by_rows) memset(j.y, 0, (size_t)(y->count * gx_dtype_size(y->dtype)));
    gx_work_run(s.rt, j.tasks, (by_rows ? apply_fns : spread_fns)[j.a.wide][kind_of(x->dtype)], &j);
    if (outside) return gx_np_end(&s, gx_index_wrong(s.rt));
    return gx_np_give_array(&s, y, out);
}

static bool apply_fn(gx_call *c, gx_value *out) {
    return apply_with(c, true, out);
}
static bool spread_fn(gx_call *c, gx_value *out) {
    return apply_with(c, false, out);
}

/* multiply(n, indptr, indices, data, p, indptr2, indices2, data2): A B, (m, n) by (n, p). */
static bool multiply_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int64_t n, p;
    multiply_job j = {.fill = false};
    if (!gx_arg_int(c, 0, &n) || !gx_arg_int(c, 4, &p) ||
        (p < 0 && !gx_arg_wrong(c, 4, "a size")) || !gx_rows_arg(&s, c, 1, n, &j.a) ||
        !gx_rows_arg(&s, c, 5, p, &j.b))
        return gx_np_end(&s, false);
    gx_array *v = gx_values_arg(&s, c, 3, j.a.count, &j.ax);
    gx_array *w = v ? gx_values_arg(&s, c, 7, j.b.count, &j.bx) : NULL;
    if (!w || !kinds_fit(c, 7, v, w)) return gx_np_end(&s, false);
    if (j.b.m != n || j.a.wide != j.b.wide)
        return gx_np_end(&s, gx_arg_wrong(c, 5, "as many rows as there are columns"));
    const int threads = gx_work_threads(s.rt), bytes = (int)gx_dtype_size(v->dtype);
    j.each = ((size_t)p * (size_t)(bytes + (j.a.wide ? 8 : 4)) + 79) / 64 * 64;
    j.tasks = tasks_of(s.rt, 8 * j.a.count + j.a.m);
    if (!(j.room = gx_np_room(&s, threads, j.each))) return gx_np_end(&s, false);
    memset(j.room, 0, j.each * (size_t)threads);
    gx_array *r[3];
    if (!(r[0] = gx_new_line(&s, gx_index_dtype(j.a.wide), j.a.m + 1, &j.ptr)))
        return gx_np_end(&s, false);
    const gx_work_fn fn = multiply_fns[j.a.wide][kind_of(v->dtype)];
    if (!gx_work_long(s.rt, j.tasks, fn, &j)) return gx_np_end(&s, false);
    int64_t total = 0;
    for (int64_t i = 0; i <= j.a.m; i++) {
        const int64_t of_row = i < j.a.m ? gx_index_at(j.ptr, j.a.wide, i) : 0;
        if (j.a.wide) ((int64_t *)j.ptr)[i] = total;
        else ((int32_t *)j.ptr)[i] = (int32_t)total;
        total += of_row;
    }
    if (!j.a.wide && total > INT32_MAX) { /* the caller tries again with int64 */
        *out = gx_none();
        return gx_np_end(&s, true);
    }
    if (!(r[1] = gx_new_line(&s, gx_index_dtype(j.a.wide), total, &j.idx)) ||
        !(r[2] = gx_new_line(&s, (gx_dtype)v->dtype, total, &j.y)))
        return gx_np_end(&s, false);
    j.fill = true;
    memset(j.room, 0, j.each * (size_t)threads);
    if (!gx_work_long(s.rt, j.tasks, fn, &j)) return gx_np_end(&s, false);
    return gx_np_give_tuple(&s, 3, r, out);
}

const gx_native gx_sparse_product_functions[] = {
    {"apply", "apply(n, indptr, indices, data, x, /)", "A csr matrix with n columns times x.", NULL,
     apply_fn, 0, 0},
    {"spread", "spread(n, indptr, indices, data, x, /)", "A csc matrix with n rows times x.", NULL,
     spread_fn, 0, 0},
    {"multiply", "multiply(n, indptr, indices, data, p, indptr2, indices2, data2, /)",
     "The product of two csr matrices, the second of p columns.", NULL, multiply_fn, 0, 0},
    {.name = NULL},
};
