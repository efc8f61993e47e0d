/* Instructions that ordinary kernels have no use for, inline assembly and alloca aside: each has
   its decoder and its work here, lane by lane. Hints about caches change nothing. */
#include <stdlib.h>
#include <string.h>

#include "runtime/backend/sim/ptx/decode_int.h"

enum { MOST_STACK = 512 << 10 };

#define REG(T, n) ((T *)gx_operand_at(w, i->op[n]))
#define EACH_LANE(l)                                                                               \
    for (uint32_t left_ = mask, l; left_ && (l = (uint32_t)__builtin_ctz(left_), true);            \
         left_ &= left_ - 1)

static void put_predicate(const gx_sim_warp *w, int32_t at, uint32_t mask, uint32_t bits) {
    if (at == GX_NO_OPERAND) return;
    uint32_t *p = gx_operand_at(w, at);
    *p = (*p & ~mask) | (bits & mask);
}

/* --- bits --- */

static uint32_t nth_set(uint32_t bits, uint32_t base, int32_t offset) {
    if (offset == 0) return base < 32 && bits >> base & 1 ? base : UINT32_MAX;
    int64_t left = offset > 0 ? offset : -(int64_t)offset;
    for (int64_t at = base; at >= 0 && at<32; at += offset> 0 ? 1 : -1)
        if (bits >> at & 1 && --left == 0) return (uint32_t)at;
    return UINT32_MAX;
}

static void run_fns(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    EACH_LANE(l)
    REG(uint32_t, 0)[l] = nth_set(REG(uint32_t, 1)[l], REG(uint32_t, 2)[l], REG(int32_t, 3)[l]);
}

/* The lowest n bits; mode: n goes round at 32, or stays there. */
static uint32_t low_bits(uint32_t n, bool wrap) {
    if (wrap) n &= 31;
    return n >= 32 ? UINT32_MAX : (1u << n) - 1;
}

static void run_bmsk(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    EACH_LANE(l) {
        uint32_t at = REG(uint32_t, 1)[l], bits = low_bits(REG(uint32_t, 2)[l], i->mode);
        if (i->mode) at &= 31;
        REG(uint32_t, 0)[l] = at > 31 ? 0 : bits << at;
    }
}

static void run_szext(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    EACH_LANE(l) {
        uint32_t n = REG(uint32_t, 2)[l], keep = low_bits(n, i->mode);
        uint32_t v = REG(uint32_t, 1)[l] & keep;
        bool negative = i->type == PT_S32 && v & (keep ^ keep >> 1);
        REG(uint32_t, 0)[l] = negative ? v | ~keep : v;
    }
}

static void run_lop3(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    uint32_t some = 0, q = *REG(uint32_t, 4);
    EACH_LANE(l) {
        uint32_t a = REG(uint32_t, 1)[l], b = REG(uint32_t, 2)[l], c = REG(uint32_t, 3)[l], r = 0;
        for (int k = 0; k < 8; k++)
            if (i->imm >> k & 1) r |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
        REG(uint32_t, 0)[l] = r;
        if (r) some |= 1u << l;
    }
    if (i->width) q = ~q;
    put_predicate(w, i->target, mask, i->mode ? some & q : some | q);
}

static bool decode_bits(gx_reader *r, const gx_statement *s, gx_ins_fn fn) {
    int32_t at[3] = {GX_NO_OPERAND, GX_NO_OPERAND, GX_NO_OPERAND}, to;
    gx_ins *i;
    int n = s->n_operand - 1;
    if (n != (fn == run_fns ? 3 : 2)) return gx_ptx_unknown(r, s);
    for (int k = 0; k < n; k++)
        if (!gx_ptx_source(r, s, &s->operand[k + 1], PT_B32, &at[k])) return false;
    if (!gx_ptx_result(r, s, &s->operand[0], PT_B32, &to) || !gx_ptx_emit(r, s, fn, &i))
        return false;
    i->op[0] = to;
    memcpy(&i->op[1], at, sizeof at);
    i->mode = gx_statement_has(s, "wrap");
    i->type = gx_statement_has(s, "s32") ? PT_S32 : PT_U32;
    return true;
}

