/* A script's CUDA C++ to PTX, by NVRTC: it needs no GPU. The result is cached on disk. */
#ifndef GX_RUNTIME_BACKEND_CUDA_PTX_H
#define GX_RUNTIME_BACKEND_CUDA_PTX_H

#include "runtime/base/buf.h"

typedef struct gx_ptx_request {
    const char *source;
    const char *file; /* what errors call it */
    const char *const *options;
    int n_options;
    const char *const *names; /* name expressions: kernels by how C++ writes them */
    int n_names;
    gx_buf *log; /* gets what the compiler says, when it runs */
} gx_ptx_request;

/* PTX for compute_75 with the lines of the source; `lowered` gets the names in the PTX of q->names,
   each ending in a NUL. RuntimeError [kernel.compile] with the compiler's messages as notes;
   [cuda.library] when NVRTC is not installed. */
GX_CHECK bool gx_cuda_ptx(gx_rt *rt, const gx_ptx_request *q, gx_buf *ptx, gx_buf *lowered);

/* The next error in a log, behind which *log goes on: its line, 0 where it is in another file. */
bool gx_ptx_error(const char **log, const char *file, int *line);
/* The next warning in a log about the file that is worth telling, behind which *log goes on. */
bool gx_ptx_warning(const char **log, const char *file, int *line, const char **text, int *n);

/* Text of gx's own kernels as PTX for compute_75. RuntimeError [cuda.compile], [cuda.library]. */
GX_CHECK bool gx_cuda_text_ptx(gx_rt *rt, const char *source, gx_buf *out);

/* Can NVRTC be used here? Never an error. */
bool gx_cuda_compiler_there(gx_rt *rt);

#endif
