/* Views of fields: a['x'] and a[['x', 'y']] share the storage of a. */
#include <string.h>

#include "runtime/array/kind/record.h"
#include "runtime/graph/lazy.h"
#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"

bool gx_is_field_key(gx_borrowed key) {
    if (key.tag == GX_STR) return true;
    if (key.tag != GX_LIST || gx_as_list(key)->count == 0) return false;
    for (int64_t i = 0; i < gx_as_list(key)->count; i++)
        if (gx_as_list(key)->items[i].tag != GX_STR) return false;
    return true;
}

static int find(const gx_record_row *r, const char *name) {
    for (int i = 0; i < r->count; i++)
        if (strcmp(r->fields[i].name, name) == 0) return i;
    for (int i = 0; i < r->count; i++)
        if (r->fields[i].title && strcmp(r->fields[i].title, name) == 0) return i;
    return -1;
}

static bool note_names(gx_rt *rt, const gx_record_row *r, const char *name) {
    const char *names[64];
    const int n = r->count < 64 ? r->count : 64;
    for (int i = 0; i < n; i++) names[i] = r->fields[i].name;
    const char *near = gx_near_name(name, names, (size_t)n);
    if (near) return gx_help(rt, "did you mean '%s'?", near);
    gx_buf text = gx_buf_new(rt);
    bool ok = true;
    for (int i = 0; ok && i < n; i++)
        ok = gx_buf_printf(&text, "%s%s", i ? ", " : "", names[i]);
    if (ok) gx_note(rt, "the fields are %s", n ? gx_buf_text(&text) : "none at all");
    gx_buf_free(&text);
    return false;
}

int gx_field_find(gx_rt *rt, gx_dtype d, const char *name) {
    const gx_record_row *r = gx_record_of(d);
    if (!r) {
        gx_fail(rt, GX_ValueError, "index.field", "no field of name %s", name);
        gx_note(rt, "the dtype has no fields: %s", gx_dtypes[d].name);
        return -1;
    }
    const int at = find(r, name);
    if (at >= 0) return at;
    gx_fail(rt, GX_ValueError, "index.field", "no field of name %s", name);
    (void)note_names(rt, r, name);
    return -1;
}

/* A GPU reads numbers only where they are aligned. */
static bool fail_place(gx_rt *rt, const gx_field_row *f) {
    gx_fail(rt, GX_ValueError, "index.field",
            "field '%s' is not aligned: it cannot be read on a GPU", f->name);
    return gx_help(rt, "np.dtype(…, align=True) aligns fields; cp.asnumpy(a) is on the host");
}

static bool is_aligned(const gx_array *a, int64_t offset, gx_dtype d) {
    const int64_t unit = gx_is_kind(d) ? 1 : gx_dtype_alignment(d);
    int64_t all = offset;
    for (int i = 0; i < a->ndim; i++) all |= gx_shape(a)[i] > 1 ? gx_strides(a)[i] : 0;
    return (all & (unit - 1)) == 0;
}

GX_CHECK bool gx_field_view(gx_rt *rt, gx_array *a, int field, gx_array **out) {
    const gx_field_row *f = &gx_record_of(a->dtype)->fields[field];
    const gx_subarray *p = gx_subarray_of(f->dtype);
    const gx_dtype d = p ? p->base : f->dtype;
    int64_t shape[GX_MAX_DIMS], strides[GX_MAX_DIMS];
    int nd = a->ndim;
    if (p && nd + p->ndim > GX_MAX_DIMS)
        return gx_fail(rt, GX_ValueError, "shape.dims", "an array has at most %d dimensions",
                       GX_MAX_DIMS);
    memcpy(shape, gx_shape(a), (size_t)nd * sizeof *shape);
    memcpy(strides, gx_strides(a), (size_t)nd * sizeof *strides);
    if (p) {
        int64_t step = gx_dtype_size(d);
        for (int i = p->ndim - 1; i >= 0; i--) {
            shape[nd + i] = p->shape[i];
            strides[nd + i] = step;
            step *= p->shape[i];
        }
        nd += p->ndim;
    }
    if (gx_array_place(a) != GX_HOST && !is_aligned(a, a->offset + f->offset, d))
        return fail_place(rt, f);
    return gx_array_view(rt, a, d, nd, shape, strides, a->offset + f->offset, out);
}

GX_CHECK bool gx_fields_dtype(gx_rt *rt, gx_dtype d, gx_borrowed names, gx_dtype *out) {
    const gx_record_row *r = gx_record_of(d);
    const int64_t n = gx_as_list(names)->count;
    if (!r) return gx_field_find(rt, d, gx_as_str(gx_as_list(names)->items[0])->text) >= 0;
    gx_field_row *fields = gx_alloc(rt, (size_t)n * sizeof *fields);
    if (!fields) return false;
    bool ok = true;
    for (int64_t i = 0; ok && i < n; i++) {
        const char *name = gx_as_str(gx_as_list(names)->items[i])->text;
        const int at = find(r, name);
        ok = at >= 0;
        if (ok) fields[i] = r->fields[at];
        else {
            gx_fail(rt, GX_KeyError, "index.field", "'%s'", name);
            (void)note_names(rt, r, name);
        }
    }
    ok = ok && gx_record_make(rt, (int)n, fields, gx_dtype_size(d), r->aligned,
                              gx_of_family(d, GX_FAMILY_RECORD), out);
    gx_free(rt, fields);
    return ok;
}

GX_CHECK bool gx_fields_get(gx_rt *rt, gx_array *a, gx_borrowed key, gx_array **out) {
    if (key.tag == GX_STR) {
        const int at = gx_field_find(rt, (gx_dtype)a->dtype, gx_as_str(key)->text);
        return at >= 0 && gx_field_view(rt, a, at, out);
    }
    gx_dtype d;
    return gx_fields_dtype(rt, (gx_dtype)a->dtype, key, &d) &&
           gx_array_view(rt, a, d, a->ndim, gx_shape(a), gx_strides(a), a->offset, out);
}

GX_CHECK bool gx_fields_store(gx_rt *rt, gx_array *dst, gx_array *src) {
    const gx_record_row *r = gx_record_of(dst->dtype);
    gx_array *own = src;
    if (dst->storage == src->storage) { /* a field may be read after it was written */
        if (!gx_array_copy(rt, src, 'C', &own)) return false;
    } else {
        gx_array_keep(own);
    }
    bool ok = true;
    for (int i = 0; ok && i < r->count; i++) {
        gx_array *to = NULL, *from = NULL;
        ok = gx_field_view(rt, dst, i, &to) && gx_field_view(rt, own, i, &from) &&
             gx_array_store(rt, to, from);
        gx_array_drop(to);
        gx_array_drop(from);
    }
    gx_array_drop(own);
    return ok;
}
