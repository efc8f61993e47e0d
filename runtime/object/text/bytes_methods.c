/* The methods of bytes that str does not share, and the table of all. Letters, digits and spaces
   are those of ASCII. */
#include <ctype.h>
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/object/class/class.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/bytearray.h"
#include "runtime/object/text/str_int.h"

static gx_str *self(gx_call *c) {
    return gx_as_str(c->argv[0]);
}

static bool take(gx_call *c, gx_buf *b, bool ok, gx_value *out) {
    ok = ok && gx_bytes_new(c->rt, gx_buf_text(b), b->length, out);
    gx_buf_free(b);
    return ok;
}

/* Bytes as an argument, owned. */
static bool bytes_arg(gx_call *c, int i, gx_value *out) {
    gx_try is = gx_bytes_like(c->rt, c->argv[i], out);
    if (is == GX_TRY_NO)
        return gx_fail(c->rt, GX_TypeError, "bytes.type",
                       "a bytes-like object is required, not '%s'", gx_type_name(c->argv[i]));
    return is == GX_TRY_YES;
}

static bool decode(gx_call *c, gx_value *out) {
    return gx_bytes_decode(c, c->argv[0], 1, out);
}

static bool as_bytes(gx_call *c, gx_value *out) {
    return gx_plain_value(c->rt, c->argv[0], out);
}

/* --- hexadecimal ------------------------------------------------------------------------------ */

/* The one byte of text between groups of digits. */
static bool separator(gx_call *c, char *out) {
    gx_borrowed v = c->argv[1];
    if (v.tag != GX_STR && v.tag != GX_BYTES) {
        int64_t n;
        if (!gx_length(c->rt, v, &n)) return false;
        if (n != 1) return gx_fail(c->rt, GX_ValueError, "bytes.hex", "sep must be length 1.");
        return gx_fail(c->rt, GX_TypeError, "bytes.hex", "sep must be str or bytes.");
    }
    if (gx_as_str(v)->chars != 1)
        return gx_fail(c->rt, GX_ValueError, "bytes.hex", "sep must be length 1.");
    *out = gx_as_str(v)->text[0];
    return gx_as_str(v)->length == 1 && (unsigned char)*out < 128
               ? true
               : gx_fail(c->rt, GX_ValueError, "bytes.hex", "sep must be ASCII.");
}

/* Does a separator stand before byte i of n? Groups count from the end, or, negative, the start. */
static bool group_starts(size_t i, size_t n, int64_t group) {
    if (i == 0 || group == 0) return false;
    uint64_t size = group < 0 ? 0 - (uint64_t)group : (uint64_t)group;
    return (group < 0 ? i : n - i) % size == 0;
}

/* How many separators n bytes get, n at least 1. */
static size_t separators(size_t n, int64_t group) {
    uint64_t size = group < 0 ? 0 - (uint64_t)group : (uint64_t)group;
    return group ? (n - 1) / size : 0;
}

static bool hex(gx_call *c, gx_value *out) {
    static const char digits[] = "0123456789abcdef";
    gx_str *s = self(c);
    char sep = 0;
    int64_t group;
    if (!gx_arg_int(c, 2, &group)) return false;
    if (gx_arg_given(c, 1) && !separator(c, &sep)) return false;
    if (!gx_arg_given(c, 1)) group = 0;
    const size_t n = s->length;
    if (n == 0) return gx_str_new(c->rt, "", 0, out);
    gx_str *r = gx_str_raw(c->rt, gx_core_types[GX_STR], 2 * n + separators(n, group), 0);
    if (!r) return false;
    char *to = r->text;
    for (size_t i = 0; i < n && !gx_work_stops(c->rt); i++) {
        const unsigned byte = (unsigned char)s->text[i];
        if (group_starts(i, n, group)) *to++ = sep;
        *to++ = digits[byte >> 4];
        *to++ = digits[byte & 15];
    }
    *out = gx_object(&r->obj); /* garbage after Ctrl-C, which call_fn does not give out */
    return true;
}

