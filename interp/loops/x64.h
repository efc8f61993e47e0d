/* An assembler of the x86-64 instructions that emit.c writes. Registers are numbers: rax 0, rcx 1,
   rdx 2, rbx 3, rsp 4, rbp 5, rsi 6, rdi 7, r8 … r15, and xmm0 … xmm15. */
#ifndef GX_INTERP_LOOPS_X64_H
#define GX_INTERP_LOOPS_X64_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };
enum { X64_LABELS = 3000, X64_JUMPS = 6000, X64_BYTES = 128 * 1024 };

/* Conditions of jumps, as encoded. */
enum { CC_O, CC_NO, CC_B, CC_AE, CC_E, CC_NE, CC_BE, CC_A, CC_S, CC_NS, CC_P, CC_NP, CC_L, CC_GE,
       CC_LE, CC_G };

/* Operations with a register and a register or memory, as encoded. */
enum {
    OP_ADD = 0x03, OP_OR = 0x0B, OP_AND = 0x23, OP_SUB = 0x2B, OP_XOR = 0x33, OP_CMP = 0x3B,
    OP_MOV = 0x8B, OP_STORE = 0x89, OP_LEA = 0x8D, OP_TEST = 0x85
};
enum { SD_ADD = 0x58, SD_MUL = 0x59, SD_SUB = 0x5C, SD_DIV = 0x5E, SD_SQRT = 0x51,
       SD_LOAD = 0x10, SD_STORE = 0x11 };

typedef struct x64 {
    uint8_t *bytes;
    uint32_t size;
    int labels, jumps;
    int32_t where[X64_LABELS]; /* -1: not yet */
    struct { uint32_t at; int label; } jump[X64_JUMPS];
    bool failed;
} x64;

static inline void put8(x64 *x, unsigned byte) {
    if (x->size >= X64_BYTES) x->failed = true;
    else x->bytes[x->size++] = (uint8_t)byte;
}
static inline void put32(x64 *x, uint32_t v) {
    for (int i = 0; i < 4; i++) put8(x, (v >> 8 * i) & 255);
}
static inline void put64(x64 *x, uint64_t v) {
    put32(x, (uint32_t)v);
    put32(x, (uint32_t)(v >> 32));
}

static inline int x64_label(x64 *x) {
    if (x->labels == X64_LABELS) {
        x->failed = true;
        return 0;
    }
    x->where[x->labels] = -1;
    return x->labels++;
}
static inline void x64_here(x64 *x, int label) {
    x->where[label] = (int32_t)x->size;
}
static inline void x64_refer(x64 *x, int label) { /* 4 bytes: the way to a label */
    if (x->jumps == X64_JUMPS) x->failed = true;
    else {
        x->jump[x->jumps].at = x->size;
        x->jump[x->jumps++].label = label;
    }
    put32(x, 0);
}
static inline void x64_jmp(x64 *x, int label) {
    put8(x, 0xE9);
    x64_refer(x, label);
}
static inline void x64_jcc(x64 *x, int cc, int label) {
    put8(x, 0x0F);
    put8(x, 0x80u | (unsigned)cc);
    x64_refer(x, label);
}
/* Writes the ways to all labels; false: something did not fit. */
static inline bool x64_finish(x64 *x) {
    for (int i = 0; i < x->jumps && !x->failed; i++) {
        int32_t to = x->where[x->jump[i].label];
        if (to < 0) return false;
        int32_t way = to - (int32_t)(x->jump[i].at + 4);
        memcpy(x->bytes + x->jump[i].at, &way, 4);
    }
    return !x->failed;
}

static inline void rex(x64 *x, bool w, int reg, int index, int base) {
    unsigned r = 0x40u | (w ? 8u : 0) | (reg > 7 ? 4u : 0) | (index > 7 ? 2u : 0) | (base > 7);
    if (r != 0x40) put8(x, r);
}
static inline void modrm(x64 *x, unsigned mod, int reg, int rm) {
    put8(x, mod << 6 | ((unsigned)reg & 7) << 3 | ((unsigned)rm & 7));
}
/* [base + disp] */
static inline void memory(x64 *x, int reg, int base, int32_t disp) {
    modrm(x, 2, reg, base);
    if ((base & 7) == RSP) put8(x, 0x24);
    put32(x, (uint32_t)disp);
}
/* [base + index * 2^scale] */
static inline void indexed(x64 *x, int reg, int base, int index, unsigned scale) {
    modrm(x, 1, reg, RSP);
    put8(x, scale << 6 | ((unsigned)index & 7) << 3 | ((unsigned)base & 7));
    put8(x, 0);
}

