/* What the fuzz targets share. A target runs one input and traps when gx breaks a promise;
   libFuzzer (tools/fuzz) makes inputs up, and replay.c runs a stored corpus. */
#ifndef GX_TESTS_FUZZ_INT_H
#define GX_TESTS_FUZZ_INT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The target: libFuzzer's and replay.c's way in. Always 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program where something is found that must never be. */
#define GX_FUZZ_CHECK(condition)                                                                   \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            __builtin_trap();                                                                      \
        }                                                                                          \
    } while (0)

#endif
