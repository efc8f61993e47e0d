/* Fourier kernels for x86-64-v2: the flags below are read by the build. All is in make.inc. */
/* cflags: -O3 -march=x86-64-v2 -fno-trapping-math */
#define GX_FFT_LEVEL(type) gx_fft_v2_##type
#include "runtime/backend/cpu/fft/make.inc"
