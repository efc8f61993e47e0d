/* scipy.signal.windows: windows for filters and spectra, each periodic or symmetric; written in
   gx. */
#include "stdlib/written_int.h"

extern const gx_native gx_sp_windows_functions[];

static const char text[] =
    "PI = 3.141592653589793\n"
    "def _size(M, sym):\n"
    "    if M != int(M) or M < 0: raise ValueError('Window length M must be a non-negative "
    "integer')\n"
    "    return int(M) + (0 if sym or M <= 1 else 1)\n"
    "def _at(M, m): return (np.arange(m) - (m - 1) / 2) if M > 1 else None\n"
    "def _made(f, M, sym):\n"
    "    m = _size(M, sym)\n"
    "    if M <= 1: return np.ones(int(M))\n"
    "    return f(m)[:int(M)]\n"
    "def general_cosine(M, a, sym=True):\n"
    "    def f(m):\n"
    "        t = np.linspace(-PI, PI, m)\n"
    "        return sum(float(c) * np.cos(k * t) for k, c in enumerate(a))\n"
    "    return _made(f, M, sym)\n"
    "def general_hamming(M, alpha, sym=True):\n"
    "    return general_cosine(M, [alpha, 1.0 - alpha], sym)\n"
    "def boxcar(M, sym=True):\n"
    "    return _made(lambda m: np.ones(m), M, sym)\n"
    "def hann(M, sym=True):\n"
    "    return general_hamming(M, 0.5, sym)\n"
    "def hamming(M, sym=True):\n"
    "    return general_hamming(M, 0.54, sym)\n"
    "def blackman(M, sym=True):\n"
    "    return general_cosine(M, [0.42, 0.50, 0.08], sym)\n"
    "def nuttall(M, sym=True):\n"
    "    return general_cosine(M, [0.3635819, 0.4891775, 0.1365995, 0.0106411], sym)\n"
    "def blackmanharris(M, sym=True):\n"
    "    return general_cosine(M, [0.35875, 0.48829, 0.14128, 0.01168], sym)\n"
    "def flattop(M, sym=True):\n"
    "    return general_cosine(M, [0.21557895, 0.41663158, 0.277263158, 0.083578947, "
    "0.006947368], sym)\n"
    "def triang(M, sym=True):\n"
    "    return _made(lambda m: 1 - abs(_at(M, m)) / ((m + 1) / 2 if m % 2 else m / 2), M, sym)\n"
    "def bartlett(M, sym=True):\n"
    "    return _made(lambda m: 1 - abs(_at(M, m)) / ((m - 1) / 2), M, sym)\n"
    "def parzen(M, sym=True):\n"
    "    def f(m):\n"
    "        n = abs(_at(M, m))\n"
    "        u = n / (m / 2.0)\n"
    "        return np.where(n > (m - 1) / 4.0, 2 * (1 - u) ** 3.0, 1 - 6 * u ** 2.0 + 6 * "
    "u ** 3.0)\n"
    "    return _made(f, M, sym)\n"
    "def bohman(M, sym=True):\n"
    "    def f(m):\n"
    "        u = abs(np.linspace(-1, 1, m))\n"
    "        w = (1 - u) * np.cos(PI * u) + 1.0 / PI * np.sin(PI * u)\n"
    "        w[0], w[-1] = 0, 0\n"
    "        return w\n"
    "    return _made(f, M, sym)\n"
    "def cosine(M, sym=True):\n"
    "    return _made(lambda m: np.sin(PI / m * (np.arange(0, m) + 0.5)), M, sym)\n"
    "def barthann(M, sym=True):\n"
    "    def f(m):\n"
    "        u = abs(np.arange(0, m) / (m - 1.0) - 0.5)\n"
    "        return 0.62 - 0.48 * u + 0.38 * np.cos(2 * PI * u)\n"
    "    return _made(f, M, sym)\n"
    "def lanczos(M, sym=True):\n"
    "    def f(m):\n"
    "        w = np.sinc(2.0 * np.arange(0, m) / (m - 1) - 1.0)\n"
    "        return (w + w[::-1]) / 2\n"
    "    return _made(f, M, sym)\n"
    "def tukey(M, alpha=0.5, sym=True):\n"
    "    if alpha <= 0: return boxcar(M, True)\n"
    "    if alpha >= 1: return hann(M, sym)\n"
    "    def f(m):\n"
    "        n = np.arange(0, m)\n"
    "        width = int(np.floor(alpha * (m - 1) / 2.0))\n"
    "        low = 0.5 * (1 + np.cos(PI * (-1 + 2.0 * n / alpha / (m - 1))))\n"
    "        high = 0.5 * (1 + np.cos(PI * (-2.0 / alpha + 1 + 2.0 * n / alpha / (m - 1))))\n"
    "        return np.where(n <= width, low, np.where(n >= m - width - 1, high, 1.0))\n"
    "    return _made(f, M, sym)\n"
    "def kaiser(M, beta, sym=True):\n"
    "    return _made(lambda m: np.kaiser(m, beta), M, sym)\n"
    "def kaiser_bessel_derived(M, beta, sym=True):\n"
    "    if not sym: raise ValueError('Kaiser-Bessel Derived windows are only defined for "
    "symmetric shapes')\n"
    "    if M < 1: return np.zeros(0)\n"
    "    if M % 2: raise ValueError('Kaiser-Bessel Derived windows are only defined for "
    "even number of points')\n"
    "    sums = np.cumsum(np.kaiser(M // 2 + 1, beta))\n"
    "    w = np.sqrt(sums[:-1] / sums[-1])\n"
    "    return np.concatenate((w, w[::-1]))\n"
    "def gaussian(M, std, sym=True):\n"
    "    return _made(lambda m: np.exp(-_at(M, m) ** 2 / (2 * std * std)), M, sym)\n"
    "def general_gaussian(M, p, sig, sym=True):\n"
    "    return _made(lambda m: np.exp(-0.5 * abs(_at(M, m) / sig) ** (2 * p)), M, sym)\n"
    "def exponential(M, center=None, tau=1.0, sym=True):\n"
    "    if sym and center is not None: raise ValueError('If sym==True, center must be None.')\n"
    "    return _made(lambda m: np.exp(-abs(np.arange(0, m) - ((m - 1) / 2 if center is "
    "None else center)) / tau), M, sym)\n"
    "def taylor(M, nbar=4, sll=30, norm=True, sym=True):\n"
    "    def f(m):\n"
    "        B = 10 ** (sll / 20)\n"
    "        A = np.arccosh(B) / PI\n"
    "        s2 = nbar ** 2 / (A ** 2 + (nbar - 0.5) ** 2)\n"
    "        ma = np.arange(1, nbar)\n"
    "        F = []\n"
    "        for i in range(1, nbar):\n"
    "            num = (-1.0) ** (i + 1) * np.prod(1 - i * i / s2 / (A ** 2 + (ma - 0.5) ** 2))\n"
    "            F.append(float(num / (2 * np.prod(np.append(1 - i * i / ma[:i - 1] ** 2, "
    "1 - i * i / ma[i:] ** 2)))))\n"
    "        F = np.array(F)\n"
    "        W = lambda n: 1 + 2 * (F * np.cos(2 * PI * ma * (np.asarray(n)[..., None] - m "
    "/ 2.0 + 0.5) / m)).sum(axis=-1)\n"
    "        w = W(np.arange(m) + 0.0)\n"
    "        return w / float(W((m - 1) / 2)) if norm else w\n"
    "    return _made(f, M, sym)\n"
    "def chebwin(M, at, sym=True):\n"
    "    def f(m):\n"
    "        order = m - 1.0\n"
    "        beta = np.cosh(1.0 / order * np.arccosh(10 ** (abs(at) / 20.0)))\n"
    "        x = beta * np.cos(PI * np.arange(m) / m)\n"
    "        big = np.maximum(abs(x), 1.0)\n"
    "        p = np.where(x > 1, np.cosh(order * np.arccosh(big)),\n"
    "                     np.where(x < -1, (2 * (m % 2) - 1) * np.cosh(order * "
    "np.arccosh(big)), np.cos(order * np.arccos(np.clip(x, -1, 1)))))\n"
    "        if m % 2:\n"
    "            w = np.fft.fft(p).real\n"
    "            n = (m + 1) // 2\n"
    "            w = np.concatenate((w[n - 1:0:-1], w[:n]))\n"
    "        else:\n"
    "            w = np.fft.fft(p * np.exp(1j * PI / m * np.arange(m))).real\n"
    "            n = m // 2 + 1\n"
    "            w = np.concatenate((w[n - 1:0:-1], w[1:n]))\n"
    "        return w / w.max()\n"
    "    return _made(f, M, sym)\n"
    "def dpss(M, NW, Kmax=None, sym=True, norm=None, return_ratios=False):\n"
    "    if Kmax is not None or return_ratios: raise ValueError('dpss: Kmax must be None "
    "and return_ratios False in gx')\n"
    "    if NW <= 0: raise ValueError('NW must be positive')\n"
    "    if norm not in (None, 'approximate', 'subsample', 2): raise ValueError(f\"norm "
    "must be one of 2, 'approximate', or 'subsample', got {norm}\")\n"
    "    def f(m):\n"
    "        n = np.arange(m)\n"
    "        d = ((m - 1 - 2 * n) / 2.0) ** 2 * np.cos(2 * PI * NW / m)\n"
    "        e = n[1:] * (m - n[1:]) / 2.0\n"
    "        v = np.linalg.eigh(np.diag(d) + np.diag(e, 1) + np.diag(e, -1))[1][:, -1]\n"
    "        v = v if v.sum() > 0 else -v\n"
    "        if norm == 2: return v\n"
    "        v = v / v.max()\n"
    "        if m % 2 == 0:\n"
    "            if norm == 'subsample':\n"
    "                s = np.fft.rfft(v)\n"
    "                shift = -(1 - 1.0 / m) * np.arange(1, m // 2 + 1)\n"
    "                s[1:] *= 2 * np.exp(-1j * PI * shift)\n"
    "                v = v * (m / s.real.sum())\n"
    "            else: v = v * (m ** 2 / (m ** 2 + NW))\n"
    "        return v\n"
    "    return _made(f, M, sym)\n"
    "def get_window(window, Nx, fftbins=True):\n"
    "    return sp.signal.get_window(window, Nx, fftbins)\n";

