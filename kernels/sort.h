/* The interface of libgxsort.so: radix sorts of device memory by CUB (kernels/sort.cu), compiled by
   nvcc where there is one, and opened at the first need by runtime/backend/cuda/sort_library.c. It
   knows words, no dtypes: whoever calls it maps elements to unsigned words, save that words that
   are signed integers or floats in memory are sorted as such. Included by C and by CUDA C++. */
#ifndef GX_KERNELS_SORT_H
#define GX_KERNELS_SORT_H

#include <stddef.h>
#include <stdint.h>

enum { GX_SORT_VERSION = 1 };

/* What a word is taken for. Of floats -0.0 equals 0.0, nan stands by its sign at either end. */
typedef enum gx_sort_word {
    GX_SORT_U16,
    GX_SORT_U32,
    GX_SORT_I32,
    GX_SORT_F32,
    GX_SORT_U64,
    GX_SORT_I64,
    GX_SORT_F64
} gx_sort_word;

/* Words sorted by the bits `low` to `high` - 1, equal ones kept in order, on a stream. All
   addresses are the device's. With `temp` NULL only *temp_bytes is set. Each returns a cudaError_t.
 */
typedef struct gx_sort_keys_job {
    gx_sort_word word;
    const void *from;
    void *to;
    int64_t n;
    int low, high;
    void *stream;
} gx_sort_keys_job;

/* Unsigned words (of 32 or 64 bits) that take 32-bit numbers along. Words and numbers go to and fro
   between two places each; *last, which may be 0 or 1, tells in which they end. */
typedef struct gx_sort_pairs_job {
    gx_sort_word word;
    void *keys[2];
    uint32_t *numbers[2];
    int64_t n;
    int low, high;
    void *stream;
} gx_sort_pairs_job;

typedef int gx_sort_keys_fn(const gx_sort_keys_job *job, void *temp, size_t *temp_bytes);
typedef int gx_sort_pairs_fn(const gx_sort_pairs_job *job, void *temp, size_t *temp_bytes,
                             int *last);
typedef int gx_sort_version_fn(void);

#endif
