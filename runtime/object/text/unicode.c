/* Properties of code points: letters, digits, spaces, case. ASCII is answered directly, the rest by
   a search in the ranges of unicode.def. Case maps one code point to one, except for those that
   are written out. */
#include <stddef.h>
#include <string.h>

#include "runtime/object/text/str_int.h"

typedef struct range {
    uint32_t first, last;
} range;
typedef struct stepped {
    uint32_t first, last, step;
} stepped;
typedef struct mapping {
    uint32_t first, last, step;
    int32_t distance;
} mapping;

#define ROW2(first, last) {first, last},
#define ROW3(first, last, step) {first, last, step},
#define ROW4(first, last, step, distance) {first, last, step, distance},

static const range alpha[] = {
#define GX_ALPHA ROW2
#include "runtime/object/text/unicode.def"
#undef GX_ALPHA
};
static const range space[] = {
#define GX_SPACE ROW2
#include "runtime/object/text/unicode.def"
#undef GX_SPACE
};
static const range printable[] = {
#define GX_PRINTABLE ROW2
#include "runtime/object/text/unicode.def"
#undef GX_PRINTABLE
};
static const range numeric[] = {
#define GX_NUMERIC ROW2
#include "runtime/object/text/unicode.def"
#undef GX_NUMERIC
};
static const range digit[] = {
#define GX_DIGIT ROW2
#include "runtime/object/text/unicode.def"
#undef GX_DIGIT
};
static const range decimal[] = {
#define GX_DECIMAL ROW2
#include "runtime/object/text/unicode.def"
#undef GX_DECIMAL
};
static const range title[] = {
#define GX_TITLE ROW2
#include "runtime/object/text/unicode.def"
#undef GX_TITLE
};
static const range ignorable[] = {
#define GX_IGNORABLE ROW2
#include "runtime/object/text/unicode.def"
#undef GX_IGNORABLE
};
static const range identifier[] = {
#define GX_IDENTIFIER ROW2
#include "runtime/object/text/unicode.def"
#undef GX_IDENTIFIER
};
static const range identifier_start[] = {
#define GX_IDENTIFIER_START ROW2
#include "runtime/object/text/unicode.def"
#undef GX_IDENTIFIER_START
};
static const stepped upper[] = {
#define GX_UPPER ROW3
#include "runtime/object/text/unicode.def"
#undef GX_UPPER
};
static const stepped lower[] = {
#define GX_LOWER ROW3
#include "runtime/object/text/unicode.def"
#undef GX_LOWER
};
static const mapping to_upper[] = {
#define GX_TO_UPPER ROW4
#include "runtime/object/text/unicode.def"
#undef GX_TO_UPPER
};
static const mapping to_lower[] = {
#define GX_TO_LOWER ROW4
#include "runtime/object/text/unicode.def"
#undef GX_TO_LOWER
};

typedef struct written {
    uint32_t code;
    const char *upper, *lower, *title, *folded;
} written;
static const written written_out[] = {
#define GX_WRITTEN(code, upper, lower, title, folded) {code, upper, lower, title, folded},
#include "runtime/object/text/unicode.def"
#undef GX_WRITTEN
};

/* The last row of n whose first code point is not above c, or NULL; rows begin with `first`. */
static const void *row_of(const void *rows, size_t n, size_t bytes, uint32_t c) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (*(const uint32_t *)((const char *)rows + middle * bytes) <= c) low = middle + 1;
        else high = middle;
    }
    return low ? (const char *)rows + (low - 1) * bytes : NULL;
}
#define ROW_OF(table, c) row_of(table, sizeof table / sizeof *table, sizeof *table, c)

static bool in_ranges(const range *r, uint32_t c) {
    return r && c <= r->last;
}
static bool in_steps(const stepped *r, uint32_t c) {
    return r && c <= r->last && (c - r->first) % r->step == 0;
}
static bool ascii_between(uint32_t c, char first, char last) {
    return c >= (uint32_t)first && c <= (uint32_t)last;
}

