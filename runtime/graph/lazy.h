/* Inside of arrays: storages and their immutable values. Seen by runtime/ only.

   A gx_data is a block of bytes, ready or pending. Pending or not it has a layout: `ndim` sizes and
   strides of its virtual buffer, a permutation of contiguous ones; views address it by byte offsets
   in that buffer. A node's inputs are edges: captured values with the map from the node's own index
   space to bytes of the input's virtual buffer. The change from pending to ready is one way and
   drops the inputs.

   A ready value has a copy of its bytes on each device that needed one: runtime/graph/copies.h
   holds them, runtime/graph/place.c makes them.
 */
#ifndef GX_RUNTIME_GRAPH_LAZY_H
#define GX_RUNTIME_GRAPH_LAZY_H

#include "runtime/array/array.h"
#include "runtime/graph/copies.h"
#include "runtime/object/native.h"

typedef enum gx_data_kind {
    GX_DATA_READY,
    GX_DATA_FILL,   /* imm[0] everywhere */
    GX_DATA_IOTA,   /* imm[0] + e * imm[1] at element e of the buffer */
    GX_DATA_RANDOM, /* element e of the stream (seed, counter) */
    GX_DATA_MAP,    /* op of the inputs; op GX_OP_NONE: the input itself, converted */
    GX_DATA_REDUCE, /* red over the last `reduced` dims of the index space */
    GX_DATA_STORE   /* input 0, with input 1 stored over `region` */
} gx_data_kind;

/* An operand: a captured value read through a map, or (data NULL) the scalar imm[k]. */
typedef struct gx_edge {
    gx_data *data;
    int64_t offset;   /* bytes */
    int64_t *strides; /* bytes, over the node's index space; in the node's tail */
    uint8_t dtype;    /* of the elements read */
} gx_edge;

struct gx_data {
    uint32_t refs;   /* owners: storages, edges, and whoever holds it in C */
    uint32_t storages;  /* how many of them are storages */
    uint8_t kind;    /* gx_data_kind */
    uint8_t dtype;   /* of the elements */
    uint8_t compute; /* MAP: of the operands; REDUCE: of the accumulator */
    uint8_t arity;
    uint8_t ndim;    /* of the value */
    uint8_t reduced; /* REDUCE: further dims of the index space */
    uint8_t red;     /* gx_redcode; RANDOM: gx_dist */
    uint8_t reads;   /* times it was recomputed instead of kept */
    uint16_t op;
    uint16_t nodes;  /* pending nodes below, this one included; saturates */
    uint16_t leaves; /* buffers read below */
    uint8_t place;   /* gx_place: where it is computed, and where computations with it take place */
    uint8_t peeks;   /* READY: single elements fetched from a device */
    uint32_t mark;   /* scratch of a walk */
    uint32_t uses;   /* scratch: edges met in a walk */
    gx_rt *rt;
    gx_copies copies; /* READY: of the bytes */
    const int64_t
        bytes;       /* of the virtual buffer; with the shape: runtime/graph/extent.c's to write */
    int64_t held;    /* bytes of buffers kept alive below */
    uint64_t seed, counter; /* RANDOM */
    gx_span origin;
    const int64_t *shape; /* ndim + reduced sizes; STORE: the region's */
    int64_t *layout; /* ndim strides of the virtual buffer; STORE: the region's strides in it */
    /* Pending values only: a READY one that was made ready ends here. */
    gx_edge in[3];
    gx_scalar imm[3];
    int64_t region_offset; /* STORE */
    const gx_inline *fn;   /* MAP, op GX_OP_NONE: its function is applied to the inputs; or NULL */
    int64_t dims[];
};

struct gx_storage {
    uint32_t refs; /* arrays */
    gx_data *data; /* the current value; owned */
    gx_storage *next, *prev; /* the engine's list of storages whose value is pending */
    bool listed;
    bool blank;  /* from empty(): nothing was written to it since */
    bool mapped; /* its value is a part of a file: stores write into those bytes (map.c) */
};

/* Do an array's bools see bytes of another dtype, which may be neither 0 nor 1? What reads them
   takes every byte that is not 0 for true. */
static inline bool gx_array_is_loose(const gx_array *a) {
    return GX_UNLIKELY(a->dtype == GX_bool && a->storage->data->dtype != GX_bool);
}
/* The array itself, or for loose bools a copy of plain ones: for what moves bytes as they are. */
GX_CHECK bool gx_array_strict(gx_rt *rt, gx_array *a, gx_array **out);

