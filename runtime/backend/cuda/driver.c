/* The driver: the primary context, facts about the device, one stream, and the only place where a
   status becomes an error. Some statuses are sticky: the context is lost with all its memory; they
   are remembered, and every later use of the device fails with the same words. */
#include "runtime/backend/cuda/state_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STREAM_NON_BLOCKING = 1, STATUS_NO_MEMORY = 2, STATUS_NOT_READY = 600 };

/* CUdevice_attribute */
enum {
    ATTRIBUTE_SM_COUNT = 16,
    ATTRIBUTE_L2_BYTES = 38,
    ATTRIBUTE_THREADS_SM = 39,
    ATTRIBUTE_MAJOR = 75,
    ATTRIBUTE_MINOR = 76,
    ATTRIBUTE_SHARED_SM = 81,
    ATTRIBUTE_SHARED_OPTIN = 97,
    ATTRIBUTE_POOLS = 115
};

static bool is_sticky(unsigned status) {
    return status == 700 || status == 702 || status == 710 || (status >= 714 && status <= 719);
}

void gx_cuda_note_launch(gx_cuda *c, const char *name, bool own, const int64_t grid[3],
                         const int64_t block[3]) {
    gx_cuda_state *s = c->state;
    gx_cuda_launched *l = own ? &s->suspect : &s->last;
    size_t n = strlen(name);
    if (n >= sizeof l->name) n = sizeof l->name - 1;
    memcpy(l->name, name, n);
    l->name[n] = '\0';
    l->at = c->gpu.base.rt->here;
    memcpy(l->grid, grid, sizeof l->grid);
    memcpy(l->block, block, sizeof l->block);
    if (own) s->suspects++;
}

/* Which kernel it was: one that the script wrote, when any ran since the last wait, for gx's own
   stay inside their arrays. */
static void blame_launch(gx_cuda *c, char *text, size_t room) {
    gx_cuda_state *s = c->state;
    const gx_cuda_launched *l = s->suspects ? &s->suspect : &s->last;
    char place[96] = "";
    uint32_t line, column;
    const gx_source *source = l->at.end ? gx_source_of(c->gpu.base.rt, l->at) : NULL;
    *text = '\0';
    if (!*l->name) return;
    if (source) {
        gx_source_place(c->gpu.base.rt, l->at, &line, &column);
        snprintf(place, sizeof place, ", launched at %.60s:%u", source->name, line);
    }
    const char *how = s->suspects == 1 ? "in kernel"
                      : s->suspects    ? "in or before kernel"
                                       : "at or before gx's kernel";
    snprintf(text, room, "%s %s<<<(%lld, %lld, %lld), (%lld, %lld, %lld)>>>%s", how, l->name,
             (long long)l->grid[0], (long long)l->grid[1], (long long)l->grid[2],
             (long long)l->block[0], (long long)l->block[1], (long long)l->block[2], place);
}

static void note_fault(gx_cuda *c, unsigned status, const char *name, const char *text) {
    gx_cuda_state *s = c->state;
    char where[256];
    s->fault = status;
    blame_launch(c, where, sizeof where);
    snprintf(s->fault_text, sizeof s->fault_text, "the GPU is lost to %s (%u): %s%s%s", name,
             status, text, *where ? ", " : "", where);
}

static bool fail_lost(gx_cuda *c) {
    gx_fail(c->gpu.base.rt, GX_RuntimeError, "cuda.lost", "%s", c->state->fault_text);
    gx_note(c->gpu.base.rt,
            "arrays that were on the GPU only are gone; those on the host are kept, and "
            "the program goes on without the GPU");
    return gx_help(c->gpu.base.rt, "start gx again to use the GPU");
}

