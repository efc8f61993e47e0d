/* What is read from a kernel's text: which functions are kernels, what their parameters are called.
   The compiler decides what they are; these are words for messages. */
#include <ctype.h>
#include <string.h>

#include "runtime/kernel/launch_int.h"

bool gx_kernel_letter(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

const char *gx_kernel_word(const char *text, const char *end, const char *word) {
    size_t n = strlen(word);
    for (const char *p = text; p + n <= end; p++)
        if (memcmp(p, word, n) == 0 && (p == text || !gx_kernel_letter(p[-1])) &&
            (p + n == end || !gx_kernel_letter(p[n])))
            return p;
    return NULL;
}

const char *gx_kernel_quiet(const char *p) {
    if (p[0] == '/' && p[1] == '/') return p + strcspn(p, "\n");
    if (p[0] == '/' && p[1] == '*') {
        const char *end = strstr(p + 2, "*/");
        return end ? end + 2 : p + strlen(p);
    }
    if (*p != '"' && *p != '\'') return p;
    const char *end = p + 1;
    while (*end && *end != *p && *end != '\n') end += *end == '\\' && end[1] ? 2 : 1;
    return *end ? end + 1 : end;
}

/* Past blanks and comments. */
static const char *skip(const char *p) {
    for (;;) {
        const char *next = *p == '/' ? gx_kernel_quiet(p) : p;
        if (next == p && !isspace((unsigned char)*p)) return p;
        p = next == p ? p + 1 : next;
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
    while (gx_kernel_letter(p[n])) n++;
    return n;
}

char *gx_raw_copy(gx_rt *rt, const char *text, size_t n) {
    char *to = gx_alloc(rt, n + 1);
    if (!to) return NULL;
    memcpy(to, text, n);
    to[n] = 0;
    return to;
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

/* The '<' behind the last `template` before what is declared at `at`, or NULL. */
static const char *template_list(const char *source, const char *at) {
    const char *from = at, *open = NULL;
    while (from > source && from[-1] != ';' && from[-1] != '}') from--;
    for (const char *p = from; (p = gx_kernel_word(p, at, "template")); p++) open = strchr(p, '<');
    return open && open < at ? open : NULL;
}

const char *gx_kernel_next(const char *source, const char *p, gx_kernel_text *out) {
    for (p = skip(p); *p; p = skip(p)) {
        size_t m = word_at(p);
        if (m == 10 && memcmp(p, "__global__", 10) == 0) {
            out->name = declared_name(p + m, &out->length, &out->parameters);
            out->list = template_list(source, p);
            if (out->name) return out->parameters;
        }
        const char *next = gx_kernel_quiet(p);
        p = next != p ? next : p + (m ? m : 1);
    }
    return NULL;
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
    while (name > from && gx_kernel_letter(name[-1])) name--;
    if (name == from || name == end) return; /* no name, or no type */
    put_text(p->name, sizeof p->name, name, (size_t)(end - name));
    put_text(p->type, sizeof p->type, from, (size_t)(name - from));
}

/* The parameters listed at the '(' at p; how many, -1: too many. */
static int list_params(const char *p, gx_raw_param *list) {
    const char *from = ++p;
    int depth = 0, n = 0;
    for (; *p; p++) {
        if (*p == '<' || *p == '(' || *p == '[') depth++;
        bool ends = *p == ')' && depth == 0;
        if ((*p == ',' && depth == 0) || ends) {
            const char *first = skip(from);
            bool nothing = ends && n == 0 && (first == p || strncmp(first, "void)", 5) == 0);
            if (n == GX_RAW_PARAMS) return -1;
            list[n].name[0] = list[n].type[0] = 0;
            read_param(from, p, &list[n]);
            if (!nothing) n++;
            from = p + 1;
        }
        if (ends) break;
        if (*p == '>' || *p == ')' || *p == ']') depth--;
    }
    return n;
}

int gx_kernel_count(const char *parameters) {
    gx_raw_param list[GX_RAW_PARAMS];
    int n = list_params(parameters, list);
    return n < 0 ? 0 : n;
}

/* The parameters listed at p, if they can be those of e. */
static bool read_params(const char *p, gx_raw_entry *e) {
    gx_raw_param list[GX_RAW_PARAMS];
    if (list_params(p, list) != e->n_param) return false;
    for (int k = 0; k < e->n_param; k++)
        if (e->known && !gx_raw_types_fit(&e->param[k], list[k].type)) return false;
    for (int k = 0; k < e->n_param; k++) {
        memcpy(e->param[k].name, list[k].name, sizeof list[k].name);
        memcpy(e->param[k].type, list[k].type, sizeof list[k].type);
    }
    return true;
}

void gx_kernel_params(const char *source, const char *name, gx_raw_entry *e) {
    size_t end = strcspn(name, "<("), from = end;
    while (from > 0 && gx_kernel_letter(name[from - 1])) from--;
    gx_kernel_text t;
    for (const char *p = source; (p = gx_kernel_next(source, p, &t));)
        if (t.length == end - from && memcmp(t.name, name + from, t.length) == 0 &&
            read_params(t.parameters, e))
            return;
}
