/* Plans of lines, and the device's cache of plans: at most 64 of them, together at most 128 MB
   between calls; the longest unused go first. What a call has asked for stays until it trims. */
#include <math.h>
#include <string.h>

#include "runtime/backend/cpu/fft/plan_int.h"

enum { PLANS = 64, SHORT = 4096, SINGLE = 512 };
static const size_t most_bytes = (size_t)128 << 20;

typedef enum plan_kind { LANES, LINE, HALVES } plan_kind;

struct gx_fft_plan {
    gx_fft_plan *next;
    int64_t n;
    plan_kind kind;
    int item;
    size_t bytes;
    struct gx_fft_block *blocks;
    const void *what;
};

/* The most recently used plan is first. */
struct gx_fft_cache {
    gx_fft_plan *first;
};

static void plan_free(gx_rt *rt, gx_fft_plan *p) {
    gx_fft_blocks_free(rt, p->blocks);
    gx_free(rt, p);
}

void gx_fft_cache_free(gx_cpu *cpu) {
    gx_rt *rt = cpu->base.rt;
    if (!cpu->fft) return;
    for (gx_fft_plan *p = cpu->fft->first, *next; p; p = next) {
        next = p->next;
        plan_free(rt, p);
    }
    gx_free(rt, cpu->fft);
    cpu->fft = NULL;
}

void gx_fft_trim(gx_cpu *cpu) {
    size_t total = 0;
    int count = 0;
    if (!cpu->fft) return;
    for (gx_fft_plan **at = &cpu->fft->first; *at;) {
        gx_fft_plan *p = *at;
        total += p->bytes;
        if (++count <= PLANS && total <= most_bytes) {
            at = &p->next;
            continue;
        }
        total -= p->bytes;
        *at = p->next;
        plan_free(cpu->base.rt, p);
    }
}

/* --- lines */

static int64_t padded(int64_t n, int lanes) {
    return (n + lanes - 1) / lanes * lanes;
}

/* The divisor of n that wastes fewest lanes in both steps, near the root of n. */
static int64_t width_of(int64_t n, int lanes) {
    int64_t best = 1;
    double least = INFINITY;
    for (int64_t a = 2; a * a <= n; a++) {
        if (n % a) continue;
        for (int turn = 0; turn < 2; turn++) {
            int64_t wide = turn ? a : n / a, tall = n / wide;
            double x = (double)wide, y = (double)tall;
            double cost = (double)padded(wide, lanes) / x * log2(y) +
                          (double)padded(tall, lanes) / y * log2(x) + 0.25 * fabs(log2(x / y));
            if (cost < least) least = cost, best = wide;
        }
    }
    /* As costly as a line alone in its lane: not worth it. */
    return least < 0.6 * lanes * log2((double)n) ? best : 1;
}

bool gx_fft_line_good(const gx_fft_loops *f, int64_t n, int64_t lines) {
    if (!gx_fft_smooth(n)) return n > SINGLE || lines < 2;
    if (n % f->lanes == 0 && n >= f->lanes) return true;
    return n >= SINGLE && width_of(n, f->lanes) > 1;
}

static bool short_line(gx_fft_make *m, gx_fft_line *p) {
    gx_fft_circle circle;
    int lanes = m->f->lanes, item = m->f->item;
    int64_t groups = (p->tall + lanes - 1) / lanes;
    gx_fft_cell *turns = gx_fft_alloc(m, groups * (lanes - 1), sizeof *turns);
    char *roots = gx_fft_alloc(m, p->n, 2 * (size_t)item);
    if (!turns || !roots || !gx_fft_circle_open(m->rt, p->n, &circle)) return false;
    for (int64_t g = 0; g < groups; g++)
        for (int l = 1; l < lanes; l++) {
            for (int64_t i = 0; i < lanes; i++)
                gx_fft_root(&circle, (g * lanes + i) * l % p->n, item, roots, i);
            gx_fft_cell *const to[1] = {turns + g * (lanes - 1) + l - 1};
            m->f->load(to, roots, 0, 1, lanes, 0);
        }
    gx_fft_circle_close(m->rt, &circle);
    p->turns = turns;
    p->room = (size_t)(2 * (p->down->room + lanes)) * sizeof(gx_fft_cell);
    return true;
}

/* Turns k * i of a long line, for the lanes k of each group: i = block * far + near. */
static bool long_line(gx_fft_make *m, gx_fft_line *p) {
    gx_fft_circle circle;
    int lanes = m->f->lanes, item = m->f->item;
    int64_t groups = (p->tall + lanes - 1) / lanes;
    p->block = lanes;
    while (p->block * p->block < p->wide) p->block *= 2;
    int64_t blocks = p->wide / p->block + 1;
    gx_fft_cell *near = gx_fft_alloc(m, groups * p->block, sizeof *near);
    gx_fft_cell *far = gx_fft_alloc(m, groups * blocks, sizeof *far);
    double few[16];
    if (!near || !far || !gx_fft_circle_open(m->rt, p->n, &circle)) return false;
    for (int64_t g = 0; g < groups && !gx_work_stops(m->rt); g++)
        for (int64_t i = 0; i < p->block + blocks; i++) {
            int64_t step = i < p->block ? i : (i - p->block) * p->block;
            gx_fft_cell *const to[1] = {i < p->block ? near + g * p->block + i
                                                     : far + g * blocks + i - p->block};
            for (int64_t l = 0; l < lanes; l++)
                gx_fft_root(&circle, (g * lanes + l) * step % p->n, item, few, l);
            m->f->load(to, few, 0, 1, lanes, 0);
        }
    gx_fft_circle_close(m->rt, &circle);
    p->near = near;
    p->far = far;
    p->across = gx_fft_lanes_new(m, p->wide);
    if (!p->across) return false;
    int64_t slot = p->down->room > p->across->room ? p->down->room : p->across->room;
    int64_t cells = (GX_FFT_GROUPS + 1) * (slot + lanes) + (p->wide / lanes + 1) * p->tall + lanes;
    p->room = (size_t)cells * sizeof(gx_fft_cell);
    p->big = p->n >= 16384;
    return true;
}

