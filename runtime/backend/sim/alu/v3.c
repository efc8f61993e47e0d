/* The lane operations for x86-64-v3. */
/* cflags: -O3 -march=x86-64-v3 -fno-trapping-math */
#define TABLE gx_alu_v3
#include "runtime/backend/sim/alu/alu.inc"
