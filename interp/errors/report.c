/* Messages: the pending error as text, with its place, its source line and what was underlined.
   Lines and columns are computed only here. Printing a message can itself run out of memory; what
   has been written by then is still shown. Invariant: everything printed is one column a character
   cell, so underlines stand under what they mean, also after tabs and wide characters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/errors/codes.h"
#include "interp/eval/evaluator.h"
#include "runtime/base/terminal.h"
#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/still.h"

enum { MAX_COLUMNS = 160, NUMBER_COLUMNS = 10, LEAST_COLUMNS = 24 };

/* The part of one source line that a message shows. */
typedef struct excerpt {
    gx_rt *rt;
    uint32_t source, line;
    const char *text;     /* the shown part of the line */
    size_t length, start; /* start: its byte position in the source */
    bool cut_left, cut_right;
} excerpt;

static bool inside(const excerpt *x, gx_span s, size_t at) {
    return s.end && s.source == x->source && at >= s.start && at < s.end;
}

/* The terminal's columns; 0: it is none. */
static size_t terminal_columns(gx_rt *rt) {
    int columns, rows;
    return gx_terminal_size(rt, GX_ERR, &columns, &rows) ? (size_t)columns : 0;
}

/* Columns for the source line: a terminal breaks what is longer, and marks lose their place. */
static size_t shown_columns(gx_rt *rt) {
    size_t columns = terminal_columns(rt);
    if (!columns || columns >= MAX_COLUMNS + NUMBER_COLUMNS) return MAX_COLUMNS;
    return columns < LEAST_COLUMNS + NUMBER_COLUMNS ? LEAST_COLUMNS : columns - NUMBER_COLUMNS;
}

/* Shortens a very long line to the neighbourhood of the span. */
static void clip(excerpt *x, size_t span_start) {
    size_t offset = span_start > x->start ? span_start - x->start : 0;
    size_t most = shown_columns(x->rt), before = most * 3 / 8;
    if (x->length <= most) return;
    if (offset > before && x->length > before) {
        size_t skip = offset - before;
        if (skip > x->length) skip = x->length;
        while (skip < x->length && ((unsigned char)x->text[skip] & 0xC0) == 0x80) skip++;
        x->text += skip;
        x->start += skip;
        x->length -= skip;
        x->cut_left = true;
    }
    if (x->length > most) {
        x->length = most;
        while (x->length > 0 && ((unsigned char)x->text[x->length] & 0xC0) == 0x80) x->length--;
        x->cut_right = true;
    }
}

static excerpt find_excerpt(gx_rt *rt, gx_span at) {
    uint32_t line, column;
    const char *text;
    size_t length;
    gx_source_place(rt, at, &line, &column);
    gx_source_line(rt, at.source, line, &text, &length);
    const gx_source *s = gx_source_of(rt, at);
    excerpt x = {.rt = rt,
                 .source = at.source,
                 .line = line,
                 .text = text,
                 .length = length,
                 .start = (size_t)(text - s->text)};
    clip(&x, at.start);
    return x;
}

/* The code point at p, its bytes and its columns; bad bytes and control characters take one. */
static uint32_t step(const char *p, size_t left, int *bytes, size_t *width) {
    *bytes = 1;
    *width = 1;
    unsigned char c = (unsigned char)*p;
    if (c < 0x80) return c < 32 || c == 127 ? (c == '\t' ? '\t' : '?') : c;
    size_t size = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
    if (size == 1 || size > left || gx_utf8_valid(p, size) != size) return 0xFFFD;
    *bytes = (int)size;
    *width = gx_utf8_width(p, size);
    return gx_utf8_decode(p, bytes);
}

static bool put_line(const excerpt *x, gx_buf *out) {
    if (x->cut_left && !gx_buf_puts(out, "…")) return false;
    for (size_t i = 0; i < x->length;) {
        int bytes;
        size_t width;
        uint32_t c = step(x->text + i, x->length - i, &bytes, &width);
        if (!gx_buf_code(out, c)) return false;
        i += (size_t)bytes;
    }
    return (!x->cut_right || gx_buf_puts(out, "…")) && gx_buf_char(out, '\n');
}

