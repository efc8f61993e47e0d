#include "runtime/base/compressed/compressed.h"

#include <string.h>

/* Adds the rest of a count. */
static bool more(const unsigned char **from, const unsigned char *end, size_t *count) {
    unsigned char byte;
    do {
        if (*from == end) return false;
        byte = *(*from)++;
        *count += byte;
    } while (byte == 255);
    return true;
}

bool gx_decompress(const gx_compressed *compressed, char *to) {
    const unsigned char *from = compressed->bytes, *end = from + compressed->size;
    size_t at = 0, length = compressed->length;
    if (compressed->size == length) {
        if (length) memcpy(to, from, length);
        return true;
    }
    while (from < end) {
        const unsigned step = *from++, far = step >> 4 & 1;
        size_t count = step >> 5;
        if (count == GX_COMPRESSED_LITERALS && !more(&from, end, &count)) return false;
        if (count > (size_t)(end - from) || count > length - at) return false;
        memcpy(to + at, from, count);
        from += count;
        at += count;
        if (at == length) return from == end;
        if ((size_t)(end - from) < 1 + far) return false;
        size_t back = *from++ + (size_t)1;
        if (far) back += (size_t)*from++ << 8;
        count = step & 15;
        if (count == GX_COMPRESSED_MATCH && !more(&from, end, &count)) return false;
        count += GX_COMPRESSED_LEAST + far;
        if (back > at || count > length - at) return false;
        for (; count; count--, at++) to[at] = to[at - back]; /* they may overlap */
    }
    return at == length;
}
