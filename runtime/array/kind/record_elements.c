/* What records mean: how elements are read, written, compared and converted, field by field. */
#include <string.h>

#include "runtime/array/kind/record.h"
#include "runtime/array/shape.h"
#include "runtime/device/work.h"
#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"

/* --- elements --------------------------------------------------------------------------------- */

static gx_dtype number_of(const gx_dtype_info *d) {
    return (gx_dtype)(d - gx_dtypes);
}

static bool void_value(gx_rt *rt, const gx_dtype_info *d, const char *from, bool plain,
                       gx_value *out) {
    const gx_record_row *r = d->more;
    if (!plain) {
        gx_array *a;
        char *to;
        if (!gx_array_empty(rt, number_of(d), 0, NULL, GX_NS_NUMPY, &a)) return false;
        bool ok = gx_array_write(rt, a, &to);
        if (ok && d->bytes) memcpy(to, from, d->bytes);
        ok = ok && gx_void_scalar(rt, a, out);
        gx_array_drop(a);
        return ok;
    }
    if (!r) return gx_bytes_new(rt, from, d->bytes, out);
    gx_value *items = gx_alloc(rt, (size_t)(r->count + 1) * sizeof *items);
    if (!items) return false;
    int n = 0;
    while (n < r->count && gx_any_value(rt, r->fields[n].dtype, from + r->fields[n].offset, true,
                                        &items[n]))
        n++;
    bool ok = n == r->count;
    if (ok) ok = gx_tuple_take(rt, n, items, out);
    else
        while (n-- > 0) gx_drop(items[n]);
    gx_free(rt, items);
    return ok;
}

static bool part_value(gx_rt *rt, const gx_dtype_info *d, const char *from, bool plain,
                       gx_value *out) {
    const gx_subarray *p = d->more;
    gx_array *a;
    char *to;
    (void)plain;
    if (!gx_array_empty(rt, p->base, p->ndim, p->shape, GX_NS_NUMPY, &a)) return false;
    if (!gx_array_write(rt, a, &to)) {
        gx_array_drop(a);
        return false;
    }
    if (d->bytes) memcpy(to, from, d->bytes);
    *out = gx_array_value(a);
    return true;
}

/* An array of one element, converted. */
static bool put_array(gx_rt *rt, const gx_dtype_info *d, gx_array *a, char *to) {
    gx_array *cast, *flat;
    const char *data;
    if (a->count != 1)
        return gx_fail(rt, GX_ValueError, "array.scalar",
                       "setting an array element with a sequence.");
    if (!gx_array_cast(rt, a, number_of(d), false, &cast)) return false;
    bool ok = gx_array_contiguous(rt, cast, &flat);
    gx_array_drop(cast);
    if (!ok) return false;
    ok = gx_array_read(rt, flat, &data);
    if (ok && d->bytes) memcpy(to, data, d->bytes);
    gx_array_drop(flat);
    return ok;
}

static bool put_bytes(gx_rt *rt, const gx_dtype_info *d, gx_borrowed v, char *to) {
    if (v.tag != GX_BYTES)
        return gx_fail(rt, GX_TypeError, "dtype.element",
                       "an element of %s is bytes without meaning: it takes bytes, not %s",
                       d->name, gx_type_name(v));
    const gx_str *s = gx_as_str(v);
    const size_t n = s->length < d->bytes ? s->length : d->bytes;
    memset(to, 0, d->bytes);
    if (n) memcpy(to, s->text, n);
    return true;
}

static bool void_put(gx_rt *rt, const gx_dtype_info *d, gx_borrowed v, char *to) {
    const gx_record_row *r = d->more;
    if (v.tag == GX_ARRAY && gx_is_void(gx_as_array(v)->dtype))
        return put_array(rt, d, gx_as_array(v), to);
    if (!r) return put_bytes(rt, d, v, to);
    if (v.tag == GX_TUPLE && gx_as_tuple(v)->count != r->count) {
        gx_fail(rt, GX_ValueError, "dtype.fields",
                "could not assign tuple of length %lld to structure with %d fields.",
                (long long)gx_as_tuple(v)->count, r->count);
        return gx_note(rt, "the fields are %s", d->name);
    }
    memset(to, 0, d->bytes);
    for (int i = 0; i < r->count; i++) {
        const gx_value item = v.tag == GX_TUPLE ? gx_as_tuple(v)->items[i] : v;
        if (!gx_any_put(rt, r->fields[i].dtype, item, to + r->fields[i].offset)) return false;
    }
    return true;
}

