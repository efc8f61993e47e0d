/* libgxsort.so: CUB's radix sorts, compiled by nvcc when gx was built on a machine that has it.
   Looked for where $GX_SORT_LIBRARY says, beside the file that holds gx, in its lib/ and in ../lib;
   opened at the first sort. Without it sorting is the host's. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/backend/cuda/state_int.h"
#include "runtime/backend/beside.h"

struct gx_cuda_sorter {
    gx_sort_keys_fn *keys; /* NULL: there is no library */
    gx_sort_pairs_fn *pairs;
};
typedef struct gx_cuda_sorter gx_cuda_sorter;

#define SORT_FILE "libgxsort.so"

/* A build without nvcc leaves an empty file. */
static bool is_there(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && facts.st_size > 0;
}

bool gx_cuda_file_path(const char *variable, const char *file, char *path, size_t room) {
    static const char *const folders[] = {"", "/lib", "/../lib", "/kernels"};
    char tail[96];
    const char *given = getenv(variable);
    if (given && *given)
        return snprintf(path, room, "%s", given) < (int)room && is_there(path);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(tail, sizeof tail, "%s/%s", folders[i], file);
        if (gx_beside(tail, path, room) && is_there(path)) return true;
    }
    return false;
}

bool gx_cuda_sorter_path(char *path, size_t room) {
    return gx_cuda_file_path("GX_SORT_LIBRARY", SORT_FILE, path, room);
}

/* Function pointers are set through their bytes: C has no cast from void * to them. */
static bool find(void *handle, const char *name, void *to) {
    void *at = dlsym(handle, name);
    if (at) memcpy(to, &at, sizeof at);
    return at != NULL;
}

static void open_sorter(gx_cuda_sorter *s) {
    char path[4096];
    gx_sort_version_fn *version;
    void *handle = gx_cuda_sorter_path(path, sizeof path) ? dlopen(path, RTLD_NOW | RTLD_LOCAL)
                                                          : NULL;
    if (!handle) return;
    gx_cuda_sorter found = {NULL, NULL};
    if (find(handle, "gx_sort_version", &version) && version() == GX_SORT_VERSION &&
        find(handle, "gx_sort_keys", &found.keys) && find(handle, "gx_sort_pairs", &found.pairs))
        *s = found;
    else
        dlclose(handle);
}

bool gx_cuda_sorts(gx_cuda *c) {
    gx_cuda_state *state = c->state;
    if (!state->sorter) {
        state->sorter = gx_alloc_zero(c->gpu.base.rt, sizeof *state->sorter);
        if (!state->sorter) {
            gx_error_clear(c->gpu.base.rt);
            return false;
        }
        open_sorter(state->sorter);
    }
    return state->sorter->keys != NULL;
}

static bool sorted(gx_cuda *c, int status) {
    c->gpu.base.rt->gpu_stats.launched++;
    return gx_cuda_check(c, (unsigned)status, "sorting");
}

bool gx_cuda_sort_keys(gx_cuda *c, gx_sort_keys_job *job) {
    gx_buffer *temp = NULL;
    size_t bytes = 0;
    if (!gx_cuda_usable(c)) return false;
    job->stream = c->state->stream;
    bool ok = gx_cuda_check(c, (unsigned)c->state->sorter->keys(job, NULL, &bytes), "sorting") &&
              gx_cuda_scratch(c, (int64_t)bytes, &temp) &&
              sorted(c, c->state->sorter->keys(job, temp->data, &bytes));
    gx_buffer_drop(temp);
    return ok;
}

bool gx_cuda_sort_pairs(gx_cuda *c, gx_sort_pairs_job *job, int *last) {
    gx_buffer *temp = NULL;
    size_t bytes = 0;
    if (!gx_cuda_usable(c)) return false;
    job->stream = c->state->stream;
    bool ok =
        gx_cuda_check(c, (unsigned)c->state->sorter->pairs(job, NULL, &bytes, last), "sorting") &&
        gx_cuda_scratch(c, (int64_t)bytes, &temp) &&
        sorted(c, c->state->sorter->pairs(job, temp->data, &bytes, last));
    gx_buffer_drop(temp);
    return ok;
}
