/* One style for programs: gx fmt. The tokens and comments of a text are written anew with the
   blanks that the style wants between them. Where lines end stays the author's, and so does whether
   an arithmetic operator has blanks around it, which shows what belongs together; a line that goes
   on moves with the bracket that it stands in. The result is cut into tokens again: they are the
   same, or the text stays as it is. */
#include <string.h>

#include "interp/session/session.h"
#include "lexer/lexer.h"

enum { WIDTH = 4 }; /* of an indent */

/* A bracket that is open, or the statement (depth 0). */
typedef struct frame {
    uint8_t kind;   /* the token's; GX_TOKEN_END: a statement */
    int shift;      /* by which the lines inside it move */
    int lambdas;    /* whose colon is still to come */
    bool annotated; /* a colon came since the last comma: x: int = 1 */
} frame;

typedef struct writer {
    gx_rt *rt;
    const char *text;
    const gx_token *items;
    size_t count;
    gx_buf *out;
    int column; /* of the line that is being written, in characters */
    frame frames[GX_MAX_BRACKETS + 1];
    int depth;
    int old_indent[GX_MAX_INDENTS + 1]; /* columns of the blocks in the text */
    int level;
    int line_shift; /* by which the line's first token has moved */
    bool tight;     /* no blank before the next token: it belongs to an operator before it */
    bool starts;    /* nothing of the statement has been written */
    bool soft;      /* the statement's first token was a name, and nothing followed */
} writer;

/* --- about tokens ----------------------------------------------------------------------------- */

static bool is_open(int kind) {
    return kind == GX_TOKEN_LPAREN || kind == GX_TOKEN_LBRACKET || kind == GX_TOKEN_LBRACE;
}
static bool is_close(int kind) {
    return kind == GX_TOKEN_RPAREN || kind == GX_TOKEN_RBRACKET || kind == GX_TOKEN_RBRACE;
}
static bool is_keyword(int kind) {
    return kind >= GX_TOKEN_FALSE && kind <= GX_TOKEN_YIELD;
}
static bool is_arithmetic(int kind) {
    return (kind >= GX_TOKEN_PLUS && kind <= GX_TOKEN_CARET) || kind == GX_TOKEN_TILDE;
}
/* Can an expression end with it? */
static bool is_operand(int kind) {
    return (kind >= GX_TOKEN_NAME && kind <= GX_TOKEN_FSTRING_END) || is_close(kind) ||
           kind == GX_TOKEN_ELLIPSIS || kind == GX_TOKEN_TRUE || kind == GX_TOKEN_FALSE ||
           kind == GX_TOKEN_NONE;
}
/* Tokens that are no text of the program. */
static bool is_layout(int kind) {
    return kind == GX_TOKEN_NEWLINE || kind == GX_TOKEN_INDENT || kind == GX_TOKEN_DEDENT ||
           kind == GX_TOKEN_END;
}

/* The column of a place in the text, in characters; a tab goes to the next multiple of 8. */
static int column_of(const char *text, size_t at) {
    size_t start = at;
    int column = 0;
    while (start && text[start - 1] != '\n') start--;
    for (; start < at; start++) {
        if (text[start] == '\t') column = (column / 8 + 1) * 8;
        else if ((text[start] & 0xc0) != 0x80) column++;
    }
    return column;
}

/* Where an f-string's last token is. */
static size_t end_of_fstring(const writer *w, size_t i) {
    int open = 0;
    for (; i < w->count; i++) {
        if (w->items[i].kind == GX_TOKEN_FSTRING_START) open++;
        if (w->items[i].kind == GX_TOKEN_FSTRING_END && --open == 0) break;
    }
    return i < w->count ? i : w->count - 1;
}

/* --- writing ---------------------------------------------------------------------------------- */

static bool write_blanks(writer *w, int n) {
    for (int i = 0; i < n; i++)
        if (!gx_buf_char(w->out, ' ')) return false;
    w->column += n > 0 ? n : 0;
    return true;
}

static bool write_lines(writer *w, int n) {
    for (int i = 0; i < n; i++)
        if (!gx_buf_char(w->out, '\n')) return false;
    w->column = 0;
    return true;
}

static bool write_text(writer *w, size_t start, size_t end) {
    for (size_t i = start; i < end; i++) {
        if (w->text[i] == '\n') w->column = 0;
        else if ((w->text[i] & 0xc0) != 0x80) w->column++;
    }
    return gx_buf_add(w->out, w->text + start, end - start);
}

static int lines_between(const writer *w, size_t from, size_t to) {
    int n = 0;
    for (; from < to; from++) n += w->text[from] == '\n';
    return n;
}

static frame *top(writer *w) {
    return &w->frames[w->depth];
}

/* --- the style: is there a blank between two tokens of a line? -------------------------------- */

static bool is_unary(int before, int kind) {
    return (kind == GX_TOKEN_PLUS || kind == GX_TOKEN_MINUS || kind == GX_TOKEN_TILDE ||
            kind == GX_TOKEN_STAR || kind == GX_TOKEN_STARSTAR) &&
           !is_operand(before);
}

