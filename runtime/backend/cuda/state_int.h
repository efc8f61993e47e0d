/* What is behind a gx_cuda: NVIDIA's functions, the context and stream, transfers. Seen by the
 * files that own a part of it. */
#ifndef GX_RUNTIME_BACKEND_CUDA_STATE_INT_H
#define GX_RUNTIME_BACKEND_CUDA_STATE_INT_H

#include <pthread.h>

#include "runtime/backend/cuda/cuda_int.h"

/* --- NVIDIA's libraries (symbols.c) --- */

struct CUctx_st;
struct CUstream_st;
struct CUevent_st;
struct CUmod_st;
struct CUfunc_st;
struct CUlinkState_st;
struct CUlaunchConfig_st;
struct CUmemPoolHandle_st;
struct _nvrtcProgram;
struct cublasContext;
struct cusolverDnContext;
struct cusolverDnParams;
struct double2;
struct float2;

typedef enum gx_cuda_library {
    GX_LIB_DRIVER,
    GX_LIB_NVRTC,
    GX_LIB_BLAS,
    GX_LIB_SOLVER,
    GX_LIB_FFT,
    GX_LIB_COUNT
} gx_cuda_library;

typedef struct gx_cuda_driver {
#define GX_DRIVER(name, params) unsigned(*name) params;
#include "runtime/backend/cuda/symbols.def"
} gx_cuda_driver;

typedef struct gx_cuda_nvrtc {
#define GX_NVRTC(name, params) unsigned(*name) params;
#include "runtime/backend/cuda/symbols.def"
} gx_cuda_nvrtc;

typedef struct gx_cuda_blas {
#define GX_BLAS(name, params) unsigned(*name) params;
#include "runtime/backend/cuda/symbols.def"
} gx_cuda_blas;

typedef struct gx_cuda_solver {
#define GX_SOLVER(name, params) unsigned(*name) params;
#include "runtime/backend/cuda/symbols.def"
} gx_cuda_solver;

typedef struct gx_cuda_fft {
#define GX_FFT(name, params) unsigned(*name) params;
#include "runtime/backend/cuda/symbols.def"
} gx_cuda_fft;

/* Opens a library and fills its struct of functions. `prefer`: CUDA's major version, 0: any.
   RuntimeError [cuda.library] names the library, or the function that it lacks. `where` (or NULL)
   gets the library's own address, for what depends on its build. */
GX_CHECK bool gx_cuda_symbols(gx_rt *rt, gx_cuda_library which, int prefer, void *functions,
                              char *path, size_t path_room);
/* The same for other threads than the runtime's: nothing is told. */
GX_CHECK bool gx_cuda_symbols_quietly(gx_cuda_library which, int prefer, void *functions);
/* blas.c: starts the driver and makes the context of device `index`, if that works; from any
   thread. */
void gx_cuda_warm(int index);
/* Loads cuBLAS beside the script, when a text of it has a product; waits for that before the device
   is closed. */
void gx_cuda_warm_products(gx_cuda *c);
void gx_cuda_warmed_products(gx_cuda *c);
/* The library's usual file name, and what it is for. */
const char *gx_cuda_library_name(gx_cuda_library which);

/* --- the compiler (nvrtc.c, cache.c): needs no device --- */

/* A process that makes processes which compile (nvrtc_beside.c). */
typedef struct gx_nvrtc_helper {
    int pid, to; /* pid 0: there is none; to: its socket */
    bool ready;
} gx_nvrtc_helper;

typedef struct gx_cuda_compiler {
    gx_rt *rt;
    gx_cuda_nvrtc api;
    bool open, no_minimal;
    int major, minor, prefer;
    char build[96];  /* version, size and time of the library's file */
    int64_t stored;  /* files put into the disk cache */
    double since, until; /* kernels compiled one soon after the other: first began, last ended */
    int in_a_row;
    int tokens[2]; /* nvrtc_beside.c's pipe */
    gx_nvrtc_helper helper;
} gx_cuda_compiler;

/* Opens NVRTC; nothing when it is open. */
GX_CHECK bool gx_cuda_compiler_open(gx_cuda_compiler *n);
/* The target to compile for, for a device's: its own, or, where the compiler does not know that,
   the text of the newest it knows, which the driver translates. */
void gx_cuda_compiler_target(const gx_cuda_compiler *n, const char *device, char *target,
                             size_t room);
