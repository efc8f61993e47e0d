/* Sources and sinks of array files. Knows nothing of formats. A file that is saved under a path
   appears there complete or not at all: it is written beside its place and then renamed. */
#include "stdlib/io/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/object/text/str.h"
#include "stdlib/common.h"
#include "stdlib/paths.h"
#include "stdlib/io/file.h"

enum { CHUNK = 1 << 20, SUMMED = 1 << 17, AT_ONCE = 1 << 26 };

/* --- sources --- */

gx_infile gx_infile_memory(gx_rt *rt, const char *data, size_t length, const char *name) {
    gx_infile s = {.rt = rt, .data = data ? data : "", .left = (int64_t)length};
    snprintf(s.name, sizeof s.name, "%s", name);
    return s;
}

/* What a regular file still has to give. */
static int64_t left_of(FILE *f) {
    struct stat info;
    off_t at = ftello(f);
    if (at < 0 || fstat(fileno(f), &info) != 0 || !S_ISREG(info.st_mode)) return -1;
    return info.st_size > at ? (int64_t)(info.st_size - at) : 0;
}

static bool open_path(gx_rt *rt, const char *path, gx_infile *s) {
    struct stat info;
    if (!gx_may_use_files(rt, path)) return false;
    s->f = fopen(path, "rbe");
    if (!s->f) return gx_os_error(rt, errno, path);
    if (fstat(fileno(s->f), &info) == 0 && S_ISDIR(info.st_mode)) {
        fclose(s->f);
        return gx_os_error(rt, EISDIR, path);
    }
    s->owned = true;
    s->left = left_of(s->f);
    snprintf(s->name, sizeof s->name, "%s", path);
    return true;
}

static bool has_method(gx_rt *rt, gx_borrowed v, const char *method, bool *out) {
    gx_value fn;
    gx_sym name = gx_sym_c(rt, method);
    if (!name) return false;
    gx_try is = gx_try_attr(rt, v, name, &fn);
    if (is == GX_TRY_ERROR) return false;
    *out = is == GX_TRY_YES;
    if (*out) gx_drop(fn);
    return true;
}

bool gx_infile_open(gx_rt *rt, gx_borrowed file, gx_infile *out) {
    gx_infile s = {.rt = rt, .left = -1};
    bool reads;
    const char *path;
    size_t n;
    gx_try named = gx_path_of(rt, file, &path, &n);
    if (named == GX_TRY_ERROR) return false;
    if (named == GX_TRY_YES) {
        if (!gx_is_path(rt, path, n) || !open_path(rt, path, &s)) return false;
        *out = s;
        return true;
    }
    snprintf(s.name, sizeof s.name, "<%s>", gx_type_name(file));
    if (gx_is_file(file)) {
        gx_file *from = gx_as_file(file);
        if (!from->f)
            return gx_fail(rt, GX_ValueError, "file.closed", "I/O operation on closed file.");
        if (!from->readable) return gx_fail(rt, GX_OSError, "file.mode", "not readable");
        if (from->wrote) fseeko(from->f, 0, SEEK_CUR);
        from->wrote = false;
        s.f = from->f;
        s.left = left_of(s.f);
        if (from->name.tag == GX_STR)
            snprintf(s.name, sizeof s.name, "%s", gx_as_str(from->name)->text);
        *out = s;
        return true;
    }
    if (!has_method(rt, file, "read", &reads)) return false;
    if (!reads)
        return gx_fail(rt, GX_TypeError, "file.source",
                       "expected a path (str) or an open file, not %s", gx_type_name(file));
    s.object = file;
    *out = s;
    return true;
}

void gx_infile_close(gx_infile *s) {
    if (s->owned) fclose(s->f);
    s->owned = false;
    s->f = NULL;
}

/* object.read(n); n < 0: all. */
static bool read_object(gx_infile *s, int64_t n, gx_value *out) {
    gx_value method, count = gx_int(n);
    gx_sym name = gx_sym_c(s->rt, "read");
    if (!name || !gx_get_attr(s->rt, s->object, name, &method)) return false;
    bool ok = gx_call_value(s->rt, method, 1, &count, 0, NULL, out);
    gx_drop(method);
    if (!ok) return false;
    if (out->tag == GX_BYTES || out->tag == GX_STR) return true;
    gx_fail(s->rt, GX_TypeError, "file.read", "read() gave %s, not bytes", gx_type_name(*out));
    gx_drop(*out);
    return false;
}

