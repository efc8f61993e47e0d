/* Every switch that tests and debugging use, with its environment name. Read once at start. */
#ifndef GX_RUNTIME_BASE_DEBUG_H
#define GX_RUNTIME_BASE_DEBUG_H

#include <stdbool.h>
#include <stdint.h>

/* Which kernels run tapes on a GPU. */
typedef enum gx_kernels {
    GX_KERNELS_ANY,     /* on a GPU as `both`, on a simulated one as `own` */
    GX_KERNELS_BOTH,    /* the general one until the tape's own is compiled */
    GX_KERNELS_GENERAL, /* where it can */
    GX_KERNELS_OWN
} gx_kernels;

typedef struct gx_debug {
    bool eager;          /* GX_EAGER=1: compute every operation at once */
    bool nofuse;         /* GX_NOFUSE=1: one tape an operation */
    bool leaks;          /* GX_LEAKS=1: at exit, count live objects; any is exit status 70 */
    bool poison;         /* GX_POISON=1: fresh buffers are filled with 0xFF (NaN) bytes */
    bool small;          /* GX_SMALL=0 clears it: small arrays take the lazy path too */
    bool verify;         /* GX_VERIFY=1: verify each tape before it runs (always in debug builds) */
    bool trace_tape;     /* GX_TRACE=tape: print each tape to stderr before it runs */
    uint8_t kernels;     /* GX_KERNELS=both, general, own: a gx_kernels */
    int64_t block;       /* GX_BLOCK=n: elements a block; 0: the default */
    int64_t fail_alloc;  /* GX_FAIL_ALLOC=n: the n-th allocation fails; 0: none */
    int64_t loops;  /* GX_LOOPS=n: rounds after which a loop over numbers is compiled; 0: never */
    int threads;         /* GX_THREADS=n; 0: one a core */
    int64_t gc_threshold;/* GX_GC=n: collect cycles every n new containers; 0: the default */
    /* Limits of a program that is not trusted to be short; 0: none. */
    int64_t max_steps;   /* GX_MAX_STEPS=n: calls, and rounds of loops */
    double max_seconds;  /* GX_MAX_SECONDS=n: of the whole process */
    int64_t max_memory;  /* GX_MAX_MEMORY=n: bytes of everything that a program makes grow */
    int64_t gpu_memory;  /* GX_GPU_MEMORY=n: bytes of arrays on the GPU */
    bool unchecked;      /* GX_CHECKED=off, %checked off: kernels run without watching accesses */
    bool checked_strict; /* GX_CHECKED_STRICT: a kernel that cannot be watched is an error */
    bool safe;           /* GX_SAFE=1: neither files nor the environment */
    char device[32];     /* GX_DEVICE: cpu, cuda, cuda:N; empty: a GPU where there is one */
    char wrong[160];     /* which switch could not be read, and what it takes; empty: none */
} gx_debug;

/* Reads the environment. */
void gx_debug_init(gx_debug *d);

#endif