/* Machine code for `target` ("sm_90"; "compute_75" gives PTX), from the disk cache or compiled
   there; counts rt->gpu_stats.compiled. RuntimeError [cuda.compile] with the compiler's log. */
GX_CHECK bool gx_cuda_compile(gx_cuda_compiler *n, const char *target, const char *source,
                              gx_buf *out);
/* The same beside other work (nvrtc_beside.c): *job NULL: the code was on disk. Asked for its code,
   a job ends when it has it, or fails, and *job is NULL then. */
typedef struct gx_cuda_job gx_cuda_job;
GX_CHECK bool gx_cuda_job_begin(gx_cuda_compiler *n, const char *target, const char *source,
                                gx_buf *out, gx_cuda_job **job);
GX_CHECK bool gx_cuda_job_look(gx_cuda_job **job, bool waits, gx_buf *out);
void gx_cuda_job_leave(gx_cuda_job *job);
/* Before the driver maps its memory; nothing where jobs are not used, and never an error. */
void gx_nvrtc_helper_open(gx_cuda_compiler *n);
/* Which NVRTC is preferred: the helper opens it then. */
void gx_nvrtc_helper_tell(gx_cuda_compiler *n);
void gx_nvrtc_helper_close(gx_cuda_compiler *n);
/* No more jobs. */
void gx_cuda_jobs_close(gx_cuda_compiler *n);
/* The disk cache: what was stored for this text, which is compared in full. False: not there; a
   broken file is removed. Never an error. */
bool gx_cuda_cache_load(gx_rt *rt, const gx_buf *text, gx_buf *out);
void gx_cuda_cache_store(gx_rt *rt, const gx_buf *text, const gx_buf *code, bool look_at_size);
/* The cache's folder into `path`; false: there is none that can be used. */
bool gx_cuda_cache_folder(char *path, size_t room, bool make);

/* --- the device (driver.c, memory.c, module.c) --- */

enum {
    GX_STAGE_BYTES = 4 << 20, /* one half of the pinned memory that transfers go through */
    GX_KEPT_SIZES = 7,        /* of freed blocks: 64 bytes to 4 KiB */
    GX_KEPT = 64              /* of each size */
};

typedef struct gx_cuda_state gx_cuda_state;

/* A launch, for what is said when the GPU faults. */
typedef struct gx_cuda_launched {
    char name[64]; /* empty: none */
    gx_span at;    /* the statement */
    int64_t grid[3], block[3];
} gx_cuda_launched;

/* A stream of the script's; handles are counted. NULL stands for the stream that gx works on when
   none is chosen. */
typedef struct gx_cuda_stream {
    struct CUstream_st *handle;
    int refs;
} gx_cuda_stream;

struct gx_cuda_state {
    gx_cuda_driver api;
    gx_cuda_compiler compiler;
    int device; /* the driver's handle */
    bool retained;
    char target[16]; /* "sm_90" */
    struct CUctx_st *context;
    struct CUstream_st *stream; /* everything is enqueued here: first's, or chosen's */
    struct CUstream_st *first;
    gx_cuda_stream *chosen;      /* by the script; owned; NULL: first */
    struct CUevent_st *handover; /* orders one stream's work after another's */
    struct CUmemPoolHandle_st *pool;
    /* transfers */
    char *stage[2];
    struct CUevent_st *stage_free[2];
    int stage_next;
    int64_t stage_at; /* bytes of stage[stage_next] taken by small uploads */
    uint32_t *flags; /* the words of conditions, which the host sees too */
    gx_gpu_ptr kept[GX_KEPT_SIZES][GX_KEPT]; /* memory.c's freed blocks */
    int n_kept[GX_KEPT_SIZES];
    /* blas.c */
    struct cublasContext *blas_handle;
    gx_cuda_blas blas;
    gx_buffer *blas_workspace;
    pthread_t warming; /* opens cuBLAS beside the script */
    bool warms;
    /* solver.c */
    struct cusolverDnContext *solver_handle;
    struct cusolverDnParams *solver_params;
    gx_cuda_solver solver;
    /* fft.c */
    struct gx_cuda_plans *plans;
    gx_cuda_fft fft;
    struct gx_cuda_sorter *sorter;       /* sort_library.c: NULL until it is asked for */
    struct CUmod_st *prebuilt;           /* prebuilt.c: GX_GENERAL_FILE's */
    gx_gpu_library stored;               /* and the kernels whose texts were compiled with gx */
    bool looked_for_stored;
    /* raw.c: words that kernels of scripts see */
    uint32_t *raw_words;
    struct { /* the function of the last launch: most scripts launch one again and again */
        const void *module;
        const char *symbol; /* its address stands for it */
        struct CUfunc_st *function;
    } raw_last;
    bool raw_runs; /* one of those was launched, and not waited for yet */
    gx_gpu_ptr raw_words_device;
    unsigned fault;                      /* sticky status, 0: none */
    char fault_text[320];
    gx_cuda_launched last, suspect; /* since the last wait: any kernel; the script's own */
    int suspects;
    bool sync_each; /* GX_CUDA_SYNC=1: wait after each kernel */
};