static bool part_put(gx_rt *rt, const gx_dtype_info *d, gx_borrowed v, char *to) {
    const gx_subarray *p = d->more;
    gx_array *a, *wide, *flat;
    const char *data;
    if (!gx_asarray(rt, v, p->base, GX_NS_NUMPY, false, &a)) return false;
    bool ok = gx_broadcast_to(rt, a, p->ndim, p->shape, &wide);
    gx_array_drop(a);
    if (!ok) return false;
    ok = gx_array_contiguous(rt, wide, &flat);
    gx_array_drop(wide);
    if (!ok) return false;
    ok = gx_array_read(rt, flat, &data);
    if (ok && d->bytes) memcpy(to, data, d->bytes);
    gx_array_drop(flat);
    return ok;
}

/* Only arrays are printed in columns (print.c). */
static bool void_write(gx_rt *rt, const gx_dtype_info *d, const char *from, gx_buf *out) {
    (void)rt;
    bool ok = gx_buf_puts(out, "b'");
    for (uint32_t i = 0; ok && i < d->bytes; i++)
        ok = gx_buf_printf(out, "\\x%02X", (unsigned char)from[i]);
    return ok && gx_buf_char(out, '\'');
}

/* --- order ------------------------------------------------------------------------------------ */

static int order_doubles(double x, double y) {
    if (x != x || y != y) return (x != x) - (y != y);
    return x < y ? -1 : x > y;
}

static gx_scalar load(gx_dtype d, const char *from, gx_dtype as) {
    gx_scalar s = {.bits = {0, 0}};
    gx_item_copy(&s, from, gx_dtypes[d].bytes);
    return gx_scalar_cast(d, as, &s);
}

int gx_any_order(gx_dtype da, const char *a, gx_dtype db, const char *b) {
    if (gx_is_kind(da))
        return gx_dtypes[da].family->order(&gx_dtypes[da], a, &gx_dtypes[db], b);
    const gx_dtype both = gx_promote(da, db);
    switch ((gx_dkind)gx_dtype_kind(both)) {
    case GX_KIND_BOOL:
    case GX_KIND_INT: {
        const int64_t x = load(da, a, GX_i64).i64, y = load(db, b, GX_i64).i64;
        return x < y ? -1 : x > y;
    }
    case GX_KIND_UINT: {
        const uint64_t x = load(da, a, GX_u64).u64, y = load(db, b, GX_u64).u64;
        return x < y ? -1 : x > y;
    }
    case GX_KIND_FLOAT: return order_doubles(load(da, a, GX_f64).f64, load(db, b, GX_f64).f64);
    case GX_KIND_CPLX: {
        const gx_c128 x = load(da, a, GX_c128).c128, y = load(db, b, GX_c128).c128;
        const int c = order_doubles(x.re, y.re);
        return c ? c : order_doubles(x.im, y.im);
    }
    }
    return 0;
}

bool gx_any_equal(gx_dtype da, const char *a, gx_dtype db, const char *b) {
    if (gx_is_kind(da)) {
        const gx_family *f = gx_dtypes[da].family;
        return f->equal ? f->equal(&gx_dtypes[da], a, &gx_dtypes[db], b)
                        : f->order(&gx_dtypes[da], a, &gx_dtypes[db], b) == 0;
    }
    const int kind = gx_dtype_kind(gx_promote(da, db));
    if (kind == GX_KIND_FLOAT || kind == GX_KIND_CPLX) {
        const gx_c128 x = load(da, a, GX_c128).c128, y = load(db, b, GX_c128).c128;
        return x.re == y.re && x.im == y.im;
    }
    return gx_any_order(da, a, db, b) == 0;
}

