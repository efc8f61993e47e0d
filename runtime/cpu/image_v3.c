/* Image kernels for x86-64-v3: the flags below are read by the build. All is in image_make.inc. */
/* cflags: -O3 -march=x86-64-v3 -fno-trapping-math */
#define GX_IMAGE_TABLE gx_image_v3
#include "runtime/cpu/image_make.inc"
