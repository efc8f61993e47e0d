/* What the line editor shows: the entry is laid out into rows of the terminal, and only rows that
   changed are written. A text higher than the terminal shows the rows around the cursor. A row
   never leaves the cursor behind the last column, where terminals differ. */
#include <stdlib.h>
#include <string.h>

#include "interp/repl/edit.h"

/* The sixteen colours that every terminal has, chosen by its user. */
static const char *const colours[GX_PAINTS] = {
    [GX_PAINT_PLAIN] = "",           [GX_PAINT_KEYWORD] = "\033[35m",
    [GX_PAINT_NUMBER] = "\033[36m",  [GX_PAINT_STRING] = "\033[32m",
    [GX_PAINT_COMMENT] = "\033[90m", [GX_PAINT_BUILTIN] = "\033[34m",
    [GX_PAINT_COMMAND] = "\033[33m",   [GX_PAINT_ERROR] = "\033[31m",
    [GX_PAINT_BRACKET] = "\033[1m",  [GX_PAINT_GHOST] = "\033[90m",
};

/* Rows being made. A failed addition only leaves something out of the picture. */
typedef struct layout {
    gx_screen *s;
    int column, columns;
    uint8_t paint;
    bool colours, full;
    int cursor_row, cursor_column;
} layout;

static void put_bytes(layout *l, const char *text, size_t length) {
    if (l->full || !gx_pad_add(&l->s->made.items[l->s->made.count - 1], text, length))
        l->full = true;
}

static void set_paint(layout *l, uint8_t paint) {
    if (!l->colours || paint == l->paint) return;
    if (l->paint != GX_PAINT_PLAIN) put_bytes(l, "\033[0m", 4);
    put_bytes(l, colours[paint], strlen(colours[paint]));
    l->paint = paint;
}

static void new_row(layout *l) {
    if (l->s->made.count) set_paint(l, GX_PAINT_PLAIN);
    gx_pad row = (gx_pad){0};
    if (!gx_row_push(&l->s->made, row)) l->full = true;
    l->column = 0;
}

/* Adds a character of `width` columns, on the next row when it has no room here. */
static void put_char(layout *l, const char *text, size_t length, int width, uint8_t paint) {
    if (l->column + width > l->columns) new_row(l);
    set_paint(l, paint);
    put_bytes(l, text, length);
    l->column += width;
}

static void put_text(layout *l, const gx_edit_view *v) {
    size_t next;
    int start = 0; /* the column where the row's text starts, for tabs */
    for (size_t i = 0; i <= v->length; i = next) {
        if (i == 0 || v->text[i - 1] == '\n') {
            const char *prompt = i == 0 ? v->prompt : v->more;
            new_row(l);
            for (const char *p = prompt; *p; p++) put_char(l, p, 1, 1, GX_PAINT_PLAIN);
            start = l->column;
        }
        if (i == v->at) {
            if (l->column == l->columns) new_row(l);
            l->cursor_row = (int)l->s->made.count - 1;
            l->cursor_column = l->column;
        }
        if (i == v->length) break;
        next = i + 1;
        if (v->text[i] == '\n') continue;
        uint8_t paint = v->paint ? v->paint[i] : GX_PAINT_PLAIN;
        unsigned char c = (unsigned char)v->text[i];
        int width = gx_text_columns(v->text, v->length, i, l->column - start, &next);
        if (c == '\t') {
            for (; width > 0; width--) put_char(l, " ", 1, 1, paint);
        } else if (c < 32 || c == 127) {
            char shown[2] = {'^', (char)(c ^ 64)};
            put_char(l, shown, 2, 2, GX_PAINT_ERROR);
        } else {
            put_char(l, v->text + i, next - i, width, paint);
        }
    }
}

/* Rows that are cut at the edge, not wrapped. */
static void put_cut(layout *l, const char *text, uint8_t paint, bool one_row) {
    size_t length = strlen(text), next;
    for (size_t i = 0; i < length && !(one_row && text[i] == '\n'); i = next) {
        if (text[i] == '\n') {
            new_row(l);
            next = i + 1;
            continue;
        }
        int width = gx_text_columns(text, length, i, l->column, &next);
        if ((unsigned char)text[i] < 32 || l->column + width > l->columns) continue;
        put_char(l, text + i, next - i, width, paint);
    }
}

static void free_rows(gx_pad *rows, size_t count) {
    for (size_t i = 0; i < count; i++) gx_pad_free(&rows[i]);
}

/* Keeps the rows of the window. */
static void choose_window(layout *l) {
    gx_screen *s = l->s;
    int rows = s->term->rows, count = (int)s->made.count;
    if (s->top > l->cursor_row) s->top = l->cursor_row;
    if (s->top < l->cursor_row - rows + 1) s->top = l->cursor_row - rows + 1;
    if (s->top > count - rows) s->top = count - rows;
    if (s->top < 0) s->top = 0;
    int end = s->top + rows < count ? s->top + rows : count;
    free_rows(s->made.items, (size_t)s->top);
    free_rows(s->made.items + end, (size_t)(count - end));
    memmove(s->made.items, s->made.items + s->top, (size_t)(end - s->top) * sizeof *s->made.items);
    s->made.count = (size_t)(end - s->top);
    l->cursor_row -= s->top;
}

