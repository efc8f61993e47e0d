/* `gx check FILE…`: what is wrong with programs, found without running them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/cli/cli_int.h"
#include "interp/embed/tools.h"

/* 0: nothing was found; 1: something was; 2: the file cannot be read. */
static int check_one(gx_state *s, const char *path, bool json, int *told) {
    size_t length;
    int count = 0;
    char *text = gx_cli_read_text(path, &length);
    if (!text) {
        fprintf(stderr, "gx: cannot read '%s': %s\n", path, strerror(errno));
        return 2;
    }
    char *found =
        gx_state_check(s, text, length, strcmp(path, "-") == 0 ? "<stdin>" : path, json, &count);
    free(text);
    if (!found) return gx_state_report(s);
    if (!json && count && *told) putchar('\n');
    fputs(found, stdout);
    gx_string_free(found);
    *told += count;
    return count > 0;
}

int gx_check_main(gx_state *s, int argc, char **argv) {
    const bool json = argc > 0 && strcmp(argv[0], "--json") == 0;
    int status = 0, told = 0;
    if (argc == json || (argv[json][0] == '-' && argv[json][1])) {
        fputs("usage: gx check [--json] FILE...\n"
              "Tells what is wrong with programs without running them; `-` is standard input.\n"
              "Syntax, names, attributes of modules, arguments of calls, shapes and dtypes are\n"
              "looked at. --json prints an array for each file. The status is 1 if something was\n"
              "found, else 0.\n",
              argc == json && !(argc && strcmp(argv[0], "--help") == 0) ? stderr : stdout);
        return argc == json ? 2 : 0;
    }
    for (int i = json; i < argc; i++) {
        int one = check_one(s, argv[i], json, &told);
        if (one > status) status = one;
    }
    return status;
}
