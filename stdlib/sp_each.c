/* Functions of several numbers made functions of arrays: operands are broadcast, converted to
   float64 or complex128 and walked on the host. Knows no function itself. */
#include "stdlib/sp_int.h"

/* Operands of one dtype and shape. */
typedef struct operands {
    const double *at[GX_SP_MOST];
    int ndim;
    int64_t shape[GX_MAX_DIMS], count;
    bool small, cplx; /* results are of 32 bits a number; an operand is complex */
} operands;

/* SciPy has a loop for float32, taken where every operand of NumPy's fits. Python's numbers fit
   beside one of NumPy's of their kind, its bools always. */
bool gx_sp_fits_f32(gx_borrowed v, gx_dtype d, gx_sp_kinds *seen) {
    if (v.tag == GX_BOOL) return true;
    if (v.tag == GX_INT || v.tag == GX_BIGINT)
        seen->ints = true;
    else if (v.tag == GX_FLOAT || v.tag == GX_COMPLEX)
        seen->floats = true;
    else {
        int kind = gx_dtype_kind(d);
        seen->beside_ints |= kind != GX_KIND_BOOL;
        seen->beside_floats |= kind == GX_KIND_FLOAT || kind == GX_KIND_CPLX;
        return d == GX_c64 || gx_can_cast(d, GX_f32, GX_CAST_SAFE);
    }
    return true;
}
bool gx_sp_is_f32(const gx_sp_kinds *seen) {
    return (!seen->ints || seen->beside_ints) && (!seen->floats || seen->beside_floats);
}

static bool read_operands(gx_np *s, gx_call *c, int n, bool may, operands *o) {
    gx_array *p[GX_SP_MOST];
    gx_sp_kinds seen = {0};
    o->cplx = false;
    o->small = true;
    for (int k = 0; k < n; k++) {
        if (!(p[k] = gx_np_arr(s, c->argv[k]))) return false;
        if (gx_dtype_kind(p[k]->dtype) == GX_KIND_CPLX) o->cplx = true;
        if (o->cplx && !may)
            return gx_fail(c->rt, GX_TypeError, "special.complex",
                           "%s is not defined for complex numbers here", c->fn->name);
        if (!gx_sp_fits_f32(c->argv[k], (gx_dtype)p[k]->dtype, &seen)) o->small = false;
    }
    if (!gx_sp_is_f32(&seen)) o->small = false;
    if (!gx_broadcast_shapes(c->rt, n, p, &o->ndim, o->shape)) return false;
    o->count = gx_np_size(o->ndim, o->shape);
    for (int k = 0; k < n; k++) {
        gx_array *full = gx_np_cast(s, p[k], may && o->cplx ? GX_c128 : GX_f64);
        full = gx_np_contiguous(s, gx_np_broadcast(s, full, o->ndim, o->shape));
        if (!(o->at[k] = gx_np_data(s, full))) return false;
    }
    return true;
}

/* Every element; `wide` doubles a number come in and `give` go out. */
static bool walk(gx_np *s, const operands *o, int n, int results, int wide, int give, gx_sp_fn fn,
                 double **to) {
    for (int64_t i = 0; i < o->count; i++) {
        double in[2 * GX_SP_MOST], out[2 * GX_SP_MOST];
        if ((i & 255) == 0 && gx_must_stop(s->rt)) return gx_stop(s->rt);
        for (int k = 0; k < n; k++)
            for (int j = 0; j < wide; j++) in[k * wide + j] = o->at[k][i * wide + j];
        fn(in, out);
        for (int k = 0; k < results; k++)
            for (int j = 0; j < give; j++) to[k][i * give + j] = out[k * give + j];
    }
    return true;
}

static bool give(gx_np *s, const operands *o, int n, int results, bool cplx, gx_sp_fn fn,
                 gx_value *out) {
    gx_array *r[GX_SP_MOST];
    double *to[GX_SP_MOST];
    gx_value items[GX_SP_MOST];
    for (int k = 0; k < results; k++) {
        r[k] = gx_np_empty(s, cplx ? GX_c128 : GX_f64, o->ndim, o->shape);
        if (!(to[k] = gx_np_data_write(s, r[k]))) return gx_np_end(s, false);
    }
    if (!walk(s, o, n, results, o->cplx ? 2 : 1, cplx ? 2 : 1, fn, to)) return gx_np_end(s, false);
    for (int k = 0; k < results; k++)
        if (o->small) r[k] = gx_np_cast(s, r[k], cplx ? GX_c64 : GX_f32);
    if (results == 1) return gx_np_give(s, r[0], out);
    int made = 0;
    bool ok = true;
    for (; ok && made < results; made += ok) {
        if (r[made]) gx_array_keep(r[made]);
        ok = r[made] && gx_array_result_take(s->rt, r[made], &items[made]);
    }
    ok = ok && gx_tuple_new(s->rt, results, items, out);
    for (int k = 0; k < made; k++) gx_drop(items[k]);
    return gx_np_end(s, ok);
}

bool gx_sp_each(gx_call *c, int n, int results, gx_sp_fn fn, gx_value *out) {
    gx_np s = gx_np_begin(c);
    operands o;
    if (!read_operands(&s, c, n, false, &o)) return gx_np_end(&s, false);
    return give(&s, &o, n, results, false, fn, out);
}

bool gx_sp_each_complex(gx_call *c, int n, gx_sp_fn fn, gx_sp_fn fn_complex, gx_value *out) {
    gx_np s = gx_np_begin(c);
    operands o;
    if (!read_operands(&s, c, n, true, &o)) return gx_np_end(&s, false);
    bool cplx = o.cplx || !fn;
    if (cplx && !o.cplx) { /* real numbers as complex ones */
        o.cplx = true;
        for (int k = 0; k < n; k++) {
            double *pairs = gx_np_room(&s, 2 * o.count + 1, sizeof *pairs);
            if (!pairs) return gx_np_end(&s, false);
            for (int64_t i = 0; i < o.count; i++) {
                pairs[2 * i] = o.at[k][i];
                pairs[2 * i + 1] = 0;
            }
            o.at[k] = pairs;
        }
    }
    return give(&s, &o, n, 1, cplx, cplx ? fn_complex : fn, out);
}
