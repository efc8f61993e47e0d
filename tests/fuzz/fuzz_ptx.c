/* Any text as PTX: it is read, and what kernels it has are run on small arrays, watched and
   counted. Checked: what a kernel may not touch is untouched, and nothing is left when the module
   is freed. */
#include <string.h>

#include "runtime/backend/sim/sim.h"
#include "runtime/base/rt.h"
#include "tests/fuzz/fuzz_int.h"

enum { ARRAY = 256, GUARD = 64, ARRAYS = 3, PARAMS = 512, MOST = 20000, KERNELS = 4 };

typedef struct guarded {
    unsigned char before[GUARD], data[ARRAY], after[GUARD];
} guarded;

static void fill(guarded *a) {
    memset(a, 0xA5, sizeof *a);
    for (int k = 0; k < ARRAY; k++) a->data[k] = (unsigned char)(k * 7);
}

static void check(const guarded *a, bool writable) {
    for (int k = 0; k < GUARD; k++) GX_FUZZ_CHECK(a->before[k] == 0xA5 && a->after[k] == 0xA5);
    for (int k = 0; k < ARRAY && !writable; k++)
        GX_FUZZ_CHECK(a->data[k] == (unsigned char)(k * 7));
}

/* Parameters of 8 bytes are arrays, of which the last may not be written; others are small
   numbers. */
static void run_entry(gx_rt *rt, gx_sim *sim, int entry) {
    static const char *const names[ARRAYS] = {"x", "y", "z"};
    guarded array[ARRAYS];
    gx_sim_array arrays[ARRAYS];
    uint64_t params[PARAMS / 8] = {0};
    int64_t offset, bytes;
    for (int k = 0; k < ARRAYS; k++) {
        fill(&array[k]);
        arrays[k] =
            (gx_sim_array){(char *)array[k].data, ARRAY, 4, k < ARRAYS - 1, false, names[k], false};
    }
    for (int p = 0; gx_sim_param(sim, entry, p, &offset, &bytes); p++) {
        uint64_t value = bytes == 8 ? gx_sim_address(sim, p % ARRAYS) : 40;
        if (offset >= 0 && offset + 8 <= PARAMS)
            memcpy((char *)params + offset, &value, bytes < 8 ? (size_t)bytes : 8);
    }
    gx_sim_counters counters;
    gx_sim_report report;
    gx_sim_launch launch = {.grid = {2, 1, 1},
                            .block = {40, 1, 1},
                            .shared = 128,
                            .params = params,
                            .param_bytes = PARAMS,
                            .arrays = arrays,
                            .n_array = ARRAYS,
                            .counters = &counters,
                            .most = MOST};
    if (gx_sim_static_shared(sim, entry) > 1 << 16 || gx_sim_local(sim, entry) > 1 << 16) return;
    if (gx_sim_run(sim, entry, &launch, &report)) {
        GX_FUZZ_CHECK(report.fault.kind < GX_FAULT_KINDS);
        gx_sim_counters_free(rt, &counters);
    } else {
        GX_FUZZ_CHECK(gx_failed(&rt->error));
        gx_error_clear(rt);
        gx_sim_counters_free(rt, &counters);
    }
    for (int k = 0; k < ARRAYS; k++) check(&array[k], arrays[k].writable);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gx_rt *rt = gx_rt_new();
    gx_sim *sim;
    if (!rt) return 0;
    if (gx_sim_new(rt, (const char *)data, size, &sim)) {
        const char *name;
        for (int k = 0; k < KERNELS && (name = gx_sim_entry_name(sim, k)); k++) {
            int entry = gx_sim_entry(sim, name);
            GX_FUZZ_CHECK(entry >= 0);
            run_entry(rt, sim, entry);
        }
        gx_sim_free(sim);
    } else {
        GX_FUZZ_CHECK(gx_failed(&rt->error) && rt->error.message != NULL);
    }
    gx_error_clear(rt);
    gx_symtab_free(rt);
    GX_FUZZ_CHECK(rt->stats.live_blocks == 0);
    gx_rt_free(rt);
    return 0;
}
