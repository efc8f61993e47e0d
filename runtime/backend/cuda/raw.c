/* A script's own kernels on the GPU: their PTX is compiled for the device by the driver, whose
   result is kept on disk, and launched with the packed bytes of the parameters. */
#include "runtime/backend/cuda/state_int.h"

#include <stdio.h>
#include <string.h>

enum {
    ATTRIBUTE_SHARED = 8, /* CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES */
    PLAIN_SHARED = 48 << 10,
    INPUT_PTX = 1,  /* CU_JIT_INPUT_PTX */
    OPTION_LOG = 5, /* CU_JIT_ERROR_LOG_BUFFER and its size */
    OPTION_LOG_SIZE = 6,
    HOST_MAPPED = 2,
    STATUS_NOT_FOUND = 500,
    LAUNCH_COOPERATIVE = 2
};

/* CUlaunchAttribute and CUlaunchConfig */
typedef struct launch_attribute {
    unsigned id, pad;
    union {
        int value;
        char room[64];
    } value;
} launch_attribute;

struct CUlaunchConfig_st {
    unsigned grid[3], block[3], shared;
    struct CUstream_st *stream;
    launch_attribute *attributes;
    unsigned count;
};

/* Machine code for the device, by the driver's compiler. */
static bool link_ptx(gx_cuda *c, const char *ptx, gx_buf *out) {
    gx_cuda_state *s = c->state;
    char log[2048] = "";
    unsigned options[] = {OPTION_LOG, OPTION_LOG_SIZE};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    struct CUlinkState_st *link = NULL;
    void *cubin = NULL;
    size_t bytes = 0;
    if (!gx_cuda_check(c, s->api.cuLinkCreate_v2(2, options, values, &link), "cuLinkCreate"))
        return false;
    unsigned status = s->api.cuLinkAddData_v2(link, INPUT_PTX, (void *)(uintptr_t)ptx,
                                              strlen(ptx) + 1, "kernel", 0, NULL, NULL);
    if (status == 0) status = s->api.cuLinkComplete(link, &cubin, &bytes);
    bool ok = gx_cuda_check(c, status, "compiling for the GPU");
    if (ok)
        ok = gx_buf_add(out, cubin, bytes);
    else if (*log)
        gx_note(c->gpu.base.rt, "%s", log);
    s->api.cuLinkDestroy(link);
    return ok;
}

static bool load(gx_device *device, const char *ptx, void **module) {
    gx_cuda *c = gx_cuda_of(device);
    gx_cuda_state *s = c->state;
    gx_rt *rt = c->gpu.base.rt;
    struct CUmod_st *m;
    if (!gx_cuda_usable(c)) return false;
    gx_buf text = gx_buf_new(rt), code = gx_buf_new(rt);
    bool ok = gx_buf_printf(&text, "gx raw jit 1\n%s %d\n", s->target, c->facts.driver) &&
              gx_buf_puts(&text, ptx);
    if (ok && !gx_cuda_cache_load(rt, &text, &code)) {
        ok = link_ptx(c, ptx, &code);
        if (ok) {
            rt->gpu_stats.compiled++;
            gx_cuda_cache_store(rt, &text, &code, s->compiler.stored++ % 64 == 0);
        }
    }
    ok = ok && gx_cuda_check(c, s->api.cuModuleLoadData(&m, code.data), "cuModuleLoadData");
    gx_buf_free(&text);
    gx_buf_free(&code);
    if (ok) *module = m;
    return ok;
}

static void unload(gx_device *device, void *module) {
    gx_cuda_state *s = gx_cuda_of(device)->state;
    s->raw_last.module = NULL;
    if (s->fault) return;
    /* A kernel of it may still run; a fault of that shows at the next use. */
    s->api.cuStreamSynchronize(s->stream);
    s->api.cuModuleUnload(module);
}

