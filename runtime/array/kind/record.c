/* Dtypes of records: their rows, and how they are shown. What their elements mean is in
   record_elements.c. */
#include "runtime/array/kind/record.h"

#include <stdio.h>
#include <string.h>

#include "runtime/array/shape.h"
#include "runtime/device/work.h"
#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"

/* --- dtypes ----------------------------------------------------------------------------------- */

int gx_dtype_alignment(int d) {
    const gx_family *family = gx_dtypes[d].family;
    const gx_record_row *r = gx_record_of(d);
    const gx_subarray *p = gx_subarray_of(d);
    if (r) return r->alignment;
    if (p) return gx_dtype_alignment(p->base);
    return family ? family->alignment : (int)gx_dtypes[gx_real_dtype((gx_dtype)d)].bytes;
}

GX_CHECK bool gx_code_text(gx_buf *out, int d) {
    const gx_dtype_info *i = &gx_dtypes[d];
    if (gx_is_void(d) || gx_subarray_of(d)) return gx_buf_printf(out, "|V%u", i->bytes);
    if (!gx_is_kind(d))
        return gx_buf_printf(out, "%c%c%u", i->bytes == 1 ? '|' : '<', i->kind_letter, i->bytes);
    return i->family->code ? i->family->code(i, out) : gx_buf_puts(out, i->name);
}

/* ", (2, 3)" */
static bool part_shape(gx_buf *out, const gx_subarray *p) {
    return gx_buf_puts(out, ", ") && gx_shape_text(out, p->ndim, p->shape);
}

GX_CHECK bool gx_field_format(gx_buf *out, int d) {
    if (gx_record_of(d)) return gx_buf_puts(out, gx_dtypes[d].name);
    if (gx_subarray_of(d)) {
        const gx_subarray *p = gx_subarray_of(d);
        return gx_buf_char(out, '(') && gx_field_format(out, p->base) && part_shape(out, p) &&
               gx_buf_char(out, ')');
    }
    if (d == GX_bool) return gx_buf_puts(out, "'?'");
    if (d < GX_DTYPES && gx_is_extension(d)) return gx_buf_printf(out, "'%s'", gx_dtypes[d].name);
    gx_buf code = gx_buf_new(out->rt);
    bool ok = gx_code_text(&code, d);
    const char *text = gx_buf_text(&code);
    ok = ok && gx_buf_printf(out, "'%s'", text + (*text == '|'));
    gx_buf_free(&code);
    return ok;
}

static bool name_text(gx_buf *out, const char *name) {
    return gx_str_quote(out, name, strlen(name), false);
}

/* [('x', '<f4'), ('y', '<i4', (2,))] */
static bool list_text(gx_buf *out, const gx_record_row *r) {
    bool ok = gx_buf_char(out, '[');
    for (int i = 0; ok && i < r->count; i++) {
        const gx_field_row *f = &r->fields[i];
        const gx_subarray *p = gx_subarray_of(f->dtype);
        ok = gx_buf_puts(out, i ? ", (" : "(") &&
             (!f->title || (gx_buf_char(out, '(') && name_text(out, f->title) &&
                            gx_buf_puts(out, ", "))) &&
             name_text(out, f->name) && (!f->title || gx_buf_char(out, ')')) &&
             gx_buf_puts(out, ", ") && gx_field_format(out, p ? p->base : f->dtype) &&
             (!p || part_shape(out, p)) && gx_buf_char(out, ')');
    }
    return ok && gx_buf_char(out, ']');
}

/* {'names': …, 'formats': …, 'offsets': …, 'itemsize': …} */
static bool dict_text(gx_buf *out, const gx_record_row *r, int64_t bytes, bool align) {
    bool titles = false, ok = gx_buf_puts(out, "{'names': [");
    for (int i = 0; ok && i < r->count; i++) {
        titles = titles || r->fields[i].title;
        ok = (!i || gx_buf_puts(out, ", ")) && name_text(out, r->fields[i].name);
    }
    ok = ok && gx_buf_puts(out, "], 'formats': [");
    for (int i = 0; ok && i < r->count; i++)
        ok = (!i || gx_buf_puts(out, ", ")) && gx_field_format(out, r->fields[i].dtype);
    ok = ok && gx_buf_puts(out, "], 'offsets': [");
    for (int i = 0; ok && i < r->count; i++)
        ok = gx_buf_printf(out, "%s%lld", i ? ", " : "", (long long)r->fields[i].offset);
    if (titles) ok = ok && gx_buf_puts(out, "], 'titles': [");
    for (int i = 0; ok && titles && i < r->count; i++)
        ok = (!i || gx_buf_puts(out, ", ")) &&
             (r->fields[i].title ? name_text(out, r->fields[i].title) : gx_buf_puts(out, "None"));
    return ok && gx_buf_printf(out, "], 'itemsize': %lld%s}", (long long)bytes,
                               align ? ", 'aligned': True" : "");
}

