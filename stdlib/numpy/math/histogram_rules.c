/* Rules that find the width of a histogram's bins from the data: those of numpy.histogram, by name.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/bins.h"
#include "stdlib/numpy/math/histogram_int.h"

typedef struct sample {
    gx_np *s;
    double *x;
    int64_t n;
    double low, high; /* the range of the histogram */
    double ptp;
} sample;

static double mean_of(const double *x, int64_t n) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++) sum += x[i];
    return sum / (double)n;
}

static double deviation(const sample *a) {
    const double mean = mean_of(a->x, a->n);
    double sum = 0;
    for (int64_t i = 0; i < a->n; i++) sum += (a->x[i] - mean) * (a->x[i] - mean);
    return sqrt(sum / (double)a->n);
}

static double root_rule(const sample *a) {
    return a->ptp / sqrt((double)a->n);
}

static double sturges(const sample *a) {
    return a->ptp / (log2((double)a->n) + 1);
}

static double rice(const sample *a) {
    return a->ptp / (2 * pow((double)a->n, 1.0 / 3));
}

static double scott(const sample *a) {
    const double pi = 3.14159265358979323846;
    return pow(24 * sqrt(pi) / (double)a->n, 1.0 / 3) * deviation(a);
}

static double doane(const sample *a) {
    const double n = (double)a->n;
    if (a->n <= 2) return 0;
    const double error = sqrt(6 * (n - 2) / ((n + 1) * (n + 3))), sigma = deviation(a);
    if (!(sigma > 0)) return 0;
    const double mean = mean_of(a->x, a->n);
    double sum = 0;
    for (int64_t i = 0; i < a->n; i++) sum += pow((a->x[i] - mean) / sigma, 3);
    return a->ptp / (1 + log2(n) + log2(1 + fabs(sum / n) / error));
}

static int ascending(const void *p, const void *q) {
    const double a = *(const double *)p, b = *(const double *)q;
    return (a > b) - (a < b);
}

static double share_of(const double *sorted, int64_t n, double q) {
    const double at = (double)(n - 1) * q, low = floor(at);
    const int64_t i = (int64_t)low, next = i + 1 < n ? i + 1 : i;
    return sorted[i] + (sorted[next] - sorted[i]) * (at - low);
}

static double freedman(const sample *a) {
    qsort(a->x, (size_t)a->n, sizeof *a->x, ascending);
    const double spread = share_of(a->x, a->n, 0.75) - share_of(a->x, a->n, 0.25);
    return 2 * spread * pow((double)a->n, -1.0 / 3);
}

static double automatic(const sample *a) {
    const double least = root_rule(a) / 2, wide = freedman(a), most = sturges(a);
    const double best = wide > least ? wide : least;
    return best < most ? best : most;
}

/* What leaving one value out says of so many bins. */
static double left_out(const sample *a, int64_t bins, int64_t *count, double *edges) {
    const double h = a->ptp / (double)bins, scale = (double)bins / (a->high - a->low);
    double squares = 0;
    memset(count, 0, (size_t)bins * sizeof *count);
    for (int64_t i = 0; i <= bins; i++)
        edges[i] = a->low + (double)i * ((a->high - a->low) / (double)bins);
    edges[bins] = a->high;
    for (int64_t i = 0; i < a->n; i++) {
        int64_t at = gx_bin_of(edges, bins, scale, a->x[i]);
        if (at >= 0) count[at]++;
    }
    for (int64_t i = 0; i < bins; i++) {
        const double share = (double)count[i] / (double)a->n;
        squares += share * share;
    }
    return (2 - (double)(a->n + 1) * squares) / h;
}

static bool stone(const sample *a, double *out) {
    *out = 0;
    if (a->n <= 1 || a->ptp == 0) return true;
    const int64_t root = (int64_t)sqrt((double)a->n), most = root > 100 ? root : 100;
    int64_t *count = gx_np_room(a->s, most, sizeof *count), best = 1;
    double *edges = gx_np_room(a->s, most + 1, sizeof *edges), least = INFINITY;
    if (!count || !edges) return false;
    for (int64_t bins = 1; bins <= most; bins++) {
        const double j = left_out(a, bins, count, edges);
        if (j < least) {
            least = j;
            best = bins;
        }
    }
    if (best == most && !gx_warn(a->s->rt, GX_RuntimeWarning,
                                 "The number of bins estimated may be suboptimal."))
        return false;
    *out = a->ptp / (double)best;
    return true;
}

bool gx_np_bin_width(gx_np *s, const char *name, double *x, int64_t n, double low, double high,
                     double *out) {
    static const struct {
        const char *name;
        double (*width)(const sample *a);
    } rules[] = {{"auto", automatic}, {"fd", freedman}, {"sturges", sturges}, {"sqrt", root_rule},
                 {"rice", rice},      {"scott", scott}, {"doane", doane}};
    sample a = {.s = s, .x = x, .n = n, .low = low, .high = high};
    double least = INFINITY, most = -INFINITY;
    *out = 0;
    for (int64_t i = 0; i < n; i++) {
        least = x[i] < least ? x[i] : least;
        most = x[i] > most ? x[i] : most;
    }
    a.ptp = n ? most - least : 0;
    if (strcmp(name, "stone") == 0) return n == 0 || stone(&a, out);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].name, name) == 0) {
            if (n) *out = rules[i].width(&a);
            return true;
        }
    return gx_fail(s->rt, GX_ValueError, "histogram.rule",
                   "'%s' is not a valid estimator for `bins`", name);
}
