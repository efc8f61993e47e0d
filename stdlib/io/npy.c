/* numpy.save and numpy.load: arrays in .npy files. The header's promise is compared with the bytes
   that are there before memory is taken; pickles are never run. */
#include <string.h>

#include "runtime/array/kind/kind.h"
#include "runtime/object/text/str.h"
#include "stdlib/io/files.h"
#include "stdlib/numpy/base/scope.h"

extern const gx_native gx_np_npy_functions[];

/* --- reading --- */

static bool cut(gx_infile *s, const char *what, size_t want, size_t got) {
    return gx_fail(s->rt, GX_ValueError, "npy.truncated",
                   "%s: EOF: reading array %s, expected %zu bytes got %zu", s->name, what, want,
                   got);
}

/* Version, the header's length, the header. */
static bool read_header(gx_infile *s, int64_t most, gx_npy *out) {
    uint8_t start[4] = {0};
    size_t got;
    if (!gx_infile_read(s, start, 2, &got)) return false;
    if (got < 2) return cut(s, "version", 2, got);
    if (start[0] < 1 || start[0] > 3 || start[1] != 0)
        return gx_fail(s->rt, GX_ValueError, "npy.version",
                       "%s: .npy version %d.%d is not known; gx reads 1.0, 2.0 and 3.0", s->name,
                       start[0], start[1]);
    size_t bytes = start[0] == 1 ? 2 : 4;
    memset(start, 0, sizeof start);
    if (!gx_infile_read(s, start, bytes, &got)) return false;
    if (got < bytes) return cut(s, "header length", bytes, got);
    size_t n = start[0] | (size_t)start[1] << 8 | (size_t)start[2] << 16 | (size_t)start[3] << 24;
    if (s->left >= 0 && n > (uint64_t)s->left) return cut(s, "header", n, (size_t)s->left);
    if (most < 0 || n > (uint64_t)most) {
        gx_fail(s->rt, GX_ValueError, "npy.header",
                "%s: header info length (%zu) is large; at most %lld are read", s->name, n,
                (long long)most);
        return gx_note(s->rt, "headers are about 120 bytes; load(…, max_header_size=%zu) reads on",
                       n);
    }
    char *text = gx_alloc(s->rt, n + 1);
    if (!text) return false;
    bool ok = gx_infile_read(s, text, n, &got);
    if (ok && got < n) ok = cut(s, "header", n, got);
    ok = ok && gx_npy_parse(s->rt, text, n, s->name, out);
    gx_free(s->rt, text);
    return ok;
}

static bool too_short(gx_infile *s, const gx_npy *h, int64_t there) {
    gx_buf shape = gx_buf_new(s->rt);
    if (gx_shape_text(&shape, h->ndim, h->shape))
        gx_fail(s->rt, GX_ValueError, "npy.truncated",
                "%s: failed to read all data for array: expected %s of %s = %lld elements (%lld "
                "bytes), but only %lld bytes follow the header",
                s->name, gx_buf_text(&shape), gx_dtypes[h->dtype].name, (long long)h->count,
                (long long)h->bytes, (long long)there);
    gx_buf_free(&shape);
    return false;
}

static void swap_bytes(char *p, int64_t count, int size) {
    for (int64_t i = 0; i < count; i++, p += size)
        for (int k = 0; k < size / 2; k++) {
            char t = p[k];
            p[k] = p[size - 1 - k];
            p[size - 1 - k] = t;
        }
}

/* The file's bytes as elements of this machine. */
static void settle(const gx_npy *h, char *data) {
    int64_t n = h->count;
    if (h->dtype == GX_bool)
        for (int64_t i = 0; i < n; i++) data[i] = data[i] != 0;
    if (!h->swapped) return;
    int parts = gx_dtype_kind(h->dtype) == GX_KIND_CPLX ? 2 : 1;
    if (gx_is_kind(h->dtype)) parts = (int)gx_dtypes[h->dtype].parameter; /* of text: characters */
    swap_bytes(data, n * parts, (int)gx_dtype_size(h->dtype) / parts);
}