static void make_rows(layout *l, const gx_edit_view *v) {
    gx_screen *s = l->s;
    s->made.count = 0;
    put_text(l, v);
    if (v->ghost && v->at == v->length) put_cut(l, v->ghost, GX_PAINT_GHOST, true);
    if (v->below && *v->below) {
        new_row(l);
        put_cut(l, v->below, GX_PAINT_PLAIN, false);
    }
    set_paint(l, GX_PAINT_PLAIN);
    choose_window(l);
}

/* --- writing what differs ------------------------------------------------------------------ */

typedef struct writer {
    gx_pad out;
    int row, bottom; /* where the cursor is; the last row that exists */
} writer;

static bool go_to(writer *w, int row) {
    bool ok = true;
    if (row < w->row) ok = gx_pad_printf(&w->out, "\033[%dA", w->row - row);
    int reach = row < w->bottom ? row : w->bottom;
    if (reach > w->row) ok = ok && gx_pad_printf(&w->out, "\033[%dB", reach - w->row);
    for (; w->bottom < row; w->bottom++) ok = ok && gx_pad_char(&w->out, '\n');
    w->row = row;
    return ok;
}

/* Columns of a made row: what is between the escapes. */
static int columns_of(const gx_pad *row) {
    const char *text = gx_pad_text(row);
    int column = 0;
    for (size_t i = 0, next; i < row->length; i = next) {
        if (text[i] == '\033') {
            for (next = i + 1; next < row->length && text[next] != 'm';) next++;
            next++;
            continue;
        }
        column += gx_text_columns(text, row->length, i, column, &next);
    }
    return column;
}

static bool write_rows(gx_screen *s, writer *w) {
    bool ok = true;
    for (size_t i = 0; i < s->made.count && ok; i++) {
        const gx_pad *now = &s->made.items[i],
                     *old = i < s->shown.count ? &s->shown.items[i] : NULL;
        if (old && old->length == now->length &&
            memcmp(gx_pad_text(old), gx_pad_text(now), now->length) == 0)
            continue;
        ok = go_to(w, (int)i) && gx_pad_char(&w->out, '\r') &&
             gx_pad_add(&w->out, gx_pad_text(now), now->length);
        if (ok && columns_of(now) < s->term->columns) ok = gx_pad_puts(&w->out, "\033[K");
    }
    if (ok && s->made.count < s->shown.count)
        ok = go_to(w, (int)s->made.count) && gx_pad_puts(&w->out, "\r\033[J");
    return ok;
}

void gx_screen_draw(gx_screen *s, const gx_edit_view *v) {
    layout l = {.s = s, .columns = s->term->columns, .colours = s->term->colours};
    make_rows(&l, v);
    writer w = {.out = (gx_pad){0}, .row = s->row};
    w.bottom = s->shown.count ? (int)s->shown.count - 1 : 0;
    bool ok = gx_pad_puts(&w.out, "\033[?25l") && write_rows(s, &w) && go_to(&w, l.cursor_row) &&
              gx_pad_char(&w.out, '\r');
    if (ok && l.cursor_column) ok = gx_pad_printf(&w.out, "\033[%dC", l.cursor_column);
    if (ok && gx_pad_puts(&w.out, "\033[?25h"))
        gx_term_write(s->term, gx_pad_text(&w.out), w.out.length);
    gx_pad_free(&w.out);
    free_rows(s->shown.items, s->shown.count);
    s->shown.count = 0;
    if (gx_row_reserve(&s->shown, s->made.count)) {
        memcpy(s->shown.items, s->made.items, s->made.count * sizeof *s->made.items);
        s->shown.count = s->made.count;
    } else {
        free_rows(s->made.items, s->made.count);
    }
    s->made.count = 0;
    s->row = l.cursor_row;
    s->column = l.cursor_column;
}

static void forget(gx_screen *s) {
    free_rows(s->shown.items, s->shown.count);
    s->shown.count = 0;
    s->row = s->column = s->top = 0;
}

void gx_screen_leave(gx_screen *s) {
    writer w = {.out = (gx_pad){0}, .row = s->row};
    w.bottom = s->shown.count ? (int)s->shown.count - 1 : 0;
    if (go_to(&w, w.bottom) && gx_pad_puts(&w.out, "\r\n"))
        gx_term_write(s->term, gx_pad_text(&w.out), w.out.length);
    gx_pad_free(&w.out);
    forget(s);
}

void gx_screen_redraw(gx_screen *s) {
    int up = s->row, before = s->term->columns;
    gx_term_measure(s->term);
    if (s->term->columns < before) { /* terminals fold rows that have become too long */
        up = s->column / s->term->columns;
        for (int i = 0; i < s->row && (size_t)i < s->shown.count; i++) {
            int wide = columns_of(&s->shown.items[i]);
            up += wide ? (wide + s->term->columns - 1) / s->term->columns : 1;
        }
    }
    gx_pad out = (gx_pad){0};
    bool ok = gx_pad_char(&out, '\r');
    if (ok && up) ok = gx_pad_printf(&out, "\033[%dA", up);
    if (ok && gx_pad_puts(&out, "\033[J")) gx_term_write(s->term, gx_pad_text(&out), out.length);
    gx_pad_free(&out);
    forget(s);
}

void gx_screen_free(gx_screen *s) {
    forget(s);
    gx_row_free(&s->shown);
    gx_row_free(&s->made);
}
