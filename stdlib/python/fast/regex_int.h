/* Patterns of re: a program for a small matcher that goes back where it must.
   stdlib/python/everyday/re.gx reads patterns and writes the programs. */
#ifndef GX_STDLIB_PYTHON_FAST_REGEX_INT_H
#define GX_STDLIB_PYTHON_FAST_REGEX_INT_H

#include "runtime/object/native.h"
#include "runtime/object/text/str.h"

/* X(name, operands): addresses are places in the program. */
#define GX_REGEX_OPS(X)                                                                            \
    X(MATCH, 0)                                                                                    \
    X(FAIL, 0)                                                                                     \
    X(CHAR, 1)   /* one character: the five that ONE may repeat */                                 \
    X(CHARI, 1)  /* of either case: the caseless form */                                           \
    X(ANY, 0)    /* but a newline */                                                               \
    X(ALL, 0)                                                                                      \
    X(SET, 1)                                                                                      \
    X(BOS, 0)    /* places */                                                                      \
    X(BOL, 0)                                                                                      \
    X(EOS, 0)                                                                                      \
    X(EOL, 0)    /* the end, or before a newline at the end */                                     \
    X(EOLM, 0)                                                                                     \
    X(WORD, 1)   /* a boundary; 1: of ASCII words */                                               \
    X(NWORD, 1)                                                                                    \
    X(OPEN, 1)   /* a group */                                                                     \
    X(CLOSE, 1)                                                                                    \
    X(SPLIT, 1)  /* goes on, or else there */                                                      \
    X(SPLITL, 1) /* goes there, or else on */                                                      \
    X(JUMP, 1)                                                                                     \
    X(ONE, 3)    /* least, most (-1: any), how; then what is repeated */                           \
    X(COUNT, 1)  /* a counter begins */                                                            \
    X(LOOP, 5)   /* counter, least, most, how, where it goes on; then the body */                  \
    X(REF, 1)    /* what a group matched, again */                                                 \
    X(REFI, 1)                                                                                     \
    X(BACK, 1)   /* so many characters back */                                                     \
    X(LOOK, 1)   /* mark; then the body, up to LOOKEND */                                          \
    X(LOOKEND, 1)                                                                                  \
    X(NOT, 2)    /* mark, where it goes on; then the body, up to NOTEND */                         \
    X(NOTEND, 1)                                                                                   \
    X(ATOMIC, 1)                                                                                   \
    X(ATOMICEND, 1)                                                                                \
    X(IF, 2)     /* a group, where it goes on without it */

typedef enum gx_regex_op {
#define X(name, operands) GX_RE_##name,
    GX_REGEX_OPS(X)
#undef X
    GX_RE_OPS
} gx_regex_op;
extern const uint8_t gx_regex_operands[GX_RE_OPS];

/* How ONE and LOOP repeat. */
enum { GX_RE_GREEDY, GX_RE_LAZY, GX_RE_POSSESSIVE };
/* Bits of a set; kinds of characters in it. */
enum {
    GX_RE_NEGATE = 1,
    GX_RE_CASELESS = 2,
    GX_RE_DIGIT = 4,
    GX_RE_NO_DIGIT = 8,
    GX_RE_SPACE = 16,
    GX_RE_NO_SPACE = 32,
    GX_RE_WORD_CHAR = 64,
    GX_RE_NO_WORD = 128,
    GX_RE_ASCII = 256
};

typedef struct gx_regex_set {
    uint32_t bits;
    uint64_t low[4]; /* the answer for code points below 256 */
    int32_t count;   /* ranges, in order, at `first` of the program's */
    int32_t first;
} gx_regex_set;

