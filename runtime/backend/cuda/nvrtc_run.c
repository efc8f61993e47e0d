/* NVRTC compiles in a process of its own, which Ctrl-C, the clock and limits end at once. It is a
   copy of this one made by fork, so that neither files nor another program are needed; it does
   nothing but compile, writes its result into a pipe and ends. */
#define _GNU_SOURCE 1
#include "runtime/backend/cuda/nvrtc_int.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/lock.h"
#include "runtime/base/slow_call.h"

enum { NOT_STARTED = 1000, LEAST_MEMORY = 256 << 20, LOOK = 50 /* ms */ };

void gx_nvrtc_result_free(gx_nvrtc_result *r) {
    gx_buf_free(&r->code);
    gx_buf_free(&r->lowered);
    gx_buf_free(&r->log);
}

/* --- compiling --- */

/* A text of NVRTC's, of so many bytes. */
static bool take(gx_buf *out, unsigned (*get)(struct _nvrtcProgram *, char *),
                 struct _nvrtcProgram *program, size_t size) {
    if (!gx_buf_reserve(out, size + 1)) return false;
    if (get(program, out->data) != 0) return true;
    out->length = size;
    out->data[size] = '\0';
    return true;
}

static bool fetch(gx_cuda_compiler *n, const gx_nvrtc_job *job, struct _nvrtcProgram *program,
                  gx_nvrtc_result *r) {
    size_t size = 0;
    unsigned status = job->ptx ? n->api.nvrtcGetPTXSize(program, &size)
                               : n->api.nvrtcGetCUBINSize(program, &size);
    if (status != 0 || size == 0) return true;
    if (!take(&r->code, job->ptx ? n->api.nvrtcGetPTX : n->api.nvrtcGetCUBIN, program, size))
        return false;
    for (int i = 0; i < job->n_names; i++) {
        const char *name;
        if (n->api.nvrtcGetLoweredName(program, job->names[i], &name) != 0) {
            r->bad_name = i;
            return true;
        }
        if (!gx_buf_add(&r->lowered, name, strlen(name) + 1)) return false;
    }
    return true;
}

static bool run_here(gx_cuda_compiler *n, const gx_nvrtc_job *job, gx_nvrtc_result *r) {
    struct _nvrtcProgram *program = NULL;
    size_t size = 0;
    r->status = NOT_STARTED;
    if (n->api.nvrtcCreateProgram(&program, job->source, job->file, job->n_headers,
                                  job->header_texts, job->header_names) != 0)
        return true;
    for (int i = 0; i < job->n_names; i++) n->api.nvrtcAddNameExpression(program, job->names[i]);
    r->status = n->api.nvrtcCompileProgram(program, job->n_options, job->options);
    bool ok = n->api.nvrtcGetProgramLogSize(program, &size) != 0 || size < 2 ||
              take(&r->log, n->api.nvrtcGetProgramLog, program, size);
    if (ok && r->status == 0) ok = fetch(n, job, program, r);
    n->api.nvrtcDestroyProgram(&program);
    return ok;
}

/* --- in a process of its own --- */

/* What comes through the pipe first. */
typedef struct header {
    bool ok;
    unsigned status;
    int bad_name;
    size_t length[3];
} header;

static bool write_all(int to, const void *data, size_t n) {
    for (const char *p = data; n;) {
        ssize_t done = write(to, p, n);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        p += done;
        n -= (size_t)done;
    }
    return true;
}

void gx_nvrtc_open_builtins(const gx_cuda_compiler *n) {
    char path[4200];
    Dl_info info;
    void *any;
    memcpy(&any, &n->api.nvrtcVersion, sizeof any); /* C has no cast from a function */
    if (!dladdr(any, &info) || !info.dli_fname) return;
    const char *slash = strrchr(info.dli_fname, '/');
    int folder = slash ? (int)(slash - info.dli_fname) + 1 : 0;
    snprintf(path, sizeof path, "%.*slibnvrtc-builtins.so.%d.%d", folder, info.dli_fname, n->major,
             n->minor);
    (void)dlopen(path, RTLD_NOW | RTLD_GLOBAL);
}

static size_t address_space(void) {
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "re");
    if (f && fscanf(f, "%ld", &pages) != 1) pages = 0;
    if (f) fclose(f);
    return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void set_limit(int which, size_t n) {
    struct rlimit limit = {n, n};
    (void)setrlimit((__rlimit_resource_t)which, &limit);
}

/* What outlives gx must not hold its terminal or pipes. */
void gx_nvrtc_close_all_but(const gx_cuda_compiler *n, int kept) {
    struct rlimit limit;
    const int most = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 4096
                         ? (int)limit.rlim_cur
                         : 4096;
    for (int i = 0; i < most; i++)
        if (i != kept && i != n->tokens[0] && i != n->tokens[1]) close(i);
    for (int i = 0; i < 3; i++)
        if (i != kept && i != n->tokens[0] && i != n->tokens[1] &&
            open("/dev/null", O_RDWR) < 0)
            return;
}

