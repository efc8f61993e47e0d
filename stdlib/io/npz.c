/* What load gives of a .npz file: an object like a dict whose arrays are read when they are asked
   for. It owns the open file until close(). */
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"
#include "stdlib/io/npz_int.h"

typedef struct npz {
    gx_obj obj;
    gx_zip zip;
    gx_namespace ns;
    bool closed;
} npz;

static npz *self_of(gx_borrowed v) {
    return (npz *)v.obj;
}

static void free_npz(gx_rt *rt, gx_obj *o) {
    npz *f = (npz *)o;
    if (!f->closed) gx_zip_close(&f->zip);
    gx_free(rt, o);
}

/* The length of a name without ".npy". */
static size_t short_name(const char *name) {
    size_t n = strlen(name);
    return n >= 4 && strcmp(name + n - 4, ".npy") == 0 ? n - 4 : n;
}

static bool is_open(gx_rt *rt, const npz *f) {
    return !f->closed || gx_fail(rt, GX_ValueError, "npz.closed", "the .npz file is closed");
}

/* By its name, or its name without ".npy"; NULL: there is none. */
static const gx_zip_entry *find(const npz *f, gx_borrowed key) {
    const gx_zip_entry *close = NULL;
    if (key.tag != GX_STR) return NULL;
    const char *name = gx_as_str(key)->text;
    size_t n = gx_as_str(key)->length;
    for (int64_t i = 0; i < f->zip.count; i++) {
        const gx_zip_entry *e = &f->zip.entries[i];
        size_t k = short_name(e->name);
        if (strlen(e->name) == n && memcmp(e->name, name, n) == 0) return e;
        if (!close && k == n && memcmp(e->name, name, n) == 0) close = e;
    }
    return close;
}

/* An entry that is no .npy file is given as bytes. */
static bool raw(gx_infile *s, const char *first, size_t n, gx_value *out) {
    gx_buf b = gx_buf_new(s->rt);
    bool ok = gx_buf_add(&b, first, n) && gx_infile_rest(s, &b) &&
              gx_bytes_new(s->rt, gx_buf_text(&b), b.length, out);
    gx_buf_free(&b);
    return ok;
}

static bool read_entry(gx_rt *rt, npz *f, const gx_zip_entry *e, gx_value *out) {
    gx_infile s;
    void *inflated;
    char first[GX_NPY_MAGIC];
    size_t got;
    gx_array *a;
    gx_value v = gx_undef();
    if (!is_open(rt, f) || !gx_zip_entry_open(&f->zip, e, &s, &inflated)) return false;
    bool ok = gx_infile_read(&s, first, GX_NPY_MAGIC, &got);
    if (ok && got == GX_NPY_MAGIC && memcmp(first, gx_npy_magic, GX_NPY_MAGIC) == 0) {
        ok = gx_npy_read(&s, f->ns, GX_NPY_HEADER_MAX, &a);
        if (ok) v = gx_array_value(a);
    } else {
        ok = ok && raw(&s, first, got, &v);
    }
    ok = ok && gx_zip_entry_check(e, &s);
    gx_free(rt, inflated);
    if (ok)
        *out = v;
    else
        gx_drop(v);
    return ok;
}

static bool get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    npz *f = self_of(v);
    if (!is_open(rt, f)) return false;
    const gx_zip_entry *e = find(f, key);
    if (e) return read_entry(rt, f, e, out);
    gx_buf b = gx_buf_new(rt);
    if (gx_str_into(rt, key, &b))
        gx_fail(rt, GX_KeyError, "npz.key", "'%s is not a file in the archive'", gx_buf_text(&b));
    gx_buf_free(&b);
    return false;
}

static bool contains(gx_rt *rt, gx_borrowed v, gx_borrowed key, bool *out) {
    if (!is_open(rt, self_of(v))) return false;
    *out = find(self_of(v), key) != NULL;
    return true;
}

static bool length(gx_rt *rt, gx_borrowed v, int64_t *out) {
    if (!is_open(rt, self_of(v))) return false;
    *out = self_of(v)->zip.count;
    return true;
}

/* What a list holds of each entry. */
typedef enum listed { NAMES, ARRAYS, PAIRS } listed;

static bool item(gx_rt *rt, npz *f, const gx_zip_entry *e, listed what, gx_value *out) {
    gx_value pair[2];
    if (what == ARRAYS) return read_entry(rt, f, e, out);
    if (!gx_str_new(rt, e->name, short_name(e->name), &pair[0])) return false;
    if (what == NAMES) {
        *out = pair[0];
        return true;
    }
    if (read_entry(rt, f, e, &pair[1])) return gx_tuple_take(rt, 2, pair, out);
    gx_drop(pair[0]);
    return false;
}

