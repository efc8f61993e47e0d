/* The radix sort, its merging over threads and the selection of ranks, for keys of 8, 16, 32 and 64
   bits (radix.inc), and the order of 64-bit keys. It holds no memory of its own: callers give
   the spare space, so that rows can be sorted inside of tasks. */
#include "runtime/backend/cpu/order/radix_int.h"
#include "runtime/backend/cpu/order/vector_int.h"

#include <string.h>

#include "runtime/backend/loop.h"

/* WIDE: keys worth a thread. SAMPLE and SLACK: a rank lies between sampled keys SLACK places off
   but once in a thousand. */
enum { MOST_PASSES = 4, WIDE = 16384, PIECES = 8, SAMPLE = 2048, SLACK = 75,
       LOOK = GX_WORK_LOOK };

static int bit_width(uint64_t x) {
    return x ? 64 - __builtin_clzll(x) : 0;
}

#define KEY uint8_t
#define BITS 8
#define N(x) byte_##x
#include "runtime/backend/cpu/order/radix.inc"

#define KEY uint16_t
#define BITS 16
#define N(x) short_##x
#include "runtime/backend/cpu/order/radix.inc"

#define KEY uint32_t
#define BITS 32
#define N(x) int_##x
#include "runtime/backend/cpu/order/radix.inc"

#define KEY uint64_t
#define BITS 64
#define N(x) long_##x
#include "runtime/backend/cpu/order/radix.inc"

/* Bytes are counted, not moved. */
static void count_bytes(const gx_rt *rt, gx_dtype d, const uint8_t *src, uint8_t *dst, int64_t n) {
    int64_t count[4][256] = {{0}};
    uint8_t sign = gx_dtypes[d].kind == GX_KIND_INT ? 0x80 : 0;
    GX_LONG_LOOP(rt, i, 0, n / 4)
        for (int k = 0; k < 4; k++) count[k][src[4 * i + k]]++;
    for (int64_t i = n / 4 * 4; i < n; i++) count[0][src[i]]++;
    for (int key = 0; key < 256; key++) {
        uint8_t b = (uint8_t)key ^ sign;
        int64_t many = count[0][b] + count[1][b] + count[2][b] + count[3][b];
        gx_work_fill(rt, dst, b, (size_t)many);
        dst += many;
    }
}

void gx_cpu_radix_row(gx_rt *rt, bool inside, gx_dtype d, const void *src, void *dst, void *spare,
                     int64_t n) {
    switch (gx_dtypes[d].bytes) {
    case 1:
        if (n > 256)
            count_bytes(rt, d, src, dst, n);
        else
            byte_row(rt, inside, d, src, dst, spare, n);
        break;
    case 2:
        short_row(rt, inside, d, src, dst, spare, n);
        break;
    case 4:
        int_row(rt, inside, d, src, dst, spare, n);
        break;
    default:
        long_row(rt, inside, d, src, dst, spare, n);
    }
}

uint64_t *gx_cpu_radix_words(gx_rt *rt, bool inside, uint64_t *x, uint64_t *spare, int64_t n,
                            int low) {
    return long_sort_wide(rt, inside, x, spare, n, low);
}

int64_t gx_cpu_radix_valid(const gx_rt *rt, gx_dtype d, const void *src, int64_t n) {
    switch (gx_dtypes[d].bytes) {
    case 1:
        return byte_valid(rt, d, src, n);
    case 2:
        return short_valid(rt, d, src, n);
    case 4:
        return int_valid(rt, d, src, n);
    default:
        return long_valid(rt, d, src, n);
    }
}

void gx_cpu_radix_select(gx_rt *rt, gx_dtype d, const void *src, int64_t n, int m,
                        const int64_t *ranks, void *out, void *spare) {
    switch (gx_dtypes[d].bytes) {
    case 1:
        byte_select(rt, d, src, n, m, ranks, out, spare);
        break;
    case 2:
        short_select(rt, d, src, n, m, ranks, out, spare);
        break;
    case 4:
        int_select(rt, d, src, n, m, ranks, out, spare);
        break;
    default:
        long_select(rt, d, src, n, m, ranks, out, spare);
    }
}

void gx_cpu_radix_split(const gx_rt *rt, gx_dtype d, const void *src, void *dst, int64_t n,
                       const void *pivot) {
    switch (gx_dtypes[d].bytes) {
    case 1:
        byte_split(rt, d, src, dst, n, *(const uint8_t *)pivot);
        break;
    case 2:
        short_split(rt, d, src, dst, n, *(const uint16_t *)pivot);
        break;
    case 4:
        int_split(rt, d, src, dst, n, *(const uint32_t *)pivot);
        break;
    default:
        long_split(rt, d, src, dst, n, *(const uint64_t *)pivot);
    }
}

