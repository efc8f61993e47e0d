/* Calls of functions that are written in gx. A text is parsed when one of its functions is first
   called, once for numpy and once for cupy, and costs nothing before. Mistakes are told at the
   script's call (interp/errors/locate.c). */
#include "stdlib/library/text.h"

#include <stdio.h>
#include <string.h>

#include "runtime/array/array.h"
#include "runtime/array/array_class.h"
#include "runtime/array/shape.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/native_body.h"
#include "runtime/object/still.h"
#include "runtime/object/text/str.h"
#include "runtime/object/use.h"
#include "runtime/op/linalg.h"
#include "runtime/op/whole.h"
#include "stdlib/common.h"
#include "stdlib/library/texts.h"
#include "stdlib/stdlib.h"

static gx_namespace namespace_of(const gx_call *c) {
    for (int i = 0; i < c->argc; i++)
        if (gx_is_array(c->argv[i])) {
            gx_namespace ns = (gx_namespace)gx_as_array(c->argv[i])->ns;
            return ns == GX_NS_NUMPY ? ns : GX_NS_CUPY;
        }
    return c->ns == GX_NS_NUMPY ? GX_NS_NUMPY : GX_NS_CUPY;
}

bool gx_library_name(gx_rt *rt, const char *title, const gx_compressed *text, gx_namespace ns,
                     const char *name, gx_value *out) {
    gx_value module;
    gx_sym sym = gx_sym_c(rt, name);
    if (!sym || !gx_library_module(rt, title, text, ns, &module)) return false;
    gx_try found = gx_module_get(rt, gx_as_module(module), sym, out);
    gx_drop(module);
    return found == GX_TRY_YES ||
           (found == GX_TRY_NO &&
            gx_fail(rt, GX_RuntimeError, "internal.library", "%s has no %s", title, name));
}

/* A function of the text NAME, by the interpreter run once for numpy and once for cupy. */
static bool find(gx_rt *rt, const char *name, const gx_compressed *text, gx_namespace ns,
                 const char *function, gx_value *out) {
    char title[64];
    snprintf(title, sizeof title, "<%s%s>", name, ns == GX_NS_NUMPY ? "" : ", for cupy");
    return gx_library_name(rt, title, text, ns, function, out);
}

bool gx_library_value(gx_rt *rt, const char *name, const gx_compressed *text, gx_namespace ns,
                      const char *what, gx_value *out) {
    return find(rt, name, text, ns == GX_NS_NUMPY ? ns : GX_NS_CUPY, what, out);
}

static bool call_in(gx_call *c, gx_namespace ns, const char *name, const gx_compressed *text,
                    gx_value *out) {
    const gx_span here = c->rt->here;
    gx_value *body = gx_native_body(c->rt, c->fn, ns != GX_NS_NUMPY);
    GX_STILL(fn);
    if (!body) return false;
    if (body->tag != GX_UNDEF) fn = gx_keep(*body);
    else if (!find(c->rt, name, text, ns, c->fn->name, &fn)) return false;
    if (body->tag == GX_UNDEF) *body = gx_keep(fn);
    gx_use_hands_on(c);
    bool ok = gx_native_forward(c, fn, out);
    c->rt->here = here;
    return ok;
}

bool gx_library_call(gx_call *c, const char *name, const gx_compressed *text, gx_value *out) {
    return call_in(c, namespace_of(c), name, text, out);
}

bool gx_library_call_one(gx_call *c, const char *name, const gx_compressed *text, gx_value *out) {
    return call_in(c, GX_NS_NUMPY, name, text, out);
}

bool gx_library_pass(gx_call *c, const char *name, const gx_compressed *text, const char *function,
                     int argc, const gx_borrowed *argv, gx_value *out) {
    const gx_span here = c->rt->here;
    gx_value fn;
    if (!find(c->rt, name, text, namespace_of(c), function, &fn)) return false;
    gx_use_hands_on(c);
    bool ok = gx_call_value(c->rt, fn, argc, argv, 0, NULL, out);
    gx_drop(fn);
    c->rt->here = here;
    return ok;
}

/* --- what only these texts have --- */

/* What computes with an array of a class sees: the elements, without asking the class. */
static bool plain_fn(gx_call *c, gx_value *out) {
    gx_array *a;
    if (!gx_is_class_array(c->argv[0])) {
        *out = gx_keep(c->argv[0]);
        return true;
    }
    if (!gx_array_plain(c->rt, gx_as_array(c->argv[0]), &a)) return false;
    *out = gx_array_value(a);
    return true;
}

static bool one_storage_fn(gx_call *c, gx_value *out) {
    gx_value a = c->argv[0], b = c->argv[1];
    *out = gx_bool(gx_is_array(a) && gx_is_array(b) &&
                   gx_as_array(a)->storage == gx_as_array(b)->storage);
    return true;
}

