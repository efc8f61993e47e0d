/* numpy.linalg: singular values and eigenvalues. Matrices are the last two axes, those before them
   a batch. The work is the device's (runtime/op/linalg.h); dtypes and messages are NumPy's. */
#include <math.h>
#include <string.h>

#include "stdlib/linalg/decomp.h"
#include "stdlib/numpy/base/call.h"
#include "stdlib/numpy/order/order.h"

extern const gx_native gx_np_decomp_functions[];

bool gx_np_need_square(gx_np *s, const gx_array *a) {
    if (a->ndim < 2)
        return gx_fail(s->rt, GX_LinAlgError, "linalg.dims",
                       "%d-dimensional array given. Array must be at least two-dimensional",
                       a->ndim);
    if (gx_shape(a)[a->ndim - 1] != gx_shape(a)[a->ndim - 2])
        return gx_fail(s->rt, GX_LinAlgError, "linalg.square",
                       "Last 2 dimensions of the array must be square");
    return true;
}

bool gx_np_linalg_dtype(gx_rt *rt, gx_dtype d, gx_dtype *out) {
    if (d == GX_f16)
        return gx_fail(rt, GX_TypeError, "linalg.dtype", "array type %s is unsupported in linalg",
                       gx_dtypes[d].name);
    *out = gx_np_is_float(d) && !gx_is_half(d) ? d : GX_f64;
    return true;
}

bool gx_np_decomp_begin(gx_np *s, gx_decomp_kind kind, gx_array *a, gx_np_decomp *out) {
    if (!a) return false;
    if (a->ndim < 2)
        return gx_fail(s->rt, GX_LinAlgError, "linalg.dims",
                       "%d-dimensional array given. Array must be at least two-dimensional",
                       a->ndim);
    gx_np_decomp p = {.job = {.kind = kind}, .ndim = a->ndim, .shape = gx_shape(a)};
    if (!gx_np_linalg_dtype(s->rt, (gx_dtype)a->dtype, &p.type)) return false;
    p.real = gx_real_dtype(p.type);
    p.job.cplx = gx_dtype_kind(p.type) == GX_KIND_CPLX;
    p.job.m = gx_shape(a)[a->ndim - 2];
    p.job.n = gx_shape(a)[a->ndim - 1];
    p.job.batch = gx_np_size(a->ndim - 2, gx_shape(a));
    p.job.info = gx_np_scratch(s, (size_t)(p.job.batch + 1) * sizeof(int64_t));
    p.work = gx_np_fresh(s, a, p.job.cplx ? GX_c128 : GX_f64);
    *out = p;
    return p.job.info && p.work;
}

gx_array *gx_np_decomp_part(gx_np *s, const gx_np_decomp *p, bool real, int64_t rows,
                            int64_t cols) {
    int64_t shape[GX_MAX_DIMS];
    int nd = p->ndim - 2;
    memcpy(shape, p->shape, (size_t)nd * sizeof *shape);
    shape[nd++] = rows;
    if (cols >= 0) shape[nd++] = cols;
    return gx_np_empty(s, p->job.cplx && !real ? GX_c128 : GX_f64, nd, shape);
}

bool gx_np_decomp_run(gx_np *s, gx_np_decomp *p, gx_array *x, gx_array *y, gx_array *z,
                      const char *failed) {
    if (p->work->count == 0) return true;
    if (!gx_linalg_decompose(s->rt, &p->job, p->work, NULL, x, y, z)) return false;
    for (int64_t i = 0; i < p->job.batch; i++)
        if (p->job.info[i]) return gx_fail(s->rt, GX_LinAlgError, "linalg.failed", "%s", failed);
    return true;
}

bool gx_np_give_named(gx_np *s, const char *type, int n, const char *const *names,
                      gx_array *const *a, gx_value *out) {
    gx_sym fields[4];
    gx_value items[4];
    for (int i = 0; i < n; i++) {
        if (!a[i] || !(fields[i] = gx_sym_c(s->rt, names[i]))) return gx_np_end(s, false);
        items[i] = gx_np_value(a[i]);
    }
    return gx_np_end(s, gx_tuple_named(s->rt, type, n, fields, items, out));
}

