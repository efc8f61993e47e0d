/* The text of PTX: words, numbers, names. Names live in a hash table of chains; leaving a pair of
   braces forgets the names declared inside. Nothing is copied but names. */
#include <stdlib.h>
#include <string.h>

#include "runtime/backend/sim/ptx/read_int.h"

bool gx_ptx_fail(gx_reader *r, const char *what, const char *text, size_t length) {
    int line = 1;
    for (const char *p = r->start; p < text && p < r->end; p++) line += *p == '\n';
    if (length > 80) length = 80;
    if (text >= r->start && text <= r->end && length > (size_t)(r->end - text))
        length = (size_t)(r->end - text);
    return gx_fail(r->rt, GX_RuntimeError, "sim.ptx", "%s: %.*s (line %d of the PTX)", what,
                   (int)length, text, line);
}

void gx_ptx_skip(gx_reader *r) {
    for (;;) {
        while (r->at < r->end && (unsigned char)*r->at <= ' ') r->at++;
        if (r->end - r->at < 2 || r->at[0] != '/') return;
        if (r->at[1] == '/') {
            const char *line = memchr(r->at, '\n', (size_t)(r->end - r->at));
            r->at = line ? line + 1 : r->end;
        } else if (r->at[1] == '*') {
            const char *p = r->at + 2;
            while (p + 1 < r->end && !(p[0] == '*' && p[1] == '/')) p++;
            r->at = p + 1 < r->end ? p + 2 : r->end;
        } else {
            return;
        }
    }
}

bool gx_ptx_accept(gx_reader *r, char c) {
    gx_ptx_skip(r);
    if (r->at >= r->end || *r->at != c) return false;
    r->at++;
    return true;
}

bool gx_ptx_expect(gx_reader *r, char c) {
    if (gx_ptx_accept(r, c)) return true;
    char what[] = "'?' was expected before";
    what[1] = c;
    size_t left = (size_t)(r->end - r->at);
    return gx_ptx_fail(r, what, r->at, left < 20 ? left : 20);
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '%' || c == '.';
}

size_t gx_ptx_word(gx_reader *r, const char **word) {
    gx_ptx_skip(r);
    *word = r->at;
    while (r->at < r->end && is_word(*r->at)) r->at++;
    return (size_t)(r->at - *word);
}

/* 0f3F800000 and 0d3FF0000000000000 are bits; others are C's integers, with or without U. */
bool gx_ptx_number(gx_reader *r, gx_ptx_operand *out) {
    gx_ptx_skip(r);
    bool minus = r->at < r->end && *r->at == '-';
    if (minus) r->at++;
    const char *word;
    size_t n = gx_ptx_word(r, &word);
    char text[40];
    if (n == 0 || n >= sizeof text) return gx_ptx_fail(r, "a number was expected", word, n);
    memcpy(text, word, n);
    text[n] = 0;
    char *stop;
    if (text[0] == '0' && strchr("fFdD", text[1]) && n > 2) {
        bool wide = text[1] == 'd' || text[1] == 'D';
        out->kind = OPERAND_FLOAT;
        out->type = wide ? PT_F64 : PT_F32;
        out->bits = (int64_t)strtoull(text + 2, &stop, 16);
        if (minus) out->bits ^= wide ? INT64_MIN : INT64_C(0x80000000);
    } else if (strchr(text, '.') || (text[1] != 'x' && text[1] != 'X' && strpbrk(text, "eE"))) {
        double d = strtod(text, &stop);
        out->kind = OPERAND_FLOAT;
        out->type = PT_F64;
        if (minus) d = -d;
        memcpy(&out->bits, &d, sizeof d);
    } else {
        int base = text[0] == '0' && (text[1] == 'b' || text[1] == 'B') ? 2 : 0;
        uint64_t u = strtoull(text + (base == 2 ? 2 : 0), &stop, base);
        out->kind = OPERAND_NUMBER;
        out->type = PT_B64;
        out->bits = (int64_t)(minus ? 0 - u : u);
        if (*stop == 'U') stop++;
    }
    return *stop == 0 || gx_ptx_fail(r, "not a number", word, n);
}

/* --- names --- */

static uint32_t hash_of(const char *name, size_t length) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)name[i]) * 16777619u;
    return h;
}

gx_symbol *gx_symbol_find(gx_reader *r, const char *name, size_t length) {
    if (!r->table_size) return NULL;
    uint32_t h = hash_of(name, length);
    for (gx_symbol *s = r->table[h & (r->table_size - 1)]; s; s = s->next)
        if (s->hash == h && s->length == length && memcmp(s->name, name, length) == 0) return s;
    return NULL;
}

static bool grow(gx_reader *r) {
    uint32_t size = r->table_size ? r->table_size * 2 : 256;
    gx_symbol **table = gx_alloc_zero(r->rt, size * sizeof *table);
    if (!table) return false;
    for (uint32_t i = 0; i < r->table_size; i++) {
        /* chains keep their order: the innermost name of a chain stays first */
        gx_symbol *chain = NULL, *next;
        for (gx_symbol *s = r->table[i]; s; s = next) {
            next = s->next;
            s->next = chain;
            chain = s;
        }
        for (gx_symbol *s = chain; s; s = next) {
            next = s->next;
            s->next = table[s->hash & (size - 1)];
            table[s->hash & (size - 1)] = s;
        }
    }
    gx_free(r->rt, r->table);
    r->table = table;
    r->table_size = size;
    return true;
}

bool gx_symbol_add(gx_reader *r, gx_symbol_kind kind, const char *name, size_t length,
                   gx_symbol **out) {
    if (r->symbols >= r->table_size && !grow(r)) return false;
    gx_symbol *s = gx_arena_alloc(r->arena, sizeof *s);
    char *copy = gx_arena_copy(r->arena, name, length);
    if (!s || !copy) return false;
    *s = (gx_symbol){.name = copy,
                     .length = (uint32_t)length,
                     .hash = hash_of(name, length),
                     .kind = (uint8_t)kind,
                     .scope = r->scope};
    gx_symbol **chain = &r->table[s->hash & (r->table_size - 1)];
    s->next = *chain;
    *chain = s;
    r->symbols++;
    *out = s;
    return true;
}

void gx_symbols_leave(gx_reader *r, int scope) {
    for (uint32_t i = 0; i < r->table_size; i++) {
        gx_symbol **at = &r->table[i];
        while (*at) {
            if ((*at)->scope > scope) {
                *at = (*at)->next;
                r->symbols--;
            } else {
                at = &(*at)->next;
            }
        }
    }
}

gx_ptx_type gx_ptx_type_of(const char *text, size_t length) {
    static const struct {
        const char *name;
        uint8_t type;
    } types[] = {{"pred", PT_PRED}, {"b8", PT_B8},       {"u8", PT_U8},         {"s8", PT_S8},
                 {"b16", PT_B16},   {"u16", PT_U16},     {"s16", PT_S16},       {"f16", PT_F16},
                 {"bf16", PT_BF16}, {"b32", PT_B32},     {"u32", PT_U32},       {"s32", PT_S32},
                 {"f32", PT_F32},   {"f16x2", PT_F16X2}, {"bf16x2", PT_BF16X2}, {"b64", PT_B64},
                 {"u64", PT_U64},   {"s64", PT_S64},     {"f64", PT_F64},       {"b128", PT_B128}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == length && memcmp(types[i].name, text, length) == 0)
            return (gx_ptx_type)types[i].type;
    return PT_NONE;
}
