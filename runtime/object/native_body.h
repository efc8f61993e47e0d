/* Rows whose work a function of the library's text does: where it is kept once it was found. */
#ifndef GX_RUNTIME_OBJECT_NATIVE_BODY_H
#define GX_RUNTIME_OBJECT_NATIVE_BODY_H

#include "runtime/object/native.h"

/* The place of a row's function for one of two namespaces, UNDEF at first; what is put there is
   owned by the place. NULL: no memory, the error is set. */
GX_CHECK gx_value *gx_native_body(gx_rt *rt, const gx_native *fn, int which);
/* Lets go of them all, before the modules of the texts are freed. */
void gx_native_bodies_drop(gx_rt *rt);

#endif
