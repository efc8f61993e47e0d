/* Reductions for other files of this folder. */
#ifndef GX_STDLIB_NUMPY_BASE_REDUCE_H
#define GX_STDLIB_NUMPY_BASE_REDUCE_H

#include "stdlib/numpy/base/scope.h"

/* The axis argument as a mask of axes, an integer or a tuple; None or not given: all. */
GX_CHECK bool gx_np_axes_arg(gx_call *c, int i, int ndim, uint64_t *mask);
/* The same for what a ufunc folds: a 0-d array has the axes 0 and -1, too. */
GX_CHECK bool gx_np_ufunc_axes_arg(gx_call *c, int i, int ndim, uint64_t *mask);
/* Running sum or product along an axis, in d or the dtype that sums take. */
gx_array *gx_np_scan(gx_np *s, gx_array *a, int axis, bool product, gx_dtype d);
/* Positions of the extremes along an axis, or of all elements. */
gx_array *gx_np_arg_extreme(gx_np *s, gx_redcode red, gx_array *a, int axis, bool all, bool keep);
/* Mean over the axes in mask, in NumPy's dtypes. */
gx_array *gx_np_mean(gx_np *s, gx_array *a, uint64_t mask, bool keep, gx_dtype d, gx_array *where);
/* How many elements the axes in mask hold. */
int64_t gx_np_fold_count(const gx_array *a, uint64_t mask);

/* Weights given for a reduction over the axes in mask, in the shape of a; the axis argument, None
   or undefined where there is none, lists the axes that they have. */
gx_array *gx_np_weights_along(gx_np *s, gx_array *w, gx_array *a, uint64_t mask, gx_borrowed axis);

/* Is every number of v whole by its type? */
bool gx_np_is_whole(gx_borrowed v);

/* initial=None takes a reduction's identity away: fails where it folds no elements. */
GX_CHECK bool gx_np_folds_some(gx_rt *rt, const gx_array *a, uint64_t mask, const char *ufunc);

/* a reduced with the arguments `initial` and `where` of a call, which stand at initial_at and
   behind it. */
gx_array *gx_np_reduce_given(gx_np *s, gx_call *c, gx_redcode red, gx_array *a, uint64_t mask,
                             bool keep, gx_dtype d, int initial_at);

/* The dtype that a fold or running total computes in: the one asked for, else what its argument and
   its out have in common; GX_NO_DTYPE: its own. */
gx_dtype gx_np_out_dtype(const gx_array *a, gx_dtype asked, gx_borrowed dest);

/* mode= of a convolution: 'f'ull, 's'ame or 'v'alid; the message has a %s for another text. */
GX_CHECK bool gx_np_convolve_mode(gx_call *c, int i, const char *message, char *out);

#endif
