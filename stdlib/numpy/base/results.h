/* What a ufunc that is no row of ops.def has beside its operands: out=, where=, casting=, order=,
   dtype=; and where its results go. */
#ifndef GX_STDLIB_NUMPY_BASE_RESULTS_H
#define GX_STDLIB_NUMPY_BASE_RESULTS_H

#include "stdlib/numpy/base/scope.h"

enum { GX_NP_MOST_RESULTS = 4 };

typedef struct gx_np_results {
    gx_np *s;
    gx_call *c;
    int nin, nout;
    gx_array *outs[GX_NP_MOST_RESULTS], *where;
    char order; /* of new results */
    gx_casting casting;
    bool keeps; /* results are arrays, out=... */
    gx_dtype dtype;
} gx_np_results;

/* What stands behind the operands in a signature of one, two or four results. */
#define GX_NP_KEYWORDS                                                                             \
    "where=True, casting='same_kind', order='K', dtype=None, subok=True)"
#define GX_NP_OUT ", /, out=None, *, " GX_NP_KEYWORDS
#define GX_NP_OUT_2 ", out1=None, out2=None, /, *, out=None, " GX_NP_KEYWORDS
#define GX_NP_OUT_4                                                                                \
    ", out1=None, out2=None, out3=None, out4=None, /, *, out=None, " GX_NP_KEYWORDS

/* Reads the arguments of a call with such a signature. */
GX_CHECK bool gx_np_results_read(gx_np_results *r, gx_np *s, gx_call *c, int nin, int nout);
/* Gives the nout arrays, each where it was asked to go, and ends the scope: where the mask is false
   an out keeps what it holds; results of scalars are scalars. A NULL among them is an error. */
GX_CHECK bool gx_np_results_give(gx_np_results *r, gx_array *const *made, gx_value *out);

#endif
