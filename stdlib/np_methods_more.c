/* Methods of arrays that are asked for less: byteswap, compress, to_device. */
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
    {"to_device", "to_device(self, device, /, *, stream=None)",
     "The array on a device; of the host's arrays there is \"cpu\" alone.",
     "array([1]).to_device('cpu')  # [1]", to_device_fn, 0, 0},
    {.name = NULL},
};
