/* Code for the host in a kernel's text: what is neither __global__ nor __device__. Files of CUDA
   have it beside their kernels (main, checks, timers); in gx the script does that work. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "runtime/kernel/launch_int.h"

/* What an item declares: the name before the first '(' in the head of a function, behind class or
   struct, or before the '=', '[' or ';' of a variable or a using. */
static bool read_name(const char *from, const char *end, char what, char *name, size_t room) {
    const char *close = end, *start;
    if (what == 'c') {
        start = gx_kernel_word(from, end, "class");
        if (!start) start = gx_kernel_word(from, end, "struct");
        if (!start) return false;
        while (gx_kernel_letter(*start)) start++;
        while (isspace((unsigned char)*start)) start++;
        for (close = start; close < end && gx_kernel_letter(*close);) close++;
    } else {
        const char *stops = what == 'f' ? "(" : "=[;";
        size_t n = strcspn(from, stops);
        if (from + n < end) close = from + n;
        while (close > from && isspace((unsigned char)close[-1])) close--;
        for (start = close; start > from && gx_kernel_letter(start[-1]);) start--;
    }
    if (close == start) return false;
    snprintf(name, room, "%.*s", (int)(close - start), start);
    return true;
}

/* Behind the '}' of the '{' at p. */
static const char *past_braces(const char *p) {
    int depth = 0;
    while (*p) {
        const char *next = gx_kernel_quiet(p);
        if (next != p) {
            p = next;
            continue;
        }
        if (*p == '{') depth++;
        if (*p == '}' && --depth == 0) return p + 1;
        p++;
    }
    return p;
}

static int lines(const char *from, const char *end) {
    int n = 0;
    for (; from < end; from++) n += *from == '\n';
    return n;
}

/* Is it code for the host? Kernels, device functions and what they may share are not. */
static bool is_host(const char *from, const char *end) {
    static const char *const words[] = {"__global__", "__device__", "__constant__", "__managed__",
                                        "__shared__"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (gx_kernel_word(from, end, words[k])) return false;
    return true;
}

typedef struct search {
    const char *source;
    int first, line;
    gx_kernel_host *out;
    bool found; /* the item that has the line: `host` says whether it is the host's */
    bool host;
} search;

/* An item of the top level; what: 'f' a function, 'c' a class, 'v' a declaration, '#' a directive.
 */
static bool look(search *s, const char *from, const char *brace, const char *end, char what) {
    from += strspn(from, " \t\r\n");
    int began = s->first + lines(s->source, from), last = s->first + lines(s->source, end);
    if (end > from && end[-1] == '\n') last--;
    if (s->line < began || s->line > last) return false;
    *s->out = (gx_kernel_host){from - s->source, end - s->source, began, last, ""};
    s->found = true;
    s->host = is_host(from, what == 'f' ? brace : end);
    if (what == '#') {
        s->host = strncmp(from, "#include", 8) == 0;
        snprintf(s->out->name, sizeof s->out->name, "%.*s", (int)strcspn(from, "\r\n"), from);
    } else if (!read_name(from, brace, what, s->out->name, sizeof s->out->name)) {
        s->host = false;
    }
    return true;
}

bool gx_kernel_host_code(const char *source, int first, int line, gx_kernel_host *out) {
    search s = {.source = source, .first = first, .line = line, .out = out};
    const char *head = source;
    for (const char *p = source; *p && !s.found;) {
        const char *next = gx_kernel_quiet(p), *begin = head + strspn(head, " \t\r\n");
        if (next != p) {
            if (begin == p && *p == '/') head = next;
            p = next;
        } else if (*p == '#' && begin == p) { /* a directive, with its lines */
            do {
                next += strcspn(next, "\n");
                if (*next) next++;
            } while (*next && next[-2] == '\\');
            look(&s, p, next, next, '#');
            head = p = next;
        } else if (*p == ';') {
            look(&s, head, p, p + 1, 'v');
            head = ++p;
        } else if (*p != '{') {
            if (*p++ == '}') head = p;
        } else {
            const char *end = p;
            while (end > head && isspace((unsigned char)end[-1])) end--;
            bool function = end > head && end[-1] == ')';
            bool value = memchr(head, '=', (size_t)(p - head)) != NULL;
            if (!function && !value &&
                (gx_kernel_word(head, p, "namespace") || gx_kernel_word(head, p, "extern"))) {
                head = ++p;
                continue;
            }
            const char *behind = past_braces(p);
            if (value && !function) behind += strcspn(behind, ";"); /* int a[] = { … }; */
            if (!function && *behind == ';') behind++;
            look(&s, head, p, behind, function ? 'f' : value ? 'v' : 'c');
            head = p = behind;
        }
    }
    return s.found && s.host;
}
