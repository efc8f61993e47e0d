/* The table of str's methods, and those about padding, tables of characters and formatting. */
#include <string.h>

#include "runtime/object/class/class.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/text/str_int.h"
#include "runtime/object/types.h"

enum { LARGEST_WIDTH = 1 << 30 };

static gx_str *self(gx_call *c) {
    return gx_as_str(c->argv[0]);
}

/* --- padding ---------------------------------------------------------------------------------- */

/* Self between `before` and `after` fill characters. */
static bool padded(gx_call *c, int64_t before, int64_t after, int fill_at, gx_value *out) {
    gx_str *s = self(c);
    const char *fill = " ";
    size_t n = 1;
    if (fill_at) {
        if (!gx_arg_str(c, fill_at, &fill, &n)) return false;
        if (gx_utf8_count(fill, n) != 1)
            return gx_fail(c->rt, GX_TypeError, "str.fill",
                           "The fill character must be exactly one character long");
    }
    if (before + after <= 0) return gx_plain_value(c->rt, c->argv[0], out);
    if (before + after > LARGEST_WIDTH) return gx_no_memory(c->rt);
    gx_buf b = gx_buf_new(c->rt);
    bool ok = true;
    for (int64_t i = 0; ok && i < before; i++) ok = gx_buf_add(&b, fill, n);
    ok = ok && gx_buf_add(&b, s->text, s->length);
    for (int64_t i = 0; ok && i < after; i++) ok = gx_buf_add(&b, fill, n);
    if (ok) return gx_str_take(&b, out);
    gx_buf_free(&b);
    return false;
}

/* How many fill characters a width leaves. */
static bool missing(gx_call *c, int64_t *width, int64_t *out) {
    if (!gx_arg_int(c, 1, width)) return false;
    *out = *width - (int64_t)self(c)->chars;
    if (*out < 0) *out = 0;
    return true;
}

static bool ljust(gx_call *c, gx_value *out) {
    int64_t w, n;
    return missing(c, &w, &n) && padded(c, 0, n, 2, out);
}

static bool rjust(gx_call *c, gx_value *out) {
    int64_t w, n;
    return missing(c, &w, &n) && padded(c, n, 0, 2, out);
}

static bool center(gx_call *c, gx_value *out) {
    int64_t w, n;
    if (!missing(c, &w, &n)) return false;
    int64_t left = n / 2 + (n & w & 1); /* Python's choice for an odd rest */
    return padded(c, left, n - left, 2, out);
}

static bool zfill(gx_call *c, gx_value *out) {
    gx_str *s = self(c);
    int64_t w, n;
    if (!missing(c, &w, &n)) return false;
    if (n == 0) return gx_plain_value(c->rt, c->argv[0], out);
    if (n > LARGEST_WIDTH) return gx_no_memory(c->rt);
    gx_buf b = gx_buf_new(c->rt);
    size_t sign = s->text[0] == '+' || s->text[0] == '-';
    if (gx_buf_add(&b, s->text, sign) && gx_buf_fill(&b, '0', (size_t)n) &&
        gx_buf_add(&b, s->text + sign, s->length - sign))
        return gx_str_take(&b, out);
    gx_buf_free(&b);
    return false;
}

bool gx_text_expand_tabs(const gx_str *s, int64_t size, gx_buf *out) {
    int64_t column = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < s->length; i++) {
        char ch = s->text[i];
        if (ch == '\t') {
            int64_t n = size > 0 ? size - column % size : 0;
            ok = gx_buf_fill(out, ' ', (size_t)n);
            column += n;
            continue;
        }
        ok = gx_buf_char(out, ch);
        if (ch == '\n' || ch == '\r') column = 0;
        else if (s->obj.tag == GX_BYTES || ((unsigned char)ch & 0xC0) != 0x80) column++;
    }
    return ok;
}

static bool expandtabs(gx_call *c, gx_value *out) {
    int64_t size;
    if (!gx_arg_int(c, 1, &size)) return false;
    gx_buf b = gx_buf_new(c->rt);
    if (gx_text_expand_tabs(self(c), size, &b)) return gx_str_take(&b, out);
    gx_buf_free(&b);
    return false;
}

