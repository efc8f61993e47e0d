/* Numbers that are objects (big integers, complex), range and slice. Ints are int64 inline; a
   result outside becomes a GX_BIGINT and comes back inline when it fits. */
#ifndef GX_RUNTIME_OBJECT_NUMBER_NUMBER_H
#define GX_RUNTIME_OBJECT_NUMBER_NUMBER_H

#include "runtime/object/object.h"

enum { GX_BIGINT_MAX_BITS = 1 << 24 }; /* larger results are OverflowError */

typedef struct gx_bigint {
    gx_obj obj;
    bool negative;
    uint32_t count;
    uint32_t digits[]; /* base 2^32, least first, no leading zero */
} gx_bigint;
typedef struct gx_complex {
    gx_obj obj;
    double re, im;
} gx_complex;
typedef struct gx_range {
    gx_obj obj;
    int64_t start, stop, step, count;
} gx_range;
typedef struct gx_slice {
    gx_container head;
    gx_value start, stop, step;
} gx_slice;

GX_CHECK bool gx_complex_new(gx_rt *rt, double re, double im, gx_value *out);
GX_CHECK bool gx_range_new(gx_rt *rt, int64_t start, int64_t stop, int64_t step, gx_value *out);
GX_CHECK bool gx_slice_new(gx_rt *rt, gx_borrowed start, gx_borrowed stop, gx_borrowed step,
                           gx_value *out);
/* Python's rule for a slice of a sequence of n items: first index, step, and how many. */
GX_CHECK bool gx_slice_indices(gx_rt *rt, gx_borrowed slice, int64_t n, int64_t *start,
                               int64_t *step, int64_t *count);
/* The slice with its bounds' __index__ called, in Python's order: what a length that this code may
   change is held against afterwards. */
GX_CHECK bool gx_slice_plain(gx_rt *rt, gx_borrowed slice, gx_value *out);
/* TypeError: what a slice holds is no integer and not None. */
GX_CHECK bool gx_slice_refused(gx_rt *rt);
/* As gx_slice_indices, but the clamped stop instead of the count: slice.indices(n). */
GX_CHECK bool gx_slice_bounds(gx_rt *rt, gx_borrowed slice, int64_t n, int64_t *start,
                              int64_t *stop, int64_t *step);
/* 0 to 35; 99: it is no digit of any base. */
static inline int gx_digit_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'z' ? c - 'a' + 10 : 99;
}
/* An int from digits in a base (2 … 36, '_' not allowed), of any size. */
GX_CHECK bool gx_int_parse(gx_rt *rt, const char *digits, size_t length, int base, gx_value *out);
/* An int from a double (truncated; OverflowError, ValueError for inf, nan) or from uint64. */
GX_CHECK bool gx_int_from_double(gx_rt *rt, double x, gx_value *out);
GX_CHECK bool gx_int_from_u64(gx_rt *rt, uint64_t x, gx_value *out);
/* int or bool or bigint as a double (OverflowError). */
GX_CHECK bool gx_int_to_double(gx_rt *rt, gx_borrowed v, double *out);
/* The value modulo 2^64 and whether it fits uint64 / is negative: for array elements. */
bool gx_bigint_u64(gx_borrowed v, uint64_t *out);
/* Arithmetic on int-like values (bool, int, bigint). Python's meaning. */
GX_CHECK bool gx_int_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out);
int gx_int_compare(gx_borrowed a, gx_borrowed b);
GX_CHECK bool gx_int_text(gx_rt *rt, gx_borrowed v, int base, gx_buf *out);
/* A real or complex number's parts: None, False when v is no Python number or NumPy scalar. */
gx_try gx_as_double(gx_rt *rt, gx_borrowed v, double *out);
gx_try gx_as_complex(gx_rt *rt, gx_borrowed v, double *re, double *im);
/* What an instance's __int__, __index__ … gives, which must be an int. */
gx_try gx_special_int(gx_rt *rt, gx_borrowed v, const char *name, gx_value *out);
/* Any int-like value as an int of any size, owned: int, bool, integer scalars, __index__. */
gx_try gx_as_integer(gx_rt *rt, gx_borrowed v, gx_value *out);
/* As gx_as_index, but what lies outside int64 becomes its nearest: bounds of slices. */
gx_try gx_as_bound(gx_rt *rt, gx_borrowed v, int64_t *out);

/* complex64 or complex128? */
bool gx_is_complex_scalar(gx_borrowed v);
/* The real part of one, as int() and float() take it: with NumPy's ComplexWarning. */
GX_CHECK bool gx_scalar_real_part(gx_rt *rt, gx_borrowed v, double *out);

#endif
