/* Any bytes as the choices of hostile.gx: calls, operators and statements on containers, arrays,
   iterators and generators whose items answer every special method by changing what is walked,
   raising, or starting over. Checked: nothing freed is read (the sanitizers), success and a pending
   error exclude each other, and all memory comes back. */
#include <stdlib.h>
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"
#include "tests/fuzz/context_int.h"

enum { MOST_TEXT = 1 << 16, STEPS = 2000000 };

/* The script, which lies beside the targets; read once. */
static const char *driver(void) {
    static char text[MOST_TEXT];
    if (text[0]) return text;
    FILE *f = fopen("tests/fuzz/hostile.gx", "r");
    GX_FUZZ_CHECK(f);
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    GX_FUZZ_CHECK(n > 0 && n < sizeof text - 1);
    return text;
}

static void check(gx_rt *rt, gx_borrowed module, const uint8_t *data, size_t size) {
    gx_value fn, bytes, result;
    GX_FUZZ_CHECK(gx_get_attr(rt, module, gx_sym_c(rt, "check"), &fn));
    bool ok = gx_bytes_new(rt, (const char *)data, size, &bytes);
    if (ok) {
        ok = gx_call_value(rt, fn, 1, &bytes, 0, NULL, &result);
        if (ok) gx_drop(result);
        gx_drop(bytes);
    }
    gx_drop(fn);
    GX_FUZZ_CHECK(ok != gx_failed(&rt->error));
    gx_error_clear(rt);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gx_value m;
    gx_rt *rt = gx_fuzz_open(true);
    if (!rt) return 0;
    rt->debug.max_steps = rt->steps = STEPS;
    const char *text = driver();
    bool ok = gx_fuzz_run(rt, text, strlen(text), &m);
    GX_FUZZ_CHECK(ok || rt->late); /* a machine may be slow; a broken script is no input's doing */
    if (ok)
        check(rt, m, data, size);
    else
        gx_fuzz_report(rt);
    gx_drop(m);
    gx_fuzz_close(rt);
    return 0;
}
