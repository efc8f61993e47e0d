/* What the loops of scipy.sparse share: rows of indices, as csr matrices have them, read with every
   check that keeps a loop inside its arrays. */
#ifndef GX_STDLIB_SPARSE_INT_H
#define GX_STDLIB_SPARSE_INT_H

#include "runtime/device/work.h"
#include "runtime/op/whole.h"
#include "stdlib/numpy/base/scope.h"

/* m rows: row i has the elements ptr[i] … ptr[i + 1] - 1, at columns idx[…] below n. Both arrays
   are int32, or int64 (wide). */
typedef struct gx_rows {
    int64_t m, n, count;
    bool wide;
    const void *ptr, *idx;
    gx_array *ptr_array, *idx_array;
} gx_rows;

/* Number i of an index array. */
static inline int64_t gx_index_at(const void *p, bool wide, int64_t i) {
    return wide ? ((const int64_t *)p)[i] : ((const int32_t *)p)[i];
}
static inline gx_dtype gx_index_dtype(bool wide) {
    return wide ? GX_i64 : GX_i32;
}

/* The arguments `at` (indptr) and `at + 1` (indices), whose indices lie below n. */
GX_CHECK bool gx_rows_arg(gx_np *s, gx_call *c, int at, int64_t n, gx_rows *out);
/* The same without a look at the indices: the loop does it. */
GX_CHECK bool gx_rows_shape(gx_np *s, gx_call *c, int at, int64_t n, gx_rows *out);
/* A 1-d index array of a call, in C order, with numbers from 0 to n - 1. */
gx_array *gx_index_arg(gx_np *s, gx_call *c, int i, bool wide, int64_t n, const void **data);
/* Argument i in C order, with at least `least` elements. */
gx_array *gx_values_arg(gx_np *s, gx_call *c, int i, int64_t least, const void **data);
/* Argument i, an array of a dtype in C order, as gx_values_arg; NULL: an error. */
gx_array *gx_typed_arg(gx_np *s, gx_call *c, int i, gx_dtype d, int64_t least, const void **data);
/* A new 1-d array, and where it is written. */
gx_array *gx_new_line(gx_np *s, gx_dtype d, int64_t n, void **data);
/* An index is outside: the error. */
bool gx_index_wrong(gx_rt *rt);

#endif
