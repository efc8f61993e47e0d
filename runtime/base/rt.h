/* gx_rt: the one context of a running gx. There is no other mutable state. Each layer hangs its
   own state under an opaque pointer here; base knows memory, errors, names, sources, switches. */
#ifndef GX_RUNTIME_BASE_RT_H
#define GX_RUNTIME_BASE_RT_H

#include "runtime/base/debug.h"
#include "runtime/base/error.h"
#include "runtime/base/output.h"
#include "runtime/base/source.h"
#include "runtime/base/sym.h"
#include "runtime/base/value.h"

#if defined(__GNUC__)
#define GX_CHECK __attribute__((warn_unused_result))
#define GX_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define GX_LIKELY(x) __builtin_expect(!!(x), 1)
#define GX_UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define GX_CHECK
#define GX_PRINTF(fmt, args)
#define GX_LIKELY(x) (x)
#define GX_UNLIKELY(x) (x)
#endif

typedef struct gx_stats {
    int64_t live_bytes, peak_bytes; /* script memory through gx_alloc */
    int64_t live_blocks;
    int64_t array_bytes, array_peak; /* array buffers, all backends */
    int64_t kernels;                 /* tapes run */
    int64_t forced;                  /* pending values computed */
} gx_stats;

enum { GX_MAX_PLACES = 8 }; /* devices that are open at once, the host one of them */

/* Where a kernel of gx's own came from: the general one, gx's file of compiled texts, NVRTC. */
enum { GX_RAN_GENERAL = 1, GX_RAN_PREBUILT = 2, GX_RAN_SPECIALISED = 4 };

typedef struct gx_gpu_stats {
    int64_t launched;             /* kernels */
    int64_t compiled;             /* kernels, those found on disk not counted */
    int64_t prebuilt;             /* kernels whose text was compiled with gx, taken from its file */
    int64_t general;              /* of those launched, the general kernel */
    unsigned ran;                 /* which of them (GX_RAN_…) were launched since it was 0 */
    int64_t uploaded, downloaded; /* bytes of arrays */
    const char *at_work; /* the builtin function that last fetched arrays to work on the host, */
    int64_t fetched;     /* and how many bytes of them; NULL and 0 where that was told */
} gx_gpu_stats;

/* Small blocks of script memory come in classes of 32 bytes (runtime/base/alloc.c). */
enum { GX_ALLOC_CLASSES = 33 };

struct gx_rt {
    gx_error error;
    gx_symtab syms;
    gx_sources sources;
    gx_debug debug;
    gx_output output;
    gx_stats stats;
    char *stack_limit;           /* the C stack must not grow below this address */
    char *stack_top, *stack_low; /* where it begins, and its end with a reserve */
    int depth;                   /* calls of script functions now active */
    int max_depth;               /* sys.getrecursionlimit() */
    gx_span here; /* the statement being executed: births of arrays, places of warnings */
    volatile int interrupted; /* set by the SIGINT handler */
    volatile int late;        /* set, with interrupted, when GX_MAX_SECONDS have passed */
    volatile int map_lost;    /* set, with interrupted, when a memory map's file has lost bytes */
    int maps;                 /* files mapped into memory now */
    int64_t steps;            /* that the program may still take: see gx_must_stop */
    bool dying;               /* objects wait for their last words: gx_last_words (object.h) */

    struct free_block *free_blocks[GX_ALLOC_CLASSES];
    void *slabs;
    size_t held, most; /* bytes taken from malloc; above `most` allocations fail */
    size_t mapped;     /* bytes of pages: arrays, and the value stack's in use */
    size_t outside;    /* bytes of gx_outside_alloc; atomic */

    uint64_t class_version; /* moves with each change of a class: what is known of classes is of one
                               version */
    struct gx_heap *heap; /* runtime/object/object.c: containers, cycle collection, interned text */
    void (*free_object)(gx_obj *);  /* an object that has lost its last reference */
    const struct gx_array_ops *ops; /* runtime/array/array.h: set by runtime/op */
    struct gx_engine *engine; /* runtime/graph/lazy.c: the lazy graph's counters and the device */
    struct gx_device *device; /* runtime/device/backends.c: the host */
    struct gx_device *places[GX_MAX_PLACES]; /* the open devices; the host, the GPU, further ones */
    struct gx_bridge *bridge;   /* stdlib/bridge: what is held of Python, once it was needed */
    struct gx_modules *modules; /* stdlib/stdlib.c: builtins and loaded modules */
    struct gx_natives *natives; /* runtime/object/call/: parsed signatures */
    struct gx_call *calls; /* runtime/object/use.h: builtin functions now running, the last first */
    struct gx_use *uses;   /* what else C code works on now */
    struct gx_interp *interp;   /* interp/ */
    struct gx_printopts *print; /* runtime/array/print.c: set_printoptions */
    struct gx_random *random;   /* stdlib/random/rng.c: the global generators */
    struct gx_fpstate *fp; /* runtime/object/warn.c: errstate, seterr, warnings already shown */

