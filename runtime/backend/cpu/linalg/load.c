/* Copies between strided memory and contiguous blocks: how broadcast, transposed and sliced arrays
   reach the loops, which see contiguous elements only. A region has nr rows of nc elements; rs and
   cs are byte strides, 0 for broadcasting, negative for reversed arrays. Nothing here knows dtypes,
   only bytes an element (gx_cpu_unit). */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif
#include "runtime/backend/cpu/cpu_int.h"

#include <string.h>

typedef struct item16 {
    uint64_t half[2];
} item16;

/* Elements are only as aligned as the script's arrays: copied through memcpy. */
#define ROW_COPIES(T, name)                                                                        \
    static void load_##name(char *dst, const char *src, int64_t n, int64_t step) {                 \
        for (int64_t i = 0; i < n; i++) {                                                          \
            T v;                                                                                   \
            memcpy(&v, src + i * step, sizeof v);                                                  \
            memcpy(dst + i * (int64_t)sizeof v, &v, sizeof v);                                     \
        }                                                                                          \
    }                                                                                              \
    static void store_##name(char *dst, const char *src, int64_t n, int64_t step) {                \
        for (int64_t i = 0; i < n; i++) {                                                          \
            T v;                                                                                   \
            memcpy(&v, src + i * (int64_t)sizeof v, sizeof v);                                     \
            memcpy(dst + i * step, &v, sizeof v);                                                  \
        }                                                                                          \
    }                                                                                              \
    /* Strides that the compiler knows become moves and shuffles of vectors. */                    \
    static void back_##name(char *restrict dst, const char *restrict src, int64_t n) {             \
        for (int64_t i = 0; i < n; i++)                                                            \
            memcpy(dst + i * (int64_t)sizeof(T), src - i * (int64_t)sizeof(T), sizeof(T));         \
    }                                                                                              \
    static void second_##name(char *restrict dst, const char *restrict src, int64_t n) {           \
        for (int64_t i = 0; i < n; i++)                                                            \
            memcpy(dst + i * (int64_t)sizeof(T), src + 2 * i * (int64_t)sizeof(T), sizeof(T));     \
    }                                                                                              \
    static void fill_##name(char *dst, const char *one, int64_t n, int64_t step) {                 \
        T v;                                                                                       \
        memcpy(&v, one, sizeof v);                                                                 \
        if (step == (int64_t)sizeof v)                                                             \
            for (int64_t i = 0; i < n; i++) memcpy(dst + i * (int64_t)sizeof v, &v, sizeof v);     \
        else                                                                                       \
            for (int64_t i = 0; i < n; i++) memcpy(dst + i * step, &v, sizeof v);                  \
    }                                                                                              \
    /* Few columns, many rows: no call a row. */                                                   \
    static void narrow_##name(char *dst, const char *src, int64_t nr, int64_t nc, int64_t rs,      \
                              int64_t cs) {                                                        \
        for (int64_t r = 0; r < nr; r++) {                                                         \
            const char *from = src + r * rs;                                                       \
            for (int64_t c = 0; c < nc; c++) {                                                     \
                memcpy(dst, from + c * cs, sizeof(T));                                             \
                dst += sizeof(T);                                                                  \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    /* Columns are contiguous in memory: reads run down each, four at a time. */                   \
    static void turn_##name(char *dst, const char *src, int64_t nr, int64_t nc, int64_t rs,        \
                            int64_t cs) {                                                          \
        int64_t pitch = nc * (int64_t)sizeof(T), c = 0;                                            \
        for (; c + 4 <= nc; c += 4) {                                                              \
            const char *from = src + c * cs;                                                       \
            char *to = dst + c * (int64_t)sizeof(T);                                               \
            for (int64_t r = 0; r < nr; r++, from += rs, to += pitch) {                            \
                T v[4];                                                                            \
                memcpy(&v[0], from, sizeof(T));                                                    \
                memcpy(&v[1], from + cs, sizeof(T));                                               \
                memcpy(&v[2], from + 2 * cs, sizeof(T));                                           \
                memcpy(&v[3], from + 3 * cs, sizeof(T));                                           \
                memcpy(to, v, sizeof v);                                                           \
            }                                                                                      \
        }                                                                                          \
        for (; c < nc; c++)                                                                        \
            for (int64_t r = 0; r < nr; r++)                                                       \
                memcpy(dst + r * pitch + c * (int64_t)sizeof(T), src + r * rs + c * cs,            \
                       sizeof(T));                                                                 \
    }

ROW_COPIES(uint8_t, 1)
ROW_COPIES(uint16_t, 2)
ROW_COPIES(uint32_t, 4)
ROW_COPIES(uint64_t, 8)
ROW_COPIES(item16, 16)

#define BY_ITEM(verb, ...)                                                                         \
    switch (unit.bytes) {                                                                          \
    case 1: verb##_1(__VA_ARGS__); break;                                                          \
    case 2: verb##_2(__VA_ARGS__); break;                                                          \
    case 4: verb##_4(__VA_ARGS__); break;                                                          \
    case 8: verb##_8(__VA_ARGS__); break;                                                          \
    default: verb##_16(__VA_ARGS__); break;                                                        \
    }

static int64_t magnitude(int64_t x) {
    return x < 0 ? -x : x;
}

/* Bytes backwards, eight at a time. */
static void back_bytes(char *restrict dst, const char *restrict src, int64_t n) {
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t v;
        memcpy(&v, src - i - 7, sizeof v);
        v = __builtin_bswap64(v);
        memcpy(dst + i, &v, sizeof v);
    }
    back_1(dst + i, src - i, n - i);
}

/* The same row again and again: the copy doubles. */
static void repeat_row(char *dst, int64_t row_bytes, int64_t nr) {
    int64_t have = row_bytes, want = row_bytes * nr;
    while (have < want) {
        int64_t n = have < want - have ? have : want - have;
        memcpy(dst + have, dst, (size_t)n);
        have += n;
    }
}

static void load_row(char *dst, const char *src, gx_cpu_unit unit, int64_t n, int64_t step) {
    int item = unit.bytes;
    if (step == item) memcpy(dst, src, (size_t)(n * item));
    else if (step == 0) BY_ITEM(fill, dst, src, n, item)
    else if (item == 1 && step == -1) back_bytes(dst, src, n);
    else if (step == -item) BY_ITEM(back, dst, src, n)
    else if (step == 2 * item) BY_ITEM(second, dst, src, n)
    else BY_ITEM(load, dst, src, n, step)
}

void gx_load_region(char *dst, const char *src, gx_cpu_unit unit, int64_t nr, int64_t nc,
                    int64_t rs, int64_t cs) {
    int64_t item = unit.bytes, row = nc * item;
    if (nr == 1) {
        load_row(dst, src, unit, nc, cs);
    } else if (rs == 0) {
        load_row(dst, src, unit, nc, cs);
        repeat_row(dst, row, nr);
    } else if (cs == item && rs == row) {
        memcpy(dst, src, (size_t)(row * nr));
    } else if (nc == 1) {
        load_row(dst, src, unit, nr, rs);
    } else if (cs != item && cs != 0 && magnitude(rs) < magnitude(cs) && nr >= 8) {
        BY_ITEM(turn, dst, src, nr, nc, rs, cs)
    } else if (nc < 16) {
        BY_ITEM(narrow, dst, src, nr, nc, rs, cs)
    } else {
        for (int64_t r = 0; r < nr; r++) load_row(dst + r * row, src + r * rs, unit, nc, cs);
    }
}

static void store_row(char *dst, const char *src, gx_cpu_unit unit, int64_t n, int64_t step) {
    if (step == unit.bytes) {
        if (dst != src) memmove(dst, src, (size_t)(n * unit.bytes));
    } else {
        BY_ITEM(store, dst, src, n, step)
    }
}

void gx_store_region(char *dst, const char *src, gx_cpu_unit unit, int64_t nr, int64_t nc,
                     int64_t rs, int64_t cs) {
    int64_t item = unit.bytes, row = nc * item;
    if (nr == 1 || (cs == item && rs == row)) {
        store_row(dst, src, unit, nr * nc, cs);
    } else if (nc == 1) {
        store_row(dst, src, unit, nr, rs);
    } else if (magnitude(rs) < magnitude(cs)) {
        /* Down the columns, so that writes stay in a cache line. */
        for (int64_t c = 0; c < nc; c++)
            for (int64_t r = 0; r < nr; r++)
                memcpy(dst + r * rs + c * cs, src + (r * nc + c) * item, (size_t)item);
    } else {
        for (int64_t r = 0; r < nr; r++) store_row(dst + r * rs, src + r * row, unit, nc, cs);
    }
}

void gx_fill_region(char *dst, const char *one, gx_cpu_unit unit, int64_t nr, int64_t nc,
                    int64_t rs, int64_t cs) {
    if (nr > 1 && cs * nc == rs) {
        nc *= nr;
        nr = 1;
    }
    for (int64_t r = 0; r < nr; r++) BY_ITEM(fill, dst + r * rs, one, nc, cs)
}