/* --- ints, 64 bits --- */
static inline void op_rr(x64 *x, unsigned op, int reg, int rm) {
    rex(x, true, reg, 0, rm);
    put8(x, op);
    modrm(x, 3, reg, rm);
}
static inline void op_rm(x64 *x, unsigned op, int reg, int base, int32_t disp) {
    rex(x, true, reg, 0, base);
    put8(x, op);
    memory(x, reg, base, disp);
}
static inline void op_rx(x64 *x, unsigned op, int reg, int base, int index, unsigned scale) {
    rex(x, true, reg, index, base);
    put8(x, op);
    indexed(x, reg, base, index, scale);
}
static inline void mov_rr(x64 *x, int to, int from) {
    if (to != from) op_rr(x, OP_MOV, to, from);
}
/* The op with an immediate: OP_ADD … OP_CMP. */
static inline void op_ri(x64 *x, unsigned op, int rm, int32_t i) {
    rex(x, true, 0, 0, rm);
    put8(x, 0x81);
    modrm(x, 3, (int)(op >> 3), rm);
    put32(x, (uint32_t)i);
}
static inline void op_mi(x64 *x, unsigned op, int base, int32_t disp, int32_t i) {
    rex(x, true, 0, 0, base);
    put8(x, 0x81);
    memory(x, (int)(op >> 3), base, disp);
    put32(x, (uint32_t)i);
}
static inline void mov_ri(x64 *x, int to, int64_t i) {
    if (i == (int32_t)i) {
        rex(x, true, 0, 0, to);
        put8(x, 0xC7);
        modrm(x, 3, 0, to);
        put32(x, (uint32_t)i);
        return;
    }
    rex(x, true, 0, 0, to);
    put8(x, 0xB8u | ((unsigned)to & 7));
    put64(x, (uint64_t)i);
}
static inline void mov_mi(x64 *x, int base, int32_t disp, int32_t i) {
    rex(x, true, 0, 0, base);
    put8(x, 0xC7);
    memory(x, 0, base, disp);
    put32(x, (uint32_t)i);
}
static inline void imul_rr(x64 *x, int reg, int rm) {
    rex(x, true, reg, 0, rm);
    put8(x, 0x0F);
    put8(x, 0xAF);
    modrm(x, 3, reg, rm);
}
static inline void imul_rm(x64 *x, int reg, int base, int32_t disp) {
    rex(x, true, reg, 0, base);
    put8(x, 0x0F);
    put8(x, 0xAF);
    memory(x, reg, base, disp);
}
static inline void imul_rri(x64 *x, int reg, int rm, int32_t i) {
    rex(x, true, reg, 0, rm);
    put8(x, 0x69);
    modrm(x, 3, reg, rm);
    put32(x, (uint32_t)i);
}
/* F7: 3 is neg, 6 div, 7 idiv. */
static inline void group_f7(x64 *x, bool wide, int which, int rm) {
    rex(x, wide, 0, 0, rm);
    put8(x, 0xF7);
    modrm(x, 3, which, rm);
}
/* Shifts: 4 is shl, 5 shr, 7 sar. */
static inline void shift_ri(x64 *x, int which, int rm, unsigned i) {
    rex(x, true, 0, 0, rm);
    put8(x, 0xC1);
    modrm(x, 3, which, rm);
    put8(x, i);
}
static inline void shift_cl(x64 *x, int which, int rm) {
    rex(x, true, 0, 0, rm);
    put8(x, 0xD3);
    modrm(x, 3, which, rm);
}
/* A bit: 6 clears it, 7 turns it over. */
static inline void bit_ri(x64 *x, int which, int rm, unsigned i) {
    rex(x, true, 0, 0, rm);
    put8(x, 0x0F);
    put8(x, 0xBA);
    modrm(x, 3, which, rm);
    put8(x, i);
}
static inline void cmp_byte(x64 *x, int base, int32_t disp, unsigned i) {
    rex(x, false, 0, 0, base);
    put8(x, 0x80);
    memory(x, 7, base, disp);
    put8(x, i);
}
static inline void cmp_word(x64 *x, int base, int32_t disp, unsigned i) {
    put8(x, 0x66);
    rex(x, false, 0, 0, base);
    put8(x, 0x81);
    memory(x, 7, base, disp);
    put8(x, i & 255);
    put8(x, i >> 8);
}
static inline void cmp_long(x64 *x, int base, int32_t disp, int32_t i) {
    rex(x, false, 0, 0, base);
    put8(x, 0x81);
    memory(x, 7, base, disp);
    put32(x, (uint32_t)i);
}
/* The byte at [base + index], zero-extended. */
static inline void load_byte(x64 *x, int to, int base, int index) {
    rex(x, false, to, index, base);
    put8(x, 0x0F);
    put8(x, 0xB6);
    indexed(x, to, base, index, 0);
}
static inline void store_byte(x64 *x, int from, int base, int index) {
    put8(x, 0x40u | (from > 7 ? 4u : 0) | (index > 7 ? 2u : 0) | (base > 7)); /* sil, dil … */
    put8(x, 0x88);
    indexed(x, from, base, index, 0);
}

