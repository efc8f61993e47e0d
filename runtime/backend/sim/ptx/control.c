/* The decoder's second half: memory, atomics, branches, calls, barriers, and what the lanes of a
   warp do together. */
#include <string.h>

#include "runtime/backend/sim/ptx/decode_int.h"

static gx_sim_space space_of(const gx_statement *s) {
    static const struct {
        const char *name;
        uint8_t space;
    } spaces[] = {{"global", SP_GLOBAL}, {"shared", SP_SHARED}, {"shared::cta", SP_SHARED},
                  {"local", SP_LOCAL},   {"const", SP_CONST},   {"param", SP_PARAM}};
    for (size_t k = 0; k < sizeof spaces / sizeof *spaces; k++)
        if (gx_statement_has(s, spaces[k].name)) return (gx_sim_space)spaces[k].space;
    return SP_GENERIC;
}

static gx_ptx_type last_type(const gx_statement *s) {
    for (int k = s->n_modifier - 1; k >= 0; k--) {
        gx_ptx_type t = gx_ptx_type_of(s->modifier[k], s->modifier_length[k]);
        if (t != PT_NONE) return t;
    }
    return PT_NONE;
}

/* The address operand into op[4] and imm; the symbol decides a .param's kind. */
static bool set_address(gx_reader *r, const gx_statement *s, const gx_ptx_operand *o, gx_ins *i) {
    i->imm = o->bits;
    if (o->kind != OPERAND_ADDRESS) return gx_ptx_unknown(r, s);
    if (!o->symbol) {
        if (i->space == SP_PARAM && r->fn->entry) i->space = SP_ENTRY_PARAM;
        i->op[4] = o->at;
        if (o->at != GX_NO_OPERAND && gx_ptx_bytes((gx_ptx_type)o->type) == 4)
            i->mode |= SHORT_BASE;
        return true;
    }
    const gx_symbol *y = o->symbol;
    switch (y->kind) {
    case SYM_ENTRY_PARAM:
        i->space = SP_ENTRY_PARAM;
        i->imm += y->at;
        return true;
    case SYM_PARAM:
        i->space = SP_PARAM;
        i->imm += y->at;
        return true;
    case SYM_LOCAL:
        i->mode |= ADD_LOCAL;
        i->imm += y->at;
        return true;
    case SYM_SHARED:
        gx_ptx_use_shared(r, y);
        i->imm += y->at;
        return true;
    case SYM_VARIABLE:
        i->imm += (int64_t)y->at << GX_SEGMENT_SHIFT;
        return true;
    default:
        return gx_ptx_fail(r, "no memory is named", y->name, y->length);
    }
}

/* The registers of an operand, one or a vector's, as offsets. Sources may be numbers. */
static bool set_registers(gx_reader *r, const gx_statement *s, int first, gx_ptx_type t, bool load,
                          int32_t *at, int *count, int *bytes) {
    const gx_ptx_operand *o = &s->operand[first];
    int n = o->kind == OPERAND_VECTOR ? o->parts : 1;
    if (o->kind == OPERAND_VECTOR) o++;
    if (n != 1 && n != 2 && n != 4) return gx_ptx_unknown(r, s);
    *bytes = gx_ptx_bytes(t) < 2 ? 2 : gx_ptx_bytes(t);
    for (int k = 0; k < n; k++)
        if (o[k].kind == OPERAND_REGISTER && gx_ptx_bytes((gx_ptx_type)o[k].type) > *bytes)
            *bytes = gx_ptx_bytes((gx_ptx_type)o[k].type);
    gx_ptx_type wide = *bytes == 2 ? PT_B16 : *bytes == 4 ? PT_B32 : PT_B64;
    for (int k = 0; k < n; k++) {
        bool ok = load || o[k].kind == OPERAND_SINK
                      ? gx_ptx_result(r, s, &o[k], wide, &at[k])
                      : gx_ptx_source(r, s, &o[k], o[k].kind == OPERAND_FLOAT ? t : wide, &at[k]);
        if (!ok) return false;
    }
    *count = n;
    return true;
}