bool gx_code_alpha(uint32_t c) {
    if (c < 128) return ascii_between(c | 32, 'a', 'z');
    return in_ranges(ROW_OF(alpha, c), c);
}
bool gx_code_decimal(uint32_t c) {
    return c < 128 ? ascii_between(c, '0', '9') : in_ranges(ROW_OF(decimal, c), c);
}
bool gx_code_digit(uint32_t c) {
    return c < 128 ? ascii_between(c, '0', '9') : in_ranges(ROW_OF(digit, c), c);
}
bool gx_code_numeric(uint32_t c) {
    return c < 128 ? ascii_between(c, '0', '9') : in_ranges(ROW_OF(numeric, c), c);
}
bool gx_code_space(uint32_t c) {
    if (c < 128) return c == ' ' || ascii_between(c, '\t', '\r') || ascii_between(c, 28, 31);
    return in_ranges(ROW_OF(space, c), c);
}
bool gx_code_printable(uint32_t c) {
    return c < 128 ? ascii_between(c, ' ', '~') : in_ranges(ROW_OF(printable, c), c);
}
bool gx_code_upper(uint32_t c) {
    return c < 128 ? ascii_between(c, 'A', 'Z') : in_steps(ROW_OF(upper, c), c);
}
bool gx_code_lower(uint32_t c) {
    return c < 128 ? ascii_between(c, 'a', 'z') : in_steps(ROW_OF(lower, c), c);
}

bool gx_code_title(uint32_t c) {
    return c >= 128 && in_ranges(ROW_OF(title, c), c);
}
bool gx_code_cased(uint32_t c) {
    return gx_code_upper(c) || gx_code_lower(c) || gx_code_title(c);
}
bool gx_code_ignorable(uint32_t c) {
    if (c < 128) return c && strchr("'.:^`", (int)c);
    return in_ranges(ROW_OF(ignorable, c), c);
}
bool gx_code_identifier(uint32_t c, bool first) {
    if (c < 128) return c == '_' || gx_code_alpha(c) || (!first && gx_code_decimal(c));
    return first ? in_ranges(ROW_OF(identifier_start, c), c) : in_ranges(ROW_OF(identifier, c), c);
}

static uint32_t map(const mapping *m, uint32_t c) {
    if (!m || c > m->last || (c - m->first) % m->step != 0) return c;
    return (uint32_t)((int32_t)c + m->distance);
}
static uint32_t to_upper_of(uint32_t c) {
    if (c < 128) return ascii_between(c, 'a', 'z') ? c - 32 : c;
    return map(ROW_OF(to_upper, c), c);
}
static uint32_t to_lower_of(uint32_t c) {
    if (c < 128) return ascii_between(c, 'A', 'Z') ? c + 32 : c;
    return map(ROW_OF(to_lower, c), c);
}

bool gx_code_convert(uint32_t c, gx_letter to, gx_buf *out) {
    const written *w = c < 128 ? NULL : ROW_OF(written_out, c);
    if (w && w->code == c)
        return gx_buf_puts(out, to == GX_LETTER_UPPER ? w->upper
                                : to == GX_LETTER_LOWER ? w->lower
                                : to == GX_LETTER_TITLE ? w->title
                                                    : w->folded);
    return gx_buf_code(out, to == GX_LETTER_UPPER || to == GX_LETTER_TITLE ? to_upper_of(c)
                                                                   : to_lower_of(c));
}

/* The one letter that a letter becomes, where one says it; c where there are several. */
static uint32_t one_letter(uint32_t c, bool upwards) {
    const written *w = c < 128 ? NULL : ROW_OF(written_out, c);
    int bytes;
    if (!w || w->code != c) return upwards ? to_upper_of(c) : to_lower_of(c);
    const char *text = upwards ? w->upper : w->lower;
    const uint32_t first = gx_utf8_decode(text, &bytes);
    return upwards && text[bytes] ? c : first; /* U+0130 alone has two lower ones: i and a dot */
}

uint32_t gx_code_caseless(uint32_t c) {
    if (c < 128) return ascii_between(c, 'A', 'Z') ? c + 32 : c;
    c = one_letter(one_letter(one_letter(c, false), true), false);
    /* Twins whose upper case is the same text of several letters. */
    return c == 0x1fd3 ? 0x390 : c == 0x1fe3 ? 0x3b0 : c == 0xfb05 ? 0xfb06 : c;
}

int gx_code_digit_value(uint32_t c) {
    if (c < 128) return ascii_between(c, '0', '9') ? (int)c - '0' : -1;
    const range *r = ROW_OF(decimal, c);
    /* Decimal digits come in tens from 0 on. */
    return in_ranges(r, c) ? (int)((c - r->first) % 10) : -1;
}
