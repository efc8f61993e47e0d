/* Running totals and products. Columns go row by row, so that neighbours are added together; rows
   element by element, of narrow integers without converting them first. */
#include <fenv.h>
#include <math.h>

#include "kernels/half.h"
#include "runtime/backend/cpu/cpu_int.h"
#include "runtime/backend/loop.h"

/* Totals of T, each EXPR of the one before, p, and the element, x. */
#define COLUMNS(T, EXPR)                                                                           \
    do {                                                                                           \
        const T *in = from;                                                                        \
        T *out = to;                                                                               \
        for (int64_t o = 0; o < j->outer; o++, in += n * inner, out += n * inner) {                \
            GX_LONG_LOOP(rt, i, 0, inner) out[i] = in[i];                                          \
            for (int64_t k = 1; k < n && !gx_work_stops(rt); k++)                                  \
                GX_LONG_LOOP(rt, i, k * inner, (k + 1) * inner) {                                  \
                    const T p = out[i - inner], x = in[i];                                         \
                    out[i] = EXPR;                                                                 \
                }                                                                                  \
        }                                                                                          \
    } while (0)

#define SUMS(T)                                                                                    \
    do {                                                                                           \
        if (j->product) COLUMNS(T, (T)(p * x));                                                    \
        else COLUMNS(T, (T)(p + x));                                                               \
    } while (0)

static gx_half half_sum(int fraction, gx_half a, gx_half b, bool product) {
    const float x = gx_half_widen(fraction, a), y = gx_half_widen(fraction, b);
    const float wide = product ? x * y : x + y;
    const gx_half r = gx_half_round(fraction, (double)wide);
    if ((r.bits & 0x7fff) == gx_half_infinity(fraction) && isfinite(wide))
        feraiseexcept(FE_OVERFLOW);
    return r;
}

static gx_c64 single_sum(gx_c64 a, gx_c64 b, bool product) {
    if (product) return (gx_c64){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return (gx_c64){a.re + b.re, a.im + b.im};
}

static gx_c128 double_sum(gx_c128 a, gx_c128 b, bool product) {
    if (product) return (gx_c128){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return (gx_c128){a.re + b.re, a.im + b.im};
}

static void scan_columns(const gx_rt *rt, const gx_totals *j, const void *from, void *to) {
    const int64_t n = j->n, inner = j->inner;
    switch (j->total) {
    GX_HALF_DTYPES(GX_CASE)
        COLUMNS(gx_half, half_sum(gx_dtypes[j->total].fraction, p, x, j->product));
        break;
    case GX_f32: SUMS(float); break;
    case GX_f64: SUMS(double); break;
    case GX_c64: COLUMNS(gx_c64, single_sum(p, x, j->product)); break;
    case GX_c128: COLUMNS(gx_c128, double_sum(p, x, j->product)); break;
    case GX_i64:
    case GX_u64: SUMS(uint64_t); break;
    case GX_i32:
    case GX_u32: SUMS(uint32_t); break;
    case GX_i16:
    case GX_u16: SUMS(uint16_t); break;
    case GX_i8:
    case GX_u8: SUMS(uint8_t); break;
    case GX_bool:
        if (j->product) COLUMNS(uint8_t, (uint8_t)(p & x));
        else COLUMNS(uint8_t, (uint8_t)(p | x));
        break;
    case GX_DTYPES: break;
    }
}

/* Rows of S into totals of T, which calculates as C. */
#define ROWS(S, T, C)                                                                              \
    do {                                                                                           \
        const S *x = from;                                                                         \
        T *y = to;                                                                                 \
        for (int64_t o = 0; o < j->outer && !gx_work_stops(rt); o++, x += n, y += n) {             \
            T t = (T)(C)x[0];                                                                      \
            y[0] = t;                                                                              \
            if (j->product)                                                                        \
                GX_LONG_LOOP(rt, i, 1, n) y[i] = t = t * (T)(C)x[i];                               \
            else                                                                                   \
                GX_LONG_LOOP(rt, i, 1, n) y[i] = t = t + (T)(C)x[i];                               \
        }                                                                                          \
        return true;                                                                               \
    } while (0)

/* False: not a pair of dtypes that has a loop. Without elements to look at: are they one? */
static bool scan_rows(const gx_rt *rt, const gx_totals *j, const void *from, void *to) {
    const bool whole = j->total == GX_i64 || j->total == GX_u64;
    const int64_t n = j->n;
    if (j->inner != 1) return false;
    if (j->dtype == j->total && (j->total == GX_f64 || j->total == GX_f32)) {
        if (!from) return true;
        if (j->total == GX_f64) ROWS(double, double, double);
        ROWS(float, float, float);
    }
    if (!whole) return false;
    switch ((int)j->dtype) {
    case GX_i64:
    case GX_u64:
        if (from) ROWS(uint64_t, uint64_t, uint64_t);
        return true;
    case GX_i32:
        if (from) ROWS(int32_t, uint64_t, int64_t);
        return true;
    case GX_u32:
        if (from) ROWS(uint32_t, uint64_t, int64_t);
        return true;
    case GX_i16:
        if (from) ROWS(int16_t, uint64_t, int64_t);
        return true;
    case GX_u16:
        if (from) ROWS(uint16_t, uint64_t, int64_t);
        return true;
    case GX_i8:
        if (from) ROWS(int8_t, uint64_t, int64_t);
        return true;
    case GX_u8:
    case GX_bool:
        if (from) ROWS(uint8_t, uint64_t, int64_t);
        return true;
    default: return false;
    }
}

bool gx_cpu_scans(const gx_totals *j) {
    return j->dtype == j->total || scan_rows(NULL, j, NULL, NULL);
}

bool gx_cpu_scan(gx_device *d, const gx_totals *j, int *fp) {
    gx_rt *rt = d->rt;
    const char *from = j->from->data + j->offset;
    feclearexcept(FE_OVERFLOW | FE_INVALID);
    if (!scan_rows(rt, j, from, j->to->data)) scan_columns(rt, j, from, j->to->data);
    const int met = fetestexcept(FE_OVERFLOW | FE_INVALID);
    *fp = 0;
    if (gx_dtypes[j->total].kind >= GX_KIND_FLOAT)
        *fp = (met & FE_OVERFLOW ? GX_FP_OVERFLOW : 0) | (met & FE_INVALID ? GX_FP_INVALID : 0);
    return gx_work_end(rt);
}
