/* Dtypes of elements that are no numbers: their words, copies, stores and values. What an element
   means is its family's (text.c, …). */
#include "runtime/array/kind/date.h"
#include "runtime/array/kind/record.h"

#include <string.h>

#include "runtime/array/layout.h"
#include "runtime/array/shape.h"
#include "runtime/device/work.h"
#include "runtime/graph/extent.h"
#include "runtime/graph/lazy.h"
#include "runtime/object/number/number.h"

bool gx_kind_refuse(gx_rt *rt, gx_dtype d, const char *name) {
    gx_fail(rt, GX_TypeError, "dtype.kind", "%s does not take %s: the dtype is '%s'", name,
            gx_dtypes[d].family->what, gx_dtypes[d].name);
    return gx_note(rt, "such arrays can be indexed, compared, sorted, joined and converted "
                       "(.astype)");
}

bool gx_kind_can_cast(gx_dtype from, gx_dtype to, gx_casting rule) {
    bool same = false;
    if (!gx_is_kind(to)) return false;
    if (rule <= GX_CAST_EQUIV) return from == to;
    const bool safe = gx_dtypes[to].family->holds(from, to, &same);
    return safe || (same && rule >= GX_CAST_SAME_KIND);
}

GX_CHECK bool gx_promote_any(gx_rt *rt, gx_dtype a, gx_dtype b, gx_dtype *out) {
    const bool holes = a == b && gx_record_of(a) && !gx_record_of(a)->packed;
    if ((a == b && !holes) || (!gx_is_kind(a) && !gx_is_kind(b))) {
        *out = a == b ? a : gx_promote(a, b);
        return true;
    }
    gx_try t = gx_is_kind(a) ? gx_dtypes[a].family->promote(rt, a, b, out) : GX_TRY_NO;
    if (t == GX_TRY_NO && gx_is_kind(b)) t = gx_dtypes[b].family->promote(rt, a, b, out);
    if (t != GX_TRY_NO) return t == GX_TRY_YES;
    return gx_fail(rt, GX_TypeError, "dtype.promote",
                   "The DType <%s> could not be promoted by <%s>: no dtype holds both",
                   gx_dtypes[a].name, gx_dtypes[b].name);
}

/* --- words ------------------------------------------------------------------------------------ */

static gx_dtype word_of(int64_t common) {
    return common % 8 == 0   ? GX_u64
           : common % 4 == 0 ? GX_u32
           : common % 2 == 0 ? GX_u16
                             : GX_u8;
}

gx_dtype gx_kind_word(gx_dtype d) {
    return word_of(gx_dtype_size(d));
}

/* All places where elements begin, as one number whose low bits say what divides them. */
static int64_t places_of(const gx_array *a) {
    int64_t all = gx_dtype_size(a->dtype) | a->offset;
    for (int i = 0; i < a->ndim; i++)
        if (gx_shape(a)[i] > 1) all |= gx_strides(a)[i];
    return all;
}

static bool words_of(gx_rt *rt, gx_array *a, gx_dtype word, gx_array **out) {
    int64_t shape[GX_MAX_DIMS], strides[GX_MAX_DIMS];
    const int nd = a->ndim;
    if (nd + 1 > GX_MAX_DIMS) return gx_extent_fail_dims(rt, nd + 1);
    memcpy(shape, gx_shape(a), (size_t)nd * sizeof *shape);
    memcpy(strides, gx_strides(a), (size_t)nd * sizeof *strides);
    shape[nd] = gx_dtype_size(a->dtype) / gx_dtype_size(word);
    strides[nd] = gx_dtype_size(word);
    gx_array *w = gx_array_head(rt, a->storage, word, nd + 1, (gx_namespace)a->ns);
    if (!w) return false;
    w->flags = a->flags;
    w->base = a->base ? a->base : a;
    gx_array_keep(w->base);
    if (!gx_extent_view(rt, w, shape, strides, a->offset)) {
        gx_array_drop(w);
        return false;
    }
    *out = w;
    return true;
}

