/* numpy.genfromtxt: a table of numbers from text in which entries may be missing. Rows are kept as
   text until all are read; then the dtype is settled and every field becomes a number or what
   fills its place. Records (names=, columns of several dtypes) are refused. */
#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/still.h"
#include "runtime/object/text/str.h"
#include "stdlib/io/text_int.h"
#include "runtime/array/kind/kind.h"
#include "stdlib/numpy/base/scope.h"
#include "stdlib/numpy/base/text_items.h"

extern const gx_native gx_np_genfromtxt_functions[];

typedef struct place { /* of a field in texts */
    size_t at, n;
} place;

typedef struct wrong_row { /* whose fields are too many or too few */
    int64_t line, fields;
} wrong_row;

typedef struct table {
    gx_rt *rt;
    gx_lines lines;
    gx_field comment, delimiter; /* n 0: none; blanks */
    GX_VEC(int64_t) widths;      /* of fields in characters, instead of a delimiter */
    bool repeat;                 /* one width for all */
    GX_VEC(gx_field) fields;     /* of the current line */
    GX_VEC(int64_t) columns;     /* usecols */
    GX_VEC(place) cells;         /* rows * width */
    GX_VEC(wrong_row) wrong;
    gx_buf texts, data;
    gx_borrowed converters, missing, filling;
    gx_dtype dtype; /* GX_NO_DTYPE: found out */
    int64_t skip, footer, rows, width;
    bool chosen, strip, loose, strict_rows;
} table;

/* --- lines into fields --- */

static bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static gx_field stripped(const char *p, size_t n) {
    while (n && is_blank(*p)) p++, n--;
    while (n && is_blank(p[n - 1])) n--;
    return (gx_field){p, n};
}

static bool add(table *t, const char *p, size_t n) {
    gx_field f = t->strip ? stripped(p, n) : (gx_field){p, n};
    return gx_vec_push(t->rt, &t->fields, f);
}

static const char *skip_characters(const char *p, const char *end, int64_t n) {
    for (; n > 0 && p < end; n--) do
            p++;
        while (p < end && ((unsigned char)*p & 0xC0) == 0x80);
    return p;
}

static bool by_widths(table *t, const char *p, const char *end) {
    for (size_t i = 0; p < end && (t->repeat || i < t->widths.count); i++) {
        const char *next = skip_characters(p, end, t->widths.items[t->repeat ? 0 : i]);
        if (!add(t, p, (size_t)(next - p))) return false;
        p = next;
    }
    return true;
}

static bool by_blanks(table *t, const char *p, const char *end) {
    for (;;) {
        while (p < end && is_blank(*p)) p++;
        if (p == end) return true;
        const char *start = p;
        while (p < end && !is_blank(*p)) p++;
        if (!add(t, start, (size_t)(p - start))) return false;
    }
}

static bool split(table *t, const char *p, size_t n) {
    const char *at = t->comment.n ? memmem(p, n, t->comment.text, t->comment.n) : NULL;
    t->fields.count = 0;
    if (at) n = (size_t)(at - p);
    if (t->widths.count) return by_widths(t, p, p + n);
    while (n && *p == ' ') p++, n--;
    while (n && p[n - 1] == ' ') n--;
    if (t->delimiter.n == 0) return by_blanks(t, p, p + n);
    if (n == 0) return true;
    for (;;) {
        at = memmem(p, n, t->delimiter.text, t->delimiter.n);
        if (!add(t, p, at ? (size_t)(at - p) : n)) return false;
        if (!at) return true;
        n -= (size_t)(at - p) + t->delimiter.n;
        p = at + t->delimiter.n;
    }
}

/* --- rows --- */

static bool keep_cell(table *t, const gx_field *f) {
    place c = {t->texts.length, f->n};
    return gx_buf_add(&t->texts, f->text, f->n) && gx_vec_push(t->rt, &t->cells, c);
}