/* How others may see it, and how small it is: what watch.c wants to know. */
static void set_access(gx_reader *r, const gx_statement *s, gx_ins *i, gx_sim_access access) {
    static const struct {
        const char *name;
        uint8_t order;
    } rows[] = {{"volatile", ORDER_VOLATILE},
                {"relaxed", ORDER_VOLATILE},
                {"mmio", ORDER_VOLATILE},
                {"acquire", ORDER_VOLATILE | ORDER_ACQUIRE},
                {"release", ORDER_VOLATILE | ORDER_RELEASE},
                {"acq_rel", ORDER_VOLATILE | ORDER_ACQUIRE | ORDER_RELEASE}};
    if (i->space == SP_LOCAL || i->space == SP_PARAM || i->space == SP_ENTRY_PARAM ||
        i->space == SP_CONST)
        return;
    i->access = (uint8_t)access;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (gx_statement_has(s, rows[k].name)) i->order |= rows[k].order;
    if (i->order && i->space != SP_SHARED) r->fn->uses_atomics = true;
    int bytes = gx_ptx_bytes((gx_ptx_type)i->type);
    uint8_t shift = bytes == 1 ? 0 : bytes == 2 ? 1 : 2;
    if (i->space != SP_GLOBAL && shift < r->sim->shared_shift) r->sim->shared_shift = shift;
    if (i->space != SP_SHARED && shift < r->sim->global_shift) r->sim->global_shift = shift;
}

bool gx_ptx_address(gx_reader *r, const gx_statement *s, const gx_ptx_operand *o,
                    gx_ptx_type type, gx_ins *i) {
    i->space = (uint8_t)space_of(s);
    i->type = (uint8_t)type;
    i->op[4] = GX_NO_OPERAND;
    if (!set_address(r, s, o, i)) return false;
    set_access(r, s, i, ACCESS_NONE);
    return true;
}

/* Other blocks' shared memory, and stores that tell of their end. */
static bool of_cluster(const gx_statement *s) {
    return gx_statement_has(s, "shared::cluster") || gx_statement_has(s, "async");
}

bool gx_decode_memory(gx_reader *r, const gx_statement *s) {
    bool load = s->opcode[0] == 'l';
    gx_ptx_type t = last_type(s);
    int32_t at[4] = {GX_NO_OPERAND, GX_NO_OPERAND, GX_NO_OPERAND, GX_NO_OPERAND};
    int count, bytes;
    gx_ins *i;
    int operands = s->n_operand - gx_statement_has(s, "L2::cache_hint");
    if (t == PT_NONE || t == PT_PRED || t == PT_B128 || operands < 2 || of_cluster(s))
        return gx_ptx_unknown(r, s);
    int address = load ? operands - 1 : 0;
    if (!set_registers(r, s, load ? 0 : 1, t, load, at, &count, &bytes)) return false;
    if (!gx_ptx_emit(r, s, load ? gx_mem_load : gx_mem_store, &i)) return false;
    memcpy(i->op, at, sizeof at);
    i->type = (uint8_t)t;
    i->space = (uint8_t)space_of(s);
    i->width = (uint8_t)count;
    i->mode = (uint8_t)bytes;
    if (!set_address(r, s, &s->operand[address], i)) return false;
    set_access(r, s, i, load ? ACCESS_LOAD : ACCESS_STORE);
    if (load) i->used = r->used;
    r->used = 0;
    return true;
}

