/* What a backend does about the order of elements (gx_backend.order): sorting, searching,
   ranks, counting. Elements are C-contiguous, of any dtype unless said. nan stands last, -0.0
   equals 0.0, equal elements keep their order; what is counted are integers, so that each run gives
   the same bits. Rows are sorted only where gx_order_calls.sorts() says yes. */
#ifndef GX_RUNTIME_BACKEND_ORDER_H
#define GX_RUNTIME_BACKEND_ORDER_H

#include "runtime/backend/tape.h"

typedef struct gx_device gx_device;

typedef struct gx_elements {
    const gx_buffer *buf;
    int64_t offset; /* bytes */
    int64_t n;
    gx_dtype dtype;
} gx_elements;

/* Values put into bins: edges ascend, the last bin has both of its edges. */
typedef struct gx_bins {
    const double *edges; /* count + 1, on the host */
    int64_t count;
} gx_bins;

/* Runs of equal elements in sorted ones, found in two steps: how many there are, then into arrays
   of the caller's, of which each may be NULL. */
typedef struct gx_runs {
    const gx_elements *sorted; /* real */
    bool equal_nan;            /* are nans one run? */
    int64_t count;             /* set by the first step */
    gx_buffer *before;         /* likewise; the caller drops it */
    gx_buffer *values;         /* count elements */
    gx_buffer *lengths;        /* int64, how many elements each run has */
    const gx_buffer *index;    /* int64: where the sorted elements were; needed for: */
    gx_buffer *first;          /* int64: where the first of each run was */
    gx_buffer *inverse;        /* int64: the run of the element that was at each place */
} gx_runs;

typedef struct gx_order_calls {
    /* Can `n` elements in rows be sorted here? Where not they are on the host, which sorts all. */
    bool (*sorts)(gx_device *, gx_dtype, int64_t rows, int64_t n);
    /* Sorts each of `rows` rows: elements into `to`, positions in their row as int64 into `index`.
       Either may be NULL. */
    bool (*sort)(gx_device *, const gx_elements *from, int64_t rows, gx_buffer *to,
                 gx_buffer *index);
    /* The same with the element of rank kth in its place, none larger before it and none smaller
       after it; one of `to` and `index` is NULL. Where rows are sorted. */
    bool (*part)(gx_device *, const gx_elements *from, int64_t rows, int64_t kth, gx_buffer *to,
                 gx_buffer *index);
    /* Where each of `what` would go into `among`, which ascends and has its dtype (a real one), or
       is of float64 while that is another than float16: int64 into `to`. */
    bool (*search)(gx_device *, const gx_elements *among, const gx_elements *what, bool right,
                   gx_buffer *to);
    /* Are m ranks of rows of n elements better found here than by sorting? */
    bool (*takes_ranks)(gx_device *, int64_t rows, int64_t n, int m);
    /* The elements of m ranks of each row (real), into (rows, m) of `to`. */
    bool (*select)(gx_device *, const gx_elements *from, int64_t rows, int m,
                   const int64_t *ranks, gx_buffer *to);
    /* Can `n` elements be put into so many bins here, or their weights added by bin? Where not it
       is the host's, which takes all. */
    bool (*takes_bins)(gx_device *, int64_t n, int64_t bins, bool weighted);
    /* The least and the most of real elements, n > 0; both are nan when one is. */
    bool (*extent)(gx_device *, const gx_elements *from, gx_scalar *low, gx_scalar *high);
    /* How many of real elements fall into each bin: int64 into `to`. */
    bool (*histogram)(gx_device *, const gx_elements *from, const gx_bins *bins, gx_buffer *to);
    /* How often each of 0 … bins - 1 occurs among integers, which are all of them: int64. */
    bool (*count)(gx_device *, const gx_elements *from, int64_t bins, gx_buffer *to);
    /* The sums of weights (float64) by bin, in the order of the elements: float64. Without edges
       the elements are integers, as in count. */
    bool (*weighted_bincount)(gx_device *, const gx_elements *from, const gx_bins *bins,
                  const gx_elements *weights, gx_buffer *to);
    bool (*count_runs)(gx_device *, gx_runs *);
    bool (*write_runs)(gx_device *, const gx_runs *);
    /* The same of elements in any order where that needs no sorting (*done); `places`: `first` or
       `inverse` will be wanted, for which no index is needed. Optional, both or none. */
    bool (*tally)(gx_device *, gx_runs *, bool places, bool *done);
    bool (*write_tally)(gx_device *, const gx_runs *);
    /* Is each of `what` (or not: `invert`) among those of `set`, which have its dtype, any? bool
       into `to`. Optional: where it is missing they are looked up in sorted ones. */
    bool (*members)(gx_device *, const gx_elements *what, const gx_elements *set, bool invert,
                    gx_buffer *to);
} gx_order_calls;

#endif
