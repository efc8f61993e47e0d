/* Arrays over memory that somebody else owns, and storages whose bytes somebody else sees
   (memory.c). As a memory map's, their buffers are foreign: nothing takes them over, and stores are
   written into them. */
#ifndef GX_RUNTIME_ARRAY_MEMORY_H
#define GX_RUNTIME_ARRAY_MEMORY_H

#include "include/gx_dlpack.h"
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
/* A header of its own of an array whose storage's bytes on the host stay where they are from now
   on; of a copy where the elements are on a GPU. Its address is that of gx_array_read. */
GX_CHECK bool gx_array_lendable(gx_rt *rt, gx_array *a, gx_array **out);
/* Computes what is pending and reads bytes that somebody else may change: before he can
   (runtime/graph/lazy.c). */
GX_CHECK bool gx_lazy_outside(gx_rt *rt);
/* A dtype of numbers as DLPack writes it, and the dtype that it writes so. */
DLDataType gx_dlpack_of_dtype(gx_dtype d);
GX_CHECK bool gx_dtype_of_dlpack(gx_rt *rt, DLDataType t, gx_dtype *out);

#endif
