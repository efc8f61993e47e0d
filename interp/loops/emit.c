/* Machine code of statements, for x86-64. The code is a function of the cells and of an address in
   it where it begins or goes on; it returns what gx_loop_run says. */
#include "interp/loops/emit_int.h"

#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "interp/loops/lower_int.h"

/* --- which cells live in registers ------------------------------------------------------------ */
static void weigh_code(gx_lowered *l, const gx_loop_expr *c, double w) {
    if (!c) return;
    weigh_code(l, c->a, w);
    weigh_code(l, c->b, w);
    weigh_code(l, c->c, w);
    for (int i = 0; i < c->n; i++) weigh_code(l, c->list[i], w);
    if (c->op != GX_CODE_NAME && c->op != GX_CODE_ELEMENT) return;
    const gx_loop_name *name = &l->names[c->name];
    l->weight[name->cell] += w;
    for (int i = 0; c->op == GX_CODE_ELEMENT && i < name->ndim; i++) {
        l->weight[name->dims + i] += w;
        if (i < name->ndim - 1 || !name->dense) l->weight[name->strides + i] += w;
    }
}

static void weigh(gx_lowered *l, const gx_loop_stmt *s) {
    for (; s; s = s->next) {
        double w = 1;
        for (int i = 0; i < s->depth; i++) w *= 8;
        weigh_code(l, s->test, s->kind == GX_STMT_WHILE ? 8 * w : w);
        for (int i = 0; i < s->n; i++) {
            weigh_code(l, s->values[i], w);
            weigh_code(l, s->targets[i], w);
            if (s->n > 1) l->weight[s->held[i]] += 2 * w;
        }
        if (s->kind == GX_STMT_FOR) {
            l->weight[s->at] += 16 * w;
            l->weight[s->left] += 16 * w;
            weigh_code(l, s->targets[0], 8 * w);
        }
        weigh(l, s->body);
        weigh(l, s->other);
    }
}

static void choose_registers(gx_loop_writer *e) {
    static const int8_t ints[] = {RBX, R12, R13, R14, R15},
                        floats[] = {8, 9, 10, 11, 12, 13, 14, 15};
    gx_lowered *l = e->l;
    for (int kind = 0; kind < 2; kind++) {
        for (int k = 0; k < (kind ? 8 : 5); k++) {
            int best = -1;
            for (int i = 0; i < l->cell_count; i++)
                if (l->is_float[i] == (kind == 1) && e->reg[i] < 0 && l->weight[i] > 0 &&
                    (best < 0 || l->weight[i] > l->weight[best]))
                    best = i;
            if (best >= 0) e->reg[best] = kind ? floats[k] : ints[k];
        }
    }
}

/* Moves all cells that live in registers. */
static void move_cells(gx_loop_writer *e, bool store) {
    for (int i = 0; i < e->l->cell_count; i++) {
        if (e->reg[i] < 0) continue;
        if (e->l->is_float[i])
            sd_rm(&e->x, store ? SD_STORE : SD_LOAD, e->reg[i], RBP, gx_emit_cell(i));
        else
            op_rm(&e->x, store ? OP_STORE : OP_MOV, e->reg[i], RBP, gx_emit_cell(i));
    }
}

/* --- assignments ------------------------------------------------------------------------------ */
static void set_cell(gx_loop_writer *e, int cell, int reg) {
    x64 *x = &e->x;
    int own = e->reg[cell];
    if (e->l->is_float[cell]) {
        if (own >= 0) movaps(x, own, reg);
        else sd_rm(x, SD_STORE, reg, RBP, gx_emit_cell(cell));
    } else {
        if (own >= 0) mov_rr(x, own, reg);
        else op_rm(x, OP_STORE, reg, RBP, gx_emit_cell(cell));
    }
}

static void set_name(gx_loop_writer *e, const gx_loop_expr *target, int reg) {
    const gx_loop_name *name = &e->l->names[target->name];
    set_cell(e, name->cell, reg);
    if (name->flag >= 0) mov_mi(&e->x, RBP, gx_emit_cell(name->flag), 1);
}

static int value(gx_loop_writer *e, const gx_loop_expr *c, int depth) {
    return gx_num_is_float((gx_num)c->type) ? gx_emit_float(e, c, depth) : gx_emit_int(e, c, depth);
}

