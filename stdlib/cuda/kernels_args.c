/* The arguments of a launch: arrays for pointers, numbers for values, each checked against the type
   that the compiler told. CuPy hands over whatever comes; here float64 data never becomes float. */
#include <stdio.h>
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/native.h"
#include "runtime/object/number/number.h"
#include "runtime/object/still.h"
#include "runtime/object/text/str.h"
#include "runtime/op/ufunc.h"
#include "stdlib/cuda/kernels_int.h"

bool gx_kernel_size(gx_rt *rt, const gx_raw_entry *e, gx_borrowed v, const char *what,
                    int64_t out[3]) {
    const gx_value *items = &v;
    int64_t n;
    GX_STILL(own);
    if (!gx_still_items(rt, v, &own, &items, &n)) return false;
    if (n < 0) {
        items = &v;
        n = 1;
    }
    out[0] = out[1] = out[2] = 1;
    if (n < 1 || n > 3)
        return gx_fail(rt, GX_ValueError, "launch.size",
                       "%s: the %s has one to three sizes, not %lld", e->name, what, (long long)n);
    for (int64_t k = 0; k < n; k++) {
        gx_try is = gx_as_index(rt, items[k], &out[k]);
        if (is == GX_TRY_ERROR) return false;
        if (is == GX_TRY_NO) {
            gx_fail(rt, GX_TypeError, "launch.size", "%s: the %s is made of integers, not %s",
                    e->name, what, gx_type_name(items[k]));
            if (items[k].tag == GX_FLOAT) gx_help(rt, "integer division: (n + 255) // 256");
            return false;
        }
        if (out[k] < 0)
            return gx_fail(rt, GX_ValueError, "launch.size", "%s: a negative size of the %s: %lld",
                           e->name, what, (long long)out[k]);
    }
    return true;
}

/* A block of one dimension that is too large: as many threads in blocks of 256. */
static void help_split(const gx_kernel *k, const gx_raw_entry *e, const gx_shape3 *s) {
    const int64_t *g = s->grid, *b = s->block;
    if (b[0] < 1 || b[1] != 1 || b[2] != 1 || g[1] != 1 || g[2] != 1 || g[0] < 1 ||
        g[0] > INT32_MAX || b[0] > INT32_MAX)
        return;
    bool counts = strstr(k->raw->source, "blockIdx") != NULL;
    gx_help(k->raw->rt, "%s[%lld, 256] has as many threads%s", e->name,
            (long long)((g[0] * b[0] + 255) / 256),
            counts ? "" : "; in the kernel, i = blockIdx.x * blockDim.x + threadIdx.x");
}

static bool check_size(gx_rt *rt, const gx_kernel *kernel, const gx_shape3 *s) {
    enum { THREADS = 1024, SHARED = 227 << 10 };
    const gx_raw_entry *e = &kernel->raw->entry[kernel->entry];
    int64_t threads = s->block[0] * s->block[1] * s->block[2];
    for (int k = 0; k < 3; k++) {
        if (s->block[k] >= 1 && s->block[k] <= THREADS) continue;
        gx_fail(rt, GX_ValueError, "launch.threads",
                "%s: a block of %lld x %lld x %lld threads; a GPU takes 1 to %d in all", e->name,
                (long long)s->block[0], (long long)s->block[1], (long long)s->block[2], THREADS);
        help_split(kernel, e, s);
        return false;
    }
    if (threads <= THREADS && threads > e->max_threads)
        return gx_fail(rt, GX_ValueError, "launch.threads",
                       "%s: %lld threads per block; its __launch_bounds__ allow %d", e->name,
                       (long long)threads, e->max_threads);
    if (threads > THREADS || s->block[2] > 64) {
        gx_fail(rt, GX_ValueError, "launch.threads",
                "%s: %lld threads per block; a GPU allows %d, and 64 in the third dimension",
                e->name, (long long)threads, THREADS);
        gx_help(rt, "a larger grid of smaller blocks: 256 threads are a good start");
        return false;
    }
    if (s->grid[0] > INT32_MAX || s->grid[1] > 65535 || s->grid[2] > 65535)
        return gx_fail(rt, GX_ValueError, "launch.grid",
                       "%s: a grid of %lld x %lld x %lld blocks; a GPU allows 2147483647 x 65535 x "
                       "65535",
                       e->name, (long long)s->grid[0], (long long)s->grid[1],
                       (long long)s->grid[2]);
    if (s->shared < 0 || s->shared + e->shared > SHARED)
        return gx_fail(rt, GX_ValueError, "launch.shared",
                       "%s: %lld bytes of shared memory (%lld of them static); a GPU has %d",
                       e->name, (long long)(s->shared + e->shared), (long long)e->shared, SHARED);
    return true;
}

