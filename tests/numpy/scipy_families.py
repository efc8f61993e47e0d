"""The generated calls of SciPy's names, for make_calls.py: see there and call_families.py."""
from call_families import every, join

REAL = ["f8", "f4", "i8", "i4"]
ALL = REAL + ["c16", "c8"]


def square(d):
    return "(x('%sS') + 6 * np.eye(3, dtype='%s'))" % (d, d)


def definite(d):
    return "(x('%sS') + x('%sS').T.conj() + 20 * np.eye(3, dtype='%s'))" % (d, d, d)


def narrow(d, f):
    """SciPy gives float64 with the digits of float32 there."""
    return d in ("f4", "c8") and f.split("(")[0] in ("det", "lu_solve", "cho_solve", "logm", "fractional_matrix_power",
                                                     "solveh_banded", "solve_continuous_lyapunov", "subspace_angles")


def scipy_linalg(rng):
    L = "linalg."
    for d in ALL:
        a, s = square(d), definite(d)
        for f in ["lu(%s)", "lu(%s, permute_l=True)", "lu(%s, p_indices=True)", "lu_factor(%s)", "expm(%s / 10)",
                  "sqrtm(%s @ %s)" % ("%s", a), "cosm(%s / 10)", "sinm(%s / 10)", "tanm(%s / 10)", "coshm(%s / 10)",
                  "sinhm(%s / 10)", "tanhm(%s / 10)", "polar(%s)", "polar(%s, side='left')", "solve(%s, [1, 2, 3])",
                  "solve(%s, [1, 2, 3], transposed=True)", "pinv(%s)", "pinv(%s, return_rank=True)", "hessenberg(%s)",
                  "qr(%s, mode='r')[0].shape", "rq(%s)[1].shape", "inv(%s)", "det(%s)", "norm(%s)", "bandwidth(np.tril(%s))",
                  "lu_solve(linalg.lu_factor(%s), [1, 2, 3])", "lu_solve(linalg.lu_factor(%s), [1, 2, 3], trans=1)",
                  "lu_solve(linalg.lu_factor(%s), [[1, 2], [3, 4], [5, 6]], trans=2)", "signm(%s)",
                  "abs(linalg.qr(%s, pivoting=True)[1])", "qr(%s, pivoting=True)[2]", "solve_triangular(%s, [1, 2, 3])",
                  "solve_triangular(%s, [1, 2, 3], lower=True, trans=1)", "lstsq(%s, [1, 2, 3])", "eigvals(%s)[0] * 0",
                  "orthogonal_procrustes(%s, %s)" % ("%s", s), "subspace_angles(%s[:, :1], np.eye(3)[:, :2])",
                  "solve_sylvester(%s, %s, x('%sS'))" % ("%s", s, d), "solve_continuous_lyapunov(%s, np.eye(3))",
                  "solve_discrete_lyapunov(%s / 20, np.eye(3))", "khatri_rao(%s, %s)" % ("%s", a), "issymmetric(%s)",
                  "fractional_matrix_power(%s @ %s, 2)" % ("%s", a), "hessenberg(%s).shape"]:
            if not narrow(d, f) and not (d[0] == "c" and "transposed" in f):
                yield (f if f.startswith("abs(") else L + f) % a, -8192
        for f in ["cholesky(%s)", "cholesky(%s, lower=True)", "cho_factor(%s)", "cho_factor(%s, lower=True)",
                  "cho_solve(linalg.cho_factor(%s), [1, 2, 3])", "cho_solve(linalg.cho_factor(%s, lower=True), np.eye(3))",
                  "eigvalsh(%s)", "eigh(%s, eigvals_only=True)", "eigh(%s, subset_by_index=[0, 1])[0]", "pinvh(%s)",
                  "eigh(%s, subset_by_value=[0, 20])[0]", "logm(%s)", "sqrtm(%s)", "solve(%s, [1, 2, 3], assume_a='pos')",
                  "eigvalsh(%s, np.diag([1, 2, 3]))", "eigvalsh(%s, np.diag([1, 2, 3]), type=2)", "ishermitian(%s)",
                  "eigvalsh(%s, np.diag([1, 2, 3]), type=3)", "fractional_matrix_power(%s, 0.5)", "funm(%s, np.exp) / 1e6",
                  "fractional_matrix_power(%s, -0.3)", "eig(%s)[0].dtype.name"]:
            if not narrow(d, f) and not (d[0] == "c" and f.startswith("funm")):
                yield L + f % s, -8192
        yield "abs(linalg.null_space(x('%sm')[:1]) @ linalg.null_space(x('%sm')[:1]).T.conj())" % (d, d), -1024
        yield "(lambda q: q @ q.T.conj())(linalg.orth(x('%st')))" % d, -1024
        yield "(lambda t: t[1] @ t[0] @ t[1].T.conj())(linalg.schur(%s))" % a, -4096
        yield "(lambda t: t[1] @ t[0] @ t[1].T.conj())(linalg.schur(%s, 'complex'))" % a, -4096
        yield "np.tril(linalg.schur(%s, 'complex')[0], -1)" % a, 0
        yield "abs(np.tril(linalg.schur(x('%sk')[:, :2], 'complex')[0], -1))" % d, 0
        yield "(lambda t: t[1] @ t[0] @ t[1].T.conj())(linalg.hessenberg(x('%sc')[0, :3, :3] , calc_q=True))" % d, -4096
        yield "(lambda t: t[0] @ t[1])(linalg.rq(x('%sm')))" % d, -1024
        yield "(lambda t: t[0] @ t[1])(linalg.qr(x('%sc')[0]))" % d, -1024
        yield "(lambda t: t[0] @ t[1])(linalg.qr(x('%sc')[0].T, mode='economic'))" % d, -1024
        yield "abs(linalg.lu(x('%sc')[0])[2])" % d, -256
        yield "linalg.lu(x('%sc')[0].T)" % d, -256
        yield "linalg.lstsq(x('%sc')[0].T, [1, 2, 3, 4])[:2]" % d, -8192
        yield "linalg.lstsq(x('%sc')[0].T, [1, 2, 3, 4])[2:]" % d, -8192
        for c in ["(1, 1)", "(0, 2)", "(2, 0)", "(1, 0)"]:
            yield "linalg.solve_banded(%s, x('%sc')[0][:, :3] + 9, [1, 2, 3])" % (c, d), -4096
        band = "np.array([[20, 21, 22, 23], [1, 2, 3, 0]]).astype('%s')" % d
        yield "linalg.eigvals_banded(%s, lower=True)" % band, -1024
        yield "linalg.eigvals_banded(%s[::-1])" % band, -1024
        yield "linalg.eig_banded(%s, lower=True, eigvals_only=True, select='i', select_range=(1, 2))" % band, -1024
        if not narrow(d, "solveh_banded("):
            yield "linalg.solveh_banded(%s, [1, 2, 3, 4], lower=True)" % band, -1024
        yield "linalg.eigvalsh_tridiagonal([2, 3, 4], [1, 1])", -1024
        for f in ["toeplitz(x('%ss'))", "toeplitz(x('%sv'), y('%sv'))", "circulant(x('%sv'))", "hankel(x('%sv'))",
                  "hankel(x('%s3'), y('%sv'))", "block_diag(x('%sm'), y('%sv'))", "companion(x('%sv'))",
                  "leslie(x('%sv'), y('%sv')[:5])", "fiedler(abs(x('%sv')))", "convolution_matrix(x('%s3'), 4)",
                  "convolution_matrix(x('%s3'), 4, mode='same')", "convolution_matrix(x('%s3'), 2, mode='valid')",
                  "solve_toeplitz(x('%s3') + 30 * np.array([1, 0, 0]), [1, 2, 3])", "diagsvd(x('%s3'), 3, 5)",
                  "solve_circulant(x('%s3') + 30 * np.array([1, 0, 0]), [1, 2, 3])", "diagsvd(x('%s3'), 5, 3)",
                  "matmul_toeplitz((x('%s3'), y('%s3')), [1, 2, 3])"]:
            yield L + f % ((d,) * f.count("%s")), -512
    for n in ["1", "3", "5"]:
        for f in ["hilbert", "invhilbert", "pascal", "invpascal", "dft", "helmert"]:
            yield "linalg.%s(%s)" % (f, n), -64
        for k in ["lower", "upper"]:
            yield "linalg.pascal(%s, kind='%s')" % (n, k), 0
            yield "linalg.invpascal(%s, kind='%s')" % (n, k), 0
        yield "linalg.hadamard(%s)" % n, 0
        yield "linalg.dft(%s, scale='n')" % n, -64
        yield "linalg.helmert(%s, full=True)" % n, -64
    for f in ["hadamard(4)", "hadamard(8, dtype='f4')", "invhilbert(4, exact=True)"]:
        yield L + f, 0
    for a in ["[1, 2]", "[[1, 2]]", "[[1, np.nan], [0, 1]]", "np.zeros((0, 0))", "np.zeros((2, 2))", "[[1, 2], [2, 1]]"]:
        for f in ["lu_factor", "cholesky", "cho_factor", "eigvalsh", "schur", "hessenberg", "null_space", "pinvh", "solve",
                  "logm", "sqrtm", "expm", "polar", "inv", "eigvals"]:
            if f == "solve":
                yield "linalg.solve(%s, [1, 2])" % a, -64
            elif not (a in ("[1, 2]", "1.0") and f in ("lu_factor", "sqrtm", "expm")) and not ("nan" in a and f[-2:] in ("tm", "pm")) \
                    and not (a.startswith("np.zeros") and f in ("pinvh", "logm", "sqrtm", "null_space", "polar")) \
                    and not (a == "[[1, 2]]" and f in ("polar",)) and not (a == "np.zeros((0, 0))" and f == "lu_factor") \
                    and not (a == "[[1, 2], [2, 1]]" and f == "schur"):
                yield ("linalg.%s(%s)" % (f, a)) if f not in ("null_space", "polar", "hessenberg", "schur") else \
                    "np.shape(linalg.%s(%s)[0])" % (f, a), -1024


FAMILIES = {f.__name__: f for f in (scipy_linalg,)}