/* Has the author left out the blanks on both sides of a token? */
static bool is_written_tight(const writer *w, size_t i) {
    const gx_token *t = &w->items[i];
    return t[-1].end == t->start && i + 1 < w->count && t->end == t[1].start;
}

/* In x[a:b]: the author's choice, where it is the same on both sides. */
static bool is_slice(writer *w) {
    return top(w)->kind == GX_TOKEN_LBRACKET && top(w)->lambdas == 0;
}

static bool is_default(writer *w) {
    const frame *f = top(w);
    if (f->lambdas) return true;
    return f->kind == GX_TOKEN_LPAREN && !f->annotated;
}

static bool wants_blank(writer *w, size_t i, size_t last) {
    const gx_token *t = &w->items[i], *b = &w->items[last];
    const int kind = t->kind, before = b->kind;
    const bool had = b->end < t->start;
    if (is_open(before) || is_close(kind)) return false;
    if (kind == GX_TOKEN_COMMA || kind == GX_TOKEN_SEMICOLON) return false;
    if (before == GX_TOKEN_COMMA || before == GX_TOKEN_SEMICOLON) return true;
    if (kind == GX_TOKEN_COLON)
        return is_slice(w) && before != GX_TOKEN_COLON && had && !is_written_tight(w, i) &&
               i + 1 < w->count && t->end < t[1].start && !is_close(t[1].kind);
    if (w->tight) return false;
    if (kind == GX_TOKEN_DOT) return is_keyword(before) || (before == GX_TOKEN_INT && had);
    if (before == GX_TOKEN_DOT) return kind == GX_TOKEN_IMPORT;
    if (kind == GX_TOKEN_EQUAL) return !is_default(w);
    if (is_arithmetic(kind) && is_operand(before)) return !is_written_tight(w, i);
    if (kind == GX_TOKEN_LPAREN || kind == GX_TOKEN_LBRACKET)
        return !is_operand(before) || (w->soft && had);
    return true;
}

/* After the token is written: does what follows it stick to it? */
static bool sticks(writer *w, size_t i, int before) {
    const int kind = w->items[i].kind;
    if (is_unary(before, kind)) return true;
    if (kind == GX_TOKEN_AT && w->starts) return true;
    if (is_arithmetic(kind)) return is_written_tight(w, i);
    if (kind == GX_TOKEN_EQUAL) return is_default(w);
    if (kind == GX_TOKEN_COLON && is_slice(w)) {
        const gx_token *t = &w->items[i];
        const bool both = t[-1].end < t->start && i + 1 < w->count && t->end < t[1].start;
        return !both || is_close(t[1].kind);
    }
    return false;
}

static void follow(writer *w, size_t i) {
    frame *f = top(w);
    switch ((int)w->items[i].kind) {
    case GX_TOKEN_LAMBDA: f->lambdas++; break;
    case GX_TOKEN_COMMA: f->annotated = false; break;
    case GX_TOKEN_COLON:
        if (f->lambdas) f->lambdas--;
        else f->annotated = true;
        break;
    default: break;
    }
}

/* --- lines ------------------------------------------------------------------------------------ */

/* The block that a comment on a line of its own belongs to. */
static int level_of_comment(const writer *w, size_t i, int column) {
    size_t next = i;
    int level = w->level;
    while (next < w->count && w->items[next].kind == GX_TOKEN_COMMENT) next++;
    if (next < w->count && w->items[next].kind == GX_TOKEN_INDENT && column > w->old_indent[level])
        return level + 1;
    while (level && w->old_indent[level] > column) level--;
    return level;
}

static bool begin_line(writer *w, size_t i, int lines, bool opens, bool first) {
    const gx_token *t = &w->items[i];
    const int column = column_of(w->text, t->start);
    const int level = t->kind == GX_TOKEN_COMMENT ? level_of_comment(w, i, column) : w->level;
    const int most = level ? 2 : 3;
    int n = first ? 0 : lines < 1 ? 1 : lines > most ? most : lines;
    if (opens && n > 1) n = 1;
    w->line_shift = level * WIDTH - column;
    w->depth = 0;
    w->frames[0] = (frame){.kind = GX_TOKEN_END, .shift = w->line_shift};
    return write_lines(w, n) && write_blanks(w, level * WIDTH);
}

/* A line that goes on inside brackets, or after a backslash. */
static bool go_on(writer *w, size_t i, size_t last, int lines) {
    const size_t from = w->items[last].end, to = w->items[i].start;
    const int column = column_of(w->text, to), at = column + top(w)->shift;
    if (memchr(w->text + from, '\\', to - from) && !gx_buf_puts(w->out, " \\")) return false;
    if (!write_lines(w, lines > 2 ? 2 : lines) || !write_blanks(w, at < 0 ? 0 : at)) return false;
    w->line_shift = (at < 0 ? 0 : at) - column;
    return true;
}

