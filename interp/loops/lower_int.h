/* What lower.c and lower_expr.c share. */
#ifndef GX_INTERP_LOOPS_LOWER_INT_H
#define GX_INTERP_LOOPS_LOWER_INT_H

#include "interp/loops/code.h"

bool gx_num_is_float(gx_num t);
bool gx_num_is_truth(gx_num t);
/* The number of a name, added with what it holds now if it is new; -1: it cannot be one. */
int gx_loop_find_name(gx_lowered *l, const gx_node *n, bool add);
/* Expressions; NULL: left to the tree. _value: one that is kept, so NumPy has nothing to say of it.
   _test: a truth. _place: an INDEX, to be read or stored to. */
gx_loop_expr *gx_loop_expression(gx_lowered *l, const gx_node *n);
gx_loop_expr *gx_loop_value(gx_lowered *l, const gx_node *n);
gx_loop_expr *gx_loop_settled(gx_lowered *l, gx_loop_expr *c);
gx_loop_expr *gx_loop_test(gx_lowered *l, const gx_node *n);
gx_loop_expr *gx_loop_place(gx_lowered *l, const gx_node *n);
gx_loop_expr *gx_loop_arithmetic(gx_lowered *l, gx_binop op, gx_loop_expr *a, gx_loop_expr *b);
/* The code is right as long as a callee is this function; false: that cannot be watched. */
bool gx_loop_watch_call(gx_lowered *l, const gx_node *n, gx_value v);

#endif
