/* PNG files read: every colour type and depth, interlaced or not. Palettes become their colours and
   depths below 8 bits are spread over 8. Knows bytes, no arrays. Nothing that the file says is
   believed before it was compared with the file's length: n bytes of deflated data are at most 1032
   times as many, and memory is taken for no more. */
#include <string.h>

#include "stdlib/io/image.h"
#include "stdlib/io/npz_int.h"

enum { HEAD = 13, MOST_RATIO = 1032, GREY = 0, RGB = 2, PALETTE = 3, GREY_ALPHA = 4, RGBA = 6 };

typedef struct png {
    gx_rt *rt;
    const char *name;
    int64_t width, height;
    int depth, type, interlaced;
    int samples; /* of a pixel in the file */
    const uint8_t *palette, *alphas;
    int colors, alpha_count;
    gx_buf packed;
    bool has_head, has_end;
} png;

static bool damaged(const png *p, const char *what) {
    return gx_fail(p->rt, GX_ValueError, "image.png", "'%s' is not a PNG file that can be read: %s",
                   p->name, what);
}

static uint32_t u32(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* --- chunks --- */

static bool depth_fits(int type, int depth) {
    bool power = depth == 1 || depth == 2 || depth == 4 || depth == 8 || depth == 16;
    if (type == GREY) return power;
    if (type == PALETTE) return power && depth <= 8;
    return (type == RGB || type == GREY_ALPHA || type == RGBA) && (depth == 8 || depth == 16);
}

static bool read_head(png *p, const uint8_t *d, size_t n) {
    if (p->has_head || n != HEAD) return damaged(p, "its header is wrong");
    p->has_head = true;
    p->width = u32(d);
    p->height = u32(d + 4);
    p->depth = d[8];
    p->type = d[9];
    p->interlaced = d[12];
    if (p->width < 1 || p->height < 1 || p->width > INT32_MAX || p->height > INT32_MAX)
        return damaged(p, "its size is zero or beyond all bounds");
    if (!depth_fits(p->type, p->depth) || d[10] || d[11] || p->interlaced > 1)
        return damaged(p, "its kind of colours is unknown");
    p->samples = p->type == RGB ? 3 : p->type == RGBA ? 4 : p->type == GREY_ALPHA ? 2 : 1;
    return true;
}

static bool read_chunk(png *p, const uint8_t *type, const uint8_t *d, size_t n) {
    if (memcmp(type, "IHDR", 4) == 0) return read_head(p, d, n);
    if (!p->has_head) return damaged(p, "its header is missing");
    if (memcmp(type, "PLTE", 4) == 0) {
        if (n % 3 || n / 3 > 256 || !n) return damaged(p, "its palette is wrong");
        p->palette = d;
        p->colors = (int)(n / 3);
    } else if (memcmp(type, "tRNS", 4) == 0) {
        p->alphas = d;
        p->alpha_count = (int)(n < 256 ? n : 256);
    } else if (memcmp(type, "IDAT", 4) == 0) {
        return !n || gx_buf_add(&p->packed, (const char *)d, n);
    } else if (memcmp(type, "IEND", 4) == 0) {
        p->has_end = true;
    } else if (!(type[0] & 0x20)) {
        return damaged(p, "it has a part that must be understood and is not");
    }
    return true;
}

static bool read_chunks(png *p, const uint8_t *d, size_t n) {
    uint32_t table[GX_CRC_TABLE];
    gx_crc_table(table);
    while (!p->has_end) {
        if (n < 12) return damaged(p, "it ends too early");
        size_t length = u32(d);
        if (length > n - 12) return damaged(p, "it ends too early");
        if (gx_crc(table, 0, d + 4, length + 4) != u32(d + 8 + length))
            return damaged(p, "a checksum is wrong");
        if (!read_chunk(p, d + 4, d + 8, length)) return false;
        d += length + 12;
        n -= length + 12;
    }
    if (p->type == PALETTE && !p->palette) return damaged(p, "its palette is missing");
    if (p->packed.length < 6) return damaged(p, "it has no picture");
    return true;
}

/* --- rows --- */

static int64_t row_bytes(const png *p, int64_t width) {
    return (width * p->samples * p->depth + 7) / 8;
}

static uint8_t paeth(int a, int b, int c) {
    int pa = b - c < 0 ? c - b : b - c, pb = a - c < 0 ? c - a : a - c, pc = a + b - 2 * c;
    if (pc < 0) pc = -pc;
    return (uint8_t)(pa <= pb && pa <= pc ? a : pb <= pc ? b : c);
}

/* A row in place becomes what it was before its filter; above: the row before, or zeros. */
static bool unfilter(const png *p, int filter, uint8_t *row, const uint8_t *above, int64_t n,
                     int step) {
    if (filter > 4) return damaged(p, "a row has an unknown filter");
    for (int64_t i = 0; filter && i < n; i++) {
        int a = i >= step ? row[i - step] : 0, b = above[i], c = i >= step ? above[i - step] : 0;
        int by = filter == 1 ? a : filter == 2 ? b : filter == 3 ? (a + b) / 2 : paeth(a, b, c);
        row[i] = (uint8_t)(row[i] + by);
    }
    return true;
}

/* Sample i of a row, of any depth. */
static unsigned sample(const png *p, const uint8_t *row, int64_t i) {
    if (p->depth == 8) return row[i];
    if (p->depth == 16) return (unsigned)row[2 * i] << 8 | row[2 * i + 1];
    int64_t bit = i * p->depth;
    return (unsigned)row[bit / 8] >> (8 - p->depth - bit % 8) & ((1u << p->depth) - 1);
}

static bool put_color(const png *p, unsigned i, uint8_t *to, int channels) {
    if ((int)i >= p->colors) return damaged(p, "a pixel is beyond the palette");
    memcpy(to, p->palette + 3 * i, 3);
    if (channels == 4) to[3] = (int)i < p->alpha_count ? p->alphas[i] : 255;
    return true;
}

/* Pixel x of a row goes to pixel `at` of the picture. */
static bool put_pixel(const png *p, const uint8_t *row, int64_t x, const gx_image *out,
                      int64_t at) {
    uint8_t *to = out->pixels + at * out->channels * (out->bits / 8);
    if (p->type == PALETTE) return put_color(p, sample(p, row, x), to, out->channels);
    for (int k = 0; k < p->samples; k++) {
        unsigned v = sample(p, row, x * p->samples + k);
        if (p->depth < 8) v = v * 255 / ((1u << p->depth) - 1);
        if (out->bits == 16) {
            uint16_t wide = (uint16_t)v;
            memcpy(to + 2 * k, &wide, 2);
        } else {
            to[k] = (uint8_t)v;
        }
    }
    return true;
}

/* A pass: every by-th pixel from `first` on, of the columns and of the rows. */
typedef struct pass {
    uint8_t x, y, by_x, by_y;
} pass;
static const pass passes[7] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                               {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
static const pass whole = {0, 0, 1, 1};

static int64_t steps(int64_t n, int first, int by) {
    return n > first ? (n - first + by - 1) / by : 0;
}

/* The bytes of all rows with their filters; -1: more than 64 bits can say. */
static int64_t bytes_of(const png *p) {
    int64_t total = 0;
    for (int k = 0; k < (p->interlaced ? 7 : 1); k++) {
        const pass *by = p->interlaced ? &passes[k] : &whole;
        int64_t w = steps(p->width, by->x, by->by_x), h = steps(p->height, by->y, by->by_y), part;
        if (w == 0 || h == 0) continue;
        if (__builtin_mul_overflow(h, row_bytes(p, w) + 1, &part) ||
            __builtin_add_overflow(total, part, &total))
            return -1;
    }
    return total;
}

static bool read_pass(const png *p, const pass *by, uint8_t **at, const uint8_t *zeros,
                      const gx_image *out) {
    int64_t w = steps(p->width, by->x, by->by_x), h = steps(p->height, by->y, by->by_y);
    int64_t n = row_bytes(p, w);
    int step = p->samples * p->depth / 8;
    const uint8_t *above = zeros;
    for (int64_t y = 0; w && y < h; y++) {
        uint8_t *row = *at + 1;
        if (!gx_interrupt_check(p->rt) || !unfilter(p, **at, row, above, n, step ? step : 1))
            return false;
        int64_t line = (by->y + y * by->by_y) * p->width;
        for (int64_t x = 0; x < w; x++)
            if (!put_pixel(p, row, x, out, line + by->x + x * by->by_x)) return false;
        above = row;
        *at += n + 1;
    }
    return true;
}

bool gx_image_alloc(gx_rt *rt, gx_image *out) {
    int64_t pixels, bytes;
    if (__builtin_mul_overflow(out->width, out->height, &pixels) ||
        __builtin_mul_overflow(pixels, (int64_t)out->channels * (out->bits / 8), &bytes))
        return gx_no_memory(rt);
    out->pixels = gx_alloc_zero(rt, (size_t)(bytes ? bytes : 1));
    return out->pixels != NULL;
}

static bool read_rows(png *p, gx_image *out) {
    int64_t total = bytes_of(p), longest = row_bytes(p, p->width);
    size_t packed = p->packed.length - 2;
    if (total < 0 || (uint64_t)total / MOST_RATIO > packed)
        return damaged(p, "it is too short for its size");
    uint8_t *rows = gx_alloc(p->rt, (size_t)total), *zeros = NULL, *at = rows;
    bool ok = rows && (zeros = gx_alloc_zero(p->rt, (size_t)longest + 1)) &&
              gx_inflate(p->rt, p->name, p->packed.data + 2, packed, rows, (size_t)total) &&
              gx_image_alloc(p->rt, out);
    for (int k = 0; ok && k < (p->interlaced ? 7 : 1); k++)
        ok = read_pass(p, p->interlaced ? &passes[k] : &whole, &at, zeros, out);
    gx_free(p->rt, rows);
    gx_free(p->rt, zeros);
    return ok;
}

bool gx_png_read(gx_rt *rt, const char *name, const uint8_t *data, size_t n, gx_image *out) {
    png p = {.rt = rt, .name = name, .packed = gx_buf_new(rt)};
    gx_image r = {0};
    bool ok = (n >= 8 && memcmp(data, "\x89PNG\r\n\x1a\n", 8) == 0) ||
              damaged(&p, "its signature is missing");
    ok = ok && read_chunks(&p, data + 8, n - 8);
    if (ok) {
        r.width = p.width;
        r.height = p.height;
        r.bits = p.depth == 16 ? 16 : 8;
        r.channels = p.type != PALETTE ? p.samples : p.alphas ? 4 : 3;
        ok = read_rows(&p, &r);
    }
    gx_buf_free(&p.packed);
    if (ok)
        *out = r;
    else
        gx_free(rt, r.pixels);
    return ok;
}
