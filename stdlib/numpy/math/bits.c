/* Bits: packbits, unpackbits. */
#include <string.h>

#include "runtime/base/buf.h"
#include "runtime/device/work.h"
#include "stdlib/numpy/base/scope.h"

extern const gx_native gx_np_bits_functions[];

/* --- packbits --- */

static bool bit_order(gx_call *c, int i, bool *little) {
    const char *text;
    size_t length;
    if (!gx_arg_str(c, i, &text, &length)) return false;
    *little = strcmp(text, "little") == 0;
    return *little || strcmp(text, "big") == 0 ||
           gx_fail(c->rt, GX_ValueError, "bits.order", "'order' must be either 'little' or 'big'");
}

/* The axis moved to the end (no axis: flat), C-contiguous. */
static gx_array *lines(gx_np *s, gx_call *c, gx_array *a, int *axis) {
    if (!a) return NULL;
    if (!gx_arg_some(c, 1)) {
        a = gx_np_flat(s, a->ndim ? a : gx_np_expand(s, a, 1, 1));
        *axis = 0;
        return gx_np_contiguous(s, a);
    }
    if (a->ndim == 0) a = gx_np_expand(s, a, 1, 1);
    if (!a || !gx_np_axis_arg(c, 1, a->ndim, 0, axis)) return NULL;
    return gx_np_contiguous(s, gx_np_moveaxis(s, a, *axis, a->ndim - 1));
}

/* An array like `a` (bytes) but for the last axis, and its bytes. */
static gx_array *like_lines(gx_np *s, gx_array *a, int64_t last, uint8_t **to) {
    int64_t shape[GX_MAX_DIMS];
    memcpy(shape, gx_shape(a), (size_t)a->ndim * sizeof *shape);
    shape[a->ndim - 1] = last;
    gx_array *r = gx_np_empty(s, GX_u8, a->ndim, shape);
    *to = gx_np_data_write(s, r);
    return *to ? r : NULL;
}

/* The last axis back where it was, in C or Fortran order as the operand's. */
static gx_array *placed(gx_np *s, gx_array *r, int axis, const gx_array *given) {
    return gx_np_as_fortran(s, gx_np_moveaxis(s, r, r->ndim - 1, axis), given);
}

/* Up to eight bools as a byte: a multiplication brings their bits together, the last one first. */
static uint8_t packed(const uint8_t *x, int64_t n, bool little) {
    uint64_t eight = 0;
    memcpy(&eight, x, (size_t)n);
    if (!little) eight = __builtin_bswap64(eight);
    return (uint8_t)(eight * UINT64_C(0x0102040810204080) >> 56);
}

static bool packbits_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *given = a;
    bool little;
    int axis;
    uint8_t *to;
    if (!a || !bit_order(c, 2, &little)) return gx_np_end(&s, false);
    if (gx_np_is_float(a->dtype))
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "bits.dtype",
                                     "Expected an input array of integer or boolean data type"));
    a = lines(&s, c, gx_np_cast(&s, a, GX_bool), &axis);
    const uint8_t *x = gx_np_data(&s, a);
    if (!x) return gx_np_end(&s, false);
    int64_t n = gx_shape(a)[a->ndim - 1], bytes = (n + 7) / 8, rows = n ? a->count / n : 0;
    gx_array *r = like_lines(&s, a, bytes, &to);
    if (!r) return gx_np_end(&s, false);
    for (int64_t row = 0; row < rows && !gx_work_stops(c->rt); row++) {
        const uint8_t *from = x + row * n;
        GX_LONG_LOOP(c->rt, i, 0, bytes) {
            const int64_t left = n - 8 * i;
            to[row * bytes + i] = packed(from + 8 * i, left < 8 ? left : 8, little);
        }
    }
    return gx_np_give_array(&s, placed(&s, r, axis, given), out);
}

/* The bits of a byte as eight bools. */
static uint64_t unpacked(uint8_t x, bool little) {
    const uint64_t own = x * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
    const uint64_t bits = (own + UINT64_C(0x00406070787C7E7F)) >> 7 & UINT64_C(0x0101010101010101);
    return little ? bits : __builtin_bswap64(bits);
}

static bool unpackbits_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *given = a;
    bool little;
    int axis;
    uint8_t *to;
    if (!a || !bit_order(c, 3, &little)) return gx_np_end(&s, false);
    if (a->dtype != GX_u8)
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "bits.dtype",
                                     "Expected an input array of unsigned byte data type"));
    a = lines(&s, c, a, &axis);
    if (!a) return gx_np_end(&s, false);
    int64_t n = gx_shape(a)[a->ndim - 1], count = 8 * n, rows = n ? a->count / n : 0;
    if (gx_arg_some(c, 2)) {
        if (c->argv[2].tag == GX_BOOL)
            return gx_np_end(&s, gx_arg_wrong(c, 2, "an integer, not a bool"));
        if (!gx_arg_int(c, 2, &count)) return gx_np_end(&s, false);
        if (count < 0) count += 8 * n;
        if (count < 0)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "bits.count",
                                         "-count larger than number of elements"));
    }
    gx_array *r = like_lines(&s, a, count, &to);
    const uint8_t *x = gx_np_data(&s, a);
    if (!r || !x) return gx_np_end(&s, false);
    if (n == 0) memset(to, 0, (size_t)r->count);
    for (int64_t row = 0; row < rows && !gx_work_stops(c->rt); row++)
        GX_LONG_LOOP(c->rt, i, 0, (count + 7) / 8) {
            const int64_t left = count - 8 * i;
            const uint64_t bits = i < n ? unpacked(x[row * n + i], little) : 0;
            memcpy(to + row * count + 8 * i, &bits, (size_t)(left < 8 ? left : 8));
        }
    return gx_np_give_array(&s, placed(&s, r, axis, given), out);
}

const gx_native gx_np_bits_functions[] = {
    {"packbits", "packbits(a, /, axis=None, bitorder='big')",
     "Packs each eight bools into a uint8.", "packbits([1, 0, 1])  # [160]", packbits_fn, 0, 0},
    {"unpackbits", "unpackbits(a, /, axis=None, count=None, bitorder='big')",
     "The eight bits of each uint8.", "unpackbits(uint8([160]))  # [1 0 1 0 0 0 0 0]",
     unpackbits_fn, 0, 0},
    {.name = NULL},
};
