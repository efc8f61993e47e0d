/* The text of an entry, the cursor in it, undo and redo, what was cut. Places are byte positions
   at the bounds of characters; a character is a code point with the marks, joiners and selectors
   that follow it. Does not know the screen. */
#include <stdlib.h>
#include <string.h>

#include "interp/repl/edit.h"
#include "interp/embed/tools.h"

enum { TAB = 8, CHANGES = 10000 };

/* Does a code point join the one before it? */
static bool joins(const char *p, int bytes, uint32_t code, uint32_t before) {
    if (code < 0x300) return false;
    if (before == 0x200D || (code >= 0x1F3FB && code <= 0x1F3FF)) return true;
    return gx_tool_width(p, (size_t)bytes) == 0;
}

static bool is_flag(uint32_t c) {
    return c >= 0x1F1E6 && c <= 0x1F1FF;
}

/* The end of the character at `at`. */
static size_t char_end(const char *text, size_t length, size_t at) {
    int bytes;
    uint32_t before = gx_tool_decode(text + at, &bytes);
    at += (size_t)bytes;
    if (before < 32 || before == 127) return at;
    for (bool flag = is_flag(before); at < length; at += (size_t)bytes) {
        uint32_t code = gx_tool_decode(text + at, &bytes);
        if (flag && is_flag(code)) {
            flag = false;
        } else if (!joins(text + at, bytes, code, before)) {
            break;
        }
        before = code;
    }
    return at > length ? length : at;
}

int gx_text_columns(const char *text, size_t length, size_t at, int column, size_t *next) {
    unsigned char c = (unsigned char)text[at];
    if (c == '\t') {
        *next = at + 1;
        return TAB - column % TAB;
    }
    if (c < 32 || c == 127) { /* shown as ^X */
        *next = at + 1;
        return 2;
    }
    *next = char_end(text, length, at);
    if (c < 128 && *next == at + 1) return 1;
    int bytes;
    gx_tool_decode(text + at, &bytes);
    int width = (int)gx_tool_width(text + at, (size_t)bytes);
    return width < 1 ? 1 : width;
}

size_t gx_text_next(const gx_text *t, size_t at) {
    return at < t->buf.length ? char_end(gx_text_of(t), t->buf.length, at) : at;
}

size_t gx_text_prior(const gx_text *t, size_t at) {
    if (at == 0) return 0;
    const char *text = gx_text_of(t);
    size_t row = gx_text_row_start(t, at), from = row;
    if (row == at) return at - 1; /* the \n */
    if (at - row > 200) {         /* a long row: start at a plain character near by */
        from = at - 100;
        while (from > row && ((unsigned char)text[from] >= 128)) from--;
    }
    while (from < at) {
        size_t end = char_end(text, t->buf.length, from);
        if (end >= at) return from;
        from = end;
    }
    return from;
}

size_t gx_text_row_start(const gx_text *t, size_t at) {
    const char *text = gx_text_of(t);
    while (at > 0 && text[at - 1] != '\n') at--;
    return at;
}

size_t gx_text_row_end(const gx_text *t, size_t at) {
    const char *text = gx_text_of(t);
    const char *end = at < t->buf.length ? memchr(text + at, '\n', t->buf.length - at) : NULL;
    return end ? (size_t)(end - text) : t->buf.length;
}

