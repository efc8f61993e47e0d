/* Functions of several numbers made functions of arrays: operands are broadcast and converted to
   float64 or complex128. Knows no function itself. */
#include "runtime/object/number/number.h"
#include "stdlib/numpy/object/methods.h"
#include "stdlib/scipy/special/special_int.h"

/* Operands of one dtype and shape, whose axes stand in the order of the result's memory. */
typedef struct operands {
    gx_array *at[GX_SP_MOST];
    int ndim, perm[GX_MAX_DIMS];
    int64_t shape[GX_MAX_DIMS];
    bool small, cplx; /* results are of 32 bits a number; they are complex */
} operands;

/* What Python's numbers stand beside: NumPy's numbers, or NumPy's floats. */
typedef struct company {
    bool numbers, floats;
} company;

static gx_dtype dtype_of(char type) {
    return type == 'l'   ? GX_i64
           : type == 'f' ? GX_f32
           : type == 'd' ? GX_f64
           : type == 'F' ? GX_c64
                         : GX_c128;
}

/* May the operand go through a loop of this type? Python's numbers fit beside NumPy's of their
   kind, its bools always. */
static bool fits(gx_borrowed v, const gx_array *a, const company *by, char type) {
    gx_dtype to = dtype_of(type);
    switch (v.tag) {
    case GX_BOOL:
        return true;
    case GX_INT:
    case GX_BIGINT:
        return by->numbers || gx_can_cast(v.tag == GX_INT ? GX_i64 : GX_f64, to, GX_CAST_SAFE);
    case GX_FLOAT:
        return type != 'l' && (by->floats || gx_can_cast(GX_f64, to, GX_CAST_SAFE));
    case GX_COMPLEX:
        return gx_dtype_kind(to) == GX_KIND_CPLX && (by->floats || to == GX_c128);
    default:
        return gx_can_cast((gx_dtype)a->dtype, to, GX_CAST_SAFE);
    }
}

static bool is_number(gx_borrowed v) {
    return v.tag == GX_BOOL || v.tag == GX_INT || v.tag == GX_BIGINT || v.tag == GX_FLOAT ||
           v.tag == GX_COMPLEX;
}

/* The first loop that every operand fits, NULL where none does. */
static const char *loop_of(gx_call *c, int n, gx_array *const *p, const gx_sp_loops *loops) {
    company by = {false, false};
    for (int k = 0; k < n && !loops->strong; k++) {
        if (is_number(c->argv[k])) continue;
        int kind = gx_dtype_kind(p[k]->dtype);
        by.numbers |= kind != GX_KIND_BOOL;
        by.floats |= kind == GX_KIND_FLOAT || kind == GX_KIND_CPLX;
    }
    for (const char *loop = loops->types; *loop; loop += n + (loop[n] != 0)) {
        int k = 0;
        while (k < n && fits(c->argv[k], p[k], &by, loop[k])) k++;
        if (k == n) return loop;
    }
    return NULL;
}

static bool no_loop(gx_call *c, int n, gx_array *const *p, const char *loops) {
    bool cplx = false;
    for (int k = 0; k < n; k++) cplx |= gx_dtype_kind(p[k]->dtype) == GX_KIND_CPLX;
    if (cplx && !strpbrk(loops, "FD"))
        return gx_fail(c->rt, GX_TypeError, "special.complex",
                       "%s is not defined for complex numbers here", c->fn->name);
    return gx_fail(c->rt, GX_TypeError, "special.types",
                   "%s is not defined for numbers of these dtypes, from %s on", c->fn->name,
                   gx_dtypes[p[0]->dtype].name);
}

static gx_array *operand(gx_np *s, gx_call *c, int n, int k) {
    double x;
    if (c->argv[k].tag != GX_BIGINT || n == 1) return gx_np_arr(s, c->argv[k]);
    return gx_as_double(c->rt, c->argv[k], &x) == GX_TRY_YES ? gx_np_f64(s, x) : NULL;
}

static bool read_operands(gx_np *s, gx_call *c, int n, const gx_sp_loops *loops,
                          operands *o) {
    gx_array *p[GX_SP_MOST];
    const int64_t *strides[GX_SP_MOST];
    int64_t shape[GX_MAX_DIMS];
    for (int k = 0; k < n; k++)
        if (!(p[k] = operand(s, c, n, k))) return false;
    const char *loop = loop_of(c, n, p, loops);
    if (!loop) return no_loop(c, n, p, loops->types);
    o->small = loop[n - 1] == 'f' || loop[n - 1] == 'F';
    o->cplx = loop[n - 1] == 'F' || loop[n - 1] == 'D';
    if (!gx_broadcast_shapes(c->rt, n, p, &o->ndim, shape)) return false;
    for (int k = 0; k < n; k++) {
        if (!(p[k] = gx_np_broadcast(s, p[k], o->ndim, shape))) return false;
        strides[k] = gx_strides(p[k]);
    }
    gx_order_of_operands(o->ndim, n, strides, o->perm);
    for (int i = 0; i < o->ndim; i++) o->shape[i] = shape[o->perm[i]];
    for (int k = 0; k < n; k++) {
        gx_array *turned;
        if (!gx_transpose(c->rt, p[k], o->perm, &turned)) return false;
        turned = gx_np_own(s, turned);
        if (o->small) turned = gx_np_cast(s, turned, o->cplx ? GX_c64 : GX_f32);
        turned = gx_np_cast(s, turned, o->cplx ? GX_c128 : GX_f64);
        if (!(o->at[k] = gx_np_contiguous(s, turned))) return false;
    }
    return true;
}

bool gx_sp_each(gx_call *c, int n, int results, const gx_sp_loops *loops, gx_value *out) {
    gx_np s = gx_np_begin(c);
    operands o;
    gx_array *r[GX_SP_MOST];
    gx_value items[GX_SP_MOST];
    if (!read_operands(&s, c, n, loops, &o)) return gx_np_end(&s, false);
    if (!gx_array_each(c->rt, o.cplx ? &loops->cplx : &loops->real, n, o.at, results, r))
        return gx_np_end(&s, false);
    for (int k = 0; k < results; k++) r[k] = gx_np_own(&s, r[k]);
    for (int k = 0; k < results; k++) {
        if (o.small) r[k] = gx_np_cast(&s, r[k], o.cplx ? GX_c64 : GX_f32);
        r[k] = gx_np_laid_back(&s, r[k], o.perm);
    }
    if (results == 1) return gx_np_give(&s, r[0], out);
    int made = 0;
    bool ok = true;
    for (; ok && made < results; made += ok) {
        if (r[made]) gx_array_keep(r[made]);
        ok = r[made] && gx_array_result_take(s.rt, r[made], &items[made]);
    }
    ok = ok && gx_tuple_new(s.rt, results, items, out);
    for (int k = 0; k < made; k++) gx_drop(items[k]);
    return gx_np_end(&s, ok);
}
