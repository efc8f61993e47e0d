/* Bins of numbers: bin k has edges e[k] and e[k + 1]; the last has both of its edges. */
#ifndef GX_KERNELS_BINS_H
#define GX_KERNELS_BINS_H

#include <stdint.h>

/* The bin that x falls into, or -1; `scale` is bins per unit where they are even, else 0. */
static inline int64_t gx_bin_of(const double *e, int64_t bins, double scale, double x) {
    if (!(x >= e[0] && x <= e[bins])) return -1;
    /* Right at once when the bins are of one width. */
    if (scale > 0) {
        int64_t guess = (int64_t)((x - e[0]) * scale);
        guess = guess < bins ? guess : bins - 1;
        if (x >= e[guess] && x < e[guess + 1]) return guess;
    }
    int64_t low = 0, high = bins;
    while (high - low > 1) {
        int64_t mid = low + (high - low) / 2;
        if (x >= e[mid]) low = mid;
        else high = mid;
    }
    return low;
}

#endif
