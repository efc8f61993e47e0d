/* Whole files as texts. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/cli/cli_int.h"

/* The whole of a stream, for free(); NULL: it cannot be read. */
static char *read_all(FILE *f, size_t *length) {
    size_t room = 1 << 16;
    char *text = malloc(room);
    *length = 0;
    while (text && !feof(f)) {
        *length += fread(text + *length, 1, room - *length, f);
        if (ferror(f)) break;
        if (*length < room) continue;
        char *more = realloc(text, room *= 2);
        if (!more) free(text);
        text = more;
    }
    if (text && !ferror(f)) return text;
    free(text);
    return NULL;
}

char *gx_cli_read_text(const char *path, size_t *length) {
    const bool standard = strcmp(path, "-") == 0;
    FILE *f = standard ? stdin : fopen(path, "r");
    char *text = f ? read_all(f, length) : NULL;
    const int why = errno;
    if (f && !standard) fclose(f);
    errno = why;
    return text;
}
