/* What the real special functions (several_real.h, elliptic_real.h, inverse_real.h, bessel_real.h)
   need on the host, which includes them, and on a GPU, whose kernels are made of their texts: there
   the functions stand in a namespace of their own, without headers. */
#ifdef __CUDACC__
#define GX_SP_FN static __device__
#define GX_SP_SHARED static __device__
#define INFINITY ((double)__int_as_float(0x7f800000))
#define NAN ((double)__int_as_float(0x7fc00000))
#else
#include <math.h>
#include <stdbool.h>
#define GX_SP_FN static
#define GX_SP_SHARED
#endif
#define PI 3.14159265358979323846
#define EULER 0.57721566490153286061
