/* Fixes for what a kernel did wrong, in the words of its own source: an atomic operation for an
   element that many threads change, a barrier between two lines. Words of the text decide, so a
   fix is given only where the line has one plain form; elsewhere there is none. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/kernel/launch_int.h"

const char *gx_raw_line(const gx_raw *raw, uint32_t line, size_t *length) {
    const char *p = raw->source;
    *length = 0;
    if (!line || (int)line < raw->first_line) return NULL;
    for (int k = raw->first_line; k < (int)line && p; k++) {
        p = strchr(p, '\n');
        if (p) p++;
    }
    if (!p) return NULL;
    p += strspn(p, " \t");
    size_t n = strcspn(p, "\n");
    while (n && isspace((unsigned char)p[n - 1])) n--;
    *length = n;
    return p;
}

/* Behind the bracket that closes the one at p, or NULL. */
static const char *past_brackets(const char *p, const char *end) {
    int depth = 0;
    for (; p < end; p++) {
        if (*p == '[' || *p == '(') depth++;
        if ((*p == ']' || *p == ')') && --depth == 0) return p + 1;
    }
    return NULL;
}

/* Does atomicAdd take elements of the variable? */
static bool has_atomic_add(const gx_raw *raw, const gx_raw_entry *e, const char *name) {
    static const char *const types[] = {"int",   "unsigned", "unsigned int",
                                        "float", "double",   "unsigned long long"};
    for (int p = 0; p < e->n_param; p++)
        if (strcmp(e->param[p].name, name) == 0)
            return e->param[p].lanes == 1 &&
                   (e->param[p].kind == GX_i32 || e->param[p].kind == GX_u32 ||
                    e->param[p].kind == GX_u64 || e->param[p].kind == GX_f32 ||
                    e->param[p].kind == GX_f64);
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        char declared[320];
        snprintf(declared, sizeof declared, "__shared__ %s %.200s", types[k], name);
        const char *p = strstr(raw->source, declared);
        if (p && !gx_kernel_letter(p[strlen(declared)])) return true;
    }
    return false;
}

/* `name[…] += value;`, `-= value;`, `++;`: atomicAdd of that. */
static bool help_add(const gx_raw *raw, const gx_raw_entry *e, const char *name, uint32_t line) {
    size_t n;
    const char *text = gx_raw_line(raw, line, &n), *end = text + n;
    const char *p = text ? gx_kernel_word(text, text + n, name) : NULL;
    if (!p || !has_atomic_add(raw, e, name)) return false;
    const char *target = p;
    p += strlen(name);
    if (p < end && *p == '[') p = past_brackets(p, end);
    if (!p) return false;
    int length = (int)(p - target);
    p += strspn(p, " ");
    if (end - p >= 3 && memcmp(p, "++;", 3) == 0) {
        gx_help(raw->rt, "atomicAdd(&%.*s, 1);", length, target);
        return true;
    }
    if (end - p < 4 || (p[0] != '+' && p[0] != '-') || p[1] != '=') return false;
    bool minus = p[0] == '-';
    p += 2 + strspn(p + 2, " ");
    const char *stop = memchr(p, ';', (size_t)(end - p));
    if (!stop || gx_kernel_word(p, p + (size_t)(stop - p), name)) return false;
    gx_help(raw->rt, minus ? "atomicAdd(&%.*s, -(%.*s));" : "atomicAdd(&%.*s, %.*s);", length,
            target, (int)(stop - p), p);
    return true;
}

void gx_raw_help_race(const gx_raw *raw, const gx_raw_entry *e, const gx_sim_fault *f,
                      const char *name) {
    bool same = memcmp(f->block, f->other_block, sizeof f->block) == 0;
    if (f->line == f->other_line) {
        help_add(raw, e, name, f->line);
    } else if (!same) {
        gx_note(raw->rt, "blocks run in any order: a second launch reads what one has written");
    } else if (f->line && f->other_line) {
        size_t n = strlen(raw->source);
        bool loops = gx_kernel_word(raw->source, raw->source + n, "for") ||
                     gx_kernel_word(raw->source, raw->source + n, "while");
        uint32_t low = f->line < f->other_line ? f->line : f->other_line;
        if (loops && low == f->line) return; /* from one round to the next */
        gx_help(raw->rt,
                "__syncthreads(); between the lines %u and %u, where all threads of the block pass",
                low, low == f->line ? f->other_line : f->line);
    }
}

void gx_raw_help_barrier(const gx_raw *raw, const gx_sim_launch *l, const gx_sim_fault *f) {
    if (!strstr(f->text, "wait at line") || !strstr(raw->source, "__syncthreads")) return;
    gx_help(raw->rt, "__syncthreads() outside of the branch, where all %u threads of a block pass",
            l->block[0] * l->block[1] * l->block[2]);
}

/* --- arrays and indices in the source --- */

