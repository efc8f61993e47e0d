/* numpy.memmap: arrays that are the bytes of a file. Sizes are compared with the file before it is
   mapped. A mapped array is an ordinary one whose stores reach the file (modes r+ and w+). */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stdlib/common.h"
#include "stdlib/io/files.h"
#include "stdlib/numpy/base/scope.h"

extern const gx_native gx_np_memmap_functions[], gx_np_memmap_methods[];

bool gx_map_mode(gx_call *c, int i, char *out) {
    static const struct {
        const char *name;
        char mode;
    } modes[] = {{"r", 'r'},
                 {"readonly", 'r'},
                 {"c", 'c'},
                 {"copyonwrite", 'c'},
                 {"r+", '+'},
                 {"readwrite", '+'},
                 {"w+", GX_MAP_CREATE},
                 {"write", GX_MAP_CREATE}};
    const char *mode;
    size_t n;
    if (!gx_arg_str(c, i, &mode, &n)) return false;
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        if (strcmp(mode, modes[k].name) != 0) continue;
        *out = modes[k].mode;
        return true;
    }
    return gx_fail(c->rt, GX_ValueError, "map.mode",
                   "mode must be one of ['r', 'c', 'r+', 'w+', 'readonly', 'copyonwrite', "
                   "'readwrite', 'write'] (got '%s')",
                   mode);
}

static bool open_file(gx_rt *rt, const char *path, char mode, int *fd) {
    int flags = mode == '+'             ? O_RDWR
                : mode == GX_MAP_CREATE ? O_RDWR | O_CREAT | O_TRUNC
                                        : O_RDONLY;
    if (!gx_may_use_files(rt, path)) return false;
    *fd = open(path, flags | O_CLOEXEC, 0666);
    return *fd >= 0 || gx_os_error(rt, errno, path);
}

static bool size_of(gx_rt *rt, int fd, const char *path, int64_t *out) {
    struct stat info;
    if (fstat(fd, &info) != 0) return gx_os_error(rt, errno, path);
    if (!S_ISREG(info.st_mode))
        return gx_fail(rt, GX_ValueError, "map.file",
                       "%s cannot be mapped: it is not a regular file", path);
    *out = info.st_size;
    return true;
}

bool gx_map_path(gx_rt *rt, const char *path, int64_t at, char mode, const gx_npy *h,
                 gx_namespace ns, gx_array **out) {
    int fd;
    if (!open_file(rt, path, mode, &fd)) return false;
    bool ok = gx_array_map(rt, fd, at, mode, h->dtype, h->ndim, h->shape, h->fortran ? 'F' : 'C',
                           ns, out);
    close(fd);
    return ok;
}

/* The given shape, or what the file's bytes make. */
static bool take_shape(gx_call *c, int64_t offset, int64_t there, gx_npy *h) {
    int64_t item = gx_dtype_size(h->dtype);
    if (gx_arg_some(c, 4)) {
        int64_t count;
        if (!gx_shape_of(c->rt, c->argv[4], GX_SIZES_PLAIN, "memmap", &h->ndim, h->shape) ||
            !gx_shape_count(c->rt, h->ndim, h->shape, item, &count))
            return false;
        h->bytes = count * item;
        return true;
    }
    if (there < offset || (there - offset) % item)
        return gx_fail(c->rt, GX_ValueError, "map.size",
                       "Size of available data is not a multiple of the data-type size: %lld bytes "
                       "from byte %lld on, %lld an element",
                       (long long)there - (long long)offset, (long long)offset, (long long)item);
    h->ndim = 1;
    h->shape[0] = (there - offset) / item;
    h->bytes = there - offset;
    return true;
}

/* The file is made as long as the array needs it, or is too short. */
static bool reach(gx_rt *rt, int fd, const char *path, char mode, int64_t there, int64_t end) {
    if (there >= end) return true;
    if (mode == 'r' || mode == 'c')
        return gx_fail(rt, GX_ValueError, "map.size",
                       "mmap length is greater than file size: %lld bytes of %s are wanted, it has "
                       "%lld",
                       (long long)end, path, (long long)there);
    return ftruncate(fd, (off_t)end) == 0 || gx_os_error(rt, errno, path);
}

static bool memmap_fn(gx_call *c, gx_value *out) {
    gx_rt *rt = c->rt;
    gx_npy h = {.dtype = GX_NO_DTYPE};
    const char *path;
    size_t length;
    char mode, order;
    int fd;
    int64_t offset, there = 0, end;
    gx_array *a;
    if (!gx_arg_str(c, 0, &path, &length) || !gx_np_dtype_arg(c, 1, &h.dtype) ||
        !gx_map_mode(c, 2, &mode) || !gx_arg_int(c, 3, &offset) || !gx_np_order_arg(c, 5, &order))
        return false;
    if (h.dtype == GX_NO_DTYPE) h.dtype = GX_u8;
    if (!gx_is_path(rt, path, length)) return false;
    if (offset < 0) return gx_fail(rt, GX_ValueError, "map.size", "memmap: the offset is negative");
    if (mode == GX_MAP_CREATE && !gx_arg_some(c, 4))
        return gx_fail(rt, GX_ValueError, "map.mode", "shape must be given if mode == 'w+'");
    if (!open_file(rt, path, mode, &fd)) return false;
    bool ok = size_of(rt, fd, path, &there) && take_shape(c, offset, there, &h);
    if (ok && __builtin_add_overflow(offset, h.bytes, &end))
        ok = gx_fail(rt, GX_ValueError, "map.size", "memmap: the array ends beyond 64 bits");
    ok = ok && reach(rt, fd, path, mode, there, end) &&
         gx_array_map(rt, fd, offset, mode == GX_MAP_CREATE ? '+' : mode, h.dtype, h.ndim, h.shape,
                      order == 'F' ? 'F' : 'C', c->ns, &a);
    close(fd);
    if (ok) *out = gx_array_value(a);
    return ok;
}

static bool flush_fn(gx_call *c, gx_value *out) {
    gx_array *a = gx_as_array(c->argv[0]);
    if (!gx_array_is_mapped(a))
        return gx_fail(c->rt, GX_AttributeError, "attr.unknown",
                       "only arrays of np.memmap and np.load(…, mmap_mode=…) can be flushed");
    if (!gx_array_flush(c->rt, a)) return false;
    *out = gx_none();
    return true;
}

const gx_native gx_np_memmap_functions[] = {
    {"memmap", "memmap(filename, dtype='uint8', mode='r+', offset=0, shape=None, order='C')",
     "An array mapped onto a file: 'r' is read-only, 'c' keeps changes in memory, 'r+' and 'w+' "
     "write them.",
     NULL, memmap_fn, GX_NATIVE_PURE_ARRAY, 0},
    {.name = NULL},
};

const gx_native gx_np_memmap_methods[] = {
    {"flush", "flush(self, /)", "Writes the changes of a memory map to its file.", NULL,
     flush_fn, 0, 0},
    {.name = NULL},
};
