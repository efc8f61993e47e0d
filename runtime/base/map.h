/* A hash map from interned names to small numbers (slots, indices). For dicts of a script see
   runtime/object/container/dict.h. */
#ifndef GX_RUNTIME_BASE_MAP_H
#define GX_RUNTIME_BASE_MAP_H

#include "runtime/base/rt.h"

typedef struct gx_map {
    gx_sym *keys; /* 0: free */
    int32_t *values;
    uint32_t count, room;
} gx_map;

/* True and *out when the name is there. */
bool gx_map_get(const gx_map *m, gx_sym key, int32_t *out);
/* Sets or replaces. */
GX_CHECK bool gx_map_set(gx_rt *rt, gx_map *m, gx_sym key, int32_t value);
void gx_map_free(gx_rt *rt, gx_map *m);

#endif
