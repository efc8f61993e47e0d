/* Kernels that are compiled while others run: jobs in processes of their own, a few at a time. A
   job that nobody asks for any more ends by itself and leaves its code on disk. */
#include "runtime/backend/cuda/nvrtc_int.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 8 };

struct gx_cuda_job {
    struct gx_cuda_job *next;
    gx_cuda_compiler *compiler;
    gx_nvrtc_child child;
    bool begun, done, failed;
    gx_nvrtc_result result; /* when done */
    gx_buf source, text;    /* text: its key on disk */
    char target[16];
};

static int most_at_once(void) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores / 2 < 1 ? 1 : cores / 2 > MOST ? MOST : (int)(cores / 2);
}

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
    job->begun = true;
    job->done = job->failed = !gx_nvrtc_begin(n, &run, &job->child);
}

static void look(gx_cuda_job *job, bool waits) {
    if (!gx_nvrtc_look(job->compiler, &job->child, waits, &job->done, &job->result))
        job->done = job->failed = true;
}

/* Who has ended is heard, and who waits begins. No failure here is an error: whoever asks for the
   code compiles it then, and is told. */
static void gather(gx_cuda_compiler *n) {
    int running = 0;
    for (gx_cuda_job *j = n->jobs; j; j = j->next) {
        if (j->begun && !j->done) look(j, false);
        running += j->begun && !j->done;
    }
    for (gx_cuda_job *j = n->jobs; j && running < most_at_once(); j = j->next)
        if (!j->begun) {
            begin(j);
            running += !j->done;
        }
    gx_error_clear(n->rt);
}

void gx_cuda_job_leave(gx_cuda_job *job) {
    gx_rt *rt = job->compiler->rt;
    gx_cuda_job **at = &job->compiler->jobs;
    while (*at != job) at = &(*at)->next;
    *at = job->next;
    if (job->begun && !job->done) gx_nvrtc_leave(&job->child);
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
    job->next = n->jobs;
    n->jobs = job;
    snprintf(job->target, sizeof job->target, "%s", target);
    bool ok = gx_buf_puts(&job->source, source) &&
              gx_nvrtc_key(n, target, source, &job->text);
    if (!ok || gx_cuda_cache_load(n->rt, &job->text, out)) {
        gx_cuda_job_leave(job);
        return ok;
    }
    gather(n);
    *made = job;
    return true;
}

bool gx_cuda_job_look(gx_cuda_job **of, bool waits, gx_buf *out) {
    gx_cuda_job *job = *of;
    gx_cuda_compiler *n = job->compiler;
    gather(n);
    if (waits && job->begun && !job->done) look(job, true);
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
