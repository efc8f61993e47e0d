/* Where values live. A ready value has copies of its bytes on one device or several; `place` says
   where computations with it take place, whichever copies exist. Bytes move at the first need and
   all copies are kept while the value lives, for it never changes; whoever writes drops the others.
   New values follow their array's namespace: numpy's live on the host, cupy's and gx's on the GPU
   where there is one, save small ones made on the host.

   Invariant: a ready value has at least one copy. */
#include <string.h>

#include "runtime/array/array.h"
#include "runtime/backend/gpu.h"
#include "runtime/device/backends.h"
#include "runtime/graph/extent.h"
#include "runtime/graph/lazy.h"
#include "runtime/graph/out_of_memory.h"
#include "runtime/object/use.h"
#include "runtime/object/warn.h"

enum {
    SMALL_BYTES = 4096,
    WHOLE_BYTES = 1 << 16, /* a read element takes a value of this size along */
    MANY_PEEKS = 64,       /* after so many single elements the whole value is fetched, */
    MOST_FETCHED = 1 << 28 /* up to this size */
};

GX_CHECK bool gx_buffer_at(gx_rt *rt, gx_place place, int64_t bytes, gx_buffer **out) {
    gx_device *d = gx_place_device(rt, place);
    if (place == GX_HOST) return d->backend->alloc(d, bytes, out);
    bool fits = !d->limit || bytes <= d->limit - d->live_bytes;
    if (fits && d->backend->alloc(d, bytes, out)) return true;
    d->wanted = bytes;
    return fits ? false : gx_out_of_memory_limit(rt, bytes);
}

/* --- copies --- */

/* The host's copy, made from another. */
static bool fetch(gx_rt *rt, gx_data *d) {
    const gx_buffer *from = gx_copies_any(&d->copies);
    gx_buffer *b;
    if (!gx_buffer_new(rt, d->bytes, &b)) return false;
    if (!from->device->backend->get(from, 0, b->data, d->bytes)) {
        gx_buffer_drop(b);
        return false;
    }
    gx_copies_begin_take(&d->copies, b);
    rt->gpu_stats.downloaded += d->bytes;
    return gx_gpu_report(rt);
}

/* A copy on another device, made from the host's. */
static bool send(gx_rt *rt, gx_data *d, gx_place place) {
    gx_buffer *b;
    if (!gx_data_on(d, GX_HOST) && !fetch(rt, d)) return false;
    if (!gx_buffer_at(rt, place, d->bytes, &b)) return false;
    if (!b->device->backend->put(b, 0, gx_data_bytes(d), d->bytes)) {
        gx_buffer_drop(b);
        return false;
    }
    rt->gpu_stats.uploaded += d->bytes;
    return gx_copies_add_take(rt, &d->copies, b);
}

const char *gx_at_work(const gx_rt *rt) {
    const gx_call *found = NULL;
    for (const gx_call *c = rt->calls; c; c = c->up) {
        if (c->fn->flags & GX_NATIVE_HOST) return NULL;
        if (!found || *found->fn->name == '_') found = c; /* one that has a public name */
    }
    return found ? found->fn->name : NULL;
}

/* An array is needed on the host: whoever asks notes that its work is there (interp/errors/teach.c,
   and a profile, tell of it). Small ones are parameters. */
static bool fetch_for(gx_rt *rt, gx_data *d) {
    gx_gpu_stats *s = &rt->gpu_stats;
    const char *name = d->bytes > WHOLE_BYTES ? gx_at_work(rt) : NULL;
    if (!fetch(rt, d)) return false;
    if (!name) return true;
    if (!s->at_work || strcmp(s->at_work, name) != 0) s->fetched = 0;
    s->at_work = name;
    s->fetched += d->bytes;
    return true;
}

GX_CHECK bool gx_data_at(gx_rt *rt, gx_data *d, gx_place place, gx_buffer **out) {
    if (GX_UNLIKELY(!gx_data_on(d, place)) &&
        !(place == GX_HOST ? fetch_for(rt, d) : send(rt, d, place)))
        return false;
    *out = gx_data_on(d, place);
    return true;
}

GX_CHECK bool gx_data_host(gx_rt *rt, gx_data *d, char **data) {
    if (GX_UNLIKELY(!gx_data_on(d, GX_HOST)) && !fetch_for(rt, d)) return false;
    *data = gx_data_bytes(d);
    return true;
}

