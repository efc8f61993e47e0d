/* Launching a script's kernels: where their arrays' bytes are, on a GPU or in the simulator. */
#include "runtime/kernel/raw.h"

#include <stdio.h>
#include <string.h>

#include "runtime/backend/sim/sim.h"
#include "runtime/device/backends.h"
#include "runtime/graph/lazy.h"
#include "runtime/kernel/launch_int.h"

bool gx_raw_on_gpu(gx_rt *rt) {
    bool there = false;
    if (!gx_gpu_there(rt, &there)) gx_error_clear(rt);
    return there && rt->gpu->backend->raw;
}

static void print_text(void *arg, const char *text, size_t length) {
    (void)gx_write(arg, GX_OUT, text, length);
}

static void spread(void *arg, int64_t n, void (*fn)(void *, int64_t, int), void *fn_arg) {
    gx_device *d = arg;
    d->backend->tasks(d, n, fn, fn_arg);
}

/* Bytes of arrays as a launch takes them; with `copies`, of copies, so that the arrays stay as they
   are: arrays that begin together share one. */
typedef struct placed {
    gx_sim_array array[GX_RAW_PARAMS];
    const char *of[GX_RAW_PARAMS];
    char *copy[GX_RAW_PARAMS];
    uint8_t dtype[GX_RAW_PARAMS];
    int n;
} placed;

static bool copy_array(gx_rt *rt, placed *all, int k) {
    gx_sim_array *a = &all->array[k];
    for (int m = 0; m < all->n; m++) {
        if (m == k || !all->copy[m] || all->of[m] != a->data || all->array[m].bytes < a->bytes)
            continue;
        a->data = all->copy[m];
        return true;
    }
    all->of[k] = a->data;
    all->copy[k] = gx_alloc(rt, (size_t)a->bytes + 1);
    if (!all->copy[k]) return false;
    memcpy(all->copy[k], a->data, (size_t)a->bytes);
    a->data = all->copy[k];
    return true;
}

static bool place_arrays(gx_raw *raw, const gx_raw_entry *e, const gx_raw_arg *args, bool copies,
                         char *params, placed *all) {
    gx_rt *rt = raw->rt;
    int number[GX_RAW_PARAMS];
    bool blank[GX_RAW_PARAMS]; /* asked before any of them is given to be written */
    for (int p = 0; p < e->n_param; p++) {
        number[p] = args[p].array ? all->n++ : -1;
        blank[p] = args[p].array && args[p].array->storage->blank;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int p = 0; p < e->n_param; p++) {
            gx_array *a = args[p].array;
            bool reads = e->known && e->param[p].constant;
            if (!a || reads != (pass == 1)) continue;
            char *data;
            const char *from;
            if (reads || copies) {
                if (!gx_array_read(rt, a, &from)) return false;
                data = (char *)(uintptr_t)from;
            } else if (!gx_array_write(rt, a, &data)) {
                return false;
            }
            all->array[number[p]] = (gx_sim_array){.data = data,
                                                   .bytes = gx_array_nbytes(a),
                                                   .item = (int)gx_dtype_size(a->dtype),
                                                   .writable = !reads && !args[p].lost,
                                                   .lost = args[p].lost,
                                                   .blank = blank[p],
                                                   .name = e->param[p].name};
            all->dtype[number[p]] = (uint8_t)a->dtype;
            if (copies && !copy_array(rt, all, number[p])) return false;
            uint64_t at = gx_sim_address(raw->sim, number[p]);
            memcpy(params + e->param[p].offset, &at, 8);
        }
    }
    return true;
}

