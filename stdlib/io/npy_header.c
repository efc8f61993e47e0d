/* The header of .npy files: a Python dict of three keys, read by a parser of its own (nothing is
   ever evaluated) and written byte for byte as NumPy does. All sizes are checked here. */
#include <string.h>

#include "runtime/array/dtype.h"
#include "runtime/array/kind/record.h"
#include "runtime/array/shape.h"
#include "runtime/object/text/str.h"
#include "stdlib/io/files.h"

const char gx_npy_magic[GX_NPY_MAGIC + 1] = "\x93NUMPY";

typedef struct reader {
    gx_rt *rt;
    const char *p, *end, *name;
} reader;

static bool bad(reader *r, const char *what) {
    return gx_fail(r->rt, GX_ValueError, "npy.header", "%s: the .npy header is damaged: %s",
                   r->name, what);
}

static void blanks(reader *r) {
    while (r->p < r->end && (*r->p == ' ' || *r->p == '\n' || *r->p == '\t' || *r->p == '\r'))
        r->p++;
}

static bool take(reader *r, char c) {
    blanks(r);
    if (r->p == r->end || *r->p != c) return false;
    r->p++;
    return true;
}

static bool word(reader *r, const char *text) {
    size_t n = strlen(text);
    blanks(r);
    if ((size_t)(r->end - r->p) < n || memcmp(r->p, text, n) != 0) return false;
    r->p += n;
    return true;
}

/* 'text' or "text" without escapes, cut to the room. */
static bool quoted(reader *r, char *to, size_t room) {
    blanks(r);
    char mark = r->p < r->end ? *r->p : 0;
    if (mark != '\'' && mark != '"') return bad(r, "a quoted word is missing");
    const char *start = ++r->p, *close = memchr(start, mark, (size_t)(r->end - start));
    if (!close) return bad(r, "a quote is not closed");
    size_t n = (size_t)(close - start);
    if (n >= room) return bad(r, "a quoted word is too long");
    for (size_t i = 0; i < n; i++) /* words stand in messages */
        if (start[i] < ' ' || start[i] > '~' || start[i] == '\\')
            return bad(r, "a quoted word holds bytes that are no plain text");
    memcpy(to, start, n);
    to[n] = 0;
    r->p = close + 1;
    return true;
}

/* A dtype gx has no arrays of, named by what it holds. */
static bool refuse(reader *r, const char *text) {
    const char *p = text + (strchr("<>|=", text[0]) != NULL && text[0]);
    const char *what = NULL;
    switch (*p) {
    case 'O':
        gx_fail(r->rt, GX_ValueError, "npy.object",
                "%s holds Python objects (dtype object), stored as pickles; gx does not run them",
                r->name);
        return gx_note(r->rt, "a pickle can run any program when it is loaded");
    case 'U': case 'S': case 'a': what = "empty texts"; break;
    case 'M': what = "dates"; break;
    case 'm': what = "time spans"; break;
    default: break;
    }
    if (what)
        gx_fail(r->rt, GX_ValueError, "npy.dtype",
                "%s holds %s (dtype '%s'); gx arrays hold numbers and bools", r->name, what, text);
    else
        gx_fail(r->rt, GX_ValueError, "npy.dtype", "%s has the dtype '%s', which gx does not have",
                r->name, text);
    return gx_note(r->rt, "gx has bool, int8 … int64, uint8 … uint64, float16, float32, float64, "
                          "bfloat16, complex64, complex128");
}

/* A dtype of numbers or text, as a quoted word. */
static bool read_code(reader *r, gx_dtype *dtype, bool *swapped) {
    char text[32];
    if (!quoted(r, text, sizeof text)) return false;
    const char *p = text;
    if (*p && strchr("<>|=", *p)) p++;
    bool kind = p[0] && p[1] >= '1' && p[1] <= '9';
    int64_t size = kind ? p[1] - '0' : 0;
    if (kind && p[2] >= '0' && p[2] <= '9' && !p[3]) size = size * 10 + (p[2] - '0');
    else if (kind && p[2]) kind = false;
    for (int d = 0; d < GX_DTYPES; d++) {
        const gx_dtype_info *info = &gx_dtypes[d];
        if (kind ? p[0] != info->kind_letter || size != info->bytes
                 : strcmp(p, info->name) != 0 && !(p[0] == info->letter && !p[1] && p[0] == '?'))
            continue;
        if (gx_is_extension(d) && text[0] != '<') continue; /* bytes of anything */
        *dtype = (gx_dtype)d;
        *swapped = text[0] == '>' && info->bytes > 1;
        return true;
    }
    if ((*p == 'U' || *p == 'S') && p[1] > '0' && p[1] <= '9') {
        gx_try made = gx_kind_by_name(r->rt, p, dtype);
        *swapped = text[0] == '>' && *p == 'U';
        if (made != GX_TRY_NO) return made == GX_TRY_YES;
    }
    if ((*p == 'M' || *p == 'm') && p[1] == '8' && text[0] != '>') {
        gx_value name;
        if (!gx_str_c(r->rt, text, &name)) return false;
        bool ok = gx_dtype_of(r->rt, name, dtype);
        gx_drop(name);
        return ok;
    }
    if (*p == 'V' && p[1] > '0' && p[1] <= '9' && strlen(p) < 10) {
        int64_t n = 0;
        for (p++; *p >= '0' && *p <= '9'; p++) n = n * 10 + (*p - '0');
        if (*p) return refuse(r, text);
        *dtype = gx_void_dtype(r->rt, n);
        return *dtype != GX_NO_DTYPE;
    }
    return refuse(r, text);
}

