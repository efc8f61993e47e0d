/* What the prompt runs before its first entry: $XDG_CONFIG_HOME/gx/init.gx, or
   ~/.config/gx/init.gx. Never a file of the current folder, which may be anybody's; not under
   GX_SAFE=1. An error in it is told, and the prompt comes nevertheless. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "interp/repl/repl.h"

static bool find_init(gx_buf *path) {
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config && config[0] == '/') return gx_buf_printf(path, "%s/gx/init.gx", config);
    return home && home[0] == '/' && gx_buf_printf(path, "%s/.config/gx/init.gx", home);
}

static bool run_init_file(gx_rt *rt, gx_module *m, const char *path) {
    gx_parse_errors errors = {0};
    gx_unit *unit;
    uint32_t source;
    if (!gx_source_read(rt, path, &source)) return false;
    if (gx_load(rt, source, m, false, &unit, &errors) != GX_PARSE_OK) {
        gx_report_syntax(rt, &errors);
        return true;
    }
    gx_parse_errors_free(&errors);
    bool ok = gx_run_unit(rt, unit, m, false);
    gx_unit_drop(unit);
    return ok;
}

bool gx_repl_init(gx_rt *rt, gx_module *m, int *status) {
    gx_buf path = gx_buf_new(rt);
    bool ok = true;
    if (!rt->debug.safe && find_init(&path) && access(gx_buf_text(&path), F_OK) == 0)
        ok = run_init_file(rt, m, gx_buf_text(&path));
    if (!ok && !gx_report_exit(rt, status)) gx_report(rt);
    gx_error_clear(rt);
    gx_buf_free(&path);
    return *status < 0;
}
