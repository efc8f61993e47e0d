/* scipy.linalg's systems and decompositions: lu, cholesky, qr, eigh, banded matrices and their kin,
   written in gx in terms of numpy.linalg. One matrix a call. */
#include "stdlib/written_int.h"

extern const gx_native gx_sp_factor_functions[];

static const char text[] =
    "def _matrix(a, finite=True, square=False, what='matrix'):\n"
    "    a = np.asarray(a)\n"
    "    if a.ndim != 2:\n"
    "        raise ValueError(f'expected a {what} of two axes, not {a.ndim}')\n"
    "    if square and a.shape[0] != a.shape[1]:\n"
    "        raise ValueError(f'expected square matrix, not {a.shape}')\n"
    "    return _floats(a, finite)\n"
    "def _floats(a, finite=True):\n"
    "    a = np.asarray(a)\n"
    "    if a.dtype.kind in 'biu' or a.dtype.name == 'float16': a = a.astype('float64')\n"
    "    if finite and not np.isfinite(a).all():\n"
    "        raise ValueError('array must not contain infs or NaNs')\n"
    "    return a\n"
    "def _h(a): return a.conj().T if a.dtype.kind == 'c' else a.T\n"
    "def _eps(a): return float(np.finfo(a.dtype).eps)\n"
    "def _lu(a):\n"
    "    a = a.copy()\n"
    "    m, n = a.shape\n"
    "    k = min(m, n)\n"
    "    piv = list(range(k))\n"
    "    zero = False\n"
    "    for i in range(k):\n"
    "        p = i + int(np.argmax(abs(a[i:, i])))\n"
    "        piv[i] = p\n"
    "        if p != i: a[[i, p]] = a[[p, i]]\n"
    "        if a[i, i] == 0:\n"
    "            zero = True\n"
    "            continue\n"
    "        a[i + 1:, i] /= a[i, i]\n"
    "        if i + 1 < n: a[i + 1:, i + 1:] -= a[i + 1:, i:i + 1] * a[i:i + 1, i + 1:]\n"
    "    return a, piv, zero\n"
    "def _order(piv, m):\n"
    "    perm = list(range(m))\n"
    "    for i, p in enumerate(piv): perm[i], perm[p] = perm[p], perm[i]\n"
    "    return perm\n"
    "def lu(a, permute_l=False, overwrite_a=False, check_finite=True, p_indices=False):\n"
    "    a = _matrix(a, check_finite)\n"
    "    m, n = a.shape\n"
    "    k = min(m, n)\n"
    "    f, piv, _ = _lu(a)\n"
    "    perm = _order(piv, m)\n"
    "    back = np.argsort(np.array(perm, dtype='int64'))\n"
    "    low = np.tril(f[:, :k], -1) + np.eye(m, k, dtype=a.dtype)\n"
    "    high = np.triu(f[:k])\n"
    "    if permute_l: return low[back], high\n"
    "    if p_indices: return back.astype('int32'), low, high\n"
    "    real = a.real.dtype if a.dtype.kind == 'c' else a.dtype\n"
    "    return np.eye(m, dtype=real)[back] if m else np.zeros((0, 0), real), low, high\n"
    "def lu_factor(a, overwrite_a=False, check_finite=True):\n"
    "    a = _matrix(a, check_finite)\n"
    "    f, piv, zero = _lu(a)\n"
    "    if zero:\n"
    "        from warnings import warn\n"
    "        warn('Diagonal number is exactly zero. Singular matrix.', RuntimeWarning)\n"
    "    return f, np.array(piv, dtype='int32')\n"
    "def _trans(trans):\n"
    "    if trans in (0, 'N'): return 0\n"
    "    if trans in (1, 'T'): return 1\n"
    "    if trans in (2, 'C'): return 2\n"
    "    raise ValueError(f\"trans must be 0, 1 or 2 ('N', 'T' or 'C'), not {trans!r}\")\n"
    "def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):\n"
    "    f, piv = lu_and_piv\n"
    "    f, b = _matrix(f, check_finite, True), _floats(b, check_finite)\n"
    "    if b.ndim < 1 or b.shape[0] != f.shape[0]:\n"
    "        raise ValueError(f'Shapes of lu {f.shape} and b {b.shape} are incompatible')\n"
    "    perm = np.array(_order(np.asarray(piv).tolist(), f.shape[0]), dtype='int64')\n"
    "    t = _trans(trans)\n"
    "    tri = sp.linalg.solve_triangular\n"
    "    if t == 0:\n"
    "        return tri(f, tri(f, b[perm], lower=True, unit_diagonal=True))\n"
    "    x = tri(f, tri(f, b, trans=t), trans=t, lower=True, unit_diagonal=True)\n"
    "    return x[np.argsort(perm)]\n"
    "def cholesky(a, lower=False, overwrite_a=False, check_finite=True):\n"
    "    a = _matrix(np.atleast_2d(a), check_finite, True)\n"
    "    if not a.size: return a.copy()\n"
    "    half = np.tril(a) if lower else _h(np.triu(a))\n"
    "    try:\n"
    "        f = np.linalg.cholesky(half)\n"
    "    except np.linalg.LinAlgError:\n"
    "        n = next((i for i in range(1, len(a) + 1) if not _positive(half[:i, :i])), len(a))\n"
    "        raise np.linalg.LinAlgError(f'{n}-th leading minor of the array is not "
    "positive definite')\n"
    "    return f if lower else _h(f)\n"
    "def _positive(half):\n"
    "    try:\n"
    "        np.linalg.cholesky(half)\n"
    "        return True\n"
    "    except np.linalg.LinAlgError:\n"
    "        return False\n"
    "def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):\n"
    "    a = _matrix(np.atleast_2d(a), check_finite, True)\n"
    "    f = cholesky(a, lower)\n"
    "    return f + (np.triu(a, 1) if lower else np.tril(a, -1)), bool(lower)\n"
    "def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):\n"
    "    f, lower = c_and_lower\n"
    "    f, b = _matrix(f, check_finite, True), _floats(b, check_finite)\n"
    "    if b.ndim < 1 or b.shape[0] != f.shape[0]:\n"
    "        raise ValueError(f'incompatible dimensions ({f.shape} and {b.shape})')\n"
    "    tri = sp.linalg.solve_triangular\n"
    "    if lower: return tri(f, tri(f, b, lower=True), trans=2, lower=True)\n"
    "    return tri(f, tri(f, b, trans=2))\n"
    "def _dense(l, u, ab, n):\n"
    "    if ab.shape[0] != l + u + 1:\n"
    "        raise ValueError(f'invalid values for the number of lower and upper "
    "diagonals: l+u+1 '\n"
    "                         f'({l + u + 1}) does not equal ab.shape[0] ({ab.shape[0]})')\n"
    "    a = np.zeros((n, n), ab.dtype)\n"
    "    for d in range(-l, u + 1):\n"
    "        k = n - abs(d)\n"
    "        if k <= 0: continue\n"
    "        row = ab[u - d]\n"
    "        line = row[d:d + k] if d >= 0 else row[:k]\n"
    "        i = np.arange(k)\n"
    "        a[i - min(d, 0), i + max(d, 0)] = line\n"
    "    return a\n"
    "def solve_banded(l_and_u, ab, b, overwrite_ab=False, overwrite_b=False, "
    "check_finite=True):\n"
    "    l, u = l_and_u\n"
    "    ab, b = _matrix(ab, check_finite), _floats(b, check_finite)\n"
    "    n = ab.shape[1]\n"
    "    if b.shape[0] != n: raise ValueError('shapes of ab and b are not compatible.')\n"
    "    kind = np.result_type(ab, b)\n"
    "    ab, x = ab.astype(kind), b.astype(kind).reshape(n, -1)\n"
    "    if not x.size: return x.reshape(b.shape)\n"
    "    a = _dense(l, u, ab, n)\n"
    "    try:\n"
    "        return np.linalg.solve(a, x).reshape(b.shape)\n"
    "    except np.linalg.LinAlgError:\n"
    "        raise np.linalg.LinAlgError('singular matrix')\n"
    "def solveh_banded(ab, b, overwrite_ab=False, overwrite_b=False, lower=False,\n"
    "        check_finite=True):\n"
    "    ab, b = _matrix(ab, check_finite), _floats(b, check_finite)\n"
    "    n = ab.shape[1]\n"
    "    if b.shape[0] != n: raise ValueError('ab and b are not compatible.')\n"
    "    a = _from_half(ab, lower)\n"
    "    c = cho_factor(a, lower)\n"
    "    return cho_solve(c, b)\n"
    "def _from_half(ab, lower):\n"
    "    k, n = ab.shape[0] - 1, ab.shape[1]\n"
    "    half = _dense(k, 0, ab, n) if lower else _dense(0, k, ab, n)\n"
    "    other = _h(half)\n"
    "    i = np.arange(n)\n"
    "    a = half + other\n"
    "    a[i, i] = half[i, i].real if half.dtype.kind == 'c' else half[i, i]\n"
    "    return a\n"
    "def eig_banded(a_band, lower=False, eigvals_only=False, overwrite_a_band=False, "
    "select='a',\n"
    "        select_range=None, max_ev=0, check_finite=True):\n"
    "    a = _from_half(_matrix(a_band, check_finite), lower)\n"
    "    by_index = select_range if select in ('i', 2, 'index') else None\n"
    "    by_value = select_range if select in ('v', 1, 'value') else None\n"
    "    return eigh(a, None, True, eigvals_only, subset_by_index=by_index, "
    "subset_by_value=by_value)\n"
    "def eigvals_banded(a_band, lower=False, overwrite_a_band=False, select='a',\n"
    "        select_range=None, check_finite=True):\n"
    "    return eig_banded(a_band, lower, True, False, select, select_range, 0, check_finite)\n"
    "def eigh_tridiagonal(d, e, eigvals_only=False, select='a', select_range=None,\n"
    "        check_finite=True, tol=0.0, lapack_driver='auto'):\n"
    "    d, e = _floats(d, check_finite), _floats(e, check_finite)\n"
    "    if d.ndim != 1 or e.ndim != 1 or d.size != e.size + 1:\n"
    "        raise ValueError(f'd ({d.size}) must have one more element than e ({e.size})')\n"
    "    band = np.stack([d, np.append(e, np.zeros(1, e.dtype))])\n"
    "    return eig_banded(band, True, eigvals_only, False, select, select_range)\n"
    "def eigvalsh_tridiagonal(d, e, select='a', select_range=None, check_finite=True, tol=0.0,\n"
    "        lapack_driver='auto'):\n"
    "    return eigh_tridiagonal(d, e, True, select, select_range, check_finite)\n"
    "def _whole(a, lower):\n"
    "    n = np.arange(len(a))\n"
    "    half = np.tril(a, -1) if lower else np.triu(a, 1)\n"
    "    a = half + _h(half) + np.diag(np.diag(a.real if a.dtype.kind == 'c' else a))\n"
    "    return a\n"
    "def eigh(a, b=None, lower=True, eigvals_only=False, overwrite_a=False, overwrite_b=False,\n"
    "        type=1, check_finite=True, subset_by_index=None, subset_by_value=None, "
    "driver=None):\n"
    "    a = _matrix(a, check_finite, True)\n"
    "    if subset_by_index is not None and subset_by_value is not None:\n"
    "        raise ValueError('Either index or value subset can be requested.')\n"
    "    a = _whole(a, lower)\n"
    "    if b is None:\n"
    "        w, v = np.linalg.eigh(a) if a.size else (np.zeros(0, a.real.dtype), a)\n"
    "    else:\n"
    "        b = _matrix(b, check_finite, True)\n"
    "        if a.shape != b.shape:\n"
    "            raise ValueError(f'wrong b dimensions {b.shape}, should be {a.shape}')\n"
    "        if type not in (1, 2, 3): raise ValueError('\"type\" keyword only accepts 1, "
    "2, and 3.')\n"
    "        f = np.linalg.cholesky(_whole(b, lower))\n"
    "        if type == 1:\n"
    "            t = np.linalg.solve(f, a)\n"
    "            w, y = np.linalg.eigh(_whole(np.linalg.solve(f, _h(t)), True))\n"
    "        else:\n"
    "            w, y = np.linalg.eigh(_whole(_h(f) @ a @ f, True))\n"
    "        v = f @ y if type == 3 else np.linalg.solve(_h(f), y)\n"
    "    if subset_by_index is not None:\n"
    "        first, last = subset_by_index\n"
    "        if not 0 <= first <= last < len(a):\n"
    "            raise ValueError('Requested eigenvalue indices are not valid. Valid range is '\n"
    "                             f'[0, {len(a) - 1}] and start <= end, but start={first}, '\n"
    "                             f'end={last} is given')\n"
    "        w, v = w[first:last + 1], v[:, first:last + 1]\n"
    "    if subset_by_value is not None:\n"
    "        first, last = subset_by_value\n"
    "        if not first < last:\n"
    "            raise ValueError('Requested eigenvalue bounds are not valid. Valid range is '\n"
    "                             f'(-inf, inf) and low < high, but low={first}, "
    "high={last} is given')\n"
    "        keep = (w > first) & (w <= last)\n"
    "        w, v = w[keep], v[:, keep]\n"
    "    return w if eigvals_only else (w, v)\n"
    "def eigvalsh(a, b=None, lower=True, overwrite_a=False, overwrite_b=False, type=1,\n"
    "        check_finite=True, subset_by_index=None, subset_by_value=None, driver=None):\n"
    "    return eigh(a, b, lower, True, False, False, type, check_finite, subset_by_index,\n"
    "                subset_by_value)\n"
    "def eig(a, b=None, left=False, right=True, overwrite_a=False, overwrite_b=False,\n"
    "        check_finite=True, homogeneous_eigvals=False):\n"
    "    a = _matrix(a, check_finite, True)\n"
    "    if b is not None: a = np.linalg.solve(_matrix(b, check_finite, True), a)\n"
    "    w, v = np.linalg.eig(a)\n"
    "    w = w.astype(np.result_type(w, 'complex64'))\n"
    "    if left:\n"
    "        lv = np.linalg.inv(_h(v))\n"
    "        lv = lv / np.sqrt((abs(lv) ** 2).sum(axis=0))\n"
    "    if left and right: return w, lv, v\n"
    "    if left: return w, lv\n"
    "    return (w, v) if right else w\n"
    "def eigvals(a, b=None, overwrite_a=False, check_finite=True, homogeneous_eigvals=False):\n"
    "    return eig(a, b, False, False)\n"
    "def qr(a, overwrite_a=False, lwork=None, mode='full', pivoting=False, check_finite=True):\n"
    "    if mode not in ('full', 'qr', 'r', 'economic'):\n"
    "        raise ValueError(\"Mode argument should be one of ['full', 'r', 'economic', "
    "'raw']\")\n"
    "    a = _matrix(a, check_finite)\n"
    "    m, n = a.shape\n"
    "    order = None\n"
    "    if pivoting: order = _column_order(a.copy())\n"
    "    of = a if order is None else a[:, order]\n"
    "    if not a.size:\n"
    "        q = np.eye(m, 0 if mode == 'economic' else m, dtype=a.dtype)\n"
    "        r = np.zeros((0 if mode == 'economic' else m, n), a.dtype)\n"
    "    else:\n"
    "        q, r = np.linalg.qr(of, mode='reduced' if mode == 'economic' else 'complete')\n"
    "    out = (r,) if mode == 'r' else (q, r)\n"
    "    return out + (order.astype('int32'),) if pivoting else out\n"
    "def _column_order(a):\n"
    "    m, n = a.shape\n"
    "    order = np.arange(n)\n"
    "    for k in range(min(m, n)):\n"
    "        norms = (abs(a[k:, k:]) ** 2).sum(axis=0)\n"
    "        p = k + int(np.argmax(norms))\n"
    "        if p != k:\n"
    "            a[:, [k, p]] = a[:, [p, k]]\n"
    "            order[[k, p]] = order[[p, k]]\n"
    "        v, by = _mirror(a[k:, k])\n"
    "        if by: a[k:, k:] -= by * np.outer(v, v.conj() @ a[k:, k:])\n"
    "    return order\n"
    "def _mirror(x):\n"
    "    size = float(np.sqrt((abs(x) ** 2).sum()))\n"
    "    if size == 0: return x, 0\n"
    "    v = x.copy()\n"
    "    first = v[0]\n"
    "    v[0] = first + (size * first / abs(first) if first != 0 else size)\n"
    "    return v, 2 / float((abs(v) ** 2).sum())\n"
    "def rq(a, overwrite_a=False, lwork=None, mode='full', check_finite=True):\n"
    "    if mode not in ('full', 'r', 'economic'):\n"
    "        raise ValueError(\"Mode argument should be one of ['full', 'r', 'economic']\")\n"
    "    a = _matrix(a, check_finite)\n"
    "    m, n = a.shape\n"
    "    q, r = np.linalg.qr(_h(a[::-1]), mode='reduced' if mode == 'economic' else 'complete')\n"
    "    r, q = _h(r)[::-1, ::-1], _h(q)[::-1]\n"
    "    return r if mode == 'r' else (r, q)\n"
    "def lstsq(a, b, cond=None, overwrite_a=False, overwrite_b=False, check_finite=True,\n"
    "        lapack_driver=None):\n"
    "    a, b = _matrix(a, check_finite), _floats(b, check_finite)\n"
    "    if b.ndim not in (1, 2) or b.shape[0] != a.shape[0]:\n"
    "        raise ValueError('Shape mismatch: a and b should have the same number of rows '\n"
    "                         f'({a.shape[0]} != {b.shape[0] if b.ndim else 0}).')\n"
    "    m, n = a.shape\n"
    "    x, left, rank, s = np.linalg.lstsq(a, b, rcond=_eps(np.zeros(1, np.result_type(a, "
    "b))) if cond is None else cond)\n"
    "    if rank == n and m > n:\n"
    "        rest = b - a @ x\n"
    "        left = (abs(rest) ** 2).sum(axis=0)\n"
    "    else:\n"
    "        left = np.zeros(0, x.dtype)\n"
    "    return x, left, int(rank), s\n"
    "def solve(a, b, lower=False, overwrite_a=False, overwrite_b=False, check_finite=True,\n"
    "        assume_a=None, transposed=False):\n"
    "    a, b = _matrix(a, check_finite, True), _floats(b, check_finite)\n"
    "    if b.ndim < 1 or b.shape[0] != a.shape[0]:\n"
    "        raise ValueError('Input b has to have same number of rows as input a')\n"
    "    if assume_a in ('sym', 'symmetric', 'her', 'hermitian', 'pos', 'positive definite'):\n"
    "        half = np.tril(a) if lower else np.triu(a)\n"
    "        sym = assume_a in ('sym', 'symmetric')\n"
    "        rest = np.tril(a, -1) if lower else np.triu(a, 1)\n"
    "        a = half + (rest.T if sym else _h(rest))\n"
    "    elif assume_a in ('upper triangular', 'lower triangular'):\n"
    "        a = np.tril(a) if assume_a[0] == 'l' else np.triu(a)\n"
    "    elif assume_a not in (None, 'gen', 'general', 'banded', 'tridiagonal', 'diagonal'):\n"
    "        raise ValueError(f'{assume_a} is not a recognized matrix structure')\n"
    "    try:\n"
    "        return np.linalg.solve(a.T if transposed else a, b)\n"
    "    except np.linalg.LinAlgError:\n"
    "        raise np.linalg.LinAlgError('A singular matrix detected: slice(s) 0 are "
    "singular.')\n"
    "def inv(a, overwrite_a=False, check_finite=True, assume_a=None, lower=False):\n"
    "    return np.linalg.inv(_matrix(a, check_finite, True))\n"
    "def det(a, overwrite_a=False, check_finite=True):\n"
    "    a = _matrix(a, check_finite, True)\n"
    "    return np.linalg.det(a.astype('complex128' if a.dtype.kind == 'c' else 'float64'))\n"
    "def pinvh(a, atol=None, rtol=None, lower=True, return_rank=False, check_finite=True):\n"
    "    a = _matrix(a, check_finite, True)\n"
    "    w, v = np.linalg.eigh(_whole(a, lower))\n"
    "    most = float(abs(w).max())\n"
    "    rtol = len(a) * _eps(a) if rtol is None else rtol\n"
    "    keep = abs(w) > (atol or 0.0) + most * rtol\n"
    "    w, v = w[keep], v[:, keep]\n"
    "    b = (v / w) @ _h(v)\n"
    "    return (b, len(w)) if return_rank else b\n"
    "def pinv(a, atol=None, rtol=None, return_rank=False, check_finite=True):\n"
    "    a = _matrix(a, check_finite)\n"
    "    u, s, vh = np.linalg.svd(a, full_matrices=False)\n"
    "    rtol = max(a.shape) * _eps(a) if rtol is None else rtol\n"
    "    if rtol < 0 or (atol or 0.0) < 0: raise ValueError('atol and rtol values must be "
    "positive.')\n"
    "    most = float(s.max()) if s.size else 0.0\n"
    "    rank = (s > (atol or 0.0) + most * rtol).sum()\n"
    "    b = _h((u[:, :rank] / s[:rank]) @ vh[:rank])\n"
    "    return (b, rank) if return_rank else b\n";

static bool written_fn(gx_call *c, gx_value *out) {
    return gx_written_call(c, "scipy.linalg.factor", text, out);
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
