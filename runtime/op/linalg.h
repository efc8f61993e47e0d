/* Linear algebra on arrays through the device's library: the only way stdlib reaches a backend's
   gx_linalg. Operands are work arrays: C-contiguous batches (…, n, n) that nobody else holds, of
   dtype float32, float64, complex64 or complex128; they are changed in place. `info` gets one
   number a matrix: 0, or k > 0 when the k-th pivot is zero. */
#ifndef GX_RUNTIME_OP_LINALG_H
#define GX_RUNTIME_OP_LINALG_H

#include "runtime/array/array.h"
#include "runtime/backend/decomp.h"

/* b (…, n, m) becomes the solution of a x = b; a is destroyed. */
GX_CHECK bool gx_linalg_solve(gx_rt *rt, gx_array *a, gx_array *b, int64_t *info);
/* a becomes its inverse. */
GX_CHECK bool gx_linalg_inv(gx_rt *rt, gx_array *a, int64_t *info);
/* a becomes its LU factors; pivots: n a matrix, the row (from 0) that was swapped with row i. */
GX_CHECK bool gx_linalg_lu(gx_rt *rt, gx_array *a, int64_t *pivots, int64_t *info);
/* b (n, m) becomes the solution of a triangular system (runtime/backend/decomp.h, whose buffers are
   set here) with a C-contiguous matrix a of its dtype, which is only read. */
GX_CHECK bool gx_linalg_triangle(gx_rt *rt, gx_triangle *job, gx_array *a, gx_array *b);
/* A decomposition: job says what (its buffers are set here), the arrays are the work arrays of
   runtime/backend/decomp.h; those that the kind has no use for are NULL. */
GX_CHECK bool gx_linalg_decompose(gx_rt *rt, gx_decomp *job, gx_array *a, gx_array *b, gx_array *x,
                                  gx_array *y, gx_array *z);

/* Is the job on `a` the host's, while the GPU that holds `a` takes its singular values? */
bool gx_linalg_prefers_svd(gx_rt *rt, const gx_decomp *job, const gx_array *a);

#endif