    struct gx_device *gpu; /* runtime/device/backends.c: the GPU, once it is opened */
    int gpu_choice;        /* runtime/device/backends.h: gx_gpu_choice */
    int gpu_index;         /* which one */
    bool gpu_numpy;        /* GX_NUMPY=gpu: np makes arrays on the GPU too */
    bool simulating;       /* a script's kernels run in the simulator, whatever the device is */
    gx_gpu_stats gpu_stats;

    struct gx_costs
        *costs; /* runtime/inspect/cost_roof.c: what this machine reaches, once measured */
    struct gx_profile *profile; /* runtime/inspect/profile.c: what is being profiled, or NULL */
    bool explaining;            /* what is asked about stays pending, scalars too */
    bool lost_data;             /* a file that nobody closed could not be written whole */
    /* stdlib/: writes a warning to what the script has bound as sys.stderr; false: it has not */
    bool (*warn_elsewhere)(gx_rt *rt, const char *text, size_t length);
    char *unicode_names; /* runtime/base/unicode: what characters are called, once it was asked */
    gx_span (*script_at)(const gx_rt *rt); /* interp/: the script's statement that runs */
    /* interp/: a module without a file, as types.ModuleType(name) makes it */
    bool (*make_module)(gx_rt *rt, const char *name, struct gx_value *out);
};

/* A new context, or NULL when even that does not fit in memory. set_up, which may be NULL, changes
   what the environment's switches say. */
gx_rt *gx_rt_new_with(void (*set_up)(gx_rt *rt, void *self), void *self);
gx_rt *gx_rt_new(void);
/* The thread that calls is the one that uses the context from now on: its C stack is the one that
   must not be used up. */
void gx_stack_here(gx_rt *rt);
/* Frees base's part; the layers above have freed theirs. */
void gx_rt_free(gx_rt *rt);

/* Memory of at least n bytes, 16-byte aligned, not cleared. NULL: a MemoryError is pending.
   GX_FAIL_ALLOC counts these calls. */
GX_CHECK void *gx_alloc(gx_rt *rt, size_t n);
/* As gx_alloc, cleared. */
GX_CHECK void *gx_alloc_zero(gx_rt *rt, size_t n);
/* Grows or shrinks a block; on failure the old block stays valid. p may be NULL. */
GX_CHECK void *gx_realloc(gx_rt *rt, void *p, size_t n);
/* Gives a block back; NULL is allowed. */
void gx_free(gx_rt *rt, void *p);
/* May n more bytes be taken under GX_MAX_MEMORY, which counts objects, arrays, the C stack and what
   is claimed together? True without a limit. */
bool gx_memory_allows(gx_rt *rt, size_t n);
/* Asked after what is held became less or more: moves the C stack's limit. */
void gx_memory_moved(gx_rt *rt);
/* Counts pages that a backend or a library has mapped, or (n < 0) unmapped. */
void gx_memory_mapped(gx_rt *rt, int64_t n);
/* Memory for tasks on threads, outside of the context's own, which counts: 32-byte aligned, or
   cleared and 16-byte aligned. NULL: there is none; nothing is pending. */
void *gx_outside_alloc(gx_rt *rt, size_t n);
void *gx_outside_zero(gx_rt *rt, size_t n);
void gx_outside_free(gx_rt *rt, void *p);
/* Counts an allocation that is not gx_alloc's (array buffers) for GX_FAIL_ALLOC: true: it must
   fail. */
bool gx_alloc_may_fail(gx_rt *rt);
/* Frees the slabs of small blocks, all at once (gx_rt_free). */
void gx_slabs_free(gx_rt *rt);

/* The context a block of gx_alloc belongs to: it stands in the block's 16-byte head, before its
 * size. */
static inline gx_rt *gx_rt_of(const void *block) {
    return ((gx_rt *const *)block)[-2];
}

/* True when the program must stop: Ctrl-C was pressed, or a limit (GX_MAX_STEPS, GX_MAX_SECONDS) is
   reached. Counts a step; every call and every round of a loop asks. gx_stop says why. */
static inline bool gx_must_stop(gx_rt *rt) {
    return GX_UNLIKELY(rt->interrupted || --rt->steps < 0);
}
/* Raises KeyboardInterrupt for what gx_must_stop has seen. After a limit, whatever is tried next
   stops too: a program can catch the first, and no more. Always returns false. */
bool gx_stop(gx_rt *rt);
/* False, with KeyboardInterrupt pending, when the program must stop: for loops in C. */
GX_CHECK bool gx_interrupt_check(gx_rt *rt);
/* False, with RecursionError pending, when the C stack is nearly used up. */
GX_CHECK bool gx_stack_check(gx_rt *rt);
static inline bool gx_stack_ok(const gx_rt *rt) {
    char here;
    return &here > rt->stack_limit;
}

#endif
