/* Arrays from values: numbers, nested lists and tuples, ranges, iterables. Two walks: one finds
   shape and dtype, one writes elements. */
#include <string.h>

#include "runtime/array/kind/record.h"
#include "runtime/array/shape.h"
#include "runtime/device/work.h"
#include "runtime/graph/lazy.h"
#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/number/number.h"

/* An array of fewer elements is sooner fetched than stored. */
enum { FEW_STORED = 64 };

typedef struct scan {
    gx_rt *rt;
    int ndim; /* -1: not known yet */
    int sized; /* levels whose size is known */
    int64_t shape[GX_MAX_DIMS];
    gx_dtype strong; /* of NumPy scalars, arrays and bools met */
    int weak;        /* highest kind of Python numbers met, -1: none */
    bool wide;       /* an int that needs uint64 */
    bool narrow;     /* an int that does not */
    bool host;       /* something that is no array, or one that is small */
    bool beside;     /* an array that lives beside the host */
    const gx_family *family; /* of what is no number; NULL: nothing of that kind was met */
    int64_t parameter;       /* what holds all of it */
    int64_t least;           /* what holds nothing */
    bool open;       /* the dtype is known but for its width */
    bool tuples;     /* are elements, as the dtype has fields */
    bool given;      /* the dtype is known: anything may be an element, and says so when written */
} scan;

static bool fail_ragged(const scan *s, int depth) {
    gx_buf text = gx_buf_new(s->rt);
    if (gx_shape_text(&text, depth, s->shape)) {
        gx_fail(s->rt, GX_ValueError, "array.ragged",
                "setting an array element with a sequence. The requested array has an "
                "inhomogeneous shape after %d "
                "dimensions. The detected shape was %s + inhomogeneous part.",
                depth, gx_buf_text(&text));
    }
    gx_buf_free(&text);
    return false;
}

static bool leaf_at(scan *s, int depth) {
    if (s->ndim < 0) s->ndim = depth;
    return s->ndim == depth || fail_ragged(s, depth < s->ndim ? depth : s->ndim);
}

/* A value that is no number. */
static bool meet_other(scan *s, const gx_family *family, gx_borrowed v, int depth) {
    if (!s->family) {
        s->family = family;
        s->parameter = -1;
    } else if (s->family == &gx_family_bytes && family == &gx_family_str) {
        s->family = family;
    }
    return s->family->meet(s->rt, v, s->parameter, &s->parameter) && leaf_at(s, depth);
}

static void meet(scan *s, gx_dtype d) {
    s->strong = s->strong == GX_NO_DTYPE ? d : gx_promote(s->strong, d);
}

static bool scan_number(scan *s, gx_borrowed v, int depth) {
    int kind = GX_KIND_INT;
    uint64_t u;
    if (s->open) return meet_other(s, s->family, v, depth);
    v = gx_plain_number(v);
    switch (v.tag) {
    case GX_BOOL: meet(s, GX_bool); return leaf_at(s, depth);
    case GX_SCALAR:
    case GX_SCALAR_BOX: meet(s, gx_scalar_dtype(v)); return leaf_at(s, depth);
    case GX_INT: s->narrow = true; break;
    case GX_BIGINT: s->wide = s->wide || gx_bigint_u64(v, &u); break;
    case GX_FLOAT: kind = GX_KIND_FLOAT; break;
    case GX_COMPLEX: kind = GX_KIND_CPLX; break;
    default:
        if (s->given) return leaf_at(s, depth);
        if (v.tag == GX_STR) return meet_other(s, &gx_family_str, v, depth);
        if (v.tag == GX_BYTES) return meet_other(s, &gx_family_bytes, v, depth);
        return gx_fail(s->rt, GX_TypeError, "array.element",
                       "an array holds numbers, bools and text, not %s", gx_type_name(v));
    }
    if (kind > s->weak) s->weak = kind;
    return leaf_at(s, depth);
}

