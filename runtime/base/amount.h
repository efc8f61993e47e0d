/* Amounts as people write them, in the environment and on the command line: 512M, 1e8, 1.5, 2m. */
#ifndef GX_RUNTIME_BASE_AMOUNT_H
#define GX_RUNTIME_BASE_AMOUNT_H

#include <stdbool.h>

typedef enum gx_amount {
    GX_AMOUNT_COUNT,  /* K M G T are powers of 1000 */
    GX_AMOUNT_BYTES,  /* K M G T are powers of 1024, with B or iB behind them or not */
    GX_AMOUNT_SECONDS /* ms s m h; seconds without a letter */
} gx_amount;

/* Reads a text; blanks at its ends do not count. Counts and bytes are whole and at least 1, where
   a unit may follow a fraction; seconds are above 0. False: it is none, or above `most`, which is
   below 2^63. */
bool gx_amount_read(const char *text, gx_amount kind, double most, double *out);
/* "a number of bytes such as 100M, 1.5G or 1e8". */
const char *gx_amount_words(gx_amount kind);

#endif
