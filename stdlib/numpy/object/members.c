/* Attributes of arrays and NumPy scalars: shape, dtype, T, real … A scalar answers as the 0-d array
   it is. */
#include <string.h>

#include "runtime/array/array_class.h"
#include "runtime/backend/gpu.h"
#include "runtime/object/class/class.h"
#include "stdlib/cuda/cuda.h"
#include "stdlib/numpy/base/scope.h"
#include "stdlib/numpy/object/flat_int.h"

extern const gx_member gx_np_members[], gx_np_integer_members[];

/* self as an array of a scope; its own namespace. */
static gx_array *own_array(gx_np *s, gx_borrowed self) {
    return gx_np_arr(s, self);
}

/* A result in the form self has: scalars give scalars. */
static bool give_like(gx_np *s, gx_borrowed self, gx_array *a, gx_value *out) {
    return gx_is_array(self) ? gx_np_give_array(s, a, out) : gx_np_give(s, a, out);
}

static gx_namespace namespace_of(gx_borrowed self) {
    return gx_is_array(self) ? (gx_namespace)gx_as_array(self)->ns : GX_NS_NUMPY;
}

static bool get_shape(gx_rt *rt, gx_borrowed self, gx_value *out) {
    if (!gx_is_array(self)) return gx_tuple_ints(rt, 0, NULL, out);
    return gx_tuple_ints(rt, gx_as_array(self)->ndim, gx_shape(gx_as_array(self)), out);
}

/* A class whose arrays have something of their shape (a mask) hears of another one. */
static bool told_of_shape(gx_rt *rt, gx_borrowed self) {
    gx_value ignored;
    const gx_try told = gx_is_class_array(self)
                            ? gx_special(rt, self, "__array_shaped__", 0, NULL, &ignored)
                            : GX_TRY_NO;
    if (told == GX_TRY_YES) gx_drop(ignored);
    return told != GX_TRY_ERROR;
}

/* In place, where the header has room for the new shape and no element moves. */
static bool set_shape(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    if (!gx_is_array(self))
        return gx_fail(rt, GX_AttributeError, "attr.readonly", "a scalar's shape cannot be set");
    gx_array *a = gx_as_array(self), *r = NULL;
    int ndim;
    int64_t shape[GX_MAX_DIMS];
    if (!gx_shape_of(rt, value, GX_SIZES_REST, "shape", &ndim, shape) ||
        !gx_use_none(rt, &a->obj, NULL) || !gx_reshape(rt, a, ndim, shape, 'C', &r))
        return false;
    bool view = r->storage == a->storage, room = gx_array_has_room(a, r->ndim);
    if (view && room) gx_array_become(a, r);
    gx_array_drop(r);
    if (view && room) return told_of_shape(rt, self);
    gx_fail(rt, GX_AttributeError, "attr.shape",
            view ? "an array made with fewer axes can be given 4 in place"
                 : "Incompatible shape for in-place modification");
    return gx_help(rt, "x = x.reshape(shape)");
}

static bool get_dtype(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_dtype_value(gx_is_array(self) ? gx_as_array(self)->dtype : gx_scalar_dtype(self));
    return true;
}

/* The same bytes as something else. */
static bool set_dtype(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    gx_dtype d;
    if (!gx_is_array(self))
        return gx_fail(rt, GX_AttributeError, "attr.readonly", "a scalar's dtype cannot be set");
    gx_array *a = gx_as_array(self);
    if (!gx_dtype_of(rt, value, &d)) return false;
    if (gx_dtype_size(d) == 0) d = (gx_dtype)a->dtype; /* text as wide as it is */
    if (gx_dtype_size(d) != gx_dtype_size(a->dtype)) {
        gx_fail(rt, GX_ValueError, "view.size",
                "a dtype that is set in place has elements of the same size: %lld bytes, not %lld",
                (long long)gx_dtype_size(a->dtype), (long long)gx_dtype_size(d));
        return gx_help(rt, "x = x.view(dtype)");
    }
    if (d != a->dtype && (!gx_use_none(rt, &a->obj, NULL) || !gx_array_ready(rt, a))) return false;
    a->dtype = (uint16_t)d;
    return true;
}

static bool get_ndim(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(gx_is_array(self) ? gx_as_array(self)->ndim : 0);
    return true;
}

static bool get_size(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(gx_is_array(self) ? gx_as_array(self)->count : 1);
    return true;
}

static int64_t item_size(gx_borrowed self) {
    return gx_dtype_size(gx_is_array(self) ? gx_as_array(self)->dtype : gx_scalar_dtype(self));
}

static bool get_itemsize(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(item_size(self));
    return true;
}

static bool get_nbytes(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(item_size(self) * (gx_is_array(self) ? gx_as_array(self)->count : 1));
    return true;
}

static bool get_strides(gx_rt *rt, gx_borrowed self, gx_value *out) {
    if (!gx_is_array(self)) return gx_tuple_ints(rt, 0, NULL, out);
    return gx_tuple_ints(rt, gx_as_array(self)->ndim, gx_strides(gx_as_array(self)), out);
}

static bool get_t(gx_rt *rt, gx_borrowed self, gx_value *out) {
    if (!gx_is_array(self)) {
        *out = gx_keep(self);
        return true;
    }
    gx_np s = gx_np_begin_at(rt, namespace_of(self));
    return gx_np_give_array(&s, gx_np_transposed(&s, own_array(&s, self)), out);
}

