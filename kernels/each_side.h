/* What functions that are C for the host and C++ for a GPU need (the *_real.h files of stdlib; the
   host includes them, a GPU's kernels are made of their texts): there they stand in a namespace of
   their own, without headers. A GPU's compiler writes functions out where they are used, but for
   those of GX_EACH_CALLED: long ones, used in many places. */
#ifdef __CUDACC__
#define GX_EACH_FN static __device__
#define GX_EACH_CALLED static __device__ __noinline__
#define GX_EACH_SHARED static __device__
#define INFINITY ((double)__int_as_float(0x7f800000))
#define NAN ((double)__int_as_float(0x7fc00000))
typedef long long int64_t;
typedef unsigned long long uint64_t;
#else
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#define GX_EACH_FN static
#define GX_EACH_CALLED static
#define GX_EACH_SHARED
#endif
/* A complex number, which has no type of its own in C++. */
typedef struct cpair {
    double re, im;
} cpair;
GX_EACH_FN inline cpair pair_times(cpair a, cpair b) {
    cpair r = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return r;
}
/* by / a + plus, for a real number by. */
GX_EACH_FN inline cpair pair_under(double by, cpair a, cpair plus) {
    const double size = a.re * a.re + a.im * a.im;
    cpair r = {by * a.re / size + plus.re, plus.im - by * a.im / size};
    return r;
}
#define PI 3.14159265358979323846
#define EULER 0.57721566490153286061
