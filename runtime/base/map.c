/* Names to small numbers: open addressing over a power of two, at most two thirds full. Keys are
   never removed. */
#include "runtime/base/map.h"

enum { FIRST_ROOM = 16 };

/* Where the key is, or the free place where it belongs; room > 0. */
static uint32_t find_place(const gx_map *m, gx_sym key) {
    uint32_t mask = m->room - 1;
    uint32_t hash = key * 2654435769u;
    uint32_t at = (hash ^ hash >> 16) & mask;
    while (m->keys[at] && m->keys[at] != key) at = (at + 1) & mask;
    return at;
}

bool gx_map_get(const gx_map *m, gx_sym key, int32_t *out) {
    if (m->room == 0 || key == 0) return false;
    uint32_t at = find_place(m, key);
    if (m->keys[at] == 0) return false;
    *out = m->values[at];
    return true;
}

static bool grow(gx_rt *rt, gx_map *m) {
    gx_map wider = {.count = m->count, .room = m->room ? m->room * 2 : FIRST_ROOM};
    wider.keys = gx_alloc_zero(rt, wider.room * sizeof *wider.keys);
    wider.values = wider.keys ? gx_alloc(rt, wider.room * sizeof *wider.values) : NULL;
    if (!wider.values) {
        gx_free(rt, wider.keys);
        return false;
    }
    for (uint32_t i = 0; i < m->room; i++) {
        if (m->keys[i] == 0) continue;
        uint32_t at = find_place(&wider, m->keys[i]);
        wider.keys[at] = m->keys[i];
        wider.values[at] = m->values[i];
    }
    gx_map_free(rt, m);
    *m = wider;
    return true;
}

bool gx_map_set(gx_rt *rt, gx_map *m, gx_sym key, int32_t value) {
    int32_t old;
    if (gx_map_get(m, key, &old)) {
        m->values[find_place(m, key)] = value;
        return true;
    }
    if ((m->count + 1) * 3 > m->room * 2 && !grow(rt, m)) return false;
    uint32_t at = find_place(m, key);
    m->keys[at] = key;
    m->values[at] = value;
    m->count++;
    return true;
}

void gx_map_free(gx_rt *rt, gx_map *m) {
    gx_free(rt, m->keys);
    gx_free(rt, m->values);
    *m = (gx_map){0};
}