GX_CHECK bool gx_array_words(gx_rt *rt, int n, gx_array *const *a, gx_array **words) {
    int64_t all = 0;
    for (int i = 0; i < n; i++) all |= places_of(a[i]);
    for (int i = 0; i < n; i++) {
        if (words_of(rt, a[i], word_of(all), &words[i])) continue;
        while (i-- > 0) gx_array_drop(words[i]);
        return false;
    }
    return true;
}

GX_CHECK bool gx_array_of_words_take(gx_rt *rt, gx_array *w, gx_dtype d, gx_array **out) {
    const int nd = w->ndim - 1;
    if (w->count && gx_shape(w)[nd] > 1 && gx_strides(w)[nd] != gx_dtype_size(w->dtype)) {
        gx_array *c;
        bool ok = gx_array_copy(rt, w, 'C', &c);
        gx_array_drop(w);
        if (!ok) return false;
        w = c;
    }
    gx_array *a = gx_array_head(rt, w->storage, d, nd, (gx_namespace)w->ns);
    bool ok = a != NULL;
    if (ok) {
        a->flags = w->flags;
        a->base = w->base;
        if (a->base) gx_array_keep(a->base);
        ok = gx_extent_view(rt, a, gx_shape(w), gx_strides(w), w->offset);
        if (!ok) gx_array_drop(a);
    }
    gx_array_drop(w);
    if (ok) *out = a;
    return ok;
}

/* --- copies and stores ------------------------------------------------------------------------ */

GX_CHECK bool gx_any_value(gx_rt *rt, gx_dtype d, const char *from, bool plain, gx_value *out) {
    gx_scalar s = {.bits = {0, 0}};
    if (gx_is_kind(d)) return gx_dtypes[d].family->value(rt, &gx_dtypes[d], from, plain, out);
    gx_item_copy(&s, from, gx_dtypes[d].bytes);
    return plain ? gx_scalar_item(rt, d, &s, out) : gx_scalar_new(rt, d, &s, out);
}

GX_CHECK bool gx_any_put(gx_rt *rt, gx_dtype d, gx_borrowed v, char *to) {
    gx_scalar s = {.bits = {0, 0}};
    if (gx_is_kind(d)) return gx_dtypes[d].family->put(rt, &gx_dtypes[d], v, to);
    if (!gx_scalar_from(rt, v, d, &s)) return false;
    gx_item_copy(to, &s, gx_dtypes[d].bytes);
    return true;
}

/* n elements, converted by way of values. */
static bool cast_values(gx_rt *rt, gx_dtype from, const char *data, gx_dtype to, char *out,
                        int64_t n) {
    const size_t a = gx_dtypes[from].bytes, b = gx_dtypes[to].bytes;
    for (int64_t i = 0; i < n; i++, data += a, out += b) {
        gx_value v;
        if (i % 1024 == 0 && !gx_work_end(rt)) return false;
        if (!gx_any_value(rt, from, data, gx_is_kind(from), &v)) return false;
        bool ok = gx_any_put(rt, to, v, out);
        gx_drop(v);
        if (!ok) return false;
    }
    return true;
}

static bool cast_numbers(gx_rt *rt, gx_dtype from, const char *data, gx_dtype to, char *out,
                         int64_t n) {
    const size_t a = gx_dtypes[from].bytes, b = gx_dtypes[to].bytes;
    for (int64_t i = 0; i < n; i++, data += a, out += b) {
        gx_scalar s = {.bits = {0, 0}};
        if (i % 4096 == 0 && !gx_work_end(rt)) return false;
        gx_item_copy(&s, data, a);
        s = gx_scalar_cast(from, to, &s);
        gx_item_copy(out, &s, b);
    }
    return true;
}

