/* scipy.signal's design of filters and their responses (cheby1, ellip, firwin, freqz …), written in
   gx. What turns one form of a filter into another is in sp_systems.c. */
#include "stdlib/written_int.h"

extern const gx_native gx_sp_design_functions[];

static const char text[] =
    "PI = 3.141592653589793\n"
    "zpk2tf, zpk2sos, bilinear_zpk = sp.signal.zpk2tf, sp.signal.zpk2sos, "
    "sp.signal.bilinear_zpk\n"
    "lp2lp_zpk, lp2hp_zpk = sp.signal.lp2lp_zpk, sp.signal.lp2hp_zpk\n"
    "lp2bp_zpk, lp2bs_zpk = sp.signal.lp2bp_zpk, sp.signal.lp2bs_zpk\n"
    "def _product(x):\n"
    "    r = 1.0\n"
    "    for v in np.atleast_1d(x).tolist(): r = r * v\n"
    "    return r\n"
    "def _sections(sos):\n"
    "    sos = np.atleast_2d(np.asarray(sos))\n"
    "    if sos.ndim != 2: raise ValueError('sos array must be 2D')\n"
    "    if sos.shape[1] != 6: raise ValueError('sos array must be shape (n_sections, 6)')\n"
    "    if not (sos[:, 3] == 1).all(): raise ValueError('sos[:, 3] should be all ones')\n"
    "    return sos + 0.0\n"
    "def buttap(N):\n"
    "    N = _order(N)\n"
    "    m = np.arange(-N + 1, N, 2)\n"
    "    return np.zeros(0), -np.exp(1j * PI * m / (2 * N)), 1.0\n"
    "def _order(N):\n"
    "    if N != int(N) or N < 0: raise ValueError('Filter order must be a nonnegative "
    "integer')\n"
    "    return int(N)\n"
    "def cheb1ap(N, rp):\n"
    "    N = _order(N)\n"
    "    if N == 0: return np.zeros(0), np.zeros(0), 10 ** (-rp / 20)\n"
    "    eps = np.sqrt(10 ** (0.1 * rp) - 1.0)\n"
    "    mu = np.arcsinh(1 / eps) / N\n"
    "    p = -np.sinh(mu + 1j * PI * np.arange(-N + 1, N, 2) / (2 * N))\n"
    "    k = complex(_product(-p)).real\n"
    "    return np.zeros(0), p, np.float64(k if N % 2 else k / np.sqrt(1 + eps * eps))\n"
    "def cheb2ap(N, rs):\n"
    "    N = _order(N)\n"
    "    if N == 0: return np.zeros(0), np.zeros(0), 1.0\n"
    "    mu = np.arcsinh(np.sqrt(10 ** (0.1 * rs) - 1)) / N\n"
    "    m = np.array([i for i in range(-N + 1, N, 2) if i != 0])\n"
    "    z = -(1j / np.sin(m * PI / (2.0 * N))).conj()\n"
    "    p = -np.exp(1j * PI * np.arange(-N + 1, N, 2) / (2 * N))\n"
    "    p = 1.0 / (np.sinh(mu) * p.real + 1j * np.cosh(mu) * p.imag)\n"
    "    return z, p, np.float64(complex(complex(_product(-p)) / complex(_product(-z))).real)\n"
    "def ellipap(N, rp, rs):\n"
    "    N = _order(N)\n"
    "    if N == 0: return np.zeros(0), np.zeros(0), 10 ** (-rp / 20)\n"
    "    eps2 = 10 ** (0.1 * rp) - 1\n"
    "    if N == 1:\n"
    "        p = -np.sqrt(1.0 / eps2)\n"
    "        return np.zeros(0), np.array([p + 0j]), -p\n"
    "    eps = np.sqrt(eps2)\n"
    "    m1 = eps2 / (10 ** (0.1 * rs) - 1)\n"
    "    if m1 == 0: raise ValueError('Cannot design a filter with given rp and rs "
    "specifications.')\n"
    "    k1, k1p = sp.special.ellipk(m1), sp.special.ellipkm1(m1)\n"
    "    q = np.exp(-PI * k1p / k1) ** (1 / N)\n"
    "    i = np.arange(8.0)\n"
    "    m = 16 * q * ((q ** (i * (i + 1))).sum() / (1 + 2 * (q ** (i + 1) ** 2).sum())) ** 4\n"
    "    capk = sp.special.ellipk(m)\n"
    "    s, c, d, _ = sp.special.ellipj(np.arange(1 - N % 2, N, 2) * capk / N, m)\n"
    "    z = 1j / (np.sqrt(m) * s[abs(s) > 2e-16])\n"
    "    z = np.concatenate([z, z.conj()])\n"
    "    v0 = capk * sp.special.ellipkinc(np.arctan(1 / eps), 1 - m1) / (N * k1)\n"
    "    sv, cv, dv, _ = sp.special.ellipj(v0, 1 - m)\n"
    "    p = -(c * d * sv * cv + 1j * s * dv) / (1 - (d * sv) ** 2.0)\n"
    "    size = 2e-16 * np.sqrt((abs(p) ** 2).sum())\n"
    "    p = np.concatenate([p, (p[abs(p.imag) > size] if N % 2 else p).conj()])\n"
    "    k = complex(complex(_product(-p)) / complex(_product(-z))).real\n"
    "    return z, p, np.float64(k if N % 2 else k / np.sqrt(1 + eps2))\n"
    "def besselap(N, norm='phase'):\n"
    "    from math import factorial\n"
    "    N = _order(N)\n"
    "    if norm not in ('phase', 'delay', 'mag'): raise ValueError('normalization not "
    "understood')\n"
    "    if N == 0: return np.zeros(0), np.zeros(0), 1.0\n"
    "    c = [factorial(2 * N - k) / (2 ** (N - k) * factorial(k) * factorial(N - k)) for "
    "k in range(N + 1)]\n"
    "    last = c[0]\n"
    "    size = last ** (1 / N)\n"
    "    poly = np.array([c[k] * size ** k / last for k in range(N, -1, -1)])\n"
    "    p = np.roots(poly / poly[0]) + 0j\n"
    "    slope = np.polyder(poly)\n"
    "    for _ in range(4): p = p - np.polyval(poly, p) / np.polyval(slope, p)\n"
    "    p = p[np.argsort(-p.imag)]\n"
    "    p = (p + p[::-1].conj()) / 2\n"
    "    k = 1.0\n"
    "    if norm == 'delay': p, k = p * size, last\n"
    "    if norm == 'mag':\n"
    "        f = lambda w: abs(np.polyval(poly, 1j * w)) / poly[-1] - np.sqrt(2.0)\n"
    "        low, high = 0.01, 10.0\n"
    "        for _ in range(200):\n"
    "            mid = (low + high) / 2\n"
    "            if f(mid) < 0: low = mid\n"
    "            else: high = mid\n"
    "        p = p / low\n"
    "        k = complex(_product(-p)).real\n"
    "    return np.zeros(0), p if N > 1 else p.real, float(k)\n"
    "_kinds = {'band': 'bandpass', 'bandpass': 'bandpass', 'pass': 'bandpass', 'bp': "
    "'bandpass', 'bs': 'bandstop',\n"
    "          'bandstop': 'bandstop', 'bands': 'bandstop', 'stop': 'bandstop', 'l': "
    "'lowpass', 'low': 'lowpass',\n"
    "          'lowpass': 'lowpass', 'lp': 'lowpass', 'high': 'highpass', 'highpass': "
    "'highpass', 'h': 'highpass',\n"
    "          'hp': 'highpass'}\n"
    "def _design(zpk, Wn, btype, analog, output, fs):\n"
    "    Wn = np.atleast_1d(np.asarray(Wn)) + 0.0\n"
    "    if fs is not None:\n"
    "        if analog: raise ValueError('fs cannot be specified for an analog filter')\n"
    "        Wn = 2 * Wn / fs\n"
    "    if btype.lower() not in _kinds:\n"
    "        raise ValueError(f\"'{btype}' is an invalid bandtype for filter.\")\n"
    "    kind = _kinds[btype.lower()]\n"
    "    if output not in ('ba', 'zpk', 'sos'): raise ValueError(f\"'{output}' is not a "
    "valid output form.\")\n"
    "    if not (Wn > 0).all(): raise ValueError('filter critical frequencies must be "
    "greater than 0')\n"
    "    if Wn.size > 1 and not Wn[0] < Wn[1]: raise ValueError('Wn[0] must be less than "
    "Wn[1]')\n"
    "    if not analog and (Wn >= 1).any():\n"
    "        text = '0 < Wn < 1' if fs is None else f'0 < Wn < fs/2 (fs={fs} -> fs/2={fs / 2})'\n"
    "        raise ValueError(f'Digital filter critical frequencies must be {text}')\n"
    "    band = kind[0] == 'b'\n"
    "    if Wn.size != (2 if band else 1):\n"
    "        raise ValueError('Wn must specify start and stop frequencies for bandpass or "
    "bandstop filter' if band\n"
    "                         else 'Must specify a single critical frequency Wn for "
    "lowpass or highpass filter')\n"
    "    z, p, k = zpk\n"
    "    warped = Wn if analog else 4.0 * np.tan(PI * Wn / 2.0)\n"
    "    if band:\n"
    "        bw, wo = float(warped[1] - warped[0]), float(np.sqrt(warped[0] * warped[1]))\n"
    "        z, p, k = (lp2bp_zpk if kind == 'bandpass' else lp2bs_zpk)(z, p, k, wo, bw)\n"
    "    else:\n"
    "        z, p, k = (lp2lp_zpk if kind == 'lowpass' else lp2hp_zpk)(z, p, k, "
    "float(warped[0]))\n"
    "    if not analog: z, p, k = bilinear_zpk(z, p, k, 2.0)\n"
    "    k = np.float64(k)\n"
    "    if output == 'zpk': return z, p, k\n"
    "    return zpk2tf(z, p, k) if output == 'ba' else zpk2sos(z, p, k, analog=analog)\n"
    "def butter(N, Wn, btype='low', analog=False, output='ba', fs=None):\n"
    "    return _design(buttap(N), Wn, btype, analog, output, fs)\n"
    "def cheby1(N, rp, Wn, btype='low', analog=False, output='ba', fs=None):\n"
    "    return _design(cheb1ap(N, rp), Wn, btype, analog, output, fs)\n"
    "def cheby2(N, rs, Wn, btype='low', analog=False, output='ba', fs=None):\n"
    "    return _design(cheb2ap(N, rs), Wn, btype, analog, output, fs)\n"
    "def ellip(N, rp, rs, Wn, btype='low', analog=False, output='ba', fs=None):\n"
    "    return _design(ellipap(N, rp, rs), Wn, btype, analog, output, fs)\n"
    "def bessel(N, Wn, btype='low', analog=False, output='ba', norm='phase', fs=None):\n"
    "    return _design(besselap(N, norm), Wn, btype, analog, output, fs)\n"
    "def iirfilter(N, Wn, rp=None, rs=None, btype='band', analog=False, ftype='butter',\n"
    "        output='ba', fs=None):\n"
    "    kind = ftype.lower()\n"
    "    if kind in ('cheby1', 'chebyshev1', 'ellip', 'elliptic', 'cauer') and rp is None:\n"
    "        raise ValueError('passband ripple (rp) must be provided')\n"
    "    if kind in ('cheby2', 'chebyshev2', 'ellip', 'elliptic', 'cauer') and rs is None:\n"
    "        raise ValueError('stopband attenuation (rs) must be provided')\n"
    "    if kind in ('butter', 'butterworth'): f = buttap(N)\n"
    "    elif kind in ('cheby1', 'chebyshev1', 'chebyshevi'): f = cheb1ap(N, rp)\n"
    "    elif kind in ('cheby2', 'chebyshev2', 'chebyshevii'): f = cheb2ap(N, rs)\n"
    "    elif kind in ('ellip', 'elliptic', 'cauer'): f = ellipap(N, rp, rs)\n"
    "    elif kind == 'bessel': f = besselap(N)\n"
    "    else: raise ValueError(f\"'{ftype}' is not a valid basic IIR filter.\")\n"
    "    return _design(f, Wn, btype, analog, output, fs)\n"
    "def _notch(w0, Q, fs, peak):\n"
    "    w0 = 2 * w0 / fs\n"
    "    if not 0 < w0 < 1: raise ValueError('w0 should be such that 0 < w0 < 1')\n"
    "    w0 = w0 * PI\n"
    "    beta = np.tan(w0 / Q / 2.0)\n"
    "    gain = 1.0 / (1.0 + beta)\n"
    "    a = np.array([1.0, -2.0 * gain * np.cos(w0), 2.0 * gain - 1.0])\n"
    "    if peak: return (1.0 - gain) * np.array([1.0, 0.0, -1.0]), a\n"
    "    return gain * np.array([1.0, -2.0 * np.cos(w0), 1.0]), a\n"
    "def iirnotch(w0, Q, fs=2.0):\n"
    "    return _notch(w0, Q, fs, False)\n"
    "def iirpeak(w0, Q, fs=2.0):\n"
    "    return _notch(w0, Q, fs, True)\n"
    "def _points(worN, last, nyquist):\n"
    "    if worN is None: worN = 512\n"
    "    if np.ndim(worN) == 0:\n"
    "        if worN != int(worN) or worN < 0: raise ValueError(f'worN must be "
    "nonnegative, got {worN}')\n"
    "        return np.linspace(0, last, int(worN), endpoint=bool(nyquist))\n"
    "    return np.atleast_1d(worN) + 0.0\n"
    "def freqz(b, a=1, worN=512, whole=False, plot=None, fs=6.283185307179586,\n"
    "        include_nyquist=False):\n"
    "    b, a = np.atleast_1d(b), np.atleast_1d(a)\n"
    "    if np.ndim(worN) == 0: w = _points(worN, 2 * PI if whole else PI, include_nyquist "
    "and not whole)\n"
    "    else: w = 2 * PI * _points(worN, PI, False) / fs\n"
    "    zm1 = np.exp(-1j * w)\n"
    "    h = np.polyval(b[::-1], zm1) / np.polyval(a[::-1], zm1)\n"
    "    return w * (fs / (2 * PI)), h\n"
    "def freqz_zpk(z, p, k, worN=512, whole=False, fs=6.283185307179586):\n"
    "    if np.ndim(worN) == 0: w = _points(worN, 2 * PI if whole else PI, False)\n"
    "    else: w = 2 * PI * _points(worN, PI, False) / fs\n"
    "    zm1 = np.exp(1j * w)\n"
    "    h = k * np.ones(w.shape, 'complex128')\n"
    "    for v in np.atleast_1d(z).tolist(): h = h * (zm1 - v)\n"
    "    for v in np.atleast_1d(p).tolist(): h = h / (zm1 - v)\n"
    "    return w * (fs / (2 * PI)), h\n"
    "def freqz_sos(sos, worN=512, whole=False, fs=6.283185307179586):\n"
    "    h = 1.0\n"
    "    for row in _sections(sos):\n"
    "        w, part = freqz(row[:3], row[3:], worN, whole, None, fs)\n"
    "        h = h * part\n"
    "    return w, h\n"
    "def sosfreqz(sos, worN=512, whole=False, fs=6.283185307179586):\n"
    "    return freqz_sos(sos, worN, whole, fs)\n"
    "def freqs(b, a, worN=200, plot=None):\n"
    "    if worN is None or np.ndim(worN) == 0:\n"
    "        raise ValueError('freqs: worN must be a list of angular frequencies in gx')\n"
    "    w = np.atleast_1d(worN) + 0.0\n"
    "    return w, np.polyval(b, 1j * w) / np.polyval(a, 1j * w)\n"
    "def group_delay(system, w=512, whole=False, fs=6.283185307179586):\n"
    "    b, a = np.atleast_1d(system[0]), np.atleast_1d(system[1])\n"
    "    if np.ndim(w) == 0: w = _points(w, 2 * PI if whole else PI, False)\n"
    "    else: w = 2 * PI * _points(w, PI, False) / fs\n"
    "    c = np.convolve(b, a[::-1].conj())\n"
    "    cr = c * np.arange(c.size)\n"
    "    z = np.exp(-1j * w)\n"
    "    num, den = np.polyval(cr[::-1], z), np.polyval(c[::-1], z)\n"
    "    singular = abs(den) < 10 * 2.220446049250313e-16\n"
    "    gd = np.where(singular, 0.0, (num / np.where(singular, 1, den)).real - a.size + 1)\n"
    "    return w * (fs / (2 * PI)), gd\n"
    "def kaiser_beta(a):\n"
    "    if a > 50: return 0.1102 * (a - 8.7)\n"
    "    return 0.5842 * (a - 21) ** 0.4 + 0.07886 * (a - 21) if a > 21 else 0.0\n"
    "def kaiser_atten(numtaps, width):\n"
    "    return 2.285 * (numtaps - 1) * PI * width + 7.95\n"
    "def kaiserord(ripple, width):\n"
    "    a = abs(ripple)\n"
    "    if a < 8: raise ValueError(f'Requested maximum ripple attenuation {a:f} is too "
    "small for the Kaiser formula.')\n"
    "    return int(np.ceil((a - 7.95) / 2.285 / (PI * width) + 1)), kaiser_beta(a)\n"
    "def firwin(numtaps, cutoff, width=None, window='hamming', pass_zero=True, scale=True,\n"
    "        fs=None):\n"
    "    nyq = 0.5 * (2 if fs is None else fs)\n"
    "    cutoff = np.atleast_1d(cutoff) / float(nyq)\n"
    "    if cutoff.ndim > 1: raise ValueError('The cutoff argument must be at most "
    "one-dimensional.')\n"
    "    if cutoff.size == 0: raise ValueError('At least one cutoff frequency must be given.')\n"
    "    if cutoff.min() <= 0 or cutoff.max() >= 1:\n"
    "        raise ValueError('Invalid cutoff frequency: frequencies must be greater than "
    "0 and less than fs/2.')\n"
    "    if (np.diff(cutoff) <= 0).any():\n"
    "        raise ValueError('Invalid cutoff frequencies: the frequencies must be "
    "strictly increasing.')\n"
    "    if width is not None: window = ('kaiser', kaiser_beta(kaiser_atten(numtaps, "
    "float(width) / nyq)))\n"
    "    if isinstance(pass_zero, str):\n"
    "        if pass_zero not in ('bandstop', 'lowpass', 'bandpass', 'highpass'):\n"
    "            raise ValueError(f'pass_zero must be True, False, \"bandpass\", "
    "\"lowpass\", \"highpass\", or \"bandstop\", got \"{pass_zero}\"')\n"
    "        if cutoff.size != 1 and pass_zero in ('lowpass', 'highpass'):\n"
    "            raise ValueError(f'cutoff must have one element if "
    "pass_zero==\"{pass_zero}\", got {cutoff.shape}')\n"
    "        if cutoff.size < 2 and pass_zero in ('bandstop', 'bandpass'):\n"
    "            raise ValueError(f'cutoff must have at least two elements if "
    "pass_zero==\"{pass_zero}\", got {cutoff.shape}')\n"
    "        pass_zero = pass_zero in ('bandstop', 'lowpass')\n"
    "    nyquist = (cutoff.size % 2 == 1) != bool(pass_zero)\n"
    "    if nyquist and numtaps % 2 == 0:\n"
    "        raise ValueError('A filter with an even number of coefficients must have zero "
    "response at the Nyquist frequency.')\n"
    "    edges = ([0.0] if pass_zero else []) + cutoff.tolist() + ([1.0] if nyquist else [])\n"
    "    m = np.arange(0, numtaps) - 0.5 * (numtaps - 1)\n"
    "    h = 0\n"
    "    for left, right in zip(edges[::2], edges[1::2]):\n"
    "        h = h + right * np.sinc(right * m) - left * np.sinc(left * m)\n"
    "    h = h * sp.signal.get_window(window, numtaps, fftbins=False)\n"
    "    if scale:\n"
    "        left, right = edges[0], edges[1]\n"
    "        at = 0.0 if left == 0 else 1.0 if right == 1 else 0.5 * (left + right)\n"
    "        h = h / (h * np.cos(PI * m * at)).sum()\n"
    "    return h\n"
    "def firwin2(numtaps, freq, gain, nfreqs=None, window='hamming', antisymmetric=False,\n"
    "        fs=None):\n"
    "    nyq = 0.5 * (2 if fs is None else fs)\n"
    "    if len(freq) != len(gain): raise ValueError('freq and gain must be of same length.')\n"
    "    if nfreqs is not None and numtaps >= nfreqs:\n"
    "        raise ValueError(f'ntaps must be less than nfreqs, but firwin2 was called "
    "with ntaps={numtaps} and nfreqs={nfreqs}')\n"
    "    freq, gain = np.asarray(freq) + 0.0, np.asarray(gain) + 0.0\n"
    "    if freq[0] != 0 or freq[-1] != nyq: raise ValueError('freq must start with 0 and "
    "end with fs/2.')\n"
    "    d = np.diff(freq)\n"
    "    if (d < 0).any(): raise ValueError('The values in freq must be nondecreasing.')\n"
    "    if ((d[:-1] + d[1:]) == 0).any(): raise ValueError('A value in freq must not "
    "occur more than twice.')\n"
    "    kind = (3 if numtaps % 2 else 4) if antisymmetric else (1 if numtaps % 2 else 2)\n"
    "    if kind in (2, 3) and gain[-1] != 0: raise ValueError(f'A Type {\"I\" * kind} "
    "filter must have zero gain at the Nyquist frequency.')\n"
    "    if kind in (3, 4) and gain[0] != 0: raise ValueError(f'A Type {\"III\" if kind == "
    "3 else \"IV\"} filter must have zero gain at zero frequency.')\n"
    "    if nfreqs is None: nfreqs = 1 + 2 ** int(np.ceil(np.log2(numtaps)))\n"
    "    eps = np.finfo(np.float64).eps * nyq\n"
    "    for k in range(len(freq) - 1):\n"
    "        if freq[k] == freq[k + 1]:\n"
    "            freq[k] = freq[k] - eps\n"
    "            freq[k + 1] = freq[k + 1] + eps\n"
    "    x = np.linspace(0.0, nyq, nfreqs)\n"
    "    shift = np.exp(-(numtaps - 1) / 2.0 * 1j * PI * x / nyq)\n"
    "    if kind > 2: shift = shift * 1j\n"
    "    out = np.fft.irfft(np.interp(x, freq, gain) * shift)[:numtaps]\n"
    "    if window is not None: out = out * sp.signal.get_window(window, numtaps, "
    "fftbins=False)\n"
    "    if kind == 3: out[numtaps // 2] = 0.0\n"
    "    return out\n";

