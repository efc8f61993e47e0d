#include "runtime/backend/loop.h"

#include <string.h>

enum { MOST_BYTES = 4 << 20 };

void gx_work_copy(const gx_rt *rt, void *to, const void *from, size_t bytes) {
    for (size_t at = 0, n; at < bytes && !gx_work_stops(rt); at += n) {
        n = bytes - at < MOST_BYTES ? bytes - at : MOST_BYTES;
        memcpy((char *)to + at, (const char *)from + at, n);
    }
}

void gx_work_fill(const gx_rt *rt, void *to, int byte, size_t bytes) {
    for (size_t at = 0, n; at < bytes && !gx_work_stops(rt); at += n) {
        n = bytes - at < MOST_BYTES ? bytes - at : MOST_BYTES;
        memset((char *)to + at, byte, n);
    }
}
