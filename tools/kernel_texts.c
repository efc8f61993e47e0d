/* Prints the texts of gx's own kernels that are compiled with gx (tools/kernel-library): before
   each, once, a line "//// " with its name and its family. */
#include <stdio.h>

#include "kernels/image.h"
#include "runtime/backend/gpu/texts_int.h"
#include "stdlib/numpy/base/each.h"

static bool print_text(gx_gpu_texts *l, const char *text) {
    char name[GX_TEXT_NAME];
    gx_gpu_text_name(text, name);
    return printf("//// %s %s\n%s\n", name, l->family.name, text) > 0;
}

/* Of functions of elements. */
static bool print_each(gx_gpu_texts *l) {
    const gx_each_function *f;
    int nin, nout;
    bool ok = gx_gpu_each_text(l, &gx_interp_function, 1, 1) &&
              gx_gpu_each_text(l, &gx_convolve_function, 0, 1) &&
              gx_gpu_each_text(l, &gx_ndimage_nearest, 0, 1);
    for (int k = 0; k < GX_WARP_AXES && ok; k++)
        ok = gx_gpu_each_text(l, &gx_ndimage_warped[k], 0, 1);
    for (int k = 0; ok && (f = gx_random_drawn_function(k)); k++)
        ok = gx_gpu_each_text(l, f, 0, 1);
    for (int k = 0; ok && (f = gx_sp_listed(k, &nin, &nout)); k++)
        ok = gx_gpu_each_text(l, f, nin, nout);
    return ok;
}

/* Medians of three and five numbers of a line, and of squares of as many. */
static bool print_medians(gx_gpu_texts *l) {
    static const uint8_t dtypes[] = {GX_u8, GX_f32, GX_f64};
    static gx_image_swap network[1 << 10];
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
        for (int ndim = 1; ndim <= 2; ndim++)
            for (int size = 3; size <= 5; size += 2) {
                const int taps = ndim == 1 ? size : size * size;
                gx_filter f = {.kind = GX_FILTER_RANK, .from = dtypes[i],
                               .to = dtypes[i], .ndim = ndim, .taps = taps,
                               .slot = taps / 2, .network = network};
                f.swaps = gx_nd_network(taps, f.slot, network);
                if (!gx_gpu_rank_text(l, &f)) return false;
            }
    return true;
}

int main(void) {
    gx_rt *rt = gx_rt_new();
    gx_gpu_texts l = {.rt = rt, .take = print_text};
    const bool ok = rt && gx_gpu_all_texts(&l) && print_each(&l) && print_medians(&l);
    if (rt) gx_rt_free(rt);
    return ok ? 0 : 1;
}
