/* Operands: registers, numbers, addresses, vectors; and how a source becomes the offset of a
   register, numbers included (constants are broadcast once a function). */
#include <stdio.h>
#include <string.h>

#include "runtime/backend/sim/ptx/decode_int.h"

typedef struct gx_const_entry {
    uint64_t bits;
    int32_t at, width; /* width 0: free */
} gx_const_entry;

int32_t gx_ptx_register_bytes(gx_ptx_type type) {
    if (type == PT_PRED) return 8;
    int bytes = gx_ptx_bytes(type);
    return GX_LANES * (bytes < 2 ? 2 : bytes);
}

int32_t gx_ptx_temporary(gx_reader *r, gx_ptx_type type) {
    int32_t at = r->regs;
    r->regs += (gx_ptx_register_bytes(type) + 31) / 32 * 32;
    return at;
}

static bool grow_consts(gx_reader *r) {
    int size = r->const_size ? r->const_size * 2 : 64;
    gx_const_entry *table = gx_alloc_zero(r->rt, (size_t)size * sizeof *table);
    if (!table) return false;
    for (int i = 0; i < r->const_size; i++) {
        const gx_const_entry *e = &r->const_table[i];
        if (!e->width) continue;
        uint32_t k = (uint32_t)((e->bits * UINT64_C(0x9E3779B97F4A7C15)) >> 40);
        while (table[k & (uint32_t)(size - 1)].width) k++;
        table[k & (uint32_t)(size - 1)] = *e;
    }
    gx_free(r->rt, r->const_table);
    r->const_table = table;
    r->const_size = size;
    return true;
}

bool gx_ptx_constant(gx_reader *r, int width, uint64_t bits, int32_t *out) {
    if (width < 8) bits &= (UINT64_C(1) << (8 * width)) - 1;
    if (r->const_count * 2 >= r->const_size && !grow_consts(r)) return false;
    uint32_t mask = (uint32_t)(r->const_size - 1);
    uint32_t k = (uint32_t)((bits * UINT64_C(0x9E3779B97F4A7C15)) >> 40);
    gx_const_entry *e;
    for (;; k++) {
        e = &r->const_table[k & mask];
        if (!e->width) break;
        if (e->width == width && e->bits == bits) {
            *out = e->at;
            return true;
        }
    }
    int32_t bytes = width == 1 ? 32 : GX_LANES * width;
    if (r->const_bytes + bytes + GX_REGISTER_ROOM > r->const_room) {
        int32_t room = r->const_room ? r->const_room * 2 : 4096;
        char *more = gx_realloc(r->rt, r->consts, (size_t)room);
        if (!more) return false;
        r->consts = more;
        r->const_room = room;
    }
    char *to = r->consts + r->const_bytes;
    if (width == 1) { /* a predicate: one mask */
        uint32_t all = bits & 1 ? 0xffffffffu : 0;
        memset(to, 0, 32);
        memcpy(to, &all, 4);
    } else {
        for (int l = 0; l < GX_LANES; l++) memcpy(to + l * width, &bits, (size_t)width);
    }
    e->width = width;
    e->bits = bits;
    e->at = (int32_t)(0x80000000u | (uint32_t)r->const_bytes);
    r->const_bytes += bytes;
    r->const_count++;
    *out = e->at;
    return true;
}

static const struct {
    const char *name;
    uint8_t special;
} specials[] = {
    {"%tid.x", SR_TID_X},
    {"%tid.y", SR_TID_Y},
    {"%tid.z", SR_TID_Z},
    {"%ntid.x", SR_NTID_X},
    {"%ntid.y", SR_NTID_Y},
    {"%ntid.z", SR_NTID_Z},
    {"%ctaid.x", SR_CTAID_X},
    {"%ctaid.y", SR_CTAID_Y},
    {"%ctaid.z", SR_CTAID_Z},
    {"%nctaid.x", SR_NCTAID_X},
    {"%nctaid.y", SR_NCTAID_Y},
    {"%nctaid.z", SR_NCTAID_Z},
    {"%laneid", SR_LANEID},
    {"%warpid", SR_WARPID},
    {"%nwarpid", SR_NWARPID},
    {"%smid", SR_SMID},
    {"%nsmid", SR_NSMID},
    {"%gridid", SR_GRIDID},
    {"%lanemask_eq", SR_MASK_EQ},
    {"%lanemask_le", SR_MASK_LE},
    {"%lanemask_lt", SR_MASK_LT},
    {"%lanemask_ge", SR_MASK_GE},
    {"%lanemask_gt", SR_MASK_GT},
    {"%clock", SR_CLOCK},
    {"%clock64", SR_CLOCK},
    {"%clock_hi", SR_CLOCK_HI},
    {"%globaltimer", SR_CLOCK},
    {"%globaltimer_lo", SR_CLOCK},
    {"%globaltimer_hi", SR_CLOCK_HI},
    {"%dynamic_smem_size", SR_DYNAMIC_SHARED},
    {"%total_smem_size", SR_TOTAL_SHARED},
};

