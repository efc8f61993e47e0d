/* Compressed texts: what is compressed comes back, at every edge of the format, and damaged bytes
   neither write beyond the text nor read beyond themselves (each stands at the end of its memory,
   behind which there is a fence). */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/base/compressed/compressed.h"
#include "stdlib/library/texts.h"
#include "tools/compress/compress.h"

/* Memory of `size` bytes whose end is the end of a page; the next may not be touched. */
typedef struct fenced {
    char *base, *bytes;
    size_t all;
} fenced;

static fenced fence(size_t size) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (size + page - 1) / page * page;
    fenced f = {.all = room + page};
    f.base = mmap(NULL, f.all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(f.base, MAP_FAILED);
    cr_assert_eq(mprotect(f.base + room, page, PROT_NONE), 0);
    f.bytes = f.base + room - size;
    return f;
}

static void unfence(fenced f) {
    munmap(f.base, f.all);
}

static bool decompress(const unsigned char *bytes, size_t size, size_t length,
                       const char *expected) {
    fenced from = fence(size), to = fence(length);
    if (size) memcpy(from.bytes, bytes, size);
    const gx_compressed compressed = {(const unsigned char *)from.bytes, size, length};
    bool ok = gx_decompress(&compressed, to.bytes);
    if (ok && expected) cr_assert_eq(memcmp(to.bytes, expected, length), 0);
    unfence(from);
    unfence(to);
    return ok;
}

/* Compresses, decompresses, compares; the compressed size. */
static size_t round_trip(const char *text, size_t length) {
    unsigned char *compressed = malloc(length + 1), *again = malloc(length + 1);
    const size_t size = gx_compress(text, length, compressed);
    cr_assert_leq(size, length);
    cr_assert_eq(gx_compress(text, length, again), size);
    cr_assert_eq(memcmp(compressed, again, size), 0, "the same text gives other bytes");
    cr_assert(decompress(compressed, size, length, text), "a text of %zu bytes", length);
    free(compressed);
    free(again);
    return size;
}

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

Test(compressed, short_texts) {
    char text[64];
    for (size_t n = 0; n <= sizeof text; n++) {
        for (size_t i = 0; i < n; i++) text[i] = 'a';
        round_trip(text, n);
        for (size_t i = 0; i < n; i++) text[i] = (char)('a' + i % 3);
        round_trip(text, n);
        for (size_t i = 0; i < n; i++) text[i] = (char)(i * 37 + 200);
        cr_assert_eq(round_trip(text, n), n, "what does not repeat is copied");
    }
}

/* Counts at the ends of their fields: 6, 7, 7 + 254, 7 + 255 … literals; matches likewise. */
Test(compressed, counts_at_their_edges) {
    enum { MOST = 1400 };
    char text[2 * MOST + 8];
    for (size_t literals = 0; literals < 800; literals += literals < 12 ? 1 : 83) {
        for (size_t repeats = 0; repeats < 600; repeats += repeats < 24 ? 1 : 47) {
            uint32_t state = 1;
            for (size_t i = 0; i < literals; i++) text[i] = (char)next_random(&state);
            memset(text + literals, 'x', repeats);
            round_trip(text, literals + repeats);
        }
    }
    for (size_t n = 1; n < MOST; n += n < 530 ? 1 : 61) { /* the whole text again */
        uint32_t state = (uint32_t)n;
        for (size_t i = 0; i < n; i++) text[i] = text[i + n] = (char)next_random(&state);
        size_t size = round_trip(text, 2 * n);
        if (n > 20) cr_assert_lt(size, n + n / 8 + 8);
    }
}

