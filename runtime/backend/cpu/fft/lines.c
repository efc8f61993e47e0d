/* The entry `fourier_lines`: all lines of an array along one axis, in tasks on the threads. Lines
   whose length suits go one by one as line.c does them; others side by side in lanes, gathered from
   columns or from lines. Real input and output take half the points where their number is even. */
#include <string.h>

#include "runtime/backend/cpu/fft/fft.h"
#include "runtime/backend/cpu/fft/plan_int.h"

enum { SPREAD = 16384, TASK = 8192 };

typedef struct run {
    const gx_fourier_lines *j;
    const gx_fft_loops *f;
    const char *in;
    char *out;
    gx_fft_team team;
    const gx_fft_line *line;
    const gx_fft_lanes *lanes;
    const void *halves;
    bool even, real_in, real_out; /* even: pairs of real numbers are complex ones */
    int64_t points, take, lines, per;
    size_t buffer; /* line: bytes of each of two buffers before the plan's memory */
} run;

static char *align(char *p) {
    return (char *)(((uintptr_t)p + 63) & ~(uintptr_t)63);
}

/* --- steps that the kernels do not have, for both precisions */

#define STEPS(T, name)                                                                             \
    static void widen_##name(const T *x, T *y, int64_t n) {                                        \
        for (int64_t i = 0; i < n; i++) y[2 * i] = x[i], y[2 * i + 1] = 0;                         \
    }                                                                                              \
    static void narrow_##name(const T *x, T *y, int64_t n) {                                       \
        for (int64_t i = 0; i < n; i++) y[i] = x[2 * i];                                           \
    }                                                                                              \
    /* The second half of n numbers, from the first: the conjugate, mirrored. `back`: conjugates   \
       the first half. */                                                                          \
    static void mirror_##name(T *x, int64_t n, bool back) {                                        \
        for (int64_t k = 1; k < n - k; k++) {                                                      \
            x[2 * (n - k)] = x[2 * k];                                                             \
            x[2 * (n - k) + 1] = back ? x[2 * k + 1] : -x[2 * k + 1] + (T)0;                       \
            if (back) x[2 * k + 1] = -x[2 * k + 1] + (T)0;                                         \
        }                                                                                          \
    }                                                                                              \
    /* The same of cells whose parts are swapped. */                                               \
    static void mirror_cells_##name(T *x, int64_t n, int width) {                                  \
        for (int64_t k = 1; k < n - k; k++)                                                        \
            for (int l = 0; l < width; l++) {                                                      \
                x[2 * width * (n - k) + l] = -x[2 * width * k + l];                                \
                x[2 * width * (n - k) + width + l] = x[2 * width * k + width + l];                 \
            }                                                                                      \
    }
STEPS(double, f64)
STEPS(float, f32)

/* Calls a step for the run's precision. */
#define STEP(r, name, ...) ((r)->f->item == 8 ? name##_f64(__VA_ARGS__) : name##_f32(__VA_ARGS__))

/* --- one line after the other */

/* The line's numbers, followed by zeros where the transform takes more. */
static const char *whole(const run *r, const char *src, int64_t want, size_t number, char *pad) {
    if (r->take >= want) return src;
    memcpy(pad, src, (size_t)r->take * number);
    memset(pad + (size_t)r->take * number, 0, (size_t)(want - r->take) * number);
    return pad;
}

static void real_in_line(const run *r, const char *src, char *dst, char *buffer, int thread) {
    const gx_fourier_lines *j = r->j;
    size_t item = (size_t)r->f->item, at = 2 * r->buffer;
    bool full = j->kind == GX_FFT_REAL_FULL;
    src = whole(r, src, j->n, item, buffer);
    if (r->even) {
        gx_fft_line_run(&r->team, r->line, src, dst, j->scale, 0, thread, at);
        r->f->real_line(dst, r->points, r->halves);
        if (full) STEP(r, mirror, (void *)dst, j->n, j->inverse);
        return;
    }
    char *x = buffer + r->buffer;
    STEP(r, widen, (const void *)src, (void *)x, j->n);
    gx_fft_line_run(&r->team, r->line, x, x, j->scale, full && j->inverse, thread, at);
    memcpy(dst, x, (size_t)j->to * 2 * item);
}

static void real_out_line(const run *r, const char *src, char *dst, char *buffer, int thread) {
    const gx_fourier_lines *j = r->j;
    size_t item = (size_t)r->f->item, at = 2 * r->buffer;
    int64_t half = j->n / 2 + 1;
    char *x = buffer + r->buffer;
    if (r->even) {
        src = whole(r, src, half, 2 * item, buffer);
        r->f->unreal_line(x, src, r->points, r->halves);
        gx_fft_line_run(&r->team, r->line, x, dst, j->scale, 1, thread, at);
        return;
    }
    memset(x, 0, (size_t)j->n * 2 * item);
    memcpy(x, src, (size_t)r->take * 2 * item);
    memset(x + item, 0, item);
    STEP(r, mirror, (void *)x, j->n, false);
    gx_fft_line_run(&r->team, r->line, x, x, j->scale, 1, thread, at);
    STEP(r, narrow, (const void *)x, (void *)dst, j->n);
}

