/* What is open at a place of a text: brackets, a string. Looks at the text alone. */
#ifndef GX_INTERP_SESSION_SCAN_H
#define GX_INTERP_SESSION_SCAN_H

#include <stdbool.h>
#include <stddef.h>

enum { GX_SCAN_DEPTH = 64 };
typedef struct gx_scanned {
    size_t open[GX_SCAN_DEPTH], rows[GX_SCAN_DEPTH]; /* open brackets; the starts of their rows */
    int depth;
    char quote; /* inside a string: its quote, and the byte behind the opening one */
    size_t quote_at;
    bool triple;
    char last; /* the last character of the logical line, no space or comment */
} gx_scanned;
gx_scanned gx_scan_open(const char *text, size_t at);

#endif
