/* Numbers of which only the real part is wanted: a complex scalar gives it with a warning. */
#include "runtime/object/native.h"
#include "runtime/object/number/number.h"
#include "runtime/object/warn.h"

GX_CHECK bool gx_scalar_real_part(gx_rt *rt, gx_borrowed v, double *out) {
    double im;
    return gx_as_complex(rt, v, out, &im) == GX_TRY_YES &&
           gx_warn(rt, GX_ComplexWarning,
                   "Casting complex values to real discards the imaginary part");
}

bool gx_arg_float(gx_call *c, int i, double *out) {
    gx_borrowed v = c->argv[i];
    if (GX_LIKELY(v.tag == GX_FLOAT)) {
        *out = v.f;
        return true;
    }
    gx_try is = gx_as_double(c->rt, v, out);
    if (is == GX_TRY_NO && v.tag != GX_COMPLEX && gx_is_complex_scalar(v))
        return gx_scalar_real_part(c->rt, v, out);
    if (is == GX_TRY_NO) return gx_arg_wrong(c, i, "a real number");
    return is == GX_TRY_YES;
}
