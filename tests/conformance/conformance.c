/* Every operation and cast of the CPU's loops against NumPy's results on tables of edge values
   (expected.bin, made by make_conformance.py). Exact operations must agree to the bit, signed zeros
   included; functions to the units in the last place listed here; nan equals nan. The conditions
   left in the sticky flags must be NumPy's too. Strides and broadcasting are tested elsewhere. */
#include <criterion/criterion.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/backend/cpu/loops/loops.h"

enum { SKIP = 128 };

typedef struct table {
    uint32_t n;
    const unsigned char *in[3];
} table;
typedef struct report {
    int checked, wrong, flagged;
} report;

/* Units in the last place allowed to what is not exact: 4 for functions (cost 16 and more), 0 for
   the rest, or as listed for {float, complex}. Complex results are measured on the larger part.
   poor: NumPy's own value is off near zero, so the distance is that of a result of size 1. quiet:
   NumPy warns of a nan operand by accident of its comparisons; conditions are not compared. */
static const struct {
    const char *name;
    int real, complex;
    bool poor;
    enum { WARNS, QUIET, QUIET_COMPLEX } warns;
} special[] = {
    {"absolute", 0, 2, false, WARNS},    {"sqrt", 0, 2, false, WARNS},
    {"divide", 0, 4, false, WARNS},      {"reciprocal", 0, 4, false, WARNS},
    {"sign", 0, 2, false, WARNS},        {"power", 2, 64, false, QUIET_COMPLEX},
    {"multiply", 0, 2, false, WARNS},    {"square", 0, 2, false, WARNS},
    {"log1p", 4, 4, true, WARNS},        {"logaddexp", 4, 0, false, QUIET},
    {"logaddexp2", 4, 0, false, QUIET},   {"sinc", 4, 0, false, QUIET},
    {"gammaln", 4, 0, true, WARNS},      {"ndtr", 64, 0, false, WARNS},
    {"j0", 8, 0, true, WARNS},           {"j1", 16, 0, true, WARNS},
    {"y0", 8, 0, true, WARNS},           {"y1", 8, 0, true, WARNS},
    {"float_power", 2, 64, false, QUIET_COMPLEX},
    {"hypot", 2, 0, false, WARNS},       {"expm1", 4, 4, false, QUIET_COMPLEX},
    {"spacing", 0, 0, false, QUIET},     {"xlogy", 6, 0, false, WARNS},
    {"digamma", 8, 0, true, WARNS},      {"betaln", 16, 0, true, WARNS},
    {"kl_div", 16, 0, true, WARNS},      {"rel_entr", 4, 0, true, WARNS},
    {"beta", 16, 0, false, WARNS},
    /* SciPy itself is off by 3.4 at 1.0000000000000002, gx by 1.6 */
    {"i0e", 8, 0, false, WARNS},         {"i1e", 8, 0, false, WARNS}};

static int tolerance(const char *name, int kind, bool *poor, bool *quiet) {
    *poor = *quiet = false;
    if (kind < GX_KIND_FLOAT) return 0;
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (strcmp(special[i].name, name) == 0) {
            *poor = special[i].poor;
            *quiet = special[i].warns == QUIET ||
                     (special[i].warns == QUIET_COMPLEX && kind == GX_KIND_CPLX);
            return kind == GX_KIND_CPLX ? special[i].complex : special[i].real;
        }
    gx_opcode op = gx_op_find(name);
    return op != GX_OP_NONE && gx_ops[op].cost >= 16 ? 4 : 0;
}

static double real_at(const void *p, int dtype, size_t i) {
    double v;
    gx_cpu_loops()->cast[dtype][GX_f64](&v, (const char *)p + i * gx_dtypes[dtype].bytes, NULL,
                                        NULL, 1, 0);
    return v;
}

/* Distance in units of the last place of `want`, 0 for the same bits, -1 for different in kind. */
static double distance(double got, double want, int digits, double scale) {
    if (isnan(got) && isnan(want)) return 0;
    if (got == want && signbit(got) == signbit(want)) return 0;
    if (isnan(got) || isnan(want) || isinf(got) || isinf(want)) return -1;
    int lowest = digits == 53 ? -1074 : digits == 24 ? -149 : -24;
    int e = scale == 0 ? lowest : ilogb(scale) - digits + 1;
    double d = fabs(got - want) / ldexp(1, e < lowest ? lowest : e);
    return d == 0 ? 0.25 : d; /* only the sign of a zero differs */
}

