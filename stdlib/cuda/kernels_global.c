/* What RawModule.get_global gives: a variable of a module that kernels of a script share, to be
   filled from an array and read back. CuPy has its bare address there. */
#include <string.h>

#include "runtime/object/native.h"
#include "runtime/object/text/str.h"
#include "stdlib/cuda/kernels_int.h"
#include "stdlib/numpy/base/scope.h"

typedef struct global {
    gx_obj obj;
    gx_raw *raw;
    char *name; /* owned */
    int64_t bytes;
} global;

static global *as_global(gx_borrowed v) {
    return (global *)(void *)v.obj;
}

static void free_global(gx_rt *rt, gx_obj *o) {
    global *g = (global *)(void *)o;
    gx_raw_drop(g->raw);
    gx_free(rt, g->name);
    gx_free(rt, g);
}

static bool repr_global(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    return gx_buf_printf(out, "<variable %s of %lld bytes>", as_global(v)->name,
                         (long long)as_global(v)->bytes);
}

static bool get_size(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(as_global(self)->bytes);
    return true;
}

/* g.copy_from(x): the bytes of an array */
static bool copy_from_fn(gx_call *c, gx_value *out) {
    global *g = as_global(c->argv[0]);
    if (!gx_is_array(c->argv[1])) return gx_arg_wrong(c, 1, "an array");
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_contiguous(&s, gx_np_keep(&s, gx_as_array(c->argv[1])));
    const char *from;
    bool ok = a != NULL;
    if (ok && gx_array_nbytes(a) > g->bytes)
        ok = gx_fail(c->rt, GX_ValueError, "kernel.global",
                     "%s has room for %lld bytes, the array has %lld", g->name, (long long)g->bytes,
                     (long long)gx_array_nbytes(a));
    ok = ok && gx_array_read(c->rt, a, &from) &&
         gx_raw_global_put(g->raw, g->name, from, gx_array_nbytes(a));
    *out = gx_none();
    return gx_np_end(&s, ok);
}

/* g.array(dtype): a new array of what it holds */
static bool array_fn(gx_call *c, gx_value *out) {
    global *g = as_global(c->argv[0]);
    gx_dtype d = GX_u8;
    char *to;
    if (gx_arg_some(c, 1) && !gx_dtype_of(c->rt, c->argv[1], &d)) return false;
    int64_t item = gx_dtype_size(d), n = g->bytes / item;
    if (n * item != g->bytes)
        return gx_fail(c->rt, GX_ValueError, "kernel.global", "%s has %lld bytes: no whole %s",
                       g->name, (long long)g->bytes, gx_dtypes[d].name);
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_empty(&s, d, 1, &n);
    bool ok =
        a && gx_array_write(c->rt, a, &to) && gx_raw_global_get(g->raw, g->name, to, g->bytes);
    if (ok) *out = gx_keep(gx_np_value(a));
    return gx_np_end(&s, ok);
}

static const gx_member members[] = {
    {"size", get_size, NULL, "Its bytes."},
    {NULL, NULL, NULL, NULL},
};

static const gx_native methods[] = {
    {"copy_from", "copy_from(self, a)", "Fills it with the bytes of an array.", NULL, copy_from_fn,
     0, 0},
    {"copy_from_host", "copy_from_host(self, a)", "Fills it with the bytes of an array.", NULL,
     copy_from_fn, 0, 0},
    {"array", "array(self, dtype='uint8')", "A new array of what it holds.", NULL, array_fn, 0, 0},
    {.name = NULL},
};

static const gx_type global_type = {.name = "kernel variable",
                                    .dtype = GX_NO_DTYPE,
                                    .tag = GX_OBJECT,
                                    .doc = "A variable of a module of kernels.",
                                    .free = free_global,
                                    .repr = repr_global,
                                    .members = members,
                                    .methods = methods};

bool gx_kernel_global(gx_rt *rt, gx_raw *raw, const char *name, gx_value *out) {
    int64_t bytes;
    if (!gx_raw_global(raw, name, &bytes)) return false;
    global *g = gx_obj_new(rt, &global_type, sizeof *g);
    if (!g) return false;
    raw->refs++;
    g->raw = raw;
    g->bytes = bytes;
    size_t n = strlen(name);
    g->name = gx_alloc(rt, n + 1);
    gx_value v = gx_object(&g->obj);
    if (!g->name) {
        gx_drop(v);
        return false;
    }
    memcpy(g->name, name, n + 1);
    *out = v;
    return true;
}
