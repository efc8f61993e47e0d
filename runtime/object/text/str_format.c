/* str.format: replacement fields {name.attr[key]!r:spec}, specs with fields of their own inside. */
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str_int.h"

enum { MAX_NESTING = 2 };

typedef struct fields {
    gx_rt *rt;
    gx_borrowed args, named;
    int64_t next;   /* automatic numbering; -1: numbers are explicit */
    bool automatic; /* the automatic kind has been used */
} fields;

static bool expand(fields *f, const char *p, const char *end, int depth, gx_buf *out);

/* The number that the text is, or -1; those beyond any index are INT64_MAX. */
static int64_t number_of(const char *p, const char *end) {
    int64_t n = p < end ? 0 : -1;
    int digit, bytes = 1;
    for (; p < end && (digit = gx_code_digit_value(gx_utf8_decode(p, &bytes))) >= 0; p += bytes)
        n = n < INT64_MAX / 20 ? n * 10 + digit : INT64_MAX;
    return p < end ? -1 : n;
}

static bool positional(fields *f, int64_t i, gx_value *out) {
    if (f->args.tag == GX_UNDEF)
        return gx_fail(f->rt, GX_ValueError, "format.index",
                       "Format string contains positional fields");
    gx_tuple *t = gx_as_tuple(f->args);
    if (i >= t->count)
        return gx_fail(f->rt, GX_IndexError, "format.index",
                       "Replacement index %lld out of range for positional args tuple",
                       (long long)i);
    *out = gx_keep(t->items[i]);
    return true;
}

/* The value that a field's name begins with. */
static bool first_part(fields *f, const char *p, const char *end, gx_value *out) {
    if (p == end) {
        if (f->next < 0)
            return gx_fail(
                f->rt, GX_ValueError, "format.numbering",
                "cannot switch from manual field specification to automatic field numbering");
        f->automatic = true;
        return positional(f, f->next++, out);
    }
    int64_t i = number_of(p, end);
    if (i >= 0) {
        if (f->automatic)
            return gx_fail(
                f->rt, GX_ValueError, "format.numbering",
                "cannot switch from automatic field numbering to manual field specification");
        f->next = -1;
        return positional(f, i, out);
    }
    gx_value key;
    if (!gx_str_new(f->rt, p, (size_t)(end - p), &key)) return false;
    bool ok = f->named.tag == GX_UNDEF ? gx_key_error(f->rt, key)
                                       : gx_get_item(f->rt, f->named, key, out);
    gx_drop(key);
    return ok;
}

/* Follows .attr and [key] from p to end; *v is replaced. */
static bool follow(fields *f, const char *p, const char *end, gx_value *v) {
    while (p < end) {
        gx_value next;
        bool ok;
        const char *start = p + 1;
        if (*p == '.') {
            for (p = start; p < end && *p != '.' && *p != '['; p++) {
            }
            if (p == start)
                return gx_fail(f->rt, GX_ValueError, "format.field",
                               "Empty attribute in format string");
            gx_sym name = gx_sym_of(f->rt, start, (size_t)(p - start));
            ok = name && gx_get_attr(f->rt, *v, name, &next);
        } else if (*p == '[') {
            p = memchr(start, ']', (size_t)(end - start));
            if (!p)
                return gx_fail(f->rt, GX_ValueError, "format.field",
                               "Missing ']' in format string");
            if (p == start)
                return gx_fail(f->rt, GX_ValueError, "format.field",
                               "Empty attribute in format string");
            gx_value key;
            size_t n = (size_t)(p - start);
            ok = number_of(start, p) >= 0 ? gx_int_parse(f->rt, start, n, 10, &key)
                                          : gx_str_new(f->rt, start, n, &key);
            if (!ok) return false;
            ok = gx_get_item(f->rt, *v, key, &next);
            gx_drop(key);
            p++;
        } else {
            return gx_fail(f->rt, GX_ValueError, "format.field",
                           "Only '.' or '[' may follow ']' in format field specifier");
        }
        if (!ok) return false;
        gx_drop(*v);
        *v = next;
    }
    return true;
}

