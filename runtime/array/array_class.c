/* Instances of a script's classes below ndarray: their birth, what their class
   says of new arrays (__array_finalize__, __array_wrap__), and ndarray(...) itself.

   Invariant: the attributes lie behind the room for sizes and strides, which never changes. */
#include "runtime/array/array_class.h"

#include <string.h>

#include "runtime/array/shape.h"
#include "runtime/graph/lazy.h"
#include "runtime/object/class/hooks.h"
#include "runtime/object/container/list.h"
#include "runtime/object/heap.h"
#include "runtime/object/still.h"
#include "runtime/object/text/str.h"

/* --- birth ------------------------------------------------------------------------------------ */

/* The array's head under another type; *out has the references of a view. */
static bool head_of(gx_rt *rt, gx_array *a, const gx_type *type, gx_array **out) {
    size_t extra = type->heap ? 16 + sizeof(gx_apart) + sizeof(gx_part) : 0;
    gx_array *r = gx_array_head_as(rt, type, extra, a->storage,
                                   (gx_dtype)a->dtype, a->ndim, (gx_namespace)a->ns);
    if (!r) return false;
    gx_array_become(r, a);
    r->flags = a->flags;
    *out = r;
    return true;
}

static void set_base(gx_array *r, gx_array *a) {
    r->base = a->base ? a->base : a;
    gx_array_keep(r->base);
}

bool gx_array_plain(gx_rt *rt, gx_array *a, gx_array **out) {
    if (!head_of(rt, a, &gx_type_array, out)) return false;
    set_base(*out, a);
    return true;
}

static bool make_instance(gx_rt *rt, gx_array *a, const gx_type *cls, gx_array **out) {
    gx_array *r;
    if (!head_of(rt, a, cls, &r)) return false;
    gx_part *part = gx_part_of(&r->obj);
    gx_apart *apart = (gx_apart *)(void *)part - 1;
    memset(apart, 0, sizeof *apart + sizeof *part);
    apart->head.obj.type = &gx_type_apart;
    apart->owner = &r->obj;
    gx_obj_keep(&gx_class_of(cls)->head.obj);
    /* A result that nobody else has is the instance's own. */
    if (a->base || a->obj.refs > 1 || a->obj.type->heap) set_base(r, a);
    gx_container_track(rt, &apart->head);
    *out = r;
    return true;
}

bool gx_array_as_take(gx_rt *rt, gx_array *a, const gx_type *cls, gx_borrowed like, gx_value *out) {
    gx_array *r;
    bool ok = true;
    if (!cls->heap) {
        if (a->obj.type->heap) {
            ok = gx_array_plain(rt, a, &r);
            gx_array_drop(a);
            a = r;
        }
        if (ok) *out = gx_array_value(a);
        return ok;
    }
    ok = make_instance(rt, a, cls, &r);
    gx_array_drop(a);
    if (!ok) return false;
    gx_value v = gx_array_value(r), ignored;
    gx_keep(like);
    gx_try told = gx_special(rt, v, "__array_finalize__", 1, &like, &ignored);
    gx_drop(like);
    if (told == GX_TRY_YES) gx_drop(ignored);
    if (told == GX_TRY_ERROR) {
        gx_drop(v);
        return false;
    }
    *out = v;
    return true;
}

bool gx_array_like_take(gx_rt *rt, gx_borrowed self, gx_value result, gx_value *out) {
    if (result.tag == GX_ARRAY && !result.obj->type->heap && gx_is_class_array(self) &&
        gx_type_is(result.obj->type, &gx_type_array)) /* no record */
        return gx_array_as_take(rt, gx_as_array(result), self.obj->type, self, out);
    *out = result;
    return true;
}

bool gx_array_wrap_take(gx_rt *rt, gx_borrowed like, gx_array *a, gx_borrowed context, bool scalar,
                        gx_value *out) {
    gx_value args[3] = {gx_array_value(a), context, gx_bool(scalar)};
    gx_try own = gx_special(rt, like, "__array_wrap__", 3, args, out);
    if (own == GX_TRY_NO) return gx_array_like_take(rt, like, args[0], out);
    gx_array_drop(a);
    return own == GX_TRY_YES;
}

/* --- ndarray(shape, dtype, buffer, offset, strides, order) ------------------------------------ */

/* The bytes that a buffer argument has: an array's own, or a copy of bytes that cannot be written.
 */
static bool buffer_of(gx_call *c, gx_array **out) {
    gx_value v = c->argv[2];
    if (v.tag == GX_ARRAY) {
        gx_array *a = gx_as_array(v);
        int64_t n = gx_array_nbytes(a), step = 1;
        if (!gx_array_is_contiguous(a, 'C') && !gx_array_is_contiguous(a, 'F'))
            return gx_fail(c->rt, GX_ValueError, "array.buffer", "ndarray is not C-contiguous");
        return gx_array_view(c->rt, a, GX_u8, 1, &n, &step, a->offset, out);
    }
    if (v.tag != GX_BYTES) return gx_arg_wrong(c, 2, "an array or bytes");
    int64_t n = (int64_t)gx_as_str(v)->length;
    char *to;
    if (!gx_array_empty(c->rt, GX_u8, 1, &n, c->ns, out)) return false;
    if (!gx_array_write(c->rt, *out, &to)) {
        gx_array_drop(*out);
        return false;
    }
    memcpy(to, gx_as_str(v)->text, (size_t)n);
    (*out)->flags |= GX_ARRAY_READONLY;
    return true;
}

