/* csv: rows of a table from lines and to them. csv.gx has looked at the dialect. */
#include <stdio.h>
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/number/number.h"
#include "runtime/object/still.h"
#include "runtime/object/text/str.h"
#include "stdlib/stdlib.h"

enum { NO_CHAR = -1 };
enum { MINIMAL, ALL, NONNUMERIC, NONE, STRINGS, NOTNULL };

typedef struct rules {
    int32_t delimiter, quote, escape; /* code points, or NO_CHAR */
    bool doubled, skip, strict;
    int quoting;
} rules;

typedef struct csv_reader {
    gx_container head;
    gx_value lines, dialect, error; /* error: csv.Error */
    rules how;
    int64_t line_number, limit;
} csv_reader;

static const gx_type reader_type;

/* Raises csv.Error. Always false. */
static bool wrong(gx_rt *rt, gx_borrowed error, const char *message) {
    gx_value text, e;
    if (!gx_str_c(rt, message, &text)) return false;
    bool ok = gx_call_value(rt, error, 1, &text, 0, NULL, &e);
    gx_drop(text);
    if (!ok) return false;
    gx_exception_raise(rt, e);
    gx_drop(e);
    return false;
}

static bool char_arg(gx_call *c, int i, int32_t *out) {
    int bytes;
    *out = NO_CHAR;
    if (c->argv[i].tag == GX_NONE) return true;
    if (c->argv[i].tag != GX_STR || gx_as_str(c->argv[i])->chars != 1)
        return gx_arg_wrong(c, i, "a character or None");
    *out = (int32_t)gx_utf8_decode(gx_as_str(c->argv[i])->text, &bytes);
    return true;
}

/* Seven arguments from `at` on. */
static bool rules_args(gx_call *c, int at, rules *out) {
    int64_t quoting;
    if (!char_arg(c, at, &out->delimiter) || !char_arg(c, at + 1, &out->quote) ||
        !char_arg(c, at + 2, &out->escape) || !gx_arg_bool(c, at + 3, &out->doubled) ||
        !gx_arg_bool(c, at + 4, &out->skip) || !gx_arg_int(c, at + 5, &quoting) ||
        !gx_arg_bool(c, at + 6, &out->strict))
        return false;
    out->quoting = (int)quoting;
    return true;
}

/* --- reading --- */

static csv_reader *as_reader(gx_borrowed v) {
    return (csv_reader *)v.obj;
}

static void clear_reader(gx_rt *rt, gx_obj *o) {
    (void)rt;
    csv_reader *r = (csv_reader *)o;
    gx_drop(gx_steal(&r->lines));
    gx_drop(gx_steal(&r->dialect));
    gx_drop(gx_steal(&r->error));
}

static void free_reader(gx_rt *rt, gx_obj *o) {
    gx_container_untrack(rt, (gx_container *)o);
    clear_reader(rt, o);
    gx_free(rt, o);
}

static void traverse_reader(gx_obj *o, gx_visit visit, void *ctx) {
    csv_reader *r = (csv_reader *)o;
    if (gx_is_object(r->lines)) visit(r->lines.obj, ctx);
    if (gx_is_object(r->dialect)) visit(r->dialect.obj, ctx);
    if (gx_is_object(r->error)) visit(r->error.obj, ctx);
}

/* BROKEN: behind an escaped end of line. */
typedef enum state {
    START,
    FIELD,
    QUOTED,
    BEHIND,
    ESCAPED,
    ESCAPED_QUOTED,
    BROKEN,
    ENDED
} state;

typedef struct row {
    gx_rt *rt;
    csv_reader *r;
    gx_value list;
    gx_buf field;
    state now;
    bool quoted; /* the field began with a quote */
} row;

static bool end_field(row *w) {
    const rules *d = &w->r->how;
    gx_value v;
    const char *text = gx_buf_text(&w->field);
    const size_t n = w->field.length;
    if ((int64_t)n > w->r->limit) {
        char message[64];
        snprintf(message, sizeof message, "field larger than field limit (%lld)",
                 (long long)w->r->limit);
        return wrong(w->rt, w->r->error, message);
    }
    const bool plain = !w->quoted;
    w->field.length = 0;
    w->quoted = false;
    if (plain && !n && (d->quoting == NOTNULL || d->quoting == STRINGS))
        return gx_list_push(w->rt, w->list, gx_none());
    if (!gx_str_new(w->rt, text, n, &v)) return false;
    if (plain && n && (d->quoting == NONNUMERIC || d->quoting == STRINGS)) {
        gx_value number;
        gx_borrowed type = {.tag = GX_TYPE, .type = &gx_type_float};
        bool ok = gx_call_value(w->rt, type, 1, &v, 0, NULL, &number);
        gx_drop(v);
        if (!ok) return false;
        v = number;
    }
    return gx_list_push_take(w->rt, w->list, v);
}

