/* `gx --doctor`: looks for everything that computing on a GPU needs, says what was found where,
   what is missing or does not fit, and what to do about it. */
#include <string.h>

#include "kernels/general.h"
#include "runtime/backend/cuda/state_int.h"
#include "runtime/backend/gpu/order_int.h"

/* What is known so far. */
typedef struct finding {
    gx_rt *rt;
    gx_buf *out;
    int driver; /* CUDA's version as 13000; 0: no device */
    char target[16];
} finding;

/* The pending error and its help as lines; the error is gone then. */
static bool tell_error(finding *f, const char *what) {
    gx_error *e = &f->rt->error;
    bool ok = gx_buf_printf(f->out, "%-10s missing: %s\n", what,
                            e->message ? e->message : "no memory");
    if (ok && e->help) ok = gx_buf_printf(f->out, "%-10s help: %s\n", "", e->help);
    gx_error_clear(f->rt);
    return ok;
}

static bool look_at_device(finding *f) {
    gx_device *d;
    char path[4096];
    union {
        gx_cuda_driver driver;
    } functions;
    if (!gx_cuda_symbols(f->rt, GX_LIB_DRIVER, 0, &functions, path, sizeof path))
        return tell_error(f, "driver");
    if (!gx_buf_printf(f->out, "%-10s %s\n", "driver", path)) return false;
    if (!gx_cuda_backend.open(f->rt, &d)) return tell_error(f, "GPU");
    gx_cuda *c = gx_cuda_of(d);
    int64_t available = 0, total = 0;
    f->driver = c->facts.driver;
    memcpy(f->target, c->state->target, sizeof f->target);
    bool ok = gx_cuda_memory(d, &available, &total);
    ok = ok &&
         gx_buf_printf(f->out, "%-10s %s, compute capability %d.%d, %.1f of %.1f GiB free\n", "GPU",
                       c->facts.name, c->facts.major, c->facts.minor, (double)available / 0x1p30,
                       (double)total / 0x1p30) &&
         gx_buf_printf(f->out, "%-10s %d.%d, the newest that the driver takes\n", "CUDA",
                       f->driver / 1000, f->driver % 1000 / 10);
    gx_cuda_backend.close(d);
    return ok;
}

/* NVRTC: found, not beyond the driver, and does it compile for this device? */
static bool look_at_compiler(finding *f) {
    gx_cuda_compiler n = {.rt = f->rt, .prefer = f->driver / 1000};
    gx_buf *out = f->out;
    if (!gx_cuda_compiler_open(&n)) return tell_error(f, "NVRTC");
    char target[16];
    gx_cuda_compiler_target(&n, f->target, target, sizeof target);
    gx_buf code = gx_buf_new(f->rt);
    bool ok = gx_cuda_compile(&n, target, "extern \"C\" __global__ void gx_probe() {}", &code);
    gx_buf_free(&code);
    if (!ok) return tell_error(f, "NVRTC");
    if (!gx_buf_printf(out, "%-10s %d.%d, compiles for %s\n", "NVRTC", n.major, n.minor, target))
        return false;
    if (strcmp(target, f->target) != 0 &&
        !gx_buf_printf(out, "%-10s note: this GPU (%s) is newer than NVRTC: the driver translates "
                            "kernels at their first use\n%-10s help: install the newest CUDA\n",
                       "", f->target, ""))
        return false;
    if (f->driver == 0 || n.major <= f->driver / 1000) return true;
    return gx_buf_printf(out, "%-10s wrong: NVRTC %d.%d is beyond the driver's CUDA %d.%d: kernels "
                              "may not load\n%-10s help: update the driver, or pip install "
                              "nvidia-cuda-nvrtc-cu%d\n",
                         "", n.major, n.minor, f->driver / 1000, f->driver % 1000 / 10, "",
                         f->driver / 1000);
}

static bool look_at_library(finding *f, gx_cuda_library which, const char *what) {
    char path[4096];
    union {
        gx_cuda_blas blas;
        gx_cuda_solver solver;
        gx_cuda_fft fft;
    } functions;
    if (!gx_cuda_symbols(f->rt, which, f->driver / 1000, &functions, path, sizeof path))
        return tell_error(f, what);
    return gx_buf_printf(f->out, "%-10s %s\n", what, path);
}

/* What sorts large arrays. */
static bool look_at_sorter(gx_buf *out) {
    char path[4096];
    if (gx_cuda_sorter_path(path, sizeof path))
        return gx_buf_printf(out, "%-10s %s\n", "sorting", path);
    return gx_buf_printf(out,
                         "%-10s libgxsort.so is missing: the host sorts large arrays\n"
                         "%-10s help: build gx where nvcc is, and keep lib/ beside bin/\n",
                         "sorting", "");
}

/* What runs while kernels are compiled. */
static bool look_at_general(gx_buf *out) {
    char path[4096];
    if (gx_cuda_file_path("GX_GENERAL_KERNELS", GX_GENERAL_FILE, path, sizeof path))
        return gx_buf_printf(out, "%-10s %s\n", "first call", path);
    return gx_buf_printf(out,
                         "%-10s " GX_GENERAL_FILE " is missing: first calls wait for NVRTC\n"
                         "%-10s help: build gx where nvcc is, and keep lib/ beside bin/\n",
                         "first call", "");
}

static bool look_at_stored(gx_buf *out) {
    char path[4096];
    gx_gpu_library l;
    if (!gx_cuda_file_path("GX_STORED_KERNELS", GX_STORED_FILE, path, sizeof path) ||
        !gx_gpu_library_open(&l, path))
        return gx_buf_printf(out,
                             "%-10s " GX_STORED_FILE
                             " is missing: first scans, sorts and takes wait for NVRTC\n",
                             "");
    const long count = l.count;
    gx_gpu_library_close(&l);
    return gx_buf_printf(out, "%-10s %s: %ld kernels\n", "", path, count);
}

bool gx_cuda_doctor(gx_rt *rt, gx_buf *out) {
    finding f = {.rt = rt, .out = out, .target = "sm_90"};
    char folder[4096];
    bool ok = look_at_device(&f) && look_at_compiler(&f) &&
              look_at_library(&f, GX_LIB_BLAS, "cuBLAS") &&
              look_at_library(&f, GX_LIB_SOLVER, "cuSOLVER") &&
              look_at_library(&f, GX_LIB_FFT, "cuFFT") && look_at_sorter(out) &&
              look_at_general(out) && look_at_stored(out);
    if (!ok) return false;
    if (!gx_cuda_cache_folder(folder, sizeof folder, true))
        return gx_buf_printf(out, "%-10s none: kernels are compiled anew in each process\n",
                             "cache");
    return gx_buf_printf(out, "%-10s %s\n", "cache", folder);
}