/* '^' under the place, '~' under operands, tabs kept so that both lines stay aligned. */
static bool put_marks(const excerpt *x, const gx_error *e, gx_buf *out) {
    size_t from = out->length, last = from;
    bool any = false;
    if (x->cut_left && !gx_buf_char(out, ' ')) return false;
    for (size_t i = 0; i < x->length;) {
        int bytes;
        size_t width, at = x->start + i;
        uint32_t c = step(x->text + i, x->length - i, &bytes, &width);
        bool operand = inside(x, e->operand[0], at) || inside(x, e->operand[1], at);
        char mark = operand ? '~' : inside(x, e->at, at) ? '^' : ' ';
        i += (size_t)bytes;
        if (mark == ' ' && c == '\t') {
            if (!gx_buf_char(out, '\t')) return false;
            continue;
        }
        if (!gx_buf_fill(out, mark, width)) return false;
        if (mark != ' ') last = out->length;
        any = any || mark != ' ';
    }
    /* The place is the end of the line: something is missing there. */
    if (!any) {
        if (!gx_buf_char(out, '^')) return false;
        last = out->length;
    }
    out->length = last;
    out->data[last] = '\0';
    return true;
}

static bool put_labels(const gx_error *e, gx_buf *out) {
    const char *gap = "   ";
    for (int i = 0; i < 2; i++) {
        if (!e->operand_text[i]) continue;
        if (i == 1 && e->operand_text[0] && strcmp(e->operand_text[0], e->operand_text[1]) == 0)
            continue;
        if (!gx_buf_puts(out, gap) || !gx_buf_puts(out, e->operand_text[i])) return false;
        gap = ", ";
    }
    return gx_buf_char(out, '\n');
}

static bool put_place(gx_rt *rt, const gx_error *e, gx_buf *out) {
    const gx_source *s = gx_source_of(rt, e->at);
    if (!s) return true;
    uint32_t line, column;
    gx_source_place(rt, e->at, &line, &column);
    if (!gx_buf_printf(out, "  --> %s:%u:%u\n", s->name, line, column)) return false;
    excerpt x = find_excerpt(rt, e->at);
    char gutter[16];
    int width = snprintf(gutter, sizeof gutter, "%u", line);
    if (width < 4) width = 4;
    return gx_buf_printf(out, " %*u | ", width, line) && put_line(&x, out) &&
           gx_buf_printf(out, " %*s | ", width, "") && put_marks(&x, e, out) && put_labels(e, out);
}

static bool put_call(gx_rt *rt, const gx_trace *t, int times, gx_buf *out) {
    const gx_source *s = gx_source_of(rt, t->at);
    uint32_t line, column;
    if (!s) return true;
    gx_source_place(rt, t->at, &line, &column);
    if (!gx_buf_printf(out, "  in %s, called at %s:%u:%u\n", gx_sym_text(rt, t->function), s->name,
                       line, column))
        return false;
    return times < 2 || gx_buf_printf(out, "     … and %d more times from there\n", times - 1);
}

/* Are two lines of the trace the same call? */
static bool same_call(const gx_trace *a, const gx_trace *b) {
    return a->function == b->function && memcmp(&a->at, &b->at, sizeof a->at) == 0;
}

/* Lines of a message as it should be at most: 8, and 14 for one that teaches. */
static int lines_left(const gx_rt *rt, const gx_buf *out, size_t from) {
    int left = rt->interp && rt->interp->messages == GX_MESSAGES_TEACH ? 14 : 8;
    for (size_t i = from; i < out->length; i++) left -= out->data[i] == '\n';
    return left;
}

/* A text that the library runs by exec() is the script's: nobody has seen where that was asked. */
static bool is_told(gx_rt *rt, const gx_trace *t) {
    const gx_source *s = gx_source_of(rt, t->at);
    return !t->quiet &&
           !(s && s->library && strncmp(gx_sym_text(rt, t->function), "<module>", 8) == 0);
}

