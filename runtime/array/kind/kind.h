/* Elements that are no numbers: fixed text, dates, records. Their dtypes are made while a program
   runs: rows of gx_dtypes from GX_DTYPES on, one for each family and parameter, made once and never
   changed, so that a dtype stays a number that is compared, kept and passed on by value.

   Below the array there are only numbers. The storage of such an array holds unsigned numbers: an
   element is a few of these words side by side. What moves elements (views, copies, stores, index
   arrays, joining, files) moves words along one more axis, on every device (gx_array_words and
   gx_array_of_words_take); no graph, tape or backend ever sees such a dtype. What an element means
   is its family's. */
#ifndef GX_RUNTIME_ARRAY_KIND_KIND_H
#define GX_RUNTIME_ARRAY_KIND_KIND_H

#include "runtime/array/array.h"

/* What the elements of a family can do. `d` is the dtype's row. */
typedef enum gx_family_tag {
    GX_FAMILY_STR,
    GX_FAMILY_BYTES,
    GX_FAMILY_VOID,     /* records, whose scalars are numpy.void */
    GX_FAMILY_RECORD,   /* or numpy.record */
    GX_FAMILY_SUBARRAY, /* fields of records that are arrays */
    GX_FAMILY_DATE,
    GX_FAMILY_SPAN
} gx_family_tag;
typedef struct gx_family {
    gx_family_tag tag;
    const char *what; /* "text": for messages */
    const gx_type *type; /* of the elements */
    uint8_t number, alignment; /* dtype.num, dtype.alignment */
    /* An element as a value: numpy's scalar, or with `plain` Python's (tolist, item). Of text both
       are Python's. */
    bool (*value)(gx_rt *rt, const gx_dtype_info *d, const char *from, bool plain, gx_value *out);
    /* The element of an array without axes as a view of it, where elements are such. */
    bool (*element)(gx_rt *rt, gx_array *a, gx_value *out);
    /* dst[...] = src of one dtype, where not every byte of an element is part of it. */
    bool (*store)(gx_rt *rt, gx_array *dst, gx_array *src);
    /* Any value as an element: what is stored, and each value of a list. */
    bool (*put)(gx_rt *rt, const gx_dtype_info *d, gx_borrowed v, char *to);
    /* As it stands in an array that is printed. */
    bool (*write)(gx_rt *rt, const gx_dtype_info *d, const char *from, gx_buf *out);
    /* dtype.str. NULL: the name. */
    bool (*code)(const gx_dtype_info *d, gx_buf *out);
    /* Are two elements equal? NULL: where neither comes before the other. */
    bool (*equal)(const gx_dtype_info *da, const char *a, const gx_dtype_info *db, const char *b);
    /* The order of two elements, of this family's dtypes: negative, 0, positive. */
    int (*order)(const gx_dtype_info *da, const char *a, const gx_dtype_info *db, const char *b);
    /* The parameter that holds what `parameter` holds (-1: nothing yet) and v, too. */
    bool (*meet)(gx_rt *rt, gx_borrowed v, int64_t parameter, int64_t *out);
    /* The dtype that holds both. NO: there is none. */
    gx_try (*promote)(gx_rt *rt, gx_dtype a, gx_dtype b, gx_dtype *out);
    /* n elements converted, one of the dtypes this family's. NO: by value and put. */
    gx_try (*cast)(gx_rt *rt, const gx_dtype_info *from, const char *data,
                   const gx_dtype_info *to, char *out, int64_t n);
    /* May every value of `from` be held by `to`, which is of this family? `same`: are both of one
       sort, so that the cast may lose something ("same_kind")? */
    bool (*holds)(gx_dtype from, gx_dtype to, bool *same);
    gx_dtype (*of)(gx_rt *rt, int64_t parameter); /* GX_NO_DTYPE: the error is set */
} gx_family;

extern const gx_family gx_family_str, gx_family_bytes;

/* Is an element of d no number? */
static inline bool gx_is_kind(int d) {
    return GX_UNLIKELY(d > GX_NO_DTYPE);
}
static inline bool gx_of_family(int d, gx_family_tag tag) {
    return gx_is_kind(d) && gx_dtypes[d].family->tag == tag;
}
/* Text of code points or of bytes? */
static inline bool gx_is_text(int d) {
    return gx_of_family(d, GX_FAMILY_STR) || gx_of_family(d, GX_FAMILY_BYTES);
}
/* The row of a dtype, made at its first use: family, parameter and name say which. GX_NO_DTYPE: too
   many of them. more: from gx_row_memory, for the row, which is the process's and no context's, or
   dropped. */
