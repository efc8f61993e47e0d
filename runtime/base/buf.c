/* A growable byte string. A failed addition leaves the text as it was; every size is checked
   before it is added to another. Invariant: data is NULL, or data[length] is NUL and
   length < room. */
#include "runtime/base/buf.h"

#include <stdio.h>
#include <string.h>

enum { FIRST_ROOM = 64, LIKELY = 31 /* bytes of what is mostly printed */ };

void gx_buf_free(gx_buf *b) {
    gx_free(b->rt, b->data);
    b->data = NULL;
    b->length = b->room = 0;
}

bool gx_buf_reserve(gx_buf *b, size_t more) {
    if (more < b->room - b->length) return true;
    if (more >= PTRDIFF_MAX - b->length) return gx_no_memory(b->rt);
    size_t wanted = b->length + more + 1;
    size_t room = b->room + b->room / 2;
    if (room < FIRST_ROOM) room = FIRST_ROOM;
    if (room < wanted) room = wanted;
    char *data = gx_realloc(b->rt, b->data, room);
    if (!data) return false;
    b->data = data;
    b->room = room;
    b->data[b->length] = '\0';
    return true;
}

bool gx_buf_add(gx_buf *b, const char *text, size_t length) {
    if (!gx_buf_reserve(b, length)) return false;
    if (length) memcpy(b->data + b->length, text, length);
    b->length += length;
    b->data[b->length] = '\0';
    return true;
}

bool gx_buf_puts(gx_buf *b, const char *text) {
    return gx_buf_add(b, text, strlen(text));
}

bool gx_buf_char(gx_buf *b, char c) {
    return gx_buf_add(b, &c, 1);
}

bool gx_buf_fill(gx_buf *b, char c, size_t count) {
    if (!gx_buf_reserve(b, count)) return false;
    memset(b->data + b->length, c, count);
    b->length += count;
    b->data[b->length] = '\0';
    return true;
}

bool gx_buf_code(gx_buf *b, uint32_t code) {
    char bytes[4];
    int n = gx_utf8_encode(code, bytes);
    return gx_buf_add(b, bytes, (size_t)n);
}

bool gx_buf_vprintf(gx_buf *b, const char *fmt, va_list args) {
    va_list again;
    if (!gx_buf_reserve(b, LIKELY)) return false;
    va_copy(again, args);
    int length = vsnprintf(b->data + b->length, b->room - b->length, fmt, again);
    va_end(again);
    if (length < 0 || (size_t)length >= b->room - b->length) {
        b->data[b->length] = '\0';
        if (length < 0) return gx_no_memory(b->rt);
        if (!gx_buf_reserve(b, (size_t)length)) return false;
        vsnprintf(b->data + b->length, (size_t)length + 1, fmt, args);
    }
    b->length += (size_t)length;
    return true;
}

bool gx_buf_printf(gx_buf *b, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    bool ok = gx_buf_vprintf(b, fmt, args);
    va_end(args);
    return ok;
}
