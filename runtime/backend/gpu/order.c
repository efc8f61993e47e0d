/* Searching, ranks, extents and runs (kernels/ranks.cu); the texts of these kernels and of those
   that sort.c and bins.c use. */
#include <string.h>

#include "kernels/device_text.h"
#include "runtime/backend/gpu/order_int.h"

/* --- texts --- */

static const char *word_type(int bytes) {
    return bytes == 1   ? "unsigned char"
           : bytes == 2 ? "unsigned short"
           : bytes == 4 ? "unsigned"
           : bytes == 8 ? "unsigned long long"
                        : "ulonglong2";
}

static bool add_numbers(const gx_order_key *k, gx_buf *out) {
    gx_emit e = {.out = out, .ok = true};
    gx_emit_text(&e, "#define GX_FN static __device__ __forceinline__\n");
    if (gx_is_half(k->dtype)) gx_emit_half(&e, k->dtype);
    gx_emit_text(&e, "typedef %s N;\ntypedef %s F;\n#define GX_NUMBER(x) %s%s(x))\n",
                 gx_emit_stored((gx_dtype)k->dtype),
                 gx_order_in_float((gx_dtype)k->dtype) ? "float" : "double",
                 gx_dtypes[k->dtype].half, gx_is_half(k->dtype) ? "_wide(" : "((F)");
    if (k->count) gx_emit_text(&e, "#define GX_COUNT 1\n");
    return e.ok;
}

/* What is looked for, and its bits as those that it is compared with. */
static bool add_what(const gx_order_key *k, gx_buf *out) {
    bool same = k->what == k->dtype;
    return gx_buf_printf(out, "typedef %s N;\n#define GX_AS_T(x) %s\n",
                         same ? word_type(gx_dtypes[k->dtype].bytes)
                              : gx_emit_stored((gx_dtype)k->what),
                         same ? "(x)" : "((T)__double_as_longlong((double)(x)))");
}

bool gx_order_source(gx_rt *rt, const void *arg, gx_buf *out) {
    static const char *const parts[] = {"WORDS",  "NUMBERS", "NANS", "ROWS", "SEARCH",
                                        "SELECT", "EXTENT",  "BINS", "WEIGH", "RUNS"};
    const gx_order_key *k = arg;
    int bytes = gx_dtypes[k->dtype].bytes, kind = gx_dtypes[k->dtype].kind;
    bool floats = kind == GX_KIND_FLOAT;
    int fraction = gx_dtypes[k->dtype].fraction;
    unsigned long long quiet = fraction ? 1ULL << (fraction - 1) : 0;
    unsigned long long infinite = (1ULL << (8 * bytes - 1)) - (quiet << 1);
    const char *suffix = bytes == 2 ? "" : bytes == 4 ? "u" : "ull";
    (void)rt;
    return gx_buf_printf(out, "#define GX_%s 1\ntypedef %s T;\ntypedef %s W;\ntypedef %s E;\n"
                              "#define BITS %d\n#define KIND %d\n",
                         parts[k->part], word_type(bytes), word_type(k->word ? k->word : 4),
                         word_type(k->item ? k->item : bytes), 8 * bytes,
                         floats ? 2 : kind == GX_KIND_INT ? 1 : 0) &&
           gx_buf_printf(out, "#define INFINITE 0x%llx%s\n#define QUIET 0x%llx%s\n",
                         infinite, suffix, infinite | quiet, suffix) &&
           gx_buf_printf(out, "#define PACKED %d\n#define PART %d\n#define V %d\n#define M %d\n"
                              "#define RIGHT %d\n#define EQUAL_NAN %d\n"
                              "#define WIDTH %uu\n#define PLACES %uu\n",
                         k->packed, k->which, k->width ? k->width : 1, k->ranks, k->right,
                         k->equal_nan, 1u << k->log_width, 1u << k->log_places) &&
           (!k->numbers || gx_buf_puts(out, "#define NUMBERS 1\n")) &&
           (k->part != GX_ORDER_BINS || add_numbers(k, out)) &&
           (k->part != GX_ORDER_SEARCH || add_what(k, out)) &&
           gx_buf_puts(out, gx_device_text_order) &&
           (k->part < GX_ORDER_SEARCH || gx_buf_puts(out, gx_device_text_ranks));
}

