/* Kernels that are compiled while others run: jobs in processes of their own. Each begins at once,
   takes a token out of a pipe that all share, and puts it back when it is done, so that a few
   compile at a time whether or not anybody looks. A job that nobody asks for any more ends by
   itself and leaves its code on disk. */
#define _GNU_SOURCE 1
#include "runtime/backend/cuda/nvrtc_int.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
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
