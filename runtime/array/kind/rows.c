/* The rows of dtypes of elements that are no numbers.

   Invariant: a row is complete before its number is known to anybody, and is never changed. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/array/kind/kind.h"

static pthread_mutex_t rows_lock = PTHREAD_MUTEX_INITIALIZER;
static int rows_end = GX_DTYPES + 1;

/* The next number, whose low byte is no number's dtype: one that is kept in a byte by mistake is
   still none. */
static int next_row(int d) {
    while ((d & 0xff) <= GX_NO_DTYPE) d++;
    return d;
}

/* The name is a family's whole description of a dtype. */
static bool is_row(const gx_dtype_info *d, const gx_family *family, int64_t parameter,
                   const char *name) {
    return d->family == family && d->parameter == parameter && strcmp(d->name, name) == 0;
}

void *gx_row_memory(size_t bytes) {
    return malloc(bytes);
}

void gx_row_drop(void *memory) {
    free(memory);
}

gx_dtype gx_dtype_make(gx_rt *rt, const gx_family *family, int64_t parameter, char letter,
                       int64_t bytes, const char *name) {
    return gx_dtype_make_take(rt, family, parameter, letter, bytes, name, NULL);
}

gx_dtype gx_dtype_make_take(gx_rt *rt, const gx_family *family, int64_t parameter, char letter,
                            int64_t bytes, const char *name, void *more) {
    if (bytes > INT32_MAX) {
        free(more);
        gx_fail(rt, GX_ValueError, "dtype.size", "an element of %lld bytes is too large",
                (long long)bytes);
        return GX_NO_DTYPE;
    }
    pthread_mutex_lock(&rows_lock);
    int d = next_row(GX_DTYPES + 1);
    while (d < rows_end && !is_row(&gx_dtypes[d], family, parameter, name)) d = next_row(d + 1);
    const bool room = d < GX_DTYPE_ROOM, known = d < rows_end;
    char *own = room && !known ? strdup(name) : NULL;
    if (own) {
        gx_dtypes[d] = (gx_dtype_info){.name = own, .letter = letter, .kind_letter = letter,
                                       .kind = GX_KIND_OTHER, .cuda = "", .half = "",
                                       .bytes = (uint32_t)bytes, .family = family,
                                       .parameter = parameter, .more = more};
        rows_end = d + 1;
    }
    pthread_mutex_unlock(&rows_lock);
    if (!own) free(more); /* the row has its own */
    if (known || own) return (gx_dtype)d;
    if (room) gx_fail(rt, GX_MemoryError, "memory", "no memory for a dtype");
    else
        gx_fail(rt, GX_MemoryError, "dtype.many",
                "a program has at most %d different dtypes of text, dates and records",
                GX_DTYPE_ROOM - GX_DTYPE_ROOM / 16);
    return GX_NO_DTYPE;
}
