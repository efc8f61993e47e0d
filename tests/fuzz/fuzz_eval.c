/* Any bytes as a script: run with limits and without files, then the repr of every global is made
   (which computes what is pending), and a failure is reported. Checked: success and a pending error
   exclude each other, the value stack is empty again, and all memory comes back. */
#include <string.h>

#include "tests/fuzz/context_int.h"

static void show_globals(gx_rt *rt, gx_module *m) {
    for (int32_t i = 0; i < m->count; i++) {
        gx_buf text = gx_buf_new(rt);
        if (m->values[i].tag != GX_UNDEF) {
            gx_value v = gx_keep(m->values[i]); /* a repr of the script's own may unbind it */
            bool ok = gx_repr(rt, v, &text);
            GX_FUZZ_CHECK(ok != gx_failed(&rt->error));
            gx_drop(v);
        }
        gx_buf_free(&text);
        gx_error_clear(rt);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gx_value m;
    gx_rt *rt = gx_fuzz_open(true);
    if (!rt) return 0;
    if (!gx_fuzz_run(rt, (const char *)data, size, &m)) gx_fuzz_report(rt);
    if (m.tag == GX_MODULE) show_globals(rt, gx_as_module(m));
    gx_drop(m);
    gx_fuzz_close(rt);
    return 0;
}
