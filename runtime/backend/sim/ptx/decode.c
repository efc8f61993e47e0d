/* Instructions to steps of the simulator: the opcode and its modifiers choose a lane operation by
   name (runtime/backend/sim/alu/table.inc) or one of the functions of memory.c and lanes.c.
   Saturation, flushing of subnormals and other roundings become further steps, or wrap the step.
   What is not known is refused by its full name. */
#include <fenv.h>
#include <stdio.h>
#include <string.h>

#include "runtime/backend/sim/ptx/decode_int.h"

bool gx_ptx_emit(gx_reader *r, const gx_statement *s, gx_ins_fn fn, gx_ins **out) {
    gx_ptx_fn *f = r->fn;
    if (f->count == r->room) {
        int room = r->room ? r->room * 2 : 64;
        gx_ins *more = gx_realloc(r->rt, f->code, (size_t)room * sizeof *more);
        if (!more) return false;
        f->code = more;
        r->room = room;
    }
    gx_ins *i = &f->code[f->count++];
    *i = (gx_ins){.fn = fn,
                  .guard = s->guard,
                  .guard_not = s->guard_not,
                  .target = -1,
                  .line = r->line,
                  .file = r->file};
    for (int k = 0; k < GX_INS_OPERANDS; k++) i->op[k] = GX_NO_OPERAND;
    *out = i;
    return true;
}

bool gx_ptx_lane(gx_reader *r, const gx_statement *s, const char *name, int32_t d, int32_t a,
                 int32_t b, int32_t c, gx_ins **out) {
    gx_ins *i;
    gx_ins_fn fn = gx_alu_find(name);
    if (!fn) return gx_ptx_unknown(r, s);
    if (!gx_ptx_emit(r, s, fn, &i)) return false;
    i->op[0] = d;
    i->op[1] = a;
    i->op[2] = b;
    i->op[3] = c;
    if (out) *out = i;
    return true;
}

/* --- what the modifiers of an arithmetic instruction say --- */

typedef struct form {
    char name[64]; /* opcode and the modifiers that choose the lane operation */
    gx_ptx_type type[3];
    int n_type;
    int rounding; /* fegetround's; FE_TONEAREST */
    int integral; /* cvt.rni and the like: 0 … 3, 4 none */
    bool ftz, sat;
    char compare[8];
    int combine; /* 0 none, and or xor */
} form;

static bool among(const char *text, size_t n, const char *list) {
    for (const char *p = list; *p;) {
        size_t m = strcspn(p, " ");
        if (m == n && memcmp(p, text, n) == 0) return true;
        p += m;
        while (*p == ' ') p++;
    }
    return false;
}

static bool read_form(gx_reader *r, const gx_statement *s, form *f) {
    memset(f, 0, sizeof *f);
    f->rounding = FE_TONEAREST;
    f->integral = 4;
    snprintf(f->name, sizeof f->name, "%s", s->opcode);
    for (int k = 0; k < s->n_modifier; k++) {
        const char *m = s->modifier[k];
        size_t n = s->modifier_length[k];
        gx_ptx_type t = gx_ptx_type_of(m, n);
        if (t != PT_NONE) {
            if (f->n_type < 3) f->type[f->n_type++] = t;
        } else if (among(m, n, "rn")) {
            f->rounding = FE_TONEAREST;
        } else if (among(m, n, "rz")) {
            f->rounding = FE_TOWARDZERO;
        } else if (among(m, n, "rm")) {
            f->rounding = FE_DOWNWARD;
        } else if (among(m, n, "rp")) {
            f->rounding = FE_UPWARD;
        } else if (among(m, n, "rna")) {
            return gx_ptx_unknown(r, s);
        } else if (n == 3 && among(m, n, "rni rzi rmi rpi")) {
            f->integral = m[1] == 'n' ? 0 : m[1] == 'z' ? 1 : m[1] == 'm' ? 2 : 3;
        } else if (among(m, n, "ftz")) {
            f->ftz = true;
        } else if (among(m, n, "sat satfinite")) {
            f->sat = true;
        } else if (among(m, n, "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan") &&
                   (s->opcode[0] == 's' && s->opcode[1] == 'e')) {
            snprintf(f->compare, sizeof f->compare, "%.*s", (int)n, m);
        } else if (among(m, n, "and or xor") && s->opcode[0] == 's') {
            f->combine = *m == 'a' ? 1 : *m == 'o' ? 2 : 3;
        } else if (among(m, n, "NaN")) {
            strncat(f->name, ".nan", sizeof f->name - strlen(f->name) - 1);
        } else if (among(m, n, "approx full lo hi wide l r")) {
            size_t at = strlen(f->name);
            snprintf(f->name + at, sizeof f->name - at, ".%.*s", (int)n, m);
        } else if (!among(m, n,
                          "uni cc wrap clamp shiftamt add finite infinite number "
                          "notanumber normal subnormal to global shared local const param "
                          "rc8 f4e b4e ecl ecr rc16 cta")) {
            return gx_ptx_unknown(r, s);
        }
    }
    return true;
}

