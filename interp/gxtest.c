/* gx test. */
#include "interp/cli_int.h"
int gx_test_main(gx_rt *rt, int argc, char **argv) { (void)rt; (void)argc; (void)argv; return 0; }
