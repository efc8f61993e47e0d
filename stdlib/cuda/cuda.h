/* What the files of cupy.cuda share. */
#ifndef GX_STDLIB_CUDA_CUDA_H
#define GX_STDLIB_CUDA_CUDA_H

#include "stdlib/stdlib.h"

/* --- cuda.c: native functions of streams and events --- */
GX_CHECK bool gx_cuda_event(gx_call *c, gx_value *out);
GX_CHECK bool gx_cuda_elapsed(gx_call *c, gx_value *out);
GX_CHECK bool gx_cuda_current_stream(gx_call *c, gx_value *out);
/* Computes what is pending and waits for it. */
GX_CHECK bool gx_cuda_synchronize(gx_call *c, gx_value *out);
/* Work of one call on a stream of its own choice. */
typedef struct gx_cuda_visit {
    void *before; /* the stream to go back to; held */
    bool inside;
} gx_cuda_visit;
/* Goes to a cuda.Stream; None and nothing stay where they are. `who` is named in a refusal. */
GX_CHECK bool gx_cuda_visit_begin(gx_rt *rt, gx_borrowed stream, const char *who,
                                  gx_cuda_visit *visit);
/* Goes back; gives `ok`, or false if that fails. */
GX_CHECK bool gx_cuda_visit_end(gx_rt *rt, gx_cuda_visit *visit, bool ok);
/* device.c: a device as an object. */
GX_CHECK bool gx_cuda_device(gx_rt *rt, int64_t id, gx_value *out);
/* The class Stream, with Stream.null. */
GX_CHECK bool gx_cuda_stream_class(gx_rt *rt, gx_namespace ns, gx_value *out);

#endif