static void add_type(form *f, gx_ptx_type t) {
    static const char *const names[] = {
        [PT_PRED] = "pred", [PT_B8] = "b8",       [PT_U8] = "u8",         [PT_S8] = "s8",
        [PT_B16] = "b16",   [PT_U16] = "u16",     [PT_S16] = "s16",       [PT_F16] = "f16",
        [PT_BF16] = "bf16", [PT_B32] = "b32",     [PT_U32] = "u32",       [PT_S32] = "s32",
        [PT_F32] = "f32",   [PT_F16X2] = "f16x2", [PT_BF16X2] = "bf16x2", [PT_B64] = "b64",
        [PT_U64] = "u64",   [PT_S64] = "s64",     [PT_F64] = "f64"};
    size_t at = strlen(f->name);
    const char *name = t <= PT_F64 && names[t] ? names[t] : "?";
    snprintf(f->name + at, sizeof f->name - at, ".%s", name);
}

/* The offset that an instruction writes: a register of another width is written by a conversion
   afterwards (finish_result). */
static int32_t result_place(gx_reader *r, const gx_ptx_operand *o, gx_ptx_type type) {
    int have = gx_ptx_bytes((gx_ptx_type)o->type), want = gx_ptx_bytes(type);
    if (have < 2) have = 2;
    if (want < 2) want = 2;
    if (o->kind == OPERAND_SINK || (type != PT_PRED && have != want))
        return gx_ptx_temporary(r, type);
    return o->at;
}

static bool finish_result(gx_reader *r, const gx_statement *s, const gx_ptx_operand *o,
                          gx_ptx_type type, int32_t place) {
    if (o->kind == OPERAND_SINK || place == o->at) return true;
    static const char *const wide[] = {[2] = "u16", [4] = "u32", [8] = "u64"};
    int have = gx_ptx_bytes((gx_ptx_type)o->type), want = gx_ptx_bytes(type);
    char name[32];
    bool sign = type == PT_S8 || type == PT_S16 || type == PT_S32;
    snprintf(name, sizeof name, "cvt.%s.%s%d", wide[have < 2 ? 2 : have], sign ? "s" : "u",
             want == 1 ? 8 : 8 * want);
    return gx_ptx_lane(r, s, name, o->at, place, GX_NO_OPERAND, GX_NO_OPERAND, NULL);
}

/* Flushes a float source to zero into a temporary. */
static bool flush_source(gx_reader *r, const gx_statement *s, gx_ptx_type t, int32_t *at) {
    if (t != PT_F32) return true;
    int32_t to = gx_ptx_temporary(r, PT_F32);
    if (!gx_ptx_lane(r, s, "ftz.f32", to, *at, GX_NO_OPERAND, GX_NO_OPERAND, NULL)) return false;
    *at = to;
    return true;
}

