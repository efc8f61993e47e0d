/* The ladder when the GPU's memory is full: the backend has drained its queue, trimmed its pool and
   dropped work areas; here copies of values that the host has too go, and the computation is tried
   once more. Then the error tells what was wanted, what is free, which arrays are the largest and,
   where one is sure to help, a fix. Arrays are found through modules and containers; those that
   only running functions hold are not listed. */
#include "runtime/graph/out_of_memory.h"

#include <stdio.h>
#include <string.h>

#include "runtime/backend/backend.h"
#include "runtime/object/heap.h"
#include "runtime/object/module.h"

enum { LISTED = 3 };

typedef struct found {
    const gx_array *array;
    const char *name; /* NULL: in a container */
} found;

typedef struct walk {
    gx_rt *rt;
    bool drop; /* second copies */
    int count;
    found largest[LISTED]; /* by falling size */
    const char *name;
} walk;

bool gx_out_of_memory(const gx_rt *rt) {
    return rt->error.kind == GX_MemoryError && strcmp(rt->error.code, "memory.gpu") == 0 &&
           rt->gpu && rt->gpu->wanted;
}

/* --- finding arrays --- */

static int64_t bytes_of(const gx_array *a) {
    const gx_data *d = a->storage->data;
    const gx_buffer *b = d && d->kind == GX_DATA_READY ? gx_data_on(d, GX_GPU) : NULL;
    return b ? b->room : 0;
}

static void list_array(walk *w, const gx_array *a) {
    int64_t bytes = bytes_of(a);
    int at = w->count;
    if (bytes == 0) return;
    for (int i = 0; i < w->count; i++) {
        if (w->largest[i].array->storage->data != a->storage->data) continue;
        if (w->name && !w->largest[i].name) w->largest[i].name = w->name;
        return;
    }
    while (at > 0 && bytes_of(w->largest[at - 1].array) < bytes) at--;
    if (at == LISTED) return;
    if (w->count < LISTED) w->count++;
    memmove(&w->largest[at + 1], &w->largest[at],
            (size_t)(w->count - 1 - at) * sizeof *w->largest);
    w->largest[at] = (found){a, w->name};
}

static void meet(gx_obj *o, void *ctx) {
    walk *w = ctx;
    if (o->type->tag != GX_ARRAY) return;
    const gx_array *a = (const gx_array *)o;
    gx_data *d = a->storage->data;
    if (!d) return; /* it is being stored into */
    if (!w->drop) {
        list_array(w, a);
    } else if (d->kind == GX_DATA_READY && gx_data_on(d, GX_HOST)) {
        const gx_buffer *b = gx_data_on(d, GX_GPU);
        if (b && b->refs == 1) gx_copies_drop_at(&d->copies, GX_GPU);
    }
}

static void walk_arrays(walk *w) {
    gx_heap *h = w->rt->heap;
    for (gx_container *c = h->all.gc_next; c != &h->all; c = c->gc_next) {
        if (c->obj.type->tag != GX_MODULE) {
            w->name = NULL;
            if (c->obj.type->traverse) c->obj.type->traverse(&c->obj, meet, w);
            continue;
        }
        const gx_module *m = (const gx_module *)c;
        for (int32_t i = 0; i < m->count; i++) {
            w->name = gx_sym_text(w->rt, m->names[i]);
            if (gx_is_object(m->values[i])) meet(m->values[i].obj, w);
        }
    }
}

/* --- reclaiming memory --- */

void gx_memory_reclaim(gx_rt *rt) {
    walk w = {.rt = rt, .drop = true};
    gx_error_clear(rt);
    walk_arrays(&w);
    const gx_gpu_calls *gpu = rt->gpu->backend->gpu;
    if (gpu && gpu->trim && !gpu->trim(rt->gpu)) gx_error_clear(rt);
}

static double gib(int64_t bytes) {
    return (double)bytes / 0x1p30;
}

/* "8.00 GiB" or, below one, "512.0 MiB". */
static const char *size_text(int64_t bytes, char text[32]) {
    if (bytes >= INT64_C(1) << 30) snprintf(text, 32, "%.2f GiB", gib(bytes));
    else snprintf(text, 32, "%.1f MiB", (double)bytes / 0x1p20);
    return text;
}