/* --- those that are compiled with gx --- */

static bool add_text(gx_gpu_texts *l, gx_order_key key, gx_order_part part, int word, int width) {
    key.part = (uint8_t)part;
    key.word = (uint8_t)word;
    key.width = (uint8_t)width;
    return gx_gpu_text(l, &key);
}

/* Sorting (sort.c): words alone and with numbers, of one row and of rows together. */
static bool add_sorts(gx_gpu_texts *l, gx_order_key key) {
    const int item = key.item;
    for (int width = 1; width <= 4; width += 3) {
        gx_order_key numbered = key;
        numbered.numbers = 1;
        if (!add_text(l, numbered, GX_ORDER_WORDS, item, width)) return false;
        numbered.packed = item == 4 ? 2 : 0;
        if (item == 4 && !add_text(l, numbered, GX_ORDER_WORDS, 8, width)) return false;
        numbered.numbers = 0;
        if (item == 4 && !add_text(l, numbered, GX_ORDER_WORDS, 8, width)) return false;
    }
    if (!add_text(l, key, GX_ORDER_NUMBERS, item, 1) ||
        (item == 4 && !add_text(l, key, GX_ORDER_NUMBERS, 8, 1)))
        return false;
    if (gx_dtypes[key.dtype].kind == GX_KIND_FLOAT && !add_text(l, key, GX_ORDER_NANS, 4, 1))
        return false;
    for (int log = 2; log <= 11; log++) {
        key.log_width = (uint8_t)log;
        key.log_places = (uint8_t)(log > 10 ? log : 10);
        if (!add_text(l, key, GX_ORDER_ROWS, 4, 1)) return false;
    }
    return true;
}

/* Searching, ranks (of a median, of one and of two quantiles), extents, bins, weights, runs. */
static bool add_others(gx_gpu_texts *l, const gx_order_key *plain) {
    static const uint8_t ranks[] = {1, 2, 3, 5};
    const bool floats = gx_dtypes[plain->dtype].kind == GX_KIND_FLOAT;
    for (int turn = 0; turn < 2; turn++) {
        const int width = turn ? 16 / plain->item : 1;
        gx_order_key key = *plain;
        key.what = key.dtype;
        key.right = (uint8_t)turn;
        if (!add_text(l, key, GX_ORDER_SEARCH, 0, 1)) return false;
        key = *plain;
        if (!add_text(l, key, GX_ORDER_EXTENT, 0, width) ||
            !add_text(l, key, GX_ORDER_BINS, 0, width))
            return false;
        for (size_t i = 0; i < sizeof ranks; i++) {
            key.ranks = ranks[i];
            if (!add_text(l, key, GX_ORDER_SELECT, 0, width)) return false;
        }
        key = *plain;
        key.count = 1;
        if (!floats && !add_text(l, key, GX_ORDER_BINS, 0, width)) return false;
        key = *plain;
        key.equal_nan = (uint8_t)turn;
        if ((floats || turn) && !add_text(l, key, GX_ORDER_RUNS, 0, 1)) return false;
    }
    return !floats || add_text(l, *plain, GX_ORDER_WEIGH, 0, 1);
}

/* Bytes (bools, and pictures): sorted and counted; the random words that a permutation goes by. */
static bool add_unsigned(gx_gpu_texts *l) {
    const gx_order_key bytes = {.dtype = GX_u8, .item = 1}, words = {.dtype = GX_u32, .item = 4};
    gx_order_key packed = bytes, count = bytes, numbered = words;
    packed.packed = count.count = numbered.numbers = 1;
    return add_text(l, packed, GX_ORDER_WORDS, 2, 4) &&
           add_text(l, bytes, GX_ORDER_EXTENT, 0, 16) && add_text(l, count, GX_ORDER_BINS, 0, 16) &&
           add_text(l, bytes, GX_ORDER_BINS, 0, 16) &&
           add_text(l, numbered, GX_ORDER_WORDS, 4, 4) &&
           add_text(l, words, GX_ORDER_NUMBERS, 4, 1);
}