static bool near(const void *got, const void *want, int dtype, size_t i, int ulp, bool poor) {
    const gx_dtype_info *info = &gx_dtypes[dtype];
    const char *g = (const char *)got + i * info->bytes, *w = (const char *)want + i * info->bytes;
    int part = dtype == GX_c64 ? GX_f32 : dtype == GX_c128 ? GX_f64 : dtype;
    int parts = info->kind == GX_KIND_CPLX ? 2 : 1;
    int digits = part == GX_f64 ? 53 : part == GX_f32 ? 24 : 11;
    double scale = poor ? 1 : 0;
    if (memcmp(g, w, info->bytes) == 0) return true;
    if (info->kind < GX_KIND_FLOAT) return false;
    for (int k = 0; k < parts; k++) {
        double v = fabs(real_at(w, part, (size_t)k));
        if (isfinite(v) && v > scale) scale = v;
    }
    /* Annex G leaves the sign of an infinity beside nan open, and of a zero. */
    if (parts == 2 && (isnan(real_at(w, part, 0)) || isnan(real_at(w, part, 1))))
        for (size_t k = 0; k < 2; k++) {
            double a = real_at(g, part, k), b = real_at(w, part, k);
            if (isnan(b) ? !isnan(a) : fabs(a) != fabs(b)) return false;
            if (k == 1) return true;
        }
    for (int k = 0; k < parts; k++) {
        double d =
            distance(real_at(g, part, (size_t)k), real_at(w, part, (size_t)k), digits, scale);
        if (d < 0 || d > ulp) return false;
    }
    return true;
}

static void show(const void *p, int dtype, size_t i) {
    const gx_dtype_info *info = &gx_dtypes[dtype];
    const char *at = (const char *)p + i * info->bytes;
    if (info->kind == GX_KIND_CPLX) {
        int part = dtype == GX_c64 ? GX_f32 : GX_f64;
        printf("%.17g%+.17gj", real_at(at, part, 0), real_at(at, part, 1));
    } else {
        printf("%.17g", real_at(at, dtype, 0));
    }
}

static int conditions(void) {
    int f = fetestexcept(FE_DIVBYZERO | FE_OVERFLOW | FE_INVALID);
    return (f & FE_DIVBYZERO ? 1 : 0) | (f & FE_OVERFLOW ? 2 : 0) | (f & FE_INVALID ? 8 : 0);
}

/* One record: all at once for the values, one by one for the conditions. */
static void check(const char *label, gx_loop loop, int dtype, const int in_dtype[3], int result,
                  const table *t, int arity, const unsigned char *want, const unsigned char *met,
                  int ulp, bool poor, bool flags, report *r) {
    size_t item = gx_dtypes[result].bytes;
    char *got = malloc(t->n * item + 1);
    loop(got, t->in[0], t->in[1], t->in[2], t->n, 0);
    int shown = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        if (met[i] & SKIP) continue;
        _Alignas(16) char one[16];
        const void *x[3] = {NULL, NULL, NULL};
        for (int k = 0; k < arity; k++) x[k] = t->in[k] + i * gx_dtypes[in_dtype[k]].bytes;
        feclearexcept(FE_ALL_EXCEPT);
        loop(one, x[0], x[1], x[2], 1, 0);
        int f = conditions();
        bool same = near(one, got + i * item, result, 0, 0, false);
        bool nan = false, finite = true;
        for (int k = 0; k < arity; k++)
            for (size_t part = 0; part < 2 && gx_dtypes[in_dtype[k]].kind == GX_KIND_CPLX; part++) {
                double v = real_at(x[k], dtype == GX_c64 ? GX_f32 : GX_f64, part);
                nan |= isnan(v);
                finite &= isfinite(v) != 0;
            }
        /* C99 leaves the power of an infinity to the implementation. */
        if (!finite && strstr(label, "power")) continue;
        bool right = near(got, want, result, i, ulp, poor),
             warned = !flags || nan || f == (met[i] & 11);
        r->checked++;
        r->wrong += !right || !same;
        r->flagged += !warned;
        if ((right && same && warned) || shown++ >= 6) continue;
        printf("%s %s(", label, gx_dtypes[dtype].name);
        for (int k = 0; k < arity; k++) {
            if (k) printf(", ");
            show(t->in[k], in_dtype[k], i);
        }
        printf(") = ");
        show(got, result, i);
        printf(", NumPy ");
        show(want, result, i);
        printf(same ? "" : ", alone it differs");
        printf(warned ? "\n" : "; conditions %d, NumPy %d\n", f, met[i] & 11);
    }
    free(got);
}