static bool put_trace(gx_rt *rt, const gx_error *e, size_t from, gx_buf *out) {
    const gx_trace *told[GX_MAX_TRACE];
    int count = 0;
    for (int i = 0; i < e->trace_count; i++)
        if (is_told(rt, &e->trace[i])) told[count++] = &e->trace[i];
    enum { FEWEST = 2 }; /* where it began is always worth its line */
    int left = lines_left(rt, out, from) - 1, most = left > FEWEST ? left - 1 : FEWEST - 1;
    int shown = 0, skipped = 0;
    for (int i = 0; i < count;) {
        const gx_trace *t = told[i];
        int times = 1;
        while (i + times < count && same_call(told[i + times], t)) times++;
        i += times;
        bool last = i == count;
        /* Lines that found no room stood before the last one. */
        if (i >= count - 1 && !last) times += e->trace_lost;
        if (shown++ >= most && !last) {
            skipped += times;
            continue;
        }
        if (skipped && !gx_buf_printf(out, "  … %d more calls\n", skipped)) return false;
        if (!put_call(rt, t, times, out)) return false;
    }
    return true;
}

static bool put_head(const gx_error *e, gx_buf *out) {
    const char *message = e->message                  ? e->message
                          : e->kind == GX_MemoryError ? "out of memory"
                                                      : "";
    const char *name = gx_error_name(e->kind);
    if (e->exception.tag == GX_EXCEPTION) name = gx_type_name(e->exception);
    if (!gx_buf_puts(out, name)) return false;
    if (message[0] && !gx_buf_printf(out, ": %s", message)) return false;
    if (e->code[0] && !gx_buf_printf(out, "  [%s]", e->code)) return false;
    return gx_buf_char(out, '\n');
}

/* "KeyError: 'a'" for a cause or a context. */
static bool put_related(gx_rt *rt, const char *how, gx_borrowed exc, gx_buf *out) {
    if (exc.tag != GX_EXCEPTION) return true;
    gx_buf text = gx_buf_new(rt);
    bool ok =
        gx_str_into(rt, exc, &text) && gx_buf_printf(out, "  = %s %s", how, gx_type_name(exc));
    if (ok && text.length) ok = gx_buf_printf(out, ": %s", gx_buf_text(&text));
    gx_buf_free(&text);
    return ok && gx_buf_char(out, '\n');
}

static bool is_group(gx_borrowed exc) {
    bool yes = false;
    if (!gx_is_instance(exc)) return false;
    gx_value cls = gx_class_value(gx_type_of(exc));
    const gx_class *c = gx_as_class(cls);
    for (int32_t i = 0; i < c->order_count; i++)
        yes = yes || (c->order[i]->heap && strcmp(c->order[i]->name, "BaseExceptionGroup") == 0);
    gx_drop(cls);
    return yes;
}

/* The exceptions of a group, each under a number, those of a group within behind it. */
static bool put_group(gx_rt *rt, gx_borrowed group, int depth, gx_buf *out) {
    gx_value list;
    const gx_value *items;
    gx_sym name = gx_sym_c(rt, "exceptions");
    if (!name || depth > 8 || !is_group(group)) return name != 0;
    gx_try has = gx_try_attr(rt, group, name, &list);
    if (has != GX_TRY_YES) return has == GX_TRY_NO;
    int64_t n;
    GX_STILL(own);
    bool ok = gx_still_items(rt, list, &own, &items, &n);
    for (int64_t i = 0; ok && i < n && items[i].tag == GX_EXCEPTION; i++) {
        ok = gx_buf_printf(out, "  %*s%lld: %s: ", depth * 3, "", (long long)i + 1,
                           gx_type_name(items[i])) &&
             gx_str_into(rt, items[i], out) && gx_buf_char(out, '\n') &&
             put_group(rt, items[i], depth + 1, out);
    }
    gx_drop(list);
    return ok;
}

