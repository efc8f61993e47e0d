/* Reading and writing messages as editors frame them. */
#include "interp/cli/mail_int.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { MOST_BYTES = 256 << 20, MOST_HEADER = 1 << 14 };

/* More of the input within some milliseconds (-1: as long as it takes); false: nothing came. */
static bool fill(gx_inbox *in, int wait) {
    struct pollfd ready = {.fd = in->fd, .events = POLLIN};
    if (in->ended || poll(&ready, 1, wait) <= 0) return false;
    if (in->room - in->length < 1 << 16) {
        size_t room = 2 * in->room + (1 << 17);
        char *more = realloc(in->text, room);
        if (!more) return false;
        in->text = more;
        in->room = room;
    }
    ssize_t got = read(in->fd, in->text + in->length, in->room - in->length - 1);
    if (got > 0) in->length += (size_t)got;
    else if (got == 0 || (errno != EINTR && errno != EAGAIN)) in->ended = true;
    return got > 0;
}

/* The bytes of the header with its empty line, or 0: it is not whole yet. */
static size_t header_end(const gx_inbox *in) {
    for (size_t i = 0; i + 1 < in->length; i++) {
        if (in->text[i] != '\n') continue;
        if (in->text[i + 1] == '\n') return i + 2;
        if (in->text[i + 1] == '\r' && i + 2 < in->length && in->text[i + 2] == '\n') return i + 3;
    }
    return 0;
}

/* The Content-Length of a header, -1: it has none that makes sense. */
static long long body_length(const char *header, size_t length) {
    static const char name[] = "content-length:";
    for (size_t i = 0; i + sizeof name - 1 < length; i++) {
        if (i && header[i - 1] != '\n') continue;
        if (strncasecmp(header + i, name, sizeof name - 1) != 0) continue;
        const char *digits = header + i + sizeof name - 1;
        while (*digits == ' ' || *digits == '\t') digits++;
        if (*digits < '0' || *digits > '9') return -1;
        long long n = strtoll(digits, NULL, 10);
        return n <= MOST_BYTES ? n : -1;
    }
    return -1;
}

gx_mail gx_inbox_next(gx_inbox *in, int wait, const char **text, size_t *length) {
    if (in->taken) memmove(in->text, in->text + in->taken, in->length - in->taken);
    in->length -= in->taken;
    in->taken = 0;
    for (;;) {
        size_t head = header_end(in);
        long long body = head ? body_length(in->text, head) : 0;
        if (body < 0 || (!head && in->length > MOST_HEADER)) return GX_MAIL_BROKEN;
        if (head && in->length - head >= (size_t)body) {
            *text = in->text + head;
            *length = (size_t)body;
            in->taken = head + (size_t)body;
            return GX_MAIL_WHOLE;
        }
        if (fill(in, wait)) continue;
        if (in->ended) return GX_MAIL_ENDED;
        if (wait >= 0) return GX_MAIL_NONE;
    }
}

void gx_inbox_free(gx_inbox *in) {
    free(in->text);
    *in = (gx_inbox){.fd = -1, .ended = true};
}

bool gx_mail_write(FILE *to, const char *text, size_t length) {
    fprintf(to, "Content-Length: %zu\r\n\r\n", length);
    fwrite(text, 1, length, to);
    return fflush(to) == 0;
}

int gx_stdio_options(const char *verb, const char *about, int argc, char **argv) {
    if (argc == 0 || strcmp(argv[0], "--stdio") == 0) return -1;
    bool help = strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0;
    if (!help) fprintf(stderr, "gx %s: unknown option '%s'\n", verb, argv[0]);
    fprintf(help ? stdout : stderr, "usage: gx %s [--stdio]\n%s", verb, about);
    return help ? 0 : 2;
}
