/* Text files that are compressed whole, known by the ends of their names as NumPy knows them.
   Private to np_packed*.c and np_text*.c. */
#ifndef GX_STDLIB_IO_PACKED_INT_H
#define GX_STDLIB_IO_PACKED_INT_H

#include "runtime/object/native.h"

typedef enum gx_packing { GX_PACKED_NOT, GX_PACKED_GZ, GX_PACKED_BZ2, GX_PACKED_XZ } gx_packing;

/* .gz, .bz2, .xz (and .lzma), or GX_PACKED_NOT. */
gx_packing gx_packing_of(const char *path);
/* All that n bytes hold, behind what the buffer holds, with a NUL behind it. ImportError when the
   system lacks the library; ValueError when the bytes are damaged. */
GX_CHECK bool gx_unpack(gx_rt *rt, gx_packing packing, const char *name, const void *from, size_t n,
                        gx_buf *out);
/* A packed file of n bytes, behind what the buffer holds. */
GX_CHECK bool gx_pack(gx_rt *rt, gx_packing packing, const void *from, size_t n, gx_buf *out);

#endif
