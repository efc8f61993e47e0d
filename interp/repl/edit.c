/* What each key does. An entry is read in raw mode; the terminal has its own mode again whenever
   gx_edit_read has returned. Enter ends the entry when the host says that it is whole and the
   cursor stands in its last row; else it makes a row. Keys are Emacs's, as in other shells. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/host/signals.h"
#include "interp/repl/edit.h"

typedef struct prompts {
    const char *first, *more;
} prompts;

/* --- drawing ------------------------------------------------------------------------------- */

/* Marks the bracket before (or at) the cursor and its partner, as far as colours tell code from
   strings. */
static void mark_brackets(const char *text, size_t length, size_t at, uint8_t *paint) {
    static const char open[] = "([{", close[] = ")]}";
    for (int back = 1; back >= 0; back--) {
        size_t i = at - (size_t)back;
        if ((back && !at) || i >= length || paint[i] != GX_PAINT_PLAIN) continue;
        const char *o = strchr(open, text[i]), *c = strchr(close, text[i]);
        if (!text[i] || (!o && !c)) continue;
        int depth = 0;
        for (size_t j = i; j < length; j += o ? 1 : (size_t)-1) {
            if (paint[j] != GX_PAINT_PLAIN || !text[j]) continue;
            if (strchr(open, text[j])) depth++;
            if (strchr(close, text[j])) depth--;
            if (depth) continue;
            paint[i] = paint[j] = GX_PAINT_BRACKET;
            return;
        }
        return;
    }
}

void gx_edit_draw(gx_edit *e, const char *prompt, const char *more) {
    size_t length = e->text.buf.length;
    uint8_t *paint = NULL;
    if (e->term.colours && e->host.paint && length && (paint = malloc(length))) {
        e->host.paint(e->host.self, gx_text_of(&e->text), length, paint);
        mark_brackets(gx_text_of(&e->text), length, e->text.at, paint);
    }
    gx_edit_view v = {
        .prompt = prompt, .more = more, .text = gx_text_of(&e->text), .length = length};
    v.at = e->text.at;
    v.paint = paint;
    v.ghost = e->term.colours ? gx_pad_text(&e->ghost) : NULL;
    v.below = gx_pad_text(&e->below);
    gx_screen_draw(&e->screen, &v);
    free(paint);
}

static void set_below(gx_edit *e, const char *text) {
    e->below.length = 0;
    if (e->below.data) e->below.data[0] = '\0';
    if (*text && !gx_pad_puts(&e->below, text)) e->below.length = 0;
}

/* What the newest entry that goes on from the text adds to it. */
static void suggest(gx_edit *e) {
    e->ghost.length = 0;
    if (e->ghost.data) e->ghost.data[0] = '\0';
    size_t length = e->text.buf.length;
    bool old = e->at_entry < (int64_t)e->hist.entries.count;
    if (length < 2 || old || e->text.at != length) return;
    int64_t i = gx_hist_find(&e->hist, (int64_t)e->hist.entries.count, -1, gx_text_of(&e->text),
                             length, false);
    if (i >= 0 && !gx_pad_puts(&e->ghost, e->hist.entries.items[i] + length)) e->ghost.length = 0;
}

/* Below: how the function is called whose arguments are typed now, cut at the width. */
static void show_hint(gx_edit *e) {
    const gx_text *t = &e->text;
    if (e->hinted) set_below(e, "");
    e->hinted = false;
    if (!e->host.hint || !t->buf.length || e->below.length) return;
    char *hint = e->host.hint(e->host.self, gx_text_of(t), t->buf.length, t->at);
    if (!hint) return;
    size_t room = e->term.columns > 2 ? (size_t)e->term.columns - 2 : 0, n = strlen(hint);
    if (n > room) {
        n = room;
        while (n && ((unsigned char)hint[n] & 0xC0) == 0x80) n--;
        hint[n] = '\0';
    }
    set_below(e, hint);
    e->hinted = true;
    gx_string_free(hint);
}

/* --- history ------------------------------------------------------------------------------- */

