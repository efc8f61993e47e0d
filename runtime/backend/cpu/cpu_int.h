/* What the files of the CPU backend share: the device, its memory pool, its threads, its plan of a
   tape, and OpenBLAS. Nothing outside this folder includes it. */
#ifndef GX_RUNTIME_BACKEND_CPU_CPU_INT_H
#define GX_RUNTIME_BACKEND_CPU_CPU_INT_H

#include "runtime/backend/backend.h"
#include "runtime/backend/cpu/loops/loops.h"

typedef struct gx_cpu gx_cpu;
typedef struct gx_pool gx_pool;
typedef struct gx_workers gx_workers;
typedef struct gx_blas gx_blas;

/* Elements folded at a time, and elements of a partial result: fixed, so that a reduction gives the
   same bits for every number of threads and every GX_BLOCK. */
enum { GX_FOLD_UNIT = 2048, GX_FOLD_CHUNK = 65536, GX_WORK_CHUNK = 65536 };

/* ---- pool.c: memory for arrays ---- */
GX_CHECK bool gx_pool_open(gx_cpu *cpu);
void gx_pool_close(gx_cpu *cpu);
bool gx_pool_alloc(gx_device *device, int64_t bytes, gx_buffer **out);
void gx_pool_release(gx_buffer *buffer);
/* Bytes that can still be had (memory of the machine or the container, and the pool), and all. */
void gx_pool_memory(gx_cpu *cpu, int64_t *free_bytes, int64_t *total);
/* Gives every kept buffer back to the system. */
void gx_pool_trim(gx_cpu *cpu, int64_t keep);

/* ---- threads.c: the thread pool ---- */
/* One task; `thread` is 0 for the caller, below gx_threads_count() always. */
typedef void (*gx_task)(void *arg, int64_t task, int thread);
GX_CHECK bool gx_threads_open(gx_cpu *cpu);
void gx_threads_close(gx_cpu *cpu);
int gx_threads_count(const gx_cpu *cpu);
/* Runs fn for tasks 0 … n - 1, over all threads when `parallel`; returns when all are done. */
void gx_threads_run(gx_cpu *cpu, int64_t n, bool parallel, gx_task fn, void *arg);
/* From inside a task: those that have not begun need not be run. */
void gx_threads_enough(gx_cpu *cpu);

/* ---- leave.c: a library's calls that cannot be interrupted ---- */
/* Works on its args, on the buffers held, and on nothing else that may go. */
typedef void (*gx_leave_fn)(void *args);
/* Calls fn on a copy of args, which is copied back. False: KeyboardInterrupt is pending, and fn may
   still be at work on its copy and on `held` (NULL: none), which are kept until then. */
GX_CHECK bool gx_leave_call(gx_cpu *cpu, gx_leave_fn fn, void *args, size_t size,
                            gx_buffer *const *held, int n);
/* Frees what a call was left with, if it has ended, or waits until it has. False: it goes on. */
bool gx_leave_sweep(gx_cpu *cpu, bool wait);
/* Elements times steps of a call from which on it may take long. */
enum { GX_LEAVE_WORK = 200 * 1000 * 1000 };

/* ---- load.c: regions of nr x nc elements between strided memory and a contiguous block ---- */
/* The bytes of an element that the copies have loops for: 1, 2, 4, 8 or 16. Every dtype has such a
   size; a row of several elements may not (gx_unit_fits). */
typedef struct gx_cpu_unit {
    int bytes;
} gx_cpu_unit;
static inline gx_cpu_unit gx_unit_of(int dtype) {
    return (gx_cpu_unit){gx_dtypes[dtype].bytes};
}
static inline bool gx_unit_fits(gx_bytes row, gx_cpu_unit *out) {
    out->bytes = (int)row.n;
    return row.n > 0 && row.n <= 16 && (row.n & (row.n - 1)) == 0;
}
void gx_load_region(char *dst, const char *src, gx_cpu_unit unit, int64_t nr, int64_t nc,
                    int64_t rs, int64_t cs);
