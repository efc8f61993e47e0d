/* Functions of a few doubles for every element of arrays, as stdlib hands them to a backend. */
#ifndef GX_RUNTIME_BACKEND_EACH_H
#define GX_RUNTIME_BACKEND_EACH_H

#include <stdint.h>

struct gx_buffer;

/* A function of a few doubles, out[0 …] from in[0 …], or (`look`) of the number of the element, its
   doubles and whole lines. Where a GPU has it, too: its name in C texts, put together in order up
   to NULL, that are C++ for a GPU (kernels/each_side.h). */
typedef struct gx_each_function {
    void (*call)(const double *in, double *out);
    const char *name;
    const char *const *texts; /* NULL: the host alone has it */
    void (*look)(int64_t i, const double *in, double *out, const double *const *line,
                 const int64_t *size);
} gx_each_function;

enum { GX_EACH_MOST = 4 };

/* The function of n elements, each of `wide` doubles, of contiguous operands, into new results. */
typedef struct gx_each {
    const gx_each_function *function;
    int n_in, n_out, n_line, wide;
    int64_t n;
    const struct gx_buffer *in[GX_EACH_MOST], *line[GX_EACH_MOST];
    int64_t offset[GX_EACH_MOST], line_offset[GX_EACH_MOST]; /* bytes */
    int64_t size[GX_EACH_MOST];                              /* elements of a line */
    struct gx_buffer *out[GX_EACH_MOST];
} gx_each;

#endif