static bool coded_fn(gx_call *c, gx_value *out) {
    const char *code, *help;
    size_t length;
    if (!gx_arg_str(c, 0, &code, &length)) return false;
    if (c->argv[1].tag != GX_EXCEPTION) return gx_arg_wrong(c, 1, "an exception");
    gx_exception *e = gx_as_exception(c->argv[1]);
    snprintf(e->code, sizeof e->code, "%s", code);
    if (gx_arg_some(c, 2)) { /* as if it had been raised before: the fix is kept */
        if (!gx_arg_str(c, 2, &help, &length)) return false;
        gx_exception_raise(c->rt, c->argv[1]);
        gx_help(c->rt, "%s", help);
        return gx_exception_from_error(c->rt, out);
    }
    *out = gx_keep(c->argv[1]);
    return true;
}

static bool near_fn(gx_call *c, gx_value *out) {
    enum { MOST = 64 };
    const char *name, *near, *names[MOST];
    const gx_value *items;
    size_t length, count = 0;
    if (!gx_arg_str(c, 0, &name, &length)) return false;
    const int64_t n = gx_sequence_items(c->argv[1], &items);
    for (int64_t i = 0; i < n && count < MOST; i++)
        if (items[i].tag == GX_STR) names[count++] = gx_as_str(items[i])->text;
    near = gx_near_name(name, names, count);
    if (near) return gx_str_c(c->rt, near, out);
    *out = gx_none();
    return true;
}

static bool raw_fn(gx_call *c, gx_value *out) {
    int ndim;
    int64_t shape[GX_MAX_DIMS], count;
    gx_array *r;
    if (!gx_is_array(c->argv[0])) return gx_arg_wrong(c, 0, "an array");
    gx_array *like = gx_as_array(c->argv[0]);
    if (!gx_shape_of(c->rt, c->argv[1], GX_SIZES_PLAIN, "raw", &ndim, shape) ||
        !gx_shape_count(c->rt, ndim, shape, gx_dtype_size(like->dtype), &count) ||
        !gx_array_empty_near(c->rt, 1, &like, (gx_dtype)like->dtype, ndim, shape,
                         (gx_namespace)like->ns, &r))
        return false;
    *out = gx_array_value(r);
    return true;
}

/* A work array of the text's: float32, float64, complex64 or complex128 in C order, n by any. */
static bool is_matrix(const gx_array *a) {
    return a->ndim == 2 && gx_array_is_contiguous(a, 'C') &&
           (a->dtype == GX_f32 || a->dtype == GX_f64 || a->dtype == GX_c64 || a->dtype == GX_c128);
}

static bool lu_in_place_fn(gx_call *c, gx_value *out) {
    int64_t info = 0;
    gx_array *pivots;
    gx_array *a = gx_is_array(c->argv[0]) ? gx_as_array(c->argv[0]) : NULL;
    if (!a || !is_matrix(a) || gx_shape(a)[0] != gx_shape(a)[1])
        return gx_arg_wrong(c, 0, "a square matrix in C order");
    if (!gx_array_empty(c->rt, GX_i64, 1, gx_shape(a), GX_NS_NUMPY, &pivots)) return false;
    char *to;
    if (!gx_array_write(c->rt, pivots, &to) ||
        (a->count && !gx_linalg_lu(c->rt, a, (int64_t *)(void *)to, &info))) {
        gx_array_drop(pivots);
        return false;
    }
    const gx_value pair[2] = {gx_array_value(pivots), gx_int(info)};
    bool ok = gx_tuple_new(c->rt, 2, pair, out);
    gx_array_drop(pivots);
    return ok;
}

static bool triangle_in_place_fn(gx_call *c, gx_value *out) {
    gx_triangle t = {.transposed = 0};
    int64_t transposed;
    gx_array *a = gx_is_array(c->argv[0]) ? gx_as_array(c->argv[0]) : NULL;
    gx_array *b = gx_is_array(c->argv[1]) ? gx_as_array(c->argv[1]) : NULL;
    if (!a || !is_matrix(a) || gx_shape(a)[0] != gx_shape(a)[1])
        return gx_arg_wrong(c, 0, "a square matrix in C order");
    if (!b || !is_matrix(b) || b->dtype != a->dtype || gx_shape(b)[0] != gx_shape(a)[0])
        return gx_arg_wrong(c, 1, "a matrix of its dtype in C order, with as many rows");
    if (!gx_arg_bool(c, 2, &t.lower) || !gx_arg_bool(c, 3, &t.unit) ||
        !gx_arg_int(c, 4, &transposed))
        return false;
    t.dtype = (uint8_t)a->dtype;
    t.transposed = (int)transposed;
    t.n = gx_shape(a)[0];
    t.m = gx_shape(b)[1];
    if (!gx_linalg_triangle(c->rt, &t, a, b)) return false;
    *out = gx_none();
    return true;
}

