/* scipy.linalg's functions of matrices (sqrtm, logm, funm …), the forms of Hessenberg and Schur,
   spaces, and Sylvester's equation, written in gx. One matrix a call. */
#include "stdlib/written_int.h"

extern const gx_native gx_sp_matrix_functions[];

static const char text[] =
    "def _matrix(a, square=False):\n"
    "    a = np.asarray(a)\n"
    "    if a.ndim != 2: raise ValueError(f'expected a matrix of two axes, not {a.ndim}')\n"
    "    if square and (a.ndim != 2 or a.shape[0] != a.shape[1]):\n"
    "        raise ValueError(f'expected square array_like input, not {a.shape}')\n"
    "    if a.dtype.kind in 'biu' or a.dtype.name == 'float16': a = a.astype('float64')\n"
    "    if not np.isfinite(a).all(): raise ValueError('array must not contain infs or NaNs')\n"
    "    return a\n"
    "def _h(a): return a.conj().T if a.dtype.kind == 'c' else a.T\n"
    "def _eps(a): return float(np.finfo(a.dtype).eps)\n"
    "def null_space(A, rcond=None, overwrite_a=False, check_finite=True, "
    "lapack_driver='gesdd'):\n"
    "    a = _matrix(A)\n"
    "    u, s, vh = np.linalg.svd(a)\n"
    "    rcond = _eps(s) * max(a.shape) if rcond is None else rcond\n"
    "    rank = int((s > s.max() * rcond).sum()) if s.size else 0\n"
    "    return _h(vh[rank:])\n"
    "def orth(A, rcond=None):\n"
    "    a = _matrix(A)\n"
    "    u, s, vh = np.linalg.svd(a, full_matrices=False)\n"
    "    rcond = _eps(s) * max(a.shape) if rcond is None else rcond\n"
    "    rank = int((s > s.max() * rcond).sum()) if s.size else 0\n"
    "    return u[:, :rank]\n"
    "def subspace_angles(A, B):\n"
    "    qa, qb = orth(A), orth(B)\n"
    "    if len(qa) != len(qb):\n"
    "        raise ValueError(f'A and B must have the same number of rows, got {len(qa)} "
    "and {len(qb)}')\n"
    "    c = _h(qa) @ qb\n"
    "    sigma = np.linalg.svd(c, compute_uv=False)\n"
    "    rest = qb - qa @ c if qa.shape[1] >= qb.shape[1] else qa - qb @ _h(c)\n"
    "    mu = np.clip(np.linalg.svd(rest, compute_uv=False), -1.0, 1.0)\n"
    "    small = sigma ** 2 >= 0.5\n"
    "    return np.where(small, np.arcsin(np.where(small, mu, 0.0)),\n"
    "                    np.arccos(np.clip(sigma[::-1], -1.0, 1.0)))\n"
    "def polar(a, side='right'):\n"
    "    if side not in ('right', 'left'): raise ValueError(\"`side` must be either "
    "'right' or 'left'\")\n"
    "    a = _matrix(a)\n"
    "    w, s, vh = np.linalg.svd(a, full_matrices=False)\n"
    "    p = (_h(vh) * s) @ vh if side == 'right' else (w * s) @ _h(w)\n"
    "    return w @ vh, p\n"
    "def orthogonal_procrustes(A, B, check_finite=True):\n"
    "    a, b = _matrix(A), _matrix(B)\n"
    "    if a.shape != b.shape: raise ValueError(f'the shapes of A and B differ ({a.shape} "
    "vs {b.shape})')\n"
    "    u, w, vt = np.linalg.svd(_h(_h(b) @ a))\n"
    "    return u @ vt, w.sum()\n"
    "def _mirror(x):\n"
    "    v = x.copy()\n"
    "    size = float(np.sqrt((abs(x) ** 2).sum()))\n"
    "    first = x[0]\n"
    "    rest = float((abs(x[1:]) ** 2).sum())\n"
    "    if rest == 0 and (x.dtype.kind != 'c' or first.imag == 0): return v, 0.0, first\n"
    "    beta = -size if first.real >= 0 else size\n"
    "    tau = (beta - first) / beta\n"
    "    v[1:] = x[1:] / (first - beta)\n"
    "    v[0] = 1\n"
    "    return v, tau, beta\n"
    "def hessenberg(a, calc_q=False, overwrite_a=False, check_finite=True):\n"
    "    h = _matrix(a, True).copy()\n"
    "    n = len(h)\n"
    "    q = np.eye(n, dtype=h.dtype)\n"
    "    for k in range(n - 1):\n"
    "        v, tau, beta = _mirror(h[k + 1:, k])\n"
    "        if tau == 0: continue\n"
    "        back = tau.conjugate()\n"
    "        h[k + 1:, k:] -= back * np.outer(v, v.conj() @ h[k + 1:, k:])\n"
    "        h[:, k + 1:] -= tau * np.outer(h[:, k + 1:] @ v, v.conj())\n"
    "        q[:, k + 1:] -= tau * np.outer(q[:, k + 1:] @ v, v.conj())\n"
    "        h[k + 2:, k] = 0\n"
    "    return (h, q) if calc_q else h\n"
    "def _turn(a, b):\n"
    "    size = (abs(a) ** 2 + abs(b) ** 2) ** 0.5\n"
    "    if size == 0: return 1.0, 0.0\n"
    "    return a / size, b / size\n"
    "def _complex_schur(t, z):\n"
    "    n = len(t)\n"
    "    eps = _eps(t)\n"
    "    high, tries = n - 1, 0\n"
    "    while high > 0:\n"
    "        low = high\n"
    "        while low > 0:\n"
    "            near = abs(complex(t[low - 1, low - 1])) + abs(complex(t[low, low]))\n"
    "            if abs(complex(t[low, low - 1])) <= eps * (near or 1.0):\n"
    "                t[low, low - 1] = 0\n"
    "                break\n"
    "            low -= 1\n"
    "        if low == high:\n"
    "            high, tries = high - 1, 0\n"
    "            continue\n"
    "        tries += 1\n"
    "        if tries > 300: raise np.linalg.LinAlgError('Schur form not found. Possibly "
    "ill-conditioned.')\n"
    "        a, b = complex(t[high - 1, high - 1]), complex(t[high - 1, high])\n"
    "        c, d = complex(t[high, high - 1]), complex(t[high, high])\n"
    "        half = (a - d) / 2\n"
    "        root = (half * half + b * c) ** 0.5\n"
    "        one, two = d + half - root, d + half + root\n"
    "        shift = one if abs(one - d) < abs(two - d) else two\n"
    "        if tries % 10 == 0: shift = d + abs(c)\n"
    "        turns = []\n"
    "        for i in range(low, high + 1): t[i, i] -= shift\n"
    "        for k in range(low, high):\n"
    "            c, s = _turn(complex(t[k, k]), complex(t[k + 1, k]))\n"
    "            g = np.array([[c.conjugate(), complex(s).conjugate()], [-s, "
    "c]]).astype(t.dtype)\n"
    "            t[k:k + 2, k:] = g @ t[k:k + 2, k:]\n"
    "            turns.append(g)\n"
    "        for k, g in enumerate(turns, low):\n"
    "            gh = _h(g)\n"
    "            end = min(k + 3, high + 1)\n"
    "            t[:end, k:k + 2] = t[:end, k:k + 2] @ gh\n"
    "            z[:, k:k + 2] = z[:, k:k + 2] @ gh\n"
    "        for i in range(low, high + 1): t[i, i] += shift\n"
    "    return np.triu(t), z\n"
    "def _standard(t, z, k):\n"
    "    a, b, c, d = float(t[k, k]), float(t[k, k + 1]), float(t[k + 1, k]), float(t[k + "
    "1, k + 1])\n"
    "    if c == 0: return\n"
    "    p = (a - d) / 2\n"
    "    square = p * p + b * c\n"
    "    if square >= 0:\n"
    "        root = square ** 0.5\n"
    "        zed = p + (root if p >= 0 else -root)\n"
    "        cs, sn = _turn(zed, c)\n"
    "    else:\n"
    "        sigma = b + c\n"
    "        tau = (sigma * sigma + (2 * p) ** 2) ** 0.5\n"
    "        cs = (0.5 * (1 + abs(sigma) / tau)) ** 0.5\n"
    "        sn = -(p / (tau * cs)) * (1 if sigma >= 0 else -1)\n"
    "    g = np.array([[cs, sn], [-sn, cs]]).astype(t.dtype)\n"
    "    t[k:k + 2, k:] = g @ t[k:k + 2, k:]\n"
    "    t[:k + 2, k:k + 2] = t[:k + 2, k:k + 2] @ g.T\n"
    "    z[:, k:k + 2] = z[:, k:k + 2] @ g.T\n"
    "    if square >= 0:\n"
    "        t[k + 1, k] = 0\n"
    "    else:\n"
    "        mean = (t[k, k] + t[k + 1, k + 1]) / 2\n"
    "        t[k, k] = mean\n"
    "        t[k + 1, k + 1] = mean\n"
    "def _bulge(t, z, low, high, trace, det):\n"
    "    h00, h10 = float(t[low, low]), float(t[low + 1, low])\n"
    "    h01, h11 = float(t[low, low + 1]), float(t[low + 1, low + 1])\n"
    "    x = np.array([h00 * h00 + h01 * h10 - trace * h00 + det, h10 * (h00 + h11 - trace),\n"
    "                  h10 * float(t[low + 2, low + 1])]).astype(t.dtype)\n"
    "    for k in range(low, high):\n"
    "        m = min(3, high - k + 1)\n"
    "        if k > low: x = t[k:k + m, k - 1].copy()\n"
    "        v, tau, beta = _mirror(x[:m])\n"
    "        if tau != 0:\n"
    "            first = max(k - 1, low)\n"
    "            t[k:k + m, first:] -= tau * np.outer(v, v @ t[k:k + m, first:])\n"
    "            end = min(k + 4, high + 1)\n"
    "            t[:end, k:k + m] -= tau * np.outer(t[:end, k:k + m] @ v, v)\n"
    "            z[:, k:k + m] -= tau * np.outer(z[:, k:k + m] @ v, v)\n"
    "        if k > low: t[k + 1:k + m, k - 1] = 0\n"
    "def _real_schur(t, z):\n"
    "    n = len(t)\n"
    "    eps = _eps(t)\n"
    "    high, tries = n - 1, 0\n"
    "    while high > 0:\n"
    "        low = high\n"
    "        while low > 0:\n"
    "            near = abs(float(t[low - 1, low - 1])) + abs(float(t[low, low]))\n"
    "            if abs(float(t[low, low - 1])) <= eps * (near or 1.0):\n"
    "                t[low, low - 1] = 0\n"
    "                break\n"
    "            low -= 1\n"
    "        if low == high:\n"
    "            high, tries = high - 1, 0\n"
    "            continue\n"
    "        if low == high - 1:\n"
    "            _standard(t, z, low)\n"
    "            high, tries = high - 2, 0\n"
    "            continue\n"
    "        tries += 1\n"
    "        if tries > 300: raise np.linalg.LinAlgError('Schur form not found. Possibly "
    "ill-conditioned.')\n"
    "        a, b = float(t[high - 1, high - 1]), float(t[high - 1, high])\n"
    "        c, d = float(t[high, high - 1]), float(t[high, high])\n"
    "        trace, det = a + d, a * d - b * c\n"
    "        if tries % 10 == 0:\n"
    "            w = abs(c) + abs(float(t[high - 1, high - 2]))\n"
    "            trace, det = 1.5 * w, w * w\n"
    "        _bulge(t, z, low, high, trace, det)\n"
    "    return t, z\n"
    "def schur(a, output='real', lwork=None, overwrite_a=False, sort=None, check_finite=True):\n"
    "    if output not in ('real', 'complex', 'r', 'c'):\n"
    "        raise ValueError(\"argument must be 'real', or 'complex'\")\n"
    "    if sort is not None: raise ValueError('schur: sort must be None in gx')\n"
    "    a = _matrix(a, True)\n"
    "    if output[0] == 'c' and a.dtype.kind != 'c':\n"
    "        a = a.astype('complex64' if a.dtype.name == 'float32' else 'complex128')\n"
    "    if not a.size: return a.copy(), a.copy()\n"
    "    h, q = hessenberg(a, True)\n"
    "    return _complex_schur(h, q) if a.dtype.kind == 'c' else _real_schur(h, q)\n"
    "def rsf2csf(T, Z, check_finite=True):\n"
    "    t, z = _matrix(T, True), _matrix(Z, True)\n"
    "    if t.shape != z.shape: raise ValueError(f'Input array shapes must match: Z: "
    "{z.shape} vs. T: {t.shape}')\n"
    "    kind = np.result_type(t, z, 'complex64')\n"
    "    return _complex_schur(t.astype(kind), z.astype(kind))\n"
    "def _root_of_triangle(t):\n"
    "    n = len(t)\n"
    "    d = np.diag(t)\n"
    "    r = np.diag(np.sqrt(d))\n"
    "    for k in range(1, n):\n"
    "        i = np.arange(n - k)\n"
    "        total = t[i, i + k].copy()\n"
    "        for j in range(1, k): total -= r[i, i + j] * r[i + j, i + k]\n"
    "        below = r[i, i] + r[i + k, i + k]\n"
    "        if ((below == 0) & (total != 0)).any():\n"
    "            return np.full_like(t, np.nan)\n"
    "        r[i, i + k] = total / np.where(below == 0, 1, below)\n"
    "    return r\n"
    "def _back(x, a, narrow=True):\n"
    "    if a.dtype.kind != 'c' and x.dtype.kind == 'c':\n"
    "        most = float(abs(x).max()) if x.size else 0.0\n"
    "        if not x.size or float(abs(x.imag).max()) <= 1000 * _eps(x.real) * (most or "
    "1.0): x = x.real\n"
    "    if narrow and a.dtype.name == 'float32': x = x.astype('complex64' if x.dtype.kind "
    "== 'c' else 'float32')\n"
    "    return x\n"
    "def sqrtm(A, disp=None, blocksize=None):\n"
    "    a = np.asarray(A)\n"
    "    if a.ndim != 2 or a.shape[0] != a.shape[1]:\n"
    "        raise np.linalg.LinAlgError(f'Input must be a square matrix, not {a.shape}')\n"
    "    a = _matrix(a, True)\n"
    "    if not a.size: return a.copy()\n"
    "    t, z = schur(a, 'complex')\n"
    "    return _back(z @ _root_of_triangle(t) @ _h(z), a)\n"
    "def logm(A, disp=True):\n"
    "    a = _matrix(A, True)\n"
    "    if not a.size: return a.copy()\n"
    "    t, z = schur(a.astype('complex128' if a.dtype.kind == 'c' else 'float64'), 'complex')\n"
    "    if (np.diag(t) == 0).any():\n"
    "        from warnings import warn\n"
    "        warn('The logm input matrix is exactly singular.', RuntimeWarning)\n"
    "    d = np.log(np.diag(t))\n"
    "    one = np.eye(len(t))\n"
    "    times = 0\n"
    "    while float(abs(t - one).sum(axis=0).max()) > 0.25 and times < 100:\n"
    "        t = _root_of_triangle(t)\n"
    "        times += 1\n"
    "    x = t - one\n"
    "    nodes, weights = np.linalg.eigh(_legendre(9))\n"
    "    r = np.zeros_like(t)\n"
    "    for at, by in zip(nodes.tolist(), (weights[0] ** 2).tolist()):\n"
    "        r += by * np.linalg.solve(one + (at + 1) / 2 * x, x)\n"
    "    r = r * 2.0 ** times\n"
    "    i = np.arange(len(t))\n"
    "    r[i, i] = d\n"
    "    return _back(z @ r @ _h(z), a, False)\n"
    "def _legendre(n):\n"
    "    k = np.arange(1.0, n)\n"
    "    b = k / np.sqrt(4 * k * k - 1)\n"
    "    return np.diag(b, 1) + np.diag(b, -1)\n"
    "def fractional_matrix_power(A, t):\n"
    "    a = _matrix(A, True)\n"
    "    if t == int(t): return np.linalg.matrix_power(np.asarray(A), int(t))\n"
    "    whole = int(np.floor(t))\n"
    "    rest = sp.linalg.expm((t - whole) * logm(a))\n"
    "    return _back(np.linalg.matrix_power(a, whole) @ rest, a, False)\n"
    "def funm(A, func, disp=True):\n"
    "    a = _matrix(A, True)\n"
    "    t, z = schur(a, 'complex')\n"
    "    n = len(t)\n"
    "    f = np.diag(func(np.diag(t))).astype(t.dtype)\n"
    "    for p in range(1, n):\n"
    "        for i in range(n - p):\n"
    "            j = i + p\n"
    "            s = t[i, j] * (f[j, j] - f[i, i])\n"
    "            if p > 1: s = s + t[i, i + 1:j] @ f[i + 1:j, j] - f[i, i + 1:j] @ t[i + "
    "1:j, j]\n"
    "            den = t[j, j] - t[i, i]\n"
    "            f[i, j] = s / den if den != 0 else s\n"
    "    return _back(z @ f @ _h(z), a)\n"
    "def signm(A, disp=True):\n"
    "    a = _matrix(A, True)\n"
    "    x = a\n"
    "    for _ in range(100):\n"
    "        new = (x + np.linalg.inv(x)) / 2\n"
    "        done = float(abs(new - x).sum()) <= 10 * _eps(x) * float(abs(new).sum())\n"
    "        x = new\n"
    "        if done: break\n"
    "    return x\n"
    "def _both(A):\n"
    "    a = _matrix(A, True)\n"
    "    if a.dtype.kind == 'c':\n"
    "        return a, (sp.linalg.expm(1j * a) + sp.linalg.expm(-1j * a)) / 2, "
    "(sp.linalg.expm(1j * a) - sp.linalg.expm(-1j * a)) / 2j\n"
    "    e = sp.linalg.expm(1j * a)\n"
    "    return a, e.real, e.imag\n"
    "def cosm(A):\n"
    "    return _both(A)[1]\n"
    "def sinm(A):\n"
    "    return _both(A)[2]\n"
    "def tanm(A):\n"
    "    a, c, s = _both(A)\n"
    "    return np.linalg.solve(c, s)\n"
    "def coshm(A):\n"
    "    a = _matrix(A, True)\n"
    "    return (sp.linalg.expm(a) + sp.linalg.expm(-a)) / 2\n"
    "def sinhm(A):\n"
    "    a = _matrix(A, True)\n"
    "    return (sp.linalg.expm(a) - sp.linalg.expm(-a)) / 2\n"
    "def tanhm(A):\n"
    "    return np.linalg.solve(coshm(A), sinhm(A))\n"
    "def solve_sylvester(a, b, q):\n"
    "    a, b, q = _matrix(a, True), _matrix(b, True), _matrix(q)\n"
    "    r, u = schur(a, 'complex')\n"
    "    s, v = schur(_h(b), 'complex')\n"
    "    f = _h(u) @ q @ v\n"
    "    n = len(s)\n"
    "    one = np.eye(len(r))\n"
    "    y = np.zeros(f.shape, 'complex128')\n"
    "    sh = _h(s)\n"
    "    for k in range(n - 1, -1, -1):\n"
    "        rest = f[:, k] - y[:, k + 1:] @ sh[k + 1:, k]\n"
    "        y[:, k] = np.linalg.solve(r + sh[k, k] * one, rest)\n"
    "    x = u @ y @ _h(v)\n"
    "    x = x if 'c' in a.dtype.kind + b.dtype.kind + q.dtype.kind else x.real\n"
    "    return x.astype(np.result_type(a, b, q))\n"
    "def solve_continuous_lyapunov(a, q):\n"
    "    a = _matrix(a, True)\n"
    "    return solve_sylvester(a, _h(a), q)\n"
    "def solve_discrete_lyapunov(a, q, method=None):\n"
    "    a, q = _matrix(a, True), _matrix(q)\n"
    "    n = len(a)\n"
    "    left = np.eye(n * n) - np.kron(a, a.conj())\n"
    "    return np.linalg.solve(left, q.reshape(-1)).reshape(q.shape)\n"
    "def bandwidth(a):\n"
    "    a = np.asarray(a)\n"
    "    if a.ndim != 2: raise ValueError('Input array must be a 2D NumPy array.')\n"
    "    i, j = np.nonzero(a)\n"
    "    if not len(i): return 0, 0\n"
    "    return max(0, int((i - j).max())), max(0, int((j - i).max()))\n"
    "def issymmetric(a, atol=None, rtol=None):\n"
    "    a = np.asarray(a)\n"
    "    if a.ndim != 2 or a.shape[0] != a.shape[1]: return False\n"
    "    if atol is None and rtol is None: return bool((a == a.T).all())\n"
    "    return bool(np.allclose(a, a.T, atol=atol or 0.0, rtol=rtol or 0.0))\n"
    "def ishermitian(a, atol=None, rtol=None):\n"
    "    a = np.asarray(a)\n"
    "    if a.ndim != 2 or a.shape[0] != a.shape[1]: return False\n"
    "    if atol is None and rtol is None: return bool((a == a.conj().T).all())\n"
    "    return bool(np.allclose(a, a.conj().T, atol=atol or 0.0, rtol=rtol or 0.0))\n";

