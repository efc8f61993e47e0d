/* What backend/gpu asks of its vendor, of the simulator: kernels are compiled to PTX by NVRTC and
   run at their launch, watched as those of scripts are. Every buffer of the device is an array of
   each launch, so that an access outside of one is a fault. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/backend/beside.h"
#include "runtime/backend/cuda/ptx.h"
#include "runtime/backend/sim/device/device_int.h"
#include "runtime/backend/sim/sim.h"

static gx_sim_device *sim_of(gx_gpu *g) {
    return gx_sim_of(&g->base);
}

static bool load(gx_gpu *g, const char *entry, const char *source, void **out) {
    gx_rt *rt = g->base.rt;
    gx_buf ptx = gx_buf_new(rt);
    gx_sim *sim = NULL;
    bool ok = gx_cuda_text_ptx(rt, source, &ptx) &&
              gx_sim_new(rt, gx_buf_text(&ptx), strlen(gx_buf_text(&ptx)), &sim);
    gx_buf_free(&ptx);
    if (ok && gx_sim_entry(sim, entry) < 0) {
        gx_sim_free(sim);
        return gx_fail(rt, GX_RuntimeError, "sim.kernel", "there is no kernel %s", entry);
    }
    *out = sim;
    return ok;
}

/* The kernels that were compiled with gx, as PTX: gxgeneral.ptx beside the program. They are tried
   under GX_KERNELS=general; what is compiled here is never waited for by anything else. */
static bool prebuilt(gx_gpu *g, const char *entry, void **out) {
    gx_rt *rt = g->base.rt;
    char path[4096];
    gx_sim *sim = NULL;
    FILE *f = gx_beside("/kernels/gxgeneral.ptx", path, sizeof path) ? fopen(path, "rbe") : NULL;
    if (!f) return true;
    gx_buf ptx = gx_buf_new(rt);
    size_t got = 1;
    bool ok = true;
    while (ok && got > 0) {
        ok = gx_buf_reserve(&ptx, 1 << 20);
        got = ok ? fread(ptx.data + ptx.length, 1, 1 << 20, f) : 0;
        ptx.length += got;
    }
    fclose(f);
    if (ok && ptx.length) ok = gx_sim_new(rt, ptx.data, ptx.length, &sim);
    gx_buf_free(&ptx);
    if (ok && sim && gx_sim_entry(sim, entry) < 0) {
        gx_sim_free(sim);
        return gx_fail(rt, GX_RuntimeError, "sim.kernel", "there is no kernel %s", entry);
    }
    *out = sim;
    return ok;
}

/* The texts that were compiled with gx, under the same switches. */
static bool stored(gx_gpu *g, const char *entry, const char *source, void **out) {
    gx_rt *rt = g->base.rt;
    gx_sim_device *s = sim_of(g);
    char path[4096];
    const char *ptx;
    size_t bytes;
    gx_sim *sim = NULL;
    if (rt->debug.kernels != GX_KERNELS_BOTH && rt->debug.kernels != GX_KERNELS_GENERAL)
        return true;
    if (!s->looked_for_stored && gx_beside("/kernels/gxkernels.ptx", path, sizeof path))
        gx_gpu_library_open(&s->stored, path);
    s->looked_for_stored = true;
    if (!gx_gpu_library_find(&s->stored, source, &ptx, &bytes)) return true;
    if (!gx_sim_new(rt, ptx, bytes, &sim)) return false;
    if (gx_sim_entry(sim, entry) < 0) {
        gx_sim_free(sim);
        return gx_fail(rt, GX_RuntimeError, "sim.kernel", "there is no kernel %s", entry);
    }
    *out = sim;
    return true;
}

/* Under GX_KERNELS=both a compilation is there when it is asked for the second time. */
typedef struct job {
    int asked;
    char source[];
} job;

