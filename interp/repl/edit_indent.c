/* How far a new row is indented, and transcripts that are pasted. Looks at the text alone: what
   opens a block ends in a colon, what leaves one starts with return, pass and their like, and an
   open bracket indents by four. */
#include <string.h>

#include "interp/repl/edit.h"
#include "interp/session/scan.h"

enum { STEP = 4 };

static int spaces_at(const char *row, const char *end) {
    int n = 0;
    for (; row < end && (*row == ' ' || *row == '\t'); row++) n += *row == '\t' ? 8 - n % 8 : 1;
    return n;
}

static bool starts_with(const char *row, const char *end, const char *word) {
    size_t n = strlen(word);
    while (row < end && (*row == ' ' || *row == '\t')) row++;
    return (size_t)(end - row) >= n && memcmp(row, word, n) == 0 &&
           ((size_t)(end - row) == n || row[n] == ' ' || row[n] == ';');
}

int gx_edit_indent(const char *text, size_t at) {
    static const char *const leaving[] = {"return", "pass", "break", "continue", "raise"};
    gx_scanned s = gx_scan_open(text, at);
    const char *end = text + at, *row = end;
    if (s.quote && s.triple) return 0;
    while (row > text && row[-1] != '\n') row--;
    int have = spaces_at(row, end);
    if (s.depth) {
        size_t from = s.depth <= GX_SCAN_DEPTH ? s.rows[s.depth - 1] : 0;
        int outer = spaces_at(text + from, end) + STEP;
        return text + from == row || have < outer ? outer : have;
    }
    if (s.last == ':') return have + STEP;
    for (size_t i = 0; i < sizeof leaving / sizeof *leaving; i++) {
        if (starts_with(row, end, leaving[i])) return have > STEP ? have - STEP : 0;
    }
    return have;
}

void gx_edit_dedent(gx_pad *b) {
    size_t common = SIZE_MAX, to = 0;
    for (size_t row = 0; row < b->length;) {
        size_t spaces = strspn(b->data + row, " "), end = row + strcspn(b->data + row, "\n");
        if (row + spaces < end && spaces < common) common = spaces;
        row = end + 1;
    }
    if (!common || common == SIZE_MAX) return;
    for (size_t row = 0; row < b->length;) {
        size_t end = row + strcspn(b->data + row, "\n"), from = row + common;
        if (from > end) from = end;
        size_t length = end - from + (end < b->length);
        memmove(b->data + to, b->data + from, length);
        to += length;
        row = end + 1;
    }
    b->length = to;
    b->data[to] = '\0';
}

/* Does a row open what `clause` goes on: if … else, try … except? */
static bool opens(const char *row, const char *end, const char *clause) {
    static const char *const pairs[][2] = {
        {"else:", "if"},      {"else:", "elif"},      {"else:", "for"},
        {"else:", "while"},   {"else:", "except"},    {"elif", "if"},
        {"elif", "elif"},     {"except", "try:"},     {"except", "except"},
        {"finally:", "try:"}, {"finally:", "else:"},  {"except", "except:"},
        {"else:", "except:"}, {"finally:", "except"}, {"finally:", "except:"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(pairs[i][0], clause) == 0 && starts_with(row, end, pairs[i][1])) return true;
    return false;
}

int gx_edit_clause_indent(const char *text, size_t row, size_t at) {
    static const char *const clauses[] = {"else:", "elif", "except", "finally:"};
    const char *clause = NULL, *words = text + row + strspn(text + row, " ");
    for (int i = 0; i < 4; i++) {
        size_t n = strlen(clauses[i]);
        if ((size_t)(text + at - words) == n && memcmp(words, clauses[i], n) == 0)
            clause = clauses[i];
    }
    if (!clause) return -1;
    int limit = spaces_at(text + row, text + at) + 1;
    while (row > 0) {
        size_t end = row - 1;
        for (row = end; row > 0 && text[row - 1] != '\n';) row--;
        int spaces = spaces_at(text + row, text + end);
        if (spaces >= limit || text + row + spaces == text + end) continue;
        if (opens(text + row, text + end, clause)) return spaces;
        limit = spaces;
    }
    return -1;
}

/* IPython's prompts: "In [12]: ", and "    ...: " of the rows below. 0: it is none. */
static size_t numbered_length(const char *row, const char *end) {
    const char *p = row;
    if (end - row > 4 && memcmp(row, "In [", 4) == 0) {
        for (p += 4; p < end && *p >= '0' && *p <= '9';) p++;
        if (end - p < 2 || memcmp(p, "]:", 2) != 0) return 0;
        p += 2;
    } else {
        while (p < end && *p == ' ') p++;
        if (p - row < 2 || end - p < 4 || memcmp(p, "...:", 4) != 0) return 0;
        p += 4;
    }
    return (size_t)(p - row) + (p < end && *p == ' ');
}

/* The length of a prompt at the start of a row, 0 for none. "...", alone, is one too. */
static size_t prompt_length(const char *row, const char *end) {
    static const char *const prompts[] = {">>> ", "... ", "gx> "};
    size_t left = (size_t)(end - row), numbered = numbered_length(row, end);
    if (numbered) return numbered;
    for (int i = 0; i < 3; i++) {
        if (left >= 4 && memcmp(row, prompts[i], 4) == 0) return 4;
        if (left == 3 && memcmp(row, prompts[i], 3) == 0) return 3;
    }
    return 0;
}

size_t gx_edit_strip(char *text, size_t length) {
    char *to = text;
    const char *end = text + length;
    size_t spaces = strspn(text, " ");
    if (!prompt_length(text + spaces, end)) return length;
    for (const char *row = text; row < end;) {
        const char *stop = memchr(row, '\n', (size_t)(end - row));
        const char *next = stop ? stop + 1 : end, *from = row;
        if (!stop) stop = end;
        while (from < stop && (size_t)(from - row) < spaces && *from == ' ') from++;
        size_t prompt = prompt_length(from, stop);
        if (prompt) {
            from += prompt;
            memmove(to, from, (size_t)(stop - from));
            to += stop - from;
            *to++ = '\n';
        }
        row = next;
    }
    if (to > text) to--;
    *to = '\0';
    return (size_t)(to - text);
}