static bool list(gx_rt *rt, npz *f, listed what, gx_value *out) {
    gx_value all, one;
    if (!is_open(rt, f) || !gx_list_new(rt, 0, NULL, &all)) return false;
    for (int64_t i = 0; i < f->zip.count; i++)
        if (!item(rt, f, &f->zip.entries[i], what, &one) || !gx_list_push_take(rt, all, one)) {
            gx_drop(all);
            return false;
        }
    *out = all;
    return true;
}

static bool iter(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_value names;
    if (!list(rt, self_of(v), NAMES, &names)) return false;
    bool ok = gx_iter(rt, names, out);
    gx_drop(names);
    return ok;
}

static bool repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    enum { SHOWN = 5 };
    (void)rt;
    const npz *f = self_of(v);
    const char *name = f->zip.file.name;
    if (f->closed) return gx_buf_puts(out, "NpzFile (closed)");
    bool path = name[0] != '<';
    if (!gx_buf_puts(out, "NpzFile ") ||
        !(path ? gx_str_quote(out, name, strlen(name), false) : gx_buf_puts(out, "'object'")) ||
        !gx_buf_puts(out, " with keys: "))
        return false;
    for (int64_t i = 0; i < f->zip.count && i < SHOWN; i++) {
        const char *key = f->zip.entries[i].name;
        if (!gx_buf_puts(out, i ? ", " : "") || !gx_buf_add(out, key, short_name(key)))
            return false;
    }
    return gx_buf_puts(out, f->zip.count > SHOWN ? "..." : "");
}

static bool names_of(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return list(rt, self_of(self), NAMES, out);
}
static bool npz_keys(gx_call *c, gx_value *out) {
    return list(c->rt, self_of(c->argv[0]), NAMES, out);
}
static bool npz_values(gx_call *c, gx_value *out) {
    return list(c->rt, self_of(c->argv[0]), ARRAYS, out);
}
static bool npz_items(gx_call *c, gx_value *out) {
    return list(c->rt, self_of(c->argv[0]), PAIRS, out);
}

static bool npz_get(gx_call *c, gx_value *out) {
    npz *f = self_of(c->argv[0]);
    if (!is_open(c->rt, f)) return false;
    const gx_zip_entry *e = find(f, c->argv[1]);
    if (e) return read_entry(c->rt, f, e, out);
    *out = gx_keep(c->argv[2]);
    return true;
}

static bool npz_close(gx_call *c, gx_value *out) {
    npz *f = self_of(c->argv[0]);
    if (!f->closed) gx_zip_close(&f->zip);
    f->closed = true;
    *out = gx_none();
    return true;
}

static bool npz_enter(gx_call *c, gx_value *out) {
    if (!is_open(c->rt, self_of(c->argv[0]))) return false;
    *out = gx_keep(c->argv[0]);
    return true;
}

static const gx_native methods[] = {
    {"keys", "keys(self)", "The names of the arrays.", NULL, npz_keys, 0, 0},
    {"values", "values(self)", "The arrays.", NULL, npz_values, 0, 0},
    {"items", "items(self)", "Pairs of name and array.", NULL, npz_items, 0, 0},
    {"get", "get(self, key, default=None)", "An array, or the default.", NULL, npz_get, 0, 0},
    {"close", "close(self)", "Closes the file.", NULL, npz_close, 0, 0},
    {"__enter__", "__enter__(self)", "The object itself.", NULL, npz_enter, 0, 0},
    {"__exit__", "__exit__(self, *args)", "Closes the file.", NULL, npz_close, 0, 0},
    {.name = NULL},
};
static const gx_member members[] = {{"files", names_of, NULL, "The names of the arrays."},
                                    {.name = NULL}};

static const gx_type npz_type = {
    .name = "numpy.lib.npyio.NpzFile",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .doc = "The arrays of a .npz file by name.",
    .free = free_npz,
    .repr = repr,
    .length = length,
    .get = get,
    .contains = contains,
    .iter = iter,
    .methods = methods,
    .members = members,
};

bool gx_npz_open(gx_infile *s, const char *first, size_t n, gx_namespace ns, gx_value *out) {
    npz *f = gx_obj_new(s->rt, &npz_type, sizeof *f);
    if (!f) {
        gx_infile_close(s);
        return false;
    }
    f->ns = ns;
    if (!gx_zip_open(s, first, n, &f->zip)) {
        f->closed = true;
        gx_drop(gx_object(&f->obj));
        return false;
    }
    *out = gx_object(&f->obj);
    return true;
}
