/* Texts of this folder's functions for a GPU's kernels (tools/embed makes the strings). */
#ifndef GX_STDLIB_NDIMAGE_NDIMAGE_TEXT_INT_H
#define GX_STDLIB_NDIMAGE_NDIMAGE_TEXT_INT_H

extern const char gx_ndimage_text_warp_mode[], gx_ndimage_text_warp_real[];
extern const char gx_ndimage_text_distance_real[];

#endif
