/* One operation or reduction on a few ready elements: no tape, no threads, the same loops. What
   arithmetic on scalars and on arrays of a few elements takes. */
#include <string.h>

#include "runtime/backend/cpu/cpu_int.h"

bool gx_cpu_small(gx_device *device, gx_opcode op, gx_dtype compute, gx_dtype to, void *out,
                  const void *const in[3], int64_t n, unsigned scalars, int *fp) {
    const gx_loops *loops = gx_cpu_of(device)->loops;
    gx_loop loop = op == GX_OP_NONE ? loops->cast[compute][to] : loops->op[op][compute];
    if (!loop) {
        return gx_fail(device->rt, GX_RuntimeError, "cpu.loop", "the cpu backend has no %s for %s",
                       op == GX_OP_NONE ? "cast" : gx_ops[op].name, gx_dtypes[compute].name);
    }
    gx_run_fp_clear();
    loop(out, in[0], in[1], in[2], (size_t)n, scalars);
    *fp = gx_run_fp_test();
    return true;
}

bool gx_cpu_fold(gx_device *device, gx_redcode red, gx_dtype from, gx_dtype acc, gx_dtype result,
                 void *out, const void *in, int64_t n, int *fp) {
    const gx_loops *loops = gx_cpu_of(device)->loops;
    _Alignas(16) char values[GX_FOLD_FEW * sizeof(gx_scalar)];
    gx_scalar state;
    const gx_fold fold = loops->fold[red][acc];
    const gx_loop before = from == acc ? NULL : loops->cast[from][acc];
    const gx_loop after = acc == result ? NULL : loops->cast[acc][result];
    if (!fold || (from != acc && !before) || (acc != result && !after))
        return gx_fail(device->rt, GX_TypeError, "reduce.dtype", "the CPU backend has no %s of %s",
                       gx_reds[red].name, gx_dtypes[acc].name);
    gx_run_fp_clear();
    if (before) before(values, in, NULL, NULL, (size_t)n, 0), in = values;
    if (!loops->identity(red, acc, &state)) memcpy(&state, in, (size_t)gx_dtypes[acc].bytes);
    fold(&state, in, (size_t)n);
    if (after) after(out, &state, NULL, NULL, 1, 0);
    else memcpy(out, &state, (size_t)gx_dtypes[acc].bytes);
    *fp = gx_run_fp_test();
    return true;
}
