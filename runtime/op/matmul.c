/* NumPy's matmul: 1-D operands get an axis that is removed afterwards, leading axes broadcast, the
   dtype is the common one. The product itself is the backend's. */
#include <stdio.h>
#include <string.h>

#include "runtime/array/kind/kind.h"
#include "runtime/array/layout.h"
#include "runtime/array/shape.h"
#include "runtime/base/slow_call.h"
#include "runtime/op/ufunc_int.h"

#define LONG_WORK 2e9 /* products that take a tenth of a second or more */

static bool fail_inner(gx_rt *rt, const gx_array *a, const gx_array *b) {
    gx_buf text = gx_buf_new(rt);
    if (gx_buf_puts(&text, "inner sizes differ: ") && gx_shape_text(&text, a->ndim, gx_shape(a)) &&
        gx_buf_puts(&text, " @ ") && gx_shape_text(&text, b->ndim, gx_shape(b))) {
        gx_fail(rt, GX_ValueError, "shape.matmul", "%s", gx_buf_text(&text));
        if (a->ndim == 2 && b->ndim == 2) {
            if (gx_shape(a)[1] == gx_shape(b)[1]) {
                gx_help(rt, "a @ b.T gives (%lld, %lld)", (long long)gx_shape(a)[0],
                        (long long)gx_shape(b)[0]);
            } else if (gx_shape(a)[0] == gx_shape(b)[0]) {
                gx_help(rt, "a.T @ b gives (%lld, %lld)", (long long)gx_shape(a)[1],
                        (long long)gx_shape(b)[1]);
            }
        }
    }
    gx_buf_free(&text);
    return false;
}

/* The array as dtype d, at least 2-D; `axis`: where a 1-D operand gets its axis. */
static bool prepare(gx_rt *rt, gx_array *a, gx_dtype d, int axis, gx_array **out) {
    gx_array *cast;
    if (!gx_array_cast(rt, a, d, false, &cast)) return false;
    if (cast->ndim != 1) {
        *out = cast;
        return true;
    }
    bool ok = gx_expand_dims(rt, cast, 2, UINT64_C(1) << axis, out);
    gx_array_drop(cast);
    return ok;
}

static bool matrix_of(gx_rt *rt, gx_place place, const gx_array *a, gx_matrix *m) {
    int n = a->ndim;
    int64_t item = gx_dtype_size(a->dtype);
    gx_buffer *b;
    if (!gx_data_at(rt, a->storage->data, place, &b)) return false;
    *m = (gx_matrix){.buf = b, .offset = a->offset, .rows = gx_shape(a)[n - 2],
                     .cols = gx_shape(a)[n - 1], .row_stride = gx_strides(a)[n - 2] / item,
                     .col_stride = gx_strides(a)[n - 1] / item};
    return true;
}

/* Are all strides whole elements? (Views of another dtype may not be.) */
static bool strides_fit(const gx_array *a) {
    int64_t item = gx_dtype_size(a->dtype);
    for (int i = 0; i < a->ndim; i++) {
        if (gx_strides(a)[i] % item) return false;
    }
    return a->offset % item == 0;
}

/* A large product that is not launched takes long and cannot be stopped. */
static bool product(gx_rt *rt, gx_place place, gx_dtype d, int64_t batch, const gx_matrix *a,
                    const gx_matrix *b, const gx_matrix *c) {
    gx_device *device = gx_place_device(rt, place);
    double work = (double)batch * (double)a->rows * (double)a->cols * (double)b->cols;
    if (device->backend->launches || work < LONG_WORK)
        return device->backend->matmul(device, d, batch, a, b, c);
    gx_slow_call wait;
    char what[120];
    snprintf(what, sizeof what, "a product of %lld x %lld by %lld x %lld", (long long)a->rows,
             (long long)a->cols, (long long)b->rows, (long long)b->cols);
    gx_slow_call_begin(&wait, rt, what, 1);
    bool ok = device->backend->matmul(device, d, batch, a, b, c);
    gx_slow_call_end(&wait);
    return ok;
}

/* One call a matrix of the batch, or one call for all when the batch is regular in every operand.
 */
