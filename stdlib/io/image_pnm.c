/* PBM, PGM and PPM files: a letter and a digit, the sizes, the greatest number, then the numbers as
   text (P1, P2, P3) or as bytes (P4, P5, P6), two for each number above 255. Written raw. Knows
   bytes, no arrays; sizes are compared with the file's length before memory is taken. */
#include <stdio.h>
#include <string.h>

#include "stdlib/io/image.h"
#include "stdlib/io/npz_int.h"

typedef struct pnm {
    gx_rt *rt;
    const char *name;
    const uint8_t *at, *end;
} pnm;

static bool damaged(const pnm *p, const char *what) {
    return gx_fail(p->rt, GX_ValueError, "image.pnm",
                   "'%s' is not a PBM, PGM or PPM file that can be read: %s", p->name, what);
}

static bool is_blank(uint8_t c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Blanks and comments, then a number of at most `most`. */
static bool number(pnm *p, int64_t most, int64_t *out) {
    while (p->at < p->end && (is_blank(*p->at) || *p->at == '#')) {
        if (*p->at == '#')
            while (p->at < p->end && *p->at != '\n') p->at++;
        else
            p->at++;
    }
    if (p->at == p->end) return damaged(p, "it ends too early");
    int64_t v = 0;
    const uint8_t *start = p->at;
    while (p->at < p->end && *p->at >= '0' && *p->at <= '9') {
        v = v * 10 + (*p->at++ - '0');
        if (v > most) return damaged(p, "a number is too large");
    }
    *out = v;
    return p->at > start || damaged(p, "a number is missing");
}

/* A digit of a P1 file needs no blank behind it. */
static bool one_bit(pnm *p, int64_t *out) {
    while (p->at < p->end && is_blank(*p->at)) p->at++;
    if (p->at == p->end || (*p->at != '0' && *p->at != '1')) return damaged(p, "a bit is missing");
    *out = *p->at++ == '0'; /* 1 is black */
    return true;
}

static void put_sample(const gx_image *r, int64_t i, int64_t v) {
    uint16_t wide = (uint16_t)v;
    if (r->bits == 16)
        memcpy(r->pixels + 2 * i, &wide, 2);
    else
        r->pixels[i] = (uint8_t)v;
}

static bool read_text(pnm *p, int kind, int64_t most, const gx_image *r) {
    int64_t n = r->width * r->height * r->channels, v;
    for (int64_t i = 0; i < n; i++) {
        if ((i & 4095) == 4095 && !gx_interrupt_check(p->rt)) return false;
        if (kind == 1 ? !one_bit(p, &v) : !number(p, most, &v)) return false;
        put_sample(r, i, kind == 1 ? 255 * v : v);
    }
    return true;
}

static void read_raw(const pnm *p, int kind, const gx_image *r) {
    int64_t n = r->width * r->height * r->channels, line = (r->width + 7) / 8;
    for (int64_t i = 0; i < n; i++) {
        if (kind == 4) {
            int64_t y = i / r->width, x = i % r->width;
            put_sample(r, i, p->at[y * line + x / 8] >> (7 - x % 8) & 1 ? 0 : 255);
        } else if (r->bits == 16) {
            put_sample(r, i, (int64_t)p->at[2 * i] << 8 | p->at[2 * i + 1]);
        } else {
            put_sample(r, i, p->at[i]);
        }
    }
}

/* The least number of bytes that the rest of the file must have. */
static bool long_enough(const pnm *p, int kind, const gx_image *r) {
    int64_t numbers, bytes = (kind == 4 ? (r->width + 7) / 8 : r->width) * r->height;
    if (__builtin_mul_overflow(bytes, (int64_t)r->channels, &numbers)) return false;
    int64_t there = p->end - p->at;
    if (kind > 4 && r->bits == 16) there /= 2;
    if (kind == 2 || kind == 3) there = (there + 1) / 2; /* a blank between two */
    return there >= numbers;
}

bool gx_pnm_read(gx_rt *rt, const char *name, const uint8_t *data, size_t n, gx_image *out) {
    pnm p = {rt, name, data, data + n};
    gx_image r = {.channels = 1, .bits = 8};
    int64_t most = 1;
    int kind = n > 2 && data[0] == 'P' ? data[1] - '0' : 0;
    if (kind < 1 || kind > 6) return damaged(&p, "it begins with none of P1 … P6");
    p.at += 2;
    if (!number(&p, INT32_MAX, &r.width) || !number(&p, INT32_MAX, &r.height)) return false;
    if (kind % 3 != 1 && !number(&p, 65535, &most)) return false;
    if (most == 0) return damaged(&p, "its greatest number is 0");
    if (kind % 3 == 0) r.channels = 3;
    if (most > 255) r.bits = 16;
    if (r.width == 0 || r.height == 0) return damaged(&p, "its size is zero");
    if (kind > 3 && p.at++ == p.end) return damaged(&p, "it ends too early");
    if (!long_enough(&p, kind, &r)) return damaged(&p, "it is too short for its size");
    if (!gx_image_alloc(rt, &r)) return false;
    if (kind <= 3 && !read_text(&p, kind, most, &r)) {
        gx_free(rt, r.pixels);
        return false;
    }
    if (kind > 3) read_raw(&p, kind, &r);
    *out = r;
    return true;
}

bool gx_pnm_write(const gx_image *image, gx_buf *out) {
    char head[80];
    int64_t n = image->width * image->height * image->channels;
    int length = snprintf(head, sizeof head, "P%d\n%lld %lld\n%d\n", image->channels == 1 ? 5 : 6,
                          (long long)image->width, (long long)image->height,
                          image->bits == 16 ? 65535 : 255);
    if (!gx_buf_add(out, head, (size_t)length)) return false;
    if (image->bits == 8) return !n || gx_buf_add(out, (const char *)image->pixels, (size_t)n);
    for (int64_t i = 0; i < n; i++) {
        uint16_t v;
        memcpy(&v, image->pixels + 2 * i, 2);
        const char big[2] = {(char)(v >> 8), (char)(v & 255)};
        if (!gx_buf_add(out, big, 2)) return false;
    }
    return true;
}
