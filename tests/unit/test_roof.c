/* A machine's rates: measured once, kept on disk, and bettered when a kernel shows that they were
   taken on a busy machine. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "interp/eval/interp.h"
#include "runtime/backend/cost.h"

static gx_rt *open_in(const char *folder) {
    setenv("GX_DEVICE", "cpu", 1);
    setenv("XDG_CACHE_HOME", folder, 1);
    gx_rt *rt = gx_interp_open();
    cr_assert_not_null(rt);
    return rt;
}

Test(roof, measured_anew_and_never_worse, .timeout = 60) {
    char folder[] = "/tmp/gx_roof_XXXXXX";
    gx_roof first, kept, better, again;
    cr_assert_not_null(mkdtemp(folder));
    gx_rt *rt = open_in(folder);
    cr_assert(gx_roof_get(rt, false, &first));
    cr_assert_gt(first.read, 0);
    cr_assert_eq(gx_interp_close(rt, 0), 0);

    rt = open_in(folder);
    cr_assert(gx_roof_get(rt, false, &kept));
    cr_assert_eq(kept.read, first.read, "the rates were not kept");
    cr_assert(gx_roof_renew(rt, false, &better));
    cr_assert_geq(better.read, kept.read);
    cr_assert_geq(better.write, kept.write);
    cr_assert_geq(better.work32, kept.work32);
    cr_assert_leq(better.start, kept.start);
    cr_assert(gx_roof_renew(rt, false, &again));
    cr_assert_eq(again.copy, better.copy, "once a process");
    cr_assert_eq(gx_interp_close(rt, 0), 0);

    rt = open_in(folder);
    cr_assert(gx_roof_get(rt, false, &again));
    cr_assert_eq(again.work64, better.work64, "the better ones were not kept");
    cr_assert_eq(gx_interp_close(rt, 0), 0);
    char clean[64];
    snprintf(clean, sizeof clean, "rm -rf %s", folder);
    cr_assert_eq(system(clean), 0);
}