bool gx_decode_atomic(gx_reader *r, const gx_statement *s) {
    static const char *const names[] = {"add", "inc", "dec", "min",  "max",
                                        "and", "or",  "xor", "exch", "cas"};
    bool result = s->opcode[0] == 'a';
    int first = result ? 2 : 1, kind = -1;
    int32_t value, other = GX_NO_OPERAND, to = GX_NO_OPERAND;
    gx_ptx_type t = last_type(s);
    gx_ins *i;
    for (int k = 0; k < 10; k++)
        if (gx_statement_has(s, names[k])) kind = k;
    int operands = s->n_operand - gx_statement_has(s, "L2::cache_hint");
    if (kind < 0 || t == PT_NONE || t == PT_PRED || of_cluster(s) ||
        operands != first + 1 + (kind == 9) || s->operand[first].kind == OPERAND_VECTOR)
        return gx_ptx_unknown(r, s);
    if (!gx_ptx_source(r, s, &s->operand[first], t, &value)) return false;
    if (kind == 9 && !gx_ptx_source(r, s, &s->operand[first + 1], t, &other)) return false;
    if (result && !gx_ptx_result(r, s, &s->operand[0], t, &to)) return false;
    if (!gx_ptx_emit(r, s, gx_mem_atomic, &i)) return false;
    i->op[0] = to;
    i->op[1] = value;
    i->op[2] = other;
    i->type = (uint8_t)t;
    i->space = (uint8_t)space_of(s);
    i->width = (uint8_t)kind;
    if (kind == 9) r->sim->swaps = true;
    i->mode = 0;
    if (i->space != SP_SHARED) r->fn->uses_atomics = true;
    if (!set_address(r, s, &s->operand[first - 1], i)) return false;
    set_access(r, s, i, ACCESS_ATOMIC);
    return true;
}

/* cp.async copies at once: later than it may, never earlier. */
bool gx_decode_copy(gx_reader *r, const gx_statement *s) {
    gx_ins *i;
    if (!gx_statement_has(s, "async") || gx_statement_has(s, "bulk") ||
        gx_statement_has(s, "mbarrier"))
        return gx_ptx_unknown(r, s);
    if (gx_statement_has(s, "commit_group") || gx_statement_has(s, "wait_group") ||
        gx_statement_has(s, "wait_all"))
        return gx_decode_nothing(r, s);
    if (s->n_operand < 3 || s->operand[2].kind != OPERAND_NUMBER) return gx_ptx_unknown(r, s);
    int32_t filled = GX_NO_OPERAND;
    if (s->n_operand > 3 && !gx_ptx_source(r, s, &s->operand[3], PT_U32, &filled)) return false;
    if (!gx_ptx_emit(r, s, gx_mem_copy_async, &i)) return false;
    gx_ins source = *i;
    if (!set_address(r, s, &s->operand[0], i) || !set_address(r, s, &s->operand[1], &source))
        return false;
    i->op[0] = i->op[4];
    i->op[1] = source.op[4];
    i->op[2] = filled;
    i->width = (uint8_t)s->operand[2].bits;
    i->site = gx_arena_alloc(r->arena, sizeof *i->site);
    if (!i->site) return false;
    i->site->arg[0] = (int32_t)i->imm;
    i->site->arg[1] = i->mode & SHORT_BASE;
    i->imm = source.imm;
    i->mode = source.mode;
    i->access = ACCESS_COPY;
    return true;
}

bool gx_decode_branch(gx_reader *r, const gx_statement *s) {
    gx_ins *i;
    bool table = s->opcode[2] == 'x';
    int32_t index = GX_NO_OPERAND;
    const gx_ptx_operand *to = &s->operand[table ? 1 : 0];
    if (s->n_operand != (table ? 2 : 1) || to->kind != OPERAND_SYMBOL ||
        to->symbol->kind != (table ? SYM_TARGETS : SYM_LABEL))
        return gx_ptx_unknown(r, s);
    if (table && !gx_ptx_source(r, s, &s->operand[0], PT_U32, &index)) return false;
    if (!gx_ptx_emit(r, s, gx_alu_find("nothing"), &i)) return false;
    i->flow = table ? FLOW_TABLE : FLOW_BRANCH;
    i->op[1] = index;
    if (!table) return gx_label_use(r, to->symbol, r->fn->count - 1, NULL);
    i->site = to->symbol->site;
    return i->site != NULL;
}

bool gx_decode_return(gx_reader *r, const gx_statement *s) {
    gx_ins *i;
    if (!gx_ptx_emit(r, s, gx_alu_find("nothing"), &i)) return false;
    i->flow = s->opcode[0] == 't'   ? FLOW_TRAP
              : s->opcode[0] == 'e' ? FLOW_EXIT
              : r->fn->entry        ? FLOW_EXIT
                                    : FLOW_RETURN;
    return true;
}

