/* Ranges of ints beyond int64. */
#ifndef GX_RUNTIME_OBJECT_CONTAINER_LONG_RANGE_H
#define GX_RUNTIME_OBJECT_CONTAINER_LONG_RANGE_H

#include "runtime/object/object.h"

/* A range of ints of any size (int or bigint); ValueError where step is 0. */
GX_CHECK bool gx_range_of_ints(gx_rt *rt, gx_borrowed start, gx_borrowed stop, gx_borrowed step,
                               gx_value *out);
/* One whose numbers or count do not fit int64. */
GX_CHECK bool gx_long_range_new(gx_rt *rt, gx_borrowed start, gx_borrowed stop, gx_borrowed step,
                                gx_value *out);

/* The part of a range that a slice names. */
GX_CHECK bool gx_range_slice(gx_rt *rt, gx_borrowed start, gx_borrowed step, gx_borrowed count,
                             gx_borrowed key, gx_value *out);

#endif
