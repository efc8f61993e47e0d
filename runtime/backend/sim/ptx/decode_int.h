/* The two halves of the decoder: arithmetic (decode.c), and memory and control (control.c).
 */
#ifndef GX_RUNTIME_BACKEND_SIM_PTX_DECODE_INT_H
#define GX_RUNTIME_BACKEND_SIM_PTX_DECODE_INT_H

#include "runtime/backend/sim/ptx/read_int.h"

/* RuntimeError: this instruction is not simulated; its full name. Always false. */
bool gx_ptx_unknown(gx_reader *r, const gx_statement *s);
/* The function with the statement is refused when it is launched, not its module. */
bool gx_ptx_refuse_function(gx_reader *r, const gx_statement *s);

GX_CHECK bool gx_decode_memory(gx_reader *r, const gx_statement *s);   /* ld st */
GX_CHECK bool gx_decode_atomic(gx_reader *r, const gx_statement *s);   /* atom red */
GX_CHECK bool gx_decode_copy(gx_reader *r, const gx_statement *s);     /* cp.async */
GX_CHECK bool gx_decode_branch(gx_reader *r, const gx_statement *s);   /* bra brx */
GX_CHECK bool gx_decode_return(gx_reader *r, const gx_statement *s);   /* ret exit trap */
GX_CHECK bool gx_decode_call(gx_reader *r, const gx_statement *s);     /* reads its own operands */
GX_CHECK bool gx_decode_barrier(gx_reader *r, const gx_statement *s);  /* bar barrier */
GX_CHECK bool gx_decode_together(gx_reader *r, const gx_statement *s); /* shfl vote match redux */
GX_CHECK bool gx_decode_nothing(gx_reader *r, const gx_statement *s);  /* hints */
/* An address operand into op[4], imm, mode and space of i, with the type of what is there. */
GX_CHECK bool gx_ptx_address(gx_reader *r, const gx_statement *s, const gx_ptx_operand *o,
                             gx_ptx_type type, gx_ins *i);
GX_CHECK bool gx_decode_fence(gx_reader *r, const gx_statement *s);    /* fence membar */
GX_CHECK bool gx_decode_matrix(gx_reader *r, const gx_statement *s);   /* ../matrix.c, for rare.c */

#endif