static bool from_hex(gx_call *c, gx_value *out) {
    const char *p, *start;
    size_t n;
    if (!gx_arg_str(c, 0, &start, &n)) return false;
    gx_buf b = gx_buf_new(c->rt);
    bool ok = true;
    for (p = start; *p && ok && !gx_work_stops(c->rt);) {
        if (isspace((unsigned char)*p)) {
            p++;
            continue;
        }
        char pair[3] = {p[0], p[1], 0};
        const char *wrong = !isxdigit((unsigned char)p[0]) ? p : p + 1;
        if (!isxdigit((unsigned char)*wrong) || !isxdigit((unsigned char)p[1])) {
            ok = gx_fail(c->rt, GX_ValueError, "bytes.hex",
                         "non-hexadecimal number found in fromhex() arg at position %d",
                         (int)(wrong - start));
            break;
        }
        unsigned byte =
            (unsigned)(isdigit((unsigned char)pair[0]) ? pair[0] - '0'
                                                       : (pair[0] | 32) - 'a' + 10) *
                16 +
            (unsigned)(isdigit((unsigned char)pair[1]) ? pair[1] - '0' : (pair[1] | 32) - 'a' + 10);
        ok = gx_buf_char(&b, (char)byte);
        p += 2;
    }
    ok = ok && gx_bytes_new(c->rt, gx_buf_text(&b), b.length, out);
    gx_buf_free(&b);
    return ok;
}

/* --- case ------------------------------------------------------------------------------------- */

typedef enum how { UPPER, LOWER, SWAP, TITLE, CAPITALIZE } how;

static char converted(char b, how h, bool first, bool inside) {
    bool up = h == UPPER || (h == SWAP && b >= 'a') || (h == TITLE && !inside) ||
              (h == CAPITALIZE && first);
    return up ? (char)(b & ~32) : (char)(b | 32);
}

static bool letter(char b) {
    return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z');
}

static bool change_case(gx_call *c, how h, gx_value *out) {
    gx_str *s = self(c), *r = gx_str_raw(c->rt, gx_core_types[GX_BYTES], s->length, 0);
    bool inside = false;
    if (!r) return false;
    for (size_t i = 0; i < s->length; i++) {
        char b = s->text[i];
        r->text[i] = letter(b) ? converted(b, h, i == 0, inside) : b;
        inside = letter(b);
    }
    *out = gx_object(&r->obj);
    return true;
}

static bool upper(gx_call *c, gx_value *out) {
    return change_case(c, UPPER, out);
}
static bool lower(gx_call *c, gx_value *out) {
    return change_case(c, LOWER, out);
}
static bool swapcase(gx_call *c, gx_value *out) {
    return change_case(c, SWAP, out);
}
static bool title(gx_call *c, gx_value *out) {
    return change_case(c, TITLE, out);
}
static bool capitalize(gx_call *c, gx_value *out) {
    return change_case(c, CAPITALIZE, out);
}

/* --- questions -------------------------------------------------------------------------------- */

/* Is there a byte, and are all of the kind? */
static bool all(gx_call *c, int (*kind)(int), gx_value *out) {
    gx_str *s = self(c);
    bool yes = s->length > 0;
    for (size_t i = 0; yes && i < s->length; i++)
        yes = (unsigned char)s->text[i] < 128 && kind((unsigned char)s->text[i]);
    *out = gx_bool(yes);
    return true;
}

static bool isalnum_(gx_call *c, gx_value *out) {
    return all(c, isalnum, out);
}
static bool isalpha_(gx_call *c, gx_value *out) {
    return all(c, isalpha, out);
}
static bool isdigit_(gx_call *c, gx_value *out) {
    return all(c, isdigit, out);
}
static bool isspace_(gx_call *c, gx_value *out) {
    return all(c, isspace, out);
}

static bool isascii_(gx_call *c, gx_value *out) {
    gx_str *s = self(c);
    size_t i = 0;
    while (i < s->length && (unsigned char)s->text[i] < 128) i++;
    *out = gx_bool(i == s->length);
    return true;
}

