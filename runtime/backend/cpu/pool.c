/* The memory pool of arrays on the host. The first touch of a fresh page costs more than the
   arithmetic on it, so freed buffers are kept by size class and reused; big ones are mapped with
   huge pages. It hands out 64-byte aligned, padded memory and never lets the machine run out: what
   cannot fit is refused before a page is touched. It does not clear memory.

   Invariant: every free buffer is in the list of its class and in the list by age; pool_bytes is
   the room of all of these. Small buffers (up to 4 KB) only have free lists and are not counted. */
#include "runtime/backend/cpu/cpu_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    SMALL_MAX = 4096,
    SMALL_CLASSES = SMALL_MAX / 64 + 1,
    SLAB = 65536,
    MAP_FROM = 262144, /* bytes from which a buffer is a mapping of its own */
    CLASSES = 8 * 48,  /* 8 an octave */
    STEP_BYTES = 256   /* what is done with them counts as a step of the program */
};

typedef struct pool_buffer {
    gx_buffer head; /* first: a gx_buffer is its pool_buffer */
    struct pool_buffer *next, *prev;   /* free: others of the class */
    struct pool_buffer *newer, *older; /* free: by age */
    void *block;                       /* what to free or unmap */
} pool_buffer;

typedef struct slab {
    struct slab *next;
} slab;

struct gx_pool {
    pool_buffer *small[SMALL_CLASSES];
    slab *slabs;
    char *slab_next, *slab_end;
    pool_buffer *bins[CLASSES];
    pool_buffer *newest, *oldest;
    int64_t total;     /* bytes of the machine or the container */
    int64_t cap;       /* most bytes kept free */
    int64_t unchecked; /* mapped since the free memory was last read */
};

static int64_t read_number(const char *path) {
    char text[64];
    FILE *f = fopen(path, "r");
    if (!f) return -1;
    int64_t value = -1;
    if (fgets(text, sizeof text, f) && text[0] >= '0' && text[0] <= '9')
        value = strtoll(text, NULL, 10);
    fclose(f);
    return value;
}

static int64_t memory_available(void) {
    char line[128];
    int64_t available = -1;
    FILE *f = fopen("/proc/meminfo", "r");
    if (f) {
        while (fgets(line, sizeof line, f)) {
            if (strncmp(line, "MemAvailable:", 13) == 0) {
                available = strtoll(line + 13, NULL, 10) * 1024;
                break;
            }
        }
        fclose(f);
    }
    if (available < 0) available = (int64_t)sysconf(_SC_AVPHYS_PAGES) * sysconf(_SC_PAGESIZE);
    int64_t limit = read_number("/sys/fs/cgroup/memory.max");
    int64_t used = read_number("/sys/fs/cgroup/memory.current");
    if (limit >= 0 && used >= 0 && limit - used < available)
        available = limit > used ? limit - used : 0;
    return available;
}

static int64_t memory_total(void) {
    int64_t total = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    int64_t limit = read_number("/sys/fs/cgroup/memory.max");
    return limit > 0 && limit < total ? limit : total;
}

void gx_pool_memory(gx_cpu *cpu, int64_t *free_bytes, int64_t *total) {
    *free_bytes = memory_available() + cpu->base.pool_bytes;
    *total = cpu->pool->total;
}

bool gx_pool_open(gx_cpu *cpu) {
    gx_pool *pool = gx_alloc_zero(cpu->base.rt, sizeof *pool);
    if (!pool) return false;
    pool->total = memory_total();
    pool->cap = pool->total / 4;
    cpu->pool = pool;
    return true;
}

/* Class of a room: 8 classes an octave, so that a buffer wastes at most an eighth. */
static int class_of(int64_t bytes, int64_t *room) {
    int octave = 63 - __builtin_clzll((unsigned long long)bytes);
    int64_t step = (int64_t)1 << (octave - 3);
    int64_t k = (bytes - ((int64_t)1 << octave) + step - 1) / step;
    *room = ((int64_t)1 << octave) + k * step;
    return (octave - 12) * 8 + (int)k;
}

static void take_out(gx_cpu *cpu, pool_buffer *b, int bin) {
    gx_pool *pool = cpu->pool;
    if (b->prev) b->prev->next = b->next;
    else pool->bins[bin] = b->next;
    if (b->next) b->next->prev = b->prev;
    if (b->newer) b->newer->older = b->older;
    else pool->newest = b->older;
    if (b->older) b->older->newer = b->newer;
    else pool->oldest = b->newer;
    cpu->base.pool_bytes -= b->head.room;
}

