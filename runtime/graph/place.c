/* Where values live. A ready value has its bytes on the host, on the GPU, or on both; `place` says
   where computations with it take place, whichever copies exist. Bytes move at the first need and
   both copies are kept while the value lives, for it never changes; whoever writes drops the other
   copy. New values follow their array's namespace: numpy's live on the host, cupy's and gx's on the
   GPU where there is one, save small ones made on the host.

   Invariant: at least one of buf and gpu of a ready value is set. */
#include <string.h>

#include "runtime/array/array.h"
#include "runtime/backend/gpu.h"
#include "runtime/device/backends.h"
#include "runtime/graph/extent.h"
#include "runtime/graph/lazy.h"
#include "runtime/graph/out_of_memory.h"
#include "runtime/object/warn.h"

enum {
    SMALL_BYTES = 4096,
    WHOLE_BYTES = 1 << 16, /* a read element takes a value of this size along */
    MANY_PEEKS = 64,       /* after so many single elements the whole value is fetched, */
    MOST_FETCHED = 1 << 28 /* up to this size */
};

gx_device *gx_place_device(gx_rt *rt, gx_place place) {
    return place == GX_GPU ? rt->gpu : rt->device;
}

GX_CHECK bool gx_buffer_at(gx_rt *rt, gx_place place, int64_t bytes, gx_buffer **out) {
    gx_device *d = gx_place_device(rt, place);
    if (place == GX_HOST) return d->backend->alloc(d, bytes, out);
    bool fits = !d->limit || bytes <= d->limit - d->live_bytes;
    if (fits && d->backend->alloc(d, bytes, out)) return true;
    d->wanted = bytes;
    return fits ? false : gx_out_of_memory_limit(rt, bytes);
}

/* --- both copies --- */

static bool fetch(gx_rt *rt, gx_data *d) {
    gx_buffer *b;
    if (!gx_buffer_new(rt, d->bytes, &b)) return false;
    if (!rt->gpu->backend->get(d->gpu, 0, b->data, d->bytes)) {
        gx_buffer_drop(b);
        return false;
    }
    d->buf = b;
    rt->gpu_stats.downloaded += d->bytes;
    return gx_gpu_report(rt);
}

static bool send(gx_rt *rt, gx_data *d) {
    gx_buffer *b;
    if (!gx_buffer_at(rt, GX_GPU, d->bytes, &b)) return false;
    if (!rt->gpu->backend->put(b, 0, d->buf->data, d->bytes)) {
        gx_buffer_drop(b);
        return false;
    }
    d->gpu = b;
    rt->gpu_stats.uploaded += d->bytes;
    return true;
}

GX_CHECK bool gx_data_at(gx_rt *rt, gx_data *d, gx_place place, gx_buffer **out) {
    if (place == GX_GPU) {
        if (GX_UNLIKELY(!d->gpu) && !send(rt, d)) return false;
        *out = d->gpu;
        return true;
    }
    if (GX_UNLIKELY(!d->buf) && !fetch(rt, d)) return false;
    *out = d->buf;
    return true;
}

GX_CHECK bool gx_data_host(gx_rt *rt, gx_data *d, char **data) {
    if (GX_UNLIKELY(!d->buf) && !fetch(rt, d)) return false;
    *data = d->buf->data;
    return true;
}

GX_CHECK bool gx_data_peek(gx_rt *rt, gx_data *d, int64_t at, void *to, size_t bytes) {
    if (!d->buf) {
        bool whole = d->bytes <= WHOLE_BYTES ||
                     (d->peeks >= MANY_PEEKS && d->bytes <= MOST_FETCHED);
        if (!whole) {
            if (d->peeks < UINT8_MAX) d->peeks++;
            rt->gpu_stats.downloaded += (int64_t)bytes;
            return rt->gpu->backend->get(d->gpu, at, to, (int64_t)bytes) && gx_gpu_report(rt);
        }
        if (!fetch(rt, d)) return false;
    }
    memcpy(to, d->buf->data + at, bytes);
    return true;
}

