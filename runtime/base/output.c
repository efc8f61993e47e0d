/* The process's own streams, for a context whose host takes nothing. */
#include "runtime/base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/base/rt.h"
#include "runtime/base/terminal.h"

int gx_write(gx_rt *rt, gx_channel to, const char *text, size_t length) {
    const gx_output *o = &rt->output;
    if (length == 0) return 0;
    if (o->write) return o->write(o->self, to, text, length);
    if (to == GX_ERR) fflush(stdout); /* both may be one terminal: the order stays */
    errno = 0;
    if (fwrite(text, 1, length, to == GX_ERR ? stderr : stdout) == length) return 0;
    return errno ? errno : EIO;
}

void gx_say(gx_rt *rt, gx_channel to, const char *fmt, ...) {
    char room[512], *text = room;
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(room, sizeof room, fmt, args);
    va_end(args);
    if (n >= (int)sizeof room && (text = malloc((size_t)n + 1))) {
        va_start(args, fmt);
        vsnprintf(text, (size_t)n + 1, fmt, args);
        va_end(args);
    }
    if (!text) text = room;
    if (n > 0) (void)gx_write(rt, to, text, text == room && n > 511 ? 511 : (size_t)n);
    if (text != room) free(text);
}

int gx_write_flush(gx_rt *rt, gx_channel to) {
    if (rt->output.write) return 0;
    errno = 0;
    return fflush(to == GX_ERR ? stderr : stdout) == 0 ? 0 : errno ? errno : EIO;
}

void gx_foreign_output_begin(gx_rt *rt, gx_foreign_output *o) {
    *o = (gx_foreign_output){-1, -1};
    if (gx_write_flush(rt, GX_OUT) || !rt->output.write) return;
    fflush(stdout);
    o->file = memfd_create("gx-output", MFD_CLOEXEC);
    o->kept = o->file < 0 ? -1 : fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (o->kept >= 0 && dup2(o->file, STDOUT_FILENO) >= 0) return;
    if (o->file >= 0) close(o->file);
    if (o->kept >= 0) close(o->kept);
    o->file = -1;
}

void gx_foreign_output_end(gx_rt *rt, gx_foreign_output *o) {
    char text[4096];
    ssize_t n;
    if (o->file < 0) return;
    fflush(stdout);
    dup2(o->kept, STDOUT_FILENO);
    close(o->kept);
    for (off_t at = 0; (n = pread(o->file, text, sizeof text, at)) > 0; at += n)
        (void)gx_write(rt, GX_OUT, text, (size_t)n);
    close(o->file);
}

bool gx_terminal_size(const gx_rt *rt, gx_channel to, int *columns, int *rows) {
    struct winsize size;
    if (!gx_is_terminal(rt, to) ||
        ioctl(to == GX_ERR ? STDERR_FILENO : STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col)
        return false;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return true;
}

void gx_say_aside(const gx_rt *rt, const char *text, size_t length) {
    if (rt->output.write) return;
    ssize_t done = write(STDERR_FILENO, text, length); /* stdio may be in use */
    (void)done;
}

bool gx_is_terminal(const gx_rt *rt, gx_channel to) {
    return !rt->output.write && isatty(to == GX_ERR ? STDERR_FILENO : STDOUT_FILENO) == 1;
}
