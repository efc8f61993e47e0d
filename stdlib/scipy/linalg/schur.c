/* scipy.linalg.schur and hessenberg, by LAPACK. */
#include <string.h>

#include "stdlib/library/text.h"
#include "stdlib/library/texts.h"
#include "stdlib/linalg/decomp.h"

extern const gx_native gx_sp_schur_functions[];

/* Form and, if x is wanted, vectors, of a's dtype. */
static bool form_of(gx_np *s, gx_decomp_kind kind, gx_array *a, bool finite, gx_array **form,
                    gx_array **x) {
    gx_np_decomp p;
    bool yes = true;
    if (!a) return false;
    if (a->ndim < 2 || gx_shape(a)[a->ndim - 1] != gx_shape(a)[a->ndim - 2])
        return gx_fail(
            s->rt, GX_ValueError, "linalg.square",
            "expected a square matrix, or an array of them; this one has %d dimensions%s", a->ndim,
            a->ndim < 2 ? "" : " and its last two differ");
    if (!gx_np_decomp_begin(s, kind, a, &p)) return false;
    if (finite && !gx_np_all_finite(s, p.work, &yes)) return false;
    if (!yes)
        return gx_fail(s->rt, GX_ValueError, "linalg.finite",
                       "array must not contain infs or NaNs");
    gx_array *y = gx_np_decomp_part(s, &p, false, p.job.n, p.job.n);
    gx_array *vectors = x ? gx_np_decomp_part(s, &p, false, p.job.n, p.job.n) : NULL;
    if (!y || (x && !vectors) ||
        !gx_np_decomp_run(s, &p, vectors, y, NULL,
                          "Schur form not found. Possibly ill-conditioned."))
        return false;
    if (!(*form = gx_np_cast(s, y, p.type))) return false;
    return !x || (*x = gx_np_cast(s, vectors, p.type));
}

/* A matrix of up to two rows, or a stack of such, has the form as it is, in its own dtype. */
static bool is_formed(const gx_array *a) {
    const int64_t *shape = gx_shape(a) + a->ndim - 2;
    return a->ndim > 1 && shape[0] == shape[1] && shape[0] <= 2;
}

static gx_array *identity(gx_np *s, int64_t n) {
    const int64_t shape[2] = {n, n};
    gx_array *r = gx_np_empty(s, GX_f64, 2, shape);
    double *x = gx_np_data_write(s, r);
    for (int64_t i = 0; x && i < n * n; i++) x[i] = i % (n + 1) == 0;
    return x ? r : NULL;
}

static bool give_formed(gx_np *s, gx_array *a, bool vectors, bool finite, gx_value *out) {
    bool yes = true;
    if (finite && !gx_np_all_finite(s, a, &yes)) return gx_np_end(s, false);
    if (!yes)
        return gx_np_end(s, gx_fail(s->rt, GX_ValueError, "linalg.finite",
                                    "array must not contain infs or NaNs"));
    gx_array *r[2] = {gx_np_copy(s, a, 'C'), NULL};
    if (vectors)
        r[1] = gx_np_broadcast(s, identity(s, gx_shape(a)[a->ndim - 1]), a->ndim, gx_shape(a));
    if (vectors) r[1] = r[1] ? gx_np_copy(s, r[1], 'C') : NULL;
    if (!r[0] || (vectors && !r[1])) return gx_np_end(s, false);
    if (vectors && a->ndim > 2) return gx_np_give_list(s, 2, r, out);
    return vectors ? gx_np_give_tuple(s, 2, r, out) : gx_np_give_array(s, r[0], out);
}

