/* Matrix products: OpenBLAS for float32, float64 and complex, with transposed inputs passed as
   flags; gx's own loops for integers and bool, for tiny matrices, for extents beyond 32 bits, and
   when there is no OpenBLAS. Halves are multiplied as float32. Inputs that BLAS cannot read are
   copied; NaN and inf go through as arithmetic has them. A matrix times its own transpose is
   computed in one half and mirrored. */
#include "runtime/backend/cpu/cpu_int.h"

#include <string.h>

enum { ROW_MAJOR = 101, NO_TRANS = 111, TRANS = 112, UPPER = 121 };
enum { TINY = 1024, TINIEST = 256, MANY = 16 };

/* A matrix in a form BLAS reads: `ld` and a flag. */
typedef struct blas_matrix {
    const char *data;
    int64_t ld;
    int flag;
    int64_t batch; /* elements between matrices; copies have their own */
    gx_buffer *copy;
} blas_matrix;

static const char *start_of(const gx_matrix *m) {
    return m->buf->data + m->offset;
}

/* True when BLAS can read the matrix where it lies. */
static bool readable(const gx_matrix *m, blas_matrix *out) {
    int64_t rs = m->rows == 1 ? m->cols : m->row_stride;
    int64_t cs = m->cols == 1 ? 1 : m->col_stride;
    if (m->rows == 1 && cs != 1) return false;
    if (cs == 1 && rs >= m->cols && rs >= 1 && rs <= INT32_MAX) {
        out->flag = NO_TRANS;
        out->ld = rs;
        return true;
    }
    if (rs == 1 && cs >= m->rows && cs <= INT32_MAX) {
        out->flag = TRANS;
        out->ld = cs;
        return true;
    }
    return false;
}

/* C-contiguous copies of a batch; `batch` 0 strides are kept: one copy for all. */
static bool copy_matrix(gx_cpu *cpu, gx_cpu_unit unit, int64_t batch, const gx_matrix *m,
                        gx_buffer **out) {
    int64_t item = unit.bytes;
    int64_t n = m->batch_stride == 0 ? 1 : batch, size = m->rows * m->cols;
    if (!gx_pool_alloc(&cpu->base, n * size * item, out)) return false;
    for (int64_t i = 0; i < n; i++)
        gx_load_region((*out)->data + i * size * item, start_of(m) + i * m->batch_stride * item,
                       unit, m->rows, m->cols, m->row_stride * item, m->col_stride * item);
    return true;
}

static bool prepare(gx_cpu *cpu, gx_cpu_unit unit, int64_t batch, const gx_matrix *m,
                    blas_matrix *out) {
    out->copy = NULL;
    out->data = start_of(m);
    out->batch = m->batch_stride;
    if (readable(m, out)) return true;
    if (!copy_matrix(cpu, unit, batch, m, &out->copy)) return false;
    out->data = out->copy->data;
    out->batch = m->batch_stride == 0 ? 0 : m->rows * m->cols;
    out->flag = NO_TRANS;
    out->ld = m->cols > 0 ? m->cols : 1;
    return true;
}

typedef struct gemm_job {
    const gx_blas *blas;
    gx_dtype dtype;
    int64_t m, n, k;
    blas_matrix a, b;
    bool gram; /* b is a's transpose, in the same place */
    char *c;
    int64_t ldc, c_batch;
} gemm_job;

static void zero(char *c, int64_t m, int64_t n, int64_t ldc, int item) {
    for (int64_t i = 0; i < m; i++) memset(c + i * ldc * item, 0, (size_t)(n * item));
}

