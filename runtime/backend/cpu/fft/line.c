/* Runs plans: passes over lanes, and one line as two steps of lanes, on one thread or on all. What
   is computed does not depend on the number of threads. Allocates nothing. */
#include <string.h>

#include "runtime/backend/cpu/fft/plan_int.h"

gx_fft_cell *gx_fft_lanes_run(const gx_fft_loops *f, const gx_fft_lanes *p, gx_fft_cell *x,
                              gx_fft_cell *spare, gx_fft_cell *dst) {
    if (p->inner) {
        const gx_fft_lanes *in = p->inner;
        f->multiply(x, x, p->chirp, p->n, 0, 0);
        memset(x + p->n, 0, (size_t)(in->n - p->n) * sizeof *x);
        gx_fft_cell *y = gx_fft_lanes_run(f, in, x, spare, NULL);
        f->multiply(y, y, p->kernel, in->n, 0, 1);
        y = gx_fft_lanes_run(f, in, y, y == x ? spare : x, NULL);
        f->multiply(dst ? dst : y, y, p->chirp, p->n, 1, 0);
        return dst ? dst : y;
    }
    int64_t m = p->n, s = 1;
    if (p->count == 0 && dst) *dst = *x;
    for (int i = 0; i < p->count; i++) {
        int r = p->radix[i];
        gx_fft_cell *to = dst && i == p->count - 1 ? dst : spare;
        m /= r;
        if (p->circle[i])
            f->odd(x, to, p->roots[i], m, s, r, p->circle[i]);
        else
            f->pass[r](x, to, p->roots[i], m, s);
        if (to == spare) {
            spare = x;
            x = to;
        }
        s *= r;
    }
    return dst ? dst : x;
}

/* One line in work. */
typedef struct line_job {
    const gx_fft_team *team;
    const gx_fft_line *p;
    const char *src, *w;
    char *dst;
    gx_fft_cell *middle; /* after the first step: groups of `tall` cells */
    double scale;
    int swap, swap_out, thread;
    size_t offset;
    int64_t n, per;
} line_job;

static char *memory(const line_job *j, int thread) {
    const gx_fft_team *t = j->team;
    return t->memory + (size_t)(t->parallel ? thread : j->thread) * t->each + j->offset;
}

static void spread(line_job *j, int64_t tasks, void (*fn)(void *, int64_t, int)) {
    if (j->team->parallel)
        gx_tasks_run(j->team->device, tasks, fn, j);
    else
        for (int64_t i = 0; i < tasks && !gx_work_stops(j->team->rt); i++) fn(j, i, j->thread);
}

static int64_t slot_cells(const gx_fft_line *p, int lanes) {
    return (p->down->room > p->across->room ? p->down->room : p->across->room) + lanes;
}

/* Neighbouring columns of the line as a matrix (tall, wide). */
static void columns_task(void *arg, int64_t task, int thread) {
    const line_job *j = arg;
    const gx_fft_line *p = j->p;
    const gx_fft_loops *f = j->team->f;
    int64_t each = slot_cells(p, f->lanes), at = task * GX_FFT_GROUPS * f->lanes;
    int64_t count = p->wide - at, groups;
    if (count > GX_FFT_GROUPS * f->lanes) count = GX_FFT_GROUPS * f->lanes;
    groups = (count + f->lanes - 1) / f->lanes;
    gx_fft_cell *slots = (void *)memory(j, thread), *to[GX_FFT_GROUPS];
    for (int g = 0; g < GX_FFT_GROUPS; g++) to[g] = slots + (g + 1) * each;
    f->load(to, j->src + at * 2 * f->item, 2 * p->wide, p->tall, count, j->swap);
    for (int64_t g = 0; g < groups; g++)
        gx_fft_lanes_run(f, p->down, to[g], slots, j->middle + (at / f->lanes + g) * p->tall);
}