/* "parameter 'A'", or its number when the text does not name it. */
static void name_param(const gx_raw_entry *e, int p, char *to, size_t room) {
    if (e->param[p].name[0])
        snprintf(to, room, "parameter '%s'", e->param[p].name);
    else
        snprintf(to, room, "parameter %d", p + 1);
}

static const char *c_type(const gx_raw_param *q) {
    return q->type[0] ? q->type : q->pointer ? "a pointer" : "a value";
}

/* A description of what came: "a float64 array", "float". */
static void describe(gx_borrowed v, char *to, size_t room) {
    if (gx_is_array(v))
        snprintf(to, room, "%s %s array",
                 gx_dtypes[gx_as_array(v)->dtype].name[0] == 'i' ? "an" : "a",
                 gx_dtypes[gx_as_array(v)->dtype].name);
    else
        snprintf(to, room, "%s", gx_type_name(v));
}

static bool wrong(gx_rt *rt, const gx_raw_entry *e, int p, gx_borrowed v) {
    char who[80], came[64];
    name_param(e, p, who, sizeof who);
    describe(v, came, sizeof came);
    return gx_fail(rt, GX_TypeError, "kernel.arg", "%s: %s is %s, but %s was given", e->name, who,
                   c_type(&e->param[p]), came);
}

static bool same_bytes(gx_dtype have, gx_dtype want, const gx_raw_param *q) {
    if (have == want) return true;
    bool bytes = want == GX_i8 && strstr(q->type, "char") && !strstr(q->type, "signed");
    return bytes && gx_dtypes[have].bytes == 1;
}

static bool convert_array(gx_rt *rt, const gx_raw_entry *e, int p, gx_borrowed v, gx_raw_arg *out) {
    const gx_raw_param *q = &e->param[p];
    if (v.tag == GX_NONE) return true; /* a null pointer */
    if (!gx_is_array(v)) {
        wrong(rt, e, p, v);
        gx_help(rt, "a pointer takes an array, None for a null pointer");
        return false;
    }
    gx_array *a = gx_as_array(v);
    if (q->kind != GX_NO_DTYPE && !same_bytes((gx_dtype)a->dtype, q->kind, q)) {
        wrong(rt, e, p, v);
        if (q->name[0]) gx_help(rt, "%s.astype('%s')", q->name, gx_dtypes[q->kind].name);
        gx_about(rt, 2, (int64_t[]){q->kind, a->dtype});
        return false;
    }
    if (!gx_array_is_contiguous(a, 'C') && !gx_array_is_contiguous(a, 'F')) {
        char who[80];
        name_param(e, p, who, sizeof who);
        gx_fail(
            rt, GX_ValueError, "kernel.strided",
            "%s: %s got a view whose elements do not lie one after the other; a kernel sees only "
            "the memory",
            e->name, who);
        if (q->name[0]) gx_help(rt, "ascontiguousarray(%s)", q->name);
        return false;
    }
    bool reads = e->known && q->constant;
    if (!reads && (a->flags & GX_ARRAY_READONLY)) {
        char who[80];
        name_param(e, p, who, sizeof who);
        return gx_fail(rt, GX_ValueError, "kernel.readonly",
                       "%s: %s is %s, which may be written, but the array is read-only", e->name,
                       who, c_type(q));
    }
    out->array = a;
    return true;
}

/* A number for a parameter of a number type. */
static bool convert_number(gx_rt *rt, const gx_raw_entry *e, int p, gx_borrowed v,
                           gx_raw_arg *out) {
    const gx_raw_param *q = &e->param[p];
    gx_scalar s;
    gx_operand kind = gx_operand_kind(v);
    int want = gx_dtype_kind(q->kind);
    bool integral = want == GX_KIND_INT || want == GX_KIND_UINT || want == GX_KIND_BOOL;
    bool one = kind == GX_OPERAND_WEAK || kind == GX_OPERAND_SCALAR ||
               (kind == GX_OPERAND_ARRAY && gx_as_array(v)->ndim == 0);
    if (!one) {
        wrong(rt, e, p, v);
        if (kind == GX_OPERAND_ARRAY)
            gx_help(rt, "a value takes a number: one element of the array");
        return false;
    }
    bool fraction = v.tag == GX_FLOAT ||
                    ((v.tag == GX_SCALAR || v.tag == GX_SCALAR_BOX) &&
                     gx_dtype_kind(gx_scalar_dtype(v)) >= GX_KIND_FLOAT) ||
                    (v.tag == GX_ARRAY && gx_dtype_kind(gx_as_array(v)->dtype) >= GX_KIND_FLOAT);
    if (integral && fraction) {
        wrong(rt, e, p, v);
        if (q->name[0]) gx_help(rt, "int(%s)", q->name);
        return false;
    }
    if (want != GX_KIND_CPLX && v.tag == GX_COMPLEX) return wrong(rt, e, p, v);
    if (!gx_scalar_from(rt, v, q->kind, &s)) {
        char who[80];
        name_param(e, p, who, sizeof who);
        if (rt->error.kind == GX_OverflowError)
            gx_note(rt, "%s of %s is %s", who, e->name, c_type(q));
        return false;
    }
    memcpy(out->bytes, &s, (size_t)gx_dtypes[q->kind].bytes);
    return true;
}

