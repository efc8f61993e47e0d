/* PNG files: a signature and chunks, each with a checksum; the rows filtered by their differences
   and deflated by zlib, or stored where zlib is absent. Writes only; knows pixels, no plots. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stdlib/io/image.h"
#include "stdlib/io/npz_int.h"

static bool add_u32(gx_buf *out, uint32_t v) {
    const char bytes[4] = {(char)(v >> 24), (char)(v >> 16 & 255), (char)(v >> 8 & 255),
                           (char)(v & 255)};
    return gx_buf_add(out, bytes, 4);
}

static bool add_chunk(gx_buf *out, const uint32_t *table, const char *type, const char *data,
                      size_t n) {
    if (!add_u32(out, (uint32_t)n) || !gx_buf_add(out, type, 4)) return false;
    if (n && !gx_buf_add(out, data, n)) return false;
    return add_u32(out, gx_crc(table, 0, out->data + out->length - n - 4, n + 4));
}

static uint32_t adler(const uint8_t *p, size_t n) {
    uint32_t a = 1, b = 0;
    while (n) {
        size_t part = n < 5552 ? n : 5552; /* as many as cannot overflow */
        n -= part;
        while (part--) {
            a += *p++;
            b += a;
        }
        a %= 65521;
        b %= 65521;
    }
    return b << 16 | a;
}

/* Deflate's stored blocks: no compression, no library. */
static bool store_blocks(const uint8_t *p, size_t n, gx_buf *out) {
    do {
        size_t part = n < 65535 ? n : 65535;
        const char head[5] = {(char)(n == part), (char)(part & 255), (char)(part >> 8),
                              (char)(~part & 255), (char)(~part >> 8 & 255)};
        if (!gx_buf_add(out, head, 5) || (part && !gx_buf_add(out, (const char *)p, part)))
            return false;
        p += part;
        n -= part;
    } while (n);
    return true;
}

static bool add_stream(gx_rt *rt, const gx_buf *rows, bool packed, gx_buf *out) {
    const uint8_t *data = (const uint8_t *)rows->data;
    const void *piece[2] = {data, data};
    const size_t length[2] = {0, rows->length};
    if (!gx_buf_add(out, "\x78\x01", 2)) return false;
    size_t before = out->length;
    if (packed && !gx_deflate(rt, piece, length, out)) {
        if (rt->error.kind != GX_ImportError) return false;
        gx_error_clear(rt); /* no zlib on this machine */
        out->length = before;
        packed = false;
    }
    if (!packed && !store_blocks(data, rows->length, out)) return false;
    return add_u32(out, adler(data, rows->length));
}

static int paeth(int a, int b, int c) {
    int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/* One row by a filter (0: none, 1: left, 2: above, 4: Paeth); the sum of its differences. */
static int64_t filter_row(int filter, const uint8_t *row, const uint8_t *above, size_t n, int step,
                          uint8_t *to) {
    int64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        int a = i >= (size_t)step ? row[i - (size_t)step] : 0, b = above ? above[i] : 0;
        int c = above && i >= (size_t)step ? above[i - (size_t)step] : 0;
        int by = filter == 1 ? a : filter == 2 ? b : filter == 4 ? paeth(a, b, c) : 0;
        to[i] = (uint8_t)(row[i] - by);
        sum += to[i] < 128 ? to[i] : 256 - to[i];
    }
    return sum;
}

/* The row by the filter whose differences are least: they pack best. */
static bool add_row(const uint8_t *row, const uint8_t *above, size_t n, int step, bool packed,
                    uint8_t *scratch, gx_buf *rows) {
    static const int filters[] = {0, 1, 2, 4};
    int best = 0;
    int64_t least = INT64_MAX;
    for (int i = 0; packed && i < 4; i++) {
        int64_t sum = filter_row(filters[i], row, above, n, step, scratch);
        if (sum < least) {
            least = sum;
            best = filters[i];
        }
    }
    filter_row(best, row, above, n, step, scratch);
    return gx_buf_char(rows, (char)best) && gx_buf_add(rows, (const char *)scratch, n);
}

static bool filtered(gx_rt *rt, const uint8_t *pixels, int width, int height, int channels,
                     bool packed, gx_buf *rows) {
    size_t n = (size_t)width * (size_t)channels;
    uint8_t *scratch = gx_alloc(rt, n ? n : 1);
    bool ok = scratch != NULL;
    for (int i = 0; ok && i < height; i++) {
        const uint8_t *row = pixels + (size_t)i * n;
        ok = add_row(row, i ? row - n : NULL, n, channels, packed, scratch, rows) &&
             gx_interrupt_check(rt);
    }
    gx_free(rt, scratch);
    return ok;
}

static bool add_density(gx_buf *out, const uint32_t *table, double dpi) {
    char unit = 1; /* the metre */
    gx_buf b = gx_buf_new(out->rt);
    uint32_t per_metre = (uint32_t)lround(dpi / 0.0254);
    bool ok = add_u32(&b, per_metre) && add_u32(&b, per_metre) && gx_buf_add(&b, &unit, 1) &&
              add_chunk(out, table, "pHYs", b.data, b.length);
    gx_buf_free(&b);
    return ok;
}

bool gx_png_write(gx_rt *rt, const uint8_t *pixels, int width, int height, int channels, double dpi,
                  bool packed, gx_buf *out) {
    const char kind[5] = {8, (char)(channels == 1 ? 0 : channels == 3 ? 2 : 6), 0, 0, 0};
    uint32_t *table = gx_alloc(rt, GX_CRC_TABLE * sizeof *table);
    if (!table) return false;
    gx_buf head = gx_buf_new(rt), rows = gx_buf_new(rt), packed_rows = gx_buf_new(rt);
    gx_crc_table(table);
    bool ok = gx_buf_add(out, "\x89PNG\r\n\x1a\n", 8) && add_u32(&head, (uint32_t)width) &&
              add_u32(&head, (uint32_t)height) && gx_buf_add(&head, kind, 5) &&
              add_chunk(out, table, "IHDR", head.data, head.length);
    if (ok && dpi > 0) ok = add_density(out, table, dpi);
    ok = ok && filtered(rt, pixels, width, height, channels, packed, &rows) &&
         add_stream(rt, &rows, packed, &packed_rows) &&
         add_chunk(out, table, "IDAT", packed_rows.data, packed_rows.length) &&
         add_chunk(out, table, "IEND", NULL, 0);
    gx_buf_free(&head);
    gx_buf_free(&rows);
    gx_buf_free(&packed_rows);
    gx_free(rt, table);
    return ok;
}

bool gx_base64(const void *data, size_t n, gx_buf *out) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *p = data;
    for (size_t i = 0; i < n; i += 3) {
        size_t left = n - i;
        uint32_t v = (uint32_t)p[i] << 16 | (left > 1 ? (uint32_t)p[i + 1] << 8 : 0) |
                     (left > 2 ? p[i + 2] : 0);
        const char four[4] = {digits[v >> 18], digits[v >> 12 & 63],
                              left > 1 ? digits[v >> 6 & 63] : '=',
                              left > 2 ? digits[v & 63] : '='};
        if (!gx_buf_add(out, four, 4)) return false;
    }
    return true;
}
