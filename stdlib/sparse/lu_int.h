/* The factors of a sparse square matrix. */
#ifndef GX_STDLIB_SPARSE_LU_INT_H
#define GX_STDLIB_SPARSE_LU_INT_H

#include "stdlib/sparse/sparse_int.h"

/* An order of elimination for a symmetric pattern of n variables without its diagonal. */
GX_CHECK bool gx_least_degree(gx_np *s, int32_t n, const int64_t *ptr, const int32_t *idx,
                              int32_t *order);

#endif