static void show_entry(gx_edit *e, int64_t i) {
    e->at_entry = i;
    if (i == (int64_t)e->hist.entries.count)
        gx_text_set(&e->text, gx_pad_text(&e->draft), e->draft.length);
    else
        gx_text_set(&e->text, e->hist.entries.items[i], strlen(e->hist.entries.items[i]));
}

/* The entry before (-1) or behind (1) that starts as the new one does up to the cursor. */
static void recall(gx_edit *e, int by) {
    int64_t newest = (int64_t)e->hist.entries.count;
    if (e->at_entry == newest) {
        if (by > 0) return;
        e->draft.length = 0;
        if (!gx_pad_add(&e->draft, gx_text_of(&e->text), e->text.buf.length)) return;
        e->prefix = e->text.at;
    }
    int64_t i = gx_hist_find(&e->hist, e->at_entry, by, gx_pad_text(&e->draft), e->prefix, false);
    if (i < 0 && by < 0) return;
    show_entry(e, i < 0 ? newest : i);
}

/* --- completion ---------------------------------------------------------------------------- */

static void put_word(gx_edit *e, size_t from, const char *word, size_t length) {
    gx_text_change(&e->text, from, e->text.at - from, word, length, false);
}

/* Goes through the choices with Tab and Shift-Tab; gives back the key that ended it. */
static gx_key_kind choose(gx_edit *e, prompts p, gx_choices *c) {
    int64_t count = (int64_t)c->words.count, chosen = -1;
    gx_key_kind key;
    for (;;) {
        e->below.length = 0;
        if (!gx_choices_show(c, &e->term, chosen, &e->below)) e->below.length = 0;
        e->ghost.length = 0;
        gx_edit_draw(e, p.first, p.more);
        key = gx_keys_next(&e->keys);
        if (key == GX_KEY_TAB || key == GX_KEY_BACK_TAB) {
            chosen += key == GX_KEY_TAB ? 1 : -1;
            if (chosen < 0) chosen = count - 1;
            if (chosen >= count) chosen = 0;
            put_word(e, c->from, c->words.items[chosen], strlen(c->words.items[chosen]));
        } else if (key == GX_KEY_REDRAW) {
            gx_screen_redraw(&e->screen);
        } else if (key != GX_KEY_NOTHING) {
            break;
        }
    }
    set_below(e, "");
    return key == GX_KEY_ESCAPE ? GX_KEY_NOTHING : key;
}

static gx_key_kind complete(gx_edit *e, prompts p) {
    gx_text *t = &e->text;
    size_t row = gx_text_row_start(t, t->at);
    const char *text = gx_text_of(t);
    gx_key_kind key = GX_KEY_NOTHING;
    bool blank = true;
    for (size_t i = row; i < t->at; i++) blank = blank && (text[i] == ' ' || text[i] == '\t');
    if (blank || !e->host.complete) {
        size_t spaces = 4 - (t->at - row) % 4;
        gx_text_change(t, t->at, 0, "    ", spaces, false);
        return key;
    }
    gx_choices c = {.from = t->at};
    if (e->host.complete(e->host.self, text, t->buf.length, t->at, &c) && c.words.count) {
        gx_choices_sort(&c);
        size_t common = gx_choices_common(&c);
        if (common > t->at - c.from || c.words.count == 1)
            put_word(e, c.from, c.words.items[0], common);
        if (c.words.count > 1) key = choose(e, p, &c);
    }
    gx_choices_free(&c);
    return key;
}

/* --- keys ---------------------------------------------------------------------------------- */

static void insert(gx_edit *e, const char *text, size_t length, bool typed) {
    gx_text_change(&e->text, e->text.at, 0, text, length, typed);
}

static void dedent(gx_edit *e) {
    gx_text *t = &e->text;
    size_t row = gx_text_row_start(t, t->at), at = t->at;
    int spaces = (int)strspn(gx_text_of(t) + row, " ");
    int wanted = gx_edit_clause_indent(gx_text_of(t), row, at);
    if (wanted < 0 || wanted >= spaces) return;
    gx_text_change(t, row, (size_t)(spaces - wanted), "", 0, false);
    t->at = at - (size_t)(spaces - wanted);
}