bool gx_cuda_check(gx_cuda *c, unsigned status, const char *what) {
    const char *name = NULL, *text = NULL;
    gx_cuda_state *s = c->state;
    if (GX_LIKELY(status == 0)) return true;
    if (s->fault) return fail_lost(c);
    if (s->api.cuGetErrorName(status, &name) != 0 || !name) name = "unknown error";
    if (s->api.cuGetErrorString(status, &text) != 0 || !text) text = "unknown";
    if (is_sticky(status)) {
        note_fault(c, status, name, text);
        return fail_lost(c);
    }
    return gx_fail(c->gpu.base.rt, status == STATUS_NO_MEMORY ? GX_MemoryError : GX_RuntimeError,
                   status == STATUS_NO_MEMORY ? "memory.gpu" : "cuda.driver", "%s: %s (%u): %s",
                   what, name, status, text);
}

bool gx_cuda_usable(gx_cuda *c) {
    return GX_LIKELY(c->state->fault == 0) || fail_lost(c);
}

/* Where a script's kernel runs: asks the driver again and again, at first without a pause, since
   most kernels are short. Ctrl-C ends the kernel. */
static bool wait_for_raw(gx_cuda *c) {
    gx_cuda_state *s = c->state;
    gx_rt *rt = c->gpu.base.rt;
    volatile uint32_t *w = s->raw_words; /* NULL: none that runs watches itself */
    bool interrupted = false;
    for (int64_t turn = 0;; turn++) {
        unsigned status = s->api.cuStreamQuery(s->stream);
        if (status != STATUS_NOT_READY) {
            s->raw_runs = false;
            if (w) w[0] = 0;
            if (!gx_cuda_check(c, status, "waiting for a kernel")) return false;
            if (interrupted) w[2] = 1;
            return !interrupted ||
                   gx_fail(rt, GX_KeyboardInterrupt, "", "interrupted in a kernel");
        }
        if (w && rt->interrupted) {
            rt->interrupted = 0;
            interrupted = true;
            w[0] = 1;
        }
        if (turn < 2000) continue;
        struct timespec pause = {0, turn < 20000 ? 20000 : 200000};
        nanosleep(&pause, NULL);
    }
}

bool gx_cuda_wait(gx_cuda *c) {
    gx_cuda_state *s = c->state;
    if (!gx_cuda_usable(c) || (s->raw_runs && !wait_for_raw(c)) ||
        !gx_cuda_check(c, s->api.cuStreamSynchronize(s->stream), "waiting for the GPU"))
        return false;
    s->suspects = 0; /* all that was launched has ended well */
    s->last.name[0] = '\0';
    return true;
}

/* --- opening --- */

static bool read_facts(gx_cuda *c) {
    gx_cuda_facts *f = &c->facts;
    gx_cuda_driver *api = &c->state->api;
    int device = c->state->device, l2 = 0, pools = 0;
    size_t total = 0;
    bool ok =
        gx_cuda_check(c, api->cuDeviceGetName(f->name, sizeof f->name, device), "device name") &&
        gx_cuda_check(c, api->cuDeviceTotalMem_v2(&total, device), "device memory");
    if (!ok) return false;
    f->total_bytes = (int64_t)total;
    const struct {
        int *to;
        unsigned attribute;
    } rows[] = {{&f->major, ATTRIBUTE_MAJOR},
                {&f->minor, ATTRIBUTE_MINOR},
                {&f->sm_count, ATTRIBUTE_SM_COUNT},
                {&f->max_threads_sm, ATTRIBUTE_THREADS_SM},
                {&f->shared_sm, ATTRIBUTE_SHARED_SM},
                {&f->shared_block_optin, ATTRIBUTE_SHARED_OPTIN},
                {&l2, ATTRIBUTE_L2_BYTES},
                {&pools, ATTRIBUTE_POOLS}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!gx_cuda_check(c, api->cuDeviceGetAttribute(rows[i].to, rows[i].attribute, device),
                           "device attributes"))
            return false;
    f->l2_bytes = l2;
    if (!pools)
        return gx_fail(c->gpu.base.rt, GX_RuntimeError, "cuda.device",
                       "%s has no memory pools: gx cannot use it", f->name);
    if (f->major * 10 + f->minor < 75)
        return gx_fail(c->gpu.base.rt, GX_RuntimeError, "cuda.device",
                       "%s has compute capability %d.%d; gx needs 7.5", f->name, f->major,
                       f->minor);
    return true;
}

