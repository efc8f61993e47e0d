/* occupancy(k): how many warps of a kernel a multiprocessor holds, what decides, and what other
   block sizes and register counts would give. lanes(counts, line): what one request of a warp asks
   of memory, from what the simulator counted. Both print; neither changes anything. */
#include <stdio.h>
#include <string.h>

#include "runtime/backend/cost.h"
#include "runtime/backend/gpu.h"
#include "stdlib/cuda/kernels_int.h"
#include "stdlib/stdlib.h"

enum { HOPPER = 90, SECTOR = 32 };

/* --- occupancy --- */

typedef struct usage {
    const gx_raw_entry *entry;
    int threads, registers, shared, capability; /* registers 0: not known */
} usage;

static bool read_int(gx_call *c, int i, int64_t least, int64_t most, int *out) {
    int64_t n;
    if (!gx_arg_int(c, i, &n)) return false;
    if (n < least || n > most)
        return gx_fail(c->rt, GX_ValueError, "launch.size", "%s is a number from %lld to %lld, not "
                       "%lld", i == 1 ? "threads" : i == 2 ? "shared" : "registers",
                       (long long)least, (long long)most, (long long)n);
    *out = (int)n;
    return true;
}

static bool read_usage(gx_call *c, usage *u) {
    gx_rt *rt = c->rt;
    gx_gpu_info info;
    if (gx_type_of(c->argv[0]) != &gx_type_raw_kernel) return gx_arg_wrong(c, 0, "a kernel");
    gx_kernel *k = (gx_kernel *)(void *)c->argv[0].obj;
    u->entry = &k->raw->entry[k->entry];
    u->capability = HOPPER;
    if (!read_int(c, 1, 1, 1024, &u->threads) || !read_int(c, 2, 0, 1 << 20, &u->shared))
        return false;
    u->shared += (int)u->entry->shared;
    if (gx_raw_on_gpu(rt)) {
        if (!gx_raw_number(k->raw, u->entry, GX_KERNEL_REGISTERS, &u->registers) ||
            !gx_gpu_facts(rt, &info))
            return false;
        u->capability = info.major * 10 + info.minor;
    }
    return !gx_arg_some(c, 3) || read_int(c, 3, 1, 255, &u->registers);
}

/* A row of what other numbers would give; `registers`: else of threads. */
static bool add_row(const usage *u, const gx_gpu_limits *l, bool registers, gx_buf *out) {
    static const int threads[] = {64, 128, 256, 512, 1024}, counts[] = {24, 32, 40, 64, 96};
    gx_occupancy o;
    bool ok = gx_buf_printf(out, "  %-10s", registers ? "registers" : "threads");
    for (int i = 0; i < 5 && ok; i++)
        ok = gx_buf_printf(out, "%8d", registers ? counts[i] : threads[i]);
    ok = ok && gx_buf_printf(out, "\n  %-10s", "occupancy");
    for (int i = 0; i < 5 && ok; i++) {
        gx_occupancy_of(l, registers ? u->threads : threads[i],
                        registers ? counts[i] : u->registers, u->shared, &o);
        ok = gx_buf_printf(out, "%6.0f %%", 100 * o.share);
    }
    return ok && gx_buf_char(out, '\n');
}

static bool tell_usage(const usage *u, gx_buf *out) {
    gx_gpu_limits l;
    gx_occupancy o;
    char registers[48] = "registers not known without a GPU";
    gx_gpu_limits_of(u->capability, &l);
    gx_occupancy_of(&l, u->threads, u->registers, u->shared, &o);
    if (u->registers) snprintf(registers, sizeof registers, "%d registers", u->registers);
    bool ok = gx_buf_printf(out, "%s: %d threads a block, %s, %d B shared\n", u->entry->name,
                            u->threads, registers, u->shared) &&
              gx_buf_printf(out,
                            "a multiprocessor (sm_%d) has %d registers, %d KB shared, %d threads, "
                            "%d blocks\n",
                            u->capability, l.registers, l.shared >> 10, l.threads, l.blocks);
    const struct {
        const char *name;
        int blocks;
    } rows[] = {{"registers", u->registers ? o.by_registers : -1},
                {"shared memory", o.by_shared},
                {"threads", o.by_threads},
                {"blocks", o.by_blocks}};
    for (int i = 0; i < 4 && ok; i++)
        if (rows[i].blocks >= 0)
            ok = gx_buf_printf(out, "  by %-14s %3d block%s%s\n", rows[i].name, rows[i].blocks,
                               rows[i].blocks == 1 ? " " : "s",
                               strcmp(rows[i].name, o.limiter) == 0 ? "  <- decides" : "");
    return ok &&
           gx_buf_printf(out, "  %d x %d = %d of %d threads: occupancy %.0f %%\n", o.blocks,
                         (u->threads + 31) / 32 * 32, o.blocks * ((u->threads + 31) / 32 * 32),
                         l.threads, 100 * o.share) &&
           add_row(u, &l, false, out) && add_row(u, &l, true, out);
}

