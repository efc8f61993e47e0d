/* Fourier transforms of arrays, where they live if the device there has them, else on the host.
   Decides nothing about axes, norms or shapes: stdlib does. */
#ifndef GX_RUNTIME_OP_FOURIER_H
#define GX_RUNTIME_OP_FOURIER_H

#include "runtime/array/array.h"
#include "runtime/backend/fourier.h"

/* Does the array's device transform several axes at once (gx_array_fourier)? Else they go one after
   the other (gx_array_fourier_lines). */
bool gx_fourier_joins(const gx_rt *rt, const gx_array *a);
/* The transform of a C-contiguous array of dtype job->from, of which all but the buffers is set,
   as an array of a shape. Where job->to is real, a's elements are anything afterwards. */
GX_CHECK bool gx_array_fourier(gx_rt *rt, gx_array *a, gx_fourier *job, int ndim,
                               const int64_t *shape, gx_array **out);
/* The transform of a C-contiguous array along one axis into another, which may be a itself; of the
   job all but the buffers is set. */
GX_CHECK bool gx_array_fourier_lines(gx_rt *rt, gx_array *a, gx_fourier_lines *job, gx_array *out);

#endif
