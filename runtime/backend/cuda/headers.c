/* The headers of C and C++ that kernels' files include: NVRTC has none of them. Those that device
   code uses have their device parts here; those of the host alone are empty. What nvcc knows
   without an #include (uint, INT_MAX, INFINITY …) stands before every source. */
#include "runtime/backend/cuda/nvrtc_int.h"

static const char integers[] = "#pragma once\n"
                               "typedef signed char int8_t; typedef unsigned char uint8_t;\n"
                               "typedef short int16_t; typedef unsigned short uint16_t;\n"
                               "typedef int int32_t; typedef unsigned int uint32_t;\n"
                               "typedef long long int64_t; typedef unsigned long long uint64_t;\n"
                               "typedef long long intptr_t; typedef unsigned long long uintptr_t;\n"
                               "namespace std { using ::int8_t; using ::uint8_t; using ::int16_t; "
                               "using ::uint16_t; using ::int32_t; using ::uint32_t; using "
                               "::int64_t; using ::uint64_t; using ::size_t; }\n";
static const char limits[] =
    "#pragma once\n"
    "#ifndef CHAR_BIT\n#define CHAR_BIT 8\n#endif\n"
    "#ifndef INT_MAX\n#define SCHAR_MIN (-128)\n#define SCHAR_MAX 127\n#define UCHAR_MAX 255\n"
    "#define CHAR_MIN SCHAR_MIN\n#define CHAR_MAX SCHAR_MAX\n"
    "#define SHRT_MIN (-32768)\n#define SHRT_MAX 32767\n#define USHRT_MAX 65535\n"
    "#define INT_MAX 2147483647\n#define INT_MIN (-INT_MAX - 1)\n"
    "#define UINT_MAX 4294967295u\n#define LONG_MAX 9223372036854775807l\n"
    "#define LONG_MIN (-LONG_MAX - 1)\n#define ULONG_MAX 18446744073709551615ul\n"
    "#define LLONG_MAX 9223372036854775807ll\n#define LLONG_MIN (-LLONG_MAX - 1)\n"
    "#define ULLONG_MAX 18446744073709551615ull\n#endif\n"
    "#ifndef FLT_MAX\n#define FLT_MAX 3.402823466e+38f\n#define FLT_MIN 1.175494351e-38f\n"
    "#define FLT_EPSILON 1.192092896e-07f\n#define DBL_MAX 1.7976931348623158e+308\n"
    "#define DBL_MIN 2.2250738585072014e-308\n#define DBL_EPSILON 2.2204460492503131e-16\n"
    "#define FLT_DIG 6\n#define DBL_DIG 15\n#define FLT_MANT_DIG 24\n#define DBL_MANT_DIG 53\n"
    "#endif\n";
static const char mathematics[] =
    "#pragma once\n"
    "#ifndef M_PI\n#define M_PI 3.14159265358979323846\n#define M_E 2.7182818284590452354\n"
    "#define M_SQRT2 1.41421356237309504880\n#define M_SQRT1_2 0.70710678118654752440\n"
    "#define M_PI_2 1.57079632679489661923\n#define M_PI_4 0.78539816339744830962\n"
    "#define M_1_PI 0.31830988618379067154\n#define M_2_PI 0.63661977236758134308\n"
    "#define M_2_SQRTPI 1.12837916709551257390\n#define M_LN2 0.69314718055994530942\n"
    "#define M_LN10 2.30258509299404568402\n#define M_LOG2E 1.4426950408889634074\n"
    "#define M_LOG10E 0.43429448190325182765\n#endif\n"
    "#ifndef INFINITY\n#define INFINITY __int_as_float(0x7f800000)\n#endif\n"
    "#ifndef NAN\n#define NAN __int_as_float(0x7fffffff)\n#endif\n"
    "#ifndef HUGE_VAL\n#define HUGE_VAL __longlong_as_double(0x7ff0000000000000ll)\n#endif\n";
