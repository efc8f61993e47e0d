/* What the files of the GPU's linear algebra share: a job's memory, statuses, turning matrices
   between rows and columns. */
#ifndef GX_RUNTIME_BACKEND_CUDA_SOLVER_INT_H
#define GX_RUNTIME_BACKEND_CUDA_SOLVER_INT_H

#include "runtime/backend/cuda/state_int.h"
#include "runtime/backend/gpu/batch_int.h"

enum {
    GX_FILL_LOWER = 0, /* cublasFillMode_t */
    GX_FILL_UPPER = 1,
    GX_ROOMS = 16
};

/* A job's memory on the device and the host, which lives until it is done. */
typedef struct gx_rooms {
    gx_cuda *c;
    int count;
    gx_buffer *held[GX_ROOMS];
    void *host;
    gx_buffer *info;
} gx_rooms;

/* RuntimeError [cuda.solver] unless the status is 0. */
GX_CHECK bool gx_solver_check(gx_cuda *c, unsigned status, const char *what);
/* Device memory for `bytes`, at least one; NULL: the error is set. */
char *gx_rooms_get(gx_rooms *r, int64_t bytes);
/* Working memory as the library asks for it; the host's is r->host. */
GX_CHECK bool gx_rooms_work(gx_rooms *r, size_t device, size_t host, char **work);
/* Waits, and reads what the library says of the matrix: positive when it has no such factors. */
GX_CHECK bool gx_rooms_info(gx_rooms *r, int64_t *info);
static inline int *gx_rooms_status(const gx_rooms *r) {
    return (int *)(void *)r->info->data;
}

/* cudaDataType_t of a dtype. */
static inline unsigned gx_solver_type(gx_dtype d) {
    return d == GX_f32 ? 0 : d == GX_f64 ? 1 : d == GX_c64 ? 4 : 5;
}
/* `to` (rows, cols) row by row = `from` (rows, cols) down columns, its conjugate where asked. */
GX_CHECK bool gx_solver_turn(gx_rooms *r, gx_dtype d, bool conjugate, const char *from,
                             int64_t rows, int64_t cols, char *to);
/* to = from, `count` elements one after the other, their conjugates where asked. */
GX_CHECK bool gx_solver_copy(gx_rooms *r, gx_dtype d, bool conjugate, const char *from,
                             int64_t count, char *to);

/* The factors of a (m, n) down columns, in place: r and the reflectors of q. Without `info` nothing
   waits: what follows on the stream tells. */
GX_CHECK bool gx_solver_reflect(gx_rooms *r, bool cplx, int64_t m, int64_t n, char *a, char *tau,
                                int64_t *info);
/* The first `cols` columns of q in place of k reflectors of m rows. */
GX_CHECK bool gx_solver_expand(gx_rooms *r, bool cplx, int64_t m, int64_t cols, int64_t k, char *a,
                               char *tau, int64_t *info);

/* The i-th matrix of a job: solver_svd.c, solver_eig.c, solver_factor.c. */
GX_CHECK bool gx_solver_svd(gx_rooms *r, const gx_decomp *d, int64_t i);
GX_CHECK bool gx_solver_eigh(gx_rooms *r, const gx_decomp *d, int64_t i);
GX_CHECK bool gx_solver_eig(gx_rooms *r, const gx_decomp *d, int64_t i);
/* Does this machine's cuSOLVER have geev? It is open. */
bool gx_solver_has_eig(gx_cuda *c);
GX_CHECK bool gx_solver_qr(gx_rooms *r, const gx_decomp *d, int64_t i);
GX_CHECK bool gx_solver_cholesky(gx_rooms *r, const gx_decomp *d, int64_t i);

#endif
