/* Comparing outputs as a reader would: runs of white space are one, `...` stands for anything, and
   numbers that are floats on both sides need to agree only to what is printed. Integers must be
   equal. */
#include "interp/test/gxtest_int.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The length of a number at p; *is_float: it has a point or an exponent. */
static size_t number_length(const char *p, bool *is_float) {
    size_t i = 0;
    *is_float = false;
    if (!isdigit((unsigned char)p[0]) && !(p[0] == '.' && isdigit((unsigned char)p[1]))) return 0;
    while (isdigit((unsigned char)p[i])) i++;
    if (p[i] == '.' && strncmp(p + i, "...", 3) != 0) {
        *is_float = true;
        i++;
        while (isdigit((unsigned char)p[i])) i++;
    }
    if ((p[i] == 'e' || p[i] == 'E') &&
        (isdigit((unsigned char)p[i + 1]) ||
         ((p[i + 1] == '-' || p[i + 1] == '+') && isdigit((unsigned char)p[i + 2])))) {
        *is_float = true;
        i += 2;
        while (isdigit((unsigned char)p[i])) i++;
    }
    return i;
}

/* One unit of the last digit that a number of this length shows. */
static double last_place(const char *p, size_t length) {
    int decimals = 0, exponent = 0;
    bool point = false;
    for (size_t i = 0; i < length; i++) {
        if (p[i] == '.') {
            point = true;
        } else if (p[i] == 'e' || p[i] == 'E') {
            exponent = atoi(p + i + 1);
            break;
        } else if (point) {
            decimals++;
        }
    }
    return pow(10.0, exponent - decimals);
}

static bool same_number(const char *a, size_t an, const char *b, size_t bn) {
    double x = strtod(a, NULL), y = strtod(b, NULL);
    double near = fmax(1e-9 * fabs(x), fmax(last_place(a, an), last_place(b, bn)) * 1.000001);
    return x == y || fabs(x - y) <= near;
}

static const char *skip_space(const char *p) {
    while (isspace((unsigned char)*p)) p++;
    return p;
}

static bool match(const char *e, const char *a, int budget) {
    for (;;) {
        bool space_e = isspace((unsigned char)*e), space_a = isspace((unsigned char)*a);
        if (space_e || space_a) {
            const char *e2 = skip_space(e), *a2 = skip_space(a);
            /* Space at an end, or beside a bracket, is no difference. */
            bool edge = !*e2 || !*a2 || strchr("[](),", *e2) || strchr("[](),", e[-1]);
            if (space_e != space_a && !edge && strncmp(e2, "...", 3) != 0) return false;
            e = e2;
            a = a2;
        }
        if (strncmp(e, "...", 3) == 0) {
            e = skip_space(e + 3);
            if (!*e) return true;
            for (; *a; a++)
                if (budget > 0 && match(e, a, budget - 1)) return true;
            return false;
        }
        bool float_e, float_a;
        size_t n = number_length(e, &float_e), m = number_length(a, &float_a);
        if (n && m && float_e && float_a) {
            if (!same_number(e, n, a, m)) return false;
            e += n;
            a += m;
            continue;
        }
        if (*e != *a) return false;
        if (!*e) return true;
        e++;
        a++;
    }
}

/* --- rounding --------------------------------------------------------------------------------- */

/* A number with its sign and what makes it one: "-0.5", "+0j" (the part of a complex number). */
static size_t signed_number(const char *p, double *value) {
    size_t sign = *p == '-' || *p == '+', n;
    bool is_float;
    n = number_length(p + sign, &is_float);
    if (!n || (!is_float && p[sign + n] != 'j')) return 0;
    *value = strtod(p, NULL);
    return sign + n;
}