/* A product with a vector: gemv reads the matrix once, gemm would pack it first. */
static bool vector_product(const gemm_job *j, const char *a, const char *b, char *c) {
    bool f32 = j->dtype == GX_f32;
    if (j->dtype != GX_f32 && j->dtype != GX_f64) return false;
    const char *matrix, *vector;
    int flag, rows, cols, inc, ld;
    if (j->m == 1 && j->n == 1) {
        int by = (int)(j->a.flag == TRANS ? j->a.ld : 1),
            with = (int)(j->b.flag == TRANS ? 1 : j->b.ld);
        float *single = (float *)(void *)c;
        double *wide = (double *)(void *)c;
        if (f32)
            *single = j->blas->sdot((int)j->k, (const float *)(const void *)a, by,
                                    (const float *)(const void *)b, with);
        else
            *wide = j->blas->ddot((int)j->k, (const double *)(const void *)a, by,
                                  (const double *)(const void *)b, with);
        return true;
    }
    if (j->n == 1) { /* y = A x */
        matrix = a;
        vector = b;
        flag = j->a.flag;
        ld = (int)j->a.ld;
        rows = (int)(flag == TRANS ? j->k : j->m);
        cols = (int)(flag == TRANS ? j->m : j->k);
        inc = (int)(j->b.flag == TRANS ? 1 : j->b.ld);
    } else if (j->m == 1) { /* y = B' x */
        matrix = b;
        vector = a;
        flag = j->b.flag == TRANS ? NO_TRANS : TRANS;
        ld = (int)j->b.ld;
        rows = (int)(j->b.flag == TRANS ? j->n : j->k);
        cols = (int)(j->b.flag == TRANS ? j->k : j->n);
        inc = (int)(j->a.flag == TRANS ? j->a.ld : 1);
    } else {
        return false;
    }
    int step = j->n == 1 ? (int)j->ldc : 1;
    if (f32)
        j->blas->sgemv(ROW_MAJOR, flag, rows, cols, 1.0F, (const float *)(const void *)matrix, ld,
                       (const float *)(const void *)vector, inc, 0.0F, (float *)(void *)c, step);
    else
        j->blas->dgemv(ROW_MAJOR, flag, rows, cols, 1.0, (const double *)(const void *)matrix, ld,
                       (const double *)(const void *)vector, inc, 0.0, (double *)(void *)c, step);
    return true;
}

/* The lower half of n by n elements from the upper, in blocks that stay in the cache. */
static inline void mirror_items(char *c, int64_t n, int64_t ldc, int item) {
    enum { BLOCK = 32 };
    for (int64_t top = 0; top < n; top += BLOCK)
        for (int64_t left = top; left < n; left += BLOCK)
            for (int64_t i = top; i < n && i < top + BLOCK; i++)
                for (int64_t j = left > i ? left : i + 1; j < n && j < left + BLOCK; j++)
                    memcpy(c + (j * ldc + i) * item, c + (i * ldc + j) * item, (size_t)item);
}

static void mirror(char *c, int64_t n, int64_t ldc, int item) {
    if (item == 4)
        mirror_items(c, n, ldc, 4);
    else
        mirror_items(c, n, ldc, 8);
}

/* A product of a matrix with its own transpose: half the work, and symmetric to the bit. */
static bool gram_product(const gemm_job *j, const char *a, char *c, int item) {
    const int n = (int)j->n, k = (int)j->k, lda = (int)j->a.ld, ldc = (int)j->ldc;
    if (!j->gram || !j->blas->ssyrk) return false;
    if (j->dtype == GX_f32)
        j->blas->ssyrk(ROW_MAJOR, UPPER, j->a.flag, n, k, 1.0F, (const float *)(const void *)a, lda,
                       0.0F, (float *)(void *)c, ldc);
    else if (j->dtype == GX_f64)
        j->blas->dsyrk(ROW_MAJOR, UPPER, j->a.flag, n, k, 1.0, (const double *)(const void *)a, lda,
                       0.0, (double *)(void *)c, ldc);
    else
        return false;
    mirror(c, n, ldc, item);
    return true;
}