/* --- formatting ------------------------------------------------------------------------------- */

static bool format_with(gx_call *c, gx_borrowed args, gx_borrowed named, gx_value *out) {
    gx_buf b = gx_buf_new(c->rt);
    if (gx_str_format_fields(c->rt, self(c)->text, self(c)->length, args, named, &b))
        return gx_str_take(&b, out);
    gx_buf_free(&b);
    return false;
}

static bool format(gx_call *c, gx_value *out) {
    return format_with(c, c->argv[1], c->argv[2], out);
}

static bool format_map(gx_call *c, gx_value *out) {
    return format_with(c, gx_undef(), c->argv[1], out);
}

static bool encode(gx_call *c, gx_value *out) {
    return gx_str_encode(c, c->argv[0], 1, out);
}

/* --- tables of characters --------------------------------------------------------------------- */

static bool put_translated(gx_call *c, gx_borrowed v, gx_buf *b) {
    if (v.tag == GX_NONE) return true;
    if (v.tag == GX_STR) return gx_buf_add(b, gx_as_str(v)->text, gx_as_str(v)->length);
    if (v.tag == GX_INT && v.i >= 0 && v.i <= 0x10FFFF) return gx_buf_code(b, (uint32_t)v.i);
    return gx_fail(c->rt, GX_TypeError, "str.translate",
                   "character mapping must return integer, None or str");
}

static bool translate(gx_call *c, gx_value *out) {
    enum { GOES = -1 };
    signed char becomes[128] = {0}; /* asked once, as CPython does; 0: not known */
    gx_str *s = self(c);
    gx_buf b = gx_buf_new(c->rt);
    bool ok = true, remembers = gx_str_ascii(s); /* until a character becomes several */
    for (size_t i = 0; ok && i < s->length;) {
        int n;
        uint32_t code = gx_utf8_decode(s->text + i, &n);
        gx_value v;
        if (remembers && becomes[code]) {
            ok = becomes[code] == GOES || gx_buf_char(&b, (char)becomes[code]);
        } else if (gx_get_item(c->rt, c->argv[1], gx_int(code), &v)) {
            const size_t before = b.length;
            ok = put_translated(c, v, &b);
            remembers = remembers && ok && b.length - before <= 1;
            if (remembers) becomes[code] = b.length > before ? (signed char)b.data[before] : GOES;
            gx_drop(v);
        } else if (gx_error_is(c->rt->error.kind, GX_LookupError)) {
            gx_error_clear(c->rt);
            if (remembers) becomes[code] = (signed char)code;
            ok = gx_buf_add(&b, s->text + i, (size_t)n);
        } else {
            ok = false;
        }
        i += (size_t)n;
    }
    if (ok) return gx_str_take(&b, out);
    gx_buf_free(&b);
    return false;
}

/* Maps the characters of text to values: those of `to` in turn, or None. */
static bool add_pairs(gx_rt *rt, gx_borrowed d, const gx_str *from, const gx_str *to) {
    size_t i = 0, j = 0;
    while (i < from->length) {
        int n, m = 0;
        gx_value key = gx_int(gx_utf8_decode(from->text + i, &n)), value = gx_none();
        if (to) value = gx_int(gx_utf8_decode(to->text + j, &m));
        if (!gx_dict_set(rt, d, key, value)) return false;
        i += (size_t)n;
        j += (size_t)m;
    }
    return true;
}

static bool from_mapping(gx_call *c, gx_borrowed d) {
    gx_borrowed m = c->argv[0];
    if (m.tag != GX_DICT)
        return gx_fail(c->rt, GX_TypeError, "str.maketrans",
                       "if you give only one argument to maketrans it must be a dict");
    int64_t at = 0;
    for (gx_entry *e; (e = gx_dict_next(gx_as_dict(m), &at));) {
        gx_value key = e->key;
        if (key.tag == GX_STR) {
            int n;
            if (gx_as_str(key)->chars != 1)
                return gx_fail(c->rt, GX_ValueError, "str.maketrans",
                               "string keys in translate table must be of length 1");
            key = gx_int(gx_utf8_decode(gx_as_str(key)->text, &n));
        }
        if (!gx_dict_set(c->rt, d, key, e->value)) return false;
    }
    return true;
}

