/* Notes that teach: what runs without an error and yet is often not what was meant. */
#ifndef GX_INTERP_ERRORS_TEACH_INT_H
#define GX_INTERP_ERRORS_TEACH_INT_H

#include "interp/eval/evaluator.h"
#include "runtime/array/array.h"

/* A note of a statement or expression: at most once a place and code. `help` may be NULL. */
void gx_teach_note(gx_frame *f, const gx_node *n, const char *code, const char *text,
                   const char *help);
/* Has this code been noted at this place already? Asks before work is done for a note. */
bool gx_teach_was_noted(gx_frame *f, const gx_node *n, const char *code);
/* For checking by nobody's eyes but the reader's: arrays up to this size are looked through. */
enum { GX_TEACH_LARGEST = 1000000 };

/* teach_look.c: notes about values, after a op b has given r; after a comparison; after a call of
   one argument; before v is stored into a part of an array. Nothing fails, nothing is kept. */
void gx_teach_binary(gx_frame *f, const gx_node *n, gx_borrowed a, gx_borrowed b, gx_borrowed r);
void gx_teach_compare(gx_frame *f, const gx_node *n, gx_borrowed a, gx_borrowed b, gx_borrowed r);
void gx_teach_result(gx_frame *f, const gx_node *n, gx_borrowed x, gx_borrowed r);
void gx_teach_store(gx_frame *f, const gx_node *n, gx_borrowed target, gx_borrowed v);

#endif