static int get_cell(gx_loop_writer *e, int cell, bool is_float, int reg) {
    if (e->reg[cell] >= 0) return e->reg[cell];
    if (is_float) sd_rm(&e->x, SD_LOAD, reg, RBP, gx_emit_cell(cell));
    else op_rm(&e->x, OP_MOV, reg, RBP, gx_emit_cell(cell));
    return reg;
}

/* Several targets: all values and all places are found before anything is stored. */
static void assign_many(gx_loop_writer *e, const gx_loop_stmt *s) {
    x64 *x = &e->x;
    for (int i = 0; i < s->n; i++) set_cell(e, s->held[i], value(e, s->values[i], 0));
    for (int i = 0; i < s->n; i++) {
        if (s->targets[i]->op == GX_CODE_NAME) continue;
        gx_emit_place at = gx_emit_address(e, s->targets[i], 0, true);
        if (at.index >= 0) op_rx(x, OP_LEA, RAX, at.base, at.index, at.scale);
        op_rm(x, OP_STORE, RAX, RBP, gx_emit_cell(s->places[i]));
    }
    for (int i = 0; i < s->n; i++) {
        bool is_float = gx_num_is_float((gx_num)s->values[i]->type);
        int reg = get_cell(e, s->held[i], is_float, is_float ? 0 : RCX);
        if (s->targets[i]->op == GX_CODE_NAME) {
            set_name(e, s->targets[i], reg);
            continue;
        }
        op_rm(x, OP_MOV, RAX, RBP, gx_emit_cell(s->places[i]));
        gx_emit_store(e, s->targets[i], s->values[i], (gx_emit_place){RAX, -1, 0}, reg);
    }
}

static void assign(gx_loop_writer *e, const gx_loop_stmt *s) {
    if (s->n > 1) {
        assign_many(e, s);
        return;
    }
    int reg = value(e, s->values[0], 0);
    if (s->targets[0]->op == GX_CODE_NAME) {
        set_name(e, s->targets[0], reg);
        return;
    }
    gx_emit_place at = gx_emit_address(e, s->targets[0], 1, true);
    gx_emit_store(e, s->targets[0], s->values[0], at, reg);
}

/* --- loops ------------------------------------------------------------------------------------ */
static void block(gx_loop_writer *e, const gx_loop_stmt *s);

/* What each round ends with: gx_must_stop. */
static void must_stop(gx_loop_writer *e, const gx_loop_stmt *s) {
    x64 *x = &e->x;
    int stop = e->stop_of[s->site] = x64_label(x);
    mov_ri(x, RAX, (int64_t)(uintptr_t)e->l->view->rt);
    op_mi(x, OP_SUB, RAX, offsetof(gx_rt, steps), 1);
    x64_jcc(x, CC_S, stop);
    cmp_long(x, RAX, offsetof(gx_rt, interrupted), 0);
    x64_jcc(x, CC_NE, stop);
}

/* left = how many rounds range(start, stop, step) has; at = start. Jumps to `none` if it is none.
 */
static void begin_range(gx_loop_writer *e, const gx_loop_stmt *s, int none) {
    x64 *x = &e->x;
    int a = RCX, b;
    if (s->values[0]) a = gx_emit_int(e, s->values[0], 0);
    else mov_ri(x, RCX, 0);
    b = gx_emit_int(e, s->values[1], 1);
    set_cell(e, s->at, a);
    int64_t size = s->step < 0 ? -s->step : s->step;
    mov_rr(x, RAX, s->step < 0 ? a : b);
    op_rr(x, OP_SUB, RAX, s->step < 0 ? b : a);
    x64_jcc(x, CC_O, gx_emit_leave(e));
    op_rr(x, OP_TEST, RAX, RAX);
    x64_jcc(x, CC_LE, none);
    if (size > 1) {
        op_ri(x, OP_SUB, RAX, 1);
        mov_ri(x, RDX, 0);
        mov_ri(x, RCX, size);
        group_f7(x, true, 6, RCX);
        op_ri(x, OP_ADD, RAX, 1);
    }
    set_cell(e, s->left, RAX);
}

