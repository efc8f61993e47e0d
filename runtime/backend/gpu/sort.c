/* Sorting rows of elements. Short rows are sorted by a network in shared memory (kernels/order.cu);
   long ones by CUB's radix sort of words (the vendor's library), row by row when they are few, else
   all at once with the row in the upper bits. Positions are 32-bit numbers that go along. Elements
   of 8 bytes in many rows and complex ones take several stable passes, the least important first.
 */
#include <string.h>

#include "runtime/backend/gpu/order_int.h"

enum { SHORT_ROW = 2048, FEW_ROWS = 8, LONG_ROW = 1 << 20 };

typedef struct sort_job {
    gx_gpu *g;
    gx_dtype dtype, part; /* part: of complex elements */
    gx_gpu_ptr from;
    int64_t rows, n, total;
    gx_gpu_ptr to, index; /* 0: not wanted */
    int bits;              /* of a part */
} sort_job;

/* The parameters of the kernels: the structs of order.cu. */
typedef struct words_params {
    gx_gpu_ptr from, words, numbers, to, index;
    int64_t n, total;
} words_params;

typedef struct numbers_params {
    gx_gpu_ptr from, words, numbers, to, elements, index;
    int64_t n, total;
} numbers_params;

typedef struct nans_params {
    gx_gpu_ptr row, spare;
    int64_t n;
} nans_params;

typedef struct rows_params {
    gx_gpu_ptr from, to, index;
    int64_t n, rows;
} rows_params;

static int bits_of(int64_t rows) {
    int bits = 0;
    while (bits < 62 && (INT64_C(1) << bits) < rows) bits++;
    return bits;
}

static bool is_complex(const sort_job *j) {
    return gx_dtypes[j->dtype].kind == GX_KIND_CPLX;
}
static bool is_float(const sort_job *j) {
    return gx_dtypes[j->part].kind == GX_KIND_FLOAT;
}

/* --- decks --- */

void gx_deck_close(gx_deck *d) {
    for (int i = 0; i < 2; i++) {
        gx_buffer_drop(d->words[i]);
        gx_buffer_drop(d->numbers[i]);
    }
}

bool gx_deck_open(gx_gpu *g, gx_deck *d, int64_t n, int word_bytes) {
    *d = (gx_deck){.word_bytes = word_bytes};
    for (int i = 0; i < 2; i++)
        if (!gx_gpu_scratch(g, n * word_bytes, &d->words[i]) ||
            !gx_gpu_scratch(g, n * 4, &d->numbers[i])) {
            gx_deck_close(d);
            return false;
        }
    return true;
}

bool gx_deck_sort(gx_gpu *g, gx_deck *d, int64_t n, int low, int high) {
    int other = !d->at, last = 0;
    gx_sort_pairs_job job = {
        .word = d->word_bytes == 8 ? GX_SORT_U64 : GX_SORT_U32,
        .keys = {d->words[d->at]->data, d->words[other]->data},
        .numbers = {(uint32_t *)(void *)d->numbers[d->at]->data,
                    (uint32_t *)(void *)d->numbers[other]->data},
        .n = n,
        .low = low,
        .high = high,
    };
    if (high <= low) return true;
    if (!g->driver->sort_pairs(g, &job, &last)) return false;
    d->at ^= last;
    return true;
}

/* --- kernels --- */

static gx_order_key key_of(const sort_job *j, gx_order_part part) {
    gx_order_key key;
    memset(&key, 0, sizeof key);
    key.part = (uint8_t)part;
    key.dtype = (uint8_t)j->part;
    key.item = (uint8_t)gx_dtypes[j->dtype].bytes;
    key.word = 4;
    key.width = 1;
    return key;
}

static bool run_words(const sort_job *j, const gx_order_key *key, const char *entry,
                      const words_params *p) {
    int64_t a_block = 256 * (int64_t)key->width;
    return gx_order_launch(j->g, key, entry, (p->total + a_block - 1) / a_block, 0, p, sizeof *p);
}

/* A kernel over numbers in their order so far, of n elements from `from` on. */
static bool run_numbers(const sort_job *j, const gx_deck *d, const char *entry, int which,
                        gx_gpu_ptr to, gx_gpu_ptr from, int64_t total) {
    gx_order_key key = key_of(j, GX_ORDER_NUMBERS);
    key.word = (uint8_t)(d->word_bytes ? d->word_bytes : 4);
    key.which = (uint8_t)which;
    numbers_params p = {.from = from, .words = d->words[0] ? gx_deck_words(d) : 0,
                        .numbers = gx_deck_numbers(d), .to = to, .elements = from, .index = to,
                        .n = j->rows == 1 || total == j->n ? total : j->n, .total = total};
    int64_t each = strcmp(entry, "gx_give_index") == 0 ? 1024 : 256;
    return gx_order_launch(j->g, &key, entry, (total + each - 1) / each, 0, &p, sizeof p);
}

