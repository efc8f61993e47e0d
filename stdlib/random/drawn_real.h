/* Distributions of rejected_real.h for each element of an array (kernels/each_side.h). The first
   line says: the seed and the number of the first element, in halves of 32 bits, and for each
   parameter its line (0: it is one number) and that number. */

GX_EACH_FN uint64_t whole_of(const double *halves) {
    return (uint64_t)halves[1] << 32 | (uint64_t)halves[0];
}

GX_EACH_FN counted stream_of(int64_t i, int params, const double *const *line, double *p) {
    const double *said = line[0];
    counted r = {whole_of(said), whole_of(said + 2) + (uint64_t)i, 0, 0, false};
    for (int k = 0; k < params; k++) {
        const int which = (int)said[4 + 2 * k];
        p[k] = which ? line[which][i] : said[5 + 2 * k];
    }
    return r;
}

#define DRAWN(name, params)                                                                        \
    GX_EACH_FN void name##_drawn(int64_t i, const double *in, double *out,                         \
                                 const double *const *line, const int64_t *size) {                 \
        double p[3];                                                                               \
        counted r = stream_of(i, params, line, p);                                               \
        (void)in;                                                                                  \
        (void)size;                                                                                \
        *out = draw_##name(&r, p);                                                                 \
    }

DRAWN(gamma, 2)
DRAWN(standard_gamma, 1)
DRAWN(beta, 2)
DRAWN(chisquare, 1)
DRAWN(f, 2)
DRAWN(noncentral_chisquare, 2)
DRAWN(noncentral_f, 3)
DRAWN(standard_t, 1)
DRAWN(wald, 2)
DRAWN(vonmises, 2)
DRAWN(poisson, 1)
DRAWN(binomial, 2)
DRAWN(negative_binomial, 2)
DRAWN(logseries, 1)
DRAWN(zipf, 1)
DRAWN(hypergeometric, 3)
