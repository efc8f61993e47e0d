#include "runtime/array/layout.h"

static int64_t reach(int64_t stride) {
    return stride < 0 ? -stride : stride;
}

void gx_order_of_copy(int ndim, const int64_t *strides, int *order) {
    for (int i = 0; i < ndim; i++) {
        int at = i;
        for (; at > 0 && reach(strides[order[at - 1]]) < reach(strides[i]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* What comparing two axes in all operands says: the one further in moves out, stays, or nothing. */
typedef enum verdict { AMBIGUOUS, STAYS, MOVES } verdict;

static verdict with_strides(verdict so_far, int64_t outer, int64_t inner) {
    if (reach(inner) <= reach(outer)) return STAYS; /* C order wins conflicts */
    return so_far == AMBIGUOUS ? MOVES : so_far;
}

/* Sorted from the innermost axis on, as nditer sorts them. */
void gx_order_of_operands(int ndim, int n, const int64_t *const *strides, int *order) {
    for (int i = 0; i < ndim; i++) order[i] = i;
    for (int i = ndim - 2; i >= 0; i--) {
        int at = i;
        const int axis = order[i];
        for (int j = i + 1; j < ndim; j++) {
            verdict v = AMBIGUOUS;
            for (int k = 0; k < n; k++) {
                const int64_t outer = strides[k][axis], inner = strides[k][order[j]];
                if (inner != 0 && outer != 0) v = with_strides(v, outer, inner);
            }
            if (v == STAYS) break;
            if (v == MOVES) at = j;
        }
        for (int j = i; j < at; j++) order[j] = order[j + 1];
        order[at] = axis;
    }
}

/* Sorted from the outermost axis on. */
void gx_order_of_joined(int n, gx_array *const *parts, int *order) {
    const int ndim = parts[0]->ndim;
    for (int i = 0; i < ndim; i++) order[i] = i;
    for (int i = 1; i < ndim; i++) {
        int at = i;
        const int axis = order[i];
        for (int j = i - 1; j >= 0; j--) {
            verdict v = AMBIGUOUS;
            for (int k = 0; k < n; k++) {
                const gx_array *a = parts[k];
                if (gx_shape(a)[axis] != 1 && gx_shape(a)[order[j]] != 1)
                    v = with_strides(v, gx_strides(a)[order[j]], gx_strides(a)[axis]);
            }
            if (v == STAYS) break;
            if (v == MOVES) at = j;
        }
        for (int j = i; j > at; j--) order[j] = order[j - 1];
        order[at] = axis;
    }
}

bool gx_order_is_c(int ndim, const int *order) {
    for (int i = 0; i < ndim; i++)
        if (order[i] != i) return false;
    return true;
}

void gx_order_strides(int ndim, const int64_t *shape, int64_t item, const int *order,
                      int64_t *strides) {
    for (int i = ndim - 1; i >= 0; i--) {
        strides[order[i]] = item;
        item *= shape[order[i]] > 0 ? shape[order[i]] : 1;
    }
}

void gx_array_settle(gx_array *view) {
    gx_array_drop(view->base);
    view->base = NULL;
}