static void gemm(const gemm_job *j, int64_t i, int item) {
    static const double one_z[2] = {1, 0}, zero_z[2] = {0, 0};
    static const float one_c[2] = {1, 0}, zero_c[2] = {0, 0};
    const char *a = j->a.data + i * j->a.batch * item, *b = j->b.data + i * j->b.batch * item;
    char *c = j->c + i * j->c_batch * item;
    int m = (int)j->m, n = (int)j->n, k = (int)j->k;
    int lda = (int)j->a.ld, ldb = (int)j->b.ld, ldc = (int)j->ldc;
    if (m == 1 || n == 1) {
        zero(c, m, n, ldc, item); /* some versions scale what they find by beta */
        if (vector_product(j, a, b, c)) return;
    }
    if (gram_product(j, a, c, item)) return;
    if (j->dtype == GX_f32)
        j->blas->sgemm(ROW_MAJOR, j->a.flag, j->b.flag, m, n, k, 1.0F,
                       (const float *)(const void *)a, lda, (const float *)(const void *)b, ldb,
                       0.0F, (float *)(void *)c, ldc);
    else if (j->dtype == GX_f64)
        j->blas->dgemm(ROW_MAJOR, j->a.flag, j->b.flag, m, n, k, 1.0,
                       (const double *)(const void *)a, lda, (const double *)(const void *)b, ldb,
                       0.0, (double *)(void *)c, ldc);
    else if (j->dtype == GX_c64)
        j->blas->cgemm(ROW_MAJOR, j->a.flag, j->b.flag, m, n, k, one_c, a, lda, b, ldb, zero_c, c,
                       ldc);
    else
        j->blas->zgemm(ROW_MAJOR, j->a.flag, j->b.flag, m, n, k, one_z, a, lda, b, ldb, zero_z, c,
                       ldc);
}

typedef struct one_product {
    gemm_job job;
    int64_t i;
    int item;
} one_product;

static void call_gemm(void *args) {
    const one_product *p = args;
    gemm(&p->job, p->i, p->item);
}

/* The i-th product; one that may take long can be left behind with the buffers. */
static bool multiply(gx_cpu *cpu, const gemm_job *j, int64_t i, int item,
                     gx_buffer *const held[5]) {
    one_product p = {*j, i, item};
    if ((double)j->m * (double)j->n * (double)j->k >= 10.0 * GX_LEAVE_WORK)
        return gx_leave_call(cpu, call_gemm, &p, sizeof p, held, 5);
    call_gemm(&p);
    return !cpu->base.rt->interrupted || gx_run_interrupted(cpu->base.rt);
}

static bool transposed(const gx_matrix *a, const gx_matrix *b) {
    return a->buf == b->buf && a->offset == b->offset && a->rows == b->cols && a->cols == b->rows &&
           a->row_stride == b->col_stride && a->col_stride == b->row_stride &&
           a->batch_stride == b->batch_stride;
}

static bool with_blas(gx_cpu *cpu, const gx_blas *blas, gx_dtype dtype, int64_t batch,
                      const gx_matrix *a, const gx_matrix *b, const gx_matrix *c) {
    int item = gx_dtypes[dtype].bytes;
    gemm_job j = {.blas = blas, .dtype = dtype, .m = a->rows, .n = b->cols, .k = a->cols};
    if (!prepare(cpu, gx_unit_of(dtype), batch, a, &j.a)) return false;
    j.gram = transposed(a, b);
    if (j.gram) {
        j.b = j.a;
        j.b.flag = j.a.flag == TRANS ? NO_TRANS : TRANS;
        j.b.copy = NULL;
    } else if (!prepare(cpu, gx_unit_of(dtype), batch, b, &j.b)) {
        gx_buffer_drop(j.a.copy);
        return false;
    }
    j.c = c->buf->data + c->offset;
    j.ldc = c->rows == 1 ? c->cols : c->row_stride;
    j.c_batch = c->batch_stride;
    gx_buffer *const held[5] = {a->buf, b->buf, c->buf, j.a.copy, j.b.copy};
    bool ok = true;
    for (int64_t i = 0; ok && i < batch; i++) ok = multiply(cpu, &j, i, item, held);
    gx_buffer_drop(j.a.copy);
    gx_buffer_drop(j.b.copy);
    return ok;
}

static gx_matrix turned(const gx_matrix *m) {
    gx_matrix r = *m;
    r.rows = m->cols;
    r.cols = m->rows;
    r.row_stride = m->col_stride;
    r.col_stride = m->row_stride;
    return r;
}