static bool same_line(writer *w, size_t i, size_t last) {
    const gx_token *t = &w->items[i];
    if (t->kind != GX_TOKEN_COMMENT) return write_blanks(w, wants_blank(w, i, last) ? 1 : 0);
    const int gap = column_of(w->text, t->start) - w->column;
    return write_blanks(w, gap < 2 ? 2 : gap);
}

static bool open_bracket(writer *w, size_t i, int column) {
    if (w->depth == GX_MAX_BRACKETS) return true;
    const gx_token *t = &w->items[i];
    size_t next = i + 1;
    while (next < w->count && w->items[next].kind == GX_TOKEN_COMMENT) next++;
    const bool hangs = next < w->count && lines_between(w, t->end, w->items[next].start) > 0;
    const int shift = hangs ? w->line_shift : column - column_of(w->text, t->start);
    w->frames[++w->depth] = (frame){.kind = t->kind, .shift = shift};
    return true;
}

static bool write_all(writer *w) {
    size_t last = 0; /* the token that was written before */
    bool first = true, opens = false, ended = true;
    for (size_t i = 0; i < w->count; i++) {
        const gx_token *t = &w->items[i];
        if (t->kind == GX_TOKEN_INDENT && w->level < GX_MAX_INDENTS) {
            size_t next = i + 1;
            while (next < w->count && is_layout(w->items[next].kind)) next++;
            w->old_indent[++w->level] = column_of(w->text, w->items[next].start);
        }
        if (t->kind == GX_TOKEN_DEDENT && w->level) w->level--;
        if (t->kind == GX_TOKEN_NEWLINE) ended = true;
        if (is_layout(t->kind)) continue;
        const size_t end = t->kind == GX_TOKEN_FSTRING_START ? end_of_fstring(w, i) : i;
        const int lines = first ? 1 : lines_between(w, w->items[last].end, t->start);
        const bool begins = first || (ended && lines > 0);
        bool ok = begins      ? begin_line(w, i, lines, opens, first)
                  : lines > 0 ? go_on(w, i, last, lines)
                              : same_line(w, i, last);
        const int before = begins || first ? GX_TOKEN_END : w->items[last].kind, column = w->column;
        if (begins) w->starts = true;
        if (begins && t->kind != GX_TOKEN_COMMENT) ended = false;
        if (!ok || !write_text(w, t->start, w->items[end].end)) return false;
        if (t->kind != GX_TOKEN_COMMENT) {
            w->tight = sticks(w, i, before);
            w->soft = w->starts && t->kind == GX_TOKEN_NAME;
            w->starts = false;
            opens = t->kind == GX_TOKEN_COLON && w->depth == 0;
            follow(w, i);
            if (is_open(t->kind) && !open_bracket(w, i, column)) return false;
            if (is_close(t->kind) && w->depth) w->depth--;
        } else if (begins) {
            opens = false;
        }
        first = false;
        last = i = end;
    }
    return first || write_lines(w, 1);
}

/* --- the same program? ------------------------------------------------------------------------ */

static bool same_tokens(const char *a, const gx_tokens *x, const char *b, const gx_tokens *y) {
    if (x->count != y->count) return false;
    for (size_t i = 0; i < x->count; i++) {
        const gx_token *s = &x->items[i], *t = &y->items[i];
        if (s->kind != t->kind) return false;
        if (is_layout(s->kind)) continue;
        if (s->end - s->start != t->end - t->start ||
            memcmp(a + s->start, b + t->start, s->end - s->start) != 0)
            return false;
    }
    return true;
}

static bool lex(gx_rt *rt, const char *text, size_t length, uint32_t *source, gx_tokens *out) {
    if (!gx_source_add(rt, "<fmt>", text, length, source)) return false;
    if (gx_lex(rt, *source, GX_LEX_COMMENTS, out)) return true;
    gx_source_forget(rt, *source);
    return false;
}

bool gx_session_format(gx_rt *rt, const char *text, size_t length, gx_buf *out) {
    gx_tokens tokens, again;
    uint32_t source, second;
    if (!lex(rt, text, length, &source, &tokens)) return false;
    writer *w = gx_alloc_zero(rt, sizeof *w);
    bool ok = w != NULL;
    if (ok) {
        *w = (writer){.rt = rt, .text = text, .items = tokens.items, .count = tokens.count,
                      .out = out};
        ok = write_all(w);
    }
    if (ok && lex(rt, gx_buf_text(out), out->length, &second, &again)) {
        ok = same_tokens(text, &tokens, gx_buf_text(out), &again) ||
             gx_fail(rt, GX_SystemError, "fmt.changed",
                     "formatting would change the program, so it stays as it is");
        gx_tokens_free(&again);
        gx_source_forget(rt, second);
    } else {
        ok = false;
    }
    gx_free(rt, w);
    gx_tokens_free(&tokens);
    gx_source_forget(rt, source);
    return ok;
}
