/* The lane operations for x86-64-v2. */
/* cflags: -O3 -march=x86-64-v2 -fno-trapping-math */
#define TABLE gx_alu_v2
#include "runtime/backend/sim/alu/alu.inc"
