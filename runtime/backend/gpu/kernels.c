/* Compiled kernels in memory, by key. A kernel lives as long as its device; it may still be with
   the compiler. */
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
        if (m->slots[i]->job) g->driver->leave(g, m->slots[i]->job);
        if (m->slots[i]->code) g->driver->unload(g, m->slots[i]->code);
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

static void take_out(struct gx_gpu_kernels *m, gx_gpu_kernel **slot) {
    *slot = NULL;
    m->count--;
    /* Those behind it must be found without it. */
    for (size_t i = (size_t)(slot - m->slots) + 1;; i++) {
        gx_gpu_kernel **next = &m->slots[i & (m->room - 1)], *k = *next;
        if (!k) return;
        *next = NULL;
        *find_slot(m, k->hash, k->entry, k->key, k->key_bytes) = k;
    }
}

/* A kernel that is being compiled: its code, once it is there. One that fails is forgotten. */
static bool look(gx_gpu *g, gx_gpu_kernel **slot, bool waits) {
    gx_gpu_kernel *k = *slot;
    if (!k->job) return true;
    if (g->driver->look(g, k->entry, waits, &k->job, &k->code)) return true;
    take_out(g->kernels, slot);
    gx_free(g->base.rt, k);
    return false;
}

/* A text that was compiled with gx needs no compiler. */
static bool begin(gx_gpu *g, const char *entry, const char *source, bool waits,
                  gx_gpu_kernel *k) {
    if (g->driver->stored && !g->driver->stored(g, entry, source, &k->code)) return false;
    if (k->code) {
        g->base.rt->gpu_stats.prebuilt++;
        k->from = GX_RAN_PREBUILT;
        return true;
    }
    if (waits) return g->driver->load(g, entry, source, &k->code);
    return g->driver->begin(g, entry, source, &k->code, &k->job);
}

/* A family without a source: the file of kernels by their entries. */
static bool find_kernel(gx_gpu *g, gx_gpu_family family, const void *key, size_t key_bytes,
                        const char *entry, const void *arg, bool waits, gx_gpu_kernel **out) {
    gx_rt *rt = g->base.rt;
    struct gx_gpu_kernels *m = g->kernels;
    uint64_t hash = hash_key(entry, key, key_bytes);
    gx_gpu_kernel **slot = find_slot(m, hash, entry, key, key_bytes);
    if (GX_LIKELY(*slot != NULL)) {
        if (!look(g, slot, waits)) return false;
        *out = (*slot)->code ? *slot : NULL;
        return true;
    }
    if (!g->driver->usable(g) || !grow(rt, m)) return false;
    gx_gpu_kernel *k = gx_alloc_zero(rt, sizeof *k + key_bytes);
    if (!k) return false;
    k->from = family.source ? GX_RAN_SPECIALISED : GX_RAN_GENERAL;
    gx_buf source = gx_buf_new(rt);
    bool ok = !family.source
                  ? g->driver->prebuilt(g, entry, &k->code)
                  : family.source(rt, arg, &source) &&
                        begin(g, entry, gx_buf_text(&source), waits, k);
    gx_buf_free(&source);
    if (!ok || !(k->code || k->job)) {
        gx_free(rt, k);
        *out = NULL;
        return ok;
    }
    k->hash = hash;
    k->key_bytes = key_bytes;
    snprintf(k->entry, sizeof k->entry, "%s", entry);
    memcpy(k->key, key, key_bytes);
    *find_slot(m, hash, entry, key, key_bytes) = k;
    m->count++;
    *out = k->code ? k : NULL;
    return true;
}

bool gx_gpu_kernel_get(gx_gpu *g, gx_gpu_family family, const void *key, size_t key_bytes,
                       const char *entry, const void *arg, gx_gpu_kernel **out) {
    return find_kernel(g, family, key, key_bytes, entry, arg, true, out);
}

bool gx_gpu_kernel_soon(gx_gpu *g, gx_gpu_family family, const void *key, size_t key_bytes,
                        const char *entry, const void *arg, gx_gpu_kernel **out) {
    return find_kernel(g, family, key, key_bytes, entry, arg, false, out);
}

bool gx_gpu_kernel_prebuilt(gx_gpu *g, const char *entry, gx_gpu_kernel **out) {
    *out = NULL;
    if (g->bare || !g->driver->prebuilt) return true;
    if (!find_kernel(g, (gx_gpu_family){NULL, NULL}, "", 0, entry, NULL, true, out)) return false;
    g->bare = !*out;
    return true;
}
