/* The copies of a ready value's bytes, one for each device where they were needed. Values never
   change, so a copy is valid while it is there; what writes one drops the others first. Only the
   functions here know the fields. */
#ifndef GX_RUNTIME_GRAPH_COPIES_H
#define GX_RUNTIME_GRAPH_COPIES_H

#include "runtime/backend/backend.h"

/* What few values need. */
typedef struct gx_further {
    gx_buffer *truths; /* host: for bools that see another dtype's bytes, 1 where one is not 0 */
    gx_buffer *at[GX_MAX_PLACES]; /* of the places that have no field of their own */
} gx_further;

typedef struct gx_copies {
    gx_buffer *host;     /* or NULL */
    gx_buffer *away;     /* on another device, which its own `device` tells, or NULL */
    gx_further *further; /* or NULL; where it has copies, so has `away` */
} gx_copies;

/* The copy at a place, borrowed, or NULL. */
static inline gx_buffer *gx_copies_at(const gx_copies *c, gx_place place) {
    if (place == GX_HOST) return c->host;
    if (GX_LIKELY(!c->away || c->away->device->place == place)) return c->away;
    return c->further ? c->further->at[place] : NULL;
}

/* The first copy of a value that has none. */
static inline void gx_copies_begin_take(gx_copies *c, gx_buffer *b) {
    *(b->device->place == GX_HOST ? &c->host : &c->away) = b;
}

/* Some copy, for what moves bytes: the host's where there is one. */
static inline gx_buffer *gx_copies_any(const gx_copies *c) {
    return c->host ? c->host : c->away;
}

/* The host's copy where there is no other and no other value shares it, or NULL: what may be
   written in place. */
static inline gx_buffer *gx_copies_sole_host(const gx_copies *c) {
    return c->host && !c->away && !c->further && c->host->refs == 1 ? c->host : NULL;
}

static inline bool gx_copies_have(const gx_copies *c, const gx_buffer *b) {
    return gx_copies_at(c, (gx_place)b->device->place) == b;
}

/* A copy at a place where there is none. */
GX_CHECK bool gx_copies_add_take(gx_rt *rt, gx_copies *c, gx_buffer *b);
/* Another buffer in the place of the host's, whose reference is the caller's now. */
gx_buffer *gx_copies_swap_host(gx_copies *c, gx_buffer *b);
void gx_copies_drop_at(gx_copies *c, gx_place place);
/* Drops all but the one at a place, truths too. */
void gx_copies_keep_only(gx_rt *rt, gx_copies *c, gx_place place);
void gx_copies_free_away(gx_rt *rt, gx_copies *c);
/* Drops all. */
static inline void gx_copies_free(gx_rt *rt, gx_copies *c) {
    gx_buffer_drop(c->host);
    c->host = NULL;
    if (GX_UNLIKELY(c->away || c->further)) gx_copies_free_away(rt, c);
}
/* One byte for each of the host's, 0 or 1, that the caller fills where `fresh` is set. */
GX_CHECK bool gx_copies_truths(gx_rt *rt, gx_copies *c, int64_t bytes, char **out, bool *fresh);

#endif
