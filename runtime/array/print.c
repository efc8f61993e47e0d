/* Text of arrays as NumPy 2 writes it: brackets, line wrapping, summaries, the dtype and shape
   behind. How a number is written is print_float.c's. Only the elements that will be seen are read:
   the corners of a summarised array are views that are computed alone. */
#include "runtime/array/kind/date.h"
#include "runtime/array/kind/record.h"
#include "runtime/array/print.h"

#include <string.h>

#include "runtime/array/shape.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/text/str.h"

const gx_printopts gx_printopts_default = {.precision = 8,
                                           .threshold = 1000,
                                           .edgeitems = 3,
                                           .linewidth = 75,
                                           .sign = '-',
                                           .floatmode = GX_FLOAT_MAXPREC,
                                           .nanstr = "nan",
                                           .infstr = "inf",
                                           .formatter = {.tag = GX_NONE}};

gx_printopts gx_print_options(gx_rt *rt) {
    return rt->print ? *rt->print : gx_printopts_default;
}

bool gx_print_set_options(gx_rt *rt, const gx_printopts *o) {
    if (!rt->print) {
        rt->print = gx_alloc(rt, sizeof *rt->print);
        if (!rt->print) return false;
        *rt->print = gx_printopts_default;
    }
    gx_value old = rt->print->formatter;
    *rt->print = *o;
    gx_keep(o->formatter);
    gx_drop(old);
    return true;
}

void gx_print_free(gx_rt *rt) {
    if (!rt->print) return;
    gx_drop(rt->print->formatter);
    gx_free(rt, rt->print);
    rt->print = NULL;
}

/* What is printed: the visible elements in C order and how each is written. */
typedef struct page {
    gx_dtype dtype;
    bool scalar;        /* the elements are one scalar's */
    bool short_floats;  /* floats stand as in repr(x), not in columns */
    int columns;        /* of records: their fields, each a page of its own */
    struct page *column;
    const gx_subarray *part; /* the field's elements are arrays */
    gx_rt *rt;
    const gx_printopts *options;
    const gx_array *array;
    bool summary;
    int64_t edge;
    int64_t shown[GX_MAX_DIMS]; /* sizes of the visible part */
    int64_t count;
    char *data;     /* elements, C order */
    double *floats; /* the same as doubles: one a float, two a complex */
    gx_float_format real, imag;
    int int_width;
    gx_value formatter; /* UNDEF: none */
    const char *separator;
    size_t separator_bare; /* without spaces at its end */
    size_t line;           /* where the current line starts in the output */
} page;

/* --- the visible elements --- */

static bool is_split(const page *p, int axis) {
    return p->summary && gx_shape(p->array)[axis] > 2 * p->edge;
}

/* Copies a block of elements into the visible part at `to` (positions along each axis). */
static void put_block(page *p, const char *from, const int64_t *strides, const int64_t *size,
                      const int64_t *to) {
    int nd = p->array->ndim;
    int64_t item = gx_dtype_size(p->array->dtype), i[GX_MAX_DIMS] = {0};
    for (int d = 0; d < nd; d++)
        if (size[d] == 0) return;
    for (;;) {
        int64_t at = 0;
        const char *src = from;
        for (int d = 0; d < nd; d++) {
            at = at * p->shown[d] + to[d] + i[d];
            src += strides[d] * i[d];
        }
        memcpy(p->data + at * item, src, (size_t)item);
        int d = nd - 1;
        while (d >= 0 && ++i[d] == size[d]) i[d--] = 0;
        if (d < 0) return;
    }
}

/* One corner: bit d of `which` takes the far end of the d-th axis. */
static bool read_corner(page *p, uint64_t which) {
    gx_array *a = (gx_array *)(uintptr_t)p->array, *view = NULL, *copy = NULL;
    int nd = a->ndim;
    int64_t size[GX_MAX_DIMS], to[GX_MAX_DIMS], at = a->offset;
    for (int d = 0; d < nd; d++) {
        bool far = which >> d & 1;
        size[d] = is_split(p, d) ? p->edge : gx_shape(a)[d];
        to[d] = far ? p->edge : 0;
        if (far) at += gx_strides(a)[d] * (gx_shape(a)[d] - p->edge);
    }
    if (!gx_array_view(p->rt, a, (gx_dtype)a->dtype, nd, size, gx_strides(a), at, &view))
        return false;
    const char *data;
    bool ok = gx_array_copy(p->rt, view, 'C', &copy) && gx_array_read(p->rt, copy, &data);
    if (ok) put_block(p, data, gx_strides(copy), size, to);
    gx_array_drop(copy);
    gx_array_drop(view);
    return ok;
}

