/* Picks the image kernels of the level that the elementwise loops run at. Nothing is kept. */
#include "runtime/backend/cpu/image/image.h"

#include "runtime/backend/cpu/loops/loops.h"

const gx_image_loops *gx_cpu_image(void) {
    const gx_loops *loops = gx_cpu_loops();
    return loops == &gx_loops_v4   ? &gx_image_v4
           : loops == &gx_loops_v3 ? &gx_image_v3
                                   : &gx_image_v2;
}
