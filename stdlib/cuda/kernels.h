/* kernel """…""" in a script. */
#ifndef GX_STDLIB_CUDA_KERNELS_H
#define GX_STDLIB_CUDA_KERNELS_H

#include "runtime/base/value.h"

struct gx_rt;

/* The kernel of a literal whose text starts at `line` of `file`: a RawKernel, or a RawModule when
   it has several. */
bool gx_kernel_literal(struct gx_rt *rt, const char *text, const char *file, int line,
                       gx_value *out);

/* kernel "float32 x -> float32 y" "y = x * x": an ElementwiseKernel. */
bool gx_formula_literal(struct gx_rt *rt, const char *signature, const char *text,
                        const char *file, int line, gx_value *out);

#endif
