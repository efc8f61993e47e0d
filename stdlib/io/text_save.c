/* numpy.savetxt: rows of numbers as text, as Python's % writes them. Formats of plain numbers go
   through the C library, which writes the same digits; all others through str % tuple. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"
#include "stdlib/io/packed_int.h"
#include "stdlib/io/text_int.h"
#include "stdlib/numpy/base/scope.h"

extern const gx_native gx_np_text_save_functions[];

enum { SPEC = 24, FLUSH = 1 << 16 };

/* A piece of the row's format: text, then one conversion. */
typedef struct piece {
    size_t text, length; /* in the format */
    char spec[SPEC];     /* for the C library; "": the text alone */
    char kind;           /* 'd' or 'f' */
} piece;

typedef struct printer {
    gx_rt *rt;
    gx_outfile to;
    gx_buf out, format;
    gx_value format_value; /* the format as a str, for % */
    piece *pieces;
    int64_t piece_count;
    gx_dtype dtype; /* of the numbers in a row: complex ones are two */
    bool complex, fast;
    int64_t rows, columns, stride; /* stride: bytes of a row */
    const char *data, *newline;
    size_t newline_length;
    gx_text_coding coding; /* of a path; other sinks take text */
    gx_packing packing;    /* of the file: when packed, nothing is written before the end */
} printer;

/* --- the format of a row --- */

static int64_t count_percent(const gx_str *s) {
    int64_t n = 0;
    for (size_t i = 0; i < s->length; i++) n += s->text[i] == '%';
    return n;
}

static bool repeat(printer *p, const char *fmt, const char *delimiter, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        if (i && !gx_buf_puts(&p->format, delimiter)) return false;
        if (p->complex ? !gx_buf_printf(&p->format, " (%s+%sj)", fmt, fmt)
                       : !gx_buf_puts(&p->format, fmt))
            return false;
    }
    return true;
}

static bool format_of_list(printer *p, const gx_value *items, int64_t n, const char *delimiter) {
    int64_t want = p->complex ? p->columns / 2 : p->columns;
    if (n != want)
        return gx_fail(p->rt, GX_AttributeError, "text.fmt",
                       "fmt has wrong shape: %lld formats for %lld columns", (long long)n,
                       (long long)want);
    for (int64_t i = 0; i < n; i++) {
        if (items[i].tag != GX_STR)
            return gx_fail(p->rt, GX_TypeError, "text.fmt", "fmt: expected str formats, not %s",
                           gx_type_name(items[i]));
        if ((i && !gx_buf_puts(&p->format, delimiter)) ||
            !gx_buf_puts(&p->format, gx_as_str(items[i])->text))
            return false;
    }
    return true;
}

static bool make_format(printer *p, gx_borrowed fmt, const char *delimiter) {
    const gx_value *items;
    int64_t listed = gx_sequence_items(fmt, &items), want = p->columns;
    if (listed >= 0) return format_of_list(p, items, listed, delimiter);
    if (fmt.tag != GX_STR)
        return gx_fail(p->rt, GX_ValueError, "text.fmt",
                       "fmt must be a str or a list of str, one a column, not %s",
                       gx_type_name(fmt));
    int64_t n = count_percent(gx_as_str(fmt));
    if (n == 1) return repeat(p, gx_as_str(fmt)->text, delimiter, p->complex ? want / 2 : want);
    if (n == want) return gx_buf_puts(&p->format, gx_as_str(fmt)->text);
    gx_fail(p->rt, GX_ValueError, "text.fmt", "fmt has wrong number of %% formats:  %s",
            gx_as_str(fmt)->text);
    return gx_note(p->rt, "1 is right for all columns, %lld for each its own", (long long)want);
}

/* A conversion that C's printf does as Python does; *used: its length. */
static bool plain_spec(const char *f, piece *to, size_t *used) {
    size_t n = 1 + strspn(f + 1, "-+ 0");
    size_t width = strspn(f + n, "0123456789");
    n += width;
    size_t precision = f[n] == '.' ? strspn(f + n + 1, "0123456789") + 1 : 0;
    n += precision;
    if (width > 3 || precision > 4 || n > SPEC - 6 || !f[n]) return false;
    bool whole = f[n] == 'd' || f[n] == 'i';
    if (!whole && !strchr("eEfFgG", f[n])) return false;
    memcpy(to->spec, f, n);
    snprintf(to->spec + n, SPEC - n, "%s%c", whole ? "ll" : "", f[n]);
    to->kind = whole ? 'd' : 'f';
    *used = n + 1;
    return true;
}