static bool read_corners(page *p) {
    uint64_t split = 0;
    for (int d = 0; d < p->array->ndim; d++)
        if (is_split(p, d)) split |= UINT64_C(1) << d;
    uint64_t which = 0;
    do {
        if (!read_corner(p, which)) return false;
        which = (which - split) & split; /* the next subset of the split axes */
    } while (which);
    return true;
}

static bool read_elements(page *p) {
    const gx_array *a = p->array;
    p->count = 1;
    for (int d = 0; d < a->ndim; d++) {
        p->shown[d] = is_split(p, d) ? 2 * p->edge : gx_shape(a)[d];
        p->count *= p->shown[d];
    }
    p->data = gx_alloc(p->rt, (size_t)(p->count * gx_dtype_size(a->dtype)) + 1);
    if (!p->data) return false;
    if (p->summary) return read_corners(p);
    const char *data;
    gx_array *whole; /* a part of something huge and pending is computed apart */
    if (!gx_array_contiguous(p->rt, (gx_array *)(uintptr_t)a, &whole)) return false;
    const int64_t to[GX_MAX_DIMS] = {0};
    bool ok = gx_array_read(p->rt, whole, &data);
    if (ok) put_block(p, data, gx_strides(whole), gx_shape(whole), to);
    gx_array_drop(whole);
    return ok;
}

static gx_scalar element(const page *p, int64_t i) {
    gx_scalar s = {.bits = {0, 0}};
    size_t item = (size_t)gx_dtype_size(p->dtype);
    memcpy(&s, p->data + (size_t)i * item, item);
    return s;
}

/* --- how an element is written --- */

static bool int_text(const page *p, int64_t i, gx_buf *out) {
    gx_scalar s = element(p, i);
    gx_dtype d = p->dtype;
    if (gx_dtype_kind(d) == GX_KIND_UINT)
        return gx_buf_printf(out, "%llu", (unsigned long long)gx_scalar_cast(d, GX_u64, &s).u64);
    return gx_buf_printf(out, "%lld", (long long)gx_scalar_cast(d, GX_i64, &s).i64);
}

static bool measure_ints(page *p) {
    gx_buf text = gx_buf_new(p->rt);
    bool ok = true, negative = false;
    int widest = 0, widest_positive = 0;
    for (int64_t i = 0; ok && i < p->count; i++) {
        text.length = 0;
        ok = int_text(p, i, &text) && (!p->rt->interrupted || gx_interrupt_check(p->rt));
        int n = (int)text.length;
        if (n && text.data[0] == '-')
            negative = true;
        else if (n > widest_positive)
            widest_positive = n;
        if (n > widest) widest = n;
    }
    gx_buf_free(&text);
    char sign = p->options->sign;
    if (widest_positive && (sign == '+' || (sign == ' ' && !negative))) widest_positive++;
    p->int_width = widest > widest_positive ? widest : widest_positive;
    return ok;
}

static bool make_floats(page *p) {
    gx_dtype d = p->dtype;
    bool complex = gx_dtype_kind(d) == GX_KIND_CPLX;
    int bytes = (int)gx_dtype_size(gx_real_dtype(d)), parts = complex ? 2 : 1;
    p->floats = gx_alloc(p->rt, (size_t)(p->count * parts) * sizeof(double) + 1);
    if (!p->floats) return false;
    for (int64_t i = 0; i < p->count; i++) {
        gx_scalar s = element(p, i);
        if (complex) {
            gx_c128 z = gx_scalar_cast(d, GX_c128, &s).c128;
            p->floats[2 * i] = z.re;
            p->floats[2 * i + 1] = z.im;
        } else
            p->floats[i] = gx_scalar_cast(d, GX_f64, &s).f64;
    }
    return gx_float_format_new(p->rt, &p->real, p->options, p->options->sign, bytes, p->floats,
                               p->count, parts) &&
           (!complex || gx_float_format_new(p->rt, &p->imag, p->options, '+', bytes, p->floats + 1,
                                            p->count, parts));
}

