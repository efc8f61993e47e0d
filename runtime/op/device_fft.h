/* Fourier transforms of arrays on a GPU whose backend has them. Decides nothing about axes, norms
   or shapes: stdlib does. */
#ifndef GX_RUNTIME_OP_DEVICE_FFT_H
#define GX_RUNTIME_OP_DEVICE_FFT_H

#include "runtime/array/array.h"
#include "runtime/backend/fourier.h"

/* Does the array live on a GPU that transforms? */
bool gx_device_has_fft(const gx_rt *rt, const gx_array *a);
/* The transform of a C-contiguous array of dtype job->from, of which all but the buffers is set,
   as an array of a shape. Where job->to is real, a's elements are anything afterwards. */
GX_CHECK bool gx_device_fft(gx_rt *rt, gx_array *a, gx_fourier *job, int ndim,
                            const int64_t *shape, gx_array **out);

#endif
