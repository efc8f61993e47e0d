/* `gx debug FILE`: the debugger, a text in gx (stdlib/debug), around a program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/cli/cli_int.h"

int gx_debug_read(int argc, char **argv, gx_cli *o) {
    int i = 2;
    *o = (gx_cli){.debug = true, .errors = o->errors, .safe = o->safe};
    while (i + 1 < argc && strcmp(argv[i], "-c") == 0) i += 2;
    o->commands = argv + 2;
    o->command_count = (i - 2) / 2;
    if (i < argc && argv[i][0] != '-') {
        o->file = argv[i];
        o->rest = i + 1;
        return -1;
    }
    bool help = i < argc && (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0);
    if (i < argc && !help) fprintf(stderr, "gx debug: unknown option '%s'\n", argv[i]);
    fputs("usage: gx debug [-c COMMAND]... FILE [arguments]\n"
          "Runs a program statement by statement: it stops before the first one and asks for\n"
          "commands (h lists them), of which those of -c come first: docs/debugging.md.\n",
          help ? stdout : stderr);
    return help ? 0 : 2;
}

/* Calls a function of the module gxdebug. */
static bool call(gx_state *s, const char *text, size_t argc, gx_ref *const *argv) {
    gx_ref *fn = NULL, *answer = NULL;
    gx_program *code = gx_state_compile(s, text, strlen(text), "<debug>");
    bool ok = code && gx_program_run(code, GX_RUN_PLAIN, &fn) && fn;
    gx_program_drop(code);
    if (ok) answer = gx_ref_call(fn, argc, argv);
    gx_ref_drop(fn);
    gx_ref_drop(answer);
    return answer != NULL;
}

bool gx_debug_start(gx_state *s, const gx_cli *o) {
    const size_t n = (size_t)o->command_count;
    gx_ref **items = calloc(n + 1, sizeof *items);
    bool ok = items != NULL;
    for (size_t i = 0; ok && i < n; i++) {
        const char *text = o->commands[2 * i + 1];
        ok = (items[i] = gx_ref_text(s, text, strlen(text))) != NULL;
    }
    gx_ref *list = ok ? gx_ref_list(s, n, items) : NULL;
    ok = list && call(s, "__import__('gxdebug').start", 1, &list);
    gx_ref_drop(list);
    for (size_t i = 0; items && i < n; i++) gx_ref_drop(items[i]);
    free(items);
    return ok;
}

void gx_debug_failed(gx_state *s) {
    if (!call(s, "__import__('gxdebug').post_mortem", 0, NULL)) (void)gx_state_report(s);
}
