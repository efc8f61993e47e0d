/* What sort.c and order.c share: kernels of kernels/order.cu by what decides their text, and the
   library that sorts words (libgxsort.so). */
#ifndef GX_RUNTIME_BACKEND_GPU_ORDER_INT_H
#define GX_RUNTIME_BACKEND_GPU_ORDER_INT_H

#include "kernels/sort.h"
#include "runtime/backend/gpu/emit_int.h"

/* Parts of order.cu. */
typedef enum gx_order_part {
    GX_ORDER_WORDS,
    GX_ORDER_NUMBERS,
    GX_ORDER_NANS,
    GX_ORDER_ROWS,
    GX_ORDER_SEARCH,
    GX_ORDER_SELECT,
    GX_ORDER_EXTENT,
    GX_ORDER_BINS,
    GX_ORDER_WEIGH,
    GX_ORDER_RUNS
} gx_order_part;

/* What decides a kernel's text; all bytes are compared. */
typedef struct gx_order_key {
    uint8_t part;   /* gx_order_part */
    uint8_t dtype;  /* of elements; a complex one's parts are meant */
    uint8_t item;   /* bytes of a whole element */
    uint8_t word;   /* bytes of a word */
    uint8_t packed; /* 1: words hold the sign of a zero, 2: and the row */
    uint8_t numbers;
    uint8_t which;  /* part of a complex element, or 2: its class */
    uint8_t width;  /* elements an access */
    uint8_t ranks, right, count, equal_nan;
    uint8_t log_width, log_places; /* ROWS */
    uint8_t what;                  /* SEARCH: the dtype of what is looked for */
} gx_order_key;

/* The text of a kernel: `key` is a gx_order_key. */
GX_CHECK bool gx_order_source(gx_rt *rt, const void *key, gx_buf *out);
GX_CHECK bool gx_order_launch(gx_cuda *c, const gx_order_key *key, const char *entry,
                              int64_t blocks, int shared, const void *params, size_t bytes);
/* How many elements fit an access of 16 bytes at an address whose rows are n elements long. */
uint8_t gx_order_width(gx_cuda_ptr at, int64_t rows, int64_t n, int item);

static inline gx_cuda_ptr gx_order_address(const gx_elements *e) {
    return gx_cuda_address(e->buf) + (gx_cuda_ptr)e->offset;
}

/* --- the library (sort_library.c) --- */

typedef struct gx_cuda_sorter {
    gx_sort_keys_fn *keys; /* NULL: there is no library */
    gx_sort_pairs_fn *pairs;
} gx_cuda_sorter;

/* Opens the library at the first call; false: it is not there (never an error). */
bool gx_cuda_sorts(gx_cuda *c);
/* Where the library is; false: nowhere. */
bool gx_cuda_sorter_path(char *path, size_t room);
/* The words are sorted; *last: see kernels/sort.h. */
GX_CHECK bool gx_cuda_sort_keys(gx_cuda *c, gx_sort_keys_job *job);
GX_CHECK bool gx_cuda_sort_pairs(gx_cuda *c, gx_sort_pairs_job *job, int *last);

/* --- sorting (sort.c) --- */

/* Words, and the numbers that go along, each in one of two places. */
typedef struct gx_deck {
    gx_buffer *words[2], *numbers[2];
    int word_bytes, at; /* where both are */
} gx_deck;

GX_CHECK bool gx_deck_open(gx_cuda *c, gx_deck *d, int64_t n, int word_bytes);
void gx_deck_close(gx_deck *d);
/* By the bits `low` to `high` - 1 of words; needs the library. */
GX_CHECK bool gx_deck_sort(gx_cuda *c, gx_deck *d, int64_t n, int low, int high);
static inline gx_cuda_ptr gx_deck_words(const gx_deck *d) {
    return gx_cuda_address(d->words[d->at]);
}
static inline gx_cuda_ptr gx_deck_numbers(const gx_deck *d) {
    return gx_cuda_address(d->numbers[d->at]);
}

/* --- bins (bins.c) --- */

bool gx_cuda_histogram(gx_device *d, const gx_elements *from, const gx_bins *bins, gx_buffer *to);
bool gx_cuda_count(gx_device *d, const gx_elements *from, int64_t bins, gx_buffer *to);
bool gx_cuda_weighted_bincount(gx_device *d, const gx_elements *from, const gx_bins *bins,
                   const gx_elements *weights, gx_buffer *to);
/* Are numbers of this dtype compared as float, without changing any? */
bool gx_order_in_float(gx_dtype d);
/* Blocks that go over n elements in turns. */
int64_t gx_order_blocks(const gx_cuda *c, int64_t n, int64_t a_block);
gx_order_key gx_order_key_of(const gx_elements *e, gx_order_part part);

bool gx_cuda_can_sort(gx_device *d, gx_dtype dtype, int64_t rows, int64_t n);
GX_CHECK bool gx_cuda_sort(gx_device *d, const gx_elements *from, int64_t rows, gx_buffer *to,
                           gx_buffer *index);

#endif