/* --- eigenvalues of Hermitian matrices ------------------------------------------------------ */

bool gx_np_eigh(gx_np *s, gx_array *a, bool upper, gx_array **w, gx_array **x) {
    gx_np_decomp p;
    if (!a || !gx_np_need_square(s, a) || !gx_np_decomp_begin(s, GX_DECOMP_EIGH, a, &p))
        return false;
    p.job.upper = upper;
    gx_array *values = gx_np_decomp_part(s, &p, true, p.job.n, -1);
    gx_array *vectors = x ? gx_np_decomp_part(s, &p, false, p.job.n, p.job.n) : NULL;
    if (!values || (x && !vectors) ||
        !gx_np_decomp_run(s, &p, vectors, values, NULL, "Eigenvalues did not converge"))
        return false;
    if (!(*w = gx_np_cast(s, values, p.real))) return false;
    return !x || (*x = gx_np_cast(s, vectors, p.type));
}

static bool side_arg(gx_call *c, int i, bool *upper) {
    const char *text;
    size_t n;
    if (!gx_arg_str(c, i, &text, &n)) return false;
    if (n != 1 || !strchr("LUlu", text[0]))
        return gx_fail(c->rt, GX_ValueError, "eigh.side", "UPLO argument must be 'L' or 'U'");
    *upper = text[0] == 'U' || text[0] == 'u';
    return true;
}

static const char *const eig_names[] = {"eigenvalues", "eigenvectors"};

static bool eigh_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *r[2];
    bool upper;
    if (!side_arg(c, 1, &upper) || !gx_np_eigh(&s, gx_np_arr(&s, c->argv[0]), upper, &r[0], &r[1]))
        return gx_np_end(&s, false);
    return gx_np_give_named(&s, "EighResult", 2, eig_names, r, out);
}

static bool eigvalsh_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *w;
    bool upper;
    if (!side_arg(c, 1, &upper) || !gx_np_eigh(&s, gx_np_arr(&s, c->argv[0]), upper, &w, NULL))
        return gx_np_end(&s, false);
    return gx_np_give_array(&s, w, out);
}

/* --- singular values ------------------------------------------------------------------------ */

/* The columns of u (…, n, n) and the values by falling magnitude; sign gets each one's sign. */
static bool by_magnitude(gx_np *s, gx_array *w, gx_array *u, gx_array **values, gx_array **vectors,
                         gx_array **sign) {
    const int last = w->ndim - 1;
    const int64_t n = gx_shape(w)[last];
    gx_array *size = gx_np_op1(s, GX_OP_absolute, w);
    gx_array *rising = size ? gx_np_argsort(s, size, last) : NULL;
    gx_array *order = rising && n ? gx_np_slice(s, rising, last, n - 1, -1, n) : rising;
    if (!order) return false;
    *values = gx_np_call_arrays(s, "take_along_axis", 2, size, order);
    gx_array *in_order = gx_np_call_arrays(s, "take_along_axis", 2, w, order);
    *sign = gx_np_op2(s, GX_OP_copysign, gx_np_weak(s, (gx_dtype)w->dtype, 1), in_order);
    if (!u) return *values && *sign;
    gx_array *columns = gx_np_expand(s, order, last + 2, UINT64_C(1) << last);
    *vectors = columns ? gx_np_call_arrays(s, "take_along_axis", 2, u, columns) : NULL;
    return *values && *sign && *vectors;
}

static bool hermitian_svd(gx_np *s, gx_array *a, bool vectors, gx_array *out[3]) {
    gx_array *w, *u = NULL, *sign;
    if (!gx_np_eigh(s, a, false, &w, vectors ? &u : NULL) ||
        !by_magnitude(s, w, u, &out[1], &out[0], &sign))
        return false;
    if (!vectors) return true;
    u = gx_np_op2(s, GX_OP_multiply, out[0],
                  gx_np_expand(s, sign, w->ndim + 1, UINT64_C(1) << (w->ndim - 1)));
    if (!u) return false;
    return (out[2] = gx_np_op1(s, GX_OP_conjugate, gx_np_swapaxes(s, u, u->ndim - 2, u->ndim - 1)));
}

