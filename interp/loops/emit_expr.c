/* Machine code of expressions. Whatever is rare jumps out of the statement (gx_emit_leave). */
#include "interp/loops/emit_int.h"

#include "interp/loops/lower_int.h"
#include "runtime/object/container/list.h"

static const int scratch[GX_EMIT_DEPTH] = {RCX, RSI, RDI, R8, R9, R10, R11};
enum { TEMP = 7 }; /* xmm7 */

int gx_emit_leave(gx_loop_writer *e) {
    int site = e->step->site;
    if (e->exit_of[site] < 0) e->exit_of[site] = x64_label(&e->x);
    return e->exit_of[site];
}

static int scratch_int(gx_loop_writer *e, int depth) {
    if (depth >= GX_EMIT_DEPTH) e->x.failed = true;
    return scratch[depth < GX_EMIT_DEPTH ? depth : 0];
}

static int scratch_float(gx_loop_writer *e, int depth) {
    if (depth >= GX_EMIT_DEPTH) e->x.failed = true;
    return depth < GX_EMIT_DEPTH ? depth : 0;
}

/* op register, cell */
static void op_cell(gx_loop_writer *e, unsigned op, int reg, int cell) {
    if (e->reg[cell] >= 0) op_rr(&e->x, op, reg, e->reg[cell]);
    else op_rm(&e->x, op, reg, RBP, gx_emit_cell(cell));
}

static int int_of_cell(gx_loop_writer *e, int cell, int depth) {
    if (e->reg[cell] >= 0) return e->reg[cell];
    int r = scratch_int(e, depth);
    op_rm(&e->x, OP_MOV, r, RBP, gx_emit_cell(cell));
    return r;
}

static void check_name(gx_loop_writer *e, const gx_loop_expr *c) {
    int flag = e->l->names[c->name].flag;
    if (flag < 0) return;
    op_mi(&e->x, OP_CMP, RBP, gx_emit_cell(flag), 0);
    x64_jcc(&e->x, CC_E, gx_emit_leave(e));
}

static bool is_small(const gx_loop_expr *c) {
    return c->op == GX_CODE_CONST && c->i == (int32_t)c->i;
}

/* --- places ----------------------------------------------------------------------------------- */
/* The index in a register of its own, wrapped and checked against a count in memory or a register.
 */
static int checked_index(gx_loop_writer *e, const gx_loop_expr *c, int depth, int cell, int base,
                         int32_t disp) {
    x64 *x = &e->x;
    int r = scratch_int(e, depth), ok = x64_label(x);
    mov_rr(x, r, gx_emit_int(e, c, depth));
    for (int again = 0; again < 2; again++) {
        if (cell >= 0) op_cell(e, OP_CMP, r, cell);
        else op_rm(x, OP_CMP, r, base, disp);
        x64_jcc(x, again ? CC_AE : CC_B, again ? gx_emit_leave(e) : ok);
        if (again) break;
        if (cell >= 0) op_cell(e, OP_ADD, r, cell);
        else op_rm(x, OP_ADD, r, base, disp);
    }
    x64_here(x, ok);
    return r;
}

static gx_emit_place element_address(gx_loop_writer *e, const gx_loop_expr *c, int depth) {
    x64 *x = &e->x;
    const gx_loop_name *name = &e->l->names[c->name];
    check_name(e, c);
    int last = c->n - 1, sum = -1;
    for (int k = 0; k < c->n; k++) {
        int at = sum < 0 ? depth : depth + 1;
        int r = checked_index(e, c->list[k], at, name->dims + k, 0, 0);
        if (k == last && name->dense) {
            unsigned scale = name->dtype == GX_bool ? 0 : 3;
            int data = e->reg[name->cell];
            if (sum >= 0 || data < 0) {
                op_cell(e, OP_MOV, RAX, name->cell);
                if (sum >= 0) op_rr(x, OP_ADD, RAX, sum);
                data = RAX;
            }
            return (gx_emit_place){data, r, scale};
        }
        int stride = e->reg[name->strides + k];
        if (stride >= 0) imul_rr(x, r, stride);
        else imul_rm(x, r, RBP, gx_emit_cell(name->strides + k));
        if (sum >= 0) op_rr(x, OP_ADD, sum, r);
        else sum = r;
    }
    op_cell(e, OP_MOV, RAX, name->cell);
    return (gx_emit_place){RAX, sum, 0};
}

