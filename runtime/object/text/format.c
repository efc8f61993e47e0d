/* Format specs: [[fill]align][sign][z][#][0][width][,_][.precision][type], and their meaning for
   text and ints. Floats are in format_float.c. Widths nested in a spec come expanded. */
#include <string.h>

#include "runtime/object/class/class.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/text/format_int.h"
#include "runtime/object/text/str_int.h"

enum { LARGEST_WIDTH = 1 << 28 };

/* --- parsing ---------------------------------------------------------------------------------- */

static bool is_align(char c) {
    return c == '<' || c == '>' || c == '=' || c == '^';
}

/* A decimal number; -1 when there is none. */
static bool parse_number(gx_rt *rt, const char **p, const char *end, int64_t *out) {
    int64_t n = -1;
    int bytes = 1;
    for (int digit; *p < end && (digit = gx_code_digit_value(gx_utf8_decode(*p, &bytes))) >= 0;
         *p += bytes) {
        n = (n < 0 ? 0 : n) * 10 + digit;
        if (n > INT64_MAX / 20)
            return gx_fail(rt, GX_ValueError, "format.spec",
                           "Too many decimal digits in format string");
    }
    *out = n;
    return true;
}

static const char *parse_fill(const char *p, const char *end, gx_spec *s) {
    int n = 1;
    uint32_t first = p < end ? gx_utf8_decode(p, &n) : 0;
    if (p < end && p + n < end && is_align(p[n])) {
        s->fill = first;
        s->align = p[n];
        return p + n + 1;
    }
    if (p < end && is_align(*p)) s->align = *p++;
    return p;
}

/* Does the grouping option go with the type? */
static bool check_group(gx_rt *rt, const gx_spec *s) {
    bool decimal = !s->type || strchr("defgEFG%", s->type);
    bool radix = s->type && strchr("boxX", s->type);
    if (!s->group || decimal || (radix && s->group == '_')) return true;
    return gx_fail(rt, GX_ValueError, "format.group", "Cannot specify '%c' with '%c'.", s->group,
                   s->type);
}

bool gx_spec_parse(gx_rt *rt, const char *spec, size_t length, gx_spec *out) {
    return gx_spec_parse_for(rt, spec, length, NULL, out);
}

bool gx_spec_parse_for(gx_rt *rt, const char *spec, size_t length, const char *type, gx_spec *out) {
    const char *p = spec, *end = spec + length;
    gx_spec s = {.width = -1, .precision = -1};
    p = parse_fill(p, end, &s);
    if (p < end && (*p == '+' || *p == '-' || *p == ' ')) s.sign = *p++;
    if (p < end && *p == 'z') s.positive_zero = true, p++;
    if (p < end && *p == '#') s.alternate = true, p++;
    if (p < end && *p == '0' && !s.fill) {
        s.fill = '0';
        s.zero = !s.align;
        p++;
    }
    if (!s.fill) s.fill = ' ';
    if (!parse_number(rt, &p, end, &s.width)) return false;
    if (p < end && *p == ',') s.group = *p++;
    if (p < end && *p == '_') {
        if (s.group)
            return gx_fail(rt, GX_ValueError, "format.spec", "Cannot specify both ',' and '_'.");
        s.group = *p++;
    }
    if (p < end && *p == ',')
        return gx_fail(rt, GX_ValueError, "format.spec",
                       s.group == ',' ? "Cannot specify both ',' and '_'."
                                      : "Cannot specify both ',' and '_'.");
    if (p < end && *p == '.') {
        p++;
        if (!parse_number(rt, &p, end, &s.precision)) return false;
        if (s.precision < 0)
            return gx_fail(rt, GX_ValueError, "format.spec", "Format specifier missing precision");
    }
    if (end - p > 1 && gx_utf8_count(p, (size_t)(end - p)) > 1)
        return type ? gx_fail(rt, GX_ValueError, "format.spec",
                              "Invalid format specifier '%.*s' for object of type '%s'",
                              (int)length, spec, type)
                    : gx_fail(rt, GX_ValueError, "format.spec", "Invalid format specifier");
    if (end - p > 1) {
        int n;
        return gx_fail(rt, GX_ValueError, "format.code",
                       "Unknown format code '\\x%x' for object of type '%s'", gx_utf8_decode(p, &n),
                       type ? type : "str");
    }
    if (p < end) s.type = *p;
    bool text = !s.type && type && strcmp(type, "str") == 0;
    if (text && s.group)
        return gx_fail(rt, GX_ValueError, "format.group", "Cannot specify '%c' with 's'.", s.group);
    if (!check_group(rt, &s)) return false;
    if (s.width > LARGEST_WIDTH || s.precision > LARGEST_WIDTH)
        return gx_fail(rt, GX_ValueError, "format.spec", s.width > LARGEST_WIDTH
                       ? "Too many decimal digits in format string" : "precision too big");
    *out = s;
    return true;
}