/* d = op(a, b, c) with one to three sources of the given types. */
static bool arithmetic(gx_reader *r, const gx_statement *s, const form *f, gx_ptx_type result,
                       const gx_ptx_type *types, int n, gx_ins **out) {
    int32_t at[3] = {GX_NO_OPERAND, GX_NO_OPERAND, GX_NO_OPERAND};
    if (n < 1 || n > 3 || s->n_operand != n + 1 || !gx_ptx_writable(&s->operand[0], result))
        return gx_ptx_unknown(r, s);
    for (int k = 0; k < n; k++) {
        if (!gx_ptx_source(r, s, &s->operand[k + 1], types[k], &at[k])) return false;
        if (f->ftz && !flush_source(r, s, types[k], &at[k])) return false;
    }
    gx_ins *i;
    int32_t place = result_place(r, &s->operand[0], result);
    if (!gx_ptx_lane(r, s, f->name, place, at[0], at[1], at[2], &i)) return false;
    int index = (int)(i - r->fn->code);
    if (f->rounding != FE_TONEAREST && (result == PT_F32 || result == PT_F64)) {
        i->inner = i->fn;
        i->fn = gx_alu_find("with_rounding");
        i->mode = (uint8_t)0;
        i->imm = f->rounding;
    }
    if (f->ftz && result == PT_F32 &&
        !gx_ptx_lane(r, s, "ftz.f32", place, place, GX_NO_OPERAND, GX_NO_OPERAND, NULL))
        return false;
    if (f->sat && (result == PT_F32 || result == PT_F64) &&
        !gx_ptx_lane(r, s, result == PT_F32 ? "sat.f32" : "sat.f64", place, place, GX_NO_OPERAND,
                     GX_NO_OPERAND, NULL))
        return false;
    if (!finish_result(r, s, &s->operand[0], result, place)) return false;
    *out = &r->fn->code[index];
    return true;
}

static gx_ptx_type wider(gx_ptx_type t) {
    return t == PT_U16 ? PT_U32 : t == PT_S16 ? PT_S32 : t == PT_U32 ? PT_U64 : PT_S64;
}

/* How many sources an instruction of decode_plain has. */
static int sources_of(const char *opcode) {
    size_t n = strlen(opcode);
    if (among(opcode, n,
              "abs neg not cnot brev clz popc bfind rcp sqrt rsqrt ex2 lg2 sin cos tanh"))
        return 1;
    return among(opcode, n, "mad fma bfe sad shf prmt mad24") ? 3 : 2;
}