/* lop3.b32 d, a, b, c, table; lop3.or.b32 d|p, a, b, c, table, q */
static bool decode_lop3(gx_reader *r, const gx_statement *s) {
    int32_t at[3], q = GX_NO_OPERAND, to;
    gx_ins *i;
    bool conjoined = gx_statement_has(s, "and"), folded = conjoined || gx_statement_has(s, "or");
    if (s->n_operand != 5 + folded || s->operand[4].kind != OPERAND_NUMBER)
        return gx_ptx_unknown(r, s);
    for (int k = 0; k < 3; k++)
        if (!gx_ptx_source(r, s, &s->operand[k + 1], PT_B32, &at[k])) return false;
    if (!gx_ptx_result(r, s, &s->operand[0], PT_B32, &to)) return false;
    if (!folded) {
        if (!gx_ptx_lane(r, s, "lop3.b32", to, at[0], at[1], at[2], &i)) return false;
        i->imm = s->operand[4].bits;
        return true;
    }
    if (!gx_ptx_source(r, s, &s->operand[5], PT_PRED, &q) || !gx_ptx_emit(r, s, run_lop3, &i))
        return false;
    i->op[0] = to;
    memcpy(&i->op[1], at, sizeof at);
    i->op[4] = q;
    i->target = s->operand[0].second;
    i->imm = s->operand[4].bits;
    i->mode = conjoined;
    i->width = s->operand[5].not ;
    return true;
}

/* --- where an address lies --- */

static void run_isspacep_const(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    const gx_sim *sim = w->block->run->sim;
    uint32_t bits = 0;
    EACH_LANE(l) {
        uint64_t segment = REG(uint64_t, 1)[l] >> GX_SEGMENT_SHIFT;
        bool constant = false;
        for (int k = 0; k < sim->n_variable; k++)
            if (sim->variable[k].constant && (uint64_t)sim->variable[k].segment == segment)
                constant = true;
        if (constant == (i->mode != 0)) bits |= 1u << l;
    }
    put_predicate(w, i->op[0], mask, bits);
}

static bool decode_isspacep(gx_reader *r, const gx_statement *s) {
    gx_ins *i;
    int32_t a, to;
    bool constant = gx_statement_has(s, "const"),
         shared = gx_statement_has(s, "shared") || gx_statement_has(s, "shared::cta");
    bool known = constant || shared || gx_statement_has(s, "local") ||
                 gx_statement_has(s, "global") || gx_statement_has(s, "param");
    if (s->n_operand != 2 || !known || !gx_ptx_source(r, s, &s->operand[1], PT_U64, &a) ||
        !gx_ptx_result(r, s, &s->operand[0], PT_PRED, &to))
        return gx_ptx_unknown(r, s);
    if (constant) {
        if (!gx_ptx_emit(r, s, run_isspacep_const, &i)) return false;
        i->op[0] = to;
        i->op[1] = a;
        i->mode = 1;
        return true;
    }
    if (!gx_ptx_lane(r, s, "isspacep", to, a, GX_NO_OPERAND, GX_NO_OPERAND, &i)) return false;
    i->mode = shared                         ? SP_SHARED
              : gx_statement_has(s, "local") ? SP_LOCAL
              : gx_statement_has(s, "param") ? SP_PARAM
                                             : SP_GLOBAL;
    return true;
}

/* --- one lane for all --- */

static void run_elect(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    uint32_t leader = (uint32_t)__builtin_ctz(mask);
    EACH_LANE(l) REG(uint32_t, 0)[l] = leader;
    put_predicate(w, i->target, mask, 1u << leader);
}

/* elect.sync d|p, mask */
static bool decode_elect(gx_reader *r, const gx_statement *s) {
    gx_ins *i;
    int32_t mask, to;
    if (s->n_operand != 2 || !gx_statement_has(s, "sync") ||
        !gx_ptx_source(r, s, &s->operand[1], PT_B32, &mask) ||
        !gx_ptx_result(r, s, &s->operand[0], PT_B32, &to) || !gx_ptx_emit(r, s, run_elect, &i))
        return gx_ptx_unknown(r, s);
    i->op[0] = to;
    i->target = s->operand[0].second;
    i->op[4] = mask;
    i->flow = FLOW_CONVERGE;
    return true;
}

/* --- memory on a lane's stack --- */

static void write_address(gx_sim_warp *w, const gx_ins *i, uint32_t lane, uint64_t v) {
    if (i->width == 8)
        REG(uint64_t, 0)[lane] = v;
    else
        REG(uint32_t, 0)[lane] = (uint32_t)v;
}

static uint64_t read_size(const gx_sim_warp *w, const gx_ins *i, uint32_t lane) {
    return i->width == 8 ? REG(uint64_t, 1)[lane] : REG(uint32_t, 1)[lane];
}

/* Room for `bytes` a lane; false: there is none. */
static bool grow_stack(gx_sim_warp *w, uint64_t bytes) {
    if (bytes <= (uint64_t)w->stack_room) return true;
    if (bytes > MOST_STACK) return false;
    int32_t room = 1024;
    while ((uint64_t)room < bytes) room *= 2;
    char *more = gx_outside_zero(w->block->run->rt, (size_t)GX_LANES * (size_t)room);
    if (!more) {
        w->block->run->no_memory = w->block->run->stop = true;
        return false;
    }
    for (int l = 0; l < GX_LANES && w->stack; l++)
        memcpy(more + (size_t)l * (size_t)room, w->stack + (size_t)l * (size_t)w->stack_room,
               (size_t)w->stack_room);
    gx_outside_free(w->block->run->rt, w->stack);
    w->stack = more;
    w->stack_room = room;
    return true;
}

