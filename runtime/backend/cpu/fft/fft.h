/* The Fourier kernels built for x86-64-v2, v3 and v4, for doubles and for floats. */
#ifndef GX_RUNTIME_BACKEND_CPU_FFT_FFT_H
#define GX_RUNTIME_BACKEND_CPU_FFT_FFT_H

#include <stdbool.h>

#include "kernels/fft.h"

extern const gx_fft_loops gx_fft_v2_f64, gx_fft_v3_f64, gx_fft_v4_f64;
extern const gx_fft_loops gx_fft_v2_f32, gx_fft_v3_f32, gx_fft_v4_f32;
/* The best table for this CPU, with the switches of gx_cpu_loops. */
const gx_fft_loops *gx_cpu_fft(bool single);

#endif