static void one_line(const run *r, int64_t i, int thread) {
    const gx_fourier_lines *j = r->j;
    size_t item = (size_t)r->f->item, wide = r->real_in ? item : 2 * item;
    const char *src = r->in + (size_t)(i * j->from) * wide;
    char *dst = r->out + (size_t)(i * j->to) * (r->real_out ? item : 2 * item);
    char *buffer = r->team.memory + (size_t)thread * r->team.each;
    if (r->real_in) {
        real_in_line(r, src, dst, buffer, thread);
    } else if (r->real_out) {
        real_out_line(r, src, dst, buffer, thread);
    } else {
        src = whole(r, src, j->n, wide, buffer);
        gx_fft_line_run(&r->team, r->line, src, dst, j->scale, j->inverse, thread, 2 * r->buffer);
    }
}

static void line_task(void *arg, int64_t task, int thread) {
    const run *r = arg;
    int64_t end = (task + 1) * r->per < r->lines ? (task + 1) * r->per : r->lines;
    for (int64_t i = task * r->per; i < end && !gx_work_stops(r->team.rt); i++)
        one_line(r, i, thread);
}

static bool run_lines(run *r) {
    const gx_fourier_lines *j = r->j;
    size_t number = 2 * (size_t)r->f->item;
    bool buffers = r->real_in || r->real_out || r->take < j->n;
    int threads = gx_threads_count(gx_cpu_of(r->team.device));
    r->line = gx_fft_line_for(r->team.device, r->f, r->points);
    if (!r->line) return false;
    r->team.parallel = r->line->big && (r->lines < 2 * threads || r->points > 1 << 18);
    r->buffer = buffers ? ((size_t)(j->n + 2) * number + 63) & ~(size_t)63 : 0;
    r->team.each = (2 * r->buffer + r->line->room + 127) & ~(size_t)63;
    r->per = 1 + TASK / r->points;
    int64_t tasks = (r->lines + r->per - 1) / r->per;
    bool spread = !r->team.parallel && tasks > 1 && r->points * r->lines >= SPREAD;
    int64_t bytes = (int64_t)r->team.each * (spread || r->team.parallel ? threads : 1) + 64;
    gx_buffer *memory;
    if (!gx_pool_alloc(r->team.device, bytes, &memory)) return false;
    r->team.memory = align(memory->data);
    if (spread)
        gx_tasks_run(r->team.device, tasks, line_task, r);
    else
        for (int64_t i = 0; i < tasks && !gx_work_stops(r->team.rt); i++) line_task(r, i, 0);
    gx_buffer_drop(memory);
    return gx_work_end(r->team.rt);
}

/* --- lanes */

/* Where block number `task` begins: neighbouring columns of one `outer`, or neighbouring lines. */
typedef struct place {
    int64_t outer, column, count;
} place;

static place place_of(const run *r, int64_t task) {
    const gx_fourier_lines *j = r->j;
    int64_t most = r->f->lanes * (j->inner > 1 ? GX_FFT_GROUPS : 1), line = j->inner;
    if (j->inner == 1) line = j->outer;
    int64_t blocks = (line + most - 1) / most, first = task % blocks * most;
    place p = {task / blocks, first, line - first < most ? line - first : most};
    if (j->inner == 1) p = (place){first, 0, p.count};
    return p;
}

static void load_lanes(const run *r, const place *p, gx_fft_cell *const *to, int64_t groups) {
    const gx_fourier_lines *j = r->j;
    int item = r->f->item, width = r->real_in ? 1 : 2;
    const char *src = r->in + (p->outer * j->from * j->inner + p->column) * item * width;
    bool pairs = r->even && r->real_in;
    int every = r->real_in && !pairs ? 2 : 1;
    int flip = r->real_out ? !r->even : pairs ? 0 : j->inverse;
    int64_t rows = r->take * (r->real_in && !pairs ? 2 : 1) * width;
    int64_t all = 2 * r->points + (r->real_out ? 2 : 0);
    for (int64_t g = 0; g < groups; g++) {
        char *cells = (char *)to[g];
        if (every == 2)
            memset(cells, 0, (size_t)all * 32);
        else if (rows < all)
            memset(cells + rows * 32, 0, (size_t)(all - rows) * 32);
    }
    if (j->inner == 1)
        r->f->load_lines(to[0], every, flip, src, j->from * width, r->take * width, p->count);
    else if (r->real_in)
        r->f->load_real(to, every, flip, src, j->inner, r->take, p->count);
    else
        r->f->load(to, src, 2 * j->inner, r->take, p->count, flip);
    for (int64_t g = 0; r->real_out && g < groups; g++) {
        if (r->even) {
            r->f->unreal(to[g], r->points, r->halves);
            continue;
        }
        memset(to[g], 0, 32);
        STEP(r, mirror_cells, (void *)to[g], j->n, r->f->lanes);
    }
}