static void run_alloca(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    EACH_LANE(l) {
        uint64_t size = read_size(w, i, l), align = (uint64_t)i->imm;
        uint64_t at = (w->top[l] + align - 1) / align * align;
        if (size > MOST_STACK || !grow_stack(w, at + size)) {
            if (!w->block->run->no_memory) gx_fault_add(w, i, (int)l, GX_FAULT_STACK, 0, 0, false);
            w->block->failed = true;
            return;
        }
        w->top[l] = (uint32_t)(at + size);
        write_address(w, i, l, GX_LOCAL_STACK + at);
    }
}

static void run_stacksave(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    EACH_LANE(l) write_address(w, i, l, GX_LOCAL_STACK + (uint64_t)w->top[l]);
}

static void run_stackrestore(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    EACH_LANE(l) {
        uint64_t at = read_size(w, i, l) - GX_LOCAL_STACK;
        if (at <= w->top[l]) w->top[l] = (uint32_t)at;
    }
}

/* stacksave.u64 d; stackrestore.u64 a; alloca.u64 d, size{, align} */
static bool decode_stack(gx_reader *r, const gx_statement *s) {
    bool save = strcmp(s->opcode, "stacksave") == 0, make = s->opcode[0] == 'a';
    bool wide = gx_statement_has(s, "u64");
    gx_ptx_type size = wide ? PT_U64 : PT_U32;
    int32_t a = GX_NO_OPERAND, to = GX_NO_OPERAND;
    gx_ins *i;
    int64_t align = 8;
    if (make && s->n_operand == 3 && s->operand[2].kind == OPERAND_NUMBER)
        align = s->operand[2].bits;
    else if (s->n_operand != 1 + make)
        return gx_ptx_unknown(r, s);
    if (align < 1 || align > 4096) return gx_ptx_unknown(r, s);
    if (!save && !gx_ptx_source(r, s, &s->operand[make], size, &a)) return false;
    if ((save || make) && !gx_ptx_result(r, s, &s->operand[0], size, &to)) return false;
    if (!gx_ptx_emit(r, s, save ? run_stacksave : make ? run_alloca : run_stackrestore, &i))
        return false;
    i->op[0] = to;
    i->op[1] = a;
    i->imm = align;
    i->width = wide ? 8 : 4;
    return true;
}

/* --- hints --- */

static void run_policy(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    EACH_LANE(l) REG(uint64_t, 0)[l] = 0;
}

/* createpolicy gives a register that only hints read. */
static bool decode_policy(gx_reader *r, const gx_statement *s) {
    gx_ins *i;
    int32_t to;
    if (s->n_operand < 1 || !gx_statement_has(s, "b64") ||
        !gx_ptx_result(r, s, &s->operand[0], PT_B64, &to) || !gx_ptx_emit(r, s, run_policy, &i))
        return gx_ptx_unknown(r, s);
    i->op[0] = to;
    return true;
}

static bool decode_rare(gx_reader *r, const gx_statement *s) {
    const char *name = s->opcode;
    if (strcmp(name, "fns") == 0) return decode_bits(r, s, run_fns);
    if (strcmp(name, "bmsk") == 0) return decode_bits(r, s, run_bmsk);
    if (strcmp(name, "szext") == 0) return decode_bits(r, s, run_szext);
    if (strcmp(name, "elect") == 0) return decode_elect(r, s);
    if (strcmp(name, "createpolicy") == 0) return decode_policy(r, s);
    if (strcmp(name, "applypriority") == 0 || strcmp(name, "pmevent") == 0) return true;
    return decode_stack(r, s);
}

/* In the order of the alphabet. */
static const gx_ptx_opcode opcodes[] = {
    {"alloca", decode_rare},
    {"applypriority", decode_rare},
    {"bmsk", decode_rare},
    {"createpolicy", decode_rare},
    {"elect", decode_rare},
    {"fns", decode_rare},
    {"isspacep", decode_isspacep},
    {"ldmatrix", gx_decode_matrix},
    {"lop3", decode_lop3},
    {"mma", gx_decode_matrix},
    {"pmevent", decode_rare},
    {"stackrestore", decode_rare},
    {"stacksave", decode_rare},
    {"stmatrix", gx_decode_matrix},
    {"szext", decode_rare},
    {"wmma", gx_decode_matrix},
};

const struct gx_ptx_opcodes gx_sim_opcodes = {sizeof opcodes / sizeof *opcodes, opcodes};
