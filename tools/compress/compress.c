/* The shortest steps for a text: from its end to its start, each position is given the step that
   leaves least to write behind it. */
#include "tools/compress/compress.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/compressed/compressed.h"

enum { HASHES = 1 << 15, TRIES = 1024, LONG = 1024 };

typedef struct choice { /* what is done at a position */
    uint32_t cost;      /* bytes to the end of the text */
    uint32_t length;    /* of a match; 0: a literal */
    uint32_t back;
} choice;

typedef struct compression {
    const unsigned char *text;
    size_t length;
    choice *choices;   /* length + 1 of them */
    int32_t *previous; /* the position before with the same hash, or -1 */
    unsigned char *to;
    size_t size; /* written; may be more than there is room for, which is not written */
} compression;

static uint32_t hash_of(const unsigned char *p) {
    return ((uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2]) * 2654435761u >> 17;
}

static void find_previous(compression *p, int32_t *last) {
    for (size_t i = 0; i < HASHES; i++) last[i] = -1;
    for (size_t i = 0; i + 2 < p->length; i++) {
        const uint32_t h = hash_of(p->text + i);
        p->previous[i] = last[h];
        last[h] = (int32_t)i;
    }
}

static void consider(compression *p, size_t i, uint32_t back, uint32_t longest) {
    const uint32_t far = back > GX_COMPRESSED_NEAR;
    choice *best = &p->choices[i];
    for (uint32_t length = longest; length >= GX_COMPRESSED_LEAST + far; length--) {
        const uint32_t rest = length - GX_COMPRESSED_LEAST - far;
        const uint32_t more =
            rest < GX_COMPRESSED_MATCH ? 0 : 1 + (rest - GX_COMPRESSED_MATCH) / 255;
        const uint32_t cost = 2 + far + more + p->choices[i + length].cost;
        if (cost < best->cost) *best = (choice){cost, length, back};
    }
}

static void choose(compression *p, size_t i) {
    const unsigned char *here = p->text + i;
    const size_t room = p->length - i < LONG ? p->length - i : LONG;
    uint32_t longest = 0;
    int tries = TRIES;
    p->choices[i] = (choice){1 + p->choices[i + 1].cost, 0, 0};
    if (room < GX_COMPRESSED_LEAST) return;
    for (int64_t at = p->previous[i]; at >= 0 && tries-- && longest < room; at = p->previous[at]) {
        const size_t back = i - (size_t)at;
        uint32_t length = 0;
        if (back > GX_COMPRESSED_FAR) break;
        while (length < room && p->text[(size_t)at + length] == here[length]) length++;
        if (length <= longest) continue;
        longest = length;
        consider(p, i, (uint32_t)back, length);
    }
}

static void put_byte(compression *p, unsigned byte) {
    if (p->size < p->length) p->to[p->size] = (unsigned char)byte;
    p->size++;
}

static void put_more(compression *p, size_t rest) {
    for (; rest >= 255; rest -= 255) put_byte(p, 255);
    put_byte(p, (unsigned)rest);
}

/* Literals from `from` to `to`, and the match there; at the end of the text there is none. */
static void put_step(compression *p, size_t from, size_t to) {
    const choice *match = &p->choices[to];
    const bool end = to == p->length, far = !end && match->back > GX_COMPRESSED_NEAR;
    const size_t literals = to - from;
    const size_t rest = end ? 0 : match->length - GX_COMPRESSED_LEAST - far;
    const size_t count = literals < GX_COMPRESSED_LITERALS ? literals : GX_COMPRESSED_LITERALS;
    put_byte(p, (unsigned)(count << 5 | (size_t)far << 4 |
                      (rest < GX_COMPRESSED_MATCH ? rest : GX_COMPRESSED_MATCH)));
    if (count == GX_COMPRESSED_LITERALS) put_more(p, literals - count);
    for (; from < to; from++) put_byte(p, p->text[from]);
    if (end) return;
    put_byte(p, (match->back - 1) & 255);
    if (far) put_byte(p, (match->back - 1) >> 8);
    if (rest >= GX_COMPRESSED_MATCH) put_more(p, rest - GX_COMPRESSED_MATCH);
}

static void put_steps(compression *p) {
    size_t from = 0, at = 0;
    while (at < p->length) {
        if (!p->choices[at].length) {
            at++;
            continue;
        }
        put_step(p, from, at);
        at += p->choices[at].length;
        from = at;
    }
    if (from < at) put_step(p, from, at);
}

size_t gx_compress(const char *text, size_t length, unsigned char *to) {
    compression p = {.text = (const unsigned char *)text, .length = length, .to = to};
    int32_t *last = malloc(HASHES * sizeof *last);
    p.choices = calloc(length + 1, sizeof *p.choices);
    p.previous = calloc(length + 1, sizeof *p.previous);
    if (last && p.choices && p.previous) {
        find_previous(&p, last);
        for (size_t i = length; i-- > 0;) choose(&p, i);
        put_steps(&p);
        if (p.size >= length) {
            memcpy(to, text, length);
            p.size = length;
        }
    }
    free(last);
    free(p.choices);
    free(p.previous);
    return p.size;
}