void *gx_row_memory(size_t bytes);
void gx_row_drop(void *memory);
gx_dtype gx_dtype_make(gx_rt *rt, const gx_family *family, int64_t parameter, char letter,
                       int64_t bytes, const char *name);
gx_dtype gx_dtype_make_take(gx_rt *rt, const gx_family *family, int64_t parameter, char letter,
                            int64_t bytes, const char *name, void *more);
/* Text of so many code points, of so many bytes; 0: of as many as are needed. */
gx_dtype gx_str_dtype(gx_rt *rt, int64_t chars);
gx_dtype gx_bytes_dtype(gx_rt *rt, int64_t bytes);
/* 'U3', 'S', … NO: another name. */
gx_try gx_kind_by_name(gx_rt *rt, const char *name, gx_dtype *out);
/* gx_can_cast of dtypes of which one or both are such. */
bool gx_kind_can_cast(gx_dtype from, gx_dtype to, gx_casting rule);
/* gx_promote of any two dtypes; TypeError where none holds both. */
GX_CHECK bool gx_promote_any(gx_rt *rt, gx_dtype a, gx_dtype b, gx_dtype *out);
/* Is d a text as wide as it needs to be? Then *d becomes the width that a's elements need. */
GX_CHECK bool gx_kind_settle(gx_rt *rt, const gx_array *a, gx_dtype *d);

/* A view of n arrays of one item size as words, with an axis of them behind the others. */
GX_CHECK bool gx_array_words(gx_rt *rt, int n, gx_array *const *a, gx_array **words);
/* The array whose words these are; takes the reference. */
GX_CHECK bool gx_array_of_words_take(gx_rt *rt, gx_array *words, gx_dtype d, gx_array **out);
/* The numbers that the words of a fresh array of d are. */
gx_dtype gx_kind_word(gx_dtype d);

/* array.c's and store.c's steps for such dtypes. */
GX_CHECK bool gx_kind_copy(gx_rt *rt, gx_array *a, gx_dtype d, char order, gx_namespace ns,
                           gx_array **out);
GX_CHECK bool gx_kind_store(gx_rt *rt, gx_array *dst, gx_array *src);
/* Is it a text without a width, or a date without a unit: what its elements need? */
bool gx_kind_is_open(gx_dtype d);
/* What has no width yet: its elements have the least that they can have. */
GX_CHECK bool gx_kind_open(gx_rt *rt, gx_dtype *d);

/* Any element as a value, and a value as an element of any dtype. */
GX_CHECK bool gx_any_value(gx_rt *rt, gx_dtype d, const char *from, bool plain, gx_value *out);
GX_CHECK bool gx_any_put(gx_rt *rt, gx_dtype d, gx_borrowed v, char *to);
/* n elements of any dtypes converted. */
GX_CHECK bool gx_any_cast(gx_rt *rt, gx_dtype from, const char *data, gx_dtype to, char *out,
                          int64_t n);
/* Two elements of any dtypes that hold their like: negative, 0, positive; NaN is the last. */
int gx_any_order(gx_dtype da, const char *a, gx_dtype db, const char *b);
bool gx_any_equal(gx_dtype da, const char *a, gx_dtype db, const char *b);
GX_CHECK bool gx_kind_value(gx_rt *rt, gx_dtype d, const char *from, bool plain, gx_value *out);
/* The element of an array of one, as a value. */
GX_CHECK bool gx_kind_element(gx_rt *rt, const gx_array *a, bool plain, gx_value *out);

/* The i-th element of any array in C order, as numpy's scalar. */
GX_CHECK bool gx_array_nth(gx_rt *rt, const gx_array *a, int64_t i, gx_value *out);

/* a op b element by element, a or b of such a dtype. NO: neither has a meaning beside the other. */
gx_try gx_kind_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out);
/* a + b of texts, one behind the other. NO: one of them is no text. */
gx_try gx_kind_add(gx_rt *rt, gx_borrowed a, gx_borrowed b, gx_value *out);
/* The stable order of the n elements of a C-contiguous array: *out is int64 and has n. */
GX_CHECK bool gx_kind_order(gx_rt *rt, const gx_array *a, gx_array **out);
/* The rank of each element among the distinct ones, int64 (1-d), and where each distinct one stands
   first. */
GX_CHECK bool gx_kind_ranks(gx_rt *rt, const gx_array *a, gx_array **ranks, gx_array **firsts);
/* TypeError: an operation that has no meaning for such elements; always false. */
bool gx_kind_refuse(gx_rt *rt, gx_dtype d, const char *name);

/* --- text.c --- */
/* The length of a text without the zeros at its end. */
int64_t gx_text_length(const gx_dtype_info *d, const char *from);

#endif