bool gx_order_texts(gx_gpu_texts *l) {
    for (int i = 0; i < GX_USUAL; i++) {
        const gx_elements e = {.dtype = (gx_dtype)gx_gpu_usual[i]};
        gx_order_key key = gx_order_key_of(&e, GX_ORDER_WORDS), sorts = key;
        sorts.item = (uint8_t)gx_dtypes[e.dtype].bytes;
        key.item = sorts.item;
        if (!add_sorts(l, sorts) || !add_others(l, &key)) return false;
    }
    return add_unsigned(l);
}

bool gx_order_launch(gx_gpu *g, const gx_order_key *key, const char *entry, int64_t blocks,
                     int shared, const void *params, size_t bytes) {
    gx_gpu_kernel *k;
    return gx_gpu_kernel_get(g, gx_gpu_family_ORDER(), key, sizeof *key, entry, key, &k) &&
           gx_gpu_launch(g, k, blocks, GX_GPU_THREADS, shared, params, bytes);
}

uint8_t gx_order_width(gx_gpu_ptr at, int64_t rows, int64_t n, int item) {
    int64_t row = rows > 1 ? n * item : 0;
    return (uint8_t)(((int64_t)at | row) % 16 == 0 ? 16 / item : 1);
}

gx_order_key gx_order_key_of(const gx_elements *e, gx_order_part part) {
    gx_order_key key;
    memset(&key, 0, sizeof key);
    key.part = (uint8_t)part;
    key.dtype = (uint8_t)e->dtype;
    key.width = 1;
    return key;
}

int64_t gx_order_blocks(const gx_gpu *g, int64_t n, int64_t a_block) {
    int64_t blocks = (n + a_block - 1) / a_block, most = (int64_t)g->units * 8;
    return blocks < most ? blocks : most;
}

/* --- searching --- */

typedef struct search_params {
    gx_gpu_ptr among, what, to;
    int64_t n, count;
} search_params;

static bool search(gx_device *d, const gx_elements *among, const gx_elements *what, bool right,
                   gx_buffer *to) {
    gx_order_key key = gx_order_key_of(among, GX_ORDER_SEARCH);
    search_params p = {gx_order_address(among), gx_order_address(what), gx_gpu_address(to),
                       among->n, what->n};
    key.right = right;
    key.what = (uint8_t)what->dtype;
    return gx_order_launch(gx_gpu_of(d), &key, "gx_search_each", (what->n + 255) / 256, 0, &p,
                           sizeof p);
}

/* --- ranks --- */

enum { DIGIT = 11, TABLE_BYTES = 4 << DIGIT };

typedef struct select_params {
    gx_gpu_ptr from, tables, begins, ranks, to;
    int64_t n;
    int32_t m, blocks, low, wide;
} select_params;

/* Room for the tables, beginnings and ranks of all passes, and the first of them filled in. */
static bool open_select(gx_gpu *g, int64_t rows, int m, int item, int passes,
                        const int64_t *ranks, select_params *p, gx_buffer **room) {
    int64_t each = rows * m, tables = each * TABLE_BYTES * passes;
    int64_t begins = (each * item * (passes + 1) + 15) / 16 * 16;
    int64_t *all = gx_alloc(g->base.rt, (size_t)each * sizeof *all);
    if (!all) return false;
    for (int64_t i = 0; i < each; i++) all[i] = ranks[i % m];
    bool ok = gx_gpu_scratch(g, tables + begins + each * 8 * (passes + 1), room);
    if (ok) {
        p->tables = gx_gpu_address(*room);
        p->begins = p->tables + (gx_gpu_ptr)tables;
        p->ranks = p->begins + (gx_gpu_ptr)begins;
        ok = gx_gpu_fill(g, p->tables, 0, tables + begins) &&
             gx_gpu_upload(g, p->ranks, all, each * 8);
    }
    gx_free(g->base.rt, all);
    return ok;
}