static bool read_from_object(gx_infile *s, char *to, size_t n, size_t *got) {
    gx_value piece;
    for (*got = 0; *got < n;) {
        if (!read_object(s, (int64_t)(n - *got), &piece)) return false;
        size_t length = gx_as_str(piece)->length;
        bool text = piece.tag == GX_STR;
        if (length > n - *got) length = n - *got;
        memcpy(to + *got, gx_as_str(piece)->text, length);
        gx_drop(piece);
        if (text)
            return gx_fail(s->rt, GX_TypeError, "file.text",
                           "array files are bytes: open the file with mode 'rb'");
        if (length == 0) break;
        *got += length;
    }
    return true;
}

bool gx_infile_read(gx_infile *s, void *to, size_t n, size_t *got) {
    *got = 0;
    if (s->left >= 0 && (uint64_t)s->left < n) n = (size_t)s->left;
    if (s->f) {
        for (size_t part; *got < n; *got += part) {
            size_t most = s->table ? SUMMED : CHUNK, want = n - *got < most ? n - *got : most;
            if (!gx_interrupt_check(s->rt)) return false;
            part = fread((char *)to + *got, 1, want, s->f);
            if (part == 0) break;
            /* While it is in the cache. */
            if (s->table) s->crc = gx_crc(s->table, s->crc, (char *)to + *got, part);
        }
        if (*got < n && ferror(s->f)) {
            clearerr(s->f);
            return gx_os_error(s->rt, errno, s->name);
        }
    } else if (s->data) {
        memcpy(to, s->data, n);
        s->data += n;
        *got = n;
    } else if (!read_from_object(s, to, n, got)) {
        return false;
    }
    if (s->left >= 0) s->left -= (int64_t)*got;
    if (s->table && !s->f) s->crc = gx_crc(s->table, s->crc, to, *got);
    return true;
}

bool gx_infile_may_hold(gx_rt *rt, const char *name, size_t bytes) {
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0 || bytes / (size_t)page < (size_t)pages / 2) return true;
    return gx_fail(rt, GX_MemoryError, "file.size",
                   "%s gives more than half of this machine's memory; %zu MiB were read", name,
                   bytes >> 20);
}

bool gx_infile_skip(gx_infile *s, int64_t bytes) {
    if (!s->f)
        return gx_fail(s->rt, GX_TypeError, "file.offset", "%s: an offset needs a file", s->name);
    if (fseeko(s->f, bytes, SEEK_CUR) != 0) return gx_os_error(s->rt, errno, NULL);
    s->left = left_of(s->f);
    return true;
}

bool gx_infile_rest(gx_infile *s, gx_buf *out) {
    if (!s->f && !s->data) {
        gx_value all;
        if (!read_object(s, -1, &all)) return false;
        bool ok = gx_buf_add(out, gx_as_str(all)->text, gx_as_str(all)->length);
        gx_drop(all);
        return ok;
    }
    for (;;) {
        size_t want = s->left >= 0 ? (size_t)s->left : CHUNK, got;
        if ((s->left < 0 && !gx_infile_may_hold(s->rt, s->name, out->length)) ||
            !gx_buf_reserve(out, want + 1) ||
            !gx_infile_read(s, out->data + out->length, want, &got))
            return false;
        out->length += got;
        out->data[out->length] = 0;
        if (got < want || s->left == 0) return true;
    }
}

/* --- sinks --- */

static char *joined(gx_rt *rt, const char *a, size_t n, const char *b) {
    size_t more = strlen(b);
    char *p = gx_alloc(rt, n + more + 1);
    if (!p) return NULL;
    memcpy(p, a, n);
    memcpy(p + n, b, more + 1);
    return p;
}

/* A new file in the folder of path that no other program has; its permissions are those of the
   file it replaces, else what the umask leaves. */
static bool open_temporary(gx_outfile *s, const struct stat *old) {
    const char *slash = strrchr(s->path, '/');
    size_t folder = slash ? (size_t)(slash - s->path) + 1 : 0;
    for (int i = 0; i < 100; i++) {
        char name[64];
        snprintf(name, sizeof name, ".gx-%ld-%d.tmp", (long)getpid(), i);
        s->temporary = joined(s->rt, s->path, folder, name);
        if (!s->temporary) return false;
        int fd = open(s->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0) {
            if (old && fchmod(fd, old->st_mode & 07777) != 0) errno = 0; /* not ours: the umask's */
            s->f = fdopen(fd, "wb");
            if (s->f) return true;
            close(fd);
            unlink(s->temporary);
        }
        gx_free(s->rt, s->temporary);
        s->temporary = NULL;
        if (errno != EEXIST) return gx_os_error(s->rt, errno, s->path);
    }
    return gx_os_error(s->rt, EEXIST, s->path);
}