static bool add_row(table *t, int64_t line) {
    int64_t count = (int64_t)t->fields.count;
    bool fits = true;
    if (!t->chosen) {
        if (t->width < 0) t->width = count;
        fits = t->width == count;
    }
    for (size_t i = 0; i < t->columns.count; i++)
        fits = fits && t->columns.items[i] >= -count && t->columns.items[i] < count;
    if (!fits) {
        wrong_row w = {line, count};
        return gx_vec_push(t->rt, &t->wrong, w);
    }
    for (int64_t i = 0; i < t->width; i++) {
        int64_t at = t->chosen ? t->columns.items[i] : i;
        if (!keep_cell(t, &t->fields.items[at < 0 ? at + count : at])) return false;
    }
    t->rows++;
    return true;
}

static bool read_rows(table *t, int64_t most) {
    const char *p;
    size_t n;
    bool more = true;
    while (most < 0 || t->rows < most) {
        if (!gx_interrupt_check(t->rt) || !gx_lines_next(&t->lines, &p, &n, &more)) return false;
        if (!more) break;
        if (t->lines.number <= t->skip) continue;
        if (!split(t, p, n)) return false;
        if (t->fields.count && !add_row(t, t->lines.number)) return false;
    }
    return true;
}

/* The last rows go; wrong ones among them are forgiven, as NumPy counts them. */
static bool drop_footer(table *t) {
    gx_buf text = gx_buf_new(t->rt);
    bool ok = gx_buf_puts(&text, "Some errors were detected !");
    size_t wrong = t->wrong.count;
    for (size_t i = 0; ok && i < t->wrong.count; i++) {
        const wrong_row *w = &t->wrong.items[i];
        if (t->footer && w->line > t->rows + t->skip) {
            t->footer--;
            wrong--;
            continue;
        }
        ok = gx_buf_printf(&text, "\n    Line #%lld (got %lld columns instead of %lld)",
                           (long long)w->line, (long long)w->fields, (long long)t->width);
    }
    t->rows = t->rows > t->footer ? t->rows - t->footer : 0;
    if (ok && wrong)
        ok = t->strict_rows ? gx_fail(t->rt, GX_ValueError, "text.ragged", "%s", gx_buf_text(&text))
                            : gx_warn(t->rt, GX_UserWarning, "%s", gx_buf_text(&text));
    gx_buf_free(&text);
    return ok;
}

/* --- the dtype --- */

static gx_field cell(const table *t, int64_t i) {
    const place *c = &t->cells.items[i];
    return stripped(gx_buf_text(&t->texts) + c->at, c->n);
}

static bool same_word(gx_field f, const char *word) {
    if (f.n != strlen(word)) return false;
    for (size_t i = 0; i < f.n; i++)
        if ((f.text[i] & ~32) != word[i]) return false;
    return true;
}

static bool convert_text(gx_field f, gx_dtype d, gx_scalar *out) {
    if (d != GX_bool) return gx_text_number(f.text, f.n, d, out);
    bool yes = same_word(f, "TRUE");
    *out = (gx_scalar){.b = yes};
    return yes || same_word(f, "FALSE");
}

/* The first dtype that all entries of a column have; missing ones have any. */
static bool guess(table *t, int64_t column, gx_dtype *out) {
    static const gx_dtype ladder[] = {GX_bool, GX_i64, GX_f64, GX_c128};
    size_t step = 0;
    gx_scalar s;
    for (int64_t i = 0; i < t->rows; i++) {
        gx_field f = cell(t, i * t->width + column);
        while (f.n && !convert_text(f, ladder[step], &s))
            if (++step == sizeof ladder / sizeof *ladder) {
                *out = gx_str_dtype(t->rt, 0);
                return *out != GX_NO_DTYPE;
            }
    }
    *out = ladder[step];
    return true;
}

static bool settle_dtype(table *t) {
    gx_dtype d = GX_f64;
    if (t->dtype != GX_NO_DTYPE) return true;
    t->dtype = GX_f64;
    for (int64_t k = 0; k < t->width && t->rows; k++) {
        if (!guess(t, k, &d)) return false;
        if (k && d != t->dtype) {
            gx_fail(t->rt, GX_ValueError, "text.dtype",
                    "dtype=None finds %s in column 0 and %s in column %lld; gx has no records",
                    gx_dtypes[t->dtype].name, gx_dtypes[d].name, (long long)k);
            return gx_help(t->rt, "dtype=float reads all columns as numbers");
        }
        t->dtype = d;
    }
    return true;
}

/* --- fields into numbers --- */

