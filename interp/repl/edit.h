/* The line editor: one entry of several rows, edited on a terminal. Its parts, each a file:
     edit_term.c   the terminal's mode and size; the mode comes back after any end
     edit_keys.c   bytes to keys
     edit_text.c   the text, the cursor, undo, what was cut
     edit_draw.c   what changed goes to the screen
     edit_hist.c   earlier entries, shared between windows
     edit.c        what each key does
   It knows nothing of the language: gx_edit_host tells it when an entry is whole, which colours
   it has, and how a name goes on. */
#ifndef GX_INTERP_REPL_EDIT_H
#define GX_INTERP_REPL_EDIT_H

#include <termios.h>

#include "include/gx.h"
#include "interp/host/pad.h"

/* --- what the owner of the editor knows --------------------------------------------------- */
/* What gx_paint of include/gx.h lacks. */
enum {
    GX_PAINT_BRACKET = GX_PAINT_ERROR + 1, /* the bracket beside the cursor, and its partner */
    GX_PAINT_GHOST,                        /* what history suggests */
    GX_PAINTS
};

/* What a word at the cursor may become. */
typedef struct gx_choices {
    size_t from;          /* the byte where the word starts that the choices replace */
    GX_ROW(char *) words; /* owned texts */
} gx_choices;

typedef struct gx_edit_host {
    void *self;
    /* Is the entry whole (or beyond repair)? Else Enter makes another row. */
    bool (*whole)(void *self, const char *text, size_t length);
    /* One gx_paint a byte. */
    void (*paint)(void *self, const char *text, size_t length, uint8_t *out);
    /* What is called at `at` and how, for gx_string_free; NULL: nothing that is known. */
    char *(*hint)(void *self, const char *text, size_t length, size_t at);
    /* Fills *out for the word that ends at `at`; false: memory is out. */
    bool (*complete)(void *self, const char *text, size_t length, size_t at, gx_choices *out);
} gx_edit_host;

bool gx_choices_add(gx_choices *c, const char *word, size_t length);
/* Sorts, and drops what is there twice. */
void gx_choices_sort(gx_choices *c);
void gx_choices_free(gx_choices *c);

/* --- the terminal -------------------------------------------------------------------------- */
typedef struct gx_term {
    int in, out;
    int rows, columns;
    struct termios before; /* the mode that was found */
    bool raw, colours;
} gx_term;

/* False: this is not a terminal that can be edited on. */
bool gx_term_open(gx_term *t, int in, int out);
void gx_term_raw(gx_term *t);
void gx_term_restore(gx_term *t);
/* From another thread or a handler, right before the process ends: the mode that was found. */
void gx_term_leave(void);
void gx_term_measure(gx_term *t);
/* Stops the process as Ctrl-Z does, and comes back in raw mode. */
void gx_term_stop(gx_term *t);
/* Has the size changed, or has the process been stopped and continued, since the last call? */
bool gx_term_disturbed(void);
void gx_term_write(gx_term *t, const char *text, size_t length);

/* Bytes that all choices begin with; there is at least one choice. */
size_t gx_choices_common(const gx_choices *c);
/* The choices in columns, the chosen one marked (-1: none). */
bool gx_choices_show(const gx_choices *c, const gx_term *t, int64_t chosen, gx_pad *out);

/* --- keys ---------------------------------------------------------------------------------- */
typedef enum gx_key_kind {
    GX_KEY_TEXT,  /* characters typed, in `text` */
    GX_KEY_PASTE, /* characters pasted at once */
    GX_KEY_CTRL,  /* `code` is the letter in lower case */
    GX_KEY_ALT,   /* the same */
    GX_KEY_ENTER,
    GX_KEY_NEW_ROW, /* Alt-Enter */
    GX_KEY_TAB,
    GX_KEY_BACK_TAB,
    GX_KEY_BACKSPACE,
    GX_KEY_DELETE,
    GX_KEY_LEFT,
    GX_KEY_RIGHT,
    GX_KEY_UP,
    GX_KEY_DOWN,
    GX_KEY_WORD_LEFT,
    GX_KEY_WORD_RIGHT,
    GX_KEY_HOME,
    GX_KEY_END,
    GX_KEY_TEXT_START, /* Ctrl-Home */
    GX_KEY_TEXT_END,
    GX_KEY_PAGE_UP,
    GX_KEY_PAGE_DOWN,
    GX_KEY_ESCAPE,
    GX_KEY_REDRAW, /* the terminal was disturbed */
    GX_KEY_CLOSED, /* no more input */
    GX_KEY_NOTHING
} gx_key_kind;

typedef struct gx_keys {
    int in;
    size_t at;
    gx_pad pending; /* bytes read and not used: from `at` */
    gx_pad text;    /* of the last key */
    uint32_t code;
} gx_keys;

/* Waits for a key; its text and code stand in *k. */
gx_key_kind gx_keys_next(gx_keys *k);
/* Is another key waiting already? Then nothing needs to be drawn before it. */
bool gx_keys_waiting(gx_keys *k);
/* Is it a space? */
bool gx_keys_space_next(gx_keys *k);
void gx_keys_free(gx_keys *k);

/* --- the text ------------------------------------------------------------------------------ */
/* One change: `count` bytes at `at` became others. Undo puts `gone` back. */
typedef struct gx_change {
    size_t at, cursor;
    char *gone, *come; /* owned */
    size_t gone_length, come_length;
    bool typed; /* the next typed character belongs to it */
} gx_change;

typedef struct gx_text {
    gx_pad buf;
    size_t at;
    size_t goal; /* the column that up and down aim at, plus 1; 0: the cursor's own */
    GX_ROW(gx_change) changes;
    size_t done; /* changes[0 … done - 1] are in effect */
    gx_pad cut;
    bool cutting; /* the last key cut too: cuts join */
} gx_text;

