/* Fourier transforms by cuFFT. Plans are kept by what they were made for, the ones used last; they
   own no working memory: each transform takes it from the pool and gives it back, which costs
   nothing on the stream. Strides along inner axes are cuFFT's own; where there are outer ones too
   the plan is run for each of them. */
#include <string.h>

#include "runtime/backend/cuda/state_int.h"

enum { PLANS = 32, FORWARD = -1, BACKWARD = 1 };

/* What decides a plan; compared as bytes. */
typedef struct plan_key {
    int64_t rank, n[GX_FOURIER_AXES], in[GX_FOURIER_AXES], out[GX_FOURIER_AXES];
    int64_t inner, batch;
    int32_t from, to;
} plan_key;

typedef struct plan {
    plan_key key;
    int handle;
    size_t work; /* bytes */
    uint64_t used;
} plan;

struct gx_cuda_plans {
    int count;
    uint64_t clock;
    plan plan[PLANS];
};
typedef struct gx_cuda_plans gx_cuda_plans;

static bool check_fft(gx_cuda *c, unsigned status, const char *what) {
    enum { NO_MEMORY = 2, TOO_BIG = 8 };
    if (GX_LIKELY(status == 0)) return true;
    if (!gx_cuda_wait(c)) return false; /* a lost device shows in the driver first */
    if (status == NO_MEMORY)
        return gx_fail(c->gpu.base.rt, GX_MemoryError, "memory.gpu",
                       "%s: no memory for cuFFT's tables", what);
    return gx_fail(c->gpu.base.rt, GX_RuntimeError, "cuda.fft", "%s: cuFFT status %u%s", what,
                   status, status == TOO_BIG ? " (a size that it does not transform)" : "");
}

static bool open_fft(gx_cuda *c) {
    gx_cuda_state *s = c->state;
    if (s->plans) return true;
    if (!gx_cuda_symbols(c->gpu.base.rt, GX_LIB_FFT, s->compiler.prefer, &s->fft, NULL, 0))
        return false;
    s->plans = gx_alloc_zero(c->gpu.base.rt, sizeof *s->plans);
    return s->plans != NULL;
}

void gx_cuda_fft_close(gx_cuda *c) {
    gx_cuda_state *s = c->state;
    if (!s->plans) return;
    for (int i = 0; i < s->plans->count; i++) s->fft.cufftDestroy(s->plans->plan[i].handle);
    gx_free(c->gpu.base.rt, s->plans);
    s->plans = NULL;
}

bool gx_cuda_fft_follow(gx_cuda *c) {
    gx_cuda_state *s = c->state;
    for (int i = 0; s->plans && i < s->plans->count; i++)
        if (!check_fft(c, s->fft.cufftSetStream(s->plans->plan[i].handle, s->stream),
                       "cuFFT's stream"))
            return false;
    return true;
}

/* --- plans --- */

static unsigned type_of(int dtype) {
    return dtype == GX_f32 ? 0 : dtype == GX_f64 ? 1 : dtype == GX_c64 ? 4 : 5;
}

static bool make_plan(gx_cuda *c, plan *p) {
    gx_cuda_state *s = c->state;
    const plan_key *k = &p->key;
    long long n[GX_FOURIER_AXES], in[GX_FOURIER_AXES], out[GX_FOURIER_AXES];
    long long in_all = 1, out_all = 1;
    for (int i = 0; i < k->rank; i++) {
        n[i] = k->n[i];
        in_all *= in[i] = k->in[i];
        out_all *= out[i] = k->out[i];
    }
    bool lines = k->inner == 1, single = k->from == GX_f32 || k->from == GX_c64;
    if (!check_fft(c, s->fft.cufftCreate(&p->handle), "a plan")) return false;
    bool ok =
        check_fft(c, s->fft.cufftSetAutoAllocation(p->handle, 0), "a plan") &&
        check_fft(c,
                  s->fft.cufftXtMakePlanMany(p->handle, (int)k->rank, n, in, k->inner,
                                             lines ? in_all : 1, type_of(k->from), out, k->inner,
                                             lines ? out_all : 1, type_of(k->to), k->batch,
                                             &p->work, single ? 4 : 5),
                  "a plan of a Fourier transform") &&
        check_fft(c, s->fft.cufftSetStream(p->handle, s->stream), "cuFFT's stream");
    if (!ok) s->fft.cufftDestroy(p->handle);
    return ok;
}