void gx_store_region(char *dst, const char *src, gx_cpu_unit unit, int64_t nr, int64_t nc,
                     int64_t rs, int64_t cs);
/* One element to every place of a strided region. */
void gx_fill_region(char *dst, const char *one, gx_cpu_unit unit, int64_t nr, int64_t nc,
                    int64_t rs, int64_t cs);

/* ---- plan.c: a tape made ready to run ---- */
/* Where a leaf or an output is: element i at base + sum(strides[d] * i[d]); an address, or for
   IOTA and RANDOM an element number. */
typedef struct gx_port {
    int64_t base;
    int64_t strides[GX_MAX_DIMS];
} gx_port;

typedef enum gx_code_kind {
    GX_CODE_SKIP, /* not needed, or a constant */
    GX_CODE_LOAD,
    GX_CODE_IOTA,
    GX_CODE_RANDOM,
    GX_CODE_LOOP
} gx_code_kind;

/* What to do for one step. */
typedef struct gx_code {
    gx_loop fn;
    uint8_t kind;    /* gx_code_kind */
    uint8_t scalars; /* bit k: operand k is one element */
    bool single;     /* the result is one element for the whole piece */
    bool copy;       /* LOAD: always into a block */
    gx_cpu_unit item;    /* of an element of the result */
    int16_t slot;    /* block of the scratch, or -1 */
    int16_t port;    /* LOAD, IOTA, RANDOM: the leaf */
    int16_t out;     /* output written directly (GX_OUT_FOLD: the fold buffer), or -1 */
    uint16_t a, b, c;
} gx_code;

enum { GX_OUT_FOLD = 1000 };

typedef struct gx_cpu_plan {
    gx_cpu *cpu;
    const gx_tape *tape;
    int nd, kept; /* dims; the first `kept` are kept by a reduction */
    int64_t shape[GX_MAX_DIMS];
    int n_port;
    gx_port port[GX_TAPE_LEAVES + GX_TAPE_OUTS]; /* leaves, then outputs */
    int n_code;
    gx_code code[GX_TAPE_STEPS + 1]; /* by step; one more for the cast to the accumulator */
    int n_slot;
    int item_max;
    size_t slot_bytes;
    int64_t block, total, cost; /* elements a block; of the space; weight of an element */
    bool multirow; /* pieces may have several rows */
    int red_step;  /* the step that is folded, or -1 */
    int first_out; /* outputs before it are not stored by pieces */
} gx_cpu_plan;

/* A region of the space: nr rows along dim nd - 2 and nc columns along the last, at idx. */
typedef struct gx_piece {
    int64_t nr, nc;
    int64_t idx[GX_MAX_DIMS];
} gx_piece;

/* A walk over a range of the space in C order, in pieces. */
typedef struct gx_cpu_walk {
    int64_t left;
    int low; /* dims below are fixed */
    gx_piece at;
} gx_cpu_walk;

/* What one thread works with. */
typedef struct gx_scratch {
    char *memory; /* blocks, 64-byte aligned */
    void *raw;
    size_t bytes;
    char *at[GX_TAPE_STEPS + 1]; /* where each step's value is */
    int fp;
} gx_scratch;

/* Prepares ports and dims; `reduce` leaves out every output but the first. */
void gx_plan_dims(gx_cpu_plan *p, gx_cpu *cpu, const gx_tape *tape, bool reduce);
/* Joins dims lo … hi - 1 where every port allows. */
void gx_plan_collapse(gx_cpu_plan *p, int lo, int hi);
/* Reorders: dim d becomes the old dim order[d]. */
void gx_plan_permute(gx_cpu_plan *p, const int *order);
/* Chooses loops, blocks and slots, and makes the threads' scratch: `extra` bytes more a thread.
   n_code, red_step, first_out and multirow are set before. block 0: chosen here. */
GX_CHECK bool gx_plan_code(gx_cpu_plan *p, int64_t block, size_t extra);
/* Computes one piece of at most p->block elements; values are at scratch->at[step]. `dst` is where
   the folded step should go when it is computed (GX_OUT_FOLD), or NULL. */
