/* Arguments of the loops. Whatever a script stored into a matrix's arrays, a loop stays inside. */
#include "stdlib/sparse/sparse_int.h"

bool gx_index_wrong(gx_rt *rt) {
    return gx_fail(rt, GX_ValueError, "sparse.indices",
                   "an index of a sparse array is outside of its shape");
}

gx_array *gx_values_arg(gx_np *s, gx_call *c, int i, int64_t least, const void **data) {
    gx_array *a = gx_np_contiguous(s, gx_np_arr(s, c->argv[i]));
    if (!a) return NULL;
    if (a->count < least) {
        (void)gx_fail(s->rt, GX_ValueError, "sparse.parts",
                      "the parts of a sparse array do not fit together: %lld elements are needed, "
                      "and there are %lld",
                      (long long)least, (long long)a->count);
        return NULL;
    }
    const int64_t bytes = gx_dtype_size(a->dtype);
    if (bytes > 16 || (bytes & (bytes - 1))) {
        (void)gx_arg_wrong(c, i, "an array of numbers");
        return NULL;
    }
    *data = gx_np_data(s, a);
    return *data || a->count == 0 ? a : NULL;
}

gx_array *gx_typed_arg(gx_np *s, gx_call *c, int i, gx_dtype d, int64_t least, const void **data) {
    gx_array *a = gx_values_arg(s, c, i, least, data);
    if (!a || a->dtype == d) return a;
    (void)gx_arg_wrong(c, i, gx_dtypes[d].name);
    return NULL;
}

gx_array *gx_new_line(gx_np *s, gx_dtype d, int64_t n, void **data) {
    gx_array *a = gx_np_empty(s, d, 1, &n);
    *data = a ? gx_np_data_write(s, a) : NULL;
    return *data || n == 0 ? a : NULL;
}

/* Are all of these below n, and none negative? */
static bool all_inside(const void *p, bool wide, int64_t count, int64_t n) {
    uint64_t most = 0;
    if (wide) {
        const uint64_t *x = p;
        for (int64_t i = 0; i < count; i++) most = x[i] > most ? x[i] : most;
    } else {
        const uint32_t *x = p;
        uint32_t most32 = 0;
        for (int64_t i = 0; i < count; i++) most32 = x[i] > most32 ? x[i] : most32;
        most = most32;
    }
    return count == 0 || most < (uint64_t)n;
}

gx_array *gx_index_arg(gx_np *s, gx_call *c, int i, bool wide, int64_t n, const void **data) {
    gx_array *a = gx_typed_arg(s, c, i, gx_index_dtype(wide), 0, data);
    if (!a) return NULL;
    if (n >= 0 && !all_inside(*data, wide, a->count, n)) {
        (void)gx_index_wrong(s->rt);
        return NULL;
    }
    return a;
}

/* Row pointers begin at 0, never fall, and end inside the indices. */
static bool is_row_pointer(const gx_rows *r, int64_t indices) {
    int64_t before = 0;
    if (gx_index_at(r->ptr, r->wide, 0) != 0) return false;
    for (int64_t i = 1; i <= r->m; i++) {
        const int64_t x = gx_index_at(r->ptr, r->wide, i);
        if (x < before) return false;
        before = x;
    }
    return before <= indices;
}

bool gx_rows_shape(gx_np *s, gx_call *c, int at, int64_t n, gx_rows *r) {
    gx_array *p = gx_np_arr(s, c->argv[at]);
    if (!p) return false;
    if (p->dtype != GX_i32 && p->dtype != GX_i64)
        return gx_arg_wrong(c, at, "an array of int32 or int64");
    r->wide = p->dtype == GX_i64;
    r->n = n;
    if (!(r->ptr_array = gx_values_arg(s, c, at, 1, &r->ptr)) ||
        !(r->idx_array = gx_index_arg(s, c, at + 1, r->wide, -1, &r->idx)))
        return false;
    r->m = r->ptr_array->count - 1;
    if (!is_row_pointer(r, r->idx_array->count))
        return gx_fail(s->rt, GX_ValueError, "sparse.indptr",
                       "indptr does not describe rows: it begins at 0, never falls, and ends at "
                       "the number of elements");
    r->count = gx_index_at(r->ptr, r->wide, r->m);
    return true;
}

bool gx_rows_arg(gx_np *s, gx_call *c, int at, int64_t n, gx_rows *r) {
    return gx_rows_shape(s, c, at, n, r) &&
           (all_inside(r->idx, r->wide, r->count, n) || gx_index_wrong(s->rt));
}

/* away(a): do an array's elements live on a GPU? */
static bool away_fn(gx_call *c, gx_value *out) {
    *out = gx_bool(gx_is_array(c->argv[0]) && gx_array_is_away(c->rt, gx_as_array(c->argv[0])));
    return true;
}

extern const gx_native gx_sparse_rows_functions[];
const gx_native gx_sparse_rows_functions[] = {
    {"away", "away(a, /)", "Do an array's elements live on a GPU?", NULL, away_fn, 0, 0},
    {.name = NULL},
};