/* What add_note() has added. */
static bool put_own_notes(gx_rt *rt, gx_borrowed exc, gx_buf *out) {
    gx_value list;
    const gx_value *items;
    int64_t n = 0;
    gx_try has = gx_exception_notes(rt, exc, &list);
    if (has != GX_TRY_YES) return has == GX_TRY_NO;
    GX_STILL(own);
    bool ok = list.tag != GX_LIST || gx_still_items(rt, list, &own, &items, &n);
    for (int64_t i = 0; ok && i < n; i++)
        ok = gx_buf_puts(out, "  = ") && gx_str_into(rt, items[i], out) && gx_buf_char(out, '\n');
    gx_drop(list);
    return ok;
}

static bool put_notes(gx_rt *rt, const gx_error *e, gx_buf *out) {
    for (int i = 0; i < e->note_count; i++)
        if (!gx_buf_printf(out, "  = %s\n", e->notes[i])) return false;
    if (e->exception.tag != GX_EXCEPTION) return true;
    const gx_exception *exc = gx_as_exception(e->exception);
    if (!put_group(rt, e->exception, 0, out)) return false;
    if (!put_own_notes(rt, e->exception, out)) return false;
    if (exc->cause.tag == GX_EXCEPTION) return put_related(rt, "caused by", exc->cause, out);
    return exc->silent || put_related(rt, "while handling", exc->context, out);
}

/* A paragraph behind "  = ", in lines of at most 90 columns. */
static bool put_folded(const char *text, gx_buf *out) {
    for (size_t column = 4; *text;) {
        size_t n = strcspn(text, " ");
        bool breaks = column > 4 && column + 1 + n > 90;
        if (breaks && !gx_buf_puts(out, "\n    ")) return false;
        if (breaks) column = 4;
        if (column > 4 && !gx_buf_char(out, ' ')) return false;
        if (!gx_buf_add(out, text, n)) return false;
        column += n + (column > 4);
        text += n + strspn(text + n, " ");
    }
    return gx_buf_char(out, '\n');
}

/* "model.gx:3:7: ValueError: …", one line. */
static bool put_short(gx_rt *rt, const gx_error *e, gx_buf *out) {
    const gx_source *s = gx_source_of(rt, e->at);
    uint32_t line, column;
    if (s) {
        gx_source_place(rt, e->at, &line, &column);
        if (!gx_buf_printf(out, "%s:%u:%u: ", s->name, line, column)) return false;
    }
    size_t from = out->length;
    if (!put_head(e, out)) return false;
    char *end = memchr(out->data + from, '\n', out->length - from);
    if (end && end + 1 < out->data + out->length) { /* a message of several lines */
        out->length = (size_t)(end + 1 - out->data);
        *(end + 1) = '\0';
    }
    return true;
}

/* What messages add that teach: what the code means, and where to read on. */
static bool put_lesson(const gx_error *e, gx_buf *out) {
    const char *meaning = gx_code_meaning(e->code);
    if (!meaning) return true;
    return gx_buf_puts(out, "  = ") && put_folded(meaning, out) &&
           gx_buf_printf(out, "  = `gx explain %s` shows an example\n", e->code);
}

static const char own_mistake[] =
    "  = this is a mistake of gx itself, not of the script: please report it with the script\n";

static bool put_error(gx_rt *rt, const gx_error *e, gx_buf *out) {
    bool teach = rt->interp && rt->interp->messages == GX_MESSAGES_TEACH;
    if (rt->interp && rt->interp->messages == GX_MESSAGES_SHORT) return put_short(rt, e, out);
    size_t from = out->length;
    return put_head(e, out) && put_place(rt, e, out) && put_notes(rt, e, out) &&
           (!teach || put_lesson(e, out)) &&
           (!gx_code_is_internal(e->code) || gx_buf_puts(out, own_mistake)) &&
           (!e->help || gx_buf_printf(out, "help: %s\n", e->help)) && put_trace(rt, e, from, out);
}

static const char *const levels[] = {
    [GX_MESSAGES_NORMAL] = "normal", [GX_MESSAGES_SHORT] = "short", [GX_MESSAGES_TEACH] = "teach"};

