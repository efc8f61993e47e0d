/* scipy.signal's forms of one filter and ways between them: polynomials (b, a), zeros, poles and
   gain, second-order sections; lowpass to other bands, analogue to digital. Written in gx. */
#include "stdlib/written_int.h"

extern const gx_native gx_sp_systems_functions[];

static const char text[] =
    "PI = 3.141592653589793\n"
    "def _as(x, what):\n"
    "    x = np.atleast_1d(np.asarray(x))\n"
    "    if x.ndim != 1: raise ValueError(f'{what} must be an array of one axis, not {x.ndim}')\n"
    "    return x\n"
    "def _real_if_paired(c, roots):\n"
    "    if roots.dtype.kind != 'c': return c.real\n"
    "    low, high = np.sort(roots[roots.imag < 0].conj()), np.sort(roots[roots.imag > 0])\n"
    "    if len(low) == len(high) and np.allclose(low, high, rtol=1e-10, atol=1e-12): "
    "return c.real\n"
    "    return c\n"
    "def _poly(roots):\n"
    "    roots = _as(roots, 'roots')\n"
    "    c = [1.0]\n"
    "    for r in roots.tolist():\n"
    "        c = [p - r * q for p, q in zip(c + [0], [0] + c)]\n"
    "    return _real_if_paired(np.array(c, dtype='complex128'), roots)\n"
    "def zpk2tf(z, p, k):\n"
    "    z = np.asarray(z)\n"
    "    if z.ndim > 1:\n"
    "        return np.stack([k[i] * _poly(z[i]) for i in range(len(z))]), _poly(p)\n"
    "    return k * _poly(z), _poly(p)\n"
    "def normalize(b, a):\n"
    "    b, a = np.atleast_1d(b), np.atleast_1d(a)\n"
    "    if a.ndim != 1: raise ValueError('Denominator polynomial must be rank-1 array.')\n"
    "    if (a == 0).all(): raise ValueError('Denominator must have at least on nonzero "
    "element.')\n"
    "    a = np.trim_zeros(a, 'f')\n"
    "    b, a = b / a[0], a / a[0]\n"
    "    first = 0\n"
    "    while first + 1 < len(b) and abs(b[first]) <= 1e-14: first += 1\n"
    "    return b[first:], a\n"
    "def tf2zpk(b, a):\n"
    "    b, a = normalize(b, a)\n"
    "    b = (b + 0.0) / a[0]\n"
    "    k = b[0]\n"
    "    return np.roots(b / k), np.roots(a), k\n"
    "def _split(z):\n"
    "    z = np.asarray(z) + 0j\n"
    "    z = z[np.lexsort((abs(z.imag), z.real))]\n"
    "    real = abs(z.imag) <= 2.3e-14 * abs(z)\n"
    "    rest = z[~real]\n"
    "    up, down = rest[rest.imag > 0], rest[rest.imag < 0]\n"
    "    if len(up) != len(down): raise ValueError('Array contains complex value with no "
    "matching conjugate.')\n"
    "    match = []\n"
    "    left = down.conj().tolist()\n"
    "    for u in up.tolist():\n"
    "        at = min(range(len(left)), key=lambda i: abs(left[i] - u))\n"
    "        match.append((u + left.pop(at)) / 2)\n"
    "    return match + [r + 0j for r in z[real].real.tolist()]\n"
    "def _nearest(items, to, kind):\n"
    "    order = sorted(range(len(items)), key=lambda i: abs(items[i] - to))\n"
    "    if kind == 'any': return order[0]\n"
    "    for i in order:\n"
    "        if (items[i].imag == 0) == (kind == 'real'): return i\n"
    "    return order[0]\n"
    "def zpk2sos(z, p, k, pairing=None, analog=False):\n"
    "    if pairing is None: pairing = 'minimal' if analog else 'nearest'\n"
    "    if pairing not in ('nearest', 'keep_odd', 'minimal'):\n"
    "        raise ValueError(f\"pairing must be one of ['nearest', 'keep_odd', "
    "'minimal'], not {pairing}\")\n"
    "    z, p = np.atleast_1d(np.asarray(z)).tolist(), np.atleast_1d(np.asarray(p)).tolist()\n"
    "    if not z and not p:\n"
    "        if analog: return np.array([[0.0, 0, k, 0, 0, 1]])\n"
    "        return np.array([[k, 0.0, 0, 1, 0, 0]])\n"
    "    if pairing != 'minimal':\n"
    "        most = max(len(z), len(p))\n"
    "        z, p = z + [0] * (most - len(z)), p + [0] * (most - len(p))\n"
    "        if most % 2 == 1 and pairing == 'nearest': z, p = z + [0], p + [0]\n"
    "    elif len(p) < len(z):\n"
    "        raise ValueError('for analog zpk2sos conversion, must have len(p)>=len(z)')\n"
    "    sections = (len(p) + 1) // 2\n"
    "    z, p = _split(np.array(z)), _split(np.array(p))\n"
    "    if analog: worst = lambda i: min(range(len(i)), key=lambda j: abs(i[j].real))\n"
    "    else: worst = lambda i: min(range(len(i)), key=lambda j: abs(1 - abs(i[j])))\n"
    "    rows = []\n"
    "    pad = [] if pairing == 'minimal' else [0]\n"
    "    for _ in range(sections):\n"
    "        p1 = p.pop(worst(p))\n"
    "        reals = [i for i in range(len(p)) if p[i].imag == 0]\n"
    "        if p1.imag == 0 and not reals:\n"
    "            if pairing != 'minimal': zs, ps = [z.pop(_nearest(z, p1, 'real'))] + pad, "
    "[p1] + pad\n"
    "            else: zs, ps = ([z.pop(_nearest(z, p1, 'real'))] if z else []), [p1]\n"
    "        elif (len(p) + 1 == len(z) and p1.imag != 0 and len(reals) == 1\n"
    "              and sum(i.imag == 0 for i in z) == 1):\n"
    "            z1 = z.pop(_nearest(z, p1, 'complex'))\n"
    "            zs, ps = [z1, z1.conjugate()], [p1, p1.conjugate()]\n"
    "        else:\n"
    "            if p1.imag == 0: p2 = p.pop(reals[worst([p[i] for i in reals])])\n"
    "            else: p2 = p1.conjugate()\n"
    "            ps, zs = [p1, p2], []\n"
    "            if z:\n"
    "                z1 = z.pop(_nearest(z, p1, 'any'))\n"
    "                zs = [z1]\n"
    "                if z1.imag != 0: zs.append(z1.conjugate())\n"
    "                elif z: zs.append(z.pop(_nearest(z, p1, 'real')))\n"
    "        b, a = _poly(np.array(zs) + 0j).real.tolist(), _poly(np.array(ps) + "
    "0j).real.tolist()\n"
    "        rows.append([0.0] * (3 - len(b)) + b + [0.0] * (3 - len(a)) + a)\n"
    "    r = np.array(rows[::-1], dtype='float64')\n"
    "    r[0, :3] *= float(np.real(k))\n"
    "    return r\n"
    "def tf2sos(b, a, pairing=None, analog=False):\n"
    "    z, p, k = tf2zpk(b, a)\n"
    "    return zpk2sos(z, p, k, pairing, analog)\n"
    "def sos2tf(sos):\n"
    "    b, a = np.ones(1), np.ones(1)\n"
    "    for row in np.asarray(sos) + 0.0: b, a = np.convolve(b, row[:3]), np.convolve(a, "
    "row[3:])\n"
    "    return b, a\n"
    "def sos2zpk(sos):\n"
    "    sos = np.asarray(sos) + 0.0\n"
    "    n = len(sos)\n"
    "    z, p, k = np.zeros(2 * n, 'complex128'), np.zeros(2 * n, 'complex128'), 1.0\n"
    "    for i in range(n):\n"
    "        zs, ps, gain = tf2zpk(sos[i, :3], sos[i, 3:])\n"
    "        z[2 * i:2 * i + len(zs)], p[2 * i:2 * i + len(ps)] = zs, ps\n"
    "        k = k * gain\n"
    "    return z, p, k\n"
    "def lp2lp_zpk(z, p, k, wo=1.0):\n"
    "    z, p = np.atleast_1d(z), np.atleast_1d(p)\n"
    "    wo = float(wo)\n"
    "    return wo * z, wo * p, k * wo ** _degree(z, p)\n"
    "def _degree(z, p):\n"
    "    d = len(p) - len(z)\n"
    "    if d < 0: raise ValueError('Improper transfer function. Must have at least as "
    "many poles as zeros.')\n"
    "    return d\n"
    "def _gain(x): return np.float64(x.real)\n"
    "def _product(x):\n"
    "    r = 1.0\n"
    "    for v in np.atleast_1d(x).tolist(): r = r * v\n"
    "    return r\n"
    "def lp2hp_zpk(z, p, k, wo=1.0):\n"
    "    z, p = np.atleast_1d(z), np.atleast_1d(p)\n"
    "    zeros = np.append(wo / z, np.zeros(_degree(z, p)))\n"
    "    return zeros, wo / p, k * _gain(complex(_product(-z)) / complex(_product(-p)))\n"
    "def lp2bp_zpk(z, p, k, wo=1.0, bw=1.0):\n"
    "    z, p = np.atleast_1d(z), np.atleast_1d(p)\n"
    "    d = _degree(z, p)\n"
    "    zs, ps = z * bw / 2 + 0j, p * bw / 2 + 0j\n"
    "    rz, rp = np.sqrt(zs ** 2 - wo ** 2), np.sqrt(ps ** 2 - wo ** 2)\n"
    "    zeros = np.concatenate([zs + rz, zs - rz, np.zeros(d)])\n"
    "    return zeros, np.concatenate([ps + rp, ps - rp]), k * bw ** d\n"
    "def lp2bs_zpk(z, p, k, wo=1.0, bw=1.0):\n"
    "    z, p = np.atleast_1d(z), np.atleast_1d(p)\n"
    "    d = _degree(z, p)\n"
    "    zs, ps = bw / 2 / z + 0j, bw / 2 / p + 0j\n"
    "    rz, rp = np.sqrt(zs ** 2 - wo ** 2), np.sqrt(ps ** 2 - wo ** 2)\n"
    "    zeros = np.concatenate([zs + rz, zs - rz, np.full(d, 1j * wo), np.full(d, -1j * wo)])\n"
    "    return zeros, np.concatenate([ps + rp, ps - rp]), k * _gain(complex(_product(-z)) "
    "/ complex(_product(-p)))\n"
    "def bilinear_zpk(z, p, k, fs):\n"
    "    z, p = np.atleast_1d(z), np.atleast_1d(p)\n"
    "    d = _degree(z, p)\n"
    "    zeros = np.append((2 * fs + z) / (2 * fs - z), -np.ones(d))\n"
    "    poles = (2 * fs + p) / (2 * fs - p)\n"
    "    return zeros, poles, k * _gain(complex(_product(2 * fs - z)) / complex(_product(2 "
    "* fs - p)))\n"
    "def bilinear(b, a, fs=1.0):\n"
    "    z, p, k = tf2zpk(b, a)\n"
    "    return zpk2tf(*bilinear_zpk(z, p, k, fs))\n";

