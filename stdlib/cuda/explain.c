/* explain(x): what computing a pending array costs, told in a page: the kernels, what is fused into
   each, the bytes against one kernel for each operation, how it is launched, a model of its time
   and the time measured. lazy.cost(x) gives the same as dicts. The array stays pending. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "runtime/array/array.h"
#include "runtime/backend/cost.h"
#include "runtime/backend/gpu.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "stdlib/common.h"
#include "stdlib/stdlib.h"

/* --- the page --- */

typedef struct page {
    gx_buf body;
    int kernels, operations;
    char result[120];
    bool gpu;
    gx_cost_want want;
} page;

static bool add_bytes(page *p, const gx_traffic *t) {
    const struct {
        const char *name;
        int64_t fused, apart;
    } rows[] = {{"read", t->read, t->apart_read},
                {"written", t->written, t->apart_written},
                {"temporaries", 0, t->temporaries}};
    bool ok = gx_buf_printf(&p->body, "  %-12s %14s %24s\n", "", "fused",
                            "one kernel an operation");
    for (int i = 0; i < 3 && ok; i++) {
        char a[32], b[32];
        gx_put_scaled(a, sizeof a, (double)rows[i].fused, "B");
        gx_put_scaled(b, sizeof b, (double)rows[i].apart, "B");
        ok = gx_buf_printf(&p->body, "  %-12s %14s %24s\n", rows[i].name, a, b);
    }
    ok = ok && gx_buf_printf(&p->body, "  %-12s %14d %24d\n", "kernels", 1, t->apart_kernels);
    if (ok && t->moved > t->read + t->read / 8) {
        char moved[32];
        gx_put_scaled(moved, sizeof moved, (double)t->moved, "B");
        ok = gx_buf_printf(&p->body, "  strided: %s move, as what lies between comes along\n",
                           moved);
    }
    return ok;
}

static bool add_launch(gx_rt *rt, page *p, const gx_kernel_cost *k) {
    const gx_launch_info *l = &k->launch;
    char blocks[32];
    if (l->blocks == 0) return true;
    gx_put_count(blocks, sizeof blocks, l->blocks);
    if (!k->gpu || strcmp(l->form, "blocks") == 0)
        return gx_buf_printf(&p->body, "loop      %s block%s of %d elements, %d thread%s\n", blocks,
                             l->blocks == 1 ? "" : "s", l->elements, l->threads,
                             l->threads == 1 ? "" : "s");
    if (!gx_buf_printf(&p->body, "launch    %s blocks of %d threads, %d element%s a thread; %s",
                       blocks, l->threads, l->elements, l->elements == 1 ? "" : "s", l->form))
        return false;
    if (l->registers) {
        gx_gpu_limits limits;
        gx_occupancy o;
        gx_gpu_info info;
        if (!gx_gpu_facts(rt, &info)) return false;
        gx_gpu_limits_of(info.major * 10 + info.minor, &limits);
        gx_occupancy_of(&limits, l->threads, l->registers, l->shared, &o);
        if (!gx_buf_printf(&p->body, "; %d registers, occupancy %.0f %%", l->registers,
                           100 * o.share))
            return false;
    }
    return gx_buf_char(&p->body, '\n');
}

static bool add_bar(gx_buf *out, double share) {
    int full = (int)(share * 10 + 0.5);
    bool ok = true;
    for (int i = 0; i < 10 && ok; i++) ok = gx_buf_puts(out, i < full ? "▉" : "░");
    return ok;
}

static bool add_time(page *p, const gx_kernel_cost *k) {
    char model[32], measured[32], rate[32];
    const gx_traffic *t = &k->traffic;
    double bytes = (double)(t->moved + t->written), ops = t->work32 + t->work64;
    double roof = k->by_memory ? k->memory : k->work;
    gx_put_time(model, sizeof model, k->model);
    gx_put_scaled(rate, sizeof rate, k->rate, "B/s");
    if (!gx_buf_printf(&p->body, "limit     %s: %.2g operations a byte\n",
                       k->by_memory ? "memory" : "arithmetic", bytes > 0 ? ops / bytes : 0) ||
        !gx_buf_printf(&p->body, "model     %s, memory gives %s\n", model, rate))
        return false;
    if (k->measured > 0) {
        double share = roof / k->measured;
        gx_put_time(measured, sizeof measured, k->measured);
        if (roof < k->model / 2) /* its start takes longer than its bytes */
            return gx_buf_printf(&p->body, "measured  %s: too short for a roof\n", measured);
        if (!gx_buf_printf(&p->body, "measured  %s, %.0f %% of the roof ", measured,
                           100 * share) ||
            !add_bar(&p->body, share > 1 ? 1 : share) || !gx_buf_char(&p->body, '\n'))
            return false;
    }
    return true;
}

static bool visit(gx_rt *rt, void *ctx, const gx_kernel_cost *k) {
    page *p = ctx;
    (void)rt;
    p->kernels++;
    p->operations += k->traffic.operations;
    p->gpu = k->gpu;
    snprintf(p->result, sizeof p->result, "%s", k->result);
    if (!gx_buf_printf(&p->body, "%d. %s -> %s\n", p->kernels, k->operations, k->result))
        return false;
    const char *text = gx_buf_text(&k->text);
    if (p->want.source && !p->want.ptx && !p->want.tape) { /* helpers of all kernels come first */
        const char *own = strstr(text, "\ntypedef unsigned");
        text = own ? own + 1 : text;
    }
    if (p->want.source || p->want.ptx || p->want.tape) return gx_buf_puts(&p->body, text);
    return add_bytes(p, &k->traffic) && add_launch(rt, p, k) && add_time(p, k);
}

