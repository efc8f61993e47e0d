/* Reads the body of a function of PTX into statements: what each defines and uses, and whether it
   touches memory. Opcodes that it does not know are taken to define their first operand. Nothing is
   refused: the driver judges the text. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/backend/cuda/check/check_int.h"

bool gx_check_room(gx_rt *rt, void *list, int count, int *room, size_t size) {
    void *old;
    if (count < *room) return true;
    int more = *room ? *room * 2 : 64;
    memcpy(&old, list, sizeof old);
    void *grown = gx_realloc(rt, old, (size_t)more * size);
    if (!grown) return false;
    memcpy(list, &grown, sizeof grown);
    *room = more;
    return true;
}

void gx_scan_blank(gx_checker *c) {
    for (;;) {
        while (c->at < c->end && isspace((unsigned char)*c->at)) c->at++;
        if (c->end - c->at < 2 || c->at[0] != '/' || (c->at[1] != '/' && c->at[1] != '*')) return;
        bool line = c->at[1] == '/';
        for (c->at += 2; c->at < c->end; c->at++) {
            if (line && *c->at == '\n') break;
            if (!line && c->at[-1] == '*' && *c->at == '/') break;
        }
        if (c->at < c->end) c->at++;
    }
}

static bool in_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

size_t gx_scan_word(gx_checker *c, const char **word) {
    gx_scan_blank(c);
    *word = c->at;
    while (c->at < c->end && in_word(*c->at)) c->at++;
    return (size_t)(c->at - *word);
}

bool gx_scan_is(const gx_stmt *s, const char *opcode) {
    size_t n = strlen(opcode);
    return s->kind == ST_INSTRUCTION && (size_t)s->op_length >= n &&
           memcmp(s->op, opcode, n) == 0 && ((size_t)s->op_length == n || s->op[n] == '.');
}

bool gx_scan_has(const gx_stmt *s, const char *modifier) {
    size_t n = strlen(modifier);
    for (int i = 0; i + (int)n <= s->op_length; i++)
        if (memcmp(s->op + i, modifier, n) == 0 &&
            (i + (int)n == s->op_length || s->op[i + (int)n] == '.'))
            return true;
    return false;
}

/* --- registers --- */

static int bits_of(const char *type, size_t n) {
    int bits = 0;
    for (size_t i = 0; i < n; i++)
        if (isdigit((unsigned char)type[i])) bits = bits * 10 + (type[i] - '0');
    return n == 5 && memcmp(type, ".pred", 5) == 0 ? 1 : bits ? bits : 32;
}

/* .reg .b32 %r<10>, t; */
static bool add_decls(gx_checker *c, const char *from, const char *end) {
    int bits = 32;
    for (const char *p = from; p < end;) {
        const char *word = p;
        while (p < end && in_word(*p)) p++;
        size_t n = (size_t)(p - word);
        if (n == 0) {
            p++;
            continue;
        }
        if (*word == '.') {
            bits = bits_of(word, n);
            continue;
        }
        bool range = p < end && *p == '<';
        if (!gx_check_room(c->rt, &c->decl, c->n_decl, &c->decl_room, sizeof *c->decl))
            return false;
        c->decl[c->n_decl++] = (gx_reg_decl){word, (int)n, bits, range};
        while (range && p < end && *p != '>') p++;
    }
    return true;
}

/* The width of a register of that name, 0: no register. The latest declaration counts. */
static int declared(const gx_checker *c, const char *name, int n) {
    int stem = n;
    while (stem > 0 && isdigit((unsigned char)name[stem - 1])) stem--;
    for (int k = c->n_decl - 1; k >= 0; k--) {
        const gx_reg_decl *d = &c->decl[k];
        int want = d->range ? stem : n;
        if (d->length == want && memcmp(d->name, name, (size_t)want) == 0) return d->bits;
    }
    return 0;
}

static bool rehash(gx_checker *c) {
    int room = c->hash_room ? c->hash_room * 2 : 512;
    int *fresh = gx_alloc(c->rt, (size_t)room * sizeof *fresh);
    if (!fresh) return false;
    for (int i = 0; i < room; i++) fresh[i] = -1;
    for (int k = 0; k < c->n_reg; k++) {
        uint32_t h = 2166136261u;
        for (int i = 0; i < c->reg[k].length; i++)
            h = (h ^ (unsigned char)c->reg[k].name[i]) * 16777619u;
        while (fresh[h & (uint32_t)(room - 1)] >= 0) h++;
        fresh[h & (uint32_t)(room - 1)] = k;
    }
    gx_free(c->rt, c->hash);
    c->hash = fresh;
    c->hash_room = room;
    return true;
}

