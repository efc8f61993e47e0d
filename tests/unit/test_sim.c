/* The PTX simulator on text written by hand: results, bounds, barriers, and what it refuses. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "runtime/base/rt.h"
#include "runtime/sim/sim.h"

static gx_rt *rt;

static void setup(void) {
    rt = gx_rt_new();
}
static void teardown(void) {
    gx_rt_free(rt);
}
TestSuite(sim, .init = setup, .fini = teardown);

#define HEAD ".version 8.0\n.target sm_75\n.address_size 64\n"

static const char saxpy[] =
    HEAD ".visible .entry saxpy(.param .f32 a, .param .u64 px, .param .u64 py, .param .u32 pn)\n"
         "{\n"
         "  .reg .pred %p<2>; .reg .f32 %f<5>; .reg .b32 %r<6>; .reg .b64 %rd<8>;\n"
         "  .loc 1 7 0\n"
         "  ld.param.f32 %f1, [a]; ld.param.u64 %rd1, [px]; ld.param.u64 %rd2, [py];\n"
         "  ld.param.u32 %r2, [pn];\n"
         "  mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x;\n"
         "  mad.lo.s32 %r1, %r3, %r4, %r5;\n"
         "  setp.ge.s32 %p1, %r1, %r2;\n"
         "  @%p1 bra $done;\n"
         "  cvta.to.global.u64 %rd3, %rd2; cvta.to.global.u64 %rd4, %rd1;\n"
         "  mul.wide.s32 %rd5, %r1, 4; add.s64 %rd6, %rd4, %rd5; add.s64 %rd7, %rd3, %rd5;\n"
         "  .loc 1 8 0\n"
         "  ld.global.f32 %f2, [%rd6]; ld.global.f32 %f3, [%rd7];\n"
         "  fma.rn.f32 %f4, %f2, %f1, %f3;\n"
         "  st.global.f32 [%rd7], %f4;\n"
         "$done:\n"
         "  ret;\n"
         "}\n";

typedef struct saxpy_params {
    float a;
    int pad;
    uint64_t x, y;
    int n;
} saxpy_params;

static gx_sim *load(const char *text) {
    gx_sim *sim = NULL;
    cr_assert(gx_sim_new(rt, text, strlen(text), &sim), "%s", rt->error.message);
    return sim;
}

static gx_sim_report run_saxpy(gx_sim *sim, float *x, float *y, int room, int n, int blocks) {
    gx_sim_array arrays[] = {{(char *)x, room * 4, 4, false, "x"},
                             {(char *)y, room * 4, 4, true, "y"}};
    saxpy_params p = {2, 0, gx_sim_address(sim, 0), gx_sim_address(sim, 1), n};
    gx_sim_launch launch = {.grid = {(uint32_t)blocks, 1, 1},
                            .block = {64, 1, 1},
                            .params = &p,
                            .param_bytes = sizeof p,
                            .arrays = arrays,
                            .n_array = 2};
    gx_sim_report report;
    cr_assert(gx_sim_run(sim, gx_sim_entry(sim, "saxpy"), &launch, &report));
    return report;
}

Test(sim, runs_every_thread_once) {
    float x[200], y[200];
    for (int i = 0; i < 200; i++) x[i] = (float)i, y[i] = 1;
    gx_sim *sim = load(saxpy);
    gx_sim_report r = run_saxpy(sim, x, y, 200, 150, 4);
    cr_assert_eq(r.fault.kind, GX_FAULT_NONE);
    for (int i = 0; i < 200; i++) cr_assert_eq(y[i], i < 150 ? 2 * (float)i + 1 : 1);
    cr_assert_gt(r.lane_instructions, r.instructions);
    gx_sim_free(sim);
}

Test(sim, tells_the_first_access_outside) {
    float x[100] = {0}, y[101];
    for (int i = 0; i < 101; i++) y[i] = 5;
    gx_sim *sim = load(saxpy);
    gx_sim_report r = run_saxpy(sim, x, y, 100, 150, 4);
    cr_assert_eq(r.fault.kind, GX_FAULT_BOUNDS);
    cr_assert_eq(r.fault.block[0], 1);
    cr_assert_eq(r.fault.thread[0], 100 - 64);
    cr_assert_eq(r.fault.index, 100);
    cr_assert_eq(r.fault.array, 0);
    cr_assert_eq(r.fault.line, 8);
    cr_assert_eq(r.fault.count, 150); /* 50 threads, two reads and a write */
    cr_assert_eq(y[100], 5, "nothing outside is touched");
    gx_sim_free(sim);
}

