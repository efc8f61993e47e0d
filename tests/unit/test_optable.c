/* The tables of operations and reductions: each row is whole and agrees with its rule and with the
   CPU's loops. */
#include <criterion/criterion.h>
#include <string.h>

#include "runtime/backend/cpu/loops/loops.h"

Test(optable, rows_are_whole) {
    for (int op = 1; op < GX_OP_COUNT; op++) {
        const gx_op_info *o = &gx_ops[op];
        size_t len = strlen(o->name);
        cr_assert(o->arity >= 1 && o->arity <= 3, "%s", o->name);
        cr_assert(strncmp(o->sig, o->name, len) == 0 && o->sig[len] == '(', "%s: %s", o->name,
                  o->sig);
        cr_assert_gt(strlen(o->doc), 3, "%s", o->name);
        cr_assert_eq(o->doc[strlen(o->doc) - 1], '.', "%s: a sentence ends with a full stop",
                     o->name);
        cr_assert(strncmp(o->example, o->name, len) == 0, "%s: %s", o->name, o->example);
        cr_assert(strstr(o->example, "  # "), "%s: %s", o->name, o->example);
        cr_assert_gt(o->cost, 0, "%s", o->name);
        int commas = 0;
        for (const char *s = o->sig; *s; s++) commas += *s == ',';
        cr_assert_eq(commas + 1, o->arity, "%s: %s", o->name, o->sig);
    }
}

Test(optable, names_are_unique_and_found) {
    for (int op = 1; op < GX_OP_COUNT; op++)
        cr_assert_eq(gx_op_find(gx_ops[op].name), (gx_opcode)op, "%s", gx_ops[op].name);
    for (const gx_op_alias *a = gx_op_aliases; a->name; a++) {
        cr_assert_eq(gx_op_find(a->name), a->op, "%s is an operation and an alias", a->name);
        for (const gx_op_alias *b = a + 1; b->name; b++) cr_assert_str_neq(a->name, b->name);
    }
    cr_assert_eq(gx_op_find("no such operation"), GX_OP_NONE);
    for (int red = 0; red < GX_RED_COUNT; red++)
        cr_assert_eq(gx_red_find(gx_reds[red].name), (gx_redcode)red);
    cr_assert_eq(gx_red_find("no such reduction"), GX_RED_COUNT);
}

/* A rule says which kinds can be computed; texts for others could never be reached. */
Test(optable, texts_agree_with_rules) {
    for (int op = 1; op < GX_OP_COUNT; op++) {
        const gx_op_info *o = &gx_ops[op];
        const char *const *t = o->text;
        bool floats_only = o->rule == GX_RULE_INEXACT || o->rule == GX_RULE_DIVIDE ||
                           o->rule == GX_RULE_FLOAT64 || o->rule == GX_RULE_INEXACT_TRUTH ||
                           o->rule == GX_RULE_INEXACT_REAL || o->rule == GX_RULE_LDEXP ||
                           o->rule == GX_RULE_SPECIAL;
        cr_assert(t[GX_KIND_INT] || t[GX_KIND_FLOAT], "%s", o->name);
        cr_assert_eq(!t[GX_KIND_INT], !t[GX_KIND_UINT], "%s", o->name);
        if (floats_only)
            cr_assert(!t[GX_KIND_BOOL] && !t[GX_KIND_INT] && t[GX_KIND_FLOAT], "%s", o->name);
        if (o->rule == GX_RULE_WIDEN || o->rule == GX_RULE_ROUND)
            cr_assert(!t[GX_KIND_BOOL], "%s: bool is widened first", o->name);
        for (int kind = 0; kind < 5; kind++)
            if (t[kind]) cr_assert(!strstr(t[kind], "0.5") || strstr(t[kind], "K("), "%s", o->name);
    }
}

Test(optable, loops_exist_where_texts_do) {
    const gx_loops *l = gx_cpu_loops();
    for (int op = 1; op < GX_OP_COUNT; op++)
        for (int dtype = 0; dtype < GX_DTYPES; dtype++)
            cr_assert_eq(!l->op[op][dtype], !gx_ops[op].text[gx_dtypes[dtype].kind], "%s of %s",
                         gx_ops[op].name, gx_dtypes[dtype].name);
    for (int from = 0; from < GX_DTYPES; from++)
        for (int to = 0; to < GX_DTYPES; to++) cr_assert(l->cast[from][to]);
    for (int red = 0; red < GX_RED_COUNT; red++) {
        cr_assert(gx_reds[red].combine[GX_KIND_BOOL] || gx_reds[red].combine[GX_KIND_INT]);
        for (int dtype = 0; dtype < GX_DTYPES; dtype++) {
            bool folds = gx_reds[red].rule != GX_REDRULE_INDEX &&
                         gx_reds[red].combine[gx_dtypes[dtype].kind];
            cr_assert_eq(folds, l->fold[red][dtype] != NULL, "%s of %s", gx_reds[red].name,
                         gx_dtypes[dtype].name);
            cr_assert_eq(folds, l->fold_rows[red][dtype] != NULL);
        }
    }
}

Test(optable, dtypes) {
    cr_assert_str_eq(gx_dtypes[GX_f32].name, "float32");
    cr_assert_str_eq(gx_dtypes[GX_bool].name, "bool");
    cr_assert_eq(gx_dtypes[GX_c128].bytes, sizeof(gx_c128));
    cr_assert_eq(gx_dtypes[GX_u16].kind, GX_KIND_UINT);
    cr_assert_eq(gx_dtypes[GX_i64].letter, 'l');
    cr_assert_eq(gx_dtypes[GX_i64].kind_letter, 'i');
}
