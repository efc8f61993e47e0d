/* A tape as a GPU would run it, for whoever has none: the kernel's text as PTX, and its parameters.
   Buffers are the host's; their addresses in the parameters are the caller's to choose. */
#ifndef GX_RUNTIME_BACKEND_CUDA_PLAY_H
#define GX_RUNTIME_BACKEND_CUDA_PLAY_H

#include "runtime/backend/tape.h"

typedef struct gx_play gx_play;

/* The kernel "gx_kernel" of a tape, compiled for compute_75. A tape without elements has none:
   *out is NULL. */
GX_CHECK bool gx_play_new(gx_rt *rt, const gx_tape *t, gx_play **out);
void gx_play_free(gx_play *p);
const char *gx_play_ptx(const gx_play *p, size_t *length);
/* The launch: blocks of 256 threads; bytes of scratch memory, zero before it. */
int64_t gx_play_blocks(const gx_play *p);
int64_t gx_play_scratch(const gx_play *p);
/* The parameters, where leaf k is at leaf[k], output k at out[k], the scratch memory at `scratch`
   (their buffers' first bytes). */
GX_CHECK bool gx_play_params(gx_play *p, const uint64_t *leaf, const uint64_t *out,
                             uint64_t scratch, const void **params, size_t *bytes);
/* The floating-point conditions that the launch left in its scratch memory. */
int gx_play_met(const gx_play *p, const void *scratch);

#endif
