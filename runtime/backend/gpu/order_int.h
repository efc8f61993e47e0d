/* What sort.c, order.c and bins.c share: kernels of kernels/order.cu by what decides their text. */
#ifndef GX_RUNTIME_BACKEND_GPU_ORDER_INT_H
#define GX_RUNTIME_BACKEND_GPU_ORDER_INT_H

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

GX_CHECK bool gx_order_launch(gx_gpu *g, const gx_order_key *key, const char *entry,
                              int64_t blocks, int shared, const void *params, size_t bytes);
/* How many elements fit an access of 16 bytes at an address whose rows are n elements long. */
uint8_t gx_order_width(gx_gpu_ptr at, int64_t rows, int64_t n, int item);

static inline gx_gpu_ptr gx_order_address(const gx_elements *e) {
    return gx_gpu_address(e->buf) + (gx_gpu_ptr)e->offset;
}

/* --- sorting (sort.c) --- */

/* Words, and the numbers that go along, each in one of two places. */
typedef struct gx_deck {
    gx_buffer *words[2], *numbers[2];
    int word_bytes, at; /* where both are */
} gx_deck;

GX_CHECK bool gx_deck_open(gx_gpu *g, gx_deck *d, int64_t n, int word_bytes);
void gx_deck_close(gx_deck *d);
/* By the bits `low` to `high` - 1 of words; needs the library. */
GX_CHECK bool gx_deck_sort(gx_gpu *g, gx_deck *d, int64_t n, int low, int high);
static inline gx_gpu_ptr gx_deck_words(const gx_deck *d) {
    return gx_gpu_address(d->words[d->at]);
}
static inline gx_gpu_ptr gx_deck_numbers(const gx_deck *d) {
    return gx_gpu_address(d->numbers[d->at]);
}

/* --- bins (bins.c) --- */

bool gx_gpu_takes_bins(gx_device *d, int64_t n, int64_t bins, bool weighted);
bool gx_gpu_histogram(gx_device *d, const gx_elements *from, const gx_bins *bins, gx_buffer *to);
bool gx_gpu_count(gx_device *d, const gx_elements *from, int64_t bins, gx_buffer *to);
bool gx_gpu_weighted_bincount(gx_device *d, const gx_elements *from, const gx_bins *bins,
                   const gx_elements *weights, gx_buffer *to);
/* Are numbers of this dtype compared as float, without changing any? */
bool gx_order_in_float(gx_dtype d);
/* Blocks that go over n elements in turns. */
int64_t gx_order_blocks(const gx_gpu *g, int64_t n, int64_t a_block);
gx_order_key gx_order_key_of(const gx_elements *e, gx_order_part part);

bool gx_gpu_can_sort(gx_device *d, gx_dtype dtype, int64_t rows, int64_t n);
GX_CHECK bool gx_gpu_sort(gx_device *d, const gx_elements *from, int64_t rows, gx_buffer *to,
                           gx_buffer *index);

#endif