static void for_(gx_loop_writer *e, const gx_loop_stmt *s) {
    x64 *x = &e->x;
    int top = x64_label(x), around = x64_label(x), after = x64_label(x);
    e->around[s->site] = around;
    e->after[s->site] = after;
    if (s->parent || s != e->l->loop) begin_range(e, s, after);
    else e->resume[s->site] = x->size;
    x64_here(x, top);
    set_name(e, s->targets[0], get_cell(e, s->at, false, RCX));
    block(e, s->body);
    x64_here(x, around);
    e->step = s;
    must_stop(e, s);
    int at = get_cell(e, s->at, false, RCX);
    if (s != e->l->loop) {
        op_ri(x, OP_ADD, at, (int32_t)s->step);
    } else {
        int by = get_cell(e, s->stride, false, RDX);
        op_rr(x, OP_ADD, at, by);
    }
    set_cell(e, s->at, at);
    int left = get_cell(e, s->left, false, RCX);
    op_ri(x, OP_SUB, left, 1);
    if (e->reg[s->left] < 0) { /* the flags live through a store */
        op_rm(x, OP_STORE, left, RBP, gx_emit_cell(s->left));
    }
    x64_jcc(x, CC_G, top);
    x64_here(x, after);
}

static void while_(gx_loop_writer *e, const gx_loop_stmt *s) {
    x64 *x = &e->x;
    int top = x64_label(x), around = x64_label(x), after = x64_label(x);
    e->around[s->site] = around;
    e->after[s->site] = after;
    if (s == e->l->loop) e->resume[s->site] = x->size;
    x64_here(x, top);
    gx_emit_jump(e, s->test, false, after, 0);
    block(e, s->body);
    x64_here(x, around);
    e->step = s;
    must_stop(e, s);
    x64_jmp(x, top);
    x64_here(x, after);
}

static const gx_loop_stmt *loop_around(const gx_loop_stmt *s) {
    do s = s->parent;
    while (s->kind != GX_STMT_FOR && s->kind != GX_STMT_WHILE);
    return s;
}

static void if_(gx_loop_writer *e, const gx_loop_stmt *s) {
    x64 *x = &e->x;
    int other = x64_label(x), end = x64_label(x);
    gx_emit_jump(e, s->test, false, other, 0);
    block(e, s->body);
    if (s->other) x64_jmp(x, end);
    x64_here(x, other);
    block(e, s->other);
    x64_here(x, end);
}

static void block(gx_loop_writer *e, const gx_loop_stmt *s) {
    x64 *x = &e->x;
    for (; s && !x->failed; s = s->next) {
        e->step = s;
        switch ((gx_loop_stmt_kind)s->kind) {
        case GX_STMT_NOTHING: break;
        case GX_STMT_TREE: x64_jmp(x, gx_emit_leave(e)); break;
        case GX_STMT_ASSIGN: assign(e, s); break;
        case GX_STMT_ASSERT: gx_emit_jump(e, s->test, false, gx_emit_leave(e), 0); break;
        case GX_STMT_IF: if_(e, s); break;
        case GX_STMT_WHILE: while_(e, s); break;
        case GX_STMT_FOR: for_(e, s); break;
        case GX_STMT_BREAK: x64_jmp(x, e->after[loop_around(s)->site]); break;
        case GX_STMT_CONTINUE: x64_jmp(x, e->around[loop_around(s)->site]); break;
        }
        e->resume[s->site] = x->size;
    }
}

/* --- the function ----------------------------------------------------------------------------- */
static const uint8_t prologue[] = {
    0x53, 0x55, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57, /* push rbx rbp r12 r13 r14 r15 */
    0x48, 0x83, 0xEC, 0x08,                                     /* sub rsp, 8 */
    0x48, 0x89, 0xFD};                                          /* mov rbp, rdi */
static const uint8_t epilogue[] = {0x48, 0x83, 0xC4, 0x08, /* add rsp, 8 */
                                   0x41, 0x5F, 0x41, 0x5E, 0x41, 0x5D, 0x41, 0x5C, 0x5D, 0x5B,
                                   0xC3};

static void bytes(x64 *x, const uint8_t *p, size_t n) {
    for (size_t i = 0; i < n; i++) put8(x, p[i]);
}

/* RAX = what the code returns, then out. */
static void answer(x64 *x, int64_t what, int out) {
    mov_ri(x, RAX, what);
    x64_jmp(x, out);
}

