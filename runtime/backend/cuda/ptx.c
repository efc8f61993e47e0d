/* Kernels that scripts bring, to PTX. Unlike gx's own they are compiled as NVRTC compiles by
   default (a * b + c may round once), with line information, with the small headers that students
   write and with the toolkit's folder of headers where there is one. */
#include "runtime/backend/cuda/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/backend/cuda/nvrtc_int.h"

enum { MAX_OPTIONS = 48 };

static bool has_option(const gx_ptx_request *q, const char *start) {
    for (int i = 0; i < q->n_options; i++)
        if (strncmp(q->options[i], start, strlen(start)) == 0) return true;
    return false;
}

/* The toolkit's folder of headers as -I, and below it C++'s own (CUDA 13); how many there are. */
static int toolkit_headers(char text[2][3100]) {
    const char *homes[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda", "/usr"};
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
        struct stat info;
        char path[3000];
        if (!homes[i] || !*homes[i]) continue;
        snprintf(path, sizeof path, "%s/include/cuda_fp16.h", homes[i]);
        if (stat(path, &info) != 0) continue;
        snprintf(text[0], sizeof text[0], "-I%s/include", homes[i]);
        snprintf(text[1], sizeof text[1], "-I%s/include/cccl", homes[i]);
        return stat(text[1] + 2, &info) == 0 ? 2 : 1;
    }
    return 0;
}

/* -arch=sm_90, --gpu-architecture=compute_90: PTX for it; without one, what most GPUs take. */
static const char *target_of(const gx_ptx_request *q, char target[32]) {
    int number = 75;
    for (int i = 0; i < q->n_options; i++) {
        const char *p = strchr(q->options[i], '=');
        bool arch = strncmp(q->options[i], "-arch", 5) == 0 ||
                    strncmp(q->options[i], "--gpu-arch", 10) == 0;
        if (!arch || !p) continue;
        p += strcspn(p, "0123456789");
        if (*p) number = atoi(p);
    }
    snprintf(target, 32, "-arch=compute_%d", number);
    return target;
}

static int list_options(const gx_rt *rt, const gx_ptx_request *q, char include[2][3100],
                        char target[32], const char **options) {
    int n = 0;
    options[n++] = target_of(q, target);
    options[n++] = "-lineinfo";
    options[n++] = "-default-device";
    options[n++] = "--pre-include=gx_prelude.h";
    if (!has_option(q, "-std") && !has_option(q, "--std")) options[n++] = "--std=c++17";
    int folders = rt->debug.safe ? 0 : toolkit_headers(include);
    for (int i = 0; i < folders; i++) options[n++] = include[i];
    for (int i = 0; i < q->n_options && n < MAX_OPTIONS; i++) {
        /* the first option says it */
        if (strncmp(q->options[i], "-arch", 5) == 0 ||
            strncmp(q->options[i], "--gpu-arch", 10) == 0)
            continue;
        options[n++] = q->options[i];
    }
    return n;
}

static bool compile(gx_cuda_compiler *n, const gx_ptx_request *q, const char *const *options,
                    int count, gx_buf *ptx, gx_buf *lowered) {
    gx_nvrtc_result r;
    const gx_nvrtc_job job = {.source = q->source,
                              .file = q->file,
                              .options = options,
                              .n_options = count,
                              .names = q->names,
                              .n_names = q->n_names,
                              .header_names = gx_nvrtc_header_names,
                              .header_texts = gx_nvrtc_header_texts,
                              .n_headers = gx_nvrtc_headers,
                              .ptx = true,
                              .what = "compiling a kernel",
                              .after = 0.3};
    bool ok = gx_nvrtc_run(n, &job, &r);
    if (ok && r.log.length) ok = gx_buf_add(q->log, r.log.data, r.log.length);
    if (ok && r.status != 0)
        ok = gx_nvrtc_fail(n->rt, r.log.length ? gx_buf_text(&r.log) : "");
    else if (ok && r.code.length == 0)
        ok = gx_fail(n->rt, GX_RuntimeError, "kernel.compile", "NVRTC gave no code");
    else if (ok && r.bad_name >= 0)
        ok = gx_fail(n->rt, GX_ValueError, "kernel.name", "the source has no kernel %s",
                     q->names[r.bad_name]);
    ok = ok && gx_buf_add(ptx, r.code.data, r.code.length - 1) && /* without its NUL */
         gx_buf_add(lowered, r.lowered.data, r.lowered.length);
    gx_nvrtc_result_free(&r);
    return ok;
}

/* Stored as the length of the PTX in text, the PTX, and the names. */
static bool unpack(const gx_buf *code, gx_buf *ptx, gx_buf *lowered, bool *found) {
    char *end;
    *found = false;
    if (code->length < 21) return true;
    size_t n = (size_t)strtoull(code->data, &end, 10);
    if (end != code->data + 20 || n > code->length - 21) return true;
    *found = true;
    return gx_buf_add(ptx, code->data + 21, n) &&
           gx_buf_add(lowered, code->data + 21 + n, code->length - 21 - n);
}

bool gx_cuda_ptx(gx_rt *rt, const gx_ptx_request *q, gx_buf *ptx, gx_buf *lowered) {
    gx_cuda_compiler n = {.rt = rt};
    const char *options[MAX_OPTIONS + 1];
    char include[2][3100];
    if (!gx_cuda_compiler_open(&n)) return false;
    for (int i = 0; i < q->n_options; i++)
        if (!gx_nvrtc_may(rt, q->options[i])) return false;
    char target[32];
    int count = list_options(rt, q, include, target, options);
    gx_buf text = gx_buf_new(rt), code = gx_buf_new(rt);
    bool ok = gx_buf_printf(&text, "gx raw 2\n%s\n%s\n", n.build, q->file), found = false;
    for (int i = 0; i < count && ok; i++) ok = gx_buf_printf(&text, "%s ", options[i]);
    for (int i = 0; i < q->n_names && ok; i++) ok = gx_buf_printf(&text, "\n%s", q->names[i]);
    ok = ok && gx_buf_char(&text, '\n') && gx_buf_puts(&text, q->source);
    if (ok && gx_cuda_cache_load(rt, &text, &code)) ok = unpack(&code, ptx, lowered, &found);
    if (ok && !found) {
        ok = compile(&n, q, options, count, ptx, lowered);
        code.length = 0;
        if (ok) {
            rt->gpu_stats.compiled++;
            ok = gx_buf_printf(&code, "%020llu\n", (unsigned long long)ptx->length) &&
                 gx_buf_add(&code, ptx->data, ptx->length) &&
                 gx_buf_add(&code, gx_buf_text(lowered), lowered->length);
        }
        int line, length;
        const char *log = gx_buf_text(q->log), *warning;
        /* A warning is told whenever the script runs. */
        if (ok && !gx_ptx_warning(&log, q->file, &line, &warning, &length))
            gx_cuda_cache_store(rt, &text, &code, false);
    }
    gx_buf_free(&code);
    gx_buf_free(&text);
    return ok;
}

bool gx_cuda_compiler_there(gx_rt *rt) {
    gx_cuda_compiler n = {.rt = rt};
    if (gx_cuda_compiler_open(&n)) return true;
    gx_error_clear(rt);
    return false;
}
