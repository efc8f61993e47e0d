/* Bits: packbits, unpackbits. */
#include <string.h>

#include "runtime/base/buf.h"
#include "runtime/device/work.h"
#include "runtime/op/whole.h"
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

/* --- where an array lives on a GPU, as operations on eight columns --- */

/* How far each of a byte's eight bits is shifted. */
static gx_array *shifts(gx_np *s, bool little) {
    gx_array *i = gx_np_iota(s, 8);
    return gx_np_cast(s, little ? i : gx_np_op2(s, GX_OP_subtract, gx_np_i64(s, 7), i), GX_u8);
}

/* The last axis in n zeros more, or in fewer elements. */
static gx_array *resized(gx_np *s, gx_array *a, int64_t n) {
    int64_t shape[GX_MAX_DIMS], old = gx_shape(a)[a->ndim - 1];
    if (n <= old) return gx_np_slice(s, a, a->ndim - 1, 0, 1, n);
    memcpy(shape, gx_shape(a), (size_t)a->ndim * sizeof *shape);
    shape[a->ndim - 1] = n - old;
    gx_array *const parts[2] = {a, gx_np_zeros(s, (gx_dtype)a->dtype, a->ndim, shape)};
    return parts[1] ? gx_np_concat(s, 2, parts, a->ndim - 1, (gx_dtype)a->dtype) : NULL;
}

/* The last axis of a as rows of `wide`. */
static gx_array *in_rows(gx_np *s, gx_array *a, int64_t wide) {
    int64_t shape[GX_MAX_DIMS + 1];
    if (!a || a->ndim == GX_MAX_DIMS) return NULL;
    memcpy(shape, gx_shape(a), (size_t)a->ndim * sizeof *shape);
    shape[a->ndim] = wide;
    shape[a->ndim - 1] /= wide;
    return gx_np_reshape(s, a, a->ndim + 1, shape);
}

static gx_array *packed_there(gx_np *s, gx_array *a, int64_t bytes, bool little) {
    gx_array *eight = in_rows(s, resized(s, a, 8 * bytes), 8);
    gx_array *bits = gx_np_op2(s, GX_OP_left_shift, gx_np_cast(s, eight, GX_u8),
                               shifts(s, little));
    return bits ? gx_np_reduce(s, GX_RED_sum, bits, UINT64_C(1) << a->ndim, false, GX_u8) : NULL;
}

static gx_array *unpacked_there(gx_np *s, gx_array *a, int64_t count, bool little) {
    gx_array *bits = gx_np_op2(s, GX_OP_right_shift, in_rows(s, a, 1), shifts(s, little));
    bits = gx_np_op2(s, GX_OP_bitwise_and, bits, gx_np_cast(s, gx_np_i64(s, 1), GX_u8));
    if (!bits) return NULL;
    int64_t shape[GX_MAX_DIMS];
    memcpy(shape, gx_shape(a), (size_t)a->ndim * sizeof *shape);
    shape[a->ndim - 1] *= 8;
    bits = gx_np_reshape(s, bits, a->ndim, shape);
    return bits ? resized(s, bits, count) : NULL;
}

/* Without room for one axis more it is the host's. */
static bool is_there(gx_rt *rt, const gx_array *a) {
    return a->count && a->ndim < GX_MAX_DIMS && gx_array_is_away(rt, a);
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
    if (!a) return gx_np_end(&s, false);
    int64_t n = gx_shape(a)[a->ndim - 1], bytes = (n + 7) / 8, rows = n ? a->count / n : 0;
    if (is_there(c->rt, a)) {
        gx_array *r = packed_there(&s, a, bytes, little);
        return gx_np_give_array(&s, r ? placed(&s, r, axis, given) : NULL, out);
    }
    const uint8_t *x = gx_np_data(&s, a);
    if (!x) return gx_np_end(&s, false);
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
    if (is_there(c->rt, a)) {
        gx_array *r = unpacked_there(&s, a, count, little);
        return gx_np_give_array(&s, r ? placed(&s, r, axis, given) : NULL, out);
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
     "Packs eight bools (bits) into each uint8, along an axis or of the flat array.",
     "packbits([1, 0, 1])  # [160]", packbits_fn, 0, 0},
    {"unpackbits", "unpackbits(a, /, axis=None, count=None, bitorder='big')",
     "Unpacks each uint8 into eight uint8 of 0 or 1, along an axis or of the flat array.",
     "unpackbits(uint8([160]))  # [1 0 1 0 0 0 0 0]", unpackbits_fn, 0, 0},
    {.name = NULL},
};