/* A letter, all letters of a case, words that begin with capitals. */
static bool cased(gx_call *c, how h, gx_value *out) {
    gx_str *s = self(c);
    bool any = false, good = true, inside = false;
    for (size_t i = 0; good && i < s->length; i++) {
        if (letter(s->text[i])) good = converted(s->text[i], h, false, inside) == s->text[i];
        inside = letter(s->text[i]);
        any = any || inside;
    }
    *out = gx_bool(any && good);
    return true;
}

static bool isupper_(gx_call *c, gx_value *out) {
    return cased(c, UPPER, out);
}
static bool islower_(gx_call *c, gx_value *out) {
    return cased(c, LOWER, out);
}
static bool istitle_(gx_call *c, gx_value *out) {
    return cased(c, TITLE, out);
}

/* --- padding ---------------------------------------------------------------------------------- */

/* How many bytes a width leaves to fill. */
static bool missing(gx_call *c, int64_t *width, int64_t *out) {
    if (!gx_arg_int(c, 1, width)) return false;
    *out = *width - (int64_t)self(c)->length;
    if (*out < 0 || *width < 0) *out = 0;
    return true;
}

/* The byte to pad with. */
static bool fill_of(gx_call *c, char *out) {
    gx_value given;
    *out = ' ';
    if (!gx_arg_given(c, 2)) return true;
    gx_try is = gx_bytes_like(c->rt, c->argv[2], &given);
    if (is == GX_TRY_ERROR) return false;
    bool good = is == GX_TRY_YES && gx_as_str(given)->length == 1;
    if (good) *out = gx_as_str(given)->text[0];
    if (is == GX_TRY_YES) gx_drop(given);
    return good || gx_fail(c->rt, GX_TypeError, "str.fill",
                           "%s() argument 2 must be a byte string of length 1, not %s",
                           c->fn->name, gx_type_name(c->argv[2]));
}

static bool padded(gx_call *c, int64_t before, int64_t after, gx_value *out) {
    gx_str *s = self(c);
    char fill;
    if (!fill_of(c, &fill)) return false;
    if (before + after <= 0) return gx_plain_value(c->rt, c->argv[0], out);
    gx_str *r = gx_str_raw(c->rt, gx_core_types[GX_BYTES], s->length + (size_t)(before + after), 0);
    if (!r) return false;
    memset(r->text, fill, (size_t)before);
    memcpy(r->text + before, s->text, s->length);
    memset(r->text + (size_t)before + s->length, fill, (size_t)after);
    *out = gx_object(&r->obj);
    return true;
}

static bool ljust(gx_call *c, gx_value *out) {
    int64_t w, n;
    return missing(c, &w, &n) && padded(c, 0, n, out);
}
static bool rjust(gx_call *c, gx_value *out) {
    int64_t w, n;
    return missing(c, &w, &n) && padded(c, n, 0, out);
}
static bool center(gx_call *c, gx_value *out) {
    int64_t w, n;
    if (!missing(c, &w, &n)) return false;
    int64_t left = n / 2 + (n & w & 1); /* Python's choice for an odd rest */
    return padded(c, left, n - left, out);
}

static bool zfill(gx_call *c, gx_value *out) {
    gx_str *s = self(c);
    int64_t w, n;
    if (!missing(c, &w, &n)) return false;
    gx_buf b = gx_buf_new(c->rt);
    size_t sign = s->length && (s->text[0] == '+' || s->text[0] == '-');
    bool ok = gx_buf_add(&b, s->text, sign) && gx_buf_fill(&b, '0', (size_t)n) &&
              gx_buf_add(&b, s->text + sign, s->length - sign);
    return take(c, &b, ok, out);
}

static bool expandtabs(gx_call *c, gx_value *out) {
    gx_str *s = self(c);
    gx_buf b = gx_buf_new(c->rt);
    int64_t size;
    if (!gx_arg_int(c, 1, &size)) return false;
    return take(c, &b, gx_text_expand_tabs(s, size, &b), out);
}

/* --- tables of bytes -------------------------------------------------------------------------- */