const gx_native gx_library_natives[] = {
    {"coded", "coded(code, exception, help=None, /)",
     "The exception, with gx's stable code of the error, and a fix.", NULL, coded_fn, 0, 0},
    {"plain", "plain(x, /)", "A view of type ndarray of an array of a class; anything else itself.",
     NULL, plain_fn, GX_NATIVE_CLASSES, 0},
    {"one_storage", "one_storage(a, b, /)", "Are both arrays views of the same elements?", NULL,
     one_storage_fn, GX_NATIVE_CLASSES, 0},
    {"near", "near(name, names, /)", "The name in a list that is most like one, or None.", NULL,
     near_fn, 0, 0},
    {"lu_in_place", "lu_in_place(a, /)",
     "A fresh square matrix becomes its LU factors: the rows that were swapped, and 0 or the "
     "number (from 1) of a pivot that is 0.",
     NULL, lu_in_place_fn, 0, 0},
    {"triangle_in_place", "triangle_in_place(a, b, lower, unit, transposed, /)",
     "A fresh matrix b becomes the solution of a triangular system.", NULL, triangle_in_place_fn, 0,
     0},
    {"raw", "raw(like, shape, /)",
     "An array of like's dtype and device whose elements are all to be stored.", NULL, raw_fn, 0,
     0},
    {.name = NULL},
};

/* Texts that have names of a module beside its rows: those of their __all__. They run when a name
   is asked for that has no row. */
static const struct further {
    const char *module;
    const gx_compressed *text;
} furthers[] = {
    {"cupy", gx_library_text_cuda_cupy},
    {"cupy.cuda", gx_library_text_cuda_cuda},
    {"cupy.cuda.runtime", gx_library_text_cuda_runtime},
    {"cupy.fft", gx_library_text_cuda_fft},
    {"cupy.random", gx_library_text_cuda_random},
    {"cupy.testing", gx_library_text_cuda_testing},
    {"cupyx", gx_library_text_cuda_cupyx},
    {"cupyx.scipy", gx_library_text_cuda_scipy},
};

static const struct further *further_of(gx_rt *rt, const gx_module *m) {
    const char *module = gx_sym_text(rt, m->name);
    for (size_t i = 0; i < sizeof furthers / sizeof *furthers; i++)
        if (m->ns == GX_NS_CUPY && strcmp(furthers[i].module, module) == 0) return &furthers[i];
    return NULL;
}

static bool value_of(gx_rt *rt, const struct further *f, const char *name, gx_value *out) {
    char title[64];
    snprintf(title, sizeof title, "<%s>", f->module);
    return gx_library_name(rt, title, f->text, GX_NS_CUPY, name, out);
}

typedef struct wanted {
    const char *name;
    bool there;
} wanted;

static void compare(const char *name, void *ctx) {
    wanted *w = ctx;
    w->there = w->there || strcmp(w->name, name) == 0;
}

static bool each_of(gx_rt *rt, const struct further *f, void (*fn)(const char *name, void *ctx),
                    void *ctx) {
    gx_value names;
    if (!value_of(rt, f, "__all__", &names)) return false;
    const gx_tuple *t = gx_as_tuple(names);
    for (int64_t i = 0; i < t->count; i++) fn(gx_as_str(t->items[i])->text, ctx);
    gx_drop(names);
    return true;
}

void gx_library_each_further(gx_rt *rt, const gx_module *m, void (*fn)(const char *name, void *ctx),
                             void *ctx) {
    const struct further *f = further_of(rt, m);
    if (f && !each_of(rt, f, fn, ctx)) gx_error_clear(rt);
}

gx_try gx_library_further(gx_rt *rt, const gx_module *m, const char *name, gx_value *out) {
    const struct further *f = *name == '_' ? NULL : further_of(rt, m);
    wanted w = {name, false};
    if (f && !each_of(rt, f, compare, &w)) return GX_TRY_ERROR;
    if (f && !w.there) return GX_TRY_NO;
    if (f) return value_of(rt, f, name, out) ? GX_TRY_YES : GX_TRY_ERROR;
    if (strcmp(gx_sym_text(rt, m->name), "numpy") != 0 || strcmp(name, "typing") != 0)
        return gx_python_further(rt, m, name, out);
    return gx_library_module(rt, "numpy.typing", gx_library_text_numpy_typing, GX_NS_NUMPY, out)
               ? GX_TRY_YES
               : GX_TRY_ERROR;
}