static bool begin(gx_gpu *g, const char *entry, const char *source, void **out, void **made) {
    const size_t bytes = strlen(source) + 1;
    if (g->base.rt->debug.kernels != GX_KERNELS_BOTH) return load(g, entry, source, out);
    job *j = gx_alloc(g->base.rt, sizeof *j + bytes);
    if (!j) return false;
    j->asked = 0;
    memcpy(j->source, source, bytes);
    *made = j;
    return true;
}

static bool look(gx_gpu *g, const char *entry, bool waits, void **made, void **out) {
    job *j = *made;
    if (!waits && j->asked++ == 0) return true;
    bool ok = load(g, entry, j->source, out);
    gx_free(g->base.rt, j);
    *made = NULL;
    return ok;
}

static void leave(gx_gpu *g, void *made) {
    gx_free(g->base.rt, made);
}

static void unload(gx_gpu *g, void *code) {
    (void)g;
    gx_sim_free(code);
}

static bool tell_fault(gx_rt *rt, const char *entry, const gx_sim_fault *f) {
    return gx_fail(
        rt, GX_RuntimeError, "sim.kernel",
        "the kernel %s did wrong: fault %d at line %u, block %u, thread %u, element %lld "
        "of buffer %d (a bug in gx)",
        entry, (int)f->kind, f->line, f->block[0], f->thread[0], (long long)f->index, f->array);
}

static bool launch(gx_gpu *g, gx_gpu_kernel *k, int64_t blocks, int threads, int shared_bytes,
                   const void *param, size_t param_bytes) {
    gx_sim_device *s = sim_of(g);
    gx_rt *rt = g->base.rt;
    gx_sim *sim = k->code;
    gx_sim_report report;
    if (blocks <= 0) return true;
    /* Numbers below the device's first are those of variables, and of nothing. */
    const int64_t none = GX_SIM_FIRST - (int64_t)(gx_sim_address(sim, 0) >> GX_SIM_SHIFT);
    if (none < 0)
        return gx_fail(rt, GX_RuntimeError, "sim.kernel", "%s has too many variables", k->entry);
    gx_sim_array *arrays = gx_alloc_zero(rt, (size_t)(none + s->count) * sizeof *arrays);
    if (!arrays) return false;
    for (int64_t i = 0; i < s->count; i++) {
        const gx_sim_buffer *b = s->buffers[i];
        if (!b) continue;
        arrays[none + i] = (gx_sim_array){.data = b->host->data, .bytes = b->head.room, .item = 1,
                                          .writable = true, .name = "a buffer"};
    }
    const gx_sim_launch l = {.grid = {(uint32_t)blocks, 1, 1},
                             .block = {(uint32_t)threads, 1, 1},
                             .shared = shared_bytes,
                             .params = param,
                             .param_bytes = (int64_t)param_bytes,
                             .arrays = arrays,
                             .n_array = (int)(none + s->count),
                             .threads = 1};
    rt->gpu_stats.launched++;
    bool ok = gx_sim_run(sim, gx_sim_entry(sim, k->entry), &l, &report);
    gx_free(rt, arrays);
    /* Threads at an edge may compute, of shared memory that nobody wrote, what they then drop. */
    const gx_sim_fault_kind fault = report.fault.kind;
    return ok && (fault == GX_FAULT_NONE || fault == GX_FAULT_UNSET ||
                  tell_fault(rt, k->entry, &report.fault));
}

static bool scratch(gx_gpu *g, int64_t bytes, gx_buffer **out) {
    return gx_sim_alloc(&g->base, bytes, out);
}

static bool put_bytes(gx_gpu *g, gx_gpu_ptr to, const void *from, int64_t bytes) {
    char *at;
    if (!gx_sim_bytes(sim_of(g), to, bytes, &at)) return false;
    memcpy(at, from, (size_t)bytes);
    return true;
}

static bool download(gx_gpu *g, void *to, gx_gpu_ptr from, int64_t bytes) {
    char *at;
    if (!gx_sim_bytes(sim_of(g), from, bytes, &at)) return false;
    memcpy(to, at, (size_t)bytes);
    return true;
}

