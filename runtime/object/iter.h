/* Iterators over sequences, and what sequences share. */
#ifndef GX_RUNTIME_OBJECT_ITER_H
#define GX_RUNTIME_OBJECT_ITER_H

#include "runtime/object/object.h"

/* An iterator over a list, tuple, str, bytes, range or anything with length and get. */
typedef struct gx_seq_iterator {
    gx_container head;
    gx_value over; /* UNDEF: exhausted */
    int64_t at;    /* next index; str: next byte */
    int64_t step;  /* -1: backwards */
} gx_seq_iterator;

/* The `iter` slot of sequences. */
bool gx_seq_iter(gx_rt *rt, gx_borrowed v, gx_value *out);
/* reversed(v) of a sequence. */
GX_CHECK bool gx_seq_reversed(gx_rt *rt, gx_borrowed v, gx_value *out);
/* How many items an iterator over a built-in sequence has still to give; 0: none, or only running a
   script's code could tell. */
int64_t gx_seq_left(gx_rt *rt, gx_borrowed iterator);
/* seq * n in either order; GX_TRY_NO: the other operand is no integer. */
gx_try gx_sequence_repeat(gx_rt *rt, gx_borrowed a, gx_borrowed b,
                          bool (*repeat)(gx_rt *, gx_borrowed v, int64_t n, gx_value *out),
                          gx_value *out);
/* Is the order of two things (negative, 0, positive) what op asks for? */
bool gx_order_result(gx_cmpop op, int order);
/* Compares two lists or tuples item by item. */
gx_try gx_items_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out);
/* An index into the items of a list or tuple, which are counted once __index__ has run: wraps a
   negative one; IndexError with `what` ("list index"), TypeError. */
GX_CHECK bool gx_items_index(gx_rt *rt, gx_borrowed owner, gx_borrowed key, const char *what,
                             const char *type, int64_t *out);
/* As gx_items_index, of n items whose number nothing can change. */
GX_CHECK bool gx_sequence_index(gx_rt *rt, gx_borrowed key, int64_t n, const char *what,
                                const char *type, int64_t *out);

#endif