Test(sim, parameters_and_entries_are_told) {
    gx_sim *sim = load(saxpy);
    int64_t offset, bytes;
    cr_assert(gx_sim_param(sim, gx_sim_entry(sim, "saxpy"), 3, &offset, &bytes));
    cr_assert_eq(offset, 24);
    cr_assert_eq(bytes, 4);
    cr_assert_not(gx_sim_param(sim, gx_sim_entry(sim, "saxpy"), 4, &offset, &bytes));
    cr_assert_eq(gx_sim_entry(sim, "other"), -1);
    cr_assert_str_eq(gx_sim_entry_name(sim, 0), "saxpy");
    cr_assert_null(gx_sim_entry_name(sim, 1));
    gx_sim_free(sim);
}

/* Lanes that part meet again, and a barrier that not all can reach is told. */
Test(sim, a_barrier_that_cannot_be_passed) {
    static const char text[] =
        HEAD ".visible .entry stuck()\n{\n .reg .pred %p<2>; .reg .b32 %r<2>;\n"
             " mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 10;\n .loc 1 3 0\n @%p1 bar.sync 1, 64;\n"
             " .loc 1 4 0\n @!%p1 bar.sync 2, 64;\n ret;\n}\n";
    gx_sim *sim = load(text);
    gx_sim_launch launch = {.grid = {1, 1, 1}, .block = {64, 1, 1}};
    gx_sim_report r;
    cr_assert(gx_sim_run(sim, gx_sim_entry(sim, "stuck"), &launch, &r));
    cr_assert_eq(r.fault.kind, GX_FAULT_DEADLOCK);
    cr_assert(strstr(r.fault.text, "10 of 64 threads wait at line 3"), "%s", r.fault.text);
    gx_sim_free(sim);
}

Test(sim, refuses_by_name) {
    static const struct {
        const char *body, *message;
    } rows[] = {
        {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%r1}, {%r1}, {%r1}, {%r1};", "wmma.mma"},
        {"add.u32 %r1, %r1;", "not simulated: add.u32"},
        {"frobnicate.u32 %r1, %r1;", "not simulated: frobnicate.u32"},
        {"mov.u32 %r1, %nothing;", "unknown name: %nothing"},
        {"bra $nowhere;", "unknown label: $nowhere"},
        {"ld.global.u32 %r1, [%r1;", "']' was expected"},
        {"@%r1 ret;", "a predicate was expected"},
        {".reg .b128 %q<2>;", "registers of a type"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[600];
        gx_sim *sim = NULL;
        snprintf(text, sizeof text,
                 HEAD ".visible .entry f()\n{\n .reg .b32 %%r<4>;\n %s\n ret;\n}\n", rows[k].body);
        cr_assert_not(gx_sim_new(rt, text, strlen(text), &sim), "%s", rows[k].body);
        cr_assert(strstr(rt->error.message, rows[k].message), "%s: %s", rows[k].body,
                  rt->error.message);
        gx_error_clear(rt);
    }
}

/* Every prefix of a module is read or refused, without a crash or a leak. */
Test(sim, unfinished_text) {
    for (size_t n = 0; n < sizeof saxpy; n++) {
        gx_sim *sim = NULL;
        if (gx_sim_new(rt, saxpy, n, &sim)) gx_sim_free(sim);
        gx_error_clear(rt);
    }
    cr_assert_eq(rt->stats.live_blocks, 0);
}