/* *m with rows that have no gaps: itself, or a copy, which *copy holds. */
static bool close_rows(gx_cpu *cpu, gx_cpu_unit unit, int64_t batch, gx_matrix *m,
                       gx_buffer **copy) {
    *copy = NULL;
    if (m->col_stride == 1) return true;
    if (!copy_matrix(cpu, unit, batch, m, copy)) return false;
    m->buf = *copy;
    m->offset = 0;
    m->row_stride = m->cols;
    m->col_stride = 1;
    if (m->batch_stride) m->batch_stride = m->rows * m->cols;
    return true;
}

static bool run_loops(gx_cpu *cpu, gx_dtype dtype, int64_t batch, const gx_matrix *a,
                      const gx_matrix *b, const gx_matrix *c) {
    gx_product p = {.dtype = dtype, .m = a->rows, .n = b->cols, .k = a->cols};
    p.a = start_of(a);
    p.b = start_of(b);
    p.c = c->buf->data + c->offset;
    p.a_row = a->row_stride;
    p.a_col = a->col_stride;
    p.b_row = b->row_stride;
    p.b_col = b->col_stride;
    p.c_row = c->row_stride;
    p.c_col = c->col_stride;
    return gx_matmul_own(cpu, &p, batch, a->batch_stride, b->batch_stride, c->batch_stride);
}

/* Integers times a vector are products of rows of a with columns of b: of copies where these have
   gaps. */
static bool with_loops(gx_cpu *cpu, gx_dtype dtype, int64_t batch, const gx_matrix *a,
                       const gx_matrix *b, const gx_matrix *c) {
    bool inexact = gx_dtypes[dtype].kind > GX_KIND_UINT, thin = a->rows == 1 || b->cols == 1;
    if (inexact || !thin || a->rows * b->cols * a->cols <= TINY)
        return run_loops(cpu, dtype, batch, a, b, c);
    gx_matrix rows = *a, columns = turned(b);
    gx_buffer *copy_a = NULL, *copy_b = NULL;
    bool ok = close_rows(cpu, gx_unit_of(dtype), batch, &rows, &copy_a) &&
              close_rows(cpu, gx_unit_of(dtype), batch, &columns, &copy_b);
    columns = turned(&columns);
    ok = ok && run_loops(cpu, dtype, batch, &rows, &columns, c);
    gx_buffer_drop(copy_a);
    gx_buffer_drop(copy_b);
    return ok;
}

static bool dense(gx_cpu *cpu, gx_dtype dtype, int64_t batch, const gx_matrix *a,
                  const gx_matrix *b, const gx_matrix *c);

/* A contiguous batch like m, of another dtype, in a new buffer. */
static bool new_matrix(gx_cpu *cpu, int64_t batch, const gx_matrix *like, int item,
                       gx_matrix *out) {
    int64_t n = like->batch_stride == 0 ? 1 : batch;
    gx_buffer *buf;
    if (!gx_pool_alloc(&cpu->base, n * like->rows * like->cols * item, &buf)) return false;
    *out = (gx_matrix){.buf = buf, .rows = like->rows, .cols = like->cols};
    out->row_stride = like->cols;
    out->col_stride = 1;
    out->batch_stride = like->batch_stride == 0 ? 0 : like->rows * like->cols;
    return true;
}

/* A half's dtype to float32: rows through the cast loop. */
static bool widen(gx_cpu *cpu, gx_dtype dtype, int64_t batch, const gx_matrix *m, gx_matrix *out) {
    gx_loop cast = cpu->loops->cast[dtype][GX_f32];
    gx_buffer *half;
    if (!copy_matrix(cpu, gx_unit_of(dtype), batch, m, &half)) return false;
    if (!new_matrix(cpu, batch, m, 4, out)) {
        gx_buffer_drop(half);
        return false;
    }
    int64_t n = (m->batch_stride == 0 ? 1 : batch) * m->rows * m->cols;
    cast(out->buf->data, half->data, NULL, NULL, (size_t)n, 0);
    gx_buffer_drop(half);
    return true;
}

/* Stores a contiguous batch into c. */
static void store_batch(int64_t batch, const gx_matrix *c, const char *from, gx_cpu_unit unit) {
    int64_t item = unit.bytes, size = c->rows * c->cols * item;
    for (int64_t i = 0; i < batch; i++)
        gx_store_region(c->buf->data + c->offset + i * c->batch_stride * item, from + i * size,
                        unit, c->rows, c->cols, c->row_stride * item, c->col_stride * item);
}

