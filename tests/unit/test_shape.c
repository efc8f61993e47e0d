/* Unit tests of shapes and views made from C: strides, broadcasting, axes, reshape's rule,
   bounds of what two arrays share. */
#include <criterion/criterion.h>
#include <string.h>

#include "interp/eval/interp.h"
#include "runtime/array/shape.h"
#include "runtime/graph/lazy.h"

static gx_array *iota(gx_rt *rt, int ndim, const int64_t *shape) {
    int64_t n = 1;
    for (int i = 0; i < ndim; i++) n *= shape[i];
    gx_scalar first = {.i64 = 0}, step = {.i64 = 1};
    gx_array *flat, *a;
    cr_assert(gx_array_iota(rt, GX_i64, n, &first, &step, GX_NS_GX, &flat));
    cr_assert(gx_reshape(rt, flat, ndim, shape, 'C', &a));
    gx_array_drop(flat);
    return a;
}

static void check_strides(const gx_array *a, int n, const int64_t *expected) {
    cr_assert_eq(a->ndim, n);
    for (int i = 0; i < n; i++) cr_assert_eq(gx_strides(a)[i], expected[i], "dim %d", i);
}

static int64_t element(gx_rt *rt, const gx_array *a, int64_t i) {
    gx_scalar s;
    cr_assert(gx_array_item_at(rt, a, i, &s));
    return s.i64;
}

static void close_rt(gx_rt *rt) {
    gx_error_clear(rt);
    cr_assert_eq(gx_interp_close(rt, 0), 0);
}

Test(shape, contiguous_strides) {
    int64_t s[3];
    gx_contiguous_strides(3, (int64_t[]){2, 3, 4}, 8, 'C', s);
    cr_assert(s[0] == 96 && s[1] == 32 && s[2] == 8);
    gx_contiguous_strides(3, (int64_t[]){2, 3, 4}, 8, 'F', s);
    cr_assert(s[0] == 8 && s[1] == 16 && s[2] == 48);
    gx_contiguous_strides(3, (int64_t[]){2, 0, 4}, 8, 'C', s);
    cr_assert(s[0] == 32 && s[1] == 32 && s[2] == 8);
}

Test(shape, counts_that_do_not_fit_are_errors) {
    gx_rt *rt = gx_interp_open();
    int64_t n;
    cr_assert(gx_shape_count(rt, 2, (int64_t[]){3, 4}, 8, &n) && n == 12);
    cr_assert(gx_shape_count(rt, 3, (int64_t[]){1000000, 0, 1000000}, 8, &n) && n == 0);
    cr_assert(gx_shape_count(rt, 0, NULL, 8, &n) && n == 1);
    cr_assert_not(gx_shape_count(rt, 2, (int64_t[]){INT64_C(1) << 40, INT64_C(1) << 40}, 1, &n));
    gx_error_clear(rt);
    cr_assert_not(gx_shape_count(rt, 1, (int64_t[]){INT64_C(1) << 62}, 8, &n));
    gx_error_clear(rt);
    /* As NumPy: a size of 0 does not hide what the others would come to. */
    cr_assert_not(gx_shape_count(rt, 3, (int64_t[]){INT64_MAX, 0, INT64_MAX}, 8, &n));
    gx_error_clear(rt);
    cr_assert_not(gx_shape_count(rt, GX_MAX_DIMS + 1, NULL, 8, &n));
    gx_error_clear(rt);
    cr_assert_eq(gx_size_plus(INT64_MAX - 1, 2), INT64_MAX);
    cr_assert_eq(gx_size_times(INT64_C(1) << 40, INT64_C(1) << 40), INT64_MAX);
    close_rt(rt);
}

Test(shape, broadcasting) {
    gx_rt *rt = gx_interp_open();
    gx_array *a = iota(rt, 2, (int64_t[]){3, 1}), *b = iota(rt, 1, (int64_t[]){4});
    gx_array *c = iota(rt, 2, (int64_t[]){2, 4}), *e = iota(rt, 1, (int64_t[]){0}), *wide;
    int ndim;
    int64_t shape[GX_MAX_DIMS];
    cr_assert(gx_broadcast_shapes(rt, 3, (gx_array *[]){a, NULL, b}, &ndim, shape));
    cr_assert(ndim == 2 && shape[0] == 3 && shape[1] == 4);
    cr_assert(gx_broadcast_shapes(rt, 2, (gx_array *[]){a, e}, &ndim, shape));
    cr_assert(ndim == 2 && shape[0] == 3 && shape[1] == 0);
    cr_assert_not(gx_broadcast_shapes(rt, 2, (gx_array *[]){a, c}, &ndim, shape));
    cr_assert_eq(rt->error.kind, GX_ValueError);
    gx_error_clear(rt);
    cr_assert_not(gx_broadcast_shapes(rt, 2, (gx_array *[]){b, e}, &ndim, shape));
    gx_error_clear(rt);
    cr_assert(gx_broadcast_to(rt, b, 3, (int64_t[]){2, 3, 4}, &wide));
    check_strides(wide, 3, (int64_t[]){0, 0, 8});
    cr_assert(wide->flags & GX_ARRAY_READONLY);
    cr_assert_eq(element(rt, wide, 23), 3);
    gx_array_drop(wide);
    cr_assert_not(gx_broadcast_to(rt, c, 1, (int64_t[]){4}, &wide));
    gx_array_drop(a);
    gx_array_drop(b);
    gx_array_drop(c);
    gx_array_drop(e);
    close_rt(rt);
}