/* Ones on the diagonal of every matrix: what the empty decompositions leave. */
static bool set_identity(gx_np *s, gx_array *a) {
    int64_t n = gx_shape(a)[a->ndim - 1], item = gx_dtypes[a->dtype].bytes;
    char *x = gx_np_data_write(s, a);
    const double one = 1;
    if (!x) return false;
    memset(x, 0, (size_t)(a->count * item));
    for (int64_t i = 0; i < a->count; i++)
        if (i % n == i / n % n) memcpy(x + i * item, &one, sizeof one);
    return true;
}

static const char svd_failed[] = "SVD did not converge";

bool gx_np_svd(gx_np *s, gx_array *a, bool full, bool vectors, bool hermitian, gx_array *out[3]) {
    gx_np_decomp p;
    bool finite;
    out[0] = out[2] = NULL;
    if (!a) return false;
    if (hermitian) return hermitian_svd(s, a, vectors, out);
    if (!gx_np_all_finite(s, a, &finite)) return false;
    if (!finite && a->ndim >= 2)
        return gx_fail(s->rt, GX_LinAlgError, "linalg.failed", "%s", svd_failed);
    if (!gx_np_decomp_begin(s, GX_DECOMP_SVD, a, &p)) return false;
    int64_t m = p.job.m, n = p.job.n, k = m < n ? m : n;
    p.job.full = full;
    gx_array *values = gx_np_decomp_part(s, &p, true, k, -1), *u = NULL, *vh = NULL;
    if (vectors) {
        u = gx_np_decomp_part(s, &p, false, m, full ? m : k);
        vh = gx_np_decomp_part(s, &p, false, full ? n : k, n);
        if (!u || !vh) return false;
        if (p.work->count == 0 && full && (!set_identity(s, u) || !set_identity(s, vh)))
            return false;
    }
    if (!values || !gx_np_decomp_run(s, &p, u, values, vh, svd_failed)) return false;
    if (!(out[1] = gx_np_cast(s, values, p.real))) return false;
    if (!vectors) return true;
    return (out[0] = gx_np_cast(s, u, p.type)) && (out[2] = gx_np_cast(s, vh, p.type));
}

static bool svd_fn(gx_call *c, gx_value *out) {
    static const char *const names[] = {"U", "S", "Vh"};
    gx_np s = gx_np_begin(c);
    gx_array *r[3];
    bool full, vectors, hermitian;
    if (!gx_arg_bool(c, 1, &full) || !gx_arg_bool(c, 2, &vectors) ||
        !gx_arg_bool(c, 3, &hermitian) ||
        !gx_np_svd(&s, gx_np_arr(&s, c->argv[0]), full, vectors, hermitian, r))
        return gx_np_end(&s, false);
    if (!vectors) return gx_np_give_array(&s, r[1], out);
    return gx_np_give_named(&s, "SVDResult", 3, names, r, out);
}

static bool svdvals_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *r[3];
    if (!gx_np_svd(&s, gx_np_arr(&s, c->argv[0]), false, false, false, r))
        return gx_np_end(&s, false);
    return gx_np_give_array(&s, r[1], out);
}

/* --- eigenvalues of any square matrix ------------------------------------------------------- */

bool gx_np_all_finite(gx_np *s, gx_array *a, bool *finite) {
    enum { FEW = 1024 }; /* more are looked at where they are */
    if (!a) return false;
    if (a->count > FEW) {
        gx_array *all = gx_np_reduce(s, GX_RED_all, gx_np_op1(s, GX_OP_isfinite, a), gx_np_all(a),
                                     false, GX_NO_DTYPE);
        const bool *yes = gx_np_data(s, all);
        if (yes) *finite = *yes;
        return yes != NULL;
    }
    const bool complex = gx_dtype_kind(a->dtype) == GX_KIND_CPLX;
    const int64_t n = a->count * (complex ? 2 : 1);
    a = gx_np_contiguous(s, gx_np_cast(s, a, complex ? GX_c128 : GX_f64));
    const double *x = gx_np_data(s, a);
    if (!x) return false;
    *finite = true;
    for (int64_t i = 0; i < n && *finite; i++) *finite = isfinite(x[i]);
    return true;
}