void gx_plan_piece(const gx_cpu_plan *p, gx_scratch *s, const gx_piece *piece, char *dst);
/* Sets what does not change from piece to piece (constants). */
void gx_plan_enter(const gx_cpu_plan *p, gx_scratch *s);
void gx_walk_start(const gx_cpu_plan *p, gx_cpu_walk *w, int low, int64_t start, int64_t n);
/* The next piece of at most `most` elements; false at the end. */
bool gx_walk_next(const gx_cpu_plan *p, gx_cpu_walk *w, int64_t most, gx_piece *piece);
/* The scratch beyond the blocks: the `extra` bytes of gx_plan_code. */
char *gx_plan_extra(const gx_cpu_plan *p, const gx_scratch *s);

/* ---- generate.c ---- */
/* The elements of an IOTA or RANDOM leaf for a piece: `at` is the first one's number, others follow
   by rs a row and cs a column. */
void gx_generate_leaf(const gx_cpu_plan *p, const gx_leaf *l, char *out, int64_t at,
                      const gx_piece *r, int64_t rs, int64_t cs);

/* ---- run.c, reduce.c, take.c, matmul.c, linalg.c, philox.c ---- */
bool gx_run_tape(gx_device *device, const gx_tape *tape, int *fp);
/* A tape without a reduction, or the outputs of one from `first` on. */
GX_CHECK bool gx_run_map(gx_cpu *cpu, const gx_tape *tape, int first, int *fp);
GX_CHECK bool gx_reduce_run(gx_cpu *cpu, const gx_tape *tape, int *fp);
/* The hardware's floating-point conditions: cleared, and read as GX_FP_*. */
void gx_run_fp_clear(void);
int gx_run_fp_test(void);
/* KeyboardInterrupt, the flag taken back. Always false. */
bool gx_run_interrupted(gx_rt *rt);
/* ---- reduce_arg.c ---- */
struct gx_fold_job;
GX_CHECK bool gx_reduce_arg(struct gx_fold_job *job);
bool gx_take_gather(gx_device *device, const gx_take *t);
bool gx_take_scatter(gx_device *device, const gx_take *t);
GX_CHECK bool gx_cpu_nonzeros(gx_device *d, const gx_elements *e, int64_t *count, bool *done);
bool gx_take_nonzero(gx_device *device, const gx_buffer *mask, int64_t offset, int64_t n,
                     gx_buffer **out, int64_t *count);
bool gx_matmul_run(gx_device *device, gx_dtype dtype, int64_t batch, const gx_matrix *a,
                   const gx_matrix *b, const gx_matrix *c);
extern const gx_linalg gx_cpu_linalg;
/* n elements of a random stream (tape.h: gx_dist) from element `first` on. */
void gx_philox_fill(void *out, gx_dist dist, uint64_t seed, uint64_t first, int64_t n);

/* ---- matmul_own.c: products without BLAS ---- */
/* c (m, n) = a (m, k) @ b (k, n), strides in elements; c is C-contiguous with `ldc`. */
typedef struct gx_product {
    gx_dtype dtype;
    int64_t m, n, k;
    const char *a, *b;
    char *c;
    int64_t a_row, a_col, b_row, b_col, c_row, c_col;
} gx_product;
/* One batch of products of the same extents: `count` of them. */
GX_CHECK bool gx_matmul_own(gx_cpu *cpu, const gx_product *product, int64_t count,
                            int64_t a_batch, int64_t b_batch, int64_t c_batch);

/* ---- matmul_small.c: small products of float32 and float64, by AVX2 ---- */
bool gx_matmul_small_can(const gx_cpu *cpu, gx_dtype dtype, int64_t m, int64_t n, int64_t k);
/* One product that gx_matmul_small_can allows. */
void gx_matmul_small(const gx_product *p);