bool gx_test_rounded(const char *e, const char *a) {
    /* a line of single precision says so */
    bool single = strstr(e, "float32") || strstr(e, "complex64");
    double near = single ? 2.5e-7 : 1e-14;
    for (;;) {
        double x = 0, y = 0;
        size_t n = signed_number(e, &x), m = signed_number(a, &y);
        if (n && m) {
            if (x != y && !(fabs(x - y) <= near * fabs(x))) return false;
            e += n;
            a += m;
        } else if (*e == ' ' || *a == ' ') {
            if (*e == ' ') e++; /* beside "-0." stands " 0." */
            if (*a == ' ') a++;
        } else {
            if (*e != *a) return false;
            if (!*e) return true;
            e++;
            a++;
        }
    }
}

/* --- what NumPy's documentation writes otherwise ---------------------------------------------- */

/* Is there a comment that says one of the words? */
static bool comments(const char *text, const char *const *words, size_t count) {
    for (const char *at = text; (at = strchr(at, '#')); at++) {
        const char *word = at + 1;
        while (*word == ' ') word++;
        for (size_t i = 0; i < count; i++)
            if (strncmp(word, words[i], strlen(words[i])) == 0) return true;
    }
    return false;
}

gx_test_option gx_test_options(const char *code, const char *expected) {
    static const char *const varies[] = {"may vary", "random", "uninitialized", "any "};
    static const char *const doctest[] = {"doctest:"};
    enum { VARIES = sizeof varies / sizeof *varies };
    bool asks = comments(code, doctest, 1) || comments(expected, doctest, 1);
    if (asks && (strstr(code, "+SKIP") || strstr(expected, "+SKIP"))) return GX_TEST_SKIP;
    if (comments(code, varies, VARIES) || comments(expected, varies, VARIES))
        return GX_TEST_VARIES;
    return GX_TEST_PLAIN;
}

/* The length of "np.float64(" and the like at p; 0: something else stands there. */
static size_t scalar_call(const char *p) {
    static const char *const names[] = {"float16", "float32", "float64", "complex64", "complex128",
                                        "int8", "int16", "int32", "int64", "uint8", "uint16",
                                        "uint32", "uint64", "intp", "bool", "longdouble", "str_"};
    if (strncmp(p, "np.", 3) != 0) return 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);
        if (strncmp(p + 3, names[i], n) == 0 && p[3 + n] == '(') return n + 4;
    }
    return 0;
}

void gx_test_bare(char *text) {
    char *to = text;
    int depth = 0;
    unsigned long long wrapped = 0; /* by depth: does the parenthesis belong to a scalar? */
    for (const char *at = text; *at;) {
        bool begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '.');
        size_t n = begins ? scalar_call(at) : 0;
        if (n && depth < 63) {
            wrapped |= 1ull << ++depth;
            at += n;
            continue;
        }
        if (begins && (strncmp(at, "np.True_", 8) == 0 || strncmp(at, "np.False_", 9) == 0)) {
            size_t length = at[3] == 'T' ? 4 : 5;
            memmove(to, at + 3, length);
            to += length;
            at += length + 4;
            continue;
        }
        if (*at == '(' && depth < 63) wrapped &= ~(1ull << ++depth);
        if (*at == ')' && depth > 0 && (wrapped >> depth-- & 1)) {
            at++;
            continue;
        }
        *to++ = *at++;
    }
    *to = '\0';
}

/* Drops `  # remark` from the ends of lines, in place. */
static void drop_remarks(char *text) {
    char *to = text;
    for (const char *at = text; *at;) {
        const char *mark = at;
        while (isspace((unsigned char)*mark) && *mark != '\n') mark++;
        if (mark > at && *mark == '#') {
            at = mark + strcspn(mark, "\n");
            continue;
        }
        *to++ = *at++;
    }
    *to = '\0';
}

bool gx_test_match(const char *expected, const char *actual) {
    if (match(skip_space(expected), skip_space(actual), 8)) return true;
    if (!strchr(expected, '#')) return false;
    char *bare = malloc(strlen(expected) + 1);
    if (!bare) return false;
    strcpy(bare, expected);
    drop_remarks(bare);
    bool same = match(skip_space(bare), skip_space(actual), 8);
    free(bare);
    return same;
}
