/* Machine code of kernels: compiled, loaded and launched. */
#include "runtime/backend/cuda/state_int.h"

#include <string.h>

enum { PLAIN_SHARED = 48 << 10, MOST_PARAM = 4000 };

/* gx_gpu_kernel.code. */
typedef struct code {
    struct CUmod_st *module;
    struct CUfunc_st *function;
    int shared; /* dynamic shared memory allowed so far */
} code;

/* CU_FUNC_ATTRIBUTE_*. */
const unsigned char gx_cuda_kernel_attributes[GX_KERNEL_FACTS] = {
    [GX_KERNEL_THREADS] = 0,      [GX_KERNEL_SHARED] = 1,       [GX_KERNEL_CONSTANT] = 2,
    [GX_KERNEL_LOCAL] = 3,        [GX_KERNEL_REGISTERS] = 4,    [GX_KERNEL_TEXT_VERSION] = 5,
    [GX_KERNEL_CODE_VERSION] = 6, [GX_KERNEL_SHARED_MORE] = 8,
};

/* Its function, or a module that is given back. */
static bool find_entry(gx_cuda *c, const char *entry, code *of) {
    gx_cuda_state *s = c->state;
    if (gx_cuda_check(c, s->api.cuModuleGetFunction(&of->function, of->module, entry), entry))
        return true;
    if (of->module != s->prebuilt) s->api.cuModuleUnload(of->module);
    return false;
}

static code *new_code(gx_cuda *c) {
    code *made = gx_alloc_zero(c->gpu.base.rt, sizeof *made);
    if (made) made->shared = PLAIN_SHARED;
    return made;
}

/* A kernel out of the compiler's text, which gets an end. */
static bool load_text(gx_cuda *c, const char *entry, gx_buf *text, void **out) {
    gx_rt *rt = c->gpu.base.rt;
    gx_cuda_state *s = c->state;
    code *made = new_code(c);
    if (!made) return false;
    bool ok = gx_buf_char(text, '\0') &&
              gx_cuda_check(c, s->api.cuModuleLoadData(&made->module, text->data),
                            "loading a kernel");
    if (!ok && s->compiler.major > c->facts.driver / 1000 && gx_failed(&rt->error))
        gx_help(rt, "NVRTC is newer than the driver: gx --doctor");
    if (!ok || !find_entry(c, entry, made)) {
        gx_free(rt, made);
        return false;
    }
    *out = made;
    return true;
}

static bool find_target(gx_cuda *c, char *target, size_t room) {
    gx_cuda_state *s = c->state;
    if (!gx_cuda_compiler_open(&s->compiler)) return false;
    gx_cuda_compiler_target(&s->compiler, s->target, target, room);
    return true;
}

bool gx_cuda_load(gx_gpu *g, const char *entry, const char *source, void **out) {
    gx_cuda *c = gx_cuda_of(&g->base);
    gx_buf text = gx_buf_new(g->base.rt);
    char target[16];
    bool ok = find_target(c, target, sizeof target) &&
              gx_cuda_compile(&c->state->compiler, target, source, &text) &&
              load_text(c, entry, &text, out);
    gx_buf_free(&text);
    return ok;
}

bool gx_cuda_begin(gx_gpu *g, const char *entry, const char *source, void **out, void **job) {
    gx_cuda *c = gx_cuda_of(&g->base);
    gx_buf text = gx_buf_new(g->base.rt);
    gx_cuda_job *begun = NULL;
    char target[16];
    const gx_debug *d = &g->base.rt->debug;
    if (d->safe || d->max_memory) return gx_cuda_load(g, entry, source, out);
    bool ok = find_target(c, target, sizeof target) &&
              gx_cuda_job_begin(&c->state->compiler, target, source, &text, &begun) &&
              (begun || load_text(c, entry, &text, out));
    gx_buf_free(&text);
    *job = begun;
    return ok;
}

