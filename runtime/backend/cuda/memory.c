/* Device memory and transfers. Memory comes from the driver's stream-ordered pool, which keeps
   what is freed: allocating and freeing never wait. Transfers go through two halves of pinned
   memory, so that the source of an upload is captured when the call returns and a download
   overlaps its copy. A kernel's floating-point conditions arrive in pinned words that are read
   when the stream has been waited for. */
#include "runtime/backend/cuda/state_int.h"

#include <stdio.h>
#include <string.h>

enum {
    ATTRIBUTE_THRESHOLD = 4, /* CU_MEMPOOL_ATTR_RELEASE_THRESHOLD */
    ATTRIBUTE_RESERVED = 5,  /* CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT */
    HOST_MAPPED = 2,         /* CU_MEMHOSTALLOC_DEVICEMAP */
    EVENT_UNTIMED = 2,       /* CU_EVENT_DISABLE_TIMING */
    STATUS_NO_MEMORY = 2,
    SMALL_UPLOAD = 64 << 10
};

/* Small blocks that were freed are kept by their sizes, powers of two, for the next small array:
   all work is in the order of one stream, so that a block may be used at once by what comes later,
   and the driver takes as long for one as for a launch. */
enum { KEPT_LEAST = 64 };

static int kept_class(int64_t room) {
    int k = 0;
    while (k < GX_KEPT_SIZES && (int64_t)KEPT_LEAST << k < room) k++;
    return k; /* GX_KEPT_SIZES: too large */
}

static void give_kept(gx_cuda_state *s) {
    for (int k = 0; k < GX_KEPT_SIZES; k++)
        while (s->n_kept[k] > 0) s->api.cuMemFreeAsync(s->kept[k][--s->n_kept[k]], s->stream);
}

typedef struct cuda_buffer {
    gx_buffer head; /* first: a gx_buffer is its cuda_buffer */
    bool counted;   /* as a script's */
} cuda_buffer;

bool gx_cuda_memory_open(gx_cuda *c) {
    gx_cuda_state *s = c->state;
    uint64_t all = UINT64_MAX;
    void *flags = NULL;
    bool ok =
        gx_cuda_check(c, s->api.cuDeviceGetDefaultMemPool(&s->pool, s->device), "memory pool") &&
        gx_cuda_check(c, s->api.cuMemPoolSetAttribute(s->pool, ATTRIBUTE_THRESHOLD, &all),
                      "memory pool") &&
        gx_cuda_check(c, s->api.cuMemHostAlloc(&flags, GX_GPU_FLAGS * 4, HOST_MAPPED),
                      "pinned memory");
    if (!ok) return false;
    s->flags = flags;
    memset(flags, 0, GX_GPU_FLAGS * 4);
    unsigned long long address;
    if (!gx_cuda_check(c, s->api.cuMemHostGetDevicePointer_v2(&address, flags, 0),
                       "pinned memory"))
        return false;
    gx_gpu_conditions_at(&c->gpu, s->flags, address);
    return true;
}

void gx_cuda_memory_close(gx_cuda *c) {
    gx_cuda_state *s = c->state;
    if (s->fault || !s->retained) return; /* nothing works any more; the process gives it back */
    give_kept(s);
    for (int i = 0; i < 2; i++) {
        if (s->stage_free[i]) s->api.cuEventDestroy_v2(s->stage_free[i]);
        if (s->stage[i]) s->api.cuMemFreeHost(s->stage[i]);
    }
    if (s->flags) s->api.cuMemFreeHost(s->flags);
    if (s->raw_words) s->api.cuMemFreeHost(s->raw_words);
    if (s->pool) s->api.cuMemPoolTrimTo(s->pool, 0);
}

/* --- buffers --- */

bool gx_cuda_trim(gx_cuda *c) {
    gx_cuda_state *s = c->state;
    if (!s->fault) give_kept(s);
    return gx_cuda_wait(c) &&
           gx_cuda_check(c, s->api.cuMemPoolTrimTo(s->pool, 0), "trimming the memory pool");
}

