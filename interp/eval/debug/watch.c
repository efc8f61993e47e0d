/* What the debugger watches: names and arrays that are looked at after each statement. An array's
   value is lent while it is watched, so that whatever is stored makes another one; then two
   addresses are all that is compared. Invariant: a place in a frame is looked at only while the
   frame is found among those that run. */
#include "interp/eval/debug/debugger.h"

#include "runtime/object/container/list.h"

/* Where the name's value is; NULL: the place is gone. */
static gx_value *place_of(gx_rt *rt, gx_watched *w) {
    if (w->gone) return NULL;
    if (w->module) return w->slot < w->module->count ? &w->module->values[w->slot] : NULL;
    const gx_frame *f = rt->interp->frame;
    while (f && f != w->frame) f = f->outer;
    if (!f) {
        w->gone = true;
        return NULL;
    }
    if (w->box) return &w->box->value;
    gx_value *slot = &f->slots[w->slot];
    return slot->tag == GX_BOX ? &((gx_box *)slot->obj)->value : slot;
}

static void let_go(gx_watched *w) {
    if (w->before.tag != GX_UNDEF) gx_lent_drop(&w->seen);
    gx_drop(gx_steal(&w->before));
    gx_drop(gx_steal(&w->value));
}

/* Remembers what there is now. */
static bool take_in(gx_rt *rt, gx_watched *w, gx_borrowed v) {
    gx_array *copy;
    gx_keep(v);
    let_go(w);
    w->value = v;
    if (v.tag != GX_ARRAY) return true;
    if (!gx_array_lend(rt, gx_as_array(v), &w->seen)) return false;
    if (!gx_array_copy(rt, gx_as_array(v), 'K', &copy)) {
        gx_lent_drop(&w->seen);
        return false;
    }
    w->before = gx_array_value(copy);
    return true;
}

static bool is_stored(gx_rt *rt, const gx_watched *w, bool *stored) {
    gx_lent now;
    *stored = false;
    if (w->before.tag == GX_UNDEF) return true;
    if (!gx_array_lend(rt, gx_as_array(w->value), &now)) return false;
    *stored = now.value != w->seen.value;
    gx_lent_drop(&now);
    return true;
}

/* Looks at one and tells of a change as (number, bound anew, before, now). */
static bool look(gx_rt *rt, gx_watched *w, int64_t number,
                 bool (*tell)(gx_rt *rt, const char *why, gx_borrowed what)) {
    gx_value *place = place_of(rt, w), what;
    const gx_value now = gx_keep(place ? *place : w->value);
    bool bound = now.tag != w->value.tag || now.u != w->value.u, stored = false;
    bool ok = bound || is_stored(rt, w, &stored);
    if (!ok || (!bound && !stored)) {
        gx_drop(now);
        return ok;
    }
    const gx_value before = gx_keep(w->before.tag == GX_UNDEF ? w->value : w->before);
    const gx_value parts[4] = {gx_int(number), gx_bool(bound),
                               before.tag == GX_UNDEF ? gx_none() : before,
                               now.tag == GX_UNDEF ? gx_none() : now};
    ok = take_in(rt, w, now) && gx_tuple_new(rt, 4, parts, &what);
    if (ok) {
        ok = tell(rt, "watch", what);
        gx_drop(what);
    }
    gx_drop(before);
    gx_drop(now);
    return ok;
}

bool gx_watch_look(gx_rt *rt, gx_debugger *d,
                   bool (*tell)(gx_rt *rt, const char *why, gx_borrowed what)) {
    for (size_t i = 0; i < d->watched.count; i++)
        if (d->watched.items[i] && !look(rt, d->watched.items[i], (int64_t)i, tell)) return false;
    return true;
}

/* Finds a name in a frame; false: it is none of its names. */
static bool find_place(gx_frame *f, gx_sym name, gx_watched *w) {
    const gx_function *code = f->code;
    for (int32_t i = 0; !f->top && i < code->slots; i++) {
        if (code->slot_names[i] != name) continue;
        w->frame = f;
        w->slot = i;
        return true;
    }
    for (int32_t i = 0; i < code->capture_count; i++) {
        if (code->captures[i].name != name) continue;
        w->frame = f;
        w->box = f->boxes[i];
        gx_obj_keep(&w->box->head.obj);
        return true;
    }
    if (f->globals->dict.tag == GX_DICT || !gx_map_get(&f->globals->slots, name, &w->slot))
        return false;
    w->module = f->globals;
    gx_obj_keep(&w->module->head.obj);
    return true;
}

bool gx_watch_add(gx_rt *rt, gx_debugger *d, gx_frame *f, gx_sym name, gx_borrowed value,
                  gx_value *out) {
    gx_watched *w = gx_alloc_zero(rt, sizeof *w);
    if (!w) return false;
    w->gone = !f || !name || !find_place(f, name, w);
    const size_t at = d->watched.count;
    if (!gx_vec_push(rt, &d->watched, w)) {
        gx_free(rt, w);
        return false;
    }
    if (!take_in(rt, w, value)) {
        gx_watch_drop(rt, d, at);
        return false;
    }
    *out = gx_int((int64_t)at);
    return true;
}

void gx_watch_drop(gx_rt *rt, gx_debugger *d, size_t i) {
    gx_watched *w = d->watched.items[i];
    if (!w) return;
    d->watched.items[i] = NULL;
    let_go(w);
    if (w->module) gx_obj_drop(&w->module->head.obj);
    if (w->box) gx_obj_drop(&w->box->head.obj);
    gx_free(rt, w);
}
