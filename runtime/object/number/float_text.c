/* Text that float() and complex() read: digits, inf, nan. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/number/int_ops.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str_int.h"

static bool word_is(const char *p, const char *end, const char *word) {
    size_t n = strlen(word);
    if ((size_t)(end - p) != n) return false;
    for (size_t i = 0; i < n; i++)
        if (tolower((unsigned char)p[i]) != word[i]) return false;
    return true;
}

/* Digits with single underscores between digits; copies them without the underscores. */
static bool plain_number(const char *p, const char *end, gx_buf *out, bool *memory) {
    bool digit = false, dot = false, exponent = false, any = false;
    *memory = false;
    for (const char *q = p; q < end; q++) {
        bool is_digit = *q >= '0' && *q <= '9';
        if (*q == '_') {
            if (!digit || q + 1 == end || q[1] < '0' || q[1] > '9') return false;
            digit = false;
            continue;
        }
        if (is_digit) any = true;
        else if (*q == '.' && !dot && !exponent) dot = true;
        else if ((*q == 'e' || *q == 'E') && any && !exponent) exponent = true, any = false;
        else if (!((*q == '+' || *q == '-') && (q == p || q[-1] == 'e' || q[-1] == 'E')))
            return false;
        digit = is_digit;
        if (!gx_buf_char(out, *q)) {
            *memory = true;
            return false;
        }
    }
    return any;
}

gx_try gx_float_parse(gx_rt *rt, const char *p, const char *end, double *out) {
    const char *start = p;
    if (p < end && (*p == '+' || *p == '-')) p++;
    double sign = start < p && *start == '-' ? -1 : 1;
    if (word_is(p, end, "inf") || word_is(p, end, "infinity")) {
        *out = sign * HUGE_VAL;
        return GX_TRY_YES;
    }
    if (word_is(p, end, "nan")) {
        *out = sign < 0 ? -(double)NAN : (double)NAN;
        return GX_TRY_YES;
    }
    gx_buf b = gx_buf_new(rt);
    bool memory, ok = plain_number(start, end, &b, &memory);
    if (ok) *out = strtod(gx_buf_text(&b), NULL);
    gx_buf_free(&b);
    return ok ? GX_TRY_YES : memory ? GX_TRY_ERROR : GX_TRY_NO;
}