bool gx_cuda_memory(gx_device *d, int64_t *free_bytes, int64_t *total) {
    gx_cuda *c = gx_cuda_of(d);
    gx_cuda_state *s = c->state;
    size_t available = 0, all = 0;
    uint64_t reserved = 0;
    bool ok = gx_cuda_usable(c) &&
              gx_cuda_check(c, s->api.cuMemGetInfo_v2(&available, &all), "memory information") &&
              gx_cuda_check(c, s->api.cuMemPoolGetAttribute(s->pool, ATTRIBUTE_RESERVED, &reserved),
                            "memory information");
    if (!ok) return false;
    int64_t kept = (int64_t)reserved - d->live_bytes;
    d->pool_bytes = kept > 0 ? kept : 0;
    *free_bytes = (int64_t)available + d->pool_bytes;
    *total = (int64_t)all;
    return true;
}

static bool fail_memory(gx_cuda *c, int64_t bytes) {
    int64_t available = 0, total = 0;
    gx_rt *rt = c->gpu.base.rt;
    if (!gx_cuda_memory(&c->gpu.base, &available, &total)) gx_error_clear(rt);
    return gx_fail(rt, GX_MemoryError, "memory.gpu",
                   "need %.2f GiB on the GPU; %.2f of %.2f GiB %s", (double)bytes / 0x1p30,
                   (double)available / 0x1p30, (double)total / 0x1p30, "is free");
}

/* Room for `bytes`. When there is none: what is queued finishes and frees, the pool gives back what
   it keeps; then, for an array, the libraries' work areas and plans go. A library at work asks for
   scratch memory, so that they must not go then. */
static bool take(gx_cuda *c, int64_t bytes, bool counted, unsigned long long *address) {
    gx_cuda_state *s = c->state;
    const int k = kept_class(bytes);
    if (!gx_cuda_usable(c)) return false;
    if (k < GX_KEPT_SIZES) {
        bytes = (int64_t)KEPT_LEAST << k;
        if (s->n_kept[k] > 0) {
            *address = s->kept[k][--s->n_kept[k]];
            return true;
        }
    }
    unsigned status = s->api.cuMemAllocAsync(address, (size_t)bytes, s->stream);
    for (int rung = 0; rung < 2 && GX_UNLIKELY(status == STATUS_NO_MEMORY); rung++) {
        if (rung == 1) {
            if (!counted) break;
            gx_cuda_libraries_close(c);
        }
        if (!gx_cuda_trim(c)) return false;
        status = s->api.cuMemAllocAsync(address, (size_t)bytes, s->stream);
    }
    if (status == STATUS_NO_MEMORY) return fail_memory(c, bytes);
    return gx_cuda_check(c, status, "cuMemAllocAsync");
}

static bool make_buffer(gx_cuda *c, int64_t bytes, bool counted, gx_buffer **out) {
    gx_rt *rt = c->gpu.base.rt;
    if (GX_UNLIKELY(gx_alloc_may_fail(rt))) return gx_no_memory(rt);
    if (bytes < 0)
        return gx_fail(rt, GX_ValueError, "memory.negative", "negative size of a buffer");
    if (bytes > INT64_MAX / 4) return fail_memory(c, bytes);
    cuda_buffer *made = gx_alloc_zero(rt, sizeof *made);
    if (!made) return false;
    gx_buffer *b = &made->head;
    unsigned long long address;
    int64_t room = bytes ? (bytes + 63) / 64 * 64 : 64;
    if (!take(c, room, counted, &address)) {
        gx_free(rt, made);
        return false;
    }
    made->counted = counted;
    b->device = &c->gpu.base;
    b->data = (char *)(uintptr_t)address;
    b->bytes = bytes;
    b->room = room;
    b->refs = 1;
    c->gpu.base.live_bytes += room;
    if (c->gpu.base.live_bytes > c->gpu.base.peak_bytes)
        c->gpu.base.peak_bytes = c->gpu.base.live_bytes;
    if (counted) {
        rt->stats.array_bytes += room;
        if (rt->stats.array_bytes > rt->stats.array_peak)
            rt->stats.array_peak = rt->stats.array_bytes;
    }
    if (GX_UNLIKELY(rt->debug.poison) && !gx_cuda_fill_bytes(c, address, 0xFF, room)) {
        gx_cuda_release(b);
        return false;
    }
    *out = b;
    return true;
}

