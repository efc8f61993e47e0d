/* Ranks in rows of the reduced axes: found together on the device, or among sorted rows. */
#include "stdlib/numpy/math/ranks_int.h"

#include <math.h>
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/op/order.h"
#include "stdlib/numpy/base/reduce.h"
#include "stdlib/numpy/order/order.h"

/* --- rows of the reduced axes --- */

gx_array *gx_ranks_merged(gx_np *s, gx_array *a, uint64_t mask, int *nkept, int64_t *kept) {
    int perm[GX_MAX_DIMS], n = 0;
    gx_array *t = NULL;
    *nkept = 0;
    if (!a) return NULL;
    for (int i = 0; i < a->ndim; i++)
        if (!(mask >> i & 1)) {
            kept[n] = gx_shape(a)[i];
            perm[n++] = i;
        }
    *nkept = n;
    for (int i = 0; i < a->ndim; i++)
        if (mask >> i & 1) perm[n++] = i;
    if (!gx_transpose(s->rt, a, perm, &t)) return NULL;
    int64_t shape[GX_MAX_DIMS + 1];
    memcpy(shape, kept, (size_t)*nkept * sizeof *shape);
    shape[*nkept] = gx_np_fold_count(a, mask);
    return gx_np_reshape(s, gx_np_own(s, t), *nkept + 1, shape);
}

/* The shape with the reduced axes as 1. */
static gx_array *keep_axes(gx_np *s, gx_array *r, gx_array *a, uint64_t mask, int leading) {
    return r ? gx_np_expand(s, r, leading + a->ndim, mask << leading) : NULL;
}

static double *sorted_rows(gx_np *s, gx_array *rows, gx_array **hold) {
    gx_array *sorted = gx_np_sorted(s, rows, rows ? rows->ndim - 1 : 0);
    gx_array *d = gx_np_contiguous(s, gx_np_cast(s, sorted, GX_f64));
    *hold = d;
    return (double *)(uintptr_t)gx_np_data(s, d);
}

static int64_t valid_count(const double *row, int64_t n) {
    while (n > 0 && isnan(row[n - 1])) n--;
    return n;
}

static int rank_place(const gx_ranks *r, int64_t rank) {
    int k = 0;
    while (k < r->m && r->rank[k] != rank) k++;
    return k;
}

static void ask_rank(gx_ranks *r, int64_t rank) {
    int k = rank_place(r, rank);
    if (k < GX_MOST_RANKS) r->rank[k] = rank;
    if (k == r->m) r->m++; /* GX_MOST_RANKS + 1: too many */
}

/* How many elements of each row are nan; NULL without an error: none can be. */
static bool nans_of(gx_np *s, gx_array *rows, const int64_t **out) {
    *out = NULL;
    if (gx_dtype_kind(rows->dtype) != GX_KIND_FLOAT) return true;
    gx_array *is = gx_np_op1(s, GX_OP_isnan, rows);
    const uint64_t last = UINT64_C(1) << (rows->ndim - 1);
    gx_array *count = is ? gx_np_reduce(s, GX_RED_sum, is, last, false, GX_i64) : NULL;
    return (*out = gx_np_data(s, gx_np_contiguous(s, count))) != NULL;
}

/* How many elements of every row are not nan; -2 where the rows differ. */
static bool valid_everywhere(gx_np *s, gx_array *rows, int64_t *valid) {
    const int64_t *nans, n = gx_shape(rows)[rows->ndim - 1];
    *valid = n;
    if (gx_dtype_kind(rows->dtype) != GX_KIND_FLOAT) return true;
    gx_scalar most; /* nan where there is one */
    gx_array *all = gx_np_reduce(s, GX_RED_max, rows, gx_np_all(rows), false, GX_NO_DTYPE);
    if (!all || !gx_array_item(s->rt, all, &most)) return false;
    if (!isnan(gx_scalar_cast((gx_dtype)rows->dtype, GX_f64, &most).f64)) return true;
    if (!nans_of(s, rows, &nans)) return false;
    *valid = n - nans[0];
    for (int64_t i = 1; i < rows->count / n; i++)
        if (nans[i] != nans[0]) *valid = -2;
    return true;
}

/* By sorting all rows; or rank by rank where few are asked for in long rows that differ. */
static bool rank_each(gx_np *s, gx_array *rows, int64_t asked, gx_ranks *r) {
    enum { LONG = 16384, FEW = 8 };
    gx_array *hold;
    r->asking = false;
    if (r->n < LONG || asked > FEW) {
        r->sorted = sorted_rows(s, rows, &hold);
        return r->sorted != NULL;
    }
    r->rows = gx_np_contiguous(s, rows);
    return r->rows && nans_of(s, r->rows, &r->nans);
}

bool gx_ranks_begin(gx_np *s, gx_array *rows, int64_t asked, bool skip_nan, gx_ranks *r) {
    enum { FEW = 1024 };
    *r = (gx_ranks){.s = s, .rows = rows, .valid = -1};
    r->n = gx_shape(rows)[rows->ndim - 1];
    if (rows->count <= FEW) return rank_each(s, rows, asked, r);
    if (skip_nan && !valid_everywhere(s, rows, &r->valid)) return false;
    r->asking = r->valid != -2;
    if (!r->asking) return rank_each(s, rows, asked, r);
    if (r->valid == -1 && gx_dtype_kind(rows->dtype) == GX_KIND_FLOAT) ask_rank(r, r->n - 1);
    return true;
}

