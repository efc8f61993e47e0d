/* A script's own kernels on the GPU: their PTX is loaded by the driver, which compiles it for the
   device, and launched with the packed bytes of the parameters. */
#include "runtime/cuda/state_int.h"

enum { ATTRIBUTE_SHARED = 8, PLAIN_SHARED = 48 << 10 };

static bool load(gx_device *device, const char *ptx, void **module) {
    gx_cuda *c = gx_cuda_of(device);
    struct CUmod_st *m;
    if (!gx_cuda_usable(c) ||
        !gx_cuda_check(c, c->state->api.cuModuleLoadData(&m, ptx), "cuModuleLoadData"))
        return false;
    *module = m;
    return true;
}

static void unload(gx_device *device, void *module) {
    gx_cuda_state *s = gx_cuda_of(device)->state;
    if (!s->fault) s->api.cuModuleUnload(module);
}

static bool launch(gx_device *device, void *module, const char *symbol, const int64_t grid[3],
                   const int64_t block[3], int64_t shared, const void *params, size_t bytes) {
    gx_cuda *c = gx_cuda_of(device);
    gx_cuda_state *s = c->state;
    struct CUfunc_st *function;
    /* CU_LAUNCH_PARAM_BUFFER_POINTER, CU_LAUNCH_PARAM_BUFFER_SIZE, CU_LAUNCH_PARAM_END */
    void *extra[] = {(void *)1, (void *)(uintptr_t)params, (void *)2, &bytes, NULL};
    if (!gx_cuda_usable(c) ||
        !gx_cuda_check(c, s->api.cuModuleGetFunction(&function, module, symbol),
                       "cuModuleGetFunction"))
        return false;
    if (shared > PLAIN_SHARED &&
        !gx_cuda_check(c, s->api.cuFuncSetAttribute(function, ATTRIBUTE_SHARED, (int)shared),
                       "cuFuncSetAttribute"))
        return false;
    gx_cuda_note_launch(c, symbol, true, grid, block);
    if (!gx_cuda_check(c,
                       s->api.cuLaunchKernel(function, (unsigned)grid[0], (unsigned)grid[1],
                                             (unsigned)grid[2], (unsigned)block[0],
                                             (unsigned)block[1], (unsigned)block[2],
                                             (unsigned)shared, s->stream, NULL, extra),
                       "cuLaunchKernel"))
        return false;
    return !s->sync_each || gx_cuda_wait(c);
}

const gx_raw_calls gx_cuda_raw = {.load = load, .unload = unload, .launch = launch};