GX_CHECK bool gx_data_peek(gx_rt *rt, gx_data *d, int64_t at, void *to, size_t bytes) {
    if (!gx_data_on(d, GX_HOST)) {
        const gx_buffer *from = gx_copies_any(&d->copies);
        bool whole = d->bytes <= WHOLE_BYTES ||
                     (d->peeks >= MANY_PEEKS && d->bytes <= MOST_FETCHED);
        if (!whole) {
            if (d->peeks < UINT8_MAX) d->peeks++;
            rt->gpu_stats.downloaded += (int64_t)bytes;
            return from->device->backend->get(from, at, to, (int64_t)bytes) && gx_gpu_report(rt);
        }
        if (!fetch(rt, d)) return false;
    }
    memcpy(to, gx_data_bytes(d) + at, bytes);
    return true;
}

/* A ready value of its own with d's bytes, which it shares until one of them is written. */
static bool share_at(gx_rt *rt, gx_data *d, gx_place place, gx_data **out) {
    gx_buffer *b = gx_data_on(d, place);
    if (!b && place == GX_HOST && !gx_data_at(rt, d, GX_HOST, &b)) return false;
    if (!b) b = gx_copies_any(&d->copies);
    gx_data *v = gx_data_new(rt, GX_DATA_READY, (gx_dtype)d->dtype, d->ndim, d->ndim, 0);
    if (!v) return false;
    gx_extent_as(v, d);
    v->held = d->bytes;
    v->leaves = 1;
    v->place = (uint8_t)place;
    gx_buffer_keep(b);
    gx_copies_begin_take(&v->copies, b);
    *out = v;
    return true;
}

/* --- namespaces --- */

/* Do new arrays of this namespace live on the GPU? The GPU is opened here, at the first question.
 */
static bool namespace_on_gpu(gx_rt *rt, gx_namespace ns, bool *yes) {
    *yes = false;
    if (ns == GX_NS_NUMPY && !rt->gpu_numpy) return true;
    if (rt->gpu_choice == GX_GPU_UNDECIDED && !gx_backends_gpu(rt)) return false;
    *yes = rt->gpu_choice == GX_GPU_OPEN;
    return true;
}

GX_CHECK bool gx_place_fresh(gx_rt *rt, gx_namespace ns, int64_t bytes, gx_place *out) {
    bool gpu = false;
    if (bytes > SMALL_BYTES || !rt->debug.small)
        if (!namespace_on_gpu(rt, ns, &gpu)) return false;
    *out = gpu ? GX_GPU : GX_HOST;
    return true;
}

GX_CHECK bool gx_place_choose(gx_rt *rt, gx_data *d, gx_namespace *ns) {
    if (d->place != GX_HOST) {
        if (*ns == GX_NS_NUMPY && !rt->gpu_numpy) *ns = GX_NS_CUPY;
        return true;
    }
    gx_place place;
    if (!gx_place_fresh(rt, *ns, d->bytes, &place)) return false;
    d->place = (uint8_t)place;
    return true;
}

GX_CHECK bool gx_place_settle(gx_rt *rt, gx_array *a) {
    gx_data *d = a->storage->data;
    bool gpu;
    if (d->place == GX_HOST && d->bytes <= SMALL_BYTES && rt->debug.small) return true;
    if (!namespace_on_gpu(rt, (gx_namespace)a->ns, &gpu)) return false;
    const gx_place wanted = !gpu ? GX_HOST : d->place != GX_HOST ? (gx_place)d->place : GX_GPU;
    if (d->place == wanted) return true;
    if (wanted != GX_HOST && d->kind != GX_DATA_READY && d->refs == 1) {
        d->place = GX_GPU;
        return true;
    }
    gx_data *moved;
    if (!gx_storage_force(rt, a->storage) || !share_at(rt, d, wanted, &moved)) return false;
    return gx_storage_put_take(rt, a->storage, moved);
}

/* --- writing --- */

/* The storage's value becomes a ready one of its own with this buffer (taken over) alone. */
static bool put_buffer_take(gx_rt *rt, gx_storage *c, gx_buffer *b) {
    const gx_data *d = c->data;
    gx_data *fresh = gx_data_new(rt, GX_DATA_READY, (gx_dtype)d->dtype, 0, 0, 0);
    if (!fresh) {
        gx_buffer_drop(b);
        return false;
    }
    gx_extent_as(fresh, d);
    fresh->held = d->bytes;
    fresh->leaves = 1;
    fresh->place = d->place;
    gx_copies_begin_take(&fresh->copies, b);
    return gx_storage_put_take(rt, c, fresh);
}

/* Does nobody else hold the value, nor its bytes at a place? The other copies go then. */
static bool is_own(gx_rt *rt, gx_data *d, gx_place place) {
    gx_buffer *b = gx_data_on(d, place);
    if (d->refs > 1 || !b || b->refs > 1) return false;
    gx_copies_keep_only(rt, &d->copies, place);
    return true;
}