/* The rest of the process's life. */
void gx_nvrtc_work(gx_cuda_compiler *n, const gx_nvrtc_job *job, int to, size_t memory) {
    gx_rt *rt = n->rt;
    gx_nvrtc_result r = {.bad_name = -1, .code = gx_buf_new(rt), .lowered = gx_buf_new(rt),
                         .log = gx_buf_new(rt)};
    signal(SIGINT, SIG_IGN); /* whoever waits decides */
    signal(SIGALRM, SIG_IGN);
    char token = 0;
    if (job->keep) gx_nvrtc_close_all_but(n, to);
    else prctl(PR_SET_PDEATHSIG, SIGKILL);
    set_limit(RLIMIT_CORE, 0);
    if (memory) set_limit(RLIMIT_AS, memory);
    if (rt->debug.safe) {
        set_limit(RLIMIT_FSIZE, 0);
        set_limit(RLIMIT_NOFILE, 0);
        gx_lock_process(NULL, 0);
    }
    rt->debug.max_memory = 0; /* what counts here is the limit above */
    rt->most = SIZE_MAX;
    bool ok = !job->keep || read(n->tokens[0], &token, 1) == 1;
    ok = ok && run_here(n, job, &r);
    if (job->keep) ok = write(n->tokens[1], &token, 1) == 1 && ok;
    if (job->keep) signal(SIGPIPE, SIG_IGN);
    if (ok && job->keep && r.status == 0) gx_cuda_cache_store(rt, job->keep, &r.code, false);
    header h = {ok, r.status, r.bad_name, {r.code.length, r.lowered.length, r.log.length}};
    ok = write_all(to, &h, sizeof h) && write_all(to, r.code.data, h.length[0]) &&
         write_all(to, r.lowered.data, h.length[1]) && write_all(to, r.log.data, h.length[2]);
    _exit(!ok);
}

/* Everything from the pipe. False: Ctrl-C or the clock, or no memory. */
static bool read_all(gx_rt *rt, int from, gx_buf *out) {
    struct pollfd in = {.fd = from, .events = POLLIN};
    for (;;) {
        if (!gx_interrupt_check(rt)) return false;
        int ready = poll(&in, 1, LOOK);
        if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
        if (!gx_buf_reserve(out, 65536)) return false;
        ssize_t got = read(from, out->data + out->length, 65536);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return true;
        out->length += (size_t)got;
    }
}

static bool unpack(const gx_buf *all, gx_nvrtc_result *r, bool *whole) {
    header h;
    *whole = all->length >= sizeof h;
    if (!*whole) return true;
    memcpy(&h, all->data, sizeof h);
    size_t left = all->length - sizeof h;
    gx_buf *part[3] = {&r->code, &r->lowered, &r->log};
    const char *at = all->data + sizeof h;
    *whole = h.ok;
    for (int i = 0; i < 3 && *whole; i++) {
        *whole = h.length[i] <= left;
        if (!*whole) break;
        if (!gx_buf_add(part[i], at, h.length[i])) return false;
        at += h.length[i];
        left -= h.length[i];
    }
    r->status = h.status;
    r->bad_name = h.bad_name;
    return true;
}

static bool died(gx_rt *rt, int status, bool limited) {
    gx_fail(rt, limited ? GX_MemoryError : GX_RuntimeError, "kernel.compiler",
            "the compiler of kernels ended %s%d%s", WIFSIGNALED(status) ? "by signal " : "with ",
            WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
            limited ? ": it has no more memory" : "");
    if (limited) gx_note(rt, "GX_MAX_MEMORY allows no more");
    return false;
}

static bool is_limited(const gx_rt *rt) {
    const gx_debug *d = &rt->debug;
    return d->safe || d->max_memory || d->max_seconds > 0 || d->max_steps;
}

/* What the child writes until it ends; Ctrl-C or the clock ends it at once. */
static bool wait_for(gx_rt *rt, const gx_nvrtc_job *job, pid_t child, int from, gx_buf *all,
                     int *status) {
    gx_slow_call wait;
    gx_slow_call_begin(&wait, rt, job->what, job->after);
    bool ok = read_all(rt, from, all);
    gx_slow_call_end(&wait);
    if (!ok) kill(child, SIGKILL);
    while (waitpid(child, status, 0) < 0 && errno == EINTR) continue;
    return ok;
}

