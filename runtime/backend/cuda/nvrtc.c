/* The compiler of kernels: CUDA C++ to machine code by NVRTC, which needs no device. Everything
   that decides its output (text, options, target, the library's build) is the text under which the
   result is cached on disk. */
#include "runtime/backend/cuda/nvrtc_int.h"
#include "runtime/backend/cuda/ptx.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { INVALID_OPTION = 5, BUILTIN_FAILURE = 7 };

bool gx_cuda_compiler_open(gx_cuda_compiler *n) {
    char path[4096];
    struct stat info;
    if (n->open) return true;
    if (!gx_cuda_symbols(n->rt, GX_LIB_NVRTC, n->prefer, &n->api, path, sizeof path)) return false;
    if (n->api.nvrtcVersion(&n->major, &n->minor) != 0)
        return gx_fail(n->rt, GX_RuntimeError, "cuda.compile", "NVRTC does not tell its version");
    /* Two builds of one version may give different code: the file's size and time stand for it. */
    bool known = *path && stat(path, &info) == 0;
    snprintf(n->build, sizeof n->build, "nvrtc %d.%d %lld %lld", n->major, n->minor,
             known ? (long long)info.st_size : 0, known ? (long long)info.st_mtime : 0);
    n->open = true;
    return true;
}

void gx_cuda_compiler_target(const gx_cuda_compiler *n, const char *device, char *target,
                             size_t room) {
    int archs[64], count = 0, newest = 0, wanted = 0;
    snprintf(target, room, "%s", device);
    if (sscanf(device, "sm_%d", &wanted) != 1) return;
    if (n->api.nvrtcGetNumSupportedArchs(&count) != 0 || count < 1 || count > 64) return;
    if (n->api.nvrtcGetSupportedArchs(archs) != 0) return;
    for (int i = 0; i < count; i++) {
        if (archs[i] == wanted) return;
        if (archs[i] < wanted && archs[i] > newest) newest = archs[i];
    }
    if (newest) snprintf(target, room, "compute_%d", newest);
}

int gx_nvrtc_options(const gx_cuda_compiler *n, const char *arch, const char **options) {
    int count = 0;
    options[count++] = arch;
    options[count++] = "--std=c++17";
    options[count++] = "-default-device";
    options[count++] = "-fmad=false"; /* a * b + c rounds twice, as NumPy's does */
    options[count++] = "-w";
    if (!n->no_minimal) options[count++] = "-minimal";
    return count;
}

/* The compiler's own words, as notes of the error. */
static bool fail_compile(gx_cuda_compiler *n, const gx_nvrtc_result *r) {
    gx_fail(n->rt, GX_RuntimeError, "cuda.compile", "NVRTC cannot compile a kernel (status %u)\n%s",
            r->status, gx_buf_text(&r->log));
    if (r->status == BUILTIN_FAILURE)
        gx_help(n->rt, "libnvrtc-builtins.so.%d.%d must lie beside NVRTC: install both together",
                n->major, n->minor);
    return false;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* After 0.3 s of compiling, of one kernel or of several, a line says so. */
static double begin_wait(gx_cuda_compiler *n, char *what, size_t room) {
    double start = now();
    if (start - n->until > 0.1) {
        n->since = start;
        n->in_a_row = 0;
    }
    snprintf(what, room, "compiling kernel %d", ++n->in_a_row);
    return 0.3 - (start - n->since);
}

static bool run_compiler(gx_cuda_compiler *n, const char *arch, bool ptx, const char *source,
                         gx_buf *out) {
    const char *options[GX_NVRTC_OPTIONS];
    char what[64];
    gx_nvrtc_result r;
    gx_nvrtc_job job = {.source = source, .file = "gx.cu", .ptx = ptx, .what = what};
    job.options = options;
    job.n_options = gx_nvrtc_options(n, arch, options);
    job.after = begin_wait(n, what, sizeof what);
    bool ok = gx_nvrtc_run(n, &job, &r);
    n->until = now();
    if (ok && r.status == INVALID_OPTION && !n->no_minimal) {
        n->no_minimal = true; /* before CUDA 12.4 */
        gx_nvrtc_result_free(&r);
        return run_compiler(n, arch, ptx, source, out);
    }
    if (ok && r.status != 0) ok = fail_compile(n, &r);
    else if (ok && !r.code.length)
        ok = gx_fail(n->rt, GX_RuntimeError, "cuda.compile", "NVRTC gave no code");
    ok = ok && gx_buf_add(out, r.code.data, r.code.length);
    gx_nvrtc_result_free(&r);
    return ok;
}

bool gx_nvrtc_key(const gx_cuda_compiler *n, const char *target, const char *source,
                  gx_buf *text) {
    char arch[48];
    const char *options[GX_NVRTC_OPTIONS];
    snprintf(arch, sizeof arch, "-arch=%s", target);
    int count = gx_nvrtc_options(n, arch, options);
    bool ok = gx_buf_printf(text, "gx 1\n%s\n", n->build);
    for (int i = 0; i < count && ok; i++) ok = gx_buf_printf(text, "%s ", options[i]);
    return ok && gx_buf_char(text, '\n') && gx_buf_puts(text, source);
}

bool gx_cuda_compile(gx_cuda_compiler *n, const char *target, const char *source, gx_buf *out) {
    char arch[48];
    bool ptx = strncmp(target, "compute_", 8) == 0;
    if (!gx_cuda_compiler_open(n)) return false;
    snprintf(arch, sizeof arch, "-arch=%s", target);
    gx_buf text = gx_buf_new(n->rt);
    bool ok = gx_nvrtc_key(n, target, source, &text);
    if (ok && !gx_cuda_cache_load(n->rt, &text, out)) {
        gx_buf code = gx_buf_new(n->rt);
        ok = run_compiler(n, arch, ptx, source, &code);
        if (ok) {
            n->rt->gpu_stats.compiled++;
            gx_cuda_cache_store(n->rt, &text, &code, n->stored++ % 64 == 0);
            ok = gx_buf_add(out, code.data, code.length);
        }
        gx_buf_free(&code);
    }
    gx_buf_free(&text);
    return ok;
}

bool gx_cuda_text_ptx(gx_rt *rt, const char *source, gx_buf *out) {
    gx_cuda_compiler n = {.rt = rt};
    return gx_cuda_compile(&n, "compute_75", source, out);
}
