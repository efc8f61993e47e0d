/* What explain() asks of the CPU backend: how the last tape was spread over blocks and threads, and
   what identifies this machine. */
#include <cpuid.h>
#include <stdio.h>
#include <string.h>

#include "runtime/backend/cpu/cpu_int.h"

static bool launch(gx_device *d, const gx_tape *t, gx_launch_info *out) {
    const gx_cpu *cpu = gx_cpu_of(d);
    const gx_cpu_plan *p = cpu->plan;
    (void)t;
    *out = (gx_launch_info){.threads = cpu->threads, .form = "blocks"};
    if (p->block <= 0) return true;
    out->elements = (int)(p->block < p->total ? p->block : p->total);
    out->blocks = (p->total + p->block - 1) / p->block;
    return true;
}

/* The caches of a core, about. */
static int64_t cache_bytes(gx_device *d) {
    (void)d;
    return INT64_C(4) << 20;
}

static void put_label(gx_device *d, char *out, size_t room) {
    unsigned r[12] = {0};
    char name[49] = "x86-64";
    bool there = true;
    for (unsigned k = 0; k < 3 && there; k++)
        there = __get_cpuid(0x80000002 + k, &r[4 * k], &r[4 * k + 1], &r[4 * k + 2],
                            &r[4 * k + 3]) != 0;
    if (there) memcpy(name, r, 48);
    name[48] = '\0';
    snprintf(out, room, "%s, %d threads", name, gx_cpu_of(d)->threads);
}

const gx_cost_calls gx_cpu_cost = {.launch = launch, .cache = cache_bytes, .label = put_label};