bool gx_messages_set(gx_rt *rt, const char *level) {
    for (uint8_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        if (strcmp(levels[i], level) != 0) continue;
        rt->interp->messages = i;
        return true;
    }
    return gx_fail(rt, GX_ValueError, "messages.level",
                   "messages are short, normal or teach, not '%s'", level);
}

const char *gx_messages_name(const gx_rt *rt) {
    return levels[rt->interp->messages];
}

bool gx_report_text(gx_rt *rt, gx_buf *out) {
    gx_error e;
    gx_error_save(rt, &e);
    if (!e.message && e.exception.tag != GX_UNDEF)
        e.message = gx_exception_message(rt, e.exception);
    bool ok = put_error(rt, &e, out);
    gx_error_clear(rt);
    gx_error_restore(rt, &e);
    return ok;
}

bool gx_report_head(gx_rt *rt, gx_buf *out) {
    gx_error e;
    gx_error_save(rt, &e);
    bool ok = put_head(&e, out);
    gx_error_clear(rt);
    gx_error_restore(rt, &e);
    return ok;
}

/* --- colours ------------------------------------------------------------------------------- */

static bool is_set(const char *name) {
    const char *text = getenv(name);
    return text && *text && strcmp(text, "0") != 0;
}

/* NO_COLOR, then FORCE_COLOR, then the terminal; --color sets these variables. */
static bool wants_colour(gx_rt *rt) {
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    if (no && *no) return false;
    if (rt->output.write) return false;
    if (is_set("FORCE_COLOR") || is_set("CLICOLOR_FORCE")) return true;
    return gx_is_terminal(rt, GX_ERR) && term && strcmp(term, "dumb") != 0;
}

/* A part of a line in one of the 16 colours that every terminal has. */
static void write_part(gx_rt *rt, const char *colour, const char *text, size_t length) {
    if (length) gx_say(rt, GX_ERR, "\033[%sm%.*s\033[0m", colour, (int)length, text);
}

/* One line without its end: the class, the gutter, the marks and `help:` are coloured. */
static void write_line(gx_rt *rt, const char *text, size_t n, bool first) {
    static const char red[] = "1;31", blue[] = "34", green[] = "32", yellow[] = "33";
    size_t part = 0;
    const char *colour = blue;
    const char *bar = n > 6 && text[0] == ' ' ? memchr(text, '|', n < 20 ? n : 20) : NULL;
    if (bar && strspn(text, " 0123456789") != (size_t)(bar - text)) bar = NULL;
    if (first) {
        const char *colon = memchr(text, ':', n);
        part = colon ? (size_t)(colon - text) : n;
        colour = red;
    } else if (n > 5 && memcmp(text, "help:", 5) == 0) {
        part = 5;
        colour = green;
    } else if (n > 6 && (memcmp(text, "  --> ", 6) == 0 || memcmp(text, "  = ", 4) == 0)) {
        part = text[2] == '=' ? 3 : 5;
    } else if (bar) {
        part = (size_t)(bar + 1 - text);
    }
    write_part(rt, colour, text, part);
    if (bar && strspn(text, " ") == (size_t)(bar - text)) /* below the source line */
        write_part(rt, yellow, text + part, n - part);
    else
        (void)gx_write(rt, GX_ERR, text + part, n - part);
}

static void write_coloured(gx_rt *rt, const char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t n = end ? (size_t)(end - text) - at : length - at;
        write_line(rt, text + at, n, at == 0);
        if (end) (void)gx_write(rt, GX_ERR, "\n", 1);
        at += n + 1;
    }
}

/* Ends rows of a line between its words. Source, marks, places and fixes stay as they are. */
static void wrap_line(char *text, size_t n, size_t columns) {
    size_t column = 0, blank = 0, before = 0; /* of the last blank: where, and columns to it */
    for (size_t i = 0; i < n;) {
        int bytes;
        size_t width;
        step(text + i, n - i, &bytes, &width);
        if (column + width > columns && blank) {
            text[blank] = '\n';
            column -= before + 1;
            blank = 0;
        }
        if (text[i] == ' ' && i > 3) {
            blank = i;
            before = column;
        }
        column += width;
        i += (size_t)bytes;
    }
}

