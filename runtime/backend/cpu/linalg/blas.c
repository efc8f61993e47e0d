/* OpenBLAS, opened at the first product. gx needs no BLAS to build or to run: without one, products
   and linear algebra use gx's own loops. GX_OPENBLAS is a path to try first, or "none". */
#include "runtime/backend/cpu/cpu_int.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/backend/beside.h"

static void *open_library(void) {
    static const char *const names[] = {"libopenblas.so.0", "libopenblas.so", "libopenblasp.so.0",
                                        "libopenblaso.so.0"};
    const char *path = getenv("GX_OPENBLAS");
    if (path && strcmp(path, "none") == 0) return NULL;
    void *handle = path && *path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    for (size_t i = 0; !handle && i < sizeof names / sizeof *names; i++)
        handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return handle;
}

/* ../lib beside the program, and libgx's own folder: where the release archive keeps it. */
static void *open_beside(void) {
    static const char *const tails[] = {"/../lib/libopenblas.so.0", "/libopenblas.so.0"};
    char path[4096];
    void *handle = NULL;
    const char *choice = getenv("GX_OPENBLAS");
    if (choice && strcmp(choice, "none") == 0) return NULL;
    for (int i = 0; !handle && i < 2; i++)
        if (gx_beside(tails[i], path, sizeof path)) handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return handle;
}

/* Function pointers are set through their bytes: C has no cast from void * to them. */
static bool find(void *handle, const char *name, void *to) {
    void *at = dlsym(handle, name);
    if (!at) return false;
    memcpy(to, &at, sizeof at);
    return true;
}

gx_blas_fn gx_blas_find(const gx_blas *blas, const char *name) {
    gx_blas_fn fn = NULL;
    return find(blas->handle, name, &fn) ? fn : NULL;
}

static bool find_all(gx_blas *b) {
    static const char *const gesv[] = {"sgesv_", "dgesv_", "cgesv_", "zgesv_"};
    static const char *const getrf[] = {"sgetrf_", "dgetrf_", "cgetrf_", "zgetrf_"};
    static const char *const getri[] = {"sgetri_", "dgetri_", "cgetri_", "zgetri_"};
    void *h = b->handle;
    bool ok = find(h, "cblas_sgemm", &b->sgemm) && find(h, "cblas_dgemm", &b->dgemm) &&
              find(h, "cblas_cgemm", &b->cgemm) && find(h, "cblas_zgemm", &b->zgemm) &&
              find(h, "cblas_sgemv", &b->sgemv) && find(h, "cblas_dgemv", &b->dgemv) &&
              find(h, "cblas_sdot", &b->sdot) && find(h, "cblas_ddot", &b->ddot) &&
              find(h, "openblas_set_num_threads", &b->set_threads);
    if (!find(h, "cblas_ssyrk", &b->ssyrk) || !find(h, "cblas_dsyrk", &b->dsyrk)) b->ssyrk = NULL;
    for (int i = 0; ok && i < 4; i++) {
        bool lapack = find(h, gesv[i], &b->gesv[i]) && find(h, getrf[i], &b->getrf[i]) &&
                      find(h, getri[i], &b->getri[i]);
        if (!lapack) b->gesv[i] = NULL; /* a build without LAPACK still multiplies */
    }
    return ok;
}

const gx_blas *gx_blas_open(gx_cpu *cpu, int64_t largest) {
    enum { SMALL = 48 };
    gx_blas *b = &cpu->blas;
    int wanted = largest <= SMALL ? 1 : cpu->threads;
    if (!b->tried) {
        b->tried = true;
        b->handle = open_beside();
        if (!b->handle) b->handle = open_library();
        if (b->handle && !find_all(b)) {
            dlclose(b->handle);
            b->handle = NULL;
        }
    }
    if (b->handle && b->threads != wanted) {
        b->set_threads(wanted);
        b->threads = wanted;
    }
    return b->handle ? b : NULL;
}
