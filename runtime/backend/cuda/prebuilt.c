/* What nvcc compiled when gx was built, for the GPUs that it knew of: gxgeneral.fatbin, the general
   kernel, and gxkernels.fatbins, kernels by their texts. Looked for where $GX_GENERAL_KERNELS and
   $GX_STORED_KERNELS say and beside gx, as libgxsort.so is. Opened at the first need; without them
   calls wait for the compiler. */
#include <stdio.h>

#include "kernels/general.h"
#include "runtime/backend/cuda/state_int.h"

/* The whole file, and a zero behind it. */
static bool read_file(const char *path, gx_buf *out) {
    FILE *f = fopen(path, "rbe");
    size_t got = 1;
    if (!f) return true;
    bool ok = true;
    while (ok && got > 0) {
        ok = gx_buf_reserve(out, 1 << 20);
        got = ok ? fread(out->data + out->length, 1, 1 << 20, f) : 0;
        out->length += got;
    }
    fclose(f);
    return ok && gx_buf_char(out, '\0');
}

bool gx_cuda_prebuilt(gx_cuda *c, struct CUmod_st **module) {
    gx_cuda_state *s = c->state;
    char path[4096];
    *module = s->prebuilt;
    if (*module || !gx_cuda_file_path("GX_GENERAL_KERNELS", GX_GENERAL_FILE, path, sizeof path))
        return true;
    gx_buf all = gx_buf_new(c->gpu.base.rt);
    bool ok = read_file(path, &all);
    /* Not for this GPU, or not for this driver: then there is none. */
    if (ok && all.length > 1 && s->api.cuModuleLoadData(&s->prebuilt, all.data) != 0)
        s->prebuilt = NULL;
    gx_buf_free(&all);
    *module = s->prebuilt;
    return ok;
}

bool gx_cuda_stored(gx_cuda *c, const char *text, struct CUmod_st **module) {
    gx_cuda_state *s = c->state;
    char path[4096];
    const char *code;
    size_t bytes;
    *module = NULL;
    if (c->gpu.base.rt->debug.kernels == GX_KERNELS_OWN) return true;
    if (!s->looked_for_stored &&
        gx_cuda_file_path("GX_STORED_KERNELS", GX_STORED_FILE, path, sizeof path))
        gx_gpu_library_open(&s->stored, path);
    s->looked_for_stored = true;
    if (gx_gpu_library_find(&s->stored, text, &code, &bytes) &&
        s->api.cuModuleLoadData(module, code) != 0)
        *module = NULL; /* not for this GPU or driver */
    return true;
}