static bool scan_size(scan *s, int depth, int64_t n) {
    if (depth >= GX_MAX_DIMS) {
        return gx_fail(s->rt, GX_ValueError, "shape.dims",
                       "setting an array element with a sequence: more than %d dimensions",
                       GX_MAX_DIMS);
    }
    if (s->ndim >= 0 && depth >= s->ndim) return fail_ragged(s, depth);
    if (depth == s->sized) s->shape[s->sized++] = n;
    return s->shape[depth] == n || fail_ragged(s, depth);
}

static bool scan_value(scan *s, gx_borrowed v, int depth) {
    const gx_value *items;
    if (v.tag == GX_FLOAT || v.tag == GX_INT) {
        s->host = true;
        return scan_number(s, v, depth);
    }
    int64_t n = s->tuples && v.tag == GX_TUPLE ? -1 : gx_sequence_items(v, &items);
    if (n >= 0) {
        if (!scan_size(s, depth, n)) return false;
        s->host = s->host || n == 0;
        if (n == 0) return leaf_at(s, depth + 1);
        for (int64_t i = 0; i < n; i++) {
            if (i % GX_WORK_LOOK == 0 && !gx_work_end(s->rt)) return false;
            if (!scan_value(s, items[i], depth + 1)) return false;
        }
        return true;
    }
    if (v.tag == GX_ARRAY) {
        const gx_array *a = gx_as_array(v);
        for (int k = 0; k < a->ndim; k++) {
            if (!scan_size(s, depth + k, gx_shape(a)[k])) return false;
        }
        if (s->open) return meet_other(s, s->family, v, depth + a->ndim);
        if (gx_is_kind(a->dtype)) {
            s->host = true;
            return meet_other(s, gx_dtypes[a->dtype].family, v, depth + a->ndim);
        }
        meet(s, (gx_dtype)a->dtype);
        s->beside = s->beside || gx_array_place(a) != GX_HOST;
        s->host = s->host || a->count < FEW_STORED;
        return leaf_at(s, depth + a->ndim);
    }
    s->host = true;
    if (v.tag == GX_RANGE) { /* an empty one says no more of its numbers than an empty list */
        const int64_t count = ((gx_range *)(void *)v.obj)->count;
        if (count && s->weak < GX_KIND_INT) s->weak = GX_KIND_INT;
        return scan_size(s, depth, count) && leaf_at(s, depth + 1);
    }
    return scan_number(s, v, depth);
}

static gx_dtype number_dtype(const scan *s) {
    if (s->weak < 0) return s->strong == GX_NO_DTYPE ? GX_f64 : s->strong;
    /* in a list all numbers count: a float32 scalar beside a Python float gives float64 */
    gx_dtype w = s->weak == GX_KIND_INT     ? (!s->wide ? GX_i64 : s->narrow ? GX_f64 : GX_u64)
                 : s->weak == GX_KIND_FLOAT ? GX_f64
                                            : GX_c128;
    return s->strong == GX_NO_DTYPE ? w : gx_promote(s->strong, w);
}

static bool scanned_dtype(const scan *s, gx_dtype *out) {
    if (!s->family) {
        *out = number_dtype(s);
        return true;
    }
    const gx_dtype d = s->family->of(s->rt, s->parameter > 0 ? s->parameter : s->least);
    if (d == GX_NO_DTYPE) return false;
    *out = d;
    if (s->open || (s->weak < 0 && s->strong == GX_NO_DTYPE)) return true;
    return gx_promote_any(s->rt, d, number_dtype(s), out);
}

typedef struct writer {
    gx_rt *rt;
    gx_dtype dtype;
    char *to;
    int ndim;
    bool tuples;          /* are elements */
    const int64_t *shape; /* as it was found; elements' code may have changed lists since */
} writer;

static bool changed(writer *w) {
    return gx_fail(w->rt, GX_RuntimeError, "array.changed",
                   "Inconsistent object during array creation? Content of sequences changed "
                   "(length inconsistent).");
}