GX_CHECK bool gx_any_cast(gx_rt *rt, gx_dtype from, const char *data, gx_dtype to, char *out,
                          int64_t n) {
    const gx_dtype_info *a = &gx_dtypes[from], *b = &gx_dtypes[to];
    if (from == to) {
        if (n) memcpy(out, data, (size_t)n * a->bytes);
        return true;
    }
    if (!gx_is_kind(from) && !gx_is_kind(to)) return cast_numbers(rt, from, data, to, out, n);
    gx_try t = gx_is_kind(to) ? b->family->cast(rt, a, data, b, out, n) : GX_TRY_NO;
    if (t == GX_TRY_NO && gx_is_kind(from)) t = a->family->cast(rt, a, data, b, out, n);
    return t == GX_TRY_NO ? cast_values(rt, from, data, to, out, n) : t == GX_TRY_YES;
}

bool gx_kind_is_open(gx_dtype d) {
    return (gx_is_text(d) && gx_dtype_size(d) == 0) ||
           (gx_is_time(d) && gx_step_of(d).unit == GX_UNIT_NONE);
}

GX_CHECK bool gx_kind_open(gx_rt *rt, gx_dtype *d) {
    if (gx_dtype_size(*d) || !gx_is_text(*d)) return true;
    *d = gx_dtypes[*d].family->of(rt, 1);
    return *d != GX_NO_DTYPE;
}

/* The step of the array's own times; of texts, the finest that one of them needs. */
static bool settle_time(gx_rt *rt, const gx_array *a, gx_dtype *d) {
    const gx_family *family = gx_dtypes[*d].family;
    int64_t all = -1;
    if (gx_step_of(*d).unit != GX_UNIT_NONE) return true;
    if (gx_of_family(a->dtype, family->tag)) {
        *d = (gx_dtype)a->dtype;
        return true;
    }
    if (!gx_is_text(a->dtype)) return true;
    for (int64_t i = 0; i < a->count; i++) {
        gx_value v;
        if (!gx_array_nth(rt, a, i, &v)) return false;
        bool ok = family->meet(rt, v, all, &all);
        gx_drop(v);
        if (!ok) return false;
    }
    if (all > 0) *d = family->of(rt, all);
    return *d != GX_NO_DTYPE;
}

GX_CHECK bool gx_kind_settle(gx_rt *rt, const gx_array *a, gx_dtype *d) {
    if (gx_is_time(*d)) return settle_time(rt, a, d);
    if (!gx_is_kind(*d) || gx_dtypes[*d].bytes || !gx_is_text(*d)) return true;
    if (gx_is_text(a->dtype)) {
        const int64_t n = gx_dtype_size(a->dtype) /
                          (gx_of_family(a->dtype, GX_FAMILY_STR) ? 4 : 1);
        *d = gx_dtypes[*d].family->of(rt, n);
    } else {
        gx_dtype both;
        if (!gx_promote_any(rt, (gx_dtype)a->dtype, *d, &both)) return false;
        *d = both;
    }
    return *d != GX_NO_DTYPE;
}

/* a's elements as d, in C order. */
static bool cast_kind(gx_rt *rt, gx_array *a, gx_dtype d, gx_namespace ns, gx_array **out) {
    gx_array *c, *r = NULL;
    const char *data;
    char *to;
    if (!gx_kind_settle(rt, a, &d) || !gx_array_contiguous(rt, a, &c)) return false;
    bool ok = gx_array_read(rt, c, &data) &&
              gx_array_empty(rt, d, a->ndim, gx_shape(a), ns, &r) &&
              (r->count == 0 || (gx_array_write(rt, r, &to) &&
                                 gx_any_cast(rt, (gx_dtype)a->dtype, data, d, to,
                                             r->count)));
    gx_array_drop(c);
    if (!ok) {
        gx_array_drop(r);
        return false;
    }
    *out = r;
    return true;
}

