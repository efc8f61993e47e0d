/* scipy.linalg's special matrices beside those of sp_linalg.c: hilbert, pascal, hadamard and more,
   and systems whose matrix is one of them, written in gx. */
#include "stdlib/written_int.h"

extern const gx_native gx_sp_matrices[];

static const char text[] =
    "def hilbert(n):\n"
    "    i = np.arange(n)\n"
    "    return 1.0 / (i[:, None] + i + 1)\n"
    "def invhilbert(n, exact=False):\n"
    "    from math import comb\n"
    "    r = [[(-1) ** (i + j) * (i + j + 1) * comb(n + i, n - j - 1) * comb(n + j, n - i - 1)\n"
    "          * comb(i + j, i) ** 2 for j in range(n)] for i in range(n)]\n"
    "    if exact and n > 14: raise ValueError('exact: the numbers of invhilbert are int64 "
    "up to n=14')\n"
    "    return np.array(r, dtype='int64' if exact else 'float64').reshape(n, n)\n"
    "def pascal(n, kind='symmetric', exact=True):\n"
    "    from math import comb\n"
    "    if kind not in ('symmetric', 'lower', 'upper'):\n"
    "        raise ValueError(\"kind must be 'symmetric', 'lower', or 'upper'\")\n"
    "    if exact and n > 34: raise ValueError('pascal: with exact=True n is at most 34 in gx')\n"
    "    if kind == 'symmetric': r = [[comb(i + j, i) for j in range(n)] for i in range(n)]\n"
    "    elif kind == 'lower': r = [[comb(i, j) for j in range(n)] for i in range(n)]\n"
    "    else: r = [[comb(j, i) for j in range(n)] for i in range(n)]\n"
    "    return np.array(r, dtype='uint64' if exact else 'float64').reshape(n, n)\n"
    "def invpascal(n, kind='symmetric', exact=True):\n"
    "    from math import comb\n"
    "    if kind not in ('symmetric', 'lower', 'upper'):\n"
    "        raise ValueError(\"'kind' must be 'symmetric', 'lower' or 'upper'.\")\n"
    "    if exact and n > 30: raise ValueError('invpascal: with exact=True n is at most 30 "
    "in gx')\n"
    "    low = [[(-1) ** (i + j) * comb(i, j) for j in range(n)] for i in range(n)]\n"
    "    if kind == 'symmetric':\n"
    "        r = [[(-1) ** (i + j) * sum(comb(k, i) * comb(k, j) for k in range(n)) for j "
    "in range(n)]\n"
    "             for i in range(n)]\n"
    "    elif kind == 'lower': r = low\n"
    "    else: r = [[low[j][i] for j in range(n)] for i in range(n)]\n"
    "    return np.array(r, dtype='int64' if exact else 'float64').reshape(n, n)\n"
    "def hadamard(n, dtype=None):\n"
    "    if n < 1 or n & (n - 1): raise ValueError('n must be an positive integer, and n "
    "must be a power of 2')\n"
    "    h = np.array([[1]], dtype='int64' if dtype is None else dtype)\n"
    "    while len(h) < n: h = np.vstack([np.hstack([h, h]), np.hstack([h, -h])])\n"
    "    return h\n"
    "def leslie(f, s):\n"
    "    f, s = np.atleast_1d(f), np.atleast_1d(s)\n"
    "    if s.shape[0] != f.shape[0] - 1:\n"
    "        raise ValueError(f'Incorrect lengths for f and s. The length of s must be one "
    "less than '\n"
    "                         f'the length of f. Got f: {len(f)}, s: {len(s)}.')\n"
    "    r = np.diag(s, -1).astype(np.result_type(f, s))\n"
    "    r[0] = f\n"
    "    return r\n"
    "def companion(a):\n"
    "    a = np.atleast_1d(a)\n"
    "    if a.ndim != 1 or a.shape[0] < 2: raise ValueError(\"The length of `a` along the "
    "last axis must be at least 2.\")\n"
    "    if a[0] == 0: raise ValueError(\"The first coefficient in `a` must not be zero.\")\n"
    "    row = -a[1:] / (1.0 * a[0])\n"
    "    r = np.eye(len(a) - 1, k=-1, dtype=row.dtype)\n"
    "    r[0] = row\n"
    "    return r\n"
    "def dft(n, scale=None):\n"
    "    if scale not in (None, 'sqrtn', 'n'):\n"
    "        raise ValueError(f\"scale must be None, 'sqrtn', or 'n'; {scale!r} is not "
    "valid.\")\n"
    "    i = np.arange(n)\n"
    "    w = np.exp(-2j * np.pi * i / n)\n"
    "    m = w[i[:, None] * i % n]\n"
    "    return m / n if scale == 'n' else m / np.sqrt(n) if scale == 'sqrtn' else m\n"
    "def helmert(n, full=False):\n"
    "    h = np.tril(np.ones((n, n)), -1) - np.diag(np.arange(n))\n"
    "    d = np.arange(n) * np.arange(1, n + 1)\n"
    "    h[0] = 1\n"
    "    d[0] = n\n"
    "    r = h / np.sqrt(d)[:, None]\n"
    "    return r if full else r[1:]\n"
    "def fiedler(a):\n"
    "    a = np.atleast_1d(a)\n"
    "    if a.ndim != 1: raise ValueError(\"Input 'a' must be a 1D array.\")\n"
    "    return abs(a[:, None] - a)\n"
    "def convolution_matrix(a, n, mode='full'):\n"
    "    a = np.asarray(a)\n"
    "    if n <= 0: raise ValueError('n must be a positive integer.')\n"
    "    if a.ndim != 1 or not a.size: raise ValueError('convolution_matrix expects a "
    "one-dimensional array as input')\n"
    "    if mode not in ('full', 'valid', 'same'):\n"
    "        raise ValueError(\"'mode' argument must be one of ('full', 'valid', 'same')\")\n"
    "    m = len(a)\n"
    "    whole = np.zeros((m + n - 1, n), a.dtype)\n"
    "    for j in range(n): whole[j:j + m, j] = a\n"
    "    if mode == 'full': return whole\n"
    "    count = max(m, n) if mode == 'same' else max(m, n) - min(m, n) + 1\n"
    "    first = (min(m, n) - 1) // 2 if mode == 'same' else min(m, n) - 1\n"
    "    return whole[first:first + count]\n"
    "def solve_toeplitz(c_or_cr, b, check_finite=True):\n"
    "    c, r = c_or_cr if isinstance(c_or_cr, tuple) else (c_or_cr, None)\n"
    "    return np.linalg.solve(sp.linalg.toeplitz(c, r), b)\n"
    "def matmul_toeplitz(c_or_cr, x, check_finite=False, workers=None):\n"
    "    c, r = c_or_cr if isinstance(c_or_cr, tuple) else (c_or_cr, None)\n"
    "    return sp.linalg.toeplitz(c, r) @ (np.asarray(x) * 1.0)\n"
    "def solve_circulant(c, b, singular='raise', tol=None, caxis=-1, baxis=0, outaxis=0):\n"
    "    c, b = np.atleast_1d(c), np.atleast_1d(b)\n"
    "    if c.ndim != 1 or len(c) != b.shape[0]:\n"
    "        raise ValueError(f'Shapes of c {c.shape} and b {b.shape} are incompatible')\n"
    "    f = np.fft.fft(c)\n"
    "    size = abs(f)\n"
    "    least = float(size.max()) * len(c) * 2.220446049250313e-16 if tol is None else tol\n"
    "    bad = size <= least\n"
    "    if bad.any():\n"
    "        if singular == 'raise': raise np.linalg.LinAlgError('near singular circulant "
    "matrix.')\n"
    "        f = np.where(bad, 1, f)\n"
    "    f, bad = f.reshape(-1, *[1] * (b.ndim - 1)), bad.reshape(-1, *[1] * (b.ndim - 1))\n"
    "    x = np.fft.ifft(np.where(bad, 0, np.fft.fft(b, axis=0) / f), axis=0)\n"
    "    return x if 'c' in c.dtype.kind + b.dtype.kind else x.real\n"
    "def khatri_rao(a, b):\n"
    "    a, b = np.asarray(a), np.asarray(b)\n"
    "    if a.ndim != 2 or b.ndim != 2: raise ValueError('The both arrays must be at least "
    "2-dimensional.')\n"
    "    if a.shape[1] != b.shape[1]: raise ValueError('The number of columns for both "
    "arrays should be equal.')\n"
    "    return (a[:, None, :] * b[None, :, :]).reshape(-1, a.shape[1])\n"
    "def diagsvd(s, M, N):\n"
    "    s = np.asarray(s)\n"
    "    if len(s) not in (M, N): raise ValueError('Length of s must be M or N.')\n"
    "    r = np.zeros((M, N), s.dtype)\n"
    "    i = np.arange(len(s))\n"
    "    r[i, i] = s\n"
    "    return r\n";