/* What was asked for, out of sorted numbers of the elements from `from` on. */
static bool give(const sort_job *j, const gx_deck *d, int64_t first, int64_t total) {
    int item = gx_dtypes[j->dtype].bytes;
    gx_gpu_ptr skip = (gx_gpu_ptr)first;
    return (!j->index ||
            run_numbers(j, d, "gx_give_index", 0, j->index + skip * 8, j->from, total)) &&
           (!j->to || run_numbers(j, d, "gx_give_elements", 0, j->to + skip * (gx_gpu_ptr)item,
                                  j->from + skip * (gx_gpu_ptr)item, total));
}

/* --- short rows --- */

static bool sort_short(const sort_job *j) {
    gx_order_key key = key_of(j, GX_ORDER_ROWS);
    int log = bits_of(j->n);
    key.log_width = (uint8_t)log;
    key.log_places = (uint8_t)(log > 10 ? log : 10);
    int64_t a_block = INT64_C(1) << (key.log_places - log);
    rows_params p = {j->from, j->to, j->index, j->n, j->rows};
    return gx_order_launch(j->g, &key, "gx_sort_rows", (j->rows + a_block - 1) / a_block, 0, &p,
                           sizeof p);
}

/* --- elements alone --- */

static bool native_word(gx_dtype d, gx_sort_word *word) {
    switch ((int)d) {
    case GX_u32: *word = GX_SORT_U32; return true;
    case GX_i32: *word = GX_SORT_I32; return true;
    case GX_f32: *word = GX_SORT_F32; return true;
    case GX_u64: *word = GX_SORT_U64; return true;
    case GX_i64: *word = GX_SORT_I64; return true;
    case GX_f64: *word = GX_SORT_F64; return true;
    default: return false;
    }
}

/* nans with their sign set were put before everything: they go to the end. */
static bool move_nans(const sort_job *j, gx_gpu_ptr row) {
    gx_buffer *spare;
    gx_order_key key = key_of(j, GX_ORDER_NANS);
    if (!gx_gpu_scratch(j->g, j->n * key.item, &spare)) return false;
    nans_params p = {row, gx_gpu_address(spare), j->n};
    int64_t blocks = (j->n + 1023) / 1024, most = j->g->units * 8;
    if (blocks > most) blocks = most;
    bool ok = gx_order_launch(j->g, &key, "gx_keep_row", blocks, 0, &p, sizeof p) &&
              gx_order_launch(j->g, &key, "gx_turn_row", blocks, 0, &p, sizeof p);
    gx_buffer_drop(spare);
    return ok;
}

static bool sort_native(const sort_job *j, gx_sort_word word) {
    gx_gpu_ptr row = (gx_gpu_ptr)(j->n * gx_dtypes[j->dtype].bytes);
    for (int64_t r = 0; r < j->rows; r++) {
        gx_gpu_ptr to = j->to + (gx_gpu_ptr)r * row;
        gx_sort_keys_job job = {
            .word = word,
            .from = (const char *)(uintptr_t)(j->from + (gx_gpu_ptr)r * row),
            .to = (char *)(uintptr_t)to,
            .n = j->n,
            .high = j->bits,
        };
        if (!j->g->driver->sort_keys(j->g, &job)) return false;
        if (is_float(j) && !move_nans(j, to)) return false;
    }
    return true;
}

/* Through words that hold the key, the sign of a zero and the row. */
static bool sort_packed(const sort_job *j, bool with_row) {
    int low = is_float(j), high = low + j->bits + (with_row ? bits_of(j->rows) : 0);
    int64_t at_once = with_row ? j->total : j->n, item = gx_dtypes[j->dtype].bytes;
    gx_order_key key = key_of(j, GX_ORDER_WORDS);
    gx_buffer *words = NULL, *ordered = NULL;
    key.packed = with_row ? 2 : 1;
    key.word = high <= 16 ? 2 : high <= 32 ? 4 : 8;
    bool ok = gx_gpu_scratch(j->g, at_once * key.word, &words) &&
              gx_gpu_scratch(j->g, at_once * key.word, &ordered);
    for (int64_t first = 0; ok && first < j->total; first += at_once) {
        gx_gpu_ptr skip = (gx_gpu_ptr)(first * item);
        words_params p = {.from = j->from + skip, .words = gx_gpu_address(words), .n = j->n,
                          .total = at_once};
        gx_sort_keys_job job = {
            .word = key.word == 2 ? GX_SORT_U16 : key.word == 4 ? GX_SORT_U32 : GX_SORT_U64,
            .from = words->data, .to = ordered->data, .n = at_once, .low = low, .high = high};
        key.width = gx_order_width(p.from, 1, at_once, key.item) > 1 ? 4 : 1;
        ok = run_words(j, &key, "gx_to_words", &p) && j->g->driver->sort_keys(j->g, &job);
        p.words = gx_gpu_address(ordered);
        p.to = j->to + skip;
        key.width = gx_order_width(p.to, 1, at_once, key.item) > 1 ? 4 : 1;
        ok = ok && run_words(j, &key, "gx_from_words", &p);
    }
    gx_buffer_drop(words);
    gx_buffer_drop(ordered);
    return ok;
}

