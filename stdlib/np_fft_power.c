/* Roots of unity, and transforms whose length is a power of two: passes of radix 4 that sort as
   they go (Stockham), so that every pass reads and writes in order. Long ones are spread over
   threads, pass by pass; what is computed does not depend on their number. */
#include "stdlib/np_fft_int.h"

#include <math.h>
#include <string.h>

#include "runtime/work.h"

/* Cosine and sine of an eighth of the circle, turned into octant 0 … 7. */
static gx_c128 turned(double c, double s, int64_t octant) {
    switch (octant) {
    case 0:
        return (gx_c128){c, -s};
    case 1:
        return (gx_c128){s, -c};
    case 2:
        return (gx_c128){-s, -c};
    case 3:
        return (gx_c128){-c, -s};
    case 4:
        return (gx_c128){-c, s};
    case 5:
        return (gx_c128){-s, c};
    case 6:
        return (gx_c128){s, c};
    default:
        return (gx_c128){c, s};
    }
}

void gx_np_fft_roots(gx_c128 *roots, int64_t n) {
    const double tau = 6.283185307179586476925286766559;
    for (int64_t k = 0; k < n; k++) {
        int64_t octant = 8 * k / n, rest = 8 * k - octant * n;
        int64_t at = octant & 1 ? n - rest : rest;
        if (octant > 1 && n % 8 == 0 && at < n) { /* at / 8 is a root of the first two octants */
            gx_c128 r = roots[at / 8];
            roots[k] = turned(r.re, -r.im, octant);
            continue;
        }
        double a = tau * (double)at / (double)(8 * n);
        roots[k] = turned(cos(a), sin(a), octant);
    }
}

static inline gx_c128 mul(gx_c128 a, gx_c128 b) {
    return (gx_c128){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* One pass: transforms of length 4 of numbers m * stride apart, for p < m and q < stride. */
typedef struct fft_pass {
    const gx_c128 *roots, *x;
    gx_c128 *y;
    int64_t m, stride, tasks;
} fft_pass;

static void four(const fft_pass *w, int64_t p, int64_t from, int64_t to) {
    int64_t s = w->stride, far = s * w->m;
    gx_c128 w1 = w->roots[p * s], w2 = w->roots[2 * p * s], w3 = w->roots[3 * p * s];
    const gx_c128 *x = w->x + s * p;
    gx_c128 *y = w->y + 4 * s * p;
    for (int64_t q = from; q < to; q++) {
        gx_c128 a = x[q], b = x[q + far], c = x[q + 2 * far], d = x[q + 3 * far];
        gx_c128 e = {a.re + c.re, a.im + c.im}, f = {a.re - c.re, a.im - c.im};
        gx_c128 g = {b.re + d.re, b.im + d.im}, h = {b.im - d.im, d.re - b.re}; /* -i (b - d) */
        y[q] = (gx_c128){e.re + g.re, e.im + g.im};
        y[q + s] = mul((gx_c128){f.re + h.re, f.im + h.im}, w1);
        y[q + 2 * s] = mul((gx_c128){e.re - g.re, e.im - g.im}, w2);
        y[q + 3 * s] = mul((gx_c128){f.re - h.re, f.im - h.im}, w3);
    }
}

static void four_task(void *arg, int64_t task, int thread) {
    const fft_pass *w = arg;
    (void)thread;
    if (w->m < w->tasks) {
        int64_t from = w->stride * task / w->tasks, to = w->stride * (task + 1) / w->tasks;
        for (int64_t p = 0; p < w->m; p++) four(w, p, from, to);
        return;
    }
    int64_t end = w->m * (task + 1) / w->tasks;
    for (int64_t p = w->m * task / w->tasks; p < end; p++) four(w, p, 0, w->stride);
}

void gx_np_fft_power(gx_rt *rt, const gx_c128 *roots, gx_c128 *x, gx_c128 *spare, int64_t n) {
    enum { LONG = 32768, TASKS = 16 };
    fft_pass w = {roots, x, spare, n / 4, 1, n < LONG ? 1 : TASKS};
    gx_c128 *to = spare, *from = x;
    int64_t left = n;
    for (; left >= 4; left /= 4) {
        w.m = left / 4;
        w.x = from;
        w.y = to;
        gx_work_run(rt, w.tasks, four_task, &w);
        w.stride *= 4;
        gx_c128 *t = from;
        from = to;
        to = t;
    }
    if (left == 2) {
        int64_t half = n / 2;
        for (int64_t q = 0; q < half; q++) {
            gx_c128 a = from[q], b = from[q + half];
            to[q] = (gx_c128){a.re + b.re, a.im + b.im};
            to[q + half] = (gx_c128){a.re - b.re, a.im - b.im};
        }
        from = to;
    }
    if (from != x) memcpy(x, from, (size_t)n * sizeof *x);
}
