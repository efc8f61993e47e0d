/* Rarer methods of arrays: byteswap, compress, resize, to_device. */
#include <string.h>

#include "runtime/op/whole.h"
#include "stdlib/numpy/base/call.h"

extern const gx_native gx_np_methods_more[];

/* The bytes of n elements, each turned around. */
static void swap_bytes(uint8_t *p, int64_t n, int64_t item) {
    for (int64_t i = 0; i < n; i++, p += item)
        for (int64_t k = 0; k < item / 2; k++) {
            uint8_t t = p[k];
            p[k] = p[item - 1 - k];
            p[item - 1 - k] = t;
        }
}

/* The bytes of a fresh array's numbers on a GPU, by shifts of whole numbers: halves change places,
   then halves of halves. */
static gx_array *swapped_there(gx_np *s, gx_array *a, int64_t item) {
    static const int64_t masks[] = {0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0x00000000FFFFFFFF};
    const gx_dtype u = item == 8 ? GX_u64 : item == 4 ? GX_u32 : GX_u16;
    const int64_t n = a->count * gx_dtype_size(a->dtype) / item;
    gx_array *bits, *r;
    if (!gx_array_view(s->rt, a, u, 1, &n, &item, a->offset, &bits)) return NULL;
    gx_array *v = gx_np_own(s, bits);
    for (int k = 0; v && (1 << k) < item; k++) {
        gx_array *by = gx_np_weak_int(s, u, INT64_C(8) << k);
        const int64_t most = item == 8 ? INT64_MAX : (INT64_C(1) << 8 * item) - 1;
        gx_array *mask = gx_np_weak_int(s, u, masks[k] & most);
        gx_array *high = gx_np_op2(s, GX_OP_right_shift, v, by);
        gx_array *low = gx_np_op2(s, GX_OP_bitwise_and, v, mask);
        high = gx_np_op2(s, GX_OP_bitwise_and, high, mask);
        low = gx_np_op2(s, GX_OP_left_shift, low, by);
        v = gx_np_op2(s, GX_OP_bitwise_or, high, low);
    }
    return v && gx_array_view(s->rt, v, (gx_dtype)a->dtype, a->ndim, gx_shape(a), gx_strides(a),
                              v->offset, &r)
               ? gx_np_own(s, r)
               : NULL;
}

static bool byteswap_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    bool inplace;
    if (!a || !gx_arg_bool(c, 1, &inplace)) return gx_np_end(&s, false);
    if (inplace && !gx_is_array(c->argv[0]))
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "byteswap.scalar",
                                     "cannot byteswap a scalar in-place"));
    bool cplx = gx_dtype_kind(a->dtype) == GX_KIND_CPLX; /* its parts, each */
    gx_array *r = gx_np_fresh(&s, a, GX_NO_DTYPE);
    int64_t item = gx_dtype_size(a->dtype) / (cplx ? 2 : 1);
    if (r && gx_array_is_away(c->rt, r)) {
        if (item > 1) r = swapped_there(&s, r, item);
        if (!r) return gx_np_end(&s, false);
    } else {
        uint8_t *data = gx_np_data_write(&s, r);
        if (!data) return gx_np_end(&s, false);
        swap_bytes(data, r->count * (cplx ? 2 : 1), item);
    }
    if (!inplace)
        return gx_is_array(c->argv[0]) ? gx_np_give_array(&s, gx_np_as_fortran(&s, r, a), out)
                                       : gx_np_give(&s, r, out);
    if (!gx_array_store(c->rt, a, r)) return gx_np_end(&s, false);
    return gx_np_give_array(&s, a, out);
}

static bool compress_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    const gx_value argv[4] = {c->argv[1], c->argv[0], c->argv[2], c->argv[3]};
    return gx_np_end(&s, gx_np_call(&s, "compress", 4, argv, out));
}

/* The header takes over another array's storage and layout, as far as it has room. */
static bool become(gx_np *s, gx_array *a, gx_array *r) {
    if (!gx_array_has_room(a, r->ndim)) {
        gx_fail(s->rt, GX_ValueError, "resize.axes",
                "resize in place can give an array 4 axes, or as many as it has: not %d", r->ndim);
        return gx_help(s->rt, "x = np.resize(x, shape)");
    }
    if (r == a) return true;
    gx_storage *old = a->storage;
    a->storage = r->storage;
    r->storage = old; /* the scope drops it */
    gx_array_become(a, r);
    return true;
}

