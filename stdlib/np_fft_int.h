/* The parts of Fourier transforms that np_fft.c is built on. */
#ifndef GX_STDLIB_NP_FFT_INT_H
#define GX_STDLIB_NP_FFT_INT_H

#include "stdlib/np_int.h"

/* exp(-2 pi i k / n) for k = 0 … n - 1; exact on the axes. */
void gx_np_fft_roots(gx_c128 *roots, int64_t n);
/* The forward transform of x in place; n is a power of two, spare holds n numbers. */
void gx_np_fft_power(gx_rt *rt, const gx_c128 *roots, gx_c128 *x, gx_c128 *spare, int64_t n);

#endif
