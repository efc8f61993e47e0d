/* The arguments of a launch: arrays for pointers, numbers for values, each checked against the type
   that the compiler told. CuPy hands over whatever comes; here float64 data never becomes float. */
#include <stdio.h>
#include <string.h>

#include "runtime/array/kind/record.h"
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
    if (!s->sized && (s->grid[0] == 0 || s->grid[1] == 0 || s->grid[2] == 0)) {
        gx_fail(rt, GX_ValueError, "launch.grid",
                "%s: a grid of %lld x %lld x %lld blocks runs nothing", e->name,
                (long long)s->grid[0], (long long)s->grid[1], (long long)s->grid[2]);
        gx_help(rt, "rounded up: (n + %lld) // %lld blocks for n threads; or %s(…, size=n)",
                (long long)s->block[0] - 1, (long long)s->block[0], e->name);
        return false;
    }
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

/* May a pointer to q's type look at elements of `have`? float4* looks at float32, float2* at
   complex64, too, char* at any bytes. */
static bool same_bytes(gx_dtype have, const gx_raw_param *q) {
    if (have == q->kind) return true;
    bool pair = (q->kind == GX_f32 && have == GX_c64) || (q->kind == GX_f64 && have == GX_c128);
    if (pair && q->lanes == 2) return true;
    bool bytes = q->kind == GX_i8 && strstr(q->type, "char") && !strstr(q->type, "signed");
    return bytes && gx_dtypes[have].bytes == 1;
}

/* A pointer to vectors: rows are made of whole ones, and they begin where the hardware reads them.
 */
static bool check_lanes(gx_rt *rt, const gx_raw_entry *e, int p, const gx_array *a) {
    const gx_raw_param *q = &e->param[p];
    const bool pairs = gx_dtype_kind((gx_dtype)a->dtype) == GX_KIND_CPLX;
    int64_t last = a->ndim ? gx_shape(a)[a->ndim - 1] : 1;
    char who[80];
    name_param(e, p, who, sizeof who);
    if (!pairs && a->count && last % q->lanes != 0) {
        gx_fail(rt, GX_ValueError, "kernel.lanes",
                "%s: %s is %s, %d elements at once, but rows of %lld elements were given", e->name,
                who, c_type(q), q->lanes, (long long)last);
        gx_note(rt, "the last axis has to be a multiple of %d: pad the array with zeros", q->lanes);
        return false;
    }
    if (q->align > 1 && a->offset % q->align != 0) {
        gx_fail(rt, GX_ValueError, "kernel.aligned",
                "%s: %s is %s, whose address is a multiple of %d bytes, but a view that begins at "
                "byte %lld of its array was given",
                e->name, who, c_type(q), q->align, (long long)a->offset);
        gx_note(rt, "a copy begins at such an address: copy before the call, %s = %s.copy()",
                q->name[0] ? q->name : "x", q->name[0] ? q->name : "x");
        return false;
    }
    return true;
}

/* A fix for an argument that has to be another array. A kernel that writes gets it before the call:
   what is written into a temporary is lost. */
static bool help_convert(gx_rt *rt, const gx_raw_param *q, const char *before, const char *behind) {
    if (!q->name[0]) return false;
    if (q->constant) return gx_help(rt, "%s%s%s", before, q->name, behind);
    return gx_help(rt, "convert before the call: %s = %s%s%s", q->name, before, q->name, behind);
}

/* Does the array lie as the kernel, which sees only memory, will read it? Arrays that were made in
   Fortran's order are meant so; a transposed view is a mistake. */
