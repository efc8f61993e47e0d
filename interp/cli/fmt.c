/* `gx fmt FILE…`: programs in one style. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/cli/cli_int.h"
#include "interp/embed/tools.h"

/* Puts a file's new text beside it, then in its place, with its rights. */
static bool write_file(const char *path, const char *text) {
    char name[4096];
    const size_t length = strlen(text);
    if (snprintf(name, sizeof name, "%s.new", path) >= (int)sizeof name) return false;
    FILE *from = fopen(path, "r+"), *f = from ? fopen(name, "w") : NULL;
    bool ok = f && fwrite(text, 1, length, f) == length;
    if (f) ok = fclose(f) == 0 && ok;
    /* The file itself is written: links to it and its rights stay. */
    ok = ok && ftruncate(fileno(from), 0) == 0 && fwrite(text, 1, length, from) == length;
    if (from) ok = fclose(from) == 0 && ok;
    if (ok) unlink(name);
    return ok;
}

/* 0: the file is in style, or is now; 1: it is not (--check), or holds no program. */
static int format_one(gx_state *s, const char *path, bool check) {
    const bool standard = strcmp(path, "-") == 0;
    size_t length;
    char *text = gx_cli_read_text(path, &length);
    if (!text) {
        fprintf(stderr, "gx: cannot read '%s': %s\n", path, strerror(errno));
        return 2;
    }
    char *styled = gx_state_format(s, text, length, standard ? "<stdin>" : path);
    int status = 0;
    if (!styled) {
        status = gx_state_report(s);
    } else if (standard) {
        fputs(styled, stdout);
    } else if (strlen(styled) != length || memcmp(styled, text, length) != 0) {
        puts(path);
        status = check;
        if (!check && !write_file(path, styled)) {
            fprintf(stderr, "gx: cannot write '%s': %s\n", path, strerror(errno));
            status = 2;
        }
    }
    gx_string_free(styled);
    free(text);
    return status;
}

int gx_format_main(gx_state *s, int argc, char **argv) {
    const bool check = argc > 0 && strcmp(argv[0], "--check") == 0;
    int status = 0;
    if (argc == check || (argv[check][0] == '-' && argv[check][1])) {
        fputs("usage: gx fmt [--check] FILE...\n"
              "Writes programs in one style; `-` is standard input. --check names the files that\n"
              "are not in it, and ends with status 1 if there are any.\n",
              argc == check ? stderr : stdout);
        return argc == check ? 2 : 0;
    }
    for (int i = check; i < argc; i++) {
        int one = format_one(s, argv[i], check);
        if (one > status) status = one;
    }
    return status;
}
