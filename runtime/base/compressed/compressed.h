/* Texts that the program carries compressed: compress-text (tools/compress) compresses them while
   gx is built.

   Compressed bytes are steps. The first byte of a step holds a count of literal bytes (3 bits),
   whether the match is far (1 bit), and the match's length less its least (4 bits); 7 and 15 mean
   that more of the count follows, in bytes that are added up as long as they are 255. Then come the
   literal bytes and, unless the text is whole now, how far back the match begins, less 1: a byte,
   or two (the lower one first) where it is far. A match has 3 bytes at least, a far one 4. */
#ifndef GX_RUNTIME_BASE_COMPRESSED_H
#define GX_RUNTIME_BASE_COMPRESSED_H

#include <stdbool.h>
#include <stddef.h>

typedef struct gx_compressed {
    const unsigned char *bytes;
    size_t size, length; /* compressed, and of the text; equal: the bytes are the text */
} gx_compressed;

enum {
    GX_COMPRESSED_LITERALS = 7,
    GX_COMPRESSED_MATCH = 15,
    GX_COMPRESSED_NEAR = 256,   /* at most so far back */
    GX_COMPRESSED_FAR = 65536,
    GX_COMPRESSED_LEAST = 3,    /* bytes of a match; one more where it is far */
};

/* Writes the text's `length` bytes. False: the bytes are not of a text of that length. */
bool gx_decompress(const gx_compressed *compressed, char *to);

#endif
