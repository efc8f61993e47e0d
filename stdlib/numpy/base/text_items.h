/* Fields of text files that stay text. */
#ifndef GX_STDLIB_NUMPY_BASE_TEXT_ITEMS_H
#define GX_STDLIB_NUMPY_BASE_TEXT_ITEMS_H

#include "stdlib/numpy/base/scope.h"

/* One more field. */
GX_CHECK bool gx_text_item_add(gx_buf *data, const char *text, size_t n);
/* All of them as an array of a dtype of text. */
gx_array *gx_text_items(gx_np *s, const gx_buf *data, gx_dtype d, int ndim, const int64_t *shape);

#endif
