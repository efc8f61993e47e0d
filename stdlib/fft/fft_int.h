/* What the files np_fft*.c share: plans (tables for one length) in a cache of the context, and jobs
   (transforms of all lines of an array along one axis) that run on the threads. Every table holds
   complex numbers of the transform's precision; cells are those of kernels/fft.h. */
#ifndef GX_STDLIB_FFT_FFT_INT_H
#define GX_STDLIB_FFT_FFT_INT_H

#include "kernels/fft.h"
#include "stdlib/numpy/base/scope.h"

enum { GX_FFT_PASSES = 64 };

/* Lanes: transforms of n cells, one for each lane. A length with a large prime factor goes through
   Bluestein's chirp: a convolution of the smooth length inner->n. */
typedef struct gx_fft_lanes {
    int64_t n, room; /* room: cells that its two blocks of memory need */
    int count, radix[GX_FFT_PASSES];
    const char *roots[GX_FFT_PASSES], *circle[GX_FFT_PASSES];
    const struct gx_fft_lanes *inner;
    const char *chirp, *kernel; /* n; inner->n */
} gx_fft_lanes;

/* One line of n = wide x tall numbers: `wide` transforms of length tall side by side, turned, then
   `tall` ones of length wide. wide = the number of lanes: the kernel `finish` does the second step.
   wide = 1: one lane. inner: Bluestein. */
typedef struct gx_fft_line {
    int64_t n, wide, tall, block;
    const gx_fft_lanes *down, *across;
    const gx_fft_cell *turns, *near, *far;
    const struct gx_fft_line *inner;
    const char *chirp, *kernel;
    size_t room; /* bytes of memory a thread needs */
    bool big;    /* worth several threads */
} gx_fft_line;

typedef struct gx_fft_plan gx_fft_plan;

/* ---- plan.c ---- */
/* Plans of the context's cache; valid until gx_fft_trim. NULL: an error is pending. */
const gx_fft_lanes *gx_fft_lanes_for(gx_rt *rt, const gx_fft_loops *f, int64_t n);
const gx_fft_line *gx_fft_line_for(gx_rt *rt, const gx_fft_loops *f, int64_t n);
/* exp(-pi i k / h) for k = 0 … h / 2. */
const void *gx_fft_halves_for(gx_rt *rt, const gx_fft_loops *f, int64_t h);
/* Forgets plans that were not used lately, down to the cache's bounds. */
void gx_fft_trim(gx_rt *rt);
/* Is a line of n transformed as a line, rather than in a lane beside others? */
bool gx_fft_line_good(const gx_fft_loops *f, int64_t n, int64_t lines);

/* ---- tables.c ---- */
/* A plan being made owns the memory of its tables. */
typedef struct gx_fft_make {
    gx_rt *rt;
    const gx_fft_loops *f;
    struct gx_fft_block *blocks;
    size_t bytes;
} gx_fft_make;
void *gx_fft_alloc(gx_fft_make *m, int64_t count, size_t each);
void gx_fft_blocks_free(gx_rt *rt, struct gx_fft_block *blocks);
/* Roots of unity exp(-2 pi i t / n), from two tables of about the square root of n entries. */
typedef struct gx_fft_circle {
    int64_t n, block;
    long double *near, *far;
} gx_fft_circle;
GX_CHECK bool gx_fft_circle_open(gx_rt *rt, int64_t n, gx_fft_circle *c);
void gx_fft_circle_close(gx_rt *rt, gx_fft_circle *c);
/* Root t (0 <= t < n) to complex number i of a table. */
void gx_fft_root(const gx_fft_circle *c, int64_t t, int item, void *table, int64_t i);
gx_fft_lanes *gx_fft_lanes_new(gx_fft_make *m, int64_t n);
bool gx_fft_smooth(int64_t n);
/* The length of Bluestein's convolution: smooth, a multiple of 16, at least 2 n - 1. */
int64_t gx_fft_roomy(int64_t n);
/* exp(-pi i k k / n), and the conjugate wrapped around m as a convolution's kernel. */
GX_CHECK bool gx_fft_chirp(gx_fft_make *m, int64_t n, int64_t wide, char **chirp, char **kernel);

/* ---- line.c ---- */
/* The lanes' transforms of x, in one of the two blocks (each p->room cells) or in dst (NULL:
   wherever they end). The other blocks are overwritten. */
gx_fft_cell *gx_fft_lanes_run(const gx_fft_loops *f, const gx_fft_lanes *p, gx_fft_cell *x,
                              gx_fft_cell *spare, gx_fft_cell *dst);
/* Who transforms lines: `each` bytes of memory for each thread; parallel: one line is spread over
   all of them. */
typedef struct gx_fft_team {
    gx_rt *rt;
    const gx_fft_loops *f;
    char *memory;
    size_t each;
    bool parallel;
} gx_fft_team;
/* The transform of n complex numbers; src may be dst. `offset` into the thread's memory. */
void gx_fft_line_run(const gx_fft_team *team, const gx_fft_line *p, const void *src, void *dst,
                     double scale, int swap, int thread, size_t offset);

/* ---- run.c ---- */
typedef enum gx_fft_kind {
    GX_FFT_COMPLEX,   /* n numbers to n */
    GX_FFT_REAL_IN,   /* n real numbers to n / 2 + 1 */
    GX_FFT_REAL_FULL, /* n real numbers to n */
    GX_FFT_REAL_OUT   /* n / 2 + 1 numbers to n real ones */
} gx_fft_kind;
/* C-contiguous arrays (outer, length, inner): `from` elements of each line of `in` are read, at
   most what the transform needs; missing ones are zeros. in and out may be the same array. */
typedef struct gx_fft_job {
    gx_np *s;
    const gx_fft_loops *f;
    gx_fft_kind kind;
    bool inverse;
    double scale;
    int64_t n, outer, inner, from, to;
    const char *in;
    char *out;
} gx_fft_job;
GX_CHECK bool gx_fft_job_run(const gx_fft_job *job);

/* ---- device.c ---- */
/* Transforms along several axes, each of n points, whose norms make one factor. */
typedef struct gx_fft_many {
    gx_np *s;
    gx_fft_kind kind; /* not REAL_FULL; the real side is the last axis of the list */
    bool inverse;
    double scale;
    int count;
    const int *axes;
    const int64_t *n;
} gx_fft_many;
/* The transform of x on its GPU. `given`: the caller's array, which is not to be spoilt. */
gx_array *gx_fft_device(const gx_fft_many *m, gx_array *x, const gx_array *given);

/* ---- freq.c ---- */
bool gx_fft_fftfreq_fn(gx_call *c, gx_value *out);
bool gx_fft_rfftfreq_fn(gx_call *c, gx_value *out);
bool gx_fft_fftshift_fn(gx_call *c, gx_value *out);
bool gx_fft_ifftshift_fn(gx_call *c, gx_value *out);

#endif