static gx_fft_line *line_new(gx_fft_make *m, int64_t n);

static bool kernel_transform(gx_fft_make *m, const gx_fft_line *inner, char *kernel) {
    char *raw = gx_alloc(m->rt, inner->room + 64);
    if (!raw) return false;
    gx_fft_team team = {.device = m->device, .rt = m->rt, .f = m->f};
    team.memory = (char *)(((uintptr_t)raw + 63) & ~(uintptr_t)63);
    gx_fft_line_run(&team, inner, kernel, kernel, 1.0 / (double)inner->n, 0, 0, 0);
    gx_free(m->rt, raw);
    return true;
}

static bool chirp_line(gx_fft_make *m, gx_fft_line *p) {
    char *chirp, *kernel;
    const gx_fft_line *inner = line_new(m, gx_fft_roomy(p->n));
    if (!inner || !gx_fft_chirp(m, p->n, inner->n, &chirp, &kernel) ||
        !kernel_transform(m, inner, kernel))
        return false;
    p->inner = inner;
    p->chirp = chirp;
    p->kernel = kernel;
    p->room = (size_t)inner->n * 2 * (size_t)m->f->item + 64 + inner->room;
    p->big = inner->big;
    return true;
}

static gx_fft_line *line_new(gx_fft_make *m, int64_t n) {
    int lanes = m->f->lanes;
    gx_fft_line *p = gx_fft_alloc(m, 1, sizeof *p);
    if (!p) return NULL;
    memset(p, 0, sizeof *p);
    p->n = n;
    if (!gx_fft_smooth(n) && n > SINGLE) return chirp_line(m, p) ? p : NULL;
    bool smooth = gx_fft_smooth(n);
    if (smooth && n % lanes == 0 && n / lanes <= SHORT / 4)
        p->wide = lanes;
    else
        p->wide = smooth && n >= SINGLE ? width_of(n, lanes) : 1;
    p->tall = n / p->wide;
    p->down = gx_fft_lanes_new(m, p->tall);
    if (!p->down) return NULL;
    if (p->wide == 1) {
        p->room = (size_t)(2 * p->down->room) * sizeof(gx_fft_cell);
        return p;
    }
    bool ok = p->wide == lanes ? short_line(m, p) : long_line(m, p);
    return ok ? p : NULL;
}

/* --- the cache */

static const void *halves_new(gx_fft_make *m, int64_t h) {
    gx_fft_circle circle;
    char *w = gx_fft_alloc(m, h / 2 + m->f->lanes + 1, 2 * (size_t)m->f->item);
    if (!w || !gx_fft_circle_open(m->rt, 2 * h, &circle)) return NULL;
    GX_LONG_LOOP(m->rt, k, 0, h / 2 + 1) gx_fft_root(&circle, k, m->f->item, w, k);
    gx_fft_circle_close(m->rt, &circle);
    return w;
}

static const void *plan_for(gx_device *d, const gx_fft_loops *f, int64_t n, plan_kind kind) {
    gx_cpu *cpu = gx_cpu_of(d);
    gx_rt *rt = d->rt;
    if (!cpu->fft && !(cpu->fft = gx_alloc_zero(rt, sizeof *cpu->fft))) return NULL;
    for (gx_fft_plan **at = &cpu->fft->first; *at; at = &(*at)->next) {
        gx_fft_plan *p = *at;
        if (p->n != n || p->kind != kind || p->item != f->item) continue;
        *at = p->next;
        p->next = cpu->fft->first;
        cpu->fft->first = p;
        return p->what;
    }
    gx_fft_plan *p = gx_alloc(rt, sizeof *p);
    if (!p) return NULL;
    gx_fft_make m = {.device = d, .rt = rt, .f = f};
    const void *what = kind == LANES  ? (const void *)gx_fft_lanes_new(&m, n)
                       : kind == LINE ? (const void *)line_new(&m, n)
                                      : halves_new(&m, n);
    *p = (gx_fft_plan){cpu->fft->first, n, kind, f->item, m.bytes, m.blocks, what};
    if (!what || !gx_work_end(rt)) { /* one half made must not be kept */
        plan_free(rt, p);
        return NULL;
    }
    cpu->fft->first = p;
    return what;
}

const gx_fft_lanes *gx_fft_lanes_for(gx_device *d, const gx_fft_loops *f, int64_t n) {
    return plan_for(d, f, n, LANES);
}
const gx_fft_line *gx_fft_line_for(gx_device *d, const gx_fft_loops *f, int64_t n) {
    return plan_for(d, f, n, LINE);
}
const void *gx_fft_halves_for(gx_device *d, const gx_fft_loops *f, int64_t h) {
    return plan_for(d, f, h, HALVES);
}
