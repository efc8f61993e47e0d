/* Launches of a script's kernels on the GPU. Unless asked not to, kernels watch their accesses
   there (runtime/backend/cuda/check/check.h): what one did wrong is told as the simulator tells it,
   when something is next waited for (pending.c), and Ctrl-C ends a kernel that does not end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/device/backends.h"
#include "runtime/graph/lazy.h"
#include "runtime/kernel/launch_int.h"
#include "runtime/op/ufunc.h"

static const gx_raw_calls *calls_of(const gx_raw *raw) {
    return raw->rt->gpu->backend->raw;
}

void gx_raw_unload(gx_raw *raw) {
    gx_rt *rt = raw->rt;
    if (rt->gpu && rt->gpu->backend->raw) {
        if (raw->module) calls_of(raw)->unload(rt->gpu, raw->module);
        if (raw->watching) calls_of(raw)->unload(rt->gpu, raw->watching);
    }
    gx_sim_free(raw->simulator);
    gx_check_free(raw->check);
}

/* --- modules --- */

/* Registers that a watching kernel may take, so that as many warps run as without: those of the
   kernel as compiled, in the steps that a device gives them out. 0: not known. */
static bool count_registers(gx_raw *raw, const gx_raw_entry *e, int *out) {
    enum { STEP = 8, FEW = 32 };
    gx_rt *rt = raw->rt;
    void *module;
    int n;
    *out = 0;
    if (gx_raw_is_simulated(rt)) return true;
    if (!gx_raw_load(raw, false, &module) ||
        !calls_of(raw)->number(rt->gpu, module, e->symbol, GX_KERNEL_REGISTERS, &n))
        return false;
    n = (n + STEP - 1) / STEP * STEP;
    *out = n < FEW ? FEW : n;
    return true;
}

bool gx_raw_check(gx_raw *raw) {
    gx_rt *rt = raw->rt;
    if (raw->check) return true;
    gx_check_kernel *list = gx_alloc_zero(rt, (size_t)(raw->n_entry + 1) * sizeof *list);
    if (!list) return false;
    bool ok = true;
    for (int k = 0; k < raw->n_entry && ok; k++) {
        const gx_raw_entry *e = &raw->entry[k];
        list[k] = (gx_check_kernel){.symbol = e->symbol, .known = e->known};
        ok = count_registers(raw, e, &list[k].registers);
        for (int p = 0; p < e->n_param; p++)
            if (e->param[p].pointer) list[k].pointers |= UINT64_C(1) << p;
    }
    ok = ok && gx_check_new(rt, raw->ptx, strlen(raw->ptx), list, raw->n_entry, &raw->check);
    gx_free(rt, list);
    return ok;
}

bool gx_raw_load(gx_raw *raw, bool watching, void **module) {
    gx_rt *rt = raw->rt;
    void **to = watching ? &raw->watching : &raw->module;
    if (!*to) {
        if (watching && !gx_raw_check(raw)) return false;
        const char *text = watching ? gx_check_text(raw->check) : raw->ptx;
        if (!calls_of(raw)->load(rt->gpu, text, to)) return false;
    }
    *module = *to;
    return true;
}

bool gx_raw_number(gx_raw *raw, const gx_raw_entry *e, gx_kernel_fact fact, int *out) {
    void *module;
    return gx_raw_load(raw, false, &module) &&
           calls_of(raw)->number(raw->rt->gpu, module, e->symbol, fact, out);
}

/* Is the launch to be watched? Text that the driver does not take is launched as it is. */
static bool choose(gx_raw *raw, const gx_raw_entry *e, const gx_raw_shape *shape, void **module,
                   bool *watched) {
    gx_rt *rt = raw->rt;
    bool wanted = !shape->unchecked && !raw->unwatchable && !rt->debug.unchecked;
    *watched = false;
    if (wanted && gx_raw_load(raw, true, module)) {
        *watched = true;
        return true;
    }
    if (wanted) {
        if (gx_gpu_lost(rt) || rt->error.kind != GX_RuntimeError) return false;
        if (rt->debug.checked_strict) return false;
        gx_error_clear(rt);
        raw->unwatchable = true;
        if (!gx_warn(rt, GX_RuntimeWarning,
                     "%s runs without watching its accesses: the driver does not take the text "
                     "that does",
                     e->name))
            return false;
    }
    return gx_raw_load(raw, false, module);
}

