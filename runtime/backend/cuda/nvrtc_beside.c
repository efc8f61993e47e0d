/* Kernels that are compiled while others run: jobs in processes of their own. Each begins at once,
   takes a token out of a pipe that all share, and puts it back when it is done, so that a few
   compile at a time whether or not anybody looks. A job that nobody asks for any more ends by
   itself and leaves its code on disk. */
#define _GNU_SOURCE 1
#include "runtime/backend/cuda/nvrtc_int.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 8 };

struct gx_cuda_job {
    gx_cuda_compiler *compiler;
    gx_nvrtc_child child;
    bool done, failed;
    gx_nvrtc_result result; /* when done */
    gx_buf source, text;    /* text: its key on disk */
    char target[16];
};

static int most_at_once(void) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores / 2 < 1 ? 1 : cores / 2 > MOST ? MOST : (int)(cores / 2);
}

bool gx_nvrtc_tokens(gx_cuda_compiler *n) {
    static const char tokens[MOST];
    if (n->tokens[1]) return true;
    if (pipe2(n->tokens, O_CLOEXEC) != 0) {
        n->tokens[1] = 0;
        return false;
    }
    const size_t most = (size_t)most_at_once();
    return write(n->tokens[1], tokens, most) == (ssize_t)most;
}

/* No failure here is an error: whoever asks for the code compiles it then, and is told. */
static void begin(gx_cuda_job *job) {
    gx_cuda_compiler *n = job->compiler;
    char arch[48];
    const char *options[GX_NVRTC_OPTIONS];
    snprintf(arch, sizeof arch, "-arch=%s", job->target);
    gx_nvrtc_job run = {.source = gx_buf_text(&job->source), .file = "gx.cu", .options = options,
                        .what = "compiling a kernel", .keep = &job->text,
                        .ptx = strncmp(job->target, "compute_", 8) == 0};
    run.n_options = gx_nvrtc_options(n, arch, options);
    n->stored++;
    job->failed = !gx_nvrtc_tokens(n) || !gx_nvrtc_begin(n, &run, &job->child);
    job->done = job->failed;
    if (job->failed) gx_error_clear(n->rt);
}

static void look(gx_cuda_job *job, bool waits) {
    if (gx_nvrtc_look(job->compiler, &job->child, waits, &job->done, &job->result)) return;
    job->done = job->failed = true;
    if (!waits) gx_error_clear(job->compiler->rt);
}

void gx_cuda_job_leave(gx_cuda_job *job) {
    gx_rt *rt = job->compiler->rt;
    if (!job->done) gx_nvrtc_leave(&job->child);
    if (job->done) gx_nvrtc_result_free(&job->result);
    gx_buf_free(&job->source);
    gx_buf_free(&job->text);
    gx_free(rt, job);
}

bool gx_cuda_job_begin(gx_cuda_compiler *n, const char *target, const char *source, gx_buf *out,
                       gx_cuda_job **made) {
    *made = NULL;
    if (!gx_cuda_compiler_open(n)) return false;
    gx_cuda_job *job = gx_alloc_zero(n->rt, sizeof *job);
    if (!job) return false;
    job->compiler = n;
    job->source = gx_buf_new(n->rt);
    job->text = gx_buf_new(n->rt);
    snprintf(job->target, sizeof job->target, "%s", target);
    bool ok = gx_buf_puts(&job->source, source) &&
              gx_nvrtc_key(n, target, source, &job->text);
    if (!ok || gx_cuda_cache_load(n->rt, &job->text, out)) {
        gx_cuda_job_leave(job);
        return ok;
    }
    begin(job);
    *made = job;
    return true;
}

