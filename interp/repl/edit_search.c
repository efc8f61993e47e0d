/* Ctrl-R: looks for an earlier entry that contains what is typed, newest first. */
#include <string.h>

#include "interp/repl/edit.h"

typedef struct search {
    gx_pad wanted;
    int64_t at; /* the entry found */
    bool missing;
} search;

static void show(gx_edit *e, search *s, const char *prompt, const char *more) {
    e->below.length = 0;
    if (gx_pad_printf(&e->below, "%s: %s_", s->missing ? "not found" : "search",
                      gx_pad_text(&s->wanted)))
        gx_edit_draw(e, prompt, more);
}

/* Looks on from the entry at hand (by 1 or -1), or again from it (0). */
static void look(gx_edit *e, search *s, int by) {
    int64_t count = (int64_t)e->hist.entries.count;
    int64_t from = by || s->at == count ? s->at : s->at + 1;
    int64_t found =
        gx_hist_find(&e->hist, from, by ? by : -1, gx_pad_text(&s->wanted), s->wanted.length, true);
    s->missing = found < 0;
    if (found < 0) return;
    const char *entry = e->hist.entries.items[found];
    const char *hit = strstr(entry, gx_pad_text(&s->wanted));
    s->at = found;
    gx_text_set(&e->text, entry, strlen(entry));
    if (hit) e->text.at = (size_t)(hit - entry);
}

static void shorten(gx_pad *b) {
    while (b->length && ((unsigned char)b->data[b->length - 1] & 0xC0) == 0x80) b->length--;
    if (b->length) b->length--;
    if (b->data) b->data[b->length] = '\0';
}

bool gx_edit_search(gx_edit *e, const char *prompt, const char *more, gx_key_kind *key) {
    search s = {.wanted = (gx_pad){0}, .at = (int64_t)e->hist.entries.count};
    gx_pad before = (gx_pad){0};
    size_t at = e->text.at;
    bool done = false, ok = gx_pad_add(&before, gx_text_of(&e->text), e->text.buf.length);
    while (!done && ok) {
        show(e, &s, prompt, more);
        *key = gx_keys_next(&e->keys);
        bool letter = *key == GX_KEY_CTRL;
        if (*key == GX_KEY_TEXT || *key == GX_KEY_PASTE) {
            ok = gx_pad_add(&s.wanted, gx_pad_text(&e->keys.text), e->keys.text.length);
            look(e, &s, 0);
        } else if (*key == GX_KEY_BACKSPACE) {
            shorten(&s.wanted);
            s.at = (int64_t)e->hist.entries.count;
            if (s.wanted.length) look(e, &s, -1);
        } else if (letter && e->keys.code == 'r') {
            if (s.wanted.length) look(e, &s, -1);
        } else if (letter && e->keys.code == 's') {
            if (s.wanted.length) look(e, &s, 1);
        } else if (*key == GX_KEY_REDRAW) {
            gx_screen_redraw(&e->screen);
        } else if (letter && (e->keys.code == 'g' || e->keys.code == 'c')) {
            gx_text_set(&e->text, gx_pad_text(&before), before.length);
            e->text.at = at;
            *key = GX_KEY_NOTHING;
            done = true;
        } else if (*key != GX_KEY_NOTHING) {
            done = true; /* Enter takes the entry; any other key edits it */
            if (*key == GX_KEY_ENTER) e->text.at = e->text.buf.length;
            if (*key == GX_KEY_ESCAPE) *key = GX_KEY_NOTHING;
        }
    }
    e->below.length = 0;
    if (e->below.data) e->below.data[0] = '\0';
    gx_pad_free(&s.wanted);
    gx_pad_free(&before);
    return *key == GX_KEY_NOTHING || !ok;
}