static void wrap(gx_rt *rt, gx_buf *text) {
    size_t columns = terminal_columns(rt);
    if (columns < LEAST_COLUMNS) return;
    for (size_t at = 0; at < text->length;) {
        char *line = text->data + at, *end = memchr(line, '\n', text->length - at);
        size_t n = end ? (size_t)(end - line) : text->length - at;
        if (at == 0 || (n > 4 && memcmp(line, "  = ", 4) == 0)) wrap_line(line, n, columns);
        at += n + 1;
    }
}

/* A message may quote what a file or a network said: that must not steer the terminal. */
static void write_text(gx_rt *rt, gx_buf *text) {
    for (size_t i = 0; i < text->length; i++) {
        unsigned char c = (unsigned char)text->data[i];
        if ((c < 32 && c != '\n' && c != '\t') || c == 127) text->data[i] = '?';
    }
    wrap(rt, text);
    if (wants_colour(rt))
        write_coloured(rt, gx_buf_text(text), text->length);
    else
        (void)gx_write(rt, GX_ERR, gx_buf_text(text), text->length);
}

void gx_report(gx_rt *rt) {
    gx_buf text = gx_buf_new(rt);
    if (!gx_report_text(rt, &text) && !text.length)
        gx_say(rt, GX_ERR, "%s: %s\n", gx_error_name(rt->error.kind),
                rt->error.message ? rt->error.message : "out of memory");
    write_text(rt, &text);
    gx_buf_free(&text);
    gx_error_clear(rt);
}

void gx_report_note(gx_rt *rt, const char *what, gx_span at, const char *code, const char *text,
                    const char *help) {
    const gx_error e = {.at = at};
    const gx_source *s = gx_source_of(rt, at);
    gx_buf out = gx_buf_new(rt);
    uint32_t line = 0, column = 0;
    bool brief = rt->interp->messages == GX_MESSAGES_SHORT;
    if (s) gx_source_place(rt, at, &line, &column);
    bool ok = !brief || !s || gx_buf_printf(&out, "%s:%u:%u: ", s->name, line, column);
    ok = ok && gx_buf_printf(&out, "%s: %s  [%s]\n", what, text, code);
    if (!brief) ok = ok && put_place(rt, &e, &out);
    if (!brief && help) ok = ok && gx_buf_printf(&out, "help: %s\n", help);
    if (ok)
        write_text(rt, &out);
    else
        gx_error_clear(rt);
    gx_buf_free(&out);
}

void gx_report_syntax(gx_rt *rt, gx_parse_errors *errors) {
    if (!errors->count && gx_failed(&rt->error)) gx_report(rt);
    gx_error_clear(rt);
    for (int i = 0; i < errors->count; i++) {
        const gx_syntax_error *s = &errors->list[i];
        gx_fail(rt, s->kind, s->code ? s->code : "", "%s",
                s->message ? s->message : "invalid syntax");
        if (s->help) gx_help(rt, "%s", s->help);
        rt->error.at = s->at;
        gx_report(rt);
    }
    gx_parse_errors_free(errors);
}

bool gx_report_exit(gx_rt *rt, int *status) {
    gx_value exc;
    if (rt->error.kind != GX_SystemExit) return false;
    *status = 1;
    if (!gx_exception_from_error(rt, &exc)) {
        gx_error_clear(rt);
        return true;
    }
    const gx_value *args;
    int64_t count = gx_sequence_items(gx_as_exception(exc)->args, &args);
    if (count <= 0 || args[0].tag == GX_NONE) {
        *status = 0;
    } else if (args[0].tag == GX_INT || args[0].tag == GX_BOOL) {
        *status = (int)(args[0].i & 255);
    } else {
        gx_buf text = gx_buf_new(rt);
        if (gx_str_into(rt, args[0], &text)) gx_say(rt, GX_ERR, "%s\n", gx_buf_text(&text));
        gx_buf_free(&text);
        gx_error_clear(rt);
    }
    gx_drop(exc);
    return true;
}