static const char *shape_text(int ndim, const int64_t *shape, char *text, size_t room) {
    size_t n = (size_t)snprintf(text, room, "(");
    for (int i = 0; i < ndim && n + 24 < room; i++)
        n += (size_t)snprintf(text + n, room - n, "%s%lld", i ? ", " : "", (long long)shape[i]);
    snprintf(text + n, room - n, ndim == 1 ? ",)" : ")");
    return text;
}

static void note_largest(gx_rt *rt, const walk *w) {
    char size[32], shape[160];
    for (int i = 0; i < w->count && i < LISTED; i++) {
        const gx_array *a = w->largest[i].array;
        char line[32] = "";
        uint32_t at, column;
        if (a->origin.end && gx_source_of(rt, a->origin)) {
            gx_source_place(rt, a->origin, &at, &column);
            snprintf(line, sizeof line, " from line %u", at);
        }
        gx_note(rt, "%s: %s, %s %s%s", w->largest[i].name ? w->largest[i].name : "an array",
                size_text(bytes_of(a), size), gx_dtypes[a->dtype].name,
                shape_text(a->ndim, gx_shape(a), shape, sizeof shape), line);
    }
}

/* Free bytes, and all: of the limit where there is one. */
static void room_of(gx_rt *rt, int64_t *available, int64_t *total) {
    gx_device *d = rt->gpu;
    *available = *total = 0;
    if (!d->backend->memory(d, available, total)) gx_error_clear(rt);
    if (!d->limit) return;
    *total = d->limit;
    if (*available > d->limit - d->live_bytes) *available = d->limit - d->live_bytes;
    if (*available < 0) *available = 0;
}

bool gx_out_of_memory_limit(gx_rt *rt, int64_t bytes) {
    char need[32], left[32], most[32];
    int64_t available, total;
    room_of(rt, &available, &total);
    return gx_fail(rt, GX_MemoryError, "memory.gpu", "need %s on the GPU; %s of %s is free",
                   size_text(bytes, need), size_text(available, left), size_text(total, most));
}

/* Only what is sure to be enough. */
static void help_fix(gx_rt *rt, const walk *w, const gx_data *d, int64_t bytes, int64_t available) {
    char size[32];
    if (d && (d->dtype == GX_f64 || d->dtype == GX_c128) && bytes / 2 <= available) {
        gx_help(rt, "in %s it needs %s, which is there",
                d->dtype == GX_f64 ? "float32" : "complex64", size_text(bytes / 2, size));
        return;
    }
    for (int i = w->count - 1; i >= 0; i--) {
        const found *f = &w->largest[i];
        if (!f->name || f->array->storage->refs != 1 || f->array->obj.refs != 1) continue;
        if (available + bytes_of(f->array) < bytes) continue;
        gx_help(rt, "del %s frees enough", f->name);
        return;
    }
}

bool gx_out_of_memory_explain(gx_rt *rt, const gx_data *wanted) {
    char need[32], left[32], most[32], what[220] = "", shape[160];
    gx_device *d = rt->gpu;
    int64_t available, total, bytes = d->wanted;
    walk w = {.rt = rt};
    gx_error_clear(rt);
    room_of(rt, &available, &total);
    /* A store's shape is its region's; else something on the way to the value was wanted. */
    if (wanted && (wanted->bytes != bytes || wanted->kind == GX_DATA_STORE)) wanted = NULL;
    if (wanted)
        snprintf(what, sizeof what, " for %s %s", gx_dtypes[wanted->dtype].name,
                 shape_text(wanted->ndim, wanted->shape, shape, sizeof shape));
    walk_arrays(&w);
    gx_fail(rt, GX_MemoryError, "memory.gpu", "need %s%s on the GPU; %s of %s is free",
            size_text(bytes, need), what, size_text(available, left), size_text(total, most));
    d->wanted = 0;
    if (d->limit) gx_note(rt, "the limit is set by GX_GPU_MEMORY or set_limit");
    gx_note(rt, "arrays hold %s; dropping caches did not help", size_text(d->live_bytes, left));
    note_largest(rt, &w);
    help_fix(rt, &w, wanted, bytes, available);
    return false;
}

bool gx_array_needs_gpu(const gx_array *a) {
    const gx_data *d = a->storage->data;
    if (!d) return false; /* it is being stored into */
    return d->kind == GX_DATA_READY ? !gx_data_on(d, GX_HOST) : d->place != GX_HOST;
}