int64_t gx_dtype_rounded(int64_t offset, int alignment) {
    return (offset + alignment - 1) / alignment * alignment;
}

/* Do the fields lie where a list of them would be laid? */
static bool is_plain_row(const gx_record_row *r, int64_t bytes) {
    int64_t at = 0;
    for (int i = 0; i < r->count; i++) {
        const gx_field_row *f = &r->fields[i];
        if (r->aligned) at = gx_dtype_rounded(at, gx_dtype_alignment(f->dtype));
        if (f->offset != at) return false;
        at += gx_dtype_size(f->dtype);
    }
    return (r->aligned ? gx_dtype_rounded(at, r->alignment) : at) == bytes;
}

static bool record_text(gx_buf *out, const gx_record_row *r, int64_t bytes, bool record,
                        bool align) {
    const bool list = (!align || !r->aligned) && is_plain_row(r, bytes);
    return (!record || gx_buf_puts(out, "(numpy.record, ")) &&
           (list ? list_text(out, r) : dict_text(out, r, bytes, align && r->aligned)) &&
           (!record || gx_buf_char(out, ')'));
}

GX_CHECK bool gx_record_repr(gx_buf *out, int d) {
    const gx_record_row *r = gx_record_of(d);
    return record_text(out, r, gx_dtype_size(d), gx_of_family(d, GX_FAMILY_RECORD), false) &&
           (!r->aligned || gx_buf_puts(out, ", align=True"));
}

/* The row's facts in one block, with the names behind the fields. */
static gx_record_row *copy_record(int count, const gx_field_row *fields, bool aligned) {
    size_t bytes = sizeof(gx_record_row) + (size_t)count * sizeof(gx_field_row);
    for (int i = 0; i < count; i++)
        bytes += strlen(fields[i].name) + 1 + (fields[i].title ? strlen(fields[i].title) + 1 : 0);
    gx_record_row *r = gx_row_memory(bytes);
    if (!r) return NULL;
    char *names = (char *)(r->fields + count);
    *r = (gx_record_row){.count = count, .aligned = aligned, .packed = true, .alignment = 1};
    for (int i = 0; i < count; i++) {
        r->fields[i] = fields[i];
        r->fields[i].name = strcpy(names, fields[i].name);
        names += strlen(names) + 1;
        if (!fields[i].title) continue;
        r->fields[i].title = strcpy(names, fields[i].title);
        names += strlen(names) + 1;
    }
    return r;
}

static bool check_names(gx_rt *rt, int count, const gx_field_row *fields) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++) {
            const char *t = fields[i].title, *u = fields[k].title;
            if (strcmp(fields[i].name, fields[k].name) == 0)
                return gx_fail(rt, GX_ValueError, "dtype.fields",
                               "field '%s' occurs more than once", fields[i].name);
            if ((t && strcmp(t, fields[k].name) == 0) || (u && strcmp(u, fields[i].name) == 0) ||
                (t && u && strcmp(t, u) == 0))
                return gx_fail(rt, GX_ValueError, "dtype.fields",
                               "title already used as a name or title: '%s'", t ? t : u);
        }
    return true;
}

