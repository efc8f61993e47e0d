/* Methods of ufuncs whose arrays live on a GPU (there.c). NULL or false: an error is pending, but
   where *done says that the work is the host's. */
#ifndef GX_STDLIB_NUMPY_UFUNC_THERE_INT_H
#define GX_STDLIB_NUMPY_UFUNC_THERE_INT_H

#include "kernels/optable.h"
#include "stdlib/numpy/base/scope.h"

/* May a, which has elements, be folded with op there? */
bool gx_np_folds_there(gx_np *s, gx_opcode op, const gx_array *a);
/* An axis of a folded away. */
gx_array *gx_np_fold_there(gx_np *s, gx_opcode op, gx_array *a, int axis);
/* What the fold has after each element of an axis. */
gx_array *gx_np_accumulate_there(gx_np *s, gx_opcode op, gx_array *a, int axis);
/* Folds of the parts of an axis that begin at int64 indices; *done: they go up and are in range. */
gx_array *gx_np_reduceat_there(gx_np *s, gx_opcode op, gx_array *a, int axis, gx_array *indices,
                               bool *done);
/* op in place at positions of `work` in C order, with elements of b in `compute` (NULL: there are
   none), to `result`; a position that comes twice is changed twice. */
GX_CHECK bool gx_np_at_there(gx_np *s, gx_opcode op, gx_dtype compute, gx_dtype result,
                             gx_array *work, gx_array *index, gx_array *b, bool *done);

#endif
