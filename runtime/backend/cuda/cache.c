/* Compiled kernels on disk, in $XDG_CACHE_HOME/gx or ~/.cache/gx (GX_CACHE=0: none). A file is
   named after a hash of the text that decides its content and holds that text, which is compared,
   and a checksum. It is written beside and renamed, so that a reader sees all or nothing. A folder
   that is not ours alone is not used. The oldest files go when there is too much. No failure here
   is an error: gx compiles instead. */
#include "runtime/backend/cuda/state_int.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 256 << 20, MOST_FILES = 8192, KEPT_FILES = 4096 };

static const char magic[8] = "gxcubin";

typedef struct header {
    char magic[8];
    uint64_t text_bytes, code_bytes, checksum;
} header;

static uint64_t hash(const char *p, size_t n, uint64_t seed) {
    uint64_t h = seed ^ (n * UINT64_C(0x9E3779B97F4A7C15));
    for (; n >= 8; n -= 8, p += 8) {
        uint64_t w;
        memcpy(&w, p, 8);
        h = (h ^ w) * UINT64_C(0xD6E8FEB86659FD93);
        h ^= h >> 32;
    }
    for (; n > 0; n--, p++) h = (h ^ (unsigned char)*p) * UINT64_C(0x100000001B3);
    h = (h ^ (h >> 29)) * UINT64_C(0xBF58476D1CE4E5B9);
    return h ^ (h >> 32);
}

/* A folder of this user that nobody else can write into? */
static bool is_ours(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
           (info.st_mode & 077) == 0;
}

bool gx_cuda_cache_folder(char *path, size_t room, bool make) {
    const char *off = getenv("GX_CACHE"), *base = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (off && strcmp(off, "0") == 0) return false;
    int n;
    if (base && *base == '/') {
        n = snprintf(path, room, "%s", base);
    } else {
        if (!home || *home != '/') return false;
        n = snprintf(path, room, "%s/.cache", home);
    }
    if (n + 4 >= (int)room) return false;
    if (make && mkdir(path, 0700) != 0 && errno != EEXIST) return false;
    memcpy(path + n, "/gx", 4);
    if (make && mkdir(path, 0700) != 0 && errno != EEXIST) return false;
    return is_ours(path);
}

static bool file_name(const gx_buf *text, char *path, size_t room, bool make) {
    if (!gx_cuda_cache_folder(path, room, make)) return false;
    size_t n = strlen(path);
    int more = snprintf(path + n, room - n, "/%016llx%016llx.cubin",
                        (unsigned long long)hash(text->data, text->length, 1),
                        (unsigned long long)hash(text->data, text->length, 2));
    return more < (int)(room - n);
}

static bool read_all(int file, void *to, size_t bytes) {
    char *p = to;
    while (bytes > 0) {
        ssize_t n = read(file, p, bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        p += n;
        bytes -= (size_t)n;
    }
    return true;
}

static bool write_all(int file, const void *from, size_t bytes) {
    const char *p = from;
    while (bytes > 0) {
        ssize_t n = write(file, p, bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        p += n;
        bytes -= (size_t)n;
    }
    return true;
}

/* The code of an opened file; false: it is not whole, or not of this text. */
static bool read_file(gx_rt *rt, int file, const gx_buf *text, gx_buf *out) {
    header h;
    struct stat info;
    if (fstat(file, &info) != 0 || !read_all(file, &h, sizeof h)) return false;
    if (memcmp(h.magic, magic, sizeof magic) != 0 || h.text_bytes != text->length) return false;
    if (h.code_bytes == 0 || h.code_bytes > MOST_BYTES ||
        (uint64_t)info.st_size != sizeof h + h.text_bytes + h.code_bytes)
        return false;
    gx_buf body = gx_buf_new(rt);
    size_t size = (size_t)(h.text_bytes + h.code_bytes);
    bool ok = gx_buf_reserve(&body, size + 1) && read_all(file, body.data, size) &&
              memcmp(body.data, text->data, text->length) == 0 &&
              hash(body.data, size, 3) == h.checksum &&
              gx_buf_add(out, body.data + h.text_bytes, (size_t)h.code_bytes);
    gx_buf_free(&body);
    return ok;
}

bool gx_cuda_cache_load(gx_rt *rt, const gx_buf *text, gx_buf *out) {
    char path[4096];
    if (rt->debug.safe || !file_name(text, path, sizeof path, false)) return false;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return false;
    bool ok = read_file(rt, file, text, out);
    if (ok) (void)futimens(file, NULL); /* used just now: kept longest */
    close(file);
    if (!ok) {
        gx_error_clear(rt); /* of memory */
        unlink(path);
    }
    return ok;
}

typedef struct entry {
    char name[48];
    int64_t bytes, time;
} entry;

static int older_first(const void *a, const void *b) {
    const entry *x = a, *y = b;
    return x->time < y->time ? -1 : x->time > y->time;
}

static int list_files(DIR *dir, entry *list, int64_t *bytes) {
    struct dirent *d;
    struct stat info;
    int n = 0;
    *bytes = 0;
    while (n < MOST_FILES && (d = readdir(dir))) {
        size_t length = strlen(d->d_name);
        if (d->d_name[0] == '.' || length >= sizeof list[n].name) continue;
        if (fstatat(dirfd(dir), d->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (!S_ISREG(info.st_mode)) continue;
        memcpy(list[n].name, d->d_name, length + 1);
        list[n].bytes = info.st_size;
        list[n].time = info.st_mtime;
        *bytes += info.st_size;
        n++;
    }
    return n;
}

/* Removes the files that were not used for longest until a quarter is free. */
static void make_room(gx_rt *rt, const char *folder) {
    int64_t bytes;
    entry *list = gx_alloc(rt, sizeof *list * MOST_FILES);
    DIR *dir = list ? opendir(folder) : NULL;
    if (dir) {
        int n = list_files(dir, list, &bytes);
        if (bytes > MOST_BYTES || n >= MOST_FILES) {
            int left = n;
            qsort(list, (size_t)n, sizeof *list, older_first);
            for (int i = 0; i < n; i++, left--) {
                if (bytes <= MOST_BYTES / 4 * 3 && left <= KEPT_FILES) break;
                if (unlinkat(dirfd(dir), list[i].name, 0) == 0) bytes -= list[i].bytes;
            }
        }
        closedir(dir);
    }
    gx_free(rt, list);
    gx_error_clear(rt);
}

void gx_cuda_cache_store(gx_rt *rt, const gx_buf *text, const gx_buf *code, bool look_at_size) {
    char path[4096], fresh[4160];
    if (rt->debug.safe || !file_name(text, path, sizeof path, true)) return;
    if (look_at_size) {
        char *slash = strrchr(path, '/');
        *slash = '\0';
        make_room(rt, path);
        *slash = '/';
    }
    gx_buf body = gx_buf_new(rt);
    header h = {.text_bytes = text->length, .code_bytes = code->length};
    memcpy(h.magic, magic, sizeof magic);
    bool ok = gx_buf_add(&body, text->data, text->length) &&
              gx_buf_add(&body, code->data, code->length);
    if (!ok) gx_error_clear(rt);
    snprintf(fresh, sizeof fresh, "%s.%d", path, (int)getpid());
    int file = ok ? open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
    if (file >= 0) {
        h.checksum = hash(body.data, body.length, 3);
        ok = write_all(file, &h, sizeof h) && write_all(file, body.data, body.length);
        ok = close(file) == 0 && ok && rename(fresh, path) == 0;
        if (!ok) unlink(fresh);
    }
    gx_buf_free(&body);
}