static bool find_special(const char *word, size_t n, int32_t *out) {
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        if (strlen(specials[i].name) == n && memcmp(specials[i].name, word, n) == 0) {
            *out = specials[i].special;
            return true;
        }
    }
    if (n > 7 && memcmp(word, "%envreg", 7) == 0) {
        *out = n != 8 || word[7] < '1' || word[7] > '2' ? SR_ENVREG
               : word[7] == '1'                         ? SR_GRID_HIGH
                                                        : SR_GRID_LOW;
        return true;
    }
    return false;
}

/* %r12 of `.reg .b32 %r<20>`, or a register declared by its own name. */
static const gx_symbol *find_register(gx_reader *r, const char *word, size_t n, int32_t *at) {
    const gx_symbol *s = gx_symbol_find(r, word, n);
    if (s && s->kind == SYM_REGISTER) {
        *at = s->at;
        return s;
    }
    size_t prefix = n;
    int64_t number = 0, scale = 1;
    while (prefix > 0 && word[prefix - 1] >= '0' && word[prefix - 1] <= '9' && n - prefix < 9) {
        number += (word[--prefix] - '0') * scale;
        scale *= 10;
    }
    if (prefix == n) return NULL;
    s = gx_symbol_find(r, word, prefix);
    if (!s || s->kind != SYM_RANGE || number >= s->count) return NULL;
    *at = s->at + (int32_t)number * ((gx_ptx_register_bytes((gx_ptx_type)s->type) + 31) / 32 * 32);
    return s;
}

bool gx_ptx_label(gx_reader *r, const char *word, size_t n, gx_symbol **out) {
    gx_symbol *s = gx_symbol_find(r, word, n);
    if (!s || s->kind != SYM_LABEL) {
        int scope = r->scope;
        r->scope = 1; /* labels belong to the function, whatever braces they stand in */
        bool ok = gx_symbol_add(r, SYM_LABEL, word, n, &s);
        r->scope = scope;
        if (!ok) return false;
        s->at = -1;
    }
    *out = s;
    return true;
}

bool gx_ptx_named(gx_reader *r, gx_ptx_operand *o) {
    const char *word;
    size_t n = gx_ptx_word(r, &word);
    if (n == 0) return gx_ptx_fail(r, "an operand was expected", word, 1);
    if (n == 1 && *word == '_') {
        o->kind = OPERAND_SINK;
        return true;
    }
    if (gx_ptx_is(word, n, "WARP_SZ")) {
        o->kind = OPERAND_NUMBER;
        o->bits = GX_LANES;
        return true;
    }
    const gx_symbol *s = find_register(r, word, n, &o->at);
    if (s) {
        o->kind = OPERAND_REGISTER;
        o->type = s->type;
        return true;
    }
    if (*word == '%' && find_special(word, n, &o->at)) {
        o->kind = OPERAND_SPECIAL;
        o->type = PT_U32;
        return true;
    }
    s = gx_symbol_find(r, word, n);
    gx_symbol *label;
    if (!s && *word != '%') {
        if (!gx_ptx_label(r, word, n, &label)) return false;
        s = label;
    }
    if (!s) return gx_ptx_fail(r, "unknown name", word, n);
    o->kind = OPERAND_SYMBOL;
    o->symbol = s;
    return true;
}

static bool read_offset(gx_reader *r, gx_ptx_operand *o) {
    gx_ptx_operand number = {0};
    gx_ptx_skip(r);
    if (r->at >= r->end || (*r->at != '+' && *r->at != '-')) return true;
    if (*r->at == '+') r->at++;
    if (!gx_ptx_number(r, &number)) return false;
    o->bits += number.bits;
    return true;
}