static bool translate(gx_call *c, gx_value *out) {
    gx_str *s = self(c);
    gx_value table = gx_undef(), drop = gx_undef();
    bool gone[256] = {false};
    if (c->argv[1].tag != GX_NONE) {
        if (!bytes_arg(c, 1, &table)) return false;
        if (gx_as_str(table)->length != 256) {
            gx_drop(table);
            return gx_fail(c->rt, GX_ValueError, "str.translate",
                           "translation table must be 256 characters long");
        }
    }
    if (gx_arg_given(c, 2) && !bytes_arg(c, 2, &drop)) {
        gx_drop(table);
        return false;
    }
    for (size_t i = 0; drop.tag != GX_UNDEF && i < gx_as_str(drop)->length; i++)
        gone[(unsigned char)gx_as_str(drop)->text[i]] = true;
    gx_buf b = gx_buf_new(c->rt);
    bool ok = true;
    for (size_t i = 0; ok && i < s->length; i++) {
        const unsigned char byte = (unsigned char)s->text[i];
        if (gone[byte]) continue;
        ok = gx_buf_char(&b, table.tag == GX_UNDEF ? (char)byte : gx_as_str(table)->text[byte]);
    }
    gx_drop(table);
    gx_drop(drop);
    return take(c, &b, ok, out);
}

bool gx_bytes_maketrans(gx_call *c, gx_value *out) {
    gx_value from, to;
    char table[256];
    for (int i = 0; i < 256; i++) table[i] = (char)i;
    if (!bytes_arg(c, 0, &from)) return false;
    bool ok = bytes_arg(c, 1, &to);
    if (ok) {
        ok = gx_as_str(from)->length == gx_as_str(to)->length ||
             gx_fail(c->rt, GX_ValueError, "str.maketrans",
                     "maketrans arguments must have same length");
        for (size_t i = 0; ok && i < gx_as_str(from)->length; i++)
            table[(unsigned char)gx_as_str(from)->text[i]] = gx_as_str(to)->text[i];
        gx_drop(to);
    }
    gx_drop(from);
    return ok && gx_bytes_new(c->rt, table, sizeof table, out);
}

/* --- the tables ------------------------------------------------------------------------------- */

const gx_native gx_bytes_statics[] = {
    {"fromhex", "fromhex(string, /)", "Bytes from hexadecimal digits.",
     "bytes.fromhex('0a ff')  # b'\\n\\xff'", from_hex, 0, 0},
    {"maketrans", "maketrans(from, to, /)", "A table for translate.",
     "b'abc'.translate(bytes.maketrans(b'ab', b'xy'))  # b'xyc'", gx_bytes_maketrans,
     0, 0},
    {0},
};

