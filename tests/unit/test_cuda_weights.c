/* Sums of weights by bin as the GPU's kernels add them (kernels/ranks.cu), run by the simulator:
   the bits of a plain model of the order, whatever lies in how many bins. Skipped, with a line
   saying so, where NVRTC is not installed. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/backend/cuda/state_int.h"
#include "runtime/backend/gpu/order_int.h"
#include "runtime/backend/sim/sim.h"

enum { SHORT = 4096, PIECE = 1024, MOST = 40000, BINS = 1000, PIECES = MOST / PIECE + 1 };

typedef struct bin_weights_params { /* of ranks.cu */
    uint64_t words, numbers, weights, to, pieces, n;
    uint32_t bins, pad;
} bin_weights_params;

typedef struct job {
    uint32_t words[MOST], numbers[MOST];
    double weights[MOST], got[BINS], pieces[2 * PIECES];
    int n, bins;
} job;

/* What of a piece belongs to a bin, as a warp adds it. */
static double piece_sum(const job *j, int low, int from, int end) {
    double lane[32];
    for (int l = 0; l < 32; l++) {
        lane[l] = 0;
        for (int i = low + l; i < low + PIECE; i += 32)
            if (i >= from && i < end) lane[l] += j->weights[j->numbers[i]];
    }
    for (int by = 16; by > 0; by /= 2)
        for (int l = 0; l < by; l++) lane[l] += lane[l + by];
    return lane[0];
}

static double model(const job *j, int bin) {
    int from = 0, end;
    double sum = 0;
    while (from < j->n && j->words[from] < (uint32_t)bin) from++;
    for (end = from; end < j->n && j->words[end] == (uint32_t)bin;) end++;
    if (end - from <= SHORT)
        for (int i = from; i < end; i++) sum += j->weights[j->numbers[i]];
    else
        for (int low = from / PIECE * PIECE; low < end; low += PIECE)
            sum += piece_sum(j, low, from, end);
    return sum;
}

static void launch(gx_sim *sim, const char *entry, int blocks, job *j) {
    gx_sim_array arrays[] = {{.data = (char *)j->words, .bytes = 4 * j->n, .item = 4},
                             {.data = (char *)j->numbers, .bytes = 4 * j->n, .item = 4},
                             {.data = (char *)j->weights, .bytes = 8 * j->n, .item = 8},
                             {.data = (char *)j->got, .bytes = 8 * j->bins, .item = 8},
                             {.data = (char *)j->pieces, .item = 8}};
    arrays[4].bytes = (j->n + PIECE - 1) / PIECE * 16;
    for (int k = 0; k < 5; k++) {
        arrays[k].name = "an array";
        arrays[k].writable = k >= 3;
    }
    bin_weights_params p = {.n = (uint64_t)j->n, .bins = (uint32_t)j->bins};
    uint64_t *at[] = {&p.words, &p.numbers, &p.weights, &p.to, &p.pieces};
    for (int k = 0; k < 5; k++) *at[k] = gx_sim_address(sim, k);
    gx_sim_report report;
    gx_sim_launch l = {.grid = {(uint32_t)blocks, 1, 1}, .block = {256, 1, 1}, .params = &p,
                       .param_bytes = sizeof p, .arrays = arrays, .n_array = 5, .threads = 1};
    int number = gx_sim_entry(sim, entry);
    cr_assert_geq(number, 0);
    cr_assert(gx_sim_run(sim, number, &l, &report));
    cr_assert_eq(report.fault.kind, GX_FAULT_NONE, "%s: fault %d", entry, report.fault.kind);
}

static uint32_t next(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Elements in `bins` bins and outside of all, `skew` of 8 of them in bin 0. */
static void check(gx_sim *sim, job *j, int n, int bins, uint32_t skew) {
    static uint32_t bin_of[MOST];
    uint32_t state = (uint32_t)(n + bins);
    int at = 0;
    j->n = n;
    j->bins = bins;
    for (int i = 0; i < n; i++) {
        bin_of[i] = next(&state) % 8 < skew ? 0 : next(&state) % (uint32_t)(bins + 1);
        j->weights[i] = (double)next(&state) / 3 - 1e6;
    }
    for (int bin = 0; bin <= bins; bin++) /* stable, as the sort of the device is */
        for (int i = 0; i < n; i++)
            if (bin_of[i] == (uint32_t)bin) {
                j->words[at] = (uint32_t)bin;
                j->numbers[at++] = (uint32_t)i;
            }
    memset(j->pieces, 0xff, sizeof j->pieces);
    launch(sim, "gx_sum_pieces", ((n + PIECE - 1) / PIECE + 7) / 8, j);
    launch(sim, "gx_sum_weights", (bins + 7) / 8, j);
    for (int bin = 0; bin < bins; bin++) {
        double want = model(j, bin);
        cr_assert(memcmp(&want, &j->got[bin], 8) == 0, "%d elements, %d bins: bin %d is %a, not %a",
                  n, bins, bin, j->got[bin], want);
    }
}

Test(cuda_weights, bits_of_the_model, .timeout = 120) {
    gx_rt *rt = gx_rt_new();
    gx_cuda_compiler n = {.rt = rt};
    gx_order_key key;
    if (!gx_cuda_compiler_open(&n)) {
        fprintf(stderr, "bits_of_the_model is skipped: %s\n", rt->error.message);
        gx_error_clear(rt);
        gx_rt_free(rt);
        return;
    }
    memset(&key, 0, sizeof key);
    key.part = GX_ORDER_WEIGH;
    key.dtype = GX_f64;
    key.item = 8;
    key.width = 1;
    gx_buf source = gx_buf_new(rt), ptx = gx_buf_new(rt);
    cr_assert(gx_order_source(rt, &key, &source));
    cr_assert(gx_cuda_compile(&n, "compute_75", gx_buf_text(&source), &ptx), "%s",
              rt->error.message);
    gx_sim *sim;
    cr_assert(gx_sim_new(rt, ptx.data, strlen(ptx.data), &sim), "%s", rt->error.message);
    job *j = calloc(1, sizeof *j);
    static const int sizes[] = {1, 31, 1024, 4096, 4097, 5119, 8192, 12345, 40000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        check(sim, j, sizes[k], 1, 8);
        check(sim, j, sizes[k], 3, 0);
        check(sim, j, sizes[k], 7, 6);
    }
    check(sim, j, 40000, BINS, 0);
    check(sim, j, 40000, BINS, 4);
    free(j);
    gx_sim_free(sim);
    gx_buf_free(&source);
    gx_buf_free(&ptx);
    gx_rt_free(rt);
}