static bool select_ranks(gx_device *d, const gx_elements *from, int64_t rows, int m,
                         const int64_t *ranks, gx_buffer *to) {
    gx_gpu *g = gx_gpu_of(d);
    gx_buffer *room = NULL;
    gx_order_key key = gx_order_key_of(from, GX_ORDER_SELECT);
    int item = gx_dtypes[from->dtype].bytes, bits = 8 * item, passes = (bits + DIGIT - 1) / DIGIT;
    int64_t n = from->n / rows, each = rows * m;
    select_params p = {.from = gx_order_address(from), .to = gx_gpu_address(to), .n = n, .m = m};
    key.ranks = (uint8_t)m;
    key.width = gx_order_width(p.from, rows, n, item);
    int64_t most = (int64_t)g->units * 4, blocks = (n + 8191) / 8192;
    if (blocks * rows > most) blocks = rows >= most ? 1 : (most + rows - 1) / rows;
    p.blocks = (int32_t)blocks;
    bool ok = open_select(g, rows, m, item, passes, ranks, &p, &room);
    for (int high = bits; ok && high > 0; high = p.low) {
        p.low = high > DIGIT ? high - DIGIT : 0;
        p.wide = high - p.low;
        ok = gx_order_launch(g, &key, "gx_count_digits", rows * blocks, m * TABLE_BYTES, &p,
                             sizeof p) &&
             gx_order_launch(g, &key, "gx_pick_digit", each, 0, &p, sizeof p);
        p.tables += (gx_gpu_ptr)(each * TABLE_BYTES);
        p.begins += (gx_gpu_ptr)(each * item);
        p.ranks += (gx_gpu_ptr)(each * 8);
    }
    gx_buffer_drop(room);
    return ok;
}

static bool takes_ranks(gx_device *d, int64_t rows, int64_t n, int m) {
    enum { MOST_RANKS = 6, LONG = 16384, MOST_TABLES = 1 << 12 };
    (void)d;
    return m <= MOST_RANKS && n >= LONG && n <= UINT32_MAX && rows * m <= MOST_TABLES;
}

/* A sorted row is a partitioned one. */
static bool part(gx_device *d, const gx_elements *from, int64_t rows, int64_t kth, gx_buffer *to,
                 gx_buffer *index) {
    (void)kth;
    return gx_gpu_sort(d, from, rows, to, index);
}

/* --- extents --- */

typedef struct extent_params {
    gx_gpu_ptr from, ends;
    int64_t n;
} extent_params;

/* The element of a key, as kernels/order.cu has it. */
static gx_scalar element_of(gx_dtype d, uint64_t key) {
    gx_scalar e = {.bits = {0, 0}};
    int bits = 8 * gx_dtypes[d].bytes, kind = gx_dtypes[d].kind;
    uint64_t top = UINT64_C(1) << (bits - 1), all = top | (top - 1);
    if (kind == GX_KIND_FLOAT) key = key == all ? all ^ top : key & top ? key ^ top : ~key & all;
    else if (kind == GX_KIND_INT) key ^= top;
    memcpy(&e, &key, (size_t)bits / 8);
    return e;
}

