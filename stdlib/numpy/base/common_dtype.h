/* The dtype of several arrays together. As in NumPy the one of the highest kind comes first and is
   promoted with the others, one by one: uint8, int8 and float16 make float16, although uint8 and
   int8 alone make int16, which float16 does not hold. */
#ifndef GX_STDLIB_NUMPY_BASE_COMMON_DTYPE_H
#define GX_STDLIB_NUMPY_BASE_COMMON_DTYPE_H

#include "runtime/array/dtype.h"

typedef uint64_t gx_np_dtypes; /* a set of dtypes: a bit each */

static inline gx_np_dtypes gx_np_with_dtype(gx_np_dtypes set, int d) {
    return set | UINT64_C(1) << d;
}

/* GX_NO_DTYPE of none. */
gx_dtype gx_np_common(gx_np_dtypes set);

#endif
