/* NVIDIA's libraries, opened at the first need of each: gx is built without them and runs without
   them. Looked for in $CUDA_HOME, where the loader looks, in the toolkit's folder and in those of
   Python packages; never in a folder of stubs, which only fail. Nothing is closed again. */
#include "runtime/backend/cuda/state_int.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct symbol {
    const char *name;
    size_t at; /* in the struct of functions */
    bool late; /* older libraries lack it */
} symbol;

#define GX_DRIVER(name, params) {#name, offsetof(gx_cuda_driver, name), false},
static const symbol driver_symbols[] = {
#include "runtime/backend/cuda/symbols.def"
    {NULL, 0, false}};
#define GX_NVRTC(name, params) {#name, offsetof(gx_cuda_nvrtc, name), false},
static const symbol nvrtc_symbols[] = {
#include "runtime/backend/cuda/symbols.def"
    {NULL, 0, false}};
#define GX_BLAS(name, params) {#name, offsetof(gx_cuda_blas, name), false},
static const symbol blas_symbols[] = {
#include "runtime/backend/cuda/symbols.def"
    {NULL, 0, false}};
#define GX_SOLVER(name, params) {#name, offsetof(gx_cuda_solver, name), false},
#define GX_SOLVER_LATE(name, params) {#name, offsetof(gx_cuda_solver, name), true},
static const symbol solver_symbols[] = {
#include "runtime/backend/cuda/symbols.def"
    {NULL, 0, false}};
#define GX_FFT(name, params) {#name, offsetof(gx_cuda_fft, name), false},
static const symbol fft_symbols[] = {
#include "runtime/backend/cuda/symbols.def"
    {NULL, 0, false}};

/* Files by CUDA's major version: 13, then 12. */
typedef struct library {
    const char *what;
    const char *package; /* pip's */
    const char *files[2];
    const symbol *symbols;
} library;

static const library libraries[GX_LIB_COUNT] = {
    [GX_LIB_DRIVER] = {"the NVIDIA driver", NULL, {"libcuda.so.1", NULL}, driver_symbols},
    [GX_LIB_NVRTC] = {"NVRTC, the kernel compiler",
                      "nvidia-cuda-nvrtc",
                      {"libnvrtc.so.13", "libnvrtc.so.12"},
                      nvrtc_symbols},
    [GX_LIB_BLAS] = {"cuBLAS",
                     "nvidia-cublas",
                     {"libcublas.so.13", "libcublas.so.12"},
                     blas_symbols},
    [GX_LIB_SOLVER] = {"cuSOLVER",
                       "nvidia-cusolver",
                       {"libcusolver.so.12", "libcusolver.so.11"},
                       solver_symbols},
    [GX_LIB_FFT] = {"cuFFT", "nvidia-cufft", {"libcufft.so.12", "libcufft.so.11"}, fft_symbols},
};

const char *gx_cuda_library_name(gx_cuda_library which) {
    return libraries[which].files[0];
}

/* The file that an opened library came from. */
static bool file_of(void *handle, const symbol *any, char *path, size_t room) {
    Dl_info info;
    void *at = any->name ? dlsym(handle, any->name) : NULL;
    if (!at || !dladdr(at, &info) || !info.dli_fname) return false;
    return snprintf(path, room, "%s", info.dli_fname) < (int)room;
}

/* What is looked for; whether a stub, which only fails, was met. */
typedef struct search {
    const symbol *any;
    bool stub;
} search;

static void *open_file(const char *path, search *s) {
    char found[4096];
    if (strstr(path, "/stubs/")) {
        s->stub = s->stub || access(path, F_OK) == 0;
        return NULL;
    }
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle && file_of(handle, s->any, found, sizeof found) && strstr(found, "/stubs/")) {
        s->stub = true;
        dlclose(handle);
        return NULL;
    }
    return handle;
}

static void *open_in(const char *folder, const char *sub, const char *file, search *s) {
    char path[4096];
    if (!folder || !*folder) return NULL;
    int n = snprintf(path, sizeof path, "%s%s/%s", folder, sub, file);
    return n < (int)sizeof path ? open_file(path, s) : NULL;
}