/* The plan of a key, which becomes the last used one. */
static bool plan_for(gx_cuda *c, const plan_key *key, plan **out) {
    gx_cuda_plans *all = c->state->plans;
    int at = 0;
    for (int i = 0; i < all->count; i++) {
        plan *p = &all->plan[i];
        if (memcmp(&p->key, key, sizeof *key) == 0) {
            p->used = ++all->clock;
            *out = p;
            return true;
        }
        if (p->used < all->plan[at].used) at = i;
    }
    plan made = {.key = *key, .used = ++all->clock};
    if (!make_plan(c, &made)) return false;
    if (all->count < PLANS) at = all->count++;
    else c->state->fft.cufftDestroy(all->plan[at].handle); /* waits for what it still does */
    all->plan[at] = made;
    *out = &all->plan[at];
    return true;
}

/* --- transforms --- */

/* Numbers of the result times f->scale, part by part. */
static bool rescale(gx_cuda *c, const gx_fourier *f, int64_t count) {
    gx_rt *rt = c->gpu.base.rt;
    bool single = f->to == GX_f32 || f->to == GX_c64;
    gx_dtype real = single ? GX_f32 : GX_f64;
    int64_t item = gx_dtypes[real].bytes;
    gx_tape *t = gx_alloc_zero(rt, sizeof *t);
    if (!t) return false;
    t->ndim = t->n_leaf = t->n_imm = t->n_out = 1;
    t->n_step = 3;
    t->shape[0] = gx_dtypes[f->to].kind == GX_KIND_CPLX ? 2 * count : count;
    t->leaf[0] = (gx_leaf){.kind = GX_LEAF_BUFFER, .dtype = (uint8_t)real, .buf = f->out};
    t->leaf[0].strides[0] = t->out[0].strides[0] = item;
    if (single) t->imm[0].f32 = (float)f->scale;
    else t->imm[0].f64 = f->scale;
    t->step[0] = (gx_step){.kind = GX_STEP_LOAD, .dtype = (uint8_t)real};
    t->step[1] = (gx_step){.kind = GX_STEP_CONST, .dtype = (uint8_t)real};
    t->step[2] = (gx_step){.kind = GX_STEP_OP, .dtype = (uint8_t)real, .compute = (uint8_t)real,
                           .arg = GX_OP_multiply, .a = 0, .b = 1};
    t->out[0].buf = f->out;
    t->out[0].step = 2;
    int fp = 0;
    bool ok = gx_gpu_run(&c->gpu.base, t, &fp);
    gx_free(rt, t);
    return ok;
}

static bool transform(gx_cuda *c, const gx_fourier *f, const plan *p, int64_t in_all,
                      int64_t out_all) {
    gx_cuda_state *s = c->state;
    gx_buffer *work = NULL;
    if (p->work > 0 && !gx_cuda_scratch(c, (int64_t)p->work, &work)) return false;
    bool ok = !work || check_fft(c, s->fft.cufftSetWorkArea(p->handle, work->data),
                                 "cuFFT's working memory");
    int64_t rounds = f->inner > 1 ? f->outer : 1;
    int64_t in_step = in_all * f->inner * gx_dtypes[f->from].bytes;
    int64_t out_step = out_all * f->inner * gx_dtypes[f->to].bytes;
    for (int64_t i = 0; i < rounds && ok; i++) {
        c->gpu.base.rt->gpu_stats.launched++;
        ok = check_fft(c,
                       s->fft.cufftXtExec(p->handle, f->in->data + f->offset + i * in_step,
                                          f->out->data + i * out_step,
                                          f->inverse ? BACKWARD : FORWARD),
                       "a Fourier transform");
    }
    gx_buffer_drop(work);
    return ok;
}

bool gx_cuda_fourier(gx_device *d, const gx_fourier *f) {
    gx_cuda *c = gx_cuda_of(d);
    plan_key k = {.rank = f->rank, .inner = f->inner, .from = f->from, .to = f->to};
    k.batch = f->inner > 1 ? f->inner : f->outer;
    int64_t in_all = 1, out_all = 1;
    for (int i = 0; i < f->rank; i++) {
        k.n[i] = f->n[i];
        in_all *= k.in[i] = f->in_shape[i];
        out_all *= k.out[i] = f->out_shape[i];
    }
    plan *p;
    if (!gx_cuda_usable(c) || !open_fft(c) || !plan_for(c, &k, &p) ||
        !transform(c, f, p, in_all, out_all))
        return false;
    return f->scale == 1 || rescale(c, f, f->outer * out_all * f->inner);
}
