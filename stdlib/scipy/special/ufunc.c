/* Calls of SciPy's ufuncs that are operations of kernels/ops.def (erf, gamma, ...): those know real
   numbers; complex operands are computed here, on the host. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "runtime/op/ufunc.h"
#include "stdlib/common.h"
#include "stdlib/scipy/special/complex_int.h"

static void xlogy_complex(const double *in, double *out) {
    const double complex x = gx_sp_complex(in[0], in[1]), y = gx_sp_complex(in[2], in[3]);
    double complex r = x * clog(y);
    if (x == 0 && y == y) r = 0;
    memcpy(out, &r, sizeof r);
}

static void xlog1py_complex(const double *in, double *out) {
    const double complex x = gx_sp_complex(in[0], in[1]), y = gx_sp_complex(in[2], in[3]);
    const double re = in[2], im = in[3];
    double complex log = clog(1 + y);
    if (fabs(re) < 0.5 && fabs(im) < 0.5)
        log = gx_sp_complex(0.5 * log1p(re * (2 + re) + im * im), atan2(im, 1 + re));
    double complex r = x * log;
    if (x == 0 && y == y) r = 0;
    memcpy(out, &r, sizeof r);
}

static const struct {
    gx_opcode op;
    gx_sp_loops loops;
} complex_ufuncs[] = {
    {GX_OP_erf, {"f d F D", GX_SP_HOST(NULL), GX_SP_HOST(gx_sp_erf_complex), false}},
    {GX_OP_erfc, {"f d F D", GX_SP_HOST(NULL), GX_SP_HOST(gx_sp_erfc_complex), false}},
    {GX_OP_gamma, {"f d F D", GX_SP_HOST(NULL), GX_SP_HOST(gx_sp_gamma_complex), false}},
    {GX_OP_digamma, {"f d F D", GX_SP_HOST(NULL), GX_SP_HOST(gx_sp_digamma_complex), false}},
    {GX_OP_ndtr, {"f d F D", GX_SP_HOST(NULL), GX_SP_HOST(gx_sp_ndtr_complex), false}},
    {GX_OP_xlogy, {"ff dd FF DD", GX_SP_HOST(NULL), GX_SP_HOST(xlogy_complex), false}},
    {GX_OP_xlog1py, {"ff dd FF DD", GX_SP_HOST(NULL), GX_SP_HOST(xlog1py_complex), false}},
};

const gx_sp_loops *gx_sp_loops_of(uint16_t op) {
    for (size_t i = 0; i < sizeof complex_ufuncs / sizeof *complex_ufuncs; i++)
        if (complex_ufuncs[i].op == op) return &complex_ufuncs[i].loops;
    return NULL;
}

/* Is any of the n operands complex? Sequences become arrays in argv, which the scope owns. */
static bool find_complex(gx_np *s, int n, gx_borrowed *argv, bool *found) {
    *found = false;
    for (int k = 0; k < n; k++) {
        const gx_tag tag = argv[k].tag;
        if (tag == GX_BOOL || tag == GX_INT || tag == GX_FLOAT) continue;
        gx_array *a = gx_np_arr(s, argv[k]);
        if (!a) return false;
        *found = *found || gx_dtype_kind(a->dtype) == GX_KIND_CPLX;
        if (tag == GX_LIST || tag == GX_TUPLE) argv[k] = gx_array_value(a);
    }
    return true;
}

/* logit's first loop is of float64: what is no float32 goes there. */
static bool logit_call(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_borrowed argv[8];
    gx_call inner = *c;
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    if (!a || c->argc > 8) return gx_np_end(&s, a && gx_op_call(c, out));
    memcpy(argv, c->argv, (size_t)c->argc * sizeof *argv);
    if (a->dtype != GX_f32 && gx_can_cast((gx_dtype)a->dtype, GX_f64, GX_CAST_SAFE)) {
        if (!(a = gx_sp_wider(c, &s, a, GX_f64))) return gx_np_end(&s, false);
        argv[0] = gx_array_value(a);
    }
    inner.argv = argv;
    return gx_np_end(&s, gx_op_call(&inner, out));
}

bool gx_sp_ufunc(gx_call *c, gx_value *out) {
    const gx_opcode op = (gx_opcode)c->fn->op;
    if (op == GX_OP_logit) return logit_call(c, out);
    const gx_sp_loops *loops = gx_sp_loops_of(c->fn->op);
    const int n = gx_ops[op].arity;
    if (!loops || c->argc > 8) return gx_op_call(c, out);
    gx_np s = gx_np_begin(c);
    gx_borrowed argv[8];
    gx_dtype asked = GX_NO_DTYPE; /* dtype= decides, whatever the operands */
    bool found;
    gx_call inner = *c;
    memcpy(argv, c->argv, (size_t)c->argc * sizeof *argv);
    inner.argv = argv;
    if (!find_complex(&s, n, argv, &found) || !gx_np_dtype_arg(c, n + 4, &asked))
        return gx_np_end(&s, false);
    if (asked != GX_NO_DTYPE) found = gx_dtype_kind(asked) == GX_KIND_CPLX;
    return gx_np_end(&s,
                     found ? gx_sp_call(&inner, n, loops, out) : gx_op_call(&inner, out));
}