bool gx_decode_nothing(gx_reader *r, const gx_statement *s) {
    (void)r;
    (void)s;
    return true; /* hints change nothing */
}

/* Stores are seen by all threads at once; a fence matters to who watches. */
bool gx_decode_fence(gx_reader *r, const gx_statement *s) {
    gx_ins *i;
    if (!gx_ptx_emit(r, s, gx_alu_find("nothing"), &i)) return false;
    i->access = ACCESS_FENCE;
    return true;
}

/* A .param of a call by its name. */
static bool call_param(gx_reader *r, int32_t *at, int32_t *bytes) {
    const char *word;
    size_t n = gx_ptx_word(r, &word);
    const gx_symbol *y = gx_symbol_find(r, word, n);
    if (!y || y->kind != SYM_PARAM) return gx_ptx_fail(r, "unknown parameter", word, n);
    *at = y->at;
    *bytes = y->bytes;
    return true;
}

/* call.uni (retval0), name, (param0, param1), prototype; */
bool gx_decode_call(gx_reader *r, const gx_statement *s) {
    gx_call_site *site = gx_arena_alloc(r->arena, sizeof *site);
    gx_ptx_operand callee = {.at = GX_NO_OPERAND};
    gx_ins *i;
    if (!site) return false;
    if (gx_ptx_accept(r, '(')) {
        if (!call_param(r, &site->result, &site->result_bytes)) return false;
        site->n_result = 1;
        if (!gx_ptx_expect(r, ')') || !gx_ptx_expect(r, ',')) return false;
    }
    gx_ptx_skip(r);
    const char *from = r->at;
    if (!gx_ptx_named(r, &callee)) return false;
    if (gx_ptx_accept(r, ',')) {
        if (gx_ptx_accept(r, '(') && !gx_ptx_accept(r, ')')) {
            do {
                if (site->n_arg == 32) return gx_ptx_fail(r, "too many arguments", from, 20);
                if (!call_param(r, &site->arg[site->n_arg], &site->arg_bytes[site->n_arg]))
                    return false;
                site->n_arg++;
            } while (gx_ptx_accept(r, ','));
            if (!gx_ptx_expect(r, ')')) return false;
        }
        const char *prototype;
        if (gx_ptx_accept(r, ',')) gx_ptx_word(r, &prototype);
    }
    if (!gx_ptx_expect(r, ';') || !gx_ptx_emit(r, s, gx_alu_find("nothing"), &i)) return false;
    i->flow = FLOW_CALL;
    i->site = site;
    if (callee.kind == OPERAND_REGISTER && gx_ptx_bytes((gx_ptx_type)callee.type) == 8)
        i->op[1] = callee.at;
    else if (callee.kind == OPERAND_SYMBOL && callee.symbol->kind == SYM_FUNCTION)
        i->target = callee.symbol->at;
    else
        return gx_ptx_fail(r, "no function is called", from, (size_t)(r->at - from));
    return true;
}

/* bar.sync a{, b}; bar.red.popc.u32 d, a{, b}, p; bar.arrive a, b; bar.warp.sync mask */
bool gx_decode_barrier(gx_reader *r, const gx_statement *s) {
    gx_ins *i;
    int at = 0, last = s->n_operand;
    int32_t op[5] = {GX_NO_OPERAND, GX_NO_OPERAND, GX_NO_OPERAND, GX_NO_OPERAND, GX_NO_OPERAND};
    bool reduce = gx_statement_has(s, "red"), not = false;
    if (gx_statement_has(s, "cluster")) return gx_ptx_unknown(r, s);
    if (gx_statement_has(s, "warp")) {
        if (s->n_operand != 1 || !gx_ptx_source(r, s, &s->operand[0], PT_B32, &op[4]) ||
            !gx_ptx_emit(r, s, gx_alu_find("nothing"), &i))
            return gx_ptx_unknown(r, s);
        i->flow = FLOW_CONVERGE;
        i->op[4] = op[4];
        return true;
    }
    if (reduce) {
        if (last < 3) return gx_ptx_unknown(r, s);
        if (!gx_ptx_result(r, s, &s->operand[at++], gx_statement_has(s, "popc") ? PT_U32 : PT_PRED,
                           &op[0]))
            return false;
        not = s->operand[--last].not ;
        if (!gx_ptx_source(r, s, &s->operand[last], PT_PRED, &op[3])) return false;
    }
    if (at >= last || !gx_ptx_source(r, s, &s->operand[at++], PT_U32, &op[1]))
        return gx_ptx_unknown(r, s);
    if (at < last && !gx_ptx_source(r, s, &s->operand[at++], PT_U32, &op[2])) return false;
    if (!gx_ptx_emit(r, s, gx_alu_find("nothing"), &i)) return false;
    memcpy(i->op, op, sizeof op);
    i->flow = gx_statement_has(s, "arrive") ? FLOW_ARRIVE : FLOW_BARRIER;
    i->mode = !reduce ? 0 : gx_statement_has(s, "popc") ? 1 : gx_statement_has(s, "and") ? 2 : 3;
    i->imm = not ;
    return true;
}