static int void_order(const gx_dtype_info *da, const char *a, const gx_dtype_info *db,
                      const char *b) {
    const gx_record_row *r = da->more, *q = db->more;
    if (!r || !q) {
        const size_t n = da->bytes < db->bytes ? da->bytes : db->bytes;
        const int c = n ? memcmp(a, b, n) : 0;
        return c ? c : (da->bytes > db->bytes) - (da->bytes < db->bytes);
    }
    for (int i = 0; i < r->count && i < q->count; i++) {
        const gx_field_row *f = &r->fields[i], *g = &q->fields[i];
        const int c = gx_any_order(f->dtype, a + f->offset, g->dtype, b + g->offset);
        if (c) return c;
    }
    return 0;
}

static bool void_equal(const gx_dtype_info *da, const char *a, const gx_dtype_info *db,
                       const char *b) {
    const gx_record_row *r = da->more, *q = db->more;
    if (!r || !q) return void_order(da, a, db, b) == 0;
    for (int i = 0; i < r->count && i < q->count; i++) {
        const gx_field_row *f = &r->fields[i], *g = &q->fields[i];
        if (!gx_any_equal(f->dtype, a + f->offset, g->dtype, b + g->offset)) return false;
    }
    return true;
}

static int part_order(const gx_dtype_info *da, const char *a, const gx_dtype_info *db,
                      const char *b) {
    const gx_subarray *p = da->more, *q = db->more;
    for (int64_t i = 0; i < p->count && i < q->count; i++) {
        const int c = gx_any_order(p->base, a + i * gx_dtype_size(p->base), q->base,
                                   b + i * gx_dtype_size(q->base));
        if (c) return c;
    }
    return 0;
}

static bool part_equal(const gx_dtype_info *da, const char *a, const gx_dtype_info *db,
                       const char *b) {
    const gx_subarray *p = da->more, *q = db->more;
    for (int64_t i = 0; i < p->count && i < q->count; i++)
        if (!gx_any_equal(p->base, a + i * gx_dtype_size(p->base), q->base,
                          b + i * gx_dtype_size(q->base)))
            return false;
    return true;
}

/* --- dtypes together -------------------------------------------------------------------------- */

/* The same names in the same order, each of what holds both. */
static gx_try void_promote(gx_rt *rt, gx_dtype a, gx_dtype b, gx_dtype *out) {
    const gx_record_row *x = gx_record_of(a), *y = gx_record_of(b);
    if (!x || !y || x->count != y->count) return GX_TRY_NO;
    gx_field_row *fields = gx_alloc(rt, (size_t)(x->count + 1) * sizeof *fields);
    if (!fields) return GX_TRY_ERROR;
    const bool aligned = x->aligned || y->aligned;
    gx_try t = GX_TRY_YES;
    int64_t at = 0;
    for (int i = 0; t == GX_TRY_YES && i < x->count; i++) {
        const gx_field_row *f = &x->fields[i], *g = &y->fields[i];
        gx_dtype both;
        if (strcmp(f->name, g->name) != 0) t = GX_TRY_NO;
        else if (!gx_promote_any(rt, f->dtype, g->dtype, &both)) t = GX_TRY_ERROR;
        if (t != GX_TRY_YES) break;
        const bool titled = f->title && g->title && strcmp(f->title, g->title) == 0;
        if (aligned) at = gx_dtype_rounded(at, gx_dtype_alignment(both));
        fields[i] = (gx_field_row){f->name, titled ? f->title : NULL, both, at};
        at += gx_dtype_size(both);
    }
    const bool record = gx_of_family(a, GX_FAMILY_RECORD) || gx_of_family(b, GX_FAMILY_RECORD);
    if (t == GX_TRY_YES && !gx_record_make(rt, x->count, fields, -1, aligned, record, out))
        t = GX_TRY_ERROR;
    gx_free(rt, fields);
    return t;
}