/* The user's function for this dtype, by NumPy's key names. */
static bool find_formatter(page *p) {
    static const char *const keys[GX_KINDS][4] = {{"bool", "all", NULL, NULL},
                                           {"int", "int_kind", "all", NULL},
                                           {"int", "int_kind", "all", NULL},
                                           {"float", "float_kind", "all", NULL},
                                           {"complexfloat", "complex_kind", "all", NULL},
                                           {"numpystr", "str_kind", "all", NULL}};
    p->formatter = gx_undef();
    if (p->options->formatter.tag != GX_DICT) return true;
    const char *const *key = keys[gx_dtype_kind(p->dtype)];
    for (int k = 0; key[k] && p->formatter.tag == GX_UNDEF; k++) {
        gx_value name;
        if (!gx_str_c(p->rt, key[k], &name)) return false;
        gx_try t = gx_dict_find(p->rt, p->options->formatter, name, &p->formatter);
        gx_drop(name);
        if (t == GX_TRY_ERROR) return false;
        if (t == GX_TRY_NO || p->formatter.tag == GX_NONE) p->formatter = gx_undef();
    }
    return true;
}

static bool write_formatted(page *p, int64_t i, gx_buf *out) {
    const gx_dtype d = p->dtype;
    gx_scalar s = {.bits = {0, 0}};
    gx_value x, text = gx_undef();
    if (!gx_is_kind(d)) s = element(p, i);
    if (gx_is_kind(d)) {
        if (!gx_kind_value(p->rt, d, p->data + i * gx_dtype_size(d), false, &x)) return false;
    } else if (!gx_scalar_new(p->rt, d, &s, &x)) return false;
    bool ok =
        gx_call_value(p->rt, p->formatter, 1, &x, 0, NULL, &text) && gx_str_into(p->rt, text, out);
    gx_drop(text);
    gx_drop(x);
    return ok;
}

static bool write_int(const page *p, int64_t i, gx_buf *out) {
    gx_buf text = gx_buf_new(p->rt);
    bool ok = int_text(p, i, &text);
    bool plus = ok && text.data[0] != '-' && p->options->sign == '+';
    int pad = p->int_width - (int)text.length - plus;
    ok = ok && (pad <= 0 || gx_buf_fill(out, ' ', (size_t)pad)) &&
         (!plus || gx_buf_char(out, '+')) && gx_buf_puts(out, gx_buf_text(&text));
    gx_buf_free(&text);
    return ok;
}

/* The j goes before the spaces that pad the imaginary part. */
static bool write_complex(const page *p, int64_t i, gx_buf *out) {
    if (!gx_float_format_write(&p->real, p->floats[2 * i], out) ||
        !gx_float_format_write(&p->imag, p->floats[2 * i + 1], out) || !gx_buf_char(out, 'j'))
        return false;
    size_t at = out->length - 1;
    while (at > 0 && out->data[at - 1] == ' ') {
        out->data[at] = ' ';
        out->data[--at] = 'j';
    }
    return true;
}

static bool write_element(page *p, int64_t i, gx_buf *out);

/* The arrays inside records: [[1, 2], [3, 4]]. */
static bool write_part(page *p, int axis, int64_t first, gx_buf *out) {
    if (axis == p->part->ndim) return write_element(p, first, out);
    const int64_t n = p->part->shape[axis], edge = p->options->edgeitems;
    const bool split = p->part->count > p->options->threshold && n > 2 * edge;
    int64_t step = 1;
    for (int k = axis + 1; k < p->part->ndim; k++) step *= p->part->shape[k];
    bool ok = gx_buf_char(out, '[');
    for (int64_t i = 0; ok && i < n; i++) {
        if (split && i == edge) {
            i = n - edge;
            ok = gx_buf_puts(out, ", ...");
        }
        ok = ok && (!i || gx_buf_puts(out, ", ")) &&
             write_part(p, axis + 1, first + i * step, out);
    }
    return ok && gx_buf_char(out, ']');
}

static bool time_text(const page *p, int64_t i, gx_buf *out) {
    const gx_dtype_info *d = &gx_dtypes[p->dtype];
    return d->family->write(p->rt, d, p->data + 8 * i, out);
}

/* Dates are as wide as the widest. */
static bool measure_times(page *p) {
    gx_buf text = gx_buf_new(p->rt);
    bool ok = true;
    for (int64_t i = 0; ok && i < p->count; i++) {
        text.length = 0;
        ok = time_text(p, i, &text) && (!p->rt->interrupted || gx_interrupt_check(p->rt));
        if ((int)text.length > p->int_width) p->int_width = (int)text.length;
    }
    gx_buf_free(&text);
    return ok;
}