/* What is not pending: there is nothing to tell but where it is. */
static bool tell_ready(gx_call *c, gx_buf *out) {
    gx_borrowed v = c->argv[0];
    if (!gx_is_array(v))
        return gx_buf_printf(out, "%s: no array, nothing is pending\n", gx_type_name(v));
    gx_array *a = gx_as_array(v);
    char bytes[32];
    gx_put_scaled(bytes, sizeof bytes, (double)gx_array_nbytes(a), "B");
    return gx_array_describe(a, out) &&
           gx_buf_printf(out, ": %s, ready; nothing is left to compute%s\n", bytes,
                         gx_array_nbytes(a) <= 4096 ? " (what is small is computed at once)" : "");
}

static bool explain_fn(gx_call *c, gx_value *out) {
    page p = {.body = gx_buf_new(c->rt)};
    gx_buf head = gx_buf_new(c->rt);
    bool ready = true;
    if (!gx_arg_bool(c, 1, &p.want.source) || !gx_arg_bool(c, 2, &p.want.ptx) ||
        !gx_arg_bool(c, 3, &p.want.tape))
        return false;
    p.want.measure = !p.want.source && !p.want.ptx && !p.want.tape;
    bool ok = !gx_is_array(c->argv[0]) ||
              gx_cost_each(c->rt, gx_as_array(c->argv[0]), &p.want, visit, &p, &ready);
    if (ok && ready) {
        ok = tell_ready(c, &head);
    } else if (ok) {
        ok = gx_buf_printf(&head, "%d kernel%s for %d operation%s on the %s: %s\n", p.kernels,
                           p.kernels == 1 ? "" : "s", p.operations, p.operations == 1 ? "" : "s",
                           p.gpu ? "GPU" : "CPU", p.result) &&
             gx_buf_add(&head, gx_buf_text(&p.body), p.body.length);
    }
    ok = ok && gx_stdout_write(c->rt, gx_buf_text(&head), head.length);
    gx_buf_free(&head);
    gx_buf_free(&p.body);
    if (ok) *out = gx_none();
    return ok;
}

/* --- the same as dicts --- */

typedef struct facts {
    gx_value list;
} facts;

static bool fill_facts(gx_rt *rt, gx_value d, const gx_kernel_cost *k) {
    const gx_traffic *t = &k->traffic;
    const struct {
        const char *name;
        int64_t value;
    } ints[] = {{"read", t->read},
                {"moved", t->moved},
                {"written", t->written},
                {"apart_read", t->apart_read},
                {"apart_written", t->apart_written},
                {"temporaries", t->temporaries},
                {"apart_kernels", t->apart_kernels},
                {"operations", t->operations},
                {"elements", t->elements},
                {"blocks", k->launch.blocks},
                {"registers", k->launch.registers}};
    bool ok = gx_dict_set_text(rt, d, "fused", k->operations) &&
              gx_dict_set_text(rt, d, "result", k->result) &&
              gx_dict_set_text(rt, d, "limit", k->by_memory ? "memory" : "arithmetic") &&
              gx_dict_set_text(rt, d, "device", k->gpu ? "gpu" : "cpu");
    for (size_t i = 0; i < sizeof ints / sizeof *ints && ok; i++)
        ok = gx_dict_set_c(rt, d, ints[i].name, gx_int(ints[i].value));
    return ok && gx_dict_set_c(rt, d, "model", gx_float(k->model)) &&
           gx_dict_set_c(rt, d, "roof", gx_float(k->by_memory ? k->memory : k->work)) &&
           gx_dict_set_c(rt, d, "measured", k->measured < 0 ? gx_none() : gx_float(k->measured));
}

static bool visit_facts(gx_rt *rt, void *ctx, const gx_kernel_cost *k) {
    gx_value d;
    if (!gx_dict_new(rt, &d)) return false;
    if (!fill_facts(rt, d, k)) {
        gx_drop(d);
        return false;
    }
    return gx_list_push_take(rt, ((facts *)ctx)->list, d);
}

static bool cost_fn(gx_call *c, gx_value *out) {
    gx_cost_want want = {0};
    facts f;
    bool ready;
    if (!gx_arg_bool(c, 1, &want.measure) || !gx_list_new(c->rt, 0, NULL, &f.list)) return false;
    if (gx_is_array(c->argv[0]) &&
        !gx_cost_each(c->rt, gx_as_array(c->argv[0]), &want, visit_facts, &f, &ready)) {
        gx_drop(f.list);
        return false;
    }
    *out = f.list;
    return true;
}

const gx_native gx_explain_functions[] = {
    {"explain", "explain(x, source=False, ptx=False, tape=False)",
     "Prints what computing a pending array costs, or its kernels' source, PTX or tapes.", NULL,
     explain_fn, GX_NATIVE_PENDING, 0},
    {.name = NULL},
};

const gx_native gx_cost_functions[] = {
    {"cost", "cost(x, measure=False)",
     "What explain() prints, as a list of dicts, one for each kernel; measure=True adds times in "
     "seconds.",
     NULL, cost_fn, GX_NATIVE_PENDING, 0},
    {.name = NULL},
};
