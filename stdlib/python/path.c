/* The module os.path: paths as text, and questions about files. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"
#include "stdlib/common.h"

static bool path_arg(gx_call *c, int i, const char **path, size_t *n) {
    return gx_arg_str(c, i, path, n);
}

static bool join(gx_call *c, gx_value *out) {
    const char *first, *part;
    size_t n;
    if (!path_arg(c, 0, &first, &n)) return false;
    const gx_tuple *rest = gx_as_tuple(c->argv[1]);
    gx_buf b = gx_buf_new(c->rt);
    bool ok = gx_buf_add(&b, first, n);
    for (int64_t i = 0; ok && i < rest->count; i++) {
        if (rest->items[i].tag != GX_STR) {
            ok = gx_fail(c->rt, GX_TypeError, "arg.type", "join() argument must be str, not '%s'",
                         gx_type_name(rest->items[i]));
            break;
        }
        part = gx_as_str(rest->items[i])->text;
        if (part[0] == '/')
            b.length = 0;
        else if (b.length && b.data[b.length - 1] != '/')
            ok = gx_buf_char(&b, '/');
        ok = ok && gx_buf_puts(&b, part);
    }
    if (ok) return gx_str_take(&b, out);
    gx_buf_free(&b);
    return false;
}

/* Where the last part of a path begins. */
static size_t last_part(const char *path, size_t n) {
    while (n > 0 && path[n - 1] != '/') n--;
    return n;
}

/* The folder of a path whose last part begins at `at`: without its slashes, unless it is all
 * slashes. */
static size_t folder_end(const char *path, size_t at) {
    size_t end = at;
    while (end > 0 && path[end - 1] == '/') end--;
    return end ? end : at;
}

static bool basename_of(gx_call *c, gx_value *out) {
    const char *path;
    size_t n;
    if (!path_arg(c, 0, &path, &n)) return false;
    size_t at = last_part(path, n);
    return gx_str_new(c->rt, path + at, n - at, out);
}

static bool dirname_of(gx_call *c, gx_value *out) {
    const char *path;
    size_t n;
    if (!path_arg(c, 0, &path, &n)) return false;
    return gx_str_new(c->rt, path, folder_end(path, last_part(path, n)), out);
}

static bool pair_of(gx_call *c, const char *text, size_t cut, size_t skip, size_t n,
                    gx_value *out) {
    gx_value pair[2];
    if (!gx_str_new(c->rt, text, cut, &pair[0])) return false;
    if (!gx_str_new(c->rt, text + skip, n - skip, &pair[1])) {
        gx_drop(pair[0]);
        return false;
    }
    return gx_tuple_take(c->rt, 2, pair, out);
}

static bool split(gx_call *c, gx_value *out) {
    const char *path;
    size_t n;
    if (!path_arg(c, 0, &path, &n)) return false;
    size_t at = last_part(path, n);
    return pair_of(c, path, folder_end(path, at), at, n, out);
}

static bool splitext(gx_call *c, gx_value *out) {
    const char *path;
    size_t n;
    if (!path_arg(c, 0, &path, &n)) return false;
    size_t start = last_part(path, n), dot = n;
    for (size_t i = start; i < n; i++)
        if (path[i] == '.') dot = i;
    size_t lead = start;
    while (lead < n && path[lead] == '.') lead++;
    if (dot < lead) dot = n;
    return pair_of(c, path, dot, dot, n, out);
}

/* Removes "." and "x/.." and doubled slashes; adds what the path means to b. */
static bool normalise(gx_buf *b, const char *path) {
    bool absolute = path[0] == '/';
    if (absolute && !gx_buf_char(b, '/')) return false;
    size_t root = b->length;
    while (*path) {
        size_t n = strcspn(path, "/");
        bool up = n == 2 && path[0] == '.' && path[1] == '.';
        bool here = n == 0 || (n == 1 && path[0] == '.');
        size_t last = last_part(gx_buf_text(b), b->length);
        if (last < root) last = root;
        bool last_up = b->length - last == 2 && memcmp(b->data + last, "..", 2) == 0;
        if (up && b->length > root && !last_up) {
            b->length = last > root ? last - 1 : root;
        } else if (!here && !(up && absolute)) {
            if (b->length > root && !gx_buf_char(b, '/')) return false;
            if (!gx_buf_add(b, path, n)) return false;
        }
        path += n + (path[n] == '/');
    }
    if (b->length == 0) return gx_buf_char(b, '.');
    b->data[b->length] = 0;
    return true;
}

