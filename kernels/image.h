/* The vector kernels of image filters: one table for each CPU level, made from
   runtime/backend/cpu/image/make.inc and used by stdlib/ndimage. A kernel does the same arithmetic,
   in the same order, at every level. It allocates nothing. */
#ifndef GX_KERNELS_IMAGE_H
#define GX_KERNELS_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/optable.h"

/* One step of a selection network: the smaller of two slots to `low`, the larger to `high`. */
typedef struct gx_image_swap {
    uint16_t low, high;
    bool keep_low, keep_high; /* a result that no later step reads is not stored */
} gx_image_swap;

/* Bytes of neighbours that a network or a sum of products handles at a time. */
enum { GX_IMAGE_BLOCK = 128 };

typedef struct gx_image_loops {
    /* n elements `step` apart of a real dtype to doubles or floats, and back (integers are cut). */
    void (*load)(gx_dtype d, const char *from, int64_t step, int64_t n, double *out);
    void (*load_single)(gx_dtype d, const char *from, int64_t step, int64_t n, float *out);
    void (*store)(gx_dtype d, const double *from, int64_t n, char *out, int64_t step);
    /* out[p] = sum over j of row[j][p] * f[j]. kind 1: f mirrors itself, -1: with the sign changed;
       then the middle comes first and pairs are added. */
    void (*weigh)(const double *const *row, int64_t size, const double *f, int kind, int64_t n,
                  double *out);
    /* Means of `size` neighbours w apart, by a running sum: n rows of w. */
    void (*average)(const double *b, int64_t size, int64_t n, int64_t w, double *out);
    /* b[p] = the smallest (largest) of b[p] and b[p + far], for p < n in order. */
    void (*extreme)(double *b, int64_t far, int64_t n, bool largest);
    /* A block of sums of x[at[t]] * f[t], in the order of t. */
    void (*sums)(const double *x, const int64_t *at, const double *f, int64_t taps, double *out);
    /* A block of elements that a network leaves in `slot`; values: taps blocks. */
    void (*ranks)(const double *x, const int64_t *at, int64_t taps, const gx_image_swap *network,
                  int64_t count, int64_t slot, double *values, double *out);
    void (*ranks_single)(const float *x, const int64_t *at, int64_t taps,
                         const gx_image_swap *network, int64_t count, int64_t slot, float *values,
                         double *out);
} gx_image_loops;

#endif