static bool read_sizes(reader *r, int *ndim, int64_t *shape);

/* The fields of records; names are kept here until the dtype is made. */
typedef struct fields {
    gx_field_row *row;
    char (*name)[2][64]; /* with the title */
    int count;
    int64_t bytes;
} fields;

static bool read_fields(reader *r, gx_dtype *out);

/* ('x', '<f4'), (('title', 'x'), [fields]), ('x', '<f4', (2,)); bytes without a name are a hole. */
static bool read_field(reader *r, fields *f) {
    char *name = f->name[f->count][0], *title = f->name[f->count][1];
    bool swapped = false, titled = false;
    int64_t shape[GX_MAX_DIMS];
    int ndim = 0;
    gx_dtype d;
    if (!take(r, '(')) return bad(r, "a field is not a tuple");
    if (take(r, '(')) {
        titled = true;
        if (!quoted(r, title, sizeof f->name[0][0]) || !take(r, ','))
            return bad(r, "a field has no name");
    }
    if (!quoted(r, name, sizeof f->name[0][0]) || (titled && !take(r, ')')) || !take(r, ','))
        return bad(r, "a field has no name");
    blanks(r);
    const bool nested = r->p < r->end && *r->p == '[';
    if (!(nested ? read_fields(r, &d) : read_code(r, &d, &swapped))) return false;
    bool closed = take(r, ')');
    if (!closed && take(r, ',') && !(closed = take(r, ')'))) {
        if (!read_sizes(r, &ndim, shape)) return false;
        (void)take(r, ',');
        closed = take(r, ')');
    }
    if (!closed) return bad(r, "a field is not closed");
    if (swapped) {
        gx_fail(r->rt, GX_ValueError, "npy.dtype",
                "%s holds records whose field '%s' has another byte order, '>'", r->name, name);
        return gx_note(r->rt, "gx arrays have the machine's, '<'");
    }
    if (!gx_subarray_make(r->rt, d, ndim, shape, &d)) return false;
    if (*name || !gx_is_void(d) || gx_record_of(d))
        f->row[f->count++] = (gx_field_row){name, titled ? title : NULL, d, f->bytes};
    f->bytes += gx_dtype_size(d);
    return f->bytes <= INT32_MAX || bad(r, "a record is too large");
}

static bool read_fields(reader *r, gx_dtype *out) {
    fields f = {.count = 0};
    size_t most = 1;
    if (!take(r, '[')) return bad(r, "the fields are no list");
    for (const char *p = r->p; p < r->end; p++) most += *p == '(';
    f.row = gx_alloc(r->rt, most * sizeof *f.row);
    f.name = gx_alloc(r->rt, most * sizeof *f.name);
    bool ok = f.row && f.name;
    while (ok && !take(r, ']')) {
        ok = read_field(r, &f);
        if (ok && !take(r, ',')) {
            ok = take(r, ']') || bad(r, "the list of fields is not closed");
            break;
        }
    }
    ok = ok && gx_record_make(r->rt, f.count, f.row, f.bytes, false, false, out);
    gx_free(r->rt, f.row);
    gx_free(r->rt, f.name);
    return ok;
}

static bool read_descr(reader *r, gx_npy *out) {
    blanks(r);
    if (r->p < r->end && *r->p == '[') return read_fields(r, &out->dtype);
    return read_code(r, &out->dtype, &out->swapped);
}

static bool read_sizes(reader *r, int *ndim, int64_t *shape) {
    if (!take(r, '(')) return bad(r, "'shape' is not a tuple");
    *ndim = 0;
    while (!take(r, ')')) {
        int64_t n = 0;
        blanks(r);
        if (r->p < r->end && *r->p == '-') return bad(r, "a size in 'shape' is negative");
        if (r->p == r->end || *r->p < '0' || *r->p > '9')
            return bad(r, "'shape' holds something that is not a size");
        for (; r->p < r->end && *r->p >= '0' && *r->p <= '9'; r->p++)
            if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, *r->p - '0', &n))
                return bad(r, "a size in 'shape' does not fit into 64 bits");
        if (r->p < r->end && *r->p == 'L') r->p++; /* Python 2 */
        if (*ndim == GX_MAX_DIMS) return bad(r, "'shape' has too many dimensions");
        shape[(*ndim)++] = n;
        if (!take(r, ',')) {
            if (!take(r, ')')) return bad(r, "'shape' does not end");
            return true;
        }
    }
    return true;
}