bool gx_cuda_job_look(gx_cuda_job **of, bool waits, gx_buf *out) {
    gx_cuda_job *job = *of;
    gx_cuda_compiler *n = job->compiler;
    if (!job->done) look(job, waits);
    if (!waits && !job->done) return true;
    bool ok = !gx_failed(&n->rt->error);
    if (ok && job->done && !job->failed && job->result.status == 0 && job->result.code.length) {
        n->rt->gpu_stats.compiled++;
        ok = gx_buf_add(out, job->result.code.data, job->result.code.length);
    } else if (ok) { /* told by the compiler itself */
        ok = gx_cuda_compile(n, job->target, gx_buf_text(&job->source), out);
    }
    gx_cuda_job_leave(job);
    *of = NULL;
    return ok;
}

void gx_cuda_jobs_close(gx_cuda_compiler *n) {
    gx_nvrtc_helper_close(n);
    if (!n->tokens[1]) return;
    close(n->tokens[0]);
    close(n->tokens[1]);
    n->tokens[0] = n->tokens[1] = 0;
}

/* --- the helper --- */

/* A copy of this process that is made when the device is opened, while the process is still small,
   so that copies of the helper, which compile, cost this process a message in place of a fork of
   all that the driver has mapped. It opens NVRTC once it knows which, says that it is ready, and
   ends with this process. Where it is not ready, the process forks. */

/* What a job's file begins with; its source, with a zero, and the text of its key follow. */
typedef struct request {
    char arch[48];
    bool ptx, no_minimal;
    size_t source, keep;
} request;

/* A message has the ends of two files: the job's, and the pipe for its result. */
enum { ENDS = 2 };
typedef union control {
    struct cmsghdr head;
    char room[CMSG_SPACE(ENDS * sizeof(int))];
} control;

static struct msghdr message(struct iovec *part, char *byte, control *c) {
    *part = (struct iovec){byte, 1};
    return (struct msghdr){.msg_iov = part, .msg_iovlen = 1, .msg_control = c->room,
                           .msg_controllen = sizeof c->room};
}

/* --- in it --- */

/* A copy of the helper: compiles, writes the result and ends. */
static void compile(gx_cuda_compiler *n, const int *ends) {
    request r;
    const char *options[GX_NVRTC_OPTIONS];
    const off_t bytes = lseek(ends[0], 0, SEEK_END);
    const char *at = mmap(NULL, (size_t)bytes, PROT_READ, MAP_PRIVATE, ends[0], 0);
    if (at == MAP_FAILED || bytes < (off_t)sizeof r) _exit(1);
    memcpy(&r, at, sizeof r);
    n->no_minimal = r.no_minimal;
    gx_buf keep = gx_buf_new(n->rt);
    if (!gx_buf_add(&keep, at + sizeof r + r.source, r.keep)) _exit(1);
    gx_nvrtc_job job = {.source = at + sizeof r, .file = "gx.cu", .options = options,
                        .what = "compiling a kernel", .keep = &keep, .ptx = r.ptx};
    job.n_options = gx_nvrtc_options(n, r.arch, options);
    gx_nvrtc_work(n, &job, ends[1], 0);
}

static bool take_job(int from, int *ends) {
    control c;
    struct iovec part;
    char byte;
    struct msghdr m = message(&part, &byte, &c);
    ssize_t got;
    do got = recvmsg(from, &m, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    const struct cmsghdr *head = got > 0 ? CMSG_FIRSTHDR(&m) : NULL;
    if (!head || head->cmsg_len != CMSG_LEN(ENDS * sizeof(int))) return false;
    memcpy(ends, CMSG_DATA(head), ENDS * sizeof(int));
    return true;
}

/* The rest of the helper's life. */
static void serve(gx_cuda_compiler *n, int from) {
    int ends[ENDS];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN);
    signal(SIGALRM, SIG_IGN);
    signal(SIGCHLD, SIG_IGN); /* nobody asks how its copies ended: their pipes tell it */
    gx_nvrtc_close_all_but(n, from);
    if (recv(from, &n->prefer, sizeof n->prefer, 0) != (ssize_t)sizeof n->prefer) _exit(0);
    if (!gx_cuda_compiler_open(n)) _exit(1);
    gx_nvrtc_open_builtins(n);
    if (send(from, "", 1, MSG_NOSIGNAL) != 1) _exit(1);
    while (take_job(from, ends)) {
        const pid_t child = fork();
        if (child == 0) {
            signal(SIGCHLD, SIG_DFL);
            compile(n, ends);
        }
        close(ends[0]);
        close(ends[1]); /* where there was no fork: whoever waits sees the end, and compiles */
    }
    _exit(0);
}