static bool written_fn(gx_call *c, gx_value *out) {
    return gx_written_call(c, "scipy.signal.windows", text, out);
}

const gx_native gx_sp_windows_functions[] = {
    {"general_cosine",
     "general_cosine(M, a, sym=True)",
     "A sum of cosines with the weights a.",
     "scipy.signal.windows.general_cosine(3, [0.5, 0.5]).round(6)  # [0. 1. 0.]",
     written_fn, 0, 0},
    {"general_hamming",
     "general_hamming(M, alpha, sym=True)",
     "Hamming's window with the weight alpha.",
     "scipy.signal.windows.general_hamming(3, 0.5).round(6)  # [0. 1. 0.]",
     written_fn, 0, 0},
    {"boxcar",
     "boxcar(M, sym=True)",
     "Ones.",
     "scipy.signal.windows.boxcar(2)  # [1. 1.]",
     written_fn, 0, 0},
    {"hann",
     "hann(M, sym=True)",
     "Hann's window, a raised cosine.",
     "scipy.signal.windows.hann(3).round(6)  # [0. 1. 0.]",
     written_fn, 0, 0},
    {"hamming",
     "hamming(M, sym=True)",
     "Hamming's window.",
     "scipy.signal.windows.hamming(3).round(6)  # [0.08 1.   0.08]",
     written_fn, 0, 0},
    {"blackman",
     "blackman(M, sym=True)",
     "Blackman's window.",
     "scipy.signal.windows.blackman(5).round(6) + 0  # [0.   0.34 1.   0.34 0.  ]",
     written_fn, 0, 0},
    {"nuttall",
     "nuttall(M, sym=True)",
     "Nuttall's window.",
     "scipy.signal.windows.nuttall(3).round(6)  # [3.63e-04 1.00e+00 3.63e-04]",
     written_fn, 0, 0},
    {"blackmanharris",
     "blackmanharris(M, sym=True)",
     "The window of Blackman and Harris.",
     "scipy.signal.windows.blackmanharris(3).round(6)  # [6.e-05 1.e+00 6.e-05]",
     written_fn, 0, 0},
    {"flattop",
     "flattop(M, sym=True)",
     "A window with a flat top.",
     "scipy.signal.windows.flattop(3).round(6)  # [-4.21e-04  1.00e+00 -4.21e-04]",
     written_fn, 0, 0},
    {"triang",
     "triang(M, sym=True)",
     "A triangle that does not reach zero.",
     "scipy.signal.windows.triang(3)  # [0.5 1.  0.5]",
     written_fn, 0, 0},
    {"bartlett",
     "bartlett(M, sym=True)",
     "A triangle from zero to zero.",
     "scipy.signal.windows.bartlett(3)  # [0. 1. 0.]",
     written_fn, 0, 0},
    {"parzen",
     "parzen(M, sym=True)",
     "Parzen's window.",
     "scipy.signal.windows.parzen(3).round(6)  # [0.074074 1.       0.074074]",
     written_fn, 0, 0},
    {"bohman",
     "bohman(M, sym=True)",
     "Bohman's window.",
     "scipy.signal.windows.bohman(3).round(6)  # [0. 1. 0.]",
     written_fn, 0, 0},
    {"cosine",
     "cosine(M, sym=True)",
     "Half a wave of the sine.",
     "scipy.signal.windows.cosine(3).round(6)  # [0.5 1.  0.5]",
     written_fn, 0, 0},
    {"barthann",
     "barthann(M, sym=True)",
     "Bartlett's window and Hann's mixed.",
     "scipy.signal.windows.barthann(3).round(6)  # [0. 1. 0.]",
     written_fn, 0, 0},
    {"lanczos",
     "lanczos(M, sym=True)",
     "The middle of sinc.",
     "scipy.signal.windows.lanczos(3).round(6)  # [0. 1. 0.]",
     written_fn, 0, 0},
    {"tukey",
     "tukey(M, alpha=0.5, sym=True)",
     "Ones between the halves of a Hann window; alpha: how much is not ones.",
     "scipy.signal.windows.tukey(5, 0.5).round(6)  # [0. 1. 1. 1. 0.]",
     written_fn, 0, 0},
    {"kaiser",
     "kaiser(M, beta, sym=True)",
     "Kaiser's window of shape beta.",
     "scipy.signal.windows.kaiser(3, 2.0).round(3)  # [0.439 1.    0.439]",
     written_fn, 0, 0},
    {"kaiser_bessel_derived",
     "kaiser_bessel_derived(M, beta, sym=True)",
     "A window made from Kaiser's for transforms that overlap; M is even.",
     "scipy.signal.windows.kaiser_bessel_derived(2, 2.0).round(6)  # [0.707107 0.707107]",
     written_fn, 0, 0},
    {"gaussian",
     "gaussian(M, std, sym=True)",
     "A bell of standard deviation std.",
     "scipy.signal.windows.gaussian(3, 1.0).round(6)  # [0.606531 1.       0.606531]",
     written_fn, 0, 0},
    {"general_gaussian",
     "general_gaussian(M, p, sig, sym=True)",
     "A bell of shape p and width sig.",
     "scipy.signal.windows.general_gaussian(3, 1.0, 1.0).round(6)  # [0.606531 1.       "
     "0.606531]",
     written_fn, 0, 0},
    {"exponential",
     "exponential(M, center=None, tau=1.0, sym=True)",
     "A decay to both sides of the center.",
     "scipy.signal.windows.exponential(3).round(6)  # [0.367879 1.       0.367879]",
     written_fn, 0, 0},
    {"taylor",
     "taylor(M, nbar=4, sll=30, norm=True, sym=True)",
     "Taylor's window: side lobes sll decibels down.",
     "scipy.signal.windows.taylor(3).round(6)  # [0.466906 1.       0.466906]",
     written_fn, 0, 0},
    {"chebwin",
     "chebwin(M, at, sym=True)",
     "Dolph's and Chebyshev's window: side lobes at decibels down.",
     "scipy.signal.windows.chebwin(3, 100).round(3)  # [0.5 1.  0.5]",
     written_fn, 0, 0},
    {"dpss",
     "dpss(M, NW, Kmax=None, sym=True, norm=None, return_ratios=False)",
     "The window of M numbers with the most power within the band NW (Slepian's).",
     "scipy.signal.windows.dpss(3, 1.0).round(3)  # [0.593 1.    0.593]",
     written_fn, 0, 0},
    {"get_window",
     "get_window(window, Nx, fftbins=True)",
     "A window by its name, or (name, parameters …): periodic, or with fftbins=False symmetric.",
     "scipy.signal.windows.get_window('hann', 4)  # [0.  0.5 1.  0.5]",
     written_fn, 0, 0},
    {.name = NULL},
};