static bool maketrans(gx_call *c, gx_value *out) {
    gx_value d;
    const char *text;
    size_t n;
    if (!gx_dict_new(c->rt, &d)) return false;
    bool ok = true;
    if (!gx_arg_given(c, 1)) {
        ok = from_mapping(c, d);
    } else {
        ok = gx_arg_str(c, 0, &text, &n) && gx_arg_str(c, 1, &text, &n);
        if (ok && gx_as_str(c->argv[0])->chars != gx_as_str(c->argv[1])->chars)
            ok = gx_fail(c->rt, GX_ValueError, "str.maketrans",
                         "the first two maketrans arguments must have equal length");
        ok = ok && add_pairs(c->rt, d, gx_as_str(c->argv[0]), gx_as_str(c->argv[1]));
        if (ok && gx_arg_given(c, 2))
            ok = gx_arg_str(c, 2, &text, &n) && add_pairs(c->rt, d, gx_as_str(c->argv[2]), NULL);
    }
    if (!ok) {
        gx_drop(d);
        return false;
    }
    *out = d;
    return true;
}

const gx_native gx_str_statics[] = {
    {"maketrans", "maketrans(x, y=<no value>, z=<no value>, /)", "A table for translate.",
     "'abc'.translate(str.maketrans('ab', 'xy'))  # 'xyc'", maketrans, 0, 0},
    {0},
};

/* --- the table -------------------------------------------------------------------------------- */