static bool written_fn(gx_call *c, gx_value *out) {
    return gx_written_call(c, "scipy.signal.design", text, out);
}

const gx_native gx_sp_design_functions[] = {
    {"buttap",
     "buttap(N)",
     "Butterworth's analogue lowpass of order N: zeros, poles and gain.",
     "scipy.signal.buttap(1)  # (array([], dtype=float64), array([-1.-0.j]), 1.0)",
     written_fn, 0, 0},
    {"cheb1ap",
     "cheb1ap(N, rp)",
     "Chebyshev's analogue lowpass of order N with rp decibels of ripple: zeros, poles and gain.",
     "scipy.signal.cheb1ap(1, 3)[2].round(6)  # 1.002377",
     written_fn, 0, 0},
    {"cheb2ap",
     "cheb2ap(N, rs)",
     "Chebyshev's other analogue lowpass, rs decibels down beyond 1: zeros, poles and gain.",
     "scipy.signal.cheb2ap(1, 20)[2].round(6)  # 0.100504",
     written_fn, 0, 0},
    {"ellipap",
     "ellipap(N, rp, rs)",
     "Cauer's analogue lowpass of rp decibels of ripple and rs down beyond: zeros, poles and "
     "gain.",
     "scipy.signal.ellipap(1, 3, 20)[2].round(6)  # 1.002377",
     written_fn, 0, 0},
    {"besselap",
     "besselap(N, norm='phase')",
     "Bessel's analogue lowpass of order N: zeros, poles and gain.",
     "scipy.signal.besselap(1)[1]  # [-1.]",
     written_fn, 0, 0},
    {"butter",
     "butter(N, Wn, btype='low', analog=False, output='ba', fs=None)",
     "Butterworth's filter of order N with the edge Wn, or two: (b, a), 'zpk' or 'sos'.",
     "scipy.signal.butter(1, 0.5)[0].round(6)  # [0.5 0.5]",
     written_fn, 0, 0},
    {"cheby1",
     "cheby1(N, rp, Wn, btype='low', analog=False, output='ba', fs=None)",
     "Chebyshev's filter with rp decibels of ripple where it passes: (b, a), 'zpk' or 'sos'.",
     "scipy.signal.cheby1(1, 3, 0.5)[0].round(6)  # [0.500594 0.500594]",
     written_fn, 0, 0},
    {"cheby2",
     "cheby2(N, rs, Wn, btype='low', analog=False, output='ba', fs=None)",
     "Chebyshev's filter that stops by rs decibels: (b, a), 'zpk' or 'sos'.",
     "scipy.signal.cheby2(1, 20, 0.5)[0].round(6)  # [0.091325 0.091325]",
     written_fn, 0, 0},
    {"ellip",
     "ellip(N, rp, rs, Wn, btype='low', analog=False, output='ba', fs=None)",
     "Cauer's filter with rp decibels of ripple that stops by rs: (b, a), 'zpk' or 'sos'.",
     "scipy.signal.ellip(1, 3, 20, 0.5)[0].round(6)  # [0.500594 0.500594]",
     written_fn, 0, 0},
    {"bessel",
     "bessel(N, Wn, btype='low', analog=False, output='ba', norm='phase', fs=None)",
     "Bessel's filter, whose delay is even: (b, a), 'zpk' or 'sos'.",
     "scipy.signal.bessel(1, 0.5)[0].round(6)  # [0.5 0.5]",
     written_fn, 0, 0},
    {"iirfilter",
     "iirfilter(N, Wn, rp=None, rs=None, btype='band', analog=False, ftype='butter', "
     "output='ba', fs=None)",
     "A filter by the name of its kind: butter, cheby1, cheby2, ellip, bessel.",
     "scipy.signal.iirfilter(1, 0.5, btype='low')[0].round(6)  # [0.5 0.5]",
     written_fn, 0, 0},
    {"iirnotch",
     "iirnotch(w0, Q, fs=2.0)",
     "A filter that stops the frequency w0 alone.",
     "scipy.signal.iirnotch(0.5, 1.0)[0].round(6)  # [ 0.5 -0.   0.5]",
     written_fn, 0, 0},
    {"iirpeak",
     "iirpeak(w0, Q, fs=2.0)",
     "A filter that passes the frequency w0 alone.",
     "scipy.signal.iirpeak(0.5, 1.0)[0].round(6)  # [ 0.5  0.  -0.5]",
     written_fn, 0, 0},
    {"freqz",
     "freqz(b, a=1, worN=512, whole=False, plot=None, fs=6.283185307179586, "
     "include_nyquist=False)",
     "Frequencies and the response of a digital filter at each.",
     "abs(scipy.signal.freqz([0.5, 0.5], worN=2)[1]).round(6)  # [1.       0.707107]",
     written_fn, 0, 0},
    {"freqz_zpk",
     "freqz_zpk(z, p, k, worN=512, whole=False, fs=6.283185307179586)",
     "Frequencies and the response of a filter given by zeros, poles and gain.",
     "abs(scipy.signal.freqz_zpk([], [0.0], 2.0, worN=2)[1]).round(6)  # [2. 2.]",
     written_fn, 0, 0},
    {"freqz_sos",
     "freqz_sos(sos, worN=512, whole=False, fs=6.283185307179586)",
     "Frequencies and the response of second-order sections.",
     "abs(scipy.signal.freqz_sos([[0.5, 0.5, 0, 1, 0, 0]], worN=2)[1]).round(6)  # [1.       "
     "0.707107]",
     written_fn, 0, 0},
    {"sosfreqz",
     "sosfreqz(sos, worN=512, whole=False, fs=6.283185307179586)",
     "Frequencies and the response of second-order sections; an older name of freqz_sos.",
     "abs(scipy.signal.sosfreqz([[0.5, 0.5, 0, 1, 0, 0]], worN=2)[1]).round(6)  # [1.       "
     "0.707107]",
     written_fn, 0, 0},
    {"freqs",
     "freqs(b, a, worN=200, plot=None)",
     "Angular frequencies and the response of an analogue filter at each of those given.",
     "abs(scipy.signal.freqs([1.0], [1.0, 1.0], [0.0, 1.0])[1]).round(6)  # [1.       0.707107]",
     written_fn, 0, 0},
    {"group_delay",
     "group_delay(system, w=512, whole=False, fs=6.283185307179586)",
     "Frequencies and the delay, in samples, of a filter (b, a) at each.",
     "scipy.signal.group_delay(([0.0, 1.0], [1.0]), 2)[1].round(6)  # [1. 1.]",
     written_fn, 0, 0},
    {"kaiser_beta",
     "kaiser_beta(a)",
     "kaiser's beta for a ripple of a decibels.",
     "round(scipy.signal.kaiser_beta(60.0), 6)  # 5.65326",
     written_fn, 0, 0},
    {"kaiser_atten",
     "kaiser_atten(numtaps, width)",
     "The decibels by which a kaiser filter of so many numbers stops.",
     "round(scipy.signal.kaiser_atten(21, 0.2), 6)  # 36.664157",
     written_fn, 0, 0},
    {"kaiserord",
     "kaiserord(ripple, width)",
     "How many numbers a kaiser filter needs, and its beta.",
     "scipy.signal.kaiserord(60.0, 0.2)[0]  # 38",
     written_fn, 0, 0},
    {"firwin",
     "firwin(numtaps, cutoff, *, width=None, window='hamming', pass_zero=True, scale=True, "
     "fs=None)",
     "A filter of numtaps numbers by a window.",
     "scipy.signal.firwin(3, 0.5).round(3)  # [0.046 0.908 0.046]",
     written_fn, 0, 0},
    {"firwin2",
     "firwin2(numtaps, freq, gain, *, nfreqs=None, window='hamming', antisymmetric=False, "
     "fs=None)",
     "A filter of numtaps numbers whose gain follows the points given.",
     "scipy.signal.firwin2(3, [0.0, 1.0], [1.0, 0.0]).round(3)  # [0.017 0.5   0.017]",
     written_fn, 0, 0},
    {.name = NULL},
};