static const char asserting[] =
    "#ifndef GX_ASSERT\n#define GX_ASSERT\n"
    "extern \"C\" __device__ void __assertfail(const char *, const char *, unsigned int,\n"
    "                                        const char *, size_t) __attribute__((noreturn));\n"
    "#define assert(e) ((e) ? (void)0 : __assertfail(#e, __FILE__, __LINE__, __func__, 1))\n"
    "#endif\n";
static const char algorithm[] =
    "#pragma once\n"
    "namespace std {\n"
    "template <class gx_t> __device__ constexpr const gx_t &max(const gx_t &a, const gx_t &b) { "
    "return a < b ? b : a; }\n"
    "template <class gx_t> __device__ constexpr const gx_t &min(const gx_t &a, const gx_t &b) { "
    "return b < a ? b : a; }\n"
    "template <class gx_t> __device__ constexpr const gx_t &clamp(const gx_t &v, const gx_t &a, "
    "const gx_t &b) { return v < a ? a : b < v ? b : v; }\n"
    "template <class gx_t> __device__ void swap(gx_t &a, gx_t &b) { gx_t c = a; a = b; b = c; }\n"
    "}\n";
/* Bounds of the number types. */
static const char numeric_limits[] =
    "#pragma once\n#include <climits>\n"
    "namespace std {\n"
    "template <class gx_t> struct numeric_limits { static constexpr bool is_specialized = false; "
    "};\n"
    "#define GX_LIMITS(t, low, high, small, eps, whole, digits_) \\\n"
    "template <> struct numeric_limits<t> { static constexpr bool is_specialized = true, \\\n"
    "is_integer = whole, is_signed = (low) < 0; static constexpr int digits = digits_; \\\n"
    "static __device__ constexpr t lowest() { return low; } \\\n"
    "static __device__ constexpr t max() { return high; } \\\n"
    "static __device__ constexpr t min() { return small; } \\\n"
    "static __device__ constexpr t epsilon() { return eps; } \\\n"
    "static __device__ t infinity() { return whole ? (t)0 : (t)INFINITY; } \\\n"
    "static __device__ t quiet_NaN() { return whole ? (t)0 : (t)NAN; } };\n"
    "GX_LIMITS(float, -FLT_MAX, FLT_MAX, FLT_MIN, FLT_EPSILON, false, 24)\n"
    "GX_LIMITS(double, -DBL_MAX, DBL_MAX, DBL_MIN, DBL_EPSILON, false, 53)\n"
    "GX_LIMITS(char, CHAR_MIN, CHAR_MAX, CHAR_MIN, 0, true, 7)\n"
    "GX_LIMITS(signed char, SCHAR_MIN, SCHAR_MAX, SCHAR_MIN, 0, true, 7)\n"
    "GX_LIMITS(unsigned char, 0, UCHAR_MAX, 0, 0, true, 8)\n"
    "GX_LIMITS(short, SHRT_MIN, SHRT_MAX, SHRT_MIN, 0, true, 15)\n"
    "GX_LIMITS(unsigned short, 0, USHRT_MAX, 0, 0, true, 16)\n"
    "GX_LIMITS(int, INT_MIN, INT_MAX, INT_MIN, 0, true, 31)\n"
    "GX_LIMITS(unsigned int, 0, UINT_MAX, 0, 0, true, 32)\n"
    "GX_LIMITS(long, LONG_MIN, LONG_MAX, LONG_MIN, 0, true, 63)\n"
    "GX_LIMITS(unsigned long, 0, ULONG_MAX, 0, 0, true, 64)\n"
    "GX_LIMITS(long long, LLONG_MIN, LLONG_MAX, LLONG_MIN, 0, true, 63)\n"
    "GX_LIMITS(unsigned long long, 0, ULLONG_MAX, 0, 0, true, 64)\n"
    "#undef GX_LIMITS\n}\n";
