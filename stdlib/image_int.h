/* Pictures as files: PNG. Private to image_*.c and plot*.c. */
#ifndef GX_STDLIB_IMAGE_INT_H
#define GX_STDLIB_IMAGE_INT_H

#include "runtime/base/buf.h"

/* A PNG file's bytes behind what the buffer holds; pixels: rows from the top, `channels` bytes
   each (1: grey, 3: RGB, 4: RGBA). dpi: 0, or written into the file. packed: false stores the
   pixels as they are. Without zlib they are stored too. */
GX_CHECK bool gx_png_write(gx_rt *rt, const uint8_t *pixels, int width, int height, int channels,
                           double dpi, bool packed, gx_buf *out);
/* Bytes as base64 text. */
GX_CHECK bool gx_base64(const void *data, size_t n, gx_buf *out);

#endif