/* *out: the register's number, -1: the name is none. */
static bool find_reg(gx_checker *c, const char *name, int n, int *out) {
    *out = -1;
    if (c->n_reg * 2 >= c->hash_room && !rehash(c)) return false;
    uint32_t h = 2166136261u;
    for (int i = 0; i < n; i++) h = (h ^ (unsigned char)name[i]) * 16777619u;
    for (;; h++) {
        int k = c->hash[h & (uint32_t)(c->hash_room - 1)];
        if (k < 0) break;
        if (c->reg[k].length == n && memcmp(c->reg[k].name, name, (size_t)n) == 0) {
            *out = k;
            return true;
        }
    }
    int bits = declared(c, name, n);
    if (!bits) return true;
    if (!gx_check_room(c->rt, &c->reg, c->n_reg, &c->reg_room, sizeof *c->reg)) return false;
    c->reg[c->n_reg] = (gx_check_reg){.name = name, .length = n, .bits = bits, .def = -1};
    c->hash[h & (uint32_t)(c->hash_room - 1)] = c->n_reg;
    *out = c->n_reg++;
    return true;
}

static bool list_reg(gx_checker *c, int reg) {
    if (!gx_check_room(c->rt, &c->reg_list, c->n_list, &c->list_room, sizeof *c->reg_list))
        return false;
    c->reg_list[c->n_list++] = reg;
    return true;
}

/* --- operands --- */

/* One operand's text; its registers are listed. */
static bool read_operand(gx_checker *c, const char *p, const char *end, gx_opnd *o) {
    *o = (gx_opnd){.reg = -1};
    bool memory = false, minus = false, first = true;
    for (; p < end; p++) {
        if (*p == '[') memory = true;
        if (*p == '{') o->kind = OPND_VECTOR;
        if (*p == '-') minus = true;
        if (!in_word(*p)) continue;
        const char *word = p;
        while (p < end && in_word(*p)) p++;
        int n = (int)(p - word), reg;
        if (isdigit((unsigned char)*word)) {
            int64_t v = (int64_t)strtoull(word, NULL, 0);
            o->number = minus ? -v : v;
            if (first && !o->kind) o->kind = OPND_NUMBER;
        } else {
            if (!find_reg(c, word, n, &reg)) return false;
            if (reg >= 0 && !list_reg(c, reg)) return false;
            if (first && o->kind != OPND_VECTOR) {
                o->kind = reg >= 0 ? OPND_REG : OPND_NAME;
                o->reg = reg;
                o->name = word;
                o->length = n;
            }
        }
        first = minus = false;
        p--;
    }
    if (memory) o->kind = OPND_MEMORY;
    return true;
}

static bool defines_nothing(const gx_stmt *s) {
    static const char *const list[] = {"st",        "red",     "bra",     "brx",      "ret",
                                       "exit",      "call",    "trap",    "membar",   "fence",
                                       "cp",        "brkpt",   "pmevent", "prefetch", "prefetchu",
                                       "nanosleep", "discard", "stmatrix"};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if (gx_scan_is(s, list[k])) return true;
    if (gx_scan_is(s, "bar") || gx_scan_is(s, "barrier")) return !gx_scan_has(s, ".red");
    return gx_scan_is(s, "wmma") && gx_scan_has(s, ".store");
}