static const char std_mathematics[] =
    "#pragma once\n#include <math.h>\n"
    "namespace std { using ::abs; using ::fabs; using ::sqrt; using ::exp; using ::log; using "
    "::pow; using ::sin; using ::cos; using ::tan; using ::asin; using ::acos; using ::atan; using "
    "::atan2; using ::sinh; using ::cosh; using ::tanh; using ::floor; using ::ceil; using "
    "::round; using ::trunc; using ::fmod; using ::fmin; using ::fmax; using ::isnan; using "
    "::isinf; using ::isfinite; using ::log2; using ::log10; using ::log1p; using ::exp2; using "
    "::expm1; using ::cbrt; using ::hypot; using ::erf; using ::erfc; using ::fma; }\n";
static const char prelude[] =
    "#pragma once\n"
    "typedef unsigned int uint; typedef unsigned short ushort; typedef unsigned long ulong;\n"
    "namespace std {}\n"
    "#include <stdint.h>\n#include <limits.h>\n#include <math.h>\n";

static const char complex_numbers[] =
    "#include <cuda/std/complex>\n"
    "template <class T> using complex = cuda::std::complex<T>;\n";

/* X(name, text) */
/* clang-format off */
#define HEADERS(X) \
    X("gx_prelude.h", prelude) X("assert.h", asserting) X("cassert", asserting) \
    X("stdint.h", integers) X("cstdint", integers) X("inttypes.h", integers) \
    X("sys/types.h", integers) X("limits.h", limits) X("climits", limits) X("float.h", limits) \
    X("cfloat", limits) X("math.h", mathematics) X("cmath", std_mathematics) \
    X("limits", numeric_limits) X("algorithm", algorithm) X("utility", algorithm) \
    X("stdio.h", "") X("cstdio", "") X("stdlib.h", "") X("cstdlib", "") X("string.h", "") \
    X("cstring", "") X("stddef.h", "") X("cstddef", "") X("stdbool.h", "") X("time.h", "") \
    X("ctime", "") X("errno.h", "") X("unistd.h", "") X("sys/time.h", "") X("sys/stat.h", "") \
    X("fcntl.h", "") X("memory.h", "") X("malloc.h", "") X("stdarg.h", "") X("cstdarg", "") \
    X("signal.h", "") X("getopt.h", "") X("pthread.h", "") X("omp.h", "") X("ctype.h", "") \
    X("cctype", "") X("wchar.h", "") X("iostream", "") X("fstream", "") X("sstream", "") \
    X("iomanip", "") X("ostream", "") X("istream", "") X("string", "") X("string_view", "") \
    X("vector", "") X("array", "") X("list", "") X("deque", "") X("queue", "") X("stack", "") \
    X("map", "") X("set", "") X("unordered_map", "") X("unordered_set", "") X("memory", "") \
    X("numeric", "") X("random", "") X("chrono", "") X("ratio", "") X("thread", "") \
    X("mutex", "") X("atomic", "") X("future", "") X("functional", "") X("stdexcept", "") \
    X("exception", "") X("iterator", "") X("complex", "") X("bitset", "") X("optional", "") \
    X("variant", "") X("filesystem", "") X("system_error", "") X("typeinfo", "") X("locale", "") \
    X("regex", "") X("numbers", "") X("device_launch_parameters.h", "") \
    X("cuda_profiler_api.h", "") X("cublas_v2.h", "") X("cublas.h", "") X("cublasLt.h", "") \
    X("cufft.h", "") X("cusparse.h", "") X("cusolverDn.h", "") X("cudnn.h", "") X("nccl.h", "") \
    X("nvToolsExt.h", "") X("nvtx3/nvToolsExt.h", "") X("nvtx3/nvtx3.hpp", "") X("mpi.h", "") \
    X("cupy/complex.cuh", complex_numbers) \
    X("helper_cuda.h", "") X("helper_functions.h", "") X("helper_timer.h", "") \
    X("helper_string.h", "") X("helper_image.h", "")
/* clang-format on */

#define NAME(name, text) name,
#define TEXT(name, text) text,
const char *const gx_nvrtc_header_names[] = {HEADERS(NAME)};
const char *const gx_nvrtc_header_texts[] = {HEADERS(TEXT)};
const int gx_nvrtc_headers = sizeof gx_nvrtc_header_names / sizeof *gx_nvrtc_header_names;
