/* The module _posix: system calls about files, which os, pathlib, shutil and tempfile are made of.
   A path is refused in safe mode by gx_arg_path, a descriptor by may_use. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"
#include "stdlib/common.h"
#include "stdlib/paths.h"

/* None, or the OSError of errno. */
static bool done(gx_call *c, int status, const char *path, gx_value *out) {
    if (status != 0) return gx_os_error(c->rt, errno, path);
    *out = gx_none();
    return true;
}

/* Argument i, an open descriptor. */
static bool descriptor(gx_call *c, int i, int *out) {
    int64_t fd;
    if (!gx_arg_int(c, i, &fd) || !gx_may_use_files(c->rt, NULL)) return false;
    if (fd < 0 || fd > INT_MAX) return gx_os_error(c->rt, EBADF, NULL);
    *out = (int)fd;
    return true;
}

static int64_t nanoseconds(struct timespec t) {
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool give_stat(gx_call *c, const struct stat *s, gx_value *out) {
    const int64_t items[] = {s->st_mode,
                             (int64_t)s->st_ino,
                             (int64_t)s->st_dev,
                             (int64_t)s->st_nlink,
                             s->st_uid,
                             s->st_gid,
                             s->st_size,
                             nanoseconds(s->st_atim),
                             nanoseconds(s->st_mtim),
                             nanoseconds(s->st_ctim),
                             s->st_blksize,
                             s->st_blocks,
                             (int64_t)s->st_rdev};
    return gx_tuple_ints(c->rt, sizeof items / sizeof *items, items, out);
}

static bool posix_stat(gx_call *c, gx_value *out) {
    const char *path = NULL;
    struct stat info;
    bool follow;
    int fd = -1, status;
    if (c->argv[0].tag == GX_INT ? !descriptor(c, 0, &fd) : !gx_arg_path(c, 0, &path)) return false;
    if (!gx_arg_bool(c, 1, &follow)) return false;
    if (!path)
        status = fstat(fd, &info);
    else
        status = follow ? stat(path, &info) : lstat(path, &info);
    return status == 0 ? give_stat(c, &info, out) : gx_os_error(c->rt, errno, path);
}

/* [(name, kind, inode)]: the kind is one of readdir's letters, "?" where the disk does not say. */
static bool posix_scandir(gx_call *c, gx_value *out) {
    const char *path;
    gx_value list, item[3];
    struct dirent *entry;
    if (!gx_arg_path(c, 0, &path)) return false;
    DIR *dir = opendir(path);
    if (!dir) return gx_os_error(c->rt, errno, path);
    bool ok = gx_list_new(c->rt, 0, NULL, &list);
    while (ok && (entry = readdir(dir))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        const char *kind = entry->d_type == DT_DIR       ? "d"
                           : entry->d_type == DT_REG     ? "f"
                           : entry->d_type == DT_LNK     ? "l"
                           : entry->d_type == DT_UNKNOWN ? "?"
                                                         : "o";
        gx_value row;
        ok = gx_text_from_system(c->rt, entry->d_name, &item[0]);
        if (ok && !gx_str_c(c->rt, kind, &item[1])) {
            gx_drop(item[0]);
            ok = false;
        }
        item[2] = gx_int((int64_t)entry->d_ino);
        ok = ok && gx_tuple_take(c->rt, 3, item, &row) && gx_list_push_take(c->rt, list, row);
        if (!ok) gx_drop(list);
    }
    closedir(dir);
    if (ok) *out = list;
    return ok;
}

static bool posix_access(gx_call *c, gx_value *out) {
    const char *path;
    size_t n;
    int64_t mode;
    if (!gx_arg_path_text(c, 0, &path, &n) || !gx_arg_int(c, 1, &mode)) return false;
    *out = gx_bool(!c->rt->debug.safe && strlen(path) == n && access(path, (int)mode) == 0);
    return true;
}

static bool posix_chmod(gx_call *c, gx_value *out) {
    const char *path;
    int64_t mode;
    return gx_arg_path(c, 0, &path) && gx_arg_int(c, 1, &mode) &&
           done(c, chmod(path, (mode_t)mode), path, out);
}

static bool posix_chown(gx_call *c, gx_value *out) {
    const char *path;
    int64_t user, group;
    return gx_arg_path(c, 0, &path) && gx_arg_int(c, 1, &user) && gx_arg_int(c, 2, &group) &&
           done(c, chown(path, (uid_t)user, (gid_t)group), path, out);
}

static bool posix_symlink(gx_call *c, gx_value *out) {
    const char *from, *to;
    return gx_arg_path(c, 0, &from) && gx_arg_path(c, 1, &to) &&
           done(c, symlink(from, to), from, out);
}

static bool posix_link(gx_call *c, gx_value *out) {
    const char *from, *to;
    return gx_arg_path(c, 0, &from) && gx_arg_path(c, 1, &to) && done(c, link(from, to), from, out);
}

static bool posix_mkfifo(gx_call *c, gx_value *out) {
    const char *path;
    int64_t mode;
    return gx_arg_path(c, 0, &path) && gx_arg_int(c, 1, &mode) &&
           done(c, mkfifo(path, (mode_t)mode), path, out);
}

static bool posix_readlink(gx_call *c, gx_value *out) {
    const char *path;
    char target[PATH_MAX + 1];
    if (!gx_arg_path(c, 0, &path)) return false;
    ssize_t n = readlink(path, target, PATH_MAX);
    if (n < 0) return gx_os_error(c->rt, errno, path);
    target[n] = 0;
    return gx_text_from_system(c->rt, target, out);
}

static struct timespec moment(int64_t ns) {
    int64_t seconds = ns / 1000000000, rest = ns % 1000000000;
    if (rest < 0) {
        rest += 1000000000;
        seconds--;
    }
    return (struct timespec){.tv_sec = seconds, .tv_nsec = rest};
}

static bool posix_utime(gx_call *c, gx_value *out) {
    const char *path;
    int64_t read, written;
    bool follow;
    if (!gx_arg_path(c, 0, &path) || !gx_arg_int(c, 1, &read) || !gx_arg_int(c, 2, &written) ||
        !gx_arg_bool(c, 3, &follow))
        return false;
    const struct timespec times[2] = {moment(read), moment(written)};
    return done(c, utimensat(AT_FDCWD, path, times, follow ? 0 : AT_SYMLINK_NOFOLLOW), path, out);
}

static bool posix_truncate(gx_call *c, gx_value *out) {
    const char *path = NULL;
    int64_t size;
    int fd = -1;
    if (c->argv[0].tag == GX_INT ? !descriptor(c, 0, &fd) : !gx_arg_path(c, 0, &path)) return false;
    return gx_arg_int(c, 1, &size) &&
           done(c, path ? truncate(path, size) : ftruncate(fd, size), path, out);
}

/* (block size, fragment size, blocks, free, available, files, free, available, flags, name length)
 */
static bool posix_statvfs(gx_call *c, gx_value *out) {
    const char *path;
    struct statvfs s;
    if (!gx_arg_path(c, 0, &path)) return false;
    if (statvfs(path, &s) != 0) return gx_os_error(c->rt, errno, path);
    const int64_t items[] = {(int64_t)s.f_bsize,  (int64_t)s.f_frsize, (int64_t)s.f_blocks,
                             (int64_t)s.f_bfree,  (int64_t)s.f_bavail, (int64_t)s.f_files,
                             (int64_t)s.f_ffree,  (int64_t)s.f_favail, (int64_t)s.f_flag,
                             (int64_t)s.f_namemax};
    return gx_tuple_ints(c->rt, 10, items, out);
}

static bool posix_umask(gx_call *c, gx_value *out) {
    int64_t mask;
    if (!gx_arg_int(c, 0, &mask) || !gx_may_use_files(c->rt, NULL)) return false;
    *out = gx_int(umask((mode_t)mask));
    return true;
}

/* --- descriptors --- */

static bool posix_open(gx_call *c, gx_value *out) {
    const char *path;
    int64_t flags, mode;
    if (!gx_arg_path(c, 0, &path) || !gx_arg_int(c, 1, &flags) || !gx_arg_int(c, 2, &mode))
        return false;
    int fd = open(path, (int)flags | O_CLOEXEC, (mode_t)mode);
    if (fd < 0) return gx_os_error(c->rt, errno, path);
    *out = gx_int(fd);
    return true;
}

static bool posix_close(gx_call *c, gx_value *out) {
    int fd;
    return descriptor(c, 0, &fd) && done(c, close(fd), NULL, out);
}

static bool posix_read(gx_call *c, gx_value *out) {
    int fd;
    int64_t n;
    if (!descriptor(c, 0, &fd) || !gx_arg_int(c, 1, &n)) return false;
    if (n < 0) return gx_os_error(c->rt, EINVAL, NULL);
    gx_buf b = gx_buf_new(c->rt);
    bool ok = gx_buf_reserve(&b, (size_t)n);
    if (ok) {
        ssize_t got = read(fd, b.data, (size_t)n);
        if (got < 0)
            ok = c->rt->interrupted ? gx_stop(c->rt) : gx_os_error(c->rt, errno, NULL);
        else
            ok = gx_bytes_new(c->rt, b.data ? b.data : "", (size_t)got, out);
    }
    gx_buf_free(&b);
    return ok;
}

static bool posix_write(gx_call *c, gx_value *out) {
    int fd;
    if (!descriptor(c, 0, &fd)) return false;
    if (c->argv[1].tag != GX_BYTES) return gx_arg_wrong(c, 1, "bytes");
    const gx_str *data = gx_as_str(c->argv[1]);
    int failed = fd == 1 || fd == 2 ? gx_write_flush(c->rt, fd == 1 ? GX_OUT : GX_ERR) : 0;
    ssize_t n = failed ? -1 : write(fd, data->text, data->length);
    if (n < 0) return gx_os_error(c->rt, failed ? failed : errno, NULL);
    *out = gx_int(n);
    return true;
}

static bool posix_lseek(gx_call *c, gx_value *out) {
    int fd;
    int64_t at, how;
    if (!descriptor(c, 0, &fd) || !gx_arg_int(c, 1, &at) || !gx_arg_int(c, 2, &how)) return false;
    off_t place = lseek(fd, at, (int)how);
    if (place < 0) return gx_os_error(c->rt, errno, NULL);
    *out = gx_int(place);
    return true;
}

static bool posix_fsync(gx_call *c, gx_value *out) {
    int fd;
    return descriptor(c, 0, &fd) && done(c, fsync(fd), NULL, out);
}

static bool posix_dup(gx_call *c, gx_value *out) {
    int fd;
    if (!descriptor(c, 0, &fd)) return false;
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (copy < 0) return gx_os_error(c->rt, errno, NULL);
    *out = gx_int(copy);
    return true;
}

static bool posix_pipe(gx_call *c, gx_value *out) {
    int ends[2];
    if (!gx_may_use_files(c->rt, NULL)) return false;
    if (pipe2(ends, O_CLOEXEC) != 0) return gx_os_error(c->rt, errno, NULL);
    return gx_tuple_ints(c->rt, 2, (const int64_t[]){ends[0], ends[1]}, out);
}

static bool posix_isatty(gx_call *c, gx_value *out) {
    int64_t fd;
    if (!gx_arg_int(c, 0, &fd)) return false;
    *out = gx_bool(fd >= 0 && fd <= INT_MAX && isatty((int)fd) == 1);
    return true;
}

const gx_native gx_py_posix_functions[] = {
    {"stat", "stat(path, follow_symlinks)", "13 ints about a file.", NULL, posix_stat, 0, 0},
    {"scandir", "scandir(path, /)", "(name, kind, inode) of what is in a folder.", NULL,
     posix_scandir, 0, 0},
    {"access", "access(path, mode, /)", "May the file be used so?", NULL, posix_access, 0, 0},
    {"chmod", "chmod(path, mode, /)", "Sets who may do what.", NULL, posix_chmod, 0, 0},
    {"chown", "chown(path, uid, gid, /)", "Sets whose a file is.", NULL, posix_chown, 0, 0},
    {"symlink", "symlink(src, path, /)", "Makes a link by name.", NULL, posix_symlink, 0, 0},
    {"link", "link(src, path, /)", "Gives a file another name.", NULL, posix_link, 0, 0},
    {"mkfifo", "mkfifo(path, mode, /)", "Makes a pipe with a name.", NULL, posix_mkfifo, 0, 0},
    {"readlink", "readlink(path, /)", "Where a link leads.", NULL, posix_readlink, 0, 0},
    {"utime", "utime(path, read, written, follow_symlinks, /)",
     "Sets a file's times, in nanoseconds.", NULL, posix_utime, 0, 0},
    {"truncate", "truncate(path, size, /)", "Cuts a file.", NULL, posix_truncate, 0, 0},
    {"statvfs", "statvfs(path, /)", "Ten ints about a disk.", NULL, posix_statvfs, 0, 0},
    {"umask", "umask(mask, /)", "What new files may not be.", NULL, posix_umask, 0, 0},
    {"open", "open(path, flags, mode, /)", "A descriptor.", NULL, posix_open, 0, 0},
    {"close", "close(fd, /)", "Closes a descriptor.", NULL, posix_close, 0, 0},
    {"read", "read(fd, n, /)", "At most n bytes.", NULL, posix_read, 0, 0},
    {"write", "write(fd, data, /)", "Writes bytes, and says how many.", NULL, posix_write, 0, 0},
    {"lseek", "lseek(fd, at, how, /)", "Moves the place.", NULL, posix_lseek, 0, 0},
    {"fsync", "fsync(fd, /)", "Has the disk hold what was written.", NULL, posix_fsync, 0, 0},
    {"dup", "dup(fd, /)", "Another descriptor of the same.", NULL, posix_dup, 0, 0},
    {"pipe", "pipe()", "Two ends.", NULL, posix_pipe, 0, 0},
    {"isatty", "isatty(fd, /)", "Is it a terminal?", NULL, posix_isatty, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