/* --- in this process --- */

void gx_nvrtc_helper_open(gx_cuda_compiler *n) {
    int ends[2];
    const gx_debug *d = &n->rt->debug;
    if (d->safe || d->max_memory || d->kernels == GX_KERNELS_OWN || n->helper.pid > 0) return;
    if (!gx_nvrtc_tokens(n) ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return;
    const pid_t child = fork();
    if (child == 0) serve(n, ends[1]);
    close(ends[1]);
    if (child < 0) close(ends[0]);
    else n->helper.pid = (int)child, n->helper.to = ends[0];
}

void gx_nvrtc_helper_tell(gx_cuda_compiler *n) {
    if (n->helper.pid > 0)
        (void)!send(n->helper.to, &n->prefer, sizeof n->prefer, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void gx_nvrtc_helper_close(gx_cuda_compiler *n) {
    if (n->helper.pid <= 0) return;
    kill(n->helper.pid, SIGKILL); /* its copies go on, and leave their code on disk */
    close(n->helper.to);
    while (waitpid(n->helper.pid, NULL, 0) < 0 && errno == EINTR) continue;
    n->helper = (gx_nvrtc_helper){.pid = 0};
}

static bool is_ready(gx_cuda_compiler *n) {
    char byte;
    if (n->helper.pid <= 0) return false;
    if (!n->helper.ready)
        n->helper.ready = recv(n->helper.to, &byte, 1, MSG_DONTWAIT) == 1;
    return n->helper.ready;
}

static bool put_job(const gx_cuda_compiler *n, const gx_nvrtc_job *job, int to) {
    request r = {.ptx = job->ptx, .no_minimal = n->no_minimal, .source = strlen(job->source) + 1,
                 .keep = job->keep->length};
    snprintf(r.arch, sizeof r.arch, "%s", job->options[0]);
    return write(to, &r, sizeof r) == (ssize_t)sizeof r &&
           write(to, job->source, r.source) == (ssize_t)r.source &&
           write(to, job->keep->data, r.keep) == (ssize_t)r.keep;
}

static bool send_job(const gx_cuda_compiler *n, const int *ends) {
    control c = {.room = ""};
    struct iovec part;
    char byte = 0;
    struct msghdr m = message(&part, &byte, &c);
    struct cmsghdr *head = CMSG_FIRSTHDR(&m);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(ENDS * sizeof(int));
    memcpy(CMSG_DATA(head), ends, ENDS * sizeof(int));
    return sendmsg(n->helper.to, &m, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

bool gx_nvrtc_helper_begin(gx_cuda_compiler *n, const gx_nvrtc_job *job, gx_nvrtc_child *c) {
    int pipe_ends[2];
    if (!job->keep || job->n_names || job->n_headers || !is_ready(n)) return false;
    const int file = memfd_create("gx", MFD_CLOEXEC);
    if (file < 0) return false;
    bool ok = pipe2(pipe_ends, O_CLOEXEC) == 0;
    if (ok) {
        const int ends[ENDS] = {file, pipe_ends[1]};
        ok = put_job(n, job, file) && send_job(n, ends);
        close(pipe_ends[1]);
        if (!ok) close(pipe_ends[0]);
    }
    close(file);
    if (!ok) return false;
    c->from = pipe_ends[0];
    c->pid = -1; /* none of this process */
    return true;
}
