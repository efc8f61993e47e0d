/* Reads the symbol of a kernel: C++ writes a function's name and the types of its parameters into
   it (the Itanium ABI), so what the compiler made is known also for kernels that a macro declared,
   that stand in a namespace or that have several meanings. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "runtime/kernel/launch_int.h"

enum { SUBSTITUTIONS = 64, TEXT = 8192 };

/* A text is a place in `text`; -1: this symbol cannot be read. */
typedef struct reader {
    const char *p;
    int n_sub, sub[SUBSTITUTIONS], used;
    char text[TEXT];
} reader;

static int type(reader *r);

static const char *at(const reader *r, int text) {
    return text < 0 ? "" : r->text + text;
}

/* The three texts in a row. */
static int join(reader *r, const char *a, const char *b, const char *c) {
    int room = TEXT - r->used, start = r->used;
    int n = snprintf(r->text + start, (size_t)room, "%s%s%s", a, b, c);
    if (n < 0 || n >= room) return -1;
    r->used += n + 1;
    return start;
}

static int remember(reader *r, int text) {
    if (text < 0 || r->n_sub == SUBSTITUTIONS) return -1;
    return r->sub[r->n_sub++] = text;
}

/* A number and so many letters. What has no name (a namespace without one) is "". */
static int source_name(reader *r) {
    int n = 0;
    if (!isdigit((unsigned char)*r->p)) return -1;
    while (isdigit((unsigned char)*r->p) && n < TEXT) n = n * 10 + (*r->p++ - '0');
    if (n == 0 || strnlen(r->p, (size_t)n) < (size_t)n) return -1;
    char name[256];
    if (n >= (int)sizeof name) return -1;
    bool unnamed = strncmp(r->p, "_GLOBAL__N_", 11) == 0;
    snprintf(name, sizeof name, "%.*s", unnamed ? 0 : n, r->p);
    r->p += n;
    return join(r, name, "", "");
}

/* S_, S0_, SA_ …: what stood there before. */
static int substitution(reader *r) {
    int n = 0;
    r->p++;
    if (*r->p != '_') {
        for (; isdigit((unsigned char)*r->p) || isupper((unsigned char)*r->p); r->p++)
            n = n * 36 + (isdigit((unsigned char)*r->p) ? *r->p - '0' : *r->p - 'A' + 10);
        n++;
    }
    if (*r->p != '_' || n >= r->n_sub) return -1;
    r->p++;
    return r->sub[n];
}

/* L type value E */
static int literal(reader *r) {
    bool is_bool = *++r->p == 'b';
    bool plain = *r->p == 'i';
    int of = type(r);
    if (of < 0) return -1;
    char digits[32];
    int n = 0;
    if (*r->p == 'n') digits[n++] = '-', r->p++;
    while (isdigit((unsigned char)*r->p) && n < 30) digits[n++] = *r->p++;
    digits[n] = 0;
    if (*r->p++ != 'E' || n == 0) return -1;
    if (is_bool) return join(r, digits[0] == '1' ? "true" : "false", "", "");
    if (plain) return join(r, digits, "", "");
    of = join(r, "(", at(r, of), ")");
    return of < 0 ? -1 : join(r, at(r, of), digits, "");
}

/* What stands up to E: arguments of a template, a pack among them. `list`: what came before. */
static int arguments(reader *r, int list) {
    for (r->p++; *r->p != 'E';) {
        int one;
        if (*r->p == 'J') {
            list = arguments(r, list);
            if (list < 0) return -1;
            continue;
        }
        one = *r->p == 'L' ? literal(r) : type(r);
        if (one < 0) return -1;
        list = join(r, at(r, list), *at(r, list) ? ", " : "", at(r, one));
        if (list < 0) return -1;
    }
    r->p++;
    return list;
}

/* name<arguments> */
static int instance(reader *r, int name) {
    int empty = join(r, "", "", ""), list = empty < 0 ? -1 : arguments(r, empty);
    if (list < 0) return -1;
    int opened = join(r, at(r, name), "<", at(r, list));
    return opened < 0 ? -1 : join(r, at(r, opened), ">", "");
}

/* N … E. Its prefixes can be meant by what follows, but not a function's whole name. */
static int nested(reader *r, bool function) {
    int name = -1;
    for (r->p++; *r->p != 'E';) {
        bool known = false;
        if (*r->p == 'S' && r->p[1] == 't') {
            r->p += 2;
            name = join(r, "std", "", "");
            known = true;
        } else if (*r->p == 'S') {
            name = substitution(r);
            known = true;
        } else if (*r->p == 'I') {
            name = instance(r, name);
        } else if (*r->p == 'L') {
            r->p++;
            continue;
        } else {
            int part = source_name(r);
            if (part < 0) return -1;
            bool both = *at(r, name) && *at(r, part);
            int scope = both ? join(r, at(r, name), "::", "") : name;
            if (both && scope < 0) return -1;
            name = join(r, at(r, scope), at(r, part), "");
        }
        if (name < 0) return -1;
        if (!known && !(function && *r->p == 'E') && remember(r, name) < 0) return -1;
    }
    r->p++;
    return name;
}

