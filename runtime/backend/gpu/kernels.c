/* Compiled kernels in memory, by key. A kernel lives as long as its device. */
#include <stdio.h>
#include <string.h>

#include "runtime/backend/gpu/gpu_int.h"

enum { FIRST_ROOM = 256 };

/* Open addressing; room is a power of two and never full. */
struct gx_gpu_kernels {
    size_t count, room;
    gx_gpu_kernel **slots;
};

bool gx_gpu_kernels_open(gx_gpu *g) {
    gx_rt *rt = g->base.rt;
    struct gx_gpu_kernels *m = gx_alloc_zero(rt, sizeof *m);
    if (!m) return false;
    m->slots = gx_alloc_zero(rt, FIRST_ROOM * sizeof(gx_gpu_kernel *));
    if (!m->slots) {
        gx_free(rt, m);
        return false;
    }
    m->room = FIRST_ROOM;
    g->kernels = m;
    return true;
}

void gx_gpu_kernels_close(gx_gpu *g) {
    gx_rt *rt = g->base.rt;
    struct gx_gpu_kernels *m = g->kernels;
    if (!m) return;
    for (size_t i = 0; i < m->room; i++) {
        if (!m->slots[i]) continue;
        g->driver->unload(g, m->slots[i]->code);
        gx_free(rt, m->slots[i]);
    }
    gx_free(rt, m->slots);
    gx_free(rt, m);
    g->kernels = NULL;
}

static uint64_t hash_key(const char *entry, const char *p, size_t n) {
    uint64_t h = UINT64_C(0xCBF29CE484222325) ^ n;
    for (; *entry; entry++) h = (h ^ (unsigned char)*entry) * UINT64_C(0x100000001B3);
    for (; n >= 8; n -= 8, p += 8) {
        uint64_t w;
        memcpy(&w, p, 8);
        h = (h ^ w) * UINT64_C(0xD6E8FEB86659FD93);
        h ^= h >> 32;
    }
    for (; n > 0; n--, p++) h = (h ^ (unsigned char)*p) * UINT64_C(0x100000001B3);
    return h ^ (h >> 29);
}

static gx_gpu_kernel **find_slot(struct gx_gpu_kernels *m, uint64_t hash, const char *entry,
                                 const void *key, size_t bytes) {
    for (size_t i = (size_t)hash;; i++) {
        gx_gpu_kernel **slot = &m->slots[i & (m->room - 1)], *k = *slot;
        if (!k) return slot;
        if (k->hash == hash && k->key_bytes == bytes && memcmp(k->key, key, bytes) == 0 &&
            strcmp(k->entry, entry) == 0)
            return slot;
    }
}

static bool grow(gx_rt *rt, struct gx_gpu_kernels *m) {
    if (m->count * 2 < m->room) return true;
    size_t room = m->room * 2;
    gx_gpu_kernel **slots = gx_alloc_zero(rt, room * sizeof(gx_gpu_kernel *));
    if (!slots) return false;
    for (size_t i = 0; i < m->room; i++) {
        gx_gpu_kernel *k = m->slots[i];
        if (!k) continue;
        size_t at = (size_t)k->hash & (room - 1);
        while (slots[at]) at = (at + 1) & (room - 1);
        slots[at] = k;
    }
    gx_free(rt, m->slots);
    m->slots = slots;
    m->room = room;
    return true;
}

bool gx_gpu_kernel_get(gx_gpu *g, const void *key, size_t key_bytes, const char *entry,
                       gx_gpu_source_fn make, const void *arg, gx_gpu_kernel **out) {
    gx_rt *rt = g->base.rt;
    struct gx_gpu_kernels *m = g->kernels;
    uint64_t hash = hash_key(entry, key, key_bytes);
    gx_gpu_kernel **slot = find_slot(m, hash, entry, key, key_bytes);
    if (GX_LIKELY(*slot != NULL)) {
        *out = *slot;
        return true;
    }
    if (!g->driver->usable(g) || !grow(rt, m)) return false;
    gx_gpu_kernel *k = gx_alloc_zero(rt, sizeof *k + key_bytes);
    if (!k) return false;
    gx_buf source = gx_buf_new(rt);
    bool ok = make(rt, arg, &source) &&
              g->driver->load(g, entry, gx_buf_text(&source), &k->code);
    gx_buf_free(&source);
    if (!ok) {
        gx_free(rt, k);
        return false;
    }
    k->hash = hash;
    k->key_bytes = key_bytes;
    snprintf(k->entry, sizeof k->entry, "%s", entry);
    memcpy(k->key, key, key_bytes);
    *find_slot(m, hash, entry, key, key_bytes) = k;
    m->count++;
    *out = k;
    return true;
}
