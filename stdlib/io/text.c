/* numpy.loadtxt: rows of numbers from text. A row is a line that holds something in front of its
   comment; all rows have as many columns as the first one. */
#include <string.h>

#include "runtime/base/vec.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"
#include "stdlib/io/text_int.h"
#include "runtime/array/kind/kind.h"
#include "stdlib/numpy/base/scope.h"
#include "stdlib/numpy/base/text_items.h"

extern const gx_native gx_np_text_functions[];

typedef struct table {
    gx_rt *rt;
    gx_lines lines;
    gx_dtype dtype;
    gx_text_coding coding;
    gx_fields fields; /* of the current row */
    gx_buf joined;    /* a row of several lines */
    gx_borrowed converters;
    GX_VEC(int64_t) columns; /* usecols, as given */
    bool chosen, one_column;
    int64_t rows, width; /* width: columns of the result; -1: not known yet */
    gx_buf data;
} table;

/* --- a row --- */

static bool no_number(table *t, const gx_field *f, int64_t column) {
    enum { SHOWN = 100 };
    gx_buf b = gx_buf_new(t->rt);
    size_t n = f->n < SHOWN ? f->n : SHOWN;
    if (n < f->n) n = gx_utf8_valid(f->text, n); /* no character is cut */
    bool utf8 = gx_utf8_valid(f->text, n) == n;
    if (gx_str_quote(&b, f->text, n, !utf8)) {
        gx_fail(t->rt, GX_ValueError, "text.number",
                "could not convert string %s to %s at row %lld, column %lld.", gx_buf_text(&b),
                gx_dtypes[t->dtype].name, (long long)t->rows, (long long)column + 1);
        gx_note(t->rt, "line %lld of %s", (long long)t->lines.number, t->lines.name);
    }
    gx_buf_free(&b);
    return false;
}

/* The function for a column, or UNDEF. */
static gx_try converter(table *t, int64_t column, gx_value *fn) {
    if (t->converters.tag == GX_NONE) return GX_TRY_NO;
    if (t->converters.tag != GX_DICT) {
        *fn = gx_keep(t->converters);
        return GX_TRY_YES;
    }
    gx_try has = gx_dict_find(t->rt, t->converters, gx_int(column), fn);
    if (has != GX_TRY_NO) return has;
    return gx_dict_find(t->rt, t->converters, gx_int(column - (int64_t)t->fields.list.count), fn);
}

/* What a converter makes of a field that stays text. */
static bool convert_item(table *t, gx_borrowed r) {
    gx_buf text = gx_buf_new(t->rt);
    bool ok = gx_str_into(t->rt, r, &text) &&
              gx_text_item_add(&t->data, gx_buf_text(&text), text.length);
    gx_buf_free(&text);
    return ok;
}

static bool convert(table *t, const gx_field *f, gx_borrowed fn, gx_scalar *out) {
    gx_value text, r;
    if (!(t->coding == GX_TEXT_BYTES ? gx_bytes_new : gx_str_decode)(t->rt, f->text, f->n, &text))
        return false;
    bool ok = gx_call_value(t->rt, fn, 1, &text, 0, NULL, &r);
    gx_drop(text);
    if (!ok) return false;
    ok = gx_is_kind(t->dtype) ? convert_item(t, r) : gx_scalar_from(t->rt, r, t->dtype, out);
    gx_drop(r);
    return ok;
}

static bool element(table *t, int64_t column) {
    const gx_field *f = &t->fields.list.items[column];
    gx_scalar s;
    gx_value fn;
    gx_try has = converter(t, column, &fn);
    if (has == GX_TRY_ERROR) return false;
    if (has == GX_TRY_YES) {
        bool ok = convert(t, f, fn, &s);
        gx_drop(fn);
        if (!ok || gx_is_kind(t->dtype)) return ok;
    } else if (gx_is_kind(t->dtype)) {
        return gx_text_item_add(&t->data, f->text, f->n);
    } else if (!gx_text_number(f->text, f->n, t->dtype, &s)) {
        return no_number(t, f, column);
    }
    return gx_buf_add(&t->data, (const char *)&s, (size_t)gx_dtype_size(t->dtype));
}

static bool ragged(table *t, int64_t count) {
    gx_fail(t->rt, GX_ValueError, "text.ragged",
            "the number of columns changed from %lld to %lld at row %lld; use `usecols` to select "
            "a subset and avoid this error",
            (long long)t->width, (long long)count, (long long)t->rows + 1);
    return gx_note(t->rt, "line %lld of %s", (long long)t->lines.number, t->lines.name);
}

static bool check_converters(table *t, int64_t fields);

