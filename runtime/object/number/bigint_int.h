/* Magnitudes: arrays of base-2^32 digits, least first. The arithmetic under int_ops.c. */
#ifndef GX_RUNTIME_OBJECT_NUMBER_BIGINT_INT_H
#define GX_RUNTIME_OBJECT_NUMBER_BIGINT_INT_H

#include "runtime/object/number/int_ops.h"

/* Any int-like value seen as sign and digits (n is 0 for zero). Do not copy: d may point inside. */
typedef struct gx_digits {
    const uint32_t *d;
    size_t n;
    bool negative;
    uint32_t own[2];
} gx_digits;
void gx_digits_of(gx_borrowed v, gx_digits *out);

/* A bigint of n digits to fill in; OverflowError when it is over the cap. */
GX_CHECK gx_bigint *gx_big_raw(gx_rt *rt, size_t n);
/* Trims leading zeros; a value that fits becomes an inline int. b is consumed. */
gx_value gx_big_finish(gx_bigint *b);

int gx_mag_compare(const uint32_t *a, size_t an, const uint32_t *b, size_t bn);
/* r[0 … an] = a + b, an >= bn. */
void gx_mag_add(uint32_t *r, const uint32_t *a, size_t an, const uint32_t *b, size_t bn);
/* r[0 … an-1] = a - b, a >= b. */
void gx_mag_sub(uint32_t *r, const uint32_t *a, size_t an, const uint32_t *b, size_t bn);
/* r[0 … an+bn-1] = a * b; r is neither a nor b. */
GX_CHECK bool gx_mag_mul(gx_rt *rt, uint32_t *r, const uint32_t *a, size_t an, const uint32_t *b,
                         size_t bn);
/* q[0 … an-bn] = a / b, rem[0 … bn-1] = a % b; an >= bn > 0, b's top digit is not 0. */
GX_CHECK bool gx_mag_divmod(gx_rt *rt, uint32_t *q, uint32_t *rem, const uint32_t *a, size_t an,
                            const uint32_t *b, size_t bn);
/* a /= by in place; returns the remainder. */
uint32_t gx_mag_div_small(uint32_t *a, size_t n, uint32_t by);
size_t gx_mag_bits(const uint32_t *a, size_t n);
/* The 64 bits from the top one down, the lowest of them set when anything below is not 0. */
uint64_t gx_mag_top(const uint32_t *a, size_t n);
GX_CHECK bool gx_int_shift_left(gx_rt *rt, gx_borrowed a, uint64_t by, gx_value *out);
GX_CHECK bool gx_int_shift_right(gx_rt *rt, gx_borrowed a, uint64_t by, gx_value *out);
GX_CHECK bool gx_int_bitwise(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out);

#endif
