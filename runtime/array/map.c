/* Arrays that are parts of files, mapped into memory. The buffer is foreign: no pool gives or takes
   it, no result takes it over. Invariant: a mapped storage's value is READY and its bytes are the
   map's for as long as the storage lives; stores are written into them, after everybody else who
   holds the value has got a copy. Behind the file's last page lies a page of zeros, so loops that
   read whole vectors stay inside. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/array/map_fault.h"
#include "runtime/array/shape.h"
#include "runtime/graph/extent.h"
#include "runtime/graph/lazy.h"

typedef struct map_buffer {
    gx_buffer head;
    void *base;
    size_t length; /* of everything that is mapped */
    size_t used;   /* of what is the file's */
    bool shared;
    gx_map_range range;
} map_buffer;

static void unmap(gx_buffer *b) {
    map_buffer *m = (map_buffer *)b;
    gx_map_unwatch(&m->range);
    munmap(m->base, m->length);
    gx_free(b->device->rt, m);
}

bool gx_array_can_map(const gx_rt *rt, int64_t offset, gx_dtype d) {
    int64_t unit = gx_dtype_kind(d) == GX_KIND_CPLX ? gx_dtype_size(d) / 2 : gx_dtype_size(d);
    return rt->device->backend->host && offset % unit == 0;
}

static bool failed(gx_rt *rt) {
    if (errno == ENOMEM) return gx_no_memory(rt);
    return gx_fail(rt, GX_OSError, "file.system", "[Errno %d] %s", errno, strerror(errno));
}

/* Room for the bytes and a page of zeros, then the file over the first part of it. */
static bool map_file(gx_rt *rt, int fd, int64_t offset, int64_t bytes, char mode,
                     map_buffer **out) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), before = (size_t)offset % page;
    size_t used = before + (size_t)bytes, length = (used + 2 * page - 1) / page * page;
    map_buffer *m = gx_alloc_zero(rt, sizeof *m);
    if (!m) return false;
    void *base = mmap(NULL, length, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) {
        gx_free(rt, m);
        return failed(rt);
    }
    int kind = mode == '+' ? MAP_SHARED : MAP_PRIVATE | MAP_NORESERVE;
    if (mmap(base, used, PROT_READ | PROT_WRITE, kind | MAP_FIXED, fd,
             (off_t)(offset - (int64_t)before)) == MAP_FAILED) {
        failed(rt);
        munmap(base, length);
        gx_free(rt, m);
        return false;
    }
    *m = (map_buffer){.head = {.device = rt->device,
                               .data = (char *)base + before,
                               .bytes = bytes,
                               .room = bytes,
                               .refs = 1,
                               .foreign = unmap},
                      .base = base,
                      .length = length,
                      .used = used,
                      .shared = mode == '+',
                      .range = {.rt = rt, .from = base, .to = (char *)base + length - page}};
    gx_map_watch(&m->range);
    *out = m;
    return true;
}

GX_CHECK bool gx_array_map(gx_rt *rt, int fd, int64_t offset, char mode, gx_dtype d, int ndim,
                           const int64_t *shape, char order, gx_namespace ns, gx_array **out) {
    int64_t count, item = gx_dtype_size(d);
    map_buffer *m = NULL;
    gx_array *a;
    if (!gx_array_can_map(rt, offset, d))
        return gx_fail(rt, GX_ValueError, "map.alignment",
                       "the elements at byte %lld of the file are not aligned to %lld bytes",
                       (long long)offset, (long long)item);
    if (!gx_shape_count(rt, ndim, shape, item, &count)) return false;
    if (count == 0) return gx_array_empty(rt, d, ndim, shape, ns, out);
    if (!map_file(rt, fd, offset, count * item, mode, &m)) return false;
    gx_data *v = gx_data_new(rt, GX_DATA_READY, d, ndim, ndim, 0);
    if (!v) {
        gx_buffer_drop(&m->head);
        return false;
    }
    v->leaves = 1;
    gx_copies_begin_take(&v->copies, &m->head);
    if (!gx_extent_value_take(rt, v, shape)) return false;
    v->held = v->bytes;
    gx_contiguous_strides(ndim, shape, item, order, v->layout);
    if (!gx_array_of_data_take(rt, v, ns, &a)) return false;
    a->storage->mapped = true;
    a->storage->data->place = GX_HOST;
    gx_array_from_outside(a);
    if (mode == 'r') a->flags |= GX_ARRAY_READONLY;
    *out = a;
    return true;
}

GX_CHECK bool gx_storage_own_map(gx_rt *rt, gx_storage *c) {
    gx_data *old = c->data;
    if (old->refs > 1) {
        gx_buffer *copy;
        if (!gx_buffer_new(rt, old->bytes, &copy)) return false;
        gx_data *fresh = gx_data_new(rt, GX_DATA_READY, (gx_dtype)old->dtype, 0, 0, 0);
        if (!fresh) {
            gx_buffer_drop(copy);
            return false;
        }
        memcpy(copy->data, gx_data_bytes(old), (size_t)old->bytes);
        gx_extent_as(fresh, old);
        fresh->held = old->bytes;
        fresh->leaves = 1;
        fresh->place = GX_HOST;
        gx_copies_begin_take(&fresh->copies, gx_copies_swap_host(&old->copies, copy));
        old->storages--;
        gx_data_drop(old);
        c->data = fresh;
        fresh->storages++;
        return true;
    }
    gx_copies_keep_only(rt, &old->copies, GX_HOST);
    return true;
}

bool gx_array_is_mapped(const gx_array *a) {
    return a->storage->mapped;
}

GX_CHECK bool gx_array_flush(gx_rt *rt, gx_array *a) {
    if (!a->storage->mapped) return true;
    const gx_buffer *b = gx_data_on(a->storage->data, GX_HOST);
    if (b->foreign != unmap) return true; /* another's memory, of no file */
    const map_buffer *m = (const map_buffer *)b;
    return !m->shared || msync(m->base, m->used, MS_SYNC) == 0 || failed(rt);
}