static bool halves(gx_cpu *cpu, gx_dtype dtype, int64_t batch, const gx_matrix *a,
                   const gx_matrix *b, const gx_matrix *c) {
    gx_matrix wa = {0}, wb = {0}, wc = {0};
    gx_matrix like = *c;
    like.batch_stride = c->rows * c->cols;
    bool ok = widen(cpu, dtype, batch, a, &wa) && widen(cpu, dtype, batch, b, &wb) &&
              new_matrix(cpu, batch, &like, 4, &wc) && dense(cpu, GX_f32, batch, &wa, &wb, &wc);
    if (ok) {
        /* In place: the halves are written behind the float32 ones being read. */
        char *data = wc.buf->data;
        int64_t n = batch * c->rows * c->cols;
        char block[1024];
        for (int64_t i = 0; i < n; i += 512) {
            int64_t m = n - i < 512 ? n - i : 512;
            cpu->loops->cast[GX_f32][dtype](block, data + i * 4, NULL, NULL, (size_t)m, 0);
            memcpy(data + i * 2, block, (size_t)(m * 2));
        }
        store_batch(batch, c, data, gx_unit_of(dtype));
    }
    gx_buffer_drop(wa.buf);
    gx_buffer_drop(wb.buf);
    gx_buffer_drop(wc.buf);
    return ok;
}

/* c is C-contiguous but for its leading dimension. */
static bool dense(gx_cpu *cpu, gx_dtype dtype, int64_t batch, const gx_matrix *a,
                  const gx_matrix *b, const gx_matrix *c) {
    bool kind = dtype == GX_f32 || dtype == GX_f64 || dtype == GX_c64 || dtype == GX_c128;
    bool small = a->rows <= INT32_MAX && a->cols <= INT32_MAX && b->cols <= INT32_MAX;
    int64_t work = a->rows * b->cols * (small ? a->cols : 1);
    int64_t largest = a->rows > a->cols ? a->rows : a->cols;
    if (b->cols > largest) largest = b->cols;
    const gx_blas *blas = NULL;
    /* A single tiny product is not worth opening a library for. */
    bool worth = work > (batch >= MANY ? TINIEST : TINY) &&
                 !gx_matmul_small_can(cpu, dtype, a->rows, b->cols, a->cols);
    if (kind && small && worth) blas = gx_blas_open(cpu, largest);
    if (blas) return with_blas(cpu, blas, dtype, batch, a, b, c);
    return with_loops(cpu, dtype, batch, a, b, c);
}

bool gx_matmul_run(gx_device *device, gx_dtype dtype, int64_t batch, const gx_matrix *a,
                   const gx_matrix *b, const gx_matrix *c) {
    gx_cpu *cpu = gx_cpu_of(device);
    int item = gx_dtypes[dtype].bytes;
    if (batch == 0 || c->rows == 0 || c->cols == 0) return true;
    if (a->cols == 0) {
        static const char nothing[16];
        for (int64_t i = 0; i < batch; i++)
            gx_fill_region(c->buf->data + c->offset + i * c->batch_stride * item, nothing,
                           gx_unit_of(dtype), c->rows, c->cols, c->row_stride * item,
                           c->col_stride * item);
        return true;
    }
    if (gx_is_half(dtype)) return halves(cpu, dtype, batch, a, b, c);
    bool plain = (c->col_stride == 1 || c->cols == 1) && (c->rows == 1 || c->row_stride >= c->cols);
    if (plain && c->row_stride <= INT32_MAX) return dense(cpu, dtype, batch, a, b, c);
    gx_matrix like = *c, dense_c;
    like.batch_stride = c->rows * c->cols;
    if (!new_matrix(cpu, batch, &like, item, &dense_c)) return false;
    bool ok = dense(cpu, dtype, batch, a, b, &dense_c);
    if (ok) store_batch(batch, c, dense_c.buf->data, gx_unit_of(dtype));
    gx_buffer_drop(dense_c.buf);
    return ok;
}
