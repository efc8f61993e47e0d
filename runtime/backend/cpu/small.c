/* One operation on a few ready elements: no tape, no threads, the same loops. What arithmetic on
   scalars and on arrays of a few elements takes. */
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
