/* Text of arrays, exactly NumPy's: repr, str, array2string, and the print options. Only the edge
   items of a summarised array are ever computed. */
#ifndef GX_RUNTIME_ARRAY_PRINT_H
#define GX_RUNTIME_ARRAY_PRINT_H

#include "runtime/array/array.h"

enum { GX_PRINT_TEXT = 16 };

typedef enum gx_floatmode {
    GX_FLOAT_FIXED,
    GX_FLOAT_UNIQUE,
    GX_FLOAT_MAXPREC,
    GX_FLOAT_MAXPREC_EQUAL
} gx_floatmode;

/* numpy.set_printoptions. */
typedef struct gx_printopts {
    int64_t precision, threshold, edgeitems, linewidth;
    bool suppress;
    char sign; /* '-', '+' or ' ' */
    uint8_t floatmode;
    char nanstr[GX_PRINT_TEXT], infstr[GX_PRINT_TEXT];
    /* Functions that write an element, by kind name; a dict or None. Owned. */
    gx_value formatter;
} gx_printopts;

extern const gx_printopts gx_printopts_default;
/* The current options. */
gx_printopts gx_print_options(gx_rt *rt);
/* Replaces the current options; formatter is kept. */
GX_CHECK bool gx_print_set_options(gx_rt *rt, const gx_printopts *o);
void gx_print_free(gx_rt *rt);

/* The `repr` and `str` slots of arrays: "array([1, 2], dtype=int8)" and "[1 2]". */
GX_CHECK bool gx_array_repr(gx_rt *rt, const gx_array *a, gx_buf *out);
GX_CHECK bool gx_array_str(gx_rt *rt, const gx_array *a, gx_buf *out);
/* repr with options of the caller. */
GX_CHECK bool gx_array_repr_with(gx_rt *rt, const gx_array *a, const gx_printopts *o, gx_buf *out);
/* The brackets alone; prefix and suffix are only measured. */
GX_CHECK bool gx_array_to_string(gx_rt *rt, const gx_array *a, const gx_printopts *o,
                                 const char *separator, size_t prefix, size_t suffix, gx_buf *out);

/* How the numbers of one array are written; filled in by gx_float_format_new. */
typedef struct gx_float_format {
    gx_rt *rt;
    const gx_printopts *options;
    int bytes; /* 2, 4 or 8: the precision meant */
    bool exponent, unique, keep_zeros;
    char sign;
    int precision, min_digits, pad_left, pad_right, exp_size;
} gx_float_format;
/* Looks at n numbers, `stride` doubles apart. */
GX_CHECK bool gx_float_format_new(gx_rt *rt, gx_float_format *f, const gx_printopts *o, char sign,
                                  int bytes, const double *x, int64_t n, int stride);
GX_CHECK bool gx_float_format_write(const gx_float_format *f, double x, gx_buf *out);
/* One number: numpy.format_float_positional and _scientific. precision -1: as many as needed. */
GX_CHECK bool gx_float_positional(gx_buf *out, double x, int bytes, int precision, bool unique,
                                  bool fractional, char trim, bool plus, int pad_left,
                                  int pad_right, int min_digits);
GX_CHECK bool gx_float_scientific(gx_buf *out, double x, int bytes, int precision, bool unique,
                                  char trim, bool plus, int pad_left, int exp_digits,
                                  int min_digits);

#endif
