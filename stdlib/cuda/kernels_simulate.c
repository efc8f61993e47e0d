/* simulate(k[grid, block])(…): a launch in the simulator, whether there is a GPU or not, and what
   it did, line by line of the source: a table when it is printed, dicts to compute with. The counts
   are of the code as the compiler made it. */
#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/native.h"
#include "runtime/object/text/str.h"
#include "stdlib/cuda/kernels_int.h"
#include "stdlib/stdlib.h"

typedef struct counted {
    gx_obj obj;
    gx_raw *raw;
    int entry;
    gx_shape3 size;
    gx_sim_counters counters;
} counted;

static const gx_type counters_type;

static counted *as_counted(gx_borrowed v) {
    return (counted *)(void *)v.obj;
}

static void free_counted(gx_rt *rt, gx_obj *o) {
    counted *c = (counted *)(void *)o;
    gx_sim_counters_free(rt, &c->counters);
    gx_raw_drop(c->raw);
    gx_free(rt, o);
}

bool gx_kernel_counters(gx_rt *rt, gx_kernel *k, const gx_shape3 *size, gx_sim_counters *counters,
                        gx_value *out) {
    counted *c = gx_obj_new(rt, &counters_type, sizeof *c);
    if (!c) {
        gx_sim_counters_free(rt, counters);
        return false;
    }
    k->raw->refs++;
    c->raw = k->raw;
    c->entry = k->entry;
    c->size = *size;
    c->size.counters = NULL;
    c->counters = *counters;
    *out = gx_object(&c->obj);
    return true;
}

/* --- numbers of a line --- */

static double ratio(int64_t a, int64_t b) {
    return b ? (double)a / (double)b : 0;
}

static double active(const gx_sim_line *l) {
    return ratio(l->lanes, 32 * l->executed);
}

const char *gx_kernel_line(const gx_raw *raw, uint32_t line, int *length) {
    const char *p = raw->source;
    *length = 0;
    if (!line || (int)line < raw->first_line) return "";
    for (int k = raw->first_line; k < (int)line && p; k++) {
        p = strchr(p, '\n');
        if (p) p++;
    }
    if (!p) return "";
    p += strspn(p, " \t");
    size_t n = strcspn(p, "\n");
    while (n && (p[n - 1] == ' ' || p[n - 1] == '\r')) n--;
    *length = (int)n;
    return p;
}

const gx_sim_counters *gx_kernel_counted(gx_borrowed v) {
    return gx_type_of(v) == &counters_type ? &as_counted(v)->counters : NULL;
}

const char *gx_kernel_counted_source(gx_borrowed v, uint32_t line, int *length) {
    return gx_kernel_line(as_counted(v)->raw, line, length);
}

/* --- the table --- */

static bool cell(gx_buf *out, int width, bool there, double v, int places) {
    return there ? gx_buf_printf(out, "%*.*f", width, places, v)
                 : gx_buf_printf(out, "%*s", width, "");
}

/* Columns of memory are empty where the line accessed none. */
static bool row(const counted *c, const gx_sim_line *l, gx_buf *out) {
    int64_t threads = c->counters.threads;
    bool ok = gx_buf_printf(out, "%10lld", (long long)l->executed) &&
              cell(out, 8, l->executed > 0, 100 * active(l), 1) &&
              cell(out, 9, l->requests > 0, ratio(l->sectors, l->requests), 2) &&
              cell(out, 8, l->requests > 0, ratio(l->reads, threads), 2) &&
              cell(out, 8, l->requests > 0, ratio(l->writes, threads), 2) &&
              cell(out, 8, l->shared > 0, ratio(l->shared_reads, threads), 2) &&
              cell(out, 8, l->shared > 0, ratio(l->shared_writes, threads), 2) &&
              cell(out, 10, l->shared > 0, (double)l->conflicts, 0);
    return ok;
}

static bool repr_counted(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    const counted *c = as_counted(v);
    const gx_shape3 *s = &c->size;
    int64_t blocks = s->grid[0] * s->grid[1] * s->grid[2];
    bool ok =
        gx_buf_printf(out, "%s: %lld block%s, %lld threads\n", c->raw->entry[c->entry].name,
                      (long long)blocks, blocks == 1 ? "" : "s", (long long)c->counters.threads) &&
        gx_buf_puts(out, "line  executed  active  sectors       global a thread"
                         "       shared a thread      bank\n"
                         "        by warps  lanes  a request   reads  writes   reads"
                         "  writes conflicts\n");
    for (int k = 0; k < c->counters.count && ok; k++) {
        const gx_sim_line *l = &c->counters.line[k];
        int n;
        const char *text = gx_kernel_line(c->raw, l->line, &n);
        ok = gx_buf_printf(out, "%4u", l->line) && row(c, l, out) &&
             gx_buf_printf(out, "  %.*s\n", n > 60 ? 60 : n, text);
    }
    return ok && gx_buf_puts(out, " all") && row(c, &c->counters.all, out);
}

