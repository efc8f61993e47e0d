/* What a word may become: the list of choices, and its picture in columns. */
#include <stdlib.h>
#include <string.h>

#include "interp/repl/edit.h"
#include "interp/embed/tools.h"

bool gx_choices_add(gx_choices *c, const char *word, size_t length) {
    char *text = malloc(length + 1);
    if (!text) return false;
    memcpy(text, word, length);
    text[length] = '\0';
    if (gx_row_push(&c->words, text)) return true;
    free(text);
    return false;
}

static int by_text(const void *a, const void *b) {
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    if ((*x == '_') != (*y == '_')) return *x == '_' ? 1 : -1;
    return strcmp(x, y);
}

void gx_choices_sort(gx_choices *c) {
    if (!c->words.count) return;
    qsort(c->words.items, c->words.count, sizeof *c->words.items, by_text);
    size_t to = 1;
    for (size_t i = 1; i < c->words.count; i++) {
        if (strcmp(c->words.items[i], c->words.items[to - 1]) == 0)
            free(c->words.items[i]);
        else
            c->words.items[to++] = c->words.items[i];
    }
    c->words.count = to;
}

void gx_choices_free(gx_choices *c) {
    for (size_t i = 0; i < c->words.count; i++) free(c->words.items[i]);
    gx_row_free(&c->words);
}

size_t gx_choices_common(const gx_choices *c) {
    const char *first = c->words.items[0];
    size_t n = strlen(first);
    for (size_t i = 1; i < c->words.count; i++) {
        size_t same = 0;
        while (same < n && c->words.items[i][same] == first[same]) same++;
        n = same;
    }
    while (n && ((unsigned char)first[n] & 0xC0) == 0x80) n--;
    return n;
}

bool gx_choices_show(const gx_choices *c, const gx_term *t, int64_t chosen, gx_pad *out) {
    size_t width = 0, count = c->words.count, rows_free = (size_t)t->rows / 3 + 1;
    for (size_t i = 0; i < count; i++) {
        size_t w = gx_tool_width(c->words.items[i], strlen(c->words.items[i]));
        if (w > width) width = w;
    }
    size_t across = (size_t)t->columns / (width + 2);
    if (across < 1) across = 1;
    size_t rows = (count + across - 1) / across;
    size_t shown_rows = rows < rows_free ? rows : rows_free;
    bool ok = true;
    for (size_t row = 0; row < shown_rows; row++) {
        if (row) ok = ok && gx_pad_char(out, '\n');
        for (size_t i = row; i < count; i += rows) {
            const char *word = c->words.items[i];
            size_t w = gx_tool_width(word, strlen(word));
            ok = ok && gx_pad_char(out, (int64_t)i == chosen ? '>' : ' ') && gx_pad_puts(out, word);
            if (i + rows < count) ok = ok && gx_pad_fill(out, ' ', width - w + 1);
        }
    }
    if (shown_rows < rows) ok = ok && gx_pad_printf(out, "\n (%zu names in all)", count);
    return ok;
}