bool gx_cuda_look(gx_gpu *g, const char *entry, bool waits, void **job, void **out) {
    gx_cuda *c = gx_cuda_of(&g->base);
    gx_buf text = gx_buf_new(g->base.rt);
    gx_cuda_job *of = *job;
    bool ok = gx_cuda_job_look(&of, waits, &text) && (of || load_text(c, entry, &text, out));
    gx_buf_free(&text);
    *job = of;
    return ok;
}

bool gx_cuda_load_prebuilt(gx_gpu *g, const char *entry, void **out) {
    gx_cuda *c = gx_cuda_of(&g->base);
    struct CUmod_st *module;
    if (!gx_cuda_prebuilt(c, &module)) return false;
    if (!module) return true;
    code *made = new_code(c);
    if (!made) return false;
    made->module = module;
    if (!find_entry(c, entry, made)) {
        gx_free(g->base.rt, made);
        return false;
    }
    *out = made;
    return true;
}

bool gx_cuda_load_stored(gx_gpu *g, const char *entry, const char *source, void **out) {
    gx_cuda *c = gx_cuda_of(&g->base);
    struct CUmod_st *module;
    if (!gx_cuda_usable(c) || !gx_cuda_stored(c, source, &module)) return false;
    if (!module) return true;
    code *made = new_code(c);
    if (!made) {
        c->state->api.cuModuleUnload(module);
        return false;
    }
    made->module = module;
    if (!find_entry(c, entry, made)) {
        gx_free(g->base.rt, made);
        return false;
    }
    *out = made;
    return true;
}

void gx_cuda_unload(gx_gpu *g, void *loaded) {
    gx_cuda_state *s = gx_cuda_of(&g->base)->state;
    struct CUmod_st *module = ((code *)loaded)->module;
    if (!s->fault && module != s->prebuilt) s->api.cuModuleUnload(module);
    gx_free(g->base.rt, loaded);
}

bool gx_cuda_launch(gx_gpu *g, gx_gpu_kernel *k, int64_t blocks, int threads, int shared_bytes,
                    const void *param, size_t param_bytes) {
    gx_cuda *c = gx_cuda_of(&g->base);
    gx_cuda_state *s = c->state;
    code *of = k->code;
    if (blocks <= 0) return true;
    if (GX_UNLIKELY(!gx_cuda_usable(c))) return false;
    if (blocks > INT32_MAX || param_bytes > MOST_PARAM)
        return gx_fail(g->base.rt, GX_RuntimeError, "cuda.launch",
                       "kernel %s: %lld blocks, %zu bytes of parameters", k->entry,
                       (long long)blocks, param_bytes);
    if (shared_bytes > of->shared) {
        const unsigned most = gx_cuda_kernel_attributes[GX_KERNEL_SHARED_MORE];
        if (!gx_cuda_check(c, s->api.cuFuncSetAttribute(of->function, most, shared_bytes),
                           k->entry))
            return false;
        of->shared = shared_bytes;
    }
    void *params[1];
    memcpy(&params[0], &param, sizeof param); /* the driver reads it only */
    g->base.rt->gpu_stats.launched++;
    const int64_t grid[3] = {blocks, 1, 1}, block[3] = {threads, 1, 1};
    gx_cuda_note_launch(c, k->entry, false, grid, block);
    unsigned status =
        s->api.cuLaunchKernel(of->function, (unsigned)blocks, 1, 1, (unsigned)threads, 1, 1,
                              (unsigned)shared_bytes, s->stream, params, NULL);
    if (!gx_cuda_check(c, status, k->entry)) return false;
    return GX_LIKELY(!s->sync_each) || gx_cuda_wait(c);
}

bool gx_cuda_kernel_number(gx_cuda *c, gx_gpu_kernel *k, gx_kernel_fact fact, int *out) {
    unsigned status = c->state->api.cuFuncGetAttribute(out, gx_cuda_kernel_attributes[fact],
                                                       ((code *)k->code)->function);
    return gx_cuda_check(c, status, k->entry);
}