typedef struct gx_regex {
    gx_rt *rt;
    int32_t *code, length;
    gx_regex_set *sets;
    int32_t set_count;
    uint32_t *ranges; /* pairs */
    int32_t groups, counters, marks;
    bool bytes;
    /* What a match begins with, so far as it is known. */
    bool anchored;        /* at the beginning of the text */
    bool firsts_known;
    uint8_t firsts[256];  /* first bytes */
    uint8_t prefix[32];   /* literal bytes */
    int32_t prefix_length;
} gx_regex;

/* One search: text[0 … end] is looked at; places are bytes. */
typedef struct gx_regex_run {
    const gx_regex *re;
    const uint8_t *text;
    int32_t end, start;
    bool full;         /* must end at `end` */
    bool fixed;        /* must begin at `start` */
    bool not_empty;    /* an empty match at `start` does not count */
    int32_t *slots;    /* 2 * (groups + 1) places, -1: none; then the group closed last */
} gx_regex_run;

/* Looks for a match: slots[0] and slots[1] are its ends. */
gx_try gx_regex_search(gx_regex_run *run);
bool gx_regex_in_set(const gx_regex *re, const gx_regex_set *set, uint32_t c);
/* The caseless form of a character of a text, or of bytes. */
uint32_t gx_regex_caseless(uint32_t c, bool ascii);

/* Reads a program from lists of ints; on failure what was allocated is freed. */
GX_CHECK bool gx_regex_load(gx_rt *rt, gx_borrowed code, gx_borrowed sets, gx_regex *out);
void gx_regex_free(gx_regex *re);

/* --- objects --- */

typedef struct gx_regex_object {
    gx_obj obj;
    gx_regex re;
    gx_value text, names, tools; /* names: a dict of group names; tools: re's (template, flag) */
    int64_t flags;
} gx_regex_object;

typedef struct gx_match {
    gx_obj obj;
    gx_value pattern, string; /* string: what was searched; owned */
    gx_value bytes;           /* as bytes, where the string is a buffer; else UNDEF */
    int64_t from, to;         /* pos and endpos */
    int32_t slots[];
} gx_match;

extern const gx_type gx_type_pattern, gx_type_match;

static inline gx_regex_object *gx_as_regex(gx_borrowed v) {
    return (gx_regex_object *)v.obj;
}
static inline gx_match *gx_as_match(gx_borrowed v) {
    return (gx_match *)v.obj;
}

enum { GX_SUBJECT_SLOTS = 24 };

/* What is searched: a text or bytes, held. */
typedef struct gx_subject {
    gx_value string, held; /* string: as it was given */
    const gx_str *s;
    int64_t from, to; /* pos, endpos */
    gx_regex_run run;
    int32_t *slots; /* owned, or NULL: there are few */
    int32_t some[GX_SUBJECT_SLOTS];
} gx_subject;

GX_CHECK bool gx_subject_open(gx_rt *rt, const gx_regex_object *p, gx_borrowed string, int64_t from,
                              int64_t to, gx_subject *out);
void gx_subject_close(gx_rt *rt, gx_subject *s);
/* The next match; behind an empty one the next place may be looked at only. */
gx_try gx_subject_next(gx_subject *s);
/* Bytes of the subject as a value. */
GX_CHECK bool gx_subject_part(gx_rt *rt, const gx_str *s, int32_t from, int32_t to, gx_value *out);
GX_CHECK bool gx_match_new(gx_rt *rt, gx_borrowed pattern, const gx_subject *s, gx_value *out);
GX_CHECK bool gx_match_group(gx_rt *rt, const gx_match *m, int32_t group, gx_borrowed fallback,
                             gx_value *out);

extern const gx_native gx_pattern_methods[];
bool gx_pattern_findall(gx_call *c, gx_value *out);
bool gx_pattern_finditer(gx_call *c, gx_value *out);
bool gx_pattern_split(gx_call *c, gx_value *out);
bool gx_pattern_sub(gx_call *c, gx_value *out);
bool gx_pattern_subn(gx_call *c, gx_value *out);
bool gx_match_expand(gx_call *c, gx_value *out);

#endif