/* Groups of rows of the middle; the results are columns of the output (wide, tall). */
static void rows_task(void *arg, int64_t task, int thread) {
    const line_job *j = arg;
    const gx_fft_line *p = j->p;
    const gx_fft_loops *f = j->team->f;
    int64_t each = slot_cells(p, f->lanes), at = task * GX_FFT_GROUPS * f->lanes;
    int64_t count = p->tall - at, groups, blocks = p->wide / p->block + 1;
    if (count > GX_FFT_GROUPS * f->lanes) count = GX_FFT_GROUPS * f->lanes;
    groups = (count + f->lanes - 1) / f->lanes;
    gx_fft_cell *slots = (void *)memory(j, thread), *spare = slots, *out[GX_FFT_GROUPS];
    for (int64_t g = 0; g < groups; g++) {
        gx_fft_cell *x = slots + (g + 1) * each;
        int64_t k = at / f->lanes + g;
        f->across(x, j->middle + k * f->lanes, p->tall, p->wide, p->near + k * p->block,
                  p->far + k * blocks, p->block);
        out[g] = gx_fft_lanes_run(f, p->across, x, spare, NULL);
        if (out[g] == spare) spare = x;
    }
    f->store(out, j->dst + at * 2 * f->item, 2 * p->tall, p->wide, count, j->swap, j->scale);
}

static void long_line(line_job *j) {
    const gx_fft_line *p = j->p;
    int lanes = j->team->f->lanes;
    int64_t per = GX_FFT_GROUPS * lanes;
    /* The middle is behind the first thread's slots. */
    j->middle = (gx_fft_cell *)(void *)memory(j, 0) + (GX_FFT_GROUPS + 1) * slot_cells(p, lanes);
    spread(j, (p->wide + per - 1) / per, columns_task);
    spread(j, (p->tall + per - 1) / per, rows_task);
}

static void product_task(void *arg, int64_t task, int thread) {
    const line_job *j = arg;
    int64_t at = task * j->per, n = j->n - at < j->per ? j->n - at : j->per;
    int64_t far = at * 2 * j->team->f->item;
    (void)thread;
    j->team->f->multiply_line(j->dst + far, j->src + far, j->w + far, n, j->swap, j->swap_out,
                              j->scale);
}

static void product(line_job j, void *dst, const void *src, const void *w, int64_t n) {
    j.dst = dst;
    j.src = src;
    j.w = w;
    j.n = n;
    j.per = j.team->parallel ? 8192 : n < GX_WORK_LOOK ? n : GX_WORK_LOOK;
    spread(&j, (n + j.per - 1) / j.per, product_task);
}

static void chirped(line_job *j) {
    const gx_fft_line *p = j->p, *in = p->inner;
    size_t number = 2 * (size_t)j->team->f->item;
    size_t inner_offset = j->offset + (((size_t)in->n * number + 63) & ~(size_t)63);
    char *x = memory(j, 0);
    line_job plain = *j;
    plain.scale = 1;
    plain.swap_out = 0;
    product(plain, x, j->src, p->chirp, p->n);
    gx_work_fill(j->team->rt, x + (size_t)p->n * number, 0, (size_t)(in->n - p->n) * number);
    gx_fft_line_run(j->team, in, x, x, 1, 0, j->thread, inner_offset);
    plain.swap = 0;
    product(plain, x, x, p->kernel, in->n);
    gx_fft_line_run(j->team, in, x, x, 1, 1, j->thread, inner_offset);
    plain.scale = j->scale;
    plain.swap_out = j->swap;
    product(plain, j->dst, x, p->chirp, p->n);
}

void gx_fft_line_run(const gx_fft_team *team, const gx_fft_line *p, const void *src, void *dst,
                     double scale, int swap, int thread, size_t offset) {
    const gx_fft_loops *f = team->f;
    line_job j = {.team = team,
                  .p = p,
                  .src = src,
                  .dst = dst,
                  .scale = scale,
                  .swap = swap,
                  .thread = thread,
                  .offset = offset};
    if (p->inner) {
        chirped(&j);
        return;
    }
    if (p->wide != 1 && p->wide != f->lanes) {
        long_line(&j);
        return;
    }
    gx_fft_cell *x = (void *)memory(&j, 0), *spare = x + p->down->room + f->lanes;
    if (p->wide == 1) {
        spare = x + p->down->room;
        f->load_lines(x, 1, swap, src, 0, 2 * p->n, 1);
        x = gx_fft_lanes_run(f, p->down, x, spare, NULL);
        f->store_lines(x, 1, swap, dst, 0, 2 * p->n, 1, scale);
        return;
    }
    f->load(&x, src, 2 * f->lanes, p->tall, f->lanes, swap);
    x = gx_fft_lanes_run(f, p->down, x, spare, NULL);
    f->finish(x, p->turns, dst, p->tall, swap, scale);
}
