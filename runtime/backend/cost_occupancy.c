/* How many blocks of a kernel fit a multiprocessor: NVIDIA's published limits by compute
   capability, and the rounding of what a block takes. Needs no GPU. */
#include <limits.h>

#include "runtime/backend/cost.h"

void gx_gpu_limits_of(int capability, gx_gpu_limits *out) {
    *out = (gx_gpu_limits){.registers = 65536, .shared = 64 << 10, .threads = 2048, .blocks = 32,
                           .block_registers = 65536, .block_shared = 48 << 10,
                           .block_threads = 1024, .warp = 256, .shared_unit = 128,
                           .shared_reserved = 1024};
    int major = capability / 10;
    if (major == 7) { /* Volta, Turing */
        out->shared = capability == 75 ? 64 << 10 : 96 << 10;
        out->block_shared = out->shared;
        out->shared_unit = 256;
        out->shared_reserved = 0;
        if (capability == 75) out->threads = 1024;
        if (capability == 75) out->blocks = 16;
    } else if (major == 8) { /* Ampere, Ada */
        bool large = capability == 80 || capability == 87;
        out->shared = large ? 164 << 10 : 100 << 10;
        out->block_shared = large ? 163 << 10 : 99 << 10;
        out->threads = large ? 2048 : 1536;
        out->blocks = capability == 80 ? 32 : capability == 89 ? 24 : 16;
    } else if (major >= 9) { /* Hopper, Blackwell */
        bool small = major >= 12;
        out->shared = small ? 100 << 10 : 228 << 10;
        out->block_shared = small ? 99 << 10 : 227 << 10;
        if (small) out->threads = 1536;
        if (small) out->blocks = 24;
    } else {
        out->shared_unit = 256;
        out->shared_reserved = 0;
    }
}

static int round_up(int x, int unit) {
    return (x + unit - 1) / unit * unit;
}

void gx_occupancy_of(const gx_gpu_limits *l, int threads, int registers, int shared,
                     gx_occupancy *out) {
    int warps = (threads + 31) / 32, per_warp = round_up(registers * 32, l->warp);
    /* Warps belong to one of four parts of the multiprocessor, each with its registers. */
    int fit = per_warp ? l->registers / 4 / per_warp * 4 : INT_MAX;
    *out = (gx_occupancy){.by_threads = threads ? l->threads / (warps * 32) : 0,
                          .by_blocks = l->blocks, .by_shared = -1, .limiter = "threads"};
    out->by_registers = registers > 255 ? 0 : warps ? fit / warps : 0;
    if (shared > 0) out->by_shared = l->shared / round_up(shared + l->shared_reserved,
                                                           l->shared_unit);
    out->blocks = out->by_threads;
    if (out->by_blocks < out->blocks) {
        out->blocks = out->by_blocks;
        out->limiter = "blocks";
    }
    if (out->by_shared >= 0 && out->by_shared < out->blocks) {
        out->blocks = out->by_shared;
        out->limiter = "shared memory";
    }
    if (out->by_registers < out->blocks) {
        out->blocks = out->by_registers;
        out->limiter = "registers";
    }
    out->share = (double)(out->blocks * warps * 32) / (double)l->threads;
}
