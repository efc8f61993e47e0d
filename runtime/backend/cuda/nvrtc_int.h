/* One run of NVRTC: here, or in a process of its own where a limit or GX_SAFE is set. That process
   ends when Ctrl-C comes or the time is up, has a limit of memory, and under GX_SAFE can open
   nothing. */
#ifndef GX_RUNTIME_BACKEND_CUDA_NVRTC_INT_H
#define GX_RUNTIME_BACKEND_CUDA_NVRTC_INT_H

#include "runtime/backend/cuda/state_int.h"

typedef struct gx_nvrtc_job {
    const char *source, *file;
    const char *const *options;
    int n_options;
    const char *const *names; /* name expressions */
    int n_names;
    const char *const *header_names, *const *header_texts;
    int n_headers;
    bool ptx;         /* PTX is wanted, not machine code */
    const char *what; /* "compiling a kernel", for who waits */
    double after;     /* seconds until it is said */
    const gx_buf *keep; /* the text under which the process itself puts the code on disk, or NULL */
} gx_nvrtc_job;

typedef struct gx_nvrtc_result {
    unsigned status; /* NVRTC's; 0: compiled */
    int bad_name;    /* the name expression that the source lacks, or -1 */
    gx_buf code;     /* the PTX with its final NUL, or machine code */
    gx_buf lowered;  /* the names in the PTX, each with its NUL */
    gx_buf log;      /* what the compiler says */
} gx_nvrtc_result;

/* False: an error is pending (Ctrl-C, memory, the process died). Whatever NVRTC says is a result,
   which gx_nvrtc_result_free frees in either case. */
GX_CHECK bool gx_nvrtc_run(gx_cuda_compiler *n, const gx_nvrtc_job *job, gx_nvrtc_result *r);
void gx_nvrtc_result_free(gx_nvrtc_result *r);

/* The same in two parts, for who does not wait. The process lives on when gx ends before it, and
   puts its code on disk (`keep`). */
typedef struct gx_nvrtc_child {
    int pid, from; /* pid: -1: the helper's child; from: its pipe; what has come through it */
    gx_buf all;
} gx_nvrtc_child;
GX_CHECK bool gx_nvrtc_begin(gx_cuda_compiler *n, const gx_nvrtc_job *job, gx_nvrtc_child *c);
/* *done: it has ended, and *r is set as by gx_nvrtc_run. `waits`: until then. */
GX_CHECK bool gx_nvrtc_look(gx_cuda_compiler *n, gx_nvrtc_child *c, bool waits, bool *done,
                            gx_nvrtc_result *r);
/* The same by the helper; false: it is not ready. */
bool gx_nvrtc_helper_begin(gx_cuda_compiler *n, const gx_nvrtc_job *job, gx_nvrtc_child *c);
/* What the helper shares: the pipe of tokens, the rest of the life of a process that compiles. */
bool gx_nvrtc_tokens(gx_cuda_compiler *n);
void gx_nvrtc_work(gx_cuda_compiler *n, const gx_nvrtc_job *job, int to, size_t memory);
void gx_nvrtc_close_all_but(const gx_cuda_compiler *n, int kept);
/* NVRTC opens its builtins by name at the first compilation: where nothing can be opened any more
   they must be there already. */
void gx_nvrtc_open_builtins(const gx_cuda_compiler *n);
/* Nobody will ask. */
void gx_nvrtc_leave(gx_nvrtc_child *c);

enum { GX_NVRTC_OPTIONS = 8 };
/* The options of gx's own kernels, -arch first; how many. */
int gx_nvrtc_options(const gx_cuda_compiler *n, const char *arch, const char **options);
/* All that decides the code: the text under which it is kept on disk. */
GX_CHECK bool gx_nvrtc_key(const gx_cuda_compiler *n, const char *target, const char *source,
                           gx_buf *text);

/* The headers that gx brings (headers.c). */
extern const char *const gx_nvrtc_header_names[], *const gx_nvrtc_header_texts[];
extern const int gx_nvrtc_headers;

/* RuntimeError [kernel.compile] from the compiler's messages (log.c). */
bool gx_nvrtc_fail(gx_rt *rt, const char *log);

/* False, with PermissionError pending, for an option that GX_SAFE does not allow. */
GX_CHECK bool gx_nvrtc_may(gx_rt *rt, const char *option);

#endif