/* True when status is 0; else RuntimeError [cuda.driver] (MemoryError when memory is out). */
GX_CHECK bool gx_cuda_check(gx_cuda *c, unsigned status, const char *what);
/* False, with the error, when the device was lost to an earlier fault. */
GX_CHECK bool gx_cuda_usable(gx_cuda *c);
/* Remembers a launch. `own`: a kernel that the script wrote. */
void gx_cuda_note_launch(gx_cuda *c, const char *name, bool own, const int64_t grid[3],
                         const int64_t block[3]);
/* Waits for the stream. */
GX_CHECK bool gx_cuda_wait(gx_cuda *c);
/* Context, facts, stream and pool of the `index`-th device. */
GX_CHECK bool gx_cuda_driver_open(gx_cuda *c, int index);
void gx_cuda_driver_close(gx_cuda *c);

GX_CHECK bool gx_cuda_memory_open(gx_cuda *c);
void gx_cuda_memory_close(gx_cuda *c);
bool gx_cuda_alloc(gx_device *d, int64_t bytes, gx_buffer **out);
void gx_cuda_release(gx_buffer *b);
bool gx_cuda_memory(gx_device *d, int64_t *free_bytes, int64_t *total);
/* Gives what the pool keeps back to the driver. */
GX_CHECK bool gx_cuda_trim(gx_cuda *c);
/* Host memory of any size to the device: captured when it returns. */
GX_CHECK bool gx_cuda_put(gx_cuda *c, gx_gpu_ptr to, const void *from, int64_t bytes);

extern const gx_gpu_calls gx_cuda_calls;      /* facts.c */
GX_CHECK bool gx_cuda_doctor(gx_rt *rt, gx_buf *out);
extern const gx_stream_calls gx_cuda_streams; /* stream.c */
void gx_cuda_streams_close(gx_cuda *c);
/* sort_library.c: opens the library at the first call; false: it is not there (never an error). */
bool gx_cuda_sorts(gx_cuda *c);
/* prebuilt.c: a kernel of GX_GENERAL_FILE; *module NULL: there is none. */
GX_CHECK bool gx_cuda_prebuilt(gx_cuda *c, struct CUmod_st **module);
/* A text that was compiled with gx; *module NULL: it was not, or GX_KERNELS=own. */
GX_CHECK bool gx_cuda_stored(gx_cuda *c, const char *text, struct CUmod_st **module);
/* Where the library is; false: nowhere. */
bool gx_cuda_sorter_path(char *path, size_t room);
/* The file that belongs to gx: where the variable says, or beside gx. One without bytes is none. */
bool gx_cuda_file_path(const char *variable, const char *file, char *path, size_t room);
/* The words are sorted; *last: see kernels/sort.h. */
GX_CHECK bool gx_cuda_sort_keys(gx_cuda *c, gx_sort_keys_job *job);
GX_CHECK bool gx_cuda_sort_pairs(gx_cuda *c, gx_sort_pairs_job *job, int *last);

/* The libraries' handles follow the stream in use. */
GX_CHECK bool gx_cuda_libraries_follow(gx_cuda *c);

/* cuBLAS, cuSOLVER and their handles. */
void gx_cuda_libraries_close(gx_cuda *c);
void gx_cuda_solver_close(gx_cuda *c);
void gx_cuda_fft_close(gx_cuda *c);
/* Plans work on the stream in use. */
GX_CHECK bool gx_cuda_fft_follow(gx_cuda *c);

#endif