/* The elements as they lie in memory, and zeros where there are not enough. */
static gx_array *longer(gx_np *s, gx_array *a, int ndim, const int64_t *shape, char order) {
    int64_t turned[GX_MAX_DIMS];
    for (int i = 0; i < ndim; i++) turned[i] = shape[order == 'F' ? ndim - 1 - i : i];
    gx_array *r = gx_np_zeros(s, (gx_dtype)a->dtype, ndim, turned);
    gx_array *from = order == 'F' ? gx_np_transposed(s, a) : gx_np_keep(s, a);
    if (!r || !from) return NULL;
    int64_t n = a->count < r->count ? a->count : r->count;
    gx_array *to = gx_np_slice(s, gx_np_flat(s, r), 0, 0, 1, n);
    from = gx_np_slice(s, gx_np_flat(s, from), 0, 0, 1, n);
    if (!to || !from || !gx_array_store(s->rt, to, from)) return NULL;
    return order == 'F' ? gx_np_transposed(s, r) : r;
}

/* The new elements become the array's own. Views of the old ones keep those, so that nothing has to
   be looked for; that is what NumPy's refcheck is there for. */
static bool resize_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_as_array(c->argv[0]), *r = NULL;
    int ndim;
    int64_t shape[GX_MAX_DIMS], n;
    gx_value given = c->argv[1];
    const gx_value *items;
    *out = gx_none();
    if (!gx_is_array(c->argv[0])) return gx_np_end(&s, gx_arg_wrong(c, 0, "an array"));
    if (gx_arg_given(c, 2) && !gx_arg_int(c, 2, &n)) return gx_np_end(&s, false);
    const int64_t count = gx_sequence_items(given, &items);
    if (count == 0 || (count == 1 && items[0].tag == GX_NONE)) return gx_np_end(&s, true);
    if (count == 1 && gx_sequence_items(items[0], &items) >= 0)
        given = gx_as_tuple(given)->items[0];
    if (!gx_shape_of(c->rt, given, GX_SIZES_PLAIN, "resize", &ndim, shape) ||
        !gx_shape_count(c->rt, ndim, shape, gx_dtype_size(a->dtype), &n))
        return gx_np_end(&s, false);
    const char order =
        !gx_array_is_contiguous(a, 'C') && gx_array_is_contiguous(a, 'F') ? 'F' : 'C';
    if (!gx_array_is_contiguous(a, order))
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "resize.view",
                                     "resize only works on single-segment arrays"));
    if (!gx_use_none(c->rt, &a->obj, c)) return gx_np_end(&s, false);
    if (n == a->count)
        r = gx_reshape(c->rt, a, ndim, shape, order, &r) ? gx_np_own(&s, r) : NULL;
    else if (a->base)
        gx_fail(c->rt, GX_ValueError, "resize.view",
                "cannot resize this array: it does not own its data");
    else
        r = longer(&s, a, ndim, shape, order);
    return gx_np_end(&s, r && become(&s, a, r));
}

static bool to_device_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    if (!gx_np_device_arg(c, 1)) return gx_np_end(&s, false);
    return gx_np_give_array(&s, gx_np_arr(&s, c->argv[0]), out);
}

const gx_native gx_np_methods_more[] = {
    {"byteswap", "byteswap(self, inplace=False)",
     "Reverses the bytes of each element: big-endian to little-endian and back.",
     "array([1, 256], dtype='i2').byteswap()  # [256   1]", byteswap_fn, 0, 0},
    {"compress", "compress(self, condition, axis=None, out=None)",
     "The slices along an axis at which the 1-d condition is true.",
     "array([1, 2, 3]).compress([True, False, True])  # [1 3]", compress_fn, 0, 0},
    {"resize", "resize(self, *new_shape, refcheck=True)",
     "Changes the array's shape in place: surplus elements are dropped, missing ones are zeros.",
     "x = arange(3); x.resize(2, 2); x  # [[0 1] [2 0]]", resize_fn, 0, 0},
    {"to_device", "to_device(self, device, /, *, stream=None)",
     "The array on a device; NumPy arrays know only \"cpu\".", "array([1]).to_device('cpu')  # [1]",
     to_device_fn, GX_NATIVE_HOST, 0},
    {.name = NULL},
};
