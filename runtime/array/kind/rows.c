/* The rows of dtypes of elements that are no numbers.

   Invariant: a row is complete before its number is known to anybody, and is never changed. */
#include <pthread.h>
#include <stdio.h>

#include "runtime/array/kind/kind.h"

static pthread_mutex_t rows_lock = PTHREAD_MUTEX_INITIALIZER;
static int rows_end = GX_DTYPES + 1;
enum { NAME_ROOM = 32 };
static char names[GX_DTYPE_ROOM][NAME_ROOM];

/* The next number, whose low byte is no number's dtype: one that is kept in a byte by mistake is
   still none. */
static int next_row(int d) {
    while ((d & 0xff) <= GX_NO_DTYPE) d++;
    return d;
}

gx_dtype gx_dtype_make(gx_rt *rt, const gx_family *family, int64_t parameter, char letter,
                       int64_t bytes, const char *name) {
    if (bytes > INT32_MAX) {
        gx_fail(rt, GX_ValueError, "dtype.size", "an element of %lld bytes is too large",
                (long long)bytes);
        return GX_NO_DTYPE;
    }
    pthread_mutex_lock(&rows_lock);
    int d = next_row(GX_DTYPES + 1);
    while (d < rows_end &&
           (gx_dtypes[d].family != family || gx_dtypes[d].parameter != parameter))
        d = next_row(d + 1);
    const bool room = d < GX_DTYPE_ROOM;
    if (room && d >= rows_end) {
        snprintf(names[d], NAME_ROOM, "%s", name);
        gx_dtypes[d] = (gx_dtype_info){.name = names[d], .letter = letter, .kind_letter = letter,
                                       .kind = GX_KIND_OTHER, .cuda = "", .half = "",
                                       .bytes = (uint32_t)bytes, .family = family,
                                       .parameter = parameter};
        rows_end = d + 1;
    }
    pthread_mutex_unlock(&rows_lock);
    if (room) return (gx_dtype)d;
    gx_fail(rt, GX_MemoryError, "dtype.many", "a program has at most %d different dtypes of text",
            GX_DTYPE_ROOM - GX_DTYPE_ROOM / 16);
    return GX_NO_DTYPE;
}