static gx_try part_promote(gx_rt *rt, gx_dtype a, gx_dtype b, gx_dtype *out) {
    const gx_subarray *x = gx_subarray_of(a), *y = gx_subarray_of(b);
    gx_dtype base;
    if (!x || !y || x->ndim != y->ndim ||
        memcmp(x->shape, y->shape, (size_t)x->ndim * sizeof *x->shape) != 0)
        return GX_TRY_NO;
    return gx_promote_any(rt, x->base, y->base, &base) &&
                   gx_subarray_make(rt, base, x->ndim, x->shape, out)
               ? GX_TRY_YES
               : GX_TRY_ERROR;
}

static bool void_holds(gx_dtype from, gx_dtype to, bool *same) {
    const gx_record_row *x = gx_record_of(from), *y = gx_record_of(to);
    if (x && y && x->count == y->count) {
        bool all = true;
        *same = true;
        for (int i = 0; i < x->count; i++) {
            const gx_dtype a = x->fields[i].dtype, b = y->fields[i].dtype;
            all = all && gx_can_cast(a, b, GX_CAST_SAFE);
            *same = *same && gx_can_cast(a, b, GX_CAST_SAME_KIND);
        }
        return all;
    }
    *same = false;
    return y ? false : !gx_record_of(to) && gx_dtype_size(from) <= gx_dtype_size(to);
}

static bool part_holds(gx_dtype from, gx_dtype to, bool *same) {
    const gx_subarray *x = gx_subarray_of(from), *y = gx_subarray_of(to);
    *same = x && y && gx_can_cast(x->base, y->base, GX_CAST_SAME_KIND);
    return x && y && gx_can_cast(x->base, y->base, GX_CAST_SAFE);
}

/* A combination of two dtypes in a list: its number is the parameter. */
static bool void_meet(gx_rt *rt, gx_borrowed v, int64_t parameter, int64_t *out) {
    gx_dtype both = (gx_dtype)parameter;
    if (v.tag != GX_ARRAY || !gx_is_void(gx_as_array(v)->dtype))
        return gx_fail(rt, GX_TypeError, "array.element",
                       "an array of records holds no %s: give tuples and a dtype", gx_type_name(v));
    const gx_dtype own = (gx_dtype)gx_as_array(v)->dtype;
    if (parameter > 0 && !gx_promote_any(rt, both, own, &both)) return false;
    *out = parameter > 0 ? both : own;
    return true;
}

static gx_dtype void_of(gx_rt *rt, int64_t parameter) {
    (void)rt;
    return (gx_dtype)parameter;
}

/* --- casts ------------------------------------------------------------------------------------ */

static void gather(const char *from, size_t step, char *to, size_t bytes, int64_t n) {
    for (int64_t i = 0; i < n; i++) memcpy(to + (size_t)i * bytes, from + (size_t)i * step, bytes);
}

static void scatter(const char *from, size_t bytes, char *to, size_t step, int64_t n) {
    for (int64_t i = 0; i < n; i++) memcpy(to + (size_t)i * step, from + (size_t)i * bytes, bytes);
}

/* One field of n elements, by way of a column of a few thousand. */
static bool cast_column(gx_rt *rt, gx_dtype from, const char *data, size_t step, gx_dtype to,
                        char *out, size_t out_step, int64_t n) {
    const size_t a = gx_dtypes[from].bytes, b = gx_dtypes[to].bytes;
    const int64_t most = 4096, some = n < most ? n : most;
    char *x = gx_alloc(rt, (size_t)some * (a + b) + 1), *y = x + (size_t)some * a;
    bool ok = x != NULL;
    for (int64_t i = 0; ok && i < n; i += some) {
        const int64_t m = n - i < some ? n - i : some;
        gather(data + (size_t)i * step, step, x, a, m);
        ok = gx_work_end(rt) && gx_any_cast(rt, from, x, to, y, m);
        if (ok) scatter(y, b, out + (size_t)i * out_step, out_step, m);
    }
    gx_free(rt, x);
    return ok;
}

