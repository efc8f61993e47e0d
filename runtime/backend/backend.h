/* A backend is one struct of functions. All return false with the error set. Optional entries may
   be NULL: gx then says which backend lacks what. Buffers for results are allocated by the caller.
   Seen by runtime/ only; stdlib goes through runtime/array/array.h and its neighbours. */
#ifndef GX_RUNTIME_BACKEND_BACKEND_H
#define GX_RUNTIME_BACKEND_BACKEND_H

#include "runtime/backend/cost.h"
#include "runtime/backend/decomp.h"
#include "runtime/backend/each.h"
#include "runtime/backend/filter.h"
#include "runtime/backend/fourier.h"
#include "runtime/backend/gpu.h"
#include "runtime/backend/order.h"
#include "runtime/backend/tape.h"

typedef struct gx_backend gx_backend;

/* The number of an open device (rt->places): where values are, and where they are computed. GX_GPU
   is the first beside the host; others may follow. */
typedef enum gx_place { GX_HOST, GX_GPU, GX_LAST_PLACE = GX_MAX_PLACES - 1 } gx_place;

typedef struct gx_device {
    const gx_backend *backend;
    gx_rt *rt;
    int index;
    uint8_t place; /* gx_place; the host's where a device has another inside */
    int64_t live_bytes, peak_bytes, pool_bytes; /* buffers in use, their peak, kept free */
    int64_t limit;  /* most live bytes of arrays on a GPU; 0: none */
    int64_t wanted; /* bytes that there was no memory for, until the error is explained */
} gx_device;

enum { GX_FOLD_FEW = 512 };

/* A number of bytes where numbers of items stand beside it: one cannot be passed for the other. */
typedef struct gx_bytes {
    int64_t n;
} gx_bytes;

/* out[i…] = src[i…] by position, with int64 index arrays in the middle: element i of the iteration
   space is at src.offset + sum(src.strides[d] * i[d]) + sum over k of index_k(i) * scale[k] bytes.
   Indices are already in range (negative ones wrapped). `other` is read for scatter, written for
   gather. Duplicate targets of a scatter: the last one in C order wins. */
typedef struct gx_take {
    int ndim;
    int64_t shape[GX_MAX_DIMS];
    gx_bytes item; /* of an element */
    gx_leaf array; /* BUFFER: the indexed array over the iteration dims, strides 0 where indexed */
    int n_index;
    gx_leaf index[GX_MAX_DIMS]; /* BUFFER, int64, over the iteration dims */
    int64_t scale[GX_MAX_DIMS];
    gx_leaf other; /* BUFFER over the iteration dims, same dtype */
    /* The device looks at the indices itself: negative ones count from the end of `size`, those
       outside are left out and told of by `outside`; a scatter that has one writes nothing. */
    bool check;
    int64_t size[GX_MAX_DIMS]; /* of the axis that index k is for, */
    int axis[GX_MAX_DIMS];     /* and its number */
} gx_take;

/* Indices of one take that were out of range: the first of them in C order, and how many. */
typedef struct gx_outside {
    int64_t index, axis, size, at; /* the index, of which axis, its place among them */
    int64_t wrong, total;
} gx_outside;

/* Running totals, or products, along the middle of C-contiguous (outer, n, inner) elements of a
   dtype, n > 0, that begin `offset` bytes into `from`, in another dtype; `to` may be `from` where
   the two have one. The same bits at every run. */
typedef struct gx_totals {
    gx_dtype dtype, total;
    bool product;
    int64_t outer, n, inner;
    const gx_buffer *from;
    int64_t offset;
    gx_buffer *to;
} gx_totals;

/* A matrix of a batch: data + batch stride, row and column strides in elements. */
typedef struct gx_matrix {
    gx_buffer *buf;
    int64_t offset; /* bytes */
    int64_t rows, cols, row_stride, col_stride; /* elements */
    int64_t batch_stride;                       /* elements */
} gx_matrix;

/* Linear algebra on C-contiguous batches of square systems, in place (LAPACK underneath).
   `info` gets one entry a matrix: 0, or k > 0 when the k-th pivot is zero. dtype: f32 f64 c64 c128.
 */
typedef struct gx_linalg {
    /* a (n, n) is destroyed, b (n, m) becomes the solution of a x = b. */
    bool (*solve)(gx_device *, gx_dtype, int64_t batch, int64_t n, int64_t m, gx_buffer *a,
                  gx_buffer *b, int64_t *info);
    /* a becomes its inverse. */
    bool (*inv)(gx_device *, gx_dtype, int64_t batch, int64_t n, gx_buffer *a, int64_t *info);
    /* a becomes its LU factors; pivots int64 (batch, n), 0-based row swapped with row i. */
    bool (*lu)(gx_device *, gx_dtype, int64_t batch, int64_t n, gx_buffer *a, int64_t *pivots,
               int64_t *info);
    bool (*triangle)(gx_device *, const gx_triangle *);
    /* See runtime/backend/decomp.h. */
    bool (*decompose)(gx_device *, const gx_decomp *);
    /* Is a job for this device (its buffers are not yet set), or better done by the host, which
       takes all? */
    bool (*takes)(gx_device *, const gx_decomp *);
    bool (*takes_system)(gx_dtype, int64_t batch, int64_t n);
} gx_linalg;

