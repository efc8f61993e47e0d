/* What the files here share beside the kernels: plans (tables for one length) in a cache of the
   device, and lines of numbers that the threads transform. Every table holds complex numbers of the
   transform's precision; cells are those of kernels/fft.h. */
#ifndef GX_RUNTIME_BACKEND_CPU_FFT_PLAN_INT_H
#define GX_RUNTIME_BACKEND_CPU_FFT_PLAN_INT_H

#include "kernels/fft.h"
#include "runtime/backend/cpu/cpu_int.h"
#include "runtime/backend/loop.h"

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
/* Plans of the device's cache; valid until gx_fft_trim. NULL: an error is pending. */
const gx_fft_lanes *gx_fft_lanes_for(gx_device *d, const gx_fft_loops *f, int64_t n);
const gx_fft_line *gx_fft_line_for(gx_device *d, const gx_fft_loops *f, int64_t n);
/* exp(-pi i k / h) for k = 0 … h / 2. */
const void *gx_fft_halves_for(gx_device *d, const gx_fft_loops *f, int64_t h);
/* Forgets plans that were not used lately, down to the cache's bounds. */
void gx_fft_trim(gx_cpu *cpu);
/* Is a line of n transformed as a line, rather than in a lane beside others? */
bool gx_fft_line_good(const gx_fft_loops *f, int64_t n, int64_t lines);

/* ---- tables.c ---- */
/* A plan being made owns the memory of its tables. */
typedef struct gx_fft_make {
    gx_device *device;
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
    gx_device *device;
    gx_rt *rt;
    const gx_fft_loops *f;
    char *memory;
    size_t each;
    bool parallel;
} gx_fft_team;
/* The transform of n complex numbers; src may be dst. `offset` into the thread's memory. */
void gx_fft_line_run(const gx_fft_team *team, const gx_fft_line *p, const void *src, void *dst,
                     double scale, int swap, int thread, size_t offset);

#endif
