/* Work on host data in tasks, spread over the backend's threads where it has some. Tasks do not
   nest, allocate nothing and cannot fail. */
#ifndef GX_RUNTIME_DEVICE_WORK_H
#define GX_RUNTIME_DEVICE_WORK_H

#include "runtime/base/rt.h"

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

/* Ctrl-C in loops over elements. A loop (or task, or recursion) that may be long ends early once
   gx_work_stops() is true and leaves garbage; this stays true until gx_work_end() raises, which
   whoever reads the garbage must ask first. A builtin that returns while it is true loses its
   result (runtime/object/native.c), and so does each step of a scope (stdlib/numpy/base/scope.c):
   such callers need not ask. What overwrites its input, or cannot be taken back, does not end
   early. */
enum { GX_WORK_LOOK = 65536 }; /* elements between two looks */
static inline bool gx_work_stops(const gx_rt *rt) {
    return GX_UNLIKELY(rt->interrupted != 0);
}
/* False, with KeyboardInterrupt pending, where gx_work_stops(). */
GX_CHECK static inline bool gx_work_end(gx_rt *rt) {
    return !gx_work_stops(rt) || gx_stop(rt);
}
/* for (i = from; i < to; i++), which ends early; `break` ends only what is left until the next
   look. */
#define GX_LONG_LOOP(rt, i, from, to)                                                              \
    for (int64_t i = (from), i##_look; i < (to) && !gx_work_stops(rt);)                            \
        for (i##_look = (to) - i > GX_WORK_LOOK ? i + GX_WORK_LOOK : (to); i < i##_look; i++)
/* memcpy and memset of any size, which end early. */
void gx_work_copy(const gx_rt *rt, void *to, const void *from, size_t bytes);
void gx_work_fill(const gx_rt *rt, void *to, int byte, size_t bytes);
/* Into how many tasks to divide work on n elements, at least `least`: none takes long. */
int64_t gx_work_tasks(int64_t n, int64_t least);

/* The kernels of Fourier transforms of doubles, or of floats (kernels/fft.h), for this CPU. */
const struct gx_fft_loops *gx_fft_kernels(bool single);
/* The kernels of image filters (kernels/image.h). */
const struct gx_image_loops *gx_image_kernels(void);

#endif
