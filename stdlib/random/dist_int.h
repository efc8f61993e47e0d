/* Single draws of distributions, for dist.c, drawn.c and dist_many.c. Parameters stand in p. */
#ifndef GX_STDLIB_RANDOM_DIST_INT_H
#define GX_STDLIB_RANDOM_DIST_INT_H

#include "stdlib/random/random_int.h"

/* A distribution: how many parameters, what each must be ('u' anything, 'n' not negative, 'p'
   positive, '0' a probability, '1' one above 0, 'c' a count), whether results are integers, a draw.
 */
typedef struct gx_dist_row {
    const char *name;
    int params;
    const char *must;
    bool whole;
    double (*draw)(gx_rng *r, const double *p);
} gx_dist_row;

/* The stream that draws are made from, one by one: r itself, or a PCG64 that a Philox stream seeds.
 */
gx_rng *gx_dist_stream(gx_rng *r, gx_rng *spare);
double gx_dist_gamma(gx_rng *r, double shape);
double gx_dist_beta(gx_rng *r, double a, double b);
int64_t gx_dist_binomial(gx_rng *r, int64_t n, double p);

/* A distribution of d's Philox stream, given checked parameters of float64, each one number or
   contiguous in the result's shape: as an expression (random_dist.c), or where there is none as
   elements that are drawn each by itself (drawn.c). */
GX_CHECK bool gx_random_formula(gx_draw *d, const gx_dist_row *t, gx_array *const *p,
                                gx_array **out);
GX_CHECK bool gx_random_drawn(gx_draw *d, const gx_dist_row *t, gx_array *const *p, gx_array **out);

/* The same for the distribution of that name, whose parameters are checked first. */
GX_CHECK bool gx_dist_drawn(gx_draw *d, const char *name, gx_array *const *p, gx_array **out);

/* The body of every function of gx_dist_row: found by its name. */
GX_CHECK bool gx_dist_call(gx_call *c, gx_value *out);

#endif