static bool written_fn(gx_call *c, gx_value *out) {
    return gx_written_call(c, "scipy.signal.systems", text, out);
}

const gx_native gx_sp_systems_functions[] = {
    {"zpk2tf",
     "zpk2tf(z, p, k)",
     "The polynomials (b, a) with these zeros, poles and gain.",
     "scipy.signal.zpk2tf([1.0], [0.5], 2.0)  # (array([ 2., -2.]), array([ 1. , -0.5]))",
     written_fn, 0, 0},
    {"normalize",
     "normalize(b, a)",
     "The quotient b / a with a starting with 1 and b without leading zeros.",
     "scipy.signal.normalize([2.0, 4.0], [2.0, 1.0])  # (array([1., 2.]), array([1. , 0.5]))",
     written_fn, 0, 0},
    {"tf2zpk",
     "tf2zpk(b, a)",
     "Zeros, poles and gain of the quotient b / a of polynomials.",
     "scipy.signal.tf2zpk([2.0, -2.0], [1.0, -0.5])  # (array([1.]), array([0.5]), 2.0)",
     written_fn, 0, 0},
    {"zpk2sos",
     "zpk2sos(z, p, k, pairing=None, *, analog=False)",
     "Zeros, poles and gain as second-order sections.",
     "scipy.signal.zpk2sos([1.0], [0.5], 2.0).tolist()  # [[2.0, -2.0, 0.0, 1.0, -0.5, 0.0]]",
     written_fn, 0, 0},
    {"tf2sos",
     "tf2sos(b, a, pairing=None, *, analog=False)",
     "The quotient b / a of polynomials as second-order sections.",
     "scipy.signal.tf2sos([2.0, -2.0], [1.0, -0.5]).tolist()  # [[2.0, -2.0, 0.0, 1.0, -0.5, "
     "0.0]]",
     written_fn, 0, 0},
    {"sos2tf",
     "sos2tf(sos)",
     "Second-order sections as polynomials (b, a).",
     "scipy.signal.sos2tf([[1.0, 1, 0, 1, 0.5, 0]])  # (array([1., 1., 0.]), array([1. , 0.5, "
     "0. ]))",
     written_fn, 0, 0},
    {"sos2zpk",
     "sos2zpk(sos)",
     "Zeros, poles and gain of second-order sections.",
     "scipy.signal.sos2zpk([[2.0, -2.0, 0, 1, -0.5, 0]])[2]  # 2.0",
     written_fn, 0, 0},
    {"lp2lp_zpk",
     "lp2lp_zpk(z, p, k, wo=1.0)",
     "A lowpass of frequency 1 moved to wo: zeros, poles and gain.",
     "scipy.signal.lp2lp_zpk([], [-1.0], 1.0, 2.0)[1:]  # (array([-2.]), 2.0)",
     written_fn, 0, 0},
    {"lp2hp_zpk",
     "lp2hp_zpk(z, p, k, wo=1.0)",
     "A lowpass of frequency 1 turned into a highpass at wo: zeros, poles and gain.",
     "scipy.signal.lp2hp_zpk([], [-1.0], 1.0, 2.0)[1:]  # (array([-2.]), 1.0)",
     written_fn, 0, 0},
    {"lp2bp_zpk",
     "lp2bp_zpk(z, p, k, wo=1.0, bw=1.0)",
     "A lowpass of frequency 1 turned into a bandpass around wo, bw wide: zeros, poles and gain.",
     "scipy.signal.lp2bp_zpk([], [-1.0], 1.0, 2.0, 0.5)[2]  # 0.5",
     written_fn, 0, 0},
    {"lp2bs_zpk",
     "lp2bs_zpk(z, p, k, wo=1.0, bw=1.0)",
     "A lowpass of frequency 1 turned into a bandstop around wo, bw wide: zeros, poles and gain.",
     "scipy.signal.lp2bs_zpk([], [-1.0], 1.0, 2.0, 0.5)[2]  # 1.0",
     written_fn, 0, 0},
    {"bilinear_zpk",
     "bilinear_zpk(z, p, k, fs)",
     "An analogue filter made digital at the rate fs: zeros, poles and gain.",
     "scipy.signal.bilinear_zpk([], [-2.0], 2.0, 1.0)  # (array([-1.]), array([0.]), 0.5)",
     written_fn, 0, 0},
    {"bilinear",
     "bilinear(b, a, fs=1.0)",
     "An analogue filter b / a made digital at the rate fs.",
     "scipy.signal.bilinear([1.0], [1.0, 1.0], 0.5)  # (array([0.5, 0.5]), array([1., 0.]))",
     written_fn, 0, 0},
    {.name = NULL},
};
