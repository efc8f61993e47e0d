/* A submission is graded by a gx of its own: safe mode, on the CPU, with limits. The program that
   is started is this one, and what it runs is fixed; the submission is its standard input. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/rt.h"
#include "runtime/object/container/list.h"
#include "runtime/object/native.h"
#include "runtime/object/text/str.h"
#include "stdlib/common.h"
#include "stdlib/learn/learn_int.h"

enum { LOOK = 50 /* ms */, ROOM = 1 << 16, MOST = 1 << 24 };

/* A file in memory that holds a text, at its start; -1: errno. */
static int file_of(const char *text, size_t length) {
    int fd = memfd_create("submission", MFD_CLOEXEC);
    while (fd >= 0 && length) {
        ssize_t n = write(fd, text, length);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            close(fd);
            return -1;
        }
        text += n;
        length -= (size_t)n;
    }
    if (fd >= 0) (void)lseek(fd, 0, SEEK_SET);
    return fd;
}

static pid_t begin(char **argv, int in, int out) {
    pid_t child = fork();
    if (child != 0) return child;
    if (dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(out, 2) >= 0) execv("/proc/self/exe", argv);
    _exit(127);
}

/* Everything that it writes, until it ends. False: Ctrl-C, or there is no memory. */
static bool listen_to(gx_rt *rt, int from, gx_buf *out) {
    struct pollfd in = {.fd = from, .events = POLLIN};
    for (;;) {
        if (!gx_interrupt_check(rt)) return false;
        int ready = poll(&in, 1, LOOK);
        if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
        if (!gx_buf_reserve(out, ROOM)) return false;
        ssize_t n = read(from, out->data + out->length, ROOM);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return true;
        if (out->length + (size_t)n < MOST) out->length += (size_t)n;
        out->data[out->length] = '\0';
    }
}

/* Its status, as a shell has it. */
static int end(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static bool run_program(gx_rt *rt, char **argv, int in, int *status, gx_buf *text) {
    int pipe_of[2];
    if (pipe2(pipe_of, O_CLOEXEC) != 0) return gx_os_error(rt, errno, "pipe");
    pid_t child = begin(argv, in, pipe_of[1]);
    int why = errno;
    close(pipe_of[1]);
    bool ok = child > 0 ? listen_to(rt, pipe_of[0], text) : gx_os_error(rt, why, "gx");
    close(pipe_of[0]);
    if (child > 0 && !ok) kill(child, SIGKILL);
    if (child > 0) *status = end(child);
    return ok;
}

bool gx_learn_apart(gx_call *c, gx_value *out) {
    static char gx[] = "gx", safe[] = "--safe", time[] = "--max-time", memory[] = "--max-mem",
                steps[] = "--max-steps", code[] = "-c",
                work[] = "__import__('gxlearn').grade_one()";
    char amount[3][32];
    const char *text;
    size_t length;
    gx_rt *rt = c->rt;
    if (!gx_arg_str(c, 0, &text, &length)) return false;
    for (int i = 0; i < 3; i++) {
        int64_t n;
        if (!gx_arg_int(c, i + 1, &n)) return false;
        snprintf(amount[i], sizeof amount[i], "%lld", (long long)n);
    }
    if (rt->debug.safe) return gx_may_use_files(rt, "gx");
    char *argv[] = {gx,        safe,  time,      amount[0], memory, amount[1],
                    steps, amount[2], code,   work,      NULL};
    int in = file_of(text, length), status = 0;
    if (in < 0) return gx_os_error(rt, errno, "submission");
    gx_buf answer = gx_buf_new(rt);
    gx_value pair[2] = {gx_undef(), gx_undef()};
    bool ok = run_program(rt, argv, in, &status, &answer);
    close(in);
    pair[0] = gx_int(status);
    const char *got = gx_buf_text(&answer);
    ok = ok && gx_str_new(rt, got, gx_utf8_valid(got, answer.length), &pair[1]) &&
         gx_tuple_new(rt, 2, pair, out);
    gx_drop(pair[1]);
    gx_buf_free(&answer);
    return ok;
}
