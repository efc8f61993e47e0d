/* The kernels that sort, search, select and count compile, for every width and kind of elements.
   Skipped, with a line saying so, where NVRTC is not installed. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "runtime/backend/cuda/state_int.h"
#include "runtime/backend/gpu/order_int.h"

static const uint8_t dtypes[] = {GX_bool, GX_i8,  GX_u8,  GX_i16, GX_u16, GX_i32,
                                 GX_u32,  GX_i64, GX_u64, GX_f16, GX_f32, GX_f64};

static gx_cuda_compiler *open_or_skip(gx_rt *rt, const char *test) {
    gx_cuda_compiler *n = gx_alloc_zero(rt, sizeof *n);
    cr_assert_not_null(n);
    n->rt = rt;
    if (gx_cuda_compiler_open(n)) return n;
    fprintf(stderr, "%s is skipped: %s\n", test, rt->error.message);
    gx_error_clear(rt);
    gx_free(rt, n);
    return NULL;
}

/* Compiles the kernels of a key and looks for an entry. */
static void compile(gx_cuda_compiler *n, const gx_order_key *key, const char *entry) {
    gx_buf source = gx_buf_new(n->rt), code = gx_buf_new(n->rt);
    cr_assert(gx_order_source(n->rt, key, &source));
    bool ok = gx_cuda_compile(n, "sm_80", gx_buf_text(&source), &code);
    cr_assert(ok, "%s of %s: %.2000s", entry, gx_dtypes[key->dtype].name,
              ok ? "" : n->rt->error.message);
    cr_assert_not_null(memmem(code.data, code.length, entry, strlen(entry)));
    gx_buf_free(&source);
    gx_buf_free(&code);
}

static gx_order_key key_of(gx_order_part part, uint8_t dtype, uint8_t width) {
    gx_order_key key;
    memset(&key, 0, sizeof key);
    key.part = (uint8_t)part;
    key.dtype = dtype;
    key.item = (uint8_t)gx_dtypes[dtype].bytes;
    key.width = width;
    return key;
}

static void compile_sorts(gx_cuda_compiler *n, uint8_t dtype) {
    gx_order_key key = key_of(GX_ORDER_WORDS, dtype, 4);
    int bytes = gx_dtypes[dtype].bytes;
    key.word = bytes == 8 ? 8 : 4;
    key.numbers = 1;
    compile(n, &key, "gx_to_words");
    key = key_of(GX_ORDER_WORDS, dtype, 1);
    key.packed = 2;
    key.word = 8;
    if (bytes < 8) compile(n, &key, "gx_from_words");
    key = key_of(GX_ORDER_ROWS, dtype, 1);
    key.log_width = 11;
    key.log_places = 11;
    compile(n, &key, "gx_sort_rows");
    key = key_of(GX_ORDER_NUMBERS, dtype, 1);
    key.word = bytes == 8 ? 8 : 4;
    compile(n, &key, "gx_give_index");
    key = key_of(GX_ORDER_NANS, dtype, 1);
    if (gx_dtypes[dtype].kind == GX_KIND_FLOAT) compile(n, &key, "gx_turn_row");
}

static void compile_others(gx_cuda_compiler *n, uint8_t dtype) {
    uint8_t width = (uint8_t)(16 / gx_dtypes[dtype].bytes);
    gx_order_key key = key_of(GX_ORDER_SEARCH, dtype, 1);
    key.right = 1;
    key.what = dtype;
    compile(n, &key, "gx_search_each");
    key.dtype = GX_f64;
    if (dtype != GX_f16) compile(n, &key, "gx_search_each");
    key = key_of(GX_ORDER_SELECT, dtype, width);
    key.ranks = 3;
    compile(n, &key, "gx_pick_digit");
    key = key_of(GX_ORDER_EXTENT, dtype, width);
    compile(n, &key, "gx_find_ends");
    key = key_of(GX_ORDER_RUNS, dtype, 1);
    compile(n, &key, "gx_write_runs");
    key = key_of(GX_ORDER_BINS, dtype, width);
    compile(n, &key, "gx_fill_bins");
    key.count = 1;
    if (gx_dtypes[dtype].kind < GX_KIND_FLOAT) compile(n, &key, "gx_bin_words");
    key = key_of(GX_ORDER_WEIGH, GX_f64, 1);
    compile(n, &key, "gx_sum_weights");
}

Test(cuda_order, kernels_compile, .timeout = 280) {
    gx_rt *rt = gx_rt_new();
    gx_cuda_compiler *n = open_or_skip(rt, "kernels_compile");
    if (n) {
        for (size_t i = 0; i < sizeof dtypes; i++) {
            compile_sorts(n, dtypes[i]);
            compile_others(n, dtypes[i]);
        }
        gx_order_key key = key_of(GX_ORDER_NUMBERS, GX_f64, 1);
        key.item = 16;
        key.word = 8;
        for (key.which = 0; key.which < 3; key.which++) compile(n, &key, "gx_part_words");
        gx_free(rt, n);
    }
    gx_rt_free(rt);
}