/* !r !s !a replace the value by its text. */
static bool convert(fields *f, char how, gx_value *v) {
    gx_buf b = gx_buf_new(f->rt);
    bool ok = how == 's' ? gx_str_into(f->rt, *v, &b) : gx_repr(f->rt, *v, &b);
    if (ok && how == 'a') {
        gx_buf ascii = gx_buf_new(f->rt);
        ok = gx_str_ascii_escape(&ascii, gx_buf_text(&b), b.length);
        gx_buf_free(&b);
        b = ascii;
    }
    gx_value text;
    if (!ok) {
        gx_buf_free(&b);
        return false;
    }
    if (!gx_str_take(&b, &text)) return false;
    gx_drop(*v);
    *v = text;
    return true;
}

/* One field: [p, end) is what stands between the braces. */
static bool field(fields *f, const char *p, const char *end, int depth, gx_buf *out) {
    const char *q = p;
    int brackets = 0;
    while (q < end && (brackets || (*q != ':' && *q != '!'))) {
        if (*q == '[') brackets = 1;
        if (*q == ']') brackets = 0;
        q++;
    }
    const char *name_end = q, *first = p;
    char how = 0;
    if (q < end && *q == '!') {
        if (q + 1 >= end)
            return gx_fail(f->rt, GX_ValueError, "format.field",
                           "end of string while looking for conversion specifier");
        how = q[1];
        q += 2;
        if (how != 'r' && how != 's' && how != 'a')
            return gx_fail(f->rt, GX_ValueError, "format.field",
                           "Unknown conversion specifier '%c'", how);
        if (q < end && *q != ':')
            return gx_fail(f->rt, GX_ValueError, "format.field",
                           "expected ':' after conversion specifier");
    }
    while (first < name_end && *first != '.' && *first != '[') first++;
    gx_value v;
    if (!first_part(f, p, first, &v)) return false;
    gx_buf spec = gx_buf_new(f->rt);
    bool ok = follow(f, first, name_end, &v) && (!how || convert(f, how, &v));
    if (ok && q < end) {
        q++;
        if (memchr(q, '{', (size_t)(end - q)) || memchr(q, '}', (size_t)(end - q)))
            ok = expand(f, q, end, depth + 1, &spec);
        else
            ok = gx_buf_add(&spec, q, (size_t)(end - q));
    }
    ok = ok && gx_format(f->rt, v, gx_buf_text(&spec), spec.length, out);
    gx_buf_free(&spec);
    gx_drop(v);
    return ok;
}

/* The closing brace that belongs to the field that starts at p, or NULL. */
static const char *field_end(const char *p, const char *end) {
    int depth = 1;
    bool bracket = false;
    for (; p < end; p++) {
        if (*p == '[' && depth == 1) bracket = true;
        if (*p == ']') bracket = false;
        if (bracket) continue;
        if (*p == '{') depth++;
        if (*p == '}' && --depth == 0) return p;
    }
    return NULL;
}

static bool expand(fields *f, const char *p, const char *end, int depth, gx_buf *out) {
    if (depth >= MAX_NESTING)
        return gx_fail(f->rt, GX_ValueError, "format.nesting", "Max string recursion exceeded");
    while (p < end) {
        const char *q = p;
        while (q < end && *q != '{' && *q != '}') q++;
        if (!gx_buf_add(out, p, (size_t)(q - p))) return false;
        if (q == end) return true;
        if (q + 1 < end && q[1] == *q) {
            if (!gx_buf_char(out, *q)) return false;
            p = q + 2;
            continue;
        }
        if (*q == '}')
            return gx_fail(f->rt, GX_ValueError, "format.brace",
                           "Single '}' encountered in format string");
        if (q + 1 == end)
            return gx_fail(f->rt, GX_ValueError, "format.brace",
                           "Single '{' encountered in format string");
        const char *close = field_end(q + 1, end);
        if (!close)
            return gx_fail(f->rt, GX_ValueError, "format.brace",
                           "expected '}' before end of string");
        if (!field(f, q + 1, close, depth, out)) return false;
        p = close + 1;
    }
    return true;
}

bool gx_str_format_fields(gx_rt *rt, const char *text, size_t length, gx_borrowed args,
                          gx_borrowed named, gx_buf *out) {
    fields f = {.rt = rt, .args = args, .named = named};
    return expand(&f, text, text + length, 0, out);
}