/* A struct, or a parameter the compiler told nothing of. */
static bool convert_unknown(gx_rt *rt, const gx_raw_entry *e, int p, gx_borrowed v,
                            gx_raw_arg *out) {
    const gx_raw_param *q = &e->param[p];
    if (v.tag == GX_BYTES) {
        const gx_str *b = gx_as_str(v);
        if ((int64_t)b->length != q->size || q->size > (int)sizeof out->bytes) {
            char who[80];
            name_param(e, p, who, sizeof who);
            return gx_fail(rt, GX_ValueError, "kernel.arg",
                           "%s: %s is %s, a struct of %d bytes, but %lld bytes were given", e->name,
                           who, c_type(q), q->size, (long long)b->length);
        }
        memcpy(out->bytes, b->text, (size_t)q->size);
        return true;
    }
    if (e->known) {
        wrong(rt, e, p, v);
        gx_help(rt, "a struct takes bytes of its size, %d", q->size);
        return false;
    }
    if (gx_is_array(v) && q->size == 8) return convert_array(rt, e, p, v, out);
    bool fraction = v.tag == GX_FLOAT;
    gx_raw_entry known = {.name = e->name, .n_param = 1};
    known.param[0] = *q;
    if (fraction)
        known.param[0].kind = q->size == 4 ? GX_f32 : GX_f64;
    else
        known.param[0].kind = q->size == 8   ? GX_i64
                              : q->size == 4 ? GX_i32
                              : q->size == 2 ? GX_i16
                                             : GX_i8;
    if (v.tag == GX_SCALAR || v.tag == GX_SCALAR_BOX) known.param[0].kind = gx_scalar_dtype(v);
    return convert_number(rt, &known, 0, v, out);
}

static bool convert(gx_rt *rt, const gx_raw_entry *e, int p, gx_borrowed v, gx_raw_arg *out) {
    const gx_raw_param *q = &e->param[p];
    if (q->pointer) return convert_array(rt, e, p, v, out);
    bool number = e->known && q->kind != GX_NO_DTYPE;
    bool pair = number && gx_dtype_kind(q->kind) == GX_KIND_CPLX; /* float2: its bytes, too */
    if (number && !(pair && v.tag == GX_BYTES)) return convert_number(rt, e, p, v, out);
    return convert_unknown(rt, e, p, v, out);
}

bool gx_kernel_launch(gx_rt *rt, gx_kernel *k, const gx_shape3 *size, int64_t n,
                      const gx_borrowed *args) {
    const gx_raw_entry *e = &k->raw->entry[k->entry];
    if (!check_size(rt, k, size)) return false;
    if (n != e->n_param) {
        gx_buf list = gx_buf_new(rt);
        bool ok = true;
        for (int p = 0; p < e->n_param && ok; p++)
            ok = gx_buf_printf(&list, "%s%s %s", p ? ", " : "", e->param[p].type, e->param[p].name);
        gx_fail(rt, GX_TypeError, "kernel.args", "%s takes %d argument%s but %lld were given",
                e->name, e->n_param, e->n_param == 1 ? "" : "s", (long long)n);
        if (ok) gx_note(rt, "%s(%s)", e->name, gx_buf_text(&list));
        gx_buf_free(&list);
        return false;
    }
    gx_raw_arg *list = gx_alloc_zero(rt, (size_t)(n + 1) * sizeof *list);
    if (!list) return false;
    bool ok = true;
    for (int p = 0; p < n && ok; p++) ok = convert(rt, e, p, args[p], &list[p]);
    bool any = size->grid[0] > 0 && size->grid[1] > 0 && size->grid[2] > 0;
    if (ok && any) ok = gx_raw_launch(k->raw, k->entry, size, list);
    gx_free(rt, list);
    return ok;
}