/* Cuts the format into pieces; p->fast tells whether it could. */
static bool compile(printer *p) {
    const char *f = gx_buf_text(&p->format);
    size_t at = 0, used = 0;
    int64_t numbers = 0;
    p->pieces = gx_alloc_zero(p->rt, (size_t)(p->columns + 1) * sizeof *p->pieces);
    if (!p->pieces) return false;
    p->fast = false;
    for (;;) {
        size_t n = strcspn(f + at, "%");
        piece *to = &p->pieces[p->piece_count++];
        *to = (piece){.text = at, .length = n};
        at += n;
        if (!f[at]) break;
        if (numbers == p->columns || !plain_spec(f + at, to, &used)) return true;
        numbers++;
        at += used;
    }
    p->fast = numbers == p->columns && p->format.length == at;
    return true;
}

/* --- rows --- */

/* One number by one conversion of %, where C and Python differ: nan, inf, large integers. */
static bool put_odd(printer *p, const piece *f, const gx_scalar *s) {
    char spec[SPEC], *to = spec;
    gx_value v, format, text;
    for (const char *from = f->spec; *from; from++) /* without C's length */
        if (*from != 'l') *to++ = *from;
    *to = 0;
    if (!gx_scalar_item(p->rt, p->dtype, s, &v)) return false;
    bool ok = gx_str_c(p->rt, spec, &format);
    if (ok) {
        ok = gx_str_percent(p->rt, format, v, &text);
        gx_drop(format);
    }
    gx_drop(v);
    if (!ok) return false;
    ok = gx_buf_add(&p->out, gx_as_str(text)->text, gx_as_str(text)->length);
    gx_drop(text);
    return ok;
}

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#endif
static int print_double(char *to, size_t room, const char *spec, double x) {
    return snprintf(to, room, spec, x);
}
static int print_whole(char *to, size_t room, const char *spec, long long x) {
    return snprintf(to, room, spec, x);
}
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

static bool put_number(printer *p, const piece *f, const char *at) {
    enum { ROOM = 400 }; /* 309 digits, sign, point; more is made where it is needed */
    gx_scalar s = {0};
    memcpy(&s, at, (size_t)gx_dtype_size(p->dtype));
    double x = gx_scalar_cast(p->dtype, GX_f64, &s).f64;
    bool whole = f->kind == 'd';
    if (!isfinite(x) || (whole && fabs(x) >= 0x1p63)) return put_odd(p, f, &s);
    long long i =
        whole && gx_np_is_float(p->dtype) ? (long long)x : gx_scalar_cast(p->dtype, GX_i64, &s).i64;
    for (size_t room = ROOM;;) {
        if (!gx_buf_reserve(&p->out, room)) return false;
        char *to = p->out.data + p->out.length;
        int n = whole ? print_whole(to, room, f->spec, i) : print_double(to, room, f->spec, x);
        if (n < 0)
            return gx_fail(p->rt, GX_ValueError, "text.fmt", "%s cannot be written", f->spec);
        if ((size_t)n < room) {
            p->out.length += (size_t)n;
            return true;
        }
        room = (size_t)n + 1;
    }
}

static bool fast_row(printer *p, const char *row) {
    int64_t item = gx_dtype_size(p->dtype);
    for (int64_t i = 0; i < p->piece_count; i++) {
        const piece *f = &p->pieces[i];
        if (!gx_buf_add(&p->out, p->format.data + f->text, f->length)) return false;
        if (f->spec[0] && !put_number(p, f, row + i * item)) return false;
    }
    return true;
}

static bool mismatch(printer *p) {
    if (p->rt->error.kind != GX_TypeError) return false;
    gx_error_clear(p->rt);
    gx_dtype d = p->complex ? gx_complex_dtype(p->dtype) : p->dtype;
    return gx_fail(p->rt, GX_TypeError, "text.fmt",
                   "Mismatch between array dtype ('%s') and format specifier ('%s')",
                   gx_dtypes[d].name, gx_buf_text(&p->format));
}

static bool slow_row(printer *p, const char *row) {
    int64_t item = gx_dtype_size(p->dtype), made = 0;
    gx_value *items = gx_alloc(p->rt, (size_t)(p->columns + 1) * sizeof *items);
    gx_value tuple, text;
    bool ok = items != NULL;
    for (; ok && made < p->columns; made += ok) {
        gx_scalar s = {0};
        memcpy(&s, row + made * item, (size_t)item);
        ok = gx_scalar_new(p->rt, p->dtype, &s, &items[made]);
    }
    if (ok)
        ok = gx_tuple_take(p->rt, p->columns, items, &tuple);
    else
        while (made-- > 0) gx_drop(items[made]);
    gx_free(p->rt, items);
    if (!ok) return false;
    ok = gx_str_percent(p->rt, p->format_value, tuple, &text);
    gx_drop(tuple);
    if (!ok) return mismatch(p);
    ok = gx_buf_add(&p->out, gx_as_str(text)->text, gx_as_str(text)->length);
    gx_drop(text);
    return ok;
}

