/* What lies beyond the edges of a line. */
#include "runtime/backend/cpu/image/filter_int.h"

int64_t gx_cpu_edge_source(gx_filter_edge mode, int64_t i, int64_t n) {
    if (i >= 0 && i < n) return i;
    int64_t period = mode == GX_EDGE_WRAP ? n : mode == GX_EDGE_MIRROR ? 2 * n - 2 : 2 * n;
    switch (mode) {
    case GX_EDGE_FILL:
        return -1;
    case GX_EDGE_NEAREST:
        return i < 0 ? 0 : n - 1;
    case GX_EDGE_WRAP:
    case GX_EDGE_MIRROR:
    case GX_EDGE_REFLECT:
        break;
    }
    if (period == 0) return 0;
    i %= period;
    if (i < 0) i += period;
    if (i < n) return i;
    return mode == GX_EDGE_MIRROR ? period - i : period - 1 - i;
}
