/* random: distributions that draw until a draw is accepted, of the Philox stream: each element has
   a stream of its own, so that they are drawn where their array lives. */
#include <string.h>

#include "kernels/device_text.h"
#include "kernels/each_side.h"
#include "kernels/philox.h"
#include "runtime/op/whole.h"
#include "stdlib/numpy/base/each.h"
#include "stdlib/random/counted_real.h"
#include "stdlib/random/dist_int.h"
#include "stdlib/random/random_text_int.h"
#include "stdlib/random/rejected_real.h"

#include "stdlib/random/drawn_real.h"

static const char *const texts[] = {gx_device_text_philox, gx_random_text_counted_real,
                                    gx_random_text_rejected_real, gx_random_text_drawn_real, NULL};

typedef struct drawn {
    const char *name;
    gx_each_function function;
} drawn;

#define ROW(name) {#name, {NULL, #name "_drawn", texts, name##_drawn}}
static const drawn rows[] = {
    ROW(gamma),         ROW(standard_gamma),       ROW(beta),         ROW(chisquare),
    ROW(f),             ROW(noncentral_chisquare), ROW(noncentral_f), ROW(standard_t),
    ROW(wald),          ROW(vonmises),             ROW(poisson),      ROW(binomial),
    ROW(logseries),     ROW(negative_binomial),    ROW(zipf),         ROW(hypergeometric),
};

const gx_each_function *gx_random_drawn_function(int i) {
    return i < (int)(sizeof rows / sizeof *rows) ? &rows[i].function : NULL;
}

static void put_halves(uint64_t v, double *to) {
    to[0] = (double)(uint32_t)v;
    to[1] = (double)(v >> 32);
}

bool gx_random_drawn(gx_draw *d, const gx_dist_row *t, gx_array *const *p, gx_array **out) {
    gx_np *s = &d->s;
    const drawn *row = rows;
    while (strcmp(row->name, t->name) != 0) row++; /* all without a formula are there */
    double said[10] = {0};
    gx_array *lines[4], *a;
    int n = 1;
    put_halves(d->r->seed, said);
    put_halves(d->r->counter, said + 2);
    for (int k = 0; k < t->params; k++) {
        gx_scalar one;
        if (p[k]->count != 1) {
            said[4 + 2 * k] = n;
            lines[n++] = p[k];
        } else if (gx_array_item(s->rt, p[k], &one)) {
            said[5 + 2 * k] = one.f64;
        } else {
            return false;
        }
    }
    const int64_t length = 10;
    lines[0] = gx_np_empty(s, GX_f64, 1, &length);
    double *to = gx_np_data_write(s, lines[0]);
    if (!to) return false;
    memcpy(to, said, sizeof said);
    if (!gx_array_make(s->rt, &row->function, n, lines, d->ndim, d->shape, s->ns, &a)) return false;
    d->r->counter += (uint64_t)a->count;
    *out = t->whole ? gx_np_cast(s, gx_np_own(s, a), GX_i64) : gx_np_own(s, a);
    return *out != NULL;
}
