/* Methods of arrays that are asked for less: byteswap, compress, resize, to_device. */
#include <string.h>

#include "stdlib/np_call_int.h"

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

static bool byteswap_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    bool inplace;
    if (!a || !gx_arg_bool(c, 1, &inplace)) return gx_np_end(&s, false);
    bool cplx = gx_dtype_kind(a->dtype) == GX_KIND_CPLX; /* its parts, each */
    gx_array *r = gx_np_fresh(&s, a, GX_NO_DTYPE);
    uint8_t *data = gx_np_data_write(&s, r);
    if (!data) return gx_np_end(&s, false);
    int64_t item = gx_dtype_size(a->dtype) / (cplx ? 2 : 1);
    swap_bytes(data, r->count * (cplx ? 2 : 1), item);
    if (!inplace || !gx_is_array(c->argv[0]))
        return gx_is_array(c->argv[0]) ? gx_np_give_array(&s, r, out) : gx_np_give(&s, r, out);
    if (!gx_array_store(c->rt, a, r)) return gx_np_end(&s, false);
    return gx_np_give_array(&s, a, out);
}

static bool compress_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    const gx_value argv[4] = {c->argv[1], c->argv[0], c->argv[2], c->argv[3]};
    return gx_np_end(&s, gx_np_call(&s, "compress", 4, argv, out));
}

/* The new elements become the array's own. Views of the old ones keep those, so that nobody has to
   be looked for; that is what NumPy's refcheck is there for. */
static bool resize_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_as_array(c->argv[0]);
    int ndim;
    int64_t shape[GX_MAX_DIMS];
    gx_value given = c->argv[1];
    const gx_value *items;
    if (!gx_is_array(c->argv[0])) return gx_np_end(&s, gx_arg_wrong(c, 0, "an array"));
    if (gx_sequence_items(given, &items) == 1 && gx_sequence_items(items[0], &items) >= 0)
        given = gx_as_tuple(given)->items[0];
    if (!gx_shape_of(c->rt, given, false, "resize", &ndim, shape) || !gx_array_writable(c->rt, a))
        return gx_np_end(&s, false);
    if (a->base)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "resize.view",
                                     "cannot resize this array: it does not own its data"));
    if (ndim > a->ndim) {
        gx_fail(c->rt, GX_ValueError, "resize.axes",
                "resize works in place on as many axes or fewer: the array has %d, the shape %d",
                a->ndim, ndim);
        return gx_np_end(&s, gx_help(c->rt, "x = np.resize(x, shape)"));
    }
    gx_array *r = gx_np_zeros(&s, (gx_dtype)a->dtype, ndim, shape), *from = gx_np_keep(&s, a);
    if (!r) return gx_np_end(&s, false);
    int64_t n = a->count < r->count ? a->count : r->count;
    gx_array *to = gx_np_slice(&s, gx_np_flat(&s, r), 0, 0, 1, n);
    from = gx_np_slice(&s, gx_np_flat(&s, from), 0, 0, 1, n);
    if (!to || !from || !gx_array_store(c->rt, to, from)) return gx_np_end(&s, false);
    gx_cell *old = a->cell;
    a->cell = r->cell;
    r->cell = old;
    a->offset = r->offset;
    a->count = r->count;
    a->ndim = r->ndim;
    memcpy(a->dims, r->dims, 2 * (size_t)r->ndim * sizeof *a->dims);
    r->offset = r->count = 0; /* the scope drops it */
    memset(r->dims, 0, 2 * (size_t)r->ndim * sizeof *r->dims);
    *out = gx_none();
    return gx_np_end(&s, true);
}

static bool to_device_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    if (!gx_np_device_arg(c, 1)) return gx_np_end(&s, false);
    return gx_np_give_array(&s, gx_np_arr(&s, c->argv[0]), out);
}

const gx_native gx_np_methods_more[] = {
    {"byteswap", "byteswap(self, inplace=False)", "The bytes of each element turned around.",
     "array([1, 256], dtype='i2').byteswap()  # [256   1]", byteswap_fn, 0, 0},
    {"compress", "compress(self, condition, axis=None, out=None)",
     "The parts along an axis where a condition is true.",
     "array([1, 2, 3]).compress([True, False, True])  # [1 3]", compress_fn, 0, 0},
    {"resize", "resize(self, *new_shape, refcheck=True)",
     "A new shape in place: elements are cut off, or zeros follow them.", NULL, resize_fn, 0, 0},
    {"to_device", "to_device(self, device, /, *, stream=None)",
     "The array on a device; of the host's arrays there is \"cpu\" alone.",
     "array([1]).to_device('cpu')  # [1]", to_device_fn, 0, 0},
    {.name = NULL},
};