/* Operands between commas; those of the first are defined, unless nothing is. */
static bool read_operands(gx_checker *c, gx_stmt *s, const char *p, const char *end) {
    int nested = 0;
    bool defines = !defines_nothing(s);
    s->regs = c->n_list;
    s->memory = -1;
    if (gx_scan_is(s, "call")) return true;
    for (const char *from = p; p <= end; p++) {
        if (p < end && strchr("[{(", *p)) nested++;
        if (p < end && strchr("]})", *p)) nested--;
        if (p < end && (*p != ',' || nested)) continue;
        gx_opnd o;
        if (!read_operand(c, from, p, &o)) return false;
        if (o.kind == OPND_MEMORY && s->memory < 0) s->memory = s->n_operand;
        if (s->n_operand < GX_OPERANDS) s->operand[s->n_operand] = o;
        if (s->n_operand++ == 0 && defines) s->n_def = c->n_list - s->regs;
        from = p + 1;
    }
    if (s->n_operand > GX_OPERANDS) s->n_operand = GX_OPERANDS;
    if (s->memory >= GX_OPERANDS) s->memory = -1;
    s->n_use = c->n_list - s->regs - s->n_def;
    if (s->guard >= 0) {
        if (!list_reg(c, s->guard)) return false;
        s->n_use++;
    }
    return true;
}

/* Bytes of one element by the last type in the opcode, times its vector. */
static int access_bytes(const gx_stmt *s) {
    int bits = 0, parts = 1;
    for (int i = 0; i < s->op_length; i++) {
        if (s->op[i] != '.') continue;
        const char *m = s->op + i + 1;
        if (*m == 'v' && isdigit((unsigned char)m[1])) parts = m[1] - '0';
        if ((*m == 'b' || *m == 'u' || *m == 's' || *m == 'f') && isdigit((unsigned char)m[1]))
            bits = (int)strtol(m + 1, NULL, 10);
        if (memcmp(m, "f16x2", 5) == 0 || memcmp(m, "bf16x2", 6) == 0)
            bits = 32;
        else if (memcmp(m, "bf16", 4) == 0)
            bits = 16;
    }
    return bits / 8 * parts;
}

static void find_access(gx_stmt *s) {
    bool load = gx_scan_is(s, "ld"), store = gx_scan_is(s, "st");
    if (!load && !store && !gx_scan_is(s, "atom") && !gx_scan_is(s, "red")) return;
    if (s->memory < 0 || gx_scan_has(s, ".async") || gx_scan_has(s, ".bulk")) return;
    s->where = gx_scan_has(s, ".global")        ? WHERE_GLOBAL
               : gx_scan_has(s, ".shared")      ? WHERE_SHARED
               : gx_scan_has(s, ".shared::cta") ? WHERE_SHARED
               : gx_scan_has(s, ".local")       ? WHERE_LOCAL
               : gx_scan_has(s, ".const")       ? WHERE_CONST
               : gx_scan_has(s, ".param")       ? WHERE_PARAM
                                                : WHERE_GENERIC;
    if (s->where == WHERE_PARAM) return;
    s->bytes = access_bytes(s);
    if (s->bytes) s->access = load ? ACCESS_LOAD : store ? ACCESS_STORE : ACCESS_ATOMIC;
}

/* --- statements --- */

/* .loc file line column[, function_name label, inlined_at file line column]: the outermost place */
static void read_line(gx_checker *c, const char *p, const char *end) {
    const char *line = p;
    for (const char *q = p; q + 10 < end; q++)
        if (memcmp(q, "inlined_at", 10) == 0) line = q + 10;
    while (line < end && !isdigit((unsigned char)*line)) line++;
    char *stop;
    (void)strtol(line, &stop, 10);
    long n = strtol(stop, NULL, 10);
    if (n > 0) c->line = (uint32_t)n;
}

bool gx_scan_variable(const char *p, const char *end, gx_check_variable *out) {
    int bits = 8;
    int64_t count = 1;
    *out = (gx_check_variable){.align = 0};
    for (; p < end && *p != '='; p++) {
        if (*p == '[') {
            char *stop;
            int64_t n = strtoll(p + 1, &stop, 0);
            count = stop == p + 1 ? -1 : count * n;
            continue;
        }
        if (!in_word(*p)) continue;
        const char *word = p;
        while (p < end && in_word(*p)) p++;
        size_t n = (size_t)(p-- - word);
        if (n == 6 && memcmp(word, ".align", 6) == 0) {
            out->align = (int)strtol(p + 1, NULL, 10);
        } else if (*word == '.') {
            if (n > 2 && strchr("busf", word[1]) && isdigit((unsigned char)word[2]))
                bits = bits_of(word, n);
        } else if (!isdigit((unsigned char)*word)) {
            out->name = word;
            out->length = (int)n;
        }
    }
    out->bytes = count < 0 ? -1 : count * bits / 8;
    if (!out->align) out->align = bits / 8;
    return out->name != NULL;
}

