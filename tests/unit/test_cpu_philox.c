/* Unit tests of random streams on the CPU: against cuRAND's host generator when it is installed
   (it needs no GPU), and against themselves at every position and length. */
#include "tests/unit/cpu_tape_int.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>

#include "kernels/philox.h"
#include "runtime/backend/cpu/cpu_int.h"

enum { N = 300000, PHILOX = 161 };

typedef struct curand {
    int (*create)(void **, int);
    int (*seed)(void *, unsigned long long);
    int (*offset)(void *, unsigned long long);
    int (*bits)(void *, unsigned *, size_t);
    int (*uniform32)(void *, float *, size_t);
    int (*uniform64)(void *, double *, size_t);
    int (*normal32)(void *, float *, size_t, float, float);
    int (*normal64)(void *, double *, size_t, double, double);
    int (*destroy)(void *);
} curand;

static void find(void *handle, const char *name, void *to) {
    void *at = dlsym(handle, name);
    cr_assert_not_null(at, "%s", name);
    memcpy(to, &at, sizeof at);
}

/* False, with a word on stderr, when cuRAND is not installed. */
static bool open_curand(curand *c) {
    static const char *const paths[] = {"libcurand.so.10", "/usr/local/cuda/lib64/libcurand.so.10",
                                        "/usr/local/cuda/lib/libcurand.so.10"};
    void *h = NULL;
    for (int i = 0; !h && i < 3; i++) h = dlopen(paths[i], RTLD_NOW);
    if (!h) {
        fprintf(stderr, "skipped: libcurand.so.10 is not installed\n");
        cr_skip_test("libcurand.so.10 is not installed");
        return false;
    }
    find(h, "curandCreateGeneratorHost", &c->create);
    find(h, "curandSetPseudoRandomGeneratorSeed", &c->seed);
    find(h, "curandSetGeneratorOffset", &c->offset);
    find(h, "curandGenerate", &c->bits);
    find(h, "curandGenerateUniform", &c->uniform32);
    find(h, "curandGenerateUniformDouble", &c->uniform64);
    find(h, "curandGenerateNormal", &c->normal32);
    find(h, "curandGenerateNormalDouble", &c->normal64);
    find(h, "curandDestroyGenerator", &c->destroy);
    return true;
}

/* cuRAND's stream of a distribution. */
static void ask(const curand *c, gx_dist dist, uint64_t seed, uint64_t offset, void *out) {
    void *g;
    int status = 0;
    cr_assert_eq(c->create(&g, PHILOX), 0);
    cr_assert_eq(c->seed(g, seed), 0);
    cr_assert_eq(c->offset(g, offset), 0);
    if (dist == GX_DIST_BITS32) status = c->bits(g, out, N);
    if (dist == GX_DIST_UNIFORM32) status = c->uniform32(g, out, N);
    if (dist == GX_DIST_UNIFORM64) status = c->uniform64(g, out, N);
    if (dist == GX_DIST_NORMAL32) status = c->normal32(g, out, N, 0, 1);
    if (dist == GX_DIST_NORMAL64) status = c->normal64(g, out, N, 0, 1);
    cr_assert_eq(status, 0);
    c->destroy(g);
}

/* The first n elements are compared: with an offset, cuRAND repeats some doubles where its 65,536
   streams wrap around, which gx does not imitate. */
static void check_against_curand(uint64_t seed, uint64_t offset, int n) {
    static double mine[N], theirs[N];
    curand c;
    if (!open_curand(&c)) return;
    for (int dist = GX_DIST_BITS32; dist <= GX_DIST_UNIFORM64; dist++) {
        size_t bytes = (size_t)n * (dist == GX_DIST_UNIFORM64 ? 8 : 4);
        gx_philox_fill(mine, (gx_dist)dist, seed, offset, N);
        ask(&c, (gx_dist)dist, seed, offset, theirs);
        cr_assert_eq(memcmp(mine, theirs, bytes), 0, "bits of distribution %d", dist);
    }
    gx_philox_fill(mine, GX_DIST_NORMAL64, seed, offset, N);
    ask(&c, GX_DIST_NORMAL64, seed, offset, theirs);
    for (int i = 0; i < n; i++) cr_assert_float_eq(mine[i], theirs[i], 4e-15);
    const float *f = (const float *)(const void *)mine, *g = (const float *)(const void *)theirs;
    gx_philox_fill(mine, GX_DIST_NORMAL32, seed, offset, N);
    ask(&c, GX_DIST_NORMAL32, seed, offset, theirs);
    for (int i = 0; i < n; i++) /* 4 ulp */
        cr_assert_leq(fabsf(f[i] - g[i]), 4 * 1.2e-7F * fabsf(g[i]));
}

