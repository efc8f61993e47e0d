/* Methods of str about letters: case conversion and the is… questions. */
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/object/text/str_int.h"

enum { CAPITAL_SIGMA = 0x3A3, FINAL_SIGMA = 0x3C2 };

typedef enum how { UPPER, LOWER, FOLD, SWAP, TITLE, CAPITALIZE } how;

/* Is the capital sigma at i the last letter of a word? */
static bool is_final(const gx_str *s, size_t i) {
    int n;
    uint32_t code = 0;
    bool letter = false;
    for (size_t at = i; at > 0;) {
        do at--;
        while (((unsigned char)s->text[at] & 0xC0) == 0x80);
        code = gx_utf8_decode(s->text + at, &n);
        if (gx_code_ignorable(code)) continue;
        letter = gx_code_cased(code);
        break;
    }
    if (!letter) return false;
    for (size_t at = i + 2; at < s->length; at += (size_t)n) {
        code = gx_utf8_decode(s->text + at, &n);
        if (!gx_code_ignorable(code)) return !gx_code_cased(code);
    }
    return true;
}

static gx_letter letter_for(uint32_t c, how h, bool inside, bool first) {
    switch (h) {
    case UPPER: return GX_LETTER_UPPER;
    case FOLD: return GX_LETTER_FOLDED;
    case SWAP: return gx_code_lower(c) ? GX_LETTER_UPPER : GX_LETTER_LOWER;
    case TITLE: return inside ? GX_LETTER_LOWER : GX_LETTER_TITLE;
    case CAPITALIZE: return first ? GX_LETTER_TITLE : GX_LETTER_LOWER;
    case LOWER: break;
    }
    return GX_LETTER_LOWER;
}

static inline char ascii_letter(char code, how h, bool inside, bool first) {
    bool upper = code >= 'A' && code <= 'Z', lower = code >= 'a' && code <= 'z';
    bool raise = h == UPPER || h == SWAP || (h == TITLE && !inside) || (h == CAPITALIZE && first);
    if (lower && raise) return (char)(code - 'a' + 'A');
    if (upper && (h == SWAP || !raise)) return (char)(code - 'A' + 'a');
    return code;
}

/* The same for a text of ASCII, whose length stays. */
static bool convert_ascii(gx_call *c, const gx_str *s, how h, gx_value *out) {
    enum { AT_ONCE = 1 << 16 };
    gx_str *r = gx_str_raw(c->rt, &gx_type_str, s->length, 0);
    if (!r) return false;
    bool inside = false;
    for (size_t i = 0; i < s->length && !gx_work_stops(c->rt);) {
        size_t stop = s->length - i < AT_ONCE ? s->length : i + AT_ONCE;
        for (; i < stop; i++) {
            r->text[i] = ascii_letter(s->text[i], h, inside, i == 0);
            char low = (char)(s->text[i] | 0x20);
            inside = low >= 'a' && low <= 'z';
        }
    }
    *out = gx_object(&r->obj);
    if (gx_work_end(c->rt)) return true;
    gx_drop(gx_steal(out));
    return false;
}

static bool convert(gx_call *c, how h, gx_value *out) {
    gx_str *s = gx_as_str(c->argv[0]);
    if (gx_str_ascii(s) && s->length > 1) return convert_ascii(c, s, h, out);
    gx_buf b = gx_buf_new(c->rt);
    bool ok = gx_buf_reserve(&b, s->length + 1), inside = false;
    for (size_t i = 0; ok && i < s->length && !gx_work_stops(c->rt);) {
        int n = 1;
        uint32_t code = (unsigned char)s->text[i];
        if (code >= 128) code = gx_utf8_decode(s->text + i, &n);
        gx_letter to = letter_for(code, h, inside, i == 0);
        if (h == SWAP && !gx_code_lower(code) && !gx_code_upper(code))
            ok = gx_buf_add(&b, s->text + i, (size_t)n);
        else if (code == CAPITAL_SIGMA && to == GX_LETTER_LOWER && is_final(s, i))
            ok = gx_buf_code(&b, FINAL_SIGMA);
        else
            ok = gx_code_convert(code, to, &b);
        inside = h == TITLE && gx_code_cased(code);
        i += (size_t)n;
    }
    ok = ok && gx_work_end(c->rt);
    if (ok) return gx_str_take(&b, out);
    gx_buf_free(&b);
    return false;
}

