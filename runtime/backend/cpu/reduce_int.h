/* What reduce.c and reduce_arg.c share: a reduction that is being computed. */
#ifndef GX_RUNTIME_BACKEND_CPU_REDUCE_INT_H
#define GX_RUNTIME_BACKEND_CPU_REDUCE_INT_H

#include <stdatomic.h>

#include "runtime/backend/cpu/cpu_int.h"

typedef struct gx_fold_job {
    gx_cpu_plan *p;
    const gx_tape *t;
    int64_t acc_item, red_item; /* bytes, */
    gx_cpu_unit acc_unit, red_unit; /* and the same for copies */
    gx_fold fold;
    gx_fold_rows fold_rows;
    bool has_identity, flags, parallel;
    _Alignas(16) char identity[16];
    int64_t kept, reduced; /* elements */
    /* The kept dims in the order of the results: extents and the output's strides. */
    int kept_dims;
    int64_t kept_shape[GX_MAX_DIMS], kept_stride[GX_MAX_DIMS];
    /* How the work is cut; see the strategies. */
    int64_t rows;             /* kept elements a task */
    int64_t chunk, chunks;    /* reduced elements a partial result, and partial results each */
    int64_t first;            /* first kept element of this round */
    int64_t width, blocks;    /* outer: kept elements a block, and blocks a row */
    int low;                  /* outer: dims before are kept ones */
    char *partials;
    int64_t *starts; /* long rows: where each part begins, and the end */
    atomic_int fp;
    atomic_bool stop, decided;
} gx_fold_job;

/* Places in a thread's extra scratch: values, states, results; each GX_FOLD_UNIT items of 16. */
static inline char *gx_reduce_area(const gx_fold_job *job, int thread, int which) {
    return gx_plan_extra(job->p, job->p->cpu->scratch[thread]) + which * (GX_FOLD_UNIT * 16 + 64);
}
enum { GX_REDUCE_EXTRA = 3 * (GX_FOLD_UNIT * 16 + 64) };

/* The folded step's values of a piece, contiguous: where they lie, or in `buffer`. */
const char *gx_reduce_piece(gx_fold_job *job, gx_scratch *s, const gx_piece *piece, char *buffer);
/* As above for a range of the space in C order, at most GX_FOLD_UNIT elements. */
const char *gx_reduce_range(gx_fold_job *job, gx_scratch *s, int64_t start, int64_t n,
                            char *buffer);
/* Stores n results of dtype red_dtype at kept elements from `first` on. */
void gx_reduce_store(const gx_fold_job *job, int64_t first, int64_t n, const char *results);
/* True when the work is to stop (Ctrl-C). */
bool gx_reduce_stopped(gx_fold_job *job);
/* Runs tasks; false: interrupted. */
GX_CHECK bool gx_reduce_tasks(gx_fold_job *job, int64_t tasks, gx_task fn);

#endif
