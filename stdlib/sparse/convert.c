/* From coordinates to rows, from rows to columns, and the order of the elements of each row. */
#include <string.h>

#include "stdlib/sparse/sparse_int.h"

extern const gx_native gx_sparse_convert_functions[];

typedef struct wide_item {
    uint64_t half[2];
} wide_item;

#define I int32_t
#define IN(name) name##_32
#include "stdlib/sparse/convert.inc"
#undef I
#undef IN
#define I int64_t
#define IN(name) name##_64
#include "stdlib/sparse/convert.inc"
#undef I
#undef IN

/* The parts of a new matrix of m rows, and where they are written. */
typedef struct made {
    gx_array *part[3];
    void *to[3];
} made;

static bool make_parts(gx_np *s, bool wide, gx_dtype d, int64_t m, int64_t count, made *r) {
    return (r->part[0] = gx_new_line(s, gx_index_dtype(wide), m + 1, &r->to[0])) &&
           (r->part[1] = gx_new_line(s, gx_index_dtype(wide), count, &r->to[1])) &&
           (r->part[2] = gx_new_line(s, d, count, &r->to[2]));
}

static bool size_arg(gx_call *c, int i, int64_t *out) {
    return gx_arg_int(c, i, out) && (*out >= 0 || gx_arg_wrong(c, i, "a size"));
}

/* to_rows(m, n, row, col, data): as csr, elements of a row in the order in which they came. */
static bool to_rows_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int64_t m, n;
    const void *row, *col, *data;
    made r;
    if (!size_arg(c, 0, &m) || !size_arg(c, 1, &n)) return gx_np_end(&s, false);
    gx_array *a = gx_np_arr(&s, c->argv[2]);
    const bool wide = a && a->dtype == GX_i64;
    gx_array *b = NULL, *v = NULL;
    if (a) a = gx_index_arg(&s, c, 2, wide, m, &row);
    if (a) b = gx_index_arg(&s, c, 3, wide, n, &col);
    if (b && b->count != a->count)
        return gx_np_end(&s, gx_arg_wrong(c, 3, "as many columns as rows"));
    if (b) v = gx_values_arg(&s, c, 4, a->count, &data);
    if (!v || !make_parts(&s, wide, (gx_dtype)v->dtype, m, a->count, &r))
        return gx_np_end(&s, false);
    const int bytes = (int)gx_dtype_size(v->dtype);
    if (wide) to_rows_64(bytes, m, a->count, row, col, data, r.to);
    else to_rows_32(bytes, m, a->count, row, col, data, r.to);
    return gx_np_give_tuple(&s, 3, r.part, out);
}

/* turned(n, indptr, indices, data): the same elements by columns, as csc has them. */
static bool turned_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int64_t n;
    const void *data;
    gx_rows a;
    made r;
    if (!size_arg(c, 0, &n) || !gx_rows_arg(&s, c, 1, n, &a)) return gx_np_end(&s, false);
    gx_array *v = gx_values_arg(&s, c, 3, a.count, &data);
    if (!v || !make_parts(&s, a.wide, (gx_dtype)v->dtype, n, a.count, &r))
        return gx_np_end(&s, false);
    const int bytes = (int)gx_dtype_size(v->dtype);
    if (a.wide) turned_64(bytes, a.m, n, a.ptr, a.idx, data, r.to);
    else turned_32(bytes, a.m, n, a.ptr, a.idx, data, r.to);
    return gx_np_give_tuple(&s, 3, r.part, out);
}

/* canonical(n, indptr, indices): 2 if columns rise in every row, 1 if they never fall, else 0. */
static bool canonical_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int64_t n;
    gx_rows a;
    if (!size_arg(c, 0, &n) || !gx_rows_arg(&s, c, 1, n, &a)) return gx_np_end(&s, false);
    const int r = a.wide ? canonical_64(a.m, a.ptr, a.idx) : canonical_32(a.m, a.ptr, a.idx);
    *out = gx_int(r);
    return gx_np_end(&s, true);
}

