/* The dtype of several arrays together. */
#include "stdlib/numpy/base/common_dtype.h"

gx_dtype gx_np_common(gx_np_dtypes set) {
    int first = GX_NO_DTYPE;
    for (int d = 0; d < GX_DTYPES; d++) {
        if (!(set >> d & 1)) continue;
        if (first == GX_NO_DTYPE || gx_dtypes[d].kind > gx_dtypes[first].kind ||
            (gx_dtypes[d].kind == gx_dtypes[first].kind &&
             gx_dtypes[d].bytes > gx_dtypes[first].bytes))
            first = d;
    }
    gx_dtype common = (gx_dtype)first;
    for (int d = 0; d < GX_DTYPES; d++)
        if (set >> d & 1) common = gx_promote(common, (gx_dtype)d);
    return common;
}