static bool is_end(int32_t c) {
    return c == '\n' || c == '\r';
}

/* One character of a line, which is text[0 … n). */
static bool take_char(row *w, int32_t c, const char *text, size_t n) {
    const rules *d = &w->r->how;
    if (w->now == BROKEN) w->now = FIELD;
    switch (w->now) {
    case START: case FIELD: case BROKEN:
        if (w->now == START && c == ' ' && d->skip && c != d->quote && c != d->escape) return true;
        if (is_end(c) || c == d->delimiter) {
            w->now = is_end(c) ? ENDED : START;
            return end_field(w);
        }
        if (c == d->escape) {
            w->now = ESCAPED;
            return true;
        }
        if (w->now == START && c == d->quote && d->quoting != NONE) {
            w->now = QUOTED;
            w->quoted = true;
            return true;
        }
        w->now = FIELD;
        break;
    case QUOTED:
        if (c == d->escape) {
            w->now = ESCAPED_QUOTED;
            return true;
        }
        if (c == d->quote) {
            w->now = d->doubled ? BEHIND : FIELD;
            return true;
        }
        break;
    case BEHIND:
        if (c == d->delimiter || is_end(c)) {
            w->now = is_end(c) ? ENDED : START;
            return end_field(w);
        }
        if (c == d->quote) w->now = QUOTED;
        else if (!d->strict) w->now = FIELD;
        else {
            char message[40], sign[2][5] = {{0}, {0}};
            gx_utf8_encode((uint32_t)d->delimiter, sign[0]);
            gx_utf8_encode((uint32_t)d->quote, sign[1]);
            snprintf(message, sizeof message, "'%s' expected after '%s'", sign[0], sign[1]);
            return wrong(w->rt, w->r->error, message);
        }
        break;
    case ESCAPED: w->now = is_end(c) ? BROKEN : FIELD; break;
    case ESCAPED_QUOTED: w->now = QUOTED; break;
    case ENDED:
        return is_end(c) || wrong(w->rt, w->r->error,
                                  "new-line character seen in unquoted field - do you need to open "
                                  "the file with newline=''?");
    }
    return gx_buf_add(&w->field, text, n);
}

static bool is_special(const rules *d, unsigned char c) {
    return c >= 128 || c == '\n' || c == '\r' || c == d->delimiter || c == d->quote ||
           c == d->escape;
}

static bool take_line(row *w, const gx_str *s) {
    const rules *d = &w->r->how;
    for (size_t i = 0; i < s->length;) {
        if (w->now == FIELD || w->now == QUOTED) { /* a run of plain characters */
            const size_t from = i;
            while (i < s->length && !is_special(d, (unsigned char)s->text[i])) i++;
            if (i > from && !gx_buf_add(&w->field, s->text + from, i - from)) return false;
            if (i == s->length) break;
        }
        int bytes = 1;
        const unsigned char first = (unsigned char)s->text[i];
        const int32_t c = first < 128 ? first : (int32_t)gx_utf8_decode(s->text + i, &bytes);
        if (!take_char(w, c, s->text + i, (size_t)bytes)) return false;
        i += (size_t)bytes;
    }
    return true;
}

/* The next line: *more false at the end. */
static bool get_line(gx_rt *rt, csv_reader *r, gx_value *out, bool *more) {
    if (!gx_next(rt, r->lines, out, more) || !*more) return !gx_failed(&rt->error);
    r->line_number++;
    if (out->tag == GX_STR) return true;
    char message[160];
    snprintf(message, sizeof message,
             "iterator should return strings, not %s (the file should be opened in text mode)",
             gx_type_name(*out));
    gx_drop(*out);
    return wrong(rt, r->error, message);
}

