/* Do two arrays share memory? */
#include "runtime/array/array.h"

/* The bytes [low, high) that an array's elements lie in. */
static void bounds(const gx_array *a, int64_t *low, int64_t *high) {
    *low = a->offset;
    *high = a->offset + gx_dtype_size(a->dtype);
    for (int i = 0; i < a->ndim; i++) {
        int64_t reach = gx_strides(a)[i] * (gx_shape(a)[i] - 1);
        if (reach < 0) *low += reach;
        else *high += reach;
    }
}

/* Is there a sum of strides[i] * k[i], 0 <= k[i] < counts[i], in [low, high]? Strides are positive
   and descend, so each level has few candidates; when the budget is spent the answer is yes. */
static bool reaches(int n, const int64_t *strides, const int64_t *counts, int64_t low, int64_t high,
                    int *budget) {
    if (high < 0) return false;
    if (n == 0) return low <= 0;
    if (--*budget < 0) return true;
    int64_t rest = 0;
    for (int i = 1; i < n; i++) rest += strides[i] * (counts[i] - 1);
    int64_t first = low > rest ? (low - rest + strides[0] - 1) / strides[0] : 0,
            last = high / strides[0];
    if (last > counts[0] - 1) last = counts[0] - 1;
    for (int64_t k = first; k <= last; k++) {
        if (reaches(n - 1, strides + 1, counts + 1, low - k * strides[0], high - k * strides[0],
                    budget))
            return true;
    }
    return false;
}

/* Adds the dims that move, by descending stride. */
static int add_moves(const gx_array *a, int n, int64_t *strides, int64_t *counts) {
    for (int i = 0; i < a->ndim; i++) {
        int64_t stride = gx_strides(a)[i] < 0 ? -gx_strides(a)[i] : gx_strides(a)[i];
        if (gx_shape(a)[i] <= 1 || stride == 0) continue;
        int k = n++;
        for (; k > 0 && strides[k - 1] < stride; k--) {
            strides[k] = strides[k - 1];
            counts[k] = counts[k - 1];
        }
        strides[k] = stride;
        counts[k] = gx_shape(a)[i];
    }
    return n;
}

bool gx_arrays_meet(const gx_array *a, const gx_array *b) {
    if (a->storage != b->storage || a->count == 0 || b->count == 0) return false;
    int64_t la, ha, lb, hb;
    bounds(a, &la, &ha);
    bounds(b, &lb, &hb);
    return ha > lb && hb > la;
}

bool gx_arrays_share(const gx_array *a, const gx_array *b) {
    if (!gx_arrays_meet(a, b)) return false;
    int64_t la, ha, lb, hb, strides[2 * GX_MAX_DIMS], counts[2 * GX_MAX_DIMS];
    int64_t item_a = gx_dtype_size(a->dtype), item_b = gx_dtype_size(b->dtype);
    bounds(a, &la, &ha);
    bounds(b, &lb, &hb);
    /* b is walked from its last element down: every term of the distance a - b then adds. */
    int n = add_moves(b, add_moves(a, 0, strides, counts), strides, counts), budget = 100000;
    int64_t apart = la - (hb - item_b);
    return reaches(n, strides, counts, -(item_a - 1) - apart, item_b - 1 - apart, &budget);
}