static bool write_value(writer *w, gx_borrowed v, int depth);

/* An item whose code may drop it from the list that it is in. */
static bool write_item(writer *w, gx_borrowed v, int depth) {
    gx_keep(v);
    bool ok = write_value(w, v, depth);
    gx_drop(v);
    return ok;
}

static bool write_array(writer *w, gx_array *a) {
    gx_array *cast, *flat;
    const char *data;
    if (!gx_array_cast(w->rt, a, w->dtype, false, &cast)) return false;
    bool ok = gx_array_contiguous(w->rt, cast, &flat);
    gx_array_drop(cast);
    if (!ok) return false;
    ok = gx_array_read(w->rt, flat, &data);
    if (ok && flat->count) {
        memcpy(w->to, data, (size_t)gx_array_nbytes(flat));
        w->to += gx_array_nbytes(flat);
    }
    gx_array_drop(flat);
    return ok;
}

/* A Python number whose bits are the element's. */
static inline bool is_plain(const writer *w, gx_borrowed v) {
    return (v.tag == GX_FLOAT && w->dtype == GX_f64) || (v.tag == GX_INT && w->dtype == GX_i64);
}

static bool put_kind(const writer *w, gx_borrowed v) {
    const gx_dtype_info *d = &gx_dtypes[w->dtype];
    return d->family->put(w->rt, d, v, w->to);
}

static bool write_value(writer *w, gx_borrowed v, int depth) {
    const gx_value *items;
    int64_t n = w->tuples && v.tag == GX_TUPLE ? -1 : gx_sequence_items(v, &items);
    gx_scalar s;
    if (n >= 0) {
        if (depth >= w->ndim || n != w->shape[depth]) return changed(w);
        for (int64_t i = 0; i < n; i++) {
            if (i % GX_WORK_LOOK == 0 && !gx_work_end(w->rt)) return false;
            if (is_plain(w, items[i])) {
                if (depth + 1 != w->ndim) return changed(w);
                memcpy(w->to, &items[i].i, 8);
                w->to += 8;
                continue;
            }
            if (!write_item(w, items[i], depth + 1)) return false;
            if (gx_sequence_items(v, &items) != n) return changed(w);
        }
        return true;
    }
    if (v.tag == GX_ARRAY && !(depth && gx_as_array(v)->ndim == 0 && !gx_is_kind(w->dtype) &&
                               gx_reads_itself(w->rt, v, w->dtype))) {
        const gx_array *a = gx_as_array(v);
        if (depth + a->ndim != w->ndim) return changed(w);
        for (int k = 0; k < a->ndim; k++)
            if (gx_shape(a)[k] != w->shape[depth + k]) return changed(w);
        return write_array(w, gx_as_array(v));
    }
    size_t item = (size_t)gx_dtype_size(w->dtype);
    if (v.tag == GX_RANGE) {
        const gx_range *r = (gx_range *)(void *)v.obj;
        if (depth + 1 != w->ndim || r->count != w->shape[depth]) return changed(w);
        for (int64_t i = 0; i < r->count; i++, w->to += item) {
            if (i % GX_WORK_LOOK == 0 && !gx_work_end(w->rt)) return false;
            const gx_value number = gx_int(r->start + i * r->step);
            if (gx_is_kind(w->dtype)) {
                if (!put_kind(w, number)) return false;
                continue;
            }
            if (!gx_scalar_from(w->rt, number, w->dtype, &s)) return false;
            gx_item_copy(w->to, &s, item);
        }
        return true;
    }
    if (depth != w->ndim) return changed(w);
    if (gx_is_kind(w->dtype)) {
        if (!put_kind(w, v)) return false;
        w->to += item;
        return true;
    }
    if (!(depth ? gx_element_from : gx_scalar_from)(w->rt, v, w->dtype, &s)) return false;
    gx_item_copy(w->to, &s, item);
    w->to += item;
    return true;
}