/* Instructions whose sources and result have one type. */
static bool decode_plain(gx_reader *r, const gx_statement *s) {
    form f;
    gx_ins *i;
    if (!read_form(r, s, &f) || f.n_type < 1) return gx_ptx_unknown(r, s);
    gx_ptx_type t = f.type[0], result = t, types[3] = {t, t, t};
    int n = s->n_operand - 1;
    if (n != sources_of(s->opcode)) return gx_ptx_unknown(r, s);
    if (strstr(f.name, ".wide")) {
        result = wider(t);
        types[2] = result;
    }
    bool shift = strcmp(s->opcode, "shl") == 0 || strcmp(s->opcode, "shr") == 0;
    if (shift) types[1] = PT_U32;
    bool count = among(s->opcode, strlen(s->opcode), "clz popc bfind");
    if (count) result = PT_U32;
    if (strcmp(s->opcode, "bfe") == 0) types[1] = types[2] = PT_U32;
    add_type(&f, t);
    if (!arithmetic(r, s, &f, result, types, n, &i)) return false;
    if (strcmp(s->opcode, "bfind") == 0) i->mode = gx_statement_has(s, "shiftamt");
    if (strcmp(s->opcode, "shf") == 0) i->mode = gx_statement_has(s, "clamp");
    if (strcmp(s->opcode, "prmt") == 0) {
        static const char *const modes[] = {"", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
        for (int k = 1; k < 7; k++)
            if (gx_statement_has(s, modes[k])) i->mode = (uint8_t)k;
    }
    return true;
}

/* add.cc, addc, addc.cc, sub.cc, subc, mad.lo.cc, madc.hi … */
static bool decode_carry(gx_reader *r, const gx_statement *s) {
    form f;
    gx_ins *i;
    if (!read_form(r, s, &f) || f.n_type != 1) return gx_ptx_unknown(r, s);
    gx_ptx_type t = f.type[0], types[3] = {t, t, t};
    bool in = s->opcode[3] == 'c';
    snprintf(f.name, sizeof f.name, "%.3s.cc.%d", s->opcode, 8 * gx_ptx_bytes(t));
    if (!arithmetic(r, s, &f, t, types, s->n_operand - 1, &i)) return false;
    bool signed_high = gx_statement_has(s, "hi") && (t == PT_S32 || t == PT_S64);
    if (signed_high) return gx_ptx_unknown(r, s);
    i->mode = (uint8_t)((in ? 1 : 0) | (gx_statement_has(s, "cc") ? 2 : 0) |
                        (gx_statement_has(s, "hi") ? 4 : 0));
    return true;
}

static bool decode_bfi(gx_reader *r, const gx_statement *s) {
    form f;
    gx_ins *i;
    if (!read_form(r, s, &f) || s->n_operand != 5) return gx_ptx_unknown(r, s);
    gx_ptx_type t = f.type[0], types[4] = {t, t, PT_U32, PT_U32};
    int32_t at[4], to;
    for (int k = 0; k < 4; k++)
        if (!gx_ptx_source(r, s, &s->operand[k + 1], types[k], &at[k])) return false;
    add_type(&f, t);
    if (!gx_ptx_result(r, s, &s->operand[0], t, &to) ||
        !gx_ptx_lane(r, s, f.name, to, at[0], at[1], at[2], &i))
        return false;
    i->op[4] = at[3];
    return true;
}

/* dp4a.s32.u32, vabsdiff4.u32.u32.u32.add */
static bool decode_bytes(gx_reader *r, const gx_statement *s) {
    form f;
    gx_ins *i;
    gx_ptx_type types[3] = {PT_B32, PT_B32, PT_B32};
    if (!read_form(r, s, &f) || s->n_operand != 4) return gx_ptx_unknown(r, s);
    bool dot = s->opcode[0] == 'd';
    if (!dot && (strcmp(s->opcode, "vabsdiff4") != 0 || f.type[0] != PT_U32))
        return gx_ptx_unknown(r, s);
    snprintf(f.name, sizeof f.name, "%s", s->opcode);
    if (!arithmetic(r, s, &f, PT_B32, types, 3, &i)) return false;
    if (dot)
        i->mode = (uint8_t)((f.type[0] == PT_S32 ? 1 : 0) | (f.type[1] == PT_S32 ? 2 : 0) |
                            (gx_statement_has(s, "hi") ? 4 : 0));
    else
        i->mode = gx_statement_has(s, "add");
    return true;
}

static bool decode_predicate(gx_reader *r, const gx_statement *s) {
    form f;
    int32_t a, b = GX_NO_OPERAND, to;
    int sources = among(s->opcode, strlen(s->opcode), "mov not") ? 1 : 2;
    if (!read_form(r, s, &f) || s->n_operand != 1 + sources) return gx_ptx_unknown(r, s);
    add_type(&f, PT_PRED);
    if (!gx_ptx_source(r, s, &s->operand[1], PT_PRED, &a)) return false;
    if (s->n_operand > 2 && !gx_ptx_source(r, s, &s->operand[2], PT_PRED, &b)) return false;
    return gx_ptx_result(r, s, &s->operand[0], PT_PRED, &to) &&
           gx_ptx_lane(r, s, f.name, to, a, b, GX_NO_OPERAND, NULL);
}

static bool decode_logic(gx_reader *r, const gx_statement *s) {
    return gx_statement_has(s, "pred") ? decode_predicate(r, s) : decode_plain(r, s);
}

static bool decode_add(gx_reader *r, const gx_statement *s) {
    bool carries = gx_statement_has(s, "cc") || (strlen(s->opcode) == 4 && s->opcode[3] == 'c');
    return carries ? decode_carry(r, s) : decode_plain(r, s);
}

static bool decode_setp(gx_reader *r, const gx_statement *s) {
    form f;
    int32_t a, b, c = GX_NO_OPERAND, to;
    gx_ins *i;
    bool set = strcmp(s->opcode, "set") == 0;
    if (!read_form(r, s, &f) || !f.compare[0] || s->n_operand < 3) return gx_ptx_unknown(r, s);
    gx_ptx_type t = f.type[set ? 1 : 0];
    if (f.n_type < (set ? 2 : 1)) return gx_ptx_unknown(r, s);
    snprintf(f.name, sizeof f.name, "%s.%s", s->opcode, f.compare);
    add_type(&f, t);
    if (!gx_ptx_source(r, s, &s->operand[1], t, &a) || !gx_ptx_source(r, s, &s->operand[2], t, &b))
        return false;
    if (f.ftz && (!flush_source(r, s, t, &a) || !flush_source(r, s, t, &b))) return false;
    bool half = f.type[0] == PT_F16 || f.type[0] == PT_BF16;
    gx_ptx_type result = !set ? PT_PRED : half ? PT_B16 : PT_B32;
    if (!gx_ptx_result(r, s, &s->operand[0], result, &to)) return false;
    if (set) {
        if (f.combine) return gx_ptx_unknown(r, s);
        if (!gx_ptx_lane(r, s, f.name, to, a, b, GX_NO_OPERAND, &i)) return false;
        i->mode = (uint8_t)f.type[0];
        return true;
    }
    if (f.combine && (s->n_operand != 4 || !gx_ptx_source(r, s, &s->operand[3], PT_PRED, &c)))
        return gx_ptx_unknown(r, s);
    if (!gx_ptx_lane(r, s, f.name, to, s->operand[0].second, a, b, &i)) return false;
    i->op[4] = c;
    i->imm = f.combine | (f.combine && s->operand[3].not ? 8 : 0);
    return true;
}

static bool decode_select(gx_reader *r, const gx_statement *s) {
    form f;
    gx_ins *i;
    if (!read_form(r, s, &f)) return false;
    bool slct = s->opcode[2] == 'c';
    gx_ptx_type types[3] = {f.type[0], f.type[0], slct ? f.type[1] : PT_PRED};
    add_type(&f, f.type[0]);
    if (slct) add_type(&f, f.type[1]);
    return arithmetic(r, s, &f, f.type[0], types, 3, &i);
}

static bool decode_testp(gx_reader *r, const gx_statement *s) {
    static const char *const kinds[] = {"finite",     "infinite", "number",
                                        "notanumber", "normal",   "subnormal"};
    form f;
    gx_ins *i;
    int32_t a, to;
    if (!read_form(r, s, &f) || s->n_operand != 2) return gx_ptx_unknown(r, s);
    add_type(&f, f.type[0]);
    if (!gx_ptx_source(r, s, &s->operand[1], f.type[0], &a) ||
        !gx_ptx_result(r, s, &s->operand[0], PT_PRED, &to) ||
        !gx_ptx_lane(r, s, f.name, to, a, GX_NO_OPERAND, GX_NO_OPERAND, &i))
        return false;
    for (int k = 0; k < 6; k++)
        if (gx_statement_has(s, kinds[k])) i->mode = (uint8_t)k;
    return true;
}

static bool is_integer(gx_ptx_type t) {
    return (t >= PT_B8 && t <= PT_S8) || (t >= PT_B16 && t <= PT_S16) ||
           (t >= PT_B32 && t <= PT_S32) || (t >= PT_B64 && t <= PT_S64);
}

static bool decode_convert(gx_reader *r, const gx_statement *s) {
    form f;
    gx_ins *i;
    if (!read_form(r, s, &f) || f.n_type != 2) return gx_ptx_unknown(r, s);
    gx_ptx_type to = f.type[0], from = f.type[1], types[3] = {from, from, from};
    bool pack = to == PT_F16X2 || to == PT_BF16X2;
    if (is_integer(to) && is_integer(from)) {
        bool narrow = gx_ptx_bytes(to) < gx_ptx_bytes(from) || gx_ptx_bytes(from) > 1;
        if (f.sat && narrow) strncat(f.name, ".sat", sizeof f.name - strlen(f.name) - 1);
    }
    add_type(&f, to);
    add_type(&f, from);
    if (!arithmetic(r, s, &f, to, types, pack ? 2 : 1, &i)) return false;
    if (i->fn != gx_alu_find("with_rounding"))
        i->mode = (uint8_t)f.integral;
    else if (is_integer(to))
        return gx_ptx_unknown(r, s);
    return true;
}

/* mov of vectors: parts packed into a register, or taken out of one. */
static bool decode_pack(gx_reader *r, const gx_statement *s, gx_ptx_type t) {
    const gx_ptx_operand *d = &s->operand[0];
    int whole = 8 * gx_ptx_bytes(t);
    char name[32];
    gx_ins *i;
    int32_t at, part, to;
    if (d->kind == OPERAND_VECTOR) {
        if (s->n_operand != 2 + d->parts) return gx_ptx_unknown(r, s);
        int size = whole / d->parts;
        gx_ptx_type small = size == 32 ? PT_B32 : PT_B16;
        if (!gx_ptx_source(r, s, &s->operand[1 + d->parts], t, &at)) return false;
        snprintf(name, sizeof name, "part_u%d_u%d", size, whole);
        for (int k = 0; k < d->parts; k++) {
            if (s->operand[1 + k].kind == OPERAND_SINK) continue;
            if (!gx_ptx_result(r, s, &s->operand[1 + k], small, &to) ||
                !gx_ptx_lane(r, s, name, to, at, GX_NO_OPERAND, GX_NO_OPERAND, &i))
                return false;
            i->mode = (uint8_t)k;
        }
        return true;
    }
    int parts = s->operand[1].parts, size = whole / parts;
    if (s->n_operand != 2 + parts || !gx_ptx_result(r, s, d, t, &to)) return gx_ptx_unknown(r, s);
    gx_ptx_type small = size == 32 ? PT_B32 : PT_B16;
    if (parts == 2 && size >= 8) {
        int32_t low, high;
        snprintf(name, sizeof name, "pack_u%d_u%d", whole, size);
        return gx_ptx_source(r, s, &s->operand[2], small, &low) &&
               gx_ptx_source(r, s, &s->operand[3], small, &high) &&
               gx_ptx_lane(r, s, name, to, low, high, GX_NO_OPERAND, NULL);
    }
    snprintf(name, sizeof name, "place_u%d_u%d", size, whole);
    int32_t whole_at = gx_ptx_temporary(r, t); /* a part may be of the register itself */
    for (int k = 0; k < parts; k++) {
        if (!gx_ptx_source(r, s, &s->operand[2 + k], small, &part) ||
            !gx_ptx_lane(r, s, name, whole_at, part, GX_NO_OPERAND, GX_NO_OPERAND, &i))
            return false;
        i->mode = (uint8_t)k;
    }
    return gx_ptx_lane(r, s, whole == 32 ? "mov.u32" : "mov.u64", to, whole_at, GX_NO_OPERAND,
                       GX_NO_OPERAND, NULL);
}

static bool decode_mov(gx_reader *r, const gx_statement *s) {
    form f;
    gx_ins *i;
    if (!read_form(r, s, &f) || f.n_type != 1 || s->n_operand < 2) return gx_ptx_unknown(r, s);
    gx_ptx_type t = f.type[0];
    if (s->operand[0].kind == OPERAND_VECTOR || s->operand[1].kind == OPERAND_VECTOR)
        return decode_pack(r, s, t);
    if (t == PT_PRED) return decode_predicate(r, s);
    add_type(&f, t);
    return arithmetic(r, s, &f, t, &t, 1, &i);
}

static bool decode_cvta(gx_reader *r, const gx_statement *s) {
    gx_ins *i;
    int32_t a, d;
    bool wide = gx_statement_has(s, "u64"), to = gx_statement_has(s, "to");
    gx_ptx_type t = wide ? PT_U64 : PT_U32;
    if (s->n_operand != 2 || !gx_ptx_source(r, s, &s->operand[1], t, &a))
        return gx_ptx_unknown(r, s);
    int segment = gx_statement_has(s, "shared")  ? GX_SEG_SHARED
                  : gx_statement_has(s, "local") ? GX_SEG_LOCAL
                  : gx_statement_has(s, "param") ? GX_SEG_PARAM
                                                 : 0;
    if (!wide) return gx_ptx_unknown(r, s);
    const char *name = segment == 0 ? "mov.u64" : to ? "cvta_to_u64" : "cvta_u64";
    if (!gx_ptx_result(r, s, &s->operand[0], t, &d) ||
        !gx_ptx_lane(r, s, name, d, a, GX_NO_OPERAND, GX_NO_OPERAND, &i))
        return false;
    i->mode = (uint8_t)segment;
    return true;
}

/* By opcode, in the order of the alphabet. */
static const gx_ptx_opcode opcodes[] = {
    {"abs", decode_plain},
    {"activemask", gx_decode_together},
    {"add", decode_add},
    {"addc", decode_add},
    {"and", decode_logic},
    {"atom", gx_decode_atomic},
    {"bar", gx_decode_barrier},
    {"barrier", gx_decode_barrier},
    {"bfe", decode_plain},
    {"bfi", decode_bfi},
    {"bfind", decode_plain},
    {"bra", gx_decode_branch},
    {"brev", decode_plain},
    {"brkpt", gx_decode_nothing},
    {"brx", gx_decode_branch},
    {"call", gx_decode_call},
    {"clz", decode_plain},
    {"cnot", decode_plain},
    {"copysign", decode_plain},
    {"cos", decode_plain},
    {"cp", gx_decode_copy},
    {"cvt", decode_convert},
    {"cvta", decode_cvta},
    {"discard", gx_decode_nothing},
    {"div", decode_plain},
    {"dp2a", decode_bytes},
    {"dp4a", decode_bytes},
    {"ex2", decode_plain},
    {"exit", gx_decode_return},
    {"fence", gx_decode_fence},
    {"fma", decode_plain},
    {"ld", gx_decode_memory},
    {"ldu", gx_decode_memory},
    {"lg2", decode_plain},
    {"mad", decode_add},
    {"mad24", decode_plain},
    {"madc", decode_carry},
    {"match", gx_decode_together},
    {"max", decode_plain},
    {"membar", gx_decode_fence},
    {"min", decode_plain},
    {"mov", decode_mov},
    {"mul", decode_plain},
    {"mul24", decode_plain},
    {"nanosleep", gx_decode_nothing},
    {"neg", decode_plain},
    {"not", decode_logic},
    {"or", decode_logic},
    {"popc", decode_plain},
    {"prefetch", gx_decode_nothing},
    {"prefetchu", gx_decode_nothing},
    {"prmt", decode_plain},
    {"rcp", decode_plain},
    {"red", gx_decode_atomic},
    {"redux", gx_decode_together},
    {"rem", decode_plain},
    {"ret", gx_decode_return},
    {"rsqrt", decode_plain},
    {"sad", decode_plain},
    {"selp", decode_select},
    {"set", decode_setp},
    {"setp", decode_setp},
    {"shf", decode_plain},
    {"shfl", gx_decode_together},
    {"shl", decode_plain},
    {"shr", decode_plain},
    {"sin", decode_plain},
    {"slct", decode_select},
    {"sqrt", decode_plain},
    {"st", gx_decode_memory},
    {"sub", decode_add},
    {"subc", decode_add},
    {"tanh", decode_plain},
    {"testp", decode_testp},
    {"trap", gx_decode_return},
    {"vabsdiff4", decode_bytes},
    {"vote", gx_decode_together},
    {"xor", decode_logic},
};

static const gx_ptx_opcode *opcode_of(const gx_ptx_opcode *rows, int n, const char *name) {
    int low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2, order = strcmp(name, rows[middle].name);
        if (order == 0) return &rows[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

static bool decode_one(gx_reader *r, gx_statement *s) {
    if (strcmp(s->opcode, "call") == 0) return gx_decode_call(r, s);
    const gx_ptx_opcode *o = opcode_of(opcodes, sizeof opcodes / sizeof *opcodes, s->opcode);
    if (!o) o = opcode_of(r->others->rows, r->others->n, s->opcode);
    return o ? gx_ptx_operands(r, s) && o->decode(r, s) : gx_ptx_unknown(r, s);
}

bool gx_ptx_decode(gx_reader *r, gx_statement *s) {
    if (decode_one(r, s)) return true;
    return r->refused && gx_ptx_refuse_function(r, s);
}
