/* What is read from a kernel's text: which functions are kernels, what their parameters are called.
   The compiler decides what they are; these are words for messages. */
#include <ctype.h>
#include <string.h>

#include "runtime/kernel/launch_int.h"

/* Past blanks and comments. */
static const char *skip(const char *p) {
    for (;;) {
        while (isspace((unsigned char)*p)) p++;
        if (p[0] == '/' && p[1] == '/') {
            while (*p && *p != '\n') p++;
        } else if (p[0] == '/' && p[1] == '*') {
            const char *end = strstr(p + 2, "*/");
            p = end ? end + 2 : p + strlen(p);
        } else {
            return p;
        }
    }
}

/* Behind the ')' that closes the '(' at p. */
static const char *past_parens(const char *p) {
    int depth = 0;
    for (; *p; p++) {
        if (*p == '(') depth++;
        if (*p == ')' && --depth == 0) return p + 1;
    }
    return p;
}

static size_t word_at(const char *p) {
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_') n++;
    return n;
}

char *gx_raw_copy(gx_rt *rt, const char *text, size_t n) {
    char *to = gx_alloc(rt, n + 1);
    if (!to) return NULL;
    memcpy(to, text, n);
    to[n] = 0;
    return to;
}

static bool add(gx_rt *rt, gx_kernel_names *names, const char *text, size_t n, int64_t at) {
    for (int k = 0; k < names->count; k++)
        if (strlen(names->name[k]) == n && memcmp(names->name[k], text, n) == 0) return true;
    if (names->count == GX_KERNEL_NAMES)
        return gx_fail(rt, GX_ValueError, "kernel.many", "more than %d kernels in one source",
                       GX_KERNEL_NAMES);
    char *name = gx_raw_copy(rt, text, n);
    if (!name) return false;
    names->at[names->count] = at;
    names->name[names->count++] = name;
    return true;
}

void gx_kernel_names_free(gx_rt *rt, gx_kernel_names *names) {
    for (int k = 0; k < names->count; k++) gx_free(rt, (char *)(uintptr_t)names->name[k]);
    names->count = 0;
}

/* The name of the kernel declared behind __global__ at p: the word before the parameter list. */
static const char *declared_name(const char *p, size_t *n, const char **parameters) {
    const char *name = NULL;
    for (p = skip(p); *p && *p != ';' && *p != '{'; p = skip(p)) {
        size_t m = word_at(p);
        if (m) {
            const char *next = skip(p + m);
            bool attribute = (m == 17 && memcmp(p, "__launch_bounds__", 17) == 0) ||
                             (m == 13 && memcmp(p, "__attribute__", 13) == 0);
            if (attribute && *next == '(') {
                p = past_parens(next);
                continue;
            }
            if (*next == '(') {
                *n = m;
                *parameters = next;
                name = p;
                break;
            }
            p += m;
        } else {
            p++;
        }
    }
    return name;
}

/* Where the declaration that holds `at` begins: behind the last ';' or '}'. */
static bool is_template(const char *source, const char *at) {
    const char *from = at;
    while (from > source && from[-1] != ';' && from[-1] != '}') from--;
    const char *word = strstr(from, "template");
    return word && word < at;
}

bool gx_kernel_names_find(gx_rt *rt, const char *source, const char *const *more, int n,
                          gx_kernel_names *out) {
    out->count = 0;
    bool ok = true;
    for (const char *p = skip(source); *p && ok; p = skip(p)) {
        size_t m = word_at(p);
        if (m == 10 && memcmp(p, "__global__", 10) == 0) {
            size_t length = 0;
            const char *parameters = NULL, *name = declared_name(p + m, &length, &parameters);
            if (name && !is_template(source, p))
                ok = add(rt, out, name, length, parameters - source);
        }
        if (*p == '"') { /* a string */
            for (p++; *p && *p != '"'; p++)
                if (*p == '\\' && p[1]) p++;
            if (*p) p++;
            continue;
        }
        p += m ? m : 1;
    }
    for (int k = 0; k < n && ok; k++) {
        size_t base = word_at(more[k]);
        const char *at = NULL;
        for (const char *p = strstr(source, "__global__"); p && !at;
             p = strstr(p + 1, "__global__")) {
            size_t length = 0;
            const char *parameters = NULL, *name = declared_name(p + 10, &length, &parameters);
            if (name && length == base && memcmp(name, more[k], base) == 0) at = parameters;
        }
        ok = add(rt, out, more[k], strlen(more[k]), at ? at - source : -1);
    }
    if (!ok) gx_kernel_names_free(rt, out);
    return ok;
}

/* Copies text[0 … n) without its outer blanks and with inner ones as one. */
static void put_text(char *to, size_t room, const char *text, size_t n) {
    size_t used = 0;
    bool blank = false;
    for (size_t i = 0; i < n && used + 2 < room; i++) {
        if (isspace((unsigned char)text[i])) {
            blank = used > 0;
            continue;
        }
        if (blank) to[used++] = ' ';
        blank = false;
        to[used++] = text[i];
    }
    to[used] = 0;
}

/* One parameter's text: its last word is the name, the rest the type. */
static void read_param(const char *from, const char *end, gx_raw_param *p) {
    const char *equals = memchr(from, '=', (size_t)(end - from));
    if (equals) end = equals;
    while (end > from && isspace((unsigned char)end[-1])) end--;
    const char *name = end;
    while (name > from && (isalnum((unsigned char)name[-1]) || name[-1] == '_')) name--;
    if (name == from || name == end) return; /* no name, or no type */
    put_text(p->name, sizeof p->name, name, (size_t)(end - name));
    put_text(p->type, sizeof p->type, from, (size_t)(name - from));
}

void gx_kernel_params(const char *source, int64_t at, gx_raw_entry *e) {
    if (at < 0) return;
    const char *p = source + at + 1, *from = p;
    int depth = 0, k = 0;
    for (; *p && k < e->n_param; p++) {
        if (*p == '<' || *p == '(' || *p == '[') depth++;
        if ((*p == ',' || *p == ')') && depth == 0) {
            read_param(from, p, &e->param[k++]);
            from = p + 1;
            if (*p == ')') break;
        }
        if (*p == '>' || *p == ')' || *p == ']') depth--;
    }
}