static bool fill(gx_gpu *g, gx_gpu_ptr to, int byte, int64_t bytes) {
    char *at;
    if (!gx_sim_bytes(sim_of(g), to, bytes, &at)) return false;
    memset(at, byte, (size_t)bytes);
    return true;
}

static bool yes(gx_gpu *g) {
    (void)g;
    return true;
}

/* --- sorting words, as the library does, one by one --- */

typedef struct word {
    uint64_t key;
    int64_t at;
} word;

static int by_key(const void *a, const void *b) {
    const word *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static int bytes_of(gx_sort_word w) {
    return w == GX_SORT_U16 ? 2 : w <= GX_SORT_F32 ? 4 : 8;
}

/* The bits of a word that are compared, so that their unsigned order is the word's. */
static uint64_t key_of(gx_sort_word w, const char *p, int low, int high) {
    const int bits = 8 * bytes_of(w);
    const uint64_t top = UINT64_C(1) << (bits - 1), all = top | (top - 1);
    uint64_t u = 0;
    memcpy(&u, p, (size_t)bits / 8);
    if (w == GX_SORT_I32 || w == GX_SORT_I64) u ^= top;
    if (w == GX_SORT_F32 || w == GX_SORT_F64) {
        if (u == top) u = 0;
        u = u & top ? ~u & all : u | top;
    }
    return u >> low & (high - low < 64 ? (UINT64_C(1) << (high - low)) - 1 : UINT64_MAX);
}

static word *sorted(gx_rt *rt, gx_sort_word w, const char *from, int64_t n, int low, int high) {
    word *all = gx_alloc(rt, (size_t)(n + 1) * sizeof *all);
    if (!all) return NULL;
    for (int64_t i = 0; i < n; i++)
        all[i] = (word){key_of(w, from + i * bytes_of(w), low, high), i};
    qsort(all, (size_t)n, sizeof *all, by_key);
    return all;
}

static bool find(gx_gpu *g, const void *address, int64_t bytes, char **out) {
    return gx_sim_bytes(sim_of(g), (gx_gpu_ptr)(uintptr_t)address, bytes, out);
}

static bool sort_keys(gx_gpu *g, gx_sort_keys_job *j) {
    const int64_t item = bytes_of(j->word);
    char *from, *to;
    if (!find(g, j->from, j->n * item, &from) || !find(g, j->to, j->n * item, &to)) return false;
    word *order = sorted(g->base.rt, j->word, from, j->n, j->low, j->high);
    if (!order) return false;
    g->base.rt->gpu_stats.launched++;
    for (int64_t i = 0; i < j->n; i++)
        memcpy(to + i * item, from + order[i].at * item, (size_t)item);
    gx_free(g->base.rt, order);
    return true;
}

static bool sort_pairs(gx_gpu *g, gx_sort_pairs_job *j, int *last) {
    const int64_t item = bytes_of(j->word);
    char *keys[2], *numbers[2];
    for (int k = 0; k < 2; k++)
        if (!find(g, j->keys[k], j->n * item, &keys[k]) ||
            !find(g, j->numbers[k], j->n * 4, &numbers[k]))
            return false;
    word *order = sorted(g->base.rt, j->word, keys[0], j->n, j->low, j->high);
    if (!order) return false;
    g->base.rt->gpu_stats.launched++;
    for (int64_t i = 0; i < j->n; i++) {
        memcpy(keys[1] + i * item, keys[0] + order[i].at * item, (size_t)item);
        memcpy(numbers[1] + i * 4, numbers[0] + order[i].at * 4, 4);
    }
    gx_free(g->base.rt, order);
    *last = 1;
    return true;
}

const gx_gpu_driver gx_sim_driver = {
    .load = load,
    .unload = unload,
    .begin = begin,
    .look = look,
    .leave = leave,
    .prebuilt = prebuilt,
    .stored = stored,
    .launch = launch,
    .scratch = scratch,
    .upload = put_bytes,
    .put = put_bytes,
    .download = download,
    .fill = fill,
    .wait = yes,
    .usable = yes,
    .sorts = yes,
    .sort_keys = sort_keys,
    .sort_pairs = sort_pairs,
};