static bool write_time(const page *p, int64_t i, gx_buf *out) {
    gx_buf text = gx_buf_new(p->rt);
    bool ok = time_text(p, i, &text);
    const int pad = p->int_width - (int)text.length;
    ok = ok && (pad <= 0 || gx_buf_fill(out, ' ', (size_t)pad)) &&
         gx_buf_puts(out, gx_buf_text(&text));
    gx_buf_free(&text);
    return ok;
}

/* (1, 2.5): each field as its column is written. */
static bool write_record(page *p, int64_t i, gx_buf *out) {
    bool ok = gx_buf_char(out, '(');
    for (int k = 0; ok && k < p->columns; k++) {
        page *c = &p->column[k];
        ok = (!k || gx_buf_puts(out, ", ")) &&
             (c->part && c->formatter.tag == GX_UNDEF ? write_part(c, 0, i * c->part->count, out)
                                                      : write_element(c, i, out));
    }
    return ok && gx_buf_puts(out, p->columns == 1 ? ",)" : ")");
}

static bool write_element(page *p, int64_t i, gx_buf *out) {
    if (p->formatter.tag != GX_UNDEF) return write_formatted(p, i, out);
    if (p->columns >= 0) return write_record(p, i, out);
    if (gx_is_time(p->dtype)) return write_time(p, i, out);
    if (gx_is_kind(p->dtype)) {
        const gx_dtype_info *d = &gx_dtypes[p->dtype];
        return d->family->write(p->rt, d, p->data + i * d->bytes, out);
    }
    switch ((gx_dkind)gx_dtype_kind(p->dtype)) {
    case GX_KIND_BOOL:
        if (!p->data[i]) return gx_buf_puts(out, "False");
        return gx_buf_puts(out, p->scalar ? "True" : " True");
    case GX_KIND_INT:
    case GX_KIND_UINT:
        return write_int(p, i, out);
    case GX_KIND_FLOAT:
        /* Each by itself: a scalar, or what NumPy does not know. */
        if (gx_is_extension(p->dtype) || p->short_floats) {
            gx_scalar s = element(p, i);
            return gx_scalar_text(p->rt, p->dtype, &s, out);
        }
        return gx_float_format_write(&p->real, p->floats[i], out);
    case GX_KIND_CPLX:
        return write_complex(p, i, out);
    }
    return true;
}

/* --- brackets and lines --- */

/* The bytes that no character begins with. */
static size_t inner_bytes(const char *text, size_t n) {
    size_t more = 0;
    for (size_t i = 0; i < n; i++) more += ((unsigned char)text[i] & 0xc0) == 0x80;
    return more;
}

/* Adds a word, on a new line when it would pass `width` and a new line helps. */
static bool add_word(page *p, const gx_buf *word, size_t indent, int64_t width, gx_buf *out) {
    const size_t column = out->length - p->line;
    const size_t inner = gx_is_kind(p->dtype) ? inner_bytes(word->data, word->length) : 0;
    if ((int64_t)(column + word->length - inner) > width && column > indent) {
        while (out->length && out->data[out->length - 1] == ' ') out->data[--out->length] = '\0';
        if (!gx_buf_char(out, '\n')) return false;
        p->line = out->length;
        if (!gx_buf_fill(out, ' ', indent)) return false;
    }
    p->line += inner; /* columns are counted from here */
    return gx_buf_puts(out, gx_buf_text(word));
}

/* The last axis: elements from `first` on. */
static bool write_row(page *p, int axis, int64_t first, size_t indent, int64_t width, gx_buf *out) {
    gx_buf word = gx_buf_new(p->rt);
    int64_t n = p->shown[axis], bare = (int64_t)p->separator_bare;
    bool split = is_split(p, axis), ok = true;
    width -= bare > 1 ? bare : 1;
    for (int64_t i = 0; ok && i < n; i++) {
        if (split && i == p->edge) {
            word.length = 0;
            ok = gx_buf_puts(&word, "...") && add_word(p, &word, indent, width, out) &&
                 gx_buf_puts(out, p->separator);
        }
        word.length = 0;
        ok = ok && write_element(p, first + i, &word) && add_word(p, &word, indent, width, out) &&
             (i == n - 1 || gx_buf_puts(out, p->separator)) &&
             (!p->rt->interrupted || gx_interrupt_check(p->rt));
    }
    gx_buf_free(&word);
    return ok;
}

