/* The dtypes: one row each, in NumPy's order of kinds. Everything else about dtypes (the enum, the
   info table, names, CPU loops, CUDA type names, conformance) comes from these rows.

   X(id, NumPy name, kind letter, C storage, computes as, CUDA storage, bytes, letter, fraction,
     half)
   "computes as" is the C type of an operand in an ops.def text. "fraction" counts the bits of a
   float's fraction (of each part, if complex). A "half" is computed in float32 and rounded after
   every step; its text there begins the names of its functions in device.cu. */
#ifndef GX_KERNELS_DTYPES_H
#define GX_KERNELS_DTYPES_H

#include <stdint.h>

#define GX_BOOL_DTYPES(X) X(bool, "bool", 'b', uint8_t, uint8_t, "unsigned char", 1, '?', 0, "")
#define GX_INT_DTYPES(X)                                                                           \
    X(i8, "int8", 'i', int8_t, int8_t, "signed char", 1, 'b', 0, "")                               \
    X(i16, "int16", 'i', int16_t, int16_t, "short", 2, 'h', 0, "")                                 \
    X(i32, "int32", 'i', int32_t, int32_t, "int", 4, 'i', 0, "")                                   \
    X(i64, "int64", 'i', int64_t, int64_t, "long long", 8, 'l', 0, "")
#define GX_UINT_DTYPES(X)                                                                          \
    X(u8, "uint8", 'u', uint8_t, uint8_t, "unsigned char", 1, 'B', 0, "")                          \
    X(u16, "uint16", 'u', uint16_t, uint16_t, "unsigned short", 2, 'H', 0, "")                     \
    X(u32, "uint32", 'u', uint32_t, uint32_t, "unsigned int", 4, 'I', 0, "")                       \
    X(u64, "uint64", 'u', uint64_t, uint64_t, "unsigned long long", 8, 'L', 0, "")
#define GX_HALF_DTYPE(X) X(f16, "float16", 'f', gx_half, float, "__half", 2, 'e', 10, "h")
#define GX_FLOAT_DTYPES(X)                                                                         \
    GX_HALF_DTYPE(X)                                                                               \
    X(f32, "float32", 'f', float, float, "float", 4, 'f', 23, "")                                  \
    X(f64, "float64", 'f', double, double, "double", 8, 'd', 52, "")
#define GX_CPLX_DTYPES(X)                                                                          \
    X(c64, "complex64", 'c', gx_c64, gx_c64, "gx_c64", 8, 'F', 23, "")                             \
    X(c128, "complex128", 'c', gx_c128, gx_c128, "gx_c128", 16, 'D', 52, "")
/* Floats that NumPy has from another package, ml_dtypes, which calls their kind 'V'. */
#define GX_EXTENSION_DTYPES(X)                                                                     \
    X(bf16, "bfloat16", 'V', gx_half, float, "__nv_bfloat16", 2, 'E', 7, "b")
#define GX_ALL_DTYPES(X)                                                                           \
    GX_BOOL_DTYPES(X)                                                                              \
    GX_INT_DTYPES(X) GX_UINT_DTYPES(X) GX_FLOAT_DTYPES(X) GX_CPLX_DTYPES(X) GX_EXTENSION_DTYPES(X)
/* The halves among them. */
#define GX_HALF_DTYPES(X) GX_HALF_DTYPE(X) GX_EXTENSION_DTYPES(X)

/* A half in memory: its bits (half.h). */
typedef struct gx_half {
    uint16_t bits;
} gx_half;
typedef struct gx_c64 {
    float re, im;
} gx_c64;
typedef struct gx_c128 {
    double re, im;
} gx_c128;

typedef enum gx_dtype {
#define X(id, ...) GX_##id,
    GX_ALL_DTYPES(X)
#undef X
    GX_DTYPES,
    GX_NO_DTYPE = GX_DTYPES
} gx_dtype;
/* Numbers from GX_DTYPES on are dtypes whose elements are no numbers; they are made while a program
   runs (runtime/array/kind/kind.h). No low byte of theirs is a number's. */
enum { GX_DTYPE_ROOM = 1 << 12 };
static inline int gx_is_number_dtype(int d) {
    return d < GX_DTYPES;
}
/* GX_HALF_DTYPES(GX_CASE): the labels of a switch that do the same for each of these dtypes. */
#define GX_CASE(id, ...) case GX_##id:

/* Kinds of dtype, in NumPy's order of promotion. */
typedef enum gx_dkind {
    GX_KIND_BOOL,
    GX_KIND_INT,
    GX_KIND_UINT,
    GX_KIND_FLOAT,
    GX_KIND_CPLX
} gx_dkind;
/* The kind of what is no number: no operation has a meaning for it. */
enum { GX_KIND_OTHER = GX_KIND_CPLX + 1, GX_KINDS };
struct gx_family; /* runtime/array/kind/kind.h */

typedef struct gx_dtype_info {
    const char *name; /* "float32" */
    char letter;      /* NumPy's char: 'f' */
    char kind_letter; /* NumPy's kind: 'f' */
    uint8_t kind;     /* gx_dkind, or GX_KIND_OTHER */
    uint8_t fraction; /* a float's bits of fraction, of each part of a complex one */
    const char *cuda; /* storage type in CUDA C++ */
    const char *half; /* computed in float32: how its functions in device.cu begin; else "" */
    uint32_t bytes;
    /* Of what is no number: what its elements can do, and its family's own number and facts. */
    const struct gx_family *family;
    int64_t parameter;
    const void *more;
} gx_dtype_info;
/* The numbers' rows are there from the start. A row is never changed once it has been written. */
extern gx_dtype_info gx_dtypes[GX_DTYPE_ROOM];
static inline int gx_is_half(int d) {
    return gx_dtypes[d].half[0] != 0;
}
/* A float that NumPy knows from ml_dtypes only? */
static inline int gx_is_extension(int d) {
    return d < GX_DTYPES && gx_dtypes[d].kind_letter == 'V';
}

/* One element of any dtype: a scalar operand, a kernel parameter. */
typedef union gx_scalar {
    uint8_t b, u8;
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    gx_half half; /* of any half's dtype */
    float f32;
    double f64;
    gx_c64 c64;
    gx_c128 c128;
    uint64_t bits[2];
} gx_scalar;

#endif
