/* Picks the Fourier kernels of the level that the elementwise loops run at. Nothing is kept. */
#include "runtime/backend/cpu/fft/fft.h"

#include "runtime/backend/cpu/loops/loops.h"

const gx_fft_loops *gx_cpu_fft(bool single) {
    const gx_loops *loops = gx_cpu_loops();
    if (loops == &gx_loops_v4) return single ? &gx_fft_v4_f32 : &gx_fft_v4_f64;
    if (loops == &gx_loops_v3) return single ? &gx_fft_v3_f32 : &gx_fft_v3_f64;
    return single ? &gx_fft_v2_f32 : &gx_fft_v2_f64;
}