static bool add_row(table *t) {
    int64_t count = (int64_t)t->fields.list.count;
    if (!check_converters(t, count)) return false;
    if (!t->chosen) {
        if (t->width < 0) t->width = count;
        if (t->width != count) return ragged(t, count);
        for (int64_t i = 0; i < count; i++)
            if (!element(t, i)) return false;
        return true;
    }
    for (size_t i = 0; i < t->columns.count; i++) {
        int64_t at = t->columns.items[i];
        if (at < -count || at >= count)
            return gx_fail(t->rt, GX_ValueError, "text.column",
                           "invalid column index %lld at row %lld with %lld columns", (long long)at,
                           (long long)t->rows + 1, (long long)count);
        if (!element(t, at < 0 ? at + count : at)) return false;
    }
    return true;
}

/* A quoted field goes on in the next lines: they are joined until it ends. */
static bool join_lines(table *t, const char *p, size_t n) {
    enum { MOST = 1 << 20 };
    int64_t first = t->lines.number;
    bool more = true;
    t->joined.length = 0;
    if (!gx_buf_add(&t->joined, p, n)) return false;
    while (t->fields.open && more) {
        if (!gx_interrupt_check(t->rt) || !gx_lines_next(&t->lines, &p, &n, &more)) return false;
        if (!more) return true;
        if (!gx_buf_char(&t->joined, '\n') || !gx_buf_add(&t->joined, p, n)) return false;
        if (t->joined.length > MOST)
            return gx_fail(t->rt, GX_ValueError, "text.quote",
                           "the quoted field that begins on line %lld of %s does not end",
                           (long long)first, t->lines.name);
        if (memchr(p, t->fields.quote, n) &&
            !gx_fields_split(&t->fields, t->joined.data, t->joined.length))
            return false;
    }
    return true;
}

static bool read_rows(table *t, int64_t skip, int64_t most) {
    const char *p;
    size_t n;
    bool more = true;
    while (more && (most < 0 || t->rows < most)) {
        if (!gx_interrupt_check(t->rt) || !gx_lines_next(&t->lines, &p, &n, &more)) return false;
        if (!more || t->lines.number <= skip) continue;
        if (!gx_fields_split(&t->fields, p, n)) return false;
        if (t->fields.open &&
            (!join_lines(t, p, n) ||
             !gx_fields_split(&t->fields, gx_buf_text(&t->joined), t->joined.length)))
            return false;
        if (t->fields.list.count == 0) continue;
        if (!add_row(t)) return false;
        t->rows++;
    }
    return true;
}

/* --- arguments --- */

static bool take_columns(table *t, gx_borrowed v) {
    gx_value all;
    int64_t i;
    t->width = -1;
    if (v.tag == GX_NONE) return true;
    t->chosen = true;
    gx_try is = gx_as_index(t->rt, v, &i);
    if (is == GX_TRY_ERROR) return false;
    if (is == GX_TRY_YES) {
        t->width = 1;
        return gx_vec_push(t->rt, &t->columns, i);
    }
    if (!gx_tuple_of(t->rt, v, &all)) return false;
    bool ok = true;
    for (int64_t k = 0; ok && k < gx_as_tuple(all)->count; k++) {
        gx_borrowed one = gx_as_tuple(all)->items[k];
        is = gx_as_index(t->rt, one, &i);
        if (is == GX_TRY_NO)
            gx_fail(t->rt, GX_TypeError, "text.column",
                    "usecols must be an int or a sequence of ints but it contains at least one "
                    "element of type '%s'",
                    gx_type_name(one));
        ok = is == GX_TRY_YES && gx_vec_push(t->rt, &t->columns, i);
    }
    t->width = gx_as_tuple(all)->count;
    gx_drop(all);
    return ok;
}

static bool take_converters(table *t, gx_borrowed v) {
    gx_entry *e;
    t->converters = v;
    if (v.tag == GX_NONE || gx_callable(v)) return true;
    if (v.tag != GX_DICT)
        return gx_fail(t->rt, GX_TypeError, "text.converters",
                       "converters must be a dictionary mapping columns to converter functions or "
                       "a single callable.");
    for (int64_t at = 0; (e = gx_dict_next(gx_as_dict(v), &at));) {
        if (e->key.tag != GX_INT)
            return gx_fail(t->rt, GX_TypeError, "text.converters",
                           "keys of the converters dictionary must be integers; got %s",
                           gx_type_name(e->key));
        if (!gx_callable(e->value))
            return gx_fail(t->rt, GX_TypeError, "text.converters",
                           "values of the converters dictionary must be callable, but the value "
                           "associated with key %lld is not",
                           (long long)e->key.i);
    }
    return true;
}

/* Once the first row tells how many fields there are. */
static bool check_converters(table *t, int64_t fields) {
    gx_entry *e;
    if (t->rows > 0 || t->converters.tag != GX_DICT) return true;
    for (int64_t at = 0; (e = gx_dict_next(gx_as_dict(t->converters), &at));)
        if (e->key.i < -fields || e->key.i >= fields)
            return gx_fail(t->rt, GX_ValueError, "text.converters",
                           "converter specified for column %lld, which is invalid for the number "
                           "of fields %lld.",
                           (long long)e->key.i, (long long)fields);
    return true;
}

