/* Runs tapes: maps here, reductions through reduce.c. A map is a walk over the space in blocks,
   split over the threads in chunks; where inputs and output run along different axes, the walk is
   by tiles, so that both are read and written in whole cache lines.

   An output may be the memory of a leaf at the same positions: a piece is read before it is
   written, and no other piece reads it. */
#include "runtime/backend/cpu/cpu_int.h"

#include <fenv.h>
#include <stdatomic.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/* Rows of at most this many bytes are taken several at a time, which costs a copy of each input
   that is not contiguous; longer ones are worth a start of each loop, and read where they lie. */
enum { SHORT_ROW = 1024, TILE = 64 };

void gx_run_fp_clear(void) {
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() & ~0x3Fu);
#else
    feclearexcept(FE_ALL_EXCEPT);
#endif
}

int gx_run_fp_test(void) {
    int fp = 0;
#if defined(__x86_64__)
    unsigned set = _mm_getcsr();
    if (set & 0x01) fp |= GX_FP_INVALID;
    if (set & 0x04) fp |= GX_FP_DIVIDE;
    if (set & 0x08) fp |= GX_FP_OVERFLOW;
    if (set & 0x10) fp |= GX_FP_UNDERFLOW;
#else
    int set = fetestexcept(FE_ALL_EXCEPT);
    if (set & FE_INVALID) fp |= GX_FP_INVALID;
    if (set & FE_DIVBYZERO) fp |= GX_FP_DIVIDE;
    if (set & FE_OVERFLOW) fp |= GX_FP_OVERFLOW;
    if (set & FE_UNDERFLOW) fp |= GX_FP_UNDERFLOW;
#endif
    return fp;
}

typedef struct map_job {
    const gx_cpu_plan *p;
    int64_t chunk;              /* elements a task */
    int64_t row_tiles, columns; /* tiles: strips of rows a plane */
    bool flags;
    atomic_int fp;
    atomic_bool stop;
} map_job;

static bool stopped(map_job *job) {
    if (GX_UNLIKELY(job->p->cpu->base.rt->interrupted) && !job->p->tape->whole) {
        atomic_store(&job->stop, true);
        gx_threads_enough(job->p->cpu);
    }
    return atomic_load_explicit(&job->stop, memory_order_relaxed);
}

static void chunk_task(void *arg, int64_t task, int thread) {
    map_job *job = arg;
    const gx_cpu_plan *p = job->p;
    gx_scratch *s = p->cpu->scratch[thread];
    if (stopped(job)) return;
    int64_t start = task * job->chunk, n = p->total - start;
    gx_cpu_walk w;
    gx_piece piece;
    gx_plan_enter(p, s);
    if (job->flags) gx_run_fp_clear();
    gx_walk_start(p, &w, 0, start, n < job->chunk ? n : job->chunk);
    while (gx_walk_next(p, &w, p->block, &piece)) gx_plan_piece(p, s, &piece, NULL);
    if (job->flags) atomic_fetch_or(&job->fp, gx_run_fp_test());
}

/* One strip of tiles: TILE-high rows of a plane of the last two dims, all its columns. */
static void tile_task(void *arg, int64_t task, int thread) {
    map_job *job = arg;
    const gx_cpu_plan *p = job->p;
    gx_scratch *s = p->cpu->scratch[thread];
    if (stopped(job)) return;
    gx_cpu_walk w;
    int64_t plane = task / job->row_tiles, rows = p->shape[p->nd - 2], cols = p->shape[p->nd - 1];
    gx_walk_start(p, &w, 0, plane * rows * cols, 1);
    gx_piece *piece = &w.at;
    int64_t low = task % job->row_tiles * TILE;
    gx_plan_enter(p, s);
    if (job->flags) gx_run_fp_clear();
    piece->idx[p->nd - 2] = low;
    piece->nr = rows - low < TILE ? rows - low : TILE;
    int64_t width = p->block / TILE > 0 ? p->block / TILE : 1;
    if (piece->nr > p->block) { /* tiny blocks (GX_BLOCK): element by element */
        int64_t high = low + piece->nr;
        piece->nr = 1;
        for (; piece->idx[p->nd - 2] < high; piece->idx[p->nd - 2]++)
            for (int64_t c = 0; c < cols; c++) {
                piece->idx[p->nd - 1] = c;
                piece->nc = 1;
                gx_plan_piece(p, s, piece, NULL);
            }
    } else {
        for (int64_t c = 0; c < cols; c += width) {
            piece->idx[p->nd - 1] = c;
            piece->nc = cols - c < width ? cols - c : width;
            gx_plan_piece(p, s, piece, NULL);
        }
    }
    if (job->flags) atomic_fetch_or(&job->fp, gx_run_fp_test());
}

static int64_t magnitude(int64_t x) {
    return x < 0 ? -x : x;
}