/* dst = the lists' arrays, where it lives. */
static bool store_value(gx_rt *rt, gx_array *dst, gx_borrowed v) {
    const gx_value *items;
    const int64_t n = gx_sequence_items(v, &items);
    writer w = {.rt = rt};
    if (v.tag == GX_ARRAY) {
        gx_array *a = gx_as_array(v);
        if (a->ndim != dst->ndim ||
            memcmp(gx_shape(a), gx_shape(dst), a->ndim * sizeof(int64_t)) != 0)
            return changed(&w);
        return gx_array_store(rt, dst, a);
    }
    if (n < 0 || dst->ndim == 0 || n != gx_shape(dst)[0]) return changed(&w);
    for (int64_t i = 0; i < n; i++) {
        gx_array *row;
        if (!gx_work_end(rt) || !gx_array_row(rt, dst, i, &row)) return false;
        bool ok = store_value(rt, row, items[i]);
        gx_array_drop(row);
        if (!ok) return false;
        if (gx_sequence_items(v, &items) != n) return changed(&w);
    }
    return true;
}

/* Arrays of which one lives on a GPU where the namespace has new ones: *out is made there. *done:
   it was. */
static bool from_arrays(gx_rt *rt, const scan *s, gx_borrowed v, gx_dtype d, gx_namespace ns,
                        bool *done, gx_array **out) {
    gx_place place;
    int64_t count;
    *done = false;
    if (s->host || !s->beside) return true;
    if (!gx_shape_count(rt, s->ndim, s->shape, (size_t)gx_dtype_size(d), &count) ||
        !gx_place_fresh(rt, ns, count * (int64_t)gx_dtype_size(d), &place))
        return false;
    if (place == GX_HOST) return true;
    if (!gx_array_empty_at(rt, place, d, s->ndim, s->shape, ns, out)) return false;
    *done = store_value(rt, *out, v);
    if (!*done) gx_array_drop(*out);
    return *done;
}

/* A list or tuple of nothing but floats, or nothing but ints, with the dtype these have. */
static bool is_plain_row(gx_borrowed v, gx_dtype d, const gx_value **items, int64_t *n) {
    *n = gx_sequence_items(v, items);
    if (*n <= 0) return false;
    int tag = (*items)[0].tag;
    if (!(tag == GX_FLOAT && (d == GX_NO_DTYPE || d == GX_f64)) &&
        !(tag == GX_INT && (d == GX_NO_DTYPE || d == GX_i64)))
        return false;
    for (int64_t i = 1; i < *n; i++)
        if ((*items)[i].tag != tag) return false;
    return true;
}

static bool from_sequence(gx_rt *rt, gx_borrowed v, gx_dtype d, gx_namespace ns, gx_array **out) {
    const gx_value *items;
    int64_t n;
    if (is_plain_row(v, d, &items, &n)) {
        gx_dtype own = items[0].tag == GX_FLOAT ? GX_f64 : GX_i64;
        gx_array *row;
        if (!gx_array_empty(rt, own, 1, &n, ns, &row)) return false;
        char *to = gx_data_bytes(row->storage->data);
        GX_LONG_LOOP(rt, i, 0, n) memcpy(to + 8 * i, &items[i].i, 8);
        if (!gx_work_end(rt)) {
            gx_array_drop(row);
            return false;
        }
        *out = row;
        return true;
    }
    scan s; /* field by field: its shape is long */
    s.rt = rt;
    s.ndim = s.weak = -1;
    s.sized = 0;
    s.strong = GX_NO_DTYPE;
    s.wide = s.narrow = false;
    s.host = s.beside = false;
    s.given = d != GX_NO_DTYPE;
    s.tuples = gx_record_of(d) != NULL;
    s.open = gx_kind_is_open(d);
    s.family = s.open ? gx_dtypes[d].family : NULL;
    s.parameter = -1;
    s.least = s.open && !gx_is_text(d) ? gx_dtypes[d].parameter : 1;
    if (!scan_value(&s, v, 0)) return false;
    gx_array *a;
    bool done;
    if ((d == GX_NO_DTYPE || s.open) && !scanned_dtype(&s, &d)) return false;
    if (!from_arrays(rt, &s, v, d, ns, &done, out)) return false;
    if (done) return true;
    if (!gx_array_empty(rt, d, s.ndim, s.shape, ns, &a)) return false;
    writer w = {.rt = rt,
                .dtype = d,
                .tuples = s.tuples,
                .to = gx_data_bytes(a->storage->data),
                .ndim = s.ndim,
                .shape = s.shape};
    if (!write_value(&w, v, 0)) {
        gx_array_drop(a);
        return false;
    }
    *out = a;
    return true;
}

