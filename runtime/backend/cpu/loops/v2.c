/* The inner loops for x86-64-v2: the flags below are read by the build. All is in make.inc.
 */
/* cflags: -O3 -march=x86-64-v2 -fno-trapping-math */
#define GX_LOOPS_TABLE gx_loops_v2
#define GX_LOOPS_ISA "x86-64-v2"
#include "runtime/backend/cpu/loops/make.inc"
