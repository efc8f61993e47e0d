/* Comparing outputs as a reader would: runs of white space are one, `...` stands for anything, and
   numbers that are floats on both sides need to agree only to what is printed. Integers must be
   equal. */
#include "interp/gxtest_int.h"

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
            bool edge = !*e2 || !*a2 || strchr("[](),", *e2) || (e2 == e && strchr("[](),", e[-1]));
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

bool gx_test_match(const char *expected, const char *actual) {
    return match(skip_space(expected), skip_space(actual), 8);
}
