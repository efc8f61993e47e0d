/* The vector kernels of Fourier transforms: one table for each precision and CPU level, made from
   runtime/backend/cpu/fft/make.inc and used by stdlib/fft. They work on cells: GX lanes of real
   parts, then as many imaginary parts, each lane a transform of its own. A kernel does the same
   arithmetic at every CPU level. It allocates nothing and knows no plans. */
#ifndef GX_KERNELS_FFT_H
#define GX_KERNELS_FFT_H

#include <stdint.h>

/* 4 doubles or 8 floats of real parts, then of imaginary parts. "Row" i of cells is half a cell:
   row 2j the real parts of cell j, row 2j + 1 its imaginary parts. Cells are 64-byte aligned. */
typedef struct gx_fft_cell {
    double part[8];
} gx_fft_cell;

enum { GX_FFT_RADICES = 14, GX_FFT_LARGEST = 31, GX_FFT_GROUPS = 4 };

/* One pass of a transform that sorts as it goes (Stockham): y[q + s (k + r p)] is the k-th of the
   transform of length r of x[q + s (p + m j)], times roots[p (r - 1) + k - 1]. */
typedef void (*gx_fft_pass)(const gx_fft_cell *x, gx_fft_cell *y, const void *roots, int64_t m,
                            int64_t s);

/* Numbers that are not cells have the table's precision; complex ones are pairs; distances between
   them (`step`) count single numbers. swap: real and imaginary parts change places, which turns a
   transform into its inverse. */
typedef struct gx_fft_loops {
    int lanes, item;                  /* item: bytes a number */
    gx_fft_pass pass[GX_FFT_RADICES]; /* by radix; NULL: none */
    /* The same for any odd radix up to GX_FFT_LARGEST; circle: the radix's cosines and sines. */
    void (*odd)(const gx_fft_cell *x, gx_fft_cell *y, const void *roots, int64_t m, int64_t s,
                int radix, const void *circle);

    /* Columns: `count` neighbours of each of `rows` rows, lane by lane into groups of cells. */
    void (*load)(gx_fft_cell *const *to, const void *from, int64_t step, int64_t rows,
                 int64_t count, int swap);
    void (*store)(gx_fft_cell *const *from, void *to, int64_t step, int64_t rows, int64_t count,
                  int swap, double scale);
    /* Columns of real numbers; number i goes to row i * every ^ flip. */
    void (*load_real)(gx_fft_cell *const *to, int every, int flip, const void *from, int64_t step,
                      int64_t rows, int64_t count);
    void (*store_real)(gx_fft_cell *const *from, int every, int flip, void *to, int64_t step,
                       int64_t rows, int64_t count, double scale);
    /* Lines: number i of line l goes to lane l of row i * every ^ flip; `step` between lines. */
    void (*load_lines)(gx_fft_cell *to, int every, int flip, const void *from, int64_t step,
                       int64_t rows, int64_t count);
    void (*store_lines)(const gx_fft_cell *from, int every, int flip, void *to, int64_t step,
                        int64_t rows, int64_t count, double scale);

    /* The second step of a line of `lanes` x tall: row k of cells times turns[k], transformed
       across the lanes, to the line. */
    void (*finish)(const gx_fft_cell *x, const gx_fft_cell *turns, void *to, int64_t tall, int swap,
                   double scale);
    /* `lanes` cells of each of the groups (tall apart), turned so that lanes become cells, times
       near[i % block] * far[i / block]. */
    void (*across)(gx_fft_cell *to, const gx_fft_cell *from, int64_t tall, int64_t wide,
                   const gx_fft_cell *near, const gx_fft_cell *far, int64_t block);

    /* to[i] = from[i] * w[i] * scale for cells (w[i] for all lanes) and for a line. */
    void (*multiply)(gx_fft_cell *to, const gx_fft_cell *from, const void *w, int64_t n,
                     int swap_in, int swap_out);
    void (*multiply_line)(void *to, const void *from, const void *w, int64_t n, int swap_in,
                          int swap_out, double scale);

    /* A transform of h pairs of real numbers to h + 1 numbers of the transform of 2 h real ones,
       and before the inverse back; w[k] = exp(-pi i k / h). Of cells in place (back: with their
       parts swapped), and of a line. */
    void (*real)(gx_fft_cell *x, int64_t h, const void *w);
    void (*unreal)(gx_fft_cell *x, int64_t h, const void *w);
    void (*real_line)(void *x, int64_t h, const void *w);
    void (*unreal_line)(void *to, const void *x, int64_t h, const void *w);
} gx_fft_loops;

#endif
