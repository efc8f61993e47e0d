/* Shared by the indexing files: a parsed key, and what it selects. */
#ifndef GX_RUNTIME_ARRAY_INDEX_INT_H
#define GX_RUNTIME_ARRAY_INDEX_INT_H

#include "runtime/graph/lazy.h"

typedef enum gx_pick_kind {
    GX_PICK_INT,
    GX_PICK_SLICE,
    GX_PICK_NEWAXIS,
    GX_PICK_ARRAY
} gx_pick_kind;

/* One part of a key. An ARRAY is int64 with indices wrapped and in range; a boolean mask becomes
   one with `axes` axes consumed (0 for a 0-d mask), counted linearly in C order over them. */
typedef struct gx_pick {
    gx_pick_kind kind;
    int axis;  /* of the array, where it applies */
    int axes;  /* consumed */
    int64_t start, step, count; /* INT: start; SLICE */
    gx_array *index;            /* ARRAY; owned */
    bool late;                  /* ARRAY: neither wrapped nor checked; the device does that */
    bool mask;                  /* ARRAY: it was a mask */
} gx_pick;

typedef struct gx_key {
    int n;
    gx_pick pick[3 * GX_MAX_DIMS + 1];
    bool fancy;    /* has an ARRAY */
    bool scalar;   /* has an array without axes for an integer: what it selects is a copy */
    bool ellipsis; /* was written: full integer indexing then gives a 0-d array */
} gx_key;

/* Parses a key against an array's shape; IndexError and TypeError with what came. */
GX_CHECK bool gx_key_parse(gx_rt *rt, const gx_array *a, gx_borrowed key, gx_key *out);
void gx_key_free(gx_key *k);
/* The view that INT, SLICE and NEWAXIS parts select. */
GX_CHECK bool gx_key_view(gx_rt *rt, gx_array *a, const gx_key *k, gx_array **out);
/* a[key] as a fresh array, and a[key] = value, for keys with ARRAYs. */
GX_CHECK bool gx_fancy_get(gx_rt *rt, gx_array *a, const gx_key *k, gx_array **out);
GX_CHECK bool gx_fancy_set(gx_rt *rt, gx_array *a, const gx_key *k, gx_array *value);
/* An ARRAY pick of indices into an axis of `a`: int64, wrapped and checked, or left to the device
   where both arrays are. */
GX_CHECK bool gx_index_array(gx_rt *rt, const gx_array *a, gx_array *given, int axis, gx_pick *out);
/* IndexError where one of these int64 indices is outside of an axis of `size`. */
GX_CHECK bool gx_index_in_range(gx_rt *rt, gx_array *indices, int axis, int64_t size);
/* Positions of the true elements in C order, int64, 1-D. */
GX_CHECK bool gx_true_positions(gx_rt *rt, gx_array *mask, gx_array **out);

#endif