const gx_native gx_str_methods[] = {
    {"split", "split(self, /, sep=None, maxsplit=-1)", "The parts between separators.",
     "'a b'.split()  # ['a', 'b']", gx_text_split, 0, 0},
    {"rsplit", "rsplit(self, /, sep=None, maxsplit=-1)", "As split, counting from the end.",
     "'a-b-c'.rsplit('-', 1)  # ['a-b', 'c']", gx_text_rsplit, 0, 0},
    {"splitlines", "splitlines(self, /, keepends=False)", "The lines.", NULL, gx_text_splitlines, 0,
     0},
    {"partition", "partition(self, sep, /)", "What is before, the separator, what is behind.",
     "'a=b'.partition('=')  # ('a', '=', 'b')", gx_text_partition, 0, 0},
    {"rpartition", "rpartition(self, sep, /)", "As partition, at the last separator.", NULL,
     gx_text_rpartition, 0, 0},
    {"join", "join(self, iterable, /)", "The texts of an iterable with self between them.",
     "'-'.join(['a', 'b'])  # 'a-b'", gx_text_join, 0, 0},
    {"strip", "strip(self, chars=None, /)", "Without white space (or chars) at both ends.",
     "' a '.strip()  # 'a'", gx_text_strip, 0, 0},
    {"lstrip", "lstrip(self, chars=None, /)", "As strip, at the start only.", NULL, gx_text_lstrip,
     0, 0},
    {"rstrip", "rstrip(self, chars=None, /)", "As strip, at the end only.", NULL, gx_text_rstrip, 0,
     0},
    {"replace", "replace(self, old, new, /, count=-1)", "With every old replaced by new.",
     "'aba'.replace('a', 'c')  # 'cbc'", gx_text_replace, 0, 0},
    {"find", "find(self, sub, start=None, end=None, /)", "Where sub stands first, or -1.",
     "'abc'.find('c')  # 2", gx_text_find, 0, 0},
    {"rfind", "rfind(self, sub, start=None, end=None, /)", "Where sub stands last, or -1.", NULL,
     gx_text_rfind, 0, 0},
    {"index", "index(self, sub, start=None, end=None, /)", "As find; ValueError when not found.",
     NULL, gx_text_index, 0, 0},
    {"rindex", "rindex(self, sub, start=None, end=None, /)", "As rfind; ValueError when not found.",
     NULL, gx_text_rindex, 0, 0},
    {"count", "count(self, sub, start=None, end=None, /)",
     "How often sub stands, without overlaps.", "'banana'.count('an')  # 2", gx_text_count, 0, 0},
    {"startswith", "startswith(self, prefix, start=None, end=None, /)", "Does it begin so?", NULL,
     gx_text_startswith, 0, 0},
    {"endswith", "endswith(self, suffix, start=None, end=None, /)", "Does it end so?", NULL,
     gx_text_endswith, 0, 0},
    {"removeprefix", "removeprefix(self, prefix, /)", "Without a prefix it may have.", NULL,
     gx_text_removeprefix, 0, 0},
    {"removesuffix", "removesuffix(self, suffix, /)", "Without a suffix it may have.", NULL,
     gx_text_removesuffix, 0, 0},
    {"upper", "upper(self, /)", "In capitals.", "'a'.upper()  # 'A'", gx_str_upper, 0, 0},
    {"lower", "lower(self, /)", "In small letters.", "'A'.lower()  # 'a'", gx_str_lower, 0, 0},
    {"casefold", "casefold(self, /)", "For comparison without case.", NULL, gx_str_casefold, 0, 0},
    {"title", "title(self, /)", "Each word with a capital.", "'a word'.title()  # 'A Word'",
     gx_str_title, 0, 0},
    {"capitalize", "capitalize(self, /)", "The first letter a capital, the others small.", NULL,
     gx_str_capitalize, 0, 0},
    {"swapcase", "swapcase(self, /)", "Capitals and small letters exchanged.", NULL,
     gx_str_swapcase, 0, 0},
    {"center", "center(self, width, fillchar=' ', /)", "Centred in a width.", NULL, center, 0, 0},
    {"ljust", "ljust(self, width, fillchar=' ', /)", "At the left of a width.", NULL, ljust, 0, 0},
    {"rjust", "rjust(self, width, fillchar=' ', /)", "At the right of a width.", NULL, rjust, 0, 0},
    {"zfill", "zfill(self, width, /)", "Padded with zeros behind the sign.",
     "'-7'.zfill(4)  # '-007'", zfill, 0, 0},
    {"expandtabs", "expandtabs(self, /, tabsize=8)", "Tabs replaced by spaces.", NULL, expandtabs,
     0, 0},
    {"format", "format(self, /, *args, **kwargs)", "With the {} fields filled in.",
     "'{} {x}'.format(1, x=2)  # '1 2'", format, 0, 0},
    {"format_map", "format_map(self, mapping, /)", "As format, with names from a mapping.", NULL,
     format_map, 0, 0},
    {"encode", "encode(self, /, encoding='utf-8', errors='strict')", "The bytes of the text.", NULL,
     encode, 0, 0},
    {"translate", "translate(self, table, /)", "Each character replaced through a table.", NULL,
     translate, 0, 0},
    {"isdigit", "isdigit(self, /)", "All digits?", NULL, gx_str_isdigit, 0, 0},
    {"isdecimal", "isdecimal(self, /)", "All decimal digits?", NULL, gx_str_isdecimal, 0, 0},
    {"isnumeric", "isnumeric(self, /)", "All numeric?", NULL, gx_str_isnumeric, 0, 0},
    {"isalpha", "isalpha(self, /)", "All letters?", NULL, gx_str_isalpha, 0, 0},
    {"isalnum", "isalnum(self, /)", "All letters or digits?", NULL, gx_str_isalnum, 0, 0},
    {"isspace", "isspace(self, /)", "All white space?", NULL, gx_str_isspace, 0, 0},
    {"isupper", "isupper(self, /)", "No small letters, and a capital?", NULL, gx_str_isupper, 0, 0},
    {"islower", "islower(self, /)", "No capitals, and a small letter?", NULL, gx_str_islower, 0, 0},
    {"istitle", "istitle(self, /)", "Each word with a capital?", NULL, gx_str_istitle, 0, 0},
    {"isprintable", "isprintable(self, /)", "All printable?", NULL, gx_str_isprintable, 0, 0},
    {"isidentifier", "isidentifier(self, /)", "Could it be a name?", NULL, gx_str_isidentifier, 0,
     0},
    {"isascii", "isascii(self, /)", "All ASCII?", NULL, gx_str_isascii, 0, 0},
    {0},
};