/* rt->engine: counters and scratch of the lazy graph. */
typedef struct gx_engine {
    gx_storage pending; /* list head */
    gx_tape *tape;   /* scratch for one plan */
    struct gx_memo *memo; /* scratch: what a plan has emitted */
    uint32_t mark;   /* the current walk */
    int64_t ram;     /* bytes of this machine */
    int64_t checks;  /* takes and launches that the GPU looks at, not yet waited for */
    /* Launches of scripts' kernels that were not asked yet (runtime/kernel/pending.c): `ask` tells
       what they did wrong, once all have ended. NULL: there never was one. */
    struct gx_raw_launched *launched;
    bool (*ask)(gx_rt *rt);
    void (*forget)(gx_rt *rt);
    int64_t outside; /* buffers whose bytes somebody else may change (runtime/array/memory.c) */
    gx_inline *inlines; /* functions of elementwise kernels, all that there were */
    gx_native *op_rows; /* ufuncs as functions, by gx_opcode; made at first use */
    gx_native_fn special_call; /* what calls those of scipy.special, or NULL */
} gx_engine;

/* --- values (lazy.c) --- */
/* A value with room for the dims of its kind; its sizes come from runtime/graph/extent.h, layout
   and edges are the caller's to fill. `space`: dims of the index space; edges get strides of that
   many entries. */
GX_CHECK gx_data *gx_data_new(gx_rt *rt, gx_data_kind kind, gx_dtype d, int ndim, int space,
                              int arity);
void gx_data_drop(gx_data *d);
static inline gx_data *gx_data_keep(gx_data *d) {
    d->refs++;
    return d;
}
/* Once the edges are set: counts nodes, leaves and bytes held. */
void gx_data_count(gx_data *d);
/* Computes a value: afterwards it is READY. */
GX_CHECK bool gx_data_force(gx_rt *rt, gx_data *d);

/* --- storages --- */
/* A storage with one reference; takes over d, also on failure. */
/* gx_array_store of a src that is not read again: its expression may be computed where dst lies. */
GX_CHECK bool gx_array_store_take(gx_rt *rt, gx_array *dst, gx_array *src);
/* Takes a storage off the list of pending ones where it no longer belongs there. */
void gx_storage_unlist(gx_rt *rt, gx_storage *c);
GX_CHECK bool gx_storage_new_take(gx_rt *rt, gx_data *d, gx_storage **out);
void gx_storage_drop(gx_rt *rt, gx_storage *c);
/* The storage's value becomes d (taken over), and policy decides whether it is computed now. */
GX_CHECK bool gx_storage_put_take(gx_rt *rt, gx_storage *c, gx_data *d);
/* Computes the storage's value. */
GX_CHECK bool gx_storage_force(gx_rt *rt, gx_storage *c);

/* An array over a fresh storage that holds d (taken over): shape and layout of d. Policy may
 * compute.
 */
GX_CHECK bool gx_array_of_data_take(gx_rt *rt, gx_data *d, gx_namespace ns, gx_array **out);
/* An array header over a storage (one more reference) whose sizes runtime/graph/extent.h has to
 * fill.
 */
GX_CHECK gx_array *gx_array_head(gx_rt *rt, gx_storage *storage, gx_dtype d, int ndim,
                                 gx_namespace ns);
/* The same of a script's class below ndarray, with `extra` bytes behind its axes. */
GX_CHECK gx_array *gx_array_head_as(gx_rt *rt, const gx_type *type, size_t extra,
                                    gx_storage *storage, gx_dtype d, int ndim, gx_namespace ns);

/* A NumPy scalar whose element is the one of a ready value on the GPU: fetched at first need. */
GX_CHECK bool gx_scalar_later(gx_rt *rt, gx_data *d, gx_value *out);

/* The element of an array of one: a NumPy scalar, that the GPU may still have to compute. */
GX_CHECK bool gx_array_element(gx_rt *rt, const gx_array *a, gx_value *out);

/* --- plans (plan.c) --- */
/* Results of a plan beside the root: other pending values that the same tape computes. */
typedef struct gx_plan {
    gx_data *also[GX_TAPE_OUTS];
    int n_also;
    gx_data *blocker; /* must be computed first; borrowed */
} gx_plan;
typedef enum gx_planned { GX_PLAN_ERROR, GX_PLAN_OK, GX_PLAN_BLOCKED } gx_planned;
/* Makes the tape of a pending value (not STORE) into engine->tape, buffers of outputs not yet set.
   For a STORE: the tape of input 1 over the region. */
gx_planned gx_plan_make(gx_rt *rt, gx_data *root, gx_plan *plan);
/* Merges and drops dims of a tape where every leaf and output allows. */
void gx_tape_collapse(gx_tape *t);

/* Counts, in each value below root, the edges of root's graph that lead to it (`uses`): an owner
   beyond these is outside. */
void gx_count_uses(gx_rt *rt, gx_data *root);

/* Runs a tape on a device and turns its floating-point conditions into warnings: the GPU's later.
   */
GX_CHECK bool gx_tape_run(gx_rt *rt, gx_place place, const gx_tape *t, gx_span origin);