bool gx_cuda_alloc(gx_device *d, int64_t bytes, gx_buffer **out) {
    return make_buffer(gx_cuda_of(d), bytes, true, out);
}

bool gx_cuda_scratch(gx_cuda *c, int64_t bytes, gx_buffer **out) {
    return make_buffer(c, bytes, false, out);
}

void gx_cuda_release(gx_buffer *b) {
    gx_cuda *c = gx_cuda_of(b->device);
    gx_cuda_state *s = c->state;
    c->gpu.base.live_bytes -= b->room;
    if (((cuda_buffer *)b)->counted) c->gpu.base.rt->stats.array_bytes -= b->room;
    /* The stream's order makes this safe while kernels that use it are still queued. A failure here
       shows again at the next use. */
    const int k = kept_class(b->room);
    if (k < GX_KEPT_SIZES && s->n_kept[k] < GX_KEPT)
        s->kept[k][s->n_kept[k]++] = gx_gpu_address(b);
    else if (!s->fault)
        s->api.cuMemFreeAsync(gx_gpu_address(b), s->stream);
    gx_free(c->gpu.base.rt, b);
}

/* --- transfers --- */

static bool stage_ready(gx_cuda *c, int half) {
    gx_cuda_state *s = c->state;
    if (s->stage[half])
        return gx_cuda_check(c, s->api.cuEventSynchronize(s->stage_free[half]),
                             "waiting for a transfer");
    void *memory = NULL;
    if (!gx_cuda_check(c, s->api.cuMemHostAlloc(&memory, GX_STAGE_BYTES, 0), "pinned memory"))
        return false;
    if (!gx_cuda_check(c, s->api.cuEventCreate(&s->stage_free[half], EVENT_UNTIMED), "event")) {
        s->api.cuMemFreeHost(memory);
        return false;
    }
    s->stage[half] = memory;
    return true;
}

/* Small uploads fill a half one after the other; it is reused only when all have gone. */
bool gx_cuda_upload(gx_cuda *c, gx_gpu_ptr to, const void *from, int64_t bytes) {
    gx_cuda_state *s = c->state;
    if (bytes <= 0) return true;
    if (bytes > SMALL_UPLOAD) return gx_cuda_put(c, to, from, bytes);
    if (!gx_cuda_usable(c)) return false;
    if (s->stage_at + bytes > GX_STAGE_BYTES || !s->stage[s->stage_next]) {
        if (s->stage[s->stage_next]) {
            if (!gx_cuda_check(c,
                               s->api.cuEventRecord(s->stage_free[s->stage_next], s->stream),
                               "event"))
                return false;
            s->stage_next ^= 1;
        }
        s->stage_at = 0;
        if (!stage_ready(c, s->stage_next)) return false;
    }
    char *room = s->stage[s->stage_next] + s->stage_at;
    s->stage_at += (bytes + 63) / 64 * 64;
    memcpy(room, from, (size_t)bytes);
    return gx_cuda_check(c, s->api.cuMemcpyHtoDAsync_v2(to, room, (size_t)bytes, s->stream),
                         "uploading");
}

/* Leaves the half that small uploads were filling, so that a large transfer can use both. */
static bool close_half(gx_cuda *c) {
    gx_cuda_state *s = c->state;
    if (!s->stage[s->stage_next]) return true;
    s->stage_at = GX_STAGE_BYTES;
    return gx_cuda_check(c, s->api.cuEventRecord(s->stage_free[s->stage_next], s->stream), "event");
}