/* "1+-2j" becomes "1-2j". */
static void mend_signs(printer *p, size_t from) {
    char *data = p->out.data;
    size_t to = from;
    for (size_t i = from; i < p->out.length; i++)
        if (data[i] != '+' || i + 1 == p->out.length || data[i + 1] != '-') data[to++] = data[i];
    data[to] = 0;
    p->out.length = to;
}

static bool flush(printer *p, size_t least) {
    if (p->out.length < least) return true;
    if (p->packing && least > 1) return true;
    if (p->to.path && !gx_text_encode(p->rt, p->coding, &p->out)) return false;
    if (p->packing) {
        gx_buf file = gx_buf_new(p->rt);
        bool done = gx_pack(p->rt, p->packing, gx_buf_text(&p->out), p->out.length, &file) &&
                    gx_outfile_write(&p->to, file.data, file.length);
        gx_buf_free(&file);
        return done;
    }
    bool ok = gx_outfile_write(&p->to, gx_buf_text(&p->out), p->out.length);
    p->out.length = 0;
    return ok;
}

static bool put_rows(printer *p) {
    for (int64_t i = 0; i < p->rows; i++) {
        size_t from = p->out.length;
        const char *row = p->data + i * p->stride;
        if (!(p->fast ? fast_row : slow_row)(p, row)) return false;
        if (!gx_buf_add(&p->out, p->newline, p->newline_length)) return false;
        if (p->complex) mend_signs(p, from);
        if (!flush(p, FLUSH)) return false;
    }
    return true;
}

/* A header or footer: every line of it behind the mark of comments. */
static bool put_comment(printer *p, const char *text, const char *mark) {
    if (!*text) return true;
    if (!gx_buf_puts(&p->out, mark)) return false;
    for (; *text; text++)
        if (!gx_buf_char(&p->out, *text) || (*text == '\n' && !gx_buf_puts(&p->out, mark)))
            return false;
    return gx_buf_add(&p->out, p->newline, p->newline_length);
}

/* --- savetxt --- */

/* The array as rows of numbers. */
static bool take_array(gx_np *s, gx_borrowed v, printer *p) {
    gx_array *a = gx_np_contiguous(s, gx_np_arr(s, v));
    if (!a) return false;
    if (a->ndim == 0 || a->ndim > 2)
        return gx_fail(s->rt, GX_ValueError, "text.ndim",
                       "Expected 1D or 2D array, got %dD array instead", a->ndim);
    p->data = gx_np_data(s, a);
    p->complex = gx_dtype_kind(a->dtype) == GX_KIND_CPLX;
    p->dtype = gx_real_dtype((gx_dtype)a->dtype);
    p->rows = gx_shape(a)[0];
    p->columns = (a->ndim == 2 ? gx_shape(a)[1] : 1) * (p->complex ? 2 : 1);
    p->stride = p->columns * gx_dtype_size(p->dtype);
    return p->data != NULL;
}

static bool save(gx_call *c, printer *p, const char *const text[5]) {
    if (!make_format(p, c->argv[2], text[0]) || !compile(p) ||
        !gx_str_new(c->rt, gx_buf_text(&p->format), p->format.length, &p->format_value) ||
        !gx_outfile_open(c->rt, c->argv[0], NULL, true, &p->to))
        return false;
    if (c->argv[0].tag == GX_STR) p->packing = gx_packing_of(gx_as_str(c->argv[0])->text);
    bool ok = put_comment(p, text[2], text[4]) && put_rows(p) && put_comment(p, text[3], text[4]);
    return gx_outfile_done(&p->to, ok && flush(p, p->packing ? 0 : 1));
}

static bool savetxt_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    printer p = {.rt = c->rt, .out = gx_buf_new(c->rt), .format = gx_buf_new(c->rt)};
    const char *text[5]; /* delimiter, newline, header, footer, comments */
    size_t n[5];
    bool ok = gx_text_coding_arg(c, 8, &p.coding);
    for (int i = 0; ok && i < 5; i++) ok = gx_arg_str(c, 3 + i, &text[i], &n[i]);
    if (ok) {
        p.newline = text[1];
        p.newline_length = n[1];
        ok = take_array(&s, c->argv[1], &p) && save(c, &p, text);
    }
    gx_buf_free(&p.out);
    gx_buf_free(&p.format);
    gx_drop(p.format_value);
    gx_free(c->rt, p.pieces);
    if (ok) *out = gx_none();
    return gx_np_end(&s, ok);
}

const gx_native gx_np_text_save_functions[] = {
    {"savetxt",
     "savetxt(fname, X, fmt='%.18e', delimiter=' ', newline='\\n', header='', footer='', "
     "comments='# ', encoding=None)",
     "Writes a 1-d or 2-d array to a text file, one row a line, each number in the format fmt.",
     NULL, savetxt_fn, GX_NATIVE_HOST, 0},
    {.name = NULL},
};
