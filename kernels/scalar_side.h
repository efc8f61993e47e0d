/* What differs between the two sides that compile ops.def: the host (C11,
   runtime/backend/cpu/loops/make.inc) and CUDA C++ (NVRTC, header-free). Everything else in
   scalar*.h is the common subset. On the device this file is the prelude of a kernel; a helper of
   scalar*.h is one block, from a line beginning with GX_FN to a line "}", and only the blocks used
   are emitted, once for each computing type T.

   The includer defines T, the computing type; R, the real type of a complex T (else T); U, the
   unsigned type at least as wide as int in which integer arithmetic wraps; and FN(f), the full name
   of helper f for T: a suffixed one on the host, f itself on the device, where C++ overloads. */
#ifndef GX_KERNELS_SCALAR_SIDE_H
#define GX_KERNELS_SCALAR_SIDE_H

#ifdef __CUDACC__
#define GX_FN static __device__ __forceinline__
#define GX_PRODUCT(x, y) ((x) * (y))
#define GX_INF ((R)__int_as_float(0x7f800000))
#define GX_NAN ((R)__int_as_float(0x7fc00000))
#else
#define GX_FN static inline __attribute__((unused))
/* A product that is rounded before it is added: gcc 12 makes fused additions and subtractions in
   turns of vectors, whatever -ffp-contract says, and then processors would differ. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
#define GX_PRODUCT(x, y) __builtin_assoc_barrier((x) * (y))
#else
#define GX_PRODUCT(x, y) ((x) * (y))
#endif
#define GX_INF ((R)__builtin_inff())
#define GX_NAN ((R)__builtin_nanf(""))
#endif
/* A constant of a text or helper, rounded to the real computing type. */
#define K(v) ((R)(v))

#endif