bool gx_str_upper(gx_call *c, gx_value *out) {
    return convert(c, UPPER, out);
}
bool gx_str_lower(gx_call *c, gx_value *out) {
    return convert(c, LOWER, out);
}
bool gx_str_casefold(gx_call *c, gx_value *out) {
    return convert(c, FOLD, out);
}
bool gx_str_swapcase(gx_call *c, gx_value *out) {
    return convert(c, SWAP, out);
}
bool gx_str_title(gx_call *c, gx_value *out) {
    return convert(c, TITLE, out);
}
bool gx_str_capitalize(gx_call *c, gx_value *out) {
    return convert(c, CAPITALIZE, out);
}

/* --- questions -------------------------------------------------------------------------------- */

/* Is there a code point, and do all satisfy the question? */
static bool all(gx_call *c, bool (*question)(uint32_t), gx_value *out) {
    gx_str *s = gx_as_str(c->argv[0]);
    bool yes = s->length > 0;
    for (size_t i = 0; yes && i < s->length && !gx_work_stops(c->rt);) {
        int n;
        yes = question(gx_utf8_decode(s->text + i, &n));
        i += (size_t)n;
    }
    *out = gx_bool(yes);
    return true;
}

static bool alnum(uint32_t c) {
    return gx_code_alpha(c) || gx_code_numeric(c);
}

bool gx_str_isalpha(gx_call *c, gx_value *out) {
    return all(c, gx_code_alpha, out);
}
bool gx_str_isalnum(gx_call *c, gx_value *out) {
    return all(c, alnum, out);
}
bool gx_str_isdigit(gx_call *c, gx_value *out) {
    return all(c, gx_code_digit, out);
}
bool gx_str_isdecimal(gx_call *c, gx_value *out) {
    return all(c, gx_code_decimal, out);
}
bool gx_str_isnumeric(gx_call *c, gx_value *out) {
    return all(c, gx_code_numeric, out);
}
bool gx_str_isspace(gx_call *c, gx_value *out) {
    return all(c, gx_code_space, out);
}
bool gx_str_isprintable(gx_call *c, gx_value *out) {
    if (gx_as_str(c->argv[0])->length > 0) return all(c, gx_code_printable, out);
    *out = gx_bool(true);
    return true;
}
bool gx_str_isascii(gx_call *c, gx_value *out) {
    *out = gx_bool(gx_str_ascii(gx_as_str(c->argv[0])));
    return true;
}

/* At least one letter with case, and none of the other case. */
static bool one_case(gx_call *c, bool (*wanted)(uint32_t), bool (*other)(uint32_t), gx_value *out) {
    gx_str *s = gx_as_str(c->argv[0]);
    bool any = false, none = true;
    for (size_t i = 0; none && i < s->length && !gx_work_stops(c->rt);) {
        int n;
        uint32_t code = gx_utf8_decode(s->text + i, &n);
        any = any || wanted(code);
        none = !other(code) && !gx_code_title(code);
        i += (size_t)n;
    }
    *out = gx_bool(any && none);
    return true;
}

bool gx_str_isupper(gx_call *c, gx_value *out) {
    return one_case(c, gx_code_upper, gx_code_lower, out);
}
bool gx_str_islower(gx_call *c, gx_value *out) {
    return one_case(c, gx_code_lower, gx_code_upper, out);
}

bool gx_str_istitle(gx_call *c, gx_value *out) {
    gx_str *s = gx_as_str(c->argv[0]);
    bool any = false, good = true, inside = false;
    for (size_t i = 0; good && i < s->length && !gx_work_stops(c->rt);) {
        int n;
        uint32_t code = gx_utf8_decode(s->text + i, &n);
        bool up = gx_code_upper(code) || gx_code_title(code), low = gx_code_lower(code);
        good = !(up && inside) && !(low && !inside);
        any = any || up || low;
        inside = up || low;
        i += (size_t)n;
    }
    *out = gx_bool(any && good);
    return true;
}

bool gx_str_isidentifier(gx_call *c, gx_value *out) {
    gx_str *s = gx_as_str(c->argv[0]);
    bool good = s->length > 0;
    for (size_t i = 0; good && i < s->length && !gx_work_stops(c->rt);) {
        int n;
        uint32_t code = gx_utf8_decode(s->text + i, &n);
        good = gx_code_identifier(code, i == 0);
        i += (size_t)n;
    }
    *out = gx_bool(good);
    return true;
}
