/* Bessel functions of a real order and a complex argument: in[0] the order, in[2] and in[3] the
   argument's parts; the result's parts go out. */
#ifndef GX_STDLIB_SCIPY_SPECIAL_BESSEL_INT_H
#define GX_STDLIB_SCIPY_SPECIAL_BESSEL_INT_H

#include "stdlib/scipy/special/special_int.h"

void gx_sp_jv(const double *in, double *out);
void gx_sp_yv(const double *in, double *out);
void gx_sp_iv(const double *in, double *out);
void gx_sp_kv(const double *in, double *out);
/* Scaled: jve and yve by exp(-|Im z|), ive by exp(-|Re z|), kve by exp(z), hankel1e by exp(-i z),
   hankel2e by exp(i z). */
void gx_sp_jve(const double *in, double *out);
void gx_sp_yve(const double *in, double *out);
void gx_sp_ive(const double *in, double *out);
void gx_sp_kve(const double *in, double *out);
/* Hankel's functions J + i Y and J - i Y. */
void gx_sp_hankel1(const double *in, double *out);
void gx_sp_hankel2(const double *in, double *out);
void gx_sp_hankel1e(const double *in, double *out);
void gx_sp_hankel2e(const double *in, double *out);

#endif
