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
#define PI 3.14159265358979323846
#define EULER 0.57721566490153286061