static bool check_order(gx_rt *rt, const gx_raw_entry *e, int p, const gx_array *a) {
    const gx_raw_param *q = &e->param[p];
    bool column = gx_array_is_contiguous(a, 'F');
    char who[80];
    if (gx_array_is_contiguous(a, 'C') || (column && !a->base)) return true;
    name_param(e, p, who, sizeof who);
    gx_fail(rt, GX_ValueError, "kernel.strided",
            column ? "%s: %s got a transposed view; a kernel sees only the memory, and in that the "
                     "rows are columns"
                   : "%s: %s got a view whose elements do not lie one after the other; a kernel "
                     "sees only the memory",
            e->name, who);
    help_convert(rt, q, "ascontiguousarray(", ")");
    return false;
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
    if (!gx_is_number_dtype(a->dtype)) return wrong(rt, e, p, v);
    if (q->kind != GX_NO_DTYPE && !same_bytes((gx_dtype)a->dtype, q)) {
        char cast[48];
        wrong(rt, e, p, v);
        snprintf(cast, sizeof cast, ".astype('%s')", gx_dtypes[q->kind].name);
        help_convert(rt, q, "", cast);
        gx_about(rt, 2, (int64_t[]){q->kind, a->dtype});
        return false;
    }
    if (!check_order(rt, e, p, a) || (q->lanes > 1 && !check_lanes(rt, e, p, a))) return false;
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

/* Bytes for a struct or a vector. */
/* A struct by value: bytes, or a record of its size. */
static bool is_struct(gx_borrowed v) {
    return v.tag == GX_BYTES ||
           (gx_is_array(v) && gx_as_array(v)->count == 1 && gx_is_void(gx_as_array(v)->dtype));
}

static bool convert_struct(gx_rt *rt, const gx_raw_entry *e, int p, gx_borrowed v,
                           gx_raw_arg *out) {
    const gx_raw_param *q = &e->param[p];
    const bool bytes = v.tag == GX_BYTES;
    const char *from = bytes ? gx_as_str(v)->text : NULL;
    const int64_t length = bytes ? (int64_t)gx_as_str(v)->length
                                 : gx_dtypes[gx_as_array(v)->dtype].bytes;
    if (length != q->size) {
        char who[80];
        name_param(e, p, who, sizeof who);
        return gx_fail(rt, GX_ValueError, "kernel.arg",
                       "%s: %s is %s, a struct of %d bytes, but %lld bytes were given", e->name,
                       who, c_type(q), q->size, (long long)length);
    }
    if (!bytes && !gx_array_read(rt, gx_as_array(v), &from)) return false;
    if (q->size <= (int)sizeof out->bytes)
        memcpy(out->bytes, from, (size_t)q->size);
    else
        out->large = from;
    return true;
}

/* float3 and its like: so many numbers, a small array of them, or for two floats a complex number.
 */
static bool convert_lanes(gx_rt *rt, const gx_raw_entry *e, int p, gx_borrowed v, gx_raw_arg *out) {
    const gx_raw_param *q = &e->param[p];
    const gx_value *items = NULL;
    int64_t n = -1, bytes = gx_dtypes[q->kind].bytes;
    gx_raw_entry one = {.name = e->name, .n_param = 1};
    one.param[0] = *q;
    one.param[0].lanes = 1;
    if (gx_is_array(v) && gx_as_array(v)->ndim == 1 && gx_as_array(v)->count == q->lanes) {
        const char *from;
        gx_array *cast;
        if (!gx_array_cast(rt, gx_as_array(v), q->kind, false, &cast)) return false;
        bool ok = gx_array_read(rt, cast, &from);
        for (int k = 0; ok && k < q->lanes; k++)
            memcpy(out->bytes + k * bytes, from + k * gx_strides(cast)[0], (size_t)bytes);
        gx_array_drop(cast);
        return ok;
    }
    bool pair = q->lanes == 2 && (q->kind == GX_f32 || q->kind == GX_f64);
    if (pair && gx_operand_kind(v) == GX_OPERAND_WEAK) {
        one.param[0].kind = q->kind == GX_f32 ? GX_c64 : GX_c128;
        return convert_number(rt, &one, 0, v, out);
    }
    GX_STILL(own);
    if (!gx_still_items(rt, v, &own, &items, &n)) return false;
    if (n != q->lanes) {
        wrong(rt, e, p, v);
        return gx_note(rt, "it takes a tuple of %d numbers, or bytes", q->lanes);
    }
    for (int k = 0; k < n; k++) {
        gx_raw_arg part = {.array = NULL};
        if (!convert_number(rt, &one, 0, items[k], &part)) return false;
        memcpy(out->bytes + k * bytes, part.bytes, (size_t)bytes);
    }
    return true;
}

/* A parameter that the compiler told nothing of: arrays, and numbers that have a type. */
static bool convert_unknown(gx_rt *rt, const gx_raw_entry *e, int p, gx_borrowed v,
                            gx_raw_arg *out) {
    const gx_raw_param *q = &e->param[p];
    if (gx_is_array(v) && q->size == 8) return convert_array(rt, e, p, v, out);
    bool typed = v.tag == GX_SCALAR || v.tag == GX_SCALAR_BOX;
    if (typed && gx_dtype_size(gx_scalar_dtype(v)) == q->size) {
        gx_raw_entry known = {.name = e->name, .n_param = 1};
        known.param[0] = *q;
        known.param[0].kind = gx_scalar_dtype(v);
        return convert_number(rt, &known, 0, v, out);
    }
    char who[80], came[64];
    name_param(e, p, who, sizeof who);
    describe(v, came, sizeof came);
    gx_fail(rt, GX_TypeError, "kernel.unknown",
            "%s: %s has %d bytes of a type that is not known, but %s was given", e->name, who,
            q->size, came);
    gx_help(rt, "a number with a type of %d bytes says what is meant: %s", q->size,
            q->size == 8   ? "float64(x), int64(x)"
            : q->size == 4 ? "float32(x), int32(x)"
            : q->size == 2 ? "float16(x), int16(x)"
                           : "int8(x)");
    return false;
}

static bool convert(gx_rt *rt, const gx_raw_entry *e, int p, gx_borrowed v, gx_raw_arg *out) {
    const gx_raw_param *q = &e->param[p];
    if (q->pointer) return convert_array(rt, e, p, v, out);
    bool number = e->known && q->kind != GX_NO_DTYPE;
    if (is_struct(v) && !(number && q->lanes == 1)) return convert_struct(rt, e, p, v, out);
    if (number) return (q->lanes == 1 ? convert_number : convert_lanes)(rt, e, p, v, out);
    if (!e->known) return convert_unknown(rt, e, p, v, out);
    wrong(rt, e, p, v);
    gx_help(rt, "a struct takes a record or bytes of its size, %d", q->size);
    return false;
}

/* Would nobody see what a kernel writes there? Only the call's arguments hold the array, and no
   view its storage. `holders`: how often they do. */
static bool is_temporary(const gx_array *a, uint32_t holders) {
    return a->obj.refs <= holders && !a->base && gx_array_is_alone(a);
}

static bool share_bytes(gx_rt *rt, gx_array *a, gx_array *b) {
    const char *x, *y;
    if (a->storage != b->storage) return false;
    if (!gx_array_read(rt, a, &x) || !gx_array_read(rt, b, &y)) {
        gx_error_clear(rt);
        return false;
    }
    return x < y + gx_array_nbytes(b) && y < x + gx_array_nbytes(a);
}

/* A parameter that is __restrict__ is the only way to its memory, if anything is written there. */
static bool check_restrict(gx_rt *rt, const gx_raw_entry *e, const gx_shape3 *size,
                           const gx_raw_arg *list) {
    if (size->unchecked || gx_raw_on_gpu(rt)) return true;
    for (int p = 0; p < e->n_param; p++) {
        if (!list[p].array || !strstr(e->param[p].type, "__restrict")) continue;
        for (int q = 0; q < e->n_param; q++) {
            if (q == p || !list[q].array) continue;
            if (e->param[p].constant && e->param[q].constant) continue;
            if (!share_bytes(rt, list[p].array, list[q].array)) continue;
            const char *written = e->param[p].constant ? e->param[q].name : e->param[p].name;
            gx_fail(rt, GX_ValueError, "kernel.restrict",
                    "%s: %s and %s share memory, but %s is __restrict__: what is written through "
                    "%s may be missed",
                    e->name, e->param[p].name, e->param[q].name, e->param[p].name, written);
            gx_help(rt, "a copy for one of them, %s.copy(), or no __restrict__ in the kernel",
                    e->param[p].constant ? e->param[p].name : e->param[q].name);
            return size->warn && gx_raw_as_warning(rt);
        }
    }
    return true;
}

bool gx_kernel_launch(gx_rt *rt, gx_kernel *k, const gx_shape3 *size, int64_t n,
                      const gx_borrowed *args, uint32_t holders) {
    const gx_raw_entry *e = &k->raw->entry[k->entry];
    if (!check_size(rt, k, size)) return false;
    if (n != e->n_param) {
        gx_buf list = gx_buf_new(rt);
        bool ok = true;
        for (int p = 0; p < e->n_param && ok; p++)
            ok = gx_buf_printf(&list, "%s%s%s%s", p ? ", " : "", e->param[p].type,
                               e->param[p].name[0] ? " " : "", e->param[p].name);
        gx_fail(rt, GX_TypeError, "kernel.args", "%s takes %d argument%s but %lld were given",
                e->name, e->n_param, e->n_param == 1 ? "" : "s", (long long)n);
        if (ok) gx_note(rt, "%s(%s)", e->name, gx_buf_text(&list));
        gx_buf_free(&list);
        return false;
    }
    gx_raw_arg *list = gx_alloc_zero(rt, (size_t)(n + 1) * sizeof *list);
    if (!list) return false;
    bool ok = true;
    for (int p = 0; p < n && ok; p++) {
        ok = convert(rt, e, p, args[p], &list[p]);
        bool reads = e->known && e->param[p].constant;
        list[p].lost = ok && list[p].array && !reads && is_temporary(list[p].array, holders);
    }
    ok = ok && check_restrict(rt, e, size, list);
    bool any = size->grid[0] > 0 && size->grid[1] > 0 && size->grid[2] > 0;
    if (ok && any) ok = gx_raw_launch(k->raw, k->entry, size, list);
    gx_free(rt, list);
    return ok;
}