static void function(gx_loop_writer *e) {
    x64 *x = &e->x;
    int out = x64_label(x);
    bytes(x, prologue, sizeof prologue);
    op_rr(x, OP_MOV, RAX, RSI); /* where to begin */
    move_cells(e, false);
    put8(x, 0xFF);
    put8(x, 0xE0); /* jmp rax */
    gx_loop_stmt *loop = e->l->loop;
    e->step = loop;
    if (loop->kind == GX_STMT_FOR) for_(e, loop);
    else while_(e, loop);
    answer(x, GX_LOOP_DONE, out);
    for (int i = 0; i < e->l->site_count; i++) {
        if (e->exit_of[i] >= 0) {
            x64_here(x, e->exit_of[i]);
            answer(x, i, out);
        }
        if (e->stop_of[i] >= 0) {
            x64_here(x, e->stop_of[i]);
            answer(x, GX_LOOP_STOP - i, out);
        }
    }
    x64_here(x, out);
    move_cells(e, true);
    bytes(x, epilogue, sizeof epilogue);
    while (x->size % 8) put8(x, 0xCC);
    for (int i = 0; i < e->constants; i++) {
        uint64_t bits;
        memcpy(&bits, &e->constant[i].value, sizeof bits);
        x64_here(x, e->constant[i].label);
        put64(x, bits);
    }
}

/* Memory that is first written and then run, never both. */
static bool install(gx_rt *rt, gx_number_loop *loop, const x64 *x) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), size = (x->size + page - 1) / page * page;
    if (!gx_memory_allows(rt, size)) return false;
    void *code = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED) return false;
    memcpy(code, x->bytes, x->size);
    if (mprotect(code, size, PROT_READ | PROT_EXEC) != 0) {
        munmap(code, size);
        return false;
    }
    gx_memory_mapped(rt, (int64_t)size);
    loop->code = code;
    loop->size = size;
    return true;
}

static void describe_sites(const gx_loop_writer *e, const gx_loop_stmt *s, gx_loop_site *sites) {
    for (; s; s = s->next) {
        sites[s->site] = (gx_loop_site){.node = s->node,
                                        .block = s->block,
                                        .index = s->index,
                                        .parent = s->parent ? s->parent->site : -1,
                                        .at = s->at,
                                        .left = s->left,
                                        .step = (int32_t)s->step,
                                        .is_range = s->kind == GX_STMT_FOR,
                                        .resume = e->resume[s->site]};
        describe_sites(e, s->body, sites);
        describe_sites(e, s->other, sites);
    }
}

static void hold_values(gx_loop_writer *e, gx_loop_stmt *s) {
    gx_lowered *l = e->l;
    for (; s; s = s->next) {
        for (int i = 0; s->kind == GX_STMT_ASSIGN && s->n > 1 && i < s->n; i++) {
            if (l->cell_count + 2 > GX_LOOP_CELLS - 2 * GX_EMIT_DEPTH) {
                e->x.failed = true;
                return;
            }
            l->is_float[l->cell_count] = gx_num_is_float((gx_num)s->values[i]->type);
            s->held[i] = (int16_t)l->cell_count++;
            l->is_float[l->cell_count] = false;
            s->places[i] = (int16_t)l->cell_count++;
        }
        hold_values(e, s->body);
        hold_values(e, s->other);
    }
}

bool gx_loop_write(gx_lowered *l, gx_number_loop *loop) {
    gx_rt *rt = l->view->rt;
    gx_loop_writer *e = gx_arena_alloc(&l->arena, sizeof *e);
    if (!e || !(e->x.bytes = gx_alloc(rt, X64_BYTES))) return false;
    e->l = l;
    memset(e->reg, -1, sizeof e->reg);
    memset(e->exit_of, -1, sizeof e->exit_of);
    memset(e->stop_of, -1, sizeof e->stop_of);
    hold_values(e, l->loop);
    e->spill = l->cell_count;
    for (int i = 0; i < 2 * GX_EMIT_DEPTH; i++) {
        if (l->cell_count == GX_LOOP_CELLS) e->x.failed = true;
        else l->is_float[l->cell_count++] = false;
    }
    memset(l->weight, 0, sizeof l->weight);
    if (!e->x.failed) {
        weigh(l, l->loop);
        choose_registers(e);
        function(e);
    }
    bool ok = !e->x.failed && x64_finish(&e->x) && install(rt, loop, &e->x);
    if (ok) {
        describe_sites(e, l->loop, loop->sites);
        loop->start = e->resume[l->loop->site];
        loop->at = l->loop->at;
        loop->left = l->loop->left;
        loop->step = l->loop->stride;
        loop->cell_count = l->cell_count;
    }
    gx_free(rt, e->x.bytes);
    return ok;
}

int64_t gx_loop_run(const gx_number_loop *loop, int64_t *cells, uint32_t from) {
    int64_t (*code)(int64_t *, const uint8_t *);
    memcpy(&code, &loop->code, sizeof code);
    return code(cells, loop->code + from);
}
