/* Functions of a few doubles for every element. */
#include "runtime/backend/cpu/cpu_int.h"

bool gx_cpu_has_each(const gx_each_function *f) {
    return f->call || f->look;
}

static const double *doubles(const struct gx_buffer *b, int64_t offset) {
    return (const double *)(const void *)(b->data + offset);
}

bool gx_cpu_each(gx_device *d, const gx_each *j) {
    const double *from[GX_EACH_MOST], *line[GX_EACH_MOST];
    double *to[GX_EACH_MOST];
    for (int k = 0; k < j->n_in; k++) from[k] = doubles(j->in[k], j->offset[k]);
    for (int k = 0; k < j->n_line; k++) line[k] = doubles(j->line[k], j->line_offset[k]);
    for (int k = 0; k < j->n_out; k++) to[k] = (double *)(void *)j->out[k]->data;
    for (int64_t i = 0; i < j->n; i++) {
        double in[2 * GX_EACH_MOST], out[2 * GX_EACH_MOST];
        if ((i & 255) == 0 && gx_must_stop(d->rt)) return gx_stop(d->rt);
        for (int k = 0; k < j->n_in; k++)
            for (int w = 0; w < j->wide; w++) in[k * j->wide + w] = from[k][i * j->wide + w];
        if (j->function->look) j->function->look(i, in, out, line, j->size);
        else j->function->call(in, out);
        for (int k = 0; k < j->n_out; k++)
            for (int w = 0; w < j->wide; w++) to[k][i * j->wide + w] = out[k * j->wide + w];
    }
    return true;
}
