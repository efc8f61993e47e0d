/* Numbers from random words: uniforms, normals, exponentials, integers, permutations, one by one as
   NumPy draws them, or as pending arrays of the Philox stream. */
#include <math.h>

#include "runtime/device/work.h"
#include "stdlib/numpy/order/order.h"
#include "stdlib/random/rng_int.h"

#include "stdlib/random/ziggurat.inc"

/* --- one by one --- */

/* The polar method gives two; the second waits. */
static double polar(gx_rng *r) {
    double x, y, q;
    if (r->has_gauss) {
        r->has_gauss = false;
        x = r->gauss;
        r->gauss = 0;
        return x;
    }
    do {
        x = 2.0 * gx_rng_double(r) - 1.0;
        y = 2.0 * gx_rng_double(r) - 1.0;
        q = x * x + y * y;
    } while (q >= 1.0 || q == 0.0);
    double f = sqrt(-2.0 * log(q) / q);
    r->gauss = f * x;
    r->has_gauss = true;
    return f * y;
}

static double normal_tail(gx_rng *r, uint64_t bits) {
    const double edge = 3.6541528853610087963519472518, inverse = 0.27366123732975827203338247596;
    for (;;) {
        double x = -inverse * log1p(-gx_rng_double(r)), y = -log1p(-gx_rng_double(r));
        if (y + y > x * x) return bits >> 8 & 1 ? -(edge + x) : edge + x;
    }
}

double gx_rng_normal(gx_rng *r) {
    if (r->legacy) return polar(r);
    for (;;) {
        uint64_t v = gx_rng_u64(r);
        int i = (int)(v & 255);
        v >>= 8;
        uint64_t bits = v >> 1 & UINT64_C(0x000fffffffffffff);
        double x = (double)bits * normal_w[i];
        if (v & 1) x = -x;
        if (bits < normal_k[i]) return x;
        if (i == 0) return normal_tail(r, bits);
        double y = (normal_f[i - 1] - normal_f[i]) * gx_rng_double(r) + normal_f[i];
        if (y < exp(-0.5 * x * x)) return x;
    }
}

/* The tables of single precision are the double ones rounded: 23 bits stand for 52. */
float gx_rng_normal_single(gx_rng *r) {
    const float edge = 3.6541528853610087963519472518f, inverse = 0.27366123732975827203338247596f;
    for (;;) {
        const uint32_t v = gx_rng_u32(r), bits = v >> 9;
        const int i = (int)(v & 255);
        float x = (float)bits * (float)(normal_w[i] * 0x1p29);
        if (v >> 8 & 1) x = -x;
        if (bits < (uint32_t)((normal_k[i] + (UINT64_C(1) << 28)) >> 29)) return x;
        if (i == 0)
            for (;;) {
                float p = -inverse * log1pf(-gx_rng_float(r)), q = -log1pf(-gx_rng_float(r));
                if (q + q > p * p) return bits >> 8 & 1 ? -(edge + p) : edge + p;
            }
        float high = (float)normal_f[i - 1], low = (float)normal_f[i];
        if ((high - low) * gx_rng_float(r) + low < (float)exp(-0.5 * (double)x * (double)x))
            return x;
    }
}

double gx_rng_exponential(gx_rng *r) {
    if (r->legacy) return -log(1.0 - gx_rng_double(r));
    for (;;) {
        uint64_t v = gx_rng_u64(r) >> 3;
        int i = (int)(v & 255);
        v >>= 8;
        double x = (double)v * exp_w[i];
        if (v < exp_k[i]) return x;
        if (i == 0) return 7.69711747013104972 - log1p(-gx_rng_double(r));
        double y = (exp_f[i - 1] - exp_f[i]) * gx_rng_double(r) + exp_f[i];
        if (y < exp(-x)) return x;
    }
}

/* As the normals: 23 bits stand for 53. */
float gx_rng_exponential_single(gx_rng *r) {
    for (;;) {
        const uint32_t v = gx_rng_u32(r) >> 1, bits = v >> 8;
        const int i = (int)(v & 255);
        const float x = (float)bits * (float)(exp_w[i] * 0x1p30);
        if (bits < (uint32_t)((exp_k[i] + (UINT64_C(1) << 29)) >> 30)) return x;
        if (i == 0) return 7.69711747013104972f - log1pf(-gx_rng_float(r));
        const float high = (float)exp_f[i - 1], low = (float)exp_f[i];
        if ((high - low) * gx_rng_float(r) + low < expf(-x)) return x;
    }
}