/* --- arguments --- */

/* Addresses of the arrays' bytes on the GPU, into the parameters and the list. */
static bool place_arrays(gx_raw *raw, const gx_raw_entry *e, const gx_raw_arg *args, char *params,
                         gx_raw_given *out) {
    gx_rt *rt = raw->rt;
    gx_buffer *b;
    memset(out, 0, sizeof *out);
    out->n = e->n_param;
    for (int pass = 0; pass < 2; pass++) { /* those written first: they may move */
        for (int p = 0; p < e->n_param; p++) {
            gx_array *a = args[p].array;
            bool reads = e->known && e->param[p].constant;
            if (!a || reads != (pass == 1)) continue;
            bool ok = pass ? gx_storage_force(rt, a->storage) &&
                                 gx_data_at(rt, a->storage->data, GX_GPU, &b)
                           : gx_storage_own(rt, a->storage, GX_GPU, &b);
            if (!ok) return false;
            uint64_t at = (uint64_t)(uintptr_t)b->data + (uint64_t)a->offset;
            memcpy(params + e->param[p].offset, &at, 8);
            out->array[p] = (gx_check_array){at, gx_array_nbytes(a), !reads && !args[p].lost};
            out->item[p] = (uint16_t)gx_dtype_size(a->dtype);
            out->lost[p] = args[p].lost;
        }
    }
    return true;
}

/* What the kernel itself needs to watch: its own words, and the table of its module. */
static bool fill(gx_raw *raw, const gx_raw_entry *e, const gx_raw_shape *shape,
                 const gx_raw_given *g, void *module, char *params, size_t *bytes) {
    gx_rt *rt = raw->rt;
    const gx_raw_calls *calls = calls_of(raw);
    int kernel = gx_check_find(raw->check, e->symbol);
    uint64_t words, report, at;
    int64_t size;
    if (!calls->words(rt->gpu, &words) || !gx_raw_pending_report(rt, &report)) return false;
    if (kernel >= 0) {
        gx_check_fill(raw->check, kernel, g->array, g->n, shape->shared, report, words,
                      params + (e->param_bytes + 7) / 8 * 8);
        *bytes = (size_t)gx_check_params(raw->check, kernel, e->param_bytes);
    }
    if (!gx_check_needs_table(raw->check)) return true;
    uint64_t table[GX_CHECK_TABLE_WORDS];
    gx_check_table(g->array, g->n, report, words, table);
    if (calls->global(rt->gpu, module, "__gx_table", &at, &size))
        return calls->copy(rt->gpu, table, at, sizeof table, true);
    return !gx_failed(&rt->error);
}

/* --- what went wrong --- */

/* The text of an assertion lies in the module's memory; its end is not known. */
static void read_text(gx_raw *raw, uint64_t address, char *to, size_t room) {
    if (gx_raw_is_simulated(raw->rt)) {
        int64_t n = 0;
        const char *text = gx_sim_at(raw->simulator, address, &n);
        snprintf(to, room, "%.*s", (int)n, text ? text : "");
        return;
    }
    enum { PIECE = 16 };
    size_t n = 0, piece = PIECE;
    memset(to, 0, room);
    while (n + piece < room && !memchr(to, 0, n)) {
        if (calls_of(raw)->copy(raw->rt->gpu, to + n, address + n, (int64_t)piece, false)) {
            n += piece;
            continue;
        }
        gx_error_clear(raw->rt);
        if (piece == 1) return;
        piece = 1; /* its memory may end before a whole piece */
    }
}

