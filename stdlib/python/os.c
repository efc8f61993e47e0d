/* The module os: folders, files, environment. Paths are in path.c. Starts no programs. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"
#include "stdlib/common.h"

/* A str of text whose encoding nobody checked: what is no UTF-8 becomes '?'. */
bool gx_text_from_system(gx_rt *rt, const char *text, gx_value *out) {
    size_t n = strlen(text), good = gx_utf8_valid(text, n);
    if (good == n) return gx_str_new(rt, text, n, out);
    gx_buf b = gx_buf_new(rt);
    for (size_t i = 0; i < n; i++)
        if (!gx_buf_char(&b, (unsigned char)text[i] < 0x80 ? text[i] : '?')) {
            gx_buf_free(&b);
            return false;
        }
    return gx_str_take(&b, out);
}

/* None, or the OSError of errno. */
static bool done(gx_call *c, int status, const char *path, gx_value *out) {
    if (status != 0) return gx_os_error(c->rt, errno, path);
    *out = gx_none();
    return true;
}

static bool os_getcwd(gx_call *c, gx_value *out) {
    char path[PATH_MAX];
    if (!getcwd(path, sizeof path)) return gx_os_error(c->rt, errno, NULL);
    return gx_text_from_system(c->rt, path, out);
}

static bool os_chdir(gx_call *c, gx_value *out) {
    const char *path;
    return gx_arg_path(c, 0, &path) && done(c, chdir(path), path, out);
}

static bool os_remove(gx_call *c, gx_value *out) {
    const char *path;
    return gx_arg_path(c, 0, &path) && done(c, unlink(path), path, out);
}

static bool os_rmdir(gx_call *c, gx_value *out) {
    const char *path;
    return gx_arg_path(c, 0, &path) && done(c, rmdir(path), path, out);
}

static bool os_mkdir(gx_call *c, gx_value *out) {
    const char *path;
    int64_t mode;
    return gx_arg_path(c, 0, &path) && gx_arg_int(c, 1, &mode) &&
           done(c, mkdir(path, (mode_t)mode), path, out);
}

static bool os_rename(gx_call *c, gx_value *out) {
    const char *from, *to;
    return gx_arg_path(c, 0, &from) && gx_arg_path(c, 1, &to) &&
           done(c, rename(from, to), from, out);
}

static bool os_makedirs(gx_call *c, gx_value *out) {
    const char *path;
    int64_t mode;
    bool exist_ok;
    struct stat info;
    char part[PATH_MAX];
    if (!gx_arg_path(c, 0, &path) || !gx_arg_int(c, 1, &mode) || !gx_arg_bool(c, 2, &exist_ok))
        return false;
    size_t n = strlen(path);
    if (n >= sizeof part) return gx_os_error(c->rt, ENAMETOOLONG, path);
    memcpy(part, path, n + 1);
    for (size_t i = 1; i < n; i++) {
        if (part[i] != '/') continue;
        part[i] = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST) return gx_os_error(c->rt, errno, part);
        part[i] = '/';
    }
    if (mkdir(path, (mode_t)mode) == 0) return done(c, 0, path, out);
    int number = errno;
    bool there = exist_ok && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    return there ? done(c, 0, path, out) : gx_os_error(c->rt, number, path);
}

static bool os_getenv(gx_call *c, gx_value *out) {
    const char *name;
    size_t n;
    if (!gx_arg_str(c, 0, &name, &n)) return false;
    const char *value = c->rt->debug.safe ? NULL : getenv(name);
    if (value) return gx_text_from_system(c->rt, value, out);
    *out = gx_keep(c->argv[1]);
    return true;
}

static bool os_getpid(gx_call *c, gx_value *out) {
    (void)c;
    *out = gx_int(getpid());
    return true;
}

static bool os_cpu_count(gx_call *c, gx_value *out) {
    (void)c;
    *out = gx_int(sysconf(_SC_NPROCESSORS_ONLN));
    return true;
}

const gx_native gx_py_os_functions[] = {
    {"getcwd", "getcwd()", "The current folder.", NULL, os_getcwd, 0, 0},
    {"chdir", "chdir(path)", "Changes the current folder.", NULL, os_chdir, 0, 0},
    {"mkdir", "mkdir(path, mode=511)", "Makes a folder.", NULL, os_mkdir, 0, 0},
    {"makedirs", "makedirs(name, mode=511, exist_ok=False)", "Makes a folder and those above it.",
     NULL, os_makedirs, 0, 0},
    {"remove", "remove(path)", "Deletes a file.", NULL, os_remove, 0, 0},
    {"unlink", "unlink(path)", "Deletes a file.", NULL, os_remove, 0, 0},
    {"rmdir", "rmdir(path)", "Deletes an empty folder.", NULL, os_rmdir, 0, 0},
    {"rename", "rename(src, dst)", "Renames a file or folder.", NULL, os_rename, 0, 0},
    {"replace", "replace(src, dst)", "Renames, over an existing file.", NULL, os_rename, 0, 0},
    {"getenv", "getenv(key, default=None)", "A variable of the environment.", NULL, os_getenv, 0,
     0},
    {"getpid", "getpid()", "The number of this process.", NULL, os_getpid, 0, 0},
    {"cpu_count", "cpu_count()", "How many processors there are.", NULL, os_cpu_count, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};

const gx_constant gx_py_os_constants[] = {
    {.name = "path", .kind = GX_CONST_MODULE, .text = "os.path"},
    {.name = "sep", .kind = GX_CONST_STR, .text = "/"},
    {.name = "linesep", .kind = GX_CONST_STR, .text = "\n"},
    {.name = "curdir", .kind = GX_CONST_STR, .text = "."},
    {.name = "pardir", .kind = GX_CONST_STR, .text = ".."},
    {.name = "devnull", .kind = GX_CONST_STR, .text = "/dev/null"},
    {.name = "name", .kind = GX_CONST_STR, .text = "posix"},
    {.name = NULL},
};