static inline uint64_t masked(gx_rng *r, uint64_t range) {
    const uint64_t mask = UINT64_MAX >> __builtin_clzll(range | 1);
    uint64_t v;
    do v = (range <= UINT32_MAX ? gx_rng_u32(r) : gx_rng_u64(r)) & mask;
    while (v > range);
    return v;
}

static inline uint64_t multiplied_32(gx_rng *r, uint32_t range) {
    uint32_t n = range + 1;
    uint64_t m = (uint64_t)gx_rng_u32(r) * n;
    if ((uint32_t)m < n) {
        uint32_t limit = (UINT32_MAX - range) % n;
        while ((uint32_t)m < limit) m = (uint64_t)gx_rng_u32(r) * n;
    }
    return m >> 32;
}

static inline uint64_t multiplied_64(gx_rng *r, uint64_t range) {
    uint64_t n = range + 1;
    unsigned __int128 m = (unsigned __int128)gx_rng_u64(r) * n;
    if ((uint64_t)m < n) {
        uint64_t limit = (UINT64_MAX - range) % n;
        while ((uint64_t)m < limit) m = (unsigned __int128)gx_rng_u64(r) * n;
    }
    return (uint64_t)(m >> 64);
}

static inline uint64_t bounded(gx_rng *r, uint64_t range) {
    if (range == 0) return 0;
    if (range == UINT32_MAX) return gx_rng_u32(r);
    if (range == UINT64_MAX) return gx_rng_u64(r);
    if (r->legacy) return masked(r, range);
    return range < UINT32_MAX ? multiplied_32(r, (uint32_t)range) : multiplied_64(r, range);
}

uint64_t gx_rng_bounded(gx_rng *r, uint64_t range) {
    return bounded(r, range);
}

/* --- arrays --- */

/* Draws of 32 and of 64 bits number their blocks differently: a change of width goes on where
   neither has been. A lap is one block of each of the stream's 65536 subsequences. */
static gx_array *philox(gx_np *s, gx_rng *r, gx_dist dist, int ndim, const int64_t *shape) {
    const uint64_t lap = UINT64_C(4) << 16;
    bool wide = dist == GX_DIST_UNIFORM64 || dist == GX_DIST_NORMAL64 || dist == GX_DIST_BITS64;
    if (r->counter && wide != r->wide) {
        uint64_t laps = (r->counter + lap - 1) / lap;
        r->counter = (wide ? (laps + 1) / 2 : 2 * laps) * lap;
    }
    r->wide = wide;
    gx_array *a = NULL;
    if (!gx_array_random(s->rt, dist, ndim, shape, r->seed, r->counter, s->ns, &a)) return NULL;
    r->counter += (uint64_t)a->count;
    return gx_np_own(s, a);
}

enum { BETWEEN_LOOKS = 65536 }; /* draws before a look for an interrupt */

static void fill_uniforms(gx_rng *r, double *to, int64_t n) {
    if (r->kind != GX_RNG_PCG) {
        for (int64_t i = 0; i < n; i++) to[i] = gx_rng_double(r);
        return;
    }
    gx_rng own = {.kind = GX_RNG_PCG, .state = r->state, .step = r->step}; /* in registers */
    for (int64_t i = 0; i < n; i++)
        to[i] = (double)(gx_rng_permuted(&own) >> 11) * (1.0 / 9007199254740992.0);
    r->state = own.state;
}

static void fill_normals(gx_rng *r, double *to, int64_t n) {
    for (int64_t i = 0; i < n; i++) to[i] = gx_rng_normal(r);
}

static void fill_exponentials(gx_rng *r, double *to, int64_t n) {
    for (int64_t i = 0; i < n; i++) to[i] = gx_rng_exponential(r);
}

static gx_array *filled(gx_np *s, gx_rng *r, void (*fill)(gx_rng *, double *, int64_t), int ndim,
                        const int64_t *shape) {
    gx_array *a = gx_np_empty(s, GX_f64, ndim, shape);
    double *to = gx_np_data_write(s, a);
    if (!to) return NULL;
    for (int64_t left = a->count; left > 0; left -= BETWEEN_LOOKS, to += BETWEEN_LOOKS) {
        fill(r, to, left < BETWEEN_LOOKS ? left : BETWEEN_LOOKS);
        if (GX_UNLIKELY(s->rt->interrupted) && !gx_interrupt_check(s->rt)) return NULL;
    }
    return a;
}

