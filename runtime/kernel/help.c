/* Fixes for what a kernel did wrong, in the words of its own source: an atomic operation for an
   element that many threads change, a barrier between two lines. Words of the text decide, so a
   fix is given only where the line has one plain form; elsewhere there is none. */
#include <ctype.h>
#include <stdio.h>
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
