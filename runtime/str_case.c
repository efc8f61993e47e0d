/* Methods of str about letters: case conversion and the is… questions. */
#include <string.h>

#include "runtime/str_int.h"
#include "runtime/work.h"

enum { SHARP_S = 0xDF };

typedef enum how { UPPER, LOWER, FOLD, SWAP, TITLE, CAPITALIZE } how;

/* One code point converted; `inside`: the one before was a letter. */
static bool put(gx_buf *out, uint32_t c, how h, bool inside, bool first) {
    bool up = h == UPPER || (h == SWAP && gx_code_lower(c)) || (h == TITLE && !inside) ||
              (h == CAPITALIZE && first);
    if (h == SWAP && !gx_code_lower(c) && !gx_code_upper(c)) return gx_buf_code(out, c);
    if (c == SHARP_S) {
        if (h == FOLD) return gx_buf_puts(out, "ss");
        if (up) return gx_buf_puts(out, h == UPPER || h == SWAP ? "SS" : "Ss");
    }
    return gx_buf_code(out, up ? gx_code_to_upper(c) : gx_code_to_lower(c));
}

static bool convert(gx_call *c, how h, gx_value *out) {
    gx_str *s = gx_as_str(c->argv[0]);
    gx_buf b = gx_buf_new(c->rt);
    bool ok = gx_buf_reserve(&b, s->length + 1), inside = false;
    for (size_t i = 0; ok && i < s->length && !gx_work_stops(c->rt);) {
        int n = 1;
        uint32_t code = (unsigned char)s->text[i];
        if (code >= 128) code = gx_utf8_decode(s->text + i, &n);
        ok = put(&b, code, h, inside, i == 0);
        inside = gx_code_upper(code) || gx_code_lower(code);
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
        none = !other(code);
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
        bool up = gx_code_upper(code), low = gx_code_lower(code);
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
        good = code == '_' || gx_code_alpha(code) || (i > 0 && gx_code_decimal(code));
        i += (size_t)n;
    }
    *out = gx_bool(good);
    return true;
}