static const char *builtin(char c) {
    static const struct {
        char letter;
        const char *name;
    } types[] = {{'v', "void"},
                 {'b', "bool"},
                 {'c', "char"},
                 {'a', "signed char"},
                 {'h', "unsigned char"},
                 {'s', "short"},
                 {'t', "unsigned short"},
                 {'i', "int"},
                 {'j', "unsigned int"},
                 {'l', "long"},
                 {'m', "unsigned long"},
                 {'x', "long long"},
                 {'y', "unsigned long long"},
                 {'f', "float"},
                 {'d', "double"},
                 {'w', "wchar_t"}};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (types[k].letter == c) return types[k].name;
    return NULL;
}

/* Qualifiers, and what they qualify, are one thing: volatile const float. */
static int qualified(reader *r) {
    bool is_const = false, is_volatile = false, is_restrict = false;
    for (;; r->p++) {
        if (*r->p == 'K')
            is_const = true;
        else if (*r->p == 'V')
            is_volatile = true;
        else if (*r->p == 'r')
            is_restrict = true;
        else
            break;
    }
    int of = type(r);
    if (of < 0) return -1;
    size_t n = strlen(at(r, of));
    bool pointer = n && at(r, of)[n - 1] == '*';
    char words[32];
    snprintf(words, sizeof words, "%s%s%s", is_const ? "const " : "",
             is_volatile ? "volatile " : "", is_restrict ? "__restrict__ " : "");
    if (!pointer) return remember(r, join(r, words, at(r, of), ""));
    words[strlen(words) - 1] = 0;
    return remember(r, join(r, at(r, of), " ", words));
}

static int type(reader *r) {
    const char c = *r->p, *name = builtin(c);
    if (c == 'K' || c == 'V' || c == 'r') return qualified(r);
    if (c == 'P' || c == 'R' || c == 'O') {
        r->p++;
        int of = type(r);
        return of < 0 ? -1
                      : remember(r, join(r, at(r, of),
                                         c == 'P'   ? "*"
                                         : c == 'R' ? "&"
                                                    : "&&",
                                         ""));
    }
    if (name) {
        r->p++;
        return join(r, name, "", "");
    }
    int of;
    if (c == 'N') return nested(r, false);
    if (c == 'S' && r->p[1] == 't') {
        r->p += 2;
        int part = source_name(r);
        of = part < 0 ? -1 : remember(r, join(r, "std::", at(r, part), ""));
    } else if (c == 'S') {
        of = substitution(r);
    } else {
        of = remember(r, source_name(r));
    }
    return of >= 0 && *r->p == 'I' ? remember(r, instance(r, of)) : of;
}

/* The function's name; *template: an instance of a template, whose parameters are not read. */
static int function(reader *r, bool *is_template) {
    int name;
    if (*r->p == 'N') {
        name = nested(r, true);
        *is_template = name >= 0 && *at(r, name) && at(r, name)[strlen(at(r, name)) - 1] == '>';
        return name;
    }
    if (*r->p == 'L') r->p++;
    name = source_name(r);
    *is_template = *r->p == 'I';
    if (!*is_template || name < 0) return name;
    return remember(r, name) < 0 ? -1 : instance(r, name);
}

bool gx_kernel_symbol(gx_rt *rt, const char *symbol, gx_kernel_meaning *out) {
    reader r;
    r.n_sub = r.used = 0;
    *out = (gx_kernel_meaning){.n_type = 0};
    bool mangled = strncmp(symbol, "_Z", 2) == 0, is_template = false;
    r.p = symbol + (mangled ? 2 : 0);
    int name = mangled ? function(&r, &is_template) : join(&r, symbol, "", "");
    if (name < 0) return true;
    if (!(out->name = gx_raw_copy(rt, at(&r, name), strlen(at(&r, name))))) return false;
    if (!mangled || is_template) return true;
    for (int n = 0; *r.p; n++) {
        int of = type(&r);
        if (of < 0 || n == GX_RAW_PARAMS) return true;
        if (n == 0 && !*r.p && strcmp(at(&r, of), "void") == 0) break;
        snprintf(out->type[n], sizeof out->type[n], "%s", at(&r, of));
        if (strlen(at(&r, of)) >= sizeof out->type[n]) return true;
        out->n_type = n + 1;
    }
    out->exact = true;
    return true;
}