/* Elements from a source of unknown length: memory grows with what comes. */
static bool read_unknown(gx_infile *s, const gx_npy *h, gx_buf *b) {
    size_t need = (size_t)h->bytes, part = (size_t)1 << 20, got;
    while (b->length < need) {
        size_t want = need - b->length < part ? need - b->length : part;
        if (!gx_infile_may_hold(s->rt, s->name, b->length) || !gx_buf_reserve(b, want) ||
            !gx_infile_read(s, b->data + b->length, want, &got))
            return false;
        b->length += got;
        if (got < want) return too_short(s, h, (int64_t)b->length);
        part *= 2;
    }
    return true;
}

static bool fill(gx_infile *s, const gx_npy *h, const gx_buf *b, gx_array *a) {
    char *data;
    size_t got;
    if (!gx_array_write(s->rt, a, &data)) return false;
    if (b->length)
        memcpy(data, b->data, b->length);
    else if (!gx_infile_read(s, data, (size_t)h->bytes, &got))
        return false;
    else if ((int64_t)got < h->bytes)
        return too_short(s, h, (int64_t)got);
    settle(h, data);
    gx_array_from_outside(a);
    return true;
}

static bool read_elements(gx_infile *s, const gx_npy *h, gx_namespace ns, gx_array **out) {
    gx_array *a = NULL;
    if (s->left >= 0 && s->left < h->bytes) return too_short(s, h, s->left);
    gx_buf b = gx_buf_new(s->rt);
    bool ok = s->left >= 0 || read_unknown(s, h, &b);
    ok = ok && (h->fortran ? gx_array_empty_f : gx_array_empty)(s->rt, h->dtype, h->ndim, h->shape,
                                                                ns, &a);
    if (ok && h->bytes) ok = fill(s, h, &b, a);
    gx_buf_free(&b);
    if (ok)
        *out = a;
    else
        gx_array_drop(a);
    return ok;
}

bool gx_npy_read(gx_infile *s, gx_namespace ns, int64_t most, gx_array **out) {
    gx_npy h = {.dtype = GX_NO_DTYPE};
    return read_header(s, most, &h) && read_elements(s, &h, ns, out);
}

/* --- load --- */

/* The array as a map of the file. Elements that cannot be looked at where they lie (another byte
   order, or not aligned) are copied, where stores need not reach the file. */
static bool map_array(gx_infile *s, const char *path, gx_namespace ns, int64_t most, char mode,
                      gx_array **out) {
    gx_npy h = {.dtype = GX_NO_DTYPE};
    if (!read_header(s, most, &h)) return false;
    if (s->left < 0)
        return gx_fail(s->rt, GX_ValueError, "map.file",
                       "%s cannot be mapped: it is not a regular file", s->name);
    if (s->left < h.bytes) return too_short(s, &h, s->left);
    int64_t at = (int64_t)ftello(s->f);
    if (!h.swapped && !gx_is_kind(h.dtype) && gx_array_can_map(s->rt, at, h.dtype))
        return gx_map_path(s->rt, path, at, mode, &h, ns, out);
    if (mode == '+')
        return gx_fail(s->rt, GX_ValueError, "map.file",
                       "%s: mmap_mode='r+' needs numbers in this machine's byte order, aligned; "
                       "'c' and 'r' read a copy",
                       s->name);
    if (!read_elements(s, &h, ns, out)) return false;
    if (mode == 'r') (*out)->flags |= GX_ARRAY_READONLY;
    return true;
}

static bool refuse_format(gx_infile *s, const char *first, size_t n) {
    gx_rt *rt = s->rt;
    if (n == 0) return gx_fail(rt, GX_EOFError, "npy.empty", "%s: No data left in file", s->name);
    if (first[0] == '\x80') {
        gx_fail(rt, GX_ValueError, "npy.object",
                "%s contains pickled (object) data; gx does not run pickles", s->name);
        return gx_note(rt, "a pickle can run any program when it is loaded");
    }
    gx_buf text = gx_buf_new(rt);
    if (gx_str_quote(&text, first, n, true))
        gx_fail(rt, GX_ValueError, "npy.format",
                "%s is not a .npy or .npz file: it begins with %s, not with b'\\x93NUMPY' or b'PK'",
                s->name, gx_buf_text(&text));
    gx_buf_free(&text);
    return gx_note(rt, "loadtxt reads numbers written as text");
}