static void paste(gx_edit *e) {
    gx_pad *b = &e->keys.text;
    b->length = gx_edit_strip(b->data, b->length);
    bool at_end = e->text.at == e->text.buf.length;
    while (at_end && b->length && b->data[b->length - 1] == '\n') b->length--;
    insert(e, gx_pad_text(b), b->length, false);
}

/* Where spaces have come right behind Enter, the entry is pasted, by a terminal that does not say
   so: its rows bring their own. */
static void new_row(gx_edit *e) {
    char row[256] = "\n";
    const bool waiting = gx_keys_waiting(&e->keys);
    e->pasted = waiting && (e->pasted || gx_keys_space_next(&e->keys));
    int spaces = e->pasted ? 0 : gx_edit_indent(gx_text_of(&e->text), e->text.at);
    if (spaces > 250) spaces = 250;
    memset(row + 1, ' ', (size_t)spaces);
    insert(e, row, (size_t)spaces + 1, false);
}

static bool is_blank(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\n') return false;
    }
    return true;
}

/* Enter. True: the entry is whole. */
static bool enter(gx_edit *e) {
    gx_text *t = &e->text;
    size_t length = t->buf.length, row = gx_text_row_start(t, length);
    if (is_blank(gx_text_of(t), length)) return true;
    if (t->at < row) {
        new_row(e);
        return false;
    }
    if (e->host.whole(e->host.self, gx_text_of(t), length)) return true;
    t->at = length > row && is_blank(gx_text_of(t) + row, length - row) ? length : t->at;
    new_row(e);
    return false;
}

static void backspace(gx_edit *e) {
    gx_text *t = &e->text;
    size_t row = gx_text_row_start(t, t->at), from = gx_text_prior(t, t->at);
    bool indent = t->at > row;
    for (size_t i = row; i < t->at; i++) indent = indent && gx_text_of(t)[i] == ' ';
    if (indent) from = row + (t->at - row - 1) / 4 * 4;
    gx_text_change(t, from, t->at - from, "", 0, false);
}

static void right(gx_edit *e) {
    if (e->text.at == e->text.buf.length && e->ghost.length)
        insert(e, gx_pad_text(&e->ghost), e->ghost.length, false);
    else
        e->text.at = gx_text_next(&e->text, e->text.at);
}

/* Swaps the characters around the cursor. */
static void transpose(gx_text *t) {
    size_t b = t->at < gx_text_row_end(t, t->at) ? t->at : gx_text_prior(t, t->at);
    size_t a = gx_text_prior(t, b), end = gx_text_next(t, b);
    char swapped[64];
    if (b == 0 || a == b || gx_text_of(t)[a] == '\n' || end - a > sizeof swapped) return;
    memcpy(swapped, gx_text_of(t) + b, end - b);
    memcpy(swapped + (end - b), gx_text_of(t) + a, b - a);
    gx_text_change(t, a, end - a, swapped, end - a, false);
}

static void ctrl_cut(gx_text *t, uint32_t code) {
    size_t row = gx_text_row_start(t, t->at), end = gx_text_row_end(t, t->at);
    if (code == 'k') gx_text_cut(t, t->at, end > t->at ? end : gx_text_next(t, t->at));
    if (code == 'u') gx_text_cut(t, row < t->at ? row : gx_text_prior(t, t->at), t->at);
    if (code == 'w') gx_text_cut(t, gx_text_word_left(t, t->at), t->at);
}

typedef enum outcome { GO_ON, WHOLE, END, INTERRUPT, SEARCH } outcome;

