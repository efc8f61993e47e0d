/* What explain() asks of the CUDA backend: how a tape is launched, its source and PTX, which need
   no device, and the folder on disk in which a machine's rates are kept beside its kernels. */
#include <stdio.h>

#include "runtime/backend/cuda/state_int.h"
#include "runtime/backend/gpu/emit_int.h"

enum { MOST_PARAM = 3900 };

static const char *form_name(const gx_recipe *r) {
    switch ((gx_form)r->form) {
    case GX_FORM_MAP: return "elements";
    case GX_FORM_TILE: return "tiles of 32 by 32";
    case GX_FORM_SELECT: return "selection";
    case GX_FORM_ROWS: return "rows folded";
    case GX_FORM_COLUMNS: return "columns folded";
    }
    return "";
}

static bool describe(gx_cuda *c, const gx_tape *t, gx_space *s, gx_params *p,
                     gx_launch_info *out) {
    gx_recipe *r = &s->recipe;
    gx_gpu_kernel *k;
    if (t->has_red) gx_space_reduce(s, t);
    else gx_space_map(s, t);
    *out = (gx_launch_info){.blocks = s->blocks, .threads = GX_GPU_THREADS, .form = form_name(r)};
    int64_t all = s->blocks * GX_GPU_THREADS;
    out->elements = all > 0 ? (int)((s->total + all - 1) / all) : 0;
    p->size = 0;
    p->full = false;
    gx_params_space(p, s);
    if (p->full || p->size > MOST_PARAM) return true;
    size_t bytes = gx_space_key(r, p->key);
    return gx_gpu_kernel_get(&c->gpu, gx_gpu_family_TAPE(), p->key, bytes, "gx_kernel", r, &k) &&
           gx_cuda_kernel_number(c, k, GX_KERNEL_REGISTERS, &out->registers) &&
           gx_cuda_kernel_number(c, k, GX_KERNEL_SHARED, &out->shared);
}

static bool launch(gx_device *d, const gx_tape *t, gx_launch_info *out) {
    gx_rt *rt = d->rt;
    gx_space *s = gx_alloc(rt, sizeof *s);
    gx_params *p = s ? gx_alloc(rt, sizeof *p) : NULL;
    bool ok = p && describe(gx_cuda_of(d), t, s, p, out);
    gx_free(rt, p);
    gx_free(rt, s);
    return ok;
}

static bool write_ptx(gx_rt *rt, const gx_tape *t, gx_buf *out) {
    gx_cuda_compiler *n = gx_alloc_zero(rt, sizeof *n);
    char target[24] = "compute_90";
    if (!n) return false;
    n->rt = rt;
    if (rt->gpu && rt->gpu->backend->gpu) {
        const gx_cuda_facts *f = &gx_cuda_of(rt->gpu)->facts;
        snprintf(target, sizeof target, "compute_%d", f->major * 10 + f->minor);
    }
    gx_buf source = gx_buf_new(rt);
    bool ok = gx_gpu_emit(rt, t, &source) &&
              gx_cuda_compile(n, target, gx_buf_text(&source), out);
    while (ok && out->length && out->data[out->length - 1] == '\0') out->length--;
    gx_buf_free(&source);
    gx_free(rt, n);
    return ok;
}

static int64_t cache_bytes(gx_device *d) {
    int bytes = 0;
    if (!gx_cuda_calls.number(d, GX_FACT_L2_BYTES, &bytes)) gx_error_clear(d->rt);
    return bytes;
}

static void put_label(gx_device *d, char *out, size_t room) {
    const gx_cuda_facts *f = &gx_cuda_of(d)->facts;
    snprintf(out, room, "%s, driver %d, %d multiprocessors", f->name, f->driver, f->sm_count);
}

static bool recall(gx_rt *rt, const gx_buf *text, gx_buf *out) {
    return gx_cuda_cache_load(rt, text, out);
}

static void keep(gx_rt *rt, const gx_buf *text, const gx_buf *what) {
    gx_cuda_cache_store(rt, text, what, false);
}

const gx_cost_calls gx_cuda_cost = {.launch = launch,
                                    .source = gx_gpu_emit,
                                    .ptx = write_ptx,
                                    .cache = cache_bytes,
                                    .label = put_label,
                                    .recall = recall,
                                    .keep = keep};
