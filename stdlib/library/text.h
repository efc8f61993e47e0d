/* Functions of the library that are written in gx: a row like any other, whose work is a function
   of the same name in a text. tools/embed-library makes the rows of most; these serve the
   others. */
#ifndef GX_STDLIB_LIBRARY_TEXT_H
#define GX_STDLIB_LIBRARY_TEXT_H

#include "runtime/base/compressed/compressed.h"
#include "runtime/object/native.h"

/* What a text calls `name`, by the interpreter run once for each title and namespace. */
GX_CHECK bool gx_library_name(gx_rt *rt, const char *title, const gx_compressed *text,
                              gx_namespace ns, const char *name, gx_value *out);
/* Calls the text's function of the row's name with the call's arguments; what was not given has the
   text's own default. In the text np is numpy and sp is scipy, or cupy and cupyx.scipy where the
   first argument that is an array is one of cupy's. */
GX_CHECK bool gx_library_call(gx_call *c, const char *name, const gx_compressed *text,
                              gx_value *out);
/* The same for texts that are run once for all namespaces, since their classes are: np is numpy. */
GX_CHECK bool gx_library_call_one(gx_call *c, const char *name, const gx_compressed *text,
                                  gx_value *out);
/* What a text, run for a namespace, calls `what`. */
GX_CHECK bool gx_library_value(gx_rt *rt, const char *name, const gx_compressed *text,
                               gx_namespace ns, const char *what, gx_value *out);
/* gx_library_call for another function of the text, with other arguments. */
GX_CHECK bool gx_library_pass(gx_call *c, const char *name, const gx_compressed *text,
                              const char *function, int argc, const gx_borrowed *argv,
                              gx_value *out);

#endif
