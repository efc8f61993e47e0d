/* The tables of optable.h, built from dtypes.h, ops.def and reductions.def. Nothing is decided
   here: a row of a .def file is a row of a table. Invariant: every table is const and complete at
   compile time, so gx_ops may be indexed by any opcode (row 0 is the empty operation). Only the
   rows of dtypes are put in their place when the program starts, as more come behind them. */
#include "kernels/optable.h"

#include <string.h>

static const gx_dtype_info numbers[] = {
#define BOOLS(id, name, ch, store, compute, cuda, bytes, letter, fraction, half)                   \
    [GX_##id] = {name, letter, ch, GX_KIND_BOOL, fraction, cuda, half, bytes, 0, 0, 0},
#define INTS(id, name, ch, store, compute, cuda, bytes, letter, fraction, half)                    \
    [GX_##id] = {name, letter, ch, GX_KIND_INT, fraction, cuda, half, bytes, 0, 0, 0},
#define UINTS(id, name, ch, store, compute, cuda, bytes, letter, fraction, half)                   \
    [GX_##id] = {name, letter, ch, GX_KIND_UINT, fraction, cuda, half, bytes, 0, 0, 0},
#define FLOATS(id, name, ch, store, compute, cuda, bytes, letter, fraction, half)                  \
    [GX_##id] = {name, letter, ch, GX_KIND_FLOAT, fraction, cuda, half, bytes, 0, 0, 0},
#define CPLXS(id, name, ch, store, compute, cuda, bytes, letter, fraction, half)                   \
    [GX_##id] = {name, letter, ch, GX_KIND_CPLX, fraction, cuda, half, bytes, 0, 0, 0},
    GX_BOOL_DTYPES(BOOLS) GX_INT_DTYPES(INTS) GX_UINT_DTYPES(UINTS) GX_FLOAT_DTYPES(FLOATS)
        GX_CPLX_DTYPES(CPLXS) GX_EXTENSION_DTYPES(FLOATS)};

/* Zeros, of which the program's file has none. */
gx_dtype_info gx_dtypes[GX_DTYPE_ROOM];

__attribute__((constructor)) static void put_numbers(void) {
    memcpy(gx_dtypes, numbers, sizeof numbers);
}

const gx_op_info gx_ops[GX_OP_COUNT] = {
    [GX_OP_NONE].name = "none",
#define OP(op, n_args, r, f, weight, signature, text_doc, text_example)                            \
    [GX_OP_##op].name = #op, [GX_OP_##op].arity = n_args, [GX_OP_##op].rule = GX_RULE_##r,         \
    [GX_OP_##op].fp = GX_FPC_##f, [GX_OP_##op].cost = weight, [GX_OP_##op].sig = signature,        \
    [GX_OP_##op].doc = text_doc, [GX_OP_##op].example = text_example,
#define BOOL(op, ...) [GX_OP_##op].text[GX_KIND_BOOL] = #__VA_ARGS__,
#define INT(op, ...) [GX_OP_##op].text[GX_KIND_INT] = #__VA_ARGS__,
#define UINT(op, ...) [GX_OP_##op].text[GX_KIND_UINT] = #__VA_ARGS__,
#define FLOAT(op, ...) [GX_OP_##op].text[GX_KIND_FLOAT] = #__VA_ARGS__,
#define CPLX(op, ...) [GX_OP_##op].text[GX_KIND_CPLX] = #__VA_ARGS__,
#define METHOD(op) [GX_OP_##op].method = true,
#define MODULE(op, where) [GX_OP_##op].module = where,
#include "kernels/ops.def"
};

const gx_op_alias gx_op_aliases[] = {
#define ALIAS(other, op) {#other, GX_OP_##op},
#include "kernels/ops.def"
    {NULL, GX_OP_NONE}};

const gx_red_info gx_reds[GX_RED_COUNT] = {
#define REDUCTION(red, r, op, starts, signature, text_doc, text_example)                           \
    [GX_RED_##red].name = #red, [GX_RED_##red].rule = GX_REDRULE_##r,                              \
    [GX_RED_##red].ufunc = GX_OP_##op, [GX_RED_##red].has_identity = starts,                       \
    [GX_RED_##red].sig = signature, [GX_RED_##red].doc = text_doc,                                 \
    [GX_RED_##red].example = text_example,
#define LINE(red, kind, first, ...)                                                                \
    [GX_RED_##red].identity[kind] = #first, [GX_RED_##red].combine[kind] = #__VA_ARGS__,
#define BOOL(red, first, ...) LINE(red, GX_KIND_BOOL, first, __VA_ARGS__)
#define INT(red, first, ...) LINE(red, GX_KIND_INT, first, __VA_ARGS__)
#define UINT(red, first, ...) LINE(red, GX_KIND_UINT, first, __VA_ARGS__)
#define FLOAT(red, first, ...) LINE(red, GX_KIND_FLOAT, first, __VA_ARGS__)
#define CPLX(red, first, ...) LINE(red, GX_KIND_CPLX, first, __VA_ARGS__)
#define ORDER(red, kind, ...) [GX_RED_##red].combine[GX_KIND_##kind] = #__VA_ARGS__,
#include "kernels/reductions.def"
};

gx_opcode gx_op_find(const char *name) {
    for (int op = 1; op < GX_OP_COUNT; op++)
        if (strcmp(gx_ops[op].name, name) == 0) return (gx_opcode)op;
    for (const gx_op_alias *a = gx_op_aliases; a->name; a++)
        if (strcmp(a->name, name) == 0) return a->op;
    return GX_OP_NONE;
}

gx_redcode gx_red_find(const char *name) {
    for (int red = 0; red < GX_RED_COUNT; red++)
        if (strcmp(gx_reds[red].name, name) == 0) return (gx_redcode)red;
    return GX_RED_COUNT;
}