/* --- floats: an optional prefix, the op behind 0F, and two registers or one and memory --- */
enum { NO_PREFIX = 0, PD = 0x66, SD = 0xF2 };
static inline void sse_head(x64 *x, unsigned prefix, bool wide, unsigned op, int reg, int index,
                            int base) {
    if (prefix) put8(x, prefix);
    rex(x, wide, reg, index, base);
    put8(x, 0x0F);
    put8(x, op);
}
static inline void sse_rr(x64 *x, unsigned prefix, bool wide, unsigned op, int reg, int rm) {
    sse_head(x, prefix, wide, op, reg, 0, rm);
    modrm(x, 3, reg, rm);
}
static inline void sd_rr(x64 *x, unsigned op, int reg, int rm) {
    sse_rr(x, SD, false, op, reg, rm);
}
static inline void sd_rm(x64 *x, unsigned op, int reg, int base, int32_t disp) {
    sse_head(x, SD, false, op, reg, 0, base);
    memory(x, reg, base, disp);
}
static inline void sd_rx(x64 *x, unsigned op, int reg, int base, int index, unsigned scale) {
    sse_head(x, SD, false, op, reg, index, base);
    indexed(x, reg, base, index, scale);
}
static inline void sd_label(x64 *x, unsigned op, int reg, int label) { /* a constant in the code */
    sse_head(x, SD, false, op, reg, 0, 0);
    modrm(x, 0, reg, RBP);
    x64_refer(x, label);
}
static inline void movaps(x64 *x, int to, int from) {
    if (to != from) sse_rr(x, NO_PREFIX, false, 0x28, to, from);
}
static inline void zero_sd(x64 *x, int reg) {
    sse_rr(x, NO_PREFIX, false, 0x57, reg, reg);
}
static inline void ucomisd(x64 *x, int a, int b) {
    sse_rr(x, PD, false, 0x2E, a, b);
}
static inline void cvtsi2sd(x64 *x, int to, int from) {
    zero_sd(x, to); /* so that it does not depend on what was there */
    sse_rr(x, SD, true, 0x2A, to, from);
}
static inline void cvttsd2si(x64 *x, int to, int from) {
    sse_rr(x, SD, true, 0x2C, to, from);
}
static inline void movq_to_sd(x64 *x, int to, int from) {
    sse_rr(x, PD, true, 0x6E, to, from);
}
static inline void movq_from_sd(x64 *x, int to, int from) {
    sse_rr(x, PD, true, 0x7E, from, to);
}
/* SSE4.1: 1 rounds down, 2 up. */
static inline void roundsd(x64 *x, int to, int from, unsigned how) {
    sse_head(x, PD, false, 0x3A, to, 0, from);
    put8(x, 0x0B);
    modrm(x, 3, to, from);
    put8(x, how);
}

#endif
