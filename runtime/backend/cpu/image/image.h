/* The image kernels built for x86-64-v2, v3 and v4. */
#ifndef GX_RUNTIME_BACKEND_CPU_IMAGE_IMAGE_H
#define GX_RUNTIME_BACKEND_CPU_IMAGE_IMAGE_H

#include "kernels/image.h"
#include "runtime/backend/backend.h"

extern const gx_image_loops gx_image_v2, gx_image_v3, gx_image_v4;
/* The best table for this CPU, with the switches of gx_cpu_loops. */
const gx_image_loops *gx_cpu_image(void);
/* Entries of gx_backend (filter.c). */
GX_CHECK bool gx_cpu_filter(gx_device *d, const gx_filter *f);
bool gx_cpu_takes_filter(const gx_filter *f);

#endif