static bool read_address(gx_reader *r, gx_ptx_operand *o) {
    gx_ptx_skip(r);
    char c = r->at < r->end ? *r->at : 0;
    if ((c >= '0' && c <= '9') || c == '-') {
        if (!gx_ptx_number(r, o)) return false;
        o->at = GX_NO_OPERAND;
    } else {
        const char *from = r->at;
        if (!gx_ptx_named(r, o)) return false;
        int bytes = gx_ptx_bytes((gx_ptx_type)o->type);
        if (o->kind == OPERAND_SYMBOL)
            o->at = GX_NO_OPERAND;
        else if (o->kind != OPERAND_REGISTER || (bytes != 4 && bytes != 8))
            return gx_ptx_fail(r, "an address was expected", from, (size_t)(r->at - from));
        if (!read_offset(r, o)) return false;
    }
    o->kind = OPERAND_ADDRESS;
    return gx_ptx_expect(r, ']');
}

static gx_ptx_operand *next_operand(gx_reader *r, gx_statement *s) {
    if (s->n_operand == GX_MAX_OPERANDS) {
        gx_ptx_fail(r, "too many operands", s->text, strlen(s->opcode));
        return NULL;
    }
    gx_ptx_operand *o = &s->operand[s->n_operand++];
    *o = (gx_ptx_operand){.at = GX_NO_OPERAND, .second = GX_NO_OPERAND};
    return o;
}

static bool read_operand(gx_reader *r, gx_statement *s) {
    gx_ptx_operand *o = next_operand(r, s);
    if (!o) return false;
    if (gx_ptx_accept(r, '[')) return read_address(r, o);
    if (gx_ptx_accept(r, '{')) {
        o->kind = OPERAND_VECTOR;
        int mine = s->n_operand - 1;
        do {
            if (!read_operand(r, s)) return false;
            s->operand[mine].parts++;
        } while (gx_ptx_accept(r, ','));
        return gx_ptx_expect(r, '}');
    }
    if (gx_ptx_accept(r, '!')) o->not = true;
    gx_ptx_skip(r);
    char c = r->at < r->end ? *r->at : 0;
    if ((c >= '0' && c <= '9') || c == '-') return gx_ptx_number(r, o);
    if (!gx_ptx_named(r, o)) return false;
    if (o->kind == OPERAND_SYMBOL && !read_offset(r, o)) return false;
    if (gx_ptx_accept(r, '|')) {
        gx_ptx_operand second = {0};
        gx_ptx_skip(r);
        const char *from = r->at;
        if (!gx_ptx_named(r, &second)) return false;
        if (second.kind != OPERAND_SINK &&
            (second.kind != OPERAND_REGISTER || second.type != PT_PRED))
            return gx_ptx_fail(r, "a predicate was expected", from, (size_t)(r->at - from));
        o->second = second.kind == OPERAND_REGISTER ? second.at : GX_NO_OPERAND;
    }
    return true;
}

bool gx_ptx_operands(gx_reader *r, gx_statement *s) {
    s->n_operand = 0;
    gx_ptx_skip(r);
    if (gx_ptx_accept(r, ';')) return true;
    do {
        if (!read_operand(r, s)) return false;
    } while (gx_ptx_accept(r, ','));
    return gx_ptx_expect(r, ';');
}

/* --- sources --- */

static bool is_float(gx_ptx_type t) {
    return t == PT_F32 || t == PT_F64;
}

/* A register of another width than the instruction's: converted into a temporary. */
static bool fit(gx_reader *r, const gx_statement *s, gx_ptx_type from, gx_ptx_type to, int32_t at,
                int32_t *out) {
    static const char *const names[] = {[2] = "u16", [4] = "u32", [8] = "u64"};
    int have = gx_ptx_bytes(from), want = gx_ptx_bytes(to);
    if ((from == PT_PRED) != (to == PT_PRED))
        return gx_ptx_fail(
            r, from == PT_PRED ? "a predicate as a number in" : "a number as a predicate in",
            s->text, strlen(s->opcode));
    if (have < 2) have = 2;
    if (want < 2) want = 2;
    if (have == want) {
        *out = at;
        return true;
    }
    char name[32];
    snprintf(name, sizeof name, "cvt.%s.%s", names[want], names[have]);
    *out = gx_ptx_temporary(r, to);
    return gx_ptx_lane(r, s, name, *out, at, GX_NO_OPERAND, GX_NO_OPERAND, NULL);
}