static bool fail_cast(gx_rt *rt, const gx_dtype_info *from, const gx_dtype_info *to) {
    gx_fail(rt, GX_TypeError, "dtype.kind",
            "Cannot cast array data from dtype(%s) to dtype('%s') according to the rule 'unsafe'",
            from->name, to->name);
    return gx_note(rt, "a['name'] is one field");
}

/* Fields by their places, as NumPy assigns them; a single field may become a number. */
static gx_try void_cast(gx_rt *rt, const gx_dtype_info *from, const char *data,
                        const gx_dtype_info *to, char *out, int64_t n) {
    const gx_record_row *x = gx_record_of(number_of(from)), *y = gx_record_of(number_of(to));
    if (!x && !y) {
        if (!gx_is_void(number_of(from)) || !gx_is_void(number_of(to))) return GX_TRY_NO;
        const size_t some = from->bytes < to->bytes ? from->bytes : to->bytes;
        memset(out, 0, (size_t)n * to->bytes);
        if (some)
            for (int64_t i = 0; i < n; i++)
                memcpy(out + i * to->bytes, data + i * from->bytes, some);
        return GX_TRY_YES;
    }
    if (!y && x->count != 1) return fail_cast(rt, from, to) ? GX_TRY_YES : GX_TRY_ERROR;
    if (x && y && x->count != y->count) {
        (void)gx_fail(rt, GX_ValueError, "dtype.fields",
                      "structures must have the same size: %d fields cannot become %d", x->count,
                      y->count);
        return GX_TRY_ERROR;
    }
    const int count = y ? y->count : 1;
    if (y) memset(out, 0, (size_t)n * to->bytes);
    for (int i = 0; i < count; i++) {
        const gx_field_row whole = {.dtype = number_of(from)}, into = {.dtype = number_of(to)};
        const gx_field_row *f = x ? &x->fields[i] : &whole, *g = y ? &y->fields[i] : &into;
        if (!cast_column(rt, f->dtype, data + f->offset, from->bytes, g->dtype, out + g->offset,
                         to->bytes, n))
            return GX_TRY_ERROR;
    }
    return GX_TRY_YES;
}

/* One of them is a part; numbers are repeated over it. */
static gx_try part_cast(gx_rt *rt, const gx_dtype_info *from, const char *data,
                        const gx_dtype_info *to, char *out, int64_t n) {
    const gx_subarray *x = gx_subarray_of(number_of(from)), *y = gx_subarray_of(number_of(to));
    if (x && y && x->ndim == y->ndim &&
        memcmp(x->shape, y->shape, (size_t)x->ndim * sizeof *x->shape) == 0)
        return gx_any_cast(rt, x->base, data, y->base, out, n * x->count) ? GX_TRY_YES
                                                                           : GX_TRY_ERROR;
    if (y) return GX_TRY_NO; /* broadcast by put */
    (void)gx_fail(rt, GX_TypeError, "dtype.kind",
                  "Cannot cast array data from dtype(%s) to dtype('%s'): an element is an array",
                  from->name, to->name);
    return GX_TRY_ERROR;
}

#define VOID_FAMILY(own, scalars)                                                                  \
    {.tag = own, .what = "records", .type = scalars, .number = 20, .alignment = 1,                 \
     .value = void_value, .element = gx_void_scalar, .put = void_put, .store = gx_fields_store,    \
     .write = void_write, .order = void_order, .equal = void_equal, .meet = void_meet,             \
     .promote = void_promote, .cast = void_cast, .holds = void_holds, .of = void_of}
const gx_family gx_family_void = VOID_FAMILY(GX_FAMILY_VOID, &gx_type_void);
const gx_family gx_family_record = VOID_FAMILY(GX_FAMILY_RECORD, &gx_type_record);
const gx_family gx_family_subarray = {
    .tag = GX_FAMILY_SUBARRAY, .what = "parts of records", .type = &gx_type_void, .number = 20,
    .alignment = 1, .value = part_value, .put = part_put, .write = void_write,
    .order = part_order, .equal = part_equal, .meet = void_meet, .promote = part_promote,
    .cast = part_cast, .holds = part_holds, .of = void_of};
