/* Sorting and selecting elements of 4 and 8 bytes with AVX2, where the CPU has it. Knows dtypes and
   memory, but no arrays. */
#ifndef GX_STDLIB_NP_VECTOR_INT_H
#define GX_STDLIB_NP_VECTOR_INT_H

#include "stdlib/np_int.h"

/* Can rows of this dtype be sorted here? */
bool gx_np_vector_can(gx_dtype d);
/* n elements sorted from src into dst, nan last; -0.0 and 0.0 stand in the order they came in.
   `spare` holds n elements. With rt a large row is spread over threads; NULL inside of a task.
   src is not dst. */
void gx_np_vector_row(gx_rt *rt, gx_dtype d, const void *src, void *dst, void *spare, int64_t n);
/* src into dst with the element of rank k in its place, none larger before it and none smaller
   after it. `spare` holds n elements. */
void gx_np_vector_part(gx_dtype d, const void *src, void *dst, void *spare, int64_t n, int64_t k);
/* Sorts words below 2**63, all different. The result is in x. */
void gx_np_vector_words(gx_rt *rt, uint64_t *x, uint64_t *spare, int64_t n);

#endif
