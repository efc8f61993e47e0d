/* The image kernels built for x86-64-v2, v3 and v4. */
#ifndef GX_RUNTIME_BACKEND_CPU_IMAGE_IMAGE_H
#define GX_RUNTIME_BACKEND_CPU_IMAGE_IMAGE_H

#include "kernels/image.h"

extern const gx_image_loops gx_image_v2, gx_image_v3, gx_image_v4;
/* The best table for this CPU, with the switches of gx_cpu_loops. */
const gx_image_loops *gx_cpu_image(void);

#endif
