/* Stacks of matrices for functions of one matrix. */
#ifndef GX_STDLIB_NUMPY_BASE_BATCH_H
#define GX_STDLIB_NUMPY_BASE_BATCH_H

#include "runtime/object/native.h"

/* Calls fn, the work of the row c->fn: once, or for each matrix of a stack as the table in
   batch.c says of the row's name, the results stacked. */
GX_CHECK bool gx_sp_batch(gx_call *c, gx_native_fn fn, gx_value *out);

#endif