static bool run_batches(gx_rt *rt, gx_place place, gx_dtype d, gx_array *a, gx_array *b,
                        gx_array *c) {
    gx_matrix ma, mb, mc;
    if (!matrix_of(rt, place, a, &ma) || !matrix_of(rt, place, b, &mb) ||
        !matrix_of(rt, place, c, &mc))
        return false;
    int n = c->ndim - 2;
    int64_t item = gx_dtype_size(d), inner = n > 0 ? gx_shape(c)[n - 1] : 1, outer = 1;
    for (int i = 0; i < n - 1; i++) outer *= gx_shape(c)[i];
    if (n > 0) {
        ma.batch_stride = gx_strides(a)[n - 1] / item;
        mb.batch_stride = gx_strides(b)[n - 1] / item;
        mc.batch_stride = gx_strides(c)[n - 1] / item;
    }
    int64_t offsets[3] = {ma.offset, mb.offset, mc.offset};
    const gx_array *arrays[3] = {a, b, c};
    for (int64_t k = 0; k < outer; k++) {
        int64_t at[3] = {offsets[0], offsets[1], offsets[2]}, rest = k;
        for (int i = n - 2; i >= 0; i--) {
            int64_t index = rest % gx_shape(c)[i];
            rest /= gx_shape(c)[i];
            for (int j = 0; j < 3; j++) at[j] += index * gx_strides(arrays[j])[i];
        }
        ma.offset = at[0];
        mb.offset = at[1];
        mc.offset = at[2];
        if (!product(rt, place, d, inner, &ma, &mb, &mc)) return false;
    }
    return true;
}

static bool broadcast_batch(gx_rt *rt, gx_array *a, int n, const int64_t *batch, gx_array **out) {
    int64_t shape[GX_MAX_DIMS];
    memcpy(shape, batch, (size_t)n * sizeof(int64_t));
    shape[n] = gx_shape(a)[a->ndim - 2];
    shape[n + 1] = gx_shape(a)[a->ndim - 1];
    return gx_broadcast_to(rt, a, n + 2, shape, out);
}

static bool batch_shape(gx_rt *rt, const gx_array *a, const gx_array *b, int *n, int64_t *batch) {
    int na = a->ndim - 2, nb = b->ndim - 2, most = na > nb ? na : nb;
    for (int i = 0; i < most; i++) {
        int64_t x = i + na - most >= 0 ? gx_shape(a)[i + na - most] : 1;
        int64_t y = i + nb - most >= 0 ? gx_shape(b)[i + nb - most] : 1;
        if (x != y && x != 1 && y != 1) {
            return gx_fail(rt, GX_ValueError, "shape.matmul",
                           "batch axes of %lld and %lld matrices cannot be combined", (long long)x,
                           (long long)y);
        }
        batch[i] = x == 1 ? y : x;
    }
    *n = most;
    return true;
}

/* A product of few rows or columns as the sum of the products of all pairs: one loop that reads the
   other operand once. */
static bool sum_of_pairs(gx_rt *rt, gx_dtype d, gx_array *a, gx_array *b, gx_array **out) {
    const int n = a->ndim; /* b's too */
    const bool bools = d == GX_bool;
    gx_array *x[2] = {NULL, NULL}, *turned = NULL, *all = NULL;
    bool ok = gx_expand_dims(rt, a, n + 1, UINT64_C(1) << (n - 1), &x[0]) &&
              gx_swapaxes(rt, b, n - 2, n - 1, &turned) &&
              gx_expand_dims(rt, turned, n + 1, UINT64_C(1) << (n - 2), &x[1]) &&
              gx_op_arrays(rt, bools ? GX_OP_logical_and : GX_OP_multiply, 2, x, &all) &&
              gx_reduce(rt, bools ? GX_RED_any : GX_RED_sum, all, UINT64_C(1) << n, false, d, NULL,
                        NULL, out);
    gx_array_drop(x[0]);
    gx_array_drop(x[1]);
    gx_array_drop(turned);
    gx_array_drop(all);
    return ok;
}

/* Integers have no library on a GPU. */
static bool are_few_pairs(const gx_backend *on, gx_dtype d, const gx_array *a, const gx_array *b) {
    enum { FEW = 4 };
    return on->launches && gx_dtypes[d].kind < GX_KIND_FLOAT &&
           (gx_shape(a)[a->ndim - 2] <= FEW || gx_shape(b)[b->ndim - 1] <= FEW);
}

bool gx_matmul_sums(const gx_rt *rt, const gx_array *a) {
    const gx_backend *b = gx_place_device(rt, gx_array_place(a))->backend;
    return b->squares && (a->dtype == GX_f32 || a->dtype == GX_f64);
}