static bool run_host(gx_raw *raw, int entry, const gx_raw_shape *shape, const gx_raw_arg *args,
                     const placed *all, const char *params) {
    gx_rt *rt = raw->rt;
    const gx_raw_entry *e = &raw->entry[entry];
    gx_device *d = rt->device;
    bool many = d->backend->threads && d->backend->threads(d) > 1;
    gx_sim_stepper step = {.thread = 0};
    if (shape->step) step = *shape->step;
    step.dtypes = all->dtype;
    gx_sim_launch launch = {.shared = shape->shared,
                            .params = params,
                            .param_bytes = e->param_bytes,
                            .arrays = all->array,
                            .n_array = all->n,
                            .print = shape->step ? NULL : print_text,
                            .print_arg = rt,
                            .counters = shape->counters,
                            .step = shape->step ? &step : NULL,
                            .unwatched = shape->unchecked,
                            .full = shape->full,
                            .threads = many ? d->backend->threads(d) : 1,
                            .spread = many ? spread : NULL,
                            .spread_arg = d};
    for (int k = 0; k < 3; k++) {
        launch.grid[k] = (uint32_t)shape->grid[k];
        launch.block[k] = (uint32_t)shape->block[k];
    }
    gx_sim_cover covers[GX_RAW_COVERS];
    launch.covers = covers;
    if (!shape->counters && !shape->step) launch.n_cover = gx_raw_covers(e, args, covers);
    gx_sim_report report;
    rt->stats.kernels++;
    bool ok = gx_sim_run(raw->sim, gx_sim_entry(raw->sim, e->symbol), &launch, &report);
    (void)gx_write_flush(rt, GX_OUT);
    if (!ok) return false;
    if (rt->interrupted) {
        if (rt->late) {
            gx_stop(rt);
        } else {
            rt->interrupted = 0;
            gx_fail(rt, GX_KeyboardInterrupt, "", "interrupted in a kernel");
        }
        return gx_raw_note_late(raw, e, &launch, &report);
    }
    if (shape->quiet) report.unwatched = 0;
    bool warns = shape->warn && !gx_raw_diagnose(raw, e, &launch, &report);
    if (warns && !gx_raw_as_warning(rt)) return false;
    return (shape->warn || gx_raw_diagnose(raw, e, &launch, &report)) &&
           gx_raw_tell_findings(raw, e, &launch, &report) &&
           gx_raw_tell_cover(raw, e, &launch, &report);
}

static bool launch_host(gx_raw *raw, int entry, const gx_raw_shape *shape, const gx_raw_arg *args,
                        char *params) {
    placed all;
    all.n = 0;
    memset(all.copy, 0, sizeof all.copy);
    bool ok =
        place_arrays(raw, &raw->entry[entry], args, shape->step != NULL, params, &all) &&
        run_host(raw, entry, shape, args, &all, params);
    for (int k = 0; k < all.n; k++) gx_free(raw->rt, all.copy[k]);
    return ok;
}

bool gx_raw_launch(gx_raw *raw, int entry, const gx_raw_shape *shape, const gx_raw_arg *args) {
    gx_rt *rt = raw->rt;
    const gx_raw_entry *e = &raw->entry[entry];
    char *params = gx_alloc_zero(rt, (size_t)e->param_bytes + 64);
    if (!params) return false;
    for (int p = 0; p < e->n_param; p++) {
        if (args[p].array) continue;
        int size = e->param[p].pointer ? 8 : e->param[p].size;
        memcpy(params + e->param[p].offset, args[p].large ? args[p].large : args[p].bytes,
               (size_t)size);
    }
    bool there = false, ok = gx_gpu_there(rt, &there);
    if (ok && (shape->counters || shape->step || rt->simulating))
        ok = launch_host(raw, entry, shape, args, params);
    else if (ok && there && rt->gpu->backend->raw)
        ok = gx_raw_launch_gpu(raw, e, shape, args, params);
    else if (ok && gx_raw_is_simulated(rt) && !shape->unchecked)
        ok = gx_raw_launch_simulated(raw, e, shape, args, params);
    else if (ok)
        ok = launch_host(raw, entry, shape, args, params);
    gx_free(rt, params);
    return ok;
}
