/* The ranks of the elements in the reduced axes, for medians and quantiles. */
#ifndef GX_STDLIB_NUMPY_MATH_RANKS_INT_H
#define GX_STDLIB_NUMPY_MATH_RANKS_INT_H

#include "stdlib/numpy/base/scope.h"

/* The axes in mask merged into one that stands last; *kept: the other sizes. */
gx_array *gx_ranks_merged(gx_np *s, gx_array *a, uint64_t mask, int *nkept, int64_t *kept);

enum { GX_MOST_RANKS = 64 };

/* The elements of rows by rank; nan stands last. All ranks are asked for first (`asking`), then
   found together; or rows are sorted, or each rank of each row is found by itself. */
typedef struct ranked {
    gx_np *s;
    bool failed; /* with an error */
    int64_t n;
    const double *sorted; /* NULL: */
    const int64_t *nans;  /* of each row; NULL: none */
    bool asking;
    gx_array *rows;
    gx_array *table;     /* the ranks of each row, side by side as float64; NULL: not so */
    const double *found; /* its elements, once one is asked for */
    int64_t valid;       /* elements that are not nan in each row; -1: see whether the last is */
    int m;
    int64_t rank[GX_MOST_RANKS];
} gx_ranks;

/* Of more than a few elements, all ranks are asked for first. */
GX_CHECK bool gx_ranks_begin(gx_np *s, gx_array *rows, int64_t asked, bool skip_nan, gx_ranks *r);
/* Finds what was asked for: by selecting a few ranks of long rows, else among sorted ones. */
GX_CHECK bool gx_ranks_find(gx_np *s, gx_ranks *r, int64_t asked);
/* How many elements of a row are not nan; if some are and none is to be skipped, fewer than n. */
int64_t gx_ranks_count(gx_ranks *r, int64_t row);
/* The element of a rank. */
double gx_ranks_item(gx_ranks *r, int64_t row, int64_t rank);
/* Do many rows have their ranks found together, and as many elements that are not nan? Then columns
   are computed with, where they are. */
bool gx_ranks_many(const gx_ranks *r, bool skip_nan);
/* How many elements of each of them count, if none is nan. */
static inline int64_t gx_ranks_counted(const gx_ranks *r) {
    return r->valid == -1 ? r->n : r->valid;
}
/* The elements of a rank of all rows, float64. */
gx_array *gx_ranks_column(const gx_ranks *r, int64_t rank);
/* A result of columns: nan for the rows that have one. */
gx_array *gx_ranks_or_nan(const gx_ranks *r, gx_array *result);

/* How a result is given: into out as often as it fits there, by a rule of casting. */
typedef struct giving {
    bool keep, spread;
    int leading; /* axes in front of those of the operand: q's */
    gx_casting casting;
} gx_ranks_giving;

/* Gives r, whose axes behind the leading ones are those of a without the axes in mask. */
GX_CHECK bool gx_ranks_give(gx_np *s, gx_array *r, gx_array *a, uint64_t mask, gx_ranks_giving how,
                            gx_borrowed dest, gx_value *out);

#endif
