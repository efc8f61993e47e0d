/* Compresses texts as runtime/base/compressed/compressed.h says. */
#ifndef GX_TOOLS_COMPRESS_H
#define GX_TOOLS_COMPRESS_H

#include <stddef.h>

/* Compresses a text into `to`, which has room for `length` bytes: how many they are; `length` where
   that is no shorter than the text, which is copied then. The same text gives the same bytes. 0
   without memory, or of no text. */
size_t gx_compress(const char *text, size_t length, unsigned char *to);

#endif