/* 2-D and batched operands of one dtype. */
static bool multiply(gx_rt *rt, gx_dtype d, gx_array *a, gx_array *b, gx_array **out) {
    int n = 0;
    int64_t shape[GX_MAX_DIMS];
    gx_array *wa = NULL, *wb = NULL, *c = NULL;
    if (!batch_shape(rt, a, b, &n, shape)) return false;
    bool ok = broadcast_batch(rt, a, n, shape, &wa) && broadcast_batch(rt, b, n, shape, &wb);
    if (ok) {
        shape[n] = gx_shape(a)[a->ndim - 2];
        shape[n + 1] = gx_shape(b)[b->ndim - 1];
        ok = gx_storage_force(rt, wa->storage) && gx_storage_force(rt, wb->storage);
    }
    const gx_place place = gx_place_near(2, (gx_array *const[]){a, b});
    if (ok && are_few_pairs(gx_place_device(rt, place)->backend, d, wa, wb)) {
        ok = sum_of_pairs(rt, d, wa, wb, out);
        gx_array_drop(wa);
        gx_array_drop(wb);
        return ok;
    }
    ok = ok && gx_array_empty_at(rt, place, d, n + 2, shape,
                                 a->ns == GX_NS_CUPY ? GX_NS_CUPY : (gx_namespace)b->ns, &c);
    if (ok && c->count > 0) ok = run_batches(rt, place, d, wa, wb, c);
    gx_array_drop(wa);
    gx_array_drop(wb);
    if (!ok) {
        gx_array_drop(c);
        return false;
    }
    *out = c;
    return true;
}

GX_CHECK bool gx_matmul(gx_rt *rt, gx_array *a, gx_array *b, gx_array **out) {
    return gx_matmul_watched(rt, a, b, NULL, out);
}

GX_CHECK bool gx_matmul_watched(gx_rt *rt, gx_array *a, gx_array *b, const char *name,
                                gx_array **out) {
    if (gx_is_kind(a->dtype) || gx_is_kind(b->dtype))
        return gx_kind_refuse(rt, (gx_dtype)(gx_is_kind(a->dtype) ? a : b)->dtype, "matmul");
    if (a->ndim == 0 || b->ndim == 0) {
        gx_fail(rt, GX_ValueError, "shape.matmul",
                "matmul: operand %d does not have enough dimensions (it is a scalar)",
                a->ndim == 0 ? 0 : 1);
        return gx_help(rt, "use * to multiply by a scalar");
    }
    int64_t inner_a = gx_shape(a)[a->ndim - 1],
            inner_b = gx_shape(b)[b->ndim == 1 ? 0 : b->ndim - 2];
    if (inner_a != inner_b) return fail_inner(rt, a, b);
    gx_dtype d = gx_promote((gx_dtype)a->dtype, (gx_dtype)b->dtype);
    gx_array *pa = NULL, *pb = NULL, *ca = NULL, *cb = NULL, *c = NULL;
    bool ok = prepare(rt, a, d, 0, &pa) && prepare(rt, b, d, 1, &pb);
    if (ok && !strides_fit(pa)) ok = gx_array_copy(rt, pa, 'C', &ca);
    if (ok && !strides_fit(pb)) ok = gx_array_copy(rt, pb, 'C', &cb);
    ok = ok && multiply(rt, d, ca ? ca : pa, cb ? cb : pb, &c);
    if (ok && name && gx_place_device(rt, gx_array_place(c))->backend->host)
        ok = gx_matmul_watch(rt, ca ? ca : pa, cb ? cb : pb, c, name);
    gx_array_drop(pa);
    gx_array_drop(pb);
    gx_array_drop(ca);
    gx_array_drop(cb);
    if (!ok) {
        gx_array_drop(c);
        return false;
    }
    uint64_t drop = 0;
    if (a->ndim == 1) drop |= UINT64_C(1) << (c->ndim - 2);
    if (b->ndim == 1) drop |= UINT64_C(1) << (c->ndim - 1);
    if (!drop) {
        *out = c;
        return true;
    }
    ok = gx_squeeze(rt, c, drop, out);
    if (ok && (*out)->base == c) gx_array_settle(*out);
    gx_array_drop(c);
    return ok;
}