static bool written_fn(gx_call *c, gx_value *out) {
    return gx_written_call(c, "scipy.linalg.functions", text, out);
}

const gx_native gx_sp_matrix_functions[] = {
    {"null_space",
     "null_space(A, rcond=None, *, overwrite_a=False, check_finite=True, lapack_driver='gesdd')",
     "An orthonormal basis of what the matrix maps to zero, by columns.",
     "abs(scipy.linalg.null_space([[1.0, 0.0]])).tolist()  # [[0.0], [1.0]]",
     written_fn, 0, 0},
    {"orth",
     "orth(A, rcond=None)",
     "An orthonormal basis of what the matrix can give, by columns.",
     "abs(scipy.linalg.orth([[2.0, 0.0], [0.0, 0.0]])).tolist()  # [[1.0], [0.0]]",
     written_fn, 0, 0},
    {"subspace_angles",
     "subspace_angles(A, B)",
     "The angles between the spaces that two matrices' columns span, the largest first.",
     "scipy.linalg.subspace_angles([[1.0], [0.0]], [[1.0], [1.0]]).round(6)  # [0.785398]",
     written_fn, 0, 0},
    {"polar",
     "polar(a, side='right')",
     "U, orthonormal, and P, positive: the matrix is U @ P, or P @ U.",
     "scipy.linalg.polar([[0.0, 2.0], [-2.0, 0.0]])[1].round(6).tolist()  # [[2.0, 0.0], [0.0, "
     "2.0]]",
     written_fn, 0, 0},
    {"orthogonal_procrustes",
     "orthogonal_procrustes(A, B, check_finite=True)",
     "The orthonormal R for which A @ R is nearest to B, and the sum of singular values.",
     "scipy.linalg.orthogonal_procrustes([[2.0, 0.0], [0.0, 1.0]], [[0.0, 2.0], [1.0, "
     "0.0]])[1]  # 5.0",
     written_fn, 0, 0},
    {"hessenberg",
     "hessenberg(a, calc_q=False, overwrite_a=False, check_finite=True)",
     "The matrix as q @ h @ q.conj().T with zeros below h's second diagonal: h, or (h, q).",
     "abs(scipy.linalg.hessenberg([[1.0, 2.0], [3.0, 4.0]])).tolist()  # [[1.0, 2.0], [3.0, "
     "4.0]]",
     written_fn, 0, 0},
    {"schur",
     "schur(a, output='real', lwork=None, overwrite_a=False, sort=None, check_finite=True)",
     "T, a triangle (with blocks of two for complex pairs where output is real), and Z with Z @ "
     "T @ Z.conj().T equal to the matrix.",
     "scipy.linalg.schur([[2.0, 1.0], [0.0, 3.0]])[0].tolist()  # [[2.0, 1.0], [0.0, 3.0]]",
     written_fn, 0, 0},
    {"rsf2csf",
     "rsf2csf(T, Z, check_finite=True)",
     "schur's real answer as the complex one.",
     "scipy.linalg.rsf2csf([[2.0, 1.0], [0.0, 3.0]], [[1.0, 0.0], [0.0, "
     "1.0]])[0].real.tolist()  # [[2.0, 1.0], [0.0, 3.0]]",
     written_fn, 0, 0},
    {"sqrtm",
     "sqrtm(A, disp=None, blocksize=None)",
     "The matrix whose product with itself is A.",
     "scipy.linalg.sqrtm([[4.0, 0.0], [0.0, 9.0]]).tolist()  # [[2.0, 0.0], [0.0, 3.0]]",
     written_fn, 0, 0},
    {"logm",
     "logm(A, disp=True)",
     "The matrix whose exponential is A.",
     "abs(scipy.linalg.logm([[1.0, 1.0], [0.0, 1.0]])).round(6).tolist()  # [[0.0, 1.0], [0.0, "
     "0.0]]",
     written_fn, 0, 0},
    {"fractional_matrix_power",
     "fractional_matrix_power(A, t)",
     "A to a power that need not be an integer.",
     "scipy.linalg.fractional_matrix_power([[4.0, 0.0], [0.0, 9.0]], 0.5).round(6).tolist()  # "
     "[[2.0, 0.0], [0.0, 3.0]]",
     written_fn, 0, 0},
    {"funm",
     "funm(A, func, disp=True)",
     "A function of numbers made one of matrices.",
     "scipy.linalg.funm([[4.0, 0.0], [0.0, 9.0]], sqrt).tolist()  # [[2.0, 0.0], [0.0, 3.0]]",
     written_fn, 0, 0},
    {"signm",
     "signm(A, disp=True)",
     "The sign of a matrix: its eigenvalues become 1 or -1.",
     "scipy.linalg.signm([[4.0, 0.0], [0.0, -9.0]]).tolist()  # [[1.0, 0.0], [0.0, -1.0]]",
     written_fn, 0, 0},
    {"cosm",
     "cosm(A)",
     "The cosine of a matrix.",
     "scipy.linalg.cosm([[0.0, 1.0], [0.0, 0.0]]).round(6).tolist()  # [[1.0, 0.0], [0.0, 1.0]]",
     written_fn, 0, 0},
    {"sinm",
     "sinm(A)",
     "The sine of a matrix.",
     "scipy.linalg.sinm([[0.0, 1.0], [0.0, 0.0]]).round(6).tolist()  # [[0.0, 1.0], [0.0, 0.0]]",
     written_fn, 0, 0},
    {"tanm",
     "tanm(A)",
     "The tangent of a matrix.",
     "scipy.linalg.tanm([[0.0, 1.0], [0.0, 0.0]]).round(6).tolist()  # [[0.0, 1.0], [0.0, 0.0]]",
     written_fn, 0, 0},
    {"coshm",
     "coshm(A)",
     "The hyperbolic cosine of a matrix.",
     "scipy.linalg.coshm([[0.0, 1.0], [0.0, 0.0]]).round(6).tolist()  # [[1.0, 0.0], [0.0, 1.0]]",
     written_fn, 0, 0},
    {"sinhm",
     "sinhm(A)",
     "The hyperbolic sine of a matrix.",
     "scipy.linalg.sinhm([[0.0, 1.0], [0.0, 0.0]]).round(6).tolist()  # [[0.0, 1.0], [0.0, 0.0]]",
     written_fn, 0, 0},
    {"tanhm",
     "tanhm(A)",
     "The hyperbolic tangent of a matrix.",
     "scipy.linalg.tanhm([[0.0, 1.0], [0.0, 0.0]]).round(6).tolist()  # [[0.0, 1.0], [0.0, 0.0]]",
     written_fn, 0, 0},
    {"solve_sylvester",
     "solve_sylvester(a, b, q)",
     "The x with a @ x + x @ b equal to q.",
     "scipy.linalg.solve_sylvester([[1.0]], [[3.0]], [[8.0]]).round(6).tolist()  # [[2.0]]",
     written_fn, 0, 0},
    {"solve_continuous_lyapunov",
     "solve_continuous_lyapunov(a, q)",
     "The x with a @ x + x @ a.conj().T equal to q.",
     "scipy.linalg.solve_continuous_lyapunov([[2.0]], [[8.0]]).round(6).tolist()  # [[2.0]]",
     written_fn, 0, 0},
    {"solve_discrete_lyapunov",
     "solve_discrete_lyapunov(a, q, method=None)",
     "The x with a @ x @ a.conj().T - x + q equal to zero.",
     "scipy.linalg.solve_discrete_lyapunov([[0.5]], [[3.0]]).round(6).tolist()  # [[4.0]]",
     written_fn, 0, 0},
    {"bandwidth",
     "bandwidth(a)",
     "How many diagonals below and above the main one are not all zero.",
     "scipy.linalg.bandwidth([[1, 2, 0], [0, 1, 2], [0, 0, 1]])  # (0, 1)",
     written_fn, 0, 0},
    {"issymmetric",
     "issymmetric(a, atol=None, rtol=None)",
     "Is the matrix its own transpose?",
     "scipy.linalg.issymmetric([[1, 2], [2, 1]])  # True",
     written_fn, 0, 0},
    {"ishermitian",
     "ishermitian(a, atol=None, rtol=None)",
     "Is the matrix its own conjugate transpose?",
     "scipy.linalg.ishermitian([[1, 2j], [-2j, 1]])  # True",
     written_fn, 0, 0},
    {.name = NULL},
};
