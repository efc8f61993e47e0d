/* Arrays: views of storages. A storage is the identity that views share; it holds exactly one
   current value (gx_data, runtime/graph/lazy.h), which is immutable: ready bytes or a pending node.
   An array is (storage, dtype, offset, shape, strides, namespace) and never a node itself. Strides
   and offsets are in bytes, as NumPy's.

   Reading an array captures the storage's value now; every store puts a new value into the storage.
 */
#ifndef GX_RUNTIME_ARRAY_ARRAY_H
#define GX_RUNTIME_ARRAY_ARRAY_H

#include "runtime/array/dtype.h"
#include "runtime/backend/tape.h"

typedef struct gx_data gx_data; /* runtime/graph/lazy.h */
typedef struct gx_storage gx_storage;

enum { GX_ARRAY_READONLY = 1 };
enum { GX_ARRAY_ROOM = 4 }; /* axes that fit into any array: some can be added in place */

typedef struct gx_array {
    gx_obj obj;
    gx_storage *storage;
    /* offset, count, ndim and dims are written by runtime/graph/extent.c alone. */
    const int64_t offset; /* bytes from the start of the storage's bytes */
    const int64_t count;  /* elements */
    uint16_t dtype;
    const uint8_t ndim;
    uint8_t ns, flags;
    uint8_t room; /* for so many axes */
    struct gx_array
        *base; /* the array that owns the storage when this is a view; owned; else NULL */
    gx_span origin;        /* where in the script it was made */
    const int64_t dims[];  /* ndim sizes, then ndim strides in bytes */
} gx_array;

static inline gx_array *gx_as_array(gx_borrowed v) {
    return (gx_array *)v.obj;
}
static inline const int64_t *gx_shape(const gx_array *a) {
    return a->dims;
}
static inline const int64_t *gx_strides(const gx_array *a) {
    return a->dims + a->ndim;
}
static inline bool gx_array_has_room(const gx_array *a, int ndim) {
    return ndim <= a->room;
}
/* The header takes over the sizes, strides and offset of r, whose storage it has or is about to
   get, and for which it has room. */
void gx_array_become(gx_array *a, const gx_array *r);
/* Bytes of the storage: what an array's elements may lie in. */
int64_t gx_array_storage(const gx_array *a);
static inline gx_value gx_array_value(gx_array *a) { /* takes the reference */
    return (gx_value){.tag = GX_ARRAY, .obj = &a->obj};
}
static inline void gx_array_keep(gx_array *a) {
    a->obj.refs++;
}
static inline void gx_array_drop(gx_array *a) {
    if (a && --a->obj.refs == 0) gx_obj_free(&a->obj);
}
/* Does its value need the GPU: ready there alone, or still to be computed there? */
bool gx_array_needs_gpu(const gx_array *a);
/* Is v an array (of any namespace)? */
static inline bool gx_is_array(gx_borrowed v) {
    return v.tag == GX_ARRAY;
}

/* --- making (results are owned by the caller; C order unless said) --- */
/* Uninitialised elements, ready. MemoryError when bytes exceed 8 x RAM, or at need. */
GX_CHECK bool gx_array_empty(gx_rt *rt, gx_dtype d, int ndim, const int64_t *shape, gx_namespace ns,
                             gx_array **out);
/* As gx_array_empty in Fortran order. */
GX_CHECK bool gx_array_empty_f(gx_rt *rt, gx_dtype d, int ndim, const int64_t *shape,
                               gx_namespace ns, gx_array **out);
/* All elements equal; pending, no memory until it is looked at. */
GX_CHECK bool gx_array_full(gx_rt *rt, gx_dtype d, int ndim, const int64_t *shape, gx_namespace ns,
                            const gx_scalar *fill, gx_array **out);
/* first + i * step, n elements; pending. dtype: any number type. */
GX_CHECK bool gx_array_iota(gx_rt *rt, gx_dtype d, int64_t n, const gx_scalar *first,
                            const gx_scalar *step, gx_namespace ns, gx_array **out);
/* n elements of the Philox stream from `counter` on (gx_dist decides the dtype); pending. */
GX_CHECK bool gx_array_random(gx_rt *rt, gx_dist dist, int ndim, const int64_t *shape,
                              uint64_t seed, uint64_t counter, gx_namespace ns, gx_array **out);
/* A 0-d array holding one element. */
GX_CHECK bool gx_array_scalar(gx_rt *rt, gx_dtype d, const gx_scalar *s, gx_namespace ns,
                              gx_array **out);
/* A view of the same storage; count is computed; `base` is base's base or base. dtype may differ
   (real, imag, .view): then the value is made ready first. flags: base's readonly is inherited. */
GX_CHECK bool gx_array_view(gx_rt *rt, gx_array *base, gx_dtype d, int ndim, const int64_t *shape,
                            const int64_t *strides, int64_t offset, gx_array **out);
