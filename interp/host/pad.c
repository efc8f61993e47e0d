/* Both grow by half more each time. */
#include "interp/host/pad.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool gx_row_grow(void **items, size_t *room, size_t want, size_t item_bytes) {
    if (want <= *room) return true;
    size_t wanted = *room + *room / 2;
    if (wanted < 8) wanted = 8;
    if (wanted < want) wanted = want;
    if (wanted > PTRDIFF_MAX / item_bytes) return false;
    void *grown = realloc(*items, wanted * item_bytes);
    if (!grown) return false;
    *items = grown;
    *room = wanted;
    return true;
}

void gx_pad_free(gx_pad *p) {
    free(p->data);
    *p = (gx_pad){0};
}

bool gx_pad_reserve(gx_pad *p, size_t more) {
    if (more < p->room - p->length) return true;
    if (more >= PTRDIFF_MAX - p->length) return false;
    if (!gx_row_grow((void **)&p->data, &p->room, p->length + more + 1, 1)) return false;
    p->data[p->length] = '\0';
    return true;
}

bool gx_pad_add(gx_pad *p, const char *text, size_t length) {
    if (!gx_pad_reserve(p, length)) return false;
    if (length) memcpy(p->data + p->length, text, length);
    p->length += length;
    p->data[p->length] = '\0';
    return true;
}

bool gx_pad_puts(gx_pad *p, const char *text) {
    return gx_pad_add(p, text, strlen(text));
}

bool gx_pad_char(gx_pad *p, char c) {
    return gx_pad_add(p, &c, 1);
}

bool gx_pad_fill(gx_pad *p, char c, size_t count) {
    if (!gx_pad_reserve(p, count)) return false;
    memset(p->data + p->length, c, count);
    p->length += count;
    p->data[p->length] = '\0';
    return true;
}

bool gx_pad_printf(gx_pad *p, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (n < 0 || !gx_pad_reserve(p, (size_t)n)) return false;
    va_start(args, fmt);
    vsnprintf(p->data + p->length, (size_t)n + 1, fmt, args);
    va_end(args);
    p->length += (size_t)n;
    return true;
}

bool gx_pad_read(gx_pad *p, int file) {
    for (;;) {
        if (!gx_pad_reserve(p, p->length / 2 + 65536)) {
            errno = ENOMEM;
            return false;
        }
        ssize_t n = read(file, p->data + p->length, p->room - p->length - 1);
        if (n < 0) return false;
        if (n == 0) return true;
        p->length += (size_t)n;
        p->data[p->length] = '\0';
    }
}

bool gx_pad_read_file(gx_pad *p, const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    bool ok = gx_pad_read(p, file);
    int failed = errno;
    close(file);
    errno = failed;
    return ok;
}