/* The bytes of the elements; an overflow is ours to report. */
static bool measure(reader *r, gx_npy *out) {
    int64_t most = 1; /* the product without zero sizes must fit as well, as NumPy's does */
    out->count = 1;
    for (int i = 0; i < out->ndim; i++) {
        if (out->shape[i] && __builtin_mul_overflow(most, out->shape[i], &most))
            return bad(r, "the sizes in 'shape' multiply to more than 64 bits hold");
        out->count *= out->shape[i] ? 1 : 0;
    }
    if (out->count) out->count = most;
    if (__builtin_mul_overflow(most, gx_dtype_size(out->dtype), &most) || most > INT64_MAX / 2)
        return bad(r, "the sizes in 'shape' multiply to more than 64 bits hold");
    out->bytes = out->count * gx_dtype_size(out->dtype);
    return true;
}

bool gx_npy_parse(gx_rt *rt, const char *text, size_t n, const char *name, gx_npy *out) {
    reader r = {.rt = rt, .p = text, .end = text + n, .name = name};
    unsigned seen = 0;
    if (memchr(text, 0, n)) return bad(&r, "it holds a NUL byte");
    if (!take(&r, '{')) return bad(&r, "it does not begin with '{'");
    while (!take(&r, '}')) {
        char key[32];
        if (!quoted(&r, key, sizeof key)) return false;
        if (!take(&r, ':')) return bad(&r, "':' is missing behind a key");
        unsigned bit = strcmp(key, "descr") == 0           ? 1
                       : strcmp(key, "fortran_order") == 0 ? 2
                       : strcmp(key, "shape") == 0         ? 4
                                                           : 0;
        if (!bit || seen & bit) return bad(&r, "keys are not 'descr', 'fortran_order', 'shape'");
        seen |= bit;
        if (bit == 1 && !read_descr(&r, out)) return false;
        if (bit == 4 && !read_sizes(&r, &out->ndim, out->shape)) return false;
        if (bit == 2) {
            out->fortran = word(&r, "True");
            if (!out->fortran && !word(&r, "False"))
                return bad(&r, "'fortran_order' is neither True nor False");
        }
        if (!take(&r, ',')) {
            if (!take(&r, '}')) return bad(&r, "'}' is missing");
            break;
        }
    }
    blanks(&r);
    if (r.p != r.end) return bad(&r, "something follows '}'");
    if (seen != 7) return bad(&r, "keys are not 'descr', 'fortran_order', 'shape'");
    return measure(&r, out);
}

/* What stands behind 'descr': a code, or a list of fields. */
static bool add_descr(gx_rt *rt, int d, gx_buf *out) {
    gx_value descr;
    gx_sym name = gx_sym_c(rt, "descr");
    if (!gx_record_of(d)) return gx_buf_char(out, '\'') && gx_code_text(out, d) &&
                                 gx_buf_char(out, '\'');
    if (!name || !gx_get_attr(rt, gx_dtype_value(d), name, &descr)) return false;
    bool ok = gx_repr(rt, descr, out);
    gx_drop(descr);
    for (size_t i = 0; ok && i < out->length; i++)
        if ((unsigned char)out->data[i] >= 128)
            ok = gx_fail(rt, GX_ValueError, "npy.dtype",
                         "names of fields in .npy files are ASCII: %s", gx_dtypes[d].name);
    return ok;
}

/* NumPy leaves room for the first size to grow to 21 digits, and ends the header at a multiple of
   64 bytes. */
bool gx_npy_header(const gx_array *a, bool fortran, gx_buf *out) {
    enum { PREFIX = 10, GROWTH = 21, ALIGN = 64 };
    char digits[24];
    gx_buf dict = gx_buf_new(out->rt);
    bool ok = gx_buf_puts(&dict, "{'descr': ") && add_descr(out->rt, a->dtype, &dict) &&
              gx_buf_printf(&dict, ", 'fortran_order': %s, 'shape': ",
                            fortran ? "True" : "False") &&
              gx_shape_text(&dict, a->ndim, gx_shape(a)) && gx_buf_puts(&dict, ", }");
    if (ok && a->ndim) {
        int n = snprintf(digits, sizeof digits, "%lld",
                         (long long)gx_shape(a)[fortran ? a->ndim - 1 : 0]);
        ok = gx_buf_fill(&dict, ' ', (size_t)(GROWTH - n));
    }
    if (ok) ok = gx_buf_fill(&dict, ' ', ALIGN - (PREFIX + dict.length + 1) % ALIGN);
    if (ok) ok = gx_buf_char(&dict, '\n');
    if (ok) { /* 64 sizes of 20 digits fit into 16 bits */
        const char start[4] = {1, 0, (char)(dict.length & 255), (char)(dict.length >> 8)};
        ok = gx_buf_add(out, gx_npy_magic, GX_NPY_MAGIC) && gx_buf_add(out, start, 4) &&
             gx_buf_add(out, dict.data, dict.length);
    }
    gx_buf_free(&dict);
    return ok;
}