static bool new_row(page *p, int axes_left, size_t indent, gx_buf *out) {
    if (!gx_buf_add(out, p->separator, p->separator_bare) ||
        !gx_buf_fill(out, '\n', (size_t)(axes_left - 1)))
        return false;
    p->line = out->length;
    return gx_buf_fill(out, ' ', indent);
}

static bool write_axis(page *p, int axis, int64_t first, size_t indent, int64_t width,
                       gx_buf *out) {
    int left = p->array->ndim - axis;
    if (left == 0) return write_element(p, first, out);
    if (!gx_buf_char(out, '[')) return false;
    if (left == 1) {
        if (!write_row(p, axis, first, indent, width, out)) return false;
        return gx_buf_char(out, ']');
    }
    int64_t n = p->shown[axis];
    for (int64_t i = 0; i < n; i++) {
        if (is_split(p, axis) && i == p->edge &&
            !(gx_buf_puts(out, "...") && new_row(p, left, indent, out)))
            return false;
        if (!write_axis(p, axis + 1, (first + i) * p->shown[axis + 1], indent + 1, width - 1, out))
            return false;
        if (i < n - 1 && !new_row(p, left, indent, out)) return false;
    }
    return gx_buf_char(out, ']');
}

static void page_end(page *p) {
    for (int k = 0; k < p->columns; k++) page_end(&p->column[k]);
    gx_drop(p->formatter);
    gx_free(p->rt, p->column);
    gx_free(p->rt, p->data);
    gx_free(p->rt, p->floats);
}

static bool prepare(page *p);

/* A record's fields, each with its elements of all records that are shown. */
static bool make_columns(page *p, const gx_record_row *r) {
    const size_t item = gx_dtypes[p->dtype].bytes;
    p->column = gx_alloc_zero(p->rt, (size_t)(r->count + 1) * sizeof *p->column);
    if (!p->column) return false;
    for (p->columns = 0; p->columns < r->count;) {
        const gx_field_row *f = &r->fields[p->columns];
        const size_t bytes = gx_dtypes[f->dtype].bytes;
        page *c = &p->column[p->columns++];
        *c = (page){.rt = p->rt, .options = p->options, .array = p->array, .columns = -1,
                    .separator = p->separator, .scalar = p->scalar,
                    .short_floats = p->short_floats, .part = gx_subarray_of(f->dtype)};
        c->formatter = gx_undef();
        c->dtype = c->part ? c->part->base : f->dtype;
        c->count = c->part ? p->count * c->part->count : p->count;
        c->data = gx_alloc(p->rt, (size_t)p->count * bytes + 1);
        if (!c->data) return false;
        for (int64_t i = 0; bytes && i < p->count; i++)
            memcpy(c->data + (size_t)i * bytes, p->data + (size_t)i * item + f->offset, bytes);
        if (!prepare(c)) return false;
    }
    return true;
}

/* How the elements are written, now that they are there. */
static bool prepare(page *p) {
    const int kind = gx_dtype_kind(p->dtype);
    const bool floats = kind == GX_KIND_FLOAT || kind == GX_KIND_CPLX;
    const gx_record_row *r = gx_record_of(p->dtype);
    if (!find_formatter(p)) return false;
    if (kind == GX_KIND_INT || kind == GX_KIND_UINT) return measure_ints(p);
    if (gx_is_time(p->dtype)) return measure_times(p);
    if (r && p->formatter.tag == GX_UNDEF) return make_columns(p, r);
    return !floats || gx_is_extension(p->dtype) || make_floats(p);
}

GX_CHECK bool gx_void_text(gx_rt *rt, gx_array *a, gx_buf *out) {
    gx_printopts o = gx_print_options(rt);
    page p = {.rt = rt, .options = &o, .array = a, .dtype = (gx_dtype)a->dtype, .columns = -1,
              .scalar = true, .short_floats = true, .separator = " "};
    p.formatter = gx_undef();
    bool ok = read_elements(&p) && prepare(&p) && write_element(&p, 0, out);
    page_end(&p);
    return ok;
}