/* What is asked of a GPU beside arrays (runtime/backend/gpu.h). */
typedef struct gx_gpu_calls {
    bool (*facts)(gx_device *, gx_gpu_info *out);
    bool (*number)(gx_device *, gx_gpu_fact fact, int *out);
    bool (*toolkit)(gx_device *, int *out);
    bool (*trim)(gx_device *);
    bool (*event_new)(gx_device *, void **event);
    void (*event_free)(gx_device *, void *event);
    bool (*event_record)(gx_device *, void *event, void *stream);
    bool (*event_wait)(gx_device *, void *event);
    bool (*event_done)(gx_device *, void *event, bool *done);
    bool (*event_elapsed)(gx_device *, void *start, void *end, double *milliseconds);
    bool (*lost)(const gx_device *);
    bool (*doctor)(gx_rt *rt, gx_buf *out); /* needs no device */
    const struct gx_stream_calls *streams;
} gx_gpu_calls;

/* Streams of a script: counted handles, NULL the one that is used when none is chosen. What is
   enqueued on one stream begins when what was enqueued before it, on any, has been handed over:
   values are the same as with one stream. */
typedef struct gx_stream_calls {
    bool (*make)(gx_device *, bool non_blocking, int priority, void **stream);
    void (*keep)(void *stream);
    void (*drop)(gx_device *, void *stream);
    void *(*current)(gx_device *); /* borrowed */
    bool (*use)(gx_device *, void *stream);
    bool (*sync)(gx_device *, void *stream);
    bool (*done)(gx_device *, void *stream, bool *done);
    bool (*wait)(gx_device *, void *stream, void *event);
    uint64_t (*handle)(gx_device *, void *stream);
} gx_stream_calls;

/* A script's own kernels on a device: PTX modules and launches with packed parameters. */
typedef struct gx_raw_calls {
    bool (*load)(gx_device *, const char *ptx, void **module);
    void (*unload)(gx_device *, void *module);
    /* together: all blocks at once, so that they can wait for each other. */
    bool (*launch)(gx_device *, void *module, const char *symbol, const int64_t grid[3],
                   const int64_t block[3], int64_t shared, bool together, const void *params,
                   size_t bytes);
    /* A variable of the module; false without an error: there is none. */
    bool (*global)(gx_device *, void *module, const char *name, uint64_t *address, int64_t *bytes);
    /* Between host and device memory: up (captured) or down (waits). */
    bool (*copy)(gx_device *, void *host, uint64_t address, int64_t bytes, bool up);
    /* Host memory that kernels see: [0] asks them to end, [1] they set; [2] says that Ctrl-C ended
       some. Whatever waits for the device sees Ctrl-C while such kernels run. */
    volatile uint32_t *(*words)(gx_device *, uint64_t *address);
    bool (*number)(gx_device *, void *module, const char *symbol, gx_kernel_fact fact, int *out);
} gx_raw_calls;

struct gx_backend {
    const char *name, *doc;
    bool (*open)(gx_rt *rt, gx_device **out);
    void (*close)(gx_device *);
    bool (*sync)(gx_device *);
    bool (*memory)(gx_device *, int64_t *free_bytes, int64_t *total);

    /* At least `bytes` bytes (0 allowed), not cleared (GX_POISON: filled). False: MemoryError, or
       an injected failure. The caller owns one reference. */
    bool (*alloc)(gx_device *, int64_t bytes, gx_buffer **out);
    void (*release)(gx_buffer *); /* refs fell to zero */
    bool (*put)(gx_buffer *, int64_t at, const void *from, int64_t bytes);
    bool (*get)(const gx_buffer *, int64_t at, void *to, int64_t bytes);
    bool host; /* buffer->data is a host address that gx may read and write */
    bool simulated; /* no GPU: kernels of scripts run in the simulator, as instrumented for one */
    bool launches;  /* work goes on behind the caller: what is not needed yet is better left pending
                     */
    bool about_mean; /* tapes may ask for sums of squares about the mean */

