/* Functions of elements and lines that a GPU has: whose kernels are compiled with gx
   (tools/kernel_texts.c). */
#ifndef GX_STDLIB_NUMPY_BASE_EACH_H
#define GX_STDLIB_NUMPY_BASE_EACH_H

#include "runtime/op/whole.h"

struct gx_image_swap;
enum { GX_WARP_AXES = 4 };

extern const gx_each_function gx_interp_function, gx_convolve_function, gx_ndimage_nearest;
extern const gx_each_function gx_ndimage_warped[GX_WARP_AXES]; /* by the number of axes */
/* The i-th, NULL: there are no more. Distributions have no operand and one result. */
const gx_each_function *gx_random_drawn_function(int i);
const gx_each_function *gx_sp_listed(int i, int *nin, int *nout);
/* How many steps a network has that leaves the number of rank `rank` among n, and the steps; with
   NULL an upper bound. */
int64_t gx_nd_network(int64_t n, int64_t rank, struct gx_image_swap *network);

#endif