/* The address of a variable or a function, in a temporary. */
static bool address_of(gx_reader *r, const gx_statement *s, const gx_ptx_operand *o,
                       gx_ptx_type type, int32_t *out) {
    gx_ins *i;
    const gx_symbol *y = o->symbol;
    bool wide = gx_ptx_bytes(type) == 8;
    const char *name = wide ? "address_u64" : "address_u32";
    int64_t value = o->bits + y->at;
    switch (y->kind) {
    case SYM_VARIABLE:
        value = o->bits + ((int64_t)y->at << GX_SEGMENT_SHIFT);
        break;
    case SYM_FUNCTION:
        value = (int64_t)GX_SEG_CODE << GX_SEGMENT_SHIFT | y->at;
        break;
    case SYM_LOCAL:
        name = "local_u64";
        break;
    case SYM_SHARED:
        gx_ptx_use_shared(r, y);
        break;
    case SYM_ENTRY_PARAM:
        break;
    case SYM_PARAM:
    case SYM_REGISTER:
    case SYM_RANGE:
    case SYM_LABEL:
    case SYM_TARGETS:
    default:
        return gx_ptx_fail(r, "no address can be taken of", y->name, y->length);
    }
    *out = gx_ptx_temporary(r, wide ? PT_U64 : PT_U32);
    if (!gx_ptx_lane(r, s, name, *out, GX_NO_OPERAND, GX_NO_OPERAND, GX_NO_OPERAND, &i))
        return false;
    i->imm = value;
    return true;
}

/* Clocks run: they are read at each use. */
static bool clock_of(gx_reader *r, const gx_statement *s, int special, gx_ptx_type type,
                     int32_t *out) {
    gx_ins *i;
    bool wide = gx_ptx_bytes(type) == 8;
    *out = gx_ptx_temporary(r, wide ? PT_U64 : PT_U32);
    if (!gx_ptx_lane(r, s, wide ? "clock_u64" : "clock_u32", *out, GX_NO_OPERAND, GX_NO_OPERAND,
                     GX_NO_OPERAND, &i))
        return false;
    i->mode = special == SR_CLOCK_HI ? 32 : 0;
    return true;
}

bool gx_ptx_source(gx_reader *r, const gx_statement *s, const gx_ptx_operand *o, gx_ptx_type type,
                   int32_t *out) {
    int width = type == PT_PRED ? 1 : gx_ptx_bytes(type);
    if (type != PT_PRED && width < 2) width = 2;
    if (width > 8)
        return gx_ptx_fail(r, "an operand that is not simulated in", s->text, strlen(s->opcode));
    switch (o->kind) {
    case OPERAND_REGISTER:
        return fit(r, s, (gx_ptx_type)o->type, type, o->at, out);
    case OPERAND_SPECIAL:
        if (o->at == SR_CLOCK || o->at == SR_CLOCK_HI) return clock_of(r, s, o->at, type, out);
        return fit(r, s, PT_U32, type, (int32_t)(0x40000000u | (uint32_t)o->at * GX_LANES * 4),
                   out);
    case OPERAND_NUMBER: {
        uint64_t bits = (uint64_t)o->bits;
        if (is_float(type)) { /* an integer where a float is wanted */
            double d = (double)o->bits;
            float f = (float)d;
            uint32_t u;
            memcpy(&bits, &d, 8);
            memcpy(&u, &f, 4);
            if (type == PT_F32) bits = u;
        }
        return gx_ptx_constant(r, width, bits, out);
    }
    case OPERAND_FLOAT: {
        uint64_t bits = (uint64_t)o->bits;
        if (o->type == PT_F64 && type == PT_F32) {
            double d;
            memcpy(&d, &bits, 8);
            float f = (float)d;
            uint32_t u;
            memcpy(&u, &f, 4);
            bits = u;
        }
        return gx_ptx_constant(r, width, bits, out);
    }
    case OPERAND_SYMBOL:
        return address_of(r, s, o, type, out);
    default:
        return gx_ptx_fail(r, "an operand that is not simulated in", s->text, strlen(s->opcode));
    }
}

/* --- results --- */

bool gx_ptx_writable(const gx_ptx_operand *o, gx_ptx_type type) {
    return o->kind == OPERAND_SINK ||
           (o->kind == OPERAND_REGISTER && (o->type == PT_PRED) == (type == PT_PRED));
}

bool gx_ptx_result(gx_reader *r, const gx_statement *s, const gx_ptx_operand *o, gx_ptx_type type,
                   int32_t *at) {
    bool fits = gx_ptx_writable(o, type) &&
                (o->kind == OPERAND_SINK ||
                 gx_ptx_register_bytes((gx_ptx_type)o->type) == gx_ptx_register_bytes(type));
    if (!fits) return gx_ptx_unknown(r, s);
    *at = o->kind == OPERAND_SINK ? gx_ptx_temporary(r, type) : o->at;
    return true;
}