static uint64_t header_of(gx_num type) {
    gx_value v = {.tag = GX_INT};
    switch (type) {
    case GX_NUM_BOOL: v.tag = GX_BOOL; break;
    case GX_NUM_FLOAT: v.tag = GX_FLOAT; break;
    case GX_NUM_LIST: v.tag = GX_LIST; break;
    case GX_NUM_NBOOL:
    case GX_NUM_NINT:
    case GX_NUM_NFLOAT:
        v.tag = GX_SCALAR;
        v.dtype = type == GX_NUM_NBOOL ? GX_bool : type == GX_NUM_NINT ? GX_i64 : GX_f64;
        break;
    case GX_NUM_INT:
    case GX_NUM_NONE:
    case GX_NUM_ARRAY: break;
    }
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static gx_emit_place item_address(gx_loop_writer *e, const gx_loop_expr *c, int depth, bool store) {
    x64 *x = &e->x;
    int list = gx_emit_int(e, c->a, depth);
    int at = list == scratch_int(e, depth) ? depth + 1 : depth;
    int r = checked_index(e, c->b, at, -1, list, offsetof(gx_list, count));
    op_rm(x, OP_MOV, RAX, list, offsetof(gx_list, items));
    shift_ri(x, 4, r, 4);
    op_rr(x, OP_ADD, RAX, r);
    if (store) {
        cmp_byte(x, RAX, offsetof(gx_value, tag), GX_FIRST_OBJECT);
        x64_jcc(x, CC_AE, gx_emit_leave(e));
        return (gx_emit_place){RAX, -1, 0};
    }
    uint64_t header = header_of((gx_num)c->type);
    cmp_byte(x, RAX, offsetof(gx_value, tag), header & 255);
    x64_jcc(x, CC_NE, gx_emit_leave(e));
    if ((header & 255) == GX_SCALAR) {
        cmp_word(x, RAX, offsetof(gx_value, dtype), (unsigned)(header >> 16) & 0xFFFF);
        x64_jcc(x, CC_NE, gx_emit_leave(e));
    }
    return (gx_emit_place){RAX, -1, 0};
}

gx_emit_place gx_emit_address(gx_loop_writer *e, const gx_loop_expr *c, int depth, bool store) {
    return c->op == GX_CODE_ELEMENT ? element_address(e, c, depth)
                                    : item_address(e, c, depth, store);
}

void gx_emit_store(gx_loop_writer *e, const gx_loop_expr *target, const gx_loop_expr *value,
                   gx_emit_place at, int reg) {
    x64 *x = &e->x;
    bool is_float = gx_num_is_float((gx_num)value->type);
    if (target->op == GX_CODE_ITEM) {
        mov_ri(x, RDX, (int64_t)header_of((gx_num)value->type));
        op_rm(x, OP_STORE, RDX, at.base, 0);
        if (is_float) sd_rm(x, SD_STORE, reg, at.base, offsetof(gx_value, u));
        else op_rm(x, OP_STORE, reg, at.base, offsetof(gx_value, u));
        return;
    }
    uint16_t d = e->l->names[target->name].dtype;
    if (d == GX_f64 && !is_float) {
        cvtsi2sd(x, TEMP, reg);
        reg = TEMP;
        is_float = true;
    }
    if (at.index < 0) { /* an address that was kept */
        if (is_float) sd_rm(x, SD_STORE, reg, at.base, 0);
        else if (d == GX_bool) {
            mov_ri(x, RDX, 0);
            store_byte(x, reg, at.base, RDX);
        } else op_rm(x, OP_STORE, reg, at.base, 0);
    } else if (is_float) {
        sd_rx(x, SD_STORE, reg, at.base, at.index, at.scale);
    } else if (d == GX_bool) {
        store_byte(x, reg, at.base, at.index);
    } else {
        op_rx(x, OP_STORE, reg, at.base, at.index, at.scale);
    }
}

/* --- truths ----------------------------------------------------------------------------------- */
static void jump_ints(gx_loop_writer *e, const gx_loop_expr *c, bool sense, int label, int depth) {
    static const uint8_t yes[] = {CC_E, CC_NE, CC_L, CC_LE, CC_G, CC_GE};
    int a = gx_emit_int(e, c->a, depth);
    if (is_small(c->b)) {
        op_ri(&e->x, OP_CMP, a, (int32_t)c->b->i);
    } else {
        int b = gx_emit_int(e, c->b, depth + 1);
        op_rr(&e->x, OP_CMP, a, b);
    }
    x64_jcc(&e->x, yes[c->order] ^ !sense, label);
}

/* Comparisons with nan are false, but != is true. */
static void jump_floats(gx_loop_writer *e, const gx_loop_expr *c, bool sense, int label,
                        int depth) {
    x64 *x = &e->x;
    int a = gx_emit_float(e, c->a, depth), b = gx_emit_float(e, c->b, depth + 1);
    bool less = c->order == GX_LT || c->order == GX_LE;
    ucomisd(x, less ? b : a, less ? a : b);
    if (c->order == GX_EQ || c->order == GX_NE) {
        int skip = x64_label(x);
        bool if_equal = (c->order == GX_EQ) == sense;
        x64_jcc(x, CC_P, if_equal ? skip : label);
        x64_jcc(x, if_equal ? CC_E : CC_NE, label);
        x64_here(x, skip);
        return;
    }
    bool or_equal = c->order == GX_LE || c->order == GX_GE;
    x64_jcc(x, sense ? (or_equal ? CC_AE : CC_A) : (or_equal ? CC_B : CC_BE), label);
}

void gx_emit_jump(gx_loop_writer *e, const gx_loop_expr *c, bool sense, int label, int depth) {
    x64 *x = &e->x;
    switch (c->op) {
    case GX_CODE_NOT: gx_emit_jump(e, c->a, !sense, label, depth); return;
    case GX_CODE_BOTH:
    case GX_CODE_EITHER: {
        bool stops = c->op == GX_CODE_EITHER; /* the truth of a that decides */
        if (sense == stops) {
            gx_emit_jump(e, c->a, sense, label, depth);
            gx_emit_jump(e, c->b, sense, label, depth);
        } else {
            int skip = x64_label(x);
            gx_emit_jump(e, c->a, stops, skip, depth);
            gx_emit_jump(e, c->b, sense, label, depth);
            x64_here(x, skip);
        }
        return;
    }
    case GX_CODE_COMPARE:
        if (gx_num_is_float((gx_num)c->a->type)) jump_floats(e, c, sense, label, depth);
        else jump_ints(e, c, sense, label, depth);
        return;
    case GX_CODE_CONST:
        if ((c->i != 0) == sense) x64_jmp(x, label);
        return;
    default: break;
    }
    int r = gx_emit_int(e, c, depth);
    op_rr(x, OP_TEST, r, r);
    x64_jcc(x, sense ? CC_NE : CC_E, label);
}

/* a ? b : c into the scratch register of this depth. */
static int chosen(gx_loop_writer *e, const gx_loop_expr *c, int depth) {
    x64 *x = &e->x;
    bool is_float = gx_num_is_float((gx_num)c->type);
    int other = x64_label(x), end = x64_label(x);
    int r = is_float ? scratch_float(e, depth) : scratch_int(e, depth);
    gx_emit_jump(e, c->a, false, other, depth);
    if (is_float) movaps(x, r, gx_emit_float(e, c->b, depth));
    else mov_rr(x, r, gx_emit_int(e, c->b, depth));
    x64_jmp(x, end);
    x64_here(x, other);
    if (is_float) movaps(x, r, gx_emit_float(e, c->c, depth));
    else mov_rr(x, r, gx_emit_int(e, c->c, depth));
    x64_here(x, end);
    return r;
}

static int truth(gx_loop_writer *e, const gx_loop_expr *c, int depth) {
    x64 *x = &e->x;
    int no = x64_label(x), end = x64_label(x), r = scratch_int(e, depth);
    gx_emit_jump(e, c, false, no, depth);
    mov_ri(x, r, 1);
    x64_jmp(x, end);
    x64_here(x, no);
    mov_ri(x, r, 0);
    x64_here(x, end);
    return r;
}

/* --- ints ------------------------------------------------------------------------------------- */
static int add(gx_loop_writer *e, const gx_loop_expr *c, int depth) {
    x64 *x = &e->x;
    int r = scratch_int(e, depth), a = gx_emit_int(e, c->a, depth);
    bool checked = true;
    unsigned op = OP_ADD;
    switch (c->op) {
    case GX_CODE_SUB: op = OP_SUB; break;
    case GX_CODE_AND: op = OP_AND; checked = false; break;
    case GX_CODE_OR: op = OP_OR; checked = false; break;
    case GX_CODE_XOR: op = OP_XOR; checked = false; break;
    default: break;
    }
    if (is_small(c->b)) {
        mov_rr(x, r, a);
        if (c->op == GX_CODE_MUL) imul_rri(x, r, r, (int32_t)c->b->i);
        else op_ri(x, op, r, (int32_t)c->b->i);
    } else {
        int b = gx_emit_int(e, c->b, depth + 1);
        mov_rr(x, r, a);
        if (c->op == GX_CODE_MUL) imul_rr(x, r, b);
        else op_rr(x, op, r, b);
    }
    if (checked) x64_jcc(x, CC_O, gx_emit_leave(e));
    return r;
}

/* Rounded down, by a positive divisor. */
static int divide(gx_loop_writer *e, const gx_loop_expr *c, int depth) {
    x64 *x = &e->x;
    bool mod = c->op == GX_CODE_MOD;
    int r = scratch_int(e, depth), a = gx_emit_int(e, c->a, depth);
    if (c->b->op == GX_CODE_CONST && c->b->i > 0 && (c->b->i & (c->b->i - 1)) == 0 &&
        c->b->i < (int64_t)1 << 31) {
        mov_rr(x, r, a);
        if (mod) op_ri(x, OP_AND, r, (int32_t)(c->b->i - 1));
        else shift_ri(x, 7, r, (unsigned)__builtin_ctzll((uint64_t)c->b->i));
        return r;
    }
    int b = gx_emit_int(e, c->b, depth + 1), wide = x64_label(x), end = x64_label(x);
    op_rr(x, OP_TEST, b, b);
    x64_jcc(x, CC_LE, gx_emit_leave(e));
    mov_rr(x, RAX, a);
    mov_rr(x, RDX, a);
    op_rr(x, OP_OR, RDX, b);
    shift_ri(x, 5, RDX, 32);
    x64_jcc(x, CC_NE, wide);
    group_f7(x, false, 6, b); /* edx is 0 */
    mov_rr(x, r, mod ? RDX : RAX);
    x64_jmp(x, end);
    x64_here(x, wide);
    put8(x, 0x48);
    put8(x, 0x99); /* cqo */
    group_f7(x, true, 7, b);
    if (mod) {
        mov_rr(x, RAX, RDX);
        shift_ri(x, 7, RAX, 63);
        op_rr(x, OP_AND, RAX, b);
        op_rr(x, OP_ADD, RDX, RAX);
        mov_rr(x, r, RDX);
    } else {
        shift_ri(x, 7, RDX, 63);
        op_rr(x, OP_ADD, RAX, RDX);
        mov_rr(x, r, RAX);
    }
    x64_here(x, end);
    return r;
}

static int shift(gx_loop_writer *e, const gx_loop_expr *c, int depth) {
    x64 *x = &e->x;
    bool left = c->op == GX_CODE_SHL;
    int r = scratch_int(e, depth), a = gx_emit_int(e, c->a, depth);
    int b = gx_emit_int(e, c->b, depth + 1);
    int32_t value = gx_emit_cell(e->spill), result = gx_emit_cell(e->spill + 1);
    op_rm(x, OP_STORE, a, RBP, value);
    mov_rr(x, RAX, b);
    put8(x, 0x48);
    put8(x, 0x91); /* xchg rax, rcx */
    op_ri(x, OP_CMP, RCX, 62);
    x64_jcc(x, CC_A, gx_emit_leave(e));
    op_rm(x, OP_MOV, RDX, RBP, value);
    shift_cl(x, left ? 4 : 7, RDX);
    op_rm(x, OP_STORE, RDX, RBP, result);
    if (left) {
        shift_cl(x, 7, RDX);
        op_rm(x, OP_CMP, RDX, RBP, value);
        x64_jcc(x, CC_NE, gx_emit_leave(e));
    }
    mov_rr(x, RCX, RAX);
    op_rm(x, OP_MOV, r, RBP, result);
    return r;
}

static int without_sign(gx_loop_writer *e, const gx_loop_expr *c, int depth) {
    x64 *x = &e->x;
    int r = scratch_int(e, depth);
    mov_rr(x, r, gx_emit_int(e, c->a, depth));
    if (c->op == GX_CODE_NEG) {
        group_f7(x, true, 3, r);
    } else {
        mov_rr(x, RDX, r);
        shift_ri(x, 7, RDX, 63);
        op_rr(x, OP_XOR, r, RDX);
        op_rr(x, OP_SUB, r, RDX);
    }
    x64_jcc(x, CC_O, gx_emit_leave(e));
    return r;
}

static int cut(gx_loop_writer *e, const gx_loop_expr *c, int depth) {
    x64 *x = &e->x;
    int r = scratch_int(e, depth), v = gx_emit_float(e, c->a, depth);
    if (c->op != GX_CODE_INT) {
        roundsd(x, TEMP, v, c->op == GX_CODE_FLOOR ? 1 : 2);
        v = TEMP;
    }
    cvttsd2si(x, r, v);
    mov_ri(x, RDX, INT64_MIN); /* what does not fit */
    op_rr(x, OP_CMP, r, RDX);
    x64_jcc(x, CC_E, gx_emit_leave(e));
    return r;
}

static int load_int(gx_loop_writer *e, const gx_loop_expr *c, int depth) {
    x64 *x = &e->x;
    int r = scratch_int(e, depth);
    gx_emit_place at = gx_emit_address(e, c, depth, false);
    if (c->op == GX_CODE_ITEM) {
        op_rm(x, OP_MOV, r, at.base, offsetof(gx_value, u));
        if (c->type == GX_NUM_LIST) {
            mov_ri(x, RDX, (int64_t)(uintptr_t)&gx_type_list);
            op_rm(x, OP_CMP, RDX, r, offsetof(gx_obj, type));
            x64_jcc(x, CC_NE, gx_emit_leave(e));
        }
    } else if (c->type == GX_NUM_NBOOL) {
        if (at.scale) e->x.failed = true;
        load_byte(x, r, at.base, at.index);
    } else {
        op_rx(x, OP_MOV, r, at.base, at.index, at.scale);
    }
    return r;
}

int gx_emit_int(gx_loop_writer *e, const gx_loop_expr *c, int depth) {
    x64 *x = &e->x;
    int r = scratch_int(e, depth);
    if (x->failed) return r;
    switch (c->op) {
    case GX_CODE_CONST: mov_ri(x, r, c->i); return r;
    case GX_CODE_NAME: check_name(e, c); return int_of_cell(e, e->l->names[c->name].cell, depth);
    case GX_CODE_ADD:
    case GX_CODE_SUB:
    case GX_CODE_MUL:
    case GX_CODE_AND:
    case GX_CODE_OR:
    case GX_CODE_XOR: return add(e, c, depth);
    case GX_CODE_FLOORDIV:
    case GX_CODE_MOD: return divide(e, c, depth);
    case GX_CODE_SHL:
    case GX_CODE_SHR: return shift(e, c, depth);
    case GX_CODE_NEG:
    case GX_CODE_ABS: return without_sign(e, c, depth);
    case GX_CODE_INT:
    case GX_CODE_FLOOR:
    case GX_CODE_CEIL: return cut(e, c, depth);
    case GX_CODE_COMPARE:
    case GX_CODE_NOT:
    case GX_CODE_BOTH:
    case GX_CODE_EITHER: return truth(e, c, depth);
    case GX_CODE_CHOOSE: return chosen(e, c, depth);
    case GX_CODE_ELEMENT:
    case GX_CODE_ITEM: return load_int(e, c, depth);
    case GX_CODE_LENGTH:
        if (c->a->type == GX_NUM_ARRAY) {
            check_name(e, c->a);
            return int_of_cell(e, e->l->names[c->a->name].dims, depth);
        }
        op_rm(x, OP_MOV, r, gx_emit_int(e, c->a, depth), offsetof(gx_list, count));
        return r;
    default: x->failed = true; return r;
    }
}

/* --- floats ----------------------------------------------------------------------------------- */
static int constant(gx_loop_writer *e, double value) {
    for (int i = 0; i < e->constants; i++)
        if (memcmp(&e->constant[i].value, &value, sizeof value) == 0) return e->constant[i].label;
    if (e->constants == GX_EMIT_CONSTANTS) {
        e->x.failed = true;
        return 0;
    }
    e->constant[e->constants].value = value;
    return e->constant[e->constants++].label = x64_label(&e->x);
}

static int arithmetic(gx_loop_writer *e, const gx_loop_expr *c, int depth) {
    x64 *x = &e->x;
    int r = scratch_float(e, depth), a = gx_emit_float(e, c->a, depth);
    unsigned op = c->op == GX_CODE_ADD   ? SD_ADD
                  : c->op == GX_CODE_SUB ? SD_SUB
                  : c->op == GX_CODE_MUL ? SD_MUL
                                         : SD_DIV;
    if (c->b->op == GX_CODE_CONST && !(op == SD_DIV && c->b->f == 0)) {
        movaps(x, r, a);
        sd_label(x, op, r, constant(e, c->b->f));
        return r;
    }
    int b = gx_emit_float(e, c->b, depth + 1);
    if (op == SD_DIV) {
        zero_sd(x, TEMP);
        ucomisd(x, b, TEMP);
        x64_jcc(x, CC_E, gx_emit_leave(e)); /* 0 or nan */
    }
    movaps(x, r, a);
    sd_rr(x, op, r, b);
    return r;
}

static void finite(gx_loop_writer *e, int r) {
    x64 *x = &e->x;
    movq_from_sd(x, RAX, r);
    shift_ri(x, 4, RAX, 1);
    shift_ri(x, 5, RAX, 53);
    op_ri(x, OP_CMP, RAX, 0x7FF);
    x64_jcc(x, CC_E, gx_emit_leave(e));
}

static int call(gx_loop_writer *e, const gx_loop_expr *c, int depth) {
    x64 *x = &e->x;
    int r = scratch_float(e, depth), a = gx_emit_float(e, c->a, depth), b = 1;
    if (c->op == GX_CODE_CALL2) b = gx_emit_float(e, c->b, depth + 1);
    for (int i = 0; i < e->l->cell_count; i++)
        if (e->l->is_float[i] && e->reg[i] >= 0)
            sd_rm(x, SD_STORE, e->reg[i], RBP, gx_emit_cell(i));
    for (int i = 0; i < depth; i++) {
        op_rm(x, OP_STORE, scratch[i], RBP, gx_emit_cell(e->spill + i));
        sd_rm(x, SD_STORE, i, RBP, gx_emit_cell(e->spill + GX_EMIT_DEPTH + i));
    }
    movaps(x, 0, a);
    movaps(x, 1, b);
    int64_t fn;
    if (c->op == GX_CODE_CALL1) memcpy(&fn, &c->call1, sizeof fn);
    else memcpy(&fn, &c->call2, sizeof fn);
    mov_ri(x, RAX, fn);
    put8(x, 0xFF);
    put8(x, 0xD0); /* call rax */
    movaps(x, r, 0);
    for (int i = 0; i < depth; i++) {
        op_rm(x, OP_MOV, scratch[i], RBP, gx_emit_cell(e->spill + i));
        sd_rm(x, SD_LOAD, i, RBP, gx_emit_cell(e->spill + GX_EMIT_DEPTH + i));
    }
    for (int i = 0; i < e->l->cell_count; i++)
        if (e->l->is_float[i] && e->reg[i] >= 0)
            sd_rm(x, SD_LOAD, e->reg[i], RBP, gx_emit_cell(i));
    return r;
}

static int sign(gx_loop_writer *e, const gx_loop_expr *c, int depth) {
    x64 *x = &e->x;
    int r = scratch_float(e, depth);
    movq_from_sd(x, RAX, gx_emit_float(e, c->a, depth));
    bit_ri(x, c->op == GX_CODE_NEG ? 7 : 6, RAX, 63);
    movq_to_sd(x, r, RAX);
    return r;
}

static int from_int(gx_loop_writer *e, const gx_loop_expr *c, int depth) {
    x64 *x = &e->x;
    int v = gx_emit_int(e, c->a, depth), r = scratch_float(e, depth);
    if (c->exact && c->a->type != GX_NUM_BOOL) {
        mov_rr(x, RAX, v);
        shift_ri(x, 7, RAX, 53);
        op_ri(x, OP_ADD, RAX, 1);
        op_ri(x, OP_CMP, RAX, 1);
        x64_jcc(x, CC_A, gx_emit_leave(e));
    }
    cvtsi2sd(x, r, v);
    return r;
}

int gx_emit_float(gx_loop_writer *e, const gx_loop_expr *c, int depth) {
    x64 *x = &e->x;
    int r = scratch_float(e, depth), a;
    if (x->failed) return r;
    switch (c->op) {
    case GX_CODE_CONST: sd_label(x, SD_LOAD, r, constant(e, c->f)); return r;
    case GX_CODE_NAME: {
        int cell = e->l->names[c->name].cell;
        check_name(e, c);
        if (e->reg[cell] >= 0) return e->reg[cell];
        sd_rm(x, SD_LOAD, r, RBP, gx_emit_cell(cell));
        return r;
    }
    case GX_CODE_FLOAT: return from_int(e, c, depth);
    case GX_CODE_ADD:
    case GX_CODE_SUB:
    case GX_CODE_MUL:
    case GX_CODE_DIV: return arithmetic(e, c, depth);
    case GX_CODE_NEG:
    case GX_CODE_ABS: return sign(e, c, depth);
    case GX_CODE_SQRT:
        a = gx_emit_float(e, c->a, depth);
        zero_sd(x, TEMP);
        ucomisd(x, a, TEMP);
        x64_jcc(x, CC_B, gx_emit_leave(e)); /* below 0, or nan */
        sd_rr(x, SD_SQRT, r, a);
        return r;
    case GX_CODE_CHOOSE: return chosen(e, c, depth);
    case GX_CODE_FINITE:
        a = gx_emit_float(e, c->a, depth);
        finite(e, a);
        return a;
    case GX_CODE_CALL1:
    case GX_CODE_CALL2: return call(e, c, depth);
    case GX_CODE_ELEMENT: {
        gx_emit_place at = gx_emit_address(e, c, depth, false);
        sd_rx(x, SD_LOAD, r, at.base, at.index, at.scale);
        return r;
    }
    case GX_CODE_ITEM: {
        gx_emit_place at = gx_emit_address(e, c, depth, false);
        sd_rm(x, SD_LOAD, r, at.base, offsetof(gx_value, u));
        return r;
    }
    default: x->failed = true; return r;
    }
}