static outcome move_key(gx_edit *e, gx_key_kind key) {
    gx_text *t = &e->text;
    switch ((int)key) {
    case GX_KEY_LEFT:
        t->at = gx_text_prior(t, t->at);
        break;
    case GX_KEY_RIGHT:
        right(e);
        break;
    case GX_KEY_WORD_LEFT:
        t->at = gx_text_word_left(t, t->at);
        break;
    case GX_KEY_WORD_RIGHT:
        t->at = gx_text_word_right(t, t->at);
        break;
    case GX_KEY_HOME:
        t->at = gx_text_row_start(t, t->at);
        break;
    case GX_KEY_END:
        if (t->at == t->buf.length) right(e);
        t->at = gx_text_row_end(t, t->at);
        break;
    case GX_KEY_TEXT_START:
        t->at = 0;
        break;
    case GX_KEY_TEXT_END:
        t->at = t->buf.length;
        break;
    case GX_KEY_UP:
        if (!gx_text_row_move(t, -1)) recall(e, -1);
        return GO_ON; /* keeps the column */
    case GX_KEY_DOWN:
        if (!gx_text_row_move(t, 1)) recall(e, 1);
        return GO_ON;
    case GX_KEY_PAGE_UP:
        recall(e, -1);
        break;
    case GX_KEY_PAGE_DOWN:
        recall(e, 1);
        break;
    default:
        break;
    }
    t->goal = 0;
    return GO_ON;
}

static outcome ctrl_key(gx_edit *e) {
    gx_text *t = &e->text;
    switch (e->keys.code) {
    case 'a':
        return move_key(e, GX_KEY_HOME);
    case 'e':
        return move_key(e, GX_KEY_END);
    case 'b':
        return move_key(e, GX_KEY_LEFT);
    case 'f':
        return move_key(e, GX_KEY_RIGHT);
    case 'p':
        return move_key(e, GX_KEY_UP);
    case 'n':
        return move_key(e, GX_KEY_DOWN);
    case 'c':
        return INTERRUPT;
    case 'd':
        if (!t->buf.length) return END;
        gx_text_change(t, t->at, gx_text_next(t, t->at) - t->at, "", 0, false);
        break;
    case 'k':
    case 'u':
    case 'w':
        ctrl_cut(t, e->keys.code);
        break;
    case 'y':
        insert(e, gx_pad_text(&t->cut), t->cut.length, false);
        break;
    case 't':
        transpose(t);
        break;
    case 'l':
        gx_term_write(&e->term, "\033[H\033[2J", 7);
        gx_screen_free(&e->screen);
        break;
    case 'r':
        return SEARCH;
    case 'z':
        gx_screen_leave(&e->screen);
        gx_term_stop(&e->term);
        break;
    case '_':
        gx_text_undo(t);
        break;
    case '^':
        gx_text_redo(t);
        break;
    default:
        break;
    }
    return GO_ON;
}

static outcome alt_key(gx_edit *e) {
    gx_text *t = &e->text;
    switch (e->keys.code) {
    case 127:
        gx_text_cut(t, gx_text_word_left(t, t->at), t->at);
        break;
    case 'd':
        gx_text_cut(t, t->at, gx_text_word_right(t, t->at));
        break;
    case '_':
    case '/':
        gx_text_redo(t);
        break;
    case '<':
        if (e->hist.entries.count) show_entry(e, 0);
        break;
    case '>':
        show_entry(e, (int64_t)e->hist.entries.count);
        break;
    default:
        break;
    }
    return GO_ON;
}

static outcome do_key(gx_edit *e, gx_key_kind key) {
    gx_text *t = &e->text;
    bool cuts = (key == GX_KEY_CTRL && strchr("kuw", (int)e->keys.code)) ||
                (key == GX_KEY_ALT && (e->keys.code == 'd' || e->keys.code == 127));
    if (!cuts) t->cutting = false;
    switch ((int)key) {
    case GX_KEY_TEXT:
        insert(e, gx_pad_text(&e->keys.text), e->keys.text.length, true);
        dedent(e);
        return GO_ON;
    case GX_KEY_PASTE:
        paste(e);
        return GO_ON;
    case GX_KEY_ENTER:
        return enter(e) ? WHOLE : GO_ON;
    case GX_KEY_NEW_ROW:
        new_row(e);
        return GO_ON;
    case GX_KEY_BACKSPACE:
        backspace(e);
        return GO_ON;
    case GX_KEY_DELETE:
        gx_text_change(t, t->at, gx_text_next(t, t->at) - t->at, "", 0, false);
        return GO_ON;
    case GX_KEY_CTRL:
        return ctrl_key(e);
    case GX_KEY_ALT:
        return alt_key(e);
    case GX_KEY_CLOSED:
        return END;
    case GX_KEY_REDRAW:
        gx_screen_redraw(&e->screen);
        return GO_ON;
    default:
        return move_key(e, key);
    }
}

