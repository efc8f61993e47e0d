/* The encodings that are written in gx, in the module codecs. */
#ifndef GX_RUNTIME_OBJECT_TEXT_CODING_H
#define GX_RUNTIME_OBJECT_TEXT_CODING_H

#include "runtime/object/native.h"

/* codecs.function(args). */
GX_CHECK bool gx_codecs_call(gx_rt *rt, const char *function, int argc, const gx_borrowed *argv,
                             gx_value *out);

#endif