/* Views along the first axis, in whose range the rows lie: n of them; one, without the axis. */
GX_CHECK bool gx_array_rows(gx_rt *rt, gx_array *base, int64_t start, int64_t n, gx_array **out);
GX_CHECK bool gx_array_row(gx_rt *rt, gx_array *base, int64_t row, gx_array **out);
/* x[start:stop], clipped as slices are; x has a dim. */
GX_CHECK bool gx_array_part(gx_rt *rt, gx_array *a, int64_t start, int64_t stop, gx_value *out);
/* From any value: arrays pass through (a new reference when dtype and namespace fit), NumPy
   scalars, numbers, nested lists, tuples, ranges, iterables of numbers. d: GX_NO_DTYPE lets the
   values decide. copy: always a new array. ValueError for ragged lists ("… inhomogeneous shape …").
 */
GX_CHECK bool gx_asarray(gx_rt *rt, gx_borrowed v, gx_dtype d, gx_namespace ns, bool copy,
                         gx_array **out);
/* A copy in C order ('C'), Fortran order ('F') or the source's order ('K'); pending when the source
 * is. */
GX_CHECK bool gx_array_copy(gx_rt *rt, gx_array *a, char order, gx_array **out);
/* Elements converted (unsafe cast); the same array (kept) when the dtype fits and !copy. */
GX_CHECK bool gx_array_cast(gx_rt *rt, gx_array *a, gx_dtype d, bool copy, gx_array **out);
/* A C-contiguous array with the same elements: itself or a copy. */
GX_CHECK bool gx_array_contiguous(gx_rt *rt, gx_array *a, gx_array **out);
/* The same storage through another namespace (a view), or a copy where the namespaces keep arrays
 * apart. */
GX_CHECK bool gx_array_to_namespace(gx_rt *rt, gx_array *a, gx_namespace ns, bool copy,
                                    gx_array **out);
/* The result of an operation that gives a scalar: a 0-d array becomes a NumPy scalar (owned array
   is consumed), others the array value. */
GX_CHECK bool gx_array_result_take(gx_rt *rt, gx_array *a, gx_value *out);

/* A NumPy scalar as a 0-d array, which stays where the scalar's element is. */
GX_CHECK bool gx_scalar_array(gx_rt *rt, gx_borrowed v, gx_namespace ns, gx_array **out);

/* --- facts that never force --- */
bool gx_array_is_contiguous(const gx_array *a, char order); /* 'C' or 'F' */
/* The axes of a copy in order 'K', from the outermost in memory: C or F order where a lies so,
   whatever the strides of its axes of one element say, else by the strides (layout.h). */
void gx_array_copy_order(const gx_array *a, int *order);
bool gx_arrays_share(const gx_array *a, const gx_array *b); /* may their elements overlap? exact for
                                                               simple strides, else by bounds */
bool gx_arrays_meet(const gx_array *a, const gx_array *b); /* by bounds alone */
/* The `free` of types whose instances are arrays. */
void gx_array_free(gx_rt *rt, gx_obj *o);
int64_t gx_array_nbytes(const gx_array *a);
/* Bytes of the memory that it and the other views of its storage share. */
int64_t gx_array_held(const gx_array *a);
bool gx_array_is_ready(const gx_array *a); /* not pending */
/* Computes a pending value, where it lives. */
GX_CHECK bool gx_array_ready(gx_rt *rt, gx_array *a);
bool gx_array_is_alone(const gx_array *a); /* no other array has its storage */
/* "int64 (3, 4)": for messages. Never forces. */
GX_CHECK bool gx_array_describe(const gx_array *a, gx_buf *out);
/* The type object that names the namespace: numpy.ndarray, cupy.ndarray, gx.ndarray. All have
   gx_type_array as their base. */
const gx_type *gx_array_type(gx_namespace ns);

/* x[key] and x[key] = value with NumPy's basic, fancy and boolean indexing. Full integer indexing
   gives a NumPy scalar. */
GX_CHECK bool gx_array_get(gx_rt *rt, gx_array *a, gx_borrowed key, gx_value *out);
GX_CHECK bool gx_array_set(gx_rt *rt, gx_array *a, gx_borrowed key, gx_borrowed value);
/* a.take along an axis by an int64 array of any shape, indices checked (mode raise). */
GX_CHECK bool gx_take_axis(gx_rt *rt, gx_array *a, gx_array *indices, int axis, gx_array **out);
/* Coordinates of the true elements: an int64 array with a row for each of them, in C order, or in
   Fortran order ('F'). */
GX_CHECK bool gx_nonzero(gx_rt *rt, gx_array *a, char order, gx_array **out);
/* --- pending values (runtime/graph) --- */
/* Computes everything pending; what a clock does before it reads the time. */
GX_CHECK bool gx_lazy_flush(gx_rt *rt);
/* As gx_lazy_flush, without waiting for a GPU to do it. */
GX_CHECK bool gx_lazy_start(gx_rt *rt);
/* Checks what may fail by its data (end of a statement inside try or with). */
GX_CHECK bool gx_lazy_checkpoint(gx_rt *rt);
/* The pending error gives way to one that a GPU met before it and has not told yet. */
void gx_lazy_first_error(gx_rt *rt);
/* The engine: made after gx_heap_new, freed before gx_heap_free. */
GX_CHECK bool gx_engine_new(gx_rt *rt);
void gx_engine_free(gx_rt *rt);

