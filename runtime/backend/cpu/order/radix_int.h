/* Sorting and selecting plain words: elements become unsigned keys of their own width whose order
   is NumPy's (nan last), and keys are sorted by radix. Knows dtypes and memory, but no arrays. */
#ifndef GX_RUNTIME_BACKEND_CPU_ORDER_RADIX_INT_H
#define GX_RUNTIME_BACKEND_CPU_ORDER_RADIX_INT_H

#include "runtime/backend/cpu/order/order_int.h"

/* n elements of a real dtype, sorted from src into dst: stable, nan last. `spare` holds n elements.
   A large row is spread over threads unless `inside` of a task. src is not dst. All that is here
   ends early after Ctrl-C (runtime/backend/loop.h). */
void gx_cpu_radix_row(gx_rt *rt, bool inside, gx_dtype d, const void *src, void *dst, void *spare,
                     int64_t n);
/* Sorts words by their bits from `low` up. Words that are equal there are in ascending order before
   and stay so. Returns where the result is: x or spare (n words). */
uint64_t *gx_cpu_radix_words(gx_rt *rt, bool inside, uint64_t *x, uint64_t *spare, int64_t n,
                            int low);
/* The stable order of n keys: index[i] is the position of the i-th smallest. `spare`: 2n words. */
void gx_cpu_radix_order(gx_rt *rt, bool inside, const uint64_t *keys, int64_t n, int64_t *index,
                       uint64_t *spare);
/* How many of n elements of a real dtype are not nan. */
int64_t gx_cpu_radix_valid(const gx_rt *rt, gx_dtype d, const void *src, int64_t n);
/* out[i] = the element of rank ranks[i] (below gx_cpu_radix_valid()) as it would stand in the
   sorted row; `spare` holds 2n elements. */
void gx_cpu_radix_select(gx_rt *rt, gx_dtype d, const void *src, int64_t n, int m,
                        const int64_t *ranks, void *out, void *spare);
/* src into dst with the element `pivot` (one of src, not nan) at its place, none larger before it
   and none smaller after it. */
void gx_cpu_radix_split(const gx_rt *rt, gx_dtype d, const void *src, void *dst, int64_t n,
                       const void *pivot);

#endif