/* What repeats so far back as the format can say, and one byte farther. */
Test(compressed, distances_at_their_edges) {
    const size_t distances[] = {GX_COMPRESSED_NEAR - 1, GX_COMPRESSED_NEAR, GX_COMPRESSED_NEAR + 1,
                                GX_COMPRESSED_FAR - 1,  GX_COMPRESSED_FAR,  GX_COMPRESSED_FAR + 1};
    for (size_t k = 0; k < sizeof distances / sizeof *distances; k++) {
        const size_t n = distances[k] + 40;
        char *text = malloc(n);
        uint32_t state = 7;
        memset(text, 'x', n);
        for (size_t i = 0; i < 40; i++) text[i] = (char)next_random(&state);
        for (size_t i = distances[k]; i < n; i++) text[i] = text[i - distances[k]];
        const size_t size = round_trip(text, n);
        for (size_t i = distances[k]; i < n; i++) text[i] = (char)next_random(&state);
        const size_t without = round_trip(text, n); /* a repeat */
        if (distances[k] > GX_COMPRESSED_FAR) cr_assert_eq(size, without);
        else cr_assert_lt(size, without - 30);
        free(text);
    }
}

Test(compressed, the_library) {
    const gx_compressed *text = gx_library_text_python_datetime;
    char *bytes = malloc(text->length);
    cr_assert_lt(text->size, text->length / 2);
    cr_assert(gx_decompress(text, bytes));
    cr_assert_null(memchr(bytes, 0, text->length));
    cr_assert_eq(round_trip(bytes, text->length), text->size);
    free(bytes);
}

Test(compressed, wrong_bytes) {
    const struct {
        const char *what, *bytes;
        size_t size, length;
    } wrong[] = {
        {"nothing", "", 0, 3},
        {"a step and no literals", "\x40", 1, 9},
        {"literals beyond the bytes", "\x60" "ab", 3, 9},
        {"literals beyond the text", "\x60" "abc", 4, 2},
        {"no more of a count", "\xe0", 1, 9},
        {"a count that does not end", "\xe0\xff\xff\xff", 4, 2000},
        {"no distance", "\x20" "a", 2, 9},
        {"half a distance", "\x30" "a\x00", 3, 9},
        {"a match before the text", "\x20" "a\x01", 3, 9},
        {"a match at the start", "\x00\x00", 2, 9},
        {"a match beyond the text", "\x26" "a\x00", 3, 9},
        {"a long match beyond the text", "\x2f" "a\x00\xff\xff\x00", 6, 99},
        {"bytes left over", "\x20" "a" "z", 3, 1},
        {"a text too short", "\x21" "a\x00", 3, 6},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_assert_not(
            decompress((const unsigned char *)wrong[i].bytes, wrong[i].size, wrong[i].length, NULL),
            "%s", wrong[i].what);
}

/* Each byte of a compressed text changed, each shorter one, each other length; and noise. */
Test(compressed, damaged_texts) {
    enum { LENGTH = 1500 };
    const gx_compressed *whole = gx_library_text_python_datetime;
    char *text = malloc(whole->length);
    unsigned char compressed[LENGTH], noise[64];
    uint32_t state = 5;
    cr_assert(gx_decompress(whole, text));
    const size_t size = gx_compress(text, LENGTH, compressed);
    for (size_t i = 0; i < size; i++) {
        const unsigned char right = compressed[i];
        for (unsigned bit = 0; bit < 8; bit++) {
            compressed[i] = right ^ (unsigned char)(1u << bit);
            decompress(compressed, size, LENGTH, NULL);
        }
        compressed[i] = right;
        cr_assert_not(decompress(compressed, i, LENGTH, NULL), "%zu of %zu bytes", i, size);
    }
    for (size_t n = size + 1; n < 2 * LENGTH; n++)
        cr_assert_eq(decompress(compressed, size, n, NULL), n == LENGTH);
    for (int round = 0; round < 20000; round++) {
        const size_t bytes = 1 + next_random(&state) % sizeof noise;
        for (size_t i = 0; i < bytes; i++) noise[i] = (unsigned char)next_random(&state);
        decompress(noise, bytes, next_random(&state) % 300, NULL);
    }
    free(text);
}
