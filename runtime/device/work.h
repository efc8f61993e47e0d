/* Work on host data in tasks, spread over the backend's threads where it has some. Tasks do not
   nest, allocate nothing and cannot fail. */
#ifndef GX_RUNTIME_DEVICE_WORK_H
#define GX_RUNTIME_DEVICE_WORK_H

#include "runtime/backend/loop.h"

/* fn(arg, task, thread): thread is below gx_work_threads(). */
typedef void (*gx_work_fn)(void *arg, int64_t task, int thread);

/* How many threads may work at once, at least 1. */
int gx_work_threads(const gx_rt *rt);
/* Calls fn for the tasks 0 … n - 1 and returns when all are done. After Ctrl-C the tasks that have
   not begun are left out: what they were to write is undefined, and the caller asks gx_work_end
   before it reads it. */
void gx_work_run(gx_rt *rt, int64_t n, gx_work_fn fn, void *arg);
/* The same, and asks itself. False: KeyboardInterrupt is pending. */
GX_CHECK bool gx_work_long(gx_rt *rt, int64_t n, gx_work_fn fn, void *arg);

/* Into how many tasks to divide work on n elements, at least `least`: none takes long. */
int64_t gx_work_tasks(int64_t n, int64_t least);

#endif
