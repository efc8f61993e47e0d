/* Indices that 32 bits do not hold. When an access fails, the instructions that made its address
   are looked up backwards: a product, sum or shift of 32 bits whose true value is another one than
   the register holds is why. Registers of NVRTC's text are written once, or once a round, so that
   at the access they still hold what the index was made of; where they do not, nothing is said. */
#include <string.h>

#include "runtime/backend/sim/sim_int.h"

enum { MAX_STEPS = 12 };

typedef struct origin {
    const gx_sim_warp *w;
    const gx_ptx_fn *fn;
    int lane, steps;
    gx_sim_fault *f;
} origin;

/* The last instruction before `at` that writes the register; its number, or -1. */
static int writer(const origin *o, int32_t reg, int at) {
    if (reg == GX_NO_OPERAND || (uint32_t)reg >> 30) return -1;
    for (int k = at - 1; k >= 0; k--) {
        const gx_ins *i = &o->fn->code[k];
        if (i->op[0] == reg && i->flow == FLOW_NEXT && i->access != ACCESS_STORE) return k;
    }
    return -1;
}

static bool is(const char *name, const char *start) {
    return strncmp(name, start, strlen(start)) == 0;
}

static int64_t now32(const origin *o, int32_t reg, bool sign) {
    uint32_t u = ((const uint32_t *)gx_operand_at(o->w, reg))[o->lane];
    return sign ? (int32_t)u : (int64_t)u;
}

static void found(origin *o, const gx_ins *i, char op, int64_t a, int64_t b, int64_t exact) {
    if (o->f->op) return;
    o->f->op = op;
    o->f->a = a;
    o->f->b = b;
    o->f->exact = exact;
    o->f->op_line = i->line;
}

/* The true value of a register of 32 bits; what is too large for it is noted. */
static int64_t true_value(origin *o, int32_t reg, int at, bool sign) {
    int64_t now = now32(o, reg, sign);
    int k = writer(o, reg, at);
    if (k < 0 || ++o->steps > MAX_STEPS) return now;
    const gx_ins *i = &o->fn->code[k];
    const char *name = gx_alu_name(i->fn);
    if (!name) return now;
    bool product = is(name, "mul.lo.") || is(name, "mad.lo."), sum = is(name, "add."),
         less = is(name, "sub."), shift = is(name, "shl.b32");
    if (is(name, "mov.")) return true_value(o, i->op[1], k, sign);
    if (!(product || sum || less || shift) || !strstr(name, "32")) return now;
    int64_t a = true_value(o, i->op[1], k, sign), exact;
    int64_t b = shift ? now32(o, i->op[2], false) & 63 : true_value(o, i->op[2], k, true);
    if (product && !o->f->op && !sign) b = now32(o, i->op[2], false);
    if (shift)
        exact = b > 31 ? 0 : (int64_t)((uint64_t)a << b);
    else
        exact = product ? a * b : less ? a - b : a + b;
    char op = shift ? '<' : product ? '*' : less ? '-' : '+';
    bool fits = sign ? exact == (int32_t)exact : exact == (int64_t)(uint32_t)exact;
    if (product && is(name, "mad") && fits) {
        a = exact;
        b = true_value(o, i->op[3], k, true);
        exact += b;
        op = '+';
        fits = sign ? exact == (int32_t)exact : exact == (int64_t)(uint32_t)exact;
    } else if (product && is(name, "mad")) {
        found(o, i, op, a, b, exact);
        exact += true_value(o, i->op[3], k, true);
    }
    if ((uint32_t)exact != (uint32_t)now) { /* the registers have changed since */
        if (o->f->op_line == i->line) o->f->op = 0;
        return now;
    }
    if (!fits) found(o, i, op, a, b, exact);
    return exact;
}

/* Walks from an address of 64 bits to the index of 32 that was widened. */
static void walk(origin *o, int32_t reg, int at) {
    int k = writer(o, reg, at);
    if (k < 0 || ++o->steps > MAX_STEPS || o->f->op) return;
    const gx_ins *i = &o->fn->code[k];
    const char *name = gx_alu_name(i->fn);
    if (!name) return;
    if (is(name, "mul.wide.s32") || is(name, "mad.wide.s32") || is(name, "cvt.s64.s32") ||
        is(name, "mul.wide.u32") || is(name, "mad.wide.u32") || is(name, "cvt.u64.u32")) {
        bool sign = name[strlen(name) - 3] == 's';
        true_value(o, i->op[1], k, sign);
        if (!o->f->op && is(name, "mul.wide")) true_value(o, i->op[2], k, sign);
        return;
    }
    bool through = is(name, "add.s64") || is(name, "add.u64") || is(name, "shl.b64") ||
                   is(name, "mov.") || is(name, "cvta") || is(name, "address_u64") ||
                   is(name, "mad.lo.s64");
    for (int n = 1; through && n < 4 && !o->f->op; n++)
        if (i->op[n] != GX_NO_OPERAND) walk(o, i->op[n], k);
}

void gx_wrap_find(const gx_sim_warp *w, const gx_ins *i, int lane, gx_sim_fault *f) {
    const gx_ptx_fn *fn = w->frame ? w->frame->fn : NULL;
    if (!fn || i < fn->code || i >= fn->code + fn->count) return;
    origin o = {.w = w, .fn = fn, .lane = lane, .f = f};
    if (i->access == ACCESS_LOAD || i->access == ACCESS_STORE || i->access == ACCESS_ATOMIC)
        walk(&o, i->op[4], (int)(i - fn->code));
}