/* Where no process can be had a limit does not hold: then it is an error. */
static bool run_apart(gx_cuda_compiler *n, const gx_nvrtc_job *job, gx_nvrtc_result *r) {
    gx_rt *rt = n->rt;
    int ends[2], status = 0;
    bool whole = false;
    size_t memory = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return gx_fail(rt, GX_OSError, "kernel.compiler", "no pipe for the compiler: %s",
                       strerror(errno));
    if (rt->debug.safe) gx_nvrtc_open_builtins(n);
    if (rt->debug.max_memory) {
        size_t used = rt->held + rt->mapped, left = rt->most > used ? rt->most - used : 0;
        memory = address_space() + (left > LEAST_MEMORY ? left : LEAST_MEMORY);
    }
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        gx_nvrtc_work(n, job, ends[1], memory);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        if (!is_limited(rt)) return run_here(n, job, r);
        return gx_fail(rt, GX_OSError, "kernel.compiler", "no process for the compiler: %s",
                       strerror(errno));
    }
    gx_buf all = gx_buf_new(rt);
    bool ok = wait_for(rt, job, child, ends[0], &all, &status);
    close(ends[0]);
    ok = ok && unpack(&all, r, &whole) && (whole || died(rt, status, memory != 0));
    gx_buf_free(&all);
    return ok;
}

/* --- without waiting --- */

static void clear(gx_cuda_compiler *n, gx_nvrtc_result *r) {
    *r = (gx_nvrtc_result){.bad_name = -1,
                           .code = gx_buf_new(n->rt),
                           .lowered = gx_buf_new(n->rt),
                           .log = gx_buf_new(n->rt)};
}

bool gx_nvrtc_begin(gx_cuda_compiler *n, const gx_nvrtc_job *job, gx_nvrtc_child *c) {
    int ends[2];
    *c = (gx_nvrtc_child){.all = gx_buf_new(n->rt)};
    if (gx_nvrtc_helper_begin(n, job, c)) return true;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return gx_fail(n->rt, GX_OSError, "kernel.compiler", "no pipe for the compiler: %s",
                       strerror(errno));
    c->pid = (int)fork();
    if (c->pid == 0) {
        close(ends[0]);
        gx_nvrtc_work(n, job, ends[1], 0);
    }
    close(ends[1]);
    c->from = ends[0];
    if (c->pid > 0) return true;
    close(ends[0]);
    return gx_fail(n->rt, GX_OSError, "kernel.compiler", "no process for the compiler: %s",
                   strerror(errno));
}

bool gx_nvrtc_look(gx_cuda_compiler *n, gx_nvrtc_child *c, bool waits, bool *done,
                   gx_nvrtc_result *r) {
    gx_rt *rt = n->rt;
    struct pollfd in = {.fd = c->from, .events = POLLIN};
    int status = 0;
    bool whole = false;
    clear(n, r);
    *done = false;
    while (!waits && !*done) {
        if (poll(&in, 1, 0) <= 0) return true;
        if (!gx_buf_reserve(&c->all, 65536)) return false;
        ssize_t got = read(c->from, c->all.data + c->all.length, 65536);
        if (got > 0) c->all.length += (size_t)got;
        *done = got == 0 || (got < 0 && errno != EINTR);
    }
    if (waits && !read_all(rt, c->from, &c->all)) return false;
    *done = true;
    close(c->from);
    while (c->pid > 0 && waitpid(c->pid, &status, 0) < 0 && errno == EINTR) continue;
    c->pid = 0;
    bool ok = unpack(&c->all, r, &whole) && (whole || died(rt, status, false));
    gx_buf_free(&c->all);
    return ok;
}

void gx_nvrtc_leave(gx_nvrtc_child *c) {
    if (!c->pid) return;
    close(c->from);
    if (c->pid > 0) (void)waitpid(c->pid, NULL, WNOHANG);
    gx_buf_free(&c->all);
}

/* --- the namespace --- */

bool gx_nvrtc_run(gx_cuda_compiler *n, const gx_nvrtc_job *job, gx_nvrtc_result *r) {
    clear(n, r);
    return run_apart(n, job, r);
}

bool gx_nvrtc_may(gx_rt *rt, const char *option) {
    /* What changes the code and names no file; `=`: with a value. */
    static const char *const names[] = {
        "D", "U", "std", "fmad", "ftz", "prec-sqrt", "prec-div", "use_fast_math", "w",
        "maxrregcount", "lineinfo", "generate-line-info", "default-device", "arch",
        "gpu-architecture", "extra-device-vectorization", "restrict", "dopt", "minimal",
        "define-macro", "undefine-macro", "disable-warnings", "display-error-number", "err-no",
        "no-display-error-number", "no-err-no", "diag-error", "diag-suppress", "diag-warn",
        "device-debug", "G", "static-global-template-stub", "split-compile", "jump-table-density"};
    const char *name = option;
    if (!rt->debug.safe) return true;
    while (*name == '-') name++;
    size_t length = strcspn(name, "=");
    bool known = *option == '-';
    if (known && (*name == 'D' || *name == 'U') && option[1] != '-') return true; /* -DN=8 */
    if (known) {
        known = false;
        for (size_t i = 0; i < sizeof names / sizeof *names && !known; i++)
            known = strlen(names[i]) == length && strncmp(name, names[i], length) == 0;
    }
    if (known) return true;
    gx_fail(rt, GX_PermissionError, "kernel.option", "the compiler's option '%.80s' is not allowed",
            option);
    return gx_note(rt, "GX_SAFE=1 allows -D, -U, --std and those of arithmetic and warnings");
}