/* where takes a bool first; ldexp's second operand is an integer in reach. */
static table adapt(const table *t, const char *name, int dtype, void **owned) {
    table r = *t;
    const gx_loops *loops = gx_cpu_loops();
    size_t item = gx_dtypes[dtype].bytes;
    *owned = NULL;
    if (strcmp(name, "where") == 0) {
        *owned = malloc(t->n);
        loops->cast[dtype][GX_bool](*owned, t->in[0], NULL, NULL, t->n, 0);
        r.in[0] = *owned;
    } else if (strcmp(name, "ldexp") == 0) {
        double *v = malloc(t->n * sizeof *v);
        *owned = malloc(t->n * item);
        loops->cast[dtype][GX_f64](v, t->in[1], NULL, NULL, t->n, 0);
        for (uint32_t i = 0; i < t->n; i++) {
            double whole = isnan(v[i]) ? 0 : trunc(v[i]);
            v[i] = whole > 4000 ? 4000 : whole < -4000 ? -4000 : whole;
        }
        loops->cast[GX_f64][dtype](*owned, v, NULL, NULL, t->n, 0);
        r.in[1] = *owned;
        free(v);
    }
    return r;
}

static unsigned char *slurp(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    cr_assert(f, "%s is missing: run from the repository root", path);
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    unsigned char *data = malloc(*size);
    cr_assert_eq(fread(data, 1, *size, f), *size);
    fclose(f);
    return data;
}

Test(conformance, numpy) {
    size_t size;
    unsigned char *data = slurp("tests/conformance/expected.bin", &size), *p = data + 4;
    const gx_loops *loops = gx_cpu_loops();
    static table tables[GX_DTYPES][4];
    report r = {0, 0, 0};
    cr_assert_eq(memcmp(data, "GXC1", 4), 0);
    while (p < data + size) {
        int kind = p[0], dtype = p[1], result = p[2];
        char name[64] = "";
        uint32_t n;
        memcpy(name, p + 4, p[3]);
        p += 4 + p[3];
        memcpy(&n, p, 4);
        p += 4;
        size_t item = gx_dtypes[dtype].bytes;
        if (kind == 0) {
            table *t = &tables[dtype][result];
            t->n = n;
            for (int k = 0; k < result; k++, p += n * item) {
                char *copy = aligned_alloc(64, (n * item + 127) / 64 * 64);
                memcpy(copy, p, n * item);
                t->in[k] = (unsigned char *)copy;
            }
            continue;
        }
        const unsigned char *met = p + n * gx_dtypes[result].bytes;
        unsigned char *want = malloc(n * gx_dtypes[result].bytes + 1); /* aligned, as p is not */
        memcpy(want, p, n * gx_dtypes[result].bytes);
        p += n * (gx_dtypes[result].bytes + 1u);
        int in_dtype[3] = {dtype, dtype, dtype};
        if (kind == 2) {
            check(gx_dtypes[result].name, loops->cast[dtype][result], dtype, in_dtype, result,
                  &tables[dtype][1], 1, want, met, 0, false, true, &r);
            free(want);
            continue;
        }
        gx_opcode op = gx_op_find(name);
        cr_assert_neq(op, GX_OP_NONE, "%s is in expected.bin only", name);
        cr_assert(loops->op[op][dtype], "%s has no loop for %s", name, gx_dtypes[dtype].name);
        bool poor, quiet;
        int ulp = tolerance(name, gx_dtypes[dtype].kind, &poor, &quiet), arity = gx_ops[op].arity;
        /* NumPy's float16 keeps the first of two zeros, its other floats the second. */
        if (dtype == GX_f16 && (strstr(name, "max") || strstr(name, "min"))) ulp = 1;
        void *owned;
        table t = adapt(&tables[dtype][arity], name, dtype, &owned);
        if (gx_ops[op].rule == GX_RULE_SELECT) in_dtype[0] = GX_bool;
        check(name, loops->op[op][dtype], dtype, in_dtype, result, &t, arity, want, met, ulp,
              poor, !quiet && !gx_ops[op].module, &r);
        free(owned);
        free(want);
    }
    for (int dtype = 0; dtype < GX_DTYPES; dtype++)
        for (int arity = 1; arity <= 3; arity++)
            for (int k = 0; k < arity; k++) free((void *)tables[dtype][arity].in[k]);
    free(data);
    printf("%d results checked on %s, %d differ, %d conditions differ\n", r.checked, loops->isa,
           r.wrong, r.flagged);
    cr_expect_eq(r.wrong, 0);
    cr_expect_eq(r.flagged, 0);
    cr_expect_gt(r.checked, 100000);
}
