/* See screen.h. */
#include "tests/pty/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/source.h"

void screen_init(screen *s, int columns, int rows) {
    memset(s, 0, sizeof *s);
    s->columns = columns;
    s->rows = rows;
}

static void scroll(screen *s) {
    memmove(s->storages[0], s->storages[1], sizeof s->storages[0] * (size_t)(s->rows - 1));
    memset(s->storages[s->rows - 1], 0, sizeof s->storages[0]);
}

static void line_feed(screen *s) {
    if (s->row == s->rows - 1)
        scroll(s);
    else
        s->row++;
}

void screen_resize(screen *s, int columns, int rows) {
    while (s->row >= rows) {
        scroll(s);
        s->row--;
    }
    for (int r = rows; r < SCREEN_ROWS; r++) memset(s->storages[r], 0, sizeof s->storages[r]);
    for (int r = 0; r < SCREEN_ROWS; r++) {
        for (int c = columns; c < SCREEN_COLUMNS; c++)
            memset(&s->storages[r][c], 0, sizeof(storage));
    }
    s->columns = columns;
    s->rows = rows;
    if (s->column >= columns) s->column = columns - 1;
    s->wrap = 0;
}

static void put_text(screen *s, const char *text, size_t bytes) {
    int n;
    int width = (int)gx_utf8_width(text, bytes);
    uint32_t code = gx_utf8_decode(text, &n);
    if (width == 0 || code == 0x200D) { /* joins the storage before the cursor */
        int c = s->wrap ? s->column : s->column - 1;
        if (c > 0 && s->storages[s->row][c].covered) c--;
        char *to = s->storages[s->row][c < 0 ? 0 : c].text;
        if (strlen(to) + bytes < SCREEN_CELL) strncat(to, text, bytes);
        return;
    }
    if (s->wrap || s->column + width > s->columns) {
        line_feed(s);
        s->column = 0;
        s->wrap = 0;
    }
    storage *at = &s->storages[s->row][s->column];
    memset(at, 0, sizeof *at);
    memcpy(at->text, text, bytes);
    at->colour = (uint8_t)s->colour;
    if (width == 2) {
        memset(at + 1, 0, sizeof *at);
        at[1].covered = 1;
    }
    s->column += width;
    if (s->column >= s->columns) {
        s->column = s->columns - 1;
        s->wrap = 1;
    }
}

static void erase(screen *s, int row, int from, int to) {
    for (int c = from; c < to; c++) memset(&s->storages[row][c], 0, sizeof(storage));
}

static int clamp(int x, int high) {
    return x < 0 ? 0 : x > high ? high : x;
}

static void set_mode(screen *s, const char *body, int on) {
    if (strcmp(body, "?2004") == 0)
        s->paste = on;
    else if (strcmp(body, "?25") == 0)
        s->hidden = !on;
    else
        s->unknown++;
}

/* ESC [ body final. */
static void sequence(screen *s, const char *body, char final) {
    int n = atoi(body), one = n ? n : 1;
    if (final != 'm' && final != 'h' && final != 'l') s->wrap = 0;
    switch (final) {
    case 'A':
        s->row = clamp(s->row - one, s->rows - 1);
        break;
    case 'B':
        s->row = clamp(s->row + one, s->rows - 1);
        break;
    case 'C':
        s->column = clamp(s->column + one, s->columns - 1);
        break;
    case 'D':
        s->column = clamp(s->column - one, s->columns - 1);
        break;
    case 'H':
        s->row = s->column = 0;
        break;
    case 'K':
        erase(s, s->row, s->column, s->columns);
        break;
    case 'J':
        if (n == 0) erase(s, s->row, s->column, s->columns);
        for (int r = n == 2 ? 0 : s->row + 1; r < s->rows; r++) erase(s, r, 0, s->columns);
        break;
    case 'm':
        s->colour = n;
        break;
    case 'h':
        set_mode(s, body, 1);
        break;
    case 'l':
        set_mode(s, body, 0);
        break;
    default:
        s->unknown++;
    }
}

/* Takes one character or sequence; 0: it is not whole yet. */
static size_t take(screen *s, const char *p, size_t length) {
    unsigned char c = (unsigned char)*p;
    if (c == 27) {
        if (length < 2) return 0;
        if (p[1] != '[') {
            s->unknown++;
            return 2;
        }
        char body[32] = "";
        for (size_t i = 2; i < length && i < 30; i++) {
            if (p[i] >= 0x40 && p[i] <= 0x7E) {
                memcpy(body, p + 2, i - 2);
                sequence(s, body, p[i]);
                return i + 1;
            }
        }
        return length > 30 ? 30 : 0;
    }
    if (c == '\r') {
        s->column = 0;
        s->wrap = 0;
    } else if (c == '\n') {
        line_feed(s);
        s->wrap = 0;
    } else if (c == 8) {
        s->column = clamp(s->column - 1, s->columns - 1);
    } else if (c >= 32) {
        size_t bytes = c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
        if (bytes > length) return 0;
        put_text(s, p, bytes);
        return bytes;
    }
    return 1;
}

void screen_feed(screen *s, const char *bytes, size_t length) {
    while (length || s->rest_length) {
        size_t room = sizeof s->rest - s->rest_length, n = length < room ? length : room;
        memcpy(s->rest + s->rest_length, bytes, n);
        s->rest_length += n;
        bytes += n;
        length -= n;
        size_t at = 0, used;
        while (at < s->rest_length && (used = take(s, s->rest + at, s->rest_length - at)))
            at += used;
        memmove(s->rest, s->rest + at, s->rest_length - at);
        s->rest_length -= at;
        if (!at && !length) return;
    }
}

void screen_row(const screen *s, int row, char *out, size_t room) {
    size_t length = 0, end = 0;
    for (int c = 0; c < s->columns; c++) {
        const storage *at = &s->storages[row][c];
        if (at->covered) continue;
        const char *text = at->text[0] ? at->text : " ";
        size_t n = strlen(text);
        if (length + n + 1 > room) break;
        memcpy(out + length, text, n);
        length += n;
        if (strcmp(text, " ") != 0) end = length;
    }
    out[end] = '\0';
}
