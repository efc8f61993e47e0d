/* Image kernels for x86-64-v3: the flags below are read by the build. All is in make.inc. */
/* cflags: -O3 -march=x86-64-v3 -fno-trapping-math */
#define GX_IMAGE_TABLE gx_image_v3
#include "runtime/backend/cpu/image/make.inc"
