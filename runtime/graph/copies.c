#include "runtime/graph/copies.h"

static bool open_further(gx_rt *rt, gx_copies *c) {
    return c->further || (c->further = gx_alloc_zero(rt, sizeof *c->further));
}

GX_CHECK bool gx_copies_add_take(gx_rt *rt, gx_copies *c, gx_buffer *b) {
    const gx_place place = (gx_place)b->device->place;
    if (place == GX_HOST || !c->away) {
        gx_copies_begin_take(c, b);
        return true;
    }
    if (!open_further(rt, c)) {
        gx_buffer_drop(b);
        return false;
    }
    c->further->at[place] = b;
    return true;
}

gx_buffer *gx_copies_swap_host(gx_copies *c, gx_buffer *b) {
    gx_buffer *old = c->host;
    c->host = b;
    return old;
}

/* `away` is gone: the next of the further ones takes its place. */
static void move_up(gx_copies *c) {
    c->away = NULL;
    for (int i = 0; c->further && i < GX_MAX_PLACES && !c->away; i++) {
        c->away = c->further->at[i];
        c->further->at[i] = NULL;
    }
}

void gx_copies_drop_at(gx_copies *c, gx_place place) {
    gx_buffer *b = gx_copies_at(c, place);
    if (!b) return;
    if (place == GX_HOST) {
        c->host = NULL;
        if (c->further) gx_buffer_drop(c->further->truths);
        if (c->further) c->further->truths = NULL;
    } else if (b == c->away) {
        move_up(c);
    } else {
        c->further->at[place] = NULL;
    }
    gx_buffer_drop(b);
}

void gx_copies_keep_only(gx_rt *rt, gx_copies *c, gx_place place) {
    gx_buffer *b = gx_copies_at(c, place);
    if (b) gx_buffer_keep(b);
    gx_copies_free(rt, c);
    if (b) gx_copies_begin_take(c, b);
}

void gx_copies_free_away(gx_rt *rt, gx_copies *c) {
    gx_buffer_drop(c->away);
    c->away = NULL;
    if (!c->further) return;
    gx_buffer_drop(c->further->truths);
    for (int i = 0; i < GX_MAX_PLACES; i++) gx_buffer_drop(c->further->at[i]);
    gx_free(rt, c->further);
    c->further = NULL;
}

GX_CHECK bool gx_copies_truths(gx_rt *rt, gx_copies *c, int64_t bytes, char **out, bool *fresh) {
    if (!open_further(rt, c)) return false;
    *fresh = !c->further->truths;
    if (*fresh && !rt->device->backend->alloc(rt->device, bytes, &c->further->truths)) return false;
    *out = c->further->truths->data;
    return true;
}
