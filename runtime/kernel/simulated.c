/* On a simulated GPU (GX_DEVICE=sim, twin) the simulator runs the instrumented text, which checks
   its own accesses, and what that reports is told: the GPU's checks, tested without one. An access
   that slips through is the simulator's to find, and a fault of ours. */
#include <stdio.h>
#include <string.h>

#include "runtime/device/backends.h"
#include "runtime/graph/lazy.h"
#include "runtime/kernel/launch_int.h"

bool gx_raw_is_simulated(gx_rt *rt) {
    return rt->gpu && rt->gpu->backend->simulated;
}

bool gx_raw_simulator(gx_raw *raw) {
    if (raw->simulator) return true;
    if (!gx_raw_check(raw)) return false;
    const char *text = gx_check_text(raw->check);
    return gx_sim_new(raw->rt, text, strlen(text), &raw->simulator);
}

static void print_text(void *arg, const char *text, size_t length) {
    (void)gx_write(arg, GX_OUT, text, length);
}

/* The arrays as the simulator and as the checks see them. */
static bool list_arrays(gx_raw *raw, const gx_raw_entry *e, const gx_raw_arg *args,
                        gx_sim_array *arrays, gx_raw_given *g, int *count, char *params) {
    gx_rt *rt = raw->rt;
    int n = 0;
    char *written[GX_RAW_PARAMS] = {NULL};
    bool blank[GX_RAW_PARAMS]; /* asked before any of them is given to be written */
    for (int p = 0; p < e->n_param; p++)
        blank[p] = args[p].array && args[p].array->storage->blank;
    memset(g, 0, sizeof *g);
    g->n = e->n_param;
    /* first what may move an array to memory of its own, as in a launch on a GPU */
    for (int p = 0; p < e->n_param; p++)
        if (args[p].array && !(e->known && e->param[p].constant) &&
            !gx_array_write(rt, args[p].array, &written[p]))
            return false;
    for (int p = 0; p < e->n_param; p++) {
        gx_array *a = args[p].array;
        bool reads = e->known && e->param[p].constant;
        const char *from = written[p];
        if (!a) continue;
        if (reads && !gx_array_read(rt, a, &from)) return false;
        arrays[n] = (gx_sim_array){.data = (char *)(uintptr_t)from,
                                   .bytes = gx_array_nbytes(a),
                                   .item = (int)gx_dtype_size(a->dtype),
                                   .writable = !reads && !args[p].lost,
                                   .lost = args[p].lost,
                                   .blank = blank[p],
                                   .name = e->param[p].name};
        uint64_t at = gx_sim_address(raw->simulator, n++);
        g->array[p] = (gx_check_array){at, gx_array_nbytes(a), !reads && !args[p].lost};
        g->item[p] = (uint16_t)gx_dtype_size(a->dtype);
        g->lost[p] = args[p].lost;
        memcpy(params + e->param[p].offset, &at, 8);
    }
    *count = n;
    return true;
}

static bool run_entry(gx_raw *raw, const gx_raw_entry *e, const gx_raw_shape *shape,
                      gx_sim_array *arrays, int n, const char *params, size_t bytes,
                      gx_sim_launch *launch, gx_sim_report *out) {
    *launch = (gx_sim_launch){.shared = shape->shared,
                              .params = params,
                              .param_bytes = (int64_t)bytes,
                              .arrays = arrays,
                              .n_array = n,
                              .print = print_text,
                              .print_arg = raw->rt,
                              .full = shape->full,
                              .threads = 1};
    for (int k = 0; k < 3; k++) {
        launch->grid[k] = (uint32_t)shape->grid[k];
        launch->block[k] = (uint32_t)shape->block[k];
    }
    raw->rt->stats.kernels++;
    bool ok = gx_sim_run(raw->simulator, gx_sim_entry(raw->simulator, e->symbol), launch, out);
    (void)gx_write_flush(raw->rt, GX_OUT);
    return ok;
}

bool gx_raw_launch_simulated(gx_raw *raw, const gx_raw_entry *e, const gx_raw_shape *shape,
                        const gx_raw_arg *args, const char *values) {
    gx_rt *rt = raw->rt;
    gx_sim_array arrays[GX_RAW_PARAMS + 2];
    gx_raw_given g;
    gx_check_report report;
    gx_sim_launch launch;
    gx_sim_report faults;
    uint32_t words[16] = {0};
    char *table;
    int n;
    int64_t size;
    if (!gx_raw_simulator(raw)) return false;
    size_t bytes = (size_t)e->param_bytes;
    char *params = gx_alloc_zero(rt, bytes + GX_RAW_WORDS);
    if (!params) return false;
    memcpy(params, values, bytes);
    bool ok = list_arrays(raw, e, args, arrays, &g, &n, params);
    if (ok) {
        uint64_t at = gx_sim_address(raw->simulator, n),
                 words_at = gx_sim_address(raw->simulator, n + 1);
        int kernel = gx_check_find(raw->check, e->symbol);
        gx_check_clear(&report);
        arrays[n] =
            (gx_sim_array){(char *)&report, sizeof report, 1, true, false, "the report", false};
        arrays[n + 1] =
            (gx_sim_array){(char *)words, sizeof words, 4, true, false, "the words", false};
        if (kernel >= 0) {
            gx_check_fill(raw->check, kernel, g.array, g.n, shape->shared, at, words_at,
                          params + (bytes + 7) / 8 * 8);
            bytes = (size_t)gx_check_params(raw->check, kernel, (int64_t)bytes);
        }
        if (gx_check_needs_table(raw->check) && /* as on a GPU: what asks for none has none */
            gx_sim_variable(raw->simulator, "__gx_table", &table, &size))
            gx_check_table(g.array, g.n, at, words_at, (uint64_t *)(void *)table);
        ok = run_entry(raw, e, shape, arrays, n + 2, params, bytes, &launch, &faults);
    }
    if (ok) {
        ok = words[1] ? gx_raw_told(raw, e, shape, &g, &report)
                      : gx_raw_diagnose(raw, e, &launch, &faults);
        if (!ok && shape->warn) ok = gx_raw_as_warning(rt);
        ok = ok && gx_raw_tell_findings(raw, e, &launch, &faults);
    }
    gx_free(rt, params);
    return ok;
}