static void *open_matching(const char *folder, const char *pattern, const char *file, search *s) {
    char path[4096];
    glob_t found;
    void *handle = NULL;
    if (!folder || !*folder) return NULL;
    if (snprintf(path, sizeof path, "%s%s/%s", folder, pattern, file) >= (int)sizeof path)
        return NULL;
    if (glob(path, 0, NULL, &found) != 0) return NULL;
    for (size_t i = 0; i < found.gl_pathc && !handle; i++) handle = open_file(found.gl_pathv[i], s);
    globfree(&found);
    return handle;
}

/* NVIDIA's Python packages, of the interpreters that are on the path. */
static void *open_packaged(const char *file, search *s) {
    static const char user[] = "/.local/lib/python3*/site-packages/nvidia/*/lib",
                      local[] = "/../lib/python3*/*-packages/nvidia/*/lib",
                      venv[] = "/lib/python3*/site-packages/nvidia/*/lib";
    void *handle = open_matching(getenv("VIRTUAL_ENV"), venv, file, s);
    const char *path = getenv("PATH");
    char folder[2048];
    while (!handle && path && *path) {
        size_t n = strcspn(path, ":");
        if (n > 0 && n < sizeof folder) {
            memcpy(folder, path, n);
            folder[n] = '\0';
            handle = open_matching(folder, local, file, s);
        }
        path += n + (path[n] == ':');
    }
    return handle ? handle : open_matching(getenv("HOME"), user, file, s);
}

static void *open_anywhere(const char *file, search *s) {
    void *handle = open_in(getenv("CUDA_HOME"), "/lib64", file, s);
    if (!handle) handle = open_in(getenv("CUDA_HOME"), "/lib", file, s);
    if (!handle) handle = open_file(file, s);
    if (!handle) handle = open_in("/usr/local/cuda", "/lib64", file, s);
    if (!handle) handle = open_in("/usr/local/cuda", "/lib", file, s);
    if (!handle) handle = open_in("/usr/local/nvidia", "/lib64", file, s);
    if (!handle) handle = open_in("/usr/lib/wsl", "/lib", file, s);
    return handle ? handle : open_packaged(file, s);
}

static bool fail_missing(gx_rt *rt, gx_cuda_library which, int prefer, bool stub) {
    const library *l = &libraries[which];
    const char *file = l->files[prefer == 12 && l->files[1] ? 1 : 0];
    gx_fail(rt, GX_RuntimeError, "cuda.library", "%s (%s) was not found%s", file, l->what,
            stub ? ", only a stub of it, which cannot compute" : "");
    if (which == GX_LIB_DRIVER)
        return gx_help(rt, "install NVIDIA's driver; a container is started with --gpus all");
    return gx_help(rt, "install CUDA %d, or pip install %s%s, or set CUDA_HOME",
                   prefer == 12 ? 12 : 13, l->package, prefer == 12 ? "-cu12" : "");
}

static void *open_library(gx_cuda_library which, int prefer, bool *stub) {
    const library *l = &libraries[which];
    int first = prefer == 12;
    void *handle = NULL;
    search looked = {.any = l->symbols};
    for (int i = 0; i < 2 && !handle; i++) {
        const char *file = l->files[(first + i) % 2];
        if (file) handle = open_anywhere(file, &looked);
    }
    *stub = looked.stub;
    return handle;
}

bool gx_cuda_symbols(gx_rt *rt, gx_cuda_library which, int prefer, void *functions, char *path,
                     size_t path_room) {
    const library *l = &libraries[which];
    bool stub;
    void *handle = open_library(which, prefer, &stub);
    if (!handle) return fail_missing(rt, which, prefer, stub);
    for (const symbol *s = l->symbols; s->name; s++) {
        void *at = dlsym(handle, s->name);
        if (!at && !s->late)
            return gx_fail(rt, GX_RuntimeError, "cuda.library",
                           "%s (%s) has no function %s: it is too old", l->files[0], l->what,
                           s->name);
        memcpy((char *)functions + s->at, &at, sizeof at); /* C has no cast from void * */
    }
    if (path && !file_of(handle, l->symbols, path, path_room)) *path = '\0';
    return true;
}

bool gx_cuda_symbols_quietly(gx_cuda_library which, int prefer, void *functions) {
    bool stub;
    void *handle = open_library(which, prefer, &stub);
    for (const symbol *s = libraries[which].symbols; handle && s->name; s++) {
        void *at = dlsym(handle, s->name);
        if (!at && !s->late) return false;
        memcpy((char *)functions + s->at, &at, sizeof at);
    }
    return handle != NULL;
}
