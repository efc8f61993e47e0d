/* Amounts: what is one, what it is, and what is refused. */
#include <criterion/criterion.h>

#include "runtime/base/amount.h"

typedef struct row {
    const char *text;
    gx_amount kind;
    double wanted; /* 0: refused */
} row;

Test(amount, texts) {
    static const row rows[] = {
        {"100M", GX_AMOUNT_BYTES, 100.0 * 1024 * 1024},
        {"1e8", GX_AMOUNT_BYTES, 1e8},
        {" 100m \n", GX_AMOUNT_BYTES, 100.0 * 1024 * 1024},
        {"1.5G", GX_AMOUNT_BYTES, 1.5 * 1024 * 1024 * 1024},
        {"0.7G", GX_AMOUNT_BYTES, 751619276},
        {"20 GiB", GX_AMOUNT_BYTES, 20.0 * 1024 * 1024 * 1024},
        {"64kb", GX_AMOUNT_BYTES, 65536},
        {"1T", GX_AMOUNT_BYTES, 1024.0 * 1024 * 1024 * 1024},
        {"1.5", GX_AMOUNT_SECONDS, 1.5},
        {".5", GX_AMOUNT_SECONDS, .5},
        {"10s", GX_AMOUNT_SECONDS, 10},
        {"500ms", GX_AMOUNT_SECONDS, .5},
        {"2m", GX_AMOUNT_SECONDS, 120},
        {"1.5h", GX_AMOUNT_SECONDS, 5400},
        {"1e6", GX_AMOUNT_COUNT, 1e6},
        {"5M", GX_AMOUNT_COUNT, 5e6},
        {"12", GX_AMOUNT_COUNT, 12},
        {"", GX_AMOUNT_BYTES, 0},
        {" ", GX_AMOUNT_BYTES, 0},
        {"0", GX_AMOUNT_BYTES, 0},
        {"0", GX_AMOUNT_SECONDS, 0},
        {"-1", GX_AMOUNT_BYTES, 0},
        {"+1", GX_AMOUNT_BYTES, 0},
        {"inf", GX_AMOUNT_SECONDS, 0},
        {"nan", GX_AMOUNT_SECONDS, 0},
        {"0x10", GX_AMOUNT_BYTES, 0},
        {"1.5", GX_AMOUNT_COUNT, 0},
        {"1s", GX_AMOUNT_BYTES, 0},
        {"1G", GX_AMOUNT_SECONDS, 0},
        {"1ms", GX_AMOUNT_COUNT, 0},
        {"10 M B", GX_AMOUNT_BYTES, 0},
        {"10Mx", GX_AMOUNT_BYTES, 0},
        {"1e30", GX_AMOUNT_BYTES, 0},
        {"lots", GX_AMOUNT_BYTES, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double got = 0;
        bool ok = gx_amount_read(rows[i].text, rows[i].kind, 0x1p62, &got);
        cr_expect_eq(ok, rows[i].wanted > 0, "'%s'", rows[i].text);
        if (ok) cr_expect_eq(got, rows[i].wanted, "'%s' is %g", rows[i].text, got);
    }
}