/* The entry of a dict, list or single value for a column. */
static gx_try of_column(table *t, gx_borrowed from, int64_t k, gx_value *out) {
    const gx_value *items;
    if (from.tag == GX_NONE) return GX_TRY_NO;
    if (from.tag == GX_DICT)
        return gx_dict_find(t->rt, from, gx_int(t->chosen ? t->columns.items[k] : k), out);
    int64_t n = gx_sequence_items(from, &items);
    if (n >= 0 && k >= n) return GX_TRY_NO;
    *out = gx_keep(n < 0 ? from : items[k]);
    return GX_TRY_YES;
}

static bool filler(table *t, int64_t k, gx_scalar *out) {
    gx_value v;
    gx_try has = of_column(t, t->filling, k, &v);
    if (has == GX_TRY_ERROR) return false;
    if (has == GX_TRY_YES && v.tag != GX_NONE) {
        bool ok = gx_scalar_from(t->rt, v, t->dtype, out);
        gx_drop(v);
        return ok;
    }
    gx_scalar nan = {.f64 = __builtin_nan("")}, minus = {.i64 = -1};
    *out = (gx_scalar){.b = false};
    if (gx_np_is_float(t->dtype))
        *out = gx_scalar_cast(GX_f64, t->dtype, &nan);
    else if (t->dtype != GX_bool)
        *out = gx_scalar_cast(GX_i64, t->dtype, &minus);
    return true;
}

/* Strict reading: is the text one that stands for a missing entry? */
static bool is_missing(table *t, int64_t k, gx_field f, bool *out) {
    gx_value v;
    *out = f.n == 0;
    gx_borrowed from = t->missing;
    gx_try has = *out ? GX_TRY_NO : of_column(t, from, k, &v);
    if (has == GX_TRY_ERROR) return false;
    if (has == GX_TRY_NO) return true;
    if (v.tag == GX_STR)
        *out = gx_as_str(v)->length == f.n && memcmp(gx_as_str(v)->text, f.text, f.n) == 0;
    gx_drop(v);
    return true;
}

static bool call_converter(table *t, gx_borrowed fn, gx_field f, gx_scalar *out, bool *done) {
    gx_value text, r;
    if (!gx_str_decode(t->rt, f.text, f.n, &text)) return false;
    bool ok = gx_call_value(t->rt, fn, 1, &text, 0, NULL, &r);
    gx_drop(text);
    *done = ok;
    if (!ok) {
        if (!t->loose || t->rt->error.kind != GX_ValueError) return false;
        gx_error_clear(t->rt);
        return true;
    }
    ok = gx_scalar_from(t->rt, r, t->dtype, out);
    gx_drop(r);
    return ok;
}

static bool no_number(table *t, gx_field f, int64_t row, int64_t k) {
    gx_buf b = gx_buf_new(t->rt);
    if (gx_str_quote(&b, f.text, f.n < 100 ? f.n : gx_utf8_valid(f.text, 100), false))
        gx_fail(t->rt, GX_ValueError, "text.number",
                "Cannot convert string %s to %s (row %lld, "
                "column %lld)",
                gx_buf_text(&b), gx_dtypes[t->dtype].name, (long long)row, (long long)k);
    gx_buf_free(&b);
    return false;
}

/* A field that stays text. */
static bool text_element(table *t, gx_field f, int64_t k) {
    gx_value fn, text, r;
    gx_try has = of_column(t, t->converters, k, &fn);
    if (has == GX_TRY_NO) return gx_text_item_add(&t->data, f.text, f.n);
    if (has == GX_TRY_ERROR) return false;
    bool ok = gx_str_decode(t->rt, f.text, f.n, &text);
    if (ok) {
        ok = gx_call_value(t->rt, fn, 1, &text, 0, NULL, &r);
        gx_drop(text);
    }
    gx_drop(fn);
    if (!ok) return false;
    gx_buf b = gx_buf_new(t->rt);
    ok = gx_str_into(t->rt, r, &b) && gx_text_item_add(&t->data, gx_buf_text(&b), b.length);
    gx_buf_free(&b);
    gx_drop(r);
    return ok;
}

