/* Picks the table of inner loops for this CPU. The tables are const and CPUID does not change, so
   the choice is made anew at each call and nothing is kept. */
#include "runtime/backend/cpu/loops/loops.h"

#include <stdlib.h>
#include <string.h>

const gx_loops *gx_cpu_loops(void) {
    const char *asked = getenv("GX_ISA");
    bool v2 = asked && strcmp(asked, "v2") == 0, v3 = asked && strcmp(asked, "v3") == 0;
    __builtin_cpu_init();
    /* Every CPU with AVX2 and FMA converts halves too (F16C, which clang cannot ask for). */
    bool has_v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi2");
    bool has_v4 = has_v3 && __builtin_cpu_supports("avx512f") &&
                  __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (v2 || !has_v3) return &gx_loops_v2;
    return v3 || !has_v4 ? &gx_loops_v3 : &gx_loops_v4;
}