/* Where the text declares `name[`, behind a type and no operator; NULL: nowhere from p on. */
static const char *declared(const char *source, const char *p, const char *name) {
    size_t n = strlen(name);
    for (const char *end = source + strlen(source); (p = gx_kernel_word(p, end, name)); p += n) {
        const char *before = p;
        while (before > source && before[-1] == ' ') before--;
        bool typed = before < p && before > source &&
                     (gx_kernel_letter(before[-1]) || before[-1] == '>' || before[-1] == ',');
        if (!typed || p[n] != '[') continue;
        if (before - source >= 6 && memcmp(before - 6, "return", 6) == 0) continue;
        return p;
    }
    return NULL;
}

static bool behind(const char *source, const char *p, const char *word) {
    const char *from = p;
    while (from > source && from[-1] != ';' && from[-1] != '{' && from[-1] != '}') from--;
    return gx_kernel_word(from, p, word) != NULL;
}

/* The sizes behind a declared name, as far as they are numbers; how many brackets there are. */
static int sizes_at(const char *p, int64_t sizes[4]) {
    int n = 0;
    p += strcspn(p, "[");
    for (; *p == '[' && n < 4; n++) {
        char *stop;
        sizes[n] = strtoll(p + 1, &stop, 10);
        if (*stop != ']') sizes[n] = 0;
        p += strcspn(p, "]");
        if (*p) p++;
    }
    return n;
}

bool gx_raw_array_size(const gx_raw *raw, const char *name, const char *not_behind, int64_t *size) {
    int64_t sizes[4];
    const char *p = raw->source;
    while ((p = declared(raw->source, p, name)) && behind(raw->source, p, not_behind)) p++;
    if (!p) return false;
    *size = 1;
    for (int k = 0, n = sizes_at(p, sizes); k < n; k++) *size *= sizes[k];
    return true;
}

bool gx_raw_is_dynamic(const gx_raw *raw, const char *name) {
    const char *p = raw->source;
    if (!*name) return strstr(p, "extern __shared__") != NULL;
    while ((p = declared(raw->source, p, name))) {
        if (behind(raw->source, p, "extern")) return true;
        p++;
    }
    return false;
}

void gx_raw_note_rows(const gx_raw *raw, const gx_sim_fault *f, const char *name) {
    int64_t sizes[4], at = f->index;
    const char *p = *name ? declared(raw->source, raw->source, name) : NULL;
    int n = p ? sizes_at(p, sizes) : 0;
    if (n == 2 && sizes[0] > 0 && sizes[1] > 0 && at >= 0)
        gx_note(raw->rt, "%s is declared %s[%lld][%lld]: that is %s[%lld][%lld]", name, name,
                (long long)sizes[0], (long long)sizes[1], name, (long long)(at / sizes[1]),
                (long long)(at % sizes[1]));
}

static void note_wrap_line(const gx_raw *raw, uint32_t line) {
    size_t n;
    const char *p = gx_raw_line(raw, line, &n);
    if (p) gx_note(raw->rt, "%s:%u: %.*s", raw->file, line, (int)(n > 120 ? 120 : n), p);
}

/* What stands in the first brackets of a line: the index of an array. */
static bool index_text(const gx_raw *raw, uint32_t line, char *to, size_t room) {
    size_t n;
    const char *p = gx_raw_line(raw, line, &n), *open = p ? memchr(p, '[', n) : NULL;
    const char *close = open ? past_brackets(open, p + n) : NULL;
    if (!close || close - open < 3 || (size_t)(close - open) > room) return false;
    snprintf(to, room, "%.*s", (int)(close - open - 2), open + 1);
    return true;
}

void gx_raw_note_wrap(const gx_raw *raw, const gx_sim_fault *f) {
    char text[96];
    const char *op = f->op == '<' ? "<<" : f->op == '*' ? "*" : f->op == '-' ? "-" : "+";
    bool large = f->array >= 0 && (f->index > INT32_MAX || f->index < INT32_MIN);
    if (!f->op && !large) return;
    if (f->op && f->op_line && f->op_line != f->line) note_wrap_line(raw, f->op_line);
    if (f->op == '+' && f->b < 0)
        gx_note(raw->rt, "%lld - %lld is %lld, which an unsigned number of 32 bits does not hold",
                (long long)f->a, -(long long)f->b, (long long)f->exact);
    else if (f->op)
        gx_note(raw->rt, "%lld %s %lld is %lld, which 32 bits do not hold", (long long)f->a, op,
                (long long)f->b, (long long)f->exact);
    else
        gx_note(raw->rt, "%lld is more than an int holds, whose largest value is 2147483647",
                (long long)f->index);
    if (f->exact < 0 && f->op) {
        gx_help(raw->rt, "compare before subtracting, or use a signed index: int");
        return;
    }
    if (!index_text(raw, f->line, text, sizeof text)) return;
    if (f->op_line == f->line || !f->op)
        gx_help(raw->rt, "in 64 bits: [(size_t)%s]", text);
    else
        gx_help(raw->rt, "in 64 bits: size_t %s, and (size_t) before its first factor", text);
}
