/* Filters of images (runtime/backend/filter.h): which of the two ways, and what lies beyond edges.
 */
#include "runtime/backend/cpu/image/filter_int.h"

bool gx_cpu_filter(gx_device *d, const gx_filter *f) {
    const bool grid = f->kind == GX_FILTER_SUMS || f->kind == GX_FILTER_RANK;
    return grid ? gx_cpu_filter_grid(gx_cpu_of(d), f) : gx_cpu_filter_line(gx_cpu_of(d), f);
}

bool gx_cpu_takes_filter(const gx_filter *f) {
    (void)f;
    return true;
}