static void give_back(gx_cpu *cpu, pool_buffer *b) {
    if (b->head.room >= MAP_FROM) {
        munmap(b->block, (size_t)b->head.room);
        gx_memory_mapped(cpu->base.rt, -b->head.room);
        gx_free(cpu->base.rt, b);
    } else {
        gx_free(cpu->base.rt, b->block);
    }
}

void gx_pool_trim(gx_cpu *cpu, int64_t keep) {
    while (cpu->pool->oldest && cpu->base.pool_bytes > keep) {
        pool_buffer *b = cpu->pool->oldest;
        int64_t room;
        take_out(cpu, b, class_of(b->head.room, &room));
        give_back(cpu, b);
    }
}

void gx_pool_close(gx_cpu *cpu) {
    gx_pool *pool = cpu->pool;
    if (!pool) return;
    gx_pool_trim(cpu, 0);
    while (pool->slabs) {
        slab *s = pool->slabs;
        pool->slabs = s->next;
        gx_free(cpu->base.rt, s);
    }
    gx_free(cpu->base.rt, pool);
    cpu->pool = NULL;
}

static pool_buffer *new_small(gx_cpu *cpu, int64_t room) {
    gx_pool *pool = cpu->pool;
    int64_t need = (int64_t)((sizeof(pool_buffer) + 63) / 64 * 64) + room;
    if (pool->slab_end - pool->slab_next < need) {
        slab *s = gx_alloc(cpu->base.rt, SLAB);
        if (!s) return NULL;
        s->next = pool->slabs;
        pool->slabs = s;
        uintptr_t from = ((uintptr_t)(s + 1) + 63) & ~(uintptr_t)63;
        pool->slab_next = (char *)from;
        pool->slab_end = (char *)s + SLAB;
    }
    pool_buffer *b = (pool_buffer *)pool->slab_next;
    pool->slab_next += need;
    *b = (pool_buffer){.head = {.device = &cpu->base, .room = room}};
    b->head.data = (char *)b + (need - room);
    return b;
}

static pool_buffer *new_middle(gx_cpu *cpu, int64_t room) {
    size_t head = (sizeof(pool_buffer) + 63) / 64 * 64;
    void *block = gx_alloc(cpu->base.rt, head + (size_t)room + 64);
    if (!block) return NULL;
    pool_buffer *b = (pool_buffer *)(((uintptr_t)block + 63) & ~(uintptr_t)63);
    *b = (pool_buffer){.head = {.device = &cpu->base, .room = room}, .block = block};
    b->head.data = (char *)b + head;
    return b;
}

