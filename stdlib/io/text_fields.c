/* A line of text cut into fields, as loadtxt does: by blanks or by one character, up to a comment,
   with quotes. Knows nothing of numbers. */
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"
#include "stdlib/io/text_int.h"

static bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool add_field(gx_fields *f, const char *p, size_t n) {
    gx_field one = {p, n};
    return gx_vec_push(f->rt, &f->list, one);
}

static size_t cut_comment(const gx_fields *f, const char *p, size_t n) {
    for (int i = 0; i < f->comment_count; i++) {
        const gx_field *c = &f->comments[i];
        const char *at = n ? memmem(p, n, c->text, c->n) : NULL;
        if (at) n = (size_t)(at - p);
    }
    return n;
}

static bool by_blanks(gx_fields *f, const char *p, const char *end) {
    for (;;) {
        while (p < end && is_blank(*p)) p++;
        if (p == end) return true;
        const char *start = p;
        while (p < end && !is_blank(*p)) p++;
        if (!add_field(f, start, (size_t)(p - start))) return false;
    }
}

static bool by_delimiter(gx_fields *f, const char *p, const char *end) {
    if (p == end) return true;
    for (;;) {
        const char *at = memchr(p, f->delimiter, (size_t)(end - p));
        if (!add_field(f, p, (size_t)((at ? at : end) - p))) return false;
        if (!at) return true;
        p = at + 1;
    }
}

/* One field from p on, its quotes taken away; gives where it ends. There is room in f->plain. */
static const char *unquote(gx_fields *f, const char *p, const char *end, int comment) {
    char *to = f->plain.data + f->plain.length;
    bool inside = *p == f->quote, first = inside;
    for (; p < end; p++) {
        if (inside) {
            if (first) {
                first = false;
            } else if (*p != f->quote) {
                *to++ = *p;
            } else if (p + 1 < end && p[1] == f->quote) {
                *to++ = *p++;
            } else {
                inside = false;
            }
        } else if (*p == comment || (f->delimiter < 0 ? is_blank(*p) : *p == f->delimiter)) {
            break;
        } else {
            *to++ = *p;
        }
    }
    f->open = inside;
    f->plain.length = (size_t)(to - f->plain.data);
    return p;
}

static bool by_quotes(gx_fields *f, const char *p, const char *end) {
    int comment = f->comment_count ? f->comments[0].text[0] : -1;
    f->plain.length = 0;
    if (!gx_buf_reserve(&f->plain, (size_t)(end - p))) return false;
    for (bool more = false;;) { /* more: a delimiter has promised a field */
        while (f->delimiter < 0 && p < end && is_blank(*p)) p++;
        bool none = p == end || *p == comment;
        if (none && !more) return true;
        size_t start = f->plain.length;
        if (!none) p = unquote(f, p, end, comment);
        if (!add_field(f, f->plain.data + start, f->plain.length - start)) return false;
        more = f->delimiter >= 0 && p < end && *p == f->delimiter;
        if (!more && (p == end || *p == comment)) return true;
        p += more;
    }
}

bool gx_fields_split(gx_fields *f, const char *p, size_t n) {
    f->list.count = 0;
    f->open = false;
    if (f->quote >= 0) return by_quotes(f, p, p + n);
    n = cut_comment(f, p, n);
    return (f->delimiter < 0 ? by_blanks : by_delimiter)(f, p, p + n);
}

void gx_fields_free(gx_fields *f) {
    gx_vec_free(f->rt, &f->list);
    gx_buf_free(&f->plain);
}

/* --- arguments --- */

static bool add_comment(gx_fields *f, gx_borrowed v) {
    if (v.tag != GX_STR && v.tag != GX_BYTES)
        return gx_fail(f->rt, GX_TypeError, "text.comments",
                       "comments must be a str, a sequence of str, or None, not %s",
                       gx_type_name(v));
    if (gx_as_str(v)->length == 0)
        return gx_fail(
            f->rt, GX_ValueError, "text.comments",
            "comments cannot be an empty string. Use comments=None to disable comments.");
    if (f->comment_count == GX_FEW_COMMENTS)
        return gx_fail(f->rt, GX_ValueError, "text.comments", "at most %d kinds of comments",
                       GX_FEW_COMMENTS);
    f->comments[f->comment_count++] = (gx_field){gx_as_str(v)->text, gx_as_str(v)->length};
    return true;
}

static bool take_comments(gx_fields *f, gx_borrowed v) {
    const gx_value *items;
    if (v.tag == GX_NONE) return true;
    int64_t n = gx_sequence_items(v, &items);
    if (n < 0) return add_comment(f, v);
    for (int64_t i = 0; i < n; i++)
        if (!add_comment(f, items[i])) return false;
    return true;
}

/* One character, or none. */
static bool take_character(gx_fields *f, gx_borrowed v, const char *name, int *out) {
    *out = -1;
    if (v.tag == GX_NONE || v.tag == GX_UNDEF) return true;
    bool text = v.tag == GX_STR || v.tag == GX_BYTES;
    if (!text || gx_as_str(v)->length != 1)
        return gx_fail(f->rt, GX_TypeError, "text.character",
                       "%s must be one ASCII character or None, not %s%s%s", name, text ? "'" : "",
                       text ? gx_as_str(v)->text : gx_type_name(v), text ? "'" : "");
    *out = gx_as_str(v)->text[0];
    if (*out == '\n' || *out == '\r')
        return gx_fail(f->rt, GX_TypeError, "text.character", "loadtxt: %s cannot be a newline",
                       name);
    return true;
}

static bool clash(gx_fields *f, const char *a, const char *b) {
    return gx_fail(f->rt, GX_TypeError, "text.character",
                   "The values for control characters '%s' and '%s' are incompatible", a, b);
}

bool gx_fields_args(gx_call *c, int comments, int delimiter, int quote, gx_fields *f) {
    if (!take_comments(f, c->argv[comments]) ||
        !take_character(f, c->argv[delimiter], "delimiter", &f->delimiter) ||
        !take_character(f, c->argv[quote], "quotechar", &f->quote))
        return false;
    bool single = f->comment_count == 1 && f->comments[0].n == 1;
    if (f->quote >= 0 && f->comment_count && !single)
        return gx_fail(c->rt, GX_ValueError, "text.comments",
                       "when multiple comments or a multi-character comment is given, quotes are "
                       "not supported.  In this case quotechar must be set to None.");
    for (int i = 0; i < f->comment_count; i++) {
        if (f->comments[i].n != 1) continue;
        if (f->comments[i].text[0] == f->delimiter) return clash(f, "comment", "delimiter");
        if (f->comments[i].text[0] == f->quote) return clash(f, "comment", "quotechar");
    }
    if (f->quote >= 0 &&
        (f->quote == f->delimiter || (f->delimiter < 0 && is_blank((char)f->quote))))
        return clash(f, "quotechar", "delimiter");
    return true;
}
