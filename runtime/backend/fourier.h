/* Fourier transforms as a GPU's backend is asked for them: along neighbouring axes of C-contiguous
   arrays seen as (outer, axes…, inner). n points of each axis are transformed, of `in_shape` that
   are there in memory, at least as many: what is beyond is not read. Unnormalised but for `scale`.
   The last of the axes may hold real numbers on one side: n / 2 + 1 numbers stand for n real ones
   then. The dtypes tell which. */
#ifndef GX_RUNTIME_BACKEND_FOURIER_H
#define GX_RUNTIME_BACKEND_FOURIER_H

#include <stdbool.h>
#include <stdint.h>

struct gx_buffer;

enum { GX_FOURIER_AXES = 3 };

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