static bool written_fn(gx_call *c, gx_value *out) {
    return gx_written_call(c, "scipy.linalg.matrices", text, out);
}

const gx_native gx_sp_matrices[] = {
    {"hilbert",
     "hilbert(n)",
     "The matrix of 1 / (i + j + 1).",
     "scipy.linalg.hilbert(2).round(6).tolist()  # [[1.0, 0.5], [0.5, 0.333333]]",
     written_fn, 0, 0},
    {"invhilbert",
     "invhilbert(n, exact=False)",
     "The inverse of hilbert(n).",
     "scipy.linalg.invhilbert(2).tolist()  # [[4.0, -6.0], [-6.0, 12.0]]",
     written_fn, 0, 0},
    {"pascal",
     "pascal(n, kind='symmetric', exact=True)",
     "The matrix of Pascal's numbers comb(i + j, i), or its triangle.",
     "scipy.linalg.pascal(3).tolist()  # [[1, 1, 1], [1, 2, 3], [1, 3, 6]]",
     written_fn, 0, 0},
    {"invpascal",
     "invpascal(n, kind='symmetric', exact=True)",
     "The inverse of pascal(n, kind).",
     "scipy.linalg.invpascal(2).tolist()  # [[2, -1], [-1, 1]]",
     written_fn, 0, 0},
    {"hadamard",
     "hadamard(n, dtype=None)",
     "Sylvester's matrix of 1 and -1 whose rows are orthogonal; n is a power of two.",
     "scipy.linalg.hadamard(2).tolist()  # [[1, 1], [1, -1]]",
     written_fn, 0, 0},
    {"leslie",
     "leslie(f, s)",
     "The matrix of a population: what each age bears, and how many of it live on.",
     "scipy.linalg.leslie([0.0, 2.0], [0.5]).tolist()  # [[0.0, 2.0], [0.5, 0.0]]",
     written_fn, 0, 0},
    {"companion",
     "companion(a)",
     "The matrix whose eigenvalues are the roots of a polynomial.",
     "scipy.linalg.companion([1, -3, 2]).tolist()  # [[3.0, -2.0], [1.0, 0.0]]",
     written_fn, 0, 0},
    {"dft",
     "dft(n, scale=None)",
     "The matrix of the Fourier transform of n numbers.",
     "scipy.linalg.dft(2).real.tolist()  # [[1.0, 1.0], [1.0, -1.0]]",
     written_fn, 0, 0},
    {"helmert",
     "helmert(n, full=False)",
     "Helmert's orthonormal matrix, without its row of means unless full.",
     "scipy.linalg.helmert(2).round(6).tolist()  # [[0.707107, -0.707107]]",
     written_fn, 0, 0},
    {"fiedler",
     "fiedler(a)",
     "The matrix of abs(a[i] - a[j]).",
     "scipy.linalg.fiedler([1, 4]).tolist()  # [[0, 3], [3, 0]]",
     written_fn, 0, 0},
    {"convolution_matrix",
     "convolution_matrix(a, n, mode='full')",
     "The matrix whose product with n numbers is their convolution with a.",
     "scipy.linalg.convolution_matrix([1, 2], 2).tolist()  # [[1, 0], [2, 1], [0, 2]]",
     written_fn, 0, 0},
    {"solve_toeplitz",
     "solve_toeplitz(c_or_cr, b, check_finite=True)",
     "The solution of toeplitz(c, r) @ x = b.",
     "scipy.linalg.solve_toeplitz([2.0, 1.0], [3.0, 3.0]).round(6)  # [1. 1.]",
     written_fn, 0, 0},
    {"matmul_toeplitz",
     "matmul_toeplitz(c_or_cr, x, check_finite=False, workers=None)",
     "The product toeplitz(c, r) @ x.",
     "scipy.linalg.matmul_toeplitz([2.0, 1.0], [1.0, 1.0]).round(6)  # [3. 3.]",
     written_fn, 0, 0},
    {"solve_circulant",
     "solve_circulant(c, b, singular='raise', tol=None, caxis=-1, baxis=0, outaxis=0)",
     "The solution of circulant(c) @ x = b, by Fourier transforms.",
     "scipy.linalg.solve_circulant([2.0, 1.0], [4.0, 5.0]).round(6)  # [1. 2.]",
     written_fn, 0, 0},
    {"khatri_rao",
     "khatri_rao(a, b)",
     "Kronecker's product column by column.",
     "scipy.linalg.khatri_rao([[1, 2]], [[3, 4]]).tolist()  # [[3, 8]]",
     written_fn, 0, 0},
    {"diagsvd",
     "diagsvd(s, M, N)",
     "The M by N matrix with singular values on its diagonal.",
     "scipy.linalg.diagsvd([2, 1], 2, 3).tolist()  # [[2, 0, 0], [0, 1, 0]]",
     written_fn, 0, 0},
    {.name = NULL},
};
