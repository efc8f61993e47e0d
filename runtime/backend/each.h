/* Functions of a few doubles for every element of arrays, as stdlib hands them to a backend. */
#ifndef GX_RUNTIME_BACKEND_EACH_H
#define GX_RUNTIME_BACKEND_EACH_H

#include <stdint.h>

struct gx_buffer;

/* A function of a few doubles, out[0 …] from in[0 …]; where a GPU has it, too, its name in C texts,
   put together in order up to NULL, that are C++ for a GPU (stdlib/scipy/special/side.h). */
typedef struct gx_each_function {
    void (*call)(const double *in, double *out);
    const char *name;
    const char *const *texts; /* NULL: the host alone has it */
} gx_each_function;

enum { GX_EACH_MOST = 4 };

/* The function of n elements, each of `wide` doubles, of contiguous operands, into new results. */
typedef struct gx_each {
    const gx_each_function *function;
    int n_in, n_out, wide;
    int64_t n, offset[GX_EACH_MOST]; /* bytes, of the operands */
    const struct gx_buffer *in[GX_EACH_MOST];
    struct gx_buffer *out[GX_EACH_MOST];
} gx_each;

#endif