bool gx_cuda_put(gx_cuda *c, gx_gpu_ptr to, const void *from, int64_t bytes) {
    gx_cuda_state *s = c->state;
    if (bytes <= SMALL_UPLOAD) return gx_cuda_upload(c, to, from, bytes);
    if (!gx_cuda_usable(c) || !close_half(c)) return false;
    int half = s->stage_next;
    for (int64_t at = 0; at < bytes;) {
        int64_t n = bytes - at < GX_STAGE_BYTES ? bytes - at : GX_STAGE_BYTES;
        half ^= 1;
        if (!stage_ready(c, half)) return false;
        memcpy(s->stage[half], (const char *)from + at, (size_t)n);
        if (!gx_cuda_check(c,
                           s->api.cuMemcpyHtoDAsync_v2(to + (gx_gpu_ptr)at, s->stage[half],
                                                       (size_t)n, s->stream),
                           "uploading") ||
            !gx_cuda_check(c, s->api.cuEventRecord(s->stage_free[half], s->stream), "event"))
            return false;
        at += n;
    }
    s->stage_next = half;
    return true;
}

/* The pinned halves fill in turn: while one is copied out, the next arrives. */
static bool get_large(gx_cuda *c, char *to, gx_gpu_ptr from, int64_t bytes) {
    gx_cuda_state *s = c->state;
    int64_t asked = 0, copied = 0;
    int half = 0;
    while (copied < bytes) {
        while (asked < bytes && asked < copied + 2 * (int64_t)GX_STAGE_BYTES) {
            int64_t n = bytes - asked < GX_STAGE_BYTES ? bytes - asked : GX_STAGE_BYTES;
            int into = (int)(asked / GX_STAGE_BYTES % 2);
            if (asked < 2 * (int64_t)GX_STAGE_BYTES && !stage_ready(c, into)) return false;
            if (!gx_cuda_check(c,
                               s->api.cuMemcpyDtoHAsync_v2(s->stage[into],
                                                           from + (gx_gpu_ptr)asked, (size_t)n,
                                                           s->stream),
                               "downloading") ||
                !gx_cuda_check(c, s->api.cuEventRecord(s->stage_free[into], s->stream), "event"))
                return false;
            asked += n;
        }
        int64_t n = bytes - copied < GX_STAGE_BYTES ? bytes - copied : GX_STAGE_BYTES;
        if (!stage_ready(c, half)) return false;
        memcpy(to + copied, s->stage[half], (size_t)n);
        copied += n;
        half ^= 1;
    }
    return true;
}

bool gx_cuda_download(gx_cuda *c, void *to, gx_gpu_ptr from, int64_t bytes) {
    gx_cuda_state *s = c->state;
    if (bytes <= 0) return true;
    if (!gx_cuda_usable(c) || !close_half(c)) return false;
    if (bytes > GX_STAGE_BYTES) return get_large(c, to, from, bytes);
    if (!stage_ready(c, s->stage_next ^ 1)) return false;
    char *room = s->stage[s->stage_next ^ 1];
    if (!gx_cuda_check(c, s->api.cuMemcpyDtoHAsync_v2(room, from, (size_t)bytes, s->stream),
                       "downloading") ||
        !gx_cuda_wait(c))
        return false;
    memcpy(to, room, (size_t)bytes);
    return true;
}

bool gx_cuda_fill_bytes(gx_cuda *c, gx_gpu_ptr to, int byte, int64_t bytes) {
    gx_cuda_state *s = c->state;
    if (bytes <= 0) return true;
    return gx_cuda_usable(c) &&
           gx_cuda_check(c,
                         s->api.cuMemsetD8Async(to, (unsigned char)byte, (size_t)bytes, s->stream),
                         "filling memory");
}
