/* What tools/borrowed_bytes.py must find in each function, and not in those named sound_. */
#include "stdlib/numpy/base/scope.h"

bool read_before_argument(gx_call *c, gx_np *s, gx_array *a, double *out) {
    int64_t i;
    const double *x = gx_np_data(s, a);
    if (!x || !gx_arg_int(c, 1, &i)) return false;
    *out = x[i];
    return true;
}

bool read_by_address(gx_rt *rt, gx_array *a, gx_borrowed v, double *out) {
    const char *x;
    bool yes;
    if (!gx_array_read(rt, a, &x) || !gx_truth(rt, v, &yes)) return false;
    memcpy(out, x, sizeof *out);
    return yes;
}

bool sound_argument_first(gx_call *c, gx_np *s, gx_array *a, double *out) {
    int64_t i;
    if (!gx_arg_int(c, 1, &i)) return false;
    const double *x = gx_np_data(s, a);
    if (!x) return false;
    *out = x[i];
    return true;
}
