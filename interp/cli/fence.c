/* gx --safe: what the process may still read once the kernel has locked it. The locks stand behind
   GX_SAFE=1, which refuses all paths by itself; where the kernel lacks one, that is said. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/cli/cli_int.h"
#include "interp/embed/tools.h"

/* Libraries are opened at their first use; the machine's size is asked for now and then. */
static const char *const always[] = {
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/local/cuda/lib64",
    "/usr/local/cuda/include",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/dev/null",
    "/dev/zero",
    "/dev/urandom",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/vm/overcommit_memory",
    "/sys/devices/system",
    "/sys/fs/cgroup",
};
enum { ALWAYS = sizeof always / sizeof *always, MORE = 40 };

typedef struct list {
    const char *path[ALWAYS + MORE];
    int n;
    char room[16 * PATH_MAX]; /* of paths that are made up here */
    size_t used;
} list;

static void add(list *l, const char *text, size_t length, const char *tail) {
    size_t need = length + strlen(tail) + 1;
    if (!length || l->n == ALWAYS + MORE || l->used + need > sizeof l->room) return;
    char *to = l->room + l->used;
    memcpy(to, text, length);
    memcpy(to + length, tail, need - length);
    l->used += need;
    l->path[l->n++] = to;
}

/* The folder that a file stands in. */
static void add_folder_of(list *l, const char *file) {
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (slash) add(l, file, slash == file ? 1 : (size_t)(slash - file), "");
}

void gx_fence_switches(void) {
    setenv("GX_SAFE", "1", 1);
    setenv("GX_DEVICE", "cpu", 1); /* a driver needs devices and programs */
}

static void fill(list *l, const gx_cli *o) {
    const char *home = getenv("CUDA_HOME"), *venv = getenv("VIRTUAL_ENV");
    const char *libraries = getenv("LD_LIBRARY_PATH");
    for (int i = 0; i < ALWAYS; i++) l->path[l->n++] = always[i];
    if (home) add(l, home, strlen(home), "/lib64");
    if (venv) add(l, venv, strlen(venv), "/lib");
    add_folder_of(l, getenv("GX_OPENBLAS"));
    while (libraries && *libraries) {
        size_t n = strcspn(libraries, ":");
        add(l, libraries, n, "");
        libraries += n + (libraries[n] == ':');
    }
    /* The program, and modules beside it. */
    if (o->file && strchr(o->file, '/'))
        add_folder_of(l, o->file);
    else
        l->path[l->n++] = ".";
}

bool gx_fence_raise(const gx_cli *o) {
    list *l = calloc(1, sizeof *l);
    if (!l) return false;
    fill(l, o);
    int held = gx_tool_fence(l->path, l->n);
    free(l);
    if (!(held & GX_FENCE_FILES))
        fputs("gx: --safe: the kernel has no Landlock; gx alone keeps files away\n", stderr);
    if (!(held & GX_FENCE_CALLS))
        fputs("gx: --safe: the kernel has no seccomp; gx alone keeps programs away\n", stderr);
    return true;
}