/* A device node that cannot be opened, no device, or a driver that does not fit its module: what a
   user can do about it differs. */
static bool explain_init(gx_rt *rt, unsigned status) {
    gx_fail(rt, GX_RuntimeError, "cuda.none", "cuInit: %s (%u)",
            status == 100   ? "no CUDA device is there"
            : status == 803 ? "the driver's library does not fit its kernel module"
            : status == 34  ? "the library found is a stub"
            : status == 304 ? "the device node cannot be opened"
                            : "the driver does not start",
            status);
    bool node = access("/dev/nvidiactl", F_OK) == 0;
    return gx_help(
        rt, status == 803  ? "restart the machine, or the container, after the update"
            : status == 34 ? "install NVIDIA's driver, and take the stub off LD_LIBRARY_PATH"
            : !node        ? "/dev/nvidiactl is not there: load the driver's module, or "
                             "start the container with --gpus all"
            : status == 304 || status == 100 ? "may this user open /dev/nvidia0? nvidia-smi shows "
                                               "what the driver sees"
                                             : "nvidia-smi shows what the driver sees");
}

static bool choose_device(gx_cuda *c, int index) {
    gx_cuda_state *s = c->state;
    gx_rt *rt = c->gpu.base.rt;
    int count = 0;
    if (!gx_cuda_symbols(rt, GX_LIB_DRIVER, 0, &s->api, NULL, 0)) return false;
    unsigned status = s->api.cuInit(0);
    if (status != 0) return explain_init(rt, status);
    if (!gx_cuda_check(c, s->api.cuDriverGetVersion(&c->facts.driver), "driver version") ||
        !gx_cuda_check(c, s->api.cuDeviceGetCount(&count), "counting devices"))
        return false;
    if (count == 0) return explain_init(rt, 100);
    if (index >= count)
        return gx_fail(rt, GX_RuntimeError, "cuda.none", "there is no device %d: %d %s there",
                       index, count, count == 1 ? "is" : "are");
    c->gpu.base.index = index;
    return gx_cuda_check(c, s->api.cuDeviceGet(&s->device, index), "opening a device");
}

bool gx_cuda_driver_open(gx_cuda *c, int index) {
    gx_cuda_state *s = c->state;
    const char *sync = getenv("GX_CUDA_SYNC");
    if (!choose_device(c, index) || !read_facts(c)) return false;
    s->compiler.rt = c->gpu.base.rt;
    s->compiler.prefer = c->facts.driver / 1000;
    gx_nvrtc_helper_tell(&s->compiler);
    if (!gx_cuda_check(c, s->api.cuDevicePrimaryCtxRetain(&s->context, s->device),
                       "making a context"))
        return false;
    s->retained = true;
    s->sync_each = sync && strcmp(sync, "1") == 0;
    snprintf(s->target, sizeof s->target, "sm_%d%d", c->facts.major, c->facts.minor);
    if (!gx_cuda_check(c, s->api.cuCtxSetCurrent(s->context), "making a context current") ||
        !gx_cuda_check(c, s->api.cuStreamCreate(&s->first, STREAM_NON_BLOCKING), "making a stream"))
        return false;
    s->stream = s->first;
    return true;
}

void gx_cuda_driver_close(gx_cuda *c) {
    gx_cuda_state *s = c->state;
    /* The context stays, for the next time in this process: making one takes longest of all. */
    gx_cuda_streams_close(c);
    if (s->first && !s->fault) s->api.cuStreamDestroy_v2(s->first);
    s->stream = s->first = NULL;
    s->retained = false;
    gx_gpu_library_close(&s->stored);
}