/* Sorts dims by the stride of the first output, largest first, so that writes run along memory. */
static void order_dims(gx_cpu_plan *p, const gx_port *out) {
    int order[GX_MAX_DIMS];
    bool moved = false;
    for (int d = 0; d < p->nd; d++) {
        int at = d;
        while (at > 0 && magnitude(out->strides[order[at - 1]]) < magnitude(out->strides[d])) {
            order[at] = order[at - 1];
            at--;
            moved = true;
        }
        order[at] = d;
    }
    if (moved) gx_plan_permute(p, order);
}

/* The dim along which some large input runs while it jumps along the last dim; -1: none. */
static int crossing_dim(const gx_cpu_plan *p) {
    for (int i = 0; i < p->tape->n_leaf; i++) {
        if (p->tape->leaf[i].kind != GX_LEAF_BUFFER) continue;
        const int64_t *strides = p->port[i].strides;
        int64_t last = magnitude(strides[p->nd - 1]);
        if (last < 64 || p->shape[p->nd - 1] < 8) continue;
        for (int d = p->nd - 2; d >= 0; d--)
            if (strides[d] != 0 && magnitude(strides[d]) <= 32 && p->shape[d] >= 8) return d;
    }
    return -1;
}

static void bring_beside_last(gx_cpu_plan *p, int dim) {
    int order[GX_MAX_DIMS], n = 0;
    if (dim == p->nd - 2) return;
    for (int d = 0; d < p->nd - 1; d++)
        if (d != dim) order[n++] = d;
    order[n++] = dim;
    order[n] = p->nd - 1;
    gx_plan_permute(p, order);
}

static bool finish(map_job *job, int *fp) {
    if (atomic_load(&job->stop)) return gx_run_interrupted(job->p->cpu->base.rt);
    *fp |= atomic_load(&job->fp);
    return true;
}

static bool run_job(gx_cpu_plan *p, map_job *job, bool tiles, int *fp) {
    int64_t tasks;
    int64_t chunk = GX_WORK_CHUNK / p->cost;
    if (chunk < p->block) chunk = p->block;
    if (tiles) {
        job->row_tiles = (p->shape[p->nd - 2] + TILE - 1) / TILE;
        tasks = p->total / (p->shape[p->nd - 2] * p->shape[p->nd - 1]) * job->row_tiles;
    } else {
        int64_t width = p->shape[p->nd - 1];
        int64_t unit = p->multirow && width < p->block ? p->block / width * width : p->block;
        chunk = (chunk + unit - 1) / unit * unit;
        job->chunk = chunk;
        tasks = (p->total + chunk - 1) / chunk;
    }
    bool parallel = p->cpu->threads > 1 && tasks > 1 && p->total >= 2 * GX_WORK_CHUNK / p->cost;
    if (parallel && !gx_cpu_scratch(p->cpu, p->slot_bytes * (size_t)p->n_slot, true)) return false;
    gx_threads_run(p->cpu, tasks, parallel, tiles ? tile_task : chunk_task, job);
    return finish(job, fp);
}

bool gx_run_map(gx_cpu *cpu, const gx_tape *tape, int first, int *fp) {
    gx_cpu_plan *p = cpu->plan;
    bool tiles = false;
    gx_plan_dims(p, cpu, tape, false);
    if (p->total == 0 || first >= tape->n_out) return true;
    p->n_code = tape->n_step;
    p->red_step = -1;
    p->first_out = first;
    if (p->nd > 1) {
        order_dims(p, &p->port[tape->n_leaf + first]);
        gx_plan_collapse(p, 0, p->nd);
        if (p->nd > 1) {
            int cross = crossing_dim(p);
            if (cross >= 0) {
                tiles = true;
                bring_beside_last(p, cross);
            }
        }
    }
    int64_t item = gx_dtypes[tape->step[tape->out[first].step].dtype].bytes;
    p->multirow = p->nd > 1 && (tiles || p->shape[p->nd - 1] * item <= SHORT_ROW);
    if (!gx_plan_code(p, cpu->base.rt->debug.block, 0)) return false;
    map_job job = {.p = p, .flags = tape->fp_mask != 0};
    if (p->total <= p->block && !tiles && p->nd == 1) {
        job.chunk = p->total;
        chunk_task(&job, 0, 0);
        return finish(&job, fp);
    }
    return run_job(p, &job, tiles, fp);
}

bool gx_run_tape(gx_device *device, const gx_tape *tape, int *fp) {
    gx_cpu *cpu = gx_cpu_of(device);
    int met = 0;
    if (tape->has_red) {
        if (!gx_reduce_run(cpu, tape, &met)) return false;
        if (tape->n_out > 1 && !gx_run_map(cpu, tape, 1, &met)) return false;
    } else if (!gx_run_map(cpu, tape, 0, &met)) {
        return false;
    }
    if (fp) *fp = met & (int)tape->fp_mask;
    return true;
}