/* --- with numbers --- */

/* Words and numbers of `total` elements, `first` being where they start. */
static bool fill_deck(const sort_job *j, const gx_deck *d, int64_t first, int64_t total,
                      bool with_row) {
    gx_order_key key = key_of(j, GX_ORDER_WORDS);
    words_params p = {.from = j->from + (gx_gpu_ptr)(first * gx_dtypes[j->dtype].bytes),
                      .words = gx_deck_words(d), .numbers = gx_deck_numbers(d), .n = j->n,
                      .total = total};
    key.word = (uint8_t)d->word_bytes;
    key.packed = with_row ? 2 : 0;
    key.numbers = 1;
    key.width = gx_order_width(p.from, 1, total, key.item) > 1 ? 4 : 1;
    return run_words(j, &key, "gx_to_words", &p);
}

static bool order_rows_alone(const sort_job *j) {
    gx_deck d;
    if (!gx_deck_open(j->g, &d, j->n, j->bits == 64 ? 8 : 4)) return false;
    bool ok = true;
    for (int64_t first = 0; ok && first < j->total; first += j->n)
        ok = fill_deck(j, &d, first, j->n, false) && gx_deck_sort(j->g, &d, j->n, 0, j->bits) &&
             give(j, &d, first, j->n);
    gx_deck_close(&d);
    return ok;
}

/* A last pass by the row that elements come from. */
static bool order_by_row(const sort_job *j, gx_deck *d) {
    if (j->rows == 1) return true;
    return run_numbers(j, d, "gx_row_words", 0, 0, j->from, j->total) &&
           gx_deck_sort(j->g, d, j->total, 0, bits_of(j->rows));
}

static bool order_rows_together(const sort_job *j) {
    gx_deck d;
    int low = is_float(j);
    bool one = j->bits <= 32;
    if (!gx_deck_open(j->g, &d, j->total, 8)) return false;
    bool ok = fill_deck(j, &d, 0, j->total, one);
    if (one)
        ok = ok && gx_deck_sort(j->g, &d, j->total, low, low + j->bits + bits_of(j->rows));
    else
        ok = ok && gx_deck_sort(j->g, &d, j->total, 0, j->bits) && order_by_row(j, &d);
    ok = ok && give(j, &d, 0, j->total);
    gx_deck_close(&d);
    return ok;
}

/* By the imaginary part, the real one, the class of nans, the row. */
static bool order_complex(const sort_job *j) {
    gx_deck d;
    if (!gx_deck_open(j->g, &d, j->total, j->bits == 64 ? 8 : 4)) return false;
    bool ok = run_numbers(j, &d, "gx_count_up", 0, 0, j->from, j->total);
    for (int which = 1; which != 3; which = which == 1 ? 0 : which == 0 ? 2 : 3)
        ok = ok && run_numbers(j, &d, "gx_part_words", which, 0, j->from, j->total) &&
             gx_deck_sort(j->g, &d, j->total, 0, which == 2 ? 2 : j->bits);
    ok = ok && order_by_row(j, &d) && give(j, &d, 0, j->total);
    gx_deck_close(&d);
    return ok;
}

/* --- entries --- */

bool gx_gpu_can_sort(gx_device *device, gx_dtype dtype, int64_t rows, int64_t n) {
    if (rows == 0 || n == 0) return false;
    if (n <= SHORT_ROW && gx_dtypes[dtype].kind != GX_KIND_CPLX) return true;
    gx_gpu *g = gx_gpu_of(device);
    return n <= UINT32_MAX / rows && g->driver->sorts(g);
}

bool gx_gpu_sort(gx_device *device, const gx_elements *from, int64_t rows, gx_buffer *to,
                  gx_buffer *index) {
    gx_sort_word word;
    sort_job j = {.g = gx_gpu_of(device),
                  .dtype = from->dtype,
                  .part = from->dtype,
                  .from = gx_order_address(from),
                  .rows = rows,
                  .n = from->n / rows,
                  .total = from->n};
    if (is_complex(&j)) j.part = j.dtype == GX_c64 ? GX_f32 : GX_f64;
    if (to) j.to = gx_gpu_address(to);
    if (index) j.index = gx_gpu_address(index);
    j.bits = gx_dtypes[j.part].bytes * 8;
    if (is_complex(&j)) return order_complex(&j);
    if (j.n <= SHORT_ROW) return sort_short(&j);
    bool alone = rows <= FEW_ROWS || j.n >= LONG_ROW;
    if (index) return alone ? order_rows_alone(&j) : order_rows_together(&j);
    if (!alone) return j.bits == 64 ? order_rows_together(&j) : sort_packed(&j, true);
    return native_word(j.dtype, &word) ? sort_native(&j, word) : sort_packed(&j, false);
}