static bool from_array(gx_rt *rt, gx_array *a, gx_dtype d, gx_namespace ns, bool copy,
                       gx_array **out) {
    gx_array *cast;
    if (d == GX_NO_DTYPE) d = (gx_dtype)a->dtype;
    if (!gx_array_cast(rt, a, d, copy, &cast)) return false;
    if (cast->ns == ns || cast != a) {
        bool settled = cast->ns == ns;
        cast->ns = (uint8_t)ns;
        if (!settled && !gx_place_settle(rt, cast)) {
            gx_array_drop(cast);
            return false;
        }
        *out = cast;
        return true;
    }
    bool ok = gx_array_to_namespace(rt, cast, ns, true, out);
    gx_array_drop(cast);
    return ok;
}

/* What __array__ of a script's class gives. */
static gx_try from_instance(gx_rt *rt, gx_borrowed v, gx_dtype d, gx_namespace ns, gx_array **out) {
    gx_value r;
    const gx_foreign *foreign = gx_type_of(v)->foreign;
    gx_try has = foreign ? foreign->elements(rt, v, &r)
                         : gx_special(rt, v, "__array__", 0, NULL, &r);
    if (has != GX_TRY_YES) return has;
    bool ok = r.tag == GX_ARRAY
                  ? from_array(rt, gx_as_array(r), d, ns, false, out)
                  : gx_fail(rt, GX_ValueError, "class.array",
                            "object __array__ method not producing an array");
    gx_drop(r);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

GX_CHECK bool gx_asarray(gx_rt *rt, gx_borrowed v, gx_dtype d, gx_namespace ns, bool copy,
                         gx_array **out) {
    if (v.tag == GX_ARRAY) return from_array(rt, gx_as_array(v), d, ns, copy, out);
    if (gx_is_instance(v) || gx_type_of(v)->foreign) {
        gx_try own = from_instance(rt, v, d, ns, out);
        if (own != GX_TRY_NO) return own == GX_TRY_YES;
    }
    const gx_value *items;
    if (gx_operand_kind(v) != GX_OPERAND_NONE || gx_sequence_items(v, &items) >= 0 ||
        v.tag == GX_RANGE || v.tag == GX_STR || v.tag == GX_BYTES) {
        return from_sequence(rt, v, d, ns, out);
    }
    if (v.tag == GX_DICT || v.tag == GX_SET ||
        v.tag == GX_NONE || v.tag == GX_UNDEF || v.tag == GX_TYPE || !gx_type_of(v)->iter) {
        if (d != GX_NO_DTYPE && v.tag != GX_UNDEF) return from_sequence(rt, v, d, ns, out);
        return gx_fail(rt, GX_TypeError, "array.element",
                       "cannot make an array of %s; an array holds numbers, bools and text",
                       gx_type_name(v));
    }
    gx_value list;
    if (!gx_list_of(rt, v, &list)) return false;
    bool ok = from_sequence(rt, list, d, ns, out);
    gx_drop(list);
    return ok;
}
