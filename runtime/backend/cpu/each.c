/* Functions of a few doubles for every element. */
#include "runtime/backend/cpu/cpu_int.h"
#include "runtime/backend/loop.h"

enum { TASK = 1024 }; /* elements */

typedef struct each_job {
    const gx_each *j;
    const double *from[GX_EACH_MOST], *line[GX_EACH_MOST];
    double *to[GX_EACH_MOST];
} each_job;

bool gx_cpu_has_each(const gx_each_function *f) {
    return f->call || f->look;
}

static const double *doubles(const struct gx_buffer *b, int64_t offset) {
    return (const double *)(const void *)(b->data + offset);
}

static void each_task(void *arg, int64_t task, int thread) {
    const each_job *job = arg;
    const gx_each *j = job->j;
    const int64_t end = (task + 1) * TASK < j->n ? (task + 1) * TASK : j->n;
    (void)thread;
    for (int64_t i = task * TASK; i < end; i++) {
        double in[2 * GX_EACH_MOST], out[2 * GX_EACH_MOST];
        for (int k = 0; k < j->n_in; k++)
            for (int w = 0; w < j->wide; w++) in[k * j->wide + w] = job->from[k][i * j->wide + w];
        if (j->function->look) j->function->look(i, in, out, job->line, j->size);
        else j->function->call(in, out);
        for (int k = 0; k < j->n_out; k++)
            for (int w = 0; w < j->wide; w++) job->to[k][i * j->wide + w] = out[k * j->wide + w];
    }
}

bool gx_cpu_each(gx_device *d, const gx_each *j) {
    each_job job = {.j = j};
    for (int k = 0; k < j->n_in; k++) job.from[k] = doubles(j->in[k], j->offset[k]);
    for (int k = 0; k < j->n_line; k++) job.line[k] = doubles(j->line[k], j->line_offset[k]);
    for (int k = 0; k < j->n_out; k++) job.to[k] = (double *)(void *)j->out[k]->data;
    return gx_tasks_long(d, (j->n + TASK - 1) / TASK, each_task, &job);
}