bool gx_array_to_string(gx_rt *rt, const gx_array *a, const gx_printopts *o, const char *separator,
                        size_t prefix, size_t suffix, gx_buf *out) {
    if (a->count == 0) return gx_buf_puts(out, "[]");
    page p = {.rt = rt, .options = o, .array = a, .separator = separator, .columns = -1,
              .dtype = (gx_dtype)a->dtype, .scalar = a->ndim == 0};
    p.formatter = gx_undef();
    p.edge = o->edgeitems > 1 ? o->edgeitems : 1;
    p.summary = a->count > o->threshold;
    p.separator_bare = strlen(separator);
    while (p.separator_bare && separator[p.separator_bare - 1] == ' ') p.separator_bare--;
    gx_buf text = gx_buf_new(rt);
    bool ok = gx_buf_reserve(&text, 64) && gx_buf_fill(&text, ' ', prefix) && read_elements(&p) &&
              prepare(&p);
    /* The prefix stands in the text while lines are measured. */
    ok = ok && write_axis(&p, 0, 0, prefix + 1, o->linewidth - (int64_t)suffix, &text) &&
         gx_buf_add(out, text.data + prefix, text.length - prefix);
    gx_buf_free(&text);
    page_end(&p);
    return ok;
}

/* --- repr and str --- */

static bool dtype_is_implied(int d) {
    return d == GX_bool || d == GX_i64 || d == GX_f64 || d == GX_c128;
}

static bool add_extras(const gx_array *a, const gx_printopts *o, gx_buf *out) {
    bool shape =
        (a->count == 0 && !(a->ndim == 1 && gx_shape(a)[0] == 0)) || a->count > o->threshold;
    bool dtype = !dtype_is_implied(a->dtype) || a->count == 0;
    if (shape && (!gx_buf_puts(out, "shape=") || !gx_shape_text(out, a->ndim, gx_shape(a))))
        return false;
    const bool plain = gx_record_of(a->dtype) || (gx_is_time(a->dtype) && /* dtype=timedelta64 */
                                                  gx_step_of(a->dtype).unit == GX_UNIT_NONE);
    const char *quote = gx_is_kind(a->dtype) && !plain ? "'" : "";
    return !dtype || gx_buf_printf(out, "%sdtype=%s%s%s", shape ? ", " : "", quote,
                                   gx_dtypes[a->dtype].name, quote);
}

bool gx_array_repr_with(gx_rt *rt, const gx_array *a, const gx_printopts *o, gx_buf *out) {
    gx_buf text = gx_buf_new(rt), extras = gx_buf_new(rt);
    const char *name = a->obj.type->heap ? a->obj.type->name : "array";
    int indent = (int)strlen(name) + 1;
    bool ok = gx_buf_printf(&text, "%s(", name) &&
              gx_array_to_string(rt, a, o, ", ", (size_t)indent, 1, &text) &&
              add_extras(a, o, &extras);
    if (ok && extras.length) {
        const char *last = strrchr(gx_buf_text(&text), '\n');
        const size_t start = last ? (size_t)(last + 1 - text.data) : 0;
        const size_t column = text.length + 1 - start -
                              inner_bytes(text.data + start, text.length - start);
        bool wrap = (int64_t)(column + extras.length + 2) > o->linewidth;
        ok = (wrap ? gx_buf_printf(&text, ",\n%*s", indent, "") : gx_buf_puts(&text, ", ")) &&
             gx_buf_puts(&text, gx_buf_text(&extras));
    }
    ok = ok && gx_buf_char(&text, ')') && gx_buf_add(out, text.data, text.length);
    gx_buf_free(&text);
    gx_buf_free(&extras);
    return ok;
}

bool gx_array_repr(gx_rt *rt, const gx_array *a, gx_buf *out) {
    gx_printopts o = gx_print_options(rt);
    return gx_array_repr_with(rt, a, &o, out);
}

bool gx_array_str(gx_rt *rt, const gx_array *a, gx_buf *out) {
    gx_printopts o = gx_print_options(rt);
    if (a->ndim > 0) return gx_array_to_string(rt, a, &o, " ", 0, 0, out);
    gx_scalar s;
    if (gx_is_kind(a->dtype)) {
        gx_value v;
        if (!gx_kind_element(rt, a, false, &v)) return false;
        bool ok = gx_str_into(rt, v, out);
        gx_drop(v);
        return ok;
    }
    return gx_array_item(rt, a, &s) && gx_scalar_text(rt, (gx_dtype)a->dtype, &s, out);
}
