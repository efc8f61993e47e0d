/* Arithmetic on numbers beyond runtime/object/number/number.h: the hash rule that makes equal
   numbers hash equal, float division, powers, comparison across kinds. Used by operators.c and by
   stdlib's math. */
#ifndef GX_RUNTIME_OBJECT_NUMBER_INT_OPS_H
#define GX_RUNTIME_OBJECT_NUMBER_INT_OPS_H

#include "runtime/object/native.h"
#include "runtime/object/number/number.h"

/* Python's hashes: the value modulo 2^61 - 1, signed; -1 becomes -2. */
uint64_t gx_hash_double(double x);
uint64_t gx_hash_bigint(gx_borrowed v);
static inline uint64_t gx_hash_int(int64_t i) {
    const int64_t modulus = ((int64_t)1 << 61) - 1;
    if (i >= modulus || i <= -modulus) i %= modulus;
    return (uint64_t)(i == -1 ? -2 : i);
}

static inline bool gx_is_int(gx_borrowed v) {
    return v.tag == GX_INT || v.tag == GX_BOOL || v.tag == GX_BIGINT;
}
/* The inline value of an int or bool. */
static inline int64_t gx_small_int(gx_borrowed v) {
    return v.tag == GX_BOOL ? (int64_t)v.b : v.i;
}
/* Python's float // and %: the quotient rounded down, the remainder with y's sign; y is not 0. */
void gx_float_divmod(double x, double y, double *quotient, double *remainder);
/* Order of an int of any size and a float that is no nan: exact. */
int gx_int_compare_double(gx_borrowed a, double b);
GX_CHECK bool gx_int_divmod(gx_rt *rt, gx_borrowed a, gx_borrowed b, gx_value *quotient,
                            gx_value *remainder);
/* pow(a, b, m) on ints; m is not UNDEF. */
GX_CHECK bool gx_int_powmod(gx_rt *rt, gx_borrowed a, gx_borrowed b, gx_borrowed m, gx_value *out);
GX_CHECK bool gx_int_neg(gx_rt *rt, gx_borrowed a, gx_value *out);
GX_CHECK bool gx_int_invert(gx_rt *rt, gx_borrowed a, gx_value *out);
/* abs() of an int of any size. */
GX_CHECK bool gx_int_abs(gx_rt *rt, gx_borrowed a, gx_value *out);
/* Number of bits of |a|. */
int64_t gx_int_bits(gx_borrowed a);
/* round(x, digits) for ints (digits may be negative) and floats, half to even. */
GX_CHECK bool gx_int_round(gx_rt *rt, gx_borrowed a, int64_t digits, gx_value *out);
GX_CHECK bool gx_float_round(gx_rt *rt, double x, int64_t digits, double *out);
/* float op float, as Python: ZeroDivisionError, OverflowError; a negative base with a fractional
   power gives a complex number. */
/* A power that gx_float_power_is_complex is nan. */
GX_CHECK bool gx_float_binary(gx_rt *rt, gx_binop op, double a, double b, gx_value *out);
bool gx_float_power_is_complex(double a, double b);
GX_CHECK bool gx_complex_binary(gx_rt *rt, gx_binop op, double ar, double ai, double br, double bi,
                                gx_value *out);
/* Reads [p, end) as float() does, without white space around it. GX_TRY_NO: it is no number. */
gx_try gx_float_parse(gx_rt *rt, const char *p, const char *end, double *out);
/* The methods and members of the number types. */
extern const gx_native gx_int_methods[], gx_float_methods[], gx_complex_methods[];
extern const gx_member gx_int_members[], gx_float_members[], gx_complex_members[];
extern const gx_native gx_int_construct, gx_float_construct, gx_complex_construct,
    gx_bool_construct;
/* Static functions of int, float: from_bytes, fromhex. */
extern const gx_native gx_int_statics[], gx_float_statics[];

#endif