static gx_sim_fault_kind kind_of(gx_check_fault f) {
    switch (f) {
    case GX_CHECK_OUTSIDE:
        return GX_FAULT_BOUNDS;
    case GX_CHECK_CONST:
        return GX_FAULT_READONLY;
    case GX_CHECK_MISALIGNED:
        return GX_FAULT_ALIGNMENT;
    case GX_CHECK_NULL:
        return GX_FAULT_NULL;
    case GX_CHECK_SHARED:
        return GX_FAULT_SHARED;
    case GX_CHECK_LOCAL:
        return GX_FAULT_LOCAL;
    case GX_CHECK_ASSERTION:
        return GX_FAULT_ASSERT;
    case GX_CHECK_TRAP:
        return GX_FAULT_TRAP;
    case GX_CHECK_NOTHING:
    default:
        return GX_FAULT_NONE;
    }
}

/* The report in the simulator's words. */
bool gx_raw_told(gx_raw *raw, const gx_raw_entry *e, const gx_raw_shape *shape,
                 const gx_raw_given *g, const gx_check_report *r) {
    gx_sim_array arrays[GX_RAW_PARAMS];
    gx_sim_launch launch = {.shared = shape->shared, .arrays = arrays};
    gx_sim_report report = {.fault = {.array = -1}};
    gx_sim_fault *f = &report.fault;
    gx_check_verdict v;
    gx_check_diagnose(raw->check, g->array, g->n, r, &v);
    for (int k = 0; k < 3; k++) {
        launch.grid[k] = (uint32_t)shape->grid[k];
        launch.block[k] = (uint32_t)shape->block[k];
        f->block[k] = r->block[k];
        f->thread[k] = r->thread[k];
    }
    f->kind = kind_of(v.fault);
    f->count = (int64_t)r->count;
    f->line = v.line;
    f->bytes = v.bytes;
    f->write = v.write;
    if (v.fault == GX_CHECK_ASSERTION) read_text(raw, r->address, f->text, sizeof f->text);
    if (v.variable) snprintf(f->text, sizeof f->text, "%s", v.variable);
    for (int p = 0; p < e->n_param; p++) {
        const int64_t item = g->item[p];
        if (item == 0) continue;
        if (p == v.param) {
            f->array = launch.n_array;
            f->index = v.offset >= 0 ? v.offset / item : (v.offset - item + 1) / item;
        }
        arrays[launch.n_array++] = (gx_sim_array){.bytes = g->array[p].bytes,
                                                  .item = (int)item,
                                                  .writable = g->array[p].writable,
                                                  .lost = g->lost[p],
                                                  .name = e->param[p].name};
    }
    return gx_raw_diagnose(raw, e, &launch, &report);
}

bool gx_raw_launch_gpu(gx_raw *raw, const gx_raw_entry *e, const gx_raw_shape *shape,
                       const gx_raw_arg *args, const char *values) {
    gx_rt *rt = raw->rt;
    gx_raw_given g;
    void *module;
    bool watched;
    gx_foreign_output printed = {-1, -1};
    size_t bytes = (size_t)e->param_bytes;
    char *params = gx_alloc_zero(rt, bytes + GX_RAW_WORDS);
    if (!params) return false;
    memcpy(params, values, bytes);
    bool ok = place_arrays(raw, e, args, params, &g) && choose(raw, e, shape, &module, &watched);
    if (ok && watched) ok = fill(raw, e, shape, &g, module, params, &bytes);
    if (ok) {
        rt->stats.kernels++;
        if (raw->prints) gx_foreign_output_begin(rt, &printed);
        ok = calls_of(raw)->launch(rt->gpu, module, e->symbol, shape->grid, shape->block,
                                   shape->shared, shape->together || raw->together, params, bytes);
    }
    if (ok && watched) gx_raw_pending_add(raw, e, shape, &g, gx_raw_told);
    if (ok && (raw->prints || shape->warn)) ok = gx_gpu_sync(rt);
    gx_foreign_output_end(rt, &printed);
    gx_free(rt, params);
    return ok;
}