static bool extent(gx_device *d, const gx_elements *from, gx_scalar *low, gx_scalar *high) {
    gx_gpu *g = gx_gpu_of(d);
    gx_buffer *ends;
    gx_order_key key = gx_order_key_of(from, GX_ORDER_EXTENT);
    uint64_t found[2] = {UINT64_MAX, 0};
    if (!gx_gpu_scratch(g, sizeof found, &ends)) return false;
    extent_params p = {gx_order_address(from), gx_gpu_address(ends), from->n};
    key.width = gx_order_width(p.from, 1, from->n, gx_dtypes[from->dtype].bytes);
    bool ok = gx_gpu_upload(g, p.ends, found, sizeof found) &&
              gx_order_launch(g, &key, "gx_find_ends", gx_order_blocks(g, from->n, 4096), 0, &p,
                              sizeof p) &&
              gx_gpu_download(g, found, p.ends, sizeof found);
    gx_buffer_drop(ends);
    if (!ok) return false;
    *high = element_of(from->dtype, found[1]);
    *low = element_of(from->dtype, found[0]);
    int bits = 8 * gx_dtypes[from->dtype].bytes;
    bool nan =
        gx_dtypes[from->dtype].kind == GX_KIND_FLOAT && found[1] == ~UINT64_C(0) >> (64 - bits);
    if (nan) *low = *high;
    return true;
}

/* --- runs --- */

typedef struct runs_params {
    gx_gpu_ptr sorted, counts, before, values, starts, index, first, inverse, lengths;
    int64_t n, blocks;
} runs_params;

enum { RUNS_CHUNK = 8192 };

static gx_gpu_ptr address_or_0(const gx_buffer *b) {
    return b ? gx_gpu_address(b) : 0;
}

/* `before`: the sums of runs before each block and all, then the counts of each block. */
static runs_params runs_of(const gx_runs *r, gx_order_key *key) {
    *key = gx_order_key_of(r->sorted, GX_ORDER_RUNS);
    key->equal_nan = r->equal_nan;
    runs_params p = {.sorted = gx_order_address(r->sorted), .before = address_or_0(r->before),
                     .values = address_or_0(r->values), .lengths = address_or_0(r->lengths),
                     .index = address_or_0(r->index), .first = address_or_0(r->first),
                     .inverse = address_or_0(r->inverse), .n = r->sorted->n};
    p.blocks = (p.n + RUNS_CHUNK - 1) / RUNS_CHUNK;
    p.counts = p.before + (gx_gpu_ptr)(p.blocks + 1) * 8;
    return p;
}

static bool count_runs(gx_device *d, gx_runs *r) {
    gx_gpu *g = gx_gpu_of(d);
    gx_order_key key;
    int64_t blocks = (r->sorted->n + RUNS_CHUNK - 1) / RUNS_CHUNK;
    if (!gx_gpu_scratch(g, (blocks + 1) * 8 + blocks * 4, &r->before)) return false;
    runs_params p = runs_of(r, &key);
    return gx_order_launch(g, &key, "gx_count_runs", blocks, 0, &p, sizeof p) &&
           gx_order_launch(g, &key, "gx_sum_runs", 1, 0, &p, sizeof p) &&
           gx_gpu_download(g, &r->count, p.before + (gx_gpu_ptr)blocks * 8, 8);
}

static bool write_runs(gx_device *d, const gx_runs *r) {
    gx_gpu *g = gx_gpu_of(d);
    gx_buffer *starts = NULL;
    gx_order_key key;
    runs_params p = runs_of(r, &key);
    if (r->lengths) {
        if (!gx_gpu_scratch(g, r->count * 8, &starts)) return false;
        p.starts = gx_gpu_address(starts);
    }
    bool ok = gx_order_launch(g, &key, "gx_write_runs", p.blocks, 0, &p, sizeof p) &&
              (!starts ||
               gx_order_launch(g, &key, "gx_run_lengths", (r->count + 255) / 256, 0, &p, sizeof p));
    gx_buffer_drop(starts);
    return ok;
}

const gx_order_calls gx_gpu_order = {
    .sorts = gx_gpu_can_sort,
    .sort = gx_gpu_sort,
    .part = part,
    .search = search,
    .takes_ranks = takes_ranks,
    .select = select_ranks,
    .takes_bins = gx_gpu_takes_bins,
    .extent = extent,
    .histogram = gx_gpu_histogram,
    .count = gx_gpu_count,
    .weighted_bincount = gx_gpu_weighted_bincount,
    .count_runs = count_runs,
    .write_runs = write_runs,
};
