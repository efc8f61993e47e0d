/* Messages of the language server and of the debug adapter: a header with Content-Length, an empty
   row, and JSON. */
#ifndef GX_INTERP_CLI_MAIL_INT_H
#define GX_INTERP_CLI_MAIL_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What has come and is not read; only fd is set at first. */
typedef struct gx_inbox {
    int fd;
    char *text;
    size_t length, room, taken; /* so many bytes of it were the last message */
    bool ended;
} gx_inbox;

typedef enum gx_mail {
    GX_MAIL_WHOLE,
    GX_MAIL_NONE,  /* none has come in time */
    GX_MAIL_ENDED, /* the input is over */
    GX_MAIL_BROKEN /* it is no message, and cannot be read on */
} gx_mail;

/* The next message within so many milliseconds (-1: ever); its text lives until the next call. */
gx_mail gx_inbox_next(gx_inbox *in, int wait, const char **text, size_t *length);
void gx_inbox_free(gx_inbox *in);
/* False: it could not be written. */
bool gx_mail_write(FILE *to, const char *text, size_t length);
/* The options of such a program: -1: it may start; else the exit status. */
int gx_stdio_options(const char *verb, const char *about, int argc, char **argv);

#endif
