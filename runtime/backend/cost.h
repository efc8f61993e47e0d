/* What computing an array costs, before it is computed: the kernels, the bytes they move against
   one kernel for each operation, a model of their time and, where it is wanted, the time measured.
   A machine's rates are measured once (runtime/inspect/cost_roof.c) and kept on disk. Nothing here
   decides how anything is computed. */
#ifndef GX_RUNTIME_BACKEND_COST_H
#define GX_RUNTIME_BACKEND_COST_H

#include "runtime/base/buf.h"

struct gx_array;
struct gx_device;
struct gx_tape;

/* Bytes and operations of one tape. Each byte counts once, however often it is read. */
typedef struct gx_traffic {
    int64_t read, written;
    int64_t moved; /* read, with what lies beside strided elements and moves along */
    int64_t asked; /* by all reads and writes: what the cache serves */
    bool turned;   /* an input runs across the output, as a transposed one does */
    /* the same by one kernel for each operation */
    int64_t apart_read, apart_written, temporaries;
    int apart_kernels, operations;
    int64_t elements;
    double work32, work64; /* weights of ops.def, by how wide they are computed */
} gx_traffic;

/* How a tape is run. */
typedef struct gx_launch_info {
    int64_t blocks; /* 0: not known */
    int threads;    /* a block's; of the host: threads that share the blocks */
    int elements;   /* a thread's; of the host: a block's */
    int registers, shared; /* a thread's and a block's; 0 registers: not known */
    const char *form;
} gx_launch_info;

/* What a backend tells of its tapes. */
typedef struct gx_cost_calls {
    /* Outputs have buffers; on the host, for the tape that was run last. */
    bool (*launch)(struct gx_device *, const struct gx_tape *, gx_launch_info *out);
    /* Source and PTX of a tape's kernel; they need no device. */
    bool (*source)(gx_rt *, const struct gx_tape *, gx_buf *out);
    bool (*ptx)(gx_rt *, const struct gx_tape *, gx_buf *out);
    /* Bytes of the cache before memory, and a name by which rates are kept. */
    int64_t (*cache)(struct gx_device *);
    void (*label)(struct gx_device *, char *out, size_t room);
    /* What was kept under a text; false: nothing. Neither is ever an error. */
    bool (*recall)(gx_rt *, const gx_buf *text, gx_buf *out);
    void (*keep)(gx_rt *, const gx_buf *text, const gx_buf *what);
} gx_cost_calls;

/* A machine's rates, measured by kernels of gx: bytes and weights a second; seconds. */
typedef struct gx_roof {
    double read, write, copy;   /* copy: both directions together */
    double cached;              /* asked of the cache */
    double start, start_reduce; /* of a kernel, beside what its bytes take */
    double work32, work64;
    double cache; /* bytes */
} gx_roof;

typedef struct gx_cost_want {
    bool measure, source, ptx, tape;
} gx_cost_want;

typedef struct gx_kernel_cost {
    gx_traffic traffic;
    gx_launch_info launch;
    char operations[240], result[120];
    bool gpu, by_memory;
    double memory, work; /* seconds at the roof of memory, and of arithmetic */
    double model, measured; /* seconds; measured < 0: not measured */
    double rate;            /* bytes a second that this mix of reads and writes can reach */
    gx_span origin;
    gx_buf text; /* what was wanted beside numbers */
} gx_kernel_cost;

typedef bool (*gx_cost_visit)(gx_rt *rt, void *ctx, const gx_kernel_cost *k);

/* Visits the kernels that computing a's value would run, in order. The value stays pending; what
   must be computed first is computed. *ready: there was nothing to compute. */
GX_CHECK bool gx_cost_each(gx_rt *rt, struct gx_array *a, const gx_cost_want *want,
                           gx_cost_visit visit, void *ctx, bool *ready);
/* The rates of the host or the GPU, measured at the first question. */
GX_CHECK bool gx_roof_get(gx_rt *rt, bool gpu, gx_roof *out);
/* The rates after a kernel was faster than they allow: measured anew, once a process. */
GX_CHECK bool gx_roof_renew(gx_rt *rt, bool gpu, gx_roof *out);
/* Forgets the rates. */
void gx_costs_free(gx_rt *rt);

/* Traffic of a tape; sector: the bytes that memory moves at once. */
void gx_traffic_of(const struct gx_tape *t, int sector, gx_traffic *out);
/* Seconds that memory takes for a mix of bytes. */
double gx_roof_seconds(const gx_roof *r, double read, double written);
/* Seconds of a tape's run on a device: of a few runs the best, or the median. */
GX_CHECK bool gx_cost_time(struct gx_device *d, const struct gx_tape *t, bool best,
                           double *seconds);

/* "200 MB", "4.30 TB/s": three digits and a decimal prefix. */
void gx_put_scaled(char *out, size_t room, double x, const char *unit);
/* "78.0 µs". */
void gx_put_time(char *out, size_t room, double seconds);
/* "24,415". */
void gx_put_count(char *out, size_t room, int64_t n);

/* How many blocks of a kernel a multiprocessor holds at once, and what decides. */
typedef struct gx_gpu_limits {
    int registers, shared, threads, blocks; /* of a multiprocessor */
    int block_registers, block_shared, block_threads;
    int warp; /* registers are given to a warp in pieces of this many */
    int shared_unit, shared_reserved;
} gx_gpu_limits;

typedef struct gx_occupancy {
    int by_registers, by_shared, by_threads, by_blocks; /* blocks; by_shared < 0: no limit */
    int blocks;
    const char *limiter; /* the least of them */
    double share; /* of the multiprocessor's threads */
} gx_occupancy;

/* Limits by compute capability: major * 10 + minor. */
void gx_gpu_limits_of(int capability, gx_gpu_limits *out);
void gx_occupancy_of(const gx_gpu_limits *l, int threads, int registers, int shared,
                     gx_occupancy *out);

#endif