static bool launch(gx_device *device, void *module, const char *symbol, const int64_t grid[3],
                   const int64_t block[3], int64_t shared, bool together, const void *params,
                   size_t bytes) {
    gx_cuda *c = gx_cuda_of(device);
    gx_cuda_state *s = c->state;
    struct CUfunc_st *function;
    /* CU_LAUNCH_PARAM_BUFFER_POINTER, CU_LAUNCH_PARAM_BUFFER_SIZE, CU_LAUNCH_PARAM_END */
    void *extra[] = {(void *)1, (void *)(uintptr_t)params, (void *)2, &bytes, NULL};
    launch_attribute attribute = {.id = LAUNCH_COOPERATIVE, .value = {.value = 1}};
    struct CUlaunchConfig_st config = {.shared = (unsigned)shared,
                                       .stream = s->stream,
                                       .attributes = together ? &attribute : NULL,
                                       .count = together};
    for (int k = 0; k < 3; k++) {
        config.grid[k] = (unsigned)grid[k];
        config.block[k] = (unsigned)block[k];
    }
    if (!gx_cuda_usable(c)) return false;
    if (s->raw_last.module == module && s->raw_last.symbol == symbol) {
        function = s->raw_last.function;
    } else {
        if (!gx_cuda_check(c, s->api.cuModuleGetFunction(&function, module, symbol),
                           "cuModuleGetFunction"))
            return false;
        s->raw_last.module = module;
        s->raw_last.symbol = symbol;
        s->raw_last.function = function;
    }
    if (shared > PLAIN_SHARED &&
        !gx_cuda_check(c, s->api.cuFuncSetAttribute(function, ATTRIBUTE_SHARED, (int)shared),
                       "cuFuncSetAttribute"))
        return false;
    gx_cuda_note_launch(c, symbol, true, grid, block);
    s->raw_runs = true;
    c->gpu.base.rt->gpu_stats.launched++;
    if (!gx_cuda_check(c, s->api.cuLaunchKernelEx(&config, function, NULL, extra),
                       "launching a kernel"))
        return false;
    return !s->sync_each || gx_cuda_wait(c);
}

static bool find_global(gx_device *device, void *module, const char *name, uint64_t *address,
                        int64_t *bytes) {
    gx_cuda *c = gx_cuda_of(device);
    unsigned long long at;
    size_t size;
    if (!gx_cuda_usable(c)) return false;
    unsigned status = c->state->api.cuModuleGetGlobal_v2(&at, &size, module, name);
    if (status == STATUS_NOT_FOUND || !gx_cuda_check(c, status, "cuModuleGetGlobal")) return false;
    *address = at;
    *bytes = (int64_t)size;
    return true;
}

static bool copy(gx_device *device, void *host, uint64_t address, int64_t bytes, bool up) {
    gx_cuda *c = gx_cuda_of(device);
    return up ? gx_cuda_put(c, address, host, bytes) : gx_cuda_download(c, host, address, bytes);
}

static volatile uint32_t *words(gx_device *device, uint64_t *address) {
    gx_cuda *c = gx_cuda_of(device);
    gx_cuda_state *s = c->state;
    if (!s->raw_words) {
        void *memory = NULL;
        unsigned long long at = 0;
        if (!gx_cuda_usable(c) ||
            !gx_cuda_check(c, s->api.cuMemHostAlloc(&memory, 64, HOST_MAPPED), "pinned memory"))
            return NULL;
        if (!gx_cuda_check(c, s->api.cuMemHostGetDevicePointer_v2(&at, memory, 0),
                           "pinned memory")) {
            s->api.cuMemFreeHost(memory);
            return NULL;
        }
        memset(memory, 0, 64);
        s->raw_words = memory;
        s->raw_words_device = at;
    }
    *address = s->raw_words_device;
    return s->raw_words;
}

static bool number_of(gx_device *device, void *module, const char *symbol, gx_kernel_fact fact,
                      int *out) {
    gx_cuda *c = gx_cuda_of(device);
    gx_cuda_state *s = c->state;
    struct CUfunc_st *function;
    return gx_cuda_usable(c) &&
           gx_cuda_check(c, s->api.cuModuleGetFunction(&function, module, symbol),
                         "cuModuleGetFunction") &&
           gx_cuda_check(c,
                         s->api.cuFuncGetAttribute(out, gx_cuda_kernel_attributes[fact], function),
                         "cuFuncGetAttribute");
}

const gx_raw_calls gx_cuda_raw = {.load = load,
                                  .unload = unload,
                                  .launch = launch,
                                  .global = find_global,
                                  .copy = copy,
                                  .words = words,
                                  .number = number_of};
