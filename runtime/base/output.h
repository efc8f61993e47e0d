/* Where a context writes and asks. Nothing below the command line uses stdio's standard streams but
   output.c: a host that embeds gx takes the texts instead. */
#ifndef GX_RUNTIME_BASE_OUTPUT_H
#define GX_RUNTIME_BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum gx_channel { GX_OUT = 1, GX_ERR = 2 } gx_channel;

typedef struct gx_output {
    void *self; /* the first argument of what follows */
    /* Takes a text: 0, or an errno. NULL: the process's own streams. */
    int (*write)(void *self, gx_channel to, const char *text, size_t length);
    /* Takes a picture by its MIME type; false: it is shown as text. NULL: as false. */
    bool (*picture)(void *self, const char *type, const void *data, size_t length);
    /* A line for input(prompt), to be freed, with its '\n'; NULL: the end. NULL: standard input. */
    char *(*ask)(void *self, const char *prompt);
} gx_output;

struct gx_rt;
/* Writes a text: 0, or an errno; no error is pending. */
int gx_write(struct gx_rt *rt, gx_channel to, const char *text, size_t length);
/* As printf, on a channel; what cannot be written is lost. */
void gx_say(struct gx_rt *rt, gx_channel to, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Hands on what has been written so far: 0, or an errno. */
int gx_write_flush(struct gx_rt *rt, gx_channel to);
/* What a library writes to the process's standard output by itself (a driver, what kernels print)
   goes where the context writes. It lasts from begin to end. */
typedef struct gx_foreign_output {
    int file, kept; /* -1: nothing is taken */
} gx_foreign_output;
void gx_foreign_output_begin(struct gx_rt *rt, gx_foreign_output *o);
void gx_foreign_output_end(struct gx_rt *rt, gx_foreign_output *o);
/* Is there a terminal behind the channel? */
bool gx_is_terminal(const struct gx_rt *rt, gx_channel to);

#endif
