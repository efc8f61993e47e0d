/* The loops that a function of this folder has: what a ufunc's `types` tells. */
#include "stdlib/common.h"
#include "stdlib/numpy/base/each.h"
#include "stdlib/scipy/special/special_int.h"

static const gx_sp_table *const tables[] = {&gx_sp_more_table,     &gx_sp_inverse_table,
                                            &gx_sp_bessel_table,   &gx_sp_elliptic_table,
                                            &gx_sp_eval_table,     &gx_sp_counts_table};

const char *gx_sp_types(const gx_native *fn, int *nin, int *nout) {
    *nout = 1;
    *nin = gx_ops[fn->op].arity;
    if (fn->fn == gx_sp_wide_call) return gx_sp_wide_types(fn);
    if (fn->fn == gx_sp_ufunc && gx_sp_loops_of(fn->op)) return gx_sp_loops_of(fn->op)->types;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (fn->fn != tables[i]->call) continue;
        const gx_sp_row *row = gx_sp_row_of(tables[i]->rows, fn);
        *nin = row->nin;
        *nout = row->nout;
        return row->loops.types;
    }
    return NULL;
}

const gx_each_function *gx_sp_listed(int i, int *nin, int *nout) {
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        if (i >= tables[t]->n) {
            i -= tables[t]->n;
        } else {
            *nin = tables[t]->rows[i].nin;
            *nout = tables[t]->rows[i].nout;
            return &tables[t]->rows[i].loops.real;
        }
    if (i >= GX_SP_OWN_LOOPS) return NULL;
    *nin = (int)strcspn(gx_sp_own_loops[i].types, " ");
    *nout = 1;
    return &gx_sp_own_loops[i].real;
}
