/* What is behind a context's streams. */
#ifndef GX_RUNTIME_BASE_TERMINAL_H
#define GX_RUNTIME_BASE_TERMINAL_H

#include "runtime/base/output.h"

/* The size of the terminal behind a channel; false: there is none, and nothing is written. */
bool gx_terminal_size(const struct gx_rt *rt, gx_channel to, int *columns, int *rows);
/* Says something on the process's standard error from another thread, while the context's own may
   be writing; nothing where a host takes the output: its functions run on the context's thread. */
void gx_say_aside(const struct gx_rt *rt, const char *text, size_t length);

#endif