static bool open_for_path(gx_outfile *s) {
    struct stat info;
    char real[PATH_MAX];
    if (!gx_may_use_files(s->rt, s->path)) return false;
    bool there = stat(s->path, &info) == 0;
    if (there && S_ISDIR(info.st_mode)) return gx_os_error(s->rt, EISDIR, s->path);
    if (there && !S_ISREG(info.st_mode)) { /* a terminal, a pipe, /dev/null: nothing to replace */
        s->f = fopen(s->path, "wbe");
        return s->f || gx_os_error(s->rt, errno, s->path);
    }
    if (there && access(s->path, W_OK) != 0) return gx_os_error(s->rt, errno, s->path);
    if (there && realpath(s->path, real)) { /* a link stays a link */
        char *target = joined(s->rt, real, strlen(real), "");
        if (!target) return false;
        gx_free(s->rt, s->path);
        s->path = target;
    }
    return open_temporary(s, there ? &info : NULL);
}

static bool object_for_sink(gx_rt *rt, gx_borrowed file, bool text, gx_outfile *s) {
    bool writes;
    if (!has_method(rt, file, "write", &writes)) return false;
    if (!writes)
        return gx_fail(rt, GX_TypeError, "file.sink",
                       "expected a path (str) or an open file, not %s", gx_type_name(file));
    s->object = file;
    if (gx_is_file(file))
        s->text = !gx_as_file(file)->binary;
    else
        s->text = text && strcmp(gx_type_name(file), "_io.BytesIO") != 0;
    if (s->text && !text)
        return gx_fail(rt, GX_TypeError, "file.text",
                       "array files are bytes: open the file with mode 'wb'");
    return true;
}

bool gx_outfile_open(gx_rt *rt, gx_borrowed file, const char *suffix, bool text, gx_outfile *out) {
    gx_outfile s = {.rt = rt};
    const char *path;
    size_t n, k = suffix ? strlen(suffix) : 0;
    gx_try named = gx_path_of(rt, file, &path, &n);
    if (named == GX_TRY_ERROR) return false;
    if (named == GX_TRY_NO) {
        if (!object_for_sink(rt, file, text, &s)) return false;
        *out = s;
        return true;
    }
    if (!gx_is_path(rt, path, n)) return false;
    bool has = n >= k && memcmp(path + n - k, suffix ? suffix : "", k) == 0;
    s.path = joined(rt, path, n, has ? "" : suffix);
    if (!s.path) return false;
    if (!open_for_path(&s)) {
        gx_free(rt, s.path);
        return false;
    }
    *out = s;
    return true;
}

static bool write_object(gx_outfile *s, const char *data, size_t n) {
    gx_value method, piece, result;
    gx_sym name = gx_sym_c(s->rt, "write");
    if (!name ||
        !(s->text ? gx_str_decode(s->rt, data, n, &piece) : gx_bytes_new(s->rt, data, n, &piece)))
        return false;
    bool ok = gx_get_attr(s->rt, s->object, name, &method);
    if (ok) {
        ok = gx_call_value(s->rt, method, 1, &piece, 0, NULL, &result);
        if (ok) gx_drop(result);
        gx_drop(method);
    }
    gx_drop(piece);
    return ok;
}

bool gx_outfile_write(gx_outfile *s, const void *data, size_t n) {
    const char *p = data;
    /* A file takes much at once, which saves calls; between the pieces Ctrl-C is looked for. */
    size_t most = s->f ? AT_ONCE : CHUNK;
    s->written += (int64_t)n;
    /* Text is written whole, so that no character is cut. */
    for (size_t part; n; p += part, n -= part) {
        part = n < most || s->text ? n : most;
        if (!gx_interrupt_check(s->rt)) return false;
        if (s->f) {
            if (fwrite(p, 1, part, s->f) != part) return gx_os_error(s->rt, errno, s->path);
        } else if (gx_is_file(s->object)) {
            if (!gx_file_write(s->rt, gx_as_file(s->object), p, part)) return false;
        } else if (!write_object(s, p, part)) {
            return false;
        }
    }
    return true;
}

bool gx_outfile_done(gx_outfile *s, bool ok) {
    if (s->f && fclose(s->f) != 0 && ok) ok = gx_os_error(s->rt, errno, s->path);
    if (ok && s->temporary && rename(s->temporary, s->path) != 0)
        ok = gx_os_error(s->rt, errno, s->path);
    if (!ok && s->temporary) unlink(s->temporary);
    gx_free(s->rt, s->path);
    gx_free(s->rt, s->temporary);
    *s = (gx_outfile){.rt = s->rt};
    return ok;
}
