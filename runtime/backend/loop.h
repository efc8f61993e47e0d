/* Loops over elements that end early after Ctrl-C. */
#ifndef GX_RUNTIME_BACKEND_LOOP_H
#define GX_RUNTIME_BACKEND_LOOP_H

#include "runtime/base/rt.h"

/* Ctrl-C in loops over elements. A loop (or task, or recursion) that may be long ends early once
   gx_work_stops() is true and leaves garbage; this stays true until gx_work_end() raises, which
   whoever reads the garbage must ask first. A builtin that returns while it is true loses its
   result (object/call/native.c), and so does each step of a scope (stdlib/numpy/base/scope.c):
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

/* Calls fn(arg, task, thread) for the tasks 0 … n - 1 on the device's threads, and returns when all
   are done; after Ctrl-C those that have not begun are left out. gx_tasks_long asks gx_work_end
   itself. */
struct gx_device;
void gx_tasks_run(struct gx_device *d, int64_t n, void (*fn)(void *, int64_t, int), void *arg);
GX_CHECK bool gx_tasks_long(struct gx_device *d, int64_t n, void (*fn)(void *, int64_t, int),
                            void *arg);

#endif
