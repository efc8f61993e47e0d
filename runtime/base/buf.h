/* A growable byte string, for building text. Always NUL-terminated once it holds something. */
#ifndef GX_RUNTIME_BASE_BUF_H
#define GX_RUNTIME_BASE_BUF_H

#include <stdarg.h>

#include "runtime/base/rt.h"

typedef struct gx_buf {
    gx_rt *rt;
    char *data; /* NULL while empty */
    size_t length, room;
} gx_buf;

/* An empty buffer; owns nothing until something is added. */
static inline gx_buf gx_buf_new(gx_rt *rt) {
    return (gx_buf){.rt = rt};
}
void gx_buf_free(gx_buf *b);
GX_CHECK bool gx_buf_reserve(gx_buf *b, size_t more);
GX_CHECK bool gx_buf_add(gx_buf *b, const char *text, size_t length);
GX_CHECK bool gx_buf_puts(gx_buf *b, const char *text);
GX_CHECK bool gx_buf_char(gx_buf *b, char c);
GX_CHECK bool gx_buf_fill(gx_buf *b, char c, size_t count);
/* Adds a code point as UTF-8. */
GX_CHECK bool gx_buf_code(gx_buf *b, uint32_t code);
GX_CHECK bool gx_buf_printf(gx_buf *b, const char *fmt, ...) GX_PRINTF(2, 3);
GX_CHECK bool gx_buf_vprintf(gx_buf *b, const char *fmt, va_list args);
/* The text; "" when empty. */
static inline const char *gx_buf_text(const gx_buf *b) {
    return b->data ? b->data : "";
}

#endif
