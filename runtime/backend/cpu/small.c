/* One operation or reduction on a few ready elements: no tape, no threads, the same loops. What
   arithmetic on scalars and on arrays of a few elements takes. */
#include <string.h>

#include "runtime/backend/cpu/cpu_int.h"
#include "runtime/backend/loop.h"

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

/* --- an operation at positions, which may repeat --- */

enum { AT_MOST = 64, AT_SLOTS = 1024 };

/* How many of the n positions from `at` on surely differ, up to AT_MOST; `seen` is kept between
   calls with another `turn` each. */
static int64_t distinct(const int64_t *at, int64_t n, uint32_t *seen, uint32_t turn) {
    int64_t i = 0;
    for (; i < n && i < AT_MOST; i++) {
        uint32_t *slot = seen + ((uint64_t)at[i] * UINT64_C(0x9E3779B97F4A7C15) >> 54);
        if (*slot == turn) break;
        *slot = turn;
    }
    return i;
}

static void gather_items(char *to, const char *from, const int64_t *at, int64_t n, size_t bytes) {
    if (bytes == 8)
        for (int64_t i = 0; i < n; i++) ((uint64_t *)to)[i] = ((const uint64_t *)from)[at[i]];
    else
        for (int64_t i = 0; i < n; i++)
            memcpy(to + (size_t)i * bytes, from + (size_t)at[i] * bytes, bytes);
}

static void scatter_items(char *to, const char *from, const int64_t *at, int64_t n, size_t bytes) {
    if (bytes == 8)
        for (int64_t i = 0; i < n; i++) ((uint64_t *)to)[at[i]] = ((const uint64_t *)from)[i];
    else
        for (int64_t i = 0; i < n; i++)
            memcpy(to + (size_t)at[i] * bytes, from + (size_t)i * bytes, bytes);
}

bool gx_cpu_at(gx_device *device, gx_opcode op, gx_dtype compute, gx_dtype result, gx_dtype d,
               void *to, const int64_t *at, const void *other, int64_t n, int *fp) {
    const gx_loops *loops = gx_cpu_of(device)->loops;
    const gx_loop loop = loops->op[op][compute];
    const gx_loop before = compute == d ? NULL : loops->cast[d][compute];
    const gx_loop after = result == d ? NULL : loops->cast[result][d];
    const size_t item = (size_t)gx_dtypes[d].bytes, step = (size_t)gx_dtypes[compute].bytes;
    _Alignas(16) char x[AT_MOST * sizeof(gx_scalar)], y[AT_MOST * sizeof(gx_scalar)];
    uint32_t seen[AT_SLOTS] = {0}, turn = 0;
    if (!loop || (compute != d && !before) || (result != d && !after))
        return gx_fail(device->rt, GX_RuntimeError, "cpu.loop", "the cpu backend has no %s for %s",
                       gx_ops[op].name, gx_dtypes[compute].name);
    gx_run_fp_clear();
    for (int64_t i = 0, many; i < n && !gx_work_stops(device->rt); i += many) {
        many = distinct(at + i, n - i, seen, ++turn);
        const char *b = other ? (const char *)other + (size_t)i * step : NULL;
        gather_items(x, to, at + i, many, item);
        if (before) before(y, x, NULL, NULL, (size_t)many, 0);
        loop(y, before ? y : x, b, NULL, (size_t)many, 0);
        if (after) after(x, y, NULL, NULL, (size_t)many, 0);
        scatter_items(to, after ? x : y, at + i, many, item);
    }
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
