#include "runtime/base/amount.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct unit {
    const char *name;
    double factor;
} unit;

static const unit counts[] = {{"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {"t", 1e12}, {NULL, 0}};
static const unit bytes[] = {{"b", 1},         {"k", 0x1p10},   {"kb", 0x1p10}, {"kib", 0x1p10},
                             {"m", 0x1p20},    {"mb", 0x1p20},  {"mib", 0x1p20}, {"g", 0x1p30},
                             {"gb", 0x1p30},   {"gib", 0x1p30}, {"t", 0x1p40},  {"tb", 0x1p40},
                             {"tib", 0x1p40},  {NULL, 0}};
static const unit seconds[] = {{"ms", 1e-3}, {"s", 1},     {"sec", 1}, {"m", 60},
                               {"min", 60},  {"h", 3600}, {NULL, 0}};

/* The number at the start, written in digits; NULL: there is none. */
static const char *read_number(const char *text, double *out) {
    char *end;
    bool digits = isdigit((unsigned char)text[0]) ||
                  (text[0] == '.' && isdigit((unsigned char)text[1]));
    bool hex = text[0] == '0' && (text[1] | 32) == 'x';
    if (!digits || hex) return NULL; /* neither inf nor a sign */
    *out = strtod(text, &end);
    return end;
}

bool gx_amount_read(const char *text, gx_amount kind, double most, double *out) {
    const unit *units = kind == GX_AMOUNT_COUNT   ? counts
                        : kind == GX_AMOUNT_BYTES ? bytes
                                                  : seconds;
    char name[8];
    double n;
    size_t length = 0;
    while (isspace((unsigned char)*text)) text++;
    const char *at = read_number(text, &n);
    if (!at) return false;
    while (isspace((unsigned char)*at)) at++;
    for (; isalpha((unsigned char)*at) && length < sizeof name - 1; at++)
        name[length++] = (char)tolower((unsigned char)*at);
    name[length] = '\0';
    while (isspace((unsigned char)*at)) at++;
    if (*at) return false;
    for (; length && units->name && strcmp(units->name, name) != 0; units++) continue;
    if (length && !units->name) return false;
    if (length) n *= units->factor;
    *out = n;
    if (kind == GX_AMOUNT_SECONDS) return n > 0 && n <= most;
    if (!(n >= 1 && n <= most)) return false;
    *out = (double)(long long)n;
    return length || *out == n; /* 0.7G is as many whole bytes; 1.5 steps are a mistake */
}

const char *gx_amount_words(gx_amount kind) {
    switch (kind) {
    case GX_AMOUNT_COUNT: return "a whole number such as 1000, 1e6 or 5M";
    case GX_AMOUNT_BYTES: return "a number of bytes such as 100M, 1.5G or 1e8";
    case GX_AMOUNT_SECONDS: return "a time such as 10, 1.5, 500ms or 2m";
    }
    return "";
}
