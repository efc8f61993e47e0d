/* The one growth policy of every list: by half more each time, with sizes checked against
   overflow. On failure the list is as it was. */
#include "runtime/base/vec.h"

enum { FIRST_ROOM = 8 };

bool gx_vec_grow(gx_rt *rt, void **items, size_t *room, size_t want, size_t item_bytes) {
    if (want <= *room) return true;
    size_t wanted = *room + *room / 2;
    if (wanted < FIRST_ROOM) wanted = FIRST_ROOM;
    if (wanted < want) wanted = want;
    if (wanted > PTRDIFF_MAX / item_bytes) return gx_no_memory(rt);
    void *grown = gx_realloc(rt, *items, wanted * item_bytes);
    if (!grown) return false;
    *items = grown;
    *room = wanted;
    return true;
}