static bool occupancy_fn(gx_call *c, gx_value *out) {
    usage u = {0};
    if (!read_usage(c, &u)) return false;
    gx_buf text = gx_buf_new(c->rt);
    bool ok = tell_usage(&u, &text) && gx_stdout_write(c->rt, gx_buf_text(&text), text.length);
    gx_buf_free(&text);
    *out = gx_none();
    return ok;
}

/* --- lanes --- */

static bool add_boxes(gx_buf *out, double full, double all) {
    bool ok = true;
    for (int k = 0; k < (int)(all + 0.5) && k < 32 && ok; k++)
        ok = gx_buf_puts(out, k < (int)(full + 0.5) ? "█" : "░");
    return ok;
}

static bool tell_global(const gx_sim_line *l, gx_buf *out) {
    if (!l->requests) return true;
    double requests = (double)l->requests, sectors = (double)l->sectors / requests;
    double bytes = (double)l->bytes / requests, used = bytes / (sectors * SECTOR);
    bool ok = gx_buf_printf(out,
                            "  global: a request of a warp wants %.0f B and moves %.1f sectors of "
                            "%d B: %.0f %% used\n  ",
                            bytes, sectors, SECTOR, 100 * used) &&
              add_boxes(out, bytes / SECTOR, sectors) &&
              gx_buf_printf(out, "  %lld requests; lanes read %lld, write %lld elements\n",
                            (long long)l->requests, (long long)l->reads,
                            (long long)l->writes);
    if (ok && used < 0.6)
        ok = gx_buf_puts(out, "  neighbouring lanes should touch neighbouring elements; where they "
                              "cannot, go through shared memory\n");
    return ok;
}

static bool tell_shared(const gx_sim_line *l, gx_buf *out) {
    if (!l->shared) return true;
    double turns = (double)l->turns / (double)l->shared;
    bool ok = gx_buf_printf(out, "  shared: a request takes %.1f turn%s of the banks (%lld "
                                 "requests, %lld turns too many)\n",
                            turns, turns > 1.05 ? "s" : "", (long long)l->shared,
                            (long long)l->conflicts);
    if (ok && turns > 1.5)
        ok = gx_buf_puts(out, "  lanes meet on the same bank: a row of one element more, [32][33], "
                              "spreads them\n");
    return ok;
}

static bool lanes_fn(gx_call *c, gx_value *out) {
    const gx_sim_counters *counters = gx_kernel_counted(c->argv[0]);
    int64_t wanted = -1, told = 0;
    if (!counters) return gx_arg_wrong(c, 0, "what simulate(k[grid, block])(…) gave");
    if (gx_arg_some(c, 1) && !gx_arg_int(c, 1, &wanted)) return false;
    gx_buf text = gx_buf_new(c->rt);
    bool ok = true;
    for (int k = 0; k < counters->count && ok; k++) {
        const gx_sim_line *l = &counters->line[k];
        int n;
        const char *source;
        if (wanted >= 0 ? l->line != (uint32_t)wanted : !l->requests && !l->shared) continue;
        source = gx_kernel_counted_source(c->argv[0], l->line, &n);
        ok = gx_buf_printf(&text, "line %u: %.*s\n", l->line, n, source) &&
             gx_buf_printf(&text, "  %.1f of 32 lanes take part\n",
                           l->executed ? (double)l->lanes / (double)l->executed : 0) &&
             tell_global(l, &text) && tell_shared(l, &text);
        told++;
    }
    if (ok && !told)
        ok = gx_fail(c->rt, GX_ValueError, "simulate.line",
                     wanted < 0 ? "no line asked for memory"
                                : "line %lld was not executed, or is not of the kernel",
                     (long long)wanted);
    ok = ok && gx_stdout_write(c->rt, gx_buf_text(&text), text.length);
    gx_buf_free(&text);
    *out = gx_none();
    return ok;
}

const gx_native gx_kernels_look_functions[] = {
    {"occupancy", "occupancy(k, threads=256, shared=0, registers=None)",
     "Prints how many blocks of a kernel fit on a multiprocessor, and what limits them; shared in "
     "bytes.",
     NULL, occupancy_fn, 0, 0},
    {"lanes", "lanes(counts, line=None)",
     "Prints how a warp accesses memory in each line, or one line, from what simulate() returned.",
     NULL, lanes_fn, 0, 0},
    {.name = NULL},
};
