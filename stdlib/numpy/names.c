/* What numpy (and cupy, and the bare names) have beside functions: constants, dtype types, second
   names, submodules. Functions are in the folders below. Nothing is made before it is asked for. */
#include <math.h>

#include "runtime/array/dtype.h"
#include "runtime/array/kind/date.h"
#include "runtime/array/kind/record.h"
#include "stdlib/library/text.h"
#include "stdlib/library/texts.h"
#include "stdlib/stdlib.h"

#define TYPE(n, t) {.name = n, .kind = GX_CONST_TYPE, .type = t}
#define DTYPE(n, d) TYPE(n, &gx_scalar_types[GX_##d])
#define REAL(n, x) {.name = n, .kind = GX_CONST_FLOAT, .f = x}
#define ALIAS(n, other) {.name = n, .kind = GX_CONST_ALIAS, .text = other}
#define SUBMODULE(n) {.name = n, .kind = GX_CONST_MODULE, .text = "~" n}

static bool make_true(gx_rt *rt, gx_namespace ns, gx_value *out) {
    (void)ns;
    return gx_scalar_new(rt, GX_bool, &(gx_scalar){.b = 1}, out);
}
static bool make_false(gx_rt *rt, gx_namespace ns, gx_value *out) {
    (void)ns;
    return gx_scalar_new(rt, GX_bool, &(gx_scalar){.b = 0}, out);
}
static bool make_poly1d(gx_rt *rt, gx_namespace ns, gx_value *out) {
    (void)ns;
    return gx_library_name(rt, "<numpy.poly1d>", gx_library_text_numpy_poly1d, GX_NS_NUMPY,
                           "poly1d", out);
}

static bool make_recarray(gx_rt *rt, gx_namespace ns, gx_value *out) {
    (void)ns;
    return gx_library_value(rt, "<numpy.rec>", gx_library_text_numpy_rec, GX_NS_NUMPY, "recarray",
                            out);
}

const gx_constant gx_numpy_names_constants[] = {
    {.name = "__version__", .kind = GX_CONST_STR, .text = "gx-0.1.0 (NumPy 2.x names)"},
    REAL("pi", 3.14159265358979323846),
    REAL("e", 2.71828182845904523536),
    REAL("euler_gamma", 0.57721566490153286061),
    REAL("inf", INFINITY),
    REAL("nan", NAN),
    {.name = "newaxis", .kind = GX_CONST_NONE},
    {.name = "True_", .kind = GX_CONST_MAKE, .make = make_true},
    {.name = "False_", .kind = GX_CONST_MAKE, .make = make_false},
    DTYPE("bool_", bool), DTYPE("bool", bool),
    DTYPE("int8", i8), DTYPE("int16", i16), DTYPE("int32", i32), DTYPE("int64", i64),
    DTYPE("uint8", u8), DTYPE("uint16", u16), DTYPE("uint32", u32), DTYPE("uint64", u64),
    DTYPE("float16", f16), DTYPE("float32", f32), DTYPE("float64", f64),
    DTYPE("complex64", c64), DTYPE("complex128", c128),
    DTYPE("byte", i8), DTYPE("ubyte", u8), DTYPE("short", i16), DTYPE("ushort", u16),
    DTYPE("intc", i32), DTYPE("uintc", u32), DTYPE("int_", i64), DTYPE("uint", u64),
    DTYPE("intp", i64), DTYPE("uintp", u64), DTYPE("long", i64), DTYPE("ulong", u64),
    DTYPE("longlong", i64), DTYPE("ulonglong", u64), DTYPE("half", f16), DTYPE("single", f32),
    DTYPE("double", f64), DTYPE("csingle", c64), DTYPE("cdouble", c128),
    TYPE("ndarray", &gx_type_array), TYPE("dtype", &gx_type_dtype),
    TYPE("ufunc", &gx_type_ufunc),
    {.name = "poly1d", .kind = GX_CONST_MAKE, .make = make_poly1d},
    {.name = "recarray", .kind = GX_CONST_MAKE, .make = make_recarray},
    TYPE("datetime64", &gx_type_datetime64), TYPE("timedelta64", &gx_type_timedelta64),
    TYPE("flexible", &gx_type_flexible), TYPE("void", &gx_type_void),
    TYPE("record", &gx_type_record), SUBMODULE("rec"),
    TYPE("str_", &gx_type_str), TYPE("bytes_", &gx_type_bytes),
    TYPE("generic", &gx_type_generic), TYPE("number", &gx_type_number),
    TYPE("integer", &gx_type_integer), TYPE("signedinteger", &gx_type_signedinteger),
    TYPE("unsignedinteger", &gx_type_unsignedinteger), TYPE("inexact", &gx_type_inexact),
    TYPE("floating", &gx_type_floating), TYPE("complexfloating", &gx_type_complexfloating),
    ALIAS("amax", "max"), ALIAS("amin", "min"), ALIAS("around", "round"),
    ALIAS("concat", "concatenate"), ALIAS("permute_dims", "transpose"),
    SUBMODULE("linalg"), SUBMODULE("fft"), SUBMODULE("random"), SUBMODULE("lib"),
    SUBMODULE("testing"), SUBMODULE("exceptions"), SUBMODULE("emath"), SUBMODULE("polynomial"),
    SUBMODULE("ma"), SUBMODULE("char"), SUBMODULE("strings"),
    {.name = NULL},
};

/* Of ml_dtypes, and bare. */
const gx_constant gx_ml_dtypes_constants[] = {DTYPE("bfloat16", bf16), {.name = NULL}};
const gx_constant gx_signal_names_constants[] = {SUBMODULE("windows"), {.name = NULL}};
const gx_constant gx_sparse_names_constants[] = {SUBMODULE("linalg"), SUBMODULE("csgraph"),
                                                 {.name = NULL}};
/* numpy.exceptions. */
#define ERROR(n) TYPE(#n, &gx_exception_types[GX_##n])
const gx_constant gx_np_exceptions_constants[] = {
    ERROR(AxisError), ERROR(ComplexWarning), ERROR(RankWarning),
    TYPE("VisibleDeprecationWarning", &gx_exception_types[GX_DeprecationWarning]),
    {.name = NULL},
};

/* scipy and cupyx.scipy, and cupyx. */
const gx_constant gx_scipy_names_constants[] = {
    SUBMODULE("ndimage"), SUBMODULE("special"), SUBMODULE("linalg"), SUBMODULE("fft"),
    SUBMODULE("signal"), SUBMODULE("sparse"), SUBMODULE("integrate"), SUBMODULE("optimize"),
    SUBMODULE("interpolate"), SUBMODULE("stats"), SUBMODULE("spatial"), SUBMODULE("constants"),
    SUBMODULE("fftpack"),
    {.name = NULL}};
const gx_constant gx_spatial_names_constants[] = {SUBMODULE("distance"), {.name = NULL}};
const gx_constant gx_cupyx_names_constants[] = {SUBMODULE("scipy"), {.name = NULL}};