static bool load_fn(gx_call *c, gx_value *out) {
    bool owned;
    char mode = 0;
    int64_t most;
    gx_infile s;
    char first[GX_NPY_MAGIC];
    size_t got;
    gx_array *a;
    if (!gx_arg_int(c, 5, &most) || (gx_arg_some(c, 1) && !gx_map_mode(c, 1, &mode))) return false;
    if (mode && c->argv[0].tag != GX_STR)
        return gx_fail(c->rt, GX_ValueError, "map.file",
                       "a file is mapped by its path (a str), not %s", gx_type_name(c->argv[0]));
    if (mode == GX_MAP_CREATE)
        return gx_fail(c->rt, GX_ValueError, "map.mode",
                       "load reads what is there: mmap_mode='w+' would empty the file");
    if (!gx_infile_open(c->rt, c->argv[0], &s)) return false;
    owned = s.owned;
    bool ok = gx_infile_read(&s, first, GX_NPY_MAGIC, &got);
    if (ok && got >= 4 && memcmp(first, "PK", 2) == 0 && (first[2] == 3 || first[2] == 5))
        return gx_npz_open(&s, first, got, c->ns, out);
    if (ok && (got < GX_NPY_MAGIC || memcmp(first, gx_npy_magic, GX_NPY_MAGIC) != 0))
        ok = refuse_format(&s, first, got);
    ok = ok && (mode ? map_array(&s, gx_as_str(c->argv[0])->text, c->ns, most, mode, &a)
                     : gx_npy_read(&s, c->ns, most, &a));
    gx_infile_close(&s);
    if (!ok) return false;
    if (!mode && owned && s.left > 0 &&
        !gx_warn(c->rt, GX_UserWarning, "load: %lld bytes of %s behind the array were not read",
                 (long long)s.left, s.name)) {
        gx_array_drop(a);
        return false;
    }
    *out = gx_array_value(a);
    return true;
}

/* --- save --- */

bool gx_npy_image_of(gx_rt *rt, gx_borrowed v, gx_npy_image *out) {
    gx_npy_image m = {.header = gx_buf_new(rt)};
    gx_array *a;
    if (!gx_asarray(rt, v, GX_NO_DTYPE,
                    gx_is_array(v) ? (gx_namespace)gx_as_array(v)->ns : GX_NS_NUMPY, false, &a))
        return false;
    bool fortran = gx_array_is_contiguous(a, 'F') && !gx_array_is_contiguous(a, 'C');
    bool ok = true;
    if (fortran)
        m.array = a;
    else {
        ok = gx_array_contiguous(rt, a, &m.array);
        gx_array_drop(a);
    }
    ok = ok && gx_npy_header(m.array, fortran, &m.header) && gx_array_read(rt, m.array, &m.data);
    if (!ok) {
        gx_npy_image_free(&m);
        return false;
    }
    m.bytes = (size_t)gx_array_nbytes(m.array);
    *out = m;
    return true;
}

void gx_npy_image_free(gx_npy_image *image) {
    gx_buf_free(&image->header);
    gx_array_drop(image->array);
}

static bool save_fn(gx_call *c, gx_value *out) {
    gx_npy_image m;
    gx_outfile s;
    if (!gx_npy_image_of(c->rt, c->argv[1], &m)) return false;
    bool ok = gx_outfile_open(c->rt, c->argv[0], ".npy", false, &s);
    if (ok) {
        ok = gx_outfile_write(&s, m.header.data, m.header.length) &&
             gx_outfile_write(&s, m.data, m.bytes);
        ok = gx_outfile_done(&s, ok);
    }
    gx_npy_image_free(&m);
    if (ok) *out = gx_none();
    return ok;
}

const gx_native gx_np_npy_functions[] = {
    {"load",
     "load(file, mmap_mode=None, allow_pickle=False, fix_imports=True, encoding='ASCII', *, "
     "max_header_size=10000)",
     "The array in a .npy file, or a mapping of names to arrays for a .npz file; OSError if it is "
     "missing.",
     NULL, load_fn, 0, 0},
    {"save", "save(file, arr, allow_pickle=True, fix_imports=True)",
     "Writes an array to a .npy file, a path (.npy is added) or an open binary file.", NULL,
     save_fn, GX_NATIVE_HOST, 0},
    {.name = NULL},
};