static bool element(table *t, int64_t row, int64_t k) {
    gx_field f = cell(t, row * t->width + k);
    gx_scalar s;
    gx_value fn;
    if (gx_is_kind(t->dtype)) return text_element(t, f, k);
    bool done = false, missing;
    gx_try has = of_column(t, t->converters, k, &fn);
    if (has == GX_TRY_ERROR) return false;
    if (has == GX_TRY_YES) {
        bool ok = call_converter(t, fn, f, &s, &done);
        gx_drop(fn);
        if (!ok) return false;
    } else {
        done = convert_text(f, t->dtype, &s);
    }
    if (!done) {
        if (!is_missing(t, k, f, &missing)) return false;
        if (!t->loose && !missing) return no_number(t, f, row, k);
        if (!filler(t, k, &s)) return false;
    }
    return gx_buf_add(&t->data, (const char *)&s, (size_t)gx_dtype_size(t->dtype));
}

static bool convert_all(table *t) {
    for (int64_t i = 0; i < t->rows; i++) {
        if (!gx_interrupt_check(t->rt)) return false;
        for (int64_t k = 0; k < t->width; k++)
            if (!element(t, i, k)) return false;
    }
    return true;
}

static bool give(gx_call *c, table *t, int64_t ndmin, bool unpack, gx_value *out) {
    gx_np s = gx_np_begin(c);
    bool empty = t->rows == 0 || t->width < 0;
    int64_t shape[2] = {empty ? 0 : t->rows, empty ? 0 : t->width}, one = 1, none = 0;
    const bool text = gx_is_kind(t->dtype) && !empty;
    gx_array *a = text    ? gx_text_items(&s, &t->data, t->dtype, 2, shape)
                  : empty ? gx_np_empty(&s, t->dtype, 1, &none)
                          : gx_np_empty(&s, t->dtype, 2, shape);
    char *data = a ? gx_np_data_write(&s, a) : NULL;
    if (!data) return gx_np_end(&s, false);
    if (t->data.length && !empty && !text) memcpy(data, t->data.data, t->data.length);
    if (!empty && ndmin < 2) {
        uint64_t mask = (shape[0] == 1 ? 1u : 0u) | (shape[1] == 1 ? 2u : 0u);
        if (mask) a = gx_np_squeeze(&s, a, mask);
        if (a && a->ndim < ndmin) a = gx_np_reshape(&s, a, 1, &one);
    }
    if (unpack && a && a->ndim == 2) a = gx_np_transposed(&s, a);
    return gx_np_give_array(&s, a, out);
}

/* --- arguments --- */

static bool take_text(gx_call *c, int i, gx_field *out) {
    *out = (gx_field){"", 0};
    return !gx_arg_some(c, i) || gx_arg_str(c, i, &out->text, &out->n);
}

static bool take_ints(table *t, gx_borrowed v, const char *name, bool *single, void *to) {
    GX_VEC(int64_t) *list = to;
    const gx_value *items = &v;
    int64_t n, i;
    GX_STILL(own);
    if (!gx_still_items(t->rt, v, &own, &items, &n)) return false;
    *single = n < 0;
    if (n < 0) {
        items = &v;
        n = 1;
    }
    for (int64_t k = 0; k < n; k++) {
        gx_try is = gx_as_index(t->rt, items[k], &i);
        if (is == GX_TRY_NO)
            gx_fail(t->rt, GX_TypeError, "text.columns",
                    "genfromtxt: %s: expected integers, not %s", name, gx_type_name(items[k]));
        if (is != GX_TRY_YES || !gx_vec_push(t->rt, list, i)) return false;
    }
    return true;
}

static bool take_delimiter(gx_call *c, table *t) {
    if (!gx_arg_some(c, 3) || c->argv[3].tag == GX_STR) return take_text(c, 3, &t->delimiter);
    if (!take_ints(t, c->argv[3], "delimiter", &t->repeat, &t->widths)) return false;
    for (size_t i = 0; i < t->widths.count; i++)
        if (t->widths.items[i] <= 0)
            return gx_fail(c->rt, GX_ValueError, "text.delimiter",
                           "genfromtxt: the width of a field must be positive");
    return true;
}