/* A ready value of its own with d's bytes, which it shares until one of them is written. */
static bool share_at(gx_rt *rt, gx_data *d, gx_place place, gx_data **out) {
    gx_buffer *b;
    if (place == GX_HOST && !gx_data_at(rt, d, GX_HOST, &b)) return false;
    gx_data *v = gx_data_new(rt, GX_DATA_READY, (gx_dtype)d->dtype, d->ndim, d->ndim, 0);
    if (!v) return false;
    gx_extent_as(v, d);
    v->held = d->bytes;
    v->leaves = 1;
    v->place = (uint8_t)place;
    if (d->buf && (place == GX_HOST || !d->gpu)) {
        v->buf = d->buf;
        gx_buffer_keep(v->buf);
    }
    if (place == GX_GPU && d->gpu) {
        v->gpu = d->gpu;
        gx_buffer_keep(v->gpu);
    }
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

GX_CHECK bool gx_place_choose(gx_rt *rt, gx_data *d, gx_namespace *ns) {
    if (d->place == GX_GPU) {
        if (*ns == GX_NS_NUMPY && !rt->gpu_numpy) *ns = GX_NS_CUPY;
        return true;
    }
    if (d->bytes <= SMALL_BYTES && rt->debug.small) return true;
    bool gpu;
    if (!namespace_on_gpu(rt, *ns, &gpu)) return false;
    d->place = gpu ? GX_GPU : GX_HOST;
    return true;
}

GX_CHECK bool gx_place_settle(gx_rt *rt, gx_array *a) {
    gx_data *d = a->storage->data;
    bool gpu;
    if (d->place == GX_HOST && d->bytes <= SMALL_BYTES && rt->debug.small) return true;
    if (!namespace_on_gpu(rt, (gx_namespace)a->ns, &gpu)) return false;
    gx_place wanted = gpu ? GX_GPU : GX_HOST;
    if (d->place == wanted) return true;
    if (wanted == GX_GPU && d->kind != GX_DATA_READY && d->refs == 1) {
        d->place = GX_GPU;
        return true;
    }
    gx_data *moved;
    if (!gx_storage_force(rt, a->storage) || !share_at(rt, d, wanted, &moved)) return false;
    return gx_storage_put_take(rt, a->storage, moved);
}

/* --- writing --- */

/* The storage's value becomes a ready one of its own with this buffer (taken over) alone. */
static bool put_buffer_take(gx_rt *rt, gx_storage *c, gx_place place, gx_buffer *b) {
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
    if (place == GX_GPU) fresh->gpu = b;
    else fresh->buf = b;
    return gx_storage_put_take(rt, c, fresh);
}

/* Does nobody else hold the value, nor its bytes at a place? The other copy goes then. */
static bool is_own(gx_data *d, gx_place place) {
    gx_buffer *b = place == GX_GPU ? d->gpu : d->buf;
    if (d->refs > 1 || !b || b->refs > 1) return false;
    if (d->truths) gx_buffer_drop(d->truths);
    d->truths = NULL;
    gx_buffer **other = place == GX_GPU ? &d->buf : &d->gpu;
    gx_buffer_drop(*other);
    *other = NULL;
    return true;
}

GX_CHECK bool gx_storage_own(gx_rt *rt, gx_storage *c, gx_place place, gx_buffer **out) {
    gx_buffer *b, *copy;
    if (!gx_storage_force(rt, c) || !gx_data_at(rt, c->data, place, &b)) return false;
    if (!is_own(c->data, place)) { /* somebody else holds the old value */
        if (!gx_data_copy(rt, b, c->data->bytes, &copy)) return false;
        if (!put_buffer_take(rt, c, place, copy)) return false;
        b = copy;
    }
    *out = b;
    return true;
}

GX_CHECK bool gx_storage_renew(gx_rt *rt, gx_storage *c, gx_place place, gx_buffer **out) {
    gx_buffer *b;
    if (!gx_storage_force(rt, c)) return false;
    if (is_own(c->data, place)) {
        *out = place == GX_GPU ? c->data->gpu : c->data->buf;
        return true;
    }
    if (!gx_buffer_at(rt, place, c->data->bytes, &b) || !put_buffer_take(rt, c, place, b))
        return false;
    *out = b;
    return true;
}

/* --- what the GPU has to say --- */

/* An index array had an index out of range: the IndexError, at the place of its statement. */
static bool fail_outside(gx_rt *rt, gx_span origin) {
    gx_outside o = {.wrong = 0};
    if (rt->gpu->backend->outside && !rt->gpu->backend->outside(rt->gpu, &o)) return false;
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

GX_CHECK bool gx_gpu_report(gx_rt *rt) {
    const gx_backend *b = rt->gpu->backend;
    int fp;
    const char *op;
    gx_span origin;
    gx_engine_of(rt)->checks = 0;
    while (b->met && b->met(rt->gpu, &fp, &op, &origin)) {
        if (GX_UNLIKELY(fp & GX_FP_INDEX)) return fail_outside(rt, origin);
        if (!gx_fp_warn(rt, fp, op, origin)) return false;
    }
    return true;
}

GX_CHECK bool gx_gpu_sync(gx_rt *rt) {
    if (!rt->gpu) return true;
    return rt->gpu->backend->sync(rt->gpu) && gx_gpu_report(rt);
}

/* --- lending --- */

GX_CHECK bool gx_array_lend(gx_rt *rt, gx_array *a, gx_lent *out) {
    gx_buffer *b;
    if (!gx_storage_force(rt, a->storage)) return false;
    const bool on_gpu = gx_array_needs_gpu(a);
    gx_data *d = a->storage->data;
    if (!gx_data_at(rt, d, on_gpu ? GX_GPU : GX_HOST, &b)) return false;
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