const gx_native gx_bytes_methods[] = {
    {"decode", "decode(self, /, encoding='utf-8', errors='strict')", "The text.",
     "b'ab'.decode()  # 'ab'", decode, 0, 0},
    {"hex", "hex(self, sep=<no value>, bytes_per_sep=1)", "Hexadecimal digits.",
     "b'\\x0a'.hex()  # '0a'", hex, 0, 0},
    {"split", "split(self, /, sep=None, maxsplit=-1)", "The parts between separators.", NULL,
     gx_text_split, 0, 0},
    {"rsplit", "rsplit(self, /, sep=None, maxsplit=-1)", "As split, from the end.", NULL,
     gx_text_rsplit, 0, 0},
    {"splitlines", "splitlines(self, /, keepends=False)", "The lines.", NULL, gx_text_splitlines, 0,
     0},
    {"partition", "partition(self, sep, /)", "Before, separator, behind.", NULL, gx_text_partition,
     0, 0},
    {"rpartition", "rpartition(self, sep, /)", "As partition, at the last.", NULL,
     gx_text_rpartition, 0, 0},
    {"join", "join(self, iterable, /)", "The bytes of an iterable with self between.", NULL,
     gx_text_join, 0, 0},
    {"strip", "strip(self, bytes=None, /)", "Without white space at both ends.", NULL,
     gx_text_strip, 0, 0},
    {"lstrip", "lstrip(self, bytes=None, /)", "As strip, at the start.", NULL, gx_text_lstrip, 0,
     0},
    {"rstrip", "rstrip(self, bytes=None, /)", "As strip, at the end.", NULL, gx_text_rstrip, 0, 0},
    {"replace", "replace(self, old, new, count=-1, /)", "With old replaced by new.", NULL,
     gx_text_replace, 0, 0},
    {"find", "find(self, sub, start=None, end=None, /)", "Where sub stands first, or -1.", NULL,
     gx_text_find, 0, 0},
    {"rfind", "rfind(self, sub, start=None, end=None, /)", "Where sub stands last, or -1.", NULL,
     gx_text_rfind, 0, 0},
    {"index", "index(self, sub, start=None, end=None, /)", "As find; ValueError.", NULL,
     gx_text_index, 0, 0},
    {"rindex", "rindex(self, sub, start=None, end=None, /)", "As rfind; ValueError.", NULL,
     gx_text_rindex, 0, 0},
    {"count", "count(self, sub, start=None, end=None, /)", "How often sub stands.", NULL,
     gx_text_count, 0, 0},
    {"startswith", "startswith(self, prefix, start=None, end=None, /)", "Begins so?", NULL,
     gx_text_startswith, 0, 0},
    {"endswith", "endswith(self, suffix, start=None, end=None, /)", "Ends so?", NULL,
     gx_text_endswith, 0, 0},
    {"removeprefix", "removeprefix(self, prefix, /)", "Without a prefix.", NULL,
     gx_text_removeprefix, 0, 0},
    {"removesuffix", "removesuffix(self, suffix, /)", "Without a suffix.", NULL,
     gx_text_removesuffix, 0, 0},
    {"upper", "upper(self, /)", "ASCII letters as capitals.", NULL, upper, 0, 0},
    {"lower", "lower(self, /)", "ASCII letters small.", NULL, lower, 0, 0},
    {"swapcase", "swapcase(self, /)", "Capitals and small letters exchanged.", NULL, swapcase, 0,
     0},
    {"title", "title(self, /)", "Each word with a capital.", "b'a word'.title()  # b'A Word'",
     title, 0, 0},
    {"capitalize", "capitalize(self, /)", "The first letter a capital, the others small.", NULL,
     capitalize, 0, 0},
    {"center", "center(self, width, fillchar=<no value>, /)", "Centred in a width.", NULL, center,
     0, 0},
    {"ljust", "ljust(self, width, fillchar=<no value>, /)", "At the left of a width.", NULL, ljust,
     0, 0},
    {"rjust", "rjust(self, width, fillchar=<no value>, /)", "At the right of a width.", NULL, rjust,
     0, 0},
    {"zfill", "zfill(self, width, /)", "Padded with zeros behind the sign.",
     "b'-7'.zfill(4)  # b'-007'", zfill, 0, 0},
    {"expandtabs", "expandtabs(self, /, tabsize=8)", "Tabs replaced by spaces.", NULL, expandtabs,
     0, 0},
    {"translate", "translate(self, table, /, delete=<no value>)",
     "Each byte replaced through a table of 256, some left out.",
     "b'hello'.translate(None, b'l')  # b'heo'", translate, 0, 0},
    {"isdigit", "isdigit(self, /)", "All digits?", "b'12'.isdigit()  # True", isdigit_, 0, 0},
    {"isalpha", "isalpha(self, /)", "All ASCII letters?", NULL, isalpha_, 0, 0},
    {"isalnum", "isalnum(self, /)", "All ASCII letters or digits?", NULL, isalnum_, 0, 0},
    {"isspace", "isspace(self, /)", "All white space?", NULL, isspace_, 0, 0},
    {"isupper", "isupper(self, /)", "No small letters, and a capital?", NULL, isupper_, 0, 0},
    {"islower", "islower(self, /)", "No capitals, and a small letter?", NULL, islower_, 0, 0},
    {"istitle", "istitle(self, /)", "Each word with a capital?", NULL, istitle_, 0, 0},
    {"isascii", "isascii(self, /)", "All ASCII?", NULL, isascii_, 0, 0},
    {"__bytes__", "__bytes__(self, /)", "The bytes themselves.", NULL, as_bytes, 0, 0},
    {0},
};
