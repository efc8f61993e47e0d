/* Names of code points. names.txt, which tools/unicode-names writes and describes, is decompressed
   when a name is first asked for, and kept. */
#ifndef GX_RUNTIME_BASE_UNICODE_UNICODE_H
#define GX_RUNTIME_BASE_UNICODE_UNICODE_H

#include "runtime/base/buf.h"
#include "runtime/base/compressed/compressed.h"

extern const gx_compressed gx_unicode_names[], gx_unicode_properties[];

enum { GX_UNICODE_MOST = 8 /* code points of a named sequence */ };

/* The code points that a name, in any case, means: *count of them, 0: nothing has the name. */
GX_CHECK bool gx_unicode_named(gx_rt *rt, const char *name, size_t length, uint32_t *codes,
                               int *count);
/* Adds the name of a code point; nothing where it has none. */
GX_CHECK bool gx_unicode_name(gx_rt *rt, uint32_t code, gx_buf *out);

#endif
