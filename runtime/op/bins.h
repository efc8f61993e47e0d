/* The extent of the elements of an array and what falls into bins, where the array lives if the
   device there does that, else on the host (runtime/backend/order.h). */
#ifndef GX_RUNTIME_OP_BINS_H
#define GX_RUNTIME_OP_BINS_H

#include "runtime/array/array.h"
#include "runtime/backend/order.h"

/* The least and the most of a real array that is not empty, both nan when one is. */
GX_CHECK bool gx_array_extent(gx_rt *rt, gx_array *a, gx_scalar *low, gx_scalar *high);
/* How many elements of a real array fall between edges, int64; or, weights not being NULL, the sums
   of theirs (real ones), float64. */
GX_CHECK bool gx_array_histogram(gx_rt *rt, gx_array *a, const gx_bins *bins, gx_array *weights,
                                 gx_array **out);
/* The same of 0, 1, 2 … among integers, at least `least` of them; ValueError where one is
   negative. */
GX_CHECK bool gx_array_bincount(gx_rt *rt, gx_array *a, int64_t least, gx_array *weights,
                                gx_array **out);

#endif