/* "74.5 GiB", as messages show bytes. */
static void bytes_text(int64_t bytes, char *text, size_t size) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    int unit = 0;
    while (value >= 1024 && unit < 6) {
        value /= 1024;
        unit++;
    }
    snprintf(text, size, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

static bool refuse(gx_cpu *cpu, int64_t bytes) {
    char want[32], have[32];
    int64_t available, total;
    gx_pool_memory(cpu, &available, &total);
    int64_t most = cpu->base.rt->debug.max_memory;
    if (most && most < available) available = most;
    bytes_text(bytes, want, sizeof want);
    bytes_text(available, have, sizeof have);
    return gx_fail(cpu->base.rt, GX_MemoryError, "memory.host",
                   "cannot allocate %s for an array; %s is free", want, have);
}

/* False when GX_MAX_MEMORY does not allow `room` more bytes. Small and middle buffers are script
   memory, which gx_alloc limits. */
static bool allowed(gx_cpu *cpu, int64_t room) {
    gx_rt *rt = cpu->base.rt;
    if (gx_memory_allows(rt, (size_t)room)) return true;
    gx_pool_trim(cpu, 0);
    return gx_memory_allows(rt, (size_t)room);
}

/* False when the machine cannot hold `room` more bytes. Live buffers count in full, as they may
   not have been touched yet; what the system has free is read for every 64 MB mapped. */
static bool fits(gx_cpu *cpu, int64_t room) {
    gx_pool *pool = cpu->pool;
    if (!allowed(cpu, room)) return false;
    int64_t most = pool->total - pool->total / 32;
    if (room > most || cpu->base.live_bytes > most - room) return false;
    pool->unchecked += room;
    if (pool->unchecked < (64 << 20)) return true;
    pool->unchecked = 0;
    int64_t reserve = pool->total / 64;
    if (memory_available() - reserve >= room) return true;
    gx_pool_trim(cpu, 0);
    return memory_available() - reserve >= room;
}

static void *map_pages(int64_t room) {
    enum { HUGE = 2 << 20 };
    size_t size = (size_t)room;
    size_t more = room >= 2 * HUGE ? HUGE : 0;
    char *p = mmap(NULL, size + more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return NULL;
    if (more) {
        size_t skip = (HUGE - ((uintptr_t)p & (HUGE - 1))) & (HUGE - 1);
        if (skip) munmap(p, skip);
        if (more - skip) munmap(p + skip + size, more - skip);
        p += skip;
    }
    if (room >= HUGE / 2) (void)madvise(p, size, MADV_HUGEPAGE);
    return p;
}

static pool_buffer *new_mapped(gx_cpu *cpu, int64_t bytes, int64_t room) {
    if (!fits(cpu, room)) {
        refuse(cpu, bytes);
        return NULL;
    }
    void *p = map_pages(room);
    if (!p) {
        gx_pool_trim(cpu, 0);
        p = map_pages(room);
    }
    if (!p) {
        refuse(cpu, bytes);
        return NULL;
    }
    pool_buffer *b = gx_alloc(cpu->base.rt, sizeof *b);
    if (!b) {
        munmap(p, (size_t)room);
        return NULL;
    }
    *b = (pool_buffer){.head = {.device = &cpu->base, .room = room}, .block = p};
    b->head.data = p;
    gx_memory_mapped(cpu->base.rt, room);
    return b;
}

/* A kept buffer of the class or one a little above, else a new one. */
static pool_buffer *get_large(gx_cpu *cpu, int64_t bytes) {
    int64_t room;
    int bin = class_of(bytes, &room);
    if (GX_UNLIKELY(cpu->left != NULL)) (void)gx_leave_sweep(cpu, false);
    if (room >= MAP_FROM) room = (room + 4095) / 4096 * 4096;
    for (int k = bin; k < bin + 3 && k < CLASSES; k++) {
        for (pool_buffer *b = cpu->pool->bins[k]; b; b = b->next) {
            if (b->head.room < bytes) continue;
            take_out(cpu, b, k);
            return b;
        }
    }
    return room >= MAP_FROM ? new_mapped(cpu, bytes, room) : new_middle(cpu, room);
}

static void count(gx_cpu *cpu, int64_t bytes) {
    gx_stats *stats = &cpu->base.rt->stats;
    cpu->base.live_bytes += bytes;
    stats->array_bytes += bytes;
    if (cpu->base.live_bytes > cpu->base.peak_bytes) cpu->base.peak_bytes = cpu->base.live_bytes;
    if (stats->array_bytes > stats->array_peak) stats->array_peak = stats->array_bytes;
}

bool gx_pool_alloc(gx_device *device, int64_t bytes, gx_buffer **out) {
    gx_cpu *cpu = gx_cpu_of(device);
    gx_rt *rt = device->rt;
    if (GX_UNLIKELY(gx_alloc_may_fail(rt))) return gx_no_memory(rt);
    if (bytes < 0)
        return gx_fail(rt, GX_ValueError, "memory.negative", "negative size of a buffer");
    if (bytes > INT64_MAX / 4) return refuse(cpu, bytes);
    pool_buffer *b;
    if (bytes <= SMALL_MAX) {
        int64_t k = bytes ? (bytes + 63) / 64 : 1;
        b = cpu->pool->small[k];
        if (GX_LIKELY(b != NULL)) cpu->pool->small[k] = b->next;
        else b = new_small(cpu, k * 64);
    } else {
        b = get_large(cpu, bytes);
    }
    if (GX_UNLIKELY(!b)) return false;
    rt->steps -= bytes / STEP_BYTES;
    b->head.bytes = bytes;
    b->head.refs = 1;
    count(cpu, b->head.room);
    if (GX_UNLIKELY(rt->debug.poison)) memset(b->head.data, 0xFF, (size_t)b->head.room);
    *out = &b->head;
    return true;
}

void gx_pool_release(gx_buffer *buffer) {
    pool_buffer *b = (pool_buffer *)buffer;
    gx_cpu *cpu = gx_cpu_of(buffer->device);
    gx_pool *pool = cpu->pool;
    int64_t room = buffer->room;
    cpu->base.live_bytes -= room;
    cpu->base.rt->stats.array_bytes -= room;
    if (room <= SMALL_MAX) {
        b->next = pool->small[room / 64];
        pool->small[room / 64] = b;
        return;
    }
    if (room > pool->cap) {
        give_back(cpu, b);
        return;
    }
    gx_pool_trim(cpu, pool->cap - room);
    int64_t unused;
    int bin = class_of(room, &unused);
    b->prev = NULL;
    b->next = pool->bins[bin];
    if (b->next) b->next->prev = b;
    pool->bins[bin] = b;
    b->newer = NULL;
    b->older = pool->newest;
    if (pool->newest) pool->newest->newer = b;
    else pool->oldest = b;
    pool->newest = b;
    cpu->base.pool_bytes += room;
}