/* The bytes from the first to behind the last element; false: more than there can be. */
static bool extent(int ndim, const int64_t *shape, const int64_t *strides, int64_t item,
                   int64_t *low, int64_t *high) {
    *low = 0;
    *high = item;
    for (int i = 0; i < ndim; i++) {
        int64_t reach;
        if (shape[i] == 0) {
            *high = *low = 0;
            return true;
        }
        if (__builtin_mul_overflow(strides[i], shape[i] - 1, &reach) ||
            __builtin_add_overflow(reach, reach < 0 ? *low : *high, reach < 0 ? low : high))
            return false;
    }
    return true;
}

static bool strides_arg(gx_call *c, int ndim, int64_t *strides) {
    const gx_value *items;
    int64_t n;
    GX_STILL(own);
    if (!gx_still_items(c->rt, c->argv[4], &own, &items, &n)) return false;
    if (n != ndim)
        return gx_fail(c->rt, GX_ValueError, "array.strides",
                       "strides, if given, must be the same length as shape");
    for (int i = 0; i < ndim; i++)
        if (gx_as_index(c->rt, items[i], &strides[i]) != GX_TRY_YES)
            return gx_arg_wrong(c, 4, "a tuple of ints");
    return true;
}

static bool make(gx_call *c, gx_array **out) {
    gx_dtype d = GX_f64;
    int64_t shape[GX_MAX_DIMS], strides[GX_MAX_DIMS], offset = 0, count, low, high;
    int ndim;
    char order = 'C';
    if (!gx_shape_of(c->rt, c->argv[0], GX_SIZES_PLAIN, "shape", &ndim, shape)) return false;
    if (gx_arg_some(c, 1) && !gx_dtype_of(c->rt, c->argv[1], &d)) return false;
    if (gx_arg_given(c, 3) && !gx_arg_int(c, 3, &offset)) return false;
    if (c->argv[5].tag == GX_STR) order = (char)(gx_as_str(c->argv[5])->text[0] & ~0x20);
    if (order != 'C' && order != 'F')
        return gx_fail(c->rt, GX_ValueError, "arg.order", "order must be one of 'C' and 'F'");
    int64_t item = gx_dtype_size(d);
    if (!gx_shape_count(c->rt, ndim, shape, item, &count)) return false;
    if (!gx_arg_some(c, 2)) {
        if (gx_arg_some(c, 4))
            return gx_fail(c->rt, GX_ValueError, "array.strides",
                           "strides without a buffer; gx arrays lay out their own elements");
        return order == 'C' ? gx_array_empty(c->rt, d, ndim, shape, c->ns, out)
                            : gx_array_empty_f(c->rt, d, ndim, shape, c->ns, out);
    }
    if (gx_arg_some(c, 4)) {
        if (!strides_arg(c, ndim, strides)) return false;
    } else {
        gx_contiguous_strides(ndim, shape, item, order, strides);
    }
    gx_array *bytes;
    if (!buffer_of(c, &bytes)) return false;
    bool fits = extent(ndim, shape, strides, item, &low, &high) && offset >= 0 &&
                offset <= bytes->count && low >= -offset && high <= bytes->count - offset;
    bool ok = fits || gx_fail(c->rt, GX_TypeError, "array.buffer",
                              gx_arg_some(c, 4) ? "strides is incompatible with shape of requested "
                                                  "array and size of buffer"
                                                : "buffer is too small for requested array");
    ok = ok && gx_array_view(c->rt, bytes, d, ndim, shape, strides, bytes->offset + offset, out);
    gx_array_drop(bytes);
    return ok;
}

static bool ndarray_fn(gx_call *c, gx_value *out) {
    gx_array *a;
    if (!make(c, &a)) return false;
    return gx_array_as_take(c->rt, a, c->type ? c->type : &gx_type_array, gx_none(), out);
}

const gx_native gx_ndarray_native = {
    .name = "ndarray",
    .sig = "ndarray(shape, dtype=<no value>, buffer=None, offset=0, strides=None, order=None)",
    .doc = "An array of uninitialised elements, or a view of a buffer's bytes.",
    .example = "np.ndarray((2,), dtype='i2', buffer=np.array([1, 2], 'i2'))  # [1 2]",
    .fn = ndarray_fn};

static bool construct(gx_rt *rt, const gx_type *cls, int argc, const gx_borrowed *argv, int kwc,
                        const gx_sym *kw, gx_value *out) {
    gx_namespace ns = GX_NS_GX;
    for (int d = 0; d <= GX_NS_CUPY; d++)
        if (gx_plain_type(cls) == gx_array_type((gx_namespace)d)) ns = (gx_namespace)d;
    return gx_native_call(rt, &gx_ndarray_native, ns, cls, argc, argv, kwc, kw, out);
}

static bool copy(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_array *a;
    return gx_array_copy(rt, gx_as_array(self), 'K', &a) &&
           gx_array_as_take(rt, a, self.obj->type, self, out);
}

static size_t bytes(const gx_obj *obj) {
    return gx_array_bytes((const gx_array *)(const void *)obj);
}

const gx_subclassing gx_array_subclassing = {construct, copy, gx_array_like_take, bytes};