static inline gx_engine *gx_engine_of(gx_rt *rt) {
    return rt->engine;
}
/* A ready value's copy at a place, borrowed; NULL where there is none. */
static inline gx_buffer *gx_data_on(const gx_data *d, gx_place place) {
    return gx_copies_at(&d->copies, place);
}
/* The bytes of a ready value that has a copy on the host. */
static inline char *gx_data_bytes(const gx_data *d) {
    return gx_data_on(d, GX_HOST)->data;
}
/* Are the bytes on the host another's: a file's, or a host program's? */
static inline bool gx_data_is_foreign(const gx_data *d) {
    const gx_buffer *b = gx_data_on(d, GX_HOST);
    return b && b->foreign;
}
/* Where computations with an array take place. */
static inline gx_place gx_array_place(const gx_array *a) {
    return (gx_place)a->storage->data->place;
}
/* A buffer on the host. */
GX_CHECK bool gx_buffer_new(gx_rt *rt, int64_t bytes, gx_buffer **out);

/* --- places (place.c) --- */
/* Where an operation on n arrays takes place: where the first of those beside the host lives. */
static inline gx_place gx_place_near(int n, gx_array *const *a) {
    gx_place place = GX_HOST;
    for (int i = 0; i < n && place == GX_HOST; i++) place = gx_array_place(a[i]);
    return place;
}
static inline gx_device *gx_place_device(const gx_rt *rt, gx_place place) {
    return rt->places[place];
}
/* A buffer at a place. */
GX_CHECK bool gx_buffer_at(gx_rt *rt, gx_place place, int64_t bytes, gx_buffer **out);
/* The buffer of a ready value at a place: its own, borrowed; made and filled when it is missing. */
GX_CHECK bool gx_data_at(gx_rt *rt, gx_data *d, gx_place place, gx_buffer **out);
/* The address of a ready value's bytes on the host. */
GX_CHECK bool gx_data_host(gx_rt *rt, gx_data *d, char **data);
/* The builtin function that runs on the host what it does, where an array has to be fetched for it
   now: its name, or NULL (there is none, or what it makes is the host's). */
const char *gx_at_work(const gx_rt *rt);
/* A few of a ready value's bytes, without fetching all of a big one. */
GX_CHECK bool gx_data_peek(gx_rt *rt, gx_data *d, int64_t at, void *to, size_t bytes);
/* Where a fresh value of so many bytes lives that nothing drew anywhere. */
GX_CHECK bool gx_place_fresh(gx_rt *rt, gx_namespace ns, int64_t bytes, gx_place *out);
/* Decides where a fresh value lives, whose inputs have had their say (gx_data_count), by the
   namespace of its array, which becomes cupy for what a GPU operand drew to the GPU. */
GX_CHECK bool gx_place_choose(gx_rt *rt, gx_data *d, gx_namespace *ns);
/* An array with a storage of its own that has just changed its namespace: its value moves where
   that wants it. */
GX_CHECK bool gx_place_settle(gx_rt *rt, gx_array *a);
/* A mapped storage's bytes are about to be written: whoever else holds its value gets a copy. */
GX_CHECK bool gx_storage_own_map(gx_rt *rt, gx_storage *c);
/* Makes a storage's value ready and its bytes at a place this storage's alone, to be written: other
   copies are dropped. */
GX_CHECK bool gx_storage_own(gx_rt *rt, gx_storage *c, gx_place place, gx_buffer **out);
/* As gx_storage_own, for a value that is about to be written whole: its bytes are anything. */
GX_CHECK bool gx_storage_renew(gx_rt *rt, gx_storage *c, gx_place place, gx_buffer **out);
/* A fresh buffer where b is, with its first bytes (force.c). */
GX_CHECK bool gx_data_copy(gx_rt *rt, const gx_buffer *b, int64_t bytes, gx_buffer **out);
/* An uninitialised array whose bytes are at a place. */
GX_CHECK bool gx_array_empty_at(gx_rt *rt, gx_place place, gx_dtype d, int ndim,
                                const int64_t *shape, gx_namespace ns, gx_array **out);
/* The same with the axes in an order of runtime/array/layout.h. */
GX_CHECK bool gx_array_empty_in(gx_rt *rt, gx_place place, gx_dtype d, int ndim,
                                const int64_t *shape, const int *order, gx_namespace ns,
                                gx_array **out);
/* A fresh buffer with what a STORE leaves of `held`, its old value's; the region is anything. *out
   is NULL where that is more work than computing the expression apart (frame.c). */
GX_CHECK bool gx_store_frame(gx_rt *rt, const gx_data *d, gx_buffer *held, gx_buffer **out);
/* Warnings, and the IndexError, for what finished GPU work met. */
GX_CHECK bool gx_gpu_report(gx_rt *rt);

#endif
