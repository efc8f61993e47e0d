/* The PTX simulator on text written by hand: results, bounds, barriers, and what it refuses. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "runtime/backend/sim/sim.h"
#include "runtime/base/rt.h"

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
    gx_sim_array arrays[] = {{(char *)x, room * 4, 4, false, false, "x", false},
                             {(char *)y, room * 4, 4, true, false, "y", false}};
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

/* Is the kernel f of that text not read, or not run? */
static bool refused(const char *text) {
    gx_sim *sim = NULL;
    gx_sim_launch launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    gx_sim_report r;
    if (!gx_sim_new(rt, text, strlen(text), &sim)) return true;
    bool ran = gx_sim_run(sim, gx_sim_entry(sim, "f"), &launch, &r);
    gx_sim_free(sim);
    return !ran;
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
        snprintf(text, sizeof text,
                 HEAD ".visible .entry f()\n{\n .reg .b32 %%r<4>;\n %s\n ret;\n}\n", rows[k].body);
        cr_assert(refused(text), "%s", rows[k].body);
        cr_assert(strstr(rt->error.message, rows[k].message), "%s: %s", rows[k].body,
                  rt->error.message);
        gx_error_clear(rt);
    }
}

/* Results and addresses lie in registers of the instruction's own type: nothing else has room. */
Test(sim, refuses_operands_of_another_type) {
    static const struct {
        const char *body, *message;
    } rows[] = {
        {"abs.s32 %tid.x, %r1;", "abs.s32"},
        {"mov.u32 5, %r1;", "mov.u32"},
        {"mov.u32 %p1, %r1;", "mov.u32"},
        {"add.u32 %r1, %p1, 2;", "a predicate as a number in: add"},
        {"selp.u32 %r1, %r2, %r3, %r1;", "a number as a predicate in: selp"},
        {"setp.eq.u32 %tid.y, %r1, %r2;", "setp.eq.u32"},
        {"setp.eq.u32 %p1|%r1, %r1, %r2;", "a predicate was expected: %r1"},
        {"set.eq.u64.u32 %d1, %r1, %r2;", "set.eq.u64.u32"},
        {"testp.finite.f32 %r1, %r2;", "testp.finite.f32"},
        {"not.pred %r1, %p1;", "not.pred"},
        {"bfi.b32 %ctaid.x, %r1, %r2, 1, 1;", "bfi.b32"},
        {"mov.b64 {%r1, %tid.y}, %d1;", "mov.b64"},
        {"mov.b64 {%r1, %r2};", "mov.b64"},
        {"mov.b64 %tid.x, {%r1, %r2};", "mov.b64"},
        {"cvta.global.u64 %r1, %d1;", "cvta.global.u64"},
        {"ld.global.u32 %r1, [%tid.x];", "an address was expected: %tid.x"},
        {"ld.global.u32 %r1, [%h1];", "an address was expected: %h1"},
        {"ld.global.u32 %r1, [%p1];", "an address was expected: %p1"},
        {"ld.global.u32 %r1, [_];", "an address was expected: _"},
        {"ld.global.u8 %p1, [%d1];", "ld.global.u8"},
        {"ld.global.v2.u32 {%r1, %d1}, [%d1];", "ld.global.v2.u32"},
        {"st.global.u32 [%envreg3+8], %r1;", "an address was expected: %envreg3"},
        {"st.global.u8 [%d1], %p1;", "a predicate as a number in: st"},
        {"atom.global.add.u32 %h1, [%d1], 1;", "atom.global.add.u32"},
        {"atom.global.add.u32 %tid.x, [%d1], 1;", "atom.global.add.u32"},
        {"bar.red.popc.u32 %p1, 0, %p1;", "bar.red.popc.u32"},
        {"bar.red.and.pred %tid.x, 0, %p1;", "bar.red.and.pred"},
        {"activemask.b32 %laneid;", "activemask.b32"},
        {"shfl.sync.idx.b32 %tid.x, %r1, 0, 31, -1;", "shfl.sync.idx.b32"},
        {"vote.sync.any.pred %r1, %p1, -1;", "vote.sync.any.pred"},
        {"vote.sync.ballot.b32 %p1, %p1, -1;", "vote.sync.ballot.b32"},
        {"redux.sync.add.u32 %smid, %r1, -1;", "redux.sync.add.u32"},
        {"isspacep.const %tid.x, %d1;", "isspacep.const"},
        {"isspacep.local %r1, %d1;", "isspacep.local"},
        {"elect.sync %tid.x|%p1, -1;", "elect.sync"},
        {"lop3.b32 %tid.x, %r1, %r2, %r3, 9;", "lop3.b32"},
        {"bmsk.clamp.b32 %tid.x, %r1, %r2;", "bmsk.clamp.b32"},
        {"alloca.u64 %r1, 8;", "alloca.u64"},
        {"stacksave.u64 %tid.x;", "stacksave.u64"},
        {"createpolicy.fractional.L2::evict_last.b64 %r1, 1.0;", "createpolicy"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[600];
        snprintf(text, sizeof text,
                 HEAD ".visible .entry f()\n{\n .reg .pred %%p<2>; .reg .b16 %%h<2>;\n"
                      " .reg .b32 %%r<4>; .reg .b64 %%d<2>;\n %s\n ret;\n}\n",
                 rows[k].body);
        cr_expect(refused(text), "%s", rows[k].body);
        cr_expect(rt->error.message && strstr(rt->error.message, rows[k].message), "%s: %s",
                  rows[k].body, rt->error.message);
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

/* --- races, counters --- */

/* Each thread stores to shared memory and reads its neighbour's word; with a barrier between, or
   without. */
#define NEIGHBOUR(between)                                                                         \
    HEAD ".visible .entry turn(.param .u64 px)\n{\n .reg .b32 %r<8>; .reg .b64 %rd<4>;\n"          \
         " .shared .align 4 .b8 _ZZ4turnPiE1s[256];\n"                                             \
         " ld.param.u64 %rd1, [px]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2;\n"                   \
         " mov.u32 %r3, _ZZ4turnPiE1s; add.s32 %r4, %r3, %r2; .loc 1 5 0\n"                        \
         " st.shared.u32 [%r4], %r1;\n " between                                                   \
         "\n xor.b32 %r5, %r2, 128; add.s32 %r6, %r3, %r5; .loc 1 6 0\n"                           \
         " ld.shared.u32 %r7, [%r6]; cvt.u64.u32 %rd2, %r2; add.s64 %rd3, %rd1, %rd2;\n"           \
         " st.global.u32 [%rd3], %r7;\n ret;\n}\n"

static gx_sim_report run_turn(const char *text, int *x, gx_sim_counters *counters, bool unwatched) {
    gx_sim *sim = load(text);
    gx_sim_array array = {(char *)x, 256, 4, true, false, "x", false};
    uint64_t p = gx_sim_address(sim, 0);
    gx_sim_launch launch = {.grid = {1, 1, 1},
                            .block = {64, 1, 1},
                            .params = &p,
                            .param_bytes = 8,
                            .arrays = &array,
                            .n_array = 1,
                            .unwatched = unwatched,
                            .counters = counters};
    gx_sim_report report;
    cr_assert(gx_sim_run(sim, gx_sim_entry(sim, "turn"), &launch, &report));
    gx_sim_free(sim);
    return report;
}

Test(sim, a_race_is_told_with_both_threads_and_lines) {
    int x[64];
    gx_sim_report r = run_turn(NEIGHBOUR(""), x, NULL, false);
    cr_assert_eq(r.fault.kind, GX_FAULT_RACE);
    cr_assert_str_eq(r.fault.text, "s");
    cr_assert_eq(r.fault.index, 32);
    cr_assert_eq(r.fault.thread[0], 32);
    cr_assert_eq(r.fault.other_thread[0], 0);
    cr_assert(r.fault.write && !r.fault.other_write);
    cr_assert_eq(r.fault.line, 5);
    cr_assert_eq(r.fault.other_line, 6);
    r = run_turn(NEIGHBOUR(""), x, NULL, true);
    cr_assert_eq(r.fault.kind, GX_FAULT_NONE, "nobody watches");
}

Test(sim, a_barrier_orders) {
    int x[64];
    cr_assert_eq(run_turn(NEIGHBOUR("bar.sync 0;"), x, NULL, false).fault.kind, GX_FAULT_NONE);
    for (int i = 0; i < 64; i++) cr_assert_eq(x[i], i ^ 32);
}

Test(sim, a_barrier_of_a_warp_orders_its_own_lanes_only) {
    int x[64];
    gx_sim_report r = run_turn(NEIGHBOUR("bar.warp.sync 0xffffffff;"), x, NULL, false);
    cr_assert_eq(r.fault.kind, GX_FAULT_RACE);
}

Test(sim, lines_are_counted) {
    int x[64];
    gx_sim_counters c;
    run_turn(NEIGHBOUR("bar.sync 0;"), x, &c, false);
    cr_assert_eq(c.threads, 64);
    cr_assert_eq(c.count, 3);
    cr_assert_eq(c.line[1].line, 5);
    cr_assert_eq(c.line[1].shared_writes, 64);
    cr_assert_eq(c.line[2].shared_reads, 64);
    cr_assert_eq(c.line[2].writes, 64);
    cr_assert_eq(c.line[2].requests, 2);
    cr_assert_eq(c.line[2].sectors, 8);
    cr_assert_eq(c.all.conflicts, 0);
    cr_assert_eq(c.all.lanes, c.all.executed * 32);
    gx_sim_counters_free(rt, &c);
}

Test(sim, a_function_defined_twice_is_refused) {
    static const char text[] =
        HEAD ".visible .entry k()\n{\n ret;\n}\n.visible .entry k()\n{\n ret;\n}\n";
    cr_assert(refused(text));
    cr_assert(strstr(rt->error.message, "a second definition of: k"), "%s", rt->error.message);
    gx_error_clear(rt);
}