static outcome edit(gx_edit *e, prompts p) {
    for (gx_key_kind pending = GX_KEY_NOTHING;;) {
        if (pending == GX_KEY_NOTHING && !gx_keys_waiting(&e->keys)) {
            suggest(e);
            show_hint(e);
            gx_edit_draw(e, p.first, p.more);
        }
        gx_key_kind key = pending != GX_KEY_NOTHING ? pending : gx_keys_next(&e->keys);
        pending = GX_KEY_NOTHING;
        if (key == GX_KEY_TAB) {
            pending = complete(e, p);
            continue;
        }
        outcome o = do_key(e, key);
        if (o == SEARCH) {
            gx_key_kind last = GX_KEY_NOTHING;
            if (!gx_edit_search(e, p.first, p.more, &last)) pending = last;
        } else if (o != GO_ON) {
            return o;
        }
    }
}

/* The rows at the end that hold only what was indented for them are no part of an entry. */
static size_t without_blank_end(const char *text, size_t length) {
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\n')) length--;
    return length;
}

gx_edit_status gx_edit_read(gx_edit *e, const char *prompt, const char *more, gx_pad *out) {
    fflush(stdout);
    gx_hist_refresh(&e->hist);
    e->at_entry = (int64_t)e->hist.entries.count;
    gx_term_raw(&e->term);
    gx_interrupts_forget(); /* of what has ended */
    outcome o = edit(e, (prompts){prompt, more});
    set_below(e, "");
    e->ghost.length = 0;
    if (e->ghost.data) e->ghost.data[0] = '\0';
    e->text.at = e->text.buf.length;
    gx_edit_draw(e, prompt, more);
    gx_screen_leave(&e->screen);
    gx_interrupts_forget(); /* now: once the terminal is restored Ctrl-C is a signal */
    gx_term_restore(&e->term);
    bool ok = true;
    if (o == WHOLE) {
        size_t length = without_blank_end(gx_text_of(&e->text), e->text.buf.length);
        ok = gx_pad_add(out, gx_text_of(&e->text), length);
        if (ok && length) gx_hist_add(&e->hist, gx_pad_text(out));
    }
    gx_text_clear(&e->text);
    e->pasted = false;
    bool again = e->interrupted;
    e->interrupted = o == INTERRUPT;
    if (o == INTERRUPT && again) fputs("(Ctrl-D or exit leaves)\n", stdout);
    return o == END ? GX_EDIT_END : o == WHOLE && ok ? GX_EDIT_ENTRY : GX_EDIT_INTERRUPT;
}

bool gx_edit_open(gx_edit *e, gx_edit_host host, bool kept) {
    *e = (gx_edit){.host = host};
    if (!gx_term_open(&e->term, STDIN_FILENO, STDOUT_FILENO)) return false;
    e->keys = (gx_keys){.in = STDIN_FILENO};
    e->keys.pending = e->keys.text = (gx_pad){0};
    e->text = (gx_text){0};
    e->text.buf = e->text.cut = (gx_pad){0};
    e->screen = (gx_screen){.term = &e->term};
    e->draft = e->below = e->ghost = (gx_pad){0};
    gx_hist_open(&e->hist, kept);
    return true;
}

void gx_edit_close(gx_edit *e) {
    gx_term_restore(&e->term);
    gx_keys_free(&e->keys);
    gx_text_free(&e->text);
    gx_screen_free(&e->screen);
    gx_hist_close(&e->hist);
    gx_pad_free(&e->draft);
    gx_pad_free(&e->below);
    gx_pad_free(&e->ghost);
}
