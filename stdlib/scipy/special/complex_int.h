/* Special functions of complex arguments: in has two doubles for each number, out, too. */
#ifndef GX_STDLIB_SCIPY_SPECIAL_COMPLEX_INT_H
#define GX_STDLIB_SCIPY_SPECIAL_COMPLEX_INT_H

#include "stdlib/scipy/special/special_int.h"

/* The error function's kin (complex_error.c). */
void gx_sp_erf_complex(const double *in, double *out);
void gx_sp_erfc_complex(const double *in, double *out);
void gx_sp_erfcx_complex(const double *in, double *out);
void gx_sp_erfi_complex(const double *in, double *out);
void gx_sp_dawsn_complex(const double *in, double *out);
void gx_sp_ndtr_complex(const double *in, double *out);
void gx_sp_fresnel_complex(const double *in, double *out);

/* Gamma's kin and exponential integrals (complex_gamma.c). */
void gx_sp_gamma_complex(const double *in, double *out);
void gx_sp_rgamma_complex(const double *in, double *out);
void gx_sp_loggamma_complex(const double *in, double *out);
void gx_sp_digamma_complex(const double *in, double *out);
void gx_sp_zeta_complex(const double *in, double *out);
void gx_sp_exp1_complex(const double *in, double *out);
void gx_sp_expi_complex(const double *in, double *out);
void gx_sp_sici_complex(const double *in, double *out);

/* Carlson's integrals (complex_elliptic.c). */
void gx_sp_elliprf_complex(const double *in, double *out);
void gx_sp_elliprd_complex(const double *in, double *out);
void gx_sp_elliprc_complex(const double *in, double *out);

/* Airy's functions (bessel_complex.c). */
void gx_sp_airy_complex(const double *in, double *out);

#endif
