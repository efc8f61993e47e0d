/* Prints the texts of gx's own kernels that are compiled with gx (tools/kernel-library): before
   each, once, a line "//// " with its name and its family. */
#include <stdio.h>

#include "runtime/backend/gpu/texts_int.h"

static bool print_text(gx_gpu_texts *l, const char *text) {
    char name[GX_TEXT_NAME];
    gx_gpu_text_name(text, name);
    return printf("//// %s %s\n%s\n", name, l->family.name, text) > 0;
}

int main(void) {
    gx_rt *rt = gx_rt_new();
    gx_gpu_texts l = {.rt = rt, .take = print_text};
    const bool ok = rt && gx_gpu_all_texts(&l);
    if (rt) gx_rt_free(rt);
    return ok ? 0 : 1;
}