bool gx_ranks_find(gx_np *s, gx_ranks *r, int64_t asked) {
    gx_array *found = NULL;
    const int64_t m = r->m;
    if (m > GX_MOST_RANKS || m == 0) return rank_each(s, r->rows, asked, r);
    if (!gx_array_select(s->rt, r->rows, r->m, r->rank, &found)) return false;
    if (found) {
        found = gx_np_own(s, found);
    } else {
        const int last = r->rows->ndim - 1;
        gx_array *ranks = gx_np_empty(s, GX_i64, 1, &m);
        int64_t *to = gx_np_data_write(s, ranks);
        if (!to) return false;
        memcpy(to, r->rank, (size_t)m * sizeof *to);
        found = gx_np_take(s, gx_np_sorted(s, r->rows, last), ranks, last);
    }
    r->table = gx_np_contiguous(s, gx_np_cast(s, found, GX_f64));
    r->asking = false;
    return r->table != NULL;
}

bool gx_ranks_many(const gx_ranks *r, bool skip_nan) {
    enum { FEW = 256 };
    return r->table && r->table->count > FEW * r->m && (!skip_nan || r->valid > 0);
}

gx_array *gx_ranks_column(const gx_ranks *r, int64_t rank) {
    return gx_np_at(r->s, r->table, r->table->ndim - 1, rank_place(r, rank));
}

gx_array *gx_ranks_or_nan(const gx_ranks *r, gx_array *result) {
    if (r->valid != -1 || gx_dtype_kind(r->rows->dtype) != GX_KIND_FLOAT) return result;
    gx_array *is = gx_np_op1(r->s, GX_OP_isnan, gx_ranks_column(r, r->n - 1));
    return gx_np_op3(r->s, GX_OP_where, is, gx_np_f64(r->s, NAN), result);
}

/* An element of the table. */
static double found_item(gx_ranks *r, int64_t row, int64_t rank) {
    if (!r->found && !(r->found = gx_np_data(r->s, r->table))) r->failed = true;
    return r->failed ? NAN : r->found[row * r->m + rank_place(r, rank)];
}

int64_t gx_ranks_count(gx_ranks *r, int64_t row) {
    if (r->asking) return gx_ranks_counted(r);
    if (r->table && r->valid != -1) return r->valid;
    if (r->table && gx_dtype_kind(r->rows->dtype) != GX_KIND_FLOAT) return r->n;
    if (r->table) return r->n - isnan(found_item(r, row, r->n - 1));
    if (r->sorted) return valid_count(r->sorted + row * r->n, r->n);
    return r->nans ? r->n - r->nans[row] : r->n;
}

/* One rank of one row that is long. */
static double selected(gx_ranks *r, int64_t row, int64_t rank) {
    gx_array *line, *found = NULL;
    gx_scalar e = {.bits = {0, 0}};
    const int64_t item = gx_dtype_size(r->rows->dtype), at = r->rows->offset + row * r->n * item;
    const gx_dtype d = (gx_dtype)r->rows->dtype;
    gx_rt *rt = r->s->rt;
    if (r->failed || !gx_array_view(rt, r->rows, d, 1, &r->n, &item, at, &line)) {
        r->failed = true;
        return NAN;
    }
    r->failed = !gx_array_select(rt, line, 1, &rank, &found) ||
                (found ? !gx_array_item(rt, found, &e)
                       : !gx_array_sort(rt, line, &found, NULL) ||
                             !gx_array_item_at(rt, found, rank, &e));
    gx_array_drop(found);
    gx_array_drop(line);
    return gx_scalar_cast(d, GX_f64, &e).f64;
}

double gx_ranks_item(gx_ranks *r, int64_t row, int64_t rank) {
    if (r->asking) {
        ask_rank(r, rank);
        return 0;
    }
    if (r->table) return found_item(r, row, rank);
    if (r->sorted) return r->sorted[row * r->n + rank];
    return selected(r, row, rank);
}

/* --- results --- */

/* Where results go in `to` if the axes in mask, its last ones those of a, are kept: at their start.
 */
static gx_array *kept_places(gx_np *s, gx_array *to, const gx_array *a, uint64_t mask) {
    const int leading = to->ndim - a->ndim;
    if (leading < 0) {
        gx_fail(s->rt, GX_IndexError, "index.count",
                "too many indices for array: array is %d-dimensional, but %d were indexed",
                to->ndim, a->ndim);
        return NULL;
    }
    for (int i = 0; i < a->ndim; i++) {
        if (!(mask >> i & 1)) continue;
        if (gx_shape(to)[leading + i] == 0) {
            gx_fail(s->rt, GX_IndexError, "index.range",
                    "index 0 is out of bounds for axis %d with size 0", leading + i);
            return NULL;
        }
        to = gx_np_slice(s, to, leading + i, 0, 1, 1);
    }
    return gx_np_squeeze(s, to, mask << leading);
}

bool gx_ranks_give(gx_np *s, gx_array *r, gx_array *a, uint64_t mask, gx_ranks_giving how,
                       gx_borrowed dest, gx_value *out) {
    if (!r) return gx_np_end(s, false);
    if (!gx_is_array(dest)) {
        if (how.keep) r = keep_axes(s, r, a, mask, how.leading);
        return how.keep && dest.tag == GX_NONE ? gx_np_give_array(s, r, out)
                                                            : gx_np_give_out(s, r, dest, out);
    }
    gx_array *to = how.keep ? kept_places(s, gx_as_array(dest), a, mask) : gx_as_array(dest);
    if (!to || !gx_np_store_as(s, how.spread ? gx_np_spread_to(s, r, 0, to) : r, to, how.casting))
        return gx_np_end(s, false);
    *out = gx_keep(dest);
    return gx_np_end(s, true);
}
