/* Many small matrices at once, a warp or less for each (kernels/batch.cu): systems, inverses, LU
   factors, Cholesky, eigenvalues of Hermitian matrices, singular values. Extents to 32; below
   LEAST matrices the host is done before the GPU has begun. */
#include "kernels/device_text.h"
#include "runtime/backend/gpu/batch_int.h"

#include <string.h>

enum { LEAST = 32, WIDEST = 32 };

/* kernels/batch.cu's gx_batch. */
typedef struct params {
    gx_gpu_ptr a, b, x, z, y, pivots, info;
    int64_t batch;
    int m, n, more, cols, upper, wide;
} params;

bool gx_batch_source(gx_rt *rt, const void *arg, gx_buf *out) {
    static const char *const wanted[] = {"GX_SYSTEMS", "GX_CHOLESKY", "GX_EIGH", "GX_SVD"};
    const gx_batch_key *k = arg;
    bool single = k->dtype == GX_f32 || k->dtype == GX_c64;
    (void)rt;
    return gx_buf_printf(out,
                         "#define GX_IN static __device__ __forceinline__\n"
                         "typedef %s R;\n#define CPLX %d\n#define GX_TINY %s\n#define GX_HUGE %s\n"
                         "#define %s 1\n",
                         single ? "float" : "double", k->dtype == GX_c64 || k->dtype == GX_c128,
                         single ? "1.2e-7f" : "2.3e-16", single ? "1e15f" : "1e130",
                         wanted[k->kernel]) &&
           gx_buf_puts(out, gx_device_text_batch);
}

bool gx_batch_texts(gx_gpu_texts *l) {
    for (uint8_t k = GX_KERNEL_SYSTEMS; k <= GX_KERNEL_SVD; k++) {
        const gx_batch_key single = {GX_f32, k}, twice = {GX_f64, k};
        if (!gx_gpu_text(l, &single) || !gx_gpu_text(l, &twice)) return false;
    }
    return true;
}

bool gx_batch_takes_system(int64_t batch, int64_t n) {
    return n <= WIDEST && batch >= LEAST && batch <= INT32_MAX;
}

bool gx_batch_takes(const gx_decomp *d) {
    if (d->batch < LEAST || d->batch > INT32_MAX || d->m > WIDEST || d->n > WIDEST) return false;
    return d->kind == GX_DECOMP_SVD || d->kind == GX_DECOMP_EIGH || d->kind == GX_DECOMP_CHOLESKY;
}

/* Launches, and reads what became of each matrix. */
static bool launch_batch(gx_gpu *g, gx_dtype d, gx_batch_kernel kernel, int64_t blocks, int shared,
                params *p, int64_t *info) {
    static const char *const entries[] = {"gx_batch_systems", "gx_batch_cholesky", "gx_batch_eigh",
                                          "gx_batch_svd"};
    const gx_batch_key k = {(uint8_t)d, (uint8_t)kernel};
    gx_gpu_kernel *found;
    gx_rt *rt = g->base.rt;
    gx_buffer *words;
    int *status = gx_alloc(rt, (size_t)p->batch * sizeof *status);
    if (!status) return false;
    if (!gx_gpu_scratch(g, p->batch * 4, &words)) {
        gx_free(rt, status);
        return false;
    }
    p->info = gx_gpu_address(words);
    bool ok = gx_gpu_kernel_get(g, gx_gpu_family_BATCH(), &k, sizeof k, entries[kernel], &k,
                                &found) &&
              gx_gpu_launch(g, found, blocks, 32, shared, p, sizeof *p) &&
              gx_gpu_download(g, status, p->info, p->batch * 4);
    for (int64_t i = 0; i < p->batch && ok; i++) info[i] = status[i];
    gx_buffer_drop(words);
    gx_free(rt, status);
    return ok;
}

bool gx_batch_decompose(gx_gpu *g, const gx_decomp *d) {
    gx_dtype type = gx_decomp_dtype(d);
    int item = gx_dtypes[type].bytes, m = (int)d->m, n = (int)d->n;
    int most = m > n ? m : n, least = m < n ? m : n;
    params p = {.a = gx_gpu_address(d->a),
                .batch = d->batch,
                .m = m,
                .n = n,
                .upper = d->upper,
                .wide = m < n,
                .cols = d->full && d->x ? most : least};
    if (d->x) p.x = gx_gpu_address(d->x);
    if (d->y) p.y = gx_gpu_address(d->y);
    if (d->z) p.z = gx_gpu_address(d->z);
    if (d->kind == GX_DECOMP_CHOLESKY)
        return launch_batch(g, type, GX_KERNEL_CHOLESKY, d->batch, n * (n + 1) * item, &p, d->info);
    int group = 4;
    while (group < most) group *= 2;
    int each = 32 / group;
    if (d->kind == GX_DECOMP_EIGH)
        return launch_batch(g, type, GX_KERNEL_EIGH, (d->batch + each - 1) / each,
                   each * 2 * n * (n + 1) * item, &p, d->info);
    return launch_batch(g, type, GX_KERNEL_SVD, (d->batch + each - 1) / each,
                        (p.cols + least) * 32 * item, &p, d->info);
}

bool gx_batch_systems(gx_gpu *g, gx_batch_system what, gx_dtype d, int64_t batch, int64_t n,
                      int64_t m, gx_buffer *a, gx_buffer *b, int64_t *pivots, int64_t *info) {
    gx_buffer *rows = NULL;
    int size = (int)n, item = gx_dtypes[d].bytes;
    params p = {.a = gx_gpu_address(a),
                .batch = batch,
                .m = size,
                .n = size,
                .more = what == GX_BATCH_INVERT ? -1 : (int)m};
    if (b) p.b = gx_gpu_address(b);
    if (what == GX_BATCH_FACTOR) {
        if (!gx_gpu_scratch(g, batch * n * 8, &rows)) return false;
        p.pivots = gx_gpu_address(rows);
    }
    bool ok = launch_batch(g, d, GX_KERNEL_SYSTEMS, batch, (size * (size + 1) + size * 33) * item,
                           &p, info);
    if (ok && rows) ok = gx_gpu_download(g, pivots, gx_gpu_address(rows), batch * n * 8);
    gx_buffer_drop(rows);
    return ok;
}
