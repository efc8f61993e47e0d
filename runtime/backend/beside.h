/* Files that lie beside gx: libraries of the release archive. */
#ifndef GX_RUNTIME_BACKEND_BESIDE_H
#define GX_RUNTIME_BACKEND_BESIDE_H

#include <stdbool.h>
#include <stddef.h>

/* A path that begins in the folder of the file that holds gx: the program, or libgx.so of a program
   that embeds it. `tail` goes on behind the folder: "/../lib/x.so". False: it does not fit. */
bool gx_beside(const char *tail, char *path, size_t room);

#endif
