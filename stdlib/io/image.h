/* Pictures as files: PNG, PGM and PPM. For this folder and plots. */
#ifndef GX_STDLIB_IO_IMAGE_H
#define GX_STDLIB_IO_IMAGE_H

#include "runtime/base/buf.h"

/* A PNG file's bytes behind what the buffer holds; pixels: rows from the top, `channels` bytes
   each (1: grey, 3: RGB, 4: RGBA). dpi: 0, or written into the file. packed: false stores the
   pixels as they are. Without zlib they are stored too. */
GX_CHECK bool gx_png_write(gx_rt *rt, const uint8_t *pixels, int width, int height, int channels,
                           double dpi, bool packed, gx_buf *out);
/* A picture that was read: rows from the top, channels numbers of `bits` bits (8 or 16, in the
   machine's order) each. */
typedef struct gx_image {
    uint8_t *pixels; /* owned: gx_free */
    int64_t width, height;
    int channels, bits;
} gx_image;
/* A whole PNG file's bytes. What it says of its size is compared with its length before memory is
   taken; ValueError says what is damaged. */
GX_CHECK bool gx_png_read(gx_rt *rt, const char *name, const uint8_t *data, size_t n,
                          gx_image *out);
/* The same for PBM, PGM and PPM, plain and raw (P1 … P6). */
GX_CHECK bool gx_pnm_read(gx_rt *rt, const char *name, const uint8_t *data, size_t n,
                          gx_image *out);
/* PGM (one channel) or PPM (three), raw, behind what the buffer holds. */
GX_CHECK bool gx_pnm_write(const gx_image *image, gx_buf *out);
/* Room for a picture of the sizes that `out` has; false: MemoryError. */
GX_CHECK bool gx_image_alloc(gx_rt *rt, gx_image *out);

/* Bytes as base64 text. */
GX_CHECK bool gx_base64(const void *data, size_t n, gx_buf *out);

#endif