/* --- the result --- */

/* Axes of size 1 go away as far as ndmin allows; unpack turns columns into rows. */
static bool give(gx_call *c, table *t, int64_t ndmin, bool unpack, gx_value *out) {
    gx_np s = gx_np_begin(c);
    if (t->width < 0) t->width = t->rows ? 0 : ndmin == 2;
    bool empty = t->rows == 0 && !t->chosen;
    int64_t shape[2] = {t->rows, t->width};
    const bool text = gx_is_kind(t->dtype);
    gx_array *a = text ? gx_text_items(&s, &t->data, t->dtype, 2, shape)
                       : gx_np_empty(&s, t->dtype, 2, shape);
    char *data;
    if (!a || !gx_array_write(c->rt, a, &data)) return gx_np_end(&s, false);
    if (t->data.length && !text) memcpy(data, t->data.data, t->data.length);
    if (empty && ndmin < 2) {
        a = gx_np_reshape(&s, a, 1, shape);
    } else if (ndmin < 2) {
        uint64_t mask = (shape[0] == 1 ? 1u : 0u) | (shape[1] == 1 ? 2u : 0u);
        if (mask) a = gx_np_squeeze(&s, a, mask);
        int64_t one = 1;
        if (a && a->ndim < ndmin) a = gx_np_reshape(&s, a, 1, &one);
    }
    if (unpack && a && a->ndim == 2) a = gx_np_transposed(&s, a);
    return gx_np_give_array(&s, a, out);
}

static bool no_data(table *t) {
    return t->rows > 0 || gx_warn(t->rt, GX_UserWarning, "loadtxt: input contained no data: \"%s\"",
                                  t->lines.name);
}

bool gx_text_dtype_ok(gx_call *c, gx_dtype d) {
    if (!gx_is_kind(d) || gx_is_text(d)) return true;
    gx_fail(c->rt, GX_ValueError, "text.names", "%s reads numbers and text, not %s", c->fn->name,
            gx_dtypes[d].family->what);
    return gx_help(c->rt, "np.rec.fromarrays(np.%s(f, dtype=str).T, dtype=…) makes them of columns",
                   c->fn->name);
}

static bool take_args(gx_call *c, table *t, int64_t *skip, int64_t *most) {
    if (!gx_np_dtype_arg(c, 1, &t->dtype) || !gx_fields_args(c, 2, 3, 11, &t->fields) ||
        !take_converters(t, c->argv[4]) || !gx_arg_int(c, 5, skip) ||
        !gx_text_coding_arg(c, 9, &t->coding) || (gx_arg_some(c, 10) && !gx_arg_int(c, 10, most)))
        return false;
    if (!gx_text_dtype_ok(c, t->dtype)) return false;
    if (t->dtype == GX_NO_DTYPE) t->dtype = GX_f64;
    if (*skip < 0 || (gx_arg_some(c, 10) && *most < 0))
        return gx_fail(c->rt, GX_ValueError, "text.count", "argument must be nonnegative");
    return take_columns(t, c->argv[6]);
}

static bool loadtxt_fn(gx_call *c, gx_value *out) {
    gx_rt *rt = c->rt;
    table t = {.rt = rt, .data = gx_buf_new(rt), .joined = gx_buf_new(rt), .fields = {.rt = rt}};
    int64_t skip, ndmin, most = -1;
    bool unpack;
    if (!gx_arg_bool(c, 7, &unpack) || !gx_arg_int(c, 8, &ndmin)) return false;
    if (ndmin < 0 || ndmin > 2)
        return gx_fail(rt, GX_ValueError, "text.ndmin", "Illegal value of ndmin keyword: %lld",
                       (long long)ndmin);
    t.fields.plain = gx_buf_new(rt);
    bool ok = take_args(c, &t, &skip, &most) &&
              gx_lines_open(rt, c->argv[0], gx_arg_some(c, 10), t.coding, &t.lines);
    if (ok) {
        ok = read_rows(&t, skip, most) && no_data(&t) && give(c, &t, ndmin, unpack, out);
        gx_lines_close(&t.lines);
    }
    gx_vec_free(rt, &t.columns);
    gx_fields_free(&t.fields);
    gx_buf_free(&t.joined);
    gx_buf_free(&t.data);
    return ok;
}

const gx_native gx_np_text_functions[] = {
    {"loadtxt",
     "loadtxt(fname, dtype=None, comments='#', delimiter=None, converters=None, skiprows=0, "
     "usecols=None, unpack=False, ndmin=0, encoding=None, max_rows=None, *, quotechar=None, "
     "like=None)",
     "A 2-d array (1-d of one column) from rows of numbers in a text file; ValueError for what is "
     "none.",
     "loadtxt(['1 2', '3 4'])[1, 0]  # 3.0", loadtxt_fn, 0, 0},
    {.name = NULL},
};
