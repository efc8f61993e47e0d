/* Names are looked for from the start of the text to its end, a third of a millisecond: lines of
   code points say only in what they differ from the line above. */
#include "runtime/base/unicode/unicode.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 128, HANGUL = 0xAC00, SYLLABLES = 11172, VOWELS = 21, TAILS = 28 };

static const char hangul[] = "HANGUL SYLLABLE ";
static const char *const first[] = {"G",  "GG", "N", "D",  "DD", "R", "M", "B", "BB", "S",
                                    "SS", "",   "J", "JJ", "C",  "K", "T", "P", "H"};
static const char *const middle[VOWELS] = {"A",   "AE", "YA", "YAE", "EO", "E",  "YEO",
                                           "YE",  "O",  "WA", "WAE", "OE", "YO", "U",
                                           "WEO", "WE", "WI", "YU",  "EU", "YI", "I"};
static const char *const tail[TAILS] = {"",   "G",  "GG", "GS", "N",  "NJ", "NH", "D", "L",  "LG",
                                        "LM", "LB", "LS", "LT", "LP", "LH", "M",  "B", "BS", "S",
                                        "SS", "NG", "J",  "C",  "K",  "T",  "P",  "H"};

/* The text, which ends in a zero; NULL: an error. */
static const char *names(gx_rt *rt) {
    const gx_compressed *c = gx_unicode_names;
    if (rt->unicode_names) return rt->unicode_names;
    char *text = gx_alloc(rt, c->length + 1);
    if (!text) return NULL;
    if (!gx_decompress(c, text)) {
        gx_free(rt, text);
        gx_fail(rt, GX_RuntimeError, "internal.library", "the names of Unicode are damaged");
        return NULL;
    }
    text[c->length] = '\0';
    return rt->unicode_names = text;
}

static const char *line_end(const char *p) {
    const char *end = strchr(p, '\n');
    return end ? end : p + strlen(p);
}

/* The part behind the empty line behind p. */
static const char *next_part(const char *p) {
    for (; *p && *p != '\n'; p = line_end(p), p += *p == '\n') {
    }
    return *p ? p + 1 : p;
}

/* --- names that end in digits, and Hangul ----------------------------------------------------- */

typedef struct numbered {
    uint32_t from, to;
    const char *prefix;
    size_t length;
} numbered;

static const char *read_numbered(const char *p, numbered *out) {
    char *at;
    out->from = (uint32_t)strtoul(p, &at, 16);
    out->to = (uint32_t)strtoul(at, &at, 16);
    out->prefix = at + 1;
    const char *end = line_end(at);
    out->length = (size_t)(end - out->prefix);
    return end + 1;
}

/* The code point of a name that ends in its digits; 0: it does not. */
static uint32_t by_digits(const char *text, const char *name, size_t length) {
    numbered row;
    for (const char *p = text; *p != '\n';) {
        p = read_numbered(p, &row);
        if (length < row.length + 4 || length > row.length + 5) continue;
        if (memcmp(name, row.prefix, row.length) != 0) continue;
        size_t digits = strspn(name + row.length, "0123456789ABCDEF");
        uint32_t code = (uint32_t)strtoul(name + row.length, NULL, 16);
        bool whole = row.length + digits == length;
        if (whole && code >= row.from && code <= row.to) return code;
    }
    return 0;
}

/* The longest of n texts that p begins with; *at moves behind it. */
static int longest(const char *const *texts, int n, const char **at) {
    int best = -1;
    size_t most = 0;
    for (int i = 0; i < n; i++) {
        size_t length = strlen(texts[i]);
        if (strncmp(*at, texts[i], length) != 0 || (best >= 0 && length <= most)) continue;
        best = i;
        most = length;
    }
    if (best >= 0) *at += most;
    return best;
}

static uint32_t by_syllable(const char *name) {
    enum { FIRSTS = sizeof first / sizeof *first };
    if (strncmp(name, hangul, sizeof hangul - 1) != 0) return 0;
    const char *p = name + sizeof hangul - 1;
    int l = longest(first, FIRSTS, &p), v = longest(middle, VOWELS, &p);
    int t = longest(tail, TAILS, &p);
    return l < 0 || v < 0 || *p ? 0 : (uint32_t)(HANGUL + (l * VOWELS + v) * TAILS + t);
}

/* --- aliases and sequences -------------------------------------------------------------------- */

static int by_alias(const char *p, const char *name, size_t length, uint32_t *codes) {
    for (; *p && *p != '\n'; p = line_end(p) + 1) {
        if (strncmp(p, name, length) != 0 || p[length] != '=') continue;
        int n = 0;
        char *at = (char *)(uintptr_t)(p + length + 1);
        for (; n < GX_UNICODE_MOST && *at != '\n'; n++) codes[n] = (uint32_t)strtoul(at, &at, 16);
        return n;
    }
    return 0;
}

/* --- all others ------------------------------------------------------------------------------- */

typedef struct walk {
    const char *p;
    char name[LONGEST];
    size_t length;
    uint32_t code;
} walk;

/* The next name; false: there is none. */
static bool step(walk *w) {
    if (!*w->p || *w->p == '\n') return false;
    const char *end = line_end(w->p), *equals = memchr(w->p + 1, '=', (size_t)(end - w->p - 1));
    size_t shared = (size_t)(*w->p - '!'), n = (size_t)((equals ? equals : end) - w->p - 1);
    if (shared + n >= LONGEST) return false;
    memcpy(w->name + shared, w->p + 1, n);
    w->length = shared + n;
    w->code += equals ? (uint32_t)strtoul(equals + 1, NULL, 16) : 1;
    w->p = end + 1;
    return true;
}

bool gx_unicode_named(gx_rt *rt, const char *name, size_t length, uint32_t *codes, int *count) {
    char upper[LONGEST];
    const char *text = names(rt);
    *count = 0;
    if (!text) return false;
    if (length >= LONGEST || !length || memchr(name, '=', length) || memchr(name, '\n', length))
        return true;
    for (size_t i = 0; i < length; i++) {
        char c = name[i];
        upper[i] = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    }
    upper[length] = '\0';
    codes[0] = by_syllable(upper);
    if (!codes[0]) codes[0] = by_digits(text, upper, length);
    *count = codes[0] != 0;
    if (*count) return true;
    const char *aliases = next_part(text);
    *count = by_alias(aliases, upper, length, codes);
    walk w = {.p = next_part(aliases), .code = UINT32_MAX};
    while (!*count && step(&w)) {
        if (w.length != length || memcmp(w.name, upper, length) != 0) continue;
        codes[0] = w.code;
        *count = 1;
    }
    return true;
}

bool gx_unicode_name(gx_rt *rt, uint32_t code, gx_buf *out) {
    numbered row;
    const char *text = names(rt);
    if (!text) return false;
    if (code >= HANGUL && code < HANGUL + SYLLABLES) {
        uint32_t i = code - HANGUL;
        return gx_buf_printf(out, "%s%s%s%s", hangul, first[i / (VOWELS * TAILS)],
                             middle[i / TAILS % VOWELS], tail[i % TAILS]);
    }
    for (const char *p = text; *p != '\n';) {
        p = read_numbered(p, &row);
        if (code >= row.from && code <= row.to)
            return gx_buf_printf(out, "%.*s%04X", (int)row.length, row.prefix, code);
    }
    walk w = {.p = next_part(next_part(text)), .code = UINT32_MAX};
    while (step(&w) && w.code < code) {
    }
    return w.code != code || gx_buf_add(out, w.name, w.length);
}