static bool get_mt(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_np s = gx_np_begin_at(rt, namespace_of(self));
    gx_array *a = own_array(&s, self);
    if (a && a->ndim < 2)
        return gx_np_end(&s, gx_fail(rt, GX_ValueError, "transpose.axes",
                                     "matrix transpose with ndim < 2 is undefined"));
    return gx_np_give_array(&s, a ? gx_np_swapaxes(&s, a, a->ndim - 2, a->ndim - 1) : NULL, out);
}

gx_array *gx_np_part(gx_np *s, gx_array *a, int part) {
    if (!a) return NULL;
    gx_dtype d = gx_real_dtype((gx_dtype)a->dtype);
    gx_array *r = NULL;
    return gx_array_view(s->rt, a, d, a->ndim, gx_shape(a), gx_strides(a),
                         a->offset + part * gx_dtype_size(d), &r)
               ? gx_np_own(s, r)
               : NULL;
}

static bool get_part(gx_rt *rt, gx_borrowed self, int part, gx_value *out) {
    gx_np s = gx_np_begin_at(rt, namespace_of(self));
    gx_array *a = own_array(&s, self);
    if (!a) return gx_np_end(&s, false);
    if (gx_dtype_kind(a->dtype) == GX_KIND_CPLX)
        return give_like(&s, self, gx_np_part(&s, a, part), out);
    if (part == 1) {
        gx_array *zeros = gx_np_zeros(&s, (gx_dtype)a->dtype, a->ndim, gx_shape(a));
        a = zeros ? gx_np_as_fortran(&s, zeros, a) : NULL;
        if (a) a->flags |= GX_ARRAY_READONLY;
    }
    return give_like(&s, self, a, out);
}

static bool get_real(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return get_part(rt, self, 0, out);
}
static bool get_imag(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return get_part(rt, self, 1, out);
}

static bool set_part(gx_rt *rt, gx_borrowed self, int part, gx_borrowed value) {
    if (!gx_is_array(self))
        return gx_fail(rt, GX_AttributeError, "attr.readonly", "a scalar cannot be changed");
    gx_array *a = gx_as_array(self);
    bool complex = gx_dtype_kind(a->dtype) == GX_KIND_CPLX;
    if (part == 1 && !complex)
        return gx_fail(rt, GX_TypeError, "dtype.real",
                       "Cannot set imaginary part of non-complex array.");
    gx_np s = gx_np_begin_at(rt, namespace_of(self));
    gx_array *from = gx_np_arr(&s, value), *to = complex ? gx_np_part(&s, a, part) : a;
    return gx_np_end(&s, from && to && gx_array_store(rt, to, from));
}

static bool set_real(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    return set_part(rt, self, 0, value);
}
static bool set_imag(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    return set_part(rt, self, 1, value);
}

static bool get_base(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    gx_array *base = gx_is_array(self) ? gx_as_array(self)->base : NULL;
    *out = base ? gx_keep(gx_np_value(base)) : gx_none();
    return true;
}

static bool get_flags(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_np s = gx_np_begin_at(rt, namespace_of(self));
    gx_array *a = own_array(&s, self);
    return gx_np_end(&s, a && gx_np_flags_new(rt, a, out));
}

static bool get_flat(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_np s = gx_np_begin_at(rt, namespace_of(self));
    gx_array *a = own_array(&s, self);
    return gx_np_end(&s, a && gx_np_flat_new(rt, a, out));
}

static bool set_flat(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    if (!gx_is_array(self))
        return gx_fail(rt, GX_AttributeError, "attr.readonly", "a scalar cannot be changed");
    return gx_np_flat_assign(rt, gx_as_array(self), value);
}

static bool get_device(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_gpu_info info;
    bool there = false;
    bool host = gx_is_array(self) && gx_as_array(self)->ns == GX_NS_NUMPY && !rt->gpu_numpy;
    if (!host && !gx_gpu_there(rt, &there)) return false;
    if (!there) return gx_str_c(rt, "cpu", out);
    return gx_gpu_facts(rt, &info) && gx_cuda_device(rt, info.index, out);
}

static bool get_numerator(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(self);
    return true;
}
static bool get_denominator(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    (void)self;
    *out = gx_int(1);
    return true;
}

const gx_member gx_np_integer_members[] = {
    {"numerator", get_numerator, NULL, "The value itself."},
    {"denominator", get_denominator, NULL, "1."},
    {.name = NULL},
};

const gx_member gx_np_members[] = {
    {"shape", get_shape, set_shape, "Sizes of the axes, a tuple."},
    {"dtype", get_dtype, set_dtype, "The type of the elements."},
    {"ndim", get_ndim, NULL, "Number of axes."},
    {"size", get_size, NULL, "How many elements."},
    {"itemsize", get_itemsize, NULL, "Bytes of one element."},
    {"nbytes", get_nbytes, NULL, "Bytes of all elements."},
    {"strides", get_strides, NULL, "Bytes from one element to the next along each axis."},
    {"T", get_t, NULL, "Axes reversed, as a view."},
    {"mT", get_mt, NULL, "Transposes matrices: a view with the last two axes swapped."},
    {"real", get_real, set_real, "The real part, as a view."},
    {"imag", get_imag, set_imag, "The imaginary part, as a view."},
    {"base", get_base, NULL, "The array whose elements these are, or None."},
    {"flags", get_flags, NULL, "Facts about the layout."},
    {"flat", get_flat, set_flat, "The elements in one dimension."},
    {"device", get_device, NULL, "Where the elements live."},
    {.name = NULL},
};