/* NumPy's float32 draws: 24 bits of a 32-bit word. */
static gx_array *single_uniforms(gx_np *s, gx_rng *r, int ndim, const int64_t *shape) {
    gx_array *a = gx_np_empty(s, GX_f32, ndim, shape);
    float *to = gx_np_data_write(s, a);
    if (!to) return NULL;
    GX_LONG_LOOP(s->rt, i, 0, a->count) to[i] = gx_rng_float(r);
    return a;
}

static gx_array *single_normals(gx_np *s, gx_rng *r, int ndim, const int64_t *shape) {
    gx_array *a = gx_np_empty(s, GX_f32, ndim, shape);
    float *to = gx_np_data_write(s, a);
    if (!to) return NULL;
    GX_LONG_LOOP(s->rt, i, 0, a->count) to[i] = gx_rng_normal_single(r);
    return a;
}

gx_array *gx_rng_uniforms(gx_np *s, gx_rng *r, gx_dtype d, int ndim, const int64_t *shape) {
    if (r->kind != GX_RNG_PHILOX)
        return d == GX_f32 ? single_uniforms(s, r, ndim, shape)
                           : filled(s, r, fill_uniforms, ndim, shape);
    /* The stream's uniforms are in (0, 1]. */
    gx_array *u = philox(s, r, d == GX_f32 ? GX_DIST_UNIFORM32 : GX_DIST_UNIFORM64, ndim, shape);
    return u ? gx_np_op2(s, GX_OP_subtract, gx_np_weak(s, (gx_dtype)u->dtype, 1), u) : NULL;
}

gx_array *gx_rng_normals(gx_np *s, gx_rng *r, gx_dtype d, int ndim, const int64_t *shape) {
    if (r->kind == GX_RNG_PHILOX)
        return philox(s, r, d == GX_f32 ? GX_DIST_NORMAL32 : GX_DIST_NORMAL64, ndim, shape);
    if (d == GX_f32 && !r->legacy) return single_normals(s, r, ndim, shape);
    return gx_np_cast(s, filled(s, r, fill_normals, ndim, shape), d);
}

gx_array *gx_rng_exponentials(gx_np *s, gx_rng *r, int ndim, const int64_t *shape) {
    if (r->kind != GX_RNG_PHILOX) return filled(s, r, fill_exponentials, ndim, shape);
    gx_array *u = philox(s, r, GX_DIST_UNIFORM64, ndim, shape);
    return gx_np_op1(s, GX_OP_negative, gx_np_op1(s, GX_OP_log, u));
}

gx_array *gx_rng_integers(gx_np *s, gx_rng *r, int64_t low, uint64_t range, int ndim,
                          const int64_t *shape) {
    if (r->kind == GX_RNG_PHILOX) {
        gx_array *bits = philox(s, r, GX_DIST_BITS64, ndim, shape);
        gx_scalar n = {.u64 = range + 1};
        gx_array *by = NULL;
        if (!bits || !gx_array_scalar(s->rt, GX_u64, &n, s->ns, &by)) return NULL;
        by = gx_np_own(s, by);
        if (range < UINT64_MAX) bits = gx_np_op2(s, GX_OP_remainder, bits, by);
        return gx_np_op2(s, GX_OP_add, gx_np_cast(s, bits, GX_i64), gx_np_i64(s, low));
    }
    gx_array *a = gx_np_empty(s, GX_i64, ndim, shape);
    int64_t *to = gx_np_data_write(s, a);
    if (!to) return NULL;
    if (!r->legacy && range && range < UINT32_MAX)
        GX_LONG_LOOP(s->rt, i, 0, a->count)
            to[i] = (int64_t)((uint64_t)low + multiplied_32(r, (uint32_t)range));
    else
        GX_LONG_LOOP(s->rt, i, 0, a->count) to[i] = (int64_t)((uint64_t)low + bounded(r, range));
    return gx_work_end(s->rt) ? a : NULL;
}

gx_array *gx_rng_permutation(gx_np *s, gx_rng *r, int64_t n) {
    /* Of the Philox stream: the order of n of its words, which a GPU finds without the host. */
    if (r->kind == GX_RNG_PHILOX)
        return n ? gx_np_argsort(s, philox(s, r, GX_DIST_BITS32, 1, &n), 0) : gx_np_iota(s, 0);
    gx_array *a = gx_np_copy(s, gx_np_iota(s, n), 'C');
    int64_t *x = gx_np_data_write(s, a);
    if (!x) return NULL;
    GX_LONG_LOOP(s->rt, done, 1, n) {
        int64_t i = n - done, k = (int64_t)masked(r, (uint64_t)i), t = x[i];
        x[i] = x[k];
        x[k] = t;
    }
    return gx_work_end(s->rt) ? a : NULL;
}