static int choose(const gx_statement *s, const char *const *names, int n) {
    for (int k = 0; k < n; k++)
        if (gx_statement_has(s, names[k])) return k;
    return -1;
}

/* shfl.sync.down.b32 d|p, a, b, c, mask; vote.sync.ballot.b32 d, p, mask; match; redux; activemask.
   Without .sync the mask is all lanes. */
bool gx_decode_together(gx_reader *r, const gx_statement *s) {
    static const char *const shuffles[] = {"up", "down", "bfly", "idx"};
    static const char *const votes[] = {"all", "any", "uni", "ballot"};
    enum { BALLOT = 3 };
    static const char *const matches[] = {"any", "all"};
    static const char *const folds[] = {"add", "min", "max", "and", "or", "xor"};
    bool shuffle = s->opcode[0] == 's', vote = s->opcode[0] == 'v', match = s->opcode[0] == 'm';
    gx_ptx_type t = last_type(s);
    gx_ins *i;
    int32_t to;
    if (s->opcode[0] == 'a') {
        if (s->n_operand != 1 || !gx_ptx_result(r, s, &s->operand[0], PT_B32, &to) ||
            !gx_ptx_emit(r, s, gx_lane_active, &i))
            return gx_ptx_unknown(r, s);
        i->op[0] = to;
        return true;
    }
    int sources = shuffle ? 3 : 1, kind = shuffle ? choose(s, shuffles, 4)
                                          : vote  ? choose(s, votes, 4)
                                          : match ? choose(s, matches, 2)
                                                  : choose(s, folds, 6);
    bool synced = gx_statement_has(s, "sync");
    if (kind < 0 || s->n_operand != 1 + sources + synced) return gx_ptx_unknown(r, s);
    int32_t at[3] = {GX_NO_OPERAND, GX_NO_OPERAND, GX_NO_OPERAND}, mask;
    gx_ptx_type source = shuffle ? PT_B32 : vote ? PT_PRED : t;
    for (int k = 0; k < sources; k++)
        if (!gx_ptx_source(r, s, &s->operand[1 + k], k ? PT_U32 : source, &at[k])) return false;
    gx_ptx_operand all = {.kind = OPERAND_NUMBER, .bits = 0xffffffff};
    const gx_ptx_operand *m = synced ? &s->operand[1 + sources] : &all;
    if (!gx_ptx_source(r, s, m, PT_B32, &mask)) return false;
    if (!gx_ptx_result(r, s, &s->operand[0], vote && kind != BALLOT ? PT_PRED : PT_B32, &to))
        return false;
    if (!gx_ptx_emit(r, s,
                     shuffle ? gx_lane_shuffle
                     : vote  ? gx_lane_vote
                     : match ? gx_lane_match
                             : gx_lane_redux,
                     &i))
        return false;
    i->op[0] = to;
    memcpy(&i->op[1], at, sizeof at);
    i->op[4] = mask;
    i->target = s->operand[0].second;
    i->mode = (uint8_t)kind;
    i->type = (uint8_t)t;
    i->imm = s->operand[1].not ;
    i->flow = synced ? FLOW_CONVERGE : FLOW_NEXT;
    return true;
}
