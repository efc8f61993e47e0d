/* Leaves that are computed from positions: counting (IOTA) and random streams. An element is a
   function of its position alone, so pieces may be made in any order and by any thread. */
#include "runtime/backend/cpu/cpu_int.h"

#include <string.h>

/* Two at a time, by the vectors that every x86-64 has. */
typedef uint64_t words __attribute__((vector_size(16)));
typedef double doubles __attribute__((vector_size(16)));

/* v, v + d, v + 2d … */
static void count_words(char *out, uint64_t v, uint64_t d, int64_t n) {
    words a = {v, v + d}, b = a + 2 * d;
    int64_t i = 0;
    for (; i + 4 <= n; i += 4, a += 4 * d, b += 4 * d) {
        memcpy(out + i * 8, &a, sizeof a);
        memcpy(out + i * 8 + 16, &b, sizeof b);
    }
    for (; i < n; i++) {
        uint64_t at = v + (uint64_t)i * d;
        memcpy(out + i * 8, &at, sizeof at);
    }
}

/* first + k * by for k = e, e + step, …, all of which doubles hold exactly. */
static void count_doubles(char *out, double first, double by, int64_t e, int64_t step, int64_t n) {
    doubles k = {(double)e, (double)(e + step)}, two = {2.0 * (double)step, 2.0 * (double)step};
    int64_t i = 0;
    for (; i + 2 <= n; i += 2, k += two) {
        doubles v = first + k * by;
        memcpy(out + i * 8, &v, sizeof v);
    }
    for (; i < n; i++) {
        double v = first + (double)(e + i * step) * by;
        memcpy(out + i * 8, &v, sizeof v);
    }
}

static bool small(int64_t e, int64_t step, int64_t n) {
    const int64_t most = INT64_C(1) << 50;
    return e < most && e > -most && step < most && step > -most &&
           (step == 0 || n < most / (step < 0 ? -step : step));
}

/* Elements e, e + step, …: first + e * step in the leaf's dtype; integers wrap. */
static void iota_run(char *out, const gx_leaf *leaf, int64_t e, int64_t step, int64_t n) {
    const gx_leaf copy = {.dtype = leaf->dtype, .first = leaf->first, .step = leaf->step};
    const gx_leaf *l = &copy; /* which `out` cannot reach */
    if (l->dtype == GX_i64 || l->dtype == GX_u64) {
        uint64_t by = (uint64_t)l->step.i64;
        count_words(out, (uint64_t)l->first.i64 + (uint64_t)e * by, (uint64_t)step * by, n);
        return;
    }
    if (l->dtype == GX_f64 && small(e, step, n)) {
        count_doubles(out, l->first.f64, l->step.f64, e, step, n);
        return;
    }
    switch ((gx_dtype)l->dtype) {
#define X(id, name, kind, store, compute, cuda, bytes, letter, ...)                                \
    case GX_##id:                                                                                  \
        for (int64_t i = 0; i < n; i++)                                                            \
            ((store *)(void *)out)[i] =                                                            \
                (store)((uint64_t)l->first.id + (uint64_t)(e + i * step) * (uint64_t)l->step.id);  \
        return;
        GX_INT_DTYPES(X)
        GX_UINT_DTYPES(X)
#undef X
    case GX_f32:
        for (int64_t i = 0; i < n; i++)
            ((float *)(void *)out)[i] = l->first.f32 + (float)(e + i * step) * l->step.f32;
        return;
    case GX_f64:
        for (int64_t i = 0; i < n; i++)
            ((double *)(void *)out)[i] = l->first.f64 + (double)(e + i * step) * l->step.f64;
        return;
    case GX_c64:
        for (int64_t i = 0; i < n; i++) {
            float at = (float)(e + i * step);
            ((gx_c64 *)(void *)out)[i] = (gx_c64){l->first.c64.re + at * l->step.c64.re,
                                                  l->first.c64.im + at * l->step.c64.im};
        }
        return;
    case GX_c128:
        for (int64_t i = 0; i < n; i++) {
            double at = (double)(e + i * step);
            ((gx_c128 *)(void *)out)[i] = (gx_c128){l->first.c128.re + at * l->step.c128.re,
                                                    l->first.c128.im + at * l->step.c128.im};
        }
        return;
    case GX_bool:
        for (int64_t i = 0; i < n; i++)
            out[i] = (char)(l->first.b != 0 || (l->step.b != 0 && e + i * step != 0));
        return;
    GX_HALF_DTYPES(GX_CASE) /* halves_run */
    case GX_DTYPES:
        return;
    }
}

/* Halves count in float32. */
static void halves_run(const gx_cpu_plan *p, char *out, const gx_leaf *l, int64_t e, int64_t step,
                       int64_t n) {
    enum { PART = 256 };
    const gx_loops *loops = p->cpu->loops;
    const int half = l->dtype;
    gx_leaf wide = {.dtype = GX_f32};
    float block[PART];
    loops->cast[half][GX_f32](&wide.first, &l->first, NULL, NULL, 1, 0);
    loops->cast[half][GX_f32](&wide.step, &l->step, NULL, NULL, 1, 0);
    for (int64_t i = 0; i < n; i += PART) {
        int64_t m = n - i < PART ? n - i : PART;
        iota_run((char *)block, &wide, e + i * step, step, m);
        loops->cast[GX_f32][half](out + i * 2, block, NULL, NULL, (size_t)m, 0);
    }
}

void gx_generate_leaf(const gx_cpu_plan *p, const gx_leaf *l, char *out, int64_t at,
                      const gx_piece *r, int64_t rs, int64_t cs) {
    int item = gx_dtypes[l->dtype].bytes;
    int64_t nr = r->nr, nc = r->nc;
    if (nr > 1 && rs == cs * nc) {
        nc *= nr;
        nr = 1;
    }
    for (int64_t i = 0; i < nr; i++, at += rs, out += nc * item) {
        if (l->kind == GX_LEAF_IOTA && gx_is_half(l->dtype)) {
            halves_run(p, out, l, at, cs, nc);
        } else if (l->kind == GX_LEAF_IOTA) {
            iota_run(out, l, at, cs, nc);
        } else if (cs == 1 || nc == 1) {
            gx_philox_fill(out, (gx_dist)l->dist, l->seed, l->counter + (uint64_t)at, nc);
        } else {
            for (int64_t k = 0; k < nc; k++)
                gx_philox_fill(out + k * item, (gx_dist)l->dist, l->seed,
                               l->counter + (uint64_t)(at + k * cs), 1);
        }
    }
}