/* All lines of a row. */
static bool read_row(row *w, bool *more) {
    gx_value line;
    if (!get_line(w->rt, w->r, &line, more) || !*more) return !gx_failed(&w->rt->error);
    const gx_str *first = gx_as_str(line);
    if (!first->length || is_end(first->text[0])) { /* an empty line is an empty row */
        gx_drop(line);
        return true;
    }
    for (;;) {
        bool ok = take_line(w, gx_as_str(line)), again;
        gx_drop(line);
        if (!ok) return false;
        if (w->now == ENDED) return true;
        if (w->now == START || w->now == FIELD || w->now == BEHIND) return end_field(w);
        if (w->now == ESCAPED || w->now == ESCAPED_QUOTED) {
            if (!gx_buf_char(&w->field, '\n')) return false;
            w->now = w->now == ESCAPED ? BROKEN : QUOTED;
        }
        if (!get_line(w->rt, w->r, &line, &again)) return false;
        if (!again)
            return w->r->how.strict ? wrong(w->rt, w->r->error, "unexpected end of data")
                                    : end_field(w);
    }
}

static bool next_row(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    row w = {.rt = rt, .r = as_reader(self), .field = gx_buf_new(rt), .now = START};
    if (!gx_list_new(rt, 0, NULL, &w.list)) return false;
    bool ok = read_row(&w, more);
    gx_buf_free(&w.field);
    if (ok && *more) *out = w.list;
    else gx_drop(w.list);
    return ok;
}

static bool iter_reader(gx_rt *rt, gx_borrowed v, gx_value *out) {
    (void)rt;
    *out = gx_keep(v);
    return true;
}

static bool new_reader(gx_call *c, gx_value *out) {
    rules how;
    int64_t limit;
    gx_value lines;
    if (!rules_args(c, 3, &how) || !gx_arg_int(c, 10, &limit) ||
        !gx_iter(c->rt, c->argv[0], &lines))
        return false;
    csv_reader *r = gx_obj_new(c->rt, &reader_type, sizeof *r);
    if (!r) {
        gx_drop(lines);
        return false;
    }
    r->lines = lines;
    r->dialect = gx_keep(c->argv[1]);
    r->error = gx_keep(c->argv[2]);
    r->how = how;
    r->limit = limit;
    gx_container_track(c->rt, &r->head);
    *out = gx_object(&r->head.obj);
    return true;
}

static bool get_dialect(gx_rt *rt, gx_borrowed v, gx_value *out) {
    (void)rt;
    *out = gx_keep(as_reader(v)->dialect);
    return true;
}
static bool get_line_number(gx_rt *rt, gx_borrowed v, gx_value *out) {
    (void)rt;
    *out = gx_int(as_reader(v)->line_number);
    return true;
}

static const gx_member reader_members[] = {
    {"dialect", get_dialect, NULL, "How the table is written."},
    {"line_num", get_line_number, NULL, "How many lines were read."},
    {NULL, NULL, NULL, NULL},
};
static const gx_type reader_type = {
    .name = "_csv.reader", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .container = true,
    .free = free_reader, .traverse = traverse_reader, .clear = clear_reader, .iter = iter_reader,
    .next = next_row, .members = reader_members,
};

/* --- writing --- */

typedef struct line_writer {
    gx_rt *rt;
    gx_buf out;
    gx_value error;
    rules how;
    const gx_str *end; /* the line terminator */
    bool marks[128];   /* of ASCII: has_mark's answers */
} line_writer;

/* A character that is not simply written. */
static bool has_mark(const line_writer *w, int32_t c) {
    const rules *d = &w->how;
    if (c == d->delimiter || c == d->quote || c == d->escape || is_end(c)) return true;
    char text[4];
    const int n = gx_utf8_encode((uint32_t)c, text);
    return memmem(w->end->text, w->end->length, text, (size_t)n) != NULL;
}

/* A field's text, escaped where it must be, behind what is written; *quotes: it wants quotes. */
static bool put_text(line_writer *w, const gx_str *s, bool *quotes) {
    const rules *d = &w->how;
    for (size_t i = 0; i < s->length;) {
        const size_t from = i;
        while (i < s->length && (unsigned char)s->text[i] < 128 && !w->marks[(int)s->text[i]]) i++;
        if (!gx_buf_add(&w->out, s->text + from, i - from)) return false;
        if (i == s->length) break;
        int bytes;
        const int32_t c = (int32_t)gx_utf8_decode(s->text + i, &bytes);
        if (has_mark(w, c)) {
            bool escaped = d->quoting == NONE;
            if (!escaped && c == d->quote) {
                escaped = !d->doubled;
                if (!escaped) {
                    *quotes = true;
                    if (!gx_buf_code(&w->out, (uint32_t)c)) return false;
                }
            } else if (!escaped && c == d->escape)
                escaped = true;
            else if (!escaped)
                *quotes = true;
            if (escaped) {
                if (d->escape == NO_CHAR)
                    return wrong(w->rt, w->error, "need to escape, but no escapechar set");
                if (!gx_buf_code(&w->out, (uint32_t)d->escape)) return false;
            }
        }
        if (!gx_buf_add(&w->out, s->text + i, (size_t)bytes)) return false;
        i += (size_t)bytes;
    }
    return true;
}