Test(shape, axes) {
    gx_rt *rt = gx_interp_open();
    int axis;
    cr_assert(gx_axis(rt, -1, 3, &axis) && axis == 2);
    cr_assert(gx_axis(rt, 0, 3, &axis) && axis == 0);
    cr_assert_not(gx_axis(rt, 3, 3, &axis));
    cr_assert_eq(rt->error.kind, GX_AxisError);
    gx_error_clear(rt);
    cr_assert_not(gx_axis(rt, -1, 0, &axis));
    gx_error_clear(rt);
    uint64_t mask;
    cr_assert(gx_axes(rt, gx_none(), 3, &mask) && mask == 7);
    cr_assert(gx_axes(rt, gx_int(-2), 3, &mask) && mask == 2);
    cr_assert(gx_axes(rt, gx_none(), 64, &mask) && mask == UINT64_MAX);
    close_rt(rt);
}

Test(shape, reshape_is_a_view_where_strides_can_say_it) {
    gx_rt *rt = gx_interp_open();
    gx_array *a = iota(rt, 2, (int64_t[]){4, 6}), *t, *r;
    cr_assert(gx_reshape(rt, a, 3, (int64_t[]){2, -1, 6}, 'C', &r));
    check_strides(r, 3, (int64_t[]){96, 48, 8});
    cr_assert_eq(r->storage, a->storage);
    gx_array_drop(r);
    cr_assert(gx_transpose_all(rt, a, &t));
    cr_assert(gx_reshape(rt, t, 3, (int64_t[]){6, 2, 2}, 'C', &r));
    check_strides(r, 3, (int64_t[]){8, 96, 48});
    cr_assert_eq(r->storage, a->storage);
    gx_array_drop(r);
    cr_assert(gx_reshape(rt, t, 1, (int64_t[]){-1}, 'C', &r));
    cr_assert_neq(r->storage, a->storage);
    cr_assert(element(rt, r, 1) == 6 && element(rt, r, 4) == 1);
    gx_array_drop(r);
    cr_assert(gx_reshape(rt, t, 1, (int64_t[]){24}, 'F', &r));
    cr_assert(r->storage == a->storage && element(rt, r, 7) == 7);
    gx_array_drop(r);
    cr_assert_not(gx_reshape(rt, a, 2, (int64_t[]){5, -1}, 'C', &r));
    gx_error_clear(rt);
    cr_assert_not(gx_reshape(rt, a, 2, (int64_t[]){-1, -1}, 'C', &r));
    gx_error_clear(rt);
    cr_assert_not(gx_reshape(rt, a, 2, (int64_t[]){INT64_C(1) << 40, INT64_C(1) << 40}, 'C', &r));
    gx_array_drop(t);
    gx_array_drop(a);
    close_rt(rt);
}

/* Every way to slice two dims of a small array, against marks element by element. */
Test(shape, sharing_is_exact) {
    gx_rt *rt = gx_interp_open();
    gx_array *a = iota(rt, 2, (int64_t[]){5, 7});
    uint32_t seed = 1;
    for (int round = 0; round < 20000; round++) {
        gx_array *v[2];
        bool marks[2][35] = {{false}}, share = false;
        for (int k = 0; k < 2; k++) {
            int64_t shape[2], strides[2], at = 0;
            for (int d = 0; d < 2; d++) {
                int64_t size = d ? 7 : 5, stride = d ? 8 : 56;
                seed = seed * 1664525u + 1013904223u;
                int64_t start = (seed >> 16) % size, step = 1 + (seed >> 8) % 3;
                shape[d] = 1 + (seed >> 24) % ((size - start + step - 1) / step);
                strides[d] = step * stride;
                at += start * stride;
                if (seed & 0x80) { /* walk it backwards */
                    at += (shape[d] - 1) * strides[d];
                    strides[d] = -strides[d];
                }
            }
            cr_assert(gx_array_view(rt, a, GX_i64, 2, shape, strides, at, &v[k]));
            for (int64_t i = 0; i < shape[0]; i++) {
                for (int64_t j = 0; j < shape[1]; j++)
                    marks[k][(at + i * strides[0] + j * strides[1]) / 8] = true;
            }
        }
        for (int i = 0; i < 35; i++) share = share || (marks[0][i] && marks[1][i]);
        cr_assert_eq(gx_arrays_share(v[0], v[1]), share, "round %d", round);
        gx_array_drop(v[0]);
        gx_array_drop(v[1]);
    }
    gx_array_drop(a);
    close_rt(rt);
}

Test(shape, squeeze_expand_and_diagonal) {
    gx_rt *rt = gx_interp_open();
    gx_array *a = iota(rt, 3, (int64_t[]){1, 3, 4}), *r, *d;
    cr_assert(gx_squeeze(rt, a, 1, &r));
    check_strides(r, 2, (int64_t[]){32, 8});
    cr_assert_not(gx_squeeze(rt, a, 2, &d));
    gx_error_clear(rt);
    cr_assert(gx_diagonal(rt, r, 1, 0, 1, &d));
    cr_assert(d->count == 3 && gx_strides(d)[0] == 40 && element(rt, d, 2) == 11);
    gx_array_drop(d);
    cr_assert(gx_diagonal(rt, r, -5, 0, 1, &d) && d->count == 0);
    gx_array_drop(d);
    cr_assert(gx_expand_dims(rt, r, 4, 5, &d));
    const int64_t *shape = gx_shape(d);
    cr_assert(shape[0] == 1 && shape[1] == 3 && shape[2] == 1 && shape[3] == 4);
    gx_array_drop(d);
    gx_array_drop(r);
    gx_array_drop(a);
    close_rt(rt);
}