static inline const char *gx_text_of(const gx_text *t) {
    return gx_pad_text(&t->buf);
}
/* Replaces `count` bytes at `at`; the cursor goes behind what came. False: memory is out. */
bool gx_text_change(gx_text *t, size_t at, size_t count, const char *text, size_t length,
                    bool typed);
/* The whole text becomes this one, the cursor at its end. */
void gx_text_set(gx_text *t, const char *text, size_t length);
void gx_text_undo(gx_text *t);
void gx_text_redo(gx_text *t);
/* Forgets changes: another entry begins. */
void gx_text_clear(gx_text *t);
void gx_text_free(gx_text *t);
/* The bounds of the character (with its marks) behind and before a place. */
size_t gx_text_next(const gx_text *t, size_t at);
size_t gx_text_prior(const gx_text *t, size_t at);
size_t gx_text_word_left(const gx_text *t, size_t at);
size_t gx_text_word_right(const gx_text *t, size_t at);
size_t gx_text_row_start(const gx_text *t, size_t at);
size_t gx_text_row_end(const gx_text *t, size_t at);
/* To the row above (-1) or below (1); false: there is none. */
bool gx_text_row_move(gx_text *t, int by);
/* Cuts from one place to another, for Ctrl-Y. */
void gx_text_cut(gx_text *t, size_t from, size_t to);
/* Columns of a character at `at` that starts in `column`; its end in *next. */
int gx_text_columns(const char *text, size_t length, size_t at, int column, size_t *next);

/* --- the screen ---------------------------------------------------------------------------- */
typedef struct gx_screen {
    gx_term *term;
    GX_ROW(gx_pad) shown; /* the rows on the screen */
    GX_ROW(gx_pad) made;  /* the rows to be shown */
    int row, column;      /* where the terminal's cursor is, in rows of `shown` */
    int top;              /* the first row in the window, when the text is higher than it */
} gx_screen;

/* What is on the screen: the entry, and below it a few lines of help (choices, the search). */
typedef struct gx_edit_view {
    const char *prompt, *more; /* before the first row, and before the others */
    const char *text;
    size_t length, at;
    const uint8_t *paint; /* one a byte, or NULL */
    const char *ghost;    /* shown after the text, not part of it; or NULL */
    const char *below;    /* rows below, or NULL */
} gx_edit_view;

void gx_screen_draw(gx_screen *s, const gx_edit_view *v);
/* The cursor goes below all rows, and the screen is forgotten. */
void gx_screen_leave(gx_screen *s);
/* Whatever is there is drawn over: after a change of size. */
void gx_screen_redraw(gx_screen *s);
void gx_screen_free(gx_screen *s);

/* --- history ------------------------------------------------------------------------------- */
typedef struct gx_hist {
    GX_ROW(char *) entries; /* owned, oldest first */
    char *path;             /* NULL: not kept */
    int64_t read_to;        /* bytes of the file that are in `entries` */
} gx_hist;

/* Reads the file that GX_HISTORY or XDG_STATE_HOME names. */
void gx_hist_open(gx_hist *h, bool kept);
/* Takes in what other windows have added since. */
void gx_hist_refresh(gx_hist *h);
void gx_hist_add(gx_hist *h, const char *text);
/* The nearest entry before (by -1) or behind (1) index `from` that starts with (or, `anywhere`,
   contains) a text and differs from it; -1: none. */
int64_t gx_hist_find(const gx_hist *h, int64_t from, int by, const char *text, size_t length,
                     bool anywhere);
void gx_hist_close(gx_hist *h);

/* --- the editor ---------------------------------------------------------------------------- */
typedef enum gx_edit_status { GX_EDIT_ENTRY, GX_EDIT_END, GX_EDIT_INTERRUPT } gx_edit_status;
typedef struct gx_edit {
    gx_edit_host host;
    gx_term term;
    gx_keys keys;
    gx_text text;
    gx_screen screen;
    gx_hist hist;
    int64_t at_entry; /* the entry of history that is shown; hist.entries.count: the new one */
    gx_pad draft;     /* the new entry, while an old one is shown */
    gx_pad below;     /* rows below the entry */
    bool pasted;      /* its rows come with spaces of their own */
    bool hinted;      /* they show how a function is called */
    gx_pad ghost;
    size_t prefix; /* up and down look for entries that start with this much of the draft */
    bool interrupted;
} gx_edit;

/* False: standard input or output is no terminal, or editing is switched off. kept: earlier
   entries are read from the history, and new ones are written there. */
bool gx_edit_open(gx_edit *e, gx_edit_host host, bool kept);
/* Reads one entry into *out; rows are separated by \n. */
gx_edit_status gx_edit_read(gx_edit *e, const char *prompt, const char *more, gx_pad *out);
void gx_edit_close(gx_edit *e);
/* edit_search.c: Ctrl-R. False: the key that ended it remains to be done, in *key. */
bool gx_edit_search(gx_edit *e, const char *prompt, const char *more, gx_key_kind *key);
/* Draws the entry with colours. */
void gx_edit_draw(gx_edit *e, const char *prompt, const char *more);
/* edit_indent.c */
/* The spaces that the row after text[0 … at - 1] begins with. */
int gx_edit_indent(const char *text, size_t at);
/* Where a row that is just `else:`, `elif`, `except` or `finally:` belongs: the indent of what it
   goes on; -1: it is no such row, or goes on nothing. */
int gx_edit_clause_indent(const char *text, size_t row, size_t at);
/* Removes the spaces that all rows begin with. */
void gx_edit_dedent(gx_pad *b);
/* Removes the prompts of a pasted transcript, and what is not behind a prompt; in place. */
size_t gx_edit_strip(char *text, size_t length);

#endif
