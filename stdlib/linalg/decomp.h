/* What the files np_decomp*.c and norm.c share: decompositions of arrays of the scope. Dtypes
   are NumPy's: work is done in float64 or complex128 whatever the operand is, and float32 and
   complex64 results are rounded at the end. NULL operands are passed on as in
   stdlib/numpy/base/scope.h. */
#ifndef GX_STDLIB_LINALG_DECOMP_H
#define GX_STDLIB_LINALG_DECOMP_H

#include "runtime/op/linalg.h"
#include "stdlib/numpy/base/scope.h"

/* A decomposition of a stack of matrices under way. */
typedef struct gx_np_decomp {
    gx_decomp job; /* kind, extents and info are set by gx_np_decomp_begin */
    gx_dtype type; /* of results like a */
    gx_dtype real; /* of results that are real */
    int ndim;
    const int64_t *shape;
    gx_array *work; /* a to be destroyed, in float64 or complex128 */
} gx_np_decomp;

/* The dtype that linear algebra works in for arrays of d; TypeError for what NumPy refuses. */
GX_CHECK bool gx_np_linalg_dtype(gx_rt *rt, gx_dtype d, gx_dtype *out);
/* Checks a (at least 2-d, a dtype that linear algebra takes) and prepares. */
GX_CHECK bool gx_np_decomp_begin(gx_np *s, gx_decomp_kind kind, gx_array *a, gx_np_decomp *out);
/* LinAlgError unless the last two dims are equal; a is at least 2-d or fails too. */
GX_CHECK bool gx_np_need_square(gx_np *s, const gx_array *a);
/* A work array of a's batch and a matrix (or, cols < 0, vector) shape. */
gx_array *gx_np_decomp_part(gx_np *s, const gx_np_decomp *p, bool real, int64_t rows, int64_t cols);
/* Runs it; LinAlgError with `failed` when the library says so. Does nothing when a has no
   elements. */
GX_CHECK bool gx_np_decomp_run(gx_np *s, gx_np_decomp *p, gx_array *x, gx_array *y, gx_array *z,
                               const char *failed);
/* A tuple with field names of n results. */
GX_CHECK bool gx_np_give_named(gx_np *s, const char *type, int n, const char *const *names,
                               gx_array *const *a, gx_value *out);

/* u, s and vh; u and vh are NULL unless `vectors`. */
GX_CHECK bool gx_np_svd(gx_np *s, gx_array *a, bool full, bool vectors, bool hermitian,
                        gx_array *out[3]);
/* Eigenvalues of Hermitian matrices (x NULL) and their vectors. */
GX_CHECK bool gx_np_eigh(gx_np *s, gx_array *a, bool upper, gx_array **w, gx_array **x);
/* *finite: is every element? a is float64 or complex128, C-contiguous. */
GX_CHECK bool gx_np_all_finite(gx_np *s, gx_array *a, bool *finite);

#endif