/* ---- blas.c: OpenBLAS, opened at first use ---- */
struct gx_blas {
    bool tried;
    void *handle;
    void (*set_threads)(int);
    void (*sgemm)(int, int, int, int, int, int, float, const float *, int, const float *, int,
                  float, float *, int);
    void (*dgemm)(int, int, int, int, int, int, double, const double *, int, const double *, int,
                  double, double *, int);
    void (*cgemm)(int, int, int, int, int, int, const void *, const void *, int, const void *, int,
                  const void *, void *, int);
    void (*zgemm)(int, int, int, int, int, int, const void *, const void *, int, const void *, int,
                  const void *, void *, int);
    void (*sgemv)(int, int, int, int, float, const float *, int, const float *, int, float, float *,
                  int);
    void (*dgemv)(int, int, int, int, double, const double *, int, const double *, int, double,
                  double *, int);
    /* NULL: the library has none */
    void (*ssyrk)(int, int, int, int, int, float, const float *, int, float, float *, int);
    void (*dsyrk)(int, int, int, int, int, double, const double *, int, double, double *, int);
    int threads; /* it was told to use */
    float (*sdot)(int, const float *, int, const float *, int);
    double (*ddot)(int, const double *, int, const double *, int);
    void (*gesv[4])(int *, int *, void *, int *, int *, void *, int *, int *); /* s d c z */
    void (*getrf[4])(int *, int *, void *, int *, int *, int *);
    void (*getri[4])(int *, void *, int *, int *, void *, int *, int *);
};
/* OpenBLAS, or NULL when the machine has none (GX_OPENBLAS=none: never). `largest`: the longest
   side of the matrices to come; for small ones threads cost more than they bring: it uses one. */
const gx_blas *gx_blas_open(gx_cpu *cpu, int64_t largest);
/* A function of the library by name; NULL: it has none. The caller knows its type. */
typedef void (*gx_blas_fn)(void);
gx_blas_fn gx_blas_find(const gx_blas *blas, const char *name);

/* The device. */
struct gx_cpu {
    gx_device base;
    const gx_loops *loops;
    gx_pool *pool;
    gx_workers *workers;
    gx_cpu_plan *plan;
    gx_scratch **scratch; /* one a thread */
    int threads;
    struct gx_left *left; /* leave.c: a call that Ctrl-C has left behind, or NULL */
    volatile bool enough; /* tasks that have not begun need not be run */
    gx_blas blas;
    struct gx_fft_cache *fft; /* fft/plan.c: tables of Fourier transforms, or NULL */
};

static inline gx_cpu *gx_cpu_of(gx_device *device) {
    return (gx_cpu *)device;
}
/* Scratch blocks of at least `bytes` for every thread. */
GX_CHECK bool gx_cpu_scratch(gx_cpu *cpu, size_t bytes, bool parallel);

/* One operation, and one reduction, on a few elements (small.c). */
bool gx_cpu_at(gx_device *device, gx_opcode op, gx_dtype compute, gx_dtype result, gx_dtype d,
               void *to, const int64_t *at, const void *other, int64_t n, int *fp);
bool gx_cpu_small(gx_device *device, gx_opcode op, gx_dtype compute, gx_dtype to, void *out,
                  const void *const in[3], int64_t n, unsigned scalars, int *fp);
bool gx_cpu_fold(gx_device *device, gx_redcode red, gx_dtype from, gx_dtype acc, gx_dtype result,
                 void *out, const void *in, int64_t n, int *fp);

GX_CHECK bool gx_cpu_fourier_lines(gx_device *d, const gx_fourier_lines *j); /* fft/lines.c */
void gx_fft_cache_free(gx_cpu *cpu);
GX_CHECK bool gx_take_select(gx_device *d, const gx_tape *t, gx_buffer **out, int64_t *count,
                             int *fp); /* take_select.c */
GX_CHECK bool gx_cpu_each(gx_device *d, const gx_each *j); /* each.c */
bool gx_cpu_has_each(const gx_each_function *f);           /* each.c */
GX_CHECK bool gx_cpu_scan(gx_device *d, const gx_totals *j, int *fp); /* scan.c */
bool gx_cpu_scans(const gx_totals *j);                                /* scan.c */
extern const gx_order_calls gx_cpu_order; /* order/order.c */

extern const struct gx_cost_calls gx_cpu_cost; /* cost.c */

#endif