static bool in_word(const char *text, size_t at) {
    unsigned char c = (unsigned char)text[at];
    return c == '_' || c >= 128 || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

size_t gx_text_word_left(const gx_text *t, size_t at) {
    const char *text = gx_text_of(t);
    while (at > 0 && !in_word(text, at - 1)) at--;
    while (at > 0 && in_word(text, at - 1)) at--;
    return at;
}

size_t gx_text_word_right(const gx_text *t, size_t at) {
    const char *text = gx_text_of(t);
    while (at < t->buf.length && !in_word(text, at)) at++;
    while (at < t->buf.length && in_word(text, at)) at++;
    return at;
}

bool gx_text_row_move(gx_text *t, int by) {
    const char *text = gx_text_of(t);
    size_t row = gx_text_row_start(t, t->at), next;
    int column = 0, goal;
    for (size_t i = row; i < t->at; i = next)
        column += gx_text_columns(text, t->buf.length, i, column, &next);
    goal = t->goal ? (int)t->goal - 1 : column;
    size_t to;
    if (by < 0) {
        if (row == 0) return false;
        to = gx_text_row_start(t, row - 1);
    } else {
        to = gx_text_row_end(t, t->at);
        if (to == t->buf.length) return false;
        to++;
    }
    size_t end = gx_text_row_end(t, to);
    for (column = 0; to < end; to = next) {
        column += gx_text_columns(text, t->buf.length, to, column, &next);
        if (column > goal) break;
    }
    t->at = to;
    t->goal = (size_t)goal + 1;
    return true;
}

/* --- changes ------------------------------------------------------------------------------- */

static bool splice(gx_text *t, size_t at, size_t count, const char *text, size_t length) {
    gx_pad *b = &t->buf;
    if (!gx_pad_reserve(b, length + 1)) return false;
    memmove(b->data + at + length, b->data + at + count, b->length - at - count);
    if (length) memcpy(b->data + at, text, length);
    b->length += length - count;
    b->data[b->length] = '\0';
    t->at = at + length;
    t->goal = 0;
    return true;
}

static void free_change(gx_change *c) {
    free(c->gone);
    free(c->come);
}

static void forget_undone(gx_text *t) {
    while (t->changes.count > t->done) free_change(&t->changes.items[--t->changes.count]);
}

/* Typing goes on behind the last change: they are undone together, a word at a time. */
static bool extend(gx_text *t, size_t at, const char *text, size_t length) {
    if (!t->done || t->done != t->changes.count) return false;
    gx_change *c = &t->changes.items[t->done - 1];
    if (!c->typed || c->gone_length || c->at + c->come_length != at) return false;
    if (c->come_length && c->come[c->come_length - 1] == ' ' && text[0] != ' ') return false;
    char *grown = realloc(c->come, c->come_length + length + 1);
    if (!grown) return false;
    memcpy(grown + c->come_length, text, length);
    c->come = grown;
    c->come_length += length;
    return true;
}

static char *copy(const char *text, size_t length) {
    char *p = malloc(length + 1);
    if (!p) return NULL;
    if (length) memcpy(p, text, length);
    p[length] = '\0';
    return p;
}

/* Notes a change before it is made; when memory is out it just cannot be undone. */
static void note(gx_text *t, size_t at, size_t count, const char *text, size_t length, bool typed) {
    forget_undone(t);
    if (typed && !count && extend(t, at, text, length)) return;
    if (t->changes.count == CHANGES) {
        free_change(&t->changes.items[0]);
        memmove(t->changes.items, t->changes.items + 1,
                --t->changes.count * sizeof *t->changes.items);
    }
    gx_change c = {.at = at, .cursor = t->at, .gone_length = count, .come_length = length};
    c.typed = typed && !count;
    c.gone = copy(gx_text_of(t) + at, count);
    c.come = copy(text, length);
    if (!c.gone || !c.come || !gx_row_push(&t->changes, c)) free_change(&c);
    t->done = t->changes.count;
}

bool gx_text_change(gx_text *t, size_t at, size_t count, const char *text, size_t length,
                    bool typed) {
    if (!count && !length) return true;
    if (!gx_pad_reserve(&t->buf, length + 1)) return false;
    note(t, at, count, text, length, typed);
    return splice(t, at, count, text, length);
}

void gx_text_set(gx_text *t, const char *text, size_t length) {
    if (!gx_text_change(t, 0, t->buf.length, text, length, false)) return;
    t->at = t->buf.length;
}

void gx_text_undo(gx_text *t) {
    if (!t->done) return;
    gx_change *c = &t->changes.items[t->done - 1];
    if (!splice(t, c->at, c->come_length, c->gone, c->gone_length)) return;
    t->at = c->cursor;
    c->typed = false;
    t->done--;
}

void gx_text_redo(gx_text *t) {
    if (t->done == t->changes.count) return;
    gx_change *c = &t->changes.items[t->done];
    if (splice(t, c->at, c->gone_length, c->come, c->come_length)) t->done++;
}

void gx_text_cut(gx_text *t, size_t from, size_t to) {
    if (from >= to) return;
    bool before = to == t->at && from < t->at; /* cutting backwards: put it in front */
    gx_pad all = (gx_pad){0};
    const char *text = gx_text_of(t);
    bool ok = true;
    if (t->cutting && !before) ok = gx_pad_add(&all, gx_pad_text(&t->cut), t->cut.length);
    ok = ok && gx_pad_add(&all, text + from, to - from);
    if (t->cutting && before) ok = ok && gx_pad_add(&all, gx_pad_text(&t->cut), t->cut.length);
    if (!ok) {
        gx_pad_free(&all);
        return;
    }
    gx_pad_free(&t->cut);
    t->cut = all;
    gx_text_change(t, from, to - from, "", 0, false);
    t->cutting = true;
}

void gx_text_clear(gx_text *t) {
    t->done = 0;
    forget_undone(t);
    t->buf.length = 0;
    if (t->buf.data) t->buf.data[0] = '\0';
    t->at = t->goal = 0;
    t->cutting = false;
}

void gx_text_free(gx_text *t) {
    gx_text_clear(t);
    gx_row_free(&t->changes);
    gx_pad_free(&t->buf);
    gx_pad_free(&t->cut);
}
