/* Inside of raw kernels: what is read from their text, and what is said when one did wrong. */
#ifndef GX_RUNTIME_KERNEL_LAUNCH_INT_H
#define GX_RUNTIME_KERNEL_LAUNCH_INT_H

#include "runtime/backend/cuda/check/check.h"
#include "runtime/backend/sim/sim.h"
#include "runtime/kernel/raw.h"

enum { GX_KERNEL_NAMES = 64 };

/* Kernels of a source by how C++ names them. */
typedef struct gx_kernel_names {
    const char *name[GX_KERNEL_NAMES]; /* owned */
    int64_t at[GX_KERNEL_NAMES];       /* of the parameter list's '(' in the source; -1: unknown */
    int count;
} gx_kernel_names;

/* Functions marked __global__ that are no templates, then the given name expressions. */
GX_CHECK bool gx_kernel_names_find(gx_rt *rt, const char *source, const char *const *more, int n,
                                   gx_kernel_names *out);
/* n characters and a NUL; NULL: MemoryError. */
char *gx_raw_copy(gx_rt *rt, const char *text, size_t n);
void gx_kernel_names_free(gx_rt *rt, gx_kernel_names *names);
/* Names and types of the parameters listed at source[at], as far as they are clear. */
void gx_kernel_params(const char *source, int64_t at, gx_raw_entry *e);

/* A launch on the GPU; params: packed values, pointers are filled in. */
GX_CHECK bool gx_raw_launch_gpu(gx_raw *raw, const gx_raw_entry *e, const gx_raw_shape *shape,
                                const gx_raw_arg *args, const char *params);
void gx_raw_unload(gx_raw *raw);

/* Arrays of a launch, by parameter. */
typedef struct gx_raw_given {
    gx_check_array array[GX_RAW_PARAMS];
    int n;
} gx_raw_given;

enum { GX_RAW_WORDS = 4096 + 64 }; /* room for what checks add to the parameters */

/* The module's instrumented text, made at its first need. */
GX_CHECK bool gx_raw_check(gx_raw *raw);
/* The error that a report means. */
GX_CHECK bool gx_raw_told(gx_raw *raw, const gx_raw_entry *e, const gx_raw_shape *shape,
                          const gx_raw_given *g, const gx_raw_arg *args,
                          const gx_check_report *report);
/* Is the GPU a simulated one? */
bool gx_raw_is_simulated(gx_rt *rt);
/* Decodes the instrumented text for it. */
GX_CHECK bool gx_raw_simulator(gx_raw *raw);
GX_CHECK bool gx_raw_launch_simulated(gx_raw *raw, const gx_raw_entry *e, const gx_raw_shape *shape,
                                 const gx_raw_arg *args, const char *params);

enum { GX_RAW_COVERS = 8 };
/* What a launch may be meant to reach (room for GX_RAW_COVERS), by its numbers; how many. */
int gx_raw_covers(const gx_raw_entry *e, const gx_raw_arg *args, gx_sim_cover *out);
/* The warning that a grid was too small. */
GX_CHECK bool gx_raw_tell_cover(const gx_raw *raw, const gx_raw_entry *e, const gx_sim_launch *l,
                                const gx_sim_report *report);

/* True when the launch did nothing wrong; else an error that says what and where. */
GX_CHECK bool gx_raw_diagnose(const gx_raw *raw, const gx_raw_entry *e, const gx_sim_launch *launch,
                           const gx_sim_report *report);

/* A line of the source without its blanks around; NULL: it is none of the kernel's (help.c). */
const char *gx_raw_line(const gx_raw *raw, uint32_t line, size_t *length);
/* A help line for a race about the variable `name`, or for threads that wait in vain. */
void gx_raw_help_race(const gx_raw *raw, const gx_raw_entry *e, const gx_sim_fault *f,
                      const char *name);
void gx_raw_help_barrier(const gx_raw *raw, const gx_sim_launch *l, const gx_sim_fault *f);

#endif
