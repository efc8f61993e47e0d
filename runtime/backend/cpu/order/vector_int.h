/* Sorting and selecting elements of 4 and 8 bytes with AVX2, where the CPU has it. Knows dtypes and
   memory, but no arrays. */
#ifndef GX_RUNTIME_BACKEND_CPU_ORDER_VECTOR_INT_H
#define GX_RUNTIME_BACKEND_CPU_ORDER_VECTOR_INT_H

#include "runtime/backend/cpu/order/order_int.h"

/* Can rows of this dtype be sorted here? */
bool gx_cpu_vector_can(gx_device *device, gx_dtype d);
/* n elements sorted from src into dst, nan last; -0.0 and 0.0 stand in the order they came in.
   `spare` holds n elements. A large row is spread over threads unless `inside` of a task.
   src is not dst. All that is here ends early after Ctrl-C (runtime/backend/loop.h). */
void gx_cpu_vector_row(gx_rt *rt, bool inside, gx_dtype d, const void *src, void *dst, void *spare,
                      int64_t n);
/* src into dst with the element of rank k in its place, none larger before it and none smaller
   after it. `spare` holds n elements. */
void gx_cpu_vector_part(const gx_rt *rt, gx_dtype d, const void *src, void *dst, void *spare,
                       int64_t n, int64_t k);
/* Positions 0 … n - 1 with those of lesser elements than the one of rank k before it and the others
   after it. `spare` holds 2n elements. False: that one is nan, nothing is done. */
bool gx_cpu_vector_arg_part(const gx_rt *rt, gx_dtype d, const void *src, int64_t *index,
                           void *spare, int64_t n, int64_t k);
/* How many runs of equal elements n sorted ones without nan have; and the first of each run, for
   `count` of them. */
int64_t gx_cpu_vector_count_runs(const gx_rt *rt, gx_dtype d, const void *x, int64_t n);
void gx_cpu_vector_runs(const gx_rt *rt, gx_dtype d, const void *x, int64_t n, void *to,
                       int64_t count);
/* Where each of those runs starts. */
void gx_cpu_vector_starts(const gx_rt *rt, gx_dtype d, const void *x, int64_t n, int64_t *to);
/* Sorts words below 2**63, all different. The result is in x. */
void gx_cpu_vector_words(gx_rt *rt, bool inside, uint64_t *x, uint64_t *spare, int64_t n);

#endif