static bool add_stmt(gx_checker *c, const gx_stmt *s) {
    if (!gx_check_room(c->rt, &c->stmt, c->n_stmt, &c->stmt_room, sizeof *c->stmt)) return false;
    c->stmt[c->n_stmt++] = *s;
    return true;
}

/* A statement that begins with '.', to its ';' or the end of its line. */
static bool read_directive(gx_checker *c, gx_stmt *s) {
    const char *word;
    size_t n = gx_scan_word(c, &word);
    bool line =
        (n == 4 && memcmp(word, ".loc", 4) == 0) || (n == 5 && memcmp(word, ".file", 5) == 0);
    const char *stop = memchr(c->at, line ? '\n' : ';', (size_t)(c->end - c->at));
    if (!stop) stop = c->end - 1;
    if (line) {
        s->kind = ST_LINE;
        read_line(c, c->at, stop);
    }
    if (n == 4 && memcmp(word, ".reg", 4) == 0 && !add_decls(c, c->at, stop)) return false;
    bool shared = n == 7 && memcmp(word, ".shared", 7) == 0;
    if (shared || (n == 6 && memcmp(word, ".local", 6) == 0)) {
        gx_check_variable v;
        if (gx_scan_variable(c->at, stop, &v) && c->n_object < GX_OBJECTS)
            c->object[c->n_object++] =
                (gx_check_object){.kind = shared ? OBJECT_SHARED : OBJECT_LOCAL,
                                  .param = -1,
                                  .name = v.name,
                                  .length = v.length,
                                  .bytes = v.bytes,
                                  .align = v.align};
    }
    c->at = stop + 1;
    s->length = (int)(c->at - s->from);
    return true;
}

static bool read_instruction(gx_checker *c, gx_stmt *s) {
    const char *word;
    size_t n;
    if (c->at < c->end && *c->at == '@') {
        c->at++;
        s->guard_not = c->at < c->end && *c->at == '!';
        c->at += s->guard_not;
        n = gx_scan_word(c, &word);
        if (!find_reg(c, word, (int)n, &s->guard)) return false;
        gx_scan_blank(c);
    }
    s->op = c->at;
    while (c->at < c->end && (in_word(*c->at) || *c->at == ':')) c->at++;
    s->op_length = (int)(c->at - s->op);
    if (s->op_length > 1 && s->op[s->op_length - 1] == ':') { /* a label */
        s->kind = ST_LABEL;
        s->op_length--;
        s->length = (int)(c->at - s->from);
        return true;
    }
    gx_scan_blank(c);
    if (c->at < c->end && *c->at == ':') {
        s->kind = ST_LABEL;
        s->length = (int)(++c->at - s->from);
        return true;
    }
    const char *stop = memchr(c->at, ';', (size_t)(c->end - c->at));
    if (!stop) stop = c->end - 1;
    s->kind = ST_INSTRUCTION;
    if (!read_operands(c, s, c->at, stop)) return false;
    find_access(s);
    c->at = stop + 1;
    s->length = (int)(c->at - s->from);
    return true;
}

bool gx_scan_body(gx_checker *c) {
    int depth = 1;
    c->n_stmt = c->n_list = c->n_reg = c->n_decl = 0;
    c->line = 0;
    if (c->hash)
        for (int i = 0; i < c->hash_room; i++) c->hash[i] = -1;
    while (depth > 0) {
        gx_scan_blank(c);
        if (c->at >= c->end) return true;
        gx_stmt s = {.from = c->at, .guard = -1, .depth = depth, .memory = -1};
        if (*c->at == '{' || *c->at == '}') {
            bool open = *c->at++ == '{';
            depth += open ? 1 : -1;
            if (!depth) return true;
            s.kind = open ? ST_OPEN : ST_CLOSE;
            s.length = 1;
        } else if (*c->at == ';') {
            c->at++;
            continue;
        } else if (*c->at == '.') {
            if (!read_directive(c, &s)) return false;
        } else {
            const char *before = c->at;
            if (!read_instruction(c, &s)) return false;
            if (c->at == before) c->at++;
        }
        s.line = c->line;
        if (!add_stmt(c, &s)) return false;
    }
    return true;
}