static bool need_finite(gx_np *s, gx_array *a) {
    bool finite;
    if (!gx_np_all_finite(s, a, &finite)) return false;
    return finite ||
           gx_fail(s->rt, GX_LinAlgError, "linalg.finite", "Array must not contain infs or NaNs");
}

/* Values and vectors are complex whatever the matrix is, so that the dtype does not depend on the
   numbers. */
static bool eig(gx_np *s, gx_array *a, gx_array **w, gx_array **x) {
    gx_np_decomp p;
    if (!a || !gx_np_need_square(s, a) || !gx_np_decomp_begin(s, GX_DECOMP_EIG, a, &p) ||
        !need_finite(s, p.work))
        return false;
    gx_array *values = gx_np_empty(s, GX_c128, a->ndim - 1, gx_shape(a));
    gx_array *vectors = x ? gx_np_empty(s, GX_c128, a->ndim, gx_shape(a)) : NULL;
    if (!values || (x && !vectors) ||
        !gx_np_decomp_run(s, &p, vectors, values, NULL, "Eigenvalues did not converge"))
        return false;
    gx_dtype d = p.real == GX_f32 ? GX_c64 : GX_c128;
    if (!(*w = gx_np_cast(s, values, d))) return false;
    return !x || (*x = gx_np_cast(s, vectors, d));
}

static bool eig_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *r[2];
    if (!eig(&s, gx_np_arr(&s, c->argv[0]), &r[0], &r[1])) return gx_np_end(&s, false);
    return gx_np_give_named(&s, "EigResult", 2, eig_names, r, out);
}

static bool eigvals_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *w;
    if (!eig(&s, gx_np_arr(&s, c->argv[0]), &w, NULL)) return gx_np_end(&s, false);
    return gx_np_give_array(&s, w, out);
}

const gx_native gx_np_decomp_functions[] = {
    {"svd", "svd(a, full_matrices=True, compute_uv=True, hermitian=False)",
     "Singular value decomposition a = U @ diag(S) @ Vh: (U, S, Vh), S descending.",
     "linalg.svd([[0, 2], [1, 0]]).S  # [2. 1.]", svd_fn, 0, 0},
    {"svdvals", "svdvals(x, /)", "Singular values of matrices, in descending order.",
     "linalg.svdvals([[3, 0], [0, 4]])  # [4. 3.]", svdvals_fn, 0, 0},
    {"eigh", "eigh(a, UPLO='L')",
     "Ascending eigenvalues and eigenvectors (columns) of a symmetric or Hermitian matrix, of "
     "which UPLO is read.",
     "linalg.eigh([[2, 0], [0, 1]]).eigenvalues  # [1. 2.]", eigh_fn, 0, 0},
    {"eigvalsh", "eigvalsh(a, UPLO='L')",
     "Ascending eigenvalues of a symmetric or Hermitian matrix, of which the triangle UPLO is "
     "read.",
     "linalg.eigvalsh([[2, 0], [0, 1]])  # [1. 2.]", eigvalsh_fn, 0, 0},
    {"eig", "eig(a)",
     "Eigenvalues and eigenvectors (columns) of square matrices, always complex: (eigenvalues, "
     "eigenvectors).",
     "linalg.eig([[2, 0], [0, 1]]).eigenvalues  # [2.+0.j 1.+0.j]", eig_fn, 0, 0},
    {"eigvals", "eigvals(a)",
     "Eigenvalues of square matrices (…, n, n), always complex, of shape (…, n).",
     "linalg.eigvals([[0, -1], [1, 0]])  # [0.+1.j 0.-1.j]", eigvals_fn, 0, 0},
    {.name = NULL},
};
