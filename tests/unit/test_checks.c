/* Which kernels that watch themselves need the table of their module (check.h): it is copied to the
   GPU at each launch, which takes as long as the launch. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "runtime/backend/cuda/check/check.h"

static bool needs_table(const char *body) {
    char ptx[2000];
    gx_rt *rt = gx_rt_new();
    gx_check *check;
    const gx_check_kernel kernel = {.symbol = "k", .pointers = 1, .known = true};
    snprintf(ptx, sizeof ptx,
             ".version 8.0\n.target sm_75\n.address_size 64\n"
             ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, "
             ".param .b64 d, .param .b64 e);\n"
             ".visible .entry k(\n.param .u64 k_param_0,\n.param .u32 k_param_1\n)\n{\n"
             ".reg .f32 %%f<3>;\n.reg .b32 %%r<3>;\n.reg .b64 %%rd<5>;\n"
             "ld.param.u64 %%rd1, [k_param_0];\nld.param.u32 %%r1, [k_param_1];\n"
             "cvta.to.global.u64 %%rd2, %%rd1;\nmul.wide.u32 %%rd3, %%r1, 4;\n"
             "add.s64 %%rd4, %%rd2, %%rd3;\n%sret;\n}\n",
             body);
    cr_assert(gx_check_new(rt, ptx, strlen(ptx), &kernel, 1, &check), "%s", rt->error.message);
    const bool needs = gx_check_needs_table(check);
    gx_check_free(check);
    gx_rt_free(rt);
    return needs;
}

Test(checks, tables_are_for_who_reads_them) {
    cr_assert(!needs_table(""));
    cr_assert(!needs_table("st.global.f32 [%rd4], %f1;\n"));
    /* through a pointer out of memory: any array may be meant */
    cr_assert(needs_table("ld.global.u64 %rd4, [%rd4];\nst.global.f32 [%rd4], %f1;\n"));
    cr_assert(needs_table("{\n.param .b64 p0;\n.param .b64 p1;\n.param .b32 p2;\n.param .b64 p3;\n"
                          ".param .b64 p4;\ncall.uni __assertfail, (p0, p1, p2, p3, p4);\n}\n"));
}
