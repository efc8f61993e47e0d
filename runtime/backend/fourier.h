/* Fourier transforms as a backend is asked for them: along one axis (gx_fourier_lines), or by a GPU
   (gx_fourier) along neighbouring axes of C-contiguous arrays seen as (outer, axes…, inner). n
   points of each axis are transformed, of `in_shape` that are there in memory, at least as many:
   what is beyond is not read. Unnormalised but for `scale`. The last of the axes may hold real
   numbers on one side: n / 2 + 1 numbers stand for n real ones then. The dtypes tell which. */
#ifndef GX_RUNTIME_BACKEND_FOURIER_H
#define GX_RUNTIME_BACKEND_FOURIER_H

#include <stdbool.h>
#include <stdint.h>

struct gx_buffer;

enum { GX_FOURIER_AXES = 3 };

/* What a transform along one axis makes of n points. */
typedef enum gx_fft_kind {
    GX_FFT_COMPLEX,   /* n numbers to n */
    GX_FFT_REAL_IN,   /* n real numbers to n / 2 + 1 */
    GX_FFT_REAL_FULL, /* n real numbers to n */
    GX_FFT_REAL_OUT   /* n / 2 + 1 numbers to n real ones */
} gx_fft_kind;

/* All lines along one axis of C-contiguous arrays (outer, length, inner): `from` elements of each
   line of `in` are read, at most what the transform needs; missing ones are zeros; `to` are
   written. in and out may be the same. */
typedef struct gx_fourier_lines {
    uint8_t kind; /* gx_fft_kind */
    bool single;  /* f32 and c64, or f64 and c128 */
    bool inverse;
    double scale;
    int64_t n, outer, inner, from, to;
    struct gx_buffer *in, *out;
    int64_t in_at, out_at; /* bytes */
} gx_fourier_lines;

typedef struct gx_fourier {
    uint8_t from, to; /* gx_dtype: of elements; f32, f64, c64 or c128, of one precision */
    bool inverse;
    double scale;
    int rank; /* how many axes: at least 1 */
    int64_t n[GX_FOURIER_AXES], in_shape[GX_FOURIER_AXES], out_shape[GX_FOURIER_AXES];
    int64_t outer, inner;
    struct gx_buffer *in, *out; /* `in` is spoilt where `to` is real */
    int64_t offset;             /* of the input's first element, in bytes */
} gx_fourier;

#endif