GX_CHECK bool gx_storage_own(gx_rt *rt, gx_storage *c, gx_place place, gx_buffer **out) {
    gx_buffer *b, *copy;
    if (!gx_storage_force(rt, c) || !gx_data_at(rt, c->data, place, &b)) return false;
    if (!is_own(rt, c->data, place)) { /* somebody else holds the old value */
        if (!gx_data_copy(rt, b, c->data->bytes, &copy)) return false;
        if (!put_buffer_take(rt, c, copy)) return false;
        b = copy;
    }
    c->blank = false;
    *out = b;
    return true;
}

GX_CHECK bool gx_storage_renew(gx_rt *rt, gx_storage *c, gx_place place, gx_buffer **out) {
    gx_buffer *b;
    if (!gx_storage_force(rt, c)) return false;
    c->blank = false;
    if (is_own(rt, c->data, place)) {
        *out = gx_data_on(c->data, place);
        return true;
    }
    if (!gx_buffer_at(rt, place, c->data->bytes, &b) || !put_buffer_take(rt, c, b))
        return false;
    *out = b;
    return true;
}

/* --- what the GPU has to say --- */

/* An index array had an index out of range: the IndexError, at the place of its statement. */
static bool fail_outside(gx_rt *rt, gx_device *device, gx_span origin) {
    gx_outside o = {.wrong = 0};
    if (device->backend->outside && !device->backend->outside(device, &o)) return false;
    /* One behind a mistake that was told: its statement would not have run. */
    if (device->backend->outside && o.wrong == 0) return true;
    if (o.wrong == 0) {
        gx_fail(rt, GX_IndexError, "index.range", "an index of an index array is out of bounds");
    } else {
        gx_fail(rt, GX_IndexError, "index.range",
                "index %lld is out of bounds for axis %lld with size %lld", (long long)o.index,
                (long long)o.axis, (long long)o.size);
        gx_about(rt, 3, (int64_t[]){o.index, o.axis, o.size});
        gx_note(rt, "%lld of %lld elements asked for %s outside; number %lld is the first",
                (long long)o.wrong, (long long)o.total, o.wrong == 1 ? "is" : "are",
                (long long)o.at);
    }
    if (origin.end) rt->error.at = origin;
    return false;
}

static bool report_device(gx_rt *rt, gx_device *device) {
    const gx_backend *b = device->backend;
    int fp;
    const char *op;
    gx_span origin;
    while (b->met && b->met(device, &fp, &op, &origin)) {
        if (GX_UNLIKELY(fp & GX_FP_INDEX) && !fail_outside(rt, device, origin)) return false;
        fp &= ~GX_FP_INDEX;
        if (fp && !gx_fp_warn(rt, fp, op, origin)) return false;
    }
    return true;
}

GX_CHECK bool gx_gpu_report(gx_rt *rt) {
    gx_engine *e = gx_engine_of(rt);
    e->checks = 0;
    if (e->ask && !e->ask(rt)) return false;
    for (int place = GX_GPU; place < GX_MAX_PLACES; place++)
        if (rt->places[place] && !report_device(rt, rt->places[place])) return false;
    return true;
}

GX_CHECK bool gx_gpu_sync(gx_rt *rt) {
    bool any = false;
    for (int place = GX_GPU; place < GX_MAX_PLACES; place++) {
        gx_device *d = rt->places[place];
        if (!d) continue;
        if (!d->backend->sync(d)) return false;
        any = true;
    }
    return !any || gx_gpu_report(rt);
}

/* --- lending --- */

GX_CHECK bool gx_array_lend(gx_rt *rt, gx_array *a, gx_lent *out) {
    if (a->dtype > GX_DTYPES)
        return gx_fail(rt, GX_TypeError, "dtype.kind", "elements of '%s' are no numbers: they are "
                       "not lent", gx_dtypes[a->dtype].name);
    gx_buffer *b;
    if (!gx_storage_force(rt, a->storage)) return false;
    gx_data *d = a->storage->data;
    b = gx_copies_any(&d->copies);
    const bool on_gpu = b->device->place != GX_HOST;
    if (on_gpu && !gx_gpu_sync(rt)) return false;
    *out = (gx_lent){.value = gx_data_keep(d),
                     .data = b->data + a->offset,
                     .on_gpu = on_gpu,
                     .device = on_gpu ? rt->gpu_index : 0};
    return true;
}

void gx_lent_drop(gx_lent *lent) {
    gx_data_drop(lent->value);
}

void gx_array_dlpack_device(const gx_rt *rt, const gx_array *a, int64_t device[2]) {
    const bool away = gx_array_needs_gpu(a);
    device[0] = away ? GX_DLPACK_CUDA : GX_DLPACK_CPU;
    device[1] = away ? rt->gpu_index : 0;
}