static bool take_text(bool ok, gx_buf *b, gx_value *out) {
    if (ok) return gx_str_take(b, out);
    gx_buf_free(b);
    return false;
}

static bool normpath(gx_call *c, gx_value *out) {
    const char *path;
    size_t n;
    if (!path_arg(c, 0, &path, &n)) return false;
    gx_buf b = gx_buf_new(c->rt);
    return take_text(normalise(&b, path), &b, out);
}

static bool abspath(gx_call *c, gx_value *out) {
    const char *path;
    size_t n;
    char here[PATH_MAX];
    if (!path_arg(c, 0, &path, &n)) return false;
    if (path[0] != '/' && !getcwd(here, sizeof here)) return gx_os_error(c->rt, errno, NULL);
    gx_buf whole = gx_buf_new(c->rt), b = gx_buf_new(c->rt);
    bool ok = path[0] == '/' || (gx_buf_puts(&whole, here) && gx_buf_char(&whole, '/'));
    ok = ok && gx_buf_puts(&whole, path) && normalise(&b, gx_buf_text(&whole));
    gx_buf_free(&whole);
    return take_text(ok, &b, out);
}

static bool realpath_of(gx_call *c, gx_value *out) {
    const char *path;
    size_t n;
    char real[PATH_MAX];
    if (!path_arg(c, 0, &path, &n)) return false;
    if (c->rt->debug.safe || !realpath(path, real)) return abspath(c, out);
    return gx_text_from_system(c->rt, real, out);
}

static bool expanduser(gx_call *c, gx_value *out) {
    const char *path, *home = getenv("HOME");
    size_t n;
    if (!path_arg(c, 0, &path, &n)) return false;
    if (path[0] != '~' || (path[1] && path[1] != '/') || !home || c->rt->debug.safe)
        return gx_str_new(c->rt, path, n, out);
    return gx_str_printf(c->rt, out, "%s%s", home, path + 1);
}

static bool isabs(gx_call *c, gx_value *out) {
    const char *path;
    size_t n;
    if (!path_arg(c, 0, &path, &n)) return false;
    *out = gx_bool(path[0] == '/');
    return true;
}

/* exists, isfile, isdir. */
static bool has_kind(gx_call *c, mode_t kind, gx_value *out) {
    const char *path;
    size_t n;
    struct stat info;
    if (!path_arg(c, 0, &path, &n)) return false;
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
    {"join", "join(path, *paths)", "The parts with '/' between them.",
     "os.path.join('a', 'b.txt')  # a/b.txt", join, 0, 0},
    {"basename", "basename(p)", "The last part.", "os.path.basename('a/b.txt')  # b.txt",
     basename_of, 0, 0},
    {"dirname", "dirname(p)", "All but the last part.", "os.path.dirname('a/b.txt')  # a",
     dirname_of, 0, 0},
    {"split", "split(p)", "The pair (dirname, basename).", "os.path.split('a/b')  # ('a', 'b')",
     split, 0, 0},
    {"splitext", "splitext(p)", "The pair (path without suffix, suffix).",
     "os.path.splitext('b.txt')  # ('b', '.txt')", splitext, 0, 0},
    {"normpath", "normpath(path)", "Without '.', 'x/..' and doubled slashes.",
     "os.path.normpath('a/../b//c')  # b/c", normpath, 0, 0},
    {"abspath", "abspath(path)", "The path from the root.", NULL, abspath, 0, 0},
    {"realpath", "realpath(path)", "The path from the root with links followed.", NULL, realpath_of,
     0, 0},
    {"expanduser", "expanduser(path)", "With '~' replaced by the home folder.", NULL, expanduser, 0,
     0},
    {"isabs", "isabs(s)", "Does the path begin at the root?", "os.path.isabs('a')  # False", isabs,
     0, 0},
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
    {.name = NULL},
};