static bool refuse_records(gx_call *c) {
    bool masked;
    if (gx_arg_some(c, 10)) {
        gx_fail(c->rt, GX_ValueError, "text.names",
                "genfromtxt: names= makes records, which it does not read in gx");
        return gx_help(c->rt, "np.rec.fromarrays(np.genfromtxt(f, dtype=str).T, names='x, y')");
    }
    if (!gx_arg_bool(c, 18, &masked)) return false;
    return !masked || gx_fail(c->rt, GX_ValueError, "text.mask",
                              "genfromtxt: usemask= makes masked arrays, which gx does not have");
}

static bool take_args(gx_call *c, table *t, int64_t *most) {
    bool single;
    if (!refuse_records(c) || !gx_np_dtype_arg(c, 1, &t->dtype) || !take_text(c, 2, &t->comment) ||
        !take_delimiter(c, t) || !gx_arg_int(c, 4, &t->skip) || !gx_arg_int(c, 5, &t->footer) ||
        !gx_arg_bool(c, 14, &t->strip) || !gx_arg_bool(c, 19, &t->loose) ||
        !gx_arg_bool(c, 20, &t->strict_rows))
        return false;
    if (!gx_text_dtype_ok(c, t->dtype)) return false;
    t->width = -1;
    t->chosen = gx_arg_some(c, 9);
    if (t->chosen) {
        if (!take_ints(t, c->argv[9], "usecols", &single, &t->columns)) return false;
        t->width = (int64_t)t->columns.count;
    }
    *most = -1;
    if (t->footer < 0) t->footer = 0;
    if (!gx_arg_some(c, 21)) return true;
    if (!gx_arg_int(c, 21, most)) return false;
    if (t->footer)
        return gx_fail(c->rt, GX_ValueError, "text.count",
                       "The keywords 'skip_footer' and 'max_rows' can not be specified at the same "
                       "time.");
    return *most > 0 ||
           gx_fail(c->rt, GX_ValueError, "text.count", "'max_rows' must be at least 1.");
}

static bool genfromtxt_fn(gx_call *c, gx_value *out) {
    gx_rt *rt = c->rt;
    table t = {.rt = rt,
               .texts = gx_buf_new(rt),

               .data = gx_buf_new(rt),
               .converters = c->argv[6],
               .missing = c->argv[7],
               .filling = c->argv[8]};
    gx_text_coding coding;
    int64_t ndmin, most;
    bool unpack = false;
    bool ok = take_args(c, &t, &most) && gx_text_coding_arg(c, 22, &coding) &&
              gx_arg_int(c, 23, &ndmin) && (!gx_arg_some(c, 17) || gx_arg_bool(c, 17, &unpack)) &&
              gx_lines_open(rt, c->argv[0], most >= 0, coding, &t.lines);
    if (ok) {
        ok = read_rows(&t, most) && drop_footer(&t) && settle_dtype(&t) && convert_all(&t);
        if (ok && !t.rows)
            ok = gx_warn(rt, GX_UserWarning, "genfromtxt: Empty input file: \"%s\"", t.lines.name);
        ok = ok && give(c, &t, ndmin, unpack, out);
        gx_lines_close(&t.lines);
    }
    gx_vec_free(rt, &t.widths);
    gx_vec_free(rt, &t.fields);
    gx_vec_free(rt, &t.columns);
    gx_vec_free(rt, &t.cells);
    gx_buf_free(&t.texts);
    gx_vec_free(rt, &t.wrong);
    gx_buf_free(&t.data);
    return ok;
}

const gx_native gx_np_genfromtxt_functions[] = {
    {"genfromtxt",
     "genfromtxt(fname, dtype='float64', comments='#', delimiter=None, skip_header=0, "
     "skip_footer=0, converters=None, missing_values=None, filling_values=None, usecols=None, "
     "names=None, excludelist=None, deletechars=None, replace_space='_', autostrip=False, "
     "case_sensitive=True, defaultfmt='f%i', unpack=None, usemask=False, loose=True, "
     "invalid_raise=True, "
     "max_rows=None, encoding=None, *, ndmin=0, like=None)",
     "An array from a table in a text file; what is missing or no number becomes nan or "
     "filling_values.",
     "genfromtxt(['1,,3'], delimiter=',', filling_values=0)  # [1. 0. 3.]", genfromtxt_fn, 0, 0},
    {.name = NULL},
};
