/* What backend/gpu asks of its vendor, of this one. */
#include "runtime/backend/cuda/state_int.h"

static gx_cuda *cuda_of(gx_gpu *g) {
    return gx_cuda_of(&g->base);
}

static bool scratch(gx_gpu *g, int64_t bytes, gx_buffer **out) {
    return gx_cuda_scratch(cuda_of(g), bytes, out);
}

static bool upload(gx_gpu *g, gx_gpu_ptr to, const void *from, int64_t bytes) {
    return gx_cuda_upload(cuda_of(g), to, from, bytes);
}

static bool driver_put(gx_gpu *g, gx_gpu_ptr to, const void *from, int64_t bytes) {
    return gx_cuda_put(cuda_of(g), to, from, bytes);
}

static bool download(gx_gpu *g, void *to, gx_gpu_ptr from, int64_t bytes) {
    return gx_cuda_download(cuda_of(g), to, from, bytes);
}

static bool fill(gx_gpu *g, gx_gpu_ptr to, int byte, int64_t bytes) {
    return gx_cuda_fill_bytes(cuda_of(g), to, byte, bytes);
}

static bool wait(gx_gpu *g) {
    return gx_cuda_wait(cuda_of(g));
}

static bool usable(gx_gpu *g) {
    return gx_cuda_usable(cuda_of(g));
}

static void leave(gx_gpu *g, void *job) {
    (void)g;
    gx_cuda_job_leave(job);
}

static bool sorts(gx_gpu *g) {
    return gx_cuda_sorts(cuda_of(g));
}

static bool sort_keys(gx_gpu *g, gx_sort_keys_job *job) {
    return gx_cuda_sort_keys(cuda_of(g), job);
}

static bool sort_pairs(gx_gpu *g, gx_sort_pairs_job *job, int *last) {
    return gx_cuda_sort_pairs(cuda_of(g), job, last);
}

const gx_gpu_driver gx_cuda_gpu_driver = {
    .load = gx_cuda_load,
    .unload = gx_cuda_unload,
    .begin = gx_cuda_begin,
    .look = gx_cuda_look,
    .leave = leave,
    .prebuilt = gx_cuda_load_prebuilt,
    .stored = gx_cuda_load_stored,
    .launch = gx_cuda_launch,
    .scratch = scratch,
    .upload = upload,
    .put = driver_put,
    .download = download,
    .fill = fill,
    .wait = wait,
    .usable = usable,
    .sorts = sorts,
    .sort_keys = sort_keys,
    .sort_pairs = sort_pairs,
};
