/* What is done when the GPU's memory is full, and what is said when that did not help. */
#ifndef GX_RUNTIME_GRAPH_OUT_OF_MEMORY_H
#define GX_RUNTIME_GRAPH_OUT_OF_MEMORY_H

#include "runtime/graph/lazy.h"

/* Is the pending error that the GPU's memory is full, and not explained yet? */
bool gx_out_of_memory(const gx_rt *rt);
/* Forgets the error and frees what can be had again: copies of values that the host has too, the
   libraries' work areas, what the pool keeps. Never while a tape is being run. */
void gx_memory_reclaim(gx_rt *rt);
/* The error as the user reads it: what was wanted, what is free, the largest arrays, and a fix
   that would do. `wanted` (or NULL): the value that was being computed. Returns false. */
bool gx_out_of_memory_explain(gx_rt *rt, const gx_data *wanted);
/* The error that `bytes` more are beyond the limit set for the GPU. Returns false. */
bool gx_out_of_memory_limit(gx_rt *rt, int64_t bytes);

#endif