Test(cpu_philox, streams_are_curands) {
    check_against_curand(0, 0, N);
    check_against_curand(0x123456789ABCDEF, 0, N);
    check_against_curand(42, 8, 200000);
    check_against_curand(42, 3, 200000);
}

/* Words known from the generator's publication: counter and key of zeros, and of ones. */
Test(cpu_philox, known_words) {
    gx_philox_u32 w[4];
    gx_philox_block(0, 0, 0, w);
    cr_assert(w[0] == 0x6627e8d5U && w[1] == 0xe169c58dU && w[2] == 0xbc57ac4cU &&
              w[3] == 0x9b00dbd8U);
    gx_philox_block(~0ULL, ~0ULL, ~0ULL, w);
    cr_assert(w[0] == 0x408f276dU && w[1] == 0x41c83b0eU && w[2] == 0xa20bc7c6U &&
              w[3] == 0x6d5451fdU);
}

Test(cpu_philox, any_part_equals_the_whole) {
    static char whole[8 * 3000], part[8 * 3000];
    const uint64_t base = 4 * 65536 - 1000; /* across the end of a round of counters */
    for (int dist = 0; dist <= GX_DIST_BITS64; dist++) {
        int item =
            dist == GX_DIST_UNIFORM64 || dist == GX_DIST_NORMAL64 || dist == GX_DIST_BITS64 ? 8 : 4;
        gx_philox_fill(whole, (gx_dist)dist, 99, base, 3000);
        for (int from = 0; from < 40; from++)
            for (int n = 0; n < 1300; n = n * 2 + 1 + from % 3) {
                gx_philox_fill(part, (gx_dist)dist, 99, base + (uint64_t)from, n);
                cr_assert_eq(memcmp(part, whole + from * item, (size_t)(n * item)), 0);
            }
    }
}

/* What one element's functions give, as kernels use them, is what the vector loops give. */
Test(cpu_philox, vectors_equal_scalars) {
    enum { FOURS = 500 };
    double normal[4 * FOURS];
    float normal32[4 * FOURS];
    gx_philox_fill(normal, GX_DIST_NORMAL64, 5, 0, 4 * FOURS);
    gx_philox_fill(normal32, GX_DIST_NORMAL32, 5, 0, 4 * FOURS);
    for (uint64_t u = 0; u < FOURS; u++) {
        gx_philox_u64 pairs[4];
        gx_philox_u32 words[4];
        gx_philox_pairs(5, u, pairs);
        gx_philox_four(5, u, words);
        for (int k = 0; k < 4; k += 2) {
            double a, b;
            float x, y;
            gx_philox_normal64(gx_philox_uniform64(pairs[k]), gx_philox_uniform64(pairs[k + 1]), &a,
                               &b);
            gx_philox_normal32(words[k], words[k + 1], &x, &y);
            cr_assert(a == normal[4 * u + (uint64_t)k] && b == normal[4 * u + (uint64_t)k + 1]);
            cr_assert(x == normal32[4 * u + (uint64_t)k] && y == normal32[4 * u + (uint64_t)k + 1]);
        }
    }
}

Test(cpu_philox, functions_are_close) {
    for (int i = 1; i <= 200000; i++) {
        double u = i / 200000.0, s, c;
        cr_assert_float_eq(gx_philox_log(u), log(u), 4e-16 * (1 + fabs(log(u))));
        gx_philox_sincospi(2 * u, &s, &c);
        cr_assert_float_eq(s, (double)sinl(2 * u * 3.14159265358979323846L), 8e-16);
        cr_assert_float_eq(c, (double)cosl(2 * u * 3.14159265358979323846L), 8e-16);
    }
    cr_assert_eq(gx_philox_log(1), 0);
    cr_assert_float_eq(gx_philox_log(0x1p-54), -54 * 0.693147180559945309, 1e-14);
}
