/* Numbers as explain and profile print them. */
#ifndef GX_STDLIB_EXPLAIN_INT_H
#define GX_STDLIB_EXPLAIN_INT_H

#include <stddef.h>
#include <stdint.h>

/* "200 MB", "4.30 TB/s": three digits and a decimal prefix. */
void gx_put_scaled(char *out, size_t room, double x, const char *unit);
/* "78.0 µs". */
void gx_put_time(char *out, size_t room, double seconds);
/* "24,415". */
void gx_put_count(char *out, size_t room, int64_t n);

#endif
