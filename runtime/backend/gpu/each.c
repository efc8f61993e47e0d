/* Functions of a few doubles for every element: the texts that the host's compiler takes, in a
   kernel with a loop around the call. */
#include <string.h>

#include "kernels/device_text.h"
#include "runtime/backend/gpu/gpu_int.h"

typedef struct each_key {
    const gx_each_function *function;
    int n_in, n_out, wide;
} each_key;

typedef struct each_params {
    int64_t n;
    gx_gpu_ptr in[GX_EACH_MOST], out[GX_EACH_MOST], line[GX_EACH_MOST];
    int64_t size[GX_EACH_MOST];
} each_params;

bool gx_gpu_has_each(const gx_each_function *f) {
    return f->texts != NULL;
}

bool gx_each_source(gx_rt *rt, const void *arg, gx_buf *out) {
    const each_key *k = arg;
    const gx_each_function *f = k->function;
    (void)rt;
    if (!gx_buf_puts(out, "namespace gx_each_texts {\n") ||
        !gx_buf_puts(out, gx_device_text_each_side))
        return false;
    for (const char *const *text = f->texts; *text; text++)
        if (!gx_buf_puts(out, *text)) return false;
    return gx_buf_printf(out,
                         "}\n"
                         "struct gx_params {\n    long long n;\n"
                         "    const double *in[%d];\n    double *out[%d];\n"
                         "    const double *line[%d];\n    long long size[%d];\n};\n"
                         "extern \"C\" __global__ void gx_each(const gx_params p) {\n"
                         "    const long long step = (long long)gridDim.x * blockDim.x;\n"
                         "    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n"
                         "    for (; i < p.n; i += step) {\n"
                         "        double in[%d], out[%d];\n"
                         "        for (int k = 0; k < %d; k++)\n"
                         "            for (int w = 0; w < %d; w++)\n"
                         "                in[k * %d + w] = p.in[k][i * %d + w];\n",
                         GX_EACH_MOST, GX_EACH_MOST, GX_EACH_MOST, GX_EACH_MOST,
                         k->n_in ? k->n_in * k->wide : 1, k->n_out * k->wide, k->n_in, k->wide,
                         k->wide, k->wide) &&
           gx_buf_printf(out,
                         f->look ? "        gx_each_texts::%s(i, in, out, p.line, p.size);\n"
                                 : "        gx_each_texts::%s(in, out);\n",
                         f->name) &&
           gx_buf_printf(out,
                         "        for (int k = 0; k < %d; k++)\n"
                         "            for (int w = 0; w < %d; w++)\n"
                         "                p.out[k][i * %d + w] = out[k * %d + w];\n"
                         "    }\n}\n",
                         k->n_out, k->wide, k->wide, k->wide);
}

/* The functions are those of rooms above this one (tools/kernel_texts.c). */
bool gx_each_texts(gx_gpu_texts *l) {
    (void)l;
    return true;
}

bool gx_gpu_each_text(gx_gpu_texts *l, const gx_each_function *f, int n_in, int n_out) {
    const each_key key = {.function = f, .n_in = n_in, .n_out = n_out, .wide = 1};
    l->family = gx_gpu_family_EACH();
    return !f->texts || gx_gpu_text(l, &key);
}

bool gx_gpu_each(gx_device *d, const gx_each *j) {
    enum { THREADS = 128 };
    gx_gpu *g = gx_gpu_of(d);
    gx_gpu_kernel *kernel;
    each_key key;
    memset(&key, 0, sizeof key); /* padding is a part of the key */
    key.function = j->function;
    key.n_in = j->n_in;
    key.n_out = j->n_out;
    key.wide = j->wide;
    each_params p = {.n = j->n};
    for (int k = 0; k < j->n_in; k++)
        p.in[k] = gx_gpu_address(j->in[k]) + (gx_gpu_ptr)j->offset[k];
    for (int k = 0; k < j->n_line; k++) {
        p.line[k] = gx_gpu_address(j->line[k]) + (gx_gpu_ptr)j->line_offset[k];
        p.size[k] = j->size[k];
    }
    for (int k = 0; k < j->n_out; k++) p.out[k] = gx_gpu_address(j->out[k]);
    const int64_t most = (int64_t)g->units * 16, all = (j->n + THREADS - 1) / THREADS;
    return gx_gpu_kernel_get(g, gx_gpu_family_EACH(), &key, sizeof key, "gx_each", &key, &kernel) &&
           gx_gpu_launch(g, kernel, all < most ? all : most, THREADS, 0, &p, sizeof p);
}
