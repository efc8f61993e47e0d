/* `gx test`. */
#ifndef GX_INTERP_TEST_GXTEST_H
#define GX_INTERP_TEST_GXTEST_H

/* `gx test ARGS…`: the exit status. */
int gx_test_main(int argc, char **argv);

#endif
