/* What lines.c, grid.c, filter.c and edge.c share. */
#ifndef GX_RUNTIME_BACKEND_CPU_IMAGE_FILTER_INT_H
#define GX_RUNTIME_BACKEND_CPU_IMAGE_FILTER_INT_H

#include "runtime/backend/cpu/cpu_int.h"
#include "runtime/backend/cpu/image/image.h"
#include "runtime/backend/loop.h"

/* Along one axis; over a neighbourhood of several. */
GX_CHECK bool gx_cpu_filter_line(gx_cpu *cpu, const gx_filter *f);
GX_CHECK bool gx_cpu_filter_grid(gx_cpu *cpu, const gx_filter *f);
/* The source position for position i of a line of n, or -1 for cval. */
int64_t gx_cpu_edge_source(gx_filter_edge mode, int64_t i, int64_t n);

#endif