    /* Runs a tape, with or without a reduction. *fp gets the GX_FP_* conditions met, of fp_mask. */
    bool (*run)(gx_device *, const gx_tape *, int *fp);
    /* One operation (op GX_OP_NONE: a cast from `compute` to `to`) on n ready, contiguous host
       elements: what small arrays and scalars take. Bit k of `scalars`: operand k is one element.
       Optional. */
    bool (*small)(gx_device *, gx_opcode op, gx_dtype compute, gx_dtype to, void *out,
                  const void *const in[3], int64_t n, unsigned scalars, int *fp);
    /* The operation in place on the elements of `to`, of dtype d, at n positions, one after
       another: a position that comes twice is changed twice. It computes in `compute` with n
       elements of that dtype beside (NULL: none) and casts what has dtype `result`. Host memory;
       ends early after Ctrl-C. Optional. */
    bool (*at)(gx_device *, gx_opcode op, gx_dtype compute, gx_dtype result, gx_dtype d, void *to,
               const int64_t *at, const void *other, int64_t n, int *fp);
    /* A reduction of n ready, contiguous host elements, 0 < n <= GX_FOLD_FEW, of dtype `from` that
       are folded in `acc`: the bits that `run` gives. Optional. */
    bool (*fold)(gx_device *, gx_redcode red, gx_dtype from, gx_dtype acc, gx_dtype result,
                 void *out, const void *in, int64_t n, int *fp);
    bool (*gather)(gx_device *, const gx_take *);
    bool (*scatter)(gx_device *, const gx_take *);
    /* What a take met whose conditions say GX_FP_INDEX; wrong is 0 where that is not known any
       more. Optional: without it every index is in range already. */
    bool (*outside)(gx_device *, gx_outside *out);
    /* The values of a tape's second output at the elements where its first one, a bool, is true, in
       C order, in a new buffer; where its outputs are to be stored is not yet set. *fp as run's. */
    bool (*select)(gx_device *, const gx_tape *, gx_buffer **out, int64_t *count, int *fp);
    /* Positions of the true elements of a C-contiguous bool buffer of n elements, as int64 linear
       indices into a new buffer. */
    bool (*nonzero)(gx_device *, const gx_buffer *mask, int64_t offset, int64_t n, gx_buffer **out,
                    int64_t *count);
    /* c = a @ b for `batch` matrices of any dtype. */
    bool (*matmul)(gx_device *, gx_dtype, int64_t batch, const gx_matrix *a, const gx_matrix *b,
                   const gx_matrix *c);
    bool squares; /* a vector's product with itself is faster than the sum of its squares */
    const gx_linalg *linalg; /* optional */
    /* *fp as run's. Elements that `scans` says no to (its buffers are not yet set) are converted to
       the total's dtype first. */
    bool (*scan)(gx_device *, const gx_totals *, int *fp);
    bool (*scans)(const gx_totals *);
    /* A function for every element, where the device has it; the host has all. */
    bool (*each)(gx_device *, const gx_each *);
    bool (*has_each)(const gx_each_function *);
    /* Fourier transforms (runtime/backend/fourier.h), of several axes at once or of one: either is
       optional. Without them they are the host's, which takes one axis. */
    bool (*fourier)(gx_device *, const gx_fourier *);
    bool (*fourier_lines)(gx_device *, const gx_fourier_lines *);
    /* A filter of images (runtime/backend/filter.h), and whether it is a job for this device (its
       buffers are not yet set): else it is the host's, which takes all. */
    bool (*filter)(gx_device *, const gx_filter *);
    bool (*takes_filter)(const gx_filter *);
    const gx_order_calls *order;
    /* How many elements are not zero; *done false where a tape is to count them. Optional. */
    bool (*nonzeros)(gx_device *, const gx_elements *, int64_t *count, bool *done);
    /* Whose operation the conditions that the tapes run since the last call meet are: for a device
       that works behind the caller's back. Optional, both or none. */
    void (*blame)(gx_device *, const char *op, gx_span origin);
    /* The next conditions met by finished work that were not yet told; false: none. */
    bool (*met)(gx_device *, int *fp, const char **op, gx_span *origin);
    /* Does what takes longest of opening device `index`, from any thread: opening finds it done.
       Problems are opening's to tell. Optional. */
    void (*warm)(int index);
    const gx_gpu_calls *gpu; /* a GPU's */
    const gx_raw_calls *raw; /* optional */
    /* Host threads for work on host data; optional, both or none. fn(arg, task, thread) is called
       once for each task 0 … n - 1, thread below threads(); it allocates nothing and cannot fail.
     */
    int (*threads)(gx_device *);
    void (*tasks)(gx_device *, int64_t n, void (*fn)(void *arg, int64_t task, int thread),
                  void *arg);
    /* How a tape would be run, for explain() (runtime/backend/cost.h). Optional. */
    const struct gx_cost_calls *cost;
};

#define GX_BACKEND(name, role) extern const gx_backend gx_##name##_backend;
#include "runtime/backend/backends.def"

static inline void gx_buffer_keep(gx_buffer *b) {
    b->refs++;
}
static inline void gx_buffer_drop(gx_buffer *b) {
    if (!b || --b->refs != 0) return;
    if (GX_UNLIKELY(b->foreign)) b->foreign(b);
    else b->device->backend->release(b);
}

#endif
