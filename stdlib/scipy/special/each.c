/* Functions of several numbers made functions of arrays: operands are broadcast and converted to
   float64 or complex128. Knows no function itself. */
#include <stdio.h>

#include "runtime/object/number/number.h"
#include "runtime/op/ufunc.h"
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

/* The loop all of whose numbers are of a dtype: dtype= asks for that one, whatever the operands. */
static const char *loop_all_of(int n, const char *types, gx_dtype d) {
    for (const char *loop = types; *loop; loop += n + (loop[n] != 0)) {
        int k = 0;
        while (k < n && dtype_of(loop[k]) == d) k++;
        if (k == n) return loop;
    }
    return NULL;
}

/* The first loop that every operand fits and that gives what dtype= asks for; NULL: there is none.
   */
static const char *loop_of(gx_call *c, int n, gx_array *const *p, const gx_sp_loops *loops,
                           gx_dtype asked) {
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
        if (k == n && (asked == GX_NO_DTYPE || dtype_of(loop[n - 1]) == asked)) return loop;
    }
    return asked == GX_NO_DTYPE ? NULL : loop_all_of(n, loops->types, asked);
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

/* "float32, float64": what the loops give. */
static const char *results_of(int n, const char *types, char names[64]) {
    int at = 0;
    for (const char *loop = types; *loop; loop += n + (loop[n] != 0)) {
        const char *name = gx_dtypes[dtype_of(loop[n - 1])].name;
        if (at && strstr(names, name)) continue;
        at += snprintf(names + at, (size_t)(64 - at), "%s%s", at ? ", " : "", name);
    }
    return names;
}

static gx_array *operand(gx_np *s, gx_call *c, int n, int k) {
    double x;
    if (c->argv[k].tag != GX_BIGINT || n == 1) return gx_np_arr(s, c->argv[k]);
    return gx_as_double(c->rt, c->argv[k], &x) == GX_TRY_YES ? gx_np_f64(s, x) : NULL;
}

/* May the operands be cast to what the loop takes? A Python number fits among others as it is. */
static bool may_be_cast(gx_call *c, int n, gx_array *const *p, const char *loop,
                        gx_casting casting) {
    for (int k = 0; k < n; k++) {
        char what[24] = "input";
        const gx_dtype from = (gx_dtype)p[k]->dtype, to = dtype_of(loop[k]);
        if (n > 1 && casting != GX_CAST_EQUIV && is_number(c->argv[k]) &&
            gx_dtype_kind(from) <= gx_dtype_kind(to))
            continue;
        if (n > 1) snprintf(what, sizeof what, "input %d", k);
        if (!gx_ufunc_may_cast(c->rt, c->fn->name, from, to, casting, what)) return false;
    }
    return true;
}

static bool read_operands(gx_np *s, gx_call *c, int n, const gx_sp_loops *loops,
                          const gx_np_results *by, operands *o) {
    gx_array *p[GX_SP_MOST];
    const int64_t *strides[GX_SP_MOST];
    int64_t shape[GX_MAX_DIMS];
    char names[64];
    for (int k = 0; k < n; k++)
        if (!(p[k] = operand(s, c, n, k))) return false;
    const gx_dtype asked = by ? by->dtype : GX_NO_DTYPE;
    const char *loop = loop_of(c, n, p, loops, asked);
    if (!loop && asked != GX_NO_DTYPE)
        return gx_fail(c->rt, GX_TypeError, "dtype.signature",
                       "%s has no loop that gives %s of these operands: its loops give %s",
                       c->fn->name, gx_dtypes[asked].name, results_of(n, loops->types, names));
    if (!loop) return no_loop(c, n, p, loops->types);
    if (by && !may_be_cast(c, n, p, loop, by->casting)) return false;
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

/* The function of the call's operands, in arrays of the scope s. */
static bool compute(gx_np *s, gx_call *c, int n, int results, const gx_sp_loops *loops,
                    const gx_np_results *by, gx_array **r) {
    operands o;
    if (!read_operands(s, c, n, loops, by, &o)) return false;
    if (!gx_array_each(c->rt, o.cplx ? &loops->cplx : &loops->real, n, o.at, results, r))
        return false;
    for (int k = 0; k < results; k++) r[k] = gx_np_own(s, r[k]);
    for (int k = 0; k < results; k++) {
        if (o.small) r[k] = gx_np_cast(s, r[k], o.cplx ? GX_c64 : GX_f32);
        if (!(r[k] = gx_np_laid_back(s, r[k], o.perm))) return false;
    }
    return true;
}

bool gx_sp_each(gx_call *c, int n, const gx_sp_loops *loops, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *r;
    if (!compute(&s, c, n, 1, loops, NULL, &r)) return gx_np_end(&s, false);
    return gx_np_give(&s, r, out);
}

static bool call(gx_call *c, int nin, int nout, const gx_sp_loops *loops,
                 bool (*check)(gx_call *), gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_np_results by;
    gx_array *r[GX_NP_MOST_RESULTS];
    if (!gx_np_results_read(&by, &s, c, nin, nout) || (check && !check(c)) ||
        !compute(&s, c, nin, nout, loops, &by, r))
        return gx_np_end(&s, false);
    return gx_np_results_give(&by, r, out);
}

bool gx_sp_call(gx_call *c, int n, const gx_sp_loops *loops, gx_value *out) {
    return call(c, n, 1, loops, NULL, out);
}

const gx_sp_row *gx_sp_row_of(const gx_sp_row *rows, const gx_native *fn) {
    for (const gx_sp_row *row = rows; row->name; row++)
        if (strcmp(row->name, fn->name) == 0) return row;
    return NULL;
}

bool gx_sp_row_call(gx_call *c, const gx_sp_row *rows, gx_value *out) {
    const gx_sp_row *row = gx_sp_row_of(rows, c->fn);
    return call(c, row->nin, row->nout, &row->loops, row->check, out);
}