/* The operations of whole arrays that the types of arrays and scalars need, as they lie above
   (runtime/op); gx_operations_open sets rt->ops. */
typedef struct gx_array_ops {
    gx_try (*binary)(gx_rt *, gx_binop, gx_borrowed a, gx_borrowed b, gx_value *out);
    gx_try (*inplace)(gx_rt *, gx_binop, gx_borrowed a, gx_borrowed b, gx_value *out);
    gx_try (*unary)(gx_rt *, gx_unop, gx_borrowed a, gx_value *out);
    gx_try (*compare)(gx_rt *, gx_cmpop, gx_borrowed a, gx_borrowed b, gx_value *out);
    /* Is any element of an array of bools True? */
    bool (*any)(gx_rt *, gx_array *a, bool *out);
    /* a[mask] where a device does it; *out is NULL where it does not. */
    bool (*select)(gx_rt *, gx_array *a, gx_array *mask, gx_array **out);
    /* A dtype that no name says (gx_record_read). */
    gx_try (*dtype)(gx_rt *, gx_borrowed v, bool align, gx_dtype *out);
} gx_array_ops;

/* The slots of both kinds of types that call them. */
gx_try gx_array_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out);
gx_try gx_array_unary(gx_rt *rt, gx_unop op, gx_borrowed a, gx_value *out);
gx_try gx_array_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out);

/* Its elements are not meant to be read before something is written to it: from empty(). */
void gx_array_blank(gx_array *a);

/* --- elements on the host --- */
/* Makes the value ready and gives the address of the first element, for reading with gx_strides.
   Valid until the array is stored into or dropped. */
GX_CHECK bool gx_array_read(gx_rt *rt, const gx_array *a, const char **data);
/* To be called when an array's bytes came from outside: bools that are neither 0 nor 1 are true. */
void gx_array_from_outside(gx_array *a);
/* An array's value, computed, for somebody else to read where it is: it stays as it is while it is
   lent, whatever is stored into the array. */
typedef struct gx_lent {
    gx_data *value;
    void *data; /* the first element, on the host or the GPU */
    bool on_gpu;
    int device;
} gx_lent;
GX_CHECK bool gx_array_lend(gx_rt *rt, gx_array *a, gx_lent *out);
void gx_lent_drop(gx_lent *lent);
/* DLPack's name of the device that it would be lent on: its type and number. */
enum { GX_DLPACK_CPU = 1, GX_DLPACK_CUDA = 2 };
void gx_array_dlpack_device(const gx_rt *rt, const gx_array *a, int64_t device[2]);
/* False, with ValueError "assignment destination is read-only", when it is. */
GX_CHECK bool gx_array_writable(gx_rt *rt, const gx_array *a);
/* Makes the value ready and its bytes this storage's alone, for writing in place (libraries, fancy
   stores). ValueError "assignment destination is read-only". */
GX_CHECK bool gx_array_write(gx_rt *rt, gx_array *a, char **data);
/* One element by byte offset from gx_array_read's address is (dtype *)(data + at). */
/* The element of a 0-d or one-element array. */
GX_CHECK bool gx_array_item(gx_rt *rt, const gx_array *a, gx_scalar *out);
/* The element at flat C-order position i (0 <= i < count). */
GX_CHECK bool gx_array_item_at(gx_rt *rt, const gx_array *a, int64_t i, gx_scalar *out);

/* --- memory maps (map.c) --- */
/* An array whose elements are the bytes from `offset` on of a file open as fd, which must reach
   that far. mode: 'r' or 'c', whose stores stay in memory ('r' arrays are read-only), or '+', whose
   stores go into the file. ValueError when the bytes do not lie where elements may. */
GX_CHECK bool gx_array_map(gx_rt *rt, int fd, int64_t offset, char mode, gx_dtype d, int ndim,
                           const int64_t *shape, char order, gx_namespace ns, gx_array **out);
/* May a file's bytes at this offset be mapped as elements? */
bool gx_array_can_map(const gx_rt *rt, int64_t offset, gx_dtype d);
/* Is the array a view of a mapped file? */
bool gx_array_is_mapped(const gx_array *a);
/* Waits until the file has what was stored; nothing for other arrays. */
GX_CHECK bool gx_array_flush(gx_rt *rt, gx_array *a);

/* --- storing --- */
/* dst[...] = src, broadcast and cast (unsafe, as NumPy's assignment). */
GX_CHECK bool gx_array_store(gx_rt *rt, gx_array *dst, gx_array *src);
/* The same where src has `holders` owners if nobody will read it again: its expression may then be
   computed into dst. */
GX_CHECK bool gx_array_store_of(gx_rt *rt, gx_array *dst, gx_array *src, uint32_t holders);
/* dst[...] = one element of dst's dtype. */
GX_CHECK bool gx_array_fill(gx_rt *rt, gx_array *dst, const gx_scalar *s);

#endif
