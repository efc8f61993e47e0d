/* The rows of stdlib/written/scipy_factor.gx: scipy.linalg's systems and decompositions: lu,
   cholesky, qr, eigh, banded matrices and their kin, in terms of numpy.linalg. The texts
   know one matrix; stacks of them are sp_batch.c's. */
#include "stdlib/sp_batch_int.h"
#include "stdlib/written_int.h"
#include "stdlib/written_text_int.h"

extern const gx_native gx_sp_factor_functions[];

static bool text_fn(gx_call *c, gx_value *out) {
    return gx_written_call(c, "scipy.linalg.factor", gx_written_text_scipy_factor, out);
}

static bool written_fn(gx_call *c, gx_value *out) {
    return gx_sp_batch(c, text_fn, out);
}

const gx_native gx_sp_factor_functions[] = {
    {"lu",
     "lu(a, permute_l=False, overwrite_a=False, check_finite=True, p_indices=False)",
     "P, L and U whose product is the matrix: an order of rows, and two triangles.",
     "[m.tolist() for m in scipy.linalg.lu([[1.0, 2.0], [2.0, 2.0]])][2]  # [[2.0, 2.0], [0.0, "
     "1.0]]",
     written_fn, 0, 0},
    {"lu_factor",
     "lu_factor(a, overwrite_a=False, check_finite=True)",
     "The matrix with L under the diagonal and U above, and the rows that were swapped.",
     "lu_factor([[1.0, 2.0], [2.0, 2.0]])[1]  # [1 1]",
     written_fn, 0, 0},
    {"lu_solve",
     "lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True)",
     "The solution of a @ x = b from lu_factor's answer for a.",
     "scipy.linalg.lu_solve(scipy.linalg.lu_factor([[2.0, 1.0], [1.0, 3.0]]), [3.0, 5.0])  # "
     "[0.8 1.4]",
     written_fn, 0, 0},
    {"cholesky",
     "cholesky(a, lower=False, overwrite_a=False, check_finite=True)",
     "The triangle U with U.conj().T @ U equal to a, or L with L @ L.conj().T.",
     "scipy.linalg.cholesky([[4.0, 2.0], [2.0, 2.0]]).tolist()  # [[2.0, 1.0], [0.0, 1.0]]",
     written_fn, 0, 0},
    {"cho_factor",
     "cho_factor(a, lower=False, overwrite_a=False, check_finite=True)",
     "cholesky's triangle, with what stood in the other one, for cho_solve.",
     "scipy.linalg.cho_factor([[4.0, 2.0], [2.0, 2.0]])[0].tolist()  # [[2.0, 1.0], [2.0, 1.0]]",
     written_fn, 0, 0},
    {"cho_solve",
     "cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True)",
     "The solution of a @ x = b from cho_factor's answer for a.",
     "scipy.linalg.cho_solve(scipy.linalg.cho_factor([[4.0, 2.0], [2.0, 2.0]]), [6.0, 4.0])  # "
     "[1. 1.]",
     written_fn, 0, 0},
    {"solve_banded",
     "solve_banded(l_and_u, ab, b, overwrite_ab=False, overwrite_b=False, check_finite=True)",
     "The solution of a @ x = b, the diagonals of a given as rows from the highest down.",
     "scipy.linalg.solve_banded((0, 1), [[0.0, 1.0], [1.0, 2.0]], [3.0, 4.0])  # [1. 2.]",
     written_fn, 0, 0},
    {"solveh_banded",
     "solveh_banded(ab, b, overwrite_ab=False, overwrite_b=False, lower=False, "
     "check_finite=True)",
     "The solution of a @ x = b, half of the Hermitian a given as diagonals.",
     "scipy.linalg.solveh_banded([[0.0, 1.0], [2.0, 2.0]], [3.0, 3.0])  # [1. 1.]",
     written_fn, 0, 0},
    {"eig_banded",
     "eig_banded(a_band, lower=False, eigvals_only=False, overwrite_a_band=False, select='a', "
     "select_range=None, max_ev=0, check_finite=True)",
     "Eigenvalues and vectors of a Hermitian matrix given by half of its diagonals.",
     "scipy.linalg.eig_banded([[0.0, 1.0], [2.0, 2.0]], eigvals_only=True)  # [1. 3.]",
     written_fn, 0, 0},
    {"eigvals_banded",
     "eigvals_banded(a_band, lower=False, overwrite_a_band=False, select='a', "
     "select_range=None, check_finite=True)",
     "Eigenvalues of a Hermitian matrix given by half of its diagonals.",
     "scipy.linalg.eigvals_banded([[0.0, 1.0], [2.0, 2.0]])  # [1. 3.]",
     written_fn, 0, 0},
    {"eigh_tridiagonal",
     "eigh_tridiagonal(d, e, eigvals_only=False, select='a', select_range=None, "
     "check_finite=True, tol=0.0, lapack_driver='auto')",
     "Eigenvalues and vectors of a symmetric matrix of a diagonal and the one beside it.",
     "scipy.linalg.eigh_tridiagonal([2.0, 2.0], [1.0], eigvals_only=True)  # [1. 3.]",
     written_fn, 0, 0},
    {"eigvalsh_tridiagonal",
     "eigvalsh_tridiagonal(d, e, select='a', select_range=None, check_finite=True, tol=0.0, "
     "lapack_driver='auto')",
     "Eigenvalues of a symmetric matrix of a diagonal and the one beside it.",
     "scipy.linalg.eigvalsh_tridiagonal([2.0, 2.0], [1.0])  # [1. 3.]",
     written_fn, 0, 0},
    {"eigh",
     "eigh(a, b=None, *, lower=True, eigvals_only=False, overwrite_a=False, overwrite_b=False, "
     "type=1, check_finite=True, subset_by_index=None, subset_by_value=None, driver=None)",
     "Eigenvalues and vectors of a Hermitian matrix, or of a @ v = w * b @ v.",
     "scipy.linalg.eigh([[2.0, 0.0], [0.0, 6.0]], [[2.0, 0.0], [0.0, 2.0]], eigvals_only=True)  "
     "# [1. 3.]",
     written_fn, 0, 0},
    {"eigvalsh",
     "eigvalsh(a, b=None, *, lower=True, overwrite_a=False, overwrite_b=False, type=1, "
     "check_finite=True, subset_by_index=None, subset_by_value=None, driver=None)",
     "Eigenvalues of a Hermitian matrix, or of a @ v = w * b @ v.",
     "scipy.linalg.eigvalsh([[2.0, 1.0], [1.0, 2.0]])  # [1. 3.]",
     written_fn, 0, 0},
    {"eig",
     "eig(a, b=None, left=False, right=True, overwrite_a=False, overwrite_b=False, "
     "check_finite=True, homogeneous_eigvals=False)",
     "Eigenvalues and vectors (right, left or both) of a square matrix, or of a @ v = w * b @ v.",
     "scipy.linalg.eig([[2.0, 0.0], [0.0, 3.0]])[0].real  # [2. 3.]",
     written_fn, 0, 0},
    {"eigvals",
     "eigvals(a, b=None, overwrite_a=False, check_finite=True, homogeneous_eigvals=False)",
     "Eigenvalues of a square matrix, complex, or of a @ v = w * b @ v.",
     "scipy.linalg.eigvals([[0.0, 1.0], [-1.0, 0.0]]).imag  # [ 1. -1.]",
     written_fn, 0, 0},
    {"qr",
     "qr(a, overwrite_a=False, lwork=None, mode='full', pivoting=False, check_finite=True)",
     "Q, orthonormal, and R, a triangle: the matrix is Q @ R; with pivoting columns are put in "
     "order.",
     "scipy.linalg.qr([[3.0, 1.0], [4.0, 2.0]])[1].round(6).tolist()  # [[-5.0, -2.2], [0.0, "
     "0.4]]",
     written_fn, 0, 0},
    {"rq",
     "rq(a, overwrite_a=False, lwork=None, mode='full', check_finite=True)",
     "R, a triangle, and Q, orthonormal: the matrix is R @ Q.",
     "abs(scipy.linalg.rq([[3.0, 4.0], [0.0, 2.0]])[0]).round(6).tolist()  # [[3.0, 4.0], [0.0, "
     "2.0]]",
     written_fn, 0, 0},
    {"lstsq",
     "lstsq(a, b, cond=None, overwrite_a=False, overwrite_b=False, check_finite=True, "
     "lapack_driver=None)",
     "The x for which the length of b - a @ x is least; what is left, the rank, singular values.",
     "scipy.linalg.lstsq([[1.0], [1.0]], [2.0, 4.0])[0]  # [3.]",
     written_fn, 0, 0},
    {"solve",
     "solve(a, b, lower=False, overwrite_a=False, overwrite_b=False, check_finite=True, "
     "assume_a=None, transposed=False)",
     "The solution of a @ x = b.",
     "scipy.linalg.solve([[2.0, 1.0], [1.0, 3.0]], [3.0, 5.0])  # [0.8 1.4]",
     written_fn, 0, 0},
    {"inv",
     "inv(a, overwrite_a=False, check_finite=True, *, assume_a=None, lower=False)",
     "The inverse of a matrix.",
     "scipy.linalg.inv([[2.0, 0.0], [0.0, 4.0]]).tolist()  # [[0.5, 0.0], [0.0, 0.25]]",
     written_fn, 0, 0},
    {"det",
     "det(a, overwrite_a=False, check_finite=True)",
     "The determinant of a matrix, in float64 or complex128.",
     "scipy.linalg.det([[2.0, 0.0], [0.0, 4.0]]).round(6)  # 8.0",
     written_fn, 0, 0},
    {"pinvh",
     "pinvh(a, atol=None, rtol=None, lower=True, return_rank=False, check_finite=True)",
     "The pseudo-inverse of a Hermitian matrix.",
     "scipy.linalg.pinvh([[2.0, 0.0], [0.0, 0.0]]).tolist()  # [[0.5, 0.0], [0.0, 0.0]]",
     written_fn, 0, 0},
    {"pinv",
     "pinv(a, *, atol=None, rtol=None, return_rank=False, check_finite=True)",
     "The pseudo-inverse of a matrix.",
     "scipy.linalg.pinv([[2.0, 0.0], [0.0, 0.0]]).tolist()  # [[0.5, 0.0], [0.0, 0.0]]",
     written_fn, 0, 0},
    {.name = NULL},
};