/* --- the order of keys: words of a key's topmost bits and its position are sorted --- */

/* Where two keys agree in the bits of the words, the rest decides. False: too much to move. */
static bool settle(const uint64_t *keys, int64_t n, int64_t *index) {
    int64_t moves = 0, most = 24 * n;
    for (int64_t i = 1; i < n; i++) {
        int64_t v = index[i], k = i;
        for (; k > 0 && keys[index[k - 1]] > keys[v]; k--) index[k] = index[k - 1];
        index[k] = v;
        moves += i - k;
        if (moves > most) return false;
    }
    return true;
}

/* Fewer bits than these are sorted by digits. */
enum { VECTOR_BITS = 16 };

/* One round takes all the bits that fit beside the position; `first`: index is not read. */
static void round_of(gx_rt *rt, bool inside, const uint64_t *keys, int64_t n, uint64_t least,
                     int shift, int bits, bool first, int64_t *index, uint64_t *spare) {
    int place = bit_width((uint64_t)n - 1);
    uint64_t *w = spare, mask = (UINT64_C(1) << bits) - 1, at = (UINT64_C(1) << place) - 1;
    GX_LONG_LOOP(rt, i, 0, n)
        w[i] = ((keys[first ? i : index[i]] - least) >> shift & mask) << place | (uint64_t)i;
    if (gx_work_stops(rt)) return;
    if (bits + place < 64 && bits > VECTOR_BITS && gx_cpu_vector_can(rt->device, GX_i64))
        gx_cpu_vector_words(rt, inside, w, spare + n, n);
    else
        w = gx_cpu_radix_words(rt, inside, w, spare + n, n, place);
    if (gx_work_stops(rt)) return; /* words half sorted hold places that are none */
    if (first) {
        GX_LONG_LOOP(rt, i, 0, n) index[i] = (int64_t)(w[i] & at);
        if (w != spare) gx_work_copy(rt, spare, w, (size_t)n * sizeof *w);
        return;
    }
    int64_t *moved = (int64_t *)(w == spare ? spare + n : spare);
    GX_LONG_LOOP(rt, i, 0, n) moved[i] = index[w[i] & at];
    if (!gx_work_stops(rt)) gx_work_copy(rt, index, moved, (size_t)n * sizeof *index);
}

/* What the keys have in common. False: they are in order already. */
static bool differing(const gx_rt *rt, const uint64_t *keys, int64_t n, uint64_t *low,
                      uint64_t *high, uint64_t *bits) {
    uint64_t least = n ? keys[0] : 0, most = least, differ = 0;
    bool ordered = true;
    GX_LONG_LOOP(rt, i, 1, n) {
        least = keys[i] < least ? keys[i] : least;
        most = keys[i] > most ? keys[i] : most;
        differ |= keys[i] ^ keys[0];
        ordered = ordered & (keys[i - 1] <= keys[i]);
    }
    *low = least;
    *high = most;
    *bits = differ;
    return !ordered;
}

void gx_cpu_radix_order(gx_rt *rt, bool inside, const uint64_t *keys, int64_t n, int64_t *index,
                       uint64_t *spare) {
    uint64_t least, most, differ;
    bool ordered = !differing(rt, keys, n, &least, &most, &differ);
    GX_LONG_LOOP(rt, i, 0, n) index[i] = i;
    if (ordered || gx_work_stops(rt) || (n <= 32 && settle(keys, n, index))) return;
    /* Low bits that all keys share tell nothing. */
    int place = bit_width((uint64_t)n - 1), shift = __builtin_ctzll(differ);
    int bits = bit_width((most - least) >> shift), room = 64 - place;
    if (room > 60) room = 60;
    if (room + place > 63) room = 63 - place;
    int drop = bits > room ? bits - room : 0;
    round_of(rt, inside, keys, n, least, shift + drop, bits - drop, true, index, spare);
    if (drop == 0 || gx_work_stops(rt)) return;
    bool ok = true;
    for (int64_t i = 0, steps = 0; ok && i < n;) {
        if (++steps % LOOK == 0 && gx_work_stops(rt)) return;
        int64_t from = i++;
        while (i < n && spare[i] >> place == spare[from] >> place) i++;
        ok = i - from == 1 || settle(keys, i - from, index + from);
    }
    /* Too many alike: from the lowest bits up, every round stable. */
    for (int done = 0; !ok && done < bits && !gx_work_stops(rt); done += room) {
        int take = bits - done < room ? bits - done : room;
        round_of(rt, inside, keys, n, least, shift + done, take, done == 0, index, spare);
    }
}