static void store_lanes(const run *r, const place *p, gx_fft_cell *const *from) {
    const gx_fourier_lines *j = r->j;
    int item = r->f->item, width = r->real_out ? 1 : 2;
    char *dst = r->out + (p->outer * j->to * j->inner + p->column) * item * width;
    int every = r->real_out && !r->even ? 2 : 1;
    int flip = r->real_out || (j->inverse && j->kind != GX_FFT_REAL_IN);
    if (j->inner == 1)
        r->f->store_lines(from[0], every, flip, dst, j->to * width, j->to * width, p->count,
                          j->scale);
    else if (r->real_out)
        r->f->store_real(from, every, flip, dst, j->inner, j->to, p->count, j->scale);
    else
        r->f->store(from, dst, 2 * j->inner, j->to, p->count, flip, j->scale);
}

static void lanes_task(void *arg, int64_t task, int thread) {
    const run *r = arg;
    int64_t lanes = r->f->lanes, each = r->lanes->room + 1;
    gx_fft_cell *slots = (void *)(r->team.memory + (size_t)thread * r->team.each), *spare = slots;
    gx_fft_cell *at[GX_FFT_GROUPS];
    int64_t end = (task + 1) * r->per < r->lines ? (task + 1) * r->per : r->lines;
    for (int64_t b = task * r->per; b < end; b++) {
        place p = place_of(r, b);
        int64_t groups = (p.count + lanes - 1) / lanes;
        for (int g = 0, k = 0; g <= GX_FFT_GROUPS && k < GX_FFT_GROUPS; g++)
            if (slots + g * each != spare) at[k++] = slots + g * each;
        load_lanes(r, &p, at, groups);
        for (int64_t g = 0; g < groups; g++) {
            gx_fft_cell *x = gx_fft_lanes_run(r->f, r->lanes, at[g], spare, NULL);
            if (x == spare) spare = at[g];
            at[g] = x;
            if (r->even && r->real_in) r->f->real(x, r->points, r->halves);
        }
        store_lanes(r, &p, at);
    }
}

static bool run_lanes(run *r) {
    const gx_fourier_lines *j = r->j;
    int64_t most = r->f->lanes * (j->inner > 1 ? GX_FFT_GROUPS : 1);
    int threads = gx_threads_count(gx_cpu_of(r->team.device));
    r->lanes = gx_fft_lanes_for(r->team.device, r->f, r->points);
    if (!r->lanes) return false;
    r->lines = j->inner > 1 ? j->outer * ((j->inner + most - 1) / most)
                            : (j->outer + most - 1) / most; /* blocks from here on */
    r->per = 1 + TASK / (r->points * most);
    r->team.each = (size_t)((GX_FFT_GROUPS + 1) * (r->lanes->room + 1)) * sizeof(gx_fft_cell);
    int64_t tasks = (r->lines + r->per - 1) / r->per;
    bool spread = tasks > 1 && r->points * r->lines * most >= SPREAD;
    int64_t bytes = (int64_t)r->team.each * (spread ? threads : 1) + 64;
    gx_buffer *memory;
    if (!gx_pool_alloc(r->team.device, bytes, &memory)) return false;
    r->team.memory = align(memory->data);
    if (spread)
        gx_tasks_run(r->team.device, tasks, lanes_task, r);
    else
        for (int64_t i = 0; i < tasks && !gx_work_stops(r->team.rt); i++) lanes_task(r, i, 0);
    gx_buffer_drop(memory);
    return gx_work_end(r->team.rt);
}

bool gx_cpu_fourier_lines(gx_device *d, const gx_fourier_lines *j) {
    run r = {.j = j, .f = gx_cpu_fft(j->single), .lines = j->outer * j->inner,
             .in = j->in->data + j->in_at, .out = j->out->data + j->out_at};
    r.real_in = j->kind == GX_FFT_REAL_IN || j->kind == GX_FFT_REAL_FULL;
    r.real_out = j->kind == GX_FFT_REAL_OUT;
    if (r.lines == 0) return true;
    int64_t half = j->n % 2 == 0 ? j->n / 2 : j->n;
    bool line =
        j->inner == 1 && gx_fft_line_good(r.f, r.real_in || r.real_out ? half : j->n, r.lines);
    /* In lanes the whole spectrum of real numbers is made from complex ones. */
    r.even = (r.real_in || r.real_out) && j->n % 2 == 0 && (line || j->kind != GX_FFT_REAL_FULL);
    r.points = r.even ? j->n / 2 : j->n;
    int64_t most = r.real_out ? j->n / 2 + 1 : j->n;
    r.take = j->from < most ? j->from : most;
    r.team = (gx_fft_team){.device = d, .rt = d->rt, .f = r.f};
    bool ok = !r.even || (r.halves = gx_fft_halves_for(d, r.f, r.points)) != NULL;
    ok = ok && (line ? run_lines(&r) : run_lanes(&r));
    gx_fft_trim(gx_cpu_of(d));
    return ok;
}
