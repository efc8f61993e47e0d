/* Arrays over memory that somebody else owns, and storages whose bytes somebody else sees
   (memory.c). As a memory map's, their buffers are foreign: nothing takes them over, and stores are
   written into them. */
#ifndef GX_RUNTIME_ARRAY_MEMORY_H
#define GX_RUNTIME_ARRAY_MEMORY_H

#include "runtime/array/array.h"

typedef struct gx_memory {
    void *data; /* the first element */
    bool writable;
    void *owner;
    void (*release)(void *owner); /* called once nothing of gx sees the memory, or at a failure */
} gx_memory;
/* An array of the elements at memory->data, with strides in bytes. The owner is taken over, also on
   failure. */
GX_CHECK bool gx_array_outside(gx_rt *rt, const gx_memory *memory, gx_dtype d, int ndim,
                               const int64_t *shape, const int64_t *strides, gx_namespace ns,
                               gx_array **out);
/* Computes the array's storage, whose bytes on the host from now on stay where they are. */
GX_CHECK bool gx_array_pin(gx_rt *rt, gx_array *a);

#endif
