/* Digests: MD5, SHA-1, SHA-2, SHA-3, SHAKE and BLAKE2, as their standards say. They know bytes
   alone; digest_object.c shows them to scripts. */
#ifndef GX_STDLIB_PYTHON_FAST_DIGEST_INT_H
#define GX_STDLIB_PYTHON_FAST_DIGEST_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GX_DIGEST_BLOCK = 168, GX_DIGEST_MOST = 64 };

typedef struct gx_digest gx_digest;

typedef struct gx_digest_kind {
    const char *name;
    uint16_t block, bytes; /* of a block, and of the digest; 0: as many as are asked for */
    void (*begin)(gx_digest *d);
    void (*step)(gx_digest *d, const uint8_t *block); /* one block */
    void (*end)(gx_digest *d, uint8_t *out, size_t n);
} gx_digest_kind;

struct gx_digest {
    const gx_digest_kind *kind;
    uint64_t total; /* bytes that came in */
    size_t filled;  /* of the block */
    bool last;      /* BLAKE2: this node is the last of its level */
    uint16_t size;  /* BLAKE2: bytes of the digest that were asked for */
    union {
        uint32_t w[8];
        uint64_t q[25];
    } state;
    uint8_t block[GX_DIGEST_BLOCK];
};

extern const gx_digest_kind gx_digest_kinds[]; /* ends with a name that is NULL */
void gx_digest_begin(gx_digest *d, const gx_digest_kind *kind);
/* BLAKE2 from its block of parameters: 64 bytes (blake2b) or 32 (blake2s). */
void gx_digest_begin_blake(gx_digest *d, const gx_digest_kind *kind, const uint8_t *parameters,
                           bool last);
void gx_digest_add(gx_digest *d, const void *data, size_t n);
/* The digest so far: n bytes, which is kind->bytes where that is not 0. d goes on. */
void gx_digest_get(const gx_digest *d, uint8_t *out, size_t n);

#endif