GX_CHECK bool gx_record_make(gx_rt *rt, int count, const gx_field_row *fields, int64_t itemsize,
                             bool aligned, bool record, gx_dtype *out) {
    int64_t end = 0;
    int most = 1;
    if (!check_names(rt, count, fields)) return false;
    for (int i = 0; i < count; i++) {
        const int64_t after = fields[i].offset + gx_dtype_size(fields[i].dtype);
        if (after > end) end = after;
        const int own = gx_dtype_alignment(fields[i].dtype);
        if (aligned && own > most) most = own;
    }
    if (itemsize < 0) itemsize = gx_dtype_rounded(end, most);
    if (itemsize < end)
        return gx_fail(rt, GX_ValueError, "dtype.fields",
                       "NumPy dtype descriptor requires %lld bytes, cannot override to smaller "
                       "itemsize of %lld",
                       (long long)end, (long long)itemsize);
    if (aligned && itemsize % most)
        return gx_fail(rt, GX_ValueError, "dtype.fields",
                       "NumPy dtype descriptor requires alignment of %d bytes, which is not "
                       "divisible into the specified itemsize %lld",
                       most, (long long)itemsize);
    gx_record_row *r = copy_record(count, fields, aligned);
    if (!r) return gx_fail(rt, GX_MemoryError, "memory", "no memory for a dtype");
    r->alignment = (uint8_t)most;
    int64_t at = 0;
    for (int i = 0; i < count; i++) {
        const gx_record_row *inner = gx_record_of(fields[i].dtype);
        r->packed = r->packed && fields[i].offset == at && (!inner || inner->packed);
        at += gx_dtype_size(fields[i].dtype);
    }
    r->packed = r->packed && at == itemsize;
    gx_buf name = gx_buf_new(rt);
    if (!record_text(&name, r, itemsize, record, true)) {
        gx_buf_free(&name);
        gx_row_drop(r);
        return false;
    }
    *out = gx_dtype_make_take(rt, record ? &gx_family_record : &gx_family_void, 0, 'V', itemsize,
                              gx_buf_text(&name), r);
    gx_buf_free(&name);
    return *out != GX_NO_DTYPE;
}

GX_CHECK bool gx_record_with(gx_rt *rt, gx_dtype d, bool record, gx_dtype *out) {
    const gx_record_row *r = gx_record_of(d);
    *out = d;
    if (!r || gx_of_family(d, record ? GX_FAMILY_RECORD : GX_FAMILY_VOID)) return true;
    return gx_record_make(rt, r->count, r->fields, gx_dtype_size(d), r->aligned, record, out);
}

GX_CHECK bool gx_subarray_make(gx_rt *rt, gx_dtype base, int ndim, const int64_t *shape,
                           gx_dtype *out) {
    int64_t all[GX_MAX_DIMS], count;
    const gx_subarray *inner = gx_subarray_of(base);
    const int more = inner ? inner->ndim : 0;
    *out = base;
    if (ndim == 0) return true;
    if (ndim + more > GX_MAX_DIMS) return gx_shape_count(rt, ndim + more, shape, 1, &count);
    if (ndim) memcpy(all, shape, (size_t)ndim * sizeof *all);
    if (inner) memcpy(all + ndim, inner->shape, (size_t)more * sizeof *all);
    ndim += more;
    if (inner) base = inner->base;
    if (!gx_shape_count(rt, ndim, all, gx_dtype_size(base), &count)) return false;
    gx_subarray *p = gx_row_memory(sizeof *p + (size_t)ndim * sizeof *all);
    if (!p) return gx_fail(rt, GX_MemoryError, "memory", "no memory for a dtype");
    *p = (gx_subarray){.base = base, .ndim = ndim, .count = count};
    memcpy(p->shape, all, (size_t)ndim * sizeof *all);
    gx_buf name = gx_buf_new(rt);
    if (!gx_buf_char(&name, '(') || !gx_field_format(&name, base) || !part_shape(&name, p) ||
        !gx_buf_char(&name, ')')) {
        gx_buf_free(&name);
        gx_row_drop(p);
        return false;
    }
    *out = gx_dtype_make_take(rt, &gx_family_subarray, base, 'V', count * gx_dtype_size(base),
                              gx_buf_text(&name), p);
    gx_buf_free(&name);
    return *out != GX_NO_DTYPE;
}

gx_dtype gx_void_dtype(gx_rt *rt, int64_t bytes) {
    char name[32];
    snprintf(name, sizeof name, "|V%lld", (long long)bytes);
    return gx_dtype_make(rt, &gx_family_void, bytes, 'V', bytes, name);
}

bool gx_record_same(int a, int b) {
    const gx_record_row *x = gx_record_of(a), *y = gx_record_of(b);
    if (a == b) return true;
    if (!x || !y || x->count != y->count || gx_dtype_size(a) != gx_dtype_size(b) ||
        gx_dtypes[a].family != gx_dtypes[b].family)
        return false;
    for (int i = 0; i < x->count; i++) {
        const gx_field_row *f = &x->fields[i], *g = &y->fields[i];
        if (strcmp(f->name, g->name) != 0 || f->offset != g->offset || !f->title != !g->title ||
            (f->title && strcmp(f->title, g->title) != 0) || !gx_record_same(f->dtype, g->dtype))
            return false;
    }
    return true;
}

