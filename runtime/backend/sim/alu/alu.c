/* Chooses the lane operations that this machine runs fastest; all give the same results. */
#include <string.h>

#include "runtime/backend/sim/sim_int.h"

static const gx_alu_row *rows(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2"))
        return gx_alu_v3;
#endif
    return gx_alu_v2;
}

gx_ins_fn gx_alu_find(const char *name) {
    const gx_alu_row *row = rows();
    int low = 0, high = 0;
    while (row[high].name) high++;
    while (low < high) {
        int middle = (low + high) / 2, order = strcmp(name, row[middle].name);
        if (order == 0) return row[middle].fn;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

const char *gx_alu_name(gx_ins_fn fn) {
    for (const gx_alu_row *row = rows(); row->name; row++)
        if (row->fn == fn) return row->name;
    return NULL;
}
