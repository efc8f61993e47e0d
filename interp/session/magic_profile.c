/* %profile and %explain, and gx --profile. What they tell is runtime/inspect/profile.c's and
   explain()'s; here it is only run and printed: at the prompt on stdout, of a script on stderr. */
#include <string.h>

#include "interp/session/magic_int.h"
#include "runtime/inspect/profile.h"
#include "stdlib/stdlib.h"

/* Ends the profile and prints it; an error that is pending stays so. */
static bool print_profile(gx_rt *rt, gx_channel to) {
    gx_error pending;
    gx_profiled p;
    gx_error_save(rt, &pending);
    gx_buf text = gx_buf_new(rt);
    bool ok = gx_profile_end(rt, &p) && gx_profile_text(rt, &p, &text);
    gx_profiled_free(rt, &p);
    if (ok) gx_say(rt, to, "%s", gx_buf_text(&text));
    gx_buf_free(&text);
    if (!gx_failed(&pending)) return ok;
    gx_error_clear(rt);
    gx_error_restore(rt, &pending);
    return false;
}

bool gx_run_profiled(gx_rt *rt, gx_unit *unit, gx_module *m) {
    if (!gx_profile_begin(rt)) return false;
    bool ok = gx_run_unit(rt, unit, m, false);
    return print_profile(rt, GX_ERR) && ok;
}

bool gx_magic_profile(gx_session *s, const char *rest) {
    gx_unit *unit;
    if (!gx_magic_needs(s, rest, "%profile", "code to run")) return false;
    if (!gx_magic_load(s, "<profile>", rest, &unit)) return false;
    if (!unit) return true;
    bool begun = gx_profile_begin(s->rt), ok = begun && gx_run_unit(s->rt, unit, s->module, true);
    gx_unit_drop(unit);
    return begun && print_profile(s->rt, GX_OUT) && ok;
}

bool gx_magic_explain(gx_session *s, const char *rest) {
    static const struct {
        const char *option, *keyword;
    } options[] = {{"-s ", ", source=True"}, {"-p ", ", ptx=True"}, {"-t ", ", tape=True"}};
    const char *keyword = "";
    if (!gx_magic_needs(s, rest, "%explain", "an expression")) return false;
    rest += strspn(rest, " \n");
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        if (strncmp(rest, options[k].option, 3) != 0) continue;
        keyword = options[k].keyword;
        rest += 3;
    }
    gx_buf code = gx_buf_new(s->rt);
    size_t length = strcspn(rest, "\n");
    bool ok = gx_buf_puts(&code, "explain((") && gx_buf_add(&code, rest, length) &&
              gx_buf_printf(&code, ")%s)\n", keyword) &&
              gx_magic_code(s, "<explain>", gx_buf_text(&code), true);
    gx_buf_free(&code);
    return ok;
}