static bool put_field(line_writer *w, gx_borrowed v, bool alone) {
    const rules *d = &w->how;
    double number;
    bool quotes = d->quoting == ALL || (d->quoting == STRINGS && v.tag == GX_STR) ||
                  (d->quoting == NOTNULL && v.tag != GX_NONE);
    if (d->quoting == NONNUMERIC) {
        gx_try is = v.tag == GX_STR || v.tag == GX_NONE ? GX_TRY_NO
                                                        : gx_as_double(w->rt, v, &number);
        if (is == GX_TRY_ERROR) return false;
        quotes = is == GX_TRY_NO;
    }
    GX_STILL(text);
    if (v.tag == GX_NONE ? !gx_str_c(w->rt, "", &text) : !gx_str_of(w->rt, v, &text)) return false;
    const gx_str *s = gx_as_str(text);
    const size_t from = w->out.length;
    if (!put_text(w, s, &quotes)) return false;
    if (!s->length && alone && !quotes) {
        if (d->quoting == NONE ||
            (v.tag == GX_NONE && (d->quoting == STRINGS || d->quoting == NOTNULL)))
            return wrong(w->rt, w->error, "single empty field record must be quoted");
        quotes = true;
    }
    if (s->length && s->text[0] == ' ' && d->skip && d->delimiter != ' ') quotes = true;
    if (!s->length && d->skip && d->delimiter == ' ') {
        if (d->quoting == NONE ||
            (v.tag == GX_NONE && (d->quoting == STRINGS || d->quoting == NOTNULL)))
            return wrong(w->rt, w->error,
                         "empty field must be quoted if delimiter is a space and "
                         "skipinitialspace is true");
        quotes = true;
    }
    if (!quotes) return true;
    char sign[4];
    const int n = gx_utf8_encode((uint32_t)d->quote, sign);
    if (!gx_buf_reserve(&w->out, (size_t)n)) return false;
    memmove(w->out.data + from + n, w->out.data + from, w->out.length - from);
    memcpy(w->out.data + from, sign, (size_t)n);
    w->out.length += (size_t)n;
    return gx_buf_code(&w->out, (uint32_t)d->quote);
}

/* line(row, error, rules …, lineterminator): a row as text. */
static bool row_text(gx_call *c, gx_value *out) {
    line_writer w = {.rt = c->rt, .out = gx_buf_new(c->rt), .error = c->argv[1]};
    const gx_value *items;
    int64_t n;
    GX_STILL(own);
    if (!rules_args(c, 2, &w.how)) return false;
    if (c->argv[9].tag != GX_STR) return gx_arg_wrong(c, 9, "a str");
    w.end = gx_as_str(c->argv[9]);
    for (int i = 0; i < 128; i++) w.marks[i] = has_mark(&w, i);
    if (!gx_still_items(c->rt, c->argv[0], &own, &items, &n)) return false;
    if (n < 0) return gx_arg_wrong(c, 0, "a list or a tuple");
    bool ok = true;
    for (int64_t i = 0; ok && i < n; i++)
        ok = (i == 0 || gx_buf_code(&w.out, (uint32_t)w.how.delimiter)) &&
             put_field(&w, items[i], n == 1);
    ok = ok && gx_buf_add(&w.out, w.end->text, w.end->length);
    if (ok) return gx_str_take(&w.out, out);
    gx_buf_free(&w.out);
    return false;
}

extern const gx_native gx_py_csv_functions[];
const gx_native gx_py_csv_functions[] = {
    {"reader",
     "reader(lines, dialect, error, delimiter, quotechar, escapechar, doublequote, "
     "skipinitialspace, quoting, strict, limit, /)",
     "The rows of lines.", NULL, new_reader, 0, 0},
    {"line",
     "line(row, error, delimiter, quotechar, escapechar, doublequote, skipinitialspace, quoting, "
     "strict, lineterminator, /)",
     "A row as text.", NULL, row_text, 0, 0},
    {.name = NULL},
};
