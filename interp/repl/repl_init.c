/* What the prompt runs before its first entry: $XDG_CONFIG_HOME/gx/init.gx, or
   ~/.config/gx/init.gx. Never a file of the current folder, which may be anybody's; not under
   GX_SAFE=1. An error in it is told, and the prompt comes nevertheless. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "interp/repl/repl_int.h"

static bool find_init(gx_pad *path) {
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config && config[0] == '/') return gx_pad_printf(path, "%s/gx/init.gx", config);
    return home && home[0] == '/' && gx_pad_printf(path, "%s/.config/gx/init.gx", home);
}

bool gx_prompt_run_file(gx_state *s, const char *path) {
    gx_program *code = gx_state_compile_file(s, path);
    if (!code) {
        if (!gx_state_failure(s)->at.file) return false; /* it could not be read */
        (void)gx_state_report(s);
        return true;
    }
    bool ok = gx_program_run(code, GX_RUN_PLAIN, NULL);
    gx_program_drop(code);
    return ok;
}

bool gx_repl_init(gx_state *s, int *status) {
    gx_pad path = {0};
    bool ok = gx_state_has(s, GX_IS_SAFE) || !find_init(&path) ||
              access(gx_pad_text(&path), F_OK) != 0 || gx_prompt_run_file(s, gx_pad_text(&path));
    if (!ok) {
        bool leaves = gx_state_failure(s)->exit_status >= 0;
        int given = gx_state_report(s);
        if (leaves) *status = given;
    }
    gx_pad_free(&path);
    return *status < 0;
}