/* --- as values --- */

static bool line_dict(gx_rt *rt, const counted *c, const gx_sim_line *l, gx_value *out) {
    gx_value d, text;
    int n, m = 0;
    const char *source = gx_kernel_line(c->raw, l->line, &n);
    const struct {
        const char *name;
        int64_t value;
    } counts[] = {{"line", l->line},
                  {"executed", l->executed},
                  {"lanes", l->lanes},
                  {"requests", l->requests},
                  {"sectors", l->sectors},
                  {"bytes", l->bytes},
                  {"reads", l->reads},
                  {"writes", l->writes},
                  {"shared_requests", l->shared},
                  {"shared_reads", l->shared_reads},
                  {"shared_writes", l->shared_writes},
                  {"conflicts", l->conflicts}};
    if (!gx_dict_new(rt, &d)) return false;
    bool ok = true;
    for (; m < (int)(sizeof counts / sizeof *counts) && ok; m++)
        ok = gx_dict_set_c(rt, d, counts[m].name, gx_int(counts[m].value));
    ok = ok && gx_dict_set_c(rt, d, "active", gx_float(active(l))) &&
         gx_str_new(rt, source, (size_t)n, &text) && gx_dict_set_c_take(rt, d, "source", text);
    if (!ok) {
        gx_drop(d);
        return false;
    }
    *out = d;
    return true;
}

static bool get_lines(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const counted *c = as_counted(self);
    gx_value list, d;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    for (int k = 0; k < c->counters.count; k++) {
        if (line_dict(rt, c, &c->counters.line[k], &d) && gx_list_push_take(rt, list, d)) continue;
        gx_drop(list);
        return false;
    }
    *out = list;
    return true;
}

static bool get_total(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return line_dict(rt, as_counted(self), &as_counted(self)->counters.all, out);
}

static bool get_threads(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(as_counted(self)->counters.threads);
    return true;
}

static bool get_active(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_float(active(&as_counted(self)->counters.all));
    return true;
}

static bool get_sectors(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    const gx_sim_line *l = &as_counted(self)->counters.all;
    *out = gx_float(ratio(l->sectors, l->requests));
    return true;
}

static bool get_conflicts(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(as_counted(self)->counters.all.conflicts);
    return true;
}

static bool get_reads(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    const counted *c = as_counted(self);
    *out = gx_float(ratio(c->counters.all.reads, c->counters.threads));
    return true;
}

static bool get_writes(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    const counted *c = as_counted(self);
    *out = gx_float(ratio(c->counters.all.writes, c->counters.threads));
    return true;
}

static const gx_member counted_members[] = {
    {"lines", get_lines, NULL, "What each line of the source did: a list of dicts."},
    {"total", get_total, NULL, "The same of all lines together, as a dict."},
    {"threads", get_threads, NULL, "How many threads were launched."},
    {"active", get_active, NULL, "The share of lanes that took part in what warps executed."},
    {"sectors", get_sectors, NULL, "Sectors of 32 bytes that a request to global memory touched."},
    {"conflicts", get_conflicts, NULL, "Turns of shared memory too many, for banks were busy."},
    {"reads", get_reads, NULL, "Reads of global memory, a thread."},
    {"writes", get_writes, NULL, "Writes of global memory, a thread."},
    {NULL, NULL, NULL, NULL},
};

static const gx_type counters_type = {.name = "cupy.KernelCounters",
                                      .dtype = GX_NO_DTYPE,
                                      .tag = GX_OBJECT,
                                      .doc = "What a launch did, counted by the simulator.",
                                      .free = free_counted,
                                      .repr = repr_counted,
                                      .members = counted_members};

/* --- simulate --- */

static bool simulate_fn(gx_call *c, gx_value *out) {
    if (gx_type_of(c->argv[0]) == &gx_type_kernel_launcher)
        return gx_kernel_simulated(c->rt, c->argv[0], out);
    gx_fail(c->rt, GX_TypeError, "simulate.launch",
            "simulate() takes a kernel with its grid and block, not %s", gx_type_name(c->argv[0]));
    if (gx_type_of(c->argv[0]) == &gx_type_raw_kernel)
        gx_help(c->rt, "simulate(k[grid, block])(…)");
    return false;
}

const gx_native gx_kernels_simulate_functions[] = {
    {"simulate", "simulate(launch)",
     "Runs a kernel in the simulator, on the CPU: simulate(k[grid, block])(…) returns counts for "
     "each line.",
     NULL, simulate_fn, 0, 0},
    {.name = NULL},
};
