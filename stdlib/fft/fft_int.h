/* What the files here share. */
#ifndef GX_STDLIB_FFT_FFT_INT_H
#define GX_STDLIB_FFT_FFT_INT_H

#include "runtime/op/fourier.h"
#include "stdlib/numpy/base/scope.h"

/* ---- device.c ---- */
/* Transforms along several axes, each of n points, whose norms make one factor. */
typedef struct gx_fft_many {
    gx_np *s;
    gx_fft_kind kind; /* not REAL_FULL; the real side is the last axis of the list */
    bool inverse;
    double scale;
    int count;
    const int *axes;
    const int64_t *n;
} gx_fft_many;
/* The transform of x on its GPU. `given`: the caller's array, which is not to be spoilt. */
gx_array *gx_fft_device(const gx_fft_many *m, gx_array *x, const gx_array *given);

/* ---- freq.c ---- */
bool gx_fft_fftfreq_fn(gx_call *c, gx_value *out);
bool gx_fft_rfftfreq_fn(gx_call *c, gx_value *out);
bool gx_fft_fftshift_fn(gx_call *c, gx_value *out);
bool gx_fft_ifftshift_fn(gx_call *c, gx_value *out);

#endif
