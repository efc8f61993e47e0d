/* Radix sorts by CUB behind a C interface (kernels/sort.h): libgxsort.so, made by nvcc. The one
   piece of device code that is not compiled when a script runs, as CUB takes seconds to compile. */
#include "kernels/sort.h"

#include <cub/device/device_radix_sort.cuh>

template <class Word>
static int sort_keys(const gx_sort_keys_job *j, void *temp, size_t *bytes) {
    return cub::DeviceRadixSort::SortKeys(temp, *bytes, (const Word *)j->from, (Word *)j->to, j->n,
                                          j->low, j->high, (cudaStream_t)j->stream);
}

template <class Word>
static int sort_pairs(const gx_sort_pairs_job *j, void *temp, size_t *bytes, int *last) {
    cub::DoubleBuffer<Word> keys((Word *)j->keys[0], (Word *)j->keys[1]);
    cub::DoubleBuffer<uint32_t> numbers(j->numbers[0], j->numbers[1]);
    const int status = cub::DeviceRadixSort::SortPairs(temp, *bytes, keys, numbers, j->n, j->low,
                                                       j->high, (cudaStream_t)j->stream);
    *last = numbers.selector;
    return status;
}

extern "C" {
__attribute__((visibility("default"))) gx_sort_version_fn gx_sort_version;
__attribute__((visibility("default"))) gx_sort_keys_fn gx_sort_keys;
__attribute__((visibility("default"))) gx_sort_pairs_fn gx_sort_pairs;

int gx_sort_version(void) {
    return GX_SORT_VERSION;
}

int gx_sort_keys(const gx_sort_keys_job *job, void *temp, size_t *temp_bytes) {
    switch (job->word) {
    case GX_SORT_U16: return sort_keys<uint16_t>(job, temp, temp_bytes);
    case GX_SORT_U32: return sort_keys<uint32_t>(job, temp, temp_bytes);
    case GX_SORT_I32: return sort_keys<int32_t>(job, temp, temp_bytes);
    case GX_SORT_F32: return sort_keys<float>(job, temp, temp_bytes);
    case GX_SORT_U64: return sort_keys<uint64_t>(job, temp, temp_bytes);
    case GX_SORT_I64: return sort_keys<int64_t>(job, temp, temp_bytes);
    case GX_SORT_F64: return sort_keys<double>(job, temp, temp_bytes);
    }
    return cudaErrorInvalidValue;
}

int gx_sort_pairs(const gx_sort_pairs_job *job, void *temp, size_t *temp_bytes, int *last) {
    switch (job->word) {
    case GX_SORT_U32: return sort_pairs<uint32_t>(job, temp, temp_bytes, last);
    case GX_SORT_U64: return sort_pairs<uint64_t>(job, temp, temp_bytes, last);
    default: return cudaErrorInvalidValue;
    }
}
}
