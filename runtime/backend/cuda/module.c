/* Compiled kernels in memory, by key, and launching them. A kernel lives as long as its device. */
#include "runtime/backend/cuda/state_int.h"

#include <stdio.h>
#include <string.h>

enum { FIRST_ROOM = 256, ATTRIBUTE_SHARED = 8, PLAIN_SHARED = 48 << 10, MOST_PARAM = 4000 };

struct gx_cuda_kernel {
    uint64_t hash;
    struct CUmod_st *module;
    struct CUfunc_st *function;
    int shared; /* dynamic shared memory allowed so far */
    char entry[64];
    size_t key_bytes;
    char key[];
};

/* Open addressing; room is a power of two and never full. */
struct gx_cuda_modules {
    size_t count, room;
    gx_cuda_kernel **slots;
};

bool gx_cuda_modules_open(gx_cuda *c) {
    gx_rt *rt = c->base.rt;
    gx_cuda_modules *m = gx_alloc_zero(rt, sizeof *m);
    if (!m) return false;
    m->slots = gx_alloc_zero(rt, FIRST_ROOM * sizeof *m->slots);
    if (!m->slots) {
        gx_free(rt, m);
        return false;
    }
    m->room = FIRST_ROOM;
    c->state->modules = m;
    return true;
}

void gx_cuda_modules_close(gx_cuda *c) {
    gx_cuda_state *s = c->state;
    gx_cuda_modules *m = s->modules;
    if (!m) return;
    for (size_t i = 0; i < m->room; i++) {
        if (!m->slots[i]) continue;
        if (!s->fault) s->api.cuModuleUnload(m->slots[i]->module);
        gx_free(c->base.rt, m->slots[i]);
    }
    gx_free(c->base.rt, m->slots);
    gx_free(c->base.rt, m);
    s->modules = NULL;
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

static gx_cuda_kernel **find_slot(gx_cuda_modules *m, uint64_t hash, const char *entry,
                                  const void *key, size_t bytes) {
    for (size_t i = (size_t)hash;; i++) {
        gx_cuda_kernel **slot = &m->slots[i & (m->room - 1)], *k = *slot;
        if (!k) return slot;
        if (k->hash == hash && k->key_bytes == bytes && memcmp(k->key, key, bytes) == 0 &&
            strcmp(k->entry, entry) == 0)
            return slot;
    }
}

static bool grow(gx_rt *rt, gx_cuda_modules *m) {
    if (m->count * 2 < m->room) return true;
    size_t room = m->room * 2;
    gx_cuda_kernel **slots = gx_alloc_zero(rt, room * sizeof *slots);
    if (!slots) return false;
    for (size_t i = 0; i < m->room; i++) {
        gx_cuda_kernel *k = m->slots[i];
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

/* Machine code of the source, loaded. */
static bool load(gx_cuda *c, const char *entry, const char *source, struct CUmod_st **module,
                 struct CUfunc_st **function) {
    gx_cuda_state *s = c->state;
    gx_buf code = gx_buf_new(c->base.rt);
    char target[16];
    if (!gx_cuda_compiler_open(&s->compiler)) return false;
    gx_cuda_compiler_target(&s->compiler, s->target, target, sizeof target);
    bool ok = gx_cuda_compile(&s->compiler, target, source, &code) && gx_buf_char(&code, '\0') &&
              gx_cuda_check(c, s->api.cuModuleLoadData(module, code.data), "loading a kernel");
    gx_buf_free(&code);
    if (!ok) {
        if (s->compiler.major > c->facts.driver / 1000 && gx_failed(&c->base.rt->error))
            gx_help(c->base.rt, "NVRTC is newer than the driver: gx --doctor");
        return false;
    }
    if (gx_cuda_check(c, s->api.cuModuleGetFunction(function, *module, entry), entry)) return true;
    s->api.cuModuleUnload(*module);
    return false;
}

bool gx_cuda_kernel_get(gx_cuda *c, const void *key, size_t key_bytes, const char *entry,
                        gx_cuda_source_fn make, const void *arg, gx_cuda_kernel **out) {
    gx_rt *rt = c->base.rt;
    gx_cuda_modules *m = c->state->modules;
    uint64_t hash = hash_key(entry, key, key_bytes);
    gx_cuda_kernel **slot = find_slot(m, hash, entry, key, key_bytes);
    if (GX_LIKELY(*slot != NULL)) {
        *out = *slot;
        return true;
    }
    if (!gx_cuda_usable(c) || !grow(rt, m)) return false;
    gx_cuda_kernel *k = gx_alloc_zero(rt, sizeof *k + key_bytes);
    if (!k) return false;
    gx_buf source = gx_buf_new(rt);
    bool ok = make(rt, arg, &source) &&
              load(c, entry, gx_buf_text(&source), &k->module, &k->function);
    gx_buf_free(&source);
    if (!ok) {
        gx_free(rt, k);
        return false;
    }
    k->hash = hash;
    k->key_bytes = key_bytes;
    k->shared = PLAIN_SHARED;
    snprintf(k->entry, sizeof k->entry, "%s", entry);
    memcpy(k->key, key, key_bytes);
    *find_slot(m, hash, entry, key, key_bytes) = k;
    m->count++;
    *out = k;
    return true;
}

bool gx_cuda_launch(gx_cuda *c, gx_cuda_kernel *k, int64_t blocks, int threads, int shared_bytes,
                    const void *param, size_t param_bytes) {
    gx_cuda_state *s = c->state;
    if (blocks <= 0) return true;
    if (GX_UNLIKELY(!gx_cuda_usable(c))) return false;
    if (blocks > INT32_MAX || param_bytes > MOST_PARAM)
        return gx_fail(c->base.rt, GX_RuntimeError, "cuda.launch",
                       "kernel %s: %lld blocks, %zu bytes of parameters", k->entry,
                       (long long)blocks, param_bytes);
    if (shared_bytes > k->shared) {
        if (!gx_cuda_check(
                c, s->api.cuFuncSetAttribute(k->function, ATTRIBUTE_SHARED, shared_bytes),
                k->entry))
            return false;
        k->shared = shared_bytes;
    }
    void *params[1];
    memcpy(&params[0], &param, sizeof param); /* the driver reads it only */
    c->base.rt->gpu_stats.launched++;
    const int64_t grid[3] = {blocks, 1, 1}, block[3] = {threads, 1, 1};
    gx_cuda_note_launch(c, k->entry, false, grid, block);
    unsigned status =
        s->api.cuLaunchKernel(k->function, (unsigned)blocks, 1, 1, (unsigned)threads, 1, 1,
                              (unsigned)shared_bytes, s->stream, params, NULL);
    if (!gx_cuda_check(c, status, k->entry)) return false;
    return GX_LIKELY(!s->sync_each) || gx_cuda_wait(c);
}

bool gx_cuda_kernel_attribute(gx_cuda *c, gx_cuda_kernel *k, int attribute, int *out) {
    unsigned status = c->state->api.cuFuncGetAttribute(out, (unsigned)attribute, k->function);
    return gx_cuda_check(c, status, k->entry);
}