bool gx_format_unknown(gx_rt *rt, char code, const char *type) {
    if (code > 32 && code < 127)
        return gx_fail(rt, GX_ValueError, "format.code",
                       "Unknown format code '%c' for object of type '%s'", code, type);
    return gx_fail(rt, GX_ValueError, "format.code",
                   "Unknown format code '\\x%x' for object of type '%s'", (unsigned char)code,
                   type);
}

/* --- padding ---------------------------------------------------------------------------------- */

static bool fill(gx_buf *out, uint32_t code, int64_t count) {
    if (count <= 0) return true;
    if (code < 128) return gx_buf_fill(out, (char)code, (size_t)count);
    for (; count > 0; count--)
        if (!gx_buf_code(out, code)) return false;
    return true;
}

static uint32_t fill_of(const gx_spec *s) {
    return s->fill ? s->fill : ' ';
}

/* Grouped digits into `to` backwards from `end`; zeros in front until `width` places are taken. */
static char *group_digits(char *end, const gx_number_text *n, char mark, int64_t width) {
    char *p = end;
    size_t left = n->digit_count;
    int in_group = 0;
    while (left > 0 || end - p < width) {
        if (mark && in_group == n->group_size) {
            *--p = mark;
            in_group = 0;
        }
        *--p = left > 0 ? n->digits[--left] : '0';
        in_group++;
    }
    return p;
}

bool gx_format_number(gx_rt *rt, const gx_number_text *n, const gx_spec *spec, gx_buf *out) {
    char align = spec->align ? spec->align : spec->zero ? '=' : '>';
    int64_t other = (n->sign != 0) + (int64_t)strlen(n->prefix) + (int64_t)n->rest_length;
    int64_t zeros = align == '=' && fill_of(spec) == '0' ? spec->width - other : 0;
    if (zeros < 0) zeros = 0;
    size_t room = (n->digit_count > (size_t)zeros ? n->digit_count : (size_t)zeros) * 2 + 4;
    char near[128], *work = room <= sizeof near ? near : gx_alloc(rt, room);
    if (!work) return false;
    char *digits = group_digits(work + room, n, spec->group, zeros);
    int64_t count = work + room - digits, pad = spec->width - other - count;
    int64_t before = align == '>' ? pad : align == '^' ? pad / 2 : 0;
    int64_t after = align == '<' ? pad : align == '^' ? pad - pad / 2 : 0;
    bool ok = fill(out, fill_of(spec), before) && (!n->sign || gx_buf_char(out, n->sign)) &&
              gx_buf_puts(out, n->prefix) && (align != '=' || fill(out, fill_of(spec), pad)) &&
              gx_buf_add(out, digits, (size_t)count) && gx_buf_add(out, n->rest, n->rest_length) &&
              fill(out, fill_of(spec), after);
    if (work != near) gx_free(rt, work);
    return ok;
}

/* --- text ------------------------------------------------------------------------------------- */

bool gx_format_text(gx_rt *rt, const char *text, size_t length, const gx_spec *s, gx_buf *out) {
    if (s->type && s->type != 's') return gx_format_unknown(rt, s->type, "str");
    if (s->sign)
        return gx_fail(rt, GX_ValueError, "format.sign",
                       s->sign == ' ' ? "Space not allowed in string format specifier"
                                      : "Sign not allowed in string format specifier");
    if (s->positive_zero)
        return gx_fail(rt, GX_ValueError, "format.sign",
                       "Negative zero coercion (z) not allowed in string format specifier");
    if (s->alternate)
        return gx_fail(rt, GX_ValueError, "format.alternate",
                       "Alternate form (#) not allowed in string format specifier");
    if (s->align == '=')
        return gx_fail(rt, GX_ValueError, "format.align",
                       "'=' alignment not allowed in string format specifier");
    size_t chars = gx_utf8_count(text, length);
    if (s->precision >= 0 && (size_t)s->precision < chars) {
        size_t at = 0;
        for (chars = 0; chars < (size_t)s->precision; chars++) {
            at++;
            while (((unsigned char)text[at] & 0xC0) == 0x80) at++;
        }
        length = at;
    }
    int64_t pad = s->width - (int64_t)chars;
    int64_t before = s->align == '>' ? pad : s->align == '^' ? pad / 2 : 0;
    if (pad < 0) pad = before = 0;
    return fill(out, fill_of(s), before) && gx_buf_add(out, text, length) &&
           fill(out, fill_of(s), pad - before);
}
