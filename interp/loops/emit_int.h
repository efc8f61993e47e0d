/* What emit.c (statements) and emit_expr.c (expressions) share. */
#ifndef GX_INTERP_LOOPS_EMIT_INT_H
#define GX_INTERP_LOOPS_EMIT_INT_H

#include "interp/loops/code.h"
#include "interp/loops/x64.h"

/* Cells lie at rbp. The most used ones live in registers: ints in rbx and r12 to r15, floats in
   xmm8 to xmm15. Expressions are computed in scratch registers by depth; rax, rdx and xmm7 are
   overwritten by every operation. */
enum { GX_EMIT_DEPTH = 7, GX_EMIT_CONSTANTS = 200 };

typedef struct gx_loop_writer {
    x64 x;
    gx_lowered *l;
    const gx_loop_stmt *step;                 /* whose code is being written */
    int8_t reg[GX_LOOP_CELLS];           /* of a cell; -1: memory */
    int exit_of[GX_LOOP_SITES];          /* labels; -1: not used */
    int stop_of[GX_LOOP_SITES];          /* of loops: where they must stop */
    int around[GX_LOOP_SITES], after[GX_LOOP_SITES]; /* of loops: `continue`, `break` */
    uint32_t resume[GX_LOOP_SITES];
    int spill; /* the first of 2 * GX_EMIT_DEPTH cells for what a call must not lose */
    int constants;
    struct { double value; int label; } constant[GX_EMIT_CONSTANTS];
} gx_loop_writer;

/* Computes an expression; the register that holds it: a name's own, which must stay, or the scratch
   register of this depth. */
int gx_emit_int(gx_loop_writer *e, const gx_loop_expr *c, int depth);
int gx_emit_float(gx_loop_writer *e, const gx_loop_expr *c, int depth);
/* Jumps when a truth is `sense`. */
void gx_emit_jump(gx_loop_writer *e, const gx_loop_expr *c, bool sense, int label, int depth);
/* Where an element or item lies: its address is scratch register + `index` of what is returned. */
typedef struct gx_emit_place {
    int base, index; /* index -1: none */
    unsigned scale;
} gx_emit_place;
gx_emit_place gx_emit_address(gx_loop_writer *e, const gx_loop_expr *c, int depth, bool store);
/* Stores the value in a register (of the kind of `value`) there. */
void gx_emit_store(gx_loop_writer *e, const gx_loop_expr *target, const gx_loop_expr *value,
                   gx_emit_place at, int reg);
/* The label to which code of this statement jumps to be left to the tree. */
int gx_emit_leave(gx_loop_writer *e);
static inline int32_t gx_emit_cell(int cell) {
    return cell * 8;
}

#endif