/* row_order(n, indptr, indices): positions that sort the elements of every row by column. */
static bool row_order_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int64_t n, longest = 0;
    void *to;
    gx_rows a;
    if (!size_arg(c, 0, &n) || !gx_rows_arg(&s, c, 1, n, &a)) return gx_np_end(&s, false);
    for (int64_t i = 0; i < a.m; i++) {
        const int64_t size =
            gx_index_at(a.ptr, a.wide, i + 1) - gx_index_at(a.ptr, a.wide, i);
        if (size > longest) longest = size;
    }
    void *room = gx_np_room(&s, longest + 1, a.wide ? 8 : 4);
    gx_array *r = room ? gx_new_line(&s, gx_index_dtype(a.wide), a.count, &to) : NULL;
    if (!r) return gx_np_end(&s, false);
    if (a.wide) row_order_64(a.m, a.ptr, a.idx, to, room);
    else row_order_32(a.m, a.ptr, a.idx, to, room);
    return gx_np_give_array(&s, r, out);
}

/* groups(n, indptr, indices): of sorted rows: indptr and indices with each column once, and where
   the elements of each begin. */
static bool groups_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int64_t n;
    gx_rows a;
    made r;
    if (!size_arg(c, 0, &n) || !gx_rows_arg(&s, c, 1, n, &a)) return gx_np_end(&s, false);
    const int64_t found = a.wide ? groups_64(a.m, a.ptr, a.idx, NULL, NULL, NULL)
                                 : groups_32(a.m, a.ptr, a.idx, NULL, NULL, NULL);
    if (!make_parts(&s, a.wide, GX_i64, a.m, found, &r)) return gx_np_end(&s, false);
    if (a.wide) groups_64(a.m, a.ptr, a.idx, r.to[0], r.to[1], r.to[2]);
    else groups_32(a.m, a.ptr, a.idx, r.to[0], r.to[1], r.to[2]);
    return gx_np_give_tuple(&s, 3, r.part, out);
}

/* joined(n, indptr, indices, indptr, indices): indptr and indices of what either of two canonical
   matrices has, and where it is in each: -1 where it is not. */
static bool joined_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int64_t n;
    gx_rows a, b;
    gx_array *r[4];
    void *to[4];
    if (!size_arg(c, 0, &n) || !gx_rows_arg(&s, c, 1, n, &a) || !gx_rows_arg(&s, c, 3, n, &b))
        return gx_np_end(&s, false);
    if (a.m != b.m || a.wide != b.wide)
        return gx_np_end(&s, gx_arg_wrong(c, 3, "as many rows, with indices of one dtype"));
    const gx_dtype d = gx_index_dtype(a.wide);
    const int64_t found = a.wide
                              ? joined_64(a.m, a.ptr, a.idx, b.ptr, b.idx, NULL, NULL, NULL, NULL)
                              : joined_32(a.m, a.ptr, a.idx, b.ptr, b.idx, NULL, NULL, NULL, NULL);
    for (int k = 0; k < 4; k++)
        if (!(r[k] = gx_new_line(&s, d, k ? found : a.m + 1, &to[k]))) return gx_np_end(&s, false);
    if (a.wide) joined_64(a.m, a.ptr, a.idx, b.ptr, b.idx, to[0], to[1], to[2], to[3]);
    else joined_32(a.m, a.ptr, a.idx, b.ptr, b.idx, to[0], to[1], to[2], to[3]);
    return gx_np_give_tuple(&s, 4, r, out);
}

const gx_native gx_sparse_convert_functions[] = {
    {"to_rows", "to_rows(m, n, row, col, data, /)", "Coordinates as rows: indptr, indices, data.",
     NULL, to_rows_fn, 0, 0},
    {"turned", "turned(n, indptr, indices, data, /)", "Rows as columns: indptr, indices, data.",
     NULL, turned_fn, 0, 0},
    {"canonical", "canonical(n, indptr, indices, /)",
     "2 if columns rise in every row, 1 if they never fall, else 0.", NULL, canonical_fn, 0, 0},
    {"row_order", "row_order(n, indptr, indices, /)",
     "The positions that sort the elements of every row.", NULL, row_order_fn, 0, 0},
    {"groups", "groups(n, indptr, indices, /)",
     "Sorted rows with each column once, and where the elements of each begin.", NULL, groups_fn, 0,
     0},
    {"joined", "joined(n, indptr, indices, indptr2, indices2, /)",
     "What either of two canonical matrices has, and where it is in each.", NULL, joined_fn, 0, 0},
    {.name = NULL},
};