static bool hessenberg_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *r[2], *a = gx_np_arr(&s, c->argv[0]);
    bool vectors, finite;
    if (!a || !gx_arg_bool(c, 1, &vectors) || !gx_arg_bool(c, 3, &finite))
        return gx_np_end(&s, false);
    const bool narrow = !gx_np_is_float((gx_dtype)a->dtype) && gx_dtypes[a->dtype].bytes < 4;
    if (is_formed(a)) return give_formed(&s, a, vectors, finite, out);
    if (narrow) a = gx_np_cast(&s, a, GX_f32); /* as LAPACK's types hold them */
    if (!form_of(&s, GX_DECOMP_HESSENBERG, a, finite, &r[0], vectors ? &r[1] : NULL))
        return gx_np_end(&s, false);
    if (vectors && a->ndim > 2) return gx_np_give_list(&s, 2, r, out);
    return vectors ? gx_np_give_tuple(&s, 2, r, out) : gx_np_give_array(&s, r[0], out);
}

static bool output_arg(gx_call *c, bool *complex) {
    const char *text;
    size_t n;
    if (!gx_arg_str(c, 1, &text, &n)) return false;
    *complex = strcmp(text, "complex") == 0 || strcmp(text, "c") == 0;
    if (!*complex && strcmp(text, "real") != 0 && strcmp(text, "r") != 0)
        return gx_fail(c->rt, GX_ValueError, "schur.output",
                       "argument must be 'real', or 'complex', not '%s'", text);
    return true;
}

static gx_array *by_columns(gx_np *s, gx_array *a) {
    const int last = a->ndim - 1;
    a = gx_np_contiguous(s, gx_np_moveaxis(s, a, last - 1, last));
    return a ? gx_np_moveaxis(s, a, last - 1, last) : NULL;
}

static bool schur_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *r[2], *a;
    bool complex, finite;
    if (!output_arg(c, &complex) || !gx_arg_bool(c, 5, &finite) || !(a = gx_np_arr(&s, c->argv[0])))
        return gx_np_end(&s, false);
    if (a->dtype == GX_bool || gx_is_half(a->dtype)) a = gx_np_cast(&s, a, GX_f32);
    if (!a) return gx_np_end(&s, false);
    bool small = a->dtype == GX_f32 || a->dtype == GX_c64;
    if (complex) a = gx_np_cast(&s, a, small ? GX_c64 : GX_c128);
    if (!form_of(&s, GX_DECOMP_SCHUR, a, finite, &r[0], &r[1])) return gx_np_end(&s, false);
    for (int i = 0; i < 2; i++) /* each matrix column by column */
        if (!(r[i] = by_columns(&s, r[i]))) return gx_np_end(&s, false);
    if (gx_arg_some(c, 4)) {
        const gx_value argv[4] = {gx_np_value(r[0]), gx_np_value(r[1]), c->argv[4],
                                  gx_bool(gx_dtype_kind(r[0]->dtype) != GX_KIND_CPLX)};
        return gx_np_end(&s, gx_library_pass(c, "scipy.linalg.schur", gx_library_text_scipy_schur,
                                             "sorted_form", 4, argv, out));
    }
    return a->ndim > 2 ? gx_np_give_list(&s, 2, r, out) : gx_np_give_tuple(&s, 2, r, out);
}

const gx_native gx_sp_schur_functions[] = {
    {"hessenberg", "hessenberg(a, calc_q=False, overwrite_a=False, check_finite=True)",
     "Hessenberg form h (zero below the first subdiagonal), and with calc_q q: a = q @ h @ "
     "q.conj().T.",
     "scipy.linalg.hessenberg([[1.0, 2.0], [3.0, 4.0]]).tolist()  # [[1.0, 2.0], [3.0, 4.0]]",
     hessenberg_fn, 0, 0},
    {"schur",
     "schur(a, output='real', lwork=None, overwrite_a=False, sort=None, check_finite=True)",
     "Schur form, (quasi-)triangular, and its unitary vectors: z @ t @ z.conj().T is a; sort: "
     "'lhp', 'rhp', 'iuc', 'ouc' or a function choose values that come first, and are counted.",
     "scipy.linalg.schur([[2.0, 1.0], [0.0, 3.0]])[0].tolist()  # [[2.0, 1.0], [0.0, 3.0]]",
     schur_fn, 0, 0},
    {.name = NULL},
};