static bool store_words(gx_rt *rt, gx_array *dst, gx_array *src) {
    gx_array *both[2] = {dst, src}, *w[2];
    if (!gx_array_words(rt, 2, both, w)) return false;
    bool ok = gx_array_store(rt, w[0], w[1]);
    gx_array_drop(w[0]);
    gx_array_drop(w[1]);
    return ok;
}

GX_CHECK bool gx_kind_copy(gx_rt *rt, gx_array *a, gx_dtype d, char order, gx_namespace ns,
                           gx_array **out) {
    int axes[GX_MAX_DIMS];
    gx_array *r, *from = a;
    if (!gx_kind_settle(rt, a, &d)) return false;
    const bool cast = a->dtype != d;
    if (cast && !cast_kind(rt, a, d, ns, &from)) return false;
    for (int i = 0; i < a->ndim; i++) axes[i] = order == 'F' ? a->ndim - 1 - i : i;
    if (order == 'K') gx_array_copy_order(a, axes);
    if (cast && gx_order_is_c(a->ndim, axes)) {
        *out = from;
        return true;
    }
    bool ok = gx_array_empty_in(rt, gx_array_place(from), d, a->ndim, gx_shape(a), axes, ns, &r);
    if (ok && !store_words(rt, r, from)) {
        gx_array_drop(r);
        ok = false;
    }
    if (cast) gx_array_drop(from);
    if (ok) *out = r;
    return ok;
}

GX_CHECK bool gx_kind_store(gx_rt *rt, gx_array *dst, gx_array *src) {
    if (dst->dtype != src->dtype) {
        gx_array *cast;
        if (!gx_array_cast(rt, src, (gx_dtype)dst->dtype, true, &cast)) return false;
        bool ok = gx_array_store(rt, dst, cast);
        gx_array_drop(cast);
        return ok;
    }
    const gx_record_row *r = gx_record_of(dst->dtype);
    return r && !r->packed ? gx_dtypes[dst->dtype].family->store(rt, dst, src)
                           : store_words(rt, dst, src);
}

/* --- values ----------------------------------------------------------------------------------- */

GX_CHECK bool gx_kind_value(gx_rt *rt, gx_dtype d, const char *from, bool plain, gx_value *out) {
    return gx_dtypes[d].family->value(rt, &gx_dtypes[d], from, plain, out);
}

GX_CHECK bool gx_kind_element(gx_rt *rt, const gx_array *a, bool plain, gx_value *out) {
    enum { FEW = 256 };
    char few[FEW];
    const size_t item = (size_t)gx_dtype_size(a->dtype);
    const char *data;
    const gx_family *family = gx_dtypes[a->dtype].family;
    if (!plain && family->element) return family->element(rt, (gx_array *)(uintptr_t)a, out);
    if (!gx_storage_force(rt, a->storage)) return false;
    const gx_data *d = a->storage->data;
    if (item <= FEW && !gx_data_on(d, GX_HOST)) { /* a device's: not all of it is fetched */
        return gx_data_peek(rt, a->storage->data, a->offset, few, item) &&
               gx_kind_value(rt, (gx_dtype)a->dtype, few, plain, out);
    }
    return gx_array_read(rt, a, &data) && gx_kind_value(rt, (gx_dtype)a->dtype, data, plain, out);
}

GX_CHECK bool gx_array_nth(gx_rt *rt, const gx_array *a, int64_t i, gx_value *out) {
    gx_scalar s;
    const char *data;
    if (!gx_is_kind(a->dtype))
        return gx_array_item_at(rt, a, i, &s) && gx_scalar_new(rt, (gx_dtype)a->dtype, &s, out);
    if (!gx_array_read(rt, a, &data)) return false;
    for (int k = a->ndim - 1; k >= 0 && i > 0; k--) {
        data += i % gx_shape(a)[k] * gx_strides(a)[k];
        i /= gx_shape(a)[k];
    }
    return gx_kind_value(rt, (gx_dtype)a->dtype, data, false, out);
}
