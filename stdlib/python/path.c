/* The module os.path: questions about files. What paths say themselves is modules/path.gx. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/object/text/str.h"
#include "stdlib/common.h"
#include "stdlib/paths.h"
#include "stdlib/library/text.h"
#include "stdlib/library/texts.h"

static bool realpath_of(gx_call *c, gx_value *out) {
    const char *path;
    size_t n;
    char real[PATH_MAX];
    if (!gx_arg_path_text(c, 0, &path, &n)) return false;
    if (c->rt->debug.safe || !realpath(path, real))
        return gx_library_pass(c, "python_path", gx_library_text_python_path, "abspath", 1, c->argv,
                               out);
    return gx_text_from_system(c->rt, real, out);
}

static bool expanduser(gx_call *c, gx_value *out) {
    const char *path, *home = getenv("HOME");
    size_t n;
    if (!gx_arg_path_text(c, 0, &path, &n)) return false;
    if (path[0] != '~' || (path[1] && path[1] != '/') || !home || c->rt->debug.safe)
        return gx_str_new(c->rt, path, n, out);
    return gx_str_printf(c->rt, out, "%s%s", home, path + 1);
}

/* exists, isfile, isdir. */
static bool has_kind(gx_call *c, mode_t kind, gx_value *out) {
    const char *path;
    size_t n;
    struct stat info;
    if (!gx_arg_path_text(c, 0, &path, &n)) return false;
    bool there = !c->rt->debug.safe && strlen(path) == n && stat(path, &info) == 0;
    *out = gx_bool(there && (!kind || (info.st_mode & S_IFMT) == kind));
    return true;
}

static bool exists(gx_call *c, gx_value *out) {
    return has_kind(c, 0, out);
}

static bool isfile(gx_call *c, gx_value *out) {
    return has_kind(c, S_IFREG, out);
}

static bool isdir(gx_call *c, gx_value *out) {
    return has_kind(c, S_IFDIR, out);
}

static bool getsize(gx_call *c, gx_value *out) {
    const char *path;
    struct stat info;
    if (!gx_arg_path(c, 0, &path)) return false;
    if (stat(path, &info) != 0) return gx_os_error(c->rt, errno, path);
    *out = gx_int((int64_t)info.st_size);
    return true;
}

static bool getmtime(gx_call *c, gx_value *out) {
    const char *path;
    struct stat info;
    if (!gx_arg_path(c, 0, &path)) return false;
    if (stat(path, &info) != 0) return gx_os_error(c->rt, errno, path);
    *out = gx_float((double)info.st_mtim.tv_sec + (double)info.st_mtim.tv_nsec / 1e9);
    return true;
}

const gx_native gx_py_path_functions[] = {
    {"realpath", "realpath(path)", "The path from the root with links followed.", NULL, realpath_of,
     0, 0},
    {"expanduser", "expanduser(path)", "With '~' replaced by the home folder.", NULL, expanduser, 0,
     0},
    {"exists", "exists(path)", "Is there such a file or folder?", NULL, exists, 0, 0},
    {"isfile", "isfile(path)", "Is it a file?", NULL, isfile, 0, 0},
    {"isdir", "isdir(s)", "Is it a folder?", NULL, isdir, 0, 0},
    {"getsize", "getsize(filename)", "The bytes of a file.", NULL, getsize, 0, 0},
    {"getmtime", "getmtime(filename)", "When it was changed, in seconds since 1970.", NULL,
     getmtime, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};

const gx_constant gx_py_path_constants[] = {
    {.name = "sep", .kind = GX_CONST_STR, .text = "/"},
    {.name = "curdir", .kind = GX_CONST_STR, .text = "."},
    {.name = "pardir", .kind = GX_CONST_STR, .text = ".."},
    {.name = "extsep", .kind = GX_CONST_STR, .text = "."},
    {.name = "pathsep", .kind = GX_CONST_STR, .text = ":"},
    {.name = "defpath", .kind = GX_CONST_STR, .text = "/bin:/usr/bin"},
    {.name = "devnull", .kind = GX_CONST_STR, .text = "/dev/null"},
    {.name = "altsep", .kind = GX_CONST_NONE},
    {.name = "supports_unicode_filenames", .kind = GX_CONST_BOOL, .i = 0},
    {.name = NULL},
};
